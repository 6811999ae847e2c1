"""The server for agents: from its start to its first answer, what it holds then, and a search on 4,001 files.

python -m tests.bench.mcp
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.bench.measure import corpus, interleaved, quiet, row
from zsmem_tui import Mem
from zsmem_tui.service.agent_tools import memory_tools

SCRIPT = str(Path(sys.executable).parent / "zsmem")
PROJECT = "proj000-00000000"

HELD_MB = 24
"""Resident after the first answer."""
FILES = 4_001


class Started:
    """A server that runs, and its client."""

    def __init__(self, root: Path) -> None:
        command = [SCRIPT, "mcp", "--root", str(root), "--project", PROJECT]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, method: str, **params: object) -> Any:
        assert self.process.stdin is not None and self.process.stdout is not None
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())["result"]

    def greet(self) -> None:
        self.ask("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "bench", "version": "1"})

    def held_mb(self) -> float:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024

    def end(self) -> None:
        self.process.communicate()


def many_files(home: Path) -> Path:
    """A store of one project with 4,001 files."""
    notes = home / "projects" / PROJECT / "notes"
    notes.mkdir(parents=True)
    (home / "MEMORY.md").write_text("- quokkafish\n" * 50)
    text = "a line about the build and its deploy\n" * 40
    for number in range(FILES - 1):
        (notes / f"note{number}.md").write_text(f"{text}number{number} quokkafish{number % 100}\n")
    return home


def first_answer(root: Path) -> None:
    server = Started(root)
    server.greet()
    server.end()


def main() -> None:
    small = corpus("S")
    search = [SCRIPT, "search", "--root", str(small), "--project", PROJECT, "quokkafish", "deploy"]
    found = interleaved({"ours": lambda: first_answer(small), "base": lambda: quiet(search)}, 41)
    row("first answer, a cold search", found["ours"], found["base"], 1.2)
    server = Started(small)
    server.greet()
    row("resident after it, the aim", server.held_mb(), HELD_MB, 1.0, "MB")
    server.end()
    with tempfile.TemporaryDirectory() as place:
        root = many_files(Path(place))
        mem = Mem(root, PROJECT, "2026-05-25")
        library = {tool.name: tool for tool in memory_tools(lambda: mem)}["memory_search"]
        server = Started(root)
        server.greet()
        query = {"query": "quokkafish7 number12"}
        found = interleaved(
            {
                "ours": lambda: server.ask("tools/call", name="memory_search", arguments=query),
                "base": lambda: library.handler(query),
            },
            41,
        )
        row(f"memory_search, warm, {FILES:,} files", found["ours"], found["base"], 1.3)
        server.end()


if __name__ == "__main__":
    main()
