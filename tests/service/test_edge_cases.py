"""What each agent's files may be like that nobody expects: over whole stores, as a person meets it."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.builders import NOW, AStore, look_for, not_there
from zsmem_tui import agent_memory
from zsmem_tui.agents.claude_code.files import encoded
from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import BadTarget, MemError
from zsmem_tui.core.notice import NoticeKind
from zsmem_tui.core.refs import Role
from zsmem_tui.service import crash, editing, previewing, prompts, searching, stores, tasks
from zsmem_tui.service.browsing import open_file
from zsmem_tui.service.folders import StoreGroups, by_folder, folders_of
from zsmem_tui.service.session import EVERYBODY, Session
from zsmem_tui.service.watching import StoreFollower

FOLDER = "/home/ann/code/lantern"

Opening = Callable[..., tuple[AStore, Session]]


@pytest.fixture
def opened(tmp_path: Path, away_from_home: Path, monkeypatch: pytest.MonkeyPatch) -> Opening:
    """A store of a kind with these files, and a session over it."""
    not_there(monkeypatch, FOLDER)

    def call(
        kind: str, files: dict[str, str | bytes], group: str = "", cwd: str = FOLDER, user: str = ""
    ) -> tuple[AStore, Session]:
        store = AStore(tmp_path / kind)
        for path, content in files.items():
            store.has(path, content)
        return store, stores.open_store(Config(), f"{kind}:{store.root}", group=group, cwd=cwd, user=user, clock=lambda: NOW)

    return call


def groups(session: Session) -> list[str]:
    return list(stores.lines([session])[0].groups)


def shown(session: Session) -> str:
    return previewing.preview(session).text or ""


def lost(session: Session) -> list[tuple[str, int, str]]:
    return [(each.path, each.line + 1, each.reason) for each in previewing.preview(session).lost]


def saved(session: Session, path: str, text: bytes) -> None:
    ref = session.ref_at(path)
    editing.save(session, ref, text, open_file(session, ref).raw)


def test_an_encrypted_file_of_ethos_is_named_and_its_store_is_a_line(opened: Opening) -> None:
    secret = bytes(range(256))
    store, session = opened("ethos", {"personalities/eng/MEMORY.md": secret, "users/u1/USER.md": "- tea\n"}, "personality:eng")
    with pytest.raises(MemError, match=r"MEMORY.md is encrypted by Ethos. It was not read"):
        previewing.preview(session)
    (line,) = stores.lines([session])
    assert line.files == 2 and line.prompt is None and "encrypted" in line.problem
    assert [hit.ref.path for hit in look_for("tea", session, scope=searching.Scope.ALL).hits] == ["users/u1/USER.md"]
    with pytest.raises(MemError, match="Nothing was written"):
        session.mem().write_at(session.ref_at("personalities/eng/MEMORY.md"), "- a fact")
    assert store.raw("personalities/eng/MEMORY.md") == secret


def test_a_lone_line_end_is_no_memory_of_ethos(opened: Opening) -> None:
    _, session = opened("ethos", {"personalities/eng/MEMORY.md": "\n", "personalities/eng/USER.md": "\ufeff\n"}, "eng")
    seen = previewing.preview(session)
    assert seen.text is None and not seen.lost


@pytest.mark.parametrize(
    ("user", "own", "expected"), [("", "- theirs\n", "- ours"), ("u1", "- theirs\n", "- theirs"), ("u1", "\n", "- ours")]
)
def test_of_two_user_files_of_ethos_one_is_in_the_prompt(opened: Opening, user: str, own: str, expected: str) -> None:
    _, session = opened("ethos", {"personalities/eng/USER.md": "- ours\n", "users/u1/USER.md": own}, "personality:eng", user=user)
    assert shown(session) == f"## Memory\n\n## About You\n\n{expected}"


def test_folders_that_ethos_would_not_name_so_are_no_groups(opened: Opening) -> None:
    files: dict[str, str | bytes] = {f"personalities/{name}/MEMORY.md": "- x\n" for name in ("eng", "a.b", "日本", "a b")}
    _, session = opened("ethos", files, "eng")
    assert groups(session) == ["personality:eng"]
    with pytest.raises(BadTarget, match="has no group"):
        opened("ethos", {}, "personality:a.b")


def test_a_section_without_ascii_stays_as_it_is(opened: Opening) -> None:
    text = "### 日本語\n\n- メモ\u3000一つ\n\n### 日本語\n\n- 二つ\n"
    store, session = opened("ethos", {"personalities/eng/MEMORY.md": text}, "eng")
    assert shown(session).endswith(text.rstrip("\n"))
    saved(session, "personalities/eng/MEMORY.md", text.replace("二つ", "三つ").encode())
    assert store.raw("personalities/eng/MEMORY.md").decode() == text.replace("二つ", "三つ")


def test_a_block_that_opencode_passes_over_is_told_line_by_line(opened: Opening) -> None:
    store, session = opened("opencode", {"human.md": "---\nlimit: -3\n---\n- hidden\n", "persona.md": "- shown\n"})
    assert "- shown" in shown(session) and "hidden" not in shown(session)
    reason = "opencode passes over this file: limit is not a whole number above 0"
    assert lost(session) == [("human.md", number, reason) for number in (1, 2, 3, 4)]
    with pytest.raises(MemError, match=r"limit is not a whole number above 0. Nothing was written."):
        session.mem().write_at(session.ref_at("human.md"), "- more")
    saved(session, "human.md", b"---\nlimit: 3000\n---\n- hidden\n")
    assert lost(session) == [] and "- hidden" in shown(session)
    assert store.raw("persona.md") == b"- shown\n"


def test_a_store_in_which_opencode_passes_over_every_block_has_nothing_in_the_prompt_and_says_what(opened: Opening) -> None:
    _, session = opened("opencode", {"human.md": "---\nlabel: 42\n---\n- hidden\n"})
    assert previewing.preview(session).text is None
    assert [(path, line) for path, line, _ in lost(session)] == [("human.md", 1), ("human.md", 2), ("human.md", 3), ("human.md", 4)]


@pytest.mark.parametrize(
    "raw",
    [b"plain\r\nlines\r\n", b"---\r\nlabel: x\r\n---\r\nv\r\n", b"\xef\xbb\xbf---\nlabel: x\n---\nv\n", b"---\nlabel: x\n---"],
)
def test_blocks_without_frontmatter_are_all_value_and_keep_their_line_ends(opened: Opening, raw: bytes) -> None:
    store, session = opened("opencode", {"human.md": raw})
    assert "<human>" in shown(session) and not lost(session)
    word = b"label" if b"label" in raw else b"lines"
    session.mem().edit_at(session.ref_at("human.md"), word.decode(), "$& and $$")
    assert store.raw("human.md") == raw.replace(word, b"$& and $$")


def test_two_blocks_with_one_label_are_both_in_the_prompt_and_each_edited_as_its_file(opened: Opening) -> None:
    store, session = opened("opencode", {"a1.md": "---\nlabel: same\n---\n- one\n", "same.md": "- two\n"})
    assert shown(session).count("<same>") == 2
    saved(session, "a1.md", b"---\nlabel: same\n---\n- ONE\n")
    assert store.raw("same.md") == b"- two\n" and b"- ONE" in store.raw("a1.md")


def test_a_read_only_block_is_written_by_nobody(opened: Opening) -> None:
    raw = "---\nread_only: true\n---\n- kept\n"
    store, session = opened("opencode", {"human.md": raw})
    with pytest.raises(MemError, match=r"read_only. Nothing was written"):
        session.mem().write_at(session.ref_at("human.md"), "- more")
    with pytest.raises(MemError, match=r"read_only. Nothing was written"):
        saved(session, "human.md", b"---\nread_only: true\n---\n- other\n")
    assert store.raw("human.md").decode() == raw


def test_stubs_fenced_headings_and_odd_days_of_memsearch(opened: Opening) -> None:
    files: dict[str, str | bytes] = {
        "2026-05-09.md": "## Session 08:00\n\n",
        "2026-05-08.md": "## S\n```\n## fenced\n```\n- in\n",
        "2026-5-9.md": "## S\n- no day\n",
        "2026-02-30.md": "## S\n- no such day\n",
    }
    _, session = opened("memsearch", files)
    assert "## fenced\n- in" in shown(session) and "no day" not in shown(session) and "no such day" not in shown(session)
    assert ("2026-05-09.md", 1) in [each[:2] for each in lost(session)]
    assert {path: session.ref_at(path).role for path in ("2026-5-9.md", "2026-02-30.md")} == {
        "2026-5-9.md": Role.NOTE,
        "2026-02-30.md": Role.LOG,
    }


def test_lessons_that_lose_something_to_the_redaction_are_told(opened: Opening) -> None:
    lesson = "- call it with sk-1a2b3c4d5e6f first\n- a token_bucket_limiter helps\n"
    _, session = opened("oh-my-pi", {f"-{FOLDER.replace('/', '-')}--/learned.md": lesson})
    assert "- call it with [REDACTED] first\n- a token_bucket_limiter helps" in shown(session)
    assert [(line, reason) for _, line, reason in lost(session)] == [(1, "oh-my-pi takes out what looks like a secret")]


def test_folders_that_share_a_memory_of_oh_my_pi_are_one_and_the_first_known_has_it(opened: Opening) -> None:
    _, session = opened("oh-my-pi", {"--a-b--/learned.md": "- one\n"}, cwd="/a/b")
    _, other = opened("oh-my-pi", {}, cwd="/a-b")
    assert session.project == other.project == "folder:--a-b--" and shown(session) == shown(other)
    known = ["/a/b", "/a-b"]
    (first, *_) = by_folder([StoreGroups(session, groups(session), folders_of(session, known))], known)
    assert first.path == "/a/b" and [part.group for part in first.parts] == ["folder:--a-b--"]


def test_projects_of_claude_code_that_differ_in_case_are_two(opened: Opening) -> None:
    files: dict[str, str | bytes] = {f"projects/-home-ann-{name}/memory/MEMORY.md": f"- {name}\n" for name in ("Code", "code")}
    store, session = opened("claude-code", files, cwd="/home/ann/Code")
    assert groups(session) == ["project:-home-ann-Code", "project:-home-ann-code"] and shown(session) == "- Code\n"
    session.mem().write_at(session.place_of(Role.INDEX), "- more")
    assert store.raw("projects/-home-ann-code/memory/MEMORY.md") == b"- code\n"


@pytest.mark.parametrize("ending", ["", "x"])
def test_a_name_of_claude_code_that_is_hashed_is_found_by_its_start(opened: Opening, ending: str) -> None:
    folder = "/srv/" + "deep/" * 45 + "end"
    name = encoded(folder) + ending
    _, session = opened("claude-code", {f"projects/{name}/memory/MEMORY.md": "- deep\n"}, cwd=folder)
    assert session.project == f"project:{name}" and shown(session) == "- deep\n"


def test_dead_and_double_links_and_a_topic_past_the_cut_are_found(opened: Opening) -> None:
    index = "- [A](a.md)\n- [A again](a.md)\n- [Gone](gone.md)\n" + "- filler\n" * 200 + "- [B](b.md)\n"
    home = "projects/-home-ann-code-lantern/memory"
    _, session = opened(
        "claude-code", {f"{home}/MEMORY.md": index, f"{home}/a.md": "", f"{home}/b.md": "- b\n", f"{home}/c.md": "---\n"}
    )
    found = {
        (each.kind, each.line) for each in previewing.findings(session, previewing.subject(session), previewing.preview(session))
    }
    assert found >= {(NoticeKind.DEAD_LINK, 3), (NoticeKind.DOUBLE_LINK, 2), (NoticeKind.LOST_LINES, 201), (NoticeKind.UNLISTED, 0)}
    assert lost(session)[-1][1:] == (204, "past line 200")


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"---\n",
        b"---\r\ndescription: a: b: c\r\n---\r\n",
        b"\xef\xbb\xbf---\nname: x\n---\nbody\n",
        b"````\n---\nname: no\n---\n````\n",
    ],
)
def test_topics_of_any_shape_are_read_and_added_to_as_they_are(opened: Opening, raw: bytes) -> None:
    path = "projects/-home-ann-code-lantern/memory/odd.md"
    store, session = opened("claude-code", {path: raw})
    file = open_file(session, session.ref_at(path))
    assert file.raw == raw and not file.problem
    session.mem().write_at(session.ref_at(path), "- a fact")
    assert store.raw(path).startswith(raw) and store.raw(path).count(b"- a fact") == 1


def test_a_folder_of_memory_without_files_is_no_group_with_files(opened: Opening) -> None:
    store, session = opened("claude-code", {"CLAUDE.md": "- be brief\n"})
    store.at("projects/-home-ann-code-lantern/memory").mkdir(parents=True)
    assert groups(session) == [] and previewing.preview(session).text is None


def test_a_store_that_shares_its_files_with_another_counts_nowhere(tmp_path: Path, away_from_home: Path) -> None:
    store = AStore(tmp_path / "notes").has("a.md", "- [ ] tea for Ann\n")
    named = [f"opencode:{store.root}", f"memsearch:{store.root}"]
    both = stores.sessions(Config(), named=named, cwd=FOLDER, clock=lambda: NOW)
    assert [bool(each.refusal) for each in both] == [False, True]
    found = look_for("tea", *both, scope=searching.Scope.ALL)
    assert len(found.hits) == 1 and found.hits[0].store == 0
    assert [len(tasks.task_list(each, [EVERYBODY]).tasks) for each in both] == [1, 0]
    assert {each.store for each in prompts.prompts_of([StoreGroups(each, [], {}) for each in both], FOLDER)} == {0}
    follower = StoreFollower(both[1])
    assert (
        follower.first().problem == both[1].refusal
        and follower.poll(None) is None
        and not follower.record([both[0].ref_at("a.md")])
    )


def test_the_memory_of_an_agent_can_be_copied(tmp_path: Path) -> None:
    assert copy.copy(agent_memory("memsearch", tmp_path)).list() == []


def test_a_crash_that_is_its_own_cause_is_told_once_without_its_words(tmp_path: Path) -> None:
    error = ValueError("a secret")
    error.__cause__ = error
    told = Path(crash.log_crash(error, str(tmp_path))).read_text()
    assert told.count("ValueError") == 1 and "secret" not in told
