"""Our memory as memsearch's: an entry in its day for each of ours, everything else as a note, which is indexed and in no prompt."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping

from zsmem_tui.agents.memsearch import files, writes
from zsmem_tui.agents.outgoing import (
    MAIN,
    CameFrom,
    DayEntry,
    Held,
    Ours,
    Outgoing,
    Spot,
    Wish,
    WithoutIndex,
    day_entries,
    distinct,
    mark_of,
)
from zsmem_tui.core.refs import Role
from zsmem_tui.core.tree import Tree

_MIDNIGHT = "00:00"
_SHOWN_DAYS = 2


class MemsearchWriter(WithoutIndex):
    """The two newest days are in the prompt when a session starts; notes are found by search."""

    name = "memsearch"
    title = "memsearch"
    losses = "Facts belong to one project there and are found by search only, tasks are text, and headings of days become text."
    group_kinds: tuple[str, ...] = ()

    def spots(self, wish: Wish) -> dict[str, Spot]:
        """The journals' folder; a path may name that, the folder around it, or the project."""
        named = wish.env.get("MEMSEARCH_DIR")
        path = wish.path.rstrip("/") or (posixpath.join(wish.folder or wish.home, named) if named else wish.folder)
        if not path:
            return {}
        if (not wish.path and not named) or wish.is_there(f"{path}/{files.FOLDER}"):
            path = posixpath.join(path, files.FOLDER)
        is_around = posixpath.basename(path) == files.FOLDER or (named and not wish.path) or wish.is_there(f"{path}/{files.MEMORY}")
        return {MAIN: Spot(self.name, posixpath.join(path, files.MEMORY) if is_around else path)}

    def came_from(self, file: str) -> CameFrom | None:
        """Journals and what lies beside them; a task of memsearch's replaces the files around their folder."""
        inside = file.removeprefix(f"{files.MEMORY}/")
        return CameFrom(MAIN, inside) if inside != file else None

    def out(self, ours: Ours, wish: Wish, trees: Mapping[str, Tree]) -> list[Outgoing]:
        """Days, notes, tasks, facts."""
        out: list[Outgoing] = []
        days = {entry.name for entry in trees[MAIN].entries("", files.is_day)} | {f"{log.name}.md" for log in ours.logs}
        shown = sorted(days)[-_SHOWN_DAYS:]
        for log in ours.logs:
            out += [_entry(log, entry, f"{log.name}.md" in shown) for entry in day_entries(log.text)]
        facts, tasks = ours.facts_name, ours.tasks_name
        wanted = [(facts, facts), (tasks, tasks), *((held.source, held.name) for held in ours.texts())]
        names = distinct(wanted)
        out += [Outgoing(held.source, held.text, Role.NOTE, names[held.source]) for held in ours.texts()]
        if ours.tasks is not None:
            losses = ("memsearch knows no tasks: they are text there.",)
            out.append(Outgoing(ours.tasks.source, ours.tasks.text, Role.NOTE, tasks, adds_lines=True, losses=losses))
        if ours.facts is not None:
            losses = ("They are in every prompt here; memsearch finds them by search, in this project only.",)
            out.append(Outgoing(ours.facts.source, ours.facts.text, Role.NOTE, facts, adds_lines=True, losses=losses))
        return out


def _entry(log: Held, entry: DayEntry, is_shown: bool) -> Outgoing:
    body = f"{entry.heading}\n\n{entry.body}".strip("\n") if entry.heading else entry.body
    mark = mark_of(log.name, entry.time, body)

    def join(now: bytes | None) -> bytes | None:
        if now is not None and f"zerostack:{mark} ".encode() in now:
            return None
        return writes.exported(now, log.name, entry.time or _MIDNIGHT, body, mark)

    losses = ("Its heading becomes its first line.",) if entry.heading else ()
    source = log.spot(entry.line)
    return Outgoing(source, body, Role.LOG, log.name, join=join, losses=losses, in_prompt=is_shown)
