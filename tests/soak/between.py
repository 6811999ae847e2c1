"""An agent that writes between a plan and its writes, and between the steps of one write: no line is lost without a word.

    python -m tests.soak.between [ROUNDS] [SEED]

Each round makes a store, plans something the person may ask for (what the doctor mends, a fit, a merge, triage, facts, review,
files across projects), and lets an agent write before it is done and at a random step of doing it.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.builders import AStore, plan_copy
from zsmem_tui.core.errors import MemError
from zsmem_tui.core.refs import MemRef
from zsmem_tui.service import applying, doctor_fixes, editing, fit, history, review_lines, reviewing, triage, undoing
from zsmem_tui.service.doctor import Doctor
from zsmem_tui.service.facts import acts, raising
from zsmem_tui.service.facts.rows import FactReader, Scope
from zsmem_tui.service.projects import moving
from zsmem_tui.service.review_lines import Pick
from zsmem_tui.service.session import Session
from zsmem_tui.service.tasks import task_list
from zsmem_tui.store.disk import swap

Apply = Callable[[], object]

OTHER = "b-00000000"
FILES = ("MEMORY.md", "projects/a-00000000/SCRATCHPAD.md", "projects/a-00000000/notes/n.md", f"projects/{OTHER}/SCRATCHPAD.md")
WORDS = ("lift", "kettle", "harbour", "server", "garden", "Backups start at 01:00", "Backups start at 03:00")


def some_lines(dice: random.Random, path: str) -> list[str]:
    """Lines with things to mend among them: items in a bad form, copies, contradictions, keys."""
    lines = ["# Head", ""]
    for number in range(dice.randint(2, 12)):
        words = f"{dice.choice(WORDS)} in the {dice.choice(WORDS)} is fact {number} of {path[-12:]}"
        lines.append(f"{dice.choice(['- [ ]', '- [x]', '+ [ ]'])} {words}" if "SCRATCH" in path else f"- {words}")
    lines += dice.choice(
        [[], ["- The lift is serviced in March.", "- The lift is serviced in March."], ["- until 2020-01-01 it rains"]]
    )
    if dice.random() < 0.3:
        lines.append("- token: ghp_" + "".join(dice.choice("abcdefgh0123456789XYZ") for _ in range(36)))
    return lines


class Agent:
    """Writes as agents do: it reads a file, and renames another over it, or writes into it where it stands."""

    def __init__(self, root: str, dice: random.Random) -> None:
        self.root = root
        self.dice = dice
        self.said: list[str] = []

    def write(self) -> None:
        path = self.dice.choice(FILES)
        place = os.path.join(self.root, path)
        try:
            with open(place, encoding="utf-8") as stream:
                lines = stream.read().split("\n")
        except FileNotFoundError:
            lines = []
        token = f"agent {len(self.said)} {self.dice.random()}"
        self.said.append(token)
        line = f"- [ ] {token}" if "SCRATCH" in path else f"- {token}"
        if self.dice.random() < 0.3 and lines:
            at = self.dice.randrange(len(lines))
            if "agent" not in lines[at]:
                lines[at] = f"{lines[at]} {token}"
            else:
                lines.append(line)
        else:
            lines.insert(self.dice.choice([0, len(lines), len(lines)]), line)
        raw = "\n".join(lines)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        if self.dice.random() < 0.7:
            with open(f"{place}.tmp", "w", encoding="utf-8") as stream:
                stream.write(raw)
            os.rename(f"{place}.tmp", place)
        else:
            with open(place, "w", encoding="utf-8") as stream:
                stream.write(raw)


def planned(session: Session, verb: str, dice: random.Random) -> Apply:
    """What a person asks for, planned; what comes back does it."""
    ref = MemRef(FILES[0])
    match verb:
        case "doctor":
            found = doctor_fixes.plan(session, Doctor(session).examine().faults)
            return lambda: applying.apply(found)
        case "fit":
            offer = fit.propose(session)
            return lambda: applying.apply(fit.plan(session, offer, offer.fit.moves))
        case "merge":
            return lambda: applying.apply(moving.merge(session, [OTHER], "a-00000000"))
        case "archive":
            return lambda: applying.apply(moving.archive(session, OTHER))
        case "triage":
            tasks = task_list(session).tasks
            some = dice.sample(tasks, min(len(tasks), 3))
            if not some:  # all of it was taken by the agent
                return lambda: None
            act = dice.choice(["done", "move", "promote", "note", "log", "archive", "remove"])
            acts_of: dict[str, Apply] = {
                "done": lambda: applying.apply(triage.set_done(session, some, done=True)),
                "move": lambda: applying.apply(triage.move(session, some, OTHER)),
                "promote": lambda: applying.apply(triage.promote(session, some)),
                "note": lambda: applying.apply(triage.to_note(session, some, "made")),
                "log": lambda: applying.apply(triage.log(session, some)),
                "archive": lambda: applying.apply(triage.archive(session, [task for task in tasks if task.item.box == "done"])),
                "remove": lambda: applying.apply(triage.remove(session, [task for task in some if "agent" not in task.item.text])),
            }
            return acts_of[act]
        case "facts":
            rows = [row for row in FactReader(session).read(Scope.ALL).rows if row.ref.path.endswith(("MEMORY.md", "n.md"))]
            chosen = dice.sample(rows, min(len(rows), 2))
            goal = acts.Target(MemRef(FILES[2]))
            made = acts.move(session, chosen, goal) if dice.random() < 0.6 else raising.to_top(session, chosen)
            return lambda: applying.apply(made)
        case "review":
            picks = [Pick(each) for each in reviewing.pending(session)]
            return lambda: dice.choice([review_lines.revert, review_lines.accept])(session, picks)
        case "across":
            other = Session(session.root, OTHER, clock=session.clock)
            way = plan_copy(session, [session.ref_at(FILES[2])], other, move=dice.random() < 0.5, group=OTHER)
            return lambda: applying.apply(way)
        case _:
            base = Path(session.path(ref)).read_bytes()
            return lambda: editing.save(session, ref, base + b"- mine\n", base)


VERBS = ("doctor", "fit", "merge", "archive", "triage", "facts", "review", "across", "save")


def everything(session: Session) -> str:
    """Every text of the store, in one."""
    return "\n".join(raw.decode("utf-8", "replace") for raw in AStore(Path(session.root)).tree().values())


def kept(session: Session) -> str:
    """Every text that the history has."""
    history.look_at_all(session)
    texts = {id for version in session.history.latest() for id in (version.before, version.after) if id}
    return "\n".join((session.history.text(id) or b"").decode("utf-8", "replace") for id in texts)


def round_of(home: str, seed: int, verb: str = "") -> list[str]:
    """What went wrong in one round."""
    dice = random.Random(seed)
    store = AStore(Path(home, "memory"), "a-00000000")
    for path in FILES:
        if dice.random() < 0.9:
            store.has(path, "\n".join([*some_lines(dice, path), ""]))
    store.has(
        "MEMORY.md",
        "\n".join([*some_lines(dice, "MEMORY.md"), *(f"- filler {n} {'x' * 60}" for n in range(600))][: dice.choice([20, 700])]),
    )
    session = store.session()
    history.look_at_all(session)
    agent = Agent(session.root, dice)
    agent.write()
    history.look_at_all(session)
    before = everything(session)
    verb = verb or dice.choice(VERBS)
    wrong: list[str] = []
    left = dice.choice([0, 1, 2, 3, 5, 8, 13, 1_000])

    def step(_: str) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            agent.write()

    try:
        do = planned(session, verb, dice)
        if dice.random() < 0.6:
            agent.write()
        swap.step = step
        do()
    except MemError:
        pass
    finally:
        swap.step = swap.no_step
    now, held = everything(session), kept(session)
    if verb not in ("review", "archive"):
        wrong += [f"the agent's line is in no file: {token}" for token in agent.said if token not in now]
    wrong += [f"the agent's line is nowhere: {token}" for token in agent.said if token not in now and token not in held]
    wrong += [f"a line is nowhere: {line}" for line in before.split("\n") if line and line not in now and line not in held]
    for _ in range(3):
        try:
            if not undoing.undo(session).done:
                break
        except MemError:
            break
        after = everything(session)
        wrong += [f"after undo the agent's line is in no file: {token}" for token in agent.said if token not in after]
    return [f"{seed} {verb}: {each}" for each in wrong]


def main() -> None:
    """Rounds, and what was wrong in them."""
    count, first = (int(word) for word in [*sys.argv[1:], *("300", "1")[len(sys.argv) - 1 :]])
    wrong = []
    for seed in range(first, first + count):
        with tempfile.TemporaryDirectory() as home:
            os.environ["ZSMEM_STATE_DIR"] = f"{home}/state"
            found = round_of(home, seed)
            wrong += found
            if found:
                print("\n".join(found), flush=True)
    print(f"{count} rounds, {len(wrong)} wrong")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
