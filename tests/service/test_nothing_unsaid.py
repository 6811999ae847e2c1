"""Every line of every kind of memory is in the files that an export to any format makes, or named by the plan as left behind.

A transfer from where that memory lies makes the same files.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from tests.builders import NOW, PROJECT, AStore
from zsmem_tui.agents.claude_code.files import encoded
from zsmem_tui.agents.oh_my_pi.files import encoded as omp_name
from zsmem_tui.config.model import Config
from zsmem_tui.core.names import project_slug
from zsmem_tui.service import exporting, formats, stores, transferring
from zsmem_tui.service.import_reading import Choice
from zsmem_tui.service.plan import Plan
from zsmem_tui.service.session import Session

WORD = st.text("abcdefgh éß日`<>_*|.,:#012-", min_size=1, max_size=24)
MARK = st.sampled_from(
    ["- ", "* ", "+ ", "- [ ] ", "- [x] ", "", "", "# ", "## ", "### ", "### 10:00 — ", "1. ", "> ", "  - ", "  ", "| ", "<!-- "]
)
ODD = st.sampled_from(
    [
        *("", "", "```", "~~~~", "---", "***", "| a | b |", "|---|---|", "<!-- session:1 turn:2 -->", "</memory>", "[", "- ", "\t"),
        *("- [Topic](project_topic.md) — a hook of its own", "- [Gone](gone.md) — of no file", "## Session 10:00", "### 10:00"),
        *(
            "- [A](project_topic.md) and [B](b.md)",
            "\ufeffmark",
            "one\rtwo",
            "a\x0bb",
            "a\u2028b",
            "a\u0085b",
            "x" * 2_100,
            "y " * 1_050,
        ),
    ]
)
LINE = st.one_of(st.tuples(MARK, WORD).map("".join), ODD)
TEXT = st.tuples(st.lists(LINE, max_size=9), st.sampled_from(["\n", "\r\n"]), st.booleans()).map(
    lambda made: made[1].join([*made[0], "last"]) + (made[1] if made[2] else "")
)
HEAD = st.sampled_from(
    [
        "",
        '---\nname: "a-name"\ndescription: "what it is about"\nmetadata:\n  node_type: memory\n  type: project\n---\n\n',
        "---\ntype: user\n---\n",
        "---\nlabel: x\ndescription: y\nlimit: 9000\nread_only: false\n---\n",
        "---\nnot: closed\n",
    ]
)
TEXTS = st.fixed_dictionaries(dict.fromkeys(("facts", "index", "topic", "tasks", "day", "other"), TEXT) | {"head": HEAD})
QUICK = settings(deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.explicit, Phase.generate])


def zerostack(home: AStore, folder: Path, texts: dict[str, str]) -> Session:
    store = AStore(Path(home.root).parent / "memory").has("MEMORY.md", texts["facts"]).has("extra.md", texts["index"])
    store.has("~/SCRATCHPAD.md", texts["tasks"]).has("~/daily/2026-05-24.md", texts["day"])
    store.has("~/notes/topic.md", texts["topic"]).has("~/notes/Other one.md", texts["head"] + texts["other"])
    store.has("~/archive/SCRATCHPAD.md", "- [x] put away\n")
    session = store.session()
    session.folder = str(folder)
    return session


def claude_code(home: AStore, folder: Path, texts: dict[str, str]) -> Session:
    own = f".claude/projects/{encoded(str(folder))}/memory"
    home.has(f"{own}/MEMORY.md", texts["index"]).has(f"{own}/project_topic.md", texts["head"] + texts["topic"])
    home.has(f"{own}/user_facts.md", texts["head"] + texts["facts"]).has(f"{own}/deep/other.md", texts["other"])
    home.has(".claude/CLAUDE.md", texts["tasks"])
    return opened(f"claude-code:{home.at('.claude')}", folder)


def oh_my_pi(home: AStore, folder: Path, texts: dict[str, str]) -> Session:
    own = f".omp/agent/memories/{omp_name(str(folder))}"
    home.has(f"{own}/learned.md", texts["facts"]).has(f"{own}/MEMORY.md", texts["topic"]).has(
        f"{own}/memory_summary.md", texts["other"]
    )
    home.has(f"{own}/rollout_summaries/1-x.md", f"thread_id: 1\nupdated_at: 1700000000\n\n{texts['day']}")
    return opened(f"oh-my-pi:{home.at('.omp/agent/memories')}", folder)


def memsearch(home: AStore, folder: Path, texts: dict[str, str]) -> Session:
    own = AStore(folder / ".memsearch/memory")
    own.has("2026-05-24.md", texts["day"]).has("notes/topic.md", texts["topic"]).has("b.md", texts["other"])
    return opened(f"memsearch:{own.root}", folder)


def opencode(home: AStore, folder: Path, texts: dict[str, str]) -> Session:
    own = AStore(folder / ".opencode/memory").has("project.md", texts["head"] + texts["facts"]).has("scratchpad.md", texts["tasks"])
    own.has("topic.md", texts["head"] + texts["topic"])
    return opened(f"opencode:{own.root}", folder)


def opencode_of_all(home: AStore, folder: Path, texts: dict[str, str]) -> Session:
    home.has(".config/opencode/memory/human.md", texts["head"] + texts["facts"]).has(
        ".config/opencode/memory/persona.md", texts["other"]
    )
    return opened(f"opencode:{home.at('.config/opencode/memory')}", folder)


def ethos(home: AStore, folder: Path, texts: dict[str, str]) -> Session:
    own = ".ethos/personalities/mine"
    home.has(f"{own}/MEMORY.md", texts["facts"]).has(f"{own}/USER.md", texts["other"]).has(f"{own}/topic.md", texts["topic"])
    home.has(f"{own}/memory-archive.md", texts["index"])
    return opened(f"ethos:{home.at('.ethos')}", folder, "personality:mine")


def markdown(home: AStore, folder: Path, texts: dict[str, str]) -> Session:
    own = AStore(Path(home.root).parent / "plain").has("MEMORY.md", texts["facts"]).has("SCRATCHPAD.md", texts["tasks"])
    own.has("2026-05-24.md", texts["day"]).has("old/2026-05-24.md", texts["other"]).has(
        "a/topic.md", texts["head"] + texts["topic"]
    )
    own.has("b/Topic.md", texts["index"])
    return opened(f"markdown:{own.root}", folder)


def instructions(home: AStore, folder: Path, texts: dict[str, str]) -> Session:
    AStore(folder).has("AGENTS.md", texts["facts"]).has("CLAUDE.md", texts["other"]).has(".claude/rules/r.md", texts["topic"])
    return opened(f"instructions:{folder}", folder)


def opened(place: str, folder: Path, group: str = "") -> Session:
    return stores.open_store(Config(), place, group=group, cwd=str(folder), clock=lambda: NOW)


Maker = Callable[[AStore, Path, dict[str, str]], Session]
KINDS: dict[str, Maker] = {
    each.__name__: each
    for each in (zerostack, claude_code, oh_my_pi, memsearch, opencode, opencode_of_all, ethos, markdown, instructions)
}


class Away:
    """A home with one memory in it, and an empty place for another of every format."""

    def __init__(self, base: Path, kind: str, texts: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.kind, self.target = kind, AStore(base / "target")
        home = AStore(base / "home")
        folder = base / "work"
        folder.mkdir()
        monkeypatch.setenv("HOME", str(home.root))
        self.session = KINDS[kind](home, folder, texts)

    def asked(self, format: str) -> str:
        """Where it goes: to a folder of its own, so that no kind meets itself."""
        below = {
            "claude-code": ".claude",
            "oh-my-pi": "memories",
            "memsearch": ".memsearch/memory",
            "opencode": ".config/opencode" if self.kind == "opencode_of_all" else ".opencode/memory",
            "ethos": ".ethos",
            "qwen-code": ".qwen",
            "gemini": ".gemini",
        }
        return str(self.target.at(below.get(format, ""))).rstrip("/")

    def plan(self, format: str) -> Plan:
        return exporting.plan(self.session, formats.of_agent(format), self.asked(format), group=self.group(format))

    def group(self, format: str) -> str:
        """Whose it becomes there, where that has to be said."""
        return {"ethos": "personality:eng", "gemini": "project:p"}.get(format, "")

    def transfer(self, format: str) -> Plan:
        """The same, from another store that is open: the memory is read where it lies."""
        slug = PROJECT if self.kind == "zerostack" else project_slug(self.session.folder)
        own = AStore(self.target.root.parent / "ours", slug).session()
        own.folder = self.session.folder
        goal = transferring.Goal(formats.of_agent(format), self.asked(format), self.group(format))
        whose = Choice(group=self.session.project) if self.kind in ("claude_code", "ethos") else Choice()
        source = formats.of_agent(self.session.layout.kind)
        return transferring.plan(own, source, self.session.root, goal, choice=whose)


def written(plan: Plan) -> None:
    for change in plan.changes:
        place = Path(change.place)
        place.parent.mkdir(parents=True, exist_ok=True)
        assert change.after is not None
        place.write_bytes(change.after)


def made(plan: Plan) -> dict[str, bytes | None]:
    return {change.place: change.after for change in plan.changes}


def unsaid(plan: Plan, files: dict[str, bytes]) -> list[str]:
    """The lines of these files that are neither in what the plan makes nor named by it."""
    target = "\n".join((change.after or b"").decode("utf-8", "surrogateescape") for change in plan.changes)
    named = {(each.source, each.number) for each in plan.left_lines}
    out = []
    for path, raw in files.items():
        for number, line in enumerate(raw.decode("utf-8", "surrogateescape").removeprefix("\ufeff").split("\n"), 1):
            if line.strip() and line.strip() not in target and (path, number) not in named:
                out.append(f"{path}:{number}: {line[:60]!r}")
    return out


def files_of(session: Session) -> dict[str, bytes]:
    """What is memory in a session's store, but for what is of other groups."""
    hidden = (".config", "projects/other")
    return {
        path: raw
        for path, raw in AStore(Path(session.root)).tree().items()
        if path.endswith(".md") and not path.startswith(hidden) and session.layout.group_of(path) in ("", session.project)
    }


