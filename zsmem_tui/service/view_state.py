"""How a person divided their screens, and how these are styled, remembered from one start to the next."""

from __future__ import annotations

from typing import Final

from zsmem_tui.store import view_state

_SPLITS: Final = "splits"
_STYLES: Final = "styles"


def splits() -> dict[str, float]:
    """Which share of a screen its first pane has, by what the screen is; what is no share is passed over."""
    found = view_state.read(_SPLITS)
    return {name: float(share) for name, share in found.items() if isinstance(share, int | float) and 0 < share < 1}


def keep_split(name: str, share: float | None) -> None:
    """Remember the share of a screen's first pane; None forgets it. Raises `WriteFailed`."""
    view_state.keep(_SPLITS, {name: share if share is None else round(share, 4)})


def styles() -> bytes:
    """What the last start found out about styles; empty when nothing was kept."""
    return view_state.read_raw(_STYLES)


def keep_styles(raw: bytes) -> None:
    """Keep what this start found out about styles. Raises `WriteFailed`."""
    view_state.keep_raw(_STYLES, raw)
