"""Text and rows for projects and plans to move them. Pure functions."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from rich.cells import chop_cells

from zsmem_tui.core.catalog import ProjectEntry
from zsmem_tui.core.fold import holds, terms_of
from zsmem_tui.core.layout import Layout, makes_project, only_instructions
from zsmem_tui.core.project_folders import State
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service.plan import Fate, Row
from zsmem_tui.service.projects.known import KnownProject
from zsmem_tui.service.projects.naming import NamingResult
from zsmem_tui.ui import signs
from zsmem_tui.ui.open_store import AWAY, FAMILY, GONE
from zsmem_tui.ui.plans import MARKS, Draft
from zsmem_tui.ui.widgets.row_lines import wrapped
from zsmem_tui.ui.widgets.row_list import ListRow
from zsmem_tui.ui.wording import age, ago, fenced, folder_name, size

WHICH: Final = ("all", "moved", "gone", "unknown", "of one repository", "here")
ORDERS: Final = ("state", "name", "last write", "size", "open items", "last session")

_MARKS: Final[dict[State | None, str]] = {**AWAY, State.HERE: "", State.UNKNOWN: f"{signs.UNSURE} ", None: ""}
"""The mark before a project's name, by the state of its folder."""

_GROUPS: Final[dict[State | None, str]] = {
    State.MOVED: f"{signs.MOVED} Moved: A follows",
    State.MAYBE: f"{signs.MAYBE} Perhaps moved or renamed",
    State.GONE: f"{GONE}Gone",
    State.UNKNOWN: f"{signs.UNSURE} Folder unknown",
    State.HERE: "Here",
    None: "Of no folder",
}
_LOOKS: Final = f"{GONE}Gone, or moved: still looking"
_OFFERED: Final[dict[State | None, str]] = {
    State.HERE: "",
    State.MOVED: "A takes its memory there.",
    State.MAYBE: "A shows what would go there, and does it.",
    State.GONE: "d archives it, m gives it another folder, r a name; it may also just stay.",
    State.UNKNOWN: "m gives it a folder, r a name, d archives it; S looks for its folder.",
    None: "",
}
_STATE_WORDS: Final[dict[State | None, str]] = {**{state: state.value for state in State}, State.MAYBE: "perhaps", None: "-"}
_FATES: Final = {
    Fate.MOVED: "",
    Fate.MERGED: "merged into what is there",
    Fate.ONCE: "there already: once is enough",
    Fate.BESIDE: "another text has its name: kept beside it",
}
MOST_FILES: Final = 200
"""Maximum number of a plan's files listed in the details."""

_PAGE_WIDTH: Final = 70
"""Width of the page about a project, which is not wrapped further, so that paths stay whole."""
_PROBLEM: Final = "\0problem "
_ROOM_FOR_SESSIONS: Final = 60
"""Width from which there is a column for the last session."""
_ROOM_FOR_ITEMS: Final = 34


class ProjectRow(NamedTuple):
    """A project in the list: its contents, its folder, the last session there (0: unknown), and whether that is looked for."""

    entry: ProjectEntry
    known: KnownProject
    session_ns: int = 0
    is_sought: bool = False

    @property
    def slug(self) -> str:
        """The slug."""
        return self.known.slug

    @property
    def state(self) -> State | None:
        """The state of its folder; None for memory that is of none by its agent's design."""
        return self.known.verdict.state if self.known.of_folder else None


def arranged(rows: Sequence[ProjectRow], *, which: str, order: str, wanted: str) -> list[str]:
    """The keys to show, filtered and sorted; by state, with headings that begin with a NUL."""
    terms = terms_of(wanted)
    shown = [row for row in rows if _is_wanted(row, which) and holds(_searched(row), terms)]
    if order != "state":
        return ["\0head", *(row.slug for row in sorted(shown, key=_sort_key(order)))] if shown else []
    out: list[str] = []
    families = sorted({row.known.verdict.family for row in shown} - {""})
    for state in (State.MOVED, State.MAYBE, State.GONE, State.UNKNOWN, None):
        own = [row for row in shown if row.state is state]
        out += _with_heading(f"\0{state or ''}", own)
    for family in families:
        out += _with_heading(f"\0family {family}", [row for row in shown if row.known.verdict.family == family])
    return out + _with_heading("\0here", [row for row in shown if row.state is State.HERE and not row.known.verdict.family])


