"""The doctor's findings in SARIF 2.1.0, which CI servers display."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final
from urllib.parse import quote

from zsmem_tui import __version__
from zsmem_tui.core.checks.finding import Finding, Level, Rule
from zsmem_tui.core.checks.rules import RULES
from zsmem_tui.core.text import printable_path

_LEVELS: Final = {Level.ERROR: "error", Level.WARNING: "warning", Level.INFO: "note"}


def sarif(every: Sequence[tuple[str, Sequence[Finding]]], ignored: Collection[str] = ()) -> dict[str, Any]:
    """A SARIF log with one run per (store, findings); a non-empty store is the run's id.

    Findings with an id in `ignored` are marked as suppressed. Text of the store appears only within messages.
    """
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [_run(store, faults, ignored) for store, faults in every],
    }


def _run(store: str, faults: Sequence[Finding], ignored: Collection[str]) -> dict[str, Any]:
    driver = {
        "name": "zsmem",
        "version": __version__,
        "rules": [*map(_rule, RULES)],
    }
    results = [_result(fault, is_ignored=fault.id in ignored) for fault in faults]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return run | ({"automationDetails": {"id": f"{store}/"}} if store else {})


def _rule(rule: Rule) -> dict[str, Any]:
    default = {"level": _LEVELS[rule.level], "enabled": True}
    told = {"id": rule.name, "shortDescription": {"text": rule.says}, "defaultConfiguration": default}
    return told | ({"help": {"text": f"The fix: {rule.fix}"}} if rule.fix else {})


def _result(fault: Finding, *, is_ignored: bool) -> dict[str, Any]:
    found = {
        "ruleId": fault.rule.name,
        "level": _LEVELS[fault.level],
        "message": {"text": " ".join(filter(None, (fault.message, fault.fix and fault.fix.sentence)))},
        "partialFingerprints": {"zsmem/v1": fault.id},
        "locations": [_location(fault.path, fault.line, fault.last_line)],
    }
    if fault.related:
        found["relatedLocations"] = [_location(place.path, place.line, place.line) for place in fault.related]
    if is_ignored:
        found["suppressions"] = [{"kind": "external", "justification": "Ignored by a person."}]
    return found


def _location(path: str, line: int, last: int) -> dict[str, Any]:
    uri = quote(printable_path(path))
    return {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": {"startLine": line, "endLine": last}}}
