"""What a text is for the doctor: its facts with their lines and headings, its code and its references."""

from __future__ import annotations

import pytest

from zsmem_tui.core.checks.document import read_document

ROWS: list[tuple[str, list[str]]] = [
    ("Title\n=====\n\nfirst\n", ["3-4 sentence: first @Title"]),
    ("Two\nlines\n---\n- one\n", ["3-4 item: one @Two lines"]),
    ("para\n\n---\nafter\n", ["0-1 sentence: para @", "3-4 sentence: after @"]),
    ("# A ##\n## B\n- one\n  two\n- three\n", ["2-4 item: one two @B", "4-5 item: three @B"]),
    ("# " + "h" * 300 + "\nx\n", [f"1-2 sentence: x @{'h' * 200}"]),
    ("1. one\n2) two\n", ["0-1 step: one @", "1-2 step: two @"]),
    (
        "- [ ] open\n- [x] done\n- [-] gone\n* [/] half\n+ plain\n[ ] bare\n\n[x] bare done\n",
        ["0-1 task: open @", "3-4 task: half @", "4-6 item: plain [ ] bare @"],
    ),
    ("[ ] bare\n\n[x] done\n\n[~] dropped\n", ["0-1 task: bare @"]),
    ("> quoted\n>\n> again\n", ["0-1 sentence: quoted @", "2-3 sentence: again @"]),
    ("<!-- a\nb -->\nafter\n", ["2-3 sentence: after @"]),
    ("<!-- never\nclosed", []),
    ("<!-- never\nclosed\n\nafter\n", ["3-4 sentence: after @"]),
    ("| a | b |\n|---|---|\n| 1 | 2 |\n\n| no head |\n", ["2-3 row:  1 | 2  @", "4-5 row:  no head  @"]),
    ("a | b\n--|--\nc | d\nplain\n", ["2-3 row: c | d @", "3-4 sentence: plain @"]),
    ("[ref]: http://x\n[ref2]: y\nwords\n", ["2-3 sentence: words @", "0 refers to http://x", "1 refers to y"]),
    ("    code\n\tcode\nwords\n    more\n", ["2-4 sentence: words more @", "code [0, 1]"]),
    (
        "- item\n\n    still of the item\n\nfree\n    code\n",
        ["0-1 item: item @", "2-3 sentence: still of the item @", "4-6 sentence: free code @"],
    ),
    ("```\n# no\n```\nafter\n", ["3-4 sentence: after @", "code [0, 1, 2]"]),
    ("```\nopen\nstill\n\nAfter it.\n", ["4-5 sentence: After it. @", "code [0, 1, 2]", "open 0 ```"]),
    ("~~~~ sh\n```\n~~~\n~~~~\nafter\n", ["4-5 sentence: after @", "code [0, 1, 2, 3]"]),
    ("```a`b\nwords\n", ["0-2 sentence: ```a`b words @"]),
    (
        "Ports:\n- web: 80\n- db:\n  - a: 1\n  - b: 2\n- x\n\nNew.\n- y\n",
        [
            "0-1 sentence: Ports: @",
            "1-2 item: web: 80 @ › Ports:",
            "2-3 item: db: @ › Ports:",
            "3-4 item: a: 1 @ › Ports: › db:",
            "4-5 item: b: 2 @ › Ports: › db:",
            "5-6 item: x @ › Ports:",
            "7-8 sentence: New. @",
            "8-9 item: y @",
        ],
    ),
    (
        "Lead in:\nthe rest. Second one!\n",
        ["0-2 sentence: Lead in: the rest. @ › Lead in:", "1-2 sentence: Second one! @ › Lead in:"],
    ),
    (
        "One. Two? e.g. three. End:\n\n- x\n",
        [
            "0-1 sentence: One. @",
            "0-1 sentence: Two? e.g. three. @",
            "0-1 sentence: End: @",
            "2-3 item: x @ › One. Two? e.g. three. End:",
        ],
    ),
    ("a\r\nb\r\n\r\n- c\r\n", ["0-2 sentence: a b @", "3-4 item: c @"]),
    ("\ufeff# T\nx\n", ["1-2 sentence: x @T"]),
    ("---\nname: x\n---\nbody\n", ["3-4 sentence: body @"]),
    ("<<<<<<< a\n- x\n=======\n- y\n>>>>>>> b\n- z\n", ["5-6 item: z @"]),
    ("* * *\n- - -\n___\n***x\n", ["3-4 sentence: ***x @"]),
]


@pytest.mark.parametrize(("text", "told"), ROWS)
def test_every_line_is_what_it_looks_like(text: str, told: list[str]) -> None:
    found = read_document(text)
    facts = [f"{each.line}-{each.stop} {each.form.value}: {each.text} @{each.heading}" for each in found.facts]
    code = [f"code {sorted(found.code)}"] if found.code else []
    fence = [f"open {found.open_fence} {found.fence_mark}"] if found.open_fence >= 0 else []
    assert [*facts, *code, *fence, *(f"{line} refers to {place}" for line, place in found.references)] == told
