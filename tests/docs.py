"""Writes the pages that are made from the program itself, and the tables in the README and in CONTRIBUTING.

python -m tests.docs            write them
python -m tests.docs --check    exit 1 when one is stale
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Final

from tests.judgements import BESIDE, judgements
from tests.man_page import man_page
from tests.memory_page import memory_page
from zsmem_tui.agents import registry
from zsmem_tui.agents.places import Machine
from zsmem_tui.cli.main import build_parser
from zsmem_tui.cli.verbs import VERBS
from zsmem_tui.config.model import ABOUT, Config
from zsmem_tui.core.checks.rules import RULES
from zsmem_tui.ui.keys.action import Action
from zsmem_tui.ui.keys.bindings import ACTIONS, OTHER_KEYS, SCOPES, palette_row
from zsmem_tui.ui.keys.names import key_name

ROOT: Final = Path(__file__).parent.parent
PACKAGE: Final = ROOT / "zsmem_tui"
HELP: Final = PACKAGE / "help"
README: Final = ROOT / "README.md"
CONTRIBUTING: Final = ROOT / ".github" / "CONTRIBUTING.md"
ARCHITECTURE: Final = HELP / "architecture.md"

_BY_SHAPE: Final = ("dead-path",)
"""Rules that need more than texts, and were judged by what they would ask about."""

NOT_MEASURED: Final = "No finding on the texts measured: how often it is right is not known."
"""What is said of a rule whose findings nobody could judge."""

LAYERS: Final = ("ui", "cli", "mcp", "service", "store", "agents", "config", "core")
"""The packages from top to bottom."""

FIRST_KEYS: Final = (
    "today.seen",
    "today.put_back",
    "app.prompt",
    "app.review",
    "app.doctor",
    "app.search",
    "file.edit",
    "file.history",
    "app.undo",
    "app.keys",
    "app.quit",
)
"""The actions whose keys the README shows."""


def files() -> dict[Path, str]:
    """Every file with something generated in it, as it should be now."""
    return {
        HELP / "keys.md": f"# Keys\n\n{(HELP / 'changing_keys.md').read_text(encoding='utf-8')}\n{_key_table()}\n",
        HELP / "cli.md": command_line(),
        HELP / "zsmem.1": man_page(build_parser()),
        HELP / "settings.md": settings(),
        HELP / "formats.md": formats(),
        HELP / "memory.md": memory_page(),
        HELP / "rules.md": rules(),
        ARCHITECTURE: filled(ARCHITECTURE, packages=packages(whole=True)),
        CONTRIBUTING: filled(CONTRIBUTING, map=packages(whole=False)),
        README: filled(README, keys=first_keys()),
    }


def stale() -> list[str]:
    """The names of those that are not."""
    return [
        str(file.relative_to(ROOT))
        for file, text in files().items()
        if not file.exists() or file.read_text(encoding="utf-8") != text
    ]


def written() -> str:
    """What people wrote of the pages of help: all but the pages and tables made from the program."""
    made = {file for file in files() if file != ARCHITECTURE}
    texts = [page.read_text(encoding="utf-8") for page in HELP.rglob("*.md") if page not in made]
    return re.sub(r"<!-- (\w+): generated .*?<!-- end of \1 -->", "", "\n".join(texts), flags=re.DOTALL)


def command_line() -> str:
    """The reference: what `--help` says, for the program and for every verb; what all verbs share stands once."""
    out = [
        "# Command line",
        "Data goes to standard output, words to standard error. `zsmem VERB --help` says what stands here. Each verb also\n"
        "takes the options of *which memory*, `--color` and `--help`, which are explained once, here:",
        _block(build_parser().format_help()),
    ]
    for verb in VERBS:
        found = next(each for each in build_parser((verb,))._actions if isinstance(each, argparse._SubParsersAction))
        out += [f"## `zsmem {verb}`", _block(own_help(found.choices[verb]))]
    return "\n\n".join(out) + "\n"


def own_help(parser: argparse.ArgumentParser) -> str:
    """What `--help` of a verb says, without what it says of every verb."""
    shared = {"--help", "--color", *(name for each in build_parser()._actions for name in each.option_strings)}
    for each in parser._actions:
        if shared & set(each.option_strings):
            each.help = argparse.SUPPRESS
    return re.sub(r"which memory:\n\n", "", parser.format_help())


def settings() -> str:
    """Every setting with its meaning and default."""
    out = [
        "# Settings",
        "They stand in `zsmem/config.toml` in your configuration folder (`~/.config` on Linux), or in the file that\n"
        "`ZSMEM_CONFIG` names, which must be there then. All may be left out. A key that means nothing is refused, and the\n"
        "nearest one named. `zsmem config` prints every setting that is in force and where it comes from, `zsmem config --check`\n"
        "names file and line of every mistake.",
        '```toml\nprofile = "zerostack-1.7"\ninject_cap = 16384\ntheme = "light"\n'
        'stores = ["zerostack", "claude-code", "markdown:~/notes"]\n\n[keys]\n"app.search" = "s,3,f12"\n```',
    ]
    for name, about in ABOUT.items():
        out += [f"## `{name}`", about, f"Default: {_default(Config._field_defaults[name])}"]
    return "\n\n".join(out) + "\n"


def formats() -> str:
    """Every format with where it lies and what does not survive the way."""
    out = [
        "# Formats",
        "What `9`, `zsmem import` and `zsmem export` know. Before anything comes in, the plan shows what each item would\n"
        "become; one step brings it in, one undoes it. An export leaves what others wrote there as it is. `zsmem import detect`\n"
        "says what this machine has. What comes from the same kind of memory comes as files, under their names, byte for byte.",
    ]
    for each in registry.formats():
        about = re.sub(r"\s+", " ", (type(each).__doc__ or "").strip())
        places = each.places(Machine({}, "~", "/home/ann/code/lantern", lambda path: False))
        where = f"For `/home/ann/code/lantern` it lies in `{places[0]}`." if places else "Its folder has to be named."
        out += [
            f"## `{each.name}`",
            about,
            where,
            each.losses.replace("In:", "Lost on the way in:").replace("Out:", "Lost on the way out:"),
        ]
    out += [
        "## `bundle`",
        "The whole store, or some projects, as one `.tar.gz` with a digest of every file. It comes in whole or not at all;\n"
        "the same memory gives the same bytes. Nothing hidden goes out or comes in (`.git/`, `.envrc`), no file can be run\n"
        "afterwards, and of a folder that holds more than memory, such as `~/.claude`, only memory is taken.",
    ]
    return "\n\n".join(out) + "\n"


def rules() -> str:
    """Every rule of the doctor."""
    out = [
        "# The doctor's rules",
        "What `zsmem doctor` looks for; `--rule NAME` reports one alone, `--fix NAME` mends what it found. An error is lost,\n"
        "leaked or dangerous now; a warning is for a person to decide; `info` means perhaps. Daily logs are records of a day:\n"
        "only what is broken, too large, secret or an order is looked for in them.",
    ]
    for rule in RULES:
        mends = f" The fix: {rule.fix[0].lower()}{rule.fix[1:]}" if rule.fix else ""
        out += [f"## `{rule.name}` ({rule.level})", f"{rule.says}{mends}", _how_often_right(rule.name)]
    return "\n\n".join(out) + "\n"


def _how_often_right(rule: str) -> str:
    """What was judged by hand of a rule, in a sentence."""
    verdicts = Counter(each.verdict for each in judgements(rule))
    if not verdicts:
        return NOT_MEASURED
    arguable = f", {verdicts['arguable']} could be argued about" if verdicts["arguable"] else ""
    if rule in _BY_SHAPE:
        which = f"{verdicts['true']} of {verdicts.total()} words that it takes for paths were such{arguable}"
        beside = Counter(each.verdict for each in judgements(rule, BESIDE))
        few = f"Where the folder was at hand too few were found to say: {beside['true']} of {beside.total()} were right"
        return f"On real text, whose folders were not at hand: {which}. {few}, the others told of files of another program."
    return f"On real text: {verdicts['true']} of {verdicts.total()} findings were right{arguable}."


def packages(whole: bool) -> str:
    """A table of the packages and what each is for, as they say themselves; `whole`: with those inside them."""
    rows = [f"| `entry` | {_says(PACKAGE / 'entry.py')} |"]
    for layer in LAYERS:
        inside = sorted(file.parent for file in (PACKAGE / layer).rglob("__init__.py"))
        shown = inside if whole else inside[:1]
        rows += [f"| `{folder.relative_to(PACKAGE)}` | {_says(folder / '__init__.py')} |" for folder in shown]
    return "\n".join(["| package | what it is |", "|---|---|", *rows])


def first_keys() -> str:
    """The README's twelve keys."""
    rows = [_shown(name) for name in FIRST_KEYS]
    return "\n".join(["| key | | what it does |", "|---|---|---|", *rows])


