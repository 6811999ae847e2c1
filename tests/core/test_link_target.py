"""Where links lead: to files of the store, never out of it."""

from __future__ import annotations

import pytest

from zsmem_tui.core.link_target import Leads, LeadsAway, LeadsNowhere, LeadsTo, by_name, by_path, heading_line

HOME = "projects/kite-07324233"
HERE = f"{HOME}/notes/deploy.md"
PATHS = [
    "MEMORY.md",
    HERE,
    f"{HOME}/notes/with blank.md",
    f"{HOME}/SCRATCHPAD.md",
    "projects/other/notes/deploy.md",
    "projects/other/notes/only-there.md",
]


@pytest.mark.parametrize(
    ("target", "leads"),
    [
        ("deploy.md", LeadsTo(HERE)),
        ("./deploy.md#How it is done", LeadsTo(HERE, "How it is done")),
        ("#part", LeadsTo(HERE, "part")),
        ("../SCRATCHPAD.md", LeadsTo(f"{HOME}/SCRATCHPAD.md")),
        ("notes/deploy.md", LeadsTo(HERE)),
        ("notes/deploy", LeadsTo(HERE)),
        ("with%20blank.md", LeadsTo(f"{HOME}/notes/with blank.md")),
        ("../../../MEMORY.md", LeadsTo("MEMORY.md")),
        ("MEMORY.md?x=1", LeadsTo("MEMORY.md")),
        ("/store/MEMORY.md", LeadsTo("MEMORY.md")),
        ("https://example.org/a#b", LeadsAway("https://example.org/a#b")),
        ("mailto:ann@example.org", LeadsAway("mailto:ann@example.org")),
    ],
)
def test_a_link_leads_to_a_file_or_to_the_web(target: str, leads: Leads) -> None:
    assert by_path(target, HERE, HOME, PATHS, "/store") == leads


@pytest.mark.parametrize(
    ("target", "word"),
    [
        ("missing.md", "nothing"),
        ("../../../../etc/passwd", "outside"),
        ("../../../../store/MEMORY.md", "outside"),
        ("/etc/passwd", "not in this store"),
        ("/store/../etc/passwd", "not in this store"),
        ("/storefront/MEMORY.md", "not in this store"),
        ("~/secret.md", "not in this store"),
        ("file:///etc/passwd", "no file of the store"),
        ("javascript:alert(1)", "no file of the store"),
        ("%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd", "outside"),
    ],
)
def test_a_link_never_leads_out_of_the_store(target: str, word: str) -> None:
    found = by_path(target, HERE, HOME, PATHS, "/store")
    assert isinstance(found, LeadsNowhere) and word in found.why


def test_a_name_is_of_this_project_before_it_is_of_another() -> None:
    assert by_name("Deploy", f"{HOME}/SCRATCHPAD.md", HOME, PATHS) == LeadsTo(HERE)
    assert by_name("with blank#x", HERE, HOME, PATHS) == LeadsTo(f"{HOME}/notes/with blank.md", "x")
    assert by_name("only there", HERE, HOME, PATHS) == LeadsTo("projects/other/notes/only-there.md")
    assert by_name("#part", HERE, HOME, PATHS) == LeadsTo(HERE, "part")
    assert isinstance(by_name("nobody", HERE, HOME, PATHS), LeadsNowhere)


@pytest.mark.parametrize("wanted", ["How it's done?", "how-its-done", "HOW IT'S DONE?"])
def test_a_heading_is_found_by_its_words_and_by_its_anchor(wanted: str) -> None:
    assert heading_line(wanted, [(0, 1, "Deploy"), (4, 2, "How it's done?")]) == 4
    assert heading_line("no such", [(0, 1, "Deploy")]) is None
