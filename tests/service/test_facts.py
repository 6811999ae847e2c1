"""Facts across files: what is said of each, and that a verb never loses one."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.builders import NOW, PROJECT, AStore
from zsmem_tui.config.model import Config
from zsmem_tui.core.block_edits import Edge
from zsmem_tui.core.errors import BadContent, BadTarget, Conflict, MemError
from zsmem_tui.core.facts import Fact, facts
from zsmem_tui.core.layout import place_of
from zsmem_tui.core.preview import Prompt
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.service import applying, file_ops, history, previewing, undoing
from zsmem_tui.service.facts import acts, raising
from zsmem_tui.service.facts.acts import Target
from zsmem_tui.service.facts.provenance import BEFORE, YOU, Provenance, author_of, story
from zsmem_tui.service.facts.rows import MANY_FILES, FactReader, FactRow, Scope, find_row, headings
from zsmem_tui.service.plan import Plan
from zsmem_tui.service.session import Session
from zsmem_tui.service.stores import open_store
from zsmem_tui.store.history import retention
from zsmem_tui.ui.facts.rows import detail, legend

NOTE = f"projects/{PROJECT}/notes/n.md"
PAD = f"projects/{PROJECT}/SCRATCHPAD.md"
MEMORY = "# Memory\n\n- the build needs make\n- the port is 8080\n\n## Style\n\n- tabs, never blanks\n"


STORE = {
    "MEMORY.md": MEMORY,
    "~/notes/n.md": "# n\n\nA note.\n\n- the port is 8080\n",
    "~/SCRATCHPAD.md": "- [ ] open one\n- [x] done one\n",
    "~/daily/2026-05-25.md": "### 10:00\nlogged\n",
}


def rows(session: Session, scope: Scope = Scope.PROJECT) -> dict[str, FactRow]:
    return {f"{row.ref.name or row.ref.target}: {row.fact.says}": row for row in FactReader(session).read(scope).rows}


def note(session: Session) -> MemRef:
    return place_of(session.layout, Role.NOTE, PROJECT, "n")


def long_term(session: Session) -> MemRef:
    return place_of(session.layout, Role.FACTS, PROJECT)


def lines(store: AStore) -> Counter[bytes]:
    return Counter(line for raw in store.tree().values() for line in raw.split(b"\n") if line.strip())


def test_a_row_says_what_of_it_is_in_the_prompt_and_what_stands_twice(store: AStore) -> None:
    found = rows(store.session())
    assert {name: row.prompt.value for name, row in found.items()} == {
        "long_term: the build needs make": "whole",
        "long_term: the port is 8080": "whole",
        "long_term: tabs, never blanks": "whole",
        "scratchpad: open one": "whole",
        "scratchpad: done one": "never",
        "n: A note.": "never",
        "n: the port is 8080": "never",
        "2026-05-25: logged": "whole",
    }
    assert {name for name, row in found.items() if row.twice} == {"long_term: the port is 8080", "n: the port is 8080"}
    row = found["long_term: the port is 8080"]
    assert (row.size, row.tokens, row.fact.headings, row.fact.line) == (19, 4, ("Memory",), 3)


@pytest.mark.parametrize("profile", ["documented", "zerostack-1.7"])
@pytest.mark.parametrize("cap", [40, 90, 130, 200, 5_000])
def test_the_prompt_is_that_of_the_preview(store: AStore, profile: str, cap: int) -> None:
    session = store.session(inject_cap=cap, profile=profile)
    lost = {(each.path, each.line): each.cut for each in previewing.preview(session).lost}
    for row in FactReader(session).read(Scope.ALL).rows:
        own = [lost[row.ref.path, number] for number in range(row.fact.line, row.fact.stop) if (row.ref.path, number) in lost]
        if row.prompt in (Prompt.WHOLE, Prompt.NEVER):
            assert not own
        else:
            assert own and (row.prompt is Prompt.CUT) == (any(own) or len(own) < row.fact.lines)


def test_what_is_too_large_to_be_injected_is_lost(store: AStore) -> None:
    store.has("MEMORY.md", "- a fact of long-term memory\n" * 6_000)
    assert {row.prompt for row in FactReader(store.session()).read(Scope.FILE, long_term(store.session())).rows} == {Prompt.LOST}


def test_a_file_that_cannot_be_read_is_named_and_the_rest_is_there(store: AStore) -> None:
    store.has("~/notes/bad.md", b"\xff\xfe\n").at("~/notes/folder.md").mkdir()
    found = FactReader(store.session()).read(Scope.ALL)
    assert set(found.problems) == {f"projects/{PROJECT}/notes/bad.md", f"projects/{PROJECT}/notes/folder.md"}
    assert len(found.rows) == 8
    missing = MemRef(f"projects/{PROJECT}/notes/none.md", Role.NOTE, PROJECT, "none")
    assert FactReader(store.session()).read(Scope.FILE, missing).rows == ()


@pytest.mark.draw(3)
@pytest.mark.parametrize("least", [1, 7, 30, 90, 5_000])
@pytest.mark.parametrize("below", ["", "MEMORY.md", "projects/p30-00000000/notes/n.md", "gone.md"])
def test_the_first_part_of_many_facts_begins_the_answer_that_is_read_at_once(tmp_path: Path, least: int, below: str) -> None:
    store = AStore(tmp_path / "memory").has("MEMORY.md", MEMORY)
    for number in range(90):
        store.has(f"projects/p{number:02}-00000000/notes/n.md", f"# n\n\n- fact {number}\n- the port is 8080\n")
    whole = FactReader(store.session()).read(Scope.ALL)
    *first, last = FactReader(store.session()).parts(Scope.ALL, least=least, below=below)
    assert last == whole and last.complete
    for part in first:
        count = len(part.rows)
        places = [row.ref.path for row in part.rows]
        assert not part.complete and count < len(whole.rows)
        assert [row._replace(twice=False) for row in part.rows] == [row._replace(twice=False) for row in whole.rows[:count]]
        assert len(places) - (places.index(below) + 1 if below else 0) >= least
        assert 91 - len(set(places)) > MANY_FILES
    if not first:
        assert least >= 30 or below == "gone.md"


def test_only_what_changed_is_divided_again(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in store.tree():
        os.utime(store.at(path), (10**9, 10**9))
    reader, divided = FactReader(store.session()), list[str]()

    def noted(text: str) -> list[Fact]:
        divided.append(text)
        return facts(text)

    first = reader.read(Scope.PROJECT)
    monkeypatch.setattr("zsmem_tui.service.facts.rows.facts", noted)
    assert reader.read(Scope.PROJECT) == first and not divided
    store.has("MEMORY.md", "- other\n")
    assert reader.read(Scope.PROJECT) != first and divided == ["- other\n"]


def test_files_of_other_projects_are_judged_by_their_own_prompts(store: AStore) -> None:
    store.has("projects/other-1/SCRATCHPAD.md", "- [ ] theirs\n").has("projects/\ufffd..x/SCRATCHPAD.md", "- [ ] odd\n")
    found = rows(store.session(), Scope.ALL)
    assert found["scratchpad: theirs"].prompt is Prompt.WHOLE


def test_many_facts_of_many_files_go_as_one_step(store: AStore) -> None:
    session = store.session()
    before = store.tree()
    found = rows(session)
    some = [found["long_term: tabs, never blanks"], found["n: A note."], found["long_term: the port is 8080"]]
    done = applying.apply(acts.delete(session, some))
    assert done.message == f"Deleted 3 facts in MEMORY.md, {NOTE}." and done.undo_problem == ""
    assert store.raw("MEMORY.md") == b"# Memory\n\n- the build needs make\n\n## Style\n"
    assert store.raw(NOTE) == b"# n\n\n- the port is 8080\n"
    assert undoing.undo(session).done and store.tree() == before


def test_a_move_takes_facts_of_several_files_to_a_heading_of_another(store: AStore) -> None:
    session = store.session()
    before = lines(store)
    found = rows(session)
    some = [found["n: A note."], found["scratchpad: done one"]]
    applying.apply(acts.move(session, some, Target(long_term(session), ("Memory",))))
    assert b"8080\n\nA note.\n\n- done one\n\n## Style" in store.raw("MEMORY.md")
    assert lines(store) == before - Counter({b"- [x] done one": 1}) + Counter({b"- done one": 1})


def test_a_fact_moves_within_its_file_as_it_is(store: AStore) -> None:
    session = store.has("~/SCRATCHPAD.md", "# A\n- [ ] a\n  - b\n# B\n- [x] c\n").session()
    pad = place_of(session.layout, Role.CHECKLIST, PROJECT)
    applying.apply(acts.move(session, [rows(session)["scratchpad: a - b"]], Target(pad, ("B",))))
    assert store.raw(PAD) == b"# A\n# B\n- [x] c\n- [ ] a\n  - b\n"
    applying.apply(raising.to_top(session, [rows(session)["scratchpad: a - b"]]))
    assert store.raw(PAD) == b"# A\n# B\n- [ ] a\n  - b\n- [x] c\n"


def test_where_a_fact_went_is_not_said_of_one_that_stands_twice(store: AStore) -> None:
    session = store.has("MEMORY.md", "# M\n\n## A\n\n- same\n\n## B\n\n- y\n- same\n").session()
    [second] = [row for row in rows(session).values() if row.fact.line == 9]
    assert applying.apply(raising.to_top(session, [second])).message == "Moved up “same” in MEMORY.md."


def test_a_fact_goes_to_the_top_of_its_section_if_that_is_loaded_else_of_what_is_above(store: AStore) -> None:
    last = "".join(f"- of b {number}\n" for number in range(9))
    text = f"# Memory\n\n- first\n\n## A\n\n- of a\n\n## B\n\n### C\n\n{last}"
    for cap, above, line in ((10_000, "### C\n\n", 13), (90, "## B\n\n", 11), (60, "# Memory\n\n", 3)):
        session = store.has("MEMORY.md", text).session(inject_cap=cap)
        found = rows(session)
        plan = raising.to_top(session, [found["long_term: of b 7"], found["long_term: of b 8"]])
        head = above.strip().lstrip("# ")
        assert applying.apply(plan).message == f"Moved up 2 facts in MEMORY.md, to line {line}, below “{head}”."
        assert f"{above}- of b 7\n- of b 8\n" in store.raw("MEMORY.md").decode(), cap


def test_a_fact_that_no_prompt_has_goes_to_the_top_of_what_every_prompt_has(store: AStore) -> None:
    session = store.has("~/daily/2026-05-11.md", "### 10:00\n- of an old log\n").session()
    found = rows(session)
    with pytest.raises(BadTarget, match=r"No prompt takes in “of an old log”: press . there alone\."):
        raising.to_top(session, [found["2026-05-11: of an old log"], found["2026-05-25: logged"]])
    applying.apply(raising.to_top(session, [found["2026-05-11: of an old log"]]))
    assert store.raw("MEMORY.md").startswith(b"# Memory\n\n- of an old log\n- the build needs make\n")


def test_facts_go_up_to_long_term_memory_and_down_to_a_note(store: AStore) -> None:
    session = store.session()
    found = rows(session)
    applying.apply(acts.promote(session, [found["scratchpad: open one"]]))
    assert store.raw("MEMORY.md").endswith(b"- tabs, never blanks\n- open one\n") and store.raw(PAD) == b"- [x] done one\n"
    done = applying.apply(
        acts.move(session, [rows(session)["long_term: tabs, never blanks"]], acts.new_note(session, PROJECT, "style"))
    )
    assert "style.md. It leaves the prompt of every project." in done.message
    assert store.raw("~/notes/style.md") == b"# style\n\n- tabs, never blanks\n"
    with pytest.raises(BadTarget, match="already"):
        acts.promote(session, [found["long_term: the port is 8080"]])


def test_a_quoted_line_shows_that_it_is_cut() -> None:
    assert (acts.quoted("- short"), acts.quoted("x" * 90)) == ("- short", f"{'x' * 79}…")


def test_what_stands_in_the_target_already_is_not_put_twice(store: AStore) -> None:
    session = store.session()
    done = applying.apply(acts.move(session, [rows(session)["n: the port is 8080"]], Target(long_term(session))))
    assert done.message == "Moved 1 fact to MEMORY.md. That file is in the prompt of every project. 1 stood there already."
    assert store.raw("MEMORY.md") == MEMORY.encode() and b"8080" not in store.raw(NOTE)


def test_a_copy_leaves_the_source_and_a_checklist_gets_boxes(store: AStore) -> None:
    session = store.session()
    found = rows(session)
    pad = place_of(session.layout, Role.CHECKLIST, PROJECT)
    applying.apply(acts.copy(session, [found["n: A note."], found["long_term: tabs, never blanks"]], Target(pad, Edge.TOP)))
    assert store.raw(PAD) == b"- [ ] A note.\n- [ ] tabs, never blanks\n- [ ] open one\n- [x] done one\n"
    assert b"A note." in store.raw(NOTE)


def test_one_line_edits(store: AStore) -> None:
    session = store.session()
    applying.apply(acts.reword(session, rows(session)["scratchpad: open one"], "other"))
    applying.apply(acts.add_below(session, rows(session)["scratchpad: other"], "new"))
    applying.apply(acts.shift(session, rows(session)["scratchpad: new"], -1))
    assert store.raw(PAD) == b"- [ ] new\n- [ ] other\n- [x] done one\n"
    done = applying.apply(raising.to_top(session, [rows(session)["scratchpad: new"]]))
    assert done.message == f"“new” is loaded already, at the top of its section in {PAD}. Nothing was moved."
    with pytest.raises(BadContent):
        acts.reword(session, rows(session)["scratchpad: new"], " ")


def test_a_fact_is_followed_where_an_agent_moved_it(store: AStore) -> None:
    session = store.session()
    row = rows(session)["long_term: the port is 8080"]
    store.has("MEMORY.md", "# Memory\n\nnew\n\n" + MEMORY.partition("\n\n")[2])
    applying.apply(acts.delete(session, [row]))
    assert b"8080" not in store.raw("MEMORY.md") and b"new" in store.raw("MEMORY.md")


def test_a_fact_that_a_link_to_its_note_lists_too_is_taken_once(store: AStore) -> None:
    store.at("~/notes/link.md").symlink_to("n.md")
    session = store.session()
    found = rows(session)
    done = applying.apply(acts.delete(session, [found["n: the port is 8080"], found["link: the port is 8080"]]))
    assert done.message == f"Deleted “the port is 8080” in {NOTE}." and store.raw(NOTE) == b"# n\n\nA note.\n"
    undoing.undo(session)
    pad = place_of(session.layout, Role.CHECKLIST, PROJECT)
    some = [found["n: A note."], found["link: A note."], found["link: the port is 8080"]]
    applying.apply(acts.move(session, some, Target(pad, Edge.END)))
    assert store.raw(PAD).endswith(b"- [ ] A note.\n- [ ] the port is 8080\n") and b"8080" not in store.raw(NOTE)


def test_what_no_prompt_takes_in_is_not_unloaded_and_what_stands_there_is_not_shuffled(store: AStore) -> None:
    session = store.session()
    found, before = rows(session), store.tree()
    in_note, main = found["n: A note."], found["long_term: the port is 8080"]
    with pytest.raises(BadTarget, match=f"“A note.” is not loaded: no prompt takes in {NOTE}. m moves what is there. Nothing"):
        acts.unload(session, [main, in_note], acts.new_note(session, PROJECT, "n"))
    for place in Edge:
        with pytest.raises(BadTarget, match=f"“A note.” is in {NOTE} already. Nothing was moved."):
            acts.move(session, [in_note], Target(note(session), place))
    assert store.tree() == before
    done = applying.apply(acts.move(session, [in_note, found["long_term: tabs, never blanks"]], Target(note(session))))
    assert done.message == f"Moved 1 fact to {NOTE}. It leaves the prompt of every project. 1 stood there already."
    assert store.raw(NOTE).endswith(b"- tabs, never blanks\n")
    first = next(row for row in FactReader(session).read(Scope.PROJECT).rows if row.ref == main.ref)
    plan = raising.to_top(session, [first])
    assert not plan.changes and plan.unchanged.endswith(
        "is loaded already, at the top of its section in MEMORY.md. Nothing was moved."
    )


def test_a_row_is_found_again_in_a_newer_list(store: AStore) -> None:
    session = store.session()
    old = rows(session)["long_term: the port is 8080"]
    store.has("MEMORY.md", f"new\n\n{MEMORY}")
    newer = FactReader(session).read(Scope.PROJECT).rows
    found = find_row(old, newer)
    assert found is not None and (found.ref.path, found.fact.line) == ("MEMORY.md", 5)
    assert find_row(old, [row for row in newer if row != found]) is None
    assert headings(session, long_term(session)) == [("Memory",), ("Memory", "Style")]
    assert headings(session, MemRef("none.md")) == []


@pytest.mark.parametrize("verb", ["delete", "move", "shift", "add", "reword", "top", "demote"])
def test_a_fact_that_is_gone_is_named_and_nothing_is_written(store: AStore, verb: str) -> None:
    session = store.session()
    found = rows(session)
    some = [found["n: A note."], found["long_term: the port is 8080"]]
    store.has("MEMORY.md", "")
    before = store.tree()
    made: dict[str, Callable[[], Plan]] = {
        "delete": lambda: acts.delete(session, some),
        "move": lambda: acts.move(session, some, Target(place_of(session.layout, Role.CHECKLIST, PROJECT))),
        "shift": lambda: acts.shift(session, some[1], 1),
        "add": lambda: acts.add_below(session, some[1], "x"),
        "reword": lambda: acts.reword(session, some[1], "x"),
        "top": lambda: raising.to_top(session, some[1:]),
        "demote": lambda: acts.move(session, some, acts.new_note(session, PROJECT, "new")),
    }
    with pytest.raises(Conflict, match=r"“the port is 8080” is no longer in MEMORY.md. Nothing was \w+\."):
        applying.apply(made[verb]())
    assert store.tree() == before


@pytest.mark.parametrize("how", ["read-only", "folder", "no heading", "not text"])
def test_a_target_that_cannot_be_written_loses_nothing(store: AStore, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    session = store.session()
    some = [rows(session)["n: A note."], rows(session)["scratchpad: open one"]]
    place = ("None",) if how == "no heading" else Edge.END
    goal = place_of(session.layout, Role.NOTE, PROJECT, "goal")
    if how == "folder":
        store.at("~/notes/goal.md").mkdir()
    else:
        store.has("~/notes/goal.md", b"\xff" if how == "not text" else b"# goal\n")
    if how == "read-only":
        usual = os.access  # the superuser, too, shall find it write-protected
        monkeypatch.setattr(os, "access", lambda place, mode: not str(place).endswith("goal.md") and usual(place, mode))
    before = store.tree()
    with pytest.raises(MemError, match="Nothing was"):
        applying.apply(acts.move(session, some, Target(goal, place)))
    assert store.tree() == before


@pytest.mark.parametrize("path", [NOTE, PAD])
def test_a_source_that_changes_while_it_is_moved_keeps_its_fact(store: AStore, path: str) -> None:
    session = store.has(PAD, "- [ ] open one\n\n# Later\n").session()
    goal = Target(session.ref_at(path), ("Later",) if path == PAD else Edge.END)
    plan = acts.move(session, [rows(session)["scratchpad: open one"]], goal)
    before = store.has(PAD, "- [x] open one\n\n# Later\n").tree()
    with pytest.raises(Conflict, match="changed just now"):
        applying.apply(plan)
    assert store.tree() == before


def test_an_effect_says_what_the_prompt_gains_and_writes_nothing(store: AStore) -> None:
    session = store.session()
    before = store.tree()
    found = rows(session)
    seen = acts.effect(
        session, acts.move(session, [found["n: A note."], found["scratchpad: open one"]], Target(long_term(session)))
    )
    assert seen.gained == ("A note.", "- open one") and seen.dropped == ("- [ ] open one",)
    assert seen.grown == seen.after.size - seen.before.size and store.tree() == before


def test_the_history_says_since_when_by_whom_and_what_is_new(store: AStore) -> None:
    session = store.looked_at()
    applying.apply(acts.add_below(session, rows(session)["long_term: the port is 8080"], "mine"))
    history.look_at_all(session)
    store.has("MEMORY.md", store.raw("MEMORY.md") + b"- from the agent\n")
    history.look_at_all(session)
    store.has("~/notes/unknown.md", "- no version holds it\n")
    [new] = Provenance(session).fill([rows(session)["unknown: no version holds it"]])
    assert (new.since, new.author, new.is_new) == (0, "", False)
    known = Provenance(session)
    for _ in range(2):
        found = known.fill([row for row in rows(session).values() if row.ref.path == "MEMORY.md"])
        assert {row.fact.says: (row.author, row.is_new, row.since > 0) for row in found} == {
            "the build needs make": (BEFORE, False, True),
            "the port is 8080": (BEFORE, False, True),
            "mine": (YOU, False, True),
            "tabs, never blanks": (BEFORE, False, True),
            "from the agent": ("another program", True, True),
        }


def test_a_fact_that_moved_to_another_file_keeps_its_age_and_author(store: AStore) -> None:
    session = store.looked_at()
    applying.apply(acts.move(session, [rows(session)["long_term: tabs, never blanks"]], acts.new_note(session, PROJECT, "style")))
    applying.apply(acts.promote(session, [rows(session)["style: tabs, never blanks"]]))
    [row] = Provenance(session).fill([rows(session)["long_term: tabs, never blanks"]])
    assert row.author == BEFORE


def test_many_facts_of_one_file_are_moved_in_time(store: AStore) -> None:
    session = store.has("~/notes/n.md", "".join(f"- fact {number}\n" for number in range(3_000))).session()
    some = [row for row in rows(session).values() if row.ref.path == NOTE]
    done = applying.apply(acts.move(session, some, Target(long_term(session))))
    assert done.message == "Moved 3,000 facts to MEMORY.md. That file is in the prompt of every project." and store.raw(NOTE) == b""


def test_the_story_of_a_fact_has_every_version_in_which_it_changed(store: AStore) -> None:
    session = store.looked_at()
    applying.apply(acts.add_below(session, rows(session)["long_term: the port is 8080"], "the host is a.example"))
    applying.apply(acts.reword(session, rows(session)["long_term: tabs, never blanks"], "blanks"))
    store.has("MEMORY.md", store.raw("MEMORY.md").replace(b"a.example", b"b.example"))
    history.look_at_all(session)
    told = story(session, rows(session)["long_term: the host is b.example"])
    assert [(each.before, each.after) for each in told] == [
        ("- the host is a.example\n", "- the host is b.example\n"),
        ("", "- the host is a.example\n"),
    ]


def test_the_story_of_a_fact_that_went_and_came_back_goes_on_before_that(store: AStore) -> None:
    session = store.looked_at()
    fact = "- the port is 8080\n"
    applying.apply(acts.delete(session, [rows(session)["long_term: the port is 8080"]]))
    undoing.undo(session)
    told = story(session, rows(session)["long_term: the port is 8080"])
    assert [(each.before, each.after) for each in told] == [("", fact), (fact, ""), ("", fact)]
    assert [author_of(each.version) for each in told] == [YOU, YOU, BEFORE]


def test_a_fact_is_as_old_as_its_newest_line(store: AStore) -> None:
    store.has("~/notes/n.md", "A paragraph of long ago\n")
    os.utime(store.at("~/notes/n.md"), ns=(10**18, 10**18))
    session = store.looked_at()
    store.has("~/notes/n.md", "A paragraph of long ago\nwith a line\nand one more\n")
    history.look_at_all(session)
    [found] = Provenance(session).fill([row for row in rows(session).values() if row.ref.name == "n"])
    assert (found.since > 10**18, found.author, found.is_new) == (True, "another program", True)


def test_a_fact_of_several_lines_names_all_who_wrote_one_since_zsmem_saw_it(store: AStore) -> None:
    session = store.looked_at()
    store.has("~/notes/n.md", "- of an agent\n  with a line\n")
    history.look_at_all(session)

    def filled() -> FactRow:
        [found] = Provenance(session).fill([row for row in rows(session).values() if row.ref.name == "n"])
        return found

    assert (filled().author, filled().others) == ("another program", ())
    applying.apply(acts.reword(session, filled(), "of an agent\n  with a line\n  and mine"))
    found = filled()
    assert sorted((found.author, *found.others)) == ["another program", YOU]
    assert f" by {found.author} and {found.others[0]} · " in detail(found, session.now_ns(), session, is_wanted=False)


@pytest.mark.parametrize("first", ["look", "watch", "write"])
def test_what_stood_there_at_the_first_look_is_as_old_as_its_file_was_then(store: AStore, first: str) -> None:
    session = store.session()
    month = 30 * 86_400 * 10**9
    changed = session.now_ns() - month
    os.utime(store.at("MEMORY.md"), ns=(changed, changed))

    def ages() -> dict[str, int]:
        found = Provenance(store.session()).fill(FactReader(session).read(Scope.FILE, long_term(session)).rows)
        return {row.fact.says: (row.since - changed) // month for row in found}

    if first == "write":
        applying.apply(acts.add_below(session, rows(session)["long_term: the port is 8080"], "mine"))
    elif first == "watch":
        session.history.observe(["MEMORY.md", NOTE])
    history.look_at_all(session)
    own = {"mine": 1} if first == "write" else {}
    old = dict.fromkeys(("the build needs make", "the port is 8080", "tabs, never blanks"), 0)
    assert ages() == old | own
    first_line, *more = store.raw("MEMORY.md").splitlines(keepends=True)
    store.has("MEMORY.md", b"".join([*more, first_line, b"- from the agent\n"]))
    history.look_at_all(session)
    assert ages() == old | own | {"from the agent": 1}
    Path(session.history.home, "versions").unlink()
    assert ages() == old | own | {"from the agent": 1}
    retention.forget(session.history, b"tabs, never")
    Path(session.history.home, "versions").unlink()
    assert {ages()[says] for says in old if not says.startswith("tabs")} == {0}


def test_the_lines_of_every_change_that_waits_are_new_wherever_they_stand(tmp_path: Path) -> None:
    store = AStore(tmp_path / "waits").has("MEMORY.md", "- a\n- b\n- c\n- d\n")
    store.looked_at()
    store.has("MEMORY.md", "- new 1\n- new 2\n- a\n- b\n- new 3\n- d\n")
    session = store.looked_at()
    found = Provenance(session).fill(FactReader(session).read(Scope.FILE, session.ref_at("MEMORY.md")).rows)
    assert [(row.fact.says, row.is_new) for row in found] == [
        *(("new 1", True), ("new 2", True), ("a", False), ("b", False), ("new 3", True), ("d", False))
    ]


def test_a_first_fact_makes_the_file_that_is_in_every_prompt(tmp_path: Path) -> None:
    home = AStore(tmp_path / "claude").has("projects/-w/x.jsonl", "{}\n")
    session = open_store(Config(), f"claude-code:{home.root}", group="project:-w", cwd="/w", clock=lambda: NOW)
    offered = ("fact", "A fact, the first of MEMORY.md")
    assert file_ops.additions(session, session.project)[-1] == offered
    done = file_ops.first_fact(session, "Ships are keyed by IMO number\nnot by name", session.project)
    assert done.changed and home.raw("projects/-w/memory/MEMORY.md") == b"- Ships are keyed by IMO number\n  not by name\n"
    file_ops.first_fact(session, "- [ ] as typed", session.project)
    assert home.raw("projects/-w/memory/MEMORY.md").endswith(b"by name\n- [ ] as typed\n")
    assert file_ops.additions(session, session.project)[-1] == ("fact", "A line in MEMORY.md")
    with pytest.raises(BadContent, match="A fact needs words"):
        file_ops.first_fact(session, " ", session.project)
    session = AStore(tmp_path / "zerostack").session()
    assert ("scratchpad", "A scratchpad") in file_ops.additions(session, session.project)
    file_ops.new_scratchpad(session)
    assert "scratchpad" not in dict(file_ops.additions(session, session.project))
    assert ("item", "An open item") in file_ops.additions(session, session.project)
    done = file_ops.new_item(session, "ring Ann", session.project)
    assert (
        done.ref == session.place_of(Role.CHECKLIST, session.project)
        and b"- [ ] ring Ann\n" in Path(session.path(done.ref)).read_bytes()
    )


def test_an_item_of_which_lines_are_never_loaded_is_cut_but_lacks_no_room(store: AStore) -> None:
    pad = "- [ ] whole\n- [ ] ring Ann\n  before noon, on her mobile\n- [x] done\n  long ago\n"
    session = store.has("~/SCRATCHPAD.md", pad).session()
    rows = FactReader(session).read(Scope.FILE, session.ref_at(PAD)).rows
    assert legend(rows) == "1 loaded · ✂ 1 cut · ◌ 1 not loaded by design"
    found = {row.fact.says.split()[0]: row.prompt for row in rows}
    assert found == {"whole": Prompt.WHOLE, "ring": Prompt.CUT, "done": Prompt.NEVER}
    assert str(previewing.preview(session).loss()) == "no line lost"
    assert acts.without_room(session, session.ref_at(PAD), pad, {row.says for row in facts(pad)}) == 0


def test_a_proposed_note_is_the_one_that_is_there_in_another_case(store: AStore) -> None:
    session = store.has("~/notes/MEMORY.md", "# M\n").has("MEMORY.md", "- a\n").session()
    row = next(row for row in FactReader(session).read(Scope.PROJECT).rows if row.fact.says == "a")
    assert acts.proposed_note(session, PROJECT, row) == "MEMORY"
    assert acts.new_note(session, PROJECT, "memory").ref.path == f"projects/{PROJECT}/notes/MEMORY.md"
    store.has("~/notes/memory.md", "# m\n")
    assert acts.new_note(session, PROJECT, "memory").ref.name == "memory"
