"""The help dialog: list of keys, help pages, and past messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import Input

from zsmem_tui.core.fold import folded_text
from zsmem_tui.core.link_target import LeadsTo, by_path, heading_line
from zsmem_tui.core.text import lines, words
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import help
from zsmem_tui.service.help import GUIDE
from zsmem_tui.ui.conversations import Overlay
from zsmem_tui.ui.keys.bindings import ALL_KEYS, PANE_NAMES, PANES, SCOPES, bindings, key_list, row_words, with_bases
from zsmem_tui.ui.memory.pane_focus import SCOPE_OF
from zsmem_tui.ui.reading.blocks import link_words
from zsmem_tui.ui.reading.page import Page, Trail
from zsmem_tui.ui.signs import legend, rarer
from zsmem_tui.ui.widgets.frame import FilterLine
from zsmem_tui.ui.widgets.page_view import LinkedView
from zsmem_tui.ui.widgets.row_lines import wrapped
from zsmem_tui.ui.wording import age, fenced, is_typed, size

if TYPE_CHECKING:
    from zsmem_tui.ui.app import ZsmemApp


_LEADS: Final = frozenset(("focus_pane", "quick_open", "palette", *PANES.values()))
"""The actions that lead away from help: to screens, panes and files."""

NO_WORDS: Final[Mapping[str, str]] = {}

_HEAD: Final = 2
"""Lines of a table's head: titles and rule."""


def help_link(target: str, titles: Sequence[str], here: int) -> tuple[int, str] | None:
    """Resolve a link on the page at index `here` among pages with these titles: to a page and a heading on it (empty: the top).

    None if it leads to no help page.
    """
    found = by_path(target, "", "", [f"{name}.md" for name in GUIDE])
    if not isinstance(found, LeadsTo):
        return None
    if not found.path:
        return here, found.heading
    title = GUIDE[found.path.removesuffix(".md")]
    return (titles.index(title), found.heading) if title in titles else None


def only(text: str, query: str, known: Mapping[str, str] = NO_WORDS) -> str:
    """The lines of a Markdown page that contain all words of `query`, with their headings; without a query, the whole page.

    Table rows keep their head; if the head matches, all rows are kept, and what stands right below a heading that matches, but
    for the page's. `known` has other words for lines. If nothing matches, a sentence.
    """
    wanted = [folded_text(word) for word in words(query)]
    if not wanted:
        return text
    kept: list[str] = []
    headings: list[str] = []  # not shown yet
    above = ""  # the last heading, unless it is the page's
    head: list[str] = []  # the head lines of the current table
    for line in lines(text):
        holds = _holds(f"{line} {known.get(line, '')}", wanted)
        head = ([*head, line] if len(head) < _HEAD else head) if line.startswith("|") else []
        if line.startswith("#"):
            level = len(line) - len(line.lstrip("#"))
            headings = [each for each in headings if len(each) - len(each.lstrip("#")) < level] + [line]
            above = line if level > 1 else ""
            continue
        if not line or not (holds or _holds(above, wanted) or (head and _holds(head[0], wanted))):
            continue
        kept += [part for each in headings for part in ("", each, "")]
        headings = []
        if head and line not in head and not any(each is head[0] for each in kept):
            kept += ["", *head]
        kept.append(line if line.startswith(("- ", "|", " ")) else f"- {line}")
    return "\n".join(kept) if kept else f"Nothing on this page holds “{query}”. ctrl+p knows more words; esc shows all again."


def _holds(text: str, wanted: Sequence[str]) -> bool:
    return all(word in folded_text(text) for word in wanted)


class HelpPage(LinkedView):
    """A help page with its keys."""

    FOLLOW = "screen.follow"

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings("list"),
        *bindings("text"),
        ("slash", "screen.filter"),
        ("l,right", "screen.link(1)"),
        ("h,left", "screen.link(-1)"),
        ("enter", "screen.follow"),
        ("left_square_bracket,backspace", "screen.trail(-1)"),
        ("right_square_bracket", "screen.trail(1)"),
        ("y", "screen.copy_text"),
        ("q", "screen.dismiss(None)"),
    ]


