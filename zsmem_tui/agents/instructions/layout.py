"""A project's folder as a store of its instruction files. Other files are invisible; links out of it are not followed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from zsmem_tui.agents.agent_layout import AgentLayout, no_prompt
from zsmem_tui.agents.claude_code import agent as claude_agent
from zsmem_tui.agents.claude_code import files as claude_code
from zsmem_tui.agents.gemini import agent as gemini
from zsmem_tui.agents.places import GLOBAL, Place
from zsmem_tui.agents.qwen_code import agent as qwen_code
from zsmem_tui.agents.zerostack.layout import ZEROSTACK
from zsmem_tui.core.layout import Disk, Folder
from zsmem_tui.core.light_imports import late_modules
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import raw_lines
from zsmem_tui.core.tree import Tree, walk

if TYPE_CHECKING:
    from zsmem_tui.agents.claude_code import orders
    from zsmem_tui.agents.prompt_parts import AgentPrompt
    from zsmem_tui.core.context import Moment, Reader
else:  # loaded with the first text
    (orders,) = late_modules("zsmem_tui.agents.claude_code", "orders")

AT_THE_TOP: Final = tuple(
    dict.fromkeys((*ZEROSTACK.context_files, claude_code.ORDERS, claude_code.LOCAL_ORDERS, qwen_code.ORDERS, gemini.ORDERS))
)
"""Files in the folder itself, in the order in which they are offered."""

TAKE_MEMORY: Final = tuple(name for name in AT_THE_TOP if name not in (claude_code.ORDERS, claude_code.LOCAL_ORDERS))
"""The files that facts can be loaded into."""

_OWNERS: Final = {gemini.ORDERS: gemini.AGENT.name, qwen_code.ORDERS: qwen_code.AGENT.name}
"""The kinds of the agents that alone read a file, except Claude Code's."""

NOT_BEGUN: Final = ZEROSTACK.context_files[-1]
"""A file about the code: facts go into one that is there, but none is offered to be begun for them."""

HIDES_OTHERS: Final = claude_code.ORDERS
"""The file that keeps its agent from reading `AGENTS.md`."""

SEEN_WHOLE: Final = ZEROSTACK.context_files
"""Files that zerostack puts into its prompt verbatim, including comments."""

_NO_IMPORTS: Final = tuple(name for name in SEEN_WHOLE if name != claude_code.ORDERS)
"""Files that agents read which follow no imports."""

CLAUDE_CODE: Final = claude_agent.AGENT.name
OWN_FOLDER: Final = claude_code.OWN_FOLDER
RULES: Final = f"{OWN_FOLDER}/{claude_code.RULES}"


def place(path: str) -> Place | None:
    """The place of a file; None if it is no instruction file."""
    is_rule = path.startswith(f"{RULES}/") and path.endswith(".md") and "/." not in path.removeprefix(RULES)
    if path in AT_THE_TOP or path == f"{OWN_FOLDER}/{claude_code.ORDERS}" or is_rule:
        return Place(GLOBAL, Role.INSTRUCTIONS, path)
    return None


def owner(path: str) -> str:
    """The kind of the agent that alone reads a file; empty for one of several agents, which is zerostack's as any."""
    return _OWNERS.get(path, "" if path in TAKE_MEMORY else CLAUDE_CODE)


def _is_without_links(tree: Tree, path: str) -> bool:
    """Whether an imported file and the folders that it is in are no links, which could lead out of the folder."""
    ends = [at for at, char in enumerate(path) if char == "/"]
    return all((entry := tree.entry(path[:end])) is not None and not entry.is_link for end in (*ends, len(path)))


class InstructionsLayout(AgentLayout):
    """`AGENTS.md`, `CLAUDE.md`, `ARCHITECTURE.md` and rules of one folder, for everybody."""

    kind = "instructions"
    title = "Instructions"
    has_others = True
    prompts_of = ()
    loads_comments = True
    """Whether an agent is used here that loads the comments of `SEEN_WHOLE`, too."""

    def global_folders(self) -> tuple[Folder, ...]:
        """The folder itself, Claude Code's own folder in it, and the rules there."""
        first = AT_THE_TOP[0]
        return (
            Folder("", first=first, place=self.ref_at, inside=True),
            Folder(OWN_FOLDER, first=first, place=self.ref_at, inside=True),
            Folder(RULES, first=first, place=self.ref_at, deep=True, inside=True),
        )

    place = staticmethod(place)

    def reads_head(self, path: str) -> bool:
        """Only of rules: it says for which files they are."""
        return path.startswith(f"{RULES}/")

    def new_path(self, role: Role, group: str, name: str) -> str | None:
        """The path for a file name, in any case and with or without extension, among those that agents read."""
        if role is not Role.INSTRUCTIONS or place(name) is not None:
            return name if role is Role.INSTRUCTIONS else None
        stems = {each: each.casefold().removesuffix(".md") for each in AT_THE_TOP}
        wanted = name.casefold().removesuffix(".md").replace("-", ".").removesuffix(".md") or stems[AT_THE_TOP[0]]
        return next((each for each, stem in stems.items() if stem == wanted), None)

    def always(self, reader: Reader) -> Mapping[str, frozenset[int]]:
        """The lines in the prompts of agents that read a file; for rules and Claude Code's own files, the lines that it loads. What
        these import from the folder is included.
        """
        root, tree = self.where.root, reader.tree()

        def read(path: str) -> str | None:
            own = path.removeprefix(f"{root}/")
            return reader.text(own) if own != path and (place(own) is not None or _is_without_links(tree, own)) else None

        def below(folder: str) -> list[str]:
            return [f"{folder}/{path}" for path in walk(tree, folder)]

        disk, others = Disk(read, below), [(f"{root}/{name}", False) for name in (qwen_code.ORDERS, gemini.ORDERS)]
        loaded = (
            *orders.loaded(others, self.where.home, disk, lambda path: True),
            *orders.of_folder(root, "", self.where.home, disk),
        )
        found = {each.path.removeprefix(f"{root}/"): each.lines for each in loaded}
        for name in SEEN_WHOLE:
            text = reader.text(name)
            if text is not None and (self.loads_comments or name not in found):
                found[name] = frozenset(range(len(raw_lines(text))))
        return found

    def dead_imports(self, path: str, text: str, is_there: Callable[[str], bool]) -> Sequence[tuple[int, str]]:
        """Those that begin with `@`, in the files of agents that follow them."""
        return () if path.rpartition("/")[2] in _NO_IMPORTS else orders.dead_imports(path, text, self.where.home, is_there)

    def prompt(self, tree: Tree, moment: Moment) -> AgentPrompt:
        """No prompt by itself."""
        return no_prompt("Each agent reads the instruction files that it knows; its own prompt says so.")


LAYOUT: Final = InstructionsLayout
