"""`zsmem hook` from a cold process: a block of 32 KiB over 4,001 files, and beside it a cold `zsmem search` on 60 files.

python -m tests.bench.hook
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.bench.measure import corpus, interleaved, quiet, row

FILES = 4_001
LIMIT_MS = 300
"""An agent waits no longer before its session starts."""


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        os.environ["ZSMEM_STATE_DIR"] = f"{place}/state"
        root = a_store(Path(place))
        told = json.dumps(
            {"hook_event_name": "SessionStart", "session_id": "bench", "cwd": "/code/api", "source": "startup"}
        ).encode()
        script = str(Path(sys.executable).parent / "zsmem")
        search = [script, "--root", str(corpus("S")), "--project", "proj000-00000000", "search", "quokkafish", "deploy"]

        def hook(*words: str) -> None:
            subprocess.run([script, "--root", str(root), "hook", *words], input=told, stdout=subprocess.DEVNULL, check=True)

        found = interleaved(
            {
                "whole": lambda: hook("codex"),
                "first": lambda: hook("claude-code", "--part", "1/4"),
                "search": lambda: quiet(search),
            },
            21,
        )
        row("hook, whole block, 4,001 files", found["whole"], LIMIT_MS, 1)
        row("hook, one part of four", found["first"], LIMIT_MS, 1)
        row("hook against a cold search", found["first"], found["search"], 2)


def a_store(place: Path) -> Path:
    """A store whose block is full, with as many notes and logs as it takes."""
    root = place / "memory"
    from zsmem_tui.core.names import project_slug

    own = root / "projects" / project_slug("/code/api")
    for folder in ("daily", "notes"):
        (own / folder).mkdir(parents=True)
    (root / "MEMORY.md").write_text("".join(f"- fact {number}: {'x' * 80}\n" for number in range(400)))
    for number in range((FILES - 1) // 2):
        (own / "daily" / f"{2000 + number // 365:04d}-{number % 12 + 1:02d}-{number % 28 + 1:02d}.md").write_text("- a log\n")
        (own / "notes" / f"note-{number}.md").write_text("# a note\n")
    for number in range(FILES - sum(len(names) for _, _, names in os.walk(root))):
        (own / "notes" / f"more-{number}.md").write_text("# a note\n")
    return root


if __name__ == "__main__":
    main()
