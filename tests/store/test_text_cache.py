"""Texts held for search are those on disk, whatever happens to the files."""

from __future__ import annotations

import gc
import os
from itertools import chain
from pathlib import Path

import pytest

from tests.builders import AStore
from zsmem_tui.core.search import Cancelled, Searched, search
from zsmem_tui.core.texts import TextFile
from zsmem_tui.store.text_cache import Room, Texts

STORE = {"MEMORY.md": "alpha\n", "~/notes/a.md": "beta\n", "~/daily/2026-05-25.md": "beta\n"}


def found(store: AStore, texts: Texts, query: str) -> list[str]:
    return [hit.ref.path for hit in store.mem(texts=texts).search(query).hits]


def test_a_change_of_the_same_size_and_time_is_seen(store: AStore) -> None:
    place = store.at("~/notes/a.md")
    stamp = place.stat()
    texts = Texts(now_ns=lambda: stamp.st_mtime_ns + 1)
    assert len(found(store, texts, "beta")) == 2
    place.write_text("gama\n")
    os.utime(place, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert found(store, texts, "gama") == [f"projects/{store.project}/notes/a.md"]


def test_a_settled_file_is_read_once(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    later = 10**18 * 9
    texts = Texts(now_ns=lambda: later)
    assert len(found(store, texts, "beta")) == 2
    monkeypatch.setattr(os, "open", lambda path, flags, **_: pytest.fail(f"{path} was read again"))
    assert len(found(store, texts, "beta")) == 2


@pytest.mark.parametrize("now", [0, 10**18 * 9])
def test_a_file_that_leads_nowhere_or_turns_unreadable_is_not_found_by_content(store: AStore, now: int) -> None:
    texts = Texts(now_ns=lambda: now)
    assert len(found(store, texts, "beta")) == 2
    store.at("~/notes/a.md").unlink()
    store.at("~/notes/a.md").symlink_to("nowhere")
    store.at("~/daily/2026-05-25.md").write_bytes(b"beta \xff\n")
    assert found(store, texts, "beta") == []
    assert found(store, texts, "2026") == [f"projects/{store.project}/daily/2026-05-25.md"]


def test_a_hit_shows_the_text_that_was_searched(store: AStore) -> None:
    hit = store.mem().search("beta").hits[0]
    store.at("~/daily/2026-05-25.md").write_text("something else")
    store.at("~/notes/a.md").unlink()
    assert hit.body == "beta\n…"


def test_the_cap_holds_and_search_is_right_beyond_it(tmp_path: Path) -> None:
    store = AStore(tmp_path / "store")
    for number in range(20):
        store.has(f"~/notes/n{number:02}.md", f"word {number}\n" * 100)
    texts = Texts(cap_bytes=8_000)
    for _ in range(3):
        assert len(found(store, texts, "word")) == 20
        assert 0 < texts.held_bytes <= 8_000


def test_texts_not_asked_for_make_room_and_are_read_again(tmp_path: Path) -> None:
    store = AStore(tmp_path / "store").has("~/notes/old.md", "word " * 500).has("~/daily/new.md", "word " * 500)
    texts, held = Texts(cap_bytes=4_000, now_ns=lambda: 10**18 * 9), list[TextFile]()
    folders = store.mem().layout.project_folders(store.project)
    for asked in (folders[1:2], folders[2:3]):
        held += texts.files(str(store.root), asked)
        assert held[-1].text is not None and texts.held_bytes == 2_500
    assert held[0].text is None and held[0].raw == b"word " * 500


def test_what_memories_hold_together_is_bounded_and_the_one_not_asked_for_makes_room(tmp_path: Path) -> None:
    room, seconds = Room(), [100.0]
    stores = [AStore(tmp_path / name).has("~/notes/n.md", "word " * 500) for name in "ab"]
    first, second = (Texts(cap_bytes=4_000, now_ns=lambda: 10**18 * 9, now=lambda: seconds[0], room=room) for _ in stores)
    assert len(found(stores[0], first, "word")) == 1 and first.held_bytes == room.held_bytes > 2_000
    own = list(first.files(str(stores[0].root), stores[0].mem().searched_folders()))
    assert len(found(stores[1], second, "word")) == 1 and second.held_bytes == 0  # of the same search: no room is made
    seconds[0] += 60
    assert len(found(stores[1], second, "word")) == 1 and second.held_bytes == room.held_bytes > 2_000
    assert first.held_bytes == 0 and all(file.text is None for file in own)
    assert len(found(stores[0], first, "word")) == 1
    del second
    gc.collect()
    assert room.held_bytes == first.held_bytes


def test_a_pipe_called_like_a_note_stops_nobody(store: AStore) -> None:
    os.mkfifo(store.at("~/notes/pipe.md"))
    assert found(store, Texts(), "pipe") == [f"projects/{store.project}/notes/pipe.md"]


def test_reading_stops_when_it_is_cancelled(store: AStore) -> None:
    with pytest.raises(Cancelled):
        list(Texts().batches(str(store.root), store.mem().searched_folders(), cancelled=lambda: True))


def test_an_answer_may_serve_again_for_a_while(store: AStore) -> None:
    texts = Texts()
    folders = store.mem().searched_folders()
    first = list(texts.files(str(store.root), folders))
    store.has("~/notes/b.md", "x")
    assert list(chain(*texts.batches(str(store.root), folders, max_age=60))) == first
    assert len(search([Searched(texts.batches(str(store.root), folders))], "x").hits) == 1


def test_a_changed_file_is_read_again_and_no_other(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = Texts(now_ns=lambda: 10**18 * 9)
    for name in ("b", "c", "d"):
        store.has(f"~/notes/{name}.md", f"É {name}\n")
    assert len(found(store, texts, "é")) == 3
    store.has("~/notes/c.md", "é changed\n")
    store.has("~/notes/e.md", "É new\n")
    store.at("~/notes/d.md").unlink()
    read: list[str] = []
    real = os.open

    def noted(path: str, flags: int, dir_fd: int | None = None) -> int:
        read.append(os.path.basename(path))
        return real(path, flags, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", noted)
    hits = store.mem(texts=texts).search("É").hits
    assert sorted(hit.body for hit in hits) == ["É b\n…", "É new\n…", "é changed\n…"]
    assert sorted(name for name in read if name.endswith(".md")) == ["c.md", "e.md"]
    assert texts.held_bytes < 200


def test_what_was_given_back_is_read_again_when_somebody_looks(store: AStore) -> None:
    texts = Texts()
    hits = store.mem(texts=texts).search("beta").hits
    texts.forget()
    assert texts.held_bytes == 0 and [hit.body for hit in hits] == ["beta\n…"] * 2
    store.at("~/notes/a.md").unlink()
    assert [hit.excerpts() for hit in hits if hit.ref.name == "a"] == [[]]
    assert texts.held_bytes == 0


def test_bytes_that_are_no_text_are_found_by_name_only(store: AStore) -> None:
    store.has("~/notes/broken.md", b"word \xc3 \xa9\n")  # without the blank between them they would be a letter
    (hit,) = store.mem().search("word broken").hits
    assert hit.filename_only and hit.body == "(filename match)\n"


@pytest.mark.slow
def test_a_file_of_100_megabytes_is_searched(tmp_path: Path) -> None:
    store = AStore(tmp_path / "store").has("~/notes/big.md", b"0123456789 filler line\n" * 4_500_000 + b"the needle is here\n")
    hit = store.mem().search("needle").hits[0]
    assert hit.total_hits == 1 and hit.body.endswith("the needle is here\n…")


def test_texts_are_given_back_after_ten_quiet_minutes(store: AStore) -> None:
    clock = [0.0]
    texts = Texts(now=lambda: clock[0])
    assert len(found(store, texts, "beta")) == 2
    clock[0] = 599
    assert not texts.give_back() and texts.held_bytes
    found(store, texts, "beta")
    clock[0] = 599 + 600
    assert texts.give_back() and not texts.held_bytes and not texts.give_back()
    assert len(found(store, texts, "beta")) == 2


def test_nothing_is_held_while_others_need_the_memory(store: AStore) -> None:
    scarce = [False]
    texts = Texts(is_scarce=lambda: scarce[0])
    assert len(found(store, texts, "beta")) == 2 and texts.held_bytes
    scarce[0] = True
    assert texts.give_back() and not texts.held_bytes
    assert len(found(store, texts, "beta")) == 2 and not texts.held_bytes
    scarce[0] = False
    assert len(found(store, texts, "beta")) == 2 and texts.held_bytes
