"""Another zerostack store, or projects of one."""

from __future__ import annotations

from zsmem_tui.agents.base import NamedFolder, Source, visible
from zsmem_tui.agents.markdown_files import DATE, facts, whole_file
from zsmem_tui.agents.zerostack.layout import DAILY_FOLDER, LONG_TERM_FILE, NOTES_FOLDER, PROJECTS_FOLDER, SCRATCHPAD_FILE
from zsmem_tui.core.import_item import ImportItem
from zsmem_tui.core.refs import Role


class Zerostack(NamedFolder):
    """`MEMORY.md` becomes facts, everything else comes as it is, project by project."""

    name = "zerostack"
    losses = "In: backups (.bak) and temporary files are left behind."

    def wants(self, path: str) -> bool:
        """Markdown, and not hidden."""
        return path.endswith(".md") and visible(path)

    def claims(self, paths: list[str]) -> bool:
        """A store has long-term memory or projects."""
        return any(path == LONG_TERM_FILE or path.startswith(f"{PROJECTS_FOLDER}/") for path in paths)

    def parse(self, source: Source) -> list[ImportItem]:
        """In the order of the store."""
        out: list[ImportItem] = []
        files = source.files
        for path in sorted(files, key=lambda path: (path != LONG_TERM_FILE, path)):
            out += self._file(path, files[path])
        return out

    def _file(self, path: str, raw: bytes) -> list[ImportItem]:
        parts = path.split("/")
        if path == LONG_TERM_FILE:
            return facts(path, raw)
        if parts[0] != PROJECTS_FOLDER or len(parts) < 3:
            return [
                whole_file(path, raw, Role.NOTE, parts[-1].removesuffix(".md"))._replace(skip="it is no memory file of a project")
            ]
        project, *rest = parts[1:]
        stem = rest[-1].removesuffix(".md")
        match rest:
            case [name] if name == SCRATCHPAD_FILE:
                return [whole_file(path, raw, Role.CHECKLIST, "", project)]
            case [folder, _] if folder == NOTES_FOLDER:
                return [whole_file(path, raw, Role.NOTE, stem, project)]
            case [folder, _] if folder == DAILY_FOLDER and DATE.match(stem):
                return [whole_file(path, raw, Role.LOG, stem, project)]
            case _:
                return [whole_file(path, raw, Role.NOTE, stem, project)._replace(skip="the agent does not read this file")]
