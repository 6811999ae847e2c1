"""Text and rows for prompts and their costs. Pure functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from zsmem_tui.config.locate import shortened
from zsmem_tui.core.checks.secret import masked
from zsmem_tui.core.context import LeftOut
from zsmem_tui.core.moments import clock_time
from zsmem_tui.core.preview import BlockRow, Loss, Preview, Prompt, State, Use
from zsmem_tui.core.profile import Profile
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.text import counted, grouped, of_cap, plural, printable_path, raw_lines, trim
from zsmem_tui.core.text import listed as names_listed
from zsmem_tui.core.visible import visible, visible_line
from zsmem_tui.service.previewing import Subject
from zsmem_tui.ui import signs
from zsmem_tui.ui.widgets.row_list import ListRow
from zsmem_tui.ui.wording import fenced, part_of, size

Show = str
"""The filter of a prompt: `all`, `lost` lines only, or the path of one section."""


class Key(NamedTuple):
    """A row of the list: its kind and its index, and by what it is found again: a path and, of a lost line, the text."""

    kind: str
    number: int
    path: str = ""
    text: str = ""


Says = tuple[str, str]
"""Identifies a row of the block after lines have moved: its path and text."""

MOST_LISTED: Final = 5_000
"""Maximum number of lost lines in the list; the block shows all."""

BAR_CELLS: Final = 10

_BEYOND: Final = ("apart", "unread", "unreadable")
"""The files of which nothing is in the prompt, by how agents get at them."""

_NOT_WHOLE: Final = "Not whole in the prompt: "
"""The beginning of the heading over the lost lines."""

_MOST_NAMED: Final = 3
"""The most unreadable files that are named."""

HIGH: Final = 32
"""Height of the terminal from which what is above the list is drawn, too."""

_MARKS: Final = {State.WHOLE: signs.LOADED, State.TRUNCATED: signs.CUT}


def row(key: Key, seen: Preview | None, *, has_search: bool = False) -> ListRow:
    """Render a row of the list: a section, its bar, a heading, a lost line, or what is not in the prompt (`apart`)."""
    kind, number, *_ = key
    assert seen is not None
    if kind == "use":
        return use_row(seen.uses[number], seen)
    if kind == "bar":
        return bar_row(seen.uses[number], seen)
    if kind == "more":
        return ListRow([(f"… and {number} more: the block shows them all", "quiet")], heading=True)
    if kind == "beside" and seen.is_of_each and number > 1:
        return ListRow([(f"{counted(number, 'instruction file')}: each agent reads its own", "head")], heading=True)
    if kind == "beside":
        told, count = f"In the prompt{', too' * bool(seen.size)}: {counted(number, 'instruction file')}", seen.told_size
        whole = f" + block {size(seen.size)} = {size(count + seen.size)}" if seen.size else ""
        return ListRow([(told, "head")], f"{size(count)}{whole}", heading=True)
    if kind in _BEYOND:
        took = size(sum(entry.size for entry in getattr(seen, kind)))
        return ListRow([(_beyond(seen, has_search=has_search)[kind], "head")], took, heading=kind != "apart")
    if kind == "told":
        place, text, _ = seen.beside[number]
        return ListRow([("  ", "text"), (visible_line(printable_path(shortened(place))), "text")], size(len(text.encode())))
    if kind == "why":
        return ListRow([(f"{visible_line(seen.lost[number].reason)}:", "quiet")], heading=True)
    if kind == "head":
        return ListRow([(f"{_NOT_WHOLE}{seen.loss(seen.lost[number].path if number >= 0 else '')}", "head")], heading=True)
    return lost_row(seen.lost[number])


def line_marks(found: Iterable[Prompt | None]) -> str:
    """The gutter mark of each line of a file; blank for none."""
    return "".join(signs.FACT_SIGNS[each] if each else " " for each in found)


def in_full(seen: Preview, warnings: Sequence[str]) -> str:
    """A page with the warnings, the agent's rule for cutting, and all lost lines with reasons."""
    parts = [f"- ! {visible(warning)}" for warning in warnings]
    parts += ["", visible(seen.rule)] if seen.rule else []
    if not warnings:
        parts.insert(0, "No warning.")
    if seen.lost:
        parts += ["", f"# {_NOT_WHOLE}{seen.loss()}"]
    by_reason = grouped((each.reason or "the block is full, or the file too large", each) for each in seen.lost[:MOST_LISTED])
    for reason, own in by_reason.items():
        marks = (f"{signs.CUT} cut" if each.cut else signs.LOST for each in own)
        lines = (visible_line(f"{each.path}:{each.line + 1} {masked(trim(each.text))}") for each in own)
        told = [f"{mark} {line}" for mark, line in zip(marks, lines, strict=True)]
        parts += ["", f"## {counted(len(own), 'line')}: {visible_line(reason)}", "", fenced(told)]
    if len(seen.lost) > MOST_LISTED:
        parts += ["", f"… and {len(seen.lost) - MOST_LISTED} more: the block shows them all."]
    return "\n".join(parts) + "\n"


