"""`zsmem search` from a cold process on a 60-file store, against importing four modules of the standard library.

python -m tests.bench.cold
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.bench.measure import corpus, interleaved, quiet, row


def main() -> None:
    root = corpus("S")
    script = Path(sys.executable).parent / "zsmem"
    ours = [str(script), "--root", str(root), "--project", "proj000-00000000", "search", "quokkafish", "deploy"]
    base = [sys.executable, "-c", "import argparse, dataclasses, json, re"]
    found = interleaved({"ours": lambda: quiet(ours), "base": lambda: quiet(base)}, 41)
    row("zsmem search, cold, 60 files", found["ours"], found["base"], 1.5)


if __name__ == "__main__":
    main()
