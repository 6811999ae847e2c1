"""`zsmem hook` as an agent runs it: whatever happens, it exits with 0 and the agent goes on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.builders import AStore, held_by_another
from tests.command_line import Run, zsmem
from zsmem_tui.cli import main
from zsmem_tui.cli.commands import hook as hook_verb
from zsmem_tui.config import locate
from zsmem_tui.core.names import project_slug
from zsmem_tui.service.patience import Patience


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    return AStore(tmp_path / "store", project_slug(str(tmp_path))).has("MEMORY.md", "- a fact\n")


def told(folder: Path, **more: str) -> bytes:
    return json.dumps({"hook_event_name": "SessionStart", "session_id": "s", "cwd": str(folder), **more}).encode()


def hook(store: AStore, *words: str, stdin: bytes = b"", env: dict[str, str] | None = None) -> Run:
    return zsmem(None, "--root", str(store.root), "hook", *words, stdin=stdin, env=env)


def test_memory_goes_in_and_a_summary_comes_out(store: AStore, tmp_path: Path) -> None:
    done = hook(store, "claude-code", "--part", "1/4", stdin=told(tmp_path))
    assert (done.code, done.err) == (0, "") and done.out.startswith("memory, part 1 of 4") and "- a fact" in done.out
    summary = told(tmp_path, hook_event_name="PostCompact", compact_summary="We chose SQLite.")
    assert [hook(store, "claude-code", stdin=summary).out for _ in range(2)] == ["", ""]
    (log,) = [raw for path, raw in store.tree().items() if "daily" in path]
    assert log.endswith("— compaction summary\nWe chose SQLite.\n".encode()) and log.count(b"###") == 1


@pytest.mark.parametrize(
    ("words", "stdin", "sentence"),
    [
        (["nope"], b"{}", "There are no hooks of 'nope'"),
        (["claude-code"], b"", "no JSON"),
        (["claude-code"], b"\xff", "no JSON"),
        (["claude-code", "--part", "x"], b"{}", "There is no part 'x'"),
        (["claude-code", "--bogus"], b"{}", "--bogus"),
        ([], b"{}", "AGENT"),
        pytest.param(["claude-code"], b"{}" + b" " * (50 << 20), "more than", id="50 MB", marks=pytest.mark.slow),
        (["claude-code", "--project", "../x"], b'{"hook_event_name": "SessionStart"}', "x"),
    ],
)
def test_what_is_wrong_stands_on_standard_error_only(store: AStore, words: list[str], stdin: bytes, sentence: str) -> None:
    done = hook(store, *words, stdin=stdin)
    assert (done.code, done.out) == (0, "") and sentence in done.err
    assert store.tree().keys() == {"MEMORY.md"}


def test_broken_settings_a_root_that_is_a_file_and_a_full_disk_stop_no_agent(store: AStore, tmp_path: Path) -> None:
    (tmp_path / "broken.toml").write_text("x =")
    done = hook(store, "claude-code", stdin=told(tmp_path), env={"ZSMEM_CONFIG": str(tmp_path / "broken.toml")})
    assert done.code == 0 and "not valid TOML" in done.err
    done = zsmem(None, "--root", str(tmp_path / "broken.toml"), "hook", "codex", stdin=told(tmp_path))
    assert done.code == 0 and "is not a folder" in done.err
    command = [sys.executable, "-m", "zsmem_tui", "--root", str(store.root), "hook", "codex"]
    with open("/dev/full", "wb") as full:
        run = subprocess.run(command, input=told(tmp_path), stdout=full, stderr=subprocess.PIPE, check=False, env={**os.environ})
    assert run.returncode == 0 and b"could not be printed" in run.stderr


@pytest.mark.parametrize("cwd", ["/half \\ud800", "/a\\u0000b"])
def test_a_folder_that_can_be_none_stops_no_agent(store: AStore, cwd: str) -> None:
    done = hook(store, "claude-code", stdin=f'{{"hook_event_name": "SessionStart", "cwd": "{cwd}"}}'.encode())
    assert done.code == 0 and "Traceback" not in done.err


def test_a_fault_of_ours_stops_no_agent(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], away_from_home: Path
) -> None:
    def broken(argv: object) -> int:
        raise AttributeError("ours")

    monkeypatch.setattr(main, "_answered", broken)
    monkeypatch.setattr(main, "_drop_output", lambda: None)
    assert main.main(["hook", "claude-code"]) == 0
    assert "an error of its own (AttributeError)" in capsys.readouterr().err
    assert (away_from_home / ".local/state/zsmem/crash.log").exists()


@pytest.mark.parametrize("about", [{}, {"hook_event_name": "PostCompact", "compact_summary": "x"}])
def test_a_hook_loads_neither_screen_nor_history_nor_yaml(store: AStore, tmp_path: Path, about: dict[str, str]) -> None:
    show = "import sys\nfrom zsmem_tui.cli import main\nmain.main(sys.argv[1:])\nprint(*sys.modules, file=sys.stderr)\n"
    command = [sys.executable, "-c", show, "hook", "claude-code", "--root", str(store.root)]
    done = subprocess.run(command, input=told(tmp_path, **about), capture_output=True, check=True)
    assert bool(done.stdout) == (not about)
    loaded = {name.partition(".")[0] for name in done.stderr.decode().split()}
    heavy = {"textual", "rich", "dulwich", "yaml", "tomlkit", "stringzilla", "platformdirs", "asyncio", "subprocess"}
    assert not loaded & heavy


@pytest.mark.parametrize("ending", [b"", b"\n"])
def test_an_agent_that_leaves_its_end_open_is_answered(store: AStore, tmp_path: Path, ending: bytes) -> None:
    command = [sys.executable, "-m", "zsmem_tui", "--root", str(store.root), "hook", "claude-code"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as agent:
        assert agent.stdin is not None and agent.stdout is not None
        raw = told(tmp_path, note="}") + ending
        for piece in (raw[:30], raw[30:]):
            agent.stdin.write(piece)
            agent.stdin.flush()
        assert b"- a fact" in agent.stdout.read()
        assert agent.wait() == 0


def test_an_agent_that_says_nothing_is_not_waited_for(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    read, write = os.pipe()
    monkeypatch.setattr(hook_verb, "_PATIENCE", 0.01)
    with open(read, encoding="utf-8") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        assert main.main(["hook", "claude-code"]) == 0
    os.close(write)
    assert "no JSON" in capsys.readouterr().err


def test_an_agent_that_trickles_is_heard_for_so_long_in_all(monkeypatch: pytest.MonkeyPatch) -> None:
    read, write = os.pipe()
    seconds = iter(range(1_000))

    def clock() -> float:
        os.write(write, b" ")
        return float(next(seconds))

    with open(read, encoding="utf-8") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        assert 0 < len(hook_verb._input(clock)) < 10
    os.close(write)


def test_a_hook_waits_less_than_five_seconds_for_zsmems_that_are_stopped(
    store: AStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    monkeypatch.setattr(Patience, "now", lambda _: sum(slept))
    monkeypatch.setattr(Patience, "sleep", lambda _, seconds: slept.append(seconds))
    monkeypatch.setattr(hook_verb, "_input", lambda: told(tmp_path))
    state = Path(locate.state_folder(), "hooks")
    state.mkdir(parents=True)
    with held_by_another(state), held_by_another(store.root):
        assert main.main(["--root", str(store.root), "hook", "claude-code"]) == 0
    assert 4 < sum(slept) < 5
