"""Lines of other machines that an undo removed here; since the next sync removes them there too, they are reported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from zsmem_tui.core.merge import split
from zsmem_tui.core.text import counted, listed, printable_path, truncate
from zsmem_tui.core.version import Version
from zsmem_tui.service.history import text_if_kept
from zsmem_tui.service.session import Session
from zsmem_tui.service.sync.groups import Places
from zsmem_tui.store.sync.branch import Branch

Taken = dict[str, Counter[bytes]]
"""Lines by author."""

_MOST_ASKED: Final = 1_000
"""The most files for which the history is asked."""

_MOST_NAMED: Final = 3
_WIDTH: Final = 60
_CLEAN: Final = str.maketrans(dict.fromkeys((*range(32), *range(127, 160)), " "))


def of_step(session: Session, versions: Iterable[Version], before: bytes | None, after: bytes | None) -> Taken:
    """The lines added by the syncs among these versions that are in `before` but not in `after`."""
    gone = Counter(split(before or b"")) - Counter(split(after or b""))
    out: Taken = {}
    for version in versions:
        if not version.origin.is_sync or not gone:
            continue
        texts = (split(text_if_kept(session, id) or b"") for id in (version.after, version.before))
        came, had = (Counter(lines) for lines in texts)
        taken = Counter({line: count for line, count in ((came - had) & gone).items() if line.strip()})
        gone -= taken
        if taken:
            out[str(version.author)] = out.get(str(version.author), Counter()) + taken
    return out


def of_file(session: Session, path: str, there: bytes | None, here: bytes | None) -> Taken:
    """The lines of a file that are in `there` but not in `here` because a sync was undone."""
    session.history.drain()
    versions = session.history.versions(path)
    undone = {version.relation.removeprefix("undoes ") for version in versions if version.relation.startswith("undoes ")}
    return of_step(session, (version for version in versions if version.batch in undone), there, here)


def together(found: Iterable[Taken]) -> Taken:
    """Merge several counts into one."""
    out: Taken = {}
    for each in found:
        for who, lines in each.items():
            out[who] = out.get(who, Counter()) + lines
    return out


def after_undo(taken: Taken, *, dry_run: bool) -> str:
    """A sentence on what the undo of a sync removes, with its consequences; empty if nothing."""
    return f" {_are(taken, dry_run)} gone here; the next sync removes them there, too. Redo keeps them." if taken else ""


def before_push(repo: Branch, files: Mapping[str, str], others: Mapping[str, str], places: Places, *, dry_run: bool) -> list[str]:
    """A sentence on the lines that a sync removes from the other machines; no sentence if there are none."""
    found: list[Taken] = []
    paths = [path for path, id in others.items() if files.get(path) != id]
    for path in paths if len(paths) <= _MOST_ASKED else ():
        local, now = places.of(path), files.get(path)
        if local is not None:
            texts = (repo.text(others[path]), repo.text(now) if now else None)
            found.append(of_file(local.session, local.path_here(path), *texts))
    taken = together(found)
    return [f"{_are(taken, dry_run)} removed there, too: undo took back what had come."] if taken else []


def _are(taken: Taken, dry_run: bool) -> str:
    """`2 lines of desktop (“one”, “two”) are`, or `would be`."""
    every = [line.decode("utf-8", "replace").translate(_CLEAN).strip() for lines in taken.values() for line in lines.elements()]
    shown = listed([f"“{truncate(printable_path(line), _WIDTH, '…')}”" for line in every], _MOST_NAMED)
    verb = "would be" if dry_run else "is" if len(every) == 1 else "are"
    return f"{counted(len(every), 'line')} of {' and '.join(taken)} ({shown}) {verb}"
