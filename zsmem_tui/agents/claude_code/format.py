"""Import and export for Claude Code's auto memory of projects, with both generations of frontmatter and the index."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from zsmem_tui.agents.claude_code import index
from zsmem_tui.agents.claude_code.files import CLAUDE, INDEX, LOCAL_ORDERS, MEMORY, ORDERS, TYPES, Files, below, encoded
from zsmem_tui.agents.claude_code.prompt import INDEX_BYTES, INDEX_LINES, first_lost_line
from zsmem_tui.agents.claude_code.topics import frontmatter, is_too_long
from zsmem_tui.agents.format import Format, Opened, Source, head_of, lost_of, text_of
from zsmem_tui.agents.outgoing import MAIN, CameFrom, Held, Ours, Outgoing, Spot, Wish, distinct, slug_of
from zsmem_tui.agents.places import GLOBAL, Machine, upwards, visible
from zsmem_tui.agents.yaml.reading import LONGEST_HEAD
from zsmem_tui.core.checklist import Box, items
from zsmem_tui.core.facts import Kind, divide
from zsmem_tui.core.hazards import hazards
from zsmem_tui.core.import_item import ImportItem, stem_of
from zsmem_tui.core.left_lines import LABELS
from zsmem_tui.core.names import project_slug
from zsmem_tui.core.notice import Notice, NoticeKind
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import counted, raw_lines, trim, trim_end, words
from zsmem_tui.core.tree import Tree

_AS_FACT: Final = ("user", "feedback")
_LINK: Final = re.compile(r"^\s*[-*]\s+\[([^\]]*)\]\(([^)]+)\)\s*(?:[—–-]\s*(.*))?$")
_LINKS: Final = re.compile(r"\[\[.+?\]\]|\]\((?![a-z]+:)[^()\s]+\.md\)")
_LABEL: Final = re.compile(rf"^\*\*({'|'.join(LABELS)}):\*\*\s*(.*)$")

_ON_DEMAND: Final = "It is a note there, which is read on demand."
_TASKS: Final = "project_open_tasks"
_LOG: Final = "project_log_"
_LONGEST: Final = 60
_TOPIC: Final = re.compile(r"[A-Za-z0-9_-]{1,80}")
"""A file name that needs no change to be a topic's."""
_NOTES: Final = ("project", "reference")
"""The types of topics that are imported as notes."""

_NO_PROJECT: Final = "project:-"
"""The group used if a memory folder itself is named."""


