"""Swap two file names atomically, so that a replaced file is never lost unseen."""

from __future__ import annotations

import errno
import os
import sys
from functools import cache
from typing import Any, Final

_AT_FDCWD: Final = -100
_LINUX_NOREPLACE: Final = 1
_LINUX_EXCHANGE: Final = 2
_MACOS_SWAP: Final = 2
_MACOS_EXCL: Final = 4

_UNSUPPORTED: Final = frozenset({errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP})


class Unsupported(Exception):
    """The operating system or file system does not support the operation."""


def exchange(one: str, other: str) -> None:
    """Swap two existing files. Raises `Unsupported`, or `OSError` from the system."""
    _rename(one, other, _LINUX_EXCHANGE, _MACOS_SWAP)


def move_to_free_name(source: str, target: str) -> None:
    """Rename, unless `target` exists (`FileExistsError`). Raises `Unsupported`, or `OSError` from the system."""
    _rename(source, target, _LINUX_NOREPLACE, _MACOS_EXCL)


def _rename(source: str, target: str, linux: int, macos: int) -> None:
    call = _system_call()
    if call is None:
        raise Unsupported
    one, other = os.fsencode(source), os.fsencode(target)
    failed = call(one, other, macos) if sys.platform == "darwin" else call(_AT_FDCWD, one, _AT_FDCWD, other, linux)
    if failed:
        from ctypes import get_errno  # deferred as below

        code = get_errno()
        if code in _UNSUPPORTED:
            raise Unsupported
        raise OSError(code, os.strerror(code), source, None, target)


@cache
def _system_call() -> Any:
    """`renameat2` on Linux, `renamex_np` on macOS; None if neither exists."""
    import ctypes  # deferred: a megabyte, needed only for writing

    library = ctypes.CDLL(None, use_errno=True)
    return getattr(library, "renamex_np" if sys.platform == "darwin" else "renameat2", None)
