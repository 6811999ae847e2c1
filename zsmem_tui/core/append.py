"""Append text to a file's content, and drop appended lines that the file already has (specification, section 9)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from zsmem_tui.core.text import lines, raw_lines, words


def appended(old: bytes, content: bytes) -> bytes:
    """Join `old` and `content` with one line feed where one is missing; the result ends in a line feed.

    Works on bytes, so a file that is not valid UTF-8 keeps every byte it had (section 15).
    """
    joint = b"" if not old or old.endswith(b"\n") else b"\n"
    result = old + joint + content
    return result if result.endswith(b"\n") else result + b"\n"


def appended_alike(old: bytes, content: bytes) -> bytes:
    """`appended`; in a file with CRLF throughout, the added lines end so too."""
    return ended_as(old, appended(old, content))


def rewritten(old: bytes | None, change: Callable[[str], str | None]) -> bytes | None:
    """The content after a change of its text; None if `change` returns None.

    Invalid UTF-8 stays as it is. A file with CRLF throughout keeps it; `change` sees line feeds.
    """
    raw = old or b""
    text = raw.decode("utf-8", "surrogateescape")
    made = change(text.replace("\r\n", "\n") if is_crlf(raw) else text)
    return None if made is None else ended_as(raw, made.encode("utf-8", "surrogateescape"))


def ended_as(old: bytes, new: bytes) -> bytes:
    """`new` with the line ends of `old` if these are CRLF throughout; else as it is."""
    return with_crlf(new) if is_crlf(old) else new


def with_crlf(raw: bytes) -> bytes:
    """A text each line of which ends in CRLF."""
    return in_lf(raw).replace(b"\n", b"\r\n")


def in_lf(raw: bytes) -> bytes:
    """A text with LF for each CRLF."""
    return raw.replace(b"\r\n", b"\n")


def is_crlf(raw: bytes | bytearray) -> bool:
    """Whether the lines end in CRLF throughout."""
    return b"\r\n" in raw and raw.count(b"\r\n") == raw.count(b"\n")


@dataclass(frozen=True, slots=True)
class Deduplicated:
    """`kept` is the text left to append (None if every line was a repeat); `skipped` counts the dropped lines."""

    kept: str | None
    skipped: int


def deduplicate(existing: str, content: str) -> Deduplicated:
    """Drop the lines of `content` that occur in `existing` or earlier in `content`.

    Lines are equal when they have the same words (case and order count, white space does not). Blank lines are always kept, and
    content without a repeat is returned unchanged.
    """
    known = {key for key in map(line_key, lines(existing)) if key}
    kept: list[str] = []
    skipped = 0
    worth_writing = False
    for line in raw_lines(content):
        key = line_key(line)
        if key and key in known:
            skipped += 1
            continue
        if key:
            known.add(key)
            worth_writing = True
        kept.append(line)
    if not skipped:
        return Deduplicated(content, 0)
    return Deduplicated("\n".join(kept) if worth_writing else None, skipped)


def line_key(line: str) -> str:
    """Normalize a line for comparison: its words joined by single spaces; empty for a blank line."""
    return " ".join(words(line))
