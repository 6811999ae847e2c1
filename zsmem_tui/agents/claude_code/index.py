"""Claude Code's index: the topics its lines link to, mistakes in it, and updating it when topics change.

Works on bytes, so that lines not about a topic stay unchanged, whatever they contain. Lines in fences and links in code are
examples and are ignored.
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple
from urllib.parse import unquote

from zsmem_tui.agents.claude_code import index_room, prompt
from zsmem_tui.core.code_spans import without_code
from zsmem_tui.core.fact_prompt import lost_facts
from zsmem_tui.core.markdown import end_of_code, outside_code, scan, unclosed
from zsmem_tui.core.notice import Notice, NoticeKind
from zsmem_tui.core.preview import InBlock
from zsmem_tui.core.text import printable_path, trim

HEAD: Final = b"# Memory Index\n\n"
"""The start of a new index."""

HOOK_LENGTH: Final = 120
"""The most characters of a line's description of its topic; with title and link it is about the documented 150."""

_KEPT: Final = 16
"""The cache size for links of an index."""

_KEPT_LINES: Final = 8192
"""The cache size for what its lines hold: those that stay while it grows by hundreds of topics."""

_BOM: Final = b"\xef\xbb\xbf"
_LINK: Final = re.compile(rb"(?<![!\\])\[((?:[^\[\]\\]|\\.|\[[^\[\]]*\])*)\]\(((?:[^()\r\n]|\([^()\r\n]*\))*)\)")
_WIKI: Final = re.compile(rb"(?<!\\)\[\[([^\[\]|#\r\n]+)(?:#[^\[\]|\r\n]*)?(?:\|([^\[\]\r\n]*))?\]\]")
_QUOTED_TITLE: Final = re.compile(rb"\s+(?:\"[^\"]*\"|'[^']*')$")
_HEADING: Final = re.compile(rb" {0,3}(#{1,6})(?:[ \t]|\r?$)", re.MULTILINE)
_ITEM: Final = re.compile(rb"[ \t]*([-*+])[ \t]+")
_SCHEME: Final = re.compile("[A-Za-z][A-Za-z0-9+.-]+:")
_AWAY: Final = re.compile(r"\.\.(?:/|$)|[/~\\]|[A-Za-z]:")
_DASHES: Final = " \t—–-:"
_NOBODY: Final[Mapping[str, str]] = MappingProxyType({})


class Link(NamedTuple):
    """A link in the index. `number` is its 1-based line; `file` is the target relative to the index's folder.

    Offsets within the line: `start` and `stop` enclose the target, `first` and `last` the whole link. `heads` says that an item
    begins with it, so that the line is about that file. For a wiki link, `file` is the name of a topic.
    """

    number: int
    title: str
    file: str
    start: int
    stop: int
    first: int
    last: int
    heads: bool
    is_wiki: bool = False

    @property
    def is_away(self) -> bool:
        """Whether it leads out of the folder."""
        return not self.is_wiki and _AWAY.match(self.file) is not None


class Part(NamedTuple):
    """A block of an index: an item with what is indented below it, fenced code, or one line of anything else.

    `number` is the 1-based first line. `about` is its topic, or empty for the index's own text.
    """

    number: int
    text: bytes
    about: str = ""

    @property
    def is_heading(self) -> bool:
        """Whether it is a heading."""
        return self.level > 0

    @property
    def level(self) -> int:
        """The level of a heading; 0 for anything else."""
        found = _HEADING.match(self.text.removeprefix(_BOM))
        return len(found[1]) if found and not self.about else 0

    @property
    def is_blank(self) -> bool:
        """Whether it is blank."""
        return not self.text.removeprefix(_BOM).strip()


def parts(raw: bytes, topics: Collection[str]) -> list[Part]:
    """Split an index into parts, which together are the whole text. `topics` are the existing ones, as relative paths."""
    own = {_folded(topic): topic for topic in topics}
    about = {link.number: _topic(link, topics, own, {}) or "" for link in links(raw) if link.heads and not link.is_away}
    lines, out, at = _lines(raw), [], 0
    found = scan(_texts(lines), tags=False)
    while at < len(lines):
        stop = end_of_code(found, at)
        if not found[at].is_code and _ITEM.match(lines[at].removeprefix(_BOM)):
            stop = _item(lines, at).stop
        out.append(Part(at + 1, b"".join(lines[at:stop]), about.get(at + 1, "")))
        at = stop
    return out


