"""The instruction files that Claude Code adds to every prompt, and which of their lines are loaded.

Based on public documents.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from zsmem_tui.agents.claude_code import files
from zsmem_tui.agents.yaml.reading import head_map
from zsmem_tui.core.code_spans import lines_without_code
from zsmem_tui.core.json_value import json_value, nested
from zsmem_tui.core.layout import Disk
from zsmem_tui.core.limits import EXTENSION
from zsmem_tui.core.markdown import BOM, outside_code
from zsmem_tui.core.text import raw_lines

OTHER_ORDERS: Final = "AGENTS.md"
"""Read if there is no file of Claude Code's own in the folder or its parents, or if one imports it."""

HOPS: Final = 4
"""The most levels of nested imports."""

LARGEST: Final = 4 * 1024 * 1024
"""The largest file in bytes that is loaded."""

_IMPORT: Final = re.compile(r"(?:^|(?<=[\s(]))@((?:\\ |[^\s\\])+)")
_AFTER_A_PATH: Final = ".,;:!?)'\""
_A_FILE: Final = re.compile(r"(?i)\.(?:md|mdx|mdc|markdown|txt|json|ya?ml|toml)$|^(?:~|\.{1,2}|)/.*\.[a-z]\w*$")
"""An import that certainly means a file; others may be people's names, packages or decorators."""


class Told(NamedTuple):
    """A file in every prompt, with the 0-based numbers of its loaded lines. `by` is the file that imports it."""

    path: str
    text: str
    lines: frozenset[int]
    by: str = ""

    @property
    def loaded(self) -> str:
        """Its text with lines that are not loaded blanked."""
        return "\n".join(line if number in self.lines else "" for number, line in enumerate(raw_lines(self.text)))


def of_everybody(root: str, home: str, disk: Disk, names: Sequence[str], rules: str) -> list[Told]:
    """What is loaded in any folder: these files of the folder `root` and the rules in it, with their imports."""
    places = [(f"{root}/{name}", False) for name in names]
    places += [(path, True) for path in _rules(disk, f"{root}/{rules}")] if rules else []
    return list(loaded(places, home, disk, lambda path: True))


def of_folder(folder: str, root: str, home: str, disk: Disk) -> list[Told]:
    """What is loaded in addition for a folder: its files and those of its parents, from `/` down.

    Imports from outside need the user's permission, which is unknown, so they are left out.
    """
    everybodys = (f"{root}/{files.ORDERS}", f"{root}/{files.RULES}")
    places = [path for path in files.instruction_places(folder) if path not in everybodys]
    tops = [path for path in places if not path.endswith(f"/{files.RULES}")]
    if files.reads_other_orders(path for path in tops if disk.read(path) is not None):
        places += [posixpath.join(path.removesuffix(files.ORDERS), OTHER_ORDERS) for path in tops if _is_at_the_top(path)]
    every: list[tuple[str, bool]] = []
    for path in places:
        every += [(each, True) for each in _rules(disk, path)] if path.endswith(f"/{files.RULES}") else [(path, False)]
    top = next((posixpath.dirname(path) for path in tops if _is_at_the_top(path) and disk.read(path) is not None), folder)
    return list(loaded(every, home, disk, lambda path: path.startswith(f"{top.rstrip('/')}/")))


def takes(folder: str, told: Sequence[Told], disk: Disk) -> list[str]:
    """The files of a folder, as relative paths, to which facts can be added so that they are in every prompt."""
    known = {each.path for each in told}
    own = [f"{files.OWN_FOLDER}/{files.ORDERS}", files.LOCAL_ORDERS]
    found = [name for name in own if f"{folder}/{name}" in known]
    rules = f"{files.OWN_FOLDER}/{files.RULES}"
    found += [path.removeprefix(f"{folder}/") for path in _rules(disk, f"{folder}/{rules}") if path in known]
    new = f"{rules}/memory.md"
    reads_others = f"{folder}/{OTHER_ORDERS}" in known
    imports_others = any(each.by and posixpath.basename(each.path) == OTHER_ORDERS for each in told)
    first = [OTHER_ORDERS, files.ORDERS] if reads_others and not imports_others else [files.ORDERS]
    last = [OTHER_ORDERS] if reads_others and OTHER_ORDERS not in first else []
    return [*first, *found, *([new] if new not in found else []), *last]


