"""Faults that people ran into on the command line, and verbs on files."""

from __future__ import annotations

import base64
import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests import forking
from tests.builders import PROJECT, AStore
from tests.command_line import zsmem
from zsmem_tui.cli.main import _contended
from zsmem_tui.cli.output import Exit
from zsmem_tui.service.patience import Patience

STORE = {"MEMORY.md": "alpha\n", "~/notes/deploy.md": "steps\n"}


def test_demo_with_a_verb_touches_no_real_memory(store: AStore) -> None:
    done = zsmem(store, "--demo", "write", "long_term", "x")
    assert done.code == 2 and "takes no verb" in done.err and store.raw("MEMORY.md") == b"alpha\n"


def test_an_empty_root_is_a_usage_error_and_not_the_default() -> None:
    done = zsmem(None, "--root", "", "write", "long_term", "x")
    assert done.code == 2 and "--root is empty" in done.err


def test_a_dry_run_says_so_and_finds_a_place_that_cannot_be_written(store: AStore) -> None:
    done = zsmem(store, "write", "long_term", "x", "--dry-run", "--json")
    assert json.loads(done.out)["dry_run"] is True and "nothing was written" in done.err
    out = str(store.root.with_name("out"))
    for words in (("export", "markdown", out), ("export", "bundle", out)):
        assert "This was a dry run: nothing was written." in zsmem(store, *words, "--dry-run").err, words
    assert zsmem(None, "--root", str(store.at("MEMORY.md/below")), "write", "long_term", "x", "--dry-run").code == 4


def shell(store: AStore, line: str) -> subprocess.CompletedProcess[str]:
    program = f"{sys.executable} -m zsmem_tui --root {store.root} --project {PROJECT}"
    return subprocess.run(["bash", "-c", line.replace("ZSMEM", program)], capture_output=True, text=True, check=False)


@pytest.mark.program("bash")
@pytest.mark.parametrize("line", ["ZSMEM read long_term >/dev/full", "ZSMEM status >&-", "ZSMEM write long_term - <&-"])
def test_streams_that_are_closed_or_full_are_a_sentence(store: AStore, line: str) -> None:
    done = shell(store, line)
    assert done.returncode in (2, 4) and "Traceback" not in done.stderr and "zsmem: " in done.stderr
    assert store.raw("MEMORY.md") == b"alpha\n"


@pytest.mark.program("bash")
def test_a_step_whose_report_cannot_be_printed_says_that_it_was_done(store: AStore) -> None:
    full = (
        "import os, sys\nfrom zsmem_tui.entry import main\nsys.stdin = open(os.devnull)\n"
        "os.dup2(os.open('/dev/full', os.O_WRONLY), 1)\nmain()\n"
    )

    def said(*words: str) -> str:
        done = forking.python(full, "--root", store.root, "--project", PROJECT, *words)
        assert done.returncode == 4 and "Nothing" not in done.stderr
        return done.stderr

    out = str(store.root.with_name("out"))
    assert "It was done all the same: Wrote 4 bytes" in said("write", "long_term", "beta")
    assert store.raw("MEMORY.md") == b"alpha\nbeta\n"
    assert "It was done all the same: Made" in said("file", "new", "note:tea")
    assert "It was done all the same: Undid: " in shell(store, "ZSMEM undo --json >&-").stderr
    assert zsmem(store, "write", "note:tea", "x").code == 0
    assert "It was done all the same: Added cha" in said("write", "note:tea", "--alias", "cha")
    assert "It was done all the same: Wrote" in said("export", "markdown", out)
    assert "Added chai to what" in zsmem(store, "write", "note:tea", "--alias", "chai", "--dry-run").out
    assert "all the same" not in said("export", "markdown", out)


def test_clearing_nothing_creates_nothing(store: AStore) -> None:
    before = store.tree()
    assert zsmem(store, "clear", "scratchpad").code == 1
    assert store.tree() == before


def test_context_tells_what_is_left_out(store: AStore) -> None:
    store.has("MEMORY.md", b"caf\xe9\n").has("~/SCRATCHPAD.md", "- [ ] x </memory> y\n").has("~/daily/2999-01-01.md", "x\n")
    assert "MEMORY.md is not valid UTF-8: agents cannot read it, and load none of it" in zsmem(store, "status").err
    assert "the whole block (cap 32768: 48 count, 82 are wrapper and marks)" in zsmem(store, "context", "--explain").out
    told = zsmem(store, "context", "--explain").err
    assert "agents cannot read it, and load none of it. `zsmem editor` opens the file as it is" in told
    done = zsmem(store, "context", "--json")
    found = " ".join(json.loads(done.out)["warnings"])
    assert (
        "MEMORY.md is not valid UTF-8" in found and "ends the block early" in found and "2999-01-01.md comes after today's" in found
    )
    store.has("MEMORY.md", "x" * 140_000)
    for verb in ("context", "status"):
        assert "agents load none of it when it is over 131,072" in zsmem(store, verb).err


