"""Merge what was written late into displaced files into the current files."""

from __future__ import annotations

import os

from zsmem_tui.core.errors import StoreError
from zsmem_tui.core.merge import Merged
from zsmem_tui.store.disk import displaced, lock
from zsmem_tui.store.disk.displaced import Displaced
from zsmem_tui.store.disk.swap import present
from zsmem_tui.store.history.journal import Recorder
from zsmem_tui.store.write_path.install_file import Install, again
from zsmem_tui.store.write_path.locating import locate


def take_in(root: str, recorder: Recorder) -> list[str]:
    """Merge late writes into displaced files, including those left by a dead process; return the paths concerned.

    For a program that stays open; every write does this first. Raises `WriteFailed`.
    """
    home = displaced.home_of(root)
    if not displaced.waiting(home) or not os.path.isdir(root):
        return []
    with lock.writer(root):
        return take_all(root, home, recorder)


def take_all(root: str, home: str, recorder: Recorder) -> list[str]:
    """`take_in` for callers that hold the store's lock. `home` is the folder of notes about displaced files."""
    return [each.path for each in displaced.waiting(home) if not each.has_writer() and take_one(root, each, recorder)]


def keep_all(root: str, recorder: Recorder) -> None:
    """Record late writes in the history without changing any file, for programs that only read."""
    for each in displaced.waiting(displaced.home_of(root)):
        try:
            text = each.text()
        except StoreError:
            continue
        if text and text != each.was:
            recorder.record_leftover(each.path, text)


def take_one(root: str, each: Displaced, recorder: Recorder) -> bool:
    """Merge one displaced file into the current file; if that fails, record it in the history.

    Returns whether anything had been written into it. The caller must hold the store's lock.
    """
    try:
        text = each.text() or b""
        is_late = text not in (b"", each.was)
        if is_late and not _merged(root, each, text, recorder) and not recorder.record_leftover(each.path, text):
            return False
    except StoreError:
        return False
    each.drop()
    return is_late


def _merged(root: str, each: Displaced, text: bytes, recorder: Recorder) -> bool:
    where = locate(root, each.path)
    now = present(where.place)
    if now is None or each.was is None:
        return False
    found = again(each.was, text, now, always=True)
    if not isinstance(found, Merged):
        return False
    recorder.record_displaced(each.path, now)
    if found.text != now:
        done = Install(where, now, found.text, recorder).run()
        if not done.confirmed:
            return False
        recorder.record_displaced(each.path, done.after)
    return True
