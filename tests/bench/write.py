"""A write through our path, not watched afterwards, against a bare temporary file, fsync, rename and folder fsync.

python -m tests.bench.write [FOLDER]
"""

from __future__ import annotations

import os
import sys
import tempfile

from tests.bench.measure import interleaved, row
from zsmem_tui import Mem


def bare(folder: str, content: bytes) -> None:
    temp = os.path.join(folder, "bare.tmp")
    handle = os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    os.write(handle, content)
    os.fsync(handle)
    os.close(handle)
    os.replace(temp, os.path.join(folder, "bare.md"))
    handle = os.open(folder, os.O_RDONLY)
    os.fsync(handle)
    os.close(handle)


def main() -> None:
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as folder:
        mem = Mem(folder, "p", "2026-05-25")
        for label, size in (("4 KiB", 4096), ("32 KiB", 32768)):
            number = 0

            def ours(size: int = size) -> None:
                nonlocal number
                number += 1
                mem.write("long_term", f"{number:08}" + "x" * (size - 8), "overwrite", confirm=False)

            def theirs(size: int = size) -> None:
                nonlocal number
                number += 1
                bare(folder, (f"{number:08}" + "x" * (size - 8)).encode())

            found = interleaved({"ours": ours, "bare": theirs}, 201)
            row(f"overwrite {label}", found["ours"], found["bare"], 4)


if __name__ == "__main__":
    main()
