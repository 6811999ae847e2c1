"""What a commit of the history says, and how a text is kept in it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from zsmem_tui.core.text import printable_path
from zsmem_tui.core.version import Origin
from zsmem_tui.store.history.journal import Text

NOTHING: Final = "-"
"""Stands for the id of no text in a message."""

NOT_KEPT: Final = b"zsmem does not keep this text: "
"""How the stand-in for a text that is too large begins."""


class Meta(NamedTuple):
    """What all changes of one commit share; the fields are those of `Version`."""

    when: int
    origin: Origin
    who: str = ""
    batch: str = ""
    label: str = ""
    relation: str = ""


def content(text: Text) -> bytes:
    """What is kept of a text: itself, or for one that is too large, how it can be known again."""
    return text.raw if text.raw is not None else NOT_KEPT + b"%d bytes, sha256 %s\n" % (text.size, text.digest.encode())


def id_of(text: Text | None) -> str:
    """The id that git gives to a text."""
    if text is None:
        return ""
    from hashlib import sha1  # only once something is recorded

    raw = content(text)
    return sha1(b"blob %d\0" % len(raw) + raw).hexdigest()


def message(
    meta: Meta,
    pairs: Mapping[str, tuple[str, str]],
    entries: Sequence[str] = (),
    seen: Mapping[str, tuple[str, str]] = MappingProxyType({}),
    dropped: Mapping[str, int] = MappingProxyType({}),
    written: Mapping[str, int] = MappingProxyType({}),
) -> str:
    """The message of a commit that changes these paths, made from these journal entries.

    `seen` has what the person had seen of each before and after, and is told where that is not what the file itself held; `dropped`
    and `written` are those of the versions (`core.version`).
    """
    paths = list(pairs)
    what = paths[0] if len(paths) == 1 else f"{len(paths)} files"
    subject = meta.label or f"{meta.who or meta.origin.value}: {what}"
    fields = {"Origin": meta.origin.value, "Who": meta.who, "Batch": meta.batch, "Label": meta.label, "Relation": meta.relation}
    lines = [f"{name}: {_one_line(value)}" for name, value in fields.items() if value]
    if entries:
        lines.append(f"Entries: {' '.join(entries)}")
    lines += [
        f"Seen: {key_of(path)} {before or NOTHING} {after or NOTHING}"
        for path, (before, after) in seen.items()
        if (before, after) != pairs.get(path)
    ]
    for name, times in (("Dropped", dropped), ("Written", written)):
        lines += [f"{name}: {key_of(path)} {when}" for path, when in times.items() if when]
    return "\n".join([_one_line(printable_path(subject)), "", *lines, f"When: {meta.when}", ""])


def key_of(path: str) -> str:
    """What stands for a path, whatever characters are in it."""
    from hashlib import sha1  # only once something is recorded

    return sha1(os.fsencode(path)).hexdigest()[:16]


def seen_of(message: str) -> dict[str, tuple[str, str]]:
    """What `message` was told of texts seen, by the keys of their paths."""
    found = [line.split(" ")[1:] for line in message.split("\n") if line.startswith("Seen: ")]
    return {words[0]: (words[1].removeprefix(NOTHING), words[2].removeprefix(NOTHING)) for words in found if len(words) == 3}


def times_of(message: str, name: str) -> dict[str, int]:
    """What `message` was told as `Dropped` or `Written`, by the keys of the paths."""
    found = [line.split(" ")[1:] for line in message.split("\n") if line.startswith(f"{name}: ")]
    return {words[0]: int(words[1]) for words in found if len(words) == 2 and words[1].isdecimal()}


def _one_line(text: str) -> str:
    return text.replace("\r", " ").replace("\n", " ")


def entries_of(message: str) -> list[str]:
    """The journal entries that a commit was made from."""
    found = [line for line in message.split("\n") if line.startswith("Entries: ")]
    return found[0].split(" ")[1:] if found else []


def meta_of(message: str) -> Meta:
    """What `message` was told, read back."""
    found = dict(line.split(": ", 1) for line in message.split("\n\n", 1)[-1].split("\n") if ": " in line)
    try:
        when, origin = int(found.get("When", "0")), Origin(found.get("Origin", "other"))
    except ValueError:
        when, origin = 0, Origin.OTHER
    fields = (found.get(name, "") for name in ("Who", "Batch", "Label", "Relation"))
    return Meta(when, origin, *fields)
