"""Guess where the code of a fence ends that nobody closed: at a heading, or where prose begins again below a blank line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_LANGUAGE: Final = re.compile(r"[^`~]*[`~]{3,}[ \t]*([\w+#.-]*)")
_FENCE: Final = re.compile(r"[ \t]*(?:`{3,}|~{3,})")
_HEADING: Final = re.compile(r" {0,3}(#{1,6})[ \t]+\S")
_RULE: Final = re.compile(r"([-*_])(?:[ \t]*\1){2,}")
_BEGINNING: Final = re.compile(r"(?:[-*+•>|]|[0-9]{1,9}[.)])[ \t]+|\*\*|(?=[A-Z`\u0080-\uffff])")
_QUOTED: Final = re.compile(r"`[^`]*`|\]\([^)\s]*\)|https?://\S+")
_CODE: Final = re.compile(r"[{}=;<>\\$]|\w\(|->|::|\w_\w")
_WORD: Final = re.compile(r"[^\W\d_]{2,}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_ENDS: Final = (".", ":", "!", "?", "。", "：")

_LONGEST: Final = 400
"""The most characters of a line that are looked at."""
_MANY_WORDS: Final = 8
"""The words of a sentence that is prose although it has signs of code."""
_MARKDOWN: Final = frozenset(("markdown", "md", "mdc", "mdx"))
"""Languages of which headings and prose are part."""
_LISTS: Final = frozenset(("yaml", "yml"))
"""Languages with items of lists and rules of their own."""
_NO_HASHES: Final = frozenset(
    (
        *("c", "cpp", "cs", "csharp", "css", "dart", "go", "html", "java", "javascript", "js", "json", "jsonc", "jsx", "kotlin"),
        *("kt", "php", "rs", "rust", "scala", "scss", "sql", "svelte", "swift", "ts", "tsx", "typescript", "vue", "xml"),
    )
)
"""Languages in which a line that begins with `# ` is no comment."""


def end_of_open_fence(rows: Sequence[str], at: int) -> int:
    """The last line that plausibly belongs to the code of the unclosed fence on line `at`. Takes linear time."""
    row = rows[at][:_LONGEST]
    found = _LANGUAGE.match(row)
    language = found[1].lower() if found else ""
    before = closing(row)
    own, last = indent_of(row if ">" in before else before), at
    for number in range(at + 1, len(rows)):
        row = rows[number][:_LONGEST]
        if not row.strip():
            continue
        if indent_of(row) < own or (language not in _MARKDOWN and _is_text(row, language, own, not rows[number - 1].strip())):
            break
        last = number
    return last


def closing(row: str) -> str:
    """The line that closes the fence opened by this one: it stands in the same item or quote."""
    before, mark, _ = re.split("([`~]{3,})", row, maxsplit=1)
    return re.sub("[^> \t]", " ", before) + mark


def _is_text(row: str, language: str, own: int, is_apart: bool) -> bool:
    """Whether a line is a fence, a heading, a rule or prose; it `is_apart` if the line above is blank."""
    if _FENCE.match(row):
        return True
    if heading := _HEADING.match(row):
        level = len(heading[1])
        return level > 2 or (is_apart and (level == 2 or language in _NO_HASHES))
    bare = row.strip()
    if not is_apart or indent_of(row) != own or (language in _LISTS and bare[0] == "-"):
        return False
    begins = _BEGINNING.match(bare)
    if begins is None:
        return _RULE.fullmatch(bare) is not None
    said = bare[begins.end() :]
    words = len(_WORD.findall(_QUOTED.sub("x ", said)))
    is_ended = bare.rstrip("*").endswith(_ENDS)
    if _CODE.search(_QUOTED.sub("", said)):
        return words >= _MANY_WORDS and is_ended
    return words >= (1 if is_ended else 2 if begins.end() else 4)


def indent_of(row: str) -> int:
    """How many blanks and tabs a line begins with."""
    return len(row) - len(row.lstrip(" \t"))
