from __future__ import annotations

from zsmem_tui.agents.format import Source
from zsmem_tui.agents.markdown import layout
from zsmem_tui.agents.markdown.format import MarkdownFormat
from zsmem_tui.core.refs import Role


def test_only_four_two_and_two_ascii_digits_name_a_day() -> None:
    names = {"2026-05-24.md": Role.LOG, "2026-05-24\n.md": Role.NOTE, "٢٠٢٦-٠٥-٢٤.md": Role.NOTE, "2026-5-24.md": Role.NOTE}
    found = MarkdownFormat("markdown", "Markdown", "markdown").parse(Source(dict.fromkeys(names, b"x\n")))
    assert {each.source: each.role for each in found} == names
    assert {name: place.role for name in names if (place := layout.place(name))} == names
