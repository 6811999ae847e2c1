"""A headless Chromium that journeys drive over its debugging protocol: keys, mouse, pastes, and what the program has drawn."""

from __future__ import annotations

import asyncio
import base64
import json
import re
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from aiohttp import ClientSession

PROGRAM = "chromium"
WAIT_SECONDS = 60.0
CELL_WIDTH, CELL_HEIGHT = 9, 19
"""Pixels, about, of a character in the page."""

_CONTROL = 2
_CODES = {"Enter": 13, "Escape": 27, "Tab": 9, "Backspace": 8, "ArrowUp": 38, "ArrowDown": 40, "F1": 112, "F3": 114, "F5": 116}
_ESCAPES = re.compile(r"\x1b(?:\[[0-9;?$]*[ -/]*[@-~]|[@-_])")


class Browser:
    """One Chromium with a profile of its own in `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._calls = 0
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._pages: dict[str, Page] = {}

    async def __aenter__(self) -> Self:
        self._process = await asyncio.create_subprocess_exec(
            PROGRAM,
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--remote-debugging-port=0",
            "--remote-allow-origins=*",
            "--window-size=1000,700",
            f"--user-data-dir={self._folder}",
            "about:blank",
            stdout=DEVNULL,
            stderr=PIPE,
        )
        assert self._process.stderr is not None
        async for line in self._process.stderr:
            if b"DevTools listening on " in line:
                break
        self._client = ClientSession()
        self._socket = await self._client.ws_connect(line.split()[-1].decode(), max_msg_size=0)
        self._tasks = [asyncio.create_task(each) for each in (self._read(), self._process.stderr.read())]
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.call("Browser.close")
        await self._client.close()
        await self._process.wait()
        await asyncio.gather(*self._tasks)

    async def call(self, method: str, session: str = "", **values: Any) -> dict[str, Any]:
        """What Chromium answers."""
        self._calls += 1
        answer = self._answers[self._calls] = asyncio.get_running_loop().create_future()
        asked: dict[str, Any] = {"id": self._calls, "method": method, "params": values}
        await self._socket.send_json(asked | ({"sessionId": session} if session else {}))
        said = await asyncio.wait_for(answer, WAIT_SECONDS)
        assert "error" not in said, (method, said)
        found: dict[str, Any] = said["result"]
        return found

    async def open(self, address: str, *, stranger: bool = False) -> Page:
        """A tab with an address; that of a stranger has no cookies."""
        context = await self.call("Target.createBrowserContext") if stranger else {}
        target = await self.call("Target.createTarget", url="about:blank", **context)
        attached = await self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        page = self._pages[attached["sessionId"]] = Page(self, target["targetId"], attached["sessionId"])
        for part in ("Page", "Runtime", "Network"):
            await page.call(f"{part}.enable")
        await page.call("Page.navigate", url=address)
        return page

    async def _read(self) -> None:
        async for message in self._socket:
            said = json.loads(message.data)
            if "id" in said:
                self._answers.pop(said["id"]).set_result(said)
            elif said.get("sessionId") in self._pages:
                self._pages[said["sessionId"]].heard(said["method"], said["params"])


class Page:
    """A tab. What the program draws is kept as the text that it wrote since the last key or click."""

    def __init__(self, browser: Browser, target: str, session: str) -> None:
        self._browser, self._target, self._session = browser, target, session
        self._drawn = b""
        self.sent: list[Any] = []
        self.complaints: list[str] = []

    def heard(self, method: str, about: dict[str, Any]) -> None:
        """An event of this tab."""
        if method == "Network.webSocketFrameReceived" and about["response"]["opcode"] == 2:
            self._drawn += base64.b64decode(about["response"]["payloadData"])
        elif method == "Network.webSocketFrameSent" and about["response"]["opcode"] == 1:
            self.sent.append(json.loads(about["response"]["payloadData"]))
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(about["exceptionDetails"]))

    async def call(self, method: str, **values: Any) -> dict[str, Any]:
        """What Chromium answers about this tab."""
        return await self._browser.call(method, self._session, **values)

    async def asked(self, expression: str) -> Any:
        """The value of a JavaScript expression in the page."""
        said = await self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        return said["result"].get("value")

    @property
    def drawn(self) -> str:
        """The text that was drawn, without colours and places."""
        return _ESCAPES.sub("\n", self._drawn.decode(errors="replace"))

    def forget(self) -> None:
        """What is drawn from now on counts."""
        self._drawn = b""

    async def shows(self, *texts: str) -> None:
        """Wait until these were drawn."""
        await until(lambda: all(text in self.drawn for text in texts), lambda: f"{texts} not in {self.drawn[-4000:]}")

    async def attends(self) -> None:
        """Wait until the keyboard leads to the terminal, without a click."""
        await self._has("document.activeElement.className", "xterm-helper-textarea")

    async def says(self, text: str) -> None:
        """Wait until the page itself says this."""
        await self._has("document.body.innerText", text)

    async def _has(self, expression: str, text: str) -> None:
        for _ in range(int(WAIT_SECONDS / 0.05)):
            if text in str(found := await self.asked(expression)):
                return
            await asyncio.sleep(0.05)
        raise AssertionError(f"{text!r} not in {found!r}")

    async def press(self, *keys: str) -> None:
        """Keys as a keyboard sends them: `a`, `Enter`, `ctrl+s`."""
        self.forget()
        for key in keys:
            name = key.removeprefix("ctrl+")
            held = _CONTROL if name != key else 0
            text = "\r" if name == "Enter" else name if len(name) == 1 and not held else ""
            code = _CODES.get(name) or ord(name.upper())
            about = {"key": name, "code": name if len(name) > 1 else f"Key{name.upper()}", "windowsVirtualKeyCode": code}
            for kind in ("keyDown", "keyUp"):
                said = {"text": text} if text and kind == "keyDown" else {}
                await self.call("Input.dispatchKeyEvent", type=kind, modifiers=held, **about, **said)

    async def write(self, text: str) -> None:
        """Text as an input method sends it."""
        self.forget()
        await self.call("Input.insertText", text=text)

    async def paste(self, text: str) -> None:
        """Text from a clipboard."""
        await self.asked(
            "(() => {const data = new DataTransfer(); data.setData('text/plain', " + json.dumps(text) + ");"
            "document.querySelector('.xterm-helper-textarea').dispatchEvent("
            "new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true}))})()"
        )

    async def click(self, column: int, row: int) -> None:
        """A click on a cell."""
        self.forget()
        where = {"x": column * CELL_WIDTH + 4, "y": row * CELL_HEIGHT + 9, "button": "left", "clickCount": 1}
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            await self.call("Input.dispatchMouseEvent", type=kind, **where)

    async def resize(self, width: int, height: int) -> None:
        """Another size of the window, in pixels."""
        await self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    async def reload(self) -> None:
        """The page anew."""
        self.forget()
        await self.call("Page.reload")

    async def close(self) -> None:
        """The tab goes, as by its cross."""
        await self._browser.call("Target.closeTarget", targetId=self._target)

    async def picture(self, place: Path) -> None:
        """A PNG of what the page looks like."""
        said = await self.call("Page.captureScreenshot", format="png")
        place.write_bytes(base64.b64decode(said["data"]))


async def until(happened: Callable[[], object], otherwise: Callable[[], str] = lambda: "it did not happen") -> None:
    """Wait until something is so."""
    for _ in range(int(WAIT_SECONDS / 0.02)):
        if happened():
            return
        await asyncio.sleep(0.02)
    raise AssertionError(otherwise())


@asynccontextmanager
async def served(*command: str, folder: Path) -> AsyncIterator[tuple[str, asyncio.subprocess.Process]]:
    """The address that a `zsmem serve` printed, and its process; it is told to stop at the end."""
    process = await asyncio.create_subprocess_exec(*command, stdout=PIPE, stderr=PIPE, cwd=folder)
    assert process.stdout is not None
    try:
        yield (await process.stdout.readline()).decode().strip(), process
    finally:
        if process.returncode is None:
            process.terminate()
        await process.communicate()
