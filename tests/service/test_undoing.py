"""Undo and redo across files, restarts and what others wrote meanwhile."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

import pytest

from tests.builders import AStore, at_the_first_pause
from zsmem_tui.core.errors import MemError
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.version import Origin
from zsmem_tui.service import applying, editing, file_ops, history, reviewing, undoing
from zsmem_tui.service.results import Resolution
from zsmem_tui.service.session import Session
from zsmem_tui.store import writing
from zsmem_tui.store.disk import swap
from zsmem_tui.store.history.history import History
from zsmem_tui.store.scan import scan
from zsmem_tui.store.write_path import confirming

STORE = {"MEMORY.md": "one\ntwo\nthree\n", "~/notes/n.md": "note\n"}


def memory(session: Session) -> MemRef:
    return session.mem().source_ref("long_term")


def note(session: Session, name: str = "n") -> MemRef:
    return session.mem().source_ref("note", name)


def save(session: Session, ref: MemRef, text: bytes) -> None:
    editing.save(session, ref, text, Path(session.path(ref)).read_bytes())


def test_undo_and_redo_go_through_the_steps_in_order(store: AStore, session: Session) -> None:
    states = [store.tree()]
    save(session, memory(session), b"ONE\ntwo\nthree\n")
    states.append(store.tree())
    file_ops.rename(session, note(session), "m")
    states.append(store.tree())
    file_ops.delete(session, note(session, "m"))
    states.append(store.tree())
    for expected in states[-2::-1]:
        assert undoing.undo(store.session()).done and store.tree() == expected, "also after a restart"
    assert undoing.undo(session).message == "Nothing to undo."
    for expected in states[1:]:
        assert undoing.undo(session, redo=True).done and store.tree() == expected
    assert undoing.undo(session, redo=True).message == "Nothing to redo."


def test_a_text_that_stood_there_first_is_no_change_to_revert(store: AStore) -> None:
    session = store.looked_at()
    (first,) = history.of_file(session, memory(session))
    before = store.tree()
    with pytest.raises(MemError, match=r"before zsmem first looked.* Nothing was written\."):
        history.put_back_change(session, first, (0,))
    assert store.tree() == before


def test_what_only_its_owner_may_read_stays_so_under_other_names_and_back(store: AStore, session: Session) -> None:
    def modes() -> dict[str, int]:
        return {each.name: each.stat().st_mode & 0o777 for each in store.at("~/notes/").iterdir()}

    store.at("~/notes/n.md").chmod(0o600)
    file_ops.duplicate(session, note(session), "copy")
    file_ops.rename(session, note(session), "m")
    assert modes() == {"copy.md": 0o600, "m.md": 0o600}
    undoing.undo(session)
    assert modes() == {"copy.md": 0o600, "n.md": 0o600}
    undoing.undo(session, redo=True)
    assert modes() == {"copy.md": 0o600, "m.md": 0o600}


def test_a_clock_that_is_put_back_changes_nothing_about_the_order_of_steps(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    states = [store.raw("MEMORY.md")]
    real, back = time.time_ns, 0
    monkeypatch.setattr(time, "time_ns", lambda: real() - back)
    for number in range(3):
        session = store.session()
        save(session, memory(session), f"{number}\ntwo\nthree\n".encode())
        states.append(store.raw("MEMORY.md"))
        back += 3_600 * 10**9
    for expected in states[-2::-1]:
        assert undoing.undo(store.session()).done and store.raw("MEMORY.md") == expected


def test_a_new_step_ends_what_could_be_redone(store: AStore, session: Session) -> None:
    save(session, memory(session), b"ONE\ntwo\nthree\n")
    undoing.undo(session)
    save(session, memory(session), b"one\nTWO\nthree\n")
    assert undoing.undo(session, redo=True).message == "Nothing to redo."
    assert undoing.undo(session).done and store.raw("MEMORY.md") == b"one\ntwo\nthree\n"
    assert undoing.undo(session, redo=True).done and store.raw("MEMORY.md") == b"one\nTWO\nthree\n"
    assert undoing.undo(session, redo=True).message == "Nothing to redo."  # what was undone before that step is gone
    assert store.raw("MEMORY.md") == b"one\nTWO\nthree\n"


@pytest.mark.parametrize("is_asked", [True, False])
def test_redo_gives_back_what_stood_there_before_the_undo(store: AStore, session: Session, is_asked: bool) -> None:
    save(session, memory(session), b"one\ntwo\nthree CRASH\n")
    agents = b"one\ntwo\nthree CRASH by agent\n" if is_asked else b"ONE by agent\ntwo\nthree CRASH\n"
    for _ in range(2):
        store.at("MEMORY.md").write_bytes(agents)
        history.look_at_all(session)
        done = undoing.undo(session)
        answers = [Resolution(clash.ref, clash.theirs, clash.mine, clash.root) for clash in done.clashes]
        assert bool(answers) is is_asked
        assert undoing.undo(session, resolved=answers).done if is_asked else done.done
        assert store.raw("MEMORY.md") == (b"one\ntwo\nthree\n" if is_asked else agents.replace(b" CRASH", b""))
        assert undoing.undo(session, redo=True).done and store.raw("MEMORY.md") == agents
        agents = agents.replace(b"agent", b"another")


def test_a_file_that_undo_or_redo_changes_is_new_to_whoever_goes_by_its_time(store: AStore, session: Session) -> None:
    """Agents and build tools that have read it would else go on with what it no longer says."""
    os.utime(store.at("MEMORY.md"), ns=(10**18, 10**18))
    times, before = [10**18], store.raw("MEMORY.md")
    save(session, memory(session), b"ONE\n" + before)
    for redo in (False, True):
        times.append(store.at("MEMORY.md").stat().st_mtime_ns)
        assert undoing.undo(session, redo=redo).done and (store.raw("MEMORY.md") == before) is not redo
    times.append(store.at("MEMORY.md").stat().st_mtime_ns)
    assert times == sorted(set(times))


def test_undo_of_a_write_that_was_put_back_twice_keeps_what_others_added_between(store: AStore, session: Session) -> None:
    """Another program takes the same line out again and again, while an agent adds some."""
    root, recorder, old = str(store.root), session.recorder("Saved MEMORY.md"), store.raw("MEMORY.md")
    done = writing.update(root, "MEMORY.md", lambda now: (now or b"") + b"- ours\n", recorder=recorder)
    agents = b"- of an agent\n" + old
    for _ in range(2):
        store.at("MEMORY.md").write_bytes(agents)
        [done] = confirming.confirm_all(root, {"MEMORY.md": done}, recorder).values()
        assert done.confirmed and store.raw("MEMORY.md") == agents + b"- ours\n"
    assert undoing.undo(session).done
    assert store.raw("MEMORY.md") == agents


def test_undo_merges_with_what_the_agent_wrote_since(store: AStore, session: Session) -> None:
    save(session, memory(session), b"ONE\ntwo\nthree\n")
    store.has("MEMORY.md", "ONE\ntwo\nthree\nagent\n")
    assert undoing.undo(session).message.endswith(". What was written since stays in MEMORY.md")
    assert store.raw("MEMORY.md") == b"one\ntwo\nthree\nagent\n"


def test_where_the_agent_changed_the_same_line_nothing_is_written_until_it_is_decided(store: AStore, session: Session) -> None:
    save(session, memory(session), b"ONE\ntwo\nthree\n")
    store.has("MEMORY.md", "agent\ntwo\nthree\n")
    answer = undoing.undo(session)
    assert not answer.done and store.raw("MEMORY.md") == b"agent\ntwo\nthree\n"
    [clash] = answer.clashes
    assert (clash.mine, clash.theirs) == (b"one\ntwo\nthree\n", b"agent\ntwo\nthree\n")
    file_ops.new_note(session, "fresh")
    save(session, memory(session), b"agent\nTWO\nthree\n")
    store.has("MEMORY.md", "agent\nagent\nthree\n")
    [again] = undoing.undo(session).clashes
    kept = undoing.undo(session, resolved=[Resolution(again.ref, again.theirs, again.theirs, again.root)])
    assert (kept.message, kept.done) == ("Left as it is: nothing was undone.", False), "what stands there was wanted"
    assert undoing.undo(session).message.endswith("fresh.md is deleted"), "it counts as undone: the step before it is next"
    store.has("MEMORY.md", "agent\ntwo\nthree\nmore\n")  # while it is decided
    assert undoing.undo(session, resolved=[Resolution(clash.ref, clash.theirs, b"mine\ntwo\nthree\n")]).done
    assert store.raw("MEMORY.md") == b"mine\ntwo\nthree\nmore\n"
    assert undoing.undo(session).message == "Nothing to undo."


def test_a_step_that_the_agent_has_taken_back_already_is_passed_over_once(store: AStore, session: Session) -> None:
    save(session, note(session), b"NOTE\n")
    save(session, memory(session), b"ONE\ntwo\nthree\n")
    store.has("MEMORY.md", "one\ntwo\nthree\n")
    assert undoing.undo(session).done and store.raw("~/notes/n.md") == b"NOTE\n"
    assert undoing.undo(session).done and store.raw("~/notes/n.md") == b"note\n"


def test_undoing_a_file_that_was_made_leaves_what_the_agent_added_to_it(store: AStore, session: Session) -> None:
    file_ops.new_note(session, "fresh")
    store.has("~/notes/fresh.md", "# fresh\nagent\n")
    path = f"projects/{session.project}/notes/fresh.md"  # which whoever shows it makes a title of, as of that of the step
    assert undoing.undo(session).message.endswith(f". What was written since stays in {path}")
    assert store.raw("~/notes/fresh.md") == b"agent\n"
    file_ops.new_note(session, "bare")
    store.has("~/notes/bare.md", "")
    assert undoing.undo(session).done and not store.at("~/notes/bare.md").exists()


@pytest.mark.parametrize("count", [20, 21])
def test_more_than_20_files_come_and_go_only_once_that_is_asked_for(store: AStore, session: Session, count: int) -> None:
    with session.batch("Many") as batch:
        for number in range(count):
            batch.update(f"projects/{session.project}/notes/{number}.md", lambda _: b"x\n")
    after = store.tree()
    done = undoing.undo(session, unasked=())
    if count > 20:
        assert done.is_many and done.about == "It deletes 21 files." and store.tree() == after and done.another is not None
        done = undoing.undo(session, unasked={done.another.order})
    assert done.done and len(store.tree()) == len(after) - count


def test_an_old_version_over_lines_that_nobody_saw_says_so_and_an_undo_that_deletes_a_file_too(
    store: AStore, session: Session
) -> None:
    history.look_at_all(session)
    save(session, memory(session), was := store.raw("MEMORY.md") + b"- mine\n")
    store.has("MEMORY.md", was + b"- of an agent\n\n- again\n")
    done = history.restore(session, history.of_file(session, memory(session))[-1])
    assert done.warning and "2 lines of others that you had not seen went: History keeps what went." in done.message
    found = history.of_file(session, memory(session))
    held = history.with_words(session, found, "MINE")
    assert [each.id in held for each in found] == [True, False, True, False], "in which it came or went"
    assert undoing.undo(session).message == "Undid: Restored MEMORY.md" and len(reviewing.pending(session)) == 1
    file_ops.new_note(session, "fresh")
    assert undoing.undo(session).message.endswith(". fresh.md is deleted")


@pytest.mark.parametrize(
    ("old", "anew", "both"),
    [
        ("# N\n- one\n", "# Other\n- x\n", "# Other\n- x\n# N\n- one\n"),
        ("---\nname: n\n---\n- one\n", "new by agent\n", "---\nname: n\n---\n- one\nnew by agent\n"),
        ("- one", "---\nname: n\n---\n- x", "---\nname: n\n---\n- x\n- one"),
        ("---\nname: n\n---\n- one\n", "---\nname: o\n---\n- x\n", "---\nname: o\n---\n- x\n---\nname: n\n---\n- one\n"),
    ],
)
def test_a_deleted_note_that_was_made_anew_gets_both_texts_and_it_is_said(
    store: AStore, session: Session, old: str, anew: str, both: str
) -> None:
    store.has("~/notes/n.md", old)
    file_ops.delete(session, note(session))
    store.has("~/notes/n.md", anew)
    assert "was made anew meanwhile, and has both texts" in undoing.undo(session).message
    assert store.raw("~/notes/n.md").decode() == both


def test_a_dry_run_says_what_undo_would_do(store: AStore, session: Session) -> None:
    save(session, memory(session), b"ONE\n")
    assert undoing.undo(session, dry_run=True).done and store.raw("MEMORY.md") == b"ONE\n"


def test_a_file_that_is_brought_back_is_as_old_as_it_was(store: AStore, session: Session) -> None:
    store.has("~/notes/old.md", "- old\n").has("~/notes/kept.md", "- kept\n")
    then = 1_700_000_000 * 10**9
    os.utime(store.at("~/notes/old.md"), ns=(then, then))
    history.look_at_all(session)

    def is_as_it_was(then: int, mode: int = 0o640) -> bool:
        seen = store.at("~/notes/old.md").stat()
        return (seen.st_mtime_ns, seen.st_mode & 0o777) == (then, mode)

    store.at("~/notes/old.md").chmod(0o640)
    for _ in range(2):
        file_ops.delete(session, note(session, "old"))
        assert undoing.undo(session).done and is_as_it_was(then)
    # also if its words came before its time, and from the history
    os.utime(store.at("~/notes/old.md"), ns=(then - 10**18, then - 10**18))
    file_ops.delete(session, note(session, "old"))
    assert undoing.undo(session).done and is_as_it_was(then - 10**18)
    file_ops.delete(session, note(session, "old"))
    file_ops.restore(session)
    assert is_as_it_was(then - 10**18)
    file_ops.delete(session, note(session, "old"))
    history.restore(session, history.of_file(session, note(session, "old"))[-1])
    assert is_as_it_was(then - 10**18)
    undoing.undo(session)
    undoing.undo(session)
    save(session, note(session, "kept"), b"- new\n")
    assert undoing.undo(session).done
    assert store.at("~/notes/kept.md").stat().st_mtime_ns > then, "whoever has read the file has to see that it changed"
    history.look_at_all(session)
    assert not reviewing.unreviewed(session)


@pytest.mark.draw(3)
@pytest.mark.parametrize("seed", range(8))
def test_after_as_many_undos_as_random_steps_every_file_is_what_it_was(store: AStore, session: Session, seed: int) -> None:
    dice = random.Random(seed)
    first, steps = store.tree(), 0
    states = []
    for number in range(14):
        before = store.tree()
        files = [entry.ref for project in scan(session.root, session.layout).projects for entry in project.files]
        ref = dice.choice([memory(session), *files])
        other = f"note {number}"
        act = dice.choice(["save", "new", "rename", "copy", "move", "delete", "log", "append"])
        try:
            if act == "save" and Path(session.path(ref)).exists():
                save(session, ref, dice.randbytes(20) + b"\n" + Path(session.path(ref)).read_bytes()[: dice.randrange(40)])
            elif act == "new":
                file_ops.new_note(session, other)
            elif act == "rename":
                file_ops.rename(session, ref, other if dice.random() < 0.7 else ref.name.upper())
            elif act == "copy":
                file_ops.duplicate(session, ref, other)
            elif act == "move":
                file_ops.move(session, ref, "other-00000000")
            elif act == "delete":
                file_ops.delete(session, ref)
            elif act == "log":
                file_ops.log_entry(session, "heading")
            else:
                session.mem().write("long_term", f"fact {number}")
        except MemError:
            assert store.tree() == before
        if store.tree() != before:
            states.append(before)
            steps += 1
    for expected in reversed(states):
        assert undoing.undo(session).done
        assert store.tree() == expected
    assert store.tree() == first and undoing.undo(session).message == "Nothing to undo." and steps > 4


def test_lines_that_the_agent_wrote_during_a_save_stay_when_it_is_undone(
    store: AStore, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = store.raw("MEMORY.md")

    def agent(name: str) -> None:
        if name == "temporary file synced" and store.raw("MEMORY.md") == base:
            store.has("MEMORY.md", base + b"agent during\n")

    monkeypatch.setattr(swap, "step", agent)
    editing.save(session, memory(session), b"ONE\ntwo\nthree\n", base)
    assert store.raw("MEMORY.md") == b"ONE\ntwo\nthree\nagent during\n"
    assert undoing.undo(session).done and store.raw("MEMORY.md") == b"one\ntwo\nthree\nagent during\n"
    session.history.drain()
    origins = [(version.origin.value, version.added, version.removed) for version in session.history.versions("MEMORY.md")]
    assert origins == [("undo", 1, 1), ("you", 1, 1), ("other", 1, 0), ("other", 3, 0)]


@pytest.mark.parametrize("step", ["temporary file synced", "exchanged"])
def test_what_the_agent_added_to_a_line_of_ours_while_it_was_written_stays_when_it_is_undone(
    store: AStore, session: Session, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    base = store.raw("MEMORY.md")
    told: list[str] = []

    def agent(name: str) -> None:  # it has read our text, and goes on in a line of it
        if name == step and not told:
            told.append(name)
            store.has("MEMORY.md", base + b"mine\nmine too, says the agent\nand mine\n")

    monkeypatch.setattr(swap, "step", agent)
    editing.save(session, memory(session), base + b"mine\nmine too\nand mine\n", base)
    assert told and b"says the agent\n" in store.raw("MEMORY.md")
    done = undoing.undo(session)
    assert (done.done or done.clashes) and b"says the agent\n" in store.raw("MEMORY.md")


def test_lines_that_the_agent_wrote_over_a_save_stay_when_it_is_undone(
    store: AStore, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = store.raw("MEMORY.md")
    at_the_first_pause(monkeypatch, lambda: store.has("MEMORY.md", base + b"agent after\n"))
    editing.save(session, memory(session), b"ONE\ntwo\nthree\n", base)
    assert store.raw("MEMORY.md") == b"one\nONE\ntwo\nthree\nagent after\n"
    assert undoing.undo(session).done and store.raw("MEMORY.md") == b"one\ntwo\nthree\nagent after\n"


def test_a_step_on_a_file_that_the_agent_deleted_can_be_passed_over(store: AStore, session: Session) -> None:
    save(session, memory(session), b"ONE\ntwo\nthree\n")
    save(session, note(session), b"NOTE\n")
    store.at("~/notes/n.md").unlink()
    [clash] = undoing.undo(session).clashes
    assert clash.theirs is None
    assert undoing.skip(session).done
    assert undoing.undo(session).done and store.raw("MEMORY.md") == b"one\ntwo\nthree\n"


def test_links_that_lead_away_stay_and_are_named_while_other_files_are_deleted(store: AStore, session: Session) -> None:
    folder = store.at("~/notes/n.md").parent
    (folder / "away.md").symlink_to("/nowhere/x.md")
    (folder / "lost.md").symlink_to("gone.md")
    away, lost = note(session, "away"), note(session, "lost")
    done = applying.apply(file_ops.plan_deleting([(session, [away, lost, note(session)])]))
    assert done.changed == 1 and done.warning and done.message.startswith(f"Deleted projects/{session.project}/notes/n.md.")
    assert "away.md is a link that leaves the store, to /nowhere/x.md. It stays." in done.message
    assert "lost.md is a link that leads nowhere" in done.message
    assert {each.name for each in folder.iterdir()} == {"away.md", "lost.md"}
    with pytest.raises(MemError, match="a link that leaves the store"):
        applying.apply(file_ops.plan_deleting([(session, [away])]))
    assert undoing.undo(session).done and store.raw("~/notes/n.md") == b"note\n"


@pytest.mark.parametrize("origin", [Origin.YOU, Origin.SYNCED])
def test_the_history_is_not_opened_for_each_file_of_a_step_that_is_undone(
    store: AStore, session: Session, monkeypatch: pytest.MonkeyPatch, origin: Origin
) -> None:
    notes = [note(session, f"many-{number}") for number in range(40)]
    for ref in notes:
        store.has(ref.path, "first\n")
    with session.batch("changed many", origin) as batch:
        for ref in notes:
            batch.save(ref.path, b"first\nours\n", b"first\n")
    for ref in notes:
        store.has(ref.path, "first\nours\ntheirs\n")
    opened, ready = [], History._ready

    def counted(self: History) -> object:
        opened.append(self)
        return ready(self)

    monkeypatch.setattr(History, "_ready", counted)
    done = undoing.undo(session, dry_run=True)
    assert len(done.files) == 40 and len(opened) < 5
    assert "What was written since stays in " in done.message and done.message.count("notes/many-") == 3
