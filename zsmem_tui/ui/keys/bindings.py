"""All actions, and what is made from them: bindings, key bar, palette, help, README and remapping."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, ClassVar, Final

from textual.binding import Binding, BindingType
from textual.screen import Screen

from zsmem_tui.core.errors import ConfigError
from zsmem_tui.core.suggest import did_you_mean
from zsmem_tui.ui.keys import panes, tools
from zsmem_tui.ui.keys.action import EVERYWHERE, SHARED, Action
from zsmem_tui.ui.keys.names import key_name, spelled, typed_by

_ROOMS: Final = (EVERYWHERE, SHARED, *panes.ROOMS, *tools.ROOMS)
"""All panes and screens, in the order of the help."""

ACTIONS: Final = tuple(action for room in _ROOMS for action in room.actions)

SCOPES: Final = {scope.name: scope.title for room in _ROOMS for scope in room.scopes}
"""The titles of all scopes, in the order of the help."""

PANE_NAMES: Final = {room.page: room.title for room in _ROOMS if room.page}
"""The titles of panes by help page."""

PANES: Final = {scope.name: room.page for room in _ROOMS for scope in room.scopes if room.page}
"""The help page of each scope."""

_PLACES: Final = {scope.name: scope.place or scope.title for room in _ROOMS for scope in room.scopes}
"""What a sentence calls each scope in another one of its room."""

_IN_SCOPE: Final = {
    scope.name: [action for action in room.actions if action.scope == scope.name] for room in _ROOMS for scope in room.scopes
}

_BASES: Final = {scope.name: scope.bases for room in _ROOMS for scope in room.scopes}

TYPED_INTO: Final = ("query", "widen", "editor", "line")
"""Scopes in which letters are typed, so that only other keys can be actions."""

MAIN_SCOPES: Final = ("tree", "viewer", "query", "hits", "editor")
"""The scopes of the main screen."""


def with_bases(scopes: Iterable[str]) -> list[str]:
    """These scopes, each followed by its bases."""
    return list(dict.fromkeys(each for scope in scopes for each in (scope, *_BASES.get(scope, ()))))


_BAR_EVERYWHERE: Final = ("search", "undo", "quick", "maximize", "quit", "back", "keys", "palette")
_BAR_WHERE_TYPED: Final = ("back", "quick", "quit", "help", "palette")
"""The actions in the key bar after those of the pane, the most useful first."""


def bar_actions(actions: Sequence[Action], scope: str, *, bare: bool = False) -> list[Action]:
    """The key bar's actions for a scope; `bare`: its pane is empty."""
    shown = [action for action in actions if action.bar and action.keys and (action.bare or not bare)]
    here, shared = with_bases([scope]), {each.name for each in SHARED.scopes}
    own = sorted((action for action in shown if action.scope in here), key=lambda action: action.scope in shared)
    is_typed = scope in TYPED_INTO
    by_id = {action.id: action if not is_typed else action._replace(keys=",".join(while_typing(action))) for action in actions}
    everywhere = [by_id[f"app.{name}"] for name in (_BAR_WHERE_TYPED if is_typed else _BAR_EVERYWHERE)]
    return [*own, *(each for each in everywhere if each.keys and (scope, each.name) != ("tree", "back"))]  # back leads there


def while_typing(action: Action) -> list[str]:
    """The listed keys of an action that type nothing."""
    return [key for key in action.listed if not typed_by(key)]


def bindings(scope: str) -> list[Binding]:
    """The Textual bindings of a scope and its bases, with ids for remapping."""
    return [_binding(each, each.act) for base in with_bases([scope]) for each in _IN_SCOPE[base]]


def _binding(action: Action, act: str) -> Binding:
    """Make a binding; an action without keys is bound to a key that no terminal sends, so that the settings can remap it."""
    keys = ",".join(action.bound) or f"no key of {action.id}"
    return Binding(keys, act, action.label, id=action.id, show=False, priority=action.id in _FIRST)


_FIRST: Final = ("app.quit", "app.palette", "editor.save", "editor.find")
"""Actions that work even while typing."""


