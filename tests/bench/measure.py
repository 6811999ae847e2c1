"""What the benchmarks share: interleaved runs, medians, ratios. They print; they assert nothing."""

from __future__ import annotations

import compileall
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

HERE = Path(__file__).parent

compileall.compile_dir(HERE.parent.parent / "zsmem_tui", quiet=2)  # as an installer does: compiling is no part of a start


def timed(act: Callable[[], object]) -> float:
    """Seconds that one call takes."""
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def write_lines(root: str, texts: Mapping[str, Sequence[bytes]]) -> None:
    """The files of a store, by their paths in it."""
    for path, lines in texts.items():
        place = Path(root, path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(b"\n".join(lines))


def interleaved(contenders: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Median milliseconds of each, all run in turn so that a noisy machine is noisy for every one."""
    for act in contenders.values():
        act()
    found: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, act in contenders.items():
            found[name].append(timed(act))
    return {name: statistics.median(times) * 1000 for name, times in found.items()}


def processor(acts: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Median milliseconds of the processor, with those of child processes, all in turn: a busy machine does not show in them."""
    found: dict[str, list[float]] = {name: [] for name in acts}
    for _ in range(rounds):
        for name, act in acts.items():
            start = _used()
            act()
            found[name].append(_used() - start)
    return {name: statistics.median(times) * 1000 for name, times in found.items()}


def _used() -> float:
    """Seconds of the processor that this process and those it waited for have used."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def finder(terms: Sequence[str], *places: str) -> list[str]:
    """The command that counts the lines with these words: ripgrep where there is one, else grep."""
    words = [part for term in terms for part in ("-e", term)]
    if shutil.which("rg"):
        return ["rg", "-i", "-F", "-c", "--no-ignore", "-g", "*.md", *words, *places]
    return ["grep", "-r", "-i", "-F", "-c", "--include=*.md", *words, *places]


def load() -> str:
    """How busy the machine is, and what the program is measured against: said beside the figures."""
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores, against {'ripgrep' if shutil.which('rg') else 'grep'}"


def quiet(command: Sequence[str]) -> None:
    """Run a command whose output nobody wants; its exit code may be 1 (nothing found)."""
    subprocess.run(command, stdout=subprocess.DEVNULL, check=False)


def row(label: str, ours: float, theirs: float, limit: float, unit: str = "ms") -> None:
    """One line: both figures, their ratio, and the ratio aimed at."""
    verdict = "ok" if ours / theirs <= limit else "OVER"
    print(f"{label:<34} {ours:9.2f} {unit}  {theirs:9.2f} {unit}  ratio {ours / theirs:5.2f}  (aim {limit}) {verdict}")


def corpus(size: str) -> Path:
    """A generated store (S, M or L), made once a machine."""
    place = Path(tempfile.gettempdir()) / f"zsmem-corpus-{size}"
    if not (place / ".terms.json").exists():
        subprocess.run([sys.executable, str(HERE / "gen_corpus.py"), str(place), size], check=True, stdout=subprocess.DEVNULL)
    return place
