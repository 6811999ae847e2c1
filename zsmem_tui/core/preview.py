"""Explain a memory block line by line: what of each source is in it, and what is lost (specification, section 8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from zsmem_tui.core.catalog import FileEntry
from zsmem_tui.core.context import Block, Composed, LeftOut, Meter, Section, Skipped
from zsmem_tui.core.text import counted, cut, estimate_tokens, lines, raw_lines, trim
from zsmem_tui.core.visible import visible_line


class State(StrEnum):
    """How much of a section is in the block. `skipped`: the agent does not take in the file; `unreadable`: it cannot be read."""

    WHOLE = "whole"
    TRUNCATED = "truncated"
    OMITTED = "omitted"
    SKIPPED = "skipped"
    UNREADABLE = "unreadable"

    @property
    def says(self) -> str:
        """The word for it, which is the one for a line or a fact."""
        return {"whole": "loaded", "truncated": "cut", "unreadable": "cannot be read"}.get(self.value, "lost")

    @property
    def is_left_out(self) -> bool:
        """Whether nothing of the file is taken in, whatever there is room for."""
        return self in (State.SKIPPED, State.UNREADABLE)


class Use(NamedTuple):
    """The share of one section: `size` bytes are in the block, `full` bytes would be without a cut, both with its heading.

    `tokens` is the estimate for `size`; `lines` of its `total` lines are whole. Blank lines count only if the cap counts them.
    """

    title: str
    path: str
    state: State
    size: int
    full: int
    tokens: int
    lines: int
    total: int
    took: int = 0
    """Its size in the block in the preview's unit, if that is not bytes."""
    wants: int = 0
    """Its full size in that unit."""


class Loss(NamedTuple):
    """Counts of what an agent loses: facts that are not whole in its prompt, lines, and files that no agent reads, if requested."""

    facts: int
    lines: int
    unread: int = 0

    def __str__(self) -> str:
        lines, files = counted(self.lines, "line"), counted(self.unread, "file")
        beside = f" ({lines})" if self.lines != self.facts else ""
        cut = f"{counted(self.facts, 'fact')} lost{beside}" if self.facts else f"{lines} lost"
        found = [*([cut] if self.lines else ()), *([f"{files} lost that no agent reads"] if self.unread else ())]
        return ", ".join(found) or "no line lost"

    @property
    def brief(self) -> str:
        """The loss in words, without the number of lines."""
        return str(self._replace(lines=self.facts or self.lines))


class BlockRow(NamedTuple):
    """One row of the preview: `text` is in the block, `lost` is not. `path` and `line` are its source.

    `is_end`: `text` is the end of the line, and `lost` comes before it.
    """

    text: str
    lost: str = ""
    path: str = ""
    line: int = -1
    section: int = -1
    is_end: bool = False

    @property
    def whole(self) -> str:
        """The whole line, including its lost part."""
        return self.lost + self.text if self.is_end else self.text + self.lost


class Told(NamedTuple):
    """An instruction file in the prompt beside the block, with the (0-based line, path) of its imports that lead nowhere."""

    path: str
    text: str
    dead: Sequence[tuple[int, str]] = ()


def instructed(told: Sequence[Told], *, is_of_each: bool = False) -> str:
    """The size of instruction files, such as "187 bytes from 2 GEMINI.md files, 47 tokens"; empty for none.

    If each agent reads its own of several (`is_of_each`), no prompt has all of them: they are counted alone.
    """
    if not told:
        return ""
    if is_of_each and told[1:]:
        return f"{len(told)} instruction files, of which each agent reads its own"
    names = {each.path.rpartition("/")[2] for each in told}
    noun = f"{visible_line(names.pop())} file" if len(names) == 1 else "instruction file"
    tokens = sum(estimate_tokens(each.text) for each in told)
    return f"{counted(_size(told), 'byte')} from {counted(len(told), noun)}, {counted(tokens, 'token')}"


def _size(told: Sequence[Told]) -> int:
    return sum(len(each.text.encode()) for each in told)


