"""The one write path, with the failures that happen in life."""

from __future__ import annotations

import contextlib
import errno
import os
import resource
import stat
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from tests import forking
from tests.builders import AStore
from zsmem_tui import Mem, OutsideStore, Profile, WriteFailed
from zsmem_tui.core.errors import StoreError, WriteConflict
from zsmem_tui.core.limits import MAX_WRITE_BYTES
from zsmem_tui.store import writing
from zsmem_tui.store.disk import displaced, lock, swap
from zsmem_tui.store.history import journal
from zsmem_tui.store.write_path import late_writes


def test_the_mode_of_a_file_is_kept(store: AStore) -> None:
    store.has("MEMORY.md", "a\n").at("MEMORY.md").chmod(0o600)
    store.mem().write("long_term", "b")
    assert stat.S_IMODE(store.at("MEMORY.md").stat().st_mode) == 0o600


def test_an_entry_of_the_log_has_the_local_time_of_a_moment_in_any_zone(store: AStore) -> None:
    elsewhere = datetime(2026, 5, 25, 12, 7).astimezone().astimezone(timezone(timedelta(hours=5.75)))
    store.mem().append_daily("noon", "x", now=elsewhere)
    assert b"### 12:07 \xe2\x80\x94 noon\n" in store.raw("~/daily/2026-05-25.md")


def test_a_link_inside_the_store_is_written_through(store: AStore) -> None:
    store.has("~/notes/real.md", "a\n").at("~/notes/alias.md").symlink_to("real.md")
    store.mem().write("note", "b", name="alias")
    assert store.at("~/notes/alias.md").is_symlink() and store.raw("~/notes/real.md") == b"a\nb\n"


