"""Functions that ask the person for a choice or a line of text; dialogs are opened only here."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self, TypeVar

from rich.cells import cell_len
from textual import on
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.events import Key, Paste
from textual.screen import ModalScreen, ScreenResultType
from textual.suggester import Suggester
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from zsmem_tui.core.fuzzy import best, named
from zsmem_tui.core.text import lines, trim, words
from zsmem_tui.core.visible import visible
from zsmem_tui.ui.conversations import Overlay
from zsmem_tui.ui.keys.bindings import help_bindings
from zsmem_tui.ui.perform import attempt

if TYPE_CHECKING:
    from zsmem_tui.core.conflict import Conflicts
    from zsmem_tui.service.editing import Sides
    from zsmem_tui.ui.tool import Place


Answer = TypeVar("Answer")

MANY_ANSWERS = 7
"""Number of answers above which typing filters."""

MOST_UNANSWERED = 9
"""Questions of which the words are kept that were typed when they were closed."""

TYPED = "\n"
"""Begins an answer that is no row, but what was typed."""

UNSEEN_SECONDS = 0.5
"""Seconds for which a dialog that comes unasked takes no keys: they were meant for what was there before."""


_KEPT: Final = "Nothing was written. What you typed there is in the file's history."


class SafeOptionList(OptionList):
    """An `OptionList` that stops at its ends, and ignores paging through options that are not laid out yet, instead of failing."""

    def action_cursor_down(self) -> None:
        """Move the cursor one row down."""
        if self.highlighted is None or self.highlighted + 1 < self.option_count:
            super().action_cursor_down()

    def action_cursor_up(self) -> None:
        """Move the cursor one row up."""
        if self.highlighted != 0:
            super().action_cursor_up()

    def action_page(self, step: int) -> None:
        """Move the cursor by one page."""
        self.action_page_down() if step > 0 else self.action_page_up()

    def action_page_down(self) -> None:
        """Move the cursor one page down."""
        inherited: Any = super()
        with suppress(KeyError):
            inherited.action_page_down()

    def action_page_up(self) -> None:
        """Move the cursor one page up."""
        inherited: Any = super()
        with suppress(KeyError):
            inherited.action_page_up()


class ChoiceDialog(ModalScreen[str | None], Overlay[str | None]):
    """Returns the id of the chosen answer, or None. The answer at index `first` has the cursor.

    In a long list and one of `names`, typing filters, the best match first. In others digits move the cursor; other letters do
    nothing, so that `enter` never takes an answer that a letter left alone. In one of few, `j` and `k` move until a word is typed.
    `deaf`: seconds for which it takes no key. With `typed`, what is typed is an answer, too (`TYPED` and the words): one that no
    row fits, or for which `typed` is true.
    """

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [*help_bindings(), ("escape", "close", "Close")]

    def __init__(
        self,
        title: str,
        text: str,
        answers: Sequence[tuple[str, str]],
        *,
        names: bool = False,
        first: int = 0,
        deaf: float = 0,
        typed: Callable[[str], bool] | None = None,
    ) -> None:
        super().__init__(classes="dialog-screen")
        self._is_answer = typed
        self._first, self._deaf, self._typed = first, deaf, ""
        self._title, self._text, self._answers = title, text, answers
        self._found_by = [named(label) for _, label in answers]
        self._is_few = len(answers) < 10
        self._is_long = names or len(answers) > MANY_ANSWERS
        self._hint = f"› type to filter{' · j k move' * self._is_few}"

    def compose(self) -> ComposeResult:
        """Yield the question, the typed letters and the answers."""
        with Vertical(classes="dialog -question") as box:
            box.border_title = Content(self._title)
            box.border_subtitle = Content("enter choose · esc close")
            yield from [Static(Content(visible(self._text)), classes="question", markup=False)] * bool(self._text)
            line = Static(self._hint, id="typed", markup=False)
            line.display = self._is_long
            yield line
            yield SafeOptionList(*(Option(Content(visible(label)), id=id) for id, label in self._answers), markup=False)

    def on_mount(self) -> None:
        """Put the cursor on the first answer."""
        answers = self.query_one(OptionList)
        answers.highlighted = self._first
        self.set_timer(self._deaf, answers.focus) if self._deaf else self.set_focus(answers)

    def on_key(self, event: Key) -> None:
        """Move by `j`, `k` and digits, or filter by printable keys."""
        char = event.character if self.focused is not None else None
        answers = self.query_one(OptionList)
        if self._is_long and event.key in ("backspace", "ctrl+u"):
            self._filter(self._typed[:-1] if event.key == "backspace" else "")
        elif not event.is_printable or not char:
            return
        elif char in ("j", "k") and self._is_few and not self._typed:
            answers.action_cursor_down() if char == "j" else answers.action_cursor_up()
        elif self._is_long:
            self._filter((self._typed + char).lstrip(" "))
        elif char in "123456789" and int(char) <= answers.option_count:
            answers.highlighted = int(char) - 1
        else:
            return
        event.stop()

    def on_paste(self, event: Paste) -> None:
        """Filter by pasted text."""
        if self._is_long:
            self._filter(self._typed + " ".join(words(event.text)))

    def action_close(self) -> None:
        """Clear the filter; if there is none, close."""
        if self._typed:
            self._filter("")
        elif self.focused is not None:
            self.dismiss(None)

    def _filter(self, typed: str) -> None:
        """Show the answers that match; without a filter, all in their order."""
        self._typed = typed
        self.query_one(".dialog").border_subtitle = Content(f"enter choose · esc {'clear' if typed else 'close'}")
        places, _ = best(typed, self._found_by, len(self._answers))
        places = places if self._is_answer is None else sorted(places)  # moments stay in the order of time
        answers = self.query_one(OptionList)
        rows = [self._answers[at] for at in places]
        if typed and self._is_answer is not None and (not rows or self._is_answer(typed)):
            is_among = any(typed.casefold() in label.casefold() for _, label in rows)  # not only its letters
            rows.insert(len(rows) if is_among else 0, (f"{TYPED}{typed}", f"{typed} · as you typed it"))
        answers.set_options([Option(Content(visible(label)), id=id) for id, label in rows])
        answers.highlighted = (0 if typed else self._first) if rows else None
        said = Content.assemble(("› ", "bold"), visible(typed), "" if rows else "   nothing fits · esc takes it away")
        self.query_one("#typed", Static).update(said if typed else self._hint)

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option.id)


class PathSuggester(Suggester):
    """Completes what is typed if it is the beginning of a path of this machine."""

    async def get_suggestion(self, value: str) -> str | None:
        """The first such path, or None."""
        from zsmem_tui.service.completing import path_from  # deferred: needed only where a line is typed

        return await asyncio.to_thread(path_from, value) or None


class PathInput(Input):
    """An input that completes paths: the right arrow and tab take what is shown."""

    BINDINGS: ClassVar[list[BindingType]] = [("tab", "complete", "Complete")]

    def __init__(self, value: str, *, id: str) -> None:
        super().__init__(value, id=id, compact=True, suggester=PathSuggester(use_cache=False, case_sensitive=True))

    async def action_complete(self) -> None:
        """Take the path that is shown, or that the typed text completes to; if there is none, focus the next widget."""
        found = await self.suggester.get_suggestion(self.value) if self.suggester else None
        if found in (None, self.value):
            self.screen.focus_next()
        else:
            self.value = found or ""
            self.action_end()


class PasteInput(Input):
    """An input that keeps all lines of a paste; it shows the first and their number."""

    held = ""
    """The pasted lines; empty once something else was typed."""

    def on_paste(self, event: Paste) -> None:
        """Keep all pasted lines."""
        if self.hold(event.text):
            event.prevent_default()
            event.stop()

    def hold(self, text: str) -> bool:
        """Keep all lines of a text; False if it is a single one."""
        pasted = [line for line in lines(text.replace("\r\n", "\n").replace("\r", "\n")) if line.strip()]
        if is_held := len(pasted) > 1:
            self.value = f"{pasted[0]} … ({len(pasted):,} lines)"
            self.held = "\n".join(pasted)
            self.cursor_position = len(self.value)
        return is_held

    def validate_value(self, value: str) -> str:
        """Forget the paste when the text changes."""
        self.held = ""
        return value


class PromptDialog(ModalScreen[str | None], Overlay[str | None]):
    """Returns a line of text; None if it was closed. What is longer than the line stands below it, wrapped."""

    BINDINGS: ClassVar[list[BindingType]] = [*help_bindings(), ("escape", "dismiss(None)", "Close"), ("ctrl+s", "done", "Done")]

    def __init__(
        self, title: str, text: str, value: str = "", *, lines: bool = False, mend: bool = False, problem: str = ""
    ) -> None:
        super().__init__(classes="dialog-screen")
        self._mend = mend or bool(problem)
        """Whether the value is to be corrected: typing does not replace all of it."""
        self._problem = problem
        """Why the previous answer, which is `value`, was refused; hidden once another stands in the line."""
        self._title, self._text, self._value, self._held = title, text, value, ""
        self._line = PasteInput(value, id="answer", compact=True) if lines else PathInput(value, id="answer")
        self._whole = Static("", id="whole", markup=False)

    @property
    def words(self) -> str:
        """What stands in the line, with all that was pasted, also when the dialog is closed."""
        return (self._line.held if isinstance(self._line, PasteInput) else "") or self._line.value

    def compose(self) -> ComposeResult:
        """Yield the question and the input."""
        with Vertical(classes="dialog -question") as box:
            box.border_title = Content(self._title)
            box.border_subtitle = Content("enter done · esc close")
            yield Static(Content(visible(self._text)), classes="question", markup=False)
            if self._problem:
                yield Static(Content(visible(f"! {self._problem}")), classes="problem", markup=False)
            yield self._line
            yield self._whole

    def on_mount(self) -> None:
        """Focus the input; a refused answer is not selected, so that typing does not replace it."""
        line = self._line
        line.select_on_focus = not self._mend
        self.set_focus(line)
        if not (isinstance(line, PasteInput) and line.hold(self._value)) and self._mend:
            line.cursor_position = len(line.value)
        self.call_after_refresh(self._show_whole)

    @on(Input.Changed)
    def _show_whole(self) -> None:
        whole, text = self._whole, self._line.value
        whole.display = cell_len(text) >= self._line.scrollable_content_region.width > 0  # the cursor takes a cell, too
        whole.update(Content(visible(text)))
        self.query(".problem").set(visible=self.words in ("", self._value))

    def holds(self, key: str) -> bool:
        """Whether it says first, once for the same words, that quitting by `key` drops them."""
        held, self._held = self._held, self.words
        if self.words in ("", held, self._value):
            return False
        self.query_one(".dialog").border_subtitle = Content(f"{key} again drops what you typed · enter done")
        return True

    @on(Input.Submitted)
    def action_done(self) -> None:
        """Take what stands in the line."""
        self.dismiss(self.words)


async def ask(place: Place, dialog: ModalScreen[ScreenResultType]) -> ScreenResultType | None:
    """Ask and wait; None if it was closed, or came up only after the person had left the screen: then it says so instead."""
    if place.host.conversations.is_left():
        place.host.say("The screen was left before a question could be asked. Nothing was done.", warning=True)
        return None
    return await place.app.push_screen_wait(dialog)


async def choose(
    place: Place,
    title: str,
    text: str,
    answers: Sequence[tuple[str, str]],
    *,
    names: bool = False,
    first: int = 0,
    late: bool = False,
    typed: Callable[[str], bool] | None = None,
) -> str | None:
    """Ask for one of several answers; return its id, or None. If the answers are `names`, typing always filters.

    `late`: it comes some time after the key, so that the next keys were meant for what was there before.

    The answer at index `first` has the cursor; if none is the obvious one, put the safe answer there. With `typed`, what is typed
    may be an answer of its own (`ChoiceDialog`).
    """
    return await ask(place, ChoiceDialog(title, text, answers, names=names, first=first, deaf=late * UNSEEN_SECONDS, typed=typed))


async def lets_in(place: Place, texts: Iterable[str]) -> bool:
    """Whether these texts may go into the prompt: ask if they look like orders to the agent, giving the reasons."""
    from zsmem_tui.core.hazards import hazard_lines  # deferred: imports the rules for hazards
    from zsmem_tui.core.notice import NoticeKind, sentence  # deferred: likewise

    found = [(text, each) for text in texts for each in hazard_lines(text) if each.kind is not NoticeKind.SECRET]
    says = "\n".join(f"{text.strip()}\n! {sentence(each)}" for text, each in found[:3])
    answers = [("no", "Leave it out"), ("yes", "Into the prompt all the same")]
    words = f"{says}\n\nThe agent reads the prompt at each start."
    return not found or await choose(place, "Into the prompt", words, answers) == "yes"


async def ask_line(
    place: Place,
    title: str,
    text: str,
    value: str = "",
    *,
    lines: bool = False,
    mend: bool = False,
    problem: str = "",
    about: str = "",
) -> str | None:
    """Ask for a line of text; None if closed. `problem` tells why `value`, the previous answer, was refused.

    With `lines`, several can be pasted; with `mend`, typing appends to `value` instead of replacing it. What was typed when it was
    closed is offered when the same is asked again `about` the same, by default the same value, unless that is a proposed name.
    """
    unanswered, same = place.host.unanswered, (title, text, about or ("" if problem else value))
    again = "" if problem else unanswered.pop(same, "")
    dialog = PromptDialog(title, text, again or value, lines=lines, mend=mend, problem=problem)
    answer = await ask(place, dialog)
    if answer is None and dialog.words.strip() and not problem and dialog.words != value and (mend or not value):
        unanswered[same] = dialog.words
        if len(unanswered) > MOST_UNANSWERED:
            del unanswered[next(iter(unanswered))]
    return answer


async def ask_until(
    place: Place,
    title: str,
    text: str,
    use: Callable[[str], Awaitable[Answer]],
    value: str = "",
    *,
    mend: bool = False,
    may_be_empty: bool = True,
    problem: str = "",
) -> Answer | None:
    """Ask for a line and await `use` with it; as long as it raises `MemError`, ask again with the reason. None if closed.

    `problem` is why `value` was refused already.
    """
    about = value
    while (answer := await ask_line(place, title, text, value, mend=mend, problem=problem, about=about)) is not None:
        problems = [] if may_be_empty or answer.strip() else ["Nothing was typed: type an answer, or esc closes."]
        done = await attempt(use(answer), problems.append) if not problems else None
        if not problems:
            return done
        value, problem = answer, problems[0]
    return None


async def resolve(
    place: Place,
    name: str,
    of: Conflicts | Sides,
    *,
    names: tuple[str, str],
    leaving: str,
    about: str = "",
    keep: Callable[[bytes], object],
    typed: Typed | None = None,
) -> bytes | None:
    """Ask how to resolve conflicts, one by one; return the resulting text, or None: write nothing.

    `of` may be a file on disk: its `theirs` is then what it held when that was decided, so what is shown is what will be written.
    `names` are the titles of theirs and mine, `leaving` tells what closing means, `about` why they conflict. `keep` gets the text
    with lines typed there that the result has not; with `typed`, also lines of the result, once that turns out not to be written.
    """
    from zsmem_tui.core.conflict import Conflicts  # deferred, as below
    from zsmem_tui.ui.dialogs.conflict import ConflictDialog  # deferred: `TextArea` takes 20 ms

    found, again = (of, lambda: None) if isinstance(of, Conflicts) else (await asyncio.to_thread(of.conflicts), of.again)
    dialog = ConflictDialog(name, found, names=names, leaving=leaving, about=about, again=again)
    result = await ask(place, dialog)
    if typed is not None and result is not None and (used := dialog.unused(None)) is not None:
        typed.add(partial(keep, used))
    if (left := dialog.unused(result)) is not None and await _keep(place, partial(keep, left)) and result is None:
        place.say(_KEPT)
    return result


async def _keep(place: Place, keep: Callable[[], object]) -> bool:
    """Keep what was typed; if that is refused, say so."""
    refused: list[str] = []
    await attempt(asyncio.to_thread(keep), refused.append)
    if refused:
        place.say(refused[0], warning=True)
    return not refused


class Typed:
    """Lines typed into conflicts; those not `written` when the context is left, or before `keep`, go to their files' history."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._left: list[Callable[[], object]] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.keep()

    def add(self, keep: Callable[[], object]) -> None:
        """Remember what keeps the lines of a file."""
        self._left.append(keep)

    def written(self) -> None:
        """Forget all lines: they are in their files."""
        self._left.clear()

    async def keep(self) -> None:
        """Keep the lines that were not written."""
        left, self._left = self._left, []
        if left and all([await _keep(self._place, each) for each in left]):
            self._place.say(_KEPT)


def show_page(app: App[Any], title: str, text: str, more: Sequence[tuple[str, Callable[[], str]]] = ()) -> None:
    """Show a help page; `more` are the titles and texts of further pages, for `tab`."""
    from zsmem_tui.ui.dialogs.help import HelpDialog  # deferred: needed only for help

    app.push_screen(HelpDialog(title, text, more))


class Asked:
    """What the person typed for an action; if it is refused, the question is asked again with the reason."""

    def __init__(self, screen: Place) -> None:
        self.text = ""
        self.problem = ""
        self._screen = screen

    async def line(self, title: str, question: str, value: str = "", *, lines: bool = False, mend: bool = False) -> str:
        """Ask for a line of text; empty if the question was closed."""
        now = self.text or value
        answer = await ask_line(self._screen, title, question, now, lines=lines, mend=mend, problem=self.problem, about=value)
        self.text = answer or ""
        if not trim(self.text):
            kept = " What you typed is kept." if (title, question, value) in self._screen.host.unanswered else ""
            self._screen.say(f"{title}: {'' if answer is None else 'nothing was typed, '}nothing was done.{kept}")
        return trim(self.text)
