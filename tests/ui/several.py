"""A machine with two agents' memories of one folder, and the program over both."""

from __future__ import annotations

from pathlib import Path

from tests.builders import NOW, AStore
from tests.ui.driving import NOW_NS
from zsmem_tui.config.model import Config
from zsmem_tui.core.names import project_slug
from zsmem_tui.service.folders import folders_of
from zsmem_tui.service.opening import Beside
from zsmem_tui.service.session import Session
from zsmem_tui.service.stores import open_store
from zsmem_tui.ui.app import ZsmemApp

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

    def app(self) -> ZsmemApp:
        """The program, which finds Claude Code's store once its own is on the screen."""
        first, second = self.sessions()
        folders = {f"{each.layout.kind}:{each.root}": folders_of(each, [FOLDER]) for each in (first, second)}
        return ZsmemApp(first, more=lambda: Beside([second], [FOLDER], folders), now_ns=lambda: NOW_NS)
