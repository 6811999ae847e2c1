"""Text for values: sizes, ages, titles, reasons. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, assert_never

from rich.cells import cell_len

from zsmem_tui.config.locate import shortened
from zsmem_tui.core.catalog import Catalog, FileEntry, ProjectEntry
from zsmem_tui.core.errors import MemError
from zsmem_tui.core.layout import Layout, group_word, has_checklist, only_instructions
from zsmem_tui.core.pattern import Pattern
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.search import SearchHit
from zsmem_tui.core.text import clipped, counted, printable_path
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import titles
from zsmem_tui.service.searching import Scope
from zsmem_tui.service.titles import kind_of as kind_of
from zsmem_tui.service.titles import name_of as name_of
from zsmem_tui.service.titles import title_of as title_of
from zsmem_tui.service.watching import PromptUse
from zsmem_tui.ui import signs

if TYPE_CHECKING:
    from textual.screen import Screen

    from zsmem_tui.core.checks.finding import Finding
    from zsmem_tui.core.notice import Notice
    from zsmem_tui.service.reviewing import Wipe
    from zsmem_tui.service.session import Session
    from zsmem_tui.ui.open_store import OpenStore


def scope_name(scope: Scope, layout: Layout, *, several: bool = False, told: bool = False) -> str:
    """The scope of a search in words. `several`: there are several agents; `told`: instructions of the folder are included."""
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


def refusal(error: MemError) -> str:
    """The message of an error with its hint, each a sentence."""
    ends = "" if not error.hint or error.message.endswith((".", "!", "?", ":")) else "."
    return f"{error.message}{ends} {error.hint}".rstrip(" ")


_SENTENCE = Pattern(r"(?:“[^”]*”|[^“.]|\.(?! ))+(?=\. )")
"""Matches the first of several sentences, whatever stands in its quotations."""


def undoable(words: str, problem: str, key: str) -> str:
    """A result with the key that undoes it, in a long one behind the first sentence, or with the reason why undo is off."""
    if not problem:
        end = _SENTENCE.match(words) if len(words) > ROW_CELLS else None
        first = end.group() if end else words
        return f"{first.rstrip('.')} · {key}{words[len(first) :]}"
    from zsmem_tui.core.notice import Notice, NoticeKind, sentence  # deferred: 4 ms, not needed for the first frame

    return f"{words.rstrip('.')}. {sentence(Notice(NoticeKind.UNDO_OFF, text=problem))}"


def is_typed(screen: Screen[Any]) -> bool:
    """Whether a letter key would be typed into the focused widget."""
    return screen.focused is not None and screen.focused.check_consume_key("u", "u")


def pressed(key: str, typed: bool) -> str:
    """A key in words; where letters are `typed`, `esc` comes before it."""
    return f"esc, then {key}" if typed else key


BELOW: Final = " › "
"""Between a file and the headings below it."""
_NAME_CELLS: Final = 18  # of a name in the banner
ROW_CELLS: Final = 76  # of a message at 80 columns


def short_path(words: str, width: int) -> str:
    """A file with the headings below it, in a width; the first of the headings give way."""
    first, *rest = words.split(BELOW)
    while cell_len(words) > width > 0 and rest[1:]:
        del rest[0]
        words = BELOW.join((first, "…", *rest))
    return words


def fenced(rows: Iterable[str]) -> str:
    """The rows as a Markdown code block, with a fence longer than any in them."""
    rows = list(rows)
    fence = "`" * max(3, 1 + max((len(run) for row in rows for run in re.findall("`+", row)), default=0))
    return "\n".join((fence, *rows, fence))


def size(count: int) -> str:
    """A number of bytes in at most five characters."""
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


def part_of(count: int, whole: int, said: Callable[[int], str] = size) -> str:
    """A number of bytes out of a whole; one with room left is rounded down rather than to the whole."""
    full = said(whole)
    while (words := said(count)) == full and count < whole:
        count -= max(whole // 1000, 1)
    return words


def age(then_ns: int, now_ns: int) -> str:
    """The time since `then_ns` in at most four characters, "now" for less than a minute; empty if that is 0."""
    if not then_ns:
        return ""
    seconds = max(0, (now_ns - then_ns) // 10**9)
    for limit, unit, name in ((5400, 60, "m"), (129600, 3600, "h"), (5184000, 86400, "d"), (63072000, 2592000, "mo")):
        if seconds < limit:
            return f"{seconds // unit}{name}" if seconds >= 60 else "now"
    return f"{seconds // 31536000}y"


def folder_name(path: str) -> str:
    """A path shortened to `~` and made printable."""
    return visible_line(printable_path(shortened(path)))


def place_name(path: str, session: Session) -> str:
    """The title for a path in the store; others are named as on every screen, with `~` for the home folder."""
    inside = path.removeprefix(f"{session.root}/")
    return shortened(inside) if inside.startswith(("/", "~")) else title_of(session.ref_at(inside), session)


def with_titles(words: str, here: OpenStore, stores: Sequence[OpenStore]) -> str:
    """Replace paths of files in a sentence by titles, looking them up in `here` first, then in `stores`."""
    of = {store.session: store.catalog for store in (here, *stores)}
    return titles.in_words(words, list(of), lambda session, ref: bool((own := of[session]) and own.project(ref.project)))


def named_finding(finding: Notice, session: Session) -> Notice:
    """A finding with its place replaced by the title."""
    return replace(finding, place=place_name(finding.place, session))


def named_fault(fault: Finding, session: Session) -> Finding:
    """A doctor's finding with all paths replaced by titles. For display only, since its id differs from the original's."""
    related = tuple(each._replace(path=place_name(each.path, session)) for each in fault.related)
    fix = fault.fix
    if fix is not None:
        name = ", ".join(place_name(each, session) for each in fix.name.split(", ")) if "{file}" in fix.says else fix.name
        fix = fix._replace(name=name, fits=session.group_name(fix.fits) if fix.fits else "")
    return replace(fault, path=place_name(fault.path, session), related=related, fix=fix)


def facts_of_project(project: ProjectEntry, now_ns: int, *, brief: bool = False) -> str:
    """A project's open items, size and last change; with `brief` without the size."""
    if project.problem:
        return "! unreadable"
    if not project.files:
        return "empty"
    items = f"{signs.OPEN}{project.open_items:,} " if project.open_items else ""
    return f"{items}{'' if brief else f'{size(project.size):>5} '}{age(project.modified_ns, now_ns):>4}"


