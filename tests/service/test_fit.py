"""Making the memory fit: nothing is cut afterwards, and no line is lost from disk."""

from __future__ import annotations

import os
from collections import Counter
from datetime import date, datetime
from pathlib import Path

import pytest

from tests.builders import AStore
from zsmem_tui.core.errors import Conflict
from zsmem_tui.core.fact_prompt import Effect
from zsmem_tui.core.facts import facts
from zsmem_tui.core.fit import ROOM, FitMove, MoveKind
from zsmem_tui.core.limits import MAX_INJECT_BYTES
from zsmem_tui.core.preview import State
from zsmem_tui.service import applying, demo, fit, previewing, undoing, wanted
from zsmem_tui.service.demo import make_demo
from zsmem_tui.service.facts.rows import FactReader, FactRow, Scope
from zsmem_tui.service.session import Session

PROFILES = ("documented", "zerostack-1.7")


def section(title: str, count: int, width: int = 60) -> str:
    return f"## {title}\n\n" + "".join(f"- {title} {number} {'x' * width}\n" for number in range(count)) + "\n"


def full(store: AStore) -> AStore:
    """A store of about twice the cap: sections, done items, doubles, logs, a checklist."""
    memory = "# Memory\n\n- first of all\n\n" + section("Build", 150) + section("Deploy", 200) + section("Style", 120)
    store.has("MEMORY.md", memory + "".join(f"- [x] done {number} {'y' * 30}\n" for number in range(40)) + section("Late", 140))
    store.has("~/daily/2026-05-24.md", "### 10:00\n" + "".join(f"- logged {number} {'z' * 60}\n" for number in range(60)))
    store.has("~/daily/2026-05-25.md", "### 11:00\n" + "- today\n" + memory.split("\n")[6] + "\n")
    return store.has("~/SCRATCHPAD.md", "- [ ] open\n- [x] done\n").has("~/notes/build.md", "# build\n\nAn older note.\n")


def every_line(store: AStore) -> Counter[bytes]:
    return Counter(line.strip() for raw in store.tree().values() for line in raw.split(b"\n") if line.strip())


def fits(session: Session) -> bool:
    seen = previewing.preview(session)
    return not seen.lost and "…[" not in (seen.text or "") and all(use.state is State.WHOLE for use in seen.uses)


def fitted(session: Session) -> fit.Proposal:
    """What was proposed, and is done."""
    proposal = fit.propose(session)
    assert applying.apply(fit.plan(session, proposal, proposal.fit.moves)).changed
    return proposal


def row(session: Session, says: str) -> FactRow:
    return next(each for each in FactReader(session).read(Scope.PROJECT).rows if each.fact.says.startswith(says))


@pytest.mark.draw(3)
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("cap", [32_768, 8_000, 300])
def test_nothing_is_cut_afterwards_and_no_line_is_lost(store: AStore, profile: str, cap: int) -> None:
    session = full(store).session(profile=profile, inject_cap=cap)
    before, old = store.tree(), every_line(store)
    proposal = fit.propose(session)
    assert store.tree() == before and not fits(session)
    done = applying.apply(fit.plan(session, proposal, proposal.fit.moves))
    assert fits(session) and done.changed
    assert previewing.preview(session).text == proposal.fit.after.text
    doubles = [move for move in proposal.fit.moves if move.kind is MoveKind.DOUBLE]
    assert set(every_line(store)) == set(old)
    assert (old - every_line(store)).total() == sum(len(move.ranges) for move in doubles)
    assert undoing.undo(session).done and store.tree() == before


@pytest.mark.draw(2)
@pytest.mark.parametrize(
    "text", ["- a flat fact of a list {}\n", "A paragraph of its own {}.\n\n", "| {} | a row |\n", "wide\r\n\r\n- {}\r\n"]
)
def test_a_memory_without_sections_fits_too(store: AStore, text: str) -> None:
    head = "| n | what |\n|---|---|\n" if text.startswith("|") else ""
    store.has("MEMORY.md", head + "".join(text.format(number) for number in range(700)))
    session = store.session(inject_cap=8_000)
    old = every_line(store)
    fitted(session)
    assert fits(session) and set(every_line(store)) == set(old)


