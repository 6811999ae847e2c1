"""Parse a text for the doctor: which lines are code, and the facts between them.

Facts are list items, table rows and sentences. Not facts: headings, table headers and delimiter rows, fenced code, comments, and
items that are done or dropped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, NamedTuple

from zsmem_tui.core.checks.finding import LineEdit
from zsmem_tui.core.checks.open_fence import end_of_open_fence, indent_of
from zsmem_tui.core.markdown import front_matter, is_delimiter_row
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import lines, trim

_FENCE: Final = re.compile(r"[ \t]*(?:(?:[-*+>]|[0-9]{1,9}[.)])[ \t]+){0,4}(`{3,}|~{3,})([^\n]*)")
_ITEM: Final = re.compile("([ \t\u3000]*)(?:[-*+\u2022](?=[ \t\u3000]|\\[[ xX~-]?\\])|[0-9]{1,9}[.)](?=[ \t]))[ \t\u3000]*")
_BOX: Final = re.compile("(?:\\[([^\\]\\[]?)\\]|\uff3b([^\uff3d]?)\uff3d)(?![(\\[:])[ \t\u3000]*")
_ENDED: Final = frozenset("xX-~")
_HEADING: Final = re.compile(r" {0,3}(#{1,6})(?:[ \t]+|$)")
_UNDERLINE: Final = re.compile(r" {0,3}(?:=+|-+)[ \t]*")
_REFERENCE: Final = re.compile(r" {0,3}\[(?!\^)[^\[\]]{1,200}\]:[ \t]*(\S+)")
_QUOTE: Final = re.compile(r"(?:[ \t]{0,3}>[ \t]?)+")
_GERMAN_DAY: Final = r"(?![ ]+(?:Jan|Jän|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)[a-z]*\.? [0-9]{4})"
_SENTENCE_END: Final = re.compile(
    f"[.!?](?=[ \t\n]+[^a-z \t\n]){_GERMAN_DAY}[ \t\n]+|[\u3002\uff01\uff1f](?![\u300d\u300f)\uff09])[ \t\n]*"
)
_SHORTENED: Final = re.compile(r"(?:^|[\s(.])(?:\w|[Ee]\.g|[Ii]\.e|vs|etc|bzw|ca|Nr|No|Dr|Mr|Mrs|St|Prof|approx|resp|usw|evtl)\.$")
_LONGEST_HEADING: Final = 200
"""The most characters of a heading that are examined with each fact below it."""

_BLANK: Final = frozenset(" \t")
_CONFLICT_MARKS: Final = frozenset(("<" * 7, "=" * 7, ">" * 7))


MOST_AROUND: Final = 80
"""The most blanks and quote marks around a sentence that still count as a line of its own."""

UNDER: Final = " › "
"""Separates a heading from a line ending with a colon that introduces the facts below it."""

COLONS: Final = (":", "：", ":**", "：**", ":*")
"""The ends of a line that introduces those below it."""


_BOLD: Final = re.compile(r"(\*\*|__)(?:(?!\1).)*[^.!?\u3002\uff01\uff1f]\1")


class Form(Enum):
    """The form of a fact."""

    ITEM = "item"
    STEP = "step"
    """A numbered item."""
    TASK = "task"
    ROW = "row"
    SENTENCE = "sentence"


class Saying(NamedTuple):
    """One fact: its lines (0-based, `stop` excluded), and its words without bullet, check box and quote mark.

    `heading` is the heading above it, and after `UNDER` the lines that introduce its list or paragraph.
    """

    line: int
    stop: int
    form: Form
    text: str
    heading: str
    above: tuple[str, ...] = ()
    """The headings from the top of the file down to the one over it."""


@dataclass(slots=True)
class Document:
    """A parsed text. `code` has the numbers of lines in fences, fence lines included; `open_fence` is the line of the first
    unclosed fence, or -1.

    `references` has line number and target of each `[name]: target`.
    """

    rows: list[str]
    code: set[int] = field(default_factory=set)
    open_fence: int = -1
    fence_mark: str = ""
    facts: list[Saying] = field(default_factory=list)
    references: list[tuple[int, str]] = field(default_factory=list)


class Text(NamedTuple):
    """A file for the rules; `block_end` is the text that would end the prompt's block early (empty: none).

    `has_head` says whether the agent reads its frontmatter.
    """

    ref: MemRef
    page: Document
    text: str
    block_end: str = ""
    has_head: bool = False


def is_lead(text: str) -> bool:
    """Whether a line introduces those below it: it ends with a colon, or is bold as a whole and no sentence."""
    return text.endswith(COLONS) or _BOLD.fullmatch(text) is not None


def is_part(page: Document, saying: Saying) -> bool:
    """Whether a fact is a sentence in lines that have more words, which would be lost with the lines."""
    if saying.form is not Form.SENTENCE:
        return False
    rows = page.rows[saying.line : saying.stop]
    return len(rows[0]) > len(saying.text) + MOST_AROUND or " ".join(row.strip().lstrip("> \t") for row in rows) != saying.text


def deletion(path: str, page: Document, saying: Saying) -> tuple[LineEdit, ...]:
    """The edit that deletes a fact; empty if its lines also contain other facts, or others depend on it."""
    rows = tuple(page.rows[saying.line : saying.stop])
    edit = (LineEdit(path, saying.line + 1, rows, ()),)
    is_over = is_lead(saying.text) if saying.form is Form.SENTENCE else saying.text.endswith(COLONS)
    if is_over and any(row.strip() for row in page.rows[saying.stop : saying.stop + 2]):
        return ()  # the lines it introduces would lose their subject
    if saying.form is Form.SENTENCE:
        return () if is_part(page, saying) or any(map(is_lead, map(trim, rows[:-1]))) else edit
    below = page.rows[saying.stop] if saying.stop < len(page.rows) and saying.form is not Form.ROW else ""
    return () if below.strip() and indent_of(below) > indent_of(rows[0]) else edit


def read_document(text: str, *, has_facts: bool = True) -> Document:
    """Parse a text; without `has_facts` (a log), only its code is found. Takes linear time."""
    found = Document(lines(text.removeprefix("\ufeff")))
    if "```" in text or "~~~" in text:
        _find_code(found)
    if has_facts:
        _Facts(found).read()
    return found


def _find_code(found: Document) -> None:
    """Find fenced code. An unclosed fence is taken to end where text plausibly begins, so that this is still read."""
    rows = found.rows
    at = 0
    no_end: dict[str, int] = {}
    while at < len(rows):
        row = rows[at]
        if "```" not in row and "~~~" not in row:
            at += 1
            continue
        opening = _FENCE.match(row)
        if not opening or (opening[1][0] == "`" and "`" in opening[2]):
            at += 1
            continue
        mark, size = opening[1][0], len(opening[1])
        stop = -1
        if size < no_end.get(mark, size + 1):
            stop = _closing(rows, at + 1, mark, size)
        if stop < 0:
            no_end[mark] = size
            if found.open_fence < 0:
                found.open_fence, found.fence_mark = at, opening[1]
            stop = end_of_open_fence(rows, at)
        found.code.update(range(at, stop + 1))
        at = stop + 1


def _closing(rows: list[str], start: int, mark: str, size: int) -> int:
    """The line that closes a fence; -1 if there is none."""
    for at in range(start, len(rows)):
        row = rows[at]
        if mark in row:
            bare = row.strip(" \t>\r")
            if len(bare) >= size and not bare.strip(mark):
                return at
    return -1


def conflicts(page: Document) -> list[tuple[int, int, int]]:
    """(first, last, middle line or -1) of each merge conflict; if one is cut off, its last line is the middle."""
    out: list[tuple[int, int, int]] = []
    start = middle = -1
    for at, row in enumerate(page.rows):
        if row[:7] not in _CONFLICT_MARKS or row[7:8].strip() or at in page.code:
            continue
        if row[0] == "=" and start >= 0:
            middle = at
        elif row[0] != "=":
            end = at if row[0] == ">" and start >= 0 else middle
            if end > start >= 0:
                out.append((start, end, middle))
            start, middle = (at if row[0] == "<" else -1), -1
    return [*out, (start, middle, middle)] if middle > start >= 0 else out


class _Facts:
    """Collects the facts of a document, top to bottom."""

    def __init__(self, found: Document) -> None:
        self.found = found
        self.heading = ""
        self.above: tuple[tuple[int, str], ...] = ()
        """(level, text) of the headings from the top down."""
        self.titles: tuple[str, ...] = ()
        self.words: list[str] = []
        self.start = 0
        self.form: Form | None = None
        self.is_ended = False
        self.indent = 0
        self.lead = ""
        self.own_leads: list[tuple[int, str]] = []
        """(indent, text) of open items that introduce the items below them."""

    def read(self) -> None:
        """Read all lines."""
        rows, code = self.found.rows, self.found.code
        at = front_matter(rows)
        is_table = False
        unresolved = {line for start, end, _ in conflicts(self.found) for line in range(start, end + 1)}
        while at < len(rows):
            row = rows[at]
            bare = trim(row)
            if not bare or at in code or at in unresolved:
                self._end(at)
                is_table = False
            elif bare[0] == "<" and bare.startswith("<!--"):
                self._end(at)
                while "-->" not in rows[at] and at + 1 < len(rows) and trim(rows[at + 1]):
                    at += 1
            elif bare[0] == "#" and (mark := _HEADING.match(row)):
                self._end(at)
                self._head(trim(row[mark.end() : mark.end() + _LONGEST_HEADING]).rstrip("# "), len(mark[1]))
            elif "|" in bare and (bare[0] == "|" or is_table or self._is_ruler(at + 1)):
                self._end(at)
                is_table = True
                if not self._is_ruler(at) and not self._is_ruler(at + 1):
                    self._put(at, at + 1, Form.ROW, bare.strip("|"))
            else:
                is_table = False
                self._line(at, row, bare)
            at += 1
        self._end(len(rows))

    def _head(self, heading: str, level: int) -> None:
        self.heading, self.lead = heading, ""
        self.above = (*(each for each in self.above if each[0] < level), (level, heading))
        self.titles = tuple(each for _, each in self.above)
        self.own_leads.clear()

    def _line(self, at: int, row: str, bare: str) -> None:
        if bare[0] == ">" and (mark := _QUOTE.match(row)):
            row = row[mark.end() :]
            bare = trim(row)
            if not bare:
                return self._end(at)
        first = bare[0]
        if first in "-=" and self.form is not None and not bare.strip("-=") and _UNDERLINE.fullmatch(row):
            if self.form is Form.SENTENCE:
                self._head(" ".join(self.words)[:_LONGEST_HEADING], 1 if first == "=" else 2)
                self.words, self.form = [], None
            return self._end(at)
        if first in "-*_=" and len(bare) > 2 and not bare.strip(f"{first} "):
            return self._end(at)
        if (item := _ITEM.match(row)) is not None and item.end() < len(row):
            self._end(at)
            self._begin_item(at, row, item)
        elif first == "[" and (known := _REFERENCE.match(row)):
            self._end(at)
            self.found.references.append((at, known[1]))
        elif self.form is None:
            if row[:4] == "    " or row[:1] == "\t":
                if not self.indent:
                    self.found.code.add(at)  # indented code; inside an item it is a paragraph of that item
                    return None
            elif row[0] not in _BLANK:
                self.indent = 0
            if (box := _BOX.match(bare)) is not None and box.end() < len(bare):
                self._begin(at, bare, Form.TASK, (box[1] or box[2] or " ") in _ENDED)
                self.words = [bare[box.end() :]]
            else:
                self._begin(at, bare, Form.SENTENCE, ended=False)
        else:
            self.words.append(bare)
        return None

    def _begin_item(self, at: int, row: str, item: re.Match[str]) -> None:
        rest = row[item.end() :]
        while self.own_leads and self.own_leads[-1][0] >= len(item[1]):
            self.own_leads.pop()
        if (box := _BOX.match(rest)) is not None:
            self._begin(at, trim(rest[box.end() :]), Form.TASK, (box[1] or box[2] or " ") in _ENDED)
        else:
            form = Form.STEP if row[len(item[1])].isdigit() else Form.ITEM
            self._begin(at, trim(rest), form, ended=False)
        self.indent = len(item[1]) + 1

    def _begin(self, at: int, words: str, form: Form, ended: bool) -> None:
        self.start, self.words, self.form, self.is_ended = at, [words], form, ended

    def _end(self, at: int) -> None:
        """Finish the current fact before line `at`."""
        form, self.form = self.form, None
        if form is None or self.is_ended:
            self.is_ended = False
            return
        if form is Form.SENTENCE:
            self._sentences(at)
        else:
            text = " ".join(self.words)
            self._put(self.start, at, form, text)
            if text.endswith(COLONS):
                self.own_leads.append((self.indent - 1, text))

    def _sentences(self, stop: int) -> None:
        text = "\n".join(self.words)
        self.own_leads.clear()
        is_led = bool(self.lead) and self.found.facts[-1].form is Form.SENTENCE and is_lead(self.found.facts[-1].text)
        self.lead = self.words[0] if is_lead(self.words[0]) and len(self.words) > 1 else self.lead if is_led else ""
        begin, line = 0, self.start
        for found in _SENTENCE_END.finditer(text):
            if _SHORTENED.search(text[max(begin, found.start() - 8) : found.start() + 1]):
                continue
            line = self._sentence(line, text[begin : found.end()])
            begin = found.end()
        self._sentence(line, text[begin:])
        if is_lead(self.words[-1]) or is_led:  # a lead is over the list or the paragraph right below it
            self.lead = self.words[-1] if is_lead(self.words[-1]) else ""

    def _sentence(self, line: int, text: str) -> int:
        """Add a sentence that begins on `line`; return the line where the next one begins."""
        own = text.rstrip()
        self._put(line, line + own.count("\n") + 1, Form.SENTENCE, own.replace("\n", " "))
        return line + text.count("\n")

    def _put(self, line: int, stop: int, form: Form, text: str) -> None:
        if text:
            leads = (self.lead, *(each for _, each in self.own_leads))
            place = UNDER.join((self.heading, *(lead[:_LONGEST_HEADING] for lead in leads if lead)))
            self.found.facts.append(Saying(line, stop, form, text, place, self.titles))

    def _is_ruler(self, at: int) -> bool:
        return at < len(self.found.rows) and is_delimiter_row(self.found.rows[at])
