"""A file that is all ours: made, and taken away only while it is as it was made."""

from __future__ import annotations

from typing import Final

from zsmem_tui.agents.connection import Entry, What
from zsmem_tui.agents.settings.errors import NotEditable

_CHANGED: Final = "it is not as zsmem makes it"


def generated(place: str, what: What, text: str) -> Entry:
    """The file at `place`. One that holds something else is left alone."""

    def put(there: str) -> str:
        if there.strip() and there != text:
            raise NotEditable(_CHANGED)
        return text

    def take(there: str) -> str:
        if there.strip() and there != text:
            raise NotEditable(_CHANGED)
        return ""

    return Entry(place, what, put, take, lambda there: [place] if there == text else [], [place], text, is_whole=True)
