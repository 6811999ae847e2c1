"""How oh-my-pi stores a lesson: one plain line without secrets, newest first, a hundred at most."""

from __future__ import annotations

import re
import unicodedata
from typing import Final, NamedTuple

from zsmem_tui.agents import javascript as js
from zsmem_tui.core.errors import RuleBroken
from zsmem_tui.core.facts import words_of
from zsmem_tui.core.text import raw_lines, trim

REDACTED: Final = "[REDACTED]"
_NAMES: Final = ("password", "secret", "token", "key", "tok", "sk", "pk", "rk")
_STRONG_MIXED: Final = 12
_STRONG_PLAIN: Final = 16
_RUN: Final = re.compile("[A-Za-z0-9_-]+")
_DELIMITER: Final = re.compile("[-_]")
_OLD: Final = re.compile("(?:sk|pk|rk|tok|key|secret|token|password)[-_A-Za-z0-9]{12,}")
_PART: Final = "[A-Za-z0-9_-]{16,}"

_KNOWN: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_PART}\.{_PART}\.{_PART}",
        "(?:AKIA|ASIA)[A-Z0-9]{16}",
        "(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{20,}",
        "github_pat_[A-Za-z0-9_]{20,}",
        "npm_[A-Za-z0-9]{30,}",
        "xox[baprs]-[A-Za-z0-9-]{10,}",
        "AIza[A-Za-z0-9_-]{30,}",
    )
)

_MARKS: Final = re.compile("[<>`]")
_TILDES: Final = re.compile("~{2,}")
_SPACES: Final = re.compile(f"{js.SPACES}+")


def neutralised(text: str) -> str:
    """The text as one line without control characters, angle brackets and backticks, white space collapsed."""
    if not text.isascii() or not text.isprintable():
        text = "".join(" " if unicodedata.category(each) in ("Cc", "Cf") else each for each in text)
    return js.trim(_SPACES.sub(" ", _TILDES.sub("~", _MARKS.sub("", text))))


def redacted(text: str, *, before_18_2_3: bool = False) -> str:
    """`text` with possible secrets replaced. The rule of older versions also matches words such as `key-something`."""
    text = _OLD.sub(REDACTED, text) if before_18_2_3 else _RUN.sub(lambda run: _without_secret(run[0]), text)
    for pattern in _KNOWN:
        text = pattern.sub(REDACTED, text)
    return text


def _without_secret(run: str) -> str:
    """Redact from the first secret-like name followed by something long and random to the end of the run."""
    for found in _DELIMITER.finditer(run):
        name = next((name for name in _NAMES if run.endswith(name, 0, found.start())), None)
        if name and any(map(_is_strong, _DELIMITER.split(run[found.end() :]))):
            return run[: found.start() - len(name)] + REDACTED
    return run


def _is_strong(piece: str) -> bool:
    is_mixed = not piece.isalpha() and not piece.isdigit()
    return len(piece) >= (_STRONG_MIXED if is_mixed else _STRONG_PLAIN)


MOST_LESSONS: Final = 100
LONGEST_LESSON: Final = 2000
LONGEST_CONTEXT: Final = 400
"""The most UTF-16 units of a lesson's text and of its context."""

_BOM: Final = "\ufeff"


class Lesson(NamedTuple):
    """A lesson, with an optional context."""

    content: str
    context: str = ""


def normal(text: str, longest: int) -> str:
    """A text as it is stored: one plain line, redacted and cut."""
    text = js.trim(redacted(neutralised(text)))
    if js.units(text) <= longest:
        return text
    cut = js.first_units(text, longest)
    return cut[:-1] if "\ud800" <= cut[-1:] <= "\udbff" else cut


def line_of(lesson: Lesson) -> str:
    """The line of a lesson; empty if nothing of it is left."""
    content, context = normal(lesson.content, LONGEST_LESSON), normal(lesson.context, LONGEST_CONTEXT)
    if not content:
        return ""
    return f"- {content} _(context: {context})_" if context else f"- {content}"


def is_lesson(line: str) -> bool:
    """Whether a line of the file is a lesson, also inside a code fence."""
    return js.trim_start(line).startswith("- ")


TASK: Final = "Open task: "
"""What a lesson that is an open task begins with."""


def losses(text: str) -> tuple[str, ...]:
    """What a text loses when it becomes a lesson, as sentences."""
    out = ["Its lines become one."] if "\n" in trim(text) else []
    if "<" in text or ">" in text:
        out.append("It loses < and >, which may change what it says.")
    if "`" in text:
        out.append("Its backticks stay behind.")
    if js.units(neutralised(text)) > LONGEST_LESSON:
        out.append(f"What is behind its first {LONGEST_LESSON:,} characters stays behind.")
    return tuple(out)


def warnings(text: str) -> tuple[str, ...]:
    """What a person should know of a text before it becomes a lesson, as sentences."""
    plain = neutralised(text)
    return ("oh-my-pi would take a part of it for a secret: that part is [REDACTED].",) if redacted(plain) != plain else ()


def with_line(raw: bytes | None, line: str) -> bytes | None:
    """The file with the line of a lesson above the others, all other bytes unchanged; None if it has that line.

    Raises `RuleBroken` if there are as many lessons as oh-my-pi keeps.
    """
    there = [js.trim(each) for each in raw_lines(js.decode(raw or b"")) if is_lesson(each)]
    if js.trim(line) in there:
        return None
    if len(there) >= MOST_LESSONS:
        raise RuleBroken("full", f"oh-my-pi keeps {MOST_LESSONS} lessons, and there are as many. Nothing was written.")
    end = b"\r\n" if raw and b"\r\n" in raw else b"\n"
    rows = (raw or b"").split(b"\n")
    at = next((number for number, each in enumerate(rows) if is_lesson(js.decode(each))), None)
    new = js.encode(line) + end.removesuffix(b"\n")
    if at is None:
        joint = b"" if not raw or raw.endswith(b"\n") else end
        return (raw or b"") + joint + new + b"\n"
    return b"\n".join([*rows[:at], new, *rows[at:]])


def with_fact(raw: bytes | None, text: str, *, is_task: bool) -> tuple[bytes | None, tuple[str, ...]]:
    """(the file with a fact above the others as `with_line`, what a person should know of it, as sentences).

    Raises `RuleBroken`.
    """
    says = f"{TASK if is_task else ''}{words_of(text)}"
    line = line_of(Lesson(says))
    if not line:
        raise RuleBroken("empty", "Nothing of it is left as a lesson. Nothing was written.")
    return with_line(raw, line), (*losses(text), *warnings(says))


def learned(raw: bytes | None, lesson: Lesson) -> bytes | None:
    """The file with a lesson added on top of the others; None if the lesson is empty.

    An equal lesson further down is removed; headings and prose keep their place; lessons beyond a hundred are dropped. As in
    oh-my-pi, a byte order mark and invalid UTF-8 are lost; the caller keeps the old bytes.
    """
    line = line_of(lesson)
    if not line:
        return None
    lines = raw_lines(js.decode(raw or b"").removeprefix(_BOM))
    if not lines[-1]:
        lines.pop()
    lines = [each for each in lines if not (is_lesson(each) and js.trim(each) == line)]
    at = next((number for number, each in enumerate(lines) if is_lesson(each)), len(lines))
    lines.insert(at, line)
    lessons = [number for number, each in enumerate(lines) if is_lesson(each)]
    for number in reversed(lessons[MOST_LESSONS:]):
        del lines[number]
    return js.encode("\n".join(lines) + "\n")
