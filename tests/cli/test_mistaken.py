"""A command line that means nothing is refused in one sentence, which names what was meant where that can be guessed."""

from __future__ import annotations

import pytest

from zsmem_tui.cli.main import main, parse_program


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("search --al redis", "search has no option '--al'. Did you mean '--all'? Nothing was done."),
        ("search --josn=1 redis", "search has no option '--josn'. Did you mean '--json'? Nothing was done."),
        ("search --al", "search has no option '--al'. Did you mean '--all'?"),
        ("--projct p search redis", "there is no option '--projct'. Did you mean '--project'?"),
        ("import --from x", "import has no option '--from'. Nothing was done."),
        ("fit --to 0", "fit has no option '--to'. Nothing was done."),
        ("delete note:x", "there is no verb 'delete'. Did you mean 'file rm' or 'scratch rm'?"),
        ("search -q redis", "search has no option '-q'. Nothing was done."),
        ("search redis --quiet-please", "search has no option '--quiet-please'. Nothing was done."),
        ("--json search redis", "'--json' goes behind the verb: zsmem search --json … Nothing was done."),
        ("list x y", "list takes no 'x'. Nothing was done."),
        ("move note:x --to p", "there is no verb 'move'. Did you mean 'file move', 'projects move' or 'scratch move'?"),
        ("diff", "there is no verb 'diff'. Did you mean 'history diff'?"),
        ("prompt", "there is no verb 'prompt'. Did you mean 'context'?"),
        ("triage --json", "there is no verb 'triage'. Did you mean 'scratch'?"),
        ("serach redis", "there is no verb 'serach'. Did you mean 'search'?"),
        ("read", "read: the following arguments are required: SOURCE. Nothing was done."),
        ("search --limit redis", "search: argument --limit: 'redis' is no number from 1 on. Nothing was done."),
        ("search --limit", "search: argument --limit: expected one argument. Nothing was done."),
        ("clear note:x", "'note:x'"),
        ("clear note:x", "zsmem edit note:NAME --delete"),
        ("--profile documents list", "Nothing was done."),
        ("list --project a --cwd b", "not allowed with argument"),
    ],
)
def test_a_mistaken_line_is_refused_in_words(line: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line.split()) == 2
    error = capsys.readouterr().err
    assert said in error and all(each.startswith("zsmem: ") for each in error.splitlines())


def test_what_is_asked_is_not_taken_for_an_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "--", "--al"]) == 1
    assert "--al(0)" in capsys.readouterr().out


def test_the_program_guesses_its_own_options(capsys: pytest.CaptureFixture[str]) -> None:
    for words, said in (
        (["--demmo"], "Did you mean '--demo'?"),
        (["--tuor"], "Did you mean '--tour'?"),
        (["-x"], "no option '-x'"),
    ):
        assert parse_program(words) == 2 and said in capsys.readouterr().err
    assert parse_program(["--cwd"]) == 2 and "--cwd: expected one argument. Nothing was done." in capsys.readouterr().err
