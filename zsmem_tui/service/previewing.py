"""The preview of the prompt: what goes in, what is cut, and what agents do silently (specification, sections 8 and 15)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from zsmem_tui.config.locate import shortened
from zsmem_tui.core.checklist import hidden_items
from zsmem_tui.core.context import Block, Moment, Reader
from zsmem_tui.core.daily import day_before, is_log_name
from zsmem_tui.core.errors import MemError
from zsmem_tui.core.hazards import ends_block
from zsmem_tui.core.layout import is_unread, only_instructions
from zsmem_tui.core.limits import BACKUP_SUFFIX, EXTENSION
from zsmem_tui.core.names import daily_stem, project_name
from zsmem_tui.core.notice import Notice, NoticeKind, over_limit
from zsmem_tui.core.pattern import Pattern
from zsmem_tui.core.preview import InBlock, Loss, Preview, Prompt, State, Told, Use, explain, lines_in_block, prompt_of_line
from zsmem_tui.core.profile import Profile
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.text import counted, grouped, lines, printable_path, raw_lines, trim
from zsmem_tui.service import searching
from zsmem_tui.service.browsing import OpenFile, open_file
from zsmem_tui.service.session import Session
from zsmem_tui.store import scan
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.tree import DISK, DiskTree
from zsmem_tui.store.reader import StoreReader

if TYPE_CHECKING:
    from zsmem_tui.core.past import Point


CONTEXT_BYTES: Final = 524_288
"""The total size in bytes after which the agent looks into no further folder for context files."""

QUOTED: Final = 60
"""The most characters of a line that a finding quotes."""

_PLACEHOLDER: Final = Pattern(r"\{[A-Z_]{4,}(?::\w+)?\}")
"""What stands in a prompt for a sentence of the agent's own, such as `{INSTRUCTIONS}`."""

UNREAD: Final = "no agent reads this file"
"""Why the facts of a file are lost that lies where the agent does not look."""

_NOTHING: Final[Mapping[str, str]] = MappingProxyType({})


class Subject(NamedTuple):
    """Whose prompt: project, day (empty: today) and the agent's profile; `at` is a past moment, which replaces the day."""

    project: str
    day: str
    profile: Profile
    at: Point | None = None


@dataclass(frozen=True, slots=True)
class Cost:
    """What a project's memory costs per session: bytes and tokens of the block, its sections, and what is cut."""

    project: str
    size: int
    tokens: int
    sections: tuple[Use, ...]
    lost: Loss


def subject(session: Session, project: str = "") -> Subject:
    """A project (default: the session's own), today."""
    return Subject(project or session.project, "", session.profile)


def preview(session: Session, about: Subject | None = None, *, unsaved: Mapping[str, str] = _NOTHING) -> Preview:
    """The block as the agent gets it, line by line; `unsaved` has texts to use instead of files, by relative path."""
    block, skipped, reader = composed(session, about or subject(session), unsaved)
    seen = explain(block, skipped)._replace(is_of_each=only_instructions(session.layout))
    if not seen.lost:
        return seen
    from zsmem_tui.core.fact_prompt import lost_facts  # deferred: the rules of facts, not needed for a complete prompt

    there = lines_in_block(block, skipped)
    paths = [path for path in dict.fromkeys(each.path for each in seen.lost) if path in there]
    return seen._replace(lost_facts=tuple((path, lost_facts(_text(reader, path) or "", there[path])) for path in paths))


def lost_lines(session: Session, ref: MemRef, now: bytes | None = None) -> int:
    """How many lines are cut from the prompt that a file is in, with `now` as its content if given; 0 if it is in none."""
    if ref.role in (None, Role.NOTE):
        return 0
    about = subject(session, ref.project)
    return preview(session, about, unsaved={} if now is None else {ref.path: now.decode("utf-8", "replace")}).loss().lines


