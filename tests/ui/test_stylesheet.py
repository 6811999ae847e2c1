"""Remembered styles are those that Textual finds when it matches every rule anew, wherever a journey leads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.css.stylesheet import Stylesheet, StylesheetParseError
from textual.dom import DOMNode

from tests.builders import AStore
from tests.ui.driving import an_app, running, shows, until
from zsmem_tui.ui.app import ZsmemApp
from zsmem_tui.ui.stylesheet import RememberingStylesheet, thin

KEYS = "tab tab s x escape shift+tab j enter f l e X escape n f2 down escape f3 escape f5 escape f6 escape question_mark escape"


def a_store(tmp_path: Path) -> AStore:
    return AStore(tmp_path).has("MEMORY.md", "# Facts\n\n- one\n- two\n").has("~/SCRATCHPAD.md", "- [ ] a\n- [x] b\n")


def rules_of(node: DOMNode) -> dict[str, Any]:
    parts = {name: styles.base.get_rules() for name, styles in node._component_styles.items()}
    flags = (node._has_hover_style, node._has_focus_within, node._has_order_style, node._has_odd_or_even)
    return {"": (dict(node.styles.base.get_rules()), flags), **parts}


def wrongly_styled(app: ZsmemApp) -> list[str]:
    """What is styled otherwise than a stylesheet would that remembers nothing."""
    plain = Stylesheet(variables=app.get_css_variables())
    plain.source = dict(app.stylesheet.source)
    plain.parse()
    found = []
    for node in app.screen.walk_children(with_self=True):
        before = rules_of(node)
        plain.apply(node)
        after = rules_of(node)
        found += [f"{node} {name}: {before[name]} not {after[name]}" for name in after if before.get(name) != after[name]]
    return found


@pytest.mark.parametrize("size", [(120, 40), (50, 11)])
async def test_every_style_of_a_journey_is_textuals_own(tmp_path: Path, size: tuple[int, int]) -> None:
    async with running(an_app(a_store(tmp_path)), size) as pilot:
        app = pilot.app
        assert not wrongly_styled(app)
        for key in KEYS.split():
            await pilot.press(key)
            assert not wrongly_styled(app), key
        app.theme = "zsmem-light"
        await pilot.pause()
        assert not wrongly_styled(app)
        await pilot.resize_terminal(90, 20)
        await until(pilot, lambda: app.screen.has_class("-narrow"))
        assert not wrongly_styled(app)


async def test_a_start_styles_no_widget_for_another_size_or_theme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    anew: list[str] = []
    monkeypatch.setattr(RememberingStylesheet, "reparse", lambda self: anew.append("reparsed"))
    update = Stylesheet.update_nodes

    def count(self: Stylesheet, nodes: Any, animate: bool = False) -> None:
        known = list(nodes)
        anew.extend("the whole screen" for node in known if node is app.screen)
        update(self, known, animate)

    monkeypatch.setattr(Stylesheet, "update_nodes", count)
    app = an_app(a_store(tmp_path))
    async with running(app) as pilot:
        await shows(pilot, "MEMORY.md")
        assert app.screen.has_class("-normal", "-high")
        assert anew == ["the whole screen"], "once, when it takes the keys"


async def test_parts_of_what_is_not_shown_are_not_styled(tmp_path: Path) -> None:
    app = an_app(a_store(tmp_path))
    async with running(app) as pilot:
        await shows(pilot, "MEMORY.md")
        assert "tree--cursor" in list(app.main.tree_pane.query_one("#tree-view")._component_styles)
        hits = app.main.search.hits
        assert "option-list--option-highlighted" not in list(hits._component_styles), "nobody has searched yet"
        assert hits.get_component_styles("option-list--option-highlighted").background.a > 0
        with pytest.raises(KeyError):
            hits.get_component_styles("tree--cursor")


def test_thin_rules_are_the_same_rules() -> None:
    nested = "A B :hover , .c { width: 1 ; /* x { */ color: red 50% }\n\nD{ & > E { height:2 } }\n"
    for css in (nested, "/* nothing */ ", "", "Screen { }"):
        plain, short = Stylesheet(), Stylesheet()
        plain.add_source(css)
        short.add_source(thin(css))
        assert [rule.css for rule in short.rules] == [rule.css for rule in plain.rules]
        assert [rule.selector_names for rule in short.rules] == [rule.selector_names for rule in plain.rules]


def test_what_is_wrong_with_a_rule_is_told_by_the_line_that_it_stands_on() -> None:
    sheet = RememberingStylesheet()
    sheet.add_source("/* one */\n\nA {\n    width: 1;\n    height: red;\n}\n", read_from=("it.tcss", ""))
    with pytest.raises(StylesheetParseError) as told:
        sheet.parse()
    assert [token.location[0] + 1 for rule in told.value.errors.rules for token, _ in rule.errors] == [5]


async def test_the_rules_of_tools_and_questions_are_read_once_with_the_first(tmp_path: Path) -> None:
    app = an_app(a_store(tmp_path))

    def read() -> list[str]:
        return [name for name, _ in app.stylesheet.source if name.endswith("layers.tcss")]

    async with running(app) as pilot:
        assert not read()
        await pilot.press("f2")
        await until(pilot, lambda: app.tool is not None and app.tool.is_mounted)
        await pilot.press("question_mark")
        await shows(pilot, "All keys")
        assert len(read()) == 1 and not wrongly_styled(app)
