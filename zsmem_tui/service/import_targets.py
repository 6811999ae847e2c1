"""The files that an import adds to: whether an item is there already, and the text with it."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Callable, Mapping
from typing import Final

from zsmem_tui.core import checklist, task_edits
from zsmem_tui.core.append import appended, appended_alike, ended_as, in_lf, is_crlf, line_key, with_crlf
from zsmem_tui.core.diff import keep_both
from zsmem_tui.core.frontmatter import split_frontmatter
from zsmem_tui.core.growth import extends, filled, grown, with_lacking
from zsmem_tui.core.import_item import ImportItem
from zsmem_tui.core.markdown import ended_lines, heading_level, parts, unclosed
from zsmem_tui.core.merge import Merged, merge
from zsmem_tui.core.project_merge import merged_log, parted
from zsmem_tui.core.refs import Role
from zsmem_tui.core.task_edits import as_items
from zsmem_tui.core.text import is_utf8, lines, raw_lines
from zsmem_tui.service.plan import Policy

_HEAD: Final = re.compile(rb"(?m)^### [^\n]*")
_ENTRY: Final = re.compile(r"(?m)^(?=### )")


class TargetFile:
    """A target file with the items added so far. Thousands may go into one file, so the text is not copied for each."""

    def __init__(self, raw: bytes | None, *, is_outside: bool = False) -> None:
        self.before = raw
        self.is_outside = is_outside
        self._now = None if raw is None else bytearray(raw)
        self._is_crlf: bool | None = None
        self._keys: set[str] | None = None
        self._starts: dict[bytes, list[int]] | None = None

    @property
    def is_there(self) -> bool:
        """Whether the file exists, or has been created by an added item."""
        return self._now is not None

    @property
    def now(self) -> bytes | None:
        """The current content; None if there is no file."""
        return None if self._now is None else bytes(self._now)

    @property
    def problem(self) -> str:
        """Why nothing can be added, as a clause; empty if it can."""
        if self.is_outside:
            return "is reached by a link that leaves the store"
        return "" if is_utf8(self.before or b"") else "is not valid UTF-8"

    def has(self, found: ImportItem) -> bool:
        """Whether the item is in the file already."""
        if _is_line(found):
            known = self._known()
            return any(key in known for key in map(line_key, (found.text, found.as_written)))
        if self._now is None:
            return False
        if found.role is Role.LOG and not found.to:
            return _with_entries(found, self._now, self._entries()) == (None, b"")
        if found.role is Role.NOTE:
            return extends(_bare(encoded(found)), _bare(bytes(self._now)))
        return joined(bytes(self._now), found, Policy.MERGE) == self._now

    def is_part_of(self, found: ImportItem) -> bool:
        """Whether the item has every line of the file, in its order."""
        return self._now is not None and extends(*bodies(bytes(self._now), found))

    def merged(self, found: ImportItem, path: str) -> str:
        """The text with what changed in the item since it went out from this path; empty if it did not, or both changed a line.

        Only of a note, what was deleted there is deleted.
        """
        own = bytes(self._now or b"")
        now = in_lf(own)
        mine, theirs = bodies(now, found)
        if not (found.was and path in found.sent_from and mine.strip()):
            return ""
        base = bodies(found.was.encode("utf-8", "surrogateescape"), found)[0]
        if found.role is not Role.NOTE:
            base = split_frontmatter(base)[1]
            theirs = with_lacking(theirs, base)
        done = merge(*(in_lf(text).strip(b"\n") + b"\n" for text in (base, mine, theirs)))
        front = now[: len(now) - len(mine)] + mine[: len(mine) - len(mine.lstrip(b"\n"))]
        whole = front + done[0].rstrip(b"\n") + mine[len(mine.rstrip(b"\n")) :]
        is_one = isinstance(done, Merged) and (found.role is Role.NOTE or extends(now, whole))
        return ended_as(own, whole).decode("utf-8", "surrogateescape") if is_one else ""

    def grows_by(self, found: ImportItem) -> bool:
        """Whether the item belongs to a text that is here, which lacks some of its lines at most."""
        if found.role is not Role.LOG or self._now is None:
            return self.is_part_of(found)
        return not _with_entries(found, self._now, self._entries())[1]

    def put(self, found: ImportItem, policy: Policy) -> None:
        """Add an item that is not in the file yet."""
        if _is_line(found):
            known = self._known()
            last = b"\n" + (self._now or b"")  # there may be no line between it and that which it follows
            follows = f"\n{found.follows}".encode("utf-8", "surrogateescape") if found.follows else b""
            if not found.to or self.before is None or (follows and last.endswith(follows)):
                self._append(encoded(found))
            else:
                self.replace(_put_in(self.now or b"", encoded(found), found))
            known.add(line_key(found.as_written))
            self._keys = None if found.as_written.startswith("\ufeff") else known  # at the beginning it is no part of a line
        elif found.role is Role.LOG and self._now is not None and not found.to:
            grows, comes = _with_entries(found, self._now, self._entries())
            if grows is not None:
                self.replace(grows)
            if comes:
                self._append(comes)
            self._keys = None
        else:
            self.replace(joined(self.now, found, policy))

    def replace(self, raw: bytes | None) -> None:
        """Replace the whole content; None: there is no file."""
        self._now, self._keys, self._starts, self._is_crlf = None if raw is None else bytearray(raw), None, None, None

    def _append(self, raw: bytes) -> None:
        now = bytearray() if self._now is None else self._now
        if self._is_crlf is None and b"\n" in now:
            self._is_crlf = is_crlf(now)
        if now and not now.endswith(b"\n"):
            now += b"\r\n" if self._is_crlf else b"\n"
        before = len(now)
        more = raw if raw.endswith(b"\n") else raw + b"\n"
        now += with_crlf(more) if self._is_crlf else more
        self._now = now
        if self._starts is not None:
            _note_entries(self._starts, now, before)

    def _entries(self) -> dict[bytes, list[int]]:
        """The offsets at which log entries begin, by heading line."""
        if self._starts is None:
            self._starts = {}
            _note_entries(self._starts, self._now or bytearray(), 0)
        return self._starts

    def _known(self) -> set[str]:
        if self._keys is None:
            self._keys = {*map(line_key, lines((self.now or b"").decode("utf-8", "surrogateescape").removeprefix("\ufeff")))} - {""}
        return self._keys


def new_lines(before: bytes, after: bytes) -> int:
    """How many lines that are not blank a text has more than before; fast for one that only got some at its end."""
    texts = (after[len(before) :], b"") if after.startswith(before) else (after, before)
    return int.__sub__(*(sum(map(bool, map(bytes.strip, text.split(b"\n")))) for text in texts))


def encoded(found: ImportItem) -> bytes:
    """The item's text as UTF-8 bytes, with surrogate escapes decoded."""
    return found.as_written.encode("utf-8", "surrogateescape")


