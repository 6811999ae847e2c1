"""The full-screen program, timed from outside through a terminal: first frame, typing, cursor, idling, memory.

python -m tests.bench.screen            needs `pip install '.[bench]'`; the store of 34,500 files takes a minute to make
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.bench.measure import HERE, corpus, row

ZSMEM = str(Path(sys.executable).parent / "zsmem")
HELLO = f"{sys.executable} {HERE / 'hello.py'}"
SMALL = "proj000-00000000"
XL = "bigmono-deadbeef"


def bench(*words: str) -> Any:
    """One run of the harness; its figures by step and name, as medians."""
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        command = [sys.executable, str(HERE / "ttybench.py"), words[0], "--json", out.name, *words[1:]]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return json.loads(Path(out.name).read_text())


def program(size: str, project: str) -> list[str]:
    return [ZSMEM, "--root", str(corpus(size)), "--project", project]


def median(values: list[float]) -> float:
    ranked = sorted(values)
    return ranked[len(ranked) // 2]


def figures(found: Any, name: str) -> list[float]:
    """Every value called `name` in the harness's report, in the order of the steps."""
    out: list[float] = []

    def walk(node: Any) -> None:
        if isinstance(node, dict):
            for key, value in node.items():
                if key == name:
                    out.append(value["median"] if isinstance(value, dict) else median(value) if isinstance(value, list) else value)
                else:
                    walk(value)
        elif isinstance(node, list):
            for each in node:
                walk(each)

    walk(found)
    return out


def main() -> None:
    small = " ".join(program("S", SMALL))
    large = " ".join(program("L", SMALL))
    found = bench("ab", "-n", "7", "--until", f"Hello|◆ {SMALL}", f"hello={HELLO}", f"small={small}", f"large={large}")
    print(json.dumps(found, indent=1)[:3000])


if __name__ == "__main__":
    main()
