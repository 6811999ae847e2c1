"""Which facts stand twice, word for word or in other words."""

from __future__ import annotations

import pytest

from tests.core.checks.facts import pairs, told
from zsmem_tui.core.checks.duplicates import AMONG, DUPLICATE, duplicates, keys_of, near_duplicates, paid_twice
from zsmem_tui.core.checks.finding import Finding, Fix, Level

SAME = """\
The ~~oldest~~ port of the web server is nine | The oldest port of the web server is nine
- The lift is serviced in March. | * The **lift** is serviced in march
- Run `make fmt` before a push. | 1. Run make fmt  before a push
- See [the plan](plan.md) before you start. | - See [the plan](other.md) before you start
> The printer in the hall speaks ZPL only. | - The printer in the hall speaks ZPL only
- 会計は月末に締める。 | * 会計は**月末**に締める
- Der Schlüssel liegt beim Hausmeister. | - der Schlüssel liegt beim _Hausmeister_
"""

ALIKE = """\
Invoices older than ten days are sent again. | We send invoices again when they are older than ten days.
会計は月末に締める。 | 月末に会計を締める。
Sums are converted at the closing rate of the day before. | We convert sums at the previous day's closing rate.
Names of branches begin with the ticket's number. | The ticket number begins the name of a branch.
Screenshots in bug reports need the version visible. | In bug reports, the version must be visible in screenshots.
Der Serverraum wird sonntags gereinigt und bleibt geschlossen. | Sonntags bleibt der Serverraum geschlossen und wird gereinigt.
写真は毎週金曜日に整理して保存する。 | 毎週金曜日に写真を整理し、保存する。
Large uploads go straight to the bucket, the API signs them. | The API signs large uploads; they go straight to the bucket.
Addresses of donors are deleted after ninety days. | After ninety days we delete the addresses of donors.
The index is created from the scans at night. | At night we create the index from the scans.
The queue of the auth worker is read from the flags service. | The auth worker reads its queue from the flags service.
The night backup of the wiki runs on web1 with rsync. | Wiki backups run on web1 with rsync at night.
Log rotation happens every night on web1. | Logs are rotated every night on web1.
The nightly validation of uploads runs in the worker. | Uploads are validated nightly in the worker.
Cache invalidation happens when a product price changes. | When a product price changes, the cache is invalidated.
The worker gives up after 30 s on a slow link | After 30 seconds the worker gives up on a slow link
The worker gives up after 30 secs on a slow link | The worker gives up after 30s on a slow link
A 30-second timeout ends the upload on a slow link | On a slow link the upload ends at 30 s of timeout
Line coverage of the worker is at least 80% in the nightly run | In the nightly run at least 80% line coverage of the worker
The nightly run has 4 workers on the build machine | On the build machine the nightly run has 4 idle workers
Port 8080 serves the wiki on web1 at night | At night the wiki on web1 serves at port 8080
"""

