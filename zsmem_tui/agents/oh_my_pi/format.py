"""Import and export for oh-my-pi: lessons, and what it consolidates from sessions; exports become lessons."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping
from datetime import UTC
from functools import partial
from typing import Final

from zsmem_tui.agents import javascript as js
from zsmem_tui.agents.format import Format, Opened, Source, head_of, text_of
from zsmem_tui.agents.oh_my_pi import files, lessons
from zsmem_tui.agents.oh_my_pi.lessons import Lesson, neutralised
from zsmem_tui.agents.outgoing import MAIN, Ours, Outgoing, Spot, Wish, bare_facts
from zsmem_tui.agents.places import Machine, visible
from zsmem_tui.core.checklist import Box, items
from zsmem_tui.core.daily import entry
from zsmem_tui.core.facts import words_of
from zsmem_tui.core.hazards import hazards
from zsmem_tui.core.import_item import ImportItem, stem_of
from zsmem_tui.core.markdown import front_matter, heading_level
from zsmem_tui.core.moments import moment
from zsmem_tui.core.names import project_slug
from zsmem_tui.core.notice import Notice, NoticeKind
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import one_line, raw_lines, trim
from zsmem_tui.core.tree import Tree

_CONTEXT: Final = re.compile(r"^(\s*- .*?)\s+_\(context: (.*)\)_\s*$")
_HEAD: Final = re.compile(r"\A(?:thread_id:[^\n]*\n|updated_at:[^\n]*\n)+\n?")
_UPDATED: Final = re.compile(r"(?m)^updated_at: *(\d{1,11}) *$")
_NOTES: Final = {files.LEARNED: "omp-learned", files.LONG_TERM: "omp-memory", files.SUMMARY: "omp-summary"}
_EVIDENCE: Final = Notice(NoticeKind.ON_REQUEST, text="evidence from a session, from which oh-my-pi draws the rest")
_BANK: Final = Notice(NoticeKind.ON_REQUEST, text="its bank does not tell which folder it is of")
_SKILL: Final = Notice(NoticeKind.ON_REQUEST, text="a skill, which is no memory")


class OhMyPiFormat(Format):
    """Lessons become a note, the newest first; the memory and the summary one each. Session summaries come only when asked for.

    Every lesson is in the prompt, as far as the summary leaves room.
    """

    takes = "facts, open tasks and the first words of each note"
    losses = (
        "In: nothing but what oh-my-pi makes anew itself. Out: line breaks, backticks, angle brackets and code, all above 100 "
        "lessons, states of tasks, days and times."
    )
    group_kinds: tuple[str, ...] = ("folder",)

    def lost_in(self, items: Iterable[ImportItem]) -> str:
        """Nothing of what comes."""
        return ""

    def places(self, on: Machine) -> list[str]:
        """The memory of the folder."""
        return [f"{_root(on)}/{files.encoded(on.folder)}"]

    def whole(self, on: Machine) -> list[str]:
        """The folder of all memories."""
        return [_root(on)]

    def opened(self, folder: str, on: Machine) -> list[Opened]:
        """The agent's folder, the memories in it, or one folder's memory."""
        for below in (f"agent/{files.MEMORIES}", files.MEMORIES):
            if on.is_there(f"{folder}/{below}"):
                return _with_banks(f"{folder}/{below}", on)
        above, _, name = folder.rstrip("/").rpartition("/")
        if name == files.BANKS:
            return [Opened(folder, f"{name}/")]
        if above.rpartition("/")[2] == files.BANKS:
            return [Opened(folder, f"{files.BANKS}/{name}/")]
        if name.startswith("--") and name.endswith("--"):
            return [Opened(folder, f"{name}/")]
        here = (files.LEARNED, files.SUMMARY, files.LONG_TERM)
        if any(on.is_there(f"{folder}/{each}") for each in here):
            return [Opened(folder, "----/")]
        return _with_banks(folder, on)

    def enters(self, path: str) -> bool:
        """A folder's memory with its session summaries and skills."""
        match path.split("/"):
            case [files.BANKS] | [files.BANKS, _]:
                return True
            case [memory]:
                return memory.startswith("--") and memory.endswith("--")
            case [_, folder, *rest]:
                return (folder == files.ROLLOUTS and not rest) or (folder == files.SKILLS and len(rest) < 2)
        return False

    def wants(self, path: str) -> bool:
        """Memory files, except the raw material that the others are made of."""
        if path.startswith(f"{files.BANKS}/"):
            return path.count("/") == 2 and path.rpartition("/")[2] in files.BANK_FILES
        return files.place(path) is not None and visible(path) and not path.endswith(f"/{files.RAW}")

    def parse(self, source: Source) -> list[ImportItem]:
        """Parse folder by folder: lessons, memory, summary; then what is imported on request."""
        folders = () if source.is_one else (source.working, *source.known())
        known = {files.encoded(folder): folder for folder in reversed(folders) if folder}
        out: list[ImportItem] = []
        for path in sorted(source.files, key=lambda path: (path.partition("/")[0], _rank(path), path)):
            group = path.partition("/")[0]
            if group == files.BANKS:
                out.append(_of_bank(path, source.files[path]))
                continue
            found = self._file(path, source)._replace(group=f"folder:{group}")
            if group in known:
                found = found._replace(project=project_slug(known[group]), folder=known[group])
            elif not source.is_one and not found.skip:
                found = found._replace(skip="its name does not tell which folder it is of: name it alone, with the project")
            out.append(found)
        return out

    def _file(self, path: str, source: Source) -> ImportItem:
        text, problem = text_of(source.files[path])
        name = path.partition("/")[2]
        doubts = problem + hazards(text)
        if not trim(text):
            return ImportItem(path, Role.NOTE, _NOTES.get(name, "omp"), text, skip="it is empty")
        if name == files.LEARNED:
            return ImportItem(path, Role.NOTE, _NOTES[name], _lessons(text), doubts=doubts)
        if name in _NOTES:
            return ImportItem(path, Role.NOTE, _NOTES[name], f"{trim(text)}\n", doubts=doubts)
        if name.startswith(f"{files.SKILLS}/"):
            stem = f"omp-skill-{name.split('/')[1]}"
            return ImportItem(path, Role.NOTE, stem, f"{trim(text)}\n", doubts=(*doubts, _SKILL))
        return _rollout(path, text, doubts, source)

    def spots(self, wish: Wish) -> dict[str, Spot]:
        """All memories; a path may name that folder, the agent's, or the memory of one folder in it."""
        group = wish.group or (f"folder:{files.encoded(wish.folder)}" if wish.folder else "")
        if not wish.path:
            return {MAIN: Spot(self.name, files.root(wish.env, wish.home, wish.is_there, wish.folder), group)}
        path = wish.path.rstrip("/")
        name = posixpath.basename(path)
        if name.startswith("--") and name.endswith("--"):
            return {MAIN: Spot(self.name, posixpath.dirname(path), f"folder:{name}")}
        below = next((each for each in (files.MEMORIES, f"agent/{files.MEMORIES}") if wish.is_there(f"{path}/{each}")), "")
        return {MAIN: Spot(self.name, posixpath.join(path, below) if below else path, group)}

    def out(self, ours: Ours, wish: Wish, trees: Mapping[str, Tree]) -> list[Outgoing]:
        """Export facts, open tasks, and the first words of notes in order, so that the last is on top."""
        out = [_lesson(source, fact.says, lessons.losses(fact.text)) for source, fact in bare_facts(ours.facts)]
        if ours.tasks is not None:
            for item in items(ours.tasks.text):
                source = ours.tasks.spot(item.line)
                if item.box is Box.OPEN:
                    losses = ("It is a lesson there, which nobody ticks off.", *lessons.losses(item.text))
                    out.append(_lesson(source, f"{lessons.TASK}{item.text}", losses))
                else:
                    out.append(Outgoing(source, item.text, skip="it is not open, and oh-my-pi knows no tasks"))
        for held in ours.notes:
            rows = raw_lines(held.text)
            rows = [trim(line) for line in rows[front_matter(rows) :] if not trim(line).startswith("<!--")]
            said = [line for line in rows if any(map(str.isalnum, neutralised(line)))] or [""]
            at = next((number for number, line in enumerate(said) if not heading_level(line)), 0)
            own = said[max(at - 1, 0) : at + 1]  # a heading alone says nothing
            first = ": ".join(words_of(line.lstrip("# ")) for line in own)
            losses = (*(["Only its first words go along."] if len(said) > len(own) else []), *lessons.losses(first))
            out.append(_lesson(held.source, first, losses) if first else Outgoing(held.source, held.text, skip="it has no words"))
        out += [Outgoing(log.source, log.text, skip="oh-my-pi has no daily logs") for log in ours.logs]
        return out


