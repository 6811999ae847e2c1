"""Canonical names of git remotes (host, owner, name), and removal of credentials from URLs."""

from __future__ import annotations

import re
from typing import Final

_URL: Final = re.compile(r"^(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?P<rest>.*)$", re.DOTALL)
_SCP: Final = re.compile(r"^(?P<host>\[[^\]]*\]|[^/:]+):(?P<path>.*)$", re.DOTALL)
_USER: Final = r"[^/\s'\"]*@|[^/\s'\":@\[]*:(?!\d*(?:/|$))[^\s'\"]*@"
"""User and password before the host, also if the password contains a slash."""
_CREDENTIALS: Final = re.compile(rf"(?P<scheme>://)(?:{_USER})?(?P<place>[^\s'\"?#]*)(?P<query>[?#][^\s'\"]*)?")
_PASSWORD: Final = re.compile(r"^[^/\s:@\[]+:(?!//)[^/@\s]*@|://(?:[^/\s@]*:[^/\s]*@|[^/\s:@\[]*:(?!\d*(?:/|$))\S*@|[^?#]*[?#])")
_DRIVE: Final = re.compile(r"^[A-Za-z]:[\\/]")


def canonical(url: str) -> str:
    """Normalize a remote to `host/owner/name`: lower-case host, no user, port or `.git`; a local remote to its path.

    Empty if it cannot be compared, such as a relative path. Possible secrets (user, password, query) are never included.
    """
    url = url.strip()
    if match := _URL.match(url):
        if match["scheme"].lower() == "file":
            return _local(match["rest"].partition("/")[2] and "/" + match["rest"].partition("/")[2])
        authority, _, path = match["rest"].partition("/")
        return _joined(_host(authority), path)
    if url.startswith("/") or _DRIVE.match(url):
        return _local(url)
    if url.startswith(".") or ("@" not in url and "\\" in url):
        return ""
    match = _SCP.match(url.rpartition("@")[2])
    return _joined(_host(match["host"]), match["path"]) if match else ""


def without_user(text: str) -> str:
    """Remove credentials from the URLs in a text: user, password, query and fragment."""
    return _CREDENTIALS.sub(r"\g<scheme>\g<place>", text) if "://" in text else text


def has_password(url: str) -> bool:
    """Whether a remote contains more than a user name: a password, or a query, which may hold a token."""
    return _PASSWORD.search(url) is not None


def _host(authority: str) -> str:
    """The host of `user:password@host:port`."""
    host = authority.rpartition("@")[2]
    if host.startswith("["):
        return host.partition("]")[0].removeprefix("[").lower()
    return host.partition(":")[0].lower()


def _joined(host: str, path: str) -> str:
    name = _bare(re.split(r"[?#]", path, maxsplit=1)[0])
    return f"{host}/{name}" if host and name else ""


def _local(path: str) -> str:
    return f"/{_bare(path)}" if path.startswith("/") and _bare(path) else _bare(path)


def _bare(path: str) -> str:
    return "/".join(part for part in path.split("/") if part).removesuffix(".git").rstrip("/")
