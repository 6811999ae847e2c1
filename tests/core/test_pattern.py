"""A pattern that waits is the one that it stands for."""

from __future__ import annotations

import re

import pytest

from zsmem_tui.core.pattern import Pattern


def test_it_is_compiled_with_the_first_question_and_answers_as_re_does(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    real = re.compile

    def counted(text: str, flags: int = 0) -> re.Pattern[str]:
        compiled.append(text)
        return real(text, flags)

    monkeypatch.setattr(re, "compile", counted)
    word, text = Pattern("(?i)w(o)RD"), "a Word and a word"
    assert not compiled
    found = word.search(text)
    assert found is not None and found.span() == (2, 6)
    assert [each[1] for each in word.finditer(text)] == ["o", "o"] and word.match(text, 2) and not word.match(text)
    assert word.sub(r"<\1>", text) == "a <o> and a <o>" and word.split("1word2") == ["1", "o", "2"]
    assert compiled == ["(?i)w(o)RD"]
    with pytest.raises(AttributeError):
        assert word.nothing
