"""What becomes of each thing that an export takes out: one after the other, on the files as those before would leave them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from zsmem_tui.agents.outgoing import AgentWriter, Outgoing, mark_of
from zsmem_tui.core.carried import Carried
from zsmem_tui.core.diff import keep_both
from zsmem_tui.core.errors import BadContent, MemError
from zsmem_tui.core.layout import foreign_problem
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import printable_path
from zsmem_tui.service.export_targets import NOTHING, Target, Targets
from zsmem_tui.service.import_targets import Policy
from zsmem_tui.service.importing import YOU_LEFT_IT
from zsmem_tui.service.placing import goal_of, joined
from zsmem_tui.service.plan import Edit, Fate
from zsmem_tui.store.disk import files
from zsmem_tui.store.transfer.written import Written, records

_ENDINGS = (" Nothing was written.", " Nothing was done.", ".")


class ExportItem(NamedTuple):
    """One thing of ours with its fate. `place` is the file that it goes to (empty: none).

    `reason` says why, as a clause; `losses` what does not go along, `warnings` what else is to be known, as sentences. `cost` is
    how many bytes more the other agent would have before it on every turn. `key` tells it from the others of a plan; one that was
    left out is not `ticked`, and nothing of it is written.
    """

    source: str
    place: str
    fate: Fate
    reason: str
    text: str
    losses: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    cost: int = 0
    key: str = ""
    ticked: bool = True
    also: tuple[str, ...] = ()
    """Sources of other texts that are in it."""


class _Mine(NamedTuple):
    """Whose texts these are: what records of them say."""

    format: str
    origin: str
    project: str


class ExportPlanner:
    """Plans for one format; `changes` and `written` are what `place` has added up."""

    def __init__(
        self,
        writer: AgentWriter,
        targets: Targets,
        origin: str,
        project: str,
        *,
        policy: Policy = Policy.SKIP,
        planned: Mapping[str, Edit] = MappingProxyType({}),
        without: Collection[str] = (),
        cancelled: Callable[[], bool] = lambda: False,
    ) -> None:
        self._policy = policy
        self._planned_before = planned
        self.written: dict[str, list[Written]] = {}
        """What would be ours, by the root of the store that it is in."""
        self._writer = writer
        self._targets: Mapping[str, Target] = targets.by_spot
        self._mine = _Mine(writer.name, origin, project)
        self._before: dict[tuple[str, str], bytes | None] = {}
        self._after: dict[tuple[str, str], bytes | None] = {}
        self._whole = {
            spot: {each.path: each.text for each in records(target.session.root) if each.is_whole}
            for spot, target in targets.by_spot.items()
            if not target.problem
        }
        self._shared: Counter[tuple[str, str]] = Counter()
        self._without = without
        self._cancelled = cancelled
        self._puts: list[tuple[tuple[str, str], bytes | None]] = []
        self._notes: list[str] = []
        self._names: dict[tuple[str, str], dict[str, str]] = {}
        self._spelled: dict[tuple[str, str, str], str] = {}
        self._go_on_from(planned)

    def place_all(self, out: list[Outgoing]) -> tuple[ExportItem, ...]:
        """A row for each."""
        goals = [self._goal(each) for each in out]
        self._shared.update((each.spot, goal) for each, goal in zip(out, goals, strict=True) if not goal.startswith("?"))
        keys = keys_of((each.source, each.text) for each in out)
        return tuple(self._one(each, goal, key) for each, goal, key in zip(out, goals, keys, strict=True))

    def _go_on_from(self, planned: Mapping[str, Edit]) -> None:
        """What other plans make of files is there already, with the names that it has taken."""
        for spot, target in self._targets.items():
            home = f"{target.session.root}/"
            for place in planned:
                if place.startswith(home) and self._now(spot, place.removeprefix(home)) is not None:
                    folder, _, name = place.removeprefix(home).rpartition("/")
                    self._spelled[spot, folder, name.casefold()] = place.removeprefix(home)

    def changes(self) -> tuple[Edit, ...]:
        """Every file that becomes another."""
        out = []
        for (spot, path), after in self._after.items():
            target = self._targets[spot]
            before = self._before[spot, path]
            if before != after:
                out.append(Edit(target.session, target.session.ref_at(path), before, after))
        return tuple(sorted(out, key=lambda change: change.ref.path))

    def _goal(self, each: Outgoing) -> str:
        """The place below its store's root; or why there is none, behind a `?`."""
        target = self._targets[each.spot]
        if each.skip or target.problem:
            return f"?{each.skip or target.problem}"
        if each.path:
            problem = foreign_problem(target.layout, target.path_of(each.path))
            return f"?{printable_path(each.path)}: {problem}" if problem else each.path
        assert each.role is not None
        found = goal_of(
            target.session.root, target.layout, each.role, target.group, each.name, target.session.group_name(target.group)
        )
        return f"?{found}" if isinstance(found, str) else target.place(found.path)

    def _one(self, each: Outgoing, goal: str, key: str) -> ExportItem:
        """A row; of what was left out, nothing stays. Raises `BadContent` once it is told to stop."""
        if self._cancelled():
            raise BadContent(f"Stopped while planning. {NOTHING}.")
        self._puts, self._notes = [], []
        row = self._row(each, goal)._replace(key=key)
        can_be = row.fate is Fate.ADD or (row.fate is Fate.CONFLICT and bool(self._puts))
        if row.fate is Fate.SKIPPED or (can_be and key in self._without):
            self._take_back()
        if row.fate is Fate.ADD and key in self._without:
            row = row._replace(fate=Fate.LEFT, reason=YOU_LEFT_IT)
        return row._replace(ticked=can_be and key not in self._without)

    def _take_back(self) -> None:
        """As if the last row were not there."""
        for place, before in reversed(self._puts):
            self._after[place] = before
        for root in self._notes:
            self.written[root].pop()

    def _row(self, each: Outgoing, goal: str) -> ExportItem:
        row = ExportItem(each.source, "", Fate.SKIPPED, goal[1:], each.text, each.losses, each.warnings, also=each.also)
        if goal.startswith("?"):
            return row._replace(losses=(), warnings=())
        place = self._place(each.spot, goal)
        try:
            return self._placed(each, goal, row._replace(place=place, reason=""))
        except UnicodeDecodeError:
            reason = "the file there is not valid UTF-8"
        except MemError as error:
            reason = error.message
            for ending in _ENDINGS:
                reason = reason.removesuffix(ending)
        return row._replace(place=place, reason=reason, losses=(), warnings=())

    def _placed(self, each: Outgoing, path: str, row: ExportItem) -> ExportItem:
        target = self._targets[each.spot]
        now = self._now(each.spot, path)
        ours = self._whole[each.spot].get(path)
        is_alone = self._shared[each.spot, path] == 1
        is_ours = now is not None and is_alone and ours == now
        follows = False
        if each.join is not None:
            after = each.join(None if is_ours else now)
            is_whole = is_alone and (now is None or is_ours)
        else:
            content = self._content(each, target, path)
            is_whole, after, follows = True, content, True
            if now is None:
                clash = self._beside(each.spot, path)
                if clash:
                    return row._replace(fate=Fate.CONFLICT, reason=f"there is a {printable_path(clash)} already")
            elif not is_ours and self._bare(target, path, now) == self._bare(target, path, content):
                after = now
            elif not is_ours and each.adds_lines:
                more = joined(now, content, Role.FACTS)
                after, is_whole = now if more is None else more, False
            elif not is_ours and now != content:
                return self._conflict(each, target, path, now, content, row)
        if after is None or after == now:
            grown = self._follow(each.spot, target, path, now or b"", row) if follows else (0, row)
            return grown[1]._replace(fate=Fate.DUPLICATE, reason="it is there already", losses=(), warnings=(), cost=grown[0])
        self._ask(target, path, now, after)
        self._put(each.spot, path, after)
        self._note(target, path, each.source, after if is_whole else _added_lines(now or b"", after), is_whole)
        cost = len(after) - len(now or b"") if each.in_prompt else 0
        if follows and now is None:
            grew, row = self._follow(each.spot, target, path, after, row)
            cost += grew
        reason = "it takes the place of what was exported before" if is_ours else ""
        return row._replace(fate=Fate.ADD, reason=reason, cost=cost)

    def _conflict(self, each: Outgoing, target: Target, path: str, now: bytes, content: bytes, row: ExportItem) -> ExportItem:
        """A file of that name which says something else, and is not ours: only what the person asked for is done."""
        reason = f"there is another {printable_path(path)}, which is not ours"
        if self._policy is Policy.SKIP:
            return row._replace(fate=Fate.CONFLICT, reason=reason)
        if self._policy is Policy.RENAME:
            stem, ending = os.path.splitext(path)
            names = (f"{stem}-{number}{ending}" for number in range(2, 10_000))
            free = next((name for name in names if self._is_free(each.spot, target, name, content)), "")
            if not free:
                return row._replace(fate=Fate.CONFLICT, reason=reason)
            found = self._placed(each._replace(path=free, role=None), free, row._replace(place=self._place(each.spot, free)))
            return found._replace(reason=f"{reason}: rename") if found.fate is Fate.ADD else found
        body = target.layout.dress.unwrapped(target.path_of(path), content).body
        after = content if self._policy is Policy.REPLACE else keep_both(now, body)
        if after == now:
            return row._replace(fate=Fate.DUPLICATE, reason="it is there already", losses=(), warnings=())
        self._ask(target, path, now, after)
        self._put(each.spot, path, after)
        cost = len(after) - len(now) if each.in_prompt else 0
        return row._replace(fate=Fate.CONFLICT, reason=f"{reason}: {self._policy}", cost=cost)

    def _is_free(self, spot: str, target: Target, path: str, content: bytes) -> bool:
        """Whether a name is not taken, or has the very text."""
        now = self._now(spot, path)
        if now is not None:
            return now == content or self._bare(target, path, now) == self._bare(target, path, content)
        return not self._beside(spot, path)

    def _place(self, spot: str, path: str) -> str:
        return os.path.join(self._targets[spot].session.root, path)

    def _beside(self, spot: str, path: str) -> str:
        """The name of a file beside `path`, there or planned, that some systems take for the same; empty when there is none.

        A folder is listed once, and what is planned is found by its name: there may be thousands.
        """
        folder, _, name = path.rpartition("/")
        if (spot, folder) not in self._names:
            there = files.list_names(self._place(spot, folder))
            self._names[spot, folder] = {each.casefold(): each for each in there}
        same = name.casefold()
        planned = self._spelled.get((spot, folder, same), "")
        is_planned = planned and self._after.get((spot, planned)) is not None
        return planned.rpartition("/")[2] if is_planned else self._names[spot, folder].get(same, "")

    def _content(self, each: Outgoing, target: Target, path: str) -> bytes:
        raw = each.text.encode("utf-8", "surrogateescape")
        return raw if each.is_written else target.layout.dress.wrapped(target.path_of(path), Carried(raw, each.name, each.about))

    def _bare(self, target: Target, path: str, raw: bytes) -> bytes:
        return target.layout.dress.unwrapped(target.path_of(path), raw).body.strip(b"\n")

    def _follow(self, spot: str, target: Target, path: str, text: bytes, row: ExportItem) -> tuple[int, ExportItem]:
        """What other files of the store, such as an index, gain with a new one: bytes, and the row with what is to be said."""
        grew = 0
        for other, rewrite in target.layout.lists.companions(target.tree, None, target.path_of(path), text).items():
            beside = target.place(other)
            now = self._now(spot, beside)
            after = rewrite(now)
            if after is None or after == now:
                continue
            refused = self._writer.refused(other, after)
            if refused:
                row = row._replace(warnings=(*row.warnings, f"It is not listed in {printable_path(beside)}: {refused}."))
                continue
            self._ask(target, beside, now, after)
            self._put(spot, beside, after)
            self._note(target, beside, row.source, _added_lines(now or b"", after), is_whole=False)
            grew += len(after) - len(now or b"")
        return grew, row

    def _ask(self, target: Target, path: str, now: bytes | None, after: bytes) -> None:
        """The agent's rules and locks. Raises `RuleBroken` or `WriteFailed`."""
        if target.strip:
            target.layout.check(target.tree, target.path_of(path), now, after)
        elif target.session.guard is not None:
            target.session.guard(path, now, after)

    def _now(self, spot: str, path: str) -> bytes | None:
        if (spot, path) not in self._after:
            place = self._place(spot, path)
            before = self._planned_before.get(place)
            now = before.after if before is not None else files.read_if_there(place)
            self._before[spot, path] = self._after[spot, path] = now
        return self._after[spot, path]

    def _put(self, spot: str, path: str, after: bytes) -> None:
        self._puts.append(((spot, path), self._after.get((spot, path))))
        self._after[spot, path] = after
        folder, _, name = path.rpartition("/")
        self._spelled[spot, folder, name.casefold()] = path

    def _note(self, target: Target, path: str, source: str, text: bytes, is_whole: bool) -> None:
        new = Written(path, text, is_whole, self._mine.format, self._mine.origin, self._mine.project, source)
        self.written.setdefault(target.session.root, []).append(new)
        self._notes.append(target.session.root)


def keys_of(rows: Iterable[tuple[str, str]]) -> list[str]:
    """What tells rows with these sources and texts from one another, the same in every plan of the same things."""
    seen: Counter[tuple[str, str]] = Counter()
    out = []
    for row in rows:
        seen[row] += 1
        out.append(mark_of(*row, str(seen[row])))
    return out


def _added_lines(before: bytes, after: bytes) -> bytes:
    """The lines that are in `after` between those that both begin with and those that both end with."""
    if after.startswith(before) and before.endswith(b"\n"):
        return after[len(before) :]  # with the blank line that was put before it
    if after.startswith(before):  # a long file that grows fact by fact: only its last line is looked at
        kept = before.rfind(b"\n") + 1
        before, after = before[kept:], after[kept:]
    old, new = before.split(b"\n"), after.split(b"\n")
    front = 0
    while front < min(len(old), len(new)) and old[front] == new[front]:
        front += 1
    back = 0
    while back < min(len(old), len(new)) - front and old[-1 - back] == new[-1 - back]:
        back += 1
    return b"\n".join(new[front : len(new) - back])
