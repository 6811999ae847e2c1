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
