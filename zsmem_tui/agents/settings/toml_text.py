"""Edit one table of a TOML text, such as a server; comments, order and everything else stay.

Each candidate edit is parsed again and is rejected if it changes anything but our table.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import tomlkit
from tomlkit.container import OutOfOrderTableProxy
from tomlkit.exceptions import ParseError, TOMLKitError
from tomlkit.items import AbstractTable

from zsmem_tui.agents.connection import Entry, command_and_args, server
from zsmem_tui.agents.hook_shape import SERVER
from zsmem_tui.agents.settings.errors import HasComments, NotEditable
from zsmem_tui.core.text import raw_lines

Path = tuple[str, ...]

_BY_HAND: Final = "it is written in such a way that our entry cannot be changed without something else"


def get(text: str, path: Path) -> Any:
    """The value at a path; None if there is none. Raises `NotEditable`."""
    found: Any = _values(text)
    for key in path:
        if not isinstance(found, dict) or key not in found:
            return None
        found = found[key]
    return found


def put(text: str, path: Path, values: dict[str, Any]) -> str:
    """The text with these values set in the table at a path; None removes a key, others stay. Raises `NotEditable`."""
    found = _values(text)
    wanted = _with(found, path, values)
    if repr(found) == repr(wanted):
        return text
    return _first_with_value((_appended(text, path, values), _updated(text, path, values)), [wanted])


def take(text: str, path: Path) -> str:
    """The text without the table at a path and its parents that become empty. Raises `NotEditable`."""
    if get(text, path) is None:
        return text
    found = _values(text)
    wanted = [_without(found, path, empty_too=False), _without(found, path, empty_too=True)]
    return _first_with_value((_cut(text, path), _deleted(text, path)), wanted)


def _first_with_value(made: Iterable[str], wanted: list[Any]) -> str:
    """The first of these texts whose value is one of `wanted`."""
    for each in made:
        try:
            said = tomllib.loads(each)
        except (ValueError, RecursionError):
            continue
        if any(_is_same(said, one) for one in wanted):
            return each
    raise HasComments(_BY_HAND)


def _is_same(one: Any, other: Any) -> bool:
    """Whether two values are equal regardless of key order; `nan` equals `nan`, 1 differs from 1.0."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_is_same(each, other[key]) for key, each in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_is_same, one, other))
    return repr(one) == repr(other)


def _with(found: Any, path: Path, values: dict[str, Any], above: Path = ()) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise NotEditable(f"{'.'.join(above)} is no table")
    if not path:
        return {key: each for key, each in (found | values).items() if each is not None}
    return found | {path[0]: _with(found.get(path[0], {}), path[1:], values, (*above, path[0]))}


def _without(found: dict[str, Any], path: Path, *, empty_too: bool) -> dict[str, Any]:
    left = {key: each for key, each in found.items() if key != path[0]}
    below = _without(found[path[0]], path[1:], empty_too=empty_too) if len(path) > 1 else {}
    return left | ({path[0]: below} if len(path) > 1 and (below or not empty_too) else {})


def _appended(text: str, path: Path, values: dict[str, Any]) -> str:
    """The text with the table appended, so that nothing moves and no comment precedes it wrongly."""
    document = tomlkit.document()
    owner: Any = document
    for number, key in enumerate(path, 1):
        owner[key] = tomlkit.table(is_super_table=number < len(path))
        owner = owner[key]
    owner.update({key: each for key, each in values.items() if each is not None})
    newline = _newline(text)
    gap = "" if not text.strip() else newline if text.endswith("\n") else newline * 2
    return (text if text.strip() else "") + gap + tomlkit.dumps(document).replace("\n", newline)


def _updated(text: str, path: Path, values: dict[str, Any]) -> str:
    """The text with the values set in the existing table or inline table."""
    document = _parsed(text)
    owner: Any = document
    for key in path:
        if key not in owner:
            owner[key] = tomlkit.inline_table()
        owner = owner[key]
        if not isinstance(owner, AbstractTable | OutOfOrderTableProxy):
            raise NotEditable(f"{key} is no table")
    for key, value in values.items():
        if value is None:
            owner.pop(key, None)
        elif key not in owner or owner[key] != value:
            owner[key] = value
    made = tomlkit.dumps(document)
    return made.replace("\r\n", "\n").replace("\n", "\r\n") if _newline(text) == "\r\n" else made


