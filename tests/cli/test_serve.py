"""`zsmem serve`: who comes in, and who does not."""

from __future__ import annotations

import argparse
import asyncio
import socket
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession, CookieJar, WSMessage, WSMsgType, WSServerHandshakeError, web
from aiohttp.test_utils import TestServer, make_mocked_request
from textual_serve.server import Server

from zsmem_tui.cli.commands import serve
from zsmem_tui.cli.main import main
from zsmem_tui.cli.web import Asked, Gate, GatedServer, Verdict, is_loopback, new_token

HERE = "127.0.0.1:8000"


@pytest.mark.parametrize(
    ("asked", "verdict"),
    [
        (Asked(HERE), Verdict.NO_TOKEN),
        (Asked(HERE, token="right"), Verdict.ENTER),
        (Asked(HERE, token="righ"), Verdict.NO_TOKEN),
        (Asked(HERE, token=""), Verdict.NO_TOKEN),
        (Asked(HERE, token="r\udcffight"), Verdict.NO_TOKEN),
        (Asked(HERE, cookie="right"), Verdict.PASS),
        (Asked(HERE, token="right", cookie="wrong"), Verdict.ENTER),
        (Asked(HERE, cookie="wrong"), Verdict.NO_TOKEN),
        (Asked("localhost:9000", cookie="right"), Verdict.PASS),
        (Asked("[::1]:8000", cookie="right"), Verdict.PASS),
        (Asked("rebound.example:8000", cookie="right"), Verdict.WRONG_HOST),
        (Asked("127.0.0.1.example", token="right"), Verdict.WRONG_HOST),
        (Asked("192.168.1.4:8000", cookie="right"), Verdict.WRONG_HOST),
        (Asked("", cookie="right"), Verdict.WRONG_HOST),
        (Asked("[::1", cookie="right"), Verdict.WRONG_HOST),
        (Asked(HERE, origin="http://evil.example", cookie="right"), Verdict.WRONG_ORIGIN),
        (Asked(HERE, origin="http://127.0.0.1:8001", cookie="right"), Verdict.WRONG_ORIGIN),
        (Asked(HERE, origin="null", cookie="right"), Verdict.WRONG_ORIGIN),
        (Asked(HERE, origin="http://[", cookie="right"), Verdict.WRONG_ORIGIN),
        (Asked(HERE, origin=f"http://{HERE}", cookie="right"), Verdict.PASS),
        (Asked(HERE, cookie="right", is_socket=True), Verdict.WRONG_ORIGIN),
        (Asked(HERE, origin=f"http://{HERE}", cookie="right", is_socket=True), Verdict.PASS),
        (Asked(HERE, origin=f"http://{HERE}", token="right", is_socket=True), Verdict.NO_TOKEN),
    ],
)
def test_only_the_token_on_a_page_of_ours_comes_in(asked: Asked, verdict: Verdict) -> None:
    assert Gate("right").judge(asked) is verdict


def test_a_server_for_others_goes_by_addresses_and_its_own_names() -> None:
    gate = Gate("right", frozenset({"Desk"}), is_loopback=False)
    for host, verdict in (("10.0.0.7:8000", Verdict.PASS), ("desk:8000", Verdict.PASS), ("evil.example", Verdict.WRONG_HOST)):
        assert gate.judge(Asked(host, cookie="right")) is verdict
    assert [is_loopback(host) for host in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "desk", "::")] == [True] * 3 + [False] * 3


def test_tokens_are_long_and_never_the_same() -> None:
    assert len({new_token() for _ in range(100)}) == 100 and len(new_token()) >= 43


