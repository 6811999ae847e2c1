"""A tree that lies in a mapping, for rules that ask one."""

from __future__ import annotations

from collections.abc import Mapping

from zsmem_tui.core.errors import Missing, Unreadable
from zsmem_tui.core.tree import Entry, EntryKind, Wanted, anything


class MappingTree:
    """Paths with their bytes; None stands for a link that leads nowhere."""

    def __init__(self, files: Mapping[str, bytes | None]) -> None:
        self.files = dict(files)

    def entries(self, folder: str, wanted: Wanted = anything) -> list[Entry]:
        names = {path[len(folder) :].lstrip("/").split("/")[0] for path in self.files if path.startswith(f"{folder}/")}
        return [entry for name in sorted(filter(wanted, names)) if (entry := self.entry(f"{folder}/{name}")) is not None]

    def entry(self, path: str) -> Entry | None:
        name = path.rpartition("/")[2]
        if path in self.files:
            raw = self.files[path]
            return Entry(name, EntryKind.NOTHING if raw is None else EntryKind.FILE, raw is None)
        return Entry(name, EntryKind.FOLDER) if any(each.startswith(f"{path}/") for each in self.files) else None

    def read(self, path: str) -> bytes:
        raw = self.files.get(path)
        if raw is not None:
            return raw
        raise Unreadable(path, f"{path}: it is a folder") if self.entry(path) else Missing(path, f"{path}: it is not there")

    def real(self, path: str) -> str:
        return path
