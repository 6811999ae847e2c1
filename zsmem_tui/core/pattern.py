"""Regular expressions that are compiled on first use: a start does not use two dozen of them, which would take 5 ms."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any


class Pattern:
    """Like `re.compile`, but compiled on the first call."""

    __slots__ = ("_text", "finditer", "match", "search", "split", "sub")

    finditer: Callable[..., Iterator[re.Match[str]]]
    match: Callable[..., re.Match[str] | None]
    search: Callable[..., re.Match[str] | None]
    split: Callable[..., list[str]]
    sub: Callable[..., str]

    def __init__(self, text: str) -> None:
        self._text = text

    def __getattr__(self, name: str) -> Any:
        """Called for slots that are not set yet: compile, set them all, and return the one asked for."""
        if name not in self.__slots__:
            raise AttributeError(name)
        compiled = re.compile(self._text)
        for each in self.__slots__[1:]:
            setattr(self, each, getattr(compiled, each))
        return getattr(compiled, name)