def own_words(raw: bytes, topics: Collection[str]) -> bytes:
    """The index's own text: without lines about topics, and without headings left empty. Empty if there is none."""
    every = parts(raw, topics)
    kept: list[Part] = []
    for at, part in enumerate(every):
        below = every[at + 1 :]
        if part.is_heading:
            ends = next((number for number, each in enumerate(below) if 0 < each.level <= part.level), len(below))
            if any(not (each.about or each.is_heading or each.is_blank) for each in below[:ends]):
                kept.append(part)
        elif not part.about and not (part.is_blank and (not kept or kept[-1].is_blank)):
            kept.append(part)
    while kept and kept[-1].is_blank:
        kept.pop()
    return b"".join(each.text for each in kept).removeprefix(_BOM)


def without_words(raw: bytes, words: bytes, topics: Collection[str]) -> bytes | None:
    """The index without its own text `words`; None if only headings are left."""
    gone = {part.text.removeprefix(_BOM).strip() for part in parts(words, topics) if not part.is_heading}
    left = [each for each in parts(raw, topics) if each.about or each.is_blank or each.text.removeprefix(_BOM).strip() not in gone]
    if all(each.is_blank or each.is_heading for each in left):
        return None
    return b"".join(each.text for each in left)


@lru_cache(_KEPT)
def links(raw: bytes) -> tuple[Link, ...]:
    """The links to files, in order; without links to web sites and to headings of the index itself.

    Cached for repeated calls while notes are added to an index.
    """
    return tuple(link for number, line in _shown(raw) for link in _links(number, line))


def findings(raw: bytes, topics: Collection[str], place: str, names: Mapping[str, str] = _NOBODY) -> list[Notice]:
    """Notices about mismatches between the index at `place` and the topics next to it, by line; unlisted topics last.

    `topics` are relative paths. `names` maps names in the topics' frontmatter to files, since links may use them. Links to files
    other than Markdown are ignored.
    """
    own = {_folded(topic): topic for topic in topics}
    seen: dict[str, int] = {}
    listed: set[str] = set()
    found: list[Notice] = []
    for link in links(raw):
        if link.is_away:
            found.append(Notice(NoticeKind.AWAY_LINK, place, link.number, printable_path(link.file)))
            continue
        topic = _topic(link, topics, own, names)
        if topic is None:
            if link.is_wiki or link.file.lower().endswith(".md"):
                found.append(Notice(NoticeKind.DEAD_LINK, place, link.number, printable_path(link.file)))
            continue
        if not link.is_wiki and link.file != topic:
            found.append(Notice(NoticeKind.LINK_CASE, place, link.number, printable_path(topic)))
        if link.heads and topic in seen:
            found.append(Notice(NoticeKind.DOUBLE_LINK, place, link.number, printable_path(topic), count=seen[topic]))
        if link.heads:
            seen.setdefault(topic, link.number)
        listed.add(topic)
    unlisted = [Notice(NoticeKind.UNLISTED, place, text=printable_path(topic)) for topic in sorted(set(topics) - listed)]
    return [*found, *_past_the_cut(raw, place), *unlisted]


def added(
    raw: bytes | None,
    file: str,
    title: str,
    hook: str = "",
    topics: Collection[str] = (),
    *,
    is_cut: bool = False,
    free: int = 0,
) -> bytes:
    """The index with a line for a topic added at the end; unchanged if it has one.

    `raw` None: there is no index yet. Bullet and line ends match the existing ones. An unclosed fence stays below the new line.
    With `is_cut`, a line that would not be loaded at the end goes where it is: to the line `free` that something left (1-based), or
    below those of other topics; unless it would push one of these out.
    """
    if raw is None:
        raw = HEAD
    if any(_is_about(link, file, topics) for link in links(raw)):
        return raw
    end = _line_end(raw)
    shown = " ".join(title.split()).replace("[", "(").replace("]", ")").replace("\\", "/")
    about = f" — {_short(hook)}" if hook.strip() and trim(hook) != trim(title) else ""
    bullet = next((_bullet(line) for _, line in _headed(raw)), b"-")

    def made(title: str) -> bytes:
        return bullet + f" [{title or file}]({_escaped(file)}){about}".encode("utf-8", "surrogateescape") + end

    line = made(shown)
    if not links(line):  # a code span from the title into the description would hide the link
        line = made(shown.replace("`", "'"))
    lines = _lines(raw.removeprefix(_BOM))
    at = unclosed(_texts(lines)) if _has_fences(raw) else -1
    at = len(lines) if at < 0 else at
    front, back = b"".join(lines[:at]), b"".join(lines[at:])
    joint = b"" if not front or front.endswith(b"\n") else end
    last = _BOM * raw.startswith(_BOM) + front + joint + line + back
    return last if not is_cut or index_room.is_loaded(last, at) else _where_loaded(raw, line, free) or last