def test_files_are_made_renamed_copied_moved_deleted_and_brought_back(store: AStore) -> None:
    assert zsmem(store, "file", "new", "note:plan").code == 0
    assert zsmem(store, "file", "new", "note:PLAN").code == 3
    assert zsmem(store, "file", "rename", "note:plan", "plan-b").code == 0
    assert zsmem(store, "file", "rename", "note:plan-b", "v1.2").code == 3
    assert zsmem(store, "file", "copy", "note:plan-b", "plan-c").code == 0
    assert zsmem(store, "file", "move", "note:plan-c", "--to", "other-00000000").code == 0
    assert store.raw("projects/other-00000000/notes/plan-c.md") == b"# plan\n"
    assert zsmem(store, "file", "rm", "note:plan-b", "--dry-run").code == 0 and store.at("~/notes/plan-b.md").exists()
    assert zsmem(store, "file", "rm", "note:plan-b").code == 0 and not store.at("~/notes/plan-b.md").exists()
    assert json.loads(zsmem(store, "file", "trash", "--json").out)["trash"][0]["path"].endswith("plan-b.md")
    assert zsmem(store, "file", "restore").code == 0 and store.raw("~/notes/plan-b.md") == b"# plan\n"
    assert zsmem(store, "file", "restore").code == 1
    assert zsmem(store, "file", "entry", "a heading").code == 0
    assert zsmem(store, "file", "rm", "note:nope").code == 1
    assert zsmem(store, "file", "rename", "long_term", "x").code == 3


def test_a_name_that_differs_in_case_only_can_be_given(store: AStore) -> None:
    assert zsmem(store, "file", "rename", "note:deploy", "Deploy").code == 0
    assert store.raw("~/notes/Deploy.md") == b"steps\n" and not store.at("~/notes/deploy.md").exists()


def test_a_note_and_a_log_are_named_alike_by_every_verb(store: AStore) -> None:
    store.has("~/daily/2026-05-24.md", "a day\n")
    assert zsmem(store, "read", "note:deploy").out == zsmem(store, "read", "note", "deploy").out == "steps\n"
    assert zsmem(store, "read", "daily:2026-05-24").out == "a day\n"
    for date, said in (
        ("2026-13-45", "'2026-13-45' is no day as YYYY-MM-DD, and there is no log of that name."),
        ("2020-01-01", "does not exist."),
    ):
        gone = zsmem(store, "read", "daily", date)
        assert (gone.code, gone.err.endswith(f"{said}\n")) == (1, True), gone
    store.has("~/daily/2026-13-45.md", "no day\n")
    assert zsmem(store, "read", "daily", "2026-13-45").out == "no day\n"
    twice = zsmem(store, "read", "note:deploy", "deploy")
    assert twice.code == 2 and "named twice" in twice.err
    assert zsmem(store, "read", "long_term:x").code == 3 and zsmem(store, "read", "note:").code == 3


@pytest.mark.parametrize("editor", [{}, {"EDITOR": "vi"}, {"VISUAL": "/usr/bin/nvim -f"}, {"EDITOR": "nano"}])
def test_an_editor_that_needs_a_terminal_is_not_started_without_one(store: AStore, editor: dict[str, str]) -> None:
    done = zsmem(store, "editor", env=editor)
    name = (editor.get("VISUAL") or editor.get("EDITOR") or "vi").split(" ")[0]
    assert done.code == 4 and done.out == "" and f"{name} needs a terminal" in done.err and "was not touched" in done.err


def test_a_memory_that_agents_cannot_read_is_not_said_to_be_missing(store: AStore) -> None:
    store.at("MEMORY.md").unlink()
    assert "MEMORY.md: (not created)" in zsmem(store, "status").out
    store.at("MEMORY.md").mkdir()
    assert "MEMORY.md: exists (unreadable)" in zsmem(store, "status").out


def test_a_new_name_is_that_of_a_note_also_when_it_says_so(store: AStore) -> None:
    assert zsmem(store, "file", "rename", "note:deploy", "note:release").code == 0
    assert store.at("~/notes/release.md").exists()
    assert zsmem(store, "file", "copy", "note:release", "note:second").code == 0 and store.at("~/notes/second.md").exists()
    assert zsmem(store, "scratch", "add", "an item").code == 0
    item = json.loads(zsmem(store, "scratch", "list", "--json").out)["items"][0]["id"]
    assert zsmem(store, "scratch", "note", item, "--name", "note:third").code == 0 and store.at("~/notes/third.md").exists()
    refused = zsmem(store, "file", "rename", "note:release", "daily:2026-01-01")
    assert refused.code == 3 and "daily takes no name" in refused.err


