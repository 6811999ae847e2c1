"""What goes along when a project's files go to another place: unsaved drafts, what is wanted in the prompt, the name, the ids."""

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
    """Drafts, and what is wanted, go with files that have another path now. What cannot be kept stays where it was."""
    with contextlib.suppress(MemError):
        for path in drafts.listing(session.root):
            to = moved.get(path, "")
            if to and drafts.get(session.root, to) is None:
                drafts.move(session.root, path, to)
        wanted.follow(session, moved)


def remember(session: Session, ways: Iterable[tuple[str, str, str]]) -> None:
    """That the memory of one slug went to another, which is of a folder (empty: not known). Raises `WriteFailed`.

    Ids of items are found by it, and the name that a person gave stays.
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


def undone(session: Session, step: Step, *, redo: bool) -> None:
    """A step was undone, or with `redo` done again: what went along with its files goes back with them."""
    record = step_record.moved(step.batch, session.root)
    moved = _renamed(step) if record is None or record.carried is None else record.carried
    back = moved if redo else {to: path for path, to in moved.items()}
    if back:
        follow(session, back)


def _renamed(step: Step) -> dict[str, str]:
    """The new paths of files that a step gave another: what went is what came, byte for byte."""
    gone = {version.before: version.path for version in step.versions if version.before and not version.after}
    came = (version for version in step.versions if version.after and not version.before)
    return {gone[version.after]: version.path for version in came if version.after in gone}


def label_back(session: Session, relation: str, *, redo: bool) -> bool:
    """Give the name that was there before such a step, or with `redo` the one it gave. Raises `WriteFailed`.

    False, and nothing is done, where the memory went to another project since: that has the name now.
    """
    slug, before, after = project_register.label_of(relation)
    known = project_register.load(session.root).records
    went = any(slug in each.formerly for each in known.values())
    if went and not os.path.isdir(os.path.join(session.root, session.layout.home_of(slug))):
        return False
    set_label(session, slug, after if redo else before)
    return True


def set_label(session: Session, slug: str, text: str) -> None:
    """Keep a name. Raises `WriteFailed`."""

    def renewed(known: Register) -> Register:
        record = known.records.get(slug, ProjectRecord(slug))
        return known._replace(records={**known.records, slug: record._replace(label=text)})

    project_register.change(session.root, renewed, durable=True)
