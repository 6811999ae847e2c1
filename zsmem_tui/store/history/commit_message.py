"""The format of the history's commit messages, and of texts stored in commits."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from zsmem_tui.core.text import printable_path
from zsmem_tui.core.version import Origin
from zsmem_tui.store.history.journal import Text

NOTHING: Final = "-"
"""Stands for "no text" in a message."""

NOT_KEPT: Final = b"zsmem does not keep this text: "
"""The start of the placeholder for a text that is too large."""

REVIEWED: Final = "refs/zsmem/reviewed"
"""The reference to the tree that the person has reviewed."""


class Meta(NamedTuple):
    """The metadata common to all changes of one commit; the fields are those of `Version`."""

    when: int
    origin: Origin
    who: str = ""
    batch: str = ""
    label: str = ""
    relation: str = ""


def content(text: Text) -> bytes:
    """The bytes to store for a text: itself or, if it is too large, a placeholder with size and digest."""
    return text.raw if text.raw is not None else NOT_KEPT + b"%d bytes, sha256 %s\n" % (text.size, text.digest.encode())


def id_of(text: Text | None) -> str:
    """The git object id of a text; empty for None."""
    if text is None:
        return ""
    from hashlib import sha1  # deferred: needed only to record something

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

    `seen` has the texts that the person saw before and after each change, and is stored where they differ from the file's content;
    `dropped` and `written` are those of the versions (`core.version`), by path.
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
    """A hash that stands for a path in messages, whatever its characters."""
    from hashlib import sha1  # deferred as above

    return sha1(os.fsencode(path)).hexdigest()[:16]


def seen_of(message: str) -> dict[str, tuple[str, str]]:
    """Parse `seen` from a message, by `key_of` the path."""
    found = [line.split(" ")[1:] for line in message.split("\n") if line.startswith("Seen: ")]
    return {words[0]: (words[1].removeprefix(NOTHING), words[2].removeprefix(NOTHING)) for words in found if len(words) == 3}


def times_of(message: str, name: str) -> dict[str, int]:
    """Parse `dropped` or `written` (`name` is `Dropped` or `Written`) from a message, by `key_of` the path."""
    found = [line.split(" ")[1:] for line in message.split("\n") if line.startswith(f"{name}: ")]
    return {words[0]: int(words[1]) for words in found if len(words) == 2 and words[1].isdecimal()}


def _one_line(text: str) -> str:
    return text.replace("\r", " ").replace("\n", " ")


def entries_of(message: str) -> list[str]:
    """Parse the ids of the journal entries that a commit was made from."""
    found = [line for line in message.split("\n") if line.startswith("Entries: ")]
    return found[0].split(" ")[1:] if found else []


def meta_of(message: str) -> Meta:
    """Parse the metadata from a message."""
    found = dict(line.split(": ", 1) for line in message.split("\n\n", 1)[-1].split("\n") if ": " in line)
    try:
        when, origin = int(found.get("When", "0")), Origin(found.get("Origin", "other"))
    except ValueError:
        when, origin = 0, Origin.OTHER
    fields = (found.get(name, "") for name in ("Who", "Batch", "Label", "Relation"))
    return Meta(when, origin, *fields)
