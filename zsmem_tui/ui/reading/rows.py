"""Rendering lines as rows: prefixes, styled spans, tables, and line breaks."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from operator import le
from typing import Final, NamedTuple

from rich.cells import cell_len

from zsmem_tui.core.markdown import PLAIN, Kind, Line, cells, heading_words
from zsmem_tui.core.pattern import Pattern
from zsmem_tui.core.recall.aliases import SIGN as ALIASES
from zsmem_tui.core.text import trim
from zsmem_tui.core.visible import visible_line
from zsmem_tui.ui import signs
from zsmem_tui.ui.reading.blocks import (
    NO_REFERENCES,
    LinkStyle,
    References,
    Span,
    Table,
    definition,
    inline,
    item_words,
    unquoted,
)

_JOINT: Final = "\0"
"""Separates the lines of a joined paragraph while marks are parsed; never occurs in cleaned text."""

TAB: Final = 4
"""The tab width in cells."""

_ITEM: Final = Pattern(r"^([ \t]*)([-*+]|\d{1,9}[.)])([ \t]+|$)(?:\[([ xX])\](?:[ \t]+|$))?")
_TERM: Final = Pattern(r"(?:`[^`]{1,24}` ?){1,4} +(?=\S)(?<=  )")
_FIELD: Final = Pattern(r"^([^\s:#-][^:]*):(?:[ \t]+(.*))?$")
_WORD: Final = Pattern(r"\S+\s*|\s+")
_BLANKS: Final = Pattern(r" *")
_SOLID: Final = Pattern(r"[^ ]*")

_ART: Final = Pattern(r"[\u2500-\u259f]{2}|\+[-=]{2,}|[-=]{2,}\+|^ *[|+].*[|+] *$")
"""Characters of diagrams and tables in code."""

GOES_ON: Final = signs.GOES_ON
"""The prefix of continuation rows in code."""

LONG_LINE: Final = 20_000
"""In characters. Longer non-ASCII lines break at the edge, since measuring their words takes too long."""


class Drawn(NamedTuple):
    """A rendered line before it is broken into rows: spans, prefixes of the first and further rows, and background."""

    spans: list[Span]
    first: str = ""
    rest: str = ""
    prefix_style: str = "mark"
    fill: str = ""
    whole: bool = False
    """Whether the line is cut at the edge instead of broken (tables)."""
    hard: bool = False
    """Whether the line breaks at the edge instead of between words (code)."""
    joints: tuple[int, ...] = ()
    """Offsets at which the further lines of a paragraph start."""
    breaks: tuple[int, ...] = ()
    """Offsets at which a row must begin."""


def draw(paragraph: list[str], block: Line, width: int, references: References = NO_REFERENCES) -> Drawn:
    """Render a paragraph of Markdown for `width` cells."""
    line = paragraph[0]
    match block.kind:
        case Kind.TEXT | Kind.BLANK | Kind.HTML:
            indent = " " * min(len(line) - len(line.lstrip(" ")), 12)
            if len(paragraph) == 1 and references and (defined := definition(line)) is not None and defined[1]:
                before, _, after = clean(line).strip(" ").partition(target := clean(defined[1]))
                return Drawn([(before, "mark"), (target, LinkStyle.to(defined[1])), (after, "mark")], indent, indent)
            is_aliases = len(paragraph) == 1 and line.startswith(ALIASES)  # for searches, not for readers
            return _join_lines(paragraph, 0, Drawn([], indent, indent), "mark" if is_aliases else "text", references)
        case Kind.HEADING:
            words = inline(clean(heading_words(line)), f"h{block.level}", references)
            return Drawn(words, first=f"{signs.TITLE} " if block.level == 1 else "", rest="  " if block.level == 1 else "", fill="")
        case Kind.UNDERLINE:
            return Drawn([])
        case Kind.ITEM:
            return _item(paragraph, block, references)
        case Kind.QUOTE:
            return _quote(paragraph, block, width, references)
        case Kind.FIELD_RULE if len(paragraph) > 1:
            return Drawn([(_front_summary(paragraph), "mark")], f"{signs.FOLDED} ", "  ")
        case Kind.RULE | Kind.FIELD_RULE:
            return Drawn([(signs.RULE * max(width, 1), "mark")], whole=True)
        case Kind.FENCE:
            language = clean(line).strip(" `~") if block.level == 0 else ""
            return Drawn([(f" {language}" if language else "", "fence")], fill="code-block")
        case Kind.CODE | Kind.INDENTED:
            text = clean(line)
            if _ART.search(text):  # diagrams would be unreadable if broken: they are cut
                return Drawn([(text, "code-block")], " ", " ", "code-block", "code-block", whole=True)
            return Drawn([(text, "code-block")], " ", GOES_ON, "code-block", "code-block", hard=True)
        case Kind.TABLE:
            assert isinstance(block.table, Table)
            return _table(line, block.level, block.table, width, references)
        case Kind.FIELD:
            return _field(line)


def draw_raw(line: str, block: Line | None = None, references: References = NO_REFERENCES) -> Drawn:
    """Style a line as it is in the file; with its block, in the block's colours."""
    text = clean(line)
    if block is None:
        return Drawn([(text, "text")])
    match block.kind:
        case Kind.HEADING:
            return Drawn([(text, f"h{block.level}")])
        case Kind.UNDERLINE | Kind.RULE | Kind.FIELD_RULE:
            return Drawn([(text, "mark")])
        case Kind.FENCE:
            return Drawn([(text, "fence")], fill="code-block")
        case Kind.CODE | Kind.INDENTED:
            return Drawn([(text, "code-block")], fill="code-block")
        case Kind.FIELD:
            key, colon, words = text.partition(":")
            return Drawn([(key + colon, "key"), (words, "field")] if colon else [(text, "field")])
        case Kind.ITEM:
            found = _ITEM.match(text)
            stop = found.end() if found else 0
            is_done = found is not None and found[4] in ("x", "X")
            return Drawn([(text[:stop], "mark"), *inline(text[stop:], "done" if is_done else "text", references, raw=True)])
        case Kind.QUOTE:
            stop = len(text) - len(text.lstrip(" >"))
            return Drawn([(text[:stop], "mark"), *inline(text[stop:], "quote", references, raw=True)])
        case Kind.TABLE if block.level == 1:
            return Drawn([(text, "mark")])
        case Kind.TABLE:
            return Drawn(inline(text, "text" if block.level else "head", references, raw=True))
        case Kind.TEXT | Kind.BLANK | Kind.HTML:
            return Drawn(inline(text, "text", references, raw=True))


