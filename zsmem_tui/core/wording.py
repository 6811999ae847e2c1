"""The words for what checks have found: one wording for each rule, for every screen, command and report."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from zsmem_tui.core.finding import Finding, Rule
from zsmem_tui.core.text import plural


def side_by_side(parts: Iterable[str], joint: str) -> str:
    """Several sentences in one line: the joint stands in place of the full stop of each but the last."""
    *first, last = list(parts)
    return joint.join([*(part.removesuffix(".") for part in first), last])


def sentences(findings: Iterable[Finding]) -> list[str]:
    """Each finding as a sentence."""
    return [sentence(each) for each in findings]


def sentence(finding: Finding) -> str:
    """A finding as a sentence that names the file."""
    words = reason(finding)
    match finding.rule:
        case Rule.ENDS_BLOCK | Rule.SECRET | Rule.ORDER | Rule.HIDDEN_CHARACTERS | Rule.NOT_UTF8 | Rule.OVER_LIMIT:
            return f"{finding.place or 'It'} {words}."
        case Rule.PASSED_OVER | Rule.FULL | Rule.MANY_LESSONS | Rule.NAME_TAKEN | Rule.NAME_DIFFERS | Rule.NO_DESCRIPTION:
            return f"{finding.place or 'It'} {words}."
        case Rule.DEAD_LINK | Rule.DOUBLE_LINK | Rule.LINK_CASE | Rule.AWAY_LINK:
            return f"Line {finding.line} of {finding.place} {words}."
        case Rule.UNDO_OFF | Rule.NO_BACKUP:
            return words  # they end with what the system said, which is a sentence or has no end
        case Rule.BYTES_REPLACED | Rule.NO_TOPIC_FILE | Rule.INSTRUCTIONS | Rule.ON_REQUEST:
            return f"{finding.place or 'It'}: {words}."
        case _:
            return f"{words}."


def reasons(findings: Iterable[Finding]) -> str:
    """Findings about one text as a list of phrases; empty when there are none."""
    return ", ".join(map(reason, findings))


def reason(finding: Finding) -> str:
    """A finding as a phrase, without a full stop; a finding about a text leaves out whose text it is."""
    count, limit, place = finding.count, finding.limit, finding.place
    match finding.rule:
        case Rule.ENDS_BLOCK:
            return f"holds {finding.text}, which ends the block early"
        case Rule.SECRET:
            return f"has the shape of a key or password{f' ({finding.text})' if finding.text else ''}"
        case Rule.ORDER:
            return f"reads like an order to the agent{f': {finding.text}' if finding.text else ''}"
        case Rule.HIDDEN_CHARACTERS:
            return f"holds hidden characters{f': {finding.text}' if finding.text else ''}"
        case Rule.BYTES_REPLACED:
            return "it is not valid UTF-8: characters were replaced"
        case Rule.NO_TOPIC_FILE:
            return "its topic file is missing"
        case Rule.INSTRUCTIONS:
            return "instructions, not memory: zerostack reads CLAUDE.md itself"
        case Rule.ON_REQUEST:
            return finding.text
        case Rule.DEAD_LINK:
            return f"leads to {finding.text}, which is not there"
        case Rule.DOUBLE_LINK:
            return f"leads to {finding.text}, as line {count} does"
        case Rule.LINK_CASE:
            return f"spells {finding.text} in another case: on most systems it leads nowhere"
        case Rule.AWAY_LINK:
            return f"leads out of its folder, to {finding.text}"
        case Rule.UNLISTED:
            return f"No line of {place} leads to {finding.text}: the agent does not know that it is there"
        case Rule.NAME_TAKEN:
            return f"calls itself {finding.text}, as another file is called"
        case Rule.NAME_DIFFERS:
            return f"calls itself {finding.text}, which has no word of its file's name"
        case Rule.NO_DESCRIPTION:
            return "does not say what it is about: the agent chooses files by their descriptions"
        case Rule.PASSED_OVER:
            return f"is passed over without a word: {finding.text}"
        case Rule.FULL:
            return f"has {count} characters, and its limit is {limit}: the agent can write no more into it"
        case Rule.MANY_LESSONS:
            return f"has {count} lessons: of more than {limit} the agent drops the lowest when it learns another"
        case Rule.BEFORE_SECTIONS:
            return f"Text stands before the first section of {place}: the agent goes by sections, and it is in none"
        case Rule.NOT_UTF8:
            return "is not valid UTF-8: agents cannot read it, and leave it out"
        case Rule.UNREADABLE:
            return f"{finding.text}: it is left out"
        case Rule.OVER_LIMIT:
            return f"has {count} bytes: agents leave it out when it is over {limit}"
        case Rule.HIDDEN_ITEMS:
            first = f"line {finding.line}: {finding.text}"
            return (
                f"{count} checklist {plural('line', count)} of {place} {_is(count)} not seen by the agent, because only `- [ ]` "
                f"and `* [ ]` are ({first})"
            )
        case Rule.FUTURE_LOG:
            return f"The log {place} is dated in the future: the released agent takes it for the newest"
        case Rule.LOST_LINES:
            first = f"The first is {place} line {finding.line}"
            return f"{count} {plural('line', count)} {_is(count)} not whole in the prompt: {finding.text}. {first}"
        case Rule.HEADROOM:
            return f"Only {count} bytes are left. {finding.text} falls next"
        case Rule.TWICE:
            stands = "stands" if count == 1 else "stand"
            return (
                f"{count} {plural('line', count)} of the memory also {stands} in {place}, and {_is(count)} paid for twice: "
                f"{finding.text}"
            )
        case Rule.CONTEXT_SIZE:
            return f"{finding.text} add {count} bytes: with memory, {limit} bytes in every prompt"
        case Rule.CUT:
            return f"The content was cut: {count - limit} of {count} bytes were not written"
        case Rule.UNDO_OFF:
            return f"Undo is off. {finding.text}"
        case Rule.NO_BACKUP:
            return f"No .bak was written: {finding.text}"
        case _:
            assert_never(finding.rule)


def fix(rule: Rule) -> str:
    """What a person can do about it, as a sentence; empty where there is nothing to do, or nothing that always helps."""
    match rule:
        case Rule.ENDS_BLOCK:
            return "Write it in another way, such as `</ memory>`."
        case Rule.SECRET:
            return "Take it out, then `zsmem history forget` takes it out of every version."
        case Rule.ORDER | Rule.HIDDEN_CHARACTERS:
            return "Read the text before it is taken."
        case Rule.NOT_UTF8:
            return "`zsmem editor` opens the file as it is; the program offers to convert it."
        case Rule.OVER_LIMIT | Rule.LOST_LINES | Rule.HEADROOM:
            return "Move what is needed less into a note, or archive it."
        case Rule.HIDDEN_ITEMS:
            return "Begin them with `- [ ]`."
        case Rule.FUTURE_LOG:
            return "Move its entries to the right day, then delete it."
        case Rule.TWICE:
            return "Delete them in one of the two places."
        case Rule.DEAD_LINK | Rule.DOUBLE_LINK:
            return "Take the line out."
        case Rule.LINK_CASE:
            return "Write the name as the file has it."
        case Rule.UNLISTED:
            return "Add a line for it."
        case Rule.NAME_TAKEN | Rule.NAME_DIFFERS:
            return "Give it the name that its file has."
        case Rule.NO_DESCRIPTION:
            return "Write a description of one line into its head."
        case Rule.PASSED_OVER:
            return "Mend the head of the file."
        case Rule.FULL | Rule.MANY_LESSONS:
            return "Take out what is needed least."
        case Rule.BEFORE_SECTIONS:
            return "Put a heading above it."
        case Rule.CUT:
            return "Write the rest in a second step."
        case Rule.UNREADABLE | Rule.UNDO_OFF | Rule.NO_BACKUP:
            return ""  # what the system said is all that is known
        case Rule.BYTES_REPLACED | Rule.NO_TOPIC_FILE | Rule.INSTRUCTIONS | Rule.CONTEXT_SIZE | Rule.AWAY_LINK:
            return ""
        case Rule.ON_REQUEST:
            return "Tick it if it shall come all the same."
        case _:
            assert_never(rule)


def _is(count: int) -> str:
    return "is" if count == 1 else "are"
