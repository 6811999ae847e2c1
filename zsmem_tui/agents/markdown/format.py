"""Import and export for a plain folder of Markdown files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from zsmem_tui.agents.format import Format, Source
from zsmem_tui.agents.markdown_files import LOGS_FOLDER, LONG_TERM_FILE, NOTES_FOLDER, SCRATCHPAD_FILE, facts, whole_file
from zsmem_tui.agents.outgoing import Held, Ours, Outgoing, Spot, Wish
from zsmem_tui.agents.places import visible
from zsmem_tui.core.daily import is_log_name
from zsmem_tui.core.import_item import ImportItem, stem_of
from zsmem_tui.core.refs import Role
from zsmem_tui.core.tree import Tree


class MarkdownFormat(Format):
    """Each file becomes a note; one called by a date a log, `MEMORY.md` facts, `SCRATCHPAD.md` the checklist.

    Facts and tasks at the top, notes and days in a folder each.
    """

    finds_its_place = False
    shares_facts = True

    losses = "In: folders become part of a note's name. Out: the folder does not say which project it was."
    out_losses = "The folder does not say which project it was."

    def wants(self, path: str) -> bool:
        """Markdown files that are not hidden."""
        return path.lower().endswith((".md", ".markdown")) and visible(path)

    def lost_in(self, items: Iterable[ImportItem]) -> str:
        """A sentence only if a note is in a subfolder."""
        inside = (each.file.removeprefix(f"{NOTES_FOLDER}/") for each in items if each.role is Role.NOTE)
        return super().lost_in(()) if any("/" in path for path in inside) else ""

    def parse(self, source: Source) -> list[ImportItem]:
        """Parse by path; `MEMORY.md` first."""
        out: list[ImportItem] = []
        files = source.files
        for path in sorted(files, key=lambda path: (path != LONG_TERM_FILE, path)):
            folder, _, name = path.rpartition("/")
            stem = name.rpartition(".")[0]
            if path == LONG_TERM_FILE:
                out += facts(path, files[path])
            elif path == SCRATCHPAD_FILE:
                out.append(whole_file(path, files[path], Role.CHECKLIST, ""))
            elif is_log_name(f"{stem}.md"):
                out.append(whole_file(path, files[path], Role.LOG, stem))
            else:
                inside = folder.removeprefix(NOTES_FOLDER).strip("/")
                out.append(whole_file(path, files[path], Role.NOTE, stem_of(f"{inside}-{stem}" if inside else stem)))
        return out

    def spots(self, wish: Wish) -> dict[str, Spot]:
        """The named folder."""
        return {"": Spot(self.name, wish.path)} if wish.path else {}

    def out(self, ours: Ours, wish: Wish, trees: Mapping[str, Tree]) -> list[Outgoing]:
        """Every file, byte for byte."""
        out = [_file(held, f"{NOTES_FOLDER}/{held.name}.md") for held in ours.notes]
        out += [_file(held, f"{LOGS_FOLDER}/{held.name}.md") for held in ours.logs]
        for held, path in ((ours.tasks, SCRATCHPAD_FILE), (ours.facts, LONG_TERM_FILE)):
            if held is not None:
                out.append(_file(held, path))
        return out


def _file(held: Held, path: str) -> Outgoing:
    return Outgoing(held.source, held.head + held.text, path=path, is_written=True)


FORMAT: Final = MarkdownFormat
