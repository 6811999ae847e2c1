"""What of each line of one file is in the prompt: the one block's answer (`service.previewing`), line by line."""

from __future__ import annotations

from collections.abc import Sequence

from zsmem_tui.core.errors import BadName
from zsmem_tui.core.fact_prompt import lost_facts
from zsmem_tui.core.preview import InBlock, Loss, Prompt, prompt_of_line
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import lines, trim
from zsmem_tui.service import previewing
from zsmem_tui.service.browsing import OpenFile
from zsmem_tui.service.session import Session


def loss_of(file: OpenFile, found: Sequence[Prompt | None]) -> Loss:
    """What of a file is lost to the agent, given what of its lines is in the prompt (`prompt_lines`)."""
    lost, cut, whole = (
        frozenset(number for number, each in enumerate(found) if each is which) for which in (Prompt.LOST, Prompt.CUT, Prompt.WHOLE)
    )
    if not lost | cut:
        return Loss(0, 0)
    return Loss(lost_facts(file.text, InBlock("", whole, cut, lost)), len(lost | cut))


def prompt_lines(session: Session, file: OpenFile) -> tuple[Prompt | None, ...]:
    """What of each line of a file is in the prompt; None for a blank one. Empty when agents put nothing of the file there.

    It is the prompt of the session's project for files that all projects share, else of the file's own.
    """
    if file.ref.role in (None, Role.NOTE) or file.missing:
        return ()
    about = previewing.subject(session)._replace(project=file.ref.project or session.project)
    unsaved = {} if file.problem else {file.ref.path: file.text}
    try:
        seen = previewing.in_block(session, about, unsaved=unsaved).get(file.ref.path)
    except BadName:
        return ()  # no session can be of a project of that name, so it has no prompt
    if seen is None:
        return ()
    return tuple(prompt_of_line(number, seen) if trim(line) else None for number, line in enumerate(lines(file.text)))
