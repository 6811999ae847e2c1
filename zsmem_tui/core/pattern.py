"""Regular expressions that are compiled when they are first used: a start has two dozen that it does not ask, 5 ms of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any


class Pattern:
    """As `re.compile` of the same, from the first question on."""

    __slots__ = ("_said", "finditer", "match", "search", "split", "sub")

    finditer: Callable[..., Iterator[re.Match[str]]]
    match: Callable[..., re.Match[str] | None]
    search: Callable[..., re.Match[str] | None]
    split: Callable[..., list[str]]
    sub: Callable[..., str]

    def __init__(self, text: str, flags: int = 0) -> None:
        self._said = text, flags

    def __getattr__(self, name: str) -> Any:
        """Python asks for what is not there yet: from now on it is."""
        if name not in self.__slots__:
            raise AttributeError(name)
        compiled = re.compile(*self._said)
        for each in self.__slots__[1:]:
            setattr(self, each, getattr(compiled, each))
        return getattr(compiled, name)
