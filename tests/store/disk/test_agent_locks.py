"""Who holds a lock file of an agent: by the lock, or by the number in it."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from unittest.mock import Mock

import pytest

from tests.forking import a_dead_process
from zsmem_tui.core.errors import WriteFailed
from zsmem_tui.store.disk import agent_locks
from zsmem_tui.store.disk.agent_locks import is_held, refuse_held

OWN = os.path.basename(Path("/proc/self/cmdline").read_text().split("\0")[0]).partition(".")[0].lower()


@pytest.mark.parametrize(
    ("text", "programs", "held"),
    [
        ("{own}", {OWN}, True),
        ("{own}", {"other"}, False),
        ("{dead}", {OWN}, False),
        ("", {OWN}, False),
        ("held\n", {OWN}, False),
        ('{{"since": {dead}, "pid": {own}}}', {OWN}, True),
        ('{{"since": {own}, "pid": {dead}}}', {OWN}, False),
        ("PID: {own}, then {dead}", {OWN}, True),
        ("{own} {dead}", {OWN}, True),
        ("{dead}\n{own}", {OWN}, False),
    ],
)
def test_a_file_is_held_by_a_process_of_the_agent_that_lives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, programs: set[str], held: bool
) -> None:
    place = tmp_path / "a.lock"
    os.mkfifo(pipe := tmp_path / "pipe.lock")
    assert not any(is_held(str(each), programs) for each in (place, tmp_path, pipe)), "no file"
    place.write_text(text.format(own=os.getpid(), dead=a_dead_process()))
    assert is_held(str(place), programs) is held
    with place.open() as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        assert is_held(str(place), {"other"}), "whoever has it locked"
        with pytest.raises(WriteFailed, match=r"a\.lock: Ethos is at work on this memory\. Nothing was written\."):
            refuse_held([str(tmp_path / "none"), str(place)], "Ethos", programs)
    assert is_held(str(place), programs) is held, "looking at it took no lock"
    monkeypatch.setattr(agent_locks, "open", Mock(side_effect=FileNotFoundError), raising=False)
    assert is_held(str(place), programs) is (held or "other" in programs), "where the system does not tell a command"
