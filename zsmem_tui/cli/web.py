"""The program in a browser: textual-serve, which starts it for each page, behind a token check."""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import logging
import re
import secrets
from collections.abc import Callable
from contextvars import ContextVar
from enum import StrEnum
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from aiohttp import WSMsgType, hdrs, web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.typedefs import Handler
from textual_serve.app_service import AppService
from textual_serve.server import Server

from zsmem_tui.core.json_value import json_value

_HOST: Final = re.compile(r"(?:[A-Za-z0-9._-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?")
"""A valid `Host` header: a name or an address, and a port. Others are never echoed in a response."""

TOKEN_BYTES: Final = 32
"""Random bytes in a token."""


class Verdict(StrEnum):
    """The decision on a request. Refusals are messages for the person that reveal nothing about the token."""

    PASS = ""
    ENTER = "enter"
    """The token is right: set it as a cookie and redirect to an address without it."""
    NO_TOKEN = "This page needs the address that zsmem serve printed, with its token."
    WRONG_HOST = "This server is not called by that name. Use the address that zsmem serve printed."
    WRONG_ORIGIN = "Another page asked for this. Use the address that zsmem serve printed."


class Asked(NamedTuple):
    """The parts of a request that decide: headers, and tokens in the address and the cookie; None if missing."""

    host: str
    origin: str | None = None
    token: str | None = None
    cookie: str | None = None
    is_socket: bool = False


class Gate:
    """The token and host check of a server. `names` are the host names it may be addressed by, besides its addresses."""

    def __init__(self, token: str, names: frozenset[str] = frozenset(), *, is_loopback: bool = True) -> None:
        self._token = token.encode()
        self._names = frozenset(name.lower() for name in names) | {"localhost"}
        self._is_loopback = is_loopback

    def judge(self, asked: Asked) -> Verdict:
        """Decide on a request.

        Other pages must not reach the server through an authorised browser: unknown host names are refused (DNS rebinding), and so
        are foreign origins. A web socket must have an `Origin` header.
        """
        if not self._is_ours(asked.host):
            return Verdict.WRONG_HOST
        own = ((scheme, asked.host.lower()) for scheme in ("http", "https"))  # with or without TLS in front
        if asked.is_socket if asked.origin is None else _origin_parts(asked.origin) not in own:
            return Verdict.WRONG_ORIGIN
        if self._is_token(asked.cookie):
            return Verdict.PASS
        return Verdict.ENTER if self._is_token(asked.token) and not asked.is_socket else Verdict.NO_TOKEN

    def _is_token(self, given: str | None) -> bool:
        """Compare in constant time."""
        return given is not None and hmac.compare_digest(given.encode("utf-8", "surrogateescape"), self._token)

    def _is_ours(self, host: str) -> bool:
        """Whether the host is this machine: a known name or an allowed address, with any port, since tunnels use others."""
        name = _name(host)
        if name in self._names:
            return True
        try:
            return ipaddress.ip_address(name).is_loopback or not self._is_loopback
        except ValueError:
            return False


def new_token() -> str:
    """A new random token for use in an address."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def is_loopback(host: str) -> bool:
    """Whether a listening address can be reached only from this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _name(host: str) -> str:
    """The host of a `Host` header, without the port; empty if invalid."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower() if host_in(host) else ""
    except ValueError:
        return ""


def host_in(header: str) -> str:
    """The header if it is valid and so may be echoed in a response; else empty."""
    return header if _HOST.fullmatch(header) else ""


def _origin_parts(origin: str) -> tuple[str, str]:
    """The scheme and host of an `Origin` header; both empty if invalid."""
    try:
        found = urlsplit(origin)
    except ValueError:
        return "", ""
    return found.scheme, found.netloc.lower()


_BASE_URL: Final[ContextVar[str]] = ContextVar("here", default="")
"""The base address of the current request, which its page has to use."""

LAST_SECONDS: Final = 1.5
"""Seconds that programs get to end when the server stops; enough to keep a draft."""

_GRACE_SECONDS: Final = 0.2
"""Seconds for other requests that are still being answered."""

_MOST_CELLS: Final = 1_000
"""Maximum columns or rows that a page may ask for."""

_PAGE_ADDITIONS: Final = """
    <style>.xterm .xterm-viewport { overflow: hidden }</style>
    <script>
      new MutationObserver((_, watching) => {
        if (!document.body.classList.contains("-first-byte")) return;
        watching.disconnect();
        document.querySelector(".xterm-helper-textarea").focus();
      }).observe(document.documentElement, {subtree: true, attributeFilter: ["class"]});
    </script>
"""
"""Added to textual-serve's page, which otherwise takes no keys before a click, and shows a useless scroll bar.

