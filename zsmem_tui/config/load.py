"""Reading the settings file. Unknown keys and wrong values are refused, naming the file, the line, the key and what would do."""

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
"""Bytes of a settings file: with every key renamed it has a hundredth. A device may never end."""

MOST_NAMED: Final = 9
"""Mistakes that are named beside the first."""


def load(path: str | None = None) -> Config:
    """The settings in the file at `path` (default: where `locate` says); the defaults when none was named and there is none.

    Raises `ConfigError` when it cannot be read, is not TOML, or holds a key or value that means nothing, and when a file was
    named, here or in `$ZSMEM_CONFIG`, that is not there.
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
    """The same with all that is wrong in the file; None when none was named and there is none. Raises `ConfigError`."""
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
    from zsmem_tui.config.examine import examine  # 8 ms, and most people have no settings file

    try:
        with open(place, "rb", opener=_unwaited) as stream:
            raw = stream.read(MOST_BYTES + 1) or b""
    except OSError as error:
        raise ConfigError(f"{shown}: {error.strerror}. No setting was read.") from error
    if len(raw) > MOST_BYTES:
        raise ConfigError(f"{shown}: it has more than {MOST_BYTES:,} bytes: no settings file. No setting was read.")
    return examine(raw)


def _unwaited(place: str, flags: int) -> int:
    """A handle of a file, or of a device such as `/dev/null`: nobody waits for what may come through a pipe. Raises `OSError`."""
    handle = os.open(place, flags | os.O_NONBLOCK)
    mode = os.fstat(handle).st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISCHR(mode)):
        os.close(handle)
        raise OSError(errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL, "It is no ordinary file")
    return handle


def sentence(place: str, mistake: Mistake) -> str:
    """One mistake, with the file and the line."""
    where = f"{printable_path(place)}:{mistake.line}" if mistake.line else printable_path(place)
    return f"{where}{' ' if not mistake.key and mistake.message.startswith('is ') else ': '}{mistake.message}"
