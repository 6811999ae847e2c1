"""Claude Code's topics: parsing both generations of frontmatter, and the title and description for the index."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Final

from zsmem_tui.agents.claude_code.files import TYPES, Files
from zsmem_tui.agents.format import text_of
from zsmem_tui.agents.yaml.reading import LONGEST_HEAD, Value, head_map
from zsmem_tui.core.frontmatter import Carried, Dress, split_frontmatter
from zsmem_tui.core.json_value import json_value
from zsmem_tui.core.text import is_utf8, one_line, raw_lines, trim

_MANY: Final = (dict, list)
_MARKS: Final = re.compile(r"^(?: |(?:#+|-|\*) )+")
"""Blanks, and signs of headings and list items, before the words of a line; not those of bold words."""

_FIELD: Final = re.compile(r"^(\s*)([A-Za-z_][\w-]*):[ \t]*(.*?)[ \t]*$")


def title_and_hook(file: str, raw: bytes, about: str = "") -> tuple[str, str]:
    """The title and the description for a topic's index line: its heading or name, and its description or first words.

    `about` is a description that its text is without. Lines with credentials are left out, since many read what is in every prompt.
    A file that is not UTF-8 has no words to take.
    """
    from zsmem_tui.core.checks.secret import masked, secrets_in  # deferred: many patterns, which no start needs

    if not is_utf8(raw):
        return _in_words(file), ""
    text, _ = text_of(raw)
    fields, body = frontmatter(text)
    shown, about = _without_credentials(body), fields.get("description", about)
    about = masked(about, secrets_in(about))
    if shown and shown[0].startswith("# "):
        return one_line(shown[0].lstrip("# ")), one_line(about or _first(shown[1:]))
    name = fields.get("name", "")
    title = masked(name, secrets_in(name)) if " " in name else _in_words(file)  # one without blanks is for links
    return one_line(title), one_line(about or _first(shown))


def _without_credentials(body: str) -> list[str]:
    """The non-blank lines that contain no part of a credential."""
    from zsmem_tui.core.checks.secret import secrets_in  # deferred: as above

    found, start, out = secrets_in(body), 0, []
    for line in raw_lines(body):
        end = start + len(line)
        if trim(line) and not any(each.start < end and start < each.end for each in found):
            out.append(trim(line))
        start = end + 1
    return out


def frontmatter_name(raw: bytes) -> str:
    """The `name` in a topic's frontmatter, used by wiki links; empty if there is none."""
    return frontmatter(text_of(raw)[0])[0].get("name", "")


def is_too_long(raw: bytes) -> bool:
    """Whether a topic's frontmatter is too long to be parsed."""
    start = raw[:8].removeprefix(b"\xef\xbb\xbf")
    return start.startswith((b"---\n", b"---\r")) and len(raw) > LONGEST_HEAD and b"\n---" not in raw[3 : LONGEST_HEAD + 8]


def frontmatter(text: str) -> tuple[dict[str, str], str]:
    """(scalar fields of a topic's frontmatter including those below `metadata`, body)."""
    head, body = _split(text.encode("utf-8", "surrogatepass"))
    return _fields(raw_lines(head.decode("utf-8", "surrogatepass"))), body.decode("utf-8", "surrogatepass")


def _split(raw: bytes) -> tuple[bytes, bytes]:
    """(lines of a topic's frontmatter, text below); lines without any key are text between two rules."""
    head, body = split_frontmatter(raw)
    return (head, body) if not head or frontmatter_keys(text_of(head)[0]) else (b"", raw)


def _fields(lines: list[str]) -> dict[str, str]:
    """Parse fields as YAML, or line by line if that fails, since models write unquoted descriptions with colons."""
    said: dict[str, str] = {}
    for line in lines:
        match = _FIELD.match(line)
        if match and match[3]:
            said.setdefault(match[2], _scalar(match[3]))
    found = head_map("\n".join(lines))
    if found is None:
        return said
    inner = found.get("metadata")
    both = {**found, **{key: value for key, value in (inner.items() if isinstance(inner, dict) else ()) if key not in found}}
    texts = {key: trim(value) for key, value in both.items() if isinstance(value, str)}
    return {
        key: text for key, value in both.items() if (text := texts.get(key, said.get(key, ""))) and not isinstance(value, _MANY)
    }


