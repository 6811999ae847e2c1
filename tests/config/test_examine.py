"""Every mistake in a settings file is named with its line, whatever the file holds."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest

from zsmem_tui.config.examine import examine
from zsmem_tui.config.load import load
from zsmem_tui.config.model import ABOUT, Config
from zsmem_tui.core.errors import ConfigError

LONG = "9" * 5000
HEX = "0x" + "f" * 5000


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("profile = 'documented'\ninject_cap =\n", 2, "is not valid TOML"),
        ("root = [\n\n", 1, "is not valid TOML"),
        (f"theme = 'dark'\ninject_cap = {LONG}\n", 2, "too many digits"),
        (f"\ninject_cap = {HEX}\n", 2, "beyond all bounds"),
        ("# \n" + "stores = " + "[" * 3000 + "]" * 3000 + "\n", 2, "nested too deeply"),
        ("[keys]\na.b = 'x'\n", 2, '[keys] must hold lines like tree.filter = "slash"'),
        ("theme = 'dark'\n\n[keys]\n# x = 1\n'app.search' = 's'\n'app.help' = 7\n", 6, "not 7"),
        ("stores = [\n  'ethos',\n  7,\n]\ntheme = 'dark'\n", 1, "stores must be a list of texts"),
        ("text = '''\ninject_cap = 1\n'''\ninject_cap = 'x'\n", 4, "inject_cap must be a number"),
        ("theme = 1979-05-27\n", 1, "theme must be text"),
        ("[theme]\nx = 1\n", 1, "theme must be text"),
        ("[[roots]]\nx = 1\n", 1, "roots must be a list of folders"),
        ("keys = {}\nprofile = 'x'\n", 2, "profile must be one of"),
        ("history_days = true\n", 1, "history_days must be a whole number"),
        ("theme = '" + "x" * 9000 + "'\nroot = nan\n", 2, "root must be text, not nan"),
        ("stores = ['" + "x\\" * 0 + "\u202e']\n", 1, "is no store"),
    ],
)
def test_a_mistake_is_named_with_its_line(text: str, line: int, words: str) -> None:
    found = next(each for each in examine(text.encode()).mistakes if words in each.message)
    assert found.line == line and len(found.message) < 500


def test_all_mistakes_are_found_at_once_by_line() -> None:
    found = examine(b"theme = 5\nprofil = 'x'\nroot = '/a'\n\n[keys]\nx = 1\n")
    assert [(each.line, each.key) for each in found.mistakes] == [(1, "theme"), (2, "profil"), (6, "keys")]
    assert dict(found.values) == {"root": "/a"} and found.line("root") == 3


@pytest.mark.parametrize(
    "raw", [b"\xff\xfe", b"a = 'x'\n\xff", b"\x00", b"\xef\xbb\xbftheme = 'dark'", b"= = =", b"a" * 100_000, b"[" * 50_000]
)
def test_no_bytes_are_a_traceback(raw: bytes) -> None:
    assert examine(raw).mistakes


@pytest.mark.parametrize("deep", ["a" + ".a" * 2_000 + " = 1", "[a" + ".a" * 2_000 + "]\nx = 1"], ids=["key", "table"])
def test_a_name_of_any_number_of_parts_is_a_mistake_like_another(deep: str) -> None:
    [mistake] = examine(deep.encode()).mistakes
    assert mistake.line == 1 and mistake.message.startswith("there is no setting called 'a'.")


def test_a_long_statement_costs_no_more_than_its_line() -> None:
    text = "theme = 5\nstores = [\n" + "  'ethos',\n" * 2000 + "]\nprofil = 1\n"
    assert [(each.line, each.key) for each in examine(text.encode()).mistakes] == [(0, "profil"), (1, "theme")]


def test_many_long_statements_cost_no_more_than_one() -> None:
    one = "x{} = [\n" + "1,\n" * 400 + "]\n"
    text = "theme = 5\n" + "".join(one.format(number) for number in range(40))
    start = process_time()
    found = examine(text.encode()).mistakes
    assert len(found) == 41 and {each.line for each in found} > {0, 1, 2}
    assert process_time() - start < 8, "seconds of processor time"


def test_what_starting_says_has_file_line_and_hint(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("\nprofil = 1\ntheme = 5\n")
    with pytest.raises(ConfigError, match=rf"{file}:2: there is no setting called 'profil'. Did you mean 'profile'\?"):
        load(str(file))
    file.write_text("theme = \n")
    with pytest.raises(ConfigError, match=rf"{file}:1 is not valid TOML"):
        load(str(file))


def test_every_setting_is_described() -> None:
    assert list(ABOUT) == list(Config._fields)
