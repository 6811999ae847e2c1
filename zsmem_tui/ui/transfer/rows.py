"""Import and export: the sources to choose from, the draft of a transfer, and its rows and sentences."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Final, NamedTuple

from zsmem_tui.core.checks.redact import redacted, secret_words, without
from zsmem_tui.core.facts import facts as facts_in
from zsmem_tui.core.frontmatter import split_frontmatter
from zsmem_tui.core.layout import find_ref, group_word
from zsmem_tui.core.left_lines import LeftLine
from zsmem_tui.core.markdown import heading_level, heading_words
from zsmem_tui.core.notice import reasons
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import counted, listed, one_line, printable_path, raw_lines, trim
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import applying, bundles, exporting, formats, importing, taking_out, transferring
from zsmem_tui.service.formats import Format
from zsmem_tui.service.import_detection import MemorySource
from zsmem_tui.service.import_reading import Choice
from zsmem_tui.service.plan import EVERY_PROMPT, IS_THERE, Edit, Fate, Plan, Policy, Row
from zsmem_tui.service.session import Session
from zsmem_tui.service.tasks import every_project
from zsmem_tui.service.transferring import Goal
from zsmem_tui.ui import signs
from zsmem_tui.ui.dialogs.ask import ask_line, choose
from zsmem_tui.ui.plans import MARKS, Draft, Pulse, Sides, box, sides_of
from zsmem_tui.ui.tool import after
from zsmem_tui.ui.widgets.row_list import ListRow
from zsmem_tui.ui.wording import folder_name, name_in

if TYPE_CHECKING:
    from zsmem_tui.ui.dialogs.plan import PlanDialog


_LONGEST_TITLE: Final = 400
"""Maximum number of characters shown of an item."""

_MOST_NAMED: Final = 3
"""Maximum number of left-out lines, and of files of one item, that are named."""

_LOOKED_AT: Final = 4_000
"""Characters of an item that are searched for credentials; far more than are shown."""

_COUNTED: Final = 250_000
"""Characters of an item whose facts are counted."""

_MOST_KEPT: Final = 256
"""Number of items whose credentials are cached; some screens full."""

EXPLAINED: Final = (
    "The plan has a row for each thing: where it would land and why, with the changes of that file. Nothing is written before "
    "A, and u takes it back."
)


class Source(NamedTuple):
    """A choice on the screen: import from `path` (empty: ask) in this `format`, or with `out`, export to it.

    `facts` tell what is there, `of` of what, `about` more in sentences. An empty format stands for the formats not listed.
    """

    format: str
    title: str
    path: str
    facts: str
    about: str
    out: bool = False
    of: str = ""

    @property
    def key(self) -> tuple[str, str, bool]:
        """Identifies the choice."""
        return self.format, self.path, self.out

    @property
    def act(self) -> str:
        """The id of the action that it is for, beside Choose; empty for none."""
        return "" if self.format in ("", formats.BUNDLE) else "transfer.remove" if self.out else "transfer.to"


class Way(NamedTuple):
    """The wording of a transfer: for an item that `goes` or `stays`, and on a `clash` of names.

    `noun` is the word for items; with `is_in`, they go into the current store.
    """

    goes: str
    stays: str
    clash: str = "Nothing that stands there is written over."
    noun: str = "item"
    is_in: bool = False

    @property
    def is_file(self) -> bool:
        """Whether whole files are transferred unchanged."""
        return self.noun == "file"


_ASKS: Final = "I says what becomes of such."

IN: Final = Way("goes into {place}", "is not taken", _ASKS, is_in=True)
UNPACK: Final = Way("becomes {place}", "is not taken", _ASKS, "file", is_in=True)
PACK: Final = Way("goes in as it stands", "stays out", noun="file")
OUT: Final = Way("goes into {place}", "does not go out")
BACK: Final = Way("is taken out of {place}", "stays")


def detected(found: MemorySource) -> Source:
    """A source for a memory found on this machine."""
    title, place = formats.title_of(found.format), folder_name(found.path)
    facts = f"{found.new:,} of {counted(found.items, 'item')}" if not found.problem else visible_line(found.problem)
    of = "every project" if found.is_whole else "this folder"
    has = f"cannot be read: {facts}" if found.problem else f"has {counted(found.items, 'item')}; {found.new:,} would come in."
    return Source(found.format, title, found.path, facts, f"{title}'s memory in {place} {has}", of=of)


def _way_in(format: Format, is_own: bool) -> Source:
    """A source for a format of which no other memory was found (`is_own`: this one is of it); its folder will be asked for."""
    title, comes = formats.title_of(format.name), "a backup, or any folder that you name" if is_own else format.source
    about = "A memory, whole or in part, in one file." if format.one_file else f"A memory of {title} in a folder that you name."
    return Source(format.name, title, "", comes, about)


def _way_out(format: Format, is_own: bool) -> Source:
    """A target for an export; `is_own`: it already keeps this memory in its default place."""
    title, goes = formats.title_of(format.name), "a copy in a folder that you name" if is_own else format.out
    about = f"{title} takes the {format.takes} of this project."
    if format.one_file:
        about = "Every file of this memory in one .tar.gz: a backup, or the way to a new machine."
    return Source(format.name, title, "", goes, about, out=True)


def sources(
    found: Sequence[MemorySource], agents: Sequence[str], shown: Collection[bool], own: Collection[str] = ()
) -> dict[bool, list[Source]]:
    """The choices for import (False) and export (True); `own` are formats that keep this memory already.

    What was found comes first, then the first of the `agents` on this machine, by title; those that are not are folded into one
    row, unless `shown`.
    """
    there = {each.format for each in found}
    ins = [_way_in(each, formats.title_of(each.name) in agents[:1]) for each in formats.every() if each.name not in there]
    outs = [_way_out(each, each.name in own) for each in formats.every()]
    out: dict[bool, list[Source]] = {}
    for way, known, others in ((False, list(map(detected, found)), ins), (True, [], outs)):
        first = [each for each in others if each.title in agents[:1]]
        here = [each for each in others if each.format in (*formats.OF_NO_AGENT, *there) or each.title in agents]
        rest = [each for each in others if each not in here and each not in first]
        if rest and way not in shown:
            about = f"Not found on this machine: {', '.join(each.title for each in rest)}. enter lists them."
            rest = [Source("", "another agent", "", f"{len(rest)} more, not found on this machine", about, way)]
        out[way] = [*known, *first, *(each for each in here if each not in first), *rest]
    return out


def searched(source: Source) -> str:
    """The text in which a filter looks for its words: all about a choice, but only what is seen of the row that holds others."""
    return " ".join((_way(source), *(source[:5] if source.format else (source.title, source.facts))))


def _way(source: Source) -> str:
    return "Export to   " if source.out else "Import from "


def source_row(source: Source) -> ListRow:
    """Render a choice."""
    what, facts = (source.of, source.facts) if source.path else (source.facts, "")
    return ListRow([(_way(source), "text"), (source.title, "text"), (f" · {what}", "quiet")], facts)


def source_words(source: Source) -> list[str]:
    """Describe a choice."""
    if not source.format:
        return [source.about, "", EXPLAINED]
    more = {
        "transfer.remove": " d takes out of it again what was exported there and still stands as it was written.",
        "transfer.to": " c takes it straight to another agent.",
    }
    return [source.about, f"enter plans it.{more.get(source.act, '')}", "", EXPLAINED]


def item_row(row: Row, way: Way, session: Session) -> ListRow:
    """Render an item of a transfer: whether it is ticked, and its target."""
    style = "text" if row.ticked else "warn" if row.fate is Fate.CONFLICT else "quiet"
    where = visible_line(printable_path(row.place.rpartition("/")[2]))
    if way is IN and row.ref.path:
        where = name_in(row.ref, session) + (", in every prompt" if EVERY_PROMPT in row.warnings else "")
    elif way is UNPACK:
        where = visible_line(printable_path(row.ref.path)) if row.ref.path != row.source else ""
    to = "of" if way is BACK else signs.MOVED
    goes = row.fate.value if row.fate is Fate.SKIPPED or not where else f"{row.fate.value} {to} {where}"
    facts = " · ".join(filter(None, (_several(row), goes)))
    look = f"{signs.LOOK} " if row.looks else ""
    title = _without_secrets(item_title(row), f"{row.source} {row.group} {row.text[:_LOOKED_AT]}")
    return ListRow([box(row), (f"{MARKS[row.fate]} ", style), (look, "warn"), (title, style)], facts)


def _several(row: Row) -> str:
    """How many facts an item is, if it is more than the one that its title quotes; else empty."""
    count = _count_of(row.text) if "\n" in trim(row.text) else 0
    more = "at least " if len(row.text) > _COUNTED else ""
    return f"{more}{counted(count, 'fact')}" if count > 1 else ""


@lru_cache(_MOST_KEPT)
def _count_of(text: str) -> int:
    return len(facts_in(text[:_COUNTED]))


def item_title(row: Row) -> str:
    """The title of an item: the first line of its text, after its files unless it is one line of one; else its source."""
    first, names = _first_line(row.text), listed([*dict.fromkeys(map(os.path.basename, (row.source, *row.also)))], _MOST_NAMED)
    name, words = visible_line(printable_path(names)), heading_words(first) if heading_level(first) else first
    is_line = ":" in name and name.rpartition(":")[2].isdecimal() and words == first
    return f"{name} · {words}" if first and not is_line else first or visible_line(printable_path(row.source))


def row_words(row: Row, way: Way, title: str, policy: Policy, more: Sequence[str] = ()) -> list[str]:
    """What happens to an item and why, what is lost, and the beginning of its text; `title` is the agent, `more` are sentences."""
    said = [_fate(row, way, policy), *map(visible_line, (*row.losses, *row.warnings))]
    words = visible_line(one_line(_without_secrets(row.text[:_LOOKED_AT], row.text)[: 2 * _LONGEST_TITLE]))
    quoted = f"“{words if len(words) <= _LONGEST_TITLE else f'{words[:_LONGEST_TITLE]}…'}”" if words else ""
    told = [" ".join(said), *more, *filter(None, [quoted])]
    if row.cost and row.ticked:
        told.append(f"{title} has {counted(row.cost, 'byte')} more before it on every turn.")
    sources = ", ".join(visible_line(printable_path(each)) for each in dict.fromkeys((row.source, *row.also)))
    kind, _, name = row.group.partition(":")
    if way.is_file:
        return [told[0], sources, *told[1:]]
    whose = visible_line(printable_path(f"{kind} {name}" if name else row.group))
    group = f", of {whose}" if row.group and (name or row.group) not in row.source else ""
    return [*told, f"From {sources}{group}."]


def _fate(row: Row, way: Way, policy: Policy) -> str:
    """What happens to an item, as a sentence."""
    place = visible_line(printable_path(row.ref.path)) if way.is_in else folder_name(row.place)
    goes = f"It {way.goes.format(place=place)}"
    because = f": {visible_line(row.reason).rstrip('.')}" if row.reason else ""
    stays = f"It {way.stays}{because}."
    match row.fate:
        case Fate.ADD | Fate.TAKEN if row.ticked:
            return f"{goes}{because}."
        case Fate.LEFT:
            return f"{stays} space takes it{f' into {place}' if way is IN else ''}."
        case Fate.DUPLICATE if row.reason != IS_THERE and not way.is_file:
            return f"It is not written again{because}."
        case Fate.DUPLICATE:
            return f"It is not written again: {place} {'holds just this' if way.is_file else 'has it'} already."
        case Fate.IMPORTED | Fate.RETURNED:
            return f"It is not taken again{because}. space takes it into {place} all the same."
        case Fate.CONFLICT if way is IN:
            does = goes if row.ticked else f"It {way.stays}"
            return f"{does}: {_conflict(visible_line(row.reason), policy)}. {way.clash}"
        case Fate.CONFLICT:
            return f"{goes}{because}." if row.ticked else f"{stays} {way.clash}"
        case _:
            return stays


def losses(sentence: str) -> str:
    """What a format cannot keep, as a sentence."""
    return f"Lost on the way, whatever the item: {visible_line(sentence)}" if sentence else ""


def left_of(each: Row, lines: Sequence[LeftLine]) -> list[str]:
    """A sentence on the lines of the item's file that are left out, naming the first."""
    own = [line for line in lines if line.source == each.source and not line.is_changed]
    if not own or not each.ticked:
        return []
    named = [f"{line.number} {visible_line(_without_secrets(line.text, line.text))}" for line in own[:_MOST_NAMED]]
    more = f" and {len(own) - _MOST_NAMED} more" if len(own) > _MOST_NAMED else ""
    return [f"{counted(len(own), 'line')} of its file {'stays' if len(own) == 1 else 'stay'} behind: {', '.join(named)}{more}."]


