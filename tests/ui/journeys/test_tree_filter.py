"""The filter of the tree: what it says and shows where nothing fits."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import AStore
from tests.ui.driving import an_app, running, screen_text, shows, to_the_tree, until

OTHER = "other-00000000"


@pytest.mark.slow
async def test_a_filtered_tree_that_gets_the_whole_screen_fills_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = AStore(tmp_path / "memory").has("MEMORY.md", "- everybody's\n")
    for number in range(40):
        store.has(f"~/notes/toast-{number:02}.md", "- with butter\n")
    app = an_app(store)
    monkeypatch.setattr(app, "draws_unseen", True)
    async with running(app, (80, 24)) as pilot:
        await pilot.press("1", "slash", *"toast", "enter")
        await shows(pilot, "toast-03")
        await pilot.press("z")
        await shows(pilot, "toast-14")


@pytest.mark.slow
async def test_where_nothing_fits_the_page_is_that_from_before_the_filter_and_esc_is_named(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory").has("MEMORY.md", "- everybody's\n").has("~/notes/deploy.md", "- by make\n")
    store.has(f"projects/{OTHER}/notes/toast.md", "- with butter\n")
    async with running(an_app(store), (120, 30)) as pilot:
        await to_the_tree(pilot)
        await pilot.press("j", "j")
        await shows(pilot, "· note deploy", "by make")
        await pilot.press("slash", "t", "o")
        await shows(pilot, "· note toast", "with butter")
        await pilot.press("k", "e")
        await shows(pilot, "Nothing is called 'toke': s", "searches the texts", "· note deploy", "by make")
        await until(pilot, lambda: "toast" not in screen_text(pilot.app))
        await pilot.press("n", "enter")
        await shows(pilot, "Nothing is called 'token':", "· note deploy")
        await pilot.press("escape")
        await shows(pilot, "· note deploy", "by make", OTHER)
