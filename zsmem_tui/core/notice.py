"""Findings about a text, a file, the prompt or a write as data, and their wording, which is the same everywhere."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Self

from zsmem_tui.core.text import counted, grouped, plural

_OF_IT: Final = "{it} {}."
_ABOUT_IT: Final = "{it}: {}."
_LINE: Final = "Line {line} of {place} {}."
_WHOLE: Final = "{}"
"""For a phrase that ends with a message of the system, which has its own full stop or none."""
_READ_IT: Final = "Read the text before it is taken."
UNLINK: Final = "Take the link away and keep its text."
DELETE: Final = "Delete this line."
"""What helps against a link of an index that leads nowhere: the second, where its line says no more than the link."""
_MOVE: Final = "Move what is needed less into a note, or archive it."


class NoticeKind(StrEnum):
    """The kind of a notice. The values are stable, since scripts and settings may name them.

    `says` is its phrase, with placeholders filled in by `reason`; `frame` is the sentence around the phrase; `helps` is a sentence
    on what a person can do, or empty.
    """

    says: str
    frame: str
    helps: str

    def __new__(cls, value: str, says: str, frame: str = "{}.", helps: str = "") -> Self:
        """Create a kind with its wording."""
        self = str.__new__(cls, value)
        self._value_, self.says, self.frame, self.helps = value, says, frame, helps
        return self

    # about a text, before it is accepted or in a file
    ENDS_BLOCK = "ends-block", "holds {text}, which ends the block early", _OF_IT, "Write it in another way, such as `</ memory>`."
    SECRET = (
        "secret",
        "has the shape of a key or password{in_brackets}",
        _OF_IT,
        "Take it out, then `zsmem history forget` takes it out of every version.",
    )
    ORDER = "order", "reads like an order to the agent{colon}", _OF_IT, _READ_IT
    HIDDEN_CHARACTERS = "hidden-characters", "holds hidden characters{colon}", _OF_IT, _READ_IT
    # about an item that another memory offers
    BYTES_REPLACED = "bytes-replaced", "it is not valid UTF-8: characters were replaced", _ABOUT_IT
    HOLDS_NUL = "holds-nul", "it holds NUL bytes, as text in UTF-16 does", _ABOUT_IT
    NO_TOPIC_FILE = "no-topic-file", "names a note that is missing", _OF_IT
    INSTRUCTIONS = "instructions", "instructions, not memory: zerostack reads CLAUDE.md itself", _ABOUT_IT
    ON_REQUEST = "on-request", "{text}", _ABOUT_IT, "Tick it if it shall come all the same."
    # about an index and the files that it lists
    DEAD_LINK = "dead-link", "leads to {text}, which is not there", _LINE, f"{UNLINK} {DELETE[:-1]} where it says no more."
    DEAD_IMPORT = "dead-import", "imports {text}, which is not there", _LINE, "Make the file, or take the import out."
    DOUBLE_LINK = "double-link", "leads to {text}, as line {count} does", _LINE, DELETE
    LINK_CASE = (
        "link-case",
        "spells {text} in another case: on most systems it leads nowhere",
        _LINE,
        "Write the name as the file has it.",
    )
    AWAY_LINK = "away-link", "leads out of its folder, to {text}", _LINE
    UNLISTED = (
        "unlisted",
        "No line of {place} leads to {text}: the agent does not know that it is there",
        "{}.",
        "Add a line for it.",
    )
    # about a memory file
    NOT_UTF8 = (
        "not-utf8",
        "is not valid UTF-8: agents cannot read it, and load none of it",
        _OF_IT,
        "`zsmem editor` opens the file as it is; the program offers to convert it.",
    )
    NOTE_NOT_UTF8 = (
        "note-not-utf8",
        "is not valid UTF-8: agents may not be able to read it",
        _OF_IT,
        "`zsmem editor` opens the file as it is; the program offers to convert it.",
    )
    UNREADABLE = "unreadable", "{text}: it is left out"
    OVER_LIMIT = "over-limit", "has {count:,} bytes: agents load none of it when it is over {limit:,}", _OF_IT, _MOVE
    HIDDEN_ITEMS = (
        "hidden-items",
        "{count:,} checklist {lines} of {place} {are} not seen by the agent, because only `- [ ]` and `* [ ]` are"
        " (line {line}: {text})",
        "{}.",
        "Begin them with `- [ ]`.",
    )
    FUTURE_LOG = (
        "future-log",
        "The name of the log {place} comes after today's: the released agent takes it for the newest",
        "{}.",
        "Move its entries to the right day, then delete it.",
    )
    # about the prompt block
    LOST_LINES = (
        "lost-lines",
        "{lost} not whole in the prompt: {text}. The first is {place} line {line}",
        "{}.",
        _MOVE,
    )
    HEADROOM = "headroom", "Only {count:,} bytes are left. {text} falls next", "{}.", _MOVE
    OWN_WORDS = (
        "own-words",
        "In braces are the agent's own sentences, whose words are not known here and count as their names: {text}",
        "{}.",
        "",
    )
    TWICE = (
        "twice",
        "{count:,} {lines} of the memory also {stand} in {place}, and {are} paid for twice: {text}",
        "{}.",
        "Delete them in one of the two places; what other projects need stays in memory.",
    )
    CONTEXT_SIZE = "context-size", "{text}: {count:,} bytes, with memory {limit:,} bytes in every prompt"
    # about a prompt block of the past
    BEFORE_FIRST_LOOK = "before-first-look", "before zsmem looked: {place} is as of its first version, of {text}"
    DROPPED = "dropped", "versions of {place} were dropped as too old, from {text}: one that was kept stands for them"
    WHOLE_AT = "whole-at", "All that the prompt needs is known of {text}"
    TOO_LARGE_THEN = "too-large-then", "{place} was too large to keep then: none of its {count:,} bytes are shown"
    # about a write
    CUT = "cut", "The content was cut: {missing:,} of {count:,} bytes were not written", "{}.", "Write the rest in a second step."
    HEAD_LOST = "head-lost", "no longer has a front matter that its agent reads", _OF_IT, "Each `---` stands alone on its line."
    MADE_ANEW = (
        "made-anew",
        "is made anew by the agent from its notes: what is to stay belongs in one, best in pinned/",
        _OF_IT,
    )
    UNDO_OFF = "undo-off", "Undo is off. {text}", _WHOLE
    NO_BACKUP = "no-backup", "No .bak was written: {text}", _WHOLE


OF_THE_PAST: Final = (NoticeKind.BEFORE_FIRST_LOOK, NoticeKind.DROPPED, NoticeKind.WHOLE_AT, NoticeKind.TOO_LARGE_THEN)
"""What the history does not know about a past moment."""


@dataclass(frozen=True, slots=True)
class Notice:
    """One finding.

    `place` is the file as shown to a person (empty: the block, or the text in question), `line` is 1-based (0: no single line).
    `text` is a quotation: a line, a section's title, a system message. `count` and `limit` are the sizes or numbers concerned.
    """

    kind: NoticeKind
    place: str = ""
    line: int = 0
    text: str = ""
    count: int = 0
    limit: int = 0
    facts: int = 0
    """The number of facts concerned, when `count` is the number of their lines."""


def over_limit(place: str, size: int, limit: int | None) -> tuple[Notice, ...]:
    """A notice if the file is larger, in bytes, than the agent's limit (None: no limit); else empty."""
    return (Notice(NoticeKind.OVER_LIMIT, place, count=size, limit=limit),) if limit is not None and size > limit else ()


