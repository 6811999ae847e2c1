"""Every kind of store over its sample: list, search, prompt, writes by its rules, undo; and a made-up seventh kind."""

from __future__ import annotations

import fcntl
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.builders import NOW, AStore, look_for, not_there, put_samples
from tests.layouts import NOTEBOOK, a_notebook
from zsmem_tui import agent_memory
from zsmem_tui.agents import registry
from zsmem_tui.agents.agent import Agent
from zsmem_tui.agents.outgoing import Wish
from zsmem_tui.agents.places import Machine, Where
from zsmem_tui.config import locate
from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import BadName, BadTarget, ConfigError, MemError, RuleBroken, StoreGone, WriteFailed
from zsmem_tui.core.layout import Layout
from zsmem_tui.core.refs import Role
from zsmem_tui.service import (
    applying,
    browsing,
    editing,
    exporting,
    file_ops,
    formats,
    history,
    previewing,
    reviewing,
    searching,
    stores,
    tasks,
    triage,
    undoing,
)
from zsmem_tui.service.agent_memory import StoreMemory
from zsmem_tui.service.folders import folders_of
from zsmem_tui.service.session import Session
from zsmem_tui.store.disk import state
from zsmem_tui.store.history.retention import apply_retention

FOLDER = "/home/ann/code/lantern"
"""What the samples are the memory of."""


@pytest.fixture
def machine(away_from_home: Path, tmp_path: Path) -> Path:
    """A home with every sample; the project's own files lie in the folder that is given back."""
    names = ("claude-code", "ethos", "opencode-agent-memory", "oh-my-pi", "memsearch", "zerostack")
    put_samples(away_from_home, tmp_path / "lantern", *names)
    return tmp_path / "lantern"


@pytest.fixture(autouse=True)
def nobodys_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    not_there(monkeypatch, FOLDER)


def opened(store: str, group: str = "", cwd: str = FOLDER) -> Session:
    return stores.open_store(Config(), store, group=group, cwd=cwd, clock=lambda: NOW)


def paths(session: Session) -> list[str]:
    return [os.path.relpath(path, session.root) for path in session.mem().list()]


def test_a_project_of_claude_code_has_its_index_topics_and_instructions(machine: Path) -> None:
    session = opened("claude-code")
    home = "projects/-home-ann-code-lantern/memory"
    assert session.project == "project:-home-ann-code-lantern"
    assert {"CLAUDE.md", "rules/style.md", f"{home}/MEMORY.md", f"{home}/user_role.md"} <= set(paths(session))
    seen = previewing.preview(session)
    assert seen.text == Path(session.root, home, "MEMORY.md").read_text() and seen.lost == ()
    transcript = next(Path(session.root, home).parent.glob("*.jsonl"))
    transcript.chmod(0)
    assert not any(path.endswith(".jsonl") for path in paths(session))


@pytest.mark.parametrize(
    ("name", "moved", "project"),
    [
        ("work", True, "project:work"),
        ("work", False, "project:-home-ann-code-lantern"),
        ("../x", True, "project:-home-ann-code-lantern"),
        ("a/memory/b", True, "project:-home-ann-code-lantern"),
    ],
)
def test_the_environment_names_the_project_of_a_moved_claude_code(
    machine: Path, away_from_home: Path, monkeypatch: pytest.MonkeyPatch, name: str, moved: bool, project: str
) -> None:
    place = away_from_home / ".claude"
    if moved:
        place = place.rename(away_from_home / "moved")
        monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(place))
    monkeypatch.setenv("CLAUDE_CODE_PROJECT_DIR_NAME", name)
    AStore(place).has("projects/work/memory/MEMORY.md", "- of work\n")
    AStore(place).has("projects/work/s.jsonl", '{"cwd": "/srv/elsewhere"}\n')
    session = opened("claude-code")
    assert session.project == project and (previewing.preview(session).text == "- of work\n") == (project == "project:work")
    of = folders_of(session, [FOLDER, "/srv/elsewhere"])
    assert of["project:work"] == (FOLDER if project == "project:work" else "/srv/elsewhere")
    machine_seen = Machine(locate.environment(), str(away_from_home), FOLDER, os.path.exists)
    own = formats.of_agent("claude-code", "")
    goal = own.spots(Wish("", FOLDER, str(away_from_home), locate.environment(), os.path.isdir))[""]
    assert (goal.root, goal.group) == (session.root, project)
    assert own.places(machine_seen) == [f"{place}/projects/{project.removeprefix('project:')}/memory"]


