"""The data of `/memory status`, and the list of projects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from zsmem_tui.core.catalog import ProjectEntry
from zsmem_tui.core.checklist import count_open
from zsmem_tui.core.daily import entry_count
from zsmem_tui.core.errors import HistoryError
from zsmem_tui.core.layout import Layout, has_main_file, items_apart, main_file
from zsmem_tui.core.notice import Notice, NoticeKind, over_limit
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.service.browsing import OpenFile, open_file
from zsmem_tui.service.session import Session
from zsmem_tui.store.disk import files
from zsmem_tui.store.scan import entries, scan

if TYPE_CHECKING:
    from zsmem_tui.core.preview import Preview
    from zsmem_tui.service.losses import Dropped

_ROLES: Final = (Role.FACTS, Role.CHECKLIST, Role.LOG)
"""The roles that the status covers, in order."""


class Status(NamedTuple):
    """Sizes and counts of one project. None: there is no such file; -1: agents cannot read it.

    `absent` are roles that this kind of store never has; without a checklist, the open items are those of all files. `files` and
    `bytes` cover the project and shared files. `main` is the role of the file whose size comes first: the one in every prompt.
    """

    long_term_bytes: int | None
    open_items: int | None
    today_entries: int | None
    absent: tuple[Role, ...] = ()
    files: int = 0
    bytes: int = 0
    main: Role = Role.FACTS


def status(session: Session) -> Status:
    """The state of long-term memory, scratchpad and today's log (specification, section 13)."""
    layout, project = session.layout, session.project
    long_term = main_file(layout, project) if has_main_file(layout, project) else None
    entry = files.entry(session.root, long_term) if long_term is not None else None
    size = None if entry is None or not entry.fingerprint else entry.size
    scratchpad = layout.ref(Role.CHECKLIST, project)
    today = layout.ref(Role.LOG, project, session.clock().date().isoformat())
    folders = (*layout.global_folders(), *layout.project_folders(project))
    found = [entry for each in (session, *session.beside) for folder in folders for entry in entries(each.root, folder)]
    return Status(
        -1 if entry is not None and size is None and not entry.missing else size,
        _count(open_file(session, scratchpad), count_open) if scratchpad else _open_anywhere(session),
        _count(open_file(session, today), entry_count) if today else None,
        tuple(role for role, ref in zip(_ROLES, (long_term, scratchpad, today), strict=True) if ref is None),
        len(found),
        sum(entry.size for entry in found),
        Role.FACTS if long_term is None or long_term.role is None else long_term.role,
    )


def _open_anywhere(session: Session) -> int | None:
    """How many items are open in all files of a memory without checklists and in the instructions of its prompt, as in Triage."""
    if items_apart(session.layout):
        return None
    from zsmem_tui.service import prompts, tasks  # deferred: every agent's rules, only needed without a checklist

    count = sum(sum(tasks.open_by_file(each, each.project).values()) for each in (session, *session.beside))
    return count + sum(tasks.open_in(each, paths) for each, paths in prompts.stores_told(session))


def lost_lately(session: Session) -> list[Dropped]:
    """What another program's write dropped (`losses.dropped`); immediate if nothing was written here recently."""
    from zsmem_tui.store.write_path.lost_updates import home_of  # deferred; a status bar asks often

    if not files.list_all(home_of(session.root)):
        return []
    from zsmem_tui.service.losses import dropped  # deferred: the write path

    return dropped(session)


def describe(found: Status, layout: Layout) -> str:
    """The text of `/memory status`; for another agent's store, also the total size."""
    size = "(not created)" if found.long_term_bytes is None else f"{found.long_term_bytes}B"
    size = "exists (unreadable)" if found.long_term_bytes == -1 else size
    items = _words(found.open_items, "open item(s)", "(empty)")
    entries = _words(found.today_entries, "entry(s)", "(no entries)")
    says = [
        f"({layout.title} has none)" if role in found.absent else text
        for role, text in zip(_ROLES, (size, items, entries), strict=True)
    ]
    told = f"memory status:\n  {layout.label(found.main)}: {says[0]}\n  scratchpad: {says[1]}\n  today: {says[2]}"
    return told if layout.has_profiles else f"{told}\n  in all: {counted(found.files, 'file')}, {found.bytes}B"


def left_out(session: Session) -> tuple[Notice, ...]:
    """A notice if the agent leaves all of long-term memory out of its prompt: it is too large, or cannot be read."""
    ref = session.layout.ref(Role.FACTS, session.project)
    if ref is None:
        return ()
    file, shown = open_file(session, ref), printable_path(session.path(ref))
    if file.undecodable:
        return (Notice(NoticeKind.NOT_UTF8, shown),)
    if file.problem and not file.missing:
        return (Notice(NoticeKind.UNREADABLE, shown, text=file.problem),)
    return over_limit(shown, len(file.raw), session.layout.inject_limit(Role.FACTS))


