"""Every test can fail: it asserts, or calls what does."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.architecture.source import walk

TESTS = Path(__file__).parents[1]
CHECKS = frozenset({"raises", "warns", "fail"})


def asserts(function: ast.AST) -> bool:
    return any(
        isinstance(node, ast.Assert | ast.Raise) or (isinstance(node, ast.Attribute) and node.attr in CHECKS)
        for node in walk(function)
    )


def called(function: ast.AST) -> Iterator[str]:
    """The names of what it calls or hands on, those of methods too."""
    for node in walk(function):
        if isinstance(node, ast.Name | ast.Attribute):
            yield node.id if isinstance(node, ast.Name) else node.attr


def without_a_check(sources: Iterable[str]) -> list[str]:
    """The tests among these modules that no assertion can be reached from."""
    every = [node for source in sources for node in walk(ast.parse(source))]
    functions = [node for node in every if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    checking = {each.name for each in functions if asserts(each)}
    calls = [(each.name, frozenset(called(each))) for each in functions if each.name not in checking]
    while found := {name for name, names in calls if name not in checking and names & checking}:
        checking |= found
    return sorted(each.name for each in functions if each.name.startswith("test_") and each.name not in checking)


def test_no_test_is_without_a_check() -> None:
    assert without_a_check(file.read_text() for file in TESTS.rglob("*.py")) == []


def test_a_planted_test_without_one_is_found() -> None:
    helped = "def holds(x):\n    assert x\ndef test_helped():\n    holds(1)\n"
    assert without_a_check([helped, "def test_bare():\n    print(1)\n"]) == ["test_bare"]
