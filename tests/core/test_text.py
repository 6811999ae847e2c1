from __future__ import annotations

from time import process_time

from hypothesis import given
from hypothesis import strategies as st

from zsmem_tui.core import text
from zsmem_tui.core.errors import ConfigError, RemoteFailed, RuleBroken
from zsmem_tui.core.text import WHITE_SPACE, cut, line_end, lines, listed, printable_path, shortened, trim, truncate, words


def test_a_sentence_repeats_no_word_that_names_nothing() -> None:
    path = "/" + "/".join(["d" * 250] * 16)
    for said in ("x" * 255, f"{path}: it is a folder.", "many short words " * 500):
        assert str(ConfigError(said, said)) == ConfigError(said, said).hint == said
    for word in ("x" * 100_000, "x" * 300, "é" * 5_000, "a/" * 50_000, f"{path}/{'y' * 300}"):
        error = ConfigError(f"there is no verb {word!r}. Nothing was done.", f"Not {word}, then.")
        assert len(error.message) < 4_500 and error.message.startswith(f"there is no verb {word[:20]!r}"[:-1])
        assert error.message.endswith(f"{word[-20:]}'. Nothing was done.") and "…" in error.message
        assert len(error.hint) < 4_500 and str(error) == error.message
    of_git, of_a_rule = RemoteFailed("no", "try", "git said"), RuleBroken("rule", "no", "try")
    assert (of_git.message, of_git.hint, of_git.said) == ("no", "try", "git said")
    assert (of_a_rule.message, of_a_rule.hint, of_a_rule.rule) == ("no", "try", "rule")


def test_the_first_of_several_are_named_and_the_others_counted() -> None:
    assert [listed(["a", "b", "c"], most) for most in (1, 2, 3, 4)] == ["a and 2 more", "a, b and 1 more", "a, b, c", "a, b, c"]
    assert listed([], 2) == ""


TEXTS = st.text(alphabet=st.sampled_from("ab \t\n\r\x0b\x0c\x1c\x85\u2028é記👍"), max_size=60)


def test_only_a_line_feed_ends_a_line() -> None:
    assert lines("a\x0bb\x0cc\x1cd\x85e\u2028f\rg\nh\r\n\r\r\ni\r") == ["a\x0bb\x0cc\x1cd\x85e\u2028f\rg", "h", "\r", "i\r"]


def test_information_separators_are_not_white_space() -> None:
    assert trim("\u3000\x1c x\x1f\u00a0") == "\x1c x\x1f"
    assert words("a\x1cb\u2003c") == ["a\x1cb", "c"]


@given(TEXTS)
def test_lines_hold_everything_but_line_ends(text: str) -> None:
    assert all("\n" not in line for line in lines(text))
    assert "".join(lines(text)).replace("\r", "") == text.replace("\n", "").replace("\r", "")


@given(TEXTS, st.integers(0, 70))
def test_a_cut_is_the_longest_start_that_fits(text: str, limit: int) -> None:
    kept = cut(text, limit)
    assert text.startswith(kept) and len(kept.encode()) <= limit
    assert kept == text or len(text[: len(kept) + 1].encode()) > limit
    assert truncate(text, limit, "…") == (text if kept == text else kept + "…")


@given(TEXTS)
def test_words_hold_no_white_space_and_lose_nothing_else(text: str) -> None:
    assert "".join(words(text)) == "".join(char for char in text if char not in WHITE_SPACE)


@given(st.text(st.characters(exclude_characters="\n"), max_size=20))
def test_any_path_can_be_shown_also_one_with_half_a_character(path: str) -> None:
    shown = printable_path(path)
    shown.encode()
    assert printable_path("a\ud800b\udc80c\udcffd") == "a\ufffdb\ufffdc\ufffdd" and printable_path(shown) == shown


def test_a_line_begins_and_ends_where_it_does_or_where_no_more_is_looked_at() -> None:
    assert [text.line_begin("ab\ncd\n", at, -3) for at in range(7)] == [0, 0, 0, 3, 3, 3, 6]
    assert [text.line_begin("ab\ncd", 5, least) for least in range(6)] == [3, 3, 3, 3, 4, 5]
    assert [line_end("ab\ncd", at, 5) for at in range(5)] == [2, 2, 2, 5, 5]
    assert (line_end("\n", 0, 1), line_end("ab\ncd", 0, 2), line_end("ab\ncd", 0, 3), line_end("", 0, 0)) == (0, 2, 2, 0)


def test_thousands_of_long_words_are_shortened_in_little_time() -> None:
    start = process_time()
    found = shortened("\n".join(f"{number}{'x' * 300} /{number}/{'y' * 300}" for number in range(6_000)))
    assert len(found) < 6_000 * 300 and found.endswith(f"{'x' * 60} /5999/{'y' * 60}…{'y' * 60}")
    assert process_time() - start < 2, "seconds of processor time"
