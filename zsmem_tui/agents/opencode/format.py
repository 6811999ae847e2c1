"""Import and export for opencode-agent-memory: blocks for all and of a project, and the journal of all projects."""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from zsmem_tui.agents import javascript as js
from zsmem_tui.agents import markdown_files
from zsmem_tui.agents.fact_lines import only_facts
from zsmem_tui.agents.format import Format, Opened, Source, head_of, lost_of, text_of
from zsmem_tui.agents.opencode import blocks, files, journal, writes
from zsmem_tui.agents.opencode.blocks import LIMIT, parse, split
from zsmem_tui.agents.opencode.journal import JournalEntry
from zsmem_tui.agents.outgoing import ABOUT_FACTS, MAIN, CameFrom, Held, Ours, Outgoing, Spot, Wish, about_both, day_entries
from zsmem_tui.agents.places import Machine
from zsmem_tui.core import checklist, daily
from zsmem_tui.core.append import deduplicate, rewritten
from zsmem_tui.core.errors import RuleBroken, StoreError
from zsmem_tui.core.hazards import hazards
from zsmem_tui.core.import_item import ImportItem, line_of, stem_of
from zsmem_tui.core.json_value import json_value
from zsmem_tui.core.moments import moment
from zsmem_tui.core.names import project_slug
from zsmem_tui.core.notice import Notice, NoticeKind
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import one_line, raw_lines, trim
from zsmem_tui.core.tree import Tree

_EVERYBODY: Final = "global"
_PROJECT: Final = "project"
_TASKS_LABEL: Final = "scratchpad"
_TASKS: Final = (_TASKS_LABEL, "todo")
_NOTE: Final = "note"
_DAY: Final = "daily"
_ID: Final = "%Y%m%d-%H%M%S-%f"
_STEP: Final = 1000
_LONGEST: Final = 61
"""The most characters of a label."""

_CUT: Final = 52
"""How many characters of a longer label stay before its hash."""

_NO_TIME: Final = datetime(1970, 1, 1, tzinfo=UTC)
_LIMIT_LINE: Final = re.compile(r"(?m)^limit: *[0-9]+ *$")
_SETTINGS: Final = "agent-memory.json"
_SHARED: Final = "It is an entry of the journal there, which all projects share."
_OFF: Final = "opencode does not read its journal as it stands: agent-memory.json does not turn it on."
_UNREAD: Final = "Of its journal not all can be read here: what goes there may be there already."
_ABOUT_TASKS: Final = "Open and finished tasks of this project"
_AS_NOTE: Final = "An import takes a block of a project as a note."
_FACTS: Final = re.compile(r"[a-z0-9-]+-memory")
"""The label of a block of exported facts."""

_OF_ONE: Final = "They are of one project here and in every prompt of opencode there."


