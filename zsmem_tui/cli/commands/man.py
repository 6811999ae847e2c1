"""`zsmem man`."""

from __future__ import annotations

import argparse

from zsmem_tui.cli.output import Exit, put
from zsmem_tui.service import help
from zsmem_tui.service.session import Session

EXAMPLES = """\
  zsmem man | man -l -
  zsmem man > ~/.local/share/man/man1/zsmem.1"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """It has none of its own."""


def run(session: Session, args: argparse.Namespace) -> int:
    """Print the page."""
    put(help.man_page())
    return Exit.DONE
