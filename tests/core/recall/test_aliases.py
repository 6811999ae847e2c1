"""The line of aliases of a note."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zsmem_tui.core.errors import BadContent
from zsmem_tui.core.recall.aliases import MOST, aliases_of, with_aliases


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("# Redis\n\nKeeps berths.\n", "# Redis\naliases: cache\n\nKeeps berths.\n"),
        ("# Redis\nKeeps berths.\n", "# Redis\naliases: cache\n\nKeeps berths.\n"),
        ("# Redis", "# Redis\naliases: cache\n"),
        ("Redis\n=====\n\nKeeps.", "Redis\n=====\naliases: cache\n\nKeeps."),
        ("---\nname: x\n---\n# Redis\n\nKeeps.", "---\nname: x\n---\n# Redis\naliases: cache\n\nKeeps."),
        ("---\nname: x\n---\nKeeps.", "---\nname: x\n---\naliases: cache\n\nKeeps."),
        ("Keeps berths.", "aliases: cache\n\nKeeps berths."),
        ("", "aliases: cache\n"),
        ("\ufeff# Redis\n\nKeeps.", "\ufeff# Redis\naliases: cache\n\nKeeps."),
        ("\ufeffKeeps berths.\n", "\ufeffaliases: cache\n\nKeeps berths.\n"),
        ("\ufeffaliases: hot\n\nKeeps.", "\ufeffaliases: hot, cache\n\nKeeps."),
        ("```\n# no heading\n```\n# Redis\n", "```\n# no heading\n```\n# Redis\naliases: cache\n"),
        ("<!--\n# none\n-->\n# Redis\n", "<!--\n# none\n-->\n# Redis\naliases: cache\n"),
        ("- # item\n\n# Redis\n", "- # item\n\n# Redis\naliases: cache\n"),
        ("Redis\nof all\n===\n\nKeeps.", "Redis\nof all\n===\naliases: cache\n\nKeeps."),
        ("---\nname: x\n---\n", "---\nname: x\n---\naliases: cache\n"),
        ("# Redis\r\n\r\nKeeps.\r\n", "# Redis\r\naliases: cache\r\n\r\nKeeps.\r\n"),
        ("# Redis\n\naliases: hot\n\nKeeps.", "# Redis\n\naliases: hot, cache\n\nKeeps."),
        ("# Redis\naliases: hot, Cache\n", "# Redis\naliases: hot, Cache\n"),
        ("# Redis\n\nThe CACHE of berths.", "# Redis\n\nThe CACHE of berths."),
    ],
)
def test_an_alias_stands_directly_below_the_first_heading(before: str, after: str) -> None:
    assert with_aliases(before, ["cache"]) == after


def test_aliases_are_merged_once_each_in_their_order() -> None:
    text = with_aliases("# Redis\n\nKeeps.", ["hot store", " port-6379 ", "Hot Store"])
    assert aliases_of(text) == ("hot store", "port-6379")
    assert aliases_of(with_aliases(text, ["port-6379", "in-memory"])) == ("hot store", "port-6379", "in-memory")


@pytest.mark.parametrize("alias", ["a, b", "a\nb", "a\rb", "[link]", "x]", "", "  ", "?!", "a\x1b[1m", "x" * 61])
def test_what_can_be_no_alias_is_refused_with_a_sentence(alias: str) -> None:
    with pytest.raises(BadContent, match="Nothing was written"):
        with_aliases("# Redis", [alias])


def test_too_many_are_refused() -> None:
    with pytest.raises(BadContent, match=f"{MOST} aliases"):
        with_aliases("# Redis", [f"name {number}" for number in range(MOST + 1)])


@given(st.text(alphabet="# -=`~a\n\r:\t|*", max_size=40))
def test_nothing_of_a_note_is_lost_and_the_alias_is_read_again(text: str) -> None:
    after = with_aliases(text, ["zzz"])
    assert "zzz" in aliases_of(after)
    assert with_aliases(after, ["zzz"]) == after
    left = iter(after)
    assert all(sign in left for sign in text)
