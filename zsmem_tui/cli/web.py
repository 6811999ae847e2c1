"""The program in a browser: textual-serve, which starts it anew for each page, behind a gate for whoever has the token."""

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
from aiohttp.typedefs import Handler, Middleware
from textual_serve.app_service import AppService
from textual_serve.server import Server

from zsmem_tui.core.json_value import json_value

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


_HERE: Final[ContextVar[str]] = ContextVar("here", default="")
"""The address by which this request came, which its page has to use."""

LAST_SECONDS: Final = 1.5
"""Seconds for programs to end once the server is told to: longer than they take to keep a draft and end themselves."""

_GRACE_SECONDS: Final = 0.2
"""Seconds for what else is being answered then."""

_MOST_CELLS: Final = 1_000
"""Columns or rows that a page may ask for: more than any screen has."""

_OWN: Final = """
    <style>.xterm .xterm-viewport { overflow: hidden }</style>
    <script>
      new MutationObserver((_, watching) => {
        if (!document.body.classList.contains("-first-byte")) return;
        watching.disconnect();
        document.querySelector(".xterm-helper-textarea").focus();
      }).observe(document.documentElement, {subtree: true, attributeFilter: ["class"]});
    </script>
"""
"""What we add to textual-serve's page, which takes no keys until somebody clicks on it, and has a scrollbar that scrolls nothing.

The keyboard comes when the program has spoken: its end is told of that, which it could not be before.
"""


class GatedServer(Server):
    """textual-serve's server with a gate before every route."""

    def __init__(self, command: str, gate: Gate, host: str, port: int, title: str) -> None:
        super().__init__(command, host=host, port=port, title=title)
        self._gate = gate
        self._pages: dict[asyncio.Task[object], web.Request] = {}

    @property
    def public_url(self) -> str:
        """The address of the request that is answered now: through a tunnel it is another than we listen on."""
        return _HERE.get()

    @public_url.setter
    def public_url(self, value: str) -> None:
        """textual-serve sets one for all; each request has its own."""

    async def handle_index(self, request: web.Request) -> web.StreamResponse:
        """The page, with the keyboard leading to the program as soon as that is there."""
        page = await super().handle_index(request)
        if isinstance(page, web.Response):
            page.text = (page.text or "").replace("</head>", f"{_OWN}</head>")
        return page

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """One page's program, until either ends."""
        page = asyncio.current_task()
        assert page is not None
        self._pages[page] = request
        try:
            return await super().handle_websocket(request)
        finally:
            self._pages.pop(page, None)

    async def _process_messages(self, websocket: web.WebSocketResponse, app_service: AppService) -> None:
        """What a page says to its program; what no page of ours says is passed over."""
        async for message in websocket:
            match _said(message.data) if message.type is WSMsgType.TEXT else None:
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
        """Whoever stops the server stops the programs too, and waits until they have kept what is unsaved.

        aiohttp alone waits for the pages to go, and after a while leaves without the programs. A page that does not answer is not
        waited for: its connection ends here.
        """
        pages = dict(self._pages)
        for page, request in pages.items():
            page.cancel()
            if request.transport is not None:
                request.transport.abort()
        if pages:
            await asyncio.wait(pages, timeout=LAST_SECONDS)

    async def application(self) -> web.Application:
        """The whole of it, with nothing said when it starts: the address is printed by whoever starts it."""
        logging.getLogger("aiohttp.server").addFilter(_is_worth_saying)
        found = await self._make_app()
        found.on_startup.clear()
        found.middlewares.append(self._middleware())
        return found

    def _middleware(self) -> Middleware:
        name = f"zsmem-{self.port}"  # browsers share cookies between the ports of a host

        @web.middleware
        async def gated(request: web.Request, handler: Handler) -> web.StreamResponse:
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
            _HERE.set(f"{request.scheme}://{host}")
            return await handler(request)

        return gated


async def add_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Every page: nothing of it is asked for elsewhere, kept, or shown inside another page."""
    response.headers.update(_headers(host_in(request.headers.get(hdrs.HOST, ""))))


def run(server: GatedServer, listening: Callable[[], None]) -> None:
    """Serve until somebody stops it; `listening` is called once it does. Raises `OSError` where the port cannot be had."""
    web.run_app(
        _application(server),
        host=server.host,
        port=server.port,
        print=lambda _: listening(),
        access_log=None,
        shutdown_timeout=_GRACE_SECONDS,
    )


async def _application(server: GatedServer) -> web.Application:
    found = await server.application()
    found.on_response_prepare.append(add_headers)
    return found


def _is_worth_saying(record: logging.LogRecord) -> bool:
    """Whether a record is not only of what somebody sent that is no request: anybody on this machine may."""
    return not (record.exc_info and isinstance(record.exc_info[1], HttpProcessingError))


def _said(frame: str) -> object:
    """What a page's frame says; None for what is no JSON."""
    try:
        return json_value(frame)
    except ValueError:
        return None


def _headers(host: str) -> dict[str, str]:
    """textual-serve's page asks for a font at Google's; the policy keeps browsers from telling anybody that it was opened."""
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
