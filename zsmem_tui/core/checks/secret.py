"""The rule `secret`: find credentials in a text and mask them.

It recognizes documented formats, URLs and headers with a password, private keys, and values that a preceding word
calls a password, key or token (`secret_keywords`). Placeholders are not reported (`secret_values`).
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Final

from zsmem_tui.core.checks import secret_keywords
from zsmem_tui.core.checks.scan import Span, folded, replaced, runs, spans, stretches, windows, words
from zsmem_tui.core.checks.secret_values import (
    AWS_SECRET,
    COUNTED,
    classes,
    could_be_aws_secret,
    is_default,
    is_placeholder,
    looks_random,
    wordy,
)
from zsmem_tui.core.json_value import json_value
from zsmem_tui.core.text import line_begin, line_end, raw_lines

SHOWN: Final = 4
"""Characters of a credential that are shown, to recognize which one it is."""

MASKED: Final = "…"
"""Stands for the rest of it."""

_LEAST_RUN: Final = 16
"""The fewest characters without a blank or other sign that every format contains."""

_STARTS: Final = {
    r"[A-Za-z0-9_=-]{%s,}": r"""
        fo1_:40 nfp_:36 sb_secret_:20 pscale_(?:tkn|pw|oauth)_:30 ops_ey:60 HRKU-:30 (?:vercel|vc[pirak])_:24 YCAJ:20
        tskey-[a-z]{3,10}-:20 hv[sbr]\.:20 AQVN:35 GOCSPX-:24 ya29\.:30 1//0:40 gh[pousr]_:20 github_pat_:22 glpat-:20 gldt-:20
        gl[pr]t-:20 glsoat-:20 glff?c?t-:20 glcbt-:20 glagent-:50 ATBB:28 AT[AC]TT3:40
        npm_:32 pypi-:40 dckr_[po]at_:20 AKCp:60 cmVmdGtu:50 bkua_:40 CCIP(?:AT|RJ)_:20 xapp-[0-9]-:20 [sr]k_live_:16 rzp_live_:14
        sq0[a-z]{3}-:22 EAAA:60 EAA[A-Z]:80 sk-(?!ant-):20 sk-ant-(?!admin):9 gsk_:40 (?:hf|api_org)_:30
        r8_:30 (?:pplx|xai)-:40 tvly-:28 lin_(?:api|oauth)_:32 ntn_:40 glsa_:41 fig[dour]_:36 NR(?:AK|JS|II)-:19 PMAK-:59
        CFPAT-:40 pnu_:36 p8e-:32 CLOJARS_:60 dnkey-:79 duffel_(?:test|live)_:43 EZ[AT]K:54 FLW(?:SECK|PUBK)(?:_TEST)?-:12
        fio-u-:64 rdme_:70 tk-us-:48 sl\.:130 AGE-SECRET-KEY-1:50 lsv2_(?:pt|sk)_:43 dapi:32 [sr]k_prod_:16
        nvapi-:60 jina_:40 csk-:48 tgp_v1_:40 x(?:key|smtp)sib-[a-f0-9]{40,70}-:16""",
    r"[A-Za-z0-9+/_=-]{%s,}": r"""fm2_:60 bedrock-api-key-:20 ABSK:109 glc_:32 whsec_:24 sntry[su]_:40
        (?:AccountKey|SharedAccessKey)\s?=\s?:40 hooks\.slack\.com/(?:services|workflows|triggers)/:30
        discord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks/:57""",
    r"[A-Za-z0-9_.-]{%s,}": r"""dp\.[a-z]{2,5}\.:40 [A-Za-z0-9]{10,20}\.atlasv1\.:40 tfp_:40 dt0[a-z]\d\d\.:81 [ps]at\.:66""",
    r"[A-Za-z0-9_=-]{%s}(?![A-Za-z0-9_-])": "sha256~:43 glptt-:40 glimt-:25 gloas-:64 GR1348941:20 secret_:43 live_:40",
    r"[A-Za-z0-9]{%s}(?![A-Za-z0-9_-])": "cio:32 fw_:22,40 LTAI:12,24 ico-:32 oy2:43 API-:26 sm_[aps]at_:16",
    r"[A-Z0-9]{%s}(?![A-Za-z0-9])": "(?:AKIA|ASIA|ABIA|ACCA):16 A3T:17",
    r"[A-Fa-f0-9-]{%s}(?![A-Za-z0-9])": r"""
        do[opr]_v1_:64 pul-:40 sbp_:40 rubygems_:40,60 sgp_(?:local_|[a-f0-9]{16}_)?:40 SK:32 key-:32 sk_:48 shp(?:at|ca|pa|ss)_:32
        access-(?:production|development)-:36 pat-[a-z]{2}\d-:36 s-s4t2[a-z]{2}-:64 shippo_(?:live|test)_:40 sq[pua]_:40
        (?:live|test)_(?:pub_)?:31,35 v1\.0-[a-f0-9]{24}-:100,160 pat[A-Za-z0-9]{14}\.:64
        [0-9]/[0-9]{15,17}(?:/[0-9]{15,17})?::32""",
}
"""Documented formats of credentials: prefixes and the length of the rest, grouped by the alphabet of the rest.

