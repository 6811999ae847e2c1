"""The budget of the prompt as a bar: it adds up, it fills its row, it can be read without colour."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tests.builders import NOW, AStore
from zsmem_tui.config.model import Config
from zsmem_tui.core.catalog import FileEntry
from zsmem_tui.core.preview import Preview, State
from zsmem_tui.core.refs import MemRef
from zsmem_tui.service import previewing
from zsmem_tui.service.stores import open_store
from zsmem_tui.ui.prompt.wording import cap_of, shown_rows
from zsmem_tui.ui.widgets.budget import SIGNS, Part, bar, parts, sentence

NAMES = list(SIGNS)
SIZES = st.lists(st.integers(0, 200_000), min_size=len(NAMES), max_size=len(NAMES))


def seen_of(store: AStore, cap: int = 32_768) -> Preview:
    session = store.session(inject_cap=cap)
    return previewing.preview(session, previewing.subject(session))


@given(SIZES, st.integers(0, 240))
def test_a_bar_fills_its_row_and_every_part_that_is_there_is_seen(sizes: list[int], cells: int) -> None:
    found = [Part(name, size) for name, size in zip(NAMES, sizes, strict=True)]
    drawn = bar(found, cells)
    assert sum(cell_len(words) for words, _ in drawn) == cells
    there = {part.name for part in found if part.size}
    if len(there) < cells:
        text = "".join(words for words, _ in drawn)
        assert all(SIGNS[name] in text for name in there)
        assert ("┃" in text) == ("lost" in there and len(there) > 1)


@given(SIZES)
def test_parts_are_as_long_as_they_are_large(sizes: list[int]) -> None:
    found = [Part(name, size) for name, size in zip(NAMES, sizes, strict=True) if size]
    drawn = bar(found, 200)
    whole = sum(sizes)
    for part in found:
        own = sum(len(words) for words, style in drawn if style == part.name)
        inside = sum(len(words) for words, style in drawn if style == "words" and words.split()[0] == part.name)
        assert abs((own + inside) - part.size * 200 / whole) <= len(NAMES) + 1


@pytest.mark.parametrize("cap", [0, 300, 900, 32_768])
def test_the_parts_add_up_to_what_is_wanted_or_to_the_cap(tmp_path: Path, cap: int) -> None:
    store = AStore(tmp_path / "memory").has("MEMORY.md", "- a fact\n" * 50).has("~/SCRATCHPAD.md", "- [ ] do\n" * 20)
    seen = seen_of(store, cap)
    names = {use.path: "MEMORY" if use.path == "MEMORY.md" else "scratchpad" for use in seen.uses}
    found = {part.name: part.size for part in parts(seen, names)}
    assert sum(found.values()) == max(seen.needed, cap) and ("free" in found) == (seen.needed < cap)
    assert found["MEMORY"] == sum(use.size for use in seen.uses if use.path == "MEMORY.md") and found["logs"] == 0


@pytest.mark.slow
def test_the_sentence_says_what_is_wanted_what_fits_and_what_is_lost(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory")
    assert sentence(seen_of(store)) == "No memory goes into the prompt; 32.0K would fit"
    store.has("MEMORY.md", "- a fact of ours\n" * 3_000)
    assert sentence(seen_of(store)) == "49.8K in all, 32.0K loaded, 1,075 facts lost"
    store.has("MEMORY.md", "- a fact\n")
    assert sentence(seen_of(store)) == "42B of 32.0K, no line lost"
    unread = (FileEntry(MemRef("projects/demo-1a2b3c4d/MEMORY.md"), None),)
    assert sentence(seen_of(store)._replace(unread=unread)) == "42B of 32.0K, 1 file lost that no agent reads"
    store.has("MEMORY.md", "- a fact\n" * 20_000)
    seen = seen_of(store)
    assert [use[2:] for use in seen.uses] == [(State.SKIPPED, 0, 180_000, 0, 0, 20_000, 0, 0)]
    assert sentence(seen) == "175.8K in all, 0B of 32.0K loaded, 20,000 facts lost"


def test_the_block_is_shown_whole_while_only_what_is_lost_is_asked_for_and_nothing_is(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory").has("MEMORY.md", "- a fact of ours\n" * 9)
    whole, cut = seen_of(store), seen_of(store, 100)
    assert shown_rows(whole, "lost") == shown_rows(whole, "all") != []
    assert all(row.lost for row in shown_rows(cut, "lost")) and shown_rows(cut, "lost") != shown_rows(cut, "all")


def test_where_files_have_caps_of_their_own_the_bar_is_of_the_one_that_the_sentence_is_about(tmp_path: Path) -> None:
    store = AStore(tmp_path / ".memsearch/memory")
    store.has("2026-05-24.md", "## 10:00\n- one\n").has("2026-05-25.md", "## 11:00\n- two\n- three\n")
    seen = seen_by("memsearch", store)
    assert sentence(seen) == "3 of 40 lines of 2026-05-25.md, no line lost"
    found = parts(seen, {use.path: "days" for use in seen.uses})
    assert [(part.name, part.size, part.said) for part in found] == [("2026-05-25.md", 3, "3"), ("free", 37, "37")]


@pytest.mark.parametrize("end", ["", "\n"])
@pytest.mark.parametrize(("kind", "lines"), [("claude-code", 30), ("claude-code", 90), ("qwen-code", 30), ("qwen-code", 90)])
def test_the_parts_of_an_index_add_up_to_the_number_in_the_sentence(tmp_path: Path, kind: str, lines: int, end: str) -> None:
    store = AStore(tmp_path / kind).has("projects/-w/memory/MEMORY.md", "\n".join(["- " + "é" * 199] * lines) + end)
    session = open_store(Config(), f"{kind}:{store.root}", clock=lambda: NOW)
    seen = previewing.preview(session, previewing.subject(session)._replace(project="project:-w"))
    found = {part.name: part.size for part in parts(seen, {use.path: "index" for use in seen.uses})}
    assert sum(found.values()) == max(seen.needed, seen.cap) and ("free" in found) == (seen.needed < seen.cap)
    assert kind != "claude-code" or f"{found['index']:,} " in sentence(seen), "of the other, the cap is said to be loaded"


def test_what_may_be_written_into_a_file_is_no_cap_of_the_prompt(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory")
    for name, limit, words in (
        ("project", 5_000, "- Run tests: `make check`\n- Entry: cli.py"),
        ("steps", 10, "- Tag, then push"),
    ):
        store.has(f"{name}.md", f"---\nlabel: {name}\nlimit: {limit}\n---\n{words}\n")
    seen = seen_by("opencode", store)
    assert seen.text and sentence(seen) == f"{len(seen.text):,} characters, no line lost" and cap_of(seen) == "no cap"
    found = parts(seen, {use.path: "blocks" for use in seen.uses})
    assert [(part.name, part.size) for part in found] == [("blocks", sum(use.took for use in seen.uses))]


def seen_by(kind: str, store: AStore) -> Preview:
    session = open_store(Config(), f"{kind}:{store.root}", clock=lambda: NOW)
    return previewing.preview(session, previewing.subject(session))
