"""The protocol's official client, which checks every answer against its schemas, in both eras, on the real program."""

from __future__ import annotations

import os
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.builders import PROJECT, AStore
from tests.mcp.clients import program
from zsmem_tui.service import history

ERAS = ["legacy", "auto", "2026-07-28"]


@asynccontextmanager
async def connected(store: AStore, mode: str, *arguments: str) -> Any:
    from mcp import Client, StdioServerParameters, stdio_client  # 0.6 s, not for every worker that collects the tests
    from mcp.types import Implementation

    command, *rest = program("--root", str(store.root), "--project", PROJECT, *arguments)
    server = StdioServerParameters(command=command, args=rest, env=dict(os.environ))
    async with Client(stdio_client(server), mode=mode, client_info=Implementation(name="the-sdk", version="2")) as client:
        yield client


@pytest.mark.parametrize("mode", ERAS)
async def test_the_official_client_is_served(tmp_path: Path, mode: str) -> None:
    from mcp import MCPError
    from mcp.shared.exceptions import MCPDeprecationWarning
    from mcp.types import TextContent, TextResourceContents

    store = AStore(tmp_path / "memory").has("MEMORY.md", "- redis port 6380\n").has("~/notes/a b.md", "redis\n")
    history.look_at_all(store.session())
    told: list[float] = []

    async def progress(done: float, total: float | None, message: str | None) -> None:
        told.append(done)

    async with connected(store, mode, "--profile", "zerostack-1.7") as client:
        assert client.protocol_version == ("2025-11-25" if mode == "legacy" else "2026-07-28")
        tools = (await client.list_tools()).tools
        assert [each.name for each in tools] == ["memory_write", "memory_read", "memory_search", "memory_edit"]
        found = await client.call_tool("memory_search", {"query": "redis"}, progress_callback=progress)
        assert found.structured_content["files"] == 2 and not found.is_error  # checked against its schema by the client
        assert told == sorted(set(told)) and told
        wrote = await client.call_tool("memory_write", {"target": "daily", "content": "from the SDK"})
        assert isinstance(wrote.content[0], TextContent) and wrote.content[0].text.startswith("Wrote 12 bytes")
        failed = await client.call_tool("memory_read", {"source": "nonsense"})
        assert failed.is_error and "unknown source" in failed.content[0].text
        uris = [str(each.uri) for each in (await client.list_resources()).resources]
        assert uris[:2] == [f"zsmem://{PROJECT}/long_term", f"zsmem://{PROJECT}/note/a%20b"]
        (read,) = (await client.read_resource(uris[1])).contents
        assert isinstance(read, TextResourceContents) and read.text == "redis\n"
        assert len((await client.list_resource_templates()).resource_templates) == 2
        assert [each.name for each in (await client.list_prompts()).prompts] == ["memory", "remember"]
        block = (await client.get_prompt("memory")).messages[0].content
        assert isinstance(block, TextContent) and "redis port 6380" in block.text
        with pytest.raises(MCPError) as refused:
            await client.call_tool("memory_forget", {})
        assert refused.value.code == -32602
        if mode == "legacy":
            with pytest.warns(MCPDeprecationWarning):
                await client.send_ping()
    newest = history.latest(store.session(), 1)[0]
    assert (str(newest.author), newest.path.endswith(".md")) == ("the-sdk", True)