class ClaudeCodeFormat(Format):
    """`user` and `feedback` of one paragraph become facts, everything else notes.

    Notes (topic files) are read on demand; of each, its line in the index is in every prompt.
    """

    takes = "facts, notes and open tasks"
    losses = (
        "In: the frontmatter of notes, links between them and their order. Out: facts belong to one project there; checkboxes "
        "become plain text."
    )
    group_kinds: tuple[str, ...] = ("project", "agent")
    files: Files = CLAUDE
    instructions: tuple[str, ...] = (ORDERS, LOCAL_ORDERS, f"{CLAUDE.own_folder}/{ORDERS}")
    """Their paths relative to the project's folder."""

    instructed = Notice(NoticeKind.INSTRUCTIONS)
    """Why instructions are not selected by default."""
    added = ""
    """The heading in instructions below which an older tool of the agent added facts, one per line; empty if none did."""

    @property
    def tops(self) -> tuple[str, ...]:
        """The memory folders within the agent's own folder."""
        return (self.files.projects, *self.files.sub_agents, *self.files.homes(""))

    @property
    def own(self) -> str:
        """The prefix of paths in the agent's own folder."""
        return f"{self.files.own_folder}/"

    def lost_in(self, items: Iterable[ImportItem]) -> str:
        """What these items have of it."""
        own = list(items)
        parts = {
            "the frontmatter of notes": any(each.head for each in own),
            "links between notes": any(_LINKS.search(each.text) for each in own),
            "the order of notes": sum(each.role is Role.NOTE for each in own) > 1,
        }
        return lost_of(parts)

    def places(self, on: Machine) -> list[str]:
        """The auto memory of the folder or of a parent, since it is named after the git root."""
        root = self.files.root(on.env, on.home)
        named = self.files.named_group(on.env, root)
        out = [f"{root}/{each}" for each in self.files.homes(named) if named]
        for folder in upwards(on.folder):
            group = self.files.group_of(folder, on.heads(root)) if on.heads else f"project:{encoded(folder)}"
            out += [f"{root}/{each}" for each in self.files.homes(group)]
        return next(([each] for each in out if on.is_there(each)), out[:1])

    def whole(self, on: Machine) -> list[str]:
        """The agent's folder with every project."""
        return [self.files.root(on.env, on.home)]

    def opened(self, folder: str, on: Machine) -> list[Opened]:
        """Claude Code's folder, a project's in it, the memory in that, or a project's own folder."""
        folder = folder.rstrip("/") or "/"
        above, name = posixpath.split(folder)
        if name != self.files.own_folder and on.is_there(f"{folder}/{self.files.own_folder}/{self.files.projects}"):
            return [Opened(f"{folder}/{self.files.own_folder}", self.own, root=f"{folder}/{self.files.own_folder}")]
        is_own = name == self.files.own_folder or folder == self.files.root(on.env, on.home)
        is_copy = on.is_there(f"{folder}/{self.files.projects}") and not on.is_there(f"{folder}/{INDEX}")
        if is_own or is_copy:  # a memory folder has an index, and no folder of projects
            return [Opened(folder, self.own, root=folder)]
        if name == self.files.projects and posixpath.basename(above) == self.files.own_folder:
            return [Opened(folder, f"{self.own}{name}/", root=above)]
        if posixpath.basename(above) == self.files.projects and on.is_there(f"{folder}/{MEMORY}"):
            return [Opened(f"{folder}/{MEMORY}")]
        if name in self.files.sub_agents:
            return [Opened(folder, f"{self.own}{name}/")]
        if posixpath.basename(above) in self.files.sub_agents:
            return [Opened(folder, f"{self.own}{posixpath.basename(above)}/{name}/")]
        return [Opened(folder)]

    def enters(self, path: str) -> bool:
        """In its own folder only memory and rules; elsewhere everything that is not hidden."""
        if path == self.files.own_folder:
            return True
        if not path.startswith(self.own):
            return visible(path)
        match path.removeprefix(self.own).split("/"):
            case [name]:
                return name in (self.files.rules, *self.tops)
            case [name, _]:
                return name in self.tops or (name == self.files.rules and visible(path.removeprefix(self.own)))
            case [name, _, inside, *_] if name == self.files.projects:
                return inside == MEMORY and visible(path.removeprefix(self.own))
            case _:
                return visible(path.removeprefix(self.own))

    def wants(self, path: str) -> bool:
        """Markdown files of memory and instructions, no transcripts or settings."""
        if path.startswith(self.own):
            return self.files.place(path.removeprefix(self.own)) is not None
        return path.endswith(".md") and visible(path)

    def parse(self, source: Source) -> list[ImportItem]:
        """Parse each memory: topics, then what only the index has; instructions last."""
        homes: dict[tuple[str, str], dict[str, bytes]] = {}
        for path in sorted(source.files):
            if not self._is_instruction(path):
                found = self.files.place(path.removeprefix(self.own)) if path.startswith(self.own) else None
                home, group = (path.removesuffix(f"/{found.label}"), found.group) if found else ("", "")
                homes.setdefault((home, group), {})[found.label if found else path] = source.files[path]
        out: list[ImportItem] = []
        for (home, group), own in sorted(homes.items()):
            inside = _memory(own)
            out += self._with_project(inside, home, group, source) if home else inside
        for path in sorted(source.files):
            if self._is_instruction(path):
                text, _ = text_of(source.files[path])
                out += self._added_facts(path, text)
                stem = stem_of(path.replace(self.own, "").removesuffix(".md"))
                out.append(ImportItem(path, Role.NOTE, stem, text, doubts=(self.instructed,)))
        return out

    def spots(self, wish: Wish) -> dict[str, Spot]:
        """Its folder; a path may name that, one project's folder in it, the memory in that, or any memory folder."""
        root = self.files.root(wish.env, wish.home)
        group = wish.group or self.files.named_group(wish.env, root) or self.group_of(wish.folder)
        if not wish.path:
            return {"": Spot(self.name, root, group)}
        path = wish.path.rstrip("/")
        home, name = path.removesuffix(f"/{MEMORY}"), posixpath.basename(path)
        above, project = posixpath.split(home)
        own, folder = posixpath.split(above)
        is_own = own == root or posixpath.basename(own) == self.files.own_folder or wish.is_there(f"{home}/{MEMORY}")
        if own.strip("/") and folder == self.files.projects and is_own:
            return {"": Spot(self.name, own, f"project:{project}")}
        if path == root or name == self.files.own_folder or wish.is_there(f"{path}/{self.files.projects}"):
            return {"": Spot(self.name, path, group)}
        return {"": Spot(self.name, path, _NO_PROJECT, strip=self.files.homes(_NO_PROJECT)[0])}

    def came_from(self, file: str) -> CameFrom | None:
        """The file, below the agent's folder if it is named with that."""
        return CameFrom(MAIN, file.removeprefix(self.own))

    def group_of(self, folder: str) -> str:
        """The group of a folder, without looking at any files."""
        return f"project:{encoded(folder)}" if folder else ""

    def out(self, ours: Ours, wish: Wish, trees: Mapping[str, Tree]) -> list[Outgoing]:
        """Export facts, open tasks and notes; logs are skipped unless wanted."""
        out: list[Outgoing] = []
        if ours.facts is not None:
            losses = [_ON_DEMAND]
            if ours.is_shared:
                losses.append("It is everybody's here and belongs to one project there.")
            name = f"user_{ours.name_of('facts').replace('-', '_')}"
            out.append(_topic_out(ours.facts, name, ours.about_facts, trim(ours.facts.text), tuple(losses)))
        if ours.tasks is not None:
            out.append(_tasks(ours.tasks))
        names = distinct((held.source, _name(held.name, self._type_of(held))) for held in ours.notes)
        home = "" if wish.group == _NO_PROJECT else next(iter(self.files.homes(wish.group)), "")

        def at(name: str) -> str:  # a topic's name made of a title would have no hyphens
            return below(home, f"{name}.md") if home or wish.group == _NO_PROJECT else ""

        for held in ours.notes:
            name = names[held.source]
            found = _topic_out(held, name, held.about, trim(held.text))
            out.append(found._replace(path=at(name) if name == held.name and self._type_of(held) else ""))
        for log in ours.logs:
            name = f"{_LOG}{log.name}"
            found = _topic_out(log, name, f"The log of {log.name}", trim(log.text), ("It is a note there, not a day.",))
            stays = f"{self.title} has no daily logs: `zsmem export --also` takes it as a note"
            found = found._replace(path=at(name))
            out.append(found if wish.also(log.source) else Outgoing(log.source, log.text, skip=stays))
        return out

    def _type_of(self, held: Held) -> str:
        """The type that a note's own frontmatter tells; empty if there is none, or names have no types."""
        said = frontmatter(held.text)[0].get("type", "") if self.files.has_types else ""
        return said if said in TYPES else ""

    def _with_project(self, found: list[ImportItem], home: str, group: str, source: Source) -> list[ImportItem]:
        """The items of one memory with its group and project."""
        kind, _, name = group.partition(":")
        out = [
            item._replace(source=f"{home}/{item.source}", group=group, about=f"{home}/{item.about}" if item.about else "")
            for item in found
        ]
        if kind == GLOBAL:
            return out
        if kind == "agent":
            return [item._replace(name=stem_of(f"{name}-{item.name}")) if item.role is Role.NOTE else item for item in out]
        folder = self.files.folder_of(source.heads, name) if source.heads is not None else ""
        if not folder:
            folder = next((each for each in (source.working, *source.known()) if self.files.is_project_of(name, each)), "")
        if folder:
            return [item._replace(project=project_slug(folder), folder=folder) for item in out]
        reason = "no transcript tells which folder it is of: name it alone, with the project"
        return [item._replace(skip=item.skip or reason) for item in out]

    def _is_instruction(self, path: str) -> bool:
        return path in self.instructions or path.startswith(f"{self.own}{self.files.rules}/")

    def _added_facts(self, path: str, text: str) -> Iterator[ImportItem]:
        """The facts that a tool added to instructions."""
        is_below = False
        for number, line in enumerate(raw_lines(text), 1):
            if line.startswith("#"):
                is_below = bool(self.added) and line.rstrip() == self.added
            elif is_below and line.startswith("- ") and (fact := trim(line[2:])):
                yield ImportItem(f"{path}:{number}", Role.FACTS, "", fact, doubts=hazards(fact), listed=True)

    def refused(self, path: str, before: bytes, after: bytes) -> str:
        """Why Claude Code would not load the new line of an index; empty if it would."""
        lost = first_lost_line(after) if path.rpartition("/")[2] == INDEX else None
        if lost is None or all(number < lost for number in index.gained(before, after)):
            return ""
        return f"{self.title} loads {INDEX_LINES} lines and {INDEX_BYTES:,} bytes of the index, and its line would be past them"


