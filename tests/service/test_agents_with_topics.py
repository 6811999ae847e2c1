"""Agents whose memory has the shape of Claude Code's: opened in place, in, out, and searched."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.builders import NOW, SAMPLES, AStore, look_for, not_there, put_samples
from zsmem_tui.agents.claude_code.files import encoded
from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import BadTarget, RuleBroken
from zsmem_tui.core.notice import NoticeKind
from zsmem_tui.core.refs import Role
from zsmem_tui.service import (
    applying,
    copying,
    editing,
    export_targets,
    exporting,
    file_ops,
    formats,
    importing,
    instructions,
    previewing,
    stores,
    triage,
)
from zsmem_tui.service.facts import acts
from zsmem_tui.service.facts.rows import FactReader, Scope
from zsmem_tui.service.plan import Fate
from zsmem_tui.service.session import Session
from zsmem_tui.store.disk.listing import DiskHeads

FOLDER = "/home/ann/code/lantern"
AGENTS = ("qwen-code", "gemini")


@pytest.fixture(autouse=True)
def home(away_from_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    not_there(monkeypatch, FOLDER)
    put_samples(away_from_home, None, *AGENTS)
    return away_from_home


@pytest.fixture
def ours(tmp_path: Path) -> AStore:
    return AStore(tmp_path / "ours")


def of(ours: AStore, folder: str) -> Session:
    session = ours.session()
    session.folder = folder
    return session


def opened(store: str, cwd: str = FOLDER) -> Session:
    return stores.open_store(Config(), store, cwd=cwd, clock=lambda: NOW)


def test_qwen_code_opens_where_it_is(home: Path) -> None:
    session = opened("qwen-code")
    assert session.project == "project:-home-ann-code-lantern"
    text = previewing.preview(session).text or ""
    assert "millivolts" in text and not previewing.preview(session).lost  # the index of all projects, too
    assert text.startswith("- [Ann, firmware engineer]") and "By its documents" in previewing.preview(session).rule
    (hit,) = look_for("flickers", session).hits
    assert hit.ref.path.endswith("project_dimmer_curve.md")
    assert "memories/user_units.md" in {each.ref.path for each in look_for("mV", session).hits}
    assert dict(stores.kind_of("qwen-code").folders(DiskHeads(session.root))) == {session.project: FOLDER}


def test_gemini_opens_where_its_list_says(home: Path) -> None:
    session = opened("gemini")
    assert session.project == "project:lantern"
    assert "goes away on 2026-12-01" in (previewing.preview(session).text or "")
    assert [each.ref.path for each in look_for("worker", session).hits] == ["tmp/lantern/memory/panel_build.md"]
    assert opened("gemini", "/home/ann/code/kiosk").project == "project:kiosk"
    assert opened("gemini", "/nowhere").project == "global"


@pytest.mark.parametrize("kind", AGENTS)
def test_it_says_what_it_has_not_and_takes_a_note_with_its_line(kind: str) -> None:
    session = opened(kind)
    with pytest.raises(Exception, match="has no checklist"):
        applying.apply(triage.add(session, session.project, "an item"))
    note = session.mem().write("note", "Green tea.\n", name="tea")
    assert note is not None
    index = session.layout.ref(Role.INDEX, session.project)
    assert index is not None and "tea" in Path(session.root, index.path).read_text()


@pytest.mark.parametrize(
    ("kind", "whole", "facts", "notes"),
    [
        (
            "qwen-code",
            ".qwen",
            {"Ann writes dates as 2026-08-04.", "The lab is closed on Fridays.", "Write voltages in mV and currents in mA."},
            {"project_dimmer_curve", "pinned-reference_bench_supply"},
        ),
        (
            "gemini",
            "",
            {"Never touch the vendor folder.", "The relay host goes away on 2026-12-01."},
            {"panel_build"},
        ),
    ],
)
def test_what_it_remembers_comes_in(ours: AStore, home: Path, kind: str, whole: str, facts: set[str], notes: set[str]) -> None:
    session = of(ours, FOLDER)
    plan = importing.plan(session, formats.of_agent(kind), str(home / whole) if whole else "")
    assert facts <= {
        row.text.strip().removeprefix("- ") for row in plan.rows if row.place.endswith("/MEMORY.md") and row.fate is Fate.ADD
    }
    names = {row.place.rpartition("/")[2].removesuffix(".md") for row in plan.rows if "/notes/" in row.place}
    assert notes <= names
    applying.apply(plan)
    again = importing.plan(session, formats.of_agent(kind), str(home / whole) if whole else "")
    assert not again.changes


@pytest.mark.parametrize("kind", AGENTS)
def test_ours_goes_out_and_comes_in_again(ours: AStore, kind: str) -> None:
    ours.has("MEMORY.md", "- redis uses port 9999\n- make check before a push\n").has("~/notes/deploy.md", "# Deploy\n\nSlowly.\n")
    session = of(ours, FOLDER)
    applying.apply(exporting.plan(session, formats.of_agent(kind)))
    there = opened(kind)
    assert look_for("9999", there).hits and look_for("Slowly", there).hits
    assert "facts" in (previewing.preview(there).text or "").lower()
    assert not exporting.plan(session, formats.of_agent(kind)).changes


@pytest.mark.parametrize("is_copied", [False, True])
def test_a_note_is_listed_with_what_it_says_of_itself_or_its_index_of_it(
    ours: AStore, home: Path, tmp_path: Path, is_copied: bool
) -> None:
    memory = "projects/-home-ann-code-lantern/memory"
    described = "---\nname: deploy\ndescription: How it goes out\ntype: project\n---\n\n## What Happened\n\nSlowly.\n"
    claude = AStore(tmp_path / ".claude").has(f"{memory}/project_deploy.md", described)
    claude.has(f"{memory}/project_queue.md", "## Steps\n\nWait.\n").has(f"{memory}/project_bare.md", "## Why\n\nNo.\n")
    claude.has(f"{memory}/MEMORY.md", "- [Deploy](project_deploy.md) — slowly\n- [Queue](project_queue.md) — why it is full\n")
    session = stores.open_store(Config(), f"claude-code:{claude.root}", cwd=FOLDER, clock=lambda: NOW)
    if is_copied:
        refs = [session.ref_at(f"{memory}/project_{name}.md") for name in ("bare", "deploy", "queue")]
        plan = copying.plan([(session, refs)], opened("gemini"))
    else:
        plan = exporting.plan(session, formats.of_agent("gemini"))
    applying.apply(plan)
    lines = (home / ".gemini/tmp/lantern/memory/MEMORY.md").read_text().splitlines()[-3:]
    assert sorted(line.rpartition("(")[2] for line in lines) == [
        "bare.md) — Why",
        "deploy.md) — How it goes out",
        "queue.md) — Steps" if is_copied else "queue.md) — why it is full",  # a copy of a file takes nothing of its index
    ]
    if not is_copied:
        said = {each.text for each in plan.left_lines if not each.is_changed}
        assert "description: How it goes out" not in said and "name: deploy" in said


def test_a_note_in_every_prompt_of_opencode_is_described_by_what_it_says_of_itself(home: Path, tmp_path: Path) -> None:
    (folder := tmp_path / "lantern").mkdir()
    memory, says = f"projects/{encoded(str(folder))}/memory", "---\nname: x\ndescription: How it goes out\ntype: project\n---\n\n"
    claude = AStore(tmp_path / ".claude").has(f"{memory}/project_deploy.md", f"{says}Slowly.\n")
    claude.has(f"{memory}/project_o o.md", f"{says}Wait.\n").has(f"{memory}/project_bare.md", "No.\n")
    claude.has(f"{memory}/project_long.md", f"{says}Long.\n".replace("How", "How " * 60 + "How"))  # in several lines of YAML
    session = stores.open_store(Config(), f"claude-code:{claude.root}", cwd=str(folder), clock=lambda: NOW)
    plan = exporting.plan(session, formats.of_agent("opencode"), in_prompt="*")
    applying.apply(plan)
    blocks = AStore(folder / ".opencode/memory").tree()
    about = {
        name: raw.decode().split("\n")[1] for name, raw in blocks.items() if name.startswith("project_") and "long" not in name
    }
    wanted = {"bare": "project_bare", "deploy": "How it goes out", "o-o": "How it goes out"}
    assert about == {f"project_{name}.md": f"description: {words}" for name, words in wanted.items()}
    assert not [each for each in plan.left_lines if "How it" in each.text and not each.is_changed]
    assert not exporting.plan(session, formats.of_agent("opencode"), in_prompt="*").changes


def test_gemini_takes_nothing_for_a_folder_that_it_does_not_know(ours: AStore, home: Path) -> None:
    shutil.rmtree(home / ".gemini/tmp/kiosk")
    ours.has("MEMORY.md", "- redis uses port 9999\n")
    session = of(ours, "/home/ann/code/other")
    plan = exporting.plan(session, formats.of_agent("gemini"))
    assert not plan.changes and all("has not worked in" in row.reason for row in plan.rows)
    said = "Gemini CLI has not worked in /home/ann/code/other yet: start it there once"
    assert export_targets.unknown_folder(session, "gemini") == said
    (home / ".gemini/projects.json").write_text('{"projects": {"/home/ann/code/other": "other"}}')
    assert export_targets.whose(session, "gemini", "") is None, "it is known whose it becomes: nothing is asked"
    assert export_targets.unknown_folder(session, "gemini") == ""


def test_a_teams_memory_is_a_store_that_takes_no_credential(tmp_path: Path) -> None:
    shutil.copytree(SAMPLES / "qwen-code/project", tmp_path / "lantern")
    session = opened(f"qwen-code:{tmp_path}/lantern/.qwen/team-memory", str(tmp_path / "lantern"))
    assert [hit.ref.path for hit in look_for("smoke", session).hits] == ["project_release_day.md"]
    with pytest.raises(RuleBroken, match="credential"):
        session.mem().write("note", "The token is ghp_wq7ZrT2mX9aKc4VbN1sLd8Yh3JfGp6RtEu0o.\n", name="keys")
    assert session.mem().write("note", "Tea.\n", name="tea").findings == ()
    index = session.ref_at("MEMORY.md")
    assert [each.kind for each in session.mem().write_at(index, "- a fact\n").findings] == [NoticeKind.MADE_ANEW]
    assert "made anew" in editing.head_lost(session, index, b"- a\n", b"- b\n")
    plan = exporting.plan(session, formats.of_agent("qwen-code"), session.root)
    assert not plan.changes


def test_a_project_has_its_own_memory_and_the_teams_beside_it(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "lantern"
    shutil.copytree(SAMPLES / "qwen-code/project", folder)
    session = opened("qwen-code", str(folder))
    assert (session.root, [each.root for each in session.beside]) == (f"{home}/.qwen", [f"{folder}/.qwen/team-memory"])
    shutil.rmtree(home / ".qwen")
    assert opened("qwen-code", str(folder)).root == f"{folder}/.qwen/team-memory"


def test_facts_can_be_promoted_to_its_own_instructions(tmp_path: Path) -> None:
    shutil.copytree(SAMPLES / "gemini/project", tmp_path / "lantern")
    told = instructions.open_folder(Config(), str(tmp_path / "lantern"))
    assert instructions.ref_of(told, "gemini").path == "GEMINI.md"
    assert instructions.ref_of(told, "QWEN.md").path == "QWEN.md"


def test_what_went_out_as_markdown_is_known_when_it_comes_back(home: Path, tmp_path: Path) -> None:
    folder = home / "code/shop"
    memory = home / ".claude/projects" / str(folder).replace("/", "-").replace("_", "-").replace(".", "-") / "memory"
    memory.mkdir(parents=True)
    folder.mkdir(parents=True)
    index = "# Memory\n\n- [Deploy steps](deploy_steps.md) — how it goes out\n- we ship on Tuesdays\n"
    (memory / "MEMORY.md").write_text(index)
    (memory / "deploy_steps.md").write_text("---\nname: deploy_steps\ndescription: how it goes out\n---\n\nRun make.\n")
    (memory / "feedback_short.md").write_text("Be short.\n")
    session, out = opened("claude-code", str(folder)), tmp_path / "out"
    applying.apply(exporting.plan(session, formats.of_agent("markdown"), str(out)))
    plan = importing.plan(opened("claude-code", str(folder)), formats.of_agent("markdown"), str(out))
    assert {row.fate for row in plan.rows} == {Fate.DUPLICATE} and not plan.edits, [(row.source, row.reason) for row in plan.rows]
    (out / "MEMORY.md").write_text(f"{index}- and not on Fridays\n- [Other](other.md) — is not here\n")
    (out / "notes/deploy_steps.md").write_text("Run make twice.\n")
    plan = importing.plan(opened("claude-code", str(folder)), formats.of_agent("markdown"), str(out))
    news = {row.source: (row.fate, row.place.rpartition("/")[2]) for row in plan.rows if row.fate is not Fate.DUPLICATE}
    assert news == {
        "MEMORY.md:5": (Fate.ADD, "MEMORY.md"),
        "MEMORY.md:6": (Fate.SKIPPED, ""),
        "notes/deploy_steps.md": (Fate.ADD, "deploy_steps.md"),
    }
    applying.apply(plan)
    assert (memory / "MEMORY.md").read_text() == f"{index}- and not on Fridays\n"
    assert (memory / "deploy_steps.md").read_text().endswith("---\n\nRun make twice.\n")


def test_a_fact_is_promoted_in_its_own_project(home: Path) -> None:
    """Whichever is worked in; facts of several are not mixed."""
    names = ["-home-ann-code-shop", "-home-ann-code-bank"]
    for name in names:
        memory = home / ".claude/projects" / name / "memory"
        memory.mkdir(parents=True)
        (memory / "MEMORY.md").write_text("# Memory\n\n- we ship on Tuesdays\n")
        (memory / "deploy.md").write_text(f"- run make of {name}\n")
    session = opened("claude-code", "/home/ann/code/bank")
    every = [row for row in FactReader(session).read(Scope.ALL).rows if "run make" in row.fact.says]
    shop = next(row for row in every if names[0] in row.fact.says)
    with pytest.raises(BadTarget, match="several projects"):
        acts.promote(session, every)
    applying.apply(acts.promote(session, [shop]))
    assert ["run make" in (home / ".claude/projects" / name / "memory/MEMORY.md").read_text() for name in names] == [True, False]


@pytest.mark.parametrize(
    ("name", "keeps"), [("feedback-style", True), ("feedback_style", True), ("Its own name", False), ("", False)]
)
def test_a_renamed_topic_keeps_the_name_that_links_use_and_says_so(tmp_path: Path, name: str, keeps: bool) -> None:
    folder = tmp_path / "shop"
    memory = AStore(tmp_path / ".claude/projects" / encoded(str(folder)) / "memory")
    head = f"---\nname: {name}\n---\n\n" if name else ""
    memory.has("MEMORY.md", "- [Style](feedback_style.md)\n").has("feedback_style.md", f"{head}Use tabs.\n")
    memory.has("project_a.md", "As [[feedback_style]] says.\n")
    session = stores.open_store(Config(), f"claude-code:{tmp_path}/.claude", cwd=str(folder))
    ref = session.ref_at(f"projects/{encoded(str(folder))}/memory/feedback_style.md")
    done = file_ops.rename(session, ref, "feedback_tabs")
    follow = "MEMORY.md follows." if keeps else "MEMORY.md and project_a.md follow."
    assert done.message.startswith(f"Renamed feedback_style to feedback_tabs. {follow}")
    assert memory.raw("project_a.md") == b"As [[feedback_%s]] says.\n" % (b"style" if keeps else b"tabs")
    assert (f"keeps the name {name}, so that links [[{name}]] still lead to it." in done.message) is keeps
    assert memory.raw("feedback_tabs.md") == f"{head}Use tabs.\n".encode()
    with pytest.raises(BadTarget, match=r"^Only notes can be moved to another project\."):
        file_ops.move(session, session.ref_at(ref.path.replace("feedback_style", "MEMORY")), "other")
