"""Files that may not be written, and targets that became a folder: a sentence, and nothing is lost on either side."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.builders import AStore
from tests.ui.driving import an_app, asked, running, shows, until

FACTS = "# Facts\n\n- first\n- second\n"
NOTE = "# Note\n\n- of the note\n"


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    return AStore(tmp_path / "store").has("MEMORY.md", FACTS).has("~/notes/target.md", NOTE)


def protected(monkeypatch: pytest.MonkeyPatch, place: Path) -> None:
    """Nobody may write this file, whoever runs the test."""
    real: Callable[..., bool] = os.access

    def access(path: str, mode: int, **named: bool) -> bool:
        return not (mode & os.W_OK and str(path) == str(place)) and real(path, mode, **named)

    monkeypatch.setattr(os, "access", access)


def becomes_a_folder(monkeypatch: pytest.MonkeyPatch, place: Path) -> None:
    place.unlink()
    place.mkdir()


REFUSALS = [
    pytest.param(protected, "write-protected", id="protected"),
    pytest.param(becomes_a_folder, "folder", id="folder"),
]


async def watched(pilot) -> None:  # type: ignore[no-untyped-def]
    await until(pilot, lambda: any(pilot.app.main.session.history.latest()))


@pytest.mark.parametrize("key", ["d", "plus"])
async def test_a_fact_of_a_protected_file_stays(store: AStore, monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    async with running(an_app(store), size=(80, 24)) as pilot:
        await pilot.press("2", "7")
        await shows(pilot, "second")
        first = pilot.app.tool.rows.cursor
        await pilot.press("j")
        await until(pilot, lambda: pilot.app.tool.rows.cursor > first)
        protected(monkeypatch, store.at("MEMORY.md"))
        await pilot.press("G", "k", key) if key == "d" else await pilot.press(key)
        await shows(pilot, "write-protected. Nothing was")
        assert store.raw("MEMORY.md") == FACTS.encode() and store.raw("~/notes/target.md") == NOTE.encode()


@pytest.mark.parametrize(("how", "words"), REFUSALS)
async def test_a_fact_that_cannot_go_to_its_target_stays_where_it_was(
    store: AStore, monkeypatch: pytest.MonkeyPatch, how: Callable[[pytest.MonkeyPatch, Path], None], words: str
) -> None:
    async with running(an_app(store), size=(80, 24)) as pilot:
        await pilot.press("2", "7", "slash", *"first", "enter", "m")
        await asked(pilot, "Move", "target")
        how(monkeypatch, store.at("~/notes/target.md"))
        await pilot.press(*"target", "enter")
        await until(pilot, lambda: pilot.app.screen is pilot.app.tool)
        await shows(pilot, words)
        assert store.raw("MEMORY.md") == FACTS.encode()
        assert store.at("~/notes/target.md").is_dir() or store.raw("~/notes/target.md") == NOTE.encode()


async def test_a_text_that_cannot_be_saved_stays_in_the_editor(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(an_app(store), size=(80, 24)) as pilot:
        await pilot.press("e")
        await until(pilot, lambda: pilot.app.focused is not None and pilot.app.focused.id == "text")
        protected(monkeypatch, store.at("MEMORY.md"))
        await pilot.press("X", "ctrl+s")
        await shows(pilot, "write-protected. Nothing was", "Your text is still", "See its owner, `lsattr` and the disk.")
        store.at("MEMORY.md").chmod(0o444)
        await pilot.press("ctrl+s")
        await shows(pilot, "`chmod u+w", "lets it be written")
        assert pilot.app.main.editor.unsaved and store.raw("MEMORY.md") == FACTS.encode()
        await pilot.press("escape")
        await asked(pilot, "There is unsaved text.")
        await pilot.press("down", "enter")
        await shows(pilot, "Kept as a draft: it is offered at the next start.")


@pytest.mark.parametrize(("keys", "words"), [(["b"], "write-protected. Nothing was written."), (["x"], "Nothing to review")])
async def test_the_review_of_a_protected_file_puts_nothing_back_but_can_be_seen(
    store: AStore, monkeypatch: pytest.MonkeyPatch, keys: list[str], words: str
) -> None:
    async with running(an_app(store), size=(80, 24)) as pilot:
        await watched(pilot)
        store.has("MEMORY.md", FACTS + "- agent\n")
        await shows(pilot, "Review●")
        await pilot.press("f3")
        await shows(pilot, "+ - agent")
        protected(monkeypatch, store.at("MEMORY.md"))
        await pilot.press("enter", *keys)
        await shows(pilot, words)
        assert store.raw("MEMORY.md") == FACTS.encode() + b"- agent\n"


@pytest.mark.parametrize(("how", "words"), REFUSALS)
async def test_lines_of_the_review_that_cannot_go_to_their_target_stay(
    store: AStore, monkeypatch: pytest.MonkeyPatch, how: Callable[[pytest.MonkeyPatch, Path], None], words: str
) -> None:
    store.has("~/SCRATCHPAD.md", "- [ ] a\n")
    async with running(an_app(store), size=(80, 24)) as pilot:
        await watched(pilot)
        store.has("MEMORY.md", FACTS + "- [ ] agent\n")
        await shows(pilot, "Review●")
        await pilot.press("f3")
        await shows(pilot, "agent")
        await pilot.press("enter", "m")
        await asked(pilot, "Move 1 line to:")
        how(monkeypatch, store.at("~/SCRATCHPAD.md"))
        await pilot.press(*"scratchpad", "enter")
        await until(pilot, lambda: pilot.app.screen is pilot.app.tool)
        await shows(pilot, words)
        assert store.raw("MEMORY.md") == FACTS.encode() + b"- [ ] agent\n"
        assert store.at("~/SCRATCHPAD.md").is_dir() or store.raw("~/SCRATCHPAD.md") == b"- [ ] a\n"
