"""What a search that finds nothing shows instead, and words by which a note is found."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Static

from tests.builders import AStore
from tests.ui.driving import an_app, pasted, running, shows, until
from zsmem_tui.store import search_log


async def test_what_is_near_is_shown_one_key_takes_it_and_another_gives_a_note_words_by_which_it_is_found(tmp_path: Path) -> None:
    store = (
        AStore(tmp_path / "store")
        .has("MEMORY.md", "- kubernetes\n- deploys on friday\n")
        .has("~/notes/a.md", "deploying\n")
        .has("~/notes/redis.md", "# Redis\n\nKeeps berths.\n")
    )
    async with running(an_app(store)) as pilot:
        search = pilot.app.main.search
        await pilot.press("s")
        await pasted(pilot, "kubrnetes")
        await shows(pilot, "1 kubernetes · 1 file · another spelling")
        await pilot.press("enter")
        await until(pilot, lambda: search.line.value == "kubernetes" and len(search.found.hits) == 1)
        await pilot.press("ctrl+u")
        assert search.line.value == "", "the caret was at the end"
        search.line.value = "deployed"
        await shows(pilot, "2 deploying")
        await pilot.press("down", "2")
        await until(pilot, lambda: search.line.value == "deploying" and len(search.found.hits) == 1)
        search.line.value = "friday deploying"
        await until(pilot, lambda: [each.term for each in search.found.results.near] == ["deploying"])
        assert "similar" not in str(search.query_one("#summary", Static).content), "it is found, in another file"
        search.line.value = "friday deployed"
        await until(pilot, lambda: "0 here  similar: deploys" in str(search.query_one("#summary", Static).content))
        await pilot.press("down", "enter")
        await until(pilot, lambda: len(search_log.read(str(store.root)).events) == 4)
        events = search_log.read(str(store.root)).events
        assert [(event["op"], event.get("query"), event.get("hits")) for event in events[:3]] == [
            ("search", "kubrnetes", []),
            ("search", "deployed", []),
            ("search", "friday deployed", ["MEMORY.md"]),
        ]
        assert events[3]["path"] == "MEMORY.md"
        await pilot.press("s", "ctrl+l")
        await pasted(pilot, "berths")
        await until(pilot, lambda: len(pilot.app.main.search.found.hits) == 1)
        await pilot.press("down", "F")
        await shows(pilot, "By which words")
        await pasted(pilot, "in-memory store, a[b")
        await pilot.press("enter")
        await shows(pilot, "has a bracket in it")
        await pilot.press(*["backspace"] * 5, "enter")
        await until(pilot, lambda: "aliases: in-memory store" in store.at("~/notes/redis.md").read_text())
        await shows(pilot, "Added in-memory store to what")
        await pilot.press("u")
        await until(pilot, lambda: store.at("~/notes/redis.md").read_text() == "# Redis\n\nKeeps berths.\n")


@pytest.mark.slow
async def test_each_search_that_was_read_is_noted_once_however_it_is_opened(tmp_path: Path) -> None:
    store = AStore(tmp_path / "store").has("MEMORY.md", "- alone here\n- both\n").has("~/notes/a.md", "both\n")
    async with running(an_app(store)) as pilot:
        search = pilot.app.main.search

        def noted() -> list[tuple[str, str]]:
            return [(each["op"], each.get("query") or each["path"]) for each in search_log.read(str(store.root)).events]

        await pilot.press("s")
        await pasted(pilot, "alone")
        await until(pilot, lambda: len(search.found.hits) == 1 and search.found.is_whole)
        await pilot.press("enter")
        await until(pilot, lambda: noted() == [("search", "alone"), ("read", "MEMORY.md")])
        await pilot.press("s")
        await pasted(pilot, "both")
        await until(pilot, lambda: len(search.found.hits) == 2 and search.found.is_whole)
        await pilot.press("down", "escape")
        await until(pilot, lambda: [op for op, _ in noted()] == ["search", "read", "search", "read"])
        assert noted()[2] == ("search", "both")
