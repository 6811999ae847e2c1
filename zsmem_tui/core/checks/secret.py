"""The rule `secret`: find credentials in a text and mask them.

It recognizes documented formats (`secret_shapes`), URLs and headers with a password, private keys, and values that a preceding word
calls a password, key or token (`secret_keywords`). Placeholders are not reported (`secret_values`).
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Sequence
from typing import Final

from zsmem_tui.core.checks import secret_keywords, secret_shapes
from zsmem_tui.core.checks.scan import Span, folded, replaced, runs, spans, stretches, windows, words
from zsmem_tui.core.checks.secret_values import COUNTED, classes, is_default, is_placeholder, looks_random, wordy
from zsmem_tui.core.json_value import json_value

SHOWN: Final = 4
"""Characters of a credential that are shown, to recognize which one it is."""

MASKED: Final = "…"
"""Stands for the rest of it."""

_ADDRESS: Final = re.compile(
    r"(?<![A-Za-z0-9])([A-Za-z][A-Za-z0-9+.-]{1,30})://([^\s/:@\"'`<>|]{0,100}):([^\s/@\"'`<>|]{3,200})@("
    r"[^\s/:?#\"'`<>|)\]]{1,200})"
)
_USER: Final = re.compile(
    r"(?:\bcurl\b[^\n|]{0,300}?\s|\bhttp[s]?\s[^\n|]{0,100}?)(?:-[a-zA-Z]{0,4}u|--user|--proxy-user"
    r"|-a)[ =]?[\"']?([\w.@%+-]{0,80})[\"']?:[\"']?([^\s\"'`<>|]{3,200})"
)
_ALONE: Final = re.compile(
    r"\bcurl\b[^\n|]{0,300}?\s(?:-u|--user)[ =]?[\"']?([^\s\"':]{8,200}):[\"']?(?=\s|$)"
    r"|(?i:\bbearer)\s{1,4}([A-Za-z0-9._~+/=-]{16,200})"
    r"|(?:-H|--header)[ =]{1,3}[\"'](?i:authorization|[a-z-]{0,20}(?:token|key))\s{0,3}:\s{0,4}(?i:token )?"
    r"([A-Za-z0-9._~+/=@-]{16,200})[\"']"
)
_TOKEN: Final = re.compile(r"[0-9a-f]{16,64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_BASIC: Final = re.compile(r"(?i:\bbasic\s|\bauth[\"']?\s{0,3}[:=])\s{0,3}[\"']?([A-Za-z0-9+/_-]{8,400}={0,2})")
_VERSION: Final = re.compile("sk-ant-(?:[a-z]{2,8}[0-9]{2}-)?")
_SHORT_KEY: Final = 27
"""A key with fewer characters may be a name: what follows its prefix has to look random."""
_SHORT_SIGNATURE: Final = 16
_KEY: Final = re.compile(
    r"-----BEGIN ((?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?)-----"
    r"(?:(?:(?!-----)[\s\S]){40,40000}-----END \1-----|(?:(?:\\n|[\s>\"'+,;\\]){0,40}[A-Za-z0-9+/]{24,}={0,2})+)"
)
"""A private key from BEGIN to END; if it is cut off, its base64 lines."""
_BODY: Final = re.compile(r"[A-Za-z0-9+/]{24,}={0,2}")
_LEAST_BODY: Final = 40
_OF_GOOGLE: Final = re.compile(r"(?i)key|token|secret|google|maps|gemini|gcp")
"""Context before a Google key that is not meant for browsers."""
_MARK: Final = re.compile(r"\s*(?:[-*+]|[0-9]{1,3}[.)])\s+(?:\[ \]\s+)?[`*]*")
_LONGEST_MARK: Final = 24
"""The most characters before or after a token that is a list item."""
_MOSTLY_WORDS: Final = 0.5
"""The share of word-like letters from which on a token without digits is a name."""

_ADDRESS_WORDS: Final = words(("://",))
_HEADER_WORDS: Final = words(("curl", "basic", "bearer", "auth", "http -", "https -"))
_LOCAL: Final = re.compile(
    r"(?:localhost|127\.\d|0\.0\.0\.0"
    r"|\[?::1|host\.docker|db$|postgres$|mysql$|redis$|rabbitmq$|mongo$|.*\.local$)"
)


def secrets_in(text: str) -> list[Span]:
    """The credentials in `text`, in order and not overlapping; `shown` has their first four characters."""
    small = folded(text)
    hits = [
        *_keys(text),
        *_shapes(text),
        *_addresses(text, small),
        *_headers(text, small),
        *secret_keywords.cells(text),
    ]
    for window in windows(small, secret_keywords.WORDS):
        hits += secret_keywords.values(text, small, window)
    return spans(text, [Span(hit.start, hit.end, hit.kind, mask(text[hit.start : hit.end]), hit.sure) for hit in hits])


def mask(secret: str) -> str:
    """The masked form of a credential."""
    return f"{secret[:SHOWN]}{MASKED}"


def masked(text: str, found: Sequence[Span]) -> str:
    """`text` with each `found` place masked."""
    return replaced(text, found, mask)


def _shapes(text: str) -> Iterator[Span]:
    for window in stretches(text, runs(text, secret_shapes.LEAST_RUN)):
        for match in secret_shapes.shapes().finditer(text, window.start, window.end):
            is_named = not match[0].startswith("AIza") or bool(_OF_GOOGLE.search(text, window.start, match.start()))
            after = text[match.end() : match.end() + 3]
            sure = _is_real_token(match[0], after)
            if is_named and (sure or (_is_whole_item(text, match) and _is_real_token(COUNTED.sub("7q", match[0]), after))):
                yield Span(match.start(), match.end(), "key or token", sure=sure)


def _is_whole_item(text: str, token: re.Match[str]) -> bool:
    """Whether a list item consists of a token only: then it may be real even if it looks like a sample."""
    before = text[max(token.start() - _LONGEST_MARK, 0) : token.start()].rpartition("\n")[2]
    after = text[token.end() : token.end() + _LONGEST_MARK].partition("\n")[0]
    return _MARK.fullmatch(before) is not None and not after.strip(" \t\r`.*")


def _is_real_token(value: str, after: str) -> bool:
    if is_placeholder(value) or after.startswith(("…", "...", "<", "#")):
        return False
    if value.startswith("eyJ"):
        return _is_real_jwt(value)
    if value.startswith("sk-ant-") and len(value) < _SHORT_KEY:
        return looks_random(_VERSION.sub("", value))
    tail = value[-24:]
    return len(set(tail)) > 6 and (any(each.isdigit() for each in value) or wordy(tail) < _MOSTLY_WORDS)


def _is_real_jwt(token: str) -> bool:
    """Whether a JWT is a real one: not an example from a manual, and not one meant for browsers.

    If its signature is short, its header has to decode to JSON.
    """
    head, body, signature = token.split(".")
    if len(signature) < _SHORT_SIGNATURE and not _decoded(head).lstrip().startswith("{"):
        return False
    try:
        held = json_value(_decoded(body))
    except ValueError:
        return True
    known = isinstance(held, dict) and (
        held.get("sub") == "1234567890" or held.get("role") == "anon" or held.get("name") == "John Doe"
    )
    return not known


def _decoded(value: str) -> str:
    """Decode base64 text; empty if it is not valid."""
    body = value.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(body + "=" * (-len(body) % 4), validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return ""


def _addresses(text: str, small: str) -> Iterator[Span]:
    for window in windows(small, _ADDRESS_WORDS):
        for match in _ADDRESS.finditer(text, window.start, window.end):
            _, user, password, host = match.groups()
            if not _is_real_password(user, password, host):
                continue
            sure = len(password) >= 8 or classes(password) >= 2
            yield Span(match.start(3), match.end(3), "password in an address", sure=sure)


def _is_real_password(user: str, password: str, host: str) -> bool:
    """Whether a URL has an actual password, not a placeholder or default."""
    if is_default(password) or password.lower() == user.lower():
        return False
    return not (host and _LOCAL.match(host) and classes(password) < 2)


def _headers(text: str, small: str) -> Iterator[Span]:
    for start, end in windows(small, _HEADER_WORDS):
        for match in _USER.finditer(text, start, end):
            if not is_default(match[2]) and match[1] != match[2]:
                yield Span(match.start(2), match.end(2), "password of a command")
        for match in _ALONE.finditer(text, start, end):
            value = match[match.lastindex or 0]
            if looks_random(value) or (match[3] and _TOKEN.fullmatch(value) and not is_placeholder(value)):
                yield Span(*match.span(match.lastindex or 0), "key or token")
        for match in _BASIC.finditer(text, start, end):
            user, colon, password = _decoded(match[1]).partition(":")
            if colon and password and user != password and password.isprintable() and not is_default(password):
                yield Span(match.start(1), match.end(1), "user and password in base64")


def _keys(text: str) -> Iterator[Span]:
    for match in _KEY.finditer(text) if "-----BEGIN " in text else ():
        body = _BODY.findall(match[0])
        if sum(map(len, body)) >= _LEAST_BODY and not any(is_placeholder(each.lstrip("/")) for each in body[:2]):
            yield Span(match.start(), match.end(), "private key")
