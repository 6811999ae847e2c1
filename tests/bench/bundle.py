"""How long a bundle of 3,000 files, 25 MB takes, against `tar` on the same tree.

python -m tests.bench.bundle
"""

from __future__ import annotations

import random
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from zsmem_tui.service import applying, bundles
from zsmem_tui.service.session import Session


def taken(act: Callable[[], object]) -> float:
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def bring_in(session: Session, place: str) -> None:
    applying.apply(bundles.plan(session, place))


def main() -> None:
    dice = random.Random(1)
    words = [f"{dice.randrange(10**6)}" for _ in range(5_000)]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "memory")
        for number in range(3_000):
            place = root / f"projects/p{number % 30}/notes/n{number}.md"
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(" ".join(dice.choice(words) for _ in range(1_220)))
        session = Session(str(root), "p1", history_home=f"{folder}/history")
        ours, tars, ours_in, tars_in = [], [], [], []
        for _ in range(5):

            def out() -> None:
                with open(f"{folder}/ours.tar.gz", "wb") as stream:
                    bundles.export(session, stream)

            ours.append(taken(out))
            tars.append(taken(lambda: subprocess.run(["tar", "czf", f"{folder}/t.tgz", "-C", str(root), "."], check=True)))
            for name in ("in", "in2", "in-history"):
                shutil.rmtree(f"{folder}/{name}", ignore_errors=True)
            fresh = Session(f"{folder}/in", "p1", history_home=f"{folder}/in-history")
            ours_in.append(taken(partial(bring_in, fresh, f"{folder}/ours.tar.gz")))
            Path(folder, "in2").mkdir()
            tars_in.append(taken(lambda: subprocess.run(["tar", "xzf", f"{folder}/t.tgz", "-C", f"{folder}/in2"], check=True)))
        for name, mine, theirs, aim in (("export", ours, tars, 3), ("import", ours_in, tars_in, 10)):
            left, right = statistics.median(mine), statistics.median(theirs)
            print(f"{name}: {left:.2f} s, tar {right:.2f} s: {left / right:.2f} x (aim {aim})")


if __name__ == "__main__":
    main()
