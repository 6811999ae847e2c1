"""What opencode's tools write into a block, and when they refuse."""

from __future__ import annotations

from contextlib import suppress
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
    """The file after `memory_set`: the value is replaced; description and limit are kept if not given.

    Unknown fields are lost, as in opencode. Raises `RuleBroken`: `label`, `yaml`, `frontmatter`, `read_only` or `limit` (counted
    before the value is trimmed).
    """
    label = checked_label(label)
    was = _parsed(scope, f"{label}.md", existing) if existing is not None else None
    if was is not None:
        refuse_read_only(was)
    most = limit if limit is not None else was.limit if was is not None else LIMIT
    _refuse_long(label, value, most)
    about = description if description is not None else was.description if was is not None and was.is_described else ""
    return _file(js.trim(about), label, most, value)


def check_edit(scope: str, file: str, existing: bytes | None, edited: bytes) -> None:
    """Check a file as edited by the user; it is written as typed, and refused only if opencode would ignore or block it.

    Raises `RuleBroken`: `read_only` for a read-only block (remove that line first), `yaml` or `frontmatter` for one that opencode
    would ignore, `limit` for growth over the limit.
    """
    was: Block | None = None
    if existing is not None:
        with suppress(RuleBroken):
            was = parse(scope, file, existing)
    now = _parsed(scope, file, edited)
    if was is not None and was.read_only and now.value != was.value:
        refuse_read_only(was)
    if was is None or js.units(now.value) > js.units(was.value):
        _refuse_long(now.label, now.value, now.limit)


def new_block(label: str, value: str, *, description: str = "", limit: int = LIMIT) -> bytes:
    """The content of a new block. Raises `RuleBroken` (`label` or `limit`)."""
    return set_block("project", label, value, None, description=description, limit=limit)


def _parsed(scope: str, file: str, raw: bytes) -> Block:
    try:
        return parse(scope, file, raw)
    except RuleBroken as error:
        raise RuleBroken(error.rule, f"{error.message} {_NOT_WRITTEN}", error.hint) from error


def refuse_read_only(block: Block) -> None:
    """Raise `RuleBroken` (`read_only`) for a block that opencode does not write."""
    if block.read_only:
        raise RuleBroken("read_only", f"{block.file} is marked read_only. {_NOT_WRITTEN}", "Set read_only to false first.")


def _refuse_long(label: str, value: str, limit: int) -> None:
    size = js.units(value)
    if size > limit:
        raise RuleBroken(TOO_LONG, f"{label} would have {size:,} characters, its limit is {limit:,}. {_NOT_WRITTEN}")


def _file(description: str, label: str, limit: int, value: str) -> bytes:
    head = f"description: {string(description)}\nlabel: {string(label)}\nlimit: {limit}\nread_only: false"
    return js.encode(f"---\n{head}\n---\n{js.trim(value)}\n")
