"""What is loaded before the first frame: time of each module, and which are new against the kept list of the last release.

python -m tests.bench.start_modules            names what is new, and the dearest
python -m tests.bench.start_modules --keep     takes what is loaded now as the list (at a release)
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Final

KEPT: Final = Path(__file__).parent / "start_modules.txt"
START: Final = """
from zsmem_tui.core.light_imports import load_asyncio, load_hashlib
load_asyncio()
load_hashlib()
import zsmem_tui.entry, zsmem_tui.ui.run
"""
_LINE: Final = re.compile(r"^import time: +(\d+) \| +\d+ \| +(\S+)$", re.MULTILINE)


def loaded(code: str) -> dict[str, int]:
    """Each module that `code` loads, with the microseconds of its own."""
    done = subprocess.run([sys.executable, "-X", "importtime", "-c", code], capture_output=True, text=True, check=True)
    return {name: int(own) for own, name in _LINE.findall(done.stderr)}


def main() -> None:
    without = loaded("import textual.app, textual.widgets._footer, textual.widgets._static")
    ours = {name: own for name, own in loaded(START).items() if name not in without}
    if "--keep" in sys.argv:
        KEPT.write_text("".join(f"{name}\n" for name in sorted(ours)))
    kept = set(KEPT.read_text().split())
    new = sorted(ours.keys() - kept)
    print(f"before the first frame: {len(ours)} modules that an empty Textual app has not, {len(kept)} at the last release")
    print(f"they take {sum(ours.values()) / 1000:.0f} ms; Textual and what it needs {sum(without.values()) / 1000:.0f} ms")
    print("new:", ", ".join(new) or "none")
    print("gone:", ", ".join(sorted(kept - ours.keys())) or "none")
    dearest = sorted(ours, key=lambda name: -ours[name])[:10]
    print("dearest:", ", ".join(f"{name} {ours[name] / 1000:.1f} ms" for name in dearest))


if __name__ == "__main__":
    main()
