"""The rule `dead-path`: paths to files that the project's folder does not have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from zsmem_tui.core.checks.around import Around, Tree
from zsmem_tui.core.checks.document import Document, Form, Saying, Text
from zsmem_tui.core.checks.finding import Finding, Level, Rule
from zsmem_tui.core.checks.links import GONE, Dead, dead_ends, mistyped, prose
from zsmem_tui.core.code_spans import code_spans, without_code

LONGEST: Final = 400
"""The most characters of a word that may be a path."""

_LINKED: Final = re.compile(r"\[\[[^\[\]\n]{0,300}\]\]|\[[^\[\]\n]{0,300}\]\([^()\n]{0,500}\)|~~[^~\n]{0,500}~~|<[^<>\n]{0,500}>")
_WORD: Final = re.compile("[^\\s`\"'()|\\[\\]{}<>,;\u3000-\u3002\u300c-\u300f\uff08\uff09\uff0c\uff1b]+")
_BEHIND: Final = re.compile(r"(?:::[\w:\[\]-]+|:[0-9]+(?:[:-][0-9]+)?|#[\w-]+)$")
_SHAPE: Final = re.compile(r"(?![@-])(?:\./)?[\w.@+-]+(?:/[\w.@+=-]+)*/?")
_EXTENSION: Final = re.compile(r"\.(?!v[0-9])[A-Za-z][A-Za-z0-9]{0,9}$")
"""File extensions, as opposed to the ends of branch names and versions."""
_EXAMPLES: Final = re.compile(
    r"(?i)\be\.\s?g\.|\bexamples?\b|\bsuch as\b|\bfor instance\b|\bz\.\s?B\.|\bzum Beispiel\b|\bbeispielsweise\b|\bBeispiel\b"
    "|\\betwa [`\"'*]*\x01"
    "|(?<![\u7528\u4e8b\u6761\u6163])\u4f8b(?![\u5916\u4f1a\u5e74\u898f])|\u305f\u3068\u3048\u3070|\u306e\u3088\u3046\u306b|\u306e\u3088\u3046\u306a"
)
_PRODUCED: Final = re.compile(
    r"(?i)\b(?:creat|generat|writ|sav|produc|emit|add|plac|stor|export|cop|mov|renam)(?:e|es|ing|s|y|ies|ed|)\b[^.;\n\x01]{0,40}\x01"
    r"|\b(?:produced|emitted|created|written|saved) (?:by|in|to|at|when|during)\b(?! [`\"'(*]*\x01)"
    r"|\bif (?:it )?(?:exists?|present|any|needed|missing)\b"
    r"|\x01[`\"')]* ?(?:\u2192|->|=>) ?[`\"'(]*\x01"
)
"""Shows that a line is about a file that will be created or was moved."""

_PLACEHOLDER: Final = re.compile(
    r"(?i)(?:^|/)(?:path/to|some/path|foo|bar|baz|qux|x+|n+|yyyy|abc|name|id|slug|hash|module|feature|component|filename|file)(?:[./_-]|$)"
    r"|(?:^|[/_.-])(?:foo|bar|examples?|sample|placeholder|my|your|some|xx+|nn+|yyyy|mm-dd|name)(?:[/_.-]|$)"
    r"|(?-i:/(?:my|your|some|My|Your|Some|Example|Foo)[A-Z]|[A-Z]{2,}_[A-Z]{2,}|[A-Z]{3,}-\d)|\d{4}-\d\d|0{3,}|[-_]{3,}|[.]{3}"
)
"""Placeholders for one or many names."""

_RECORDS: Final = re.compile(r"(?i)\b(?:change_?log|changes|history|release|news)")
"""Names of files about the past."""

_OPENS: Final = frozenset("([{<*$…")
_CLOSES: Final = frozenset(")]}>*$…")


def dead_paths(text: Document, known: Tree, stored: frozenset[str]) -> Iterator[Dead]:
    """The paths in the facts of a text that do not exist in the project's folder; `stored` are names of the store's own files.

    If most paths of a text do not exist, it is about something else, and none is reported.
    """
    dead: dict[tuple[int, str], Dead] = {}
    alive = 0
    for saying in text.facts:
        if "/" not in saying.text:
            continue
        excused: bool | None = None  # computed once, and only if a path is dead
        for at, word in _words(text, saying):
            path = _path_of(word, known) if len(word) <= LONGEST else ""
            if not path or path.rpartition("/")[2] in stored:
                continue
            if _is_there(path.rstrip("/"), known):
                alive += 1
            elif not (excused := _knows_it_is_missing(saying) if excused is None else excused):
                dead.setdefault((at, path), Dead(at, path, path, _nearest(path, known)))
    if len(dead) <= alive + 1:
        yield from dead.values()


def _look(text: Text, around: Around) -> Iterator[Finding]:
    is_record = _RECORDS.search(text.ref.name)
    found = dead_paths(text.page, around.tree, around.names) if around.tree is not None and not is_record else ()
    yield from dead_ends(DEAD_PATH, "The project's folder has no {text}.", "Write {name} instead.", text, found)


DEAD_PATH: Final = Rule(
    "dead-path",
    Level.WARNING,
    "Paths that lead nowhere",
    "A path below a folder of the project that is not there.",
    "Writes the path of the one file of that name, or of the name it is a slip of.",
)
BESIDE: Final = (_look,)


def _words(text: Document, saying: Saying) -> Iterator[tuple[int, str]]:
    """(line, word) for the words of a fact that may be paths. Words next to brackets, braces or stars are patterns."""
    is_part = saying.form is Form.SENTENCE and saying.stop - saying.line == 1  # part of a line that may have thousands of sentences
    for at in range(saying.line, saying.stop):
        row = saying.text if is_part else text.rows[at]
        if "/" not in row:
            continue
        if "[" in row or "~~" in row or "<" in row:  # no links, nothing struck out, and of a placeholder in brackets only a mark
            row = _LINKED.sub(lambda found: "\u2026" if found[0][0] == "<" else " ", row)
        for start, end in code_spans(row) if "`" in row else ():
            yield from ((at, part) for part in row[start:end].strip("` ").split() if "/" in part)
        row = without_code(row) if "`" in row else row
        for found in _WORD.finditer(row):
            if "/" in found[0] and row[found.end() : found.end() + 1] not in _OPENS and row[: found.start()][-1:] not in _CLOSES:
                yield at, found[0]


def _path_of(word: str, known: Tree) -> str:
    """The path if a word is certainly one: it starts with an existing folder and ends like a file or folder; else empty."""
    path = word.strip("*_") if word[:1] in "*_" else word
    path = path.rstrip(".,;:!?)").lstrip("(\"'")
    path = _BEHIND.sub("", path)
    if not _SHAPE.fullmatch(path) or path.startswith("../") or (path.startswith("notes/") and path.endswith(".md")):
        return ""
    path = path.removeprefix("./")
    first, slash, _ = path.partition("/")
    last = path.rstrip("/").rpartition("/")[2]
    if not slash or _PLACEHOLDER.search(path) or not (path.endswith("/") or _EXTENSION.search(last)):
        return ""
    return path if first in known.folders and first != "node_modules" else ""


def _nearest(path: str, known: Tree) -> str:
    """The path that may be meant: the only file with that name, else one in the same folder whose name it is a slip of."""
    home, _, name = path.rstrip("/").rpartition("/")
    same = known.by_name.get(name, ())
    if len(same) == 1 or path.endswith("/"):
        return same[0] if len(same) == 1 else ""
    beside = [each[len(home) + 1 :] for each in known.files if each.rpartition("/")[0] == home]
    near = mistyped(name, beside)
    return f"{home}/{near}" if near else ""


def _is_there(path: str, known: Tree) -> bool:
    if path in known.files or path in known.folders or path in known.tails:
        return True
    parts = path.split("/")
    return not known.is_whole or any(known.is_ignored("/".join(parts[:end])) for end in range(1, len(parts) + 1))


def _knows_it_is_missing(saying: Saying) -> bool:
    """Whether a fact is aware that the file does not exist, or mentions it as an example."""
    whole = prose(saying.text)
    return bool(GONE.search(whole) or _PRODUCED.search(whole) or _EXAMPLES.search(whole) or _EXAMPLES.search(saying.heading))
