"""The key table as Markdown: for the help screens and the README."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from zsmem_tui.ui.keys.action import Action
from zsmem_tui.ui.keys.bindings import SCOPES
from zsmem_tui.ui.keys.names import key_name

ALL_KEYS: Final = "All keys"
"""The title of the page with every key."""


def key_table(actions: Iterable[Action], scopes: Iterable[str] = SCOPES) -> str:
    """A heading and a table for each scope."""
    known = list(actions)
    return "\n\n".join(_table(scope, [action for action in known if action.scope == scope]) for scope in scopes)


def key_list(actions: Iterable[Action], scopes: Iterable[str] = SCOPES) -> str:
    """The same as lists, what the keys do in one column: nothing is cut where there is little room."""
    known = list(actions)
    column = max((len(_keys(each)) - 2 * len(each.keys.split(",")) for each in known), default=0) + 2

    def item(action: Action) -> str:
        keys = _keys(action)
        return f"- {keys}{' ' * (column + 2 * len(action.keys.split(',')) - len(keys))}{action.help} *{action.id}*"

    return "\n\n".join(
        "\n".join([f"### {SCOPES[scope]}", "", *(item(each) for each in known if each.scope == scope)]) for scope in scopes
    )


def _table(scope: str, actions: list[Action]) -> str:
    rows = [f"| {_keys(action)} | {action.label} | {action.help} | `{action.id}` |" for action in actions]
    return "\n".join([f"### {SCOPES[scope]}", "", "| key | action | what it does | id |", "|---|---|---|---|", *rows])


def _keys(action: Action) -> str:
    return " ".join(f"`{key_name(key)}`" for key in action.keys.split(","))