def problem_keys(problems: Iterable[str], width: int) -> list[str]:
    """The keys of rows with problems, wrapped to the width."""
    room = max(width - 4, 8)
    words = [" ".join("\n".join(chop_cells(word, room)) for word in visible_line(each).split(" ")) for each in problems]
    rows = [wrapped(each, room) for each in words]
    return [f"{_PROBLEM}{'  ' if number else '! '}{text}" for each in rows for number, text in enumerate(each)]


def row(key: str, every: Mapping[str, ProjectRow], now_ns: int, width: int, order: str, own: str) -> ListRow:
    """Render a project, a heading or a problem."""
    if key.startswith(_PROBLEM):
        return ListRow([(key.removeprefix(_PROBLEM), "warn")], heading=True)
    width = width if any(each.session_ns for each in every.values()) else min(width, _ROOM_FOR_SESSIONS - 1)
    if key.startswith("\0"):
        return _heading(key.removeprefix("\0"), every, width, order)
    return _project(every[key], now_ns, width, order, own)


def _heading(name: str, every: Mapping[str, ProjectRow], width: int, order: str) -> ListRow:
    """Render the heading of a group, with column titles."""
    if name.startswith("family "):
        family = name.removeprefix("family ")
        members = [each.known for each in every.values() if each.known.verdict.family == family]
        named = min(members, key=lambda each: (len(each.verdict.folder), each.slug), default=None)
        title = f"{FAMILY}One repository{f': {named.label}' if named else ''}"
    else:
        title = "Projects" if name == "head" else _GROUPS[State(name) if name else None]
        title = _LOOKS if name == State.GONE and any(each.is_sought for each in every.values()) else title
    return ListRow([(title, "head")], _columns("open", "size", "write", "agent", width, "" if order == "state" else "folder"), True)


def _project(row: ProjectRow, now_ns: int, width: int, order: str, own: str) -> ListRow:
    """Render a project: mark and name, and as there is room, items, size, last write, last session."""
    verdict, entry = row.known.verdict, row.entry
    mark = _MARKS[row.state] or (FAMILY if verdict.family else "  ")
    here = f"{signs.HERE} " if row.slug == own else ""
    items = str(entry.open_items) if entry.open_items else ""
    state = "" if order == "state" else _STATE_WORDS[row.state]
    facts = _columns(items, size(entry.size), age(entry.modified_ns, now_ns), age(row.session_ns, now_ns), width, state)
    if entry.problem:
        facts = "! unreadable"
    where = f"  {folder_name(os.path.dirname(verdict.moved_to or verdict.folder))}" if verdict.folder and width >= 40 else ""
    return ListRow([(mark, "mark"), (f"{here}{row.known.label}", "text"), (where, "quiet")], facts)


def _columns(items: str, held: str, written: str, session: str, width: int, state: str) -> str:
    columns = [f"{held:>5}", f"{written:>5}"]
    if width >= _ROOM_FOR_ITEMS:
        columns.insert(0, f"{items:>4}")
        if state:
            columns.insert(0, f"{state:<7}")
    if width >= _ROOM_FOR_SESSIONS:
        columns.append(f"{session:>5}")
    return " ".join(columns)


def title(way: Mapping[str, str], shown: int, every: int, agent: str = "") -> str:
    """The title of the list; with several agents, it names the `agent` whose projects they are."""
    of = f" of {agent}" if agent else ""
    return f"Projects{of} · {way['which']} · by {way['order']} · {f'{shown} of ' if shown != every else ''}{every}"


