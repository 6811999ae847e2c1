"""Completion: what may stand at the end of a line, and that the shells offer it."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.builders import PROJECT, AStore
from zsmem_tui.cli.candidates import Candidates, Files, candidates, is_known
from zsmem_tui.cli.main import build_parser
from zsmem_tui.cli.shell_scripts import script
from zsmem_tui.cli.typed import typed_words
from zsmem_tui.cli.verbs import VERBS


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    found = AStore(tmp_path / "store").has("MEMORY.md", "- alpha\n").has("~/SCRATCHPAD.md", "- [ ] one\n- [x] two\n")
    return found.has("~/notes/deploy.md", "d\n").has("~/notes/two words.md", "w\n").has("~/daily/2026-05-24.md", "a day\n")


def offered(store: AStore, line: str) -> list[str]:
    return [word.text for word in asked(store, line).words]


def asked(store: AStore, line: str) -> Candidates:
    verb, _, rest = line.partition(" ")
    return candidates(typed_words(f"zsmem {verb} --root '{store.root}' --project {PROJECT} {rest}"))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("zsmem re", ["zsmem", "re"]),
        ("zsmem  read ", ["zsmem", "read", ""]),
        ("zsmem read 'note:a b", ["zsmem", "read", "note:a b"]),
        ('zsmem "a\\"b\\c" d\\ e', ["zsmem", 'a"b\\c', "d e"]),
        ("zsmem '' x\\", ["zsmem", "", "x"]),
        ("", [""]),
    ],
)
def test_a_line_is_words_also_before_its_quotes_are_closed(line: str, words: list[str]) -> None:
    assert typed_words(line) == words


def test_a_file_is_offered_as_its_verb_names_it(store: AStore) -> None:
    assert offered(store, "read ") == [
        "long_term",
        "scratchpad",
        "daily",
        "note:deploy",
        "note:two words",
        "daily:2026-05-24",
        "note:",
        "list",
    ]
    assert offered(store, "read note ") == ["deploy", "two words", "2026-05-24"]
    assert offered(store, "write n") == ["note:deploy", "note:two words", "note:"]
    assert offered(store, "write d") == ["daily"]
    assert offered(store, "history --file daily:") == ["daily:2026-05-24"]
    assert offered(store, "history --file=daily:") == ["--file=daily:2026-05-24"]
    assert offered(store, "promote MEM") == ["MEMORY.md:1"]


def test_what_a_verb_does_is_offered_with_what_that_is(store: AStore) -> None:
    assert [(each.text, each.about) for each in asked(store, "file ne").words] == [
        ("new", "make an empty note (note:NAME) or scratchpad")
    ]
    assert offered(store, "history ") == ["list", "show", "diff", "restore", "forget"]
    assert offered(store, "clear ") == ["scratchpad", "daily"]
    assert offered(store, "write note:x --mode ") == ["append", "overwrite"]
    assert offered(store, "doctor --fix dead-path dead-l") == ["dead-link"]


def test_items_are_offered_once_each_and_texts_are_not(store: AStore) -> None:
    first, second = offered(store, "scratch done ")
    assert offered(store, f"scratch done {first} ") == [second]
    assert offered(store, "scratch add ") == []


def test_projects_stores_formats_and_agents_are_offered(store: AStore) -> None:
    store.has("projects/harbor-12345678/notes/n.md", "n\n")
    assert offered(store, "file move note:deploy --to ") == [PROJECT, "harbor-12345678"]
    assert "harbor-12345678" in offered(store, "projects archive ")
    assert {"zerostack", "claude-code", "markdown"} <= set(offered(store, "file copy note:deploy --into "))
    assert {"detect", "ethos", "bundle"} <= set(offered(store, "import "))
    assert "detect" not in offered(store, "export ")
    assert offered(store, "connect claude") == ["claude-code"]
    assert offered(store, "status --profile ") == ["documented", "zerostack-1.7"]


def test_paths_are_left_to_the_shell(store: AStore) -> None:
    assert asked(store, "import claude-code ").files is Files.FILES
    assert asked(store, "status --cwd ") == Candidates((), Files.FOLDERS)
    assert candidates(["zsmem", "--root", ""]) == Candidates((), Files.FOLDERS)


def test_verbs_and_options_are_those_of_the_parser(store: AStore) -> None:
    assert [word.text for word in candidates(["zsmem", ""]).words] == list(VERBS)
    assert [word.text for word in candidates(["zsmem", "--root", "/x", "com"]).words] == ["completion"]
    assert [word.text for word in candidates(["zsmem", "--de"]).words] == ["--demo"]
    assert offered(store, "status --j") == ["--json"] and offered(store, "status --json --j") == []
    assert "--json" in offered(store, "status ")
    assert offered(store, "search re") == [] and candidates(["zsmem", "nonsense", ""]) == Candidates()


def test_a_line_that_means_nothing_offers_what_can_be_known(tmp_path: Path) -> None:
    for line in (
        "zsmem --root '' read ",
        "zsmem --project ../.. read n",
        "zsmem --store nothing read ",
        "zsmem --cwd ~nobody-of-that-name read ",
        f"zsmem --root {tmp_path}/none read note:",
        "zsmem --root ~ --store ethos read ",
        "zsmem read --project",
        "zsmem",
    ):
        assert isinstance(candidates(typed_words(line)), Candidates)


def test_a_name_that_no_line_can_hold_is_not_offered(store: AStore) -> None:
    store.has("~/notes/a\tb\nc\x1b[2J.md", "x\n")
    assert offered(store, "read note:a") == []


def test_completing_writes_nothing(store: AStore) -> None:
    before = {path: path.stat().st_mtime_ns for path in store.root.rglob("*")}
    for line in ("read ", "history show ", "review accept ", "fit --without ", "scratch done ", "promote "):
        offered(store, line)
    assert {path: path.stat().st_mtime_ns for path in store.root.rglob("*")} == before


def test_somebody_has_thought_of_every_argument() -> None:
    every = next(each for each in build_parser()._actions if isinstance(each, argparse._SubParsersAction))
    kinds = {
        str(action.metavar).removeprefix("ACTION [").removesuffix("]" if "ACTION" in str(action.metavar) else "")
        for sub in every.choices.values()
        for action in sub._actions
        if action.nargs != 0 and not action.choices
    }
    assert {kind for kind in kinds if not is_known(kind)} == set()


# In the shells themselves. `zsmem` is this commit's, by a small script on the path.


@pytest.fixture
def on_path(tmp_path: Path, store: AStore) -> dict[str, str]:
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "zsmem"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m zsmem_tui "$@"\n')
    program.chmod(0o755)
    where = {"PYTHONPATH": os.getcwd(), "TERM": "dumb"}
    return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", **where}


def bash(env: dict[str, str], line: str) -> list[str]:
    """What bash would put in the place of the word at the end, taken apart as bash does by its `COMP_WORDBREAKS`."""
    code = f"""{script("bash", {name: verb.help for name, verb in VERBS.items()})}
