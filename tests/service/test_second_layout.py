"""Every verb over a store of another shape: no projects, no logs, no checklist."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from tests.builders import NOW, look_for
from tests.layouts import NOTEBOOK, a_notebook
from zsmem_tui.core.errors import BadTarget
from zsmem_tui.core.notice import NoticeKind
from zsmem_tui.core.preview import Prompt
from zsmem_tui.core.profile import Profile
from zsmem_tui.core.refs import Role
from zsmem_tui.service import (
    applying,
    browsing,
    bundles,
    editing,
    file_ops,
    fit,
    history,
    previewing,
    review_lines,
    reviewing,
    status,
    tasks,
    triage,
    undoing,
    watching,
)
from zsmem_tui.service.facts import acts
from zsmem_tui.service.facts import rows as rows_of
from zsmem_tui.service.facts.rows import FactReader
from zsmem_tui.service.plan import Fate
from zsmem_tui.service.searching import Scope
from zsmem_tui.service.session import Session

FACTS = "book/FACTS.md"


@pytest.fixture
def session(tmp_path: Path) -> Session:
    root = a_notebook(tmp_path / "store")
    made = Session(str(root), "work-1a2b3c4d", layout=NOTEBOOK, clock=lambda: NOW, history_home=str(tmp_path / "history"))
    history.look_at_all(made)
    return made


def text(session: Session, path: str = FACTS) -> str:
    return (Path(session.root) / path).read_text()


def test_list_and_search_know_its_files_and_no_others(session: Session) -> None:
    assert [path.removeprefix(f"{session.root}/") for path in session.mem().list()] == [FACTS, "book/topics/tea.md"]
    for scope in Scope:
        found = look_for("TEA", session, scope=scope)
        assert [hit.ref.path for hit in found.hits] == [FACTS, "book/topics/tea.md"], "the facts come first here"
        assert found.hits[0].is_memory_md


def test_the_tree_has_its_files_and_no_project(session: Session) -> None:
    catalog = watching.StoreFollower(session).glance()
    assert [entry.ref.path for entry in catalog.shared] == [FACTS, "book/topics/tea.md"]
    assert catalog.projects == ()
    assert status.projects(session) == []


def test_the_prompt_and_its_explanation_are_the_layouts(session: Session) -> None:
    for profile in Profile:
        about = previewing.Subject(session.project, "", profile)
        seen = previewing.preview(session, about)
        assert seen.text == session.mem(profile=profile).context_block() == f"<<\n[facts]\n{text(session).strip()}\n>>"
        assert [(use.title, use.path, use.lines, use.total) for use in seen.uses] == [("Facts", FACTS, 2, 2)]
        assert [row.text for row in seen.rows] == ["<<", "[facts]", "- The build wants tea.", "- Deploys on Friday.", ">>"]
        assert previewing.findings(session, about) == []
    assert status.status(session)[:3] == (len(text(session)), None, None)
    says = status.describe(status.status(session), NOTEBOOK)
    assert "  facts: 44B" in says and "scratchpad: (Notebook has none)" in says and "today: (Notebook has none)" in says


def test_what_it_does_not_have_is_said_and_nothing_is_touched(session: Session) -> None:
    before = text(session)
    assert tasks.task_list(session, [session.project]).tasks == ()
    assert tasks.task_groups(session) == ["global"]
    for act in (
        lambda: applying.apply(triage.add(session, session.project, "an item")),
        lambda: file_ops.new_scratchpad(session),
        lambda: file_ops.log_entry(session, "done", "x"),
    ):
        with pytest.raises(BadTarget, match=r"Notebook has no (checklist|daily logs)\."):
            act()
    assert text(session) == before


def test_writes_are_recorded_undone_and_redone(session: Session) -> None:
    before = text(session)
    session.mem().write("long_term", "- Written by a tool.")
    after = text(session)
    assert after == before + "- Written by a tool.\n"
    ref = session.place_of(Role.FACTS)
    saved = editing.save(session, ref, b"- All new.\n", after.encode())
    assert saved and text(session) == "- All new.\n"
    undoing.undo(session)
    assert text(session) == after
    undoing.undo(session)
    assert text(session) == before
    undoing.undo(session, redo=True)
    assert text(session) == after
    assert [version.path for version in history.of_file(session, ref)][:1] == [FACTS]


def test_notes_are_made_renamed_and_deleted_where_the_layout_has_them(session: Session) -> None:
    file_ops.new_note(session, "coffee", content="black\n")
    assert text(session, "book/topics/coffee.md") == "black\n"
    file_ops.rename(session, session.ref_at("book/topics/coffee.md"), "espresso")
    file_ops.delete(session, session.ref_at("book/topics/espresso.md"))
    assert not (Path(session.root) / "book/topics/espresso.md").exists()
    undoing.undo(session)
    assert text(session, "book/topics/espresso.md") == "black\n"


def test_what_somebody_else_writes_is_reviewed_and_put_back(session: Session) -> None:
    before = text(session)
    (Path(session.root) / FACTS).write_text(before + "- By an agent.\n")
    history.look_at_all(session)
    (waiting,) = reviewing.pending(session)
    assert waiting.ref.path == FACTS
    review_lines.revert(session, [review_lines.Pick(waiting)])
    assert text(session) == before


def test_a_bundle_goes_out_and_comes_back(session: Session, tmp_path: Path) -> None:
    out = io.BytesIO()
    bundles.export(session, out)
    place = tmp_path / "book.zsmem"
    place.write_bytes(out.getvalue())
    (Path(session.root) / FACTS).unlink()
    wanted = bundles.plan(session, str(place))
    assert {each.ref.path: each.fate for each in wanted.rows}[FACTS] is Fate.ADD
    applying.apply(wanted)
    assert "tea" in text(session)
    with pytest.raises(BadTarget, match="0 projects"):
        bundles.plan(session, str(place), into="other-1a2b3c4d")


def test_its_files_open(session: Session) -> None:
    assert browsing.open_file(session, session.ref_at(FACTS)).text == text(session)


def test_its_facts_are_judged_and_moved(session: Session) -> None:
    reader = FactReader(session)
    rows = reader.read(rows_of.Scope.ALL).rows
    assert [(row.ref.path, row.fact.says, row.prompt) for row in rows] == [
        (FACTS, "The build wants tea.", Prompt.WHOLE),
        (FACTS, "Deploys on Friday.", Prompt.WHOLE),
        ("book/topics/tea.md", "Green tea, three minutes.", Prompt.NEVER),
    ]
    applying.apply(acts.promote(session, rows[2:]))
    assert "Green tea, three minutes." in text(session) and "Green tea" not in text(session, "book/topics/tea.md")
    assert {row.prompt for row in reader.read(rows_of.Scope.ALL).rows} == {Prompt.WHOLE}
    applying.apply(acts.move(session, reader.read(rows_of.Scope.ALL).rows[:1], acts.new_note(session, session.project, "build")))
    assert "wants tea" in text(session, "book/topics/build.md")
    undoing.undo(session)
    undoing.undo(session)
    assert text(session) == "- The build wants tea.\n- Deploys on Friday.\n"


def test_what_does_not_fit_is_made_to_fit_without_places_that_are_not_there(session: Session) -> None:
    long = "".join(f"- Fact number {number} of very many.\n" for number in range(2_000))
    (Path(session.root) / FACTS).write_text(f"# Facts\n\n## Old\n\n{long}\n## New\n\n- The last one.\n")
    proposal = fit.propose(session)
    assert proposal.fit.moves and all(not move.target or move.target.startswith("book/") for move in proposal.fit.moves)
    applying.apply(fit.plan(session, proposal, proposal.fit.moves))
    after = "".join(place.read_text() for place in sorted(Path(session.root).rglob("book/**/*.md")))
    assert all(line in after for line in long.splitlines())
    assert previewing.preview(session).lost == ()


def test_what_ends_its_block_early_is_found_by_its_own_end_without_composing_the_block_again(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    (Path(session.root) / FACTS).write_text("- a fact\n- that says >> in it\n- and </memory>\n")
    seen = previewing.preview(session)

    def composed(*_: object) -> None:
        raise AssertionError("composed again")

    monkeypatch.setattr(type(session.layout), "block", composed)
    found = [each for each in previewing.findings(session, None, seen) if each.kind is NoticeKind.ENDS_BLOCK]
    assert [(each.place.endswith(FACTS), each.line, each.text) for each in found] == [(True, 2, ">>")]
