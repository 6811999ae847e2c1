"""The screens over another agent's memory: every number and every sentence is true for its kind."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.builders import NOW, AStore
from tests.ui.driving import NOW_NS, running, screen_text, shows, until
from zsmem_tui.config.model import Config
from zsmem_tui.core.catalog import Catalog, FileEntry
from zsmem_tui.core.notice import NoticeKind
from zsmem_tui.core.preview import Preview, Prompt
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.service import fit, previewing
from zsmem_tui.service.facts.rows import FactReader, Scope
from zsmem_tui.service.session import Session
from zsmem_tui.service.stores import open_store
from zsmem_tui.service.watching import prompt_use
from zsmem_tui.ui import wording as common
from zsmem_tui.ui.app import ZsmemApp
from zsmem_tui.ui.memory.reading import about_store, to_look_at
from zsmem_tui.ui.prompt.fit import reason_for_nothing as nothing
from zsmem_tui.ui.prompt.wording import meter
from zsmem_tui.ui.widgets.budget import Part, parts, sentence

SAMPLES = Path(__file__).parent.parent / "samples"


class Kind(NamedTuple):
    """A kind with its sample, the file that is filled, a line of it, and what is to be said of it then."""

    name: str
    root: str
    group: str
    file: str
    line: str
    times: int
    said: str
    met: str
    reason: str


KINDS = {
    each.name: each
    for each in (
        Kind(
            "claude-code",
            "claude-code/home/.claude",
            "project:-home-ann-code-lantern",
            "projects/-home-ann-code-lantern/memory/MEMORY.md",
            "- a line of the index\n",
            230,
            "236 lines of MEMORY.md in all, 200 loaded, 36 facts lost",
            "! 36 lines over the 200 of MEMORY.md: 36 facts lost, the first MEMORY.md:201 ",
            "past line 200",
        ),
        Kind(
            "ethos",
            "ethos/home/.ethos",
            "personality:engineer",
            "personalities/engineer/MEMORY.md",
            f"- {'fact ' * 20}\n",
            240,
            "24,904 characters in all, 20,000 loaded, 50 facts lost",
            "characters over the 20,000: 50 facts lost, the first MEMORY.md:1 Lantern",
            "it is before the last characters that fit",
        ),
        Kind(
            "opencode",
            "opencode-agent-memory/project/.opencode/memory",
            "",
            "project.md",
            f"- {'fact ' * 20}\n",
            60,
            " characters, no line lost",
            "! 1,290 characters over the 5,000 of the block project",
            "",
        ),
        Kind(
            "memsearch",
            "memsearch/project/.memsearch/memory",
            "",
            "2026-08-04.md",
            "- an item\n",
            60,
            "66 lines of 2026-08-04.md in all, 40 loaded, 23 facts lost (26 lines)",
            "! 26 lines over the 40 of 2026-08-04.md: ",
            "only the last 40 such lines of a day are shown",
        ),
        Kind(
            "oh-my-pi",
            "oh-my-pi/home/.omp/agent/memories",
            "folder:--home-ann-code-lantern--",
            "--home-ann-code-lantern--/learned.md",
            f"- {'fact ' * 20}\n",
            240,
            "characters in all, 20,000 loaded, ",
            "characters over the 20,000: ",
            "it is in the middle, which is cut out",
        ),
        Kind(
            "markdown",
            "memsearch/standalone",
            "",
            "MEMORY.md",
            "- a fact\n",
            9,
            "No memory goes into the prompt",
            "Not in the prompt. ",
            "",
        ),
    )
}


def opened(kind: Kind, tmp_path: Path) -> Session:
    root = tmp_path / "home" / Path(kind.root).name
    shutil.copytree(SAMPLES / kind.root, root)
    with (root / kind.file).open("a") as file:
        file.write(kind.line * kind.times)
    session = open_store(Config(), f"{kind.name}:{root}", group=kind.group, cwd=str(tmp_path), clock=lambda: NOW)
    session._history_home = str(tmp_path / "history")
    return session


@pytest.fixture(params=list(KINDS))
def kind(request: pytest.FixtureRequest, away_from_home: Path) -> Kind:
    return KINDS[request.param]


def words_of(session: Session, seen: Preview) -> dict[str, str]:
    return {use.path: session.layout.part(session.ref_at(use.path).role) for use in seen.uses}


@pytest.mark.parametrize(
    ("line", "met"),
    [
        ("- a\n", " lines left of 200 of MEMORY.md, and "),
        (f"- {'long ' * 60}\n", " bytes left of 25,000 of MEMORY.md, and "),
    ],
)
def test_a_meter_of_two_caps_says_what_is_left_of_the_one_that_cuts_first_and_of_the_other(
    tmp_path: Path, line: str, met: str
) -> None:
    session = opened(KINDS["claude-code"]._replace(line=line, times=40), tmp_path)
    said = meter(previewing.preview(session), session.ref_at(KINDS["claude-code"].file))
    used = (Path(session.root) / KINDS["claude-code"].file).read_bytes()
    other = (
        f"{200 - used.count(bytes((10,))):,} lines of 200" if " bytes left" in met else f"{25_000 - len(used):,} bytes of 25,000"
    )
    assert met in said and said.endswith(f", and {other}"), said


def test_what_is_said_of_the_prompt_is_in_the_unit_of_the_kind(kind: Kind, tmp_path: Path) -> None:
    session = opened(kind, tmp_path)
    seen = previewing.preview(session)
    assert kind.said in sentence(seen), sentence(seen)
    assert kind.met in meter(seen, session.ref_at(kind.file)), meter(seen, session.ref_at(kind.file))
    assert "KB" not in sentence(seen) and seen.rule
    found = [each.text for each in previewing.findings(session, None, seen) if each.kind is NoticeKind.OWN_WORDS]
    own = ["{INSTRUCTIONS}, {BLOCKS_SENTENCE}, {LINE_WARNING}, {TOOLS_SENTENCE}"]
    assert (found == own) == ("{INSTRUCTIONS}" in (seen.text or "")), "a placeholder is explained where it stands"
    assert not kind.reason or kind.reason in {each.reason for each in seen.lost}
    use = common.prompt(prompt_use(session))
    over = f"{seen.needed:,} {seen.unit}, {seen.cap:,} loaded"
    cap = f" of {seen.cap:,}" if seen.cap else ""
    told = over if 0 < seen.cap < seen.needed else f"{seen.needed:,}{cap} {seen.unit}"
    assert told in use if seen.uses else use == "no memory in the prompt"
    assert "!" not in use and ("%" in use) == bool(seen.uses and seen.cap and seen.of), (
        "the share is on the strip, unless of one file"
    )
    shares = parts(seen, words_of(session, seen))
    assert all(share.said == f"{share.size:,}" for share in shares) and ("lost" in {each.name for each in shares}) == bool(
        seen.lost
    )


def test_the_shares_of_an_index_are_its_lines(tmp_path: Path, away_from_home: Path) -> None:
    session = opened(KINDS["claude-code"], tmp_path)
    seen = previewing.preview(session)
    assert [part[:2] for part in parts(seen, words_of(session, seen))] == [Part("index", 200)[:2], Part("lost", 36)[:2]]


def test_facts_have_the_mark_and_the_reason_of_their_own_prompt(kind: Kind, tmp_path: Path) -> None:
    session = opened(kind, tmp_path)
    ref = session.ref_at(kind.file)
    rows = FactReader(session).read(Scope.PROJECT, ref).rows
    own = [row for row in rows if row.ref.path == kind.file]
    if kind.name == "markdown":
        assert {row.prompt for row in own} == {Prompt.NEVER}
        return
    assert Prompt.WHOLE in {row.prompt for row in own}
    lost = {row.reason for row in own if row.prompt is Prompt.LOST}
    assert kind.reason in lost if kind.reason else not lost


def test_fit_says_why_it_has_nothing_to_do_in_a_prompt_that_is_not_cut_as_a_whole(kind: Kind, tmp_path: Path) -> None:
    session = opened(kind, tmp_path)
    found = fit.propose(session)
    assert not found.fit.moves
    assert (
        "It fits already" if kind.name == "opencode" else "Fit makes room where all files share one limit, and here they do not."
    ) in nothing(found)
    assert ("The doctor may have a fix" in nothing(found)) == bool(found.fit.before.lost)
    assert fit.can_help(session, previewing.subject(session)) == (kind.name == "claude-code")


def test_fit_is_not_offered_for_an_index_of_links_only_which_stay(tmp_path: Path) -> None:
    session = opened(KINDS["claude-code"]._replace(line="- [a](a.md) - words\n", times=300), tmp_path)
    assert previewing.preview(session).lost and not fit.can_help(session, previewing.subject(session))


@pytest.mark.slow
@pytest.mark.draw(3)
async def test_no_screen_speaks_of_what_the_kind_has_not(kind: Kind, tmp_path: Path) -> None:
    session = opened(kind, tmp_path)
    async with running(ZsmemApp(session, now_ns=lambda: NOW_NS)) as pilot:
        await pilot.press("f2")
        await shows(pilot, kind.said)
        seen = screen_text(pilot.app)
        await pilot.press("E")
        await shows(pilot, "has one prompt, the same on every day")
        for key, words in (
            ("6", "No item yet. a adds one." if kind.name == "markdown" else "has no checklist, and none of its files"),
            ("7", "Facts · "),
        ):
            await pilot.press("escape")
            await until(pilot, lambda: pilot.app.screen is pilot.app.main)
            await pilot.press(key)
            await shows(pilot, words)
            seen += screen_text(pilot.app)
        assert not [word for word in ("scratchpad", "32.0K", "zerostack", "documented") if word in seen]


@pytest.mark.slow
async def test_every_file_is_in_the_tree_by_its_name(tmp_path: Path, away_from_home: Path) -> None:
    for name, listed in (
        ("ethos", ["MEMORY.md"]),
        ("oh-my-pi", ["learned.md", "memory_summary.md"]),
        ("claude-code", ["CLAUDE.md"]),
    ):
        session = opened(KINDS[name], tmp_path / name)
        async with running(ZsmemApp(session, now_ns=lambda: NOW_NS)) as pilot:
            await pilot.press("1", "home", *(["j", "j", "l"] if name == "claude-code" else ["l"]))
            await shows(pilot, "1 Memory", *listed)


def test_the_page_of_a_store_tells_what_lies_there_from_an_older_version(tmp_path: Path) -> None:
    session = open_store(Config(), f"ethos:{tmp_path}", cwd=str(tmp_path), clock=lambda: NOW)
    assert "older version" not in about_store(session, Catalog())
    (tmp_path / "MEMORY.md").write_text("- old\n")
    assert "MEMORY.md there is from an older version, which puts it into no prompt now. `9`" in about_store(session, Catalog())


def test_the_page_of_a_row_says_what_its_sign_is_about_and_which_key_leads_there(tmp_path: Path) -> None:
    session = AStore(tmp_path / "memory").session()
    entry = FileEntry(MemRef("notes/odd.md", Role.NOTE, name="odd"), None, problem="it is a folder")
    assert to_look_at(session, 0, []) == ""
    assert to_look_at(session, 2, []) == "\n`!` 2 findings of the doctor (`8`).\n"
    said = to_look_at(session, 1, [entry])
    assert "1 finding of the doctor (`8`); " in said and "odd cannot be read (`enter` on it says why)" in said
