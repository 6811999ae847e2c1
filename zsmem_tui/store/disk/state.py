"""Read and write our own files in the state folder, atomically and readable by the owner only."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, Final, TypeVar

from zsmem_tui.config import locate
from zsmem_tui.core.errors import Missing, StoreError, WriteFailed
from zsmem_tui.core.json_value import json_object
from zsmem_tui.core.text import printable_path
from zsmem_tui.store.disk import files, lock
from zsmem_tui.store.disk.files import failing
from zsmem_tui.store.disk.folders import delete_if_possible, make_private, sync_folder
from zsmem_tui.store.disk.replace import NotSynced, put_over, replacing, sweep

DAMAGED: Final = ".damaged"
"""Suffix for a file that cannot be parsed, before a new one replaces it."""

T = TypeVar("T")


def folder(kind: str, root: str) -> str:
    """The folder for one kind of state of a store; symbolic links in `root` are resolved first."""
    return folder_of_real(kind, os.path.realpath(root))


def has_history(root: str) -> bool:
    """Whether anything is in the history of the store at `root`, which need not be there; one only looked into is empty."""
    home = folder("history", root)
    kept = {*files.list_all(f"{home}/git/objects"), *files.list_all(f"{home}/git/objects/pack")} - {"info", "pack"}
    return bool(kept or files.list_all(f"{home}/pending"))


def folder_of_real(kind: str, real_root: str) -> str:
    """`folder` for a root whose links are resolved already."""
    return os.path.join(locate.state_folder(), kind, _key(real_root))


@cache
def _key(real_root: str) -> str:
    import hashlib  # deferred: loads OpenSSL, which the first frame does not need

    return hashlib.sha256(os.fsencode(real_root)).hexdigest()[:16]


def put(place: str, raw: bytes, outcome: str, *, durable: bool = True) -> None:
    """Write a file atomically; synced if `durable`.

    Raises `WriteFailed` with a message that ends with `outcome`, or says that the file is written but not synced.
    """
    home = os.path.dirname(place)
    try:
        sweep(home)
        if not os.path.isdir(home):
            make_private(home)
        with replacing(place, durable=durable) as stream:
            stream.write(raw)
    except NotSynced as error:
        raise _not_synced(place, error) from error
    except OSError as error:
        raise WriteFailed(place, f"{printable_path(place)}: {error.strerror}. {outcome}") from error


def make(place: str, parts: Iterable[bytes], outcome: str, *, durable: bool = True) -> None:
    """Create a file whose readers can tell if it is incomplete; synced if `durable`. Raises the errors of `put`."""
    with failing(place, outcome):
        handle = _opened(place, os.O_EXCL)
        is_whole = False
        try:
            for part in parts:
                write_all(handle, part)
            if durable:
                os.fsync(handle)
            is_whole = True
        finally:
            os.close(handle)
            if not is_whole:
                delete_if_possible(place)
    if durable:
        try:
            sync_folder(os.path.dirname(place))
        except OSError as error:
            raise _not_synced(place, error) from error


def _not_synced(place: str, error: OSError) -> WriteFailed:
    return WriteFailed(place, f"{printable_path(place)}: {error.strerror}. It is written, but may not outlive a power cut.")


def put_over_own(place: str, raw: bytes) -> None:
    """Overwrite a file in place, ten times as fast as `put`, for content that may be lost if the program dies meanwhile.

    Raises `OSError`.
    """
    handle = _opened(place, 0)
    try:
        write_all(handle, raw)
        os.ftruncate(handle, len(raw))
    finally:
        os.close(handle)


def _opened(place: str, flags: int) -> int:
    flags |= os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    try:
        return os.open(place, flags, 0o600)
    except FileNotFoundError:
        make_private(os.path.dirname(place))
        return os.open(place, flags, 0o600)


def write_all(handle: int, raw: bytes) -> None:
    """Write all these bytes to an open file. Raises `OSError`."""
    view = memoryview(raw)
    while view:
        view = view[os.write(handle, view) :]


@contextmanager
def held(home: str, outcome: str) -> Iterator[None]:
    """Lock a state folder against our other processes and threads, to read and write a file as one step.

    Raises `WriteFailed` with a message that ends with `outcome`.
    """
    with failing(home, outcome):
        make_private(home)
    with lock.writer(home):
        yield


def documents(home: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """(name without extension, content) of the JSON objects in a folder; unreadable ones are skipped."""
    for name in sorted(name for name in files.list_all(home) if name.endswith(".json")):
        found = document(os.path.join(home, name))
        if found is not None:
            yield name.removesuffix(".json"), found


def document(place: str) -> dict[str, Any] | None:
    """The JSON object in a file; None if it cannot be read or is none."""
    try:
        return json_object(files.read(place)[0])
    except StoreError:
        return None


def to_change(place: str, understand: Callable[[bytes], T | None], outcome: str) -> T | None:
    """Read a file that is about to be rewritten, parsed by `understand`; None if it does not exist.

    If `understand` returns None, the damaged file is put aside for the person, and None is returned. Raises `WriteFailed`, with a
    message that ends with `outcome`, if it cannot be read or put aside; it must not be overwritten then.
    """
    try:
        found = understand(files.read(place)[0])
    except Missing:
        return None
    except StoreError as error:
        raise WriteFailed(place, f"{error.message}. {outcome}", error.hint) from error
    if found is None:
        put_aside(place, outcome)
    return found


def document_to_change(place: str, outcome: str, is_whole: Callable[[dict[str, Any]], bool] = lambda found: True) -> dict[str, Any]:
    """`to_change` for a JSON object; empty if there is none.

    If `is_whole` returns False, the file is put aside as well, but what was parsed is still returned.
    """
    found = to_change(place, json_object, outcome) or {}
    if found and not is_whole(found):
        put_aside(place, outcome)
    return found


def put_aside(place: str, outcome: str) -> None:
    """Rename a damaged file to a free name with the suffix `.damaged`.

    Raises `WriteFailed` with a message that ends with `outcome`.
    """
    aside, number = place + DAMAGED, 1
    while os.path.lexists(aside):
        number += 1
        aside = f"{place}{DAMAGED}-{number}"
    try:
        put_over(place, aside)
    except NotSynced:
        return  # renamed, though a power cut may undo it
    except OSError as error:
        raise WriteFailed(place, f"{printable_path(place)}: {error.strerror}. {outcome}") from error


def rename(place: str, new: str) -> None:
    """Rename a file, without sync. Raises `OSError`."""
    os.rename(place, new)


def drop(place: str) -> None:
    """Delete a file, if it exists."""
    try:
        os.unlink(place)
    except FileNotFoundError:
        return
