"""`zsmem context`."""

from __future__ import annotations

import argparse

from zsmem_tui.cli.diagnostics import Exit, say
from zsmem_tui.cli.output import put, put_json
from zsmem_tui.core.compaction import estimate_tokens
from zsmem_tui.service.previewing import warnings
from zsmem_tui.service.session import Session

EXAMPLES = """\
  zsmem context
  zsmem context --profile zerostack-1.7 | diff <(zsmem context) -
  zsmem context --json | jq .tokens"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """It has none of its own."""


def run(session: Session, args: argparse.Namespace) -> int:
    """Print the block and nothing else, without a line break that it does not have."""
    block = session.mem().context_block()
    text = block or ""
    noticed = warnings(session)
    if args.json:
        size = len(text.encode())
        put_json(
            {
                "text": text,
                "bytes": size,
                "cap": session.config.inject_cap,
                "tokens": estimate_tokens(text) if text else 0,
                "warnings": noticed,
            }
        )
    else:
        put(text)
    for warning in noticed:
        say(warning)
    if block is None:
        say("Nothing goes into the prompt: there is no memory that agents could read.")
    return Exit.NOTHING if block is None else Exit.DONE
