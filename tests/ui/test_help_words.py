from __future__ import annotations

from zsmem_tui.ui.format.help import only

PAGE = (
    "## Here\n\n### Tree\n\n- `e`  Edit the file.\n- `d`  Delete it.\n\n## Elsewhere\n\n### Viewer\n\n- `e`  Edit there.\n\nWords."
)


def test_a_page_of_help_shows_only_lines_with_the_words_below_their_headings() -> None:
    assert only(PAGE, "delete").split("\n") == ["", "## Here", "", "", "### Tree", "", "- `d`  Delete it."]
    assert only(PAGE, "EDIT there").endswith("### Viewer\n\n- `e`  Edit there.")


def test_without_words_the_page_is_whole_and_without_lines_it_says_so() -> None:
    assert only(PAGE, " ") == PAGE
    assert only(PAGE, "theme") == "Nothing on this page holds “theme”. esc shows all of it again."


TABLE = "# Page\n\n| what | 1.7 |\n|---|---|\n| cap | none |\n| logs | two |\n\nwords\n"


def test_a_row_of_a_table_is_shown_below_its_head() -> None:
    assert only(TABLE, "logs") == "\n# Page\n\n\n| what | 1.7 |\n|---|---|\n| logs | two |"


def test_of_a_table_whose_head_fits_every_row_is_shown() -> None:
    assert only(TABLE, "1.7") == "\n# Page\n\n| what | 1.7 |\n|---|---|\n| cap | none |\n| logs | two |"
