"""Review by lines in the running program, with an agent that writes underneath."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
from textual.color import Color

from tests.builders import NOW, AStore
from tests.ui.driving import NOW_NS, an_app, back, lit, pasted, running, screen_text, shows, to_changes, until
from tests.ui.several import CLAUDE, Machine, at
from zsmem_tui.config.model import Config
from zsmem_tui.service import history, instructions, review_lines, reviewing
from zsmem_tui.service.folders import Beside
from zsmem_tui.service.news import Today
from zsmem_tui.service.stores import open_store
from zsmem_tui.ui.app import ZsmemApp
from zsmem_tui.ui.review import screen
from zsmem_tui.ui.review.screen import ChangeDiff, ReviewScreen
from zsmem_tui.ui.widgets.bars import StatusLine

SHARES = (0.2126, 0.7152, 0.0722)
FACTS = "".join(f"fact {number}\n" for number in range(10))
AGENT = FACTS + "alpha\nbravo\ncharlie\n"


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    """An agent has added three lines to MEMORY.md and made a note of two."""
    made = AStore(tmp_path / "memory").has("MEMORY.md", FACTS).has("~/SCRATCHPAD.md", "- [ ] a\n")
    history.look_at_all(made.session())
    made.has("MEMORY.md", AGENT).has("~/notes/n.md", "delta\necho\n")
    history.look_at_all(made.session())
    return made


def contrast(segment: Any) -> float:
    """How well a text stands out from what is behind it: the ratio of WCAG."""
    front, back = (Color.from_rich_color(each).normalized for each in (segment.style.color, segment.style.bgcolor))
    light = [
        sum(
            share * (part / 12.92 if part <= 0.04 else ((part + 0.055) / 1.055) ** 2.4)
            for share, part in zip(SHARES, each, strict=True)
        )
        for each in (front, back)
    ]
    return (max(light) + 0.05) / (min(light) + 0.05)


def left(store: AStore) -> list[bytes | None]:
    return [line.key.added for each in reviewing.pending(store.session()) for line in review_lines.lines(each)]


async def review(pilot: Any) -> ChangeDiff:
    await shows(pilot, "5 Review ●2")
    await to_changes(pilot)
    await shows(pilot, "▶+│ alpha", "line 1 of 3")
    diff = pilot.app.screen.query_one(ChangeDiff)
    assert isinstance(diff, ChangeDiff)
    return diff


@pytest.mark.slow
async def test_lines_are_judged_one_by_one_in_bursts_and_by_marks_of_several_files(store: AStore) -> None:
    async with running(an_app(store), (130, 40)) as pilot:
        diff = await review(pilot)
        await pilot.press("enter", "j")
        await shows(pilot, "s Search  ctrl+o Open")  # with nothing to undo
        await pilot.press("b")
        await until(pilot, lambda: store.raw("MEMORY.md") == AGENT.replace("bravo\n", "").encode())
        await shows(pilot, "Reverted 1 line of MEMORY.md", "u to undo", "s Search  u Undo  esc Back", "▶+│ charlie", "line 2 of 2")
        await pilot.press("x")
        await shows(pilot, "Marked 1 line of MEMORY.md as seen · u to undo", "▶+│ alpha", "line 1 of 1")
        assert left(store) == [b"alpha\n", b"delta\n", b"echo\n"] and diff.has_focus
        await pilot.press("u")
        await shows(pilot, "Undid: Marked 1 line of MEMORY.md as seen", "▶+│ charlie", "line 2 of 2")
        assert left(store) == [b"alpha\n", b"charlie\n", b"delta\n", b"echo\n"]
        await pilot.press("u")
        await until(pilot, lambda: store.raw("MEMORY.md") == AGENT.encode())
        await shows(pilot, "▶+│ bravo", "line 2 of 3")
        assert left(store) == [b"alpha\n", b"bravo\n", b"charlie\n", b"delta\n", b"echo\n"]
        await pilot.press("k", "v", "j", "j")
        await shows(pilot, "3 marked", "✓ +│ alpha", "✓▶+│ charlie")
        await pilot.press("space")
        await shows(pilot, "2 marked")
        await pilot.press("b")
        await until(pilot, lambda: store.raw("MEMORY.md") == (FACTS + "charlie\n").encode())
        await pilot.press("u")
        await until(pilot, lambda: store.raw("MEMORY.md") == AGENT.encode())
        # the list goes along, and of several files its marks are what keys are about
        await shows(pilot, "+│ alpha", "line 3 of 3")
        pilot.app.screen.query_one("#today-list").focus()
        await pilot.press("g", "j", "space", "G", "space")
        await shows(pilot, "2 marked · 5 Review", "note n")
        await pilot.press("b")
        await until(pilot, lambda: not store.at("~/notes/n.md").exists())
        assert store.raw("MEMORY.md") == AGENT.replace("bravo\n", "").encode()
        await pilot.press("u")
        await until(pilot, lambda: store.at("~/notes/n.md").exists() and store.raw("MEMORY.md") == AGENT.encode())
        await shows(pilot, "Undid: Reverted", "▶+│ bravo")
        await pilot.press("g", "enter", "x", "x", "x", "x")
        await until(pilot, lambda: left(store) == [b"echo\n"])
        await pilot.press("b")
        await until(pilot, lambda: store.raw("~/notes/n.md") == b"delta\n")
        await shows(pilot, "Nothing to review.")
        store.at("~/notes/n.md").rename(store.at("~/notes/moved.md"))
        await pilot.app.main.look_now()
        await shows(pilot, "renamed from n.md", " │ delta", "the text is the same")


async def test_lines_and_whole_files_are_not_moved_together_nor_a_file_that_is_gone(store: AStore) -> None:
    async with running(an_app(store), (160, 30)) as pilot:
        await shows(pilot, "Others wrote 5 lines in 2 files", "alpha", "note n")
        await pilot.press("asterisk", "m")
        await shows(pilot, "Some of these are lines and some whole files", "Nothing was done.", "4 marked")
        await pilot.press("escape")
        store.at("~/notes/n.md").unlink()
        await pilot.app.main.look_now()
        await shows(pilot, "came and went")
        await pilot.press("G", "m")
        await shows(pilot, "n.md is gone")


@pytest.mark.slow
async def test_the_line_under_the_cursor_is_read_as_easily_as_its_neighbours_in_every_theme(store: AStore) -> None:
    app = an_app(store)
    async with running(app) as pilot:
        diff = await review(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: diff.has_focus)
        for theme in ("dark", "light", "nord", "solarized-light", "dracula"):
            app.theme = theme if theme in app.available_themes else f"zsmem-{theme}"
            await pilot.pause()
            row = diff.page.row_of(diff.page.start_of(0)) - diff.scroll_offset.y
            here = [each for each in diff.render_line(row) if "alpha" in each.text]
            there = [each for each in diff.render_line(row + 1) if "bravo" in each.text]
            assert here and there and contrast(here[0]) >= min(3.5, 0.7 * contrast(there[0])), theme
            assert contrast(here[0]) != contrast(there[0]), "it stands out"


@pytest.mark.slow
async def test_the_keys_of_the_full_screen_do_the_same_on_the_page(store: AStore) -> None:
    async with running(an_app(store), (160, 30)) as pilot:
        await shows(pilot, "Others wrote 5 lines in 2 files", "alpha")
        await until(pilot, lambda: pilot.app.main.current == "today")
        await pilot.press("t")
        await shows(pilot, "What the agent sees · as of")
        await back(pilot)
        await pilot.press("B")
        await shows(pilot, "Reverted 3 lines of MEMORY.md")
        assert store.raw("MEMORY.md") == FACTS.encode()
        await pilot.press("u")
        await shows(pilot, "Undid: Reverted", "alpha")
        await pilot.press("X")
        await shows(pilot, "Marked 5 lines of 2 files as seen", "Nothing to review")


async def test_the_review_shows_this_memory_and_w_all_and_goes_on_where_the_history_of_one_is_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Machine(tmp_path)
    machine.looked_at()
    machine.own.has("MEMORY.md", "- Ann likes tea\n- alpha\n")
    machine.claude.has(f"{CLAUDE}/project_deploy.md", "---\nname: deploy\n---\n\n- bravo\n")
    async with running(machine.app(), (160, 40)) as pilot:
        await shows(pilot, "●1 zerostack", "●1 Claude Code")
        await to_changes(pilot)
        await shows(pilot, "+│ - alpha", "Claude Code › /home/ann/lantern", "2 files of")
        await pilot.press("enter", "w")  # from the changes, too
        await shows(pilot, "5 Review · all memories ─", "Claude Code › /home/ann/lantern")
        await pilot.press("escape", "space", "G")
        await shows(pilot, "5 Review · all memories ━", "Claude Code › /home/ann/lantern", "+│ - bravo", "line 2 of")
        await pilot.press("asterisk", "b")  # what is marked, whosever it is
        await shows(pilot, "Reverted", " of MEMORY.md", "Nothing to review")
        await pilot.press("u", "u", "g")
        await shows(pilot, "+│ - alpha", "2 files of")
        assert "Undo is off" not in screen_text(pilot.app)
        await pilot.press("X")
        await shows(pilot, "of 2 files as seen", "Nothing to review")
        await back(pilot)
        machine.own.has("MEMORY.md", "- Ann likes tea\n- alpha\n- again\n")
        machine.claude.has(f"{CLAUDE}/MEMORY.md", "- be brief\n- bravo\n")
        await shows(pilot, "●1 zerostack", "●1 Claude Code")
        await to_changes(pilot)
        await shows(pilot, "+│ - again", "Claude Code › /home/ann/lantern")
        async with pilot.app.main.unpolled():  # else a poll may come first and take the other memory's rows out of the list
            for each in Path(machine.sessions()[1].history.home).rglob("*"):
                if each.is_file():
                    each.write_bytes(b"?")
            await pilot.press("j", "X")
        await until(pilot, lambda: "it is damaged" in pilot.app.screen.query_one(StatusLine).said)
        assert reviewing.pending(machine.sessions()[0]), "all or nothing"
        reads: list[Today] = []
        page = pilot.app.screen.page
        show = page.show

        def count(found: Today) -> None:
            reads.append(found)
            show(found)

        monkeypatch.setattr(page, "show", count)
        await asyncio.sleep(0.5)
        assert len(reads) <= 3, "what cannot be read is not read again and again"
        await pilot.press("g", "x")
        await until(pilot, lambda: reviewing.pending(machine.sessions()[0]) == [])
        await shows(pilot, "damaged")


@pytest.mark.slow
async def test_the_hunk_and_the_file_are_one_key_away_and_what_was_judged_leaves_the_cursor_at_the_next_line(store: AStore) -> None:
    store.has("MEMORY.md", "first\n" + AGENT)
    history.look_at_all(store.session())
    async with running(an_app(store)) as pilot:
        await shows(pilot, "Review ●")
        await to_changes(pilot)
        await shows(pilot, "▶+│ first")
        await pilot.press("enter", "n", "V")
        await shows(pilot, "✓▶+│ alpha", "✓ +│ bravo", "3 marked")
        await pilot.press("escape")
        await until(pilot, lambda: "✓" not in screen_text(pilot.app))
        await shows(pilot, "Nothing is marked any more.")
        await pilot.press("V")
        await shows(pilot, "3 marked")
        assert "Nothing is marked any more." not in screen_text(pilot.app)
        await pilot.press("x")
        await shows(pilot, "Marked 3 lines of MEMORY.md as seen")
        assert left(store) == [b"first\n", b"delta\n", b"echo\n"]
        await shows(pilot, "▶+│ first")
        await pilot.press("X")
        await until(pilot, lambda: left(store) == [b"delta\n", b"echo\n"])
        await back(pilot)
        store.has("MEMORY.md", "first\n" + AGENT + "alef\nbet\ngimel\nxray\nyankee\nzulu\n")
        await pilot.app.main.look_now()
        await shows(pilot, "Review ●")
        await to_changes(pilot)
        await pilot.press("g")
        await shows(pilot, "▶+│ alef", "line 1 of 6")
        await pilot.press("enter", "v", "j", "j", "x")
        await shows(pilot, "Marked 3 lines of MEMORY.md as seen", "▶+│ xray", "line 1 of 3")
        await pilot.press("j", "j", "v", "k", "b")
        await shows(pilot, "Reverted 2 lines of MEMORY.md", "▶+│ xray", "line 1 of 1")


@pytest.mark.slow
async def test_a_blank_line_is_no_stop_of_its_own_and_goes_with_its_neighbour(store: AStore) -> None:
    store.has("MEMORY.md", FACTS.replace("fact 3\n", "fact 3\n\n") + "\nalpha\n\n\nbravo\n\n")
    store.has("~/notes/n.md", "delta\n\n")
    history.look_at_all(store.session())
    async with running(an_app(store)) as pilot:
        await shows(pilot, "5 Review ●2")
        await to_changes(pilot)
        await shows(pilot, "▶+│ alpha", "line 3 of 7", "3 lines in 2 files")
        await pilot.press("enter", "j", "j")
        await shows(pilot, "▶+│ bravo", "line 6 of 7")
        await pilot.press("k", "j", "n")  # a hunk of blank lines alone is none to go to
        await shows(pilot, "▶+│ alpha", "line 3 of 7")
        for keys in (("v", "j", "v"), ("escape", "V")):
            await pilot.press(*keys)
            await shows(pilot, "✓ +│ alpha", "✓▶+│ bravo", "2 marked")
        await pilot.press("V", "G", "b")
        await shows(pilot, "Reverted 1 line of MEMORY.md", "▶+│ alpha", "line 3 of 3")
        assert store.raw("MEMORY.md") == (FACTS.replace("fact 3\n", "fact 3\n\n") + "\nalpha\n").encode()
        await pilot.press("space", "x")
        await shows(pilot, "Marked 1 line of MEMORY.md as seen")
        assert left(store) == [b"delta\n", b"\n"]


async def test_the_screen_follows_the_agent_finds_words_and_comes_back_from_the_editor_and_to_the_tree(store: AStore) -> None:
    async with running(an_app(store)) as pilot:
        await review(pilot)
        await pilot.press("enter", "j", "j", "e")
        await until(pilot, lambda: pilot.app.focused is not None and pilot.app.focused.id == "text")
        assert pilot.app.main.editor.area.cursor_location[0] == 12
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReviewScreen))
        await shows(pilot, "▶+│ charlie")
        await until(pilot, lambda: pilot.app.screen.query_one(ChangeDiff).has_focus)
        await pilot.press("escape", "escape")  # letters act again on the page
        await until(pilot, lambda: pilot.app.screen is pilot.app.main)
        await until(pilot, lambda: pilot.app.focused is not None and pilot.app.focused.id == "today-list")
        await to_changes(pilot)
        await shows(pilot, "▶+│ alpha", "line 1 of 3")
        store.has("~/notes/latin.md", b"# caf\xe9\n")
        await shows(pilot, "latin", "3 files")
        await pilot.press("enter", "space")
        await shows(pilot, "✓ +│ alpha", "▶+│ bravo")
        store.has("MEMORY.md", "on top\n" + AGENT.replace("alpha\n", "alpha\nbetween\n"))
        await shows(pilot, "✓ +│ alpha", "+│ between", "▶+│ bravo", "line 4 of 5", "1 marked")
        await pilot.press("escape", "slash")
        await pasted(pilot, "ECHO")
        await shows(pilot, "▶+│ delta")
        await pilot.press("enter", "enter", "j", "b")
        await until(pilot, lambda: store.raw("~/notes/n.md") == b"delta\n")
        # another window marks the rest as seen and records that, too, as this one does at its next look
        session = store.session()
        review_lines.accept(session, [review_lines.Pick(each) for each in reviewing.pending(session)])
        session.history.drain()
        await lit(pilot, "review")
        await shows(pilot, "Nothing to review", "5 Review")


@pytest.mark.slow
async def test_no_key_acts_on_the_file_or_line_that_came_under_the_cursor_when_the_agent_took_the_one_there(store: AStore) -> None:
    gone = "The row under the cursor has gone, and another is there now. Nothing was done."
    async with running(an_app(store)) as pilot:
        await review(pilot)
        await pilot.press("enter")
        store.has("MEMORY.md", AGENT.replace("alpha\n", ""))
        await shows(pilot, "▶+│ bravo", "line 1 of 2")
        await pilot.press("b")
        await shows(pilot, gone)
        store.has("MEMORY.md", FACTS + "charlie\n")
        await shows(pilot, "▶+│ charlie", "line 1 of 1")
        await pilot.press("j", "b")
        await shows(pilot, "Reverted 1 line of MEMORY.md", "▶+│ delta")
        await pilot.press("u", "escape")
        await shows(pilot, "Undid: Reverted", "▶+│ charlie")
        store.has("MEMORY.md", FACTS)  # the agent takes out its own line, which undo brought back
        await shows(pilot, "another program's write", "dropped 1 line brought back here", "▶+│ delta")
        await pilot.press("x")
        await shows(pilot, gone)
        await pilot.press("x")
        await shows(pilot, "note n as seen · u to undo", "Nothing to review.")


@pytest.mark.slow
async def test_the_history_of_a_file_and_of_the_whole_store_by_day_and_filtered_and_marks_in_the_tree(store: AStore) -> None:
    store.session().mem().write("long_term", "mine")
    async with running(an_app(store)) as pilot:
        await shows(pilot, "● MEMORY.md", "●1 demo-1a2b3c4d", "Review ●")
        await pilot.press("1", "H")
        await shows(pilot, "History of MEMORY.md", "3 versions")
        assert pilot.app.tool.query_one(".tool-list").outer_size.width == 60, "half of it for titles, steps and ages"
        await pilot.press("w")
        await shows(pilot, "History of all files", "5 versions")
        await pilot.press("w")
        await shows(pilot, "History of MEMORY.md", "3 versions")
        await back(pilot)
        await pilot.press("j", "H")
        await shows(pilot, "History of demo-1a2b3c4d", "· scratchpad", "· note n", "2 versions", "-05-25")
        assert "MEMORY.md" not in screen_text(pilot.app), "a row of a project stands for its files"
        await pilot.press("w")
        await shows(pilot, "History of all files", "MEMORY.md", "· scratchpad", "· note n", "5 versions", "-05-25")
        await pilot.press("f")
        await shows(pilot, "yours", "1 version")
        await pilot.press("f", "f", "slash")
        await pasted(pilot, "scratch")
        await shows(pilot, "1 version")
        await pilot.press("escape")
        await shows(pilot, "5 versions")
        await back(pilot)
        await pilot.press("l")
        await shows(pilot, "● n")
        await to_changes(pilot)
        await shows(pilot, "▶+│ alpha")
        await pilot.press("X")
        await shows(pilot, "Nothing to review.")
        await pilot.press("escape")
        await until(pilot, lambda: "●" not in screen_text(pilot.app))


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), pytest.param((200, 60), marks=pytest.mark.slow)])
async def test_e_shows_the_line_among_long_lines_each_time(tmp_path: Path, size: tuple[int, int]) -> None:
    long = "".join(f"- line {number}" + " goes on" * 30 + "\n" for number in range(300))
    store = AStore(tmp_path / "memory").has("MEMORY.md", long)
    history.look_at_all(store.session())
    store.has("MEMORY.md", long + "".join(f"- agent {number}\n" for number in range(9)))
    history.look_at_all(store.session())
    async with running(an_app(store), size=size) as pilot:
        await shows(pilot, "Review ●")
        await to_changes(pilot)
        await shows(pilot, "▶+│ - agent 0")
        await pilot.press("enter")
        for number in range(1, 4):
            await pilot.press("j")
            await shows(pilot, f"▶+│ - agent {number}")
            await pilot.press("e")
            await until(pilot, lambda: pilot.app.focused is not None and pilot.app.focused.id == "text")
            await pilot.pause(0.2)
            await shows(pilot, f"- agent {number}", f"{301 + number}:1")
            await pilot.press("escape")
            await until(pilot, lambda: isinstance(pilot.app.screen, ReviewScreen))


@pytest.mark.slow
async def test_what_is_counted_is_listed_in_every_store_and_what_is_of_others_is_said_so(tmp_path: Path) -> None:
    """Claude Code alone: its memory, that of another folder, and the instructions that lie in the folder."""
    machine = Machine(tmp_path)
    shop = tmp_path / "shop"
    shop.mkdir()
    (shop / "CLAUDE.md").write_text("# Shop\n")
    orders = instructions.open_folder(Config(), str(shop), clock=lambda: NOW)
    _, claude = machine.sessions()
    for each in (claude, orders):
        history.look_at_all(each)
    machine.claude.has(f"{CLAUDE}/MEMORY.md", "- [Deploy](project_deploy.md) - how it is done\n- bravo\n")
    machine.claude.has("projects/-home-ann-far/memory/MEMORY.md", "- nothing yet\n- far\n")
    (shop / "CLAUDE.md").write_text("# Shop\n\n- alpha\n")
    app = ZsmemApp(claude, beside=[orders], now_ns=lambda: NOW_NS)
    async with running(app, (160, 40)) as pilot:
        await shows(pilot, "5 Review ●2", f"Instructions › {shop} · CLAUDE.md")
        await to_changes(pilot)
        await shows(pilot, "/home/ann/lantern · prompt", "2 files of", "+│ - bravo")
        await pilot.press("w")
        await shows(pilot, " all memories", "3 files", "far", "shop", "CLAUDE.md", "+│ - bravo")
        await pilot.press("G")
        await shows(pilot, "▶+│ - alpha")
        await pilot.press("x")
        await until(pilot, lambda: reviewing.pending(orders) == [])
        await shows(pilot, "as seen", "5 Review ●1")
        assert app.main.here.session is claude, "the agent in use stays as it is"
        (shop / "CLAUDE.md").write_text("# Shop\n\n- alpha\n- charlie\n")
        await shows(pilot, " all memories", "3 files", "+│ - charlie")
        await pilot.press("g", "X")
        await shows(pilot, "of 3 files as seen", "Nothing to review.")
        assert reviewing.pending(orders) == reviewing.pending(claude) == [], "in every memory that is in the list"
        await pilot.press("u")
        await shows(pilot, "Undid: Marked", "in 3 files")
        assert len(reviewing.pending(orders)) == 1 and len(reviewing.pending(claude)) == 2
        await pilot.press("w")
        await shows(pilot, "/home/ann/lantern · prompt", "2 files of")
        await pilot.press("X")
        await lit(pilot, "review")
        await shows(
            pilot,
            "Nothing to review. Nobody else has written since",
            "Elsewhere: 1 file of -home-ann-far",
            "All memories",
        )
        assert len(reviewing.pending(claude)) == 1, "of what is not shown nothing is seen"


@pytest.mark.slow
async def test_of_what_is_new_as_much_is_promised_as_review_shows(tmp_path: Path) -> None:
    store = AStore(tmp_path / "store").has("MEMORY.md", "- one\n").has("~/notes/a.md", "alpha\n")
    store.looked_at()
    async with running(an_app(store), (160, 40)) as pilot:
        await until(pilot, lambda: pilot.app.main.stores[0].catalog)
        store.at("~/notes/folder.md").mkdir()
        store.at("~/notes/link.md").symlink_to("/etc/hostname")
        store.has("~/notes/b.md", "bravo\n").has("~/notes/c.md", "charlie\n")
        await shows(pilot, "4 files are new on disk · 5 shows 2 of them")
        await pilot.press("j")
        pilot.app.main.status.clear()
        store.at("~/notes/a.md").rename(store.at("~/notes/z.md"))  # which is one row of the review
        await shows(pilot, "2 files differ on disk · 5 shows them")


@pytest.mark.slow
async def test_review_changes_nothing_of_which_memory_is_in_view(tmp_path: Path) -> None:
    store = (
        AStore(tmp_path / "store").has("MEMORY.md", "- one\n").has("projects/other-11112222/SCRATCHPAD.md", "- [ ] far\n" * 1_000)
    )
    async with running(an_app(store), (160, 40)) as pilot:
        await until(pilot, lambda: pilot.app.main.stores[0].catalog)
        await at(pilot, "SCRATCHPAD.md")
        await pilot.press("enter")
        await shows(pilot, "other-11112222 · prompt 9.8K", "4 Prompt 30%")
        await pilot.press("5")
        await lit(pilot, "review")
        await shows(pilot, "5 Review", "Nothing to review", "other-11112222 · prompt 9.8K", "4 Prompt 30%")
        await pilot.press("7")
        await shows(pilot, "Facts · ", "other-11112222 · prompt 9.8K")
        await pilot.press("5")
        await lit(pilot, "review")
        await shows(pilot, "5 Review", "Nothing to review")
        await pilot.press("5", "7", "5")  # from all changes and from facts it is the page again
        await until(pilot, lambda: not pilot.app.tools)
        await lit(pilot, "review")
        await shows(pilot, "5 Review", "Nothing to review", "Memory ")


@pytest.mark.slow
async def test_what_is_in_a_store_of_one_folder_is_headed_by_that_folder(tmp_path: Path, away_from_home: Path) -> None:
    shop = tmp_path / "shop"
    own = AStore(shop / ".opencode/memory").has("project.md", "- alpha\n")
    everybodys = AStore(away_from_home / ".config/opencode/memory").has("human.md", "- alpha\n")
    stores = [open_store(Config(), f"opencode:{each.root}", cwd=str(shop), clock=lambda: NOW) for each in (own, everybodys)]
    for each in stores:
        history.look_at_all(each)
    own.has("project.md", "- alpha\n- bravo\n")
    everybodys.has("human.md", "- alpha\n- charlie\n")
    first, second = stores
    more = Beside([second], [str(shop)], {first.store: {"": str(shop)}, second.store: {}})
    async with running(ZsmemApp(first, more=lambda: more, now_ns=lambda: NOW_NS), (160, 40)) as pilot:
        await shows(pilot, "5 Review ●2")
        await to_changes(pilot)
        await shows(pilot, "/shop/.opencode/memory › p", "opencode/memory › human.md")
        # at any width, the ends of their places tell the rows of one title apart
        await pilot.press("escape", "escape", "1")
        await pilot.resize_terminal(100, 30)
        await shows(pilot, "/opencode", "/.opencode")
        assert not any("pencode/memory" in row[:30] for row in screen_text(pilot.app).splitlines())


@pytest.mark.slow
async def test_what_was_seen_is_taken_back_after_a_restart_marks_and_all(store: AStore) -> None:
    waited = left(store)
    async with running(an_app(store)) as pilot:
        await review(pilot)
        await pilot.press("enter", "space", "space", "x")
        await shows(pilot, "Marked 2 lines of MEMORY.md as seen")
        await pilot.press("escape", "X")
        await shows(pilot, "Nothing to review.")
    async with running(an_app(store)) as pilot:
        await to_changes(pilot)
        await shows(pilot, "Nothing to review.")
        await pilot.press("u")
        await shows(pilot, "Undid: Marked", "+│ charlie", "line 1 of 1")
        await pilot.press("u")
        await shows(pilot, "Undid: Marked 2 lines of MEMORY.md as seen", " of 3")
        assert left(store) == waited
        await pilot.press("U")
        await shows(pilot, "Redid: Marked 2 lines of MEMORY.md as seen")
        assert left(store) == waited[2:]


@pytest.mark.slow
async def test_what_a_write_dropped_is_told_once_and_on_a_very_low_screen_a_message_takes_one_row(
    store: AStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        screen, "dropped_words", lambda _: "another program's write at 08:37 dropped 1 line written here: put back."
    )
    async with running(an_app(store), size=(110, 30)) as pilot:
        await review(pilot)
        await shows(pilot, "dropped 1 line written here")
        await pilot.press("x")
        await shows(pilot, "line of MEMORY.md as seen")
        await pilot.pause(0.3)
        assert "line of MEMORY.md as seen" in screen_text(pilot.app) and "dropped 1 line" not in screen_text(pilot.app)
        await back(pilot)
        await pilot.resize_terminal(20, 6)
        status = pilot.app.main.status
        pilot.app.main.say("One sentence that is much longer than the row it is said in.")
        await until(pilot, lambda: status.said and status.size.height == 1 and "…" in screen_text(pilot.app))
        await pilot.resize_terminal(20, 9)
        await until(pilot, lambda: status.size.height == 3)


@pytest.mark.slow
async def test_what_became_of_a_slow_key_is_said_on_the_screen_that_was_gone_to(
    store: AStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, accept = threading.Event(), review_lines.accept

    def slowly(*about: Any) -> Any:
        return accept(*about) if gate.wait(60) else None

    async with running(an_app(store)) as pilot:
        await review(pilot)
        monkeypatch.setattr(review_lines, "accept", slowly)
        await pilot.press("X")
        await until(pilot, lambda: pilot.app.conversations.under_way)
        await pilot.press("8")
        await lit(pilot, "doctor")
        gate.set()
        await lit(pilot, "doctor")
        await shows(pilot, "8 Doctor", "Marked 5 lines of 2 files as seen · u to undo")
