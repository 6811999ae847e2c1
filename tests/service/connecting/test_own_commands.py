"""Agents whose own program changes their settings: it is called where it can, shown before, and its result is read back."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

from tests.service.connecting.conftest import COMMAND, Home
from zsmem_tui.agents.places import Machine
from zsmem_tui.service import agent_command, connecting
from zsmem_tui.service.undoing import undo

PROGRAM = '''\
#!{python}
"""Does with its settings what {name} does, as far as `mcp add`, `mcp remove` and `--add-mcp` go."""
import json, os, pathlib, sys
args = sys.argv[1:]
home = pathlib.Path(os.environ["HOME"])
with open("{log}", "a") as log:
    log.write(json.dumps([os.getcwd(), *args]) + "\\n")
if args == ["--version"]:
    print("{version}")
    sys.exit({version_code})
{before}
def change(place, key, name, value):
    place.parent.mkdir(parents=True, exist_ok=True)
    found = json.loads(place.read_text()) if place.exists() else {{"started": 1}}
    if value is None:
        if name not in found.get(key, {{}}):
            sys.exit("No MCP server found with name: " + name)
        del found[key][name]
    elif name in found.get(key, {{}}) and "{name}" == "claude":
        sys.exit("MCP server " + name + " already exists in user config")
    else:
        found.setdefault(key, {{}})[name] = value
    place.write_text(json.dumps(found, indent=2))
if "{name}" == "code":
    assert args[0] == "--add-mcp" and len(args) == 2, args
    value = json.loads(args[1])
    change(home / ".config/Code/User/mcp.json", "servers", value.pop("name"), value)
    sys.exit()
mcp, verb, *args = args
assert mcp == "mcp"
scope = "local"
if args[:1] == ["--scope"]:
    scope, args = args[1], args[2:]
name, *command = args
if command[:1] == ["--"]:
    command = command[1:]
elif "{name}" != "gemini" and verb == "add":
    sys.exit("error: unknown option")
value = {{"command": command[0], "args": command[1:]}} if verb == "add" else None
if "{name}" == "claude":
    assert scope in ("user", "project"), scope
    place = home / ".claude.json" if scope == "user" else pathlib.Path(".mcp.json")
    change(place, "mcpServers", name, value and {{"type": "stdio", **value, "env": {{}}}})
elif "{name}" == "gemini":
    change((home if scope == "user" else pathlib.Path()) / ".gemini/settings.json", "mcpServers", name, value)
else:
    assert scope == "local"
    place = home / ".codex/config.toml"
    place.parent.mkdir(parents=True, exist_ok=True)
    text = place.read_text() if place.exists() else ""
    if value is None:
        place.write_text(text[: text.index("[mcp_servers." + name + "]")])
    else:
        table = ["[mcp_servers." + name + "]", *(key + " = " + json.dumps(each) for key, each in value.items()), ""]
        place.write_text(text + "\\n".join(table))
print("done")
'''

VERSIONS = {"claude": "2.1.197 (Claude Code)", "codex": "codex-cli 0.169.0", "gemini": "0.61.0", "code": "1.105.1\n7d842fb8\nx64"}
NAMES = {"claude-code": "claude", "codex": "codex", "gemini": "gemini", "vscode": "code"}
WORDS = {
    "claude-code": ["mcp", "add", "--scope", "user", "zsmem", "--", COMMAND, "mcp"],
    "codex": ["mcp", "add", "zsmem", "--", COMMAND, "mcp"],
    "gemini": ["mcp", "add", "--scope", "user", "zsmem", COMMAND, "mcp"],
}


class Programs:
    """Fake programs of agents on the path, and what they were called with."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "calls"

    def add(self, agent: str, version: str = "", before: str = "", version_code: int = 0) -> None:
        name = NAMES[agent]
        place = self.folder / name
        about = {"version": (version or VERSIONS[name]).replace("\n", "\\n"), "before": before, "version_code": version_code}
        place.write_text(PROGRAM.format(python=sys.executable, name=name, log=self.log, **about))
        place.chmod(0o755)

    def calls(self) -> list[list[str]]:
        """What they were called with, but for questions after their version, each behind the folder it was called in."""
        found = [json.loads(line) for line in self.log.read_text().splitlines()] if self.log.exists() else []
        return [each for each in found if each[1:] != ["--version"]]


