"""Habits of the house that the source can show. Each rule is also shown to catch planted violations."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.architecture.source import Module, Rule, broken, planted

FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
BROAD = ("Exception", "BaseException", "builtins.Exception", "builtins.BaseException")


def late_imports_say_why(module: Module) -> Iterator[str]:
    """An import inside a function stands in the entry points, or its line says what it saves."""
    if module.name in ("entry", "__init__"):
        return
    inside = [range(each.lineno, (each.end_lineno or 0) + 1) for each in module.nodes if isinstance(each, FUNCTION)]
    imports = [node for node in module.nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    for line in sorted({node.lineno for node in imports if any(node.lineno in lines for lines in inside)}):
        if "#" not in module.lines[line - 1]:
            yield f"{line} imports late without a reason"


def caught(module: Module) -> Iterator[tuple[str, int]]:
    """Every error that a handler names, alone or in a tuple, or that is suppressed."""
    for node in module.nodes:
        match node:
            case ast.ExceptHandler(type=None):
                yield "BaseException", node.lineno
            case ast.ExceptHandler(type=ast.Tuple(elts)):
                yield from ((module.real_name(each), node.lineno) for each in elts)
            case ast.ExceptHandler(type=ast.expr() as what):
                yield module.real_name(what), node.lineno
            case ast.Call() if module.real_name(node.func) == "contextlib.suppress":
                yield from ((module.real_name(each), node.lineno) for each in node.args)
    for node in module.tree.body:  # a tuple of errors with a name of its own
        match node:
            case ast.AnnAssign(value=ast.Tuple(elts)) | ast.Assign(value=ast.Tuple(elts)):
                names = [module.real_name(each) for each in elts]
                if any(name.endswith(("Error", "Exception")) for name in names):
                    yield from ((name, node.lineno) for name in names)


NEVER_FAILING = frozenset((("mcp.methods", "Exception"), ("cli.main", "Exception")))


def no_broad_except(module: Module) -> Iterator[str]:
    """What is not expected is not caught, but where somebody waits for an answer: a client of the server, an agent with a hook."""
    for name, line in caught(module):
        if name in BROAD and (module.name, name) not in NEVER_FAILING:
            yield f"{line} catches everything"


def no_bug_is_taken_for_bad_input(module: Module) -> Iterator[str]:
    """Errors that mistakes of ours raise are not in any list of what damaged files may raise."""
    for name, line in caught(module):
        if name in ("AttributeError", "NameError", "MemoryError"):
            yield f"{line} catches {name}"


def one_line_splitter(module: Module) -> Iterator[str]:
    """Memory text is split by `core.text` and nowhere else."""
    if module.name == "core.text":
        return
    for node in module.nodes:
        if isinstance(node, ast.Attribute) and node.attr == "splitlines":
            yield f"{node.lineno} uses {node.attr}"
    for call, _ in module.calls:
        match call:
            case ast.Call(func=ast.Attribute(value, "split"), args=[ast.Constant("\n")]) if not _is_ours(module, value):
                yield f"{call.lineno} splits at line feeds"


def _is_ours(module: Module, text: ast.expr) -> bool:
    """Text that no person or agent wrote: a constant of ours, or what the history says in its own commits."""
    is_constant = isinstance(text, ast.Name) and text.id.isupper()
    return is_constant or module.name == "store.history.commit_message"


def one_reader_of_json(module: Module) -> Iterator[str]:
    """JSON is read by `core.json_value`, which knows what deep nesting raises, and by the wire, which has its own decoder."""
    for call, name in module.calls:
        if name in ("json.loads", "json.load") and module.name != "core.json_value":
            yield f"{call.lineno} reads JSON itself"


def origins_are_matched(module: Module) -> Iterator[str]:
    """Whoever asks where a version came from matches all members or asks `is_ours`: a new one then fails in mypy."""
    if module.name == "core.version":
        return
    for node in module.nodes:
        if isinstance(node, ast.Compare):
            for side in (node.left, *node.comparators):
                if module.real_name(side).startswith("zsmem_tui.core.version.Origin."):
                    yield f"{node.lineno} compares with {ast.unparse(side)}"


def screens_are_named(module: Module) -> Iterator[str]:
    """What is done on a screen is a method of it, or names it as a type: `ui` describes no screen a second time."""
    for node in module.nodes:
        if module.name.startswith("ui.") and isinstance(node, ast.ClassDef):
            for base in node.bases:
                if module.real_name(base) == "typing.Protocol":
                    yield f"{node.lineno} declares a Protocol"


PLANTED: list[tuple[Rule, str, str]] = [
    (late_imports_say_why, "store.disk.files", "def f():\n    import json\n    return json\n"),
    (no_broad_except, "ui.app", "try:\n    pass\nexcept Exception:\n    pass\n"),
    (no_broad_except, "ui.app", "try:\n    pass\nexcept:\n    pass\n"),
    (no_broad_except, "ui.app", "try:\n    pass\nexcept (OSError, Exception):\n    pass\n"),
    (no_broad_except, "ui.app", "from builtins import Exception as Oops\ntry:\n    pass\nexcept (KeyError, Oops):\n    pass\n"),
    (no_broad_except, "ui.app", "from contextlib import suppress\nwith suppress(Exception):\n    pass\n"),
    (no_broad_except, "store.drafts", "_BROKEN = (OSError, Exception)\n"),
    (no_bug_is_taken_for_bad_input, "store.drafts", "_BROKEN = (OSError, AttributeError)\n"),
    (no_bug_is_taken_for_bad_input, "store.drafts", "try:\n    pass\nexcept (OSError, MemoryError):\n    pass\n"),
    (one_line_splitter, "core.render", "def f(t):\n    return t.splitlines()\n"),
    (one_line_splitter, "core.render", "split = str.splitlines\n"),
    (one_line_splitter, "agents.base", "def f(t):\n    return t.split('\\n')\n"),
    (one_reader_of_json, "store.drafts", "import json\ndef f(t):\n    return json.loads(t)\n"),
    (
        origins_are_matched,
        "service.reviewing",
        "from zsmem_tui.core.version import Origin\ndef f(v):\n    return v.origin is Origin.YOU\n",
    ),
    (screens_are_named, "ui.host", "from typing import Protocol\nclass Place(Protocol):\n    pass\n"),
    (screens_are_named, "ui.host", "import typing\nclass Place(int, typing.Protocol):\n    pass\n"),
    (origins_are_matched, "ui.app", "from zsmem_tui.core import version\ndef f(v):\n    return version.Origin.YOU == v.origin\n"),
]


@pytest.mark.parametrize("rule", dict.fromkeys(rule for rule, _, _ in PLANTED), ids=lambda rule: rule.__name__)
def test_the_package_keeps(rule: Rule) -> None:
    assert broken(rule) == []


@pytest.mark.parametrize(("rule", "name", "source"), PLANTED)
def test_a_planted_violation_is_found(rule: Rule, name: str, source: str) -> None:
    assert planted(rule, name, source)