def _with_banks(memories: str, on: Machine) -> list[Opened]:
    """The memories, and the banks next to them."""
    beside = f"{memories.rstrip('/').rpartition('/')[0]}/{files.BANKS}"
    return [Opened(memories), *([Opened(beside, f"{files.BANKS}/")] if on.is_there(beside) else [])]


def _of_bank(path: str, raw: bytes) -> ImportItem:
    """A text of a bank; the user has to choose its folder."""
    bank, _, name = path.partition("/")[2].partition("/")
    text, problem = text_of(raw)
    stem = stem_of(f"omp-{bank}-{name.removesuffix('.md')}")
    skip = "" if trim(text) else "it is empty"
    doubts = (*problem, *hazards(text), _BANK)
    return ImportItem(path, Role.NOTE, stem, f"{trim(text)}\n", skip=skip, doubts=doubts, group=f"bank:{bank}")


def _root(on: Machine) -> str:
    return files.root(on.env, on.home, on.is_there, on.folder)


def _rank(path: str) -> int:
    name = path.partition("/")[2]
    return list(_NOTES).index(name) if name in _NOTES else len(_NOTES)


def _lessons(text: str) -> str:
    """The lessons with their contexts in parentheses; headings and prose are kept."""
    lines = [_CONTEXT.sub(lambda found: f"{found[1]} (context: {found[2]})", line) for line in raw_lines(text)]
    return "\n".join(lines).strip("\n") + "\n"


