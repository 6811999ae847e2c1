"""Small faults, put into the program one at a time: do the tests that run the faulty line fail?

In a copy of the tree, with Python 3.12 or newer:

    python -m pytest -p tests.mutants -n 2            which tests run which lines, into `.mutants/`
    python -m tests.mutants 500 0 1                   of so many, drawn with a fixed seed, those from the first on at each step

The second says what it found in `.mutants/results.jsonl`; several copies of the tree share the work by `500 0 2` and `500 1 2`.

A fault is one operator, number, truth value, condition, `return` or statement that is another one or none. Texts stay as they
are: what is said is looked at in pictures. For each, the most particular of the tests that run its line are run until one fails.
"""

from __future__ import annotations

import ast
import json
import os
import random
import resource
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Generator, Iterator
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1]
NOTES = ROOT / ".mutants"
PACKAGES = tuple(str(ROOT / "zsmem_tui" / name) + os.sep for name in ("core", "service", "store"))
SEED = 34
MOST_TESTS, MOST_SECONDS = 200, 60.0
MOST_CPU = 150
CHOSEN = "ZSMEM_TESTS_OF_A_MUTANT"

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq},
    **{ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In},
}
COUNTED: dict[type[ast.operator], type[ast.operator]] = {
    **{
        ast.Add: ast.Sub,
        ast.Sub: ast.Add,
        ast.Mult: ast.FloorDiv,
        ast.FloorDiv: ast.Mult,
        ast.BitOr: ast.BitAnd,
        ast.BitAnd: ast.BitOr,
    }
}


class Mutant(NamedTuple):
    """One fault: where, and what stands there instead."""

    path: str
    start: int
    end: int
    line: int
    before: str
    after: str


# -- which tests run which lines ------------------------------------------------------------------------------------------

_lines: set[tuple[str, int]] = set()


def _ran(code: CodeType, line: int) -> Any:
    if code.co_filename.startswith(PACKAGES):
        _lines.add((code.co_filename, line))
    return vars(sys)["monitoring"].DISABLE


def pytest_configure() -> None:
    if CHOSEN not in os.environ:
        monitoring = vars(sys)["monitoring"]
        monitoring.use_tool_id(monitoring.COVERAGE_ID, "mutants")
        monitoring.register_callback(monitoring.COVERAGE_ID, monitoring.events.LINE, _ran)
        monitoring.set_events(monitoring.COVERAGE_ID, monitoring.events.LINE)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    _lines.clear()
    if CHOSEN not in os.environ:
        vars(sys)["monitoring"].restart_events()
    begun, failed = time.monotonic(), item.session.testsfailed
    found = yield
    if CHOSEN not in os.environ and item.session.testsfailed == failed:
        ran = defaultdict(list)
        for path, line in _lines:
            ran[os.path.relpath(path, ROOT)].append(line)
        NOTES.mkdir(exist_ok=True)
        with (NOTES / f"ran.{os.getpid()}").open("a") as notes:
            notes.write(json.dumps({"test": item.nodeid, "seconds": time.monotonic() - begun, "ran": ran}) + "\n")
    return found


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if chosen := os.environ.get(CHOSEN):
        order = {test: number for number, test in enumerate(json.loads(Path(chosen).read_text()))}
        items[:] = sorted((item for item in items if item.nodeid in order), key=lambda item: order[item.nodeid])


# -- the faults -----------------------------------------------------------------------------------------------------------


def mutants_of(path: Path) -> Iterator[Mutant]:
    text = path.read_bytes()
    starts = [0]
    for row in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(row))

    def place(node: ast.AST) -> tuple[int, int]:
        at = node.__dict__
        return starts[at["lineno"] - 1] + at["col_offset"], starts[at["end_lineno"] - 1] + at["end_col_offset"]

    tree = ast.parse(text)
    idle = {id(each) for node in ast.walk(tree) for each in _annotations(node)}
    for node in ast.walk(tree):
        if id(node) in idle:
            continue
        old = node.test if isinstance(node, ast.If | ast.While | ast.IfExp) else node
        for changed in _changed(node):
            start, end = place(old)
            before, after = text[start:end].decode(), changed if isinstance(changed, str) else f"({ast.unparse(changed)})"
            yield Mutant(str(path.relative_to(ROOT)), start, end, old.__dict__["lineno"], before, after)


def _annotations(node: ast.AST) -> Iterator[ast.AST]:
    """What is never run: types, and what stands there for a checker of types, which keeps to what a dataclass is."""
    match node:
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            yield from ast.walk(node)
        case ast.Call(func=ast.Name(id="cast" | "TypeVar"), args=args):
            yield from (each for arg in args for each in ast.walk(arg))
        case ast.Call(func=ast.Name(id="dataclass"), keywords=keywords):
            yield from (each.value for each in keywords)
    for each in (getattr(node, name, None) for name in ("annotation", "returns")):
        if each is not None:
            yield from ast.walk(each)


