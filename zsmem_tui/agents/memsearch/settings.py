"""What memsearch's settings exclude from its index, by paths and by ignore files."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from zsmem_tui.agents.memsearch.files import FOLDER
from zsmem_tui.core import ignore_rules

OF_HOME: Final = f"{FOLDER}/config.toml"
"""In the home folder."""

OF_PROJECT: Final = f"{FOLDER}.toml"
"""In the project; it has priority."""


class Indexing(NamedTuple):
    """Patterns of excluded paths, and the names of ignore files."""

    exclude: tuple[str, ...] = ()
    ignore_files: tuple[str, ...] = ()


def indexing(documents: Sequence[bytes]) -> Indexing:
    """The settings in these documents, later ones with priority; unreadable ones are skipped."""
    import tomllib  # deferred: 9 ms, only needed for a memory with settings

    found = Indexing()
    for raw in documents:
        try:
            said = tomllib.loads(raw.decode()).get("indexing", {})
        except (ValueError, RecursionError):  # invalid TOML or UTF-8, too large numbers or too deep nesting
            continue
        if isinstance(said, dict):
            found = Indexing(*(_texts(said[key]) if key in said else known for key, known in found._asdict().items()))
    return found


def is_left_out(path: str, said: Indexing, ignore_files: Mapping[str, bytes]) -> bool:
    """Whether a file, by its path in the journals' folder, or one of its parent folders is excluded."""
    rules: list[ignore_rules.Rule] = []
    last = list(ignore_rules.parse("\n".join(said.exclude), ""))
    parts = path.split("/")
    for depth in range(len(parts)):
        below = "/".join(parts[:depth])
        for name in said.ignore_files:
            raw = ignore_files.get(posixpath.join(below, name))
            rules += ignore_rules.parse(raw.decode("utf-8", "replace"), below) if raw is not None else ()
        if ignore_rules.is_ignored([*rules, *last], "/".join(parts[: depth + 1]), depth + 1 < len(parts)):
            return True
    return False


def _texts(value: object) -> tuple[str, ...]:
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()
