"""`zsmem context` of other moments, the resource of agents' servers, and the library."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.builders import NOW, AStore
from tests.command_line import zsmem
from tests.mcp.clients import AClient
from zsmem_tui import BadName, Mem
from zsmem_tui.service.agent_memory import agent_memory


def _ids(store: AStore) -> list[str]:
    return [each["id"] for each in json.loads(zsmem(store, "history", "--json").out)["versions"]][::-1]


def test_the_block_its_changes_and_how_two_differ_from_the_command_line(store: AStore) -> None:
    zsmem(store, "history")
    zsmem(store, "write", "long_term", "- one")
    store.has("MEMORY.md", "- one\n- \x1b[31mtwo\n")
    first, second = _ids(store)
    now = zsmem(store, "context").out
    assert zsmem(store, "context", "--at", second).out == now == zsmem(store, "context", "--at", "now").out
    assert zsmem(store, "context", "--at", first).out == now.replace("\n- \x1b[31mtwo", "")
    explained = json.loads(zsmem(store, "context", "--at", first, "--explain", "--json").out)
    assert explained["sections"][0]["lines"] == 1 and explained["text"].count("- ") == 1
    assert "Long-term memory" in zsmem(store, "context", "--at", first, "--explain").out
    between = zsmem(store, "context", "--between", first, second).out.split("\n")
    assert between[0].startswith("--- context at ") and [row for row in between[3:] if row.startswith("+")] == ["+- ␛[31mtwo"]
    same = zsmem(store, "context", "--between", first, first)
    assert (same.code, same.out) == (1, "") and "the same at both" in same.err
    found = json.loads(zsmem(store, "context", "--changes", "--json").out)["changes"]
    assert [(each["who"], each["files"], each["lines_in"], each["lines_out"]) for each in found] == [
        (["another program"], ["MEMORY.md"], 1, 0),
        (["you"], ["MEMORY.md"], 1, 0),
    ]
    assert found[0]["versions"][0]["id"] == second and found[0]["bytes"] == len(now.encode()) == found[0]["wanted_bytes"]
    rows = zsmem(store, "context", "--changes").out.splitlines()
    assert second in rows[0] and rows[0].endswith("another program added 1 line to MEMORY.md: 1 in, 0 out")
    assert len(zsmem(store, "context", "--changes", "--since", second).out.splitlines()) == 1
    assert zsmem(store, "context", "--changes", "--since", "3d").out.splitlines() == rows  # before the first version, as well


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["--at", "2099-01-01"], 3, "is to come"),
        (["--at", "1999-01-01"], 3, "is before everything"),
        (["--at", "aaaa"], 3, "No versions begin with 'aaaa'"),
        (["--at", "soon"], 3, "is no moment"),
        (["--between", "now", "3d"], 3, "is before everything"),
        (["--changes", "--since", "soon"], 3, "is no moment"),
        (["--changes", "--since", "2099-01-01"], 3, "is to come"),
        (["--since", "3d"], 2, "--since is for --changes"),
        (["--at", "now", "--day", "2026-01-01"], 2, "not allowed with"),
    ],
)
def test_bad_moments_are_refused_with_a_sentence(store: AStore, words: list[str], code: int, sentence: str) -> None:
    zsmem(store, "write", "long_term", "- one")
    done = zsmem(store, "context", *words)
    assert (done.code, done.out) == (code, "") and sentence in done.err
    if code == 3 and "soon" not in words:
        assert _ids(store)[0] in done.err


def test_an_agents_server_has_the_prompt_of_a_moment(store: AStore) -> None:
    zsmem(store, "write", "long_term", "- one")
    first = _ids(store)[0]
    zsmem(store, "write", "long_term", "- two </memory>")
    client, home = AClient(store), f"zsmem://{store.project}/context"

    def text(uri: str) -> str:
        return str(client.result("resources/read", uri=uri)["contents"][0]["text"])

    assert "- two" in text(home) and text(home) == text(f"{home}?at=now")
    assert "- one" in text(f"{home}?at={first}") and "- two" not in text(f"{home}?at={first}")
    zoned = NOW.astimezone().isoformat()
    assert "- two" in text(f"{home}?at={zoned}") == text(f"{home}?at={quote(zoned)}")
    templates = client.result("resources/templates/list")["resourceTemplates"]
    assert [each["uriTemplate"] for each in templates][1:] == ["zsmem://{project}/context{?at}"]
    for query in ("?at=", "?at=3d", "?at=soon", "?at=zzz", "?to=now", "?at=now&at=now", "?at=now&x=1", "?at=%ff"):
        assert client.error("resources/read", uri=f"{home}{query}")["code"] == -32602, query


def test_a_link_that_leaves_the_store_is_given_to_no_agent_of_any_moment(store: AStore, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("- secret\n")
    store.has("MEMORY.md", "- one\n").has("~/notes/other.md", "- other\n")
    zsmem(store, "history")
    (store.root / "MEMORY.md").unlink()
    (store.root / "MEMORY.md").symlink_to(tmp_path / "secret.md")
    zsmem(store, "history")
    client = AClient(store)
    answer = client.result("resources/read", uri=f"zsmem://{store.project}/context?at=now")
    assert "secret" not in answer["contents"][0]["text"]


def test_a_program_gets_the_block_of_a_moment(store: AStore) -> None:
    store.has("MEMORY.md", "- one\n")
    mem = Mem(store.root, store.project, datetime.now().date().isoformat())
    start = datetime.now()
    zsmem(store, "history")
    assert mem.context_block(at=datetime.now()) == mem.context_block()
    store.has("MEMORY.md", "- two\n")
    zsmem(store, "history")
    after = datetime.now(UTC)
    assert "- two" in (mem.context_block(at=after) or "")
    for at in (start - timedelta(days=1), datetime.now() + timedelta(days=1)):
        with pytest.raises(BadName):
            mem.context_block(at=at)
    assert agent_memory("zerostack", store.root, folder=store.root).context_block(after) == mem.context_block(at=after)


def test_a_program_gets_the_block_of_another_agent_at_a_moment(tmp_path: Path) -> None:
    place = tmp_path / "ethos/personalities/engineer/MEMORY.md"
    place.parent.mkdir(parents=True)
    place.write_text("- one\n")
    mem = agent_memory("ethos", tmp_path / "ethos", group="engineer")
    with pytest.raises(BadName):
        mem.context_block(at=datetime.now() - timedelta(seconds=1))
    assert mem.context_block(at=datetime.now() + timedelta(milliseconds=1)) == mem.context_block()
