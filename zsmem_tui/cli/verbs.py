"""All verbs with their help lines, in the order of the help. Each verb is a module of its name in `commands`."""

from __future__ import annotations

import argparse
from importlib import import_module
from keyword import iskeyword
from typing import TYPE_CHECKING, Final, NamedTuple, cast

if TYPE_CHECKING:
    from typing import Protocol

    from zsmem_tui.service.session import Session

    class Command(Protocol):
        """The interface of a module in `commands`."""

        EXAMPLES: str

        def arguments(self, parser: argparse.ArgumentParser) -> None:
            """Declare the verb's own arguments; missing if it has none."""

        def run(self, session: Session, args: argparse.Namespace) -> int:
            """Run the verb; return the exit code."""


class Verb(NamedTuple):
    """A verb: its help line, and which shared flag it takes.

    `needs_settings`: it fails if the settings file is invalid. `has_groups`: without `--store`, `--group` and `--user` refer to the
    other agent. `any_store`: without `--store`, it works on the store with memory of the folder; other verbs use zerostack's or
    none. `of_group`: it works on one group of the store, not on all.
    """

    help: str
    flag: str = ""
    needs_store: bool = True
    has_groups: bool = False
    needs_settings: bool = True
    any_store: bool = True
    of_group: bool = True


JSON: Final = "--json"
DRY_RUN: Final = "--dry-run"

HEADINGS: Final = {
    "see what is remembered": ("status", "stores", "projects", "list", "search", "read", "context", "facts", "slug"),
    "change it": ("write", "edit", "editor", "clear", "scratch", "file", "promote", "demote", "fit"),
    "look after it": ("today", "review", "history", "doctor", "misses", "undo"),
    "share it between agents": ("import", "export", "sync", "connect", "mcp", "hook"),
    "this program": ("serve", "config", "completion", "help", "man"),
}
"""The headings of the help with their verbs."""

VERBS: Final = {
    "status": Verb("Show sizes and counts of this project's memory.", JSON),
    "stores": Verb(
        "List every agent's memory on this machine, and what of it would be in a prompt here.",
        JSON,
        needs_store=False,
        any_store=False,
    ),
    "projects": Verb(
        "List all projects and what has become of their folders; move, merge, archive and name them.", JSON, of_group=False
    ),
    "list": Verb("List the files that the agent lists and searches.", JSON),
    "search": Verb("Search for words, letter for letter, ranked, with the lines around each match.", JSON),
    "read": Verb("Print a memory file.", JSON),
    "context": Verb("Print the block that goes into the agent's prompt, byte for byte.", JSON),
    "facts": Verb("List facts: what of each is in the prompt, what stands twice, what is new.", JSON),
    "slug": Verb(
        "Print the slug of a folder: what zerostack calls its project, as api-1a2b3c4d.",
        JSON,
        needs_store=False,
        any_store=False,
    ),
    "write": Verb("Add to a memory file, or replace it.", DRY_RUN),
    "edit": Verb("Replace one passage of a memory file, or delete a note.", DRY_RUN),
    "editor": Verb("Edit a memory file in $VISUAL or $EDITOR.", DRY_RUN),
    "clear": Verb("Empty the scratchpad or today's log.", DRY_RUN),
    "scratch": Verb("List, tick, edit, move and archive scratchpad items, in one project or all.", DRY_RUN),
    "file": Verb("Make, rename, copy, move, delete and bring back memory files.", DRY_RUN),
    "promote": Verb("Move facts into an instruction file that the agent reads, between its markers.", DRY_RUN),
    "demote": Verb("Move facts that were promoted back into memory.", DRY_RUN),
    "fit": Verb("Make the memory fit into the prompt by few moves, with no line lost from disk.", DRY_RUN),
    "today": Verb("Print what Review shows first: what others wrote in this folder, and what is wrong.", JSON),
    "review": Verb("List what others wrote since you last looked; mark it as seen, or put it back, by lines.", JSON),
    "history": Verb("List, print, compare and bring back earlier versions, whoever wrote them.", JSON, needs_store=False),
    "doctor": Verb("Find what is wrong, doubled, out of date or broken in the memory, and mend it.", DRY_RUN),
    "misses": Verb("List what was looked for in vain and found in other words; write it as aliases.", DRY_RUN),
    "undo": Verb("Undo the last step made here, across files.", DRY_RUN, needs_store=False, of_group=False),
    "import": Verb("Bring in another agent's memory, a folder of Markdown, or a bundle.", DRY_RUN, has_groups=True),
    "export": Verb("Write memory as another agent keeps it, as Markdown, or as a bundle.", DRY_RUN, has_groups=True),
    "sync": Verb(
        "Share memory with your other machines, over a git repository that you name.",
        DRY_RUN,
        needs_store=False,
        any_store=False,
    ),
    "connect": Verb(
        "Connect an agent to zerostack's memory: zsmem's server and hooks in its settings, at once; --dry-run only shows.",
        DRY_RUN,
        False,
    ),
    "mcp": Verb(
        "Serve zerostack's memory to an agent: the Model Context Protocol over standard input and output.",
        needs_store=False,
        any_store=False,
    ),
    "hook": Verb(
        "Answer an agent's hook: zerostack's memory at the start of a session, the summary of a compaction into the log.",
        any_store=False,
    ),
    "serve": Verb("Open the program in a browser, for whoever has the address that is printed."),
    "config": Verb(
        "Print every setting with where it comes from, or check the settings file.",
        JSON,
        needs_store=False,
        needs_settings=False,
        any_store=False,
    ),
    "completion": Verb(
        "Print a completion script for bash, zsh or fish.",
        needs_store=False,
        needs_settings=False,
        any_store=False,
    ),
    "help": Verb(
        "Print a page of help: commands, settings, formats, the exact behaviour.",
        needs_store=False,
        needs_settings=False,
        any_store=False,
    ),
    "man": Verb("Print the manual page.", needs_store=False, needs_settings=False, any_store=False),
}


def parser_of(parser: argparse.ArgumentParser, verb: str) -> argparse.ArgumentParser:
    """The verb's own parser in the whole one."""
    every = next(each for each in parser._actions if isinstance(each, argparse._SubParsersAction))
    found: argparse.ArgumentParser = every.choices[verb]
    return found


def command(name: str) -> Command:
    """Import a verb's module; done lazily, so that a run loads only its own verb."""
    return cast("Command", import_module(f"zsmem_tui.cli.commands.{name}{'_' * iskeyword(name)}"))
