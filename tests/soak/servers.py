"""Four servers and a person who write into the same files at the same time.

    python -m tests.soak.servers [LINES]

Each server is asked for LINES writes (default 400), in turn to long-term memory and to the scratchpad, and a person saves as
many lines beside them. Counts the lines that are in the files, those that are not and of which nobody was told, and whose each is
in the history.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from tests.builders import PROJECT
from tests.mcp.clients import call, line, program
from zsmem_tui.core.refs import Role
from zsmem_tui.service import history
from zsmem_tui.service.session import Session

SERVERS = 4
TARGETS = ("long_term", "scratchpad")

PERSON = """
import sys
from zsmem_tui.config.model import Config
from zsmem_tui.core.outcomes import Saved
from zsmem_tui.core.refs import Role
from zsmem_tui.service import browsing, editing
from zsmem_tui.service.session import Session
session = Session(sys.argv[1], sys.argv[2], config=Config())
for number in range(int(sys.argv[3])):
    ref = session.place_of((Role.FACTS, Role.CHECKLIST)[number % 2])
    base = browsing.open_file(session, ref).raw
    outcome = editing.save(session, ref, base + b"- person %d\\n" % number, base or None)
    if not isinstance(outcome, Saved):
        print(f"- person {number}", flush=True)
"""


class Round(NamedTuple):
    """Of each writer: lines in the files, and lines that the history puts down to it. `unsaid` are gone and nobody was told."""

    left: dict[str, int]
    authors: dict[str, int]
    unsaid: list[str]
    twice: int
    unanswered: int


def writes(name: str, count: int) -> bytes:
    """What a client of that name sends."""
    hello = line("initialize", "hello", protocolVersion="2025-06-18", clientInfo={"name": name, "version": "1"})
    return hello + b"".join(
        call("memory_write", number, None, target=TARGETS[number % 2], content=f"- {name} {number}") for number in range(count)
    )


def answers_to(command: Sequence[str], said: bytes, count: int) -> list[dict[str, Any]]:
    """What a server answers to all this, its client listening until so many answers came: one that leaves is not waited for."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server, ThreadPoolExecutor(1) as pool:
        assert server.stdin is not None and server.stdout is not None
        pool.submit(lambda: (server.stdin.write(said), server.stdin.flush()))  # type: ignore[union-attr]
        answers = [json.loads(each) for each in islice(server.stdout, count)]
        server.stdin.close()
        return answers


def round_of(home: Path, count: int) -> Round:
    """One race of `count` lines each."""
    root, names = home / "memory", [f"client{number}" for number in range(SERVERS)]
    root.mkdir()
    (root / "MEMORY.md").write_text("- the first\n")
    session = Session(str(root), PROJECT)
    history.look_at_all(session)
    person = subprocess.Popen([sys.executable, "-c", PERSON, str(root), PROJECT, str(count)], stdout=subprocess.PIPE, text=True)
    with ThreadPoolExecutor() as pool:
        command = program("--root", str(root), "--project", PROJECT)
        asked = [pool.submit(answers_to, command, writes(name, count), count + 1) for name in names]
        told = set(person.communicate()[0].split("\n"))
    unanswered = 0
    for name, heard in zip(names, asked, strict=True):
        answers = heard.result()
        unanswered += count + 1 - len(answers)
        for each in answers:
            result = each.get("result", {})
            if "error" in each or result.get("isError") or "warning" in str(result.get("content")):
                told.add(f"- {name} {each['id']}")
    paths = ["MEMORY.md", session.place_of(Role.CHECKLIST).path]
    texts = [each for path in paths for each in (root / path).read_text().split("\n")]
    session.history.observe(paths)
    every = {name: [f"- {name} {number}" for number in range(count)] for name in ("person", *names)}
    counts = Counter(texts)
    authors: Counter[str] = Counter()
    for version in session.history.latest():
        authors[str(version.author)] += version.added
    return Round(
        {name: sum(each in counts for each in lines) for name, lines in every.items()},
        dict(authors),
        [each for lines in every.values() for each in lines if each not in counts and each not in told],
        sum(counts[each] > 1 for lines in every.values() for each in lines),
        unanswered,
    )


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ZSMEM_STATE_DIR"] = f"{folder}/state"
        found = round_of(Path(folder), count)
    print(f"of {count} lines each {found.left}; unsaid {len(found.unsaid)}, twice {found.twice}, unanswered {found.unanswered}")
    print(f"lines by author in the history: {found.authors}")


if __name__ == "__main__":
    main()
