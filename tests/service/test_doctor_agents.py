"""The doctor on the stores of other agents: what their own rules lose, hide or forbid, and the stores of their samples."""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path

import pytest

from tests.builders import NOW, SAMPLES, AStore
from zsmem_tui.agents.claude_code.files import encoded
from zsmem_tui.agents.claude_code.prompt import loaded
from zsmem_tui.config.model import Config
from zsmem_tui.core.checks.duplicates import PAID_TWICE
from zsmem_tui.core.checks.finding import Finding, Level
from zsmem_tui.core.checks.structure import HEAD, OVER_BUDGET, UNSEEN
from zsmem_tui.core.notice import NoticeKind
from zsmem_tui.service import applying, doctor_fixes, fit, previewing, undoing
from zsmem_tui.service.browsing import open_file
from zsmem_tui.service.checkups import Rounds
from zsmem_tui.service.doctor import Doctor
from zsmem_tui.service.facts import acts
from zsmem_tui.service.facts.rows import FactReader, Scope
from zsmem_tui.service.instructions import open_folder
from zsmem_tui.service.plan import Plan
from zsmem_tui.service.session import Session
from zsmem_tui.service.stores import open_store

TODAY = date(2026, 11, 1)
HOME = "projects/-w/memory"
KEY = "ghp_" + "Zk3Qw9Lm2Vt7Xr5Bn8Hj4Pd6Sf1Gc0Ya3Ue"


def opened(kind: str, root: Path) -> Session:
    return open_store(Config(), f"{kind}:{root}", cwd="/w", needs_group=False)


def faults(kind: str, root: Path) -> list[Finding]:
    found = Doctor(opened(kind, root)).examine(None, TODAY)
    assert not found.problems
    return list(found.faults)


def told(found: list[Finding]) -> list[tuple[str, str, int, str]]:
    return [(each.rule.name, each.path.rpartition("/")[2], each.line, each.message) for each in found]


def topic(name: str, about: str, body: str = "Body.\n") -> str:
    return f"---\nname: {name}\ndescription: {about}\ntype: project\n---\n\n{body}"


@pytest.fixture
def claude(tmp_path: Path) -> AStore:
    index = (
        "# Memory Index\n\n- [Scope](project_scope.md) — what is in\n- [Gone](project_gone.md) — was there\n"
        "- [Scope](project_scope.md) — again\n- [Case](Project_case.md) — spelled\n- Words and [more](other.md) words\n"
    )
    made = AStore(tmp_path / "claude").has(f"{HOME}/MEMORY.md", index)
    made.has(f"{HOME}/project_scope.md", topic("scope", "what is in", "See [[project-case]] and [[nothing-here]].\n"))
    made.has(f"{HOME}/project_case.md", topic("project-case", "''"))
    return made.has(f"{HOME}/user_new.md", topic("scope", "who it is"))


def test_an_index_and_the_heads_of_topics_are_judged_by_claude_codes_rules(claude: AStore) -> None:
    found = faults("claude-code", claude.root)
    unlisted = f"No line of {HOME}/MEMORY.md leads to user_new.md: the agent does not know that it is there."
    assert told(found) == [
        ("index", "MEMORY.md", 1, unlisted),
        ("dead-link", "MEMORY.md", 4, "The link leads to project_gone.md, which is not there."),
        ("index", "MEMORY.md", 5, "The link leads to project_scope.md, as line 3 does."),
        ("index", "MEMORY.md", 6, "The link spells project_case.md in another case: on most systems it leads nowhere."),
        ("dead-link", "MEMORY.md", 7, "The link leads to other.md, which is not there."),
        (
            "head",
            "project_case.md",
            1,
            "The file does not say what it is about: the agent chooses files by their descriptions.",
        ),
        ("head", "user_new.md", 1, "The file calls itself scope, as another file is called."),
    ]


def test_a_dead_link_says_which_other_project_has_the_only_file_of_its_name(claude: AStore) -> None:
    other = "projects/-other/memory"
    claude.has(f"{other}/MEMORY.md", "- [Gone](project_gone.md)\n").has(f"{other}/project_gone.md", topic("gone", "was there"))

    def said() -> str:
        return next(each.message for each in faults("claude-code", claude.root) if each.kind == "dead-link" and "gone" in each.text)

    assert said() == "The link leads to project_gone.md, which is not there but in -other."
    claude.has("projects/-third/memory/project_gone.md", topic("gone", "was there"))
    assert said() == "The link leads to project_gone.md, which is not there."


