"""Carry data along when a project's files move: drafts, marks of wanted facts, the label, and former slugs."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Mapping

from zsmem_tui.core.errors import MemError
from zsmem_tui.core.project_folders import ProjectRecord
from zsmem_tui.service import wanted
from zsmem_tui.service.session import Session
from zsmem_tui.store import drafts, project_register, step_record
from zsmem_tui.store.history.undo_log import Step
from zsmem_tui.store.project_register import Register


def follow(session: Session, moved: Mapping[str, str]) -> None:
    """Move drafts and marks of wanted facts to the new paths of files. What fails stays at the old path."""
    with contextlib.suppress(MemError):
        for path in drafts.listing(session.root):
            to = moved.get(path, "")
            if to and drafts.get(session.root, to) is None:
                drafts.move(session.root, path, to)
        wanted.follow(session, moved)


def remember(session: Session, ways: Iterable[tuple[str, str, str]]) -> None:
    """Record that the memory of slugs moved to others: (source, target, folder or empty). Raises `WriteFailed`.

    Items can then be found by their former ids, and the label is kept.
    """

    def renewed(known: Register) -> Register:
        records = dict(known.records)
        for source, target, folder in ways:
            old, new = records.get(source, ProjectRecord(source)), records.get(target, ProjectRecord(target))
            formerly = tuple(dict.fromkeys([*new.formerly, source, *old.formerly]))
            folders = tuple(dict.fromkeys([*new.folders, *filter(None, [folder])]))
            records[target] = new._replace(folders=folders, formerly=formerly, label=new.label or old.label)
        return known._replace(records=records)

    project_register.change(session.root, renewed)


def forget(session: Session, ways: Iterable[tuple[str, str]]) -> None:
    """Undo `remember` for these (source, target); a target without memory also loses the label that it took over.

    Raises `WriteFailed`.
    """

    def renewed(known: Register) -> Register:
        records = dict(known.records)
        for source, target in ways:
            old, new = records.get(source, ProjectRecord(source)), records.get(target, ProjectRecord(target))
            left = os.path.isdir(os.path.join(session.root, session.layout.home_of(target)))
            formerly = tuple(each for each in new.formerly if each not in (source, *old.formerly))
            records[target] = new._replace(formerly=formerly, label=new.label if left or new.label != old.label else "")
        return known._replace(records=records)

    project_register.change(session.root, renewed)


def undone(session: Session, step: Step, *, redo: bool) -> None:
    """Move data back after a step was undone, or forth with `redo`."""
    record = step_record.moved(step.batch, session.root)
    moved = _renamed(step) if record is None or record.carried is None else record.carried
    if record is not None and record.removed:  # a project moved, not single files
        ways = {(session.ref_at(path).project, session.ref_at(to).project) for path, to in moved.items()}
        with contextlib.suppress(MemError):
            remember(session, [(*way, "") for way in ways]) if redo else forget(session, ways)
    back = moved if redo else {to: path for path, to in moved.items()}
    if back:
        follow(session, back)


def _renamed(step: Step) -> dict[str, str]:
    """The files renamed by a step (old path to new path), recognized by identical content."""
    gone = {version.before: version.path for version in step.versions if version.before and not version.after}
    came = (version for version in step.versions if version.after and not version.before)
    return {gone[version.after]: version.path for version in came if version.after in gone}


def label_back(session: Session, relation: str, *, redo: bool) -> bool:
    """Restore the label from before such a step, or with `redo` the one it set. Raises `WriteFailed`.

    Returns False and does nothing if the memory has moved to another project, which has the label now.
    """
    slug, before, after = project_register.label_of(relation)
    known = project_register.load(session.root).records
    went = any(slug in each.formerly for each in known.values())
    if went and not os.path.isdir(os.path.join(session.root, session.layout.home_of(slug))):
        return False
    set_label(session, slug, after if redo else before)
    return True


def set_label(session: Session, slug: str, text: str) -> None:
    """Store a label. Raises `WriteFailed`."""

    def renewed(known: Register) -> Register:
        record = known.records.get(slug, ProjectRecord(slug))
        return known._replace(records={**known.records, slug: record._replace(label=text)})

    project_register.change(session.root, renewed, durable=True)
