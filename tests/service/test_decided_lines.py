"""What a person decides in a conflict counts as seen for as long as that step stands: undone, the lines of others wait again."""

from __future__ import annotations

import random
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.builders import AStore
from zsmem_tui.core.conflict import Decision, Edited, Take, conflicts, decided
from zsmem_tui.core.errors import HistoryError
from zsmem_tui.core.merge import split
from zsmem_tui.core.outcomes import Saved
from zsmem_tui.service import editing, history, review_lines, reviewing, undoing
from zsmem_tui.service.review_lines import Pick

PATH = "MEMORY.md"
START = "".join(f"- fact {number}\n\n" for number in range(6))


class _Step(NamedTuple):
    """A step of the person's, and the lines of others that it let count as seen."""

    seen: frozenset[bytes]


class _Model:
    """A store, and beside it which lines of others nobody has accepted, kept as plainly as possible."""

    def __init__(self, root: Path) -> None:
        self.store = AStore(root).has(PATH, START)
        self.session = self.store.looked_at()
        self.ref = self.session.ref_at(PATH)
        self.others: set[bytes] = set()
        """Lines that others wrote."""
        self.seen: set[bytes] = set()
        """Those of them that the person has accepted or decided about."""
        self.done: list[_Step] = []
        self.undone: list[_Step] = []
        self.count = 0
        self.told = ""

    @property
    def now(self) -> bytes:
        return self.store.raw(PATH)

    def new(self, who: str, line: bytes) -> bytes:
        """A new form of a line, as nobody has written it before."""
        self.count += 1
        return b"- %s %s %d\n" % (b" ".join(line.split()[1:3]), who.encode(), self.count)

    def agent_writes(self, chance: random.Random) -> None:
        lines = split(self.now)
        full = [at for at, line in enumerate(lines) if line.strip()]
        at = chance.choice(full or [0])
        own = self.new("theirs", lines[at] if lines else b"- fact")
        self.others.add(own)
        lines[at : at + (chance.random() < 0.7)] = [own]
        self.store.has(PATH, b"".join(lines))
        history.look_at_all(self.session)

    def person_writes(self, chance: random.Random, *, clashing: bool) -> None:
        base = self.now
        lines = split(base)
        full = [at for at, line in enumerate(lines) if line.strip()]
        for at in chance.sample(full, min(len(full), 2)):
            lines[at] = self.new("mine", lines[at])
            if clashing:
                now = split(self.now)
                now[at] = self.new("theirs", now[at])
                self.others.add(now[at])
                self.store.has(PATH, b"".join(now))
        mine = b"".join(lines)
        if clashing and chance.random() < 0.5:
            history.look_at_all(self.session)  # else the save is the first to see what the agent wrote
        outcome, shown = editing.save(self.session, self.ref, mine, base), set[bytes]()
        if not isinstance(outcome, Saved):
            theirs = self.now
            found = conflicts(base, mine, theirs)
            shown = {line for region in found.regions for line in region.theirs}
            answers: list[Decision] = []
            for region in found.regions:
                both = Edited(b"".join((*region.mine, b"- between\n", *region.theirs)))
                choices: list[Decision] = [Take.MINE, Take.BOTH, Take.THEIRS, both]
                answers.append(chance.choice(choices))
            mine = decided(found, answers)
            outcome = editing.save(self.session, self.ref, mine, theirs, shown=shown)
            if not isinstance(outcome, Saved):
                review_lines.saw(self.session, self.ref, shown)
        came = frozenset(shown & self.others - self.seen)
        self.seen |= came
        if isinstance(outcome, Saved):
            self._did(came)

    def accept(self) -> None:
        if picks := [Pick(each) for each in reviewing.pending(self.session)]:
            came = frozenset(self.others & {*split(self.now)} - self.seen)
            review_lines.accept(self.session, picks)
            self.seen |= came
            self._did(came)

    def _did(self, came: frozenset[bytes]) -> None:
        self.done.append(_Step(came))
        self.undone.clear()

    def undo(self, *, redo: bool = False) -> bool:
        """False if it needs a decision or is refused, since the person has seen more of these lines: the story ends there."""
        source, goal = (self.undone, self.done) if redo else (self.done, self.undone)
        if not source:
            return True
        try:
            found = undoing.undo(self.session, redo=redo)
        except HistoryError:
            return False
        if found.clashes:
            return False
        assert found.done, self.told
        step = source.pop()
        self.seen = self.seen | step.seen if redo else self.seen - step.seen
        goal.append(step)
        return True

    def check(self) -> None:
        history.look_at_all(self.session)
        stands = {*split(self.now)}
        found = [line.key for each in reviewing.pending(self.session) for line in review_lines.lines(each)]
        came = {key.added for key in found if key.added is not None and key.added.strip()}
        gone = {key.removed for key in found if key.removed is not None}
        assert (self.others & stands) - self.seen <= came, (self.told, (self.others & stands) - self.seen - came)
        assert came <= self.others, (self.told, came - self.others)
        assert not {line for line in gone & came if line.strip()}, (self.told, gone & came)


