"""Answer agents' hooks: the memory for a new session, and storing the summary of a compaction."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from zsmem_tui.agents import javascript, registry
from zsmem_tui.agents.hook_shape import HookShape, text_of
from zsmem_tui.config import locate
from zsmem_tui.core.errors import BadContent, WriteFailed
from zsmem_tui.core.json_value import json_value
from zsmem_tui.core.memory_parts import Part, fitted, part_of, with_safe_frame
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.version import agent_author
from zsmem_tui.service.which_project import Start, which_project
from zsmem_tui.store.disk import files, state

if TYPE_CHECKING:
    from collections.abc import Callable

    from zsmem_tui.core.past import Point
    from zsmem_tui.service.session import Session
    from zsmem_tui.service.which_project import MeantProject


LONGEST_INPUT: Final = 10 * 1024 * 1024
"""In bytes. Hook input usually has thousands; a summary has some ten thousand."""

_NOTHING: Final = "The hook did nothing."


class HookAnswer(NamedTuple):
    """The answer for standard output, and warnings for the agent's log."""

    text: str = ""
    warnings: tuple[str, ...] = ()


def answer(open_session: Callable[[MeantProject], Session], start: Start, agent: str, raw: bytes, part: str = "") -> HookAnswer:
    """Handle the agent's JSON for `zsmem hook AGENT`; unknown agents and events do nothing.

    `part` is `i/n`, or empty for everything in one answer. Raises `MemError`, which the caller reports without disturbing the
    agent.
    """
    known = registry.agent(agent)
    shape = known.hook if known is not None else None
    if shape is None:
        return HookAnswer(warnings=(f"There are no hooks of {agent!r}. {_NOTHING}",))
    wanted = Part.parse(part) if part else None
    told = _told(raw)
    event = text_of(told.get("hook_event_name"))
    is_summary = bool(shape.summary_event) and event == shape.summary_event
    if not is_summary and not shape.is_start(event):
        return HookAnswer()
    session = open_session(which_project(start, told=shape.folder(told)))
    if is_summary:
        return _summary(session, shape, told)
    return _memory(session, shape, told, event, wanted)


def client_block(session: Session, at: Point | None = None) -> tuple[str, list[str]]:
    """The prompt block for clients, now or at a past moment: framed safely, without files outside of the store.

    Also returns a sentence for each such file.
    """
    if at is None:
        block, outside = session.mem().block_inside()
    else:
        found, reader = session.past.block(at, session.project, session.profile, session.config.inject_cap, inside=True)
        block, outside = found.text, list(reader.outside)
    said = [f"{printable_path(f'{session.root}/{path}')} is a link that leaves the store: it was left out." for path in outside]
    return with_safe_frame(block or ""), said


def is_whole(raw: bytes) -> bool:
    """Whether the agent's JSON input is complete."""
    told = raw.rstrip()
    if not told.endswith(b"}") or len(raw) > LONGEST_INPUT:
        return False
    with contextlib.suppress(ValueError):
        json_value(told)
        return True
    return False


def _told(raw: bytes) -> dict[str, Any]:
    if len(raw) > LONGEST_INPUT:
        raise BadContent(f"Standard input has more than {LONGEST_INPUT} bytes: no agent tells a hook so much. {_NOTHING}")
    try:
        found = json_value(raw)
    except ValueError as error:
        raise BadContent(f"Standard input is no JSON: {error}. {_NOTHING}") from error
    if not isinstance(found, dict):
        raise BadContent(f"Standard input is JSON, but no object. {_NOTHING}")
    return found


def _memory(session: Session, shape: HookShape, told: dict[str, Any], event: str, part: Part | None) -> HookAnswer:
    id, now, warnings = shape.session_of(told), session.now_ns(), []
    with held() as is_held:
        twin_key = (id, event.casefold(), str(part or ""))
        if is_held and id and shape.twin:
            if recall(ANSWERS, twin_key, now) == shape.twin:
                return HookAnswer()
            try:
                remember(ANSWERS, twin_key, shape.agent, now)
            except WriteFailed as error:
                warnings.append(error.message)
        key = (shape.agent, id, event.casefold(), text_of(told.get("source")), session.root, session.project)
        block = recall(READINGS, key, now) if part is not None else None
        if block is None:
            block, left = client_block(session)
            warnings += left
            if part is not None:
                try:
                    remember(READINGS, key, block, now)
                except WriteFailed as error:
                    warnings.append(error.message)
    if part is None:
        text = fitted(block, shape.limit, in_bytes=shape.in_bytes)
    else:
        text = part_of(block, part, shape.limit, in_bytes=shape.in_bytes)
    return HookAnswer(shape.answer(text) if text else "", tuple(warnings))


