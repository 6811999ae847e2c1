"""The formats there are and the kinds of stores, in the order in which they are shown."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from enum import Enum, auto
from typing import Final, NamedTuple

from zsmem_tui.agents.agent_layout import Where
from zsmem_tui.agents.base import AgentFormat, Machine
from zsmem_tui.agents.claude_code import files as claude_code
from zsmem_tui.agents.claude_code import transcripts
from zsmem_tui.agents.claude_code.export import ClaudeCodeWriter
from zsmem_tui.agents.claude_code.layout import ClaudeCodeLayout
from zsmem_tui.agents.claude_code.transfer import ClaudeCode
from zsmem_tui.agents.ethos import files as ethos
from zsmem_tui.agents.ethos.export import EthosWriter
from zsmem_tui.agents.ethos.layout import EthosLayout
from zsmem_tui.agents.ethos.transfer import Ethos
from zsmem_tui.agents.instructions.export import InstructionsWriter
from zsmem_tui.agents.instructions.transfer import AgentsMd
from zsmem_tui.agents.markdown.export import MarkdownWriter
from zsmem_tui.agents.markdown.layout import MarkdownLayout
from zsmem_tui.agents.markdown.transfer import Markdown
from zsmem_tui.agents.memsearch import files as memsearch
from zsmem_tui.agents.memsearch.export import MemsearchWriter
from zsmem_tui.agents.memsearch.layout import MemsearchLayout
from zsmem_tui.agents.memsearch.transfer import Memsearch
from zsmem_tui.agents.oh_my_pi import files as oh_my_pi
from zsmem_tui.agents.oh_my_pi.export import OhMyPiWriter
from zsmem_tui.agents.oh_my_pi.layout import OhMyPiLayout
from zsmem_tui.agents.oh_my_pi.transfer import OhMyPi
from zsmem_tui.agents.opencode import files as opencode
from zsmem_tui.agents.opencode.export import OpencodeWriter
from zsmem_tui.agents.opencode.layout import OpencodeLayout
from zsmem_tui.agents.opencode.transfer import Opencode
from zsmem_tui.agents.outgoing import AgentWriter
from zsmem_tui.agents.zerostack.export import ZerostackWriter
from zsmem_tui.agents.zerostack.transfer import Zerostack
from zsmem_tui.core.layout import Layout
from zsmem_tui.core.tree import Heads

FORMATS: Final[tuple[AgentFormat, ...]] = (
    ClaudeCode(),
    OhMyPi(),
    Memsearch(),
    Opencode(),
    Ethos(),
    AgentsMd(),
    Zerostack(),
    Markdown(),
)

WRITERS: Final[tuple[AgentWriter, ...]] = (
    ClaudeCodeWriter(),
    OhMyPiWriter(),
    MemsearchWriter(),
    OpencodeWriter(),
    EthosWriter(),
    InstructionsWriter(),
    ZerostackWriter(),
    MarkdownWriter(),
)
"""The formats that memory is taken out to."""


class GoesBy(Enum):
    """By which folder an agent tells projects apart, for one who works somewhere in a repository."""

    FOLDER = auto()
    """The one worked in."""
    WORKTREE = auto()
    """The top of the work tree that it is in, where it is in one."""
    REPOSITORY = auto()
    """The top of the repository: its linked work trees share a memory."""


class AgentKind(NamedTuple):
    """A kind of store. `roots` are where the agent keeps its memory when nobody says otherwise, the one that is meant first.

    `group` is the group of a folder; empty where the kind has none of folders. `folders` are the groups of which the store itself
    says what folder they are of, with that folder. `folder_of` is the folder that a whole store at a root is about; empty where it
    is about more. `folder_settings` is the file beside a root in which the agent keeps what is set for single folders.
    """

    layout: Callable[[Where], Layout]
    roots: Callable[[Machine], list[str]]
    group: Callable[[str, Heads], str] = lambda folder, heads: ""
    folders: Callable[[Heads], list[tuple[str, str]]] = lambda heads: []
    folder_of: Callable[[str], str] = lambda root: ""
    folder_settings: Callable[[str], str] = lambda root: ""
    goes_by: GoesBy = GoesBy.FOLDER


def _in_folder(*below: str) -> Callable[[str], str]:
    """The folder that has a store at this place in it; empty for a root that lies elsewhere."""
    end = "/" + posixpath.join(*below)
    return lambda root: root.removesuffix(end) if root.endswith(end) else ""


KINDS: Final[dict[str, AgentKind]] = {
    "claude-code": AgentKind(
        ClaudeCodeLayout,
        lambda on: [claude_code.root(on.env, on.home)],
        transcripts.group_of,
        transcripts.folders,
        folder_settings=claude_code.folder_settings,
        goes_by=GoesBy.REPOSITORY,
    ),
    "ethos": AgentKind(EthosLayout, lambda on: [ethos.root(on.env, on.home)]),
    "opencode": AgentKind(
        OpencodeLayout,
        lambda on: [posixpath.join(on.home, opencode.GLOBAL_FOLDER), posixpath.join(on.folder, opencode.PROJECT_FOLDER)],
        folder_of=_in_folder(opencode.PROJECT_FOLDER),
    ),
    "memsearch": AgentKind(
        MemsearchLayout,
        lambda on: [posixpath.join(on.folder, memsearch.FOLDER, memsearch.MEMORY)],
        folder_of=_in_folder(memsearch.FOLDER, memsearch.MEMORY),
        goes_by=GoesBy.WORKTREE,
    ),
    "oh-my-pi": AgentKind(
        OhMyPiLayout,
        lambda on: [oh_my_pi.root(on.env, on.home, on.is_there)],
        lambda folder, heads: f"folder:{oh_my_pi.encoded(folder)}",
    ),
    "markdown": AgentKind(MarkdownLayout, lambda on: []),
}
"""Every kind but zerostack, by name."""
