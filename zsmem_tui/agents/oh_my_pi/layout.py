"""oh-my-pi's store: one folder of lessons, and of what it makes of them, for each folder worked in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Final

from zsmem_tui.agents.agent import Write
from zsmem_tui.agents.agent_layout import AgentLayout, no_prompt
from zsmem_tui.agents.javascript import decode
from zsmem_tui.agents.oh_my_pi import files, prompt
from zsmem_tui.agents.oh_my_pi.files import LEARNED
from zsmem_tui.agents.oh_my_pi.lessons import MOST_LESSONS, Lesson, is_lesson, learned, line_of
from zsmem_tui.agents.prompt_parts import AgentPrompt
from zsmem_tui.core.checks.by_kind import Checks
from zsmem_tui.core.checks.finding import Finding, Fix, LineEdit
from zsmem_tui.core.checks.structure import OVER_BUDGET
from zsmem_tui.core.context import Moment
from zsmem_tui.core.layout import Folder, Listing
from zsmem_tui.core.limits import EXTENSION
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import raw_lines
from zsmem_tui.core.tree import Tree, read_if_there


class OhMyPiMemory:
    """What is remembered of `folder` below `root`, the folder of all memories."""

    def __init__(self, tree: Tree, root: str, folder: str, write: Write, *, platform: str = "posix") -> None:
        self._tree = tree
        self._write = write
        self.group_folder = files.encoded(folder, platform)
        """The name of the folder's memory; other folders may share it."""
        self._home = f"{root}/{self.group_folder}"

    def prompt(self, *, limit: int = prompt.LIMIT, backend: str = "local") -> AgentPrompt:
        """What goes into the prompt; nothing while oh-my-pi's memory backend is another one. Raises `Unreadable`."""
        if backend != "local":
            return AgentPrompt(None)
        return prompt.prompt(self._text(files.SUMMARY), self._text(files.LEARNED), limit=limit)

    def learn(self, lessons: Iterable[Lesson]) -> list[int]:
        """Write lessons as the agent's tool does, one after the other: for each, how many were stored.

        Raises `OutsideStore` or `WriteFailed`.
        """
        stored: list[int] = []
        for lesson in lessons:
            count = int(bool(line_of(lesson)))
            if count:
                path = f"{self.group_folder}/{files.LEARNED}"
                self._write(path, partial(learned, lesson=lesson))
            stored.append(count)
        return stored

    def _text(self, name: str) -> str:
        return decode(read_if_there(self._tree, f"{self._home}/{name}") or b"").removeprefix("\ufeff")


class LessonChecks(Checks):
    """The rule of a hundred."""

    def faults(self, tree: Tree, group: str) -> Iterator[Finding]:
        """What is wrong with the lessons of a folder."""
        kind, _, name = group.partition(":")
        if kind == "folder" and name:
            path = f"{name}/{LEARNED}"
            yield from _too_many(read_if_there(tree, path) or b"", path)


def _too_many(raw: bytes, path: str) -> Iterator[Finding]:
    """More lessons than are kept; the first that would go is named by its line."""
    rows = raw_lines(decode(raw))
    lessons = [number for number, line in enumerate(rows, 1) if is_lesson(line)]
    if len(lessons) > MOST_LESSONS:
        yield Finding(
            OVER_BUDGET,
            path,
            lessons[MOST_LESSONS],
            says="The file has {size} lessons: of more than {limit} the agent drops the lowest when it learns another.",
            kind="many-lessons",
            size=len(lessons),
            limit=MOST_LESSONS,
            fix=Fix(
                "Begin the lessons that are too many with `*` instead of `-`: the agent does not drop them then.",
                edits=tuple(_kept(path, number, rows[number - 1]) for number in lessons[MOST_LESSONS:]),
            ),
        )


def _kept(path: str, number: int, row: str) -> LineEdit:
    """A lesson with the mark of a list that is not counted: the agent reads it as before, and never drops it."""
    row = row.removesuffix("\r")
    mark = row.index("-")
    return LineEdit(path, number, (row,), (f"{row[:mark]}*{row[mark + 1 :]}",))


class OhMyPiLayout(AgentLayout):
    """`learned.md` for each folder worked in; all else there is made by the agent."""

    kind = "oh-my-pi"
    title = "oh-my-pi"
    orders = ("AGENTS.md",)
    prompts_of = ("folder",)
    programs = files.PROGRAMS
    checks = LessonChecks()

    def groups(self, folders: Listing) -> list[str]:
        """`folder:NAME`, with the name as oh-my-pi encodes it."""
        return [f"folder:{name}" for name in folders("") if name.startswith("--") and name.endswith("--")]

    def home_of(self, group: str) -> str:
        """The folder of that name."""
        kind, _, name = group.partition(":")
        return name if kind == "folder" and name.startswith("--") and name.endswith("--") else ""

    def group_named_after(self, folder: str) -> str:
        """The folder whose name is the path, with `-` for what parts it: other folders may share it."""
        return f"folder:{files.encoded(folder)}"

    def project_folders(self, project: str) -> tuple[Folder, ...]:
        """That folder with all below it."""
        home = self.home_of(project)
        return (Folder(home, project, place=self.ref_at, deep=True, endings=(EXTENSION,)),) if home else ()

    place = staticmethod(files.place)

    def new_path(self, role: Role, group: str, name: str) -> str | None:
        """Where a file of a role goes."""
        return files.new_path(role, group)

    is_lock = staticmethod(files.is_lock)

    def part(self, role: Role | None) -> str:
        """What the share of files of this role is called."""
        return {Role.FACTS: "lessons", Role.DERIVED: "summary"}.get(role, "other") if role else "other"

    def prompt(self, tree: Tree, moment: Moment) -> AgentPrompt:
        """The summary and the lessons of the folder."""
        home = self.home_of(moment.project)
        if not home:
            return no_prompt("oh-my-pi remembers by the folder worked in, and none is chosen.")
        paths = (f"{home}/{files.SUMMARY}", f"{home}/{files.LEARNED}")
        summary, learned = (decode(read_if_there(tree, path) or b"").removeprefix("\ufeff") for path in paths)
        return prompt.prompt(summary, learned, paths=paths)


def memory(tree: Tree, root: str, folder: str, write: Write) -> OhMyPiMemory:
    """The memory of a folder, for a program."""
    return OhMyPiMemory(tree, root, folder, write)


LAYOUT: Final = OhMyPiLayout
