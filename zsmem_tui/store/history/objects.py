"""Git's objects read as what they should be, and whatever is wrong with a repository as one error of ours."""

from __future__ import annotations

import errno
import os
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Final, TypeVar

from dulwich.errors import ApplyDeltaError, ChecksumMismatch, FileFormatException, NotGitRepository, ObjectFormatException
from dulwich.object_store import DiskObjectStore
from dulwich.objects import Commit, ObjectID, ShaFile
from dulwich.pack import PackFileDisappeared

from zsmem_tui.core.errors import HistoryError
from zsmem_tui.core.text import printable_path

_BROKEN: Final = (
    OSError,
    KeyError,
    ValueError,
    AssertionError,
    OverflowError,
    BufferError,
    RecursionError,
    struct.error,
    zlib.error,
    ApplyDeltaError,
    ChecksumMismatch,
    FileFormatException,
    NotGitRepository,
    PackFileDisappeared,
)
"""What reading a damaged repository raises: `tests/store/history/test_damage.py` does it in many ways."""

_PASSING: Final = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM, errno.EMFILE, errno.ENFILE, errno.ENOMEM}
)
"""What is wrong with the machine and not with the repository: to begin a new one would help nobody."""

Kind = TypeVar("Kind", bound=ShaFile)


def object_of(store: DiskObjectStore, id: bytes, kind: type[Kind]) -> Kind:
    """The object called `id`. Raises one of the errors of a damaged repository, also when it is of another kind."""
    found = store[ObjectID(id)]
    if not isinstance(found, kind):
        raise ObjectFormatException(f"{id!r} is no {kind.__name__.lower()}")
    return found


def commits(store: DiskObjectStore, head: str, until: str = "") -> Iterator[Commit]:
    """The commits from `head` back to the first one, or to `until`, which is not among them.

    Raises one of the errors of a damaged repository, also when they go in a circle.
    """
    seen: set[str] = set()
    at = head
    while at and at != until:
        if at in seen:
            raise ObjectFormatException(f"{at} comes before itself")
        seen.add(at)
        commit = object_of(store, at.encode(), Commit)
        yield commit
        at = commit.parents[0].decode() if commit.parents else ""


@contextmanager
def history_errors(home: str) -> Iterator[None]:
    """Whatever is wrong with a repository, as one sentence."""
    try:
        yield
    except HistoryError:
        raise
    except _BROKEN as error:
        if isinstance(error, OSError) and error.errno in _PASSING:
            raise HistoryError(
                _told(home, os.strerror(error.errno)), "What it holds is not lost: it goes on once that is mended."
            ) from error
        words = error.strerror if isinstance(error, OSError) and error.strerror else _damaged(error)
        raise _unusable(home, words) from error
    except (TypeError, IndexError) as error:
        if not _is_dulwichs(error.__traceback__):
            raise  # a mistake of ours; dulwich makes one of an object of a single byte, or an index that ends too soon
        raise _unusable(home, _damaged(error)) from error


def _damaged(error: Exception) -> str:
    return f"it is damaged ({type(error).__name__})"


def _unusable(home: str, words: str) -> HistoryError:
    return HistoryError(_told(home, words), f"Move {printable_path(os.path.dirname(home))} away to begin a new history.")


def _told(home: str, words: str) -> str:
    return f"{printable_path(home)}: {words}. Earlier versions cannot be used; memory is saved all the same."


def _is_dulwichs(trace: TracebackType | None) -> bool:
    """Whether an error was raised by dulwich itself."""
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and str(trace.tb_frame.f_globals.get("__name__", "")).startswith("dulwich.")
