"""Every verb that writes, beside an agent that writes the same file again and again: it ends, and no line is gone.

    python -m tests.soak.busy [ROUNDS] [VERB]

Prints for each verb the longest time from its change being on disk to its end, and from its start to its end, in seconds; and the
lines of the agent, and of ours that were not said to be lost, that are in no file afterwards (for `clear` and `restore`, nor in the
history).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from tests.builders import NOW, AStore
from zsmem_tui.service import losses
from zsmem_tui.service.session import Session

PROJECT: Final = "p-00000000"
OTHER: Final = "q-00000000"

WRITER: Final = """
import os, signal, sys, time
path, mode, pause = sys.argv[1], sys.argv[2], float(sys.argv[3])
stopped = []
signal.signal(signal.SIGTERM, lambda *_: stopped.append(1))
number = 0
print("begun", flush=True)
while not stopped:
    line = b"- agent %d\\n" % number
    try:
        with open(path, "rb") as stream: text = stream.read()
    except FileNotFoundError:
        time.sleep(0.001)
        continue
    if mode == "rename" or mode == "stale":
        if mode == "stale": time.sleep(pause / 2)
        with open(path + ".tmp", "wb") as stream: stream.write(text + line)
        os.rename(path + ".tmp", path)
    elif mode == "append":
        with open(path, "ab", buffering=0) as stream: stream.write(line)
    elif mode == "in place":
        with open(path, "r+b", buffering=0) as stream:
            stream.seek(0, 2)
            stream.write(line)
            time.sleep(pause / 4)
    else:
        with open(path, "wb", buffering=0) as stream:
            time.sleep(pause / 4)
            stream.write(text + line)
    number += 1
    time.sleep(pause)
print(number, flush=True)
"""

VERB: Final = """
import json, os, sys, time
note, *words = sys.argv[1:]
from zsmem_tui.store.disk import swap
at = []
def step(name):
    if name == "temporary file removed" and not at: at.append(time.monotonic())
swap.step = step
begun = time.monotonic()
code = 0
if words[0] == "save":
    from tests.builders import NOW
    from zsmem_tui.core.refs import MemRef
    from zsmem_tui.service import editing
    from zsmem_tui.service.session import Session
    session = Session(words[1], words[2], clock=lambda: NOW)
    base = open(words[1] + "/MEMORY.md", "rb").read()
    time.sleep(0.05)
    done = editing.save(session, MemRef("MEMORY.md"), base + b"- mine\\n", base)
    code = 0 if getattr(done, "confirmed", False) else 5
elif words[0] == "mcp":
    from tests.builders import AStore
    from tests.mcp.clients import AClient
    from pathlib import Path
    store = AStore(Path(words[1]), words[2])
    found = AClient(store).tool("memory_write", target="long_term", content="- mine")
    code = 5 if "warning" in json.dumps(found) or found["isError"] else 0
else:
    from zsmem_tui.cli.main import main
    code = main(words)