class HelpFilter(FilterLine):
    """The filter input; scroll keys still scroll the page."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("down", "screen.page('scroll_down')"),
        ("up", "screen.page('scroll_up')"),
        ("pagedown", "screen.page('page_down')"),
        ("pageup", "screen.page('page_up')"),
    ]

    def on_key(self, event: Key) -> None:
        """Close on `?` if nothing was typed, since that key opened the list of keys."""
        if event.character == "?" and not self.value:
            event.stop()
            event.prevent_default()
            self.screen.dismiss(None)


class HelpDialog(ModalScreen[None], Overlay[None]):
    """Shows Markdown pages; `more` are further pages, made on demand, to which `tab` goes.

    In the list of keys the filter has the focus at once, on other pages after `/`.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape", "close"),
        ("question_mark,f1", "dismiss(None)", "Close"),
        ("tab", "turn(1)"),
        ("shift+tab", "turn(-1)"),
    ]

    def __init__(
        self,
        title: str,
        text: str,
        more: Sequence[tuple[str, Callable[[], str]]] = (),
        *,
        copies: str = "",
        known: Mapping[str, str] = NO_WORDS,
    ) -> None:
        """`copies` is the text for the clipboard; by default the page. `known` has other words for lines."""
        super().__init__(classes="dialog-screen")
        self._copies, self._known = copies, known
        self._pages: list[tuple[str, Callable[[], str]]] = [(title, lambda: text), *more]
        self._at = 0
        self._trail: Trail[tuple[int, int]] = Trail()
        """The pages from which links were followed, with their top lines."""

    def compose(self) -> ComposeResult:
        """Yield the filter and the page."""
        with Vertical(classes="dialog"):
            yield HelpFilter("type to see only some", id="help-filter", rows="help-page")
            yield HelpPage(id="help-page")

    def on_mount(self) -> None:
        """Show the first page."""
        self._show(0)
        self.watch(self, "focused", self._tell_keys, init=False)

    async def on_key(self, event: Key) -> None:
        """Leave for what a key opens everywhere, if no question lies below."""
        app: Any = self.app
        leads = (each for each in app.actions if each.scope == "app" and each.act.partition("(")[0] in _LEADS)
        found = next((each for each in leads if event.key in each.bound), None)
        if found is not None and not any(isinstance(each, ModalScreen) for each in app.screen_stack[:-1]):
            event.stop()
            self.dismiss(None)
            await app.run_action(found.act)

    def action_turn(self, step: int) -> None:
        """Go to the next or previous page, wrapping around."""
        if not self._pages[1:]:
            self.say_dead("tab")
            return
        self._show((self._at + step) % len(self._pages))

    def action_link(self, step: int) -> None:
        """Choose the next or previous link and show its target."""
        page = self.query_one(HelpPage)
        found = page.choose_link(step)
        words = visible_line(link_words(page.link_target))
        self._say(f"enter follows the link to {words} · l h another" if found else "There is no link on this page.")

    def action_follow(self) -> None:
        """Follow the chosen link, to another help page or a heading."""
        page = self.query_one(HelpPage)
        if not page.link_target:
            self.action_link(1)
            return
        to = help_link(page.link_target, [title for title, _ in self._pages], self._at)
        if to is None:
            self._say(f"{visible_line(link_words(page.link_target))} is no page of help: it was not opened.")
            return
        self._trail.leave((self._at, page.top_line))
        at, heading = to
        self._show(at, heading_line(heading, Page(self._pages[at][1]()).outline) if heading else 0)

    def action_trail(self, step: int) -> None:
        """Go back (`step` -1) or forward (1) along the links that were followed."""
        spot = self._trail.go(step, (self._at, self.query_one(HelpPage).top_line))
        if spot is not None:
            self._show(*spot)
        else:
            self._say("No link was followed here." if step < 0 else "There is nothing to go forward to.")

    def _say(self, words: str) -> None:
        """Show a message in place of the keys, until another page is shown."""
        self.query_one(".dialog", Vertical).border_subtitle = Content(words)

    def action_copy_text(self) -> None:
        """Copy the page, or all messages, to the clipboard."""
        text = self._copies or self._pages[self._at][1]()
        self.app.copy_to_clipboard(text)
        self._say(f"Sent to the terminal's clipboard ({size(len(text.encode()))}).")

    def action_filter(self) -> None:
        """Open the filter."""
        self.query_one(HelpFilter).begin()

    def action_page(self, action: str) -> None:
        """Scroll the page from the filter input."""
        self.call_next(self.query_one(HelpPage).run_action, action)

    def action_close(self) -> None:
        """Clear the filter; if it is empty, close."""
        line = self.query_one(HelpFilter)
        if line.value:
            line.value = ""
        else:
            self.dismiss(None)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self.query_one(HelpPage).show(Page(only(self._pages[self._at][1](), event.value, self._known)))
        self._tell_keys()

    def _show(self, at: int, line_meant: int | None = 0) -> None:
        self._at = at
        title, read = self._pages[at]
        page, line = self.query_one(HelpPage), self.query_one(HelpFilter)
        with line.prevent(Input.Changed):
            line.value = ""
        if title == ALL_KEYS:
            self.action_filter()
        else:
            line.remove_class("-shown")
            self.set_focus(page)
        self.query_one(".dialog", Vertical).border_title = Content(title)
        self._tell_keys()
        self.call_after_refresh(page.show, Page(read()), line=line_meant or None)

    def _tell_keys(self) -> None:
        following = self._pages[(self._at + 1) % len(self._pages)][0]
        keys = (
            "type to filter · ↓ ↑ scroll" if is_typed(self) else f"j k scroll · / filter · {'y copy' if self._copies else 'l link'}"
        )
        ends = "clear" if self.query_one(HelpFilter).value else "close"
        self._say(f"esc {ends} · {keys}" + (f" · tab {following}" if len(self._pages) > 1 else ""))


