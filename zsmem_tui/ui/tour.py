"""A tour of the screens: each step asks for one key, and goes on once that was pressed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from textual.screen import ModalScreen

from zsmem_tui.core.text import one_line
from zsmem_tui.service import help

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp

LOOK_SECONDS: Final = 0.1
"""Seconds between two looks at whether the person did what the step asks for."""

ROOMY_CELLS: Final = 60
"""Cells of a row from which on all that a step says has room; below that it is what to press."""

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
"""Where the person is once a step is done, and the action that leads there; the steps are the headings of the page of help."""


class Step(NamedTuple):
    """What is said, where it leads, and the action that does it for the person."""

    title: str
    text: str
    leads_to: str
    action: str


def steps() -> list[Step]:
    """All of them, in order."""
    _, *sections = help.read("tour").split("\n## ")
    texts = dict(section.split("\n", 1) for section in sections)
    return [Step(title, one_line(texts[title]), *done) for title, done in DONE.items()]


class Tour:
    """The tour that is under way, from its first step on the main screen."""

    def __init__(self, app: ZsmemApp) -> None:
        self._app = app
        self._ahead = steps()
        self._has_pointed = False
        self._timer = app.set_interval(LOOK_SECONDS, self._look, pause=True)
        app.call_later(self._begin)

    def go_on(self) -> None:
        """To the next step, though nobody did what this one asks for."""
        if self._ahead[0].action:
            self._app.call_later(self._app.run_action, self._act())
        self._next()

    def end(self) -> None:
        """No more of it."""
        self._timer.stop()
        self._ahead = []
        self._tell()
        self._app.tour = None
        self._app.say("That was the tour. F7 begins it again, ? has every key, F1 explains what you see.")

    async def _begin(self) -> None:
        await self._app.run_action(self._act("app.tree"))
        self._tell()
        self._timer.resume()

    def _look(self) -> None:
        if self._app.return_code is not None or not self._app.screen_stack:
            return
        if not self._has_pointed:
            self._point()
        there = [step.leads_to for step in self._ahead]
        here = self._here()
        if here == there[0]:
            self._next()
        elif here in there and here not in ("viewer", "question"):  # those come by the way
            del self._ahead[: there.index(here) + 1]
        self._tell()

    def _point(self) -> None:
        """Put the cursor of the tree on a file, once there is one: the first step asks for one key."""
        main = self._app.main
        catalog = main.here.catalog
        if main.empty or catalog is None:
            return
        self._has_pointed = True
        if main.tree_pane.file_at_cursor() is None:
            own = [file for project in catalog.projects if project.slug == main.session.project for file in project.files]
            for file in (*own, *catalog.shared)[:1]:
                main.tree_pane.reveal(main.here.key, file.ref)

    def _here(self) -> str:
        """Where the person is; empty where no file is read yet."""
        if isinstance(self._app.screen, ModalScreen):
            return "question"
        if self._app.tool is not None:
            return self._app.tool.PAGE
        main = self._app.main
        return "" if main.current == "viewer" and main.viewer.file is None else main.current

    def _next(self) -> None:
        if len(self._ahead) == 1:
            self.end()
        else:
            self._ahead.pop(0)
            self._tell()

    def _act(self, id: str = "") -> str:
        """What the action of a name, or of this step, runs."""
        return next(each.act for each in self._app.actions if each.id == (id or self._ahead[0].action))

    def _tell(self) -> None:
        self._app.tour_line = self._line()

    def _line(self) -> str:
        if not self._ahead:
            return ""
        if self._app.main.empty and self._app.main.more is None:
            return NOTHING_YET
        number = len(DONE) - len(self._ahead) + 1
        step = self._ahead[0]
        text = step.text if self._app.size.width >= ROOMY_CELLS else step.text.rpartition(". ")[2]
        return f"Tour {number} of {len(DONE)} · {step.title}: {text} (`esc` ends it, `F7` goes on.)"