def nothing(every: int, which: str, wanted: str, layout: Layout) -> str:
    """The text for an empty list."""
    if not every:
        first = makes_project(layout)
        is_ours = layout.projects_folder or layout.group_named_after("/")  # else its agent alone gives a folder its project
        how = f"The first {first} of one makes it; so does a in the tree (1)." if is_ours else f"{layout.title} itself begins one."
        keeps = f"{'Instructions keep' if only_instructions(layout) else f'{layout.title} keeps'} no memory by project"
        return f"There is no project in this store yet. {how}" if first else f"{keeps}: there is nothing to bring in order here."
    if wanted:
        return f"No project has {wanted!r} in its name or folder. esc shows all."
    return f"No {'two projects are' if which == 'of one repository' else 'project is'} {which}. f shows others."


def about(
    rows: Sequence[ProjectRow], every: Mapping[str, ProjectRow], now_ns: int, would: Sequence[tuple[str, str]] = ()
) -> list[tuple[str, str]]:
    """The details of the chosen projects as (text, style); `would` is what would move."""
    if not rows:
        return []
    if len(rows) > 1:
        files = sum(len(row.entry.files) for row in rows)
        held = size(sum(row.entry.size for row in rows))
        head = f"{counted(len(rows), 'project')} marked: {counted(files, 'file')}, {held}\n"
        every_one = [(f"{_MARKS[row.state] or '  '}{row.known.label}\n", "") for row in rows]
        return [(head, "bold"), *would, ("\n", ""), *every_one]
    row = rows[0]
    name = "" if row.known.label == row.slug else f"{row.known.label}  "
    kept = (f"kept in {folder_name(row.known.place)}\n", "$text-muted")
    return [(name, "bold"), kept, *_reasons(row), *would, *_contents(row, every, now_ns)]


def _reasons(row: ProjectRow) -> list[tuple[str, str]]:
    verdict = row.known.verdict
    offered = "It is still looked for." if row.is_sought and row.state is State.GONE else _OFFERED[row.state]
    out = [(f"{visible_line(verdict.why)} {offered}".rstrip(" ") + "\n", "")]
    return out + [(f"  {folder_name(path)}\n", "") for path in verdict.candidates]


def _contents(row: ProjectRow, every: Mapping[str, ProjectRow], now_ns: int) -> list[tuple[str, str]]:
    out = [(f"\n{_holdings(row.entry, row.session_ns, now_ns)}\n", "")]
    family = row.known.verdict.family
    members = [each for each in every.values() if family and each.known.verdict.family == family and each.slug != row.slug]
    if members:
        out.append(("\nOf the same repository, which M would merge:\n", "bold"))
        out += [(f"  {FAMILY}{each.known.label}  {folder_name(each.known.verdict.folder)}\n", "") for each in members]
    if row.known.came_from:
        out.append((f"\nIts memory came from {', '.join(row.known.came_from)}.\n", ""))
    return out


def would_move(planned: Sequence[Row], folders: Sequence[str], beside: Sequence[str] = ()) -> list[tuple[str, str]]:
    """What `A` would move, as (text, style); `beside` are notes on what stays."""
    target = folder_name(folders[0]) if len(folders) == 1 else counted(len(folders), "folder")
    out = [(f"\nA would move to the memory of {target}:\n", "bold")]
    several = len({each.store for each in planned}) > 1
    for each in planned[:MOST_FILES]:
        fate = f"  {_FATES[each.fate]}" if _FATES[each.fate] else ""
        out.append((f"  {each.agent if several else ''}{_inside(each.source)}{fate}\n", ""))
    if len(planned) > MOST_FILES:
        out.append((f"  and {len(planned) - MOST_FILES} more\n", "$text-muted"))
    return out + [(f"\n{visible_line(each)}\n", "$text-muted") for each in beside]


class MoveDraft(Draft):
    """A plan that moves files to other projects."""

    def draw_row(self, row: Row) -> ListRow:
        """Render a file: what happens to it, and its size."""
        held = next((len(edit.before or b"") for edit in self.plan.edits if (edit.session, edit.ref) == (row.store, row.file)), 0)
        agent = row.agent if len(self.plan.sessions) > 1 else ""
        return ListRow([(f"{MARKS[row.fate]} ", "mark"), (f"{agent}{_inside(row.source)}", "text")], f"{row.fate} {size(held)}")

    def row_words(self, row: Row) -> list[str]:
        """Where a file goes, and what happens if one is there already."""
        path, to = visible_line(printable_path(row.source)), visible_line(printable_path(row.ref.path))
        return [f"{path} goes to {to}.{f' {_FATES[row.fate].capitalize()}.' if _FATES[row.fate] else ''}"]


