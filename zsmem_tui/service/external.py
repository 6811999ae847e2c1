"""Editing a memory file in the person's own editor, without the store ever holding half a text."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from zsmem_tui.config import locate
from zsmem_tui.core.errors import MemError, StoreError, Unreadable, WriteFailed
from zsmem_tui.core.outcomes import Conflicted
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import printable_path
from zsmem_tui.service.session import Session
from zsmem_tui.store import files, saving

IN_A_TERMINAL: Final = frozenset(
    {"vi", "vim", "view", "nvim", "nano", "pico", "hx", "helix", "kak", "joe", "mcedit", "micro", "ne", "mg"}
)
"""Editors that draw on the terminal: without one they wait for keys that never come."""


class EditorFailed(MemError):
    """The editor could not be run, or ended with an error. The memory file is as it was."""


class Conflict(MemError):
    """The file changed on disk while it was open in the editor. What the person wrote is kept in a file of its own."""


class Ended(StrEnum):
    """How an editing session ended."""

    SAVED = "saved"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class Edited:
    """What came of it. `path` is the memory file, `size` its bytes now."""

    path: str
    ended: Ended
    size: int


def edit_in_editor(session: Session, ref: MemRef) -> Edited:
    """Run `$VISUAL` or `$EDITOR` on a copy of the file and save what comes back through the one write path.

    Raises `EditorFailed`, `Conflict` (the text is kept, the message says where), `Unreadable` or `WriteFailed`.
    """
    path = session.path(ref)
    before = _present(path)
    command = shlex.split(locate.editor_command())
    if os.path.basename(command[0]) in IN_A_TERMINAL and not _has_terminal():
        raise EditorFailed(
            f"{command[0]} needs a terminal, and there is none. {printable_path(path)} was not touched.",
            "Set VISUAL or EDITOR to one that opens a window, or use `zsmem write` and `zsmem edit`.",
        )
    if not shutil.which(command[0]):
        raise EditorFailed(
            f"There is no editor called {command[0]!r}. {printable_path(path)} was not touched.", "Set VISUAL or EDITOR."
        )
    folder = tempfile.mkdtemp(prefix="zsmem-")
    copy = os.path.join(folder, os.path.basename(path))
    with open(copy, "wb") as stream:
        stream.write(before or b"")
    status = subprocess.run([*command, copy], check=False).returncode
    after = _present(copy)
    if status != 0 or after is None:
        kept = "" if after is None or after == before else f" What you wrote is in {copy}."
        ended = f"ended with status {status}" if status else "left no file behind"
        raise EditorFailed(f"{command[0]} {ended}. {printable_path(path)} was not touched.{kept}")
    if after != (before or b""):
        after = _save(session, ref, before, after, copy)
        shutil.rmtree(folder, ignore_errors=True)
        return Edited(path, Ended.SAVED, len(after))
    shutil.rmtree(folder, ignore_errors=True)
    return Edited(path, Ended.UNCHANGED, len(after))


def _save(session: Session, ref: MemRef, before: bytes | None, after: bytes, copy: str) -> bytes:
    """Save what came back, merged with what others wrote meanwhile; the text that is on disk now."""
    try:
        outcome = saving.save(session.root, ref.path, after, before, recorder=session.recorder(f"Edited {ref.path}"))
    except StoreError as error:
        raise WriteFailed(error.path, f"{error.message} Your text is in {copy}.", error.hint) from error
    if isinstance(outcome, Conflicted):
        raise Conflict(
            f"{printable_path(session.path(ref))} changed in the same lines while you edited it. Nothing was written; "
            f"your text is in {copy}."
        )
    return outcome.text


def _has_terminal() -> bool:
    return all(stream is not None and stream.isatty() for stream in (sys.__stdin__, sys.__stdout__))


def _present(path: str) -> bytes | None:
    try:
        return files.read_if_there(path)
    except StoreError as error:
        raise Unreadable(path, f"{error.message}. Nothing was edited.") from error
