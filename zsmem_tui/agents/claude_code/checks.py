"""The doctor's checks of Claude Code's memory: its index, and the frontmatter of its topics.

An index that is too long for the prompt is shortened: plain facts move to a topic that the index lists.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from zsmem_tui.agents.claude_code import index
from zsmem_tui.agents.claude_code.files import INDEX as INDEX_FILE
from zsmem_tui.agents.claude_code.files import Files, below
from zsmem_tui.agents.claude_code.index_lists import findings_of, read_or_empty, topics_of
from zsmem_tui.agents.claude_code.prompt import INDEX_BYTES, INDEX_LINES, first_lost_line
from zsmem_tui.agents.claude_code.topics import TopicDress, frontmatter, title_and_hook
from zsmem_tui.agents.format import text_of
from zsmem_tui.core.checks.by_kind import Checks
from zsmem_tui.core.checks.finding import Finding, Fix, Level, LineEdit, Place
from zsmem_tui.core.checks.links import DEAD_LINK
from zsmem_tui.core.checks.structure import HEAD, INDEX
from zsmem_tui.core.frontmatter import Carried, split_frontmatter
from zsmem_tui.core.limits import EXTENSION
from zsmem_tui.core.link_target import stem_of
from zsmem_tui.core.markdown import outside_code
from zsmem_tui.core.notice import DELETE, UNLINK, Notice, NoticeKind
from zsmem_tui.core.text import counted, grouped, is_utf8, listed, printable_path, raw_lines
from zsmem_tui.core.tree import Tree, read_if_there

MORE: Final = "reference_more_facts.md"
"""The topic that facts are moved to."""

_APART: Final = ("- ", "* ", "+ ", "#", "```", "~~~", ">", "<!--", "---", "***")
"""How lines start that do not continue the list item above."""

_MOST_EMPTY: Final = 20
"""The most blank lines between an item and its continuation."""

_SPARE_LINES: Final = 10
_SPARE_BYTES: Final = 1_000
"""Room left in a shortened index, if there are enough facts to move, so that what the agent appends next is loaded."""

_MORE_DESCRIPTION: Final = "Facts that the index has no room for"


def shortened(tree: Tree, path: str, files: Files, raw: bytes | None = None) -> Fix | None:
    """The fix that moves facts from the end of an index to a topic until the rest is loaded with room to spare.

    `raw` is the index to shorten. Facts keep their headings, and headings left empty move along. Links stay, since the
    agent finds topics only through the index. None if that is not enough, or if the file is no index.
    """
    home, _, name = path.rpartition("/")
    raw = read_if_there(tree, path) if raw is None else raw
    if name != INDEX_FILE or not raw or first_lost_line(raw) is None:
        return None
    goal = f"{home}/{MORE}" if home else MORE
    if files.listed_by(goal) != (path, MORE):
        return None
    rows, there = _rows(raw), read_if_there(tree, goal)
    if not rows:
        return None
    listed = index.added(raw, MORE, "More facts", _MORE_DESCRIPTION)
    shown = _rows(listed)
    at = next((at for at, pair in enumerate(zip(rows, shown, strict=False)) if pair[0] != pair[1]), len(rows))
    line = shown[at] if listed != raw else ""
    size = len(raw) + (len(line.encode()) + 2 if line else 0)
    count = len(rows) - (not rows[-1]) + bool(line)
    moved: list[int] = []
    gone: set[int] = set()
    outline = _Outline(raw, rows)
    for number in reversed(_facts(raw, rows)):
        if count <= INDEX_LINES - _SPARE_LINES and size <= INDEX_BYTES - _SPARE_BYTES:
            break
        moved.append(number)
        taken = outline.take(number)
        gone.update(taken)
        size -= sum(len(rows[each - 1].encode()) + 1 for each in taken)
        count -= len(taken)
    if not moved or count > INDEX_LINES or size > INDEX_BYTES:
        return None
    edits = [LineEdit(path, number, (rows[number - 1],), ()) for number in sorted(gone, reverse=True)]
    if line:
        below = tuple(rows[at : at + 1]) if any(rows[at:]) else ()  # keep the line above an unclosed fence
        edits.append(LineEdit(path, at + 1 - sum(number <= at for number in gone), below, (line, *below)))
    held = outline.page(moved[::-1], with_title=there is not None)
    if there is not None:
        edits.append(LineEdit(goal, 1, (), ("", *held) if held[0].startswith("#") else held))
    else:
        text = TopicDress(files).wrapped(goal, Carried("\n".join(held).encode(), about=_MORE_DESCRIPTION)).decode()
        edits.append(LineEdit(goal, 0, (), tuple(raw_lines(text))))
    room = f"{counted(INDEX_LINES - count, 'line')} and {(INDEX_BYTES - size) // 100 * 100:,} bytes"
    return Fix("Move what is too much into {file}.", goal, tuple(edits), notes=f"At least {room} stay free for what comes next.")


class _Outline:
    """The lines of an index by heading, while some are removed."""

    def __init__(self, raw: bytes, rows: list[str]) -> None:
        """Start with all lines."""
        self._rows = rows
        self._under: dict[int, int] = {}
        self._blanks: dict[int, list[int]] = {}
        self._left: dict[int, int] = {}
        self._gone: set[int] = set()
        self._above = list(range(-1, len(rows) + 1))
        """By line, the line above it that was not removed; 0: none."""
        self._below = list(range(1, len(rows) + 3))
        levels = {part.number: part.level for part in index.parts(raw, ()) if part.level}
        self._title = next((number for number, level in levels.items() if level == 1 and not any(rows[: number - 1])), 0)
        self._stay = {1, self._title, *(link.number for link in index.links(raw))}
        above: list[int] = []
        for number in range(1, len(rows) + bool(rows[-1])):
            if number in levels:
                above = [each for each in above if levels[each] < levels[number]]
            head = above[-1] if above else 0
            if rows[number - 1].strip():
                self._under[number] = head
                self._left[head] = self._left.get(head, 0) + 1
            else:
                self._blanks.setdefault(head, []).append(number)
            if number in levels:
                above.append(number)

    def take(self, number: int) -> list[int]:
        """Remove a line, headings left without content, and one of two blank lines left next to each other.

        Returns the numbers of all removed lines.
        """
        taken = [number]
        head = self._under[number]
        while head:
            self._left[head] -= 1
            if self._left[head] or head in self._stay:
                break
            taken += [head, *(each for each in self._blanks.get(head, ()) if each not in self._gone)]
            head = self._under[head]
        for each in reversed(taken):  # itself last, so that it knows what is left beside it
            self._remove(each)
        above, below = self._above[number], self._below[number]
        if above and not any(self._rows[each - 1].strip() for each in (above, below) if each <= len(self._rows)):
            self._remove(above)
            taken.append(above)
        return taken

    def _remove(self, number: int) -> None:
        above, below = self._above[number], self._below[number]
        self._below[above], self._above[below] = below, above
        self._gone.add(number)

    def page(self, numbers: list[int], *, with_title: bool) -> tuple[str, ...]:
        """These lines in order, each below all its headings; `with_title` includes the title of the index."""
        out: list[str] = []
        last: list[int] = []
        for number in numbers:
            path: list[int] = []
            head = self._under[number]
            while head:
                path.insert(0, head)
                head = self._under[head]
            path = [each for each in path if with_title or each != self._title]
            for each in (each for each in path if each not in last):
                out += ["", self._rows[each - 1], ""] if out and out[-1] else [self._rows[each - 1], ""]
            out.append(self._rows[number - 1])
            last = path
        return tuple(out)


def _facts(raw: bytes, rows: list[str]) -> list[int]:
    """The 1-based numbers of the lines that are one fact each: list items without links and without continuation."""
    linked = {link.number for link in index.links(raw)}
    out: list[int] = []
    for at, row, outside in outside_code(rows):
        is_item = row[:2] in ("- ", "* ") and "](" not in row and "[[" not in row
        if is_item and outside and at + 1 not in linked and not _is_continued(rows, at + 1):
            out.append(at + 1)
    return out


def _is_continued(rows: list[str], below: int) -> bool:
    """Whether the line at index `below` continues the item above: directly below, or indented after blank lines."""
    if below == len(rows):
        return False
    if rows[below].strip():
        return not rows[below].startswith(_APART)
    behind = next((row for row in rows[below + 1 : below + 1 + _MOST_EMPTY] if row.strip()), "")
    return behind.startswith((" ", "\t"))


_WORDS = re.compile(r"[^\W_]+")
_FOLDED: Final = ("|", ">", "&", "*", "!")
"""How YAML values start that may continue on the next line."""

_SAYS_HEAD: Final = {
    "name-taken": "The file calls itself {text}, as another file is called.",
    "name-differs": "The file calls itself {text}, which has no word of its file's name.",
    "no-description": "The file does not say what it is about: the agent chooses files by their descriptions.",
}

_SAYS_MANY: Final = "No line of {file} leads to {size:,} notes: {text}: the agent does not know that they are there."
_MOST_NAMED: Final = 3
"""The most topics that a sentence names."""

_NO_ROOM: Final = "Make room in the index first: the agent would not load a line more."
_SOME_ROOM: Final = "Add lines for {name} of them to the index: the agent would not load one more."
_WITH_ROOM: Final = "Add what is missing to the index, and move what it has no room for then into {file}."
_LONGEST_HOOK: Final = 150
"""The most characters of a description made from a topic's first words."""


