"""Every verb over several files is whole or gone when the program is killed at any moment, and the next start says which.

A child does the verb and is ended right before, or right after, the n-th call that changes a file: at a few of them, and with
`-m slow` at every one.
"""

from __future__ import annotations

import io
import os
import shutil
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.builders import NOW, PROJECT, AStore, plan_copy
from tests.failing import CALLS
from zsmem_tui.config.model import Config
from zsmem_tui.core.errors import MemError
from zsmem_tui.core.names import project_slug
from zsmem_tui.service import (
    applying,
    bundles,
    connecting,
    doctor_fixes,
    exporting,
    file_ops,
    fit,
    formats,
    importing,
    instructions,
    promoting,
    review_facts,
    review_lines,
    reviewing,
    stores,
    taking_out,
    transferring,
    triage,
    undoing,
)
from zsmem_tui.service.connecting import Wish
from zsmem_tui.service.doctor import Doctor
from zsmem_tui.service.facts import acts
from zsmem_tui.service.facts.acts import Target
from zsmem_tui.service.facts.rows import FactReader, FactRow, Scope
from zsmem_tui.service.plan import Policy
from zsmem_tui.service.projects import moving
from zsmem_tui.service.projects.naming import name_projects
from zsmem_tui.service.review_lines import Pick
from zsmem_tui.service.session import Session
from zsmem_tui.service.sweeping import sweep
from zsmem_tui.service.tasks import Task, task_list
from zsmem_tui.store.disk import rename_exchange, swap
from zsmem_tui.store.mem import Mem

OTHER = "other-00000000"
CHANGING = (*(name for name in CALLS if name not in ("read", "open")), "pwrite")
TOPIC = "---\nname: x\ndescription: About X\nmetadata:\n  type: project\n---\n\nThe text of X.\n"
SETTINGS = {".claude.json": '{\n  "theme": "dark"\n}\n', ".claude/settings.json": '{\n  "model": "opus"\n}\n'}
GZIP = b"\x1f"
CLAUDE = "projects/-w/memory"


