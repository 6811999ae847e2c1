"""Copying and moving between stores of different kinds, and undoing steps that touched several."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.builders import NOW, PROJECT, AStore, plan_copy
from zsmem_tui.cli.main import main
from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import Conflict, HistoryError, StoreGone
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.service import (
    applying,
    copying,
    editing,
    exporting,
    file_ops,
    formats,
    history,
    review_lines,
    reviewing,
    stores,
    undoing,
)
from zsmem_tui.service.plan import Fate
from zsmem_tui.service.results import Resolution
from zsmem_tui.service.session import Session
from zsmem_tui.service.sweeping import sweep
from zsmem_tui.store import drafts, writing
from zsmem_tui.store.drafts import Draft

CLAUDE = "projects/-w/memory"
OTHER = "other-00000000"
TOPIC = "---\nname: x\ndescription: About X\nmetadata:\n  type: project\n---\n\nThe text of X.\n"


@pytest.fixture
def zerostack(tmp_path: Path) -> AStore:
    store = AStore(tmp_path / "zerostack").has("MEMORY.md", "- one\n").has("~/notes/tea.md", "# Tea\n\nGreen.\n")
    return store.has("~/SCRATCHPAD.md", "- [ ] buy tea\n").has("~/daily/2026-05-24.md", "\n### 10:00\nwords\n")


@pytest.fixture
def claude(tmp_path: Path) -> AStore:
    store = AStore(tmp_path / "claude").has(f"{CLAUDE}/MEMORY.md", "# Memory Index\n\n- [X](project_x.md) - my words\n")
    return store.has(f"{CLAUDE}/project_x.md", TOPIC)


def opened(store: AStore, kind: str, group: str = "") -> Session:
    return stores.open_store(Config(), f"{kind}:{store.root}", group=group, cwd="/w", clock=lambda: NOW)


@pytest.fixture
def ours(zerostack: AStore) -> Session:
    return opened(zerostack, "zerostack", PROJECT)


@pytest.fixture
def theirs(claude: AStore) -> Session:
    return opened(claude, "claude-code", "project:-w")


def note(session: Session, name: str = "tea") -> MemRef:
    return session.mem().source_ref("note", name)


def topic(session: Session) -> MemRef:
    return session.ref_at(f"{CLAUDE}/project_x.md")


def test_a_note_moves_as_a_topic_with_its_line_and_one_undo_brings_both_back(
    zerostack: AStore, claude: AStore, ours: Session, theirs: Session
) -> None:
    before = (zerostack.tree(), claude.tree())
    wanted = plan_copy(ours, [note(ours)], theirs, move=True)
    assert [each.fate for each in wanted.rows] == [Fate.ADD] and (zerostack.tree(), claude.tree()) == before
    shown = {change.place: change.after for change in wanted.changes}
    done = applying.apply(wanted)
    assert done.changed == len(shown) == 3 and not done.undo_problem
    assert {place: Path(place).read_bytes() if Path(place).exists() else None for place in shown} == shown
    made = claude.raw(f"{CLAUDE}/project_tea.md").decode()
    assert made.startswith('---\nname: "project-tea"\ndescription: "Green."\n') and made.endswith("---\n\n# Tea\n\nGreen.\n")
    assert claude.raw(f"{CLAUDE}/MEMORY.md").decode().endswith("- [Tea](project_tea.md) — Green.\n")
    after = (zerostack.tree(), claude.tree())
    assert not zerostack.at("~/notes/tea.md").exists()
    for session in (ours, theirs):
        assert undoing.undo(session).done and (zerostack.tree(), claude.tree()) == before
        assert undoing.undo(session).message == "Nothing to undo."
        assert undoing.undo(session, redo=True).done and (zerostack.tree(), claude.tree()) == after


def test_a_line_that_waited_waits_on_in_the_store_that_it_is_moved_to(
    zerostack: AStore, claude: AStore, ours: Session, theirs: Session
) -> None:
    for session in (ours, theirs):
        history.look_at_all(session)
    zerostack.has("~/notes/tea.md", "# Tea\n\nGreen.\n- Boil it.\n")

    def waiting() -> list[list[bytes]]:
        lines = [review_lines.lines(change) for each in (ours, theirs) for change in reviewing.pending(each)]
        return [[line.key.added or b"" for line in own] for own in lines]

    assert applying.apply(plan_copy(ours, [note(ours)], theirs, move=True)).changed
    made = reviewing.pending(theirs)
    assert waiting() == [[b"- Boil it.\n"]] and [each.ref.name for each in made] == ["project_tea"]
    assert undoing.undo(theirs).done and waiting() == [[b"- Boil it.\n"]] and reviewing.pending(theirs) == []
    assert undoing.undo(theirs, redo=True).done and reviewing.pending(theirs) == made


def test_files_of_several_stores_move_in_one_step_that_any_of_them_takes_back(
    tmp_path: Path, zerostack: AStore, claude: AStore, ours: Session, theirs: Session
) -> None:
    third = AStore(tmp_path / "third").has("a.md", "# A\n")
    notes = opened(third, "markdown")
    stores = (zerostack, claude, third)
    before = [store.tree() for store in stores]
    parts = [(ours, [note(ours)]), (theirs, [topic(theirs)])]
    wanted = copying.plan(parts, notes, move=True, names={ours.path(note(ours)): "a"})
    assert [each.fate for each in wanted.rows] == [Fate.CONFLICT, Fate.ADD] and [store.tree() for store in stores] == before
    wanted = copying.plan([*parts, (notes, [notes.ref_at("a.md")])], notes, move=True)
    assert [each.fate for each in wanted.rows] == [Fate.ADD, Fate.ADD, Fate.SKIPPED]
    done = applying.apply(wanted)
    assert (
        done.message == "Moved 2 files to Markdown. MEMORY.md follows. 1 file stayed."
        and done.changed == 5
        and not done.undo_problem
    )
    assert not zerostack.at("~/notes/tea.md").exists() and not claude.at(f"{CLAUDE}/project_x.md").exists()
    after = [store.tree() for store in stores]
    for session in (ours, theirs, notes):
        assert undoing.undo(session).done and [store.tree() for store in stores] == before
        assert undoing.undo(session, redo=True).done and [store.tree() for store in stores] == after


def test_a_topic_leaves_its_dress_behind_and_says_what_of_it_is_lost(zerostack: AStore, ours: Session, theirs: Session) -> None:
    (found,) = plan_copy(theirs, [topic(theirs)], ours).rows
    assert found.losses == ("Of its frontmatter these are not taken along: name, description, type.",)
    assert applying.apply(plan_copy(theirs, [topic(theirs)], ours, names={topic(theirs).path: "x"})).changed == 1
    assert zerostack.raw("~/notes/x.md") == b"The text of X.\n"


@pytest.mark.parametrize(
    ("file", "name", "called"),
    [
        ("feedback_tabs.md", "blanks", "feedback_blanks"),
        ("feedback_tabs.md", "reference_blanks", "reference_blanks"),
        ("project_x.md", "project_y", "project_y"),
        ("project_x.md", "Project y", "project_y"),
        ("project_x.md", "project-y", "project_y"),
        ("project_x.md", "y.z", "project_y_z"),
    ],
)
def test_under_another_name_a_topic_keeps_its_type_once(claude: AStore, theirs: Session, file: str, name: str, called: str) -> None:
    claude.has(f"{CLAUDE}/{file}", "Short.\n")
    ref = theirs.ref_at(f"{CLAUDE}/{file}")
    there = {theirs.path(ref): name}
    plan = copying.plan([(theirs, [ref])], theirs, group="project:-v", names=there)
    assert [row.ref.path for row in plan.rows] == [f"projects/-v/memory/{called}.md"]
    index = {each.place: each.after or b"" for each in plan.changes}[theirs.path(theirs.ref_at("projects/-v/memory/MEMORY.md"))]
    assert f"({called}.md)".encode() in index


def test_a_block_of_opencode_becomes_one_fact_file_and_keeps_what_it_is_about(tmp_path: Path, theirs: Session) -> None:
    blocks = opened(AStore(tmp_path / "blocks"), "opencode")
    done = applying.apply(plan_copy(theirs, [topic(theirs)], blocks, role=Role.FACTS, names={topic(theirs).path: "x-facts"}))
    assert done.plan.rows[0].losses == (
        "Of its frontmatter these are not taken along: type.",
        "It belongs to -w here, and to everybody there.",
    )
    text = Path(blocks.root, "x-facts.md").read_text()
    assert text == "---\ndescription: About X\nlabel: x-facts\nlimit: 5000\nread_only: false\n---\nThe text of X.\n"
    Path(theirs.path(topic(theirs))).write_text("long " * 2000)
    (found,) = plan_copy(theirs, [topic(theirs)], blocks, role=Role.FACTS, names={topic(theirs).path: "long"}).rows
    assert found.fate is Fate.SKIPPED and "its limit is 5,000" in found.reason


@pytest.mark.parametrize(
    ("kind", "path", "role", "words"),
    [
        ("claude-code", "projects/demo-1a2b3c4d/SCRATCHPAD.md", Role.CHECKLIST, "Claude Code has no checklist"),
        ("claude-code", "MEMORY.md", Role.FACTS, "Claude Code has no long-term memory"),
        ("opencode", "projects/demo-1a2b3c4d/notes/tea.md", Role.NOTE, "opencode has no notes"),
        ("oh-my-pi", "projects/demo-1a2b3c4d/daily/2026-05-24.md", None, "oh-my-pi has no daily logs"),
        ("oh-my-pi", "projects/demo-1a2b3c4d/notes/tea.md", None, "1 line of it has no place there: copy it"),
    ],
)
def test_what_a_kind_has_no_place_for_is_said(
    tmp_path: Path, zerostack: AStore, ours: Session, kind: str, path: str, role: Role | None, words: str
) -> None:
    before = zerostack.has("~/notes/tea.md", "# Tea\n\nGreen.\n- Boil it.\n").tree()
    other = opened(AStore(tmp_path / "other"), kind, GROUPS.get(kind, ""))
    done = applying.apply(plan_copy(ours, [ours.ref_at(path)], other, move=True, role=role))
    assert done.message == f"{path}: {words}. Nothing was moved." and done.warning and not done.changed
    assert zerostack.tree() == before and not list(Path(other.root).rglob("*.md"))


GROUPS = {"claude-code": "project:-w", "ethos": "personality:p", "oh-my-pi": "folder:--w--", "zerostack": PROJECT}
FILES = [
    *(("zerostack", f"projects/{PROJECT}/{path}") for path in ("SCRATCHPAD.md", "notes/tea.md", "daily/2026-05-24.md")),
    *(("zerostack", "MEMORY.md"), ("claude-code", f"{CLAUDE}/user_u.md"), ("claude-code", f"{CLAUDE}/project_x.md")),
    *(("ethos", "personalities/p/USER.md"), ("oh-my-pi", "--w--/learned.md"), ("memsearch", "2026-05-24.md")),
]
TEXTS = {
    "SCRATCHPAD.md": "- [ ] buy tea\n",
    "user_u.md": TOPIC.replace("project", "user"),
    "project_x.md": TOPIC,
    "2026-05-24.md": "## Session 10:00\n\n### 10:00\n- said\n",
    "tea.md": "# Tea\n\nGreen.\n",
}


@pytest.mark.draw(3)
@pytest.mark.parametrize("goal", ["zerostack", "claude-code", "opencode", "ethos", "memsearch", "oh-my-pi", "markdown"])
@pytest.mark.parametrize(("kind", "path"), FILES)
def test_a_file_that_goes_to_another_kind_becomes_what_an_export_makes_of_it(
    tmp_path: Path, kind: str, path: str, goal: str
) -> None:
    home = {"opencode": ".opencode/memory", "claude-code": ".claude"}
    store = AStore(tmp_path / "one").has(path, TEXTS.get(path.rpartition("/")[2], "- one\n- two\n"))
    there = AStore(tmp_path / "two" / home.get(goal, "m"))
    (there.root / "projects").mkdir()
    before = (store.tree(), there.tree())
    source, target = (opened(each, name, GROUPS.get(name, "")) for each, name in ((store, kind), (there, goal)))
    for each in (source, target):
        each.folder = str(tmp_path / "two")
    if kind == goal:
        return
    plan = plan_copy(source, [source.ref_at(path)], target, move=True)
    group = GROUPS.get(goal, "")
    same = exporting.plan(source, formats.of_agent(goal), str(there.root), group=group, also="*")
    arrives = {each.place: each.after for each in plan.changes if each.after is not None and each.session is not source}
    if plan.rows[0].fate is Fate.SKIPPED:
        assert not plan.changes and (goal == "oh-my-pi" or not same.changes)
        return
    assert plan.rows[0].place in arrives
    inside = {place: raw for place, raw in arrives.items() if place.startswith(f"{there.root}/")}  # opencode's journal is beside it
    assert inside == {each.place: each.after for each in same.changes} and (inside == arrives or goal == "opencode")
    assert applying.apply(plan).changed and store.tree() != before[0]
    assert undoing.undo(target).done and (store.tree(), there.tree()) == before


def test_only_groups_that_have_a_place_for_a_file_are_offered_and_any_other_is_named_in_words(
    ours: Session, tmp_path: Path
) -> None:
    store = AStore(tmp_path / "ethos").has("personalities/p/MEMORY.md", "- one\n").has("users/u/USER.md", "- two\n")
    ethos = opened(store.has("teams/lamps/memory/way.md", "words\n"), "ethos", "personality:p")
    tea, way, user = (
        ours.ref_at(f"projects/{PROJECT}/notes/tea.md"),
        *map(ethos.ref_at, ("teams/lamps/memory/way.md", "users/u/USER.md")),
    )
    known = ("personality:p", "user:u", "team:lamps")
    assert copying.groups([(ours, [tea])], ethos, known) == ["personality:p"]
    assert copying.groups([(ethos, [way])], ethos, known, move=True) == ["personality:p"]
    assert copying.groups([(ethos, [user])], ethos, known) == ["personality:p"]
    assert copying.groups([(ethos, [user, way])], ethos, known) == [*known]
    plan = copying.plan([(ours, [tea])], ethos, move=True, group="team:lamps")
    assert plan.is_idle and plan.rows[0].reason == "Ethos takes it for a personality, not for team lamps"


def test_a_move_that_drops_signs_says_so_before_and_after(tmp_path: Path) -> None:
    store, there = AStore(tmp_path / "one").has("MEMORY.md", "- keep a >= 5\n- run `x`\n"), AStore(tmp_path / "two/m")
    (there.root / "--p--").mkdir()
    ours, theirs = opened(store, "zerostack", PROJECT), opened(there, "oh-my-pi", "folder:--p--")
    plan = plan_copy(ours, [ours.ref_at("MEMORY.md")], theirs, move=True)
    assert "It loses < and >, which may change what it says." in plan.rows[0].losses
    done = applying.apply(plan)
    assert "1 line went without < and >." in done.message and done.warning


def test_many_notes_of_one_moment_go_each_as_an_entry_and_what_cannot_go_stays_alone(tmp_path: Path, zerostack: AStore) -> None:
    ours, more = opened(zerostack, "zerostack", PROJECT), AStore(tmp_path / "more")
    ours.folder = str(tmp_path)
    for store, name in ((zerostack, "a"), (zerostack, "b"), (zerostack, "c"), (more, "d")):
        store.has(f"~/notes/{name}.md", f"# {name}\n\nwords\nmore\n")
        os.utime(store.at(f"~/notes/{name}.md"), ns=(10**18, 10**18))
    others = opened(more, "zerostack", PROJECT)
    refs = [note(ours, name) for name in ("a", "b", "c")]
    blocks = opened(AStore(tmp_path / "two/memory"), "opencode")
    done = applying.apply(copying.plan([(ours, refs), (others, [note(others, "d")])], blocks))
    assert done.changed == 4 == len(list((tmp_path / "two/journal").iterdir())) and undoing.undo(blocks).done
    assert not (tmp_path / "two/journal").exists()
    pi = opened(AStore(tmp_path / "pi"), "oh-my-pi", "folder:--w--")
    zerostack.has("~/notes/b.md", "only this line\n")
    plan = plan_copy(ours, refs, pi, move=True)
    assert [each.fate for each in plan.rows] == [Fate.SKIPPED, Fate.ADD, Fate.SKIPPED]
    assert applying.apply(plan).changed == 2
    assert [zerostack.at(f"~/notes/{name}.md").exists() for name in "abc"] == [True, False, True]


def test_indexes_instructions_and_what_an_agent_makes_are_not_moved(tmp_path: Path, ours: Session, theirs: Session) -> None:
    Path(theirs.root, "CLAUDE.md").write_text("Orders.\n")
    for path, words in ((f"{CLAUDE}/MEMORY.md", "an index lists"), ("CLAUDE.md", "instructions are no memory")):
        (found,) = plan_copy(theirs, [theirs.ref_at(path)], ours).rows
        assert found.fate is Fate.SKIPPED and words in found.reason
    pi = opened(AStore(tmp_path / "pi").has("--w--/memory_summary.md", "made\n"), "oh-my-pi", "folder:--w--")
    ref = pi.ref_at("--w--/memory_summary.md")
    assert "is not edited here" in plan_copy(pi, [ref], ours, move=True).rows[0].reason
    assert applying.apply(plan_copy(pi, [ref], ours)).plan.rows[0].ref == note(ours, "omp-summary")


OWN = "# Memory Index\n\n## Ports\n\n- alpha uses port 9999\n  and 9998\n\n## Topics\n\n- [X](project_x.md) - my words\n"


@pytest.mark.parametrize("kind", ["zerostack", "memsearch", "claude-code"])
@pytest.mark.parametrize("move", [False, True])
def test_what_an_index_says_itself_goes_and_its_lines_about_topics_stay(
    tmp_path: Path, claude: AStore, theirs: Session, kind: str, move: bool
) -> None:
    claude.has(f"{CLAUDE}/MEMORY.md", OWN)
    before = claude.tree()
    there = AStore(tmp_path / "there")
    if kind == "claude-code":
        there.has("projects/-v/memory/MEMORY.md", "# Memory Index\n\n- theirs\n")
    target = opened(there, kind, {"zerostack": PROJECT, "claude-code": "project:-v"}.get(kind, ""))
    plan = plan_copy(theirs, [theirs.ref_at(f"{CLAUDE}/MEMORY.md")], target, move=move, group=target.project)
    assert plan.rows[0].fate is Fate.ADD and "2 lines about the files that it lists stay." in plan.rows[0].losses
    applying.apply(plan)
    [made] = [raw.decode() for path, raw in there.tree().items() if path.endswith("MEMORY.md")]
    assert "## Ports\n\n- alpha uses port 9999\n  and 9998\n" in made and "project_x" not in made
    assert ("- theirs\n" in made) == (kind == "claude-code")
    left = claude.raw(f"{CLAUDE}/MEMORY.md").decode()
    assert left == (OWN.replace("- alpha uses port 9999\n  and 9998\n", "") if move else OWN)
    assert undoing.undo(target).done and claude.tree() == before
    claude.has(f"{CLAUDE}/MEMORY.md", "- alpha uses port 9999\n")
    applying.apply(plan_copy(theirs, [theirs.ref_at(f"{CLAUDE}/MEMORY.md")], target, group=target.project, move=True))
    assert not claude.at(f"{CLAUDE}/MEMORY.md").exists(), "nothing of it is left"


def test_facts_and_logs_are_added_to_what_stands_there(tmp_path: Path, zerostack: AStore, ours: Session) -> None:
    other = AStore(tmp_path / "other").has("MEMORY.md", "- one\r\n- two\r\n").has("~/daily/2026-05-24.md", "morning\n")
    there = opened(other, "zerostack", PROJECT)
    zerostack.has("MEMORY.md", "- one\n- three\n")
    refs = [ours.ref_at("MEMORY.md"), ours.ref_at(f"projects/{PROJECT}/daily/2026-05-24.md")]
    applying.apply(plan_copy(ours, refs, there))
    assert other.raw("MEMORY.md") == b"- one\r\n- two\r\n- three\r\n"
    assert other.raw("~/daily/2026-05-24.md") == b"morning\n\n### 10:00\nwords\n"
    again = plan_copy(ours, refs, there)
    assert [each.fate for each in again.rows] == [Fate.DUPLICATE] * 2 and not applying.apply(again).changed
    assert applying.apply(plan_copy(ours, refs, there, move=True)).changed == 2 and not zerostack.at("MEMORY.md").exists()


def test_a_name_that_is_taken_is_a_conflict_and_the_same_text_is_not(tmp_path: Path, zerostack: AStore, ours: Session) -> None:
    other = AStore(tmp_path / "other").has("~/notes/Tea.md", "other\n").has("~/notes/same.md", "# Tea\n\nGreen.\n")
    there = opened(other, "zerostack", PROJECT)
    (found,) = plan_copy(ours, [note(ours)], there).rows
    assert found.fate is Fate.CONFLICT and "Tea.md is there already" in found.reason
    (found,) = plan_copy(ours, [note(ours)], there, names={note(ours).path: "same"}).rows
    assert found.fate is Fate.DUPLICATE
    done = applying.apply(plan_copy(ours, [note(ours)], there, names={note(ours).path: "same"}, move=True))
    assert done.changed == 1 and not zerostack.at("~/notes/tea.md").exists()


def test_what_stands_there_no_more_once_the_move_is_planned_is_taken_away_nowhere(
    zerostack: AStore, claude: AStore, ours: Session, theirs: Session
) -> None:
    applying.apply(plan_copy(ours, [note(ours)], theirs))
    plan = plan_copy(ours, [note(ours)], theirs, move=True)
    claude.has(f"{CLAUDE}/project_tea.md", "other\n")
    with pytest.raises(Conflict, match="Nothing was taken away"):
        applying.apply(plan)
    assert zerostack.at("~/notes/tea.md").exists() and claude.raw(f"{CLAUDE}/project_tea.md") == b"other\n"


def test_within_its_kind_a_file_keeps_its_name_and_what_stands_there_is_no_second_time(claude: AStore, theirs: Session) -> None:
    there = "projects/-v/memory"
    for name in ("project_day_2026-03-17.md", "project_day_2026-03-18.md", "project_day_2026-03-19.md"):
        claude.has(f"{CLAUDE}/{name}", f"{TOPIC}{name}\n")
    claude.has(f"{there}/project_day_2026-03-17.md", f"{TOPIC}project_day_2026-03-17.md\n")
    claude.has(f"{there}/project_day_2026-03-18.md", "another text\n")
    refs = [theirs.ref_at(f"{CLAUDE}/project_day_2026-03-{day}.md") for day in (17, 18, 19)]
    plan = copying.plan([(theirs, refs)], theirs, group="project:-v")
    assert [row.fate for row in plan.rows] == [Fate.DUPLICATE, Fate.CONFLICT, Fate.ADD]
    done = applying.apply(plan).message
    assert done == f"Copied {refs[2].path} to -v. MEMORY.md follows. 1 file stands there already. 1 file stayed."
    assert (claude.root / there / "project_day_2026-03-19.md").read_bytes() == claude.raw(refs[2].path)
    (claude.root / there / "project_day_2026-03-19.md").unlink()
    assert file_ops.move(theirs, refs[2], "project:-v").ref.path == f"{there}/project_day_2026-03-19.md"


def test_a_file_is_never_moved_onto_itself(zerostack: AStore, ours: Session) -> None:
    same = opened(zerostack, "markdown")
    before = zerostack.tree()
    done = applying.apply(plan_copy(ours, [ours.ref_at("MEMORY.md")], same, move=True))
    assert "that file itself" in done.message and zerostack.tree() == before


def test_a_text_that_is_no_utf8_moves_only_where_it_stays_as_it_is(
    tmp_path: Path, zerostack: AStore, ours: Session, theirs: Session
) -> None:
    zerostack.has("~/notes/tea.md", b"caf\xe9\r\n")
    assert "not valid UTF-8" in plan_copy(ours, [note(ours)], theirs).rows[0].reason
    other = AStore(tmp_path / "other")
    applying.apply(plan_copy(ours, [note(ours)], opened(other, "zerostack", PROJECT), move=True))
    assert other.raw("~/notes/tea.md") == b"caf\xe9\r\n"


def test_what_is_ended_while_it_is_taken_back_is_taken_back_by_the_next_start(
    zerostack: AStore, claude: AStore, ours: Session, theirs: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (zerostack.tree(), claude.tree())

    def end(*args: object, **named: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(writing, "remove", end)
        with pytest.raises(KeyboardInterrupt):
            applying.apply(plan_copy(ours, [note(ours)], theirs, move=True))
    assert zerostack.tree() == before[0] and b"Green." in claude.raw(f"{CLAUDE}/project_tea.md")
    [said] = sweep()
    assert said.startswith("Took back what was interrupted: Moved") and (zerostack.tree(), claude.tree()) == before

    applying.apply(plan_copy(ours, [note(ours)], theirs, move=True))
    after = (zerostack.tree(), claude.tree())
    with monkeypatch.context() as patch:
        patch.setattr(writing, "remove", end)
        with pytest.raises(KeyboardInterrupt):
            undoing.undo(ours)
    [said] = sweep()
    assert said.startswith("Took back what was interrupted") and (zerostack.tree(), claude.tree()) == after
    assert undoing.undo(theirs).done and (zerostack.tree(), claude.tree()) == before


def test_undo_takes_the_newest_step_of_several_stores_also_beside_one_that_is_gone(
    tmp_path: Path, zerostack: AStore, claude: AStore, ours: Session, theirs: Session
) -> None:
    states = [(zerostack.tree(), claude.tree())]
    every = [ours, theirs]
    for act in (
        lambda: file_ops.rename(ours, note(ours), "coffee"),
        lambda: file_ops.delete(theirs, topic(theirs)),
        lambda: applying.apply(plan_copy(ours, [note(ours, "coffee")], theirs, move=True)),
        lambda: editing.save(ours, ours.ref_at("MEMORY.md"), b"- two\n", b"- one\n"),
    ):
        act()
        states.append((zerostack.tree(), claude.tree()))
    for expected in states[-2::-1]:
        assert undoing.undo_newest(every).done and (zerostack.tree(), claude.tree()) == expected
    assert undoing.undo_newest(every).message == "Nothing to undo."
    gone = AStore(tmp_path / "gone").has("MEMORY.md", "x\n").session()
    gone.store_problem()
    shutil.rmtree(gone.root)
    with pytest.raises(StoreGone):
        undoing.undo_newest([*every, gone])
    every.insert(0, gone)
    for expected in states[1:]:
        assert undoing.undo_newest(every, redo=True).done and (zerostack.tree(), claude.tree()) == expected


def test_a_step_in_another_memory_ends_redo_and_what_was_redone_last_is_undone_first(tmp_path: Path) -> None:
    stores = [AStore(tmp_path / name).has("MEMORY.md", "- one\n") for name in ("first", "second")]
    sessions = [store.session() for store in stores]

    def change(number: int, word: str) -> None:
        ref, now = sessions[number].ref_at("MEMORY.md"), stores[number].raw("MEMORY.md")
        editing.save(sessions[number], ref, now + f"- {word}\n".encode(), now)

    def texts() -> list[str]:
        return [" ".join(store.raw("MEMORY.md").decode().replace("- ", "").split()[1:]) for store in stores]

    change(0, "a")
    change(1, "b")
    assert undoing.undo_newest(sessions).done and undoing.undo_newest(sessions).done and texts() == ["", ""]
    assert undoing.undo_newest(sessions, redo=True).done and texts() == ["a", ""]
    assert undoing.undo_newest(sessions, redo=True).done and texts() == ["a", "b"], "a redone step ends no redo"
    assert undoing.undo(sessions[0]).done and undoing.undo(sessions[0], redo=True).done
    assert undoing.undo_newest(sessions).done and texts() == ["", "b"], "done again after the other"
    change(1, "c")
    assert undoing.undo_newest(sessions, redo=True).message == "Nothing to redo." and texts() == ["", "b c"]
    assert undoing.undo_newest(sessions).done and undoing.undo_newest(sessions, redo=True).done and texts() == ["", "b c"]


def test_undo_leaves_no_folder_that_a_copy_made(ours: Session, tmp_path: Path) -> None:
    there = AStore(tmp_path / "there").has("MEMORY.md", "- one\n")
    applying.apply(plan_copy(ours, [note(ours)], opened(there, "zerostack", OTHER)))
    assert there.at(f"projects/{OTHER}/notes/tea.md").exists()
    assert undoing.undo(there.session()).done and [each.name for each in Path(there.root).rglob("*.*")] == ["MEMORY.md"]
    assert not there.at("projects").exists()


def test_a_clash_in_one_store_stops_undo_in_both_and_names_its_store(
    zerostack: AStore, claude: AStore, ours: Session, theirs: Session
) -> None:
    applying.apply(plan_copy(ours, [note(ours)], theirs, move=True))
    claude.has(f"{CLAUDE}/project_tea.md", "rewritten\n")
    before = (zerostack.tree(), claude.tree())
    done = undoing.undo(ours)
    (clash,) = done.clashes
    assert clash.root == str(claude.root) and (zerostack.tree(), claude.tree()) == before
    answer = Resolution(clash.ref, clash.theirs, None, clash.root)
    assert undoing.undo(ours, resolved=[answer]).done
    assert zerostack.at("~/notes/tea.md").exists() and claude.raw(f"{CLAUDE}/project_tea.md") == b"rewritten\n"


def test_when_the_other_store_is_away_nothing_is_undone_and_the_step_can_be_passed_over(
    zerostack: AStore, claude: AStore, ours: Session, theirs: Session, tmp_path: Path
) -> None:
    applying.apply(plan_copy(ours, [note(ours)], theirs, move=True))
    claude.root.rename(tmp_path / "away")
    before = zerostack.tree()
    with pytest.raises(HistoryError, match=r"claude is not there\. Nothing was undone"):
        undoing.undo(ours)
    assert zerostack.tree() == before and undoing.skip(ours).done
    assert undoing.undo(ours).message == "Nothing to undo."


def test_a_dry_run_writes_in_neither(zerostack: AStore, claude: AStore, ours: Session, theirs: Session) -> None:
    before = (zerostack.tree(), claude.tree())
    ours.dry_run = True
    done = applying.apply(plan_copy(ours, [note(ours)], theirs, move=True))
    assert done.changed == 3 and (zerostack.tree(), claude.tree()) == before


def test_a_file_is_moved_headless_with_its_changes_shown(
    zerostack: AStore, claude: AStore, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (zerostack.tree(), claude.tree())
    words = ["file", "move", "note:tea", "--root", str(zerostack.root), "--project", PROJECT]
    into = ["--into", f"claude-code:{claude.root}", "--into-group", "project:-w"]
    assert main([*words, *into, "--json", "--dry-run"]) == 0 and (zerostack.tree(), claude.tree()) == before
    shown = json.loads(capsys.readouterr().out)
    assert shown["fate"] == "add" and len(shown["changes"]) == 3 and "+Green." in shown["changes"][0]["diff"]
    assert main([*words, *into]) == 0 and "Moved projects/" in capsys.readouterr().out
    assert not zerostack.at("~/notes/tea.md").exists() and claude.at(f"{CLAUDE}/project_tea.md").exists()
    assert main(["undo", "--root", str(zerostack.root), "--project", PROJECT]) == 0 and (zerostack.tree(), claude.tree()) == before
    role = ["--into", f"opencode:{claude.root}", "--as", "note"]
    assert main([*words, *role]) == 1 and "opencode has no notes" in capsys.readouterr().out
    assert main(["file", "rm", "note:tea", *into]) == 2


@pytest.mark.parametrize(
    ("head", "lost"),
    [
        (
            "name: x\nmetadata:\n  node_type: memory\n  type: project\n  originSessionId: 3f1c\n",
            "name, node_type, type, originSessionId",
        ),
        ("name: x\r\ntags: [a, b]\r\nold:\r\nmetadata: {}\r\n", "name, tags, old, metadata"),
        ("name: x\ndescription: a: b\nmore:\n  - c\n", "name, description, more"),
    ],
)
def test_every_key_that_does_not_go_along_is_named(claude: AStore, ours: Session, theirs: Session, head: str, lost: str) -> None:
    claude.has(f"{CLAUDE}/project_x.md", f"---\n{head}---\n\ntext\n")
    (found,) = plan_copy(theirs, [topic(theirs)], ours).rows
    assert found.losses == (f"Of its frontmatter these are not taken along: {lost}.",)


def test_what_is_unsaved_goes_along_when_a_note_moves_within_its_store_and_back_with_undo(zerostack: AStore, ours: Session) -> None:
    there = f"projects/{OTHER}/notes/tea.md"
    drafts.put(ours.root, Draft(note(ours).path, b"not saved yet", b"# Tea\n\nGreen.\n"))
    applying.apply(plan_copy(ours, [note(ours)], ours, move=True, group=OTHER))
    assert drafts.listing(ours.root) == [there] and zerostack.at(there).exists()
    assert undoing.undo(ours).done and drafts.listing(ours.root) == [note(ours).path]
