"""Saving beside a writing agent, and failures between any two steps of a save."""

from __future__ import annotations

import errno
import os
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests import forking
from tests.builders import AStore, at_the_first_pause
from zsmem_tui.core.errors import WriteConflict, WriteFailed
from zsmem_tui.core.outcomes import Conflicted, Saved, Unchanged
from zsmem_tui.store import writing
from zsmem_tui.store.disk import swap
from zsmem_tui.store.disk.rename_exchange import Unsupported, exchange
from zsmem_tui.store.disk.waiting import Patience, patient
from zsmem_tui.store.history import journal

PATH = "MEMORY.md"


STORE = {PATH: "one\ntwo\nthree\n"}


class AtExchanges:
    """An agent that writes right before the names are exchanged for the first time, the second and so on: a line more, or all."""

    def __init__(
        self,
        monkeypatch: pytest.MonkeyPatch,
        store: AStore,
        texts: dict[int, bytes],
        *,
        in_place: bool = False,
        whole: bool = False,
    ) -> None:
        self.done: list[bytes] = []
        self._calls = count(1)
        self._store, self._texts, self._in_place, self._whole = store, texts, in_place, whole
        monkeypatch.setattr(swap, "exchange", self)

    def __call__(self, one: str, other: str) -> None:
        if text := self._texts.get(next(self._calls)):
            self.done.append(text.strip())
            now = text if self._whole else self._store.raw(PATH) + text
            if self._in_place:
                self._store.at(PATH).write_bytes(now)
            else:
                self._store.has("MEMORY.tmp", now).at("MEMORY.tmp").rename(self._store.at(PATH))
        exchange(one, other)


def save(store: AStore, mine: str, base: str | None) -> object:
    return writing.save(str(store.root), PATH, mine.encode(), None if base is None else base.encode())


def test_an_agent_append_survives_a_save(store: AStore) -> None:
    store.has(PATH, "one\ntwo\nthree\nagent\n")
    assert save(store, "ONE\ntwo\nthree\n", "one\ntwo\nthree\n") == Saved(b"ONE\ntwo\nthree\nagent\n", 1)
    assert store.raw(PATH) == b"ONE\ntwo\nthree\nagent\n"


def test_the_same_lines_changed_by_both_write_nothing(store: AStore) -> None:
    store.has(PATH, "agent's one\ntwo\nthree\n")
    found = save(store, "my one\ntwo\nthree\n", "one\ntwo\nthree\n")
    assert found == Conflicted(b"agent's one\ntwo\nthree\n")
    assert store.raw(PATH) == b"agent's one\ntwo\nthree\n"


def test_a_file_deleted_meanwhile_is_a_conflict(store: AStore) -> None:
    store.at(PATH).unlink()
    assert save(store, "mine\n", "one\ntwo\nthree\n") == Conflicted(None)
    assert not store.at(PATH).exists()
    inside = "projects/x/notes/n.md"
    assert writing.save(str(store.root), inside, b"mine\n", b"theirs\n") == Conflicted(None)
    assert not store.at("projects").exists(), "no folder is made before the person decides"


def test_nothing_to_save_writes_nothing(store: AStore) -> None:
    before = store.at(PATH).stat().st_ino
    assert save(store, "one\ntwo\nthree\n", "one\ntwo\nthree\n") == Unchanged(b"one\ntwo\nthree\n")
    assert store.at(PATH).stat().st_ino == before


def test_a_new_file_does_not_replace_one_that_appeared(store: AStore) -> None:
    found = save(store, "mine\n", None)
    assert isinstance(found, Saved) and set(found.text.split()) == {b"one", b"two", b"three", b"mine"}


