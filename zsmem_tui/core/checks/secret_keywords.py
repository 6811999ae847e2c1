"""Find values that a preceding word marks as a credential, in settings or in sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from zsmem_tui.core.checks.scan import Span, Window, words
from zsmem_tui.core.checks.secret_values import ALGORITHMS, could_be_aws_secret, could_be_chosen, is_placeholder, looks_random
from zsmem_tui.core.text import line_end, raw_lines
from zsmem_tui.core.text import words as listed

WORDS: Final = words(
    listed("""pass pwd pw key token secret credential kennwort psk wpa auth geheim schlüssel zugang creds login phrase bearer
    wi-fi wifi wlan パスワード パスフレーズ 合言葉 合い言葉 トークン キー シークレット 鍵 暗証 暗号""")
)
"""In lower case: only lines that contain one of these are examined."""

_KEYWORD: Final = re.compile(
    r"(?P<pass>(?<!by)(?<!com)(?<!tres)(?<!sur)(?<!over)(?<!under)pass(?:word|wd|wort|phrase|wörter|code|words)?(?![a-z])|pwd|(?<![a-z])pw(?![a-z])|kennwort|psk"
    r"|wpa-?[23]?(?:[-_ ](?:psk|key|personal))?(?![a-z])"
    r"|losung|zugangswort|(?:wi-?fi|wlan)-?(?:pass(?:word|wort)|key|schlüssel|code)|passphrase|pass[-_ ]phrase"
    r"|パスワード|パスフレーズ|合い?言葉|暗証(?:番号|キー)?|暗号(?:キー|鍵)"
    r"|seed[-_ ]phrase|credentials?|creds|zugang(?:sdaten)?(?![a-z])|(?<![a-z])login(?![a-z])|requirepass)"
    r"|(?P<token>(?:secret|token|bearer|_auth(?:token)?|authtoken|apikey|geheimnis|トークン|シークレット)s?)"
    r"|(?P<key>keys?|schlüssel|キー|鍵)"
)
"""In lower case. A bare "key" is usually one of a map; `_NAMED` has the words before it that make it a secret."""

_NAMED: Final = re.compile(
    r"(?:api|access|secret|private|auth|encrypt(?:ion)?|encryption|signing|sign|master|license|licence|service|app"
    r"|application|client|deploy|account|shared"
    r"|pre-?shared|storage|admin|root|session|webhook|hmac|jwt|backup|vault|dd|datadog|license|lizenz|zugangs|zugriffs"
    r"|geheim(?:er)?|privater?|api-|server|bot"
    r"|wlan|wi-?fi|router|netzwerk|security|recovery|[a-z0-9]{2,20}_api|rest|write|ingest|integration|user|team|project"
    r"|stream|cookie|db|秘密|api|アクセス|暗号化?)"
    r"[-_ ]?$"
)
_NOT_NAMED: Final = re.compile(
    r"(?:authenticity|recv|next|starting|change|lock|client[-_ ]?request|public"
    r"|publishable|anon|anonymous|primary|foreign|sort|partition|host|idempotency|site|cache|object|row|map"
    r"|lookup|dictionary|json|translation|i18n|hot|short ?cut"
    r"|function|arrow|issue|jira|ticket|store|message|routing|group|join|natural|surrogate|unique|composite|csrf|xsrf"
    r"|design|next[-_ ]?page|page|continuation|pagination"
    r"|öffentlicher?|pub|vapid[-_ ]public|公開|bundle|sub|fingerprint|known|config|setting|sync|dedup(?:e|lication)?"
    r"|index|search|mock|fake)[-_ ]?$"
)
_SUFFIX: Final = re.compile(
    r"[-_ ]?(?:id|ids|name|names|file|path|hash|hashes|url|uri|ref|arn|env|var|length|len|type|ttl|expir\w{0,8}|count"
    r"|limit|policy|policies|manager|store|field|label|prefix"
    r"|hint|rotation|rotated|reset|check|fingerprint|digest|checksum|version|format|size|algorithm|cmd|command|script"
    r"|provider|source|index|budget|usage|class|module)"
    r"(?![a-z0-9])"
)
"""A suffix that turns the word before it into a property of a credential, such as its length."""
_DIRECT: Final = re.compile(
    r"[\]\"'`*)_]{0,4}[ \t]{0,4}(?::=|=>|->|→|=|:|：|\||>(?=[^\s>]))[ \t]{0,4}(?:\|[ \t]{0,4})?[\"'`*「『“„(]{0,4}(?:bearer "
    r"|token |basic )?"
)
r"""From the word to its value: `KEY=`, `"key": "`, `key: \``, a cell of a table."""
_TAKES_ON: Final = re.compile(r"(?:[-_.][a-z0-9]{1,20}){0,3}")
"""The rest of a name that contains the word: `TOKEN_PROD`, `password.staging`, `secret2`."""
_IN_A_SENTENCE: Final = re.compile(
    r"(?<![a-z])(?:is|was|ist|war|lautet|heißt|auf|to)(?![a-z])|(?<=[はがをに])|[:：=→=]|(?=[「『“„\"'`])"
)
_SAYS: Final = ("is", "ist", "lautet", "=", ":", "：", "")
"""Words that equate what precedes with what follows."""
_NO_KEY: Final = re.compile(r"[=/\\~]|::|--|CVE-|(?<![0-9a-f])[0-9a-f]{7,31}$|^\W|[a-z]\.[a-z]{2,5}$")
"""Marks a value in a sentence as a path, option, commit or name."""
_STANDARD: Final = re.compile(r"[A-Z0-9]{2,12}(?:[/_-][A-Z0-9]{2,12}){1,3}$")
_SENTENCE_REACH: Final = 70
"""The most characters between the word and its value in a sentence."""
_IN_VALUE: Final = r"[^\s\"'`「」『』“”„|<>,;、。()\[\]]"
_VALUE: Final = re.compile(rf"[\"'`*「『“„(]{{0,3}}({_IN_VALUE}{{8,512}}+)(?!{_IN_VALUE})")
_TRAILING: Final = ".,;:!?)]}*"
_HEX: Final = re.compile(r"(?i)(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{48}|[0-9a-f]{56}|[0-9a-f]{128})$")
_OF_HASHES: Final = re.compile(
    r"(?i)commit|sha-?\d|digest|checksum|prüfsumme|md5|revision|\bhash|etag|fingerprint|fingerabdruck|build id|trace"
    r"|ハッシュ|コミット|指紋"
)
_LIKE_A_NAME: Final = 20
"""Names of algorithms and versions have fewer characters."""
_RULER: Final = re.compile(r"[ \t]*\|?[ \t:|-]*-[ \t:|-]*")
_HEAD: Final = re.compile(
    r"(?:\w+[-_ ])?(?:pass\w*|kennwort|pwd|pw|psk|パスワード|合言葉|secret|token|keys?|schlüssel|トークン|シークレット|キー)"
)


def values(text: str, small: str, window: Window) -> Iterator[Span]:
    """The values in a window that a preceding word marks as a credential (`small`: the text in lower case)."""
    after = window.start
    for word in _KEYWORD.finditer(small, window.start, window.end):
        if word.start() < after:
            continue
        found = _value(text, small, window, word)
        if found is not None:
            after = found.end
            yield found


def _value(text: str, small: str, window: Window, word: re.Match[str]) -> Span | None:
    before = small[max(window.start, word.start() - 24) : word.start()]
    if _NOT_NAMED.search(before) or before.endswith(":"):
        return None  # the name of another key, or part of an identifier such as `arn:…:secret:name`
    if word["key"] and not _NAMED.search(before) and not (before[-1:] in ("_", "-") and before[-2:-1].isalnum()):
        return None
    at = word.end()
    if _SUFFIX.match(small, at):
        return None
    if named := _TAKES_ON.match(small, at):
        at = named.end()
        if _SUFFIX.search(small, word.end(), at):
            return None
    direct = _DIRECT.match(small, at)
    if direct:
        found = _credential_at(text, direct.end(), window.end, word, named=True)
        if found:
            return found
    return _in_sentence(text, small, at, window, word)


def _in_sentence(text: str, small: str, at: int, window: Window, word: re.Match[str]) -> Span | None:
    """The value in a sentence, which must look random; other words may be between it and its keyword."""
    end = min(line_end(text, at, window.end), at + _SENTENCE_REACH)
    if text.startswith(" ", at):
        found = _credential_at(text, at + 1, window.end, word, named=True)
        if found and _is_key(text, found):
            return found
    for joint in _IN_A_SENTENCE.finditer(small, at, end):
        start = joint.end()
        while start < end and text[start] == " ":
            start += 1
        found = _credential_at(text, start, window.end, word, named=joint[0] in _SAYS or joint.start() == at)
        if found and _is_key(text, found):
            return found
    return None


def _is_key(text: str, found: Span) -> bool:
    """Whether a value in a sentence is no path, option, commit or name."""
    return _NO_KEY.search(text, found.start, found.end) is None or could_be_aws_secret(text[found.start : found.end])


def _credential_at(text: str, start: int, end: int, word: re.Match[str], named: bool) -> Span | None:
    match = _VALUE.match(text, start, end)
    if not match:
        return None
    value = match[1].rstrip(_TRAILING) if len(match[1].rstrip(_TRAILING)) >= 8 else match[1]
    if (
        (len(value) < _LIKE_A_NAME and _STANDARD.match(value))
        or is_placeholder(value)
        or text.startswith("…", match.end())
        or match[1].endswith("...")
        or text.startswith("(", match.end())
    ):
        return None
    if value.count("/") >= 2 and not value.endswith("=") and not looks_random(value.replace("/", "")):
        return None
    if _HEX.match(value) and (not named or _OF_HASHES.search(text, max(0, word.start() - 40), start)):
        return None
    kind = "password" if word["pass"] else "key or token"
    if looks_random(value) and (named or not (len(value) < _LIKE_A_NAME and ALGORITHMS.search(value))):
        return Span(match.start(1), match.start(1) + len(value), kind)
    if word["pass"] and named and could_be_chosen(value):
        return Span(match.start(1), match.start(1) + len(value), kind)
    return None


def cells(text: str) -> Iterator[Span]:
    """The values in table columns whose header names credentials."""
    start, above, is_secret = 0, "", list[bool]()
    for row in raw_lines(text) if "|" in text and "--" in text else ():
        if _RULER.fullmatch(row):
            is_secret = [_HEAD.fullmatch(cell.strip()) is not None for cell in above.split("|")]
        elif "|" not in row:
            is_secret = []
        at = start
        for cell, secret in zip(row.split("|"), is_secret, strict=False):
            value = cell.strip(" \t\r`\"'*")
            if secret and " " not in value and (looks_random(value) or could_be_chosen(value)):
                yield Span(at + cell.index(value), at + cell.index(value) + len(value), "password")
            at += len(cell) + 1
        above = row.lower()
        start += len(row) + 1
