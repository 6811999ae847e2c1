"""What a start found out about styles, kept for the next one: it need neither read the rules nor match them.

Kept are values only, of the classes named here; whatever is damaged, or was found with other rules, colours or another Textual, is
passed over, and the start is as slow as the first.
"""

from __future__ import annotations

import asyncio
import io
import pickle
import zlib
from collections.abc import Awaitable, Callable
from contextlib import suppress
from importlib import import_module
from typing import Any, Final, NamedTuple

from rich.style import Style
from textual.color import Color
from textual.css.scalar import Scalar
from textual.css.styles import RulesMap
from textual.css.stylesheet import CssSource
from textual.geometry import Spacing

from zsmem_tui import __version__
from zsmem_tui.core.errors import WriteFailed
from zsmem_tui.ui.stylesheet import Found, Memory, RememberingStylesheet

_CLASSES: Final = {
    ("rich.style", "Style"),
    ("textual.color", "Color"),
    ("textual.css.scalar", "Scalar"),
    ("textual.css.scalar", "ScalarOffset"),
    ("textual.css.scalar", "Unit"),
    ("textual.css.transition", "Transition"),
    ("textual.css.stylesheet", "CssSource"),
    ("textual.css.types", "KeylineTuple"),
    ("textual.geometry", "Spacing"),
    ("textual.layouts.grid", "GridLayout"),
    ("textual.layouts.horizontal", "HorizontalLayout"),
    ("textual.layouts.stream", "StreamLayout"),
    ("textual.layouts.vertical", "VerticalLayout"),
}
"""What values of rules are made of. Nothing else is read."""

_MOST_PLACES: Final = 1_000
"""Places kept at most. A start has a hundred; who went everywhere in the program has more, which the next start has no use for."""

_SUM_BYTES: Final = 4

_NOT_UNDERSTOOD: Final = (
    pickle.PickleError,
    ArithmeticError,
    EOFError,
    ImportError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What reading says of bytes that are no such values."""


class _Reader(pickle.Unpickler):
    def find_class(self, module_name: str, global_name: str) -> Any:
        if (module_name, global_name) not in _CLASSES:
            raise pickle.UnpicklingError(f"{module_name}.{global_name} is no value of a rule")
        try:
            found = getattr(import_module(module_name), global_name, None)
        except ImportError as error:
            raise pickle.UnpicklingError(f"there is no {module_name}") from error
        if found is None:
            raise pickle.UnpicklingError(f"there is no {module_name}.{global_name}")
        return found


class StyleStore(NamedTuple):
    """Where what was found is kept from one start to the next: `read` gives it, empty when there is none, `keep` writes it."""

    read: Callable[[], bytes]
    keep: Callable[[bytes], None]


def recall(store: StyleStore, sheet: RememberingStylesheet) -> Callable[[], Awaitable[None]]:
    """Begin with what was kept. The answer is to be called once the start is over: it keeps what is new."""
    _recall(store.read(), sheet)
    known = len(sheet.memory.found)

    async def keep() -> None:
        sheet.rules_map  # noqa: B018  # the rules are read while nobody waits for them
        raw = kept(sheet) if len(sheet.memory.found) != known else b""
        if raw:
            with suppress(WriteFailed):  # the next start finds it out again
                await asyncio.to_thread(store.keep, raw)

    return keep


def kept(sheet: RememberingStylesheet) -> bytes:
    """All that was found with the rules of now; empty when it cannot be kept."""
    memory = sheet.memory
    if len(memory.places) > _MOST_PLACES or memory.rules is not sheet.rules:
        return b""
    found = {place: tuple(each) for place, each in memory.found.items()}
    try:
        said = pickle.dumps((sheet._variables, sheet.source, memory.asked, list(memory.places.items()), found), 5)
        _Reader(io.BytesIO(said)).load()
    except _NOT_UNDERSTOOD:  # a value of a class that is not named above
        return b""
    return _checksum(said) + said


def _recall(raw: bytes, sheet: RememberingStylesheet) -> None:
    """Begin with what was kept, as far as it is whole and of the same Textual and theme."""
    said = raw[_SUM_BYTES:]
    if not said or raw[:_SUM_BYTES] != _checksum(said):
        return
    try:
        variables, sources, asked, places, found = _Reader(io.BytesIO(said)).load()
        if variables != sheet._variables:
            return
        memory = Memory([])
        memory.asked = asked
        now = {-1: -1}
        for (above, *rest), place in places:
            now[place] = memory.places[now[above], *rest] = next(memory.numbers)
        memory.found = {now[place]: Found(*each) for place, each in found.items()}
    except _NOT_UNDERSTOOD:
        return
    sheet.recall(memory, sources)


def _checksum(said: bytes) -> bytes:
    """Of values in the shape that they have in this version: those of another shape are not even read."""
    return zlib.crc32(said, zlib.crc32(repr(_shape()).encode())).to_bytes(_SUM_BYTES, "big")


def _shape() -> tuple[str, ...]:
    """What the values are made of in this version and this Textual: those of another shape are not for it."""
    return (
        __version__,
        *Style.__slots__,
        *RulesMap.__annotations__,
        *Color._fields,
        *Scalar._fields,
        *Spacing._fields,
        *CssSource._fields,
    )
