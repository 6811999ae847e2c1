from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.builders import AStore
from tests.ui.driving import NOW_NS, an_app, lit, running, screen_text, shows, to_changes, until
from tests.ui.several import CLAUDE, Machine
from zsmem_tui.service import checkups, history
from zsmem_tui.service.watching import PromptUse
from zsmem_tui.ui import wording
from zsmem_tui.ui.app import ZsmemApp
from zsmem_tui.ui.keys.bindings import ACTIONS, remapped
from zsmem_tui.ui.memory import checkups as checking
from zsmem_tui.ui.prompt.screen import PromptScreen
from zsmem_tui.ui.review.screen import ReviewScreen
from zsmem_tui.ui.triage.screen import TriageScreen
from zsmem_tui.ui.widgets.strip import TABS, Counts, ScreenStrip, share, spots
from zsmem_tui.ui.wording import to_decide, to_review

SOME = Counts("158%!", 4, 29, 3)


def strip(page: str, width: int, counts: Counts = SOME) -> str:
    return "".join(spot.text for spot in spots(ACTIONS, counts, page, width))


def test_every_screen_stands_there_with_its_key_and_what_waits_which_is_no_part_of_the_next() -> None:
    said = " 1 Memory  4 Prompt 158%!  5 Review ●4   6 Triage 29  7 Facts  8 Doctor 3    9 Import and export  0 Projects "
    assert strip("memory", 120) == said
    assert "8 Doctor 3+   9" in strip("memory", 120, SOME._replace(more_found=True))
    assert "5 Review ●4+  6" in strip("memory", 120, SOME._replace(more_new=True))


@pytest.mark.parametrize(
    ("width", "said"),
    [
        (100, " 1 Memory  4 Prompt 158%!  5 Review ●4   6 Triage 29  7 Facts  8 Doctor 3    9 Import  0 Projects "),
        (90, " 1 Memory  4 Prompt!  5 Review ●4   6 Triage  7 Facts  8 Doctor 3    9 Import  0 Projects "),
        (80, " 1 Memory 4 Prompt! 5 Review ●4  6 Triage 7 Facts 8 Doctor! 9 Import 0 Projects"),
        (72, " 1 Memory 4 Prompt! 5 Review● 6 Triage 7 Facts 8 Doctor! 9 0 Projects"),
        (60, " 1 Memory 4 Prompt! 5 Review● 6 Triage 7 Facts 8 Doctor! 9 0"),
        (40, " 1 4 Prompt! 5 Review● 6 7 8 Doctor! 9 0"),
    ],
)
def test_names_are_whole_or_not_there_and_counts_give_way_to_them(width: int, said: str) -> None:
    assert strip("memory", width) == said


def test_triage_is_not_there_where_nothing_can_be_on_it_unless_it_is_open() -> None:
    none = Counts("58%", 0, 0, 2, has_lists=False)
    said = " 1 Memory  4 Prompt 58%    5 Review      7 Facts  8 Doctor 2    9 Import and export  0 Projects "
    assert strip("memory", 98, none) == said
    assert "5 Review      6 Triage     7 Facts" in strip("triage", 120, none)


@pytest.mark.draw(3)
@pytest.mark.parametrize("width", [*range(30, 130, 3), 80])
def test_nothing_moves_when_another_screen_is_seen_or_counts_come(width: int) -> None:
    every = [(page, counts) for page in PAGES for counts in FEW]
    found = [[spot for spot in spots(ACTIONS, counts, page, width) if spot.tab in TABS] for page, counts in every]
    assert len({tuple((spot.tab.page, spot.start, spot.end) for spot in each) for each in found}) == 1


PAGES = [*(tab.page for tab in TABS), "history", "connect"]
FEW = [Counts(), SOME, Counts("99%", 88, 88, 88, True)]


@pytest.mark.slow
@pytest.mark.parametrize("counts", [SOME, Counts(), Counts("99%", 88, 188, 88, True)])
def test_every_screen_is_there_from_60_columns_on(counts: Counts) -> None:
    for width in range(60, 130):
        found = spots(ACTIONS, counts, "memory", width)
        assert [spot.tab for spot in found] == list(TABS) and all(spot.text[-1] == " " or width < 90 for spot in found), width


def test_a_sentence_names_the_key_that_the_strip_shows() -> None:
    [review, doctor] = [spot.text.split()[0] for spot in spots(ACTIONS, Counts(), "memory", 120) if spot.tab.page in _SAID]
    assert to_review(2).endswith(f"[{review}]") and to_decide(2).endswith(f"[{doctor}]")


_SAID = ("review", "doctor")


@pytest.mark.parametrize("width", range(0, 120, 7))
@pytest.mark.parametrize("page", ["memory", "projects", "history", "connect"])
def test_nothing_is_cut(width: int, page: str) -> None:
    found = spots(ACTIONS, Counts("1500%!", 12_345, 99_999, 4_321), page, width)
    assert sum(cell_len(spot.text) for spot in found) <= width
    assert width < 70 or {spot.tab for spot in found} >= set(TABS)


