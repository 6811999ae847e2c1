"""Import and export for Ethos: what personalities, users and teams remember. It has no projects, so imports go to the target."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from zsmem_tui.agents.ethos import files, writes
from zsmem_tui.agents.fact_lines import of_person
from zsmem_tui.agents.format import Format, Opened, Source, lost_of, text_of
from zsmem_tui.agents.javascript import decode
from zsmem_tui.agents.outgoing import MAIN, Held, Ours, Outgoing, Spot, Wish, bare_facts, slug_of, stands_in
from zsmem_tui.agents.places import Machine
from zsmem_tui.core.append import rewritten
from zsmem_tui.core.facts import Kind, facts, open_fence, words_of
from zsmem_tui.core.hazards import hazards
from zsmem_tui.core.import_item import ImportItem, stem_of
from zsmem_tui.core.json_value import json_object
from zsmem_tui.core.markdown import outside_code
from zsmem_tui.core.notice import Notice, NoticeKind
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import raw_lines, trim
from zsmem_tui.core.tree import Tree, read_if_there

_SECTION: Final = re.compile(r"^###[ \t]+(.*?)[ \t]*$")
_HOMES: Final = (files.PERSONALITIES, files.USERS, files.TEAMS)
_RETIRED: Final = Notice(NoticeKind.ON_REQUEST, text="facts that Ethos has retired")
_SOUL: Final = "it says who the personality is, and is no memory"
_RECORDS: Final = ("memory-history.jsonl", "memory-meta.json")
"""Ethos' own records beside a personality's memory: earlier versions, and how important each fact is."""

_RECORDED: Final = "a record that Ethos keeps of its facts, which other agents do not have"
_LEGACY: Final = Notice(NoticeKind.ON_REQUEST, text="from before there were personalities: Ethos does not put it into a prompt")
TOMBSTONES: Final = "memory-tombstones.jsonl"
_TASKS: Final = "open-tasks"
_SECTION_OUT: Final = re.compile(r"^### (.+?)[ \t\r]*$")
_OF_ALL: Final = "It is everybody's here, and belongs to one personality or user there: to USER.md, as it holds in every project."
_OF_PERSON: Final = "It is about the person, so it goes to USER.md, which is in the prompt of every project there."
_OF_ONE: Final = "It is of one project here, so it goes to MEMORY.md: USER.md there is about the person. Ethos knows no projects."


class EthosFormat(Format):
    """Facts about a user become facts, sections and other files notes. Every personality, user and team is taken.

    What is in `USER.md` and `MEMORY.md` is in every prompt, the last 20,000 characters of it; notes are read on demand.
    """

    losses = (
        "In: history, importance, and where wikilinks lead (their text stays). Out: which project it is of; and what is put into "
        "MEMORY.md or USER.md there may be rewritten at night."
    )
    out_losses = "Ethos' nightly pass may rewrite what is put into MEMORY.md and USER.md."
    group_kinds: tuple[str, ...] = ("personality",)

    def lost_in(self, items: Iterable[ImportItem]) -> str:
        """What these items have of it; files that stay behind are items of their own."""
        return lost_of({"where wikilinks lead (their text stays)": any("[[" in each.text for each in items)})

    def places(self, on: Machine) -> list[str]:
        """Ethos' folder, which has no parts by project."""
        return self.whole(on)

    def whole(self, on: Machine) -> list[str]:
        """That folder."""
        return [files.root(on.env, on.home)]

    def opened(self, folder: str, on: Machine) -> list[Opened]:
        """The whole folder, one kind in it, or one personality, user or team."""
        parts = [part for part in folder.split("/") if part]
        for count in (1, 2, 3):
            if len(parts) >= count and parts[-count] in _HOMES and not any(on.is_there(f"{folder}/{each}") for each in _HOMES):
                return [Opened(folder, "/".join(parts[-count:]) + "/", root=posixpath.normpath(f"{folder}{'/..' * count}"))]
        return [Opened(folder, root=folder)]

    def enters(self, path: str) -> bool:
        """The folders of personalities, users and teams' memory; no skills, histories or secrets."""
        match path.split("/"):
            case [home] | [home, _]:
                return home in _HOMES
            case [home, _, inside]:
                return home == files.TEAMS and inside == "memory"
        return False

    def wants(self, path: str) -> bool:
        """Markdown files and the legacy files; the soul and invalid ids are read too, to be reported."""
        match path.split("/"):
            case [key]:
                return key in (files.MEMORY, files.USER, files.SETTINGS)
            case [home, _, key] if home == files.PERSONALITIES:
                return key.endswith(".md") and not key.startswith(".")
            case [home, _, key] if home == files.USERS:
                return key == files.USER
            case [home, _, "memory", key] if home == files.TEAMS:
                return key.endswith(".md") and not key.startswith(".")
        return False

    def claims(self, paths: list[str]) -> bool:
        """Whether there is a memory file or a legacy file."""
        return any(path.rpartition("/")[2] not in (files.SETTINGS, files.SOUL) for path in paths)

    def parse(self, source: Source) -> list[ImportItem]:
        """Parse personalities, teams and users by path; legacy files last."""
        out: list[ImportItem] = []
        settings = source.files.get(files.SETTINGS, b"").decode("utf-8", "replace")
        is_encrypting = writes.configures_encryption(settings)
        for path in sorted(source.files, key=lambda path: ("/" not in path, path)):
            raw = source.files[path]
            if path == files.SETTINGS:
                continue
            if path.endswith(f"/{files.SOUL}"):
                out.append(_stays(path, _SOUL))
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
        homes = {path.rpartition("/")[0] for path in source.files if path.startswith(f"{files.PERSONALITIES}/")}
        records = (f"{home}/{name}" for home in sorted(homes) for name in _RECORDS)
        there = (path for path in records if source.heads is not None and source.heads.head(path, 1, bool))
        return out + [_stays(path, _RECORDED) for path in there]

    def spots(self, wish: Wish) -> dict[str, Spot]:
        """Its folder; a path may name that or one personality's folder."""
        path = wish.path.rstrip("/")
        root, group = path or files.root(wish.env, wish.home), wish.group
        if posixpath.basename(posixpath.dirname(path)) == files.PERSONALITIES:
            root, group = posixpath.dirname(posixpath.dirname(path)), f"personality:{posixpath.basename(path)}"
        return {MAIN: Spot(self.name, root, group)}

    def out(self, ours: Ours, wish: Wish, trees: Mapping[str, Tree]) -> list[Outgoing]:
        """Export facts, notes, logs and tasks; `wish.group` is the personality."""
        tree, home = trees[MAIN], files.scope_folder(wish.group)
        person = f"{files.USERS}/{wish.user}" if wish.user else home
        gone, said = _forgotten_facts(tree, home), _KnownFacts()
        out = []
        for source, fact in bare_facts(ours.facts):
            is_plain = fact.kind in (Kind.PARAGRAPH, Kind.ITEM) and "\n" not in trim(fact.text)
            text = f"- {fact.says}" if is_plain else fact.text.strip("\n")
            why = _OF_ALL if ours.is_shared else _OF_PERSON if ours.is_of_person(source) else _OF_ONE
            path = f"{home}/{files.MEMORY}" if why == _OF_ONE else f"{person}/{files.USER}"
            out.append(_fact(source, text, path, gone, said, (why,)))
        out += [_note(held, f"{home}/{files.MEMORY}") for held in ours.notes]
        losses = ("It is a note there, not a day.",)
        out += [Outgoing(log.source, log.text, Role.NOTE, f"daily-{log.name}", losses=losses) for log in ours.logs]
        if ours.tasks is not None:
            out.append(_tasks(ours.tasks, f"{home}/{files.MEMORY}"))
        return out


