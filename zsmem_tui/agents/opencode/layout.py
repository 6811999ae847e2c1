"""opencode's store: a folder of blocks, global or of a project; and its memory as the agent sees it.

A prompt has the blocks of both scopes.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Final, NamedTuple

from zsmem_tui.agents import javascript as js
from zsmem_tui.agents.agent import Write
from zsmem_tui.agents.agent_layout import AgentLayout
from zsmem_tui.agents.opencode import files
from zsmem_tui.agents.opencode.files import JOURNAL, PROJECT_FOLDER, checked_id, checked_label, is_block, is_block_name, label_of
from zsmem_tui.agents.places import GLOBAL, Place, Where
from zsmem_tui.core.checks.by_kind import Checks
from zsmem_tui.core.errors import RuleBroken, StoreError
from zsmem_tui.core.frontmatter import Carried, Dress
from zsmem_tui.core.layout import Folder
from zsmem_tui.core.light_imports import late_modules
from zsmem_tui.core.limits import EXTENSION
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import raw_lines
from zsmem_tui.core.tree import EntryKind, Tree, read_if_there, walk

if TYPE_CHECKING:
    from datetime import datetime

    from zsmem_tui.agents import prompt_parts
    from zsmem_tui.agents.opencode import blocks, journal, prompt, writes
    from zsmem_tui.agents.opencode.blocks import Block
    from zsmem_tui.agents.opencode.journal import JournalEntry, Listing, Query
    from zsmem_tui.agents.prompt_parts import AgentPrompt
    from zsmem_tui.core import markdown
    from zsmem_tui.core.checks import finding, structure
    from zsmem_tui.core.checks.finding import Finding, Fix
    from zsmem_tui.core.context import Moment
else:  # loaded with the first text: names tell which files there are
    (prompt_parts,) = late_modules("zsmem_tui.agents", "prompt_parts")
    blocks, journal, prompt, writes = late_modules("zsmem_tui.agents.opencode", "blocks journal prompt writes")
    (markdown,) = late_modules("zsmem_tui.core", "markdown")
    finding, structure = late_modules("zsmem_tui.core.checks", "finding structure")


class PassedOver(NamedTuple):
    """A file that opencode skips because of its frontmatter; `reason` says what is wrong."""

    scope: str
    file: str
    raw: bytes
    reason: str


class Loaded(NamedTuple):
    """The blocks in the agent's order, and every other file in the folders."""

    blocks: list[Block]
    ignored: list[str]


class OpencodeMemory:
    """The global blocks in `root`, the journal next to them, and the blocks of the project in `folder` (empty: none)."""

    def __init__(self, tree: Tree, root: str, folder: str = "") -> None:
        self._tree = tree
        self._folders = {"global": root, "project": posixpath.join(folder, PROJECT_FOLDER) if folder else ""}
        self._journal = f"{root.rpartition('/')[0]}/{JOURNAL}"

    def load(self, scope: str = "all") -> Loaded:
        """The blocks of a scope (`global`, `project` or `all`); files with invalid frontmatter are ignored."""
        held = [each for each in self.blocks() if scope in (each.scope, "all")]
        loaded = {f"{self._folders[each.scope]}/{each.file}" for each in held}
        every = (f"{folder}/{path}" for folder in self._folders.values() if folder for path in walk(self._tree, folder))
        return Loaded(held, sorted((path for path in every if path not in loaded), key=js.sort_key))

    def blocks(self) -> list[Block]:
        """The blocks of both scopes in the agent's order."""
        every = (found for scope in self._folders for found in self.files(scope))
        return blocks.in_order(found for found in every if isinstance(found, blocks.Block))

    def passed_over(self) -> list[PassedOver]:
        """The files of both scopes that the agent silently skips, by scope and name."""
        return [found for scope in self._folders for found in self.files(scope) if isinstance(found, PassedOver)]

    def files(self, scope: str) -> list[Block | PassedOver]:
        """Every readable file of a scope by name, as a block or as skipped with the reason."""
        out: list[Block | PassedOver] = []
        folder = self._folders[scope]
        for entry in filter(is_block, self._tree.entries(folder, is_block_name) if folder else ()):
            try:
                raw = self._tree.read(f"{folder}/{entry.name}")
                out.append(blocks.parse(scope, entry.name, raw, entry.modified_ns))
            except StoreError:
                continue
            except RuleBroken as error:
                reason = error.message.removeprefix(f"{entry.name}: ").rstrip(".")
                out.append(PassedOver(scope, entry.name, raw, reason))
        return out

    def prompt(self, now: datetime) -> AgentPrompt:
        """What goes into every prompt."""
        return prompt.prompt(self.blocks(), now)

    def render(self, now: datetime) -> str:
        """The text of the prompt, empty if there is none."""
        return self.prompt(now).text or ""

    def journal_list(self, query: Query, now: datetime) -> Listing:
        """The journal entries that match a query; unreadable entries are skipped."""
        found: list[JournalEntry] = []
        for entry in filter(is_block, self._tree.entries(self._journal, is_block_name)):
            with suppress(RuleBroken, StoreError):
                found.append(self._entry(entry.name, now))
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


