"""Every agent's store on a machine against one, and a Claude Code folder with 5,000 transcripts of 2 GB against one without.

python -m tests.bench.stores
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Final

from tests.bench.measure import interleaved, quiet, row
from zsmem_tui.config.model import Config
from zsmem_tui.service import stores
from zsmem_tui.service.known_folders import known_folders

SAMPLES: Final = Path(__file__).parents[1] / "samples"
FOLDER: Final = "/home/ann/code/lantern"
PROJECTS: Final = 50
TRANSCRIPTS: Final = 5_000
BYTES: Final = 2 << 30

OPENING_AIM: Final = 1.15
"""Times as long as without transcripts: they are not looked at."""

STORES: Final = 5

LISTING_AIM: Final = 10.0
"""Times as long as with one store: the prompts of others, such as opencode's with its YAML, cost more than zerostack's."""

COLD_AIM: Final = 1.5
"""Times as long a cold command with five stores may take as with one: each is looked through."""

_opened: list[str] = []


def main() -> None:
    sys.addaudithook(lambda event, words: _opened.append(str(words[0])) if event == "open" else None)
    with tempfile.TemporaryDirectory(prefix="zsmem-bench-stores-") as place:
        one, five, many = (Path(place, name) for name in ("one", "five", "many"))
        for home, names in ((one, ("zerostack",)), (five, _every()), (many, _every())):
            for name in names:
                shutil.copytree(SAMPLES / name / "home", home, dirs_exist_ok=True)
        _transcripts(many)
        found = interleaved({str(home): lambda home=home: _listed(home) for home in (one, five, many)}, 101)  # type: ignore[misc]
        row("open and list, five stores / one", found[str(five)], found[str(one)], LISTING_AIM)
        row("open and list, 5,000 transcripts", found[str(many)], found[str(five)], OPENING_AIM)
        opening = interleaved({str(home): lambda home=home: _open(home) for home in (one, five, many)}, 301)  # type: ignore[misc]
        row("open alone, five stores / one", opening[str(five)], opening[str(one)], STORES)
        row("open alone, 5,000 transcripts", opening[str(many)], opening[str(five)], OPENING_AIM)
        script = Path(sys.executable).parent / "zsmem"
        cold = interleaved({str(home): lambda home=home: _cold(home, script) for home in (one, five, many)}, 21)  # type: ignore[misc]
        row("zsmem stores, cold, five / one", cold[str(five)], cold[str(one)], COLD_AIM)
        row("zsmem stores, cold, transcripts", cold[str(many)], cold[str(five)], COLD_AIM)
        _count(many)


def _every() -> tuple[str, ...]:
    return ("zerostack", "claude-code", "ethos", "opencode-agent-memory", "oh-my-pi")


def _transcripts(home: Path) -> None:
    """Sparse files, each with the folder in its second line."""
    for number in range(TRANSCRIPTS):
        project = number % PROJECTS
        place = home / f".claude/projects/-srv-p{project}/{number}.jsonl"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f'{{"type":"summary"}}\n{{"type":"user","cwd":"/srv/p{project}"}}\n')
        os.truncate(place, BYTES // TRANSCRIPTS)


def _open(home: Path) -> list[str]:
    os.environ["HOME"] = str(home)
    return [each.root for each in stores.sessions(Config(), cwd=FOLDER)]


def _listed(home: Path) -> list[stores.StoreLine]:
    os.environ["HOME"] = str(home)
    return stores.lines(stores.sessions(Config(), cwd=FOLDER))


def _cold(home: Path, script: Path) -> None:
    os.environ["HOME"] = str(home)
    quiet([str(script), "stores", "--cwd", FOLDER])


def _count(home: Path) -> None:
    """What is read of transcripts: nothing to open and list, one a project to know the folders."""
    _opened.clear()
    _listed(home)
    print(f"transcripts opened to open and list: {_transcripts_opened()}")
    sizes: list[int] = []
    real = os.read

    def read(handle: int, count: int) -> bytes:
        raw = real(handle, count)
        sizes.append(len(raw))
        return raw

    os.read = read
    try:
        known = known_folders(FOLDER)
    finally:
        os.read = real
    print(
        f"to know {len(known) - 1} folders of {PROJECTS + 1} projects: {_transcripts_opened()} transcripts opened, "
        f"at most {max(sizes)} bytes read at once, {sum(sizes)} in all"
    )


def _transcripts_opened() -> int:
    return sum(path.endswith(".jsonl") for path in _opened)


if __name__ == "__main__":
    main()
