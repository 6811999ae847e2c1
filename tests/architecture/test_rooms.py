"""A feature has a number of lines and of files, and few modules of other folders know it: caps with little air, to be lowered."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from tests.architecture.test_circles import sources

UI: Final = "zsmem_tui.ui"


class Cap(NamedTuple):
    """Lines and files of a room, and modules of other folders that import something of it: what a change of it may touch."""

    lines: int
    files: int
    outside: int


CAPS: Final = {
    "dialogs": Cap(1_892, 6, 22),
    "doctor": Cap(937, 4, 1),
    "facts": Cap(1_254, 4, 4),
    "history": Cap(676, 3, 3),
    "keys": Cap(1_365, 7, 28),
    "memory": Cap(5_423, 16, 14),
    "projects": Cap(872, 4, 4),
    "prompt": Cap(1_739, 7, 5),
    "reading": Cap(1_185, 4, 8),
    "review": Cap(1_066, 5, 6),
    "transfer": Cap(881, 3, 1),
    "triage": Cap(475, 3, 1),
    "widgets": Cap(3_444, 12, 40),
    "": Cap(4_109, 17, 0),
}
"""Each folder of the screens; the empty name is what stands in `ui` itself."""


def sizes(texts: Mapping[str, str]) -> dict[str, Cap]:
    """What each room has."""
    found: dict[str, Cap] = {}
    imports = {name: "\n".join(line for line in text.split("\n") if "zsmem_tui.ui" in line) for name, text in texts.items()}
    for name in CAPS:
        own = {module: text for module, text in texts.items() if _room(module) == name}
        known = re.compile(rf"\bfrom zsmem_tui\.ui(?:\.{name}\b|\b import {name}\b)") if name else None
        outside = [each for each, text in imports.items() if known is not None and _room(each) != name and known.search(text)]
        found[name] = Cap(sum(text.count("\n") for text in own.values()), len(own), len(outside))
    return found


def _room(module: str) -> str | None:
    """The folder of a module of the screens."""
    if module == UI or not module.startswith(f"{UI}."):
        return "" if module == UI else None
    parts = module.removeprefix(f"{UI}.").split(".")
    return parts[0] if parts[0] in CAPS else "" if len(parts) == 1 else None


def over(found: Mapping[str, Cap]) -> list[str]:
    """What is over its cap."""
    return [
        f"ui/{name}: {each} {has}, {most} allowed"
        for name, size in found.items()
        for each, has, most in zip(Cap._fields, size, CAPS[name], strict=True)
        if has > most
    ]


def test_no_room_is_larger_than_its_cap_nor_known_in_more_places() -> None:
    assert over(sizes(sources())) == []


def test_a_planted_room_that_grew_is_found() -> None:
    cap = CAPS["triage"]
    assert over({"triage": cap}) == []
    assert [each.split()[1] for each in over({"triage": Cap(*(most + 1 for most in cap))})] == ["lines", "files", "outside"]


def test_every_folder_of_the_screens_has_a_cap() -> None:
    folders = {module.split(".")[2] for module in sources() if module.startswith(f"{UI}.") and module.count(".") > 2}
    assert folders <= CAPS.keys()


def test_a_key_of_a_tool_is_known_in_its_room_alone() -> None:
    """An action runs a method of its screen: `ui/keys/tools.py` and `screen.py` are all that a new one touches."""
    found = sizes(sources())
    outside = {name: found[name].outside for name in ("doctor", "transfer", "triage")}
    assert set(outside.values()) == {1}, f"what opens it: {outside}"