@pytest.mark.parametrize("others", [1, 2])
def test_a_dead_link_of_an_index_is_mended_with_the_only_topic_of_its_name(tmp_path: Path, others: int) -> None:
    store = AStore(tmp_path / "claude").has(f"{HOME}/MEMORY.md", "- [Plan](old/Plan.md) — what is next\n")
    for name in ("plan.md", "new/plan.md")[:others]:
        store.has(f"{HOME}/{name}", topic("plan", "what is next"))
    every = faults("claude-code", store.root)
    [found] = [each for each in every if each.rule.name == "dead-link"]
    assert found.fix is not None
    assert found.fix.sentence == ("Write plan.md instead." if others == 1 else "Take the link away and keep its text.")
    mended = every if others == 1 else [found]  # all at once give the topic no second line
    applying.apply(doctor_fixes.plan(opened("claude-code", store.root), mended))
    left = "[Plan](plan.md)" if others == 1 else "Plan"
    assert store.raw(f"{HOME}/MEMORY.md").decode() == f"- {left} — what is next\n"


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("- [Gone](gone.md)", ""),
        ("* [Old session](old_2026-03-15.md) (session 2026-03-15)", ""),
        ("- [[gone]]", ""),
        ("- [Gone](gone.md) — 15 years, not 6", "- Gone — 15 years, not 6"),
        ("- [[gone|Gone]] holds 七年", "- Gone holds 七年"),
        ("- [Gone](gone.md)\n  in 15 years", "- Gone\n  in 15 years"),
        ("- [Gone](gone.md)\n  - 15 years", "- Gone\n  - 15 years"),
        ("See [Gone](gone.md).", "See Gone."),
    ],
)
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_line_of_an_index_that_says_more_than_its_dead_link_keeps_its_words(
    tmp_path: Path, line: str, left: str, mark: str
) -> None:
    text = f"{mark}{line}\n- next\n"
    store = AStore(tmp_path / "claude").has(f"{HOME}/MEMORY.md", text)
    [found] = [each for each in faults("claude-code", store.root) if each.rule.name == "dead-link"]
    assert found.fix is not None
    assert found.fix.sentence == ("Take the link away and keep its text." if left else "Delete this line.")
    assert found.fix.sentence in f"{NoticeKind.DEAD_LINK.helps} {NoticeKind.DOUBLE_LINK.helps}", "as in front of the prompt"
    applying.apply(doctor_fixes.plan(opened("claude-code", store.root), [found]))
    assert store.raw(f"{HOME}/MEMORY.md").decode() == mark + (f"{left}\n" if left else "") + "- next\n"


def test_a_fact_of_the_instructions_for_all_projects_is_said_to_be_there(tmp_path: Path) -> None:
    store = AStore(tmp_path / "claude").has("CLAUDE.md", "- one\n- two\n").has(f"{HOME}/MEMORY.md", "- three\n")
    session = opened("claude-code", store.root)
    rows = {row.fact.says: row for row in FactReader(session).read(Scope.PROJECT, project="project:-w").rows}
    done = applying.apply(acts.delete(session, [rows["one"]]))
    assert done.message == "Deleted “one” in CLAUDE.md for all projects." and store.raw("CLAUDE.md") == b"- two\n"
    assert f"in {HOME}/MEMORY.md" in applying.apply(acts.delete(session, [rows["three"]])).message


def test_what_the_agent_cannot_read_is_not_added_to_the_index_and_told_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = AStore(tmp_path / "claude").has(f"{HOME}/MEMORY.md", "# Memory Index\n\n- [Two](dead.md) — was there\n")
    for name in ("good", "secret"):
        store.has(f"{HOME}/{name}.md", topic(name, f"what is {name}"))
    (tmp_path / "outside.md").write_text("# Outside\n\nWords of others.\n")
    for name, goal in {"dead": "/nonexistent", "lost": "nowhere.md", "away": str(tmp_path / "outside.md")}.items():
        store.at(f"{HOME}/{name}.md").symlink_to(goal)
    os.mkfifo(store.at(f"{HOME}/fifo.md"))
    real, shut = os.open, str(store.at(f"{HOME}/secret.md"))

    def refused(path: str, *how: int, **named: int) -> int:
        if str(path) == shut:
            raise PermissionError(13, "Permission denied", path)
        return real(path, *how, **named)

    monkeypatch.setattr(os, "open", refused)
    session = opened("claude-code", store.root)
    found = Doctor(session).examine(None, TODAY)
    assert sorted(each.rpartition(": ")[2] for each in found.problems) == ["Permission denied", "it is not an ordinary file"]
    known = {(each.kind, each.path.rpartition("/")[2]): each for each in found.faults}
    assert known.keys() == {
        ("link-out", "away.md"),
        ("link-dead", "dead.md"),
        ("link-dead", "lost.md"),
        (NoticeKind.DEAD_LINK.value, "MEMORY.md"),
        (NoticeKind.UNLISTED.value, "MEMORY.md"),
        ("unreadable", "secret.md"),
    }
    shut_out = known["unreadable", "secret.md"]
    assert (shut_out.level, shut_out.message) == (Level.ERROR, "No permission to read the file: agents read nothing of it.")
    assert shut_out.fix is not None and shut_out.fix.sentence == "Let its owner read it: chmod u+r."
    assert known["link-dead", "dead.md"].message == "A link to /nonexistent, where no file is: agents read nothing of it."
    for each in known.values():
        if each.path.endswith("MEMORY.md"):
            applying.apply(doctor_fixes.plan(session, [each]))
    index = "# Memory Index\n\n- Two — was there\n- [Good](good.md) — what is good\n"
    assert store.raw(f"{HOME}/MEMORY.md").decode() == index


@pytest.mark.parametrize(("lines", "kept"), [(4, 4), (230, 200)])
def test_an_index_has_one_count_of_lines_and_of_tokens_with_its_blank_ones(tmp_path: Path, lines: int, kept: int) -> None:
    claude = AStore(tmp_path).has(f"{HOME}/MEMORY.md", "# Index\n\n" + "- a line of the index\n" * (lines - 2))
    seen = previewing.preview(opened("claude-code", claude.root))
    [use] = seen.uses
    assert (use.lines, use.total) == (kept, lines) and (seen.needed, seen.cap) == (lines, 200)
    assert (use.size, use.tokens) == (seen.size, seen.tokens)


