"""What an export's plan says of losses, compared with the bytes that it writes, for every format."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.service.test_nothing_unsaid import Away
from zsmem_tui.core.frontmatter import split_frontmatter
from zsmem_tui.core.left_lines import LeftLine
from zsmem_tui.service import formats
from zsmem_tui.service.export_sources import ALL_GOES, left_said
from zsmem_tui.service.plan import Plan

FORMATS = tuple(name for name in formats.names() if name != formats.BUNDLE)
NOTES = {
    "MEMORY.md": "- [Redis](redis.md) - port and why not 6379\n- [Deploy](deploy.md) - how it goes out\n- Use `uv`, not <pip>\n",
    "redis.md": "---\nname: redis\ndescription: port and why not 6379\ntype: project\n---\n"
    "# Redis\n\n- Local redis listens on 6380\n- Never flush db 0 on staging\n",
    "deploy.md": "---\nname: deploy\ndescription: how it goes out\ntype: project\n---\n"
    "# Deploy\n\nReleases go out on Thursdays.\n\n1. `make release`\n2. Wait in #deploys\n\n---\n\n```\nmake rollback\n```\n",
}
NO_TEXTS = dict.fromkeys(("facts", "index", "topic", "tasks", "day", "other", "head"), "")

Holds = Callable[[str, str], bool]


def words(text: str) -> str:
    return " ".join(["", *re.findall(r"\w+", text), ""])


def only_its_first_words(note: str, there: str) -> bool:
    heading, first, *rest = [line for line in split_frontmatter(note.encode())[1].decode().splitlines() if words(line).strip()]
    return words(f"{heading} {first}") in words(there) and not any(words(line) in words(there) for line in rest)


def no_marks(fact: str, there: str) -> bool:
    return not re.search(r"[<>`]", there) and words("Use uv not pip") in words(there)


def signs(text: str) -> str:
    return "".join(re.findall("[<>]", text))


ROWS: dict[str, Holds] = {
    "Only its first words go along.": only_its_first_words,
    "It loses < and >, which may change what it says.": no_marks,
    "Its backticks stay behind.": no_marks,
    "It is a note there, which is read on demand.": lambda fact, there: there.startswith("---\nname: "),
    "An import takes a block of a project as a note.": lambda fact, there: "description: Facts of this project\n" in there,
    "memsearch finds them by search, in this project only.": lambda fact, there: "`uv`" in there,
    "It is of one project here, so it goes to MEMORY.md: USER.md there is about the person. Ethos knows no projects.": (
        lambda fact, there: words("Use uv not pip") in words(there)
    ),
}
"""What rows say of a text that goes along, with how it is seen in the bytes."""


@pytest.fixture
def away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Away:
    found = Away(tmp_path, "claude_code", NO_TEXTS, monkeypatch)
    memory = next(Path(found.session.root).glob("projects/*/memory"))
    for path in Path(found.session.root).rglob("*.md"):
        path.unlink()
    for name, text in NOTES.items():
        (memory / name).write_text(text)
    return found


def file_of(source: str) -> str:
    return source.rpartition("/")[2].partition(":")[0]


def goes_to(plan: Plan) -> dict[str, str]:
    """For each note, what the plan makes of the files that something of it goes to."""
    after = {change.place: (change.after or b"").decode() for change in plan.changes}
    places = {name: {row.place for row in plan.rows if row.ticked and file_of(row.source) == name} for name in NOTES}
    return {name: "\n".join(after[place] for place in sorted(own)) for name, own in places.items()}


@pytest.mark.parametrize("format", FORMATS)
def test_what_is_said_to_be_lost_is_lost_and_what_is_said_to_go_is_there(away: Away, format: str) -> None:
    plan = away.plan(format)
    there = goes_to(plan)
    every = "\n".join(there.values())
    names = words(re.sub(r"[-_.]", " ", " ".join(change.place for change in plan.changes))).casefold()
    for each in plan.left_lines:
        lines = there[file_of(each.source)].splitlines()
        assert each.text.strip() not in map(str.strip, lines), each
        told = words(re.sub(r"\]\([^)]*\)", "]", each.text))
        same = [line for line in lines if told.strip() and told in words(line)]
        assert each.loses_signs == (bool(same) and not any(signs(each.text) in signs(line) for line in same)), each
        index = re.search(r"\[(.*)\]\(.*\) - (.*)", each.text)
        is_said = index is not None and words(index[1]).casefold() in names and words(index[2]) in words(every)  # of a note there
        assert each.is_changed == (bool(same) or is_said), each
    named = {(file_of(each.source), each.number) for each in plan.left_lines}
    for name, text in NOTES.items():
        for number, line in enumerate(text.splitlines(), 1):
            assert not line.strip() or (name, number) in named or line.strip() in there[name], (name, line)
    for row in plan.rows:
        for sentence in row.losses:
            assert ROWS[sentence](NOTES[file_of(row.source)], there[file_of(row.source)]), (row.source, sentence)


@pytest.mark.parametrize(
    ("changed", "less", "gone", "said"),
    [
        (0, 0, 0, ALL_GOES),
        (1, 0, 0, "1 line goes along in the same words, marked up otherwise."),
        (6, 0, 17, "Left out: 17 lines of a.md; 6 lines go along in the same words, marked up otherwise."),
        (0, 2, 0, "2 lines go along without < and >, which may change what is said."),
    ],
)
def test_how_much_is_left_out_and_how_much_changes_is_one_sentence(changed: int, less: int, gone: int, said: str) -> None:
    every = [LeftLine("a.md", number, "x", number < changed + less, number < less) for number in range(changed + less + gone)]
    assert left_said(every) == said
