"""Files of our own: replaced in one step by any number of writers, and nothing of a dead one stays."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests import forking
from zsmem_tui.core.catalog import Fingerprint
from zsmem_tui.store.disk import processes, replace, state
from zsmem_tui.store.history import index
from zsmem_tui.store.history.version_log import VersionLog
from zsmem_tui.store.transfer import records


def test_two_writers_at_once_leave_one_of_both_texts_whole(tmp_path: Path) -> None:
    place = tmp_path / "x.json"
    found: set[bytes] = set()

    def write(text: bytes) -> None:
        for _ in range(100):
            state.put(str(place), text * 5_000, "", durable=False)
            found.add(place.read_bytes())

    with ThreadPoolExecutor(3) as threads:
        list(threads.map(write, (b"a", b"b", b"c")))
    assert found <= {text * 5_000 for text in (b"a", b"b", b"c")} and os.listdir(tmp_path) == ["x.json"]


def test_a_failure_leaves_the_old_text_and_nothing_else(tmp_path: Path) -> None:
    place = tmp_path / "x"
    place.write_bytes(b"old")
    with pytest.raises(KeyError), replace.replacing(str(place)) as stream:
        stream.write(b"new")
        raise KeyError
    assert place.read_bytes() == b"old" and os.listdir(tmp_path) == ["x"]


@pytest.mark.parametrize("writer", ["state", "known", "versions"])
def test_every_file_of_ours_is_written_under_a_name_of_its_own_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writer: str
) -> None:
    seen: list[str] = []
    real = os.replace

    def noticed(old: str, new: str) -> None:
        seen.append(os.path.basename(old))
        real(old, new)

    monkeypatch.setattr(os, "replace", noticed)
    for _ in range(2):
        match writer:
            case "state":
                state.put(str(tmp_path / "f"), b"x", "")
            case "known":
                index.save(str(tmp_path / "f"), {"a": index.IndexEntry(Fingerprint(1, 2, 3), "t")}, "m", "c")
            case _:
                VersionLog(str(tmp_path / "f")).replace([])
    assert len(set(seen)) == 2 and all(str(os.getpid()) in name for name in seen)


def test_what_dead_processes_left_is_cleared_and_what_living_ones_write_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dead, mine, old, young = (
        tmp_path / name for name in (f".x.zsmem-{forking.a_dead_process()}-0", f".x.zsmem-{os.getpid()}-99", "y.part", "z.part")
    )
    for place in (dead, mine, old, young):
        place.write_bytes(b"x")
    os.utime(old, (1, 1))
    state.put(str(tmp_path / "x"), b"x", "")
    assert sorted(os.listdir(tmp_path)) == sorted([mine.name, young.name, "x"])
    monkeypatch.setattr(processes, "_begun", lambda pid: 2**62)  # its number was given out again
    monkeypatch.setattr(replace, "_swept", set())
    replace.sweep(str(tmp_path))
    assert sorted(os.listdir(tmp_path)) == ["x", young.name]


IMPORTER = """
import sys
from zsmem_tui.store.transfer import records
for number in range(40):
    records.remember_imported(sys.argv[1], [records.Imported("x", key=f"{sys.argv[2]}{number}")])
    records.remember_written(sys.argv[1], [records.Written(f"{sys.argv[2]}{number}.md", b"x", True, "f", "o", "p", "s")])
"""


def test_imports_and_exports_at_once_lose_no_entry(tmp_path: Path) -> None:
    three = [forking.begun(IMPORTER, tmp_path, name) for name in "abc"]
    assert [end().returncode for end in three] == [0, 0, 0]
    assert len(records.imported(str(tmp_path))) == len(records.written(str(tmp_path))) == 120


def test_the_manifest_says_of_which_store_it_is(tmp_path: Path) -> None:
    records.remember_imported(str(tmp_path), [records.Imported("p", key="m")])
    found = json.loads(Path(state.folder("imports", str(tmp_path)), "manifest.json").read_bytes())
    assert found == {"root": str(tmp_path), "items": {"m": "p"}}
