"""Ethos' store: personalities, users and teams, each with a memory."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from zsmem_tui.agents.agent_layout import AgentLayout, no_prompt, settings, size_at
from zsmem_tui.agents.ethos import files
from zsmem_tui.core.checks.by_kind import Checks
from zsmem_tui.core.errors import RuleBroken, Undecodable
from zsmem_tui.core.json_value import nested
from zsmem_tui.core.layout import Folder, Listing
from zsmem_tui.core.light_imports import late_modules
from zsmem_tui.core.limits import EXTENSION
from zsmem_tui.core.text import printable_path, raw_lines
from zsmem_tui.core.tree import EntryKind, Tree, read_if_there

if TYPE_CHECKING:
    from zsmem_tui.agents import javascript as js
    from zsmem_tui.agents.ethos import prompt, writes
    from zsmem_tui.agents.prompt_parts import AgentPrompt
    from zsmem_tui.core.checks import finding, structure
    from zsmem_tui.core.checks.finding import Finding
    from zsmem_tui.core.context import Moment
else:  # loaded with the first text: names tell which files there are
    (js,) = late_modules("zsmem_tui.agents", "javascript")
    prompt, writes = late_modules("zsmem_tui.agents.ethos", "prompt writes")
    finding, structure = late_modules("zsmem_tui.core.checks", "finding structure")


def text(tree: Tree, scope: str, key: str) -> str | None:
    """The text of a key; None if there is none. Raises `RuleBroken`, `Unreadable`, or `Undecodable` for an encrypted file."""
    path = files.path_of(scope, key)
    raw = read_if_there(tree, path)
    if raw is None:
        return None
    refuse_encrypted(tree, path, raw, "It was not read.")
    return js.decode(raw)


def texts(tree: Tree, scope: str) -> Iterator[tuple[str, str]]:
    """Every listed key with its text. Raises what `text` raises."""
    for entry in tree.entries(files.scope_folder(scope), files.is_listed):
        found = text(tree, scope, entry.name)
        if found is not None:
            yield entry.name, found


def is_encrypting(tree: Tree) -> bool:
    """Whether the store's settings enable encryption."""
    raw = read_if_there(tree, files.SETTINGS)
    return raw is not None and writes.configures_encryption(js.decode(raw))


def refuse_encrypted(tree: Tree, path: str, raw: bytes, outcome: str, shown: str = "") -> None:
    """Raise `Undecodable` for an encrypted file; `outcome` says what was not done."""
    if writes.is_encrypted(raw) or (writes.is_encrypted(raw, configured=True) and is_encrypting(tree)):
        place = shown or path
        raise Undecodable(place, f"{printable_path(place)} is encrypted by Ethos. {outcome}", "It needs Ethos and its key.")


def prompt_of(
    tree: Tree, personality: str, user: str = "", message: str = "", *, cap: int | None = None, index_mode: bool = False
) -> AgentPrompt:
    """The prompt of a personality for `user` (empty: unknown) and the user's `message`."""
    scope = f"personality:{personality}"
    found = [
        prompt.Found(key, content, files.path_of(scope, key))
        for key in (files.MEMORY, files.USER)
        if not prompt.is_blank(content := text(tree, scope, key)) and content is not None
    ]
    if not found and not prompt.is_blank(message):
        held = dict(texts(tree, scope))
        keys = prompt.search(held.items(), message, limit=prompt.MOST_FOUND)
        found = [prompt.Found(key, held[key], files.path_of(scope, key)) for key in keys]
    if user:
        own = f"user:{user}"
        content = text(tree, own, files.USER)
        if content is not None and not prompt.is_blank(content):  # it stands instead of the personality's
            its = prompt.Found(files.USER, content, files.path_of(own, files.USER))
            found = [*(each for each in found if each.key != files.USER), its]
    return prompt.prompt(found, cap=prompt.CAP if cap is None else cap, index_mode=index_mode)


_SECTION: Final = re.compile(r"###[ \t]+\S")
_HEADING: Final = re.compile(r"#{1,6}[ \t]")


