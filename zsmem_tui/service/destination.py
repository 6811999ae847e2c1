"""Where a text goes in a store of another kind, and how it joins what stands there: one rule for copies, moves and exports."""

from __future__ import annotations

from typing import Final

from zsmem_tui.core.append import appended, deduplicate
from zsmem_tui.core.layout import WORDS, Layout, foreign_problem
from zsmem_tui.core.names import note_stem
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.text import is_utf8, printable_path
from zsmem_tui.service.session import EVERYBODY
from zsmem_tui.store.scan import project_slugs

JOINED: Final = (Role.FACTS, Role.CHECKLIST, Role.LOG)
"""Roles of files that take more in: what comes is added to what stands there."""


def goal_of(root: str, layout: Layout, role: Role, group: str, name: str, shown: str = "") -> MemRef | str:
    """Where a text of a role, called `name`, goes in a group of the store at `root`; or why it goes nowhere, as a clause.

    `shown` is what people read for the group, where that is not its name.
    """
    if role is Role.NOTE:
        name = note_stem(name.replace(".", "-").replace("/", "-"))
    found = layout.ref(role, group, name)
    if found is not None:
        problem = foreign_problem(layout, found.path)
        return f"{printable_path(found.path)}: {problem}" if problem else found
    if layout.ref(role, group, "name") is not None or layout.ref(role, group, "2026-01-01") is not None:
        return f"{layout.kind} does not take the name {printable_path(name)!r}: give it another"
    if any(layout.ref(role, each, "name") is not None for each in project_slugs(root, layout)):
        return f"{layout.title} has no {WORDS[role]} {_of(group, shown)}: choose another group"
    return f"{layout.title} has no {WORDS[role]}"


def joined(now: bytes, body: bytes, role: Role) -> bytes | None:
    """A text with more below it, without the lines that it has already; None when it has all of them."""
    end = b"\r\n" if b"\r\n" in now else b"\n"
    more = body.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").strip(b"\n")
    if not more.strip() or more in now.replace(b"\r\n", b"\n"):
        return None
    if role is not Role.LOG and is_utf8(now) and is_utf8(more):
        kept = deduplicate(now.decode(), more.decode()).kept
        if kept is None:
            return None
        more = kept.encode()
    elif role is Role.LOG:
        more = b"\n" + more
    return appended(now, (more + b"\n").replace(b"\n", end))


def _of(group: str, shown: str) -> str:
    return "for everybody" if group == EVERYBODY else f"in {shown or printable_path(group)}"
