"""Text and rows for facts. Pure functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from zsmem_tui.core.checks.checkup import Checkup
from zsmem_tui.core.checks.secret import masked
from zsmem_tui.core.fact_prompt import Effect
from zsmem_tui.core.fold import fold_text, terms_of
from zsmem_tui.core.preview import Prompt
from zsmem_tui.core.text import counted, grouped, printable_path
from zsmem_tui.core.visible import visible_line
from zsmem_tui.core.whole_words import marks as occurrences
from zsmem_tui.service.facts.acts import Target
from zsmem_tui.service.facts.provenance import BEFORE, YOU
from zsmem_tui.service.facts.rows import FactRow
from zsmem_tui.service.session import Session
from zsmem_tui.ui import signs
from zsmem_tui.ui.signs import FACT_SIGNS, FACT_WORDS
from zsmem_tui.ui.widgets.row_lines import MOST_LINES
from zsmem_tui.ui.widgets.row_list import ListRow
from zsmem_tui.ui.wording import AGE_GROUPS, BELOW, WIDER, age, age_group, ago, name_in, size, title_of

OLD_DAYS: Final = 30
"""Days after which a fact counts as old."""

OLD: Final = f"older than {OLD_DAYS} days"

_KINDS: Final[Mapping[str, Callable[[FactRow], bool]]] = {
    "lost or cut": lambda row: row.prompt in (Prompt.LOST, Prompt.CUT),
    "not loaded": lambda row: row.prompt is Prompt.NEVER,
    "new": lambda row: row.is_new,
    "yours": lambda row: row.author == YOU,
    "others'": lambda row: row.author not in ("", YOU, BEFORE),
    "twice": lambda row: row.twice,
}

WAYS: Final = {
    "which": ("all", *_KINDS, OLD),
    "group": ("place", "prompt", "author", "age", "size", "none"),
    "order": ("place", "age", "author", "size", "prompt"),
}
"""The view settings with their values."""

Key = tuple[str, int, str]
"""Identifies a fact until its file changes (`FactRow.key`)."""

FactId = tuple[str, str, tuple[str, ...], int]
"""Identifies a fact even if line numbers change: path, text, headings, and its index among equal ones."""

WIDE: Final = 100
"""Width of the list from which a row also shows tokens and the file."""

_STYLES: Final = {Prompt.WHOLE: "added", Prompt.CUT: "warn", Prompt.LOST: "removed", Prompt.NEVER: "quiet"}
_WHY: Final = {Prompt.LOST: "past the agent's limit", Prompt.CUT: "the agent loads a part of it"}
_DAY_NS: Final = 86_400 * 10**9
_SIZES: Final = ((1_000_000_000, 4_096, "4 KB and more"), (4_096, 1_024, "1 to 4 KB"), (1_024, 256, "256 bytes to 1 KB"))
_SMALL: Final = "Less than 256 bytes"
_LAST: Final = 1 << 62
_SHOWN: Final = 2_000
"""Maximum number of characters of a fact that are rendered in a row."""

_BY_STATE: Final = (Prompt.LOST, Prompt.CUT, Prompt.WHOLE, Prompt.NEVER)

_SORTED_BY: Final[Mapping[str, Callable[[FactRow], Any]]] = {
    "age": lambda row: row.since or _LAST,
    "author": lambda row: row.author or "\uffff",
    "size": lambda row: -row.size,
    "prompt": lambda row: _BY_STATE.index(row.prompt),
}


def fact_id(row: FactRow) -> FactId:
    """The id of a fact, valid as long as its text is unchanged."""
    return (row.key[0], row.fact.says, row.fact.headings, row.fact.nth)


def searched(rows: Sequence[FactRow]) -> list[bytes]:
    """The folded text that the filter searches, for each row: text, headings and path."""
    texts = [" ".join((row.fact.says, *row.fact.headings, row.ref.path)).replace("\n", " ") for row in rows]
    return fold_text("\n".join(texts)).split(b"\n") if texts else []


def kept(rows: Sequence[FactRow], which: str, wanted: str, folded: Callable[[], Mapping[Key, bytes]], now_ns: int) -> list[FactRow]:
    """The facts of a kind that contain every word of the filter; `folded` returns the searched texts by key."""
    is_of_kind = _KINDS.get(which, lambda row: bool(row.since) and now_ns - row.since > OLD_DAYS * _DAY_NS)
    found = rows if which == "all" else list(filter(is_of_kind, rows))
    needles = terms_of(wanted)
    if not needles:
        return list(found)
    texts = folded()
    for needle in needles:
        found = [row for row in found if needle in texts[row.key]]
    return list(found)


def arranged(rows: Sequence[FactRow], group: str, order: str, now_ns: int, session: Session) -> list[Key | str]:
    """The keys to show, grouped and sorted, with headings that begin with a NUL."""
    by = _SORTED_BY.get(order)
    ordered = sorted(rows, key=by) if by is not None else rows
    if group == "none":
        return [row.key for row in ordered]
    places: dict[tuple[str, tuple[str, ...]], str] = {}

    def name_of(row: FactRow) -> str:
        match group:
            case "place":
                about = (row.ref.path, row.fact.headings)
                if about not in places:
                    places[about] = BELOW.join([title_of(row.ref, session), *row.fact.headings])
                return places[about]
            case "prompt":
                return _state(row.prompt)
            case "author":
                return row.author or "nobody knows who"
            case "size":
                return next((name for _, least, name in _SIZES if row.size >= least), _SMALL)
        return age_group(row.since, now_ns)

    groups: dict[str, list[Key | str]] = grouped((name_of(row), row.key) for row in ordered)
    names = {"prompt": map(_state, _BY_STATE), "age": AGE_GROUPS, "size": [*(name for _, _, name in _SIZES), _SMALL]}
    return [key for name in names.get(group, groups) if name in groups for key in (f"\0{name}", *groups[name])]


def fact_row(
    row: FactRow, *, is_wanted: bool, group: str, now_ns: int, width: int, session: Session, checkup: Checkup, words: str = ""
) -> ListRow:
    """Render a fact: state in the prompt and text; at the right what is special, author, age and size.

    Of a long text, the part with the first of these `words` of the filter is shown.
    """
    special = [word for word, is_so in (("keep", is_wanted), ("new", row.is_new), ("twice", row.twice)) if is_so]
    special += [title_of(row.ref, session)] if width >= WIDE and group != "place" else []
    special += [f"{visible_line(row.author):.15}"] if row.author not in ("", BEFORE) else []
    is_found = not checkup.lines_of(row.ref).isdisjoint(range(row.fact.line, row.fact.stop))
    marks = " · ".join([*([f"{signs.LOOK} doctor"] if is_found else []), *special])
    columns = f"{age(row.since, now_ns):>4} {size(row.size):>5}{f' {row.tokens:>4} tok' if width >= WIDE else ''}"
    facts = f"{marks} {columns}" if marks else columns
    text = visible_line(masked((row.fact.says or row.fact.text.strip())[:_SHOWN]))
    room = width - len(facts) - len("  …")
    found = occurrences(text, [term.decode("utf-8", "surrogateescape") for term in terms_of(words)])
    if found and found[0][1] > MOST_LINES * room:
        text = f"…{text[max(found[0][0] - room // 2, 0) :]}"
    sign = (f"{FACT_SIGNS[row.prompt]} ", _STYLES[row.prompt])
    return ListRow([sign, (" " * min(row.fact.indent, 8), "text"), (text, "text")], facts)


def _state(prompt: Prompt) -> str:
    return f"{FACT_SIGNS[prompt]} {FACT_WORDS[prompt]}".lstrip()


def _since(row: FactRow, now_ns: int) -> str:
    """When a fact got its words, and from whom; of one older than the history, at what age its file was first seen."""
    when = ago(row.since, now_ns).replace("now", "just now")
    if row.author == BEFORE:
        return f"written before zsmem saw it{'' if when == 'just now' else f', at least {when}'}"
    return f"written {when} by {visible_line(' and '.join((row.author, *row.others)))}"


def detail(row: FactRow, now_ns: int, session: Session, *, is_wanted: bool) -> str:
    """Everything known about a fact except its text: the place, and on a line of its own the rest."""
    fact = row.fact
    place = BELOW.join([title_of(row.ref, session), *map(visible_line, fact.headings)])
    why = f"{row.reason}; m or + moves it" if row.reason and row.is_out else row.reason or _WHY.get(row.prompt, "")
    parts = [_state(row.prompt) + (f": {visible_line(why)}" if why else "")]
    parts += ["marked to stay in the prompt"] if is_wanted else []
    parts += [_since(row, now_ns)] if row.since else []
    parts += ["new since the last review"] if row.is_new else []
    parts += ["its words stand twice"] if row.twice else []
    parts += [f"{counted(row.size, 'byte')}, {counted(row.tokens, 'token')}"]
    parts += [f"{fact.lines:,} lines"] if fact.lines > 1 else []
    return f"{place} · line {fact.line + 1}\n{' · '.join(parts)}"


def legend(rows: Iterable[FactRow]) -> str:
    """The number of facts in each state, with the signs."""
    count = Counter([each.prompt for each in rows])
    cut = count[Prompt.CUT]
    lost = f"{signs.LOST} {count[Prompt.LOST] + cut} lost{f', {cut} of them {signs.CUT} cut' if cut else ''}"
    lost = lost if count[Prompt.LOST] or not cut else f"{signs.CUT} {cut} cut"
    return f"{count[Prompt.WHOLE]} loaded · {lost} · {signs.NOT_LOADED} {count[Prompt.NEVER]} not loaded by design"


def title(which: str, group: str, order: str, shown: int | None, of: int) -> str:
    """The list's title; `shown` is the number of facts, None if not known yet, and `of` how many there are in all."""
    kind = f" · {which}" if which != "all" else ""
    by = f" · by {group}" if group != "none" else ""
    sort = f" · {order} first" if order in ("size", "prompt") else f" · sorted by {order}" if order != "place" else ""
    count = "reading the rest …" if shown is None else f"{f'{shown:,} of ' * (shown != of)}{counted(of, 'fact')}"
    return f"Facts · {count}{kind}{by}{sort}"


