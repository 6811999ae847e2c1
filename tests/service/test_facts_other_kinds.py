"""The verbs on facts in the stores of other agents: their rules hold, their front matter stays, and undo gives back every byte."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.builders import NOW, AStore, put_samples
from zsmem_tui.config.model import Config
from zsmem_tui.core.block_edits import Edge
from zsmem_tui.core.errors import MemError
from zsmem_tui.core.facts import Kind, divide
from zsmem_tui.core.refs import Role
from zsmem_tui.service import applying, exporting, formats, promoting, stores, undoing
from zsmem_tui.service.facts import acts, raising
from zsmem_tui.service.facts.acts import Target
from zsmem_tui.service.facts.rows import FactReader, FactRow, Scope
from zsmem_tui.service.plan import Handling, Plan
from zsmem_tui.service.session import Session

FOLDER = "/home/ann/code/lantern"
KINDS = [("claude-code", ""), ("ethos", "engineer"), ("opencode", ""), ("memsearch", ""), ("oh-my-pi", "")]


@pytest.fixture
def machine(tmp_path: Path, away_from_home: Path) -> Path:
    """A home with every sample; the project's own files lie in the folder that is given back."""
    put_samples(away_from_home, tmp_path / "lantern", "claude-code", "ethos", "opencode-agent-memory", "oh-my-pi", "memsearch")
    return tmp_path / "lantern"


def front(raw: bytes) -> list[str]:
    return [piece.text for piece in divide(raw.decode()) if piece.kind is Kind.FRONT_MATTER]


def deeds(session: Session, rows: list[FactRow], other: FactRow) -> list[Callable[[], Plan]]:
    first, last = rows[0], rows[-1]
    return [
        lambda: acts.delete(session, rows),
        lambda: raising.to_top(session, [last]),
        lambda: acts.reword(session, first, "---"),
        lambda: acts.add_below(session, first, "---\na: b\n---"),
        lambda: acts.move(session, [other], Target(first.ref, Edge.TOP)),
    ]


@pytest.mark.parametrize(("kind", "group"), KINDS)
def test_no_deed_breaks_front_matter_and_each_is_undone_or_refused_untouched(machine: Path, kind: str, group: str) -> None:
    cwd = str(machine) if kind == "memsearch" else FOLDER
    session = stores.open_store(Config(), kind, group=group, cwd=cwd, clock=lambda: NOW)
    found: dict[str, list[FactRow]] = {}
    for row in FactReader(session).read(Scope.ALL).rows:
        found.setdefault(row.ref.path, []).append(row)
    assert found
    before = AStore(Path(session.root)).tree()
    of_each_sort = {(rows[0].ref.role, bool(front(Path(session.root, path).read_bytes()))): path for path, rows in found.items()}
    for path in of_each_sort.values():
        rows = found[path]
        other = next((each[0] for name, each in found.items() if name != path), rows[0])
        for deed in deeds(session, rows, other):
            try:
                done = applying.apply(deed()).changed
            except MemError as error:
                assert "Nothing was" in str(error) and AStore(Path(session.root)).tree() == before
                continue
            assert not done or rows[0].ref.role is not Role.DERIVED
            after = AStore(Path(session.root)).tree()
            assert all(front(after[name]) == front(before[name]) for name in after if name.endswith(".md"))
            assert not done or undoing.undo(session).done
            assert AStore(Path(session.root)).tree() == before


def test_a_note_of_which_all_is_moved_leaves_no_shell_and_no_line_in_the_index(machine: Path) -> None:
    session = stores.open_store(Config(), "claude-code", cwd=FOLDER, clock=lambda: NOW)
    before = AStore(Path(session.root)).tree()
    found: dict[str, list[FactRow]] = {}
    for row in FactReader(session).read(Scope.ALL).rows:
        found.setdefault(row.ref.path, []).append(row)
    path, rows = next((path, rows) for path, rows in found.items() if path.endswith("/reference_tracker.md"))
    done = applying.apply(acts.promote(session, rows))
    index = Path(session.root, path).with_name("MEMORY.md").read_text()
    assert done.message.endswith("MEMORY.md. reference_tracker.md, which has no other fact, is deleted.")
    assert not Path(session.root, path).exists() and "reference_tracker.md" not in index and rows[0].fact.says in index
    assert undoing.undo(session).done and AStore(Path(session.root)).tree() == before


@pytest.mark.parametrize("secrets", [Handling.STOP, Handling.MASK])
def test_a_fact_that_is_moved_to_oh_my_pi_is_the_lesson_that_an_export_makes_of_it(
    store: AStore, tmp_path: Path, away_from_home: Path, secrets: Handling
) -> None:
    store.has("MEMORY.md", "- keep `a` >= 5\n- two\n  lines\n")
    (tmp_path / "demo").mkdir()
    session = store.session()
    session.folder = str(tmp_path / "demo")
    into = stores.open_store(session.config, "oh-my-pi", cwd=session.folder, clock=lambda: NOW)
    rows = list(FactReader(session).read(Scope.PROJECT).rows)
    plan = promoting.plan_copy(session, rows, into, move=True, secrets=secrets)
    wanted = exporting.plan(session, formats.of_agent("oh-my-pi"))
    lessons = {edit.place: edit.after for edit in plan.changes if edit.session is into}
    assert lessons == {edit.place: edit.after for edit in wanted.changes} and len(lessons) == 1
    said = "“keep `a` >= 5”: It loses < and >, which may change what it says."
    assert said in plan.notes and said in applying.apply(plan).message and not store.raw("MEMORY.md").strip()
    assert undoing.undo(session).done and promoting.plan_copy(session, rows, into, move=True).changes