def clean(line: str) -> str:
    """Make control characters visible and expand tabs."""
    if "\t" in line:
        line = _expand_tabs(line)
    return line if line.isascii() and line.isprintable() else visible_line(line)


def break_line(drawn: Drawn, width: int) -> list[int]:
    """The offsets at which the rows of a line begin; the first is 0."""
    text = "".join([words for words, _ in drawn.spans])
    if drawn.breaks and drawn.whole:
        return [0, *drawn.breaks]
    if drawn.breaks:  # each part by itself
        starts: list[int] = []
        for start, stop in pairwise((0, *drawn.breaks, len(text))):
            part = drawn._replace(spans=[(text[start:stop], "text")], first=drawn.rest if start else drawn.first, breaks=())
            starts += [start + each for each in break_line(part, width)]
        return starts
    room = max(width - cell_len(drawn.first), 1)
    is_ascii = text.isascii()
    solid = len(text.rstrip(" "))
    if drawn.whole or (solid <= room if is_ascii else solid <= LONG_LINE and cell_len(text[:solid]) <= room):
        return [0]
    further = max(width - cell_len(drawn.rest), 1)
    if drawn.hard or (len(text) > LONG_LINE and not is_ascii):
        return _break_cells(text, room, further)
    return _break_ascii(text, room, further) if is_ascii else _break_words(text, room, further)


def _break_ascii(text: str, room: int, further: int) -> list[int]:
    """A faster `_break_words` for ASCII text, which looks at rows instead of words."""
    starts = [0]
    at = 0
    while at + room < len(text):
        edge = at + room
        if text[edge] == " ":
            blanks = _BLANKS.match(text, edge)
            at = blanks.end() if blanks is not None else edge
            if at == len(text):
                break
        else:
            word = text.rfind(" ", at, edge) + 1
            solid = _SOLID.match(text, edge, word + further + 1)
            at = word if word > at and solid is not None and solid.end() - word <= further else edge
        starts.append(at)
        room = further
    return starts


