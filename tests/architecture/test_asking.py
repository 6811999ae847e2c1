from __future__ import annotations

from tests.architecture.test_circles import imported, sources


def test_dialogs_are_opened_by_one_flow_only() -> None:
    texts = sources()
    others = (".ask", ".plan", ".help", ".finder")
    dialogs = {name for name in texts if name.startswith("zsmem_tui.ui.dialogs.") and not name.endswith(others)}
    users = {name for name, text in texts.items() if dialogs & set(imported(name, text, texts))}
    assert users - dialogs == {"zsmem_tui.ui.dialogs.ask"}
    assert [name for name, text in texts.items() if "FinderDialog(" in text] == ["zsmem_tui.ui.dialogs.finder"], "nor is a list"
    assert [name for name, text in texts.items() if "PlanDialog(" in text] == ["zsmem_tui.ui.dialogs.plan"], "nor is a plan"
    pages = {name for name, text in texts.items() if "HelpDialog(" in text}
    assert pages == {"zsmem_tui.ui.dialogs.ask", "zsmem_tui.ui.dialogs.help"}, "nor is a page"


def test_no_type_is_escaped_by_a_cast_in_the_screens() -> None:
    assert [name for name, text in sources().items() if name.startswith("zsmem_tui.ui.") and "cast(" in text] == []
