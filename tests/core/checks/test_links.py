"""Which links lead nowhere."""

from __future__ import annotations

from dataclasses import replace

import pytest

from zsmem_tui.core.checks.around import Links, links
from zsmem_tui.core.checks.document import read_document
from zsmem_tui.core.checks.links import Dead, dead_links, mistyped
from zsmem_tui.core.code_spans import code_spans

PATHS = frozenset(
    [
        "MEMORY.md",
        "projects/p/notes/LICENSE",
        "projects/p/SCRATCHPAD.md",
        "projects/p/notes/plan.md",
        "projects/p/notes/two words.md",
        "projects/p/notes/計画.md",
        "projects/q/notes/other.md",
        "projects/p/daily/2026-05-04.md",
    ]
)

KNOWN = links(PATHS)

DEAD = """\
[plan](plan-b.md)
[[deep-dive|more]]
[[deep-dive#part]]
See [[deep-dive]] and [[plan]].
[a](gone.md#part)
[a](missing%20words.md)
[a](../notes/gone.md "title")
[t][r] more\n\n[r]: gone.md
See notes/gone.md for more.
詳しくは notes/無い.md を見る。
[手順](手順.md)
[other](../../q/notes/gone.md)
![drawing](img/plan.png)
[[other project's note]]
[a](nowhere)
[a](<no such words.md>)
"""

FINE = """\
[plan](plan.md#step-2)
[plan](plan) and [licence](LICENSE)
[plan](./plan.md) and [p](../notes/plan.md) and [pad](../SCRATCHPAD.md)
[[plan]] [[plan#x]] [[plan|the plan]] [[Plan]] [[two words]] [[plan.md |the plan]]
[a](two%20words.md) and [b](<two words.md>)
[x](https://example.com/a.md) [m](mailto:a@b.c) [i](#part)
if [[ -z $X ]]; then
`[[gone]]` and `[x](gone.md)` in code
[[1, 2], [3, 4]] and [[0]]
[t][r]\n\n[r]: plan.md
See notes/plan.md and notes/計画.md。
notes/<name>.md, notes/*.md, `notes/gone.md`
notes/old.md was deleted in May
/notes/x.md and lib/notes/x.md
- [x] see [a](gone.md)
# [a](gone.md)
a[0][1] = b[i][j]
[log](../daily/2026-05-04.md)
\\[a](gone.md) is no link
[^1]: gone.md says so
call a[i](x) twice
"""


def dead(text: str, known: Links = KNOWN) -> list[Dead]:
    return list(dead_links(read_document(text), "projects/p/notes/here.md", "projects/p", known))


def found(text: str) -> list[str]:
    return [each.target for each in dead(text)]


def lines(text: str) -> list[str]:
    return [row.replace("\\n", "\n") for row in text.rstrip("\n").replace("\n\n", "\\n\\n").split("\n")]


@pytest.mark.parametrize("target", ["src/app.py", "../../../src/app.py", "../LICENSE.txt", "Makefile"])
def test_a_link_to_a_file_of_the_project_is_fine_and_one_that_is_not_there_is_dead(target: str) -> None:
    there = replace(KNOWN, outside=frozenset({"src/app.py", "LICENSE.txt", "Makefile"}))
    assert not dead(f"[a]({target})\n", there) and found(f"[a]({target})\n") == [target]


@pytest.mark.parametrize("line", lines(DEAD))
def test_a_link_without_a_file_is_dead(line: str) -> None:
    assert found(line)


@pytest.mark.parametrize("line", lines(FINE))
def test_what_is_there_or_is_no_link_is_not(line: str) -> None:
    assert not found(line)


def test_a_link_by_name_is_mended_with_the_name_that_is_nearest() -> None:
    assert [each.nearest for each in dead("[[pla|the plan]] [[zebra]] [[pla#x]]\n")] == ["[[plan|the plan]]", "", "[[plan#x]]"]


def test_a_link_by_path_is_mended_with_the_only_note_of_its_name() -> None:
    paths = ["projects/p/notes/sub/far.md", "projects/p/notes/a/two.md", "projects/p/notes/b/two.md", "projects/q/notes/other.md"]
    text = "[a](far.md) [b](sub/Far.md#x) [c](gone/two.md) [d](other.md)\n"
    assert [each.nearest for each in dead(text, links(frozenset(paths)))] == ["[a](sub/far.md)", "[b](sub/far.md)", "", ""]


@pytest.mark.parametrize(
    ("name", "there", "meant"),
    [
        ("data-hygene", ["data-hygiene", "data-plan"], "data-hygiene"),
        ("no-skip-no-na", ["no-skips-no-na", "no-skips"], "no-skips-no-na"),
        ("LoginFrom.tsx", ["LoginForm.tsx", "LoginFoot.css"], "LoginForm.tsx"),
        ("session-2026-03-15", ["session-2026-03-31", "session-2026-03-51"], ""),  # another day
        ("api-v2", ["api-v1"], ""),  # another version
        ("dustin-dipaulo-ventures", ["maddie-ventures", "maddie-dipaulo-ventures"], ""),  # another person
        ("three-pillar", ["three-pillar-strategy"], ""),  # more words
        ("UserList.ts", ["UserEdit.ts"], ""),
        ("plaan", ["plan", "plans", "plain"], ""),  # which of them?
    ],
)
def test_a_name_is_a_slip_of_the_only_one_with_the_same_numbers_and_like_words(name: str, there: list[str], meant: str) -> None:
    assert mistyped(name, there) == meant


def test_ticks_end_at_as_many_ticks() -> None:
    assert code_spans("a `b` ``c`d`` e `f") == [(2, 5), (6, 13)]
    assert code_spans(r"\`a` b` \\`c\`") == [(3, 7), (10, 14)] and code_spans(r"\`a\`") == []


def test_a_link_by_name_is_told_of_where_its_target_is_given() -> None:
    used = dead("See [the plan][p].\n\n[p]: gone.md\n[q]: lost.md\n")
    assert [(each.line, each.target) for each in used] == [(2, "gone.md"), (3, "lost.md")]