def next_of(screen: Screen[Any], ids: Iterable[str], step: int) -> None:
    """Focus the next (`step` 1) or previous of the visible widgets with these ids, round and round; of one alone, any widget."""
    found = (widget for id in ids for widget in screen.query(f"#{id}") if widget.display)
    # a small terminal shows one pane at a time, by its style sheet; only what is hidden otherwise is passed over
    order = [each for each in found if not any(pane.styles.inline.display == "none" for pane in each.ancestors)]
    if len(order) < 2:
        screen.focus_next() if step > 0 else screen.focus_previous()
        return
    at = order.index(screen.focused) if screen.focused in order else -1 if step > 0 else 0
    screen.set_focus(order[(at + step) % len(order)])


class Keyed:
    """A mixin for widgets with the keys of a scope, given by the class argument `keys`; must precede Textual's class."""

    BINDINGS: ClassVar[list[BindingType]] = []

    def __init_subclass__(cls, *, keys: str = "", **more: Any) -> None:
        if keys:
            cls.BINDINGS = [*bindings(keys)]
        super().__init_subclass__(**more)


def help_bindings() -> list[Binding]:
    """The help keys for a dialog with a help page, as the app's bindings do not reach dialogs."""
    return _of_app("app.help", "app.keys")


def pane_bindings() -> list[Binding]:
    """The keys to change panes for a tool screen, which override the screen's own."""
    return _of_app("app.next", "app.previous")


def _of_app(*ids: str) -> list[Binding]:
    return [_binding(each, f"app.{each.act}") for each in ACTIONS if each.id in ids]


def remapped(keys: Mapping[str, str]) -> tuple[Action, ...]:
    """The actions with the person's own keys. Raises `ConfigError` for an unknown id or a key with two meanings."""
    if not keys:
        return ACTIONS
    known = [action.id for action in ACTIONS]
    for id in keys:
        if id not in known:
            raise ConfigError(f"[keys]: there is no action called {id!r}.{did_you_mean(id, known)}")
    actions = tuple(
        action._replace(keys=spelled(action.id, keys[action.id], typed=action.scope in TYPED_INTO), silent="")
        if action.id in keys
        else action
        for action in ACTIONS
    )
    for scope in SCOPES:
        taken: dict[str, Action] = {}
        own = [*with_bases([scope]), "app"]
        for action in sorted((each for each in actions if each.scope in own), key=lambda each: -own.index(each.scope)):
            for key in action.bound:  # a silent key takes precedence over the lists' keys
                if (other := taken.setdefault(key, action)) != action and (key in action.listed or other.scope == action.scope):
                    raise ConfigError(f"[keys]: {key_name(key)} would mean both {other.id} and {action.id}.")
    return actions


def usable(keys: Mapping[str, str]) -> tuple[tuple[Action, ...], dict[str, str]]:
    """The actions with those of the person's own keys that can be, and why the others cannot, by action."""
    good: dict[str, str] = {}
    wrong: dict[str, str] = {}
    with suppress(ConfigError):
        return remapped(keys), wrong
    for id, own in keys.items():
        try:
            remapped({**good, id: own})
            good[id] = own
        except ConfigError as error:
            wrong[id] = error.message
    return remapped(good), wrong


def keys_name(action: Action) -> str:
    """The listed keys of an action, as people write them."""
    return " ".join(map(key_name, action.listed))


_MOST_PLACES: Final = 4
"""Maximum number of panes named in a message; `?` lists all."""


def elsewhere(actions: Sequence[Action], key: str, here: str = "") -> str:
    """What a key does in other panes, and in which; empty if nothing.

    Other scopes of the room of `here`, a scope, have a name of their own: the room's would be that of where the key does nothing.
    """
    bound = {action.scope: action.label for action in actions if key in action.bound}
    labels: dict[str, str] = {}
    for scope, page in PANES.items():
        for label in [bound[each] for each in with_bases([scope]) if each in bound and page != "conflict"]:
            labels.setdefault(_PLACES[scope] if page == PANES.get(here) else PANE_NAMES[page], label)
    panes: dict[str, list[str]] = {}
    for pane in list(labels)[:_MOST_PLACES]:
        panes.setdefault(labels[pane], []).append(pane)
    more = ", …" if len(labels) > _MOST_PLACES else ""
    places = (f"{label} in {', '.join(names)}" for label, names in panes.items())
    return f"it is {'; '.join(places)}{more}" if labels else ""


