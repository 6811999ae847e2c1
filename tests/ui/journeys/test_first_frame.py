"""What stands in the first frame, before anything else is loaded or read."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from rich.text import Text
from textual.app import ComposeResult
from textual.events import Key

from tests.builders import NOW, AStore
from tests.ui.driving import NOW_NS, an_app, lit, running, screen_text, shows, to_changes, until
from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import StoreError
from zsmem_tui.service import instructions
from zsmem_tui.service.folders import Beside
from zsmem_tui.service.watching import StoreFollower
from zsmem_tui.ui.app import ZsmemApp
from zsmem_tui.ui.memory import store_watcher as following
from zsmem_tui.ui.memory.screen import MainScreen
from zsmem_tui.ui.open_store import OpenStore


def a_store(tmp_path: Path) -> AStore:
    return AStore(tmp_path).has("MEMORY.md", "# Facts\n\n- one fact\n").has("~/SCRATCHPAD.md", "- [ ] a\n- [x] b\n")


@pytest.mark.slow
def test_nothing_that_writes_and_no_history_is_loaded_for_it() -> None:
    show = "import atexit, sys\natexit.register(lambda: print(*sys.modules))\nfrom zsmem_tui.entry import main\nmain()"
    done = subprocess.run([sys.executable, "-c", show], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert "needs a terminal" in done.stderr
    loaded = done.stdout.split()
    late = ("store.writing", "store.write_path", "store.history", "service.editing", "core.preview", "ui.memory.store_watcher")
    assert not {f"zsmem_tui.{name}" for name in late} & set(loaded)
    assert not {"dulwich", "_hashlib", "json", "ctypes", "ssl", "_ssl"} & set(loaded)


@pytest.mark.slow
def test_a_start_at_which_nothing_waits_loads_nothing_that_tells_what_waits(tmp_path: Path) -> None:
    script = f"""
import sys
from zsmem_tui.core.light_imports import load_asyncio, load_hashlib
load_asyncio()
load_hashlib()
import asyncio
from zsmem_tui.config.load import load
from zsmem_tui.service.session import Session
from zsmem_tui.ui.app import ZsmemApp

async def start():
    app = ZsmemApp(Session.open(load(), root={str(a_store(tmp_path).root)!r}))
    async with app.run_test(size=(120, 40)) as pilot:
        while app.main.opens_today:
            await pilot.pause(0.02)

