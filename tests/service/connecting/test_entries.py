"""Connecting agents: what is written where, and that nothing else ever changes."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import tomlkit

from tests.service.connecting.conftest import COMMAND, Home
from zsmem_tui.agents import registry
from zsmem_tui.agents.connection import Scope, What
from zsmem_tui.core.errors import BadTarget, MemError, Unreadable, WriteFailed
from zsmem_tui.service import connecting, history
from zsmem_tui.service.undoing import skip, undo
from zsmem_tui.store.transfer import connections


def test_claude_code_gets_a_server_and_its_hooks(home: Home) -> None:
    home.connect("claude-code")
    assert home.json(".claude.json") == {"mcpServers": {"zsmem": {"type": "stdio", "command": COMMAND, "args": ["mcp"], "env": {}}}}
    hooks = home.json(".claude/settings.json")["hooks"]
    (start,) = hooks["SessionStart"]
    assert start["matcher"] == "startup|resume|clear|compact|fork"
    assert start["hooks"] == [
        {"type": "command", "command": f"{COMMAND} hook claude-code --part {part}/4", "timeout": 10} for part in (1, 2, 3, 4)
    ]
    assert [each["command"] for each in hooks["PostCompact"][0]["hooks"]] == [f"{COMMAND} hook claude-code"]


def test_codex_gets_a_table_and_five_parts(home: Home) -> None:
    home.connect("codex")
    found = tomllib.loads((home.home / ".codex/config.toml").read_text())["mcp_servers"]["zsmem"]
    assert found == {"command": COMMAND, "args": ["mcp"], "startup_timeout_sec": 10}
    assert len(home.json(".codex/hooks.json")["hooks"]["SessionStart"][0]["hooks"]) == 5
    assert any("/hooks" in note for note in home.plan("codex").notes)


def test_a_project_of_codex_is_told_its_folder(home: Home) -> None:
    home.connect("codex", scope="project", hooks=False)
    found = tomllib.loads((home.project / ".codex/config.toml").read_text())["mcp_servers"]["zsmem"]
    assert (found["args"], found["cwd"]) == (["mcp", "--cwd", str(home.project)], str(home.project))
    assert not (home.project / ".codex/hooks.json").exists()


def test_the_other_agents_get_their_entries(home: Home) -> None:
    for agent in ("opencode", "gemini", "cursor", "vscode", "zerostack"):
        home.connect(agent)
    server = {"command": COMMAND, "args": ["mcp"]}
    assert home.json(".config/opencode/opencode.json") == {
        "mcp": {"zsmem": {"type": "local", "command": [COMMAND, "mcp"], "enabled": True}}
    }
    gemini = home.json(".gemini/settings.json")
    assert gemini["mcpServers"] == {"zsmem": server}
    assert gemini["hooks"]["SessionStart"][0]["hooks"][0]["timeout"] == 10_000
    assert home.json(".cursor/mcp.json") == {"mcpServers": {"zsmem": server}}
    assert home.json(".cursor/hooks.json") == {
        "version": 1,
        "hooks": {"sessionStart": [{"command": f"{COMMAND} hook cursor", "timeout": 10}]},
    }
    assert json.loads((home.project / ".vscode/mcp.json").read_text()) == {
        "servers": {"zsmem": {"type": "stdio", "command": COMMAND, "args": ["mcp", "--cwd", "${workspaceFolder}"]}}
    }
    zerostack = tomllib.loads((home.home / ".local/share/zerostack/config.toml").read_text())
    assert zerostack["mcp_servers"]["zsmem"] == {"command": COMMAND, "args": ["mcp", "--tool-prefix", "zsmem_"]}


@pytest.mark.parametrize(
    ("variable", "value", "there", "place"),
    [
        ("ZS_CONFIG_DIR", "~/own", "", "own"),
        ("ZS_DATA_DIR", "$HOME/data", "", "data"),
        ("ZS_CONFIG_DIR", "~/own", ".config/zerostack", ".config/zerostack"),
    ],
)
def test_zerostack_is_connected_where_its_configuration_is(
    home: Home, monkeypatch: pytest.MonkeyPatch, variable: str, value: str, there: str, place: str
) -> None:
    monkeypatch.setenv(variable, value)
    if there:
        home.has(f"{there}/config.toml", "a = 1\n")
    home.connect("zerostack")
    assert [path for path, raw in home.files().items() if b"mcp_servers" in raw] == [str(home.home / place / "config.toml")]


@pytest.mark.parametrize("agent", registry.with_clients())
def test_a_second_run_changes_nothing_and_removing_leaves_what_was_there(home: Home, agent: str) -> None:
    mine = '{"mine": {"x": 1}}'
    texts = {
        ".claude.json": '{\n  "mcpServers": {}\n}\n',
        ".claude/settings.json": mine,
        ".codex/config.toml": "# mine\n\n\n[a]\nb = 1",
    }
    texts |= {
        ".gemini/settings.json": mine,
        ".cursor/mcp.json": "{}",
        ".config/opencode/opencode.json": mine,
        ".codex/hooks.json": " \n",
    }
    for path, text in texts.items():
        home.has(path, text)
    before = home.files()
    assert home.connect(agent).changed and home.files() != before
    done = home.connect(agent)
    assert not done.changed and "connected already" in done.message
    assert home.connect(agent, remove=True).changed and home.files() == before
    done = home.connect(agent, remove=True)
    assert not done.changed and "nothing of zsmem's" in done.message


@pytest.mark.parametrize("agent", registry.with_clients())
def test_undo_and_redo_are_byte_for_byte(home: Home, agent: str) -> None:
    before = home.files()
    home.connect(agent)
    after = home.files()
    assert undo(home.session).message.startswith("Undid: Connected ") and home.files() == before
    assert undo(home.session, redo=True).message.startswith("Redid: Connected ") and home.files() == after
    home.connect(agent, remove=True)
    assert undo(home.session).message.startswith("Undid: Disconnected ") and home.files() == after


def test_undo_takes_only_our_entry_out_of_what_the_agent_wrote_meanwhile(home: Home) -> None:
    home.connect("claude-code")
    place = home.home / ".claude.json"
    found = json.loads(place.read_text())
    place.write_text(json.dumps({"starts": 7, **found}, indent=4))
    undo(home.session)
    assert json.loads(place.read_text()) == {"starts": 7} and not (home.home / ".claude/settings.json").exists()


def test_undo_of_a_file_that_is_broken_now_is_refused_and_can_be_passed_over(home: Home) -> None:
    home.connect("cursor", hooks=False)
    place = home.has(".cursor/mcp.json", "{broken")
    with pytest.raises(WriteFailed, match="line 1, column 2"):
        undo(home.session)
    assert place.read_text() == "{broken" and skip(home.session).changed
    assert undo(home.session).message == "Nothing to undo."


def test_hooks_in_two_scopes_are_noticed(home: Home) -> None:
    home.connect("claude-code")
    assert not home.plan("claude-code").notes and not home.plan("claude-code", scope="project", hooks=False).notes
    assert "--remove --scope user" in home.plan("claude-code", scope="project").notes[0]


def test_no_more_copies_of_settings_are_kept_than_undo_needs(home: Home) -> None:
    for _ in range(12):
        home.connect("cursor", hooks=False)
        home.connect("cursor", hooks=False, remove=True)
    kept = list((home.home / ".local/state/zsmem/connections").rglob("*.json"))
    assert len(kept) == 20 and all(each.stat().st_mode & 0o077 == 0 for each in kept)


def test_only_what_was_asked_for_is_taken_out(home: Home) -> None:
    home.connect("claude-code")
    home.connect("claude-code", remove=True, server=False)
    assert "zsmem" in home.json(".claude.json")["mcpServers"] and not (home.home / ".claude/settings.json").exists()
    home.connect("gemini")
    home.connect("gemini", remove=True, hooks=False)
    assert home.json(".gemini/settings.json").keys() == {"hooks"}


def test_what_a_person_added_to_our_entry_stays(home: Home) -> None:
    entry = {"command": "/old/zsmem", "args": ["mcp", "--read-only"], "env": {"ZSMEM_CONFIG": "/x"}, "disabled": False}
    home.has(".claude.json", json.dumps({"mcpServers": {"zsmem": entry, "b": {"command": "b"}}}))
    home.connect("claude-code", hooks=False)
    found = home.json(".claude.json")["mcpServers"]
    assert found["zsmem"] == {**entry, "type": "stdio", "command": COMMAND, "args": ["mcp"]} and found["b"] == {"command": "b"}


@pytest.mark.draw(3)
@pytest.mark.parametrize(
    "theirs",
    [
        {"type": "http", "url": "https://example.org/mcp", "headers": {"Authorization": "x"}},
        {"command": "/opt/other/thing", "args": ["serve"], "env": {"K": "v"}},
        {"command": "zsmem-viewer", "args": ["mcp"]},
        {"command": ["/opt/other/thing", "mcp"]},
        "theirs",
    ],
)
@pytest.mark.parametrize("agent", registry.with_clients())
def test_a_server_of_our_name_that_is_not_ours_is_left_alone(home: Home, agent: str, theirs: object) -> None:
    home.connect(agent, hooks=False)
    place = next(
        entry.place for entry in connecting.client_called(agent).entries(home.plan(agent).setup) if entry.what is What.SERVER
    )
    if place.endswith(".toml"):
        values = theirs if isinstance(theirs, dict) else {"x": theirs}
        Path(place).write_text(tomlkit.dumps({"mcp_servers": {"zsmem": values}}))
    else:
        (key, _), *_ = json.loads(Path(place).read_text()).items()
        Path(place).write_text(json.dumps({key: {"zsmem": theirs}}))
    before = home.files()
    with pytest.raises(WriteFailed, match="called zsmem that is not ours"):
        home.connect(agent, hooks=False)
    assert not home.connect(agent, remove=True, hooks=False).changed and home.files() == before
    assert not any(each.server for line in connecting.agents(home.session) if line.name == agent for each in line.connected)


def test_our_server_is_known_whatever_starts_it(home: Home) -> None:
    for words in (["/old/place/zsmem", "mcp"], ["uvx", "zsmem", "--root", "/x", "mcp", "--read-only"]):
        home.has(".cursor/mcp.json", json.dumps({"mcpServers": {"zsmem": {"command": words[0], "args": words[1:]}}}))
        assert home.connect("cursor", hooks=False).changed and home.connect("cursor", remove=True, hooks=False).changed


def test_hooks_of_another_release_are_replaced_and_those_of_others_stay(home: Home) -> None:
    old = {"hooks": [{"type": "command", "command": "'/old place/zsmem' hook claude-code --part 1/2"}, {"command": "lint"}]}
    home.has(
        ".claude/settings.json", json.dumps({"hooks": {"SessionStart": [old], "Stop": [{"hooks": [{"command": "zsmem status"}]}]}})
    )
    home.connect("claude-code", server=False)
    found = home.json(".claude/settings.json")["hooks"]
    assert found["SessionStart"][0] == {"hooks": [{"command": "lint"}]} and len(found["SessionStart"][1]["hooks"]) == 4
    assert found["Stop"] == [{"hooks": [{"command": "zsmem status"}]}]


def test_a_file_with_comments_is_left_alone_and_the_snippet_is_given(home: Home) -> None:
    place = home.has(".config/opencode/opencode.jsonc", "{\n  // mine\n}\n")
    wanted = home.plan("opencode", hooks=False)
    assert [each.place for each in wanted.left] == [str(place)] and '"zsmem"' in wanted.left[0].snippet
    assert "line 2, column 3: it has comments" in wanted.left[0].left
    done = connecting.apply(home.session, wanted)
    assert not done.changed and done.warning and place.read_text() == "{\n  // mine\n}\n"


@pytest.mark.parametrize("agent", ["claude-code", "opencode", "gemini", "cursor", "vscode"])
def test_what_a_person_has_put_into_a_file_with_comments_is_seen(home: Home, agent: str) -> None:
    before = home.files()
    home.connect(agent)
    for place, raw in home.files().items():
        if place.endswith(".json") and raw != before.get(place):
            Path(place).write_bytes(
                b"// mine, not /* yours\n" + raw.rstrip()[:-1] + b', "note": "// \\" /* no comment", }\n/* end */'
            )
    connected = home.files()
    done = home.connect(agent)
    assert not done.changed and not done.warning and "connected already" in done.message
    (found,) = (line for line in connecting.agents(home.session) if line.name == agent)
    (one,) = filter(None, found.connected)
    assert one.server and one.is_current and not one.problem
    assert home.connect(agent, remove=True).warning
    assert {place: raw for place, raw in home.files().items() if place.endswith(".json")} == {
        place: raw for place, raw in connected.items() if place.endswith(".json")
    }


def test_a_file_with_comments_and_nothing_of_ours_has_nothing_of_ours(home: Home) -> None:
    home.has(".gemini/settings.json", '{\n  // mine\n  "hooks": {"SessionStart": [{"hooks": [{"command": "lint"}]},]}\n}\n')
    done = home.connect("gemini", remove=True)
    assert "nothing of zsmem's" in done.message and not done.warning


@pytest.mark.parametrize(
    ("agent", "path", "raw", "where"),
    [
        ("claude-code", ".claude.json", b'{\n "a": }\n', "line 2, column 7"),
        ("claude-code", ".claude/settings.json", b'{"hooks": []}', "line 1, column 11"),
        ("cursor", ".cursor/mcp.json", b"{\n\xff}", "line 2, column 1: it is not valid UTF-8"),
        ("codex", ".codex/config.toml", b"a = 1\nb = \n", "line 2"),
        ("zerostack", ".config/zerostack/config.toml", b"mcp_servers = 5\n", "is no table"),
    ],
)
def test_a_broken_file_is_refused_with_its_place_and_nothing_is_written(
    home: Home, agent: str, path: str, raw: bytes, where: str
) -> None:
    home.has(path, raw)
    before = home.files()
    with pytest.raises(WriteFailed) as refused:
        home.connect(agent)
    assert where in str(refused.value) and str(home.home / path) in str(refused.value)
    with contextlib.suppress(WriteFailed):
        assert not home.connect(agent, remove=True).changed
    assert home.files() == before


def test_a_byte_order_mark_stays(home: Home) -> None:
    place = home.has(".cursor/mcp.json", b'\xef\xbb\xbf{"a": 1}')
    home.connect("cursor", hooks=False)
    assert place.read_bytes().startswith(b'\xef\xbb\xbf{"a": 1, "mcpServers"')


def test_a_settings_file_behind_a_link_is_changed_where_it_lies(home: Home, tmp_path: Path) -> None:
    (home.home / ".cursor").mkdir()
    (tmp_path / "dotfile.json").write_text("{}")
    (tmp_path / "dotfile.json").chmod(0o640)
    (home.home / ".cursor/mcp.json").symlink_to(tmp_path / "dotfile.json")
    home.connect("cursor", hooks=False)
    assert (home.home / ".cursor/mcp.json").is_symlink() and "zsmem" in (tmp_path / "dotfile.json").read_text()
    assert (tmp_path / "dotfile.json").stat().st_mode & 0o777 == 0o640


def test_what_is_no_file_is_refused(home: Home) -> None:
    (home.home / ".cursor/mcp.json").mkdir(parents=True)
    with pytest.raises(MemError, match="it is a folder"):
        home.connect("cursor")
    shutil.rmtree(home.home / ".cursor")
    (home.home / ".cursor").mkdir()
    (home.home / ".cursor/mcp.json").symlink_to("nowhere")
    with pytest.raises(MemError, match="a link that leads nowhere"):
        home.connect("cursor")
    (home.home / ".cursor/mcp.json").unlink()
    os.mkfifo(home.home / ".cursor/mcp.json")
    with pytest.raises(MemError, match="not an ordinary file"):
        home.connect("cursor")
    home.has(".codex", "a file")
    with pytest.raises(MemError, match=r"\.codex"):
        home.connect("codex")


def test_a_file_that_may_not_be_written_or_read_is_refused(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    home.has(".cursor/mcp.json", "{}")
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may do anything
    with pytest.raises(WriteFailed, match="write-protected"):
        home.connect("cursor")
    real = os.open

    def refuse(path: str, *options: Any) -> int:
        if str(path).endswith("mcp.json"):
            raise PermissionError(13, "Permission denied", path)
        return real(path, *options)

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(Unreadable, match=r"Permission denied\. Nothing was written\."):
        home.connect("cursor")


def test_what_a_program_wrote_between_plan_and_write_stays_and_ours_is_added(home: Home) -> None:
    wanted = home.plan("claude-code")
    place = home.has(".claude/settings.json", '{"theirs": 1}')
    connecting.apply(home.session, wanted)
    assert home.json(".claude/settings.json").keys() == {"theirs", "hooks"} and "zsmem" in home.json(".claude.json")["mcpServers"]
    undo(home.session)
    assert place.read_text() == '{"theirs": 1}'


def test_a_file_that_was_broken_between_plan_and_write_takes_back_the_whole_step(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "WAIT", 0.05)
    wanted = home.plan("claude-code")
    place = home.has(".claude/settings.json", '{"theirs": ')
    with pytest.raises(WriteFailed, match=r"ends too early.* Nothing was written\.$"):
        connecting.apply(home.session, wanted)
    assert not (home.home / ".claude.json").exists() and place.read_text() == '{"theirs": '
    assert undo(home.session).message == "Nothing to undo."


def test_a_state_folder_that_cannot_be_written_takes_undo_away_and_nothing_else(
    home: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ZSMEM_STATE_DIR", str(tmp_path / "file" / "state"))
    done = home.connect("cursor")
    assert done.changed == 2 and "cannot be undone" in done.undo_problem and "zsmem" in home.json(".cursor/mcp.json")["mcpServers"]
    home.has(".claude/settings.json", "{}")
    with pytest.raises(WriteFailed, match=r"cannot be undone\. Nothing was written\.$"):
        home.connect("claude-code")
    assert not (home.home / ".claude.json").exists(), "nor is another file written before the one that holds something"


def test_an_agent_or_scope_that_there_is_not_is_refused(home: Home) -> None:
    with pytest.raises(BadTarget, match="no agent 'nope'"):
        home.plan("nope")
    with pytest.raises(BadTarget, match="no other settings"):
        home.plan("vscode", scope="other")
    with pytest.raises(BadTarget, match="no plugin folder"):
        home.plan("codex", plugin="x")


def test_the_list_says_what_is_installed_and_connected(home: Home) -> None:
    (home.home / ".codex").mkdir()
    home.connect("gemini", server=False)
    home.has(".cursor/mcp.json", "{broken")
    lines = {line.name: line for line in connecting.agents(home.session)}
    assert lines["codex"].installed and not any(lines["codex"].connected)
    first = [line.name for line in lines.values() if line.installed or any(line.connected)]
    assert list(lines)[: len(first)] == first and {"codex", "gemini"} <= {*first}
    gemini = lines["gemini"].connected[0]
    assert (gemini.server, gemini.hooks, gemini.is_current) == ((), 1, True)
    assert "column 2" in lines["cursor"].connected[0].problem


@pytest.mark.parametrize("command", ["/opt/my tools/zsmem", "zsmem"])
def test_hooks_are_known_as_ours_wherever_the_program_lies(home: Home, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.setattr(connecting, "own_command", lambda: command)
    home.connect("claude-code")
    assert not home.connect("claude-code").changed
    monkeypatch.setattr(connecting, "own_command", lambda: COMMAND)
    assert home.connect("claude-code", remove=True).changed == 2
    assert not (home.home / ".claude.json").exists()


def test_a_changed_plugin_of_opencode_is_left_alone(home: Home) -> None:
    home.connect("opencode")
    place = home.home / ".config/opencode/plugins/zsmem.js"
    place.write_text(place.read_text() + "// mine\n")
    wanted = home.plan("opencode", remove=True)
    assert [each.place for each in wanted.left] == [str(place)]
    connecting.apply(home.session, wanted)
    assert place.exists() and not (home.home / ".config/opencode/opencode.json").exists()
    place.write_text("export const other = 1\n")
    assert home.plan("opencode").left[0].place == str(place)


@pytest.mark.program("node")
def test_the_plugin_of_opencode_is_javascript(home: Home, tmp_path: Path) -> None:
    home.connect("opencode")
    shutil.copy(home.home / ".config/opencode/plugins/zsmem.js", tmp_path / "zsmem.mjs")
    subprocess.run(["node", "--check", str(tmp_path / "zsmem.mjs")], check=True, capture_output=True)


HARNESS = """\
import { ZsmemPlugin } from "./zsmem.mjs"
const parts = [{ type: "text", text: "We chose" }, { type: "tool" }, { type: "text", text: "SQLite." }]
const messages = [{ info: { role: "assistant" }, parts: [] }, { info: { role: "assistant", summary: true }, parts }]
const client = { session: { messages: async () => ({ data: messages }) } }
const plugin = await ZsmemPlugin({ client, directory: process.cwd() })
for (const time of [1, 2]) {
  const output = { system: [] }
  await plugin["experimental.chat.system.transform"]({ sessionID: "s1" }, output)
  console.log(JSON.stringify(output.system))
}
await plugin.event({ event: { type: "session.idle", properties: {} } })
await plugin.event({ event: { type: "session.compacted", properties: { sessionID: "s1" } } })
"""


@pytest.mark.program("node")
def test_the_plugin_gives_opencode_memory_once_a_session_and_brings_summaries(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = tmp_path / "zsmem"
    fake.write_text('#!/bin/sh\necho "$@" >> "$0.log"\ncat >> "$0.log"\necho >> "$0.log"\nprintf "the block"\n')
    fake.chmod(0o755)
    monkeypatch.setattr(connecting, "own_command", lambda: str(fake))
    home.connect("opencode")
    shutil.copy(home.home / ".config/opencode/plugins/zsmem.js", tmp_path / "zsmem.mjs")
    (tmp_path / "harness.mjs").write_text(HARNESS)
    done = subprocess.run(["node", "harness.mjs"], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert done.stdout == '["the block"]\n["the block"]\n'
    first, begun, second, compacted, _ = fake.with_name("zsmem.log").read_text().split("\n")
    assert first == second == "hook opencode"  # not `context`, whose bytes a text in it can end
    told = {"session_id": "s1", "cwd": str(tmp_path)}
    assert json.loads(begun) == {"hook_event_name": "session.started", **told}
    assert json.loads(compacted) == {"hook_event_name": "session.compacted", **told, "summary": "We chose\nSQLite."}


def test_a_plugin_folder_for_claude_code_is_written_and_taken_away(home: Home, tmp_path: Path) -> None:
    folder = tmp_path / "plugin"
    assert home.connect("claude-code", plugin=str(folder)).changed == 3
    assert json.loads((folder / ".claude-plugin/plugin.json").read_text())["name"] == "zsmem"
    assert "zsmem" in json.loads((folder / ".mcp.json").read_text())["mcpServers"]
    assert json.loads((folder / "hooks/hooks.json").read_text())["hooks"].keys() == {"SessionStart", "PostCompact"}
    assert not home.connect("claude-code", plugin=str(folder)).changed
    (folder / ".mcp.json").write_text("{}")
    assert [Path(each.place).name for each in home.plan("claude-code", plugin=str(folder)).left] == [".mcp.json"]
    assert home.connect("claude-code", plugin=str(folder), remove=True).changed == 2
    assert (folder / ".mcp.json").read_text() == "{}" and not (folder / "hooks/hooks.json").exists()


def test_a_key_in_settings_can_be_forgotten_and_undo_keeps_the_settings(home: Home, away_from_home: Path) -> None:
    key = "sk-ant-0123456789abcdef"
    place = home.has(".gemini/settings.json", json.dumps({"key": key, "é": 1}, ensure_ascii=False))
    before = place.read_bytes()
    home.connect("gemini")
    assert "2 other places" in history.forget(home.session, key).message
    assert history.forget(home.session, key).message == "No version holds it."
    kept = [each.read_bytes() for each in (away_from_home / ".local/state").rglob("*.json")]
    assert kept and not any(key.encode() in raw or base64.b64encode(before)[:40] in raw for raw in kept)
    assert undo(home.session).message.startswith("Undid: Connected ")
    assert json.loads(place.read_bytes()) == json.loads(before)


@pytest.mark.parametrize("where", ["home", "root", "gone"])
def test_what_is_no_project_has_no_settings_of_a_project(home: Home, tmp_path: Path, where: str) -> None:
    home.connect("claude-code")
    home.session.folder = {"home": str(home.home), "root": "/", "gone": str(tmp_path / "gone")}[where]
    before = home.files()
    for agent in ("vscode", "claude-code"):
        with pytest.raises(BadTarget, match="no project" if where != "gone" else "There is no folder"):
            home.connect(agent, scope="project")
    assert home.files() == before and not (tmp_path / "gone").exists()
    for line in connecting.agents(home.session):
        assert not [each for each in line.connected if each.scope is Scope.PROJECT]
    assert not home.connect("claude-code").changed and not home.plan("claude-code").notes


def test_a_repository_of_the_whole_home_is_not_the_project_of_a_folder_in_it(home: Home) -> None:
    (home.home / ".git").mkdir()
    (home.home / "code").mkdir()
    home.session.folder = str(home.home / "code")
    home.connect("vscode")
    assert (home.home / "code/.vscode/mcp.json").exists() and not (home.home / ".vscode").exists()


def test_a_file_with_comments_that_is_broken_too_is_left_alone_as_one_with_comments(home: Home) -> None:
    home.has(".gemini/settings.json", '{\n  // mine\n  "a": [red]\n}\n')
    assert "it has comments" in home.plan("gemini").left[0].left
