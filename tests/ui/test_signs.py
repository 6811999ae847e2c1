"""Signs: one table, one meaning each."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders import PROJECT, AStore
from tests.ui.driving import an_app, running, shows
from zsmem_tui import ui
from zsmem_tui.cli.commands import facts
from zsmem_tui.core.preview import Prompt
from zsmem_tui.service.tasks import task_list
from zsmem_tui.ui import signs
from zsmem_tui.ui.triage import rows as task_rows

ROOM = Path(ui.__file__).parent
PUNCTUATION = frozenset("·…›“”‘’\N{REPLACEMENT CHARACTER}")
ABOUT_TEXT = {
    "keys/names.py": "names of keys",
    "dialogs/finder.py": "names of keys",
    "dialogs/help.py": "names of keys",
    "widgets/row_lines.py": "where lines of Chinese and Japanese may end",
    "widgets/hanging_wrap.py": "what joins characters",
    "widgets/markdown_area.py": "what ends a line",
}
"""Modules that know characters as part of what people write or press, and draw none of them for a meaning."""


def test_no_sign_stands_outside_the_table() -> None:
    found = {
        (name, char) for name, text in _strings() if name not in ABOUT_TEXT for char in text if char > "~" and char.isprintable()
    }
    assert not {(name, char) for name, char in found if char not in PUNCTUATION}


def every_sign() -> list[str]:
    """All signs of the table."""
    named = [
        value
        for name, value in vars(signs).items()
        if name.isupper() and isinstance(value, str) and name not in ("LOADED", "DRAWING")
    ]
    return [char for value in named for char in ([value] if value in (signs.TICKED, signs.UNTICKED) else value)]


def test_a_sign_means_one_thing() -> None:
    every = every_sign()
    assert len(every) == len(set(every))
    assert not PUNCTUATION & set(every)


def test_a_fact_is_told_in_the_same_words_and_signs_everywhere() -> None:
    assert list(signs.FACT_SIGNS) == list(signs.FACT_WORDS) == [str(each) for each in Prompt]
    assert signs.FACT_SIGNS[Prompt.WHOLE].isspace(), "what is whole has no sign"
    assert all(facts.SIGNS[each] == signs.FACT_SIGNS[each] for each in Prompt if each is not Prompt.WHOLE)


def test_every_sign_is_explained_but_what_draws_texts_frames_and_bars() -> None:
    assert sorted(every_sign()) == sorted([*signs.LEGEND, *signs.RARER, *signs.DRAWING])


@pytest.mark.slow
@pytest.mark.parametrize("sign", [signs.CUT, signs.MAYBE, signs.BAR_LOST])
async def test_the_page_of_keys_holds_what_a_sign_means(tmp_path: Path, sign: str) -> None:
    async with running(an_app(AStore(tmp_path / "store"))) as pilot:
        first = (signs.LEGEND | signs.RARER)[sign].split(",")[0]
        await pilot.press("question_mark", *first)
        await shows(pilot, f"{sign} {first}")


def _strings() -> Iterator[tuple[str, str]]:
    """Every string in the code of `ui` that is no docstring, with its module."""
    for path in sorted(ROOM.rglob("*.py")):
        name = str(path.relative_to(ROOM))
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        if name != "signs.py":
            yield from (
                (name, node.value)
                for node in ast.walk(tree)
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs
            )


def test_an_item_that_the_prompt_has_no_room_for_has_the_sign_of_what_is_lost(tmp_path: Path) -> None:
    """As on every other screen; what agents do not look for keeps its own."""
    store = AStore(tmp_path / "memory").has("~/SCRATCHPAD.md", "- [ ] one\n- [ ] two\n- [ ] three\n+ [ ] plus\n")
    head = len(b"\n\n## Scratchpad (open items)\n")
    found = task_list(store.session(inject_cap=head + 18), [PROJECT]).tasks
    shown = {each.item.text: task_rows.task_row(each, "none", 0, lambda _: "").facts[:1] for each in found}
    assert shown == {"one": " ", "two": signs.CUT, "three": signs.LOST, "plus": signs.NOT_LOADED}
