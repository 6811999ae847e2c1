"""No file and no class is too large to be read in one go; what a class inherits of ours counts with what it says itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from tests.architecture.source import parsed
from tests.architecture.test_circles import sources

MOST_LINES = 400
MOST_METHODS = 25
"""Methods that a class says itself."""
MOST_INHERITED = 30
"""Methods of a class and of its bases in this package, each `def` counted, also one that replaces another."""

Classes = Mapping[str, tuple[int, list[str]]]


def classes(texts: Mapping[str, str]) -> dict[str, tuple[int, list[str]]]:
    """Every class by its full name: how many methods it says itself, and the full names of its bases."""
    found: dict[str, tuple[int, list[str]]] = {}
    for module, text in texts.items():
        tree = parsed(text)
        names: dict[str, str] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                names |= {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}
            elif isinstance(node, ast.Import):
                names |= {
                    each.asname or each.name.split(".")[0]: each.name if each.asname else each.name.split(".")[0]
                    for each in node.names
                }
        for name, node in nested(tree, module):
            methods = sum(isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef) for each in node.body)
            bases = [ast.unparse(base.value if isinstance(base, ast.Subscript) else base) for base in node.bases]
            found[name] = (methods, [full_name(base, module, names) for base in bases])
    return found


def nested(tree: ast.AST, name: str) -> Iterator[tuple[str, ast.ClassDef]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef):
            yield f"{name}.{node.name}", node
            yield from nested(node, f"{name}.{node.name}")
        else:
            yield from nested(node, name)


def full_name(base: str, module: str, names: Mapping[str, str]) -> str:
    first, _, rest = base.partition(".")
    origin = names.get(first, f"{module}.{first}")
    return f"{origin}.{rest}" if rest else origin


def with_bases(name: str, known: Classes) -> set[str]:
    """A class and all that it inherits from, of those known."""
    own = {name} if name in known else set()
    return own.union(*(with_bases(base, known) for base in known[name][1])) if own else own


def too_large(texts: Mapping[str, str]) -> list[str]:
    """What is over a limit, with how much it has."""
    known = classes(texts)
    found = [f"{module}: {text.count(chr(10))} lines" for module, text in texts.items() if text.count("\n") > MOST_LINES]
    for name, (own, _) in known.items():
        every = sum(known[each][0] for each in with_bases(name, known))
        if own > MOST_METHODS:
            found.append(f"{name}: {own} methods")
        if every > MOST_INHERITED:
            found.append(f"{name}: {every} methods with what it inherits")
    return found


def a_class(name: str, methods: int, base: str = "") -> str:
    return f"class {name}({base}):\n" + "".join(f"    def m{number}(self): ...\n" for number in range(methods))


def test_no_file_and_no_class_of_the_package_is_too_large() -> None:
    assert too_large(sources()) == []


def test_a_planted_file_or_class_that_is_too_large_is_found() -> None:
    assert too_large({"p.a": "\n" * 401}) == ["p.a: 401 lines"]
    assert too_large({"p.a": a_class("Big", 26)}) == ["p.a.Big: 26 methods"]
    assert too_large({"p.a": f"def f():\n{a_class('Big', 26).replace(chr(10), chr(10) + '    ')}".replace("class", "    class", 1)})


def test_inherited_methods_count_however_the_base_is_imported() -> None:
    base = {"p.a": a_class("Base", 16, "Elsewhere[int]")}
    for start, name in (
        ("from p.a import Base\n", "Base"),
        ("from p.a import Base as B\n", "B[int]"),
        ("import p.a\n", "p.a.Base"),
        ("import p.a as q\n", "q.Base"),
        ("from p import a\n", "a.Base"),
    ):
        assert too_large(base | {"p.b": start + a_class("Derived", 15, name)}) == ["p.b.Derived: 31 methods with what it inherits"]
        assert too_large(base | {"p.b": start + a_class("Derived", 14, name)}) == []


def test_a_base_that_is_inherited_twice_counts_once() -> None:
    text = a_class("Root", 14) + a_class("Left", 1, "Root") + a_class("Right", 1, "Root") + a_class("Both", 1, "Left, Right")
    assert too_large({"p.a": text}) == []