def test_a_memory_that_is_left_out_for_its_size_comes_in(store: AStore) -> None:
    store.has("MEMORY.md", "".join(section(f"Part {number}", 8, 320) for number in range(55)))
    session = store.session()
    fitted(session)
    assert fits(session) and previewing.preview(session).size > 16_000


def test_done_items_and_doubles_go_first_and_are_enough_where_they_are(store: AStore) -> None:
    store.has("MEMORY.md", "- keep this fact\n- [x] done long ago\n- keep this fact\n- last\n")
    proposal = fit.propose(store.session(inject_cap=90))
    assert [move.kind for move in proposal.fit.moves] == [MoveKind.DOUBLE]
    both = fit.propose(store.session(inject_cap=70)).fit.moves
    assert [move.kind for move in both] == [MoveKind.DONE, MoveKind.DOUBLE]
    assert fit.describe(both[0]) == "1 fact of MEMORY.md that is done, to done.md"
    assert fit.propose(store.session()).fit.moves == ()


def test_open_tasks_are_the_last_to_go_wherever_they_are(store: AStore) -> None:
    facts_ = "".join(f"- fact {number} {'x' * 50}\n" for number in range(12))
    tasks = "".join(f"- [ ] task {number} {'y' * 50}\n" for number in range(4))
    store.has("MEMORY.md", f"# Memory\n\n{facts_}- [ ] among facts\n\n## Plans\n\n- [ ] in a section\n- plain\n")
    store.has("~/daily/2026-05-24.md", "- logged\n- [ ] of yesterday\n  - how\n").has("~/SCRATCHPAD.md", tasks)
    wide = previewing.preview(store.session()).needed
    sizes = {cap: fit.propose(store.session(inject_cap=cap)) for cap in (wide - 100, wide - 400, wide - 650)}
    for cap, proposal in sizes.items():
        left = [line for each in (proposal.fit.after.text or "").splitlines() if (line := each.strip()).startswith("- [ ]")]
        assert len(left) == 7, cap
        assert proposal.fit.moves and proposal.fit.after.needed <= cap
    little = fit.propose(store.session(inject_cap=400)).fit
    assert little.after.needed <= 400 and "- fact" not in (little.after.text or "") and "- [ ]" in (little.after.text or "")


def test_what_is_marked_stays_and_what_is_left_out_is_proposed_otherwise(store: AStore) -> None:
    session = full(store).session()
    marked = [row(session, "Late 139"), row(session, "Deploy 5 ")]
    wanted.mark(session, marked, wanted=True)
    assert wanted.is_wanted(session, [*marked, row(session, "first")]) == [True, True, False]
    proposal = fit.propose(session)
    assert proposal.fit.missing == 0 and proposal.fit.moves
    first = proposal.fit.moves[0]
    again = fit.propose(session, without=[first])
    assert first.id not in {move.id for move in again.fit.moves}
    wanted.mark(session, marked, wanted=False)
    assert wanted.lines(session, {"MEMORY.md": store.raw("MEMORY.md").decode()}) == {}


def test_marked_facts_go_to_the_top_where_too_little_may_go(store: AStore) -> None:
    session = full(store).session(inject_cap=4_000)
    wanted.mark(session, [row(session, "Late 139")], wanted=True)
    without: list[FitMove] = []
    proposal = fit.propose(session)
    while any(move.kind is not MoveKind.TOP for move in proposal.fit.moves):
        without += [move for move in proposal.fit.moves if move.kind is not MoveKind.TOP]
        proposal = fit.propose(session, without=without)
    assert [move.kind for move in proposal.fit.moves] == [MoveKind.TOP] and proposal.fit.missing == 0
    assert fit.propose(session, without=[*without, proposal.fit.moves[0]]).fit.moves == ()
    old = every_line(store)
    applying.apply(fit.plan(session, proposal, proposal.fit.moves))
    assert every_line(store) == old and b"# Memory\n\n- Late 139" in store.raw("MEMORY.md")


