"""The facts that the person wants in the prompt. Kept in the state folder, by a digest of their words: no text is kept there."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from zsmem_tui.core.facts import Fact, facts
from zsmem_tui.service.facts.rows import FactRow
from zsmem_tui.service.session import Session
from zsmem_tui.store.disk import state

_FAILED: Final = "What is wanted was not kept."


def mark(session: Session, rows: Iterable[FactRow], *, wanted: bool) -> None:
    """Remember that these facts are wanted in the prompt, or not any more. Raises `WriteFailed`."""
    home = state.folder("wanted", session.root)
    with state.held(home, _FAILED):
        known = _kept(session)
        for row in rows:
            own = known.setdefault(row.ref.path, [])
            digest = _digest(row.fact)
            if wanted and digest not in own:
                own.append(digest)
            elif not wanted and digest in own:
                own.remove(digest)
        document = {path: own for path, own in sorted(known.items()) if own}
        state.put(_place(session), json.dumps(document).encode(), _FAILED)


def follow(session: Session, moved: Mapping[str, str]) -> None:
    """What was wanted of files that have another path now still is. Raises `WriteFailed`."""
    home = state.folder("wanted", session.root)
    if not _kept(session).keys() & moved.keys():
        return
    with state.held(home, _FAILED):
        known = _kept(session)
        for path, to in moved.items():
            known[to] = list(dict.fromkeys([*known.get(to, []), *known.pop(path, [])]))
        document = {path: own for path, own in sorted(known.items()) if own}
        state.put(_place(session), json.dumps(document).encode(), _FAILED)


def is_wanted(session: Session, rows: Sequence[FactRow]) -> list[bool]:
    """Which of these facts are wanted. A fact that has other words now is not."""
    known = _kept(session)
    if not known:
        return [False] * len(rows)
    return [row.ref.path in known and _digest(row.fact) in known[row.ref.path] for row in rows]


def lines(session: Session, texts: Mapping[str, str]) -> dict[str, set[int]]:
    """The lines, from 0, of the wanted facts in these texts, by path."""
    known = _kept(session)
    out: dict[str, set[int]] = {}
    for path, text in texts.items():
        if path in known:
            own = {number for fact in facts(text) if _digest(fact) in known[path] for number in range(fact.line, fact.stop)}
            if own:
                out[path] = own
    return out


def _digest(fact: Fact) -> str:
    return hashlib.sha256(fact.says.encode("utf-8", "surrogateescape")).hexdigest()[:24]


def _kept(session: Session) -> dict[str, list[str]]:
    found = state.document(_place(session)) or {}
    return {path: [each for each in own if isinstance(each, str)] for path, own in found.items() if isinstance(own, list)}


def _place(session: Session) -> str:
    return os.path.join(state.folder("wanted", session.root), "wanted.json")
