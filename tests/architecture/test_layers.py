"""The house rules that imports and calls can show. Each is also shown to catch a planted violation."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "zsmem_tui"

Rule = Callable[[str, ast.Module, list[str]], Iterator[str]]


def calls(tree: ast.Module) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func), node.lineno


def no_file_access(module: str, tree: ast.Module, lines: list[str]) -> Iterator[str]:
    """Layers of rules and views never open a file."""
    if module.split(".")[0] not in ("core", "agents", "ui"):
        return
    readers = (".read_text", ".read_bytes", ".write_text", ".write_bytes", ".unlink", ".mkdir", ".iterdir")
    for name, line in calls(tree):
        if name in ("open", "io.open", "os.open", "os.replace", "os.unlink", "os.listdir", "os.scandir") or name.endswith(readers):
            yield f"{module}:{line} calls {name}"


def core_is_pure(module: str, tree: ast.Module, lines: list[str]) -> Iterator[str]:
    """Rules know no system, clock or environment."""
    if not module.startswith("core."):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                if name.name.split(".")[0] in ("os", "io", "time", "pathlib", "subprocess", "shutil", "tempfile", "locale"):
                    yield f"{module}:{node.lineno} imports {name.name}"


def one_place_for_the_environment(module: str, tree: ast.Module, lines: list[str]) -> Iterator[str]:
    """`config.locate` alone reads the environment and the home directory."""
    if module == "config.locate":
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and ast.unparse(node) in ("os.environ", "os.getenv", "os.path.expanduser", "Path.home"):
            yield f"{module}:{node.lineno} reads {ast.unparse(node)}"


def one_place_for_the_clock(module: str, tree: ast.Module, lines: list[str]) -> Iterator[str]:
    """Today is what the session's clock says; only it, and a bare `Mem`, ask the system."""
    if module in ("service.session", "store.mem"):
        return
    for name, line in calls(tree):
        if name in ("datetime.now", "datetime.today", "date.today", "time.time", "time.localtime"):
            yield f"{module}:{line} calls {name}"


def late_imports_say_why(module: str, tree: ast.Module, lines: list[str]) -> Iterator[str]:
    """An import inside a function stands in the entry points, or its line says what it saves."""
    if module in ("entry", "__init__"):
        return
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for node in ast.walk(function):
                if isinstance(node, ast.Import | ast.ImportFrom) and "#" not in lines[node.lineno - 1]:
                    yield f"{module}:{node.lineno} imports late without a reason"


def no_broad_except(module: str, tree: ast.Module, lines: list[str]) -> Iterator[str]:
    """What is not expected is not caught."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler) and (node.type is None or ast.unparse(node.type) in ("Exception", "BaseException")):
            yield f"{module}:{node.lineno} catches everything"


def one_line_splitter(module: str, tree: ast.Module, lines: list[str]) -> Iterator[str]:
    """Memory text is split by `core.text` and nowhere else."""
    if module == "core.text":
        return
    for name, line in calls(tree):
        if name.endswith(".splitlines"):
            yield f"{module}:{line} calls {name}"


RULES: dict[Rule, tuple[str, str]] = {
    no_file_access: ("ui.panes.tree", "def f(p):\n    return p.read_text()\n"),
    core_is_pure: ("core.text", "import os\n"),
    one_place_for_the_environment: ("service.session", "import os\nHOME = os.environ['HOME']\n"),
    one_place_for_the_clock: ("cli.main", "from datetime import datetime\nNOW = datetime.now()\n"),
    late_imports_say_why: ("store.disk.files", "def f():\n    import json\n    return json\n"),
    no_broad_except: ("ui.app", "try:\n    pass\nexcept Exception:\n    pass\n"),
    one_line_splitter: ("core.render", "def f(t):\n    return t.splitlines()\n"),
}


def modules() -> Iterator[tuple[str, ast.Module, list[str]]]:
    for file in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(file.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")
        text = file.read_text()
        yield name, ast.parse(text), text.split("\n")


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_package_keeps(rule: Rule) -> None:
    assert [found for module, tree, lines in modules() for found in rule(module, tree, lines)] == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_a_planted_violation_is_found_by(rule: Rule) -> None:
    module, source = RULES[rule]
    assert list(rule(module, ast.parse(source), source.split("\n")))


def test_files_stay_under_400_lines_and_classes_under_25_methods() -> None:
    too_long = []
    for name, tree, lines in modules():
        if len(lines) > 401:
            too_long.append(f"{name}: {len(lines)} lines")
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                methods = [each for each in node.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
                if len(methods) > 25:
                    too_long.append(f"{name}.{node.name}: {len(methods)} methods")
    assert too_long == []


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    code = "import sys; from importlinter.cli import lint_imports_command; lint_imports_command()"
    return subprocess.run([sys.executable, "-c", code, "--no-cache"], cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("file", "line", "contract"),
    [
        ("core/text.py", "import zsmem_tui.store.disk.files\n", "Layers point down"),
        ("cli/output.py", "import zsmem_tui.store.disk.files\n", "Front ends use verbs, not files"),
        ("service/session.py", "import rich\n", "Only the screen loads Textual and Rich"),
    ],
)
def test_each_import_contract_catches_a_planted_violation(tmp_path: Path, file: str, line: str, contract: str) -> None:
    shutil.copytree(PACKAGE, tmp_path / "zsmem_tui", ignore=shutil.ignore_patterns("store/projects", "__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    target = tmp_path / "zsmem_tui" / file
    text = target.read_text()
    target.write_text(text.replace("from __future__ import annotations\n", f"from __future__ import annotations\n{line}", 1))
    result = lint_imports(tmp_path)
    assert f"{contract} BROKEN" in result.stdout, result.stdout + result.stderr


def loaded_by(code: str) -> set[str]:
    script = f"{code}\nimport sys; print('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    return {name.split(".")[0] for name in done.stdout.split("\n")}


def test_the_library_loads_neither_textual_nor_rich() -> None:
    everything = "import zsmem_tui\nfor name in zsmem_tui.__all__: getattr(zsmem_tui, name)"
    assert not loaded_by(everything) & {"textual", "rich", "dulwich"}


def test_a_search_on_the_command_line_loads_only_what_it_needs(tmp_path: Path) -> None:
    run = f"from zsmem_tui.cli.main import main\nmain(['--root', {str(tmp_path)!r}, 'search', 'x'])"
    assert not loaded_by(run) & {"textual", "rich", "dulwich", "dataclasses", "json", "tomllib"}
