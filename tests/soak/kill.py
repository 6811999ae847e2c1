"""Kill the program at any moment: what was said to be saved is in a file or in the history.

    python -m tests.soak.kill [ROUNDS]

A child saves, undoes, moves, archives, imports a bundle and packs the history, and says each line once it is saved; it is killed
with SIGKILL at a random moment, again and again on one store.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.builders import NOW, AStore
from zsmem_tui.service import bundles, history
from zsmem_tui.service.session import Session
from zsmem_tui.store import scan

CHILD = """
import random, sys
from tests.builders import NOW
from zsmem_tui import MemError
from zsmem_tui.core.refs import MemRef
from zsmem_tui.service import bundles, editing, file_ops, history, applying, triage, undoing
from zsmem_tui.service.plan import Policy
from zsmem_tui.service.tasks import task_list
from zsmem_tui.service.session import Session
root, bundle, seed = sys.argv[1:4]
dice = random.Random(seed)
print("ready", flush=True)
session = Session(root, "p-00000000", clock=lambda: NOW)
for number in range(10_000):
    act = dice.choice(["write", "write", "save", "save", "done", "archive", "undo", "rename", "bundle", "pack", "overwrite"])
    token = f"{act}-{seed}-{number}"
    try:
        if act == "write":
            session.mem().write("long_term", f"- {token}", confirm=dice.random() < 0.3)
        elif act == "overwrite":
            session.mem().write("note", token, "overwrite", "scribble")
        elif act == "save":
            ref = MemRef("projects/p-00000000/notes/edited.md")
            try:
                base = open(session.path(ref), "rb").read()
            except OSError:
                base = None
            editing.save(session, ref, (base or b"") + f"{token}\\n".encode(), base)
        elif act == "done":
            applying.apply(triage.add(session, "p-00000000", token))
            applying.apply(triage.set_done(session, task_list(session).tasks[-1:], done=True))
        elif act == "archive":
            applying.apply(triage.archive(session, task_list(session).tasks[:2]))
            continue
        elif act == "undo":
            undoing.undo(session, redo=dice.random() < 0.3)
            continue
        elif act == "rename":
            old = MemRef("projects/p-00000000/notes/scribble.md")
            file_ops.rename(session, session.ref_at(old.path), f"kept-{seed}-{number}")
            continue
        elif act == "bundle":
            applying.apply(bundles.plan(session, bundle, policy=Policy.REPLACE))
            continue
        else:
            history.look_at_all(session)
            continue
    except MemError as error:
        continue
    print(token, flush=True)
"""


def rounds_of(home: str, count: int, seed: int = 1) -> list[str]:
    """The lines that were said to be saved and are nowhere, after `count` kills."""
    source = AStore(Path(home, "source"), "p-00000000").has("MEMORY.md", "# From the bundle\n").has("~/notes/edited.md", "bundle\n")
    bundle = f"{home}/a.tgz"
    bundles.export_to(source.session(), bundle)
    store = AStore(Path(home, "memory"), "p-00000000").has("MEMORY.md", "# Facts\n").has("~/SCRATCHPAD.md", "- [ ] first\n")
    dice = random.Random(seed)
    said: list[str] = []
    for number in range(count):
        child = subprocess.Popen(
            [sys.executable, "-c", CHILD, str(store.root), bundle, f"{seed}.{number}"], stdout=subprocess.PIPE, text=True
        )
        assert child.stdout is not None and child.stdout.readline() == "ready\n"
        time.sleep(dice.random() * 1.2)
        os.kill(child.pid, signal.SIGKILL)
        said += child.communicate()[0].split("\n")[:-1]
        assert child.returncode == -signal.SIGKILL, "the child ended by itself: it tried nothing"
    session = Session(str(store.root), "p-00000000", clock=lambda: NOW)
    history.look_at_all(session)
    known = set(b"\n".join(store.tree().values()).decode().replace("- ", "").split())
    for version in session.history.latest():
        for id in (version.before, version.after):
            known.update((session.history.text(id) or b"").decode().replace("- ", "").split())
    for target, name in (("long_term", None), ("scratchpad", None), ("daily", None), ("note", "last")):
        session.mem().write(target, "the next write here clears away what a killed one left\n", name=name)
    stray = [path for path in store.tree() if path.rpartition("/")[2].startswith(".")]
    assert scan.scan(str(store.root), session.layout).projects and not stray, stray
    print(f"{count} kills, {len(said)} lines said to be saved", flush=True)
    assert len(said) > count / 10, "the children were killed before they did anything"
    return [token for token in said if token not in known]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ZSMEM_STATE_DIR"] = f"{folder}/state"
        print("nowhere:", rounds_of(folder, int(sys.argv[1]) if len(sys.argv) > 1 else 500))


if __name__ == "__main__":
    main()
