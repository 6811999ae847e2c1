"""All uses of Textual's private API, where the pinned version has no public one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, Final
from weakref import ref

from textual._ansi_sequences import ANSI_SEQUENCES_KEYS  # the only place that says what a Mac's `alt` and a digit become
from textual._compositor import Compositor  # the base of the one that draws less
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

from zsmem_tui.config.locate import environment

if TYPE_CHECKING:  # importing `TextArea` takes 20 ms
    from textual.widgets import TextArea
    from textual.widgets.text_area import Edit, EditResult, TextAreaTheme, WrappedDocument


ALT_DIGITS: Final = {char: digit for digit in "0123456789" if isinstance(char := ANSI_SEQUENCES_KEYS.get(f"\x1b{digit}"), str)}
"""The digit by the character that Textual makes of `alt` and it, as a Mac does: the bytes are those of `esc` and the digit."""


class PartStyles(dict[str, RenderStyles]):
    """The styles of a widget's component classes by name, each computed on first access."""

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

    def renew(self) -> bool:
        """Compute the accessed styles again; whether any has changed."""
        before = dict(self)
        self.clear()
        return any(self[name] != styles for name, styles in before.items())


_RULES: Final[dict[frozenset[tuple[str, str]], LRUCache[tuple[Any, ...], list[RuleSet]]]] = {}
"""Parsed rules of style sheets, by the colour variables that they were parsed with."""

_MATCHES: Final[LRUCache[tuple[RuleSet, ...], LRUCache[tuple[Any, ...], Any]]] = LRUCache(64)
"""What matched a node, by all rules of a stylesheet, then by all that selectors look at: moving the focus computes little anew."""
RuleSet.__hash__ = object.__hash__  # type: ignore[method-assign]  # a Python function otherwise, called for each rule and widget


class OneMatch:
    """The rules that match one node, as the cache that Textual asks for them unless they depend on more than its path."""

    def __init__(self, matches: LRUCache[tuple[Any, ...], Any], path: tuple[Any, ...]) -> None:
        self._of = matches
        self._path = path

    def get(self, _: object) -> Any:
        """The rules, if they are known."""
        return self._of.get(self._path)

    def __setitem__(self, _: object, rules: Any) -> None:
        self._of[self._path] = rules


class LazyStylesheet(Stylesheet):
    """A stylesheet that computes styles of component classes, such as a cursor's, on first access.

    Most belong to hidden widgets; a start gets a fifth faster. Parsed sheets are kept, so the first tool appears 20 ms sooner.
    """

    _matched: list[RuleSet] | None = None
    _matches: LRUCache[tuple[Any, ...], Any]

    def set_variables(self, variables: dict[str, str]) -> None:
        """Set the colour variables."""
        super().set_variables(variables)
        self._parse_cache = _RULES.setdefault(frozenset(variables.items()), LRUCache(64))

    reparse = Stylesheet.parse  # if a sheet is invalid, the old rules stay

    def apply(self, node: DOMNode, *, animate: bool = False, cache: object = None) -> None:
        """Style a node; Textual remembers what matched for siblings only, and within one update."""
        if self._matched is not self.rules:
            self._matched, every = self.rules, tuple(self.rules)
            self._matches = _MATCHES.get(every) or LRUCache(1024)
            _MATCHES[every] = self._matches
        path: list[Any] = []
        at: DOMNode | None = node
        while at is not None:
            path += type(at), at.id, at.classes
            if isinstance(at, Widget):
                path += at.mouse_hover, at.has_focus, at.is_disabled, at.allow_focus()
            else:
                path.append(at.pseudo_classes)
            at = at.parent
        remembered: Any = OneMatch(self._matches, tuple(path))
        super().apply(node, animate=animate, cache=remembered)

    @classmethod
    def replace_rules(cls, node: DOMNode, rules: Any, animate: bool = False) -> None:
        """Set the rules of a node; Textual compares all that it can have before and after, which only a transition needs."""
        if rules != node.styles.base.get_rules():
            super().replace_rules(node, rules, animate and "transitions" in rules)
        elif not animate:
            node.notify_style_update()

    def _process_component_classes(self, node: DOMNode) -> None:
        """Called by Textual at the end of styling a node: it would style all component classes at once."""
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


def tell_esc_apart(seconds: float = 0.025) -> None:
    """Let a key that comes so long after `esc` be one of its own; Textual takes what follows within 100 ms for a key with `alt`.

    A terminal sends the bytes of a key with `alt` at once. `ESCDELAY`, in milliseconds, is another time.
    """
    from textual import constants  # deferred: as the driver is, which no test needs
    from textual._xterm_parser import XTermParser  # deferred: likewise; what the driver makes, and no public name takes another
    from textual.drivers import linux_driver  # deferred: likewise

    class Parser(XTermParser):
        """A parser that looks at the time when bytes come, not only ten times a second."""

        def feed(self, data: str) -> Iterable[Message]:
            yield from self.tick()
            yield from super().feed(data)

    if "ESCDELAY" not in environment():
        vars(constants)["ESCAPE_DELAY"] = seconds
    vars(linux_driver)["XTermParser"] = Parser