@pytest.fixture
def programs(tmp_path: Path, home: Home, monkeypatch: pytest.MonkeyPatch) -> Programs:
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    return Programs(tmp_path / "bin")


@pytest.mark.parametrize("agent", WORDS)
def test_the_agents_own_command_adds_the_server_and_we_the_hooks(home: Home, programs: Programs, agent: str) -> None:
    programs.add(agent)
    wanted = home.plan(agent)
    assert f"Would run `{NAMES[agent]} mcp add " in connecting.would(wanted) and not programs.calls()
    done = connecting.apply(home.session, wanted)
    assert programs.calls() == [[str(home.project), *WORDS[agent]]] and not done.warning
    (line,) = (each for each in connecting.agents(home.session) if each.name == agent)
    assert line.connected[0].server == (COMMAND, "mcp") and line.connected[0].hooks and line.connected[0].is_current
    again = home.connect(agent)
    assert not again.changed and "connected already" in again.message and len(programs.calls()) == 1


@pytest.mark.parametrize("agent", WORDS)
def test_undo_is_byte_for_byte_and_where_the_agent_wrote_since_its_own_command_takes_ours_out(
    home: Home, programs: Programs, agent: str
) -> None:
    programs.add(agent)
    before = home.files()
    home.connect(agent)
    undo(home.session)
    assert home.files() == before and len(programs.calls()) == 1
    undo(home.session, redo=True)
    place = Path(home.plan(agent, remove=True).files[0].place)
    theirs = "model = 'x'\n" if place.suffix == ".toml" else ""
    found = theirs + place.read_text() if theirs else json.dumps({"new": 1, **json.loads(place.read_text())})
    place.write_text(found)
    undo(home.session)
    assert (programs.calls()[-1][2] == "remove") is (agent != "codex")  # its `remove` takes comments along
    left = tomllib.loads(place.read_text()) if theirs else json.loads(place.read_text())
    assert "zsmem" not in json.dumps(left) and ("model" in left or "new" in left)


@pytest.mark.parametrize("agent", ["claude-code", "gemini"])
def test_removing_asks_the_agents_own_command(home: Home, programs: Programs, agent: str) -> None:
    programs.add(agent)
    home.connect(agent)
    done = home.connect(agent, remove=True)
    assert done.changed and programs.calls()[-1][1:3] == ["mcp", "remove"]
    (line,) = (each for each in connecting.agents(home.session) if each.name == agent)
    assert not any(line.connected) and not home.connect(agent, remove=True).changed


def test_servers_of_a_project_are_added_in_its_folder(home: Home, programs: Programs) -> None:
    programs.add("claude-code")
    home.connect("claude-code", scope="project", hooks=False)
    assert programs.calls() == [[str(home.project), "mcp", "add", "--scope", "project", "zsmem", "--", COMMAND, "mcp"]]
    assert json.loads((home.project / ".mcp.json").read_text())["mcpServers"]["zsmem"]["command"] == COMMAND


def test_code_adds_a_server_to_your_own_settings(home: Home, programs: Programs) -> None:
    programs.add("vscode")
    home.connect("vscode", scope="user")
    assert [each[1] for each in programs.calls()] == ["--add-mcp"]
    assert home.json(".config/Code/User/mcp.json")["servers"]["zsmem"]["args"] == ["mcp", "--cwd", "${workspaceFolder}"]
    home.has(".config/Code/User/mcp.json", json.dumps({**home.json(".config/Code/User/mcp.json"), "inputs": []}))
    home.connect("vscode", scope="user", remove=True)
    assert len(programs.calls()) == 1 and home.json(".config/Code/User/mcp.json") == {"started": 1, "inputs": []}
    home.connect("vscode")
    assert len(programs.calls()) == 1 and (home.project / ".vscode/mcp.json").exists()


@pytest.mark.parametrize(
    ("agent", "version", "code"),
    [
        *(("claude-code", "0.2.9", 0), ("claude-code", "0." + "9" * 5_000, 0), ("codex", "codex-cli 0.20.0", 0)),
        *(("gemini", "x", 0), ("gemini", "", 1)),
    ],
)
def test_an_old_program_is_not_asked(home: Home, programs: Programs, agent: str, version: str, code: int) -> None:
    programs.add(agent, version, version_code=code)
    assert home.connect(agent).changed and not programs.calls()


