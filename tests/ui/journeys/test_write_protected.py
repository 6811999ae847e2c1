"""Files that may not be written, and targets that became a folder: a sentence, and nothing is lost on either side."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.builders import AStore
from tests.ui.driving import an_app, asked, running, sees_nothing_new, shows, to_changes, to_the_tree, until

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


REFUSALS = ((becomes_a_folder, "folder"), (protected, "write-protected"))


async def watched(pilot) -> None:  # type: ignore[no-untyped-def]
    await until(pilot, lambda: any(pilot.app.main.session.history.latest()))


@pytest.mark.slow
async def test_a_fact_that_cannot_go_or_be_changed_stays_and_a_text_that_cannot_be_saved_stays_in_the_editor(
    store: AStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(an_app(store), size=(80, 24)) as pilot:
        await pilot.press("2", "7")
        target = store.at("~/notes/target.md")
        for how, words in REFUSALS:
            await pilot.press("slash", "ctrl+u", *"first", "enter", "m")
            await asked(pilot, "Move", "target")
            how(monkeypatch, target)
            await pilot.press(*"target", "enter")
            await until(pilot, lambda: pilot.app.screen is pilot.app.tool)
            await shows(pilot, words)
            assert store.raw("MEMORY.md") == FACTS.encode()
            assert how is not protected or store.raw("~/notes/target.md") == NOTE.encode()
            if how is becomes_a_folder:
                target.rmdir()
                store.has("~/notes/target.md", NOTE)
                await pilot.app.main.look_now()
        # nor is one changed whose own file is protected
        await pilot.press("escape", "g")
        await shows(pilot, "second")
        first = pilot.app.tool.rows.cursor
        await pilot.press("j")
        await until(pilot, lambda: pilot.app.tool.rows.cursor > first)
        protected(monkeypatch, store.at("MEMORY.md"))
        for keys in (["plus"], ["G", "k", "d"]):
            pilot.app.tool.say("")
            await pilot.press(*keys)
            await shows(pilot, "write-protected. Nothing was")
            assert store.raw("MEMORY.md") == FACTS.encode() and store.raw("~/notes/target.md") == NOTE.encode(), keys
        # and a text stays in the editor
        await to_the_tree(pilot)
        await pilot.press("e")
        await until(pilot, lambda: pilot.app.focused is not None and pilot.app.focused.id == "text")
        await pilot.press("X", "ctrl+s")
        await shows(pilot, "write-protected. Nothing was", "Your text is still", "See its owner, `lsattr` and the disk.")
        store.at("MEMORY.md").chmod(0o444)
        await pilot.press("ctrl+s")
        await shows(pilot, "`chmod u+w", "lets it be written")
        os.utime(store.at("MEMORY.md"))
        await pilot.app.main.look_now()
        await shows(pilot, "`chmod u+w", "lets it be written")  # the text on the disk is the one that was loaded
        assert pilot.app.main.editor.unsaved and store.raw("MEMORY.md") == FACTS.encode()
        await pilot.press("escape")
        await asked(pilot, "There is unsaved text.")
        await pilot.press("down", "enter")
        await shows(pilot, "Kept as a draft: it is offered at the next start.")


async def test_lines_of_the_review_that_cannot_go_to_their_target_or_back_stay_and_can_be_seen(
    store: AStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.has("~/SCRATCHPAD.md", "- [ ] a\n")
    written = FACTS + "- [ ] agent\n"
    async with running(an_app(store), size=(80, 24)) as pilot:
        await watched(pilot)
        store.has("MEMORY.md", written)
        await shows(pilot, "Review ●")
        await to_changes(pilot)
        await shows(pilot, "+│ - [ ] agent")
        pad = store.at("~/SCRATCHPAD.md")
        sees_nothing_new(pilot.app, monkeypatch)
        await pilot.press("enter")
        for how, words in REFUSALS:
            await pilot.press("m")
            await asked(pilot, "Move “agent” to:")
            how(monkeypatch, pad)
            await pilot.press(*"scratchpad", "enter")
            await until(pilot, lambda: pilot.app.screen is pilot.app.tool)
            await shows(pilot, words)
            assert store.raw("MEMORY.md") == written.encode()
            assert how is not protected or pad.read_bytes() == b"- [ ] a\n"
            if how is becomes_a_folder:
                pad.rmdir()
                store.has("~/SCRATCHPAD.md", "- [ ] a\n")
        protected(monkeypatch, store.at("MEMORY.md"))
        for key, words in (("b", "write-protected. Nothing was written."), ("x", "Nothing to review")):
            pilot.app.screen.say("")
            await pilot.press(key)
            await shows(pilot, words)
            assert store.raw("MEMORY.md") == written.encode(), key
