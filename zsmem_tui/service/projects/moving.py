"""Verbs that reorganize projects: move, merge, follow, archive and label. Each is one step that can be undone."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

from zsmem_tui.config import locate
from zsmem_tui.core.diff import keep_both
from zsmem_tui.core.errors import BadName, BadTarget, MemError, Missing, StoreError, WriteFailed
from zsmem_tui.core.layout import Layout, find_ref, is_named_after_folder
from zsmem_tui.core.merge import Merged
from zsmem_tui.core.merge import merge as merged
from zsmem_tui.core.names import project_name
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.project_folders import State
from zsmem_tui.core.project_merge import Home, homes_of, merged_lines, merged_log, moved_path, relation
from zsmem_tui.core.refs import Role
from zsmem_tui.core.slug_hash import parts
from zsmem_tui.core.suggest import did_you_mean
from zsmem_tui.core.text import counted, grouped, one_line, printable_path
from zsmem_tui.service import applying
from zsmem_tui.service.plan import Applied, Draft, Edit, Fate, Plan, Row
from zsmem_tui.service.projects import carried
from zsmem_tui.service.projects.known import KnownProject, group_called, known_projects
from zsmem_tui.service.projects.own import folder_slug, group_maker, has_folders, of_folders
from zsmem_tui.service.results import says_undo
from zsmem_tui.service.session import Session
from zsmem_tui.store import project_register
from zsmem_tui.store.disk import files, folders
from zsmem_tui.store.disk.tree import DiskTree
from zsmem_tui.store.scan import project_slugs
from zsmem_tui.store.step_record import Moved
from zsmem_tui.store.transfer import archives

LONGEST_LABEL = 100
"""The most characters of a project's label."""

_ROUNDS: Final = 6
"""How many times files written meanwhile are moved too. Only a process that writes without pause needs them all."""

_FAILED: Final = "Nothing was moved."
_OURS: Final = ".zsmem-"
"""Part of the names of our own temporary files."""

_SAID: Final = {Fate.MERGED: "merged", Fate.ONCE: "there already", Fate.BESIDE: "kept beside another of its name"}
"""Words for the fates of files that did not simply move."""

TRANSCRIPT: Final = ".jsonl"
"""The suffix of the agents' session transcripts."""


class Way(NamedTuple):
    """The memory of the group `source`, to be moved to the group `target`."""

    source: str
    target: str
    folder: str = ""
    """The folder of the target, if it is known."""


def target_of(session: Session, word: str) -> tuple[str, str]:
    """The (slug, folder) that a word means: a project of the store, a possible one, or a folder that exists or has memory here.

    Raises `BadName` for a word that is neither, `BadTarget` for a folder if the store has no memory by folder.
    """
    known = project_slugs(session.root, session.layout)
    if word in known:
        return word, ""
    if "/" in word or word.startswith(("~", "$HOME", ".")) or os.path.isdir(word):
        folder = locate.absolute(word)
        slug = folder_slug(session, folder)
        if slug not in known and not os.path.isdir(folder):
            shown = printable_path(folder)
            raise BadName(f"There is no folder {shown}, nor memory of one. Nothing was done.", "Make the folder first.")
        return slug, folder
    if (called := group_called(session, word)) != word:
        return called, ""
    is_free = is_named_after_folder(session.layout, word) and session.layout.home_of(word)  # the group of some folder
    if parts(word) is None if session.is_default else not is_free:
        meant = did_you_mean(word, project_slugs(session.root, session.layout))
        raise BadName(
            f"{printable_path(word)} is no project and no folder.{meant} Nothing was done.",
            "Name a folder, or a project as it is listed.",
        )
    return project_name(word), ""


