"""Which facts contradict each other."""

from __future__ import annotations

import pytest

from tests.core.checks.facts import pairs, told
from zsmem_tui.core.checks.contradiction import MOST_SAME, contradictions
from zsmem_tui.core.refs import Role

CLASHING = """\
Session tokens live for 30 minutes (see the wiki). | Session tokens live for 60 minutes, because people complained.
Use nginx for static files. | Never use nginx for static files.
Backups start at 01:00 | Backups start at 03:00
Always squash commits before a merge. | Do not squash commits before a merge.
The API listens on port 8080. | The API listens on port 9090.
Port 6380 in staging | Port 6390 in staging
The Redis port is 6385. | The Redis port is 6380.
The port of the ledger: 5432 | The port of the ledger is 5433
The default branch is main. | The default branch is `develop`.
Invoices are sent on Mondays. | Invoices are sent on Thursdays, after the bank run.
Session tokens live for 30 minutes. | Session tokens live for 60 minutes.
Migrations must be reviewed by Ewa. | No need for migrations to be reviewed by Ewa.
Die Sicherung läuft um 02:00 Uhr. | Die Sicherung läuft um 04:00 Uhr.
Im Druck keine Farben verwenden. | Im Druck Farben verwenden.
Commit messages are written in lowercase. | Commit messages are written in uppercase.
Never log e-mail addresses of customers. | Log e-mail addresses of customers.
Don't restart the broker by hand. | Restart the broker by hand.
The lamp is switched off at 22:00. | The lamp is switched off at 23:30.
The water list is printed every 6 hours. | Print of the water list: every 12 hours.
Commit generated clients to the repository. | Generated clients must not be committed to the repository.
Use pnpm for installs in this repo | Never use pnpm in this repo
Use yarn for installing packages. | Don't use yarn for anything.
Always use Redis for caching. | Never use Redis for caching.
Prefer `docker compose` for local runs | Avoid using `docker compose`, it is too slow
Use Redis for sessions. | Never use Redis for sessions, it loses them.
Never run make fmt. | Always run make fmt before commit and make lint NOW
Push to the release branch. | Never push to the release branch.
Prefer uv for Python packages | Use pip for Python packages
Use uv. | Always use pip.
Indent with tabs in every repository. | Never indent with tabs, two spaces in every repository.
Always lint the docs. | Don't lint the docs.
Use default exports | Avoid default exports
We use PostgreSQL | We should not use PostgreSQL
Use single quotes. | Use double quotes.
The Orion backup of Redis runs at 02:00. | The Orion backup of Redis runs at 03:00.
"""

