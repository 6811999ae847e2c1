"""The block line by line: what of every source is in it, and what is lost (specification, section 8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

from zsmem_tui.core.constants import TRUNCATED_MARK
from zsmem_tui.core.context import LONG_TERM_TITLE, OPENING, Section, Sources, pieces, sections, wrapped
from zsmem_tui.core.profile import Profile
from zsmem_tui.core.refs import WriteTarget
from zsmem_tui.core.text import cut, lines, trim
from zsmem_tui.core.tokens import estimate_tokens


class State(StrEnum):
    """How much of a section is in the block. `skipped`: the agent does not even look at it."""

    WHOLE = "whole"
    TRUNCATED = "truncated"
    OMITTED = "omitted"
    SKIPPED = "skipped"


class Use(NamedTuple):
    """One section: `size` bytes of it stand in the block, `full` it would take whole, both with its heading.

    `tokens` is the estimate for what stands there; `lines` of its `total` lines that are not blank are whole.
    """

    title: str
    path: str
    state: State
    size: int
    full: int
    tokens: int
    lines: int
    total: int


class Lost(NamedTuple):
    """A line that is not whole in the block. `line` is its number in the file, from 0; `cut` when a part of it is there."""

    path: str
    line: int
    text: str
    cut: bool


class BlockRow(NamedTuple):
    """One row of the preview: `text` stands in the block, `lost` does not. `path` and `line` say where it comes from."""

    text: str
    lost: str = ""
    path: str = ""
    line: int = -1
    section: int = -1


class Preview(NamedTuple):
    """The block of one project on one day. `text` is None when nothing goes into the prompt.

    `needed` is how many bytes the inner text would take if nothing were cut; it is cut at `cap`.
    """

    text: str | None
    cap: int
    needed: int
    uses: tuple[Use, ...]
    lost: tuple[Lost, ...]
    rows: tuple[BlockRow, ...]

    @property
    def size(self) -> int:
        """Bytes of the block, wrapper included."""
        return len((self.text or "").encode())

    @property
    def tokens(self) -> int:
        """The estimate for the whole block."""
        return estimate_tokens(self.text) if self.text else 0


class InBlock(NamedTuple):
    """What of a file is in the block: its text there, and the numbers of the lines that are whole, only begun, or lost."""

    text: str
    whole: frozenset[int]
    begun: frozenset[int]
    lost: frozenset[int] = frozenset()


class _Kept(NamedTuple):
    """How many characters of a section's heading and body are in the block, and the mark for what is not."""

    head: int
    body: int
    mark: str


class _Line(NamedTuple):
    """A line of a section's body, with how many of its characters are in the block."""

    number: int
    text: str
    kept: int


def explain(sources: Sources, paths: Mapping[str, str], profile: Profile, cap: int, *, oversized: str | None = None) -> Preview:
    """The block with everything that is known about it.

    `paths` gives the file of `long_term`, `checklist` and of each log's date. `oversized` is the text of a `MEMORY.md` that the
    agent leaves out for its size: all its lines are lost.
    """
    found = sections(sources, profile)
    if not found:
        return _with_skipped(Preview(None, cap, 0, (), (), ()), paths, oversized)
    inner, kept = _kept(found, profile, cap)
    is_cut = len(cut(inner, cap)) < len(inner)
    rows: list[BlockRow] = [BlockRow(OPENING)]
    uses: list[Use] = []
    lost: list[Lost] = []
    for number, section in enumerate(found):
        path = _path_of(section, paths)
        head, body, mark = kept[number]
        own = list(_lines(section, body))
        gone = [Lost(path, line.number, line.text, cut=line.kept > 0) for line in own if _is_lost(line)]
        lost += gone
        uses.append(_use(section, path, head, body, own))
        rows += _rows(number, section, path, head, own, mark)
    if is_cut:
        rows += [BlockRow(line) for line in TRUNCATED_MARK.split("\n")[1:]]
    rows.append(BlockRow("</memory>"))
    needed = sum(len(section.text.encode()) for section in found)
    preview = Preview(wrapped(inner, cap), cap, needed, tuple(uses), tuple(lost), tuple(rows))
    return _with_skipped(preview, paths, oversized)


def open_items_in(sources: Sources, profile: Profile, cap: int) -> InBlock:
    """What of the scratchpad is in the block."""
    found = sections(sources, profile)
    for section, (_, body, _) in zip(found, _kept(found, profile, cap)[1], strict=True):
        if section.source is WriteTarget.SCRATCHPAD:
            return _in_block(section, body)
    return InBlock("", frozenset(), frozenset())


