"""What checks have found as sentences, the same for every screen, command and report."""

from __future__ import annotations

from collections.abc import Iterable

from zsmem_tui.core.finding import Finding
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
    return finding.rule.frame.format(reason(finding), it=finding.place or "It", place=finding.place, line=finding.line)


def reasons(findings: Iterable[Finding]) -> str:
    """Findings about one text as a list of phrases; empty when there are none."""
    return ", ".join(map(reason, findings))


def reason(finding: Finding) -> str:
    """A finding as a phrase, without a full stop; a finding about a text leaves out whose text it is."""
    text, count, limit, facts = finding.text, finding.count, finding.limit, finding.facts
    lines = f"{count} {plural('line', count)}"
    told = f"{facts} {plural('fact', facts)}{f' ({lines})' if facts != count else ''}" if facts else lines
    return finding.rule.says.format(
        text=text,
        in_brackets=f" ({text})" if text else "",
        colon=f": {text}" if text else "",
        place=finding.place,
        line=finding.line,
        count=count,
        limit=limit,
        missing=count - limit,
        lost=f"{told} {'is' if (facts or count) == 1 else 'are'}",
        lines=plural("line", count),
        are="is" if count == 1 else "are",
        stand="stands" if count == 1 else "stand",
    )
