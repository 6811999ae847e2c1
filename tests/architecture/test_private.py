"""What is private of Textual is used in one module, with a reason beside each use, and seldom."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import textual

import zsmem_tui.ui
from tests.architecture.source import Module, Rule, broken, nodes, planted, walk

ALLOWED = "ui.textual_private"
MOST_USES = 25


@cache
def textual_names() -> frozenset[str]:
    """The private names of methods and attributes of Textual's classes."""
    found: set[str] = set()
    for file in Path(textual.__file__).parent.rglob("*.py"):
        for node in walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                    found.add(name)
                case ast.Attribute(attr=name, value=ast.Name(id="self"), ctx=ast.Store()):
                    found.add(name)
                case ast.AnnAssign(target=ast.Name(id=name)):
                    found.add(name)
    return frozenset(name for name in found if name.startswith("_") and not name.startswith("__"))


@cache
def names_of_ours() -> frozenset[str]:
    """The private names that classes of ours have: their subclasses may stand in other modules."""
    files = Path(zsmem_tui.ui.__file__).parent.rglob("*.py")
    return frozenset(name for file in files for name in own_names(nodes(file.read_text(encoding="utf-8"))))


def own_names(tree: Iterable[ast.AST]) -> set[str]:
    """The methods and attributes that a module gives its classes."""
    found: set[str] = set()
    for node in tree:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.add(name)
            case ast.Attribute(attr=name, value=ast.Name(id="self"), ctx=ast.Store()) | ast.AnnAssign(target=ast.Name(id=name)):
                found.add(name)
    return found


def uses(module: Module) -> Iterator[tuple[int, str]]:
    """Private names of Textual that a module imports, reads, sets or calls, and has no such names of its own."""
    own = own_names(module.nodes)
    for node in module.nodes:
        match node:
            case ast.ImportFrom(module=str(name)) if name.startswith("textual") and "._" in name:
                yield node.lineno, name
            case ast.Attribute(attr=name, value=ast.Name(id="os")):
                pass
            case ast.Attribute(attr=name, value=ast.Name(id="self")) if name in names_of_ours():
                pass
            case ast.Attribute(attr=name) if name in textual_names() and name not in own:
                yield node.lineno, name


def nothing_private_elsewhere(module: Module) -> Iterator[str]:
    """Only one module uses what is private of Textual."""
    if module.name.startswith("ui.") and module.name != ALLOWED:
        yield from (f"{line} uses {name}" for line, name in uses(module))


PLANTED: list[tuple[Rule, str, str]] = [
    (nothing_private_elsewhere, "ui.app", "def f(app):\n    return app._exit\n"),
    (nothing_private_elsewhere, "ui.app", "from textual.document._document import Location\n"),
    (nothing_private_elsewhere, "ui.app", "def f(area):\n    area._line_cache.clear()\n"),
]


def test_only_one_module_uses_what_is_private() -> None:
    assert broken(nothing_private_elsewhere) == []


def test_a_planted_violation_is_found() -> None:
    for rule, name, source in PLANTED:
        assert planted(rule, name, source), source


def test_the_uses_are_few() -> None:
    file = Path(zsmem_tui.ui.__file__).with_name("textual_private.py")
    tree = nodes(file.read_text(encoding="utf-8"))
    read = [node for node in tree if isinstance(node, ast.Attribute) and node.attr in textual_names()]
    methods = [node for node in tree if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    overridden = [node for node in methods if node.name in textual_names()]
    assert len(read) + len(overridden) <= MOST_USES


def test_no_class_overrides_a_private_method_by_accident() -> None:
    """A private method of ours by the name of one of Textual's would be called instead of it."""
    from textual.message_pump import MessagePump

    wrong: list[str] = []
    for found in pkgutil.walk_packages(zsmem_tui.ui.__path__, "zsmem_tui.ui."):
        module = importlib.import_module(found.name)
        for kind in vars(module).values():
            if not (isinstance(kind, type) and issubclass(kind, MessagePump) and kind.__module__ == found.name):
                continue
            theirs = {name for base in kind.__mro__ if base.__module__.startswith("textual.") for name in vars(base)}
            private = {
                name for name in vars(kind) if name.startswith("_") and not name.startswith("__") and callable(vars(kind)[name])
            }
            wrong += [f"{kind.__qualname__}.{name}" for name in private & theirs if found.name != "zsmem_tui.ui.textual_private"]
    assert not wrong
