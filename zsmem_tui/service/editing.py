"""Edit a file in place: what can be edited, how a save ends, and drafts of unsaved text."""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import Final

from zsmem_tui.core.conflict import Conflicts, conflicts
from zsmem_tui.core.errors import OutsideStore, RuleBroken, StoreError, WriteFailed, encoded
from zsmem_tui.core.layout import find_ref
from zsmem_tui.core.limits import MAX_EDIT_BYTES
from zsmem_tui.core.merge import changed_lines, split
from zsmem_tui.core.notice import Notice, NoticeKind, reason
from zsmem_tui.core.outcomes import SaveOutcome, VerbResult
from zsmem_tui.core.recode import recoded
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.core.version import THROWN_AWAY
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service.browsing import OpenFile
from zsmem_tui.service.results import ended, says_undo
from zsmem_tui.service.session import Session
from zsmem_tui.service.titles import place_of
from zsmem_tui.store import drafts, writing
from zsmem_tui.store.disk import files
from zsmem_tui.store.disk.tree import DiskTree
from zsmem_tui.store.drafts import Draft
from zsmem_tui.store.history import review_baseline
from zsmem_tui.store.write_path import locating

_SHOWN: Final = 6
"""The lines of a draft that a question shows."""


class Editable:
    """A text for a line editor: with line feeds only, remembering the style of line ends.

    `encode` converts an edited text back to bytes; an unchanged text gives the original bytes.
    """

    def __init__(self, raw: bytes) -> None:
        self.raw: bytes | None = raw
        try:
            text = raw.decode()
        except UnicodeDecodeError:
            self.raw, text = None, ""  # to be converted: what is saved always differs from these bytes
        self.bom = text.startswith("\ufeff")
        text = text.removeprefix("\ufeff")
        self.crlf = "\r\n" in text and "\n" not in text.replace("\r\n", "")
        self.text = text.replace("\r\n", "\n") if self.crlf else text

    def ended(self, text: str) -> str:
        """The edited text with a final line feed if the original had one or was empty."""
        has_end = self.raw is not None and (not self.text or self.text.endswith("\n"))
        return f"{text}\n" if has_end and text and not text.endswith("\n") else text

    def encode(self, text: str) -> bytes:
        """The bytes to save for an edited text. Raises `BadContent` if it is not valid Unicode."""
        if self.crlf:
            text = text.replace("\n", "\r\n")
        return encoded(f"\ufeff{text}" if self.bom else text, "Nothing was saved.")


_MOST: Final = f"{MAX_EDIT_BYTES >> 20} MiB"


def why_not(file: OpenFile) -> str:
    """Why a file cannot be edited here (one that is not UTF-8 is converted); empty if it can."""
    if file.problem and not file.missing and not file.undecodable:
        return f"It cannot be edited: {file.problem}."
    raw, verb = (recoded(file.raw).text.encode(), "convert") if file.undecodable else (file.raw, "edit")
    return f"It is too large to {verb} here (over {_MOST}): o opens it in your own editor." if len(raw) > MAX_EDIT_BYTES else ""


def save(session: Session, ref: MemRef, mine: bytes, base: bytes | None, *, shown: Collection[bytes] = ()) -> SaveOutcome:
    """Save an edited text, merged with what others wrote since `base`; its draft is deleted once it is saved.

    The lines by others that were `shown` to decide about them count as reviewed, until the step is undone. Raises `OutsideStore` or
    `WriteFailed`; then nothing was written, and the draft stays.
    """
    recorder = session.recorder(f"Saved {ref.path}", relation=review_baseline.showing(shown))
    return writing.save(session.root, ref.path, mine, base, recorder=recorder)


def head_lost(session: Session, ref: MemRef, before: bytes | None, after: bytes) -> str:
    """The end of a sentence about a save: the agent no longer reads the file's frontmatter, or makes the file anew; else empty."""
    layout = session.layout
    if layout.loses_head(ref.path, before, after):
        return f", but it {reason(Notice(NoticeKind.HEAD_LOST))}"
    if before != after and layout.is_made_anew(ref.path):
        return f", but it {reason(Notice(NoticeKind.MADE_ANEW))}"
    return ""


@says_undo
def delete_lines(session: Session, ref: MemRef, shown: bytes, numbers: range) -> VerbResult:
    """Delete lines by their 0-based `numbers` in the text that was `shown`; what others wrote since stays.

    If others changed these lines, nothing is deleted, and the message says so. Raises `RuleBroken` for a read-only file,
    `OutsideStore` or `WriteFailed`; then nothing was written.
    """
    refuse_read_only(session, ref)
    session.require_undo()
    pieces, count = shown.split(b"\n"), counted(len(numbers), "line")
    mine = b"\n".join(pieces[: numbers.start] + pieces[numbers.stop :])
    name = place_of(ref, session)
    outcome = writing.save(session.root, ref.path, mine, shown, recorder=session.recorder(f"Deleted {count} of {name}"))
    return ended(outcome, f"Deleted {count} of {name}", f"Somebody changed these lines of {name} meanwhile. Nothing was deleted.")


class Sides:
    """What two sides made of a file, `mine` and `theirs`, which others may go on writing while the person decides."""

    def __init__(self, place: str, base: bytes | None, mine: bytes, theirs: bytes) -> None:
        self._place, self._base, self._mine, self.theirs = place, base, mine, theirs

    def conflicts(self) -> Conflicts:
        """What is to be decided."""
        return conflicts(self._base, self._mine, self.theirs)

    def again(self) -> Conflicts | None:
        """What is to be decided if the file has changed since the last look; None if not, or if it is gone or cannot be read."""
        try:
            now = files.read_if_there(self._place)
        except StoreError:
            return None
        if now is None or now == self.theirs:
            return None
        self.theirs = now
        return self.conflicts()


