"""Machines that share their memory over a git repository, while agents write and the program is killed.

    python -m tests.soak.sync [KILLS] [RUNS] [REMOTE]

First three machines sync in turn, and KILLS runs (default 500) are ended with SIGKILL at a random moment; then four machines sync
at once, RUNS times each (default 50), while an agent writes on each. REMOTE is a way to reach the repository, `folder` (default) or
`daemon`. Counts runs that gave up, lines that are gone and nobody deleted, those that are there twice, and machines that end with
something else than the others.
"""

from __future__ import annotations

import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.service.sync.machines import Machine, git
from zsmem_tui.config.locate import folder_project
from zsmem_tui.core.errors import Conflict

TOKEN = re.compile(r"w\d+-\d+w")
MOST_SECONDS = 0.6


class Round(NamedTuple):
    """What came out: `missing` lines are nowhere and nobody deleted them, `twice` stand twice in the main file."""

    gave_up: int
    missing: int
    twice: int
    is_equal: bool
    lines: int


class World:
    """Machines with a remote, and what was ever written and deleted there."""

    def __init__(self, folder: Path, count: int, url: str, seed: int = 1) -> None:
        self.dice = random.Random(seed)
        self.patch = pytest.MonkeyPatch()
        self.machines = [Machine(folder, f"machine{number}", self.patch) for number in range(count)]
        self.number = 0
        self.written: set[str] = set()
        self.deleted: set[str] = set()
        self.machines[0].has("MEMORY.md", "# Memory\n\n- first\n").has("index.md", "text\n", root=self.machines[0].notes)
        for machine in self.machines:
            machine.set_up(url).sync()

    def token(self) -> str:
        self.number += 1
        self.written.add(made := f"w{os.getpid()}-{self.number}w")
        return made

    def edit(self, machine: Machine) -> None:
        """What a person or an agent does to the memory of a machine."""
        notes = sorted(machine.notes.glob("*.md"))
        note = self.dice.choice(notes) if notes else None
        match self.dice.choice(["append", "append", "log", "tick", "new", "insert", "delete line", "rename", "delete"]):
            case "append":
                add(machine.memory / "MEMORY.md", f"- {self.token()}\n")
            case "log":
                add(
                    machine.memory / "projects" / folder_project(str(machine.clone)) / "daily/2026-05-25.md",
                    f"### {self.dice.randrange(10, 24)}:{self.dice.randrange(10, 60)}\n{self.token()}\n",
                )
            case "tick":
                place = machine.memory / "SCRATCHPAD.md"
                add(place, f"- [ ] {self.token()}\n")
                put(place, place.read_text().replace("[ ]", "[x]", 1))
            case "new":
                put(machine.notes / f"n{self.dice.randrange(30)}-{self.number}.md", "".join(f"{self.token()}\n" for _ in range(4)))
            case "insert" if note:
                lines = note.read_text().splitlines(keepends=True)
                lines.insert(self.dice.randrange(len(lines) + 1), f"{self.token()}\n")
                put(note, "".join(lines))
            case "delete line" if note:
                lines = note.read_text().splitlines(keepends=True)
                if lines:
                    self.deleted |= set(TOKEN.findall(lines.pop(self.dice.randrange(len(lines)))))
                    put(note, "".join(lines))
            case "rename" if note:
                note.rename(note.with_name(f"r{self.number}-{self.dice.randrange(1000)}.md"))
            case "delete" if note:
                self.deleted |= set(TOKEN.findall(note.read_text()))
                note.unlink()

    def ended(self, gave_up: int = 0) -> Round:
        """How all stand after two rounds in which nobody writes."""
        for _ in range(2):
            for machine in self.machines:
                machine.sync()
        trees = [tree_of(machine) for machine in self.machines]
        everything = b"\n".join(trees[0].values()).decode()
        assert "<<<<<<<" not in everything and ">>>>>>>" not in everything
        main = TOKEN.findall(trees[0]["MEMORY.md"].decode())
        self.patch.undo()
        return Round(
            gave_up,
            len(self.written - self.deleted - set(TOKEN.findall(everything))),
            len(main) - len(set(main)),
            all(each == trees[0] for each in trees),
            len(self.written),
        )