def frontmatter_keys(head: str) -> tuple[str, ...]:
    """Every key of a topic's frontmatter; for maps, the keys of their leaves."""
    found = head_map(head)
    by_line = (match[2] for line in raw_lines(head) if (match := _FIELD.match(line)))
    return tuple(dict.fromkeys(by_line if found is None else _leaves(found)))


def _leaves(found: Mapping[str, Value]) -> Iterator[str]:
    for key, value in found.items():
        if isinstance(value, dict) and value:
            yield from _leaves(value)
        else:
            yield key


def _scalar(value: str) -> str:
    if value[:1] == '"' and value[-1:] == '"':
        try:
            return str(json_value(value))
        except ValueError:
            return value[1:-1]
    return value[1:-1].replace("''", "'") if value[:1] == "'" == value[-1:] and len(value) > 1 else value


def _first(lines: list[str]) -> str:
    return next((_MARKS.sub("", line) for line in lines if line.lstrip("#-* ")), "")


def _in_words(file: str) -> str:
    """The words of a topic's file name without its type."""
    stem = file.rpartition("/")[2].removesuffix(".md")
    kind, _, rest = stem.partition("_")
    words = (rest if kind in TYPES and rest else stem).replace("_", " ").replace("-", " ").strip()
    return words[:1].upper() + words[1:] or stem


def _type_in(stem: str) -> str:
    """The type at the start of a file name; empty if there is none."""
    kind, _, rest = stem.partition("_")
    return kind if kind in TYPES and rest else ""


class TopicDress(Dress):
    """The frontmatter of topics; other files have none."""

    kept_fields = ("name", "description", "label")

    def __init__(self, files: Files) -> None:
        self._files = files
        types = ", ".join(f"{kind}_" for kind in TYPES if kind != TYPES[2])
        self.naming = f"In front, {types} say its type; without, it is {TYPES[2]}." if files.has_types else ""

    def unwrapped(self, path: str, raw: bytes) -> Carried:
        """A topic's body with the data of its frontmatter."""
        head, body = _split(raw)
        if not head or self._files.listed_by(path) is None:
            return Carried(raw)
        fields, _ = frontmatter(text_of(raw)[0])
        keys = frontmatter_keys(text_of(head)[0])
        return Carried(body, fields.get("name", ""), fields.get("description", ""), keys)

    def called(self, path: str, raw: bytes, name: str) -> str:
        """Prefix a new name without a type with the topic's type."""
        if not self._files.has_types or self._files.listed_by(path) is None or _type_in(name):
            return name
        said = frontmatter(text_of(raw)[0])[0].get("type", "")
        kind = said if said in TYPES else _type_in(path.rpartition("/")[2].removesuffix(".md"))
        return f"{kind}_{name}" if kind else name

    def wrapped(self, path: str, text: Carried) -> bytes:
        """A topic as Claude Code writes it now: with `name`, `description`, and the type from its file name.

        A text with frontmatter keeps that, and gets what it does not say.
        """
        if self._files.listed_by(path) is None:
            return text.body
        own = text.body.removeprefix(b"\xef\xbb\xbf")
        head = text_of(_split(own)[0])[0]
        keys = frontmatter_keys(head)
        stem = path.rpartition("/")[2].removesuffix(".md")
        kind = stem.partition("_")[0]
        title, hook = title_and_hook(path, text.body)
        says = {"name": stem.replace("_", "-"), "description": text.about or hook or title}
        front = "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in says.items() if key not in keys)
        if "type" not in keys:
            a_type = f"type: {kind if kind in TYPES else TYPES[2]}\n"
            front += (
                a_type
                if any(line.startswith("metadata:") for line in raw_lines(head))
                else f"metadata:\n  node_type: memory\n  {a_type}"
            )
        if not keys:
            return f"---\n{front}---\n\n".encode("utf-8", "replace") + own
        fence, _, rest = own.partition(b"\n")
        end = "\r\n" if fence.endswith(b"\r") else "\n"
        return fence + b"\n" + front.replace("\n", end).encode("utf-8", "replace") + rest if front else text.body

    def begun(self, path: str, text: bytes) -> bytes:
        """A new topic as Claude Code writes one; a frontmatter that somebody wrote for it is all there is."""
        return text if _split(text)[0] else self.wrapped(path, Carried(text))