The keyboard is focused after the first output of the program, which could not receive the focus event before.
"""


class GatedServer(Server):
    """textual-serve's server with a `Gate` before every route."""

    def __init__(self, command: str, gate: Gate, host: str, port: int, title: str) -> None:
        super().__init__(command, host=host, port=port, title=title)
        self._gate = gate
        self._pages: dict[asyncio.Task[object], web.Request] = {}

    @property
    def public_url(self) -> str:
        """The base address of the current request; through a tunnel it differs from the listening address."""
        return _BASE_URL.get()

    @public_url.setter
    def public_url(self, value: str) -> None:
        """Ignore the common address that textual-serve sets."""

    async def handle_index(self, request: web.Request) -> web.StreamResponse:
        """The page, with our additions."""
        page = await super().handle_index(request)
        if isinstance(page, web.Response):
            page.text = (page.text or "").replace("</head>", f"{_PAGE_ADDITIONS}</head>")
        return page

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """Run a page's program until either ends."""
        page = asyncio.current_task()
        assert page is not None
        self._pages[page] = request
        try:
            return await super().handle_websocket(request)
        finally:
            self._pages.pop(page, None)

    async def _process_messages(self, websocket: web.WebSocketResponse, app_service: AppService) -> None:
        """Pass a page's messages on to its program; ignore invalid ones."""
        async for message in websocket:
            match _parsed_frame(message.data) if message.type is WSMsgType.TEXT else None:
                case ["stdin", str(typed), *_]:
                    await app_service.send_bytes(typed.encode("utf-8", "replace"))
                case ["resize", {"width": int(width), "height": int(height)}, *_]:
                    if 0 < width <= _MOST_CELLS and 0 < height <= _MOST_CELLS:
                        await app_service.set_terminal_size(width, height)
                case ["ping", data, *_]:
                    await websocket.send_json(["pong", data])
                case ["blur", *_]:
                    await app_service.blur()
                case ["focus", *_]:
                    await app_service.focus()

    async def on_shutdown(self, app: web.Application) -> None:
        """End all programs and wait until they have kept unsaved text.

        aiohttp would only wait for the pages, and then leave the programs behind. Connections are aborted, so that no page is
        waited for.
        """
        pages = dict(self._pages)
        for page, request in pages.items():
            page.cancel()
            if request.transport is not None:
                request.transport.abort()
        if pages:
            await asyncio.wait(pages, timeout=LAST_SECONDS)

    async def application(self) -> web.Application:
        """The web application, without textual-serve's start message."""
        logging.getLogger("aiohttp.server").addFilter(_is_worth_saying)
        found = await self._make_app()
        found.on_startup.clear()
        found.middlewares.append(self._gated)
        found.on_response_prepare.append(_add_headers)
        return found

    @web.middleware
    async def _gated(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        name = f"zsmem-{self.port}"  # browsers share cookies between all ports of a host
        token, cookie = request.query.get("token"), request.cookies.get(name)
        is_socket = request.path == "/ws"
        host = host_in(request.headers.get(hdrs.HOST, ""))
        verdict = self._gate.judge(Asked(host, request.headers.get(hdrs.ORIGIN), token, cookie, is_socket))
        if verdict is Verdict.ENTER:
            entered = web.Response(status=303, headers={hdrs.LOCATION: "/"} | _headers(host))
            entered.set_cookie(name, token or "", httponly=True, samesite="Strict", path="/")
            return entered
        if verdict is not Verdict.PASS:
            return web.Response(status=403, text=f"{verdict}\n", headers=_headers(host))
        _BASE_URL.set(f"{request.scheme}://{host}")
        return await handler(request)


async def _add_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Add the security headers to every response."""
    response.headers.update(_headers(host_in(request.headers.get(hdrs.HOST, ""))))


def run(server: GatedServer, listening: Callable[[], None]) -> None:
    """Serve until stopped; call `listening` once the port is open. Raises `OSError` if it cannot be opened."""
    web.run_app(
        server.application(),
        host=server.host,
        port=server.port,
        print=lambda _: listening(),
        access_log=None,
        shutdown_timeout=_GRACE_SECONDS,
    )


def _is_worth_saying(record: logging.LogRecord) -> bool:
    """Whether to log a record: not for malformed requests, which anybody on this machine can send."""
    return not (record.exc_info and isinstance(record.exc_info[1], HttpProcessingError))


def _parsed_frame(frame: str) -> object:
    """Parse a web socket frame; None if it is not JSON."""
    try:
        return json_value(frame)
    except ValueError:
        return None


def _headers(host: str) -> dict[str, str]:
    """The response headers. The policy also blocks a font that textual-serve's page would load from Google."""
    own = f"'self' ws://{host} wss://{host}" if host else "'self'"
    policy = (
        "default-src 'self'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
        f"img-src 'self' data:; font-src 'self' data:; worker-src 'self' blob:; connect-src {own}; frame-ancestors 'none'"
    )
    return {
        "Content-Security-Policy": policy,
        hdrs.CACHE_CONTROL: "no-store",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
    }