async def test_the_gate_stands_before_every_route() -> None:
    async with served() as (address, client):
        for path in ("/", "/static/js/textual.js", "/static/", "/ws", "/download/x", "/nothing", "/?token=wrong"):
            answer = await client.get(f"{address}{path}")
            assert answer.status == 403 and "right" not in await answer.text(), path
        with pytest.raises(WSServerHandshakeError, match="403"):
            await client.ws_connect(f"{address}/ws?token=right", origin=address)
        entered = await client.get(f"{address}/?token=right", allow_redirects=False)
        assert (entered.status, entered.headers["Location"]) == (303, "/")
        assert "HttpOnly" in entered.headers["Set-Cookie"] and "SameSite=Strict" in entered.headers["Set-Cookie"]
        page = await client.get(f"{address}/")
        assert "helper-textarea" in await page.text()  # the keyboard leads there
        assert page.status == 200 and f"{address.replace('http', 'ws')}/ws" in await page.text()
        assert "font-src 'self' data:" in page.headers["Content-Security-Policy"] and page.headers["Cache-Control"] == "no-store"
        assert (await client.get(f"{address}/", headers={"Host": "evil.example"})).status == 403
        with pytest.raises(WSServerHandshakeError, match="403"):
            await client.ws_connect(f"{address}/ws", origin="http://evil.example")
        async with client.ws_connect(f"{address}/ws", origin=address) as socket:
            await socket.close()


async def test_a_server_that_ends_waits_until_the_program_of_each_page_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[bool] = []

    async def a_program(server: Server, request: web.Request) -> web.WebSocketResponse:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0.01)  # a draft is kept
            ended.append(True)
        return web.WebSocketResponse()

    monkeypatch.setattr(Server, "handle_websocket", a_program)
    server = GatedServer("true", Gate("right"), "127.0.0.1", 8000, "zsmem")
    pages = [asyncio.create_task(server.handle_websocket(make_mocked_request("GET", "/ws"))) for _ in range(2)]
    await asyncio.sleep(0)
    await server.on_shutdown(web.Application())
    assert ended == [True, True] and all(page.done() for page in pages)


class served:
    """A server whose program ends at once, and a browser's cookies."""

    async def __aenter__(self) -> tuple[str, ClientSession]:
        self.began: list[asyncio.subprocess.Process] = []
        self.patch = pytest.MonkeyPatch()
        begin = asyncio.create_subprocess_shell

        async def noted(*command: Any, **how: Any) -> asyncio.subprocess.Process:
            self.began.append(await begin(*command, **how))
            return self.began[-1]

        self.patch.setattr(asyncio, "create_subprocess_shell", noted)
        application = await GatedServer("true", Gate("right"), "127.0.0.1", 8000, "zsmem").application()
        self.server = TestServer(application, host="127.0.0.1")
        await self.server.start_server()
        self.client = ClientSession(cookie_jar=CookieJar(unsafe=True))
        return f"http://127.0.0.1:{self.server.port}", self.client

    async def __aexit__(self, *error: object) -> None:
        await self.client.close()
        await self.server.close()
        self.patch.undo()
        for process in self.began:
            await process.communicate()  # its pipes are closed while the loop goes on


