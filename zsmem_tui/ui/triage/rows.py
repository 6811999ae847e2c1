"""Text and rows for checklist items. Pure functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from zsmem_tui.core.checklist import Box
from zsmem_tui.core.checks.secret import masked
from zsmem_tui.core.fold import holds, terms_of
from zsmem_tui.core.text import counted, grouped, plural, printable_path
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service.tasks import ELSEWHERE, FULL, HALF, Task, TaskList
from zsmem_tui.ui import signs
from zsmem_tui.ui.widgets.row_list import ListRow
from zsmem_tui.ui.wording import AGE_GROUPS, WIDER, age, age_group, size

WAYS: Final = {
    "state": ("open", "done", "all"),
    "group": ("project", "heading", "age", "none"),
    "order": ("line", "age", "size"),
}
"""The view settings with their values."""

_BOXES = {Box.OPEN: (f"{signs.OPEN} ", "mark"), Box.DONE: (f"{signs.DONE} ", "done"), Box.OTHER: (f"{signs.OTHER_BOX} ", "warn")}
_UNSEEN = {FULL: "lost", HALF: "cut", ELSEWHERE: "never"}
"""The state in the prompt of items that are not loaded whatever their form (`signs.FACT_SIGNS`), by the reason."""

Where = Callable[[Task], str]
"""Returns the name of an item's project; with several agents, with the agent's name."""


def arranged(tasks: Sequence[Task], *, shown: str, wanted: str, group: str, order: str, now_ns: int, where: Where) -> list[str]:
    """The keys to show, filtered, grouped and sorted; headings begin with a NUL."""
    terms = terms_of(wanted)
    found = [each for each in tasks if each.item.text or shown == "all"]
    kept = [each for each in found if shown in ("all", "done" if each.item.box is Box.DONE else "open") and has_words(each, terms)]
    if order == "age":
        kept.sort(key=lambda task: task.since or now_ns)
    elif order == "size":
        kept.sort(key=lambda task: -len(task.item.text))
    if group == "none":
        return [task.key for task in kept]
    groups = grouped((_group_of(task, group, now_ns, where), task.key) for task in kept)
    ordered = sorted(groups, key=AGE_GROUPS.index) if group == "age" else list(groups)
    return [key for name in ordered for key in (f"\0{name}", *groups[name])]


def task_row(task: Task, group: str, now_ns: int, where: Where) -> ListRow:
    """Render an item."""
    item = task.item
    style = "text" if item.box is not Box.DONE else "strike"
    reason, state = item.hidden_reason, _UNSEEN.get(item.hidden_reason, "")
    why = signs.FACT_SIGNS[state] if state else f"{signs.NOT_LOADED} {reason}"
    unseen = f"{why}  " if reason and item.box is not Box.DONE else ""
    project = f"{where(task)}  " if group != "project" else ""
    pieces = [("  " * item.depth, "text"), _BOXES[item.box], (visible_line(masked(item.text)) or "(no words)", style)]
    facts = f"{unseen}{project}{age(task.since, now_ns):>4}"
    return ListRow(pieces, facts)


def detail(task: Task, now_ns: int, where: Where) -> str:
    """Everything known about an item except its text: the place, and on a line of its own the rest."""
    item = task.item
    word = signs.FACT_WORDS[_UNSEEN[item.hidden_reason]] if item.hidden_reason in _UNSEEN else "not seen by the agent"
    seen = f"{word}: {item.hidden_reason}" if item.hidden_reason else "the agent sees it"
    since = (
        f"there for {age(task.since, now_ns)}".replace("there for now", "just came") if task.since else "nobody knows since when"
    )
    below = item.stop - item.line - 1
    lines = f" · {counted(below, 'line')} below" if below else ""
    name = visible_line(printable_path(task.path.rpartition("/")[2]))
    place = f"{where(task)} · {name} › {visible_line(item.heading) or 'no heading'} · line {item.line + 1}"
    return f"{place}\n{seen} · {since}{lines}"


def taken(lists: Iterable[TaskList]) -> tuple[int, int]:
    """The bytes and tokens that open items add to the prompts."""
    every = list(lists)
    return sum(each.size for each in every), sum(each.tokens for each in every)


def cost(now: tuple[int, int], at_first: tuple[int, int], keeps: str = "") -> str:
    """What open items add to the prompts, now and when the screen was opened; `keeps` are agents that load done ones as well."""
    text = f"open items add {size(now[0])}, {now[1]:,} tokens"
    if keeps and now != at_first:  # the difference is not what the prompts were relieved of
        return f"{text}; {keeps} loads done ones, too"
    return text if now == at_first else f"{text} (at first {size(at_first[0])}, {at_first[1]:,})"


def title(way: Mapping[str, str], listed: Sequence[Task]) -> str:
    """The title of the list. The number of open items equals that in the tree; other shown items are counted separately."""
    shown, group, order = (way[what] for what in WAYS)
    count = sum(task.is_open for task in listed) if shown == "open" else len(listed)
    more = f", {len(listed) - count} that the agent does not see" if count < len(listed) else ""
    by = "" if group == "none" else f" · by {group}"
    sort = "" if order == "line" else f" · {order} first"
    return f"Triage · {count:,} {shown if shown != 'all' else ''} {plural('item', count)}{more}{by}{sort}".replace("  ", " ")


def nothing(some: bool, shown: str, wanted: str, without: str = "", *, is_of_all: bool = False, agent_writes: bool = True) -> str:
    """The text for an empty list. `some`: there are other items; `without`: the agent that has no checklist.

    `is_of_all`: all memories are shown; `agent_writes`: the agent also adds items.
    """
    if wanted:
        wider = "" if is_of_all else f"; enter, then {WIDER}"
        return f"No item here holds {visible_line(wanted)!r}. esc drops the filter{wider}."
    if some:
        other = "done" if shown == "open" else "open"
        return f"No {shown} item. f shows the {other} ones{'' if is_of_all else f', {WIDER}'}."
    more = "" if is_of_all else f" {WIDER}."
    if without:
        return f"{without} has no checklist, and none of its files here has an open item ({signs.OPEN}).{more}"
    writes = "; the agent writes them to the scratchpad, too" if agent_writes else ""
    return f"No item yet. a adds one{writes}.{more}"


def has_words(task: Task, terms: Sequence[bytes]) -> bool:
    """Whether an item contains every word of a filter."""
    return holds(f"{task.item.text} {task.item.heading} {task.project}", terms)


def _group_of(task: Task, group: str, now_ns: int, where: Where) -> str:
    if group == "project":
        return where(task)
    if group == "heading":
        return f"{where(task)} › {task.item.heading or 'no heading'}"
    return age_group(task.since, now_ns)
