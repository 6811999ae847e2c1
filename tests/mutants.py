"""Small faults, put into the program one at a time: do the tests that run the faulty line fail?

In a copy of the tree, with Python 3.12 or newer:

    python -m pytest -p tests.mutants -n 2            which tests run which lines, into `.mutants/`
    python -m tests.mutants 34 200 0 1                with a seed, of so many drawn by it, those from the first on at each step

The second says what it found in `.mutants/results.jsonl`; two copies of the tree share the work by `34 200 0 2` and `34 200 1 2`.

A fault is one operator, number, truth value, condition, `return` or statement that is another one or none. Texts stay as they
are: what is said is looked at in pictures. For each, the most particular of the tests that run its line are run until one fails,
in a fork of a process that has read all tests; a line that is run while they are read needs a process that has read nothing.
"""

from __future__ import annotations

import ast
import gc
import itertools
import json
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1]
NOTES = ROOT / ".mutants"
PACKAGES = tuple(str(ROOT / "zsmem_tui" / name) + os.sep for name in ("core", "service", "store"))
MOST_TESTS, MOST_SECONDS = 200, 60.0
MOST_CPU, MOST_MEMORY, MOST_WAIT = 20, 6 * 2**30, 600  # of one test, of all tests of a fault

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


def _note_lines() -> None:
    monitoring = vars(sys)["monitoring"]
    monitoring.use_tool_id(monitoring.COVERAGE_ID, "mutants")
    monitoring.register_callback(monitoring.COVERAGE_ID, monitoring.events.LINE, _ran)
    monitoring.set_events(monitoring.COVERAGE_ID, monitoring.events.LINE)


def pytest_configure() -> None:
    _note_lines()


def _note_no_lines() -> None:
    monitoring = vars(sys)["monitoring"]
    monitoring.set_events(monitoring.COVERAGE_ID, 0)


def pytest_unconfigure() -> None:
    _note_no_lines()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    _lines.clear()
    vars(sys)["monitoring"].restart_events()
    begun, failed = sum(os.times()[:4]), item.session.testsfailed
    found = yield
    if item.session.testsfailed == failed:
        ran = defaultdict(list)
        for path, line in _lines:
            ran[os.path.relpath(path, ROOT)].append(line)
        NOTES.mkdir(exist_ok=True)
        with (NOTES / f"ran.{os.getpid()}").open("a") as notes:
            notes.write(json.dumps({"test": item.nodeid, "seconds": sum(os.times()[:4]) - begun, "ran": ran}) + "\n")
    return found


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
            before = text[start:end].decode()
            rows = "\n" * before.count("\n")  # what follows stays on its line
            after = changed + rows if isinstance(changed, str) else f"({ast.unparse(changed)}{rows})"
            yield Mutant(str(path.relative_to(ROOT)), start, end, old.__dict__["lineno"], before, after)


def _annotations(node: ast.AST) -> Iterator[ast.AST]:
    """What is never run: types, and what stands there for a checker of types, which keeps to what a dataclass is."""
    match node:
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            yield from ast.walk(node)
        case ast.Expr(value=ast.Call(func=ast.Name(id="assert_never"))):
            yield node
        case ast.Call(func=ast.Name(id="cast" | "TypeVar"), args=args):
            yield from (each for arg in args for each in ast.walk(arg))
        case ast.Call(func=ast.Name(id="dataclass" | "zip"), keywords=keywords):  # what is as long as another is so already
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


def drawn(seed: int, count: int) -> list[Mutant]:
    paths = sorted(path for package in PACKAGES for path in Path(package).rglob("*.py"))
    return random.Random(seed).sample([each for path in paths for each in mutants_of(path)], count)


# -- do they fail? -----------------------------------------------------------------------------------------------------


def lines_of(mutant: Mutant) -> range:
    return range(mutant.line, mutant.line + mutant.before.count("\n") + 1)


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
        found = {test for line in lines_of(mutant) for test in self._of_line[mutant.path, line]} or set(self._of_file[mutant.path])
        kept: list[str] = []
        seconds = 0.0
        for test in sorted(found, key=self._breadth.__getitem__):
            seconds += self.seconds[test]
            if len(kept) == MOST_TESTS or seconds > MOST_SECONDS:
                break
            kept.append(test)
        return kept


@contextmanager
def put_in(mutant: Mutant) -> Iterator[bytes]:
    """The file with the fault in it, for this long; compiled anew by whoever reads it, as its time says."""
    place = ROOT / mutant.path
    whole, time_of_it = place.read_bytes(), int(place.stat().st_mtime)
    faulty = whole[: mutant.start] + mutant.after.encode() + whole[mutant.end :]
    try:
        place.write_bytes(faulty)
        os.utime(place, (0, mutant.start * 16 + len(mutant.after)))
        yield faulty
    finally:
        place.write_bytes(whole)
        os.utime(place, (time_of_it, time_of_it))


def forked(act: Callable[[], str], *, limited: bool = True) -> str:
    """What it says, in a process of its own."""
    begun = time.monotonic()
    with tempfile.NamedTemporaryFile("r") as said:
        child = os.fork()
        if not child:
            try:
                os.setsid()
                if limited:
                    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
                Path(said.name).write_text(act())
            except BaseException as error:  # noqa: BLE001 - a fault may raise anything
                Path(said.name).write_text(f"ended by {error!r}")
            finally:
                os._exit(0)
        while not os.waitpid(child, os.WNOHANG)[0]:
            if limited and time.monotonic() - begun > MOST_WAIT:
                os.killpg(child, signal.SIGKILL)
            time.sleep(0.01)
        return said.read() or "a limit"