def _rules(disk: Disk, folder: str) -> list[str]:
    return [path for path in disk.below(folder) if path.endswith(EXTENSION)]


def _is_at_the_top(path: str) -> bool:
    return path.endswith(f"/{files.ORDERS}") and not path.endswith(f"/{files.OWN_FOLDER}/{files.ORDERS}")


def loaded(places: Sequence[tuple[str, bool]], home: str, disk: Disk, is_allowed: Callable[[str], bool]) -> Iterator[Told]:
    """These (path, is a rule) files with their imports, each once."""
    seen: set[str] = set()
    waiting = [(path, "", 0, is_rule) for path, is_rule in places]
    while waiting:
        path, by, hops, is_rule = waiting.pop(0)
        if path in seen:
            continue
        seen.add(path)
        text = disk.read(path)
        if text is None or (len(text) * 4 > LARGEST and len(text.encode()) > LARGEST):
            continue
        lines, imported = _read(text, is_rule=is_rule)
        if lines is None:
            continue
        yield Told(path, text, lines, by)
        if hops < HOPS:
            goals = [_resolved(word, path, home) for _, word in imported]
            waiting[:0] = [(goal, path, hops + 1, False) for goal in goals if goal and is_allowed(goal)]


def dead_imports(path: str, text: str, home: str, is_there: Callable[[str], bool]) -> list[tuple[int, str]]:
    """(0-based line, path as written) of the imports in a file that lead nowhere; not of words that may be no import."""
    _, imported = _read(text, is_rule=f"/{files.RULES}/" in path)
    found = ((line, word.rstrip(_AFTER_A_PATH)) for line, word in imported)
    return [(line, word) for line, word in found if _A_FILE.search(word) and not is_there(_resolved(word, path, home))]


def _read(text: str, *, is_rule: bool) -> tuple[frozenset[int] | None, list[tuple[int, str]]]:
    """The loaded lines (None: a rule for some paths only), and the imported paths with their lines."""
    lines = raw_lines(text.removeprefix(BOM))
    start = 0
    if is_rule and lines[0].rstrip("\r") == "---":
        end = next((number for number, line in enumerate(lines[1:], 1) if line.rstrip("\r") == "---"), None)
        if end is not None:
            head = head_map("\n".join(line.rstrip("\r") for line in lines[1:end])) or {}  # invalid YAML restricts nothing
            if head.get("paths"):
                return None, []
            start = end + 1
    bare = lines_without_code(lines[start:]) if "@" in text else ()
    kept: set[int] = set()
    found: list[tuple[int, str]] = []
    in_comment = False
    for row, line, outside in outside_code(lines[start:]):
        number = start + row
        if in_comment or (outside and line.lstrip(" ").startswith("<!--")):
            _, closed, rest = line.partition("-->")
            in_comment = not closed
            if rest.strip():
                kept.add(number)
            continue
        kept.add(number)
        if bare:
            found += [(number, word.replace("\\ ", " ")) for word in _IMPORT.findall(bare[row])]
    return frozenset(kept), found


def _resolved(word: str, by: str, home: str) -> str:
    """The absolute path of an import; empty if it is invalid."""
    word = word.rstrip(_AFTER_A_PATH)
    if not word or word == "~" or "\0" in word:
        return ""
    if word.startswith("~/"):
        return posixpath.normpath(f"{home}/{word[2:]}")
    return posixpath.normpath(posixpath.join(posixpath.dirname(by), word))


def context_names(disk: Disk, settings: str, *keys: str) -> tuple[str, ...]:
    """The names of instruction files in a settings file; empty if there are none or it is no valid JSON."""
    try:
        found = nested(json_value((disk.read(settings) or "null").encode("utf-8", "surrogateescape")), *keys)
    except ValueError:
        return ()
    names = [found] if isinstance(found, str) else found if isinstance(found, list) else []
    return tuple(each for each in names if isinstance(each, str) and each and "/" not in each and "\0" not in each)
