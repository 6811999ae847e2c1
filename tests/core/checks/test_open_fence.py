"""Where the code of an unclosed fence is taken to end."""

from __future__ import annotations

import pytest

from zsmem_tui.core.checks.open_fence import closing, end_of_open_fence

KOTLIN = "```kotlin\ninterface Users {\n    fun all()\n}\n\nclass Found : Users {\n    fun all() {\n\n        run()\n    }\n}"


@pytest.mark.parametrize(
    ("code", "below"),
    [
        (KOTLIN, "\n## Next\nx"),
        (KOTLIN, "\n# Next\nx"),
        (KOTLIN, "### Next\nx"),
        (KOTLIN, "\n- Keep the users sorted.\n- Ask first"),
        (KOTLIN, "\nThe users are sorted by name and age"),
        (KOTLIN, "\n`all` returns each of them, also `{}` and <none>, in the order of their names."),
        (KOTLIN, "\n**The rule**"),
        (KOTLIN, "\n> Quoted here."),
        (KOTLIN, "\n用户按名称排序，不要更改。"),
        (KOTLIN, "\n---\nx"),
        (KOTLIN, "\n```sh\nls\n"),
        (KOTLIN, ""),
        (KOTLIN, "\n\n"),
        ("```sh\nls\n\n# then all of them\nls -a\n\ncd x", "\n## Next"),
        ("```yaml\n- name: x\n\n- name: the other one.\n\n---\na: 1", "\nThey are read in this order."),
        ("```markdown\n# Title\n\nIt says this.\n\n- an item of it.", ""),
        ("- ```\n  a = 1\n\n  b = 2", "- next"),
        ("  ```\n  a = 1\n\n  b = 2", "\nx"),
        ("> ```\n> a = 1\n> b = 2", "\nSaid by the team."),
        ("```", "\nNothing is in it."),
        ("```\n" + "[" * 5_000, "\n" + "This goes on and on. " * 500),
    ],
)
def test_code_ends_at_a_heading_or_where_prose_begins_below_a_blank_line(code: str, below: str) -> None:
    rows = f"Before it:\n\n{code}\n{below}".split("\n")
    assert end_of_open_fence(rows, 2) == 1 + len(code.split("\n"))


@pytest.mark.parametrize(
    ("row", "last"),
    [("```kotlin", "```"), ("  ~~~~ x", "  ~~~~"), ("- ```", "  ```"), ("> 1. ```js", ">    ```"), ("\t```", "\t```")],
)
def test_a_fence_is_closed_in_the_item_or_quote_that_it_stands_in(row: str, last: str) -> None:
    assert closing(row) == last