class Preview(NamedTuple):
    """The block of one project on one day. `text` is None if nothing goes into the prompt.

    `needed` is the size of the inner text without any cut; it is cut at `cap`.
    """

    text: str | None
    cap: int
    needed: int
    uses: tuple[Use, ...]
    lost: tuple[LeftOut, ...]
    rows: tuple[BlockRow, ...]
    unit: str = "bytes"
    """The unit of `cap` and `needed`."""
    of: str = ""
    """The part of the prompt that `cap` limits, such as a file; empty for the whole block."""
    rule: str = ""
    """A sentence on how the agent cuts, or why there is no prompt; empty for a block that is cut as a whole."""
    meters: tuple[Meter, ...] = ()
    """The fill levels of files with their own cap, in `unit`."""
    other: str = ""
    """How much of a second cap, which is less full, is left, in words."""
    lost_facts: tuple[tuple[str, int], ...] = ()
    """(path, number of facts that are not whole in the block)."""
    beside: tuple[Told, ...] = ()
    """The instruction files that are in the prompt beside the block, if requested."""
    is_of_each: bool = False
    """Whether this is no agent's prompt: of the files in `beside`, each agent reads its own."""
    apart: tuple[FileEntry, ...] = ()
    """The files of the memory that the agent reads and of which nothing is in the prompt, if requested."""
    unread: tuple[FileEntry, ...] = ()
    """The files among the memory that no agent reads, if requested."""
    unreadable: tuple[FileEntry, ...] = ()
    """The files of the memory whose text cannot be read, as if it is not valid UTF-8, if requested."""

    def loss(self, path: str = "") -> Loss:
        """What is lost of the file at `path`, or of all files."""
        facts = sum(count for each, count in self.lost_facts if path in ("", each))
        return Loss(facts, sum(path in ("", each.path) for each in self.lost), 0 if path else len(self.unread))

    @property
    def in_all(self) -> int:
        """What the memory needs in `unit`, including files that are left out."""
        return self.needed + sum(use.full for use in self.uses if use.state.is_left_out)

    @property
    def closed(self) -> str:
        """That files cannot be read, and how large they are: "MEMORY.md cannot be read (262 bytes)"; empty for none."""
        names = {use.path: f"{use.path.rpartition('/')[2]} cannot be read ({counted(use.full, 'byte')})" for use in self.uses}
        return visible_line(", ".join(names[use.path] for use in self.uses if use.state is State.UNREADABLE))

    @property
    def instructed(self) -> str:
        """What is in the prompt instead of memory, such as "187 bytes from 2 GEMINI.md files, 47 tokens"; empty if nothing is.

        It is known if `beside` is.
        """
        return instructed(self.beside, is_of_each=self.is_of_each) if self.text is None else ""

    @property
    def told_size(self) -> int:
        """Bytes of the instruction files beside the block."""
        return _size(self.beside)

    @property
    def most(self) -> int | None:
        """The cap; None if the agent has none."""
        return None if self.rule and not self.cap else self.cap

    @property
    def size(self) -> int:
        """Bytes of the block, including its wrapper."""
        return len((self.text or "").encode())

    @property
    def tokens(self) -> int:
        """The token estimate for the whole block."""
        return estimate_tokens(self.text) if self.text else 0


class InBlock(NamedTuple):
    """How much of a file is in the block: its text there, and the 0-based numbers of lines that are whole, cut, or lost."""

    text: str
    whole: frozenset[int]
    begun: frozenset[int]
    lost: frozenset[int] = frozenset()
    reasons: tuple[tuple[int, str], ...] = ()
    """(line number, reason) for lines that are not whole, if the reason is not the cap of the whole block."""


class Prompt(StrEnum):
    """How much of a line or fact is in the prompt. `NEVER`: agents do not put lines of that file there, whatever their size."""

    WHOLE = "whole"
    CUT = "cut"
    LOST = "lost"
    NEVER = "never"


class _Kept(NamedTuple):
    """How many characters of a section's heading and body are in the block, and the mark that replaces the rest."""

    head: int
    body: int
    mark: str


