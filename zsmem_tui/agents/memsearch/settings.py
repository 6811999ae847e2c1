"""What memsearch's settings leave out of its index: paths that they exclude, and those that ignore files name."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from zsmem_tui.agents.memsearch.files import FOLDER
from zsmem_tui.core import ignore_rules

OF_HOME: Final = f"{FOLDER}/config.toml"
"""Below the home folder."""

OF_PROJECT: Final = f"{FOLDER}.toml"
"""In the project; what it says goes before the other."""


class Indexing(NamedTuple):
    """Patterns of paths that are not indexed, and the names of files that hold such patterns for their folder."""

    exclude: tuple[str, ...] = ()
    ignore_files: tuple[str, ...] = ()


def indexing(documents: Sequence[bytes]) -> Indexing:
    """What settings say, the last first; what cannot be read says nothing."""
    import tomllib  # 9 ms that only a memory with settings pays

    found = Indexing()
    for raw in documents:
        try:
            said = tomllib.loads(raw.decode()).get("indexing", {})
        except (ValueError, RecursionError):  # no TOML, no UTF-8, a number or a nesting beyond all bounds
            continue
        if isinstance(said, dict):
            found = Indexing(*(_texts(said[key]) if key in said else known for key, known in found._asdict().items()))
    return found


def is_left_out(path: str, said: Indexing, ignore_files: Mapping[str, bytes]) -> bool:
    """Whether a file is not indexed, by its path in the folder of the journals; so are all below a folder that is not."""
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
