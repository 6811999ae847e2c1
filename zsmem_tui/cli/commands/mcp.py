"""The `zsmem mcp` command: start the MCP server."""

from __future__ import annotations

import argparse
import sys
from typing import Final

from zsmem_tui.cli.output import Exit, say
from zsmem_tui.core.errors import ConfigError
from zsmem_tui.mcp.methods import Server
from zsmem_tui.mcp.served import Options, Served
from zsmem_tui.mcp.wire import on_standard_streams
from zsmem_tui.service.session import Session
from zsmem_tui.service.which_project import started

EXAMPLES = """\
  zsmem mcp
  zsmem mcp --read-only
  zsmem mcp --tool-prefix zsmem_
  zsmem mcp --cwd ~/code/lantern

What an agent reads or searches through it lies in the store: a link that leads out of it is refused,
and passed over by searches."""

_LONGEST_PREFIX: Final = 32
"""In characters; agents refuse tool names of more than 64."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--read-only", action="store_true", help="leave out the tools that write")
    parser.add_argument(
        "--tool-prefix", metavar="PREFIX", default="", help="before each tool's name, for an agent with a memory_search of its own"
    )


def run(session: Session, args: argparse.Namespace) -> int:
    """Serve an agent over standard input and output until it disconnects."""
    prefix: str = args.tool_prefix
    if len(prefix) > _LONGEST_PREFIX or not all(char.isascii() and (char.isalnum() or char in "_-") for char in prefix):
        raise ConfigError("--tool-prefix may have 32 letters, digits, _ and -. Nothing was served.")
    if args.store:
        raise ConfigError("mcp serves zerostack's memory: --store has no meaning with it. Nothing was served.")
    if sys.stdin is not None and sys.stdin.isatty():
        say("an agent starts this and talks to it over standard input. ctrl+d ends it.")
    served = Served(session, started(args.project or "", args.cwd or ""), Options(args.read_only, prefix))
    Server(on_standard_streams(), served).run()
    return Exit.DONE
