"""The palette, and opening a file from anywhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import AStore
from tests.soak.monkey import a_key
from tests.ui.driving import an_app, running, screen_text, shows, to_the_tree, typed, until
from zsmem_tui.ui.dialogs.finder import FinderDialog, fitting, offers
from zsmem_tui.ui.facts.screen import FactsScreen
from zsmem_tui.ui.keys.bindings import ACTIONS, MAIN_SCOPES, with_bases
from zsmem_tui.ui.memory.screen import MainScreen
from zsmem_tui.ui.prompt.screen import PromptScreen
from zsmem_tui.ui.triage.screen import TriageScreen

HERE = offers(ACTIONS, ("app", *with_bases(MAIN_SCOPES)))


def a_store(folder: Path) -> AStore:
    store = AStore(folder / "store").has("MEMORY.md", "# Facts\n\n- one\n").has("~/SCRATCHPAD.md", "- [ ] first\n")
    return store.has("~/notes/plan.md", "# Plan\n\nwords\n\n## Redis port\n\n6379\n").has("~/notes/[b]odd.md", "x\n")


@pytest.mark.parametrize(
    ("query", "id"),
    [
        ("prompt", "app.prompt"),
        ("theme", "app.theme"),
        ("version", "file.history"),
        ("clipboard", "file.copy"),
        ("diff", "app.review"),
        ("budget", "app.prompt"),
        ("exit", "app.quit"),
        ("undo", "app.undo"),
        ("unloa", "todos.note"),
        ("lit", "app.theme"),
        *((gone, id) for gone in ("deleted", "trash", "undelete") for id in ("file.history", "versions.wider", "versions.restore")),
        ("remove", "file.delete"),
        ("revert", "app.undo"),
        ("restore", "app.unwipe"),
        ("find", "app.search"),
        ("replace", "file.edit"),
        ("save", "file.edit"),
        ("settings", "app.help"),
        ("pin", "facts.wanted"),
        ("archive", "projects.archive"),
        ("copy", "tree.copy"),
        ("paste", "file.copy"),
        ("goto", "app.quick"),
        ("quit", "app.quit"),
        *((old, "facts.sort") for old in ("sort by age", "old", "oldest")),
        *((said, "findings.fix") for said in ("mend", "mended", "masked")),  # what the status line says when it is done
        *((said, "app.undo") for said in ("undid", "took back")),
        ("took out", "transfer.remove"),
        ("put back", "today.put_back"),
        ("reverted", "today.put_back"),
        ("brought back", "versions.restore"),
        ("marked", "today.seen"),
        ("archived", "projects.archive"),
        ("loaded", "facts.top"),
        ("unloaded", "facts.demote"),
        ("followed", "projects.follow"),
        ("logged", "todos.log"),
        ("copied", "tree.copy"),
        ("exported", "app.transfer"),
    ],
)
def test_an_action_is_found_by_its_name_by_what_it_does_and_by_what_others_call_it(query: str, id: str) -> None:
    assert id in [offer.action.id for offer in fitting(query, HERE, 6)]


def test_what_can_be_done_here_comes_before_the_same_elsewhere() -> None:
    found = fitting("delete", HERE, 9)
    assert found[0].here and [offer.action.id for offer in found].count("file.delete") == 1
    assert next(offer.here for offer in found if offer.action.label == "Delete")


async def test_the_palette_and_a_file_by_its_name_or_a_heading_from_any_screen(tmp_path: Path) -> None:
    async with running(an_app(a_store(tmp_path))) as pilot:
        app = pilot.app
        await pilot.press("6")
        await until(pilot, lambda: isinstance(app.screen, TriageScreen) and app.screen.rows.keys)
        await pilot.press("ctrl+o")
        await until(pilot, lambda: isinstance(app.screen, FinderDialog))
        await shows(pilot, "[b]odd.md", "plan.md", "4 files")
        await typed(pilot, "redis")
        await shows(pilot, "# Redis port  plan.md · demo-1a2b3c4d")
        await pilot.press("enter")
        await shows(pilot, "6379")
        assert isinstance(app.screen, MainScreen) and app.main.current == "viewer"
        assert app.main.tree_pane.file_at_cursor() == app.main.viewer.file.ref
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, TriageScreen))
        await pilot.press("ctrl+o")
        await typed(pilot, "qqqq")
        await shows(pilot, "No file, heading or project of 4 files has “qqqq”")
        await pilot.press("enter", "escape", "escape")
        await until(pilot, lambda: isinstance(app.screen, TriageScreen))
        # enter right after the letters is about what fits them
        await to_the_tree(pilot)
        for key in ("s", "ctrl+o", *"plan", "enter"):
            pilot.app._driver.send_message(a_key(pilot.app, key))
        await until(pilot, lambda: pilot.app.main.viewer.file and pilot.app.main.viewer.file.ref.path.endswith("notes/plan.md"))
        # the palette does what is chosen, opens files, and says when nothing fits
        await pilot.press("1", "g")
        await pilot.resize_terminal(80, 24)
        await pilot.press("ctrl+p")
        await shows(pilot, "Palette", "Go to the search line.")
        await pilot.press("escape")
        await pilot.resize_terminal(20, 6)
        await pilot.press("ctrl+p")
        await typed(pilot, "undo")
        await shows(pilot, "Undo u")
        await pilot.press("escape", "escape")
        await pilot.resize_terminal(80, 24)
        await pilot.press("ctrl+p")
        await shows(pilot, "Palette", "Go to the search line.")
        await typed(pilot, "zzqq")
        await shows(pilot, "No action, page of help or file has “zzqq”")
        await pilot.press("escape")
        await typed(pilot, "agents read")
        await shows(pilot, "f1  What agents read  A page of help.")
        await pilot.press("enter")
        await shows(pilot, "What agents read", "tab Formats")
        await pilot.press("escape", "ctrl+p")
        await typed(pilot, "fact of MEMORY.md")
        await shows(pilot, "on Triage")
        assert "+  Load" in screen_text(app)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, TriageScreen | FactsScreen | PromptScreen))
        await shows(pilot, "+ here:")
        await pilot.press("ctrl+p")
        await typed(pilot, "plan.md")
        await pilot.press("enter")
        await until(pilot, lambda: app.main.viewer.file and app.main.viewer.file.ref.path.endswith("notes/plan.md"))


@pytest.mark.slow
async def test_what_stands_beside_the_tree_follows_a_filter_a_file_by_its_name_and_the_first_hit(tmp_path: Path) -> None:
    store = a_store(tmp_path)
    for letter in "abcdefghij":
        store.has(f"projects/far{letter}-1111222{letter}/notes/leaf{letter}.md", "far away\n")
    async with running(an_app(store), (80, 24)) as pilot:
        main = pilot.app.main
        await shows(pilot, "farc-1111222c")
        await pilot.press("slash", *"farc")
        await until(pilot, lambda: main.viewer.about is not None and main.viewer.about[0].group == "farc-1111222c")
        await until(pilot, lambda: main.status.right.project == "farc-1111222c")
        await pilot.press("escape", "ctrl+o")
        await typed(pilot, "leafd")
        await pilot.press("enter")
        await until(pilot, lambda: main.status.right.project == "fard-1111222d")
        # rows that are unfolded at the lower edge are seen
        await pilot.press("1", "G", "enter")
        await shows(pilot, "leafj")
        # the first hit is shown with enter, and what else there is has its key
        await pilot.press("s", "alt+w", "alt+w", *"away")
        await shows(pilot, "10 files")
        await pilot.press("enter")
        await until(pilot, lambda: main.viewer.file is not None and main.viewer.file.ref == main.search.found.hits[0].ref)
