"""Agents connected beside programs that rewrite the same settings, in every way in which programs write files.

    python -m tests.soak.settings [ROUNDS] [PROCESSES] [SEED]

A program adds one word after the other to its settings all the time, and now and then keeps the file open for long; meanwhile an
agent is connected or taken out, round after round. `in place` truncates and writes, `slow` does so with 1.5 s in between, `rename`
puts a new file over the old one, `r+` writes over the old text and cuts it; each reads the file first, or (`own`) writes what it
remembers. After each round the program waits, and what it wrote has to be there. Counts rounds, those refused because the program
was at it, bytes of the program's that are gone, or in a file that was named, and rounds after which our entry is not as was said.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from unittest.mock import patch

from zsmem_tui.core.errors import Conflict, MemError
from zsmem_tui.service import connecting
from zsmem_tui.service.connecting import Wish
from zsmem_tui.service.session import Session
from zsmem_tui.store.transfer import connections

WRITERS = ("in place", "in place, own", "rename", "rename, own", "r+", "r+, own", "slow", "slow, own")
EVERY = 0.03
"""Seconds between two writes of a program."""
HELD = {"slow": 1.5, "r+": 0.004, "in place": 0.0005, "rename": 0.002}
"""Seconds for which it has the file open, or has read it and not written it yet."""
_PATIENCE = 120
"""Seconds in which the program answers, also on a busy machine."""
SLOW_EVERY = 40
"""Of so many processes' rounds, one is of a slow program."""


def _put(place: str, text: str, how: str, hold: float) -> None:
    if how == "rename":
        other = f"{place}.tmp"
        with open(other, "w", encoding="utf-8") as stream:
            stream.write(text)
        time.sleep(hold)
        os.replace(other, place)
    elif how == "r+":
        with open(place, "r+", encoding="utf-8") as stream:
            time.sleep(hold)
            stream.write(text)
            stream.truncate()
    else:
        with open(place, "w", encoding="utf-8", buffering=1 << 16) as stream:
            time.sleep(hold)
            stream.write(text)


def program(place: str, kind: str, seed: int, orders: Connection) -> None:
    """Write until told to wait; then say which words were written. Ends with its parent."""
    with suppress(EOFError, OSError):
        _program(place, kind, seed, orders)


def _program(place: str, kind: str, seed: int, orders: Connection) -> None:
    dice = random.Random(seed)
    how, _, own = kind.partition(", ")
    said: list[str] = []
    number = 0
    while True:
        if orders.poll(0):
            if orders.recv() == "end":
                return
            orders.send(said)
            said = [] if orders.recv() == "anew" else said
        found = json.loads(Path(place).read_text(encoding="utf-8"))
        number += 1
        word = f"word {number} {'x' * dice.randint(0, 60)}"
        words = said if own else [each for each in found["words"] if not said or each in said]
        mine = {"version": 1, "words": [*(words if said else []), word]}
        kept = {} if own else {key: each for key, each in found.items() if key not in mine}
        _put(place, json.dumps({**mine, **kept}, indent=dice.choice([None, 2])), how, HELD[how])
        said.append(word)
        time.sleep(dice.uniform(0.2, 1.8) * EVERY)


def rounds_of(folder: Path, kind: str, count: int, seed: int) -> Counter[str]:
    """Rounds beside one program: what came of them."""
    home, project = folder / "home", folder / "project"
    (home / ".cursor").mkdir(parents=True)
    (project / ".git").mkdir(parents=True)
    place = home / ".cursor/mcp.json"
    place.write_text('{"version": 1, "words": []}')
    found: Counter[str] = Counter()
    missed: set[str] = set()
    dice = random.Random(seed)
    with patch.dict(os.environ, {"HOME": str(home), "ZSMEM_STATE_DIR": str(folder / "state"), "PATH": "/usr/bin:/bin"}):
        session = Session(str(home / "memory"), "demo-1a2b3c4d", folder=str(project))
        ours, theirs = multiprocessing.Pipe()
        writer = multiprocessing.Process(target=program, args=(str(place), kind, seed, theirs), daemon=True)
        writer.start()
        try:
            for number in range(count):
                time.sleep(dice.uniform(0, 2 if kind.startswith("slow") else EVERY))
                found += _round(session, place, kind, missed, removes=number % 2 == 1, waits=lambda: _words(ours))
                ours.send("anew" if number % 8 == 7 else "go")
        finally:
            if writer.is_alive():
                ours.send("end")
            writer.join(5)
            writer.kill()
        with patch.object(connections, "LATEST", 0):
            connections.put(str(place), lambda now: now, "")
    left = [each for each in place.parent.iterdir() if "zsmem" in each.name]
    found["files left"] += len(left) + sum(
        each.is_file() and each.stat().st_size > 0 for each in (folder / "state/displaced").rglob("*")
    )
    return found