def title(about: Subject, *, is_daily: bool, differs: bool) -> str:
    """The title: if the prompt differs by day, of which day or moment, and if it `differs` by profile, in which."""
    day = f"as of {clock_time(about.at.when)}" if about.at is not None else (about.day or "today") if is_daily else ""
    profile = profile_words(about.profile) if is_daily and (differs or about.profile is not Profile.DOCUMENTED) else ""
    return " · ".join(filter(None, ("What the agent sees", day, profile)))


def profile_words(profile: Profile) -> str:
    """A profile in words."""
    return "as docs say" if profile is Profile.DOCUMENTED else f"as {profile.rpartition('-')[2]} does"


def cap_of(seen: Preview) -> str:
    """The cap of a prompt, in the agent's unit."""
    if not seen.cap:
        return "no prompt" if seen.text is None and not seen.beside else "no cap"
    if not seen.rule:
        return f"at most {kilobytes(seen.cap)}"
    of = " of each file" if len(seen.meters) > 1 else f" of {visible_line(seen.of)}" if seen.of else ""
    return f"at most {seen.cap:,} {seen.unit}{of}"


def listed(seen: Preview, show: Show) -> list[Key]:
    """The rows of the list: sections with their bars, what is in the prompt, too, and what is not; then lost lines."""
    uses = [(number, use.path) for number, use in enumerate(seen.uses) if show == "all" or show == use.path]
    found = [Key(kind, *use) for use in uses for kind in ("use", "bar")] if show != "lost" else []
    if show == "all" and seen.beside:
        found += [Key("beside", len(seen.beside)), *(Key("told", number, told.path) for number, told in enumerate(seen.beside))]
    lost = [number for number, each in enumerate(seen.lost) if show in ("all", "lost", each.path)]
    if show == "all" and (found or lost):  # an empty list says it in its own words
        found += [Key(each, 0) for each in _BEYOND if getattr(seen, each)]
    if lost:
        found.append(Key("head", lost[0] if show not in ("all", "lost") else -1))
        by_reason = grouped((seen.lost[number].reason, number) for number in lost[:MOST_LISTED])
        for reason, own in by_reason.items():
            found += [Key("why", own[0])] if reason else []
            found += [Key("lost", number, seen.lost[number].path, trim(seen.lost[number].text)) for number in own]
    if len(lost) > MOST_LISTED:
        found.append(Key("more", len(lost) - MOST_LISTED))
    return found


def _beyond(seen: Preview, *, has_search: bool) -> dict[str, str]:
    """What is said of the files that are not in the prompt: how many, by what they are, and how the agent gets at them."""
    count = Counter(entry.ref.role for entry in seen.apart)
    others = count.total() - count[Role.NOTE] - count[Role.LOG]
    named = (count[Role.NOTE], "note"), (count[Role.LOG], "daily log"), (others, "other file")
    how = "searched" if has_search else "read"
    names = [visible_line(printable_path(entry.ref.path.rpartition("/")[2])) for entry in seen.unreadable]
    said = {
        "apart": f"Not in the prompt, {how} on demand: {', '.join(counted(number, noun) for number, noun in named if number)}",
        "unread": f"Lost, read by no agent: {counted(len(seen.unread), 'file')}",
        "unreadable": f"Not readable: {names_listed(names, _MOST_NAMED)}",
    }
    return {kind: words for kind, words in said.items() if getattr(seen, kind)}


def shown_rows(seen: Preview, show: Show) -> list[BlockRow]:
    """The rows of the block for a filter."""
    if show == "all" or (show == "lost" and not seen.lost):
        return [*seen.rows, *_instruction_rows(seen)]
    if show == "lost":
        return [row for row in seen.rows if row.lost]
    return [row for row in seen.rows if row.section >= 0 and seen.uses[row.section].path == show]


