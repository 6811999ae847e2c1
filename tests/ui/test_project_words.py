"""Projects as words and rows."""

from __future__ import annotations

from tests.ui.test_reading import plain
from zsmem_tui.agents.default import DEFAULT
from zsmem_tui.agents.gemini.layout import GeminiLayout
from zsmem_tui.agents.places import Where
from zsmem_tui.core.catalog import ProjectEntry
from zsmem_tui.core.project_folders import ProjectRecord, State, Verdict
from zsmem_tui.service.projects.known import KnownProject, KnownProjects
from zsmem_tui.ui.projects import naming as project_names
from zsmem_tui.ui.projects import rows as projects
from zsmem_tui.ui.projects.rows import ProjectRow

DAY = 86_400 * 10**9


def known(slug: str, state: State, folder: str = "", label: str = "", **more: str) -> KnownProject:
    verdict = Verdict(state, folder, why=f"{folder or slug} is so.", **more)  # type: ignore[arg-type]
    return KnownProject(slug, f"/m/{slug}", label or folder.rpartition("/")[2] or slug, verdict, ProjectRecord(slug))


def rows(*every: KnownProject) -> dict[str, ProjectRow]:
    return {each.slug: ProjectRow(ProjectEntry(each.slug, ()), each) for each in every}


FAMILY = (
    known("app-1", State.HERE, "/g/app", family="app-1"),
    known("fix-2", State.HERE, "/w/fix", family="app-1"),
    known("lone-3", State.HERE, "/g/lone"),
    known("was-4", State.MOVED, "/g/was", moved_to="/g/now"),
    known("may-5", State.MAYBE, "/g/may", moved_to="/g/like"),
    known("gone-6", State.GONE, "/g/gone"),
    known("what-7", State.UNKNOWN),
)


def test_projects_are_called_by_their_folder_with_marks_and_two_of_one_name_are_told_apart() -> None:
    twins = (
        known("api-1", State.HERE, "/one/api"),
        known("api-2", State.GONE, "/two/api"),
        known("api-3", State.UNKNOWN, label="api"),
    )
    found = project_names.names(KnownProjects((*twins, *FAMILY)), "own-9", "/x/own")
    assert [(found[each].mark, found[each].label) for each in ("api-1", "api-2", "api-3")] == [
        ("", "api (/one)"),
        ("∅ ", "api (/two)"),
        ("", "api (api-3)"),
    ]
    assert {slug: found[slug].mark for slug in ("app-1", "lone-3", "was-4", "may-5", "gone-6", "what-7")} == {
        "app-1": "⑂ ",
        "lone-3": "",
        "was-4": "» ",
        "may-5": "≈ ",
        "gone-6": "∅ ",
        "what-7": "",
    }
    assert found["own-9"].label == "own"


def test_what_asks_for_something_comes_first_and_families_stand_together() -> None:
    every = rows(*reversed(FAMILY))
    order = projects.arranged(list(every.values()), which="all", order="state", wanted="")
    heads = [projects.row(key, every, 0, 80, "state", "").pieces[0][0] for key in order if key.startswith("\0")]
    assert heads == [
        "» Moved: A follows",
        "≈ Perhaps moved or renamed",
        "∅ Gone",
        "? Folder unknown",
        "⑂ One repository: app",
        "Here",
    ]
    assert "Of no folder" not in heads
    person = known("personality:ann", State.UNKNOWN)._replace(of_folder=False)
    own = rows(person, known("what-7", State.UNKNOWN))
    keys = projects.arranged([*own.values()], which="all", order="state", wanted="")
    shown = [projects.row(key, own, 0, 80, "state", "") for key in keys]
    assert ["".join(text for text, _ in each.pieces).strip() for each in shown] == [
        "? Folder unknown",
        "? what-7",
        "Of no folder",
        "personality:ann",
    ]
    assert projects.arranged([*own.values()], which="unknown", order="name", wanted="")[1:] == ["what-7"]
    assert "unknown" not in projects.row("personality:ann", own, 0, 80, "name", "").facts
    assert [key for key in order if not key.startswith("\0")] == ["was-4", "may-5", "gone-6", "what-7", "app-1", "fix-2", "lone-3"]


def test_projects_are_chosen_by_state_and_by_words_of_name_slug_and_folders() -> None:
    every = list(rows(*FAMILY).values())

    def shown(which: str, wanted: str = "", order: str = "name") -> list[str]:
        return projects.arranged(every, which=which, order=order, wanted=wanted)[1:]

    assert shown("moved") == ["may-5", "was-4"] and shown("of one repository") == ["app-1", "fix-2"] and shown("gone") == ["gone-6"]
    assert shown("all", "/g/ NOW") == ["was-4"] and shown("all", "fix-2") == ["fix-2"] and shown("all", "no such") == []


def test_columns_give_way_where_there_is_little_room() -> None:
    every = {"a-1": ProjectRow(ProjectEntry("a-1", ()), known("a-1", State.GONE, "/g/a"), 9 * DAY)}
    facts = {width: projects.row("a-1", every, 10 * DAY, width, "size", "").facts for width in (20, 40, 80)}
    assert "gone" in facts[40] and "gone" not in facts[20] and facts[80].endswith("24h") and "24h" not in facts[40]


def test_a_page_about_a_project_shows_every_sign_of_a_path() -> None:
    every = rows(known("x-1", State.GONE, "/g/__init__ *a* [b](c) `d`"))
    shown = plain(projects.about_page(every["x-1"], every, 0), 76)
    assert sum("/g/__init__ *a* [b](c) `d`" in line for line in shown) == 2


def test_a_project_is_said_with_its_folder_and_not_with_the_name_that_its_store_has_for_it() -> None:
    own = known("project:-g-lone", State.HERE, "/g/lone")
    every = rows(own, known("project:x", State.UNKNOWN, label="x"))
    [(name, _), (kept, _), *_] = projects.about([every["project:-g-lone"]], every, 0)
    assert (name, kept) == ("lone  ", "kept in /m/project:-g-lone\n")
    assert projects.answer(every["project:-g-lone"]) == "lone  /g/lone"
    assert "project:x" in projects.answer(every["project:x"]), "nothing else tells it from another x"


def test_where_the_agent_alone_begins_a_project_no_key_is_said_to() -> None:
    where = Where("/home/ann/.gemini", "/p", "/home/ann", "", lambda: None)  # type: ignore[arg-type, return-value]
    said = projects.nothing(0, "all", "", GeminiLayout(where))
    assert said == "There is no project in this store yet. Gemini CLI itself begins one."
    assert "so does a in the tree" in projects.nothing(0, "all", "", DEFAULT)
