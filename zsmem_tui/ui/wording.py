"""Values as words: sizes, ages, labels, reasons. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, assert_never

from zsmem_tui.config.locate import shortened
from zsmem_tui.core.catalog import Catalog, FileEntry, ProjectEntry
from zsmem_tui.core.errors import MemError
from zsmem_tui.core.layout import Layout, group_word, has_checklist, only_instructions
from zsmem_tui.core.moments import moment
from zsmem_tui.core.pattern import Pattern
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.search import SearchHit, SearchResults
from zsmem_tui.core.text import counted, of_cap, plural, printable_path
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service.searching import Scope
from zsmem_tui.service.watching import PromptUse
from zsmem_tui.ui import signs

if TYPE_CHECKING:
    from textual.screen import Screen

    from zsmem_tui.core.checks.finding import Finding, Fix
    from zsmem_tui.core.notice import Notice
    from zsmem_tui.core.version import Version
    from zsmem_tui.service.reviewing import Wipe
    from zsmem_tui.service.session import Session
    from zsmem_tui.ui.open_store import OpenStore

_FILE: Final = Pattern(r"(?<![\w/.~-])(?:[^\s/:“”'\"()]+/)+[^/\n]*?\.md(?!\w)")
"""A path of a memory file below some folder of a store, as sentences have it; none from the root or the home."""


def scope_name(scope: Scope, layout: Layout, *, several: bool = False, told: bool = False) -> str:
    """How much wider than in one memory is searched; with `several` agents, in theirs too; `told`: in the folder's instructions."""
    match scope:
        case Scope.AGENT:
            return ""
        case Scope.PROJECT:
            own = "with the scratchpad" if has_checklist(layout) else "what the agent does not search"
            return f"wider: {own}{' and instructions' if told else ''}"
        case Scope.FOLDER:
            return "wider: all agents"
        case Scope.ALL:
            return "wider: everything of all agents" if several else f"wider: all {group_word(layout)}s"
        case _:
            assert_never(scope)


def nothing_found(scope: Scope, layout: Layout, *, several: bool = False, told: bool = False, without: int | None = None) -> str:
    """What is said when nothing was found, and what may help.

    Of a search for whole words, `without` says how many files there are where parts of words count.
    """
    if without:
        wider = "" if scope is Scope.ALL else " F8 searches wider."
        return f"No file holds any as a word of its own. Without whole words (alt+w): {counted(without, 'file')}.{wider}"
    if scope is Scope.ALL:
        where = "of any agent" if several else f"in any {group_word(layout)}"
        return f"No file holds any of these words, {where}. Fewer letters find more: matching is letter for letter."
    also = "the scratchpad" if has_checklist(layout) else "what the agent does not search"
    far = "what all agents have of this folder, then everything" if several else f"all {group_word(layout)}s"
    return f"Nothing found here. F8 searches wider: {also}{' and the instructions here' if told else ''}, then {far}."


def refusal(error: MemError) -> str:
    """Why something was not done, and what helps."""
    return f"{error.message} {error.hint}".rstrip(" ")


def undoable(words: str, problem: str, key: str) -> str:
    """A result with the key that takes it back, or with the reason why nothing does."""
    if not problem:
        return f"{words} · {key}"
    from zsmem_tui.core.notice import Notice, NoticeKind, sentence  # with its sentences 4 ms, which the first frame can do without

    return f"{words.rstrip('.')}. {sentence(Notice(NoticeKind.UNDO_OFF, text=problem))}"


def is_typed(screen: Screen[Any]) -> bool:
    """Whether a letter is text where the focus of a screen is."""
    return screen.focused is not None and screen.focused.check_consume_key("u", "u")


def pressed(letter: str, typed: bool) -> str:
    """A letter that acts, and words behind it; where letters are `typed`, it does so after the way out."""
    return f"esc, then {letter}" if typed else letter


def fenced(rows: Iterable[str]) -> str:
    """These rows as a page shows them, whatever marks of Markdown are in them."""
    rows = list(rows)
    fence = "`" * max(3, 1 + max((len(run) for row in rows for run in re.findall("`+", row)), default=0))
    return "\n".join((fence, *rows, fence))