class EndingApp(App[None]):
    """An app with hooks that are called before shutdown and on errors."""

    draws_unseen = False
    """Whether to draw frames even without a terminal."""

    def before_shutdown(self) -> None:
        """Called before anything is shut down."""

    def is_expected(self, error: Exception) -> bool:
        """Whether an error should be ignored."""
        return False

    def tell_crash(self, error: Exception) -> None:
        """Called when the program ends because of an error."""

    async def _shutdown(self) -> None:
        """Call the hook first, since workers would find removed widgets during Textual's shutdown."""
        self.before_shutdown()
        await super()._shutdown()

    def _handle_exception(self, error: Exception) -> None:
        """Handle an uncaught error of a handler or worker: no public hook comes before the program ends."""
        if not self.is_expected(error):
            self._crash = error
            super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """Report the error without Textual's traceback, which would print local variables and so people's texts."""
        self.tell_crash(self._crash)
        self._close_messages_no_wait()


class SeenCompositor(Compositor):
    """A compositor that skips updates no terminal would show; full frames are always rendered."""

    def __init__(self, screen: Screen[Any]) -> None:
        super().__init__()
        self._screen = screen

    def render_update(self, full: bool = False, screen_stack: Any = None, simplify: bool = False) -> Any:
        """The changed part of the screen; None if nobody would see it."""
        app = self._screen.app
        is_seen = full or not app.is_headless or (isinstance(app, EndingApp) and app.draws_unseen)
        return super().render_update(full, screen_stack, simplify) if is_seen else None


class SeenScreen(Screen[ScreenResultType]):
    """A screen that skips updates no terminal would show."""

    def __init__(self, *about: Any, **named: Any) -> None:
        super().__init__(*about, **named)
        self._compositor = SeenCompositor(self)


class ForgettingScreen(SeenScreen[ScreenResultType]):
    """A screen that can drop messages before they are handled, which Textual's public handlers can only do for events."""

    closed = False
    """Whether it was dismissed; it may still be on the stack."""

    def is_wanted(self, message: Message) -> bool:
        """Whether to handle a message."""
        return True

    async def _dispatch_message(self, message: Message) -> None:
        if not self.is_wanted(message):
            return
        try:
            await super()._dispatch_message(message)
        except NoMatches:
            if not self.closed:
                raise  # otherwise the screen was closed while handling this message


def is_going(widget: Widget) -> bool:
    """Whether a widget is being removed; it stays attached meanwhile."""
    return widget._pruning


class TextAreaHooks:
    """Hooks for a text area with its own document and row rendering; must precede `TextArea` among the bases."""

    def hold(self, text: str) -> None:
        """Load another text."""
        raise NotImplementedError

    def draw_row(self, y: int) -> Strip:
        """Render a row."""
        return self.plain_row(y)

    def plain_row(self, y: int) -> Strip:
        """Render a row as Textual does."""
        inherited: Any = super()
        row: Strip = inherited._render_line(y)
        return row

    def _set_document(self, text: str, language: str | None) -> None:
        """Call `hold` instead: Textual's document wraps without indent, and treats other characters as line ends."""
        self.hold(text)

    def _render_line(self, y: int) -> Strip:
        """Call `draw_row` instead: Textual processes a whole line for each of its rows. The caller caches the result."""
        return self.draw_row(y)


def rewrap(area: TextArea) -> None:
    """Rewrap a text that was set without `load_text`."""
    area._rewrap_and_refresh_virtual_size()


def theme_of(area: TextArea) -> TextAreaTheme:
    """The active theme object; `area.theme` is only its name."""
    theme = area._theme
    assert theme is not None  # set from the first frame on
    return theme


def draws_cursor(area: TextArea) -> bool:
    """Whether the blinking cursor is visible now: rows that are drawn here need it, and no property has it."""
    return area._draw_cursor


def set_rows(document: WrappedDocument, rows: list[tuple[int, int]]) -> None:
    """Set the table of (line, section) by row that the text area reads."""
    document._offset_to_line_info = rows


def result_of(edit: Edit) -> EditResult | None:
    """The result of an edit, or None if it was not applied; undo keeps it on the edit alone."""
    return edit._edit_result


def set_result(edit: Edit, result: EditResult) -> None:
    """Replace the result of an edit that was extended by the next one: undo reads it there."""
    edit._edit_result = result
