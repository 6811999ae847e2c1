"""Functions shared by the plain Markdown memories: facts of a file, and whole files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zsmem_tui.agents.format import text_of
from zsmem_tui.core.hazards import hazards
from zsmem_tui.core.import_item import ImportItem
from zsmem_tui.core.markdown import parts
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import raw_lines, trim

LONG_TERM_FILE: Final = "MEMORY.md"
SCRATCHPAD_FILE: Final = "SCRATCHPAD.md"
NOTES_FOLDER: Final = "notes"
LOGS_FOLDER: Final = "daily"


def facts(path: str, raw: bytes) -> list[ImportItem]:
    """The lines of a long-term memory, each a fact; code and tables are one fact each."""
    text, problem = text_of(raw)
    out = []
    for number, block in _blocks(text):
        if trim(block):
            out.append(ImportItem(f"{path}:{number + 1}", Role.FACTS, "", block, doubts=problem + hazards(block)))
    return out


def whole_file(path: str, raw: bytes, kind: Role, name: str, project: str = "") -> ImportItem:
    """A file imported unchanged."""
    text, problem = text_of(raw)
    if not trim(text):
        return ImportItem(path, kind, name, text, project, skip="it is empty")
    if not problem:
        text = raw.decode()  # line ends and BOM are kept, since it is copied
    return ImportItem(path, kind, name, text, project, doubts=problem + hazards(text))


def _blocks(text: str) -> Iterator[tuple[int, str]]:
    """(number of the first line, text): single lines, and fenced code and tables in one piece."""
    start, table = 0, list[str]()
    for number, own, is_code in parts(raw_lines(text)):
        if not is_code and trim(own[0]).startswith("|"):
            start = start if table else number
            table += own
            continue
        if table:
            yield start, "\n".join(table)
            table = []
        yield number, "\n".join(own)
    if table:
        yield start, "\n".join(table)
