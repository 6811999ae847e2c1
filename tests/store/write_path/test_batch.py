"""Several writes as one step: a refusal says which of them stayed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import AStore
from zsmem_tui.core.errors import Conflict

REFUSED = "MEMORY.md changed meanwhile. Nothing was moved."


@pytest.mark.parametrize("theirs", ["- written by an agent\n", None])
def test_a_refusal_names_a_file_that_somebody_changed_before_it_could_be_taken_back(tmp_path: Path, theirs: str | None) -> None:
    store = AStore(tmp_path / "memory").has("note.md", "- old\n")
    with pytest.raises(Conflict) as found, store.session().batch("Moved") as batch:
        batch.update("note.md", lambda now: b"- new\n")
        if theirs is None:
            store.at("note.md").unlink()
        else:
            store.has("note.md", theirs)
        raise Conflict(REFUSED)
    assert found.value.message == f"{REFUSED} Before that, these were written: note.md."
    assert store.tree().get("note.md") == (None if theirs is None else theirs.encode())


def test_a_refusal_takes_back_what_was_written_and_keeps_what_an_agent_added(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory").has("note.md", "- old\n- same\n").has("other.md", "- one\n")
    with pytest.raises(Conflict) as found, store.session().batch("Moved") as batch:
        batch.update("note.md", lambda now: b"- new\n- same\n")
        batch.update("other.md", lambda now: b"- two\n")
        store.has("note.md", "- new\n- same\n- of an agent\n").has("other.md", "- one\n")
        raise Conflict(REFUSED)
    assert found.value.message == REFUSED
    assert store.raw("note.md") == b"- old\n- same\n- of an agent\n" and store.raw("other.md") == b"- one\n"
