"""What the history holds after writes of ours, of others, and after every kind of damage."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from io import FileIO
from pathlib import Path
from typing import Any

import pytest

from tests import forking
from tests.builders import AStore
from zsmem_tui.core.errors import HistoryError, WriteFailed
from zsmem_tui.core.version import FIRST_LOOK, Origin
from zsmem_tui.service import applying, editing, file_ops, history, reviewing, today, undoing
from zsmem_tui.service.doctor import Doctor
from zsmem_tui.service.facts import acts
from zsmem_tui.service.facts.rows import FactReader, Scope
from zsmem_tui.service.session import Session
from zsmem_tui.store import step_record, writing
from zsmem_tui.store.history import history as history_module
from zsmem_tui.store.history import journal, retention, review_baseline
from zsmem_tui.store.history.history import History
from zsmem_tui.store.history.repository import Repository
from zsmem_tui.store.history.review_baseline import Move
from zsmem_tui.store.scan import scan
from zsmem_tui.store.watch import Watcher

PATH = "MEMORY.md"


STORE = {PATH: "one\ntwo\nthree\n"}


def save(session: Session, text: str, base: str | None) -> None:
    raw = None if base is None else base.encode()
    writing.save(session.root, PATH, text.encode(), raw, confirm=False, recorder=session.recorder())


def told(session: Session, path: str = PATH) -> list[tuple[Origin, str, int, int]]:
    return [(each.origin, each.who, each.added, each.removed) for each in session.history.versions(path)]


def look(session: Session) -> None:
    session.history.catch_up(scan(session.root, session.layout))


def texts(session: Session, path: str = PATH) -> list[bytes | None]:
    return [session.history.text(each.after) for each in session.history.versions(path)]


def git(session: Session, *words: str) -> str:
    home = os.path.join(session.history.home, "git")
    return subprocess.run(["git", "-C", home, *words], capture_output=True, text=True, check=True).stdout


def test_a_save_records_what_stood_there_and_what_stands_there_now(session: Session) -> None:
    save(session, "one\ntwo\n", "one\ntwo\nthree\n")
    session.history.drain()
    assert told(session) == [(Origin.YOU, "", 0, 1), (Origin.OTHER, FIRST_LOOK, 3, 0)]
    assert texts(session) == [b"one\ntwo\n", b"one\ntwo\nthree\n"]
    assert session.history.waiting() == 0


def test_a_step_with_what_several_wrote_names_each(session: Session) -> None:
    recorder, other = session.recorder("Brought in"), "projects/p/notes/n.md"
    recorder.writers = {PATH: "agent ann", other: "agent bob"}
    for path in (PATH, other, "projects/p/notes/m.md"):
        writing.update(session.root, path, lambda now: (now or b"") + b"more\n", confirm=False, recorder=recorder)
    session.history.drain()
    found = {path: told(session, path)[0] for path in recorder.writers}
    assert found == {path: (Origin.YOU, who, 1, 0) for path, who in recorder.writers.items()}
    assert {each.batch for each in session.history.latest() if each.origin is Origin.YOU} == {recorder.batch}


def test_changes_made_while_nobody_watched_appear_as_one_entry(store: AStore, session: Session) -> None:
    look(session)
    store.has(PATH, "one\n").has("~/notes/new.md", "note\n")
    look(session)
    found = list(session.history.latest())
    assert [(each.path, each.who) for each in found[:2]] == [
        (f"projects/{store.project}/notes/new.md", "written since zsmem last looked"),
        (PATH, "written since zsmem last looked"),
    ]
    assert found[0].id.split(".")[0] == found[1].id.split(".")[0]


@pytest.mark.parametrize("path", [PATH, "projects/x/notes/written-here.md"])
def test_a_file_deleted_while_nobody_watched_is_recorded_and_its_text_kept(store: AStore, session: Session, path: str) -> None:
    look(session)
    if path != PATH:
        writing.save(session.root, path, STORE[PATH].encode(), None, recorder=session.recorder())
        session.history.drain()
    store.at(path).unlink()
    store.has("~/notes/stays.md", "x")
    look(session)
    assert texts(session, path) == [None, b"one\ntwo\nthree\n"]


def test_what_others_write_is_unseen_until_it_is_looked_at_and_ours_never_is(store: AStore, session: Session) -> None:
    look(session)
    assert session.history.pending_review() == []
    store.has(PATH, "one\ntwo\nthree\nagent\n")
    session.history.observe([PATH])
    save(session, "ONE\ntwo\nthree\nagent\n", "one\ntwo\nthree\nagent\n")
    session.history.drain()
    [unseen] = session.history.pending_review()
    assert session.history.text(unseen.reviewed) == b"ONE\ntwo\nthree\n"
    session.history.mark_reviewed({PATH: session.history.pending_review()[0].now})
    assert session.history.pending_review() == []


@pytest.mark.program("git")
def test_names_that_git_forbids_are_kept(session: Session) -> None:
    names = ["projects/.git/notes/x.md", "projects/GIT~1/notes/y.md", "projects/%41/notes/z.md", "projects/a/notes/\udcff\n.md"]
    for name in names:
        writing.save(session.root, name, b"text", None, confirm=False, recorder=session.recorder())
    session.history.drain()
    assert [texts(session, name) for name in names] == [[b"text"]] * 4
    assert "error" not in git(session, "fsck", "--full")


@pytest.mark.slow
def test_a_text_of_50_mb_is_known_by_its_digest_and_says_so(store: AStore, session: Session) -> None:
    store.has(PATH, b"x" * 50_000_000)
    look(session)
    [version] = session.history.versions(PATH)
    with pytest.raises(HistoryError, match=r"does not keep this text: 50000000 bytes, sha256 [0-9a-f]{64}"):
        session.history.text(version.after)
    with pytest.raises(Exception, match="was not deleted: what it holds could not be kept first"):
        file_ops.delete(session, session.mem().source_ref("long_term"))
    assert store.at(PATH).stat().st_size == 50_000_000


@pytest.mark.parametrize("damage", ["head", "object", "format", "file", "list"])
def test_a_damaged_history_stops_undo_and_what_needs_it(store: AStore, session: Session, damage: str) -> None:
    save(session, "one\n", "one\ntwo\nthree\n")
    session.history.drain()
    home = Path(session.history.home)
    if damage == "head":
        (home / "git/refs/heads/main").write_text("0" * 39 + "1\n")
    elif damage == "object":
        for place in (home / "git/objects").glob("??/*"):
            place.chmod(0o644)
            place.write_bytes(b"rubbish")
    elif damage == "format":
        (home / "git/zsmem-format").write_text("99\n")
    elif damage == "file":
        shutil.rmtree(home / "git")
        (home / "git").write_text("not a folder")
    else:
        (home / "versions").write_text("{}\nrubbish")
    again = store.session()
    if damage == "list":
        assert undoing.undo(again).done and store.raw(PATH) == b"one\ntwo\nthree\n"
    else:
        with pytest.raises(HistoryError) as raised:
            undoing.undo(again)
        assert str(home) in raised.value.message and again.undo_problem
        ref = again.mem().source_ref("long_term")
        deletes: list[Callable[[], object]] = [
            lambda: file_ops.delete(again, ref),
            lambda: editing.delete_lines(again, ref, b"one\n", range(1)),
            lambda: applying.apply(acts.delete(again, FactReader(again).read(Scope.PROJECT).rows)),
            lambda: applying.apply(file_ops.plan_deleting([(again, [ref])])),
        ]
        for delete in deletes:
            with pytest.raises(WriteFailed, match="Nothing was deleted: what it holds could not be kept first"):
                delete()
        assert store.raw(PATH) == b"one\n"
        save(again, "one\nmore\n", "one\n")
        assert store.raw(PATH) == b"one\nmore\n"


def test_a_missing_list_of_versions_is_made_from_the_commits(session: Session) -> None:
    file_ops.new_note(session, "plan")
    save(session, "one\n", "one\ntwo\nthree\n")
    session.history.drain()
    before = list(session.history.latest())
    os.unlink(os.path.join(session.history.home, "versions"))
    assert list(session.history.latest()) == before


def test_a_version_that_is_not_held_is_no_reason_to_say_that_undo_is_off(session: Session) -> None:
    save(session, "one\n", "one\ntwo\n")
    with pytest.raises(HistoryError, match=r"does not hold this version any more\."):
        session.history.text("0" * 40)
    assert not session.undo_problem


def test_a_history_folder_that_cannot_be_made_leaves_saves_alone(
    store: AStore, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "state"
    blocked.write_text("a file")
    other = Session(str(store.root), store.project, clock=session.clock, history_home=str(blocked / "history"))
    report = other.mem().write("long_term", "four")
    assert store.raw(PATH).endswith(b"four\n")
    assert report.warnings and "Undo is off" in report.warnings[0]
    with pytest.raises(HistoryError, match="Undo and history are off"):
        undoing.undo(other)
    with pytest.raises(Exception, match="was not changed: what it holds could not be kept first"):
        other.mem().write("long_term", "all", "overwrite")
    assert store.raw(PATH).endswith(b"four\n")
    with pytest.raises(Exception, match="Nothing was deleted"):
        file_ops.delete(other, other.mem().source_ref("long_term"))
    other.look_at_undo_again()
    assert other.undo_problem
    blocked.unlink()
    with monkeypatch.context() as full:
        full.setattr(history_module, "TemporaryFile", lambda **_: FileIO("/dev/full", "wb"))
        other.look_at_undo_again()
        assert other.undo_problem, "it can be made, but not written"
    other.look_at_undo_again()
    assert not other.undo_problem


def test_a_history_that_another_process_holds_is_an_error_and_not_a_wait_for_ever(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zsmem_tui.store.history.history._LOCK_SECONDS", 0.05)
    save(session, "one\n", "one\ntwo\nthree\n")
    code = (
        "import fcntl, os, sys, time\nfcntl.flock(os.open(sys.argv[1], os.O_RDONLY), fcntl.LOCK_EX)\n"
        "print(1, flush=True)\ntime.sleep(9)"
    )
    holder = subprocess.Popen([sys.executable, "-c", code, session.history.home], stdout=subprocess.PIPE)
    assert holder.stdout and holder.stdout.readline()
    with pytest.raises(HistoryError, match="another zsmem is at work"):
        session.history.drain()
    holder.kill()
    holder.wait()
    holder.stdout.close()
    session.history.drain()
    assert texts(session)[0] == b"one\n"


def test_another_store_in_the_same_place_is_not_undone_into(store: AStore, session: Session) -> None:
    save(session, "one\n", "one\ntwo\nthree\n")
    look(session)
    AStore(store.root.with_name("other")).has("OTHER.md", "another\n")
    shutil.rmtree(store.root)
    store.root.with_name("other").rename(store.root)
    look(session)
    waits = [(each.path, each.now) for each in session.history.pending_review()]
    assert waits == [("MEMORY.md", "")], "what is gone waits, as the folder may have been made anew; what is here now is known"
    assert undoing.undo(session).message == "Nothing to undo."
    assert texts(session)[1] == b"one\n"


def test_what_cannot_be_read_for_a_while_is_not_taken_for_deleted(
    store: AStore, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.has("~/notes/n.md", "- a\n")
    look(session)
    lstat, listdir = os.lstat, os.listdir

    def refused(path: Any, *more: Any, **named: Any) -> os.stat_result:
        if "/notes/" in os.fsdecode(path):
            raise PermissionError(13, "Permission denied", path)
        return lstat(path, *more, **named)

    monkeypatch.setattr(os, "lstat", refused)
    monkeypatch.setattr(os, "listdir", lambda folder: [] if os.fsdecode(folder).endswith("/notes") else listdir(folder))
    look(session)
    monkeypatch.undo()
    assert session.history.pending_review() == []
    store.at("~/notes/n.md").unlink()
    look(session)
    assert [each.now for each in session.history.pending_review()] == [""]


def test_a_root_that_is_gone_or_empty_is_not_recorded_as_deleted(store: AStore, session: Session) -> None:
    look(session)
    (store.root.with_name("empty")).mkdir()
    shutil.rmtree(store.root)
    look(session)
    store.root.with_name("empty").rename(store.root)
    look(session)
    assert texts(session)[0] == b"one\ntwo\nthree\n"


@pytest.mark.parametrize("stands", [False, True])
def test_a_clock_that_goes_backwards_keeps_the_order(store: AStore, monkeypatch: pytest.MonkeyPatch, stands: bool) -> None:
    times = iter([5_000, 4_000, 3_000, 2_000, 1_000, 500, 400, 300, 200, 100, 50])
    before, now = time.time_ns(), iter(range(1_000))
    monkeypatch.setattr(time, "time_ns", lambda: before - next(now) * (not stands))
    history = History(str(store.root), lambda: next(times) * 10**9)
    for number in range(3):
        base = store.raw(PATH)
        writing.save(str(store.root), PATH, base + b"more %d\n" % number, base, confirm=False, recorder=history.recorder())
    history.drain()
    assert history.text(history.versions(PATH)[0].after) == store.raw(PATH)


def test_a_crash_between_write_and_commit_loses_no_text(store: AStore, session: Session) -> None:
    code = (
        "import os, sys\nfrom zsmem_tui.service.session import Session\nfrom zsmem_tui.store import writing\n"
        "from zsmem_tui.store.disk import swap\n"
        "import zsmem_tui.core.merge\n"
        "def step(name):\n    if name == 'exchanged': os.kill(os.getpid(), 9)\n"
        "swap.step = step\nsession = Session(sys.argv[1], 'p')\n"
        "writing.save(sys.argv[1], 'MEMORY.md', b'mine\\n', b'one\\ntwo\\nthree\\n', recorder=session.recorder())\n"
    )
    assert forking.python(code, store.root).returncode == -9
    assert store.raw(PATH) == b"mine\n"
    session.history.drain()
    look(session)
    assert b"one\ntwo\nthree\n" in texts(session) and texts(session)[0] == b"mine\n"


def test_an_entry_cut_short_is_passed_over(session: Session) -> None:
    save(session, "one\n", "one\ntwo\nthree\n")
    pending = session.history.pending
    whole = Path(pending, journal.names(pending)[0]).read_bytes()
    Path(pending, "99999999999999999999-1-1.entry").write_bytes(whole[:-5])
    session.history.drain()
    assert texts(session)[0] == b"one\n"


@pytest.mark.program("git")
def test_a_secret_is_gone_from_every_version_and_from_every_byte_on_disk(store: AStore, session: Session) -> None:
    look(session)
    for text in ("key hunter2secret\n", "key hunter2secret\nmore\n", "clean\n"):
        base = store.raw(PATH).decode()
        save(session, text, base)
    session.history.drain()
    found = "it in 2 versions and 1 other place where zsmem keeps things."
    assert history.forget(session, "hunter2secret", dry_run=True).message == f"Would forget {found}"
    assert b"key hunter2secret\n" in texts(session) and git(session, "show", f"HEAD:{PATH}") == "clean\n"
    assert history.forget(session, "hunter2secret").message == f"Forgot {found}"
    assert b"key [forgotten]\n" in texts(session) and texts(session)[0] == b"clean\n"
    assert "hunter2" not in git(session, "log", "-p", "--all") and git(session, "fsck", "--strict", "--lost-found") == ""
    assert len(git(session, "log", "--oneline").split("\n")) == 5
    assert undoing.undo(session).done and store.raw(PATH) == b"key [forgotten]\nmore\n"


def test_old_versions_are_thinned_and_never_the_newest(store: AStore) -> None:
    day = 86_400 * 10**9
    now = [0]
    history = History(str(store.root), lambda: now[0])
    for number in range(40):
        now[0] = (1000 + number) * day // 4
        base = store.raw(PATH)
        writing.save(str(store.root), PATH, b"version %d\n" % number, base, confirm=False, recorder=history.recorder())
        history.drain()
    assert retention.apply_retention(history, now[0] + 5 * day + 1, 5, 0) == 0, "a clock ahead drops nothing"
    assert retention.apply_retention(history, now[0], 5, 0) > 0
    kept = [history.text(each.after) for each in history.versions(PATH)]
    assert kept[0] == b"version 39\n" and len(kept) == 26
    assert {len(each.id) for each in history.versions(PATH)} == {12}, "as before"
    assert retention.apply_retention(history, now[0] + 5 * day, 5, 0) > 0, "one that is as far ahead as may be does"
    retention.apply_retention(history, now[0], 0, 1)
    assert [history.text(each.after) for each in history.versions(PATH)] == [b"version 39\n"]


def test_what_undo_knows_of_a_step_goes_once_no_history_has_the_step(store: AStore, tmp_path: Path) -> None:
    day = 86_400 * 10**9
    now = [1_000 * day]
    one, other = (History(root, lambda: now[0]) for root in (str(store.root), str(tmp_path / "other")))
    (tmp_path / "other").mkdir()
    batches = []
    for number in range(4):  # on one day: the last of it stays
        recorder = one.recorder("a step")
        recorder.batch = f"{now[0] + number:020d}-7-{number}"
        batches.append(recorder.batch)
        step_record.put(recorder.batch, {"stores": []}, "")
        path, old = (PATH, store.raw(PATH)) if number < 3 else ("n.md", None)
        writing.save(str(store.root), path, b"version %d\n" % number, old, confirm=False, recorder=recorder)
    one.drain()
    waits = other.recorder("the same step")
    waits.batch = batches[1]
    assert waits.record_written("n.md", None, b"x\n")
    now[0] += 20 * day
    writing.save(str(store.root), PATH, b"newer\n", store.raw(PATH), confirm=False, recorder=one.recorder())
    step_record.put(f"{now[0]:020d}-7-0", {"stores": []}, "")
    retention.apply_retention(one, now[0], 0, 0)
    assert len(step_record.known()) == 5, "all are kept where all versions are"
    retention.apply_retention(one, now[0], 10, 0)
    retention.apply_retention(one, now[0], 10, 0)
    assert set(step_record.known()) == {batches[1], batches[3], f"{now[0]:020d}-7-0"}
    Path(one.home, "versions").unlink()
    retention._forget_steps(now[0])
    assert len(step_record.known()) == 3, "what a history has is not known"


@pytest.mark.slow
def test_a_hundred_versions_of_32_kib_take_less_than_a_megabyte(store: AStore, session: Session) -> None:
    dice = random.Random(1)
    lines = [f"{dice.random():.12f} {dice.random():.12f}\n" for _ in range(1_120)]
    store.has(PATH, "".join(lines)).has("BEFORE.md", "it stays as it is\n")
    look(session)
    for _ in range(100):
        lines[dice.randrange(len(lines))] = f"{dice.random():.12f} changed\n"
        save(session, "".join(lines), store.raw(PATH).decode())
        session.history.drain()
    assert len(session.history.versions(PATH)) == 101
    size = sum(place.stat().st_size for place in Path(session.history.home).rglob("*") if place.is_file())
    assert size < 1_000_000


@pytest.mark.parametrize("how", ["ours", "seen", "missed"])
def test_however_much_is_recorded_few_objects_are_files_of_their_own(
    store: AStore, session: Session, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setattr("zsmem_tui.store.history.repository.LOOSE_LIMIT", 4)
    look(session)
    for number in range(12):
        if how == "ours":
            save(session, f"version {number}\n", store.raw(PATH).decode())
            session.history.drain()
        else:
            store.has(PATH, f"version {number}\n")
            session.history.observe([PATH]) if how == "seen" else look(session)
        with session.history.opened() as repo:
            assert len(list(repo._store._iter_loose_objects())) < 4
    assert len(texts(session)) == 13


@pytest.mark.parametrize("size", [99, 100, 101])
def test_a_text_of_just_as_much_as_is_kept_can_be_written_over(
    store: AStore, session: Session, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(journal, "LARGEST_TEXT", 100)
    store.has(PATH, "x" * size)
    refused = pytest.raises(WriteFailed, match="could not be kept first")
    with refused if size > 100 else contextlib.nullcontext():
        session.mem().write("long_term", "other", "overwrite")


@pytest.mark.program("git")
def test_a_kill_while_packing_loses_nothing(store: AStore, session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zsmem_tui.store.history.repository.LOOSE_LIMIT", 4)
    for number in range(12):
        base = store.raw(PATH)
        save(session, f"version {number}\n", base.decode())
        session.history.drain()
    with session.history.opened() as repo:

        def stop(pack: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(repo._store, "_remove_pack", stop)
        with pytest.raises(KeyboardInterrupt):
            repo.pack_all()
    with session.history.opened() as repo:
        assert len(repo._store.packs) > 1
        repo.pack_all()
        assert len(repo._store.packs) == 1
    assert len(texts(session)) == 13 and texts(session)[0] == b"version 11\n"
    assert "error" not in git(session, "fsck", "--full")


def test_a_drain_that_is_stopped_after_a_commit_does_not_repeat_it(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    save(session, "one\n", "one\ntwo\nthree\n")

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(journal, "drop", stop)
        with pytest.raises(KeyboardInterrupt):
            session.history.drain()
    before = told(session)
    session.history.drain()
    assert told(session) == [(Origin.YOU, "", 0, 2), *before[-1:]]


def test_a_journal_that_cannot_be_cleared_is_said(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    save(session, "one\n", "one\ntwo\nthree\n")

    def refuse(place: str) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("zsmem_tui.store.disk.state.drop", refuse)
    with pytest.raises(HistoryError, match="Permission denied"):
        session.history.drain()


def test_what_an_interrupted_write_left_never_stands_for_the_file(store: AStore, session: Session) -> None:
    look(session)
    store.has(f".MEMORY.md.zsmem-{forking.a_dead_process()}-0", "one\ntw")
    writing.save(session.root, "OTHER.md", b"x", None, confirm=False, recorder=session.recorder())
    session.history.drain()
    assert b"one\ntw" in texts(session) and texts(session)[0] == b"one\ntwo\nthree\n"
    assert session.history.pending_review() == []


def test_a_history_that_was_moved_away_begins_anew_with_everything(store: AStore, session: Session) -> None:
    look(session)
    shutil.rmtree(os.path.join(session.history.home, "git"))
    again = store.session()
    look(again)
    assert texts(again) == [b"one\ntwo\nthree\n"]


def test_renaming_keeps_what_is_unseen_unseen(store: AStore, session: Session) -> None:
    store.has("~/notes/n.md", "note\n")
    look(session)
    store.has("~/notes/n.md", "note\nagent\n")
    session.history.observe([f"projects/{store.project}/notes/n.md"])
    file_ops.rename(session, session.mem().source_ref("note", "n"), "m")
    session.history.drain()
    [unseen] = session.history.pending_review()
    assert unseen.path.endswith("m.md") and session.history.text(unseen.reviewed) == b"note\n"


def test_a_rebuilt_list_still_knows_what_is_undone(store: AStore, session: Session) -> None:
    save(session, "ONE\n", "one\ntwo\nthree\n")
    store.has(PATH, "one\ntwo\nthree\n")
    assert undoing.undo(session).done
    session.history.drain()
    os.unlink(os.path.join(session.history.home, "versions"))
    assert undoing.undo(session).message == "Nothing to undo."


def test_both_of_two_wipes_are_offered(store: AStore, session: Session) -> None:
    full = "".join(f"fact {number}\n" for number in range(100))
    store.has(PATH, full)
    look(session)
    for text in ("1\n2\n3\n4\n5\n6\n", "7\n"):
        store.has(PATH, text)
        session.history.observe([PATH])
    [wipe] = reviewing.wipes(session)
    assert wipe.lines == 106
    reviewing.restore_wiped(session, [wipe])
    assert store.raw(PATH).decode() == full + "1\n2\n3\n4\n5\n6\n7\n"


@pytest.mark.parametrize("left", [None, "", "1\n"])
def test_a_wipe_brings_back_what_was_written_since_the_person_looked_too(store: AStore, session: Session, left: str | None) -> None:
    seen = "".join(f"fact {number}\n" for number in range(6))
    store.has(PATH, seen)
    look(session)
    for number in range(4):
        store.has(PATH, full := seen + "".join(f"agent {each}\n" for each in range(number + 1)))
        session.history.observe([PATH])
    if left is None:
        os.unlink(os.path.join(store.root, PATH))
    else:
        store.has(PATH, left)
    session.history.observe([PATH])
    [wipe] = reviewing.wipes(session)
    assert wipe.lines == 10
    reviewing.restore_wiped(session, [wipe])
    assert store.raw(PATH).decode() == full + (left or "")
    assert not reviewing.wipes(session)
    [change] = reviewing.pending(session)
    assert (change.reviewed or b"").decode() == seen and change.added == 4 + bool(left), "nobody has seen these lines"
    assert undoing.undo(session).done and reviewing.wipes(session) == [wipe]
    assert undoing.undo(session, redo=True).done and reviewing.pending(session)[0].added == change.added


@pytest.mark.parametrize("rubbish", [b"", b"x", b"\0" * 200])
def test_rubbish_in_a_pack_index_is_an_error_of_ours(store: AStore, session: Session, rubbish: bytes) -> None:
    save(session, "one\n", "one\ntwo\nthree\n")
    session.history.drain()
    with session.history.opened() as repo:
        repo.pack_all()
    for place in Path(session.history.home).rglob("*.idx"):
        place.chmod(0o644)
        place.write_bytes(rubbish)
    with pytest.raises(HistoryError):
        undoing.undo(store.session())


def test_what_others_do_to_archived_items_is_in_the_history_and_in_the_review(store: AStore, session: Session) -> None:
    path = f"projects/{store.project}/archive/SCRATCHPAD.md"
    store.has(path, "- [x] done\n").has("~/notes/n.md", "n\n")
    look(session)
    watcher = Watcher(session.root, session.layout)
    assert [entry.ref.path for entry in watcher.scan().catalog.kept] == [path]
    store.has(path, "- [x] changed\n")
    look(session)
    assert texts(session, path) == [b"- [x] changed\n", b"- [x] done\n"]
    assert [(each.ref.path, each.ref.project) for each in reviewing.pending(session)] == [(path, store.project)]
    assert all(entry.ref.path != path for project in watcher.scan().catalog.projects for entry in project.files)
    store.at(path).unlink()
    look(session)
    assert texts(session, path)[0] is None


def at_a_turn_of_others(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
    """Another program acts once, when catching up lets others have their turn."""
    left = [act]
    monkeypatch.setattr(history_module, "_BATCH_BYTES", 1)
    monkeypatch.setattr(time, "sleep", lambda _: left.pop()() if left else None)


@pytest.mark.program("git")
@pytest.mark.parametrize("secret", ["three", "stands nowhere"])
def test_what_another_program_forgets_while_this_one_catches_up_costs_nothing_else(
    store: AStore, session: Session, monkeypatch: pytest.MonkeyPatch, secret: str
) -> None:
    look(session)
    for number in range(450):
        store.has(f"projects/p/notes/n{number}.md", f"text {number}\n")
    other = store.session()
    at_a_turn_of_others(monkeypatch, lambda: retention.forget(other.history, secret.encode()))
    look(session)
    for number in (0, 449):
        assert texts(session, f"projects/p/notes/n{number}.md") == [b"text %d\n" % number]
    git(session, "fsck", "--strict")


def test_who_looks_first_beside_another_does_not_take_the_news_for_seen(
    store: AStore, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(250):
        store.has(f"projects/p/notes/n{number}.md", f"text {number}\n")
    other = store.session()

    def look_and_see_a_change() -> None:
        look(other)
        store.has(PATH, "one\ntwo\nthree\nfour\n")
        other.history.observe([PATH])

    at_a_turn_of_others(monkeypatch, look_and_see_a_change)
    look(session)
    assert [each.path for each in session.history.pending_review()] == [PATH]


def test_a_version_that_was_shown_before_it_was_forgotten_is_said_to_be_gone_and_cannot_be_marked_as_seen(
    store: AStore, session: Session
) -> None:
    look(session)
    store.has(PATH, "one\ntwo\nthree\nsecret-word\n")
    session.history.observe([PATH])
    [shown] = session.history.pending_review()
    retention.forget(store.session().history, b"secret-word")
    with pytest.raises(HistoryError) as told:
        session.history.text(shown.now)
    assert "damaged" not in str(told.value) and "begin a new history" not in told.value.hint
    with session.history.opened() as repo:
        assert review_baseline.outdated(repo, {PATH: Move(shown.reviewed, shown.now)}) == [PATH]
    session.history.mark_reviewed({PATH: shown.now})
    retention.forget(session.history, b"another-word")
    assert [each.path for each in session.history.pending_review()] == [PATH]


def test_a_secret_that_stands_in_what_was_said_of_a_step_alone_is_forgotten_there(session: Session) -> None:
    with session.batch("Deleted: hunter2secret") as batch:
        batch.update(PATH, lambda now: b"one\n")
    session.history.drain()
    assert next(each.label for each in session.history.versions(PATH)) == "Deleted: hunter2secret"
    retention.forget(session.history, b"hunter2secret")
    assert next(each.label for each in session.history.versions(PATH)) == "Deleted: [forgotten]"
    assert "hunter2secret" not in git(session, "log", "--all", "--format=%B")


@pytest.mark.parametrize("way", ["file", "folder"])
def test_what_a_link_out_of_the_store_leads_to_is_not_kept_and_what_stood_there_stays(
    store: AStore, session: Session, tmp_path: Path, way: str
) -> None:
    store.has("~/notes/redis.md", "one\n")
    note = store.at("~/notes/redis.md")
    path, beside = (str(each.relative_to(store.root)) for each in (note, note.with_name("other.md")))
    look(session)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for name in ("redis.md", "other.md"):
        (elsewhere / name).write_text("root:x:0:0\n")
    place = note if way == "file" else note.parent
    os.rename(place, tmp_path / "aside")
    place.symlink_to(elsewhere / "redis.md" if way == "file" else elsewhere)
    if way == "file":
        note.with_name("other.md").symlink_to(elsewhere / "other.md")
    session.history.observe([path, beside])
    look(session)
    assert texts(session, path) == [b"one\n"] and not texts(session, beside) and session.history.pending_review() == []
    assert session.history.outside == {path, beside}
    problem = today.news(session).problem
    assert problem == f"Links that leave the store: their files are not searched, checked, kept or changed: {beside}, {path}."
    known = [(each.path, each.kind) for each in Doctor(session).examine().faults if each.kind == "link-out"]
    assert sorted(known) == [(beside, "link-out"), (path, "link-out")]
    place.unlink()
    os.rename(tmp_path / "aside", place)
    note.write_text("two\n")
    look(session)
    assert texts(session, path) == [b"two\n", b"one\n"] and path not in session.history.outside
    ways = {os.path.relpath(elsewhere / "other.md", store.root), str(elsewhere / "other.md")}
    session.history.observe(ways)
    assert session.history.outside >= ways and not any(texts(session, each) for each in ways), "also without a link"


def test_a_link_within_the_store_is_kept_as_what_it_leads_to(store: AStore, session: Session) -> None:
    store.has("~/notes/real.md", "one\n")
    store.at("~/notes/name.md").symlink_to("real.md")
    look(session)
    assert session.history.versions(str(store.at("~/notes/name.md").relative_to(store.root)))


def test_a_large_step_of_ours_is_taken_in_without_syncing_each_text(
    store: AStore, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    with session.batch("Much") as batch:
        for number in range(100):
            batch.replace(f"notes-{number}.md", None, b"- %d\n" % number)
    synced: list[int] = []
    true = os.fsync

    def fsync(handle: int) -> None:
        synced.append(handle)
        true(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    session.history.drain()
    assert len(synced) < 30
    assert session.history.text(session.history.versions("notes-99.md")[0].after) == b"- 99\n"
    assert undoing.undo(session).done and not store.at("notes-99.md").exists()


def test_of_a_text_that_comes_and_goes_unseen_few_copies_are_read_and_none_split_in_vain(
    store: AStore, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Steps wait for this behind a text of many megabytes."""
    look(session)
    path = "projects/p/notes/huge.md"
    read: list[str] = []
    split: list[str] = []
    text, counts = Repository.text, review_baseline._counts

    def noted(into: list[str], ask: Callable[[Repository, str], Any]) -> Callable[[Repository, str], Any]:
        def asked(repo: Repository, id: str) -> Any:
            into.append(id)
            return ask(repo, id)

        return asked

    monkeypatch.setattr(Repository, "text", noted(read, text))
    monkeypatch.setattr(review_baseline, "_counts", noted(split, counts))
    store.has(path, "".join(f"- line {number}\n" for number in range(1000)))
    look(session)
    id = session.history.versions(path)[0].after
    assert id and id not in split, "nothing is wiped yet"
    (store.root / path).unlink()
    read.clear()
    look(session)
    assert read.count(id) <= 2 and [each.ref.path for each in reviewing.wipes(session)] == [path]