@pytest.mark.parametrize("link", ["file", "folder"])
def test_a_link_that_leaves_the_store_is_read_but_never_written_through(store: AStore, tmp_path: Path, link: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.md").write_text("elsewhere\n")
    store.at("~/").mkdir(parents=True)
    if link == "folder":
        store.at("~/notes").symlink_to(outside)
    else:
        store.has("~/notes/y.md", "").at("~/notes/x.md").symlink_to(outside / "x.md")
    assert store.mem().read("note", "x") == "elsewhere\n"
    with pytest.raises(OutsideStore, match=r"x\.md is a link that leaves the store"):
        store.mem().write("note", "mine", name="x")
    assert (outside / "x.md").read_text() == "elsewhere\n"


def test_a_dangling_link_that_leaves_the_store_creates_nothing_outside(store: AStore, tmp_path: Path) -> None:
    store.has("~/notes/y.md", "").at("~/notes/x.md").symlink_to(tmp_path / "nowhere.md")
    with pytest.raises(OutsideStore):
        store.mem().write("note", "mine", name="x")
    assert not (tmp_path / "nowhere.md").exists()


@pytest.mark.parametrize("act", ["new file", "same text there", "another text there", "delete"])
@pytest.mark.parametrize("at", range(9))
def test_a_folder_that_becomes_a_link_between_two_steps_leads_no_write_out_of_the_store(
    store: AStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, act: str, at: int
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.md").write_text("other\n" if act == "another text there" else "mine\n")
    before = AStore(outside).tree()
    path = "projects/p/notes/" + ("y.md" if act == "new file" else "x.md")
    folder = store.has("projects/p/notes/x.md", "mine\n").at("projects/p/notes")
    left = [at]

    def step(_: str) -> None:
        left[0] -= 1
        if left[0] == -1:
            folder.rename(folder.with_name("old"))
            folder.symlink_to(outside)

    monkeypatch.setattr(swap, "step", step)
    said = ""
    try:
        if act == "delete":
            writing.remove(str(store.root), path, expected=b"mine\n")
        else:
            writing.update(str(store.root), path, lambda now: b"mine\nmore\n")
    except StoreError as error:
        said = error.message
    assert AStore(outside).tree() == before
    there = folder.with_name("old") / Path(path).name
    assert "Nothing was written" not in said or not there.exists() or there.read_bytes() == b"mine\n"


@pytest.mark.parametrize("moment", ["kept", "taken away"])
def test_what_is_written_while_a_file_is_deleted_stays(store: AStore, monkeypatch: pytest.MonkeyPatch, moment: str) -> None:
    """Right before it is taken away, it is theirs again and is not deleted; a new one of its name is theirs."""
    session, root = store.has("MEMORY.md", "one\n").session(), str(store.root)
    theirs = {"kept": b"one\nagent\n", "taken away": b"agent\n"}[moment]

    def agent(name: str) -> None:
        if name == moment:
            store.has("MEMORY.md", theirs)

    monkeypatch.setattr(swap, "step", agent)
    recorder = session.recorder()
    recorder.guard = lambda *_: agent("kept")
    refused = pytest.raises(WriteConflict, match=r"MEMORY\.md changed meanwhile\. It was not deleted\.")
    with refused if moment == "kept" else contextlib.nullcontext():
        assert writing.remove(root, "MEMORY.md", recorder=recorder)[1:4] == (b"one\n", None, True)
    assert store.tree() == {"MEMORY.md": theirs}
    session.history.drain()
    kept = [session.history.text(each.after) for each in session.history.versions("MEMORY.md")]
    assert (theirs in kept) is (moment == "kept"), "what was out of sight for an instant is kept"


def test_a_write_is_synced_with_its_folder_and_its_note_is_free_again(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(os.fstat(handle).st_ino))
    for text in ("- a", "- b"):
        synced.clear()
        store.mem().write("long_term", text, "overwrite", confirm=False)
        assert {store.root.stat().st_ino, store.at("MEMORY.md").stat().st_ino} <= {*synced}
    assert [each.stat().st_size for each in Path(displaced.home_of(str(store.root))).iterdir()] == [0]


def test_what_comes_late_into_a_file_that_was_deleted_is_in_the_history(store: AStore) -> None:
    session, root = store.has("MEMORY.md", "one\n").session(), str(store.root)
    with store.at("MEMORY.md").open("ab") as agent:
        assert [each.was for each in writing.remove(root, "MEMORY.md", recorder=session.recorder()).late] == [b"one\n"]
        agent.write(b"agent\n")
    assert late_writes.take_in(root, session.recorder()) == ["MEMORY.md"] and store.tree() == {}
    session.history.drain()
    assert b"one\nagent\n" in [session.history.text(each.after) for each in session.history.versions("MEMORY.md")]


def test_an_append_to_a_file_that_is_not_utf8_keeps_its_bytes_and_says_so(store: AStore) -> None:
    store.has("~/notes/old.md", b"caf\xe9")
    report = store.mem().write("note", "more", name="old")
    assert store.raw("~/notes/old.md") == b"caf\xe9\nmore\n"
    assert "agents cannot read it" in report.warnings[0]
    store.has("MEMORY.md", b"caf\xe9\n")
    store.mem(Profile.ZEROSTACK_1_7).write("long_term", "more")
    assert store.raw("MEMORY.md") == b"caf\xe9\nmore\n", "where lines that are there already are left out, too"


def test_nothing_of_ours_is_left_behind_when_the_disk_is_full(store: AStore) -> None:
    store.has("MEMORY.md", "old\n")
    code = (
        "import resource, sys, signal\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "from zsmem_tui import Mem, WriteFailed\n"
        "try: Mem(sys.argv[1], 'p', '2026-05-25').write('long_term', 'x' * 5000)\n"
        "except WriteFailed as error: print(error)\n"
    )
    done = forking.python(code, store.root)
    assert "MEMORY.md: File too large. Nothing was written." in done.stdout and not done.returncode, done.stderr
    assert store.tree() == {"MEMORY.md": b"old\n"}
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 1000


@pytest.mark.parametrize("step", ["open", "write", "fsync", "fchmod"])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EACCES])
def test_a_failure_at_any_step_leaves_the_old_text_and_no_temporary_file(
    store: AStore, monkeypatch: pytest.MonkeyPatch, step: str, code: int
) -> None:
    store.has("MEMORY.md", "old\n")
    real = getattr(os, step)

    def fail(*arguments: object, **options: object) -> object:
        if step == "open" and not str(arguments[0]).split("/")[-1].startswith("."):
            return real(*arguments, **options)
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, step, fail)
    with pytest.raises(WriteFailed, match="Nothing was written"):
        store.mem().write("long_term", "new")
    monkeypatch.undo()
    assert store.tree() == {"MEMORY.md": b"old\n"}