def facts_of_store(catalog: Catalog, now_ns: int, wipes: Sequence[Wipe] = ()) -> str:
    """The size and last change of all files of a store, or why there are none; `wipes` are those of the store."""
    every = [*catalog.shared, *(entry for project in catalog.projects for entry in project.files)]
    none = "empty" if not catalog.problem else "! gone" if any(each.gone == "" for each in wipes) else "! unreadable"
    return facts_of_files(every, now_ns) if every else none


def facts_of_files(entries: Sequence[FileEntry], now_ns: int) -> str:
    """The size and last change of several files."""
    latest = max(entry.modified_ns for entry in entries)
    return f"{size(sum(entry.size for entry in entries)):>5} {age(latest, now_ns):>4}"


def facts_of_file(entry: FileEntry, now_ns: int) -> str:
    """The size and last change of a file, or why there is none."""
    if entry.missing:
        return "! not there"
    if entry.problem:
        return "! link out" if entry.is_out else "! unreadable"
    return f"{'link ' if entry.is_link else ''}{size(entry.size):>5} {age(entry.modified_ns, now_ns):>4}"


def counts_of(stores: Sequence[Session], catalogs: Sequence[Catalog]) -> str:
    """The numbers for several stores with their catalogs, of readable ones; instructions are no memory, but rows of the tree."""
    files = counted(sum(catalog.file_count for catalog in catalogs), "file") if catalogs else ""
    if len(stores) == 1:
        groups, noun = len(catalogs[0].projects), group_word(stores[0].layout)
        return f"{counted(groups, noun)} · {files}" if groups or noun == "project" else files
    agents = [its for its, held in zip(stores, catalogs, strict=True) if not only_instructions(its.layout) and not held.problem]
    return f"{len(agents)} memories · {files}" if agents[1:] else files


