"""A line of others waits until the person has seen it, wherever it goes and comes back from; what the person wrote never does."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.builders import AStore
from zsmem_tui.core.conflict import Take, conflicts, decided
from zsmem_tui.core.merge import split
from zsmem_tui.service import editing, file_ops, history, review_lines, reviewing, undoing
from zsmem_tui.service.review_lines import Pick

PATH = "MEMORY.md"
START = "# Facts\n\n" + "".join(f"- fact {number}\n" for number in range(8)) + "\n## More\n\n- last\n"


class _World:
    """A store that others and the person write, and what of it nobody has seen."""

    def __init__(self, root: Path) -> None:
        self.store = AStore(root).has(PATH, START)
        self.session = self.store.looked_at()
        self.unseen: set[bytes] = set()
        """Lines of others that stood when somebody looked, and that the person has neither seen nor taken away."""
        self.known: set[bytes] = set(split(START.encode()))
        """Lines that the person wrote or saw."""
        self.kept: list[bytes] = [START.encode()]
        """Texts that the file had."""
        self.undone: set[bytes] = set()
        """Lines of the person's that their undo took back."""
        self.count = 0

    @property
    def now(self) -> bytes:
        return self.store.raw(PATH) if self.store.at(PATH).exists() else b""

    def look(self) -> None:
        self.session = self.store.looked_at()
        self.unseen |= {line for line in self._lines() if line.strip()} - self.known
        self.kept += [self.now] if self.now else []

    def _lines(self) -> list[bytes]:
        return [line for raw in self.store.tree().values() for line in split(raw)]

    def new(self, who: str) -> bytes:
        """A line like no other, so that it is taken for no new form of one."""
        self.count += 1
        return chr(ord("a" if who == "theirs" else "A") + self.count).encode() * 20 + b"\n"

    def check(self, told: str) -> None:
        history.look_at_all(self.session)
        pending = reviewing.pending(self.session)
        whose = [(each, line) for each in pending for line in review_lines.with_versions(self.session, each)]
        lines = [(each, line.key) for each, line in whose]
        assert all(each.versions for each in pending), told
        assert not {str(line.key) for _, line in whose if line.key.added in self.unseen and line.version is None}, told
        listed = {key.added for _, key in lines} | {key.removed for _, key in lines}
        added = {key.added for _, key in lines if key.added}
        assert not self.undone & listed, told
        assert self.unseen <= listed, (told, self.unseen - listed)
        assert self.unseen & set(self._lines()) <= added, (told, self.unseen - added)
        for each in pending:
            came = Counter(split(each.now or b"")) - Counter(split(each.reviewed or b""))  # without what only stands elsewhere
            is_here = each.ref.path == PATH  # under another name, others have written it anew
            assert not is_here or not {line for line in came if line.strip()} & self.known, told


def append(world: _World) -> None:
    world.store.has(PATH, world.now + world.new("theirs") + world.new("theirs"))