class _Line(NamedTuple):
    """A line of a section's body; `kept` is how many of its characters are in the block.

    `reached`: the block extends at least to its start.
    """

    number: int
    text: str
    kept: int
    reached: bool


def explain(block: Block, skipped: Mapping[str, str]) -> Preview:
    """Explain the block row by row.

    `skipped` maps paths to the texts of files that the agent leaves out as a whole: all their lines are lost. Those without a text
    there cannot be read.
    """
    if block.composed is not None:
        return _explained(block, block.composed)
    if not block.sections:
        return _with_skipped(Preview(None, block.cap, 0, (), (), ()), block, skipped)
    kept = _kept(block)
    rows: list[BlockRow] = [BlockRow(line) for line in raw_lines(block.opening)]
    uses: list[Use] = []
    lost: list[LeftOut] = []
    for number, section in enumerate(block.sections):
        head, body, mark = kept[number]
        own = list(_lines(section, body))
        lost += [LeftOut(section.path, line.number, line.text, cut=line.kept > 0) for line in own if _is_lost(line)]
        uses.append(_use(section, head, body, own))
        rows += _rows(number, section, head, own, mark)
    if block.is_cut:
        rows += [BlockRow(line) for line in raw_lines(block.mark)[1:]]
    rows += [BlockRow(line) for line in raw_lines(block.closing)[1:]]
    preview = Preview(block.text, block.cap, block.needed, tuple(uses), tuple(lost), tuple(rows))
    return _with_skipped(preview, block, skipped)


def prompt_of_line(line: int, seen: InBlock) -> Prompt:
    """How much of a line (0-based) of a file is in a block."""
    if line in seen.whole:
        return Prompt.WHOLE
    return Prompt.LOST if line in seen.lost else Prompt.CUT if line in seen.begun else Prompt.NEVER


def lines_in_block(block: Block, skipped: Mapping[str, str], *, without: str = "") -> dict[str, InBlock]:
    """How much of each file is in the block, by path; `skipped` as for `explain`.

    Lines that agents ignore are in none of the sets; blank lines count as whole. `without` names a file to leave out of the result.
    """
    out = {}
    if block.composed is not None:
        paths = dict.fromkeys(section.path for section in block.sections)
        return {path: _in_composed(block.composed, path) for path in paths if path != without}
    for section, (_, body, _) in zip(block.sections, _kept(block), strict=True) if block.sections else ():
        if section.path != without:
            out[section.path] = _in_block(section, body)
    for each in block.skipped:
        if each.path != without and each.path in skipped:
            numbers = [number for number, _ in _taken(each, skipped[each.path])]
            why = _left_out(each)
            out[each.path] = InBlock("", frozenset(), frozenset(), frozenset(numbers), tuple((number, why) for number in numbers))
    return out


def over_cap(block: Block) -> dict[str, int]:
    """Bytes of each file cut from the block, by path, if any; not for files that are skipped as a whole."""
    found: dict[str, int] = {}
    if block.composed is not None:
        for left in block.composed.left_out:
            found[left.path] = found.get(left.path, 0) + len(left.text.encode("utf-8", "replace")) + 1
        return found
    if not block.is_cut and all(piece.kind != "mark" for piece in block.pieces):
        return found
    for section, (_, body, _) in zip(block.sections, _kept(block), strict=True):
        if body < len(section.body):
            found[section.path] = len(section.body[body:].encode())
    return found


