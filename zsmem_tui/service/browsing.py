"""Opening a memory file to look at it."""

from __future__ import annotations

from typing import NamedTuple

from zsmem_tui.core.catalog import Fingerprint
from zsmem_tui.core.errors import Missing, StoreError
from zsmem_tui.core.refs import MemRef
from zsmem_tui.service.session import Session
from zsmem_tui.store.disk import files

NOT_UTF8 = "This file is not valid UTF-8, so agents cannot read it. Bytes that fit nowhere are shown as \N{REPLACEMENT CHARACTER}."


class OpenFile(NamedTuple):
    """A file as it was read. `text` has U+FFFD for bytes that are not UTF-8; `problem` says in words what is wrong.

    `raw` is empty and `fingerprint` None when it could not be read at all; `missing` tells that it is not there.
    """

    ref: MemRef
    path: str
    raw: bytes
    text: str
    fingerprint: Fingerprint | None
    problem: str = ""
    missing: bool = False

    @property
    def undecodable(self) -> bool:
        """True when it was read and is not valid UTF-8."""
        return bool(self.problem) and self.fingerprint is not None


def open_file(session: Session, ref: MemRef) -> OpenFile:
    """What stands in the file now. Never fails: what went wrong is in the answer."""
    path = session.path(ref)
    try:
        raw, fingerprint = files.read(path)
    except StoreError as error:
        return OpenFile(ref, path, b"", "", None, error.message, missing=isinstance(error, Missing))
    try:
        return OpenFile(ref, path, raw, raw.decode(), fingerprint)
    except UnicodeDecodeError:
        return OpenFile(ref, path, raw, raw.decode(errors="replace"), fingerprint, NOT_UTF8)


def agent_files(session: Session, *, of_project: bool = True) -> list[MemRef]:
    """The files of the session's project that the agent's tools can name, and before them those that all projects share."""
    from zsmem_tui.store.scan import entries  # what a screen has listed already

    layout = session.layout
    folders = (*layout.global_folders(), *(layout.project_folders(session.project) if of_project else ()))
    return [each.ref for folder in folders for each in entries(session.root, folder) if each.ref.role and not each.missing]