def change(
    changed: Collection[MemRef], opened: MemRef | None, session: Session, before: Collection[MemRef], after: Collection[MemRef]
) -> str:
    """A sentence on which files others changed, apart from the open one; `before` and `after` are all files then and now."""
    others = sorted(ref for ref in changed if ref != opened)
    if not others:
        return ""
    news = {"was deleted" if ref not in after else "changed" if ref in before else "is new" for ref in others}
    if len(others) == 1:
        return f"{title_of(others[0], session)} {news.pop()} on disk."
    word = news.pop().replace("is ", "are ").replace("was ", "were ") if len(news) == 1 else "differ"
    return f"{len(others):,} files {word} on disk."


def hidden(before: Catalog, after: Catalog) -> str:
    """A sentence on a folder that cannot be read since `before`, or can be again; empty if there is none."""
    gone, back = ([each for each in one.hidden if each not in other.hidden] for one, other in ((after, before), (before, after)))
    if gone:
        return f"{gone[0]}. Its files are unknown, not deleted."
    return f"{back[0].rpartition(': ')[0]} can be read again." if back else ""


def prompt(use: PromptUse | None) -> str:
    """How much of the prompt memory takes, and which file is lost; of what, where the share on the strip is of one file."""
    if use is None or use.is_empty:
        return f"prompt {use.instructed}" if use and use.instructed else "no memory in the prompt" if use else "prompt unknown [4]"
    out = f" ! {visible_line(printable_path(use.left_out))} lost" if use.left_out else ""
    is_bytes = use.unit == "bytes" and not use.of
    used, cap = (part_of(use.used, use.cap), size(use.cap)) if is_bytes else (f"{use.used:,}", f"{use.cap:,}")
    unit = "" if is_bytes else f" {use.unit}"
    fits = "fit" if use.of and use.unit == "bytes" else "loaded"  # of a file, whole lines are loaded: fewer bytes
    taken = f"{used}{unit}, {cap} {fits}" if 0 < use.cap < use.used else f"{used} of {cap}{unit}" if use.cap else f"{used}{unit}"
    share = f"{use.used * 100 // use.cap}%, " if use.cap else ""
    return f"prompt: {visible_line(use.of)} {share}{taken}{out}" if use.of else f"prompt {taken}{out}"


def prompt_in(store: OpenStore, project: str) -> str:
    """The text on a project's prompt; empty until it is known."""
    use, layout = store.prompts.get(project), store.session.layout
    if use is not None and use.is_empty and not layout.has_prompt(project):
        if only_instructions(layout):
            return "in the prompt of each agent that reads them"
        if any(layout.has_prompt(each.slug) for each in (store.catalog.projects if store.catalog else ())):
            return f"a prompt for each {group_word(layout)} [4]"
    return prompt(use) if project in store.prompts else ""


def reason(hit: SearchHit, terms: int) -> str:
    """Why a hit ranks where it does, in the order of the ranking rules (specification, section 6).

    With a single term, the number of matched terms is left out.
    """
    matched = len(hit.matched_terms)
    parts = [f"{visible_line(hit.file.name)} first"] if hit.is_memory_md else []
    parts += [f"{matched} of {terms} terms"] if terms > 1 else []
    parts += [counted(hit.total_hits, "line")] if not hit.filename_only else []  # the head of the hit says so
    if hit.date:
        parts.append(f"dated {visible_line(hit.date)}")
    return " · ".join(parts)


def name_in(ref: MemRef, session: Session, project: str = "") -> str:
    """A file's title; without its group if that is `project` (default: the session's)."""
    is_own = ref.project in ("", project or session.project) and not (session.is_elsewhere or only_instructions(session.layout))
    return f"{kind_of(ref)}{name_of(ref)}{titles.for_all(ref, session)}" if is_own else title_of(ref, session)


_AGES: Final = ((1, "Today"), (7, "This week"), (30, "This month"), (90, "One to three months"), (1 << 40, "Older"))
_UNKNOWN: Final = "Nobody knows since when"

AGE_GROUPS: Final = (*(name for _, name in _AGES), _UNKNOWN)
"""The names of the age groups, youngest first."""


def age_group(then_ns: int, now_ns: int) -> str:
    """The age group of a time."""
    days = (now_ns - then_ns) / (86_400 * 10**9)
    return next(name for limit, name in _AGES if days < limit) if then_ns else _UNKNOWN


def ago(then_ns: int, now_ns: int) -> str:
    """The time since `then_ns` in words."""
    found = age(then_ns, now_ns)
    return "now" if found in ("", "now") else f"{found} ago"


