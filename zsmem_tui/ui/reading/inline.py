"""The marks inside a line: emphasis, code, links. A span is a piece of text and the name of its style."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

Span = tuple[str, str]

_INLINE: Final = re.compile(
    r"(?P<code>(?P<ticks>`+)(?!`)(?P<coded>.+?)(?<!`)(?P=ticks)(?!`))"
    r"|(?P<both>\*\*\*(?=[^\s*])(?P<strong>.+?)(?<=[^\s*])\*\*\*|(?<!\w)___(?=[^\s_])(?P<strong2>.+?)(?<=[^\s_])___(?!\w))"
    r"|(?P<bold>\*\*(?=\S)(?!\*+\s)(?P<bolded>.+?)(?<=\S)\*\*|(?<!\w)__(?=\S)(?P<bolded2>.+?)(?<=\S)__(?!\w))"
    r"|(?P<strike>~~(?=\S)(?P<struck>.+?)(?<=\S)~~)"
    r"|(?P<italic>\*(?=[^\s*])(?P<slanted>[^*]+?)(?<=\S)\*|(?<!\w)_(?=[^\s_])(?P<slanted2>[^_]+?)(?<=\S)_(?!\w))"
    r"|(?P<wiki>(?<!\[)\[\[(?=[^\s\]:|])(?P<page>[^\[\]|\n]*)(?<!\s)(?:\|(?P<label>[^\[\]\n]*))?\]\](?!\]))"
    r"|(?P<link>!?\[(?P<words>[^\[\]]*)\]\((?P<target>[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+\"[^\"]*\")?\))"
    r"|(?P<url>https?://[^\s<>()\[\]`\"]+)"
)
_MARKS: Final = re.compile(r"[`*_~\[]|https?://")

MAX_INLINE_CHARS: Final = 4_000
"""Characters. A longer line is drawn as it is: looking for marks in it would take longer than a frame."""


WIKI: Final = "wiki:"
"""Before the target of a link to a note by its name."""


class LinkStyle(str):
    """The style of a link's words, which knows where the link leads. Each link has one of its own."""

    target: str

    @classmethod
    def to(cls, target: str) -> LinkStyle:
        """The style of a link that leads there."""
        style = cls("link")
        style.target = target
        return style


def inline(text: str, style: str = "text") -> list[Span]:
    """`text` as spans, its marks taken away."""
    return _spans(text, style, _marked)


def raw_inline(text: str, style: str = "text") -> list[Span]:
    """`text` as spans, as it stands: its marks are coloured and stay."""
    return _spans(text, style, _coloured)


def _spans(text: str, style: str, drawn: Callable[[re.Match[str], str], list[Span]]) -> list[Span]:
    """`text` as spans, what has marks as it is `drawn`."""
    if len(text) > MAX_INLINE_CHARS or not _MARKS.search(text):
        return [(text, style)]
    spans: list[Span] = []
    at = 0
    for found in _INLINE.finditer(text):
        if found.start() > at:
            spans.append((text[at : found.start()], style))
        at = found.end()
        spans += drawn(found, style)
    if at < len(text):
        spans.append((text[at:], style))
    return spans


def _marked(found: re.Match[str], style: str) -> list[Span]:
    match found.lastgroup:
        case "code":
            return [(found["coded"], "code")]
        case "bold":
            return [
                (words, "bold" if kind == style else kind) for words, kind in inline(found["bolded"] or found["bolded2"], style)
            ]
        case "both":
            strong = found["strong"] or found["strong2"]
            return [(piece, "bold-italic" if kind == style else kind) for piece, kind in inline(strong, style)]
        case "strike":
            return [(found["struck"], "strike")]
        case "italic":
            return [(found["slanted"] or found["slanted2"], "italic")]
        case "wiki":
            page, label = found["page"], found["label"]
            named: Span = (label or page, LinkStyle.to(WIKI + page))
            return [named] if not label or label == page else [named, (f" ({page})", "target")]
        case "link":
            target = found["target"]
            shown: Span = (found["words"] or target, LinkStyle.to(target))
            return [shown] if target in ("", found["words"]) else [shown, (f" ({target})", "target")]
        case _:
            return [(found["url"], LinkStyle.to(_without_stop(found["url"])))]


def _coloured(found: re.Match[str], style: str) -> list[Span]:
    """What has marks, as one piece in the style that it has without them."""
    kinds = [kind for _, kind in _marked(found, style)]
    return [(found[0], next((kind for kind in kinds if isinstance(kind, LinkStyle)), kinds[0] if kinds else style))]


def _without_stop(url: str) -> str:
    """An address in a sentence, without the stop that ends the sentence."""
    return url.rstrip(".,;:!?'\"")