@pytest.mark.parametrize("cap", [32_768, 4_000, 300])
def test_what_is_everybodys_stays_everybodys_and_what_leaves_every_prompt_is_counted(store: AStore, cap: int) -> None:
    session = full(store).session(inject_cap=cap)
    proposal = fit.propose(session)
    of_all = [move for move in proposal.fit.moves if move.path == "MEMORY.md" and move.target]
    assert of_all and not any("/" in move.target for move in of_all)
    shown = previewing.preview(session).text or ""
    count = int(fit.leaving(proposal).split()[0])
    applying.apply(fit.plan(session, proposal, proposal.fit.moves))
    assert fit.leaving(proposal).endswith("leave every prompt") and count > 2
    moved = [move for move in proposal.fit.moves if move.kind not in (MoveKind.DOUBLE, MoveKind.TOP)]
    loaded = {(each.path, each.line) for each in proposal.fit.before.rows if not each.lost}
    every = ((move, fact) for move in moved for fact in facts(proposal.store.texts[move.path]))
    there = ((move, fact) for move, fact in every if (move.path, fact.line) in loaded)
    gone = {(move.path, fact) for move, fact in there if any(start <= fact.line < stop for start, stop in move.ranges)}
    after = previewing.preview(session).text or ""
    path, fact = next(iter(gone))
    one = moved[0]._replace(path=path, ranges=((fact.line, fact.stop),))
    assert fit.leaving(proposal._replace(fit=proposal.fit._replace(moves=(one,)))) == "1 fact leaves every prompt"
    assert not fit.leaving(proposal._replace(fit=proposal.fit._replace(moves=())))
    assert count == len(gone) and sum(fact.text in after for _, fact in gone) <= 1, "one stands in a log as well"
    assert shown != after
    hit = session.mem("other-1a2b3c4d").search("Late")
    assert any("/" not in os.path.relpath(each.path, session.root) and not each.path.endswith("MEMORY.md") for each in hit.hits)


def test_a_file_that_changed_since_is_not_touched(store: AStore) -> None:
    session = full(store).session()
    proposal = fit.propose(session)
    store.has("MEMORY.md", store.raw("MEMORY.md") + b"- new\n")
    before = store.tree()
    with pytest.raises(Conflict, match=r"changed MEMORY.md since the plan was made\. Nothing was moved\."):
        applying.apply(fit.plan(session, proposal, proposal.fit.moves))
    assert store.tree() == before


def test_a_section_goes_below_what_a_note_of_its_name_holds(store: AStore) -> None:
    assert fit.note_name("x" * 99) == "x" * 60 and fit.note_name("x" * 59 + "é") == "x" * 59, "no more bytes, and no half a letter"
    store.has("MEMORY.md", f"- stays {'x' * 250}\n\n" + section("Build", 30)).has("Build.md", "old")
    assert "Build.md" in fitted(store.session(inject_cap=300)).store.others
    assert store.raw("Build.md").startswith(b"old\n\n## Build\n\n- Build 0 ")
    assert store.raw("MEMORY.md") == b"- stays " + b"x" * 250 + b"\n"


def test_many_sections_go_together_in_order_into_files_that_are_read_whole(store: AStore) -> None:
    sections = [section(f"Topic {number}", 30, 100) for number in range(14)]
    text = f"- stays {'x' * 250}\n\n" + "".join(sections)
    before = store.has("MEMORY.md", text).has("topic-3.md", "old\n").tree()
    session = store.session(inject_cap=300)
    fitted(session)
    assert sorted(set(store.tree()) - set(before)) == ["sections-2.md", "sections.md"]
    together = store.raw("sections.md") + store.raw("sections-2.md")
    assert together.decode() == "".join(sections[:3] + sections[4:]) and len(store.raw("sections.md")) <= MAX_INJECT_BYTES
    assert store.raw("topic-3.md").decode() == f"old\n\n{sections[3]}"
    undoing.undo(session)
    assert store.tree() == before


