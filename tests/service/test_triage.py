"""Verbs on scratchpad items, across projects, beside an agent that rewrites the list."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.builders import NOW, PROJECT, AStore
from zsmem_tui.config.model import Config
from zsmem_tui.core.checklist import Box
from zsmem_tui.core.errors import BadName, BadTarget, Undecodable
from zsmem_tui.core.profile import Profile
from zsmem_tui.service import applying, instructions, status, triage, undoing
from zsmem_tui.service.facts import acts
from zsmem_tui.service.facts.rows import FactReader, Scope
from zsmem_tui.service.plan import Plan
from zsmem_tui.service.session import Session
from zsmem_tui.service.stores import open_store
from zsmem_tui.service.tasks import FULL, HALF, Task, TaskList, by_ids, older, task_list, with_ages
from zsmem_tui.store.scan import scan
from zsmem_tui.store.write_path.install_file import Install, WriteResult

PAD = "# Now\n\n- [ ] first\n  more\n- [x] second\n  - [ ] under second\n- [x] third\n\n# Later\n\n* [ ] fourth\r\n"
OTHER = "other-00000000"


STORE = {"~/SCRATCHPAD.md": PAD, f"projects/{OTHER}/SCRATCHPAD.md": "- [ ] theirs\n"}


def task(session: Session, text: str) -> Task:
    return next(each for each in task_list(session).tasks if each.item.text == text)


def pad(store: AStore) -> str:
    return store.raw("~/SCRATCHPAD.md").decode()


def test_a_board_has_the_items_of_all_projects_and_what_they_cost(session: Session) -> None:
    found = task_list(session)
    assert [(each.project, each.item.text) for each in found.tasks][-2:] == [(PROJECT, "fourth"), (OTHER, "theirs")]
    assert found.size == len("- [ ] first\n  - [ ] under second\n* [ ] fourth") + len("- [ ] theirs")
    assert len({each.id for each in found.tasks}) == len(found.tasks)


def test_done_and_undo(store: AStore, session: Session) -> None:
    done = applying.apply(triage.set_done(session, [task(session, "fourth"), task(session, "theirs")], done=True))
    assert done.message == "Done 2 items." and pad(store) == PAD.replace("* [ ] fourth", "* [x] fourth")
    assert store.raw(f"projects/{OTHER}/SCRATCHPAD.md") == b"- [x] theirs\n"
    again = triage.set_done(session, [task(session, "fourth"), task(session, "theirs")], done=True)
    assert again.count == 0 and applying.apply(again).message == "2 items are done already."
    assert undoing.undo(session).done and pad(store) == PAD
    assert store.raw(f"projects/{OTHER}/SCRATCHPAD.md") == b"- [ ] theirs\n"


def test_an_item_that_moved_is_followed_and_one_that_is_gone_is_said(store: AStore, session: Session) -> None:
    first, second = task(session, "first"), task(session, "third")
    store.has("~/SCRATCHPAD.md", "new line\n- [ ] agent\n- [ ] first\n")
    done = applying.apply(triage.set_done(session, [first, second], done=True))
    assert done.changed == 1 and done.plan.left == ("third",) and "1 item is gone: “third”" in done.message
    assert pad(store) == "new line\n- [ ] agent\n- [x] first\n"


def test_a_batch_over_a_hundred_items_writes_each_file_once(
    store: AStore, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    for project in ("a-00000000", "b-00000000"):
        store.has(f"projects/{project}/SCRATCHPAD.md", "".join(f"- [ ] item {number}\n" for number in range(60)))
    puts = []
    real = Install.run

    def noticed(install: Install) -> WriteResult:
        puts.append(install)
        return real(install)

    monkeypatch.setattr(Install, "run", noticed)
    every = [each for each in task_list(session).tasks if each.project[0] in "ab"]
    assert applying.apply(triage.set_done(session, every, done=True)).plan.count == 120 and len(puts) == 2


def test_edit_shift_indent_and_relocate(store: AStore, session: Session) -> None:
    applying.apply(triage.edit(session, task(session, "fourth"), "4th"))
    assert "* [ ] 4th\r\n" in pad(store)
    applying.apply(triage.shift(session, task(session, "first"), 1))
    assert pad(store).index("second") < pad(store).index("first")
    applying.apply(triage.indent(session, [task(session, "third")], 1))
    assert "\n  - [x] third\n" in pad(store)
    applying.apply(triage.relocate(session, [task(session, "first")], "Later"))
    assert pad(store).endswith("* [ ] 4th\r\n- [ ] first\n  more\n  - [x] third\n")
    with pytest.raises(BadTarget, match="Nothing was moved"):
        applying.apply(triage.relocate(session, [task(session, "first")], "Gone"))
    for _ in range(4):
        assert undoing.undo(session).done
    assert pad(store) == PAD


def test_what_undo_says_of_a_typed_text_has_no_credential(store: AStore, session: Session) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    fact = FactReader(store.has("MEMORY.md", "- a\n").session()).read(Scope.FILE, session.ref_at("MEMORY.md")).rows[0]
    made: tuple[Callable[[str], Plan], ...] = (
        lambda words: triage.add(session, PROJECT, words),
        lambda words: triage.edit(session, task(session, "first"), words),
        lambda words: acts.add_below(session, fact, words),
        lambda words: acts.add_first(session, PROJECT, words),
    )
    for make in made:
        assert applying.apply(make(f"token {token}")).changed
        assert "token ghp_…”" in undoing.undo(session).message


def test_move_takes_the_block_along_and_a_vanished_project_is_refused(store: AStore, session: Session) -> None:
    done = applying.apply(triage.move(session, [task(session, "first")], OTHER))
    assert done.plan.count == 1 and store.raw(f"projects/{OTHER}/SCRATCHPAD.md") == b"- [ ] theirs\n- [ ] first\n  more\n"
    assert "first" not in pad(store)
    with pytest.raises(BadTarget, match=r"There is no project gone-11111111\. Nothing was moved\."):
        applying.apply(triage.move(session, [task(session, "fourth")], "gone-11111111"))
    assert undoing.undo(session).done and pad(store) == PAD


def test_an_item_that_the_other_project_has_is_not_repeated_there_and_that_is_said(store: AStore, session: Session) -> None:
    theirs = "- [ ] theirs\r\n* [ ] fourth\r\n- [ ] first\n  less\n"
    store.has(f"projects/{OTHER}/SCRATCHPAD.md", theirs)
    done = applying.apply(triage.move(session, [task(session, "first"), task(session, "fourth")], OTHER))
    assert done.message.startswith(f"Moved 2 items to {OTHER}. 1 stood there already")
    assert store.raw(f"projects/{OTHER}/SCRATCHPAD.md").decode().replace("\r", "") == f"{theirs}- [ ] first\n  more\n".replace(
        "\r", ""
    )
    assert "first" not in pad(store) and "fourth" not in pad(store)
    assert undoing.undo(session).done and pad(store) == PAD


def test_promote_writes_one_fact_and_none_twice(store: AStore, session: Session) -> None:
    store.has("MEMORY.md", "- fourth\n")
    done = applying.apply(triage.promote(session, [task(session, "first"), task(session, "fourth")]))
    assert store.raw("MEMORY.md") == b"- fourth\n- first more\n" and "1 stood there already" in done.message
    assert undoing.undo(session).done and store.raw("MEMORY.md") == b"- fourth\n" and pad(store) == PAD


def test_note_log_and_archive(store: AStore, session: Session) -> None:
    applying.apply(triage.to_note(session, [task(session, "first")], triage.note_name(task(session, "first"))))
    assert store.raw("~/notes/first.md") == b"# first\n\n- [ ] first\n  more\n"
    store.has("~/notes/fourth.md", "x")
    with pytest.raises(BadName, match="There is a note fourth already"):
        applying.apply(triage.to_note(session, [task(session, "fourth")], "fourth"))
    assert "fourth" in pad(store)
    applying.apply(triage.log(session, [task(session, "fourth")]))
    assert store.raw("~/daily/2026-05-25.md") == f"\n### {NOW:%H:%M} — done\n* [x] fourth\n".encode()
    done = applying.apply(triage.archive(session, [each for each in task_list(session).tasks if each.project == PROJECT]))
    assert done.plan.count == 1 and "2 not done, or with open items below, stayed" in done.message
    assert store.raw("~/archive/SCRATCHPAD.md") == b"## 2026-05-25\n\n- [x] third\n"
    assert "/archive/" not in str(session.mem().list()) and not session.mem().search("third").hits
    assert undoing.undo(session).done and not store.at("~/archive/SCRATCHPAD.md").exists()


def test_a_scratchpad_that_is_not_utf_8_is_shown_and_never_written(store: AStore, session: Session) -> None:
    first = task(session, "first")
    store.has("~/SCRATCHPAD.md", b"- [ ] first\n\xff\n")
    found = task_list(session)
    assert "is not valid UTF-8" in found.problems[PROJECT]
    with pytest.raises(Undecodable, match=r"is not valid UTF-8\. Nothing was written"):
        applying.apply(triage.set_done(session, [first], done=True))
    with pytest.raises(Undecodable, match=r"is not valid UTF-8\. Nothing was written"):
        applying.apply(triage.add(session, PROJECT, "x"))
    assert store.raw("~/SCRATCHPAD.md") == b"- [ ] first\n\xff\n"


def test_two_identical_items_have_two_ids_and_are_told_apart(store: AStore, session: Session) -> None:
    store.has("~/SCRATCHPAD.md", "- [ ] same\n- [ ] same\n- [ ] 😀\n")
    one, two, emoji = (each for each in task_list(session).tasks if each.project == PROJECT)
    assert one.id != two.id and triage.note_name(emoji) == "😀"
    applying.apply(triage.set_done(session, [two], done=True))
    assert pad(store) == "- [ ] same\n- [x] same\n- [ ] 😀\n"
    applying.apply(triage.remove(session, [one, two]))
    assert pad(store) == "- [ ] 😀\n"


def test_an_items_age_is_when_it_first_appeared(session: Session) -> None:
    session.history.catch_up(scan(session.root, session.layout))
    applying.apply(triage.add(session, PROJECT, "new"))
    applying.apply(triage.set_done(session, [task(session, "new")], done=True))
    session.history.drain()
    dated = with_ages(session, task_list(session))
    assert next(each for each in dated.tasks if each.item.text == "new").since == session.now_ns()
    assert older(dated, session.now_ns() + 40 * 86_400 * 10**9, 30)
    assert not older(TaskList((), {}, 0, 0), 0, 30)


@pytest.mark.parametrize("first", ["look", "write"])
def test_an_item_keeps_its_age_when_its_file_is_written_and_when_it_is_moved(store: AStore, session: Session, first: str) -> None:
    changed = session.now_ns() - 30 * 86_400 * 10**9
    os.utime(store.at("~/SCRATCHPAD.md"), ns=(changed, changed))
    if first == "look":
        session.history.catch_up(scan(session.root, session.layout))
    applying.apply(triage.add(session, PROJECT, "new"))

    def ages() -> dict[str, int]:
        return {f"{each.project} {each.item.text}": each.since for each in with_ages(session, task_list(session)).tasks}

    own = {name: age for name, age in ages().items() if name.startswith(PROJECT)}
    assert own.pop(f"{PROJECT} new") == session.now_ns() and set(own.values()) == {changed} and own
    store.has("~/SCRATCHPAD.md", store.raw("~/SCRATCHPAD.md") + b"- [ ] theirs\n")
    session.history.catch_up(scan(session.root, session.layout))
    assert ages().items() >= own.items()
    item = next(iter(own)).removeprefix(f"{PROJECT} ")
    applying.apply(triage.move(session, [task(session, item)], OTHER))
    assert ages()[f"{OTHER} {item}"] == changed


def test_an_item_is_older_than_some_days_from_the_first_nanosecond_on(session: Session) -> None:
    found, day = task_list(session), 86_400 * 10**9
    one = found._replace(tasks=(found.tasks[0]._replace(since=7),))
    assert not older(one, 7 + 2 * day, 2) and older(one, 8 + 2 * day, 2) == one.tasks
    assert not older(found._replace(tasks=(found.tasks[0]._replace(since=0),)), 9 * day, 2), "nobody knows since when it is there"


def test_ids_that_name_nothing_or_two_are_refused_and_a_number_is_no_beginning_of_another_items_id(session: Session) -> None:
    found = task_list(session)
    assert by_ids(found, [found.tasks[0].id[:6]])[0] == found.tasks[0]
    ids = ("77b2e410", "1e55ea05", "2f00ab12")
    numbered = found._replace(tasks=tuple(map(lambda task, id: task._replace(id=id), found.tasks, ids)))
    with pytest.raises(BadName, match=r"'1' begins the id of “.*”, 1e55ea05, and item 1 is “first”, 77b2e410\. Nothing"):
        by_ids(numbered, ["1"])
    assert by_ids(numbered, ["1e"]) == by_ids(numbered, ["1e55ea05"]) == [numbered.tasks[1]]
    for none in ("3", "zz", ""):
        with pytest.raises(BadName, match=f"no item has an id that begins with '{none}'"):
            by_ids(numbered, [none])
    third = numbered._replace(tasks=(numbered.tasks[1], numbered.tasks[0]))
    assert by_ids(third, ["1"]) == [third.tasks[0]], "both readings mean the same item"


FILL = "- fact with some words in it\n"


def unseen(session: Session, project: str = PROJECT) -> dict[str, str]:
    return {each.item.text: each.item.hidden_reason for each in task_list(session, [project]).tasks}


@pytest.mark.parametrize("profile", list(Profile))
@pytest.mark.parametrize("cap", [0, 120, 200, 10_000])
@pytest.mark.parametrize("filler", ["", FILL * 3, FILL * 2_000, FILL * 5_000])
def test_an_item_is_seen_when_its_whole_line_is_in_the_block(store: AStore, profile: Profile, cap: int, filler: str) -> None:
    store.has("MEMORY.md", filler).has("~/daily/2026-05-25.md", "a day\n" * 5)
    store.has("~/SCRATCHPAD.md", PAD + "".join(f"- [ ] item number {number}\n" for number in range(40)))
    session = store.session(profile=profile, inject_cap=cap)
    block = (session.mem().context_block() or "").split("\n")
    seen = task_list(session, [PROJECT]).tasks
    lines = store.raw("~/SCRATCHPAD.md").decode().replace("\r", "").split("\n")
    for each in seen:
        if each.item.box is Box.OPEN:
            assert (not each.item.hidden_reason) == (lines[each.item.line] in block), each


def test_why_an_item_is_not_seen_is_said(store: AStore) -> None:
    store.has("MEMORY.md", FILL * 2_000).has("~/SCRATCHPAD.md", "- [ ] open\n- [x] ticked\n- [ ]no blank\n+ [ ] plus\n")
    assert unseen(store.session()) == {
        "open": FULL,
        "ticked": "done",
        "no blank": FULL,
        "plus": "its bullet is +, not - or *",
    }
    assert unseen(store.session(profile=Profile.ZEROSTACK_1_7))["open"] == ""
    assert task_list(store.session(), [PROJECT]).size == 0
    store.has("MEMORY.md", "x" * 200_000)  # agents leave it out, so that there is room
    assert unseen(store.session())["open"] == ""


def test_the_last_item_that_fits_is_told_from_the_first_that_does_not(store: AStore) -> None:
    store.has("~/SCRATCHPAD.md", "- [ ] one\n- [ ] two\n- [ ] three\n")
    head = len(b"\n\n## Scratchpad (open items)\n")
    assert unseen(store.session(inject_cap=head + 22)) == {"one": "", "two": "", "three": HALF}
    assert unseen(store.session(inject_cap=head + 20)) == {"one": "", "two": "", "three": FULL}
    assert unseen(store.session(inject_cap=head + 18)) == {"one": "", "two": HALF, "three": FULL}


def test_each_project_has_a_prompt_of_its_own(store: AStore) -> None:
    store.has("MEMORY.md", FILL * 500).has("~/SCRATCHPAD.md", "- [ ] mine\n" + "- [ ] more\n" * 3_000)
    session = store.session()
    assert unseen(session, OTHER) == {"theirs": ""}
    store.has(f"projects/{OTHER}/daily/2026-05-25.md", "z" * 40_000)
    assert unseen(session, OTHER) == {"theirs": ""}  # the documented order puts the scratchpad first


def test_a_box_without_room_for_a_mark_is_not_counted_as_done(store: AStore, session: Session) -> None:
    store.has("~/SCRATCHPAD.md", "- [] a\n- [ ] b\n")
    done = applying.apply(triage.set_done(session, [task(session, "a"), task(session, "b")], done=True))
    assert (done.message, done.changed) == ("Done 1 item. 1 had no box with room for a mark.", 1)
    assert pad(store) == "- [] a\n- [x] b\n"


def test_what_was_moved_says_which_way(store: AStore, session: Session) -> None:
    moved = [applying.apply(triage.shift(session, task(session, "third"), step)).message for step in (-1, 1)]
    moved += [applying.apply(triage.indent(session, [task(session, "third")], step)).message for step in (1, -1)]
    assert moved == ["Moved up.", "Moved down.", "Indented “third”.", "Outdented “third”."] and pad(store) == PAD
    assert applying.apply(triage.add(session, PROJECT, "new")).message == f"Added 1 item to {PROJECT}."


def test_promoting_into_a_full_prompt_says_that_it_is_not_seen(store: AStore, session: Session) -> None:
    store.has("MEMORY.md", "- a fact of some words\n" * 3_000)
    done = applying.apply(triage.promote(session, [task(session, "first")]))
    assert "The prompt is full: 1 fact more of it is not seen." in done.message and done.warning
    assert store.raw("MEMORY.md").endswith(b"- first more\n")


def test_open_items_are_counted_alike_where_they_stand_in_any_file(tmp_path: Path) -> None:
    """Triage and the list of projects say the same of an agent whose items have no file of their own; instructions count, too."""
    shop = tmp_path / "ann" / "shop"
    place = tmp_path / "claude/projects" / str(shop).replace("/", "-").replace("_", "-") / "memory"
    shop.mkdir(parents=True)
    place.mkdir(parents=True)
    (place / "MEMORY.md").write_text("- [Deploy](deploy.md) - how\n- [ ] ask Bob\n")
    (place / "deploy.md").write_text("---\nname: deploy\n---\n\n- [ ] push the tag\n- [x] done\n")
    (shop / "CLAUDE.md").write_text("- [ ] describe the release\n- [x] describe the build\n")
    session = open_store(Config(), f"claude-code:{tmp_path}/claude", cwd=str(shop))
    assert [task.is_open for task in task_list(session).tasks].count(True) == 2
    assert [project.open_items for project in status.projects(session)] == [3] and status.status(session).open_items == 3
    away = open_store(Config(), f"claude-code:{tmp_path}/claude", cwd=str(tmp_path))
    assert [project.open_items for project in status.projects(away, {session.project: str(shop)})] == [3]


def test_what_is_done_in_instructions_is_not_archived_and_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.md").write_text("- [x] describe the build\n")
    session = instructions.open_folder(Config(), str(tmp_path))
    with pytest.raises(BadTarget, match="Instruction files are not archived: 1 item that is done can only be deleted"):
        triage.archive(session, task_list(session).tasks)