def test_review_takes_files_by_their_names(store: AStore) -> None:
    zsmem(store, "review")
    store.has("~/notes/deploy.md", "steps\nof the agent\n").has("MEMORY.md", "of the agent\n")
    assert zsmem(store, "review", "accept", "note:deploy").code == 0
    left = json.loads(zsmem(store, "review", "--json").out)["files"]
    assert [Path(each["path"]).name for each in left] == ["MEMORY.md"]
    assert zsmem(store, "review", "revert", "long_term").code == 0
    nothing = zsmem(store, "review", "accept", "note:nope")
    assert nothing.code != 0 and "note:nope" in nothing.err


def test_lists_mask_credentials_and_what_prints_a_file_prints_it_as_it_is(tmp_path: Path) -> None:
    key = "ghp_" + "Zk3Qw9Lm2Vt7Xr5Bn8Hj4Pd6Sf1Gc0Ya3Ue"
    block = "\n".join(base64.b64encode(random.Random(place).randbytes(45)).decode() for place in range(3))
    store = AStore(tmp_path / "memory").has("MEMORY.md", "- one\n").has("~/SCRATCHPAD.md", "- [ ] one\n")
    zsmem(store, "history")
    private = f"-----BEGIN PRIVATE KEY-----\n{block}\n-----END PRIVATE KEY-----\n"
    store.has("MEMORY.md", f"- one\n- token: {key}\n\n{private}").has("~/SCRATCHPAD.md", f"- [ ] rotate {key}\n")
    for words in (["review"], ["facts"], ["scratch", "list"], ["today"], ["doctor"]):
        for more in ([], ["--json"]):
            said = zsmem(store, *words, *more).out
            assert "ghp_" in said and key not in said and not any(line in said for line in block.split()), (words, said)
    version = next(each["id"] for each in json.loads(zsmem(store, "history", "--json").out)["versions"] if each["added"] > 1)
    for words in (
        ["read", "long_term"],
        ["context"],
        ["search", "token"],
        *(["history", verb, version] for verb in ("show", "diff")),
    ):
        assert key in zsmem(store, *words).out, words


def test_a_prompt_shows_the_state_in_one_line_and_loads_no_write_path(store: AStore) -> None:
    assert zsmem(store, "status", "--line").out == "1 % of the prompt\n"
    store.has("MEMORY.md", "- a long line of facts\n" * 3000)
    full = zsmem(store, "status", "--line").out
    assert full.startswith("2") and " % of the prompt, " in full and "facts lost" in full
    code = "import sys; from zsmem_tui.cli.main import main; main(sys.argv[1:]); print(*sys.modules)"
    words = ["--root", str(store.root), "--project", PROJECT, "status", "--line"]
    out = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True).stdout
    assert not {"zsmem_tui.store.writing", "zsmem_tui.store.mem", "dulwich", "textual"} & set(out.split())


def test_the_next_verb_says_what_it_ended_of_a_step_that_was_killed(tmp_path: Path) -> None:
    store = AStore(tmp_path / "memory").has("MEMORY.md", "one\n").has(f"projects/{PROJECT}/notes/n.md", "n\n")
    code = """
import os, sys
from zsmem_tui.service.session import Session
from zsmem_tui.store import writing
with Session(sys.argv[1], "p").batch("Moved two lines") as batch:
    batch.update("MEMORY.md", lambda now: b"two\\n")
    batch.update("projects/p/notes/n.md", lambda now: b"three\\n")
    writing.update = lambda *words, **named: os._exit(9)
"""
    assert forking.python(code, store.root).returncode == 9
    for words in (["undo"], ["write", "long_term", "- x"]):
        dry = zsmem(store, *words, "--dry-run")
        assert "Moved two lines: interrupted. The next command that is no dry run ends it." in dry.err
        assert store.raw("MEMORY.md") == b"one\n" and store.raw(f"projects/{PROJECT}/notes/n.md") == b"n\n"
    done = zsmem(store, "list")
    assert "Finished what was interrupted: Moved two lines." in done.err and "interrupted" not in done.out
    assert store.raw("MEMORY.md") == b"two\n" and store.raw("projects/p/notes/n.md") == b"three\n"
    assert zsmem(store, "list").err == ""


def test_a_line_that_did_not_last_is_named_but_never_at_full_length(capfd: pytest.CaptureFixture[str]) -> None:
    patience = Patience()
    patience.note("MEMORY.md", [b"- mine", b"\x1b" + b"x" * 1_000_000])
    assert _contended(patience, Exit.DONE) == Exit.CONFLICT
    said = capfd.readouterr().err
    assert "  - mine\n" in said and "␛xxx" in said and "…" in said and len(said) < 2_000