end = time.monotonic()
with open(note, "w") as stream: json.dump([end - at[0] if at else 0.0, end - begun, code], stream)
"""

MODES: Final = ("rename", "stale", "append", "in place", "truncate")
PAUSES: Final = (0.004, 0.03, 0.2)
VERBS: Final = ("write", "edit", "undo", "scratch", "clear", "mcp", "restore", "doctor", "editor", "move", "unmove", "save")


class Ended(NamedTuple):
    """One verb beside one agent: seconds since its change was on disk, and in all; its exit code, what it said, and lines gone."""

    since: float
    whole: float
    code: int
    said: str
    gone: tuple[str, ...]


def round_of(home: str, verb: str, mode: str, pause: float) -> Ended:
    """One of these, in a home of its own."""
    store = AStore(Path(home, "memory"), PROJECT)
    path, words = _begun(home, store, verb)
    agent = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(store.at(path)), mode, str(pause)], stdout=subprocess.PIPE, text=True
    )
    assert agent.stdout is not None
    agent.stdout.readline()
    note = f"{home}/ended"
    command = [sys.executable, "-c", VERB, note, *words]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    except subprocess.TimeoutExpired:
        agent.kill()
        agent.wait()
        return Ended(60.0, 60.0, -1, "it never ended", ())
    agent.terminate()
    count = int(agent.communicate()[0])
    if not os.path.exists(note):
        return Ended(60.0, 60.0, -1, done.stderr, ())
    since, whole, code = json.loads(Path(note).read_text())
    return Ended(since, whole, code, done.stderr, tuple(_gone(store, verb, path, count, code, done.stderr)))


def _gone(store: AStore, verb: str, path: str, count: int, code: int, said: str) -> list[str]:
    """Lines of the agent and of ours that are nowhere, or are not where they should be without a word."""
    session = Session(str(store.root), PROJECT, clock=lambda: NOW)
    told = said + "\n".join(line for each in losses.dropped(session) for line in each.lines)
    losses.mend(session)
    texts = "\n".join(raw.decode("utf-8", "replace") for raw in store.tree().values())
    if verb in ("clear", "restore"):
        session.history.observe([path])
        for version in session.history.versions(path):
            texts += "".join((session.history.text(id) or b"").decode() for id in (version.before, version.after))
    present = set(texts.split("\n"))
    gone = [line for line in (f"- agent {number}" for number in range(count)) if line not in present]
    mine = {"write": "- mine", "scratch": "- [ ] mine", "mcp": "- mine", "save": "- mine", "editor": "- mine"}.get(verb)
    if mine and mine not in present and not code and "mine" not in told:
        gone.append(mine)
    return gone


def _begun(home: str, store: AStore, verb: str) -> tuple[str, Sequence[str]]:
    """A store with a past, the file that the agent writes, and the words of the verb."""
    root = str(store.root)
    lift = "- The lift is serviced in March.\n"
    store.has("MEMORY.md", f"# Facts\n\n{lift}{lift}- last\n").has(f"projects/{PROJECT}/SCRATCHPAD.md", "- [ ] first\n")
    say = ["--root", root, "--project", PROJECT]

    def run(*words: str) -> str:
        command = [sys.executable, "-m", "zsmem_tui", *say, *words]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout

    scratch = f"projects/{PROJECT}/SCRATCHPAD.md"
    match verb:
        case "write":
            return "MEMORY.md", [*say, "write", "long_term", "- mine"]
        case "edit":
            return "MEMORY.md", [*say, "edit", "long_term", "--old", "- last", "--new", "- edited"]
        case "undo":
            run("write", "long_term", "- mine")
            return "MEMORY.md", [*say, "undo"]
        case "scratch":
            return scratch, [*say, "scratch", "add", "mine"]
        case "clear":
            return scratch, [*say, "clear", "scratchpad"]
        case "restore":
            run("write", "long_term", "- mine")
            run("edit", "long_term", "--old", "- mine", "--new", "")
            found = json.loads(run("history", "--file", "MEMORY.md", "--json"))
            return "MEMORY.md", [*say, "history", "restore", found["versions"][-1]["id"]]
        case "doctor":
            return "MEMORY.md", [*say, "doctor", "--fix", "duplicate"]
        case "editor":
            script = Path(home, "editor")
            script.write_text('#!/bin/sh\necho "- mine" >> "$1"\n')
            script.chmod(0o755)
            os.environ["VISUAL"] = str(script)
            return "MEMORY.md", [*say, "editor", "long_term"]
        case "move":
            return scratch, [*say, "projects", "move", PROJECT, "--to", OTHER]
        case "unmove":
            run("projects", "move", PROJECT, "--to", OTHER)
            return f"projects/{OTHER}/SCRATCHPAD.md", [*say, "undo"]
        case "mcp":
            return "MEMORY.md", ["mcp", root, PROJECT]
        case _:
            return "MEMORY.md", ["save", root, PROJECT]


def main() -> None:
    """Rounds of each verb beside each agent."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    wanted = sys.argv[2:] or VERBS
    worst = 0
    for verb in wanted:
        found: list[tuple[str, Ended]] = []
        for mode in MODES:
            for pause in PAUSES:
                for _ in range(rounds):
                    with tempfile.TemporaryDirectory() as folder:
                        os.environ["ZSMEM_STATE_DIR"] = f"{folder}/state"
                        os.environ["HOME"] = folder
                        found.append((f"{mode} {pause * 1000:.0f} ms", round_of(folder, verb, mode, pause)))
        late = max(found, key=lambda each: each[1].since)
        codes = {code: sum(each.code == code for _, each in found) for code in sorted({each.code for _, each in found})}
        gone = [f"{agent}: {line}" for agent, each in found for line in each.gone]
        print(
            f"{verb:8} since on disk {late[1].since:5.2f} s ({late[0]}), in all {max(each.whole for _, each in found):5.2f} s, "
            f"exit codes {codes}, gone {len(gone)}",
            flush=True,
        )
        for agent, each in found:
            if each.code:
                print(f"  {agent}: {each.code} {each.said[-400:].strip()}")
        for line in gone[:10]:
            print(f"  gone: {line}")
        worst = max(worst, int(late[1].since > 3), int(bool(gone)))
    sys.exit(worst)


if __name__ == "__main__":
    main()
