"""Paths that lead to no file of the project's folder."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Final

from zsmem_tui.core.checks.around import Around, Tree
from zsmem_tui.core.checks.finding import Finding, Level, Rule
from zsmem_tui.core.checks.links import GONE, Dead, code_spans, dead_ends, prose, without_code
from zsmem_tui.core.checks.sheet import Form, Saying, Sheet, Text
from zsmem_tui.core.text import words as listed

LONGEST: Final = 400
"""Characters of a word that may be a path."""

_LINKED: Final = re.compile(r"\[\[[^\[\]\n]{0,300}\]\]|\[[^\[\]\n]{0,300}\]\([^()\n]{0,500}\)|~~[^~\n]{0,500}~~|<[^<>\n]{0,500}>")
_WORD: Final = re.compile("[^\\s`\"'()|\\[\\]{}<>,;\u3000-\u3002\u300c-\u300f\uff08\uff09\uff0c\uff1b]+")
_BEHIND: Final = re.compile(r"(?:::[\w:\[\]-]+|:[0-9]+(?:[:-][0-9]+)?|#[\w-]+)$")
_SHAPE: Final = re.compile(r"(?:\./)?[\w.@+-]+(?:/[\w.@+=-]+)*/?")
_EXTENSION: Final = re.compile(r"\.([A-Za-z][A-Za-z0-9]{0,9})$")
_HOST: Final = re.compile(
    r"(?i)[a-z0-9-]+(?:\.[a-z0-9-]+)*"
    r"\.(?:com|org|net|io|dev|de|jp|uk|eu|example|test|local|internal|app|ai|sh|co|ch|at|fr)$"
)
_EXAMPLES: Final = re.compile(
    r"(?i)\be\.\s?g\.|\bexamples?\b|\bsuch as\b|\bfor instance\b|\bz\.\s?B\.|\bzum Beispiel\b|\bbeispielsweise\b|\bBeispiel\b"
    "|\\betwa [`\"'*]*\x01"
    "|(?<![\u7528\u4e8b\u6761\u6163])\u4f8b(?![\u5916\u4f1a\u5e74\u898f])|\u305f\u3068\u3048\u3070|\u306e\u3088\u3046\u306b|\u306e\u3088\u3046\u306a"
)
_NOT_FILES: Final = re.compile(
    r"(?i)\bbranch(?:es)?\b|\broutes?\b|\bendpoints?\b|\bmedia types?\b|\bmime\b|\bcontent.type\b|\bdocker image|\bcontainer image"
    r"|\bregistry\b|\btest names?\b|\btests named\b|\bmodule names?\b|\bimports?\b|\bpackage names?\b|\btopics?\b"
    r"|\bZweige?\b|\bRouten?\b|ブランチ|経路"
)
_REQUEST: Final = re.compile(r"\b(?:GET|POST|PUT|PATCH|DELETE)\s{1,4}\S{0,200}/")
_MAKES: Final = re.compile(
    r"(?i)^(?:please )?(?:add|create|write|make|introduce|new|draft|generate|set up|anlegen|schreiben|neu)\b"
    r"|\b(?:anlegen|schreiben|erstellen)\b|作る|作成|書く|追加"
)
_PRODUCED: Final = re.compile(
    r"(?i)\b(?:creat|generat|writ|sav|produc|emit|add|plac|stor|export|cop|mov|renam)(?:e|es|ing|s|y|ies|ed|)\b[^.;\n\x01]{0,40}\x01"
    r"|\b(?:produced|emitted|created|written|saved) (?:by|in|to|at|when|during)\b(?! [`\"'(*]*\x01)"
    r"|\bif (?:it )?(?:exists?|present|any|needed|missing)\b"
    r"|\x01[`\"')]* ?(?:\u2192|->|=>) ?[`\"'(]*\x01"
)
"""What shows that a line speaks of a file that is yet to be made, or was moved."""

_MEDIA: Final = frozenset(listed("""application audio image text video font model multipart message"""))
_SOURCE: Final = frozenset(
    listed("""py pyi ts tsx js jsx mjs cjs rs go rb java kt kts scala swift c h cc cpp hpp cs m mm php ex exs erl hs ml mli fs clj
    lua     pl r jl dart zig nim sh bash zsh fish ps1 bat sql yaml yml toml json jsonc json5 xml ini cfg conf env lock gradle tf hcl
    proto graphql vue svelte css scss less html htm twig j2 jinja tmpl hbs erb haml md rst txt adoc csv tsv mod sum x ld mk
    cmake ipynb lean service plist""")
)
"""Endings by which a lone name in a text is known to be a file's."""

_PLACEHOLDER: Final = re.compile(
    r"(?i)(?:^|/)(?:path/to|some/path|foo|bar|baz|qux|x+|n+|yyyy|abc|name|id|slug|hash|module|feature|component|filename|file)(?:[./_-]|$)"
    r"|(?:^|[/_.-])(?:foo|bar|examples?|sample|placeholder|my|your|some|xx+|nn+|yyyy|mm-dd|name)(?:[/_.-]|$)"
    r"|(?-i:/(?:my|your|some|My|Your|Some|Example|Foo)[A-Z]|[A-Z]{2,}_[A-Z]{2,}|[A-Z]{3,}-\d)|\d{4}-\d\d|0{3,}|[-_]{3,}"
)
"""What stands for a name, or for many."""

_OPENS: Final = frozenset("([{<*$…")
_CLOSES: Final = frozenset(")]}>*$…")

_ANYWHERE: Final = re.compile(
    r"(?i)(?:__\w+__|index|main|mod|lib|types?|utils?|helpers?|constants?|config|settings|server|client|app|test|tests|setup|conftest|routes?"
    r"|schema|models?|views|readme|changelog|license|package(?:-lock)?|makefile|skill|agents|claude|memory|build|cargo|tsconfig|page|layout)\."
)
"""Files that every project and library has."""

