"""A text that is forgotten is in no byte that we keep, and with `in_files` in none of the store."""

from __future__ import annotations

import errno
import os
import zlib
from pathlib import Path

import pytest
from dulwich.repo import Repo

from tests import forking
from tests.builders import PROJECT, AStore
from zsmem_tui.config import locate
from zsmem_tui.core.errors import BadContent, Conflict, HistoryError, MemError
from zsmem_tui.service import applying, bundles, exporting, formats, history, importing, undoing
from zsmem_tui.service.session import Session
from zsmem_tui.store import drafts, interrupted, writing
from zsmem_tui.store.disk import files, state, swap
from zsmem_tui.store.disk.places import steps_folder
from zsmem_tui.store.history import retention

SECRET = "hünter2-secret"
RAW = SECRET.encode()
FORMS = (RAW, SECRET.encode("latin-1"), b"hunter2-secret", b"h\\u00fcnter2-secret", b"h\\u00c3\\u00bcnter2-secret")


def held_anywhere(folder: str) -> list[str]:
    """The files below a folder that hold the secret in any form; git's objects are looked into."""
    found = []
    for place, _, names in os.walk(folder):
        for name in names:
            raw = Path(place, name).read_bytes()
            if "/objects/" in place and "/pack" not in place:
                raw = zlib.decompress(raw)
            if any(form in raw for form in FORMS):
                found.append(os.path.join(place, name))
        if os.path.basename(place) == "git":
            with Repo(place) as repo:
                found += [f"{place}: {id!r}" for id in repo.object_store if RAW in repo.object_store[id].as_raw_string()]
    return found


STORE = {"MEMORY.md": f"key {SECRET}\n", "~/notes/n.md": f"a {SECRET} b {SECRET}\n"}


def test_with_files_it_is_gone_from_every_byte(store: AStore, session: Session, tmp_path: Path) -> None:
    store.has("MEMORY.bak", f"old {SECRET}\n").has("~/notes/odd.bin", b"\xff" + RAW)
    writing.save(session.root, "MEMORY.md", f"mine {SECRET}\n".encode(), store.raw("MEMORY.md"), recorder=session.recorder(SECRET))
    drafts.put(session.root, drafts.Draft("MEMORY.md", f"draft {SECRET} text\n".encode(), store.raw("MEMORY.md")))
    applying.apply(exporting.plan(session, formats.of_agent("markdown"), str(tmp_path / "out")))
    applying.apply(importing.plan(session, formats.of_agent("markdown"), str(AStore(tmp_path / "in").has("MEMORY.md", "x\n").root)))
    other = AStore(tmp_path / "other").has("MEMORY.md", f"{SECRET}\n")
    writing.save(str(other.root), "MEMORY.md", b"clean\n", other.raw("MEMORY.md"), recorder=other.session().recorder())
    state.put(os.path.join(locate.state_folder(), "crash.log"), RAW, "")
    state.put(os.path.join(locate.state_folder(), "guards", "x.json"), b'{"lines": ["h\\u00fcnter2-secret"], "text": 1}', "")
    assert held_anywhere(locate.state_folder())

    said = history.forget(session, SECRET, in_files=True).message
    assert said.startswith("Forgot it in ") and "4 files" in said
    assert held_anywhere(locate.state_folder()) == [] and held_anywhere(session.root) == []
    assert store.raw("~/notes/n.md") == b"a [forgotten] b [forgotten]\n" and store.raw("~/notes/odd.bin") == b"\xff[forgotten]"
    draft = drafts.get(session.root, "MEMORY.md")
    assert draft == drafts.Draft("MEMORY.md", b"draft [forgotten] text\n", b"mine [forgotten]\n")
    assert history.forget(session, SECRET).message == "No version holds it."
    while (done := undoing.undo(session)).done:
        assert SECRET not in done.message
    assert held_anywhere(session.root) == []


def test_without_files_nothing_is_touched_while_one_holds_it(store: AStore, session: Session) -> None:
    before = store.tree()
    with pytest.raises(Conflict, match=r"still hold it\. Nothing was forgotten") as caught:
        history.forget(session, SECRET)
    assert "--files" in caught.value.hint and SECRET not in caught.value.hint and store.tree() == before
    for path in before:
        store.at(path).unlink()
    drafts.put(session.root, drafts.Draft("MEMORY.md", RAW, None))
    with pytest.raises(Conflict, match=r"the unsaved text of MEMORY\.md still holds it"):
        history.forget(session, SECRET)


