"""Find the links and imports of an instruction file that lead nowhere, on the whole disk, and where else the file of a link is."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from zsmem_tui.core.checks.around import links
from zsmem_tui.core.checks.document import Text, read_document
from zsmem_tui.core.checks.examine import in_order
from zsmem_tui.core.checks.finding import Finding, Place
from zsmem_tui.core.checks.links import DEAD_LINK, Dead, cleaned, dead_ends, dead_links
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import grouped, printable_path
from zsmem_tui.service.session import Session
from zsmem_tui.store import ignored
from zsmem_tui.store.disk import files

_NOWHERE: Final = links(frozenset())
"""No file of the store is known: the disk is asked."""

_NOTE: Final = "[["
"""The start of a link to a note of some memory."""


def ignored_in(session: Session, faults: Iterable[Finding]) -> frozenset[tuple[str, int, str]]:
    """The place (path, line) and text of those of some findings that are ignored in the Doctor; nothing is iterated if none is."""
    ids = ignored.read(session.root).ids
    return frozenset((each.path, each.line, each.text) for each in in_order(faults) if each.id in ids) if ids else frozenset()


def in_instructions(session: Session, ref: MemRef) -> Iterator[Finding]:
    """The findings about an instruction file; none if it cannot be read, which is found elsewhere."""
    place = session.path(ref)
    text = files.text_or_none(place)
    if text is None:
        return
    own = Text(ref, read_document(text), text)
    folders = (os.path.dirname(place), session.root)
    found = (each for each in dead_links(own.page, ref.path, "", _NOWHERE) if not each.words.startswith(_NOTE))
    dead = [each for each in found if not any(os.path.lexists(f"{folder}/{cleaned(each.target)}") for folder in folders)]
    yield from dead_ends(DEAD_LINK, "The link leads to {text}, which is not there.", "", own, dead)
    imports = session.layout.dead_imports(place, text, os.path.lexists)
    named = [Dead(line, f"@{word}", word, "") for line, word in imports]
    yield from dead_ends(DEAD_LINK, "The line imports {text}, which is not there.", "", own, named)


def elsewhere(session: Session, faults: Iterable[Finding], paths: Iterable[str]) -> Iterator[Finding]:
    """The findings; a dead link to a bare name says which other project has the only file of that name, of these `paths`."""
    by_name: dict[str, list[str]] | None = None
    for fault in faults:
        is_dead = fault.rule == DEAD_LINK and not (fault.related or (fault.fix is not None and fault.fix.name))
        name = fault.text.partition("#")[0] if is_dead else ""
        if name and by_name is None:
            by_name = grouped((path.rpartition("/")[2], path) for path in paths)
        there = (by_name or {}).get(name, [])
        project = session.ref_at(there[0]).project if len(there) == 1 else ""
        if project and project != session.ref_at(fault.path).project:
            where = printable_path(session.group_name(project)).replace("{", "{{").replace("}", "}}")
            says = fault.says.replace("is not there.", f"is not there but in {where}.")
            fault = replace(fault, says=says, related=(Place(there[0]),))
        yield fault
