"""Shell completion: the words that may follow on a command line, from a store and this machine.

All of it only reads.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from zsmem_tui.config import locate
from zsmem_tui.core.catalog import FileEntry
from zsmem_tui.core.moments import to_the_minute
from zsmem_tui.core.refs import Role, WriteTarget
from zsmem_tui.core.text import clipped, lines, printable_path
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service.session import EVERYBODY, Session
from zsmem_tui.store.disk.listing import first_name
from zsmem_tui.store.scan import entries, project_slugs

_MOST_VERSIONS: Final = 100
"""How many of the latest versions are offered."""

_ABOUT_WIDTH: Final = 60
"""The most characters of a description."""

_NOTE: Final = f"{WriteTarget.NOTE}:"
_DAY: Final = f"{WriteTarget.DAILY}:"

_SINGLE: Final = {
    Role.FACTS: (WriteTarget.LONG_TERM, "what is always in the prompt"),
    Role.CHECKLIST: (WriteTarget.SCRATCHPAD, "open items of the project"),
    Role.LOG: (WriteTarget.DAILY, "today's log"),
}


_MOST_NAMES: Final = 5_000
"""The most names of a folder that are looked at."""


class Word(NamedTuple):
    """A possible word with a description; a word that ends in a colon is the start of a longer one."""

    text: str
    about: str = ""


def path_from(start: str) -> str:
    """The first path that begins with `start`, a folder's with a slash; empty if there is none, or its last name has not begun."""
    folder, _, begun = start.rpartition("/")
    if not begun or not start.startswith(("/", "~/")):
        return ""
    name = first_name(locate.expanded(f"{folder}/"), begun, _MOST_NAMES)
    return f"{folder}/{name}" if name else ""


def targets(session: Session) -> Iterator[Word]:
    """The project's files as verbs name them: `long_term`, `note:NAME`, `daily:DATE`; paths in a store named by the user."""
    if session.store and not session.is_default:
        home = session.layout.home_of(session.project)
        paths = (each.ref.path for each in _files(session) if each.ref.path.isprintable())
        yield from (Word(path.removeprefix(f"{home}/") if home else path) for path in paths)
        return
    yield from (Word(target, about) for target, about in _SINGLE.values())
    found = _files(session)
    notes = sorted(each.ref.name for each in found if each.ref.role is Role.NOTE)
    yield from (Word(f"{_NOTE}{name}", "note") for name in notes if name.isprintable())
    days = sorted((each.ref.name for each in found if each.ref.role is Role.LOG), reverse=True)
    yield from (Word(f"{_DAY}{day}", "log") for day in days if day.isprintable())
    yield Word(_NOTE, "a note by its name")


def names(session: Session) -> Iterator[Word]:
    """Names of notes and days, for verbs whose target is a separate word."""
    for word in targets(session):
        _, colon, name = word.text.partition(":")
        if colon and name:
            yield Word(name, word.about)


def projects(session: Session) -> Iterator[Word]:
    """The slugs of all projects, or the groups of another agent's store."""
    for slug in project_slugs(session.root, session.layout):
        if slug.isprintable():
            yield Word(slug, "" if slug == EVERYBODY else session.group_name(slug))


def stores(session: Session) -> Iterator[Word]:
    """The kinds of stores, and the stores in the settings."""
    from zsmem_tui.service.stores import kinds  # deferred: every agent's rules

    known = kinds()
    yield from map(Word, known)
    yield from (Word(entry, "in your settings") for entry in session.config.stores if entry not in known)


def facts(session: Session) -> Iterator[Word]:
    """Facts of the project as `FILE:LINE`."""
    from zsmem_tui.service.facts.rows import FactReader, Scope  # deferred: the facts

    for row in FactReader(session).read(Scope.PROJECT).rows:
        yield Word(f"{printable_path(row.ref.path)}:{row.fact.line + 1}", _short(row.fact.says))


def fitting(session: Session) -> Iterator[Word]:
    """The moves that `fit` proposes."""
    from zsmem_tui.service.fit import describe, propose  # deferred, as above

    yield from (Word(printable_path(each.id), _short(describe(each))) for each in propose(session).fit.moves)


def items(session: Session) -> Iterator[Word]:
    """The ids of the project's scratchpad items."""
    from zsmem_tui.service.tasks import task_list  # deferred: scratchpads

    yield from (Word(each.id, _short(each.item.text)) for each in task_list(session, [session.project]).tasks)


def versions(session: Session) -> Iterator[Word]:
    """The ids of the latest versions."""
    from zsmem_tui.service.history import latest  # deferred, as above

    for each in latest(session, _MOST_VERSIONS):
        when = to_the_minute(each.when)
        yield Word(each.id, f"{when} {printable_path(each.path)}")


def reviews(session: Session) -> Iterator[Word]:
    """The ids of what waits for review."""
    from zsmem_tui.service.review_lines import listed  # deferred, as above

    for each in listed(session):
        yield Word(each.id, printable_path(each.change.ref.path))


def formats(session: Session) -> Iterator[Word]:
    """The formats of other memories."""
    from zsmem_tui.service import formats as known  # deferred: every agent's rules

    yield from map(Word, known.names())


def agents(session: Session) -> Iterator[Word]:
    """The agents that can be connected."""
    from zsmem_tui.service.connecting import agents as known  # deferred: every agent's settings

    yield from (Word(each.name) for each in known(session))


def _files(session: Session) -> list[FileEntry]:
    """The shared files and those of the session's project."""
    folders = (*session.layout.global_folders(), *session.layout.project_folders(session.project))
    return [entry for folder in folders for entry in entries(session.root, folder)]


def _short(text: str) -> str:
    first = next(iter(lines(text)), "")
    return visible_line(clipped(first, _ABOUT_WIDTH))