asyncio.run(start())
print(*sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    loaded = set(done.stdout.split())
    assert {"dulwich", "zsmem_tui.service.today"} <= loaded, "it has looked"
    late = ("service.today_rows", "ui.review.page", "core.checks.poison", "service.facts.acts", "service.folders")
    assert not {f"zsmem_tui.{name}" for name in late} & loaded
    assert not {"_hashlib", "ssl", "argparse"} & loaded, "OpenSSL alone is 4 MB"


def test_who_needs_tls_gets_it_after_the_start() -> None:
    script = "from zsmem_tui.core.light_imports import load_asyncio\nload_asyncio()\nimport ssl\nprint(ssl.OPENSSL_VERSION)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "SSL" in done.stdout


def test_sums_are_the_same_without_openssl() -> None:
    sums = """
import sys
if len(sys.argv) > 1:
    from zsmem_tui.core.light_imports import load_hashlib
    load_hashlib()
import hashlib
loaded = "_hashlib" in sys.modules
import hmac
sums = [hashlib.new(name, b"facts").hexdigest() for name in ("md5", "sha1", "sha256", "sha512", "sha3_256", "blake2b")]
print(hmac.new(b"key", b"facts", "sha256").hexdigest(), hashlib.sha1(b"", usedforsecurity=False).hexdigest(), *sums)
print(loaded)
"""
    command = [sys.executable, "-c", sums]
    ours, plain = (subprocess.run([*command, *more], capture_output=True, text=True, check=True) for more in (["light"], []))
    assert ours.stdout.splitlines()[0] == plain.stdout.splitlines()[0] and not ours.stderr
    assert ours.stdout.splitlines()[1] == "False"


async def test_its_rows_do_not_wait_for_what_comes_after_it_and_no_label_is_read_as_markup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = asyncio.Event()

    async def never(main: Any) -> None:
        begun.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(Text, "from_markup", None)
    monkeypatch.setattr(following, "follow", never)
    monkeypatch.setattr(OpenStore, "seen", lambda self: self.follower.glance())  # however slow the disk is
    async with running(an_app(a_store(tmp_path))) as pilot:
        await until(pilot, begun.is_set)
        await shows(pilot, "MEMORY.md", "☐1", "• one fact")


@pytest.mark.slow
async def test_a_disk_that_takes_long_leaves_it_without_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate, looks, glance = threading.Event(), [0], StoreFollower.glance

    def late(self: StoreFollower) -> Any:
        looks[0] += 1
        gate.wait(60)
        return glance(self)

    monkeypatch.setattr(StoreFollower, "glance", late)
    app = an_app(a_store(tmp_path))
    async with app.run_test(size=(120, 40)) as pilot:
        await lit(pilot, "memory")
        await shows(pilot, "1 Memory", "1 Memory", "2 Viewer")
        assert "MEMORY.md" not in screen_text(app) and "0 files" not in screen_text(app)
        gate.set()
        await shows(pilot, "MEMORY.md", "☐1", "• one fact")
    assert looks == [1], "what was begun is waited for"


@pytest.mark.slow
async def test_what_comes_after_the_first_text_is_shown_waits_for_review_and_only_that_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, catch_up = a_store(tmp_path / "memory").has("~/notes/n.md", "- a\n"), StoreFollower.catch_up
    late = {"~/notes/n.md": "- b\n"}

    def slow(*given: Any) -> None:
        for path, text in late.items():
            store.has(path, text)
        catch_up(*given)

    monkeypatch.setattr(StoreFollower, "catch_up", slow)
    async with running(an_app(store), size=(120, 30)) as pilot:
        await shows(pilot, "n changed on disk")
        assert "shows it" not in screen_text(pilot.app)
        await to_changes(pilot)
        await shows(pilot, "Nothing to review.", "since zsmem's first look at")
    store = a_store(tmp_path / "other")
    late = {"MEMORY.md": "# Facts\n\n- one fact\n- two\n"}
    async with running(an_app(store), size=(120, 30)) as pilot:
        await shows(pilot, "Reloaded MEMORY.md, +1 -0", "+│ - two")
        await to_changes(pilot)
        await shows(pilot, "+│ - two")


async def test_a_first_look_that_fails_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: StoreFollower) -> Any:
        raise StoreError("MEMORY.md", "MEMORY.md: no such device.")

    monkeypatch.setattr(StoreFollower, "glance", broken)
    async with an_app(a_store(tmp_path)).run_test(size=(120, 40)) as pilot:
        await shows(pilot, "MEMORY.md: no such device.")


async def test_where_the_memory_is_empty_the_rows_of_others_do_not_wait_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, first = threading.Event(), StoreFollower.first
    (tmp_path / "CLAUDE.md").write_text("# Shop\n")
    orders = instructions.open_folder(Config(), str(tmp_path), clock=lambda: NOW)
    app = ZsmemApp(
        AStore(tmp_path / "nothing").session(), more=lambda: Beside([orders], [str(tmp_path)], {}), now_ns=lambda: NOW_NS
    )

    def late(self: StoreFollower) -> Any:
        assert self is not app.main.stores[0].follower or gate.wait(60)
        return first(self)

    monkeypatch.setattr(StoreFollower, "first", late)
    async with app.run_test(size=(120, 40)) as pilot:
        await shows(pilot, "CLAUDE.md", "Shop")
        assert app.main.stores[0].catalog is None
        gate.set()
        await until(pilot, lambda: app.main.stores[0].catalog is not None)
        await shows(pilot, "CLAUDE.md")


async def test_a_key_pressed_before_it_waits_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compose = MainScreen.compose

    def pressed(self: MainScreen) -> ComposeResult:
        for key in ("j", "enter"):
            self.app.post_message(Key(key, key[:1]))
        yield from compose(self)

    monkeypatch.setattr(MainScreen, "compose", pressed)
    async with running(an_app(a_store(tmp_path))) as pilot:
        await shows(pilot, "MEMORY.md", "☐1")