@pytest.mark.parametrize("moment", ["read", "temporary file made", "temporary file synced", "exchanged", "folder synced"])
def test_an_agent_writing_at_any_moment_of_a_save_loses_nothing(
    store: AStore, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    done: list[str] = []

    def agent(name: str) -> None:
        if name == moment and not done:
            done.append(name)
            replaced = store.raw(PATH) + b"agent\n"
            store.has("MEMORY.tmp", replaced).at("MEMORY.tmp").rename(store.at(PATH))

    monkeypatch.setattr(swap, "step", agent)
    found = save(store, "one\nTWO\nthree\n", "one\ntwo\nthree\n")
    assert isinstance(found, Saved) and done
    assert sorted(store.raw(PATH).split()) == sorted(b"one TWO three agent".split())
    assert set(store.tree()) == {PATH}


@pytest.mark.parametrize("in_place", [False, True])
@pytest.mark.parametrize("at", [{1}, {2}, {1, 2}, {1, 3}, {1, 2, 3}, {1, 2, 3, 4}])
def test_an_agent_writing_right_before_names_are_exchanged_loses_nothing(
    store: AStore, monkeypatch: pytest.MonkeyPatch, at: set[int], in_place: bool
) -> None:
    agent = AtExchanges(monkeypatch, store, {each: b"agent-%d\n" % each for each in at}, in_place=in_place)
    found = save(store, "one\nTWO\nthree\n", "one\ntwo\nthree\n")
    assert isinstance(found, Saved) and found.text == store.raw(PATH)
    assert sorted(store.raw(PATH).split()) == sorted([*b"one TWO three".split(), *agent.done])
    assert set(store.tree()) == {PATH}


def test_what_an_agent_makes_of_a_text_that_is_taken_back_stands(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a line was changed by both, both forms stay: who read ours in the instant between has written a third text with it."""
    session = store.session()
    AtExchanges(monkeypatch, store, {1: b"one\nagent's two\nthree\n", 2: b"one\nmy two\nthree\nlate\n"}, whole=True)
    base = store.raw(PATH)
    found = writing.save(str(store.root), PATH, b"one\nmy two\nthree\n", base, recorder=session.recorder())
    assert isinstance(found, Saved) and found.text == store.raw(PATH) == b"one\nagent's two\nmy two\nthree\nlate\n"
    session.history.drain()
    assert b"one\nagent's two\nthree\n" in [session.history.text(each.after) for each in session.history.versions(PATH)]


def test_an_agent_that_read_before_us_and_writes_after_us_loses_nothing(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    stale = store.raw(PATH) + b"agent\n"
    at_the_first_pause(monkeypatch, lambda: store.has(PATH, stale))
    with patient(Patience()) as patience:
        found = save(store, "one\nTWO\nthree\n", "one\ntwo\nthree\n")
    assert isinstance(found, Saved) and not found.confirmed
    assert store.raw(PATH) == b"one\ntwo\nTWO\nthree\nagent\n"
    assert [each.returned for each in patience.contended.values()] == [("two",)]


def test_a_conflict_in_the_middle_of_a_save_gives_the_agent_its_text_back(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def agent(name: str) -> None:
        if name == "temporary file synced" and b"agent" not in store.raw(PATH):
            store.has(PATH, "one\nagent's two\nthree\n")

    monkeypatch.setattr(swap, "step", agent)
    found = save(store, "one\nmy two\nthree\n", "one\ntwo\nthree\n")
    assert isinstance(found, Conflicted) and found.theirs == b"one\nagent's two\nthree\n"
    assert store.raw(PATH) == b"one\nagent's two\nthree\n"


@pytest.mark.parametrize("is_recorded", [True, False])
@pytest.mark.parametrize("theirs", [b"four\n", b"ONE of theirs\ntwo\nthree\n"], ids=["beside", "the same line"])
def test_where_names_cannot_be_exchanged_back_both_texts_stay_and_a_file_that_stays_is_named(
    store: AStore, monkeypatch: pytest.MonkeyPatch, theirs: bytes, is_recorded: bool
) -> None:
    def at_once(one: str, other: str) -> None:
        calls.append(other)
        if len(calls) == 2:
            raise PermissionError(errno.EACCES, "Permission denied")
        agent(one, other)

    def not_kept(self: journal.Recorder, *words: Any, durable: bool) -> bool:
        if not calls:
            return put(self, *words, durable=durable)
        self.problem = "No space left."
        return False

    calls: list[str] = []
    put = journal.Recorder._put
    is_same = theirs != b"four\n"
    agent = AtExchanges(monkeypatch, store, {1: theirs}, whole=is_same)
    monkeypatch.setattr(swap, "exchange", at_once)
    if not is_recorded:
        monkeypatch.setattr(journal.Recorder, "_put", not_kept)

    def mine(now: bytes | None) -> bytes:
        return (now or b"").replace(b"one", b"ONE", 1)

    def left() -> list[Path]:
        return [each for each in store.root.iterdir() if ".zsmem-" in each.name]

    if not is_same:
        writing.update(str(store.root), PATH, mine)
        assert store.raw(PATH) == b"ONE\ntwo\nthree\nfour\n" and len(left()) == (not is_recorded)
        return
    with pytest.raises(WriteFailed, match="Your text is in the file, theirs is in") as told:
        writing.update(str(store.root), PATH, mine)
    assert store.raw(PATH) == b"ONE\ntwo\nthree\n"
    if is_recorded:
        assert not left() and theirs in [each.before and each.before.raw for each in recorded(store)]
        return
    [file] = left()
    assert file.read_bytes() == theirs and str(file) in told.value.message
    monkeypatch.undo()
    monkeypatch.setattr(swap, "alive", lambda pid: False)
    monkeypatch.setattr(swap, "_swept", set())
    store.mem().write("long_term", "more")
    assert not left() and theirs in [each.before and each.before.raw for each in recorded(store)], "the sweep took it"


def recorded(store: AStore) -> list[journal.Entry]:
    home = journal.pending_folder(str(store.root))
    return [each for name in journal.names(home) for each in journal.read(home, name)]


def test_where_names_cannot_be_exchanged_it_compares_and_replaces(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def unsupported(one: str, other: str) -> None:
        raise Unsupported if os.path.lexists(other) else FileNotFoundError(2, "No such file", other)

    def at_all(*names: str) -> None:
        raise Unsupported

    monkeypatch.setattr(swap, "exchange", unsupported)
    store.has(PATH, "one\ntwo\nthree\nagent\n")
    assert isinstance(save(store, "ONE\ntwo\nthree\n", "one\ntwo\nthree\n"), Saved)
    assert store.raw(PATH) == b"ONE\ntwo\nthree\nagent\n"
    with store.at(PATH).open("ab"):
        done = writing.update(str(store.root), PATH, lambda now: (now or b"") + b"more\n")
        assert [each.was for each in done.late] == [b"ONE\ntwo\nthree\nagent\n"], "into which an agent may still write"
    for module in (swap, writing):
        monkeypatch.setattr(module, "move_to_free_name", at_all)
    store.mem().write("note", "new", name="n")
    recorder = store.session().recorder()

    def agent(*_: object) -> None:
        store.has(PATH, "theirs\n")

    recorder.guard = agent
    with pytest.raises(WriteConflict, match="It was not deleted"):
        writing.remove(str(store.root), PATH, recorder=recorder)
    assert list(store.tree().values()) == [b"theirs\n", b"new\n"], "and nothing beside them"


STEPS = [
    "read",
    "temporary file made",
    "temporary file written",
    "temporary file synced",
    "exchanged",
    "displaced text read",
    "temporary file removed",
    "folder synced",
    "read back",
]

CHILD = """
import errno, os, shutil, signal, sys
root, wanted, fault = sys.argv[1:4]
from zsmem_tui.store import writing
from zsmem_tui.store.disk import swap
from zsmem_tui import MemError
import zsmem_tui.core.merge
place = os.path.join(root, "MEMORY.md")
seen = []
def step(name):
    seen.append(name)
    if name != wanted or seen.count(name) > 1:
        return
    if fault == "kill": os.kill(os.getpid(), signal.SIGKILL)
    if fault == "io": raise OSError(errno.EIO, os.strerror(errno.EIO))
    if fault == "full": raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    if fault == "denied": raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    if fault == "replaced":
        with open(place + ".other", "w") as other: other.write("one\\ntwo\\nthree\\nother\\n")
        os.replace(place + ".other", place)
    if fault == "gone": shutil.rmtree(root)
swap.step = step
try:
    print(type(writing.save(root, "MEMORY.md", b"ONE\\ntwo\\nthree\\n", b"one\\ntwo\\nthree\\n")).__name__)
except MemError as error:
    print("MemError", error)
except OSError as error:
    print("OSError", error)
"""

OLD, NEW = b"one\ntwo\nthree\n", b"ONE\ntwo\nthree\n"
WHOLE = {OLD, NEW, OLD + b"other\n", NEW + b"other\n"}
ADDED = b"one\nONE\ntwo\nthree\nother\n"
"""Ours was there when somebody put an old copy in its place: our line comes back, and none of theirs is taken out."""


@pytest.mark.draw(2)
@pytest.mark.parametrize("fault", ["kill", "io", "full", "denied", "replaced", "gone"])
def test_every_fault_between_every_two_steps_leaves_a_whole_text(tmp_path: Path, fault: str) -> None:
    counted = 0
    for number, moment in enumerate(STEPS):
        store = AStore(tmp_path / f"store{number}").has(PATH, OLD)
        done = forking.python(CHILD, store.root, moment, fault)
        assert "Traceback" not in done.stderr, (moment, done.stderr)
        if fault == "gone":
            assert not store.root.exists() or set(store.tree().values()) <= WHOLE, moment
        else:
            assert store.raw(PATH) in (WHOLE | {ADDED} if fault == "replaced" else WHOLE), (moment, store.raw(PATH))
            if fault == "replaced" and "Saved" in done.stdout:
                assert b"other" in store.raw(PATH), moment
            store.mem().write("note", "later", name="n")
            writing.save(str(store.root), PATH, store.raw(PATH) + b"later\n", store.raw(PATH))
            assert all(name in (PATH, f"projects/{store.project}/notes/n.md") for name in store.tree()), (moment, store.tree())
        counted += 1
    assert counted == len(STEPS)


@pytest.mark.parametrize("folder_too", [False, True])
def test_the_command_that_lets_a_file_be_written_is_about_its_folder_too(
    store: AStore, monkeypatch: pytest.MonkeyPatch, folder_too: bool
) -> None:
    file = store.at(PATH)
    file.chmod(0o444)
    file.parent.chmod(0o555 if folder_too else 0o755)
    monkeypatch.setattr(os, "access", lambda path, mode: bool(os.stat(path).st_mode & 0o200))  # also for the superuser
    with pytest.raises(WriteFailed) as refused:
        writing.refuse_protected(str(file))
    file.parent.chmod(0o755)
    assert refused.value.hint == f"`chmod u+w {f'{file.parent} ' if folder_too else ''}{file}` lets it be written."


def test_a_file_that_goes_while_its_rights_are_looked_at_is_written_anew(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    place, access = store.has("MEMORY.md", "x\n").at("MEMORY.md"), os.access

    def goes(path: str, mode: int) -> bool:
        if path == str(place):
            place.unlink(missing_ok=True)
        return access(path, mode)

    monkeypatch.setattr(os, "access", goes)
    assert writing.update(str(store.root), "MEMORY.md", lambda now: b"new\n").changed
    assert store.raw("MEMORY.md") == b"new\n"
