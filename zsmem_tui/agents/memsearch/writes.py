"""What is added to a day: nothing of it is ever changed or taken away by memsearch."""

from __future__ import annotations

from typing import NamedTuple


class Capture(NamedTuple):
    """What the plugin for Claude Code notes after an answer. `time` is local, as HH:MM."""

    session: str
    turn: str
    transcript: str
    time: str
    summary: str


def captured(raw: bytes | None, capture: Capture) -> bytes:
    """The day with an entry of the plugin's own.

    The session's heading comes only where the file does not hold the session's id yet (a longer id counts too); a missing line end
    before it is not added.
    """
    before = raw or b""
    begins = "" if f"session:{capture.session}".encode() in before else f"\n## Session {capture.time}\n\n"
    anchor = f"<!-- session:{capture.session} turn:{capture.turn} transcript:{capture.transcript} -->"
    entry = f"### {capture.time}\n{anchor}\n" + capture.summary.rstrip("\n") + "\n\n"
    return before + (begins + entry).encode()


def exported(raw: bytes | None, date: str, time: str, body: str, mark: str) -> bytes:
    """The day with an entry of ours: with a heading for its session, and a comment that is neither an anchor nor indexed.

    A new file begins with its date, and a file without a final line end gets one first.
    """
    before = raw or f"# {date}\n".encode()
    joint = b"" if before.endswith(b"\n") else b"\n"
    return before + joint + f"\n## Session {time}\n\n### {time}\n<!-- zerostack:{mark} -->\n{body.strip()}\n".encode()
