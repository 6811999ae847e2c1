"""What of a file is frontmatter, and what is its text."""

from __future__ import annotations

from zsmem_tui.core.frontmatter import split_frontmatter
from zsmem_tui.core.markdown import MAX_FIELDS


def test_frontmatter_and_the_blank_line_below_it_come_off() -> None:
    assert split_frontmatter(b"\xef\xbb\xbf---\r\na: b\r\n---\r\n\r\ntext\r\n") == (b"a: b\r", b"text\r\n")
    assert split_frontmatter(b"---\n---\ntext\n") == (b"", b"text\n")
    assert split_frontmatter(b"---\na: b\ntext\n") == (b"", b"---\na: b\ntext\n")


def test_text_between_two_rules_is_no_frontmatter() -> None:
    for text in (b"---\nAn introduction.\n---\ntext\n", b"---\n" + b"- a: fact\n" * MAX_FIELDS + b"---\n"):
        assert split_frontmatter(text) == (b"", text)
