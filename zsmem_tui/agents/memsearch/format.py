"""Import and export for memsearch: journals, and what its tasks write next to them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from zsmem_tui.agents.fact_lines import of_person
from zsmem_tui.agents.format import Format, Opened, Source, text_of
from zsmem_tui.agents.memsearch import files
from zsmem_tui.agents.outgoing import (
    MAIN,
    CameFrom,
    DayEntry,
    Held,
    Ours,
    Outgoing,
    Spot,
    Wish,
    day_entries,
    distinct,
    mark_of,
)
from zsmem_tui.agents.places import Machine, upwards, visible
from zsmem_tui.core import ignore_rules
from zsmem_tui.core.append import appended_alike
from zsmem_tui.core.daily import is_log_name
from zsmem_tui.core.hazards import hazards
from zsmem_tui.core.import_item import ImportItem, stem_of
from zsmem_tui.core.markdown import outside_code
from zsmem_tui.core.notice import Notice, NoticeKind
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import raw_lines, trim
from zsmem_tui.core.tree import Tree

_SESSION: Final = re.compile(r"^##[ \t]+Session(?:[ \t]+(\d\d:\d\d))?[ \t]*$")
_TIME: Final = re.compile(r"^###[ \t]+(\d\d:\d\d)[ \t]*$")
_SECTION: Final = re.compile(r"^#{2}[ \t]+\S")
_NO_SUMMARY: Final = re.compile(r"^[-*]\s+Memory summary unavailable")
_OURS: Final = re.compile(r"^<!-- zerostack:\S* -->\s*$")
_PROJECT, _USER = files.DERIVED_BESIDE
_IGNORE: Final = "ignore"
"""The suffix of `.gitignore`-like pattern files; the settings say which count."""

_LIBRARY: Final = "MEMORY.md"
_HEADING: Final = re.compile(r"^(#{1,6})[ \t]+(.*)$")
_STEP: Final = re.compile(r"^[-*+][ \t]+(\S.*)$")
_BOX: Final = re.compile(r"^[-*] \[[ xX]\] ")
_STEPS: Final = Notice(NoticeKind.ON_REQUEST, text="a next step, which is in the note as well")
_MIDNIGHT = "00:00"
_SHOWN_DAYS = 2


class MemsearchFormat(Format):
    """Each entry of a day becomes an entry of that day; USER.md gives facts, every other file a note.

    The two newest days are in the prompt when a session starts; notes are found by search.
    """

    losses = (
        "In: sessions and anchors, which lead to transcripts. Out: what a task is, for memsearch has no checklist, and that facts "
        "hold for every project."
    )

    def lost_in(self, items: Iterable[ImportItem]) -> str:
        """The sentence, if there are journals among them."""
        return super().lost_in(()) if any(each.role is Role.LOG for each in items) else ""

    def places(self, on: Machine) -> list[str]:
        """`MEMSEARCH_DIR` if set, and the folder's own or a parent's, since one plugin ignores the variable."""
        named = self.whole(on)
        above = [f"{folder}/{files.FOLDER}" for folder in upwards(on.folder)]
        there = [each for each in above if on.is_there(each)]
        return [*named, *(there[:1] or above[:1])]

    def whole(self, on: Machine) -> list[str]:
        """`MEMSEARCH_DIR` if set, which all folders share."""
        return [on.env["MEMSEARCH_DIR"]] if on.env.get("MEMSEARCH_DIR") else []

    def opened(self, folder: str, on: Machine) -> list[Opened]:
        """A project, memsearch's folder in it, or the journals in that."""
        if on.is_there(f"{folder}/{files.FOLDER}"):
            folder = f"{folder}/{files.FOLDER}"
        is_whole = on.is_there(f"{folder}/{files.MEMORY}") or posixpath.basename(folder) == files.FOLDER
        prefix = "" if is_whole else f"{files.MEMORY}/"
        project = folder.removesuffix(f"/{files.MEMORY}").removesuffix(f"/{files.FOLDER}")
        settings = (f"{on.home}/{files.FOLDER}/config.toml", f"{project}/{files.FOLDER}.toml")  # they may leave files out
        return [Opened(folder, prefix, beside=settings)]

    def enters(self, path: str) -> bool:
        """Everything below the journals that is not hidden; no skill candidates."""
        return visible(path) and path.split("/")[0] == files.MEMORY

    def wants(self, path: str) -> bool:
        """What memsearch would index, and the files next to the journals."""
        if path in (_PROJECT, _USER, _LIBRARY):
            return True
        name = path.rpartition("/")[2]
        is_read = files.place(path.partition("/")[2]) is not None or name.endswith(_IGNORE)
        return is_read and path.startswith(f"{files.MEMORY}/")

    def claims(self, paths: list[str]) -> bool:
        """Whether there is a journal or one of the other files."""
        return any(not path.endswith(_IGNORE) for path in paths)

    def parse(self, source: Source) -> list[ImportItem]:
        """Parse the days in order, then the rest."""
        out: list[ImportItem] = []
        inside = {path.partition("/")[2]: raw for path, raw in source.files.items() if path.endswith(_IGNORE)}
        said = _indexing(source.beside) if source.beside else _Indexing()
        for path in sorted(source.files, key=lambda path: (not _is_day(path), path)):
            if path.endswith(_IGNORE):
                continue
            if path.startswith(f"{files.MEMORY}/") and _is_left_out(path.partition("/")[2], said, inside):
                out.append(
                    ImportItem(path, Role.NOTE, stem_of(path.partition("/")[2]), "", skip="memsearch's settings leave it out")
                )
                continue
            text, problem = text_of(source.files[path])
            if not trim(text):
                out.append(ImportItem(path, Role.NOTE, stem_of(path), text, skip="it is empty"))
            elif _is_day(path):
                out += _day(path, text, problem)
            elif path == _USER:
                out += of_person(path, text, problem, "memsearch-user")
            else:
                stem = {_PROJECT: "memsearch-project", _LIBRARY: "memsearch-memory"}.get(path)
                name = stem or stem_of(posixpath.splitext(posixpath.basename(path))[0])
                out.append(ImportItem(path, Role.NOTE, name, text, doubts=problem + hazards(text)))
                out += _next_steps(text, problem) if path == _PROJECT else ()
        return out

    def spots(self, wish: Wish) -> dict[str, Spot]:
        """The journals' folder; a path may name that, its parent, or the project."""
        named = wish.env.get("MEMSEARCH_DIR")
        path = wish.path.rstrip("/") or (posixpath.join(wish.folder or wish.home, named) if named else wish.folder)
        if not path:
            return {}
        if (not wish.path and not named) or wish.is_there(f"{path}/{files.FOLDER}"):
            path = posixpath.join(path, files.FOLDER)
        is_around = posixpath.basename(path) == files.FOLDER or (named and not wish.path) or wish.is_there(f"{path}/{files.MEMORY}")
        return {MAIN: Spot(self.name, posixpath.join(path, files.MEMORY) if is_around else path)}

    def came_from(self, file: str) -> CameFrom | None:
        """Journals and files below them; files outside are replaced by memsearch's own tasks, so they are not written."""
        inside = file.removeprefix(f"{files.MEMORY}/")
        return CameFrom(MAIN, inside) if inside != file else None

    def out(self, ours: Ours, wish: Wish, trees: Mapping[str, Tree]) -> list[Outgoing]:
        """Export logs, notes, tasks and facts."""
        out: list[Outgoing] = []
        days = {entry.name for entry in trees[MAIN].entries("", is_log_name)} | {f"{log.name}.md" for log in ours.logs}
        shown = sorted(days)[-_SHOWN_DAYS:]
        for log in ours.logs:
            out += [_entry(log, entry, f"{log.name}.md" in shown) for entry in day_entries(log.text)]
        facts, tasks = ours.name_of("memory"), ours.name_of("scratchpad")
        wanted = [(facts, facts), (tasks, tasks), *((held.source, held.name) for held in ours.notes)]
        names = distinct(wanted)
        out += [Outgoing(held.source, held.text, Role.NOTE, names[held.source]) for held in ours.notes]
        if ours.tasks is not None:
            losses = ("memsearch knows no tasks: they are text there.",)
            out.append(Outgoing(ours.tasks.source, ours.tasks.text, Role.NOTE, tasks, adds_lines=True, losses=losses))
        if ours.facts is not None:
            losses = ("memsearch finds them by search, in this project only.",)
            out.append(Outgoing(ours.facts.source, ours.facts.text, Role.NOTE, facts, adds_lines=True, losses=losses))
        return out