def plan(session: Session, ways: Sequence[Way], label: str = "") -> Plan:
    """Plan moving the memory of these groups: byte for byte to paths that are free, merged into files that exist.

    Raises `Missing`, `BadName`, `BadTarget`, or `StoreError` for what cannot be read or is no ordinary file.
    """
    _check(session, ways)
    homes = [Home(session.layout.home_of(way.source), session.layout.home_of(way.target)) for way in ways]
    planned = _plan_moves(session, homes, {})
    counts = [(sum(row.fate is fate for row in planned.rows), said) for fate, said in _SAID.items()]
    more = [f"{count:,} {said}" for count, said in counts if count]
    done = f"{label}: {', '.join([counted(len(planned.rows), 'file'), *more])}."
    notes = tuple(left_beside(session, ways))
    return replace(
        planned,
        label=label,
        done=done,
        unchanged=done,
        notes=notes,
        read=tuple(ways),
        follow=partial(_move_late_files, session, homes, ways, notes),
    )


def move(session: Session, slug: str, to: str) -> Plan:
    """Plan moving the memory of `slug` to that of a folder or slug; if that has memory, the two are merged.

    Raises what `plan` raises.
    """
    target, folder = target_of(session, to)
    way = Way(slug, target, folder)
    return plan(session, [way], f"Moved {_display_name(session, slug)} to {_display_name(session, target, folder)}")


def merge(session: Session, slugs: Sequence[str], into: str) -> Plan:
    """Plan merging the memory of all these into that of a folder or slug. Raises what `plan` raises."""
    target, folder = target_of(session, into)
    ways = [Way(slug, target, folder) for slug in dict.fromkeys(slugs)]
    names = ", ".join(_display_name(session, way.source) for way in ways)
    return plan(session, ways, f"Merged {names} into {_display_name(session, target, folder)}")


def follow(session: Session, slugs: Sequence[str] | None = None, beside: Sequence[Session] = ()) -> Plan:
    """Plan moving every memory whose folder has certainly moved to the new folder, in all these stores as one step.

    With `slugs`, only these of `session`, including uncertain ones since a person chose them; from the stores in `beside` their
    memory of the same folders. Raises what `plan` raises.
    """
    known = {each: known_projects(each).projects for each in dict.fromkeys((session, *beside))}
    wanted = [each for each in known[session] if each.slug in slugs] if slugs is not None else []
    if slugs is None:
        wanted = [each for own in known.values() for each in own if each.verdict.state is State.MOVED]
    went = {each.verdict.folder: each.verdict.moved_to for each in wanted if each.verdict.moved_to}
    notes: list[str] = []
    parts = [(each, _ways_along(each, own, went, notes)) for each, own in known.items()]
    parts = [(each, ways) for each, ways in parts if ways]
    if not parts:
        return Plan("", "", unchanged=" ".join(["No project's folder is known to have moved.", *notes]))
    (first, ways), count = parts[0], sum(len(ways) for _, ways in parts)
    names = _display_name(first, ways[0].source), _display_name(first, ways[0].target, ways[0].folder)
    label = f"Followed {names[0]} to {names[1]}" if count == 1 else f"Followed {count:,} projects"
    if len(went) == 1 and count > 1:
        [(old, new)] = went.items()
        titles = [each.layout.title for each, _ in parts]
        where = " and ".join(titles) if len(titles) < 3 else f"{len(titles)} memories"
        label = f"Followed {_shown(old)} to {_shown(new)} in {where}"
    return _together([plan(each, ways, label) for each, ways in parts], notes)


def _ways_along(session: Session, known: Iterable[KnownProject], went: Mapping[str, str], notes: list[str]) -> list[Way]:
    """The moves that follow folders that `went` elsewhere (old to new); `notes` gets the reasons why something stays."""
    ways, group_of = [], group_maker(session)
    own = {each.slug: each for each in known}
    for old, new in went.items():
        slug = next((each.slug for each in own.values() if each.verdict.folder == old), group_of(old))
        if slug not in own or own[slug].verdict.state is State.HERE:
            continue
        if target := group_of(new):
            ways.append(Way(slug, target, new))
        else:
            stays = f"What {session.layout.title} keeps of {_shown(old)} stays"
            notes.append(f"{stays}: it does not list {_shown(new)} yet. Start it there once, then that can follow.")
    return ways


