"""How many keys a triage takes, and how fast the list is.

    python -m tests.bench.triage

200 items over 20 projects through a terminal: half done, a fifth left, a tenth each moved, promoted, edited by one word. Then 5,000
items in 500 projects: from the key to the painted list, and from a key to what it paints.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from tests.bench.screen import RUNS, ZSMEM, bench, steps

DECISIONS = ["x", "x", "space", "m enter", "x", "p", "e ctrl+w TYPED enter", "x", "space", "x"]
"""One of ten; each is an item of the run. What is typed between keys does not count."""


def store(folder: str, projects: int, items: int) -> None:
    """So many scratchpads with so many open items each."""
    for number in range(projects):
        place = Path(folder, f"projects/p{number:03}-{number:08x}/SCRATCHPAD.md")
        place.parent.mkdir(parents=True)
        place.write_text("".join(f"- [ ] item {item} of project {number}, which has some words\n" for item in range(items)))


def run() -> None:
    with tempfile.TemporaryDirectory() as folder:
        store(folder, 20, 10)
        script, keys = ["key T", "wait Triage", "key w => 200 open items", "key Q => 1 of 200"], 0
        for number in range(200):
            decision = DECISIONS[number % len(DECISIONS)].split(" ")
            after = f"{number + 2} of 200" if number < 199 else "Every item|Done 1 item|add 3"
            for place, key in enumerate(decision):
                last = place == len(decision) - 1
                if key == "TYPED":
                    script.append("type changed")
                    continue
                wait = f" => {after}" if last else " => Move" if key == "m" else " => The words" if key == "e" else ""
                script.append(f"key {key}{wait}")
                keys += 1
        words = [part for step in script for part in ("-s", step)]
        start = f"ZSMEM_STATE_DIR=$(mktemp -d) exec {ZSMEM} --root {folder}"
        bench("keys", "-n", "1", "--timeout", "20", "--quiet", "0.05", "--ready", "projects", *words, "--", "sh", "-c", start)
        left = "".join(place.read_text() for place in Path(folder).rglob("SCRATCHPAD.md"))
        done, still = len(re.findall(r"- \[x\]", left)), len(re.findall(r"- \[ \]", left))
        facts = Path(folder, "MEMORY.md").read_text().count("\n")
        print(f"200 decisions: {keys / 200:.2f} keys each (aim 1.6); {done} done, {still} open, {facts} promoted")


def speed() -> None:
    with tempfile.TemporaryDirectory() as folder:
        store(folder, 500, 10)
        script = [
            "key T",
            "wait Triage",
            "key w => (5000|49[0-9][0-9]) open items",
            "sleep 4",
            *["key j"] * 5,
            *["key space"] * 5,
            "key x",
        ]
        words = [part for step in script for part in ("-s", step)]
        start = f"ZSMEM_STATE_DIR=$(mktemp -d) exec {ZSMEM} --root {folder}"
        found = steps(bench("keys", "-n", RUNS, "--ready", "500 projects", *words, "--", "sh", "-c", start))
        for name, value in found.items():
            if "matched" in name and "key w" in name:
                print(f"5,000 items in 500 projects: painted {value:.0f} ms after the key (aim 1,000)")
        painted = sorted(value for name, value in found.items() if "painted" in name and ("key j" in name or "space" in name))
        print(f"a key in them: painted in {painted[len(painted) // 2]:.0f} ms (aim 60), worst {painted[-1]:.0f}")
        ticked = [value for name, value in found.items() if "key x" in name and "painted" in name]
        print(f"five marked items done: painted in {ticked[0]:.0f} ms")


if __name__ == "__main__":
    run()
    speed()
