"""Merge a file that two machines changed; the result is the same bytes on both machines.

The two sides are sorted by digest first, so that no rule depends on which side is local.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from hashlib import sha256
from typing import Final, NamedTuple
from urllib.parse import unquote_to_bytes

from zsmem_tui.core.append import in_lf
from zsmem_tui.core.merge import combine, ends_line, line_end, line_hunks, split, unended
from zsmem_tui.core.project_merge import Log, parted
from zsmem_tui.core.text import is_utf8

LARGEST: Final = 16 * 1024 * 1024
"""Files of more bytes are not merged by lines."""

_BOX: Final = re.compile(rb"^([ \t]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]+\[)([^\]\r\n])(\].*)$", re.DOTALL)
_TOPIC: Final = re.compile(rb"^[ \t]*[-*+][ \t]+\[[^\]\n]*\]\((?:<([^>\n]+)>|([^)\s]+))\)")
_WHOLE: Final = rb"(?:\[|\)[-\xe2\x80\x93\x94: ]*|[;:] )%b(?=\]|[;:] |$)"
"""A title or a text of a line about a topic, which is not a part of another one."""
_OPEN: Final = b" "


class Shape(StrEnum):
    """How a file is to be merged."""

    NOTE = "note"
    MAIN = "main"
    """A file with a fixed name: under another name the agent would not read it."""
    LOG = "log"
    INDEX = "index"


class Pair(NamedTuple):
    """Lines that both sides changed differently: the text has both, one after the other, starting at line `at` (0-based)."""

    first: tuple[bytes, ...]
    second: tuple[bytes, ...]
    at: int = 0


class Joined(NamedTuple):
    """The merged text, and the pairs of lines in it that conflicted."""

    text: bytes
    pairs: tuple[Pair, ...] = ()


def digest(raw: bytes) -> bytes:
    """The sort key for the two sides."""
    return sha256(raw).digest()


def joined(base: bytes | None, one: bytes, other: bytes, shape: Shape) -> Joined | None:
    """Merge two versions made from `base` (None: no file); None if they have to stay two files."""
    if one == other or other == base:
        return Joined(one)
    if one == base:
        return Joined(other)
    if not all(_is_text(each) for each in (one, other)):
        return None
    if base is not None and not _is_text(base):
        base = None
    first, second = sorted((one, other), key=digest)
    if base is None and shape is Shape.NOTE and _common(_words(first), _words(second)) <= 0.5:
        return None
    if shape is Shape.LOG:
        logs = parted(*((each or b"").decode() for each in (base, first, second)))
        if any(each.entries for each in logs[1:]):
            return _joined_log(logs)
    found = _joined_lines(base, first, second)
    return _join_topic_lines(found, first, second) if shape is Shape.INDEX else found


def alike(one: bytes, other: bytes) -> bool:
    """Whether at least half of the lines are common, relative to the longer text: then a file was renamed."""
    return _common(_words(one), _words(other)) >= 0.5


def _common(one: Counter[bytes], other: Counter[bytes]) -> float:
    """How much two texts have in common: a share of the longer one."""
    return (one & other).total() / max(one.total(), other.total(), 1)


def _words(text: bytes) -> Counter[bytes]:
    """The non-blank lines without trailing white space, counted."""
    return Counter(line for each in split(text) if (line := each.rstrip()))


def _is_text(raw: bytes) -> bool:
    return len(raw) <= LARGEST and b"\0" not in raw and is_utf8(raw)


def _joined_lines(base: bytes | None, first: bytes, second: bytes) -> Joined:
    """Merge line by line; without a base, common lines once and the rest of both sides."""
    texts = (base or b"", first, second)
    found = [line_end(each) for each in texts]
    ends = [each if each != b"" else next(filter(None, found), b"\n") for each in found]
    end = ends[2] if ends[1] == (ends[0] if base is not None else b"\n") else ends[1]
    has_returns = None not in ends and b"\r\n" in ends
    sides = [in_lf(each) if has_returns else each for each in texts]
    boxes = [_boxes(each) for each in sides]
    old, left, right = (b"".join(map(_unticked, split(each))) for each in sides)
    out: list[bytes] = []
    pairs: list[Pair] = []
    if base is None:
        _put_both(out, pairs, split(left), split(right), is_pair=False)
    else:
        lines, clashes = combine(old, right, left)
        theirs, mine, at = split(left), split(right), 0
        counts = Counter(theirs), Counter(mine), Counter(split(old))
        for clash in clashes:
            out += lines[at : clash.proposal.start]
            one = _without_deleted(theirs[clash.theirs.start : clash.theirs.stop], *counts)
            other = _without_deleted(mine[clash.mine.start : clash.mine.stop], counts[1], counts[0], counts[2])
            _put_both(out, pairs, one, other)
            at = clash.proposal.stop
        out += lines[at:]
    out = list(_ticked(out, boxes, has_base=base is not None))
    text = b"".join(out)
    is_ended = ends_line(base, first, second) if base is not None else first.endswith(b"\n") or second.endswith(b"\n")
    text = text if is_ended else unended(text)
    if has_returns and end == b"\r\n":
        text, out = text.replace(b"\n", end), [line[:-1] + end for line in out]
    return Joined(text, tuple(_as_it_stands(each, out) for each in pairs))


def _as_it_stands(pair: Pair, lines: Sequence[bytes]) -> Pair:
    """The pair with its lines as they are in the merged text."""
    middle = pair.at + len(pair.first)
    return Pair(tuple(lines[pair.at : middle]), tuple(lines[middle : middle + len(pair.second)]), pair.at)


def _without_deleted(lines: Sequence[bytes], own: Counter[bytes], other: Counter[bytes], base: Counter[bytes]) -> list[bytes]:
    """One side's lines without those that it left unchanged and the other side deleted."""
    return [line for line in lines if not (own[line] <= base[line] and other[line] < base[line])]


