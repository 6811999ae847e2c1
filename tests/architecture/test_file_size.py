"""No file is too large to be read in one go. A class is as large as its one job."""

from __future__ import annotations

from collections.abc import Mapping

from tests.architecture.test_circles import sources

MOST_LINES = 600


def too_large(texts: Mapping[str, str]) -> list[str]:
    """What is over the limit, with how much it has."""
    return [f"{module}: {text.count(chr(10))} lines" for module, text in texts.items() if text.count("\n") > MOST_LINES]


def test_no_file_of_the_package_is_too_large() -> None:
    assert too_large(sources()) == []


def test_a_planted_file_that_is_too_large_is_found() -> None:
    assert too_large({"p.a": "\n" * 601, "p.b": "\n" * 600}) == ["p.a: 601 lines"]