def _break_words(text: str, room: int, further: int) -> list[int]:
    """Break between words; words wider than a row, or with wide characters, break anywhere."""
    starts = [0]
    used = 0
    for word in _WORD.finditer(text):
        size = cell_len(word[0])
        solid = cell_len(word[0].rstrip())
        if used + solid <= room:
            used += size
            continue
        if used and solid <= further and solid == len(word[0].rstrip()):
            starts.append(word.start())
            room, used = further, size
            continue
        for offset, char in enumerate(word[0]):
            cell = cell_len(char)
            if used + cell > room and not char.isspace():
                starts.append(word.start() + offset)
                room, used = further, 0
            used += cell
    return starts


def _break_cells(text: str, room: int, further: int) -> list[int]:
    """Break at the edge."""
    starts = [0]
    at = used = 0
    while at < len(text):
        spare = room - used
        if spare > 0 and text[at : at + spare].isascii():
            used += min(spare, len(text) - at)
            at += spare
            continue
        cell = cell_len(text[at])
        if used + cell > room:
            starts.append(at)
            room, used = further, 0
        used += cell
        at += 1
    return starts


def row_spans(drawn: Drawn, starts: list[int], row: int) -> list[Span]:
    """The spans of a row, including its prefix."""
    start = starts[row]
    stop = starts[row + 1] if row + 1 < len(starts) else None
    prefix = drawn.rest if row else drawn.first
    found = [(prefix, drawn.prefix_style)] if prefix else []
    at = 0
    for words, style in drawn.spans:
        low, high = max(start - at, 0), len(words) if stop is None else min(stop - at, len(words))
        if low < high:
            found.append((words[low:high], style))
        at += len(words)
    return found


def _join_lines(paragraph: list[str], start: int, like: Drawn, style: str, references: References) -> Drawn:
    """Join the lines of a paragraph, so that marks can span them. `start` is the offset of the text in the first line."""
    if len(paragraph) == 1:
        return like._replace(spans=inline(clean(paragraph[0][start:].lstrip(" \t")), style, references))
    pieces = [clean(paragraph[0][start:]).strip(" "), *(clean(line).strip(" ").removesuffix("\\") for line in paragraph[1:])]
    spans: list[Span] = []
    joints: list[int] = []
    at = 0
    for words, kind in inline(_JOINT.join(pieces), style, references):
        for place, piece in enumerate(words.split(_JOINT)):
            if place:
                joints.append(at + 1)
            text = f" {piece}" if place else piece
            spans.append((text, kind))
            at += len(text)
    return like._replace(spans=spans, joints=tuple(joints))


def _item(paragraph: list[str], block: Line, references: References) -> Drawn:
    found = _ITEM.match(paragraph[0])
    assert found is not None
    indent = " " * min(cell_len(_expand_tabs(found[1])), 24)
    bullet = signs.BULLET if found[2] in "-*+" else found[2]
    style = "mark"
    body = "text"
    if found[4] is not None:
        done = found[4] in "xX"
        bullet, style, body = (signs.DONE, "done", "done") if done else (signs.OPEN, "open", "text")
    first = f"{indent}{bullet} "
    if block.leaf.kind is Kind.HEADING:
        words = inline(clean(heading_words(item_words(paragraph[0]))), f"h{block.leaf.level}", references)
        return Drawn(words, first, " " * cell_len(first), style)
    term = _TERM.match(paragraph[0], found.end())
    if term is not None:  # the description of a term is indented below itself
        hang = cell_len(first) + cell_len(clean(term[0]).replace("`", ""))
        return _join_lines(paragraph, found.end(), Drawn([], first, " " * hang, style), body, references)
    return _join_lines(paragraph, found.end(), Drawn([], first, " " * cell_len(first), style), body, references)


def _quote(paragraph: list[str], block: Line, width: int, references: References) -> Drawn:
    bars = f"{signs.QUOTED} " * block.level
    inner = block.inner or PLAIN
    lines = [unquoted(line, block.level) for line in paragraph]
    if inner.kind in (Kind.TEXT, Kind.BLANK, Kind.HTML):
        return _join_lines([line.strip(" \t") for line in lines], 0, Drawn([], bars, bars), "quote", references)
    drawn = draw(lines, inner, max(width - len(bars), 1), references)
    spans = [(words, "quote" if style == "text" else style) for words, style in drawn.spans]
    return drawn._replace(spans=spans, first=bars + drawn.first, rest=bars + drawn.rest, prefix_style="mark")


