"""Parsing a settings file and finding all mistakes with their lines. Loaded only if there is one, since `tomllib` takes 8 ms."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from zsmem_tui.config.model import Config
from zsmem_tui.core.profile import Profile
from zsmem_tui.core.suggest import did_you_mean
from zsmem_tui.core.text import raw_lines

_DEEPEST: Final = 8
"""Maximum nesting of tables that is searched; settings have one level."""

_MAX_CAP: Final = 1 << 30
"""In bytes. A larger cap is taken for a typing error."""

_MAX_BOUND: Final = 1 << 50
"""In days or bytes of history. A larger value is taken for a typing error."""

_MAX_MINUTES: Final = 60 * 24 * 366
"""In minutes between two syncs. A larger value is taken for a typing error."""

_MOST_PARSED: Final = 1 << 20
"""In characters: two seconds. After so many, values get no line number: a statement is parsed again for every line that it has."""

_SHOWN: Final = 60
"""Maximum number of characters quoted of a wrong value."""

_STARTS: Final = ("/", "~", "$HOME")
"""What a folder in the settings begins with."""

_NO_TOML: Final = "No setting was read."


class Mistake(NamedTuple):
    """A mistake: the 1-based line (0 if it is not in a single line), the setting (or empty), a message and a hint."""

    line: int
    key: str
    message: str
    hint: str = ""


class Examined(NamedTuple):
    """The contents of a file: the valid settings and entries, the line of each, and the mistakes by line."""

    values: Mapping[str, Any]
    lines: Mapping[tuple[str, ...], int]
    mistakes: tuple[Mistake, ...]

    def line(self, *path: str) -> int:
        """The line of a setting or one of its entries; 0 if unknown."""
        return self.lines.get(path, 0) or next((self.lines[each] for each in self.lines if each[: len(path)] == path), 0)


def examine(raw: bytes) -> Examined:
    """Parse a settings file; if it is not valid TOML, that is the only mistake."""
    try:
        text = raw.decode()
        found = tomllib.loads(text)
    except UnicodeDecodeError as error:
        return _not_toml(raw.count(b"\n", 0, error.start) + 1, "it is not valid UTF-8")
    except tomllib.TOMLDecodeError as error:
        said = str(error)
        at = re.search(r"\(at (?:line (\d+), column \d+|end of document)\)", said)
        line = int(at[1]) if at and at[1] else len(raw_lines(text.rstrip("\n"))) if at else 0
        return _not_toml(line, said)
    except ValueError:  # an integer with more digits than Python parses
        return _not_toml(_failing_line(text), "a number in it has too many digits")
    except RecursionError:
        return _not_toml(_failing_line(text), "it is nested too deeply")
    lines = dict(_lines_by_path(text))
    examined = Examined({}, lines, ())
    values: dict[str, Any] = {}
    mistakes = []
    for key, value in found.items():
        wrong = [_unknown(key)] if key not in Config._fields else _CHECKS.get(key, _check_kind)(key, value)
        for message, hint, *entry in wrong:
            mistakes.append(Mistake(examined.line(key, *entry), key, message, hint))
        if not wrong:
            values[key] = Profile(value) if key == "profile" else tuple(value) if isinstance(value, list) else value
        elif key in _CHECKS and (right := _right_part(value)):  # which is examined further
            values[key] = right
    return Examined(values, lines, tuple(sorted(mistakes)))


def _not_toml(line: int, why: str) -> Examined:
    return Examined({}, {}, (Mistake(line, "", f"is not valid TOML: {why}. {_NO_TOML}"),))


Wrong = tuple[str, ...]
"""Why a value is wrong: message, hint, and the table's entry if it is one."""


def _unknown(key: str) -> Wrong:
    more = did_you_mean(key, Config._fields) or f" Settings are {', '.join(sorted(Config._fields))}."
    return f"there is no setting called {_shown(key)}.{more}", ""


def _check_keys(key: str, value: object) -> list[Wrong]:
    wrong = '[keys] must hold lines like tree.filter = "slash", not {}.'.format
    if isinstance(value, dict):
        return [(wrong(_shown(each)), "", name) for name, each in value.items() if not isinstance(each, str)]
    return [(wrong(_shown(value)), "")]


