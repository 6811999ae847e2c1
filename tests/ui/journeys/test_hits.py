"""Hits and their lines: which one is opened, edited and copied, and how the list goes away."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from textual.widgets import Input

from tests.builders import AStore
from tests.ui.driving import an_app, asked, edits_at, running, screen_text, shows, until
from zsmem_tui.service import searching
from zsmem_tui.store.disk import files
from zsmem_tui.ui.widgets.bars import KeyBar

TEXT = "- redis is used\n" + "filler\n" * 60 + "- redis port 6390\n" + "filler\n" * 60 + "- the port again\n"


async def test_a_hit_opens_on_its_best_line_lists_all_of_them_and_without_one_no_key_acts(tmp_path: Path) -> None:
    store = AStore(tmp_path / "store").has("MEMORY.md", TEXT)
    async with running(an_app(store)) as pilot:
        search = pilot.app.main.search
        copied: list[str] = []
        pilot.app.copy_to_clipboard = copied.append
        await pilot.press("s", *"redis port")
        await until(pilot, lambda: search.active)
        await shows(pilot, "1 file · alt+w wider")
        await pilot.press("down")
        await until(pilot, lambda: pilot.app.focused.id == "hits")
        await shows(pilot, "1 file · w wider")
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.focused.id == "page" and pilot.app.main.viewer.view.line_meant == 61)
        await shows(pilot, "━ 2 of 4 · ")
        await pilot.press("n")
        await shows(pilot, "━ 3 of 4 · ")
        await pilot.press("e")
        await edits_at(pilot, (61, 0))
        await pilot.press("end", "X", "ctrl+s")
        await shows(pilot, "Saved MEMORY.md")
        await pilot.press("escape")
        await shows(pilot, "━ 3 of 4 · ")  # it is counted at the place where the person was
        text = TEXT.replace("6390", "6390X")
        store.has("MEMORY.md", f"{text}- port\n")
        await pilot.app.main.look_now()
        await shows(pilot, "━ 3 of 5 · ")
        store.has("MEMORY.md", text)
        await pilot.app.main.look_now()
        await pilot.press("escape", "l")
        await until(pilot, lambda: len(search.hits.keys) == 4)
        await pilot.press("l", "j", "j")
        await until(
            pilot, lambda: search.found.line_of(search.row_at_cursor()) == 122 and pilot.app.main.viewer.view.line_meant == 122
        )
        rows, search.found.rows = search.found.rows, {}  # as when another answer was read while the list was not drawn anew
        assert search.hits.is_first
        search.found.rows = rows
        assert not search.hits.is_first
        await pilot.press("y")
        await until(pilot, lambda: copied == ["- the port again"])
        await pilot.press("d")  # of the line of a hit, not the file without a word
        await asked(pilot, "Only “the port again”", "The whole file, ")
        await pilot.press("escape", "e")
        await edits_at(pilot, (122, 0))
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.focused.id == "hits")
        await pilot.press("h")
        await until(pilot, lambda: len(search.hits.keys) == 1)
        await pilot.press("escape")
        await until(pilot, lambda: not search.active)
        assert search.line.value == "redis port"
        await pilot.press("s")
        await shows(pilot, "redis 2 lines   port 2 lines", "123 - the port again")
        await pilot.press("enter")
        await shows(pilot, "[matched: redis, port]")
        # what cannot be searched is named, with hits and without
        store.has("~/notes/odd.md", b"only caf\xe9 redis\n").has("projects/other-1a2b3c4d/notes/theirs.md", b"caf\xe9\n")
        await pilot.app.main.look_now()
        await shows(pilot, "! Not searched: odd.md. 8 says why.", "[matched: redis, port]")
        await pilot.press("s", "ctrl+l", *"only caf")
        await shows(pilot, "No memory file holds any of these words", "! Not searched: odd.md. 8 says why.")
        store.at("~/notes/odd.md").unlink()
        await pilot.app.main.look_now()
        # enter in the line opens what was found where that is one file
        store.has("~/notes/other.md", "the port\n")
        await pilot.app.main.look_now()
        await pilot.press("s", "ctrl+l", *"redis")
        await until(pilot, lambda: len(search.found.hits) == 1 and search.found.is_whole)
        await shows(pilot, " enter Open ")
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.focused.id == "page")
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.focused.id == "hits")
        await pilot.press("slash", "ctrl+l", *"port")
        await until(pilot, lambda: len(search.found.hits) == 2 and search.found.is_whole)
        await shows(pilot, " enter Results ")
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.focused.id == "hits")
        last = len(search.hits.keys) - 1
        await pilot.press(*"j" * (last + 2))
        assert last and search.hits.cursor == last  # the end is the end, as in every list
        await pilot.press("g")
        # without a hit no key acts on the file that the list covers
        await pilot.resize_terminal(80, 24)
        main = pilot.app.main
        await until(pilot, lambda: main.viewer.file is not None)
        own = main.project_in_view()
        await pilot.press("s", "ctrl+l", *"zzqq")
        await shows(pilot, "No memory file holds")
        await pilot.press("tab")
        await until(pilot, lambda: pilot.app.focused.id == "hits")
        keys = str(main.query_one(KeyBar).render())
        assert "/ Words" in keys and "Delete" not in keys and "Edit" not in keys and "Unfold" not in keys
        for key in ("enter", "d", "e", "y", "H"):
            await pilot.press(key)
            await pilot.pause()
            assert pilot.app.focused.id == "hits"
        await shows(pilot, "No hit: / leads back to the words.")
        await pilot.press("slash", "ctrl+l", *"redis", "down")
        await until(pilot, lambda: pilot.app.focused.id == "hits" and "Edit" in str(main.query_one(KeyBar).render()))
        await pilot.press("escape", "slash", *"zzqq")
        await shows(pilot, "Nothing is called")
        assert main.file_meant() is None and main.project_in_view() == own


@pytest.mark.slow
async def test_a_long_search_says_so_over_the_hits_of_the_query_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = AStore(tmp_path / "store").has("MEMORY.md", TEXT)
    async with running(an_app(store)) as pilot:
        await pilot.press("s", *"redis")
        await shows(pilot, "1 file · alt+w wider")
        gate, search = threading.Event(), searching.search
        monkeypatch.setattr(searching, "search", lambda query, **how: gate.wait(60) and search(query, **how))
        await pilot.press(*"nowhere")
        await shows(pilot, " searching …  ", "━ searching … ━", "redis port 6390")
        gate.set()
        await shows(pilot, "0 files · alt+w wider", "No memory file holds")
        line = pilot.app.focused.value
        await pilot.press("ctrl+l")
        await until(pilot, lambda: "No memory file holds" not in screen_text(pilot.app))
        await pilot.press(*line)
        await shows(pilot, "No memory file holds")


@pytest.mark.slow
async def test_no_file_is_read_while_rows_are_drawn_and_a_query_that_is_emptied_meanwhile_leaves_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = AStore(tmp_path / "store").has("MEMORY.md", TEXT)
    for number in range(80):
        store.has(f"~/notes/{number:02}.md", "redis\n" * 5)
    drawing, real = threading.current_thread(), files.read_or_empty
    read: list[bool] = []

    def noted(path: str) -> bytes:
        read.append(threading.current_thread() is drawing)
        return real(path)

    monkeypatch.setattr(files, "read_or_empty", noted)
    async with running(an_app(store)) as pilot:
        search = pilot.app.main.search
        await pilot.press("s", *"redis")
        await until(pilot, lambda: len(search.found.hits) == 81 and len(search.hits.keys) == 50)
        pilot.app.main.session.texts.forget()
        await pilot.resize_terminal(90, 40)
        await pilot.press("down")
        await until(pilot, lambda: pilot.app.focused.id == "hits")
        await pilot.press("n")
        await until(pilot, lambda: len(search.hits.keys) == 81)
        assert read and not any(read)
        for number in range(60):
            store.has(f"~/notes/n{number:02}.md", "needle\n")
        await pilot.app.main.look_now()
        await pilot.press("s", "ctrl+l", *"needle")
        await shows(pilot, "60 files")
        search._draw(keep=False)
        search.query_one("#query", Input).value = ""
        await until(pilot, lambda: not search.has_class("-open"))
        await pilot.press(*"needle")
        await shows(pilot, "60 files")


async def test_the_match_in_a_line_of_many_rows_is_in_sight_when_its_hit_is_opened(tmp_path: Path) -> None:
    store = AStore(tmp_path / "store").has("MEMORY.md", f"- {'word ' * 2_000}then zebra {'word ' * 50}\n")
    async with running(an_app(store), size=(100, 24)) as pilot:
        await pilot.press("s", *"zebra")
        await shows(pilot, "1 file")
        await pilot.press("enter", "enter")
        await until(pilot, lambda: pilot.app.focused.id == "page")
        await until(pilot, lambda: "zebra" in "\n".join(screen_text(pilot.app).split("\n")[6:]))