def side_by_side(parts: Iterable[str], joint: str) -> str:
    """Join sentences into one line; `joint` replaces the full stop of all but the last."""
    *first, last = list(parts)
    return joint.join([*(part.removesuffix(".") for part in first), last])


def sentences(notices: Iterable[Notice]) -> list[str]:
    """Each notice as a sentence."""
    return [sentence(each) for each in notices]


def brief(notices: Iterable[Notice], lists: str = "") -> list[str]:
    """As sentences, those alike about one index as one: the first, and how many more lines, which the verb `lists` shows."""
    many = (NoticeKind.UNLISTED, *(kind for kind in NoticeKind if kind.frame == _LINE))
    alike = grouped(((each.kind, each.place if each.kind in many else at), each) for at, each in enumerate(notices))
    out = []
    for first, *others in alike.values():
        noun, where = ("file", "") if first.kind is NoticeKind.UNLISTED else ("line", f": {lists} lists them" if lists else "")
        out.append(f"{sentence(first)} So it is with {counted(len(others), f'more {noun}')}{where}." if others else sentence(first))
    return out


def sentence(notice: Notice) -> str:
    """A notice as a sentence that names the file."""
    return notice.kind.frame.format(reason(notice), it=notice.place or "It", place=notice.place, line=notice.line)


def reasons(notices: Iterable[Notice]) -> str:
    """Notices about one text as a comma-separated list of phrases, each once; empty if there are none."""
    return ", ".join(dict.fromkeys(map(reason, notices)))


def reason(notice: Notice) -> str:
    """A notice as a phrase without a full stop, and without the name of the text where it is about one."""
    text, count, limit, facts = notice.text, notice.count, notice.limit, notice.facts
    lines = counted(count, "line")
    told = f"{counted(facts, 'fact')}{f' ({lines})' if facts != count else ''}" if facts else lines
    return notice.kind.says.format(
        text=text,
        in_brackets=f" ({text})" if text else "",
        colon=f": {text}" if text else "",
        place=notice.place,
        line=notice.line,
        count=count,
        limit=limit,
        missing=count - limit,
        lost=f"{told} {'is' if (facts or count) == 1 else 'are'}",
        lines=plural("line", count),
        are="is" if count == 1 else "are",
        stand="stands" if count == 1 else "stand",
    )