def _stays(path: str, why: str) -> ImportItem:
    """A file of a personality that is no memory."""
    return ImportItem(path, Role.NOTE, stem_of(path), "", skip=why, group=f"personality:{path.split('/')[1]}")


def _items(path: str, group: str, text: str, doubts: tuple[Notice, ...]) -> Iterator[ImportItem]:
    key = path.rpartition("/")[2]
    if key == files.USER:
        yield from of_person(path, text, doubts, "ethos-user")
    elif key == files.MEMORY and (group.startswith("personality:") or not group):
        yield from _memory(path, group.partition(":")[2], text, doubts)
    else:
        name = stem_of("ethos-archive" if key == files.ARCHIVE else f"ethos-{key.removesuffix('.md')}")
        retired = (_RETIRED,) if key == files.ARCHIVE else ()
        yield ImportItem(path, Role.NOTE, name, f"{trim(text)}\n", doubts=(*doubts, *hazards(text), *retired))


def _memory(path: str, personality: str, text: str, doubts: tuple[Notice, ...]) -> Iterator[ImportItem]:
    """A note per section name of MEMORY.md, and one for the text before the first section."""
    own = stem_of(f"ethos-{personality or 'memory'}")
    found: dict[str, list[str]] = {own: []}
    first: dict[str, int] = {own: 1}
    current, held = own, list[str]()

    def close() -> None:
        if part := "\n".join(held).strip("\n"):
            found.setdefault(current, []).append(part)

    for number, line, outside in outside_code(raw_lines(text)):
        heading = _SECTION.match(line) if outside else None
        if heading:
            close()
            current, held = _section_name(heading[1]) or own, []
            first.setdefault(current, number + 1)
        else:
            held.append(line)
    close()
    for name, parts in found.items():
        if parts:
            body = "\n\n".join(parts) + "\n"
            source = path if name == own else f"{path}:{first[name]}"
            yield ImportItem(source, Role.NOTE, name, body, doubts=(*doubts, *hazards(body)))


def _section_name(heading: str) -> str:
    """The name of a section: its slug, as for Ethos; a heading of other letters, which a slug would lack, as it is."""
    return (slug_of(heading, len(heading)) if heading.isascii() else "") or (stem_of(heading) if heading else "")


def _normal(text: str) -> str:
    """The form in which Ethos compares facts."""
    return " ".join(text.lower().split())


