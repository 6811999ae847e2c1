"""Places in sentences, as the tree calls them: checks know a file by its path, people by its project and its name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from zsmem_tui.core.pattern import Pattern
from zsmem_tui.ui.wording import title_of

if TYPE_CHECKING:
    import re

    from zsmem_tui.core.checks.finding import Finding, Fix
    from zsmem_tui.core.notice import Notice
    from zsmem_tui.service.session import Session
    from zsmem_tui.ui.open_store import OpenStore

_FILE: Final = Pattern(r"(?<![\w/.~-])(?:[^\s/:“”'\"()]+/)+[^/\n]*?\.md(?!\w)")
"""A path of a memory file below some folder of a store, as sentences have it; none from the root or the home."""


def place_name(path: str, session: Session) -> str:
    """What the tree calls a file of the store that lies below a folder of it; any other path as it is."""
    inside = path.removeprefix(f"{session.root}/")
    if "/" not in inside or inside.startswith(("/", "~")):
        return inside
    ref = session.ref_at(inside)
    return title_of(ref, session) if ref.project else inside


def with_titles(words: str, here: OpenStore, stores: Sequence[OpenStore]) -> str:
    """A sentence in which files of groups are called as the tree calls them: of a store that has the group, else of that in use."""

    def title(found: re.Match[str]) -> str:
        asked = [(store, store.session.ref_at(found[0])) for store in (here, *stores)]
        of_groups = [(store, ref) for store, ref in asked if ref.project]
        known = [each for each in of_groups if each[0].catalog is not None and each[0].catalog.project(each[1].project)]
        return next((title_of(ref, store.session) for store, ref in (*known, *of_groups)), found[0])

    return _FILE.sub(title, words) if "/" in words else words


def named_finding(finding: Notice, session: Session) -> Notice:
    """A finding whose sentence names its file so."""
    return replace(finding, place=place_name(finding.place, session))


def named_fault(fault: Finding, session: Session) -> Finding:
    """What the doctor found, for its words only: the files in them are named so. It has another id than the finding itself."""
    related = tuple(each._replace(path=place_name(each.path, session)) for each in fault.related)
    fix = None if fault.fix is None else _named_fix(fault.fix, session)
    return replace(fault, path=place_name(fault.path, session), related=related, fix=fix)


def _named_fix(fix: Fix, session: Session) -> Fix:
    if "{file}" in fix.says:
        fix = fix._replace(name=", ".join(place_name(each, session) for each in fix.name.split(", ")))
    return fix._replace(fits=session.group_name(fix.fits) if fix.fits else "")