def test_what_is_paid_for_twice_is_what_the_prompt_says(tmp_path: Path) -> None:
    """Instructions of the home folder, of the folder worked in, of one above it, and what one of them brings in."""
    said = [f"The {name} is reviewed by Ewa before noon" for name in ("order", "invoice", "receipt", "refund", "ledger")]
    work = AStore(tmp_path / "shop").has("CLAUDE.md", f"- {said[0]}\n").has("api/CLAUDE.md", f"- {said[1]}\n\n@more.md\n")
    work.has("api/more.md", f"- {said[2]}\n").has("api/README.md", f"- {said[4]}\n")
    folder = str(work.root / "api")
    home = f"projects/{encoded(folder)}/memory"
    claude = AStore(tmp_path / "claude").has("CLAUDE.md", f"- {said[3]}\n")
    claude.has(f"{home}/MEMORY.md", "".join(f"- {each}\n" for each in said))
    session = open_store(Config(), f"claude-code:{claude.root}", cwd=folder)
    found = [each for each in Doctor(session).examine([session.project], TODAY).faults if each.rule == PAID_TWICE]
    assert [each.line for each in found] == [1, 2, 3, 4]
    told = [each.place for each in previewing.findings(session) if each.kind is NoticeKind.TWICE]
    assert sorted(told) == sorted({os.path.join(claude.root, each.related[0].path) for each in found})


def test_the_faults_of_an_index_that_is_not_utf8_are_told_without_edits(claude: AStore) -> None:
    index = f"{HOME}/MEMORY.md"
    claude.has(index, claude.raw(index) + b"- caf\xe9\n")
    found = [each for each in faults("claude-code", claude.root) if each.path == index]
    assert {4, 5, 6, 7} <= {each.line for each in found} and not any(each.fix.edits for each in found if each.fix)


def test_every_fault_of_an_index_has_a_fix_of_one_line(claude: AStore) -> None:
    session = opened("claude-code", claude.root)
    own = [each for each in faults("claude-code", claude.root) if each.path.endswith("MEMORY.md")]
    plan = doctor_fixes.plan(session, own)
    assert plan.count == len(own) == 5 and not plan.left and all((each.fix.sentence if each.fix else None) for each in own)
    applying.apply(plan)
    assert claude.raw(f"{HOME}/MEMORY.md").decode() == (
        "# Memory Index\n\n- [Scope](project_scope.md) — what is in\n- Gone — was there\n- [Case](project_case.md) — spelled\n"
        "- Words and more words\n- [New](user_new.md) — who it is\n"
    )
    assert not [each for each in faults("claude-code", claude.root) if each.path.endswith("MEMORY.md")]


def test_a_head_gets_the_name_of_its_file_and_a_description_of_its_first_words(claude: AStore) -> None:
    claude.has(
        f"{HOME}/project_far.md", "---\r\nname: weather\r\nmetadata:\r\n  type: project\r\n---\r\n\r\n# Far\r\n\r\nIt: rains\r\n"
    )
    claude.has(f"{HOME}/project_long.md", f"---\nname: long\ndescription: >\n---\n\n{'words ' * 50}\n")
    session = opened("claude-code", claude.root)
    own = [each for each in faults("claude-code", claude.root) if each.rule == HEAD]
    told = sorted(f"{each.path.rpartition('/')[2]} {(each.fix.sentence if each.fix else None)}" for each in own)
    assert [each[:60] for each in told] == [
        "project_case.md Write into its head: description: Body.",
        "project_far.md Write into its head: description: It: rains",
        "project_far.md Write into its head: name: project-far",
        "project_long.md Write into its head: description: words word",
        "user_new.md Write into its head: name: user-new",
    ]
    plan = doctor_fixes.plan(session, own)
    assert plan.count == 4 and len(plan.left) == 1 and "project_long.md" in plan.left[0]
    applying.apply(plan)
    assert claude.raw(f"{HOME}/project_far.md").startswith(b'---\r\nname: "project-far"\r\ndescription: "It: rains"\r\nmetadata:')
    assert claude.raw(f"{HOME}/project_case.md").startswith(b'---\nname: project-case\ndescription: "Body."\ntype')
    claude.has(f"{HOME}/project_key.md", f"---\nname: project-key\n---\n\n- token {KEY}\n- for the staging server\n")
    claude.has(f"{HOME}/project_only.md", f"---\nname: project-only\n---\n\n- token {KEY}\n")
    found = {
        each.path.rpartition("/")[2]: each.fix for each in faults("claude-code", claude.root) if each.rule == HEAD and each.fix
    }
    assert found["project_key.md"].sentence == "Write into its head: description: for the staging server"
    assert not found["project_only.md"].edits and KEY[:8] not in found["project_only.md"].sentence
    for name in ("key", "only"):
        claude.at(f"{HOME}/project_{name}.md").unlink()
    assert b'name: "user-new"\n' in claude.raw(f"{HOME}/user_new.md")
    assert [each.path for each in faults("claude-code", claude.root) if each.rule == HEAD] == [f"{HOME}/project_long.md"]


def test_lines_of_an_index_past_the_cut_are_over_the_budget(tmp_path: Path) -> None:
    store = AStore(tmp_path / "claude").has(f"{HOME}/MEMORY.md", "".join(f"- fact number {at} of them all\n" for at in range(230)))
    [found] = [each for each in faults("claude-code", store.root) if each.rule == OVER_BUDGET]
    assert (found.line, found.size, found.level) == (201, 30, Level.WARNING)
    assert found.message.startswith("30 facts are not whole in the prompt: past line 200. The first is projects/-w/memory/")