def _rollout(path: str, text: str, doubts: tuple[Notice, ...], source: Source) -> ImportItem:
    """The summary of a session, as an entry of the day it was written."""
    head = _HEAD.match(text)
    body = trim(text[head.end() :] if head else text)
    found = _UPDATED.search(head[0]) if head else None
    seconds = int(found[1]) if found else 0
    if not seconds:
        return ImportItem(path, Role.LOG, "0000-00-00", body, skip="it says no time")
    if not body:
        return ImportItem(path, Role.LOG, "0000-00-00", body, skip="it holds no text")
    when = moment(seconds, UTC).astimezone(source.local)
    stem = path.rpartition("/")[2].removesuffix(".md")
    thread = re.search(r"(?m)^thread_id: *(\S+)", head[0]) if head else None
    slug = stem.removeprefix(thread[1]).lstrip("-") if thread else stem
    title = one_line(slug or stem)
    return ImportItem(
        path,
        Role.LOG,
        f"{when:%Y-%m-%d}",
        entry(title, body, when),
        doubts=(*doubts, _EVIDENCE),
        head=head_of(text, body),
    )


def _lesson(source: str, words: str, losses: tuple[str, ...]) -> Outgoing:
    lesson = Lesson(words)
    line = js.trim(lessons.line_of(lesson))  # a cut lesson may end in a space, which would not be found again
    if not line:
        return Outgoing(source, words, skip="nothing of it is left as a lesson")
    join, warnings = partial(lessons.with_line, line=line), lessons.warnings(words)
    return Outgoing(source, line, Role.FACTS, join=join, losses=losses, warnings=warnings, in_prompt=True)


FORMAT: Final = OhMyPiFormat
