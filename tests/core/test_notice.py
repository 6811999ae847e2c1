"""The words for findings."""

from __future__ import annotations

import pytest

from zsmem_tui.core.hazards import ends_block, hazards
from zsmem_tui.core.notice import Notice, NoticeKind, brief, over_limit, reasons, sentence, side_by_side


@pytest.mark.parametrize("rule", NoticeKind)
def test_every_rule_has_words_and_what_helps_is_a_sentence_or_nothing(rule: NoticeKind) -> None:
    assert "{" not in sentence(Notice(rule, "MEMORY.md", 3, "what was found", 4, 2))
    assert rule.helps == "" or rule.helps.endswith(".")


def test_braces_of_a_text_are_no_names_of_ours() -> None:
    assert (
        sentence(Notice(NoticeKind.DEAD_LINK, "{place}.md", 3, "{count}"))
        == "Line 3 of {place}.md leads to {count}, which is not there."
    )


def test_the_same_warning_has_the_same_words_before_and_after_a_write() -> None:
    (found,) = over_limit("MEMORY.md", 131_073, 131_072)
    assert sentence(found) == "MEMORY.md has 131,073 bytes: agents load none of it when it is over 131,072."
    assert over_limit("MEMORY.md", 131_072, 131_072) == over_limit("MEMORY.md", 131_073, None) == ()


def test_a_hazard_names_its_line_and_never_quotes_a_key() -> None:
    text = "fine\npassword: hunter2hunter2\n</memory>\n"
    assert [(each.kind, each.line) for each in hazards(text)] == [(NoticeKind.ENDS_BLOCK, 3), (NoticeKind.SECRET, 2)]
    assert "hunter2" not in repr(hazards(text))
    assert sentence(*ends_block(text, "MEMORY.md")) == "MEMORY.md holds </memory>, which ends the block early."


def test_findings_about_one_text_are_one_list_of_phrases() -> None:
    assert reasons((Notice(NoticeKind.BYTES_REPLACED), Notice(NoticeKind.SECRET))) == (
        "it is not valid UTF-8: characters were replaced, has the shape of a key or password"
    )
    assert reasons(()) == ""


def test_of_many_about_one_file_one_is_a_sentence_and_the_others_are_counted() -> None:
    loose = [Notice(NoticeKind.UNLISTED, "MEMORY.md", text=f"{name}.md") for name in "abc"]
    dead = [Notice(NoticeKind.DEAD_LINK, place, line, f"{line}.md") for place, line in (("a/MEMORY.md", 2), ("MEMORY.md", 7))]
    more = [*dead, *(Notice(NoticeKind.DEAD_LINK, "MEMORY.md", line, "x.md") for line in (8, 9))]
    cap = [Notice(NoticeKind.CONTEXT_SIZE, text=name, count=1) for name in "ab"]
    assert brief([*loose, *more, *cap], "zsmem doctor") == [
        "No line of MEMORY.md leads to a.md: the agent does not know that it is there. So it is with 2 more files.",
        "Line 2 of a/MEMORY.md leads to 2.md, which is not there.",
        "Line 7 of MEMORY.md leads to 7.md, which is not there. So it is with 2 more lines: zsmem doctor lists them.",
        *map(sentence, cap),
    ]
    assert brief(more)[1].endswith(" So it is with 2 more lines.")


def test_sentences_side_by_side_are_punctuated_once() -> None:
    assert side_by_side(["Ethos: nothing. Nobody chose.", "oh-my-pi: 3B"], "; ") == "Ethos: nothing. Nobody chose; oh-my-pi: 3B"
    assert side_by_side(["a", "b.", "V compares."], " · ") == "a · b · V compares." and side_by_side(["one."], "; ") == "one."
