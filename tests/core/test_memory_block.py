"""The part of an instruction file between its markers: nothing else is ever written."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.core.test_block_edits import as_blocks
from zsmem_tui.core.block_edits import Block
from zsmem_tui.core.errors import BadContent
from zsmem_tui.core.facts import Kind
from zsmem_tui.core.memory_block import BEGIN, END, added, facts_between, region, taken

FACT = Block("- the port is 8080", Kind.ITEM)


def block(*lines: str, end: str = "\n") -> str:
    return "".join(f"{line}{end}" for line in (BEGIN, *lines, END))


@pytest.mark.parametrize(
    ("text", "front"),
    [
        ("", ""),
        ("\ufeff", "\ufeff"),
        ("# Rules\n", "# Rules\n\n"),
        ("# Rules", "# Rules\n\n"),
        ("# Rules\n\n", "# Rules\n\n"),
        ("# Rules\r\n\r\nText\r\n", "# Rules\r\n\r\nText\r\n\r\n"),
    ],
)
def test_markers_that_are_missing_are_made_at_the_end_in_the_files_own_line_ends(text: str, front: str) -> None:
    end = "\r\n" if "\r\n" in text else "\n"
    assert added(text, [FACT]) == front + block("- the port is 8080", end=end)


@pytest.mark.parametrize(
    "text", [f"\ufeff{BEGIN}\r\n- a\r\n{END}\r\nbelow", f"# T\n{BEGIN}\n{END}", f"top\n{BEGIN}\n- a\n\n{END}\n\n# B\n"]
)
def test_only_what_is_between_the_markers_changes_and_comes_back(text: str) -> None:
    more = added(text, [FACT])
    here = text.index("\n", text.index(BEGIN)) + 1
    assert more.startswith(text[:here]) and more.endswith(text[text.index(END) :])
    found = [each for each in facts_between(more) if "8080" in each.text]
    assert len(found) == 1 and taken(more, found).replace("\n\n<", "\n<") == text.replace("\n\n<", "\n<")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"{BEGIN}\n- a\n", "line 1 has no end|begins on line 1 has no end"),
        (f"x\n{END}\n", "line 2 ends a part"),
        (f"{END}\n{BEGIN}\n", "line 1 ends a part"),
        (f"{BEGIN}\n{BEGIN}\n{END}\n", "line 2 begins a part with memory inside another"),
        (f"{BEGIN}\n{BEGIN}\n{END}\n{END}\n", "inside another"),
        (block() + block(), "line 3 has another marker"),
        (f"{BEGIN}\n```\n{END}\n", "an end that stands in a fence is none"),
        (f"see {BEGIN}\n{END}\n", "line 1 has a marker of memory amid other words"),
        (f"{BEGIN} {END}\n", "amid other words"),
        ("```\nnever closed\n", "a fence in it is never closed"),
    ],
)
def test_markers_that_do_not_enclose_one_part_are_refused_in_words(text: str, words: str) -> None:
    for act in (lambda: added(text, [FACT]), lambda: facts_between(text), lambda: taken(text, [])):
        with pytest.raises(BadContent, match=words) as refused:
            act()
        assert refused.value.message.endswith("Nothing was written.")


@pytest.mark.parametrize("text", [f"```\n{block()}```\n", f"write `{BEGIN}` there\n", f"~~~~\n~~~\n{BEGIN}\n~~~~\n"])
def test_markers_in_fences_and_code_are_examples(text: str) -> None:
    assert region(text) is None and facts_between(text) == []
    assert added(text, [FACT]) == f"{text}\n{block('- the port is 8080')}"


def test_facts_between_markers_have_their_lines_in_the_whole_text() -> None:
    [parent] = facts_between(f"# Rules\n\n{block('- a', '  - b')}")
    assert (parent.line, parent.stop, parent.children) == (3, 5, (4,))


def test_what_the_file_says_already_is_not_said_twice() -> None:
    text = "- the port is 8080\n"
    assert added(text, [FACT]) == text and added(block("- the port is 8080"), [FACT]) == block("- the port is 8080")


def test_a_marker_ends_what_stands_above_it() -> None:
    text = f"{BEGIN}\n- a\n- b\n{END}\nmore\n"
    assert [(each.line, each.stop, each.text) for each in facts_between(text)] == [(1, 2, "- a\n"), (2, 3, "- b\n")]
    assert taken(text, facts_between(text)) == f"{BEGIN}\n{END}\nmore\n"


def test_a_fact_with_a_fence_that_is_never_closed_does_not_swallow_the_end() -> None:
    text = added("", [Block("```\ncode", Kind.FENCE)])
    assert text == block("```", "code", "```") and region(text) is not None


def test_a_fact_that_holds_a_marker_is_refused() -> None:
    with pytest.raises(BadContent, match="holds a marker"):
        added("", [Block(f"- {END}", Kind.ITEM)])


@pytest.mark.parametrize("inner", ["", "- - ```\n", "> ```\n"])
@pytest.mark.parametrize("fact", ["    ```\n  ```", "10. ```\n\t```\n```", "  ```\n~~~", "```sh\nmake", "- ~~~\n  x"])
def test_no_fence_of_a_fact_takes_the_end_of_the_part_in(inner: str, fact: str) -> None:
    more = added(f"# T\n1. x\n{BEGIN}\n{inner}{END}\n# U\n", as_blocks(fact))
    assert region(more) is not None and more.endswith(f"{END}\n# U\n")
    assert added(more, [FACT]).count(FACT.text) == 1


def test_no_fence_takes_the_end_of_the_part_in_once_a_fact_is_gone() -> None:
    text = f"# T\r\n{BEGIN}\r\n<pre>\r\n   ```\r\ntext\r\n      ```\r\n{END}\r\nbelow\r\n"
    left = taken(text, facts_between(text)[:1])
    assert left == f"# T\r\n{BEGIN}\r\n   ```\r\ntext\r\n      ```\r\n```\r\n{END}\r\nbelow\r\n"
    assert region(left) is not None


def test_what_stands_outside_is_never_taken_out() -> None:
    text = f"- out\n{block('- in')}"
    for line, stop in ((0, 1), (1, 3), (2, 4), (3, 4)):
        with pytest.raises(BadContent, match="Only what stands between"):
            taken(text, [facts_between(text)[0]._replace(line=line, stop=stop)])


@settings(max_examples=60, deadline=None)
@given(st.text("ab \n\r-#`~<>!*|\ufeff1.", max_size=60), st.text("ab \n-#`~>*|1.", max_size=40), st.text("ab\n\r-` ", max_size=30))
@example("```", "1", "```")  # markers in a fence are an example: others are made at the end
@example("```", "", "```")
@example("~~~\nx", "- a", "")
@example("```", "1", "\n```\n\n")
def test_whatever_the_texts_are_the_rest_of_the_file_keeps_every_byte(front: str, fact: str, back: str) -> None:
    text = f"{front}\n{BEGIN}\n{END}\n{back}"
    new = as_blocks(fact)
    try:
        here = region(text)
    except BadContent as refused:
        with pytest.raises(BadContent, match=re.escape(refused.message)):
            added(text, new)
        return
    more = added(text, new)
    if here is None:
        assert more.startswith(text) and (more == text or region(more) is not None)
        return
    lines = text.split("\n")
    assert more.startswith("\n".join(lines[: here.begin + 1])) and more.endswith("\n".join(lines[here.end :]))
    assert region(more) is not None
