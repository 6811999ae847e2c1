"""Every observed input and output of the memory, replayed."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

import zsmem_tui
from tests.failing import no_waiting
from tests.golden import vectors_io
from zsmem_tui import Mem, MemError, Profile
from zsmem_tui.core.fold import fold
from zsmem_tui.core.text import truncate

HERE = Path(__file__).parent
OS_ERROR_MARKS = ("(os error", "did not contain valid UTF-8", "NUL byte")


Check = Callable[[str, dict[str, Any], str], object]


@pytest.fixture(autouse=True)
def writes_are_not_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    no_waiting(monkeypatch)


def check_all(check: Check, *patterns: str) -> None:
    """Each case of these tables in a folder of its own; which of them are not as observed is said of all at once."""
    wrong, count = [], 0
    for file in (file for pattern in patterns for file in sorted(HERE.glob(pattern))):
        for case in vectors_io.load(file):
            for profile in [each.value for each in Profile] if case["profile"] == "both" else [case["profile"]]:
                count += 1
                root = vectors_io.new_root()
                try:
                    check(root, case, profile)
                except (AssertionError, MemError, ValueError, LookupError, TypeError) as error:
                    wrong.append(f"{case['id']}-{profile}: {error!r}"[:2_000])
                finally:
                    vectors_io.remove(root)
    assert count and not wrong, "\n".join(wrong[:20])


def open_mem(root: str, case: dict[str, Any], profile: str) -> Mem:
    given = case["input"]
    vectors_io.build(root, given)
    return Mem(root, given["project"], given["today"], given["yesterday"], profile=profile)


def check_search(root: str, case: dict[str, Any], profile: str) -> None:
    mem = open_mem(root, case, profile)
    results = mem.search(case["input"]["args"]["query"])
    fields = ("path", "matched_terms", "total_hits", "filename_only", "date", "is_memory_md", "body")
    got = {
        "terms": results.terms,
        "hits": [{field: getattr(hit, field) for field in fields} for hit in results.hits],
        "renders": [[limit, results.render(limit)] for limit, _ in case["expect"]["renders"]],
        "list": mem.list(),
    }
    assert vectors_io.same(vectors_io.placeholder(got, root), case["expect"])


def check_block(root: str, case: dict[str, Any], profile: str) -> None:
    block = open_mem(root, case, profile).context_block()
    assert vectors_io.same(vectors_io.placeholder(block, root), case["expect"])


def files_match(root: str, want: dict[str, Any]) -> bool:
    got = {name: data for name, data in vectors_io.dump(root)["files"].items() if not name.endswith(".tmp")}
    expected = {name: data for name, data in want.items() if not name.endswith(".tmp")}
    return bool(vectors_io.same(got, expected))


def agrees(got: dict[str, str | None], want: dict[str, Any], root: str) -> bool:
    if "err" in want and any(mark in want["err"] for mark in OS_ERROR_MARKS):
        return "err" in got
    want = {key: value for key, value in want.items() if key != "kind"}
    return bool(vectors_io.same(vectors_io.placeholder(got, root), want))


def step(mem: Mem, given: dict[str, Any]) -> str | None:
    def text(key: str) -> Any:
        return None if given.get(key) is None else vectors_io.raw(given[key]).decode()

    match given["op"]:
        case "write":
            return str(mem.write(given["target"], text("content"), given.get("mode"), given.get("name")))
        case "edit":
            return str(mem.edit(given["target"], given.get("name"), text("old_str"), text("new_str") or ""))
        case "append_daily":
            mem.append_daily(text("heading"), text("body"), now=datetime.fromisoformat(given["now"]))
            return ""
        case "flush":
            now = datetime.fromisoformat(given["now"])
            zsmem_tui.flush_compaction_summary(mem, text("summary"), given.get("count"), now=now)
            return None
    raise AssertionError(given["op"])


def answer(call: Any) -> dict[str, str | None]:
    try:
        return {"ok": call()}
    except MemError as error:
        return {"err": str(error)}


def check_sequence(root: str, case: dict[str, Any], profile: str) -> None:
    mem = open_mem(root, case, profile)
    for given, want in zip(case["input"]["args"]["steps"], case["expect"]["results"], strict=True):
        got = answer(lambda given=given: step(mem, given))
        assert agrees(got, want, root), (given, got, want)
    assert files_match(root, case["expect"]["files"])


def check_tool(root: str, case: dict[str, Any], profile: str) -> None:
    given = case["input"]
    vectors_io.build(root, given)
    today = given["now"][:10]
    tools = zsmem_tui.memory_tools(lambda: Mem(os.path.join(root, "agent/memory"), given["slug"], today, profile=profile))
    handler = {tool.name: tool.handler for tool in tools}[given["args"]["tool"]]
    got = answer(lambda: handler(given["args"]["arguments"]))
    assert agrees(got, case["expect"]["result"], root), got
    assert files_match(root, case["expect"]["files"])
    assert zsmem_tui.project_slug(given["cwd"]) == given["slug"]


PURE: dict[str, Callable[..., Any]] = {
    "estimate_tokens": lambda args: zsmem_tui.estimate_tokens(args["text"]),
    "effective_reserve": lambda args: zsmem_tui.effective_reserve(args["base"], args.get("block")),
    "compaction_heading": lambda args: zsmem_tui.compaction_heading(args.get("count")),
    "append_memory_block": lambda args: zsmem_tui.append_memory_block(args["preamble"], args.get("memory")),
    "truncate": lambda args: truncate(args["s"], args["max"], args["marker"]),
    "slug": lambda args: zsmem_tui.project_slug(args["path"]),
}


def check_pure(root: str, case: dict[str, Any], profile: str) -> None:
    assert vectors_io.same(PURE[case["op"]](case["input"]["args"]), case["expect"])


@pytest.mark.parametrize(
    ("check", "tables"),
    [
        (check_search, ["search.jsonl"]),
        (check_block, ["context-*.jsonl"]),
        (check_sequence, ["sequence-*.jsonl"]),
        (check_tool, ["tool-*.jsonl"]),
        (check_pure, ["pure.jsonl", "slug.jsonl"]),
    ],
)
def test_what_was_observed_is_so(check: Check, tables: list[str]) -> None:
    check_all(check, *tables)


@pytest.mark.slow
def test_folding_makes_equal_exactly_what_the_table_says_is_equal() -> None:
    table = {int(code): classes for code, classes in json.loads((HERE / "fold.json").read_text()).items()}
    codes = [code for code in range(0x110000) if not 0xD800 <= code < 0xE000 and code != ord("\n")]
    folded = fold("\n".join(map(chr, codes)).encode()).decode().split("\n")
    assert fold(b"\n") == b"\n" and len(folded) == len(codes)
    changed = {code: found for code, found in zip(codes, folded, strict=True) if found != chr(code)}
    by_folded = {found: [ord(found)] if len(found) == 1 and ord(found) not in changed else [] for found in changed.values()}
    for code, found in changed.items():
        by_folded[found].append(code)
    classes = {tuple(sorted(found)) for found in by_folded.values() if len(found) > 1}
    assert classes == {tuple(sorted(found)) for found in table.values()}