def also_of(session: Session, known: Iterable[KnownProject], beside: Iterable[Session]) -> list[str]:
    """Say which other agents have memory of folders that moved or may have moved: one sentence per folder."""
    went = {each.verdict.folder: each.verdict.moved_to for each in known if each.verdict.moved_to}
    ways = ((each, way) for each in (beside if went else ()) for way in _ways_along(each, known_projects(each).projects, went, []))
    others = grouped((way.folder, each.layout.title) for each, way in ways)
    said = []
    for old, new in went.items():
        if titles := others.get(new):
            verb = "has" if len(titles) == 1 else "have"
            said.append(f"{' and '.join(titles)} {verb} memory of {_shown(old)}, too: following takes it along.")
    return said


def _together(plans: Sequence[Plan], notes: Sequence[str]) -> Plan:
    """Combine plans for several stores into one step."""
    first = plans[0]
    homes = [home for each in plans for home in homes_of(each.relation)]
    ends = [each.follow for each in plans if each.follow is not None]
    files = counted(sum(len(each.rows) for each in plans), "file")
    said = first.done if len(plans) == 1 else f"{first.label}: {files}."

    def follow(done: Applied) -> Applied:
        for each in ends:
            done = each(done)
        return replace(done, message=" ".join([done.message, *notes]))

    return replace(
        first,
        done=said,
        unchanged=said,
        edits=tuple(edit for each in plans for edit in each.edits),
        rows=tuple(row for each in plans for row in each.rows),
        notes=(*(note for each in plans for note in each.notes), *notes),
        read=tuple(way for each in plans for way in each.read),
        relation=relation(homes),
        moved={session: moved for each in plans for session, moved in each.moved.items()},
        follow=follow,
    )


def _move_late_files(session: Session, homes: Sequence[Home], ways: Sequence[Way], notes: Sequence[str], done: Applied) -> Applied:
    """Move what an agent still writes into the old place meanwhile, several times; what comes after that is reported."""
    gone, is_lasting = _moved_files(done.plan, session), done.lasting
    with contextlib.suppress(MemError):  # what cannot be moved any more stays, and is reported
        for _ in range(_ROUNDS):
            if not _files_to_move(session, homes):
                break
            again = replace(_plan_moves(session, homes, gone), label=done.plan.label)
            gone |= _moved_files(again, session)
            is_lasting = applying.apply(again, step=done.step).lasting and is_lasting
    said = [*notes, *([] if is_lasting else ["Somebody keeps writing over it: look again whether it lasts."])]
    try:
        carried.remember(session, ways)
        for way in ways:
            if way.folder and way.source == session.project and not _files_to_move(session, homes):
                session.project, session.folder = way.target, way.folder  # the current folder belongs to this group now
    except MemError as error:
        said.append(error.message)
    return _with_late_files(done, _files_to_move(session, homes), max(1, len(done.plan.rows)), said, warning=not is_lasting)


def _with_late_files(
    done: Applied, stays: Iterable[str], changed: int, said: Iterable[str] = (), *, warning: bool = False
) -> Applied:
    """The result of a step, with the files that were written meanwhile."""
    there = (*done.stays, *stays)
    more = [f"Written meanwhile, and so still there: {', '.join(map(printable_path, there))}."] if there else []
    message = " ".join([done.message, *more, *said])
    return replace(done, message=message, changed=changed, warning=done.warning or warning or bool(there), stays=there)


def _moved_files(plan: Plan, session: Session) -> dict[str, tuple[str, bytes]]:
    """For each moved file, by its old path: the new path and the content it had."""
    texts = {(edit.session, edit.ref.path): edit.before or b"" for edit in plan.edits if edit.is_left}
    return {row.source: (row.ref.path, texts[row.store, row.source]) for row in plan.rows if row.store is session}


