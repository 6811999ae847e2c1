"""What was found is put in order as far down as somebody looks."""

from __future__ import annotations

import random

from zsmem_tui.core.layout import Folder
from zsmem_tui.core.ranking import Found, Ranking
from zsmem_tui.core.refs import Role
from zsmem_tui.core.texts import TextFile

TERM = ("redis", b"redis")


def found(*totals: int) -> tuple[Ranking[tuple[int, int]], list[int]]:
    """Files with so many lines each as their places and lines, and the places of those that were made into hits."""
    made: list[int] = []

    def make(store: int, file: TextFile, terms: object, total: int) -> tuple[int, int]:
        made.append(int(file.name))
        return int(file.name), total

    files = Found(1)
    for place, total in enumerate(totals):
        files.add(0, file(f"{place:03}"), (TERM,), total)
    return files.ranked(make), made


def file(name: str) -> TextFile:
    return TextFile("/store", Folder("", role=Role.NOTE), name, lambda _: b"")


def test_only_what_is_looked_at_is_made_and_put_in_order() -> None:
    ranked, made = found(1, 5, 2, 5, 0, 9)
    assert len(ranked) == 6 and made == []
    assert ranked[:3] == [(5, 9), (1, 5), (3, 5)]
    assert made == [5, 1, 3]
    assert ranked[-1] == (4, 0) and len(made) == 6


def test_a_part_of_the_ranking_is_that_of_the_whole_list() -> None:
    rng = random.Random(1)
    totals = [rng.randrange(6) for _ in range(40)]
    whole = sorted(enumerate(totals), key=lambda file: (-file[1], file[0]))
    for part in (
        slice(0, 7),
        slice(3, 3),
        slice(5, 90),
        slice(-4, None),
        slice(None, None, 3),
        slice(None, None, -1),
        slice(30, 9, -2),
    ):
        assert list(found(*totals)[0][part]) == whole[part]
    assert all(found(*totals)[0][at] == whole[at] for at in (0, 7, 39, -1, -40))
    assert list(found(*totals)[0]) == list(reversed(list(reversed(found(*totals)[0])))) == whole
    assert list(found()[0][:50]) == list(found()[0]) == []


def test_what_is_found_later_does_not_come_into_a_ranking_of_before() -> None:
    files = Found(1)
    files.add(0, file("a.md"), (TERM,), 3)
    before = files.ranked(lambda store, file, terms, total: file.name)
    files.add(0, file("b.md"), (TERM,), 3)
    assert list(before) == ["a.md"]
    assert list(files.ranked(lambda store, file, terms, total: file.name)) == ["a.md", "b.md"]
