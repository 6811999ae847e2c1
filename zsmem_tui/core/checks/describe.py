"""The words for what the doctor has found: one wording for each rule and shape, whoever shows it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from zsmem_tui.core.checks.fault import Check, Fault, Place, Repair
from zsmem_tui.core.checks.secret import masked, secrets_in
from zsmem_tui.core.finding import Finding, Rule
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.wording import reason

QUOTED: Final = 60
"""Characters of a line that a sentence quotes."""

_SHORTEST_SECRET: Final = 8
_IN_SECRETS: Final = re.compile("[0-9=:]")
"""What every credential has, or its name before it: of very many findings, few are looked at more closely."""

_UNSEEN: Final = ("invisible text", "invisible character")

_BROKEN: Final = {
    "conflict": "A merge conflict was never resolved: both sides stand here",
    "open-fence": "The fence `{text}` is never closed: what follows is code for whoever reads it",
    "note-name": "Agents refuse this name for a note ({text}): they cannot read or edit it",
    "temporary": "A left-over temporary file of a write that was cut off: no agent reads it",
}


def message(fault: Fault) -> str:
    """A fault as a sentence without its place; no credential stands whole in it."""
    is_cut_down = fault.check is Check.SECRET  # where it is found
    return sought(fault if is_cut_down else replace(fault, text=_plain(fault.text)))


def sought(fault: Fault) -> str:
    """The words of that sentence in which others are looked for; nobody is shown them."""
    other = _other(fault.related[0]) if fault.related else ""
    match fault.check:
        case Check.DUPLICATE:
            words = f"The same stands in {other}"
        case Check.NEAR_DUPLICATE:
            words = f"The same stands in other words in {other}"
        case Check.CONTRADICTION:
            words = f"This contradicts {other}"
        case Check.DEAD_PATH:
            words = f"The project's folder has no {fault.text[:200]}"
        case Check.DEAD_LINK:
            words = f"The link {reason(Finding(Rule.DEAD_LINK, text=fault.text[:200]))}"
        case Check.STALE:
            words = f"This ended on {fault.text}"
        case Check.HIDDEN_ITEM:
            words = "The agent does not see this item, because only `- [ ]` and `* [ ]` are seen"
        case Check.PAID_TWICE:
            words = f"{other} has this too: it is paid for twice in every prompt"
        case Check.OVER_BUDGET:
            words = _over(fault)
        case Check.BROKEN:
            words = _broken(fault)
        case Check.SECRET:
            words = f"This {reason(Finding(Rule.SECRET, text=fault.text))}"
        case Check.POISON if fault.kind in _UNSEEN:
            words = f"This {reason(Finding(Rule.HIDDEN_CHARACTERS, text=fault.text))}"
        case Check.POISON:
            words = f"This {reason(Finding(Rule.ORDER, text=fault.text))}"
        case Check.INDEX | Check.HEAD | Check.UNSEEN:
            words = _of_agent(fault)
    return f"{words[:1].upper()}{words[1:]}."


def fix(repair: Repair | None) -> str | None:
    """What the one key would do, as a sentence; None where there is no fix."""
    if repair is None:
        return None
    repair = repair._replace(name=_plain(repair.name))
    match repair.kind:
        case "delete-copy":
            return "Delete this line and keep the other one."
        case "delete":
            return f"Delete this line; {printable_path(repair.name)} keeps it." if repair.name else "Delete this line."
        case "list":
            return "Add a line for it to the index."
        case "pick-one":
            return "Delete the one of the two that does not hold."
        case "other-path":
            return f"Write {repair.name} instead."
        case "strike":
            return "Strike the path out."
        case "link-nearest":
            return f"Link to {repair.name} instead."
        case "unlink":
            return "Take the link away and keep its text."
        case "mark-done":
            return "Mark the item done."
        case "rewrite-mark":
            return f"Begin the item with `{repair.name}`."
        case "split-line":
            return "Split the line at the ends of its sentences."
        case "move-tail":
            if repair.fits:
                return f"Move what does not fit out of the prompt: into notes and the archive of {printable_path(repair.fits)}."
            return f"Move what is too much into {printable_path(repair.name)}." if repair.name else "Move its tail into a note."
        case "keep-lessons":
            return "Begin the lessons that are too many with `*` instead of `-`: the agent does not drop them then."
        case "take-side":
            return "Keep one of the two sides."
        case "close-fence":
            return f"Close the fence with `{repair.name}`."
        case "tick":
            return f"Put {repair.name} in ticks."
        case "re-encode":
            return "Convert the file to UTF-8."
        case "rename":
            return f"Rename the note to {repair.name}."
        case "move-log":
            return f"Move its entries to {repair.name}."
        case "mask":
            return "Mask it: its first four characters stay."
        case "fence":
            return 'Put it in a fence that says "quoted, do not follow".'
        case "unhide":
            return "Take the characters out that nobody sees."
        case "head-field":
            return f"Write into its head: {repair.name}"
        case "trash":
            return "Delete the file; the history keeps it."
        case _:
            return repair.name or None


def _plain(text: str) -> str:
    """Words that are quoted, with the credentials in them cut down."""
    return masked(text, secrets_in(text)) if len(text) >= _SHORTEST_SECRET and _IN_SECRETS.search(text) else text


def _over(fault: Fault) -> str:
    match fault.kind:
        case "line":
            return f"The line has {fault.size} characters, more than {fault.limit}"
        case Rule.FULL | Rule.MANY_LESSONS | Rule.LOST_LINES:
            return _of_agent(fault)
        case "unread":
            what = f"The file has {fault.size} bytes, more than the {fault.limit} that are looked into"
            return f"{what}: whatever else is wrong in it is not told"
        case "shared-block":
            return f"The file takes {fault.size} bytes of every prompt, and only {fault.limit} fit: what follows it is cut off"
        case "block":
            return (
                f"The prompt's block of this project needs {fault.size} bytes today, and only {fault.limit} fit: its end is cut off"
            )
        case _:
            return f"The file {reason(Finding(Rule.OVER_LIMIT, count=fault.size, limit=fault.limit))}"


def _broken(fault: Fault) -> str:
    match fault.kind:
        case "not-utf8":
            return f"The file {reason(Finding(Rule.NOT_UTF8))}"
        case "ends-block":
            return f"The line {reason(Finding(Rule.ENDS_BLOCK, text=fault.text))}"
        case "future-log":
            return reason(Finding(Rule.FUTURE_LOG, printable_path(fault.text)))
        case Rule.PASSED_OVER:
            return _of_agent(fault)
        case _:
            return _BROKEN[fault.kind].format(text=fault.text)


def _of_agent(fault: Fault) -> str:
    """What an agent's own rules say, in the words that they have everywhere."""
    found = Finding(Rule(fault.kind), printable_path(fault.path), fault.line, fault.text, fault.size, fault.limit)
    match found.rule:
        case Rule.DOUBLE_LINK | Rule.LINK_CASE | Rule.AWAY_LINK:
            return f"The link {reason(found)}"
        case Rule.PASSED_OVER | Rule.FULL | Rule.MANY_LESSONS | Rule.NAME_TAKEN | Rule.NAME_DIFFERS | Rule.NO_DESCRIPTION:
            return f"The file {reason(found)}"
        case _:
            return reason(found)


def _other(place: Place) -> str:
    return f"line {place.line} of {printable_path(place.path)}"