@pytest.mark.parametrize("what", ["sys.exit('no network')", "sys.exit()", "import time; time.sleep(60)"])
def test_where_the_command_fails_the_file_is_edited_and_that_is_said(
    home: Home, programs: Programs, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    programs.add("claude-code", before=what)
    wanted = home.plan("claude-code")
    monkeypatch.setattr(agent_command, "_SECONDS", 0.5)
    done = connecting.apply(home.session, wanted)
    assert "zsmem" in home.json(".claude.json")["mcpServers"] and done.warning
    assert "did not do it" in done.message and "so the file was edited" in done.message


def test_a_program_that_leaves_another_one_behind_is_not_waited_for_longer(tmp_path: Path) -> None:
    program = tmp_path / "claude"
    program.write_text("#!/bin/sh\nsetsid sleep 30 &\necho $! > sleeping\necho some words >&2\nexit 3\n")
    program.chmod(0o755)
    on = Machine({"PATH": "/usr/bin:/bin"}, str(tmp_path), str(tmp_path), os.path.lexists)
    begun = time.monotonic()
    said = agent_command.run([str(program), "mcp", "add"], on)
    os.kill(int((tmp_path / "sleeping").read_text()), signal.SIGKILL)
    assert said == "it ended with 3. some words" and time.monotonic() - begun < 10


def test_a_program_ends_when_the_person_stops_waiting_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[subprocess.Popen[bytes]] = []

    def stop(process: subprocess.Popen[bytes], *_: object) -> None:
        begun.append(process)
        raise KeyboardInterrupt

    monkeypatch.setattr(subprocess.Popen, "communicate", stop)
    with pytest.raises(KeyboardInterrupt):
        agent_command.output(["sleep", "30"], {"PATH": "/usr/bin:/bin"}, str(tmp_path))
    assert [each.returncode for each in begun] == [-signal.SIGKILL]


def test_an_entry_that_is_there_already_is_edited(home: Home, programs: Programs) -> None:
    programs.add("claude-code")
    entry = {"command": "/old/zsmem", "args": ["mcp"], "env": {"KEY": "1"}}
    home.has(".claude.json", json.dumps({"mcpServers": {"zsmem": entry}}))
    home.connect("claude-code", hooks=False)
    found = home.json(".claude.json")["mcpServers"]["zsmem"]
    assert (found["command"], found["env"]) == (COMMAND, {"KEY": "1"}) and not programs.calls()


def test_codex_names_the_variables_that_are_set_and_only_those(
    home: Home, programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs.add("codex")
    monkeypatch.setenv("ZS_DATA_DIR", "/data")
    home.connect("codex", hooks=False)
    place = home.home / ".codex/config.toml"
    assert tomllib.loads(place.read_text())["mcp_servers"]["zsmem"]["env_vars"] == ["ZS_DATA_DIR"] and not programs.calls()
    place.write_text(place.read_text().replace('["ZS_DATA_DIR"]', '["MINE", "ZS_DATA_DIR", "ZSMEM_CONFIG"]  # mine'))
    monkeypatch.setenv("ZSMEM_STATE_DIR", str(home.home / ".local/state/zsmem"))
    monkeypatch.delenv("ZS_DATA_DIR")
    home.connect("codex", hooks=False)
    assert tomllib.loads(place.read_text())["mcp_servers"]["zsmem"]["env_vars"] == ["MINE", "ZSMEM_STATE_DIR"]
    place.write_text(place.read_text().replace('"MINE", ', ""))
    monkeypatch.delenv("ZSMEM_STATE_DIR")
    home.connect("codex", hooks=False)
    assert "env_vars" not in tomllib.loads(place.read_text())["mcp_servers"]["zsmem"]
    assert not home.connect("codex", hooks=False).changed


@pytest.mark.parametrize(
    "around",
    [
        "sh -c '{ours} | tee -a log'",
        "timeout 5 {ours}",
        "ZSMEM_CONFIG=/x {ours}",
        "{ours} && notify",
        'bash -lc "{ours}"',
        "{ours} --cwd /x",
    ],
)
def test_a_hook_that_a_person_made_around_ours_is_theirs(home: Home, around: str) -> None:
    theirs = around.format(ours=f"{COMMAND} hook claude-code --part 2/4")
    place = home.has(".claude/settings.json", json.dumps({"hooks": {"SessionStart": [{"hooks": [{"command": theirs}]}]}}))
    before = place.read_bytes()
    wanted = home.plan("claude-code", server=False)
    assert any(theirs in note and "stays as it is" in note for note in wanted.notes)
    connecting.apply(home.session, wanted)
    groups = json.loads(place.read_text())["hooks"]["SessionStart"]
    assert groups[0] == {"hooks": [{"command": theirs}]}
    assert [each["command"][-3:] for each in groups[1]["hooks"]] == ["1/4", "3/4", "4/4"]
    assert not home.connect("claude-code", server=False).changed
    gone = home.plan("claude-code", server=False, remove=True)
    assert any(theirs in note for note in gone.notes)
    connecting.apply(home.session, gone)
    assert place.read_bytes() == before


NEIGHBOURS = """\
# the file

[a]  # a
b = 1

# about the one before
[mcp_servers.before]
command = "x"  # inline
"""

BEHIND = """\
# about the one behind
#   over two lines
[mcp_servers."be[hi]nd"]
command = "y"

# about c, with [brackets]
[[c]]
d = 1
"""


@pytest.mark.draw(3)
@pytest.mark.parametrize("gap", ["\n", "", "\n\n"])
@pytest.mark.parametrize("agent", ["codex", "zerostack"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_comments_above_a_neighbours_table_stay_its_own(home: Home, agent: str, gap: str, newline: str) -> None:
    first = Path(home.plan(agent, hooks=False).files[0].place)
    first.parent.mkdir(parents=True, exist_ok=True)
    first.write_bytes(NEIGHBOURS.replace("\n", newline).encode())
    home.connect(agent, hooks=False)
    first.write_bytes(first.read_bytes() + (gap + BEHIND).replace("\n", newline).encode())
    home.connect(agent, hooks=False, remove=True)
    left = first.read_bytes().decode().replace(newline, "\n")
    assert [line for line in left.split("\n") if line] == [line for line in (NEIGHBOURS + BEHIND).split("\n") if line]
    assert left.startswith(NEIGHBOURS) and left.endswith(BEHIND)


@pytest.mark.parametrize(
    "text",
    [
        "[mcp_servers]\n# about ours\nzsmem = {command = 'zsmem', args = ['mcp']}\n# about the other\n[other]\na = 1\n",
        "[mcp_servers]\nzsmem.command = 'zsmem'\nzsmem.args = ['mcp']\n# about the other\n[other]\na = 1\n",
        "mcp_servers.zsmem.command = 'zsmem'\nmcp_servers.zsmem.args = ['mcp']\n\n# about the other\n[other]\na = 1\n",
        "[mcp_servers.zsmem]\ncommand = 'zsmem'\nargs = [\n  'mcp',\n]\n# about the other\n[other]\na = 1\n",
        "[mcp_servers.zsmem]\ncommand = 'zsmem'\nargs = ['mcp']\n[mcp_servers.zsmem.env]\nA = '1'\n"
        "# about the other\n[other]\na = 1\n",
        "# about the other\n[other]\na = 1\n[mcp_servers.zsmem]\ncommand = 'zsmem'\nargs = ['mcp']\n# at the end\n",
    ],
)
def test_comments_stay_however_ours_is_written(home: Home, text: str) -> None:
    place = home.has(".codex/config.toml", text)
    assert home.connect("codex", hooks=False, remove=True).changed
    left = place.read_text()
    assert "zsmem" not in left and tomllib.loads(left)["other"] == {"a": 1} and "# about the other\n[other]" in left
    assert left.count("#") == text.count("#")


def test_an_empty_toml_file_is_settings_once_nobody_is_at_it(home: Home) -> None:
    place = home.has(".codex/config.toml", "")
    os.utime(place, (1, 1))
    home.connect("codex", hooks=False)
    assert "zsmem" in place.read_text()


def test_taking_out_what_lies_behind_a_link_leaves_the_link(home: Home, tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    home.has(".config/opencode/keep", "")
    (home.home / ".config/opencode/plugins").symlink_to(tmp_path / "dotfiles")
    home.connect("opencode")
    assert (tmp_path / "dotfiles/zsmem.js").exists()
    home.connect("opencode", remove=True)
    assert not list((tmp_path / "dotfiles").iterdir()) and (home.home / ".config/opencode/plugins").is_symlink()
