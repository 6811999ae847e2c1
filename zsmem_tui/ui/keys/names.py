"""Converting key names between the settings' spelling and Textual's; keys that no terminal sends are refused."""

from __future__ import annotations

from typing import Final

from textual.binding import Binding
from textual.keys import KEY_NAME_REPLACEMENTS, key_to_character

from zsmem_tui.core.errors import ConfigError

_ALIASES: Final = {"esc": "escape", "pgdn": "pagedown", "pgup": "pageup", "return": "enter", "del": "delete", "ins": "insert"}
_MOVING: Final = ("home", "end", "pageup", "pagedown", "up", "down", "left", "right")
_EDITING: Final = ("space", "backspace", "delete")
_NAMED: Final = frozenset({"escape", "enter", "tab", "insert", *_EDITING, *_MOVING, *(f"f{number}" for number in range(1, 25))})
_MODIFIERS: Final = ("alt", "ctrl", "hyper", "shift", "super")

_UNICODE_NAMES: Final = {short: name for name, short in KEY_NAME_REPLACEMENTS.items()}
"""Textual's short names of characters, to their Unicode names."""

_CONFUSED: Final = {
    "ctrl+h": "arrives as backspace in most terminals",
    "ctrl+i": "arrives as tab in most terminals",
    "ctrl+m": "arrives as enter in most terminals",
    "ctrl+left_square_bracket": "arrives as escape in most terminals",
    "alt+left_square_bracket": "begins what terminals send for other keys",
    "alt+shift+o": "begins what terminals send for other keys",
}
"""Keys that terminals confuse with others, so that an action on them would run by accident or never."""


def spelled(id: str, keys: str, *, typed: bool = False) -> str:
    """Convert an action's keys to Textual's names; `typed`: letters are typed in its scope.

    Raises `ConfigError` for an invalid key, or one that terminals confuse with another.
    """
    return ",".join(_spelled(id, key.strip(" "), typed) for key in keys.split(","))


def _spelled(id: str, key: str, typed: bool) -> str:
    if not key:
        raise _refused(id, 'it has no key, or one too few. Commas stand between keys; the comma itself is "comma"')
    is_plus = key == "+" or key.endswith("++")
    *modifiers, last = [*key[:-2].split("+"), "+"] if is_plus and len(key) > 1 else [key] if is_plus else key.split("+")
    modifiers = [each.strip(" ").lower() for each in modifiers]
    for each in modifiers:
        if each not in _MODIFIERS:
            hint = "; terminals say alt" if each == "meta" else ""
            raise _refused(id, f"{each!r} is no modifier. There are {', '.join(_MODIFIERS)}{hint}")
    if len(set(modifiers)) < len(modifiers):
        raise _refused(id, f"{key!r} names a modifier twice")
    name = _name(id, last.strip(" "))
    if modifiers == ["shift"] and len(name.upper()) == 1 and name.isalpha():
        modifiers, name = [], name.upper()
    elif "shift" in modifiers and modifiers[1:] and len(name) == 1 and name.isalpha():
        name = name.lower()
    elif modifiers == ["alt"] and len(name) == 1 and name.isupper():
        modifiers, name = ["alt", "shift"], name.lower()  # Textual's name for it
    elif "shift" in modifiers and name not in _NAMED:
        raise _refused(id, f"{key!r} arrives as the sign that it types: write that")
    elif modifiers and len(name) == 1:
        name = name.lower()
    found = "+".join([*sorted(modifiers), name])
    if found in _CONFUSED:
        raise _refused(id, f"{key!r} {_CONFUSED[found]}")
    if typed and (name in _EDITING or typed_by(name)) and not {"ctrl", "alt"} & set(modifiers):
        raise _refused(id, f"{key!r} would be typed there")
    return found


def _name(id: str, key: str) -> str:
    """Convert a key without modifiers."""
    if len(key) == 1 and key.isprintable() and key != " ":
        [made] = Binding.make_bindings([Binding(key, "")])
        return made.key
    name = key.lower()
    name = _ALIASES.get(name, name)
    sign = typed_by(name)
    if name in _NAMED or sign:
        return sign if sign.isalnum() else KEY_NAME_REPLACEMENTS.get(name, name)
    raise _refused(id, f"{key!r} is no key: a letter or sign, or a name such as f7, enter, pagedown or ctrl+s")


def typed_by(name: str) -> str:
    """The character that a key types; empty if none."""
    found = None if name in _NAMED - {"space"} else key_to_character(_UNICODE_NAMES.get(name, name))
    return found if found and found.isprintable() else ""


def _refused(id: str, why: str) -> ConfigError:
    return ConfigError(f"[keys]: {id}: {why}.")


_SHORT: Final = {"escape": "esc", "pagedown": "pgdn", "pageup": "pgup", "down": "↓", "up": "↑", "left": "←", "right": "→"}
_WORDS: Final = frozenset({"space", "tab", "enter"})


def key_name(key: str) -> str:
    """A key's name for people; a character stands for itself."""
    if key in _SHORT or key in _WORDS or "+" in key:
        return _SHORT.get(key, key)
    sign = key_to_character(_UNICODE_NAMES.get(key, key))
    return sign if sign and sign.isprintable() else key