def _field(line: str) -> Drawn:
    found = _FIELD.match(line)
    if not found:
        return Drawn([(clean(line), "field")], first="  ", rest="  ")
    key = clean(found[1])
    return Drawn([(f"{key}  ", "key"), (clean(found[2] or ""), "field")], rest=" " * min(cell_len(key) + 2, 20))


def _front_summary(lines: list[str]) -> str:
    """A summary of a frontmatter: type and description, else its field names."""
    said: dict[str, str] = {}
    for line in lines[1:-1]:
        key, _, value = (trim(each) for each in clean(line).partition(":"))
        if value.strip("|>-+"):
            said.setdefault(key, value[1:-1].replace('\\"', '"') if value[0] == value[-1] in ("'", '"') else value)
    found = [next((said[key] for key in keys if key in said), "") for keys in (("type", "label"), ("description", "name"))]
    return f"{' · '.join(filter(None, found)) or ', '.join(said)} · R shows all of it".removeprefix(" · ")


def _table(line: str, row: int, table: Table, width: int, references: References) -> Drawn:
    """Render a row of a table; cells are wrapped within their columns."""
    widths = _fit_widths(tuple(table.widths), width)
    if row == 1:
        return Drawn([(f"{signs.RULE}{signs.CROSSING}{signs.RULE}".join(signs.RULE * each for each in widths), "mark")], whole=True)
    found = cells(line)
    own = [inline(clean(found[at]) if at < len(found) else "", "text" if row else "head", references) for at in range(len(widths))]
    sizes = [sum(cell_len(words) for words, _ in pieces) for pieces in own]
    if all(map(le, sizes, widths)):
        return Drawn(_side_by_side(own, sizes, widths, table.aligns), whole=True)
    columns: list[list[list[Span]]] = []
    for pieces, room in zip(own, widths, strict=True):
        starts = break_line(Drawn(pieces), room)
        columns.append([_rstripped(row_spans(Drawn(pieces), starts, at)) for at in range(len(starts))])
    spans: list[Span] = []
    breaks: list[int] = []
    for place in range(max(map(len, columns))):
        if place:
            breaks.append(sum(len(words) for words, _ in spans))
        below = [rows[place] if place < len(rows) else [] for rows in columns]
        spans += _side_by_side(below, [sum(cell_len(words) for words, _ in pieces) for pieces in below], widths, table.aligns)
    return Drawn(spans, whole=True, breaks=tuple(breaks))


def _side_by_side(own: list[list[Span]], sizes: list[int], widths: list[int], aligns: list[str]) -> list[Span]:
    """Put cells side by side, each padded to its column's width."""
    spans: list[Span] = []
    for column, pieces in enumerate(own):
        if column:
            spans.append((f" {signs.COLUMN} ", "mark"))
        spare = max(widths[column] - sizes[column], 0)
        before = {"<": 0, "^": spare // 2, ">": spare}[aligns[column]]
        spans += [(" " * before, "text"), *pieces, (" " * (spare - before), "text")]
    return spans


@lru_cache(16)
def _fit_widths(widths: tuple[int, ...], width: int) -> list[int]:
    """Reduce column widths to fit, the widest first; slow for many columns, so cached for all rows of a table."""
    fitted = [max(each, 1) for each in widths]
    room = max(width - 3 * (len(fitted) - 1), len(fitted))
    while sum(fitted) > room and max(fitted) > 1:
        fitted[fitted.index(max(fitted))] -= 1
    return fitted


def _rstripped(spans: list[Span]) -> list[Span]:
    """Remove blanks at the end of spans."""
    while spans and not spans[-1][0].rstrip(" "):
        spans = spans[:-1]
    return [*spans[:-1], (spans[-1][0].rstrip(" "), spans[-1][1])] if spans else []


def _expand_tabs(line: str) -> str:
    pieces = line.split("\t")
    text = pieces[0]
    for piece in pieces[1:]:
        text += " " * (TAB - cell_len(text) % TAB) + piece
    return text