def lines_in_block(
    sources: Sources,
    paths: Mapping[str, str],
    profile: Profile,
    cap: int,
    *,
    oversized: str | None = None,
    without: str = "",
) -> dict[str, InBlock]:
    """What of every file is in the block that `explain` of the same arguments gives, by path.

    Lines that agents do not look for are in none of the three sets; blank lines count as whole. `without` names a file that need
    not be answered for.
    """
    found = sections(sources, profile)
    out = {}
    for section, (_, body, _) in zip(found, _kept(found, profile, cap)[1], strict=True) if found else ():
        if (path := _path_of(section, paths)) != without:
            out[path] = _in_block(section, body)
    if oversized is not None and paths[WriteTarget.LONG_TERM] != without:
        every = frozenset(range(len(lines(oversized))))
        out[paths[WriteTarget.LONG_TERM]] = InBlock("", frozenset(), frozenset(), every)
    return out


def _in_block(section: Section, body: int) -> InBlock:
    own = list(_lines(section, body))
    gone = [line for line in own if _is_lost(line)]
    return InBlock(
        section.body[:body],
        frozenset(line.number for line in own if not _is_lost(line)),
        frozenset(line.number for line in gone if line.kept),
        frozenset(line.number for line in gone if not line.kept),
    )


def _kept(found: list[Section], profile: Profile, cap: int) -> tuple[str, list[_Kept]]:
    """The inner text before it is cut at `cap`, and what of each section is left after that."""
    parts = pieces(found, profile, cap)
    inner = "".join(part.text for part in parts)
    left = len(cut(inner, cap))
    kept = [_Kept(0, 0, "") for _ in found]
    for part in parts:
        text = part.text[: max(left, 0)]
        left -= len(part.text)
        own = kept[part.section]
        if part.kind == "body":
            kept[part.section] = own._replace(body=len(text))
        elif part.kind == "head":
            kept[part.section] = own._replace(head=len(text))
        else:
            kept[part.section] = own._replace(mark=text)
    return inner, kept


def _is_lost(line: _Line) -> bool:
    return line.kept < len(line.text) and bool(trim(line.text))


def _lines(section: Section, kept: int) -> Iterator[_Line]:
    """The lines of a body of which the first `kept` characters are in the block; a `\\r` before a line feed is not part of one."""
    at = 0
    texts = section.body.split("\n")
    for place, (number, text) in enumerate(zip(section.numbers, texts, strict=True)):
        own = text if place == len(texts) - 1 else text.removesuffix("\r")
        yield _Line(number, own, max(0, min(kept - at, len(own))))
        at += len(text) + 1


def _use(section: Section, path: str, head: int, body: int, own: list[_Line]) -> Use:
    text = section.head[:head] + section.body[:body]
    whole = body == len(section.body)
    state = State.WHOLE if whole else State.TRUNCATED if head else State.OMITTED
    solid = [line for line in own if trim(line.text)]
    tokens = estimate_tokens(text) if text else 0
    kept = sum(not _is_lost(line) for line in solid)
    return Use(section.title, path, state, len(text.encode()), len(section.text.encode()), tokens, kept, len(solid))


def _rows(number: int, section: Section, path: str, head: int, own: list[_Line], mark: str) -> Iterator[BlockRow]:
    """A section as it stands in the block, then what is left out of it."""
    shown, missing = section.head[:head].split("\n")[1:], section.head[head:].strip("\n")
    if head == len(section.head):
        shown.pop()
    yield from (BlockRow(words, section=number) for words in shown)
    if missing:
        yield BlockRow("", missing, section=number)
    below: list[BlockRow] = []
    for line in own:
        row = BlockRow(line.text[: line.kept], line.text[line.kept :], path, line.number, number)
        if row.lost and not row.text:
            below.append(row)
        else:
            yield row
    for text in mark.split("\n")[1:]:
        yield BlockRow(text, section=number)
    yield from below


def _with_skipped(preview: Preview, paths: Mapping[str, str], oversized: str | None) -> Preview:
    """The preview with what is lost of a `MEMORY.md` that is left out for its size."""
    if oversized is None:
        return preview
    path = paths[WriteTarget.LONG_TERM]
    solid = [(number, line) for number, line in enumerate(lines(oversized)) if trim(line)]
    gone = [Lost(path, number, line, cut=False) for number, line in solid]
    use = Use(LONG_TERM_TITLE, path, State.SKIPPED, 0, len(oversized.encode()), 0, 0, len(solid))
    rows = [BlockRow("", line, path, number, len(preview.uses)) for number, line in solid]
    return preview._replace(uses=(*preview.uses, use), lost=(*preview.lost, *gone), rows=(*preview.rows, *rows))


def _path_of(section: Section, paths: Mapping[str, str]) -> str:
    return paths[section.date if section.source is WriteTarget.DAILY else section.source]
