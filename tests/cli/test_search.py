"""`zsmem search` beyond what the agent's tool answers: wider, fewer, for editors, in colours."""

from __future__ import annotations

import argparse
import io
import json
import os
from pathlib import Path

import pytest

from tests.builders import PROJECT, AStore
from tests.command_line import zsmem
from zsmem_tui.cli.colour import is_coloured
from zsmem_tui.cli.main import find_verb, main, parse_program
from zsmem_tui.store.disk import files

STORE = {
    "MEMORY.md": "one\nthe Würfel Redis\r\n",
    "~/SCRATCHPAD.md": "- [ ] redis here\n",
    "projects/other-12345678/notes/redis.md": "\nredis, REDIS\n",
    "~/notes/redis-name.md": "first\nsecond\n",
}


def said(store: AStore, capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = main(["--root", str(store.root), "--project", PROJECT, "search", *words])
    return code, capfd.readouterr().out


def test_all_is_every_project_and_its_scratchpads(store: AStore, capfd: pytest.CaptureFixture[str]) -> None:
    def names(*words: str) -> list[str]:
        return [Path(hit["path"]).name for hit in json.loads(said(store, capfd, "redis", "--json", *words)[1])["hits"]]

    assert names() == ["MEMORY.md", "redis-name.md"]
    assert sorted(names("--all")) == ["MEMORY.md", "SCRATCHPAD.md", "redis-name.md", "redis.md"]
    assert names("--all", "--limit", "1") == ["MEMORY.md"]


def test_a_limit_says_how_many_there_are_besides(store: AStore, capfd: pytest.CaptureFixture[str]) -> None:
    code, out = said(store, capfd, "redis", "--limit", "1")
    assert code == 0 and "across 2 files. Showing top 1" in out and "1 more file omitted" in out
    for wrong in ("0", "-1", "x", "9" * 5000, "١"):
        assert said(store, capfd, "redis", "--limit", wrong)[0] == 2


def test_editors_get_a_place_for_each_line(store: AStore, capfd: pytest.CaptureFixture[str]) -> None:
    code, out = said(store, capfd, "redis", "--all", "--vimgrep")
    other, name = store.root / "projects/other-12345678/notes/redis.md", store.at("~/notes/redis-name.md")
    assert code == 0 and sorted(out.split("\n")[:-1]) == sorted(
        [
            f"{store.root}/MEMORY.md:2:13:the Würfel Redis",
            f"{store.at('~/SCRATCHPAD.md')}:1:7:- [ ] redis here",
            f"{other}:2:1:redis, REDIS",
            f"{name}:1:1:first",
        ]
    )
    assert said(store, capfd, "redis", "--all", "--vimgrep", "--limit", "2")[1].count("\n") == 2
    assert said(store, capfd, "nothing-like-it", "--vimgrep") == (1, "")
    assert main(["--root", str(store.root), "--project", PROJECT, "search", "nothing-like-it"]) == 1
    err = capfd.readouterr().err
    told = "Found in none of 2 files, as its agent searches here; in every project, with scratchpads, --all finds {}."
    assert told.format("0 files") in err
    assert main(["--root", str(store.root), "--project", PROJECT, "search", "here"]) == 1  # only the scratchpad has it
    assert told.format("1 file") in capfd.readouterr().err
    assert main(["--root", str(store.root), "--project", PROJECT, "search", "nothing-like-it", "--all"]) == 1
    assert "Found in none of 4 files." in capfd.readouterr().err
    assert said(store, capfd, "redis", "--vimgrep", "--json")[0] == 2


def test_a_name_of_two_lines_makes_no_line_of_its_own(store: AStore, capfd: pytest.CaptureFixture[str]) -> None:
    store.has("~/notes/two\nMEMORY.md:1:1:x.md", "quicksilver\n")
    assert said(store, capfd, "quicksilver", "--vimgrep")[1].count("\n") == 1


def test_json_has_line_and_column(store: AStore, capfd: pytest.CaptureFixture[str]) -> None:
    hit = json.loads(said(store, capfd, "redis", "--json")[1])["hits"][0]
    assert hit["line"] == 2 and hit["lines"] == [{"line": 2, "column": 13, "words": 1, "text": "the Würfel Redis"}]


def test_colours_are_for_terminals_or_for_those_who_ask(store: AStore, capfd: pytest.CaptureFixture[str]) -> None:
    store.has("MEMORY.md", "redis \x1b[2J\n")
    plain, coloured = said(store, capfd, "redis")[1], said(store, capfd, "redis", "--color", "always")[1]
    assert "\x1b[1;31mredis\x1b[0m" in coloured and "\x1b[2J" not in coloured and "\x1b[2J" in plain
    assert "\x1b[35m" in said(store, capfd, "redis", "--vimgrep", "--color=always")[1]
    assert plain == said(store, capfd, "redis", "--color", "never")[1]


def test_no_color_is_heeded_on_a_terminal(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    args = argparse.Namespace(color=None)
    monkeypatch.setattr("sys.stdout", TerminalOutput())
    monkeypatch.setenv("TERM", "xterm")
    assert is_coloured(args)
    monkeypatch.setenv("NO_COLOR", "1")
    assert not is_coloured(args) and is_coloured(argparse.Namespace(color="always"))
    monkeypatch.setenv("NO_COLOR", "")
    assert is_coloured(args) and not is_coloured(argparse.Namespace(color="never"))
    monkeypatch.setenv("TERM", "dumb")
    assert not is_coloured(args)


def test_the_option_stands_before_or_behind_the_verb_and_not_without_one(store: AStore) -> None:
    assert find_verb(["--color", "never", "search", "x"]) == "search"
    assert parse_program(["--color", "never"]) == 2


class TerminalOutput(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_whole_words_leave_out_what_stands_inside_others(store: AStore, capfd: pytest.CaptureFixture[str]) -> None:
    store.has("~/notes/a.md", "rediscover Redis\n").has("~/notes/b.md", "rediscovered\n")
    whole = json.loads(said(store, capfd, "--word", "redis", "--json")[1])
    assert [Path(hit["path"]).name for hit in whole["hits"]] == ["MEMORY.md", "a.md", "redis-name.md"]
    assert whole["hits"][1]["lines"] == [{"line": 1, "column": 12, "words": 1, "text": "rediscover Redis"}]
    assert f"{store.at('~/notes/a.md')}:1:12:rediscover" in said(store, capfd, "--word", "redis", "--vimgrep")[1]
    assert "rediscover \x1b[1;31mRedis" in said(store, capfd, "--word", "redis", "--color", "always")[1]


def test_no_whole_word_says_how_much_there_is_without(store: AStore, capfd: pytest.CaptureFixture[str]) -> None:
    code = main(["--root", str(store.root), "--project", PROJECT, "search", "--word", "edi"])
    assert code == 1 and capfd.readouterr().err == "zsmem: As a part of words it is in 2 files: leave out --word.\n"
    assert main(["--root", str(store.root), "--project", PROJECT, "search", "--word", "qqq"]) == 1
    out, err = capfd.readouterr()
    assert out == "" and "--word" not in err


def test_words_near_what_was_not_found_are_said_beside_the_answer(store: AStore, capfd: pytest.CaptureFixture[str]) -> None:
    code = main(["--root", str(store.root), "--project", PROJECT, "search", "rediss"])
    out, err = capfd.readouterr()
    assert (code, out, err) == (1, "", "zsmem: Not found: rediss. This memory has: redis (2 files).\n") or "redis" in err
    found = json.loads(said(store, capfd, "rediss", "--json")[1])
    assert found["near"] == [{"term": "rediss", "words": [{"word": "redis", "files": 1, "why": "form"}]}]
    assert json.loads(said(store, capfd, "redis", "--json")[1])["near"] == []


def test_words_that_only_the_scratchpad_has_together_are_said_to_be_there(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    store = (
        AStore(tmp_path / "memory")
        .has("MEMORY.md", "- redis and a cache\n- rules and filters\n")
        .has("~/notes/a.md", "port, moved\n")
    )
    asked = ["--root", str(store.root), "--project", PROJECT, "search", "redis", "port"]

    def told(*more: str) -> str:
        assert main([*asked, *more]) == 0
        return capfd.readouterr().err

    none = "zsmem: No file that zerostack searches has all of: redis, port"
    assert told() == f"{none}. This memory has other words for them: cache (1 file), moved (1).\n"
    store.has("~/SCRATCHPAD.md", "- [ ] ask Ann about the redis port\n")
    there = "1 more in the scratchpad has: --all shows it.\n"
    assert told() == f"{none}. {there}" and told("ann") == f"{none}, ann. {there}"
    assert told("--all") == ""
    assert "Not found: zzz" not in told("zzz") and json.loads(said(store, capfd, "redis", "port", "--json")[1])["near"] == []


@pytest.mark.parametrize("words", [["\udcff"], ["redis", "\udcff", "--json"], ["--vimgrep", "\ud800"], ["--all-stores", "\udcff"]])
def test_a_query_that_is_no_text_is_refused(store: AStore, capfd: pytest.CaptureFixture[str], words: list[str]) -> None:
    assert main(["--root", str(store.root), "--project", PROJECT, "search", *words]) == 2
    assert "the query is not valid UTF-8. Nothing was searched." in capfd.readouterr().err


def test_what_cannot_be_read_is_named(store: AStore, capfd: pytest.CaptureFixture[str]) -> None:
    store.has("~/notes/large.md", "redis\n").has("~/notes/odd.md", b"redis \xff\n").has("~/notes/empty.md", "")
    store.has("~/notes/utf16.md", "redis\n".encode("utf-16"))
    os.truncate(store.at("~/notes/large.md"), files.LARGEST + 1)
    for form in ([], ["--json"], ["--vimgrep"]):
        assert main(["--root", str(store.root), "--project", PROJECT, "search", "redis", *form]) == 0
        large, *odd = sorted(capfd.readouterr().err.splitlines())
        assert large.startswith(f"zsmem: {store.at('~/notes/large.md')}: it has more than ") and large.endswith(
            " It was not searched."
        )
        assert odd == [
            f"zsmem: {store.at(f'~/notes/{name}.md')} is not valid UTF-8. It was not searched." for name in ("odd", "utf16")
        ]


def test_a_folder_that_cannot_be_listed_is_named_not_taken_for_empty(store: AStore) -> None:
    store.has("~/daily", "a file of this name")
    problem = f"zsmem: {store.at('~/daily')}: it is not a folder. What zerostack keeps there is left out.\n"
    for words in (("search", "redis"), ("search", "nothing"), ("list",), ("status",)):
        assert zsmem(store, *words).err.endswith(problem)
    assert zsmem(store, "status", "--line").err == ""