APART = """\
Paths in imports are always relative, never absolute | Paths in imports are always absolute, never relative
一律使用相对路径导入，不使用绝对路径导入。 | 一律使用绝对路径导入，不使用相对路径导入。
Check the built pages by hand with `npm run build` | Check the built pages by hand with `npm run preview`
The stack is brought up with task docker:up | The stack is brought down with task docker:down
`lib/web.json` has the compiler options of the app | `lib/native.json` has the compiler options of the app
Run every test of the suite with --fast | Run every test of the suite with --slow
`setter` is true where it is told as a setter, no `getter`. | `getter` is true where it is told as a getter, no `setter`.
Signup: the logic is in app/(pages)/login/action.ts | Login: the logic is in app/(pages)/login/action.ts
The auth worker reads its queue from the flags service | The flags worker reads its queue from the auth service
The auth worker reads feature flags at its start | The flags worker reads feature flags at its start
The worker of auth reads feature flags at its start | The flags worker reads feature flags at its start
The auth worker reads its queue from Redis at night | The worker for billing reads its queue from Redis at night
The worker of auth reads its queue from the flags service | The flags worker reads its queue from the service of auth
Backups of the wiki run every night on web1 | The forum's backups run every night on web1
Der Schlüssel der Werkstatt liegt beim Hausmeister im Keller | Der Schlüssel vom Lager liegt beim Hausmeister im Keller
The billing job depends on the export job every night | The export job depends on the billing job every night
Map every name to a class of its own: | Every name is mapped to a class of its own:
Gate A opens with a badge in the morning | Gate B opens with a badge in the morning
Server A keeps the logs of the night in the vault | Server B keeps the logs of the night in the vault
Feature flags in Hermes default to on | Feature flags in Hermes default to off
Gate A opens with a badge | Gate B opens with a badge
The import queue keeps failed rows for a week | The export queue keeps failed rows for a week
Backups of the wiki take 10 minutes to restore | Backups of the wiki take 40 minutes to restore
Use the staging key for load tests in the lab | Never use the staging key for load tests in the lab
Kim reviews the weekly report on the road | Rosa reviews the weekly report on the road
Die Vordertür öffnet morgens mit dem Ausweis | Die Hintertür öffnet morgens mit dem Ausweis
一般の受付は窓口で番号札を渡す。 | 団体の受付は窓口で番号札を渡す。
開館の時刻は入口に掲示する。 | 閉館の時刻は入口に掲示する。
Apples are stored in the north hall until spring | Apples are sold in the north hall until spring
Uploads are scanned by the gateway before they are stored | Downloads are scanned by the gateway before they are served
Copy the films from the vault to the lab. | Copy the films from the lab to the vault.
Boxen gehen von Kiel nach Husum mit der Bahn. | Boxen gehen von Husum nach Kiel mit der Bahn.
The worker limits after 22 s; seen in the blog | The worker limits after 22 requests; seen in the blog
The worker limits after 22s; seen in the blog | The worker limits after 22 MB; seen in the blog
The cache of the gateway drops 5 lines at once | The cache of the gateway drops 5 MB of lines at once
The queue of mails is cut at 200 s of the night | The night queue of mails is cut at 200 lines
The parser waits 30 % longer at night on web1 | The parser waits 30 seconds longer at night on web1
Die Sitzung endet nach 30 s ohne Eingabe im Netz | Die Sitzung endet nach 30 Zeichen ohne Eingabe im Netz
受付の記録は30日後に消す。 | 受付の記録は30分後に消す。
"""


@pytest.mark.parametrize(("one", "other"), pairs(SAME))
def test_marks_and_case_make_no_other_fact(one: str, other: str) -> None:
    assert list(duplicates(told(f"{one}\n\n{other}\n")))


@pytest.mark.parametrize(("one", "other"), pairs(ALIKE))
def test_the_same_words_in_another_order_are_the_same_fact(one: str, other: str) -> None:
    assert list(near_duplicates(told(f"- {one}\n- {other}\n")))


@pytest.mark.parametrize(("one", "other"), pairs(APART))
def test_a_word_number_or_denial_of_its_own_makes_another_fact(one: str, other: str) -> None:
    assert not list(near_duplicates(told(f"- {one}\n- {other}\n")))


def test_two_rows_of_a_table_are_no_near_duplicates() -> None:
    assert not list(near_duplicates(told("| a | b |\n|---|---|\n| red apple crate small | x |\n| small red apple crate | x |\n")))


def test_projects_are_never_compared_with_each_other() -> None:
    line = "- The lift is serviced in March.\n"
    assert not list(duplicates([*told(line, "p/a.md", "p"), *told(line, "q/a.md", "q")]))
    (pair,) = duplicates([*told(line, "p/a.md", "p"), *told(line, "MEMORY.md", "")])
    assert (pair.stays.path, pair.other.path) == ("MEMORY.md", "p/a.md")


STEPS = "## Mail\n\n1. Open the settings of the account\n\n## Phone\n\n1. Open the settings of the account\n"


