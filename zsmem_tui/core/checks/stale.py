"""Facts that announce an end which has passed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Final, NamedTuple

from zsmem_tui.core.checks.dates import MAY_HOLD, Found, dates
from zsmem_tui.core.checks.sheet import Form, Saying, Sheet

_REACH: Final = 60
"""Characters before a date that may announce it."""

_JUST_BEFORE: Final = re.compile(
    r"""(?ix)
    \b(?:until|till|through|thru|by|due(?!\ to)|deadline|freeze|frozen|expires?|expiring|expiry|expiration|ends?|ending|
    closes?|runs?\ out|
    lapses|finishes|no\ later\ than|last\ day|bis|spätestens|\w{0,40}frist|\w{0,40}schluss|fällig|ablaufdatum|
    deadline|stichtag|gültig|endet|
    enden|befristet)\b
    (?:[ ,:(]|\bmid-|\b(?:mid|early|late|is|are|on|at|the|end|of|latest|by|date|a|of|day|midnight|noon|morning|evening|then|
    not\ later\ than|ist|am|zum|bis|
    einschließlich|inklusive|ende|anfang|mitte|des|der|monats|mon|tue|wed|thu|fri|sat|sun|monday|tuesday|wednesday|thursday|friday|
    saturday|sunday|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)\b|\*|`|_)*$
    |(?:期限|締切|締め切り|〆切|有効期限)[はがを::、\ (]*$"""
)
"""An end, directly before the date."""

_IN_CLAUSE: Final = re.compile(
    r"""(?ix)
    \b(?:deadline|due(?!\ to)|expires|expiry|expiration|freeze|frozen|temporary|temporarily|valid\ (?:to|until|through)|last\ day|
    frist|gültig|befristet|vorübergehend|läuft|abgabe|abgabetermin|stichtag|anmeldeschluss|einsendeschluss)\b[^.;\n]{0,60}$
    |\b(?:until|till|bis)\ [^.;\n]{0,40}\ (?:on|am)\ *$
    |(?:期限|締切|締め切り|〆切)[^。;\n]{0,30}$"""
)
"""An end somewhere before it, in the same clause."""

_JUST_AFTER: Final = re.compile(
    r"(?i)[ ]*(?:(?:末|頃|ごろ|上旬|中旬|下旬|いっぱい)?まで|が?期限|で期限|が?締切|締め切り|〆切|に締め切|[にで]終了|に失効"
    r"|(?:[a-zäöüß]+[ ]){0,3}(?:ab|aus|fällig)\b(?=[ ]*(?:[.,;:!)]|$))|\(?(?:deadline|at the latest|latest)\b)"
)
"""An end, directly behind the date."""

_RUNS_OUT: Final = re.compile(r"(?i)\b(?:läuft|laufen)\b[^.;\n]{0,60}$")

_TOLD: Final = re.compile(
    r"""(?ix)
    [,–—]\ (?:but\ )?now\b|
    \b(?:is|are)\ (?:named|called|counted)\b|
    \b(?:was|were|had|ran|held|took\ place|(?:we|i|they|he|she)\ used|since\ then|ever\ since|seither|seitdem|
    fand|fanden|gab|kam|ging|ended|expired|finished|lasted|passed|extended|postponed|used\ to|formerly|back\ then|decided|
    signed|published|
    released|happened|started|began|born|founded|
    war|waren|hatte|hatten|galt|galten|endete|endeten|lief|wurde|wurden|verlängert|verschoben|damals|früher|abgelaufen)\b
    |だった|でした|していた|した。|延長|延期|終わった|終了した|過ぎた|以前"""
)
"""What shows that a date tells of what happened."""

_RECORDS: Final = re.compile(
    r"""(?ix)
    \b(?:calendar|history|timeline|changelog|change\ log|chronicle|archive|past|holidays?|vacations?|milestones|log|
    logbook|records?|
    incidents?|releases|minutes|retrospective|decisions|
    \w*kalender|\w*verlauf|\w*geschichte|\w*chronik|\w*ferien|feiertage|\w*archiv|\w*protokolle?|termine|rückblick|entscheidungen)\b
    |履歴|暦|年表|記録|経緯|沿革|休日|祝日|議事録|カレンダー"""
)
"""Headings over calendars and history."""


_BREAK: Final = re.compile(r"(?<![0-9])\. |;|。")
"""Where a sentence ends: not behind the day of `5. Oktober`."""

_DATED: Final = re.compile(
    r"\W{0,3}(?:(?:19|20)[0-9]{2}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}\.[ ]?[0-9]{1,2}\.[ ]?(?:19|20)[0-9]{2}|(?:19|20)[0-9]{2}年)"
)
"""A heading that is a day: what stands below it is told of that day, as in a log."""


class Stale(NamedTuple):
    """A fact whose end has passed, and the date as it stands there."""

    saying: Saying
    shown: str


def stale(text: Sheet, today: date, name: str = "") -> Iterator[Stale]:
    """The facts of a text that announce an end before today; `name` is the file's, which may say that it is a calendar."""
    dated = {saying.line for saying in text.facts if saying.form is Form.ROW and MAY_HOLD.search(saying.text)}
    is_record = bool(_RECORDS.search(name.replace("-", " ").replace("_", " ")))
    for saying in text.facts:
        if not MAY_HOLD.search(saying.text):
            continue
        if is_record or (saying.heading and (_RECORDS.search(saying.heading) or _DATED.match(saying.heading))):
            continue
        if saying.line in dated and (saying.line - 1 in dated or saying.line + 1 in dated):
            continue  # a table of dates is a calendar, or tells what came after what
        found = _ended(saying.text, today)
        if found:
            yield Stale(saying, saying.text[found.start : found.end])


def _ended(text: str, today: date) -> Found | None:
    before = 0
    last: Found | None = None
    for found in dates(text):
        start = max(before, found.start - _REACH)
        before = found.end
        if _announces(text, start, found):
            last = found if last is None or found.day > last.day else last
    if last is None or last.day >= today or _TOLD.search(_clause(text, last)):
        return None
    return last


def _announces(text: str, start: int, found: Found) -> bool:
    head, tail = text[start : found.start], text[found.end : found.end + _REACH]
    if _JUST_BEFORE.search(head) or _JUST_AFTER.match(tail):
        return True
    if _RUNS_OUT.search(head) and re.match(r"[^.;\n]{0,30}\b(?:ab|aus)\b", tail):
        return True
    clause = re.split(r"[;。]|\.\s", head)[-1]
    return bool(_IN_CLAUSE.search(clause)) and not re.search(
        r"(?i)\b(?:since|from|after|on or after|ab|seit|von|nach|ab dem)\s*$", head
    )


def _clause(text: str, found: Found) -> str:
    """What stands around a date, from one end of a sentence to the next."""
    start = 0
    for end in _BREAK.finditer(text):
        if end.start() >= found.end:
            return text[start : end.end()]
        start = end.end()
    return text[start:]