def _put_both(out: list[bytes], pairs: list[Pair], one: Sequence[bytes], other: Sequence[bytes], *, is_pair: bool = True) -> None:
    """Append the lines of both sides: common ones once, differing ones of both, the smaller digest first."""
    first, second = sorted((list(one), list(other)), key=lambda lines: digest(b"".join(lines)))
    at = 0
    for hunk in line_hunks(first, second):
        out += first[at : hunk.start]
        own, others = sorted((tuple(first[hunk.start : hunk.stop]), hunk.lines), key=lambda lines: digest(b"".join(lines)))
        if own and others and is_pair:
            pairs.append(Pair(own, others, len(out)))
        out += [*own, *others]
        at = hunk.stop
    out += first[at:]


def _unticked(line: bytes) -> bytes:
    """A line with its check box opened, so that ticking does not count as a change."""
    return _BOX.sub(rb"\g<1> \g<3>", line)


Boxes = Mapping[bytes, Sequence[bytes]]
"""By line with opened box: the marks of its occurrences, in order."""


def _boxes(text: bytes) -> Boxes:
    found: defaultdict[bytes, list[bytes]] = defaultdict(list)
    for line in split(text):
        if match := _BOX.match(line):
            found[_unticked(line)].append(match[2])
    return found


def _ticked(lines: Sequence[bytes], boxes: Sequence[Boxes], *, has_base: bool) -> Iterator[bytes]:
    """Put the merged marks back into the boxes of the lines."""
    numbers: Counter[bytes] = Counter()
    for line in lines:
        if not _BOX.match(line):
            yield line
            continue
        number = numbers[line]
        numbers[line] += 1
        old, *own = (each[line][number] if number < len(each.get(line, ())) else None for each in boxes)
        box = _box(old, *own)
        if has_base and old is None and box == _OPEN:
            box = _ticked_elsewhere(line, boxes)
        yield _BOX.sub(lambda match, box=box: match[1] + box + match[3], line)  # type: ignore[misc]


def _box(old: bytes | None, one: bytes | None, other: bytes | None) -> bytes:
    """Merge the mark of one box from base and both sides; None means that a side lacks the line. If only one side changed it, that
    counts; if both did, a tick wins.
    """
    if one is None or other is None or one == other:
        return one or other or old or _OPEN
    if old in (one, other):
        return other if old == one else one
    return next((each for each in (one, other) if each in b"xX"), min(one, other))


def _ticked_elsewhere(line: bytes, boxes: Sequence[Boxes]) -> bytes:
    """The mark for an item whose words one side changed: ticked if the other side ticked it under its old words."""
    old, one, other = boxes
    holder, rest = (one, other) if line in one else (other, one)
    gone = [item for item in old if item not in holder and item in rest]
    words = Counter(line.partition(b"]")[2].split())
    same = [item for item in gone if _common(Counter(item.partition(b"]")[2].split()), words) > 0.5]  # it is a new form of these
    ticked = [item for item in same if old[item][0] == _OPEN and rest[item][0] != _OPEN]
    return rest[ticked[0]][0] if ticked else _OPEN


# -- logs of a day ------------------------------------------------------------------------------------------------------


class _Entry(NamedTuple):
    moment: str
    text: bytes

    @property
    def key(self) -> bytes:
        return self.text.strip()


def _joined_log(logs: Sequence[Log]) -> Joined:
    """Merge the entries of both sides by time, equal ones once; entries deleted by one side and unchanged by the other go.

    `logs` are the base, empty for no file, and the two sides.
    """
    heads, parts, tails = zip(*map(_encoded, logs), strict=True)
    old, *sides = parts
    head = (
        _joined_lines(heads[0] if any(logs[0]) else None, *sorted(heads[1:], key=digest))
        if heads[1] != heads[2]
        else Joined(heads[1])
    )
    edits = [_edits(old, each) for each in sides]
    out: list[tuple[str, int, bytes]] = []
    for number, entry in enumerate(old):
        one, other = (each.became[number] for each in edits)
        if one is None and other is None:
            continue
        if one is None or other is None:
            left = one or other
            if left is not None and left.key != entry.key:
                out.append((left.moment, number, left.text))
        elif one.key == other.key or entry.key in (one.key, other.key):
            kept = other if one.text == entry.text or (one.key == entry.key) > (other.key == entry.key) else one
            out.append((kept.moment, number, kept.text))
        else:
            text = _joined_lines(entry.text, *sorted((one.text, other.text), key=digest)).text
            out.append((min(one.moment, other.moment), number, text))
    news = {each.key: each for own in edits for each in own.added}
    one_has, other_has = (Counter(each.key for each in own.added) for own in edits)
    known = one_has | other_has
    for key, entry in sorted(news.items(), key=lambda pair: digest(pair[0])):
        out += [(entry.moment, len(old), entry.text)] * known[key]
    out.sort(key=lambda each: each[:2])
    texts = [text if text.endswith(b"\n") else text + b"\n" for _, _, text in out]
    top = head.text if not head.text or head.text.endswith(b"\n") or not texts else head.text + b"\n"
    tail = next((each for each in tails[1:] if each != tails[0]), tails[0])
    return Joined(top + b"".join(texts) + tail, head.pairs)


