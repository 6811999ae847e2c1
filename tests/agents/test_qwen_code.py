from __future__ import annotations

import pytest

from tests.agents.trees import MappingTree
from zsmem_tui.agents.places import Machine, Where
from zsmem_tui.agents.qwen_code.agent import AGENT, PRIVATE, TEAM
from zsmem_tui.agents.qwen_code.layout import INDEX_UNITS, QwenCodeLayout
from zsmem_tui.core.context import Moment
from zsmem_tui.core.errors import RuleBroken
from zsmem_tui.core.layout import Disk
from zsmem_tui.core.profile import Profile
from zsmem_tui.core.refs import Role

INDEX = "projects/-p/memory/MEMORY.md"
SECRET = b"The token is ghp_wq7ZrT2mX9aKc4VbN1sLd8Yh3JfGp6RtEu0o.\n"


def layout(root: str = "/home/ann/.qwen") -> QwenCodeLayout:
    return QwenCodeLayout(Where(root, "/p", "/home/ann", "", lambda: None))  # type: ignore[arg-type, return-value]


def test_what_is_no_memory_is_none() -> None:
    others = ("projects/-p/chats/a.jsonl", "projects/-p/memory/.x.md", "skills/x/SKILL.md", "output-language.md")
    assert [PRIVATE.place(path) for path in others] == [None] * 4


def test_a_teams_memory_is_a_folder_of_its_own() -> None:
    assert TEAM.listed_by("project_release_day.md") == ("MEMORY.md", "project_release_day.md")
    assert TEAM.new_path(Role.NOTE, "", "Release day") == "project_release_day.md"
    on = Machine({}, "/home/ann", "/p", lambda path: True)
    assert AGENT.roots(on) == ["/home/ann/.qwen", "/p/.qwen/team-memory"]
    assert (AGENT.folder_of("/p/.qwen/team-memory"), AGENT.folder_of("/home/ann/.qwen")) == ("/p", "")


@pytest.mark.parametrize("settings", ["../settings.json", "/home/ann/.qwen/settings.json"])
def test_a_teams_memory_is_loaded_only_where_settings_turn_it_on(settings: str) -> None:
    def loaded(said: bytes) -> str | None:
        tree = MappingTree({"MEMORY.md": b"- [Tea](tea.md)\n", settings: said})
        return layout("/p/.qwen/team-memory").prompt(tree, Moment("", "", "", Profile.DOCUMENTED, 0)).text

    assert loaded(b'{"memory": {"enableTeamMemory": true}}') == "- [Tea](tea.md)\n"
    for said in (b'{"memory": {"enableTeamMemory": false}}', b'{"memory": true}', b"{", b""):
        assert loaded(said) is None


def test_a_team_gets_no_credential_but_what_has_one_may_change() -> None:
    team, tree = layout("/p/.qwen/team-memory"), MappingTree({})
    with pytest.raises(RuleBroken, match="no credential"):
        team.check(tree, "a.md", b"Tea.\n", SECRET)
    team.check(tree, "a.md", SECRET, SECRET + b"More.\n")
    team.check(tree, "a.md", SECRET, None)
    layout().check(tree, INDEX, None, SECRET)


def test_short_entries_are_loaded_first_and_none_is_cut() -> None:
    long, short = "- [Long](l.md) — " + "x" * 200, "- [Short](s.md)"
    lines = [long, short] * 150
    made = layout().loaded("\n".join(lines).encode(), INDEX)
    shown = (made.text or "").split("\n")
    assert shown.count(short) == 150 and shown.count(long) == 50 and shown[:2] == [long, short]
    assert len(made.lost) == 100 and not any(each.cut for each in made.lost)
    assert (made.used, made.cap, made.unit) == (len(lines), 200, "lines") and "about" in made.rule


def test_a_character_is_counted_as_a_program_in_javascript_counts_it() -> None:
    made = layout().loaded(("日" * 100 + "\n").encode() * 200, INDEX)
    assert made.lost == () and made.text is not None
    made = layout().loaded(("💡" * 70 + "\n").encode() * 200, INDEX)
    assert len(made.lost) == 200 - INDEX_UNITS // 141
    made = layout().loaded(("x" * 124 + "\n").encode() * 199 + b"y" * 125, INDEX)
    assert made.text is not None and (len(made.text), made.lost) == (INDEX_UNITS, ())


def test_an_empty_index_is_no_prompt() -> None:
    assert layout().loaded(None, INDEX).text is None and layout().loaded(b" \n", INDEX).text is None


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        (None, ["QWEN.md", "AGENTS.md"]),
        ('{"contextFileName": ["A.md", "B.md", "../C.md", 3]}', ["A.md", "B.md", "AGENTS.md"]),
        ('{"contextFileName": "A.md"}', ["A.md", "AGENTS.md"]),
        ("{broken", ["QWEN.md", "AGENTS.md"]),
    ],
)
def test_settings_may_call_the_instructions_otherwise(settings: str | None, names: list[str]) -> None:
    disk = Disk(lambda path: settings if path == "/home/ann/.qwen/settings.json" else None, lambda folder: ())
    assert layout().takes_facts("/p", disk) == names


def test_instructions_pull_files_of_the_folder_in() -> None:
    texts = {
        "/p/QWEN.md": "See @docs/a.md and @/etc/hosts\n",
        "/p/docs/a.md": "a\n",
        "/p/.qwen/QWEN.local.md": "b\n",
        "/p/AGENTS.md": "c\n",
    }
    told = layout().told_in("/p", Disk(texts.get, lambda folder: ()))
    assert [path for path, _ in told] == ["/p/QWEN.md", "/p/docs/a.md", "/p/.qwen/QWEN.local.md", "/p/AGENTS.md"]
