"""The facts that the user wants in the prompt. They are kept in the state folder by digest, without their text."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

from zsmem_tui.core.facts import Fact, facts
from zsmem_tui.core.json_value import json_value
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.core.text import counted, grouped
from zsmem_tui.service.facts.rows import FactRow
from zsmem_tui.service.results import says_undo
from zsmem_tui.service.session import Session
from zsmem_tui.store.disk import state

WANTS: Final = "wants "
"""The prefix of the `relation` of a step that marked facts as wanted, or unmarked them."""

_FAILED: Final = "What is to stay in the prompt was not noted."


@says_undo
def mark(session: Session, rows: Sequence[FactRow], *, wanted: bool) -> VerbResult:
    """Mark these facts as wanted in the prompt, or unmark them: an undoable step. Raises `WriteFailed`."""
    asked = grouped((row.ref.path, _digest(row.fact)) for row in rows)
    changed = _change(session, asked, wanted=wanted)
    what = counted(len(rows), "fact")
    words = f"Marked {what} to stay in the prompt" if wanted else f"Took the mark from {what}"
    if changed:
        session.recorder(words, relation=WANTS + json.dumps([wanted, changed])).record_step_end()
    return VerbResult(f"{words}: = shows what else to move for it." if wanted else f"{words}.", sum(map(len, changed.values())))


def mark_back(session: Session, relation: str, *, redo: bool) -> bool:
    """Undo such a step, or redo it; return whether that changed anything. Raises `WriteFailed`."""
    wanted, changed = json_value(relation.removeprefix(WANTS))
    return bool(_change(session, changed, wanted=bool(wanted) is redo))


def _change(session: Session, asked: Mapping[str, Sequence[str]], *, wanted: bool) -> dict[str, list[str]]:
    """Set the state of these digests by path; return those that changed. Raises `WriteFailed`."""
    changed: dict[str, list[str]] = {}
    with _changing(session) as known:
        for path, digests in asked.items():
            own = known.setdefault(path, [])
            for digest in digests:
                if (digest in own) is wanted:
                    continue
                if wanted:
                    own.append(digest)
                else:
                    own.remove(digest)
                changed.setdefault(path, []).append(digest)
    return changed


def follow(session: Session, moved: Mapping[str, str]) -> None:
    """Carry the marks over to the new paths of moved files. Raises `WriteFailed`."""
    if not _load(session).keys() & moved.keys():
        return
    with _changing(session) as known:
        for path, to in moved.items():
            known[to] = list(dict.fromkeys([*known.get(to, []), *known.pop(path, [])]))


def is_wanted(session: Session, rows: Sequence[FactRow]) -> list[bool]:
    """Whether each of these facts is wanted. A fact with changed words is not."""
    known = _load(session)
    if not known:
        return [False] * len(rows)
    return [row.ref.path in known and _digest(row.fact) in known[row.ref.path] for row in rows]


def lines(session: Session, texts: Mapping[str, str], also: Sequence[FactRow] = ()) -> dict[str, set[int]]:
    """The 0-based lines of the wanted facts, and of those of `also`, in these texts, by path."""
    known = _load(session)
    for row in also:
        known.setdefault(row.ref.path, []).append(_digest(row.fact))
    own = {path: [fact for fact in facts(text) if _digest(fact) in known[path]] for path, text in texts.items() if path in known}
    return {path: {line for fact in found for line in range(fact.line, fact.stop)} for path, found in own.items() if found}


def _digest(fact: Fact) -> str:
    return hashlib.sha256(fact.says.encode("utf-8", "surrogateescape")).hexdigest()[:24]


def _load(session: Session) -> dict[str, list[str]]:
    return _valid_entries(state.document(_place(session)) or {})


@contextmanager
def _changing(session: Session) -> Iterator[dict[str, list[str]]]:
    """Like `_load`, stored after the change: a damaged file is kept under another name. Raises `WriteFailed`."""
    place = _place(session)
    with state.held(os.path.dirname(place), _FAILED):
        known = _valid_entries(state.document_to_change(place, _FAILED, lambda found: _valid_entries(found) == found))
        yield known
        state.put(place, json.dumps({path: own for path, own in sorted(known.items()) if own}).encode(), _FAILED)


def _valid_entries(found: Mapping[str, object]) -> dict[str, list[str]]:
    return {path: [each for each in own if isinstance(each, str)] for path, own in found.items() if isinstance(own, list)}


def _place(session: Session) -> str:
    return os.path.join(state.folder("wanted", session.root), "wanted.json")
