"""The preview against a second, deliberately naive implementation, and its words."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.builders import PROJECT, AStore
from tests.core.naive_preview import naive
from zsmem_tui.core.context import Block, Section, whole_pieces
from zsmem_tui.core.notice import sentences
from zsmem_tui.core.preview import Preview, State, explain
from zsmem_tui.core.profile import Profile
from zsmem_tui.core.tree import EntryKind
from zsmem_tui.service.previewing import Subject, findings, preview, subject
from zsmem_tui.store.reader import StoreReader

HOME = f"projects/{PROJECT}"
DAYS = ("2026-05-24", "2026-05-25")
PIECES = [
    "- [ ] do",
    "* [ ]",
    "  - [ ] in",
    "- [x] done",
    "fact",
    "",
    " ",
    "日本語",
    "😀 x",
    "\ttab",
    "a\rb",
    "## head",
    "\x1b[31m",
    "x" * 60,
]
NAMES = ["2026-05-24", "2026-05-25", "2026-05-20", "2026-06-01", "notes", "2026-5-1", "9999-99-99"]


def some_text(dice: random.Random) -> bytes:
    ends = dice.choice([["\n"], ["\r\n"], ["\n", "\r\n", "\n\n"]])
    text = "".join(dice.choice(PIECES) + dice.choice(ends) for _ in range(dice.randrange(12)))
    if dice.random() < 0.3:
        text = text.rstrip("\n")
    return text.encode() + (b"\xff" if dice.random() < 0.05 else b"")


def some_store(dice: random.Random) -> dict[str, bytes]:
    files = {}
    if dice.random() < 0.9:
        files["MEMORY.md"] = some_text(dice) + (b"fact\n\n" * 26_300 if dice.random() < 0.02 else b"")
    if dice.random() < 0.8:
        files[f"{HOME}/SCRATCHPAD.md"] = some_text(dice)
    for name in dice.sample(NAMES, dice.randrange(5)):
        files[f"{HOME}/daily/{name}.md"] = some_text(dice)
    return files


@pytest.mark.parametrize("profile", list(Profile))
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 5))])
def test_a_hundred_stores_a_seed_are_as_a_naive_implementation_has_them(tmp_path: Path, profile: Profile, seed: int) -> None:
    dice = random.Random(f"{profile}{seed}")
    lost_in_all = 0
    for number in range(100):
        files = some_store(dice)
        store = AStore(tmp_path / str(number))
        for path, raw in files.items():
            store.has(path, raw)
        cap = dice.choice([0, 1, dice.randrange(60), dice.randrange(400), dice.randrange(2_000), 1 << 20])
        seen = preview(store.session(inject_cap=cap, profile=profile))
        block, lost = naive(files, profile, DAYS, HOME, cap)
        assert seen.text == block, (files, cap)
        assert [tuple(each)[:4] for each in seen.lost] == lost, (files, cap)
        assert seen.text == store.session(inject_cap=cap, profile=profile).mem().context_block()
        assert_rows_are_the_block(seen)
        lost_in_all += len(lost)
    assert lost_in_all > 50


def assert_rows_are_the_block(seen: Preview) -> None:
    """What the rows show as standing there is the block, and what they strike out is what is lost."""
    if seen.text is None:
        return
    shown = [row.text for row in seen.rows if row.text or not row.lost]
    flat = "\n".join(shown).replace("\r", "")
    assert flat.replace("\n", "") == seen.text.replace("\r", "").replace("\n", "")
    struck = [(row.path, row.line) for row in seen.rows if row.lost.strip() and row.path]
    assert set(struck) >= {(each.path, each.line) for each in seen.lost}


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    return AStore(tmp_path / "agent" / "memory")


def test_a_line_cut_in_the_middle_is_lost_and_marked_as_cut(store: AStore) -> None:
    store.has("MEMORY.md", "first fact\nsecond fact\nthird fact\n")
    seen = preview(store.session(inject_cap=54))
    assert [(each.line, each.text, each.cut) for each in seen.lost] == [(1, "second fact", True), (2, "third fact", False)]
    assert seen.uses[0].state is State.TRUNCATED and (seen.uses[0].lines, seen.uses[0].total) == (1, 3)


def test_any_day_and_either_profile_can_be_asked_for(store: AStore) -> None:
    store.has("~/daily/2026-05-20.md", "old\n").has("~/daily/2026-05-25.md", "today\n")
    session = store.session()
    assert "old" in (preview(session, subject(session)._replace(day="2026-05-21")).text or "")
    released = preview(session, Subject(PROJECT, "", Profile.ZEROSTACK_1_7)).text or ""
    assert "old" in released and "today" in released


def test_unsaved_text_stands_for_the_file(store: AStore) -> None:
    store.has("MEMORY.md", "short\n")
    long = preview(store.session(), unsaved={"MEMORY.md": "x" * 200_000})
    assert long.uses[0].state is State.SKIPPED and len(long.lost) == 1
    assert "unsaved" in (preview(store.session(), unsaved={"MEMORY.md": "unsaved"}).text or "")
    store.at("broken.md").symlink_to("nowhere")
    store.at("link.md").symlink_to("MEMORY.md")
    names = ("MEMORY.md", "broken.md", "link.md", "new.md")
    tree, disk = StoreReader(str(store.root), dict.fromkeys(names, "x")).tree(), StoreReader(str(store.root)).tree()
    assert [tree.entry(name) == disk.entry(name) for name in names] == [True, False, True, False]
    assert all((found := tree.entry(name)) and found.kind is EntryKind.FILE for name in names)


def test_warnings_name_what_the_agent_is_silent_about(store: AStore, tmp_path: Path) -> None:
    store.has("MEMORY.md", "- the port of the lantern is 8080\n</memory>\n" + "x" * 30_000)
    store.has("~/SCRATCHPAD.md", "- [ ] seen\n+ [ ] unseen\n1. [ ] unseen\n\uff3b \uff3d unseen\n- [x] done\n- [ ]x seen\n")
    store.has("~/daily/2027-01-01.md", "future\n").has("~/daily/2026-13-45.md", "no day\n").has("~/daily/2026-05-25.md", b"\xff")
    folder = tmp_path / "code"
    folder.mkdir()
    (folder / "AGENTS.md").write_text("* the port of  the lantern is 8080\n")
    session = store.session()
    session.folder = str(folder)
    found = "\n".join(sentences(findings(session)))
    for words in (
        "holds </memory>, which ends the block early",
        "3 checklist lines of",
        "(line 2: + [ ] unseen)",
        "2027-01-01.md comes after today's",
        "2026-13-45.md comes after today's",
        "2026-05-25.md is not valid UTF-8",
        "1 line of the memory also stands in",
        "is paid for twice: - the port of the lantern is 8080",
        "bytes in every prompt",
        "Scratchpad (open items) falls next",
    ):
        assert words in found, words
    store.has("MEMORY.md", "x\n" * 20_000)
    assert "not whole in the prompt" in "\n".join(sentences(findings(session)))


def test_a_cap_of_nothing_and_one_of_everything(store: AStore) -> None:
    store.has("MEMORY.md", "fact\n")
    assert preview(store.session(inject_cap=0)).lost[0].text == "fact"
    assert not preview(store.session(inject_cap=1 << 30)).lost
    assert preview(store.session(), Subject("gone-00000000", "", Profile.DOCUMENTED)).uses
    store.at("MEMORY.md").unlink()
    assert preview(store.session()) == Preview(None, 32_768, 0, (), (), ())


def test_blank_lines_that_are_left_out_stand_among_the_lost_ones() -> None:
    body = "one\n\ntwo\n\nthree"
    section = Section("S", "\n## S\n", body, "S.md", range(5))
    for cap in range(len(section.text) + 1):
        block = Block((section,), tuple(whole_pieces([section])), cap, "<", "\n>", "\n…")
        rows = [row for row in explain(block, {}).rows if row.path]
        below = [row for row in rows if row.line > next((row.line for row in rows if row.lost), 9)]
        assert [row.line for row in rows] == [0, 1, 2, 3, 4] and not any(row.text for row in below), cap