def _conflict(reason: str, policy: Policy) -> str:
    """A clash of names and what the policy does with it."""
    does = ("such are left", "it gets another name", "it takes its place", "both are merged")
    return f"{reason.replace(f': {policy}', '', 1)}; {does[[*Policy].index(policy)]}"


def _first_line(text: str) -> str:
    """The first line of a text that contains words, after the frontmatter, without the sign of a list item."""
    start = text[: 4 * _LONGEST_TITLE]
    body = split_frontmatter(start.encode("utf-8", "surrogatepass"))[1].decode("utf-8", "surrogatepass")
    lines = (line for part in (body, start) for line in raw_lines(part))
    first = next((trim(visible_line(line)) for line in lines if any(map(str.isalnum, line))), "")
    return first.removeprefix("- ").removeprefix("* ")


def _without_secrets(words: str, text: str) -> str:
    """Words of an item with the credentials masked that its text contains."""
    return without(words, _secrets(text[:_LOOKED_AT]))


@lru_cache(_MOST_KEPT)
def _secrets(text: str) -> tuple[str, ...]:
    """The credentials in a text, longest first; cached, since rows are drawn with every key."""
    return tuple(sorted({*secret_words(text)}, key=len, reverse=True))


_TAKES: Final = {
    IN: ("ticks", "targets", "edits", "into", "policy", "again", "cancelled"),
    UNPACK: ("into", "policy", "without"),
    PACK: ("without", "secrets", "again", "cancelled"),
    OUT: ("without", "secrets", "again", "cancelled"),
    BACK: ("without",),
}
"""The draft's attributes that each kind of plan takes as arguments."""


