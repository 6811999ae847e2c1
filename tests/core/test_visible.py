"""What of a text reaches a terminal: nothing that steers it or hides, all that scripts and emoji need."""

from __future__ import annotations

import sys
import unicodedata

import pytest

from zsmem_tui.core.visible import visible, visible_line

SEEN = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}
"""Format characters that are drawn: signs that span numbers."""


def test_no_control_or_format_character_stays_as_it_is() -> None:
    for code in range(sys.maxunicode + 1):
        char = chr(code)
        if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") and code not in SEEN:
            assert char not in visible_line(f"a{char}b"), hex(code)
            assert char in "\t\n" or char not in visible(f"a{char}b"), hex(code)


@pytest.mark.parametrize(
    "text",
    [
        "می‌خواهم",
        "👩‍👩‍👧‍👦 ❤️ ☎︎ 1️⃣",
        "🏳️‍🌈 👨🏽‍🚀 🇩🇪",
        "क्‍ष क्‌ष",
        "ශ්‍රී",
        "葛\U000e0100城",
        "e\u0301 ü ß ſ",
        "شلوم ١٢٣ \u0600١",
        "日本語 한국어 ไทย",
        "a\tb\nc",
    ],
)
def test_what_scripts_and_emoji_need_stays(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\u061cb", "a⟨U+061C⟩b"),
        ("a\U000e0041\U000e0042b", "a⟨U+E0041⟩⟨U+E0042⟩b"),
        ("🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f!", "🏴⟨gbeng⟩!"),
        ("🏴\U000e0049\U000e0067", "🏴⟨U+E0049⟩⟨U+E0067⟩"),
        ("pass\u200dword \u200cx", "pass⟨U+200D⟩word ⟨U+200C⟩x"),
        ("م\u200c\u200d\u200c", "م\u200c⟨U+200D⟩⟨U+200C⟩"),
        ("❤\ufe0f\ufe01\ufe02", "❤\ufe0f⟨U+FE01⟩⟨U+FE02⟩"),
        ("a\U000e0100\U000e0111", "a⟨U+E0100⟩⟨U+E0111⟩"),
        ("soft\u00adhyphen \u3164 \x1b[31m \udcff \x85", "soft⟨U+00AD⟩hyphen ⟨U+3164⟩ ␛[31m \ufffd ⟨U+0085⟩"),
    ],
)
def test_what_steers_or_hides_is_shown(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_a_name_has_no_line_break() -> None:
    assert visible_line("a\nb\tc") == "a␊b␉c"
