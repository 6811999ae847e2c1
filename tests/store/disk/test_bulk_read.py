"""Files of a folder are read as they are now, whatever their sizes were."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest

from zsmem_tui.core.errors import Unreadable
from zsmem_tui.core.layout import Folder
from zsmem_tui.core.texts import TextFile
from zsmem_tui.store import text_cache
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.files import LARGEST


def read(home: Path, sizes: dict[str, int]) -> dict[str, bytes]:
    folder = text_cache.open_folder(str(home), "")
    every = {name: TextFile(str(home), Folder(""), name, partial(text_cache.read_inside, str(home))) for name in sizes}
    try:
        return {name: text_cache.read_in(folder, every[name], size) for name, size in sizes.items()}
    finally:
        if folder >= 0:
            os.close(folder)


@pytest.mark.parametrize("said", [0, 1, 4, 5, 6, 65_535, 65_536, 900_000])
def test_a_file_that_changed_since_it_was_looked_at_is_read_whole(tmp_path: Path, said: int) -> None:
    sizes = (70_000, 0, 65_536, 65_535, 5, 700_000, 65_537)
    texts = {f"{number}.md": bytes([48 + number]) * size for number, size in enumerate(sizes)}
    for name, text in texts.items():
        (tmp_path / name).write_bytes(text)
    assert read(tmp_path, dict.fromkeys(texts, said)) == texts


@pytest.mark.parametrize("said", [0, 5, 7])
def test_what_cannot_be_read_is_empty_and_nothing_else_is(tmp_path: Path, said: int) -> None:
    (tmp_path / "a.md").write_bytes(b"alpha")
    (tmp_path / "folder.md").mkdir()
    os.mkfifo(tmp_path / "pipe.md")
    os.symlink("/dev/zero", tmp_path / "endless.md")
    os.symlink("a.md", tmp_path / "link.md")
    (tmp_path.parent / "away.md").write_bytes(b"omega")
    os.symlink("../away.md", tmp_path / "away.md")
    writer = os.open(tmp_path / "pipe.md", os.O_RDWR | os.O_NONBLOCK)
    os.write(writer, b"for somebody else")
    names = ("folder.md", "pipe.md", "gone.md", "away.md", "no\0name.md", *(["endless.md"] if not said else []))
    found = read(tmp_path, dict.fromkeys((*names, "a.md", "link.md"), said))
    assert found == dict.fromkeys(names, b"") | {"a.md": b"alpha", "link.md": b"alpha"}
    assert os.read(writer, 100) == b"for somebody else"
    os.close(writer)
    assert read(tmp_path / "gone", {"a.md": 5, "b.md": 0}) == {"a.md": b"", "b.md": b""}


@pytest.mark.parametrize("said", [0, 5, LARGEST + 1, 1 << 50])
def test_a_file_that_no_memory_holds_is_empty_and_takes_none(tmp_path: Path, said: int) -> None:
    (tmp_path / "a.md").write_bytes(b"alpha")
    with open(tmp_path / "huge.md", "wb") as stream:
        stream.truncate(LARGEST + 1)  # of which the disk holds nothing
    (tmp_path / "small.md").write_bytes(b"omega")
    found = read(tmp_path, {"a.md": 5, "huge.md": said, "small.md": 1 << 50})
    assert found == {"a.md": b"alpha", "huge.md": b"", "small.md": b"omega"}
    with pytest.raises(Unreadable, match=r"huge\.md: it has more than 512 MiB, and is not read"):
        files.read(str(tmp_path / "huge.md"))