def nothing(some: bool, which: str, wanted: str, others: int = 0, first: str = "", *, is_of_all: bool = False) -> str:
    """The text for an empty list. `some`: there are facts of other kinds, `others` of which match the filter.

    `first` is the file that a first fact goes to, if there is one; `is_of_all`: all memories are shown.
    """
    if wanted and others:
        holds = f"{counted(others, 'fact')} {'holds' if others == 1 else 'hold'} {visible_line(wanted)!r}"
        return f"{holds}, none of them under “{which}”. f shows others, esc drops the filter."
    if wanted:
        wider = "" if is_of_all else f"; enter, then {WIDER}"
        return f"No fact here holds {visible_line(wanted)!r}. esc drops the filter{wider}."
    if some:
        return f"No fact is under “{which}”. f shows others{'' if is_of_all else f', {WIDER}'}."
    adds = f". a adds one to {visible_line(first)}; lines" if first else ": lines"
    return f"No fact yet{adds} that an agent writes to the memory show up here{', too' if first else ''}."


def unread(path: str, reason: str, session: Session) -> str:
    """What is said of a file that cannot be read: its title, and the reason without its path."""
    why = reason.rpartition(": ")[2]
    said = why.removeprefix(printable_path(session.path(session.ref_at(path))))
    return f"{title_of(session.ref_at(path), session)}{said if said != why else f': {why}'}"


def target_label(target: Target, project: str, session: Session, agent: str | None = None) -> str:
    """The label of a target; if `agent` is given (empty: the only agent), with the group. Slow: it looks for the file."""
    below = target.place if isinstance(target.place, tuple) else ()
    name = name_in(target.ref, session, project) if agent is None else title_of(target.ref, session)
    new = "" if session.has(target.ref) else " (new)"
    return BELOW.join([f"{agent} · {name}" if agent else name, *map(visible_line, below)]) + new


def effect_lines(effect: Effect, most: int) -> list[tuple[str, str]]:
    """The lines that the prompt gains and loses, at most `most` of each, as (text, style)."""
    out: list[tuple[str, str]] = []
    for sign, style, found in (("+", "added", effect.gained), ("-", "removed", effect.dropped)):
        if not most:
            continue
        out += [(f"  {sign} {visible_line(masked(text.strip()[:_SHOWN]))}", style) for text in found[:most]]
        if len(found) > most:
            out.append((f"  {sign} … {len(found) - most} more", "quiet"))
    return out
