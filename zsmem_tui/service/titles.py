"""The names of files for people: `~/code/harbor · MEMORY.md` for a path in a store."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from zsmem_tui.config.locate import shortened
from zsmem_tui.core.layout import group_word, only_instructions
from zsmem_tui.core.pattern import Pattern
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service.session import EVERYBODY, Session

_FILE: Final = Pattern(r"“[^”]*”|(?<![\w/.~-])(?:[^\s/:“”'\"()]+/)+[^/\n]*?\.md(?!\w)")
"""A relative path of a memory file within a sentence; not one that starts at the root or the home folder. Or text of a file."""


def name_of(ref: MemRef) -> str:
    """The name of a file in the tree."""
    match ref.role:
        case Role.FACTS | None:
            return visible_line(printable_path(ref.path.rpartition("/")[2]))
        case Role.CHECKLIST:
            return "scratchpad"
        case _:
            return visible_line(printable_path(ref.name or ref.path.rpartition("/")[2]))


def kind_of(ref: MemRef) -> str:
    """The word before the name of a log or a note; empty for other files."""
    return {Role.LOG: "log ", Role.NOTE: "note "}.get(ref.role, "") if ref.role else ""


def for_all(ref: MemRef, session: Session) -> str:
    """The words behind the name of instructions that stand among an agent's memory; empty for other files."""
    is_for_all = ref.role is Role.INSTRUCTIONS and not (ref.project or only_instructions(session.layout))
    return f" for all {group_word(session.layout)}s" if is_for_all else ""


def in_prompt_of(ref: MemRef, session: Session) -> str:
    """Whose prompts have a file that is in every one of them: those of all projects, or of its own."""
    is_shared = ref.project in ("", EVERYBODY)
    whose = f"every {group_word(session.layout)}" if is_shared else visible_line(session.group_name(ref.project))
    return f"in the prompt of {whose}"


def title_of(ref: MemRef, session: Session) -> str:
    """A file's title with the name of its group, or with its folder for instructions and in a store about another folder.

    A file that the layout has no place for is named by its path: another may have its name.
    """
    is_unplaced = ref == MemRef(ref.path)
    group = session.layout.group_of(ref.path) if is_unplaced else ref.project
    if group or not only_instructions(session.layout):
        where = session.group_name(group) if group else session.whose("") if session.is_elsewhere else ""
    else:
        where = printable_path(shortened(session.root))
    inside = ref.path.removeprefix(f"{session.layout.home_of(group)}/") if group else ref.path
    name = visible_line(printable_path(inside)) if is_unplaced else f"{kind_of(ref)}{name_of(ref)}{for_all(ref, session)}"
    return f"{visible_line(where)} · {name}" if where else name


def place_of(ref: MemRef, session: Session) -> str:
    """A file's path in its store; from the home folder on for instructions, as every folder has some of the same name."""
    return printable_path(shortened(session.path(ref)) if ref.role is Role.INSTRUCTIONS else ref.path)


def in_words(words: str, sessions: Sequence[Session], has: Callable[[Session, MemRef], bool] = lambda session, ref: False) -> str:
    """Replace paths of files in a sentence by titles: those of the first session that `has` the file, else of the first.

    What stands between “ and ” is text of a file, and stays as it is there.
    """

    def title(found: re.Match[str]) -> str:
        if found[0].startswith("“"):
            return found[0]
        refs = ((session, session.ref_at(found[0])) for session in sessions)
        of_groups = [(session, ref) for session, ref in refs if ref.project]
        known = (each for each in of_groups if has(*each))
        return next((title_of(ref, session) for session, ref in (*known, *of_groups)), found[0])

    return _FILE.sub(title, words) if "/" in words else words
