"""The manual page says what `--help` says, and man reads it without a complaint."""

from __future__ import annotations

import subprocess

import pytest

from zsmem_tui.cli.main import main
from zsmem_tui.cli.verbs import VERBS
from zsmem_tui.service import help


def test_every_verb_and_its_options_are_in_the_page() -> None:
    page = help.man_page()
    assert [verb for verb in VERBS if f'.SS "zsmem {verb}"' not in page] == []
    assert "\\fB\\-\\-vimgrep\\fR" in page and "\\fB\\-\\-root\\fR \\fIDIR\\fR" in page
    assert page.count("\\-\\-project\\fR") == 1, "common options are told once"


def test_nothing_in_the_page_is_a_request_by_accident() -> None:
    known = (".TH", ".SH", ".SS", ".TP", ".PP", ".nf", ".fi", ".RS", ".RE", ".B ")
    asked = [line for line in help.man_page().split("\n") if line.startswith((".", "'"))]
    assert [line for line in asked if not line.startswith(known)] == []


@pytest.mark.program("man")
def test_man_reads_it() -> None:
    command = ["man", "--warnings=w", "-E", "UTF-8", "-l", "-"]
    page = help.man_page()
    done = subprocess.run(
        command, input=page, capture_output=True, text=True, check=True, env={"PATH": "/usr/bin:/bin", "MANWIDTH": "100"}
    )
    assert done.stderr == "" and "git log -1 --format=%s | zsmem write daily -" in done.stdout
    assert "EXIT STATUS" in done.stdout and "PS1='$(zsmem status --line 2>/dev/null) \\$ '" in done.stdout


def test_every_page_of_help_is_printed_as_it_stands(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["help"]) == 0
    topics = [line.split(" ")[0] for line in capfd.readouterr().out.split("\n")[:-1]]
    assert {"keys", "settings", "formats", "specification", "changes"} <= set(topics)
    for topic in topics:
        assert main(["help", topic]) == 0 and capfd.readouterr().out == help.read(topic)
    assert main(["help", "nothing"]) == 2