AGREEING = """\
Use Redis. | Never use Redis for sessions.
Run the seeds after a reset. | Never run the seeds before a reset.
Run make fmt before a commit. | Never run make fmt now that CI does it.
Use Redis for caching. | Never use Redis for sessions.
Use any for the types of third parties, only there. | Never use any in TypeScript.
Push to feature branches. | Never push to main.
Commit generated clients. | Never commit generated secrets.
Use pnpm, not yarn, for installs. | Never use yarn for installs.
Use npm for the frontend. | Use pnpm for the backend.
Use npm. | Use pnpm for the backend.
Use npm for the frontend. | Never use pnpm for the frontend.
Dark mode variants of every icon | Light mode variants of every icon
Write functions of less than 20 statements. | Write classes of less than 200 statements.
Threshold of the mail queue: 5 workers | Threshold of the print queue: 3 workers
Uploads may have 20 MB. | Uploads may have 50 MB.
If you are new here, run the setup script. | Do not run the setup script.
No companion files are written here: | Companion files are written here.
Debug mode in Atlas is on. | Debug mode in Orion is off.
The lamp in the hall is on. | The lamp in the cellar is off.
Ask Kim before Atlas is deployed. | Do not ask Lena before Atlas is deployed.
The port of the ledger is 5432 | The port of the ledger is 5433 in staging
The port of the ledger is 5432 (in production). | The port of the ledger is 5433 (in staging).
Session tokens live for 30 minutes, in staging. | Session tokens live for 60 minutes, in production.
Session tokens live for 30 minutes. | Session tokens live for 60 minutes, on the training machine.
Session tokens live for 30 minutes – staging | Session tokens live for 60 minutes – production
Backups start at 01:00 (Berlin) | Backups start at 03:00 (Paris), every day
Backups start at 01:00 (wren) | Backups start at 03:00 (falcon)
Use nginx for static files, for guests. | Never use nginx for static files, for staff.
Die Sicherung läuft um 02:00 Uhr (Bonn). | Die Sicherung läuft um 04:00 Uhr (Köln).
Die Sicherung läuft um 02:00 Uhr, im Sommer. | Die Sicherung läuft um 04:00 Uhr, im Winter.
Verbose logs in staging | No verbose logs in production
The limit was 10 until we bought the licence, now 50 | The limit is 50
Port 5432 on the laptop | Port 5433 on wren
Port 6380 in staging | Port 6390 in production
The default branch is main. | The default theme is dark.
The default branch is main. | The default branch is protected.
The default branch is protected, for releases. | The default branch is main.
Gate 3 opens with a badge | Gate 4 opens with a badge
Do not use the shared account for tests. | Use the shared account when training new people.
Never use the journal for configuration. | Use the journal for every kind of reading.
The uplink slot is 42 seconds after the hour. | The downlink slot is 17 seconds after the half hour.
Snapshots never run at 04:00. | Snapshots run at 06:30.
Use tabs in Makefiles. | Use spaces in Python files.
The rate limit for guests is 40 calls a minute. | The rate limit for staff is 90 calls a minute.
Rosa works on Mondays. | Ewa works on Tuesdays.
In winter the pump runs at 05:00 | In summer the pump runs at 07:00
Backups are kept for 30 days. | Backups are checked every 7 days.
Deploy on Tuesday at 10:00 | Deploy docs on Tuesday at 11:00
Meetings in the big room are on Monday and Tuesday. | Meetings in the big room are on Thursday.
Step 1: build the image. | Step 2: build the image.
The import queue has four workers. | The export queue has six workers.
Do not retry payments. | Retry mails.
Use the cache when the token is fresh. | Do not use the cache when the token is old.
Retries: 3 for mail | Retries: 5 for payments
Python 3.11 was the floor until 2025. | Python 3.12 is the floor.
Never deploy on Fridays, except hotfixes. | Deploy hotfixes on Fridays.
Raum 3 kostet zwölf Euro | Raum 4 kostet achtzehn Euro
Im Sommer um 08:00 Uhr öffnen. | Im Winter um 09:00 Uhr öffnen.
開館は九時、閉館は二十時。 | 土曜の開館は十時。
本番では使わない。 | 検証では使う。
団体の受付は三番の窓口で行う。 | 一般の受付は一番の窓口で行う。
Timeout is 30 seconds. | Timeout is 60 seconds.
The heating starts at 06:00 on weekdays. | The heating starts at 08:00 on weekends.
Tiles are 512 px on phones. | Tiles are 256 px on watches.
Use single quotes in JavaScript. | Use double quotes in Rust.
Tea costs 3 euros | Coffee costs 4 euros
Always ask before a merge. | Never ask twice.
The forge is lit on Tuesdays only. | The gallery is open on Thursdays only.
Drafts are saved every 20 seconds. | The index is saved every 5 minutes.
Notices stay up for 14 days. | Notices stay up for two weeks.
Adults pay 12 euros for a swim. | Children pay 5 euros for a swim.
The oven has 3 doors. | The freezer has 2 doors.
Only the keeper may open the sluice. | Visitors may not open the sluice.
Kiln 3 cools at 21:00. | Kiln 4 cools at 22:00.
The kiosk closes at 20:00 until Easter. | The kiosk closes at 22:00.
雑誌の貸出期間は七日間とする。 | 図書の貸出期間は十四日間とする。
第一会議室は十人まで使える。 | 第二会議室は二十人まで使える。
"""


CLASHING_IN_ONE_PROMPT = """\
Redis port: 6380 | Redis port: 6379
Local redis listens on 6381 | Local redis listens on 6379
Max retries: 3 | Max retries: 5.
The team size is 4 | The team size is 5, because Kim came.
Node version = 20.1 | Node version = 22
Die Zahl der Räume ist: 4 | Die Zahl der Räume ist: 5
"""

AGREEING_IN_ONE_PROMPT = """\
Port: 6380 | Port: 6379
Redis port: 6380 | Postgres port: 5432
Redis port: 6380 in staging | Redis port: 6379 in production
Redis port: 6380 (staging) | Redis port: 6379 (production)
Local redis listens on 6380 | Local postgres listens on 5432
Gate 3 opens with a badge | Gate 4 opens with a badge
Look into room 3 | Look into room 4
Meet in room 3 | Meet in room 4
Old Redis port: 6380 | Redis port: 6379
Redis port: 6380 until May | Redis port: 6379
See RFC 2119 | See RFC 9110
Blue theme enabled | Blue theme disabled
Local redis listens on 6380 because 6379 is taken | Local redis listens on 6379
"""


def clash(*lines: str, role: Role = Role.NOTE) -> bool:
    facts = [fact for number, line in enumerate(lines) for fact in told(f"- {line}\n", f"notes/{number}.md", role=role)]
    return bool(list(contradictions(facts)))


def test_what_is_said_and_denied_in_one_place_of_a_file_is_told_of_both_but_for_plain_orders_and_measures() -> None:
    both = "- Migrations are reviewed by Ewa alone.\n- Migrations are not reviewed by Ewa alone.\n"
    assert not list(contradictions(told(both)))
    assert list(contradictions(told(both.replace("alone.\n- M", "alone.\n" + "\n" * 40 + "- M"))))
    assert len(list(contradictions(told("- Use nginx for static files.\n- Never use nginx for static files.\n")))) == 1
    assert len(list(contradictions(told("- Never use pnpm.\n- Use pnpm for installs.\n")))) == 1
    assert len(list(contradictions(told("- Prefer uv\n- Use pip\n")))) == 1
    for one, other in (
        ("Backups start at 01:00", "Backups start at 03:00"),
        ("Port 6380 in staging", "Port 6390 in staging"),
        ("The default branch is main.", "The default branch is develop."),
    ):
        assert list(contradictions(told(f"- {one}\n- {other}\n")))


