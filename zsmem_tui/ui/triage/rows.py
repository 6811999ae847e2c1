"""Scratchpad items as words and rows. Pure functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

from zsmem_tui.core.checklist import Box
from zsmem_tui.core.fold import fold
from zsmem_tui.core.text import plural, printable_path, words
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service.tasks import Task, TaskList
from zsmem_tui.ui import signs
from zsmem_tui.ui.widgets.row_list import ListRow
from zsmem_tui.ui.wording import age, ago, size

Group = Literal["project", "heading", "age", "none"]
Order = Literal["line", "age", "size"]
Shown = Literal["open", "done", "all"]

GROUPS: tuple[Group, ...] = ("project", "heading", "age", "none")
ORDERS: tuple[Order, ...] = ("line", "age", "size")
STATES: tuple[Shown, ...] = ("open", "done", "all")

_BOXES = {Box.OPEN: (f"{signs.OPEN} ", "mark"), Box.DONE: (f"{signs.DONE} ", "done"), Box.OTHER: (f"{signs.OTHER_BOX} ", "warn")}
_DAY_NS = 86_400 * 10**9
_AGES = ((1, "Today"), (7, "This week"), (30, "This month"), (90, "One to three months"))


Where = Callable[[Task], str]
"""What the project of an item is called; in several stores, whose it is too."""


def arranged(
    tasks: Sequence[Task], *, shown: Shown, wanted: str, group: Group, order: Order, now_ns: int, where: Where
) -> list[str]:
    """The keys of the rows to show: those of items, and headings that begin with a NUL."""
    needles = [fold(word.encode("utf-8", "replace")) for word in words(wanted)]
    kept = [task for task in tasks if _is_shown(task, shown) and _matches(task, needles)]
    if order == "age":
        kept.sort(key=lambda task: task.since or now_ns)
    elif order == "size":
        kept.sort(key=lambda task: -len(task.item.text))
    if group == "none":
        return [task.key for task in kept]
    groups: dict[str, list[str]] = {}
    for task in kept:
        groups.setdefault(_group_of(task, group, now_ns, where), []).append(task.key)
    names = [name for _, name in _AGES] + ["Older", "Nobody knows since when"]
    ordered = sorted(groups, key=names.index) if group == "age" else list(groups)
    return [key for name in ordered for key in (f"\0{name}", *groups[name])]


def row(
    key: str, tasks: Mapping[str, Task], problems: Mapping[str, tuple[str, str]], group: Group, now_ns: int, where: Where
) -> ListRow:
    """One row of the list: a heading, a scratchpad that cannot be read with whose it is and why, or an item."""
    if key.startswith("\0"):
        return heading_row(key[1:])
    if key in problems:
        return problem_row(*problems[key])
    return task_row(tasks[key], group, now_ns, where)


def task_row(task: Task, group: Group, now_ns: int, where: Where) -> ListRow:
    """An item."""
    item = task.item
    style = "text" if item.box is not Box.DONE else "strike"
    unseen = f"{signs.NOT_LOADED} {item.hidden_reason}  " if item.hidden_reason and item.box is not Box.DONE else ""
    project = f"{where(task)}  " if group != "project" else ""
    pieces = [("  " * item.depth, "text"), _BOXES[item.box], (visible_line(item.text) or "(no words)", style)]
    facts = f"{unseen}{project}{age(task.since, now_ns):>4}"
    return ListRow(pieces, facts)


def heading_row(name: str) -> ListRow:
    """What stands over a group."""
    return ListRow([(visible_line(printable_path(name)) or "(no heading)", "head")], heading=True)


def problem_row(project: str, problem: str) -> ListRow:
    """A scratchpad that cannot be read."""
    reason = problem.rpartition(": ")[2]
    return ListRow(
        [(f"! {visible_line(printable_path(project))}: {visible_line(reason)}. It is left alone.", "warn")], heading=True
    )


def detail(task: Task, now_ns: int, where: Where) -> str:
    """All that is known of an item besides its words, which its row shows."""
    item = task.item
    seen = "the agent sees it" if not item.hidden_reason else f"not seen by the agent: {item.hidden_reason}"
    since = f"first seen {ago(task.since, now_ns)}" if task.since else "nobody knows since when"
    below = item.stop - item.line - 1
    lines = f" · {below} {plural('line', below)} below" if below else ""
    name = visible_line(printable_path(task.path.rpartition("/")[2]))
    place = f"{where(task)} › {name} › {visible_line(item.heading) or 'no heading'} · line {item.line + 1}"
    return f"{place} · {since} · {seen}{lines}"


def taken(lists: Iterable[TaskList]) -> tuple[int, int]:
    """Bytes and tokens that the open items add to the prompts."""
    every = list(lists)
    return sum(each.size for each in every), sum(each.tokens for each in every)


def cost(now: tuple[int, int], at_first: tuple[int, int]) -> str:
    """What open items add to the prompts, now and when triage began."""
    text = f"open items add {size(now[0])}, {now[1]} tokens"
    return text if now == at_first else f"{text} (at first {size(at_first[0])}, {at_first[1]})"


def title(scope: str, shown: Shown, group: Group, order: Order, listed: Sequence[Task]) -> str:
    """What the list shows. Open items are those that the tree and the strip count; others that wait for a person come on top."""
    count = sum(task.is_open for task in listed) if shown == "open" else len(listed)
    more = f", {len(listed) - count} that the agent does not see" if count < len(listed) else ""
    by = "" if group == "none" else f" · by {group}"
    sort = "" if order == "line" else f" · {order} first"
    return f"Triage: {scope} · {count} {shown if shown != 'all' else ''} {plural('item', count)}{more}{by}{sort}".replace("  ", " ")


def nothing(some: bool, shown: Shown, wanted: str, without: str = "", *, beyond: str = "", agent_writes: bool = True) -> str:
    """What is said where there is no item to show; `some`: there are others; `without`: the agent that has no checklist.

    `beyond`: what a wider scope shows besides, in words; empty where there is none. `agent_writes`: an agent writes them, too.
    """
    if wanted:
        wider = f"; enter, then w, looks in {beyond}, too" if beyond else ""
        return f"No item here holds {visible_line(wanted)!r}. esc drops the filter{wider}."
    if some:
        other = "done" if shown == "open" else "open"
        return f"No {shown} item. f shows the {other} ones{f', w {beyond}' if beyond else ''}."
    more = f" w shows {beyond}." if beyond else ""
    if without:
        return f"{without} has no checklist, and none of its files here has a line like - [ ] this.{more}"
    writes = "; the agent writes them to the scratchpad, too" if agent_writes else ""
    return f"No item yet. a adds one{writes}.{more}"


def _is_shown(task: Task, shown: Shown) -> bool:
    return shown == "all" or (task.item.box is Box.DONE) == (shown == "done")


def holds(task: Task, wanted: str) -> bool:
    """Whether an item holds every word of a filter."""
    return _matches(task, [fold(word.encode("utf-8", "replace")) for word in words(wanted)])


def _matches(task: Task, needles: list[bytes]) -> bool:
    if not needles:
        return True
    folded = fold(f"{task.item.text} {task.item.heading} {task.project}".encode("utf-8", "replace"))
    return all(needle in folded for needle in needles)


def _group_of(task: Task, group: Group, now_ns: int, where: Where) -> str:
    if group == "project":
        return where(task)
    if group == "heading":
        return f"{where(task)} › {task.item.heading or 'no heading'}"
    if not task.since:
        return "Nobody knows since when"
    days = (now_ns - task.since) / _DAY_NS
    return next((name for limit, name in _AGES if days < limit), "Older")
