"""The `zsmem man` command."""

from __future__ import annotations

import argparse

from zsmem_tui.cli.output import Exit, put
from zsmem_tui.service import help
from zsmem_tui.service.session import Session

EXAMPLES = """\
  zsmem man | man -l -
  zsmem man > ~/.local/share/man/man1/zsmem.1"""


def run(session: Session, args: argparse.Namespace) -> int:
    """Print the manual page."""
    put(help.man_page())
    return Exit.DONE
