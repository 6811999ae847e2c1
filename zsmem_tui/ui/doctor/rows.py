"""Text and rows for the doctor's findings. Pure functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import chain
from typing import Final, NamedTuple

from zsmem_tui.core.checks.checkup import Checkup
from zsmem_tui.core.checks.contradiction import CONTRADICTION
from zsmem_tui.core.checks.duplicates import DUPLICATE, NEAR_DUPLICATE, PAID_TWICE
from zsmem_tui.core.checks.finding import MOST_OF_ONE, Finding, Level
from zsmem_tui.core.checks.redact import shown, without
from zsmem_tui.core.checks.stale import STALE
from zsmem_tui.core.checks.structure import HIDDEN_ITEM
from zsmem_tui.core.fold import holds, terms_of
from zsmem_tui.core.text import counted, plural, printable_path, raw_lines, trim
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service.session import Session
from zsmem_tui.ui import signs
from zsmem_tui.ui.open_store import is_of
from zsmem_tui.ui.widgets.row_list import ListRow
from zsmem_tui.ui.wording import name_in, named_fault, title_of

GROUPS: Final = ("rule", "file", "project")
WHICH: Final = ("to decide", "ignored", "all")

SIGNS: Final = {Level.ERROR: signs.DANGER, Level.WARNING: signs.LOOK, Level.INFO: signs.UNSURE}
"""The sign for each level, so that it is not shown by colour alone."""

_STYLES: Final = {Level.ERROR: "removed", Level.WARNING: "warn", Level.INFO: "quiet"}

MOST_ROWS: Final = 5_000
"""Maximum number of findings listed."""

MOST_PLACES: Final = 20
"""Maximum number of places named of findings that say the same."""

_SOUGHT: Final = 1_000
"""Characters of a finding's quoted text that the filter searches."""

_ABOUT_A_LINE: Final = (DUPLICATE, NEAR_DUPLICATE, CONTRADICTION, STALE, HIDDEN_ITEM, PAID_TWICE)

FindingKey = tuple[str, str]
"""The key of a store, and the id of a finding in it, or of a fold."""


class Shown(NamedTuple):
    """The rows of a store's findings by heading, worst first, and the findings of each row, which say the same.

    `total` includes those not listed for their number; `left` are the ones that are not ignored, `ignored` the number of those that
    are, listed or not.
    """

    groups: dict[str, list[FindingKey]]
    rows: dict[FindingKey, list[Finding]]
    total: int
    left: list[Finding]
    ignored: int = 0


class Order(NamedTuple):
    """The headings and findings as they were listed before: the places of findings by heading, store and id."""

    headings: list[str]
    places: dict[tuple[str, str, str], int]


def keys_of(every: Sequence[Shown], order: Order | None = None) -> list[str | FindingKey]:
    """The keys of the rows of all stores below their headings, each of which stands once.

    What is in the `order` keeps it; another finding comes last below its heading, another heading above the next less bad one. The
    order then has all.
    """
    headings, places = order or Order([], {})
    groups: dict[str, list[FindingKey]] = {}
    keys: list[str | FindingKey] = []
    for name, own in chain.from_iterable(each.groups.items() for each in every):
        groups.setdefault(name, []).extend(own)
    alike = {key: each for store in every for key, each in store.rows.items()}
    headings[:] = [name for name in headings if name in groups]
    at = len(headings)
    for name in reversed(groups):
        if name not in headings:
            headings.insert(at, name)
        at = headings.index(name)
    for name in headings:
        own = groups[name]
        for key in own:
            ids = [(name, key[0], fault.id) for fault in alike[key]]
            places.update(dict.fromkeys(ids, min((places[each] for each in ids if each in places), default=len(places))))
        own.sort(key=lambda key: places[name, key[0], alike[key][0].id])
        keys += [f"\0{name} ({sum(len(alike[key]) for key in own)})", *own]
    more = sum(max(each.total - MOST_ROWS, 0) for each in every)
    return [*keys, f"\0And {more:,} more: / finds them by their words"] if more else keys