def keep_draft(session: Session, ref: MemRef, text: bytes, base: bytes | None) -> None:
    """Store unsaved text in case of a crash. Raises `WriteFailed`."""
    drafts.put(session.root, Draft(ref.path, text, base))


def draft_of(session: Session, ref: MemRef) -> Draft | None:
    """The draft of a file from an earlier run that no other running program is editing."""
    return drafts.get(session.root, ref.path)


def take_draft(session: Session, ref: MemRef) -> Draft | None:
    """Like `draft_of`, and claim it, so that other programs do not offer it (if the state folder is writable)."""
    try:
        return drafts.take(session.root, ref.path)
    except WriteFailed:
        return drafts.get(session.root, ref.path)


def drop_draft(session: Session, ref: MemRef, only: Draft | None = None) -> None:
    """Delete this program's draft of a file; or `only` the given one from an earlier run."""
    drafts.drop(session.root, ref.path, only)


def put_beside(session: Session, ref: MemRef, text: bytes) -> None:
    """Record a typed `text` that is given up in the file's history. Raises `WriteFailed`."""
    recorder = session.recorder(THROWN_AWAY)
    if not recorder.record_leftover(ref.path, text):
        raise WriteFailed(session.path(ref), f"{recorder.problem} The unsaved text stays.")


def is_given_up(base: bytes | None, typed: bytes, result: bytes) -> bool:
    """Whether a line that was typed, which the text before (`base`) did not have, is nowhere in the `result`."""
    before, own, after = ({line.rstrip(b"\r\n") for line in split(text)} for text in (base or b"", typed, result))
    return any(line.strip() for line in own - before - after)


def throw_away(session: Session, ref: MemRef, text: bytes, only: Draft | None = None) -> VerbResult:
    """Delete a draft after recording its `text` in the file's history. Raises `WriteFailed`; then the draft stays."""
    put_beside(session, ref, text)
    drop_draft(session, ref, only)
    return VerbResult(f"Discarded the unsaved text: the history of {printable_path(ref.path)} has it still.")


def drafted(session: Session) -> list[MemRef]:
    """The files of the current folder with drafts from earlier runs. Drafts equal to their file are deleted."""
    found = [find_ref(session.layout, path) for path in drafts.listing(session.root)]
    if not found:
        return []
    from zsmem_tui.service.prompts import is_here  # deferred: every agent's rules, only needed with a draft

    return [ref for ref in found if ref is not None and is_here(session, ref) and _is_unsaved(session, ref.path)]


def about_draft(session: Session, ref: MemRef, draft: Draft) -> str:
    """Describe what a draft changes: the number of lines, and the first of them. What others wrote since it was begun stays."""
    now = files.read_or_empty(session.path(ref))
    base = now if draft.base is None else draft.base
    gone, came = changed_lines(split(base), split(draft.text))
    rows = [*(f"+ {_shown(line)}" for line in came), *(f"- {_shown(line)}" for line in gone)]
    more = ["…"] if len(rows) > _SHOWN else []
    since = "the text it was begun from; saving keeps what others wrote since" if base != now else "the file as it stands"
    return "\n".join([f"+{len(came)} -{len(gone)} beside {since}:", *rows[:_SHOWN], *more])


def _shown(line: bytes) -> str:
    return visible_line(line.rstrip(b"\r\n").decode("utf-8", "replace"))


def _is_unsaved(session: Session, path: str) -> bool:
    try:
        there = files.read_if_there(os.path.join(session.root, path))
    except StoreError:
        return True
    while (draft := drafts.get(session.root, path)) and draft.text == there:
        drafts.drop(session.root, path, draft)
        if drafts.get(session.root, path) == draft:
            break  # the folder is not writable
    return draft is not None and draft.text != there


_OF_THE_FILE: Final = ("derived", "encrypted")
"""Agents' rules that no text satisfies."""

_OF_ITS_HEAD: Final = ("read_only",)
"""Rules that no text satisfies unless the user edits the frontmatter in their own editor."""

_OTHERS: Final = b"\n."
"""Appended to any text, it makes a different text."""


def why_read_only(session: Session, ref: MemRef, *, outside: bool = False) -> str:
    """Why no text at all may be written to a file; empty if one may. `outside`: by the user's own editor.

    Rules that depend on the text are checked on saving.
    """
    try:
        locating.resolve(session.root, ref.path)
    except OutsideStore as link:
        return f"{link.message} {link.hint}"
    except StoreError as wrong:
        if os.path.islink(session.path(ref)):  # the text shown would be none; else saving reports it
            return wrong.message
    error = _broken(session, ref)
    if error is None or (outside and error.rule in _OF_ITS_HEAD):
        return ""
    how = " o opens it in your own editor." if error.rule in _OF_ITS_HEAD else ""
    return f"{error.message} {error.hint}{how}".rstrip(" ")


def refuse_read_only(session: Session, ref: MemRef) -> None:
    """Raise `RuleBroken` for such a file, which is not deleted or moved either."""
    if (error := _broken(session, ref)) is not None:
        raise error


def _broken(session: Session, ref: MemRef) -> RuleBroken | None:
    raw = files.read_or_empty(session.path(ref))  # opening the file reports why it cannot be read
    try:
        session.layout.check(DiskTree(session.root), ref.path, raw, raw + _OTHERS)
    except RuleBroken as error:
        return error if error.rule in (*_OF_THE_FILE, *_OF_ITS_HEAD) else None
    return None
