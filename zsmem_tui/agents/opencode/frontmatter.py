"""The YAML at the start of opencode's files: strict, so that a small slip hides the whole file from the agent."""

from __future__ import annotations

from typing import Final

from zsmem_tui.agents import javascript as js
from zsmem_tui.agents.yaml.reading import LONGEST_HEAD, Value, YamlError, load
from zsmem_tui.core.errors import RuleBroken

_START: Final = "---\n"
_END: Final = "\n---\n"


def split(text: str) -> tuple[str | None, str]:
    """The YAML (None: there is none) and the body.

    Only `---` alone on the first line, and again on a later one that has a line end, make a frontmatter: with CRLF, a byte order
    mark, a space behind the dashes or no final line end everything is body.
    """
    if not text.startswith(_START):
        return None, text
    end = text.find(_END, len(_START))
    return (None, text) if end < 0 else (text[len(_START) : end], text[end + len(_END) :])


def fields(text: str, name: str) -> dict[str, Value]:
    """The keys of a frontmatter. Raises `RuleBroken`: `yaml` where it cannot be read, `frontmatter` where it is no map."""
    if len(text) > LONGEST_HEAD:
        raise RuleBroken("yaml", f"{name}: its frontmatter has more than {LONGEST_HEAD >> 10} KiB.")
    if not js.trim(text):
        return {}
    try:
        found = load(text)
    except YamlError as error:
        raise RuleBroken("yaml", f"{name}: opencode cannot read its frontmatter: {error}.") from error
    if not isinstance(found, dict):
        raise wrong(name, "its frontmatter has no keys")
    return found


def text_field(found: dict[str, Value], key: str, name: str, *, may_be_empty: bool = True) -> str | None:
    """A key that has to be text where it is there. Raises `RuleBroken` (`frontmatter`)."""
    if key not in found:
        return None
    value = found[key]
    if not isinstance(value, str):
        raise wrong(name, f"{key} is not text (quote it)")
    if not value and not may_be_empty:
        raise wrong(name, f"{key} is empty")
    return value


def wrong(name: str, why: str) -> RuleBroken:
    """That a file's frontmatter does not fit, so that opencode passes over the file."""
    return RuleBroken("frontmatter", f"{name}: opencode passes over this file: {why}.")
