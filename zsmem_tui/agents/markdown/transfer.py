"""A plain folder of Markdown files."""

from __future__ import annotations

from zsmem_tui.agents.base import NamedFolder, Source, visible
from zsmem_tui.agents.markdown_files import DATE, LONG_TERM_FILE, NOTES_FOLDER, SCRATCHPAD_FILE, facts, whole_file
from zsmem_tui.core.import_item import ImportItem, stem_of
from zsmem_tui.core.refs import Role


class Markdown(NamedFolder):
    """Each file becomes a note; one called by a date a log, `MEMORY.md` facts, `SCRATCHPAD.md` the checklist."""

    name = "markdown"
    losses = "In: folders become part of a note's name. Out: the folder does not say which project it was."

    def wants(self, path: str) -> bool:
        """Markdown, and not hidden."""
        return path.endswith((".md", ".markdown")) and visible(path)

    def claims(self, paths: list[str]) -> bool:
        """Any Markdown will do."""
        return bool(paths)

    def parse(self, source: Source) -> list[ImportItem]:
        """By path; `MEMORY.md` first."""
        out: list[ImportItem] = []
        files = source.files
        for path in sorted(files, key=lambda path: (path != LONG_TERM_FILE, path)):
            folder, _, name = path.rpartition("/")
            stem = name.removesuffix(".markdown").removesuffix(".md")
            if path == LONG_TERM_FILE:
                out += facts(path, files[path])
            elif path == SCRATCHPAD_FILE:
                out.append(whole_file(path, files[path], Role.CHECKLIST, ""))
            elif DATE.match(stem):
                out.append(whole_file(path, files[path], Role.LOG, stem))
            else:
                inside = folder.removeprefix(NOTES_FOLDER).strip("/")
                out.append(whole_file(path, files[path], Role.NOTE, stem_of(f"{inside}-{stem}" if inside else stem)))
        return out