class OpencodeFormat(Format):
    """Global blocks of one-liners become facts, a project's blocks and exported notes notes, other journal entries parts of days.

    Every block is whole in every prompt; the journal is read through tools.
    """

    reads_links = False
    shares_facts = True
    doubts = (_OFF, _UNREAD)
    losses = (
        "In: limits, descriptions and read-only marks of blocks; model, agent and session of journal entries. Out: blank lines "
        "around a text, and what is done is told in words only."
    )

    def lost_in(self, items: Iterable[ImportItem]) -> str:
        """What these items have of it."""
        headed = [each.role for each in items if each.head]
        parts = {
            "limits, descriptions and read-only marks of blocks": any(role is not Role.LOG for role in headed),
            "model, agent and session of journal entries": Role.LOG in headed,
        }
        return lost_of(parts)

    def places(self, on: Machine) -> list[str]:
        """The blocks and the journal in the home folder, and the blocks of the folder."""
        return [posixpath.dirname(f"{on.home}/{files.GLOBAL_FOLDER}"), posixpath.join(on.folder, files.PROJECT_FOLDER)]

    def whole(self, on: Machine) -> list[str]:
        """The blocks and the journal in the home folder."""
        return self.places(on)[:1]

    def opened(self, folder: str, on: Machine) -> list[Opened]:
        """A project, opencode's folder in it or in the home folder, or a folder of blocks or entries."""
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
        """No subfolder: opencode does not read any."""
        return False

    def wants(self, path: str) -> bool:
        """Markdown files, including hidden ones; files being written have another extension."""
        return path.count("/") == 1 and files.is_block_name(path)

    def parse(self, source: Source) -> list[ImportItem]:
        """Parse global blocks, the project's blocks, then the journal by time."""
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

    def spots(self, wish: Wish) -> dict[str, Spot]:
        """The global blocks, the project's, and the journal; a path may name either folder of blocks or its parent.

        A project's folder takes all blocks as its own; so does a folder that is not opencode's.
        """
        path, below = wish.path.rstrip("/"), posixpath.dirname(files.PROJECT_FOLDER)
        everybody = posixpath.join(wish.home, files.GLOBAL_FOLDER)
        home, own = everybody, posixpath.join(wish.folder, files.PROJECT_FOLDER) if wish.folder else ""
        around = posixpath.dirname(everybody)
        if f"/{path}".endswith(f"/{files.PROJECT_FOLDER}"):
            home = own = path
        elif posixpath.basename(path) == below:
            home = own = posixpath.join(path, posixpath.basename(files.PROJECT_FOLDER))
        elif path and wish.is_there(posixpath.join(path, files.PROJECT_FOLDER)):
            home = own = posixpath.join(path, files.PROJECT_FOLDER)
        elif path:
            home = path if posixpath.basename(path) == "memory" else posixpath.join(path, "memory")
            around = posixpath.dirname(home)
            own = own if home == everybody else home
        problem = "" if own else "its blocks belong to a project's folder, and none is known: name it"
        beside = (files.IGNORE_FILE,) if own.endswith(f"/{files.PROJECT_FOLDER}") else ()
        return {
            MAIN: Spot("opencode", home),
            _PROJECT: Spot("opencode", own, problem=problem, beside=beside),
            files.JOURNAL: Spot("markdown", posixpath.join(around, files.JOURNAL)),
        }

    def came_from(self, file: str) -> CameFrom | None:
        """Blocks and entries by the folder they were in."""
        scope, _, name = file.partition("/")
        spots = {_EVERYBODY: MAIN, _PROJECT: _PROJECT, files.JOURNAL: files.JOURNAL}
        return CameFrom(spots[scope], name) if scope in spots else None

    def out(self, ours: Ours, wish: Wish, trees: Mapping[str, Tree]) -> list[Outgoing]:
        """Export facts, tasks, notes and logs."""
        out = []
        if ours.facts is not None:
            out.append(_facts(ours, ours.facts))
        if ours.tasks is not None:
            tasks = _block_out(ours.tasks, _PROJECT, _TASKS_LABEL, _ABOUT_TASKS)
            out.append(tasks._replace(losses=("opencode knows no tasks: they are text there.",)))
        book = _Journal(trees[files.JOURNAL], ours)
        out += [book.note(held) for held in ours.notes if not wish.in_prompt(held.source)]
        out += _note_blocks([held for held in ours.notes if wish.in_prompt(held.source)], trees[_PROJECT])
        for log in ours.logs:
            out += book.day(log)
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
    is_tasks = len(checklist.items(value)) == sum(bool(trim(line)) for line in raw_lines(value))
    if scope == _PROJECT and stem in _TASKS and is_tasks:
        return [ImportItem(path, Role.CHECKLIST, "", f"{value}\n", doubts=problem + hazards(value), head=head)]
    first = found.first_line
    if scope == _EVERYBODY and _FACTS.fullmatch(stem) and found.description in ABOUT_FACTS:
        own = markdown_files.facts(path, value.encode())
        return [
            each._replace(source=f"{path}:{first + line_of(each.source)}", doubts=problem + each.doubts, head=head) for each in own
        ]
    facts = only_facts(value) if scope == _EVERYBODY and stem != "persona" else None
    if facts:
        rows = ((f"{path}:{first + each.line}", each.text, problem + hazards(each.text)) for each in facts)
        return [ImportItem(at, Role.FACTS, "", says, doubts=doubts, listed=True, head=head) for at, says, doubts in rows]
    prefix = "" if scope == _PROJECT else "opencode-" if stem in ("human", "persona") else "opencode-global-"
    says, doubts = found.description if found.is_described else "", problem + hazards(value)
    return [ImportItem(path, Role.NOTE, stem_of(prefix + stem), f"{value}\n", doubts=doubts, head=head, described=says)]


