from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zsmem_tui.agents.yaml.reading import Date, YamlError, load
from zsmem_tui.agents.yaml.writing import string


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: yes\nb: 12:30\nc: on", {"a": "yes", "b": "12:30", "c": "on"}),
        ("a: 010\nb: 0o17\nc: 0b101\nd: 5_000\ne: 1e3", {"a": 10, "b": 15, "c": 5, "d": 5000, "e": 1000.0}),
        ("a: 2026-01-02\nb: '2026-01-02'", {"a": Date("2026-01-02"), "b": "2026-01-02"}),
        ("a:\n- 1\n- x: 2\n  y: [3, {z: 4}]\nb: ~", {"a": [1, {"x": 2, "y": [3, {"z": 4}]}], "b": None}),
        ("a: >\n  one\n  two\n\n  three\n   kept\n", {"a": "one two\nthree\n kept\n"}),
        ("a: |+\n  one\n\nb: 1", {"a": "one\n\n", "b": 1}),
        ('a: "x\\\n  y\\u00e9"', {"a": "xyé"}),
        ('a: "\\ud83d\\ude00 \\ud83d"', {"a": "😀 \ufffd"}),
        ("a: &n 5\nb: *n\nc: !!str 6", {"a": 5, "b": 5, "c": "6"}),
        ("base: &b {x: 1}\nd:\n  <<: *b\n  y: 2", {"base": {"x": 1}, "d": {"x": 1, "y": 2}}),
        ("# only a comment", None),
        ("a: x\r\r\nb: |\r\n  one\r\n  two\r\n", {"a": "x", "b": "one\ntwo\n"}),
    ],
)
def test_values_are_those_of_yaml_1_2(text: str, value: object) -> None:
    assert load(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "a: b: c",
        "a: 1\na: 2",
        "a: [1",
        "a: 'x",
        "a:\n\tb: 1",
        "a: 1\n--- \nb: 2",
        "a: @x",
        "a: - b",
        "a: *none",
        "a: !x y",
        "a: 1\n  b: 2",
        "%YAML 1.2\n---\na: 1",
        "a: x\x1b[31m",
        "a: x\0\nb: []",
        "a: x\x85\x7f",
    ],
)
def test_what_is_not_yaml_is_refused(text: str) -> None:
    with pytest.raises(YamlError):
        load(text)


def test_nesting_is_bounded() -> None:
    for text in ("a: " + "[" * 5000, "- " * 5000 + "x", "\n".join(" " * depth + "a:" for depth in range(300))):
        with pytest.raises(YamlError):
            load(text)


PIECES = st.sampled_from(
    ["a", "bb ccc", " ", "x", "#", "# y", ": ", "-", "long" * 30, "é😀", "\n", "'", '"', "\t", "yes", "12:30", "word " * 40]
)


@given(st.lists(PIECES, max_size=6).map("".join))
def test_what_is_written_is_read_again(text: str) -> None:
    if text.strip(" \n") or not text:  # nothing but blanks over several lines is read differently by readers
        assert load(f"k: {string(text)}\nz:\n  - {string(text, in_list=True)}\n") == {"k": text, "z": [text]}


@given(st.text(alphabet="ab:-[]{}#&*!|>'\"%@`\n\t ,?0.~e\\", max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        load(text)
    except YamlError:
        pass


def test_strings_are_written_as_js_yaml_writes_them() -> None:
    assert [string(each) for each in ("", "yes", "Off", "12:30", "5", "a: b", "it's: x", "a #b", "a#b", "<<")] == [
        "''", "'yes'", "'Off'", "'12:30'", "'5'", "'a: b'", "'it''s: x'", "'a #b'", "a#b", "'<<'",
    ]  # fmt: skip
    assert string("tab\there") == '"tab\\there"' and string("a\nb") == "|-\n  a\n  b"
    assert string("12:3012:30") == "'12:3012:30'" and string(" " + "w " * 70) == f"' {'w ' * 70}'"
    assert string("w " * 59 + "x").startswith(">-\n  w w") and string("w " * 58 + "xx") == "w " * 58 + "xx"


@pytest.mark.parametrize("more", ["", "z: [1]\n", "z:\t|\t# one\n  1\t2\t\n\n  \t- x:\t3\n\t\n"])
def test_a_tab_between_words_is_white_space_whatever_else_there_is(more: str) -> None:
    """A head of one key a line is read without the library, another with it; a block of text keeps its tabs."""
    head = f'a: \tx\nb: x\t\n\t\nc: x\ty\nd:\t5\ne: x\t# more\nf: "x\ty"\ng: x\u2028y\n{more}'
    for text in (head, head.replace("\n", "\r\n")):
        found = load(text)
        assert isinstance(found, dict)
        assert [found[key] for key in "abcdefg"] == ["x", "x", "x\ty", 5, "x", "x\ty", "x\u2028y"]
        assert found.get("z") in (None, [1], "1\t2\t\n\n\t- x:\t3\n")


def test_a_head_of_one_key_a_line_takes_no_library() -> None:
    head = 'name: x y\ndescription: "a: b"\nmetadata:\n  type: user\n  at: 2026-08-03\nlimit: 12\nempty:\n'
    code = f"from zsmem_tui.agents.yaml.reading import load; import sys; load({head!r}); print('ruamel.yaml' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
    flat = {
        "name": "x y",
        "description": "a: b",
        "metadata": {"type": "user", "at": Date("2026-08-03")},
        "limit": 12,
        "empty": None,
    }
    assert load(head) == flat and load(f"{head}z: []\n") == {**flat, "z": []}