def _newline(text: str) -> str:
    """The line ending for new lines: CRLF if every line has it."""
    return "\r\n" if text.count("\n") == text.count("\r\n") > 0 else "\n"


def _cut(text: str, path: Path) -> str:
    """The text without the lines of the table and its subtables; comments and blank lines after it stay."""
    kept: list[str] = []
    block: list[str] | None = None
    for line in [*raw_lines(text), None]:
        header = _names(line) if line is not None else ()
        if block is not None and (header or line is None):
            tail = _tail(block)
            if tail and not tail[0].strip():  # one of the two blank lines around the table
                if not kept:
                    del tail[0]
                elif not kept[-1].strip():
                    del kept[-1]
            kept += tail
            block = None
        if header[: len(path)] == path:
            block = []
        if line is not None:
            (kept if block is None else block).append(line)
    return "\n".join(kept)


def _tail(block: list[str]) -> list[str]:
    """The trailing blank lines and comments of a table."""
    end = len(block)
    while end > 1 and (not block[end - 1].strip() or block[end - 1].lstrip().startswith("#")):
        end -= 1
    return block[end:]


def _names(line: str) -> Path:
    """The keys in a table header; empty for another line."""
    if not line.lstrip().startswith("["):
        return ()
    try:
        found: Any = tomllib.loads(line.rstrip("\r"))
    except ValueError:
        return ()
    names: list[str] = []
    while isinstance(found, dict) and found:
        ((key, found),) = found.items()
        names.append(key)
    return tuple(names)


def _deleted(text: str, path: Path) -> str:
    document = _parsed(text)
    for end in range(len(path), 0, -1):
        owner: Any = document
        for key in path[: end - 1]:
            owner = owner[key]
        if end < len(path) and (owner[path[end - 1]] or "#" in owner[path[end - 1]].as_string()):
            break
        del owner[path[end - 1]]
    left, blank = tomlkit.dumps(document), _newline(text)
    return left.rstrip(blank) + blank if left.endswith(blank * 2) and not text.endswith(blank * 2) else left


def _values(text: str) -> dict[str, Any]:
    """Parse a text into plain values."""
    _parsed(text)  # for line and column in the error
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotEditable(str(error)) from error


def _parsed(text: str) -> tomlkit.TOMLDocument:
    try:
        return tomlkit.parse(text)
    except ParseError as error:
        raise NotEditable(_reason(error), error.line, error.col + 1) from error
    except TOMLKitError as error:
        raise NotEditable(str(error)) from error


def _reason(error: ParseError) -> str:
    words = str(error).partition(" at line ")[0]
    return "it ends too early" if "'\\x00'" in words else words[:1].lower() + words[1:].rstrip(".")


_PATH = ("mcp_servers", SERVER)

_PASSED = "env_vars"


def toml_server(place: str, values: dict[str, Any], *, first: Mapping[str, Any] | None = None, passed: Sequence[str] = ()) -> Entry:
    """The table `mcp_servers.zsmem` of a file; the user's additions are kept.

    `first` is only set in a new table. Of the names in `env_vars`, those stay that are not in `passed` (all that we know) or are in
    `values`.
    """

    def with_ours(text: str) -> str:
        there = get(text, _PATH)
        if not isinstance(there, dict) or not there:
            return put(text, _PATH, {**values, **(first or {})})
        own = values.get(_PASSED, [])
        kept = [each for each in _named(there) if each not in passed or each in own]
        names = [*kept, *(each for each in own if each not in kept)]
        return put(text, _PATH, {**values, **({_PASSED: names or None} if _PASSED in there or own else {})})

    return server(
        place,
        lambda text: get(text, _PATH),
        with_ours,
        lambda text: take(text, _PATH),
        values,
        command_and_args,
        passed=lambda text: _named(get(text, _PATH)),
    )


def _named(there: Any) -> list[str]:
    found = there.get(_PASSED) if isinstance(there, dict) else None
    return [each for each in found if isinstance(each, str)] if isinstance(found, list) else []