def _entry(path: str, raw: bytes, source: Source) -> Iterator[ImportItem]:
    """A journal entry, dated by its own time, else by its name, else by its file; an exported note is a note again."""
    name = path.partition("/")[2]
    text, problem = text_of(raw)
    never = datetime.min.replace(tzinfo=UTC)
    found = journal.parse(name, raw, never)
    when = found.created if found.created not in (None, never) else None
    local = moment((when or _named(name) or source.modified(path)).timestamp(), source.local)
    tag = found.tags[0] if len(found.tags) == 1 and not (found.model or found.agent or found.session_id) else ""
    is_note, is_day = (tag.endswith(f"-{what}") for what in (_NOTE, _DAY))  # the agent's own entries name their session
    tags = f"\nTags: {', '.join(found.tags)}" if found.tags and not is_day else ""
    body = found.body.replace("\r\n", "\n")
    doubts = problem + hazards(f"{found.title}\n{body}")
    project = folder = ""
    if not found.project:
        doubts += (Notice(NoticeKind.ON_REQUEST, text="an entry of the journal that names no project"),)
    elif found.project != source.working:
        doubts += (Notice(NoticeKind.ON_REQUEST, text=f"an entry of another project, {found.project}"),)
        project, folder = project_slug(found.project), found.project
    title, head = one_line(js.trim(found.title)), head_of(text, body)
    if is_note:
        yield ImportItem(path, Role.NOTE, stem_of(title), f"{body}\n", project, doubts=doubts, head=head, folder=folder)
        return
    says = daily.entry(title, f"{body}{tags}", local)
    yield ImportItem(path, Role.LOG, f"{local:%Y-%m-%d}", says, project, doubts=doubts, head=head, folder=folder)


def _named(name: str) -> datetime | None:
    """The time in the name of an entry; None if it has none."""
    try:
        return datetime.strptime(name.removesuffix(".md") + "000", _ID).replace(tzinfo=UTC)
    except ValueError:
        return None


def _facts(ours: Ours, held: Held) -> Outgoing:
    """Facts as a block: a global one if they are shared or their folder is unknown; else one of their project."""
    is_of_one = not ours.is_shared and bool(ours.folder)
    spot = _PROJECT if is_of_one else MAIN
    found = _block_out(held, spot, ours.name_of("memory"), ours.about_facts, grows=True)
    return found._replace(losses=(_AS_NOTE,) if is_of_one else (), warnings=() if ours.is_shared or is_of_one else (_OF_ONE,))


def _block_out(held: Held, spot: str, label: str, about: str, *, grows: bool = False) -> Outgoing:
    value = js.trim(held.text)

    def join(now: bytes | None) -> bytes | None:
        if now is None:
            return writes.new_block(label, value, description=about, limit=_limit(value))
        was = parse("project", f"{label}.md", now)
        kept = deduplicate(was.value, value).kept
        if kept is None or not kept.strip():
            return None
        writes.refuse_read_only(was)
        return rewritten(now, lambda text: added(text, was, js.trim(kept)))

    def added(text: str, was: blocks.Block, more: str) -> str:
        head = text.removesuffix(split(text)[1]) if was.head_lines else ""
        whole = f"{js.trim_end(text.removeprefix(head))}\n{more}\n"
        if not grows:
            return head + whole
        said = f"description: {was.description}\n"
        head = head.replace(said, f"description: {about_both(was.description, about)}\n", 1)
        return _LIMIT_LINE.sub(f"limit: {max(was.limit, _limit(whole))}", head) + whole

    skip = "" if value else "it is empty"
    return Outgoing(held.source, value, Role.FACTS, label, spot=spot, join=join, in_prompt=True, skip=skip)


def _note_blocks(notes: Sequence[Held], tree: Tree) -> list[Outgoing]:
    """Notes chosen for every prompt, as blocks of the project with the note's description, else its name."""
    used = {_TASKS_LABEL: "", **_described(tree), **{held.name.casefold(): held.name for held in notes}}
    out = []
    for held in notes:
        about = one_line(held.about) or held.name
        label = _label(held.name, used, about)
        used[label.casefold()] = held.name
        found = _block_out(held, _PROJECT, label, about)._replace(about=about)
        out.append(found._replace(losses=("Blank lines at its ends go.",) if js.trim(held.text) + "\n" != held.text else ()))
    return out


def _described(tree: Tree) -> dict[str, str]:
    """The descriptions of existing blocks, by case-folded label."""
    out = {}
    for each in tree.entries("", files.is_block_name):
        try:
            out[files.label_of(each.name).casefold()] = parse("project", each.name, tree.read(each.name)).description
        except (RuleBroken, StoreError):
            out[files.label_of(each.name).casefold()] = ""
    return out