class TopicChecks(Checks):
    """The checks of an index and of the frontmatter of topics."""

    def __init__(self, files: Files, *, is_cut: bool = True) -> None:
        """`is_cut` says whether the agent cuts a long index, so that lines added after the cut are useless."""
        self._files = files
        self._is_cut = is_cut

    def faults(self, tree: Tree, group: str) -> Iterator[Finding]:
        """The findings in each folder of a group."""
        for home in self._files.homes(group):
            path = below(home, INDEX_FILE)
            topics = topics_of(tree, path, self._files)
            texts = {topic: read_or_empty(tree, below(home, topic)) for topic in topics}
            raw = read_if_there(tree, path)
            # lost lines are reported separately
            found = [each for each in findings_of(tree, home, self._files) if each.kind is not NoticeKind.LOST_LINES]
            by_name = grouped((stem_of(topic), topic) for topic in topics)
            same = {each: by_name.get(stem_of(each.text), []) for each in found if each.kind is NoticeKind.DEAD_LINK}
            meant = {each: own[0] for each, own in same.items() if len(own) == 1}  # the topic gets its line with the mended link
            found = [each for each in found if each.kind is not NoticeKind.UNLISTED or each.text not in meant.values()]
            unlisted = [each.text for each in found if each.kind is NoticeKind.UNLISTED]
            for each in found:
                if each.kind is not NoticeKind.UNLISTED or len(unlisted) == 1:
                    yield self._with_room(tree, raw, _index_finding(path, raw, each, texts, meant.get(each, "")))
            if len(unlisted) > 1:
                yield self._with_room(tree, raw, _unlisted_finding(path, raw, unlisted, texts))
            yield from _head_findings(home, texts)

    def _with_room(self, tree: Tree, raw: bytes | None, found: Finding) -> Finding:
        """The finding; if lines that its fix adds would not be loaded, it also makes room, or adds only as many as are loaded."""
        edits = found.fix.edits if found.fix is not None and found.kind == NoticeKind.UNLISTED.value and self._is_cut else ()
        for edit in edits:
            grown = edit.applied(raw)
            first = first_lost_line(grown or b"")
            if first is not None and first <= max(edit.line - 1, 0) + len(edit.after) - len(edit.before):
                room = shortened(tree, found.path, self._files, grown)
                both = (edit, *room.edits) if room is not None else ()
                fix = room._replace(says=_WITH_ROOM, edits=both) if room is not None else _part_with_room(raw, edit, found.size)
                return replace(found, fix=fix)
        return found

    def shortened(self, tree: Tree, path: str) -> Fix | None:
        """The fix that moves facts from an index to a topic."""
        return shortened(tree, path, self._files)


