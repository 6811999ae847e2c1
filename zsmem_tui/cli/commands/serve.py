"""The `zsmem serve` command: the program in a browser."""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from importlib.util import find_spec
from typing import Final

from zsmem_tui.cli.main import which_memory
from zsmem_tui.cli.output import Exit, put_line, say
from zsmem_tui.core.errors import ConfigError
from zsmem_tui.service.session import Session

EXAMPLES = """\
  zsmem serve
  ssh -L 8080:127.0.0.1:8080 desk zsmem serve --port 8080
  zsmem serve --project lantern-2cf21588

The token becomes a cookie (zsmem-PORT) that scripts cannot read and other sites never make a browser
send. Browsers send it to every server on that host, whatever its port: where others run servers on
this machine, open the address in a private window. It ends with the browser, and is worth nothing
once this server has ended."""

_ADDRESS: Final = re.compile(r"[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(?:%[\w.-]{1,16})?|[\w-]{1,63}(?:\.[\w-]{1,63}){0,20}\.?", re.ASCII)
"""An IPv6 address with an optional zone, or a host name or IPv4 address."""

_LOOPBACK: Final = "127.0.0.1"
_LAST_PORT: Final = 65_535


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "--host",
        metavar="ADDR",
        type=_host,
        default=_LOOPBACK,
        help=f"the address to listen on (default {_LOOPBACK}: this machine alone)",
    )
    parser.add_argument("--port", metavar="N", type=_port, default=8000, help="the port to listen on (default 8000)")


def run(session: Session, args: argparse.Namespace) -> int:
    """Print the address with its token, and serve until stopped."""
    if find_spec("textual_serve") is None:
        raise ConfigError(
            "zsmem serve needs textual-serve, which is not installed. Nothing was served.",
            "Install it with: pip install 'zsmem-tui[serve]'",
        )
    from socket import gethostname  # deferred: needed only for the server

    from zsmem_tui.cli.web import Gate, GatedServer, is_loopback, new_token, run  # deferred: 300 ms, with a web server

    token, at_home = new_token(), is_loopback(args.host)
    gate = Gate(token, frozenset() if at_home else frozenset({gethostname(), args.host}), is_loopback=at_home)
    shown = f"[{args.host}]" if ":" in args.host else args.host

    def tell() -> None:
        put_line(f"http://{shown}:{args.port}/?token={token}")
        say("Whoever has this address can read and change the memory. Ctrl+C ends it.")
        if not at_home:
            say(f"It listens on {args.host}, without encryption: others on the way can read along. An ssh tunnel is safer.")

    try:
        run(GatedServer(_command(args), gate, args.host, args.port, "zsmem"), tell)
    except OSError as error:
        raise ConfigError(f"{shown}:{args.port} cannot be listened on: {error.strerror or error}. Nothing was served.") from error
    return Exit.DONE


def _command(args: argparse.Namespace) -> str:
    """The command line that starts the program for a page, on the same memory."""
    words = [sys.executable, "-m", "zsmem_tui", *(f"{option}={value}" for option, value in which_memory(args))]
    return f"exec {shlex.join(words)}"  # so that no shell stays around


def _host(word: str) -> str:
    """Parse a host name or address; an IPv6 address may have brackets."""
    bare = word[1:-1] if word.startswith("[") and word.endswith("]") else word
    if not _ADDRESS.fullmatch(bare):
        raise argparse.ArgumentTypeError(f"{word!r} is neither an address nor a name of this machine")
    return bare


def _port(word: str) -> int:
    number = int(word) if word.isascii() and word.isdecimal() and len(word) <= len(str(_LAST_PORT)) else 0
    if not 1 <= number <= _LAST_PORT:
        raise argparse.ArgumentTypeError(f"{word!r} is no port: they go from 1 to {_LAST_PORT}")
    return number
