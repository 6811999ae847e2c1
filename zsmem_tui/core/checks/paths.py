"""Paths that lead to no file of the project's folder."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from zsmem_tui.core.checks.links import GONE, code_spans, prose, without_code
from zsmem_tui.core.checks.sheet import Form, Saying, Sheet
from zsmem_tui.core.checks.vocabulary import listed

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
_MEDIA: Final = frozenset(listed("""application audio image text video font model multipart message"""))
_SOURCE: Final = frozenset(
    listed("""py pyi ts tsx js jsx mjs cjs rs go rb java kt kts scala swift c h cc cpp hpp cs m mm php ex exs erl hs ml mli fs clj
    lua     pl r jl dart zig nim sh bash zsh fish ps1 bat sql yaml yml toml json jsonc json5 xml ini cfg conf env lock gradle tf hcl
    proto graphql vue svelte css scss less html htm twig j2 jinja tmpl hbs erb haml md rst txt adoc csv tsv mod sum x ld mk
    cmake ipynb lean service plist""")
)
"""Endings by which a lone name in a text is known to be a file's."""

_LIBRARIES: Final = frozenset(
    listed("""node.js vue.js next.js nuxt.js express.js d3.js three.js react.js nest.js deno.js chart.js ember.js""")
)
_OF_AGENTS: Final = frozenset(
    listed("""memory.md scratchpad.md agents.md claude.md architecture.md readme.md gemini.md todo.md changelog.md""")
)


@dataclass(frozen=True, slots=True)
class Tree:
    """The files and folders below a project's folder, and which paths its ignore files take out.

    `tails` has the ends of all paths, from each slash on; `by_name` the files by their names.
    """

    files: frozenset[str]
    folders: frozenset[str]
    is_ignored: Callable[[str], bool]
    tails: frozenset[str] = frozenset()
    by_name: dict[str, tuple[str, ...]] = field(default_factory=dict)
    is_whole: bool = True


def tree(files: frozenset[str], folders: frozenset[str], is_ignored: Callable[[str], bool], *, is_whole: bool = True) -> Tree:
    """A tree from its paths, which are relative and have no slash at their end."""
    tails: set[str] = set()
    names: dict[str, list[str]] = {}
    for path in (*files, *folders):
        at = -1
        while (at := path.find("/", at + 1)) >= 0:
            tails.add(path[at + 1 :])
    for path in files:
        names.setdefault(path.rpartition("/")[2], []).append(path)
    by_name = {name: tuple(sorted(own)) for name, own in names.items()}
    return Tree(files, folders, is_ignored, frozenset(tails), by_name, is_whole)


class DeadPath(NamedTuple):
    """A path that leads nowhere: its line (from 0), how it stands there, and the one file of that name elsewhere, if any."""

    line: int
    shown: str
    elsewhere: str


def dead_paths(text: Sheet, known: Tree, stored: frozenset[str]) -> Iterator[DeadPath]:
    """The paths in the facts of a text that lead to no file of the folder; `stored` are the names of the store's own files."""
    seen: set[tuple[int, str]] = set()
    for saying in text.facts:
        whole = saying.text
        if "/" not in whole and "." not in whole:
            continue
        no_files: bool | None = None  # looked for once, and only where a path is dead
        for at, word, in_ticks in _words(text, saying):
            path = _path_of(word, known, in_ticks) if len(word) <= LONGEST else ""
            if not path or (at, path) in seen or path.rpartition("/")[2] in stored:
                continue
            if no_files is None:
                if _excused(saying):
                    break
                no_files = _NOT_FILES.search(whole) is not None
            if no_files and not _has_ending(path):
                continue
            seen.add((at, path))
            same = known.by_name.get(path.rstrip("/").rpartition("/")[2], ())
            yield DeadPath(at, path, same[0] if len(same) == 1 else "")


def _words(text: Sheet, saying: Saying) -> Iterator[tuple[int, str, bool]]:
    """The words of a fact that may be paths, with their lines, and whether they stand apart: in ticks or a cell of a table."""
    is_part = saying.form is Form.SENTENCE and saying.stop - saying.line == 1  # of a line that may have thousands of them
    for at in range(saying.line, saying.stop):
        row = saying.text if is_part else text.rows[at]
        if "/" not in row and "." not in row:
            continue
        row = _LINKED.sub(_struck, row) if "[" in row or "~~" in row or "<" in row else row
        if "`" in row:
            for start, end in code_spans(row):
                own = row[start:end].strip("` ")
                parts = own.split()
                if len(parts) == 1:
                    yield at, own, True
                else:
                    yield from ((at, part, False) for part in parts if "/" in part and _EXTENSION.search(part))
            row = without_code(row)
        if saying.form is Form.ROW:
            for cell in row.split("|"):
                if (own := cell.strip()) and " " not in own:
                    yield at, own, True
        for found in _WORD.finditer(row):
            word = found[0]
            if "/" in word or "." in word[1:-1]:
                yield at, word, False


def _struck(found: re.Match[str]) -> str:
    """A link or what is struck out, blanked; what stands in angle brackets is a placeholder, and leaves its mark."""
    return "\u2026" if found[0][0] == "<" else " "


def _path_of(word: str, known: Tree, apart: bool) -> str:
    """The path that a word is, if it is one that leads nowhere; else empty."""
    path = word.rstrip(".,;:!?)*_").lstrip("(*_\"'") if not apart else word
    path = _BEHIND.sub("", path)
    if not path or path[0] in "/~$@#%&-=\\" or ":" in path or "\\" in path or "\u2026" in path or "..." in path:
        return ""
    if not _SHAPE.fullmatch(path) or path.startswith("../") or (path.startswith("notes/") and path.endswith(".md")):
        return ""
    path = path.removeprefix("./")
    first, slash, _ = path.partition("/")
    last = path.rstrip("/").rpartition("/")[2]
    ending = _EXTENSION.search(last)
    if not slash:
        if not ending or ending[1].lower() not in _SOURCE or last.startswith(".") or last.lower() in _LIBRARIES | _OF_AGENTS:
            return ""
        if _HOST.match(last) and ending[1].lower() not in ("md", "sh"):
            return ""
    else:
        if first.lower() in _MEDIA and not path.count("/") > 1 and first not in known.folders:
            return ""
        if "." in first[1:] and _HOST.match(first):
            return ""
        if first.startswith("@") or "@" in first or last.startswith("@"):
            return ""
        if not ending and first not in known.folders:
            return ""
        if not ending and not apart and not path.endswith("/") and path.count("/") < 2:
            return ""
    return "" if _is_there(path.rstrip("/"), known) else path


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
    if GONE.search(whole) or _REQUEST.search(saying.text):
        return True
    if saying.form is Form.TASK and _MAKES.search(whole):
        return True
    return _EXAMPLES.search(whole) is not None