def _part_with_room(raw: bytes | None, edit: LineEdit, many: int) -> Fix:
    """The fix with as many of the `many` lines that an edit adds as there is room for; without edits if there is none."""

    def part(count: int) -> LineEdit:
        return edit._replace(after=(*edit.after[: len(edit.after) - len(edit.before) - many + count], *edit.before))

    count = bisect_left(range(1, many), True, key=lambda most: first_lost_line(part(most).applied(raw) or b"") is not None)
    return Fix(_SOME_ROOM, f"{count:,}", (part(count),)) if count else Fix(_NO_ROOM)


class NoteChecks(TopicChecks):
    """The checks of an index without a limit."""

    def shortened(self, tree: Tree, path: str) -> Fix | None:
        """None, since it is never too long."""
        return None


def _index_finding(path: str, raw: bytes | None, found: Notice, texts: dict[str, bytes], meant: str) -> Finding:
    """A finding about the index, with the edit of its line; a dead link may have `meant` a topic."""
    rows = _rows(raw)
    row = rows[found.line - 1] if rows and found.line else ""
    repair: Fix | None = None
    related: tuple[Place, ...] = ()
    meant = found.text if found.kind is NoticeKind.LINK_CASE else meant
    match found.kind:
        case NoticeKind.DEAD_LINK | NoticeKind.DOUBLE_LINK if not meant:
            repair = _without_link(path, raw, rows, found)
            related = (Place(path, found.count),) if found.count else ()
        case NoticeKind.DEAD_LINK | NoticeKind.LINK_CASE:
            link = _only_link(raw, found.line)
            edits: tuple[LineEdit, ...] = ()
            if raw is not None and link is not None:
                after = _rows(index.renamed(raw, link.file, meant))[found.line - 1]
                edits = (LineEdit(path, found.line, (row,), (after,)),) if after != row else ()
            repair = Fix("Write {name} instead.", meant, edits)
        case NoticeKind.UNLISTED:
            repair = Fix("Add a line for it to the index.", found.text, _listing_edits(path, raw, [found.text], texts))
        case _:
            pass
    rule = DEAD_LINK if found.kind is NoticeKind.DEAD_LINK else INDEX
    level = Level.INFO if found.kind is NoticeKind.AWAY_LINK else Level.WARNING
    quoted = f"{found.text}\0{row}"
    says = found.kind.says.replace("{count}", "{size}").replace("{place}", "{file}")
    return Finding(
        rule,
        path,
        max(found.line, 1),
        says=f"{says}." if found.kind is NoticeKind.UNLISTED else f"The link {says}.",
        level=level,
        kind=found.kind.value,
        text=found.text,
        size=found.count,
        related=related,
        fix=repair,
        quoted=quoted,
    )


