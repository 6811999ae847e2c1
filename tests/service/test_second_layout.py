"""Every verb over a store of another shape: no projects, no logs, no checklist."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from tests.builders import NOW
from tests.layouts import NOTEBOOK, a_notebook
from zsmem_tui.core.errors import BadTarget
from zsmem_tui.core.notice import NoticeKind
from zsmem_tui.core.profile import Profile
from zsmem_tui.service import (
    applying,
    bundles,
    file_ops,
    fit,
    history,
    previewing,
    status,
    tasks,
    triage,
)
from zsmem_tui.service.plan import Fate
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


def test_the_prompt_and_its_explanation_are_the_layouts(session: Session) -> None:
    for profile in Profile:
        about = previewing.Subject(session.project, "", profile)
        seen = previewing.preview(session, about)
        assert seen.text == session.mem(profile=profile).context_block() == f"<<\n[facts]\n{text(session).strip()}\n>>"
        assert [(use.title, use.path, use.lines, use.total) for use in seen.uses] == [("Facts", FACTS, 2, 2)]
        assert [row.text for row in seen.rows] == ["<<", "[facts]", "- The build wants tea.", "- Deploys on Friday.", ">>"]
        assert previewing.findings(session, about) == []
    assert status.status(session)[:3] == (len(text(session)), 0, None)
    says = status.describe(status.status(session), NOTEBOOK)
    assert "  facts: 44B" in says and "scratchpad: (Notebook has none)" in says and "today: (Notebook has none)" in says


def test_what_it_does_not_have_is_said_and_nothing_is_touched(session: Session) -> None:
    before = text(session)
    assert tasks.task_list(session, [session.project]).tasks == ()
    assert tasks.task_groups(session) == ["global"]
    for act in (
        lambda: applying.apply(triage.add(session, session.project, "an item")),
        lambda: file_ops.new_scratchpad(session),
        lambda: file_ops.log_entry(session, "done"),
    ):
        with pytest.raises(BadTarget, match=r"Notebook has no (checklist|daily logs)\."):
            act()
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
