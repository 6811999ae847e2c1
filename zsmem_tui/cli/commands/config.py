"""The `zsmem config` command: print or check the settings."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from textwrap import wrap
from typing import Any, Final

from zsmem_tui.cli.output import Exit, put, put_either, put_json, say
from zsmem_tui.config.load import sentence
from zsmem_tui.config.locate import settings_file
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.service import settings
from zsmem_tui.service.session import Session
from zsmem_tui.service.settings import Setting, Settings

EXAMPLES = """\
  zsmem config
  zsmem config --check
  zsmem config --json | jq -r '.settings[] | select(.line) | .key'"""

_WIDTH: Final = 100
"""Line width in characters for the comments on settings."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--check", action="store_true", help="name every mistake in the file, as FILE:LINE: WHAT, with exit code 2")


def run(session: Session, args: argparse.Namespace) -> int:
    """Print all settings as TOML or JSON, or with `--check` all mistakes."""
    if args.check:
        return _check(args)
    found = settings.settings()
    if args.json:
        put_json(
            {"file": printable_path(found.place), "exists": found.is_there, "settings": [_as_json(each) for each in found.settings]}
        )
    else:
        put(_as_toml(found))
    return Exit.DONE


def _check(args: argparse.Namespace) -> int:
    place = settings_file()
    found = settings.mistakes(args.check_screen)
    rows = [{"line": each.line or None, "key": each.key or None, "message": each.message, "hint": each.hint} for each in found]
    lines = (f"{sentence(place, each)} {each.hint}".rstrip() for each in found)
    put_either(args, {"file": printable_path(place), "mistakes": rows}, lines)
    right = "nothing is wrong" if os.path.lexists(place) else "there is none, so all is as by default"
    say(f"{counted(len(found), 'mistake')} in {printable_path(place)}." if found else f"{printable_path(place)}: {right}.")
    return Exit.USAGE if found else Exit.DONE


def _as_toml(found: Settings) -> str:
    """The settings in force as TOML, tables last, as it requires."""
    there = "" if found.is_there else " (there is none: these are the defaults)"
    rows = [f"# {printable_path(found.place)}{there}"]
    plain = [each for each in found.settings if not isinstance(each.value, Mapping)]
    for each in plain:
        rows += [*_about(each), f"{each.key} = {settings.as_toml(each.value)}"]
    for each in found.settings:
        if isinstance(each.value, Mapping):
            own = [f"{settings.as_toml(name)} = {settings.as_toml(value)}" for name, value in each.value.items()]
            rows += [*_about(each), f"[{each.key}]", *own]
    return "\n".join(rows) + "\n"


def _about(each: Setting) -> list[str]:
    default = f"line {each.line} of the file" if each.line else "default"
    return ["", *(f"# {line}" for line in wrap(each.about, _WIDTH)), f"# ({default})"]


def _as_json(each: Setting) -> dict[str, Any]:
    plain = dict(each.value) if isinstance(each.value, Mapping) else each.value
    default = dict(each.default) if isinstance(each.default, Mapping) else each.default
    return {"key": each.key, "value": plain, "default": default, "line": each.line or None, "about": each.about}