def _forgotten_facts(tree: Tree, home: str) -> set[str]:
    """The facts that the user had Ethos forget; malformed lines are skipped."""
    out: set[str] = set()
    for line in raw_lines(decode(read_if_there(tree, f"{home}/{TOMBSTONES}") or b"")):
        out |= {_normal(value) for value in (json_object(line) or {}).values() if isinstance(value, str)}
    return out


class _KnownFacts:
    """The facts in a file, parsed once while thousands are added."""

    def __init__(self) -> None:
        self._raw: bytes | None = None
        self._said: set[str] = set()

    def of(self, raw: bytes) -> set[str]:
        """The normalized facts in these bytes."""
        if raw != self._raw:
            text = decode(raw)
            said = [*(fact.says for fact in facts(text)), *map(words_of, raw_lines(text))]  # in a fence, each line counts too
            self._raw, self._said = raw, set(map(_normal, said))
        return self._said

    def joined(self, raw: bytes, says: str) -> None:
        """Update the cache after one fact was added, with the new bytes."""
        self._raw = raw
        self._said.add(says)


def _fact(source: str, text: str, path: str, gone: set[str], said: _KnownFacts, losses: tuple[str, ...]) -> Outgoing:
    own = facts(text)
    says = _normal(own[0].says if own else text)
    if says in gone:
        return Outgoing(source, text, skip="the person had Ethos forget it")

    def added(now: str) -> str | None:
        if "\n" in text and stands_in(text, now):
            return None
        lines = raw_lines(now)
        at = next(iter(_sections(lines)), len(lines))
        old, sections = "\n".join(lines[:at]).rstrip(), "\n".join(lines[at:])  # a section has facts of its own
        last = old.rpartition("\n")[2]
        gap = "" if not old else "\n" if last.startswith("- ") and text.startswith("- ") else "\n\n"
        return f"{old}{gap}{text}\n{chr(10) + sections if sections else ''}"

    def join(now: bytes | None) -> bytes | None:
        after = None if says in said.of(now or b"") else rewritten(now, added)
        if after is not None and len(own) == 1:
            said.joined(after, says)
        return after

    return Outgoing(source, text, Role.FACTS, path=path, join=join, losses=losses, in_prompt=True)


def _note(held: Held, memory: str) -> Outgoing:
    if files.is_key(f"{held.name}.md") and files.new_path(Role.NOTE, "personality:-", held.name):
        return Outgoing(held.source, held.text, Role.NOTE, held.name)
    slug = slug_of(held.name, len(held.name))
    if not slug or slug == _TASKS:
        return Outgoing(held.source, held.text, skip="its name has no letter that Ethos takes for a note: rename it")
    losses = [f"Ethos does not take the name {held.name!r} for a note: it becomes a section of MEMORY.md."]
    if _sections(raw_lines(held.text)):
        losses.append("Its headings of the third level begin sections of their own there.")

    def join(now: bytes | None) -> bytes | None:
        return rewritten(now, lambda old: _with_section(old, slug, held.text, before=_TASKS))

    return Outgoing(held.source, held.text, Role.FACTS, path=memory, join=join, losses=tuple(losses), in_prompt=True)


def _tasks(held: Held, memory: str) -> Outgoing:
    def join(now: bytes | None) -> bytes | None:
        return rewritten(now, lambda old: _with_section(old, _TASKS, held.text))

    losses = ("Ethos knows no tasks: they are text there.",)
    return Outgoing(held.source, held.text, Role.FACTS, path=memory, join=join, losses=losses, in_prompt=True)


def _sections(lines: Sequence[str]) -> list[int]:
    """The lines on which the sections of MEMORY.md begin."""
    return [number for number, line, outside in outside_code(lines) if outside and _SECTION_OUT.match(line)]


def _with_section(old: str, slug: str, text: str, before: str = "") -> str | None:
    """MEMORY.md with missing lines added to a section, created at the end or `before` another; None if none are missing."""
    lines = raw_lines(old)
    starts = _sections(lines)
    named = {trim(lines[number][4:]): number for number in starts}
    wanted = _closed(text.strip("\n"))
    if slug in named:
        start = named[slug]
        stop = next((number for number in starts if number > start), len(lines))
        if wanted in "\n".join(lines[start:]):  # its own headings may have started further sections
            return None
        there = {trim(line) for line in lines[start:]}
        new = "\n".join(line for line in raw_lines(wanted) if trim(line) and trim(line) not in there)
        if not new:
            return None
        front, back = "\n".join(lines[:stop]).rstrip("\n"), "\n".join(lines[stop:])
        return f"{front}\n{_closed(new)}\n{chr(10) + back if back else ''}"
    section = f"### {slug}\n\n{wanted}\n"
    if stands_in(section, old):  # in code that nothing ends, where it is no section
        return None
    at = named.get(before, len(lines))
    front, back = "\n".join(lines[:at]).rstrip("\n"), "\n".join(lines[at:])
    gap = "\n\n" if front else ""
    return f"{front}{gap}{section}{chr(10) + back if back else ''}"


def _closed(text: str) -> str:
    """The text with a last line that closes the code which it leaves open, so that what follows is a section."""
    return "\n".join(filter(None, (text, open_fence(text))))


FORMAT: Final = EthosFormat
