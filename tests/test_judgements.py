"""Every table of judgements can be read, holds each finding once and none of the texts, and belongs to a rule."""

from __future__ import annotations

import pytest

from tests import docs
from tests.judgements import GONE, HERE, judgements
from zsmem_tui.core.checks.finding import Rule
from zsmem_tui.core.checks.rules import RULES
from zsmem_tui.core.checks.span_faults import POISON, SECRET

TABLES = sorted(HERE.glob("*.tsv"))


@pytest.mark.parametrize("rule", [table.stem for table in TABLES])
def test_a_table_of_judgements_is_one_of_a_rule_and_says_each_thing_once(rule: str) -> None:
    assert rule in {each.name for each in RULES}
    places = [judged[:4] for judged in judgements(rule)]
    assert places and len(places) == len(set(places))
    assert HERE.joinpath(f"{rule}.tsv").read_text("utf-8").startswith("file\tline\tother\tdigest\tverdict\n")


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_is_right_in_four_of_five_or_says_that_nobody_knows(rule: Rule) -> None:
    verdicts = [judged.verdict for judged in judgements(rule.name)]
    section = docs.HELP.joinpath("rules.md").read_text("utf-8").partition(f"## `{rule.name}` ")[2].partition("\n## ")[0]
    assert (docs.NOT_MEASURED in section) is not bool(verdicts)
    assert verdicts.count("true") >= 0.8 * len(verdicts)


@pytest.mark.parametrize("rule", [table.stem for table in sorted(GONE.glob("*.tsv"))])
def test_a_finding_is_made_or_is_gone(rule: str) -> None:
    assert not {judged[:4] for judged in judgements(rule)} & {judged[:4] for judged in judgements(rule, GONE)}


@pytest.mark.parametrize("rule", [SECRET, POISON], ids=lambda rule: rule.name)
def test_what_was_judged_wrong_of_what_can_do_most_harm_is_found_no_more(rule: Rule) -> None:
    gone = [judged.verdict for judged in judgements(rule.name, GONE)]
    assert len(gone) >= 16 and gone.count("true") <= 1
