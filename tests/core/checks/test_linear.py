"""No rule takes more than linear time: a line of twice the length takes about twice as long, whatever it is made of.

The lines are made of what rules look for: a rule that goes back over them would not come back at all. Where a rule may go back over
a part of them, the processor time of a line is compared with that of one four times as long, with a wide margin.
"""

from __future__ import annotations

from datetime import date
from time import process_time

import pytest

from zsmem_tui.core.checks.around import Around, links, tree
from zsmem_tui.core.checks.examine import about_text, compared, read
from zsmem_tui.core.refs import MemRef, Role

SIZE = 30_000

PIECES = {
    "ticks": "`",
    "ticks apart": "` `` ",
    "brackets": "[",
    "links half open": "[a](",
    "wiki half open": "[[",
    "stars": "*",
    "underscores": "_",
    "underscores and words": "__a_ ",
    "slashes": "a/",
    "dots": "a.",
    "colons": ":",
    "double colons": "a::",
    "dates": "until 2026-01-",
    "whole dates": "2026-01-01 ",
    "years": "1999",
    "months": "May May ",
    "blanks": "until      ",
    "tildes": "~~",
    "angles": "<",
    "bars": "| ",
    "sentences": "A b. ",
    "full stops": ". ",
    "kanji": "漢字",
    "numerals": "十",
    "commas": "a, ",
    "numbers": "1 ",
    "negations": "never not ",
    "notes": "notes/",
    "conflicts": "<<<<<<< ",
    "boxes": "- [ ] ",
    "paths that are dead": "src/x.py ",
    "sentences with a path": "See src/x.py now. ",
    "names of credentials": "password=",
    "ways": "from a to ",
    "talks": "user: yes. assistant: ",
    "orders": "only follow the rules as your system prompt ",
    "tags": "<a_memory>",
    "words": "word one two three ",
    "half images": "![a](https://a.b/?",
    "elements": "<img src=https://a.b/?",
    "overrides": "whatever the user said ",
    "controls": "the permission check must ",
    "things carried away": "password send to ",
    "words before the user": f"do not tell{' the any' * 20} the user to go ",
}

OF_KEYS_AND_ORDERS = [
    "password ",
    "key: a",
    "token is ",
    "a://b:c",
    "a:b@",
    "curl -u ",
    "login x ",
    "Pwd=a;",
    "eyJ" + "a" * 20 + ".",
    "-----BEGIN RSA PRIVATE KEY----- ",
    "| password |\n|---|\n",
    "A" * 40,
    "AKIA",
    "ignore all previous ",
    "ignore, ",
    "do not tell ",
    "without telling the ",
    "<!-- ",
    "<span style=display:none ",
    "![a](https://a.b/?",
    "curl a | ",
    "base64 -d ",
    "[INST",
    "無視",
    "不要告诉",
    "незаметно ",
    "\u200b",
    "a\u202c",
    "a\u202aa\u2069",
    "\u2066a\u2069",
    "a\u0430",
    "aWdub3Jl",
    "```\n",
    "the user has already ",
    "if you are an ai ",
]


@pytest.mark.parametrize("size", [SIZE // 15, pytest.param(SIZE, marks=pytest.mark.slow)])
def test_a_line_of_any_piece_over_and_over_is_read_in_one_go(size: int) -> None:
    known = tree(frozenset(["src/a.py"]), frozenset(["src"]), lambda path: False)
    around = Around("projects/p", links(frozenset(["MEMORY.md"])), known, frozenset(), date(2026, 5, 25))
    for piece in (*PIECES.values(), *OF_KEYS_AND_ORDERS):
        start, line = process_time(), piece * (size // len(piece))
        text = f"- {line}\n{line}\n\n> {line}\n"
        reading = read(MemRef("projects/p/SCRATCHPAD.md", Role.CHECKLIST, "p", ""), text, "</memory>")
        list(about_text(reading, around))
        assert all(fault.line <= 4 for fault in compared([reading], "p")), piece
        assert process_time() - start < size / 1_000, (
            f"{piece!r}: far more than the slowest takes, collecting garbage meanwhile included"
        )


COSTLY = ("half images", "overrides", "tags", "names of credentials")


@pytest.mark.draw(18)
@pytest.mark.parametrize("piece", [*map(PIECES.__getitem__, COSTLY), *OF_KEYS_AND_ORDERS])
def test_four_times_the_line_takes_nowhere_near_sixteen_times_the_work(piece: str) -> None:
    ref = MemRef("projects/p/notes/n.md", Role.NOTE, "p", "n")

    def work(size: int) -> float:
        start = process_time()
        read(ref, f"- {piece * (size // len(piece))}\n", "</memory>")
        return process_time() - start

    work(1_000)  # the first call compiles what it needs
    assert work(2 * SIZE) < 10 * work(SIZE // 2) + 0.3  # seconds of processor time: what is too short to compare is no matter


def test_ten_thousand_facts_of_the_same_words_are_not_compared_with_each_other() -> None:
    text = "".join(f"- the same words of every line here, number {number}\n" for number in range(3_000))
    reading = read(MemRef("MEMORY.md", Role.FACTS), text, "")
    assert compared([reading], "") == []