SURVIVED, UNCHANGED = "survived", "unchanged"


class Tests:
    """Those of some files, read in this process and run in forks of it."""

    def __init__(self, files: Iterable[str], use: Callable[[Tests], str]) -> None:
        self.use, self.said = use, "the tests could not be read"
        self._functions: dict[str, list[FunctionType]] = defaultdict(list)
        options = ["-q", "-n", "0", "-p", "no:cacheprovider"]
        with (NOTES / f"said.{os.getpid()}").open("w") as output:
            os.dup2(output.fileno(), 1)
            pytest.main([*options, *sorted(files)], plugins=[self])

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.at_import = {(os.path.relpath(path, ROOT), line) for path, line in _lines}
        self.items = {item.nodeid: item for item in session.items}
        for each in gc.get_objects():
            if isinstance(each, FunctionType) and each.__code__.co_filename.startswith(PACKAGES):
                self._functions[each.__code__.co_filename].append(each)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        _note_no_lines()
        self._session = session
        self.said = self.use(self)
        return True

    def first_failing(self, tests: Iterable[str], path: str = "", faulty: bytes = b"") -> str:
        """Which, where the functions are as in this text of the file."""
        items = [self.items[test] for test in tests if test in self.items]

        def act() -> str:
            vars(self._session.config)["_tmp_path_factory"]._given_basetemp = folder
            return self._run(items) if not faulty or self._change(str(ROOT / path), faulty) else UNCHANGED

        folder = Path(tempfile.mkdtemp(prefix="mutants"))
        try:
            return forked(act)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _run(self, items: list[pytest.Item]) -> str:
        for item, following in itertools.zip_longest(items, items[1:]):
            resource.setrlimit(resource.RLIMIT_CPU, (int(sum(os.times()[:2])) + MOST_CPU, resource.RLIM_INFINITY))
            self._session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self._session.testsfailed:
                return item.nodeid
        return SURVIVED

    def _change(self, path: str, faulty: bytes) -> bool:
        codes = defaultdict(list)
        for code in _codes_in(compile(faulty, path, "exec")):
            codes[_place_of(code)].append(code)
        for each in self._functions[path]:
            found = codes[_place_of(each.__code__)]
            if len(found) != 1 or found[0].co_freevars != each.__code__.co_freevars:
                return False
            each.__code__ = found[0]
        return True


def _place_of(code: CodeType) -> tuple[str, int]:
    return vars(CodeType)["co_qualname"].__get__(code), code.co_firstlineno


def _codes_in(code: CodeType) -> Iterator[CodeType]:
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield each
            yield from _codes_in(each)


class Trial:
    """Of these faults, by which test each is caught."""

    def __init__(self, mutants: list[Mutant]) -> None:
        ran, self._notes = Ran(), NOTES / "results.jsonl"
        self._tests = {mutant: ran.tests(mutant) for mutant in mutants}
        self._sound: dict[str, bool] = {}
        os.environ["PYTHONPATH"] = str(ROOT)  # in processes of the tests too, whatever copy of the tree is installed

    def run(self) -> None:
        left = self._left()
        _note_lines()
        forked(lambda: Tests(_files(test for mutant in left for test in self._tests[mutant]), self._with_all).said, limited=False)
        for mutant in self._left():
            found = self._caught(mutant, _first_failing_anew)
            self._note(mutant, found)

    def _left(self) -> list[Mutant]:
        rows = self._notes.read_text().splitlines() if self._notes.exists() else []
        seen = {tuple(json.loads(row)["mutant"]) for row in rows}
        return [mutant for mutant in self._tests if tuple(mutant) not in seen]

    def _with_all(self, tests: Tests) -> str:
        for mutant in self._left():
            at_import = any((mutant.path, line) in tests.at_import for line in lines_of(mutant))
            if not at_import and (found := self._caught(mutant, tests.first_failing)) != UNCHANGED:
                self._note(mutant, found)
        return "done"

    def _caught(self, mutant: Mutant, first_failing: Callable[[list[str], str, bytes], str]) -> str:
        """By a test that passes without the fault, or a limit."""
        while True:
            sound = [test for test in self._tests[mutant] if self._sound.get(test, True)]
            with put_in(mutant) as faulty:
                found = first_failing(sound, mutant.path, faulty)
            if found not in sound:
                return found
            if found not in self._sound:
                self._sound[found] = first_failing([found], "", b"") == SURVIVED
            if self._sound[found]:
                return found

    def _note(self, mutant: Mutant, found: str) -> None:
        caught = "" if found == SURVIVED else found
        with self._notes.open("a") as stream:
            stream.write(json.dumps({"mutant": mutant, "tests": len(self._tests[mutant]), "caught": caught}) + "\n")

    def __str__(self) -> str:
        rows = [json.loads(row) for row in self._notes.read_text().splitlines()]
        caught = sum(bool(row["caught"]) for row in rows)
        return f"{caught} of {len(rows)} caught ({caught / len(rows):.0%})"


def _first_failing_anew(tests: list[str], _path: str, _faulty: bytes) -> str:
    """Which, where nothing was read before the file was as it is now."""
    return forked(lambda: Tests(_files(tests), lambda read: read.first_failing(tests)).said) if tests else SURVIVED


def _files(tests: Iterable[str]) -> set[str]:
    return {test.partition("::")[0] for test in tests}


def main() -> None:
    seed, count, first, step = map(int, sys.argv[1:])
    trial = Trial(drawn(seed, count)[first::step])
    trial.run()
    print(trial)


if __name__ == "__main__":
    main()