@pytest.mark.parametrize("step", ["temporary file made", "temporary file written", "temporary file synced"])
def test_no_temporary_file_stays_in_a_folder_that_was_moved_meanwhile(
    store: AStore, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    away = store.root.with_name("away")
    monkeypatch.setattr(swap, "step", lambda name: os.rename(store.root, away) if name == step else None)
    before = store.tree()
    with pytest.raises(WriteFailed, match=r"Nothing was written|leaves the store"):
        store.mem().write("long_term", "- mine")
    monkeypatch.undo()
    os.rename(away, store.root)
    assert store.tree() == before


@pytest.mark.parametrize("step", ["exchanged", "displaced text read"])
@pytest.mark.parametrize("theirs", [b"", b"- theirs\n"], ids=["alone", "beside another's write"])
def test_what_was_displaced_stays_in_no_folder_that_is_moved_then(
    store: AStore, monkeypatch: pytest.MonkeyPatch, step: str, theirs: bytes
) -> None:
    away, before = store.root.with_name("away"), store.has("MEMORY.md", "- old\n").raw("MEMORY.md")

    def moves(name: str) -> None:
        if name == "temporary file synced" and theirs:
            store.has("MEMORY.md", before + theirs)
        if name == step and store.root.exists():
            os.rename(store.root, away)

    monkeypatch.setattr(swap, "step", moves)
    with pytest.raises(WriteFailed, match="It was written"):
        store.mem().write("long_term", "- mine")
    monkeypatch.undo()
    assert AStore(away).tree() == {"MEMORY.md": before + theirs + b"- mine\n"}


def test_a_folder_called_like_a_note_is_refused(store: AStore) -> None:
    store.at("~/notes/x.md").mkdir(parents=True)
    for mode in ("append", "overwrite"):
        with pytest.raises(WriteFailed, match=r"x\.md: it is a folder\. Nothing was written"):
            store.mem().write("note", "text", mode, "x")


def test_a_root_that_is_a_file_is_refused(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.write_text("I am a file")
    with pytest.raises(WriteFailed, match="is not a folder"):
        Mem(root, "p", "2026-05-25").write("long_term", "x")
    assert root.read_text() == "I am a file"


def test_temporary_files_of_dead_processes_are_swept_and_those_of_living_ones_kept(store: AStore) -> None:
    dead, alive = f".MEMORY.md.zsmem-{forking.a_dead_process()}-0", f".MEMORY.md.zsmem-{os.getpid()}-999"
    store.has(dead, "half a te").has(alive, "half a te")
    store.mem().write("long_term", "x")
    assert set(store.tree()) == {"MEMORY.md", alive}
    pending = journal.pending_folder(str(store.root))
    entries = [found for name in journal.names(pending) for found in journal.read(pending, name)]
    assert [(each.path, each.before.raw) for each in entries if each and each.before] == [("MEMORY.md", b"half a te")]


def test_a_lock_held_too_long_is_an_error_and_not_a_wait_for_ever(store: AStore) -> None:
    def take() -> None:
        with lock.writer(str(store.root), wait=0.1):
            raise AssertionError("two writers at once")

    with lock.writer(str(store.root)), ThreadPoolExecutor(1) as other:
        with lock.writer(str(store.root), wait=0.01):  # whoever holds it has it
            pass
        with pytest.raises(WriteFailed, match=r"another zsmem is writing, 0\.[1-9] seconds or longer"):
            other.submit(take).result()


def test_a_dead_writer_holds_no_lock(store: AStore) -> None:
    code = "import os, sys\nfrom zsmem_tui.store.disk import lock\nwith lock.writer(sys.argv[1]): os.kill(os.getpid(), 9)"
    assert forking.python(code, store.root).returncode == -9
    with lock.writer(str(store.root), wait=0.5):
        pass


def test_eight_processes_appending_ten_lines_each_leave_all_80(store: AStore) -> None:
    code = (
        "import os, sys\nfrom zsmem_tui import Mem\n"
        "writer = next((each for each in range(8) if os.fork() == 0), None)\n"
        "if writer is None: print([os.wait()[1] for _ in range(8)])\n"
        "else:\n"
        "    mem = Mem(sys.argv[1], 'p', '2026-05-25')\n"
        "    for number in range(10): mem.write('long_term', f'- {writer} {number}')\n"
    )
    done = forking.python(code, store.root)
    assert done.stdout == f"{[0] * 8}\n", done.stderr
    found = store.raw("MEMORY.md").decode().split("\n")
    assert sorted(found) == sorted(["", *(f"- {writer} {number}" for writer in range(8) for number in range(10))])


def test_a_dry_run_says_the_same_and_touches_nothing(store: AStore) -> None:
    before = store.has("~/SCRATCHPAD.md", "- [ ] a\n").tree()
    planned = [str(store.mem(dry_run=True).write(target, "new", name="n")) for target in ("scratchpad", "note", "long_term")]
    assert store.tree() == before and not store.at("~/notes").exists()
    assert [str(store.mem().write(target, "new", name="n")) for target in ("scratchpad", "note", "long_term")] == planned


def test_a_file_without_permission_to_read_is_not_replaced(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    store.has("MEMORY.md", "precious\n")
    real = os.open

    def refuse(path: object, *arguments: object, **options: object) -> int:
        if str(path).endswith("/MEMORY.md"):
            raise PermissionError(errno.EACCES, "Permission denied")
        return real(path, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(WriteFailed, match=r"Permission denied\. Nothing was written"):
        store.mem().write("long_term", "x")
    monkeypatch.undo()
    assert store.raw("MEMORY.md") == b"precious\n"


@pytest.mark.parametrize(
    ("place", "mode", "words"), [("~/notes", 0o500, ": Permission denied"), ("~/notes/a.md", 0o444, " is write-protected")]
)
def test_what_may_not_be_written_is_an_error_that_names_the_file(store: AStore, place: str, mode: int, words: str) -> None:
    store.has("~/notes/a.md", "a\n").at("~/notes").chmod(0o777)
    store.at(place).chmod(mode)
    code = (
        "import os, sys\n"
        "from zsmem_tui import Mem, MemError\n"
        "if os.getuid() == 0: os.setuid(65534)\n"
        "try: Mem(sys.argv[1], 'demo-1a2b3c4d', '2026-05-25').write('note', 'b', name='a')\n"
        "except MemError as error: print(error)\n"
    )
    done = forking.python(code, store.can_be_entered().root)
    store.at("~/notes").chmod(0o700)
    assert f"a.md{words}. Nothing was written." in done.stdout, done.stderr
    assert store.raw("~/notes/a.md") == b"a\n"


def test_a_file_gets_the_time_that_is_asked_for_and_a_merged_one_its_own(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    when = 1_234_567_890_123_456_789
    writing.update(str(store.root), "MEMORY.md", lambda now: b"one\n", modified=when)
    assert store.at("MEMORY.md").stat().st_mtime_ns == when

    def meanwhile(step: str) -> None:
        if step == "read":
            monkeypatch.setattr(swap, "step", swap.no_step)
            store.has("MEMORY.md", "one\ntwo\n")

    monkeypatch.setattr(swap, "step", meanwhile)
    writing.update(str(store.root), "MEMORY.md", lambda now: b"zero\n" + (now or b""), modified=when)
    assert store.raw("MEMORY.md") == b"zero\none\ntwo\n" and store.at("MEMORY.md").stat().st_mtime_ns != when


def test_a_write_of_what_is_there_already_writes_nothing_and_says_so(tmp_path: Path) -> None:
    mem = Mem(tmp_path, "p", "2026-05-25", profile=Profile.ZEROSTACK_1_7)
    assert mem.write("long_term", "- one\n- two").written == 11
    done = mem.write("long_term", "- two\n- one")
    assert (done.written, done.skipped_lines, done.changed) == (0, 2, False)


def test_a_write_of_just_as_much_as_may_be_is_whole(tmp_path: Path) -> None:
    mem = Mem(tmp_path, "p", "2026-05-25")
    for size, cut in ((MAX_WRITE_BYTES, None), (MAX_WRITE_BYTES + 1, MAX_WRITE_BYTES + 1)):
        done = mem.write("note", "x" * size, name=f"n{size}")
        assert done.truncated_from == cut and (tmp_path / f"projects/p/notes/n{size}.md").stat().st_size == MAX_WRITE_BYTES + 1


def test_a_backup_that_another_takes_the_place_of_is_in_the_history(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory").has("MEMORY.md", "new\n").has("MEMORY.bak", "old backup\n")
    session = store.session()
    writing.update(str(store.root), "MEMORY.md", lambda _: b"newest\n", recorder=session.recorder("x"), backup=True)
    session.history.drain()
    assert [session.history.text(each.after) for each in session.history.versions("MEMORY.bak")] == [b"old backup\n"]
    assert (store.raw("MEMORY.bak"), store.raw("MEMORY.md")) == (b"new\n", b"newest\n")


def test_a_backup_may_be_read_by_no_more_people_than_what_it_is_a_copy_of(tmp_path: Path) -> None:
    store = AStore(tmp_path).has("MEMORY.md", "one\n").has("MEMORY.bak", "older\n").has("~/notes/own.md", "text\n")
    for path in ("MEMORY.md", "~/notes/own.md"):
        store.at(path).chmod(0o600)
    mem = store.mem(Profile.ZEROSTACK_1_7)
    mem.write("long_term", "two\n", "overwrite")
    mem.edit("note", "own")
    for path, text in (("MEMORY.bak", b"one\n"), ("~/notes/own.bak", b"text\n")):
        assert store.raw(path) == text and store.at(path).stat().st_mode & 0o777 == 0o600


def test_nothing_that_was_opened_stays_open(store: AStore) -> None:
    session, seen = store.has("MEMORY.md", "- one\n").session(), set[int]()
    for number in range(3):
        base = store.raw("MEMORY.md")
        writing.save(str(store.root), "MEMORY.md", base + b"- %d\n" % number, base, recorder=session.recorder())
        session.mem().write("note", "- new", name=f"n{number}")
        writing.remove(str(store.root), f"projects/{store.project}/notes/n{number}.md", recorder=session.recorder())
        session.history.drain()
        assert store.mem().search("one").hits
        seen.add(len(os.listdir("/proc/self/fd")))
    assert len(seen) == 1
