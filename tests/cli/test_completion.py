"""Completion: what may stand at the end of a line, and that the shells offer it."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import forking
from tests.builders import PROJECT, AStore
from zsmem_tui.cli.completion import OF_PLACE, PATHS, SOURCES
from zsmem_tui.cli.main import build_parser, main
from zsmem_tui.cli.verbs import VERBS
from zsmem_tui.service.completing import path_from

STORE = {
    "MEMORY.md": "- alpha\n",
    "~/SCRATCHPAD.md": "- [ ] one\n- [x] two\n",
    "~/notes/deploy.md": "d\n",
    "~/notes/two words.md": "w\n",
    "~/daily/2026-05-24.md": "a day\n",
}


ANSWER = """
import json, os, sys
os.environ.update(json.loads(sys.argv.pop()))
os.dup2(1, 8)  # where shells read the answer
sys.stdout = open(os.devnull, "w")
os.dup2(sys.stdout.fileno(), 9)
from zsmem_tui.entry import main
main()
"""


def asked(line: str, shell: str = "fish") -> list[str]:
    """What the program answers to the script of a shell, each word with what it is behind a tab."""
    about = {"_ARGCOMPLETE": "1", "_ARGCOMPLETE_IFS": "\n", "_ARGCOMPLETE_DFS": "\t", "_ARGCOMPLETE_SUPPRESS_SPACE": "1"}
    typed = {"COMP_LINE": line, "COMP_POINT": str(len(line)), "_ARGCOMPLETE_SHELL": shell}
    done = forking.python(ANSWER, json.dumps({**about, **typed}))
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split("\n") if done.stdout else []


def offered(store: AStore, line: str) -> list[str]:
    verb, _, rest = line.partition(" ")
    found = asked(f"zsmem {verb} --root '{store.root}' --project {PROJECT} {rest}")
    return [word.partition("\t")[0] for word in found]


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
    assert asked("zsmem file ne") == ["new\tmake an empty note (note:NAME) or scratchpad"]
    assert offered(store, "history ") == ["list", "show", "diff", "restore", "forget"]
    assert offered(store, "clear ") == ["scratchpad", "daily"]
    assert offered(store, "write note:x --mode ") == ["append", "overwrite"]
    assert offered(store, "doctor --fix dead-path dead-l") == ["dead-link"]


def test_items_are_offered_once_each_and_texts_are_not(store: AStore) -> None:
    first, second = offered(store, "scratch done ")
    assert offered(store, f"scratch done {first} ") == [second]
    assert not {first, second} & set(offered(store, "scratch add "))


def test_projects_stores_formats_and_agents_are_offered(store: AStore) -> None:
    store.has("projects/harbor-12345678/notes/n.md", "n\n")
    assert offered(store, "file move note:deploy --to ") == [PROJECT, "harbor-12345678"]
    assert "harbor-12345678" in offered(store, "projects archive ")
    assert {"zerostack", "claude-code", "markdown"} <= set(offered(store, "file copy note:deploy --into "))
    assert {"detect", "ethos", "bundle"} <= set(offered(store, "import "))
    assert "detect" not in offered(store, "export ")
    assert offered(store, "connect claude") == ["claude-code"]
    assert offered(store, "status --profile ") == ["documented", "zerostack-1.7"]


def test_paths_are_offered(store: AStore, tmp_path: Path) -> None:
    (tmp_path / "a file").touch()
    (tmp_path / "folder").mkdir()
    assert {f"{tmp_path}/a file", f"{tmp_path}/folder/"} <= set(offered(store, f"import claude-code {tmp_path}/"))
    assert offered(store, f"status --cwd {tmp_path}/f") == [f"{tmp_path}/folder/"]
    assert asked(f"zsmem --root {tmp_path}/f") == [f"{tmp_path}/folder/\t"]


def test_verbs_and_options_are_those_of_the_parser(store: AStore) -> None:
    assert asked("zsmem ") == [f"{name}\t{verb.help}" for name, verb in VERBS.items()]
    assert [word.partition("\t")[0] for word in asked("zsmem --root /x com")] == ["completion"]
    assert asked("zsmem --de") == ["--demo\topen the program on a sample, in a home folder of its own"]
    assert offered(store, "status --j") == ["--json"]
    assert "--json" in offered(store, "status ")
    assert offered(store, "search re") == [] and asked("zsmem nonsense ") == []


@pytest.mark.parametrize(
    "line",
    [
        "zsmem --root '' read ",
        "zsmem --project ../.. read n",
        "zsmem --store nothing read ",
        "zsmem --cwd ~nobody-of-that-name read ",
        "zsmem --root /nowhere read note:",
        "zsmem --root ~ --store ethos read ",
        "zsmem read --project",
        "zsmem",
    ],
)
def test_a_line_that_means_nothing_is_answered_all_the_same(line: str) -> None:
    assert isinstance(asked(line), list)


def test_a_name_that_no_line_can_hold_is_not_offered(store: AStore) -> None:
    store.has("~/notes/a\tb\nc\x1b[2J.md", "x\n")
    assert offered(store, "read note:a") == []


def test_completing_writes_nothing(store: AStore) -> None:
    before = {path: path.stat().st_mtime_ns for path in store.root.rglob("*")}
    for line in ("read ", "history show ", "review accept ", "fit --without ", "scratch done ", "promote "):
        offered(store, line)
    assert {path: path.stat().st_mtime_ns for path in store.root.rglob("*")} == before


FREE = {"ADDR", "AGE", "CONTENT", "DATE", "GLOB", "HEADING", "I/N", "ID", "N", "NAME", "NEW", "PREFIX", "QUERY", "TEXT", "WHEN"}
"""What nothing is offered for: free text, numbers and dates."""


def test_somebody_has_thought_of_every_argument() -> None:
    every = next(each for each in build_parser()._actions if isinstance(each, argparse._SubParsersAction))
    kinds = {
        str(name).removeprefix("ACTION [").removesuffix("]" if "ACTION" in str(name) else "")
        for sub in every.choices.values()
        for action in sub._actions
        if action.nargs != 0 and not action.choices
        for name in (action.metavar if isinstance(action.metavar, tuple) else [action.metavar])
    }
    assert kinds <= {*SOURCES, *PATHS, *FREE, "WORDS", *(place for _, place in OF_PLACE)}


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


def script(shell: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["completion", shell]) == 0
    return capsys.readouterr().out


def bash(env: dict[str, str], line: str, script: str) -> list[str]:
    """What bash would put in the place of the word at the end."""
    code = f"""{script}
