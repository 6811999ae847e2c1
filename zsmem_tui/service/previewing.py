"""What goes into the prompt, what is lost, and what agents keep silent about (specification, sections 8 and 15)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from zsmem_tui.core.checklist import hidden_items
from zsmem_tui.core.constants import EXTENSION, LONG_TERM_INJECT_LIMIT
from zsmem_tui.core.context import CLOSING, Sources
from zsmem_tui.core.daily import is_log_name
from zsmem_tui.core.errors import BadName, StoreError
from zsmem_tui.core.preview import InBlock, Preview, State, Use, explain, lines_in_block
from zsmem_tui.core.profile import Profile
from zsmem_tui.core.refs import MemRef, WriteTarget
from zsmem_tui.core.text import lines, plural, printable_path, trim, words
from zsmem_tui.service.browsing import open_file
from zsmem_tui.service.session import Session
from zsmem_tui.store.disk import files

if TYPE_CHECKING:
    from zsmem_tui.store.mem import Mem

CONTEXT_FILES: Final = ("AGENTS.md", "CLAUDE.md", "ARCHITECTURE.md")
"""Files of a folder and of those above it that the agent puts into every prompt beside the memory."""

CONTEXT_BYTES: Final = 524_288
"""Bytes after which the agent looks into no further folder for them."""

SHORTEST_COPY: Final = 12
"""Characters of a line that count as text that stands in two places."""

_NOTHING: Final[Mapping[str, str]] = MappingProxyType({})


class Subject(NamedTuple):
    """Whose prompt: a project, a day (empty: today) and the agent's profile."""

    project: str
    day: str
    profile: Profile


class _MadeOf(NamedTuple):
    """What a block is made of; `oversized` is the text of a `MEMORY.md` that is left out for its size."""

    sources: Sources
    paths: Mapping[str, str]
    profile: Profile
    cap: int
    oversized: str | None


class Cost(NamedTuple):
    """What the memory of one project costs a session: bytes and tokens of its block, its sections, and how many lines are lost."""

    project: str
    size: int
    tokens: int
    sections: tuple[Use, ...]
    lost: int


def subject(session: Session) -> Subject:
    """What the session is about."""
    return Subject(session.project, "", session.profile)


def preview(session: Session, about: Subject | None = None, *, unsaved: Mapping[str, str] = _NOTHING) -> Preview:
    """The block as the agent gets it, line by line; `unsaved` has texts that stand for files, by relative path."""
    made = _made_of(session, about or subject(session), unsaved)
    return explain(made.sources, made.paths, made.profile, made.cap, oversized=made.oversized)


def in_block(
    session: Session, about: Subject | None = None, *, unsaved: Mapping[str, str] = _NOTHING, without: str = ""
) -> dict[str, InBlock]:
    """Which lines of each file but `without` are in that same block, by path; a file that agents do not inject is not there."""
    made = _made_of(session, about or subject(session), unsaved)
    return lines_in_block(made.sources, made.paths, made.profile, made.cap, oversized=made.oversized, without=without)


def warnings(session: Session, about: Subject | None = None, seen: Preview | None = None) -> list[str]:
    """Sentences about what the agent leaves out, or takes in, without a word; `seen` is the preview, when it is known already."""
    about = about or subject(session)
    seen = seen or preview(session, about)
    mem = _mem(session, about)
    refs = [mem.ref(WriteTarget.LONG_TERM), mem.ref(WriteTarget.SCRATCHPAD)]
    refs += [mem.ref(WriteTarget.DAILY, day) for day in dict.fromkeys((mem.yesterday, mem.today)) if day]
    found: list[str] = []
    for ref in refs:
        found += _about_file(session, ref)
    return found + _future_logs(session, mem) + _headroom(seen) + _twice(session, about, seen)


def costs(session: Session, projects: list[str]) -> list[Cost]:
    """What each project's memory costs a session, the dearest first."""
    found = []
    for project in projects:
        try:
            seen = preview(session, Subject(project, "", session.profile))
        except BadName:
            continue  # no session can be of a project of that name, so none pays for it
        found.append(Cost(project, seen.size, seen.tokens, seen.uses, len(seen.lost)))
    return sorted(found, key=lambda cost: (-cost.size, cost.project))


def _made_of(session: Session, about: Subject, unsaved: Mapping[str, str]) -> _MadeOf:
    mem = _mem(session, about)
    sources = mem.sources(unsaved)
    paths = {
        WriteTarget.LONG_TERM.value: _ref(mem, WriteTarget.LONG_TERM),
        WriteTarget.SCRATCHPAD.value: _ref(mem, WriteTarget.SCRATCHPAD),
    }
    paths |= {day: _ref(mem, WriteTarget.DAILY, day) for day, _ in sources.logs}
    oversized = None
    if sources.long_term is None:
        path = paths[WriteTarget.LONG_TERM]
        oversized = unsaved.get(path) if path in unsaved else files.text_or_none(os.path.join(session.root, path))
    return _MadeOf(sources, paths, mem.profile, mem.inject_cap, oversized)


