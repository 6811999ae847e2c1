"""Which version a line is from."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from zsmem_tui.service.facts.provenance import Blamed, followed


def blamed(*texts: bytes | None) -> str:
    known: Blamed[str] = Blamed()
    for number, text in enumerate(texts):
        known = followed(known, text, str(number))
    return "".join(known.marks)


def test_a_line_has_the_version_that_brought_it() -> None:
    assert blamed(b"a\nb\n", b"a\nx\nb\n", b"a\nx\nB\n") == "012"


def test_a_line_that_moved_or_came_back_keeps_its_version() -> None:
    assert blamed(b"a\nb\nc\n", b"c\na\nb\n") == "000"
    assert blamed(b"a\nb\n", b"new\n", b"new\na\nb\n") == "100"
    assert blamed(b"a\n", None, b"a\n") == "0"
    assert blamed(b"a\n\nb\nc\n", b"c\n", b"a\n\nb\nc\n") == "0000", "a blank one within it, too"


def test_a_last_line_without_an_end_is_the_same_line() -> None:
    assert blamed(b"a", b"a\nb\n") == "01"


@settings(max_examples=100, deadline=None)
@given(st.lists(st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n", b"\n"]), max_size=6).map(b"".join), min_size=1, max_size=6))
def test_every_line_has_a_version_that_holds_it(texts: list[bytes]) -> None:
    known: Blamed[int] = Blamed()
    for number, text in enumerate(texts):
        known = followed(known, text, number)
    assert b"".join(known.lines) == texts[-1] and len(known.marks) == len(known.lines)
    assert all(line in texts[mark] for line, mark in zip(known.lines, known.marks, strict=True))
