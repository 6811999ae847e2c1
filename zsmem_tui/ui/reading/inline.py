"""The marks inside a line: emphasis, code, links. A span is a piece of text and the name of its style."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from zsmem_tui.core.pattern import Pattern

Span = tuple[str, str]

_INLINE: Final = Pattern(
    r"(?P<code>(?P<ticks>`+)(?!`)(?P<coded>.+?)(?<!`)(?P=ticks)(?!`))"
    r"|(?P<both>\*\*\*(?=[^\s*])(?P<strong>.+?)(?<=[^\s*])\*\*\*|(?<!\w)___(?=[^\s_])(?P<strong2>.+?)(?<=[^\s_])___(?!\w))"
    r"|(?P<bold>\*\*(?=\S)(?!\*+\s)(?P<bolded>.+?)(?<=\S)\*\*|(?<!\w)__(?=\S)(?P<bolded2>.+?)(?<=\S)__(?!\w))"
    r"|(?P<strike>~~(?=\S)(?P<struck>.+?)(?<=\S)~~)"
    r"|(?P<italic>\*(?=[^\s*])(?P<slanted>[^*]+?)(?<=\S)\*|(?<!\w)_(?=[^\s_])(?P<slanted2>[^_]+?)(?<=\S)_(?!\w))"
    r"|(?P<wiki>(?<!\[)\[\[(?=[^\s\]:|])(?P<page>[^\[\]|\n]*)(?<!\s)(?:\|(?P<label>[^\[\]\n]*))?\]\](?!\]))"
    r"|(?P<link>!?\[(?P<words>[^\[\]]*)\]\((?:<(?P<angled>[^<>\0]*)>|(?P<target>[^()\s]*(?:\([^()\s]*\)[^()\s]*)*))"
    r"(?:\s+(?:\"[^\"]*\"|'[^']*'))?\))"
    r"|(?P<auto><(?P<address>(?:https?|ftp)://[^\s<>]+|(?:mailto:)?[\w.+-]+@[\w-]+(?:\.[\w-]+)+)>)"
    r"|(?P<ref>!?\[(?P<called>\^?[^\[\]^]+)\](?:\[(?P<label2>[^\[\]]*)\])?)"
    r"|(?P<url>https?://[^\s<>()\[\]`\"]+)"
)
_MARKS: Final = Pattern(r"[`*_~\[<]|https?://")

_BLANKS: Final = Pattern(r"[\s\0]+")

MAX_INLINE_CHARS: Final = 4_000
"""Characters. A longer line is drawn as it is: looking for marks in it would take longer than a frame."""


WIKI: Final = "wiki:"
"""Before the target of a link to a note by its name."""


LINE: Final = "line:"
"""Before the target of a link to a line of the same text: the number of the line, from 0 on."""

References = Mapping[str, str]
"""Where `[words][label]` and `[^label]` lead, by their labels."""

NO_REFERENCES: Final[References] = MappingProxyType({})


def label_of(words: str) -> str:
    """What a label is compared by: case and kinds of blanks make no difference."""
    return _BLANKS.sub(" ", words.strip()).casefold()


class LinkStyle(str):
    """The style of a link's words, which knows where the link leads. Each link has one of its own."""

    target: str

    @classmethod
    def to(cls, target: str) -> LinkStyle:
        """The style of a link that leads there."""
        style = cls("link")
        style.target = target
        return style


def link_words(target: str) -> str:
    """Where a link leads, in words."""
    return f"line {int(target.removeprefix(LINE)) + 1}" if target.startswith(LINE) else target.removeprefix(WIKI)


def inline(text: str, style: str = "text", references: References = NO_REFERENCES) -> list[Span]:
    """`text` as spans, its marks taken away."""
    return _spans(text, style, references, _marked)


def raw_inline(text: str, style: str = "text", references: References = NO_REFERENCES) -> list[Span]:
    """`text` as spans, as it stands: its marks are coloured and stay."""
    return _spans(text, style, references, _coloured)


def _spans(
    text: str, style: str, references: References, drawn: Callable[[re.Match[str], str, References], list[Span]]
) -> list[Span]:
    """`text` as spans, what has marks as it is `drawn`."""
    if len(text) > MAX_INLINE_CHARS or not _MARKS.search(text):
        return [(text, style)]
    spans: list[Span] = []
    at = after = 0
    while (found := _INLINE.search(text, after)) is not None:
        if found.lastgroup == "ref" and not _refers(found, references):
            after = found.start() + 1  # brackets that are just brackets: what stands in them may have marks
            continue
        if found.start() > at:
            spans.append((text[at : found.start()], style))
        at = after = found.end()
        spans += drawn(found, style, references)
    if at < len(text):
        spans.append((text[at:], style))
    return spans


def _refers(found: re.Match[str], references: References) -> str:
    """Where a reference leads; empty where nothing is defined by its label."""
    return references.get(label_of(found["label2"] or found["called"]), "") if references else ""


def _marked(found: re.Match[str], style: str, references: References) -> list[Span]:
    match found.lastgroup:
        case "code":
            return [(found["coded"], "code")]
        case "bold":
            bold = found["bolded"] or found["bolded2"]
            return [(words, "bold" if kind == style else kind) for words, kind in inline(bold, style, references)]
        case "both":
            strong = found["strong"] or found["strong2"]
            return [(piece, "bold-italic" if kind == style else kind) for piece, kind in inline(strong, style, references)]
        case "strike":
            return [(found["struck"], "strike")]
        case "italic":
            return [(found["slanted"] or found["slanted2"], "italic")]
        case "wiki":
            page, label = found["page"], found["label"]
            named: Span = (label or page, LinkStyle.to(WIKI + page))
            return [named] if not label or label == page else [named, (f" ({page})", "target")]
        case "link":
            target = found["target"] or found["angled"] or ""
            shown: Span = (found["words"] or target, LinkStyle.to(target))
            return [shown] if target in ("", found["words"]) else [shown, (f" ({target})", "target")]
        case "auto":
            address = found["address"]
            is_mail = "@" in address and "://" not in address and not address.startswith("mailto:")
            return [(address, LinkStyle.to(f"mailto:{address}" if is_mail else address))]
        case "ref":
            target = _refers(found, references)
            return [(f"[{found['called']}]" if target.startswith(LINE) else found["called"], LinkStyle.to(target))]
        case _:
            return [(found["url"], LinkStyle.to(_without_stop(found["url"])))]


def _coloured(found: re.Match[str], style: str, references: References) -> list[Span]:
    """What has marks, as one piece in the style that it has without them."""
    kinds = [kind for _, kind in _marked(found, style, references)]
    return [(found[0], next((kind for kind in kinds if isinstance(kind, LinkStyle)), kinds[0] if kinds else style))]


def _without_stop(url: str) -> str:
    """An address in a sentence, without the stop that ends the sentence."""
    return url.rstrip(".,;:!?'\"")
