from __future__ import annotations

from pathlib import Path

from tests.soak.ethos import race


def test_every_update_of_two_processes_and_every_edit_of_a_person_is_there(tmp_path: Path) -> None:
    found = race(str(tmp_path), 12)
    assert (found.updates, found.edits, found.twice) == (found.wanted_updates, found.wanted_edits, 0), found