def tree_of(machine: Machine) -> dict[str, bytes]:
    """All memory of a machine, with the names that every machine has for it."""
    own = {path.replace(folder_project(str(machine.clone)), "api"): raw for path, raw in machine.tree().items()}
    return own | {each.name: each.read_bytes() for each in machine.notes.glob("[!.]*")}


def add(place: Path, text: str) -> None:
    """Write at the end of a file, as agents do."""
    place.parent.mkdir(parents=True, exist_ok=True)
    with open(place, "a", encoding="utf-8") as stream:
        stream.write(text)


def put(place: Path, text: str) -> None:
    """Write a file anew, as editors do."""
    other = place.with_name(f".{place.name}.new")
    other.parent.mkdir(parents=True, exist_ok=True)
    other.write_text(text)
    other.rename(place)


def forked(act: Callable[[], int]) -> int:
    """The id of a process of its own that does this."""
    child = os.fork()
    if not child:
        ended = 99
        try:
            ended = act()
        finally:
            os._exit(ended)
    return child


def kills(folder: Path, count: int, url: str) -> Round:
    """`count` runs that are ended at a random moment, on three machines in turn."""
    world = World(folder, 3, url)
    for _ in range(count):
        machine = world.dice.choice(world.machines)
        for _ in range(world.dice.randrange(4)):
            world.edit(machine)

        def run(machine: Machine = machine) -> int:
            machine.sync()
            return 0

        child = forked(run)
        time.sleep(world.dice.random() * MOST_SECONDS)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    return world.ended()


def together(folder: Path, runs: int, url: str, count: int = 4) -> Round:
    """Four machines that sync at once, with an agent writing on each."""
    world = World(folder, count, url)
    children = []
    for machine in world.machines:
        said = machine.home / "said"

        def run(machine: Machine = machine, said: Path = said) -> int:
            machine.wake()
            ends = threading.Event()
            agent = threading.Thread(target=write_on, args=(machine, said, ends))
            agent.start()
            gave_up = 0
            try:
                for _ in range(runs):
                    try:
                        machine.sync()
                    except Conflict:
                        gave_up += 1
            finally:
                ends.set()
                agent.join()
            return gave_up

        children.append(forked(run))
    ends = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    assert 99 not in ends, "a machine ended with an error"
    for machine in world.machines:
        world.written |= set(TOKEN.findall((machine.home / "said").read_text()))
    return world.ended(sum(ends))


def write_on(machine: Machine, said: Path, ends: threading.Event) -> None:
    """An agent that adds lines now and then, and keeps count of them elsewhere."""
    number = 0
    while not ends.wait(0.05):
        number += 1
        token = f"w{os.getpid()}-{number}w"
        add(machine.memory / "MEMORY.md", f"- {token}\n")
        add(said, f"{token}\n")


@contextmanager
def served(folder: Path, way: str) -> Iterator[str]:
    """The address of a repository in a folder, by a way that machines reach it."""
    place = folder / "remote.git"
    if way == "folder":
        yield str(place)
        return
    git("init", "-q", "--bare", place)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = ["daemon", "--reuseaddr", "--listen=127.0.0.1", f"--port={port}", "--export-all", "--enable=receive-pack"]
    daemon = subprocess.Popen(["git", *words, f"--base-path={folder}", str(folder)], start_new_session=True)
    try:
        time.sleep(0.5)
        yield f"git://127.0.0.1:{port}/remote.git"
    finally:
        os.killpg(daemon.pid, signal.SIGTERM)
        daemon.wait()


def main() -> None:
    given = sys.argv[1:]
    killed, runs, way = [*given, *("500", "50", "folder")[len(given) :]]
    for name, act, count in (("kills", kills, int(killed)), ("runs at once on each of four machines", together, int(runs))):
        with tempfile.TemporaryDirectory() as folder, served(Path(folder), way) as url:
            start = time.monotonic()
            found = act(Path(folder), count, url)
            print(f"{count} {name}, {way}: {found}, {time.monotonic() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main()
