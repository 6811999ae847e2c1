"""The `zsmem completion` command: print scripts for completion in shells."""

from __future__ import annotations

import argparse
from typing import Final

from zsmem_tui.cli.output import Exit, put
from zsmem_tui.service.session import Session

EXAMPLES = """\
  eval "$(zsmem completion bash)"
  zsmem completion zsh > ~/.zfunc/_zsmem
  zsmem completion fish > ~/.config/fish/completions/zsmem.fish"""

_PROGRAMS: Final = ("zsmem", "zsmem-tui")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("shell", choices=["bash", "zsh", "fish"])


def run(session: Session, args: argparse.Namespace) -> int:
    """Print the script."""
    from argcomplete.shell_integration import shellcode  # deferred: argcomplete is needed only here

    put(shellcode(_PROGRAMS, shell=args.shell, complete_arguments=["-o", "nospace"]).lstrip("\n"))
    return Exit.DONE
