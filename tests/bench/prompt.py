"""How many keys bring a lost fact into the prompt from `F2`, and how fast that screen is.

    python -m tests.bench.prompt

`MEMORY.md` has 1,200 facts, twice what fits. The first lost one, then one that is
looked for by its words; each from the main screen.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.bench.screen import RUNS, ZSMEM, bench, steps
from zsmem_tui.config.model import Config
from zsmem_tui.service.previewing import preview
from zsmem_tui.service.session import Session

PROJECT = "p000-00000000"
WAYS = {
    "the first lost fact": (["key f2 => facts lost", "key f => lost lines only", "key + => Moved to the top"], 3),
    "one by its words": (
        ["key f2 => facts lost", "key / => find in", "type number~1111", "wait 1 of 1", "key enter", "key + => Moved to the top"],
        4,
    ),
}
"""What is typed between keys does not count."""


def store(folder: str) -> None:
    """Twice what fits into a prompt."""
    facts = "".join(f"- fact number~{number} of a memory that has become too large for it\n" for number in range(1_200))
    Path(folder, "MEMORY.md").write_text(f"# Facts\n\n{facts}")
    pad = Path(folder, f"projects/{PROJECT}/SCRATCHPAD.md")
    pad.parent.mkdir(parents=True)
    pad.write_text("- [ ] an open item\n")


def run() -> None:
    for name, (script, keys) in WAYS.items():
        with tempfile.TemporaryDirectory() as folder:
            store(folder)
            before = _lost(folder)
            _drive("1", folder, script)
            came = [line for line in before if line not in _lost(folder)]
            print(f"{name}: {keys} keys (aim 4); in the prompt now: {', '.join(came) or 'nothing'}")


def speed() -> None:
    with tempfile.TemporaryDirectory() as folder:
        store(folder)
        script = ["key f2 => facts lost", "sleep 1", *["key j"] * 5, "key f", *["key j"] * 5]
        found = steps(_drive(RUNS, folder, script))
        opened = next(value for name, value in found.items() if "key f2" in name and "matched" in name)
        painted = sorted(value for name, value in found.items() if "painted" in name and "key j" in name)
        print(f"budget, list and block of 1,200 facts: painted {opened:.0f} ms after F2")
        print(f"a key in them: painted in {painted[len(painted) // 2]:.0f} ms (aim 60), worst {painted[-1]:.0f}")


def _drive(runs: str, folder: str, script: list[str]) -> str:
    words = [part for step in script for part in ("-s", step)]
    start = f"ZSMEM_STATE_DIR=$(mktemp -d) exec {ZSMEM} --root {folder} --project {PROJECT}"
    return bench(
        "keys", "-n", runs, "--warmup", "0", "--timeout", "20", "--ready", "✗ \\d+ not whole", *words, "--", "sh", "-c", start
    )


def _lost(folder: str) -> list[str]:
    return [line.text for line in preview(Session(folder, PROJECT, config=Config())).lost]


if __name__ == "__main__":
    run()
    speed()
