"""Merge the changes of two programs to one settings file."""

from __future__ import annotations

import json
import tomllib
from itertools import pairwise

from zsmem_tui.agents.settings.errors import NotEditable
from zsmem_tui.agents.settings.json_text import rendered
from zsmem_tui.core.json_value import json_value
from zsmem_tui.core.merge import Merged, merge


def put_together(base: bytes, mine: bytes, theirs: bytes, *, is_toml: bool = False) -> bytes:
    """Merge both sides' changes to `base`. Raises `NotEditable` on a conflict, or if the result is invalid.

    TOML is merged by lines. JSON is merged by values, one per line; if the merge by lines has the same value, its text is used.
    """
    by_lines = merge(base, mine, theirs)
    try:
        if is_toml:
            text = by_lines.text if isinstance(by_lines, Merged) else b"="
            tomllib.loads(text.decode())
            return text
        by_values = merge(_one_value_per_line(base or b"{}"), _one_value_per_line(mine), _one_value_per_line(theirs))
        if isinstance(by_values, Merged):
            value = json_value(_with_commas(by_values.text))
            if _one_value_per_line(json.dumps(value).encode()) != by_values.text:  # a key added by both sides occurs twice
                raise NotEditable("two programs changed the same")
            if isinstance(by_lines, Merged) and _has_value(by_lines.text, value):
                return by_lines.text
            return rendered(value, "", "  ", "\n").encode() + b"\n"
    except ValueError as error:
        raise NotEditable("two programs changed the same") from error
    raise NotEditable("two programs changed the same")


def _has_value(text: bytes, value: object) -> bool:
    try:
        return bool(json_value(text) == value)
    except ValueError:
        return False


def _one_value_per_line(text: bytes) -> bytes:
    """JSON with one value per line, even in empty containers, and without commas, which depend on the next line."""
    lines = []
    for line in json.dumps(json_value(text), indent=1, ensure_ascii=False).encode().split(b"\n"):
        bare = line.removesuffix(b",")
        if bare.endswith((b"{}", b"[]")):
            lines += [bare[:-1], b" " * (len(bare) - len(bare.lstrip())) + bare[-1:]]
        else:
            lines.append(bare)
    return b"".join(line + b"\n" for line in lines)


def _with_commas(text: bytes) -> bytes:
    """JSON with its commas restored."""
    lines = text.split(b"\n")[:-1]
    inside = [line.endswith((b"{", b"[")) or after.lstrip().startswith((b"}", b"]")) for line, after in pairwise(lines)]
    return b"\n".join(line + b"," * (not is_edge) for line, is_edge in zip(lines, [*inside, True], strict=True))