def to_review(session: Session) -> int:
    """How many files of the folder others changed, as far as recorded; 0 if the history is unavailable."""
    if not files.list_all(session.history.home):
        return 0  # there is no history yet, and a shell's prompt should not create one
    from zsmem_tui.service import today  # deferred: every agent's rules, only needed with a history

    try:
        return len(today.unseen(session)[1])
    except HistoryError:
        return 0


def what_is_gone(session: Session) -> str:
    """A sentence that all files of this memory vanished (`reviewing.what_is_gone`); empty if they did not."""
    if files.list_all(session.root) or not files.list_all(session.history.home):
        return ""
    from zsmem_tui.service import reviewing  # deferred: the history, only needed if there are no files

    return reviewing.what_is_gone(session)


def errors_known(session: Session) -> int:
    """How many errors of the folder are known from earlier checks (`today.errors_known`)."""
    from zsmem_tui.store import known_errors  # deferred: `json`, not needed for the first frame

    if not known_errors.waiting(session.root):
        return 0
    from zsmem_tui.service import today  # deferred: every agent's rules, only needed with errors

    return sum(today.errors_known(session).values())


def line(found: Status, seen: Preview, waiting: int = 0, errors: int = 0) -> str:
    """All non-zero facts on one line, for a shell's prompt or a status bar; empty for an empty memory.

    `waiting` counts files changed by others, `errors` known errors of the doctor.
    """
    left = [f"! {printable_path(use.path)} lost" for use in seen.uses if use.state.is_left_out]
    lost = "".join(f", {each}" for each in (*left, *([seen.loss()] if seen.lost else ())))
    whole = f"the room for {seen.of}" if seen.of else "the prompt"
    full = f"{full_percent(seen)} % of {whole}{lost}" if seen.cap and seen.needed else lost.removeprefix(", ")
    open_ones = f"{found.open_items} open" if (found.open_items or 0) > 0 else ""
    new = f"{waiting} to review" if waiting else ""
    wrong = counted(errors, "error") if errors else ""
    return ", ".join(part for part in (full, open_ones, new, wrong) if part)


def full_percent(seen: Preview) -> int:
    """How full the prompt is before it is cut, in whole percent as on the screen; more than 100 is too much."""
    if not seen.cap or not seen.needed:
        return 0
    return max(100 * seen.needed // seen.cap, 101 if seen.needed > seen.cap else 1)


def projects(session: Session, folders: Mapping[str, str] | None = None) -> list[ProjectEntry]:
    """Every project of the store by name, with as many open items as Triage shows for it.

    Those are the items of its checklist, or without checklists of any of its files and of what all share, and those of the
    instructions in its prompt. `folders` are the known folders of projects.
    """
    from zsmem_tui.service import prompts, tasks  # deferred: every agent's rules, not needed for a status

    found = list(scan(session.root, session.layout).projects)
    if items_apart(session.layout):
        found = [with_open_items(session, project) for project in found]
    else:
        own = Counter(task.project for task in tasks.task_list(session).tasks if task.is_open)
        groups = {each.slug: tasks.groups_in(session, each.slug) for each in found}
        found = [each._replace(open_items=sum(own[group] for group in groups[each.slug])) for each in found]
    of_folders: dict[tuple[str, frozenset[str]], int] = {}  # a folder above may be in the prompt of many projects
    out: list[ProjectEntry] = []
    for project in found:
        told = prompts.told_beside(session, project.slug, (folders or {}).get(project.slug, "")).items()
        for each in told - of_folders.keys():
            of_folders[each] = tasks.open_in(prompts.told_session(session, each[0]), each[1])
        out.append(project._replace(open_items=(project.open_items or 0) + sum(of_folders[each] for each in told)))
    return out


def with_open_items(session: Session, project: ProjectEntry) -> ProjectEntry:
    """`project` with the open items of its scratchpad; 0 if there is none or agents cannot read it."""
    pads = [open_file(session, entry.ref) for entry in project.of(Role.CHECKLIST)]
    count = sum(count_open(pad.text) for pad in pads if not pad.problem)
    return project._replace(open_items=count)


def _count(file: OpenFile, count: Callable[[str], int]) -> int | None:
    if file.missing:
        return None
    return -1 if file.problem else count(file.text)


def _words(count: int | None, noun: str, nothing: str) -> str:
    if count is None:
        return nothing
    return "exists (unreadable)" if count < 0 else f"{count} {noun}"