def test_opencode_passes_over_a_block_and_takes_no_more_into_a_full_one(tmp_path: Path) -> None:
    store = AStore(tmp_path / ".opencode" / "memory").has("human.md", "---\nlabel: 42\n---\nAnn likes tea.\n")
    store.has("persona.md", f"---\nlimit: 20\n---\n{'words ' * 10}\n").has("project.md", "---\nlimit: 200\n---\nfine\n")
    assert told(faults("opencode", store.root)) == [
        ("broken", "human.md", 1, "The file is passed over without a word: label is not text (quote it)."),
        (
            "over-budget",
            "persona.md",
            1,
            "The file has 59 characters, and its limit is 20: the agent can write no more into it.",
        ),
    ]


UNREAD = "The front matter is not read: a line of `---` alone has to open it, and another to close it below its fields."


def test_a_front_matter_that_the_agent_takes_for_text_is_found(tmp_path: Path, claude: AStore) -> None:
    whole = "---\ndescription: what it is\nlimit: 200\n---\nfine\n"
    broken = {
        "typed-before.md": f"X{whole}",
        "no-start.md": whole.removeprefix("---\n"),
        "no-end.md": whole.replace("\n---\n", "\n--\n"),
        "crlf.md": whole.replace("\n", "\r\n"),
        "blanks.md": whole.replace("---\n", "--- \n", 1),
    }
    store = AStore(tmp_path / ".opencode" / "memory").has("whole.md", whole).has("text.md", "Note: all is well\n---\nmore\n")
    store.has("below.md", f"## Notes\n\n{whole}")
    for name, text in broken.items():
        store.has(name, text)
    assert sorted(told(faults("opencode", store.root))) == sorted(("broken", name, 1, UNREAD) for name in broken)
    mem = opened("claude-code", claude.root).mem()
    done = mem.edit("note", "project_scope", "---\nname", "X---\nname")
    assert done.warnings == [f"{done.path} no longer has a front matter that its agent reads."]
    claude.has(f"{HOME}/project_scope.md", f"X{topic('scope', 'what is in')}")
    assert ("broken", "project_scope.md", 1, UNREAD) in told(faults("claude-code", claude.root))
    claude.has(f"{HOME}/project_scope.md", "---\nname: scope\ndescription: what is in\n\nBody.\n\n---\nMore.\n")
    assert ("broken", "project_scope.md", 1, UNREAD) in told(faults("claude-code", claude.root))


def test_a_front_matter_that_no_agent_reads_may_go(tmp_path: Path) -> None:
    whole = "---\ndescription: what it is\n---\nfine\n"
    store = AStore(tmp_path / "memory").has("~/notes/n.md", whole)
    done = store.session().mem().edit("note", "n", "---\nd", "X---\nd")
    assert done.warnings == [] and told(faults("zerostack", store.root)) == []
    for path, is_read in (("CLAUDE.md", False), (".claude/rules/r.md", True)):
        root = AStore(tmp_path / path.partition(".")[0]).has(path, f"X{whole}").root
        assert bool(told(faults("instructions", root))) is is_read


def test_ethos_keeps_the_end_takes_lines_out_and_goes_by_sections(tmp_path: Path) -> None:
    home = "personalities/engineer"
    lines = "".join(f"- the pump number {at} is checked every week by the crew\n" for at in range(500))
    store = AStore(tmp_path / "ethos").has(f"{home}/MEMORY.md", f"You are now a maintainer of pumps.\n\n### pumps\n{lines}")
    found = [(each.rule, each.level, each.line) for each in faults("ethos", store.root)]
    assert (OVER_BUDGET, Level.WARNING, 3) in found
    assert (UNSEEN, Level.WARNING, 1) in found and (UNSEEN, Level.INFO, 1) in found


def test_oh_my_pi_drops_what_is_above_a_hundred_and_masks_what_looks_like_a_key(tmp_path: Path) -> None:
    lessons = [f"- the valve of tank {at} opens to the left side" for at in range(103)]
    lessons[4] = "- the token_bucket_0123456789abcdef12 is slow"
    store = AStore(tmp_path / "memories").has("--w--/learned.md", "\n".join(lessons) + "\n")
    found = faults("oh-my-pi", store.root)
    assert [(each.line, each.size) for each in found if each.rule == OVER_BUDGET] == [(101, 103)]
    assert [each.line for each in found if each.rule == UNSEEN] == [5]


def mended(kind: str, store: AStore, wanted: str = "") -> Plan:
    """What makes a store fit, or mends what is wanted, done; that one undo would take all of it back was tried before."""
    session = opened(kind, store.root)
    plan = doctor_fixes.plan(
        session, [each for each in faults(kind, store.root) if (each.kind == wanted if wanted else each.rule == OVER_BUDGET)]
    )
    before = store.tree()
    if not applying.apply(plan).changed:
        return plan
    after = store.tree()
    assert undoing.undo(session).done and store.tree() == before
    assert undoing.undo(session, redo=True).done and store.tree() == after
    return plan


