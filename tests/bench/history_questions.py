"""Seven questions to a history of 10,000 versions, each asked anew, as the screens ask them.

    python -m tests.bench.history_questions         making the history takes two minutes

Milliseconds of a core: the machine may be busy with something else.
"""

from __future__ import annotations

import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from typing import Final

from tests.bench.measure import write_lines
from zsmem_tui.core.version import Origin
from zsmem_tui.service import history
from zsmem_tui.service.facts.provenance import Provenance, _Versions
from zsmem_tui.service.facts.rows import FactReader, Scope
from zsmem_tui.service.session import Session
from zsmem_tui.store.history.commit_message import Meta
from zsmem_tui.store.history.journal import held

VERSIONS: Final = 10_000
FILES: Final = 100
AIM_MS: Final = 30
ROUNDS: Final = 9


def words(dice: random.Random) -> bytes:
    return b" ".join(b"%d" % dice.randrange(10**5) for _ in range(9))


def make(session: Session) -> None:
    """A fifth of the versions are of one file; a third are a person's."""
    dice = random.Random(1)
    texts = {f"projects/p{each % 10}/notes/n{each}.md": [words(dice) for _ in range(150)] for each in range(FILES)}
    paths = list(texts)
    for number in range(VERSIONS):
        path = paths[0] if number % 5 == 0 else dice.choice(paths)
        texts[path][dice.randrange(150)] = words(dice)
        mine = number % 3 == 0
        meta = Meta(10**18 + number * 10**11, Origin.YOU if mine else Origin.OTHER, "" if mine else "agent A", f"b{number}" * mine)
        with session.history.opened() as repo:
            session.history._record(repo, {path: held(b"\n".join(texts[path]))}, meta)
            if number % 200 == 0:
                repo.repack_if_needed()
    write_lines(session.root, texts)


def steps_of(session: Session, path: str) -> None:
    """The versions of a file, and what else changed in their steps."""
    with session.history.opened():
        versions = _Versions(session)
        for version in versions.of(path):
            versions.beside(version)


def main() -> None:
    folder = tempfile.mkdtemp(prefix="zsmem-bench-")
    try:
        session = Session(f"{folder}/memory", "p0", history_home=f"{folder}/history")
        make(session)
        ref = session.ref_at("projects/p3/notes/n3.md")
        found = history.of_file(session, ref)
        middle = found[len(found) // 2]
        rows = FactReader(session).read(Scope.FILE, ref).rows
        known = Provenance(session)
        start = time.process_time()
        known.fill(rows)
        print(f"who wrote its lines, the first time: {(time.process_time() - start) * 1000:.0f} ms, {len(found)} texts read")
        questions: dict[str, Callable[[], object]] = {
            f"the {len(found)} versions of a file": lambda: history.of_file(session, ref),
            "the text of one": lambda: session.history.text(middle.after),
            "what it changed": lambda: history.texts(session, middle),
            "the latest 500 of the store": lambda: history.latest(session, 500),
            "what undo is about": session.history.step,
            "who wrote its lines, the file's versions": lambda: steps_of(session, ref.path),
            "who wrote its lines, asked again": lambda: known.fill(rows),
        }
        for label, ask in questions.items():
            times = []
            for _ in range(ROUNDS):
                start = time.process_time()
                ask()
                times.append((time.process_time() - start) * 1000)
            middle_ms = statistics.median(times)
            print(f"{label:40} {middle_ms:6.1f} ms  (aim {AIM_MS}) {'ok' if middle_ms <= AIM_MS else 'OVER'}")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