No repetition is nested in another, so that matching takes linear time.
"""

_AWS_IDS: Final = ("AKIA", "ASIA", "ABIA", "ACCA")
_REACH: Final = 200
"""The most characters between the id of an AWS key and its secret."""
_OTHERS: Final = (
    r"sk-ant-admin\d\d-[A-Za-z0-9_-]{93}AA(?![A-Za-z0-9_-])",
    r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}",
    r"AIza(?!SyDMAScliy|yDNSXIbFm|SyAdOS2zB|SyASWm6Hm|SyA5_iVaw|SyA4UrcGx|SyDSb51Ji|SyBF2RrAI|SyA8vmApn)"  # published samples
    r"[A-Za-z0-9_-]{35}(?![A-Za-z0-9])",
    r"[A-Za-z0-9_.~-]{3}[0-9]Q~[A-Za-z0-9_.~-]{28,40}",
    r"sig=[A-Za-z0-9%+/]{40,120}(?:%3D|=)",
    r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{5,11}-){3,5}[A-Z0-9]{5}",
    r"xox[a-z](?:\.xox[a-z])?-[A-Za-z]{0,3}[0-9][A-Za-z0-9-]{20,300}",
    r"[a-z0-9-]{1,60}\.webhook\.office\.com/webhookb2/[A-Za-z0-9@/-]{60,220}",
    r"[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_-])",
    r"(?:bot)?[0-9]{8,10}:[A-Za-z0-9_-]{35}(?![A-Za-z0-9])",
    r"[a-f0-9]{32}-us[0-9]{1,2}",
    r"[0-9]{15,16}\|[A-Za-z0-9_-]{27}(?![A-Za-z0-9_-])",
    r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk",
    r"eyJ[A-Za-z0-9_-]{8,4000}\.(?:eyJ)?[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{1,1000}",
)
"""Formats with fixed characters elsewhere than at the start."""


_ADDRESS: Final = re.compile(
    r"(?<![A-Za-z0-9])([A-Za-z][A-Za-z0-9+.-]{1,30})://([^\s/:@\"'`<>|]{0,100}):([^\s/@\"'`<>|]{3,200})@("
    r"[^\s/:?#\"'`<>|)\]]{1,200})"
)
_SOURCE: Final = re.compile(r"(?<![\w.%+-])()([\w.%+-]{1,100}):([^\s/@\"'`<>|]{3,200})@(?:tcp|unix)\(([^\s()]{0,200})\)")
"""A data source as programs in Go name it; the groups are those of an address."""
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
_MARK: Final = re.compile(r"\s*(?:[-*+]|[0-9]{1,3}[.)])\s+(?:\[ \]\s+)?[`*]*")
_LONGEST_MARK: Final = 24
"""The most characters before or after a token that is a list item."""
_MOST_AGAIN: Final = 50
"""The most credentials of a text that are looked for once more in it."""
_NO_TEXT: Final = re.compile("[\ud800-\udfff]")
_MOSTLY_WORDS: Final = 0.5
"""The share of word-like letters from which on a token without digits is a name."""

_ADDRESS_WORDS: Final = words(("://", "@tcp(", "@unix("))
_HEADER_WORDS: Final = words(("curl", "basic", "bearer", "auth", "http -", "https -"))
_LOCAL: Final = re.compile(
    r"(?:localhost|127\.\d|0\.0\.0\.0"
    r"|\[?::1|host\.docker|db$|postgres$|mysql$|redis$|rabbitmq$|mongo$|.*\.local$)"
)


def secrets_in(text: str) -> list[Span]:
    """The credentials in `text`, in order and not overlapping; `shown` has their first four characters."""
    text = text if text.isascii() else _NO_TEXT.sub("\ufffd", text)  # undecodable bytes replaced, at the same offsets
    small = folded(text)
    shapes = [*_shapes(text)]
    hits = [
        *_keys(text),
        *shapes,
        *_secrets_of_aws(text, shapes),
        *_addresses(text, small),
        *_headers(text, small),
        *secret_keywords.cells(text),
    ]
    for window in windows(small, secret_keywords.WORDS):
        hits += secret_keywords.values(text, small, window)
    hits += _again(text, hits)
    return spans(text, [Span(hit.start, hit.end, hit.kind, mask(text[hit.start : hit.end]), hit.sure) for hit in hits])


def _again(text: str, hits: Sequence[Span]) -> Iterator[Span]:
    """Where a credential stands once more, without the words by which it was found."""
    kinds = {text[hit.start : hit.end]: hit.kind for hit in hits}
    for value in islice(filter(looks_random, kinds), _MOST_AGAIN):
        for match in re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", text):
            yield Span(match.start(), match.end(), kinds[value])


def mask(secret: str) -> str:
    """The masked form of a credential."""
    return f"{secret[:SHOWN]}{MASKED}"


def masked(text: str, found: Sequence[Span] | None = None) -> str:
    """`text` with each `found` place masked (default: each credential in it)."""
    return replaced(text, secrets_in(text) if found is None else found, mask)


def masked_each(texts: Sequence[str]) -> list[str]:
    """`masked` of each of these texts, looked through as one: lines that a credential spans, and many texts in less time."""
    together = "\n".join(texts)
    lines = raw_lines(replaced(together, secrets_in(together), lambda secret: mask(secret) + "\n" * secret.count("\n")))
    at, found = 0, []
    for text in texts:
        count = text.count("\n") + 1
        found.append("\n".join(lines[at : at + count]))
        at += count
    return found


def _shapes(text: str) -> Iterator[Span]:
    for window in stretches(text, runs(text, _LEAST_RUN)):
        for match in _pattern().finditer(text, window.start, window.end):
            after = text[match.end() : match.end() + 3]
            sure = _is_real_token(match[0], after)
            if sure or (_is_whole_item(text, match) and _is_real_token(COUNTED.sub("7q", match[0]), after)):
                yield Span(match.start(), match.end(), "key or token", sure=sure)


def _secrets_of_aws(text: str, shapes: Iterable[Span]) -> Iterator[Span]:
    """What has the form of the secret of an AWS key in the line of such a key's id, or in the next one."""
    for id in shapes:
        if text.startswith(_AWS_IDS, id.start):
            most = min(id.end + _REACH, len(text))
            end = line_end(text, line_end(text, id.end, most) + 1, most)
            for match in AWS_SECRET.finditer(text, line_begin(text, id.start, id.start - _REACH), end):
                if could_be_aws_secret(match[0]):
                    yield Span(match.start(), match.end(), "key or token")


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
    if len(signature) < _SHORT_SIGNATURE and not decoded(head).lstrip().startswith("{"):
        return False
    try:
        held = json_value(decoded(body))
    except ValueError:
        return True
    known = isinstance(held, dict) and (
        held.get("sub") == "1234567890" or held.get("role") == "anon" or held.get("name") == "John Doe"
    )
    return not known


