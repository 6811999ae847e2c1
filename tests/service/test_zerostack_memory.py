from __future__ import annotations

from pathlib import Path

import pytest

from zsmem_tui import (
    BadContent,
    BadTarget,
    EthosMemory,
    Mem,
    MemoryProvider,
    MemoryUpdate,
    RuleBroken,
    WriteFailed,
    ZerostackMemory,
)

NOTE = "projects/p/notes/x.md"


@pytest.fixture
def memory(tmp_path: Path) -> ZerostackMemory:
    return ZerostackMemory(Mem(tmp_path, "p", "2026-05-25"))


def test_a_program_can_use_either_memory(tmp_path: Path, memory: ZerostackMemory) -> None:
    providers: tuple[MemoryProvider, ...] = (memory, EthosMemory(tmp_path / "ethos", "eng"))
    objects: tuple[object, ...] = (*providers, memory.mem)
    assert [isinstance(each, MemoryProvider) for each in objects] == [True, True, False]
    for provider in providers:
        provider.sync([MemoryUpdate("add", "- port 5433"), MemoryUpdate("add", "- make 4")])
        provider.sync([MemoryUpdate("remove", substring="5433")])
        (entry,) = provider.list()
        assert "- make 4" in (provider.prefetch("hello") or "") and provider.search("make") == [entry.key]
        assert "5433" not in (provider.read(entry.key) or "5433") and provider.read("no.md") is None
        provider.sync([MemoryUpdate("replace", "- new\n"), MemoryUpdate("delete", key=entry.key)])
        assert provider.prefetch() is None and provider.list() == []


def test_notes_and_days_are_named_by_their_paths(memory: ZerostackMemory) -> None:
    done = memory.sync(
        [MemoryUpdate("add", "# X\n\nmore", key=NOTE), MemoryUpdate("add", "did", key="projects/p/daily/2026-05-25.md")]
    )
    assert done.changed == (NOTE, "projects/p/daily/2026-05-25.md") and done.confirmed
    assert [(each.key, each.summary) for each in memory.list()] == [("projects/p/daily/2026-05-25.md", "did"), (NOTE, "# X")]


def test_what_zerostack_has_no_place_for_is_refused_and_nothing_written(tmp_path: Path, memory: ZerostackMemory) -> None:
    first = MemoryUpdate("add", "- a")
    refusals: list[tuple[MemoryUpdate, type[Exception]]] = [
        (MemoryUpdate("add", "x", "user"), BadTarget),
        (MemoryUpdate("add", "x", key="projects/other/notes/x.md"), RuleBroken),
        (MemoryUpdate("add", "x", key="../x.md"), RuleBroken),
        (MemoryUpdate("add", "x" * 65_537), BadContent),
        (MemoryUpdate("add", "\ud800"), BadContent),
    ]
    for update, kind in refusals:
        with pytest.raises(kind):
            memory.sync([first, update])
    (tmp_path / NOTE).mkdir(parents=True)
    with pytest.raises(WriteFailed):
        memory.sync([first, MemoryUpdate("add", "x", key=NOTE)])
    assert not (tmp_path / "MEMORY.md").exists()


def test_only_whole_lines_are_removed_and_the_others_stay_as_they_are(tmp_path: Path, memory: ZerostackMemory) -> None:
    (tmp_path / "MEMORY.md").write_bytes(b"a\r\n\r\nb gone\r\nc\xff\r\nd gone")
    memory.sync([MemoryUpdate("remove", substring="gone"), MemoryUpdate("remove", substring="")])
    assert (tmp_path / "MEMORY.md").read_bytes() == b"a\r\n\r\nc\xff\r\n"


def test_a_profile_that_is_none_is_refused_as_all_bad_input_is(tmp_path: Path) -> None:
    with pytest.raises(BadTarget, match=r"unknown profile: 1\.8"):
        Mem(tmp_path, "p", "2026-05-25", profile="1.8")
