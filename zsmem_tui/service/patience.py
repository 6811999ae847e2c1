"""How long a verb waits for other writers, and a description of what they did meanwhile."""

from __future__ import annotations

from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.store.disk.waiting import Contended, Patience, await_steps, current, patient

__all__ = ["Patience", "await_steps", "current", "describe", "patient"]


def describe(each: Contended) -> str:
    """A sentence about a file that others were still writing when a verb ended."""
    place = printable_path(each.place)
    if each.is_kept:
        return f"{place}: it is done, and the file is still being written by others."
    parts = []
    if each.missing:
        parts.append(f"{counted(len(each.missing), 'line')} of this did not last")
    if each.returned:
        parts.append(f"{counted(len(each.returned), 'line')} that this took out {'is' if len(each.returned) == 1 else 'are'} back")
    return f"{place}: {' and '.join(parts)}, as others keep writing the file. `zsmem history` has what was written."
