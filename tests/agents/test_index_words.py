"""What Claude Code's index says itself, beside its lines about topics."""

from __future__ import annotations

import pytest

from zsmem_tui.agents.claude_code import index

TOPICS = ("a.md", "deep/b.md")


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"# Memory Index\n\n- [A](a.md) - hook\n", b""),
        (b"- port 9999\n", b"- port 9999\n"),
        (b"\xef\xbb\xbf# Index\n\n- [A](A.md)\n  more of it\n- fact\n  more\n", b"# Index\n\n- fact\n  more\n"),
        (b"# Index\n\n## One\n\n- [A](a.md)\n\n## Two\n\n- fact\n", b"# Index\n\n## Two\n\n- fact\n"),
        (b"```\n- [A](a.md)\n```\n", b"```\n- [A](a.md)\n```\n"),
        (b"see [A](a.md) first\n- [Gone](gone.md) - hook\n", b"see [A](a.md) first\n- [Gone](gone.md) - hook\n"),
        (b"- [[b]] - hook\r\n- fact\r\n", b"- [[b]] - hook\r\n- fact\r\n"),
        (b"", b""),
    ],
)
def test_own_words_are_all_but_lines_about_topics_that_are_there(raw: bytes, words: bytes) -> None:
    assert index.own_words(raw, TOPICS) == words
    assert b"".join(part.text for part in index.parts(raw, TOPICS)) == raw
    left = index.without_words(raw, words, TOPICS)
    assert left is None or b"fact" not in left
