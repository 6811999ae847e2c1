"""`zsmem hook`."""

from __future__ import annotations

import argparse
import io
import select
import sys
import time
from collections.abc import Callable
from typing import BinaryIO, Final

from zsmem_tui.cli.output import Exit, put, say
from zsmem_tui.core.errors import MemError, OutputFailed
from zsmem_tui.service import hooks, patience
from zsmem_tui.service.session import Session
from zsmem_tui.service.which_project import MeantProject, check_slug, started

EXAMPLES = """\
  echo '{"hook_event_name": "SessionStart", "cwd": "'"$PWD"'"}' | zsmem hook claude-code
  zsmem hook claude-code --part 1/4 < event.json"""

_CHUNK: Final = 1 << 20
_DRAINED: Final = 256 << 20
"""Bytes that are read at most, so that an agent that writes too much is not stopped by a full pipe."""

_PATIENCE: Final = 5.0
"""Seconds that an agent has to tell what it began the hook for, in all: it waits itself meanwhile."""

_FOR_LOCKS: Final = 4.5
"""Seconds that are waited for another zsmem, which may be stopped."""

_AFTER_THE_END: Final = 0.05
"""Seconds that are waited for more behind a whole event, where an agent leaves its end open."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Whose hook, and which part of the answer."""
    parser.add_argument("agent", metavar="AGENT", help="whose hook it is; its JSON is read from standard input")
    parser.add_argument("--part", metavar="I/N", default="", help="only this part of the memory, as 1/4")


def run(session: Session, args: argparse.Namespace) -> int:
    """Answer the hook. An agent is never stopped by it: whatever goes wrong stands on standard error, and the exit code is 0."""

    def meant(project: MeantProject) -> Session:
        if not project.folder:
            check_slug(session, project.slug)
        session.project, session.folder = project.slug, project.folder
        return session

    patience.current().for_locks = _FOR_LOCKS
    try:
        done = hooks.answer(meant, started(args.project or "", args.cwd or ""), args.agent, _input(), args.part)
        if done.text:
            put(done.text)
        for warning in done.warnings:
            say(warning)
    except OutputFailed:
        raise
    except MemError as error:
        say(error.message)
    return Exit.DONE


def _input(clock: Callable[[], float] = time.monotonic) -> bytes:
    """What the agent tells in time; of what is far too long, only so much that it is known to be. An end left open is not
    waited for.
    """
    if sys.stdin is None or sys.stdin.isatty():
        return b""
    found, read = b"", 0
    try:
        source = sys.stdin.buffer
        read_some = source.read1 if isinstance(source, io.BufferedReader) else source.read
        end = clock() + _PATIENCE
        while read < _DRAINED and (left := end - clock()) > 0:
            if not _comes(source, min(_AFTER_THE_END, left) if hooks.is_whole(found) else left):
                break
            piece = read_some(_CHUNK)
            if not piece:
                break
            read += len(piece)
            if len(found) <= hooks.LONGEST_INPUT:
                found += piece
    except OSError as error:
        say(f"Standard input could not be read: {error.strerror}.")
    return found


def _comes(source: BinaryIO, seconds: float) -> bool:
    """Whether there is more to read, or the end, before so many seconds have passed."""
    coming = select.poll()
    coming.register(source, select.POLLIN)
    return bool(coming.poll(seconds * 1000))