def test_a_screen_that_is_no_other_way_on_it_is_there_while_it_is_seen() -> None:
    assert strip("history", 120).endswith("  History ")
    assert "History" not in strip("memory", 120)


def test_own_keys_are_told() -> None:
    [prompt] = [spot for spot in spots(remapped({"app.prompt": "f10"}), SOME, "memory", 120) if spot.tab.page == "prompt"]
    assert prompt.text == " f10 Prompt 158%! "


@pytest.mark.parametrize(
    ("use", "said"),
    [
        (PromptUse(158, 100, cut=True), "158%!"),
        (PromptUse(5, 100), "5%"),
        (PromptUse(0, 100, cut=True, left_out="MEMORY.md"), "lost!"),
        (PromptUse(5, 0), ""),
        (PromptUse(0, 100, is_empty=True), ""),
    ],
)
def test_how_full_the_prompt_is_takes_a_word(use: PromptUse, said: str) -> None:
    assert share(use) == said


@pytest.mark.parametrize(
    ("use", "words"),
    [
        (PromptUse(333, 200, "lines", "MEMORY.md", cut=True), "prompt: MEMORY.md 166%, 333 lines, 200 loaded"),
        (PromptUse(200, 200, "lines", "MEMORY.md"), "prompt: MEMORY.md 100%, 200 of 200 lines"),
        (PromptUse(26_000, 25_000, "bytes", "MEMORY.md", cut=True), "prompt: MEMORY.md 104%, 26,000 bytes, 25,000 fit"),
        (PromptUse(700, 0, "bytes", "MEMORY.md"), "prompt: MEMORY.md 700 bytes"),
        (PromptUse(40_000, 32_768, cut=True), "prompt 39K, 32K loaded"),
        (PromptUse(3_000, 32_768), "prompt 2.9K of 32K"),
        (PromptUse(700, 0), "prompt 700B"),
    ],
)
def test_the_last_line_says_of_what_the_share_is_and_how_much_of_a_cut_prompt_is_loaded(use: PromptUse, words: str) -> None:
    assert wording.prompt(use) == words


async def test_the_strip_leads_to_every_screen_and_its_counts_are_live(tmp_path: Path) -> None:
    store = AStore(tmp_path / "store").has("MEMORY.md", "# Facts\n\n- one\n").has("~/SCRATCHPAD.md", "- [ ] first\n- [ ] second\n")
    async with running(an_app(store)) as pilot:
        await lit(pilot, "memory")
        await shows(pilot, "6 Triage 2")
        await pilot.press("6")
        await until(pilot, lambda: isinstance(pilot.app.screen, TriageScreen) and pilot.app.screen.rows.keys)
        await lit(pilot, "triage")
        await until(pilot, lambda: "6 Triage 2" in _reversed(pilot.app))
        await pilot.press("x")
        await shows(pilot, "6 Triage 1")
        at = screen_text(pilot.app).split("\n")[0].index("4 Prompt")
        await pilot.click(offset=(at + 3, 0))
        await until(pilot, lambda: isinstance(pilot.app.screen, PromptScreen))
        await shows(pilot, "? Keys")
        keys = screen_text(pilot.app).split("\n")[-1]
        await pilot.click(offset=(keys.index("? Keys") + 3, pilot.app.size.height - 1))  # a key of the bar acts as if pressed
        await shows(pilot, "All keys")
        await pilot.press("escape")
        await to_changes(pilot)
        await until(pilot, lambda: isinstance(pilot.app.screen, ReviewScreen))
        await pilot.press("6")
        await until(pilot, lambda: isinstance(pilot.app.screen, TriageScreen))
        assert [type(each) for each in pilot.app.screen_stack[1:]] == [ReviewScreen, TriageScreen], "each once"
        await pilot.resize_terminal(50, 11)
        await until(pilot, lambda: "6 Triage" not in screen_text(pilot.app).split("\n")[0])
        await pilot.press("1")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1)


async def test_errors_known_from_before_are_not_all_until_every_file_has_been_looked_into(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory").has("MEMORY.md", "```\nopen\n")
    history.look_at_all(store.session())
    checkups.look_here(store.session())
    async with running(an_app(store), (120, 24)) as pilot:
        await shows(pilot, "8 Doctor 1+")
        main = pilot.app.main
        await checking.look(main, main.here, at_rest=True)
        await shows(pilot, "8 Doctor 1  ")


@pytest.mark.slow
async def test_triage_counts_the_open_items_of_notes_where_no_memory_has_a_checklist(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    async with running(ZsmemApp(machine.sessions()[1], now_ns=lambda: NOW_NS), (140, 40)) as pilot:
        await shows(pilot, "project_deploy", "5 Review      7 Facts")
        machine.claude.has(f"{CLAUDE}/project_deploy.md", "- [ ] ask Bob for the tag\n")
        await shows(pilot, "6 Triage 1   7 Facts")


def _reversed(app: ZsmemApp) -> str:
    """What of the strip is reversed, which is seen without colours."""
    row = app.screen.query_one(ScreenStrip).render()
    return "".join(row.plain[span.start : span.end] for span in row.spans if "reverse" in str(span.style))