def _words(program: Connection) -> list[str]:
    program.send("wait")
    if not program.poll(_PATIENCE):
        raise RuntimeError("the program has ended, or is stuck")
    words: list[str] = program.recv()
    return words


def _round(
    session: Session, place: Path, kind: str, missed: set[str], *, removes: bool, waits: Callable[[], list[str]]
) -> Counter[str]:
    """One connection, or one taken out. `missed` are words that were gone before."""
    done: Counter[str] = Counter({"rounds": 1})
    is_said = True
    try:
        wanted = connecting.plan(session, "cursor", Wish(hooks=False, remove=removes))
        result = connecting.apply(session, wanted)
        done["kept aside"] += "is kept in" in result.message
        is_said = "keeps writing" not in result.message
    except Conflict:
        done["refused"] += 1
        is_said = False
    except MemError as error:
        print(error.message, flush=True)
        done["failed"] += 1
        is_said = False
    words = waits()
    text = place.read_text(encoding="utf-8")
    there = json.loads(text)
    gone = [each for each in words if each not in there.get("words", []) and each not in missed]
    for _ in range(3 if gone else 0):  # the program may have been slow to open a file that was displaced by then: it lies aside
        connections.put(str(place), lambda now: now, "")
        late = json.loads(place.read_text(encoding="utf-8")).get("words", [])
        done["bytes late"] += sum(len(each) for each in gone if each in late)
        gone = [each for each in gone if each not in late]
    kept = "".join(each.read_text(encoding="utf-8") for each in (place.parents[2] / "state/connections/aside").glob("*"))
    done["bytes in kept"] += sum(len(each) for each in gone if each in kept)
    missed.update(gone)
    done["bytes gone"] += sum(len(each) for each in gone if each not in kept)
    is_there = "zsmem" in there.get("mcpServers", {})
    if is_said and "own" not in kind:  # one that writes what it remembers takes ours out again
        done["as said" if is_there is not removes else "not as said"] += 1
    return done


def _part(about: tuple[str, int, int]) -> tuple[str, Counter[str]]:
    kind, count, seed = about
    with tempfile.TemporaryDirectory() as folder:
        return kind, rounds_of(Path(folder), kind, count, seed)


def main() -> int:
    """Run all rounds, and print what came of them by kind of program."""
    rounds, processes, seed = (int(each) for each in [*sys.argv[1:], *("10000", "16", "1")[len(sys.argv) - 1 :]])
    quick = [each for each in WRITERS if not each.startswith("slow")]
    slow = max(rounds // SLOW_EVERY, 2)
    parts = [(each, slow // 16 + 1, seed + number) for number in range(8) for each in WRITERS if each.startswith("slow")]
    left = rounds - sum(count for _, count, _ in parts)
    size = max(left // (len(quick) * 8), 1)
    parts += [(kind, size, seed + 100 + number) for number in range(-(-left // (size * len(quick)))) for kind in quick]
    totals = {kind: Counter[str]() for kind in WRITERS}
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"), max_tasks_per_child=1) as pool:
        for kind, found in pool.map(_part, parts):
            totals[kind] += found
            print(".", end="", flush=True)
    print()
    names = (
        "rounds",
        "refused",
        "failed",
        "kept aside",
        "bytes late",
        "bytes in kept",
        "bytes gone",
        "as said",
        "not as said",
        "files left",
    )
    print(f"{'':16}" + "".join(f"{name:>15}" for name in names))
    for kind, found in [*totals.items(), ("all", sum(totals.values(), Counter()))]:
        print(f"{kind:16}" + "".join(f"{found[name]:15}" for name in names))
    return int(any(found["bytes gone"] or found["failed"] for found in totals.values()))


if __name__ == "__main__":
    sys.exit(main())
