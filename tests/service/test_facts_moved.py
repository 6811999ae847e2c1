"""Moves between generated files: no line is ever lost, whatever the texts are."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.builders import PROJECT, AStore
from tests.core.test_facts import TEXTS
from zsmem_tui.core.block_edits import Edge
from zsmem_tui.core.errors import BadTarget
from zsmem_tui.core.facts import Fact, facts
from zsmem_tui.core.refs import Role
from zsmem_tui.service.facts import acts
from zsmem_tui.service.facts.acts import Target, targets
from zsmem_tui.service.facts.rows import FactReader, Scope, name_of

MEMORY, NOTE, LOG = "MEMORY.md", f"projects/{PROJECT}/notes/n.md", f"projects/{PROJECT}/daily/2026-05-25.md"


def test_every_file_of_every_project_is_a_place_to_go_those_of_ones_own_first(tmp_path: Path) -> None:
    there = "projects/other-22222222"
    store = AStore(tmp_path / "memory").has(MEMORY, "- a\n").has(NOTE, "- b\n")
    store.has(f"{there}/notes/tides.md", "- c\n").has(f"{there}/SCRATCHPAD.md", "- [ ] d\n")
    for name in (f"projects/{PROJECT}/notes/dir.md", f"{there}/notes/dir.md", f"projects/{PROJECT}/SCRATCHPAD.md"):
        store.at(name).mkdir(parents=True)
    session = store.session()
    for path in (MEMORY, NOTE):
        rows = [row for row in FactReader(session).read(Scope.PROJECT).rows if row.ref.path == path]
        places = [target.ref.path for target in targets(session, rows, PROJECT) if target.place is Edge.END]
        assert {f"{there}/notes/tides.md", f"{there}/SCRATCHPAD.md"} <= set(places)
        assert not [each for each in places if store.at(each).is_dir()], "a folder is no file"
        assert len(places) == len(set(places)) and path not in places, "they are there"
        assert max(places.index(each) for each in (MEMORY, NOTE) if each != path) < min(
            places.index(each) for each in places if there in each
        )


def lines(texts: list[str]) -> Counter[str]:
    rows = (line.strip().strip("\ufeff").strip() for text in texts for line in text.split("\n"))  # the mark stays in its file
    return Counter(row for row in rows if row)


def exact(fact: Fact) -> str:
    return fact.text.strip()


@settings(max_examples=30, deadline=None)
@given(st.tuples(TEXTS, TEXTS, TEXTS), st.sampled_from((MEMORY, NOTE, LOG)), st.sampled_from(list(Edge)), st.data())
def test_a_move_of_many_facts_of_many_files_loses_no_line(
    tmp_path: Path, found: tuple[str, str, str], goal: str, place: Edge, data: st.DataObject
) -> None:
    texts = dict(zip((MEMORY, NOTE, LOG), found, strict=True))
    store = AStore(tmp_path / "memory")
    for path, text in texts.items():
        store.has(path, text)
    session = store.session()
    every = [row for row in FactReader(session).read(Scope.PROJECT).rows if row.fact.same == row.fact.everywhere == 1]
    some = [row for row in every if data.draw(st.booleans())]
    target = Target(session.ref_at(goal), place)
    assert target.ref.role is not Role.CHECKLIST
    if some and all(row.ref.path == goal for row in some):
        with pytest.raises(BadTarget, match=f"in {goal} already. Nothing was moved."):
            acts.move(session, some, target)
        return
    edits = acts.move(session, some, target).changes
    after = texts | {edit.ref.path: (edit.after or b"").decode() for edit in edits}
    doubles = [row.fact for row in some if row.ref.path != goal]
    there = Counter(map(exact, facts(texts[goal])))
    gone = lines([fact.text for fact in doubles if there[exact(fact)]])
    assert not lines(list(texts.values())) - lines(list(after.values())) - gone
    assert set(lines(list(texts.values()))) <= set(lines(list(after.values())))


def test_a_key_is_masked_before_the_words_of_its_fact_are_cut() -> None:
    (fact,) = facts(f"- so many words that the key after them is cut: ghp_{'Zk3Qw9Lm2Vt7Xr5Bn8Hj4Pd6Sf1Gc0Ya3Ue'}\n")
    assert name_of(fact) == "so many words that the key after them is cut: ghp_…" and name_of(fact, 10) == "so many w…"
