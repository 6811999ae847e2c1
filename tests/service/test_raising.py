"""`+` brings a fact into the prompt by the least change that is enough, and says what helps where none is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import NOW, PROJECT, AStore
from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import BadTarget
from zsmem_tui.core.preview import Prompt
from zsmem_tui.service import applying, undoing
from zsmem_tui.service.facts import raising
from zsmem_tui.service.facts.rows import FactReader, FactRow, Scope
from zsmem_tui.service.session import Session
from zsmem_tui.service.stores import open_store

LOG = "2026-05-24.md"


def row(session: Session, says: str) -> FactRow:
    return next(each for each in FactReader(session).read(Scope.ALL).rows if each.fact.says == says)


@pytest.fixture
def journal(tmp_path: Path) -> tuple[AStore, Session]:
    """A day of memsearch, of which the agent loads headings and items that begin with a hyphen."""
    made = AStore(tmp_path / "a" / ".memsearch" / "memory")
    made.has(LOG, "## Session 08:00\n\nA line.\n\n* starred\n\n1. first\n\nTwo\nlines.\n\n- item\n").has("2026-05-01.md", "- old\n")
    return made.has("2026-05-02.md", "- older\n"), open_store(Config(), "memsearch", cwd=str(tmp_path / "a"), clock=lambda: NOW)


@pytest.mark.parametrize(("says", "was", "becomes"), [("A line.", "A line.", "- A line."), ("starred", "* starred", "- starred")])
def test_a_line_becomes_an_item_where_that_is_all_it_takes(
    journal: tuple[AStore, Session], says: str, was: str, becomes: str
) -> None:
    store, session = journal
    before = store.raw(LOG).decode()
    assert row(session, says).prompt is Prompt.LOST
    done = applying.apply(raising.into_prompt(session, [row(session, says)]))
    assert done.message == f"Made an item of “{says}” in {LOG}."
    assert store.raw(LOG).decode() == before.replace(f"\n{was}\n", f"\n{becomes}\n")
    assert row(session, says).prompt is Prompt.WHOLE
    assert undoing.undo(session).done and store.raw(LOG).decode() == before


def test_of_a_day_whose_last_lines_are_loaded_a_fact_goes_to_the_end(journal: tuple[AStore, Session]) -> None:
    store, session = journal
    store.has(LOG, "## Session 08:00\n\n- early\n" + "".join(f"- item {number}\n" for number in range(50)))
    done = applying.apply(raising.into_prompt(session, [row(session, "early")]))
    assert done.message == f"Moved to the end “early” in {LOG}." and store.raw(LOG).endswith(b"- item 49\n- early\n")
    assert row(session, "early").prompt is Prompt.WHOLE


def test_what_cannot_be_brought_in_is_refused_with_the_reason_and_the_keys_that_help(journal: tuple[AStore, Session]) -> None:
    store, session = journal
    before = store.tree()
    why = (
        rf"“Two lines\.” would be lost at any place of {LOG}: only headings and items are shown\. m takes it .* agent, e changes it"
    )
    with pytest.raises(BadTarget, match=why):
        raising.into_prompt(session, [row(session, "Two lines.")])
    with pytest.raises(BadTarget, match=r"memsearch has no file that is in every prompt: m takes it to another file or agent"):
        raising.into_prompt(session, [row(session, "old")])
    assert store.tree() == before


def test_a_fact_of_a_log_that_is_cut_comes_in_by_moves_of_other_facts_and_else_nothing_is_written(store: AStore) -> None:
    log = "## Notes\n\n---\nname: of the day\n---\n\n" + "".join(f"- logged {number} {'z' * 60}\n" for number in range(40))
    store.has("MEMORY.md", "# Memory\n\n" + "".join(f"- known {number} {'x' * 60}\n" for number in range(60)))
    session = store.has("~/daily/2026-05-24.md", f"{log}- meant\n").session(inject_cap=4_000)
    before = store.tree()
    with pytest.raises(BadTarget, match=r"“meant” would be lost at any place of .*2026-05-24\.md: the prompt has no room for it"):
        raising.to_top(session, [row(session, "meant")])
    plan = raising.into_prompt(session, [row(session, "meant")])
    assert plan.read.fit.moves and store.tree() == before
    applying.apply(plan)
    assert row(session, "meant").prompt is Prompt.WHOLE and row(session, "meant").ref.path.endswith("2026-05-24.md")
    store.has("~/daily/2026-05-24.md", f"- {'long ' * 900}\n")
    with pytest.raises(BadTarget, match="would be lost at any place"):
        raising.into_prompt(session, [row(session, ("long " * 900).strip())])


def test_a_fact_that_the_main_file_has_already_stays(store: AStore) -> None:
    session = store.has("MEMORY.md", "- there\n").has("~/notes/n.md", "- there\n- too\n").session()
    found = [each for each in FactReader(session).read(Scope.PROJECT).rows if each.ref.path == f"projects/{PROJECT}/notes/n.md"]
    with pytest.raises(BadTarget, match=r"“there” stands in MEMORY\.md already: d takes it out here\. Nothing was moved\."):
        raising.into_prompt(session, found[:1])
    assert store.raw("~/notes/n.md") == b"- there\n- too\n"


def test_where_a_fact_would_go_is_said_before(store: AStore) -> None:
    store.has("MEMORY.md", "# What I prefer\n\n- short\n\n## Style\n\n- tabs\n- blanks\n").has("~/notes/n.md", "# n\n\n- too\n")
    session = store.session()
    for says, in_main, there in (("too", True, "What I prefer"), ("blanks", False, "Style"), ("too", False, "What I prefer")):
        found, before = row(session, says), store.tree()
        assert raising.below(session, [found], in_main=in_main) == f" · below “{there}”" and store.tree() == before
        applying.apply((raising.to_main if in_main else raising.into_prompt)(session, [found]))
        assert row(session, says).fact.headings[-1] == there
        undoing.undo(session)
    store.has("MEMORY.md", "- too\n")
    assert raising.below(session, [row(session, "too")], in_main=True) == "", "it stands there already"