_CHANGES: Final = frozenset({"plan.tick", "plan.all", "plan.fate"})
"""The actions that apply to all transfers."""

_OTHER: Final = "note"
"""The answer for a note with a given name."""


class Job(Draft):
    """A transfer from planning to its end. `format` is the other side's."""

    nothing = "There is nothing in it."

    def __init__(
        self, session: Session, title: str, way: Way, plan: Callable[..., Plan], format: str = "", *, is_ours: bool = True
    ) -> None:
        """`is_ours`: whether the session's memory is one of the two sides."""
        super().__init__(title, plan)
        self.session = session
        self.way = way
        self._is_ours = is_ours and not way.is_file
        self.targets: dict[str, str] = {}
        self.edits: dict[str, str] = {}
        self.into = ""
        self.policy = Policy.SKIP
        self.changes = _CHANGES
        if way.is_in:
            self.changes |= {"plan.regroup", "plan.policy"}
        if way is IN:
            self.changes |= {"plan.retarget", "plan.retarget_all", "plan.reword"}
        self._agent = formats.title_of(format) if format else ""

    def make(self, pulse: Pulse) -> Plan:
        """Make the plan with the person's changes, without reading the sources again. Raises `MemError`."""
        again = self.plan if self.plan.read else None
        known = {**vars(self), "without": self.left_out, "again": again, "cancelled": pulse}
        return self._plan(**{name: known[name] for name in _TAKES[self.way]})

    @property
    def _side(self) -> str:
        """The project of our side, or how many they are."""
        homes = {row.ref.project for row in self.plan.rows if row.ticked and row.ref.project} if self.way.is_in else set()
        if len(homes) > 1:
            return counted(len(homes), group_word(self.session.layout))
        return visible_line(self.session.whose(self.into or next(iter(homes), self.session.project)))

    @property
    def head(self) -> str:
        """A summary of the plan."""
        plan, every = self.plan, self.plan.rows
        whose = f" {'into' if self.way.is_in else 'of'} {self._side}" if self._is_ours else ""
        said = [f"{sum(row.ticked for row in every):,} of {counted(len(every), self.way.noun)}{whose}"]
        if self.way is IN:
            more = f", {counted(plan.lost, 'line')} more lost" if plan.lost > 0 else ""
            said.append(f"{'prompt' if len(plan.grows) == 1 else counted(len(plan.grows), 'prompt')} {plan.growth}{more}")
        elif any(plan.grows.values()):
            said.append(f"{plan.growth} on every turn")
        if self.way.is_in:
            said += [f"{signs.LOOK} {looks} to look at"] if (looks := sum(row.ticked and row.looks for row in every)) else []
            said.append(f"on conflict {self.policy} (I: {after(self.policy, list(Policy))})")
        of = " of the whole memory" if self.way is PACK else ""
        would = f"{counted(plan.files, 'file')} would change" if plan.files else "no file would change"
        grown = map(visible_line, plan.notes if self.way is IN else ())
        return "\n".join(filter(None, (f"{' · '.join(said)}{of} · {would}", *grown, super().head)))

    @property
    def notes(self) -> str:
        """Notes on what is lost."""
        plan = self.plan
        lost = [plan.rest, losses(plan.losses)]
        said = [*(reversed(lost) if self.way is IN else (*plan.notes, *lost)), *plan.left]
        return " ".join(filter(None, map(visible_line, said)))

    def draw_row(self, row: Row) -> ListRow:
        """Render an item."""
        return item_row(row, self.way, self.session)

    def agent_of(self, edit: Edit) -> str:
        """The title of the agent whose file changes; what goes out is as that agent keeps it, in any folder."""
        return self._agent if self._agent and not self.way.is_in else super().agent_of(edit)

    def row_words(self, row: Row) -> list[str]:
        """What happens to an item and why, in sentences."""
        plan = self.plan
        words = row_words(row, self.way, self._agent, self.policy, left_of(row, plan.left_lines))
        words += ["m takes it into a note of the project instead."] if EVERY_PROMPT in row.warnings else []
        shown = printable_path(row.source)
        secrets = [f"Line {each.line} {reasons([each])}." for each in plan.gate.found if each.place == shown]
        return [*words, *(secrets if row.ticked else ())]

    def row_sides(self, row: Row) -> Sides:
        """Both versions of the file that an item changes; for one that is not taken, its text. Raises `MemError`."""
        edit = self.plan.of_row(row)
        source, place = (folder_name(each) for each in (row.source, row.ref.path if self.way.is_in else row.place))
        if self.way.is_file:
            where = "in the bundle" if self.way is UNPACK else "as it goes into the bundle"
            name = f"{source}{' ' if self.way is UNPACK else ', '}{where}"
            return Sides(name, *redacted(edit and edit.before, edit.after if edit else b""))
        if edit is None or not row.ticked:
            name = place if self.way is BACK else source
            texts = (row.made if row.fate is Fate.CONFLICT else "", row.text)  # what is in the way, beside what came
            sides = redacted(*(each.encode("utf-8", "replace") for each in texts))
            return Sides(f"{name}: {self.way.stays.removeprefix('is ')}", *sides)
        return sides_of(f"{place}, as it would be", edit)

    async def reword(self, dialog: PlanDialog, number: int) -> bool:
        """Ask for another text for an item."""
        item = self.plan.rows[number]
        if "\n" in item.text.strip("\n"):
            dialog.warn("It has several lines: take it, then edit the file.")
            return False
        answer = await ask_line(dialog.place, "Edit", "The words to take:", item.text.strip("\n"), mend=True)
        if not answer or not trim(answer):
            return False
        self.edits[item.key] = answer + ("\n" if item.text.endswith("\n") else "")
        return True

    async def retarget(self, dialog: PlanDialog, *numbers: int) -> bool:
        """Ask for another target file for items; of several, what becomes a note of its own does so still."""
        items = [self.plan.rows[number] for number in numbers]
        mem, layout = self.session.mem(self.into or self.session.project), self.session.layout
        roles = ((Role.FACTS, ""), (Role.INDEX, ""), (Role.CHECKLIST, ""), (Role.LOG, mem.today))
        targets = [ref for role, name in roles if (ref := layout.ref(role, mem.project, name)) is not None]
        answers = [(ref.path, visible_line(printable_path(ref.path))) for ref in targets]
        answers += [(_OTHER, "A note, under a name that you give")] if layout.ref(Role.NOTE, mem.project, "note") else []
        answer = await choose(dialog.place, "To another file", "Take it into:", answers)
        if answer == _OTHER:
            name = trim(await ask_line(dialog.place, "Note", "The name of the note:", items[0].ref.name) or "")
            file = name.replace("/", "-").replace(".", "-")
            answer = self.session.place_of(Role.NOTE, mem.project, file).path if name else None
        if not answer or not find_ref(self.session.layout, answer):
            return False
        self.targets |= {item.key: answer for item in items if len(items) == 1 or item.ref.role is not Role.NOTE}
        return True

    async def regroup(self, dialog: PlanDialog, *numbers: int) -> bool:
        """Ask for the project that everything goes into."""
        slugs, own = await asyncio.to_thread(every_project, self.session), self.session.project
        answers = [(slug, visible_line(self.session.group_name(slug))) for slug in dict.fromkeys([self.into or own, own, *slugs])]
        answer = await choose(dialog.place, "Into", "Everything goes into:", answers, names=True)
        self.into = answer or self.into
        return answer is not None

    def turn_policy(self) -> None:
        """Switch to the next way to treat names that are taken."""
        self.policy = after(self.policy, list(Policy))

    def apply(self, texts: dict[str, bytes], pulse: Pulse) -> VerbResult:
        """Apply the plan as one step, with the `texts` chosen for conflicts. Raises `MemError`."""
        done = applying.apply(replace(self.plan, decided=texts), cancelled=pulse)
        if self.way is not OUT or not done.changed:
            return done
        places = [edit.place for edit in self.plan.changes]
        folder = folder_name(os.path.commonpath([os.path.dirname(place) for place in places]))
        items = counted(sum(row.ticked for row in self.plan.rows), "item")
        message = f"Exported {items} to {self._agent}: {counted(len(places), 'file')} in {folder}."
        return replace(done, message=message, warning=False)


