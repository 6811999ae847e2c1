"""Unsaved text belongs to the program that is typing it: others neither see nor drop it while that one lives."""

from __future__ import annotations

import errno
import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.builders import AStore
from zsmem_tui.core.errors import Conflict
from zsmem_tui.core.version import THROWN_AWAY
from zsmem_tui.service import editing, file_ops, history, review_lines, reviewing
from zsmem_tui.service.session import Session
from zsmem_tui.store import drafts
from zsmem_tui.store.disk import lock, processes, state
from zsmem_tui.store.drafts import Draft
from zsmem_tui.store.history.past import Past

TYPES = """
import sys
from zsmem_tui.store import drafts
root, path, text = sys.argv[1:]
drafts.put(root, drafts.Draft(path, text.encode(), b"base\\n"))
print("kept", flush=True)
sys.stdin.read()
"""


@contextmanager
def typing(store: AStore, text: str, path: str = "MEMORY.md") -> Iterator[subprocess.Popen[bytes]]:
    """Another program that has unsaved text, until it is killed."""
    command = [sys.executable, "-c", TYPES, str(store.root), path, text]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None and other.stdout.readline() == b"kept\n"
        try:
            yield other
        finally:
            other.kill()


STORE = {"MEMORY.md": "base\n"}


def test_a_living_program_keeps_its_draft_and_a_killed_one_leaves_it(store: AStore) -> None:
    session, root = store.session(), str(store.root)
    ref = session.ref_at("MEMORY.md")
    with typing(store, "theirs") as other:
        assert editing.drafted(session) == [] and editing.draft_of(session, ref) is None
        editing.drop_draft(session, ref)
        editing.keep_draft(session, ref, b"mine", b"base\n")
        assert editing.drafted(session) == [ref] and drafts.get(root, "MEMORY.md") == Draft("MEMORY.md", b"mine", b"base\n")
        editing.drop_draft(session, ref)
        assert editing.drafted(session) == []
        assert "the unsaved text of MEMORY.md still holds it" in _refused(store, "theirs")
        other.kill()
        other.wait()
        assert editing.drafted(session) == [ref]
        editing.drop_draft(session, ref, Draft("MEMORY.md", b"another text", None))
        assert editing.drafted(session) == [ref], "only the text that was shown is discarded"
        found = editing.take_draft(session, ref)
        assert found == Draft("MEMORY.md", b"theirs", b"base\n") == editing.draft_of(session, ref)
        editing.drop_draft(session, ref)
        assert editing.drafted(session) == [] and _left(root) == []


def test_a_draft_waits_where_its_file_belongs_and_one_that_is_thrown_away_stays_in_the_history_alone(store: AStore) -> None:
    session, other = store.session(), "projects/other-99999999/notes/n.md"
    history.look_at_all(session)
    long = b"".join(b"- mine %d\n" % number for number in range(9))
    for path in ("MEMORY.md", other):
        editing.keep_draft(session, session.ref_at(path), long, None)
    assert [ref.path for ref in editing.drafted(session)] == ["MEMORY.md"]
    there = Session(session.root, "other-99999999", config=session.config, clock=session.clock)
    assert {ref.path for ref in editing.drafted(there)} == {"MEMORY.md", other}
    store.has("MEMORY.md", "base\n- theirs\n")
    history.look_at_all(session)
    ref = session.ref_at("MEMORY.md")
    draft = editing.draft_of(session, ref)
    assert draft is not None and editing.about_draft(session, ref, draft).startswith(
        "+9 -2 beside the file as it stands:\n+ - mine 0\n+ - mine 1\n"
    )
    begun = draft._replace(base=b"base\n", text=b"base\nmine\n")  # what others added since would stay: it is not said to go
    assert editing.about_draft(session, ref, begun) == (
        "+1 -0 beside the text it was begun from; saving keeps what others wrote since:\n+ mine"
    )
    editing.throw_away(session, ref, draft.text, draft)
    assert [each.path for each in editing.drafted(session)] == [] and store.raw("MEMORY.md") == b"base\n- theirs\n"
    [change] = reviewing.pending(session)
    assert [str(each.author) for each in change.versions] == ["another program"] and reviewing.wipes(session) == []
    assert [str(line.version and line.version.author) for line in review_lines.with_versions(session, change)] == [
        "another program"
    ]
    listed = history.of_file(session, ref)
    assert [str(each.author) for each in listed][:2] == [f"{THROWN_AWAY}, never in the file", "another program"]
    assert session.history.text(listed[0].after) == long and listed[1:] == session.history.versions("MEMORY.md")
    store.at("MEMORY.md").unlink()
    history.look_at_all(session)
    editing.throw_away(session, ref, draft.text, draft)
    assert [session.history.text(each.before) for each in file_ops.deleted(session)] == [b"base\n- theirs\n"]
    store.has("MEMORY.md", "base\n- theirs\n")
    assert all(
        b"mine" not in (session.history.text(each.after) or b"")
        for each in Past(session.history, session.layout).timeline().versions
    )