def _where_loaded(raw: bytes, line: bytes, free: int) -> bytes | None:
    """The index with a line in a place where it is loaded, as are all topics that were; None if there is none."""
    lines = _lines(raw)
    first = prompt.first_lost_line(raw) or len(lines) + 1
    listed = [link.number - 1 for link in links(raw) if link.heads and link.number < first]
    stops = [_item(lines, at).stop for at in listed]
    for at in index_room.places(lines, scan(_texts(lines), tags=False), free, listed, stops):
        made = b"".join([*lines[:at], line, *lines[at:]])
        last = max((number + (number >= at) for number in listed), default=at)
        if index_room.is_loaded(made, max(at, last)):
            return made
    return None


def renamed(raw: bytes, old: str, new: str, topics: Collection[str] = (), *, by_name: bool = True) -> bytes:
    """The index, or a topic, with every link to a topic pointing to its new file; the rest of the lines is unchanged.

    `by_name`: links like `[[name]]` do, too.
    """
    lines = _lines(raw)
    for link in reversed(links(raw)):
        if _is_about(link, old, topics) and (by_name or not link.is_wiki):
            line = lines[link.number - 1]
            lines[link.number - 1] = line[: link.start] + _target(line, link, new) + line[link.stop :]
    return b"".join(lines)


def removed(raw: bytes, file: str, topics: Collection[str] = ()) -> bytes:
    """The index without the lines about a topic; links to it within other text are replaced by their titles."""
    lines = _lines(raw)
    gone: set[int] = set()
    for link in reversed(links(raw)):
        if not _is_about(link, file, topics):
            continue
        if link.heads:
            gone.update(_item(lines, link.number - 1))
        else:
            line = lines[link.number - 1]
            lines[link.number - 1] = line[: link.first] + link.title.encode("utf-8", "surrogateescape") + line[link.last :]
    kept = b"".join(line for number, line in enumerate(lines) if number not in gone)
    return _BOM + kept if raw.startswith(_BOM) and not kept.startswith(_BOM) else kept


def hooks(raw: bytes, topics: Collection[str]) -> Iterator[tuple[int, str, tuple[str, str]]]:
    """Each line about a topic: (line number, topic, (title, description))."""
    about = {part.number: part.about for part in parts(raw, topics) if part.about}
    for link, line in _headed(raw):
        if link.number in about:
            yield link.number, about[link.number], _words(link, line)


def gained(before: bytes, after: bytes) -> list[int]:
    """The numbers of lines about files that no line of `before` was about."""
    old = {link.file for link in links(before) if link.heads}
    return [link.number for link in links(after) if link.heads and link.file not in old]


def said(raw: bytes, file: str, topics: Collection[str] = ()) -> tuple[str, str] | None:
    """The title and the description in the first line about a topic; None if there is no such line."""
    for link, line in _headed(raw):
        if _is_about(link, file, topics):
            return _words(link, line)
    return None


def _words(link: Link, line: bytes) -> tuple[str, str]:
    """The title and the description of a line that begins with a link."""
    return link.title, line[link.last :].decode("utf-8", "replace").strip().lstrip(_DASHES)


def _past_the_cut(raw: bytes, place: str) -> Iterator[Notice]:
    lines = _lines(raw)
    lost = [each for each in prompt.prompt(raw, place).lost if lines[each.line - 1].strip()]
    if lost:
        gone = frozenset(each.line - 1 for each in lost)
        seen = InBlock("", frozenset(range(len(lines))) - gone, frozenset(), gone)
        facts = lost_facts(raw.decode("utf-8", "replace"), seen)
        yield Notice(NoticeKind.LOST_LINES, place, lost[0].line, lost[0].reason, len(lost), prompt.INDEX_LINES, facts)


def _headed(raw: bytes) -> Iterator[tuple[Link, bytes]]:
    """The links at the start of items, each with its line."""
    lines = _lines(raw)
    return ((link, lines[link.number - 1]) for link in links(raw) if link.heads)


def _shown(raw: bytes) -> Iterator[tuple[int, bytes]]:
    """The lines outside of fences, with 1-based numbers."""
    lines = _lines(raw)
    if not _has_fences(raw):
        return enumerate(lines, 1)
    return ((number + 1, lines[number]) for number, _, outside in outside_code(_texts(lines)) if outside)


