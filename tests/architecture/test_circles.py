"""No two modules of the package import each other, by whatever way round: not in a function, and outside `ui` not for types only.

The screens and the app are of one piece: what a screen does is about the app that shows it, so that each may name the other
as a type.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from tests.architecture.source import nodes

PACKAGE = Path(__file__).parents[2] / "zsmem_tui"


@cache
def sources() -> dict[str, str]:
    """The text of every module by its name; a package is called as its folder."""
    return {
        ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): file.read_text()
        for file in PACKAGE.rglob("*.py")
    }


def imported(module: str, text: str, known: Mapping[str, str], *, package: bool = False) -> Iterator[str]:
    """What a module imports of the modules known, wherever the import stands."""
    every = nodes(text)
    types = {id(each) for node in every if _is_for_types(node) for each in ast.walk(node)} if _may_name(module) else set()
    for node in every:
        if id(node) in types:
            continue
        if isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = module.split(".")[: len(module.split(".")) - node.level + package] if node.level else []
            origin = ".".join([*above, *([node.module] if node.module else [])])
            names = [f"{origin}.{each.name}" if f"{origin}.{each.name}" in known else origin for each in node.names]
        else:
            continue
        yield from (name for name in names if name in known)


def _may_name(module: str) -> bool:
    """Whether a module may name others as types though they import it."""
    return module.startswith("zsmem_tui.ui.")


def _is_for_types(node: ast.AST) -> bool:
    """Whether imports are for types only: with an `else`, these modules are loaded late."""
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING" and not node.orelse


def circles(texts: Mapping[str, str]) -> list[list[str]]:
    """Every set of modules that can reach one another."""
    graph = {
        name: set(imported(name, text, texts, package=any(other.startswith(f"{name}.") for other in texts)))
        for name, text in texts.items()
    }
    reached = {name: reachable(name, graph) for name in graph}
    rings = {
        frozenset({name, *(other for other in found if name in reached[other])}) for name, found in reached.items() if name in found
    }
    return sorted(sorted(ring) for ring in rings)


def reachable(start: str, graph: Mapping[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for name in graph[waiting.pop()] - found:
            found.add(name)
            waiting.append(name)
    return found


def test_the_package_has_no_circle_of_imports() -> None:
    assert circles(sources()) == []


@pytest.mark.parametrize(
    "planted",
    [
        "from p.b import thing\n",
        "import p.b\n",
        "from p import b\n",
        "from . import b\n",
        "from .b import thing\n",
        "def late():\n    from p.b import thing\n    return thing\n",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from p.b import Thing\n",
    ],
)
def test_a_planted_circle_is_found(planted: str) -> None:
    texts = {"p": "", "p.a": planted, "p.b": "from p.c import thing\n", "p.c": "import p.a\n", "p.d": "import p.a\n"}
    assert circles(texts) == [["p.a", "p.b", "p.c"]]


def test_modules_that_only_share_what_they_import_make_no_circle() -> None:
    assert circles({"p": "", "p.a": "from p import c\n", "p.b": "from p import a, c\n", "p.c": ""}) == []
