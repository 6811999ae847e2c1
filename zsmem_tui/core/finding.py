"""What a check has found, as data. The words for it are in `wording`, one for each rule, whoever shows it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never


class Rule(StrEnum):
    """What was found. The values are stable, so that a script or a setting may name them."""

    # of a text, before it is taken or where it stands
    ENDS_BLOCK = "ends-block"
    SECRET = "secret"
    ORDER = "order"
    HIDDEN_CHARACTERS = "hidden-characters"
    # of something that another memory offers
    BYTES_REPLACED = "bytes-replaced"
    NO_TOPIC_FILE = "no-topic-file"
    INSTRUCTIONS = "instructions"
    ON_REQUEST = "on-request"
    # of an index, and the files that it lists
    DEAD_LINK = "dead-link"
    DOUBLE_LINK = "double-link"
    LINK_CASE = "link-case"
    AWAY_LINK = "away-link"
    UNLISTED = "unlisted"
    # of the head of a file
    NAME_TAKEN = "name-taken"
    NAME_DIFFERS = "name-differs"
    NO_DESCRIPTION = "no-description"
    # of a memory file
    NOT_UTF8 = "not-utf8"
    UNREADABLE = "unreadable"
    OVER_LIMIT = "over-limit"
    HIDDEN_ITEMS = "hidden-items"
    FUTURE_LOG = "future-log"
    PASSED_OVER = "passed-over"
    FULL = "full"
    MANY_LESSONS = "many-lessons"
    BEFORE_SECTIONS = "before-sections"
    # of the prompt block
    LOST_LINES = "lost-lines"
    HEADROOM = "headroom"
    TWICE = "twice"
    CONTEXT_SIZE = "context-size"
    # of a write
    CUT = "cut"
    UNDO_OFF = "undo-off"
    NO_BACKUP = "no-backup"


class Severity(StrEnum):
    """How much it matters."""

    LOSS = "loss"
    """Something that was written does not reach who should read it, or would not be kept."""
    RISK = "risk"
    """It may do harm: look before it is taken."""
    NOTICE = "notice"
    """Good to know."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a check has found.

    `place` is the file as a person knows it (empty: the block, or the text that was asked about), `line` counts from 1 (0: no one
    line). `text` is what the words quote: a line, a section's title, what the system said. `count` and `limit` are the sizes and
    numbers that the rule is about, as its words in `wording` say; `wording.fix` says what helps.
    """

    rule: Rule
    place: str = ""
    line: int = 0
    text: str = ""
    count: int = 0
    limit: int = 0

    @property
    def severity(self) -> Severity:
        """How much it matters, which the rule alone decides."""
        match self.rule:
            case Rule.NOT_UTF8 | Rule.UNREADABLE | Rule.OVER_LIMIT | Rule.HIDDEN_ITEMS | Rule.LOST_LINES | Rule.CUT:
                return Severity.LOSS
            case Rule.PASSED_OVER | Rule.FULL | Rule.MANY_LESSONS:
                return Severity.LOSS
            case Rule.UNDO_OFF | Rule.NO_BACKUP | Rule.BYTES_REPLACED | Rule.NO_TOPIC_FILE | Rule.UNLISTED:
                return Severity.LOSS
            case (
                Rule.ENDS_BLOCK
                | Rule.SECRET
                | Rule.ORDER
                | Rule.HIDDEN_CHARACTERS
                | Rule.FUTURE_LOG
                | Rule.DEAD_LINK
                | Rule.LINK_CASE
                | Rule.NAME_TAKEN
            ):
                return Severity.RISK
            case (
                Rule.INSTRUCTIONS
                | Rule.ON_REQUEST
                | Rule.HEADROOM
                | Rule.TWICE
                | Rule.CONTEXT_SIZE
                | Rule.DOUBLE_LINK
                | Rule.AWAY_LINK
                | Rule.NAME_DIFFERS
                | Rule.NO_DESCRIPTION
                | Rule.BEFORE_SECTIONS
            ):
                return Severity.NOTICE
            case _:
                assert_never(self.rule)


def over_limit(place: str, size: int, limit: int | None) -> tuple[Finding, ...]:
    """What is to be said of a file of this size in bytes, given how many the agent takes (None: any)."""
    return (Finding(Rule.OVER_LIMIT, place, count=size, limit=limit),) if limit is not None and size > limit else ()
