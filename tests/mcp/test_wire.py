"""Lines in, JSON-RPC out, whatever comes."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from tests.mcp.clients import Said, line
from zsmem_tui.core.errors import OutputFailed
from zsmem_tui.mcp.wire import LONGEST_LINE, Lines, Message, Wire

PING = line("ping", 1)


def wire(*pieces: bytes) -> tuple[Wire, io.BytesIO]:
    sink = io.BytesIO()
    return Wire(Said(pieces), sink, lambda: 1), sink


def requests(*pieces: bytes) -> list[Message]:
    made, _ = wire(*pieces)
    return list(iter(made.next, None))


def errors(*pieces: bytes) -> list[tuple[object, int]]:
    """The ids and codes of what is answered before anybody has looked at a request."""
    made, sink = wire(*pieces)
    while made.next() is not None:
        pass
    told = [json.loads(each) for each in sink.getvalue().split(b"\n") if each]
    assert all(each["error"]["message"].endswith(".") for each in told)
    return [(each["id"], each["error"]["code"]) for each in told]


def test_lines_are_the_same_however_the_bytes_come() -> None:
    said = PING + b"\n  \r\n" + line("tools/list", "a", cursor="\u2028 é\x0b")
    whole = requests(said)
    assert [each.id for each in whole] == [1, "a"]
    assert requests(*(said[at : at + 1] for at in range(len(said)))) == whole


@pytest.mark.parametrize(
    ("said", "id", "code"),
    [
        (b"this is no JSON\n", None, -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"pi\n', None, -32700),
        (b'\xff\xfe{"id":1}\n', None, -32700),
        (b"\xef\xbb\xbf" + PING, None, -32700),
        (PING.strip().decode().encode("utf-16") + b"\n", None, -32700),
        (b"[" * 100_000 + b"\n", None, -32700),
        (b'{"jsonrpc":"2.0","id":NaN,"method":"ping"}\n', None, -32700),
        (b'{"jsonrpc":"2.0","id":1e999,"method":"ping"}\n', None, -32700),
        (b'{"jsonrpc":"2.0","id":' + b"9" * 5000 + b',"method":"ping"}\n', None, -32700),
        (b"[" + PING.strip() + b"," + PING.strip() + b"]\n", None, -32600),
        (b"[]\n", None, -32600),
        (b"17\n", None, -32600),
        (b"null\n", None, -32600),
        (b"{}\n", None, -32600),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}\n', None, -32600),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}\n', None, -32600),
        (b'{"jsonrpc":"2.0","id":[1],"method":"ping"}\n', None, -32600),
        (b'{"jsonrpc":"2.0","id":7}\n', 7, -32600),
        (b'{"jsonrpc":"2.0","id":7,"method":5}\n', 7, -32600),
        (b'{"id":7,"method":"ping"}\n', 7, -32600),
        (b'{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}\n', 7, -32602),
        (b'{"jsonrpc":"2.0","id":7,"method":"ping","params":"x"}\n', 7, -32602),
    ],
)
def test_what_is_no_request_is_answered_with_an_error_and_the_next_one_served(said: bytes, id: object, code: int) -> None:
    made, _ = wire(*([said[at : at + 4096] for at in range(0, len(said), 4096)]), PING)
    assert errors(said) == [(id, code)]
    served = made.next()
    assert served is not None and served.method == "ping"


@pytest.mark.parametrize(
    "said", [b'{"jsonrpc":"2.0","id":1,"result":{}}\n', b'{"jsonrpc":"2.0","id":1,"error":{}}\n', b"\n", b" \t\r\n"]
)
def test_an_answer_to_nothing_and_an_empty_line_are_passed_over(said: bytes) -> None:
    assert errors(said) == []
    assert requests(said, PING)[0].method == "ping"


def test_a_line_over_the_limit_is_told_once_and_what_follows_is_served() -> None:
    lines = Lines(longest=10)
    assert lines.feed(b"0123456789\nshort\n01234567890") == [b"0123456789", b"short", None]
    assert lines.feed(b"more of it") == []
    assert lines.feed(b"and more" * 10) == []
    assert lines.feed(b" and its end\nnext\nha") == [b"next"]
    assert (lines.rest(), LONGEST_LINE) == (b"ha", 10 * 1024 * 1024)


def test_half_a_line_and_then_the_end_of_input_ends_it() -> None:
    assert requests(PING, b'{"jsonrpc":"2.0","id":2,"me') == [Message(1, "ping", {})]
    assert errors(PING, b'{"jsonrpc":"2.0","id":2,"me') == [(None, -32700)]
    assert [each.id for each in requests(PING, line("ping", 2).rstrip())] == [1, 2], "a last line needs no line break"


def test_a_request_at_work_and_one_that_waits_can_be_called_off() -> None:
    off = [line("notifications/cancelled", requestId=each) for each in (1, "3", 9, True, None)]
    made, _ = wire(line("a", 1) + line("b", 2) + line("c", "3"), b"".join(off), line("d", 1))
    first = made.next()
    assert first is not None and first.id == 1
    assert made.is_called_off()
    rest = list(iter(made.next, None))
    assert [(each.id, each.method) for each in rest] == [(2, "b"), (1, "d")]
    assert not made.is_called_off()


def test_an_id_that_is_a_text_is_not_the_number() -> None:
    made, _ = wire(line("a", 1), line("notifications/cancelled", requestId="1"))
    assert made.next() is not None
    assert not made.is_called_off()


def test_it_ends_when_the_process_that_started_it_is_gone() -> None:
    parents = [40, 40, 40, 1]
    made = Wire(Said([PING, PING]), io.BytesIO(), lambda: parents.pop(0))
    assert made.next() == Message(1, "ping", {})
    assert made.next() is None


class Gone(io.BytesIO):
    def __init__(self, error: OSError) -> None:
        super().__init__()
        self.error = error

    def write(self, raw: Any) -> int:
        raise self.error


def test_nobody_who_listens_ends_it_and_a_full_disk_is_said() -> None:
    made = Wire(Said([PING, PING]), Gone(BrokenPipeError(32, "Broken pipe")), lambda: 1)
    assert made.next() is not None
    made.answer(1, {})
    assert made.next() is None
    made = Wire(Said([PING]), Gone(OSError(28, "No space left on device")), lambda: 1)
    with pytest.raises(OutputFailed, match="could not be sent: No space left"):
        made.answer(1, {})


def test_every_answer_is_one_line_of_json_also_with_half_characters() -> None:
    made, sink = wire()
    made.answer("half \ud800", {"text": "a\nb\u2028c"})
    made.answer(1, {"text": "é\r\n"})
    lines = sink.getvalue().split(b"\n")
    assert [json.loads(each)["id"] for each in lines[:-1]] == ["half \ud800", 1]
    assert lines[-1] == b""
