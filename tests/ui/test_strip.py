from __future__ import annotations

import re
import threading
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.builders import AStore
from tests.ui.driving import NOW_NS, an_app, running, screen_text, shows, to_changes, until
from tests.ui.several import CLAUDE, FOLDER, Machine
from zsmem_tui.service import checkups, history
from zsmem_tui.service.folders import Beside, folders_of
from zsmem_tui.service.watching import PromptUse
from zsmem_tui.ui import wording
from zsmem_tui.ui.app import ZsmemApp
from zsmem_tui.ui.keys.bindings import ACTIONS, remapped
from zsmem_tui.ui.memory import checkups as checking
from zsmem_tui.ui.prompt.screen import PromptScreen
from zsmem_tui.ui.review.screen import ReviewScreen
from zsmem_tui.ui.triage.screen import TriageScreen
from zsmem_tui.ui.widgets.strip import TABS, Counts, Spot, share, spots
from zsmem_tui.ui.wording import to_decide, to_review

SOME = Counts("158%!", 4, 29, 3)


def strip(page: str, width: int, counts: Counts = SOME) -> str:
    return "".join(spot.text for spot in spots(ACTIONS, counts, page, width))


def test_every_screen_stands_there_with_its_key_and_what_waits_which_is_no_part_of_the_next() -> None:
    said = "[1-3 Memory] 4 Prompt·158%!  5 Review●4  6 Triage·29  7 Facts  8 Doctor·3  9 Import and export  0 Projects "
    assert strip("memory", 120) == said
    assert "8 Doctor·3+  9" in strip("memory", 120, SOME._replace(more_found=True))
    assert strip("prompt", 120).startswith(" 1-3 Memory [4 Prompt·158%!] 5 Review")


def test_names_become_shorter_where_there_is_less_room_and_those_first_that_nothing_waits_behind() -> None:
    assert strip("memory", 91) == "[1-3 Memory]4 Prompt·158%! 5 Review●4 6 Triage·29 7 Facts 8 Doctor·3 9 In/Out 0 Proj "
    assert strip("memory", 80) == "[1-3 Mem]4 Prompt·158%! 5 Review●4 6 Triage·29 7 Facts 8 Doc·3 9 I/O 0 Proj "
    assert strip("triage", 80) == " 1-3 Mem 4 Prompt·158%! 5 Review●4[6 Triage·29]7 Facts 8 Doc·3 9 I/O 0 Proj "
    assert strip("memory", 60) == "[1-3 Mem]4 Prm! 5 Rev●4 6 Tri 7 Fct 8 Doc·3 9 I/O 0 Prj "
    assert strip("doctor", 40) == " 1-3 4 Prm! 5 Rev●4 6 Tri 7[8 Doc!]9 0 "


@pytest.mark.draw(3)
@pytest.mark.parametrize("width", [*range(30, 130, 3), 80])
def test_nothing_moves_when_another_screen_is_seen_and_no_name_changes_when_counts_come(width: int) -> None:
    for counts in (SOME, BARE):
        seen = {page: _of_all(counts, page, width) for page in PAGES}
        places = {tuple((spot.tab.page, spot.start, spot.text[1:].rstrip(" ]")) for spot in found) for found in seen.values()}
        assert len(places) == 1
    names = {tuple(re.split("[·●!]", spot.text[1:])[0].rstrip(" ]") for spot in _of_all(counts, "memory", width)) for counts in FEW}
    assert len(names) == 1


def test_triage_is_not_on_it_where_no_memory_has_a_checklist_which_makes_room_beside_the_bracket() -> None:
    assert strip("memory", 80, BARE) == "[1-3 Mem] 4 Prompt·158%!  5 Review●4  7 Facts  8 Doctor·3+  9 In/Out  0 Proj "
    assert strip("facts", 80, BARE) == " 1-3 Mem  4 Prompt·158%!  5 Review●4 [7 Facts] 8 Doctor·3+  9 In/Out  0 Proj "
    assert strip("triage", 120, BARE) == strip("memory", 120, BARE).replace("[1-3 Memory]", " 1-3 Memory ") + "[6 Triage·29]"