class Home:
    """Several stores in one folder, as they were before a verb."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.memory = AStore(folder / "memory")
        self.claude = AStore(folder / "claude")
        self.project = AStore(folder / "project")
        self.settings: tuple[str, ...] = ()
        self.before: dict[str, bytes] = {}

    def fill(self) -> None:
        self.memory.has("MEMORY.md", "# Memory\n\n- one\n- two\n").has("~/notes/tea.md", "# Tea\n\n- green\n- black\n")
        self.memory.has("~/SCRATCHPAD.md", "- [x] done\n- [ ] first\n- [ ] second\n")
        self.memory.has("~/daily/2026-05-24.md", "\n### 10:00\nx\n")
        self.memory.has(f"projects/{OTHER}/SCRATCHPAD.md", "- [ ] other\n").has(f"projects/{OTHER}/notes/tea.md", "another\n")
        self.claude.has(f"{CLAUDE}/MEMORY.md", "# Memory Index\n\n- [X](project_x.md) - my words\n").has(
            f"{CLAUDE}/project_x.md", TOPIC
        )
        self.project.has("AGENTS.md", "# Rules\n\nBe kind.\n")

    def session(self) -> Session:
        return self.memory.session()

    def theirs(self) -> Session:
        return stores.open_store(Config(), f"claude-code:{self.claude.root}", group="project:-w", cwd="/w", clock=lambda: NOW)

    def told(self) -> Session:
        return instructions.open_folder(Config(), str(self.project.root), clock=lambda: NOW)

    def state(self) -> dict[str, bytes]:
        """Every file of every store but temporary ones and backups, which a write goes on without; of a bundle, its files."""
        every = (self.memory, self.claude, self.project)
        found = {f"{store.root.name}/{path}": raw for store in every for path, raw in store.tree().items()}
        found |= {path: (Path.home() / path).read_bytes() for path in self.settings}
        return {
            path: raw if raw[:1] != GZIP else members(raw)
            for path, raw in found.items()
            if ".zsmem-" not in path and path[-4:] != ".bak"
        }

    def start(self) -> list[str]:
        """What the next start says of what was left."""
        return sweep()


def members(raw: bytes) -> bytes:
    with tarfile.open(fileobj=io.BytesIO(raw)) as bundle:
        return repr([(each.name, each.size) for each in bundle.getmembers()[1:]]).encode()


def rows(session: Session, path: str) -> list[FactRow]:
    return list(FactReader(session).read(Scope.FILE, session.ref_at(path)).rows)


def both_tasks(session: Session) -> list[Task]:
    return [task for task in task_list(session).tasks if task.project == PROJECT]


def fact_move(home: Home) -> None:
    session = home.session()
    applying.apply(acts.move(session, rows(session, "MEMORY.md")[:1], Target(session.ref_at(f"projects/{PROJECT}/notes/tea.md"))))


def facts_promote(home: Home) -> None:
    session = home.session()
    applying.apply(acts.promote(session, rows(session, f"projects/{PROJECT}/notes/tea.md")))


def facts_demote(home: Home) -> None:
    session = home.session()
    applying.apply(acts.move(session, rows(session, "MEMORY.md"), acts.new_note(session, session.project, "made")))


def promote_to_instructions(home: Home) -> None:
    session = home.session()
    applying.apply(promoting.plan_promote(session, rows(session, "MEMORY.md"), home.told()))


def move_across(home: Home) -> None:
    ours = home.session()
    applying.apply(plan_copy(ours, [ours.mem().source_ref("note", "tea")], home.theirs(), move=True))


def copy_across(home: Home) -> None:
    theirs = home.theirs()
    applying.apply(plan_copy(theirs, [theirs.ref_at(f"{CLAUDE}/project_x.md")], home.session()))


def rename_topic(home: Home) -> None:
    theirs = home.theirs()
    file_ops.rename(theirs, theirs.ref_at(f"{CLAUDE}/project_x.md"), "project_y")


def delete_topic(home: Home) -> None:
    theirs = home.theirs()
    file_ops.delete(theirs, theirs.ref_at(f"{CLAUDE}/project_x.md"))


def make_fit(home: Home) -> None:
    session = home.session()
    proposal = fit.propose(session)
    assert applying.apply(fit.plan(session, proposal, proposal.fit.moves)).changed > 1


def full(home: Home) -> None:
    lines = "".join(f"- {title} {number} {'x' * 60}\n" for title in ("Build", "Deploy") for number in range(260))
    home.memory.has("MEMORY.md", f"# Memory\n\n## Build\n\n{lines[: len(lines) // 2]}\n## Deploy\n\n{lines[len(lines) // 2 :]}")


def export_markdown(home: Home) -> None:
    applying.apply(exporting.plan(home.session(), formats.of_agent("markdown"), str(home.project.root / "out")))


def export_agents_md(home: Home) -> None:
    applying.apply(exporting.plan(home.session(), formats.of_agent("agents-md"), str(home.project.root)))


def with_an_index(home: Home) -> None:
    home.project.has("out/MEMORY.md", "# Memory Index\n\n- mine\n")


def export_claude_code(home: Home) -> None:
    applying.apply(exporting.plan(home.session(), formats.of_agent("claude-code"), str(home.project.root / "out")))


def with_another_bundle(home: Home) -> None:
    bundles.export_to(AStore(home.folder / "source").has("MEMORY.md", "x").session(), str(home.project.root / "a.tar.gz"))


def with_backups(home: Home, act: Callable[[Mem], object]) -> None:
    """As an agent that keeps what it replaces does it."""
    act(home.memory.session(profile="zerostack-1.7").mem())


def import_markdown(home: Home) -> None:
    session = home.session()
    applying.apply(importing.plan(session, formats.of_agent("claude-code"), str(home.claude.root / CLAUDE)))


def with_a_fact(home: Home) -> None:
    home.claude.has(f"{CLAUDE}/user_a.md", "---\ntype: user\n---\n\nA fact.\n")


def transfer(home: Home) -> None:
    goal = transferring.goal_of(f"markdown:{home.project.root}/out")
    applying.apply(transferring.plan(home.session(), formats.of_agent("claude-code"), str(home.claude.root / CLAUDE), goal))


def with_bundle(home: Home) -> None:
    other = AStore(home.folder / "source").has("MEMORY.md", "theirs\n").has("~/notes/a.md", "a\n").has("~/notes/tea.md", "t\n")
    bundles.export_to(other.session(), str(home.folder / "a.tar.gz"))


def import_bundle(home: Home) -> None:
    session = home.session()
    applying.apply(bundles.plan(session, str(home.folder / "a.tar.gz"), policy=Policy.REPLACE))


def with_step(home: Home) -> None:
    applying.apply(triage.move(home.session(), both_tasks(home.session()), OTHER))


def with_undone(home: Home) -> None:
    with_step(home)
    undoing.undo(home.session())


def with_review(home: Home) -> None:
    home.memory.looked_at()
    home.memory.has("MEMORY.md", "# Memory\n\n- one\n- 2\n- three\n").has("~/notes/tea.md", "# Tea\n\n- white\n")
    home.memory.looked_at()


def with_folders_moved(home: Home) -> None:
    shutil.rmtree(work := Path.home() / "work", ignore_errors=True)
    folders = [work / name for name in ("one", "two")]
    for folder in folders:
        folder.mkdir(parents=True)
        (folder / "file").write_text(folder.name)
        home.memory.has(f"projects/{project_slug(str(folder))}/SCRATCHPAD.md", f"- [ ] {folder.name}\n")
    name_projects(home.session())
    for folder in folders:
        folder.rename(work / f"new-{folder.name}")
    name_projects(home.session())


def take_out(home: Home) -> None:
    applying.apply(taking_out.plan(home.session(), formats.of_agent("markdown"), str(home.project.root / "out")))


def move_project(home: Home) -> None:
    session = home.session()
    applying.apply(moving.move(session, PROJECT, "third-00000000"))


def merge_projects(home: Home, *slugs: str, into: str) -> None:
    session = home.session()
    applying.apply(moving.merge(session, slugs, into))


def follow_projects(home: Home) -> None:
    session = home.session()
    applying.apply(moving.follow(session))


def with_faults(home: Home) -> None:
    for path in ("MEMORY.md", "~/notes/tea.md"):
        home.memory.has(path, b"# Caf\xe9\n\n- one\n")


def mend(home: Home) -> None:
    session = home.session()
    found = [each for each in Doctor(session, []).examine(None, NOW.date()).faults if each.fix is not None and each.fix.recodes]
    wanted = doctor_fixes.plan(session, found)
    assert len(wanted.changes) == 2
    applying.apply(wanted)


def with_settings(home: Home) -> None:
    """What is written for an agent is among what is compared."""
    for path, text in SETTINGS.items():
        (Path.home() / path).parent.mkdir(exist_ok=True)
        (Path.home() / path).write_text(text)
    home.settings = tuple(SETTINGS)


def with_agent(home: Home) -> None:
    with_settings(home)
    connect(home)


def connect(home: Home, *, remove: bool = False) -> None:
    session = home.session()
    connecting.apply(session, connecting.plan(session, "claude-code", Wish(remove=remove)))


def put_back(home: Home) -> None:
    session = home.session()
    review_lines.revert(session, [Pick(each) for each in reviewing.pending(session)])


def move_reviewed(home: Home) -> None:
    session = home.session()
    change = next(each for each in reviewing.pending(session) if each.ref.path == "MEMORY.md")
    picks = [Pick(change)]
    rows, target = review_facts.facts_of(session, picks)[-1:], Target(session.ref_at(f"projects/{PROJECT}/notes/tea.md"))
    applying.apply(review_lines.judging(acts.move(session, rows, target), picks))


class Kind(NamedTuple):
    """A verb, and what is done before it."""

    act: Callable[[Home], object]
    before: Callable[[Home], object] = lambda home: None


KINDS = {
    "triage move": Kind(lambda home: applying.apply(triage.move(home.session(), both_tasks(home.session()), OTHER))),
    "triage promote": Kind(lambda home: applying.apply(triage.promote(home.session(), both_tasks(home.session())))),
    "triage note": Kind(lambda home: applying.apply(triage.to_note(home.session(), both_tasks(home.session()), "made"))),
    "triage log": Kind(lambda home: applying.apply(triage.log(home.session(), both_tasks(home.session())))),
    "triage archive": Kind(lambda home: applying.apply(triage.archive(home.session(), both_tasks(home.session())[:1]))),
    "fact move": Kind(fact_move),
    "facts demote": Kind(facts_demote),
    "facts promote": Kind(facts_promote),
    "facts to instructions": Kind(promote_to_instructions),
    "fit": Kind(make_fit, full),
    "doctor fix": Kind(mend, with_faults),
    "move across": Kind(move_across),
    "copy across": Kind(copy_across),
    "rename with its index": Kind(rename_topic),
    "delete with its index": Kind(delete_topic),
    "project move": Kind(move_project),
    "project merge": Kind(lambda home: merge_projects(home, PROJECT, into=OTHER)),
    "projects merged": Kind(lambda home: merge_projects(home, PROJECT, OTHER, into="third-00000000")),
    "projects followed": Kind(follow_projects, with_folders_moved),
    "project archives": Kind(lambda home: applying.apply(moving.archive(home.session(), PROJECT, OTHER))),
    "project archive": Kind(lambda home: applying.apply(moving.archive(home.session(), PROJECT))),
    "overwrite with a backup": Kind(lambda home: with_backups(home, lambda mem: mem.write("long_term", "all", "overwrite"))),
    "delete with a backup": Kind(lambda home: with_backups(home, lambda mem: mem.edit("note", "tea"))),
    "export markdown": Kind(export_markdown),
    "export claude-code": Kind(export_claude_code, with_an_index),
    "export agents-md": Kind(export_agents_md),
    "export taken out": Kind(take_out, export_markdown),
    "bundle out": Kind(lambda home: bundles.export_to(home.session(), str(home.project.root / "a.tar.gz")), with_another_bundle),
    "bundle in": Kind(import_bundle, with_bundle),
    "import": Kind(import_markdown),
    "transfer": Kind(transfer, with_a_fact),
    "connect": Kind(connect, with_settings),
    "connect taken out": Kind(lambda home: connect(home, remove=True), with_agent),
    "connect undo": Kind(lambda home: undoing.undo(home.session()), with_agent),
    "undo": Kind(lambda home: undoing.undo(home.session()), with_step),
    "redo": Kind(lambda home: undoing.undo(home.session(), redo=True), with_undone),
    "put back": Kind(put_back, with_review),
    "move reviewed lines": Kind(move_reviewed, with_review),
}


def in_a_child(act: Callable[[], object], at: int) -> tuple[int, int]:
    """How a child ended that does this, killed at half a call (0 to begin with: before the first); and how many it came to."""
    count = 0
    reader, writer = os.pipe()
    pid = os.fork()
    if not pid:  # pragma: no cover
        try:
            os.close(reader)

            def die_at(real: Callable[..., object]) -> Callable[..., object]:
                def call(*words: object, **named: object) -> object:
                    nonlocal count
                    count += 1
                    if count == at + 1:
                        os._exit(9)
                    try:
                        return real(*words, **named)
                    finally:
                        count += 1
                        if count == at + 1:
                            os._exit(9)

                return call

            for name in CHANGING:
                setattr(os, name, die_at(getattr(os, name)))
            vars(swap)["exchange"] = die_at(rename_exchange.exchange)
            vars(swap)["move_to_free_name"] = die_at(rename_exchange.move_to_free_name)
            act()
            os.writev(writer, [count.to_bytes(4)])
            os._exit(0)
        except BaseException:  # noqa: BLE001 - a child of a test must not go on as the test
            import traceback

            traceback.print_exc()
            os._exit(7)
    os.close(writer)
    _, status = os.waitpid(pid, 0)
    with os.fdopen(reader, "rb") as said:
        return os.waitstatus_to_exitcode(status), int.from_bytes(said.read())


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Kind, int], tuple[Home, int, int]]]:
    """Does a verb in stores of its own, with a state folder of its own, and kills it at a call."""

    def run(kind: Kind, at: int) -> tuple[Home, int, int]:
        place = tmp_path / "here"
        shutil.rmtree(place, ignore_errors=True)
        monkeypatch.setenv("ZSMEM_STATE_DIR", str(place / "state"))
        home = Home(place)
        home.fill()
        kind.before(home)
        home.before = home.state()
        return (home, *in_a_child(lambda: kind.act(home), at))

    yield run


def check(name: str, calls: Callable[[Kind, int], tuple[Home, int, int]], moments: int) -> None:
    kind = KINDS[name]
    whole, code, count = calls(kind, 10**6)
    assert code == 0 and count > 8, name
    after = whole.state()
    before = whole.before
    assert before != after
    for at in sorted({count * number // moments for number in range(moments)}) if moments else range(count):
        home, code, _ = calls(kind, at)
        assert code == 9
        said = home.start()
        now, why = home.state(), f"{name}, killed at {at} of {count}: {said}"
        assert now in (before, after), f"{why}: {sorted(set(now.items()) ^ set((after if said else before).items()))}"
        assert all(each.startswith(("Finished", "Took back")) for each in said) and len(said) < 2, why
        if said:
            assert now == (after if said[0].startswith("Finished") else before), why
        assert home.start() == []
        if now == after and "undo" not in name:
            session = home.session() if name not in ("rename with its index", "delete with its index") else home.theirs()
            try:
                assert undoing.undo(session).done, why
            except MemError as error:
                raise AssertionError(f"{why}: {error}") from error
            assert home.state() == before or name == "redo", why


@pytest.mark.draw(3)
@pytest.mark.parametrize("name", KINDS)
def test_a_verb_that_is_killed_is_whole_or_gone(name: str, calls: Callable[[Kind, int], tuple[Home, int, int]]) -> None:
    check(name, calls, 3)


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
def test_a_verb_that_is_killed_at_any_call_is_whole_or_gone(name: str, calls: Callable[[Kind, int], tuple[Home, int, int]]) -> None:
    check(name, calls, 0)