def _without_link(path: str, raw: bytes | None, rows: list[str], found: Notice) -> Fix:
    """The fix that replaces a dead link by its title, or deletes a line that says nothing else or is doubled."""
    link = _only_link(raw, found.line)
    if raw is None or link is None:
        return Fix(UNLINK)
    row, below = rows[found.line - 1], rows[found.line : found.line + 1]
    hangs = bool(below) and below[0][:1] in (" ", "\t") and bool(below[0].strip())
    line = raw.split(b"\n")[found.line - 1]
    about = _words(f"{link.title} {link.file}")
    says_more = hangs or bool(_words((line[: link.first] + b" " + line[link.last :]).decode()) - about)
    if link.heads and (found.kind is NoticeKind.DOUBLE_LINK or not says_more):
        return Fix(DELETE, edits=() if hangs else (LineEdit(path, found.line, (row,), ()),))
    after = _rows(line[: link.first] + link.title.encode("utf-8", "replace") + line[link.last :])
    return Fix(UNLINK, edits=(LineEdit(path, found.line, (row,), (after[0],)),))


def _unlisted_finding(path: str, raw: bytes | None, topics: Sequence[str], texts: dict[str, bytes]) -> Finding:
    """One finding for several topics missing in an index, with a new line for each."""
    fix = Fix("Add a line for each of them to the index.", edits=_listing_edits(path, raw, topics, texts))
    kind, quoted = NoticeKind.UNLISTED.value, "\0".join(topics)
    return Finding(
        INDEX, path, says=_SAYS_MANY, kind=kind, text=listed(topics, _MOST_NAMED), size=len(topics), fix=fix, quoted=quoted
    )


def _listing_edits(path: str, raw: bytes | None, topics: Sequence[str], texts: dict[str, bytes]) -> tuple[LineEdit, ...]:
    """The edit that adds lines for topics to an index at one place; empty if it cannot be determined."""
    rows = _rows(raw if raw is not None else index.HEAD)
    if not rows or any(topic not in texts for topic in topics):
        return ()
    ended = rows if not rows[-1] else [*rows, ""]
    new: list[str] = []
    at = 0
    for topic in topics:
        after = _rows(index.added(raw, topic, *title_and_hook(topic, texts[topic]), texts))
        at = next((number for number, (one, two) in enumerate(zip(ended, after, strict=False)) if one != two), len(ended) - 1)
        if len(after) == len(rows) + 1 and rows[-1]:
            ended = rows  # an unclosed fence
        if len(after) != len(ended) + 1 or after[at + 1 :] != ended[at:]:
            return ()
        new.append(after[at])
    if raw is None:
        return (LineEdit(path, 0, (), (*rows[:at], *new)),)
    below = rows[at : at + 1] if any(rows[at:]) else []
    return (LineEdit(path, at + 1, tuple(below), (*new, *below)),)


