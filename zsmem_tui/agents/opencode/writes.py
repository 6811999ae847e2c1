"""What opencode's tools make of a block, and when they refuse to."""

from __future__ import annotations

from typing import Final

from zsmem_tui.agents import javascript as js
from zsmem_tui.agents.opencode.blocks import LIMIT, Block, parse
from zsmem_tui.agents.opencode.files import checked_label
from zsmem_tui.agents.yaml.writing import string
from zsmem_tui.core.errors import TOO_LONG, RuleBroken

_NOT_WRITTEN: Final = "Nothing was written."


def set_block(
    scope: str, label: str, value: str, existing: bytes | None, *, description: str | None = None, limit: int | None = None
) -> bytes:
    """The file after `memory_set`: the whole value replaced, description and limit kept where none is given.

    Unknown keys of the file are lost, as when opencode writes it. Raises `RuleBroken`: `label`, `yaml`, `frontmatter`,
    `read_only` or `limit` (the value is counted before it is trimmed).
    """
    label = checked_label(label)
    was = _parsed(scope, f"{label}.md", existing) if existing is not None else None
    if was is not None:
        _refuse_read_only(was)
    most = limit if limit is not None else was.limit if was is not None else LIMIT
    _refuse_long(label, value, most)
    about = description if description is not None else _own_description(was)
    return _file(js.trim(about), label, most, value)


def check_edit(scope: str, file: str, existing: bytes | None, edited: bytes) -> None:
    """Whether a file as a person edited it may be written: it stays as it was typed, so only what hides or blocks it is refused.

    Raises `RuleBroken`: `read_only` for a block that says so (take the line out first), `yaml` or `frontmatter` for one that
    opencode would pass over, `limit` for one that grows over its limit.
    """
    was = _parsed_or_none(scope, file, existing)
    now = _parsed(scope, file, edited)
    if was is not None and was.read_only and now.value != was.value:
        _refuse_read_only(was)
    if was is None or js.units(now.value) > js.units(was.value):
        _refuse_long(now.label, now.value, now.limit)


def new_block(label: str, value: str, *, description: str = "", limit: int = LIMIT) -> bytes:
    """The file of a block that is not there yet. Raises `RuleBroken` (`label` or `limit`)."""
    return set_block("project", label, value, None, description=description, limit=limit)


def _own_description(block: Block | None) -> str:
    """The file's own description. opencode writes its own sentence out where there is none; empty means the same to it."""
    return block.description if block is not None and block.is_described else ""


def _parsed(scope: str, file: str, raw: bytes) -> Block:
    try:
        return parse(scope, file, raw)
    except RuleBroken as error:
        raise RuleBroken(error.rule, f"{error.message} {_NOT_WRITTEN}", error.hint) from error


def _parsed_or_none(scope: str, file: str, raw: bytes | None) -> Block | None:
    if raw is None:
        return None
    try:
        return parse(scope, file, raw)
    except RuleBroken:
        return None


def _refuse_read_only(block: Block) -> None:
    if block.read_only:
        raise RuleBroken("read_only", f"{block.file} is marked read_only. {_NOT_WRITTEN}", "Set read_only to false first.")


def _refuse_long(label: str, value: str, limit: int) -> None:
    size = js.units(value)
    if size > limit:
        raise RuleBroken(TOO_LONG, f"{label} would have {size} characters, its limit is {limit}. {_NOT_WRITTEN}")


def _file(description: str, label: str, limit: int, value: str) -> bytes:
    head = f"description: {string(description)}\nlabel: {string(label)}\nlimit: {limit}\nread_only: false"
    return js.encode(f"---\n{head}\n---\n{js.trim(value)}\n")
