"""The tools as a client calls them: each bad call is a sentence the model can read, and nothing is changed by it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.builders import PROJECT, AStore, look_for
from tests.mcp.clients import STATELESS, AClient, Answer, call, line
from zsmem_tui.core.names import project_slug
from zsmem_tui.core.profile import Profile
from zsmem_tui.mcp.tools import MOST_CHARS
from zsmem_tui.service import history, reviewing
from zsmem_tui.service.searching import Scope
from zsmem_tui.service.which_project import Start
from zsmem_tui.store import search_log

NOWHERE = Start(working="/", home="/home/kim")
SAY_WHICH = "Say which project: pass its folder as `project`."


STORE = {"MEMORY.md": "- redis port 6380\n", "~/notes/n.md": "redis in a note\n"}


@pytest.fixture
def client(store: AStore) -> AClient:
    return AClient(store)


def test_every_tool_answers_as_the_agents_own(store: AStore, client: AClient) -> None:
    mem = store.mem()
    assert client.text("memory_search", query="redis") == mem.search("redis").render(32_768)
    assert client.text("memory_search", query="absent") == "No matches for 'absent'."
    assert client.text("memory_read", source="note", name="n") == "redis in a note\n"
    assert client.text("memory_read", source="list") == "\n".join(mem.list())
    assert client.text("memory_write", target="scratchpad", content="- [ ] x") == f"Wrote 7 bytes to {store.at('~/SCRATCHPAD.md')}"
    edit = AClient(store, profile=Profile.ZEROSTACK_1_7)
    edit.text("memory_edit", target="note", name="n", old_str="redis", new_str="valkey")
    assert store.raw("~/notes/n.md") == b"valkey in a note\n"


@pytest.mark.parametrize(
    ("before", "says"), [(b"\xff\n", "is not valid UTF-8: agents cannot read it"), (b"- a\n" * 32_768, "agents load none of it")]
)
def test_who_writes_where_agents_cannot_read_is_told(store: AStore, before: bytes, says: str) -> None:
    store.has("MEMORY.md", before)
    client = AClient(store, profile=Profile.ZEROSTACK_1_7)
    wrote, unread = client.text("memory_write", target="long_term", content="- new").split("\n")
    assert wrote.startswith("Wrote 5 bytes to ") and says in unread


def test_every_answer_names_its_project_and_path(store: AStore, client: AClient) -> None:
    home = str(store.at("~/")).rstrip("/")
    for arguments in ({"source": "list"}, {"source": "long_term"}, {"source": "nonsense"}):
        about = client.tool("memory_read", **arguments)["content"][1]["text"]
        assert about == f"Project: {PROJECT}. Memory: {home}"
    about = client.tool("memory_read", source="list", project="/code/tide/")["content"][1]["text"]
    slug = project_slug("/code/tide")
    assert about == f"Project: {slug} (/code/tide). Memory: {store.root}/projects/{slug}"
    found = client.tool("memory_search", query="redis")["structuredContent"]
    assert (found["project"], found["path"]) == (PROJECT, home)


def test_a_search_is_told_as_data_too(client: AClient, store: AStore) -> None:
    found = client.tool("memory_search", query="redis PORT none")["structuredContent"]
    assert found["terms"] == [{"term": "redis", "count": 2}, {"term": "PORT", "count": 1}, {"term": "none", "count": 0}]
    assert found["hits"] == [
        {"path": str(store.at("MEMORY.md")), "project": "", "matched_terms": ["redis", "PORT"], "total_hits": 1},
        {"path": str(store.at("~/notes/n.md")), "project": PROJECT, "matched_terms": ["redis"], "total_hits": 1},
    ]
    assert found["files"] == 2


def test_scope_all_searches_every_project_also_where_none_is_known(store: AStore) -> None:
    other = "tide-1a2b3c4d"
    store.has(f"projects/{other}/notes/t.md", "redis of the tide\n")
    for start in (None, NOWHERE):
        client = AClient(store, start=start)
        found = client.tool("memory_search", query="redis", scope="all")
        assert {each["project"] for each in found["structuredContent"]["hits"]} == {"", PROJECT, other}
        assert found["content"][0]["text"] == look_for("redis", store.session(), scope=Scope.ALL).render(32_768)
        assert found["content"][1]["text"].startswith("Every project was searched.")
    own = AClient(store).tool("memory_search", query="redis", scope="agent")["structuredContent"]
    assert {each["project"] for each in own["hits"]} == {"", PROJECT}


def test_where_no_project_is_known_only_what_needs_one_asks_for_it(store: AStore) -> None:
    client = AClient(store, start=NOWHERE)
    for name, arguments in (
        ("memory_search", {"query": "redis"}),
        ("memory_read", {"source": "list"}),
        ("memory_read", {"source": "daily"}),
        ("memory_write", {"target": "daily", "content": "x"}),
    ):
        assert client.refusal(name, **arguments) == SAY_WHICH
    assert client.text("memory_read", source="long_term") == "- redis port 6380\n"
    client.text("memory_write", target="long_term", content="- more")
    assert store.tree().keys() == {"MEMORY.md", f"projects/{PROJECT}/notes/n.md"}
    assert client.text("memory_read", source="note", name="n", project=PROJECT) == "redis in a note\n"


@pytest.mark.parametrize(
    ("name", "arguments", "sentence"),
    [
        ("memory_search", {}, "missing argument: query"),
        ("memory_search", {"query": 5}, "argument query must be text"),
        ("memory_search", {"query": ["redis"]}, "argument query must be text"),
        ("memory_search", {"query": "x", "scope": "none"}, "unknown scope: scopes are agent and all"),
        ("memory_search", {"query": "x", "scope": ["all"]}, "unknown scope: scopes are agent and all"),
        ("memory_search", {"query": "half \ud800"}, "argument query is not valid Unicode"),
        ("memory_read", {}, "missing argument: source"),
        ("memory_read", {"source": "nonsense"}, "unknown source: nonsense"),
        ("memory_read", {"source": "note"}, "note requires name"),
        ("memory_read", {"source": "note", "name": "../../MEMORY"}, "invalid note name"),
        ("memory_read", {"source": "daily", "name": "../../MEMORY"}, "invalid daily date name"),
        ("memory_read", {"source": "note", "name": "n", "project": "../../etc"}, "invalid project name: '../../etc'"),
        ("memory_read", {"source": "note", "name": "n", "project": ".."}, "invalid project name: '..'"),
        ("memory_read", {"source": "note", "name": "n", "project": 5}, "argument project must be text"),
        ("memory_read", {"source": "note", "name": "n", "project": "/a\ud800"}, "argument project is not valid Unicode"),
        ("memory_write", {"target": "note", "content": "x"}, "invalid note name"),
        ("memory_write", {"target": "note", "name": "a\0b", "content": "x"}, "file name contained an unexpected NUL byte"),
        ("memory_write", {"target": "note", "name": "x" * 300, "content": "x"}, "File name too long"),
        ("memory_write", {"target": "daily", "content": "x", "project": "a/b"}, "invalid project name: 'a/b'"),
        ("memory_write", {"target": "LONG_TERM", "content": "x"}, "unknown target: LONG_TERM"),
        ("memory_write", {"target": "long_term"}, "missing argument: content"),
        ("memory_write", {"target": "long_term", "content": None}, "argument content must be text"),
        ("memory_write", {"target": "long_term", "content": "half \udfff"}, "argument content is not valid Unicode"),
    ],
)
def test_a_bad_call_is_a_sentence_and_changes_nothing(
    store: AStore, client: AClient, name: str, arguments: dict[str, Any], sentence: str
) -> None:
    before = store.tree()
    assert client.refusal(name, **arguments).startswith(sentence)
    assert store.tree() == before


def test_a_note_whose_name_is_too_long_to_write_can_be_read(store: AStore, client: AClient) -> None:
    store.has(f"~/notes/{'x' * 252}.md", "kept\n")
    read = [client.text("memory_read", source="note", name=name) for name in ("x" * 252, "x" * 253, "é" * 150, "a\0b")]
    assert read == ["kept\n", "(empty)", "(empty)", "(empty)"]


def test_a_name_that_is_no_slug_is_refused_before_anything_is_written_where_nobody_looks(store: AStore, client: AClient) -> None:
    store.has("projects/Lantern-1a2b3c4d/notes/n.md", "x").has("projects/by hand/notes/n.md", "y")
    before = store.tree()
    write = {"target": "daily", "content": "x"}
    said = client.refusal("memory_write", **write, project="lantern")
    assert said == ("There is no project called 'lantern': pass its folder, as an absolute path. Or do you mean Lantern-1a2b3c4d?")
    assert "Or do you" not in client.refusal("memory_write", **write, project="tide")
    assert store.tree() == before
    for known in ("by hand", "new-00c0ffee", "default", "/code/new"):
        client.text("memory_write", **write, project=known)


def test_what_is_no_call_is_an_error_of_the_protocol(client: AClient) -> None:
    for params in (
        {},
        {"name": 5},
        {"name": "memory_forget"},
        {"name": "memory_edit", "arguments": {}},
        {"name": "memory_read", "arguments": [1]},
        {"name": "memory_read", "arguments": "source"},
    ):
        assert client.error("tools/call", **params)["code"] == -32602
    assert "missing argument: source" in str(client.result("tools/call", name="memory_read"))


def test_arguments_that_a_tool_does_not_know_are_ignored_as_the_agent_does(client: AClient) -> None:
    assert client.text("memory_read", source="long_term", extra=[1], wait=True) == "- redis port 6380\n"


def test_no_result_is_longer_than_a_client_keeps(tmp_path: Path, store: AStore, client: AClient) -> None:
    many = AStore(tmp_path / "many")
    for number in range(300):
        many.has(f"~/notes/{'long name ' * 15}{number}.md", "word " * 40)
    big = "日本 " * 60_000
    for name, arguments in (
        ("memory_search", {"query": f"redis {big}"}),
        ("memory_search", {"query": " ".join(f"w{number}" for number in range(9_000))}),
        ("memory_search", {"query": big}),
        ("memory_read", {"source": big}),
        ("memory_read", {"source": "list"}),
        ("memory_read", {"source": "note", "name": "n", "project": big}),
    ):
        assert size(client.tool(name, **arguments)) <= MOST_CHARS, (name, arguments.keys())
    result = AClient(many).tool("memory_search", query="word")
    assert MOST_CHARS - 1_000 < size(result) <= MOST_CHARS
    assert 5 < len(result["structuredContent"]["hits"]) < result["structuredContent"]["files"] == 300


def size(result: Answer) -> int:
    """Characters of text and structure."""
    data = json.dumps(result["structuredContent"]) if "structuredContent" in result else ""
    return sum(len(each["text"]) for each in result["content"]) + len(data)


def test_a_store_that_disappears_is_said_and_not_made_anew(store: AStore, client: AClient) -> None:
    shutil.move(store.root, store.root.with_name("elsewhere"))
    for name, arguments in (
        ("memory_search", {"query": "redis"}),
        ("memory_search", {"query": "redis", "scope": "all"}),
        ("memory_read", {"source": "long_term"}),
        ("memory_write", {"target": "daily", "content": "x"}),
    ):
        assert "is gone" in client.refusal(name, **arguments)
    assert "is gone" in client.error("resources/list")["message"]
    assert not store.root.exists()
    shutil.move(store.root.with_name("elsewhere"), store.root)
    assert client.text("memory_read", source="long_term") == "- redis port 6380\n", "and it goes on when it is back"


def test_a_store_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory")
    store.root.rmdir()
    store.root.write_text("a file where the folder should be")
    client = AClient(store)
    for name, arguments in (("memory_search", {"query": "redis"}), ("memory_write", {"target": "long_term", "content": "x"})):
        said = client.refusal(name, **arguments)
        assert str(store.root) in said and said.endswith("Nothing was read or written.")
    assert store.root.read_text() == "a file where the folder should be"


def test_a_store_that_is_not_there_yet_is_made_by_the_first_write(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory")
    store.root.rmdir()
    client = AClient(store)
    assert client.text("memory_read", source="list") == ""
    assert client.text("memory_search", query="x") == "No matches for 'x'."
    client.text("memory_write", target="long_term", content="- first")
    assert store.raw("MEMORY.md") == b"- first\n"


def test_what_a_client_writes_is_its_own_change_in_both_eras(store: AStore, client: AClient) -> None:
    history.look_at_all(store.session())
    info = {"name": "codex", "version": "1"}
    write = call("memory_write", 2, target="long_term", content="- of codex")
    client.hears(line("initialize", 1, protocolVersion="2025-06-18", clientInfo=info), write)
    meta = STATELESS | {"io.modelcontextprotocol/clientInfo": {"name": "gemini", "version": "1"}}
    client.hears(call("memory_write", 1, meta, target="daily", content="of gemini"))
    AClient(store).hears(call("memory_write", 1, target="daily", content="of nobody"))
    session = store.session()
    assert [str(each.author) for each in history.latest(session, 3)] == ["an agent", "gemini", "codex"]
    assert len(reviewing.pending(session)) == 2
    assert session.history.step() is None


def test_a_client_sees_what_others_have_written_since_its_last_search(store: AStore, client: AClient) -> None:
    assert "No matches" in client.text("memory_search", query="valkey")
    store.has("~/notes/n.md", "valkey now\n")
    assert "valkey(1)" in client.text("memory_search", query="valkey")


@pytest.mark.parametrize("link", ["~/notes/out.md", "~/notes"])
def test_a_link_that_leaves_the_store_is_not_read_and_not_searched(tmp_path: Path, link: str) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/out.md").write_text("swordfish\n")
    store = AStore(tmp_path / "memory").has("~/real.md", "swordfish in\n").has("MEMORY.md", "- one\n")
    store.at(link).parent.mkdir(parents=True, exist_ok=True)
    store.at(link).symlink_to(tmp_path / "elsewhere" / ("out.md" if link.endswith(".md") else ""))
    client = AClient(store)
    said = client.tool("memory_read", source="note", name="out")["content"][0]["text"]
    assert "is a link that leaves the store. Nothing was read." in said and "swordfish" not in said
    assert "No matches" in client.text("memory_search", query="swordfish")
    found = client.text("memory_search", query="swordfish", scope="all")
    assert "swordfish(1) across 1 file." in found and "/real.md" in found, "the file beside the link, which no agent reads"
    uri = f"zsmem://{store.project}/note/out"
    assert "leaves the store" in client.error("resources/read", uri=uri)["message"]
    listed = client.text("memory_read", source="list")
    assert "/out.md" not in listed and listed.endswith("/MEMORY.md")
    assert client.text("memory_read", source="long_term").startswith("- one")


def test_a_prompt_has_no_text_from_outside_the_store_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "elsewhere.md").write_text("swordfish\n")
    store = AStore(tmp_path / "memory").has("~/SCRATCHPAD.md", "- [ ] one\n")
    store.at("MEMORY.md").symlink_to(tmp_path / "elsewhere.md")
    said = AClient(store).result("prompts/get", name="memory", arguments={})["messages"][0]["content"]["text"]
    assert "swordfish" not in said and "- [ ] one" in said and "MEMORY.md is a link that leaves the store: it was left out." in said
    store.at("MEMORY.md").unlink()
    store.at("MEMORY.md").symlink_to(store.has("facts.md", "- a fact\n").at("facts.md"))
    assert "- a fact" in AClient(store).result("prompts/get", name="memory", arguments={})["messages"][0]["content"]["text"]


def test_an_agent_is_told_what_is_near_a_word_that_is_nowhere(store: AStore, client: AClient) -> None:
    assert client.text("memory_search", query="reddis") == (
        "No matches for 'reddis'.\nNot found: reddis. This memory has: redis (2 files)."
    )
    both = client.text("memory_search", query="redis portt")
    assert both.endswith("\nNot found: portt. This memory has: port (1 file).")
    assert both.startswith(store.mem().search("redis portt").render(32_768))


def test_words_found_only_apart_are_not_called_missing(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory").has("MEMORY.md", "- redis runs here, a red lamp\n").has("~/notes/k.md", "kubernetes\n")
    assert "\nNot found" not in AClient(store).text("memory_search", query="redis kubernetes")
    store.has("~/notes/s.md", "k8s\n")
    said = AClient(store).text("memory_search", query="redis kubernetes")
    none = "No file that this searches has all of: redis, kubernetes."
    assert said.endswith(f"\n{none} This memory has other words for them: k8s (1 file).")


def test_the_line_of_near_words_stays_within_what_an_agent_gets(store: AStore, client: AClient) -> None:
    for number in range(200):
        store.has(f"~/notes/n{number}.md", "redis " * 40 + "\n")
    text = client.text("memory_search", query="redis portt")
    assert text.endswith("This memory has: port (1 file).")
    assert len(text.encode()) <= 32_768 + 2_000


def test_a_note_is_written_with_its_aliases(store: AStore, client: AClient) -> None:
    client.text("memory_write", target="note", name="cache", content="# Cache\n\nIn redis.", aliases=["hot store", "ttl"])
    assert store.at("~/notes/cache.md").read_text() == "# Cache\naliases: hot store, ttl\n\nIn redis.\n"
    for wrong in (["a, b"], ["x\ny"], [""], "text", [1], ["\ud800"]):
        before = store.tree()
        answer = client.tool("memory_write", target="note", name="cache", content="x", aliases=wrong)
        assert store.tree() == before, answer


def test_what_an_agent_searches_and_reads_is_noted(store: AStore, client: AClient) -> None:
    client.text("memory_search", query="nothing-like-it")
    client.text("memory_read", source="note", name="n")
    first, second = search_log.read(str(store.root)).events
    assert (first["op"], first["query"], first["hits"]) == ("search", "nothing-like-it", [])
    assert (second["op"], second["path"]) == ("read", str(store.at("~/notes/n.md").relative_to(store.root)))