def size(count: int) -> str:
    """Bytes in at most five characters."""
    if count < 1000:
        return f"{count}B"
    for unit in "KMG":
        count_in_unit = count / 1024
        if count_in_unit < 9.95:
            return f"{count_in_unit:.1f}{unit}"
        if count_in_unit < 999.5:
            return f"{count_in_unit:.0f}{unit}"
        count = int(count_in_unit)
    return f"{count}T"


def age(then_ns: int, now_ns: int) -> str:
    """How long ago, in at most four characters; empty for never."""
    if not then_ns:
        return ""
    seconds = max(0, (now_ns - then_ns) // 10**9)
    for limit, unit, name in ((90, 1, "s"), (5400, 60, "m"), (129600, 3600, "h"), (5184000, 86400, "d"), (63072000, 2592000, "mo")):
        if seconds < limit:
            return "now" if name == "s" and seconds < 5 else f"{seconds // unit}{name}"
    return f"{seconds // 31536000}y"


def name_of(ref: MemRef) -> str:
    """What a file is called in the tree."""
    match ref.role:
        case Role.FACTS:
            return visible_line(printable_path(ref.path.rpartition("/")[2]))
        case Role.CHECKLIST:
            return "scratchpad"
        case _:
            return visible_line(printable_path(ref.name or ref.path.rpartition("/")[2]))


def kind_of(ref: MemRef) -> str:
    """The word that stands before the name of a log or a note; empty for a file whose name says what it is."""
    return {Role.LOG: "log ", Role.NOTE: "note "}.get(ref.role, "") if ref.role else ""


def folder_name(path: str) -> str:
    """A path as people write it, made visible."""
    return visible_line(printable_path(shortened(path)))


def title_of(ref: MemRef, session: Session) -> str:
    """What a file of a store is called where its group has to be told too, as the tree names that."""
    where = f"{visible_line(session.group_name(ref.project))} · " if ref.project else ""
    return f"{where}{kind_of(ref)}{name_of(ref)}"


def place_of(ref: MemRef, session: Session) -> str:
    """The same where the folder has to be told of what has no group, too: instructions are of the one that they lie in."""
    if ref.project or not only_instructions(session.layout):
        return title_of(ref, session)
    return f"{folder_name(session.root)} · {title_of(ref, session)}"


def place_name(path: str, session: Session) -> str:
    """What the tree calls a file of the store that lies below a folder of it; any other path as it is."""
    inside = path.removeprefix(f"{session.root}/")
    if "/" not in inside or inside.startswith(("/", "~")):
        return inside
    ref = session.ref_at(inside)
    return title_of(ref, session) if ref.project else inside


def with_titles(words: str, here: OpenStore, stores: Sequence[OpenStore]) -> str:
    """A sentence in which files of groups are called as the tree calls them: of a store that has the group, else of that in use."""

    def title(found: re.Match[str]) -> str:
        asked = [(store, store.session.ref_at(found[0])) for store in (here, *stores)]
        of_groups = [(store, ref) for store, ref in asked if ref.project]
        known = [each for each in of_groups if each[0].catalog is not None and each[0].catalog.project(each[1].project)]
        return next((title_of(ref, store.session) for store, ref in (*known, *of_groups)), found[0])

    return _FILE.sub(title, words) if "/" in words else words


def named_finding(finding: Notice, session: Session) -> Notice:
    """A finding whose sentence names its file so."""
    return replace(finding, place=place_name(finding.place, session))


def named_fault(fault: Finding, session: Session) -> Finding:
    """What the doctor found, for its words only: the files in them are named so. It has another id than the finding itself."""
    related = tuple(each._replace(path=place_name(each.path, session)) for each in fault.related)
    fix = None if fault.fix is None else _named_fix(fault.fix, session)
    return replace(fault, path=place_name(fault.path, session), related=related, fix=fix)


def _named_fix(fix: Fix, session: Session) -> Fix:
    if "{file}" in fix.says:
        fix = fix._replace(name=", ".join(place_name(each, session) for each in fix.name.split(", ")))
    return fix._replace(fits=session.group_name(fix.fits) if fix.fits else "")


def facts_of_project(project: ProjectEntry, now_ns: int, *, brief: bool = False) -> str:
    """Open items, size and last write of a project; in `brief` without the size."""
    if project.problem:
        return "! unreadable"
    if not project.files:
        return "empty"
    items = f"{signs.OPEN}{project.open_items} " if project.open_items else ""
    return f"{items}{'' if brief else f'{size(project.size):>5} '}{age(project.modified_ns, now_ns):>4}"


def facts_of_store(catalog: Catalog, now_ns: int) -> str:
    """Size and last write of all files of a store."""
    every = [*catalog.shared, *(entry for project in catalog.projects for entry in project.files)]
    return facts_of_files(every, now_ns) if every else "empty"


def facts_of_files(entries: Sequence[FileEntry], now_ns: int) -> str:
    """Size and last write of several files."""
    latest = max(entry.modified_ns for entry in entries)
    return f"{size(sum(entry.size for entry in entries)):>5} {age(latest, now_ns):>4}"


def facts_of_file(entry: FileEntry, now_ns: int) -> str:
    """Size and last write of a file, or that it cannot be read, or is not there."""
    if entry.missing:
        return "! not there"
    if entry.problem:
        return "! unreadable"
    return f"{size(entry.size):>5} {age(entry.modified_ns, now_ns):>4}"


def counts(catalog: Catalog, noun: str) -> str:
    """How much there is in a store; what its groups are is told by `noun`."""
    groups = len(catalog.projects)
    files = counted(catalog.file_count, "file")
    return f"{counted(groups, noun)} · {files}" if groups or noun == "project" else files


def counts_of(stores: Sequence[tuple[Catalog, str]]) -> str:
    """How much there is in several stores, each with what its groups are."""
    if len(stores) == 1:
        return counts(*stores[0])
    return f"{len(stores)} memories · {counted(sum(catalog.file_count for catalog, _ in stores), 'file')}" if stores else ""


def change(
    changed: Collection[MemRef], opened: MemRef | None, session: Session, before: Collection[MemRef], after: Collection[MemRef]
) -> str:
    """What was written by others, the open file aside, where these files were and are there; empty when nothing else was."""
    others = sorted(ref for ref in changed if ref != opened)
    if not others:
        return ""
    news = {"is new" if ref not in before else "changed" if ref in after else "was deleted" for ref in others}
    if len(others) == 1:
        return f"{title_of(others[0], session)} {news.pop()} on disk."
    return f"{len(others)} files {' or '.join(sorted(news)).replace('is ', 'are ').replace('was ', 'were ')} on disk."


def reloaded(ref: MemRef, session: Session, added: int, removed: int, *, gone: bool) -> str:
    """What became of the open file, of which so many lines were `added` and `removed`."""
    if gone:
        return f"{title_of(ref, session)} is gone."
    return f"Reloaded {title_of(ref, session)}, +{added} -{removed}."


def prompt(use: PromptUse | None) -> str:
    """How much of the prompt memory takes, and what file is left out of it; as a share, and whether it is cut, is on the strip."""
    if use is None or use.is_empty:
        return "nothing in the prompt" if use else "prompt unknown [4]"
    out = f" ! {visible_line(printable_path(use.left_out))} left out" if use.left_out else ""
    is_bytes = use.unit == "bytes" and not use.of
    taken = f"{size(use.used)} of {size(use.cap)}" if is_bytes else visible_line(of_cap(use.used, use.cap, use.unit, use.of))
    return f"prompt {taken}{out}"


def prompt_in(store: OpenStore, project: str) -> str:
    """The same of a project's prompt, or where prompts are made of its store instead; empty until that is known."""
    use, layout = store.prompts.get(project), store.session.layout
    if use is not None and use.is_empty and not layout.has_prompt(project):
        if only_instructions(layout):
            return "in the prompt of each agent that reads them"
        if any(layout.has_prompt(each.slug) for each in (store.catalog.projects if store.catalog else ())):
            return f"a prompt for each {group_word(layout)} [4]"
    return prompt(use) if project in store.prompts else ""


def summary(results: SearchResults) -> list[tuple[str, int]]:
    """The terms with their counts, made visible."""
    return [(visible_line(term), count) for term, count in results.terms]


def reason(hit: SearchHit, terms: int) -> str:
    """Why a hit ranks where it does, in the order in which the rules decide (specification, section 6).

    Of a single term, every hit has all there are: that is not said.
    """
    matched = len(hit.matched_terms)
    parts = [f"{visible_line(hit.file.name)} first"] if hit.is_memory_md else []
    parts += [f"{matched} of {terms} terms"] if terms > 1 else []
    parts.append("name only" if hit.filename_only else f"{hit.total_hits} {plural('line', hit.total_hits)}")
    if hit.date:
        parts.append(f"dated {visible_line(hit.date)}")
    return " · ".join(parts)


def name_in(ref: MemRef, session: Session, project: str = "") -> str:
    """A file's name as seen from `project` (default: the session's): with its group when it is of another one."""
    own = ("", project or session.project)
    return title_of(ref, session) if ref.project not in own else f"{kind_of(ref)}{name_of(ref)}"


_AGES: Final = ((1, "Today"), (7, "This week"), (30, "This month"), (90, "One to three months"), (1 << 40, "Older"))
_UNKNOWN: Final = "Nobody knows since when"

AGE_GROUPS: Final = (*(name for _, name in _AGES), _UNKNOWN)
"""What groups by age are called, the youngest first."""


def age_group(then_ns: int, now_ns: int) -> str:
    """The group of what is so old."""
    days = (now_ns - then_ns) / (86_400 * 10**9)
    return next(name for limit, name in _AGES if days < limit) if then_ns else _UNKNOWN


def ago(then_ns: int, now_ns: int) -> str:
    """How long ago, as people say it."""
    found = age(then_ns, now_ns)
    return "now" if found in ("", "now") else f"{found} ago"


WIDER: Final = "w shows all memories"
"""What is said where a list of one memory has nothing to show."""


def to_review(here: int, elsewhere: int = 0) -> str:
    """How many files others changed, in this memory and in others; empty for none."""
    parts = [f"{here} to review"] if here else []
    parts += [f"{elsewhere} in other memories"] if elsewhere else []
    return f"{signs.OTHERS} {', '.join(parts)} [5]" if parts else ""


def banner(wipes: Sequence[Wipe], session: Session, problem: str, typed: bool = False) -> str:
    """What is said over everything for as long as it is so: that texts of a store are gone, else why undo is off.

    `typed` says that letters are text where the person is.
    """
    if not wipes:
        return visible_line(f"! Undo and history are off. {problem}") if problem else ""
    more = f" (and {len(wipes) - 1} more)" if len(wipes) > 1 else ""
    lines, title = wipes[0].lines, title_of(wipes[0].ref, session)
    who = f" to {', '.join(wipes[0].agents)}" if wipes[0].agents else ""
    keys = f"{pressed('W', typed)} brings them back · {'F3' if typed else '5'} shows what happened"
    return visible_line(f"! {title} lost {lines} {plural('line', lines)}{who}{more} · {keys}")


def to_decide(here: int, elsewhere: int = 0, *, more: bool = False) -> str:
    """How many findings there are in this memory and in others, or with `more` are so far; empty for none."""
    parts = [f"{here}{'+' if more else ''} found"] if here else []
    parts += [f"{elsewhere} in other memories"] if elsewhere else []
    return f"! {', '.join(parts)} [8]" if parts else ""


def row_mark(sign: str, waiting: int, *, count: bool = True) -> str:
    """What stands before a row of the tree that something waits in, with `count` how much; empty for nothing."""
    return f"{sign}{waiting if count else ''} " if waiting else ""


def with_findings(marks: str, lines: Collection[int]) -> str:
    """The marks of a text, with a sign at lines that something was found in; what is lost stays the mark of a line."""
    if not lines:
        return marks
    padded = marks.ljust(max(lines) + 1)
    return "".join(
        signs.LOOK if place in lines and each not in f"{signs.LOST}{signs.CUT}" else each for place, each in enumerate(padded)
    )


def nobody_since(last: Version | None, now_ns: int) -> str:
    """When somebody else wrote last, as the second sentence of one that says that nothing waits."""
    return f" Nobody else has written since {_moment(last.when, now_ns)}." if last else " Nobody else has written yet."


def _moment(then_ns: int, now_ns: int) -> str:
    """A moment on the local clock: its time alone on the same day, so that it reads after "since" as no length of time does."""
    then, now = (moment(each / 10**9) for each in (then_ns, now_ns))
    return then.strftime("%H:%M" if then.date() == now.date() else "%Y-%m-%d %H:%M")
