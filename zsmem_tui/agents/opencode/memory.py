"""opencode's memory as the agent sees it, asked of a tree."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Final, NamedTuple

from zsmem_tui.agents.javascript import sort_key
from zsmem_tui.agents.opencode import journal
from zsmem_tui.agents.opencode.blocks import Block, in_order, parse
from zsmem_tui.agents.opencode.files import JOURNAL, PROJECT_FOLDER, checked_id, is_block, is_block_name
from zsmem_tui.agents.opencode.journal import JournalEntry, Listing, Query
from zsmem_tui.agents.opencode.prompt import prompt
from zsmem_tui.agents.prompt_parts import AgentPrompt
from zsmem_tui.core.errors import RuleBroken, StoreError
from zsmem_tui.core.tree import EntryKind, Tree, walk

SCOPES: Final = ("global", "project")


class PassedOver(NamedTuple):
    """A file that would be a block if its frontmatter fitted; `reason` says what is wrong with it."""

    scope: str
    file: str
    raw: bytes
    reason: str


class Loaded(NamedTuple):
    """The blocks in the agent's order, and every file beside them that it does not load."""

    blocks: list[Block]
    ignored: list[str]


class OpencodeMemory:
    """The global blocks in `root`, the journal beside them, and the blocks of the project in `folder` (empty: of none)."""

    def __init__(self, tree: Tree, root: str, folder: str = "") -> None:
        self._tree = tree
        self._folders = {"global": root, "project": f"{folder}/{PROJECT_FOLDER}" if folder else ""}
        self._journal = f"{root.rpartition('/')[0]}/{JOURNAL}"

    def load(self, scope: str = "all") -> Loaded:
        """The blocks of a scope (`global`, `project` or `all`); files with a frontmatter that does not fit are ignored."""
        blocks: list[Block] = []
        ignored: list[str] = []
        for each, folder in self._folders.items():
            if not folder:
                continue
            found = self._blocks(each, folder) if scope in (each, "all") else []
            loaded = {block.file for block in found}
            blocks += found
            ignored += [f"{folder}/{path}" for path in walk(self._tree, folder) if path not in loaded]
        return Loaded(in_order(blocks), sorted(ignored, key=sort_key))

    def blocks(self) -> list[Block]:
        """The blocks of both scopes in the agent's order; nothing else in the folders is looked at."""
        return in_order([block for scope, folder in self._folders.items() if folder for block in self._blocks(scope, folder)])

    def passed_over(self) -> list[PassedOver]:
        """The files of both scopes that the agent leaves out without a word, by scope and name."""
        return [found for scope in self._folders for found in self.files(scope) if isinstance(found, PassedOver)]

    def files(self, scope: str) -> list[Block | PassedOver]:
        """Every file of a scope, by name, as the block that it is, or with the reason why it is none."""
        folder = self._folders[scope]
        return list(self._files(scope, folder)) if folder else []

    def prompt(self, now: datetime) -> AgentPrompt:
        """What goes into every prompt."""
        return prompt(self.blocks(), now)

    def render(self, now: datetime) -> str:
        """The text of it, empty when there is none."""
        return self.prompt(now).text or ""

    def journal_list(self, query: Query, now: datetime) -> Listing:
        """The journal's entries that a query finds; a file that cannot be read as an entry is passed over."""
        found: list[JournalEntry] = []
        for entry in self._tree.entries(self._journal, is_block_name):
            if is_block(entry):
                try:
                    found.append(self._entry(entry.name, now))
                except (RuleBroken, StoreError):
                    continue
        return journal.listing(found, query)

    def journal_read(self, name: str, now: datetime) -> JournalEntry:
        """One entry. Raises `RuleBroken` (`id`, `not_found`, `yaml` or `frontmatter`) or `StoreError`."""
        file = f"{checked_id(name)}.md"
        entry = self._tree.entry(f"{self._journal}/{file}")
        if entry is None or entry.kind is EntryKind.NOTHING:
            raise RuleBroken("not_found", f"The journal has no entry {name}.")
        return self._entry(file, now)

    def _entry(self, file: str, now: datetime) -> JournalEntry:
        return journal.parse(file, self._tree.read(f"{self._journal}/{file}"), now)

    def _blocks(self, scope: str, folder: str) -> list[Block]:
        return [found for found in self._files(scope, folder) if isinstance(found, Block)]

    def _files(self, scope: str, folder: str) -> Iterator[Block | PassedOver]:
        """What can be read there, each as the block that it is, or with the reason why it is none."""
        for entry in self._tree.entries(folder, is_block_name):
            if not is_block(entry):
                continue
            try:
                raw = self._tree.read(f"{folder}/{entry.name}")
            except StoreError:
                continue
            try:
                yield parse(scope, entry.name, raw, entry.modified_ns)
            except RuleBroken as error:
                reason = error.message.removeprefix(f"{entry.name}: ").rstrip(".")
                yield PassedOver(scope, entry.name, raw, reason)