compopt() {{ :; }}
COMP_LINE={quoted(line)} COMP_POINT=${{#COMP_LINE}} COMP_TYPE=9
_python_argcomplete zsmem
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    done = subprocess.run(["bash", "-c", code], capture_output=True, text=True, env=env, check=True)
    assert done.stderr == ""
    return done.stdout.rstrip("\n").split("\n")


def quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


@pytest.mark.program("bash")
def test_bash_offers_what_the_program_answers(on_path: dict[str, str], store: AStore, capsys: pytest.CaptureFixture[str]) -> None:
    where, of_bash = f"--root {store.root} --project {PROJECT}", script("bash", capsys)
    assert bash(on_path, "zsmem wri", of_bash) == ["write"]
    assert bash(on_path, f"zsmem {where} read note:d", of_bash) == ["deploy"]
    assert bash(on_path, f"zsmem {where} history --file=note:d", of_bash) == ["deploy"]
    assert bash(on_path, f"zsmem {where} read no", of_bash)[:3] == ["note:deploy", "note:two\\ words", "note:"]


HOSTILE = ["$(echo ran)", "`echo ran`", '"; echo ran; "', "'; echo ran; '", "\\$(echo ran)", "a b&c|d;e*?{f,g}~"]


@pytest.mark.program("bash")
@pytest.mark.parametrize("quote", ["", '"', "'"])
def test_a_name_is_one_word_and_no_command_in_the_line_that_bash_puts_it_into(
    on_path: dict[str, str], store: AStore, quote: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in HOSTILE:
        store.has(f"~/notes/qq{name}.md", "")
    found = bash(on_path, f"zsmem --root {store.root} --project {PROJECT} read note {quote}qq", script("bash", capsys))
    said = "".join(f"printf '%s\\n' {quote}{word}{quote}\n" for word in found)
    done = subprocess.run(["bash", "-c", said], capture_output=True, text=True, check=True)
    assert sorted(done.stdout.split("\n")[:-1]) == sorted(f"qq{name}" for name in HOSTILE)


@pytest.mark.program("fish")
def test_fish_offers_what_the_program_answers(on_path: dict[str, str], store: AStore, capsys: pytest.CaptureFixture[str]) -> None:
    where, of_fish = f"--root {store.root} --project {PROJECT}", script("fish", capsys)

    def fish(line: str) -> list[str]:
        code = f"{of_fish}\ncomplete -C {quoted(line)}"
        done = subprocess.run(["fish", "--no-config", "-c", code], capture_output=True, text=True, env=on_path, check=True)
        return done.stdout.rstrip("\n").split("\n")

    assert fish("zsmem wri") == ["write\tAdd to a memory file, or replace it."]
    assert fish(f"zsmem {where} read note:") == ["note:\ta note by its name", "note:deploy\tnote", "note:two words\tnote"]
    assert fish(f"zsmem {where} clear ") == ["daily", "scratchpad"]


@pytest.mark.program("zsh")
def test_zsh_offers_what_the_program_answers(on_path: dict[str, str], store: AStore, capsys: pytest.CaptureFixture[str]) -> None:
    where, of_zsh = f"--root {store.root} --project {PROJECT}", script("zsh", capsys)

    def zsh(line: str) -> list[str]:
        code = f"""
compdef() {{ }}
_describe() {{ print -rl -- "${{(P@)2}}" }}
{of_zsh}
BUFFER={quoted(line)} CURSOR=$#BUFFER words=({line})
_python_argcomplete
"""
        done = subprocess.run(["zsh", "-f", "-c", code], capture_output=True, text=True, env=on_path, check=True)
        return done.stdout.rstrip("\n").split("\n")

    assert "write:Add to a memory file, or replace it." in zsh("zsmem wri")
    assert zsh(f"zsmem {where} read note:d") == ["note\\:deploy:note"]


@pytest.mark.program("bash")
def test_an_answer_takes_no_more_than_the_parser_of_one_verb(store: AStore) -> None:
    line = f"zsmem --root {store.root} clear "
    code = "import sys; from zsmem_tui.cli.completion import answer\nanswer(lambda code: print(*sys.modules))"
    typed = {"_ARGCOMPLETE": "1", "_ARGCOMPLETE_SHELL": "bash", "COMP_LINE": line, "COMP_POINT": str(len(line))}
    command = ["bash", "-c", 'exec "$0" -c "$1" 8>&2 9>/dev/null', sys.executable, code]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **typed}, check=True)
    assert done.stderr == "scratchpad\vdaily"
    assert not {"textual", "rich", "dulwich", "zsmem_tui.agents.registry"} & set(done.stdout.split())


def test_a_path_is_completed_by_the_first_name_of_its_folder_that_begins_so(tmp_path: Path) -> None:
    AStore(tmp_path).has("memory/a.md", "").has("memo.md", "").has(".hidden/b.md", "").has("bad\nname", "")
    found = {start: path_from(f"{tmp_path}/{start}") for start in ("mem", "memory", ".h", "m/", "", "bad", "none/x", "memo.md/x")}
    there = {"mem": "memo.md", "memory": "memory/", ".h": ".hidden/"}
    assert found == {start: f"{tmp_path}/{there[start]}" if start in there else "" for start in found}
    assert path_from("mem") == path_from("") == path_from("/x\0y") == ""
