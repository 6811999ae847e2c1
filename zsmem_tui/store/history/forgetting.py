"""Taking a text out of everything that we keep ourselves: histories, drafts, notes of imports and exports, crash notes."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable
from typing import Any, Final

from zsmem_tui.config import locate
from zsmem_tui.core.errors import BadContent, HistoryError, StoreError
from zsmem_tui.core.json_value import json_value
from zsmem_tui.core.text import printable_path
from zsmem_tui.store import interrupted
from zsmem_tui.store.disk import files, state
from zsmem_tui.store.history import retention
from zsmem_tui.store.history.history import History
from zsmem_tui.store.history.retention import FORGOTTEN
from zsmem_tui.store.transfer import archives

_OF_A_HISTORY: Final = frozenset({"versions", "known", "at-work"})
"""Files that belong to a history: `retention` sees to them."""


def forget_everywhere(own: History, secret: bytes, now: Callable[[], int], *, dry_run: bool) -> tuple[int, list[str]]:
    """Mask `secret` in all of the state folder but the history `own`: how many histories and files held it, and what went wrong."""
    base = locate.state_folder()
    if not dry_run:
        interrupted.recover()
    count = 0
    problems: list[str] = []
    homes = os.path.join(base, "history")
    for name in _names(homes):
        home = os.path.join(homes, name)
        other = History("", now, home)
        is_one = os.path.isdir(os.path.join(home, "git")) or other.waiting()
        if is_one and os.path.realpath(home) != os.path.realpath(own.home):
            try:
                count += _forget_in(other, secret, dry_run)
            except HistoryError as error:
                problems.append(error.message)
    for folder, folders, names in os.walk(base):
        if os.path.dirname(folder) == homes:
            folders[:] = [name for name in folders if name != "git"]
            names = [name for name in names if name not in _OF_A_HISTORY]
        for name in names:
            try:
                count += not name.endswith(".entry") and _mask(os.path.join(folder, name), secret, dry_run)
            except StoreError as error:
                problems.append(error.message)
    return count, problems


def _forget_in(other: History, secret: bytes, dry_run: bool) -> bool:
    """Forget it in the history of another store, or of a folder that was exported to; whether it was there."""
    other.drain()
    from zsmem_tui.store.history.repository import holds  # dulwich: 40 to 60 ms, only when history is first used

    with other.opened() as repo:
        if not holds(repo, secret) and not retention.is_said(other.log.rows(), secret):
            return False
    if not dry_run:
        retention.forget(other, secret)
    return True


def _mask(place: str, secret: bytes, dry_run: bool) -> bool:
    """Mask `secret` in one file of ours, also in a bundle of a project that was put away; whether it was there."""
    try:
        raw = files.read(place)[0]
    except StoreError:
        return False
    new: bytes | None = None
    if place.endswith(".json"):
        new = _masked_json(raw, secret)
    elif place.endswith(archives.ENDING):
        with contextlib.suppress(BadContent, StoreError):  # whatever it is, it is none of our bundles
            new = archives.masked(place, secret, FORGOTTEN) or raw
    if new is None:
        new = raw.replace(secret, FORGOTTEN)
    if new == raw:
        return False
    if not dry_run:
        state.put(place, new, f"It still holds the text: delete {printable_path(place)}.")
    return True


def _masked_json(raw: bytes, secret: bytes) -> bytes | None:
    """A document with `secret` masked in its texts, which may stand for bytes; None when it is no document."""
    try:
        found = json_value(raw)
    except ValueError:
        return None
    words = {secret.decode("utf-8", "surrogateescape"), secret.decode("latin-1")}
    masked = _masked(found, words)
    return raw if masked == found else json.dumps(masked).encode()


def _masked(value: Any, words: set[str]) -> Any:
    match value:
        case str():
            for word in words:
                value = value.replace(word, FORGOTTEN.decode())
            return value
        case list():
            return [_masked(each, words) for each in value]
        case dict():
            return {key: _masked(each, words) for key, each in value.items()}
    return value


def _names(folder: str) -> list[str]:
    with contextlib.suppress(OSError):
        return sorted(os.listdir(folder))
    return []