def by_other_version(session: Session, about: Subject, seen: Preview) -> str:
    """A clause about how many other lines another version of the agent would load; empty if none. `seen` is for `about`."""
    if not session.layout.has_profiles:
        return ""
    other = next(each for each in Profile if each is not about.profile)
    mine, others = _loaded(seen), _loaded(preview(session, about._replace(profile=other)))
    if mine == others:
        return ""
    name = "The documented version" if other is Profile.DOCUMENTED else f"Version {other.rpartition('-')[2]}"
    more, less = len(others - mine), len(mine - others)
    parts = [f"loads {counted(more, 'other line')}"] if more else []
    parts += [f"leaves out {less} of these"] if less else []
    return f"{name} {' and '.join(parts)}"


def has_traces_of_1_7(session: Session, about: Subject) -> bool:
    """Whether version 1.7, unlike the profile of `about`, has written here: only it leaves backups."""
    places = [session.layout.ref(role, about.project) for role in (Role.FACTS, Role.CHECKLIST)]
    backups = [os.path.join(session.root, os.path.splitext(ref.path)[0] + BACKUP_SUFFIX) for ref in places if ref is not None]
    return about.profile is Profile.DOCUMENTED and any(map(os.path.lexists, backups))


def _loaded(seen: Preview) -> set[tuple[str, int]]:
    """The (path, line) of each line that is complete in a prompt."""
    return {(row.path, row.line) for row in seen.rows if row.path and not row.lost and trim(row.text)}


def in_block(
    session: Session, about: Subject | None = None, *, unsaved: Mapping[str, str] = _NOTHING, without: str = ""
) -> dict[str, InBlock]:
    """Which lines of each file except `without` are in the block, by path; files that agents do not inject are missing."""
    block, skipped, reader = composed(session, about or subject(session), unsaved)
    found = lines_in_block(block, skipped, without=without)
    for path, own in session.layout.always(reader).items():
        if path != without:
            found.setdefault(path, InBlock("", own, frozenset()))
    return found


def own_instructions(session: Session, unsaved: Mapping[str, str] = _NOTHING) -> Iterator[tuple[str, str]]:
    """The store's own instruction files, which are in every prompt besides the block, with other lines blanked."""
    reader = StoreReader(session.root, unsaved)
    for path, numbers in session.layout.always(reader).items():
        every = raw_lines(reader.text(path) or "")[: max(numbers, default=-1) + 1]
        yield path, "\n".join(line if number in numbers else "" for number, line in enumerate(every))


def findings(session: Session, about: Subject | None = None, seen: Preview | None = None) -> list[Notice]:
    """Notices about what the agent leaves out or takes in silently; `seen` is the preview, if known."""
    about = about or subject(session)
    seen = seen or preview(session, about)
    if about.at is not None:
        return _about_past(session, about) + _headroom(seen)
    mem = session.mem(about.project, day=about.day, profile=about.profile)
    layout, project = session.layout, mem.project
    refs = [layout.ref(Role.FACTS, project), layout.ref(Role.CHECKLIST, project)]
    refs += [layout.ref(Role.LOG, project, day) for day in dict.fromkeys((mem.yesterday, mem.today)) if day]
    found: list[Notice] = []
    for ref in refs:
        found += _about_file(session, ref) if ref else ()
    found += _listed(session, project)
    folders = [folder for folder in layout.project_folders(project) if folder.dated]
    names = [name for folder in folders for name in files.list_names(f"{session.root}/{folder.path}")]
    later = sorted(name for name in names if is_log_name(name) and name.removesuffix(EXTENSION) > mem.today)
    found += [*(Notice(NoticeKind.FUTURE_LOG, printable_path(name)) for name in later), *_headroom(seen)]
    own = (each[0] for row in seen.rows if not row.path for each in _PLACEHOLDER.finditer(row.text))
    if words := ", ".join(dict.fromkeys(own)):
        found.append(Notice(NoticeKind.OWN_WORDS, text=words))
    return [*found, *_repeated(session, about, seen)]