class BlockDress(Dress):
    """The frontmatter of blocks of one scope."""

    kept_fields = ("label", "description", "name")
    naming = "2 to 61 letters, digits, - and _, the first a letter or digit. opencode has it in every prompt."

    def __init__(self, scope: str) -> None:
        self._scope = scope

    def unwrapped(self, path: str, raw: bytes) -> Carried:
        """The value of a block, if opencode can parse it."""
        try:
            block = blocks.parse(self._scope, path, raw)
        except RuleBroken:
            return Carried(raw)
        yaml, body = blocks.split(js.decode(raw))
        if yaml is None:
            return Carried(raw)
        about = block.description if block.is_described else ""
        return Carried(js.encode(body), block.label, about, tuple(blocks.fields(yaml, path)))

    def wrapped(self, path: str, text: Carried) -> bytes:
        """A block with opencode's default limit. Raises `RuleBroken` if it is longer or its name is invalid."""
        return writes.new_block(files.label_of(path), js.decode(text.body), description=text.about)

    def begun(self, path: str, text: bytes) -> bytes:
        """A block with opencode's default limit, unless the text has frontmatter."""
        plain = js.decode(text)
        return writes.new_block(files.label_of(path), plain) if blocks.split(plain)[0] is None else text


class BlockChecks(Checks):
    """The checks of one scope's blocks; the two folders are those of global and of project blocks."""

    def __init__(self, scope: str, home: str, folder: str) -> None:
        self._scope = scope
        self._folders = (home, folder)

    def faults(self, tree: Tree, group: str) -> Iterator[Finding]:
        """The findings about blocks, which belong to no group."""
        held = OpencodeMemory(tree, *self._folders).files(self._scope) if not group else []
        taken = {found.file for found in held}
        for found in held:
            if isinstance(found, PassedOver):
                why = found.reason.rpartition(": ")[2]
                yield finding.Finding(
                    structure.BROKEN,
                    found.file,
                    says="The file is passed over without a word: {text}.",
                    level=finding.Level.ERROR,
                    kind=structure.PASSED_OVER,
                    text=why,
                    quoted=why,
                )
                continue
            if not found.head_lines and markdown.front_matter(raw_lines(found.value)):
                yield structure.unread_head(found.file)  # of CRLF or blanks at its fences
            if blocks.over(found):
                yield finding.Finding(
                    structure.OVER_BUDGET,
                    found.file,
                    says="The file has {size:,} characters, and its limit is {limit:,}: the agent can write no more into it.",
                    kind="full",
                    size=js.units(found.value),
                    limit=found.limit,
                    fix=_split_fix(tree, found, taken),
                )


def _split_fix(tree: Tree, block: Block, taken: set[str]) -> Fix:
    """The fix that moves what exceeds a block's limit to further blocks, which are in every prompt too."""
    try:
        rows = raw_lines((read_if_there(tree, block.file) or b"").decode())
        parts = _pieces(rows[block.first_line :], block.limit)
        names = _names(block.file, len(parts) - 1, taken)
    except (UnicodeDecodeError, StoreError, RuleBroken):
        return structure.TOO_MUCH
    if len(parts) < 2:
        return structure.TOO_MUCH
    bare = [row.removesuffix("\r") for row in rows]
    first = block.first_line + len(parts[0])
    end = len(bare) - (not bare[-1])
    edits = [finding.LineEdit(block.file, first + 1, tuple(bare[first:end]), ())]
    import json  # deferred: only a fix writes it

    about = json.dumps(f"What does not fit into {label_of(block.file)}.", ensure_ascii=False)
    at = first
    for name, part in zip(names, parts[1:], strict=True):
        held = bare[at : at + len(part)]
        at += len(part)
        while held and not held[-1].strip():
            held.pop()
        edits.append(finding.LineEdit(name, 0, (), ("---", f"description: {about}", f"limit: {block.limit}", "---", *held)))
    taken.update(names)
    return finding.Fix("Move what is too much into {file}.", ", ".join(names), tuple(edits))


