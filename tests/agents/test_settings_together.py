"""Two programs' changes to one settings file, in one text."""

from __future__ import annotations

import json

import pytest

from zsmem_tui.agents.settings.errors import NotEditable
from zsmem_tui.agents.settings.together import put_together

BASE = {"list": ["a"], "empty": {}, "none": [], "value": 1}


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize(
    ("mine", "theirs", "both"),
    [
        ({"new": {"x": [1]}}, {"value": 2}, {"new": {"x": [1]}, "value": 2}),
        ({"list": ["a", "b"]}, {"list": ["c", "a"]}, {"list": ["c", "a", "b"]}),
        ({"empty": {"k": "a, b"}}, {"none": [{}]}, {"empty": {"k": "a, b"}, "none": [{}]}),
        ({"new": "{"}, {"other": "],"}, {"new": "{", "other": "],"}),
        ({}, {"value": 3}, {"value": 3}),
    ],
)
def test_changes_of_both_are_kept(
    indent: int | None, mine: dict[str, object], theirs: dict[str, object], both: dict[str, object]
) -> None:
    base, one, other = (json.dumps({**BASE, **each}, indent=indent).encode() for each in ({}, mine, theirs))
    assert json.loads(put_together(base, one, other)) == {**BASE, **both}


@pytest.mark.parametrize("other", [{"value": 3}, {"value": "x"}])
def test_the_same_value_changed_twice_is_refused(other: dict[str, object]) -> None:
    with pytest.raises(NotEditable, match="changed the same"):
        put_together(*(json.dumps({**BASE, **each}).encode() for each in ({}, {"value": 2}, other)))


def test_a_key_that_both_put_in_is_not_there_twice() -> None:
    with pytest.raises(NotEditable, match="changed the same"):
        put_together(b"{}", b'{"words": ["a"]}', b'{"words": ["a", "b"]}')
    with pytest.raises(NotEditable, match="changed the same"):
        put_together(b"", b'{"words": ["a"], "x": 1}', b'{"words": ["a", "b"], "y": {"words": []}}')


@pytest.mark.parametrize("theirs", [b"", b'{"value": ', b"// x"])
def test_what_is_broken_is_refused(theirs: bytes) -> None:
    with pytest.raises(NotEditable):
        put_together(json.dumps(BASE).encode(), json.dumps({**BASE, "value": 2}).encode(), theirs)


def test_toml_is_put_together_by_its_lines() -> None:
    made = put_together(b"a = 1\nb = 2\nc = 3\n", b"a = 9\nb = 2\nc = 3\n", b"a = 1\nb = 2\nc = 4\n", is_toml=True)
    assert made == b"a = 9\nb = 2\nc = 4\n"
    with pytest.raises(NotEditable):
        put_together(b"a = 1\n", b"a = 2\n", b"a = 3\n", is_toml=True)