def cost(session: Session, about: Subject) -> Cost:
    """What one prompt costs a session. Raises `BadName` for an impossible project name."""
    seen = preview(session, about)
    return Cost(about.project, seen.size, seen.tokens, seen.uses, seen.loss())


def composed(session: Session, about: Subject, unsaved: Mapping[str, str] = _NOTHING) -> tuple[Block, dict[str, str], StoreReader]:
    """The block, the texts of files left out as a whole, and the reader that was used."""
    session.store_problem()
    reader = StoreReader(session.root, unsaved)  # follows links out of the store where the agent does: the prompt is exact
    if about.at is None:
        block = session.layout.block(reader, moment_of(session, about))
    else:
        cap = session.config.inject_cap
        block, reader = session.past.block(about.at, project_name(about.project), Profile(about.profile), cap)
    texts = {each.path: _text(reader, each.path) for each in block.skipped}
    return block, {path: text for path, text in texts.items() if text is not None}, reader


def _text(reader: Reader, path: str) -> str | None:
    """The text of a file that is there, with its bytes that are not UTF-8 replaced; None if it cannot be read."""
    text = reader.text(path)
    if text is None:
        with suppress(MemError):
            text = reader.tree().read(path).decode("utf-8", "replace")
    return text


def _listed(session: Session, project: str) -> list[Notice]:
    """Notices about a project's index, without what is ignored in the Doctor."""
    layout, tree = session.layout, DiskTree(session.root)
    found = [each for each in layout.lists.findings(tree, project) if each.kind is not NoticeKind.LOST_LINES]
    if not found:
        return found
    from zsmem_tui.service.dead_ends import ignored_in  # deferred: the rules of the Doctor, not needed for most prompts

    gone = ignored_in(session, layout.checks.faults(tree, project))
    hidden = {(printable_path(path), line, text) for path, line, text in gone}
    return [each for each in found if (each.place, max(each.line, 1), each.text) not in hidden]


def _ignored_imports(session: Session, place: str) -> set[tuple[int, str]]:
    """The lines (0-based) and paths of the imports of an instruction file that are ignored in the Doctor."""
    from zsmem_tui.service import dead_ends, instructions  # deferred, as above

    found: set[tuple[int, str]] = set()
    for store, paths in instructions.among([place]).items():
        told = instructions.open_folder(session.config, store.partition(":")[2])
        every = (fault for path in paths for fault in dead_ends.in_instructions(told, told.ref_at(path)))
        found |= {(line - 1, text) for _, line, text in dead_ends.ignored_in(told, every)}
    return found


def _about_past(session: Session, about: Subject) -> list[Notice]:
    """Notices about what the history does not know of a past moment, and the nearest moments it knows completely."""
    from zsmem_tui.core.moments import clock_time  # deferred: loads the history
    from zsmem_tui.store.history.past import PastReader  # deferred, as above

    _, _, reader = composed(session, about)
    assert about.at is not None and isinstance(reader, PastReader)
    found = [
        Notice(NoticeKind.DROPPED, printable_path(each.path), text=f"{clock_time(each.since)} to {clock_time(each.until)}")
        if each.dropped
        else Notice(NoticeKind.BEFORE_FIRST_LOOK, printable_path(each.path), text=clock_time(each.until))
        for each in reader.doubts()
    ]
    if found:
        whole = reader.timeline.whole_around(list(reader.used), about.at)
        found.append(Notice(NoticeKind.WHOLE_AT, text=" and ".join(map(clock_time, whole))))
    return found + [Notice(NoticeKind.TOO_LARGE_THEN, printable_path(path), count=size) for path, size in reader.not_kept.items()]


def moment_of(session: Session, about: Subject) -> Moment:
    """The project and days for the layout, without opening the memory for writing. Raises `BadName`."""
    today = daily_stem(about.day) if about.day else session.clock().date().isoformat()
    return Moment(project_name(about.project), today, day_before(today), Profile(about.profile), session.config.inject_cap)


