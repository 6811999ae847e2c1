"""Connect opencode: its settings files, our server entry, and the plugin that replaces hooks."""

from __future__ import annotations

import hashlib
import json
import posixpath
import re
from typing import Any, Final

from zsmem_tui.agents.connection import MCP, Client, Entry, Scope, Setup, generated, json_server
from zsmem_tui.agents.opencode.agent import HOOK

_CONFIG: Final = ".config/opencode"
_OWN_FOLDER: Final = ".opencode"
_SERVERS: Final = ("opencode.json", "opencode.jsonc")
_PLUGIN: Final = "plugins/zsmem.js"
_HEAD: Final = re.compile(r"// Made by `zsmem connect opencode`; taken away only as it is \(([0-9a-f]{16})\)\.\n")

_BODY: Final = """\
// What it does: puts the memory of the project into the system prompt, and logs the summary of each compaction.
import { spawn } from "node:child_process"

const ZSMEM = %s
const LONGEST = 10000 // milliseconds

// The standard output of `zsmem`, or nothing: whatever goes wrong, opencode goes on without memory.
const run = (args, input) =>
  new Promise((done) => {
    let out = ""
    const child = spawn(ZSMEM, args, { stdio: ["pipe", "pipe", "ignore"], timeout: LONGEST })
    child.on("error", () => done(""))
    child.stdin.on("error", () => {})
    child.stdout.setEncoding("utf8")
    child.stdout.on("data", (piece) => (out += piece))
    child.on("close", (code) => done(code === 0 ? out : ""))
    child.stdin.end(input)
  })

export const ZsmemPlugin = async ({ client, directory }) => {
  const tell = (event) => run(["hook", "opencode"], JSON.stringify({ ...event, cwd: directory }))
  const blocks = new Map() // the memory of each session, as it was when the session began
  return {
    "experimental.chat.system.transform": async (input, output) => {
      const session = (input && input.sessionID) || ""
      if (!blocks.has(session)) blocks.set(session, tell({ hook_event_name: "session.started", session_id: session }))
      const text = await blocks.get(session)
      if (text) output.system.push(text)
    },
    event: async ({ event }) => {
      if (event.type !== "session.compacted") return
      const session = event.properties.sessionID
      blocks.delete(session)
      try {
        const { data } = await client.session.messages({ path: { id: session } })
        const last = (data || []).filter((each) => each.info.role === "assistant" && each.info.summary).pop()
        const parts = last ? last.parts : []
        const summary = parts.filter((part) => part.type === "text").map((part) => part.text).join("\\n")
        if (!summary) return
        await tell({ hook_event_name: "session.compacted", session_id: session, summary })
      } catch {
        // the compaction is never stopped for it
      }
    },
  }
}
"""


def _words(value: Any) -> list[str]:
    command = value.get("command") if isinstance(value, dict) else None
    return [str(each) for each in command] if isinstance(command, list) else []


def _entries(setup: Setup) -> list[Entry]:
    is_user = setup.scope is Scope.USER
    home = posixpath.join(setup.on.env.get("XDG_CONFIG_HOME") or posixpath.join(setup.on.home, ".config"), "opencode")
    value = {"type": "local", "command": [setup.command, MCP], "enabled": True}
    plugins = home if is_user else posixpath.join(setup.on.folder, _OWN_FOLDER)
    servers = [posixpath.join(home if is_user else setup.on.folder, name) for name in _SERVERS]
    return [
        json_server(next(filter(setup.on.is_there, servers), servers[0]), ("mcp",), value, _words),
        plugin(posixpath.join(plugins, _PLUGIN), setup.command),
    ]


def plugin(place: str, command: str) -> Entry:
    """The plugin file. One changed by the user is left alone, even if made by an earlier release."""
    body = _BODY % json.dumps(command)
    text = f"// Made by `zsmem connect opencode`; taken away only as it is ({_digest(body)}).\n{body}"
    return generated(place, text, _is_as_made, lambda there: _HEAD.match(there) is not None)


def _is_as_made(there: str) -> bool:
    found = _HEAD.match(there)
    return found is not None and found[1] == _digest(there[found.end() :])


def _digest(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()[:16]


CLIENT: Final = Client(HOOK.agent, "opencode", ("opencode",), lambda on: [posixpath.join(on.home, _CONFIG)], _entries)