def sent_into(role: Role | None, found: ImportItem, *, is_there: bool) -> ImportItem:
    """The item as it goes into a file of another role that was named for it: only a note holds whole notes.

    In others its text, without frontmatter, becomes facts, items, or lines of a day, below what `is_there`.
    """
    if role in (Role.NOTE, found.role):
        return found
    text = split_frontmatter(_bare(encoded(found)))[1].decode("utf-8", "surrogateescape").replace("\r\n", "\n").strip("\n")
    skip = found.skip or ("" if text.strip() else "it holds no text below its frontmatter")
    goes = found._replace(role=Role.FACTS, text=text, listed=True, to="", parts=(), follows="", digest="", skip=skip)
    match role:
        case Role.CHECKLIST:
            return goes._replace(role=role, text=as_items(text))
        case Role.LOG:
            return goes._replace(role=role, text="\n" * is_there + f"{goes.as_written}\n")
        case _:
            return goes


def joined(now: bytes | None, found: ImportItem, policy: Policy) -> bytes:
    """The file content `now` with the item added; `now` itself if it contains the item already."""
    raw = encoded(found)
    if now is None:
        return raw if found.role is not Role.FACTS else appended(b"", raw)
    if found.role is not Role.FACTS and policy is not Policy.REPLACE and (found.to or found.role is not Role.LOG):
        bare, own = bodies(now, found)
        if extends(own, bare):
            return now
        if (found.to or found.role is Role.NOTE) and extends(bare, own):
            return now[: len(now) - len(bare)] + filled(bare, own) if bare.strip() else raw
        if (bare, own) != (now, raw):
            whole = joined(bare, found._replace(text=found.text.removeprefix("\ufeff")), policy)
            return now[: len(now) - len(bare)] + whole
    old = now.decode("utf-8", "surrogateescape")
    match found.role:
        case Role.FACTS if "\n" in found.text:
            more = now if _has_lines(now, ended_as(now, found.text.encode("utf-8", "surrogateescape"))) else grown(now, raw)
            return _put_in(now, raw, found) if more is None else more
        case Role.FACTS:
            known = set(map(line_key, lines(old.removeprefix("\ufeff"))))
            is_there = {line_key(found.text), line_key(found.as_written)} & known
            return now if is_there else _put_in(now, raw, found)
        case Role.CHECKLIST:
            more = grown(now, raw, key_of(found.role))
            return _with_items(old, found.text).encode("utf-8", "surrogateescape") if more is None else more
        case Role.LOG if found.to:
            return _with_day(old, found.text).encode("utf-8", "surrogateescape")
        case Role.LOG:
            grows, comes = _with_entries(found, now)
            base = now if grows is None else grows
            return appended_alike(base, comes) if comes else base
        case _:
            if now == raw or policy is Policy.REPLACE:
                return raw
            ours = now[: len(now) - len(split_frontmatter(now)[1])]  # two heads together are none
            return keep_both(now, ours + raw.removeprefix(head) if (head := other_head(now, raw)) else raw)


