"""Edit a memory file in the user's own editor, on a copy, so that the store never has half a text."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass
from shutil import which
from typing import Final

from zsmem_tui.config import locate
from zsmem_tui.core.errors import MemError, StoreError, Unreadable
from zsmem_tui.core.outcomes import Conflicted, Saved, Unchanged
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import printable_path
from zsmem_tui.service.session import Session
from zsmem_tui.store import writing
from zsmem_tui.store.disk import files, temporary

IN_A_TERMINAL: Final = frozenset(
    {"vi", "vim", "view", "nvim", "nano", "pico", "hx", "helix", "kak", "joe", "mcedit", "micro", "ne", "mg"}
)
"""Editors that draw on the terminal; without one they would wait for keys forever."""


class EditorFailed(MemError):
    """The editor could not be run or failed. The memory file is unchanged.

    `kept` is the file with the user's text; empty if nothing was written.
    """

    def __init__(self, message: str, hint: str = "", *, kept: str = "") -> None:
        super().__init__(message, hint)
        self.kept = kept


class EditConflict(MemError):
    """The file changed on disk while the editor was open. The user's text is in the file `kept`.

    `mine` was made from `base`; `found` has the content on disk and the proposed merge.
    """

    def __init__(self, message: str, *, kept: str, mine: bytes, base: bytes | None, found: Conflicted) -> None:
        super().__init__(message)
        self.kept = kept
        self.mine = mine
        self.base = base
        self.found = found


_UNCHANGED: Final = Unchanged(b"")


@dataclass(frozen=True, slots=True)
class EditorResult:
    """The result. `path` is the memory file, `size` its bytes; `is_saved` if the user changed it.

    `kept_lines` of its lines were written by somebody else while the editor was open.
    """

    path: str
    is_saved: bool
    size: int
    kept_lines: int = 0
    before: bytes | None = None
    """The text that the user edited."""
    outcome: Saved | Unchanged = _UNCHANGED


_AT_LINE: Final = {
    "+{line} {file}": "vi vim view nvim gvim nano pico emacs emacsclient kak micro joe mcedit ne mg",
    "{file}:{line}": "hx helix subl",
    "-g {file}:{line}": "code code-insiders codium",
}
"""How the editors are told a line."""


def edit_in_editor(session: Session, ref: MemRef, line: int = 0) -> EditorResult:
    """Run `$VISUAL` or `$EDITOR` on a copy of the file, and save the result through the write path.

    The editor starts at `line` (0-based) if the way to tell it is known. Raises only `EditorFailed`, `EditConflict` (the text is
    kept, the message says where), `Unreadable` or `WriteFailed`.
    """
    path = session.path(ref)
    try:
        before = files.read_if_there(path)
    except StoreError as error:
        raise Unreadable(path, f"{error.message}. Nothing was edited.") from error
    command = _command(path)
    try:
        copy = temporary.put_copy(os.path.basename(path), before or b"", "zsmem-")
    except OSError as error:
        raise EditorFailed(f"No copy could be made for the editor: {error.strerror}. {_untouched_note(path)}") from error
    status, problem = _run([*command, *_at_line(command[0], copy, line)])
    try:
        after = files.read_if_there(copy)
    except StoreError:
        raise EditorFailed(
            f"{command[0]} {_exit_words(status)}. {_untouched_note(path)} What is left is in {copy}.", kept=copy
        ) from None
    if status != 0 or after is None:
        wrote = after is not None and after != (before or b"")
        if not wrote:
            forget_copy(copy)
        kept = f" What you wrote is in {copy}." if wrote else ""
        ended = problem or (_exit_words(status) if status else "left no file behind")
        raise EditorFailed(f"{command[0]} {ended}. {_untouched_note(path)}{kept}", kept=copy if wrote else "")
    if after != (before or b""):
        saved = _save(session, ref, before, after, copy)
        forget_copy(copy)
        kept_lines = saved.kept_lines if isinstance(saved, Saved) else 0
        return EditorResult(path, True, len(saved.text), kept_lines, before, saved)
    forget_copy(copy)
    return EditorResult(path, False, len(after))


def forget_copy(copy: str) -> None:
    """Remove a kept copy and its folder, once its text is in the memory."""
    temporary.drop_folder(os.path.dirname(copy))


def _command(path: str) -> list[str]:
    wanted = locate.editor_command()
    hint = "Set VISUAL or EDITOR."
    try:
        command = shlex.split(wanted)
    except ValueError as error:
        raise EditorFailed(f"The editor command {wanted!r} cannot be understood. {_untouched_note(path)}", hint) from error
    is_on_terminal = all(stream is not None and stream.isatty() for stream in (sys.__stdin__, sys.__stdout__))
    if os.path.basename(command[0]) in IN_A_TERMINAL and not is_on_terminal:
        raise EditorFailed(
            f"{command[0]} needs a terminal, and there is none. {_untouched_note(path)}",
            "Set VISUAL or EDITOR to one that opens a window, or use `zsmem write` and `zsmem edit`.",
        )
    if not which(command[0]):
        raise EditorFailed(f"There is no editor called {command[0]!r}. {_untouched_note(path)}", hint)
    return command


def _at_line(editor: str, copy: str, line: int) -> list[str]:
    """The editor's arguments for the file, with the line if the way to pass it is known."""
    ways = (way for way, editors in _AT_LINE.items() if line > 0 and os.path.basename(editor) in editors.split(" "))
    return [each.format(line=line + 1, file=copy) for each in next(ways, "{file}").split(" ")]


def _run(command: list[str]) -> tuple[int, str]:
    """(exit status, reason if the editor did not start). Ctrl+C is left to the editor while it runs."""
    here = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, lambda *_: None) if here else None
    try:
        return subprocess.run(command, check=False).returncode, ""
    except OSError as error:
        return -1, f"could not be started: {error.strerror}"
    finally:
        if before is not None:
            signal.signal(signal.SIGINT, before)


def _exit_words(status: int) -> str:
    return f"ended with status {status}" if status >= 0 else f"was ended by signal {-status}"


def _untouched_note(path: str) -> str:
    return f"{printable_path(path)} was not touched."


def _save(session: Session, ref: MemRef, before: bytes | None, after: bytes, copy: str) -> Saved | Unchanged:
    """Save the edited text, merged with what others wrote meanwhile."""
    try:
        outcome = writing.save(session.root, ref.path, after, before, recorder=session.recorder(f"Edited {ref.path}"))
    except MemError as error:
        raise EditorFailed(f"{error.message} Your text is in {copy}.", error.hint, kept=copy) from error
    if isinstance(outcome, Conflicted):
        raise EditConflict(
            f"{printable_path(session.path(ref))} changed in the same lines while you edited it. Nothing was written; "
            f"your text is in {copy}.",
            kept=copy,
            mine=after,
            base=before,
            found=outcome,
        )
    if isinstance(outcome, Saved) and not outcome.confirmed:
        shown = printable_path(session.path(ref))
        raise EditorFailed(
            f"{shown}: others keep writing over it, and what you wrote did not last. Your text is in {copy}.", kept=copy
        )
    return outcome