def test_what_is_lost_goes_before_what_is_loaded(store: AStore) -> None:
    rules = "# Memory\n\n- keep me too\n\n## Preferences\n\n- always ask first\n\n## Facts\n\n"
    store.has("MEMORY.md", rules + "".join(f"- fact {number} {'x' * 60}\n" for number in range(40)) + "\n" + section("Late", 20))
    session = store.session(inject_cap=2_000)
    proposal = fit.propose(session)
    assert [fit.describe(move) for move in proposal.fit.moves] == [
        "section “Late” of MEMORY.md, lost now, to late.md",
        "14 facts of MEMORY.md, lost now, to memory-2.md",
        "1 fact of MEMORY.md, loaded now, to memory-2.md",
    ]
    assert fit.leaving(proposal) == "1 fact leaves every prompt" and not proposal.fit.after.lost
    other = fit.propose(session, without=proposal.fit.moves).fit.moves
    assert {(move.title, move.lost) for move in other} == {("single facts", False)}
    wanted.mark(session, [row(session, "Late 19")], wanted=True)
    kept = fit.propose(session).fit
    assert kept.missing == 0 and "Late 19" in (kept.after.text or "")


def test_no_more_goes_than_must_of_a_section_too_large(store: AStore) -> None:
    store.has("MEMORY.md", "# Memory\n\n## People\n\n- Ann owns the release.\n" + section("x", 4_000, 30).partition("\n\n")[2])
    proposal = fit.propose(store.session())
    assert [(move.kind, move.ranges[-1][1]) for move in proposal.fit.moves] == [(MoveKind.FACTS, 4_005)]
    after = proposal.fit.after
    assert proposal.fit.before.in_all > 100_000 > proposal.fit.before.needed, "the whole file is left out for its size"
    assert 0 <= after.cap - after.needed - after.cap // ROOM < 40 and "- Ann owns the release.\n- x 0 " in (after.text or "")