def test_what_was_saved_before_the_kill_is_no_draft(store: AStore) -> None:
    session, root = store.session(), str(store.root)
    with typing(store, "older"):
        pass
    with typing(store, "saved"):
        store.has("MEMORY.md", "saved")
        assert len(_left(root)) == 4, "a living program drops its own"
    assert [ref.path for ref in editing.drafted(session)] == ["MEMORY.md"], "another text of the file still waits"
    assert drafts.get(root, "MEMORY.md") == Draft("MEMORY.md", b"older", b"base\n") and len(_left(root)) == 2
    store.has("MEMORY.md", "older")
    assert editing.drafted(session) == [] and _left(root) == []


def _refused(store: AStore, text: str) -> str:
    with pytest.raises(Conflict) as caught:
        history.forget(store.session(), text)
    return caught.value.message


def _left(root: str) -> list[str]:
    return os.listdir(state.folder("drafts", root))


def test_what_one_program_takes_over_no_other_does(store: AStore) -> None:
    root = str(store.root)
    for text in ("first", "second"):
        with typing(store, text):
            pass
    with typing(store, "alive"):
        assert drafts.listing(root) == ["MEMORY.md"]
        taken = drafts.take(root, "MEMORY.md")
        assert taken == Draft("MEMORY.md", b"second", b"base\n"), "the newest is had first"
        drafts.drop(root, "MEMORY.md")
        assert drafts.get(root, "MEMORY.md") == Draft("MEMORY.md", b"first", b"base\n")
        drafts.move(root, "MEMORY.md", "notes/there.md")
        assert drafts.listing(root) == ["notes/there.md"]
    assert drafts.listing(root) == ["MEMORY.md", "notes/there.md"]


def test_a_number_that_another_process_has_by_now_owns_nothing(store: AStore) -> None:
    root = str(store.root)
    drafts.put(root, Draft("a.md", b"text", None))
    mine = next(name for name in _left(root) if name.endswith(".json"))
    home, theirs = Path(state.folder("drafts", root)), mine.replace(f"-{os.getpid()}.", "-1.")
    (home / mine).rename(home / theirs)
    assert processes.alive(1) and drafts.listing(root) == ["a.md"], "nobody holds it, whoever has the number"
    (home / theirs).rename(home / f"{theirs.partition('.')[0]}.json")
    assert drafts.get(root, "a.md") == Draft("a.md", b"text", None), "one without an owner is nobody's"


def test_where_files_cannot_be_locked_the_process_is_looked_for(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_locks(handle: int, how: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    session = store.session()
    with typing(store, "theirs") as other:
        held = next(Path(state.folder("drafts", session.root)).glob("*.owner"))
        assert lock.is_held(str(held)) is True, "not by the look of a process of its number"
        monkeypatch.setattr(fcntl, "flock", no_locks)
        assert lock.is_held(str(held)) is None and editing.drafted(session) == []
        other.kill()
        other.wait()
        assert [ref.path for ref in editing.drafted(session)] == ["MEMORY.md"]
        editing.keep_draft(session, session.ref_at("MEMORY.md"), b"mine", None)
        assert editing.draft_of(session, session.ref_at("MEMORY.md")) == Draft("MEMORY.md", b"mine", None)