def _bare(raw: bytes) -> bytes:
    """A text without its byte order mark, which only begins a file."""
    return raw.removeprefix(BOM_UTF8)


def bodies(now: bytes, found: ImportItem) -> tuple[bytes, bytes]:
    """A file and the item for it as they are compared: without byte order marks, and frontmatter that only a note here has."""
    bare, own = _bare(now), _bare(encoded(found))
    body = split_frontmatter(bare)[1]
    is_plain = found.role is Role.NOTE and not found.to and body.strip() and split_frontmatter(own)[1] == own
    return (body if is_plain and not extends(bare, own) else bare), own


def _put_in(now: bytes, raw: bytes, found: ImportItem) -> bytes:
    """A text with lines added below the one that they follow, a heading below its section; at the end if that is not there."""
    if not found.to or unclosed(raw_lines(found.text)) >= 0:  # an open fence would hold what follows
        return appended_alike(now, raw)
    text = now.decode("utf-8", "surrogateescape")
    rows, lines_there = ended_lines(text), raw_lines(text.removesuffix("\n"))
    has_code = "```" in text or "~~~" in text
    blocks = [*parts(lines_there)] if has_code else [(number, [row], False) for number, row in enumerate(lines_there)]
    line, level = found.follows.rstrip("\n"), heading_level(found.text)
    ends = (start + len(own) for start, own, _ in reversed(blocks) if own[-1].strip("\ufeff\r") == line and line)
    is_below = (at := next(ends, -1)) >= 0
    at = at if is_below else len(rows)
    is_apart = level > 0 or (is_below and found.follows.endswith("\n\n"))
    if level:
        heads = (start for start, own, is_code in blocks if start >= at and not is_code and 0 < heading_level(own[0]) <= level)
        at = next(heads, len(rows))
    elif is_apart and rows[at : at + 1] and not rows[at].strip():
        at += 1
    end = b"\r\n" if at and rows[at - 1].endswith("\r\n") else b"\n"
    front, back = ("".join(own).encode("utf-8", "surrogateescape") for own in (rows[:at], rows[at:]))
    if is_apart and at and rows[at - 1].strip():
        front = front.removesuffix(b"\n").removesuffix(b"\r") + end + end
    return appended(front, raw.rstrip(b"\n").replace(b"\n", end) + end) + (end if back.startswith(b"#") else b"") + back


def _with_day(now: str, text: str) -> str:
    """A day with the entries that it lacks of another one, each in its time; one that has grown there replaces its start."""
    text += "\n" * (not text.endswith("\n"))
    log, other = parted(now, text)
    if (head := grown(log.head.encode("utf-8", "surrogateescape"), other.head.encode("utf-8", "surrogateescape"))) is not None:
        now, text = head.decode("utf-8", "surrogateescape") + now[len(log.head) :], text[len(other.head) :]
    for at, more in other.entries:
        same = (own for when, own in log.entries if when == at and own != more)
        if start := next((own for own in same if extends(own.encode(), more.encode())), ""):
            now = now.replace(start, filled(start.encode(), more.encode()).decode(), 1)
    merged = merged_log(now.encode("utf-8", "surrogateescape"), text.encode("utf-8", "surrogateescape"))
    return now if merged is None else merged.decode()


def other_head(now: bytes, raw: bytes) -> bytes:
    """The frontmatter of a text, with its fences, if that differs from one that another text has; else nothing."""
    ours, head = (text[: len(text) - len(split_frontmatter(text)[1])] for text in (now, raw))
    return head if ours and head and ours != head else b""


