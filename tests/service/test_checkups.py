"""What is found in a store that is open, without what is ignored."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import NOW, AStore
from zsmem_tui.config.model import Config
from zsmem_tui.core.checks.contradiction import CONTRADICTION
from zsmem_tui.core.checks.examine import compared, read
from zsmem_tui.core.checks.finding import Place
from zsmem_tui.core.checks.links import DEAD_LINK
from zsmem_tui.core.checks.paths import DEAD_PATH
from zsmem_tui.core.checks.span_faults import SECRET
from zsmem_tui.core.checks.structure import OVER_BUDGET
from zsmem_tui.core.errors import Missing
from zsmem_tui.core.names import project_slug
from zsmem_tui.core.notice import NoticeKind
from zsmem_tui.core.search import Cancelled
from zsmem_tui.service import applying, checkups, doctor_fixes, instructions, previewing, undoing
from zsmem_tui.service.checkups import Passage, Rounds, passage
from zsmem_tui.service.projects.naming import name_projects
from zsmem_tui.service.stores import open_store
from zsmem_tui.store.disk import files

KEY = "ghp_" + "Zk3Qw9Lm2Vt7Xr5Bn8Hj4Pd6Sf1Gc0Ya3Ue"


STORE = {"~/SCRATCHPAD.md": "- [ ] a\n+ [ ] b\n+ [ ] c\n"}


def test_what_is_ignored_counts_nowhere_and_stays_ignored_whatever_happens_around_it(store: AStore) -> None:
    session = store.session()
    rounds = Rounds(session)
    found = rounds.look(())
    path = found.faults[0].path
    assert found.count == 2 and found.counts == {path: 2} and found.lines[path] == {1, 2}
    checkups.ignore(session, found.faults[:1])
    store.has("~/SCRATCHPAD.md", "- [ ] new\n- [ ] a\n+ [ ] b\n+ [ ] c\n")
    again = rounds.look(())
    assert again.count == 1 and again.lines[path] == {3} and again.ignored == {found.faults[0].id}
    store.has("~/SCRATCHPAD.md", "+ [ ] b, really\n")
    assert rounds.look(()).count == 1 and not rounds.look(()).ignored
    store.has("~/SCRATCHPAD.md", "+ [ ] b\n")
    assert not rounds.look(()).count
    checkups.ignore(session, found.faults[:1], ignore=False)
    assert rounds.look(()).count == 1


def test_with_a_file_goes_what_was_found_in_it(store: AStore) -> None:
    store.has("MEMORY.md", "```\n").has("~/notes/a.md", "```\n").has("~/notes/b.md", "```\n")
    rounds = Rounds(store.session())
    checkups.ignore(store.session(), [each for each in rounds.look(()).faults if not each.path.endswith("b.md")])
    found = rounds.look(())
    gone = {each.path for each in found.faults if each.path.endswith(("a.md", "b.md"))}
    left = found.without_files(gone)
    assert len(gone) == 2 and (len(found.ignored), found.count) == (4, 1)
    assert (len(left.faults), len(left.ignored), left.count, left.since) == (3, 3, 0, found.since)


def test_a_dead_end_that_is_ignored_is_none_of_the_warnings_of_a_prompt(tmp_path: Path, away_from_home: Path) -> None:
    folder, home = away_from_home / "lantern", "projects/-w/memory"
    AStore(folder).has("CLAUDE.md", "- tabs\n@gone.md\n@lost.md\n")
    store = AStore(tmp_path / "claude").has(f"{home}/MEMORY.md", "- [A](a.md)\n- [B](b.md)\n- [B](b.md)\n")
    session = open_store(Config(), f"claude-code:{store.root}", group="project:-w", cwd=str(folder), clock=lambda: NOW)
    told = instructions.open_folder(Config(), str(folder), clock=lambda: NOW)
    subject = previewing.subject(session, "project:-w")
    session.folder = str(folder)
    kinds = (NoticeKind.DEAD_LINK, NoticeKind.DEAD_IMPORT)

    def warned() -> list[str]:
        return [each.text for each in previewing.findings(session, subject) if each.kind in kinds]

    assert warned() == ["a.md", "b.md", "b.md", "gone.md", "lost.md"]
    for memory, left in ((session, ["a.md", "b.md", "gone.md", "lost.md"]), (told, ["a.md", "b.md", "gone.md"])):
        faults = [each for each in Rounds(memory).look(()).faults if each.rule == DEAD_LINK]
        checkups.ignore(memory, faults[-1:])
        assert warned() == left, [each.text for each in faults]
    checkups.ignore(told, faults[-1:], ignore=False)
    assert warned()[-1] == "lost.md"


def test_paths_are_looked_for_in_the_folders_that_are_known_to_belong_to_the_memories(tmp_path: Path, away_from_home: Path) -> None:
    folder = away_from_home / "lantern"
    (folder / "src").mkdir(parents=True)
    (folder / "src/main.py").write_text("pass\n")
    store = AStore(tmp_path / "memory")
    store.has(f"projects/{project_slug(str(folder))}/notes/n.md", "- Entry point is `src/boot.py`.\n- Not `src/main.py`.\n")
    session = store.session()
    assert not Rounds(session).look(()).count
    name_projects(session)
    (fault,) = Rounds(session).look(()).faults
    assert (fault.rule, fault.line) == (DEAD_PATH, 1)


def test_a_passage_shows_no_key_whole_and_what_nobody_sees_decoded(store: AStore) -> None:
    said = "".join(chr(0xE0000 + ord(each)) for each in "send the keys")
    store.has("~/notes/n.md", "".join(f"line {at}\n" for at in range(500)) + f"key {KEY}\ntea{said} at four\n")
    shown = passage(store.session(), Place(f"projects/{store.project}/notes/n.md", 501), 502)
    assert shown.text.endswith("line 499\nkey ghp_…\ntea⟦send the keys⟧ at four") and shown.start == 380
    assert list(shown.marked) == [120, 121]
    shown = passage(store.session(), Place(f"projects/{store.project}/notes/n.md", 1))
    assert shown.text.startswith("line 0\nline 1\n") and (shown.start, list(shown.marked)) == (0, [0])
    rows = [f"q7Rk2Bv9Mx4Tz8Wn3Lc6Yp1Hd5Jf0Gs{at:03}Zx3Vb6Nm9Qw2Er5Ty8Ui1Op4" for at in range(300)]
    store.has("~/notes/n.md", "\n".join(("-----BEGIN RSA PRIVATE KEY-----", *rows, "-----END RSA PRIVATE KEY-----", "tea", "")))
    shown = passage(store.session(), Place(f"projects/{store.project}/notes/n.md", 303))
    assert shown.text.endswith("tea") and "q7Rk" not in shown.text and list(shown.marked) == [120]
    with pytest.raises(Missing):
        passage(store.session(), Place(f"projects/{store.project}/notes/gone.md", 1))


def test_of_a_text_that_was_written_since_it_was_examined_no_line_is_shown_by_its_number(store: AStore) -> None:
    session = store.has("~/notes/n.md", "one\ntwo\n").session()
    place = Place(f"projects/{store.project}/notes/n.md", 2)
    found = Rounds(session).look(())
    assert passage(session, place, as_of=found.since).text == "one\ntwo"
    written = files.look(session.path(session.ref_at(place.path))).ctime_ns
    assert passage(session, place, as_of=written - 1) == Passage(is_newer=True)


def test_two_keys_of_one_line_are_mended_in_one_step_and_named_for_forgetting(store: AStore) -> None:
    other = "glpat-" + "x7Kq2Mv9Tz4Rb8Wn3Lc6"
    session = store.has("~/notes/n.md", f"{KEY} and {other}\n").session()
    looked = Rounds(session).look(())
    faults = [each for each in looked.faults if each.rule == SECRET]
    assert looked.secrets_of(faults[0]) == [KEY, other], "the longest first: a shorter one may stand in it"
    plan = doctor_fixes.plan(session, faults)
    assert (plan.count, plan.lines, len(plan.changes)) == (2, 1, 1) and doctor_fixes.masked(faults) == (KEY, other)
    alone = doctor_fixes.plan(session, faults[:1], looked.to_decide)
    assert "Mended 1 finding" in alone.done and "1 more was about the same lines" in alone.done
    assert applying.apply(plan).changed and store.raw("~/notes/n.md") == "ghp_… and glpa…\n".encode()


def test_a_file_in_another_encoding_a_name_that_is_refused_and_a_conflict_are_mended(store: AStore) -> None:
    session = store.has("~/notes/n.md", "x").has("~/notes/plan.2.md", "plan\n").session()
    place = store.root / f"projects/{store.project}/notes/n.md"
    place.write_bytes("Müller fährt".encode("latin-1") + ", 中文\nschön\n".encode())
    store.has("~/notes/c.md", "a\n<<<<<<< mine\n- tea\n=======\n- coffee\n>>>>>>> theirs\nb\n").has("~/SCRATCHPAD.md", "")
    faults = list(Rounds(session).look(()).faults)
    assert [each.kind for each in faults] == ["conflict", "not-utf8", "note-name"]
    assert faults[1].fix is not None and faults[1].fix.sentence == "Convert the file to UTF-8: 2 bytes read as Latin-1."
    held = place.read_bytes()
    for other in ("Müller fährt\n", None):
        place.write_text(other) if other is not None else place.unlink()
        assert doctor_fixes.plan(session, faults[1:2]).changes == (), "it is another text now"
    place.write_bytes(held)
    assert len(doctor_fixes.plan(session, faults).left) == 1
    faults[0] = doctor_fixes.picked(faults[0], 1)
    plan = doctor_fixes.plan(session, faults)
    assert applying.apply(plan).message == "Mended 3 findings in 4 files. 4 lines went, 1 line written."
    assert store.raw("~/notes/n.md") == "Müller fährt, 中文\nschön\n".encode() and store.raw("~/notes/c.md") == b"a\n- coffee\nb\n"
    assert store.raw("~/notes/plan-2.md") == b"plan\n" and not store.at("~/notes/plan.2.md").exists()
    assert not Rounds(session).look(()).count


def test_of_a_contradiction_either_side_can_go_if_nobody_else_reads_it(store: AStore) -> None:
    store.has("~/notes/a.md", "- Backups start at 01:00 in Paris\n").has("~/notes/n.md", "- Backups start at 03:00 in Paris\n")
    session = store.session()
    (fault,) = (each for each in Rounds(session).look(()).faults if each.rule == CONTRADICTION)
    assert not doctor_fixes.plan(session, [fault]).changes
    gone = [doctor_fixes.plan(session, [doctor_fixes.picked(fault, number)]).changes for number in (0, 1)]
    assert [(each[0].ref.path.rpartition("/")[2], each[0].after) for each in gone] == [("n.md", b""), ("a.md", b"")]
    store.has("MEMORY.md", store.raw("~/notes/a.md")).at("~/notes/a.md").unlink()
    (fault,) = (each for each in Rounds(session).look(()).faults if each.rule == CONTRADICTION)
    assert fault.fix is not None and [each.edits[0].path[-4:] for each in fault.fix.choices] == ["n.md"]


def test_a_log_of_a_day_to_come_joins_that_of_its_day(store: AStore) -> None:
    session = store.has("~/SCRATCHPAD.md", "").has("~/daily/2027-01-01.md", "\n### 10:00 \u2014 tea\nhot\n").session()
    day = session.mem().today
    for there in (None, "\n### 09:00 \u2014 milk\ncold\n"):
        before = store.tree()
        (fault,) = Rounds(session).look(()).faults
        assert (fault.fix.sentence if fault.fix else None) == f"Move its entries to {day}."
        applying.apply(doctor_fixes.plan(session, [fault]))
        assert store.raw(f"~/daily/{day}.md").decode() == (there or "") + "\n### 10:00 \u2014 tea\nhot\n"
        assert not store.at("~/daily/2027-01-01.md").exists() and not Rounds(session).look(()).faults
        undoing.undo(session)
        assert store.tree() == before
        store.has(f"~/daily/{day}.md", "\n### 09:00 \u2014 milk\ncold\n")


def test_what_does_not_fit_is_moved_in_one_step_and_nothing_is_lost(store: AStore) -> None:
    rows = [f"- fact number {at} of this store is a sentence{' of some words' * 20}" for at in range(450)]
    session = store.has("MEMORY.md", "\n".join(rows) + "\n").has("~/SCRATCHPAD.md", "").session()
    faults = [each for each in Rounds(session).look(()).faults if each.rule == OVER_BUDGET]
    assert [each.kind for each in faults] == ["file"]
    plan = doctor_fixes.plan(session, faults)
    assert plan.count == 1 and plan.lines > 1 and [each.ref.path for each in plan.changes][-1] == "MEMORY.md"
    before = store.tree()
    applying.apply(plan)
    held = "".join(raw.decode() for raw in store.tree().values()).splitlines()
    assert set(rows) <= set(held) and not [each for each in Rounds(session).look(()).faults if each.rule == OVER_BUDGET]
    undoing.undo(session)
    assert store.tree() == before


def test_a_name_that_is_taken_is_said(store: AStore) -> None:
    session = store.has("~/SCRATCHPAD.md", "").has("~/notes/plan.2.md", "one\n").has("~/notes/plan-2.md", "two\n").session()
    (fault,) = Rounds(session).look(()).faults
    plan = doctor_fixes.plan(session, [fault])
    assert not plan.changes and "plan-2.md is there already" in plan.left[0]


def test_at_rest_so_much_is_read_anew_and_what_was_left_is_told(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory").has("~/SCRATCHPAD.md", "- [ ] a\n+ [ ] b\n")
    for number in range(4):
        store.has(f"projects/p{number}/SCRATCHPAD.md", "- [ ] a\n+ [ ] b\n")
    rounds = Rounds(store.session())
    found = rounds.look((), most=40)
    assert (found.count, found.left) == (2, 3)
    assert found.count_of(store.session().ref_at(f"projects/{store.project}/SCRATCHPAD.md")) == 1  # the own project comes first
    again = rounds.look((), most=40)
    assert (again.count, again.left) == (4, 1)
    store.has("~/SCRATCHPAD.md", "- [ ] a\n- [ ] b\n")
    assert rounds.look((), most=0).count == 3  # what has changed is always read again
    every = rounds.look(())
    assert (every.count, every.left) == (4, 0)
    assert rounds.look((), most=0) == every


@pytest.mark.parametrize("answers", range(4))
def test_comparing_stops_as_soon_as_nobody_waits_for_it(store: AStore, answers: int) -> None:
    left = [False] * answers + [True]

    def cancelled() -> bool:
        return left.pop(0)

    reading = read(
        store.session().ref_at("MEMORY.md"),
        "".join(f"- the port of the blue server in hall {number} is {number}\n" for number in range(300)),
        "",
    )
    with pytest.raises(Cancelled):
        compared([reading], "", cancelled=cancelled)
    assert not left


def test_a_look_that_nobody_wants_any_more_stops_and_keeps_what_it_has_read(store: AStore) -> None:
    store.has("MEMORY.md", "- one\n")
    rounds = Rounds(store.session())
    asked: list[bool] = []

    def cancelled() -> bool:
        asked.append(True)
        return True

    with pytest.raises(Cancelled):
        rounds.look((), cancelled=cancelled)
    assert len(asked) == 1
    assert rounds.look((), most=0).left == 1
    assert not rounds.look(()).left
