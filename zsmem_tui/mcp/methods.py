"""The methods of the MCP server: the handshake, and dispatch to tools and resources.

Classic clients send `initialize`; stateless ones (2026-07-28) give the protocol version in each request. Requests without a version
are treated as classic.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from zsmem_tui import __version__
from zsmem_tui.core.errors import MemError
from zsmem_tui.core.search import Cancelled
from zsmem_tui.mcp.served import Asked, Served
from zsmem_tui.mcp.wire import BAD_PARAMETERS, INTERNAL_ERROR, UNKNOWN_METHOD, Message, Params, RpcError, Wire
from zsmem_tui.service.patience import Patience, patient

if TYPE_CHECKING:
    from zsmem_tui.mcp.resources import Resources
    from zsmem_tui.mcp.tools import Tools

CLASSIC: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
STATELESS: Final = ("2026-07-28",)
UNSUPPORTED_VERSION: Final = -32022

_VERSION_KEY: Final = "io.modelcontextprotocol/protocolVersion"
_CLIENT_KEY: Final = "io.modelcontextprotocol/clientInfo"
_SERVER_KEY: Final = "io.modelcontextprotocol/serverInfo"

_CAPABILITIES: Final[Params] = {"tools": {}, "resources": {}, "prompts": {}}
_SERVER: Final = {"name": "zsmem", "title": "Agent memory in Markdown", "version": __version__}

_LASTS_MS: Final = 3_600_000
"""Milliseconds for which clients may cache what changes only with a release; files are not cached."""

_AFTER_THE_END: Final = 1.0
"""Seconds that a request may still wait for other programs once the client has closed the connection."""

_SHOWN: Final = 100
"""Maximum characters of a client's input quoted in an error."""


Method = Callable[[Asked], Params]


class Server:
    """The server for one client: answers requests until the input ends or the agent is gone."""

    def __init__(self, wire: Wire, served: Served) -> None:
        self._wire = wire
        self._served = served
        self._client = ""
        lasting, files = {"ttlMs": _LASTS_MS, "cacheScope": "private"}, {"ttlMs": 0, "cacheScope": "private"}
        self._methods: dict[str, tuple[Method, Params]] = {
            "initialize": (self._initialize, {}),
            "ping": (lambda _: {}, {}),
            "server/discover": (self._discover, lasting),
            "tools/list": (lambda _: {"tools": self._tools.listed()}, lasting),
            "tools/call": (lambda asked: self._tools.call(asked), {}),
            "resources/list": (lambda asked: self._resources.listed(asked.params), files),
            "resources/templates/list": (lambda _: {"resourceTemplates": self._resources.templates()}, lasting),
            "resources/read": (lambda asked: self._resources.read(asked.params), files),
            "prompts/list": (lambda _: {"prompts": self._resources.prompts()}, lasting),
            "prompts/get": (lambda asked: self._resources.prompt(asked.params), {}),
        }

    def run(self) -> None:
        """Serve until the input ends."""
        gc.enable()  # disabled at the start for verbs that end at once
        while (request := self._wire.next()) is not None:
            patience = Patience(look=self._while_waiting)
            with patient(patience):
                self._serve(request)
                try:
                    self._served.settle()
                except Exception as error:  # noqa: BLE001 - the next request must be answered; it is logged
                    self._log(error)
            if self._wire.has_ended and not patience.left:
                return  # queued requests would wait as well, with nobody to answer

    def _while_waiting(self, patience: Patience) -> None:
        """Called while a request waits for other programs: answer pings, and give up soon if the client is gone."""
        is_called_off = self._wire.is_called_off()
        while (ping := self._wire.pull(lambda each: each.method == "ping")) is not None:
            try:
                self._wire.answer(ping.id, self._result(ping))
            except RpcError as error:
                self._wire.refuse(ping.id, error)
        if is_called_off:
            patience.end_within(0)
        elif self._wire.has_ended:
            patience.end_within(_AFTER_THE_END)

    def _serve(self, request: Message) -> None:
        """Answer a request unless it is cancelled; an internal error is answered, too, and does not end the server."""
        answer: Params | RpcError
        try:
            answer = self._result(request)
        except Cancelled:
            return
        except RpcError as error:
            answer = error
        except MemError as error:
            answer = RpcError(INTERNAL_ERROR, error.message)
        except Exception as error:  # noqa: BLE001 - each request must be answered; it is logged
            about = f"zsmem could not answer because of an error of its own ({type(error).__name__}); see {self._log(error)}"
            answer = RpcError(INTERNAL_ERROR, about)
        if self._wire.is_called_off():
            return
        if isinstance(answer, RpcError):
            self._wire.refuse(request.id, answer)
        else:
            self._wire.answer(request.id, answer)

    @staticmethod
    def _log(error: Exception) -> str:
        from zsmem_tui.service.crash import log_crash  # deferred: needed only after an internal error

        return log_crash(error)

    def _result(self, request: Message) -> Params:
        meta = request.params.get("_meta")
        meta = {} if meta is None else meta
        if not isinstance(meta, dict):
            raise RpcError(BAD_PARAMETERS, "params._meta must be a JSON object. Nothing was done.")
        is_stateless = _VERSION_KEY in meta
        if is_stateless and meta[_VERSION_KEY] not in STATELESS:
            requested = str(meta[_VERSION_KEY])[:_SHOWN]
            data = {"supported": list(STATELESS), "requested": requested}
            raise RpcError(UNSUPPORTED_VERSION, f"Version {requested} of the protocol is not served.", data)
        if request.method not in self._methods:
            raise RpcError(UNKNOWN_METHOD, f"There is no method {request.method[:_SHOWN]}.")
        method, caching = self._methods[request.method]
        client = (_name_in(meta.get(_CLIENT_KEY)) if is_stateless else "") or self._client
        tell = self._progress_reporter(meta.get("progressToken"))
        result = method(Asked(request.params, client, self._wire.is_called_off, tell))
        return {"resultType": "complete", **caching, **result} if is_stateless else result

    def _progress_reporter(self, token: object) -> Callable[[float, float], None]:
        if isinstance(token, bool) or not isinstance(token, str | int):
            return lambda done, total: None
        return lambda done, total: self._wire.notify(
            "notifications/progress", {"progressToken": token, "progress": done, "total": total}
        )

    def _initialize(self, asked: Asked) -> Params:
        self._client = _name_in(asked.params.get("clientInfo"))
        version = asked.params.get("protocolVersion")
        return {
            "protocolVersion": version if version in CLASSIC else CLASSIC[-1],
            "capabilities": _CAPABILITIES,
            "serverInfo": _SERVER,
            "instructions": self._served.instructions(),
        }

    def _discover(self, asked: Asked) -> Params:
        return {
            "supportedVersions": list(STATELESS),
            "capabilities": _CAPABILITIES,
            "instructions": self._served.instructions(),
            "_meta": {_SERVER_KEY: _SERVER},
        }

    @cached_property
    def _tools(self) -> Tools:
        from zsmem_tui.mcp.tools import Tools  # deferred: 16 ms, with the write path

        return Tools(self._served)

    @cached_property
    def _resources(self) -> Resources:
        from zsmem_tui.mcp.resources import Resources  # deferred: not needed for the first answer

        return Resources(self._served)


def _name_in(info: Any) -> str:
    """The client's name; empty if unknown."""
    name = info.get("name") if isinstance(info, dict) else None
    return name if isinstance(name, str) else ""
