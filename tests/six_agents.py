"""Six agents' samples on one machine, all with something about one folder."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.builders import NOW, SAMPLES
from zsmem_tui.config.model import Config
from zsmem_tui.service.folders import Beside, StoreGroups, folders_of
from zsmem_tui.service.prompts import own_group
from zsmem_tui.service.session import Session
from zsmem_tui.service.stores import sessions
from zsmem_tui.store.scan import project_slugs

LANTERN = "/home/ann/code/lantern"
"""The folder that the samples are about."""

HOMES = {
    "zerostack": "zerostack/home/.local/share/zerostack/agent",
    "claude-code": "claude-code/home/.claude",
    "ethos": "ethos/home/.ethos",
    "oh-my-pi": "oh-my-pi/home/.omp/agent/memories",
}
FOLDERS = {"opencode": "opencode-agent-memory/project/.opencode/memory", "memsearch": "memsearch/project/.memsearch/memory"}


class SixAgents:
    """The stores of six agents; `folder` is worked in, and all but Ethos remember something of it."""

    def __init__(self, place: Path) -> None:
        self.folder = place / "lantern"
        self.folder.mkdir()
        for name in ("AGENTS.md", "ARCHITECTURE.md"):
            shutil.copy(SAMPLES / "zerostack/project" / name, self.folder)
        self.roots = {kind: place / kind for kind in HOMES} | {kind: self.folder / f".{kind}/memory" for kind in FOLDERS}
        for kind, sample in (HOMES | FOLDERS).items():
            shutil.copytree(SAMPLES / sample, self.roots[kind], ignore=shutil.ignore_patterns("*.jsonl"))
        self.roots["zerostack"] /= "memory"
        named = [f"{kind}:{root}" for kind, root in self.roots.items()]
        self.sessions = sessions(Config(), named=named, cwd=str(self.folder), clock=lambda: NOW)
        for session in self.sessions:
            self._is_about_the_folder(session)

    def session(self, kind: str) -> Session:
        return next(each for each in self.sessions if each.layout.kind == kind)

    def stores(self) -> list[StoreGroups]:
        known = [str(self.folder)]
        return [StoreGroups(each, project_slugs(each.root, each.layout), folders_of(each, known)) for each in self.sessions]

    def beside(self) -> Beside:
        """All but the first, as the program finds them."""
        found = {f"{each.session.layout.kind}:{each.session.root}": dict(each.folders) for each in self.stores()}
        return Beside(self.sessions[1:], [str(self.folder)], found)

    def _is_about_the_folder(self, session: Session) -> None:
        """What the sample keeps about the samples' folder is about this one, so that no sample is found where it is not."""
        layout = session.layout
        old, new = (layout.home_of(own_group(session, folder)) for folder in (LANTERN, str(self.folder)))
        if old and (Path(session.root) / old).exists():
            home = Path(session.root) / new
            home.parent.mkdir(parents=True, exist_ok=True)
            (Path(session.root) / old).rename(home)
