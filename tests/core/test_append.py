from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zsmem_tui.core.append import Deduplicated, appended, appended_alike, deduplicate, rewritten
from zsmem_tui.core.text import lines

LINES = st.lists(st.sampled_from(["a b", " a  b", "a\tb", "c", "", "  ", "a b\r", "A b"]), max_size=8).map("\n".join)


@given(st.binary(max_size=20), st.binary(max_size=20))
def test_an_append_keeps_every_byte_of_both(old: bytes, new: bytes) -> None:
    result = appended(old, new)
    assert result.startswith(old) and result.endswith(b"\n")
    assert len(result) - len(old) - len(new) in (0, 1, 2) and new in result


def test_line_ends_follow_a_file_where_all_its_lines_agree_and_bad_bytes_stay() -> None:
    assert appended_alike(b"a\r\nb", b"c\nd") == b"a\r\nb\r\nc\r\nd\r\n"
    assert appended_alike(b"a\r\nb\n", b"c\n") == b"a\r\nb\nc\n" and appended_alike(b"", b"c\r\nd") == b"c\r\nd\n"
    assert rewritten(b"a\xff\r\n", lambda text: text + "b\n") == b"a\xff\r\nb\r\n"
    assert rewritten(b"a\xff\r\nb\n", lambda text: text + "c") == b"a\xff\r\nb\nc"
    assert rewritten(None, lambda text: text or None) is None


@given(LINES, LINES)
def test_deduplication_adds_no_line_twice_and_drops_no_new_one(existing: str, content: str) -> None:
    found = deduplicate(existing, content)
    known = {" ".join(line.split()) for line in lines(existing)}
    kept = [" ".join(line.split()) for line in lines(found.kept or "") if line.split()]
    assert (len(kept) == len(set(kept)) and known.isdisjoint(kept)) or (not found.skipped and found.kept == content)
    assert found.kept is None or not found.skipped or kept, "blank lines alone are not worth writing"
    new = [line for line in content.split("\n") if line.split() and " ".join(line.split()) not in known]
    if found.kept is None:
        assert not new
    else:
        assert {" ".join(line.split()) for line in new} <= {" ".join(line.split()) for line in found.kept.split("\n")}
    assert found.skipped or found.kept == content


def test_a_repeat_within_what_comes_is_dropped_too_and_blank_lines_alone_are_nothing() -> None:
    assert deduplicate("", "a\n b\n a \n") == Deduplicated("a\n b\n", 1)
    assert deduplicate("a", "a\n\n") == Deduplicated(None, 1)