compopt() {{ echo "compopt $*" >&2; }}
COMP_LINE={quoted(line)} COMP_POINT=${{#COMP_LINE}}
read -r -a COMP_WORDS <<<"$COMP_LINE"
[[ $COMP_LINE == *" " ]] && COMP_WORDS+=("")
COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
COMP_WORDS[COMP_CWORD]=${{COMP_WORDS[COMP_CWORD]##*[:=]}}
_zsmem
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    done = subprocess.run(["bash", "-c", code], capture_output=True, text=True, env=env, check=True)
    return [*done.stdout.rstrip("\n").split("\n"), *done.stderr.split("\n")[:-1]]


def quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


@pytest.mark.program("bash")
def test_bash_offers_what_the_program_answers(on_path: dict[str, str], store: AStore) -> None:
    where = f"--root {store.root} --project {PROJECT}"
    assert bash(on_path, "zsmem wri") == ["write"]
    assert bash(on_path, f"zsmem {where} read note:d") == ["deploy"]
    assert bash(on_path, f"zsmem {where} history --file=note:d") == ["deploy"]
    assert bash(on_path, f"zsmem {where} read no")[:3] == ["note:deploy", "note:two\\ words", "note:"]
    assert bash(on_path, f"zsmem {where} import zerostack ")[-1] == "compopt -o filenames"


HOSTILE = ["$(echo ran)", "`echo ran`", '"; echo ran; "', "'; echo ran; '", "\\$(echo ran)", "a b&c|d;e*?{f,g}~"]


@pytest.mark.program("bash")
@pytest.mark.parametrize("quote", ["", '"', "'"])
def test_a_name_is_one_word_and_no_command_in_the_line_that_bash_puts_it_into(
    on_path: dict[str, str], store: AStore, quote: str
) -> None:
    for name in HOSTILE:
        store.has(f"~/notes/qq{name}.md", "")
    found = bash(on_path, f"zsmem --root {store.root} --project {PROJECT} read note {quote}qq")
    said = "".join(f"printf '%s\\n' {quote}{word}{quote}\n" for word in found)
    done = subprocess.run(["bash", "-c", said], capture_output=True, text=True, check=True)
    assert sorted(done.stdout.split("\n")[:-1]) == sorted(f"qq{name}" for name in HOSTILE)


@pytest.mark.program("bash")
def test_a_name_that_would_bring_an_older_command_back_is_not_put_into_double_quotes(
    on_path: dict[str, str], store: AStore
) -> None:
    store.has("~/notes/qq!rm.md", "").has("~/notes/qq.md", "")
    assert bash(on_path, f'zsmem --root {store.root} --project {PROJECT} read note "qq') == ["qq"]


@pytest.mark.program("fish")
def test_fish_offers_what_the_program_answers(on_path: dict[str, str], store: AStore) -> None:
    where = f"--root {store.root} --project {PROJECT}"

    def fish(line: str) -> list[str]:
        code = f"{script('fish', {name: verb.help for name, verb in VERBS.items()})}\ncomplete -C {quoted(line)}"
        done = subprocess.run(["fish", "--no-config", "-c", code], capture_output=True, text=True, env=on_path, check=True)
        return done.stdout.rstrip("\n").split("\n")

    assert fish("zsmem wri") == ["write\tAdd to a memory file, or replace it."]
    assert fish(f"zsmem {where} read note:") == ["note:\ta note by its name", "note:deploy\tnote", "note:two words\tnote"]
    assert fish(f"zsmem {where} clear ") == ["daily", "scratchpad"]


@pytest.mark.program("zsh")
def test_zsh_offers_what_the_program_answers(on_path: dict[str, str], store: AStore) -> None:
    where = f"--root {store.root} --project {PROJECT}"

    def zsh(line: str) -> list[str]:
        code = f"""
compdef() {{ }}
compadd() {{ local -a rest; rest=("${{@[-1]}}"); print -rl -- "${{(P@)rest}}" }}
_describe() {{ print -rl -- "${{(P@)2}}" }}
_files() {{ print files }}
{script("zsh", {name: verb.help for name, verb in VERBS.items()})}
words=({line}) CURRENT=${{#words}}
_zsmem
"""
        done = subprocess.run(["zsh", "-f", "-c", code], capture_output=True, text=True, env=on_path, check=True)
        return done.stdout.rstrip("\n").split("\n")

    assert "write:Add to a memory file, or replace it." in zsh("zsmem wri")
    assert zsh(f"zsmem {where} read note:") == ["note:deploy", "note:two words", "note:"]
    assert zsh(f"zsmem {where} import zerostack ''") == ["files"]


@pytest.mark.program("bash")
def test_an_answer_takes_no_more_than_the_parser_of_one_verb(on_path: dict[str, str], store: AStore) -> None:
    line = f"zsmem --root {store.root} clear "
    code = "import sys; from zsmem_tui.cli.main import main; main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", code, "completion", "bash", "--line", line], capture_output=True, text=True, env=on_path, check=True
    )
    assert done.stdout == "words\nscratchpad\t\ndaily\t\n"
    assert not {"textual", "rich", "dulwich", "zsmem_tui.agents.registry"} & set(done.stderr.split())
