"""Our memory as a plain folder of Markdown: every file as it is."""

from __future__ import annotations

from collections.abc import Mapping

from zsmem_tui.agents.markdown_files import LOGS_FOLDER, LONG_TERM_FILE, NOTES_FOLDER, SCRATCHPAD_FILE
from zsmem_tui.agents.outgoing import Held, Ours, Outgoing, Spot, Wish, WithoutIndex
from zsmem_tui.core.tree import Tree


class MarkdownWriter(WithoutIndex):
    """Facts and tasks at the top, notes and days in a folder each."""

    name = "markdown"
    title = "Markdown"
    losses = "The folder does not say which project it was."
    group_kinds: tuple[str, ...] = ()

    def spots(self, wish: Wish) -> dict[str, Spot]:
        """The folder that was named."""
        return {"": Spot(self.name, wish.path)} if wish.path else {}

    def out(self, ours: Ours, wish: Wish, trees: Mapping[str, Tree]) -> list[Outgoing]:
        """Every file, byte for byte."""
        out = [_file(held, f"{NOTES_FOLDER}/{held.name}.md") for held in ours.texts()]
        out += [_file(held, f"{LOGS_FOLDER}/{held.name}.md") for held in ours.logs]
        for held, path in ((ours.tasks, SCRATCHPAD_FILE), (ours.facts, LONG_TERM_FILE)):
            if held is not None:
                out.append(_file(held, path))
        return out


def _file(held: Held, path: str) -> Outgoing:
    return Outgoing(held.source, held.head + held.text, path=path, is_written=True)
