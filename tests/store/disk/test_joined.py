"""Files of a folder are read as they are now, whatever their sizes were."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

import pytest

from zsmem_tui.core.errors import Unreadable
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.files import LARGEST
from zsmem_tui.store.disk.joined import JoinedReader, PieceReader


def read(reader: JoinedReader, home: Path, sizes: dict[str, int]) -> dict[str, bytes]:
    joined, starts = reader.read(str(home), list(sizes), list(sizes.values()))
    assert len(joined) == starts[-1]
    return {name: joined[start : stop - 1] for name, (start, stop) in zip(sizes, pairwise(starts), strict=True)}


@pytest.mark.parametrize("said", [0, 1, 4, 5, 6, 900_000])
def test_a_file_that_changed_since_it_was_looked_at_is_read_whole(tmp_path: Path, said: int) -> None:
    texts = {"a.md": b"alpha", "grown.md": b"x" * 700_000, "empty.md": b"", "z.md": b"omega"}
    for name, text in texts.items():
        (tmp_path / name).write_bytes(text)
    reader = JoinedReader(64)
    for _ in range(2):  # what was read into before is read into again
        assert read(reader, tmp_path, dict.fromkeys(texts, said)) == texts


def test_what_cannot_be_read_is_empty_and_nothing_else_is(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"alpha")
    (tmp_path / "folder.md").mkdir()
    os.mkfifo(tmp_path / "pipe.md")
    names = ("folder.md", "pipe.md", "gone.md", "no\0name.md")
    found = read(JoinedReader(64), tmp_path, dict.fromkeys(names, 7) | {"a.md": 5})
    assert found == dict.fromkeys(names, b"") | {"a.md": b"alpha"}
    assert read(JoinedReader(64), tmp_path / "gone", {"a.md": 5, "b.md": 0}) == {"a.md": b"", "b.md": b""}


@pytest.mark.parametrize("said", [0, 5, LARGEST + 1, 1 << 50])
def test_a_file_that_no_memory_holds_is_empty_and_takes_none(tmp_path: Path, said: int) -> None:
    (tmp_path / "a.md").write_bytes(b"alpha")
    with open(tmp_path / "huge.md", "wb") as stream:
        stream.truncate(LARGEST + 1)  # of which the disk holds nothing
    (tmp_path / "small.md").write_bytes(b"omega")
    found = read(JoinedReader(64), tmp_path, {"a.md": 5, "huge.md": said, "small.md": 1 << 50})
    assert found == {"a.md": b"alpha", "huge.md": b"", "small.md": b"omega"}
    with pytest.raises(Unreadable, match=r"huge\.md: it has more than 512 MiB, and is not read"):
        files.read(str(tmp_path / "huge.md"))


def read_once(home: Path, names: list[str], piece: int) -> tuple[dict[str, bytes], int]:
    """The text of each file, and how many pieces they came in."""
    found: dict[str, bytes] = {}
    pieces = 0
    for some, data, starts in PieceReader(piece).pieces(str(home), names):
        assert len(data) == starts[-1] and len(starts) == len(some) + 1
        found |= {name: bytes(data[start : stop - 1]) for name, (start, stop) in zip(some, pairwise(starts), strict=True)}
        pieces += 1
    return found, pieces


@pytest.mark.parametrize(("piece", "pieces"), [(1, 6), (100, 5), (1_000_000, 1)])
def test_files_of_any_size_come_whole_some_at_a_time(tmp_path: Path, piece: int, pieces: int) -> None:
    sizes = (70_000, 0, 65_536, 65_535, 7, 300_000, 65_537)
    texts = {f"{number}.md": bytes([48 + number]) * size for number, size in enumerate(sizes)}
    for name, text in texts.items():
        (tmp_path / name).write_bytes(text)
    found, came_in = read_once(tmp_path, list(texts), piece)
    assert found == texts and list(found) == list(texts)
    assert came_in == pieces


def test_what_is_no_ordinary_file_is_empty_when_read_once(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"alpha")
    (tmp_path / "folder.md").mkdir()
    os.mkfifo(tmp_path / "pipe.md")
    os.symlink("/dev/zero", tmp_path / "endless.md")
    os.symlink("a.md", tmp_path / "link.md")
    with open(tmp_path / "huge.md", "wb") as stream:
        stream.truncate(LARGEST + 1)
    writer = os.open(tmp_path / "pipe.md", os.O_RDWR | os.O_NONBLOCK)
    os.write(writer, b"for somebody else")
    names = ["folder.md", "pipe.md", "endless.md", "huge.md", "gone.md", "no\0name.md"]
    found, _ = read_once(tmp_path, ["a.md", *names, "link.md"], 1_000)
    assert found == {"a.md": b"alpha", "link.md": b"alpha"} | dict.fromkeys(names, b"")
    assert os.read(writer, 100) == b"for somebody else"
    os.close(writer)
    assert read_once(tmp_path / "gone", ["a.md", "b.md"], 10) == ({"a.md": b"", "b.md": b""}, 1)
    assert read_once(tmp_path, [], 10) == ({}, 0)