@pytest.mark.draw(3)
@pytest.mark.parametrize("format", tuple(name for name in formats.names() if name != formats.BUNDLE))
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", [2, pytest.param(20, marks=pytest.mark.slow)])
def test_every_line_is_there_or_named_and_a_second_export_adds_nothing(
    kind: str, format: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    @settings(QUICK, max_examples=count)
    @example({**dict.fromkeys(("facts", "index", "topic", "tasks", "day"), "last"), "other": "# `\nlast `", "head": ""})
    @example({**dict.fromkeys(("facts", "index", "topic", "tasks", "day"), "# `\n\n` last"), "other": "last", "head": ""})
    @given(TEXTS)
    def holds(texts: dict[str, str]) -> None:
        with tempfile.TemporaryDirectory() as base:
            away = Away(Path(base).resolve(), kind, texts, monkeypatch)
            plan = away.plan(format)
            files = files_of(away.session)
            assert unsaid(plan, files) == []
            assert plan.rest.startswith("Every line goes along") == (not plan.left_lines and not plan.left)
            assert {each.source for each in plan.left_lines} <= set(files)
            assert all(each.ticked == (each.fate.value == "add") for each in plan.rows)
            written(plan)
            again = away.plan(format)
            assert [change.place for change in again.changes] == []
            assert again.left_lines == plan.left_lines
            said = again.unchanged
            assert said.startswith("Nothing was ") or said.endswith(("Nothing was written.", "Nothing was exported."))

    holds()


OTHERS = tuple(name for name in formats.names() if name not in (formats.BUNDLE, "instructions"))
PAIRS = [(kind, format) for kind in KINDS for format in OTHERS if kind != "instructions"]


@pytest.mark.draw(3)
@pytest.mark.parametrize(("kind", "format"), [pair for pair in PAIRS if not pair[0].startswith(pair[1].replace("-", "_"))])
@pytest.mark.parametrize("count", [2, pytest.param(20, marks=pytest.mark.slow)])
def test_an_export_and_a_transfer_make_the_same_files(kind: str, format: str, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    @settings(QUICK, max_examples=count)
    @example(
        {
            "head": "---\ntype: feedback\ndescription: about it\n---\n",
            "facts": "Use tabs.\n\n**Why:** they said so.\n",
            "index": "- a line of its own\n",
            "topic": "One paragraph.\n",
            "tasks": "- [ ] one\n- [x] two\n",
            "day": "## Session 10:00\n\n### 10:00\n<!-- session:1 turn:2 -->\n- said\n",
            "other": "### a\nwords\n\n### b\nmore\n",
        }
    )
    @given(TEXTS)
    def holds(texts: dict[str, str]) -> None:
        with tempfile.TemporaryDirectory() as base:
            away = Away(Path(base).resolve(), kind, texts, monkeypatch)
            plan = away.plan(format)
            assert made(plan) == made(away.transfer(format))
            assert {row.place for row in plan.rows if row.ticked} <= made(plan).keys(), "a row names the file that it lands in"

    holds()