def in_all(seen: Preview) -> str:
    """All that is in the prompt as it is shown: the block, then the instruction files. Empty for nothing."""
    return "\n".join([*([seen.text] if seen.text else []), *(row.whole for row in _instruction_rows(seen))])


def _instruction_rows(seen: Preview) -> Iterator[BlockRow]:
    """The rows for the instruction files that are in the prompt beside the block, or in those of the agents that read them."""
    where = "In the prompt of each agent that reads it" if seen.is_of_each else "In the prompt, too"
    for told in seen.beside:
        yield from (BlockRow(""), BlockRow(f"## {where}: {printable_path(shortened(told.path))}"))
        for number, line in enumerate(raw_lines(told.text.rstrip("\n"))):
            yield BlockRow(line, path=told.path, line=number)
            yield from (BlockRow(f"! {word} is not there: nothing is imported") for at, word in told.dead if at == number)


class Held:
    """Finds the cursor's place in a changed block: the same row, or if it is gone, the next remaining one.

    If a row that disappeared under the cursor comes back, as after undo, the cursor returns to it.
    """

    def __init__(self) -> None:
        self._gone: Says | None = None

    def row(self, before: Sequence[BlockRow], cursor: int, now: Sequence[BlockRow]) -> int:
        """The new index of the cursor."""
        old, new = ([(row.path, trim(row.whole)) for row in rows] for rows in (before, now))
        if self._gone is not None and self._gone in new and self._gone not in old:
            return new.index(self._gone)
        places = grouped((words, at) for at, words in enumerate(new))
        for words in (*old[cursor:], *reversed(old[:cursor])):
            if words[1] and words in places:
                if cursor < len(old) and words != old[cursor]:
                    self._gone = old[cursor]
                return min(places[words], key=lambda at: abs(at - cursor))
        return min(cursor, max(len(new) - 1, 0))


def shown(seen: Preview, show: Show) -> str:
    """The filter in words, for the list's border."""
    if show == "all":
        return "f lost only" if seen.lost else ""
    name = next((use.title for use in seen.uses if use.path == show), show)
    return "lost lines only · f" if show == "lost" else f"only {visible_line(name)} · f"


def nothing(seen: Preview, show: Show, *, has_search: bool) -> str:
    """The text for an empty list."""
    if show == "lost" and seen.uses:
        return f"{seen.closed or 'No line is lost'}. f shows all."
    would = "Long-term memory, open checklist items and the latest logs would: esc, then a, adds one."
    beyond = "".join(f"\n\n{words} [7]." for words in _beyond(seen, has_search=has_search).values())
    return f"No memory goes into the prompt.\n\n{seen.rule or would}{beyond}"


def kilobytes(count: int) -> str:
    """A number of bytes, with a decimal from 1,000 on, for comparisons."""
    return size(count) if count < 1000 else f"{count / 1024:.1f}K"


def bar(part: int, whole: int) -> str:
    """A bar that shows the share `part` of `whole`; blank for a share that is too small for one."""
    full = 0 if not whole else min(BAR_CELLS, round(part * BAR_CELLS / whole))
    return signs.BAR_PARTS[0] * full + (signs.BAR_FREE if full else " ") * (BAR_CELLS - full)


def use_row(use: Use, seen: Preview) -> ListRow:
    """Render a section with its state; with its path if titles are not unique."""
    style = "text" if use.state is State.WHOLE else "warn"
    state = "" if use.state is State.WHOLE else f"{use.state.says}, {size(use.full)} in all"
    is_double = sum(each.title == use.title for each in seen.uses) > 1
    place = f" {visible_line(printable_path(shortened(use.path)))}" if is_double else ""
    return ListRow([(f"{_MARKS.get(use.state, signs.LOST)} ", style), (visible_line(use.title), style), (place, "quiet")], state)


