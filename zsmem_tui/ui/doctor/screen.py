"""The doctor screen: findings, worst first, with the text that they are about, and actions on them."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on, work
from textual.containers import Container
from textual.content import Content
from textual.widget import Widget

from zsmem_tui.core.checks.checkup import NOT_LOOKED, Checkup
from zsmem_tui.core.checks.finding import Finding, Level, Place
from zsmem_tui.core.checks.redact import shown, without
from zsmem_tui.core.checks.structure import BROKEN
from zsmem_tui.core.errors import MemError
from zsmem_tui.core.text import counted, one_line
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import checkups, doctor_fixes
from zsmem_tui.service.checkups import Passage, passage
from zsmem_tui.service.plan import Fate, Plan, Row
from zsmem_tui.service.session import Session
from zsmem_tui.ui import plans
from zsmem_tui.ui.conversations import in_turn
from zsmem_tui.ui.dialogs.ask import choose
from zsmem_tui.ui.dialogs.plan import show_plan
from zsmem_tui.ui.doctor import rows as finding_rows
from zsmem_tui.ui.doctor.masked import Masked
from zsmem_tui.ui.doctor.rows import GROUPS, WHICH, FindingKey, Shown
from zsmem_tui.ui.keys.action import Action
from zsmem_tui.ui.memory import checkups as looking
from zsmem_tui.ui.memory.reading import is_loading
from zsmem_tui.ui.messages import Checked
from zsmem_tui.ui.open_store import OpenStore, is_of, none
from zsmem_tui.ui.perform import LONG_SECONDS, PATIENT_SECONDS, attempt, copy, late, perform, started
from zsmem_tui.ui.plans import Draft, Pulse, Sides, sides_of
from zsmem_tui.ui.reading.page import LineMarks, Page
from zsmem_tui.ui.tool import ListScreen
from zsmem_tui.ui.widgets.frame import LEAST_ROWS, ROOM, FilterLine, Notice, pane
from zsmem_tui.ui.widgets.page_view import PageView
from zsmem_tui.ui.widgets.row_list import ListRow, MarkList, RowList
from zsmem_tui.ui.wording import place_name, title_of, with_findings

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp

_ABOVE = 2
"""Lines of context above the finding, if there is room."""

_ROOM: Final = (("-narrow", 3), *ROOM)
"""Rows for the sentences; enough for the problem and the fix on narrow screens."""

_LEAST_SIDE: Final = 9
"""Rows for what a finding is, with borders: three of sentences, and a title and a line of each of two texts."""

_QUOTED: Final = 60
"""Maximum number of characters of a line quoted in a question."""

_CHANGED: Final = "It has changed: looking again …"

_WAIT_SECONDS: Final = 0.02
"""Seconds between checks whether the screen has been loaded."""

_SOUGHT: Final = 40
"""Characters of what was found that are looked for in its line: where they begin, it is."""

_KEEP: Final = "keep"
"""The answer that changes nothing."""


class FindingRows(MarkList[Sequence[Finding]], keys="findings"):
    """The list of findings, grouped by headings; findings that say the same are one row."""


class PassageView(PageView, keys="finding"):
    """Shows some lines of a file with `!` beside the lines that a finding is about; hidden until there is a finding."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.raw, self.display = True, False
        self.line_marks: LineMarks = LineMarks()
        self._shown: tuple[str, Passage] | None = None
        self._sought: Sequence[str] = ()

    def present(self, title: str, shown: Passage, sought: Sequence[str] = ()) -> None:
        """Show a passage with this title, with the first of the `sought` words that its marked lines have in sight.

        One that is shown already stays as it was scrolled.
        """
        if (title, shown) == self._shown:
            return
        self._shown, self._sought = (title, shown), [each[:_SOUGHT] for each in sought if each]
        self.border_title = Content(title)
        self.line_marks.marks = with_findings("", shown.marked)
        above = 0 if self.screen.has_class("-low") or self.screen.has_class("-narrow") else _ABOVE
        page = Page(shown.text)
        page.first_number = shown.start + 1
        self.show(page, line=max(0, shown.marked.start - above))
        self.call_after_refresh(self._reveal)

    def on_resize(self) -> None:
        """Keep what was found in sight."""
        self.call_after_refresh(self._reveal)

    def _reveal(self) -> None:
        self._bring_in_sight(self.page.row_of(self._shown[1].marked.start if self._shown else 0))  # if too high: what was found
        self.reveal(self._shown[1].marked if self._shown else (), self._sought)


