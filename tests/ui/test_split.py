"""The edge between two panes: it is moved with keys and the mouse, keeps both usable, and stays where it was put."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.app import App, ComposeResult
from textual.css.scalar import Scalar
from textual.events import MouseDown, MouseMove, MouseUp
from textual.pilot import Pilot
from textual.widgets import Static

from tests.builders import AStore
from tests.ui.driving import an_app, by_name, running, shows, to_changes, until
from zsmem_tui.service import view_state
from zsmem_tui.ui.app import ZsmemApp
from zsmem_tui.ui.widgets.frame import LEAST, SplitBody, bounded


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    return AStore(tmp_path / "store").has("MEMORY.md", "# Facts\n\n- one\n").has("~/SCRATCHPAD.md", "- [ ] first\n")


def width(app: ZsmemApp) -> int:
    return app.main.query_one("#tree").outer_size.width


class Names(Static):
    """A pane that says what room it needs as soon as it is there, before anything was laid out."""

    def on_mount(self) -> None:
        assert isinstance(self.parent, SplitBody) and not self.parent.size
        self.parent.fit(50)
        self.at_once = self.styles.min_width


class TwoPanes(App[None]):
    def compose(self) -> ComposeResult:
        with SplitBody("main", lambda *_, **__: None):
            yield Names()
            yield Static()


async def test_the_first_frame_has_the_room_that_the_first_pane_needs() -> None:
    """The rows would be drawn twice, and jump, if it grew after it was shown."""
    async with TwoPanes().run_test(size=(120, 36)) as pilot:
        pane = pilot.app.query_one(Names)
        assert pane.at_once == pane.styles.min_width == Scalar.from_number(50)


@pytest.mark.parametrize(("wanted", "room", "given"), [(50, 120, 50), (3, 120, 20), (119, 120, 100), (3, 30, 15), (30, 0, 0)])
def test_both_panes_keep_what_they_need(wanted: int, room: int, given: int) -> None:
    assert bounded(wanted, room, LEAST) == given


def test_a_share_that_is_none_is_passed_over() -> None:
    view_state.keep("splits", {"main": 0.4, "review": 7.0})
    assert view_state.splits() == {"main": 0.4}
    view_state.keep("splits", {"main": None})
    assert view_state.splits() == {}


@pytest.mark.slow
async def test_keys_move_the_edge_and_it_is_there_at_the_next_start(store: AStore) -> None:
    async with running(an_app(store)) as pilot:
        before = width(pilot.app)
        for _ in range(2):
            await by_name(pilot, "Larger")
        await until(pilot, lambda: width(pilot.app) == before + 8)
        await until(pilot, lambda: "main" in view_state.splits())
        await pilot.resize_terminal(240, 40)
        await until(pilot, lambda: width(pilot.app) == 2 * (before + 8))
        await pilot.resize_terminal(120, 40)
        await until(pilot, lambda: width(pilot.app) == before + 8)
        await pilot.press("z")
        await until(pilot, lambda: width(pilot.app) == 120)
        await pilot.press("z")
        await until(pilot, lambda: width(pilot.app) == before + 8)
    async with running(an_app(store)) as pilot:
        assert width(pilot.app) == before + 8
        for _ in range(8):
            await by_name(pilot, "Smaller")
        await until(pilot, lambda: width(pilot.app) == LEAST)
        await shows(pilot, "No further: either pane keeps 20 cells.")
        await by_name(pilot, "Edge back")
        await until(pilot, lambda: width(pilot.app) == before and not view_state.splits())


async def drag(pilot: Pilot[None], start: tuple[int, int], stop: tuple[int, int]) -> None:
    for kind, (x, y) in ((MouseDown, start), (MouseMove, stop), (MouseUp, stop)):
        event = kind(None, x, y, 0, 0, 1, False, False, False, x, y, None)
        pilot.app.screen._forward_event(event)
        await pilot.pause()


async def test_the_mouse_moves_the_edge_and_twice_puts_it_back(store: AStore) -> None:
    async with running(an_app(store)) as pilot:
        before = width(pilot.app)
        await drag(pilot, (before - 1, 10), (59, 10))
        await until(pilot, lambda: width(pilot.app) == 60)
        await drag(pilot, (60, 10), (200, 10))
        await until(pilot, lambda: width(pilot.app) == 120 - LEAST)
        assert not pilot.app.screen.selections
        await pilot.click(offset=(120 - LEAST - 1, 10), times=2)
        await until(pilot, lambda: width(pilot.app) == before)


async def test_of_panes_above_each_other_rows_are_moved(store: AStore) -> None:
    async with running(an_app(store), size=(80, 30)) as pilot:
        await pilot.press("4")
        await shows(pilot, "What the agent sees")
        panes = [each for each in pilot.app.screen.query(".pane") if each.display]
        await until(pilot, lambda: panes[0].outer_size.height < panes[1].outer_size.height)  # it needs no more
        await pilot.press("6")
        await shows(pilot, "first")
        await by_name(pilot, "Smaller")
        await shows(pilot, "One pane is on the screen")
        await pilot.press("escape")
        await to_changes(pilot)
        await shows(pilot, "Review")
        above = pilot.app.screen.query_one(".tool-list")
        before = above.outer_size.height
        await by_name(pilot, "Smaller")
        await until(pilot, lambda: above.outer_size.height == before - 2 and above.outer_size.width == 80)


@pytest.mark.slow
@pytest.mark.draw(2)
@pytest.mark.parametrize(("columns", "given"), [(99, 99), (100, 40), (110, 49), (120, 54), (200, 63)])
async def test_the_tree_has_room_for_its_longest_row_as_far_as_the_text_keeps_enough(
    store: AStore, columns: int, given: int
) -> None:
    store.has("~/notes/a-name-that-needs-all-of-the-room-that-there-is.md", "x\n")
    async with running(an_app(store), (columns, 30)) as pilot:
        await pilot.press("j", "l")
        await until(pilot, lambda: width(pilot.app) == given)
        await pilot.press("j", "j", "k")
        await pilot.pause()
        assert width(pilot.app) == given


@pytest.mark.slow
async def test_a_pane_alone_on_a_narrow_screen_has_all_of_it_however_few_rows_it_needs(store: AStore) -> None:
    async with running(an_app(store), size=(80, 24)) as pilot:
        await pilot.press("4")
        await shows(pilot, "The block")
        body = pilot.app.tool.query_one(SplitBody)
        few = body.children[0].outer_size.height
        await pilot.press("z")
        await until(pilot, lambda: body.children[0].outer_size.height == body.size.height > few)
        await pilot.press("z")
        await until(pilot, lambda: body.children[0].outer_size.height == few)