def _mem(session: Session, about: Subject) -> Mem:
    return session.mem(about.project, day=about.day, profile=about.profile)


def _ref(mem: Mem, target: WriteTarget, day: str = "") -> str:
    return mem.ref(target, day).path


def _about_file(session: Session, ref: MemRef) -> Iterator[str]:
    file = open_file(session, ref)
    shown = printable_path(file.path)
    if file.missing:
        return
    if file.undecodable:
        yield f"{shown} is not valid UTF-8: agents cannot read it, and leave it out."
    elif file.problem:
        yield f"{file.problem}: it is left out."
    elif ref.target is WriteTarget.LONG_TERM and len(file.raw) > LONG_TERM_INJECT_LIMIT:
        yield f"{shown} has {len(file.raw)} bytes: agents leave it out when it is over {LONG_TERM_INJECT_LIMIT}."
    elif CLOSING.strip("\n") in file.text:
        yield f"{shown} holds {CLOSING.strip(chr(10))}, which ends the block early."
    if ref.target is WriteTarget.SCRATCHPAD and (hidden := hidden_items(file.text)):
        first = f"line {hidden[0][0] + 1}: {trim(hidden[0][1])[:60]}"
        count = f"{len(hidden)} checklist {plural('line', len(hidden))}"
        verb = "is" if len(hidden) == 1 else "are"
        yield f"{count} of {shown} {verb} not seen by the agent, because only `- [ ]` and `* [ ]` are ({first})."


def _future_logs(session: Session, mem: Mem) -> list[str]:
    folder = next(folder for folder in session.layout.project_folders(mem.project) if folder.dated)
    names = files.list_names(f"{session.root}/{folder.path}")
    later = sorted(name for name in names if is_log_name(name) and name.removesuffix(EXTENSION) > mem.today)
    return [f"The log {printable_path(name)} is dated in the future: the released agent takes it for the newest." for name in later]


def _headroom(seen: Preview) -> list[str]:
    """How much is lost, or which section falls next."""
    skipped = sum(use.total for use in seen.uses if use.state is State.SKIPPED)
    lost = len(seen.lost) - skipped
    if lost:
        first = seen.lost[0]
        over = f"{seen.needed - seen.cap} bytes over the cap of {seen.cap}"
        line = f"{printable_path(first.path)} line {first.line + 1}"
        return [
            f"{lost} {plural('line', lost)} {'is' if lost == 1 else 'are'} not whole in the prompt: {over}. The first is {line}."
        ]
    if seen.uses and seen.cap and seen.needed * 10 > seen.cap * 9:
        last = [use for use in seen.uses if use.state is State.WHOLE][-1]
        return [f"Only {seen.cap - seen.needed} bytes are left. {last.title} falls next."]
    return []


def _twice(session: Session, about: Subject, seen: Preview) -> list[str]:
    """Memory that also stands in files which are in every prompt anyway, and what they take."""
    if about.project != session.project or not session.folder:
        return []
    mine: dict[str, str] = {}
    for row in seen.rows:
        if row.text and row.path and len(key := _key(row.text)) >= SHORTEST_COPY:
            mine.setdefault(key, row.text)
    found: list[str] = []
    total = 0
    for place, text in context_files(session):
        total += len(text.encode())
        twice = [mine[key] for line in lines(text) if (key := _key(line)) in mine]
        if twice:
            verb = "stands" if len(twice) == 1 else "stand"
            first = trim(twice[0])[:60]
            found.append(
                f"{len(twice)} {plural('line', len(twice))} of the memory also {verb} in {printable_path(place)}, and "
                f"{'is' if len(twice) == 1 else 'are'} paid for twice: {first}"
            )
    if total:
        found.append(
            f"AGENTS.md, CLAUDE.md and ARCHITECTURE.md add {total} bytes: with memory, {total + seen.size} bytes in every prompt."
        )
    return found


def context_files(session: Session) -> Iterator[tuple[str, str]]:
    """The other files that the agent puts into every prompt of the session's folder, with their texts.

    The global AGENTS.md beside the store, then those of the folder and of the folders above it, the nearest first.
    """
    shared = os.path.join(os.path.dirname(session.root), CONTEXT_FILES[0])
    places = [shared]
    folder = session.folder
    while folder:
        places += [os.path.join(folder, name) for name in CONTEXT_FILES]
        above = os.path.dirname(folder)
        folder = "" if above == folder else above
    total = 0
    at = shared
    for place in places:
        if os.path.dirname(place) != os.path.dirname(at) and total >= CONTEXT_BYTES:
            return
        at = place
        try:
            text = files.read_text(place)
        except StoreError:
            continue
        if trim(text):
            total += len(text.encode())
            yield place, text


def _key(line: str) -> str:
    """What a line says, whatever its bullet and blanks."""
    found = words(line)
    while found and found[0] in ("-", "*", "+", "[", "]", "[x]", "[ ]"):
        found = found[1:]
    return " ".join(found)