def test_the_steps_of_two_procedures_may_read_alike() -> None:
    assert not list(duplicates(told(STEPS)))
    assert not list(duplicates(told(STEPS.replace("1.", "- [ ]"))))
    assert not list(duplicates([*told(STEPS, "a.md"), *told(STEPS.replace("Mail", "Post").replace("Phone", "Fax"), "b.md")]))
    assert len(list(duplicates([*told(STEPS, "a.md"), *told(STEPS, "b.md")]))) == 2


def test_a_short_item_is_about_what_its_heading_or_the_line_above_its_list_names() -> None:
    line = "- Names are written in lower case\n"
    assert not list(duplicates(told(f"## Files\n\n{line}\n## Folders\n\n{line}")))
    assert not list(duplicates(told(f"**For files:**\n\n{line}\n**For folders:**\n\n{line}")))
    assert list(duplicates(told(f"## Files\n\n{line}{line}")))
    long = "- Names of everything are written in lower case with hyphens between the words of each name and dot\n"
    assert list(duplicates(told(f"## Files\n\n{long}\n## Folders\n\n{long}")))


def test_a_list_to_tick_off_says_again_what_stands_elsewhere() -> None:
    text = "## Rules\n\n- A bundled asset is named in the manual\n\n## Review\n\n- [ ] Bundled assets are named in the manual\n"
    assert not list(near_duplicates(told(text)))
    assert list(near_duplicates(told(text.replace("## Review\n\n- [ ]", "-"))))


@pytest.mark.parametrize("says", ["Ask Kim about the spare key of the lift", "About the spare key of the lift ask Kim"])
def test_what_is_to_be_done_is_no_copy_of_a_fact(says: str) -> None:
    fact = "- Ask Kim about the spare key of the lift\n"
    task = told(f"- [ ] {says}\n", "p/SCRATCHPAD.md", "p")
    every = [*told(fact, "MEMORY.md"), *task]
    assert not [*duplicates(every), *near_duplicates(every), *paid_twice(task, {task[0].key: ("AGENTS.md", every[0].saying)})]
    assert len([*duplicates(item := [*every, *told(f"- {says}\n", "p/a.md", "p")]), *near_duplicates(item)]) == 1


def test_of_two_copies_the_one_with_more_links_stays() -> None:
    text = "- See the plan before you start\n- See [the plan](plan.md) before you start\n"
    (pair,) = duplicates(told(text))
    assert pair.other.saying.line == 0


def test_what_is_ignored_stays_so_while_the_two_facts_do() -> None:
    text = "The lift is serviced in March. Kim has the key.\n\nThe lift is serviced in March.\n"
    found = [pair for each in (text, text.replace("Kim", "Rosa"), text.replace("lift", "crane")) for pair in duplicates(told(each))]
    same, again, other = (pair.finding(DUPLICATE, "Twice: {text}", Fix("")).id for pair in found)
    assert same == again != other


PART = "Rollback: `make rollback` within 15 minutes. See src/main.py for the entry point."
OTHER = PART.replace("15", "30")


def found(text: str) -> list[Finding]:
    return [each for look in AMONG for each in look(told(text), "p", lambda: False)]


@pytest.mark.parametrize(
    ("lines", "same"),
    [
        ((PART, OTHER), "A sentence of this line stands in line 3 of notes/a.md too: See src/main.py for the entry point."),
        (
            ("The index is created from the scans at night.", f"{OTHER} At night we create the index from the scans."),
            "A sentence of this line stands in other words in line 3 of notes/a.md: The index is created from the scans at night.",
        ),
    ],
)
def test_of_a_line_that_holds_more_only_the_sentence_stands_twice_and_it_is_not_advised_to_delete_more(
    lines: tuple[str, str], same: str
) -> None:
    (one,) = found(f"# A\n\n{lines[0]}\n\n{lines[1]}\n")
    assert one.line == 5 and one.message == same
    assert one.fix is not None and not one.fix.is_ready
    assert one.fix.sentence == "Delete that sentence, not the line, and keep the other one."


