"""The new lines of a text, put into one that holds most of its lines."""

from __future__ import annotations

from collections import Counter
from time import process_time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from zsmem_tui.core.growth import filled, grown

OLD = "# Ports\n\n| name | port |\n|---|---|\n| api server | 9000 |\n| web server | 8000 |\n\n- the last fact\n"
TABLE = "| name | port |\n|---|---|\n| api server | 9000 |\n| web server | 8000 |"
NEW = "| mail server | 25 |"


@pytest.mark.parametrize(
    ("part", "after"),
    [
        (TABLE, OLD),
        (TABLE.replace("| web", "|  web"), OLD),
        (f"{TABLE}\n{NEW}", OLD.replace("8000 |\n", f"8000 |\n{NEW}\n")),
        (TABLE.replace("| web", f"{NEW}\n| web"), OLD.replace("| web", f"{NEW}\n| web")),
        (f"{NEW}\n{TABLE}", OLD.replace("| name", f"{NEW}\n| name")),
        (OLD.replace("8000", "8001"), OLD.replace("| web", "| web server | 8001 |\n| web")),
        (f"{OLD}\nA new paragraph\n", f"{OLD}\nA new paragraph\n"),
        (f"{NEW}\n| ftp server | 21 |\n| web server | 8000 |", None),
        ("```\nls\n```", None),
        ("the last fact", None),
    ],
)
def test_each_new_line_goes_below_the_one_that_it_follows(part: str, after: str | None) -> None:
    for end in ("\n", "\r\n"):
        found = grown(OLD.replace("\n", end).encode(), part.encode())
        assert found == (None if after is None else after.replace("\n", end).encode())


LINES = st.lists(
    st.sampled_from(["", "the first line", "another line", "  a third one", "}", "```", "the last of them"]), max_size=12
)


@pytest.mark.parametrize(
    ("old", "part", "made"),
    [
        ("AXB", "ABN", "AXBN"),
        ("AXB", "ABNM", ""),
        ("AXB", "AXNM", "AXNMB"),
        ("AXB", "AXNMO", ""),
        ("AXyB", "AyNM", ""),
        ("AXB", "A", ""),
        ("AXB", "ANN", ""),
        ("Axb", "Ax", "Axb"),
        ("xyA", "xy", ""),
        ("xyA", "xyN", ""),
        ("xy", "xyz", "xyz"),
        ("XAB", "NAB..", "XNAB"),
        ("XAB", "A.NB", "XA.NB"),
    ],
)
def test_lines_are_brought_in_where_most_stand_or_half_of_them_as_a_run_or_all_of_several(old: str, part: str, made: str) -> None:
    """A line of a capital letter has the six letters that say something, one of a small letter one less."""
    before, own, after = (
        "\n".join("" if each == "." else each * (5 + each.isupper()) for each in letters).encode() for letters in (old, part, made)
    )
    found = grown(before, own)
    assert (found or b"").removesuffix(b"\n") == after
    assert not made or grown(before.replace(b"\n", b"\r\n", 1), own) == (found or b"").replace(b"\n", b"\r\n", 1)


@example(["}", "}", "the first line", "another line"], ["}", "```", "the first line"])
@example(["the first line", "another line"], ["another line", "the first line", "the last of them"])
@given(LINES, LINES)
def test_no_line_is_lost_or_moved_and_a_second_time_nothing_comes(old: list[str], part: list[str]) -> None:
    before, own = "\n".join(old).encode(), "\n".join(part).encode()
    found = grown(before, own)
    if found is None:
        return
    rows = iter(found.decode().split("\n"))
    assert all(line in rows for line in old), "each stands there, in order"
    there, was, new = (Counter(map(str.strip, lines)) for lines in (found.decode().split("\n"), old, part))
    assert all(there[line] == max(was[line], new[line]) for line in there if line)
    assert grown(found, own) == found


def test_a_run_of_equal_lines_is_looked_for_in_little_time() -> None:
    old = (b"- the same\n" * 19_999 + b"- other\n") * 3
    start = process_time()
    assert grown(old, b"- the same\n" * 20_000 + b"- new one\n") is not None
    assert process_time() - start < 4, "seconds of processor time"


def test_a_new_last_line_without_an_end_gets_no_half_of_one() -> None:
    assert filled(b"one\r\ntwo\r\n", b"one\ntwo\nthree") == b"one\r\ntwo\r\nthree"
