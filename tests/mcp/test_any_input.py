"""Whatever a client sends: no crash, nothing on the wire but JSON-RPC, one answer to each request with an id."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.builders import PROJECT, AStore
from tests.failing import no_waiting
from tests.mcp.clients import STATELESS, AClient, Answer
from zsmem_tui.core.profile import Profile
from zsmem_tui.mcp.wire import LONGEST_LINE

TEXT = st.text(st.characters(), max_size=20) | st.sampled_from(["", "../x", "/", "~", "\0", "\ud800", "é\u2028", "redis", PROJECT])
NUMBERS = st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)
IDS = TEXT | NUMBERS
ANY = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
METHODS = st.sampled_from(
    [
        *("initialize", "ping", "server/discover", "tools/list", "tools/call", "resources/list", "resources/templates/list"),
        *("resources/read", "prompts/list", "prompts/get", "notifications/initialized", "no/such"),
    ]
)
TOOLS = st.sampled_from(["memory_write", "memory_read", "memory_search", "memory_edit", "memory_forget"])


def some(**values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """An object with some of these keys, each with what it should hold or with anything, and perhaps a key of its own."""
    mixed = {key: value | ANY for key, value in values.items()}
    return st.tuples(st.fixed_dictionaries({}, optional=mixed), st.dictionaries(TEXT, ANY, max_size=1)).map(
        lambda both: both[1] | both[0]
    )


ARGUMENTS = some(
    target=st.sampled_from(["long_term", "scratchpad", "daily", "note"]),
    source=st.sampled_from(["long_term", "scratchpad", "daily", "note", "list"]),
    name=TEXT | st.just("n"),
    content=TEXT,
    query=TEXT,
    mode=st.sampled_from(["append", "overwrite"]),
    old_str=TEXT,
    new_str=TEXT,
    scope=st.sampled_from(["agent", "all"]),
    project=TEXT | st.sampled_from([PROJECT, "/code/tide", "a/b"]),
)
META = some(**{"progressToken": IDS}) | st.just(STATELESS) | st.just({"io.modelcontextprotocol/protocolVersion": "1"})
PARAMS = some(
    name=TOOLS | st.sampled_from(["memory", "remember"]),
    arguments=ARGUMENTS,
    _meta=META,
    uri=TEXT | st.just(f"zsmem://{PROJECT}/long_term"),
    cursor=TEXT | st.just("0"),
    protocolVersion=st.just("2025-06-18"),
    clientInfo=some(name=TEXT),
)
REQUESTS = st.fixed_dictionaries(
    {"jsonrpc": st.just("2.0"), "method": METHODS | TEXT}, optional={"id": IDS, "params": PARAMS, "more": ANY}
)


def encoded(message: Any) -> bytes:
    return json.dumps(message, ensure_ascii=True).encode()


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A request with some bytes of it taken out, doubled, or replaced."""
    raw = bytearray(encoded(draw(REQUESTS)))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(raw)))
        raw[at : at + draw(st.integers(0, 4))] = draw(st.binary(max_size=3) | st.sampled_from([b"{", b'"', b"[", b"\\u", b"null"]))
    return bytes(raw)


LINES = st.lists(REQUESTS.map(encoded) | mutated() | ANY.map(encoded) | st.binary(max_size=30), min_size=1, max_size=8)


def asked(line: bytes) -> list[tuple[str, Any]]:
    """The id of what a line asks, with its type; none where it is no JSON, or an answer."""
    try:
        found = json.loads(line.decode(), parse_constant=refused, parse_float=finite)
    except (ValueError, RecursionError):
        return []
    if not isinstance(found, dict) or ("method" not in found and found.keys() & {"result", "error"}):
        return []
    id = found.get("id")
    return [] if isinstance(id, bool) or not isinstance(id, str | int | float) else [key(id)]


def refused(text: str) -> float:
    raise ValueError(text)


def finite(text: str) -> float:
    return float(text) if math.isfinite(float(text)) else refused(text)


def key(id: Any) -> tuple[str, Any]:
    return ("text" if isinstance(id, str) else "number", id)


def check(client: AClient, lines: list[bytes], cuts: list[int]) -> None:
    """Send the lines, cut into pieces at these places, and look at all that comes back."""
    said = b"\n".join(lines) + b"\n"
    ends = sorted({each % len(said) for each in cuts} | {len(said)})
    pieces = [said[start:end] for start, end in zip([0, *ends], ends, strict=False) if start < end]
    answers = client.hears(*pieces)
    assert len(said) < LONGEST_LINE
    for each in answers:
        assert each["jsonrpc"] == "2.0"
        if "method" in each:
            assert each["method"] == "notifications/progress" and "id" not in each
        else:
            check_answer(each)
    wanted = Counter(id for line in said.split(b"\n") for id in asked(line))
    given_back = Counter(key(each["id"]) for each in answers if "id" in each and each["id"] is not None)
    assert given_back == wanted


def check_answer(each: Answer) -> None:
    assert ("result" in each) != ("error" in each)
    if "error" in each:
        assert isinstance(each["error"]["code"], int) and isinstance(each["error"]["message"], str)
        assert each["error"]["code"] != -32603 or "gone" in each["error"]["message"], "a fault of ours"
    else:
        assert isinstance(each["result"], dict)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> AClient:
    store = AStore(tmp_path_factory.mktemp("any") / "memory").has("MEMORY.md", "- redis\n").has("~/notes/n.md", "redis\n")
    made = AClient(store, profile=Profile.ZEROSTACK_1_7)
    return made


@pytest.fixture(autouse=True)
def writes_do_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    no_waiting(monkeypatch)


UNBOUND = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]


@settings(max_examples=60, deadline=None, suppress_health_check=UNBOUND, database=None)
@given(lines=LINES, cuts=st.lists(st.integers(0, 4_000), max_size=3))
def test_any_input_gets_json_rpc_and_each_request_one_answer(client: AClient, lines: list[bytes], cuts: list[int]) -> None:
    check(client, lines, cuts)


@pytest.mark.slow
@settings(max_examples=10_000, deadline=None, suppress_health_check=UNBOUND, database=None)
@given(lines=LINES, cuts=st.lists(st.integers(0, 4_000), max_size=3))
def test_ten_thousand_inputs_do(client: AClient, lines: list[bytes], cuts: list[int]) -> None:
    check(client, lines, cuts)


def test_the_store_is_still_one_after_all_that(client: AClient) -> None:
    assert all(path.endswith((".md", ".bak")) for path in AStore(Path(client.session.root)).tree())