def test_without_the_extra_it_is_a_sentence(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(serve, "find_spec", lambda name: None)
    assert main(["serve"]) == 2
    said = capfd.readouterr().err
    assert "textual-serve, which is not installed. Nothing was served." in said and "zsmem-tui[serve]" in said


HOSTS = ["", "\x1b[31mx", "a\nb", "a b", "a" * 64, "a..b", "\udcff", "\u202e", "[::1", "x/y", "x:80:z", "ünï"]


@pytest.mark.parametrize("host", HOSTS)
def test_a_host_that_is_none_is_refused_in_words(host: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", f"--host={host}"]) == 2
    said = capfd.readouterr()
    assert "is neither an address nor a name" in said.err and not said.out and "\x1b" not in said.err


def test_what_can_be_listened_on_is_taken() -> None:
    hosts = ("127.0.0.1", "::1", "0.0.0.0", "desk", "desk.example.", "fe80::1%eth0", "::ffff:10.0.0.1")
    assert [serve._host(host) for host in hosts] == list(hosts) and serve._host("[::1]") == "::1"


async def test_no_answer_says_a_host_again_that_is_none() -> None:
    async with served() as (address, client):
        await client.get(f"{address}/?token=right")
        for host in ('localhost:"><script>alert(1)</script>', 'evil"><script>', "a; script-src *", "localhost:8000 x"):
            answer = await client.get(f"{address}/", headers={"Host": host}, allow_redirects=False)
            assert answer.status == 403 and "script" not in await answer.text(), host
            assert "connect-src 'self';" in answer.headers["Content-Security-Policy"]


class APage:
    """What comes over a socket, and what a program gets of it."""

    def __init__(self, *frames: str | bytes) -> None:
        self.said: list[tuple[Any, ...]] = []
        self._frames = frames

    async def __aiter__(self) -> Any:
        for frame in self._frames:
            yield WSMessage(WSMsgType.TEXT if isinstance(frame, str) else WSMsgType.BINARY, frame, None)

    async def send_json(self, data: object) -> None:
        self.said.append(("answer", data))

    async def send_bytes(self, data: bytes) -> None:
        self.said.append(("typed", data))

    async def set_terminal_size(self, width: int, height: int) -> None:
        self.said.append(("size", width, height))


async def test_frames_that_no_page_of_ours_sends_are_passed_over() -> None:
    resize = '["resize", {"width": %s, "height": %s}]'
    sizes = [
        resize % each for each in (("-5", "24"), ('"x"', "[]"), ("1e308", "24"), ("99999999", "24"), ("80", "0"), ("null", "1"))
    ]
    junk: list[str | bytes] = [
        "",
        "{",
        "[]",
        "null",
        "5",
        '["stdin"]',
        '["stdin", 5]',
        '["resize"]',
        '["nope"]',
        "[[]]",
        "[" * 100_000,
        b"\0\xff",
    ]
    page = APage(*junk, *sizes, '["stdin", "a\\ud800"]', resize % ("80", "24"), '["ping", 1]')
    await GatedServer("true", Gate("right"), "127.0.0.1", 8000, "zsmem")._process_messages(page, page)  # type: ignore[arg-type]
    assert page.said == [("typed", b"a?"), ("size", 80, 24), ("answer", ["pong", 1])]


async def test_what_is_no_request_is_refused_and_nothing_said_of_it(caplog: pytest.LogCaptureFixture) -> None:
    async with served() as (address, _):
        for junk in (b"GET / HTTP/9.9\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n", b"GET /\x1b[31m HTTP/1.1\r\nHost: a\r\n\r\n"):
            reader, writer = await asyncio.open_connection("127.0.0.1", int(address.rpartition(":")[2]))
            writer.write(junk)
            assert (await reader.readline()).split()[1] in (b"400", b"403"), junk
            writer.close()
    assert not [each for each in caplog.records if each.exc_info]


async def test_a_page_that_does_not_answer_holds_up_no_end(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = asyncio.Event()

    class Transport:
        def abort(self) -> None:
            ended.set()

    async def deaf(server: Server, request: web.Request) -> web.WebSocketResponse:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await ended.wait()  # what closes a socket waits for the other side
        return web.WebSocketResponse()

    monkeypatch.setattr(Server, "handle_websocket", deaf)
    server = GatedServer("true", Gate("right"), "127.0.0.1", 8000, "zsmem")
    request = make_mocked_request("GET", "/ws")
    monkeypatch.setattr(type(request), "transport", Transport())
    page = asyncio.create_task(server.handle_websocket(request))
    await asyncio.sleep(0)
    await server.on_shutdown(web.Application())
    assert page.done()


def test_a_port_that_is_none_is_refused() -> None:
    for port in ("0", "65536", "x", "9" * 5000):
        assert main(["serve", "--port", port]) == 2


def test_the_program_is_started_on_the_memory_that_was_asked_for() -> None:
    asked = {"root": "/a b; rm", "project": None, "cwd": None, "profile": None, "store": ["ethos"], "group": "x", "user": None}
    command = serve._command(argparse.Namespace(**asked))
    assert command.endswith("-m zsmem_tui '--root=/a b; rm' --store=ethos --group=x")


def test_no_address_is_told_where_nothing_listens(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        assert main(["serve", "--port", str(taken.getsockname()[1]), "--root", str(tmp_path)]) == 2
    out, err = capfd.readouterr()
    assert out == "" and err.count("\n") == 1 and "cannot be listened on" in err
