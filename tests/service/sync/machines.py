"""Machines for tests: each a home folder with a state folder of its own, and a remote between them."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.builders import live_at
from zsmem_tui.config.model import Config
from zsmem_tui.service.plan import Handling
from zsmem_tui.service.sync import running, setting_up
from zsmem_tui.service.sync.running import Outcome

GIT = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "PATH": os.environ["PATH"]}


def git(*words: str | Path, folder: Path | None = None, given: bytes = b"") -> str:
    """What git answers."""
    own = {**GIT, **{f"GIT_{who}_{what}": "x" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}}
    return subprocess.run(
        ["git", *map(str, words)], cwd=folder, env=own, input=given, check=True, capture_output=True
    ).stdout.decode()


class Machine:
    """One machine: what a person and agents do on it."""

    def __init__(self, folder: Path, name: str, patch: pytest.MonkeyPatch, config: Config | None = None) -> None:
        self.home = folder / name
        self.name = name
        self.patch = patch
        self.config = config or Config()
        self.home.mkdir(parents=True)
        self.clone = self.home / f"code-of-{name}/api"
        self.notes = self.project(f"code-of-{name}/api", "git@host.org:me/api.git")
        """Claude Code's memory of a clone that every machine has somewhere else."""

    def wake(self) -> Machine:
        """What runs from now on runs on this machine."""
        live_at(self.home, self.patch)
        for name, value in GIT.items():
            self.patch.setenv(name, value)
        self.patch.chdir(self.home)
        return self

    @property
    def memory(self) -> Path:
        return self.home / ".local/share/zerostack/agent/memory"

    def has(self, path: str, text: str | bytes, *, root: Path | None = None) -> Machine:
        place = (root or self.memory) / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode() if isinstance(text, str) else text)
        return self

    def read(self, path: str, *, root: Path | None = None) -> str:
        return ((root or self.memory) / path).read_text()

    def tree(self) -> dict[str, bytes]:
        """All memory of zerostack's."""
        return {str(each.relative_to(self.memory)): each.read_bytes() for each in sorted(self.memory.rglob("*")) if each.is_file()}

    def project(self, path: str, remote: str = "") -> Path:
        """A folder that Claude Code has worked in; its memory."""
        folder = self.home / path
        folder.mkdir(parents=True)
        if remote:  # as `git init` and `git remote add` leave it, which take a quarter of what most tests here do
            for each in ("objects", "refs"):
                (folder / ".git" / each).mkdir(parents=True)
            (folder / ".git/HEAD").write_text("ref: refs/heads/main\n")
            (folder / ".git/config").write_text(
                f'[core]\n\trepositoryformatversion = 0\n\tbare = false\n[remote "origin"]\n\turl = {remote}\n'
            )
        own = self.home / ".claude/projects" / re.sub("[^A-Za-z0-9]", "-", str(folder))
        own.mkdir(parents=True)
        (own / "s.jsonl").write_text(json.dumps({"cwd": str(folder)}) + "\n")
        return own / "memory"

    def set_up(self, remote: Path | str, **more: object) -> Machine:
        self.wake()
        setting_up.confirm(setting_up.offer(self.config, str(remote), machine=self.name, **more))  # type: ignore[arg-type]
        return self

    def sync(self, secrets: Handling = Handling.STOP, **more: object) -> Outcome:
        self.wake()
        return running.sync(self.config, secrets=secrets, **more)  # type: ignore[arg-type]


def in_branch(remote: Path, name: str = "zsmem") -> dict[str, str]:
    """The files of a branch with their texts."""
    names = git("--git-dir", remote, "ls-tree", "-rz", "--name-only", name).split("\0")[:-1]
    return {each: git("--git-dir", remote, "show", f"{name}:{each}") for each in names}


def put_in_branch(
    remote: Path, entries: dict[str, tuple[str, bytes]], *, keep: bool = True, name: str = "zsmem", says: str = "x"
) -> str:
    """Somebody without zsmem commits these entries, each a mode and a text; the commit."""
    old = git("--git-dir", remote, "rev-parse", name).strip() if keep else ""
    parts = [f"commit refs/heads/{name}\ncommitter x <x@x> 1700000000 +0000\ndata {len(says.encode())}\n{says}\n".encode()]
    parts += [f"from {old}\n".encode()] if old else []
    for path, (mode, text) in entries.items():
        shown = json.dumps(path, ensure_ascii=False).encode()
        if mode == "160000":
            parts.append(b"M 160000 %s %s\n" % (text, shown))
        else:
            parts.append(b"M %s inline %s\ndata %d\n%s\n" % (mode.encode(), shown, len(text), text))
    git("--git-dir", remote, "fast-import", "--force", "--quiet", given=b"".join(parts))
    return git("--git-dir", remote, "rev-parse", name).strip()