def test_what_a_full_block_holds_too_much_goes_into_another_block_of_the_same_limit(tmp_path: Path) -> None:
    store = AStore(tmp_path / ".opencode" / "memory")
    rows = [f"- the pump of hall {at} is checked on Monday" for at in range(16)]
    store.has("pumps.md", "---\nlimit: 200\n---\n\n# Pumps\n\n" + "\n".join(rows) + "\n").has("pumps-2.md", "- taken\n")
    plan = mended("opencode", store)
    assert plan.count == 1 and not plan.left and plan.lines > 2
    assert not [each for each in faults("opencode", store.root) if each.rule == OVER_BUDGET]
    parts = [store.raw(name).decode() for name in ("pumps.md", "pumps-3.md", "pumps-4.md", "pumps-5.md")]
    assert [row for part in parts for row in part.splitlines() if row.startswith("- ")] == rows
    assert parts[0].startswith("---\nlimit: 200\n---\n\n# Pumps\n") and "What does not fit into pumps." in parts[1]
    assert store.raw("pumps-2.md") == b"- taken\n"


def test_a_full_block_of_one_line_is_left_to_a_person(tmp_path: Path) -> None:
    store = AStore(tmp_path / ".opencode" / "memory").has("persona.md", f"---\nlimit: 20\n---\n{'words ' * 10}\n")
    before = store.raw("persona.md")
    session = opened("opencode", store.root)
    plan = doctor_fixes.plan(session, faults("opencode", store.root))
    assert not plan.changes and len(plan.left) == 1 and store.raw("persona.md") == before


def test_lessons_above_a_hundred_stay_in_the_file_as_lines_that_the_agent_never_drops(tmp_path: Path) -> None:
    lessons = [f"- the valve of tank {at} opens to the left side" for at in range(103)]
    store = AStore(tmp_path / "memories").has("--w--/learned.md", "\r\n".join(["# Learned", *lessons]) + "\r\n")
    assert mended("oh-my-pi", store).count == 1
    after = store.raw("--w--/learned.md").decode().split("\r\n")
    assert after[:101] == ["# Learned", *lessons[:100]]
    assert after[101:] == [f"*{row[1:]}" for row in lessons[100:]] + [""]
    assert not [each for each in faults("oh-my-pi", store.root) if each.rule == OVER_BUDGET]


def test_facts_of_an_index_that_is_too_long_go_into_a_topic_that_it_lists(tmp_path: Path) -> None:
    facts = [f"- fact number {at} of them all" for at in range(220)]
    told = ["- a fact with a paragraph", "", "  of its own"]
    rows = ["# Memory Index", "", *facts, *told, "- [Scope](project_scope.md) — what is in"]
    store = AStore(tmp_path / "claude").has(f"{HOME}/MEMORY.md", "\n".join(rows) + "\n")
    store.has(f"{HOME}/project_scope.md", topic("scope", "what is in"))
    assert mended("claude-code", store).count == 1
    index = store.raw(f"{HOME}/MEMORY.md").decode().splitlines()
    more = store.raw(f"{HOME}/reference_more_facts.md").decode().splitlines()
    assert len(index) == 190 and index[-5:-1] == rows[-4:] and "(reference_more_facts.md)" in index[-1]
    assert [row for row in (*index, *more) if row in facts] == facts
    assert faults("claude-code", store.root) == []


def test_facts_leave_an_index_with_a_fence_that_is_never_closed_for_a_topic_that_it_lists_above_it(tmp_path: Path) -> None:
    facts = [f"- fact number {at} of them all" for at in range(220)]
    rows = ["# Memory Index", *facts, "- told", "on two lines", "~~~", "```", "- code", "~~~", "```sh", "ls"]
    store = AStore(tmp_path / "claude").has(f"{HOME}/MEMORY.md", "\n".join(rows) + "\n")
    [found] = [each for each in faults("claude-code", store.root) if each.rule == OVER_BUDGET]
    session = opened("claude-code", store.root)
    short = fit.shortening(session, session.project)
    assert short is not None and (short.rule, short.path, short.fix) == (found.rule, found.path, found.fix), "what Fit offers, too"
    done = applying.apply(doctor_fixes.fitted(session, short))
    path = f"{HOME}/MEMORY.md"
    assert (done.message, done.plan.label) == (f"Made {path} fit into the prompt.", f"Made {path} fit"), (
        "it is called what was asked for"
    )
    assert done.plan.notes == ("At least 10 lines and 19,500 bytes stay free for what comes next.",)
    assert fit.shortening(session, session.project) is None
    index = store.raw(f"{HOME}/MEMORY.md").decode().splitlines()
    more = store.raw(f"{HOME}/reference_more_facts.md").decode().splitlines()
    assert len(index) == 190, "what the agent appends next is loaded, too"
    assert "(reference_more_facts.md)" in index[-3] and index[-9:-3] == rows[-8:-2]
    assert index[-2:] == rows[-2:] and [row for row in (*index, *more) if row in facts] == facts


def test_facts_that_leave_an_index_stay_under_their_headings_and_leave_no_empty_ones(tmp_path: Path) -> None:
    rows = ["# Memory", ""]
    for at in range(24):
        deep = [f"### Ports {at}", ""] if at % 2 else []
        rows += [f"## Area {at}", "", *deep, *(f"- fact {each} of area {at}" for each in range(8)), ""]
    store = AStore(tmp_path / "claude").has(f"{HOME}/MEMORY.md", "\n".join(rows))
    assert mended("claude-code", store).count == 1
    index = store.raw(f"{HOME}/MEMORY.md").decode().splitlines()
    more = store.raw(f"{HOME}/reference_more_facts.md").decode().splitlines()
    kept = [row for row in index if row.startswith("- fact")]
    assert len(index) == 190 and len(kept) == 8 * 15 + 4 and "(reference_more_facts.md)" in index[-1]
    assert [row for row in index if row.startswith("#")] == [row for row in rows if row.startswith("#")][: 1 + 16 + 8]
    above = ["## Area 15", "", "### Ports 15", ""]
    assert more[more.index("## Area 15") :] == [*above, *rows[rows.index("- fact 4 of area 15") :]][:-1]
    assert faults("claude-code", store.root) == []


