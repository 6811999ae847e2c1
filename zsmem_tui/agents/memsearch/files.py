"""Where memsearch's journals are, which files are days, and what it would index."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from zsmem_tui.agents.places import BAD_STEM, ENDINGS, GLOBAL, Place, visible
from zsmem_tui.core.daily import is_log_name
from zsmem_tui.core.ignore_rules import Rule, is_ignored, parse
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.tree import EntryKind, Tree

FOLDER: Final = ".memsearch"
MEMORY: Final = "memory"
NOTES: Final = "notes"
DERIVED_BESIDE: Final = ("PROJECT.md", "USER.md")
"""Files next to the journals' folder that a maintenance task rewrites; neither in the prompt nor indexed."""
PROGRAMS: Final = ("memsearch",)
"""The names of the agent's process: a lock file counts only while one of these holds it."""

DISABLE: Final = "MEMSEARCH_DISABLE"
ANCHOR: Final = re.compile(r"^<!--\s.*\b(?:session|rollout|turn|transcript|db):.*-->\s*$")
"""A line written by the plugins that links to a transcript."""
_LOCK: Final = re.compile(r".*\.lock|\.capture\.pid")


def project(tree: Tree, working: str, env: Mapping[str, str]) -> str:
    """The project for the Claude Code plugin: the git top level, else `CLAUDE_PROJECT_DIR`, else the working folder."""
    folder = working
    while True:
        git = tree.entry(f"{folder.rstrip('/')}/.git")
        if git is not None and (git.kind is EntryKind.FILE or tree.entry(f"{folder.rstrip('/')}/.git/HEAD") is not None):
            return folder
        above = posixpath.dirname(folder)
        if above == folder or not above:
            return posixpath.join(working, env.get("CLAUDE_PROJECT_DIR", ""))
        folder = above


def memory_folder(tree: Tree, working: str, env: Mapping[str, str]) -> str:
    """The journals' folder for the Claude Code plugin: in `MEMSEARCH_DIR` if set, else in the project."""
    named = env.get("MEMSEARCH_DIR")
    base = posixpath.join(working, named) if named else posixpath.join(project(tree, working, env), FOLDER)
    return f"{base}/{MEMORY}"


def not_shown(env: Mapping[str, str], working: str, root: str) -> str:
    """Why the Claude Code plugin shows nothing of the journals in `root`, by its environment; empty if it does."""
    if env.get(DISABLE) == "1":
        return f"memsearch shows nothing: {DISABLE} is set."
    named = env.get("MEMSEARCH_DIR")
    shown = posixpath.normpath(posixpath.join(working, named, MEMORY)) if named else root
    return "" if shown == root else f"memsearch shows Claude Code the days in {printable_path(shown)}, as MEMSEARCH_DIR says."


def place(path: str) -> Place | None:
    """The place of a file in the journals' folder: a day or a note; None if memsearch does not index it."""
    if not visible(path) or not path.lower().endswith(ENDINGS):
        return None
    if is_log_name(path):
        return Place(GLOBAL, Role.LOG, path.removesuffix(".md"))
    return Place(GLOBAL, Role.NOTE, path)


def new_path(role: Role, group: str, name: str) -> str | None:
    """The path for a new file; None for roles that memsearch does not have.

    Notes go into a subfolder, since some plugins take any top-level name that sorts after digits for a recent day.
    """
    if role is Role.LOG and is_log_name(f"{name}.md"):
        return f"{name}.md"
    return f"{NOTES}/{name}.md" if role is Role.NOTE and not BAD_STEM.search(name) else None


def is_lock(name: str) -> bool:
    """Whether a file next to or above the journals is a lock of a capture or a maintenance task."""
    return _LOCK.fullmatch(name) is not None


def scan(tree: Tree, paths: Sequence[str], exclude: Sequence[str] = (), ignore_files: Sequence[str] = ()) -> list[str]:
    """The files that memsearch indexes, as real paths sorted by folder and name.

    A Markdown file given as a path is always taken. In folders, hidden names and links to folders are skipped; ignore files apply
    from their folder down, `exclude` last. For a link to a file, rules apply to its target. Raises `ValueError` for an ignore file
    name with a slash, `FileNotFoundError` for a broken link to Markdown.
    """
    if any("/" in name for name in ignore_files):
        raise ValueError("an ignore file is named without folders")
    found: set[str] = set()
    for path in paths:
        entry = tree.entry(path)
        if entry is not None and entry.kind is EntryKind.FOLDER:
            found.update(_walk(tree, path, "", ignore_files, [], tuple(parse("\n".join(exclude), ""))))
        elif entry is not None and entry.kind is EntryKind.FILE and _is_markdown(real := tree.real(path)):
            found.add(real)
    return sorted(found, key=lambda each: each.split("/"))


def _walk(
    tree: Tree, base: str, below: str, ignore_files: Sequence[str], rules: list[Rule], last: tuple[Rule, ...]
) -> Iterable[str]:
    """The files of a folder, then those of its subfolders. `rules` collects the rules of all ignore files so far."""
    folder = f"{base}/{below}".rstrip("/")
    entries = tree.entries(folder)
    for entry in entries:
        if entry.name in ignore_files and entry.kind is EntryKind.FILE:
            rules += parse(tree.read(f"{folder}/{entry.name}").decode("utf-8", "replace"), below)
    folders: list[str] = []
    for entry in entries:
        path = f"{below}/{entry.name}" if below else entry.name
        if entry.name.startswith("."):
            continue
        if entry.kind is EntryKind.FOLDER:
            folders += [] if entry.is_link or is_ignored((*rules, *last), path, True) else [path]
        elif _is_markdown(entry.name) and entry.kind is not EntryKind.OTHER:
            real = tree.real(f"{folder}/{entry.name}")
            if entry.is_link and is_out(_inside(tree, base, real), (*rules, *last)):
                continue
            if not entry.is_link and is_ignored((*rules, *last), path, False):
                continue
            if entry.kind is EntryKind.NOTHING:
                raise FileNotFoundError(2, "the link leads nowhere", f"{folder}/{entry.name}")
            yield real
    for path in folders:
        yield from _walk(tree, base, path, ignore_files, rules, last)


def _inside(tree: Tree, base: str, real: str) -> str:
    """A real path relative to a folder; empty if it is outside."""
    home = tree.real(base)
    if home == tree.real(""):
        return "" if real.startswith("/") else real
    return real.removeprefix(f"{home}/") if real.startswith(f"{home}/") else ""


def is_out(path: str, rules: Sequence[Rule]) -> bool:
    """Whether rules exclude a file or one of its parent folders."""
    parts = path.split("/")
    above = ("/".join(parts[:count]) for count in range(1, len(parts)))
    return bool(path) and (any(is_ignored(rules, each, True) for each in above) or is_ignored(rules, path, False))


def _is_markdown(path: str) -> bool:
    return posixpath.splitext(path)[1].lower() in ENDINGS
