"""The `zsmem hook` command, which agents call for their hooks."""

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
_MOST_READ: Final = 256 << 20
"""Maximum number of bytes to read and discard, so that an agent that writes too much is not blocked by a full pipe."""

_PATIENCE: Final = 5.0
"""Seconds in total to read the agent's input; the agent itself waits meanwhile."""

_LOCK_SECONDS: Final = 4.5
"""Seconds to wait for locks of another zsmem, which may be stopped."""

_END_SECONDS: Final = 0.05
"""Seconds to wait for more input after a complete event, as some agents do not close the pipe."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("agent", metavar="AGENT", help="whose hook it is; its JSON is read from standard input")
    parser.add_argument("--part", metavar="I/N", default="", help="only this part of the memory, as 1/4")


def run(session: Session, args: argparse.Namespace) -> int:
    """Answer the hook. It never stops the agent: errors go to standard error, and the exit code is 0."""

    def meant(project: MeantProject) -> Session:
        if not project.folder:
            check_slug(session, project.slug)
        session.project, session.folder = project.slug, project.folder
        return session

    patience.current().for_locks = _LOCK_SECONDS
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
    """Read the agent's input, with a time limit. Of too long input, only so much is kept that its length shows.

    Does not wait for the end of file after a complete event.
    """
    if sys.stdin is None or sys.stdin.isatty():
        return b""
    found, read = b"", 0
    try:
        source = sys.stdin.buffer
        read_some = source.read1 if isinstance(source, io.BufferedReader) else source.read
        end = clock() + _PATIENCE
        while read < _MOST_READ and (left := end - clock()) > 0:
            if not _has_input(source, min(_END_SECONDS, left) if hooks.is_whole(found) else left):
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


def _has_input(source: BinaryIO, seconds: float) -> bool:
    """Whether there is input, or the end of file, within this time."""
    coming = select.poll()
    coming.register(source, select.POLLIN)
    return bool(coming.poll(seconds * 1000))
