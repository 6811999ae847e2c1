"""Generated histories of several machines, on the rules alone: all end equal, and no line is gone that nobody deleted."""

from __future__ import annotations

import hashlib
import random
import re

import pytest

from zsmem_tui.core.sync.texts import Shape
from zsmem_tui.core.sync.trees import Files, Merged, Texts, merged

LOG, INDEX, MAIN, LIST = "k/g/2026-01-01.md", "k/g/index.md", "k/g/main.md", "k/g/tasks.md"
TOKEN = re.compile(rb"w\d+w")


def shape(path: str) -> Shape:
    return {LOG: Shape.LOG, INDEX: Shape.INDEX, MAIN: Shape.MAIN, LIST: Shape.MAIN}.get(path, Shape.NOTE)


class Blobs:
    def __init__(self) -> None:
        self.texts: dict[str, bytes] = {}

    def keep(self, raw: bytes) -> str:
        id = hashlib.sha1(raw).hexdigest()
        self.texts[id] = raw
        return id

    def both_ways(self, base: Files, here: Files, there: Files) -> Merged:
        """The merge, as this machine and as the other one does it."""
        texts = Texts(self.texts.__getitem__, self.keep, shape)
        found = merged(base, here, there, texts)
        again = merged(base, there, here, texts)
        assert found.files == again.files
        assert set(found.pairs) == set(again.pairs)
        return found


class Machine:
    def __init__(self, blobs: Blobs, name: int) -> None:
        self.blobs = blobs
        self.name = name
        self.base: dict[str, str] = {}
        self.files: dict[str, str] = {}

    def read(self, path: str) -> bytes:
        return self.blobs.texts[self.files[path]]

    def write(self, path: str, raw: bytes) -> None:
        self.files[path] = self.blobs.keep(raw)


class World:
    """Machines and a remote, and what was deleted by anybody."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.blobs = Blobs()
        self.machines = [Machine(self.blobs, number) for number in range(self.random.randint(2, 4))]
        self.remote: dict[str, str] = {}
        self.written: set[bytes] = set()
        self.deleted: set[bytes] = set()
        self.number = 0

    def token(self) -> bytes:
        self.number += 1
        made = b"w%dw" % self.number
        self.written.add(made)
        return made

    def line(self, path: str) -> bytes:
        token = self.token()
        match path:
            case p if p == LOG:
                return b"### %02d:%02d\n%s\n" % (self.random.randrange(24), self.random.randrange(3), token)
            case p if p == INDEX:
                return b"- [%s](t%d.md) - hook\n" % (token, self.random.randrange(4))
            case p if p == LIST:
                return b"- [ ] %s do it\n" % token
            case _:
                return b"%s some words\n" % token

    def drop(self, raw: bytes) -> None:
        self.deleted |= set(TOKEN.findall(raw))

    def edit(self, machine: Machine) -> None:
        what = self.random.choice(
            ["new", "add", "add", "insert", "change", "delete line", "tick", "rename", "delete", "binary", "same"]
        )
        paths = sorted(machine.files)
        path = self.random.choice(paths) if paths else ""
        if what == "new" or not path:
            names = [
                LOG,
                INDEX,
                MAIN,
                LIST,
                *(f"k/g/n{number}.md" for number in range(4)),
                "k/g/N1.md",
                "k/g/n2.md/x.md",
                "k/h/n1.md",
            ]
            path = self.random.choice(names)
            if path not in machine.files and not any(each.startswith(f"{path}/") or path.startswith(f"{each}/") for each in paths):
                machine.write(path, b"".join(self.line(path) for _ in range(self.random.randint(1, 4))))
            return
        if what == "same":
            path = "k/g/same.md"
            if path not in machine.files:
                machine.write(path, b"all have this\n")
            return
        raw = machine.read(path)
        if b"\xff" in raw:
            return
        lines = raw.split(b"\n")[:-1]
        if what == "add":
            machine.write(path, raw + self.line(path))
        elif what == "insert" and path != LOG:
            lines.insert(self.random.randrange(len(lines) + 1), self.line(path)[:-1])
            machine.write(path, b"".join(each + b"\n" for each in lines))
        elif what == "change" and lines and path != LOG:
            at = self.random.randrange(len(lines))
            self.drop(lines[at])
            lines[at] = self.line(path)[:-1]
            machine.write(path, b"".join(each + b"\n" for each in lines))
        elif what == "delete line" and lines:
            at = self.random.randrange(len(lines))
            self.drop(lines.pop(at))
            machine.write(path, b"".join(each + b"\n" for each in lines))
        elif what == "tick":
            machine.write(path, raw.replace(b"[ ]", b"[x]", 1))
        elif what == "rename" and shape(path) is Shape.NOTE:
            new = self.random.choice([f"k/g/r{self.random.randrange(3)}.md", path.swapcase().replace("K/G/", "k/g/")])
            if new not in machine.files and "/" not in new.removeprefix("k/g/"):
                machine.files[new] = machine.files.pop(path)
        elif what == "delete":
            self.drop(raw)
            del machine.files[path]
        elif what == "binary" and shape(path) is Shape.NOTE:
            machine.write(path, raw + b"\xff" + self.token())

    def sync(self, machine: Machine) -> None:
        found = self.blobs.both_ways(machine.base, machine.files, self.remote)
        for path, pair in found.pairs:
            lines = [line + b"\n" for line in self.blobs.texts[found.files[path]].split(b"\n")]
            block = [*pair.first, *pair.second]
            assert lines[pair.at : pair.at + len(block)] == block, "a pair stands where it is said to"
        self.remote = dict(found.files)
        machine.base = dict(found.files)
        machine.files = dict(found.files)

    def run(self, steps: int) -> None:
        for _ in range(steps):
            machine = self.random.choice(self.machines)
            if self.random.random() < 0.25:
                self.sync(machine)
            else:
                self.edit(machine)
        for _ in range(2):
            for machine in self.machines:
                self.sync(machine)
        for machine in self.machines:
            assert machine.files == self.remote
        everything = b"\n".join(self.blobs.texts[id] for id in self.remote.values())
        there = set(TOKEN.findall(everything))
        assert not (self.written - self.deleted) - there
        assert b"<<<<<<<" not in everything and b">>>>>>>" not in everything


@pytest.mark.parametrize("seed", range(0, 400, 50))
def test_all_machines_end_equal_and_nothing_is_missing(seed: int) -> None:
    for each in range(seed, seed + 50):
        World(each).run(40)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10_000, 20_000, 1_000))
def test_ten_thousand_histories(seed: int) -> None:
    for each in range(seed, seed + 1_000):
        World(each).run(60)
