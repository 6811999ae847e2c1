"""Which package may import which, and what a start loads."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import zsmem_tui
from tests.architecture.source import PACKAGE, ROOT
from zsmem_tui.core import errors


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


@pytest.mark.parametrize(
    ("kind", "own"),
    [
        ("claude-code", ".claude/projects/-code-lantern/memory/MEMORY.md"),
        ("claude-code", ".claude/CLAUDE.md"),
        ("ethos", ".ethos/personalities/iris/MEMORY.md"),
        ("opencode", ".config/opencode/memory/persona.md"),
        ("memsearch", ".memsearch/memory/2026-05-01.md"),
        ("oh-my-pi", ".omp/agent/memories/--code-lantern--/learned.md"),
        ("qwen-code", ".qwen/projects/-code-lantern/memory/MEMORY.md"),
        ("gemini", ".gemini/GEMINI.md"),
    ],
)
def test_the_names_of_one_agents_files_are_shown_without_any_rule_about_their_text(
    away_from_home: Path, kind: str, own: str
) -> None:
    file = away_from_home / own
    file.parent.mkdir(parents=True)
    file.write_text("- a fact\n")
    loaded = modules_loaded_by(f"""
from zsmem_tui.config.load import load
from zsmem_tui.service.watching import StoreFollower
from zsmem_tui.service.which_store import open_here
session = open_here(load(), cwd="{"/code/lantern" if "lantern" in own else away_from_home}", needs_group=False)
StoreFollower(session).glance()
assert session.layout.kind == {kind!r}, session.store
""")
    rules = {name for name in loaded if name.startswith("zsmem_tui.agents.") and name.endswith((".layout", ".prompt"))}
    assert rules <= {f"zsmem_tui.agents.{name}.layout" for name in ("zerostack", "claude_code", kind.replace("-", "_"))}
    about_text = ("core.context", "core.facts", "core.merge", "core.checks.finding", "core.checks.secret", "agents.yaml.reading")
    late = ("service.previewing", "service.reviewing", "service.instructions", "agents.format", *about_text)
    assert sorted(loaded & {*(f"zsmem_tui.{name}" for name in late), "dulwich"}) == []


def test_blocks_of_the_past_are_loaded_only_by_who_asks_for_one() -> None:
    for code in (
        "import zsmem_tui.ui.memory.store_watcher, zsmem_tui.ui.history.verbs",
        "import zsmem_tui.mcp.methods, zsmem_tui.mcp.resources",
    ):
        assert not modules_loaded_by(code) & {"zsmem_tui.service.past", "zsmem_tui.core.past", "zsmem_tui.store.history.past"}


def test_the_library_loads_neither_textual_nor_rich() -> None:
    everything = "import zsmem_tui\nfor name in zsmem_tui.__all__: getattr(zsmem_tui, name)"
    assert not loaded_by(everything) & {"textual", "rich", "dulwich"}


def test_every_error_that_the_library_says_it_raises_is_public() -> None:
    known = {name for name, each in vars(errors).items() if isinstance(each, type) and issubclass(each, errors.MemError)}
    public = [getattr(zsmem_tui, name) for name in zsmem_tui.__all__]
    members = [each for owner in public if isinstance(owner, type) for each in vars(owner).values()]
    named = {word for each in (*public, *members) for word in re.findall(r"`(\w+)`", each.__doc__ or "")}
    assert named & known <= set(zsmem_tui.__all__) and len(named & known) > 5


def test_a_hook_loads_no_more_than_it_needs(tmp_path: Path) -> None:
    told = '{"hook_event_name": "SessionStart", "cwd": "/code", "session_id": "s"}'
    run = f"import io, sys\nsys.stdin = io.TextIOWrapper(io.BytesIO({told.encode()!r}))\n"
    run += f"from zsmem_tui.cli.main import main\nmain(['--root', {str(tmp_path)!r}, 'hook', 'claude-code', '--part', '1/4'])"
    assert not loaded_by(run) & {"textual", "rich", "dulwich", "tomlkit", "tomllib", "subprocess"}


def test_a_search_on_the_command_line_loads_only_what_it_needs(tmp_path: Path) -> None:
    run = f"from zsmem_tui.cli.main import main\nmain(['--root', {str(tmp_path)!r}, 'search', 'x'])"
    assert not loaded_by(run) & {"textual", "rich", "dulwich", "dataclasses", "json", "tomllib"}
