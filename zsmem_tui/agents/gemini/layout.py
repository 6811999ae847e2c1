"""Gemini CLI's store: the notes of each project, and global instructions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from zsmem_tui.agents.claude_code.layout import ClaudeCodeLayout
from zsmem_tui.agents.gemini.agent import FILES, ORDERS
from zsmem_tui.agents.places import upwards
from zsmem_tui.core.frontmatter import NO_DRESS, Dress
from zsmem_tui.core.layout import Disk
from zsmem_tui.core.light_imports import late_modules

if TYPE_CHECKING:
    from zsmem_tui.agents import javascript as js
    from zsmem_tui.agents.claude_code import checks, orders, prompt
    from zsmem_tui.agents.prompt_parts import AgentPrompt
    from zsmem_tui.core.checks.by_kind import Checks
else:  # loaded with the first text
    (js,) = late_modules("zsmem_tui.agents", "javascript")
    checks, orders, prompt = late_modules("zsmem_tui.agents.claude_code", "checks orders prompt")

RULE: Final = (
    "Gemini CLI loads the index of the project whole, and reads notes beside it when it wants them. By its documents; not observed."
)


class GeminiLayout(ClaudeCodeLayout):
    """An index and notes for each project; global `GEMINI.md`."""

    kind = "gemini"
    title = "Gemini CLI"
    prompts_of = ("project",)
    prompts_are_of = "a project"
    files = FILES
    is_cut = False

    @property
    def checks(self) -> Checks:
        """The checks of the index, which has no limit."""
        return checks.NoteChecks(self.files, is_cut=self.is_cut)

    @property
    def dress(self) -> Dress:
        """None: notes are plain text."""
        return NO_DRESS

    def group_named_after(self, folder: str) -> str:
        """Empty: projects have ids."""
        return ""

    def loaded(self, raw: bytes | None, path: str) -> AgentPrompt:
        """The whole index."""
        text = js.decode(raw or b"")
        return prompt.of_lines(path, text, range(text.count("\n") + 1), (len(raw or b""), 0, "bytes"), RULE)

    def told_in(self, folder: str, disk: Disk) -> Iterable[tuple[str, str]]:
        """The instructions of the folder and its parents within the repository, with imports from there."""
        every = [*upwards(folder), "/"]
        tops = (at for at, each in enumerate(every) if any(disk.read(f"{each}/.git{end}") is not None for end in ("", "/HEAD")))
        above = every[: next(tops, 0) + 1]
        places = [(f"{each}/{name}", False) for each in reversed(above) for name in self._names(folder, disk)]
        told = orders.loaded(places, self.where.home, disk, lambda path: path.startswith(f"{above[-1]}/"))
        return [(each.path, each.loaded) for each in told]

    def told_everybody(self, disk: Disk) -> Sequence[str]:
        """`GEMINI.md`, or the name in the settings."""
        return self._names(self.where.folder, disk)

    def takes_facts(self, folder: str, disk: Disk) -> Sequence[str]:
        """Its own files."""
        return self._names(folder, disk)

    def _names(self, folder: str, disk: Disk) -> Sequence[str]:
        settings = [f"{own}/settings.json" for own in (f"{folder}/{FILES.own_folder}", self.where.root)]
        return next(filter(None, (orders.context_names(disk, each, "context", "fileName") for each in settings)), (ORDERS,))


LAYOUT: Final = GeminiLayout
