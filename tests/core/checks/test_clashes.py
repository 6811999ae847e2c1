"""Which facts contradict each other."""

from __future__ import annotations

import pytest

from tests.core.checks.facts import told
from zsmem_tui.core.checks.clashes import contradictions

CLASHING = """\
Session tokens live for 30 minutes, in staging. | Session tokens live for 60 minutes in staging.
Backups start at 01:00 (Berlin) | Backups start at 03:00 in Berlin
Session tokens live for 30 minutes (see the wiki). | Session tokens live for 60 minutes, because people complained.
Use nginx for static files. | Never use nginx for static files.
Backups start at 01:00 | Backups start at 03:00
Always squash commits before a merge. | Do not squash commits before a merge.
The API listens on port 8080. | The API listens on port 9090.
Invoices are sent on Mondays. | Invoices are sent on Thursdays, after the bank run.
Indent YAML with tabs. | Indent YAML with two spaces, never anything else.
Session tokens live for 30 minutes. | Session tokens live for 60 minutes.
The nightly export starts at 02:30. | The nightly export begins at 04:15, when the lake is quiet.
Keep 14 backups of the ledger. | Keep 30 backups of the ledger.
Migrations must be reviewed by Ewa. | No need for migrations to be reviewed by Ewa.
Immer Leerzeichen statt Text in Vorlagen verwenden. | Nie Leerzeichen statt Text in Vorlagen verwenden.
Die Sicherung läuft um 02:00 Uhr. | Die Sicherung läuft um 04:00 Uhr.
Rechnungen gehen montags raus. | Rechnungen gehen freitags raus.
Belege werden zehn Jahre aufbewahrt. | Belege werden sechs Jahre aufbewahrt.
Im Druck keine Farben verwenden. | Im Druck Farben verwenden.
テストで本番の鍵を使う。 | テストで本番の鍵を使わない。
受付は九時に開く。 | 受付は十時に開く。
バックアップは月曜日に取る。 | バックアップは木曜日に取る。
ログの保存期間は三十日。 | ログの保存期間は九十日。
Commit messages are written in lowercase. | Commit messages are written in uppercase.
The worker pool has four threads. | The worker pool has eight threads.
Feature branches are merged by rebase. | Feature branches are merged by squash.
The Redis cache runs on port 6379 | Redis cache: port 6380
Uploads of growers may have 20 MB. | Uploads of growers may have 50 MB, the proxy agrees.
看板の文字は横で書くこと。 | 看板の文字は縦で書くこと。
Never log e-mail addresses of customers. | Log e-mail addresses of customers.
Don't restart the broker by hand. | Restart the broker by hand.
The lamp is switched off at 22:00. | The lamp is switched off at 23:30.
The forge is lit on Tuesdays only. | The forge is lit on Thursdays only.
The water list is printed every 6 hours. | Print of the water list: every 12 hours.
Parcels wait for 60 minutes. | Parcels wait for 3 hours.
The order code has 8 digits. | The order code has 10 digits.
Drawings need one signature. | Drawings need two signatures.
Broken uploads are repeated three times. | Broken uploads are never repeated.
Der Anzeigenschluss ist am Dienstag. | Der Anzeigenschluss ist am Mittwoch, zwölf Uhr.
Pakete werden 90 Tage aufbewahrt. | Pakete werden 30 Tage lang aufbewahrt.
Vor der Probe immer die Lampen prüfen lassen. | Vor der Probe müssen keine Lampen geprüft werden.
点検は毎週月曜に行う。 | 点検は毎週木曜に行う。
送信の再試行は3回までとする。 | 送信の再試行は5回までとする。
図面の社外共有を許可する。 | 図面の社外共有は禁止。
Commit generated clients to the repository. | Generated clients must not be committed to the repository.
Feature flags in Hermes default to on. | Feature flags in Hermes default to off.
Debug mode in Atlas is on. | Debug mode in Atlas is off, to spare the disk.
Der Testmodus in Atlas bleibt an. | Der Testmodus in Atlas bleibt aus.
The Orion backup of Redis runs at 02:00. | The Orion backup of Redis runs at 03:00.
"""

AGREEING = """\
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


def pairs(text: str) -> list[tuple[str, str]]:
    return [(one, other) for row in text.rstrip("\n").split("\n") for one, other in [row.split(" | ")]]


def clash(*lines: str) -> bool:
    facts = told("".join(f"- {line}\n" for line in lines))
    return bool(list(contradictions(facts)))


@pytest.mark.parametrize(("one", "other"), pairs(CLASHING))
def test_the_same_subject_with_the_opposite_or_another_value_is_a_contradiction(one: str, other: str) -> None:
    assert clash(one, other)


@pytest.mark.parametrize(("one", "other"), pairs(AGREEING))
def test_what_holds_for_another_thing_place_or_time_is_none(one: str, other: str) -> None:
    assert not clash(one, other)
