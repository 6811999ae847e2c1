"""Files in which nothing may be written, whatever the text: asked before a person types, chooses or is asked anything."""

from __future__ import annotations

from typing import Final

from zsmem_tui.core.errors import MemError, RuleBroken
from zsmem_tui.core.refs import MemRef
from zsmem_tui.service.session import Session
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.tree import DiskTree

_OF_THE_FILE: Final = ("derived", "encrypted")
"""Rules of agents that no text satisfies."""

_OF_ITS_HEAD: Final = ("read_only",)
"""Rules that no text satisfies either until what the file says of itself is taken out, which a person can do outside."""

_OTHERS: Final = b"\n."
"""Behind any text, it makes another text of it."""


def why_read_only(session: Session, ref: MemRef, *, outside: bool = False) -> str:
    """Why no text of a file is written here, whatever it is; empty when one may be. `outside`: by the person's own editor.

    Other rules of its agent depend on the text: they are asked when it is saved.
    """
    error = _broken(session, ref)
    if error is None or (outside and error.rule in _OF_ITS_HEAD):
        return ""
    how = " o opens it in your own editor." if error.rule in _OF_ITS_HEAD else ""
    return f"{error.message} {error.hint}{how}".rstrip(" ")


def refuse_read_only(session: Session, ref: MemRef) -> None:
    """Raises `RuleBroken` for such a file: it is not deleted or taken away either."""
    if (error := _broken(session, ref)) is not None:
        raise error


def _broken(session: Session, ref: MemRef) -> RuleBroken | None:
    try:
        raw = files.read_if_there(session.path(ref)) or b""
    except MemError:
        raw = b""  # whoever opens it is told why it cannot be read
    try:
        session.layout.check(DiskTree(session.root), ref.path, raw, raw + _OTHERS)
    except RuleBroken as error:
        return error if error.rule in (*_OF_THE_FILE, *_OF_ITS_HEAD) else None
    return None
