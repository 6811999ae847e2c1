"""What an ignore file takes out, as git has it."""

from __future__ import annotations

import pytest

from zsmem_tui.core.ignore_rules import is_ignored, parse


@pytest.mark.parametrize(
    ("text", "out", "stays"),
    [
        ("*.log", "a.log b/c.log .log", "a.log/x a.logs alog"),
        ("/a.log", "a.log", "b/a.log"),
        ("b/c", "b/c", "x/b/c b/c/d"),
        ("a/", "a/ b/a/", "a b/a"),
        ("a/\r\n# no\n\n \nb  ", "a/ b", "a no #"),
        ("\\#a\n\\!b\nc\\ ", "#a !b", "a b \\#a"),
        ("*\n!b\n!/x/c", "a x/a", "b x/b x/c"),
        ("!a\na", "a", "b"),
        ("**/b/c", "b/c a/b/c a/a/b/c", "ab/c b/c/d"),
        ("a/**", "a/b a/b/c", "a ba/b"),
        ("a/**/c", "a/c a/b/c a/b/b/c", "a/bc ac"),
        ("**", "a a/b", ""),
        ("a**/c", "ab/c a/c", "a/b/c"),
        ("a**", "a ab x/ab", "a/b"),
        ("a?c", "abc x/abc", "a/c ac abbc"),
        ("a[bc]d", "abd acd", "ad aed abcd"),
        ("a[!b]d\na[^x-z]e", "acd ace", "abd aye"),
        ("a[]b]c", "a]c abc", "ac"),
        ("a[[]c", "a[c", "abc"),
        ("a[b\na[[:alpha:]\na[[:foo:]]\na\\", "", "a[b ab a: a\\"),
        ("a\\*b", "a*b", "axb"),
        ("a[[:digit:][:upper:]_]", "a1 aB a_", "ab a: aé a["),
        ("a[![:space:]]\n[[:alpha:]][[:punct:]]", "ab a: b-", "a a/b -b"),
        ("a[c-a]\na[!c-a]d", "ac abd", "ab aa acd a/d"),
        ("a[\\]-\\^]", "a] a^", "a\\ a-"),
        ("a[b-]\na[:x]", "ab a- a: ax", "ac a]"),
        ("a[!b]c\na[+-9]c", "a.c axc", "a/c abc"),
        ("a//", "", "a/ a"),
        ("a.c", "a.c", "abc"),
        ("/", "", "a a/"),
        ("!", "", "a"),
    ],
)
def test_a_line_takes_out_what_it_matches(text: str, out: str, stays: str) -> None:
    for folder in ("", "x.y/z"):
        rules = list(parse(text, folder))
        for names, wanted in ((out, True), (stays, False)):
            for name in names.split():
                path = f"{folder}/{name}".strip("/")
                assert is_ignored(rules, path, name.endswith("/")) is wanted, path
                assert not folder or not is_ignored(rules, name.rstrip("/"), name.endswith("/")), "a rule holds below its folder"
