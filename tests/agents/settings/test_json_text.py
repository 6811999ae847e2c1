"""One entry in a JSON text: everything else stays, byte for byte."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from zsmem_tui.agents.settings import json_text
from zsmem_tui.agents.settings.errors import HasComments, NotEditable

PATH = ("mcpServers", "zsmem")
VALUE = {"type": "stdio", "command": "zsmem", "args": ["mcp"], "env": {}}
HOOK = {"matcher": "startup", "hooks": [{"command": "zsmem hook a"}, {"command": "zsmem hook b"}]}
HOOKS = ("hooks", "SessionStart")


def is_ours(value: Any) -> bool:
    return isinstance(value, dict) and str(value.get("command")).startswith("zsmem hook")


@pytest.mark.parametrize(
    "text",
    [
        "{}\n",
        "{}",
        '{"a":1}',
        '{\n  "a": 1\n}\n',
        '{\n\t"mcpServers": {\n\t\t"x": {"command": "y"}\n\t},\n\t"b": [1,\n 2]\n}',
        '{\r\n    "a": {"b": 1e5}\r\n}\r\n',
        '{ "mcpServers": { "x": {} } }\n',
        '{"a": "\\u00e9\\"\\\\ // no comment", "ü": null}',
    ],
)
def test_an_entry_put_in_and_taken_out_leaves_the_text_as_it_was(text: str) -> None:
    made = json_text.put(text, PATH, VALUE)
    assert json.loads(made) == json.loads(text) | {"mcpServers": json.loads(text).get("mcpServers", {}) | {"zsmem": VALUE}}
    assert json_text.put(made, PATH, VALUE) == made
    assert json_text.take(made, PATH) == text
    assert ("\r\n" in made) == ("\r\n" in text) and made.count("\r\n") in (0, made.count("\n"))


def test_the_entry_is_indented_as_its_neighbours() -> None:
    made = json_text.put('{\n    "mcpServers": {\n        "x": 1\n    }\n}\n', PATH, {"command": "zsmem"})
    assert (
        made == '{\n    "mcpServers": {\n        "x": 1,\n        "zsmem": {\n            "command": "zsmem"\n        }\n    }\n}\n'
    )


def test_an_entry_that_stands_in_the_middle_is_changed_and_taken_out_where_it_is() -> None:
    text = '{\n  "mcpServers": {\n    "a": 1,\n    "zsmem": {"command": "old"},\n    "b": 2\n  }\n}\n'
    made = json_text.put(text, PATH, {"command": "zsmem"})
    assert list(json.loads(made)["mcpServers"]) == ["a", "zsmem", "b"]
    assert json_text.take(made, PATH) == '{\n  "mcpServers": {\n    "a": 1,\n    "b": 2\n  }\n}\n'


def test_a_file_that_is_not_there_is_made() -> None:
    assert json.loads(json_text.put("", PATH, VALUE)) == {"mcpServers": {"zsmem": VALUE}}
    assert json_text.take("", PATH) == "" and json_text.get(" \n", PATH) is None


@pytest.mark.parametrize(
    "text",
    [
        "{}\n",
        '{\n  "hooks": {\n    "SessionStart": [\n      {"hooks": [{"command": "other"}]}\n    ]\n  }\n}\n',
        '{"hooks": {"SessionStart": [{"hooks": [{"command": "other"}]}], "Stop": []}}',
    ],
)
def test_a_group_of_hooks_put_in_and_taken_out_leaves_the_text_as_it_was(text: str) -> None:
    made = json_text.append(text, HOOKS, HOOK)
    assert json.loads(made)["hooks"]["SessionStart"][-1] == HOOK
    assert json_text.take_items(made, HOOKS, is_ours, "hooks") == text


@pytest.mark.parametrize("held", ['{"a": 1}', '"x"', "null", "5"])
def test_what_is_no_list_is_not_made_one(held: str) -> None:
    with pytest.raises(NotEditable, match="a list in brackets"):
        json_text.append(f'{{"hooks": {{"SessionStart": {held}}}}}', HOOKS, HOOK)


def test_somebody_elses_hook_in_a_group_with_ours_stays() -> None:
    group = {"hooks": [HOOK["hooks"][0], {"command": "other"}, HOOK["hooks"][1]]}
    text = json_text.append("{}", HOOKS, group)
    assert json.loads(json_text.take_items(text, HOOKS, is_ours, "hooks")) == {
        "hooks": {"SessionStart": [{"hooks": [{"command": "other"}]}]}
    }


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('{"a": }', (1, 7)),
        ('{\n  "a": 1\n  "b": 2\n}', (3, 3)),
        ("{", (1, 2)),
        ("[1, 2", (1, 6)),
        ('{"a": 01}', (1, 8)),
        ('{"a": "x\n"}', (1, 9)),
        ("{} x", (1, 4)),
        ('{"mcpServers": [1]}', (1, 16)),
        ('{"mcpServers": {}, "mcpServers": {}}', (1, 20)),
        ("[]", (1, 1)),
        ("nul", (1, 1)),
        ("[" * 100_000, (0, 0)),
        ('{"a": NaN}', (0, 0)),
    ],
)
def test_a_text_that_is_broken_is_refused_with_its_place(text: str, where: tuple[int, int]) -> None:
    with pytest.raises(NotEditable) as refused:
        json_text.put(text, PATH, VALUE)
    assert (refused.value.line, refused.value.column) == where and not isinstance(refused.value, HasComments)


@pytest.mark.parametrize("text", ["// mine\n{}", '{"a": 1, /* x */ "b": 2}', '{"a": 1,}', '{"a": [1, 2,]}', '{"a": 1 // x\n}'])
def test_json_with_comments_is_told_from_broken_json(text: str) -> None:
    with pytest.raises(HasComments):
        json_text.put(text, PATH, VALUE)


values = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats(allow_nan=False, allow_infinity=False) | some.text(max_size=5),
    lambda each: some.lists(each, max_size=3) | some.dictionaries(some.text(max_size=4), each, max_size=3),
    max_leaves=8,
)


@given(
    some.dictionaries(some.text(max_size=6).filter(lambda key: key != "mcpServers"), values, max_size=4),
    some.sampled_from([None, 1, 4, "\t"]),
)
def test_whatever_else_stands_there_stays(document: dict[str, Any], indent: int | str | None) -> None:
    text = json.dumps(document, indent=indent)
    made = json_text.put(text, PATH, VALUE)
    assert json.loads(made) == {**document, "mcpServers": {"zsmem": VALUE}}
    assert json_text.take(made, PATH) == text


def test_beside_megabytes_of_others_ours_is_put_in_and_taken_out() -> None:
    history = {f"/home/ann/p{number}": {"history": [{"said": "x" * 50}] * 10} for number in range(500)}
    text = json.dumps(
        {"projects": history, "hooks": {"Start": [{"hooks": [{"command": "a"}, {"command": "b"}]}]}, "end": 1}, indent=2
    )
    made = json_text.put(text, ("mcpServers", "zsmem"), {"command": "zsmem"})
    assert json_text.take(made, ("mcpServers", "zsmem")) == text
    added = json_text.append(text, ("hooks", "Start"), {"hooks": [{"command": "c"}]})
    assert json_text.take_items(added, ("hooks", "Start"), lambda each: each == {"command": "c"}, "hooks") == text