class ArchiveDraft(Draft):
    """A plan that archives projects."""

    @property
    def head(self) -> str:
        """What happens to the files."""
        where = "a bundle in the state folder, and leave the store: u or `zsmem import bundle` brings them back"
        return f"{counted(len(self.plan.rows), 'file')} go into {where}."


def about_page(row: ProjectRow, every: Mapping[str, ProjectRow], now_ns: int) -> str:
    """Everything known about a project as a page."""
    known = row.known
    facts = known.record.facts
    lines = [f"memory  {printable_path(known.place)}"]
    lines += [f"folder  {printable_path(known.verdict.folder)}"] if known.verdict.folder else []
    if known.verdict.moved_to:
        lines.append(f"now     {printable_path(known.verdict.moved_to)}")
    if facts is not None and facts.repository is not None:
        lines.append(f"git     {printable_path(facts.repository.common)}")
        lines += [f"remote  {printable_path(facts.repository.remote)}"] if facts.repository.remote else []
    said = "".join(text for text, _ in (*_reasons(row), *_contents(row, every, now_ns)))
    return f"{fenced([*map(visible_line, lines), '', *wrapped(said, _PAGE_WIDTH)])}\n"


def _inside(path: str) -> str:
    """A path without the project's folder."""
    return visible_line(printable_path(path.split("/", 2)[-1]))


def _holdings(entry: ProjectEntry, session_ns: int, now_ns: int) -> str:
    if entry.problem:
        return "What it holds cannot be read."
    held = [counted(len(entry.files), "file"), size(entry.size)]
    written = f"; written {ago(entry.modified_ns, now_ns)}" if entry.modified_ns else ""
    session = f"; last session {ago(session_ns, now_ns)}" if session_ns else ""
    items = f" {counted(entry.open_items, 'open item')} in it and its instructions." if entry.open_items else ""
    return f"It holds {', '.join(held)}{written}{session}.{items}"


def _is_wanted(row: ProjectRow, which: str) -> bool:
    match which:
        case "moved":
            return row.state in (State.MOVED, State.MAYBE)
        case "of one repository":
            return bool(row.known.verdict.family)
        case "all":
            return True
    return row.state == which


def _searched(row: ProjectRow) -> str:
    verdict = row.known.verdict
    return f"{row.known.label} {printable_path(' '.join((row.slug, verdict.folder, verdict.moved_to)))}"


def _with_heading(head: str, rows: Sequence[ProjectRow]) -> list[str]:
    return [head, *(row.slug for row in sorted(rows, key=_sort_key("name")))] if rows else []


def _sort_key(order: str) -> Callable[[ProjectRow], tuple[object, ...]]:
    def key(row: ProjectRow) -> tuple[object, ...]:
        name = row.known.label.lower(), row.slug
        first = {
            "last write": -row.entry.modified_ns,
            "size": -row.entry.size,
            "open items": -(row.entry.open_items or 0),
            "last session": -row.session_ns,
        }
        return (first.get(order, 0), *name)

    return key


def answer(row: ProjectRow) -> str:
    """A project as a target in a dialog."""
    verdict = row.known.verdict
    where = f"  {folder_name(verdict.folder)}" if verdict.folder else ""
    slug = "" if where or row.known.label == row.slug else f"  {visible_line(printable_path(row.slug))}"
    return f"{_MARKS[row.state] or (FAMILY if verdict.family else '')}{row.known.label}{where}{slug}"


def progress(far: NamingResult | None) -> str:
    """The progress of the search for folders."""
    if far is None:
        return "looking for their folders · S stops"
    return f"looking: {far.named} of {far.memories} known, {far.folders:,} folders · S stops"
