"""What we write for git is what git and dulwich would have written, or nothing."""

from __future__ import annotations

import errno
import os
import random
import subprocess
from pathlib import Path

import pytest
from dulwich.object_format import DEFAULT_OBJECT_FORMAT
from dulwich.pack import Pack, create_delta
from dulwich.repo import Repo

from tests import forking
from tests.builders import AStore
from zsmem_tui.core.errors import HistoryError
from zsmem_tui.store.history import git_files
from zsmem_tui.store.history.git_files import BLOB, DELTA, FAST, Packed, make_repository, packed, set_reference, write_pack
from zsmem_tui.store.scan import scan

SIZES = (0, 1, 15, 16, 2_047, 2_048, 262_143, 262_144, 300_000)


@pytest.mark.program("git")
def test_a_pack_of_texts_of_every_size_and_of_a_difference_is_read_by_git_and_by_dulwich(tmp_path: Path) -> None:
    dice = random.Random(1)
    home = str(tmp_path / "git")
    make_repository(home, {})
    texts = [packed(BLOB, dice.randbytes(size)) for size in SIZES]
    changed = packed(BLOB, texts[-1].raw[:100] + b"news" + texts[-1].raw[200:])
    delta = Packed(DELTA, b"".join(create_delta(texts[-1].raw, changed.raw)), changed.id, texts[-1].id)
    write_pack(f"{home}/objects/pack", [each.id for each in (*texts, changed)], [*texts, delta], FAST)
    with Repo(home) as repo:
        assert all(repo[each.id.encode()].as_raw_string() == each.raw for each in (*texts, changed))
    told = subprocess.run(["git", "-C", home, "cat-file", "--batch-check"], input=changed.id, capture_output=True, text=True)
    assert told.stdout == f"{changed.id} blob {len(changed.raw)}\n"
    assert subprocess.run(["git", "-C", home, "fsck", "--full", "--strict"], capture_output=True).returncode == 0


def test_a_pack_has_the_name_that_dulwich_gives_it(tmp_path: Path) -> None:
    texts = [packed(BLOB, b"%d" % number) for number in range(3)]
    write_pack(str(tmp_path), [each.id for each in texts], texts, FAST)
    [place] = tmp_path.glob("*.pack")
    pack = Pack(str(place.with_suffix("")), object_format=DEFAULT_OBJECT_FORMAT)
    pack.check()
    assert pack.name().decode() == git_files.pack_name(each.id for each in texts)
    assert place.name == f"pack-{pack.name().decode()}.pack"
    pack.close()


def test_a_reference_that_another_program_holds_or_moved_is_left_alone(tmp_path: Path) -> None:
    home, new = str(tmp_path), "1" * 40
    set_reference(home, "refs/heads/main", "", new, lambda: "")
    with pytest.raises(HistoryError, match="another program changed the history meanwhile"):
        set_reference(home, "refs/heads/main", "2" * 40, "3" * 40, lambda: new)
    (tmp_path / "refs/heads/main.lock").touch()
    with pytest.raises(HistoryError, match=r"main\.lock: another program changes the history now\. Memory is saved all the same\."):
        set_reference(home, "refs/heads/main", new, "3" * 40, lambda: new)
    assert (tmp_path / "refs/heads/main").read_text() == f"{new}\n"


def test_a_repository_that_was_cut_short_is_made_again(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory").has("MEMORY.md", "one\n")
    session = store.session()
    home = os.path.join(session.history.home, "git")
    os.makedirs(os.path.join(home, "info"))
    Path(home, "HEAD").write_bytes(b"")
    session.history.catch_up(scan(session.root, session.layout))
    assert session.history.text(session.history.versions("MEMORY.md")[0].after) == b"one\n"


FULL = """
import resource, sys
from zsmem_tui.core.errors import HistoryError
from zsmem_tui.service.session import Session
from zsmem_tui.store.scan import scan
session = Session(sys.argv[1], "p")
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
try:
    session.history.catch_up(scan(session.root, session.layout))
    [session.history.observe([f"projects/p/notes/{number}.md"]) for number in range(60)]
except HistoryError as error:
    print(error.message)
"""


@pytest.mark.parametrize("limit", [0, 30, 60, 150, 400, 3_000])
def test_a_full_disk_is_one_sentence_and_leaves_nothing_half_written(tmp_path: Path, limit: int) -> None:
    store = AStore(tmp_path / "memory")
    for number in range(60):
        store.has(f"projects/p/notes/{number}.md", f"{number}\n" * 9)
    done = forking.python(FULL, store.root, limit)
    assert done.stderr == "" and done.stdout.casefold().endswith("memory is saved all the same.\n")
    session = store.session()
    left = [name for _, _, names in os.walk(session.history.home) for name in names if ".zsmem-" in name or name.endswith(".lock")]
    assert left == []
    session.history.catch_up(scan(session.root, session.layout))
    assert all(session.history.text(each.after) for each in session.history.latest())


@pytest.mark.program("git")
def test_git_has_nothing_to_say_of_what_a_kill_left_half_written(tmp_path: Path) -> None:
    home = str(tmp_path / "git")
    make_repository(home, {})
    blob = packed(BLOB, b"text")
    kill = """
import os, sys
from zsmem_tui.store.history.git_files import *
os.fsync = lambda _: os.kill(os.getpid(), 9)
{}
"""
    for act in (
        f"write_loose('{home}/objects', b'blob', b'text', '{blob.id}')",
        f"write_pack('{home}/objects/pack', ['{blob.id}'], [packed(BLOB, b'text')], FAST)",
        f"set_reference('{home}', 'refs/heads/main', '', '{blob.id}', str)",
    ):
        assert forking.python(kill.format(act)).returncode == -9
    told = subprocess.run(["git", "-C", home, "fsck", "--strict"], capture_output=True, text=True)
    assert told.returncode == 0 and "bad" not in told.stderr + told.stdout, told.stderr
    assert subprocess.run(["git", "-C", home, "for-each-ref"], capture_output=True, text=True).stdout == ""


def test_on_a_full_disk_nobody_is_told_to_begin_a_new_history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = AStore(tmp_path / "memory").has("MEMORY.md", "one\n").session()
    session.history.catch_up(scan(session.root, session.layout))

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    (tmp_path / "memory/MEMORY.md").write_text("two\n")
    with monkeypatch.context() as patch, pytest.raises(HistoryError, match="No space left") as told:
        patch.setattr(os, "fsync", full)
        session.history.observe(["MEMORY.md"])
    assert "not lost" in told.value.hint and "away" not in told.value.hint
    assert [each.added for each in session.history.observe(["MEMORY.md"])] == [1]
