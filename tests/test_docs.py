"""The README, the pictures and the help are true for this commit."""

from __future__ import annotations

import importlib.util
import re
import shlex
import shutil
import tomllib
from pathlib import Path

import pytest

from tests import docs, shots
from tests.ui.test_signs import every_sign
from zsmem_tui import __version__
from zsmem_tui.cli.main import build_parser
from zsmem_tui.cli.verbs import VERBS
from zsmem_tui.config.model import Config
from zsmem_tui.ui.keys.bindings import ACTIONS, PANES, with_bases
from zsmem_tui.ui.keys.names import key_name

ROOT = Path(__file__).parent.parent


README = docs.README.read_text(encoding="utf-8")

README_LINES = 170
"""What somebody reads who does not know the program yet; the rest stands in the pages of help."""


HELP_WORDS = 15_000
"""Words in all pages of help together, without the pages and tables made from the program: an evening."""

LATEST_LINES = 150
"""Lines of what is new in this version: what somebody reads."""


def fenced(language: str) -> list[str]:
    """The blocks of code of the README in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


def test_what_is_generated_is_up_to_date() -> None:
    assert docs.stale() == [], "run python -m tests.docs"


def test_a_stale_or_missing_page_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(docs.HELP / "changing_keys.md", tmp_path)
    (tmp_path / "settings.md").write_text("# Settings\n\nAs they were once.\n")
    monkeypatch.setattr(docs, "HELP", tmp_path)
    monkeypatch.setattr(docs, "ROOT", Path("/"))
    assert [Path(name).stem for name in docs.stale()] == ["keys", "cli", "zsmem", "settings", "formats", "memory", "rules"]


def test_the_readme_is_short() -> None:
    assert len(README.split("\n")) - 1 <= README_LINES


def test_the_help_is_short() -> None:
    assert len(docs.written().split()) <= HELP_WORDS


@pytest.mark.parametrize(
    "page", [docs.README, docs.HELP / "tour.md", *sorted((docs.HELP / "panes").glob("*.md"))], ids=lambda page: page.stem
)
def test_a_page_about_a_screen_has_no_word_that_has_to_be_looked_up(page: Path) -> None:
    assert re.findall(r"\b(?:slugs?|malformed|documented|story)\b", page.read_text(encoding="utf-8"), re.IGNORECASE) == []


def test_what_is_new_is_a_page() -> None:
    latest = re.split(r"^## ", (docs.HELP / "changes.md").read_text(encoding="utf-8"), flags=re.MULTILINE)[1]
    assert len(latest.split("\n")) <= LATEST_LINES


def test_every_setting_and_every_verb_has_its_place_in_the_pages() -> None:
    settings, cli = docs.settings(), docs.command_line()
    assert [name for name in Config._fields if f"## `{name}`\n" not in settings] == []
    assert [name for name in VERBS if f"## `zsmem {name}`\n" not in cli] == []


@pytest.mark.parametrize("page", [docs.README, docs.CONTRIBUTING, *sorted(docs.HELP.rglob("*.md"))], ids=lambda page: page.stem)
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([\w./-]+)\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", [docs.ARCHITECTURE, docs.CONTRIBUTING], ids=lambda page: page.stem)
def test_every_file_and_package_that_the_map_names_is_there(page: Path) -> None:
    named = re.findall(r"`((?:core|config|store|agents|service|cli|ui|zsmem_tui|tests|screenshots)(?:/[\w.]*)*)`", page.read_text())
    assert named
    assert [name for name in named if not (docs.PACKAGE / name).exists() and not (ROOT / name).exists()] == []


def test_every_module_that_contributing_tells_to_run_is_there() -> None:
    named = re.findall(r"python -m (tests[\w.]+)", docs.CONTRIBUTING.read_text())
    assert len(named) >= 12
    assert [name for name in named if importlib.util.find_spec(name) is None] == []


def test_the_two_commands_of_the_readme_are_one_line_each() -> None:
    lines = README.split("\n")
    program = next(line for line in lines if "pip install -q ." in line)
    tests = next(line for line in lines if "pytest" in line)
    assert program.startswith("python3 -m venv .venv && ") and program.endswith(" && .venv/bin/zsmem")
    assert tests.startswith("python3 -m venv .venv && ") and tests.endswith(" && .venv/bin/python -m pytest")


def test_the_command_line_of_the_readme_means_something() -> None:
    lines = [line for block in fenced("sh") for line in block.split("\n") if "zsmem " in line]
    assert len(lines) == 10
    for line in lines:
        words = shlex.split(re.search(r"zsmem [^|]*", line)[0], comments=True)[1:]  # type: ignore[index]
        assert build_parser((words[0],)).parse_args(words).verb == words[0]


def test_the_python_of_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = fenced("python")
    assert len(code.strip().split("\n")) <= 10
    exec(code, {})
    said = capsys.readouterr().out
    assert "notes/deploy.md" in said and "Redis listens" in said and "memory_search" in said


def test_every_picture_of_the_readme_is_there_and_used() -> None:
    named = set(re.findall(r"\(screenshots/(\w+)\.svg\)", README))
    there = {file.stem for file in (ROOT / "screenshots").glob("*.svg")}
    assert named <= there and there - named <= {"keys"}


@pytest.mark.slow
@pytest.mark.parametrize("shot", shots.SHOTS, ids=lambda shot: shot.name)
async def test_a_picture_is_that_of_this_commit(shot: shots.Shot) -> None:
    drawn = await shots.take(shot)
    stale = []  # names and no texts: to show where two long lines differ, pytest compares for minutes
    if shot.alone and (shots.FOLDER / f"{shot.name}.svg").read_text(encoding="utf-8") != drawn:
        stale.append(shot.name)
    if shot.name in shots.TOUR:
        tour = (shots.FOLDER / "tour.svg").read_text(encoding="utf-8")
        if f'id="frame-{shots.TOUR.index(shot.name)}">{drawn}</g>' not in tour:
            stale.append("tour")
    assert stale == [], "run python -m tests.shots"


def test_the_animated_picture_is_made_of_its_frames() -> None:
    tour = (shots.FOLDER / "tour.svg").read_text(encoding="utf-8")
    frames = re.findall(r'<g class="frame" id="frame-[0-9]+">(<svg.*?</svg>\n?)</g>', tour, re.DOTALL)
    is_made = shots.animated(frames) == tour
    assert len(frames) == len(shots.TOUR) and is_made, "run python -m tests.shots"


def test_every_pane_has_a_page_of_help() -> None:
    for pane in set(PANES.values()):
        assert (ROOT / f"zsmem_tui/help/panes/{pane}.md").read_text().startswith("# ")


NO_KEYS = frozenset({*every_sign(), "+", "=", "-", "⟦", "⟧", "␛", "›", "�"})
"""Single signs that pages speak of and nobody presses, unless they are keys as well."""

OF_TEXTUAL = {
    "editor": {"enter", "tab", "shift+tab", "ctrl+z", "ctrl+y"},
    "conflict": {"f3", "f4"},
    "tree": {"r", "A"},
    "fit": {"="},
}
"""Keys that stand in no table: those of a text that is written, of a question, and of what a page leads to."""


@pytest.mark.parametrize("page", sorted(set(PANES.values())))
def test_the_keys_that_a_page_names_work_there(page: str) -> None:
    every = {key_name(key) for action in ACTIONS for key in action.bound}
    scopes = ["app", *with_bases(scope for scope, explained_by in PANES.items() if explained_by in (page, "plan"))]
    known = {key_name(key) for action in ACTIONS if action.scope in scopes for key in action.listed} | OF_TEXTUAL.get(page, set())
    words = set(re.findall(r"`([^`\n]+)`", (docs.HELP / f"panes/{page}.md").read_text(encoding="utf-8")))
    named = {word.lower() if len(word) > 1 else word for word in words if len(word) == 1 or word.lower() in every}
    assert named - NO_KEYS <= known


def test_the_changelog_tells_of_this_version() -> None:
    assert f"## {__version__}" in (ROOT / "zsmem_tui/help/changes.md").read_text()
    assert f'version = "{__version__}"' in (ROOT / "pyproject.toml").read_text()


def test_no_default_key_is_one_that_terminals_confuse() -> None:
    for action in ACTIONS:
        assert not {"ctrl+h", "ctrl+i", "ctrl+m", "ctrl+left_square_bracket"} & set(action.keys.split(","))


def test_the_licence_goes_into_every_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert (ROOT / "LICENSE").read_text().startswith("MIT License")
    assert project["project"]["license-files"] == ["LICENSE"]
    assert {"LICENSE", ".github"} <= set(project["tool"]["hatch"]["build"]["targets"]["sdist"]["include"])