def _plan_moves(session: Session, homes: Sequence[Home], gone: Mapping[str, tuple[str, bytes]]) -> Plan:
    """Plan where every file goes; it is written there before it is deleted here. `gone` are files moved by an earlier round."""
    draft, rows, losses = Draft(), list[Row](), list[Edit]()
    made: dict[str, None] = {}
    for path in _files_to_move(session, homes):
        place = os.path.join(session.root, path)
        raw, mark = files.read(place)
        if path in gone:
            to, base = gone[path]
            fate, change = Fate.MERGED, partial(_merge_late, base, raw)
            draft.put(session, to, change(draft.now(session, to)), change)
        else:
            to, fate, text = _find_target(session, draft, moved_path(homes, path), raw)
            if fate is not Fate.ONCE:
                when = None if fate is Fate.MERGED else mark.mtime_ns
                rewrite = partial(_merged_onto, session.layout, to, raw)
                draft.put(session, to, text, rewrite, modified=when, mode=folders.mode_of(place))
            if fate is Fate.BESIDE:  # index entries are by name, and the name belongs to the other file
                for beside, rewritten in session.layout.lists.companions(DiskTree(session.root), None, to, raw).items():
                    now = draft.now(session, beside)
                    draft.put(session, beside, rewritten(now) or now, rewritten)
        ref = session.ref_at(to)
        rows.append(Row(path, session.path(ref), fate, key=path, ref=ref, store=session, file=session.ref_at(path)))
        losses.append(Edit(session, rows[-1].file, raw, None, is_left=True))
        made |= dict.fromkeys(_missing(session.root, os.path.dirname(to)))
    removed = [path for home in homes for path in _folders(session, home.source)]
    paths = {**{path: to for path, (to, _) in gone.items()}, **{row.source: row.ref.path for row in rows}}
    return Plan(
        "",
        "",
        (*draft.edits(), *losses),
        nothing=_FAILED,
        rows=tuple(rows),
        target=session,
        relation=relation(homes),
        moved={session: Moved(tuple(made), tuple(removed), paths)},
    )


def _merge_late(base: bytes, mine: bytes, now: bytes | None) -> bytes:
    """Merge changes made after a file was moved into the file at its new path."""
    if now is None:
        return mine
    found = merged(base, mine, now)
    return found.text if isinstance(found, Merged) else keep_both(now, mine)


def _merged_onto(layout: Layout, to: str, raw: bytes, now: bytes | None) -> bytes:
    """The content at the new path after adding `raw` to whatever is there."""
    return raw if now is None else _merged_by_role(layout, to, now, raw) or keep_both(now, raw)


def _find_target(session: Session, draft: Draft, to: str, raw: bytes) -> tuple[str, Fate, bytes]:
    """The path for a text that should go to `to`, its fate, and the content of the file there."""
    stem, ending = os.path.splitext(to)
    for number in range(1, 10_000):
        free = to if number == 1 else f"{stem}-{number}{ending}"
        now = draft.now(session, free)
        if now is None:
            return free, Fate.MOVED if number == 1 else Fate.BESIDE, raw
        if now == raw:
            return free, Fate.ONCE, now
        if number == 1 and (both := _merged_by_role(session.layout, free, now, raw)) is not None:
            return free, Fate.ONCE if both == now else Fate.MERGED, both
    raise WriteFailed(to, f"{printable_path(to)} is taken ten thousand times. {_FAILED}")


def _merged_by_role(layout: Layout, path: str, mine: bytes, theirs: bytes) -> bytes | None:
    """Merge two texts if the role of the file allows it; None if both have to be kept."""
    ref = find_ref(layout, path)
    if ref is not None and ref.role in (Role.CHECKLIST, Role.INDEX, Role.FACTS):
        return merged_lines(mine, theirs)
    return merged_log(mine, theirs) if ref is not None and ref.role is Role.LOG else None


