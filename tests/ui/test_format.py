"""Values as words and rows: no program is started."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from tests.builders import NOW, AStore
from zsmem_tui.config.model import Config
from zsmem_tui.core.notice import Notice, NoticeKind
from zsmem_tui.core.preview import Told
from zsmem_tui.core.version import Origin, Version, agent_author
from zsmem_tui.service import previewing, reviewing
from zsmem_tui.service.facts.rows import FactReader, Scope
from zsmem_tui.service.news import nobody_since
from zsmem_tui.service.plan import Edit
from zsmem_tui.service.stores import open_store
from zsmem_tui.service.watching import PromptUse
from zsmem_tui.ui import wording as common
from zsmem_tui.ui.facts import rows as facts
from zsmem_tui.ui.history.screen import without_title
from zsmem_tui.ui.memory import tree_nodes
from zsmem_tui.ui.memory.reading import welcome
from zsmem_tui.ui.plans import fate_of
from zsmem_tui.ui.prompt import wording as prompt
from zsmem_tui.ui.review import screen as review_rows
from zsmem_tui.ui.triage import rows as tasks
from zsmem_tui.ui.widgets.frame import run_on


@pytest.mark.parametrize(
    ("used", "said"),
    [(32_768, "32K of 32K"), (32_297, "31K of 32K"), (32_767, "31K of 32K"), (31_700, "31K of 32K"), (40_000, "39K, 32K loaded")],
)
def test_what_has_room_left_does_not_read_as_full(used: int, said: str) -> None:
    assert common.prompt(PromptUse(used, 32_768)) == f"prompt {said}"
    assert common.part_of(9_210, 9_216) == "8.9K"


def test_blocks_of_one_label_are_told_apart_by_where_they_are(tmp_path: Path) -> None:
    store = AStore(tmp_path / "blocks").has("a.md", "---\nlabel: human\n---\none\n").has("b.md", "---\nlabel: human\n---\ntwo\n")
    store.has("c.md", "---\nlabel: other\n---\nthree\n")
    seen = previewing.preview(open_store(Config(), f"opencode:{store.root}", cwd=str(tmp_path), clock=lambda: NOW))
    shown = ["".join(text for text, _ in prompt.use_row(use, seen).pieces) for use in seen.uses]
    assert sorted(shown) == ["  human a.md", "  human b.md", "  other"]


def test_prompts_are_compared_with_all_that_is_loaded_into_them(store: AStore) -> None:
    told = (Told("/w/CLAUDE.md", "- use tabs\n", ()),)
    seen = previewing.preview(store.has("MEMORY.md", "- one\n").session())
    assert prompt.in_all(seen) == seen.text
    shown = [row.whole for row in prompt.shown_rows(seen._replace(beside=told), "all")]
    assert prompt.in_all(seen._replace(beside=told)).split("\n") == shown and "- use tabs" in shown
    assert prompt.in_all(seen._replace(text=None, beside=told)).endswith("CLAUDE.md\n- use tabs")
    assert prompt.in_all(seen._replace(text=None)) == ""


def test_what_is_wrong_in_a_group_is_counted_over_its_files() -> None:
    loose, dead, double = (Notice(rule) for rule in (NoticeKind.UNLISTED, NoticeKind.DEAD_LINK, NoticeKind.DOUBLE_LINK))
    assert tree_nodes.listing_marks([loose, dead, loose, double]) == "! 2 not in index, 1 dead link"
    assert (
        tree_nodes.listing_marks([dead, double]) == "! 1 dead link, 1 double link"
        and tree_nodes.listing_marks([loose]) == "! 1 not in index"
    )
    assert tree_nodes.listing_marks([]) == ""


@pytest.mark.parametrize(
    ("store", "command"),
    [("zerostack", "zsmem --root DIR"), ("claude-code", "--store claude-code:DIR"), ("ethos", "--store ethos:DIR")],
)
def test_a_memory_that_cannot_be_read_says_what_opens_another_one_of_its_kind(tmp_path: Path, store: str, command: str) -> None:
    session = open_store(Config(), f"{store}:{tmp_path}", cwd="/w", clock=lambda: NOW)
    assert command in welcome(session, "no permission")
    assert ("zsmem write" in welcome(session, "")) is (store == "zerostack")


def test_all_who_wrote_a_file_are_named_in_its_title(tmp_path: Path) -> None:
    store = AStore(tmp_path / "store").has("MEMORY.md", "- one\n")
    store.looked_at()
    for names, title in (
        (("codex", "codex"), "MEMORY.md · codex · 2 writes"),
        (("gemini",), "MEMORY.md · gemini, codex · 3 writes"),
    ):
        for name in names:
            agent = store.session()
            agent.writer = agent_author(name)
            agent.mem().write("long_term", f"- of {name}")
        [change] = reviewing.pending(session := store.session())
        assert review_rows.pending_title(change, session) == title


@pytest.mark.parametrize(("seconds", "shown"), [(1, "%H:%M"), (5 * 3600, "%H:%M"), (20 * 3600, "%Y-%m-%d %H:%M")])
def test_nothing_to_review_names_the_moment_since_when(seconds: int, shown: str) -> None:
    when = datetime(2026, 5, 25, 14, 2)
    now_ns = (int(when.timestamp()) + seconds) * 10**9
    last = Version("1", "MEMORY.md", int(when.timestamp()) * 10**9, Origin.OTHER, "", "", "", "", "", "", 1, 0)
    assert f"Nobody else has written since {when.strftime(shown)}." in nobody_since(last, now_ns)


def test_the_key_that_takes_a_step_back_stands_where_a_narrow_screen_shows_it() -> None:
    first, rest = "Followed ~/code/lantern to ~/code/beacon: 9 files", "1 transcript stays where it is, and so does the rest."
    assert common.undoable(f"{first}. {rest}", "", "u to undo") == f"{first} · u to undo. {rest}"
    quoted = "Deleted “Redis listens on 6380, not 6379. The timeout is 30 seconds. It stays so.” in MEMORY.md"
    assert common.undoable(f"{quoted}. It was lost.", "", "u") == f"{quoted} · u. It was lost."
    assert common.undoable("Deleted n. MEMORY.md follows.", "", "u to undo") == "Deleted n. MEMORY.md follows · u to undo"
    assert (
        common.undoable(f"{first} and nothing else of all that there is.", "", "u")
        == f"{first} and nothing else of all that there is · u"
    )


def test_a_file_that_came_or_went_on_disk_is_not_called_changed(tmp_path: Path) -> None:
    session = AStore(tmp_path / "store").session()
    one, other = session.ref_at("notes/one.md"), session.ref_at("notes/other.md")
    assert common.change({one}, None, session, {}, {one}) == "notes/one.md is new on disk."
    assert common.change({one}, None, session, {one}, {}) == "notes/one.md was deleted on disk."
    assert common.change({one}, None, session, {}, {}) == "notes/one.md was deleted on disk.", "told once more"
    assert common.change({one}, None, session, {one}, {one}) == "notes/one.md changed on disk."
    assert common.change({one, other}, None, session, {}, {one, other}) == "2 files are new on disk."
    assert common.change({one, other}, None, session, {one}, {one, other}) == "2 files differ on disk."
    assert common.change({one, other}, None, session, {one, other}, {}) == "2 files were deleted on disk."
    assert not common.change({one}, one, session, {}, {one})


@pytest.mark.parametrize(
    ("label", "short"),
    [
        ("Saved MEMORY.md", "Saved"),
        ("Restored a version of MEMORY.md", "Restored a version"),
        ("Doctor: mended 2 findings in MEMORY.md", "Doctor: mended 2 findings"),
        ("Moved “a fact” to MEMORY.md", "Moved “a fact” to MEMORY.md"),
        ("Deleted n and MEMORY.md", "Deleted n and MEMORY.md"),
        ("Moved “a fact” to n", "Moved “a fact” to n"),
    ],
)
def test_a_step_of_a_file_is_called_without_its_title_unless_it_would_end_in_the_air(label: str, short: str) -> None:
    assert without_title(label, "MEMORY.md") == short and without_title(label, "") == label


def test_a_share_too_small_for_a_bar_has_none_and_no_cap_has_no_share(tmp_path: Path) -> None:
    assert [prompt.bar(part, 5_000).count("█") for part in (0, 51, 500, 5_000, 9_000)] == [0, 0, 1, 10, 10]
    assert prompt.bar(51, 5_000).strip() == ""
    blocks = AStore(tmp_path / ".opencode" / "memory").has("project.md", "fine\n")
    seen = previewing.preview(open_store(Config(), f"opencode:{blocks.root}", cwd=str(tmp_path), clock=lambda: NOW))
    assert not seen.cap and prompt.bar_row(seen.uses[0], seen).pieces[1][0].strip() == ""


@pytest.mark.parametrize(("lines", "share"), [(20, "  10%"), (200, " 100%"), (333, " full")])
def test_what_fills_the_limit_and_is_cut_is_full_since_the_percentage_is_that_of_all_it_has(
    tmp_path: Path, lines: int, share: str
) -> None:
    store = AStore(tmp_path / ".claude").has("projects/-w/memory/MEMORY.md", "- one\n" * lines)
    seen = previewing.preview(open_store(Config(), f"claude-code:{store.root}", group="project:-w", clock=lambda: NOW))
    assert f"{share}  " in prompt.bar_row(seen.uses[0], seen).pieces[2][0]


def test_lines_are_said_to_be_of_text_only_where_blank_ones_do_not_count(store: AStore) -> None:
    session = store.has("MEMORY.md", "# Memory\n\n- one\n\n- two\n").session()
    seen = previewing.preview(session)
    assert "3 lines of text, " in prompt.bar_row(seen.uses[0], seen).pieces[2][0]
    edit = Edit(session, session.ref_at("MEMORY.md"), b"- one\n", b"- one\n\n```\na\n\nb\n```\n")
    assert fate_of(edit) == "changes, +6 -0 lines"


def test_no_facts_under_a_filter_says_how_many_hold_its_words() -> None:
    assert (
        facts.nothing(True, "lost or cut", "retry", 1)
        == "1 fact holds 'retry', none of them under “lost or cut”. f shows others, esc drops the filter."
    )
    assert facts.nothing(True, "not loaded", "") == "No fact is under “not loaded”. f shows others, w shows all memories."
    said = "No fact here holds 'retry'. esc drops the filter; enter, then w shows all memories."
    assert facts.nothing(True, "lost or cut", "retry", 0) == said
    assert facts.nothing(True, "lost or cut", "retry", 0, is_of_all=True) == said.partition(";")[0] + "."


def test_of_a_file_that_cannot_be_read_the_title_is_said_once(store: AStore) -> None:
    session = store.has("~/notes/b.md", b"\xff").session()
    [(path, why)] = FactReader(session).read(Scope.ALL).problems.items()
    assert facts.unread(path, why, session) == "demo-1a2b3c4d · note b is not valid UTF-8"


def test_of_a_path_of_headings_the_last_is_seen() -> None:
    assert common.short_path("a › b › c › d", 13) == "a › b › c › d"
    assert common.short_path("a › b › c › long", 15) == "a › … › long"


def test_lines_of_a_notice_that_has_no_room_do_not_run_into_each_other() -> None:
    assert run_on("a fact of words\nA  Fix it.\nenter", 6, 1) == "of words · A  Fix it. enter"


def test_what_done_items_still_add_to_a_prompt_does_not_read_as_saved() -> None:
    assert tasks.cost((620, 141), (674, 152)) == "open items add 620B, 141 tokens (at first 674B, 152)"
    said = tasks.cost((620, 141), (674, 152), "Claude Code")
    assert said == "open items add 620B, 141 tokens; Claude Code loads done ones, too"
    assert tasks.cost((620, 141), (620, 141), "Claude Code") == "open items add 620B, 141 tokens"
