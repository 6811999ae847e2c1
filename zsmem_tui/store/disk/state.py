"""Files of our own in the state folder: written durably, readable by their owner alone."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, Final, TypeVar

from zsmem_tui.config import locate
from zsmem_tui.core.errors import Missing, StoreError, WriteFailed
from zsmem_tui.core.json_value import json_value
from zsmem_tui.core.text import printable_path
from zsmem_tui.store.disk import files, lock
from zsmem_tui.store.disk.folders import make_private, sync_folder
from zsmem_tui.store.disk.replace import NotSynced, put_over, replacing, sweep

DAMAGED: Final = ".damaged"
"""What is put behind the name of a file that cannot be understood, before another one takes its place."""

T = TypeVar("T")


def folder(kind: str, root: str) -> str:
    """Where things of a kind are kept for a store: the same place for every way to write the root's path."""
    return folder_of_real(kind, os.path.realpath(root))


def folder_of_real(kind: str, real_root: str) -> str:
    """The same of a root without links."""
    return os.path.join(locate.state_folder(), kind, _key(real_root))


@cache
def _key(real_root: str) -> str:
    import hashlib  # OpenSSL with it, which the first frame can do without

    return hashlib.sha256(os.fsencode(real_root)).hexdigest()[:16]


def put(place: str, raw: bytes, outcome: str, *, durable: bool = True) -> None:
    """Write a file in one step, synced when `durable`.

    Raises `WriteFailed`, whose sentence ends with `outcome`, or says that the file is written, but may not outlive a power cut.
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
    """Make a file that whoever reads it knows for unfinished while it is, synced when `durable`. Raises what `put` raises."""
    try:
        handle = _opened(place, os.O_EXCL)
        is_whole = False
        try:
            for part in parts:
                _write(handle, part)
            if durable:
                os.fsync(handle)
            is_whole = True
        finally:
            os.close(handle)
            if not is_whole:
                with contextlib.suppress(OSError):
                    os.unlink(place)
    except OSError as error:
        raise WriteFailed(place, f"{printable_path(place)}: {error.strerror}. {outcome}") from error
    if durable:
        try:
            sync_folder(os.path.dirname(place))
        except OSError as error:
            raise _not_synced(place, error) from error


def _not_synced(place: str, error: OSError) -> WriteFailed:
    return WriteFailed(place, f"{printable_path(place)}: {error.strerror}. It is written, but may not outlive a power cut.")


def put_over_own(place: str, raw: bytes) -> None:
    """Write a file where it stands, a tenth of the time of `put`: for what may be cut short when the program dies meanwhile.

    Raises `OSError`.
    """
    handle = _opened(place, 0)
    try:
        _write(handle, raw)
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


def _write(handle: int, raw: bytes) -> None:
    view = memoryview(raw)
    while view:
        view = view[os.write(handle, view) :]


@contextmanager
def held(home: str, outcome: str) -> Iterator[None]:
    """Keep our other processes and threads out of a folder of the state, to read and write a file as one step.

    Raises `WriteFailed`, whose sentence ends with `outcome`.
    """
    try:
        make_private(home)
    except OSError as error:
        raise WriteFailed(home, f"{printable_path(home)}: {error.strerror}. {outcome}") from error
    with lock.writer(home):
        yield


def documents(home: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The JSON documents in a folder with their names, without the ending; what cannot be read is passed over."""
    try:
        names = sorted(name for name in os.listdir(home) if name.endswith(".json"))
    except OSError:
        return
    for name in names:
        found = document(os.path.join(home, name))
        if found is not None:
            yield name.removesuffix(".json"), found


def document(place: str) -> dict[str, Any] | None:
    """The JSON document in a file; None when it cannot be read or is none."""
    try:
        raw = files.read(place)[0]
    except StoreError:
        return None
    return parsed(raw)


def parsed(raw: bytes) -> dict[str, Any] | None:
    """The JSON document that bytes are; None when they are none."""

    try:
        found = json_value(raw)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def to_change(place: str, understand: Callable[[bytes], T | None], outcome: str) -> T | None:
    """What a file says that is about to be written anew, which `understand` makes of its bytes; None where there is none.

    One that is not understood is put aside for the person, and counts as none. Raises `WriteFailed`, whose sentence ends with
    `outcome`, where it cannot be read or put aside: it is not to be written over then.
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
    """`to_change` for a JSON document; an empty one where there is none.

    One of which something is not understood, says `is_whole`, is put aside too; the rest of it still counts.
    """
    found = to_change(place, parsed, outcome) or {}
    if found and not is_whole(found):
        put_aside(place, outcome)
    return found


def put_aside(place: str, outcome: str) -> None:
    """Give a damaged file another name beside its own, and let one that has that name already keep it.

    Raises `WriteFailed`, whose sentence ends with `outcome`.
    """
    aside, number = place + DAMAGED, 1
    while os.path.lexists(aside):
        number += 1
        aside = f"{place}{DAMAGED}-{number}"
    try:
        put_over(place, aside)
    except NotSynced:
        return  # it has its new name; a power cut may give it the old one back
    except OSError as error:
        raise WriteFailed(place, f"{printable_path(place)}: {error.strerror}. {outcome}") from error


def rename(place: str, new: str) -> None:
    """Give a file another name, which a power cut may take away again. Raises `OSError`."""
    os.rename(place, new)


def drop(place: str) -> None:
    """Delete a file, if it is there."""
    try:
        os.unlink(place)
    except FileNotFoundError:
        return
