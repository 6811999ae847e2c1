"""Only an agent's own room knows its name, and the names of its folders and files."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.source import nodes
from tests.builders import NOW
from zsmem_tui.agents import registry
from zsmem_tui.agents.places import Where
from zsmem_tui.agents.registry import AGENTS

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
    documents = {id(node.value) for node in nodes(source) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)}
    for node in nodes(source):
        if not (isinstance(node, ast.Constant) and isinstance(node.value, str)) or id(node) in documents:
            continue
        if any(name in node.value for name in NAMES):
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


KNOWN = {
    "__init__": "the public names of classes",
    "config.locate": "where the memory lies that is meant where nobody names one",
    "core.profile": "the names of profiles, which settings have",
    "service.agent_memory": "the types of the public function",
    "service.agent_tools": "a profile",
    "service.demo": "what the demonstration shows",
    "service.providers": "public classes",
    "store.mem": "a profile",
}
"""Modules outside the rooms that name an agent, and why."""

_NAMES = [name.split("-") for name in AGENTS if name not in ("instructions", "markdown", "cursor")]
AGENT = re.compile("|".join(f"(?<![A-Za-z])(?i:{'[-_]?'.join(words)})|{''.join(map(str.capitalize, words))}" for words in _NAMES))


def agents_named(source: str) -> Iterator[str]:
    """What names an agent in a module: an import of its room, a name in code, a text that is its name, or that and a colon."""
    for node in nodes(source):
        names: list[str] = []
        match node:
            case ast.ImportFrom():
                names = [node.module or "", *(alias.name for alias in node.names)]
            case ast.Import():
                names = [alias.name for alias in node.names]
            case ast.FunctionDef() | ast.ClassDef():
                names = [node.name]
            case ast.Name():
                names = [node.id]
            case ast.Attribute():
                names = [node.attr]
            case ast.arg():
                names = [node.arg]
            case ast.keyword(arg=str()):
                names = [node.arg or ""]
            case ast.Constant(value=str()):
                names = [word] if AGENT.fullmatch(word := str(node.value).partition(":")[0]) else []
        yield from (name for name in names if AGENT.search(name))


def test_no_module_outside_the_rooms_names_an_agent() -> None:
    rooms = PACKAGE / "agents"
    modules = {
        ".".join(path.relative_to(PACKAGE).with_suffix("").parts): path
        for path in PACKAGE.rglob("*.py")
        if rooms not in path.parents
    }
    found = {name: sorted(set(agents_named(path.read_text()))) for name, path in modules.items()}
    assert {name: names for name, names in found.items() if names and name not in KNOWN} == {}
    assert {name for name in KNOWN if not found[name]} == set()


def test_every_agent_has_what_its_description_says() -> None:
    for each in registry.every():
        assert AGENTS[each.name] == type(each).__module__.split(".")[-2] and each.title
        assert not each.has_client or each.client().name == each.name
        assert not each.has_format or each.format().name == each.name
        if each.has_stores:
            layout = each.layout(Where("/r", "/f", "/h", "", lambda: NOW))
            assert (layout.kind, layout.title) == (each.name, each.title)
        assert each.hook is None or each.hook.agent == each.name


@pytest.mark.parametrize(
    "line",
    [
        "from zsmem_tui.agents.claude_code import files",
        "if kind == 'oh-my-pi': pass",
        "store = 'qwen-code:~/x'",
        "def of_ethos(): pass",
        "print(session.is_zerostack)",
        "from zsmem_tui.agents import opencode",
    ],
)
def test_a_planted_agent_is_found(line: str) -> None:
    assert list(agents_named(line)) and not list(agents_named("say('Claude Code has no checklist')"))
