"""The rule `stale`: facts that announce an end that has passed."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date
from typing import Final, NamedTuple

from zsmem_tui.core.checks.around import Around
from zsmem_tui.core.checks.document import Document, Form, Saying, Text, deletion, is_part
from zsmem_tui.core.checks.finding import Finding, Fix, Level, LineEdit, Rule

_NAME: Final = (
    "jan(?:uary?)?|jänner|feb(?:ruary?)?|mar(?:ch)?|märz?|mrz|apr(?:il)?|may|mai|june?|juni|july?|juli|aug(?:ust)?|sept?(?:ember)?"
    "|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?"
)
_MONTHS: Final = {
    name: number
    for number, own in enumerate(
        ("jan jän", "feb", "mar mär mrz", "apr", "may mai", "jun", "jul", "aug", "sep", "oct okt", "nov", "dec dez"), 1
    )
    for name in own.split()
}
_DAY: Final = "[0-3]?[0-9]"
_YEAR: Final = "(?:19|20)[0-9]{2}"
_DATES: Final = tuple(
    re.compile(shape, re.IGNORECASE)
    for shape in (
        rf"(?<![0-9./-])(?P<y>{_YEAR})[-/](?P<m>[01]?[0-9])(?:[-/](?P<d>{_DAY}))?(?![0-9/-])",
        rf"(?<![0-9.])(?P<d>{_DAY})\.[ ]?(?P<m>[01]?[0-9])\.[ ]?(?P<y>{_YEAR})(?![0-9])",
        rf"(?:(?<![0-9.])(?P<d>{_DAY})(?:st|nd|rd|th|\.)?[ ]+(?:of )?)?\b(?P<m>{_NAME})\b\.?,?[ ]+(?P<y>{_YEAR})(?![0-9])",
        rf"\b(?P<m>{_NAME})\b\.?[ ]+(?P<d>{_DAY})(?:st|nd|rd|th)?,?[ ]+(?P<y>{_YEAR})(?![0-9])",
        rf"(?P<y>{_YEAR})[ ]?年[ ]?(?P<m>[01]?[0-9])[ ]?月(?:[ ]?(?P<d>{_DAY})[ ]?日)?",
    )
)
_MAY_HOLD: Final = re.compile(_YEAR)
"""Contained in every date."""

_REACH: Final = 60
"""The most characters before a date in which it may be announced."""

_JUST_BEFORE: Final = re.compile(
    r"""(?ix)
    \b(?:by|through|thru|ends?|ending|closes?|runs?\ out|lapses|finishes|bis|endet|enden)\b
    (?:[ ,:(*`_-]|\b(?:mid|early|late|on|at|the|end|of|latest|day|midnight|noon|am|zum|einschließlich|ende|anfang|mitte|des
    |(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch)\b)*$"""
)
"""Announces an end, directly before the date."""

_IN_CLAUSE: Final = re.compile(
    r"""(?ix)
    \b(?:until|till|deadline|due(?!\ to)|expires|expiring|expiry|expiration|freeze|frozen|temporary|temporarily|no\ later\ than
    |valid\ to|last\ day|\w{0,40}frist|\w{0,40}schluss|fällig|gültig|befristet|vorübergehend|läuft|spätestens|abgabe(?:termin)?
    |ablaufdatum|stichtag)\b[^.;\n]{0,60}$
    |(?:期限|締切|締め切り|〆切)[^。;\n]{0,30}$"""
)
"""Announces an end, anywhere before the date in the same clause."""

_LOOKED_AT: Final = re.compile(
    r"""(?ix)
    \b(?:(?:re-?)?(?:review|check|verif|visit|evaluat|assess|validat|audit|consider|confirm)|updat|refresh|(?:über)?prüf|aktualisier)
    [\w-]*[^.;,\n]{0,24}$"""
)
"""Says, directly before the date, that something is to be looked at by then: it holds beyond it."""

_BEGINS: Final = re.compile(r"(?i)\b(?:since|from|after|ab|seit|von|nach|ab dem)\s*$")
_HAPPENED: Final = re.compile(
    r"(?i)\b(?:(?:added|changed|created|introduced|noted|updated|written|angelegt|eingeführt|eingerichtet|hinzugefügt)(?: on| am)?"
    r"|(?:agreed|announced|confirmed|fixed|met|moved|set|vereinbart|festgelegt) (?:on|am))\s*$"
)
"""Says, directly before the date, what happened on it."""
_JUST_AFTER: Final = re.compile(
    r"(?i)[ ]*(?:(?:末|頃|ごろ|上旬|中旬|下旬|いっぱい)?まで|が?期限|で期限|が?締切|締め切り|〆切|に締め切|[にで]終了|に失効"
    r"|(?:[a-zäöüß]+[ ]){0,3}(?:ab|aus|fällig)\b(?=[ ]*(?:[.,;:!)]|$))|\(?(?:deadline|at the latest|latest)\b)"
)
"""Announces an end, directly after the date."""

_TOLD: Final = re.compile(
    r"""(?ix)
    [,–—]\ (?:but\ )?now\b
    |\b(?:is|are)\ (?:named|called|counted|over)\b
    |\b(?:was|were|had|ran|held|took\ place|(?:we|i|they|he|she)\ used|since\ then|ever\ since|ended|expired|finished|lasted|passed
    |extended|postponed|used\ to|formerly|decided|signed|published|released|happened|started|began|born|founded
    |seitdem|fand|fanden|gab|kam|ging|war|waren|hatten?|galt(?:en)?|endeten?|lief|wurden?|verlängert|verschoben|früher|abgelaufen)\b
    |だった|でした|していた|した。|延長|延期|終わった|終了した|過ぎた|以前"""
)
"""Marks a sentence as a report of the past."""

_RECORDS: Final = re.compile(
    r"(?i)\b(?:calendar|history|timeline|change ?log|changes|archive|past|holidays?|milestones|log|logbook|records?|incidents?"
    r"|releases|minutes|retrospective|decisions|\w*kalender|\w*verlauf|\w*chronik|feiertage|termine)\b|履歴|暦|年表|記録|カレンダー"
)
"""Headings of calendars and history."""

_SHOWN: Final = re.compile(r"`[^`]{1,200}`|\"[^\"]{1,200}\"|“[^”]{1,200}”|~~[^~]{1,400}~~")
"""Quotations and code, which are only examples, and what is struck out."""

_RANGE: Final = re.compile(r"[ *_`]*(?:through|thru|until|till|to|bis|-|–|—|~|〜|～|から)[ *_`]*")
"""Joins the two dates of a time range."""

_DELETE: Final = ("Delete this line.", "Delete that sentence, not the line.")
"""For a fact that is whole lines, and for a sentence of a line that has more."""

_OVERDUE: Final = "Mark the item done once it is, or delete it."
"""For an open item: that its day has passed does not say that it was done."""


class Found(NamedTuple):
    """A date in a text: its offsets and its day; for a whole month its last day."""

    start: int
    end: int
    day: date


def stale(text: Document, today: date, name: str = "") -> Iterator[tuple[Saying, str]]:
    """(fact, date text) for the facts that announce an end before today; the file's `name` may show that it is a calendar."""
    dated = {saying.line for saying in text.facts if saying.form is Form.ROW and _MAY_HOLD.search(saying.text)}
    is_record = bool(_dates(name) or _RECORDS.search(name.replace("-", " ").replace("_", " ")))
    for saying in text.facts:
        if not _MAY_HOLD.search(saying.text):
            continue
        if is_record or _RECORDS.search(saying.heading):
            continue
        if saying.line in dated and (saying.line - 1 in dated or saying.line + 1 in dated):
            continue  # a table of dates is a calendar or a history
        found = _passed_end(saying.text, today)
        if found:
            yield saying, saying.text[found.start : found.end]


def _look(text: Text, around: Around) -> Iterator[Finding]:
    path, page = text.ref.path, text.page
    for saying, shown in stale(page, around.today, text.ref.name):
        rows = tuple(page.rows[saying.line : saying.stop])
        fix = Fix(_DELETE[is_part(page, saying)], edits=deletion(path, page, saying))
        says = "The date that it gives has passed: {text}."
        if saying.form is Form.TASK:
            box = re.sub(r"\[[ \t]?\]", "[x]", rows[0], count=1)
            done = Fix("Mark the item done.", edits=(LineEdit(path, saying.line + 1, rows[:1], (box,)),) if box != rows[0] else ())
            choices = tuple(each for each in (done, fix._replace(says="Delete the item.")) if each.is_ready)
            fix = done._replace(says=_OVERDUE, choices=choices)
            says = "This is still open, and due since {text}."
        yield Finding(STALE, path, saying.line + 1, saying.stop, says, text=shown, quoted=saying.text, fix=fix)


STALE: Final = Rule(
    "stale",
    Level.WARNING,
    "Out of date",
    "An end that was announced for a day before today.",
    "Deletes the line, or marks the item done; the screen asks.",
)
BESIDE: Final = (_look,)


def _passed_end(text: str, today: date) -> Found | None:
    text = _SHOWN.sub(lambda found: " " * len(found[0]), text)
    before = 0
    last: Found | None = None
    for found in _dates(text):
        is_range = before and _RANGE.fullmatch(text, before, found.start)
        start = max(before, found.start - _REACH)
        before = found.end
        if not is_range and _announces(text, start, found):
            last = found if last is None or found.day > last.day else last
    if last is None or last.day >= today or _TOLD.search(text):
        return None
    return last


def _announces(text: str, start: int, found: Found) -> bool:
    head, tail = text[start : found.start], text[found.end : found.end + _REACH]
    if _LOOKED_AT.search(head):
        return False
    if _JUST_BEFORE.search(head) or _JUST_AFTER.match(tail):
        return True
    return bool(_IN_CLAUSE.search(head)) and not (_BEGINS.search(head) or _HAPPENED.search(head))


def _dates(text: str) -> list[Found]:
    """The dates of a text, left to right."""
    found = (_parsed_date(match) for shape in _DATES for match in shape.finditer(text) if _MAY_HOLD.search(text))
    return sorted(each for each in found if each)


def _parsed_date(match: re.Match[str]) -> Found | None:
    month = _MONTHS.get(match["m"][:3].lower()) or int(match["m"])
    if not 1 <= month <= 12:
        return None
    last = monthrange(int(match["y"]), month)[1]
    day = int(match["d"] or last)
    return Found(*match.span(), date(int(match["y"]), month, day)) if 1 <= day <= last else None
