"""What waits for review as words and rows. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence

from zsmem_tui.core.notice import reasons
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import counted, plural
from zsmem_tui.core.version import Version
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import losses
from zsmem_tui.service.review_lines import ReviewLine
from zsmem_tui.service.reviewing import PendingReview
from zsmem_tui.service.session import Session
from zsmem_tui.ui.widgets.row_list import ListRow
from zsmem_tui.ui.wording import ago, kind_of, name_of, nobody_since, title_of


def pending_row(change: PendingReview, now_ns: int) -> ListRow:
    """A changed file in the list to review."""
    state = "new " if change.reviewed is None else "deleted " if change.now is None else ""
    wiped = "! wiped " if any(version.wiped for version in change.versions) else ""
    pieces = [
        (f"  {kind_of(change.ref)}{name_of(change.ref)}  ", "text"),
        (wiped, "warn"),
        ("! dropped yours " if change.dropped else "! dropped yours, put back " if change.mended else "", "warn"),
        ("! look " if change.hazards else "", "warn"),
        (state, "mark"),
        (f"+{change.added}", "added"),
        (f" -{change.removed}", "removed"),
    ]
    return ListRow(pieces, ago(change.versions[0].when, now_ns) if change.versions else "")


def other_row(ref: MemRef) -> ListRow:
    """A changed file of a store that is not shown: what changed in it is read once the cursor is on it."""
    return ListRow([(f"  {kind_of(ref)}{name_of(ref)}  ", "text")])


def pending_title(change: PendingReview, session: Session) -> str:
    """What stands over the changes of a file."""
    count = len(change.versions)
    evidence = f" · {change.versions[0].author}" if change.versions else ""
    return f"{title_of(change.ref, session)}{evidence}" + (f" · {count} {plural('write', count)}" if count > 1 else "")


def hazard_of(change: PendingReview, line: ReviewLine) -> str:
    """Why the changed line at the cursor should be looked at, as a phrase; empty when there is no reason."""
    at = line.change.added
    found = [each for each in change.hazards if at is not None and each.line == at + 1]
    return f"! {visible_line(reasons(found))}" if found else ""


def line_facts(line: ReviewLine, count: int, marked: int, now_ns: int, hazard: str = "") -> str:
    """What is said of the changed line at the cursor: what is doubtful, who wrote it and when, which it is, how many are marked."""
    version = line.version
    facts = [hazard] if hazard else []
    facts += [f"{version.author} · {ago(version.when, now_ns)}"] if version else []
    facts += [f"line {line.number + 1} of {count}"]
    return " · ".join([*facts, f"{marked} marked"] if marked else facts)


def dropped_words(change: PendingReview) -> str:
    """What the person is told of a file when a write took lines of theirs away; empty when none did."""
    if change.dropped is None:
        return f"{losses.describe(change.mended[0]).removesuffix('.')}: put back." if change.mended else ""
    return f"{losses.describe(change.dropped)} b puts back what is marked, x lets it be"


def review_title(told: Sequence[str]) -> str:
    """What stands over the changed files; `told` is, of several stores, the one that is shown and the group of the file meant."""
    return f"Review: {' · '.join(filter(None, told)) or 'what others wrote'}"


def pending_counts(found: Sequence[PendingReview]) -> str:
    """How much there is to review."""
    if not found:
        return ""
    return f"{counted(len(found), 'file')} · +{sum(each.added for each in found)} -{sum(each.removed for each in found)}"


def nothing_pending(last: Version | None, now_ns: int) -> str:
    """What the review says when there is nothing in it."""
    told = f"Nothing to review.{nobody_since(last, now_ns)}"
    return f"{told}\n\nWhat other programs write to the memory shows up here, with who, when and a diff."
