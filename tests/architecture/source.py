"""The package's source as the rules of the house read it: its modules, and what every name in them really is."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "zsmem_tui"

Rule = Callable[["Module"], Iterator[str]]


@dataclass(frozen=True, eq=False)
class Module:
    """One module. `names` has what each imported name stands for, so that no alias and no from-import hides anything."""

    name: str
    tree: ast.Module
    nodes: Sequence[ast.AST]
    lines: list[str]
    names: Mapping[str, str]

    @property
    def layer(self) -> str:
        return self.name.split(".")[0]

    def real_name(self, node: ast.expr) -> str:
        """The dotted name of an expression with imports resolved; empty for what is no name."""
        match node:
            case ast.Name(id):
                return self.names.get(id, id)
            case ast.Attribute(value, attr):
                above = self.real_name(value)
                return f"{above}.{attr}" if above else ""
            case _:
                return ""

    @cached_property
    def used(self) -> list[tuple[str, int]]:
        """Every name that is imported from somewhere or stands in an expression, called or not, with its line."""
        return list(self._used())

    def _used(self) -> Iterator[tuple[str, int]]:
        for node in self.nodes:
            match node:
                case ast.ImportFrom(module, names):
                    for each in names:
                        yield f"{module}.{each.name}", node.lineno
                case ast.Import(names):
                    for each in names:
                        yield each.name, node.lineno
                case ast.Name() | ast.Attribute() if found := self.real_name(node):
                    yield found, node.lineno

    @cached_property
    def calls(self) -> list[tuple[ast.Call, str]]:
        """Every call with the real name of what is called; for a method of an expression, `.method`."""
        return list(self._calls())

    def _calls(self) -> Iterator[tuple[ast.Call, str]]:
        for node in self.nodes:
            if isinstance(node, ast.Call):
                name = self.real_name(node.func)
                yield node, name or (f".{node.func.attr}" if isinstance(node.func, ast.Attribute) else "")


@cache
def nodes(source: str) -> Sequence[ast.AST]:
    """The tree of a text, the whole before its parts; every rule goes over that of every module."""
    return walk(ast.parse(source))


def walk(tree: ast.AST) -> list[ast.AST]:
    """What `ast.walk` gives, in a third of its time."""
    found = [tree]
    for node in found:
        for name in node._fields:
            part = getattr(node, name, None)
            if isinstance(part, ast.AST):
                found.append(part)
            elif isinstance(part, list):
                found += [each for each in part if isinstance(each, ast.AST)]
    return found


def read(name: str, source: str) -> Module:
    every = nodes(source)
    names: dict[str, str] = {}
    for node in every:
        match node:
            case ast.ImportFrom(module, found):
                names |= {each.asname or each.name: f"{module}.{each.name}" for each in found}
            case ast.Import(found):
                names |= {
                    each.asname or each.name.split(".")[0]: each.name if each.asname else each.name.split(".")[0] for each in found
                }
    tree = every[0]
    assert isinstance(tree, ast.Module)
    return Module(name, tree, every, source.split("\n"), names)


@cache
def modules() -> tuple[Module, ...]:
    return tuple(
        read(".".join(file.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__"), file.read_text())
        for file in sorted(PACKAGE.rglob("*.py"))
    )


def broken(rule: Rule) -> list[str]:
    """Where the package breaks a rule."""
    return [f"{module.name}:{found}" for module in modules() for found in rule(module)]


def planted(rule: Rule, name: str, source: str) -> list[str]:
    """Where a made-up module breaks it."""
    return list(rule(read(name, source)))
