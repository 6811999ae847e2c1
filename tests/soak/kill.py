"""Kill the program at any moment: what was said to be saved is in a file or in the history.

    python -m tests.soak.kill [ROUNDS]

A child saves, undoes, moves, archives, imports a bundle and packs the history, and says each line once it is saved; it is killed
with SIGKILL at a random moment, again and again on one store.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import sys
import tempfile
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path

from tests.builders import NOW, AStore
from zsmem_tui.core.errors import MemError
from zsmem_tui.core.refs import MemRef
from zsmem_tui.service import applying, bundles, editing, file_ops, history, triage, undoing
from zsmem_tui.service.plan import Policy
from zsmem_tui.service.session import Session
from zsmem_tui.service.tasks import task_list
from zsmem_tui.store import scan

ACTS = ("write", "write", "save", "save", "done", "archive", "undo", "rename", "bundle", "pack", "overwrite")
EDITED, SCRIBBLE = (MemRef(f"projects/p-00000000/notes/{name}.md") for name in ("edited", "scribble"))


def act(session: Session, bundle: str, dice: random.Random, kind: str, token: str) -> bool:
    """Do one step; whether `token` is a line that it has saved."""
    if kind == "write":
        session.mem().write("long_term", f"- {token}", confirm=dice.random() < 0.3)
    elif kind == "overwrite":
        session.mem().write("note", token, "overwrite", "scribble")
    elif kind == "save":
        place = Path(session.path(EDITED))
        base = place.read_bytes() if place.exists() else None
        editing.save(session, EDITED, (base or b"") + f"{token}\n".encode(), base)
    elif kind == "done":
        applying.apply(triage.add(session, "p-00000000", token))
        applying.apply(triage.set_done(session, task_list(session).tasks[-1:], done=True))
    elif kind == "archive":
        applying.apply(triage.archive(session, task_list(session).tasks[:2]))
    elif kind == "undo":
        undoing.undo(session, redo=dice.random() < 0.3)
    elif kind == "rename":
        file_ops.rename(session, session.ref_at(SCRIBBLE.path), f"kept-{token.partition('-')[2]}")
    elif kind == "bundle":
        applying.apply(bundles.plan(session, bundle, policy=Policy.REPLACE))
    else:
        history.look_at_all(session)
    return kind in ("write", "overwrite", "save", "done")


def act_until_killed(environ: dict[str, str], root: str, bundle: str, seed: str, said: Connection) -> None:
    """Say that it begins, then each line once it is saved."""
    os.environ.update(environ)
    dice = random.Random(seed)
    said.send("ready")
    session = Session(root, "p-00000000", clock=lambda: NOW)
    for number in range(10_000):
        kind = dice.choice(ACTS)
        with suppress(MemError):
            if act(session, bundle, dice, kind, token := f"{kind}-{seed}-{number}"):
                said.send(token)


def rounds_of(home: str, count: int, seed: int = 1) -> list[str]:
    """The lines that were said to be saved and are nowhere, after `count` kills."""
    source = AStore(Path(home, "source"), "p-00000000").has("MEMORY.md", "# From the bundle\n").has("~/notes/edited.md", "bundle\n")
    bundle = f"{home}/a.tgz"
    bundles.export_to(source.session(), bundle)
    store = AStore(Path(home, "memory"), "p-00000000").has("MEMORY.md", "# Facts\n").has("~/SCRATCHPAD.md", "- [ ] first\n")
    dice = random.Random(seed)
    said: list[str] = []
    processes = multiprocessing.get_context("forkserver")  # each has the modules loaded: it is killed while it works
    processes.set_forkserver_preload(["tests.soak.kill"])
    for number in range(count):
        hears, says = processes.Pipe(duplex=False)
        about = dict(os.environ), str(store.root), bundle, f"{seed}.{number}", says
        child = processes.Process(target=act_until_killed, args=about)
        child.start()
        says.close()
        assert hears.recv() == "ready" and child.pid is not None
        time.sleep(dice.random() * 1.2)
        os.kill(child.pid, signal.SIGKILL)
        with suppress(EOFError):
            while True:
                said.append(hears.recv())
        child.join()
        assert child.exitcode == -signal.SIGKILL, "the child ended by itself: it tried nothing"
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
    sys.modules["__main__"].__spec__ = None  # else each child warns that the module is loaded already
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ZSMEM_STATE_DIR"] = f"{folder}/state"
        print("nowhere:", rounds_of(folder, int(sys.argv[1]) if len(sys.argv) > 1 else 500))


if __name__ == "__main__":
    main()
