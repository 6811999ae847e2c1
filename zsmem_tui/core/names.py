"""Check names of notes, logs and projects, and compute a folder's project slug (specification, sections 2, 9 and 15)."""

from __future__ import annotations

import re
from os import PathLike
from typing import Final

from zsmem_tui.core.errors import BadName
from zsmem_tui.core.limits import EXTENSION, NOTE_STEM_MAX_BYTES, SLUG_BASE_CHARS
from zsmem_tui.core.slug_hash import START, onwards
from zsmem_tui.core.text import printable_path, trim

_SLUG_CHARS: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
DEVICE: Final = re.compile(r"(?i:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?")
"""Names that no file can have on Windows."""

_BETWEEN: Final = re.compile(r"[-/\\.]+")

BAD_NOTE: Final = "invalid note name (no slashes or dots)"
BAD_DAILY: Final = "invalid daily date name (expected YYYY-MM-DD)"
BAD_DAILY_EDIT: Final = "invalid daily date name (expected YYYY-MM-DD: digits and hyphens only)"


def note_stem(name: str | None, refusal: str = BAD_NOTE) -> str:
    """The stem of a note that may be written: as `stem_to_read`, and without a NUL; at most 251 bytes, since agents need room for
    the name of their temporary file. Raises `BadName`, with `refusal` as `stem_to_read` does.
    """
    stem = stem_to_read(name, refusal)
    if "\0" in stem:
        raise BadName("file name contained an unexpected NUL byte")
    if _size(stem) > NOTE_STEM_MAX_BYTES:
        raise BadName(f"File name too long: a note name may have {NOTE_STEM_MAX_BYTES} bytes")
    return stem


def _size(name: str) -> int:
    """How many bytes a name has on disk. Raises `BadName` if it cannot be one."""
    try:
        return len(name.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:
        raise BadName("the name is not valid Unicode (it holds half a character)") from None


def stem_to_read(name: str | None, refusal: str) -> str:
    r"""The file stem for a note called `name`: trimmed, without any `.md` at its end.

    Raises `BadName` with `refusal` if it is empty or contains `/`, `\\` or `.`.
    """
    stem = trim(name or "")
    while stem.endswith(EXTENSION):
        stem = stem[: -len(EXTENSION)]
    if not stem or any(char in stem for char in "/\\."):
        free = "-".join(filter(None, _BETWEEN.split(stem))) or "a-name"
        raise BadName(refusal, f"{printable_path(free)} would do." if stem else "A note needs a name.")
    return stem


def free_name(wanted: str, used: set[str]) -> str:
    """The wanted name, with a number behind it if it is in `used` (case-folded names), to which it is added."""
    name, number = wanted, 2
    while name.casefold() in used:
        name, number = f"{wanted}-{number}", number + 1
    used.add(name.casefold())
    return name


def daily_stem(name: str, refusal: str = BAD_DAILY) -> str:
    """Return `name` if it consists of digits and hyphens only (section 15); raises `BadName` otherwise."""
    if name and all(char in "0123456789-" for char in name):
        return name
    raise BadName(refusal)


def project_name(slug: str) -> str:
    """Return `slug` if it can name a project folder. Raises `BadName` if it would leave `projects/` or be hidden."""
    is_path = any(char in slug for char in "/\0")
    if not slug or slug.startswith(".") or is_path or _size(slug) > 255:
        raise BadName(f"invalid project name: {slug!r}", "A project is one folder below projects/, and has its name.")
    return slug


def is_like_slug(name: str) -> bool:
    """Whether a name has only characters that slugs have: agents ignore project folders with other names."""
    return bool(name) and _SLUG_CHARS.issuperset(name)


def project_slug(path: str | bytes | PathLike[str] | PathLike[bytes]) -> str:
    """The project slug of a folder: its cleaned base name, `-`, and 8 hex digits of an FNV hash of the path as given.

    The path is not normalized: `/a` and `/a/` differ (specification, section 2). Never fails.
    """
    given = path if isinstance(path, (str, bytes)) else path.__fspath__()
    raw = given.encode("utf-8", "surrogateescape") if isinstance(given, str) else given
    return f"{_slug_base(raw)}-{onwards(START, raw):08x}"


def _slug_base(raw: bytes) -> str:
    parts = [part for index, part in enumerate(raw.split(b"/")) if part and (part != b"." or index == 0)]
    if not parts or parts[-1] in (b".", b".."):
        return "root"
    try:
        last = parts[-1].decode()
    except UnicodeDecodeError:
        return "root"
    return "".join(char if char in _SLUG_CHARS else "-" for char in last[:SLUG_BASE_CHARS])