def in_several(names: Iterable[str]) -> str:
    """Why nothing was done with what lies in several memories of these names."""
    return f"These lie in {' and '.join(names)}, and this is done in one at a time. Mark those of one. Nothing was done."


WIDER: Final = "w shows all memories"
"""Shown if a list of one memory is empty."""


def to_review(count: int, *, more: bool = False) -> str:
    """The number of files to review in this memory; empty for none."""
    return f"{signs.OTHERS} {count:,}{signs.MORE * more} to review [5]" if count else ""


def banner(wipes: Sequence[Wipe], session: Session, problem: str, went: str, typed: bool = False) -> str:
    """The warning above all screens: that others wiped text, or why undo is off; empty for neither.

    `went`: where the folder is now, if it was renamed. `typed`: letters are typed into the focused widget, so other keys are named.
    """
    if not wipes:
        return visible_line(f"! Undo and history are off. {problem}") if problem else ""
    from zsmem_tui.service.reviewing import gone_words, lost_of  # deferred: the history, needed only for a wipe

    several = lost_of(session, wipes), counted(len(wipes), "file")
    title, name = title_of(wipes[0].ref, session), f"{kind_of(wipes[0].ref)}{name_of(wipes[0].ref)}"
    if are_only_deleted(wipes):
        end = f"deleted by {', '.join(wipes[0].agents) or 'another program'} · {pressed('W', typed)} brings"
        end = f"{end} {'them' if wipes[1:] else 'it'} back"
        return _in_a_row(several if wipes[1:] else [title, name], [*([] if typed else [f"{end} · esc hides this"]), end])
    who = f" to {', '.join(wipes[0].agents)}" if wipes[0].agents else ""
    happened = f"{wipe_words(wipes[0])}{who} ·"
    lost = [f"{each} {happened}" for each in (title, name, clipped(name, _NAME_CELLS))]
    lost = [f"{each} lost text ·" for each in several] if wipes[1:] else lost
    lost = [gone] if (gone := gone_words(session, wipes)) else lost
    if went:
        follow = f"now: {pressed('0', typed)} and A there follow"
        return _in_a_row(lost, [f"It is {clipped(folder_name(went), _NAME_CELLS)} {follow}"])
    more = ("",) if wipes[0].gone == "" else (" · 5 shows it, x lets it be", " · 5 shows it")
    return _in_a_row(lost, [f"{pressed('W', typed)} brings them back{each}" for each in more])


def are_only_deleted(wipes: Sequence[Wipe]) -> bool:
    """Whether these are files that others deleted, and other files of their memory are left: esc puts that away."""
    return bool(wipes) and wipes[-1].gone is None and all(wipe.deleted for wipe in wipes)


def _in_a_row(starts: Sequence[str], ends: Sequence[str]) -> str:
    """The first end with the first start, from long to short, that are one row of a small terminal; the start may be cut."""
    every = [f"{start} {end}" for end in ends for start in starts]
    row = next((each for each in every if len(each) <= ROW_CELLS - 2), "")
    return visible_line(f"! {row or f'{clipped(starts[-1], ROW_CELLS - 3 - len(ends[-1]))} {ends[-1]}'}")


def wipe_words(wipe: Wipe) -> str:
    """What a file lost."""
    return f"{'was deleted with' if wipe.deleted else 'lost'} {counted(wipe.lines, 'line')}"


def to_decide(count: int, *, more: bool = False) -> str:
    """The number of findings in this memory, with `more` so far; empty for none."""
    return f"! {count:,}{'+' if more else ''} found [8]" if count else ""


def row_mark(sign: str, waiting: int, *, count: bool = True) -> str:
    """The mark before a tree row, with the number of what waits there if `count`; empty for 0."""
    return f"{sign}{waiting if count else ''} " if waiting else ""


def with_findings(marks: str, lines: Collection[int]) -> str:
    """Add a sign to the gutter marks of lines with findings; marks for lost or cut lines stay."""
    if not lines:
        return marks
    padded = marks.ljust(max(lines) + 1)
    return "".join(
        signs.LOOK if place in lines and each not in f"{signs.LOST}{signs.CUT}" else each for place, each in enumerate(padded)
    )