def insert(world: _World) -> None:
    lines = split(world.now)
    lines[len(lines) // 2 : len(lines) // 2] = [b"\n", world.new("theirs"), b"\n"]
    world.store.has(PATH, b"".join(lines))


def remove(world: _World) -> None:
    world.store.at(PATH).unlink(missing_ok=True)


def empty(world: _World) -> None:
    world.store.has(PATH, "")


def replace(world: _World) -> None:
    if len([line for line in split(world.now) if line.strip()]) >= 5:
        world.store.has(PATH, world.new("theirs"))


def restore(world: _World) -> None:
    world.store.has(PATH, world.kept[-1])


def restore_with_more(world: _World) -> None:
    world.store.has(PATH, world.kept[-1] + world.new("theirs"))


def rename(world: _World) -> None:
    if world.now and not (world.store.root / "MEMORY-2.md").exists():
        world.store.at(PATH).rename(world.store.root / "MEMORY-2.md")


def rename_back(world: _World) -> None:
    if (world.store.root / "MEMORY-2.md").exists() and not world.now:
        (world.store.root / "MEMORY-2.md").rename(world.store.at(PATH))


def save(world: _World) -> None:
    """The person adds a line to what stands there."""
    world.look()
    world.known.add(own := world.new("mine"))
    base = world.now if world.store.at(PATH).exists() else None
    editing.save(world.session, world.session.ref_at(PATH), own + (base or b""), base)


def save_as_new(world: _World) -> None:
    """The person saves what stood in the editor as a new file, as others deleted it meanwhile."""
    remove(world)
    world.look()
    text = world.kept[-1] + world.new("mine")
    world.known |= {*split(text)} - world.unseen
    editing.save(world.session, world.session.ref_at(PATH), text, None)


def undo_a_save(world: _World) -> None:
    known = world.known.copy()
    save(world)
    undoing.undo(world.session)
    world.undone |= world.known - known


def undo_a_new_file(world: _World) -> None:
    known = world.known.copy()
    save_as_new(world)
    undoing.undo(world.session)
    world.undone |= world.known - known - {*split(world.kept[-1])}


def bring_back(world: _World) -> None:
    world.look()
    if wipes := reviewing.wipes(world.session):
        reviewing.restore_wiped(world.session, wipes)


def bring_back_and_undo(world: _World) -> None:
    world.look()
    if wipes := reviewing.wipes(world.session):
        reviewing.restore_wiped(world.session, wipes)
        undoing.undo(world.session)


def seen(world: _World) -> None:
    if (world.store.root / "MEMORY-2.md").exists():
        return  # what was seen under another name was not seen here
    world.look()
    if picks := [Pick(each) for each in reviewing.pending(world.session)]:
        review_lines.accept(world.session, picks)
    world.known = set(world._lines())
    world.unseen.clear()


def seen_and_undone(world: _World) -> None:
    world.look()
    if picks := [Pick(each) for each in reviewing.pending(world.session)]:
        review_lines.accept(world.session, picks)
        undoing.undo(world.session)


Act = Callable[[_World], None]

OTHERS: list[Act] = [append, insert, remove, empty, replace, restore, restore_with_more, rename, rename_back]
OURS: list[Act] = [save, save_as_new, undo_a_save, undo_a_new_file, bring_back, bring_back_and_undo, seen, seen_and_undone]

STORIES: list[list[Act]] = [
    [append, remove, restore],
    [append, empty, restore],
    [append, remove, restore_with_more],
    [append, save_as_new],
    [append, undo_a_new_file, bring_back],
    [append, replace, restore],
    [append, rename, rename_back],
    [append, rename, remove, rename_back],
    [append, remove, bring_back, empty, restore],
    [append, remove, bring_back_and_undo, restore],
    [append, replace, replace, restore],
    [append, remove, seen_and_undone, restore],
    [insert, save_as_new, rename, save, remove, restore_with_more, insert, save_as_new],
    [append, rename, save_as_new, append, remove, rename_back],
    [append, remove, seen, append, empty, restore],
    [insert, empty, save, restore],
    [append, seen, append, undo_a_save, remove, restore],
]


@pytest.mark.draw(3)
@pytest.mark.parametrize("story", STORIES, ids=lambda story: "-".join(each.__name__ for each in story))
def test_a_line_of_others_waits_until_it_was_seen(tmp_path: Path, story: list[Act]) -> None:
    _tell(_World(tmp_path / "memory"), story)


@pytest.mark.draw(4)
@pytest.mark.parametrize("seed", range(16))
def test_a_line_of_others_waits_in_any_story(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    _tell(_World(tmp_path / "memory"), [chance.choice(OTHERS if chance.random() < 0.7 else OURS) for _ in range(9)])


def _tell(world: _World, story: list[Act]) -> None:
    told = ""
    for act in story:
        act(world)
        told += f" {act.__name__}"
        world.look()
        world.check(told)


@pytest.mark.parametrize("line", [b"- fact 5\n", b"- last\n"])
def test_a_line_that_the_person_moves_in_a_file_with_news_is_no_news(tmp_path: Path, line: bytes) -> None:
    world = _World(tmp_path / "memory")
    text = START.encode() + b"- by the agent\n"
    world.store.has(PATH, text)
    world.look()
    after = text.replace(line, b"").replace(b"- fact 0\n", line + b"- fact 0\n")
    editing.save(world.session, world.session.ref_at(PATH), after, text)
    [waits] = reviewing.pending(world.session)
    assert [each.key.added or each.key.removed for each in review_lines.lines(waits)] == [b"- by the agent\n"]


@pytest.mark.parametrize("second", Take)
def test_a_line_that_the_person_decided_on_is_no_news_when_that_is_undone_and_redone(tmp_path: Path, second: Take) -> None:
    world = _World(tmp_path / "memory")
    ref, seen = world.session.ref_at(PATH), START.encode()
    world.store.has(PATH, base := seen + b"- The agent says: use make ship\n")
    world.look()
    mine = base.replace(b"last", b"last (mine)").replace(b"make ship", b"make ship (mine)")
    world.store.has(PATH, base.replace(b"last", b"the last").replace(b"make ship", b"make ship now"))
    world.look()
    found = conflicts(base, mine, theirs := world.now)
    shown = [line for region in found.regions for line in region.theirs]
    editing.save(world.session, ref, decided(found, [Take.BOTH, second]), theirs, shown=shown)
    assert not reviewing.pending(world.session)
    for redo in (False, True):
        assert undoing.undo(world.session, redo=redo).done
        waits = [line.key for each in reviewing.pending(world.session) for line in review_lines.lines(each)]
        assert not any(b"(mine)" in (key.added or key.removed or b"") for key in waits), waits


def test_a_file_that_the_person_renamed_with_a_wiped_part_keeps_it(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory").has("~/notes/n.md", START)
    session = store.looked_at()
    store.has("~/notes/n.md", START + "- theirs\n")
    history.look_at_all(session)
    store.has("~/notes/n.md", "- left\n")
    history.look_at_all(session)
    [change] = reviewing.pending(session)
    file_ops.rename(session, change.ref, "m")
    store.has("~/notes/m.md", START + "- theirs\n")
    history.look_at_all(session)
    [change] = reviewing.pending(session)
    assert (change.ref.name, change.reviewed, change.now) == ("m", START.encode(), store.raw("~/notes/m.md"))
