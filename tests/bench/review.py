"""How many keys it takes to put one of 40 lines of an agent back, and how fast the review is.

    python -m tests.bench.review

The line is found by its words: what is typed between keys does not count.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

from tests.bench.screen import ZSMEM, bench, steps


def run() -> None:
    with tempfile.TemporaryDirectory() as folder:
        place, state = Path(folder, "memory", "MEMORY.md"), Path(folder, "state")
        place.parent.mkdir()
        state.mkdir()
        facts = [f"- fact {number} of the person\n" for number in range(200)]
        place.write_text("".join(facts))
        command = [ZSMEM, "--root", str(place.parent), "history"]
        subprocess.run(command, check=True, capture_output=True, env=os.environ | {"ZSMEM_STATE_DIR": str(state)})
        for number in range(40):
            facts.insert(number * 6, f"- line {number} of the agent, word{number:02}\n")
        place.write_text("".join(facts))
        script = [
            "key f3 => line 1 of 40",
            "key slash",
            "type word27 => line 28 of 40",
            "key enter",
            "key b => Put back 1 line",
            "key j",
            "key x => Marked 1 line",
        ]
        words = [part for step in script for part in ("-s", step)]
        start = f"ZSMEM_STATE_DIR={state} exec {ZSMEM} --root {place.parent}"
        found = steps(bench("keys", "-n", "1", "--warmup", "0", "--ready", "to review", *words, "--", "sh", "-c", start))
        left = place.read_text()
        gone = [number for number in range(40) if f"word{number:02}" not in left]
        keys = sum(step.startswith("key") for step in script[:5])
        print(f"one of 40 lines put back: {keys} keys (aim 4), lines gone: {gone}, others kept: {left.count(chr(10)) == 239}")
        for name, value in found.items():
            if "matched" in name or "key j" in name:
                print(f"{name}: {value:.0f} ms")


if __name__ == "__main__":
    run()
