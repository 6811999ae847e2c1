"""Tell credentials from what only stands in their place: placeholders, variables, digests, ordinary words."""

from __future__ import annotations

import re
from collections import Counter
from math import log2
from typing import Final

from zsmem_tui.core.text import words as listed

LEAST: Final = 8
"""Shorter values, in characters, cannot be told from words."""

LONGEST: Final = 512
"""The most characters of a value to examine."""

_BITS: Final = 2.5
"""Bits of entropy per character from which on a value looks random; eight different characters have at most three."""

_LEAST_WOVEN: Final = 14
_WOVEN: Final = 3
"""Numbers in an alphanumeric value from which on it is not a name."""

_TURNS: Final = 0.38
"""Pieces per character: random text changes between letters, cases and digits every second character, names every fifth."""

COUNTED: Final = re.compile("abcdefgh|12345678|qwerty", re.IGNORECASE)
"""A run of digits or letters in their order: it marks a sample."""
_PLACEHOLDER: Final = re.compile(
    r"example|sample|dummy|placeholder|change[-_]?(?:me|this|it)|(?<![a-z])your(?![a-z])|your[-_]|(?<![a-z])my[-_]|redacted|censored|masked"
    r"|\*{3}|\.{3}|…|•{2}|x{4}|0{6}|#{4}|_{4}|-{4}|insert|replace[-_]?(?:me|this|with)|(?<![a-z])todo|fake|not[-_]?real"
    r"|lorem|foobar|beispiel"
    r"|platzhalter|geheim(?![a-z])|(?<![a-z])(?:dein|ihr|mein)(?:e|en)?[-_]|ここに|例|ダミー"
    rf"|deadbeef|cafebabe|a-z|{COUNTED.pattern}",
    re.IGNORECASE,
)
_REFERENCE: Final = re.compile(
    r"[$<{\[(@&]|--[a-z]|~/|%\w{2,40}%|![A-Z]?[a-z]{2,10}[ :]|~?/[a-z]|[A-Z]:\\|\.{1,2}/|process\.env|os\.(?:environ|getenv)"
    r"|import\.meta|env[.:(\[]|secrets?[.:/]|vars?\.|config\.|settings\.|op://|vault[:/]"
    r"|\d{1,4}[:-]\d\d[:-]\d\d|ref\+|keychain|arn:|projects/|https?://|file:|data:|gs://|s3://|kms:|ssm:|ssh-|ecdsa-|sk-ssh|age1|-----",
    re.IGNORECASE,
)
"""The start of a value that refers to a credential stored elsewhere, and is none itself."""
_COMMON: Final = re.compile(
    r"(?i)(?:(?:my|super|very|secure|strong|new|old|user|admin|test|demo|dev|local|valid|wrong|invalid|temp|secret)[-_]?){0,3}"
    r"(?:p[a@]ss(?:w[o0]rd|wort|wd)?|secret|admin|test|user|welcome|letmein|demo|key|token)[\d!@#$%._-]{0,8}$"
)
"""Values common in examples."""
_UUID: Final = re.compile(r"(?i)\{?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?$")
_PUBLIC: Final = re.compile(r"(?:pk|pub)_(?:live|test)_|pk\.eyJ|phc_|sb_publishable_|pk-lf-|AAAA[A-Z]3Nz|sk_test_|rk_test_")
_PIECES: Final = re.compile(r"[A-Z]?[a-zß-ÿ]+|[A-Z]+(?![a-z])|[0-9]+|[^A-Za-z0-9]")
AWS_SECRET: Final = re.compile(r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])")
_WORDS: Final = re.compile("[A-Z]?[a-z]{3,}")
_VOWELS: Final = frozenset("aeiouyäöüAEIOUY")
ALGORITHMS: Final = re.compile(
    r"(?i)sha-?\d|md5|aes|rsa|pbkdf|bcrypt|argon|hmac|oauth|utf-?\d|base64|base32|ed25519|x509|tls|http|jwt|ipv[46]"
    r"|\d{4}-\d\d-\d\d|v\d+\.\d"
)
_DEFAULTS: Final = frozenset(
    listed("""pass pw pwd username root guest postgres mysql redis tests testing dev local default changeit kennwort hunter2 foo bar
    baz パスワード 123456 1234 12345 app""")
)