def _about_file(session: Session, ref: MemRef) -> Iterator[Notice]:
    file = open_file(session, ref)
    limit = session.layout.inject_limit(ref.role) if ref.role else None
    shown = printable_path(file.path)
    if file.missing:
        return
    if file.undecodable:
        yield Notice(NoticeKind.NOT_UTF8, shown)
    elif file.problem:
        yield Notice(NoticeKind.UNREADABLE, shown, text=file.problem)
    elif over := over_limit(shown, len(file.raw), limit):
        yield from over
    else:
        yield from ends_block(file.text, shown, end) if (end := session.layout.block_end) else ()
    if ref.role is Role.CHECKLIST and (hidden := hidden_items(file.text)):
        number, line = hidden[0]
        yield Notice(NoticeKind.HIDDEN_ITEMS, shown, number + 1, trim(line)[:QUOTED], len(hidden))


def _headroom(seen: Preview) -> list[Notice]:
    """A notice about how much is cut, or about the section that will be cut next."""
    skipped = {use.path: use.total for use in seen.uses if use.state is State.SKIPPED}
    lost = len(seen.lost) - sum(skipped.values())
    if lost:
        facts = sum(count for path, count in seen.lost_facts if path not in skipped)
        first = seen.lost[0]
        too_many = f"{seen.needed - seen.cap:,} {seen.unit} over the cap of {seen.cap:,}"
        over = too_many if seen.needed > seen.cap and not first.reason else first.reason
        return [Notice(NoticeKind.LOST_LINES, printable_path(first.path), first.line + 1, over, lost, seen.cap, facts)]
    if not seen.rule and seen.uses and seen.cap and seen.needed * 10 > seen.cap * 9:
        last = [use for use in seen.uses if use.state is State.WHOLE][-1]
        return [Notice(NoticeKind.HEADROOM, text=last.title, count=seen.cap - seen.needed, limit=seen.cap)]
    return []


def _repeated(session: Session, about: Subject, seen: Preview) -> list[Notice]:
    """Notices about instruction files: dead imports, what memory repeats of them (by the doctor's keys), and their total size."""
    from zsmem_tui.core.checks.duplicates import keys_of  # deferred: takes as long to load as the block

    if about.project != session.project or not session.folder:
        return []
    mine = [row.text for row in seen.rows if row.text and row.path]
    own = [(row, keys_of(row).keys()) for row in dict.fromkeys(mine)]
    found: list[Notice] = []
    total, there = 0, set()
    for place, text, dead in instructions_beside(session, session.folder):
        shown, hidden = printable_path(shortened(place)), _ignored_imports(session, place) if dead else ()
        found += (Notice(NoticeKind.DEAD_IMPORT, shown, each[0] + 1, each[1]) for each in dead if each not in hidden)
        total += len(text.encode())
        there.add(os.path.basename(place))
        told = keys_of(text)
        both = [row for row, keys in own if not keys.isdisjoint(told)]
        if both:
            said = trim(both[0])[:QUOTED].removesuffix(".")
            found.append(Notice(NoticeKind.TWICE, printable_path(place), text=said, count=len(both)))
    if total and not only_instructions(session.layout):  # of these, each agent reads its own
        named = [name for name in session.layout.context_files if name in there]
        *most, last = named or (f"{session.layout.title}'s instruction files",)
        names = f"{', '.join(most)} and {last}" if most else last
        found.append(Notice(NoticeKind.CONTEXT_SIZE, text=names, count=total, limit=total + seen.size))
    return found


def loaded_orders(session: Session, folder: str) -> tuple[tuple[str, str], ...]:
    """The instruction files in every prompt of a folder, with lines that are not in the prompt blanked.

    Files of the store have relative paths, others absolute ones; the latter come first, if the folder is known.
    """
    own = ((path, text) for path, text in own_instructions(session) if text)
    return (*(context_files(session, folder) if folder else ()), *own)


def instructions_beside(session: Session, folder: str) -> tuple[Told, ...]:
    """The instruction files in every prompt of a folder, with absolute paths."""
    found = ((os.path.join(session.root, path), text) for path, text in loaded_orders(session, folder))
    return tuple(Told(path, text, session.layout.dead_imports(path, text, os.path.lexists)) for path, text in found)