def test_a_line_whose_every_word_stands_in_another_one_can_go_and_so_can_one_in_a_quote() -> None:
    for mark in ("", "> "):
        (one,) = found(f"# A\n\n{PART}\n\n{mark}See src/main.py for the entry point.\n")
        assert one.message == "The same stands in line 3 of notes/a.md." and one.fix and one.fix.is_ready


def test_of_a_line_that_holds_more_only_the_sentence_is_paid_for_twice() -> None:
    facts = [each._replace(is_loaded=loaded) for loaded in (True, False) for each in told(f"{OTHER}\n")]
    instructions = {facts[1].key: ("AGENTS.md", facts[1].saying)}
    (one, other) = paid_twice(facts, instructions)
    (there,) = paid_twice(facts, instructions, of_all=False)
    assert all("has a sentence of this line" in each.message for each in (one, other, there))
    assert all(each.message.endswith(": See src/main.py for the entry point.") for each in (one, other, there))
    assert one.fix and one.fix.sentence == "Delete that sentence, not the line; AGENTS.md keeps it."


@pytest.mark.parametrize(
    ("instructions", "note", "level"),
    [
        ("# AGENTS.md\n\n- Run make fmt first.\n", "- Run make fmt first\n", Level.WARNING),
        ("# lantern\n\n## Rules\n\n- Run make fmt first.\n", "# Notes\n\n- Run make fmt first\n", Level.WARNING),
        ("# lantern\n\n## Deploy\n\n- Run make fmt first.\n", "- Run make fmt first\n", Level.INFO),
        ("# lantern\n\n- Run make fmt first.\n\n# Deploy\n\n- Ask Kim.\n", "- Run make fmt first\n", Level.INFO),
        ("# lantern\n\n- Run make fmt first.\n", "# Deploy\n\n- Run make fmt first\n", Level.INFO),
    ],
)
def test_the_title_of_an_instruction_file_names_no_subject_of_a_short_order(instructions: str, note: str, level: Level) -> None:
    facts = [each._replace(is_loaded=True) for each in told(note)]
    (one,) = paid_twice(facts, {own: ("AGENTS.md", saying) for own, saying in keys_of(instructions).items()})
    assert one.level is level


LONG = "Names of everything are written in lower case with hyphens between the words of each name and dot"
RUN = "Run `python scripts/update-docs.py` to update the counts"
TOLD = "The lift is serviced every March by the same firm"


@pytest.mark.parametrize(
    ("one", "other", "places"),
    [
        (f"**For new skills:**\n- {RUN}", f"**For new commands:**\n- {RUN}", ("For new skills:", "For new commands:")),
        (f"**For new skills**\n- {RUN}", f"**For new commands**\n- {RUN}", ("For new skills", "For new commands")),
        (f"## Files\n\n- {LONG}", f"## Folders\n\n- {LONG}", ("Files", "Folders")),
        (f"- {LONG}", f"## Folders\n\n- {LONG}", ("Rules", "Folders")),
        (f"## Rules\n\n- {LONG}", f"## Tools\n\n- {LONG}", ()),
        (f"- {LONG}", f"- {LONG}", ()),
    ],
)
def test_below_another_heading_which_copy_in_one_file_goes_is_chosen_and_an_order_is_only_perhaps_one(
    one: str, other: str, places: tuple[str, ...]
) -> None:
    (fault,) = found(f"# Rules\n\n{one}\n\n{other}\n")
    is_perhaps = RUN in one
    assert (fault.fix is None) is is_perhaps and (fault.level is Level.INFO) is is_perhaps
    if fault.fix is not None and places:
        assert not fault.fix.is_ready, "the person chooses"
        assert {edit.line for each in fault.fix.choices for edit in each.edits} == {fault.line, fault.related[0].line}
    for place in places:
        assert f"below “{place}”" in fault.message


