"""Versions as words and rows. Pure functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from zsmem_tui.core.fold import fold
from zsmem_tui.core.moments import moment
from zsmem_tui.core.text import plural, printable_path, words
from zsmem_tui.core.version import Version
from zsmem_tui.core.visible import visible_line
from zsmem_tui.ui import signs
from zsmem_tui.ui.widgets.row_list import ListRow
from zsmem_tui.ui.wording import ago

WHOSE: Final = ("everybody's", "yours", "others'")
"""Whose versions a history can show."""


def who(version: Version) -> str:
    """Who wrote a version, as far as is known."""
    return str(version.author)


def version_row(version: Version, now_ns: int, name: str = "") -> ListRow:
    """A version in the list of versions; of those of several files with the name of its own."""
    other = not version.origin.is_ours
    pieces = [
        (f"{signs.OTHERS} " if other else "  ", "mark"),
        (f"{name}  " if name else "", "text"),
        (f"+{version.added}" if version.path else "", "added"),
        (f" -{version.removed}  " if version.path else "", "removed"),
        ("deleted  " if version.path and not version.after else "", "warn"),
        ("! wiped  " if version.wiped else "", "warn"),
        (visible_line(printable_path(version.label if version.label and not other else who(version))), "text"),
    ]
    return ListRow(pieces, ago(version.when, now_ns))


def wanted_versions(found: Iterable[Version], whose: str, wanted: str) -> list[Version]:
    """The versions by `whose` (one of `WHOSE`) that have these words in their path, author or label."""
    terms = [fold(word.encode("utf-8", "replace")) for word in words(wanted)]
    out = []
    for version in found:
        text = fold(f"{printable_path(version.path)} {who(version)} {version.label}".encode("utf-8", "replace"))
        if whose in (WHOSE[0], WHOSE[1] if version.origin.is_ours else WHOSE[2]) and all(term in text for term in terms):
            out.append(version)
    return out


def by_day(found: Iterable[Version]) -> list[str]:
    """The ids of versions under the day, on the local clock, on which they came to be; a day begins with `\\0`."""
    keys: list[str] = []
    day = ""
    times: Counter[str] = Counter()
    for version in found:
        here = moment(version.when / 10**9).strftime("%Y-%m-%d")
        if here != day:
            day = here
            keys.append(f"\0{day}{' ' * times[day]}")  # what was noticed late comes under its day once more
            times[day] += 1
        keys.append(version.id)
    return keys


def version_title(version: Version, changes: int) -> str:
    """What stands over the diff of a version."""
    if not version.path:
        return f"{who(version)} · this step wrote no file"
    return f"{who(version)} · {changes} {plural('change', changes)}"
