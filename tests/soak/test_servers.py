from __future__ import annotations

from pathlib import Path

import pytest

from tests.soak.servers import Round, round_of


def check(found: Round, count: int) -> None:
    names = ["person", "client0", "client1", "client2", "client3"]
    assert found.left == dict.fromkeys(names, count), found
    assert (found.unsaid, found.twice, found.unanswered) == ([], 0, 0), found
    assert all(found.authors[name] == count for name in names[1:]), found.authors
    assert found.authors["you"] == count


def test_four_servers_and_a_person_lose_no_line_and_each_is_said_to_have_written_its_own(tmp_path: Path) -> None:
    check(round_of(tmp_path, 4), 4)


@pytest.mark.slow
def test_they_lose_none_of_four_hundred_lines_each(tmp_path: Path) -> None:
    check(round_of(tmp_path, 400), 400)
