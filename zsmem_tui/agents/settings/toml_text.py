"""One table put into a TOML text, or taken out; comments, order and everything else stay."""

from __future__ import annotations

from typing import Any

import tomlkit
from tomlkit.container import OutOfOrderTableProxy
from tomlkit.exceptions import ParseError, TOMLKitError
from tomlkit.items import AbstractTable, InlineTable

from zsmem_tui.agents.settings.errors import NotEditable

Path = tuple[str, ...]


def get(text: str, path: Path) -> Any:
    """What stands at a path, as plain values; None where nothing does. Raises `NotEditable`."""
    found: Any = _parsed(text).unwrap()
    for key in path:
        if not isinstance(found, dict) or key not in found:
            return None
        found = found[key]
    return found


def put(text: str, path: Path, values: dict[str, Any]) -> str:
    """The text with these values in the table at a path; other values in it stay. Raises `NotEditable`."""
    document = _parsed(text)
    owner: Any = document
    for number, key in enumerate(path):
        if key not in owner:
            is_last = number == len(path) - 1
            owner[key] = _made(owner, values if is_last else None, is_followed=bool(number) and list(document)[-1] != path[0])
        owner = owner[key]
        if not isinstance(owner, AbstractTable | OutOfOrderTableProxy):
            raise NotEditable(f"{'.'.join(path[: number + 1])} is no table")
    for key, value in values.items():
        if key not in owner or owner[key] != value:
            owner[key] = value
    made = tomlkit.dumps(document)
    ends_so = text.count("\n") == text.count("\r\n") > 0  # every line as the editors of another system end it
    return made.replace("\r\n", "\n").replace("\n", "\r\n") if ends_so else made


def _made(owner: Any, values: dict[str, Any] | None, *, is_followed: bool) -> AbstractTable:
    """A table with these values (None: only for those in it), written as its owner is; what follows it stands off by a line."""
    if isinstance(owner, InlineTable):
        made: AbstractTable = tomlkit.inline_table()
        made.update(values or {})
        return made
    made = tomlkit.table(is_super_table=values is None)
    made.update(values or {})
    if values is not None and is_followed:
        made.add(tomlkit.nl())
    return made


def take(text: str, path: Path) -> str:
    """The text without the table at a path, and without the tables above it that become empty by it. Raises `NotEditable`."""
    document = _parsed(text)
    if get(text, path) is None:
        return text
    for end in range(len(path), 0, -1):
        owner: Any = document
        for key in path[: end - 1]:
            owner = owner[key]
        if end < len(path) and owner[path[end - 1]]:
            break
        del owner[path[end - 1]]
    left, blank = tomlkit.dumps(document), "\r\n" if text.endswith("\r\n") else "\n"
    return left.rstrip(blank) + blank if left.endswith(blank * 2) and not text.endswith(blank * 2) else left


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
