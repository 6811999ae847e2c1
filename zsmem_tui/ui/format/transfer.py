"""What can be brought in and taken out, and what becomes of each thing, as rows and sentences. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from zsmem_tui.config.locate import shortened
from zsmem_tui.core.carried import split_frontmatter
from zsmem_tui.core.checks.excerpt import without
from zsmem_tui.core.checks.secret import secrets_in
from zsmem_tui.core.left_lines import LeftLine
from zsmem_tui.core.text import counted, one_line, printable_path, raw_lines
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import formats
from zsmem_tui.service.bundles import PlannedFile
from zsmem_tui.service.export_planner import ExportItem
from zsmem_tui.service.formats import Format
from zsmem_tui.service.import_sources import MemorySource
from zsmem_tui.service.importing import PlannedItem, Policy
from zsmem_tui.service.plan import Fate
from zsmem_tui.service.session import Session
from zsmem_tui.ui.format.common import name_in
from zsmem_tui.ui.widgets.row_list import ListRow

_MARKS: Final = {Fate.ADD: "+", Fate.DUPLICATE: "=", Fate.IMPORTED: "=", Fate.CONFLICT: "!", Fate.LEFT: "-", Fate.SKIPPED: "-"}

_LONGEST_TITLE: Final = 400
"""Characters of an item that are shown over the file it lands in, where they wrap."""

_MOST_LINES: Final = 3
"""Lines that are named of those which stay behind."""

_LOOKED_AT: Final = 4_000
"""Characters of an item that are looked through for credentials: far more than is shown of it."""

_MOST_KEPT: Final = 256
"""Items of which it is known what credentials they hold: some screens full."""

_NO_TEXT: Final = re.compile("[\ud800-\udfff]")

EXPLAINED: Final = (
    "Bring in reads another agent's memory, take out writes this one into another's. enter makes a plan of it first: a row for "
    "each thing, where it would land and why, with the changes of that very file. Nothing is written before A, and one u takes "
    "it back."
)


class Source(NamedTuple):
    """Something that can be done here: bring in `format` from `path` (empty: ask), or with `out`, take this memory there.

    `facts` says what is there, `about` more of it in sentences.
    """

    format: str
    title: str
    path: str
    facts: str
    about: str
    out: bool = False


class TransferRow(NamedTuple):
    """A thing of a plan. `words` are what a filter looks for, `where` is the file it lands in, `place` all of its path."""

    key: str
    fate: Fate
    ticked: bool
    can_be: bool
    title: str
    where: str
    place: str
    words: str


def folder_name(path: str) -> str:
    """A path as people write it, made visible."""
    return visible_line(printable_path(shortened(path)))


def detected(found: MemorySource, title: str) -> Source:
    """A memory that is on this machine."""
    facts = f"{counted(found.items, 'item')}, {found.new} new" if not found.problem else visible_line(found.problem)
    place = folder_name(found.path)
    if found.problem:
        return Source(found.format, title, found.path, facts, f"{title}'s memory in {place} cannot be read: {facts}")
    about = f"{title}'s memory in {place} has {counted(found.items, 'item')}, {found.new} of them new here."
    return Source(found.format, title, found.path, facts, about)


def way_in(format: Format, title: str) -> Source:
    """A format of which nothing was found: its folder has to be named."""
    about = (
        f"A memory of {title} in a folder that you name."
        if not format.one_file
        else "A store, or some projects of one, in one file."
    )
    return Source(format.name, title, "", format.source, about)


def way_out(format: Format, title: str) -> Source:
    """A format that this memory can be taken to."""
    about = f"The facts, notes, days and open tasks of this project, as {title} keeps them."
    if format.one_file:
        about = "Every file of this store in one .tar.gz, with a digest of each."
    return Source(format.name, title, "", format.out, about, out=True)


def ways(there: Collection[str]) -> list[Source]:
    """What else can be done: every format that is not `there` brought in, and all of them taken out."""
    every = formats.every()
    ins = [way_in(each, formats.title_of(each.name)) for each in every if each.name not in there]
    outs = [way_out(each, formats.title_of(each.name)) for each in every]
    return [*ins, *outs]


def source_row(source: Source) -> ListRow:
    """Something that can be brought in, or taken out: where it is gives way to what is there."""
    mark, to = ("↑ ", "to ") if source.out else ("↓ ", "")
    if not source.path:
        return ListRow([(mark, "mark"), (f"{to}{source.title}", "text"), (f" · {source.facts}", "quiet")])
    return ListRow([(mark, "mark"), (source.title, "text"), (f" · {folder_name(source.path)}", "quiet")], source.facts)


def source_words(source: Source) -> list[str]:
    """What a source is, and what can be done with it."""
    if source.out:
        more = "enter plans it. d takes out of it again what was exported there and still stands as it was written."
    else:
        more = "enter plans it. t takes it to another agent at once, without this memory in between."
    return [source.about, more, "", EXPLAINED]


def import_rows(items: Sequence[PlannedItem], session: Session, *, ticks: frozenset[Fate]) -> list[TransferRow]:
    """The items of an import, as seen from the project of the session; those of these fates can be ticked."""
    return [
        TransferRow(
            each.key,
            each.fate,
            each.ticked,
            each.fate in ticks,
            _title(each.incoming.text) or visible_line(each.incoming.source),
            name_in(each.ref, session) if each.ref.path else "",
            each.ref.path,
            f"{each.incoming.source} {each.incoming.group} {each.incoming.text}",
        )
        for each in items
    ]


def bundle_rows(files: Sequence[PlannedFile], without: frozenset[str], policy: Policy) -> list[TransferRow]:
    """The files of a bundle."""
    return [
        TransferRow(
            each.source,
            each.fate,
            each.ticked and each.source not in without,
            each.fate is Fate.ADD or (each.fate is Fate.CONFLICT and policy is not Policy.SKIP),
            visible_line(printable_path(each.source)),
            visible_line(printable_path(each.path)) if each.path != each.source else "",
            each.path,
            each.source,
        )
        for each in files
    ]


def export_rows(items: Sequence[ExportItem]) -> list[TransferRow]:
    """The things that go out, or are taken out again."""
    return [
        TransferRow(
            each.key or f"{number}",
            each.fate,
            each.ticked,
            each.fate in (Fate.ADD, Fate.LEFT),
            _title(each.text) or visible_line(printable_path(each.source)),
            visible_line(printable_path(each.place.rpartition("/")[2])),
            each.place,
            f"{each.source} {each.text}",
        )
        for number, each in enumerate(items)
    ]


def item_row(each: TransferRow) -> ListRow:
    """A thing of a plan: whether it is taken, and where it lands."""
    style = "text" if each.ticked else "warn" if each.fate is Fate.CONFLICT else "quiet"
    box = ("☑ ", "mark") if each.ticked else ("☐ ", "quiet") if each.can_be else ("  ", "quiet")
    facts = each.fate.value if each.fate is Fate.SKIPPED or not each.where else f"{each.fate.value} → {each.where}"
    return ListRow([box, (f"{_MARKS[each.fate]} ", style), (_without_secrets(each.title, each.words), style)], facts)


def import_words(each: PlannedItem, policy: Policy) -> list[str]:
    """What becomes of an item and why, in full sentences."""
    place = visible_line(printable_path(each.ref.path))
    reason = visible_line(each.reason)
    match each.fate:
        case Fate.ADD:
            said = f"It goes into {place}{_because(reason)}."
        case Fate.LEFT:
            said = f"It is not taken{_because(reason)}. space takes it into {place}."
        case Fate.CONFLICT:
            what = f"goes into {place}" if each.ticked else "is not taken"
            said = f"It {what}: {_conflict(reason, policy)}. c says what becomes of such."
        case Fate.DUPLICATE:
            said = f"It is not written again: {place} has it already."
        case Fate.IMPORTED:
            said = f"It is not taken again: it was imported into {place} before. space takes it all the same."
        case _:
            said = f"It is not taken{_because(reason)}."
    own = each.incoming.group
    kind, _, name = own.partition(":")
    whose = visible_line(printable_path(f"{kind} {name}" if name else own))
    group = f", of {whose}" if own and (name or own) not in each.incoming.source else ""
    return [said, _whole(each.incoming.text), f"From {visible_line(printable_path(each.incoming.source))}{group}."]


def file_words(each: PlannedFile, *, ticked: bool) -> list[str]:
    """What becomes of a file of a bundle and why."""
    place, reason = visible_line(printable_path(each.path)), visible_line(each.reason)
    match each.fate:
        case Fate.ADD | Fate.CONFLICT if ticked:
            said = f"It becomes {place}{_because(reason)}."
        case Fate.DUPLICATE:
            said = f"It is not written again: {place} holds just this already."
        case Fate.CONFLICT:
            said = f"It is not taken{_because(reason)}. c says what becomes of such."
        case _:
            said = f"It is not taken{_because(reason)}."
    return [said, visible_line(printable_path(each.source))]


def export_words(each: ExportItem, title: str, *, is_removal: bool = False) -> list[str]:
    """What becomes of a thing on its way to another agent, or back from there: why, what is lost, what it costs."""
    place, reason = folder_name(each.place), visible_line(each.reason)
    goes, stays = ("is taken out of", "stays") if is_removal else ("goes into", "does not go out")
    match each.fate:
        case Fate.ADD:
            said = f"It {goes} {place}{_because(reason)}."
        case Fate.LEFT:
            said = f"It {stays}{_because(reason)}. space takes it."
        case Fate.DUPLICATE:
            said = f"It is not written again: {place} has it already."
        case Fate.CONFLICT:
            said = f"It {stays}{_because(reason)}. Nothing that stands there is written over."
        case _:
            said = f"It {stays}{_because(reason)}."
    told = [" ".join([said, *map(visible_line, (*each.losses, *each.warnings))]), _whole(each.text)]
    if each.cost and each.ticked:
        told.append(f"{title} has {counted(each.cost, 'byte')} more before it on every turn.")
    return [*told, f"From {visible_line(printable_path(each.source))}."]


def losses(sentence: str, *, out: bool) -> str:
    """What a format cannot hold, as a full sentence that says so, empty for nothing; `sentence` may speak of both ways."""
    inward, _, outward = sentence.removeprefix("In: ").partition(" Out: ")
    own = (outward or inward) if out else inward
    return f"What is lost on the way, whatever the item: {visible_line(own)}" if own else ""


def left_of(each: ExportItem, lines: Sequence[LeftLine]) -> list[str]:
    """The lines of the file that a thing is from which stay behind, as a sentence that names the first of them."""
    own = [line for line in lines if line.source == each.source and not line.is_changed]
    if not own or not each.ticked:
        return []
    named = [f"{line.number} {visible_line(_without_secrets(line.text, line.text))}" for line in own[:_MOST_LINES]]
    more = f" and {len(own) - _MOST_LINES} more" if len(own) > _MOST_LINES else ""
    return [f"{counted(len(own), 'line')} of its file {'stays' if len(own) == 1 else 'stay'} behind: {', '.join(named)}{more}."]


def _conflict(reason: str, policy: Policy) -> str:
    """A clash of names with what shall become of it."""
    words = {
        Policy.SKIP: "such are left",
        Policy.RENAME: "it gets another name",
        Policy.REPLACE: "it takes its place",
        Policy.MERGE: "both are merged",
    }
    return f"{reason.replace(f': {policy}', '', 1)}; {words[policy]}"


def _because(reason: str) -> str:
    return f": {reason.rstrip('.')}" if reason else ""


def _title(text: str) -> str:
    """The first line of a text that has words in it, below the frontmatter: that holds dates and labels, and is said of no text."""
    start = text[: 4 * _LONGEST_TITLE]
    body = split_frontmatter(start.encode("utf-8", "surrogatepass"))[1].decode("utf-8", "surrogatepass")
    lines = (line for part in (body, start) for line in raw_lines(part))
    return next((visible_line(line) for line in lines if any(map(str.isalnum, line))), "")


def _whole(text: str) -> str:
    """All of a short text; the beginning of a long one."""
    words = visible_line(one_line(_without_secrets(text[:_LOOKED_AT], text)[: 2 * _LONGEST_TITLE]))
    return words if len(words) <= _LONGEST_TITLE else f"{words[:_LONGEST_TITLE]}…"


def _without_secrets(words: str, text: str) -> str:
    """Words of an item with each credential cut down that stands in its text, as far as that is looked at."""
    return without(words, _secrets(text[:_LOOKED_AT]))


@lru_cache(_MOST_KEPT)
def _secrets(text: str) -> tuple[str, ...]:
    """The credentials in a text, the longest first: rows are painted again with every key."""
    legible = _NO_TEXT.sub("\ufffd", text)  # each place stays where it is
    return tuple(sorted({text[spot.start : spot.end] for spot in secrets_in(legible)}, key=len, reverse=True))
