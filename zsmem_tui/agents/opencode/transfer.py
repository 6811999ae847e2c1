"""opencode-agent-memory: blocks of everybody and of a project, and the journal of all projects."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from zsmem_tui.agents import javascript as js
from zsmem_tui.agents.base import Machine, Opened, Source, head_of, text_of
from zsmem_tui.agents.fact_lines import only_facts
from zsmem_tui.agents.opencode import blocks, files, journal
from zsmem_tui.core import checklist
from zsmem_tui.core.daily import entry
from zsmem_tui.core.errors import RuleBroken
from zsmem_tui.core.hazards import hazards
from zsmem_tui.core.import_item import ImportItem, stem_of
from zsmem_tui.core.names import project_slug
from zsmem_tui.core.notice import Notice, NoticeKind
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import one_line, raw_lines, trim

_EVERYBODY: Final = "global"
_PROJECT: Final = "project"
_TASKS: Final = ("scratchpad", "todo")
_ID: Final = "%Y%m%d-%H%M%S-%f"


class Opencode:
    """Global blocks of one-liners become facts, a project's blocks notes, entries of the journal entries of their day."""

    name = "opencode-agent-memory"
    finds_its_place = True
    has_sections = False
    losses = (
        "In: limits, descriptions and read-only marks of blocks; model, agent and session of journal entries. Out: blank lines "
        "around a text, and what is done is told in words only."
    )

    def places(self, on: Machine) -> list[str]:
        """The blocks and the journal below home, and the blocks of the folder."""
        return [posixpath.dirname(f"{on.home}/{files.GLOBAL_FOLDER}"), f"{on.folder}/{files.PROJECT_FOLDER}"]

    def whole(self, on: Machine) -> list[str]:
        """Blocks of other projects lie in those."""
        return []

    def opened(self, folder: str, on: Machine) -> list[Opened]:
        """A project, opencode's folder in it or below home, or one folder of blocks or entries."""
        if on.is_there(f"{folder}/{files.PROJECT_FOLDER}"):
            return [Opened(f"{folder}/{files.PROJECT_FOLDER}", f"{_PROJECT}/")]
        own, name = posixpath.split(files.PROJECT_FOLDER)
        parts = [part for part in folder.split("/") if part]
        is_project = own in parts
        if is_project or posixpath.split(files.GLOBAL_FOLDER)[0].rpartition("/")[2] not in parts:
            inside = f"{folder}/{name}"
            if not on.is_there(f"{folder}/{files.JOURNAL}") or is_project:
                return [Opened(inside if on.is_there(inside) else folder, f"{_PROJECT}/")]
        if parts[-1:] == [files.JOURNAL]:
            return [Opened(folder, f"{files.JOURNAL}/")]
        if parts[-1:] == [name]:
            return [Opened(folder, f"{_EVERYBODY}/")]
        both = [Opened(f"{folder}/{name}", f"{_EVERYBODY}/"), Opened(f"{folder}/{files.JOURNAL}", f"{files.JOURNAL}/")]
        return [each for each in both if on.is_there(each.folder)] or both[:1]

    def enters(self, path: str) -> bool:
        """No folder: opencode does not look below."""
        return False

    def wants(self, path: str) -> bool:
        """Markdown, also with a dot in front; a file that is being written has another ending."""
        return path.count("/") == 1 and files.is_block_name(path)

    def claims(self, paths: list[str]) -> bool:
        """There is a block or an entry."""
        return bool(paths)

    def parse(self, source: Source) -> list[ImportItem]:
        """Global blocks, the project's, then the journal by time."""
        order = {_EVERYBODY: 0, _PROJECT: 1, files.JOURNAL: 2}
        out: list[ImportItem] = []
        for path in sorted(source.files, key=lambda path: (order.get(path.partition("/")[0], 3), path)):
            scope, _, name = path.partition("/")
            raw = source.files[path]
            group = "" if scope == files.JOURNAL else scope
            try:
                found = _entry(path, raw, source) if scope == files.JOURNAL else _block(path, scope, raw)
                out += (each._replace(group=group) for each in found)
            except RuleBroken as error:
                reason = error.message.removeprefix(f"{name}: ").rstrip(".")
                out.append(ImportItem(path, Role.NOTE, stem_of(files.label_of(name)), "", skip=reason, group=group))
        return out


def _block(path: str, scope: str, raw: bytes) -> list[ImportItem]:
    name = path.partition("/")[2]
    found = blocks.parse(scope, name, raw)
    text, problem = text_of(raw)
    value = found.value.replace("\r\n", "\n")
    head = head_of(text, value)
    stem = files.label_of(name)
    if not value:
        return [ImportItem(path, Role.NOTE, stem_of(stem), "", skip="it is empty")]
    if scope == _PROJECT and stem in _TASKS and _only_tasks(value):
        return [ImportItem(path, Role.CHECKLIST, "", f"{value}\n", doubts=problem + hazards(value), head=head)]
    facts = only_facts(value) if scope == _EVERYBODY and stem != "persona" else None
    if facts:
        first = found.first_line
        return [
            ImportItem(
                f"{path}:{first + each.line}", Role.FACTS, "", each.text, "", "", problem + hazards(each.text), True, "", head
            )
            for each in facts
        ]
    prefix = "" if scope == _PROJECT else "opencode-" if stem in ("human", "persona") else "opencode-global-"
    return [ImportItem(path, Role.NOTE, stem_of(prefix + stem), f"{value}\n", doubts=problem + hazards(value), head=head)]


def _only_tasks(value: str) -> bool:
    lines = [line for line in raw_lines(value) if trim(line)]
    return len(checklist.items(value)) == len(lines)


def _entry(path: str, raw: bytes, source: Source) -> Iterator[ImportItem]:
    """An entry of the journal, at the time that it says, else that its name says, else that of the file."""
    name = path.partition("/")[2]
    text, problem = text_of(raw)
    never = datetime.min.replace(tzinfo=UTC)
    found = journal.parse(name, raw, never)
    when = found.created if found.created not in (None, never) else None
    local = (when or _named(name) or source.modified(path)).astimezone(source.local)
    tags = f"\nTags: {', '.join(found.tags)}" if found.tags else ""
    body = found.body.replace("\r\n", "\n")
    doubts = problem + hazards(f"{found.title}\n{body}")
    project = folder = ""
    if not found.project:
        doubts += (Notice(NoticeKind.ON_REQUEST, text="an entry of the journal that names no project"),)
    elif found.project != source.working:
        doubts += (Notice(NoticeKind.ON_REQUEST, text=f"an entry of another project, {found.project}"),)
        project, folder = project_slug(found.project), found.project
    says = entry(one_line(js.trim(found.title)), f"{body}{tags}", local)
    yield ImportItem(path, Role.LOG, f"{local:%Y-%m-%d}", says, project, doubts=doubts, head=head_of(text, body), folder=folder)


def _named(name: str) -> datetime | None:
    """The time that the name of an entry is made of."""
    try:
        return datetime.strptime(name.removesuffix(".md") + "000", _ID).replace(tzinfo=UTC)
    except ValueError:
        return None
