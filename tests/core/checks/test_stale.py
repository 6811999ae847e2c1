"""Which facts announce an end that has passed."""

from __future__ import annotations

from datetime import date

import pytest

from zsmem_tui.core.checks.around import Around, Links
from zsmem_tui.core.checks.document import Text, read_document
from zsmem_tui.core.checks.finding import Finding
from zsmem_tui.core.checks.stale import BESIDE, stale
from zsmem_tui.core.refs import MemRef

TODAY = date(2026, 11, 22)

ENDED = """\
- Feature freeze until 2026-05-04
- Gutschein gültig bis 01.02.2026
- The staging host stays up till 1 May 2026.
- Parking permit valid through October 2026
- Tax return due 2026-07-31, Kim has the papers
- Deadline for the grant: 15 September 2026
- The deadline for abstracts is Sept 1, 2026, no extension
- The wildcard certificate expires 2026-11-21
- The licence for the font ends on 30.09.2026
- Temporary: mirror the logs to the old host until 2026-08-31.
- Code freeze (until 2026-10-12) because of the audit
- Use the old endpoint by 2026-06-30 at the latest
- The trial runs until the end of March 2026.
- The pool is closed until mid-October 2026.
- [ ] Hand in the report by 3 November 2026
- [ ] Antrag stellen, Frist 31.10.2026
- Der Vertrag mit dem Hoster läuft am 30. September 2026 aus.
- Die Probezeit endet am 15.08.2026.
- Der Testzugang läuft bis Ende Oktober 2026.
- Baustelle im Flur, befristet bis zum 1. Juni 2026
- 旧サーバーは2026年5月1日まで残す。
- 申請の締切は2026年9月30日。
- 仮の合言葉の期限: 2026-10-01
- キャンペーンは2026年8月まで
- The bridge is closed through 2026-09-15.
- Discount valid to 2026-03-31
- Temporary key, agreed until 2026-03-31
Frist für den Antrag: 31. Oktober 2026. Bitte an Kim geben.
- Deadline agreed: 2026-03-31
- Loan of the camera, due back 2026-10-01
- No deploys till 2026-11-02
- Entries close on 2026-10-15.
- The insurance of the van runs out on 2026-10-31.
- Last day to return the drill: 2026-11-06.
- Use the side door until the joiner comes on 10 Nov 2026.
"""

NOT_ENDED = """\
- The salary figures are a master artifact; review by 2026-06-01
- Prices, to be checked again by 2026-05-04
- The list of contacts: next review due 2026-05-04
- Re-verify until 2026-05-04
- Preise prüfen bis 01.03.2026
- Chosen on 2026-05-04
- [x] pay by 2026-05-04
- [-] renew until 2026-05-04
- The freeze lasts until 2026-12-04
- Valid through November 2026
- The old logo was used until 2026-03-01.
- We had a code freeze until 2026-05-04, it went well.
- The outage was due to the update on 2026-05-04
- The certificate expired on 2026-05-04 and was renewed
- Signed by Kim on 2026-05-04
- Temporary workaround for the proxy, added 2026-05-04
- Temporary rule of the team (agreed on 4 May 2026)
- The deadline moved on 2026-05-04, ask Kim for the new one
- Vorübergehender Schalter, eingeführt am 04.05.2026
- ~~Freeze until 2026-05-04~~
- The freeze of 2026-05-04 is over
- Since 2026-05-04 all tags are signed
- From 2026-05-04 on the new rate holds
- Report of 2026-05-04 about the crash
- Bis 01.03.2026 galt der alte Tarif, seitdem der neue.
- Am 01.02.2026 beschlossen
- Frist verlängert: statt 31.10.2026 nun bis 31.01.2027
- 2026年5月1日に決めた。
- 2025年まで紙だった。
- Kept until the end of 2027-03
- Release 2.1 came out on 2026-05-04 by accident
- Invoice 2026-05 is paid
- Certificate issued 2026-01-05, expires 2027-01-05
- Die Tagung war am 04.05.2026.
- Version 2026-05-04 of the schema is current
- The deadline moved from 2026-10-01 to 2027-01-15.
- Birthday of Kim: 4 May 1990
- The name ends with the date, as in notes of 2026-05-04
- A shift is named after its first day, so the shift of 2026-05-24 ends on 2026-05-25.
- Until 2025-12-31 we used the red van, now it is the blue one.
- Dates are written as in "due 2026-05-04", or `until 2026-05-04`.
- Der Ofen lief bis Mai 2026 mit Gas, seitdem mit Strom.
- Die Messe fand vom 3. bis 5. Oktober 2026 statt.
"""


