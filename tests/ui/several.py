"""A machine with two agents' memories of one folder, and the program over both."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from tests.builders import NOW, AStore
from tests.ui.driving import NOW_NS, screen_text, shows, until
from zsmem_tui.config.model import Config
from zsmem_tui.core.names import project_slug
from zsmem_tui.core.refs import MemRef
from zsmem_tui.service import history
from zsmem_tui.service.folders import Beside, folders_of
from zsmem_tui.service.session import Session
from zsmem_tui.service.stores import open_store
from zsmem_tui.ui.app import ZsmemApp
from zsmem_tui.ui.memory.tree import ProjectTree
from zsmem_tui.ui.memory.tree_nodes import Node

FOLDER = "/home/ann/lantern"
CLAUDE = "projects/-home-ann-lantern/memory"


class Machine:
    """zerostack's store and Claude Code's, each with something about one folder and about another."""

    def __init__(self, place: Path) -> None:
        self.own = AStore(place / "zerostack", project_slug(FOLDER))
        self.own.has("MEMORY.md", "- Ann likes tea\n").has("~/notes/deploy.md", "# Deploy\n\n- push the tag\n")
        self.own.has("projects/other-11112222/notes/far.md", "far away\n")
        self.claude = AStore(place / "claude")
        self.claude.has(f"{CLAUDE}/MEMORY.md", "- [Deploy](project_deploy.md) - how it is done\n")
        self.claude.has(f"{CLAUDE}/project_deploy.md", "---\nname: deploy\n---\n\n- ask Bob for the tag\n")
        self.claude.has("projects/-home-ann-far/memory/MEMORY.md", "- nothing yet\n").has("CLAUDE.md", "- be brief\n")

    def sessions(self) -> tuple[Session, Session]:
        first = Session(str(self.own.root), self.own.project, config=Config(), clock=lambda: NOW, folder=FOLDER)
        return first, open_store(Config(), f"claude-code:{self.claude.root}", cwd=FOLDER, clock=lambda: NOW)

    def looked_at(self) -> None:
        """What is there now is what others write upon: it need not be found in time."""
        for session in self.sessions():
            history.look_at_all(session)

    def app(self) -> ZsmemApp:
        """The program, which finds Claude Code's store once its own is on the screen."""
        first, second = self.sessions()
        folders = {f"{each.layout.kind}:{each.root}": folders_of(each, [FOLDER]) for each in (first, second)}
        return ZsmemApp(first, more=lambda: Beside([second], [FOLDER], folders), now_ns=lambda: NOW_NS)


async def both(pilot: Pilot[Any]) -> None:
    """Wait until both stores are read, and may be written."""
    await shows(pilot, "▾ zerostack", "▸ Claude Code")
    await until(pilot, lambda: all(store.catalog for store in pilot.app.main.stores))  # type: ignore[attr-defined]


def _is_shown(app: Any, ref: MemRef) -> bool:
    return app.main.viewer.file is not None and app.main.viewer.file.ref == ref


async def at(pilot: Pilot[Any], name: str) -> MemRef:
    """Put the cursor of the tree on the first file whose name ends so, everything above it unfolded, and wait for its text."""
    pane = pilot.app.main.tree_pane  # type: ignore[attr-defined]
    pane.project_tree.focus()
    await until(pilot, lambda: pilot.app.focused is pane.project_tree)
    await pilot.press("g")
    for row in _unfolded(pane.project_tree):
        ref = row.meant.ref
        if ref is not None and ref.path.endswith(name):
            pane.project_tree.show(cursor=row.at)
            await until(pilot, partial(_is_shown, pilot.app, ref))
            return ref
    raise AssertionError(f"{name} is not in the tree:\n{screen_text(pilot.app)}")


def _unfolded(tree: ProjectTree) -> Iterator[Node]:
    """The rows from the first on, each unfolded once it was looked at."""
    place = 0
    while place < len(tree.rows):
        node = tree.rows[place].node
        yield node
        tree.unfolded.add(node.at)
        tree.take()
        place += 1
