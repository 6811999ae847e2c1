"""`zsmem connect` as a person runs it."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tests import forking
from tests.command_line import Run, zsmem

SERVER = """\
import json, os, sys
for line in sys.stdin:
    told = json.loads(line)
    if "id" not in told:
        continue
    results = {
        "initialize": {"serverInfo": {"name": "fake"}},
        "tools/list": {"tools": [{"name": "memory_search"}, {"name": "memory_read"}]},
        "tools/call": {"content": [{"type": "text", "text": os.environ.get("SAYS", "ok")}], "isError": "SAYS" in os.environ},
    }
    print(json.dumps({"jsonrpc": "2.0", "id": told["id"], "result": results[told["method"]]}), flush=True)
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "project/.git").mkdir(parents=True)
    return tmp_path / "project"


def connect(project: Path, *words: str, env: dict[str, str] | None = None) -> Run:
    return zsmem(None, *words, cwd=project, env={"PATH": "/usr/bin:/bin", "PYTHONPATH": os.getcwd(), **(env or {})})


def test_connecting_shows_the_diff_and_undo_takes_it_back(project: Path, away_from_home: Path) -> None:
    dry = connect(project, "connect", "claude-code", "--dry-run")
    assert dry.code == 0 and "nothing was written" in dry.err and "Would change ~/.claude.json" in dry.out
    assert list(away_from_home.iterdir()) == []
    done = connect(project, "connect", "claude-code")
    own = Path(sys.executable).parent / "zsmem"
    assert done.code == 0 and f'+      "command": "{own}",' in done.out and "--part 4/4" in done.out
    assert "is connected already" in connect(project, "connect", "claude-code").out
    listed = connect(project, "connect").out
    assert f"user: server `{own} mcp`, 5 hooks" in listed and "codex        no program  not connected" in listed
    assert "claude-code  not on PATH user: " in listed, "the files may be those that zsmem wrote"
    assert "zerostack    no program  not connected" in listed
    memory = away_from_home / ".local/share/zerostack/agent/memory"
    memory.mkdir(parents=True)
    (memory / "MEMORY.md").write_text("- tea\n")
    [first, second, *_] = connect(project, "connect").out.splitlines()
    assert {first.split(" ")[0], second} == {"claude-code", "zerostack    not on PATH not connected"}, "what is here is first"
    (memory / "MEMORY.md").unlink()
    memory.rmdir()
    assert connect(project, "undo").out == "Undid: Connected Claude Code\n" and not (away_from_home / ".claude.json").exists()
    assert connect(project, "undo", "--redo").code == 0 and (away_from_home / ".claude.json").exists()
    assert connect(project, "connect", "claude-code", "--remove").code == 0 and not (away_from_home / ".claude.json").exists()


def test_it_is_said_whose_memory_an_agent_has_by_it(project: Path, away_from_home: Path) -> None:
    own = "zerostack's memory of the folder it works in (~/.local/share/zerostack/agent/memory"
    none = ", where nothing is yet; zerostack need not be installed)."
    does = "searches and writes, beside its own memory,"
    done = connect(project, "connect", "claude-code", "--dry-run").out
    imports = "`zsmem import claude-code` copies what Claude Code remembers itself there, too."
    assert f"With it, Claude Code {does} {own}{none} {imports}\n" in done
    listed = f"A connected agent searches and writes {own}"
    assert f"{listed}{none}\n" in connect(project, "connect").err
    (away_from_home / ".local/share/zerostack/agent/memory").mkdir(parents=True)
    assert f"{listed}).\n" in connect(project, "connect").err
    assert f"{own}).\n" in connect(project, "connect", "codex", "--dry-run").out
    assert f"{own}). `zsmem import opencode` copies" in connect(project, "connect", "opencode").out
    assert "With it" not in connect(project, "connect", "opencode", "--remove").out
    assert "With it" not in connect(project, "connect", "zerostack", "--dry-run").out