class FixDraft(Draft):
    """A plan with the fixes of findings, each of which can be left out."""

    changes = frozenset({"plan.tick", "plan.all"})

    def __init__(self, title: str, session: Session, findings: Sequence[Finding], found: Checkup) -> None:
        super().__init__(title, lambda _: Plan("", ""))
        self._session, self._findings, self._found = session, findings, found

    @property
    def taken(self) -> list[Finding]:
        """The findings to fix."""
        return [each for each in self._findings if each.id not in self.left_out]

    def make(self, pulse: Pulse) -> Plan:
        """Make the plan with the fixes that were not left out. Raises `MemError`."""
        plan = doctor_fixes.plan(self._session, self.taken, self._found.to_decide)
        mended = [each for each in self._findings if each.id in plan.read or each.id in self.left_out]
        return replace(
            plan, done=" ".join((plan.done, *plan.left[:2])), rows=tuple(self._row(each, each.id in plan.read) for each in mended)
        )

    def _row(self, finding: Finding, is_taken: bool) -> Row:
        ref = self._session.ref_at(finding.path)
        does = finding_rows.does(finding, self._found, self._session).rstrip(".")
        why = finding_rows.says(finding, self._found, self._session)
        line = f"{finding.line}  {does} · {finding_rows.words(finding, self._found, self._session)}"
        return Row(line, self._session.path(ref), Fate.ADD, why, key=finding.id, ticked=is_taken, ref=ref, can_be=True)

    def take(self, plan: Plan) -> None:
        """Store the plan; of several findings, say how many it fixes."""
        super().take(plan)
        if (count := len(self._findings)) > 1:
            self.title = f"Fix {f'{plan.count:,} of ' * (plan.count < count)}{counted(count, 'finding')}"

    def draw_row(self, row: Row) -> ListRow:
        """Render a finding: its line and its fix first, since the rest may be cut off."""
        return ListRow([plans.box(row), (row.source, "text" if row.ticked else "quiet")], title_of(row.ref, self._session))

    def row_sides(self, row: Row) -> Sides:
        """The file with this fix alone."""
        own = [each for each in self._findings if each.id == row.key]
        return sides_of("", doctor_fixes.plan(self._session, own).of_row(row))


