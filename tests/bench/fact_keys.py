"""How many keys it takes to judge facts, and to bring a lost one into the prompt; how fast 10,000 of them are on the screen.

    python -m tests.bench.fact_keys         with the word `speed`, only the last part

200 facts in 20 files through a terminal: half kept, three of ten deleted, two of ten moved. Then a lost fact, from the main screen.
Then 550 files: from the key to the painted list, and from a key to what it paints.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.bench.facts import full, many
from tests.bench.screen import RUNS, ZSMEM, bench, steps
from zsmem_tui.service.session import Session

DECISIONS = ["space", "d", "space", "m enter", "space", "d", "space", "m enter", "space", "d"]
"""One of ten. What is typed between keys does not count."""

PROJECT = "p0-00000000"

FIRST = "key w => (?s)everything.*number 12"
"""The rows are there, whether or not all are counted yet."""


def start(folder: str) -> list[str]:
    return ["--", "sh", "-c", f"ZSMEM_STATE_DIR=$(mktemp -d) exec {ZSMEM} --root {folder} --project {PROJECT}"]


def words(script: list[str]) -> list[str]:
    return [part for step in script for part in ("-s", step)]


def judged() -> None:
    with tempfile.TemporaryDirectory() as folder:
        notes = Path(folder, "projects", PROJECT, "notes")
        notes.mkdir(parents=True)
        for note in range(20):
            lines = "".join(f"- fact {number} of note {note}, about the build\n" for number in range(10))
            notes.joinpath(f"n{note:02}.md").write_text(lines)
        script, keys, moved = ["key F => 200 facts", "key Q => 1 of 200"], 0, False
        for number in range(200):
            after = f"{number + 2} of 200" if number < 199 else "Every fact is decided|Deleted"
            decision = DECISIONS[number % len(DECISIONS)].split(" ")
            for key in decision:
                wait = f" => {after}" if key == decision[-1] else " => type to filter"
                script.append(f"key {key}{wait}")
                keys += 1
                if key == "m" and not moved:
                    moved = True
                    script.append("type MEMORY")
        bench(
            "keys",
            "-n",
            "1",
            "--warmup",
            "0",
            "--timeout",
            "20",
            "--quiet",
            "0.05",
            "--ready",
            "prompt",
            *words(script),
            *start(folder),
        )
        left = sum(place.read_text().count("\n") for place in notes.iterdir())
        there = Path(folder, "MEMORY.md").read_text().count("\n")
        rest = f"{left} kept, {there} moved, {200 - left - there} deleted"
        print(f"200 decisions in 20 files: {keys / 200:.2f} keys each (aim 1.6); {rest}", flush=True)


def lost() -> None:
    with tempfile.TemporaryDirectory() as folder:
        full(Path(folder))
        script = ["key F => 900 facts", "key f => lost or cut", "key + => 1 line in"]
        bench("keys", "-n", "1", "--warmup", "0", "--timeout", "20", "--ready", "prompt", *words(script), *start(folder))
        fact = Path(folder, "MEMORY.md").read_text().split("\n")[0]
        block = Session(folder, PROJECT).mem().context_block() or ""
        print(f"a lost fact brought into the prompt: {len(script)} keys (aim 4), in the block: {fact in block}", flush=True)


def speed() -> None:
    with tempfile.TemporaryDirectory() as folder:
        many(Path(folder))
        first = steps(
            bench(
                "keys",
                "-n",
                RUNS,
                "--timeout",
                "20",
                "--ready",
                "50 projects",
                *words(["key F => facts", "sleep 1", FIRST]),
                *start(folder),
            )
        )
        script = ["key F => facts", "sleep 1", "key w => 1[01][0-9]{3} facts", "sleep 6", *["key j"] * 7, *["key space"] * 5]
        found = steps(bench("keys", "-n", RUNS, "--timeout", "20", "--ready", "50 projects", *words(script), *start(folder)))
        rows, every = (next(each[name] for name in each if "matched" in name and "key w" in name) for each in (first, found))
        print(f"11,200 facts in 550 files: rows painted {rows:.0f} ms after the key (aim 300), all counted after {every:.0f} ms")
        painted = sorted(value for name, value in found.items() if "painted" in name and ("key j" in name or "key space" in name))
        print(f"a key in them: painted in {painted[len(painted) // 2]:.0f} ms (aim 60), worst {painted[-1]:.0f}")


if __name__ == "__main__":
    if "speed" not in sys.argv[1:]:
        judged()
        lost()
    speed()
