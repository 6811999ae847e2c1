"""A copy goes only where what is over it keeps something below: else which of them is which is lost with it."""

from __future__ import annotations

import pytest

from tests.core.checks.facts import told
from zsmem_tui.core.checks.duplicates import AMONG, paid_twice
from zsmem_tui.core.checks.finding import Finding
from zsmem_tui.core.checks.leads import bare_without, over
from zsmem_tui.core.refs import Role

A = "The lift is serviced every March by the same firm"
B = "Invoices of the shop are sent again after ten days"
C = "The night backup of the wiki runs on the old server"
LED = f"# Gemini\n\n**Did well:**\n- {A}\n\n**Broke it:**\n- {B}\n"
FLAT = f"- {A}\n- {B}\n- {C}\n"

BARE = """\
Dynamic: / - x- | Dynamic:
**Dynamic:** / / - x- / - y- | Dynamic:
**Dynamic** / - x- | Dynamic
## Dynamic / / x- | Dynamic
# Top / ## Dynamic / - x- / ## Static / - y | Dynamic
# Top / / **Dynamic:** / - x- / / **Static:** / - y | Dynamic:
- Dynamic: /   - x- / - Static: /   - y | Dynamic:
- [ ] Dynamic: /   - x- / - Static: | Dynamic:
> Dynamic: / > - x- / > / > Static: / > - y | Dynamic:
Dynamic: / / - x- / / The list is over. | Dynamic:
Dynamic: / / x- / / y | Dynamic:
## Dynamic / / | a | / |---| / | x- | | Dynamic
Dynamic: / - x- /   more x- / **Static:** / - y | Dynamic:
Dynamic / ------- / - x- | Dynamic
"""

FULL = """\
Dynamic: / - x- / - y
Dynamic: / / - x- / - [x] y
Dynamic: / - x- / - y: /   - z
## Dynamic / - x- / / y
## Dynamic / - x- / ### Static / - y
## Dynamic / - x- / ``` / y / ```
The statement is bold.** / - x-
- x- / - y
x-
- **Never push** / - x-
"""


def bare(text: str) -> set[str]:
    """What is left with nothing below when the lines that end with a minus go."""
    rows = [row.removeprefix(" ").rstrip() for row in text.split("/")]
    gone = {at for at, row in enumerate(rows) if row.rstrip("| ").endswith(("x-", "y-"))}
    return {each.lead for each in bare_without({"n.md": rows}, {"n.md": gone}, [("n.md", at, ()) for at in gone])}


@pytest.mark.parametrize("case", BARE.splitlines())
def test_what_has_nothing_else_below_it_is_found(case: str) -> None:
    text, _, lead = case.rpartition(" | ")
    assert bare(text) == {lead}


@pytest.mark.parametrize("text", FULL.splitlines())
def test_what_keeps_something_below_it_is_not(text: str) -> None:
    assert bare(text) == {""}


def found(here: str, there: str, role: Role = Role.NOTE) -> list[Finding]:
    facts = [*told(here, "a.md", role=role), *told(there, "notes/b.md")]
    return [fault for look in AMONG for fault in look(facts, "p", lambda: False) if fault.rule.name != "contradiction"]


def goes(fault: Finding) -> str:
    assert fault.fix is not None
    return ", ".join(edit.path for edit in fault.fix.edits)


def test_of_two_copies_the_one_below_a_lead_of_its_own_stays() -> None:
    faults = found(FLAT, LED)
    assert [(fault.path, fault.line, goes(fault)) for fault in faults] == [("a.md", 1, "a.md"), ("a.md", 2, "a.md")]
    assert [goes(fault) for fault in found(FLAT, LED.replace(f"- {A}", f"- {A}\n- Only here"))] == ["notes/b.md", "a.md"]
    assert [goes(fault) for fault in found(LED, FLAT)] == ["notes/b.md"] * 2


@pytest.mark.parametrize("flat", [f"# In spring\n\n{FLAT}".replace(f"- {C}\n", ""), f"Later:\n- {A}\n\nSooner:\n- {B}\n"])
def test_where_both_have_one_a_person_chooses(flat: str) -> None:
    faults = found(flat, LED)
    assert [goes(fault) for fault in faults] == ["", ""]
    for fault, lead in zip(faults, ("Did well:", "Broke it:"), strict=True):
        assert fault.fix and fault.fix.sentence == f"Choose which one goes, or keep both: nothing would be left below “{lead}”."
        assert [edit.path for each in fault.fix.choices for edit in each.edits] == ["notes/b.md", "a.md"]


def test_where_only_all_together_would_leave_nothing_the_advice_says_how_many() -> None:
    note = f"**Did well:**\n- {A},\n  and so it stays\n- {B}\n\n**Broke it:**\n- {C}\n"
    text = f"# In spring\n\n{FLAT}".replace("firm\n", "firm,\n  and so it stays\n")
    faults = [*found(text, note), *found("", note + f"\n# Later\n\n{C}\n")]
    says = "Choose which one goes, or keep both: "
    assert [fault.fix and fault.fix.sentence for fault in faults[:3]] == [
        f"{says}with both such lines gone, nothing would be left below “Did well:”."
    ] * 2 + [f"{says}nothing would be left below “Broke it:”."]
    many = note.replace(f"- {B}\n", f"- {B}\n- Ann signs every contract of the harbour in blue ink\n")
    [first, *_] = found(text + "- Ann signs every contract of the harbour in blue ink\n", many)
    assert first.fix and "with all 3 such lines gone, nothing" in first.fix.sentence


def test_what_is_in_every_prompt_stays_and_the_advice_says_so() -> None:
    [first, second] = found(FLAT, LED, Role.FACTS)
    assert not goes(first) and first.fix and len(first.fix.choices) == 2 and first.fix.choices[1].notes
    assert not goes(second)
    [one] = found(f"- {A}\n", f"- {A}\n- {C}\n", Role.FACTS)
    assert one.fix and one.fix.sentence == "Delete this line: the one in every prompt stays."
    [one] = found(f"- {A}\n", f"- {A}\n- {C}\n")
    assert one.fix and one.fix.sentence == "Delete this line and keep the other one."


def test_below_the_same_words_or_a_heading_without_a_subject_either_can_go() -> None:
    assert [goes(fault) for fault in found(LED, LED)] == ["notes/b.md"] * 2
    assert [goes(fault) for fault in found(FLAT, f"# Notes\n\n- {A}\n")] == ["notes/b.md"]
    assert [goes(fault) for fault in found(FLAT, f"Notes:\n\n- {A}\n")] == ["a.md"]


def test_a_copy_of_an_instruction_stays_below_its_lead_too() -> None:
    facts = told(LED)
    for there, is_ready in ((over(facts[1].saying), True), (frozenset({"elsewhere"}), False)):
        [fault] = paid_twice(facts, {facts[1].key: ("AGENTS.md", 4, there)})
        assert fault.fix and fault.fix.is_ready is is_ready
        assert [each.is_ready for each in fault.fix.choices] == [True] * (not is_ready)


def test_a_bold_lead_does_not_go_from_over_its_lines() -> None:
    lead = "**What went wrong with the agents in spring**"
    faults = found(f"{lead}\n\n- {A}\n", f"{lead}\n\n- {B}\n")
    assert [goes(fault) for fault in faults] == [""]