def _memory(own: Mapping[str, bytes]) -> list[ImportItem]:
    """Parse one memory: topics, then what only its index has."""
    topics = [path for path in own if path != INDEX]
    said = {topic: about for _, topic, (_, about) in reversed([*index.hooks(own.get(INDEX, b""), topics)])}
    out = [_topic(path, own[path], said.get(path, "")) for path in topics]
    return out + _index(own[INDEX], set(topics)) if INDEX in own else out


def _topic(path: str, raw: bytes, listed_as: str) -> ImportItem:
    stem = stem_of(path.removesuffix(".md"))
    if is_too_long(raw):
        return ImportItem(path, Role.NOTE, stem, "", skip=f"its frontmatter has more than {LONGEST_HEAD >> 10} KiB")
    text, problem = text_of(raw)
    fields, body = frontmatter(text)
    body = re.sub(r"\A(?:[^\S\n]*\n)+", "", trim_end(body))
    head = head_of(text, body)
    if not body:
        return ImportItem(path, Role.NOTE, stem, text, skip="it holds no text below its frontmatter" if fields else "it is empty")
    doubts = problem + hazards(body)
    fact = _as_fact(body) if fields.get("type") in _AS_FACT else ""
    if fact:
        return ImportItem(path, Role.FACTS, "", fact, doubts=doubts, listed=True, head=head, is_of_person=True)
    says = fields.get("description", listed_as)
    return ImportItem(path, Role.NOTE, stem, f"{body}\n", doubts=doubts, head=head, described=says)


