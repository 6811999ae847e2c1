"""What a start does without: modules of ours until they are used, and OpenSSL, which takes a twentieth of it, and 8 MB."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any, Final

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


class LateModule:
    """A module that is loaded when something of it is asked for first."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(import_module(self._name), attribute)


def late_modules(package: str, names: str) -> list[LateModule]:
    """Modules below a package, with blanks between their names, each loaded when it is used first."""
    return [LateModule(f"{package}.{name}") for name in names.split(" ")]