def _label(stem: str, used: Mapping[str, str], about: str) -> str:
    """A valid label made from a note's name, with a hash appended if it is too long or taken by another than one `about` it."""
    label = re.sub(r"\A[^A-Za-z0-9]+", "", re.sub(r"[^A-Za-z0-9_-]", "-", stem))
    label = f"{label}-n" if len(label) == 1 else label
    clashes = label.casefold() == _TASKS_LABEL or (label != stem and used.get(label.casefold(), stem) not in (stem, about))
    if label and len(label) <= _LONGEST and not clashes:
        return label
    mark = hashlib.sha256(stem.encode("utf-8", "surrogateescape")).hexdigest()[:8]
    return f"{label[:_CUT] or 'n'}-{mark}"


def _limit(value: str) -> int:
    return max(LIMIT, -(-js.units(value) // _STEP) * _STEP)


class _Journal:
    """The existing journal entries, so that earlier exports are found again."""

    def __init__(self, tree: Tree, ours: Ours) -> None:
        self._folder = ours.folder
        self._note_tag, self._day_tag = ours.name_of(_NOTE), ours.name_of(_DAY)
        self._names = {each.name for each in tree.entries("", files.is_block_name)}
        self._warnings = () if _is_on(tree) else (_OFF,)
        self._there: dict[tuple[str, ...], list[tuple[str, JournalEntry]]] = {}
        for name in sorted(self._names):
            try:
                found = journal.parse(name, tree.read(name), _NO_TIME)
            except RuleBroken:
                continue
            except StoreError:
                self._warnings = tuple(dict.fromkeys((*self._warnings, _UNREAD)))
                continue
            for key in self._keys(found):
                self._there.setdefault(key, []).append((name, found))

    def _keys(self, entry: JournalEntry) -> list[tuple[str, ...]]:
        out: list[tuple[str, ...]] = []
        if self._note_tag in entry.tags:
            out.append((self._note_tag, entry.project, entry.title))
        if self._day_tag in entry.tags:
            out.append((self._day_tag, entry.project, _minute(entry.created), entry.title, entry.body))
        return out

    def note(self, held: Held) -> Outgoing:
        """One entry for a note, with its name as title."""
        when = moment(held.modified_ns // 1_000_000 / 1000, UTC)
        made = JournalEntry("", held.name, when, held.text, project=self._folder, tags=(self._note_tag,))
        return self._entry(held.source, made, (self._note_tag, self._folder, held.name))

    def day(self, log: Held) -> list[Outgoing]:
        """One entry for each entry of a daily log."""
        out = []
        for entry in day_entries(log.text):
            source = log.spot(entry.line)
            try:
                when = datetime.fromisoformat(f"{log.name}T{entry.time or '00:00'}").astimezone(UTC)
            except (ValueError, OverflowError, OSError):
                out.append(Outgoing(source, entry.body, skip=f"{log.name} is no date"))
                continue
            title = entry.heading or f"{log.name} {entry.time}".strip()
            made = JournalEntry("", title, when, entry.body, project=self._folder, tags=(self._day_tag,))
            out.append(self._entry(source, made, (self._day_tag, self._folder, _minute(when), title, js.trim(entry.body))))
        return out

    def _entry(self, source: str, made: JournalEntry, key: tuple[str, ...]) -> Outgoing:
        if not js.trim(made.title):
            return Outgoing(source, made.body, skip="it has no name that could be a title")
        if self._there.get(key):
            name, found = self._there[key].pop(0)
            made = made._replace(created=found.created)
        else:
            name = journal.file_name(made.created or _NO_TIME)
            while name in self._names:
                made = made._replace(created=(made.created or _NO_TIME) + timedelta(milliseconds=1))
                name = journal.file_name(made.created or _NO_TIME)
        self._names.add(name)
        losses = (_SHARED, *(() if self._folder else ("Its project is not known there.",)))
        text = journal.written(made)
        return Outgoing(source, text, path=name, spot=files.JOURNAL, is_written=True, losses=losses, warnings=self._warnings)


def _is_on(journal: Tree) -> bool:
    """Whether the settings beside the journal turn it on."""
    try:
        found = json_value(journal.read(f"../{_SETTINGS}"))
    except (StoreError, ValueError):
        return False
    own = found.get("journal") if isinstance(found, dict) else None
    return isinstance(own, dict) and own.get("enabled") is True


def _minute(when: datetime | None) -> str:
    """A time to the minute, since entries of one minute differ by milliseconds."""
    return f"{when.astimezone(UTC):%Y-%m-%dT%H:%M}" if when is not None else ""


FORMAT: Final = OpencodeFormat
