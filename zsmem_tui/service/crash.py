"""Keeping what is needed to mend a crash, and nothing that a person wrote."""

from __future__ import annotations

import os
import tempfile
import traceback

from zsmem_tui import __version__
from zsmem_tui.config import locate
from zsmem_tui.store.disk.replace import replacing


def log_crash(error: BaseException) -> str:
    """Write where in the code `error` came from, without values or messages, to our state folder; return the file's path.

    When the state folder cannot be written, a temporary file serves.
    """
    lines = [f"zsmem {__version__}"]
    seen: BaseException | None = error
    while seen is not None:
        lines.append(f"{type(seen).__module__}.{type(seen).__name__}")
        lines += [f"  {frame.filename}:{frame.lineno} in {frame.name}" for frame in traceback.extract_tb(seen.__traceback__)]
        seen = seen.__cause__ or seen.__context__
    text = "\n".join(lines) + "\n"
    folder = locate.state_folder()
    try:
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, "crash.log")
        with replacing(path, durable=False) as stream:
            stream.write(text.encode("utf-8", "backslashreplace"))
    except OSError:
        handle, path = tempfile.mkstemp(prefix="zsmem-crash-", suffix=".log")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as stream:
            stream.write(text)
    return path
