"""Replace one passage of a file (specification, section 10)."""

from __future__ import annotations

from zsmem_tui.core.errors import NotExactlyOnce


def replace_once(text: str, old: str, new: str, where: str) -> str:
    """Replace the only occurrence of `old` by `new`, both taken literally.

    Raises `NotExactlyOnce`, naming `where`, if `old` does not occur exactly once. Occurrences do not overlap, and an empty `old`
    counts `len(text) + 1` times.
    """
    count = text.count(old)
    if count != 1:
        raise NotExactlyOnce(f"old_str matched {count} time(s) in {where}; it must match exactly once")
    return text.replace(old, new, 1)
