"""What the memory of all agents costs per session, and text that is in several prompts or files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import MemError
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.repeated import Repeated, repeated
from zsmem_tui.core.text import grouped, lines, printable_path, trim
from zsmem_tui.service import instructions, previewing
from zsmem_tui.service.browsing import open_file
from zsmem_tui.service.folders import StoreGroups
from zsmem_tui.service.previewing import Cost, Subject
from zsmem_tui.service.prompts import PromptOf, prompts_of
from zsmem_tui.service.session import Session
from zsmem_tui.service.stores import works_with
from zsmem_tui.store.reader import StoreReader

QUOTED = 60
"""The most characters of a quoted line."""


class Place(NamedTuple):
    """A text that agents load: a file of a store (in `prompt`), or an instruction file outside of it."""

    name: str
    path: str
    prompt: PromptOf | None = None


Twice = Repeated[Place]
"""Lines common to several places."""


class Total(NamedTuple):
    """The total of several prompts, where a file in several prompts of one agent counts once."""

    size: int
    tokens: int


def paying(stores: Sequence[StoreGroups], folder: str) -> list[PromptOf]:
    """Every prompt that sessions load: those of all groups and of the folder. Slow: it may look into folders."""
    found: dict[tuple[int, str], PromptOf] = {}
    here = prompts_of(stores, folder)
    for each in here:
        if stores[each.store].session.layout.has_prompt(each.about.project):
            found.setdefault((each.store, each.about.project), each)
    for place, store in enumerate(stores):
        session = store.session
        for group in store.groups:
            if session.layout.has_prompt(group):
                found.setdefault((place, group), PromptOf(place, Subject(group, "", session.profile)))
    return list(found.values())


def costs(stores: Sequence[StoreGroups], prompts: Iterable[PromptOf]) -> list[tuple[PromptOf, Cost]]:
    """The cost of each of these prompts; one that cannot be computed is left out."""
    found = []
    for each in prompts:
        session = stores[each.store].session
        try:
            cost = previewing.cost(session, each.about)
        except MemError:
            continue
        known = each.about.project in stores[each.store].groups
        if cost.size or known:
            found.append((each, cost))
    return found


def dearest_first(found: Iterable[tuple[PromptOf, Cost]]) -> list[tuple[PromptOf, Cost]]:
    """Sort in the order of display: the most expensive first."""
    return sorted(found, key=lambda each: (-each[1].size, -each[1].lost.lines, each[0].store, each[1].project))


def in_several(stores: Sequence[StoreGroups], found: Iterable[tuple[PromptOf, Cost]]) -> dict[tuple[PromptOf, int], int]:
    """For each (prompt, section number) whose file is in several prompts of its agent: the number of these prompts.

    The number is given for the first of these prompts; for the others it is 0, since they were counted already.
    """
    sections = ((prompt, number, use.path) for prompt, cost in found for number, use in enumerate(cost.sections))
    places = grouped((_file_of(stores, prompt, path), (prompt, number)) for prompt, number, path in sections)
    several = [each for each in places.values() if len({prompt for prompt, _ in each}) > 1]
    return {place: 0 if at else len({prompt for prompt, _ in each}) for each in several for at, place in enumerate(each)}


def _file_of(stores: Sequence[StoreGroups], prompt: PromptOf, path: str) -> tuple[str, str]:
    session = stores[prompt.store].session
    return session.layout.kind, os.path.join(session.root, path)


def total(stores: Sequence[StoreGroups], found: Iterable[tuple[PromptOf, Cost]]) -> Total:
    """The total cost of these prompts."""
    size = tokens = 0
    once: dict[tuple[str, str], Total] = {}
    for prompt, cost in found:
        size, tokens = size + cost.size, tokens + cost.tokens
        for use in cost.sections:
            key = _file_of(stores, prompt, use.path)
            known = once.get(key, Total(0, 0))
            dearer = Total(max(known.size, use.size), max(known.tokens, use.tokens))
            size += dearer.size - known.size - use.size
            tokens += dearer.tokens - known.tokens - use.tokens
            once[key] = dearer
    return Total(size, tokens)


def twice(
    stores: Sequence[StoreGroups], folder: str, config: Config, orders: Mapping[int, Sequence[MemRef]] | None = None
) -> list[Twice]:
    """Text that is in several of the files that agents load in a folder, the most expensive first.

    Compared are the prompts of `prompts_of` in their session's profile, and instruction files: of the folder and its parents, those
    next to a store, and those in `orders` of the stores that are used in the folder. A file with two names counts once.
    """
    texts: list[tuple[Place, list[tuple[int, str]]]] = []
    for prompt in prompts_of(stores, folder):
        session = stores[prompt.store].session
        if prompt.about.profile is session.profile:
            texts += _in_prompt(session, prompt)
    seen: set[str] = set()
    for agent, path, text in _instructions(stores, folder, config, orders or {}):
        real = os.path.realpath(path)
        if real not in seen:
            seen.add(real)
            own = f"{agent} {os.path.basename(path)}" if agent else path
            name = os.path.relpath(path, folder) if folder and path.startswith(f"{folder}/") else own
            texts.append((Place(printable_path(name), path), list(enumerate(lines(text)))))
    return [each._replace(quoted=trim(each.quoted)[:QUOTED]) for each in repeated(texts)]


def _in_prompt(session: Session, prompt: PromptOf) -> Iterator[tuple[Place, list[tuple[int, str]]]]:
    """The files with lines in a prompt, with these lines as they are in the file."""
    try:
        seen = previewing.preview(session, prompt.about)
    except MemError:
        return
    reader = StoreReader(session.root)
    found = grouped((row.path, (row.line, row.text)) for row in seen.rows if row.path and row.line >= 0 and trim(row.text))
    for path, shown in found.items():
        own = lines(reader.text(path) or "")
        named = printable_path(path.rpartition("/")[2])
        text = [(line, own[line] if line < len(own) and trim(own[line]) in words else words) for line, words in shown]
        yield Place(f"{session.layout.title} {named}", os.path.join(session.root, path), prompt), text


def _instructions(
    stores: Sequence[StoreGroups], folder: str, config: Config, orders: Mapping[int, Sequence[MemRef]]
) -> Iterator[tuple[str, str, str]]:
    """(agent, path, text) of the instruction files: first those of the folder with an empty agent, then those that agents add."""
    for place in instructions.folders(folder) if folder else ():
        session = instructions.open_folder(config, place)
        yield from (("", path, text) for path, text in _read(session, instructions.refs(session)))
    for number, store in enumerate(stores):
        session = store.session
        if works_with(session, folder):
            beside = [*previewing.context_files(session, folder), *_read(session, orders.get(number, ()))]
            yield from ((session.layout.title, path, text) for path, text in beside)


def _read(session: Session, refs: Iterable[MemRef]) -> Iterator[tuple[str, str]]:
    for ref in refs:
        file = open_file(session, ref)
        if not file.missing and not file.problem:
            yield session.path(ref), file.text
