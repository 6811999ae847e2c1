"""The `zsmem connect` command: connect, disconnect and check agents."""

from __future__ import annotations

import argparse

from zsmem_tui.cli.output import WAS_DRY, Exit, put_either, put_json, put_line, put_lines, say, tell
from zsmem_tui.cli.reporting import put_changes
from zsmem_tui.core.errors import ConfigError
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.visible import visible, visible_line
from zsmem_tui.service import agent_command, connecting
from zsmem_tui.service.connecting import AgentLine, ConnectPlan, Wish
from zsmem_tui.service.session import Session

EXAMPLES = """\
  zsmem connect
  zsmem connect claude-code --dry-run
  zsmem connect claude-code && zsmem connect claude-code --check
  zsmem connect codex --scope project --no-hooks
  zsmem connect claude-code --remove"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("agent", nargs="?", default="", metavar="AGENT", help="the agent; without one, all are listed")
    parser.add_argument("--scope", choices=["user", "project"], default="", help="your settings, or this project's")
    parser.add_argument("--no-hooks", action="store_true", help="only the server")
    parser.add_argument("--no-mcp", action="store_true", help="only the hooks")
    parser.add_argument("--remove", action="store_true", help="take zsmem out of its settings again, and nothing else")
    parser.add_argument("--check", action="store_true", help="start what is configured, as the agent would, and say what works")
    parser.add_argument("--plugin", metavar="DIR", help="write a plugin folder instead of changing settings")


def run(session: Session, args: argparse.Namespace) -> int:
    """List, connect, disconnect or check."""
    if not args.agent:
        if args.remove or args.check or args.plugin:
            raise ConfigError("Name the agent. Nothing was done.", "`zsmem connect` lists them.")
        return _list(session, args)
    if args.check and (args.remove or args.plugin):
        raise ConfigError("--check only looks: it goes with neither --remove nor --plugin. Nothing was done.")
    if args.no_hooks and args.no_mcp:
        raise ConfigError("--no-hooks and --no-mcp leave nothing to do. Nothing was done.")
    if args.check:
        return _check(session, args)
    wish = Wish(args.scope, not args.no_mcp, not args.no_hooks, args.remove, args.plugin or "")
    return _connect(session, args, connecting.plan(session, args.agent, wish))


def _connect(session: Session, args: argparse.Namespace, wanted: ConnectPlan) -> int:
    changes = []
    for each in wanted.changed:
        if each.run and not args.json:
            put_line(f"The agent's own command changes the server: {agent_command.shown(each.run)}")
        changes.append(put_changes(args, each.place, each.before, each.after) | {"run": list(each.run)})
    message = connecting.would(wanted)
    undo_problem = ""
    if not args.dry_run:
        done = connecting.apply(session, wanted)
        message, undo_problem = done.message, done.undo_problem
    tell(args, message)
    if args.json:
        left = [{"path": printable_path(each.place), "why": each.left, "snippet": each.snippet} for each in wanted.left]
        put_json(
            {
                "agent": wanted.agent,
                "message": message,
                "dry_run": args.dry_run,
                "changes": changes,
                "left": left,
                "notes": list(wanted.notes),
                "gives": wanted.gives,
            }
        )
    else:
        for each in wanted.left:
            if each.snippet:
                put_lines(f"This goes into {visible_line(printable_path(each.place))}:\n{visible(each.snippet).rstrip()}")
        put_line(message)
        if wanted.gives:
            put_line(wanted.gives)
    for each in wanted.left:
        say(each.left)
    for note in wanted.notes:
        say(note)
    if args.dry_run:
        say(WAS_DRY)
    if undo_problem:
        say(f"Undo is off. {undo_problem}")
    return Exit.NOTHING if wanted.left else Exit.DONE


def _list(session: Session, args: argparse.Namespace) -> int:
    lines = connecting.agents(session)
    here = ("installed" if each.has_program else "not on PATH" if each.installed else "no program" for each in lines)
    rows = (f"{each.name:<12} {is_here:<11} {_words(each)}".rstrip() for each, is_here in zip(lines, here, strict=True))
    put_either(args, {"agents": [_as_json(line) for line in lines]}, rows)
    if not args.json:
        say(f"A connected agent searches and writes {connecting.given(session)}.")
    for each in [found for line in lines for found in line.connected if found.problem and not args.json]:
        say(each.problem)
    return Exit.DONE


def _words(line: AgentLine) -> str:
    found = [f"{each.scope.value}: {each.words}" for each in line.connected if each]
    return "; ".join(found) if found else "not connected"


def _as_json(line: AgentLine) -> dict[str, object]:
    return {
        "agent": line.name,
        "installed": line.installed,
        "connected": [
            {
                "scope": each.scope.value,
                "server": list(each.server),
                "hooks": each.hooks,
                "plugin": each.plugin,
                "current": each.is_current,
                "problem": each.problem,
            }
            for each in line.connected
        ],
    }


def _check(session: Session, args: argparse.Namespace) -> int:
    from zsmem_tui.service import connect_check  # deferred: imports `subprocess` and threads

    found = connect_check.check(session, args.agent, args.scope)
    rows = (f"{'works ' if each.works else 'FAILS '} {each.what}: {visible(each.words)}" for each in found)
    put_either(args, {"agent": args.agent, "checks": [each._asdict() for each in found]}, rows)
    return Exit.DONE if found and all(each.works for each in found) else Exit.NOTHING