def with_apart(session: Session, about: Subject, seen: Preview) -> Preview:
    """A preview with the files of a group and those for all of which nothing is in a prompt. Slow: it lists folders."""
    layout = session.layout
    loaded = {use.path for use in seen.uses} | {told.path for told in seen.beside}
    folders = (*layout.global_folders(), *layout.project_folders(about.project))
    every = (entry for folder in folders for entry in scan.entries(session.root, folder) if not entry.missing)
    found = [each for each in every if loaded.isdisjoint((each.ref.path, os.path.join(session.root, each.ref.path)))]
    broken = searching.unreadable(session, folders) if found else {}
    ways = ("unread" if is_unread(layout, each.ref) else "unreadable" if each.ref.path in broken else "apart" for each in found)
    by_way = grouped(zip(ways, found, strict=True))
    apart, unread, unreadable = (tuple(by_way.get(way, ())) for way in ("apart", "unread", "unreadable"))
    return seen._replace(apart=apart, unread=unread, unreadable=unreadable)


def with_instructions(session: Session, seen: Preview) -> Preview:
    """A preview of the session's own prompt with the instruction files beside the block. Slow: it reads folders."""
    return seen._replace(beside=instructions_beside(session, session.folder))


def context_files(session: Session, folder: str = "") -> Iterator[tuple[str, str]]:
    """The context files that the agent adds to every prompt of a folder (default: the session's), with their texts.

    First the global one next to the store, then those of the folder and its parents, nearest first.
    """
    folder = folder or session.folder
    names = session.layout.context_files
    if not names:
        if folder:
            yield from session.layout.told_in(folder, DISK)
        return
    shared = os.path.join(os.path.dirname(session.root), names[0])
    places = [shared]
    while folder:
        places += [os.path.join(folder, name) for name in names]
        above = os.path.dirname(folder)
        folder = "" if above == folder else above
    total = 0
    at = shared
    for place in places:
        if os.path.dirname(place) != os.path.dirname(at) and total >= CONTEXT_BYTES:
            return
        at = place
        text = files.text_or_none(place)
        if text and trim(text):
            total += len(text.encode())
            yield place, text


def unseen(session: Session, ref: MemRef) -> Prompt:
    """The state of the lines of a file that is in no prompt: lost if it lies where the agent does not look."""
    return Prompt.LOST if is_unread(session.layout, ref) else Prompt.NEVER


def loss_of(file: OpenFile, found: Sequence[Prompt | None]) -> Loss:
    """How much of a file is cut from the prompt, given the state of its lines (`prompt_lines`)."""
    lost, cut, whole = (
        frozenset(number for number, each in enumerate(found) if each is which) for which in (Prompt.LOST, Prompt.CUT, Prompt.WHOLE)
    )
    if not lost | cut:
        return Loss(0, 0)
    from zsmem_tui.core.fact_prompt import lost_facts  # deferred, as above

    return Loss(lost_facts(file.text, InBlock("", whole, cut, lost)), len(lost | cut))


def prompt_lines(session: Session, file: OpenFile) -> tuple[Prompt | None, ...]:
    """How each line of a file appears in the prompt; None for a blank one. Empty if agents do not inject the file.

    A shared file is looked up in the prompt of the session's project, others in that of their own project.
    """
    if file.ref.role in (None, Role.NOTE) or file.missing:
        is_lost = not file.missing and unseen(session, file.ref) is Prompt.LOST
        return tuple(Prompt.LOST if trim(line) else None for line in lines(file.text)) if is_lost else ()
    about = subject(session, file.ref.project)
    unsaved = {} if file.problem else {file.ref.path: file.text}
    seen = in_block(session, about, unsaved=unsaved).get(file.ref.path)
    if seen is None:
        return ()
    return tuple(prompt_of_line(number, seen) if trim(line) else None for number, line in enumerate(lines(file.text)))