class DoctorScreen(ListScreen):
    """The doctor screen: findings at the left; at the right details, and one or two texts."""

    SCOPE_OF: ClassVar[dict[str, str]] = {"findings": "findings", "finding-text": "finding", "finding-other": "finding"}
    PAGE = "doctor"
    WAYS: ClassVar[Mapping[str, Sequence[str]]] = {"group": GROUPS, "which": WHICH}

    def __init__(self, host: ZsmemApp) -> None:
        super().__init__(host)
        self._found: dict[str, Checkup] = {}
        """The findings of each store shown, by its key."""
        self._told: tuple[str, ...] = ()
        """The problems that were last shown in a message."""
        self._masked: Masked | None = None
        """What was masked last."""
        self._ignored = 0
        """How many findings of what is shown are ignored."""
        self._is_settled = False
        """Whether everything was checked; until then the cursor stays on the first row, unless the person moves it."""
        self._about: tuple[object, ...] = ()
        self._order = finding_rows.Order([], {})
        """That of headings and findings, which they keep while they are listed in the same way, and what that is about."""
        self._opened: set[FindingKey] = set()
        """The folds that were opened."""
        self._looks = False
        """Whether it is looked again, which takes long: until then, what is listed may be so no more."""
        self._turn = 0
        """Counts changes of the filters, to discard outdated results."""
        self._drawn = (0.0, inf)
        """When a finding came under the cursor without being gone to, and when it stood there as a whole."""
        self._told_of: object = None
        """What the details are about, or will be once the texts are read."""
        self._stands: FindingKey | None = None
        """The row whose details are shown as a whole."""

    def compose_body(self) -> Iterable[Widget]:
        """Yield the list, and the details with two texts."""
        words = FilterLine("words of a finding, its rule or its file", id="finding-filter", rows="findings")
        rows = FindingRows(
            lambda key: finding_rows.row(
                key, rows.items[key], self._found_in(key[0]), self.way["group"], self._store_of(key).session
            ),
            id="findings",
        )
        yield pane("list", "Doctor", words, rows, id="finding-list")
        texts = Container(PassageView(id="finding-text"), PassageView(id="finding-other"), id="finding-texts")
        yield pane("side", "What it is", Notice("enter goes there", id="finding-words", room=_ROOM), texts, id="finding-side")

    @property
    def found(self) -> Checkup:
        """The findings of the store under the cursor."""
        return self._found_in(self.memory.key)

    def _found_in(self, key: str) -> Checkup:
        return self._found.get(key, NOT_LOOKED)

    def _store_of(self, key: FindingKey) -> OpenStore:
        return self.host.main.store_of(key[0])

    async def read(self) -> None:
        """Run the doctor and show the findings, keeping cursor and marks; does nothing once the screen is closed."""
        await self.find_told()
        memories = self.memories
        known = {store.key: self._found.get(store.key, store.checkup) for store in memories}
        self._is_settled = known.keys() <= self._found.keys()
        self._found = {key: found for key, found in known.items() if found.is_looked}
        self.show()
        await self._look_into(memories)

    async def _look_into(self, memories: Sequence[OpenStore]) -> None:
        left, is_refused = sum(store.checkup.left for store in memories), False
        if left:
            self.say(f"Looking into {counted(left, 'file')} that nobody has looked into yet.")
        long = self.set_timer(LONG_SECONDS, partial(self._tell_looks, looks=True))
        try:
            for store in memories:
                found = await looking.look(self.host.main, store)
                is_refused |= found is None
                if found is not None and not self.closed:
                    self._found[store.key] = found
                    self.show()
        finally:
            long.stop()
            self._tell_looks(looks=False)
        self._is_settled = not any(found.left for found in self._found.values())
        if left and not is_refused:
            self.say("Every file has been looked into.")
        problems = tuple(problem for store in memories if store.key in self._found for problem in self._problems_of(store))
        if problems and problems != self._told:
            more = f" And {len(problems) - 1} more." if len(problems) > 1 else ""
            self.say(f"{problems[0].rstrip('.')}.{more}", warning=True)
        self._told = problems

    def _problems_of(self, store: OpenStore) -> tuple[str, ...]:
        """What could not be examined of what is shown: none of other projects, unless all memories are shown."""
        found = self._found_in(store.key)
        is_all = self.is_of_all or store is not self.home
        return tuple(each for each in found.problems if is_all or is_of(self.project, found.troubled.get(each, "")))

    def _tell_looks(self, *, looks: bool) -> None:
        """Show whether it is looked again."""
        is_other, self._looks = looks != self._looks, looks
        if is_other and not self.closed:
            self.show()

    def show(self) -> None:
        """Show the findings with filter and grouping."""
        if not self.query(FilterLine):
            return
        self._turn += 1
        arrange = partial(self._arranged, self._turn, dict(self._found), self.words)
        if self.words and sum(len(found.ids) for found in self._found.values()) > finding_rows.MOST_ROWS:
            self._show_found(arrange, self._turn)
        else:
            self._put(arrange())

    def _arranged(self, turn: int, found: Mapping[str, Checkup], wanted: str) -> list[Shown]:
        """The rows of each store."""
        return [
            finding_rows.arranged(
                found[store.key],
                store.session,
                group=self.way["group"],
                which=self.way["which"],
                wanted=wanted,
                opened=self._opened,
                key=store.key,
                over=self.heading_of(store),
                only=None if self.is_of_all else partial(self.is_shown, store),
                cancelled=lambda: turn != self._turn,
            )
            for store in self.memories
            if store.key in found
        ]

    @work(exclusive=True, group="arrange")
    async def _show_found(self, arrange: Callable[[], list[Shown]], turn: int) -> None:
        """Filter in a thread, for large numbers of findings; discarded if the filter has changed."""
        shown = await self.asking(arrange)
        if turn == self._turn:
            self._put(shown)

    def _put(self, every: list[Shown]) -> None:
        rows = self.rows
        rows.items = {key: alike for shown in every for key, alike in shown.rows.items()}
        is_first = not self._is_settled and rows.cursor <= 1  # the row below the first heading
        about = (*self.way.values(), self.is_of_all)
        if is_first or about != self._about:
            self._about, self._order = about, finding_rows.Order([], {})
        keys = finding_rows.keys_of(every, self._order)
        self._ignored = sum(shown.ignored for shown in every)
        self._tell_empty()
        rows.show(keys, cursor=keys[1] if is_first and keys[1:] else None)
        pane = self.query_one("#finding-list")
        left = [fault for shown in every for fault in shown.left]
        is_known = bool(keys) or not any(self._found_in(store.key).is_part for store in self.memories)
        counts = sum(shown.total for shown in every) if is_known else None, sum(fault.level is Level.INFO for fault in left)
        again = " · looking again …" if self._looks and keys else ""
        whose = "" if self.is_of_all else self.name_of(self.home, self.project)
        rows.title = f"{finding_rows.title(whose, self.way['group'], self.way['which'], *counts)}{again}"
        pane.border_subtitle = Content(finding_rows.counts(left, self._ignored, more=self.host.counts.more_found))
        needed = partial(self.split.needs, leaves=_LEAST_SIDE)
        self.call_after_refresh(lambda: needed(max(rows.rows_of(pane), LEAST_ROWS) if keys else 0))
        if not keys:
            self._tell()  # else the list says where its cursor is

    @on(Checked)
    def _tell_empty(self) -> None:
        """Set what an empty list says, which depends on what is known of other memories."""
        is_part = any(self._found.get(store.key, NOT_LOOKED).is_part for store in self.memories)
        whose, elsewhere = ("", {}) if self.is_of_all else (self.name_of(self.home, self.project), self._elsewhere())
        known = ((store, ref.path) for store in self.memories if store.catalog for ref in store.catalog.refs)
        has_files = bool(self.rows.items) or any(self.is_shown(store, path) for store, path in known)
        found = None if is_part else replace(self.found, problems=self._problems_of(self.memory))
        asked = self.way["which"], self.words, whose, elsewhere
        nothing = finding_rows.nothing(found, *asked, has_files=has_files, ignored=self._ignored)
        self.rows.nothing = none(nothing, self.memories, "" if self.rows.items else self.project)
        self.rows.refresh()

    def _elsewhere(self) -> dict[str, int]:
        """How many findings are known in other memories, by agent, and in other projects of this one."""
        found: Counter[str] = Counter()
        for store in self.host.main.stores:
            known = store.checkup.counts.items()
            shown = sum(count for path, count in known if store in self.memories and self.is_shown(store, path))
            found["other projects" if store is self.home else store.title] += store.checkup.count - shown
        return found

    def offered(self, action: Action) -> Action | None:
        """Leave out Fix if nothing can be fixed; labels say whether it shows or asks something first, and what enter and x do."""
        if action.id == "findings.open" and finding_rows.is_fold(self.rows.key):
            return action._replace(label="List them")
        findings, label = [*chain.from_iterable(self.rows.chosen())], action.label
        if action.id == "findings.forget":
            label = "Forget what was masked" if self._masked is not None and not self._stands_again(self._masked) else ""
        elif action.id == "findings.fix" and findings:
            label = finding_rows.fix_label(findings)
        elif action.id == "findings.ignore" and findings and all(each.id in self.found.ignored for each in findings):
            label = "Show again"
        return super().offered(action._replace(label=label)) if label else None

    def _stands_again(self, masked: Masked) -> bool:
        """Whether a credential that was masked is back where it was, as after an undo."""
        own = {*masked.secrets} if masked.session is self.session else set[str]()
        return any(own & {*self.found.secrets.get(path, ())} for path in masked.paths)

    @on(RowList.Moved)
    def _tell(self) -> None:
        """Show keys, details and texts of the finding under the cursor; what is being read for it is not read again."""
        self.show_keys()
        alike: Sequence[Finding] = self.rows.at_cursor() or ()
        since = self._found_in(self.rows.key[0]).since if alike else 0
        if (about := (self.rows.key, [*alike], since, self.rows.came)) != self._told_of:
            self._told_of = about
            self._show_details(alike, since)

    @work(exclusive=True, group="tell")
    async def _show_details(self, alike: Sequence[Finding], since: int) -> None:
        """Show details and texts, all at once; while a text is newer than what was found in it, rather the one from before."""
        key, came = self.rows.key, self.rows.came
        text, other = self.query_one("#finding-text", PassageView), self.query_one("#finding-other", PassageView)
        words, side = self.query_one(Notice), self.query_one("#finding-side")
        if not alike:
            self._stands = None
            words.show("Go to a finding: what it is, and what to do about it, stands here.")
            side.border_title = Content("What it is")
            text.display = other.display = False
            return
        fault, store = alike[0], self._store_of(key)
        self.look_at(store)
        detail = finding_rows.detail(fault, self._found_in(store.key), store.session, alike, folded=finding_rows.is_fold(key))
        where = title_of(store.session.ref_at(fault.path), store.session)
        places = [Place(fault.path, fault.line), *fault.related[:1]]
        sought = (fault.text, fault.quoted.partition("\0")[0])

        def present(found: Sequence[Passage]) -> None:
            words.show(detail)
            side.border_title = Content(f"{where} · {fault.level} · {fault.rule.name}")
            text.display = True
            other.display = bool(fault.related)
            for view, place, each in zip((text, other), places, found, strict=False):
                view.present(f"{visible_line(place_name(place.path, store.session))} · line {place.line}", each, sought)

        def wait(words: str) -> None:
            if self._stands != key:
                present([Passage(words)] * 2)

        meant = zip(places, (fault.last_line, 0), strict=False)

        async def ask() -> list[Passage]:  # one question: of several, one that the end cancels would be said to be an error
            return [await self.asking(_passage, store.session, *about, since) for about in meant]

        found = await late(ask(), partial(wait, "…"))
        if any(each.is_newer for each in found):
            wait(_CHANGED)
            self.set_timer(looking.REST_SECONDS, partial(self._look_if_as_of, store.key, since))
            return
        present(found)
        self._stands = key
        if came != self._drawn[0]:
            self.call_after_refresh(lambda: setattr(self, "_drawn", (came, monotonic())))

    def _look_if_as_of(self, key: str, since: int) -> None:
        """Look again, if what was found is still from then: not every file that a finding is about is watched."""
        if not self.closed and self._found_in(key).since == since and not is_loading(self):
            self.load()

    def _meant(self) -> list[Finding]:
        """The marked findings if of one store, else the one under the cursor; empty, with a message, if there are none."""
        findings: list[Finding] = [*chain.from_iterable(self.rows.meant())]
        if findings and not self.is_in_one(map(self._store_of, self.rows.marked or [self.rows.key])):
            return []
        if not findings:
            looking = not self._found or bool(self.found.left)
            self.warn("Still looking: no finding is known yet." if looking else "Nothing selected: there is no finding.")
        return findings

    @in_turn
    async def action_open(self) -> None:
        """Open the file at the finding, or list what the fold has and go to the first."""
        if finding_rows.is_fold(fold := self.rows.key):
            self.rows.seek((fold[0], self.rows.items[fold][0].id))
            self._opened.add(fold)
            self.show()
            return
        for first in self._meant()[:1]:
            self.host.read_file(self.session.ref_at(first.path), first.line - 1)

    @in_turn
    async def action_edit(self) -> None:
        """Edit the file at the finding."""
        for first in self._meant()[:1]:
            self.host.edit_file(self.session.ref_at(first.path), first.line - 1)

    @in_turn
    async def action_history(self) -> None:
        """Show the versions of the file."""
        for first in self._meant()[:1]:
            self.host.open_history(self.session.ref_at(first.path))

    @in_turn
    async def action_copy_text(self) -> None:
        """Copy the findings to the clipboard."""
        if findings := self._meant():
            copy(self, finding_rows.copied(findings, self.found), counted(len(findings), "finding"))

    def _meant_to_act(self) -> list[Finding]:
        """Like `_meant`, but none if another finding came under the cursor since the key was pressed, or is not drawn yet."""
        if self.rows.keys and (self.rows.came != self._drawn[0] or self.host.conversations.pressed < self._drawn[1]):
            self.warn("The key was pressed before this stood here. Nothing was done.")
            return []
        return self._meant()

    @in_turn
    async def action_ignore(self) -> None:
        """Ignore the findings; if all of them are ignored, stop ignoring them."""
        if not (findings := self._meant_to_act()):
            return
        wanted = any(each.id not in self.found.ignored for each in findings)
        done = partial(checkups.ignore, self.session, findings, ignore=wanted)
        await perform(self.host, done, self, refresh=lambda _: started(self, self.read, "load"))

    @in_turn
    async def action_fix(self) -> None:
        """Show the plan of the fixes and apply it; if a finding needs a choice, that is asked instead."""
        if not (findings := self._meant_to_act()):
            return
        is_asked = False
        if len(findings) == 1 and findings[0].fix is not None and any(each.is_ready for each in findings[0].fix.choices):
            if (picked := await self._pick(findings[0])) is None:
                return
            findings, is_asked = [picked], True
        else:
            have = ((each, each.fix) for each in findings)  # a choice among others is asked of nobody
            findings = [
                replace(each, fix=fix._replace(edits=())) if fix is not None and fix.choices else each for each, fix in have
            ]
        draft = FixDraft(finding_rows.does(findings[0], self.found).rstrip("."), self.session, findings, self.found)
        plan = await attempt(asyncio.to_thread(draft.make, Pulse()), self.warn)
        if plan is None:
            return
        if not plan.changes:
            await self.read()
            self.warn(" ".join(plan.left[:2]) or "It is mended already.")
            return
        if not is_asked or plan.lines > 1 or plan.notes:
            draft.take(plan)
            if (plan := await show_plan(self, draft)) is None:
                return
        secrets = await asyncio.to_thread(doctor_fixes.masked, draft.taken)
        own = [each.encode("utf-8", "surrogateescape") for each in secrets]
        held = [edit.ref.path for edit in plan.changes if any(each in (edit.before or b"") for each in own)]
        masked = Masked(self.session, secrets, held)
        done = await perform(self.host, partial(masked.apply, plan), self, refresh=self._look_again)
        if done is None:
            await self.read()
        elif done.changed and secrets:
            self._masked = masked
            self.show_keys()

    async def _look_again(self, _: object = None) -> None:
        """Poll, which loads the screen if that was not done since the step, and wait for that, but not for long."""
        await self.host.main.look_now(self.memory)
        until = monotonic() + PATIENT_SECONDS
        while is_loading(self) and monotonic() < until:
            await asyncio.sleep(_WAIT_SECONDS)

    async def _pick(self, finding: Finding) -> Finding | None:
        """Ask which of two facts to delete, which side of a conflict to keep, or what is to become of one line."""
        assert finding.fix is not None
        answers = []
        secrets = self.found.secrets_of(finding)
        keeps = finding.rule == BROKEN  # these choices are sides of a conflict
        if not finding.related and not keeps:
            return await self._pick_deed(finding)
        for number, each in enumerate(finding.fix.choices):
            for edit in each.edits[:1]:
                said = without(one_line("\n".join(edit.after if keeps else edit.before)), secrets)
                text = visible_line(shown([said])[:_QUOTED])
                place = each.name if keeps else f"{place_name(edit.path, self.session)}:{edit.line}"
                answers.append((str(number), f"{visible_line(place)}  {text}"))
        which = "Keep which?" if keeps else "Delete which?" if answers[1:] else finding.fix.sentence
        question = f"{finding_rows.says(finding, self.found, self.session)} {which}"
        title = "One of them stays" if keeps else "One of them goes" if answers[1:] else "This line goes"
        answer = await choose(self, title, question, answers)
        return None if answer is None else doctor_fixes.picked(finding, int(answer))

    async def _pick_deed(self, finding: Finding) -> Finding | None:
        """Ask what to do with the one line of a finding; to keep it is an answer, too."""
        assert finding.fix is not None
        answers = [(str(number), each.sentence) for number, each in enumerate(finding.fix.choices)]
        text = visible_line(shown([without(one_line(finding.quoted), self.found.secrets_of(finding))])[:_QUOTED])
        question = f"{finding_rows.says(finding, self.found, self.session).rstrip('.')}: “{text}”"
        answer = await choose(self, finding.rule.title, question, [*answers, (_KEEP, "Keep it as it is.")])
        return None if answer in (None, _KEEP) else doctor_fixes.picked(finding, int(answer))

    @in_turn
    async def action_forget(self) -> None:
        """Remove the credentials that were masked here last from earlier versions and other files, too, if that is wanted."""
        if self._masked is None:
            self.warn("Nothing was masked here: there is nothing to forget.")
        elif self._stands_again(self._masked):
            self.warn("What was masked stands there again: mask it once more. Nothing was forgotten.")
        elif (done := await self._masked.forget(self)) is not None:
            self._masked = None
            await self._look_again()
            self.say(done)


def _passage(session: Session, place: Place, last: int, as_of: int) -> Passage:
    """A passage, or why it cannot be read."""
    try:
        return passage(session, place, last, as_of=as_of)
    except MemError as error:
        return Passage(visible_line(error.message))
