"""`zsmem completion`: scripts made from the verbs and options there are."""

from __future__ import annotations

import argparse
from typing import Final

from zsmem_tui.cli import main
from zsmem_tui.cli.exit_codes import Exit
from zsmem_tui.cli.output import put
from zsmem_tui.cli.verbs import VERBS, command
from zsmem_tui.service import formats
from zsmem_tui.service.session import Session

EXAMPLES = """\
  eval "$(zsmem completion bash)"
  zsmem completion zsh > ~/.zfunc/_zsmem
  zsmem completion fish > ~/.config/fish/completions/zsmem.fish"""

_PLACEHOLDERS: Final = {
    "SOURCE": ("long_term", "scratchpad", "daily", "note:", "list"),
    "TARGET": ("long_term", "scratchpad", "daily", "note:"),
    "FORMAT": formats.names(),
    "FORMAT|detect": (*formats.names(), "detect"),
}
"""What an argument that is shown as such a placeholder may begin with."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which shell."""
    parser.add_argument("shell", choices=["bash", "zsh", "fish"])


def run(session: Session, args: argparse.Namespace) -> int:
    """Print the script."""
    put({"bash": _bash, "zsh": _zsh, "fish": _fish}[args.shell]())
    return Exit.DONE


def _words() -> dict[str, list[str]]:
    """What may follow each verb, out of the parser: words first, then options; what the program takes, under the empty name."""
    parser = main.build_parser()
    found = {"": [*VERBS, *_options(parser)]}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            found |= {name: [*_first_words(name, sub), *_options(sub)] for name, sub in action.choices.items()}
    return found


def _options(parser: argparse.ArgumentParser) -> list[str]:
    return [option for action in parser._actions for option in action.option_strings if option.startswith("--")]


def _first_words(verb: str, parser: argparse.ArgumentParser) -> list[str]:
    """What the verb's arguments may be: their choices, the verb's own list of actions, or what their placeholders stand for."""
    found: list[str] = []
    for action in parser._actions:
        if not action.option_strings:
            found += action.choices or _PLACEHOLDERS.get(str(action.metavar), ())
    return found or list(getattr(command(verb), "ACTIONS", ()))


def _bash() -> str:
    words = _words()
    cases = "\n".join(f'        {name}) words="{" ".join(words[name])}" ;;' for name in VERBS)
    return f"""\
_zsmem() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} verb="" word words
    for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
        case $word in
            {"|".join(VERBS)}) verb=$word; break ;;
        esac
    done
    case $verb in
{cases}
        *) words="{" ".join(words[""])}" ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o default -F _zsmem zsmem zsmem-tui
"""


def _zsh() -> str:
    words = _words()
    verbs = "\n".join(f"        '{name}:{_quoted(verb.help)}'" for name, verb in VERBS.items())
    cases = "\n".join(f"        {name}) compadd -- {' '.join(words[name])} ;;" for name in VERBS)
    return f"""\
#compdef zsmem zsmem-tui
_zsmem() {{
    local -a verbs
    verbs=(
{verbs}
    )
    local verb=${{words[(r)({"|".join(VERBS)})]}}
    case $verb in
{cases}
        *) _describe 'verb' verbs; compadd -- {" ".join(word for word in words[""] if word not in VERBS)} ;;
    esac
}}
if [ "$funcstack[1]" = "_zsmem" ]; then _zsmem "$@"; else compdef _zsmem zsmem zsmem-tui; fi
"""


def _fish() -> str:
    words = _words()
    out = ["complete -c zsmem -f"]
    for name, verb in VERBS.items():
        out.append(f"complete -c zsmem -n __fish_use_subcommand -a {name} -d '{_quoted(verb.help)}'")
        out += [_fish_line(f"'__fish_seen_subcommand_from {name}'", word) for word in words[name]]
    out += [_fish_line("__fish_use_subcommand", word) for word in words[""] if word not in VERBS]
    return "\n".join(out) + "\n"


def _fish_line(when: str, word: str) -> str:
    return f"complete -c zsmem -n {when} " + (f"-l {word.removeprefix('--')}" if word.startswith("--") else f"-a '{word}'")


def _quoted(text: str) -> str:
    return text.replace("'", "").replace(":", ",")
