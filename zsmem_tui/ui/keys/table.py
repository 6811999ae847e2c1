"""The key table as Markdown: for the help screens and the README."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from zsmem_tui.ui.keys.action import Action
from zsmem_tui.ui.keys.bindings import SCOPES
from zsmem_tui.ui.keys.names import key_name

ALL_KEYS: Final = "All keys"
"""The title of the page with every key."""

NO_KEY: Final = "Without a key, in the palette"
"""The heading of what no key does."""


def key_table(actions: Iterable[Action], scopes: Collection[str] = SCOPES) -> str:
    """A heading and a table for each scope, then what has no key."""
    known = list(actions)
    tables = [_table(scope, rows) for scope in scopes if (rows := _with_keys(known, scope))]
    return "\n\n".join([*tables, *_without_keys(known, scopes)])


def key_list(actions: Iterable[Action], scopes: Collection[str] = SCOPES) -> str:
    """The same as lists, what the keys do in one column: nothing is cut where there is little room."""
    known = list(actions)
    column = max((len(_keys(each)) - 2 * len(each.listed) for each in known), default=0) + 2

    def item(action: Action) -> str:
        keys = _keys(action)
        return f"- {keys}{' ' * (column + 2 * len(action.listed) - len(keys))}{action.help} *{action.id}*"

    found = [(scope, _with_keys(known, scope)) for scope in scopes]
    lists = ["\n".join([f"### {SCOPES[scope]}", "", *map(item, rows)]) for scope, rows in found if rows]
    return "\n\n".join([*lists, *_without_keys(known, scopes)])


def _with_keys(actions: Iterable[Action], scope: str) -> list[Action]:
    return [action for action in actions if action.scope == scope and action.keys]


def _without_keys(actions: Iterable[Action], scopes: Collection[str]) -> list[str]:
    """What the palette does, and the settings can give a key."""
    found = [action for action in actions if action.scope in scopes and not action.keys]
    rows = [f"- {action.label}: {action.help} *{action.id}*" for action in found]
    return ["\n".join([f"### {NO_KEY}", "", *rows])] if rows else []


def _table(scope: str, actions: list[Action]) -> str:
    rows = [f"| {_keys(action)} | {action.label} | {action.help} | `{action.id}` |" for action in actions]
    return "\n".join([f"### {SCOPES[scope]}", "", "| key | action | what it does | id |", "|---|---|---|---|", *rows])


def _keys(action: Action) -> str:
    return " ".join(f"`{key_name(key)}`" for key in action.listed)
