from __future__ import annotations

from pathlib import Path

import pytest

from tests.soak.sync import Round, kills, served, together


def check(found: Round) -> None:
    assert found.lines
    assert found._replace(lines=0) == Round(0, 0, 0, True, 0), found


def test_no_line_is_lost_or_sent_twice_by_runs_that_are_killed(tmp_path: Path) -> None:
    with served(tmp_path, "folder") as url:
        check(kills(tmp_path, 4, url))


def test_machines_that_sync_at_once_over_a_daemon_end_equal(tmp_path: Path) -> None:
    with served(tmp_path, "daemon") as url:
        check(together(tmp_path, 2, url, 2))


@pytest.mark.slow
def test_no_line_is_lost_or_sent_twice_by_five_hundred_runs_that_are_killed(tmp_path: Path) -> None:
    with served(tmp_path, "folder") as url:
        check(kills(tmp_path, 500, url))


@pytest.mark.slow
def test_four_machines_that_sync_fifty_times_at_once_end_equal(tmp_path: Path) -> None:
    with served(tmp_path, "folder") as url:
        check(together(tmp_path, 50, url))
