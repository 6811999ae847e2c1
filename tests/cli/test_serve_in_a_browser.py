"""`zsmem serve` in a real browser: what a person does there, and what becomes of their text when the page goes."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.browser import PROGRAM, Browser, Page, served, until
from tests.builders import AStore
from zsmem_tui.service import history
from zsmem_tui.ui.dialogs.ask import UNSEEN_SECONDS

pytestmark = [pytest.mark.slow, pytest.mark.program(PROGRAM)]

MEMORY = "# Memory\n\n- apples are red\n- pears are green\n"
PORT = 8473 + int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
"""Another one for each process that runs tests: they run side by side."""

HERE = ("--host=127.0.0.1", f"--port={PORT}")


class Desk(NamedTuple):
    """A server with a browser before it."""

    browser: Browser
    address: str
    memory: Path
    server: asyncio.subprocess.Process

    async def page(self, *shown: str) -> Page:
        """The program in a tab, with the keyboard leading to it."""
        page = await self.browser.open(self.address)
        await page.shows(*shown or ("apples are red",))
        await page.attends()
        return page

    async def saved(self, text: str) -> None:
        """Wait until the file says so."""
        await until(lambda: self.memory.read_text() == text, self.memory.read_text)

    async def ended(self, still: int = 0) -> None:
        """Wait until no more than so many programs run for this server."""
        await until(lambda: len(_children(self.server.pid)) == still, lambda: f"{_children(self.server.pid)} still run")


@asynccontextmanager
async def a_desk(folder: Path) -> AsyncIterator[Desk]:
    """A store of one file, served."""
    store = folder / "store"
    if not store.exists():
        store.mkdir()
        (store / "MEMORY.md").write_text(MEMORY)
    command = (sys.executable, "-m", "zsmem_tui", "serve", *HERE, "--root", str(store))
    async with served(*command, folder=folder) as (address, server), Browser(folder / "chromium") as browser:
        yield Desk(browser, address, store / "MEMORY.md", server)


async def test_a_person_edits_undoes_searches_clicks_and_leaves(tmp_path: Path) -> None:
    async with a_desk(tmp_path) as desk:
        page = await desk.page()
        await page.press("e")
        await page.shows("Go to line")
        await page.press("N", "e", "w", " ")
        await page.write("é文 ")
        await page.press("ctrl+s")
        await desk.saved(f"New é文 {MEMORY}")
        await page.press("Escape")
        await page.shows("Filter")
        await page.press("u")
        await desk.saved(MEMORY)
        await page.press("3")
        await page.write("pears")
        await page.shows("MEMORY.md first · 1 line")
        await page.resize(1600, 900)
        await page.click(14, 0)
        await page.shows("The block")
        assert page.complaints == []
        await page.press("Escape", "ctrl+q")
        await desk.ended()


async def test_what_an_agent_writes_is_reviewed_by_lines(tmp_path: Path) -> None:
    written = f"{MEMORY}- plums are blue\n- rm -rf / cleans up\n"
    async with a_desk(tmp_path) as desk:
        history.look_at_all(AStore(desk.memory.parent).session())
        page = await desk.page()
        desk.memory.write_text(written)
        await page.shows("cleans up")
        await page.press("F3", "F3")
        await page.shows("plums are blue", "line 1 of 2")
        await page.press("Enter", "j")
        await page.shows("line 2 of 2")
        await page.press("b")
        await desk.saved(f"{MEMORY}- plums are blue\n")
        await page.shows("u to undo")
        await page.press("u")
        await desk.saved(written)
        await page.shows("line 2 of 2")
        await page.press("b")
        await desk.saved(f"{MEMORY}- plums are blue\n")
        await page.press("x")
        await page.shows("Nothing to review")
        assert page.complaints == []
        await page.press("ctrl+q")
        await desk.ended()


async def test_text_of_a_page_that_goes_is_offered_on_the_next(tmp_path: Path) -> None:
    async with a_desk(tmp_path) as desk:
        page = await desk.page()
        await page.press("e")
        await page.shows("Go to line")
        await page.write("first ")
        await page.reload()
        await page.shows("unsaved text from before, of MEMORY.md")
        await desk.ended(still=1)
        await page.attends()
        await asyncio.sleep(2 * UNSEEN_SECONDS)  # a question that comes unasked takes no keys at first
        await page.press("Enter")
        await page.shows("Go to line")
        await page.write("second ")
        await page.close()
        await desk.ended()
        page = await desk.page("unsaved text from before")
        await asyncio.sleep(2 * UNSEEN_SECONDS)
        await page.press("Enter")
        await page.shows("Go to line", "second first")
        await page.write("third ")
        await page.shows("third second first")
        [program] = _children(desk.server.pid)
        desk.server.send_signal(signal.SIGINT)
        await page.says("Session ended")
        await until(lambda: not Path(f"/proc/{program}").exists())
    async with a_desk(tmp_path) as desk:
        page = await desk.page("unsaved text from before")
        await asyncio.sleep(2 * UNSEEN_SECONDS)
        await page.press("Enter")
        await page.shows("Go to line")
        await page.press("ctrl+s")
        await desk.saved(f"third second first {MEMORY}")


async def test_two_tabs_a_large_paste_and_no_way_in_without_the_token(tmp_path: Path) -> None:
    async with a_desk(tmp_path) as desk:
        one, two = await desk.page(), await desk.page()
        assert len(_children(desk.server.pid)) == 2
        await one.press("e")
        await one.shows("Go to line")
        paste = "".join(f"- line {number} of a paste é文\n" for number in range(30_000))
        await one.paste(paste)
        await one.shows("30001:1")
        await one.press("ctrl+s")
        await desk.saved(paste + MEMORY)
        await one.close()
        await two.shows("of a paste")
        await desk.ended(still=1)
        stranger = await desk.browser.open(f"{desk.address}x", stranger=True)
        await stranger.says("This page needs the address that zsmem serve printed, with its token.")
        assert len(_children(desk.server.pid)) == 1


def _children(process: int) -> list[str]:
    """The processes that a process has started and that have not ended."""
    return Path(f"/proc/{process}/task/{process}/children").read_text().split()
