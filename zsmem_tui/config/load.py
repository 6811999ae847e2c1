"""Reading the settings file; unknown keys and wrong values raise errors with file, line, key and a hint."""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING, Final

from zsmem_tui.config import locate
from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import ConfigError
from zsmem_tui.core.text import printable_path

if TYPE_CHECKING:
    from zsmem_tui.config.examine import Examined, Mistake

MOST_BYTES: Final = 1024 * 1024
"""Maximum size of a settings file, a hundred times that of a full one; a device might never end."""

MOST_NAMED: Final = 9
"""Maximum number of mistakes listed after the first."""


def load(path: str | None = None) -> Config:
    """The settings in the file at `path` (default: see `locate`); the defaults if there is no file and none was named.

    Raises `ConfigError` if the file cannot be read, is invalid, or was named here or in `$ZSMEM_CONFIG` and is missing.
    """
    found = read(path)
    if found is None:
        return Config()
    if found.mistakes:
        first, *more = found.mistakes
        place = path or locate.settings_file()
        also = [f"{sentence(place, each)} {each.hint}".rstrip(" ") for each in more]
        if len(also) > MOST_NAMED:
            also[MOST_NAMED:] = [f"And {len(also) - MOST_NAMED} more: `zsmem config --check` names them all."]
        raise ConfigError(sentence(place, first), "\n".join([first.hint, *also] if first.hint else also))
    return Config(**found.values)


def read(path: str | None = None) -> Examined | None:
    """Read and examine the file; None if there is none and none was named. Raises `ConfigError`."""
    named = path or locate.named_settings_file()
    place = named or locate.settings_file()
    shown = printable_path(place)
    if not os.path.lexists(place):
        if not named:
            return None
        by = "" if path else " ZSMEM_CONFIG names it."
        raise ConfigError(f"{shown}: there is no such settings file.{by} Nothing was done.", "Make it, or unset ZSMEM_CONFIG.")
    if not os.path.exists(place):
        raise ConfigError(f"{shown}: a link to what is not there. No setting was read.")
    from zsmem_tui.config.examine import examine  # deferred: 8 ms, needed only with a settings file

    try:
        with open(place, "rb", opener=_open_nonblocking) as stream:
            raw = stream.read(MOST_BYTES + 1) or b""
    except OSError as error:
        raise ConfigError(f"{shown}: {error.strerror}. No setting was read.") from error
    if len(raw) > MOST_BYTES:
        raise ConfigError(f"{shown}: it has more than {MOST_BYTES:,} bytes: no settings file. No setting was read.")
    return examine(raw)


def _open_nonblocking(place: str, flags: int) -> int:
    """Open a regular file or a device such as `/dev/null`, without blocking on pipes. Raises `OSError`."""
    handle = os.open(place, flags | os.O_NONBLOCK)
    mode = os.fstat(handle).st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISCHR(mode)):
        os.close(handle)
        raise OSError(errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL, "It is no ordinary file")
    return handle


def sentence(place: str, mistake: Mistake) -> str:
    """A mistake as a sentence with file and line."""
    where = f"{printable_path(place)}:{mistake.line}" if mistake.line else printable_path(place)
    return f"{where}{' ' if not mistake.key and mistake.message.startswith('is ') else ': '}{mistake.message}"
