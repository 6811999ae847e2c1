"""`zsmem completion`: scripts made from the verbs and options there are."""

from __future__ import annotations

import argparse

from zsmem_tui.cli import main
from zsmem_tui.cli.diagnostics import Exit
from zsmem_tui.cli.output import put
from zsmem_tui.cli.verbs import VERBS
from zsmem_tui.service import formats
from zsmem_tui.service.session import Session

EXAMPLES = """\
  eval "$(zsmem completion bash)"
  zsmem completion zsh > ~/.zfunc/_zsmem
  zsmem completion fish > ~/.config/fish/completions/zsmem.fish"""

_WORDS = {
    "read": "long_term scratchpad daily note: list",
    "write": "long_term scratchpad daily note:",
    "edit": "long_term scratchpad daily note:",
    "clear": "scratchpad daily",
    "editor": "long_term scratchpad daily note:",
    "completion": "bash zsh fish",
    "import": f"detect {' '.join(formats.names())}",
    "export": " ".join(formats.names()),
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which shell."""
    parser.add_argument("shell", choices=["bash", "zsh", "fish"])


def run(session: Session, args: argparse.Namespace) -> int:
    """Print the script."""
    put({"bash": _bash, "zsh": _zsh, "fish": _fish}[args.shell]())
    return Exit.DONE


def _options() -> dict[str, list[str]]:
    """The options of each verb, those of the program under the empty name."""
    parser = main.build_parser()
    found = {"": [option for action in parser._actions for option in action.option_strings if option.startswith("--")]}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, sub in action.choices.items():
                found[name] = [option for each in sub._actions for option in each.option_strings if option.startswith("--")]
    return found


def _bash() -> str:
    options = _options()
    cases = "\n".join(f'        {name}) words="{" ".join([_WORDS.get(name, ""), *options[name]]).strip()}" ;;' for name in VERBS)
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
        *) words="{" ".join([*VERBS, *options[""]])}" ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o default -F _zsmem zsmem zsmem-tui
"""


def _zsh() -> str:
    options = _options()
    verbs = "\n".join(f"        '{name}:{_quoted(verb.help)}'" for name, verb in VERBS.items())
    cases = "\n".join(f"        {name}) compadd -- {' '.join([_WORDS.get(name, ''), *options[name]]).strip()} ;;" for name in VERBS)
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
        *) _describe 'verb' verbs; compadd -- {" ".join(options[""])} ;;
    esac
}}
if [ "$funcstack[1]" = "_zsmem" ]; then _zsmem "$@"; else compdef _zsmem zsmem zsmem-tui; fi
"""


def _fish() -> str:
    options = _options()
    out = ["complete -c zsmem -f"]
    for name, verb in VERBS.items():
        out.append(f"complete -c zsmem -n __fish_use_subcommand -a {name} -d '{_quoted(verb.help)}'")
        seen = f"'__fish_seen_subcommand_from {name}'"
        out += [f"complete -c zsmem -n {seen} -a '{word}'" for word in _WORDS.get(name, "").split()]
        out += [f"complete -c zsmem -n {seen} -l {option.removeprefix('--')}" for option in options[name]]
    out += [f"complete -c zsmem -n __fish_use_subcommand -l {option.removeprefix('--')}" for option in options[""]]
    return "\n".join(out) + "\n"


def _quoted(text: str) -> str:
    return text.replace("'", "").replace(":", ",")
