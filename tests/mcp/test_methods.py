"""The handshake of both eras, and everything that is listed."""

from __future__ import annotations

import os
from typing import Any

import pytest

from tests.builders import AStore, held_by_another
from tests.mcp.clients import STATELESS, AClient, call, line
from zsmem_tui import __version__
from zsmem_tui.core.memory_parts import NOTE
from zsmem_tui.core.profile import Profile
from zsmem_tui.core.search import Cancelled
from zsmem_tui.mcp import methods
from zsmem_tui.service.which_project import Start

LISTS = ["tools/list", "resources/list", "resources/templates/list", "prompts/list"]


STORE = {"MEMORY.md": "- redis\n"}


@pytest.fixture
def client(store: AStore) -> AClient:
    return AClient(store)


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        *((each, each) for each in ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")),
        *((each, "2025-11-25") for each in ("2026-07-28", "1999-01-01", "", None, 5, ["2025-06-18"])),
    ],
)
def test_the_classic_handshake_agrees_on_a_version(client: AClient, asked: object, given: str) -> None:
    found = client.result("initialize", protocolVersion=asked, capabilities={}, clientInfo={"name": "codex", "version": "1"})
    assert found.keys() == {"protocolVersion", "capabilities", "serverInfo", "instructions"}
    assert found["protocolVersion"] == given
    assert (found["serverInfo"]["name"], found["serverInfo"]["version"]) == ("zsmem", __version__)
    assert found["capabilities"].keys() == {"tools", "resources", "prompts"}
    assert 250 < len(found["instructions"]) < 350
    for unknown in (None, 5, {}, {"name": 5}, {"name": ""}):
        assert client.result("initialize", protocolVersion=asked, clientInfo=unknown) == found


def test_notifications_are_never_answered_and_ping_is_empty(client: AClient) -> None:
    said = [line("notifications/initialized"), line("ping", "x"), line("no/such/notification"), line("tools/call")]
    assert client.hears(*said) == [{"jsonrpc": "2.0", "id": "x", "result": {}}]


def test_a_stateless_client_needs_no_handshake(client: AClient) -> None:
    found = client.result("server/discover", _meta=STATELESS)
    assert found["supportedVersions"] == ["2026-07-28"]
    assert found["instructions"] and found["capabilities"]
    assert (found["resultType"], found["cacheScope"], type(found["ttlMs"])) == ("complete", "private", int)


@pytest.mark.parametrize("method", LISTS)
def test_lists_say_how_long_they_last_to_stateless_clients_only(client: AClient, method: str) -> None:
    found = client.result(method, _meta=STATELESS)
    assert (found["resultType"], found["cacheScope"], type(found["ttlMs"])) == ("complete", "private", int)
    plain = client.result(method)
    assert not plain.keys() & {"resultType", "cacheScope", "ttlMs"}
    assert plain.keys() == found.keys() - {"resultType", "cacheScope", "ttlMs"}


def test_every_stateless_result_is_complete(client: AClient) -> None:
    assert client.result("ping", _meta=STATELESS) == {"resultType": "complete"}
    called = client.answer(call("memory_read", 1, STATELESS, source="list"))["result"]
    assert called["resultType"] == "complete" and "ttlMs" not in called
    read = client.result("resources/read", _meta=STATELESS, uri=f"zsmem://{client.session.project}/long_term")
    assert (read["resultType"], read["cacheScope"], read["ttlMs"]) == ("complete", "private", 0)


@pytest.mark.parametrize("version", ["2027-01-01", "2025-11-25", "", None, 5, "x" * 5000])
@pytest.mark.parametrize("method", ["server/discover", "tools/list", "no/such/method"])
def test_an_unknown_stateless_version_is_told_what_is_served(client: AClient, version: object, method: str) -> None:
    error = client.error(method, _meta={"io.modelcontextprotocol/protocolVersion": version})
    assert error["code"] == -32022
    assert error["data"] == {"supported": ["2026-07-28"], "requested": str(version)[:100]}


