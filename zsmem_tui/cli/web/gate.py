"""Who may use the program in a browser: whoever has the token, on a page of ours. Values in, a verdict out."""

from __future__ import annotations

import hmac
import ipaddress
import re
import secrets
from enum import StrEnum
from typing import Final, NamedTuple
from urllib.parse import urlsplit

_HOST: Final = re.compile(r"(?:[A-Za-z0-9._-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?")
"""A `Host` header as browsers send it: a name or an address, and a port. Only such a one is ever said again in an answer."""

TOKEN_BYTES: Final = 32
"""Random bytes of a token: nobody guesses 256 bits."""


class Verdict(StrEnum):
    """What becomes of a request. Every refusal is a sentence for the person, and says nothing of the token."""

    PASS = ""
    ENTER = "enter"
    """The token is right: the browser keeps it as a cookie, and its address bar shows it no more."""
    NO_TOKEN = "This page needs the address that zsmem serve printed, with its token."
    WRONG_HOST = "This server is not called by that name. Use the address that zsmem serve printed."
    WRONG_ORIGIN = "Another page asked for this. Use the address that zsmem serve printed."


class Asked(NamedTuple):
    """What of a request decides: its headers, the token in its address and in its cookie; None where there is none."""

    host: str
    origin: str | None = None
    token: str | None = None
    cookie: str | None = None
    is_socket: bool = False


class Gate:
    """One server's gate. `names` are the names of this machine by which it may be called, beside its addresses."""

    def __init__(self, token: str, names: frozenset[str] = frozenset(), *, is_loopback: bool = True) -> None:
        self._token = token.encode()
        self._names = frozenset(name.lower() for name in names) | {"localhost"}
        self._is_loopback = is_loopback

    def judge(self, asked: Asked) -> Verdict:
        """Whether a request may pass.

        A page elsewhere must not reach us through the browser of somebody who may: a name that leads here only by its owner's
        trick (DNS rebinding) is refused, and so is what another page asks for. A web socket always says which page that is.
        """
        if not self._is_ours(asked.host):
            return Verdict.WRONG_HOST
        if asked.origin is None if asked.is_socket else False:
            return Verdict.WRONG_ORIGIN
        if asked.origin is not None and _page(asked.origin) not in _pages(asked.host):
            return Verdict.WRONG_ORIGIN
        if self._is_token(asked.cookie):
            return Verdict.PASS
        return Verdict.ENTER if self._is_token(asked.token) and not asked.is_socket else Verdict.NO_TOKEN

    def _is_token(self, given: str | None) -> bool:
        """Compared in a time that says nothing about how much of it was right."""
        return given is not None and hmac.compare_digest(given.encode("utf-8", "surrogateescape"), self._token)

    def _is_ours(self, host: str) -> bool:
        """A tunnel comes by another port, so that does not count; a name counts only where it is known to be this machine's."""
        name = _name(host)
        if name in self._names:
            return True
        try:
            return ipaddress.ip_address(name).is_loopback or not self._is_loopback
        except ValueError:
            return False


def new_token() -> str:
    """A token nobody has had before, fit for an address."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def is_loopback(host: str) -> bool:
    """Whether what a server listens on can be reached from this machine alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _name(host: str) -> str:
    """The name or address in a `Host` header, without its port; empty for one that has none."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower() if host_in(host) else ""
    except ValueError:
        return ""


def host_in(header: str) -> str:
    """A `Host` header that may stand in an answer; empty for one that may not."""
    return header if _HOST.fullmatch(header) else ""


def _page(origin: str) -> tuple[str, str]:
    """The scheme and the host of an `Origin` header; both empty for one that means nothing."""
    try:
        found = urlsplit(origin)
    except ValueError:
        return "", ""
    return found.scheme, found.netloc.lower()


def _pages(host: str) -> tuple[tuple[str, str], ...]:
    """The origins that a page of ours can have: this host, bare or behind something that adds encryption."""
    return ("http", host.lower()), ("https", host.lower())
