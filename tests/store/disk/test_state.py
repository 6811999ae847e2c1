"""Files of our own in the state folder: none that a person could still read is written over, and what is said of one is so."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.builders import AStore
from zsmem_tui.core.errors import WriteFailed
from zsmem_tui.service import view_state, wanted
from zsmem_tui.service.facts.rows import FactReader, Scope
from zsmem_tui.store import ignored
from zsmem_tui.store.disk import replace, state
from zsmem_tui.store.transfer import records
from zsmem_tui.store.transfer.records import Imported, Original, Written


def want(root: str) -> None:
    session = AStore(Path(root)).has("MEMORY.md", "- a fact\n").session()
    rows = FactReader(session).read(Scope.FILE, session.ref_at("MEMORY.md")).rows
    wanted.mark(session, rows, wanted=True)


CHANGES: dict[tuple[str, str], Callable[[str], object]] = {
    ("wanted", "wanted.json"): want,
    ("doctor", "ignored.json"): lambda root: ignored.change(root, ["a"], ignore=True),
    ("imports", "manifest.json"): lambda root: records.remember_imported(root, [Imported("p", key="m")]),
    ("imports", "originals.json"): lambda root: records.remember_originals(root, [Original("f", "x", "d", b"", ())]),
    ("exported", "manifest.json"): lambda root: records.remember_written(root, [Written("x", b"t", True, "f", "o", "p", "s")]),
    ("", "view/screens.json"): lambda root: view_state.keep("split", {"a": 1}),
}


@pytest.mark.parametrize("where", CHANGES)
def test_a_damaged_file_is_put_aside_before_it_is_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: tuple[str, str]
) -> None:
    monkeypatch.setenv("ZSMEM_STATE_DIR", str(tmp_path / "state"))
    kind, name = where
    root = str(tmp_path / "memory")
    place = Path(state.folder(kind, root) if kind else str(tmp_path / "state"), name)
    for number, raw in enumerate((b'{"a": ', b"", b"[1]")):
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(raw)
        CHANGES[where](root)
        ending = state.DAMAGED + (f"-{number + 1}" if number else "")
        assert place.with_name(place.name + ending).read_bytes() == raw and state.document(str(place))


@pytest.mark.parametrize("where", [each for each in CHANGES if each[0] in ("imports", "exported")])
def test_a_file_with_a_damaged_entry_is_put_aside_and_its_other_entries_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: tuple[str, str]
) -> None:
    monkeypatch.setenv("ZSMEM_STATE_DIR", str(tmp_path / "state"))
    root = str(tmp_path / "memory")
    place = Path(state.folder(where[0], root), where[1])
    CHANGES[where](root)
    whole = place.read_bytes()
    CHANGES[where](root)
    aside = place.with_name(place.name + state.DAMAGED)
    assert not aside.exists(), "all of it is understood"
    kept = json.loads(whole)
    [rows] = (each for key, each in kept.items() if key != "root")
    rows.update({"z": [7]}) if isinstance(rows, dict) else rows.append({"later": 7})
    place.write_text(json.dumps(kept))
    CHANGES[where](root)
    assert json.loads(aside.read_bytes()) == kept
    assert place.read_bytes() == whole


def test_what_else_is_wanted_stays_where_an_entry_is_damaged(tmp_path: Path) -> None:
    root = str(tmp_path / "memory")
    want(root)
    place = Path(state.folder("wanted", root), "wanted.json")
    whole = json.loads(place.read_bytes())
    spoilt = json.dumps(whole | {"notes/a.md": [7, "d1"], "notes/b.md": 8})
    place.write_text(spoilt)
    want(root)
    assert json.loads(place.read_bytes()) == whole | {"notes/a.md": ["d1"]}
    assert place.with_name(place.name + state.DAMAGED).read_text() == spoilt


def test_a_file_that_cannot_be_read_is_not_written_over(tmp_path: Path) -> None:
    place = Path(ignored.place_of(str(tmp_path)))
    place.mkdir(parents=True)
    with pytest.raises(WriteFailed, match=r"ignored\.json: it is a folder\. What is ignored is as it was\."):
        ignored.change(str(tmp_path), ["a"], ignore=True)
    assert ignored.read(str(tmp_path)).problem.endswith("ignored.json: it is a folder. Every finding is shown.")


def test_what_is_in_its_place_is_not_said_to_be_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "x.json"

    def fails(folder: str) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(replace, "sync_folder", fails)
    with pytest.raises(WriteFailed) as caught:
        state.put(str(place), b"new", "It is as it was.")
    assert caught.value.message == f"{place}: Input/output error. It is written, but may not outlive a power cut."
    assert place.read_bytes() == b"new"


def test_what_is_kept_for_a_store_is_where_every_release_has_kept_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZSMEM_STATE_DIR", str(tmp_path))
    assert state.folder_of_real("history", "/home/ann/.zerostack") == f"{tmp_path}/history/0e0289cc124980c6"
