"""`zsmem completion`: scripts for shells, and what those ask while somebody types."""

from __future__ import annotations

import argparse

from zsmem_tui.cli.exit_codes import Exit
from zsmem_tui.cli.output import put
from zsmem_tui.cli.verbs import VERBS
from zsmem_tui.service.session import Session

EXAMPLES = """\
  eval "$(zsmem completion bash)"
  zsmem completion zsh > ~/.zfunc/_zsmem
  zsmem completion fish > ~/.config/fish/completions/zsmem.fish"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which shell."""
    parser.add_argument("shell", choices=["bash", "zsh", "fish"])
    parser.add_argument("--line", metavar="TEXT", help="say what may stand at the end of this command line: what the scripts ask")


def run(session: Session, args: argparse.Namespace) -> int:
    """Print the script, or the words."""
    if args.line is None:
        from zsmem_tui.cli.shell_scripts import script  # once for each shell, not with every key

        put(script(args.shell, {name: verb.help for name, verb in VERBS.items()}))
        return Exit.DONE
    from zsmem_tui.cli.candidates import candidates  # the parser of verbs, which a script is made without
    from zsmem_tui.cli.typed import typed_words  # the same

    found = candidates(typed_words(args.line))
    put("".join(f"{row}\n" for row in (found.files, *("\t".join(word) for word in found.words))))
    return Exit.DONE
