"""Every observed case of the other agents, replayed through the public API."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
import tempfile
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.golden import vectors_io
from tests.golden.agents import run

HERE = Path(__file__).parent / "agents"
LONG = 60_000
"""Bytes above which a file is expected by its digest."""

THREADS = 12
"""A write is watched for a moment after it was made: the cases wait together."""


def cases() -> dict[tuple[str, str], list[dict[str, Any]]]:
    found: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for file in sorted(HERE.glob("*.jsonl")):
        for line in file.read_text("utf-8").split("\n"):
            if line:
                case = json.loads(line)
                found[file.stem, case["op"]].append(case)
    return found


CASES = cases()


def build(root: str, given: dict[str, Any]) -> None:
    vectors_io.build(root, {**given, "files": swapped(given.get("files", {}), "{ROOT}", root)})
    for name, seconds in given.get("mtimes", {}).items():
        os.utime(f"{root}/{name}", ns=(round(seconds * 1_000_000) * 1000,) * 2)


def shown(content: bytes) -> Any:
    if len(content) > LONG:
        head, tail = content[:120].decode("utf-8", "replace"), content[-120:].decode("utf-8", "replace")
        return {"len": len(content), "sha256": hashlib.sha256(content).hexdigest(), "head": head, "tail": tail}
    try:
        return content.decode()
    except UnicodeDecodeError:
        return {"b64": base64.b64encode(content).decode()}


def swapped(value: Any, old: str, new: str) -> Any:
    if isinstance(value, str):
        return value.replace(old, new)
    if isinstance(value, list):
        return [swapped(each, old, new) for each in value]
    return {swapped(key, old, new): swapped(each, old, new) for key, each in value.items()} if isinstance(value, dict) else value


def difference(agent: str, case: dict[str, Any]) -> str:
    """What a case gives when that is not what was observed; empty when it is."""
    root = tempfile.mkdtemp(prefix="agt")
    try:
        build(root, case["input"])
        got = run(agent, case["op"], root, swapped(case["input"]["args"], "{ROOT}", root))
        if isinstance(case["expect"].get("files"), dict):
            paths = [path for path in sorted(Path(root).rglob("*")) if path.is_file() and not path.is_symlink()]
            got = {**got, "files": {str(path.relative_to(root)): shown(path.read_bytes()) for path in paths}}
        got = swapped(got, root, "{ROOT}")
    finally:
        shutil.rmtree(root, ignore_errors=True)
    return "" if got == case["expect"] else f"{case['id']}: {json.dumps(got)[:400]}"


@pytest.mark.parametrize(("agent", "op"), CASES, ids="-".join)
def test_an_agent_does_as_observed(agent: str, op: str) -> None:
    with ThreadPoolExecutor(THREADS) as pool:
        found = list(pool.map(lambda case: difference(agent, case), CASES[agent, op]))
    assert [each for each in found if each] == []


def test_every_case_that_was_observed_is_here() -> None:
    counts = {agent: sum(len(each) for (name, _), each in CASES.items() if name == agent) for agent, _ in CASES}
    assert counts == {"ethos": 117, "memsearch": 58, "oh-my-pi": 102, "opencode-agent-memory": 90}