def test_the_blank_lines_between_facts_that_leave_an_index_go_along(tmp_path: Path) -> None:
    rows = ["# Memory", *(row for at in range(103) for row in ("", f"- fact {at}"))]
    store = AStore(tmp_path / "claude").has(f"{HOME}/MEMORY.md", "\n".join(rows) + "\n")
    assert len(rows) == 207 and mended("claude-code", store).count == 1
    index = store.raw(f"{HOME}/MEMORY.md").decode().splitlines()
    assert index[:-1] == rows[:189] and "(reference_more_facts.md)" in index[-1]
    assert (
        len([row for row in store.raw(f"{HOME}/reference_more_facts.md").decode().splitlines() if row in rows[189:] and row]) == 9
    )


def test_an_index_of_nothing_but_links_is_left_to_a_person(tmp_path: Path) -> None:
    rows = [f"- [Part {at}](project_{at}.md) — part {at}" for at in range(205)]
    store = AStore(tmp_path / "claude").has(f"{HOME}/MEMORY.md", "\n".join(rows) + "\n")
    for at in range(205):
        store.has(f"{HOME}/project_{at}.md", topic(f"project-{at}", f"part {at}"))
    [found] = [each for each in faults("claude-code", store.root) if each.rule == OVER_BUDGET]
    assert found.fix is not None and not found.fix.is_ready


def test_a_new_file_of_a_fix_never_takes_the_place_of_one_that_came_meanwhile(tmp_path: Path) -> None:
    store = AStore(tmp_path / ".opencode" / "memory")
    store.has(
        "pumps.md", "---\nlimit: 60\n---\n" + "- the pump of the hall is checked\n" * 1 + "- the pump of the yard is not checked\n"
    )
    session, found = opened("opencode", store.root), faults("opencode", store.root)
    before = store.has("pumps-2.md", "mine\n").raw("pumps.md")
    plan = doctor_fixes.plan(session, found)
    assert not plan.changes and "pumps-2.md" in plan.left[0]
    assert store.raw("pumps.md") == before and store.raw("pumps-2.md") == b"mine\n"


@pytest.mark.parametrize(
    ("kind", "path"),
    [
        ("zerostack", "zerostack/home/.local/share/zerostack/agent/memory"),
        ("claude-code", "claude-code/home/.claude"),
        ("ethos", "ethos/home/.ethos"),
        ("oh-my-pi", "oh-my-pi/home/.omp/agent/memories"),
        ("opencode", "opencode-agent-memory/home/.config/opencode/memory"),
        ("opencode", "opencode-agent-memory/project/.opencode/memory"),
        ("memsearch", "memsearch/project/.memsearch/memory"),
    ],
)
def test_nothing_is_wrong_with_the_samples(kind: str, path: str) -> None:
    assert faults(kind, SAMPLES / path) == []


def test_what_an_index_does_not_list_is_one_finding_with_one_fix_for_all(claude: AStore) -> None:
    names = [f"project_{number:04}.md" for number in range(100)]
    for name in names:
        claude.has(f"{HOME}/{name}", topic(name.removesuffix(".md").replace("_", "-"), f"about {name}"))
    found = [each for each in faults("claude-code", claude.root) if each.rule.name == "index" and each.kind == "unlisted"]
    (one,) = found
    assert one.message.startswith(f"No line of {HOME}/MEMORY.md leads to 101 notes: project_0000.md, project_0001.md, ")
    assert one.message.endswith(" and 98 more: the agent does not know that they are there.")
    session = opened("claude-code", claude.root)
    plan = doctor_fixes.plan(session, found)
    assert one.fix is not None and one.fix.sentence == "Add a line for each of them to the index." and not plan.left
    applying.apply(plan)
    text = claude.raw(f"{HOME}/MEMORY.md").decode()
    assert text.count("\n- [") == 4 + 100 + 1 and text.endswith("- [New](user_new.md) — who it is\n")
    assert not [each for each in faults("claude-code", claude.root) if each.kind == "unlisted"]


@pytest.mark.parametrize("raw", [b"a\xff\xfeb\n", b"# T\xfctel\n\nwords\n", b"---\ndescription: sch\xf6n\n---\nwords\n"])
def test_the_line_for_a_file_that_is_not_utf8_has_its_name_and_no_words_of_it(claude: AStore, raw: bytes) -> None:
    claude.at(f"{HOME}/broken.md").write_bytes(raw)
    (claude.at(f"{HOME}/user_new.md")).unlink()
    (one,) = (each for each in faults("claude-code", claude.root) if each.kind == "unlisted")
    assert one.fix is not None and "- [Broken](broken.md)" in one.fix.edits[0].after