def _files_to_move(session: Session, homes: Sequence[Home]) -> list[str]:
    """The files that are to move. Raises `WriteFailed` if something cannot be listed or is no ordinary file."""
    found = []
    for home in homes:
        inside = _inside(session, home.source)
        for path in inside.others:
            whole = os.path.join(session.root, home.source, path)
            if os.path.lexists(whole):
                said = f"{printable_path(whole)} is a link, or no ordinary file. {_FAILED}"
                raise WriteFailed(whole, said, "Take it away first.")
        found += [f"{home.source}/{path}" for path in inside.files if _OURS not in os.path.basename(path)]
    return found


def _folders(session: Session, home: str) -> list[str]:
    if not os.path.isdir(os.path.join(session.root, home)):
        return []
    return [home, *(f"{home}/{path}" for path in _inside(session, home).folders)]


def _inside(session: Session, home: str) -> folders.Inside:
    try:
        return folders.inside(os.path.join(session.root, home))
    except OSError as error:
        place = error.filename or os.path.join(session.root, home)
        raise WriteFailed(place, f"{printable_path(place)}: {error.strerror}. {_FAILED}") from error


def _missing(root: str, folder: str) -> Iterator[str]:
    """The folders above a file that do not exist yet, deepest first."""
    while folder and not os.path.isdir(os.path.join(root, folder)):
        yield folder
        folder = os.path.dirname(folder)


def left_beside(session: Session, ways: Iterable[Way]) -> list[str]:
    """Sentences about what the agent keeps next to the memory of these groups and in its settings, which does not move."""
    said: list[str] = []
    records = project_register.load(session.root).records
    place, settings = _settings_of_folders(session)
    for way in ways:
        home = session.layout.home_of(way.source)
        beside = os.path.join(session.root, os.path.dirname(home))
        if os.path.basename(beside) == way.source.partition(":")[2]:
            names = [name for name in files.list_all(beside) if name != os.path.basename(home)]
            transcripts = sum(name.endswith(TRANSCRIPT) for name in names)
            others = len(names) - transcripts
            counts = [counted(transcripts, "transcript")] if transcripts else []
            counts += [f"{others} {'entry' if others == 1 else 'entries'} of other kinds"] if others else []
            if counts:
                verb = "stays" if len(names) == 1 else "stay"
                said.append(f"{' and '.join(counts)} {verb} in {_shown(beside)}.")
        folders = records[way.source].folders if way.source in records else ()
        own = [folder for folder in folders if json.dumps(folder).encode() in settings] if settings else []
        said += [f"What {_shown(place)} has set for {_shown(folder)} stays there." for folder in own]
    return said


def archive(session: Session, *slugs: str) -> Plan:
    """Plan archiving projects: they go into a bundle in the state folder. `import bundle` or undo brings them back.

    Raises `Missing`, `BadTarget` or `StoreError`.
    """
    names = list(dict.fromkeys(slugs))
    _check(session, [Way(slug, "") for slug in names])
    homes = {slug: session.layout.home_of(slug) for slug in names}
    inside = {slug: _files_to_move(session, [Home(home, "")]) for slug, home in homes.items()}
    if empty := next((slug for slug, its in inside.items() if not its), ""):
        raise BadTarget(f"{printable_path(empty)} has no files. {archives.NOTHING}")
    paths = [path for its in inside.values() for path in its]
    label = f"Archived {_display_name(session, names[0])}" if len(names) == 1 else f"Archived {counted(len(names), 'project')}"
    verdicts = {each.slug: each.verdict for each in known_projects(session).projects}
    known = {slug: verdicts[slug].folder for slug in names if slug in verdicts and verdicts[slug].folder}
    place = archives.new_place(session.root)
    refs = map(session.ref_at, paths)

    def gone(keys: Collection[str]) -> Iterator[Edit]:
        for path, raw in archives.texts(place, session.root, paths, session.layout):
            yield Edit(session, session.ref_at(path), raw, None, is_left=True)

    def follow(done: Applied) -> Applied:
        return _with_late_files(done, (path for path in paths if os.path.lexists(os.path.join(session.root, path))), len(paths))

    return Plan(
        label,
        f"{label}: {counted(len(paths), 'file')} in {printable_path(place)}.",
        nothing=archives.NOTHING,
        rows=tuple(Row(ref.path, place, Fate.MOVED, key=ref.path, store=session, file=ref) for ref in refs),
        unchanged=f"{label}: {counted(len(paths), 'file')}.",
        target=session,
        moved={session: Moved(removed=tuple(path for home in homes.values() for path in _folders(session, home)))},
        later=gone,
        within=lambda _: archives.bundled(place, session.root, paths, known, session.layout),
        follow=follow,
    )


