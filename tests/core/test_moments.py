"""Any number of seconds is a date."""

from __future__ import annotations

from datetime import UTC, timedelta, timezone

import pytest

from zsmem_tui.core.moments import moment


@pytest.mark.parametrize("seconds", [0, 1.5, 2**33, 2**40, 2**62, -(2**40), -(2**62), 1e300, -1e300])
def test_any_number_of_seconds_is_a_date(seconds: float) -> None:
    for zone in (None, UTC, timezone(timedelta(hours=14)), timezone(timedelta(hours=-12))):
        found = moment(seconds, zone)
        assert 1 <= found.year <= 9999 and (found.tzinfo is None) == (zone is None)
        assert found.astimezone(UTC).isoformat() and found.strftime("%H:%M")
    assert moment(0, UTC).isoformat() == "1970-01-01T00:00:00+00:00"