def is_placeholder(value: str) -> bool:
    """Whether a value only stands for a credential: a sample, x's, stars, a variable, a file, something public."""
    return bool(
        _PLACEHOLDER.search(value)
        or _REFERENCE.match(value)
        or _PUBLIC.match(value)
        or _COMMON.match(value)
        or len(set(value.lower())) <= 3
    )


def is_default(value: str) -> bool:
    """Whether a value is a word that is commonly used as a placeholder password."""
    return value.lower() in _DEFAULTS or is_placeholder(value)


def bits(value: str) -> float:
    """The Shannon entropy of a value's characters, in bits per character."""
    size = len(value)
    return -sum(count / size * log2(count / size) for count in Counter(value).values()) if size else 0.0


def classes(value: str) -> int:
    """How many of these a value contains: lower case, upper case, digits, symbols (except `-_./:`, which join words)."""
    small = any(each.islower() for each in value)
    large = any(each.isupper() for each in value)
    digit = any(each.isdigit() for each in value)
    sign = any(not each.isalnum() and each not in "-_./:" for each in value)
    return small + large + digit + sign


def wordy(value: str) -> float:
    """The share of a value's letters that are in pieces that look like words."""
    letters = words = 0
    for piece in _PIECES.findall(value):
        if not piece[0].isalpha():
            continue
        letters += len(piece)
        vowels = sum(each in _VOWELS for each in piece)
        if len(piece) >= 4 and 0.2 <= vowels / len(piece) <= 0.7 and not re.search(r"(?i)[bcdfghjklmnpqrstvwxz]{5}", piece):
            words += len(piece)
    return words / letters if letters else 0.0


def looks_random(value: str) -> bool:
    """Whether a value is unlikely to be a word, a name, a number or a date."""
    if not LEAST <= len(value) <= LONGEST or is_placeholder(value) or _UUID.match(value):
        return False
    if bits(value) < _BITS:
        return False
    if any(not each.isascii() and not each.isalnum() for each in value):
        return False
    digits = sum(each.isdigit() for each in value)
    kinds = classes(value)
    if digits == len(value) or kinds < 2:
        return False
    if digits and len(value) >= _LEAST_WOVEN and value.isalnum() and len(re.findall("[0-9]+", value)) >= _WOVEN:
        return True
    turns = len(_PIECES.findall(value)) / len(value)
    if not digits:
        return (len(value) >= 10 or kinds >= 3) and turns >= _TURNS and wordy(value) < 0.5
    return wordy(value) < 0.55 or (kinds >= 3 and turns >= _TURNS)


def could_be_aws_secret(value: str) -> bool:
    """Whether a value has the form of the secret of an AWS key, and is no digest and no path."""
    has_all = all(any(map(kind, value)) for kind in (str.islower, str.isupper, str.isdigit))
    return has_all and AWS_SECRET.fullmatch(value) is not None and sum(map(len, _WORDS.findall(value))) < len(value) / 2


def could_be_chosen(value: str) -> bool:
    """Whether a person might choose this as a password: words with digits and symbols, not a name."""
    if not LEAST <= len(value) <= LONGEST or is_placeholder(value) or _UUID.match(value) or ALGORITHMS.search(value):
        return False
    if not re.search("[0-9]", value) or sum(each.isalpha() for each in value) < 3:
        return False
    is_jointed = any(each in "_./:" for each in value)
    return classes(value) >= 3 or (not is_jointed and (value.count("-") >= 2 or ("-" not in value and classes(value) == 2)))