def test_who_says_no_version_is_served_as_classic_before_and_after_the_handshake(client: AClient) -> None:
    stateless = line("ping", 1, _meta=STATELESS)
    answers = client.hears(line("ping", 0), stateless, line("initialize", 2), line("ping", 3), stateless)
    assert [each["result"].get("resultType") for each in answers] == [None, "complete", None, None, "complete"]


def test_unknown_methods_and_bad_parameters(client: AClient) -> None:
    assert client.result("ping", _meta=None) == {}, "what is null is as if it were left out"
    assert client.error("no/such/method")["code"] == -32601
    assert client.error("x" * 10_000)["message"] == f"There is no method {'x' * 100}."
    assert client.error("ping", _meta=5)["code"] == -32602


def test_a_fault_of_ours_is_an_internal_error_without_a_traceback(client: AClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(self: object, asked: object) -> Any:
        raise KeyError("secret words of a person")

    monkeypatch.setattr("zsmem_tui.mcp.tools.Tools.call", fails)
    first, second = client.hears(call("memory_read", 1, source="list"), line("ping", 2))
    assert first["error"]["code"] == -32603
    assert "KeyError" in first["error"]["message"] and "secret" not in str(first) and "Traceback" not in str(first)
    assert second == {"jsonrpc": "2.0", "id": 2, "result": {}}


def test_a_fault_while_the_history_takes_what_was_written_ends_nothing(client: AClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> None:
        raise KeyError("a fault of ours")

    monkeypatch.setattr(client.session, "settle", fails)
    told = {each["id"]: each for each in client.hears(call("memory_write", 1, None, target="daily", content="x"), line("ping", 2))}
    assert told[1]["result"]["isError"] is False and 2 in told


def test_progress_is_told_to_who_asked_and_rises(client: AClient) -> None:
    told = client.hears(call("memory_search", 1, {"progressToken": "t"}, query="redis"))
    assert [each.get("method") for each in told] == ["notifications/progress"] * 2 + [None]
    assert {each["params"]["progressToken"] for each in told[:-1]} == {"t"}
    steps = [each["params"]["progress"] for each in told[:-1]]
    assert steps == sorted(set(steps))
    tokens: list[object] = [None, True, [1], {}]
    for token in tokens:
        assert len(client.hears(call("memory_search", 1, {"progressToken": token}, query="redis"))) == 1


def test_nothing_more_is_sent_for_a_request_that_is_called_off(client: AClient, monkeypatch: pytest.MonkeyPatch) -> None:
    search = call("memory_search", 1, {"progressToken": 5}, query="redis")
    told = client.hears(search, line("notifications/cancelled", requestId=1), line("ping", 2))
    assert [each["id"] for each in told if "id" in each] == [2]
    assert len(told) == 2, "the first progress was sent before the request was called off"

    def stops(*args: object, **options: object) -> None:
        raise Cancelled

    monkeypatch.setattr("zsmem_tui.mcp.tools.search", stops)
    told = client.hears(call("memory_search", 1, query="redis") + line("notifications/cancelled", requestId=1), line("ping", 2))
    assert [each["id"] for each in told] == [2]


@pytest.mark.parametrize("saying", ["it is not wanted any more", "nothing: it has closed its side"])
def test_a_write_that_waits_answers_pings_and_is_given_up(
    store: AStore, client: AClient, monkeypatch: pytest.MonkeyPatch, saying: str
) -> None:
    monkeypatch.setattr(methods, "_AFTER_THE_END", 0.0)
    off = [line("notifications/cancelled", requestId=1)] if saying.startswith("it") else []
    store.root.mkdir(exist_ok=True)
    before = store.tree()
    with held_by_another(store.root):
        told = client.hears(call("memory_write", 1, target="long_term", content="- x"), line("ping", 2), *off)
    answers = {each["id"]: each for each in told}
    assert next(iter(answers)) == 2 and answers[2]["result"] == {} and (1 in answers) == (not off)
    assert store.tree() == before
    assert off or (answers[1]["result"]["isError"] and "Nothing was written." in str(answers[1]))


def test_what_is_asked_meanwhile_is_answered_afterwards_and_a_faulty_ping_is_refused(store: AStore, client: AClient) -> None:
    store.root.mkdir(exist_ok=True)
    faulty = line("ping", 2, _meta={"io.modelcontextprotocol/protocolVersion": "1999"})
    with held_by_another(store.root):
        said = [call("memory_write", 1, target="long_term", content="- x"), faulty, line("tools/list", 3)]
        told = client.hears(*said, line("notifications/cancelled", requestId=1))
    assert [each["id"] for each in told] == [2, 3] and told[0]["error"]["code"] == -32022


def test_the_tools_are_those_of_the_profile_and_say_what_they_take_and_do(store: AStore) -> None:
    three, four = (AClient(store, profile=each).result("tools/list")["tools"] for each in Profile)
    assert [each["name"] for each in three] == ["memory_write", "memory_read", "memory_search"]
    assert [each["name"] for each in four] == [*(each["name"] for each in three), "memory_edit"]
    for tool in four:
        schema, writes = tool["inputSchema"], tool["name"] in ("memory_write", "memory_edit")
        assert schema["type"] == "object" and schema["additionalProperties"] is False and "anyOf" not in schema
        assert schema["properties"]["project"]["type"] == "string" and "project" not in schema["required"]
        hints = {"destructiveHint": True, "idempotentHint": False} if writes else {}
        assert tool["annotations"] == {"readOnlyHint": not writes, "openWorldHint": False} | hints
        assert tool["_meta"] == {"anthropic/maxResultSizeChars": 60_000}
        assert ("scope" in schema["properties"]) == ("outputSchema" in tool) == (tool["name"] == "memory_search")


def test_a_prefix_and_read_only_change_what_is_listed_called_and_said(store: AStore) -> None:
    client = AClient(store, read_only=True, prefix="zsmem_", profile=Profile.ZEROSTACK_1_7)
    assert [each["name"] for each in client.result("tools/list")["tools"]] == ["zsmem_memory_read", "zsmem_memory_search"]
    for name in ("memory_read", "zsmem_memory_write", "zsmem_memory_edit", "memory_write"):
        assert client.error("tools/call", name=name, arguments={})["code"] == -32602
    assert client.text("zsmem_memory_read", source="long_term") == "- redis\n"
    told = client.result("initialize")["instructions"]
    assert "zsmem_memory_search" in told and "memory_write" not in told
    assert [each["name"] for each in client.result("prompts/list")["prompts"]] == ["memory"]
    assert store.raw("MEMORY.md") == b"- redis\n"


def test_resources_are_the_memory_files_of_the_project(store: AStore) -> None:
    store.has("~/SCRATCHPAD.md", "- [ ] one\n").has("~/notes/a b?.md", "noted\n").has("~/notes/日本.md", "x\n")
    store.has("~/daily/2026-05-24.md", "logged\n").has("~/archive/SCRATCHPAD.md", "old\n").has("OTHER.md", "no target\n")
    client, home = AClient(store), f"zsmem://{store.project}"
    uris = [each["uri"] for each in client.result("resources/list")["resources"]]
    notes = ["note/a%20b%3F", "note/%E6%97%A5%E6%9C%AC"]
    assert uris == [f"{home}/{each}" for each in ("long_term", "scratchpad", *notes, "daily/2026-05-24")]
    texts = {uri: client.result("resources/read", uri=uri)["contents"] for uri in uris}
    assert texts[uris[2]] == [{"uri": uris[2], "mimeType": "text/markdown", "text": "noted\n"}]
    assert [text[0]["text"] for text in texts.values()] == ["- redis\n", "- [ ] one\n", "noted\n", "x\n", "logged\n"]
    assert "{project}" in client.result("resources/templates/list")["resourceTemplates"][0]["uriTemplate"]


def test_a_name_that_is_not_utf8_reaches_the_client_as_text(store: AStore) -> None:
    (store.root / f"projects/{store.project}/notes").mkdir(parents=True)
    (store.root / f"projects/{store.project}/notes" / os.fsdecode(b"b\xffd.md")).write_text("x\n")
    raw = AClient(store).raw(line("resources/list", 1))
    assert b"\\ud" not in raw and "b\ufffdd".encode() in raw


def test_a_resource_is_cut_as_the_tool_cuts_it_and_read_whatever_its_bytes(store: AStore) -> None:
    store.has("MEMORY.md", "x" * 40_000).has("~/notes/n.md", b"caf\xe9\n")
    client, home = AClient(store), f"zsmem://{store.project}"
    text = client.result("resources/read", uri=f"{home}/long_term")["contents"][0]["text"]
    assert text == AClient(store).text("memory_read", source="long_term")
    assert client.result("resources/read", uri=f"{home}/note/n")["contents"][0]["text"] == "caf\ufffd\n"


@pytest.mark.parametrize(
    "uri",
    [
        None,
        5,
        "",
        "zsmem://",
        "file:///etc/passwd",
        "zsmem://demo-1a2b3c4d/note/..%2F..%2F..%2FMEMORY",
        "zsmem://demo-1a2b3c4d/note/../../../MEMORY",
        "zsmem://..%2F../long_term",
        "zsmem://%2Fetc/long_term",
        "zsmem://~/long_term",
        "zsmem://lantern/long_term",
        "zsmem://demo-1a2b3c4d/note/none",
        "zsmem://demo-1a2b3c4d/\ud800",
        "zsmem://a%00b/long_term",
    ],
)
def test_a_resource_that_is_none_is_refused(client: AClient, uri: object) -> None:
    assert client.error("resources/read", uri=uri)["code"] == -32602


def test_many_resources_come_in_pages(store: AStore) -> None:
    for number in range(1_201):
        store.has(f"~/notes/n{number}.md", "x")
    client = AClient(store)
    page = client.result("resources/list")
    uris = [each["uri"] for each in page["resources"]]
    while "nextCursor" in page:
        page = client.result("resources/list", cursor=page["nextCursor"])
        uris += [each["uri"] for each in page["resources"]]
    assert len(uris) == len(set(uris)) == 1_202
    for wrong in (5, None, "x", "-1", "²", "9" * 40):
        assert client.error("resources/list", cursor=wrong)["code"] == -32602


def test_prompts_give_the_block_and_a_wish_to_remember(store: AStore, client: AClient) -> None:
    text = client.result("prompts/get", name="memory")["messages"][0]["content"]["text"]
    assert text.startswith('<memory note="') and "- redis" in text and store.project in text
    text = client.result("prompts/get", name="remember", arguments={"text": "the port is 6380"})["messages"][0]["content"]["text"]
    assert text.endswith("the port is 6380") and "memory_write" in text
    for params in ({}, {"name": 5}, {"name": "other"}, {"name": "remember"}, {"name": "remember", "arguments": {"text": 5}}):
        assert client.error("prompts/get", **params)["code"] == -32602
    for arguments in ({"project": "../x"}, {"project": 5}, 5):
        assert client.error("prompts/get", name="memory", arguments=arguments)["code"] == -32602


def test_no_text_ends_the_frame_of_a_prompt(store: AStore, client: AClient) -> None:
    store.has("MEMORY.md", "- one\n</memory>\n- two\n")
    text = client.result("prompts/get", name="memory")["messages"][0]["content"]["text"]
    assert text.count("</memory>") == 1 and "- one\n&lt;/memory>\n- two" in text and NOTE in text


def test_where_no_project_is_known_what_all_share_is_still_there(store: AStore) -> None:
    client = AClient(store.has("~/notes/n.md", "x"), start=Start(working="/", home="/home/kim"))
    assert [each["uri"] for each in client.result("resources/list")["resources"]] == ["zsmem://default/long_term"]
    assert client.result("resources/read", uri="zsmem://default/long_term")["contents"][0]["text"] == "- redis\n"
    assert client.error("prompts/get", name="memory")["message"] == "Say which project: pass its folder as `project`."
