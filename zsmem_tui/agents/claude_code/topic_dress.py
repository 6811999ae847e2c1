"""The frontmatter of Claude Code's topics, as `core.carried.Dress`."""

from __future__ import annotations

import json

from zsmem_tui.agents.claude_code.files import TYPES, Files
from zsmem_tui.agents.claude_code.topics import frontmatter, frontmatter_keys, title_and_hook
from zsmem_tui.agents.format import text_of
from zsmem_tui.core.carried import Carried, split_frontmatter


class TopicDress:
    """Topics have frontmatter; what is no topic is text."""

    kept_fields = ("name", "description", "label")

    def __init__(self, files: Files) -> None:
        self._files = files

    def unwrapped(self, path: str, raw: bytes) -> Carried:
        """A topic without its frontmatter, and what that says."""
        head, body = split_frontmatter(raw)
        if not head or self._files.listed_by(path) is None:
            return Carried(raw)
        fields, _ = frontmatter(text_of(raw)[0])
        keys = frontmatter_keys(text_of(head)[0])
        return Carried(body, fields.get("name", ""), fields.get("description", ""), keys)

    def wrapped(self, path: str, text: Carried) -> bytes:
        """A topic as Claude Code writes it now: `name`, `description`, and its type by the name of its file.

        A text that brings frontmatter along keeps that.
        """
        if self._files.listed_by(path) is None or split_frontmatter(text.body)[0]:
            return text.body
        stem = path.rpartition("/")[2].removesuffix(".md")
        kind = stem.partition("_")[0]
        about = text.about or title_and_hook(path, text.body)[1]
        name = json.dumps(stem.replace("_", "-"), ensure_ascii=False)
        front = f"name: {name}\ndescription: {json.dumps(about, ensure_ascii=False)}\n"
        front += f"metadata:\n  node_type: memory\n  type: {kind if kind in TYPES else TYPES[2]}\n"
        return f"---\n{front}---\n\n".encode("utf-8", "replace") + text.body.removeprefix(b"\xef\xbb\xbf")
