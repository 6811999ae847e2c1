"""The exception classes of this package:

    MemError
    ├── BadName              a note, daily or project name is refused
    ├── BadTarget            no such target, source or mode
    ├── BadContent           the text cannot be written as it is
    ├── RuleBroken           another agent's own rule forbids it
    ├── NotExactlyOnce       the text to replace is not there exactly once
    ├── ConfigError          the settings file, the environment or the command line is wrong
    ├── OutputFailed         the result could not be printed
    ├── Conflict             the current state forbids it; a person has to decide first
    ├── HistoryError         earlier versions cannot be read or kept
    ├── RemoteFailed         the sync remote cannot be reached or refuses
    └── StoreError           a file could not be read or written
        ├── Missing          it is not there
        ├── Unreadable       it cannot be read
        ├── Undecodable      it is not valid UTF-8
        ├── OutsideStore     a link leads out of the store
        ├── StoreGone        the whole memory folder is gone
        └── WriteFailed      it could not be written; the old text is still there
            ├── WriteConflict  somebody changed the same lines meanwhile; their text is in the file
            ├── InUse          another program is writing it right now
            └── NotKept        others kept overwriting it, or the wait was cancelled

`str(error)` is a sentence for a person. `error.hint`, when not empty, says what to do about it.
"""

from typing import Final

from zsmem_tui.core.text import printable_path, shortened


class MemError(Exception):
    """Base class of all errors raised on purpose. `message` says what was not done; `hint` may say what to do.

    Overlong input quoted in either is shortened (`core.text.shortened`).
    """

    def __init__(self, message: str, hint: str = "") -> None:
        self.message = shortened(message)
        self.hint = shortened(hint)
        super().__init__(self.message)

    @property
    def reason(self) -> str:
        """The message as a clause, without the sentence that says what was not done."""
        return self.message.partition(" Nothing was ")[0].rstrip(".")


class BadName(MemError):
    """A note, daily or project name is refused (specification, section 9)."""


class BadTarget(MemError):
    """There is no such target, source or mode (specification, sections 9 to 11)."""


class BadContent(MemError):
    """The text cannot be stored as it is, for instance because it is not valid Unicode."""


TOO_LONG: Final = "limit"
"""`RuleBroken.rule` for a text longer than its agent writes."""


DERIVED: Final = "derived"
"""`RuleBroken.rule` for a file that its agent generates."""


UNREAD: Final = ("yaml", "frontmatter", "label")
"""The `RuleBroken.rule`s for a text that its agent cannot read, or not under its name."""


class RuleBroken(MemError):
    """A rule of the agent that owns the memory forbids it, such as a name it would not find. `rule` is a code for programs."""

    def __init__(self, rule: str, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.rule = rule


class NotExactlyOnce(MemError):
    """The text to replace does not occur exactly once (specification, section 10)."""


class ConfigError(MemError):
    """The settings file or an environment variable cannot be used."""


class OutputFailed(MemError):
    """The request was carried out, but its result could not be printed."""


class Conflict(MemError):
    """The current state forbids it: a file changed since the change was planned, or a program still holds what is to be deleted."""


class HistoryError(MemError):
    """The history of a store cannot be used: it is broken, locked, from a newer version, or lacks the requested version."""


class HistoryIncomplete(HistoryError):
    """The history is damaged, or lacks what it was asked for: a copy of another can be made anew."""


class HistoryBusy(HistoryError):
    """Another zsmem is at work in the history; what is written meanwhile is taken in later."""


class RemoteFailed(MemError):
    """The sync remote cannot be reached or refuses. `said` is git's own message."""

    def __init__(self, message: str, hint: str = "", said: str = "") -> None:
        super().__init__(message, hint)
        self.said = said


class StoreError(MemError):
    """A file of the store could not be read or written. `path` names it."""

    def __init__(self, path: str, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.path = path


class Missing(StoreError):
    """The file does not exist."""


class Unreadable(StoreError):
    """The file exists but cannot be read (no permission, or not a regular file)."""


class Undecodable(StoreError):
    """The file is not valid UTF-8, so agents cannot read it either."""


class OutsideStore(StoreError):
    """A symbolic link leads out of the store; only a prompt and the file's own page show what it leads to."""


class StoreGone(StoreError):
    """The memory folder existed a moment ago and is gone. It is never recreated in its place."""


class WriteFailed(StoreError):
    """The file could not be written. Its old content is unchanged."""


class NotKept(WriteFailed):
    """Other programs overwrote the file again and again until the write was given up. The new text is not in the file."""


class InUse(WriteFailed):
    """Another program is writing the file right now. The file was left as that program has it."""


class WriteConflict(WriteFailed):
    """Other programs changed the same lines during the write. Their text, `theirs`, is in the file."""

    def __init__(self, path: str, theirs: bytes, message: str = "") -> None:
        words = message or f"{printable_path(path)}: somebody changed the same lines meanwhile. Nothing was written."
        super().__init__(path, words)
        self.theirs = theirs


def encoded(text: str, outcome: str = "Nothing was written.") -> bytes:
    """The text as UTF-8. Raises `BadContent` for half a character, with a message that ends with `outcome`."""
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise BadContent(f"the text is not valid Unicode (it holds half a character). {outcome}") from error
