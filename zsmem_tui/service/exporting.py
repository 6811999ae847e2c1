"""Plan an export into another agent's store or a plain folder. Files there that are not ours are left as they are.

The rows are planned one after the other; each sees the files as the earlier ones leave them. The step is recorded in the history of
both stores.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from zsmem_tui.agents.format import Format
from zsmem_tui.agents.outgoing import Ours, Outgoing, Whole, mark_of, newer, stands
from zsmem_tui.core.diff import keep_both
from zsmem_tui.core.errors import BadContent, MemError
from zsmem_tui.core.frontmatter import Carried
from zsmem_tui.core.globs import Globs
from zsmem_tui.core.growth import extends
from zsmem_tui.core.import_item import file_of
from zsmem_tui.core.index_file import NO_LISTS
from zsmem_tui.core.layout import find_ref, foreign_problem, only_instructions
from zsmem_tui.core.merge import merged_into
from zsmem_tui.core.notice import Notice
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import common_ends, counted, grouped, one_line, printable_path
from zsmem_tui.core.tree import Tree
from zsmem_tui.service import outgoing_secrets
from zsmem_tui.service.export_sources import as_text, broken_links, left_said, lines_left, ours_of, stem_at
from zsmem_tui.service.export_targets import NOTHING, Target, Targets, goal_of, joined, open_targets
from zsmem_tui.service.formats import title_of
from zsmem_tui.service.plan import IS_THERE, YOU_LEFT_IT, Draft, Edit, Fate, Gate, Handling, Plan, Policy, Row
from zsmem_tui.service.previewing import preview
from zsmem_tui.service.session import Session
from zsmem_tui.service.way_back import NOTHING_KNOWN, Known, Notes, notes_there, outgoing
from zsmem_tui.store import interrupted
from zsmem_tui.store.disk.files import digest_of
from zsmem_tui.store.reader import StoreReader
from zsmem_tui.store.transfer import records
from zsmem_tui.store.transfer.records import Imported, Original, Part, Records, Written


def plan(
    session: Session,
    format: Format,
    path: str = "",
    *,
    group: str = "",
    user: str = "",
    also: Globs = "",
    in_prompt: Globs = "",
    without: Collection[str] = (),
    secrets: Handling = Handling.STOP,
    again: Plan | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Plan:
    """Plan the export of the session's project and the shared facts to another agent's memory.

    `path` is where that memory is (default: the agent's place for this folder), `group` and `user` say whose it is there; if a
    group is needed and cannot be determined, all items are skipped. Sources matching `also` are taken although they stay by
    default; those matching `in_prompt` go where the agent reads them on every turn. `without` are keys of rows to leave out,
    `secrets` says how to treat credentials, and `again` is an earlier plan whose parsed input is reused. Raises `BadTarget`,
    `BadContent`, `ConfigError` or `StoreError`.
    """
    ours, left, there = (*ours_of(session, also), dict[Any, Any]()) if again is None else again.read
    known = Known(tuple(records.imported(session.root).values()), tuple(records.originals(session.root)))
    if format.name == session.layout.kind:
        known = known._replace(files=(*known.files, *_as_they_are(session, ours, format.recorded_as)))
    exports = Exports(session, format, path, group, user, secrets=secrets, there=there, cancelled=cancelled)
    exports.add(session, ours, os.path.realpath(session.root), known, also=also, in_prompt=in_prompt, without=without)
    return exports.plan(left, (ours, left, there))


def _as_they_are(session: Session, ours: Ours, format: str) -> Iterator[Original]:
    """The files of the store as originals, so that a store of the same kind gets them byte for byte.

    An index that leaves some of them out goes like any other: what the agent is told of there, it is told of here.
    """
    raws = {each.source: each.text.encode("utf-8", "surrogateescape") for each in ours.whole}
    pieces = (Part(source, text) for held in ours.held() for source, text in held.parts if source in raws)
    every = grouped((piece.path, piece) for piece in pieces)
    for source, parts in every.items():
        is_index = session.ref_at(source).role is Role.INDEX
        follows = tuple(each for each in every if is_index and each != source)
        yield Original(format, source, digest_of(raws[source]), raws[source], tuple(parts), follows)


_BOTH: Final = "what changed here since both were the same"
_CHANGED_THERE: Final = "only there has it changed since both were the same"


class Exports:
    """Collects the texts to be exported to one agent, of one project or of several folders in turn.

    `is_store` says that the path is that of an open store, not of a folder that somebody named. `there` holds what was read at the
    target, for further plans of the same texts: what changes there meanwhile is found when the file itself is looked at.
    """

    def __init__(
        self,
        session: Session,
        format: Format,
        path: str,
        group: str,
        user: str,
        *,
        policy: Policy = Policy.SKIP,
        secrets: Handling = Handling.STOP,
        draft: Draft | None = None,
        is_store: bool = False,
        there: dict[Any, Any] | None = None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> None:
        self.rows: list[Row] = []
        self.beside: dict[str, Edit] = {}
        self._session = session
        self._writer = format
        self._where, self._is_store = (path, group, user), is_store
        self._policy, self._secrets, self._cancelled = policy, secrets, cancelled
        self._draft = draft or Draft()
        self._there = {} if there is None else there
        self._written: dict[str, list[Written]] = {}
        self._whole: list[Whole] = []
        self._brought: dict[tuple[str, str], str] = {}
        """By file and text, the source that brings that text there."""
        self._described: dict[str, str] = {}
        """By source, the description that is there of it, in its file or an index."""
        self._back: list[Imported] = []
        self._leaks: dict[str, Notice] = {}
        self._noticed: dict[Notice, None] = {}
        self._growths: list[int | None] = []
        self._problems: dict[str, None] = {}

    def add(
        self,
        session: Session,
        ours: Ours,
        origin: str,
        known: Known = NOTHING_KNOWN,
        *,
        also: Globs = "",
        in_prompt: Globs = "",
        without: Collection[str] = (),
        mark: str = "",
        refused: Callable[[Sequence[Edit]], str] = lambda changes: "",
    ) -> None:
        """Place the texts of a session; `origin` is their store. Texts in `known` that came from this format go back unchanged.

        The keys of the rows begin with `mark`. `refused` returns, as a clause, why none of the given edits may be made.
        """
        read, ours = ours, outgoing_secrets.without_secrets(ours) if self._secrets is Handling.MASK else ours
        opened = partial(open_targets, session, self._writer, *self._where, also, in_prompt, is_store=self._is_store)
        targets: Targets = self._once((mark, "targets"), opened)
        interrupted.recover()
        main, before = next(iter(targets.by_spot.values())), self._draft.so_far()
        self._targets, self._mine, self._without = targets.by_spot, (self._writer.recorded_as, origin, session.project), without
        self._own: dict[str, list[Written]] = {}
        self._originals: set[str] = set()
        if main.problem:
            texts, self._problems[main.problem] = ours.every(), None
            rows = [
                Row(each, "", Fate.SKIPPED, main.problem, text, key=f"{mark}{number}", ticked=False)
                for number, (each, text) in enumerate(texts)
            ]
        else:
            trees: dict[str, Tree] = {name: target.tree for name, target in targets.by_spot.items()}
            for name, target in targets.by_spot.items():  # with the files as drafted so far
                if not target.strip and (drafted := self._draft.texts(target.session.root)):
                    trees[name] = StoreReader(target.session.root, drafted).tree()
            out = partial(outgoing, ours, known, self._writer, targets, trees)
            rows = self._place_all(out() if before else self._once((mark, "out", self._secrets is Handling.MASK), out), mark)
        rows += (
            Row(each.source, "", Fate.SKIPPED, each.why, each.text, key=f"{mark}-{at}", ticked=False)
            for at, each in enumerate(read.stays)
        )
        changes = sorted(self._draft.edits(before), key=lambda change: change.ref.path)
        if reason := refused(changes):
            self._draft.go_back(before)
            changes, self._own = [], {}
            gone: dict[str, Any] = {"fate": Fate.SKIPPED, "reason": reason, "losses": (), "warnings": (), "cost": 0}
            gone |= {"ticked": False, "can_be": False}
            rows = [each._replace(**gone) if each.ticked else each for each in rows]
        growth, idle = _growth(changes)
        rows = [each._replace(cost=0) if each.cost and each.place in idle else each for each in rows]
        own = outgoing_secrets.texts_of(read)
        leaks = outgoing_secrets.going_out(changes, own)
        self._leaks |= leaks
        if self._secrets is Handling.MASK:
            sources = (source for each in rows if each.ticked for source in (each.source, *each.also))
            taken = {name for source in sources for name in (source, file_of(source))}
            self._noticed |= dict.fromkeys(outgoing_secrets.in_texts(own, taken, changes))
        self._noticed |= dict.fromkeys(leaks.values())
        self.beside |= {each.place: each for each in _beside(targets, changes)}
        for root, mine in self._own.items():
            self._written.setdefault(root, []).extend(mine)
        self._growths.append(growth)
        self._whole += read.whole
        self.rows += rows

    def plan(self, left: Sequence[str] = (), read: Any = None) -> Plan:
        """The plan for everything added. `left` are sentences about files that could not be read."""
        changes = tuple(sorted(self._draft.edits(), key=lambda change: change.place))
        written = {root: tuple(own) for root, own in self._written.items()}
        whole: Sequence[Whole] = self._whole
        there = [each for each in self.rows if each.ticked or each.fate is Fate.DUPLICATE]
        if self._secrets is Handling.MASK:  # some only become one in the target file, or come from an original
            changes = outgoing_secrets.masked_changes(changes, self._leaks)
            written = outgoing_secrets.masked_records(written, self._leaks)
            whole = [each._replace(text=outgoing_secrets.shown(each.text)) for each in whole]
            there = [each._replace(made=outgoing_secrets.shown(each.made)) for each in there]
        said = [each._replace(made=f"description — {about}") for each in there if (about := self._described.get(each.source))]
        lines = lines_left(whole, [*there, *said])
        gone = {f"{each.source}:{each.number}" for each in lines}
        files = {each.source for each in whole}

        def goes_anyway(each: Row) -> bool:
            file = file_of(each.source)
            return each.fate is Fate.SKIPPED and file != each.source and file in files and each.source not in gone

        rows = tuple(each for each in self.rows if not goes_anyway(each))
        broken = dict.fromkeys(row.reason for row in rows if row.place and row.reason.startswith(f"{printable_path(row.place)}: "))
        doubts = (each for each in self._writer.doubts if any(each in row.warnings for row in there))
        roots = dict.fromkeys(printable_path(change.session.root) for change in changes)
        new = (change.session.root for change in changes if self._where[0] and not os.path.isdir(change.session.root))
        growth = self._growths[0] if len(self._growths) == 1 else None
        return Plan(
            f"Exported to {title_of(self._writer.name)}",
            f"Wrote {counted(len(changes), 'file')} to {', '.join(roots)}.",
            changes,
            nothing=f"{NOTHING}.",
            rows=rows,
            left=(*left, *broken),
            gate=Gate(self._secrets, tuple(self._noticed)),
            warning=any(not each.is_kept for each in lines),
            unchanged=_why_nothing(rows),
            problems=(*self._problems,),
            format=self._writer.name,
            losses=self._writer.out_losses,
            notes=(
                *(f"There is no folder {printable_path(each)} yet: it is made." for each in dict.fromkeys(new)),
                *(f"{printable_path(each)} is written, too, as the agent does in a new folder." for each in self.beside),
            ),
            rest=" ".join([left_said(lines, len(left)), *doubts]) if self._whole or left else "",
            left_lines=lines,
            grows={self._session.project: growth} if growth is not None else {},
            beside=tuple(self.beside.values()),
            marks=self._session,
            within=partial(records.kept, Records(written, root=self._session.root, imported=tuple(self._back))),
            read=read,
        )

    def _once(self, key: Any, read: Callable[[], Any]) -> Any:
        if key not in self._there:
            self._there[key] = read()
        return self._there[key]

    def _place_all(self, out: list[Outgoing], mark: str) -> list[Row]:
        """The row of each text."""
        own = {
            spot: [each for each in records.written(target.session.root) if each.is_whole]
            for spot, target in self._targets.items()
            if not target.problem
        }
        self._texts = {spot: {each.path: each.text for each in every} for spot, every in own.items()}
        self._went = {
            (spot, each.source): each.path
            for spot, every in own.items()
            for each in every
            if (each.format, each.origin, each.project) == self._mine
        }
        self._once_of = Counter((each.spot, each.source) for each in out if each.role is Role.NOTE)
        known = {spot: partial(notes_there, each) for spot, each in self._targets.items() if not each.problem}
        notes = {spot: self._once((mark, "notes", spot), read) for spot, read in known.items()}
        placed = [self._standing(each, self._goal(each), notes) for each in out]
        named = {stem_at(each.source): stem_at(goal) for each, goal in placed if not goal.startswith("?")}
        placed = [(each._replace(losses=(*each.losses, *broken_links(each.text, named))), goal) for each, goal in placed]
        self._shared = Counter((each.spot, goal) for each, goal in placed if not goal.startswith("?"))
        keys = keys_of((each.source, each.text) for each in out)
        return [self._plan_row(each, goal, f"{mark}{key}") for (each, goal), key in zip(placed, keys, strict=True)]

    def _standing(self, each: Outgoing, goal: str, notes: Mapping[str, Notes]) -> tuple[Outgoing, str]:
        """A text and its goal; or the same as one that stands there already, if a note there has that text under another name."""
        target = self._targets[each.spot]
        ref = None if goal.startswith("?") or each.join is not None else find_ref(target.layout, target.path_of(goal))
        is_listed = each.is_original and target.layout.lists is not NO_LISTS  # an index may come that knows it by its name
        if ref is None or ref.role is not Role.NOTE or is_listed:
            return each, goal
        there = notes[each.spot].get((ref.project, target.words(goal, each.text.encode("utf-8", "surrogateescape"))), ())
        return (each, goal) if not there or goal in there else (each._replace(join=stands), there[0])

    def _goal(self, each: Outgoing) -> str:
        """The path relative to the target store; or `?` and the reason why there is none."""
        target = self._targets[each.spot]
        if each.skip or target.problem:
            return f"?{each.skip or target.problem}"
        place = each.path
        if place and (problem := foreign_problem(target.layout, target.path_of(place))):
            return f"?{printable_path(place)}: {problem}"
        if not place:
            assert each.role is not None
            shown = target.session.group_name(target.group)
            found = goal_of(target.session.root, target.layout, each.role, target.group, each.name, shown)
            if isinstance(found, str):
                return f"?{found}"
            place = target.place(found.path)
        own = each.spot, each.source
        went = self._went.get(own, "") if self._once_of[own] == 1 else ""  # it may have had another name when it went there
        is_there = went and os.path.dirname(went) == os.path.dirname(place)
        return went if is_there and os.path.lexists(os.path.join(target.session.root, went)) else place

    def _plan_row(self, each: Outgoing, goal: str, key: str) -> Row:
        """The row of one text; if it is skipped, its changes are reverted. Raises `BadContent` when cancelled."""
        if self._cancelled():
            raise BadContent(f"Stopped while planning. {NOTHING}.")
        self._draft.keep()
        self._notes: list[str] = []
        row = self._row(each, goal)._replace(key=key)
        can_be = row.fate is Fate.ADD or (row.fate is Fate.CONFLICT and self._draft.has_puts)
        if row.fate is Fate.SKIPPED or (can_be and key in self._without):
            self._draft.take_back()
            for root in self._notes:
                self._own[root].pop()
        if each.is_original and row.fate in (Fate.ADD, Fate.DUPLICATE) and key not in self._without:
            self._originals.add(row.place)
        if row.fate is Fate.ADD and key not in self._without:
            self._brought.setdefault((row.place, row.made), row.source)
        if row.fate is Fate.ADD and isinstance(each.record, Imported) and key not in self._without:
            self._back.append(each.record)
        if row.fate is Fate.ADD and key in self._without:
            row = row._replace(fate=Fate.LEFT, reason=YOU_LEFT_IT)
        return row._replace(ticked=can_be and key not in self._without, can_be=row.fate in (Fate.ADD, Fate.LEFT))

    def _row(self, each: Outgoing, goal: str) -> Row:
        row = Row(each.source, "", Fate.SKIPPED, goal[1:], each.text, each.losses, each.warnings, also=each.also)
        if goal.startswith("?"):
            return row._replace(losses=(), warnings=())
        place = os.path.join(self._targets[each.spot].session.root, goal)
        try:
            return self._place_text(each, goal, row._replace(place=place, reason=""))
        except UnicodeDecodeError:
            reason = "the file there is not valid UTF-8"
        except MemError as error:
            reason = error.reason
        return row._replace(place=place, reason=reason, losses=(), warnings=())

    def _place_text(self, each: Outgoing, path: str, row: Row) -> Row:
        target = self._targets[each.spot]
        now = self._draft.now(target.session, path)
        ours = self._texts[each.spot].get(path)
        is_alone = self._shared[each.spot, path] == 1
        is_ours = now is not None and is_alone and ours == now
        follows, merged = False, None
        if each.join is not None:
            after = each.join(None if is_ours else now)
            is_whole = is_alone and (now is None or is_ours)
        else:
            content = each.text.encode("utf-8", "surrogateescape")
            if not each.is_written:
                content = target.layout.dress.wrapped(target.path_of(path), Carried(content, each.name, each.about))
            is_whole, after, follows = True, content, True
            if now is not None and ours is not None and is_alone and not is_ours:
                merged = merged_into(now, ours, content)  # from what went out last
            if now is None:
                clash = self._draft.clash(target.session, path)
                if clash:
                    return row._replace(fate=Fate.CONFLICT, reason=f"{printable_path(clash)} is there already")
            elif merged is not None:
                after = merged
            elif not is_ours and self._holds(target, path, now, content):
                after = now
            elif not is_ours and each.adds_lines:
                more = joined(now, content, Role.FACTS)
                after, is_whole = now if more is None else more, False
            elif not is_ours and now != content:
                return self._conflict(each, target, path, now, content, row)
        is_parsed = each.join in (None, stands, newer) or each.record is not None
        row = row._replace(made=as_text(after or b"") if is_parsed else each.text)
        self._keep_described(each, after or now)
        if after is None or after == now:
            grown = self._update_lists(each, target, path, now or b"", row) if follows else (0, row)
            reason = self._why_there(each, target, path, now, row)
            return grown[1]._replace(fate=Fate.DUPLICATE, reason=reason, losses=(), warnings=(), cost=grown[0])
        self._put(target, path, now, after)
        if each.record is None:
            went = content if merged is not None else after if is_whole else _added_lines(now or b"", after)
            self._note(target, path, each.source, went, is_whole)
        cost = len(after) - len(now or b"") if each.in_prompt else 0
        if follows and now is None:
            grew, row = self._update_lists(each, target, path, after, row)
            cost += grew
        is_merged = each.record is not None or merged is not None
        reason = _BOTH if is_merged else "it takes the place of what was exported before" if is_ours else ""
        return row._replace(fate=Fate.ADD, reason=reason, cost=cost)

    def _why_there(self, each: Outgoing, target: Target, path: str, now: bytes | None, row: Row) -> str:
        """Why a text need not be written, as a clause: its file has it, or gets it from another text of this plan."""
        if each.join is newer:
            return _CHANGED_THERE
        if source := self._brought.get((row.place, row.made)):
            return f"{printable_path(source)} brings it there"
        before = self._draft.before(target.session, path) or b""
        is_there = before == now or row.made.encode("utf-8", "surrogateescape") in before  # a join may parse all of the file
        is_there = is_there or (each.join is not None and each.join(before) in (None, before))
        return IS_THERE if is_there else "another text brings it there"

    def _conflict(self, each: Outgoing, target: Target, path: str, now: bytes, content: bytes, row: Row) -> Row:
        """The row of a text whose target exists with other content that is not ours, according to the policy."""
        reason = f"there is another {printable_path(path)}, which is not ours"
        if self._policy is Policy.SKIP:
            return row._replace(fate=Fate.CONFLICT, reason=reason, made=as_text(now))
        if self._policy is Policy.RENAME:
            stem, ending = os.path.splitext(path)
            names = (f"{stem}-{number}{ending}" for number in range(2, 10_000))
            free = next((name for name in names if self._is_free(target, name, content)), "")
            if not free:
                return row._replace(fate=Fate.CONFLICT, reason=reason)
            found = self._place_text(
                each._replace(path=free, role=None), free, row._replace(place=os.path.join(target.session.root, free))
            )
            return found._replace(reason=f"{reason}: rename") if found.fate is Fate.ADD else found
        body = target.layout.dress.unwrapped(target.path_of(path), content).body
        after = content if self._policy is Policy.REPLACE else keep_both(now, body)
        row = row._replace(made=as_text(after))
        if after == now:
            return row._replace(fate=Fate.DUPLICATE, reason=IS_THERE, losses=(), warnings=())
        self._put(target, path, now, after)
        cost = len(after) - len(now) if each.in_prompt else 0
        return row._replace(fate=Fate.CONFLICT, reason=f"{reason}: {self._policy}", cost=cost)

    def _is_free(self, target: Target, path: str, content: bytes) -> bool:
        """Whether a name is free, or has that very content already."""
        now = self._draft.now(target.session, path)
        if now is not None:
            return now == content or self._holds(target, path, now, content)
        return not self._draft.clash(target.session, path)

    def _holds(self, target: Target, path: str, now: bytes, content: bytes) -> bool:
        """Whether a file has a text already: the same one, or all its lines in order, as an import sees it."""
        bare, wanted = target.bare(path, now), target.bare(path, content)
        return bare == wanted or extends(wanted, bare)

    def _update_lists(self, each: Outgoing, target: Target, path: str, text: bytes, row: Row) -> tuple[int, Row]:
        """Update files that list the new one, such as an index: (bytes added, row with warnings).

        An index that goes as it was lists what it listed where both are from.
        """
        grew = 0
        lists = target.layout.lists.companions(target.tree, None, target.path_of(path), text, about=each.about)
        for other, rewrite in lists.items():
            beside = target.place(other)
            if each.is_original and os.path.join(target.session.root, beside) in self._originals:
                continue
            now = self._draft.now(target.session, beside)
            after = rewrite(now)
            self._keep_described(each, after or now)
            if after is None or after == now:
                continue
            refused = self._writer.refused(other, now or b"", after)
            if refused:
                row = row._replace(warnings=(*row.warnings, f"It is not listed in {printable_path(beside)}: {refused}."))
                continue
            self._put(target, beside, now, after)
            self._note(target, beside, row.source, _added_lines(now or b"", after), is_whole=False)
            if out := target.layout.unloaded(other, now, after):
                row = row._replace(warnings=(*row.warnings, out))
            grew += len(after) - len(now or b"")
        return grew, row

    def _keep_described(self, each: Outgoing, raw: bytes | None) -> None:
        if each.about and one_line(each.about) in one_line(as_text(raw or b"")):
            self._described[each.source] = each.about

    def _put(self, target: Target, path: str, now: bytes | None, after: bytes) -> None:
        """Give a file its text if the agent's rules and locks allow it. Raises `RuleBroken` or `WriteFailed`."""
        if target.strip:
            target.layout.check(target.tree, target.path_of(path), now, after)
        elif target.session.guard is not None:
            target.session.guard(path, now, after)
        self._draft.put(target.session, path, after)

    def _note(self, target: Target, path: str, source: str, text: bytes, is_whole: bool) -> None:
        new = Written(path, text, is_whole, *self._mine, source)
        self._own.setdefault(target.session.root, []).append(new)
        self._notes.append(target.session.root)


def _why_nothing(rows: Sequence[Row]) -> str:
    """Why nothing was written, as a sentence."""
    if not rows:
        return f"There is nothing to export. {NOTHING}."
    reasons = {each.reason for each in rows}
    if all(each.fate is Fate.SKIPPED for each in rows) and len(reasons) == 1:
        return f"{NOTHING}: {reasons.pop()}."
    if any(each.fate is Fate.DUPLICATE for each in rows):
        return "Everything that could go there is there already. Nothing was written."
    return f"Nothing could go there: each row says why. {NOTHING}."


def _beside(targets: Targets, changes: Sequence[Edit]) -> list[Edit]:
    """The edits for files that the agent itself puts into a folder it creates, for folders created here."""
    used = {change.session.root for change in changes}
    return [
        Edit(target.session, target.session.ref_at(name), None, raw, (lambda now: None,))  # one that exists by now is left alone
        for target in targets.by_spot.values()
        if not target.problem and target.session.root in used and not os.path.lexists(target.session.root)
        for name, raw in target.beside
    ]


def _growth(changes: Sequence[Edit]) -> tuple[int | None, Collection[str]]:
    """The number of bytes by which the prompts grow (None: unknown), and the paths of files of which no prompt shows more.

    The prompt is computed once for each kind of store.
    """
    total = 0
    idle: set[str] = set()
    firsts = {change.session.layout.kind: change.session for change in reversed(changes)}
    for kind, session in firsts.items():
        own = [change for change in changes if change.session.layout.kind == kind]
        if only_instructions(session.layout):  # instruction files are always in the prompt as a whole
            total += sum(len(each.after or b"") - len(each.before or b"") for each in own)
            continue
        paths = {each.place: os.path.relpath(each.place, session.root) for each in own}
        unsaved = {paths[each.place]: (each.after or b"").decode("utf-8", "replace") for each in own}
        try:
            then, now = preview(session, unsaved=unsaved), preview(session)
        except MemError:
            return None, ()
        total += then.size - now.size
        before, after = ({use.path: use.size for use in seen.uses} for seen in (now, then))
        same = {path for path in before | after if before.get(path) == after.get(path)}
        idle |= {place for place, path in paths.items() if then.size == now.size or path in same}
    return total, idle


def keys_of(rows: Iterable[tuple[str, str]]) -> list[str]:
    """A key for each (source, text) that is the same in every plan; repeated rows get different keys."""
    seen: Counter[tuple[str, str]] = Counter()
    out = []
    for row in rows:
        seen[row] += 1
        out.append(mark_of(*row, str(seen[row])))
    return out


def _added_lines(before: bytes, after: bytes) -> bytes:
    """The lines of `after` between the common first and the common last lines, whose ends may differ."""
    if after.startswith(before) and before.endswith(b"\n"):
        return after[len(before) :]  # including the blank line that was put before it
    if after.startswith(before):  # for a long file to which facts are appended one by one, compare only from the last line on
        kept = before.rfind(b"\n") + 1
        before, after = before[kept:], after[kept:]
    new = after.split(b"\n")
    front, back = common_ends([line.rstrip() for line in before.split(b"\n")], [line.rstrip() for line in new])
    return b"\n".join(new[front : len(new) - back])
