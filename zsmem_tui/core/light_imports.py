"""Modules of Python's own, as it makes them where it has no OpenSSL: read for nothing, that takes a start a twentieth, and 8 MB."""

from __future__ import annotations

import sys
from typing import Final

_SUMS: Final = ("_md5", "_sha1", "_sha3", "_blake2", *(("_sha2",) if sys.version_info >= (3, 12) else ("_sha256", "_sha512")))
"""What Python adds up with itself."""


def load_asyncio() -> None:
    """Load Textual's loop: the screen opens no connection. Who imports `ssl` itself gets it as ever."""
    _load("asyncio", without="ssl")


def load_hashlib() -> None:
    """Load Python's own sums; with OpenSSL's in a Python that was built without some of them."""
    try:
        for each in _SUMS:
            __import__(each)
    except ImportError:
        return
    _load("hashlib", without="_hashlib")


def _load(name: str, *, without: str) -> None:
    """Import a module that looks for another one only now; what is loaded already stays."""
    if name in sys.modules or without in sys.modules:
        return
    sys.modules[without] = None  # type: ignore[assignment]  # Python's own way to say that there is no such module
    try:
        __import__(name)
    finally:
        del sys.modules[without]
