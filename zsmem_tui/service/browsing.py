"""Open a memory file for display."""

from __future__ import annotations

import os
from typing import Final, NamedTuple

from zsmem_tui.core.catalog import Fingerprint
from zsmem_tui.core.errors import Missing, StoreError
from zsmem_tui.core.layout import needs_utf8
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import is_utf8, printable_path
from zsmem_tui.service.session import Session
from zsmem_tui.store.disk import files

_SHOWN: Final = "Bytes that fit nowhere are shown as \N{REPLACEMENT CHARACTER}."
NOT_UTF8: Final = f"This file is not valid UTF-8, so agents cannot read it. {_SHOWN}"
NOTE_NOT_UTF8: Final = f"This file is not valid UTF-8: agents may not be able to read it. {_SHOWN}"


class OpenFile(NamedTuple):
    """A file that was read. `text` has U+FFFD for bytes that are not UTF-8; `problem` says in words what is wrong.

    If it could not be read, `raw` is empty and `fingerprint` None; `missing` says that it does not exist. `outside` is where a link
    out of the store leads, made printable. What is `only_shown` can be neither edited nor deleted: such a link, one to nowhere, or
    what cannot be read.
    """

    ref: MemRef
    path: str
    raw: bytes
    text: str
    fingerprint: Fingerprint | None
    problem: str = ""
    missing: bool = False
    outside: str = ""
    only_shown: bool = False

    @property
    def undecodable(self) -> bool:
        """Whether it was read but is not valid UTF-8."""
        return bool(self.problem) and self.fingerprint is not None


def open_file(session: Session, ref: MemRef) -> OpenFile:
    """Read a file. Never raises: errors are in the result."""
    path = session.path(ref)
    try:
        raw, fingerprint = files.read(path)
    except StoreError as error:
        missing = isinstance(error, Missing)
        return OpenFile(ref, path, b"", "", None, error.message, missing, only_shown=not missing or os.path.islink(path))
    outside = printable_path(os.path.realpath(path)) if session.leaves_store(ref) else ""
    problem = "" if is_utf8(raw) else NOT_UTF8 if needs_utf8(session.layout, ref.role) else NOTE_NOT_UTF8
    text = raw.decode(errors="replace")
    return OpenFile(ref, path, raw, text, fingerprint, problem, outside=outside, only_shown=bool(outside))


def agent_files(session: Session, *, of_project: bool = True) -> list[MemRef]:
    """The files that the agent's tools can name: shared ones, then those of the session's project."""
    from zsmem_tui.store.scan import entries  # deferred: already loaded with a screen

    layout = session.layout
    folders = (*layout.global_folders(), *(layout.project_folders(session.project) if of_project else ()))
    return [each.ref for folder in folders for each in entries(session.root, folder) if each.ref.role and not each.missing]
