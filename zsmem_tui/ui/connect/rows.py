"""Agents, what of ours they have, and what connecting them would change, as rows. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zsmem_tui.core.text import counted
from zsmem_tui.core.visible import visible, visible_line
from zsmem_tui.service import agent_command
from zsmem_tui.service.connect_check import Check
from zsmem_tui.service.connecting import AgentLine, ConnectPlan, FilePlan, Wish
from zsmem_tui.ui import signs
from zsmem_tui.ui.widgets.row_list import ListRow
from zsmem_tui.ui.wording import folder_name

WHOSE: Final = {"user": "your", "project": "this project's"}
"""Whose settings a scope means."""


def agent_row(line: AgentLine) -> ListRow:
    """An agent, and what of ours is in its settings."""
    found = [f"{WHOSE[each.scope.value]}: {each.words}" for each in line.connected if each]
    problem = any(each.problem for each in line.connected)
    facts = "; ".join(found) or ("settings cannot be read" if problem else "not connected")
    mark = (f"{signs.LOOK} ", "warn") if problem else ("  ", "mark")
    return ListRow([mark, (line.title, "text" if line.installed else "quiet")], visible_line(facts))


def agent_words(line: AgentLine) -> str:
    """What an agent has of ours, in which settings, and what can be done with it."""
    found = [
        f"In {WHOSE[each.scope.value]} settings: {each.problem or each.words or 'nothing of ours'}." for each in line.connected
    ]
    here = "It is installed here." if line.installed else "It was not found here."
    gives = "Connected, it searches and writes this memory through our server; hooks put the memory into its prompt."
    does = "enter shows what connecting it would write, d what taking ours out would. S starts what is configured."
    return "\n".join([here, *map(visible_line, found), "", gives, does])


def file_row(file: FilePlan) -> ListRow:
    """One file of a plan: what becomes of it."""
    fate = "by hand" if file.left else "as it is" if not file.changes else "is new" if file.before is None else "changes"
    if file.changes and file.after is None:
        fate = "goes"
    style = "warn" if file.left else "text" if file.changes else "quiet"
    return ListRow([("  ", "quiet"), (folder_name(file.place), style)], fate)


def file_words(file: FilePlan) -> str:
    """A file of a plan as a sentence."""
    if file.left:
        by_hand = " Below is what goes into it by hand." if file.snippet else ""
        return visible_line(f"{file.left}{by_hand}")
    if file.run:
        return visible_line(f"Its own command changes the server: {agent_command.shown(file.run)}")
    return "" if file.changes else f"{folder_name(file.place)} stays as it is."


def head(wanted: ConnectPlan) -> str:
    """In whose settings a plan changes what."""
    would = f"{counted(len(wanted.changed), 'file')} would change" if wanted.changed else "nothing to write"
    return f"{WHOSE[wanted.setup.scope.value]} settings · {parts_of(wanted.wish)} · {would}"


def parts_of(wish: Wish) -> str:
    """What of ours is meant, in a word."""
    return "server and hooks" if wish.server and wish.hooks else "server" if wish.server else "hooks"


def checks_page(title: str, found: Sequence[Check]) -> str:
    """What works of a connection, as a page."""
    rows = [f"{'works' if each.works else 'FAILS'}  {each.what}: {visible(each.words)}" for each in found]
    text = "\n".join(rows).replace("```", "'''")
    return f"# {visible_line(title)}: what works\n\n```\n{text}\n```\n"
