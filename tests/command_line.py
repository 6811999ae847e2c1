"""The command line, run in this process: what is typed, what that prints, and its exit code."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO, TextIO

import pytest

import zsmem_tui
from tests.builders import PROJECT, AStore
from zsmem_tui import entry


class _Left(BaseException):
    """Stands for the end of the process; with the exit code."""


Environment = Mapping[str, str] | None


class Run:
    """One command line: it never shows a traceback."""

    def __init__(self, *words: str, stdin: bytes = b"", env: Environment = None, cwd: Path | None = None) -> None:
        with contextlib.ExitStack() as stack:
            streams = {name: stack.enter_context(_stream(name)) for name in ("stdin", "stdout", "stderr")}
            printed = [stack.enter_context(os.fdopen(os.dup(streams[name].fileno()), "rb")) for name in ("stdout", "stderr")]
            streams["stdin"].buffer.write(stdin)
            streams["stdin"].seek(0)
            patch = stack.enter_context(pytest.MonkeyPatch.context())
            for name, value in (env or {}).items():
                patch.setenv(name, value)
            if cwd is not None:
                patch.chdir(cwd)
            patch.setattr(sys, "argv", [str(Path(zsmem_tui.__file__).with_name("__main__.py")), *words])
            for name, stream in streams.items():
                patch.setattr(sys, name, stream)
            patch.setattr(entry, "_leave", _leave)
            patch.setattr(entry, "_screen", _no_screen)
            self.code = _ended()
            streams["stdout"].flush()
            streams["stderr"].flush()
            self.out, self.err = (_all_of(each) for each in printed)
        assert "Traceback" not in self.err, self.err


def zsmem(store: AStore | None, *words: str, stdin: bytes = b"", env: Environment = None, cwd: Path | None = None) -> Run:
    """A verb, about this store where there is one."""
    where = ["--root", str(store.root), "--project", PROJECT] if store else []
    return Run(*where, *words, stdin=stdin, env=env, cwd=cwd)


def _ended() -> int:
    try:
        entry.main()
    except _Left as left:
        return int(left.args[0])
    except SystemExit as left:
        return int(left.code or 0)
    finally:
        gc.enable()
    raise AssertionError("the program never leaves without a code")


def _leave(code: int) -> None:
    raise _Left(code)


def _no_screen(args: object) -> int:
    raise AssertionError(f"the screen was to be opened: {args}")


def _stream(name: str) -> TextIO:
    """A file, as a shell has it where it leads there."""
    errors = "backslashreplace" if name == "stderr" else "strict"
    return tempfile.TemporaryFile("w+", encoding="utf-8", errors=errors, newline="")


def _all_of(stream: BinaryIO) -> str:
    stream.seek(0)
    return stream.read().decode()
