"""What a person said of findings of the doctor on texts that people wrote: one table a rule, without any of the texts.

A row is one finding: the file (as in LIST.tsv of the folder that `tests.bench.doctor_real` is given), the line, the other line that
the finding is about (`file:line`, without the file where it is the same one, or nothing), the first twelve digits of the SHA-1 of
both lines, and the verdict. A text that changed is another one: its judgement holds no more, because the digits differ.
Findings that no rule makes any more stand in `gone`, so that one that comes back is judged already.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
GONE = HERE / "gone"
BESIDE = HERE / "beside"
"""What was judged of texts whose project's folder was at hand."""
VERDICTS = ("true", "arguable", "false")


class Judged(NamedTuple):
    """One finding, and whether it is right."""

    file: str
    line: int
    other: str
    digest: str
    verdict: str


def digest(text: str) -> str:
    """The SHA-1 of a text, in digits of base 16."""
    return hashlib.sha1(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()


@cache
def judgements(rule: str, where: Path = HERE) -> tuple[Judged, ...]:
    """What was judged of a rule; nothing for a rule that has no table. A row that is none is a ValueError which names it."""
    table = where / f"{rule}.tsv"
    if not table.exists():
        return ()
    found = []
    for row in table.read_text("utf-8").splitlines()[1:]:
        cells = row.split("\t")
        if len(cells) != 5 or not cells[1].isdecimal() or len(cells[3]) != 12 or cells[4] not in VERDICTS:
            raise ValueError(f"{table.name}: this row is no judgement: {row[:120]}")
        found.append(Judged(cells[0], int(cells[1]), *cells[2:]))
    return tuple(found)
