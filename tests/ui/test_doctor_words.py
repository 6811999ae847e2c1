"""Findings as rows and sentences."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from tests.builders import AStore
from zsmem_tui.config.model import Config
from zsmem_tui.core.checks.checkup import Checkup
from zsmem_tui.core.checks.duplicates import DUPLICATE, PAID_TWICE
from zsmem_tui.core.checks.finding import MOST_OF_ONE, Finding, Fix, Level, LineEdit, Place
from zsmem_tui.core.checks.links import DEAD_LINK
from zsmem_tui.core.checks.span_faults import SECRET
from zsmem_tui.core.checks.stale import STALE
from zsmem_tui.core.checks.structure import OVER_BUDGET, TOO_MUCH
from zsmem_tui.core.notice import Notice, NoticeKind, sentence
from zsmem_tui.service.checkups import Rounds
from zsmem_tui.service.doctor import out_of_prompt
from zsmem_tui.service.stores import open_store
from zsmem_tui.ui import wording as common
from zsmem_tui.ui.doctor import rows as format_doctor
from zsmem_tui.ui.doctor.screen import FixDraft
from zsmem_tui.ui.plans import Pulse
from zsmem_tui.ui.widgets.row_lines import row_lines
from zsmem_tui.ui.wording import named_finding, place_name

KEY = "ghp_" + "Zk3Qw9Lm2Vt7Xr5Bn8Hj4Pd6Sf1Gc0Ya3Ue"


def found(*faults: Finding) -> Checkup:
    return Checkup(faults, {fault.id: fault for fault in faults})


def test_a_row_quotes_its_line_without_the_key_in_it() -> None:
    fault = Finding(STALE, "MEMORY.md", 3, text="2026-01-01", quoted=f"{KEY} until 2026-01-01")
    row = format_doctor.row(("", fault.id), [fault], found(fault), "file")
    text = "".join(piece for piece, _ in row.pieces)
    assert text == "! stale: ghp_… until 2026-01-01" and row.facts == "line 3"


def test_of_very_many_findings_the_first_are_listed_and_all_are_counted(tmp_path: Path) -> None:
    session = AStore(tmp_path / "memory").session()
    many = [Finding(STALE, f"notes/{at}.md", at + 1, quoted=str(at)) for at in range(6_000)]
    shown = format_doctor.arranged(found(*many), session, group="rule", which="to decide", wanted="")
    assert shown.total == 6_000 and len(keys := format_doctor.keys_of([shown])) == format_doctor.MOST_ROWS + 2
    assert "And 1,000 more" in keys[-1]
    one = format_doctor.arranged(found(*many), session, group="project", which="to decide", wanted="5999")
    assert one == ({"Shared by all projects": [("", many[-1].id)]}, {("", many[-1].id): many[-1:]}, 1, many[-1:], 0)


def test_findings_that_say_the_same_are_one_row_that_names_their_places_unless_each_wants_a_choice(tmp_path: Path) -> None:
    session = AStore(tmp_path / "memory").session()
    every = [Finding(DEAD_LINK, f"notes/{name}.md", 7, says="The link leads to a.md.") for name in "abc"]
    every += [Finding(DEAD_LINK, "MEMORY.md", 1, says="The link leads to b.md.")]
    checkup = found(*every)
    shown = format_doctor.arranged(checkup, session, group="rule", which="to decide", wanted="")
    assert format_doctor.keys_of([shown]) == [f"\0{DEAD_LINK.title} (4)", ("", every[0].id), ("", every[3].id)] and shown.total == 4
    alike = shown.rows["", every[0].id]
    assert alike == every[:3]
    assert format_doctor.row(("", every[0].id), alike, checkup, "rule", session).facts == "3 places"
    assert "3 places: " in format_doctor.detail(every[0], checkup, session, alike) and "c.md:7" in format_doctor.detail(
        every[0], checkup, session, alike
    )
    by_file = format_doctor.arranged(checkup, session, group="file", which="to decide", wanted="")
    assert len(by_file.rows) == 4, "where a heading is a file, each stands for itself"
    part = Fix("Keep which?", choices=(Fix("This."),))
    asks = found(*(replace(each, fix=part) for each in every[:3]))
    assert len(format_doctor.arranged(asks, session, group="rule", which="to decide", wanted="").rows) == 3


def test_headings_and_rows_keep_their_order_while_findings_go_and_come(tmp_path: Path) -> None:
    session = AStore(tmp_path / "memory").session()
    one, other, last = (Finding(DEAD_LINK, f"notes/{at}.md", 7, says=f"The link leads to {at // 2}.md.") for at in range(3))
    old, older, new = (Finding(STALE, "MEMORY.md", at + 1, quoted=str(at)) for at in range(3))
    order = format_doctor.Order([], {})

    def listed(*faults: Finding) -> list[str]:
        shown = format_doctor.arranged(found(*faults), session, group="rule", which="to decide", wanted="")
        return [key if isinstance(key, str) else key[1] for key in format_doctor.keys_of([shown], order)]

    assert listed(one, old, other, last, older)[:3] == [f"\0{DEAD_LINK.title} (3)", one.id, last.id]
    left = [f"\0{DEAD_LINK.title} (2)", other.id, last.id, f"\0{STALE.title} (3)", old.id, older.id, new.id]
    assert listed(new, old, last, other, older) == left, "what says the same as the one that was mended stands in its place"


def test_findings_in_the_same_words_are_two_rows_where_the_key_does_something_else_with_each(tmp_path: Path) -> None:
    session = AStore(tmp_path / "memory").session()
    deletes, unlinks = (
        Fix(says, edits=(LineEdit("MEMORY.md", 1, ("- [a](a.md)",), after),))
        for says, after in (("Delete.", ()), ("Keep.", ("- a",)))
    )
    fixes = [deletes, unlinks, deletes, Fix(unlinks.says)]
    every = [
        Finding(DEAD_LINK, "MEMORY.md", at + 1, says="The link leads to a.md.", quoted=str(at), fix=fix)
        for at, fix in enumerate(fixes)
    ]
    shown = format_doctor.arranged(found(*every), session, group="rule", which="to decide", wanted="")
    assert [*shown.rows.values()] == [[every[0], every[2]], [every[1]], [every[3]]], "what a person has to do is no fix, either"


def test_a_row_of_a_plan_of_fixes_says_what_is_done_before_what_is_wrong(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory").has("MEMORY.md", "- [a](a.md)\n")
    fix = Fix("Delete this line.", edits=(LineEdit("MEMORY.md", 1, ("- [a](a.md)",), ()),))
    fault = Finding(DEAD_LINK, "MEMORY.md", says="The link leads to a_long_name_of_a_file.md, which is not there.", fix=fix)
    draft = FixDraft("Fix", store.session(), [fault], found(fault))
    draft.take(draft.make(Pulse()))
    row = draft.draw(0)
    [line] = row_lines(row.pieces, row.facts, 60, most=1)
    shown = "".join(text for text, _ in line)
    assert "[x] 1  Delete this line · The link leads" in shown and shown.endswith("… MEMORY.md")


def test_files_of_one_name_in_a_plan_are_told_apart_by_their_projects(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory").has("projects/a-1a2b3c4d/notes/n.md", "x\n").has("projects/b-1a2b3c4d/notes/n.md", "x\n")
    session = store.session()
    refs = [session.ref_at(f"projects/{name}-1a2b3c4d/notes/n.md") for name in "ab"]
    faults = [Finding(STALE, ref.path, 1, fix=Fix("Go.", edits=(LineEdit(ref.path, 1, ("x",), ()),))) for ref in refs]
    draft = FixDraft("Fix", session, faults, found(*faults))
    draft.take(draft.make(Pulse()))
    named = [f"{name}-1a2b3c4d · note n" for name in "ab"]
    assert [draft.draw(number).facts for number in range(2)] == named
    draft.take(replace(draft.plan, rows=()))
    assert ["".join(text for text, _ in draft.draw(number).pieces) for number in range(2)] == [f"~ {each}" for each in named]


def test_a_row_of_many_says_what_the_key_does_with_them(tmp_path: Path) -> None:
    session = AStore(tmp_path / "memory").session()
    edit = LineEdit("MEMORY.md", 1, ("a",), ())
    ready, choice, by_hand = (
        Fix("Do it.", edits=(edit,)),
        Fix("Keep which?", choices=(Fix("This.", edits=(edit,)),)),
        Fix("Edit it."),
    )
    for fix, says in ((ready, "A  shows"), (choice, "There A asks of each"), (by_hand, "e edits there."), (None, "e edits there.")):
        many = [Finding(STALE, "MEMORY.md", at + 1, quoted=str(at), fix=fix) for at in range(MOST_OF_ONE + 1)]
        arranged = partial(format_doctor.arranged, found(*many), session, group="file", which="to decide")
        [(key, alike)] = arranged(wanted="").rows.items()
        assert alike == many and format_doctor.row(key, alike, found(*many), "file").facts == "enter lists them"
        assert says in format_doctor.detail(many[0], found(*many), session, alike, folded=True)
        assert len(arranged(wanted="", opened={key}).rows) == len(arranged(wanted="stale").rows) == len(many)
        labels = [format_doctor.fix_label(each) for each in (many, many[:1])]
        assert labels == (["Plan 6", "Plan"] if fix is ready else ["", "Choose"] if fix is choice else ["", ""])
    some = replace(found(*many), ignored=frozenset([many[0].id]))
    shown = format_doctor.arranged(some, session, group="file", which="all", wanted="")
    assert set(shown.rows) == {("", each.id) for each in many}, "ignored ones are counted by themselves"


def test_findings_of_this_project_come_first_and_of_this_memory_they_are_all(tmp_path: Path) -> None:
    session = AStore(tmp_path / "memory").session()
    paths = ["projects/other-1/n.md", "projects/other-1/n.md", f"projects/{session.project}/SCRATCHPAD.md", "MEMORY.md"]
    every = [Finding(STALE, path, at + 1, quoted=f"a {at}") for at, path in enumerate(paths)]
    ids = [each.id for each in every]
    named = {
        group: format_doctor.arranged(found(*every), session, group=group, which="to decide", wanted="")
        for group in format_doctor.GROUPS
    }
    for group, shown in named.items():
        assert [key[1] for key in format_doctor.keys_of([shown]) if isinstance(key, tuple)] == [*ids[2:], *ids[:2]], group
        assert (shown.total, len(shown.left)) == (4, 4)
    assert format_doctor.keys_of([named["rule"]])[3] == f"\0Other projects: {STALE.title} (2)"
    mine = {each.path for each in every[2:]}.__contains__
    here = format_doctor.arranged(found(*every), session, group="rule", which="to decide", wanted="", key="s", only=mine)
    there = format_doctor.arranged(found(*every), session, group="rule", which="to decide", wanted="", key="t", only=mine)
    keys = [(key, id) for key in "st" for id in ids[2:]]
    assert format_doctor.keys_of([here, there])[1:] == keys and here.total == 2
    some = replace(found(*every), ignored=frozenset(ids[:1]))
    arranged = partial(format_doctor.arranged, some, session, group="rule", which="to decide", wanted="")
    assert (arranged().ignored, arranged(only=mine).ignored) == (1, 0), "of this memory f would show none"
    assert format_doctor.title("", "rule", "to decide", here.total) == "Doctor · 2 to decide · by rule"
    assert format_doctor.title("lantern", "rule", "to decide", 3, 1) == "Doctor · 2 to decide, 1 perhaps · by rule · lantern"
    assert format_doctor.title("", "rule", "all", 3, 1) == "Doctor · 3 all · by rule"
    assert format_doctor.title("lantern", "rule", "to decide", 0) == "Doctor · 0 to decide · lantern"
    assert format_doctor.title("lantern", "rule", "to decide", None) == "Doctor · to decide · lantern", "nobody has looked yet"


def test_marks_of_findings_never_hide_what_is_lost_and_reach_beyond_what_has_marks() -> None:
    assert common.with_findings(" ✗ ", {0, 1, 4}) == "!✗  !" and common.with_findings("✂", set()) == "✂"


def test_what_the_key_cannot_do_alone_is_not_promised(tmp_path: Path) -> None:
    session = AStore(tmp_path / "memory").session()
    tail = Finding(OVER_BUDGET, "MEMORY.md", level=Level.ERROR, size=9, limit=1, kind="file", fix=TOO_MUCH)
    assert "To do: Move its tail" in format_doctor.detail(tail, found(tail), session)
    ignored = replace(found(tail), ignored=frozenset([tail.id]))
    assert format_doctor.detail(tail, ignored, session).startswith("Ignored: x shows it again among the others.")


def test_no_sentence_holds_a_key_whole() -> None:
    fix = Fix("Link to {name} instead.", f"{KEY}.md")
    dead = Finding(DEAD_LINK, "MEMORY.md", says="The link leads to {text}.", text=f"a.md?key={KEY}", fix=fix)
    assert "ghp_…" in dead.message and KEY not in f"{dead.message} {fix.sentence}" and "ghp_….md" in fix.sentence


def test_what_only_the_head_of_its_table_calls_a_password_is_cut_down_in_every_row_and_sentence(tmp_path: Path) -> None:
    word = "Blu3-Kettle-77"
    table = f"| host | password |\n|---|---|\n| the nas down in the cellar | {word} |\n"
    store = (
        AStore(tmp_path / "memory").has("MEMORY.md", f"{table}\n").has("~/notes/n.md", f"# N\n\n{table}\n- nas runs with {word}\n")
    )
    checkup = Rounds(store.session()).look(())
    assert {fault.rule for fault in checkup.faults} >= {SECRET, DUPLICATE}
    words = [
        piece
        for id, fault in checkup.ids.items()
        for group in ("rule", "file")
        for piece, _ in format_doctor.row(("", id), [fault], checkup, group).pieces
    ]
    words += [format_doctor.detail(fault, checkup, store.session()) for fault in checkup.faults]
    assert word not in "".join((*words, format_doctor.copied(checkup.faults, checkup))) and "Blu3…" in "".join(words)


def test_sentences_on_the_screen_name_files_as_the_tree_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = AStore(tmp_path / "memory").has("~/notes/plan.md", "- a fact\n")
    session = store.session()
    session.names = {store.project: "lantern"}
    path = f"projects/{store.project}/notes/plan.md"
    assert place_name(path, session) == place_name(str(store.at("~/notes/plan.md")), session) == "lantern · note plan"
    assert place_name("MEMORY.md", session) == place_name(str(store.at("MEMORY.md")), session) == "MEMORY.md"
    monkeypatch.setenv("HOME", "/home/ann")
    assert [place_name(f"/home/{who}/AGENTS.md", session) for who in ("ann", "bob")] == ["~/AGENTS.md", "/home/bob/AGENTS.md"]
    keeps = Fix("Delete this line; {file} keeps it.", path)
    twice = Finding(DUPLICATE, "MEMORY.md", 3, says="The same stands in {other}.", related=(Place(path, 7),), fix=keeps)
    assert "lantern · note plan" in format_doctor.row(("", twice.id), [twice], found(twice), "file", session).pieces[-1][0]
    rows = [replace(twice, path=each) for each in (path, path.replace("plan", "MEMORY"), path.replace("notes/plan", "MEMORY"))]
    facts = [
        [format_doctor.row(("", each.id), [each], found(each), by, session).facts for each in rows] for by in ("rule", "project")
    ]
    assert facts[0] == ["lantern · note plan:3", "lantern · note MEMORY:3", "lantern · MEMORY.md:3"]
    assert facts[1] == ["note plan:3", "note MEMORY:3", "MEMORY.md:3"]
    many = format_doctor.row(("", "\0"), rows[1:2], found(*rows), "rule", session)
    assert many.pieces[-1][0] == "1 in lantern · note MEMORY"
    told = format_doctor.detail(twice, found(twice), session)
    assert "stands in line 7 of lantern · note plan." in told and "; lantern · note plan keeps it." in told
    assert store.project not in told
    agent = open_store(Config(), f"claude-code:{AStore(tmp_path / '.claude').has('CLAUDE.md', '- a fact').root}")
    keeps = keeps._replace(name="CLAUDE.md")
    paid = Finding(PAID_TWICE, "n.md", says="{other} has this too.", related=(Place("CLAUDE.md", 4),), fix=keeps)
    told = format_doctor.detail(paid, found(paid), agent)
    assert "Line 4 of CLAUDE.md for all projects has" in told and "; CLAUDE.md for all projects keeps" in told
    full = Finding(OVER_BUDGET, "MEMORY.md", level=Level.ERROR, kind="block", fix=out_of_prompt(store.project))
    assert "the archive of lantern." in format_doctor.detail(full, found(full), session)
    hidden = Notice(NoticeKind.HIDDEN_ITEMS, str(store.at("~/SCRATCHPAD.md")), 1, "x", 2)
    assert sentence(named_finding(hidden, session)).startswith("2 checklist lines of lantern · scratchpad are")


def test_nothing_is_wrong_in_one_memory_which_is_named_with_those_that_have_findings() -> None:
    said = format_doctor.nothing(found(), "to decide", "", "zerostack · demo", {"other projects": 1, "Claude Code": 5, "Ethos": 0})
    assert said.startswith(
        "Nothing found in this memory (zerostack · demo). Findings elsewhere: other projects 1, Claude Code 5; w shows them. "
    )
    said = format_doctor.nothing(found(), "to decide", "", "demo", {"Claude Code": 0})
    assert said.startswith("Nothing found in this memory (demo). w looks at the others, too. ")
    assert format_doctor.nothing(found(), "to decide", "").startswith("Nothing found in any memory. What")
