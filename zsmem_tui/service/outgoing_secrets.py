"""Credentials in what leaves a store: an export, bundle or transfer stops until the user masks or allows them.

The resulting files are examined: a credential that the target has already does not count. Masking changes only what leaves, never
the store.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from zsmem_tui.agents.outgoing import Ours
from zsmem_tui.core.checks.scan import Span
from zsmem_tui.core.checks.secret import mask, masked, secrets_in
from zsmem_tui.core.index_file import Rewrite
from zsmem_tui.core.notice import Notice, NoticeKind
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import printable_path
from zsmem_tui.service.plan import Edit, Gate, Handling
from zsmem_tui.service.session import Session
from zsmem_tui.store.transfer.records import Written


class Text(NamedTuple):
    """The text of a file that is exported as a whole, or of which the part `goes` is."""

    source: str
    text: str
    goes: str = ""


def texts_of(ours: Ours) -> list[Text]:
    """The complete files of our texts, in which a user would look for a line."""
    files = {each.source: each.text for each in ours.whole}
    return [
        Text(source, files.get(source, text), f"{held.head}{text}")
        for held in ours.held()
        for source, text in held.parts or ((held.source, held.text),)
    ]


def shown(text: str) -> str:
    """The text with its credentials masked, so that it may be displayed."""
    return masked(text, _sure(text))


def without_secrets(ours: Ours) -> Ours:
    """Our texts with their credentials masked."""
    return ours.changed(lambda held: held._replace(text=shown(held.text), about=shown(held.about), head=shown(held.head)))


def going_out(changes: Iterable[Edit], texts: Sequence[Text]) -> dict[str, Notice]:
    """The credentials that these files would newly contain, with their place in the source texts, or else in the file."""
    found: dict[str, Notice] = {}
    for change in changes:
        after, before = _text(change.after), _text(change.before)
        for spot in _sure(after):
            secret = after[spot.start : spot.end]
            if secret not in before and secret not in found:
                place, line = _origin(secret, texts) or (change.place, spot.line)
                found[secret] = _finding(place, line, spot)
    return found


def in_texts(texts: Iterable[Text], names: Iterable[str], changes: Iterable[Edit] | None = None) -> tuple[Notice, ...]:
    """The credentials in the exported part of the named texts; with `changes`, only those that are masked in these files."""
    wanted = frozenset(names)
    there = None if changes is None else [each.after or b"" for each in changes]
    found = []
    for each in texts:
        for spot in _sure(each.text) if each.source in wanted else ():
            secret = each.text[spot.start : spot.end]
            goes = secret in (each.goes or each.text)
            if goes and (there is None or any(_raw(mask(secret)) in raw for raw in there)):
                found.append(_finding(each.source, spot.line, spot))
    return tuple(found)


def masked_changes(changes: Sequence[Edit], secrets: Iterable[str]) -> tuple[Edit, ...]:
    """The edits with new credentials masked."""
    return tuple(
        each._replace(after=masked_new(each.before, each.after, secrets)) if each.after is not None else each for each in changes
    )


def masked_new(before: bytes | None, after: bytes, secrets: Iterable[str]) -> bytes:
    """The new content with those of these credentials masked that were not there before."""
    return _swapped(after, [(raw, _raw(mask(each))) for each in secrets if (raw := _raw(each)) not in (before or b"")])


def masked_records(records: Mapping[str, Sequence[Written]], secrets: Iterable[str]) -> dict[str, tuple[Written, ...]]:
    """The records of the written texts, masked likewise."""
    swaps = [(_raw(each), _raw(mask(each))) for each in secrets]
    return {root: tuple(each._replace(text=_swapped(each.text, swaps)) for each in own) for root, own in records.items()}


def of_files(texts: Mapping[str, bytes], handling: Handling) -> tuple[Gate, dict[str, bytes]]:
    """The gate for whole files by path, and their content to export: masked if `handling` is `MASK`."""
    out: dict[str, bytes] = {}
    found: list[Notice] = []
    for path, raw in texts.items():
        text = raw.decode("utf-8", "surrogateescape")
        spots = _sure(text)
        found += (_finding(path, spot.line, spot) for spot in spots)
        is_masked = spots and handling is Handling.MASK
        out[path] = masked(text, spots).encode("utf-8", "surrogateescape") if is_masked else raw
    return Gate(handling, tuple(found)), out


def _sure(text: str) -> list[Span]:
    return [spot for spot in secrets_in(text) if spot.sure]


def _text(raw: bytes | None) -> str:
    return (raw or b"").decode("utf-8", "replace")


def _raw(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _finding(place: str, line: int, spot: Span) -> Notice:
    return Notice(NoticeKind.SECRET, printable_path(place), line, f"{spot.kind}, {spot.shown}")


def _origin(secret: str, texts: Iterable[Text]) -> tuple[str, int] | None:
    """(file, line) of a credential in the texts."""
    wanted = secret.partition("\n")[0]
    for each in texts:
        at = each.text.find(wanted)
        if at >= 0:
            return each.source, each.text.count("\n", 0, at) + 1
    return None


def _swapped(raw: bytes, swaps: Iterable[tuple[bytes, bytes]]) -> bytes:
    for old, new in swaps:
        raw = raw.replace(old, new)
    return raw


class OutgoingTexts:
    """Texts that come into a store from others. Texts that stay in the store are not examined: they have the same readers."""

    def __init__(self, target: Session, secrets: Handling) -> None:
        self._target = target
        self._secrets = secrets
        self._texts: dict[str, str] = {}

    def leaving(self, source: Session, ref: MemRef, raw: bytes) -> bytes:
        """The text as it arrives in the target; masked if it is from another store and that was decided."""
        if os.path.realpath(source.root) == os.path.realpath(self._target.root):
            return raw
        self._texts[source.path(ref)] = raw.decode("utf-8", "replace")
        return of_files({"": raw}, Handling.MASK)[1][""] if self._secrets is Handling.MASK else raw

    def decided(self, gains: Sequence[Edit], losses: Sequence[Edit], taken: Collection[str]) -> tuple[tuple[Edit, ...], Gate]:
        """The edits with credentials treated as decided, and the gate. `taken` are the paths of the texts that are exported.

        `gains` are edits that add content to the target, `losses` those of a move in its sources.
        """
        texts = [Text(place, text) for place, text in self._texts.items() if place in taken]
        places = {printable_path(each.source) for each in texts}
        leaks = {secret: each for secret, each in (going_out(gains, texts) if texts else {}).items() if each.place in places}
        if self._secrets is not Handling.MASK:
            return (*gains, *losses), Gate(self._secrets, tuple(leaks.values()))
        secrets = tuple(leaks)  # those that only become credentials in the target's text

        def masking(now: bytes | None, rewrite: Rewrite) -> bytes | None:
            made = rewrite(now)
            return None if made is None else masked_new(now, made, secrets)

        own = [each._replace(changes=tuple(partial(masking, rewrite=change) for change in each.changes)) for each in gains]
        noticed = dict.fromkeys((*in_texts(texts, taken), *leaks.values()))
        return (*masked_changes(own, secrets), *losses), Gate(self._secrets, tuple(noticed))
