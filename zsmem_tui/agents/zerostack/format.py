"""Import and export for another zerostack store or some of its projects."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping
from typing import Final

from zsmem_tui.agents.format import Format, Opened, Source
from zsmem_tui.agents.markdown_files import facts, whole_file
from zsmem_tui.agents.outgoing import Ours, Outgoing, Spot, Wish
from zsmem_tui.agents.places import Machine, visible
from zsmem_tui.agents.zerostack.layout import DAILY_FOLDER, LONG_TERM_FILE, NOTES_FOLDER, PROJECTS_FOLDER, SCRATCHPAD_FILE
from zsmem_tui.config import locate
from zsmem_tui.core.daily import is_log_name
from zsmem_tui.core.import_item import ImportItem
from zsmem_tui.core.names import is_like_slug, project_slug
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.tree import Tree

_OF_ONE: Final = "They are of one project here and in every prompt of zerostack there."


class ZerostackFormat(Format):
    """`MEMORY.md` becomes facts, everything else comes as it is, project by project; files beside it are notes.

    The same files in the same places.
    """

    shares_facts = True

    losses = "In: backups (.bak) and temporary files are left behind."

    def lost_in(self, items: Iterable[ImportItem]) -> str:
        """Nothing of what comes."""
        return ""

    def places(self, on: Machine) -> list[str]:
        """The folder's project."""
        return [f"{each}/{PROJECTS_FOLDER}/{project_slug(on.folder)}" for each in self.whole(on) if on.folder]

    def whole(self, on: Machine) -> list[str]:
        """The agent's memory with every project."""
        return [posixpath.join(locate.agent_folder_of(on.env, lambda: on.home), "agent/memory")]

    def opened(self, folder: str, on: Machine) -> list[Opened]:
        """A whole memory, or one project in it."""
        above, name = posixpath.split(folder.rstrip("/"))
        root, projects = posixpath.split(above)
        is_one = projects == PROJECTS_FOLDER and is_like_slug(name)
        return [Opened(folder, f"{projects}/{name}/", root=root) if is_one else Opened(folder, root=folder)]

    def wants(self, path: str) -> bool:
        """Markdown files that are not hidden."""
        return path.endswith(".md") and visible(path)

    def claims(self, paths: list[str]) -> bool:
        """Whether there is long-term memory or a project."""
        return any(path == LONG_TERM_FILE or path.startswith(f"{PROJECTS_FOLDER}/") for path in paths)

    def parse(self, source: Source) -> list[ImportItem]:
        """Parse in the order of the store. The items of one project that was named are of no other."""
        out: list[ImportItem] = []
        files = source.files
        for path in sorted(files, key=lambda path: (path != LONG_TERM_FILE, path)):
            out += self._file(path, files[path])
        if source.is_one:
            return [each._replace(project="") for each in out]
        known = [source.working, *source.known()] if any(each.project for each in out) else []
        folder_of = {project_slug(folder): folder for folder in reversed(known) if folder}
        return [each._replace(folder=folder_of.get(each.project, "")) for each in out]

    def _file(self, path: str, raw: bytes) -> list[ImportItem]:
        parts = path.split("/")
        if path == LONG_TERM_FILE:
            return facts(path, raw)
        if parts[0] != PROJECTS_FOLDER or len(parts) < 3:
            found = whole_file(path, raw, Role.NOTE, parts[-1].removesuffix(".md"))
            return [found if path == parts[0] else found._replace(skip="it is no memory file of a project")]
        project, *rest = parts[1:]
        stem = rest[-1].removesuffix(".md")
        match rest:
            case [name] if name == SCRATCHPAD_FILE:
                return [whole_file(path, raw, Role.CHECKLIST, "", project)]
            case [folder, _] if folder == NOTES_FOLDER:
                return [whole_file(path, raw, Role.NOTE, stem, project)]
            case [folder, name] if folder == DAILY_FOLDER and is_log_name(name):
                return [whole_file(path, raw, Role.LOG, stem, project)]
            case _:
                return [whole_file(path, raw, Role.NOTE, stem, project)._replace(skip="the agent does not read this file")]

    def spots(self, wish: Wish) -> dict[str, Spot]:
        """The named store; its project is named after a folder."""
        problem = "" if wish.group else "its projects are named after folders, and none is known: name one with --group"
        if wish.group and not is_like_slug(wish.group):
            problem = f"zerostack takes no group called {printable_path(wish.group)!r}: its projects have names as app-2cf21588"
        return {"": Spot(self.name, wish.path, wish.group, problem=problem)} if wish.path else {}

    def out(self, ours: Ours, wish: Wish, trees: Mapping[str, Tree]) -> list[Outgoing]:
        """Every file, byte for byte."""
        every = [(held, Role.NOTE) for held in ours.notes] + [(held, Role.LOG) for held in ours.logs]
        every += [(held, role) for held, role in ((ours.tasks, Role.CHECKLIST), (ours.facts, Role.FACTS)) if held is not None]
        return [
            Outgoing(
                held.source,
                held.text,
                role,
                held.name,
                is_written=True,
                adds_lines=role in (Role.FACTS, Role.CHECKLIST),
                in_prompt=role in (Role.FACTS, Role.CHECKLIST),
                warnings=(_OF_ONE,) if role is Role.FACTS and not ours.is_shared else (),
            )
            for held, role in every
        ]


FORMAT: Final = ZerostackFormat