def test_of_two_words_that_exclude_each_other_near_each_other_only_those_of_one_list_or_paragraph_hold_both() -> None:
    one, other = "Releases go out on Thursdays.", "Releases go out on Mondays."
    apart = f"# Deploy\n\n{one}\n\n1. Run the tests first\n2. Tag it\n\nRoll back by hand.\n\n- {other}\n"
    assert list(contradictions(told(apart)))
    assert list(contradictions(told(f"# Deploy\n\n{one}\n\nTag it by hand.\n\n{other}\n")))
    assert list(contradictions(told(f"# Deploy\n\n{one}\n\n- {other}\n")))
    for both in (
        f"# Deploy\n\n- {one}\n- {other}\n",
        f"# Deploy\n\n- {one}\n\n- {other}\n",
        f"# Deploy\n\n{one}\n{other}\n",
        f"# Deploy\n\n{one} {other}\n",
        f"# Deploy\n\nApp:\n- {one}\n\nSite:\n- {other}\n",
        f"# Deploy\n\n## App\n\n{one}\n\n## Site\n\n{other}\n",
    ):
        assert not list(contradictions(told(both)))


@pytest.mark.parametrize(("one", "other"), pairs(CLASHING))
def test_the_same_subject_with_the_opposite_or_another_value_is_a_contradiction(one: str, other: str) -> None:
    assert clash(one, other)


@pytest.mark.parametrize(("one", "other"), pairs(AGREEING))
def test_what_holds_for_another_thing_place_or_time_is_none(one: str, other: str) -> None:
    assert not clash(one, other)


@pytest.mark.parametrize(("one", "other"), pairs(CLASHING_IN_ONE_PROMPT))
def test_another_number_where_a_label_or_a_verb_leads_to_it_is_a_contradiction_in_one_prompt(one: str, other: str) -> None:
    assert clash(one, other, role=Role.FACTS)
    assert not clash(one, other), "notes are also records of their day"


@pytest.mark.parametrize(("one", "other"), [*pairs(AGREEING_IN_ONE_PROMPT), *pairs(AGREEING)])
def test_a_number_that_is_a_name_or_of_another_thing_is_none_in_one_prompt(one: str, other: str) -> None:
    assert not clash(one, other, role=Role.FACTS)


def test_a_number_below_other_lines_or_headings_that_lead_to_it_is_of_another_thing() -> None:
    for staging, production in (("- Staging:\n  -", "- Production:\n  -"), ("# Staging\n\n-", "# Production\n\n-")):
        text = f"{staging} Redis port: 6380\n\n{production} Redis port: 6379\n"
        assert not list(contradictions(told(text, role=Role.FACTS)))


def test_what_stands_below_a_heading_of_what_not_to_do_is_denied_already() -> None:
    text = "# Rules\n\n- Never commit secrets to the repository\n\n# {}\n\n- Commit secrets to the repository\n"
    for heading in ("Do not", "Don'ts", "❌ Bad", "What to avoid"):
        assert not list(contradictions(told(text.format(heading))))


def test_another_heading_of_the_same_file_is_about_another_thing() -> None:
    text = "# {}\n\n- Backups are kept for 30 days.\n\n# {}\n\n- Backups are kept for 90 days.\n"
    assert not list(contradictions(told(text.format("Staging", "Production"))))
    assert list(contradictions(told(text.format("Backups", "Backups"))))


def test_so_many_of_one_shape_in_one_file_are_a_list_of_events_and_no_contradictions() -> None:
    """A few are facts that were forgotten, also among others that differ; those of another shape stay contradictions."""

    def lines(most: int) -> str:
        return "".join(
            f"- The {who} gives up after {at} s{'; seen in the blog' * (at % 2)}.\n"
            for at in range(most)
            for who in ("worker", "gateway")
        )

    other = "- Backups are kept for 30 days.\n- Backups are kept for 90 days.\n"
    assert 1 < len(list(contradictions(told(lines(2))))) <= MOST_SAME
    assert len(list(contradictions(told(f"{lines(20)}{other}")))) == 1
    ports = "".join(
        f"- {name} listens on port {number}.\n"
        for number, name in enumerate(("Redis", "Wiki", "Mail", "Shop", "Git", "Jobs", "Docs", "Blog", "Auth", "Queue"), 5001)
    )
    two = told(ports, "notes/old.md") + told(ports.replace("port 50", "port 60"), "notes/new.md")
    assert len(list(contradictions(two))) == 10, "two lists of two files: one is out of date"


def test_rows_of_tables_and_questions_are_no_statements() -> None:
    assert not list(
        contradictions(told("| a | b |\n|---|---|\n| The night job runs at 01:00 | x |\n| The night job runs at 02:00 | x |\n"))
    )
    assert not clash("Do backups start at 01:00?", "Backups start at 03:00 for sure")
