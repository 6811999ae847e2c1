"""Qwen Code's stores: the memory of projects and of a user, or that of a team. Sessions are never read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from zsmem_tui.agents.agent_layout import no_prompt
from zsmem_tui.agents.claude_code.layout import ClaudeCodeLayout
from zsmem_tui.agents.places import Where
from zsmem_tui.agents.qwen_code.agent import LOCAL_ORDERS, ORDERS, OWN_FOLDER, PRIVATE, TEAM, TEAM_FOLDER
from zsmem_tui.core.errors import RuleBroken, StoreError
from zsmem_tui.core.json_value import json_object, nested
from zsmem_tui.core.layout import Disk
from zsmem_tui.core.light_imports import late_modules
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import printable_path, raw_lines
from zsmem_tui.core.tree import Tree, read_if_there

if TYPE_CHECKING:
    from zsmem_tui.agents import javascript as js
    from zsmem_tui.agents.claude_code import orders, prompt
    from zsmem_tui.agents.prompt_parts import AgentPrompt
    from zsmem_tui.core.checks import secret
    from zsmem_tui.core.context import Moment
else:  # loaded with the first text
    (js,) = late_modules("zsmem_tui.agents", "javascript")
    orders, prompt = late_modules("zsmem_tui.agents.claude_code", "orders prompt")
    (secret,) = late_modules("zsmem_tui.core.checks", "secret")

INDEX_LINES: Final = 200
"""The most lines of the index that Qwen Code loads."""

INDEX_UNITS: Final = 25_000
"""The most UTF-16 units of the index that Qwen Code loads."""

SHORT: Final = 150  # the longest entry, in UTF-16 units, that has priority over longer ones

RULE: Final = (
    f"Qwen Code loads about {INDEX_LINES} lines and {INDEX_UNITS:,} characters of the index: whole entries, those of up to {SHORT} "
    "characters first. It makes the index anew from its notes: what is to stay belongs in one, best in pinned/. By its "
    "documents; not observed."
)
_TEAM_SETTING: Final = "memory.enableTeamMemory"
_NO_ROOM = "there is no room for it in what is loaded of the index"


class QwenCodeLayout(ClaudeCodeLayout):
    """An index and topics for each project; memory for all projects, and for a team, without credentials."""

    kind = "qwen-code"
    title = "Qwen Code"
    prompts_of = None
    prompts_are_of = "a project"
    is_cut = False

    def __init__(self, where: Where) -> None:
        super().__init__(where)
        self.is_team = f"/{where.root}".endswith(f"/{TEAM_FOLDER}")
        self.files = TEAM if self.is_team else PRIVATE

    def check(self, tree: Tree, path: str, before: bytes | None, after: bytes | None) -> None:
        """Refuse new credentials in a team's memory."""
        super().check(tree, path, before, after)
        if self.is_team and after and _secrets(after) - _secrets(before or b""):
            raise RuleBroken(
                "secret", f"{printable_path(path)}: Qwen Code takes no credential into a team's memory. Nothing was written."
            )

    def is_made_anew(self, path: str) -> bool:
        """True for an index."""
        place = self.place(path)
        return place is not None and place.role is Role.INDEX

    def prompt(self, tree: Tree, moment: Moment) -> AgentPrompt:
        """The start of the group's index; for a team's, only if the settings of the project or the user turn that on."""
        settings = ("../settings.json", f"{self.where.home}/{OWN_FOLDER}/settings.json")
        if self.is_team and True not in (_team_setting(tree, path) for path in settings):
            return no_prompt(f"Qwen Code loads a team's memory only with {_TEAM_SETTING} in its settings. By its documents.")
        return super().prompt(tree, moment)

    def loaded(self, raw: bytes | None, path: str) -> AgentPrompt:
        """The part of the index that is loaded, as whole entries."""
        text = js.decode(raw or b"")
        lines = raw_lines(text.removesuffix("\n"))
        size = js.units(text)
        by_size = size * INDEX_LINES > len(lines) * INDEX_UNITS
        used = (size, INDEX_UNITS, "characters") if by_size else (len(lines), INDEX_LINES, "lines")
        return prompt.of_lines(path, text, set(_kept(lines, INDEX_UNITS + (not text.endswith("\n")))), used, RULE, _NO_ROOM)

    def told_everybody(self, disk: Disk) -> Sequence[str]:
        """`QWEN.md`, or the name in the settings; none for a team's memory."""
        return () if self.is_team else self._names(disk)

    def told_in(self, folder: str, disk: Disk) -> Iterable[tuple[str, str]]:
        """The instructions of the folder, with their imports from it."""
        places = [(f"{folder}/{name}", False) for name in (*self._names(disk), LOCAL_ORDERS, orders.OTHER_ORDERS)]
        told = orders.loaded(places, self.where.home, disk, lambda path: path.startswith(f"{folder}/"))
        return [(each.path, each.loaded) for each in told]

    def takes_facts(self, folder: str, disk: Disk) -> Sequence[str]:
        """Its own file, then the one for all agents."""
        return list(dict.fromkeys((*self._names(disk), orders.OTHER_ORDERS)))

    def _names(self, disk: Disk) -> Sequence[str]:
        return orders.context_names(disk, f"{self.where.home}/{OWN_FOLDER}/settings.json", "contextFileName") or (ORDERS,)


def _team_setting(tree: Tree, path: str) -> object:
    try:
        return nested(json_object(read_if_there(tree, path) or b""), *_TEAM_SETTING.split("."))
    except StoreError:
        return None


def _kept(lines: Sequence[str], size: int) -> Iterator[int]:
    """The numbers of the lines that are loaded, short ones first; each takes its own units and one of `size`."""
    left, sizes = INDEX_LINES, list(map(js.units, lines))
    for number in sorted(range(len(lines)), key=lambda number: sizes[number] > SHORT):
        own = sizes[number] + 1
        if left and own <= size:
            left, size = left - 1, size - own
            yield number


def _secrets(raw: bytes) -> set[str]:
    text = raw.decode("utf-8", "replace")
    return {text[found.start : found.end] for found in secret.secrets_in(text)}


LAYOUT: Final = QwenCodeLayout
