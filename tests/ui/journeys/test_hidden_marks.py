"""Marks of rows that a filter hides: they stay, they are counted, and no key is about them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import AStore
from tests.ui.driving import an_app, running, screen_text, shows, until

FACTS = "# Memory\n\n- the build needs make\n- the port is frozen\n- use backoff when retrying\n- another backoff\n"
PAD = "# Now\n\n- [ ] first\n- [ ] second\n- [ ] third\n"


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    made = AStore(tmp_path / "memory").has("MEMORY.md", FACTS).has("~/SCRATCHPAD.md", PAD)
    return made.has("~/notes/deploy.md", "- by make\n").has("~/notes/tea.md", "- green\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("keys", "first", "second", "noun"),
    [("7", "backoff", "frozen", "fact"), ("6", "first", "second", "item")],
)
async def test_a_key_is_about_what_is_marked_and_shown(store: AStore, keys: str, first: str, second: str, noun: str) -> None:
    path = "MEMORY.md" if noun == "fact" else "~/SCRATCHPAD.md"
    before = store.raw(path).decode()
    async with running(an_app(store), (200, 40)) as pilot:
        await pilot.press(keys)
        await shows(pilot, first, second)
        await pilot.press("slash", *first, "enter", "space", "escape")
        await shows(pilot, "1 marked · ", second)
        await pilot.press("slash", *second, "enter")
        await shows(pilot, "1 marked, hidden · ")
        await pilot.press("space")
        await shows(pilot, "2 marked, 1 of them hidden · ")
        await pilot.press("d")
        await until(pilot, lambda: second not in store.raw(path).decode())
        assert store.raw(path).decode().count("\n") == before.count("\n") - 1
        await shows(pilot, "1 marked, hidden · ")
        await pilot.press("escape")
        await shows(pilot, "1 marked · ")
        assert "hidden" not in screen_text(pilot.app)
        await pilot.press("d")
        await until(pilot, lambda: store.raw(path).decode().count("\n") == before.count("\n") - 2)
        await until(pilot, lambda: " marked" not in screen_text(pilot.app))


async def test_the_tree_counts_what_is_marked_and_hidden_and_leaves_it_alone(store: AStore) -> None:
    async with running(an_app(store), (160, 40)) as pilot:
        tree = pilot.app.main.tree_pane.project_tree
        await shows(pilot, "deploy", "tea")
        await pilot.press("slash", *"deploy", "enter", "space", "escape")
        await until(pilot, lambda: len(tree.marked) == 1 and not tree.hidden)
        await pilot.press("slash", *"tea", "enter")
        await shows(pilot, "1 Memory · 1 marked, hidden", "1 file marked, hidden: esc unmarks.")
        await pilot.press("space")
        await shows(pilot, "1 Memory · 2 marked, 1 of them hidden", "2 files marked, 1 of them hidden: c copies")
        await pilot.press("d")
        await until(pilot, lambda: not store.at("~/notes/tea.md").exists())
        assert store.at("~/notes/deploy.md").exists()
        await shows(pilot, "1 Memory · 1 marked, hidden", "u to undo")
        await pilot.press("escape")
        await shows(pilot, "1 Memory · 1 marked ", "✓ deploy", "1 file marked: c copies")
        assert "hidden" not in screen_text(pilot.app)
        await pilot.press("escape")
        await until(pilot, lambda: "✓" not in screen_text(pilot.app))
