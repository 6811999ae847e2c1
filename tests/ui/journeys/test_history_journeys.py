"""From the history: one change put back where its lines have changed since, and the editor at a change."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import forking
from tests.builders import PROJECT, AStore
from tests.ui.driving import an_app, asked, back, running, screen_text, shows, to_the_tree, until
from zsmem_tui.core.moments import when_words
from zsmem_tui.core.refs import Role
from zsmem_tui.service import editing
from zsmem_tui.ui.app import ZsmemApp
from zsmem_tui.ui.dialogs.conflict import ConflictDialog
from zsmem_tui.ui.history.screen import version_row
from zsmem_tui.ui.history.verbs import undo
from zsmem_tui.ui.triage.screen import TriageScreen

OLD = "# Facts\n\n" + "".join(f"- fact {number}\n" for number in range(40))
NEW = OLD.replace("fact 20\n", "fact twenty\n")
LONG_AFTER_NS = 4_000_000_000 * 10**9


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    """Two versions, the second of which changed a line."""
    store = AStore(tmp_path / "store").has("MEMORY.md", OLD)
    session = store.session()
    session.history.observe(["MEMORY.md"])
    store.has("MEMORY.md", NEW)
    session.history.observe(["MEMORY.md"])
    return store


@pytest.mark.slow
async def test_a_change_whose_lines_have_changed_since_is_decided_in_the_conflict_view(store: AStore) -> None:
    now = NEW.replace("fact twenty\n", "fact 20, by the agent\n")
    both = now.replace("- fact 20, by the agent\n", "- fact 20, by the agent\n- fact 20\n")
    store.has("MEMORY.md", now)
    async with running(an_app(store), size=(80, 24)) as pilot:
        left = "These lines have changed since. Nothing was written."
        for keys, wanted, says in (("escape", now, left), ("t", now, ""), ("b", both, ""), ("m", OLD, "Reverted this change")):
            await pilot.press("H")
            await shows(pilot, "History of “fact 20, by the agent” in MEMORY.md")
            await pilot.press("w")
            await shows(pilot, "History of MEMORY.md", "by the agent")
            await pilot.press("G", "k")
            await shows(pilot, "+│ - fact twenty")
            await pilot.press("enter", "b")
            await until(pilot, lambda: isinstance(pilot.app.screen, ConflictDialog))
            await shows(pilot, "Conflict 1 of 1", "fact 20, by the agent", "Without this change")
            await pilot.press(keys, *(["enter"] if keys != "escape" else []))
            await until(pilot, lambda: pilot.app.screen is pilot.app.tool)
            await until(pilot, lambda wanted=wanted: store.raw("MEMORY.md") == wanted.encode())  # type: ignore[misc]
            await shows(pilot, says, *(["u to undo"] if wanted != now else []))
            if wanted != now:
                await pilot.press("u")
                await until(pilot, lambda: store.raw("MEMORY.md") == now.encode())
            await back(pilot)


async def test_a_step_is_called_after_the_title_of_its_file_and_a_change_of_one_that_is_gone_is_asked_about(store: AStore) -> None:
    store.has("~/notes/deploy.md", "- one\n")
    session = store.session()
    editing.save(session, session.place_of(Role.NOTE, PROJECT, "deploy"), b"- two\n", b"- one\n")
    async with running(an_app(store)) as pilot:
        await pilot.press("H", "w", "w")
        await shows(pilot, "History of all files", "Saved ", "· note deploy  +1 -1")
        assert "Saved projects/" not in screen_text(pilot.app)
        await to_the_tree(pilot)
        await pilot.press("H")
        await shows(pilot, "+│ - fact twenty")
        (store.root / "MEMORY.md").unlink()
        await pilot.press("enter", "b")
        await asked(pilot, "Somebody has deleted this file since.", "Bring it back: without this change")
        await pilot.press("j", "j", "enter")
        await until(pilot, lambda: (store.root / "MEMORY.md").exists() and store.raw("MEMORY.md") == OLD.encode())
        # a deletion is reverted as any other change is
        (store.root / f"projects/{PROJECT}/notes/deploy.md").unlink()
        await until(pilot, lambda: not next(iter(session.history.latest())).after)
        await to_the_tree(pilot)
        await pilot.press("H", "w", "g")
        await shows(pilot, "note deploy", "deleted")
        await pilot.press("b")
        await shows(pilot, "Reverted this change", "u to undo")
        assert store.raw("~/notes/deploy.md") == b"- two\n"


async def test_undo_needs_no_list_on_the_screen_and_e_edits_at_the_change_where_it_stands_now_and_esc_comes_back(
    store: AStore,
) -> None:
    store.has("MEMORY.md", NEW.replace("# Facts\n\n", "# Facts\n\n- new\n- newer\n"))
    async with running(an_app(store), size=(80, 24)) as pilot:
        pilot.app.push_screen(TriageScreen(pilot.app, set()))
        await undo(pilot.app, redo=False)
        await shows(pilot, "Nothing to undo")
        await back(pilot)
        await pilot.press("H", "w")
        await shows(pilot, "3 versions")
        await pilot.press("j")
        await shows(pilot, "+│ - fact twenty")
        await pilot.press("enter", "e")
        await until(pilot, lambda: pilot.app.focused is not None and pilot.app.focused.id == "text")
        area = pilot.app.main.editor.area
        assert area.document.get_line(area.cursor_location[0]) == "- fact twenty"
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.tool is not None and pilot.app.tool.PAGE == "history")
        await shows(pilot, "+│ - fact twenty")
        assert "Restore" in screen_text(pilot.app)


@pytest.mark.slow
async def test_what_an_undo_brings_back_is_in_sight_and_what_e_is_about(store: AStore) -> None:
    async with running(app := an_app(store), (80, 24)) as pilot:
        ref = app.main.session.ref_at("MEMORY.md")
        editing.save(app.main.session, ref, NEW.replace("- fact 35\n", "").encode(), NEW.encode())
        await to_the_tree(pilot)
        await pilot.press("g", "enter", "g")
        await until(pilot, lambda: app.main.viewer.file and b"fact 35" not in (app.main.viewer.file.raw or b""))
        store.has("MEMORY.md", NEW.replace("- fact 35\n", "") + "- of the agent\n")
        await until(pilot, lambda: app.main.viewer.file and (app.main.viewer.file.raw or b"").endswith(b"agent\n"))
        await pilot.press("u")
        await shows(pilot, "Undid", "fact 35")
        await until(pilot, lambda: app.main.line_meant(ref) == 2 + 35)


WRITES = (
    "import sys; from zsmem_tui.cli.main import main; sys.exit(main(['--root', sys.argv[1], 'write', 'long_term', '- theirs']))"
)


CHANGES = (
    "import sys; from zsmem_tui.cli.main import main;"
    "sys.exit(main(['--root', sys.argv[1], 'edit', 'long_term', '--old', sys.argv[2], '--new', sys.argv[3]]))"
)


async def test_the_last_step_before_the_start_is_undone_once_the_person_has_seen_what_it_is(store: AStore) -> None:
    assert forking.python(WRITES, store.root).returncode == 0
    both = store.raw("MEMORY.md")
    async with running(ZsmemApp(store.session(), now_ns=lambda: LONG_AFTER_NS)) as pilot:
        await pilot.press("u")
        await asked(pilot, "Undo", "The last step was made", "before this window", "changed MEMORY.md")
        await pilot.press("escape")
        await shows(pilot, "Nothing was undone of: changed MEMORY.md")
        assert store.raw("MEMORY.md") == both
        await pilot.press("u")
        await asked(pilot, "Undo")
        await pilot.press("enter")  # to leave it is always the first answer
        await shows(pilot, "Nothing was undone of: changed MEMORY.md")
        await pilot.press("u")
        await asked(pilot, "Undo")
        await pilot.press("j", "enter")
        await shows(pilot, "Undid: changed MEMORY.md · made", "before this window", "U to redo")
        assert store.raw("MEMORY.md") == NEW.encode()
        await pilot.press("U")
        await until(pilot, lambda: store.raw("MEMORY.md") == both)


async def test_an_undo_that_makes_or_deletes_many_files_asks_first(store: AStore) -> None:
    async with running(app := an_app(store)) as pilot:
        session = app.main.session
        for name, count in (("few", 20), ("many", 21)):
            with session.batch(f"Made {name}") as batch:
                for number in range(count):
                    batch.update(f"projects/{store.project}/notes/{name}{number}.md", lambda _: f"- {number}\n".encode())  # noqa: B023
        await pilot.press("u")
        await asked(pilot, "Undo", "The last step is of many files", "Made many", "It deletes 21 files.")
        await pilot.press("escape")
        await shows(pilot, "Nothing was undone of: Made many")
        await pilot.press("u")
        await asked(pilot, "Undo")
        await pilot.press("j", "enter")
        await shows(pilot, "Undid: Made many", "are deleted")
        await pilot.press("u")
        await shows(pilot, "Undid: Made few", "are deleted")
        assert not list(store.root.rglob("notes/*.md"))
        await pilot.press("U", "U")
        await until(pilot, lambda: len(list(store.root.rglob("notes/*.md"))) == 41)


@pytest.mark.slow
async def test_a_step_of_another_window_is_undone_only_when_the_person_says_so(store: AStore) -> None:
    own = NEW + "- mine\n"
    async with running(app := an_app(store)) as pilot:
        session = app.main.session
        session.mem().write("long_term", "- mine")
        assert forking.python(WRITES, store.root).returncode == 0
        both = store.raw("MEMORY.md")
        assert both == (own + "- theirs\n").encode()
        await pilot.press("u")
        await asked(
            pilot,
            "Undo",
            "The last step was made just now, outside this window",
            "changed MEMORY.md",
            "Undo it",
        )
        await pilot.press("escape")
        await shows(pilot, "Nothing was undone of: changed MEMORY.md")
        assert store.raw("MEMORY.md") == both
        await pilot.press("u")
        await asked(pilot, "Undo")
        await pilot.press("enter")
        await shows(pilot, "Nothing was undone of: changed MEMORY.md")
        await pilot.press("u")
        await asked(pilot, "Undo")
        await pilot.press("j", "enter")
        assert app.conversations._doing == "Undo", "a dialog's own keys are no name for it"
        await shows(pilot, "Undid: changed MEMORY.md · made just now, outside this window")
        assert store.raw("MEMORY.md") == own.encode()
        await pilot.press("U")
        await until(pilot, lambda: store.raw("MEMORY.md") == both)


SEES = "import sys; from zsmem_tui.cli.main import main; sys.exit(main(['--root', sys.argv[1], 'review', 'accept', '--all']))"


async def test_the_last_step_of_this_window_is_undone_below_one_of_another(store: AStore) -> None:
    async with running(app := an_app(store)) as pilot:
        app.main.session.mem().write("long_term", "- mine")
        assert forking.python(SEES, store.root).returncode == 0
        await pilot.press("u")
        await asked(pilot, "Undo", "outside this window", "as seen", "Undo the last step of this window: changed MEMORY.md")
        await pilot.press("j", "j", "enter")
        await shows(pilot, "Undid: changed MEMORY.md", "U to redo")
        assert store.raw("MEMORY.md") == NEW.encode()
        await pilot.press("u")
        await asked(pilot, "Undo", "as seen")
        assert "of this window" not in screen_text(app), "none is left"
        await pilot.press("escape", "U")
        await until(pilot, lambda: store.raw("MEMORY.md") == f"{NEW}- mine\n".encode())
        assert forking.python(CHANGES, store.root, "- mine", "- theirs").returncode == 0
        await pilot.press("u")
        await asked(pilot, "Undo", "outside this window", "changed MEMORY.md")
        assert "of this window" not in screen_text(app), "it cannot be undone alone"


@pytest.mark.slow
async def test_an_undo_left_undecided_says_so_and_may_be_passed_over_for_what_is_older(tmp_path: Path) -> None:
    store = AStore(tmp_path / "store").has("MEMORY.md", "- one\n").has("~/notes/n.md", "older\n")
    session = store.session()
    for path, before, after in (("~/notes/n.md", b"older\n", b"mine\n"), ("MEMORY.md", b"- one\n", b"- two\n")):
        path = path.replace("~", f"projects/{store.project}")
        editing.save(session, session.ref_at(path), after, before)
    store.has("MEMORY.md", "- three, by the agent\n")
    async with running(an_app(store), (80, 24)) as pilot:
        for keys in (["enter"], ["j", "enter"]):
            await pilot.press("u")
            await shows(
                pilot,
                "Undo of: Saved MEMORY.md. These lines have changed since. Nothing is written",
                "1 Before this step",
                "1 Theirs, on disk",
                "m before this step",
            )
            await pilot.press("m")
            await shows(pilot, "1: before this step", "1 of 1 decided", "ctrl+s saves")
            assert "mine" not in screen_text(pilot.app).lower(), "an agent may have written it"
            await pilot.press("escape")
            await asked(pilot, "Nothing was undone of", "Pass over it")
            await pilot.press(*keys)
            words = "Passed over: Saved MEMORY.md" if "j" in keys else "MEMORY.md changed since. Nothing was undone of"
            await shows(pilot, words)
        # of a file that was deleted meanwhile, to leave it so is an answer: no second question comes
        store.at("~/notes/n.md").unlink()
        for keys in (["escape"], ["j", "enter"]):
            await pilot.press("u")
            await asked(pilot, "note n. Somebody has deleted")
            assert "lines have changed" not in screen_text(pilot.app)
            await pilot.press(*keys)
            await until(pilot, lambda: not pilot.app.conversations.under_way)
            assert pilot.app.screen is pilot.app.main
            await shows(pilot, "Left as it is: nothing was undone." if "j" in keys else "Nothing was undone of")
        assert store.raw("MEMORY.md") == b"- three, by the agent\n" and not store.at("~/notes/n.md").exists()


def test_a_version_that_only_moved_lines_says_so(tmp_path: Path) -> None:
    store = AStore(tmp_path / "store").has("MEMORY.md", "- one\n- two\n")
    session = store.looked_at()
    store.has("MEMORY.md", "- two\n- one\n")
    session.history.observe(["MEMORY.md"])
    moved, first = ("".join(text for text, _ in version_row(each, 0).pieces) for each in session.history.versions("MEMORY.md"))
    assert "lines moved" in moved and "+0" not in moved and "+2 -0" in first


async def test_words_find_versions_by_the_lines_that_they_changed(store: AStore) -> None:
    async with running(an_app(store), size=(100, 24)) as pilot:
        await shows(pilot, "Others wrote")  # it opens on Review, and H is of the fact there
        await pilot.press("H")
        await shows(pilot, "History of “fact twenty” in MEMORY.md")
        await pilot.press("w")
        await shows(pilot, "History of MEMORY.md", "2 versions")
        newest = pilot.app.tool.rows.at_cursor()
        await shows(pilot, f" {when_words(newest.since, pilot.app.now_ns())} ┃")  # its moment, where there is room for it
        await pilot.resize_terminal(99, 24)
        await until(pilot, lambda: " now ┃" in screen_text(pilot.app) or "m ago ┃" in screen_text(pilot.app))
        await pilot.resize_terminal(100, 24)
        await pilot.press("slash", *"fact twenty")
        await shows(pilot, "1 version ", "+│ - fact twenty")
        await pilot.press("x")
        await shows(pilot, "No version is like this")


@pytest.mark.slow
async def test_a_version_opens_at_its_first_change_and_its_row_names_the_file_once(store: AStore) -> None:
    long = "".join(f"- fact {number} {'with many words ' * 12}\n" for number in range(12))
    store.has("MEMORY.md", long)
    session = store.session()
    session.history.observe(["MEMORY.md"])
    editing.save(session, session.ref_at("MEMORY.md"), (long + "- the last\n").encode(), long.encode())
    async with running(an_app(store), (80, 24)) as pilot:
        await to_the_tree(pilot)
        await pilot.press("H")
        await shows(pilot, "▶+│ - the last", " +1 -0  Saved ")
        # single lines of a change are reverted, and undoing that stays at the version
        now = f"{long}- the last\n- p\n- q\n- r\n"
        store.has("MEMORY.md", now)
        session.history.observe(["MEMORY.md"])
        await pilot.press("escape", "H")
        await shows(pilot, "▶+│ - p")
        own = pilot.app.tool.rows.key
        await pilot.press("enter", "v", "j", "b")
        await until(pilot, lambda: store.raw("MEMORY.md") == now.replace("- p\n- q\n", "").encode())
        await shows(pilot, "Reverted 2 lines of this change")
        await pilot.press("u")
        await until(pilot, lambda: store.raw("MEMORY.md") == now.encode() and len(pilot.app.tool.rows.items) == 7)
        await shows(pilot, "▶+│ - q")
        assert pilot.app.tool.rows.key == own
        # what a version lacks of the file as it is now, which B takes back
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.focused is pilot.app.tool.rows)
        await pilot.press("j", "vertical_line")
        await shows(pilot, "from this version to now · 1 change", "+│ - p", "+│ - r", "B Restore")
        assert "b Revert" not in screen_text(pilot.app)
        await pilot.press("b")
        await shows(pilot, "B takes that back, and | shows what the version itself changed.")
        await pilot.press("vertical_line")
        await until(pilot, lambda: "from this version to now" not in screen_text(pilot.app))
        await shows(pilot, "b Revert")