def test_comments_are_kept_and_the_snippet_is_printed(project: Path) -> None:
    (project / ".vscode").mkdir()
    (project / ".vscode/mcp.json").write_text('{\n  // mine\n  "servers": {}\n}\n')
    done = connect(project, "connect", "vscode")
    assert done.code == 1 and f"This goes into {project}/.vscode/mcp.json:\n" in done.out and '"zsmem"' in done.out
    assert "line 2, column 3: it has comments. It was not changed." in done.err
    found = json.loads(connect(project, "connect", "vscode", "--json").out)
    assert found["left"][0]["snippet"].startswith("{") and found["changes"] == []


def test_a_check_starts_what_is_configured_and_says_what_works(project: Path, tmp_path: Path, away_from_home: Path) -> None:
    server = tmp_path / "server.py"
    server.write_text(SERVER)
    entry = {"command": sys.executable, "args": [str(server)], "env": {"SAYS": "no store"}}
    (away_from_home / ".gemini").mkdir()
    place = away_from_home / ".gemini/settings.json"
    hooks = [{"hooks": [{"command": f"{sys.executable} -m zsmem_tui hook gemini"}, {"command": "/gone/zsmem hook gemini"}]}]
    place.write_text(json.dumps({"mcpServers": {"zsmem": entry}, "hooks": {"SessionStart": hooks}}))
    done = connect(project, "connect", "gemini", "--check")
    assert done.code == 1
    assert f"works  user server: {sys.executable} {server}: answers as fake" in done.out
    assert "works  user tools: memory_search, memory_read" in done.out and "FAILS  user search: no store" in done.out
    assert "FAILS  user hook: /gone/zsmem hook gemini: it ended with 127" in done.out
    place.write_text(json.dumps({"mcpServers": {"zsmem": {"command": "/gone/zsmem", "args": ["mcp"]}}}))
    assert (
        "FAILS  user server: /gone/zsmem mcp: initialize got no result: it could not be started"
        in connect(project, "connect", "gemini", "--check").out
    )


def test_a_check_from_the_home_folder_searches_every_project(away_from_home: Path) -> None:
    (away_from_home / ".codex").mkdir()
    entry = f"[mcp_servers.zsmem]\ncommand = '{sys.executable}'\nargs = ['-m', 'zsmem_tui', 'mcp']\n[mcp_servers.zsmem.env]\n"
    (away_from_home / ".codex/config.toml").write_text(f"{entry}PYTHONPATH = '{Path.cwd()}'\n")
    done = connect(away_from_home, "connect", "codex", "--check")
    assert (done.code, "works  user search: answers" in done.out) == (0, True), done
    assert connect(away_from_home, "misses").out.startswith("No search was noted")


def test_any_verb_sweeps_what_a_killed_connect_left_and_says_what_it_keeps(project: Path, away_from_home: Path) -> None:
    settings = away_from_home / ".cursor/mcp.json"
    settings.parent.mkdir()
    settings.write_text('{"theirs": 1}')
    killed = (
        f"import os\nos.chdir({str(project)!r})\nfrom zsmem_tui.store.disk import swap\nfrom zsmem_tui.entry import main\n"
        "swap.step = lambda name: os._exit(9) if name == 'exchanged' else None\nmain()\n"
    )
    assert forking.python(killed, "connect", "cursor", "--no-hooks").returncode == 9
    [left] = [each for each in settings.parent.iterdir() if each != settings]
    left.write_text('{"late": 1}')
    settings.write_text('{"theirs": 2}')
    swept = connect(project, "search", "nothing")
    assert "was being changed when zsmem was killed" in swept.err and list(settings.parent.iterdir()) == [settings]
    kept = Path(swept.err.partition("is kept in ")[2].split()[0].rstrip("."))
    assert kept.read_text() == '{"late": 1}' and json.loads(settings.read_text())["theirs"] == 2
    assert "Finished what was interrupted: Connected Cursor." in swept.err and "zsmem" in settings.read_text()
    assert "killed" not in connect(project, "search", "nothing").err