@pytest.mark.draw(3)
@pytest.mark.parametrize("topics", [1, 2])
@pytest.mark.parametrize(("width", "most"), [(0, 200), (238, 100)])
@pytest.mark.parametrize("room", [-30, 0, 1, 2])
@pytest.mark.parametrize("are_facts", [True, False])
def test_a_note_is_led_to_only_by_lines_that_are_loaded(
    tmp_path: Path, topics: int, width: int, most: int, room: int, are_facts: bool
) -> None:
    rows = [f"{'- ' if are_facts else ''}fact {at:03} {'x' * width}{'' if are_facts else '  '}" for at in range(most - room)]
    store = AStore(tmp_path / "claude").has(f"{HOME}/MEMORY.md", "\n".join(rows) + "\n")
    for number in range(topics):
        store.has(f"{HOME}/user_{number}.md", topic(f"user-{number}", "w" * 120))
    before = store.raw(f"{HOME}/MEMORY.md")
    plan = mended("claude-code", store, "unlisted")
    index = store.raw(f"{HOME}/MEMORY.md")
    count = sum(f"(user_{number}.md)" in loaded(index).decode() for number in range(topics))
    led = count == topics
    assert led == (are_facts or room >= topics) and bool(plan.count) == (count > 0)
    assert led or count == max(room, 0)
    assert count or (index == before and "Make room in the index first" in plan.left[0])
    assert not count or loaded(index) == index
    every = b"".join(store.tree().values()).decode()
    assert all(row.strip() in every for row in rows), "no fact is lost"
    assert not [each for each in faults("claude-code", store.root) if led and each.kind == "unlisted"]


@pytest.mark.parametrize("head", [None, "# Memory\n\n- likes tea\n"])
def test_of_more_notes_than_the_index_has_room_for_as_many_get_a_line_as_are_loaded(tmp_path: Path, head: str | None) -> None:
    store = AStore(tmp_path / "claude")
    if head is not None:
        store.has(f"{HOME}/MEMORY.md", head)
    for number in range(300):
        store.has(f"{HOME}/user_{number:03}.md", topic(f"user-{number:03}", "who"))
    (one,) = (each for each in faults("claude-code", store.root) if each.kind == "unlisted")
    assert one.fix is not None
    applying.apply(doctor_fixes.plan(opened("claude-code", store.root), [one]))
    index = store.raw(f"{HOME}/MEMORY.md")
    count = index.count(b"](user_")
    assert loaded(index) == index and index.count(b"\n") == 200
    assert one.fix.sentence == f"Add lines for {count} of them to the index: the agent would not load one more."
    (left,) = (each for each in faults("claude-code", store.root) if each.kind == "unlisted")
    assert left.size == 300 - count and left.fix is not None and left.fix.sentence.startswith("Make room in the index first")


@pytest.mark.parametrize("index", [None, "# Memory Index", "- [A](a.md) — one\r\n", "```\nopen"])
def test_lines_for_all_come_into_whatever_index_there_is(tmp_path: Path, index: str | None) -> None:
    store = AStore(tmp_path / "claude")
    for name in ("b.md", "c.md", *(["a.md"] if index and "a.md" in index else [])):
        store.has(f"{HOME}/{name}", topic(name[0], f"about {name}"))
    if index is not None:
        store.has(f"{HOME}/MEMORY.md", index)
    found = [each for each in faults("claude-code", store.root) if each.kind == "unlisted"]
    plan = doctor_fixes.plan(opened("claude-code", store.root), found)
    assert len(found) == 1 and not plan.left
    applying.apply(plan)
    text = store.raw(f"{HOME}/MEMORY.md").decode()
    ends = "\r\n" if index and "\r" in index else "\n"
    lines = f"- [B](b.md) — about b.md{ends}- [C](c.md) — about c.md"
    assert (
        text
        == {
            None: f"# Memory Index\n\n{lines}\n",
            "# Memory Index": f"# Memory Index\n{lines}",
            "- [A](a.md) — one\r\n": f"- [A](a.md) — one\r\n{lines}\r\n",
            "```\nopen": f"{lines}\n```\nopen",
        }[index]
    )


def test_a_fix_that_pushes_a_fact_out_of_the_prompt_says_so_before(tmp_path: Path) -> None:
    facts = "".join(f"- fact number {number}\n" for number in range(198))
    store = AStore(tmp_path / "claude").has(f"{HOME}/MEMORY.md", f"{facts}- the last that fits\n```\nopen\n")
    store.has(f"{HOME}/b.md", topic("b", "two"))
    session = opened("claude-code", store.root)
    (unlisted,) = (each for each in faults("claude-code", store.root) if each.kind == "unlisted")
    found = Rounds(session).look(())
    assert unlisted.id in found.ids and found.count and 0 not in found.lines[unlisted.path], "it is about no line"
    assert doctor_fixes.plan(session, [unlisted]).notes == ("The prompt: 1 line in, 1 line out, +16 bytes. Out goes: ```.",)
    store.has(f"{HOME}/MEMORY.md", "- [Gone](gone.md) — away\n- one\n").at(f"{HOME}/b.md").unlink()
    (gone,) = (each for each in faults("claude-code", store.root) if each.text == "gone.md")
    assert doctor_fixes.plan(session, [gone]).notes == (), "the line that it deletes is what the fix is about"