def bar_row(use: Use, seen: Preview) -> ListRow:
    """Render the size of a section, below its name."""
    meter = next((each for each in seen.meters if each.path == use.path), None)
    if meter is not None:
        filled, told = bar(meter.used, meter.cap), f"{of_cap(meter.used, meter.cap, seen.unit)}, {use.tokens:,} tokens"
        return ListRow([("  ", "text"), (filled, "mark"), (f"  {told}", "quiet")], heading=True)
    took = use.took if seen.rule else use.size
    share = f" {took * 100 // seen.cap:>3}%" if seen.cap else ""
    if share == " 100%" and use.state is not State.WHOLE:  # elsewhere, the percentage is that of what it would take
        share = " full"
    count = f"{use.lines:,} of {use.total:,}" if use.lines != use.total else f"{use.total:,}"
    of = "" if seen.unit == "lines" else " of text"  # only a cap of lines counts blank ones, too
    lines = "no line" if use.state is State.UNREADABLE else f"{count} {plural('line', use.total)}{of}"
    facts = f"  {size(use.size):>5}{share}  {lines}, {use.tokens:,} tokens"
    return ListRow([("  ", "text"), (bar(took, seen.cap or seen.needed), "mark"), (facts, "quiet")], heading=True)


def lost_row(lost: LeftOut) -> ListRow:
    """Render a lost line with its place."""
    name = printable_path(lost.path).rpartition("/")[2]
    mark = (f"{signs.CUT} cut ", "warn") if lost.cut else (f"{signs.LOST} ", "warn")
    return ListRow([mark, (f"{visible_line(name)}:{lost.line + 1} ", "quiet"), (visible_line(masked(trim(lost.text))), "text")])


def difference(profile: Profile, here: Preview, there: Preview) -> str:
    """A sentence on how the prompt differs in another profile."""
    lost_here, lost_there = ({(lost.path, lost.line) for lost in each.lost} for each in (here, there))
    more, fewer = len(lost_here - lost_there), len(lost_there - lost_here)
    order = "in another order" if [use.title for use in here.uses] != [use.title for use in there.uses] else "in the same order"
    return f"{profile_words(profile).capitalize()}: {here.size - there.size:+,} bytes, {order}, {more:,} more lost, {fewer:,} fewer"


def meter(seen: Preview, ref: MemRef) -> str:
    """How full the prompt would be with the text in the editor, and what would be lost first."""
    if seen.rule:
        return _meter_by_rule(seen, ref)
    if ref.role is None and ref.project:
        return "Not in the prompt, nor searched: no agent reads it."
    if ref.role is Role.NOTE or ref.role is None:
        return "Not in the prompt: the agent finds this by searching."
    if ref.path not in [use.path for use in seen.uses] and ref.role is Role.LOG and seen.text:
        return f"This log is not in today's prompt, which takes {part_of(seen.needed, seen.cap)} of {size(seen.cap)}."
    if seen.lost:
        return _lost_first(
            seen, seen.loss(), f"{seen.needed - seen.cap} bytes over" if seen.needed > seen.cap else "too large to be loaded"
        )
    there = [use for use in seen.uses if use.size]
    falls = f" · first to fall: {there[-1].title}" if there else ""
    return f"{max(seen.cap - seen.needed, 0):,} bytes left of {size(seen.cap)}{falls}"


def _meter_by_rule(seen: Preview, ref: MemRef) -> str:
    """The meter for agents with caps of their own."""
    if ref.role is Role.INSTRUCTIONS:
        return "Instructions, not memory: the agent reads them beside it."
    if ref.path not in [use.path for use in seen.uses]:
        return f"Not in the prompt. {seen.rule}"
    own = next((each for each in seen.meters if each.path == ref.path), None)
    used, cap, of = (own.used, own.cap, own.of) if own is not None else (seen.needed, seen.cap, seen.of)
    words = f" of {visible_line(of)}" if of else ""
    lost = [each for each in seen.lost if each.path == ref.path] if own is not None else list(seen.lost)
    loss = seen.loss(ref.path if own is not None else "")
    if not cap:
        return f"{of_cap(used, cap, seen.unit, words.removeprefix(' of '))}, all in the prompt"
    if used > cap:
        over = f"{used - cap:,} {seen.unit} over the {cap:,}{words}"
        return _lost_first(seen._replace(lost=tuple(lost)), loss, over) if lost else f"! {over}"
    if lost:
        return _lost_first(seen._replace(lost=tuple(lost)), loss, f"{used:,} of {cap:,} {seen.unit}{words}, but {lost[0].reason}")
    return f"{cap - used:,} {seen.unit} left of {cap:,}{words}{f', and {seen.other}' if seen.other else ''}"


def _lost_first(seen: Preview, loss: Loss, why: str) -> str:
    first = seen.lost[0]
    name = printable_path(first.path).rpartition("/")[2]
    return f"! {why}: {loss}, the first {visible_line(name)}:{first.line + 1} {visible_line(trim(first.text))}"
