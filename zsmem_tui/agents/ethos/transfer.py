"""Ethos: what personalities, users and teams remember. It knows no projects: what comes in goes to the one that is meant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from zsmem_tui.agents.base import Machine, Opened, Source, text_of
from zsmem_tui.agents.ethos import files, writes
from zsmem_tui.agents.fact_lines import outside_fences, taken_apart
from zsmem_tui.core.hazards import hazards
from zsmem_tui.core.import_item import ImportItem, stem_of
from zsmem_tui.core.notice import Notice, NoticeKind
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import raw_lines, trim

_SECTION: Final = re.compile(r"^###[ \t]+(.*?)[ \t]*$")
_HOMES: Final = (files.PERSONALITIES, files.USERS, files.TEAMS)
_RETIRED: Final = Notice(NoticeKind.ON_REQUEST, text="facts that Ethos has retired")
_LEGACY: Final = Notice(NoticeKind.ON_REQUEST, text="from before there were personalities: Ethos does not put it into a prompt")


class Ethos:
    """Facts about a user become facts, sections and topics notes. Every personality, user and team is taken."""

    name = "ethos"
    finds_its_place = True
    has_sections = False
    losses = (
        "In: history, importance, and where wikilinks lead (their text stays). Out: which project it is of; and what is put into "
        "MEMORY.md or USER.md there may be rewritten at night."
    )

    def places(self, on: Machine) -> list[str]:
        """Ethos' folder: nothing in it is of one project."""
        return [files.root(on.env, on.home)]

    def whole(self, on: Machine) -> list[str]:
        """The same."""
        return []

    def opened(self, folder: str, on: Machine) -> list[Opened]:
        """The whole, all of a kind in it, or one personality, user or team."""
        parts = [part for part in folder.split("/") if part]
        for count in (1, 2, 3):
            if len(parts) >= count and parts[-count] in _HOMES and not any(on.is_there(f"{folder}/{each}") for each in _HOMES):
                return [Opened(folder, "/".join(parts[-count:]) + "/")]
        return [Opened(folder)]

    def enters(self, path: str) -> bool:
        """Scopes, and a team's memory; neither skills nor histories nor secrets."""
        match path.split("/"):
            case [home] | [home, _]:
                return home in _HOMES
            case [home, _, inside]:
                return home == files.TEAMS and inside == "memory"
        return False

    def wants(self, path: str) -> bool:
        """Markdown of a scope but its soul, and the legacy files. Folders with ids that Ethos refuses are read to be told of."""
        match path.split("/"):
            case [key]:
                return key in (files.MEMORY, files.USER, files.SETTINGS)
            case [home, _, key] if home == files.PERSONALITIES:
                return key.endswith(".md") and not key.startswith(".") and key != files.SOUL
            case [home, _, key] if home == files.USERS:
                return key == files.USER
            case [home, _, "memory", key] if home == files.TEAMS:
                return key.endswith(".md") and not key.startswith(".")
        return False

    def claims(self, paths: list[str]) -> bool:
        """There is a scope, or a legacy file."""
        return any(path != files.SETTINGS for path in paths)

    def parse(self, source: Source) -> list[ImportItem]:
        """Personalities, teams, users, by path; legacy files last."""
        out: list[ImportItem] = []
        settings = source.files.get(files.SETTINGS, b"").decode("utf-8", "replace")
        is_encrypting = writes.configures_encryption(settings)
        for path in sorted(source.files, key=lambda path: ("/" not in path, path)):
            raw = source.files[path]
            if path == files.SETTINGS:
                continue
            place = files.place(path)
            text, problem = text_of(raw)
            if place is None and "/" in path:
                out.append(ImportItem(path, Role.NOTE, stem_of(path), "", skip="Ethos does not take a name in its path"))
            elif writes.is_encrypted(raw) or (is_encrypting and writes.is_encrypted(raw, configured=True)):
                out.append(ImportItem(path, Role.NOTE, stem_of(path), "", skip="Ethos has encrypted it"))
            elif not trim(text):
                out.append(ImportItem(path, Role.NOTE, stem_of(path), text, skip="it is empty"))
            else:
                group = place.group if place else ""
                doubts = problem if place else (*problem, _LEGACY)
                out += (each._replace(group=group) for each in _items(path, group, text, doubts))
        return out


def _items(path: str, group: str, text: str, doubts: tuple[Notice, ...]) -> Iterator[ImportItem]:
    key = path.rpartition("/")[2]
    if key == files.USER:
        yield from _user(path, text, doubts)
    elif key == files.MEMORY and (group.startswith("personality:") or not group):
        yield from _memory(path, group.partition(":")[2], text, doubts)
    else:
        name = stem_of("ethos-archive" if key == files.ARCHIVE else f"ethos-{key.removesuffix('.md')}")
        retired = (_RETIRED,) if key == files.ARCHIVE else ()
        yield ImportItem(path, Role.NOTE, name, f"{trim(text)}\n", doubts=(*doubts, *hazards(text), *retired))


def _user(path: str, text: str, doubts: tuple[Notice, ...]) -> Iterator[ImportItem]:
    """Items and paragraphs of one line as facts, what has several lines as a note."""
    found = taken_apart(text)
    for fact in found.facts:
        yield ImportItem(f"{path}:{fact.line}", Role.FACTS, "", fact.text, doubts=(*doubts, *hazards(fact.text)), listed=True)
    if found.has_rest:
        rest = trim(found.rest) + "\n"
        yield ImportItem(path, Role.NOTE, "ethos-user", rest, doubts=(*doubts, *hazards(rest)))


def _memory(path: str, personality: str, text: str, doubts: tuple[Notice, ...]) -> Iterator[ImportItem]:
    """A note for each section, those of one name together, and one for what stands before the first."""
    own = stem_of(f"ethos-{personality or 'memory'}")
    found: dict[str, list[str]] = {own: []}
    first: dict[str, int] = {own: 1}
    current, held = own, list[str]()

    def close() -> None:
        if part := "\n".join(held).strip("\n"):
            found.setdefault(current, []).append(part)

    for number, line, outside in outside_fences(raw_lines(text)):
        heading = _SECTION.match(line) if outside else None
        if heading:
            close()
            current, held = stem_of(heading[1]) if heading[1] else own, []
            first.setdefault(current, number + 1)
        else:
            held.append(line)
    close()
    for name, parts in found.items():
        if parts:
            body = "\n\n".join(parts) + "\n"
            source = path if name == own else f"{path}:{first[name]}"
            yield ImportItem(source, Role.NOTE, name, body, doubts=(*doubts, *hazards(body)))
