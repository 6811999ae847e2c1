"""A row of the tree: what a project is called stands out, the hash of its slug does not."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from textual.app import App, ComposeResult

from tests.builders import PROJECT, AStore
from tests.ui.several import Machine
from zsmem_tui.agents.claude_code.files import encoded
from zsmem_tui.config.model import Config
from zsmem_tui.core.checks.checkup import Checkup
from zsmem_tui.core.checks.finding import Finding
from zsmem_tui.core.checks.links import DEAD_LINK
from zsmem_tui.core.layout import is_unread
from zsmem_tui.core.names import project_slug
from zsmem_tui.core.notice import Notice, NoticeKind
from zsmem_tui.core.preview import Prompt
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.service.browsing import open_file
from zsmem_tui.service.facts import raising
from zsmem_tui.service.facts.rows import FactReader, Scope
from zsmem_tui.service.folders import beside
from zsmem_tui.service.previewing import preview, prompt_lines, subject, with_apart
from zsmem_tui.service.stores import open_store
from zsmem_tui.store.scan import scan
from zsmem_tui.ui.facts.rows import detail
from zsmem_tui.ui.memory.tree import ProjectTree, draw_label
from zsmem_tui.ui.memory.tree_nodes import Node, TreeNodes, listing_mark
from zsmem_tui.ui.messages import Said
from zsmem_tui.ui.open_store import At, OpenStore
from zsmem_tui.ui.prompt.wording import meter, nothing
from zsmem_tui.ui.wording import counts_of


class OneTree(App[None]):
    """Nothing but a tree."""

    said = ""

    def compose(self) -> ComposeResult:
        yield ProjectTree(id="tree")

    def on_said(self, event: Said) -> None:
        self.said = event.text


async def test_a_thousand_marked_files_are_counted() -> None:
    app = OneTree()
    async with app.run_test() as pilot:
        tree = app.query_one(ProjectTree)
        tree.take([Node(At("", "", MemRef(f"{number}.md", Role.NOTE)), "name") for number in range(1_000)])
        tree.show()
        tree.action_mark_all()
        await pilot.pause()
        assert app.said == "1,000 files marked: c copies, m moves, d deletes, esc unmarks."


def dim(row: Node, room: int = 40) -> tuple[str, str]:
    """The whole row, and what of its name is dim."""
    pieces = draw_label(row, room)
    return "".join(text for text, _ in pieces), "".join(text for text, style in pieces if style == "dim")


@pytest.mark.parametrize(
    ("group", "name", "quiet"),
    [
        ("lantern-2cf21588", "lantern-2cf21588", "-2cf21588"),
        ("lantern-2cf21588", "●2 lantern-2cf21588", "-2cf21588"),
        ("lantern-2cf21588", "~/code/lantern", ""),  # its folder is known
        ("lantern-final", "lantern-final", ""),
        ("default", "default", ""),
    ],
)
def test_the_hash_of_a_slug_is_dim(group: str, name: str, quiet: str) -> None:
    assert dim(Node(At("s", group), name))[1].strip() == quiet


def test_a_file_that_is_called_like_a_slug_is_not() -> None:
    assert dim(Node(At("s", "a-2cf21588", MemRef("x/a-2cf21588")), "a-2cf21588"))[1].strip() == ""


def test_a_name_that_is_too_long_loses_its_hash_first() -> None:
    assert dim(Node(At("s", "lantern-2cf21588"), "lantern-2cf21588"), 13) == ("lantern-2cf2…", "-2cf2…")


def test_a_name_takes_the_room_of_what_matters_less_before_it_is_cut() -> None:
    row = Node(At("s", "lantern"), "●1 !2 lantern", "☐11   87K  now", brief="☐11  now")
    assert dim(row, 28) == ("●1 !2 lantern ☐11   87K  now", " ☐11   87K  now")
    assert dim(row, 27)[0] == "●1 !2 lantern      ☐11  now"
    assert dim(row, 19)[0] == "●1 !2 lan… ☐11  now"


def test_size_and_age_of_a_file_give_way_to_its_name_which_keeps_both_ends() -> None:
    row = Node(At("s", "", MemRef("project_redis_145.md")), "≡ project_redis_145", " 365B   2d", brief="  2d")
    rooms = {30: "≡ project_redis_145  365B   2d", 29: "≡ project_redis_145        2d", 22: "≡ project_redis_145   "}
    assert {room: dim(row, room)[0] for room in rooms} == rooms
    assert dim(row, 16)[0] == "≡ projec…dis_145" and dim(row, 17)[0] == "≡ projec…edis_145"
    assert dim(row._replace(name="≡ 日本語の長い名前"), 13)[0] == "≡ 日本…い名前"
    assert dim(row._replace(facts="! not in index", warn=True), 28)[0] == "≡ proj…is_145 ! not in index"


def test_a_name_that_no_pane_has_room_for_leaves_a_file_its_size_and_age() -> None:
    row = Node(At("s", "", MemRef("notes/x.md")), "a" * 100 + "z" * 100, " 365B   2d", brief="  2d")
    assert dim(row, 40)[0] == f"{'a' * 14}…{'z' * 14}  365B   2d"


@pytest.mark.parametrize("kind", ["", "project:"])
@pytest.mark.parametrize("room", [12, 16, 20])
def test_groups_whose_names_begin_alike_keep_their_ends(kind: str, room: int) -> None:
    one, other = (
        dim(Node(At("s", f"{kind}{slug}"), f"{mark}{slug}", facts=" 23B 2d"), room)[0]
        for slug, mark in (("-home-ann-code-alpha", ""), ("-home-ann-code-beta", "●2 "))
    )
    assert "alpha" in one and "beta" in other and other.startswith("●2 …") and len(one) == len(other) == room


def test_of_a_folder_the_end_stays_too() -> None:
    assert dim(Node(At("s", "project:-home-ann-code-my-folder"), "∅ ~/code/my folder"), 12)[0] == "∅ …my folder"


@pytest.mark.parametrize(("kind", "name"), [("zerostack", "harbor"), ("claude-code", "~/code/harbor")])
def test_the_project_of_this_folder_has_its_name_from_the_first_frame(away_from_home: Path, kind: str, name: str) -> None:
    folder = away_from_home / "code" / "harbor"
    folder.mkdir(parents=True)
    session = open_store(Config(), f"{kind}:{away_from_home / 'store'}", cwd=str(folder))
    assert OpenStore(session).group_name(session.project) == name


def test_a_filter_finds_every_row_by_what_it_shows(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    stores = [OpenStore(session) for session in machine.sessions()]
    for store in stores:
        store.catalog = store.follower.first()
    made = TreeNodes(stores, lambda: 0)

    def found(words: str) -> list[tuple[str, list[str] | None]]:
        rows = made.top(words)
        return [(row.name, [each.name for each in row.below()] if row.below and row.unfolded else None) for row in rows]

    assert found("claude code") == [("Claude Code", None)] and len(made.top("claude code")[0].below()) == 3  # type: ignore[misc]
    assert found("for all") == [("Claude Code", ["CLAUDE.md for all projects"])]
    assert found("zero memory") == [("zerostack", ["MEMORY.md"])]


def test_instructions_are_listed_with_the_memory_of_their_folder_however_many_agents_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    claude = AStore(tmp_path / ".claude").has("CLAUDE.md", "be brief\n")
    for name in ("harbor", "lantern", "tidepool"):
        folder = AStore(tmp_path / name).has("CLAUDE.md", "be kind\n").root
        claude.has(f"projects/{encoded(str(folder))}/s.jsonl", f'{{"cwd": "{folder}"}}\n')
        if name != "tidepool":
            claude.has(f"projects/{encoded(str(folder))}/memory/MEMORY.md", "- tea\n")

    def rows(nodes: Sequence[Node]) -> list[str]:
        return [
            each for node in nodes for each in (node.name, *(f"  {under}" for under in rows(node.below() if node.below else ())))
        ]

    def tree(lost: Path | None = None) -> tuple[list[str], str]:
        cwd = str(tmp_path / "lantern")
        first = open_store(Config(), f"claude-code:{claude.root}", cwd=cwd)
        more = beside(first, Config(), cwd=cwd)
        stores = [OpenStore(session) for session in (first, *more.sessions)]
        if lost is not None:
            assert not any(store.gone for store in stores)
            shutil.rmtree(lost)
        for store in stores:
            store.session.folders, store.catalog = more.folders_of[store.key], store.follower.counted(store.follower.first())
        made = TreeNodes(stores, lambda: 0)
        read = [(store.session, store.catalog) for store in made.listed if store.catalog]
        return rows(made.top()), counts_of([each for each, _ in read], [each for _, each in read])

    alone, files = tree()
    assert alone[:4] == ["CLAUDE.md for all projects", "~/lantern", "  CLAUDE.md", "  MEMORY.md"], "its own folder comes first"
    assert alone[4:] == ["~/harbor", "  CLAUDE.md", "  MEMORY.md", "~/tidepool", "  CLAUDE.md"] and files == "6 files"
    AStore(tmp_path / ".gemini").has("GEMINI.md", "use tabs\n")
    several, files = tree()
    gemini = several.index("Gemini CLI")
    assert several[:gemini] == ["Claude Code", *(f"  {each}" for each in alone)] and files == "2 memories · 7 files"
    assert several[gemini + 1 :] == ["  GEMINI.md for all groups"], "as many as are counted, and ctrl+o offers"
    several, files = tree(lost=tmp_path / ".gemini")
    assert "Gemini CLI" in several and files == "6 files", "what is gone has its row, but is not counted"
    # each file stands with the first agent that reads it, and apart if none does
    for name, text in {"GEMINI.md": "use spaces\n", "CLAUDE.local.md": "be quick\n", "AGENTS.md": "be calm\n"}.items():
        AStore(tmp_path / "lantern").has(name, text)
    AStore(tmp_path / ".claude").has(f"projects/{encoded(str(tmp_path / 'lantern'))}/memory/MEMORY.md", "- tea\n")
    several, files = tree()
    at = several.index("  ~/lantern")
    assert several[at + 1 : at + 4] == ["    CLAUDE.local.md", "    CLAUDE.md", "    MEMORY.md"]
    assert several[several.index("Instructions ~/lantern") :] == ["Instructions ~/lantern", "  AGENTS.md", "  GEMINI.md"]
    AStore(tmp_path / "lantern").has("CLAUDE.md", "@AGENTS.md\n")
    zerostack = AStore(tmp_path / ".local/share/zerostack/agent/memory", project_slug(str(tmp_path / "lantern")))
    zerostack.has("~/notes/n.md", "- oolong\n")
    several, files = tree()
    at, own = several.index("  ~/lantern"), several.index("zerostack")
    assert several[at + 1 : at + 4] == ["    AGENTS.md", "    CLAUDE.local.md", "    CLAUDE.md"], "it imports the other"
    assert several[own + 1 : own + 3] == ["  lantern", "    n"] and several[-2:] == ["Instructions ~/lantern", "  GEMINI.md"]


def test_what_is_ignored_in_the_doctor_is_not_counted_in_the_tree(store: AStore) -> None:
    own, ref = OpenStore(store.session()), MemRef("MEMORY.md")
    own.listing = {ref.path: [Notice(NoticeKind.DEAD_LINK, ref.path, 3 + at, f"{at}.md") for at in range(2)]}
    assert listing_mark(own.listed(ref)) == "! 2 dead links"
    gone = Finding(DEAD_LINK, ref.path, 4, kind=NoticeKind.DEAD_LINK.value, text="1.md")
    own.checkup = Checkup((gone,), {gone.id: gone}, frozenset((gone.id,)))
    assert listing_mark(own.listed(ref)) == "! 1 dead link"
    own.listing = {ref.path: [Notice(NoticeKind.DEAD_LINK, ref.path, 4 + at, f"{at % 2}.md") for at in range(4)]}
    assert [each.line for each in own.listed(ref)] == [4, 6, 7], "also where it stands on another line than the doctor saw"


def test_a_file_that_its_agent_does_not_read_says_so_in_the_tree(store: AStore) -> None:
    store.has("~/MEMORY.md", "one\n").has("~/notes/MEMORY.md", "two\n").has("~/archive/SCRATCHPAD.md", "- [x] done\n").has(
        "other.md", "x\n"
    )
    own = OpenStore(store.session())
    own.catalog = scan(str(store.root), own.session.layout)
    [*shared, project] = TreeNodes([own], lambda: 0).top()
    assert project.below is not None
    assert [(row.name, row.facts, row.warn) for row in project.below() if row.warn] == [("MEMORY.md", "! not read", True)]
    assert [row.name for row in project.below()] == ["MEMORY", "MEMORY.md"]
    assert [(row.name, row.warn) for row in shared] == [("other.md", False)], "the agent searches these"
    ref = own.session.ref_at(f"projects/{PROJECT}/MEMORY.md")
    assert is_unread(own.session.layout, ref) and "no agent reads it" in meter(preview(own.session), ref)
    [row] = FactReader(own.session).read(Scope.FILE, ref).rows
    assert prompt_lines(own.session, open_file(own.session, ref)) == (row.prompt,) == (Prompt.LOST,)
    assert raising.into_prompt(own.session, [row]).changes and "m or + moves it" in detail(row, 0, own.session, is_wanted=False)
    store.at("~/notes/folder.md").mkdir(parents=True)  # no agent reads it
    seen = with_apart(own.session, subject(own.session), preview(own.session))
    assert not [entry for entry in seen.apart if entry.problem]
    store.has("~/notes/bad.md", b"caf\xe9\n").has("~/notes/good.md", "tea\n")  # no search finds a word of the first
    seen = with_apart(own.session, subject(own.session), preview(own.session))
    assert [entry.ref.name for entry in seen.unreadable] == ["bad", "folder"]
    assert "searched on demand: 2 notes, 1 other file [7]." in nothing(seen, "all", has_search=True)
    assert "Not readable: bad.md, folder.md [7]." in nothing(seen, "all", has_search=True)
    assert ref not in [entry.ref for entry in seen.apart] and [entry.ref for entry in seen.unread] == [ref]
    assert "Lost, read by no agent: 1 file" in nothing(seen, "all", has_search=True)
    assert str(seen.loss()) == "1 file lost that no agent reads" and not seen.loss(ref.path).unread