def _is_line(found: ImportItem) -> bool:
    return found.role is Role.FACTS and "\n" not in found.as_written


def _note_entries(starts: dict[bytes, list[int]], raw: bytes | bytearray, since: int) -> None:
    for found in list(_HEAD.finditer(raw, since)):
        starts.setdefault(found[0].rstrip(b"\r"), []).append(found.start())


def _with_entries(
    found: ImportItem, now: bytes | bytearray, starts: Mapping[bytes, list[int]] | None = None
) -> tuple[bytes | None, bytes]:
    """The file with the lines that its entries lack of those of a log item, None if they lack none; and what is to be appended.

    That is the entries that it has not, the whole text if these are all. `starts` maps heading lines to offsets in the file, to be
    fast with thousands of entries.
    """
    whole = _bare(encoded(found))
    parts = [part.encode("utf-8", "surrogateescape") for part in _ENTRY.split(found.text.removeprefix("\ufeff")) if part.strip()]
    missing = [part for part in parts if not _has_entry(now, part.strip(b"\n"), starts)]
    grows: bytes | None = None
    comes = []
    for part in missing:
        more = _in_its_entry(now if grows is None else grows, part, starts if grows is None else None)
        if more is None:
            comes.append(part)
        elif more != now:
            grows = more
    return grows, whole if comes and len(comes) == len(parts) else b"".join(comes)


def _in_its_entry(now: bytes | bytearray, part: bytes, starts: Mapping[bytes, list[int]] | None) -> bytes | None:
    """The file with the lines that an entry lacks which has most of those of `part`; None if there is no such entry."""
    places = [0]
    if part.startswith(b"### "):
        heading = part.partition(b"\n")[0].rstrip(b"\r")
        if starts is None:
            starts = {}
            _note_entries(starts, now, 0)
        places = list(starts.get(heading, ()))
    for at in places:
        end = now.find(b"\n### ", at) + 1 if part.startswith(b"### ") else 0
        stop = end or len(now)
        if (whole := grown(bytes(now[at:stop]), part)) is not None:
            return bytes(now[:at]) + whole + bytes(now[stop:])
    return None


def _has_entry(whole: bytes | bytearray, part: bytes, starts: Mapping[bytes, list[int]] | None) -> bool:
    either = (part, with_crlf(part))
    if starts is None or not part.startswith(b"### "):
        return any(_has_lines(whole, each) for each in either)
    places = starts.get(part.partition(b"\n")[0].rstrip(b"\r"), ())
    return any(whole[at : at + len(each)] == each and _is_whole(whole, at, each) for each in either for at in places)


def _has_lines(whole: bytes | bytearray, part: bytes) -> bool:
    """Whether `part` occurs in `whole` as complete lines."""
    at = whole.find(part)
    while at >= 0:
        if _is_whole(whole, at, part):
            return True
        at = whole.find(part, at + 1)
    return False


def _is_whole(whole: bytes | bytearray, at: int, part: bytes) -> bool:
    """Whether the occurrence of `part` at offset `at` begins and ends at line boundaries."""
    end = at + len(part)
    ends = part.endswith(b"\n") or end == len(whole) or whole[end : end + 1] == b"\n" or whole[end : end + 2] == b"\r\n"
    return ends and (at == 0 or whole[at - 1 : at] == b"\n")


def key_of(role: Role) -> Callable[[str], str]:
    """What identifies a line of a file of this role."""
    return _task_key if role is Role.CHECKLIST else line_key


def _task_key(line: str) -> str:
    """What identifies a line of a checklist: of an item its text, whatever its check box says."""
    found = checklist.item_parts(line)
    return line_key(found["text"] if found else line)


def _with_items(old: str, new: str) -> str:
    """Add those top-level blocks of the checklist `new` to `old` whose text it does not have.

    If it has lines besides that are not there, all of them come, each in its place.
    """
    have = {item.text for item in checklist.items(old)}
    top = [item for item in checklist.items(new) if item.depth == 0]
    missing = [item for item in top if item.text not in have]
    now = old
    for block in task_edits.blocks(new, missing):
        now = task_edits.added(now, block)
    if not {*map(_task_key, raw_lines(new))} - {*map(_task_key, raw_lines(now)), ""}:
        return now
    return with_lacking(old.encode("utf-8", "surrogateescape"), new.encode("utf-8", "surrogateescape"), _task_key).decode(
        "utf-8", "surrogateescape"
    )
