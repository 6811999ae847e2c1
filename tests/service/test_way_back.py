"""Another agent's memory into ours and out again: byte for byte as it was, wherever all of a file came in."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.builders import AStore
from zsmem_tui.agents.oh_my_pi.files import encoded as omp_name
from zsmem_tui.service import applying, exporting, formats, importing
from zsmem_tui.service.import_reading import Choice
from zsmem_tui.service.plan import Fate, Plan
from zsmem_tui.service.session import Session
from zsmem_tui.store.steps import Batch

QUICK = settings(max_examples=30, deadline=None)

LINE = st.text("abcdefgh éß日`<>.,0123:", min_size=1, max_size=20).map(lambda text: f"w{' '.join(text.split())}")
END = st.sampled_from(["\n", "", "\n\n"])
BODY = st.tuples(st.lists(st.one_of(LINE, st.sampled_from(["", "- item", "```\n### x\n```", "## Head"])), max_size=4), END).map(
    lambda both: "\n".join(["first words", *both[0]]) + both[1]
)
ENDS = st.sampled_from([b"\n", b"\r\n"])
BOM = st.sampled_from([b"", b"\xef\xbb\xbf"])


def raw(text: st.SearchStrategy[str]) -> st.SearchStrategy[bytes]:
    return st.tuples(text, ENDS, BOM).map(lambda all: all[2] + all[0].encode().replace(b"\n", all[1]))


def plain(text: st.SearchStrategy[str]) -> st.SearchStrategy[bytes]:
    return text.map(str.encode)


def some(names: list[str], text: st.SearchStrategy[bytes], most: int = 3) -> st.SearchStrategy[dict[str, bytes]]:
    return st.dictionaries(st.sampled_from(names), text, max_size=most)


def together(*parts: st.SearchStrategy[dict[str, bytes]]) -> st.SearchStrategy[dict[str, bytes]]:
    def merged(every: tuple[dict[str, bytes], ...]) -> dict[str, bytes]:
        return {path: text for each in every for path, text in each.items()}

    return st.tuples(*parts).map(merged).filter(bool)


TOPIC = st.tuples(st.sampled_from(["user", "feedback", "project", "odd"]), LINE, st.booleans(), BODY).map(
    lambda t: f'---\nname: x\ndescription: "{t[1]}"\n{"metadata: " if t[2] else "other: y"}\ntype: {t[0]}\n---\n\n{t[3]}'
)
ENTRY = st.tuples(st.sampled_from(["09:00", "23:59"]), LINE, st.booleans()).map(
    lambda e: f"## Session {e[0]}\n\n### {e[0]}\n" + ("<!-- session:a turn:b transcript:/x y.jsonl -->\n" * e[2]) + f"- {e[1]}\n\n"
)
BLOCK = st.tuples(BODY, st.sampled_from(["", "limit: 9000\n", "read_only: false\nextra: 1\n"])).map(
    lambda b: f"---\ndescription: about\n{b[1]}---\n{b[0]}\n"
)
FACTS = st.lists(LINE, min_size=1, max_size=4, unique_by=lambda line: line.casefold()).map(
    lambda lines: "".join(f"- {line}\n" for line in lines)
)


def indexed(memory: dict[str, bytes]) -> dict[str, bytes]:
    """A memory of Claude Code's with an index that says something of its own of each topic."""
    listed = "".join(f"* [Title of {name}]({name}) - hook\n" for name in sorted(memory))
    return {**memory, "MEMORY.md": f"# Memory Index\n\n{listed}".encode()} if memory else memory


STORES: dict[str, st.SearchStrategy[dict[str, bytes]]] = {
    "claude-code": together(some(["project_a.md", "user_b.md", "feedback_c.md", "odd.md"], raw(st.one_of(TOPIC, BODY)))).map(
        indexed
    ),
    "oh-my-pi": together(
        some(["learned.md"], raw(FACTS)), some(["learned.md"], plain(FACTS.map(lambda text: f"# Head\n\n{text}")))
    ),
    "memsearch": together(
        some(["2026-05-23.md", "2026-05-24.md"], raw(st.lists(ENTRY, min_size=1, max_size=2, unique=True).map("".join))),
        some(["plan.md", "sub/deep.markdown"], raw(BODY)),
    ),
    "opencode": together(
        some(["home/memory/human.md", "home/memory/style.md"], plain(st.one_of(BLOCK, FACTS))),
        some(["folder/project.md", "folder/deploy.md"], plain(st.one_of(BLOCK, BODY))),
        some(
            ["home/journal/20260523-090000-001.md", "home/journal/20260524-100000-002.md"],
            plain(LINE.map(lambda text: f'---\ntitle: t\ncreated: "2026-05-23T09:00:00.001Z"\nproject: PROJECT\n---\n{text}\n')),
        ),
    ),
    "ethos": together(
        some(
            ["MEMORY.md"],
            raw(st.lists(LINE, min_size=1, max_size=2).map(lambda w: "\n\n".join([f"### {n}x\n\n{x}" for n, x in enumerate(w)]))),
        ),
        some(["USER.md"], raw(FACTS)),
        some(["tea.md", "deploy_x.md"], raw(BODY)),
    ),
    "instructions": together(some(["AGENTS.md"], raw(FACTS.map(lambda text: f"# App\n\n- order\n\n## Facts\n\n{text}")))),
    "markdown": together(
        some(["MEMORY.md"], raw(FACTS)),
        some(["SCRATCHPAD.md"], plain(FACTS.map(lambda text: text.replace("- ", "- [ ] ")))),
        some(["plan.md", "sub/deep.markdown", "daily/2026-05-23.md", "notes/a b.md"], raw(BODY)),
    ),
}


