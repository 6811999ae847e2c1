"""Import and export for AGENTS.md: list items of a section that the user picks. Nothing is selected by default."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from typing import Final

from zsmem_tui.agents.format import Format, Opened, Source, text_of
from zsmem_tui.agents.instructions import layout as files
from zsmem_tui.agents.outgoing import MAIN, CameFrom, Held, Ours, Outgoing, Spot, Wish, bare_facts, stands_in
from zsmem_tui.agents.places import Machine
from zsmem_tui.agents.zerostack.layout import ZEROSTACK
from zsmem_tui.core import memory_block
from zsmem_tui.core.block_edits import Block, blocks
from zsmem_tui.core.errors import BadContent
from zsmem_tui.core.hazards import hazards
from zsmem_tui.core.import_item import ImportItem, stem_of
from zsmem_tui.core.markdown import top_items
from zsmem_tui.core.memory_block import BEGIN, END, facts_between
from zsmem_tui.core.notice import Notice, NoticeKind
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import one_line, raw_lines
from zsmem_tui.core.tree import Tree

_FILE: Final = ZEROSTACK.context_files[0]
_UNPICKED: Final = Notice(NoticeKind.ON_REQUEST, text="zerostack reads it where it is: pick its section")
_PROMOTED: Final = Notice(NoticeKind.ON_REQUEST, text="it was loaded from memory: demote moves it")


_TWICE: Final = "It is in MEMORY.md as well, so that agents that read both pay for it twice: promote moves it."


class InstructionsFormat(Format):
    """Items of the section that is named become facts, those of several lines notes. The file itself stays as it is.

    Facts only: whatever stands there is an order to every agent, on every turn.
    """

    has_sections = True
    takes = "facts"
    losses = "In: what is no item of a list. Out: facts stand there between markers, and in no prompt of a sub-agent."
    out_losses = "What stands there is in every prompt of every agent."

    def places(self, on: Machine) -> list[str]:
        """The file in the folder."""
        return [posixpath.join(on.folder, _FILE)]

    def opened(self, folder: str, on: Machine) -> list[Opened]:
        """A folder with such a file, or a file of any name in the same form."""
        if on.is_there(f"{folder}/{_FILE}") or not posixpath.splitext(folder)[1]:
            return [Opened(folder, "", _FILE)]
        home, name = posixpath.split(folder)
        return [Opened(home or ".", "", name)]

    def enters(self, path: str) -> bool:
        """No subfolders."""
        return False

    def wants(self, path: str) -> bool:
        """That one file."""
        return path == _FILE

    def parse(self, source: Source) -> list[ImportItem]:
        """Parse every item with its section; items of sections that were not picked are shown unselected."""
        out: list[ImportItem] = []
        for path, raw in source.files.items():
            text, problem = text_of(raw)
            marked = set(_promoted(text))
            promoted = [] if source.section else list(_from_memory(path, text, problem))
            lines = raw_lines(text)
            for first, stop, heading in top_items(lines):
                section, says = one_line(heading), _bullet(lines[first:stop])
                where = f"{path}#{section}:{first + 1}"
                doubts = problem + hazards(says)
                if first in marked and promoted:
                    continue
                if first in marked:
                    reason = "it was loaded from memory: demote it"
                    out.append(ImportItem(where, Role.FACTS, "", says, skip=reason, listed=True, group=section))
                    continue
                if source.section and section.casefold() != one_line(source.section).casefold():
                    continue
                doubts += () if source.section else (_UNPICKED,)
                if "\n" in says:
                    stem = stem_of(f"{path.removesuffix('.md')}-{section}-{first + 1}".replace(" ", "-"))
                    item = ImportItem(where, Role.NOTE, stem, f"{says}\n", doubts=doubts)
                else:
                    item = ImportItem(where, Role.FACTS, "", says, doubts=doubts, listed=True)
                out.append(item._replace(group=section))
            out += promoted
        return out

    def spots(self, wish: Wish) -> dict[str, Spot]:
        """The project's folder; a path may name that, or the file in it."""
        path = wish.path.rstrip("/") or wish.folder
        if posixpath.basename(path) in files.TAKE_MEMORY:
            path = posixpath.dirname(path) or "/"
        return {MAIN: Spot("instructions", path)} if path else {}

    def came_from(self, file: str) -> CameFrom | None:
        """The file itself; only the text between the markers is ours, so it is not written."""
        return CameFrom(MAIN, file, is_written=False)

    def out(self, ours: Ours, wish: Wish, trees: Mapping[str, Tree]) -> list[Outgoing]:
        """One row per fact, and one per text that is not exported."""
        named = posixpath.basename(wish.path.rstrip("/"))
        goal = named if named in files.TAKE_MEMORY else files.TAKE_MEMORY[0]
        out = [_fact_out(source, blocks([fact])[0], goal) for source, fact in bare_facts(ours.facts)]
        rest: list[Held] = [*([ours.tasks] if ours.tasks else []), *ours.notes, *ours.logs]
        out += [Outgoing(held.source, held.text, skip="instructions take facts only") for held in rest]
        return out


def _from_memory(path: str, text: str, problem: tuple[Notice, ...]) -> Iterator[ImportItem]:
    """The facts between our markers, for a store that lacks them; unselected, since they are in the prompt already."""
    try:
        found = facts_between(text)
    except BadContent:
        return
    for fact in found:
        says = fact.says if "\n" not in fact.text.strip() else fact.text.strip("\n")
        doubts = (*problem, *hazards(says), _PROMOTED)
        yield ImportItem(f"{path}#:{fact.line + 1}", Role.FACTS, "", says, doubts=doubts, listed=True, group="promoted memory")


def _bullet(own: list[str]) -> str:
    """The text of a list item of these lines, without its bullet."""
    while len(own) > 1 and not own[-1].strip():
        own.pop()
    mark = own[0].lstrip(" ")
    width = len(own[0]) - len(mark) + len(mark.split()[0])
    head = own[0][width:].strip()
    indent = len(own[0]) - len(own[0][width:].lstrip(" "))
    rest = [line[indent:] if not line[:indent].strip() else line.lstrip(" ") for line in own[1:]]
    return "\n".join([head, *rest])


def _promoted(text: str) -> Iterator[int]:
    """The 0-based numbers of the lines between our markers."""
    inside = False
    for number, line in enumerate(raw_lines(text)):
        if line.strip() == BEGIN:
            inside = True
        elif line.strip() == END:
            inside = False
        elif inside:
            yield number


def _fact_out(source: str, block: Block, goal: str) -> Outgoing:
    def join(now: bytes | None) -> bytes | None:
        text = (now or b"").decode()
        if stands_in(block.text, text):
            return None
        after = memory_block.added(text, [block], goal)
        return None if after == text else after.encode()

    return Outgoing(source, block.text, Role.INSTRUCTIONS, path=goal, join=join, warnings=(_TWICE,), in_prompt=True)


FORMAT: Final = InstructionsFormat
