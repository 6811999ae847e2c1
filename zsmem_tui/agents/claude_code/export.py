"""Our memory as Claude Code's: a topic for each note, one for the facts and one for open tasks; the index follows."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from typing import Final

from zsmem_tui.agents.claude_code import files
from zsmem_tui.agents.claude_code.naming import INDEX, encoded
from zsmem_tui.agents.claude_code.prompt import INDEX_BYTES, INDEX_LINES
from zsmem_tui.agents.outgoing import GoesBack, Held, Ours, Outgoing, Spot, Wish, distinct, slug_of
from zsmem_tui.core.checklist import Box, items
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import counted, one_line, raw_lines, trim
from zsmem_tui.core.tree import Tree

_FACTS: Final = "user_zerostack_facts"
_TASKS: Final = "project_open_tasks"
_LOG: Final = "project_log_"
_LONGEST: Final = 60
_NOTES: Final = ("project", "reference")
"""The types of topics that are notes."""
_NO_PROJECT: Final = "project:-"
"""The group of a memory folder that is named itself."""


class ClaudeCodeWriter(GoesBack):
    """Topics are read on demand; of each, its line in the index is in every prompt."""

    name = "claude-code"
    title = "Claude Code"
    losses = (
        "Facts belong to one project there, tasks that are done stay behind, open ones lose their boxes, and daily logs have no "
        "place there."
    )
    group_kinds: tuple[str, ...] = ("project", "agent")

    def spots(self, wish: Wish) -> dict[str, Spot]:
        """Its folder; a path may name that, one project's folder in it, the memory in that, or any memory folder."""
        root = files.root(wish.env, wish.home)
        group = wish.group or (f"project:{encoded(wish.folder)}" if wish.folder else "")
        if not wish.path:
            return {"": Spot(self.name, root, group)}
        path = wish.path.rstrip("/")
        above, _, name = path.rpartition("/")
        if name == files.MEMORY and posixpath.basename(posixpath.dirname(above)) == files.PROJECTS:
            return {"": Spot(self.name, above.rpartition("/")[0].rpartition("/")[0], f"project:{posixpath.basename(above)}")}
        if posixpath.basename(above) == files.PROJECTS:
            return {"": Spot(self.name, above.rpartition("/")[0], f"project:{name}")}
        if path == root or name == files.OWN_FOLDER or wish.is_there(f"{path}/{files.PROJECTS}"):
            return {"": Spot(self.name, path, group)}
        return {"": Spot(self.name, path, _NO_PROJECT, strip=files.homes(_NO_PROJECT)[0])}

    def out(self, ours: Ours, wish: Wish, trees: Mapping[str, Tree]) -> list[Outgoing]:
        """Facts, open tasks, notes; logs are named and left."""
        out: list[Outgoing] = []
        if ours.facts is not None:
            losses = ("They are everybody's here and belong to one project there.",) if ours.is_shared else ()
            about = f"Facts that hold for {'every' if ours.is_shared else 'this'} project"
            out.append(_topic(ours.facts, _FACTS, about, trim(ours.facts.text), losses))
        if ours.tasks is not None:
            out.append(_tasks(ours.tasks))
        names = distinct((held.source, _name(held.name)) for held in ours.texts())
        for held in ours.texts():
            about = held.about or one_line(_first(held.text) or held.name)[:120]
            out.append(_topic(held, names[held.source], about, trim(held.text)))
        for log in ours.logs:
            name = f"{_LOG}{log.name.replace('-', '_')}"
            found = _topic(log, name, f"The log of {log.name}", trim(log.text), ("It is a topic there, not a day.",))
            stays = "Claude Code has no daily logs: --also takes it as a topic"
            out.append(found if wish.also(log.source) else Outgoing(log.source, log.text, skip=stays))
        return out

    def refused(self, path: str, after: bytes) -> str:
        """What Claude Code does not load of an index."""
        if path.rpartition("/")[2] != INDEX or (after.count(b"\n") <= INDEX_LINES and len(after) <= INDEX_BYTES):
            return ""
        return f"Claude Code loads {INDEX_LINES} lines and {INDEX_BYTES:,} bytes of the index, and its line would be past them"


def _topic(held: Held, name: str, about: str, body: str, losses: tuple[str, ...] = ()) -> Outgoing:
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
    return _topic(held, _TASKS, "What is still to be done", body, tuple(losses))


def _name(stem: str) -> str:
    """The name of a note's topic: of the type `project`, for what is of another one comes in again as a fact."""
    kind, _, rest = stem.partition("_")
    named = slug_of(rest, _LONGEST, "_") if kind in _NOTES else ""
    return f"{kind}_{named}" if named else f"{_NOTES[0]}_{slug_of(stem, _LONGEST, '_') or 'note'}"


def _first(text: str) -> str:
    return next((trim(line).lstrip("# ") for line in raw_lines(text) if trim(line)), "")