def page_cells(columns: int) -> int:
    """Cells of a row in a code block on a page of the dialog, which has most of a screen of so many columns."""
    return min(columns * 86 // 100, 104) - 6


def show_help(app: ZsmemApp, *, keys: bool = False) -> None:
    """Show the help page of the focused pane, or with `keys` all keys, that pane's first; the other pages follow."""
    explained, *others = _pages(app)
    (title, text), *more = (*others, explained) if keys else (explained, *others)
    app.push_screen(HelpDialog(title, text(), more, known=row_words(app.actions)))


def show_messages(app: ZsmemApp, told: Sequence[tuple[int, str]]) -> None:
    """Show past status messages, the latest first."""
    rows: list[str] = []
    for then, text in reversed(told):
        first, *more = wrapped(text, page_cells(app.size.width) - 6) or [""]
        rows += [f"{age(then, app.now_ns()):>4}  {first}", *(f"      {line}" for line in more)]
    every = "".join(f"{text}\n" for _, text in reversed(told))
    app.push_screen(HelpDialog("Messages", fenced(rows) if rows else "Nothing was said yet.", copies=every))


def _pages(app: ZsmemApp) -> list[tuple[str, Callable[[], str]]]:
    """The help pages: that of what is in use, its keys with the focused widget's first, all keys, then the others."""
    screen, tool, focused, actions = app.screen, app.tool, app.focused, app.actions
    pane = (screen.PAGE if isinstance(screen, Overlay) else "") or (tool.PAGE if tool else app.main.page)
    known = tool.SCOPE_OF if tool else SCOPE_OF
    in_use = known.get(focused.id or "") if focused is not None else None
    scopes = with_bases(sorted((scope for scope in SCOPES if PANES.get(scope) == pane), key=lambda scope: scope != in_use))
    own = key_list(actions, scopes)

    def every() -> str:
        others = key_list(actions, [scope for scope in SCOPES if scope not in ("app", *scopes)])
        parts = [f"## Here: {PANE_NAMES[pane]}", own, key_list(actions, ["app"]), "## In other panes", others, "## Changing keys"]
        return "\n\n".join([f"Signs: {legend()}", *parts, help.read("changing_keys"), "## Rarer signs", rarer()])

    return [
        (f"Help: {PANE_NAMES[pane]}", lambda: f"{help.read(f'panes/{pane}')}\n## Its keys\n\n{own}"),
        (ALL_KEYS, every),
        *((title, partial(help.read, name)) for name, title in help.guide({store.title for store in app.main.stores}).items()),
    ]
