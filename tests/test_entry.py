"""What the program is started with every day is read without argparse, and means what argparse says of it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from itertools import product

import pytest

from zsmem_tui import entry
from zsmem_tui.cli.main import find_verb, parse_program
from zsmem_tui.entry import plain_options

PLAIN: tuple[list[str], ...] = (
    [],
    ["--root", "/a"],
    ["--project", "p"],
    ["--root", "/a b", "--project", "p"],
    ["--cwd", "c", "--root", "r"],
)


@pytest.mark.parametrize("words", PLAIN)
def test_a_plain_start_needs_no_argparse(words: list[str]) -> None:
    assert plain_options(words) is not None


def test_it_says_what_argparse_says_and_nothing_of_the_rest(capsys: pytest.CaptureFixture[str]) -> None:
    pieces = ["--root", "--project", "--cwd", "--demo", "--store", "--root=/a", "--", "-x", "", "list", "/a"]
    read = 0
    for words in (list(each) for length in range(5) for each in product(pieces, repeat=length)):
        plain = plain_options(words)
        if plain is not None:
            args = parse_program(words)
            assert find_verb(words) is None and not isinstance(args, int) and vars(plain) == vars(args), words
            read += 1
    assert read == 1 + 3 * 2 + 4 * 4, "nothing; one option; two that may stand together; each with either value"
    assert not any(capsys.readouterr())


@pytest.mark.parametrize(("words", "code"), [(["search", "x"], 4), ([], 4), (["--store", "claude-code", "hook", "codex"], 0)])
def test_a_clock_that_cannot_be_counted_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str], code: int
) -> None:
    class Left(Exception):
        """What ends the process is not done here."""

    def clock() -> int:
        raise OverflowError("timestamp too large to convert to C _PyTime_t")

    def left(found: int) -> None:
        raise Left(found)

    monkeypatch.setattr(time, "time_ns", clock)
    monkeypatch.setattr(entry, "_leave", left)
    monkeypatch.setattr("sys.argv", ["zsmem", *words])
    with pytest.raises(Left) as ended:
        entry.main()
    assert ended.value.args == (code,)
    assert "clock stands before the year 1678 or after 2261" in capsys.readouterr().err


def test_a_variable_left_over_from_completion_stops_no_start() -> None:
    command = [sys.executable, "-m", "zsmem_tui", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "_ARGCOMPLETE": "1"}, check=False)
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.startswith("zsmem ")