def _check_stores(key: str, value: object) -> list[Wrong]:
    """Check only the form of entries; whether a kind exists is checked when stores are opened."""
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        return [(f'stores must be a list of texts like "ethos" or "markdown:~/notes", not {_shown(value)}.', "")]
    hint = "Write KIND or KIND:FOLDER, with the folder from / or ~ on."
    return [(f"stores: {_shown(entry)} is no store. {_NO_TOML}", hint) for entry in value if not _is_store(entry)]


def _is_store(entry: str) -> bool:
    kind, colon, root = entry.partition(":")
    return bool(kind) and (not colon or root.startswith(_STARTS)) and entry.isprintable()


def _right_part(value: object) -> Mapping[str, str] | tuple[str, ...]:
    """The entries of a table or list that are right."""
    if isinstance(value, dict):
        return {name: each for name, each in value.items() if isinstance(each, str)}
    return tuple(each for each in value if isinstance(each, str) and _is_store(each)) if isinstance(value, list) else ()


def _is_number(value: object, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most


_BOUND: Final = (lambda value: _is_number(value, _MAX_BOUND), "a whole number, 0 or more")

_KINDS: Final[Mapping[str, tuple[Callable[[Any], bool], str]]] = {
    "profile": (lambda value: isinstance(value, str) and value in list(Profile), f"one of {', '.join(Profile)}"),
    "inject_cap": (lambda value: _is_number(value, _MAX_CAP), f"a number of bytes from 0 to {_MAX_CAP}"),
    "history_days": _BOUND,
    "history_bytes": _BOUND,
    "search_memory": _BOUND,
    "line_breaks": (lambda value: value in ("join", "keep"), '"join" or "keep"'),
    "sync": (
        lambda value: value in ("manual", "start") or (_is_number(value, _MAX_MINUTES) and value != 0),
        '"manual", "start" or a number of minutes from 1 on',
    ),
    "roots": (
        lambda value: isinstance(value, list) and all(isinstance(each, str) and each.startswith(_STARTS) for each in value),
        'a list of folders from / or ~ on, like "~/git"',
    ),
    "search_log": (lambda value: isinstance(value, bool), "true or false"),
}
"""The check for a setting's value, and its description; all other settings are text."""


def _check_kind(key: str, value: object) -> list[Wrong]:
    is_right, what = _KINDS.get(key, (lambda value: isinstance(value, str), "text"))
    return [] if is_right(value) else [(f"{key} must be {what}, not {_shown(value)}.", "")]


_CHECKS: Final[Mapping[str, Callable[[str, object], list[Wrong]]]] = {"keys": _check_keys, "stores": _check_stores}
"""The settings with checks of their own."""


def _shown(value: object) -> str:
    """A wrong value for a message, shortened."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # hexadecimal integers may have any length when parsed, but not when printed
        return "a value beyond all bounds"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _lines_by_path(text: str) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield (key path, line) for each value, by parsing line by line until a statement is complete."""
    table: tuple[str, ...] = ()
    for number, found, is_table in _statements(text):
        if is_table:  # the following keys belong to it
            table = next(_key_paths(found))
            yield table, number
        else:
            yield from ((table + each, number) for each in _key_paths(found))


def _statements(text: str) -> Iterator[tuple[int, dict[str, Any], bool]]:
    """Yield for each statement its line, its parsed value, and whether it is a table header."""
    pending: list[str] = []
    first, left = 0, _MOST_PARSED
    for number, line in enumerate(raw_lines(text), 1):
        first = first if pending else number
        pending.append(line)
        statement = "\n".join(pending)
        left -= len(statement)
        if left < 0:
            return
        try:
            found = tomllib.loads(statement)
        except ValueError:
            continue
        text_of_first, pending = pending[0].lstrip(), []
        if found:
            yield first, found, text_of_first.startswith("[")


def _key_paths(found: dict[str, Any], above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for name, value in found.items():
        if isinstance(value, dict) and value and len(above) < _DEEPEST:
            yield from _key_paths(value, (*above, name))
        else:
            yield (*above, name)


def _failing_line(text: str) -> int:
    """The line that alone makes the parser fail; 0 if there is none."""
    for number, line in enumerate(raw_lines(text), 1):
        try:
            tomllib.loads(line)
        except tomllib.TOMLDecodeError:
            continue
        except (ValueError, RecursionError):
            return number
    return 0
