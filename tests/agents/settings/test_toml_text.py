"""One table in a TOML text: comments, order and everything else stay."""

from __future__ import annotations

import tomllib

import pytest

from zsmem_tui.agents.settings import toml_text
from zsmem_tui.agents.settings.errors import HasComments, NotEditable

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


@pytest.mark.parametrize(
    "text",
    [
        'mcp_servers.o.command = "x"\nmcp_servers.o.args = []\nmodel = "m"\n\n[t]\na = 1\n',
        "mcp_servers = {o = {command = 'x'}}\nmodel = 'm'\n",
        "[mcp_servers.o]\ncommand = 'x'\n\n# about t\n[t]\na = 1\n# the end\n",
        "[mcp_servers]\n\n[mcp_servers.o.env]\nA = 'b'\n\n[[t]]\na = nan\n\n[[t]]\na = 2\n",
        "[mcp_servers.o]\ncommand = 'x'\n[t]\na = 1\n[mcp_servers.p]\ncommand = 'y'\n",
        "a = 2020-01-01T00:00:00Z\nb = 07:32:00\nc = 0xff\nd = inf\n",
        '# c\r\n[b]\r\nc = """x\r\ny"""\r\n',
        "a = 1\r\n[b]\nc = 1\n",
        '[t]\na = """\n[mcp_servers.zsmem]\n"""\n',
    ],
)
def test_nothing_but_our_table_says_anything_else_afterwards(text: str) -> None:
    made = toml_text.put(text, PATH, VALUES)
    found = tomllib.loads(made)
    assert found["mcp_servers"].pop("zsmem") == VALUES
    found = {key: each for key, each in found.items() if each}
    assert repr(sorted(found.items())) == repr(sorted((key, each) for key, each in tomllib.loads(text).items() if each))
    assert not text.startswith("mcp_servers = ") or made.endswith("model = 'm'\n")
    assert toml_text.take(made, PATH) == text


def test_a_comment_behind_our_table_stays_when_that_is_taken_out() -> None:
    text = "[mcp_servers.zsmem]\ncommand = 'a' # goes\nargs = [\n  'mcp',\n]\n\n# about t\n[t]\na = 1\n"
    assert toml_text.take(text, PATH) == "# about t\n[t]\na = 1\n"


def test_an_edit_that_would_change_something_else_is_left_to_the_person(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "a = 1\n\n[mcp_servers.zsmem]\ncommand = 'x'\n"
    for way in ("_appended", "_updated", "_cut", "_deleted"):
        monkeypatch.setattr(toml_text, way, lambda *_: "a = 2\n")
    with pytest.raises(HasComments):
        toml_text.put(text, PATH, VALUES)
    with pytest.raises(HasComments):
        toml_text.take(text, PATH)