def _tell(model: _Model, chance: random.Random, acts: list[str]) -> None:
    for act in acts:
        model.told += f" {act}"
        if act == "agent":
            model.agent_writes(chance)
        elif act in ("save", "clash"):
            model.person_writes(chance, clashing=act == "clash")
        elif act == "accept":
            model.accept()
        elif not model.undo(redo=act == "redo"):
            return
        model.check()


ACTS = ["agent", "agent", "save", "clash", "clash", "clash", "accept", "undo", "undo", "undo", "redo"]


@pytest.mark.draw(4)
@pytest.mark.parametrize("seed", range(24))
def test_what_was_decided_counts_as_seen_only_while_that_step_stands(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    _tell(_Model(tmp_path / "memory"), chance, ["clash", "undo", *(chance.choice(ACTS) for _ in range(8))])


@pytest.mark.parametrize("take", [*Take, None])
def test_an_undone_decision_leaves_the_line_of_the_agent_to_review(tmp_path: Path, take: Take | None) -> None:
    store = AStore(tmp_path / "memory").has(PATH, "- one\n- two\n- three\n")
    session = store.looked_at()
    ref, base = session.ref_at(PATH), store.raw(PATH)
    mine, theirs = base.replace(b"two", b"two, mine"), base.replace(b"two", b"two, theirs")
    editing.save(session, ref, base.replace(b"one", b"1"), base)
    base, mine, theirs = (text.replace(b"one", b"1") for text in (base, mine, theirs))
    store.has(PATH, theirs)
    found = conflicts(base, mine, theirs)
    [region] = found.regions
    text = decided(found, [take or Edited(b"- two, mine and\n- two, theirs\n")])
    editing.save(session, ref, text, theirs, shown=region.theirs)
    if take is Take.THEIRS:
        review_lines.saw(session, ref, region.theirs)  # nothing was written: there is no step to undo
    assert not reviewing.pending(session)
    assert undoing.undo(session).done
    waits = [line.key.added for each in reviewing.pending(session) for line in review_lines.lines(each)]
    assert waits == ([] if take is Take.THEIRS else [b"- two, theirs\n"])
    assert undoing.undo(session, redo=True).done and not reviewing.pending(session)


def test_a_line_decided_on_waits_again_though_its_neighbour_was_seen_in_a_new_form(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory").has(PATH, "- one\n- two\n- three\n")
    session = store.looked_at()
    ref, base = session.ref_at(PATH), store.raw(PATH)
    theirs = base.replace(b"two", b"two, theirs").replace(b"three", b"three, theirs")
    store.has(PATH, theirs)
    text = theirs.replace(b"- two, theirs\n", b"- two, theirs\n- two, mine\n")
    editing.save(session, ref, text, theirs, shown=[b"- two, theirs\n", b"- three, theirs\n"])
    store.has(PATH, text.replace(b"two, theirs", b"two, theirs anew"))
    history.look_at_all(session)
    review_lines.saw(session, ref, [b"- two, theirs anew\n"])
    assert not reviewing.pending(session)
    assert undoing.undo(session).done and store.raw(PATH) == b"- one\n- two, theirs anew\n- three, theirs\n"
    waits = [line.key.added for each in reviewing.pending(session) for line in review_lines.lines(each)]
    assert waits == [b"- three, theirs\n"]