class _Indexing(NamedTuple):
    """Patterns of excluded paths, and the names of ignore files."""

    exclude: tuple[str, ...] = ()
    ignore_files: tuple[str, ...] = ()


def _indexing(documents: Sequence[bytes]) -> _Indexing:
    """The settings in these documents, later ones with priority; unreadable ones are skipped."""
    import tomllib  # deferred: 9 ms, only needed for a memory with settings

    found = _Indexing()
    for raw in documents:
        try:
            said = tomllib.loads(raw.decode()).get("indexing", {})
        except (ValueError, RecursionError):  # invalid TOML or UTF-8, too large numbers or too deep nesting
            continue
        if isinstance(said, dict):
            found = _Indexing(*(_texts(said[key]) if key in said else known for key, known in found._asdict().items()))
    return found


def _is_left_out(path: str, said: _Indexing, ignore_files: Mapping[str, bytes]) -> bool:
    """Whether a file, by its path in the journals' folder, or one of its parent folders is excluded."""
    rules: list[ignore_rules.Rule] = []
    parts = path.split("/")
    for below in ("/".join(parts[:depth]) for depth in range(len(parts))):
        for name in said.ignore_files:
            raw = ignore_files.get(posixpath.join(below, name))
            rules += ignore_rules.parse(raw.decode("utf-8", "replace"), below) if raw is not None else ()
    return files.is_out(path, [*rules, *ignore_rules.parse("\n".join(said.exclude), "")])


