"""What an append makes of a file, and which lines of it are repeats (specification, section 9)."""

from __future__ import annotations

from dataclasses import dataclass

from zsmem_tui.core.text import lines, raw_lines, words


def appended(old: bytes, content: bytes) -> bytes:
    """`old` and `content` joined by exactly one line break where needed, ending in one.

    Works on bytes, so a file that is not valid UTF-8 keeps every byte it had (section 15).
    """
    joint = b"" if not old or old.endswith(b"\n") else b"\n"
    result = old + joint + content
    return result if result.endswith(b"\n") else result + b"\n"


@dataclass(frozen=True, slots=True)
class Deduplicated:
    """`kept` is what is left to append (None: every line was a repeat); `skipped` counts the dropped lines."""

    kept: str | None
    skipped: int


def deduplicate(existing: str, content: str) -> Deduplicated:
    """Drop the lines of `content` that `existing`, or an earlier line of it, already holds.

    Two lines are the same when their words are, in case and order, whatever white space lies between. Blank lines
    are always kept, and content without a repeat is kept untouched.
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
    """What two lines have in common that say the same; empty for a blank one."""
    return " ".join(words(line))