_GONE: Final = "deleted removed trash bin undelete recover lost"

_ORDER: Final = "sort order age date old oldest newest stale"

_ALSO: Final = {
    "app.prompt": "context budget tokens injected",
    "app.search": "find look for",
    "app.review": "diff changes inbox news of others",
    "app.transfer": "migrate backup bundle markdown imported exported took out",
    "app.doctor": "check lint problems secrets duplicates",
    "app.connect": "mcp server hooks settings",
    "app.theme": "theme colours mode appearance",
    "app.reload": "refresh",
    "app.quit": "exit close",
    "app.keys": "shortcuts bindings",
    "app.help": "manual documentation version settings changes",
    "app.quick": "go to goto find jump note heading project",
    "app.unwipe": "restore recover lost put brought back",
    "app.undo": "deleted undelete recover revert restore undid took back",
    "app.redo": "redid",
    "app.costs": "tokens bytes money",
    "copy": "clipboard paste yank copied",
    "copy_text": "clipboard paste yank sent",
    "history": f"versions log blame git diff {_GONE}",
    "outside": "vim emacs nano visual",
    "versions.wider": _GONE,
    "restore": f"{_GONE} brought back",
    "fix": "mend mended repair mask masked",
    "forget": "forgot mask masked",
    "fit": "made moves",
    "log": "logged",
    "edit": "change replace save write",
    "add": "new note create entry insert made",
    "delete": "remove trash erase",
    "put_back": "restore undo reject took out put back",
    "remove": "took out",
    "seen": "accept dismiss marked",
    "accept": "accept dismiss marked",
    "wanted": "pin stay marked",
    "archive": "trash put away",
    "line": "goto jump",
    "outline": "goto jump",
    "follow": "goto jump",
    "sort": _ORDER,
    "facts.which": "stale outdated",
}
"""Other words for actions, by id, or by name for all that are called so."""


def also(action: Action) -> str:
    """Other words by which an action is found, in the palette and in the list of keys; also what is said when it was done."""
    return f"{_ALSO.get(action.id, '')} {_ALSO.get(action.name, '')} {action.label.partition(' ')[0].removesuffix('e')}ed"


ALL_KEYS: Final = "All keys"
"""The title of the page with all keys."""

OTHER_KEYS: Final = "Other keys, and what only the palette (ctrl+p) has"
"""The heading for actions without listed keys."""


def palette_row(action: Action) -> str:
    """A line for an action without listed keys: its silent key if there is one, and where it is offered."""
    key = f" `{key_name(action.bound[0])}`" if action.bound else ""
    place = f", in {SCOPES[action.scope]}" if action.scope != "app" else ""
    return f"- {action.label}{key}{place}: {action.help}"


def key_list(actions: Iterable[Action], scopes: Collection[str] = SCOPES) -> str:
    """The keys of these scopes as Markdown lists with headings, then the actions that are only in the palette.

    Without what has no key and is in no palette: the name that settings may still use for another action.
    """
    rows = [(each, row) for each, row in _rows(actions) if each.scope in scopes]
    found = [(SCOPES[scope], [row for each, row in rows if each.scope == scope and each.keys]) for scope in scopes]
    found.append((OTHER_KEYS, [row for each, row in rows if not each.keys]))
    return "\n\n".join("\n".join([f"### {title}", "", *rows]) for title, rows in found if rows)


def row_words(actions: Iterable[Action]) -> dict[str, str]:
    """For each line of the list of keys, the name of its action and other words for it."""
    return {row: f"{each.label} {also(each)}" for each, row in _rows(actions)}


def _rows(actions: Iterable[Action]) -> list[tuple[Action, str]]:
    """Each action that has a key or is in the palette, with its line."""
    known = [each for each in actions if each.bound or each.palette]
    column = max((len(_keys(each)) - 2 * len(each.listed) for each in known), default=0) + 2

    def item(action: Action) -> str:
        keys, name = _keys(action), "" if action.help.startswith(action.label) else f"{action.label}: "
        return f"- {keys}{' ' * (column + 2 * len(action.listed) - len(keys))}{name}{action.help}"

    return [(each, item(each) if each.keys else palette_row(each)) for each in known]


def _keys(action: Action) -> str:
    return " ".join(f"`{key_name(key)}`" for key in action.listed)
