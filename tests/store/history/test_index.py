"""What a start need not read again, and what it has to."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.builders import AStore
from zsmem_tui.service.session import Session
from zsmem_tui.store.scan import scan


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return AStore(tmp_path / "memory").has("MEMORY.md", "one\n").has("~/notes/a.md", "a\n").session()


def catch_up(session: Session) -> int:
    """How many versions were made."""
    return len(session.history.catch_up(scan(session.root, session.layout)))


def test_what_was_written_while_nobody_watched_is_recorded_though_size_and_time_are_what_they_were(session: Session) -> None:
    assert catch_up(session) == 2
    place = Path(session.root, "MEMORY.md")
    before = place.stat()
    place.write_text("two\n")
    os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert catch_up(session) == 1
    assert catch_up(session) == 0


def test_an_index_without_the_time_of_the_change_is_made_anew_and_nothing_is_taken_for_changed(session: Session) -> None:
    assert catch_up(session) == 2
    place = Path(session.history._index_place)
    now = place.read_bytes()
    place.write_bytes(re.sub(rb":\d+\t", b"\t", now))
    assert place.read_bytes() != now
    assert catch_up(session) == 0
    assert place.read_bytes() == now
