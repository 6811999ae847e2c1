"""Every user action once: bindings, key bar, palette, help, README and remapping come from what the rooms declare."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final

from textual.binding import Binding, BindingType

from zsmem_tui.core.errors import ConfigError
from zsmem_tui.core.suggest import did_you_mean
from zsmem_tui.ui.keys import panes, tools
from zsmem_tui.ui.keys.action import EVERYWHERE, SHARED, Action
from zsmem_tui.ui.keys.names import key_name, spelled

_ROOMS: Final = (EVERYWHERE, SHARED, *panes.ROOMS, *tools.ROOMS)
"""Every pane and screen, in the order in which help shows them."""

ACTIONS: Final = tuple(action for room in _ROOMS for action in room.actions)

SCOPES: Final = {scope.name: scope.title for room in _ROOMS for scope in room.scopes}
"""The places where keys work, in the order in which help shows them, with their titles."""

PANE_NAMES: Final = {room.page: room.title for room in _ROOMS if room.page}
"""What the panes are called on the screen."""

PANES: Final = {scope.name: room.page for room in _ROOMS for scope in room.scopes if room.page}
"""Which page of help explains a scope."""

_IN_SCOPE: Final = {
    scope.name: [action for action in room.actions if action.scope == scope.name] for room in _ROOMS for scope in room.scopes
}

_BASES: Final = {scope.name: scope.bases for room in _ROOMS for scope in room.scopes}

TYPED_INTO: Final = ("query", "widen", "editor", "line")
"""The scopes where letters are text, so that only other keys are actions."""

MAIN_SCOPES: Final = ("tree", "viewer", "query", "hits", "editor")
"""The scopes of the main screen."""


def with_bases(scopes: Iterable[str]) -> list[str]:
    """These scopes, each with those whose keys work there as well."""
    return list(dict.fromkeys(each for scope in scopes for each in (scope, *_BASES.get(scope, ()))))


_BAR_EVERYWHERE: Final = ("app.undo", "app.quick", "app.search", "app.maximize", "app.quit", "app.keys", "app.palette")
_BAR_WHERE_TYPED: Final = ("app.back", "app.quick", "app.quit", "app.help", "app.palette")
"""What the key bar says behind the keys of the pane: the most useful first, for those that do not fit are left out."""


def bar_actions(actions: Sequence[Action], scope: str, *, bare: bool = False) -> list[Action]:
    """What the key bar shows for a scope; `bare` says that its pane has nothing to show."""
    shown = [action for action in actions if action.bar and action.keys and (action.bare or not bare)]
    here, shared = with_bases([scope]), {each.name for each in SHARED.scopes}
    own = sorted((action for action in shown if action.scope in here), key=lambda action: action.scope in shared)
    ids = _BAR_WHERE_TYPED if scope in TYPED_INTO else _BAR_EVERYWHERE
    by_id = {action.id: action for action in actions}
    return [*own, *(by_id[id] for id in ids)]


def bindings(scope: str) -> list[Binding]:
    """The Textual bindings of a scope and its bases, with ids for remapping."""
    return [_binding(each, each.act) for base in with_bases([scope]) for each in _IN_SCOPE[base]]


def _binding(action: Action, act: str) -> Binding:
    """What has no key yet is bound to one that no terminal sends: the settings can give it another."""
    keys = ",".join(action.bound) or f"no key of {action.id}"
    return Binding(keys, act, action.label, id=action.id, show=False, priority=action.id in _FIRST)


_FIRST: Final = ("app.quit", "app.palette", "editor.save", "editor.find")
"""What works whatever has the focus and is typed into."""


class Keyed:
    """A widget that has the keys of a scope, which its class names as its `keys`; stands before Textual's own among the bases."""

    BINDINGS: ClassVar[list[BindingType]] = []

    def __init_subclass__(cls, *, keys: str = "", **more: Any) -> None:
        if keys:
            cls.BINDINGS = [*bindings(keys)]
        super().__init_subclass__(**more)


def help_bindings() -> list[Binding]:
    """The keys of help, for a dialog that a page of help explains: what is bound to the app does not reach a dialog."""
    return _of_app("app.help", "app.keys")


def pane_bindings() -> list[Binding]:
    """The keys from pane to pane, for a screen over the main one: every screen has keys of its own for the next widget."""
    return _of_app("app.next", "app.previous")


def _of_app(*ids: str) -> list[Binding]:
    return [_binding(each, f"app.{each.act}") for each in ACTIONS if each.id in ids]


def remapped(keys: Mapping[str, str]) -> tuple[Action, ...]:
    """The actions with the person's own keys. Raises `ConfigError` for an unknown id or a key with two meanings."""
    if not keys:
        return ACTIONS
    known = {action.id for action in ACTIONS}
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
        taken: dict[str, str] = {}
        own = [*with_bases([scope]), "app"]
        for action in sorted((each for each in actions if each.scope in own), key=lambda each: -own.index(each.scope)):
            for key in action.bound:  # a silent key comes before what it means in every list
                if (other := taken.setdefault(key, action.id)) != action.id and key in action.listed:
                    raise ConfigError(f"[keys]: {key_name(key)} would mean both {other} and {action.id}.")
    return actions


def keys_name(action: Action) -> str:
    """The listed keys of an action, as people write them."""
    return " ".join(map(key_name, action.listed))


_MOST_PLACES: Final = 3
"""Panes that are named where a key works elsewhere; `?` names all."""


def elsewhere(actions: Sequence[Action], key: str) -> str:
    """What a key means where it means something, and where that is; empty for a key of nowhere."""
    found = [action for action in actions if key in action.bound and action.scope in PANES and action.scope != "conflict"]
    if not found:
        return ""
    panes = list(dict.fromkeys(PANE_NAMES[PANES[action.scope]] for action in found))
    more = ", …" if len(panes) > _MOST_PLACES else ""
    return f"it is {found[0].label} in {', '.join(panes[:_MOST_PLACES])}{more}"


ALL_KEYS: Final = "All keys"
"""The title of the page with every key."""

OTHER_KEYS: Final = "Other keys, and what only the palette has"
"""The heading of what has no key in the lists above."""


def palette_row(action: Action) -> str:
    """What stands there, with the key that works all the same, where there is one."""
    key = f" `{key_name(action.bound[0])}`" if action.bound else ""
    return f"- {action.label}{key}: {action.help}"


def key_list(actions: Iterable[Action], scopes: Collection[str] = SCOPES) -> str:
    """A heading and a list for each scope, what the keys do in one column, then what is in the palette."""
    known = list(actions)
    column = max((len(_keys(each)) - 2 * len(each.listed) for each in known), default=0) + 2

    def item(action: Action) -> str:
        keys = _keys(action)
        return f"- {keys}{' ' * (column + 2 * len(action.listed) - len(keys))}{action.help}"

    found = [(SCOPES[scope], [item(each) for each in known if each.scope == scope and each.keys]) for scope in scopes]
    found.append((OTHER_KEYS, [palette_row(each) for each in known if each.scope in scopes and not each.keys]))
    return "\n\n".join("\n".join([f"### {title}", "", *rows]) for title, rows in found if rows)


def _keys(action: Action) -> str:
    return " ".join(f"`{key_name(key)}`" for key in action.listed)
