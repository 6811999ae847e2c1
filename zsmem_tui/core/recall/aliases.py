"""The `aliases:` line of a note, below its first heading: other words by which people may search for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from zsmem_tui.core.errors import BadContent
from zsmem_tui.core.markdown import Kind, front_matter, heading_level, scan
from zsmem_tui.core.text import one_line, printable_path, raw_lines, trim

SIGN: Final = "aliases:"

LONGEST: Final = 60
"""The most characters of an alias: a longer text is no name."""

MOST: Final = 50
"""The most aliases of a note."""

_NOT_IN_ONE: Final = {",": "a comma", "\n": "a line break", "\r": "a line break", "[": "a bracket", "]": "a bracket"}


def checked(alias: str) -> str:
    """The trimmed alias. Raises `BadContent` if it is not allowed in the line."""
    found = next((name for sign, name in _NOT_IN_ONE.items() if sign in alias), "")
    shown = printable_path(alias[:LONGEST])
    if found:
        raise BadContent(
            f"{shown!r} has {found} in it, which no alias can have. Nothing was written.", "Give each alias by itself."
        )
    if not alias.isprintable() or not any(sign.isalnum() for sign in alias):
        raise BadContent(f"{shown!r} is no word, so it can be no alias. Nothing was written.")
    if len(alias) > LONGEST:
        raise BadContent(f"{shown!r}… is longer than {LONGEST} characters, so it can be no alias. Nothing was written.")
    return one_line(trim(alias))


def aliases_of(text: str) -> tuple[str, ...]:
    """The aliases of a note, in order."""
    found = raw_lines(text.removeprefix("\ufeff"))
    at = _line_of(found, _below_heading(found))
    return () if at is None else _listed(found[at])


def with_aliases(text: str, aliases: Iterable[str]) -> str:
    """Add aliases to a note, each once, skipping those that occur in its text.

    Raises `BadContent` for an invalid alias, or if there would be too many.
    """
    wanted = [checked(alias) for alias in aliases]
    if not wanted:
        return text
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    found = raw_lines(text[len(mark) :])
    below = _below_heading(found)
    at = _line_of(found, below)
    own = () if at is None else _listed(found[at])
    says = "\n".join(found[:at] + found[at + 1 :] if at is not None else found).casefold()
    known = {alias.casefold() for alias in own}
    new: list[str] = []
    for alias in wanted:
        if alias.casefold() not in known and alias.casefold() not in says:
            known.add(alias.casefold())
            new.append(alias)
    if not new:
        return text
    if len(own) + len(new) > MOST:
        raise BadContent(f"A note can have {MOST} aliases, and this one would have {len(own) + len(new)}. Nothing was written.")
    ending = "\r" if found[0].endswith("\r") else ""
    line = f"{SIGN} {', '.join((*own, *new))}{ending}"
    if at is not None:
        found[at] = line
    else:
        is_open = below < len(found) and trim(found[below]) != ""
        found[below:below] = [line, *([ending] if is_open else [])]
        if below and below == len(found) - 1:
            found.append("")  # the heading was the last line, without a line feed
    return mark + "\n".join(found)


def _listed(line: str) -> tuple[str, ...]:
    return tuple(part for each in line[len(SIGN) :].split(",") if (part := trim(each)))


def _line_of(lines: Sequence[str], below: int) -> int | None:
    """The index of the aliases line, which is the first non-empty line below the heading; None if there is none."""
    at = next((at for at in range(below, len(lines)) if trim(lines[at])), None)
    return at if at is not None and lines[at].startswith(SIGN) else None


def _below_heading(lines: Sequence[str]) -> int:
    """The index of the line below the first heading; without a heading, of the first line after the frontmatter."""
    first = front_matter(lines)
    found = scan(lines) if len(lines) > first and not heading_level(lines[first]) else []
    for at, line in enumerate(found):
        if line.kind is Kind.UNDERLINE or (line.kind is Kind.HEADING and heading_level(lines[at])):
            return at + 1
    return first if found else min(first + 1, len(lines))