def test_no_small_log_goes_for_the_room_that_another_move_leaves_but_for_a_few_bytes(store: AStore) -> None:
    store.has("~/daily/2026-05-24.md", "# 2026-05-24\n\nTried the new cache; 40 ms faster.\n")
    kept = "# Memory\n\n" + "".join(f"- first {number} {'x' * 200}\n" for number in range(138))
    seen = previewing.preview(store.has("MEMORY.md", kept).session())
    kept += f"- last {'y' * (seen.cap - seen.needed - 1_600 - len('- last ') - 1)}\n"
    proposal = fit.propose(store.has("MEMORY.md", kept + "\n" + section("Late", 45)).session())
    assert {move.path for move in proposal.fit.moves} == {"MEMORY.md"}, "the log stays"
    spare = proposal.fit.after.cap - proposal.fit.after.needed
    assert (seen.cap // ROOM) * 7 // 8 < spare < seen.cap // ROOM


def test_what_is_left_out_stays_in_place_in_every_form(store: AStore) -> None:
    session = full(store).session(inject_cap=8_000)
    proposal = fit.propose(session)
    kinds, without = set(), list[FitMove]()
    while proposal.fit.moves:
        kinds |= {move.kind for move in proposal.fit.moves}
        without.append(proposal.fit.moves[0])
        proposal = fit.propose(session, without=without)
        for old in without:
            taken = [each for move in proposal.fit.moves if move.path == old.path for each in move.ranges]
            assert not [1 for start, stop in taken for begin, end in old.ranges if start < end and begin < stop]
    assert kinds == {MoveKind.DONE, MoveKind.DOUBLE, MoveKind.LOG, MoveKind.SECTION, MoveKind.FACTS}


def test_todays_log_comes_in_where_others_can_go(tmp_path: Path) -> None:
    make_demo(date(2026, 5, 25), str(tmp_path / "memory"))
    session = Session(str(tmp_path / "memory"), demo.PROJECT, clock=lambda: datetime(2026, 5, 25, 12))
    assert len(previewing.preview(session).lost) > 200
    proposal = fit.propose(session)
    assert proposal.fit.missing == 0 and proposal.fit.after.lost == ()
    assert not any(move.path.endswith("2026-05-25.md") for move in proposal.fit.moves)


def test_a_log_that_goes_lets_no_older_one_in_for_which_what_is_loaded_would_have_to_go(store: AStore) -> None:
    store.has("MEMORY.md", "- stays\n" * 40).has("~/daily/2026-05-25.md", "- today\n")
    cap = previewing.preview(store.session()).needed + 60
    store.has("~/daily/2026-05-22.md", "# Old\n\n- older\n" + "- older still\n" * 9)
    log = "# Yesterday\n\n" + "".join(f"- logged {number}\n" for number in range(30))
    store.has("~/daily/2026-05-24.md", log)
    for profile, left, lost in (("zerostack-1.7", b"# Yesterday\n", True), ("documented", None, False)):
        session = store.session(profile=profile, inject_cap=cap)
        proposal = fit.propose(session)
        assert [(move.kind, move.lost) for move in proposal.fit.moves] == [(MoveKind.LOG, lost)]
        assert bool(fit.leaving(proposal)) is not lost and not proposal.fit.after.lost
        applying.apply(fit.plan(session, proposal, proposal.fit.moves))
        assert store.tree().get(f"projects/{session.project}/daily/2026-05-24.md") == left
        undoing.undo(session)


def test_a_note_that_cannot_be_read_is_no_place_to_move_lines_to(store: AStore) -> None:
    store.has("MEMORY.md", section("Long", 60)).has("memory-2.md", b"\xff\n").has("memory-3.md", b"\xfe\n")
    store.at("memory-4.md").mkdir()
    session, old = store.session(inject_cap=2_000), every_line(store)
    assert "memory-5.md" in {move.target for move in fitted(session).fit.moves}
    assert fits(session) and not old - every_line(store)


@pytest.mark.parametrize("kind", ["not UTF-8", "a folder", "a file for the archive"])
def test_an_archive_that_cannot_be_read_is_no_place_to_move_lines_to(store: AStore, kind: str) -> None:
    store.has("~/daily/2026-05-24.md", "- [x] done already\n" + section("Log", 60)).has("~/daily/2026-05-25.md", "- today\n")
    match kind:
        case "not UTF-8":
            store.has("~/archive/2026-05-24.md", b"\xff\n")
        case "a folder":
            store.at("~/archive/2026-05-24.md").mkdir(parents=True)
        case _:
            store.has("~/archive", "no folder\n")
    session, old = store.session(inject_cap=2_000), every_line(store)
    fitted(session)
    assert fits(session) and not old - every_line(store)


def test_what_an_act_does_to_a_prompt_in_words(store: AStore) -> None:
    block = previewing.preview(store.session())
    for gained, dropped, beside, words in (
        ((), (), 0, "the prompt stays as it is"),
        ((), (), 5, "no line comes or goes, +5 bytes"),
        (("a",), (), -5, "1 line in, 0 lines out, -5 bytes"),
        ((), ("a", "b"), 0, "0 lines in, 2 lines out"),
    ):
        assert Effect(block, block, gained, dropped, beside).words == words
    one, turned, cut = (block._replace(text=text) for text in ("a\nbc", "bc\na", "a\nbd"))
    assert Effect(one, turned, (), ()).words == "the prompt has its lines in another order"
    assert Effect(one, cut, (), ()).words == "another part of a cut line is in the prompt"
    told = Effect(block, block, (), (), had=["a\nb\n"], has=["b\na\n"])
    assert told.words == "the prompt has its lines in another order", "instructions are in the prompt, too"
