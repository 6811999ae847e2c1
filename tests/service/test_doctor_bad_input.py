"""The doctor on what no one writes by hand: huge files and lines, stores that change meanwhile, findings without number."""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path

import pytest

from tests.builders import AStore
from zsmem_tui.cli.sarif import sarif
from zsmem_tui.core.checks.duplicates import DUPLICATE
from zsmem_tui.core.checks.finding import Finding, Level, Place
from zsmem_tui.core.checks.links import DEAD_LINK
from zsmem_tui.core.checks.rules import RULES
from zsmem_tui.core.checks.span_faults import SECRET
from zsmem_tui.core.checks.stale import STALE
from zsmem_tui.core.checks.structure import BROKEN, OVER_BUDGET
from zsmem_tui.service import checkups, doctor
from zsmem_tui.service.doctor import Doctor
from zsmem_tui.store.disk import files

TODAY = date(2026, 5, 25)


STORE = {"MEMORY.md": "- one fact of them all\n", "~/notes/n.md": "```\n"}


def test_a_file_of_a_hundred_megabytes_is_not_looked_into_and_its_size_is_told(store: AStore) -> None:
    with open(store.at("MEMORY.md"), "r+b") as stream:
        stream.truncate(100 * 1024 * 1024)  # takes no room on the disk
    found = Doctor(store.session()).examine(None, TODAY)
    told = [(each.rule, each.size) for each in found.faults if each.path == "MEMORY.md" and each.kind == "file"]
    assert told == [(OVER_BUDGET, 100 * 1024 * 1024)] and any(each.rule == BROKEN for each in found.faults)
    assert not found.is_unreadable


def test_whatever_is_too_large_to_be_looked_into_is_a_finding_and_its_text_is_not_read_for_the_screen(
    store: AStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "LARGEST", 1_000)
    monkeypatch.setattr(checkups, "LARGEST", 1_000)
    store.has("~/notes/n.md", "- See [it](gone.md).\n" * 100).has("~/daily/2026-05-25.md", b"\xff" * 1_001)
    found = [each for each in Doctor(store.session()).examine(None, TODAY).faults if each.path != "MEMORY.md"]
    assert [(each.rule, each.kind, each.size, each.level) for each in found] == [
        (OVER_BUDGET, "unread", 1_001, Level.WARNING),
        (OVER_BUDGET, "unread", 2_100, Level.WARNING),
    ]
    said = "The file has 2,100 bytes, more than the 1,000 that are looked into: whatever else is wrong in it is not told."
    assert found[1].message == said
    assert "too large to be shown here" in checkups.passage(store.session(), Place(found[1].path)).text


@pytest.mark.slow
def test_a_line_of_ten_megabytes_is_one_finding_that_quotes_none_of_it(store: AStore) -> None:
    store.has("~/notes/long.md", "word " * (2 * 1024 * 1024) + "\n")
    found = [each for each in Doctor(store.session()).examine(None, TODAY).faults if each.path.endswith("long.md")]
    assert [(each.rule, each.kind) for each in found] == [(OVER_BUDGET, "line")] and len(found[0].message) < 200


def test_a_file_that_goes_away_or_changes_meanwhile_is_no_trouble(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    real = files.read

    def read(place: str) -> object:
        if place.endswith("n.md"):
            monkeypatch.setattr(files, "read", real)
            os.unlink(place)
            store.has("MEMORY.md", "```\nopened meanwhile\n")
        return real(place)

    monkeypatch.setattr(files, "read", read)
    physician = Doctor(store.session())
    assert not physician.examine(None, TODAY).problems
    assert [each.kind for each in physician.examine(None, TODAY).faults] == ["open-fence"]


def test_a_file_that_cannot_be_read_is_a_problem_and_the_others_are_checked(store: AStore) -> None:
    store.at("~/notes/loop.md").symlink_to("loop.md")
    found = Doctor(store.session()).examine(None, TODAY)
    assert any(each.rule == BROKEN for each in found.faults)


def test_sarif_has_what_its_schema_demands() -> None:
    found = [
        Finding(check, "notes/a b#c.md", 3, 5, level=level, text="x\x1b[2J", related=(Place("MEMORY.md", 2),), quoted="x")
        for check in (DUPLICATE, SECRET, STALE)
        for level in Level
    ]
    document = sarif([("", found), ("ethos:/x", [])])
    assert document.keys() == {"$schema", "version", "runs"} and document["version"] == "2.1.0"
    first, second = document["runs"]
    assert second["automationDetails"] == {"id": "ethos:/x/"} and second["results"] == []
    rules = first["tool"]["driver"]["rules"]
    assert first["tool"]["driver"]["name"] == "zsmem" and first["columnKind"] == "unicodeCodePoints"
    assert [rule["id"] for rule in rules] == [rule.name for rule in RULES]
    assert all(
        rule["shortDescription"]["text"] and rule["defaultConfiguration"]["level"] in ("error", "warning", "note") for rule in rules
    )
    assert len(first["results"]) == len(found)
    for result in first["results"]:
        assert result["ruleId"] in {rule["id"] for rule in rules} and result["level"] in ("error", "warning", "note")
        assert isinstance(result["message"]["text"], str) and result["message"]["text"]
        assert all(isinstance(each, str) for each in result["partialFingerprints"].values())
        for place in (*result["locations"], *result["relatedLocations"]):
            region = place["physicalLocation"]["region"]
            assert 1 <= region["startLine"] <= region["endLine"]
        assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "notes/a%20b%23c.md"


def test_every_rule_is_told_in_a_sentence() -> None:
    assert len({rule.name for rule in RULES}) == len({rule.title for rule in RULES}) == len(RULES)
    assert all(rule.says.endswith(".") and (not rule.fix or rule.fix.endswith(".")) for rule in RULES)


@pytest.mark.slow
def test_a_million_findings_are_all_told(tmp_path: Path) -> None:
    count = 1_000_000
    store = AStore(tmp_path / "memory").has("MEMORY.md", "".join(f"- [it](g{at}.md)\n" for at in range(count)))
    found = [each for each in Doctor(store.session()).examine(None, TODAY).faults if each.rule == DEAD_LINK]
    assert len(found) == count and len({fault.id for fault in found}) == count
