"""Edit a Markdown text by blocks of lines (facts and tasks): remove, move, insert or replace them.

Every function returns the new text. Bytes of other facts never change, except that a last line may get the line ending it lacks.
Blank lines around removed or inserted facts are adjusted. A `Fact` is identified by its line numbers in the very text that is
passed in; relocate one from an older text first (`find_again`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence, Set
from enum import Enum
from itertools import chain, groupby
from typing import NamedTuple

from zsmem_tui.core.facts import Fact, Kind, Piece, below_mark, divide, open_fence
from zsmem_tui.core.list_edits import continued, is_item, line_start
from zsmem_tui.core.markdown import ended_lines
from zsmem_tui.core.text import grouped, trim


class Edge(Enum):
    """An end of a text. `TOP` is below the front matter and the title, above everything else."""

    TOP = "top"
    END = "end"


Place = Edge | tuple[str, ...]
"""Where to insert facts: an end of a text, or in the section that this path of headings names."""


class NoHeading(ValueError):
    """The text has no heading with this path."""


class Block(NamedTuple):
    """A fact to insert, without a position: its lines, its kind and, for a table row, the header of its table."""

    text: str
    kind: Kind
    header: str = ""


def blocks(found: Iterable[Fact]) -> list[Block]:
    """Convert facts to blocks, with the indentation common to all lines of a fact removed."""
    return [Block(_dedented(fact.text, fact.kind), fact.kind, fact.header) for fact in found]


def without(text: str, found: Iterable[Fact]) -> str:
    """Remove these facts from the text, and the blank lines on one side of each."""
    return without_pieces(text, {fact.line for fact in found})


@below_mark
def without_pieces(text: str, gone: Set[int]) -> str:
    """Remove the pieces, of any kind, that begin on these lines (0-based)."""
    if not gone:
        return text
    pieces = divide(text)
    kept = _facts_and_headings(piece for piece in pieces if piece.line not in gone)
    rows = {row for piece in pieces if piece.line in gone for row in range(piece.line, piece.stop)}
    return _first_intact((cut(text, rows, gap) for gap in ("", ending_of(text))), kept)


def cut(text: str, gone: Set[int], gap: str = "") -> str:
    """Remove lines by number. Of the blank lines above and below a removed run keep the longer run, or put `gap` if none."""
    lines = ended_lines(text)
    out: list[list[str]] = []
    taken = after_blank = False
    for (is_gone, is_blank), numbers in groupby(range(len(lines)), lambda number: (number in gone, not trim(lines[number]))):
        run = [lines[number] for number in numbers]
        if is_gone:
            taken = True
        elif taken and is_blank and (after_blank or not out):
            out[-1:] = [max(out[-1], run, key=len)] if out else []
        else:
            if taken and gap and not is_blank and not after_blank:
                out.append([gap])
            out.append(run)
            taken, after_blank = False, is_blank
    if taken and after_blank:
        out.pop()
    return "".join(chain.from_iterable(out))


def swapped(text: str, first: tuple[int, int], second: tuple[int, int], gap: str = "") -> str:
    """Swap two ranges of lines; `gap` is put between neighbours that have no blank line between them."""
    lines, ending = ended_lines(text), ending_of(text)
    bare_end = not lines[-1].endswith("\n")
    if bare_end:
        lines[-1] += ending
    front, back = "".join(lines[: first[0]]), "".join(lines[second[1] :])
    between = "".join(lines[first[1] : second[0]]) or gap
    above = gap if front and trim(lines[first[0] - 1]) else ""
    below = gap if back and trim(lines[second[1]]) else ""
    made = "".join((front, above, *lines[slice(*second)], between, *lines[slice(*first)], below, back))
    return made.removesuffix(ending) if bare_end else made


@below_mark
def shifted(text: str, fact: Fact, step: int) -> str:
    """Move a fact one position down (`step` 1) or up (-1) within its heading; return the text unchanged if it is already at the
    end.

    A table row moves among the rows of its table; anything else moves past a table as a whole.
    """
    pieces = divide(text)
    beside = _siblings(pieces, fact)
    at = next((place for place, (start, _) in enumerate(beside) if start == fact.line), -1)
    if at < 0 or not 0 <= at + step < len(beside):
        return text
    first, second = sorted((beside[at], beside[at + step]))
    return _first_intact((swapped(text, first, second, gap) for gap in ("", ending_of(text))), _facts_and_headings(pieces))


def raised(text: str, found: Sequence[Fact], up: int) -> str:
    """Move these facts to the top of their sections, or of the sections `up` levels above these; above the first, to `Edge.TOP`.

    The text is returned as it is if they are there already.
    """
    ending, left, heads = ending_of(text), without(text, found), [each for each in divide(text) if each.kind is Kind.HEADING]
    paths = [(fact, fact.headings[: max(len(fact.headings) - up, 0)]) for fact in reversed(found)]
    homes = (((path, sum(each.headings == path and each.line < fact.line for each in heads)), fact) for fact, path in paths)
    for (path, nth), own in grouped(homes).items():
        left = inserted(left, blocks(reversed(own)), path or Edge.TOP, ending=ending, top=max(nth, 1))
    return text if left.split() == text.split() else left  # only blank lines would come


@below_mark
def inserted(text: str, new: Sequence[Block], place: Place, *, ending: str = "", top: int = 0) -> str:
    """Insert blocks at a place, keeping the text's existing line endings. Raises `NoHeading`.

    In a section they go to its end, or to the top of the `top`th of that name, from 1.

    A table row goes into the table with the same header in that section; if there is none, the header is inserted with it.
    """
    ending, top = ending or ending_of(text), top or int(place is Edge.TOP)
    groups = [[*each] for _, each in groupby(new, lambda block: (block.kind is Kind.ROW, block.header))]
    for group in groups[::-1] if top else groups:
        text = _insert_group(text, group, place, ending, top=top)
    return text


@below_mark
def replaced(text: str, fact: Fact, new: str) -> str:
    """Replace the lines of a fact. Its last line keeps its line ending, and no new line becomes front matter.

    Raises `ValueError` if `new` is blank.
    """
    if not trim(new):
        raise ValueError("a fact needs words")
    ending = ending_of(text)
    lines = ended_lines(text)
    own = ended_with(new, ending)
    if not lines[fact.stop - 1].endswith("\n"):
        own = own.removesuffix(ending)
    lines[fact.line : fact.stop] = [own]
    made = "".join(lines)
    is_front = fact.line == 0 and divide(made)[0].kind is Kind.FRONT_MATTER
    return ending + made if is_front else made


def reworded(text: str, fact: Fact, words: str) -> str:
    """Replace the words on the first line of a fact; indentation, bullet and check box stay. Raises `ValueError` if `words` is
    blank.
    """
    if not trim(words):
        raise ValueError("a fact needs words")
    front, _, tail = split_words(fact)
    rest = fact.text.partition("\n")[2]
    return replaced(text, fact, f"{front}{' '.join(words.split())}{tail}" + (f"\n{rest}" if rest else ""))


def split_words(fact: Fact) -> tuple[str, str, str]:
    """Split the first line of a fact into prefix (indentation, bullet, box), words and trailing blanks."""
    line = fact.text.partition("\n")[0].removesuffix("\r")
    at = line_start(line).length if fact.kind is Kind.ITEM else len(line) - len(line.lstrip(" \t"))
    words = line[at:].rstrip(" \t")
    return line[:at], words, line[at + len(words) :]


@below_mark
def added_below(text: str, fact: Fact, new: str) -> str:
    """Insert what a person typed as a new fact below `fact`, in the same form: with its bullet and box, or as a table row.

    Raises `ValueError` if `new` is blank.
    """
    if not trim(new):
        raise ValueError("a fact needs words")
    ending = ending_of(text)
    own = _formatted_like(fact, new, ending)
    lines = ended_lines(text)
    bare_end = not lines[-1].endswith("\n")
    if bare_end:
        lines[-1] += ending
    kept = _facts_and_headings(divide("".join(lines)))

    def put(gap: str) -> str:
        close = fact.kind in (Kind.ITEM, Kind.ROW) and not gap
        follows = fact.stop < len(lines) and bool(trim(lines[fact.stop]))
        parts = ["" if close else ending, own, ending if (follows and not close) else ""]
        joined = "".join((*lines[: fact.stop], *parts, *lines[fact.stop :]))
        return joined.removesuffix(ending) if bare_end else joined

    return _first_intact(map(put, ("", ending)), kept, more=True)


def _facts_and_headings(pieces: Iterable[Piece]) -> list[str]:
    """The texts of the facts and headings among the pieces, which an edit elsewhere must not change."""
    return [piece.text for piece in pieces if piece.is_fact or piece.kind is Kind.HEADING]


def _first_intact(tries: Iterable[str], kept: Iterable[str], *, more: bool = False) -> str:
    """The first candidate with exactly these facts and headings (with `more`: at least these); the last candidate if none has."""
    wanted = Counter(map(_without_line_end, kept))
    text = ""
    for text in tries:
        have = Counter(map(_without_line_end, _facts_and_headings(divide(text))))
        if wanted == have or (more and not wanted - have):
            break
    return text


def _siblings(pieces: Sequence[Piece], fact: Fact) -> list[tuple[int, int]]:
    """The line ranges (start, stop) of the pieces that `fact` can swap places with, itself included; empty if it is not found."""
    home = next((at for at, piece in enumerate(pieces) if piece.line == fact.line), -1)
    if home < 0:
        return []
    start = next((at for at in range(home, -1, -1) if pieces[at].kind is Kind.HEADING), -1) + 1
    stop = next((at for at in range(home, len(pieces)) if pieces[at].kind is Kind.HEADING), len(pieces))
    is_row = fact.kind is Kind.ROW
    if is_row:
        while home > start and pieces[home - 1].kind is Kind.ROW:
            home -= 1
        start = home
    out: list[tuple[int, int]] = []
    in_table = False
    for piece in pieces[start:stop]:
        if is_row and piece.kind is not Kind.ROW:
            break
        if not is_row and in_table and piece.kind is Kind.ROW:
            out[-1] = (out[-1][0], piece.stop)
            continue
        in_table = piece.kind in (Kind.TABLE_HEAD, Kind.ROW)
        if piece.is_fact or piece.kind is Kind.TABLE_HEAD:
            out.append((piece.line, piece.stop))
    return out


def _insert_group(text: str, group: Sequence[Block], place: Place, ending: str, *, top: int) -> str:
    """Insert blocks that belong together: rows of one table, or blocks that are no rows."""
    pieces = divide(text)
    at, first = _insert_point(pieces, place, top=top)
    if not top and at and pieces[at - 1].is_fact and open_fence(pieces[at - 1].text):
        at -= 1  # appended to a fence without an end, they would be part of it
        if at and pieces[at - 1].kind is Kind.BLANK:
            at -= 1
    row, table = group[0].kind is Kind.ROW, None
    body = ""
    for before, block in zip((None, *group), group, strict=False):
        body += ending if before is not None and _needs_gap(before.kind, block.kind) else ""
        body += ended_with(block.text, ending)
        fence = open_fence(block.text)
        if fence and (block is not group[-1] or any(piece.kind is not Kind.BLANK for piece in pieces[at:])):
            body += f"{fence}{ending}"  # close it, or the pieces that follow become part of the fence
    if row and group[0].header:
        table = _row_insert_point(pieces, first, at, group[0].header, top=bool(top))
        body = ended_with(group[0].header, ending) + body if table is None else body
        at = at if table is None else table
    front, back = ("".join(piece.text for piece in some) for some in (pieces[:at], pieces[at:]))
    if front and not front.endswith("\n"):
        front += ending
    if table is not None:
        return front + body + back
    kept = _facts_and_headings(pieces)
    above = pieces[at - 1] if at else None
    below = pieces[at] if at < len(pieces) else None
    gap_above = ending if above and above.kind is not Kind.BLANK and (row or _needs_gap(above.kind, group[0].kind)) else ""
    if top and above and below and above.kind is Kind.HEADING and below.kind is group[0].kind is Kind.ITEM:
        gap_above = ""  # as the items there have none: one more line would push a line out of the prompt
    gap_below = ending if below and below.kind is not Kind.BLANK and (row or _needs_gap(group[-1].kind, below.kind)) else ""
    if top and gap_below and front.endswith(ending * 3):
        front = front.removesuffix(ending)  # of two blank lines one is the gap below: a third would push a line out of the prompt
    wide = (ending if above and above.kind is not Kind.BLANK else "", ending if below and below.kind is not Kind.BLANK else "")
    return _first_intact((f"{front}{up}{body}{down}{back}" for up, down in ((gap_above, gap_below), wide)), kept, more=True)


def _insert_point(pieces: Sequence[Piece], place: Place, *, top: int) -> tuple[int, int]:
    """The index of the piece to insert before, and the index of the first piece of its section."""
    if place is Edge.END:
        at = len(pieces)
        while at and pieces[at - 1].kind is Kind.BLANK:
            at -= 1
        first = next((number for number in range(at - 1, -1, -1) if pieces[number].kind is Kind.HEADING), -1) + 1
        return at, first
    if place is Edge.TOP:
        at = 0
        while at < len(pieces) and pieces[at].kind in (Kind.FRONT_MATTER, Kind.BLANK):
            at += 1
        if at < len(pieces) and pieces[at].kind is Kind.HEADING and pieces[at].level == 1:
            at = _after_blanks(pieces, at + 1)
        return at, at
    homes = [at for at, piece in enumerate(pieces) if piece.kind is Kind.HEADING and piece.headings == place]
    if not homes:
        raise NoHeading(" > ".join(place))
    home = homes[max(top, 1) - 1]
    if top:
        at = _after_blanks(pieces, home + 1)
        return at, at
    at = next((at for at in range(home + 1, len(pieces)) if pieces[at].kind is Kind.HEADING), len(pieces))
    while pieces[at - 1].kind is Kind.BLANK:
        at -= 1
    return at, home + 1


def _after_blanks(pieces: Sequence[Piece], at: int) -> int:
    while at < len(pieces) and pieces[at].kind is Kind.BLANK:
        at += 1
    return at


def _row_insert_point(pieces: Sequence[Piece], first: int, at: int, header: str, *, top: bool) -> int | None:
    """The index of the piece to insert a table row before, in the table with this header; None if there is no such table."""
    wanted = _cells(header)
    stop = len(pieces) if top else at
    for number in range(first, min(stop, first + 1) if top else stop):
        if pieces[number].kind is Kind.TABLE_HEAD and _cells(pieces[number].text) == wanted:
            number += 1
            while not top and number < len(pieces) and pieces[number].kind is Kind.ROW:
                number += 1
            return number
    return None


def _cells(header: str) -> list[str]:
    return [trim(cell) for cell in trim(header.partition("\n")[0]).strip("|").split("|")]


def _needs_gap(above: Kind, below: Kind) -> bool:
    """Whether a blank line has to separate two neighbouring pieces of these kinds."""
    return above is not below or above not in (Kind.ITEM, Kind.ROW)


def _formatted_like(fact: Fact, new: str, ending: str) -> str:
    """Format what a person typed like `fact`: same bullet, box and indentation, or a table row."""
    first = new.partition("\n")[0]
    above = fact.text.partition("\n")[0].removesuffix("\r")
    if fact.kind is Kind.ITEM and (front := continued(above, len(above))) and not is_item(first):
        inner = " " * (fact.indent + len(line_start(front).bullet) + 1)
        lines = ended_lines(new.rstrip("\r\n"))
        new = front + lines[0].lstrip(" \t") + "".join(inner + line if trim(line) else line for line in lines[1:])
    elif fact.kind is Kind.ROW and "|" not in first:
        new = f"| {' '.join(new.split())} |"
    return ended_with(new, ending)


def _dedented(text: str, kind: Kind) -> str:
    lines = ended_lines(text)
    if kind not in (Kind.ITEM, Kind.PARAGRAPH, Kind.FENCE, Kind.ROW):
        return text
    first = lines[0][: len(lines[0]) - len(lines[0].lstrip(" \t"))]
    if not first or any(trim(line) and not line.startswith(first) for line in lines):
        return text
    return "".join(line.removeprefix(first) for line in lines)


def ended_with(text: str, ending: str) -> str:
    """The text with every line, the last one included, ending in `ending`."""
    lines = (line.removesuffix("\n").removesuffix("\r") for line in ended_lines(text))
    return "".join(f"{line}{ending}" for line in lines)


def ending_of(text: str) -> str:
    """The line ending that most lines have: CR LF or LF."""
    return "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"


def _without_line_end(text: str) -> str:
    return text.removesuffix("\n").removesuffix("\r")
