"""Replacing one passage of a file (specification, section 10)."""

from __future__ import annotations

from zsmem_tui.core.errors import NotExactlyOnce


def replace_once(text: str, old: str, new: str, where: str) -> str:
    """`text` with its only `old` replaced by `new`, as they are.

    Raises `NotExactlyOnce`, naming `where`, when `old` is not there exactly once. Occurrences do not overlap, and an
    empty `old` counts once for every character and once more.
    """
    count = text.count(old)
    if count != 1:
        raise NotExactlyOnce(f"old_str matched {count} time(s) in {where}; it must match exactly once")
    return text.replace(old, new, 1)