def test_only_names_of_folders_are_asked_for_groups(machine: Path) -> None:
    asked: list[str] = []

    class Folders:
        def __call__(self, folder: str) -> list[str]:
            asked.append(folder)
            return {"projects": ["-a", "-b"], "agent-memory": ["tester"]}.get(folder, [])

        def has(self, folder: str) -> bool:
            return folder == "projects/-a/memory"

    assert opened("claude-code").layout.groups(Folders()) == ["project:-a", "agent:tester"]
    assert asked == ["projects", "agent-memory", "agent-memory-local"], "and no folder of transcripts"


def test_ethos_wants_a_group_and_takes_its_end(machine: Path) -> None:
    with pytest.raises(BadTarget, match="name one with --group") as refused:
        opened("ethos")
    assert "personality:engineer" in refused.value.hint
    session = opened("ethos", "engineer")
    assert session.project == "personality:engineer" and paths(session) == ["personalities/engineer/MEMORY.md"]
    with pytest.raises(BadTarget, match="has no group 'nobody'"):
        opened("ethos", "nobody")


def test_the_prompt_of_opencode_has_the_blocks_of_both_its_stores(machine: Path) -> None:
    here = opened("opencode", cwd=str(machine))
    project = opened(f"opencode:{machine}/.opencode/memory", cwd=str(machine))
    texts = [previewing.preview(each).text for each in (here, project)]
    assert texts[0] == texts[1] and texts[0] is not None
    assert [use.title for use in previewing.preview(here).uses][-2:] == ["project", "release-steps"]


def test_memsearch_has_days_and_notes_at_any_depth(machine: Path) -> None:
    root = machine / ".memsearch/memory"
    (root / "notes/deep").mkdir(parents=True)
    (root / "notes/deep/tea.md").write_text("Green tea.\n")
    (root / ".hidden").mkdir()
    (root / ".hidden/no.md").write_text("tea\n")
    session = opened("memsearch", cwd=str(machine))
    assert paths(session) == ["2026-08-03.md", "2026-08-04.md", "notes/deep/tea.md"]
    (hit,) = look_for("tea", session).hits
    assert hit.ref.path == "notes/deep/tea.md" and session.ref_at(hit.ref.path) == hit.ref
    with (root / "2026-08-04.md").open("a") as day:
        day.write("No item.\n")
    assert [each.text for each in previewing.preview(session).lost] == ["No item."]


def test_what_an_agent_makes_itself_is_not_written_and_said_why(machine: Path) -> None:
    session = opened("oh-my-pi")
    ref = session.ref_at("--home-ann-code-lantern--/memory_summary.md")
    before = AStore(Path(session.root)).tree()
    base = browsing.open_file(session, ref).raw
    for act in (
        lambda: session.mem().write_at(ref, "x"),
        lambda: editing.save(session, ref, b"other\n", base),
        lambda: file_ops.delete(session, ref),
    ):
        with pytest.raises(RuleBroken, match="is not edited here: oh-my-pi's consolidation writes it anew"):
            act()
    assert AStore(Path(session.root)).tree() == before


