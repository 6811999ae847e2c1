"""opencode's memory blocks: a value with label, description and limit; parsing, and the agent's order.

The frontmatter is parsed strictly: after a small mistake the agent ignores the whole file.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from typing import Final, NamedTuple

from zsmem_tui.agents import javascript as js
from zsmem_tui.agents.opencode.files import label_of
from zsmem_tui.agents.yaml.reading import LONGEST_HEAD, Date, Value, YamlError, load
from zsmem_tui.core.errors import RuleBroken
from zsmem_tui.core.text import raw_lines

_KEY: Final = re.compile(r"""["']?(\w+)["']?\s*:""")
_START: Final = "---\n"
_END: Final = "\n---\n"


def split(text: str) -> tuple[str | None, str]:
    """Split into (frontmatter or None, body).

    Only a first line `---` and a later line `---` with a line feed delimit frontmatter; with CRLF, a byte order mark, trailing
    spaces or no final line feed, everything is body.
    """
    if not text.startswith(_START):
        return None, text
    end = text.find(_END, len(_START))
    return (None, text) if end < 0 else (text[len(_START) : end], text[end + len(_END) :])


def fields(text: str, name: str) -> dict[str, Value]:
    """Parse a frontmatter. Raises `RuleBroken`: `yaml` if it is invalid, `frontmatter` if it is no map."""
    if len(text) > LONGEST_HEAD:
        raise RuleBroken("yaml", f"{name}: its frontmatter has more than {LONGEST_HEAD >> 10} KiB.")
    if not js.trim(text):
        return {}
    try:
        found = load(text)
    except YamlError as error:
        raise RuleBroken("yaml", f"{name}: opencode cannot read its frontmatter: {error}.") from error
    if not isinstance(found, dict):
        raise wrong(name, "its frontmatter has no keys")
    return found


def text_field(found: dict[str, Value], key: str, name: str, *, may_be_empty: bool = True) -> str | None:
    """The value of a key that must be text; None if it is missing. Raises `RuleBroken` (`frontmatter`)."""
    if key not in found:
        return None
    value = found[key]
    if not isinstance(value, str):
        raise wrong(name, f"{key} is not text (quote it)")
    if not value and not may_be_empty:
        raise wrong(name, f"{key} is empty")
    return value


def wrong(name: str, why: str) -> RuleBroken:
    """The error for a frontmatter because of which opencode ignores the file."""
    return RuleBroken("frontmatter", f"{name}: opencode passes over this file: {why}.")


LIMIT: Final = 5000
"""The limit, in UTF-16 units, of a block whose file gives none."""

_LARGEST_LIMIT: Final = 2**53 - 1
_NAMED: Final = ("persona", "human", "project")
_FIRST: Final = (("global", "persona"), ("global", "human"), ("project", "project"))
_SYMBOLS: Final = {char: rank for rank, char in enumerate("_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$")}


_ACCENTS: Final = "\u0301\u0300\u0306\u0302\u030c\u030a\u0308\u030b\u0303\u0307\u0338\u0327\u0328\u0304"
_LETTERS: Final = str.maketrans({"ß": "ss", "ø": "o\u0338", "Ø": "O\u0338", "ł": "l\u0338", "Ł": "L\u0338"})
_BETWEEN: Final = {"æ": ord("a") + 0.5, "œ": ord("o") + 0.5}


class Block(NamedTuple):
    """One block as the agent sees it. `scope` is `global` or `project`, `modified_ns` the file's modification time."""

    scope: str
    file: str
    label: str
    description: str
    limit: int
    read_only: bool
    value: str
    modified_ns: int = 0
    is_described: bool = True
    """Whether the description is the file's own, not the agent's default."""
    first_line: int = 0
    """The 0-based line number of the value's first line in its file."""
    head_lines: tuple[int, ...] = ()
    """The line numbers of the frontmatter's delimiters and of the fields that the agent shows in its own words."""


def parse(scope: str, file: str, raw: bytes, modified_ns: int = 0) -> Block:
    """Parse a file as a block. Raises `RuleBroken` (`yaml` or `frontmatter`) if opencode ignores it."""
    text = js.decode(raw)
    yaml, body = split(text)
    first = text[: len(text) - len(js.trim_start(body))].count("\n")
    found = fields(yaml, file) if yaml is not None else {}
    label = text_field(found, "label", file, may_be_empty=False)
    label = label_of(file) if label is None else js.trim(label)
    about = js.trim(_description(found, file))
    shown = about or f"{{DESCRIPTION:{label if label in _NAMED else 'other'}}}"
    limit, read_only = _limit(found, file), _read_only(found, file)
    seen = {"label", "limit", "read_only"} | ({"description"} if about else set())
    head = (0, *_lines_of(yaml, seen), yaml.count("\n") + 2) if yaml is not None else ()
    return Block(scope, file, label, shown, limit, read_only, js.trim(body), modified_ns, bool(about), first, head)


def _lines_of(yaml: str, keys: Collection[str]) -> Iterator[int]:
    """The line numbers of these keys of the frontmatter, including their indented lines."""
    key = ""
    for number, line in enumerate(raw_lines(yaml), 1):
        if found := _KEY.match(line):
            key = found[1]
        if key in keys and line.strip():
            yield number


def _description(found: dict[str, Value], file: str) -> str:
    """The description; empty if the agent uses its default, also for a boolean, a date or a map."""
    if isinstance(found.get("description"), bool | Date | dict):
        return ""
    return text_field(found, "description", file) or ""


def in_order(blocks: Iterable[Block]) -> list[Block]:
    """Sort blocks as the agent does: the three standard ones, other global ones, then the project's, each by label."""

    def key(block: Block) -> tuple[int, bool, tuple[tuple[object, ...], ...]]:
        named = (block.scope, block.label)
        rank = _FIRST.index(named) if named in _FIRST else len(_FIRST)
        return rank, block.scope != "global", _collation(block.label)

    return sorted(blocks, key=key)


def over(block: Block) -> int:
    """How many UTF-16 units a value exceeds its limit by; nothing is cut, but the agent cannot write the block any more."""
    return max(js.units(block.value) - block.limit, 0)


def _limit(found: dict[str, Value], file: str) -> int:
    value = found.get("limit", LIMIT)
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
        raise wrong(file, "limit is not a number")
    if not 1 <= value <= _LARGEST_LIMIT or value != int(value):
        raise wrong(file, "limit is not a whole number above 0")
    return int(value)


def _read_only(found: dict[str, Value], file: str) -> bool:
    value = found.get("read_only", False)
    if not isinstance(value, bool):
        raise wrong(file, "read_only is neither true nor false")
    return value


def _collation(label: str) -> tuple[tuple[object, ...], ...]:
    """The sort key of ICU's root collation: symbols, digits, letters; accents and then case only break ties."""
    primary: list[object] = []
    accents: list[object] = []
    capitals: list[object] = []
    for char in unicodedata.normalize("NFD", label.translate(_LETTERS)):
        if unicodedata.combining(char):
            accents.append((-len(primary), _ACCENTS.find(char), char))
            continue
        if unicodedata.category(char) == "Cf":
            continue
        small = char.lower()
        primary.append(_rank(small))
        capitals.append(char != small)
    return tuple(primary), tuple(accents), tuple(capitals)


def _rank(char: str) -> tuple[int, float]:
    if char in js.SPACE:
        return 0, ord(char)
    if char in _SYMBOLS:
        return 1, _SYMBOLS[char]
    if char.isalpha():
        return 4, _BETWEEN.get(char, ord(char))
    return (3, unicodedata.digit(char)) if char.isdigit() else (2, ord(char))