def arranged(
    found: Checkup,
    session: Session,
    *,
    group: str,
    which: str,
    wanted: str,
    opened: Collection[FindingKey] = (),
    key: str = "",
    over: str = "",
    only: Callable[[str], bool] | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Shown:
    """The rows for the findings of a store: `key` is the store's, `over` its title for headings, `only` a filter for paths.

    Findings of the current project and of global files come first. Many of one rule in one file are folded into one row, but not
    those in `opened`, nor where words are `wanted`. If `cancelled`, the result is partial.
    """
    terms = terms_of(wanted)
    here: list[str] = []
    others: list[str] = []
    ignored = 0
    for number, (id, fault) in enumerate(found.ids.items()):
        if number % MOST_ROWS == 0 and cancelled():
            break
        own = session.layout.group_of(fault.path)
        if only is not None and not only(fault.path):
            continue
        if not holds(f"{fault.rule.name} {fault.rule.title} {fault.path} {fault.sought} {fault.quoted[:_SOUGHT]}", terms):
            continue
        ignored += id in found.ignored
        if which == "all" or (id in found.ignored) == (which == "ignored"):
            (here if is_of(session.project, own) else others).append(id)
    groups: dict[str, list[str]] = {}
    for at, id in enumerate([*here, *others][:MOST_ROWS]):
        before = "Other projects: " if only is None and at >= len(here) and group != "project" else ""
        groups.setdefault(f"{f'{over} · ' if over else ''}{before}{_group_of(found.ids[id], session, group)}", []).append(id)
    listed: dict[str, list[FindingKey]] = {}
    rows: dict[FindingKey, list[Finding]] = {}
    for name, ids in groups.items():
        same: dict[tuple[object, ...], list[Finding]] = {}
        folds = {id: (key, f"{found.ids[id].rule.name}\0{found.ids[id].path}\0{id in found.ignored}") for id in ids}
        often = Counter(() if wanted else folds.values())
        for id, fold in folds.items():
            fault, is_folded = found.ids[id], often[fold] > MOST_OF_ONE and fold not in opened
            is_alone = group != "rule" or (fault.fix is not None and fault.fix.choices)  # a choice is made for each
            text = id if is_alone else trim(fault.quoted if fault.rule in _ABOUT_A_LINE else fault.message)
            does = fault.fix and (fault.fix.sentence, fault.fix.is_ready)  # the key does with all of a row what it says of one
            same.setdefault(fold if is_folded else (fault.rule, fault.level, text, does, id in found.ignored), []).append(fault)
        rows_here = {(key, str(at[1]) if is_fold(at) else each[0].id): each for at, each in same.items()}
        listed[name] = [*rows_here]
        rows |= rows_here
    left = [found.ids[id] for id in (*here, *others) if id not in found.ignored]
    return Shown(listed, rows, len(here) + len(others), left, ignored)


def is_fold(key: Sequence[object] | None) -> bool:
    """Whether the key of a row is that of a fold."""
    return key is not None and "\0" in str(key[1])


def row(key: FindingKey, alike: Sequence[Finding], found: Checkup, group: str, session: Session | None = None) -> ListRow:
    """Render findings that say the same, or a fold; with a session, places are named by their titles."""
    fault, count = alike[0], len(alike)
    is_ignored = fault.id in found.ignored
    name = fault.path
    if session is not None:
        ref = session.ref_at(fault.path)
        name = name_in(ref, session, ref.project) if group == "project" and ref.project else title_of(ref, session)
    facts = f"{count:,} places" if count > 1 else f"line {fault.line}" if group == "file" else f"{name}:{fault.line}"
    pieces = [
        (f"{SIGNS[fault.level]} ", "quiet" if is_ignored else _STYLES[fault.level]),
        ("ignored: " if is_ignored else "", "quiet"),
        ("" if group == "rule" else f"{fault.rule.name}: ", "quiet"),
        (f"{count:,} in {name}" if is_fold(key) else words(fault, found, session), "quiet" if is_ignored else "text"),
    ]
    return ListRow(pieces, "enter lists them" if is_fold(key) else facts)


def words(fault: Finding, found: Checkup, session: Session | None) -> str:
    """What distinguishes a finding from others of its rule: for rules about single lines the line, else the message."""
    line = next((row for row in map(trim, raw_lines(fault.quoted)) if row), "") if fault.rule in _ABOUT_A_LINE else ""
    said = without(line or _with_titles(fault, session).message, found.secrets_of(fault))
    return visible_line(shown([said]) if line else said)


def title(whose: str, group: str, which: str, count: int | None, perhaps: int = 0) -> str:
    """The title of the list of one memory, or of all (no `whose`): `count` findings (None: unknown), `perhaps` of them unsure."""
    more = perhaps if which == WHICH[0] else 0
    told = which if count is None else f"{count - more:,} {which}" + f", {more:,} perhaps" * bool(more)
    return " · ".join(filter(None, ("Doctor", told, f"by {group}" if count else "", visible_line(whose))))


def counts(left: Sequence[Finding], ignored: int = 0, *, more: bool = False) -> str:
    """The number of findings by level, and of ignored ones; with `more`, what the sign after their number on the strip means."""
    nouns = {Level.ERROR: "error", Level.WARNING: "warning", Level.INFO: "perhaps"}
    numbers = {level: sum(fault.level is level for fault in left) for level in Level}
    parts = [
        f"{SIGNS[level]} {count:,} {nouns[level] if level is Level.INFO else plural(nouns[level], count)}"
        for level, count in numbers.items()
        if count
    ]
    notes = (f"{ignored} ignored (f)" if ignored else "", "+: not all is checked yet" if more else "")
    return " · ".join([*parts, *filter(None, notes)])


def says(fault: Finding, found: Checkup, session: Session | None = None) -> str:
    """The message of a finding."""
    return visible_line(without(_with_titles(fault, session).message, found.secrets_of(fault)))


def does(fault: Finding, found: Checkup, session: Session | None = None) -> str:
    """What the fix does, or what to do; empty if there is none."""
    fix = _with_titles(fault, session).fix
    return visible_line(without(fix.sentence, found.secrets_of(fault))) if fix is not None else ""


def detail(fault: Finding, found: Checkup, session: Session, alike: Sequence[Finding] = (), *, folded: bool = False) -> str:
    """The message, what the key would do, and the places of all findings that say the same; how many are `folded`."""
    if folded:
        each = "There A asks of each of them." if any(map(is_mendable, alike)) else "e edits there."
        key = "A  shows what it would do." if fix_label(alike) else each
        where = title_of(session.ref_at(fault.path), session)
        return f"{SIGNS[fault.level]} {fault.rule.title}: {len(alike):,} in {where}. enter lists them.\n{key}"
    fix = does(fault, found, session)
    key = f"A  {fix}" if fix and is_mendable(fault) else f"To do: {fix} e edits there." if fix else "e edits there."
    if fault.id in found.ignored:
        key = "Ignored: x shows it again among the others."
    places = [f"{title_of(session.ref_at(each.path), session)}:{each.line}" for each in alike[:MOST_PLACES]]
    also = f"\n{len(alike):,} places: {', '.join(places)}{', …' * (len(alike) > MOST_PLACES)}" if alike[1:] else ""
    said = f"{SIGNS[fault.level]} {says(fault, found, session)}"
    return f"{key}\n{said}{also}" if fix else f"{said}\n{key}{also}"  # what is to be done is never cut off


def _with_titles(fault: Finding, session: Session | None) -> Finding:
    return fault if session is None else named_fault(fault, session)


def is_mendable(fault: Finding) -> bool:
    """Whether the finding can be fixed, possibly after a choice."""
    fix = fault.fix
    return fix is not None and (fix.is_ready or any(each.is_ready for each in fix.choices))


def fix_label(findings: Sequence[Finding]) -> str:
    """What the fix key shows of these findings; empty if nothing can be fixed."""
    fixes = [each.fix for each in findings if each.fix is not None and each.fix.is_ready and not each.fix.choices]
    if not fixes:
        return "Choose" if len(findings) == 1 and is_mendable(findings[0]) else ""
    return f"Plan {len(fixes):,}" if findings[1:] else "Plan"


def nothing(
    found: Checkup | None,
    which: str,
    wanted: str,
    whose: str = "",
    elsewhere: Mapping[str, int] | None = None,
    *,
    has_files: bool = True,
    ignored: int = 0,
) -> str:
    """The text for an empty list; `found` is None while not all is checked.

    `whose` is the one memory that is listed, with `ignored` findings, and `elsewhere` are the findings in others, by name.
    """
    if found is None:
        return "Checking …"
    if wanted:
        return f"No finding has {visible_line(wanted)!r}. esc shows all again."
    if which == "ignored":
        return "Nothing is ignored. f shows the others; x ignores a finding."
    if found.problems:
        return "\n".join(f"! {visible_line(each.rstrip('.'))}. What is there was not examined." for each in found.problems)
    named = ", ".join(f"{visible_line(name)} {count:,}" for name, count in (elsewhere or {}).items() if count)
    others = f"Findings elsewhere: {named}; w shows them." if named else "w looks at the others, too."
    where = f"this memory ({whose}). {others}" if whose else "any memory."
    more = f" {counted(ignored, 'finding')} ignored: f shows them." if ignored else ""
    if not has_files:
        return f"There is nothing to look into in {where}{more}"
    return (
        f"Nothing found in {where} What stands twice, contradicts itself, is out of date, leads nowhere or is lost, keys and"
        f" passwords, and orders that somebody planted would be listed here.{more}"
    )


def copied(faults: Sequence[Finding], found: Checkup) -> str:
    """Findings as text, one per line."""
    said = (f"{printable_path(each.path)}:{each.line}: {without(each.message, found.secrets_of(each))}" for each in faults)
    return "\n".join(said)


def _group_of(fault: Finding, session: Session, group: str) -> str:
    if group == "rule":
        return fault.rule.title
    ref = session.ref_at(fault.path)
    return title_of(ref, session) if group == "file" else session.whose(ref.project)