def test_a_contradiction_between_files_of_one_prompt_is_found(tmp_path: Path) -> None:
    folder = AStore(tmp_path / "shop").has("CLAUDE.md", "# Shop\n\n- The web server listens on port 8000.\n")
    home = f"projects/{str(folder.root).replace('/', '-').replace('_', '-').replace('.', '-')}/memory"
    claude = AStore(tmp_path / "claude").has(f"{home}/MEMORY.md", "- The web server listens on port 9000.\n")
    claude.has(f"{home}/note.md", topic("note", "notes", "- The web server listens on port 7000.\n"))
    claude.has("CLAUDE.md", "- Commit messages are written in German.\n- Indent code with tabs.\n")
    folder.has(".claude/rules/style.md", "- Indent code with spaces.\n")
    session = open_store(Config(), f"claude-code:{claude.root}", cwd=str(folder.root))
    found = [each for each in Doctor(session).examine(None, TODAY).faults if each.rule.name == "contradiction"]
    told = {(each.path, each.related[0].path, each.related[0].line) for each in found}
    assert (f"{home}/MEMORY.md", str(folder.at("CLAUDE.md")), 3) in told
    assert ("CLAUDE.md", str(folder.at(".claude/rules/style.md")), 1) in told
    assert not any(each.path.endswith("note.md") and each.related[0].path.endswith("CLAUDE.md") for each in found), "on demand"
    for each in found:
        assert each.fix is not None and all(not edit.path.startswith("/") for choice in each.fix.choices for edit in choice.edits)
    other = next(each for each in found if each.related[0].path == str(folder.at("CLAUDE.md")))
    assert other.message == f"This contradicts line 3 of {folder.at('CLAUDE.md')}, which is in the same prompt."
    applying.apply(doctor_fixes.plan(session, [doctor_fixes.picked(other, 0)]))
    assert claude.raw(f"{home}/MEMORY.md") == b"" and folder.raw("CLAUDE.md").endswith(b"port 8000.\n")


def test_a_line_that_stands_twice_in_one_instruction_file_is_found_whichever_agent_reads_it(tmp_path: Path) -> None:
    twice = "# Mine\n\n## Rules\n\n- Never push to main.\n- Use uv.\n- Never push to main.\n"
    claude, gemini = AStore(tmp_path / ".claude").has("CLAUDE.md", twice), AStore(tmp_path / ".gemini").has("GEMINI.md", twice)
    folder = AStore(tmp_path / "shop").has("CLAUDE.md", twice).has("AGENTS.md", twice)
    here = open_folder(Config(), str(folder.root))
    sessions = (opened("claude-code", claude.root), opened("gemini", gemini.root), here)
    found = [fault for session in sessions for fault in Doctor(session).examine(None, TODAY).faults]
    assert [(each.rule.name, each.path, each.line) for each in found] == [
        ("duplicate", name, 7) for name in ("CLAUDE.md", "GEMINI.md", "AGENTS.md", "CLAUDE.md")
    ]
    assert {each.message.partition(" in ")[0] for each in found} == {"The same stands"}
    applying.apply(doctor_fixes.plan(here, found[2:]))
    assert folder.raw("AGENTS.md").decode() == folder.raw("CLAUDE.md").decode() == twice.removesuffix("- Never push to main.\n")


def test_a_contradiction_between_the_instructions_of_two_agents_is_found(tmp_path: Path) -> None:
    folder = AStore(tmp_path / "shop").has("CLAUDE.md", "# Shop\n\n- Indent code with tabs.\n- Never commit to main.\n")
    folder.has("GEMINI.md", "# Shop\n\n- Indent code with spaces.\n- Never commit to main.\n")
    folder.has("AGENTS.md", "# Shop\n\nOurs:\n\n```\n- Indent code with spaces.\n```\n")
    session = open_folder(Config(), str(folder.root))
    doctor = Doctor(session)
    [found] = doctor.examine(None, TODAY).faults
    assert (found.path, found.line, found.message) == ("GEMINI.md", 3, "This contradicts line 3 of CLAUDE.md.")
    applying.apply(doctor_fixes.plan(session, [doctor_fixes.picked(found, 1)]))
    assert b"tabs" not in folder.raw("CLAUDE.md") and not doctor.examine(None, TODAY).faults


def test_of_a_note_that_is_not_utf8_no_more_is_said_than_is_known(tmp_path: Path) -> None:
    home = "projects/-w/memory"
    store = AStore(tmp_path / ".claude").has(f"{home}/MEMORY.md", b"- [A](a.md) caf\xe9\n").has(f"{home}/a.md", b"caf\xe9\n")
    session = open_store(Config(), f"claude-code:{store.root}", group="project:-w", clock=lambda: NOW)
    found = {each.path: each.message for each in Doctor(session).examine(None, NOW.date()).faults if each.kind == "not-utf8"}
    surely, perhaps = "agents cannot read it, and load none of it.", "agents may not be able to read it."
    assert found == {
        f"{home}/{name}": f"The file is not valid UTF-8: {says}" for name, says in (("MEMORY.md", surely), ("a.md", perhaps))
    }
    assert [open_file(session, session.ref_at(path)).problem.partition(".")[0] for path in sorted(found)] == [
        "This file is not valid UTF-8, so agents cannot read it",
        "This file is not valid UTF-8: agents may not be able to read it",
    ]
    own = AStore(tmp_path / "memory").has("MEMORY.md", b"\xff\n").has("~/notes/a.md", b"\xff\n")
    faults = Doctor(own.session()).examine(None, NOW.date()).faults
    assert [each.message.endswith(surely) for each in faults if each.kind == "not-utf8"] == [True, True]
    wrote = session.mem(session.project).write("note", "more", name="a")
    assert [each.partition("valid UTF-8: ")[2][:33] for each in wrote.warnings] == ["agents may not be able to read it"]
