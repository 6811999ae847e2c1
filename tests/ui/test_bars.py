"""What the status line says when several have something to tell."""

from __future__ import annotations

import os

import pytest
from rich.cells import cell_len
from textual.app import App, ComposeResult

from tests.ui.driving import screen_text, until
from zsmem_tui.core.past import Point
from zsmem_tui.service.past import Change
from zsmem_tui.ui import signs
from zsmem_tui.ui.facts.screen import PromptEffect, Weighed
from zsmem_tui.ui.keys.bindings import ACTIONS, bar_actions
from zsmem_tui.ui.prompt.moments import MomentBar, Moments
from zsmem_tui.ui.widgets import bars
from zsmem_tui.ui.widgets.bars import StatusLine


class OneLine(App[None]):
    def compose(self) -> ComposeResult:
        yield StatusLine()


async def test_what_others_wrote_is_told_after_a_result_and_at_once_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    async with OneLine().run_test(size=(80, 9)) as pilot:
        status = pilot.app.query_one(StatusLine)
        status.mention("x changed on disk.")
        status.mention("MEMORY.md changed on disk.")
        assert (status.said, status.warning) == ("MEMORY.md changed on disk.", False)
        status.mention("Lines of yours are gone.", warning=True)
        assert (status.said, status.warning) == ("Lines of yours are gone.", True)
        status.say("Moved · u to undo")
        status.mention("MEMORY.md changed on disk.")
        assert (status.said, status.warning) == ("Moved · u to undo", False)
        status.say("Nothing was written: it is a folder.", warning=True)
        status.mention("a changed on disk.")
        status.mention("b changed on disk.")
        assert (status.said, status.warning) == ("Nothing was written: it is a folder.", True)
        status.key_taken()  # it may be of work that was done
        assert status.said == "Nothing was written: it is a folder."
        status.say("It is too large to edit here.", warning=True, refused=True)
        status.mention("a changed on disk.")
        status.key_taken()
        assert (status.said, status.warning) == ("a changed on disk.", False)
        status.key_taken()
        assert status.said == "a changed on disk."
        status.say("Saved MEMORY.md")
        status.mention("Lines of yours are gone.", warning=True)
        status.mention("b changed on disk.")
        status.say("Moved · u to undo")  # a warning waits for whatever the person does meanwhile
        status.say("No.", refused=True)
        status.key_taken()
        assert (status.said, status.warning) == ("Lines of yours are gone.", True)
        home = os.path.expanduser("~")
        status.say(f"Wrote 3 files to {home}/git/lantern (“{home}/a”). /mnt{home}/x stays · u to undo")
        assert status.said == f"Wrote 3 files to ~/git/lantern (“~/a”). /mnt{home}/x stays · u to undo"
        status.say(f"Wrote 3 files to /{'long/' * 40}2026-05-25.")
        await pilot.pause()
        rows = [row.rstrip() for row in screen_text(pilot.app).split("\n") if row.strip()]
        assert rows[0] == "Wrote 3 files to" and len(rows) == 2, "a path takes one row, and is cut in its middle"
        assert rows[1].startswith("/long/") and rows[1].endswith("/long/2026-05-25.") and "…" in rows[1]
        shown: list[str] = []
        status.watch(status, "said", lambda: shown.append(f"{status.said}{'!' * status.warning}"), init=False)
        monkeypatch.setattr(bars, "SAID_SECONDS", 0.01)
        status.say("It is not a folder.", warning=True)
        status.mention("c changed on disk.")
        await until(pilot, lambda: not status.said)
        assert [each.rstrip("!") for each in shown] == ["It is not a folder.", "c changed on disk.", ""]


@pytest.mark.parametrize(("width", "shown"), [(9, "esc Back"), (20, "ctrl+s Save  esc"), (21, "ctrl+s Save  esc Back")])
def test_the_key_that_saves_stands_in_the_narrowest_window(width: int, shown: str) -> None:
    keys = bars.fitted(bar_actions(ACTIONS, "editor"), width)
    assert "".join(each.plain for _, each in keys).split() == shown.split()


@pytest.mark.parametrize("length", [35, 36, 37])
async def test_project_and_prompt_alone_may_take_the_whole_row_and_no_more(length: int) -> None:
    async with OneLine().run_test(size=(40, 3)) as pilot:
        status = pilot.app.query_one(StatusLine)
        status.right = bars.Beside("p", "u" * length)
        assert status.render().cell_length == 40


@pytest.mark.parametrize(("when", "column"), [(0, 0), (99, 0), (100, 0), (150, 14), (200, 29), (900, 29)])
async def test_the_line_of_time_is_as_long_as_its_row_whatever_moment_is_shown(when: int, column: int) -> None:
    class Bar(App[None]):
        def compose(self) -> ComposeResult:
            yield MomentBar()

    async with Bar().run_test(size=(40, 40)) as pilot:
        bar, found = pilot.app.query_one(MomentBar), Moments()
        found._found = [Change(Point(1, 100), Point(0, 100), (), (), (), 0, (), 1, 1)]
        bar.show(found, Point(1, when), "said", 200)
        *curves, marks, _ = bar.render().plain.split("\n")
        assert (len(marks), marks.index(signs.SHOWN)) == (40, len("over time ") + column)
        assert curves == [f"{name:<10}{signs.CURVE[3] * 30}" for name in ("in all", "loaded")], "no label covers a column"


@pytest.mark.parametrize("rows", [3, 4, 5, 6, 12])
async def test_of_what_a_key_would_do_as_many_words_are_shown_as_there_are_rows_for(rows: int) -> None:
    class Side(App[None]):
        def compose(self) -> ComposeResult:
            yield PromptEffect("", markup=False)

    async with Side().run_test(size=(30, rows)) as pilot:
        effect = pilot.app.query_one(PromptEffect)
        effect.styles.height = rows
        await pilot.pause()
        why = "the fact is about a note, which has its text already: d takes it out. The note is plan.md."
        effect._found = [Weighed("facts.delete", "d delete", None, "no"), Weighed("facts.top", "+ load", None, why)]
        effect.on_resize()
        said = str(effect.render()).split("\n")
        assert said[0] == "d delete: no" and len(said) == min(rows, 5)
        assert said[-1].endswith("…") is (rows < 5) and all(cell_len(row) <= 30 for row in said)
        assert " ".join(said[1:]).removesuffix("…") in f"+ load: {why}"
