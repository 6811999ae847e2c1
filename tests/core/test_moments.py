"""Any number of seconds is a date."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from zsmem_tui.core.moments import clock_time, moment, nanoseconds


@pytest.mark.parametrize("seconds", [0, 1.5, 2**33, 2**40, 2**62, -(2**40), -(2**62), 1e300, -1e300])
def test_any_number_of_seconds_is_a_date(seconds: float) -> None:
    for zone in (None, UTC, timezone(timedelta(hours=14)), timezone(timedelta(hours=-12))):
        found = moment(seconds, zone)
        assert 1 <= found.year <= 9999 and (found.tzinfo is None) == (zone is None)
        assert found.astimezone(UTC).isoformat() and found.strftime("%H:%M")
    assert moment(0, UTC).isoformat() == "1970-01-01T00:00:00+00:00"


@pytest.mark.parametrize("day", ["0001-01-01", "0001-01-02", "0001-01-03", "1970-01-01", "9999-12-29", "9999-12-30", "9999-12-31"])
def test_the_first_and_the_last_days_are_told_as_they_were_typed(day: str) -> None:
    try:
        when = nanoseconds(datetime.fromisoformat(day))
    except (OverflowError, ValueError):
        return  # a day that this system has no number for
    assert clock_time(when) == f"{day} 00:00:00"
    assert clock_time(when + 43_200 * 10**9 + 5) == f"{day} 12:00:00"


def test_what_no_calendar_has_is_told_as_its_end() -> None:
    assert clock_time(2**80) == "9999-12-31 23:59:59" and clock_time(-(2**80)) == "0001-01-01 00:00:00"
