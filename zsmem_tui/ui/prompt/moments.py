"""The moment bar of the prompt screen: past changes of a prompt on a time line, with curves of wanted and fitting size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from rich.cells import cell_len, set_cell_size
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from zsmem_tui.core.errors import MemError
from zsmem_tui.core.moments import exactly, when_words
from zsmem_tui.core.past import Point
from zsmem_tui.core.text import counted
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import past
from zsmem_tui.service.past import Change, Walk, told
from zsmem_tui.service.previewing import Subject
from zsmem_tui.service.session import Session
from zsmem_tui.ui import signs
from zsmem_tui.ui.prompt.wording import HIGH
from zsmem_tui.ui.wording import refusal

AT_ONCE = 100
"""Number of changes searched for in the first step."""

_OVER_TIME = "over time "
"""The label of the marks. Labels are before the oldest column: the newest ones matter. Sizes are in the sentence above the bar."""


class Moments:
    """The changes of a prompt found so far, newest first."""

    def __init__(self) -> None:
        self.is_done = False
        self.problem = ""
        """Why the search failed, as a sentence."""
        self._about: tuple[Session, Subject] | None = None
        self._walk: Walk | None = None
        self._found: list[Change] = []
        self._older: list[Change] = []
        """All changes known from an earlier search."""

    @property
    def changes(self) -> list[Change]:
        """The known changes."""
        return self._found + self._older

    @property
    def _is_whole(self) -> bool:
        """Whether all changes but the newest are known."""
        return self.is_done or bool(self._older)

    def begin(self, session: Session, about: Subject) -> None:
        """Start to search for changes; if some are known from before, only for newer ones."""
        self._older = self.changes if self._about == (session, about) and self._is_whole else []
        self._about, self._found, self.is_done, self.problem = (session, about), [], False, ""
        self._walk = Walk(session, about, self._older[0].point.when if self._older else 0)

    def look_further(self) -> None:
        """Find some more changes; call it in a thread."""
        walk = self._walk
        if walk is None:
            return
        try:
            found = walk.more(AT_ONCE + len(self._found))
        except MemError as error:
            self.problem, self.is_done = refusal(error), True
            return
        if walk is self._walk:
            known = self._older[0].point.order if self._older else (0, 0)
            self._found += [change for change in found if change.point.order > known]
            self.is_done = walk.is_done

    def beside(self, at: Point | None, step: int) -> tuple[Point, Point] | None:
        """The version before or after that of a moment (None: now), as (moment, moment to compare with); None if there is none.

        Before the first change comes the state before it. What is between the two moments is the change that was stepped over.
        """
        stops = [each.point for each in self.changes]
        stops += [each.before for each in self.changes[-1:] if self._is_whole and each.before.taken]
        pairs = list(pairwise(stops))
        if step < 0:
            return next(((old, new) for new, old in pairs if at is None or new.order <= at.order), None)
        return next(((new, old) for new, old in reversed(pairs) if at is not None and new.order > at.order), None)

    def fell(self, line: str, at: Point | None) -> Change | None:
        """The last change until a moment (None: now) in which a line was lost from the prompt, or None."""
        lost = (each for each in self.changes if past.lost_with(each, line))
        return next((each for each in lost if at is None or each.point.order <= at.order), None)

    def words(self, at: Point | None, until: int) -> str:
        """A description of the last change before a moment, and its number among all; empty if nothing is recorded."""
        count = len(self.changes)
        if self.problem or not count:
            return self.problem or ("" if self.is_done else "looking for changes …")
        number = next((number for number, each in enumerate(self.changes) if at is None or each.point.order <= at.order), count)
        if number == count:
            return f"before the first of {counted(count, 'change')}" if self._is_whole else "looking for changes …"
        found = self.changes[number]
        since = "last " if at is None else "" if found.point == at else "since "
        which = f"change {count - number} of {count}" if self._is_whole else "change"
        return visible_line(f"{since}{which} · {when_words(found.point.when, until)}: {told(found, effect_first=True)}")


class MomentBar(Widget):
    """A labelled time line of changes, newest at the right, with a description of the moment shown."""

    def __init__(self) -> None:
        super().__init__(id="moments")
        self._changes: Sequence[Change] = ()
        self._is_alone = False
        """Whether there are no changes, so that at most a sentence is shown."""
        self._shown: Point | None = None
        self._said = ""
        self._until = 0

    def show(self, found: Moments, shown: Point | None, said: str, until: int) -> None:
        """Update the changes; `shown` is the moment on the screen (None: now), `until` the present time in ns."""
        before = self._is_alone, self._said
        self._changes, self._shown, self._said, self._until = found.changes, shown, said, until
        self._is_alone = found.is_done and not found.changes
        self.refresh(layout=self._is_alone != before[0] or (self._is_alone and said != before[1]))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """One row, or four if the terminal is high; without changes, those of the sentence, if there is one."""
        most = 4 if viewport.height >= HIGH else 1
        return most if not self._is_alone else min(most, len(Content(self._said).wrap(max(width, 1)))) if self._said else 0

    def render(self) -> Content:
        """Render curves, marks and description; a single row shows the description."""
        width, height = self.size.width, self.size.height
        if not self._changes:
            return Content.styled(self._said, "$text-muted")
        cells = max(width - len(_OVER_TIME), 1)
        marks, said = self._marks(cells), Content.styled(_truncated(self._said, width), "bold" if self._shown else "$text-muted")
        return Content("\n").join([*self._curves(cells), marks, said]) if height >= 4 else said

    def _column(self, when: int, width: int) -> int:
        first = self._changes[-1].point.when
        return max(0, min(width - 1, (when - first) * (width - 1) // max(self._until - first, 1)))

    def _marks(self, width: int) -> Content:
        cells = [signs.NO_CHANGE] * width
        for change in self._changes:
            cells[self._column(change.point.when, width)] = signs.CHANGE
        at = self._column(self._shown.when, width) if self._shown is not None else width - 1
        before, behind = "".join(cells[:at]), "".join(cells[at + 1 :])
        return Content.assemble((_OVER_TIME + before, "$text-muted"), (signs.SHOWN, "bold $accent"), (behind, "$text-muted"))

    def _curves(self, width: int) -> list[Content]:
        most = max(max(change.wanted, change.fits) for change in self._changes) or 1
        rows = []
        for name, label, style in (("wanted", "in all", "$error"), ("fits", "loaded", "$success")):
            steps = [(self._column(each.point.when, width), int(getattr(each, name))) for each in reversed(self._changes)]
            cells, value = [], 0
            for column in range(width):
                while steps and steps[0][0] <= column:
                    value = steps.pop(0)[1]
                cells.append(signs.CURVE[min(len(signs.CURVE) - 1, value * len(signs.CURVE) // (most + 1))])
            rows.append(Content.assemble((label.ljust(len(_OVER_TIME)), "$text-muted"), ("".join(cells), style)))
        return rows


def rows(changes: Sequence[Change], until: int) -> Iterator[tuple[str, str]]:
    """The changes as answers to choose from: the index of each, and its time with what came in and fell out."""
    times = [when_words(change.point.when, until) for change in changes]
    for number, change in enumerate(changes):
        seconds = f"{exactly(change.point.when):%S}" if times.count(times[number]) > 1 else ""
        yield str(number), visible_line(f"{':'.join(filter(None, (times[number], seconds)))}  {told(change, effect_first=True)}")


def until_words(change: Change, until: int) -> str:
    """Until when a line was in the prompt, and why it was lost."""
    return visible_line(f"in the prompt until {when_words(change.point.when, until)}; fell out when {told(change)}")


def _truncated(words: str, width: int) -> str:
    kept = set_cell_size(words, max(width - 1, 0))
    return words if cell_len(words) <= width else f"{kept.partition(' (')[0] if kept.count('(') > kept.count(')') else kept}…"
