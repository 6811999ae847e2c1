"""Lines that two machines changed are decided one file after the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import AStore
from zsmem_tui.core.conflict import Conflicts, Region
from zsmem_tui.core.errors import Missing
from zsmem_tui.service.sync import deciding
from zsmem_tui.store.sync import remembered

TEXT = "# A\n- 2\n- II\nbetween\n- 3\n- 4\n- III\nend\n"


def test_the_places_of_a_file_are_shown_from_its_top_until_they_are_decided(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory").has("MEMORY.md", TEXT)
    session, place = store.session(), str(store.at("MEMORY.md"))
    pairs = [
        {"path": place, "line": 9, "first": ["- 3\n", "- 4\n"], "second": ["- III\n"]},
        {"path": place, "line": 1, "first": ["- 2\n"], "second": ["- II\n"]},
        {"path": place, "line": 1, "first": ["- 4\n"], "second": ["- III\n"]},
        {"path": place, "line": 1, "first": ["- gone\n"], "second": ["- II\n"]},
        {"path": str(tmp_path / "none.md"), "line": 1, "first": ["- 2\n"], "second": ["- II\n"]},
    ]
    with remembered.held():
        setup = remembered.load()
        setup.both = pairs
        remembered.save(setup)
    (found,) = deciding.undecided()
    regions = (Region((b"- 2\n",), (b"- II\n",)), Region((b"- 3\n", b"- 4\n"), (b"- III\n",)))
    assert found.found == Conflicts(((b"# A\n",), (b"between\n",), (b"end\n",)), regions, (True, True, True))
    assert (found.place, found.text) == (place, TEXT.encode())
    with pytest.raises(Missing, match="is in no store that is open"):
        deciding.decide([AStore(tmp_path / "memory-2").session()], found, b"x\n")
    done = deciding.decide([AStore(tmp_path).session(), session], found, b"# A\n- 2\nbetween\n- III\nend\n")
    assert (done.message, done.changed) == ("Decided 2 places in MEMORY.md.", 1)
    assert store.raw("MEMORY.md") == b"# A\n- 2\nbetween\n- III\nend\n" and not deciding.undecided()
    assert remembered.load().both == pairs[-1:]
