"""Which package may import which, and what a start loads."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.source import PACKAGE, ROOT


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    code = "import sys; from importlinter.cli import lint_imports_command; lint_imports_command()"
    return subprocess.run([sys.executable, "-c", code, "--no-cache"], cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.draw(3)
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


def modules_loaded_by(code: str) -> set[str]:
    script = f"{code}\nimport sys; print('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(done.stdout.split("\n"))


def loaded_by(code: str) -> set[str]:
    return {name.split(".")[0] for name in modules_loaded_by(code)}


def test_the_screen_starts_without_the_rooms_of_other_agents_and_without_what_comes_later() -> None:
    loaded = modules_loaded_by("import zsmem_tui.ui.run")
    rooms = {name.split(".")[2] for name in loaded if name.startswith("zsmem_tui.agents.")}
    assert rooms == {"zerostack", "default"}
    assert not loaded & {"zsmem_tui.agents.registry", "dulwich", "tomlkit", "email", "zsmem_tui.ui.facts.screen"}


def test_the_room_of_claude_code_is_opened_without_the_patterns_for_credentials() -> None:
    loaded = modules_loaded_by("import zsmem_tui.agents.claude_code.layout")
    assert not loaded & {"zsmem_tui.core.checks.secret", "zsmem_tui.core.checks.scan"}, (
        "a start with Claude Code alone waits for it"
    )


def test_blocks_of_the_past_are_loaded_only_by_who_asks_for_one() -> None:
    for code in (
        "import zsmem_tui.ui.memory.store_watcher, zsmem_tui.ui.history.verbs",
        "import zsmem_tui.mcp.methods, zsmem_tui.mcp.resources",
    ):
        assert not modules_loaded_by(code) & {"zsmem_tui.service.past", "zsmem_tui.core.past", "zsmem_tui.store.history.past"}


def test_the_library_loads_neither_textual_nor_rich() -> None:
    everything = "import zsmem_tui\nfor name in zsmem_tui.__all__: getattr(zsmem_tui, name)"
    assert not loaded_by(everything) & {"textual", "rich", "dulwich"}


def test_a_hook_loads_no_more_than_it_needs(tmp_path: Path) -> None:
    told = '{"hook_event_name": "SessionStart", "cwd": "/code", "session_id": "s"}'
    run = f"import io, sys\nsys.stdin = io.TextIOWrapper(io.BytesIO({told.encode()!r}))\n"
    run += f"from zsmem_tui.cli.main import main\nmain(['--root', {str(tmp_path)!r}, 'hook', 'claude-code', '--part', '1/4'])"
    assert not loaded_by(run) & {"textual", "rich", "dulwich", "tomlkit", "tomllib", "subprocess"}


def test_a_search_on_the_command_line_loads_only_what_it_needs(tmp_path: Path) -> None:
    run = f"from zsmem_tui.cli.main import main\nmain(['--root', {str(tmp_path)!r}, 'search', 'x'])"
    assert not loaded_by(run) & {"textual", "rich", "dulwich", "dataclasses", "json", "tomllib"}
