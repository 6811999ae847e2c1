"""Glob patterns for the sources of texts: one, or several of which any may match."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatch
from typing import TypeAlias

Globs: TypeAlias = "str | Sequence[str]"
"""One pattern or several; empty ones match nothing."""


def matches_any(source: str, globs: Globs) -> bool:
    """Whether a source matches a pattern."""
    return any(each and fnmatch(source, each) for each in ((globs,) if isinstance(globs, str) else globs))