def _has_fences(raw: bytes) -> bool:
    return b"```" in raw or b"~~~" in raw


def _texts(lines: list[bytes]) -> list[str]:
    return [_text(line.rstrip(b"\n")) for line in lines]


@lru_cache(_KEPT_LINES)
def _links(number: int, line: bytes) -> tuple[Link, ...]:
    """The links of a line, cached for the lines that stay while an index grows."""
    out: list[Link] = []
    bare = without_code(line.decode("latin-1")).encode("latin-1")
    head = _ITEM.match(bare.removeprefix(_BOM))
    start = head.end() + len(bare) - len(bare.removeprefix(_BOM)) if head else -1
    wiki = list(_WIKI.finditer(bare))
    for found in sorted([*wiki, *_LINK.finditer(bare)], key=lambda found: found.start()):
        at = found.start()
        if found.re is _WIKI:
            name = _text(found[1]).strip()
            out.append(Link(number, _text(found[2] or found[1]), name, *found.span(1), *found.span(), at == start, True))
            continue
        if any(each.start() <= at < each.end() for each in wiki):
            continue
        target = _QUOTED_TITLE.sub(b"", found[2].strip())
        begins = found.start(2) + found[2].find(target)
        if target[:1] == b"<" and target[-1:] == b">":
            target, begins = target[1:-1], begins + 1
        path = target.partition(b"#")[0]
        file = unquote(_text(path), errors="surrogateescape")
        if file and not _SCHEME.match(file):
            shown = file if _AWAY.match(file) else posixpath.normpath(file)
            out.append(Link(number, _text(found[1]), shown, begins, begins + len(path), *found.span(), at == start))
    return tuple(out)


def _topic(link: Link, topics: Collection[str], own: Mapping[str, str], names: Mapping[str, str]) -> str | None:
    """The topic that a link leads to: exactly, or ignoring case."""
    if not link.is_wiki:
        return link.file if link.file in topics else own.get(_folded(link.file))
    if link.file in names:
        return names[link.file]
    wanted = _slug(link.file)
    return next((topic for topic in topics if _slug(topic) == wanted), None)


def _is_about(link: Link, file: str, topics: Collection[str]) -> bool:
    """Whether a link leads to a topic, ignoring case unless another topic matches exactly."""
    if link.is_wiki:
        return _slug(link.file) == _slug(file)
    is_so = link.file == file or (_folded(link.file) == _folded(file) and link.file not in topics)
    return is_so and not link.is_away


def _item(lines: list[bytes], at: int) -> range:
    """The lines of an item: its first line and the indented lines below that are no items themselves."""
    stop = at + 1
    while stop < len(lines) and lines[stop][:1] in (b" ", b"\t") and lines[stop].strip() and not _ITEM.match(lines[stop]):
        stop += 1
    return range(at, stop)


def _target(line: bytes, link: Link, new: str) -> bytes:
    if link.is_wiki:
        return new.removesuffix(".md").encode("utf-8", "surrogateescape")
    own = new if line[link.start - 1 : link.start] == b"<" else _escaped(new)
    here = "./" if line[link.start : link.stop].startswith(b"./") else ""
    return f"{here}{own}".encode("utf-8", "surrogateescape")


def _lines(raw: bytes) -> list[bytes]:
    """The lines with their line feeds."""
    out = [line + b"\n" for line in raw.split(b"\n")]
    out[-1] = out[-1][:-1]
    return out if out[-1] else out[:-1]


def _line_end(raw: bytes) -> bytes:
    first = raw.find(b"\n")
    return b"\r\n" if first > 0 and raw[first - 1 : first] == b"\r" else b"\n"


def _bullet(line: bytes) -> bytes:
    found = _ITEM.match(line.removeprefix(_BOM))
    return found[1] if found else b"-"


def _short(hook: str) -> str:
    text = " ".join(hook.split())
    if len(text) <= HOOK_LENGTH:
        return text
    return f"{text[: HOOK_LENGTH - 1].rpartition(' ')[0] or text[: HOOK_LENGTH - 1]}…"


def _escaped(file: str) -> str:
    for char in "% ()#<>`\t\n\r":
        file = file.replace(char, f"%{ord(char):02X}")
    return file


@lru_cache(_KEPT_LINES)
def _folded(file: str) -> str:
    return unicodedata.normalize("NFC", file).casefold()


def _slug(name: str) -> str:
    return _folded(name).removesuffix(".md").replace("_", "-")


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")
