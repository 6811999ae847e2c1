"""Agents, what of ours they have, and what connecting them would change, as rows. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence

from zsmem_tui.core.text import counted
from zsmem_tui.core.visible import visible, visible_line
from zsmem_tui.service import agent_command
from zsmem_tui.service.connect_check import Check
from zsmem_tui.service.connecting import AgentLine, ConnectPlan, FilePlan
from zsmem_tui.ui import signs
from zsmem_tui.ui.widgets.row_list import ListRow
from zsmem_tui.ui.wording import folder_name


def agent_row(line: AgentLine) -> ListRow:
    """An agent: whether anything of ours is in its settings, and what."""
    found = [f"{each.scope.value}: {each.words}" for each in line.connected if each]
    problem = any(each.problem for each in line.connected)
    mark = f"{signs.LOOK} " if problem else "  "
    facts = "; ".join(found) or ("settings cannot be read" if problem else "not connected")
    return ListRow(
        [(mark, "warn" if problem else "mark"), (line.title, "text" if line.installed else "quiet")], visible_line(facts)
    )


def file_row(file: FilePlan, *, is_last: bool) -> ListRow:
    """One file of a plan: what becomes of it."""
    place = folder_name(file.place)
    fate = "by hand" if file.left else "as it is" if not file.changes else "is new" if file.before is None else "changes"
    if file.changes and file.after is None:
        fate = "goes"
    style = "warn" if file.left else "text" if file.changes else "quiet"
    return ListRow([(f"  {signs.LAST_BRANCH if is_last else signs.BRANCH} ", "quiet"), (place, style)], fate)


def file_words(file: FilePlan) -> str:
    """A file of a plan as a sentence."""
    if file.left:
        by_hand = " Below is what goes into it by hand." if file.snippet else ""
        return visible_line(f"{file.left}{by_hand}")
    if file.run:
        return visible_line(f"Its own command changes the server: {agent_command.shown(file.run)}")
    return "" if file.changes else f"{folder_name(file.place)} stays as it is."


def heading(wanted: ConnectPlan) -> str:
    """What the plan on the screen is."""
    verb = "Take ours out of" if wanted.wish.remove else "Connect"
    parts = "" if wanted.wish.server and wanted.wish.hooks else ", only the server" if wanted.wish.server else ", only the hooks"
    whose = "your settings" if wanted.setup.scope.value == "user" else "this project's settings"
    return visible_line(f"{verb} {wanted.title} · {whose}{parts}")


def subtitle(wanted: ConnectPlan) -> str:
    """How much would be written."""
    if not wanted.changed:
        return "nothing to write"
    return f"{counted(len(wanted.changed), 'file')} would change · nothing is written before A"


def checks_page(title: str, found: Sequence[Check]) -> str:
    """What works of a connection, as a page."""
    rows = [f"{'works' if each.works else 'FAILS'}  {each.what}: {visible(each.words)}" for each in found]
    text = "\n".join(rows).replace("```", "'''")
    return f"# {visible_line(title)}: what works\n\n```\n{text}\n```\n"
