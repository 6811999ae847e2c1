"""Facts of a text, as rules that compare them get them."""

from __future__ import annotations

from zsmem_tui.core.checks.copies import Told
from zsmem_tui.core.checks.sheet import sheet
from zsmem_tui.core.checks.words import bag, is_comparable, key


def told(text: str, path: str = "notes/a.md", owner: str = "p") -> list[Told]:
    found = []
    for saying in sheet(text).facts:
        own = key(saying.text)
        found.append(Told(path, owner, saying, own if is_comparable(own) else "", bag(own)))
    return found
