"""Only an agent's own room knows the names of its folders and files."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.source import parsed

PACKAGE = Path(__file__).parents[2] / "zsmem_tui"

NAMES = (
    *(".claude", "CLAUDE.local.md", ".ethos", "personalities", "memory-archive.md", "SOUL.md", ".opencode", ".config/opencode"),
    *(".memsearch", ".omp", "learned.md", "memory_summary.md", "raw_memories.md", "rollout_summaries"),
    *(".codex", ".gemini", ".cursor", ".vscode", ".zerostack", ".mcp.json", "opencode.json"),
)
NAMED = re.compile(rf"(?:^|[/\s]){'|(?:^|[/ ])'.join(map(re.escape, NAMES))}")

SHOWN = {"cli/commands/import_.py": [".claude", "learned.md", "rollout_summaries"]}
"""Examples in the help of a verb."""


def named(source: str) -> Iterator[str]:
    """The names of agents' folders and files in the texts of a module that are not its documentation."""
    tree = parsed(source)
    documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documents:
            yield from (found[0].strip("/ ") for found in NAMED.finditer(node.value))


def test_no_module_outside_the_rooms_names_an_agents_files() -> None:
    rooms = PACKAGE / "agents"
    found = {
        str(path.relative_to(PACKAGE)): names
        for path in sorted(PACKAGE.rglob("*.py"))
        if rooms not in path.parents and (names := sorted(set(named(path.read_text()))))
    }
    assert found == SHOWN


def test_a_rooms_name_stands_in_no_other_room() -> None:
    for path in sorted((PACKAGE / "agents").glob("*/*.py")):
        if path.parent.name == "ethos":
            continue
        assert not {"personalities", ".ethos", "memory-archive.md"} & set(named(path.read_text())), path


def test_a_planted_name_is_found() -> None:
    assert list(named('"""`.claude` may be spoken of."""\nplace = f"{home}/.claude/projects"\n')) == [".claude"]
