"""What comes from others cannot be called, or be made, what programs run by themselves: whichever way it comes."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import pytest

from tests.builders import PROJECT, AStore, plan_copy
from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import OutsideStore
from zsmem_tui.core.layout import foreign_problem, place_of
from zsmem_tui.core.refs import Role
from zsmem_tui.service import applying, export_sources, exporting, file_ops, formats, importing, stores
from zsmem_tui.service.facts import acts
from zsmem_tui.service.facts.acts import Target
from zsmem_tui.service.facts.rows import FactReader, Scope
from zsmem_tui.service.plan import Policy

NAMES = (".git/hooks/pre-commit", ".git/config", ".envrc", ".envrc.md", ".git/hooks/x.md", "a/.vscode/tasks.md", "n.md")
BLOCK = "---\nlabel: {label}\n---\nwords of it\n"


def hidden(root: Path) -> list[str]:
    """Files below a root with a name that begins with a dot, or that can be run."""
    every = [place for place in root.rglob("*") if place.is_file()]
    names = {place: str(place.relative_to(root)) for place in every}
    return [name for place, name in names.items() if "/." in f"/{name}" or place.stat().st_mode & 0o111]


def planted(folder: Path) -> Path:
    for name in NAMES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"words of {name}\n")
        (folder / name).chmod(0o755)
    return folder


@pytest.mark.parametrize("policy", [Policy.SKIP, Policy.RENAME])
def test_a_folder_of_markdown_brings_no_such_name(tmp_path: Path, policy: Policy) -> None:
    mine = AStore(tmp_path / "mine")
    plan = importing.plan(mine.session(), formats.of_agent("markdown"), str(planted(tmp_path / "theirs")), policy=policy)
    applying.apply(plan)
    assert mine.tree() and hidden(mine.root) == []


@pytest.mark.parametrize("label", [".git/hooks/pre-commit", ".envrc", "../../.bashrc", "/etc/x"])
def test_a_block_that_calls_itself_so_does_not_become_it(tmp_path: Path, label: str) -> None:
    blocks = tmp_path / "p/.opencode/memory"
    blocks.mkdir(parents=True)
    for name in ("n.md", ".envrc.md"):
        (blocks / name).write_text(BLOCK.format(label=label))
    mine = AStore(tmp_path / "mine")
    plan = importing.plan(mine.session(), formats.of_agent("opencode"), str(tmp_path / "p"))
    applying.apply(plan)
    assert mine.tree() and hidden(mine.root) == [] and sorted(os.listdir(tmp_path)) == ["mine", "p"]


def test_neither_an_export_nor_a_copy_makes_such_a_name(tmp_path: Path) -> None:
    mine = AStore(tmp_path / "mine").has("~/notes/.envrc.md", "words\n").has("~/notes/n.md", "others\n")
    session = mine.session()
    plan = exporting.plan(session, formats.of_agent("markdown"), str(tmp_path / "out"))
    applying.apply(plan)
    assert [(each.source, each.reason) for each in plan.rows if each.reason] == [
        (f"projects/{mine.project}/notes/.envrc.md", "its name begins with a dot")
    ]
    assert (tmp_path / "out/notes/n.md").exists() and hidden(tmp_path / "out") == []
    (tmp_path / "other").mkdir()
    other = stores.open_store(Config(), f"markdown:{tmp_path / 'other'}")
    applying.apply(plan_copy(session, [ref for path in mine.tree() if (ref := session.ref_at(path))], other))
    assert hidden(tmp_path / "other") == [] and len(list((tmp_path / "other").iterdir())) == 2


@pytest.mark.parametrize(
    ("kind", "path", "problem"),
    [
        ("instructions", ".claude/CLAUDE.md", ""),
        ("instructions", ".claude/rules/a/b.md", ""),
        ("instructions", ".claude/settings.json", "it is in a hidden folder"),
        ("instructions", ".claude/rules/.x.md", "it is in a hidden folder"),
        ("instructions", "Makefile", "it is no memory"),
        ("opencode", "x.md", ""),
        ("zerostack", "MEMORY.bak", ""),
        ("zerostack", "projects/p/archive/x.md", ""),
        ("ethos", "config.yaml", "it is no memory"),
    ],
)
def test_what_a_kind_has_itself_may_be_called_so(tmp_path: Path, kind: str, path: str, problem: str) -> None:
    (tmp_path / "x").mkdir()
    assert foreign_problem(stores.open_store(Config(), f"{kind}:{tmp_path / 'x'}", needs_group=False).layout, path) == problem


def test_a_project_whose_folder_no_agent_would_name_so_is_imported_like_any(tmp_path: Path) -> None:
    theirs = AStore(tmp_path / "theirs").has("projects/a\\b/notes/n.md", "x\n").has("projects/ok-1/notes/m.md", "y\n")
    mine = AStore(tmp_path / "mine")
    plan = importing.plan(mine.session(), formats.of_agent("zerostack"), str(theirs.root))
    assert [row.source for row in plan.rows if not row.ticked] == []
    applying.apply(plan)
    assert set(mine.tree()) == {"projects/a\\b/notes/n.md", "projects/ok-1/notes/m.md"}


SECRET = "words that lie elsewhere\n"


@pytest.fixture
def linked(tmp_path: Path) -> AStore:
    """A memory with files of every role, each a link that leads out, a folder of that kind, and one note of its own."""
    away = AStore(tmp_path / "away").has("x.md", SECRET).has("notes/y.md", SECRET)
    store = AStore(tmp_path / "mine").has("~/notes/own.md", "own words\n").has("~/daily/2026-05-24.md", "\n### 10:00\nwords\n")
    for path in ("MEMORY.md", "~/SCRATCHPAD.md", "~/notes/out.md", "~/daily/2026-05-23.md"):
        store.at(path).symlink_to(away.at("x.md"))
    store.at("~/notes/sub.md").symlink_to(store.at("~/notes/own.md"))
    return store


@pytest.mark.parametrize("kind", ["markdown", "zerostack", "opencode", "memsearch"])
def test_no_export_takes_along_what_a_link_leads_to_outside(tmp_path: Path, linked: AStore, kind: str) -> None:
    out = tmp_path / "out"
    out.mkdir()
    session = linked.session()
    _, left = export_sources.ours_of(session)
    assert [each.partition(" is a link that leaves the store")[0] for each in left] == [
        str(linked.at(path)) for path in ("MEMORY.md", "~/SCRATCHPAD.md", "~/notes/out.md", "~/daily/2026-05-23.md")
    ]
    applying.apply(exporting.plan(session, formats.of_agent(kind), str(out), also="*"))
    made = [place.read_text() for place in out.rglob("*") if place.is_file()]
    assert made and any("own words" in text for text in made)
    assert not any("elsewhere" in text for text in made)


@pytest.mark.parametrize("move", [False, True])
def test_no_copy_of_a_file_or_of_a_fact_takes_it_along(tmp_path: Path, linked: AStore, move: bool) -> None:
    there = AStore(tmp_path / "there")
    session, target = linked.session(), there.session()
    out = session.mem().source_ref("note", "out")
    plan = plan_copy(session, [out, session.mem().source_ref("note", "own")], target, move=move)
    assert "leaves the store" in plan.rows[0].reason
    applying.apply(plan)
    assert list(there.tree().values()) == [b"own words\n"]
    with pytest.raises(OutsideStore):
        file_ops.duplicate(session, out, "again")
    with pytest.raises(OutsideStore):
        file_ops.rename(session, out, "again")
    reader, goal = FactReader(session), linked.at("~/notes/out.md").readlink()
    found = reader.read(Scope.PROJECT)
    assert "elsewhere" not in str(found.rows) and "leaves the store" in found.problems[out.path]
    linked.at("~/notes/out.md").unlink()
    facts = list(FactReader(linked.has("~/notes/out.md", SECRET).session()).read(Scope.FILE, out).rows)
    linked.at("~/notes/out.md").unlink()
    linked.at("~/notes/out.md").symlink_to(goal)
    with pytest.raises(OutsideStore) as refused:
        (acts.move if move else acts.copy)(session, facts[:1], Target(place_of(session.layout, Role.NOTE, PROJECT, "new")))
    assert refused.value.message.endswith(f"leaves the store. Nothing was {'moved' if move else 'copied'}.")
    assert not any(b"elsewhere" in raw for raw in linked.tree().values())


@pytest.mark.parametrize("linked", ["notes", "notes/a.md"])
def test_no_export_is_written_through_a_link(tmp_path: Path, linked: str) -> None:
    mine = AStore(tmp_path / "mine").has("~/notes/a.md", "own words\n")
    away = AStore(tmp_path / "away").has("a.md", SECRET).has("b.md", SECRET)
    link = tmp_path / "out" / linked
    link.parent.mkdir(parents=True)
    link.symlink_to(away.root if linked == "notes" else away.at("b.md"))
    mine.has("~/notes/new.md", "new words\n")
    with suppress(OutsideStore):
        applying.apply(exporting.plan(mine.session(), formats.of_agent("markdown"), str(tmp_path / "out")))
    assert away.tree() == {"a.md": SECRET.encode(), "b.md": SECRET.encode()}