PAGES = [*(tab.page for tab in TABS), "history", "connect"]
FEW = [Counts(), SOME, Counts("99%", 88, 88, 88, True)]
BARE = Counts("158%!", 4, 29, 3, True, has_lists=False)
"""No open memory has a checklist."""


def _of_all(counts: Counts, page: str, width: int) -> list[Spot]:
    """The screens that are always there."""
    always = [tab for tab in TABS if counts.has_lists or tab.page != "triage"]
    return [spot for spot in spots(ACTIONS, counts, page, width) if spot.tab in always]


@pytest.mark.slow
@pytest.mark.parametrize("page", [tab.page for tab in TABS])
@pytest.mark.parametrize("counts", [SOME, Counts(), Counts("99%", 88, 188, 88, True)])
def test_every_screen_has_a_name_from_60_columns_on(page: str, counts: Counts) -> None:
    for width in range(60, 130):
        found = spots(ACTIONS, counts, page, width)
        names = [re.split("[ ·●!]", spot.text.strip(" []"))[1] for spot in found]
        assert len(found) == len(TABS) == len(set(names)) and all(name.replace("/", "").isalpha() for name in names), width
        assert [spot.tab.page for spot in found if "[" in spot.text] == [page]


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
    assert strip("history", 120).endswith("[History]")
    assert "History" not in strip("memory", 120)


def test_own_keys_are_told() -> None:
    [prompt] = [spot for spot in spots(remapped({"app.prompt": "f10"}), SOME, "memory", 120) if spot.tab.page == "prompt"]
    assert prompt.text == " f10 Prompt·158%! "


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
        (PromptUse(26_000, 25_000, "bytes", "MEMORY.md", cut=True), "prompt: MEMORY.md 104%, 26,000 bytes, 25,000 loaded"),
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
        await shows(pilot, "[1-3 Memory]", "6 Triage·2")
        await pilot.press("6")
        await until(pilot, lambda: isinstance(pilot.app.screen, TriageScreen) and pilot.app.screen.rows.keys)
        await shows(pilot, "[6 Triage·2]")
        await pilot.press("x")
        await shows(pilot, "[6 Triage·1]")
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
        await until(pilot, lambda: "[6 T" not in screen_text(pilot.app))
        await pilot.press("1")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1)


@pytest.mark.slow
async def test_a_memory_with_a_checklist_that_is_found_later_adds_triage_whose_key_leads_there_anyway(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    machine = Machine(tmp_path)
    machine.looked_at()
    own, claude = machine.sessions()
    goes_on = threading.Event()

    def more() -> Beside:
        goes_on.wait()
        return Beside([own], [FOLDER], {f"{each.layout.kind}:{each.root}": folders_of(each, [FOLDER]) for each in (own, claude)})

    async with running(ZsmemApp(claude, more=more, now_ns=lambda: NOW_NS), (120, 24)) as pilot:
        try:
            await shows(pilot, "[1-3 Memory] 4 Prompt", "5 Review  7 Facts")
            assert "Triage" not in screen_text(pilot.app)
            await pilot.press("6")
            await shows(pilot, "[6 Triage", "0 open items")
            await pilot.press("escape")
            await shows(pilot, "[1-3 Memory] 4 Prompt", "5 Review  7 Facts")
        finally:
            goes_on.set()
        await shows(pilot, "5 Review  6 Triage", "7 Facts")


async def test_errors_known_from_before_are_not_all_until_every_file_has_been_looked_into(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory").has("MEMORY.md", "```\nopen\n")
    history.look_at_all(store.session())
    checkups.look_here(store.session())
    async with running(an_app(store), (120, 24)) as pilot:
        await shows(pilot, "8 Doctor·1+")
        main = pilot.app.main
        await checking.look(main, main.here, at_rest=True)
        await shows(pilot, "8 Doctor·1  ")


@pytest.mark.slow
async def test_triage_is_on_it_where_notes_have_an_open_item_though_no_memory_has_a_checklist(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    async with running(ZsmemApp(machine.sessions()[1], now_ns=lambda: NOW_NS), (140, 40)) as pilot:
        await shows(pilot, "project_deploy", "5 Review  7 Facts")
        machine.claude.has(f"{CLAUDE}/project_deploy.md", "- [ ] ask Bob for the tag\n")
        await shows(pilot, "6 Triage·1  7 Facts")