def test_a_word_that_our_own_files_use_is_forgotten_without_breaking_them(session: Session) -> None:
    drafts.put(session.root, drafts.Draft("MEMORY.md", b"the text and its base and path\n", b"text\n"))
    for word in ("text", "base", "path"):
        history.forget(session, word, in_files=True)
    assert drafts.get(session.root, "MEMORY.md") == drafts.Draft(
        "MEMORY.md", b"the [forgotten] and its [forgotten] and [forgotten]\n", b"[forgotten]\n"
    )


def test_what_cannot_be_read_may_hold_it_still_and_is_named(
    store: AStore, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = str(store.has("~/notes/secret.md", RAW).at("~/notes/secret.md"))
    read = files.read

    def refused(path: str) -> object:
        if path == secret:
            raise files.failure(path, PermissionError(errno.EACCES, "Permission denied"))
        return read(path)

    monkeypatch.setattr(files, "read", refused)
    said = history.forget(session, SECRET, in_files=True).message
    assert said.endswith(f" It may still stand elsewhere: {secret}: Permission denied.")


def test_a_file_that_cannot_be_masked_stops_it_before_anything_is(store: AStore, session: Session, tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_bytes(RAW)
    store.at("~/notes/link.md").symlink_to(tmp_path / "outside.md")
    before = store.tree()
    with pytest.raises(MemError, match="leaves the store"):
        history.forget(session, SECRET, in_files=True)
    assert store.tree() == before and (tmp_path / "outside.md").read_bytes() == RAW


def test_a_disk_that_fills_while_files_are_masked_masks_none(
    store: AStore, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, left = store.tree(), [1]

    def step(name: str) -> None:
        left[0] -= name == "temporary file written"
        if left == [-1] and name == "temporary file written":
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(swap, "step", step)
    with pytest.raises(MemError, match=r"No space left on device\. No file and no version was changed\."):
        history.forget(session, SECRET, in_files=True)
    assert store.tree() == before


def test_what_is_masked_when_the_versions_cannot_be_is_said_and_that_they_hold_it(
    store: AStore, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise HistoryError("No space left on device.", "It goes on once that is mended.")

    with monkeypatch.context() as patch:
        patch.setattr(retention, "forget", full)
        with pytest.raises(HistoryError) as caught:
            history.forget(session, SECRET, in_files=True)
    assert caught.value.message == (
        "No space left on device. It is masked in 2 files, but the versions may still hold it: forget it once more."
    )
    assert RAW not in store.raw("MEMORY.md") and caught.value.hint == "It goes on once that is mended."
    assert history.forget(session, SECRET).message.startswith("Forgot it in ")


KILLED = """
import os, sys
from zsmem_tui.service.session import Session
from zsmem_tui.store import writing
with Session(sys.argv[1], "p").batch("Imported") as batch:
    batch.update("projects/p/notes/x.md", lambda now: os.fsencode(sys.argv[2]))
    batch.update("projects/p/notes/y.md", lambda now: b"y")
    writing.update = lambda *words, **named: os._exit(9)
"""


def test_a_step_that_waits_for_its_store_is_named_and_can_still_be_finished(session: Session, tmp_path: Path) -> None:
    other = AStore(tmp_path / "other")
    assert forking.python(KILLED, other.session().root, SECRET).returncode == 9
    [note] = Path(steps_folder()).iterdir()
    other.root.rename(tmp_path / "away")
    said = history.forget(session, SECRET, in_files=True).message
    assert said.endswith(f" It may still stand elsewhere: {note}: a step that is not finished yet.")
    (tmp_path / "away").rename(other.root)
    assert interrupted.recover() == ["Finished what was interrupted: Imported."]
    assert other.raw("projects/p/notes/x.md") == RAW and other.raw("projects/p/notes/y.md") == b"y"


def test_an_import_that_was_killed_is_finished_first(store: AStore, session: Session) -> None:
    assert forking.python(KILLED, session.root, SECRET).returncode == 9
    history.forget(session, SECRET, in_files=True)
    assert store.raw("projects/p/notes/x.md") == b"[forgotten]" and held_anywhere(locate.state_folder()) == []


def test_a_short_text_is_refused(session: Session) -> None:
    with pytest.raises(BadContent, match="fewer than 4 bytes"):
        history.forget(session, "abc", in_files=True)


def test_a_bundle_can_still_be_made_of_what_is_left(session: Session, tmp_path: Path) -> None:
    history.forget(session, SECRET, in_files=True)
    bundles.export_to(session, str(tmp_path / "a.tgz"))
    assert PROJECT in str(bundles.plan(session, str(tmp_path / "a.tgz")).rows)