def _explained(block: Block, composed: Composed) -> Preview:
    """Explain a composed prompt; rows for left-out lines follow the last row of their section."""
    sections = {section.path: number for number, section in reversed(list(enumerate(block.sections)))}
    gone = {(each.path, each.line): each for each in composed.left_out}
    rows: list[BlockRow] = []
    shown: set[tuple[str, int]] = set()
    ends: dict[str, int] = {}
    for run in composed.runs:
        left = gone.get((run.path, run.line))
        shown.add((run.path, run.line))
        lost = "" if left is None else _missing_part(left.text, run.text) if left.cut else left.text
        if not run.path:
            rows += [BlockRow(line) for line in raw_lines(run.text)]
        if not run.path or not f"{run.text}{run.end}":
            continue
        is_end = bool(lost and run.text) and not left.text.startswith(run.text) if left is not None else False
        rows.append(BlockRow(run.text, lost, run.path, run.line, sections.get(run.path, -1), is_end))
        ends[run.path] = len(rows)
    for path in sorted(sections, key=lambda path: -ends.get(path, len(rows))):
        below = [each for each in composed.left_out if each.path == path and (path, each.line) not in shown]
        at = ends.get(path, len(rows))
        rows[at:at] = [BlockRow("", each.text, path, each.line, sections[path]) for each in below]
    uses = tuple(_use_of(composed, section) for section in block.sections)
    unit, of, rule, meters = composed.unit or "bytes", composed.of, composed.rule, composed.meters
    own = unit, of, rule, meters, composed.other
    return Preview(block.text, composed.cap, composed.used, uses, composed.left_out, tuple(rows), *own)


def _missing_part(text: str, shown: str) -> str:
    """The missing part of a line of which `shown`, its start or end, is in the prompt."""
    return text.removeprefix(shown) if text.startswith(shown) else text.removesuffix(shown)


def _use_of(composed: Composed, section: Section) -> Use:
    own = [run for run in composed.runs if run.path == section.path and f"{run.text}{run.end}"]
    text = "".join(f"{run.text}{run.end}" for run in own)
    cut_off = [each for each in composed.left_out if each.path == section.path]
    gone = {each.line for each in cut_off}
    kept = len({run.line for run in own if trim(run.text)} - gone)
    state = State.WHOLE if not gone else State.TRUNCATED if own else State.OMITTED
    tokens = estimate_tokens(text) if text else 0
    shown = {run.line: run.text for run in reversed(own)}
    left = [_missing_part(each.text, shown.get(each.line, "") if each.cut else "") for each in cut_off]
    is_ended = bool(composed.of and composed.unit != "lines" and own and own[-1].end)  # a cap of a file counts its last line feed
    size, took = len(text.encode("utf-8", "replace")), _size_in_unit([run.text for run in own], composed.unit) + is_ended
    full, wants = size + len("\n".join(left).encode("utf-8", "replace")), took + _size_in_unit(left, composed.unit)
    total = kept + len(gone)
    if composed.unit == "lines":  # such a cap counts blank lines, too
        is_measured = bool(composed.runs) and composed.runs[0].path == section.path
        kept, total = took - len(gone & {run.line for run in own}), max(wants, composed.used if is_measured else 0)
    return Use(section.title, section.path, state, size, full, tokens, kept, total, took, wants)


def _size_in_unit(texts: Sequence[str], unit: str) -> int:
    """The size of lines in an agent's unit: lines, UTF-16 code units including line feeds, or bytes."""
    if unit == "lines":
        return len(texts)
    text = "\n".join(texts)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2 if unit == "characters" else len(text.encode("utf-8", "replace"))


def _in_composed(composed: Composed, path: str) -> InBlock:
    own = [run for run in composed.runs if run.path == path]
    gone = {each.line: each.cut for each in composed.left_out if each.path == path}
    return InBlock(
        "\n".join(run.text for run in own if f"{run.text}{run.end}"),
        frozenset(run.line for run in own if run.line not in gone),
        frozenset(line for line, is_cut in gone.items() if is_cut),
        frozenset(line for line, is_cut in gone.items() if not is_cut),
        tuple((each.line, each.reason) for each in composed.left_out if each.path == path and each.reason),
    )


def _in_block(section: Section, body: int) -> InBlock:
    if body == len(section.body):
        return InBlock(section.body, frozenset(section.numbers), frozenset(), frozenset())
    own = list(_lines(section, body))
    gone = [line for line in own if _is_lost(line)]
    return InBlock(
        section.body[:body],
        frozenset(line.number for line in own if not _is_lost(line)),
        frozenset(line.number for line in gone if line.kept),
        frozenset(line.number for line in gone if not line.kept),
    )