def decoded(value: str) -> str:
    """Decode base64 text; empty if it is not valid."""
    body = value.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(body + "=" * (-len(body) % 4), validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return ""


def _addresses(text: str, small: str) -> Iterator[Span]:
    for window in windows(small, _ADDRESS_WORDS):
        for match in (*_ADDRESS.finditer(text, *window), *_SOURCE.finditer(text, *window)):
            _, user, password, host = match.groups()
            if is_default(password) or password.lower() == user.lower() or (_LOCAL.match(host) and classes(password) < 2):
                continue
            sure = len(password) >= 8 or classes(password) >= 2
            yield Span(match.start(3), match.end(3), "password in an address", sure=sure)


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
            user, colon, password = decoded(match[1]).partition(":")
            if colon and password and user != password and password.isprintable() and not is_default(password):
                yield Span(match.start(1), match.end(1), "user and password in base64")


def _keys(text: str) -> Iterator[Span]:
    for match in _KEY.finditer(text) if "-----BEGIN " in text else ():
        body = _BODY.findall(match[0])
        if sum(map(len, body)) >= _LEAST_BODY and not any(is_placeholder(each.lstrip("/")) for each in body[:2]):
            yield Span(match.start(), match.end(), "private key")


@cache
def _pattern() -> re.Pattern[str]:
    """One pattern for all formats."""
    starts = [
        f"{start}{alphabet % length}"
        for alphabet, own in _STARTS.items()
        for start, _, length in (each.rpartition(":") for each in own.split())
    ]
    return re.compile(rf"(?<![A-Za-z0-9_])(?:{'|'.join((*starts, *_OTHERS))})")
