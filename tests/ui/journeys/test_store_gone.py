"""The memory folder is renamed away while the program runs."""

from __future__ import annotations

from pathlib import Path

from tests.builders import AStore
from tests.ui.driving import an_app, running, shows, until


async def test_every_verb_says_that_the_store_is_gone_and_goes_on_when_it_is_back(tmp_path: Path) -> None:
    store = AStore(tmp_path / "store").has("MEMORY.md", "- one\n").has("~/SCRATCHPAD.md", "- [ ] first\n")
    away = tmp_path / "away"
    async with running(an_app(store), size=(200, 40)) as pilot:
        await pilot.press("e")
        await shows(pilot, "saved")
        await pilot.press("x")
        store.root.rename(away)
        await pilot.press("ctrl+s")
        await shows(pilot, "is gone: renamed", "still here.")
        assert not store.root.exists()
        away.rename(store.root)
        await pilot.press("ctrl+s")
        await until(pilot, lambda: store.raw("MEMORY.md") == b"x- one\n" and not pilot.app.main.editor.unsaved)
        await pilot.press("escape")
        store.root.rename(away)
        await shows(pilot, "The memory cannot be read.", "is gone: renamed")
        await pilot.press("u")
        await shows(pilot, "Nothing was written.")
        assert not store.root.exists()
        away.rename(store.root)
        await shows(pilot, "x- one")
    assert store.raw("MEMORY.md") == b"x- one\n"
