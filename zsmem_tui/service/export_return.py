"""The faithful way back: what an agent's memory gave, and still stands here as it came, goes back as it was there."""

from __future__ import annotations

import os
from collections.abc import Iterable

from zsmem_tui.agents.outgoing import Held, Ours, Outgoing
from zsmem_tui.core.errors import StoreError
from zsmem_tui.core.layout import find_ref
from zsmem_tui.core.line_changes import without_lines
from zsmem_tui.service.export_targets import Target, Targets
from zsmem_tui.store.disk import files
from zsmem_tui.store.transfer.manifest import Imported, digest_of


def returning(ours: Ours, known: Iterable[Imported], targets: Targets) -> tuple[list[Outgoing], Ours]:
    """What goes back to where it came from, and what else there is.

    A text whose file is still there stays out of the export; where the file is not there any more, it is made again with what stood
    around the text, byte for byte where that is possible. A note that was changed here keeps what stood around it.
    """
    out: list[Outgoing] = []
    held = {each.source: each for each in _every(ours)}
    for each in known:
        now = held.get(each.path)
        place = _where(targets, each.source) if now is not None else None
        if now is None or place is None:
            continue
        found = _back(each, now, targets.by_spot[place[0]], *place)
        if found is None:
            continue
        out.append(found)
        left = without_lines(now.text.encode("utf-8", "surrogateescape"), each.text.encode("utf-8", "surrogateescape"))
        if left is None or not left.strip():
            del held[each.path]
        else:
            held[each.path] = now._replace(text=left.decode("utf-8", "surrogateescape"))
    facts, tasks = (held.get(each.source) if each is not None else None for each in (ours.facts, ours.tasks))
    notes, logs = (tuple(held[each.source] for each in own if each.source in held) for own in (ours.notes, ours.logs))
    return out, ours._replace(facts=facts, tasks=tasks, notes=notes, logs=logs)


def _every(ours: Ours) -> list[Held]:
    return [*(each for each in (ours.facts, ours.tasks) if each is not None), *ours.notes, *ours.logs]


def _back(each: Imported, held: Held, target: Target, spot: str, path: str) -> Outgoing | None:
    """One text on its way back; None where it goes out like any other."""
    text = each.text
    stands = without_lines(held.text.encode("utf-8", "surrogateescape"), text.encode("utf-8", "surrogateescape")) is not None
    try:
        there = files.read_if_there(os.path.join(target.session.root, path))
    except StoreError:
        return None
    if there is not None:
        is_same = bool(each.digest) and digest_of(there) == each.digest
        is_in = bool(text.strip()) and text.strip().removeprefix("- ").encode("utf-8", "surrogateescape") in there.replace(
            b"\r\n", b"\n"
        )
        return Outgoing(held.source, text, path=path, spot=spot, join=lambda _: None) if stands and (is_same or is_in) else None
    bare = text.removeprefix("- ")  # what went into a list was none there
    whole = [f"{each.head}{body}" for body in (text, f"{text}\n", text.rstrip("\n"), bare, f"{bare}\n")]
    exact = next((one for one in whole if digest_of(one.encode("utf-8", "surrogateescape")) == each.digest), None)
    if stands and exact is not None:
        return Outgoing(held.source, exact, path=path, spot=spot, is_written=True)
    if each.head and held.name:
        return (
            Outgoing(held.source, f"{each.head}{held.text}", path=path, spot=spot, is_written=True)
            if _is_note(each, held)
            else None
        )
    return None


def _is_note(each: Imported, held: Held) -> bool:
    """Whether a file of ours came from one of theirs as a whole: a note, not one entry of a day among others."""
    return bool(each.head) and not held.text.lstrip("\n").startswith("### ") and ":" not in each.source


def _where(targets: Targets, source: str) -> tuple[str, str] | None:
    """The spot and the place below its root that a path in their memory is; None where there is none."""
    parts = source.partition(":")[0].split("/")
    for spot, target in targets.by_spot.items():
        if target.problem:
            continue
        for count in range(len(parts)):
            before, path = "/".join(parts[:count]), "/".join(parts[count:])
            if before and not f"/{target.session.root}".endswith(f"/{before}"):
                continue
            for candidate in (path, target.path_of(path), f"{target.layout.home_of(target.group)}/{path}"):
                ref = find_ref(target.layout, candidate)
                if ref is None:
                    continue
                if ref.project and ref.project != target.group:
                    home = target.layout.home_of(ref.project)
                    candidate = f"{target.layout.home_of(target.group)}/{candidate.removeprefix(home + '/')}"
                return spot, target.place(candidate)
    return None
