"""Whole words: a step of the search pane for a person, beside the agent's own search."""

from __future__ import annotations

from pathlib import Path

from tests.builders import AStore
from tests.ui.driving import an_app, pasted, running, shows, until


async def test_one_key_leaves_parts_of_words_out_and_says_so(tmp_path: Path) -> None:
    store = AStore(tmp_path / "store").has("MEMORY.md", "- a report\n- the port is 6379\n").has("~/notes/a.md", "exported\n")
    async with running(an_app(store)) as pilot:
        search = pilot.app.main.search
        await pilot.press("s")
        await pasted(pilot, "port")
        await until(pilot, lambda: len(search.found.hits) == 2)
        assert "whole words" not in str(search.border_title)
        await pilot.press("alt+o")
        await until(pilot, lambda: [hit.total_hits for hit in search.found.hits] == [1])
        await pilot.press("down", "enter")
        await shows(pilot, "1 of 1 · ")  # the file marks no other words, either
        await pilot.press("s")
        assert "whole words" in str(search.border_title) and search.line.value == "port"
        search.line.value = "expo"
        await until(pilot, lambda: search.active and not search.found.hits and search.found.is_whole)
        await shows(pilot, "alt+o, without whole words: 1 file.")
        search.line.value = ""
        await until(pilot, lambda: not search.active)
        await pilot.press(*"port", "down")  # it is remembered, and the same key works in the hits
        await until(pilot, lambda: pilot.app.focused.id == "hits" and len(search.found.hits) == 1)
        await pilot.press("alt+o")
        await until(pilot, lambda: len(search.found.hits) == 2)
        assert "whole words" not in str(search.border_title)