def _texts(value: object) -> tuple[str, ...]:
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()


def _is_day(path: str) -> bool:
    return path.startswith(f"{files.MEMORY}/") and is_log_name(path.rpartition("/")[2])


def _day(path: str, text: str, problem: tuple[Notice, ...]) -> Iterator[ImportItem]:
    """The entries of a day; a day with only placeholders counts as empty."""
    date = path.rpartition("/")[2].removesuffix(".md")
    count = 0
    for number, heading, lines in _entries(text, date):
        head = [line for line in lines if files.ANCHOR.match(line)]
        kept = [line for line in lines if not (files.ANCHOR.match(line) or _NO_SUMMARY.match(line) or _OURS.match(line))]
        body = "\n".join(kept).strip("\n")
        if not trim(body):
            continue
        count += 1
        says = f"\n{heading}\n{body}\n" if heading else f"\n{body}\n"
        doubts = problem + hazards(body)
        yield ImportItem(f"{path}:{number}", Role.LOG, date, says, doubts=doubts, head="\n".join(head))
    if not count:
        yield ImportItem(path, Role.LOG, date, text, skip="its sessions hold no text")


def _entries(text: str, date: str) -> Iterator[tuple[int, str, list[str]]]:
    """The parts of a day: (1-based first line, heading to use, lines)."""
    start, heading = 1, ""
    held: list[str] = []
    for number, line, outside in outside_code(raw_lines(text)):
        if outside and (found := _TIME.match(line) or _SESSION.match(line)):
            yield start, heading, held
            start, heading, held = number + 1, f"### {found[1]} — memsearch" if found[1] else "", []
        elif outside and _SECTION.match(line):
            yield start, heading, held
            start, heading, held = number + 1, "", [line]
        elif not (outside and trim(line) == f"# {date}"):
            held.append(line)
    yield start, heading, held


def _next_steps(text: str, problem: tuple[Notice, ...]) -> Iterator[ImportItem]:
    """The items below the heading "Next Steps" as checklist items, with their sub-items."""
    held: list[str] = []
    start, level = 0, 0
    for number, line, outside in [*outside_code(raw_lines(text)), (0, "# ", True)]:
        heading = _HEADING.match(line) if outside else None
        step = _STEP.match(line) if outside and level else None
        if held and (heading or step or not line.startswith((" ", "\t"))):
            doubts = (*problem, *hazards("\n".join(held)), _STEPS)
            yield ImportItem(f"{_PROJECT}#Next Steps:{start}", Role.CHECKLIST, "", "\n".join(held) + "\n", doubts=doubts)
            held = []
        if heading:
            is_steps = trim(heading[2]).casefold() == "next steps"
            level = len(heading[1]) if is_steps else 0 if len(heading[1]) <= level else level
        elif step:
            start, held = number + 1, [line if _BOX.match(line) else f"- [ ] {step[1]}"]
        elif held and trim(line):
            held.append(line)


def _entry(log: Held, entry: DayEntry, is_shown: bool) -> Outgoing:
    body = f"{entry.heading}\n\n{entry.body}".strip("\n") if entry.heading else entry.body
    mark = mark_of(log.name, entry.time, body)

    def join(now: bytes | None) -> bytes | None:
        if now is not None and f"zerostack:{mark} ".encode() in now:
            return None
        return exported(now, log.name, entry.time or _MIDNIGHT, body, mark)

    losses = ("Its heading becomes its first line.",) if entry.heading else ()
    source = log.spot(entry.line)
    return Outgoing(source, body, Role.LOG, log.name, join=join, losses=losses, in_prompt=is_shown)


def exported(raw: bytes | None, date: str, time: str, body: str, mark: str) -> bytes:
    """The day's journal with an entry of ours added: with session heading, and a comment that memsearch ignores.

    A new file begins with its date; a missing final line feed is added.
    """
    entry = f"\n## Session {time}\n\n### {time}\n<!-- zerostack:{mark} -->\n{body.strip()}\n"
    return appended_alike(raw or f"# {date}\n".encode(), entry.encode())


FORMAT: Final = MemsearchFormat
