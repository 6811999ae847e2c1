"""The plan that makes a prompt fit: rows that were left out, while an agent changes or deletes their files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import AStore
from zsmem_tui.service import previewing
from zsmem_tui.ui.plans import Pulse
from zsmem_tui.ui.prompt.fit import FitDraft

SECTIONS = [f"## S{part}\n\n" + "".join(f"- fact {part}.{n} {'x' * 40}\n" for n in range(20)) for part in range(6)]


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    return AStore(tmp_path / "memory").has("MEMORY.md", "# Memory\n\n" + "\n".join(SECTIONS))


def without_all(draft: FitDraft) -> None:
    """Leave out every row, and those that take their place, until there is nothing left to move."""
    while True:
        draft.take(draft.make(Pulse()))
        if draft.left_out == {row.key for row in draft.plan.rows}:
            return
        draft.ticks = {row.key: False for row in draft.plan.rows}


def test_a_row_that_is_left_out_shows_what_it_would_do(store: AStore) -> None:
    draft = FitDraft(session := store.session(inject_cap=3_000), previewing.subject(session))
    without_all(draft)
    assert draft.items and not draft.plan.edits
    for number in range(len(draft.items)):
        sides = draft.sides(number)
        assert sides.before and sides.after is not None and sides.before != sides.after


def test_a_row_that_is_left_out_takes_its_own_lines_when_others_came_in_above(store: AStore) -> None:
    draft = FitDraft(session := store.session(inject_cap=3_000), previewing.subject(session))
    draft.take(draft.make(Pulse()))
    draft.ticks = {row.key: False for row in draft.plan.rows}
    shown = draft.sides(0)
    store.has("MEMORY.md", "# Memory\n\n- new\n- and new\n\n" + "\n".join(SECTIONS))
    draft.take(draft.make(Pulse()))
    assert draft.items[0].key in draft.left_out and draft.sides(0) == shown  # type: ignore[union-attr]


def test_a_row_that_is_left_out_goes_with_its_file(store: AStore) -> None:
    draft = FitDraft(session := store.session(inject_cap=3_000), previewing.subject(session))
    without_all(draft)
    (store.root / "MEMORY.md").unlink()
    draft.take(draft.make(Pulse()))
    assert not draft.items
