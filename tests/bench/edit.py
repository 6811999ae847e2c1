"""A save beside bare file operations, and typing in large files, timed through a terminal.

python -m tests.bench.edit            typing needs `pip install '.[bench]'`
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.bench.measure import interleaved, row
from tests.bench.screen import RUNS, ZSMEM, bench, steps
from tests.bench.write import bare
from zsmem_tui.store import writing


def saves() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "MEMORY.md")
        for label, lines in (("4 KiB", 80), ("32 KiB", 640)):
            text = b"".join(b"- a fact of about fifty bytes, number %08d\n" % number for number in range(lines))
            path.write_bytes(text)
            number = 0

            def ours() -> None:
                nonlocal number
                number += 1
                base = path.read_bytes()
                writing.save(
                    folder, "MEMORY.md", base.replace(b"fact", b"fakt" if number % 2 else b"fact", 1) + b"x", base, confirm=False
                )
                path.write_bytes(base)

            def theirs(text: bytes = text) -> None:
                nonlocal number
                number += 1
                path.read_bytes()
                bare(folder, text + b"%d" % number)
                path.write_bytes(text)

            found = interleaved({"ours": ours, "bare": theirs}, 101)
            row(f"save {label}", found["ours"], found["bare"], 4)


def typing() -> None:
    for size, aim in ((256, 50), (1024, 100)):
        with tempfile.TemporaryDirectory() as folder:
            line = "- a fact of some fifty bytes, with `code` and **more**\n"
            Path(folder, "MEMORY.md").write_text(line * (size * 1024 // len(line)))
            keys = [part for step in ("key e", "sleep 1", *["key pagedown"] * 3, *["key x"] * 9) for part in ("-s", step)]
            found = steps(
                bench(
                    "keys",
                    "-n",
                    RUNS,
                    "--ready",
                    "prompt",
                    *keys,
                    "--",
                    "sh",
                    "-c",
                    f"ZSMEM_STATE_DIR=$(mktemp -d) exec {ZSMEM} --root {folder}",
                )
            )
            painted = sorted(value for name, value in found.items() if "key x" in name and "painted" in name)
            print(f"typing in {size} KB: key to paint {painted[len(painted) // 2]:.0f} ms (aim {aim})")


def meter() -> None:
    """From a key to the line below the text that says how many bytes are left, in a file of 64 KiB."""
    with tempfile.TemporaryDirectory() as folder:
        line = "- a fact of some fifty bytes, with `code` and **more**\n"
        Path(folder, "MEMORY.md").write_text(line * (64 * 1024 // len(line)))
        cap = f"inject_cap = {1 << 20}\n"
        left = (1 << 20) - len("\n\n## Long-term memory (MEMORY.md)\n") - len(line) * (64 * 1024 // len(line)) + 1
        keys = ["-s", "key e", "-s", "wait bytes left"]
        for number in range(1, 12):
            keys += ["-s", f"key x => {left - number} bytes left"]
        start = f"echo '{cap}' > {folder}/c; ZSMEM_CONFIG={folder}/c ZSMEM_STATE_DIR=$(mktemp -d) exec {ZSMEM} --root {folder}"
        found = steps(bench("keys", "-n", RUNS, "--ready", "prompt", *keys, "--", "sh", "-c", start))
        matched = sorted(value for name, value in found.items() if "key x" in name and "matched" in name)
        print(f"meter in 64 KiB: key to the new figure {matched[len(matched) // 2]:.0f} ms (aim 50)")


if __name__ == "__main__":
    saves()
    typing()
    meter()
