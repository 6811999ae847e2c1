"""The repository that a set-up makes for others to share: whole, or as if it had not been tried."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import shutil
import subprocess
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.forking import a_dead_process
from zsmem_tui.core.errors import BadTarget, RemoteFailed
from zsmem_tui.store.disk import folders, replace
from zsmem_tui.store.sync import branch, place, without_git
from zsmem_tui.store.sync.branch import Told


def is_repository(folder: Path) -> bool:
    return (
        subprocess.run(["git", "-C", folder, "rev-parse", "--is-bare-repository"], capture_output=True, check=False).stdout
        == b"true\n"
    )


Call = Callable[..., Any]


def full(after: int) -> Callable[[Call], Call]:
    """A disk that is full after so many folders and files."""
    left = after

    def spend(true: Call) -> Call:
        def call(*args: object, **options: object) -> Any:
            nonlocal left
            left -= 1
            if left < 0:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return true(*args, **options)

        return call

    return spend


@pytest.mark.parametrize("is_there", [False, True])
@pytest.mark.parametrize("after", range(8))
def test_on_a_full_disk_nothing_is_left_and_the_next_set_up_works(tmp_path: Path, after: int, is_there: bool) -> None:
    remote = tmp_path / "a/b/r.git"
    if is_there:
        remote.mkdir(parents=True)
    before = sorted(tmp_path.rglob("*"))
    with pytest.MonkeyPatch.context() as patch:
        spend = full(after)
        patch.setattr(place, "make_folders", spend(folders.make_folders))
        patch.setattr(place, "replacing", spend(replace.replacing))
        if after < len(place._FOLDERS) + len(place._FILES):
            with pytest.raises(RemoteFailed, match="No space left"):
                place.make_repository(str(remote))
            assert sorted(tmp_path.rglob("*")) == before
    place.make_repository(str(remote))
    assert is_repository(remote)
    place.make_repository(str(remote))


def test_what_a_killed_set_up_left_is_made_whole_and_nothing_else_is_touched(tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    place.make_repository(str(whole))
    for number, cut in enumerate([("HEAD", None), ("config", 0), ("HEAD", 0), ("config", 9), ("HEAD", 5)]):
        left = tmp_path / f"left{number}"
        shutil.copytree(whole, left)
        name, size = cut
        (left / "HEAD").unlink()
        if size is None:
            shutil.rmtree(left / "objects/pack")
        else:
            (left / name).write_bytes(place._FILES[name][:size])
        (left / "notes.md").write_text("mine\n")
        with contextlib.suppress(BadTarget):
            place.make_repository(str(left))
        (left / "notes.md").rename(left / f".config.zsmem-{a_dead_process()}-1")
        place.make_repository(str(left))
        assert is_repository(left) and not list(left.glob(".*"))
    for name, text in (("notes.md", "mine\n"), ("config", "[core]\n\teditor = vi\n"), ("objects/x", "")):
        other = tmp_path / f"other-{Path(name).name}"
        (other / "objects").mkdir(parents=True)
        (other / name).write_text(text)
        with pytest.raises(BadTarget, match="not empty"):
            place.make_repository(str(other))
        assert (other / name).read_text() == text and [each for each in other.rglob("*") if each.is_file()] == [other / name]
    (tmp_path / "empty/notes").mkdir(parents=True)
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked/link").symlink_to("nowhere")
    for name in ("empty", "linked"):
        with pytest.raises(BadTarget, match="not empty"):
            place.make_repository(str(tmp_path / name))


@pytest.mark.parametrize(
    ("url", "meant"),
    [
        *((url, url) for url in ("ssh://me@host/x", "HTTPS://h/x", "git+ssh://host/x", "host:x.git", "me@host:x y", "h:a/b::c")),
        *((url, "/a/x.git") for url in ("/a/x.git", "/a/b/../x.git", "file:///a/x.git", "FILE://host/a/x.git", "../a/x.git")),
        *((url, f"/w/{url}") for url in ("x.git", "a/b:c", "a:there", "x y", "x@y?z")),
        *((url, ".* is no remote: ") for url in ("", "-x", "-oProxyCommand=id:x", "ext::sh -c id", "host:a\x1fb", "/a\nb")),
        *((url, ".* is no way to a remote") for url in ("ftp://host/x", "ext://host/x")),
        *((url, ".* names no host") for url in ("ssh://-oProxyCommand=id/x", "https:///x", "ssh://")),
        *((url, ".* and zsmem keeps none") for url in ("https://me:secret@host/x", "https://host/x?key=1", "me:secret@host:x")),
    ],
)
def test_what_is_meant_by_a_remote(monkeypatch: pytest.MonkeyPatch, url: str, meant: str) -> None:
    monkeypatch.setattr(os.path, "exists", "/w/a:there".__eq__)
    with pytest.raises(BadTarget, match=meant) if meant.startswith(".*") else contextlib.nullcontext():
        assert place.checked(url, "/w") == meant


@pytest.mark.parametrize("was", ["", "c1"])
def test_what_a_commit_says_is_read_back(was: str) -> None:
    said = branch.message("ann's laptop\n", "id1", {"a.md": ["you", "claude-code"], "b.md": []}, was)
    assert said.startswith("Sync from ann's laptop?\n\n")
    assert branch.told(said) == Told("ann's laptop?", {"a.md": "you, claude-code"}, "id1", was)
    assert branch.told(branch.with_former(said, "c2")) == Told("ann's laptop?", {"a.md": "you, claude-code"}, "id1", "c2")


def pack_of(*objects: tuple[int, bytes]) -> io.BytesIO:
    """A pack of objects of a kind (6: a difference to one before it, 7: to one of a name), each with what it holds."""
    raw = b"PACK" + (2).to_bytes(4, "big") + len(objects).to_bytes(4, "big")
    for kind, held in objects:
        rest = len(held) >> 4
        head = bytes([kind << 4 | len(held) & 15 | (0x80 if rest else 0)]) + (number(rest) if rest else b"")
        raw += head + {6: b"\x81\x01", 7: b"\x80" * 20}.get(kind, b"") + zlib.compress(held)
    return io.BytesIO(raw)


def number(value: int) -> bytes:
    return bytes([value & 0x7F | 0x80]) + number(value >> 7) if value > 0x7F else bytes([value])


@pytest.mark.parametrize("kind", [3, 6, 7])
@pytest.mark.parametrize("size", [1, 127, 128, 1000, 1001, 20_000])
def test_no_object_of_a_pack_is_larger_than_is_taken(monkeypatch: pytest.MonkeyPatch, kind: int, size: int) -> None:
    """What a difference makes counts, also behind another object; what it is made from does not."""
    monkeypatch.setattr(without_git, "MOST_BYTES", 1000)
    held = b"x" * size if kind == 3 else number(5000) + number(size) + b"rest"
    for objects in ([(kind, held)], [(6, number(300) + number(7)), (3, b"small"), (kind, held), (3, b"last")]):
        refused = pytest.raises(RemoteFailed, match=r"^here: it sends a file of more than 0 MiB\. Nothing was synced\.$")
        with refused if size > 1000 else contextlib.nullcontext():
            without_git._check(pack_of(*objects), "here")


@pytest.mark.parametrize(
    ("raw", "why"), [(b"PACH" + bytes(8), "it sent no pack"), (pack_of((3, b"x" * 99)).getvalue()[:-4], "the pack is cut short")]
)
def test_what_is_no_whole_pack_is_said(raw: bytes, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        without_git._check(io.BytesIO(raw), "here")
