"""Which instruction files Claude Code loads, with which of their lines, and where facts can be promoted to."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from zsmem_tui.agents.claude_code import orders
from zsmem_tui.core.layout import Disk

HOME, FOLDER = "/home/ann", "/home/ann/code/shop"
ROOT = f"{HOME}/.claude"


def disk(texts: Mapping[str, str]) -> Disk:
    return Disk(texts.get, lambda folder: sorted(path for path in texts if path.startswith(f"{folder}/")))


def loaded(texts: Mapping[str, str]) -> list[str]:
    return [each.path.removeprefix(f"{HOME}/") for each in orders.of_folder(FOLDER, ROOT, HOME, disk(texts))]


def test_files_are_loaded_from_the_root_down_and_those_of_everybody_apart() -> None:
    texts = {
        f"{ROOT}/CLAUDE.md": "- everybody\n",
        f"{ROOT}/rules/a.md": "- a rule\n",
        f"{ROOT}/rules/b.md": '---\npaths: "src/**"\n---\n- for some\n',
        f"{ROOT}/rules/c.md": "\ufeff---\npaths:\n  - x\n---\n- for some\n",
        f"{ROOT}/rules/d.md": "---\npaths: [\n---\n- bad YAML restricts nothing\n",
        f"{ROOT}/rules/e.txt": "no rule",
        f"{HOME}/code/CLAUDE.md": "- above\n",
        f"{FOLDER}/CLAUDE.md": "- here\n",
        f"{FOLDER}/.claude/CLAUDE.md": "- hidden\n",
        f"{FOLDER}/CLAUDE.local.md": "- mine\n",
        f"{FOLDER}/.claude/rules/deep/x.md": "- deep\n",
        f"{FOLDER}/AGENTS.md": "- others\n",
        f"{FOLDER}/src/CLAUDE.md": "- on demand\n",
    }
    every = [each.path.removeprefix(f"{ROOT}/") for each in orders.of_everybody(ROOT, HOME, disk(texts), ["CLAUDE.md"], "rules")]
    assert every == ["CLAUDE.md", "rules/a.md", "rules/d.md"]
    own = ["CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md", ".claude/rules/deep/x.md"]
    assert loaded(texts) == ["code/CLAUDE.md", *(f"code/shop/{name}" for name in own)]


@pytest.mark.parametrize(
    ("texts", "reads"),
    [
        ({"AGENTS.md": "- a"}, True),
        ({"AGENTS.md": "- a", "CLAUDE.md": "- b"}, False),
        ({"AGENTS.md": "- a", "CLAUDE.local.md": "- b"}, False),
        ({"AGENTS.md": "- a", "CLAUDE.md": "@AGENTS.md\n"}, True),
        ({"AGENTS.md": "- a", "CLAUDE.md": "See (@./AGENTS.md).\n"}, True),
        ({"AGENTS.md": "- a", "CLAUDE.md": "\ufeff@AGENTS.md\r\n"}, True),
        ({"AGENTS.md": "- a", "CLAUDE.md": "`@AGENTS.md`\n```\n@AGENTS.md\n```\n<!-- @AGENTS.md -->\nann@AGENTS.md\n"}, False),
        ({"AGENTS.md": "- a", "CLAUDE.md": "See `a span\n@AGENTS.md of two` lines.\n\n    @AGENTS.md\n"}, False),
        ({"AGENTS.md": "- a", "CLAUDE.md": "- item\n\n      @AGENTS.md\n\n> `quoted\n> @AGENTS.md`\n"}, False),
        ({"AGENTS.md": "- a", "CLAUDE.md": "A tick ` alone.\n\n- item\n    @AGENTS.md\n\n`\n"}, True),
    ],
)
def test_agents_md_is_read_alone_or_where_it_is_imported(texts: dict[str, str], reads: bool) -> None:
    there = {f"{FOLDER}/{name}": text for name, text in texts.items()}
    told = orders.of_folder(FOLDER, ROOT, HOME, disk(there))
    assert (f"{FOLDER}/AGENTS.md" in {each.path for each in told}) is reads
    taking = orders.takes(FOLDER, told, disk(there))
    assert ("AGENTS.md" in taking) is reads and "CLAUDE.md" in taking and ".claude/rules/memory.md" in taking
    assert "ARCHITECTURE.md" not in taking


def test_imports_lead_on_four_times_stay_in_the_project_and_never_go_in_circles() -> None:
    texts = {f"{FOLDER}/{number}.md": f"@{number + 1}.md @/etc/passwd @~/notes.md\n" for number in range(9)}
    texts |= {
        f"{FOLDER}/CLAUDE.md": "@0.md @CLAUDE.md @two\\ words.md @gone.md\n",
        f"{FOLDER}/two words.md": "- x",
        "/etc/passwd": "x",
    }
    texts[f"{HOME}/notes.md"] = "- out"
    assert loaded(texts) == ["code/shop/CLAUDE.md", *(f"code/shop/{number}.md" for number in range(4)), "code/shop/two words.md"]


def test_comments_and_front_matter_of_rules_are_not_loaded() -> None:
    text = "- a\n<!-- zerostack-memory:begin -->\n- b\n<!-- two\nlines --> rest\n```\n<!-- kept -->\n```\n"
    [told] = orders.of_folder(FOLDER, ROOT, HOME, disk({f"{FOLDER}/CLAUDE.md": text}))
    assert [line for number, line in enumerate(text.split("\n")) if number not in told.lines] == [
        "<!-- zerostack-memory:begin -->",
        "<!-- two",
    ]
    rules = disk({f"{ROOT}/rules/a.md": "---\nname: x\n---\n- a\n"})
    [rule] = orders.of_everybody(ROOT, HOME, rules, ["CLAUDE.md"], "rules")
    assert 3 in rule.lines and not rule.lines & {0, 1, 2}


def test_what_is_above_four_megabytes_is_left_out() -> None:
    assert loaded({f"{FOLDER}/CLAUDE.md": "x" * (4 * 1024 * 1024 + 1)}) == []
