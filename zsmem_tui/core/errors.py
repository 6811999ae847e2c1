"""The errors of this package, one tree:

    MemError
    ├── BadName              a note, daily or project name is refused
    ├── BadTarget            no such target, source or mode
    ├── BadContent           the text cannot be written as it is
    ├── RuleBroken           another agent's own rule forbids it
    ├── NotExactlyOnce       the text to replace is not there exactly once
    ├── ConfigError          the settings file, the environment or the command line is wrong
    ├── OutputFailed         the result could not be printed
    ├── Conflict             what stands there now is against it: it has to be decided first
    ├── HistoryError         earlier versions cannot be read or kept
    └── StoreError           a file could not be read or written
        ├── Missing          it is not there
        ├── Unreadable       it cannot be read
        ├── Undecodable      it is not valid UTF-8
        ├── OutsideStore     a link leads out of the store
        ├── StoreGone        the whole memory folder is gone
        └── WriteFailed      it could not be written; the old text is still there
            ├── WriteConflict  somebody changed the same lines meanwhile; their text stands there
            └── NotKept        others wrote over it again and again, or it was given up

`str(error)` is a sentence for a person. `error.hint`, when not empty, says what to do about it.
"""

from typing import Final

from zsmem_tui.core.text import printable_path, shortened


class MemError(Exception):
    """Base of all errors raised on purpose. `message` says what was not done; `hint` may say what helps.

    What they repeat of what was asked for is cut down where it can name nothing (`core.text.shortened`).
    """

    def __init__(self, message: str, hint: str = "") -> None:
        self.message = shortened(message)
        self.hint = shortened(hint)
        super().__init__(self.message)


class BadName(MemError):
    """A note, daily or project name is refused (specification, section 9)."""


class BadTarget(MemError):
    """There is no such target, source or mode (specification, sections 9 to 11)."""


class BadContent(MemError):
    """The text cannot be stored as it is, for instance because it is not valid Unicode."""


TOO_LONG: Final = "limit"
"""The rule of a text that is longer than its agent writes one."""


DERIVED: Final = "derived"
"""The rule of a file that its agent makes by itself."""


class RuleBroken(MemError):
    """A rule of the agent whose memory it is forbids it, for instance a name it would not find. `rule` is a word for programs."""

    def __init__(self, rule: str, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.rule = rule


class NotExactlyOnce(MemError):
    """The text to replace does not occur exactly once (specification, section 10)."""


class ConfigError(MemError):
    """The settings file or an environment variable cannot be used."""


class OutputFailed(MemError):
    """What was asked for was done, but its result could not be printed."""


class Conflict(MemError):
    """What stands there now is against it: somebody changed a file since it was planned, or still holds what shall go."""


class HistoryError(MemError):
    """The history of a store cannot be used: it is broken, locked, from a newer version, or does not hold what is asked for."""


class RemoteFailed(MemError):
    """The remote that memory is synced with cannot be reached, or refuses. `said` is what git said, in its words."""

    def __init__(self, message: str, hint: str = "", said: str = "") -> None:
        super().__init__(message, hint)
        self.said = said


class StoreError(MemError):
    """A file of the store could not be read or written. `path` names it."""

    def __init__(self, path: str, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.path = path


class Missing(StoreError):
    """The file is not there."""


class Unreadable(StoreError):
    """The file is there and cannot be read (no permission, a folder, not an ordinary file)."""


class Undecodable(StoreError):
    """The file is not valid UTF-8, so agents cannot read it either."""


class OutsideStore(StoreError):
    """A symbolic link leads out of the store; it is read as the agent reads it, never written through."""


class StoreGone(StoreError):
    """The memory folder was there a moment ago and is not now. It is never made anew in its place."""


class WriteFailed(StoreError):
    """The file could not be written. What stood in it before still does."""


class NotKept(WriteFailed):
    """Others wrote the file again and again until it was given up. What was to be written does not stand there."""


class InUse(WriteFailed):
    """Another program is writing the file just now. It is as that program has it."""


class WriteConflict(WriteFailed):
    """Others changed the same lines while this was written. Their text, `theirs`, stands in the file."""

    def __init__(self, path: str, theirs: bytes, message: str = "") -> None:
        words = message or f"{printable_path(path)}: somebody changed the same lines meanwhile. Nothing was written."
        super().__init__(path, words)
        self.theirs = theirs