_NEAR: Final = 0.8
"""How alike two paths are, as `difflib` counts it, of which one may be meant for the other."""

_MOST_BESIDE: Final = 2_000
"""Files of a folder among which the nearest name is looked for."""


def dead_paths(text: Sheet, known: Tree, stored: frozenset[str]) -> Iterator[Dead]:
    """The paths in the facts of a text that lead to no file of the folder; `stored` are the names of the store's own files."""
    seen: set[tuple[int, str]] = set()
    for saying in text.facts:
        whole = saying.text
        if "/" not in whole:
            continue
        no_files: bool | None = None  # looked for once, and only where a path is dead
        for at, word in _words(text, saying):
            path = _path_of(word, known) if len(word) <= LONGEST else ""
            if not path or (at, path) in seen or path.rpartition("/")[2] in stored:
                continue
            if no_files is None:
                if _excused(saying):
                    break
                no_files = _NOT_FILES.search(whole) is not None
            if no_files and not _has_ending(path):
                continue
            seen.add((at, path))
            yield Dead(at, path, path, _nearest(path, known))


def _look(text: Text, around: Around) -> Iterator[Finding]:
    found = dead_paths(text.page, around.tree, around.names) if around.tree is not None else ()
    yield from dead_ends(DEAD_PATH, "The project's folder has no {text}.", "Write {name} instead.", text, found)


DEAD_PATH: Final = Rule(
    "dead-path",
    Level.WARNING,
    "Paths that lead nowhere",
    "A path below a folder of the project, or of a file that is elsewhere in it, that is not there.",
    "Writes the path of the one file of that name, or of the nearest name.",
)
BESIDE: Final = (_look,)


def _words(text: Sheet, saying: Saying) -> Iterator[tuple[int, str]]:
    """The words of a fact that may be paths, with their lines. What goes on in brackets, braces or a star is a pattern."""
    is_part = saying.form is Form.SENTENCE and saying.stop - saying.line == 1  # of a line that may have thousands of them
    for at in range(saying.line, saying.stop):
        row = saying.text if is_part else text.rows[at]
        if "/" not in row:
            continue
        row = _LINKED.sub(_struck, row) if "[" in row or "~~" in row or "<" in row else row
        for start, end in code_spans(row) if "`" in row else ():
            yield from ((at, part) for part in row[start:end].strip("` ").split() if "/" in part)
        row = without_code(row) if "`" in row else row
        for found in _WORD.finditer(row):
            if "/" in found[0] and row[found.end() : found.end() + 1] not in _OPENS and row[: found.start()][-1:] not in _CLOSES:
                yield at, found[0]


def _struck(found: re.Match[str]) -> str:
    """A link or what is struck out, blanked; what stands in angle brackets is a placeholder, and leaves its mark."""
    return "\u2026" if found[0][0] == "<" else " "


def _path_of(word: str, known: Tree) -> str:
    """The path that a word is, if it can be nothing else and leads nowhere; else empty.

    It has a slash, ends as files or folders do, and begins with a folder that is there, or names a file that is elsewhere.
    """
    path = word.strip("*_") if word[:1] in "*_" else word
    path = path.rstrip(".,;:!?)").lstrip("(\"'")
    path = _BEHIND.sub("", path)
    if "/" not in path or path[0] in "/~$@#%&-=\\" or ":" in path or "\\" in path or "\u2026" in path or "..." in path:
        return ""
    if not _SHAPE.fullmatch(path) or path.startswith("../") or (path.startswith("notes/") and path.endswith(".md")):
        return ""
    path = path.removeprefix("./")
    first, slash, _ = path.partition("/")
    last = path.rstrip("/").rpartition("/")[2]
    if not slash or _PLACEHOLDER.search(path) or not (path.endswith("/") or _has_ending(last)):
        return ""
    if first not in known.folders and (
        not path.isascii() or "." in first[1:] or first.lower() in _MEDIA or not _moved(last, known)
    ):
        return ""
    return "" if _is_there(path.rstrip("/"), known) else path


def _moved(name: str, known: Tree) -> bool:
    """Whether a file that only one place has is called so."""
    return len(known.by_name.get(name, ())) == 1 and not _ANYWHERE.match(name)


def _nearest(path: str, known: Tree) -> str:
    """The path that may be meant: of the one file of that name, else of the file of its folder whose name is nearest."""
    home, _, name = path.rstrip("/").rpartition("/")
    same = known.by_name.get(name, ())
    if len(same) == 1:
        return same[0]
    beside = [each for each in known.files if each.rpartition("/")[0] == home] if not path.endswith("/") else []
    near = get_close_matches(path, beside, 1, _NEAR) if len(beside) <= _MOST_BESIDE else []
    return near[0] if near else ""


def _is_there(path: str, known: Tree) -> bool:
    if path in known.files or path in known.folders or path in known.tails:
        return True
    parts = path.split("/")
    return not known.is_whole or any(known.is_ignored("/".join(parts[:end])) for end in range(1, len(parts) + 1))


def _has_ending(path: str) -> bool:
    """Whether a path ends as files do, and not as branches and versions."""
    found = _EXTENSION.search(path)
    return found is not None and found[1].lower() in _SOURCE


def _excused(saying: Saying) -> bool:
    """Whether a fact knows that the file is not there, shows it as an example, or speaks of something that is no file."""
    whole = prose(saying.text)
    if GONE.search(whole) or _PRODUCED.search(whole) or _REQUEST.search(saying.text):
        return True
    if saying.form is Form.TASK and _MAKES.search(whole):
        return True
    return _EXAMPLES.search(whole) is not None
