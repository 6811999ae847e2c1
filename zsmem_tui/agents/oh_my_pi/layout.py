"""oh-my-pi's store: per folder, lessons and what the agent generates from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Final

from zsmem_tui.agents.agent import Write
from zsmem_tui.agents.agent_layout import AgentLayout, no_prompt, settings, size_at
from zsmem_tui.agents.oh_my_pi import files
from zsmem_tui.agents.oh_my_pi.files import LEARNED
from zsmem_tui.core.checks.by_kind import Checks
from zsmem_tui.core.json_value import nested
from zsmem_tui.core.layout import Folder, Learned, Listing
from zsmem_tui.core.light_imports import late_modules
from zsmem_tui.core.limits import EXTENSION
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import printable_path, raw_lines
from zsmem_tui.core.tree import Tree, read_if_there

if TYPE_CHECKING:
    from zsmem_tui.agents import javascript as js
    from zsmem_tui.agents import prompt_parts
    from zsmem_tui.agents.oh_my_pi import lessons as rules
    from zsmem_tui.agents.oh_my_pi import prompt
    from zsmem_tui.agents.oh_my_pi.lessons import Lesson
    from zsmem_tui.agents.prompt_parts import AgentPrompt
    from zsmem_tui.core.checks import finding, structure
    from zsmem_tui.core.checks.finding import Finding, LineEdit
    from zsmem_tui.core.context import Moment
else:  # loaded with the first text: names tell which files there are
    js, prompt_parts = late_modules("zsmem_tui.agents", "javascript prompt_parts")
    rules, prompt = late_modules("zsmem_tui.agents.oh_my_pi", "lessons prompt")
    finding, structure = late_modules("zsmem_tui.core.checks", "finding structure")


class OhMyPiMemory:
    """The memory of `folder` in `root`, the folder of all memories."""

    def __init__(self, tree: Tree, root: str, folder: str, write: Write, *, platform: str = "posix") -> None:
        self._tree = tree
        self._write = write
        self.group_folder = files.encoded(folder, platform)
        """The name of the folder's memory; other folders may share it."""
        self._home = f"{root}/{self.group_folder}"

    def prompt(self, *, limit: int | None = None, backend: str = "local") -> AgentPrompt:
        """The prompt; nothing if oh-my-pi uses another memory backend. Raises `Unreadable`."""
        if backend != "local":
            return prompt_parts.AgentPrompt(None)
        return prompt.prompt(self._text(files.SUMMARY), self._text(files.LEARNED), limit=prompt.LIMIT if limit is None else limit)

    def learn(self, lessons: Iterable[Lesson]) -> list[int]:
        """Store lessons as the agent's tool does, one by one; return for each how many were stored.

        Raises `OutsideStore` or `WriteFailed`.
        """
        stored: list[int] = []
        for lesson in lessons:
            count = int(bool(rules.line_of(lesson)))
            if count:
                path = f"{self.group_folder}/{files.LEARNED}"
                self._write(path, partial(rules.learned, lesson=lesson))
            stored.append(count)
        return stored

    def _text(self, name: str) -> str:
        return js.decode(read_if_there(self._tree, f"{self._home}/{name}") or b"").removeprefix("\ufeff")


class LessonChecks(Checks):
    """The check of the limit of a hundred lessons."""

    def faults(self, tree: Tree, group: str) -> Iterator[Finding]:
        """The findings about the lessons of a folder."""
        kind, _, name = group.partition(":")
        if kind == "folder" and name:
            path = f"{name}/{LEARNED}"
            yield from _too_many(read_if_there(tree, path) or b"", path)


