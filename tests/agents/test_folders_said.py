"""Folders that agents name beside their memory."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from zsmem_tui.agents import registry
from zsmem_tui.agents.claude_code.files import CLAUDE as claude
from zsmem_tui.agents.gemini.agent import FILES as gemini
from zsmem_tui.agents.places import Machine
from zsmem_tui.agents.qwen_code.agent import PRIVATE as qwen
from zsmem_tui.agents.zerostack.agent import session_folders, working_folders


def test_a_session_names_its_folder_wherever_the_field_is_cut() -> None:
    raw = json.dumps({"id": 1, "messages": ['"working_dir": "/in/a/text"'] * 3, "working_dir": "/home/ann/日本 \\ x"}).encode()
    assert working_folders([raw]) == ["/home/ann/日本 \\ x"]
    assert working_folders(raw[at : at + 7] for at in range(0, len(raw), 7)) == ["/home/ann/日本 \\ x"]


def test_a_damaged_session_names_what_it_can_and_nothing_else() -> None:
    assert working_folders([b'{"working_dir": "/a", "x": [[[']) == ["/a"]
    for raw in (
        b'{"working_dir": 5}',
        b'{"working_dir": "a"}',
        b'{"working_dir": "/a\\u0000"}',
        b'{"working_dir": "/\\x"}',
        b"\xff",
    ):
        assert working_folders([raw]) == []


def test_sessions_lie_beside_the_memory_and_where_the_data_is() -> None:
    found = session_folders("/x/zerostack/agent/memory", {"ZS_DATA_DIR": "/data"}, "/home/ann")
    assert found == ["/x/zerostack/sessions", "/data/sessions"]
    assert session_folders("/elsewhere", {}, "/home/ann") == ["/home/ann/.local/share/zerostack/sessions"]


class Projects:
    """A folder with a list of projects alone."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw

    def folders(self, folder: str) -> list[str]:
        return []

    def newest(self, folder: str, ending: str) -> str:
        return ""

    def head(self, path: str, limit: int, enough: Callable[[bytes], bool]) -> bytes:
        return self.raw if path == "projects.json" else b""


def test_the_list_of_projects_says_its_folders() -> None:
    heads = Projects(b'{"projects": {"/home/ann/x": "x", "rel": "r", "/b": 1, "/c": "../c", "/d": ".d"}}')
    assert gemini.folders(heads) == [("project:x", "/home/ann/x")]
    assert (gemini.group_of("/home/ann/x", heads), gemini.group_of("/b", heads)) == ("project:x", "")
    assert [gemini.folders(Projects(raw)) for raw in (b"", b"[]", b'{"projects": 3}', b"\xff", b"[" * 9999)] == [[]] * 5


class Sessions:
    """Folders of projects, each with a session in `chats` that names its folder, or with none."""

    def __init__(self, cwds: dict[str, str]) -> None:
        self.cwds = cwds

    def folders(self, folder: str) -> list[str]:
        return list(self.cwds)

    def newest(self, folder: str, ending: str) -> str:
        return "s.jsonl" if folder.endswith("/chats") and self.cwds[folder.split("/")[1]] else ""

    def head(self, path: str, limit: int, enough: Callable[[bytes], bool]) -> bytes:
        return json.dumps({"cwd": self.cwds[path.split("/")[1]]}).encode()


def test_qwen_code_may_call_the_folder_of_a_project_as_it_likes() -> None:
    heads = Sessions({"a-1f": "/a/b_c", "other": "", "-a-d": "", "-a-e": "/z"})
    found = [qwen.group_of(folder, heads) for folder in ("/a/b_c", "/a/d", "/a/e", "/a/new")]
    assert found == ["project:a-1f", "project:-a-d", "project:-a-e", "project:-a-new"]
    assert claude.group_of("/a/b_c", heads) == "project:-a-b-c"


@pytest.mark.parametrize("kind", registry.kinds())
def test_the_topmost_folder_is_named_with_one_slash(kind: str) -> None:
    roots = registry.kinds()[kind].roots(Machine({}, "/home/ann", "/", lambda path: False))
    assert not [root for root in roots if root.startswith("//")]


@pytest.mark.parametrize(
    ("kind", "env", "roots"),
    [
        ("claude-code", {"CLAUDE_CONFIG_DIR": "/c/"}, ["/c"]),
        ("claude-code", {"CLAUDE_CONFIG_DIR": ""}, ["/home/ann/.claude"]),
        ("ethos", {"ETHOS_STATE_DIR": "/e//x/"}, ["/e/x"]),
        ("opencode", {"XDG_CONFIG_HOME": "/x"}, ["/home/ann/.config/opencode/memory", "/w/.opencode/memory"]),
        ("memsearch", {"MEMSEARCH_DIR": ""}, ["/w/.memsearch/memory"]),
        ("memsearch", {"MEMSEARCH_DIR": "/m/"}, ["/m/memory", "/w/.memsearch/memory"]),
        ("memsearch", {"MEMSEARCH_DIR": "m"}, ["/w/m/memory", "/w/.memsearch/memory"]),
    ],
)
def test_a_variable_names_the_store_and_a_slash_at_its_end_nothing(kind: str, env: dict[str, str], roots: list[str]) -> None:
    found = registry.kind(kind)
    assert found is not None and found.roots(Machine(env, "/home/ann", "/w", lambda _: True)) == roots