def filled(file: Path, **parts: str) -> str:
    """The text of `file` with every generated part as it is now."""
    text = file.read_text(encoding="utf-8")
    for name, part in parts.items():
        start, end = f"<!-- {name}: generated by python -m tests.docs -->", f"<!-- end of {name} -->"
        pattern = re.compile(f"{re.escape(start)}.*?{re.escape(end)}", re.DOTALL)
        assert pattern.search(text), f"{file.name} has no place for {name}"
        text = pattern.sub(lambda _, now=f"{start}\n\n{part}\n\n{end}": now, text)  # type: ignore[misc]
    return text


def _block(text: str) -> str:
    return f"```text\n{text.rstrip()}\n```"


def _default(value: object) -> str:
    if isinstance(value, int):
        return f"{value:,} (`{value}`)" if value >= 1000 else f"`{value}`"
    return f'`"{value}"`' if isinstance(value, str) else "none"


def _says(file: Path) -> str:
    """The first sentence or two of a module: its docstring's first line."""
    return (ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or "").split("\n")[0]


def _key_table() -> str:
    """A heading and a table for each scope, then what is in the palette."""
    head = "| key | action | what it does | id |\n|---|---|---|---|"
    parts = []
    for scope, title in SCOPES.items():
        if rows := [f"{_key_row(each)} `{each.id}` |" for each in ACTIONS if each.scope == scope and each.keys]:
            parts.append("\n".join([f"### {title}", "", head, *rows]))
    without = [f"{palette_row(each)} *{each.id}*" for each in ACTIONS if not each.keys and (each.bound or each.palette)]
    return "\n\n".join([*parts, "\n".join([f"### {OTHER_KEYS}", "", *without])])


def _key_row(action: Action) -> str:
    keys = " ".join(f"`{key_name(key)}`" for key in action.listed).replace("|", r"\|")
    return f"| {keys} | {action.label} | {action.help} |"


def _shown(name: str) -> str:
    return _key_row(next(each for each in ACTIONS if each.id == name))


def main() -> int:
    if "--check" in sys.argv:
        names = stale()
        if names:
            print(f"Stale: {', '.join(names)}. Run: python -m tests.docs")
        return int(bool(names))
    for file, text in files().items():
        file.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
