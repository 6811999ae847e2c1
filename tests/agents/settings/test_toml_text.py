"""One table in a TOML text: comments, order and everything else stay."""

from __future__ import annotations

import tomllib

import pytest

from zsmem_tui.agents.settings import toml_text
from zsmem_tui.agents.settings.errors import NotEditable

PATH = ("mcp_servers", "zsmem")
VALUES = {"command": "zsmem", "args": ["mcp"]}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# mine\nmodel = 'x'  # why\n",
        "[mcp_servers.a]\ncommand = 'b'\n\n[tui]\nx = 1\n",
        "mcp_servers = {a = {command = 'x'}}\n",
        "[tui]\r\nx = 1\r\n",
    ],
)
def test_a_table_put_in_and_taken_out_leaves_the_text_as_it_was(text: str) -> None:
    made = toml_text.put(text, PATH, VALUES)
    assert tomllib.loads(made)["mcp_servers"]["zsmem"] == VALUES
    assert toml_text.put(made, PATH, VALUES) == made
    assert toml_text.take(made, PATH) == text
    assert made.count("\r\n") == (made.count("\n") if "\r\n" in text else 0)


def test_a_table_that_is_there_keeps_its_comments_and_what_a_person_added() -> None:
    text = "[mcp_servers.zsmem]\ncommand = 'old' # mine\nextra = 1\n"
    made = toml_text.put(text, PATH, VALUES)
    assert "# mine" in made and tomllib.loads(made)["mcp_servers"]["zsmem"] == {**VALUES, "extra": 1}


def test_tables_that_stand_apart_keep_their_order() -> None:
    text = "[mcp_servers.a]\nx=1\n[b]\ny=1\n[mcp_servers.c]\nz=1\n"
    made = toml_text.put(text, PATH, VALUES)
    assert tomllib.loads(toml_text.take(made, PATH)) == tomllib.loads(text)


@pytest.mark.parametrize(
    ("text", "line"),
    [("a = [1\n", 1), ("a = 1\nb = \n", 2), ("mcp_servers = 1\n", 0), ("[[mcp_servers]]\na=1\n", 0), ("a=1\na=2\n", 2), ("x", 1)],
)
def test_a_text_that_is_broken_or_has_no_place_for_a_table_is_refused(text: str, line: int) -> None:
    with pytest.raises(NotEditable) as refused:
        toml_text.put(text, PATH, VALUES)
    assert refused.value.line == line
