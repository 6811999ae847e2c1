"""Every use of something private of Textual, each with what it is for: the version that is pinned has no public way to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, Final
from weakref import ref

from textual._compositor import Compositor
from textual.app import App
from textual.cache import LRUCache
from textual.css.model import RuleSet
from textual.css.query import NoMatches
from textual.css.styles import RenderStyles
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode
from textual.message import Message
from textual.screen import Screen, ScreenResultType
from textual.strip import Strip
from textual.widget import Widget

if TYPE_CHECKING:  # `TextArea` takes a start 20 ms
    from textual.widgets import TextArea
    from textual.widgets.text_area import Edit, EditResult, TextAreaTheme, WrappedDocument


class PartStyles(dict[str, RenderStyles]):
    """The styles of the parts of a widget, by their names, each made when it is asked for."""

    def __init__(self, names: Iterable[str], make: Callable[[str], RenderStyles]) -> None:
        super().__init__()
        self._names = frozenset(names)
        self._make = make

    def __missing__(self, name: str) -> RenderStyles:
        if name not in self._names:
            raise KeyError(name)
        styles = self[name] = self._make(name)
        return styles

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def items(self) -> Any:
        """Every part with its styles: those that nobody asked for yet are made."""
        for name in self._names:
            self[name]  # made where it was not
        return super().items()

    def renew(self) -> bool:
        """Make anew what had been asked for; whether anything looks different."""
        before = dict(self)
        self.clear()
        return any(self[name] != styles for name, styles in before.items())


_RULES: Final[dict[frozenset[tuple[str, str]], LRUCache[tuple[Any, ...], list[RuleSet]]]] = {}
"""The rules that style sheets say, by the colours they were read with."""


class LazyStylesheet(Stylesheet):
    """Textual's own, which styles the parts of a widget, such as its cursor, when they are asked for, not with the widget.

    Most are of widgets that are not shown. A start takes a fifth less time for that, a step of the focus a quarter.

    A sheet that was read is not read again when the first tool brings one more: it is there 20 ms sooner.
    """

    def set_variables(self, variables: dict[str, str]) -> None:
        """Style with these colours from now on."""
        super().set_variables(variables)
        self._parse_cache = _RULES.setdefault(frozenset(variables.items()), LRUCache(64))

    def reparse(self) -> None:
        """Take rules from all sheets anew; those that are there stay where one cannot be read."""
        self.parse()

    def _process_component_classes(self, node: DOMNode) -> None:
        """The last step of styling a node: its parts."""
        names = node._get_component_classes()
        before = node._component_styles
        if isinstance(before, PartStyles):
            if before.renew():
                node.refresh()
        elif names:
            node._component_styles = PartStyles(names, partial(self._style_part, ref(node)))

    def _style_part(self, whole: ref[DOMNode], name: str) -> RenderStyles:
        part = DOMNode(classes=name)
        if (node := whole()) is not None:
            part._attach(node)
            self.apply(part)
        return part.styles


class EndingApp(App[None]):
    """An app that is told of its end, and of its errors, before anything is taken down."""

    draws_unseen = False
    """Whether frames are drawn that no terminal gets."""

    def before_shutdown(self) -> None:
        """Nothing is taken down yet."""

    def is_expected(self, error: Exception) -> bool:
        """Whether an error is no reason to end."""
        return False

    def tell_crash(self, error: Exception) -> None:
        """The program ends for this error."""

    async def _shutdown(self) -> None:
        """Textual cancels workers screen by screen as these go: what wakes up in between finds half a screen."""
        self.before_shutdown()
        await super()._shutdown()

    def _handle_exception(self, error: Exception) -> None:
        """Whatever nobody caught, of handlers and of workers."""
        if not self.is_expected(error):
            self._crash = error
            super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """Textual's own prints the text that functions had in hand: other people's memory."""
        self.tell_crash(self._crash)
        self._close_messages_no_wait()


class SeenCompositor(Compositor):
    """Draws no change of a frame for a driver without a terminal: Textual would throw it away. Who asks for a frame gets it."""

    def __init__(self, screen: Screen[Any]) -> None:
        super().__init__()
        self._screen = screen

    def render_update(self, full: bool = False, screen_stack: Any = None, simplify: bool = False) -> Any:
        """What is different on the screen; None: nothing that anybody sees."""
        app = self._screen.app
        is_seen = full or not app.is_headless or (isinstance(app, EndingApp) and app.draws_unseen)
        return super().render_update(full, screen_stack, simplify) if is_seen else None


class SeenScreen(Screen[ScreenResultType]):
    """A screen that is drawn for those who see it."""

    def __init__(self, *about: Any, **named: Any) -> None:
        super().__init__(*about, **named)
        self._compositor = SeenCompositor(self)


class ForgettingScreen(SeenScreen[ScreenResultType]):
    """A screen that leaves out messages that nobody waits for: public handlers get events only, and some come too late for it."""

    def is_wanted(self, message: Message) -> bool:
        """Whether somebody still waits for it."""
        return True

    @property
    def is_gone(self) -> bool:
        """Whether its widgets may be gone."""
        return False

    async def _dispatch_message(self, message: Message) -> None:
        if not self.is_wanted(message):
            return
        try:
            await super()._dispatch_message(message)
        except NoMatches:
            if not self.is_gone:
                raise  # else it was closed in the middle of this


def is_going(widget: Widget) -> bool:
    """Whether a widget is being removed: it is attached all the while."""
    return widget._pruning


class TextAreaHooks:
    """For a text area that holds its text, and draws its rows, in its own way; it stands before `TextArea` among the bases."""

    def hold(self, text: str) -> None:
        """Take another text."""
        raise NotImplementedError

    def draw_row(self, y: int) -> Strip:
        """Draw a row of the screen."""
        return self.plain_row(y)

    def plain_row(self, y: int) -> Strip:
        """A row of the screen as Textual draws it."""
        inherited: Any = super()
        row: Strip = inherited._render_line(y)
        return row

    def _set_document(self, text: str, language: str | None) -> None:
        """Textual makes a document that wraps without a hanging indent, and takes other signs for line ends than files do."""
        self.hold(text)

    def _render_line(self, y: int) -> Strip:
        """Textual goes over the whole of a line for each of its rows; `render_line` asks this one, and keeps the answer."""
        return self.draw_row(y)


def rewrap(area: TextArea) -> None:
    """Wrap a text anew that was set without `load_text`."""
    area._rewrap_and_refresh_virtual_size()


def theme_of(area: TextArea) -> TextAreaTheme:
    """The styles in use; `theme` is but their name."""
    theme = area._theme
    assert theme is not None  # from its first frame on
    return theme


def draws_cursor(area: TextArea) -> bool:
    """Whether the cursor is seen at this moment of its blinking."""
    return area._draw_cursor


def set_rows(document: WrappedDocument, rows: list[tuple[int, int]]) -> None:
    """The line of each row, and which row of it that is: the text area reads them here."""
    document._offset_to_line_info = rows


def result_of(edit: Edit) -> EditResult | None:
    """What an edit did."""
    return edit._edit_result


def set_result(edit: Edit, result: EditResult) -> None:
    """An edit did more: the next one went on with it."""
    edit._edit_result = result
