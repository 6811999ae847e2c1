"""The guided tour: each step asks for one key, and the next one follows once it was pressed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from textual.screen import ModalScreen

from zsmem_tui.core.text import one_line
from zsmem_tui.service import help

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp

LOOK_SECONDS: Final = 0.1
"""Seconds between checks whether the step was done."""

ROOMY_CELLS: Final = 60
"""Width from which the full text is shown; below it, only the last sentence with the key."""

NOTHING_YET: Final = "Tour: there is no memory here to show. Press `D` for a sample, and it goes on there. (`esc` ends the tour.)"

DONE: Final = {
    "Memory": ("viewer", "app.viewer"),
    "A file": ("prompt", "app.prompt"),
    "Prompt": ("facts", "app.facts"),
    "Facts": ("review", "app.review"),
    "Review": ("doctor", "app.doctor"),
    "Doctor": ("search", "app.search"),
    "Search": ("viewer", "app.viewer"),
    "All the rest": ("question", ""),
}
"""For each step (a heading of the help page): where the person is once it is done, and the action that leads there."""


class Step(NamedTuple):
    """A step's title, text, target, and the action that performs it."""

    title: str
    text: str
    leads_to: str
    action: str


def steps() -> list[Step]:
    """All steps in order."""
    _, *sections = help.read("tour").split("\n## ")
    texts = dict(section.split("\n", 1) for section in sections)
    return [Step(title, one_line(texts[title]), *done) for title, done in DONE.items()]


class Tour:
    """The running tour."""

    def __init__(self, app: ZsmemApp) -> None:
        self._app = app
        self._steps_left = steps()
        self._has_selected = False
        self._timer = app.set_interval(LOOK_SECONDS, self._look, pause=True)
        app.call_later(self._begin)

    def go_on(self) -> None:
        """Perform the current step and go to the next."""
        if self._steps_left[0].action:
            self._app.call_later(self._app.run_action, self._command_of())
        self._next()

    def end(self) -> None:
        """End the tour."""
        self._timer.stop()
        far = len(DONE) - len(self._steps_left) + 1
        told = f"The tour ended at step {far} of {len(DONE)}" if self._steps_left[1:] else "That was the tour"
        self._steps_left = []
        self._tell()
        self._app.tour = None
        self._app.say(f"{told}. F7 begins it again, ? has every key, F1 explains what you see.")

    async def _begin(self) -> None:
        await self._app.run_action(self._command_of("app.tree"))
        self._tell()
        self._timer.resume()

    def _look(self) -> None:
        if self._app.return_code is not None or not self._app.screen_stack:
            return
        if not self._has_selected:
            self._select_file()
        there = [step.leads_to for step in self._steps_left]
        here = self._here()
        if here == there[0]:
            self._next()
        elif here in there and here not in ("viewer", "question"):  # these are passed on the way to others
            del self._steps_left[: there.index(here) + 1]
        self._tell()

    def _select_file(self) -> None:
        """Put the tree's cursor on a file, so that the first step needs only one key."""
        main = self._app.main
        catalog = main.here.catalog
        if main.empty or catalog is None:
            return
        self._has_selected = True
        if main.tree_pane.file_at_cursor() is None:
            own = [file for project in catalog.projects if project.slug == main.session.project for file in project.files]
            for file in (*own, *catalog.shared)[:1]:
                main.tree_pane.reveal(main.here.key, file.ref)

    def _here(self) -> str:
        """The current pane or screen; empty if the viewer has no file yet."""
        if isinstance(self._app.screen, ModalScreen):
            return "question"
        if self._app.tool is not None:
            return self._app.tool.PAGE
        main = self._app.main
        here = main.page
        return "" if here == "viewer" and main.viewer.file is None else here

    def _next(self) -> None:
        if len(self._steps_left) == 1:
            self.end()
        else:
            self._steps_left.pop(0)
            self._tell()

    def _command_of(self, id: str = "") -> str:
        """The command of the action with this id (default: the current step's)."""
        return next(each.act for each in self._app.actions if each.id == (id or self._steps_left[0].action))

    def _tell(self) -> None:
        self._app.tour_line = self._line()

    def _line(self) -> str:
        if not self._steps_left:
            return ""
        if self._app.main.empty and self._app.main.more is None:
            return NOTHING_YET
        number = len(DONE) - len(self._steps_left) + 1
        step = self._steps_left[0]
        text = step.text if self._app.size.width >= ROOMY_CELLS else step.text.rpartition(". ")[2]
        return f"Tour {number} of {len(DONE)} · {step.title}: {text} (`esc` ends it, `F7` goes on.)"
