"""The settings, read once into one frozen object.

A `NamedTuple`, like the values of `core` that a search needs: importing `dataclasses` would cost a cold command 10 ms.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from zsmem_tui.core.limits import MAX_INJECT_BYTES
from zsmem_tui.core.profile import Profile


class Config(NamedTuple):
    """Every setting with its default. The keys of the settings file are these names; `config.about` says what each means."""

    profile: Profile = Profile.DOCUMENTED
    root: str = ""
    inject_cap: int = MAX_INJECT_BYTES
    theme: str = "dark"
    line_breaks: str = "join"
    history_days: int = 365
    history_bytes: int = 256 * 1024 * 1024
    search_memory: int = 512
    search_log: bool = True
    stores: tuple[str, ...] = ()
    roots: tuple[str, ...] = ()
    sync: str | int = "manual"
    keys: Mapping[str, str] = MappingProxyType({})