class _Edits(NamedTuple):
    """What a side did to the entries of the base: by number, the new entry (None: deleted); and added entries."""

    became: Mapping[int, _Entry | None]
    added: Sequence[_Entry]


def _edits(old: Sequence[_Entry], new: Sequence[_Entry]) -> _Edits:
    left = list(new)
    became: dict[int, _Entry | None] = {}
    for number, entry in enumerate(old):
        place = next((at for at, each in enumerate(left) if each.key == entry.key), None)
        became[number] = None if place is None else left.pop(place)
    for number in [each for each, entry in became.items() if entry is None]:
        place = next((at for at, each in enumerate(left) if each.moment == old[number].moment), None)
        if place is not None:
            became[number] = left.pop(place)
    return _Edits(became, left)


def _encoded(log: Log) -> tuple[bytes, list[_Entry], bytes]:
    return log.head.encode(), [_Entry(moment, each.encode()) for moment, each in log.entries], log.tail.encode()


# -- an index -----------------------------------------------------------------------------------------------------------


def _join_topic_lines(found: Joined, first: bytes, second: bytes) -> Joined:
    """In an index, join two lines about the same topic that the sides worded differently."""
    sides = [Counter([topic for line in split(each) if (topic := _topic(line))]) for each in (first, second)]
    lines = split(found.text)
    at: dict[bytes, int] = {}
    out: list[bytes] = []
    for line in lines:
        topic = _topic(line)
        if topic and topic in at and all(each[topic] <= 1 for each in sides):
            out[at[topic]] = _with_words(out[at[topic]], line)
            continue
        if topic:
            at[topic] = len(out)
        out.append(line)
    if len(out) == len(lines):
        return found
    text = b"".join(out)
    pairs = []
    for each in found.pairs:
        block = [*each.first, *each.second]
        place = next((start for start in range(len(out)) if out[start : start + len(block)] == block), None)
        pairs += [each._replace(at=place)] if place is not None else []
    return Joined(text if found.text.endswith(b"\n") else unended(text), tuple(pairs))


def _topic(line: bytes) -> bytes:
    match = _TOPIC.match(line)
    file = unquote_to_bytes(match[1] or match[2]) if match else b""
    return file if file.endswith(b".md") and b"://" not in file else b""


def _with_words(line: bytes, other: bytes) -> bytes:
    """Append to a line about a topic what another line says about it, unless it is there already."""
    own = line.rstrip(b"\r\n")
    more = [words for words in _title_and_text(other) if not re.search(_WHOLE % re.escape(words), own)]
    return own + b"; " + b": ".join(more) + line[len(own) :] if more else line


def _title_and_text(line: bytes) -> Sequence[bytes]:
    """The title that a line gives its topic, and its text about it."""
    title, _, rest = line.decode().strip().partition("](")
    words = (title.partition("[")[2], rest.partition(")")[2].lstrip("-–—: ").strip())
    return [each.encode() for each in words if each]


FORGOTTEN: Final = b"[forgotten]"
"""Replaces forgotten text."""


def forgotten_in(old: bytes, new: bytes) -> bytes:
    """The string whose replacement by the mark turns `old` into `new`; empty if that is not the only difference."""
    pieces = new.split(FORGOTTEN)
    at, grown = len(pieces[0]), len(new) - len(old)
    if old == new or len(pieces) < 2 or old[:at] != pieces[0]:
        return b""
    for number in range(1, len(pieces)):
        after = b"".join(pieces[number : number + 1])
        end = old.find(after, at) if after else len(old)
        while 0 <= end <= len(old):
            gap, secret = len(FORGOTTEN) - (end - at), b""
            # by its length it may be the one: to try each would take minutes where it is sought in a long text
            if (0 < grown // gap < len(pieces) and grown % gap == 0) if gap else not grown:
                secret = old[at:end]
            if secret and secret != FORGOTTEN and old.replace(secret, FORGOTTEN) == new:
                return secret
            end = old.find(after, end + 1) if after else -1
        at += len(FORGOTTEN) + len(after)
        if old[:at] != FORGOTTEN.join(pieces[: number + 1]):
            return b""
    return b""