class Way:
    """A project's folder and a home with the memory of one agent, and a store of ours that is empty."""

    def __init__(self, folder: Path, format: str, patched: pytest.MonkeyPatch) -> None:
        self.patched = patched
        self.format = format
        self.project = folder / "project"
        self.project.mkdir()
        self.store = AStore(folder / "ours")
        self.session: Session = self.store.session()
        self.session.folder = str(self.project)
        home = folder / "home"
        self.base = {
            "claude-code": home / f".claude/projects/{str(self.project).replace('/', '-').replace('_', '-')}/memory",
            "oh-my-pi": home / ".omp/agent/memories" / omp_name(str(self.project)),
            "memsearch": self.project / ".memsearch/memory",
            "opencode": home / ".config/opencode",
            "ethos": home / ".ethos/personalities/eng",
            "instructions": self.project,
            "markdown": folder / "notes",
        }[format]
        self.path = str(self.base) if format == "markdown" else ""
        self.group = "personality:eng" if format == "ethos" else ""

    def place(self, path: str) -> Path:
        if self.format != "opencode":
            return self.base / path
        first, _, rest = path.partition("/")
        return self.base / rest if first == "home" else self.project / ".opencode/memory" / rest

    def put(self, memory: dict[str, bytes]) -> None:
        for path, text in memory.items():
            place = self.place(path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(text.replace(b"PROJECT", str(self.project).encode()))

    def bring_in(self) -> Plan:
        choice = Choice(section="Facts") if self.format == "instructions" else None
        plan = importing.plan(self.session, formats.of_agent(self.format), self.path, choice=choice, also="*")
        if any(item.ticked for item in plan.rows):
            with self.patched.context() as quick:
                quick.setattr("zsmem_tui.store.steps.apply", at_once)
                applying.apply(plan)
        return plan

    def out(self) -> Plan:
        return exporting.plan(self.session, formats.of_agent(self.format), self.path, group=self.group)

    def written(self) -> dict[Path, bytes]:
        """What an export puts where."""
        return {Path(change.place): change.after or b"" for change in self.out().changes}


def at_once(batches: Sequence[Batch]) -> None:
    """A step that waits for no disk."""
    for batch in batches:
        for path, edit in batch.edits.items():
            place = Path(batch.root, path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(edit.after() or b"")


@contextmanager
def on_the_way(monkeypatch: pytest.MonkeyPatch, format: str) -> Iterator[Way]:
    with tempfile.TemporaryDirectory() as folder, monkeypatch.context() as patched:
        (Path(folder) / "home").mkdir()
        patched.setenv("HOME", str(Path(folder) / "home"))
        yield Way(Path(folder), format, patched)


@pytest.mark.parametrize("format", STORES)
@given(data=st.data())
@QUICK
def test_a_memory_goes_back_byte_for_byte(monkeypatch: pytest.MonkeyPatch, format: str, data: st.DataObject) -> None:
    memory = data.draw(STORES[format])
    with on_the_way(monkeypatch, format) as way:
        way.put(memory)
        plan = way.bring_in()
        still = way.out()
        assert still.changes == (), [(change.ref.path, change.before, change.after) for change in still.changes]
        assert {item.fate for item in still.rows} <= {Fate.DUPLICATE, Fate.SKIPPED}
        here = {
            found.digest
            for found, item in zip(plan.read.items, plan.rows, strict=True)
            if item.ticked or item.fate is Fate.DUPLICATE
        }
        assert here == {found.digest for found in plan.read.items if not found.skip}
        for path in memory:
            with way.place(path).open("ab") as theirs:
                theirs.write(b"\n\nlater words\n")
        if len({found.text for found in plan.read.items}) == len(plan.read.items):  # else which of them it was is not to be told
            later = way.out()
            assert later.changes == (), [(change.ref.path, change.before, change.after) for change in later.changes]
        if format == "instructions":
            return
        way.put(memory)
        before = {way.place(path): way.place(path).read_bytes() for path in memory}
        for place in before:
            os.unlink(place)
        after = way.written()
        kept = [way.place(path) for path in memory if came(plan, memory[path], way)]
        assert {place: after.get(place) for place in kept} == {place: before[place] for place in kept}
        assert set(after) <= set(before)


def came(plan: Plan, text: bytes, way: Way) -> bool:
    """Whether anything of a file was taken, or it is an index of what was."""
    from zsmem_tui.store.disk.files import digest_of

    digest = digest_of(text.replace(b"PROJECT", str(way.project).encode()))
    return any(found.digest == digest and (not found.skip or found.about) for found in plan.read.items)
