"""The times of versions whose clocks disagree."""

from __future__ import annotations

from itertools import combinations, pairwise, product

from zsmem_tui.core.past import Timeline
from zsmem_tui.core.version import Origin, Version

NOW = 9


def timeline(times: tuple[int, ...], path: str = "MEMORY.md") -> Timeline:
    versions = [Version(str(at), path, when, Origin.YOU, "", "", "", "", "", "", 0, 0) for at, when in enumerate(times)]
    return Timeline([(version.id, version) for version in versions], NOW)


def most_in_order(times: tuple[int, ...]) -> int:
    counts = range(len(times), 0, -1)
    return next(count for count in counts if any(list(each) == sorted(each) for each in combinations(times, count)))


def test_where_times_go_back_the_fewest_versions_get_that_of_the_one_before_them() -> None:
    for times in (each for size in range(1, 6) for each in product(range(4), repeat=size)):
        found = timeline(times).times
        kept = [at for at in range(len(times)) if found[at] == times[at]]
        assert found == sorted(found) and len(kept) >= most_in_order(times), times
        assert all(one == other for at, (one, other) in enumerate(pairwise(found)) if at + 1 not in kept), times
        assert found[0] == times[0] or found[0] == times[kept[0]], times


def test_no_version_is_of_a_time_to_come() -> None:
    assert timeline((3, NOW + 5, NOW + 1)).times == [3, NOW, NOW]


def test_a_folder_has_the_names_directly_in_it() -> None:
    found = timeline((1,), "a/b/c.md")
    assert [list(found.below(folder)) for folder in ("", "a", "a/b", "b")] == [["a"], ["b"], ["c.md"], []]