class SectionChecks(Checks):
    """The check for text before the first section of a memory with sections; headings do not count."""

    def faults(self, tree: Tree, group: str) -> Iterator[Finding]:
        """The finding about the memory of a personality or user."""
        kind, _, name = group.partition(":")
        if kind not in ("personality", "user") or not files.is_id(name):
            return
        path = files.path_of(group, files.MEMORY)
        rows = raw_lines(js.decode(read_if_there(tree, path) or b"").removeprefix("\ufeff"))
        first = next((number for number, row in enumerate(rows) if _SECTION.match(row)), 0)
        for number, row in enumerate(rows[:first], 1):
            if row.strip() and not _HEADING.match(row):
                says = "Text stands before the first section of {file}: the agent goes by sections, and it is in none."
                level = finding.Level.INFO
                yield finding.Finding(structure.UNSEEN, path, number, says=says, level=level, kind="before-sections", quoted=row)
                return


class EthosLayout(AgentLayout):
    """`MEMORY.md` and `USER.md` of a personality with further files next to them; `USER.md` of a user; files of a team."""

    kind = "ethos"
    title = "Ethos"
    has_others = True
    prompts_of = ("personality",)
    programs = files.PROGRAMS
    old_files = (files.MEMORY, files.USER)

    @property
    def checks(self) -> Checks:
        """The check of sections."""
        return SectionChecks()

    def groups(self, folders: Listing) -> list[str]:
        """`personality:ID`, then `user:ID` and `team:ID`; folders with invalid ids are skipped."""
        kinds = (("personality", files.PERSONALITIES), ("user", files.USERS), ("team", files.TEAMS))
        return [f"{kind}:{name}" for kind, home in kinds for name in folders(home) if files.is_id(name)]

    def home_of(self, group: str) -> str:
        """The folder of a scope."""
        kind, _, name = group.partition(":")
        if kind == "team" and files.is_id(name):
            return f"{files.TEAMS}/{name}/memory"
        return files.scope_folder(group) if kind in ("personality", "user") and files.is_id(name) else ""

    def project_folders(self, project: str) -> tuple[Folder, ...]:
        """The one folder of a scope."""
        home = self.home_of(project)
        return (Folder(home, project, first=files.MEMORY, place=self.ref_at, endings=(EXTENSION,)),) if home else ()

    place = staticmethod(files.place)
    new_path = staticmethod(files.new_path)

    is_lock = staticmethod(files.is_lock)

    def finds(self, text: str, query: str) -> bool:
        """Matches the whole query, ignoring case."""
        return prompt.matches(text, query)

    def check(self, tree: Tree, path: str, before: bytes | None, after: bytes | None) -> None:
        """Refuse writes to an encrypted store, and invalid names."""
        super().check(tree, path, before, after)
        if is_encrypting(tree) or writes.is_encrypted(before or b""):
            raise RuleBroken("encrypted", "Ethos encrypts this store, and plain text is not put there. Nothing was written.")
        if before is None:
            files.refuse_odd(path.rpartition("/")[2])
        if after is not None and js.decode(after).encode() != after:
            raise RuleBroken("utf8", f"{printable_path(path)}: Ethos reads UTF-8 only. Nothing was written.")

    def prompt(self, tree: Tree, moment: Moment) -> AgentPrompt:
        """The prompt of a personality before the user's first message; for a user, that of the personality they talk to.

        Of several personalities it is the first: what it has of the user the others have, too. Teams have none.
        """
        kind, _, name = moment.project.partition(":")
        said = settings(tree, (files.SETTINGS,))
        keeper = nested(said, "memory")
        if isinstance(keeper, str) and keeper != "markdown":
            return no_prompt(f"Ethos keeps its memory elsewhere: its {files.SETTINGS} says memory: {printable_path(keeper)}.")
        cap = size_at(said, "promptBudget", "memorySnapshotCap")
        if kind == "user" and files.is_id(name):
            homes = (each.name for each in tree.entries(files.PERSONALITIES) if each.kind is EntryKind.FOLDER)
            talks_to = next(filter(files.is_id, homes), "")
            if talks_to:
                found = prompt_of(tree, talks_to, name, cap=cap)
                return found._replace(rule=f"So does {talks_to} begin when this user talks. {found.rule}")
        elif self.has_prompt(moment.project):
            return prompt_of(tree, name, self.where.user, cap=cap)
        return no_prompt("Ethos makes a prompt for a personality: a team has none of its own.")


LAYOUT: Final = EthosLayout
