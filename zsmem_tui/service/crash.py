"""Record what is needed to fix a crash, and nothing that a user wrote."""

from __future__ import annotations

import os
import traceback

from zsmem_tui import __version__
from zsmem_tui.config import locate
from zsmem_tui.core.errors import WriteFailed
from zsmem_tui.store.disk import state, temporary


def log_crash(error: BaseException, folder: str = "") -> str:
    """Write the stack trace of `error`, without values or messages, to `folder` (default: our state folder).

    Returns the file's path; a temporary file if the folder is not writable.
    """
    lines, told = [f"zsmem {__version__}"], list[BaseException]()
    seen: BaseException | None = error
    while seen is not None and not any(seen is each for each in told):  # one may be its own cause
        lines.append(f"{type(seen).__module__}.{type(seen).__name__}")
        lines += [f"  {frame.filename}:{frame.lineno} in {frame.name}" for frame in traceback.extract_tb(seen.__traceback__)]
        told.append(seen)
        seen = seen.__cause__ or seen.__context__
    raw = ("\n".join(lines) + "\n").encode("utf-8", "backslashreplace")
    path = os.path.join(folder or locate.state_folder(), "crash.log")
    try:
        state.put(path, raw, "", durable=False)
    except WriteFailed:
        return temporary.put_file(raw, "zsmem-crash-", ".log")
    return path