def _summary(session: Session, shape: HookShape, told: dict[str, Any]) -> HookAnswer:
    """Log a summary, once for each session and text."""
    from zsmem_tui.store.mem import flush_compaction_summary  # deferred: the write path is not needed at the start of a session

    summary = javascript.encode(text_of(told.get(shape.summary))).decode()  # agents cut texts through emojis
    if not summary.strip():
        return HookAnswer(warnings=(f"The {shape.summary_event} event has no {shape.summary}: nothing was written.",))
    key = (shape.session_of(told), summary, session.root, session.project)
    now = session.now_ns()
    with held():
        if recall(SUMMARIES, key, now) is not None:
            return HookAnswer()
        session.writer = agent_author(shape.agent)
        report = flush_compaction_summary(session.mem(), summary, now=session.clock())
        if not report.changed:
            return HookAnswer(warnings=(report.message,))
        warnings = list(report.warnings)
        try:
            remember(SUMMARIES, key, "", now)
        except WriteFailed as error:
            warnings.append(f"{error.message} The summary was written, and would be again.")
    session.settle()
    return HookAnswer(warnings=tuple(warnings))


READING_NS: Final = 60 * 10**9
"""In nanoseconds: how long one reading of the block is used for all parts of a session start."""

ANSWER_NS: Final = 10 * 10**9
"""In nanoseconds: how long the same hook through another agent counts as the same start."""

_KEPT_NS: Final = 30 * 24 * 3_600 * 10**9
"""In nanoseconds: how long it is remembered that a summary was written; no agent repeats one after a month."""

_MOST: Final = 200
"""From this many entries of a kind on, old ones are removed."""

_FAILED: Final = "The hook remembers nothing."

READINGS: Final = "readings"
ANSWERS: Final = "answers"
SUMMARIES: Final = "summaries"
_LASTS: Final = {READINGS: READING_NS, ANSWERS: ANSWER_NS, SUMMARIES: _KEPT_NS}


@contextmanager
def held() -> Iterator[bool]:
    """Lock out other hooks; yields whether that succeeded. If the state folder is not writable, each goes on alone."""
    with contextlib.ExitStack() as stack:
        is_held = False
        with contextlib.suppress(WriteFailed):
            stack.enter_context(state.held(_home(), _FAILED))
            is_held = True
        yield is_held


def recall(kind: str, key: tuple[str, ...], now_ns: int) -> str | None:
    """The text remembered under a key if it is still valid; else None. A time in the future is not valid."""
    found = state.document(_place(kind, key))
    if found is None or not isinstance(found.get("when"), int) or not isinstance(found.get("text"), str):
        return None
    text: str = found["text"]
    return text if 0 <= now_ns - found["when"] < _LASTS[kind] else None


def remember(kind: str, key: tuple[str, ...], text: str, now_ns: int) -> None:
    """Remember a text under a key. Raises `WriteFailed`."""
    place = _place(kind, key)
    raw = json.dumps({"when": now_ns, "text": text}).encode("utf-8", "surrogatepass")
    state.put(place, raw, _FAILED, durable=kind == SUMMARIES)
    _forget_old(kind, os.path.dirname(place), now_ns)


def _forget_old(kind: str, home: str, now_ns: int) -> None:
    names = files.list_all(home)
    if len(names) <= _MOST:
        return
    for name, found in state.documents(home):
        when = found.get("when")
        if not isinstance(when, int) or not 0 <= now_ns - when < _LASTS[kind]:
            with contextlib.suppress(OSError):
                state.drop(os.path.join(home, f"{name}.json"))


def _place(kind: str, key: tuple[str, ...]) -> str:
    digest = hashlib.sha256("\0".join(key).encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return os.path.join(_home(), kind, f"{digest}.json")


def _home() -> str:
    return os.path.join(locate.state_folder(), "hooks")
