from __future__ import annotations

import re

import pytest

from zsmem_tui.service import help
from zsmem_tui.service.help import GUIDE
from zsmem_tui.ui.dialogs.help import help_link, only
from zsmem_tui.ui.keys.bindings import ACTIONS, key_list, row_words

PAGE = (
    "## Here\n\n### Tree\n\n- `e`  Edit the file.\n- `d`  Delete it.\n\n## Elsewhere\n\n### Viewer\n\n- `e`  Edit there.\n\nWords."
)


def test_a_page_of_help_shows_only_lines_with_the_words_below_their_headings() -> None:
    assert only(PAGE, "delete").split("\n") == ["", "## Here", "", "", "### Tree", "", "- `d`  Delete it."]
    assert only(PAGE, "EDIT there").endswith("### Viewer\n\n- `e`  Edit there.")


def test_without_words_the_page_is_whole_and_without_lines_it_says_so() -> None:
    assert only(PAGE, " ") == PAGE
    assert only(PAGE, "theme") == "Nothing on this page holds “theme”. ctrl+p knows more words; esc shows all again."


def test_a_heading_with_the_words_keeps_what_stands_below_it_and_a_line_is_found_by_other_words_for_it() -> None:
    assert only(PAGE, "viewer").split("\n") == ["", "## Elsewhere", "", "", "### Viewer", "", "- `e`  Edit there.", "- Words."]
    assert only(PAGE, "page here").startswith("Nothing on this page")
    assert only(PAGE, "remove", {"- `d`  Delete it.": "Delete remove"}).endswith("### Tree\n\n- `d`  Delete it.")


OTHERS = (
    *("remove", "revert", "restore", "diff", "find", "replace", "save", "settings", "pin", "archive", "trash", "copy", "paste"),
    *("goto", "quit", "seen"),
)


@pytest.mark.parametrize("word", OTHERS)
def test_the_list_of_keys_has_an_action_for_what_others_call_it(word: str) -> None:
    assert "- `" in only(key_list(ACTIONS), word, row_words(ACTIONS))


TABLE = "# Page\n\n| what | 1.7 |\n|---|---|\n| cap | none |\n| logs | two |\n\nwords\n"


def test_a_row_of_a_table_is_shown_below_its_head() -> None:
    assert only(TABLE, "logs") == "\n# Page\n\n\n| what | 1.7 |\n|---|---|\n| logs | two |"


def test_of_a_table_whose_head_fits_every_row_is_shown() -> None:
    assert only(TABLE, "1.7") == "\n# Page\n\n| what | 1.7 |\n|---|---|\n| cap | none |\n| logs | two |"


def test_a_link_of_a_page_leads_to_another_page_of_help_or_to_a_heading() -> None:
    titles = ["Help: Viewer", "Formats", "The exact behaviour"]
    assert help_link("specification.md", titles, 0) == (2, "")
    assert help_link("formats.md#claude-code", titles, 0) == (1, "claude-code")
    assert help_link("#ranking", titles, 2) == (2, "ranking")
    assert help_link("https://example.org", titles, 0) is None
    assert help_link("../store/formats.md", titles, 0) is None
    assert help_link("cli.md", titles, 0) is None


def test_a_page_about_an_agent_that_nobody_has_comes_last() -> None:
    assert next(iter(help.guide({"Claude Code", "zerostack"}))) == [*help.guide({"zerostack"})][-1] == "five_minutes"
    assert help.guide({"zerostack"}) == GUIDE


def test_every_link_of_a_page_of_help_leads_to_a_page() -> None:
    titles = list(GUIDE.values())
    links = [found for name in GUIDE for found in re.findall(r"\]\(([^)\s]+\.md[^)\s]*)\)", help.read(name))]
    assert links and all(help_link(each, titles, 0) for each in links), links
