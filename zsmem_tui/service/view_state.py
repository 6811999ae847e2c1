"""Remember how the user arranged their screens."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Final

from zsmem_tui.config import locate
from zsmem_tui.store.disk import state

_SPLITS: Final = "splits"


def splits() -> dict[str, float]:
    """The share of the first pane by screen; invalid values are skipped."""
    found = read(_SPLITS)
    return {name: float(share) for name, share in found.items() if isinstance(share, int | float) and 0 < share < 1}


_FAILED: Final = "How the screen is arranged is not remembered."


def read(kind: str) -> dict[str, Any]:
    """The stored values of a kind; empty if there are none or they are unreadable."""
    found = (state.document(_place()) or {}).get(kind)
    return found if isinstance(found, dict) else {}


def keep(kind: str, changes: Mapping[str, Any]) -> None:
    """Update the values of a kind; None removes one. Raises `WriteFailed`."""
    import json  # deferred: not needed at start

    place = _place()
    with state.held(os.path.dirname(place), _FAILED):
        whole = state.document_to_change(place, _FAILED)
        own = whole.get(kind)
        kept = {**(own if isinstance(own, dict) else {}), **changes}
        whole[kind] = {key: value for key, value in kept.items() if value is not None}
        state.put(place, json.dumps(whole, indent=1, sort_keys=True).encode(), _FAILED, durable=False)


def _place() -> str:
    return os.path.join(locate.state_folder(), "view", "screens.json")