@pytest.mark.parametrize(
    ("here", "is_ready"),
    [
        (f"- {TOLD}", True),
        (f"Done in spring:\n\n- {TOLD}", False),
        (f"| a |\n|---|\n| {TOLD} |", False),
        ("- Run `make migrate` before the rollout", False),
        (f"- {RUN}, and look whether the page shows them", True),
    ],
)
def test_a_statement_of_another_file_can_go_unless_it_depends_on_its_place(here: str, is_ready: bool) -> None:
    facts = [*told(f"# Staging\n\n{here}\n", "notes/a.md"), *told(f"# Production\n\n{here}\n", "notes/b.md")]
    (fault,) = (each for look in AMONG for each in look(facts, "p", lambda: False))
    assert (fault.fix is not None and fault.fix.is_ready) is is_ready
    (twice,) = paid_twice(facts[-1:], {facts[-1].key: ("AGENTS.md", facts[len(facts) // 2 - 1].saying)})
    assert (twice.fix is not None) is is_ready


def test_code_headings_and_done_items_are_no_facts() -> None:
    line = "The lift is serviced in March"
    assert not list(duplicates(told(f"- {line}\n\n## {line}\n\n- [x] {line}\n- [-] {line}\n\n```\n{line}\n{line}\n```\n")))


def test_a_short_fact_stands_twice_below_the_same_heading_only() -> None:
    text = "# Rules\n\n- Port is 8080\n- Use tabs.\n\n# {}\n\n- use tabs\n- port is 8080\n"
    assert len(list(duplicates(told(text.format("Rules"))))) == 2
    assert not list(duplicates(told(text.format("Web"))))
    assert len(list(duplicates([*told("- Use tabs\n", "MEMORY.md", ""), *told("- Use tabs\n")]))) == 1


@pytest.mark.parametrize("line", ["- Use pnpm.\n", "Use pnpm.\n", "- Never commit to main directly.\n"])
def test_an_order_stands_twice_below_headings_that_name_no_subject(line: str) -> None:
    text = f"# Lantern\n\n## {{}}\n\n{line}\n## {{}}\n\n{line}"
    for other in ("Package manager", "People"):
        (pair,) = duplicates(told(text.format("Preferences", other)))
        assert (pair.stays.saying.line, pair.other.saying.line) == (4, 8)
    for one, other in (("Rules", "Web"), ("Frontend", "Backend"), ("Do not", "Rules"), ("Python\n\n### Rules", "Go\n\n### Rules")):
        assert not list(duplicates(told(text.format(one, other))))
    assert not list(duplicates(told(text.format("Rules\n\nFor the web:", "Tools"))))
    assert list(duplicates(told(text.format("Rules\n\nFor the web:\n\nIt is old.", "Tools"))))
    for value in ("yes", "none", "8080", "not used", "see above"):
        assert not list(duplicates(told(f"## Rules\n\n- {value}\n\n## Tools\n\n- {value}\n")))


def test_short_facts_are_not_compared() -> None:
    assert not list(duplicates(told("- see above\n- see above\n- 未定\n- 未定\n")))


def test_the_sides_of_a_conflict_are_no_facts_yet() -> None:
    sides = "<<<<<<< a\n- The dam opens at six in spring.\n=======\n- The dam opens at six in spring.\n>>>>>>> b\n"
    assert told(sides) == []
    assert len(told(f"- The dam opens at six in spring.\n{sides}- The weir is closed on Sundays.\n")) == 2


@pytest.mark.parametrize("fill", range(130, 200, 6))
def test_the_end_of_a_quote_is_no_part_of_a_credential(fill: int) -> None:
    key = "ghp_" + "Zk3Qw9Lm2Vt7Xr5Bn8Hj4Pd6Sf1Gc0Ya3Ue"
    fact = f"- {('The deployment of the lantern service to the second region is done by hand. ' * 3)[:fill]} {key}\n"
    (pair,) = duplicates(told(fact * 2))
    message = pair.finding(DUPLICATE, "Twice: {text}", Fix("")).message
    assert "lantern" in message and not [key[at : at + 6] for at in range(4, len(key) - 6) if key[at : at + 6] in message]