def bring_in(session: Session, name: str, path: str, choice: Choice | None = None) -> Job:
    """A transfer from another agent's memory into ours."""
    plan = partial(importing.plan, session, formats.of_agent(name), path, choice=choice)
    return Job(session, f"Import from {formats.title_of(name)}", IN, plan, name)


def unpack(session: Session, path: str) -> Job:
    """A transfer from a bundle into our store."""
    title = f"Import of {folder_name(os.path.basename(path))}"
    return Job(session, title, UNPACK, partial(bundles.plan, session, path))


def pack(session: Session, path: str) -> Job:
    """A transfer from our store into a bundle."""
    return Job(session, f"Bundle {folder_name(path)}", PACK, partial(bundles.plan_out, session, path))


def take_to(session: Session, goal: Goal) -> Job:
    """A transfer from our memory to another agent."""
    plan = partial(exporting.plan, session, goal.format, goal.path, group=goal.group, user=goal.user)
    return Job(session, f"Export to {formats.title_of(goal.format.name)}", OUT, plan, goal.format.name)


def carry(session: Session, name: str, path: str, goal: Goal) -> Job:
    """A transfer from one agent directly to another."""
    title = f"{formats.title_of(name)} to {formats.title_of(goal.format.name)}"
    plan = partial(transferring.plan, session, formats.of_agent(name), path, goal)
    return Job(session, title, OUT, plan, goal.format.name, is_ours=False)


def take_back(session: Session, goal: Goal) -> Job:
    """A transfer that removes what was exported to another agent."""
    plan = partial(taking_out.plan, session, goal.format, goal.path, group=goal.group, user=goal.user)
    return Job(session, f"Take out of {formats.title_of(goal.format.name)} again", BACK, plan, goal.format.name)
