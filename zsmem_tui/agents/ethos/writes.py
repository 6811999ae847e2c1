"""How Ethos changes a file: four kinds of update, and what happens when a text gets too long."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple, get_args

from zsmem_tui.agents import javascript as js
from zsmem_tui.agents.ethos.files import ARCHIVE
from zsmem_tui.core.provider import MemoryAction, MemoryUpdate
from zsmem_tui.core.text import raw_lines

LARGEST: Final = 524_288
"""The largest file in UTF-16 units; text before the last ones goes to the archive."""

ACTIONS: Final = get_args(MemoryAction)
_IV_AND_TAG: Final = 12 + 16
"""The least size in bytes of an encrypted file."""


class Synced(NamedTuple):
    """The result of updates: the text (None: the file is deleted), and the text to append to the archive."""

    text: str | None
    archived: str = ""


def synced(text: str, key: str, updates: Iterable[MemoryUpdate], now: str) -> Synced:
    """Apply updates to the text of a key (empty: no file); `now` is the time for the archive, ISO with milliseconds and Z.

    What overflows the archive itself is lost from the new text: the caller keeps the old one.
    """
    is_deleted = False
    for update in updates:
        match update.action:
            case "add":
                text = f"{js.trim_end(text)}\n\n{js.trim(update.content)}\n" if text else f"{js.trim(update.content)}\n"
            case "replace":
                text = f"{js.trim(update.content)}\n"
            case "remove" if update.substring:
                kept = [line for line in raw_lines(text) if update.substring not in line]
                text = js.trim_end("\n".join(kept)) + "\n"
            case "remove":
                continue
            case "delete":
                text, is_deleted = "", True
                continue
        is_deleted = False
    if is_deleted:
        return Synced(None)
    text, cut = overflow(text)
    archived = f"\n<!-- overflow-archived {now} from {key} -->\n{cut}\n" if cut and key != ARCHIVE else ""
    return Synced(text, archived)


def overflow(text: str) -> tuple[str, str]:
    """Split a text that is too long: (end of the text from a line start on, the text before without trailing white space)."""
    if js.units(text) <= LARGEST:
        return text, ""
    kept = js.last_units(text, LARGEST)
    at = kept.find("\n")
    if at > 0:
        kept = kept[at + 1 :]
    cut = js.first_units(text, js.units(text) - js.units(kept))
    return kept, js.trim_end(cut)


def is_encrypted(raw: bytes, *, configured: bool = False) -> bool:
    """Whether Ethos encrypted a file, so that it cannot be read or extended without the key.

    Text in another encoding has bytes that are not UTF-8, but no control characters; encrypted data has both.
    """
    if len(raw) < _IV_AND_TAG:
        return False
    text = raw.decode("utf-8", "replace")
    bad = text.count("\ufffd") - raw.count("\ufffd".encode())
    if bad <= 0:
        return False
    return configured or (bad * 8 >= len(text) and any(each < "\t" or "\r" < each < "\x1b" for each in text))


def configures_encryption(settings: str) -> bool:
    """Whether Ethos' settings enable encryption (`encryption: true` below `storage:`)."""
    section = ""
    for line in raw_lines(settings):
        words = line.split("#")[0].rstrip()
        if words and not words[0].isspace():
            section = words
        elif section == "storage:" and words.strip().replace(" ", "") in ("encryption:true", "encryption:True"):
            return True
    return False
