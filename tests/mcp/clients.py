"""Clients of the server for tests: one in this process, over bytes, and one that starts the real program."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from tests.builders import AStore
from zsmem_tui.core.profile import Profile
from zsmem_tui.mcp.methods import Server
from zsmem_tui.mcp.served import Options, Served
from zsmem_tui.mcp.wire import Source, Wire
from zsmem_tui.service.which_project import Start

Answer = dict[str, Any]

STATELESS = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}


class Said(Source):
    """What a client says, in these pieces, one at each look; then the end of input."""

    def __init__(self, pieces: Sequence[bytes]) -> None:
        self.pieces = list(pieces)

    def wait(self, seconds: float) -> bool:
        return True

    def read(self) -> bytes:
        return self.pieces.pop(0) if self.pieces else b""


def line(method: str, id: object = None, **params: object) -> bytes:
    """A request, or without an id a notification."""
    message: Answer = {"jsonrpc": "2.0", "method": method}
    if id is not None:
        message["id"] = id
    if params:
        message["params"] = params
    return json.dumps(message).encode() + b"\n"


def call(tool: str, id: object = 1, meta: Answer | None = None, /, **arguments: object) -> bytes:
    about = {"_meta": meta} if meta else {}
    return line("tools/call", id, name=tool, arguments=arguments, **about)


class AClient:
    """A client of a server in this process, on a store."""

    def __init__(
        self,
        store: AStore,
        *,
        start: Start | None = None,
        read_only: bool = False,
        prefix: str = "",
        profile: Profile = Profile.DOCUMENTED,
    ) -> None:
        self.session = store.session(profile=profile)
        self.served = Served(self.session, start or Start(project=store.project), Options(read_only, prefix))

    def hears(self, *pieces: bytes) -> list[Answer]:
        """Everything that comes back for these bytes."""
        return [json.loads(each) for each in self.raw(*pieces).split(b"\n") if each]

    def raw(self, *pieces: bytes) -> bytes:
        """The same, as it comes over the wire."""
        sink = io.BytesIO()
        Server(Wire(Said(pieces), sink, lambda: 1), self.served).run()
        return sink.getvalue()

    def answer(self, said: bytes) -> Answer:
        """The one answer to one request."""
        (found,) = self.hears(said)
        assert found["jsonrpc"] == "2.0"
        return found

    def result(self, method: str, **params: object) -> Answer:
        found = self.answer(line(method, 1, **params))
        assert "result" in found, found
        result: Answer = found["result"]
        return result

    def error(self, method: str, **params: object) -> Answer:
        error: Answer = self.answer(line(method, 1, **params))["error"]
        assert error["message"] and "Traceback" not in error["message"]
        return error

    def tool(self, name: str, /, **arguments: object) -> Answer:
        result: Answer = self.answer(call(name, 1, None, **arguments))["result"]
        assert all(each["type"] == "text" for each in result["content"])
        return result

    def text(self, name: str, /, **arguments: object) -> str:
        """The first text of a call that went well."""
        result = self.tool(name, **arguments)
        assert result["isError"] is False, result
        return str(result["content"][0]["text"])

    def refusal(self, name: str, /, **arguments: object) -> str:
        """The sentence of a call that failed."""
        result = self.tool(name, **arguments)
        assert result["isError"] is True, result
        return str(result["content"][0]["text"])


def program(*arguments: str) -> list[str]:
    """The command that starts the real server."""
    return [sys.executable, "-m", "zsmem_tui", "mcp", *arguments]


def started(*arguments: str, **options: Any) -> subprocess.Popen[bytes]:
    return subprocess.Popen(program(*arguments), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
