"""The manual page, in the language of man(7), out of the parser of every verb."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from typing import Final

from zsmem_tui import __version__
from zsmem_tui.core.text import lines

ENVIRONMENT: Final = (
    ("ZSMEM_CONFIG", "The settings file; it must be there."),
    ("ZSMEM_STATE_DIR", "Where versions, drafts and what was reviewed are kept."),
    ("ZS_CONFIG_DIR, ZS_DATA_DIR, XDG_DATA_HOME", "Where zerostack keeps its memory, in this order."),
    ("XDG_CONFIG_HOME, XDG_STATE_HOME", "The folders of settings and state."),
    ("VISUAL, EDITOR", "The editor of zsmem editor."),
    ("NO_COLOR", "When it is not empty, no colours."),
)
"""Variables that are read, with what they say."""

FILES: Final = (
    ("~/.config/zsmem/config.toml", "Settings, if you make them. zsmem config prints them all, and --check finds mistakes."),
    ("~/.local/state/zsmem", "Versions, drafts and what was reviewed; an ordinary git repository for each store."),
    ("~/.local/share/zerostack/agent/memory", "The memory, where the agent keeps it."),
)


def man_page(parser: argparse.ArgumentParser) -> str:
    """The page for the program and all the verbs that the parser knows."""
    every = next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    about = {each.dest: each.help or "" for each in every._choices_actions}
    examples, _, codes = (parser.epilog or "").partition("\n\n")
    rows = [
        f'.TH ZSMEM 1 "" "zsmem {__version__}" "User Commands"',
        *_section("NAME", ["zsmem \\- see, search and edit what your coding agent remembers"]),
        *_section("SYNOPSIS", [".B zsmem", "[\\fIoptions\\fR] [\\fIVERB\\fR ...]"]),
        *_section("DESCRIPTION", [_text(parser.description or "")]),
        *_section("OPTIONS", _options(parser)),
        *_section("VERBS", [_text("Every verb also takes the options above that say which memory is meant.")]),
    ]
    common = {name for action in parser._actions for name in action.option_strings}
    for name, sub in every.choices.items():
        rows += [f'.SS "zsmem {_text(name)}"', _text(about[name]), *_options(sub, common), *_block(sub.epilog or "")]
    rows += [
        *_section("EXIT STATUS", [_text(codes.removeprefix("exit codes: "))]),
        *_section("ENVIRONMENT", _pairs(ENVIRONMENT)),
        *_section("FILES", _pairs(FILES)),
        *_section("EXAMPLES", _block(examples)),
    ]
    return "\n".join(rows) + "\n"


def _section(title: str, rows: Sequence[str]) -> list[str]:
    return [f'.SH "{title}"', *rows]


def _options(parser: argparse.ArgumentParser, but: frozenset[str] | set[str] = frozenset()) -> list[str]:
    """Arguments and options, each with what it means; those in `but` are told elsewhere."""
    rows: list[str] = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction) or but.intersection(action.option_strings):
            continue
        rows += [".TP", ", ".join(_signs(action)), _text(parser._get_formatter()._expand_help(action) if action.help else "")]
    return rows


def _signs(action: argparse.Action) -> Iterator[str]:
    """The ways to write an option or an argument."""
    names = "|".join(map(str, action.choices)) if action.choices and not action.metavar else str(action.metavar or action.dest)
    value = "\\fI" + _text(names).replace("|", " | ") + "\\fR" + (" ..." if action.nargs in ("*", "+") else "")
    if not action.option_strings:
        yield value
    for name in action.option_strings:
        yield f"\\fB{_text(name)}\\fR" + ("" if action.nargs == 0 else f" {value}")


def _pairs(rows: Sequence[tuple[str, str]]) -> list[str]:
    return [line for name, about in rows for line in (".TP", f"\\fB{_text(name)}\\fR", _text(about))]


def _block(text: str) -> list[str]:
    """Lines as they stand, below their title."""
    title, *rest = lines(text) or [""]
    return (
        [".PP", _text(title), ".PP", ".nf", ".RS", *(_text(line.removeprefix("  ")) for line in rest), ".RE", ".fi"] if rest else []
    )


def _text(text: str) -> str:
    """Text that is no request and no escape, whatever it holds."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("^", "\\(ha").replace("~", "\\(ti").replace("`", "\\(ga")
    return re.sub(r"^([.'])", r"\\&\1", escaped.replace("'", "\\(aq"), flags=re.MULTILINE)
