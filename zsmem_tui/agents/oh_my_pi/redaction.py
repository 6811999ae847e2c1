"""What oh-my-pi makes of a lesson before it is stored or shown: one plain line without anything like a secret."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from zsmem_tui.agents import javascript as js

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
    """One line: control and format characters and runs of white space become a space; angle brackets and backticks go."""
    if not text.isascii() or not text.isprintable():
        text = "".join(" " if unicodedata.category(each) in ("Cc", "Cf") else each for each in text)
    return js.trim(_SPACES.sub(" ", _TILDES.sub("~", _MARKS.sub("", text))))


def redacted(text: str, *, before_18_2_3: bool = False) -> str:
    """`text` with whatever looks like a secret replaced. The rule of older versions hits ordinary words such as `key-something`."""
    text = _OLD.sub(REDACTED, text) if before_18_2_3 else _RUN.sub(lambda run: _without_secret(run[0]), text)
    for pattern in _KNOWN:
        text = pattern.sub(REDACTED, text)
    return text


def is_redacted(text: str) -> bool:
    """Whether a lesson would lose something to the redaction, so that who writes it can be told."""
    plain = neutralised(text)
    return redacted(plain) != plain


def _without_secret(run: str) -> str:
    """From the first name of a secret that is followed by something long and random to the end of the run."""
    for found in _DELIMITER.finditer(run):
        name = next((name for name in _NAMES if run.endswith(name, 0, found.start())), None)
        if name and any(map(_is_strong, _DELIMITER.split(run[found.end() :]))):
            return run[: found.start() - len(name)] + REDACTED
    return run


def _is_strong(piece: str) -> bool:
    is_mixed = not piece.isalpha() and not piece.isdigit()
    return len(piece) >= (_STRONG_MIXED if is_mixed else _STRONG_PLAIN)