def _kept(block: Block) -> list[_Kept]:
    """How much of each section is left after the inner text is cut at the cap."""
    left = len(cut(block.inner, block.cap))
    kept = [_Kept(0, 0, "") for _ in block.sections]
    for part in block.pieces:
        text = part.text[: max(left, 0)]
        left -= len(part.text)
        own = kept[part.section]
        if part.kind == "body":
            kept[part.section] = own._replace(body=len(text))
        elif part.kind == "head":
            kept[part.section] = own._replace(head=len(text))
        else:
            kept[part.section] = own._replace(mark=text)
    return kept


def _is_lost(line: _Line) -> bool:
    return line.kept < len(line.text) and bool(trim(line.text))


def _lines(section: Section, kept: int) -> Iterator[_Line]:
    r"""The lines of a body whose first `kept` characters are in the block; a `\r` before a line feed is not part of the line."""
    at = 0
    texts = raw_lines(section.body)
    for place, (number, text) in enumerate(zip(section.numbers, texts, strict=True)):
        own = text if place == len(texts) - 1 else text.removesuffix("\r")
        yield _Line(number, own, max(0, min(kept - at, len(own))), at <= kept)
        at += len(text) + 1


def _use(section: Section, head: int, body: int, own: list[_Line]) -> Use:
    text = section.head[:head] + section.body[:body]
    whole = body == len(section.body)
    state = State.WHOLE if whole else State.TRUNCATED if head else State.OMITTED
    solid = [line for line in own if trim(line.text)]
    tokens = estimate_tokens(text) if text else 0
    kept = sum(not _is_lost(line) for line in solid)
    return Use(section.title, section.path, state, len(text.encode()), len(section.text.encode()), tokens, kept, len(solid))


def _rows(number: int, section: Section, head: int, own: list[_Line], mark: str) -> Iterator[BlockRow]:
    """The rows of a section: what is in the block, then what is left out."""
    shown, missing = raw_lines(section.head[:head])[1:], section.head[head:].strip("\n")
    if head == len(section.head):
        shown.pop()
    yield from (BlockRow(words, section=number) for words in shown)
    if missing:
        yield BlockRow("", missing, section=number)
    below: list[BlockRow] = []
    for line in own:
        row = BlockRow(line.text[: line.kept], line.text[line.kept :], section.path, line.number, number)
        if not row.text and (row.lost or not line.reached):
            below.append(row)
        else:
            yield row
    for text in raw_lines(mark)[1:]:
        yield BlockRow(text, section=number)
    yield from below


def _left_out(skipped: Skipped) -> str:
    """The reason why no line of a skipped file is there."""
    why = f"above {skipped.limit:,} bytes" if skipped.limit else "that is not valid UTF-8"
    return f"the agent loads nothing of a {skipped.path.rpartition('/')[2]} {why}"


def _taken(skipped: Skipped, text: str) -> Iterator[tuple[int, str]]:
    return ((number, line) for number, line in enumerate(lines(text)) if skipped.takes(line))


def _with_skipped(preview: Preview, block: Block, skipped: Mapping[str, str]) -> Preview:
    """Add the lost lines of files that are skipped as a whole."""
    for each in block.skipped:
        text, path = skipped.get(each.path), each.path
        if text is None:
            preview = preview._replace(uses=(*preview.uses, Use(each.title, path, State.UNREADABLE, 0, each.size, 0, 0, 0)))
            continue
        solid = list(_taken(each, text))
        gone = [LeftOut(path, number, line, cut=False, reason=_left_out(each)) for number, line in solid]
        use = Use(each.title, path, State.SKIPPED, 0, len(text.encode()), 0, 0, len(solid))
        rows = [BlockRow("", line, path, number, len(preview.uses)) for number, line in solid]
        preview = preview._replace(uses=(*preview.uses, use), lost=(*preview.lost, *gone), rows=(*preview.rows, *rows))
    return preview
