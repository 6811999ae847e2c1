"""Speed up the start: import our modules on first use, and skip OpenSSL, which takes a twentieth of the start and 8 MB."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any, Final

_HASHES: Final = ("_md5", "_sha1", "_sha3", "_blake2", *(("_sha2",) if sys.version_info >= (3, 12) else ("_sha256", "_sha512")))
"""The hash implementations built into Python."""


def load_asyncio() -> None:
    """Import asyncio for Textual without `ssl`: the screen opens no connection. A later `import ssl` works as usual."""
    _load("asyncio", without="ssl")


def load_hashlib() -> None:
    """Import hashlib with Python's own hashes; if Python was built without some of them, leave it to use OpenSSL."""
    try:
        for each in _HASHES:
            __import__(each)
    except ImportError:
        return
    _load("hashlib", without="_hashlib")


def _load(name: str, *, without: str) -> None:
    """Import module `name` while module `without` appears to be missing; no effect if either is already loaded."""
    if name in sys.modules or without in sys.modules:
        return
    sys.modules[without] = None  # type: ignore[assignment]  # Python's own way to mark a module as missing
    try:
        __import__(name)
    finally:
        del sys.modules[without]


class LateModule:
    """A module that is imported on the first access to one of its attributes."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(import_module(self._name), attribute)


def late_modules(package: str, names: str) -> list[LateModule]:
    """Late modules of a package; `names` are separated by blanks."""
    return [LateModule(f"{package}.{name}") for name in names.split(" ")]
