"""5,000 items of each format read and planned, planned again with another tick, and 100,000 files refused.

python -m tests.bench.import_
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.bench.facts import timed
from zsmem_tui.core.errors import BadContent
from zsmem_tui.service import formats, importing
from zsmem_tui.service.plan import Plan
from zsmem_tui.service.session import Session

MANY = 5_000


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def claude(home: Path) -> Path:
    for number in range(MANY):
        kind = "user" if number % 2 else "project"
        head = f'---\nname: t-{number}\ndescription: "About {number}: it is so"\nmetadata:\n  type: {kind}\n'
        put(home / f"projects/-srv-app/memory/project_{number}.md", f"{head}---\n\nFact {number} of this project.\n")
    return home / "projects/-srv-app/memory"


def omp(home: Path) -> Path:
    put(home / "memories/--srv-app--/learned.md", "".join(f"- lesson {n}\n" for n in range(100)))
    for number in range(MANY - 1):
        text = f"thread_id: t{number}\nupdated_at: {1_780_000_000 + number * 600}\n\nWhat happened in session {number}.\n"
        put(home / f"memories/--srv-app--/rollout_summaries/t{number}.md", text)
    return home / "memories/--srv-app--"


def memsearch(home: Path) -> Path:
    for day in range(MANY // 20):
        entries = "".join(
            f"\n## Session 09:{n:02}\n\n### 09:{n:02}\n<!-- session:s{n} turn:t -->\n- did {day}.{n}\n" for n in range(20)
        )
        put(home / f".memsearch/memory/20{day // 250:02}-{day % 12 + 1:02}-{day % 28 + 1:02}-{day}.md", entries)
        put(home / f".memsearch/memory/{2000 + day // 12}-{day % 12 + 1:02}-01.md", entries)
    return home


def opencode(home: Path) -> Path:
    for number in range(MANY):
        head = f"---\ncreated: '2026-08-03T09:45:{number % 60:02}.118Z'\nproject: /srv/app\n"
        head += f"tags:\n  - a\n  - b\ntitle: Entry {number}\n---\n"
        put(home / f"opencode/journal/20260803-0945{number % 60:02}-{number:03}.md", f"{head}Body {number}.\n")
    return home / "opencode/journal"


def ethos(home: Path) -> Path:
    put(home / ".ethos/users/u1/USER.md", "".join(f"- fact {n} about the user\n" for n in range(MANY)))
    return home / ".ethos"


def agents_md(home: Path) -> Path:
    put(home / "AGENTS.md", "# App\n\n" + "".join(f"- item {n} of the list\n" for n in range(MANY)))
    return home


def markdown(home: Path) -> Path:
    for number in range(MANY):
        put(home / f"notes/{number}.md", f"# Note {number}\n\nText.\n")
    return home / "notes"


MAKERS: dict[str, Callable[[Path], Path]] = {
    "claude-code": claude,
    "oh-my-pi": omp,
    "memsearch": memsearch,
    "opencode": opencode,
    "ethos": ethos,
    "instructions": agents_md,
    "markdown": markdown,
}


def refused(session: Session, folder: Path) -> None:
    try:
        importing.plan(session, formats.of_agent("markdown"), str(folder))
    except BadContent:
        return
    raise AssertionError("100,000 files were taken")


def keep(kept: list[Plan], act: Callable[[], Plan]) -> None:
    kept.append(act())


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        os.environ["ZSMEM_STATE_DIR"] = str(base / "state")
        (base / "memory").mkdir()
        session = Session(str(base / "memory"), "app-00000000", folder="/srv/app")
        wanted = sys.argv[1:] or list(MAKERS)
        for name in wanted:
            place = MAKERS[name](base / name)
            act = partial(importing.plan, session, formats.of_agent(name), str(place))
            kept: list[Plan] = []
            first = timed(partial(keep, kept, act))
            again = timed(partial(act, again=kept[0], ticks={kept[0].rows[0].key: False}))
            print(
                f"{name:<22} {len(kept[0].rows):>6} items   first plan {first:>6.0f} ms   with another tick {again:>6.0f} ms",
                flush=True,
            )
        many = base / "many"
        many.mkdir()
        for number in range(100_000):
            (many / f"{number}.md").touch()
        print(f"100,000 files refused in {timed(lambda: refused(session, many)):.0f} ms", flush=True)


if __name__ == "__main__":
    main()