def _changed(node: ast.AST) -> Iterator[ast.expr | str]:
    match node:
        case ast.Compare(ops=[op]) if type(op) in COMPARED:
            yield ast.Compare(node.left, [COMPARED[type(op)]()], node.comparators)
        case ast.BoolOp(op=op):
            yield ast.BoolOp(ast.And() if isinstance(op, ast.Or) else ast.Or(), node.values)
        case ast.UnaryOp(op=ast.Not()):
            yield node.operand
        case ast.BinOp(op=op) if type(op) in COUNTED and not _has_text(node):
            yield ast.BinOp(node.left, COUNTED[type(op)](), node.right)
        case ast.Constant(value=bool(value)):
            yield str(not value)
        case ast.Constant(value=int(value)):
            yield str(value + 1)
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) if isinstance(
            test, ast.Call | ast.Name | ast.Attribute
        ):
            yield ast.UnaryOp(ast.Not(), test)
        case ast.Return(value=ast.Constant(value=None | False)):  # to whoever asks whether it is so, None is as good as False
            pass
        case ast.Return(value=value) if value is not None:
            yield "return None"
        case ast.Expr(value=ast.Call()):
            yield "pass"
        case ast.Continue():
            yield "break"
        case ast.Break():
            yield "continue"


def _has_text(node: ast.BinOp) -> bool:
    return any(isinstance(each, ast.JoinedStr | ast.List | ast.Tuple | ast.ListComp) or _is_text(each) for each in ast.walk(node))


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)


def drawn(count: int) -> list[Mutant]:
    paths = sorted(path for package in PACKAGES for path in Path(package).rglob("*.py"))
    return random.Random(SEED).sample([each for path in paths for each in mutants_of(path)], count)


# -- do they fail? --------------------------------------------------------------------------------------------------------


class Ran:
    """Which tests run a line, the most particular first: those that run the fewest lines."""

    def __init__(self) -> None:
        rows = [json.loads(row) for notes in NOTES.glob("ran.*") for row in notes.read_text().splitlines()]
        self.seconds = {row["test"]: row["seconds"] for row in rows}
        self._breadth = {row["test"]: sum(map(len, row["ran"].values())) for row in rows}
        self._of_line: dict[tuple[str, int], list[str]] = defaultdict(list)
        self._of_file: dict[str, list[str]] = defaultdict(list)
        for row in rows:
            for path, lines in row["ran"].items():
                self._of_file[path].append(row["test"])
                for line in lines:
                    self._of_line[path, line].append(row["test"])

    def tests(self, mutant: Mutant) -> list[str]:
        lines = range(mutant.line, mutant.line + mutant.before.count("\n") + 1)
        found = {test for line in lines for test in self._of_line[mutant.path, line]} or set(self._of_file[mutant.path])
        kept: list[str] = []
        seconds = 0.0
        for test in sorted(found, key=self._breadth.__getitem__):
            seconds += self.seconds[test]
            if len(kept) == MOST_TESTS or seconds > MOST_SECONDS:
                break
            kept.append(test)
        return kept


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_CPU, MOST_CPU))


def is_caught(mutant: Mutant, tests: list[str]) -> str:
    """By which test, or by a limit of time; empty where it is not."""
    place, chosen = ROOT / mutant.path, NOTES / "chosen.json"
    chosen.write_text(json.dumps(tests))
    whole = place.read_bytes()
    files = sorted({test.partition("::")[0] for test in tests})
    command = [sys.executable, "-m", "pytest", "-p", "tests.mutants", "-qx", "-n", "0", "-p", "no:cacheprovider", *files]
    try:
        place.write_bytes(whole[: mutant.start] + mutant.after.encode() + whole[mutant.end :])
        environ = {**os.environ, CHOSEN: str(chosen)}
        done = subprocess.run(
            command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False, timeout=600, preexec_fn=_limit
        )
    except subprocess.TimeoutExpired:
        return "time"
    finally:
        place.write_bytes(whole)
    if done.returncode == 0:
        return ""
    said = [row for row in done.stdout.splitlines() if row.startswith(("FAILED", "ERROR"))]
    return said[0] if said else f"exit {done.returncode}: {done.stdout[-200:]}"


def main() -> None:
    ran, notes = Ran(), NOTES / "results.jsonl"
    done = set(notes.read_text().splitlines()) if notes.exists() else set()
    seen = {tuple(json.loads(row)["mutant"]) for row in done}
    count, first, step = map(int, sys.argv[1:])
    for mutant in drawn(count)[first::step]:
        if tuple(mutant) in seen:
            continue
        tests = ran.tests(mutant)
        found = is_caught(mutant, tests) if tests else ""
        with notes.open("a") as stream:
            stream.write(json.dumps({"mutant": mutant, "tests": len(tests), "caught": found}) + "\n")
    rows = [json.loads(row) for row in notes.read_text().splitlines()]
    caught = sum(bool(row["caught"]) for row in rows)
    print(f"{caught} of {len(rows)} caught ({caught / len(rows):.0%})")


if __name__ == "__main__":
    main()