def _as_fact(body: str) -> str:
    """The fact of a topic with one paragraph and optional why and how; empty if there is more."""
    main: list[str] = []
    extra: list[str] = []
    for paragraph in [part for part in body.split("\n\n") if trim(part)]:
        labelled = [_LABEL.match(trim(line)) for line in raw_lines(paragraph) if trim(line)]
        if all(labelled):
            extra += [f"{LABELS[each[1]]}: {each[2]}" for each in labelled if each]
        elif main or not _is_one_fact(paragraph):
            return ""
        else:
            main = words(paragraph)
    says = " ".join(main)
    parts = [says, *(" ".join(words(part)) for part in extra)] if main else [""]
    return "; ".join([*map(_unended, parts[:-1]), parts[-1]])


def _is_one_fact(paragraph: str) -> bool:
    """Whether it has no code, table or list whose lines belong together."""
    first, *more = divide(paragraph.strip("\n"))
    return not more and first.kind in (Kind.PARAGRAPH, Kind.ITEM, Kind.HTML)


def _unended(part: str) -> str:
    """A sentence without its final full stop, since a semicolon follows."""
    return part if part.endswith("..") else part.removesuffix(".").removesuffix(";")


def _index(raw: bytes, topics: set[str]) -> list[ImportItem]:
    """The items that the index has besides lines about topics."""
    text, problem = text_of(raw)
    out = []
    for part in index.parts(text.encode(), topics):
        source, lines = f"{INDEX}:{part.number}", part.text.decode().rstrip("\n")
        link = _LINK.match(lines) if "\n" not in lines else None
        if part.is_blank:
            continue
        if part.about:
            skip = "the index line of a note that is an item of its own"
            out.append(ImportItem(source, Role.FACTS, "", lines, skip=skip, about=part.about))
        elif link and not link[2].startswith(("http:", "https:")):
            fact = " — ".join(filter(None, map(trim, (link[1], link[3] or "")))) or trim(lines)
            doubts = (*problem, Notice(NoticeKind.NO_TOPIC_FILE), *hazards(fact))
            out.append(ImportItem(source, Role.FACTS, "", fact, doubts=doubts, listed=True))
        elif part.is_heading:
            out.append(ImportItem(source, Role.FACTS, "", lines, skip="a heading of the index"))
        else:
            fact = lines if "\n" in lines else trim(re.sub(r"^\s*[-*]\s+", "", lines))
            out.append(ImportItem(source, Role.FACTS, "", fact, doubts=problem + hazards(fact), listed=True))
    return out


def _topic_out(held: Held, name: str, about: str, body: str, losses: tuple[str, ...] = ()) -> Outgoing:
    return Outgoing(held.source, f"{body}\n", Role.NOTE, name, about=about, losses=losses, skip="" if body else "it is empty")


def _tasks(held: Held) -> Outgoing:
    every = items(held.text)
    still = [item for item in every if item.box is Box.OPEN]
    losses = ["Open tasks lose their boxes."]
    if len(every) > len(still):
        losses.append(f"What is not open stays behind: {counted(len(every) - len(still), 'task')}.")
    if not still:
        return Outgoing(held.source, held.text, skip="no task is open")
    body = "\n".join(f"- {item.text}" for item in still)
    return _topic_out(held, _TASKS, "What is still to be done", body, tuple(losses))


def _name(stem: str, said: str = "") -> str:
    """The file name for a note's topic: of type `project` unless it has another note type, so that it is not imported as a fact.

    Of a note that is a topic already, `said` is the type in its frontmatter, which stays: its name keeps that, or gets it.
    """
    if said and _TOPIC.fullmatch(stem) and stem.startswith(f"{said}_"):
        return stem
    kind, _, rest = stem.partition("_")
    if said and kind != said:
        kind, rest = said, stem
    named = slug_of(rest, _LONGEST, "_") if kind in (said, *_NOTES) else ""
    return f"{kind}_{named}" if named else f"{_NOTES[0]}_{slug_of(stem, _LONGEST, '_') or 'note'}"


FORMAT: Final = ClaudeCodeFormat