def _pieces(rows: Sequence[str], limit: int) -> list[list[str]]:
    """Split lines into parts that fit a limit; empty if a line is too long or a fence would be split."""
    parts: list[list[str]] = [[]]
    size = 0
    found = markdown.scan(rows, tags=False)
    for at, row in enumerate(rows):
        own = js.units(row) + 1
        if size + own > limit and js.units(js.trim("\n".join([*parts[-1], row]))) > limit:
            if (found[at].is_code and found[at].leaf is not markdown.OPENING) or js.units(js.trim(row)) > limit:
                return []
            parts.append([])
            size = 0
        parts[-1].append(row)
        size += own
    return parts


def _names(file: str, wanted: int, taken: set[str]) -> list[str]:
    """Unused names for further blocks. Raises `RuleBroken` if opencode would refuse them."""
    stem = file.removesuffix(".md")
    free = (name for number in count(2) if (name := f"{stem}-{number}.md") not in taken)
    names = [next(free) for _ in range(wanted)]
    for name in names:
        checked_label(label_of(name))
    return names


class OpencodeLayout(AgentLayout):
    """Blocks, all of them always in the prompt. The store's folder determines their scope."""

    kind = "opencode"
    title = "opencode"
    orders = ("AGENTS.md",)

    def __init__(self, where: Where) -> None:
        super().__init__(where)
        self.scope = "project" if f"/{where.root}".endswith(f"/{files.PROJECT_FOLDER}") else "global"
        self._homes = (where.root, where.folder)
        if self.scope == "project":
            own = where.root.removesuffix(f"/{files.PROJECT_FOLDER}")
            self._homes = (posixpath.join(where.home, files.GLOBAL_FOLDER), own)

    @property
    def checks(self) -> Checks:
        """The checks of blocks."""
        return BlockChecks(self.scope, *self._homes)

    @property
    def dress(self) -> Dress:
        """The frontmatter of blocks."""
        return BlockDress(self.scope)

    def global_folders(self) -> tuple[Folder, ...]:
        """The one folder."""
        return (Folder("", place=self.ref_at, endings=(EXTENSION,)),)

    def place(self, path: str) -> Place | None:
        """The role of a file."""
        return files.place(path, GLOBAL)

    def new_path(self, role: Role, group: str, name: str) -> str | None:
        """The path for a block; without a name, `project` in a project and `human` otherwise."""
        return files.new_path(role, name or ("project" if self.scope == "project" else "human"))

    def check(self, tree: Tree, path: str, before: bytes | None, after: bytes | None) -> None:
        """Refuse invalid labels, changes of read-only blocks, growth over the limit, and text that opencode would skip."""
        super().check(tree, path, before, after)
        if before is None and self.place(path) is not None:
            checked_label(label_of(path))
        if after is not None:
            writes.check_edit(self.scope, path, before, after)

    def part(self, role: Role | None) -> str:
        """The label for files of this role, including blocks of the other store."""
        return "blocks"

    def prompt(self, tree: Tree, moment: Moment) -> AgentPrompt:
        """The prompt with global and project blocks, whichever of the two this store is."""
        home, folder = self._homes
        roots = {"global": home, "project": posixpath.join(folder, files.PROJECT_FOLDER)}

        def path_of(block: Block | PassedOver) -> str:
            return block.file if block.scope == self.scope else f"{roots[block.scope]}/{block.file}"

        memory = OpencodeMemory(tree, home, folder)
        made = prompt.prompt(memory.blocks(), self.where.now().astimezone(), path_of)
        return made._replace(lost=tuple(lost for each in memory.passed_over() for lost in _lines_of(path_of(each), each)))


def _lines_of(path: str, passed_over: PassedOver) -> Iterator[prompt_parts.LostLine]:
    """Every line of a skipped file, with the reason."""
    for number, line in enumerate(raw_lines(js.decode(passed_over.raw)), 1):
        if js.trim(line):
            yield prompt_parts.LostLine(path, number, passed_over.reason)


def memory(tree: Tree, root: str, folder: str, write: Write) -> OpencodeMemory:
    """The blocks and the journal, for programs."""
    return OpencodeMemory(tree, root, folder)


LAYOUT: Final = OpencodeLayout