def _head_findings(home: str, texts: dict[str, bytes]) -> Iterator[Finding]:
    """The findings about the frontmatter of topics."""
    stems = {topic.rpartition("/")[2].removesuffix(EXTENSION): topic for topic in texts}
    seen: dict[str, str] = {}
    for topic, raw in texts.items():
        if not split_frontmatter(raw)[0]:
            continue
        path, stem = below(home, topic), topic.rpartition("/")[2].removesuffix(EXTENSION)
        fields, _ = frontmatter(text_of(raw)[0])
        name = fields.get("name", "")
        other = seen.setdefault(name, topic) if name else topic
        other = stems.get(name, stems.get(name.replace("-", "_"), other)) if other == topic else other
        if other != topic:
            kind, own = "name-taken", (Place(below(home, other)),)
            yield _head_finding(path, Level.WARNING, kind, name, own, repair=_name_fix(path, raw, stem))
        elif name and not _words(name) & _words(stem):
            yield _head_finding(path, Level.INFO, "name-differs", name, repair=_name_fix(path, raw, stem))
        if not fields.get("description", "").strip():
            yield _head_finding(path, Level.WARNING, "no-description", repair=_description_fix(path, raw))


def _head_finding(
    path: str, level: Level, kind: str, name: str = "", related: tuple[Place, ...] = (), *, repair: Fix | None = None
) -> Finding:
    text, quoted = printable_path(name), f"{kind}\0{name}"
    return Finding(HEAD, path, says=_SAYS_HEAD[kind], level=level, kind=kind, text=text, related=related, fix=repair, quoted=quoted)


def _name_fix(path: str, raw: bytes, stem: str) -> Fix:
    """The fix that sets the `name` field to the topic's file name, as Claude Code writes it."""
    name = stem.replace("_", "-")
    return Fix("Write into its head: {name}", f"name: {name}", _field_edits(path, raw, "name", name))


def _description_fix(path: str, raw: bytes) -> Fix:
    """The fix that sets the `description` field to the first words of a topic."""
    hook = title_and_hook(path, raw)[1]
    if len(hook) > _LONGEST_HOOK:
        hook = f"{hook[:_LONGEST_HOOK].rpartition(' ')[0] or hook[:_LONGEST_HOOK]} …"
    if not hook:
        return Fix("Write into its head: {name}", "what it is about")
    return Fix("Write into its head: {name}", f"description: {hook}", _field_edits(path, raw, "description", hook))


def _field_edits(path: str, raw: bytes, key: str, value: str) -> tuple[LineEdit, ...]:
    """The edit that sets or adds a frontmatter field; empty if the old value has several lines."""
    rows = _rows(raw)
    end = next((at for at, row in enumerate(rows[1:], 1) if row in ("---", "...")), 0)
    new = f"{key}: {json.dumps(value, ensure_ascii=False)}"
    at = next((at for at in range(1, end) if rows[at].startswith(f"{key}:")), 0)
    if not at:
        above = next((at for at in range(1, end) if rows[at].startswith("name:")), 0)
        return (LineEdit(path, above + 1, (rows[above],), (rows[above], new)),) if end else ()
    is_whole = not rows[at].partition(":")[2].strip().startswith(_FOLDED) and not rows[at + 1].startswith((" ", "\t"))
    return (LineEdit(path, at + 1, (rows[at],), (new,)),) if is_whole else ()


def _words(name: str) -> set[str]:
    return set(_WORDS.findall(name.casefold()))


def _only_link(raw: bytes | None, line: int) -> index.Link | None:
    """The link of a line that has exactly one; else None, also in a text that is not UTF-8, which is not edited."""
    found = [link for link in index.links(raw or b"") if link.number == line and is_utf8(raw or b"")]
    return found[0] if len(found) == 1 else None


def _rows(raw: bytes | None) -> list[str]:
    """The lines as edits refer to them; empty if the text is not UTF-8."""
    if raw is None or not is_utf8(raw):
        return []
    return [row.removesuffix("\r") for row in raw_lines(raw.decode().removeprefix("\ufeff"))]
