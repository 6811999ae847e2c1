"""Many items into one file: as if each had been joined to the whole text, whatever stood there."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zsmem_tui.core.import_item import ImportItem
from zsmem_tui.core.refs import Role
from zsmem_tui.service.import_targets import TargetFile, joined
from zsmem_tui.service.plan import Policy

LINES = st.sampled_from(["a", "- a", "b  c", "- b c", "* d", "é\u3000f", "```\nx\n```", "\ufeffa", "a\r"])
ITEMS = st.one_of(
    st.builds(lambda text, listed: ImportItem("s", Role.FACTS, "", text, listed=listed), LINES, st.booleans()),
    st.builds(lambda text: ImportItem("s", Role.LOG, "2026-01-01", f"\n### 09:00 — x\n{text}\n"), LINES),
    st.builds(lambda text: ImportItem("s", Role.LOG, "2026-01-01", f"### 1\n{text}\n### 2\nb\n"), LINES),
    st.builds(lambda text: ImportItem("s", Role.NOTE, "n", text), LINES),
)
BEFORE = st.none() | st.sampled_from([b"", b"- a", b"- a\n", b"b c\r\n", b"\xef\xbb\xbfa\n", b"### 1\na\n"])


@given(BEFORE, st.lists(ITEMS, max_size=6))
def test_a_file_holds_what_joining_one_item_after_the_other_makes(before: bytes | None, items: list[ImportItem]) -> None:
    file, plain = TargetFile(before), before
    for item in items:
        after = joined(plain, item, Policy.MERGE)
        assert file.has(item) == (after == plain)
        if after != plain:
            file.put(item, Policy.MERGE)
            plain = after
        assert file.now == plain
    assert file.before == before


def test_what_comes_into_a_file_ends_its_lines_as_the_file_does() -> None:
    for role, name, text in (
        (Role.FACTS, "", "a"),
        (Role.FACTS, "", "a\nb"),
        (Role.LOG, "2026-01-01", "### 1\na\n"),
        (Role.LOG, "2026-01-01", "### 0\nd\ne\n"),
    ):
        file, item = TargetFile(b"\xef\xbb\xbf### 0\r\nd\r\n"), ImportItem("s", role, name, text)
        file.put(item, Policy.MERGE)
        now = file.now or b""
        assert now.count(b"\r\n") == now.count(b"\n") > 2 and now.startswith(file.before or b"-"), now
        assert file.has(item) and TargetFile(now).has(item)


def test_an_item_is_there_once_it_was_put() -> None:
    file = TargetFile(None)
    fact = ImportItem("s", Role.FACTS, "", "a", listed=True)
    assert not file.has(fact) and not file.is_there
    file.put(fact, Policy.MERGE)
    assert file.now == b"- a\n" and file.has(fact)
    assert TargetFile(b"\xff").problem == "is not valid UTF-8" and not TargetFile(b"").problem


def test_an_entry_of_a_day_or_a_fact_of_several_lines_is_there_only_with_its_whole_lines() -> None:
    day = TargetFile(b"\n### 09:00 \xe2\x80\x94 t\nwords and more\n")
    entry = ImportItem("d", Role.LOG, "2026-05-23", "\n### 09:00 — t\nwords\n")
    assert not day.has(entry)
    day.put(entry, Policy.MERGE)
    assert day.has(entry) and day.now == b"\n### 09:00 \xe2\x80\x94 t\nwords and more\n\n### 09:00 \xe2\x80\x94 t\nwords\n"
    facts = TargetFile(b"one\ntwo and more\n")
    assert not facts.has(ImportItem("f", Role.FACTS, "", "one\ntwo"))


def test_what_an_item_belongs_to_may_lack_lines_of_it_and_a_day_may_have_other_entries() -> None:
    note, day = TargetFile(b"a\nc\n"), TargetFile(b"\n### 08:00\nelse\n\n### 09:00\nwords\n")
    for file, role, text in ((note, Role.NOTE, "a\nb{}\n"), (day, Role.LOG, "\n### 09:00\nwor{}\nmore\n")):
        grows = [file.grows_by(ImportItem("s", role, "2026-05-23", text.format(rest))) for rest in ("\nc", "ds", "")]
        assert grows == [role is Role.NOTE, role is Role.LOG, False]
    assert not TargetFile(None).grows_by(ImportItem("s", Role.LOG, "2026-05-23", "a"))


@given(st.text(" \n\r\tab#", min_size=1).filter(str.strip))
def test_a_day_that_came_in_is_there(text: str) -> None:
    day = ImportItem("d", Role.LOG, "2026-05-23", text)
    for before in (None, b"words", b"\n### 09:00 x\n"):
        file = TargetFile(before)
        if not file.has(day):
            file.put(day, Policy.MERGE)
        assert file.has(day)