def _too_many(raw: bytes, path: str) -> Iterator[Finding]:
    """A finding if there are too many lessons, at the line of the first one to be dropped."""
    rows = raw_lines(js.decode(raw))
    lessons = [number for number, line in enumerate(rows, 1) if rules.is_lesson(line)]
    if len(lessons) > rules.MOST_LESSONS:
        yield finding.Finding(
            structure.OVER_BUDGET,
            path,
            lessons[rules.MOST_LESSONS],
            says="The file has {size} lessons: of more than {limit} the agent drops the lowest when it learns another.",
            kind="many-lessons",
            size=len(lessons),
            limit=rules.MOST_LESSONS,
            fix=finding.Fix(
                "Begin the lessons that are too many with `*` instead of `-`: the agent does not drop them then.",
                edits=tuple(_uncounted_edit(path, number, rows[number - 1]) for number in lessons[rules.MOST_LESSONS :]),
            ),
        )


def _uncounted_edit(path: str, number: int, row: str) -> LineEdit:
    """The edit that changes a lesson's bullet to `*`: the agent still reads it, but does not count or drop it."""
    row = row.removesuffix("\r")
    mark = row.index("-")
    return finding.LineEdit(path, number, (row,), (f"{row[:mark]}*{row[mark + 1 :]}",))


class OhMyPiLayout(AgentLayout):
    """`learned.md` for each folder; everything else there is generated by the agent."""

    kind = "oh-my-pi"
    title = "oh-my-pi"
    orders = ("AGENTS.md",)
    prompts_of = ("folder",)
    programs = files.PROGRAMS

    @property
    def checks(self) -> Checks:
        """The check of the lessons' limit."""
        return LessonChecks()

    def groups(self, folders: Listing) -> list[str]:
        """`folder:NAME`, with the name as oh-my-pi encodes it."""
        return [f"folder:{name}" for name in folders("") if name.startswith("--") and name.endswith("--")]

    def home_of(self, group: str) -> str:
        """The folder with that name."""
        kind, _, name = group.partition(":")
        return name if kind == "folder" and name.startswith("--") and name.endswith("--") else ""

    def group_named_after(self, folder: str) -> str:
        """The group with the folder's encoded path, which other folders may share."""
        return f"folder:{files.encoded(folder)}"

    def project_folders(self, project: str) -> tuple[Folder, ...]:
        """That folder with everything below."""
        home = self.home_of(project)
        return (Folder(home, project, place=self.ref_at, deep=True, endings=(EXTENSION,)),) if home else ()

    place = staticmethod(files.place)
    new_path = staticmethod(files.new_path)

    def learned(self, raw: bytes | None, text: str, *, is_task: bool) -> Learned:
        """The lessons with one made of that text on top."""
        return Learned(*rules.with_fact(raw, text, is_task=is_task))

    is_lock = staticmethod(files.is_lock)

    def part(self, role: Role | None) -> str:
        """The label of the prompt's share of files of this role."""
        return {Role.FACTS: "lessons", Role.DERIVED: "summary"}.get(role, "other") if role else "other"

    def prompt(self, tree: Tree, moment: Moment) -> AgentPrompt:
        """The summary and the lessons of the folder."""
        home = self.home_of(moment.project)
        if not home:
            return no_prompt("oh-my-pi remembers by the folder worked in, and none is chosen.")
        said = settings(tree, files.SETTINGS)
        backend = nested(said, "memory", "backend")
        if isinstance(backend, str) and backend != "local":
            return no_prompt(f"oh-my-pi does not use these files: its settings say backend: {printable_path(backend)}.")
        limit = size_at(said, "memories", "summaryInjectionTokenLimit")
        paths = (f"{home}/{files.SUMMARY}", f"{home}/{files.LEARNED}")
        summary, learned = (js.decode(read_if_there(tree, path) or b"").removeprefix("\ufeff") for path in paths)
        return prompt.prompt(summary, learned, limit=prompt.LIMIT if limit is None else limit, paths=paths)


def memory(tree: Tree, root: str, folder: str, write: Write) -> OhMyPiMemory:
    """The memory of a folder, for programs."""
    return OhMyPiMemory(tree, root, folder, write)


LAYOUT: Final = OhMyPiLayout