def the_fault(text: str) -> Finding:
    around = Around("", Links(frozenset(), {}, {}), None, frozenset(), TODAY)
    (one,) = (each for look in BESIDE for each in look(Text(MemRef("a.md"), read_document(text), text), around))
    return one


def found(text: str) -> list[str]:
    return [saying.text for saying, _ in stale(read_document(text), TODAY)]


@pytest.mark.parametrize("line", ENDED.rstrip("\n").split("\n"))
def test_an_announced_end_that_has_passed_is_stale(line: str) -> None:
    assert found(line)


@pytest.mark.parametrize("line", NOT_ENDED.rstrip("\n").split("\n"))
def test_a_date_that_tells_or_lies_ahead_is_not(line: str) -> None:
    assert not found(line)


def test_calendars_and_history_are_not_stale() -> None:
    assert len(found("- Freeze until 2026-05-04\n- No deploys till 2026-11-02\n")) == 2
    past = "# History\n\n- Pilot until 2026-05-04\n\n## Termine\n\n- Ostern bis 10.04.2026\n"
    assert not found(past) and found(f"{past}\n# Now\n\n- No date\n- Freeze until 2026-05-04\n")


def test_a_table_of_dates_is_history_and_a_row_with_one_is_a_fact() -> None:
    table = "| Version | Where |\n|---|---|\n| 1.0 | until 2026-04-10 |\n"
    dates = table + "| 1.1 | until 2026-05-15 |\n| 1.2 | now |\n"
    assert found(table) and not found(dates) and found(f"{dates}\n- Freeze until 2026-05-04\n")


def test_the_last_day_counts() -> None:
    assert not found("- Freeze until 2026-11-22\n") and found("- Freeze until 2026-11-21\n")


def test_of_several_ends_the_last_counts_and_of_one_that_is_said_twice_the_first_words() -> None:
    text = "- Freeze until 2026-05-04, then on hold until 2026-06-01, that is until 1 June 2026\n"
    assert [end for _, end in stale(read_document(text), TODAY)] == ["2026-06-01"]
    assert not found("- Freeze until 2026-05-04, then on hold until 2026-12-01\n")


def test_of_a_line_that_says_more_only_the_sentence_with_the_end_is_to_go() -> None:
    for more, does in (("", "Delete this line."), (" Kim has the key of the lift.", "Delete that sentence, not the line.")):
        text = f"Freeze until 2026-05-04.{more}\n"
        one = the_fault(text)
        assert one.fix is not None and (one.fix.sentence, one.fix.is_ready) == (does, not more)


@pytest.mark.parametrize("below", ["", "  - ask Kim first\n"])
def test_an_open_item_whose_day_has_passed_is_due_and_a_person_says_what_becomes_of_it(below: str) -> None:
    text = f"- [ ] renew the certificate by 2025-01-01\n{below}"
    one = the_fault(text)
    assert one.message == "This is still open, and due since 2025-01-01." and one.fix is not None and one.fix.is_ready
    after = [edit.after for each in one.fix.choices for edit in each.edits]
    assert after == [("- [x] renew the certificate by 2025-01-01",), *([()] if not below else [])]
