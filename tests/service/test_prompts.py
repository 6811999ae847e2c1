"""The prompts of several agents: which there are for a folder, and how a person goes through them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import AStore
from tests.six_agents import SixAgents
from zsmem_tui.config import locate
from zsmem_tui.config.model import Config
from zsmem_tui.core.profile import Profile
from zsmem_tui.service import previewing, prompts
from zsmem_tui.service.folders import StoreGroups, folders_of
from zsmem_tui.service.previewing import Subject
from zsmem_tui.service.prompts import PromptOf
from zsmem_tui.service.session import EVERYBODY
from zsmem_tui.service.stores import open_store


@pytest.fixture
def six(tmp_path: Path) -> SixAgents:
    return SixAgents(tmp_path)


def told(stores: list[StoreGroups], found: list[PromptOf]) -> list[tuple[str, str]]:
    return [(stores[each.store].session.layout.kind, each.about.project.partition(":")[0]) for each in found]


def test_a_folder_has_one_prompt_of_each_agent_and_both_profiles_of_zerostack(six: SixAgents) -> None:
    stores, folder = six.stores(), str(six.folder)
    found = prompts.prompts_of(stores, folder)
    own = six.session("zerostack").project
    assert told(stores, found) == [
        ("zerostack", own),
        ("zerostack", own),
        ("claude-code", "project"),
        ("ethos", "personality"),
        ("oh-my-pi", "folder"),
        ("opencode", EVERYBODY),
        ("memsearch", EVERYBODY),
    ]
    assert [each.about.profile for each in found[:2]] == [Profile.DOCUMENTED, Profile.ZEROSTACK_1_7]
    assert all(previewing.preview(stores[each.store].session, each.about).text for each in found)


def test_whose_a_prompt_is_that_is_of_no_group(six: SixAgents, tmp_path: Path) -> None:
    said = {kind: prompts.whose(six.session(kind), EVERYBODY) for kind in ("claude-code", "ethos", "memsearch")}
    assert said == {"claude-code": "nobody chosen", "ethos": "nobody chosen", "memsearch": locate.shortened(str(six.folder))}
    assert prompts.whose(open_store(Config(), "opencode", cwd=str(tmp_path)), EVERYBODY) == "everybody"


def test_a_personality_is_not_chosen_where_there_are_two_and_the_preview_says_why_there_is_no_prompt(six: SixAgents) -> None:
    (six.roots["ethos"] / "personalities/poet").mkdir()
    stores = six.stores()
    found = next(each for each in prompts.prompts_of(stores, str(six.folder)) if stores[each.store].session.layout.kind == "ethos")
    assert found.about.project == EVERYBODY
    seen = previewing.preview(stores[found.store].session, found.about)
    assert seen.text is None and "for a personality" in seen.rule
    assert prompts.persons(stores[found.store]) == ["personality:engineer", "personality:poet"]


def test_what_ethos_knows_of_a_user_is_in_the_prompt_when_that_user_talks(six: SixAgents) -> None:
    home, session = six.roots["ethos"], six.session("ethos")
    [user] = [each.name for each in (home / "users").iterdir() if each.is_dir()]
    (home / "personalities" / "README").write_text("no personality: a file\n")
    seen = previewing.preview(session, previewing.subject(session, f"user:{user}"))
    assert "README" not in seen.rule
    its = [line for line in (home / "users" / user / "USER.md").read_text().split("\n") if line.strip()]
    assert seen.text is not None and all(line in seen.text for line in its) and "when this user talks" in seen.rule
    assert previewing.preview(session, previewing.subject(session, "team:lamps")).text is None


def test_stores_about_another_folder_are_left_out_and_a_folder_that_nobody_knows_has_no_group(six: SixAgents) -> None:
    stores = six.stores()
    elsewhere = told(stores, prompts.prompts_of(stores, "/home/ann/elsewhere"))
    assert ("opencode", EVERYBODY) not in elsewhere and ("claude-code", "project") in elsewhere
    unknown = told(stores, prompts.prompts_of(stores, ""))
    assert ("oh-my-pi", "folder") in unknown and not [each for each in unknown if each[0] == "opencode"]


def test_the_round_goes_through_all_and_comes_back_and_keeps_the_group_that_was_chosen(six: SixAgents) -> None:
    stores, folder = six.stores(), str(six.folder)
    begin = PromptOf(0, Subject(six.session("zerostack").project, "2026-05-20", Profile.DOCUMENTED))
    order = prompts.order_from(stores, folder, begin)
    seen = [begin]
    while len(seen) <= len(order):
        seen.append(prompts.after(order, seen[-1]))
    assert [each.store for each in seen] == [0, 1, 2, 3, 4, 5, 0, 0]
    assert [each.about.profile for each in seen[-2:]] == [Profile.ZEROSTACK_1_7, Profile.DOCUMENTED]
    again = prompts.after(order, seen[-2]._replace(about=seen[-2].about._replace(day="2026-05-20")))
    assert again == begin and not seen[1].about.day
    other = PromptOf(1, Subject("agent:reviewer", "", Profile.DOCUMENTED))
    order = prompts.order_from(stores, folder, other)
    assert other in order and told(stores, order)[1] == ("claude-code", "agent")


def test_a_store_alone_has_a_round_of_its_own_prompts(six: SixAgents) -> None:
    stores = six.stores()
    for place, kinds in ((0, 2), (1, 1)):
        store = [stores[place]]
        begin = PromptOf(0, previewing.subject(store[0].session))
        order = prompts.order_from(store, str(six.folder), begin)
        assert len(order) == kinds and (prompts.after(order, begin) == begin) == (kinds == 1)


def test_the_blocks_for_all_and_those_of_the_folder_are_one_prompt(six: SixAgents, tmp_path: Path) -> None:
    blocks = tmp_path / "blocks"
    blocks.mkdir()
    every = open_store(Config(), f"opencode:{blocks}", cwd=str(six.folder))
    stores = [*six.stores(), StoreGroups(every, [], folders_of(every, [str(six.folder)]))]
    assert len([each for each in told(stores, prompts.prompts_of(stores, str(six.folder))) if each[0] == "opencode"]) == 1
    assert len([each for each in told(stores, prompts.prompts_of(stores, "/home/ann/far")) if each[0] == "opencode"]) == 1


def test_of_a_group_the_folder_is_told_where_it_is_known(six: SixAgents) -> None:
    by_kind = {each.session.layout.kind: each for each in six.stores()}
    folder = str(six.folder)
    for kind, group, wanted in (
        ("zerostack", six.session("zerostack").project, folder),
        ("zerostack", "other-00000000", ""),
        ("claude-code", "agent:reviewer", folder),
        ("claude-code", "project:-nobody-knows", ""),
        ("ethos", "personality:engineer", folder),
        ("opencode", EVERYBODY, folder),
    ):
        assert prompts.folder_of(by_kind[kind], group) == wanted, (kind, group)
    assert prompts.whose(by_kind["opencode"].session, EVERYBODY) == str(six.folder)
    assert prompts.whose(by_kind["ethos"].session, "personality:engineer") == "personality engineer"


def test_where_the_versions_of_an_agent_load_other_lines_it_is_said_by_how_many(tmp_path: Path) -> None:
    """Of which the figures are comes first; where all fits, in whatever order, nothing is said, nor of agents with one version."""
    store = AStore(tmp_path / "memory").has("MEMORY.md", "- one\n- two\n").has("~/SCRATCHPAD.md", "- [ ] ship\n")

    def said(**settings: object) -> str:
        session = store.session(**settings)
        about = previewing.subject(session)
        return previewing.by_other_version(session, about, previewing.preview(session, about))

    assert said() == "" and said(profile=Profile.ZEROSTACK_1_7) == ""
    store.has("MEMORY.md", "- a fact of some length\n" * 40)
    most = {"inject_cap": 400}
    assert said(**most) == "Version 1.7 loads 1 other line and leaves out 4 of these"
    found = said(profile=Profile.ZEROSTACK_1_7, **most)
    assert found == "The documented version loads 4 other lines and leaves out 1 of these"
    (other := tmp_path / "six").mkdir()
    six = SixAgents(other).session("claude-code")
    assert previewing.by_other_version(six, previewing.subject(six), previewing.preview(six)) == ""
