from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.builders import PROJECT, AStore
from zsmem_tui.core.search import Cancelled
from zsmem_tui.service.quick_open import OpenedStore, QuickIndex
from zsmem_tui.service.watching import StoreFollower
from zsmem_tui.store.disk import files


def opened(store: AStore, title: str = "") -> OpenedStore:
    session = store.session()
    return OpenedStore(str(store.root), title, session.root, StoreFollower(session).first(), session.group_name)


def a_store(folder: Path) -> AStore:
    store = AStore(folder).has("MEMORY.md", "# Facts\n\n- one\n")
    return store.has("~/notes/plan.md", "# The plan\n\n```\n# no heading\n```\n\n## Redis port ##\n\n- 6379\n")


def test_a_file_is_found_by_its_name_and_its_project(tmp_path: Path) -> None:
    stores = [
        opened(a_store(tmp_path / "one"), "zerostack"),
        opened(AStore(tmp_path / "two").has("~/notes/plan.md", "x\n"), "Other"),
    ]
    index = QuickIndex()
    found_in = {target.where for target in index.find(stores, "plan", 9).targets}
    assert found_in == {"demo-1a2b3c4d · zerostack", "demo-1a2b3c4d · Other"}
    for typed in ("plan other", "other/plan", "demo-1a2b3c4d/other/plan.md", "other · note plan"):
        [found] = index.find(stores, typed, 9).targets
        assert (found.store, found.ref.path, found.line) == (stores[1].key, "projects/demo-1a2b3c4d/notes/plan.md", None)


def test_a_heading_leads_to_its_line_once_it_is_read(tmp_path: Path) -> None:
    stores = [opened(a_store(tmp_path))]
    index = QuickIndex()
    assert not index.find(stores, "redis", 9).targets
    index.read_headings(stores)
    [found] = index.find(stores, "redis", 9).targets
    assert (found.words, found.line, found.where) == ("Redis port", 6, "plan.md · demo-1a2b3c4d")
    assert not index.find(stores, "no heading", 9).targets


@pytest.mark.parametrize("query", ["memory", "MEMORY.md", "memo", "work"])
def test_the_name_of_a_file_goes_before_headings_wherever_these_are(tmp_path: Path, query: str) -> None:
    store = (
        AStore(tmp_path / "one")
        .has("MEMORY.md", "# Facts\n")
        .has("~/notes/deploy.md", "# Memory\n\n## Memory.md\n\n## Work\n\n## Workers\n")
    )
    other = AStore(tmp_path / "two").has("~/notes/memory-of-work.md", "x\n")
    stores = [opened(other)._replace(here=frozenset()), opened(store)._replace(here=frozenset({"", PROJECT}))]
    index = QuickIndex()
    index.read_headings(stores)
    found = [(target.words, target.line is None) for target in index.find(stores, query, 9).targets]
    assert found[0] == ("MEMORY.md" if query != "work" else "memory-of-work.md", True)
    headings = [at for at, (_, is_file) in enumerate(found) if not is_file]
    assert headings
    assert all(at < headings[0] for at, (name, is_file) in enumerate(found) if is_file and query.lower() in name.lower())


def test_what_changed_is_read_again_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = a_store(tmp_path)
    index = QuickIndex()
    index.read_headings([opened(store)])
    store.has("MEMORY.md", "# Other facts\n")
    read: list[str] = []
    real = files.pieces

    def reading(path: str) -> Generator[bytes]:
        read.append(path)
        return real(path)

    monkeypatch.setattr(files, "pieces", reading)
    index.read_headings([opened(store)])
    assert [Path(path).name for path in read] == ["MEMORY.md"]
    assert [target.words for target in index.find([opened(store)], "other", 9).targets] == ["Other facts"]


def test_the_file_written_last_comes_first(tmp_path: Path) -> None:
    store = a_store(tmp_path)
    os.utime(store.at("MEMORY.md"), (1_000_000_000, 1_000_000_000))
    assert [target.words for target in QuickIndex().find([opened(store)], "", 9).targets] == ["plan.md", "MEMORY.md"]


def test_of_what_fits_alike_this_folder_comes_first_and_one_that_is_gone_last(tmp_path: Path) -> None:
    """Whichever was written last; a heading that says what its file is called does not stand beside it."""
    store = AStore(tmp_path)
    for number, slug in enumerate((PROJECT, "webshop-00000000", "old-tool-00000000")):
        path = store.has(f"projects/{slug}/notes/redis-setup.md", "# Redis setup\n\n## More of redis-setup\n").at(
            f"projects/{slug}/notes/redis-setup.md"
        )
        os.utime(path, (1_000_000_000 + number, 1_000_000_000 + number))
    known = opened(store)._replace(here=frozenset({"", PROJECT}), gone=frozenset({"old-tool-00000000"}))
    index = QuickIndex()
    assert [target.ref.project for target in index.find([known], "redis-setup", 9).targets] == [
        PROJECT,
        "webshop-00000000",
        "old-tool-00000000",
    ]
    assert index.find([known], "", 9).targets[0].ref.project == "old-tool-00000000"
    index.read_headings([known])
    found = index.find([known], "redis-setup", 9).targets
    assert [(target.ref.project, target.line) for target in found] == [
        (slug, line) for line in (None, 2) for slug in (PROJECT, "webshop-00000000", "old-tool-00000000")
    ]
    moved = known._replace(here=frozenset({"", "webshop-00000000"}))
    assert index.find([moved], "redis-setup", 9).targets[0].ref.project == "webshop-00000000"


def test_reading_headings_stops_where_nobody_waits_for_them(tmp_path: Path) -> None:
    with pytest.raises(Cancelled):
        QuickIndex().read_headings([opened(a_store(tmp_path))], cancelled=lambda: True)