@says_undo
def label(session: Session, slug: str, text: str) -> VerbResult:
    """Set the label of a project; an empty text removes it. The folder and the memory stay as they are.

    Raises `Missing`, `BadName` for a text that is too long, `WriteFailed`.
    """
    _check(session, [Way(slug, "")])
    name = one_line(text)
    if len(name) > LONGEST_LABEL:
        raise BadName(f"A name may have {LONGEST_LABEL} characters. Nothing was changed.")
    try:
        name.encode()
    except UnicodeEncodeError:
        raise BadName("A name has to be text. Nothing was changed.") from None
    known = known_projects(session).of(slug)
    before = known.record.label if known is not None else ""
    shown = printable_path(slug)
    if name == before:
        return VerbResult(f"{shown} is called that already." if name else f"{shown} has no name of yours.")
    words = f"Named {slug} “{name}”" if name else f"Took the name of {slug} away"
    if not session.dry_run:
        recorder = session.recorder(words, relation=project_register.label_relation(slug, before, name))
        carried.set_label(session, slug, name)
        recorder.record_step_end()
    return VerbResult(f"{printable_path(words)}.", 1)


def _check(session: Session, ways: Sequence[Way]) -> None:
    """Raise if a project does not exist, would be moved into itself, or into one that is moved too."""
    session.require_store()
    if not has_folders(session):
        raise BadTarget(f"{session.layout.title} does not name its memory after folders. Nothing was done.")
    there = set(project_slugs(session.root, session.layout))
    sources = {way.source for way in ways}
    for way in ways:
        shown = printable_path(way.source)
        if way.source not in there:
            meant = did_you_mean(way.source, there)
            raise Missing(session.root, f"There is no project {shown}.{meant} Nothing was done.", "`zsmem projects` lists them.")
        named = list(filter(None, (way.source, way.target)))
        for group in named:
            if group not in of_folders(session, named):
                raise BadTarget(f"{printable_path(group)} is not the memory of a folder. Nothing was done.")
        if way.source == way.target:
            raise BadTarget(f"{shown} is there already: a project cannot go into itself. Nothing was done.")
        if way.target in sources:
            raise BadTarget(f"{printable_path(way.target)} goes elsewhere itself. Nothing was done.", "Do one after the other.")


def _display_name(session: Session, slug: str, folder: str = "") -> str:
    """The name of a project in a sentence: its slug; for stores whose slug is a path, its folder, or else where its memory lies."""
    if session.is_default:
        return slug
    if not folder:
        record = project_register.load(session.root).records.get(slug)
        folder = record.folders[0] if record is not None and len(record.folders) == 1 else ""
    return locate.shortened(folder or os.path.join(session.root, session.layout.home_of(slug)))


def _settings_of_folders(session: Session) -> tuple[str, bytes]:
    """The file with the agent's settings for single folders, and its text; empty if it has none."""
    from zsmem_tui.service.stores import kind_of  # deferred: loads the rules of every agent

    place = "" if session.is_default else kind_of(session.layout.kind).folder_settings(session.root)
    with contextlib.suppress(StoreError):
        return place, (files.read_if_there(place) if place else None) or b""
    return "", b""


def _shown(path: str) -> str:
    return printable_path(locate.shortened(path))