def test_a_write_is_refused_while_the_agent_holds_its_lock(machine: Path) -> None:
    session = opened("ethos", "engineer")
    ref = session.ref_at("personalities/engineer/MEMORY.md")
    before = browsing.open_file(session, ref).raw
    with (Path(session.root) / "personalities/engineer/MEMORY.md.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(WriteFailed, match="is at work"):
            session.mem().write_at(ref, "- late")
    assert browsing.open_file(session, ref).raw == before
    session.mem().write_at(ref, "- late")
    assert browsing.open_file(session, ref).raw.endswith(b"- late\n")


def test_rules_of_blocks_and_keys_are_kept(machine: Path) -> None:
    blocks = opened("opencode")
    (Path(blocks.root) / "locked.md").write_text("---\nread_only: true\n---\nx\n")
    (Path(blocks.root) / "small.md").write_text("---\nlimit: 5\n---\nabc\n")
    for name, rule in (("locked.md", "read_only"), ("small.md", "limit")):
        with pytest.raises(RuleBroken) as refused:
            blocks.mem().write_at(blocks.ref_at(name), "a longer text")
        assert refused.value.rule == rule
    keys = opened("ethos", "engineer")
    with pytest.raises(BadName, match="Ethos cannot call a file 'two words'"):
        file_ops.new_note(keys, "two words", content="x")
    assert not [name for name in os.listdir(f"{keys.root}/personalities/engineer") if "words" in name]


def test_every_store_is_a_line_and_one_that_cannot_be_read_says_why(machine: Path, away_from_home: Path) -> None:
    (nowhere,) = stores.lines(found(named=[f"markdown:{machine}/nowhere"]))
    assert nowhere.problem == f"{machine}/nowhere is not there yet."
    shutil.rmtree(away_from_home / ".ethos")
    (away_from_home / ".ethos").write_text("a file\n")
    lines = {each.kind: each for each in stores.lines(found())}
    assert set(lines) == {"zerostack", "claude-code", "ethos", "opencode", "oh-my-pi"}
    assert "not a folder" in lines["ethos"].problem and lines["ethos"].prompt is None
    assert lines["claude-code"].group == "project:-home-ann-code-lantern" and lines["claude-code"].files == 7
    assert lines["oh-my-pi"].prompt == previewing.preview(opened("oh-my-pi")).size


def test_hits_that_rank_the_same_stand_in_the_order_of_the_stores(tmp_path: Path) -> None:
    for name, text in (("b", "tea\n"), ("a", "tea\n"), ("c", "tea\ntea\n")):
        (tmp_path / name).mkdir()
        for file in ("two.md", "one.md"):
            (tmp_path / name / file).write_text(text)
    every = [opened(f"markdown:{tmp_path / name}") for name in ("b", "a", "c")]
    found = look_for("tea", *every)
    shown = [(hit.store, hit.ref.path) for hit in found.hits]
    assert shown == [(2, "one.md"), (2, "two.md"), (0, "one.md"), (0, "two.md"), (1, "one.md"), (1, "two.md")]
    assert found.terms == [("tea", 8)]


def test_in_a_store_without_a_group_of_the_folder_the_one_asked_for_is_searched(machine: Path) -> None:
    session = next(each for each in stores.sessions(Config(), cwd=FOLDER, clock=lambda: NOW) if each.layout.kind == "ethos")
    group = "personality:engineer"
    word = browsing.open_file(session, session.ref_at("personalities/engineer/MEMORY.md")).text.split()[0]
    assert not look_for(word, session).hits
    (hit,) = searching.search(searching.Query(word, (searching.Sought(session, group),))).hits
    assert hit.ref.project == group and searching.agent_searches(searching.Sought(session, group), hit)
    assert not searching.agent_searches(searching.Sought(session, "personality:other"), hit)


def test_a_seventh_kind_costs_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = a_notebook(tmp_path / "book")

    class Notebook(Agent):
        name, title, has_stores = "notebook", "Notebook", True

        def layout(self, where: Where) -> Layout:
            return NOTEBOOK

        def roots(self, on: Machine) -> list[str]:
            return [str(root)]

    monkeypatch.setattr(registry, "agent", registry.agent.__wrapped__)  # the cached one may know that there is none
    monkeypatch.setitem(registry.AGENTS, "notebook", "notebook")
    monkeypatch.setitem(sys.modules, "zsmem_tui.agents.notebook.agent", SimpleNamespace(AGENT=Notebook()))
    session = opened("notebook")
    assert paths(session) == ["book/FACTS.md", "book/topics/tea.md"]
    assert [hit.ref.path for hit in look_for("tea", session).hits] == ["book/FACTS.md", "book/topics/tea.md"]
    assert "notebook" in {each.kind for each in stores.lines(stores.sessions(Config(), cwd=FOLDER, clock=lambda: NOW))}
    session.mem().write("long_term", "- new")
    assert "- new" in (previewing.preview(session).text or "")
    with pytest.raises(MemError, match="Notebook has no checklist"):
        applying.apply(triage.add(session, session.project, "an item"))


@pytest.mark.parametrize(
    ("kind", "key", "query"),
    [
        ("claude-code", "projects/-home-ann-code-lantern/memory/user_role.md", "user"),
        ("oh-my-pi", "--home-ann-code-lantern--/learned.md", "the"),
        ("opencode", "human.md", "human"),
        ("zerostack", "MEMORY.md", "memory"),
    ],
)
def test_the_memory_of_every_kind_has_the_same_verbs(machine: Path, kind: str, key: str, query: str) -> None:
    memory = agent_memory(kind, folder=FOLDER)
    assert isinstance(memory, StoreMemory)
    assert key in memory.list() and memory.read(key) and memory.read("../secret") is None
    assert set(memory.search(query)) <= set(memory.list()) and memory.search(query)
    assert memory.context_block() == previewing.preview(opened(kind)).text or kind == "opencode"


def test_the_memory_of_a_plain_folder_has_no_prompt(tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/b/tea.markdown").write_text("Green tea\n")
    memory = agent_memory("markdown", tmp_path)
    assert memory.read("a/b/tea.markdown") == "Green tea\n"
    assert memory.list() == memory.search("tea") == ["a/b/tea.markdown"]
    assert memory.context_block() is None


def test_an_export_takes_files_of_one_name_in_two_folders_along(machine: Path, tmp_path: Path) -> None:
    session = opened("claude-code")
    again = Path(session.root, session.layout.home_of(session.project), "deep/user_role.md")
    again.parent.mkdir()
    again.write_text("the same name, further down\n")
    done = applying.apply(exporting.plan(session, formats.of_agent("markdown"), str(tmp_path / "out")))
    assert done.plan.left == () and "the same name, further down" in (tmp_path / "out/notes/deep-user_role.md").read_text()
    assert "Ann" in (tmp_path / "out/MEMORY.md").read_text()


def found(**named: object) -> list[Session]:
    return stores.sessions(Config(), cwd=FOLDER, clock=lambda: NOW, **named)  # type: ignore[arg-type]


def test_the_settings_say_which_stores_are_opened(machine: Path, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    wanted = Config(stores=("ethos", f"markdown:{tmp_path}/notes", "opencode"))
    every = stores.sessions(wanted, cwd=str(machine), clock=lambda: NOW)
    assert [each.store.partition(":")[0] for each in every] == ["ethos", "markdown", "opencode", "opencode"]
    only = stores.sessions(wanted, named=["zerostack"], cwd=str(machine), clock=lambda: NOW)
    assert [each.layout.kind for each in only] == ["zerostack"]
    root = stores.sessions(wanted, root=str(tmp_path), group="demo-1a2b3c4d", clock=lambda: NOW)
    assert [(each.root, each.project) for each in root] == [(str(tmp_path), "demo-1a2b3c4d")]


def test_a_kind_in_the_settings_that_there_is_not_is_said_with_their_file() -> None:
    with pytest.raises(ConfigError, match=r"config\.toml: stores: There is no kind of store 'mem0'.*No store was opened\."):
        stores.sessions(Config(stores=("zerostack", "mem0")), cwd=FOLDER)
    with pytest.raises(ConfigError, match=r"config\.toml: stores: markdown has no folder of its own.*No store was opened\."):
        stores.sessions(Config(stores=("markdown",)), cwd=FOLDER)


def test_stores_of_other_folders_are_those_that_are_known(machine: Path) -> None:
    here = {each.root for each in found()}
    more = {each.root: each.folder for each in found(folders=[str(machine), FOLDER])}
    assert set(more) - here == {f"{machine}/.opencode/memory", f"{machine}/.memsearch/memory"}
    assert {more[root] for root in set(more) - here} == {str(machine)}


def test_only_stores_that_an_agent_reads_together_are_measured_together(machine: Path) -> None:
    other = machine.parent / "other"
    shutil.copytree(machine, other)
    every = {each.root: each for each in stores.sessions(Config(), cwd=str(machine), folders=[str(other)])}
    here = every[f"{machine}/.opencode/memory"]
    everybodys = next(each for each in every.values() if each.layout.kind == "opencode" and not each.is_about_folder)
    assert here.is_read_with(everybodys) and everybodys.is_read_with(here) and here.is_read_with(here)
    assert everybodys.is_read_with(every[f"{other}/.opencode/memory"]) and not here.is_read_with(every[f"{other}/.opencode/memory"])
    assert not every[f"{machine}/.memsearch/memory"].is_read_with(every[f"{other}/.memsearch/memory"])
    assert not here.is_read_with(every[f"{machine}/.memsearch/memory"])


def test_what_is_about_another_folder_puts_nothing_into_the_prompt_here(machine: Path) -> None:
    every = found(folders=[FOLDER, str(machine)])
    size = {cwd: {each.root: each.prompt for each in stores.lines(every, cwd)} for cwd in (FOLDER, str(machine))}
    own = f"{machine}/.opencode/memory"
    there = previewing.preview(opened(f"opencode:{own}", cwd=str(machine))).size
    assert (size[FOLDER][own], size[str(machine)][own]) == (0, there)


def test_a_folder_named_twice_is_opened_once_and_two_stores_in_one_folder_never(machine: Path, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (tmp_path / "again").symlink_to(notes)
    (tmp_path / "linked").symlink_to(tmp_path / "notes/deep")
    (notes / "deep").mkdir()
    named = [f"markdown:{notes}", f"markdown:{tmp_path}/again", f"ethos:{notes}", f"memsearch:{tmp_path}/linked"]
    first, same, inside = found(named=named)
    assert not first.root_problem()
    assert same.root_problem() == f"{notes} is not opened as a store of ethos: it is the same folder as markdown:{notes}."
    assert inside.root_problem().endswith(f"its files are in markdown:{notes}.")
    with pytest.raises(MemError, match=r"it is the same folder.*Nothing was written"):
        same.recorder()
    assert [each.problem for each in stores.lines([first, same])] == ["", same.root_problem()]
    outer = found(named=[f"memsearch:{notes}/deep", f"markdown:{notes}"])[1]
    assert outer.root_problem().endswith(f"the files of memsearch:{notes}/deep are in it.")


def test_a_store_in_a_hidden_folder_of_another_is_a_store_of_its_own(machine: Path) -> None:
    every = stores.sessions(Config(), named=[f"markdown:{machine}", "memsearch", "opencode"], cwd=str(machine))
    assert [each.root_problem() for each in every] == [""] * 4


def test_a_store_without_permission_is_a_line_beside_the_others(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.lstat

    def lstat(path: str, **options: object) -> os.stat_result:
        if str(path).endswith(".config/opencode/memory"):
            raise PermissionError(13, "Permission denied")
        return real(path, **options)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(os, "lstat", lstat)
        lines = {each.kind: each.problem for each in stores.lines(found())}
    assert lines["opencode"].endswith("cannot be looked at: permission denied.") and lines["claude-code"] == ""


@pytest.mark.parametrize("how", ["gone", "file"])
def test_a_store_that_goes_away_between_two_calls_is_a_sentence(machine: Path, how: str) -> None:
    session = opened("oh-my-pi")
    ref = session.ref_at("--home-ann-code-lantern--/learned.md")
    session.mem().write_at(ref, "- a fact")
    shutil.rmtree(session.root)
    if how == "file":
        Path(session.root).write_text("a file\n")
    assert session.mem().list() == [] and look_for("fact", session).hits == []
    assert previewing.preview(session).text is None
    with pytest.raises(MemError, match="Nothing was written"):
        session.mem().write_at(ref, "- another")
    assert not Path(session.root).is_dir()
    (line,) = stores.lines([session])
    assert line.problem and line.files == 0


def test_a_link_from_one_store_into_another_is_read_and_never_written_through(machine: Path, away_from_home: Path) -> None:
    target = away_from_home / ".ethos/personalities/engineer/MEMORY.md"
    (away_from_home / ".config/opencode/memory/linked.md").symlink_to(target)
    before = target.read_bytes()
    session = opened("opencode")
    with pytest.raises(MemError, match="Nothing was written"):
        session.mem().write_at(session.ref_at("linked.md"), "- through the link")
    assert target.read_bytes() == before


@pytest.mark.parametrize(
    ("store", "group", "below"),
    [
        ("zerostack", "", "projects/lantern-2cf21588/notes"),
        ("claude-code", "", "projects/-home-ann-code-lantern/memory"),
        ("claude-code", "", ""),
        ("ethos", "engineer", "personalities/engineer"),
        ("opencode", "", ""),
        ("memsearch", "", ""),
        ("oh-my-pi", "", "--home-ann-code-lantern--"),
        ("markdown", "", ""),
    ],
)
def test_files_that_are_no_memory_are_not_looked_at_one_by_one(
    machine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store: str, group: str, below: str
) -> None:
    if store == "markdown":
        (tmp_path / "notes").mkdir()
        (tmp_path / "notes/a.md").write_text("- the tea\n")
        store = f"markdown:{tmp_path}/notes"
    session = opened(store, group, str(machine) if store == "memsearch" else FOLDER)

    def everything() -> object:
        listed = paths(session)
        found = [hit.ref.path for hit in look_for("the", session, scope=searching.Scope.ALL).hits]
        (line,) = stores.lines([session])
        session.mem(dry_run=True).write_at(session.ref_at(listed[-1] if store != "oh-my-pi" else listed[1]), "- a fact")
        return listed, found, line, previewing.preview(session)

    before = everything()
    for number in range(50):
        Path(session.root, below, f"junk-{number}.txt").write_text("the junk\n")
    looked: list[str] = []
    for name in ("lstat", "stat", "open"):
        real = getattr(os, name)

        def look(path: object, *words: object, _real: Any = real, **named: object) -> object:
            looked.extend([str(path)] if "junk" in str(path) else [])
            return _real(path, *words, **named)

        monkeypatch.setattr(os, name, look)
    assert everything() == before and looked == []


def test_who_works_below_a_repository_has_the_memory_of_its_top(machine: Path) -> None:
    (machine / ".git").mkdir()
    below = machine / "src/deep"
    below.mkdir(parents=True)
    tops = {kind: opened(kind, cwd=str(machine)) for kind in ("claude-code", "memsearch")}
    assert {kind: (opened(kind, cwd=str(below)).root, opened(kind, cwd=str(below)).project) for kind in tops} == {
        kind: (session.root, session.project) for kind, session in tops.items()
    }
    assert opened("oh-my-pi", cwd=str(below)).project != opened("oh-my-pi", cwd=str(machine)).project


def test_lines_with_a_box_are_items_where_a_kind_has_no_checklist(machine: Path) -> None:
    session = opened("claude-code")
    home = Path(session.root, "projects/-home-ann-code-lantern/memory")
    (home.parent.parent / "-home-ann-code-other/memory").mkdir(parents=True)
    (home / "project_boxes.md").write_text("# Now\n\n- [ ] first\n- [x] second\n- [a link](x.md)\n- [1] a footnote\n")
    found = tasks.task_list(session, [session.project])
    assert [(each.item.text, each.item.hidden_reason) for each in found.tasks] == [
        ("first", tasks.ELSEWHERE),
        ("second", tasks.ELSEWHERE),
    ]
    applying.apply(triage.set_done(session, [found.tasks[0]], done=True))
    assert "- [x] first\n" in (home / "project_boxes.md").read_text()
    undoing.undo(session)
    assert "- [ ] first\n" in (home / "project_boxes.md").read_text()
    before = AStore(Path(session.root)).tree()
    other = next(each for each in tasks.every_project(session) if each != session.project)
    acts: list[Callable[[], object]] = [
        lambda: applying.apply(triage.log(session, found.tasks[:1])),
        lambda: applying.apply(triage.archive(session, found.tasks[1:])),
        lambda: applying.apply(triage.move(session, found.tasks[:1], other)),
    ]
    for act in acts:
        with pytest.raises(BadTarget, match="Claude Code has no"):
            act()
    assert AStore(Path(session.root)).tree() == before
    applying.apply(triage.promote(session, found.tasks[:1]))
    assert "first" in (home / "MEMORY.md").read_text() and "first" not in (home / "project_boxes.md").read_text()
    undoing.undo(session)
    assert AStore(Path(session.root)).tree() == before


def test_an_item_of_which_the_end_is_cut_is_not_seen_whole(machine: Path) -> None:
    session = opened("claude-code")
    index = Path(session.root, "projects/-home-ann-code-lantern/memory/MEMORY.md")
    index.write_text("- fact\n" * 198 + "- [ ] whole\n- [ ] cut\n  before its end\n  - [ ] child\n")
    found = tasks.task_list(session, [session.project])
    assert [(each.item.text, each.item.hidden_reason) for each in found.tasks][:3] == [
        ("whole", ""),
        ("cut", tasks.HALF),
        ("child", tasks.FULL),
    ]


def test_lines_with_a_box_in_what_another_program_makes_are_no_items(machine: Path) -> None:
    session = opened("oh-my-pi")
    derived = next(path for path in map(session.ref_at, paths(session)) if path.role is Role.DERIVED)
    Path(session.path(derived)).write_text("- [ ] made anew\n")
    learned = session.ref_at("--home-ann-code-lantern--/learned.md")
    Path(session.path(learned)).write_text("- [ ] a lesson\n")
    assert [task.path for task in tasks.task_list(session).tasks] == [learned.path]


def test_lines_with_a_box_in_any_file_of_a_plain_folder_are_items(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "SCRATCHPAD.md").write_text("- [ ] on the list\n")
    (notes / "plan.md").write_text("# Plan\n\n- [ ] in a note\n- [x] done there\n")
    session = opened(f"markdown:{notes}")
    found = tasks.task_list(session)
    assert [each.item.text for each in found.tasks] == ["on the list", "in a note", "done there"]
    applying.apply(triage.set_done(session, [found.tasks[1]], done=True))
    assert "- [x] in a note\n" in (notes / "plan.md").read_text()


def test_a_store_whose_folder_is_gone_is_opened_as_long_as_its_history_has_files() -> None:
    store = AStore(Path(locate.memory_root())).has("MEMORY.md", "- one\n")
    store.looked_at()
    shutil.rmtree(store.root)
    [opened] = [each for each in stores.sessions(Config()) if each.root == str(store.root)]
    assert opened.store_problem().startswith("zerostack's memory is gone: 1 file. ")
    with pytest.raises(StoreGone):
        opened.require_store()
    reviewing.give_up(opened, reviewing.wipes(opened))
    assert str(store.root) not in [each.root for each in stores.sessions(Config())]


def test_a_history_that_was_only_looked_into_is_none_and_a_packed_one_is() -> None:
    session = Session.open(Config())
    apply_retention(session.history, 0, 1, 1)
    assert not os.path.exists(session.history.home)
    assert not session.history.pending_review() and os.path.isdir(session.history.home)
    assert not state.has_history(session.root)
    history.look_at_all(AStore(Path(session.root)).has("MEMORY.md", "- one\n").session())
    assert state.has_history(session.root)
    with session.history.opened() as repo:
        repo.pack_all()
    shutil.rmtree(session.root)
    assert state.has_history(session.root)
    assert session.root in [each.root for each in stores.sessions(Config())]
