"""The command line as a script sees it: what comes out where, and with which exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from tests.builders import PROJECT, AStore
from tests.command_line import Run, zsmem
from zsmem_tui.cli import main as cli
from zsmem_tui.cli.commands.help import PAGES
from zsmem_tui.cli.main import build_parser
from zsmem_tui.cli.verbs import HEADINGS, VERBS
from zsmem_tui.core.refs import Role
from zsmem_tui.service import editing, history

STORE = {"MEMORY.md": "alpha\n", "~/SCRATCHPAD.md": "- [ ] one\n- [x] two\n"}


def test_status_says_what_the_agent_says(store: AStore) -> None:
    assert zsmem(store, "status").out == ("memory status:\n  MEMORY.md: 6B\n  scratchpad: 1 open item(s)\n  today: (no entries)\n")
    store.has("MEMORY.md", "x" * 1_234)
    assert "\n  MEMORY.md: 1234B\n" in zsmem(store, "status").out, "as the agent itself says it"
    store.has("MEMORY.md", "alpha\n")
    said = json.loads(zsmem(store, "status", "--json").out)
    prompt = said.pop("prompt")
    assert prompt["percent"] == 1 and prompt["lost_lines"] == 0 and prompt["bytes"] == len(zsmem(store, "context").out)
    assert said.pop("line") == "1 % of the prompt, 1 open"
    assert said == {
        "store": f"zerostack:{store.root}",
        "group": PROJECT,
        "root": str(store.root),
        "project": PROJECT,
        "profile": "documented",
        "long_term_bytes": 6,
        "open_items": 1,
        "today_entries": None,
        "files": 2,
        "bytes": 26,
        "dropped": [],
    }


def test_search_prints_what_the_tool_answers_and_exits_1_without_hits(store: AStore) -> None:
    found = zsmem(store, "search", "ALPHA", "beta")
    assert found.code == 0 and found.out.startswith("Searched 2 terms: ALPHA(1) beta(0) across 1 file.")
    assert zsmem(store, "search", "nothing-like-it").code == 1
    hit = json.loads(zsmem(store, "search", "--json", "alpha").out)["hits"][0]
    assert (hit["target"], hit["is_memory_md"], hit["body"]) == ("long_term", True, "alpha\n…")


def test_a_search_of_only_blanks_finds_nothing(store: AStore) -> None:
    found = zsmem(store, "search", "   ")
    assert (found.code, found.out) == (1, "")


def test_read_prints_the_bytes_as_they_are(store: AStore) -> None:
    store.has("~/notes/crlf.md", b"a\r\nb\x1b[31m")
    assert zsmem(store, "read", "note", "crlf").out == "a\r\nb\x1b[31m"
    assert zsmem(store, "read", "note", "nope").code == 1
    assert zsmem(store, "read", "note", "a/b").code == 3
    assert zsmem(store, "read", "somewhere").code == 3
    store.has("~/notes/bad.md", b"\xff")
    bad = zsmem(store, "read", "note", "bad")
    assert bad.code == 4 and "bad.md is not valid UTF-8. Nothing was printed." in bad.err


def test_read_is_cut_where_the_agents_view_ends_unless_all_is_asked_for(store: AStore) -> None:
    store.has("~/notes/long.md", "x" * 40_000)
    assert json.loads(zsmem(store, "read", "note", "long", "--json").out)["truncated"] is True
    assert len(zsmem(store, "read", "note", "long", "--all").out) == 40_000


def test_write_takes_arguments_or_standard_input(store: AStore) -> None:
    assert zsmem(store, "write", "long_term", "beta").out == f"Wrote 4 bytes to {store.root}/MEMORY.md\n"
    assert zsmem(store, "write", "note:deploy", "-", stdin="gamma ✅".encode()).code == 0
    assert zsmem(store, "write", "note:deploy", stdin=b"delta").code == 0
    assert store.raw("~/notes/deploy.md").decode() == "gamma ✅\ndelta\n"
    assert store.raw("MEMORY.md") == b"alpha\nbeta\n"


def test_refused_writes_change_nothing(store: AStore) -> None:
    before = store.tree()
    assert zsmem(store, "write", "long_term", "-", stdin=b"\xff\xfe").code == 2
    assert zsmem(store, "--project", "../x", "write", "scratchpad", "x").code == 3
    assert store.tree() == before


def test_content_over_the_cap_is_cut_and_said(store: AStore) -> None:
    done = zsmem(store, "write", "note:big", "-", stdin=b"x" * 70_000)
    assert "(truncated from 70000 bytes to 65536 byte cap)" in done.out
    assert len(store.raw("~/notes/big.md")) == 65_537 and "4,464 of 70,000 bytes were not written" in done.err


def test_edit_replaces_exactly_one_passage(store: AStore) -> None:
    assert zsmem(store, "edit", "scratchpad", "--old", "- [ ] one", "--new", "- [x] one").code == 0
    assert store.raw("~/SCRATCHPAD.md") == b"- [x] one\n- [x] two\n"
    assert zsmem(store, "edit", "scratchpad", "--old", "- [x]").code == 1
    assert zsmem(store, "edit", "scratchpad").code == 2


def test_a_note_can_be_deleted_with_a_backup_where_the_profile_makes_one(store: AStore) -> None:
    store.has("~/notes/old.md", "text\n")
    assert zsmem(store, "--profile", "zerostack-1.7", "edit", "note:old", "--delete").code == 0
    assert store.raw("~/notes/old.bak") == b"text\n" and not store.at("~/notes/old.md").exists()
    assert zsmem(store, "edit", "note:old", "--delete").code == 1


def test_clear_empties_the_scratchpad(store: AStore) -> None:
    assert zsmem(store, "clear", "scratchpad", "--dry-run").code == 0
    assert store.raw("~/SCRATCHPAD.md") == b"- [ ] one\n- [x] two\n"
    assert zsmem(store, "clear", "scratchpad").code == 0
    assert store.raw("~/SCRATCHPAD.md") == b""


def test_context_is_byte_exact(store: AStore) -> None:
    block = store.mem().context_block()
    assert zsmem(store, "context").out == block
    assert zsmem(AStore(store.root / "empty"), "context").code == 1


def test_list_and_projects(store: AStore) -> None:
    assert zsmem(store, "list").out == f"{store.root}/MEMORY.md\n"
    rows = json.loads(zsmem(store, "projects", "--json").out)["projects"]
    assert [(row["slug"], row["open_items"], row["files"]) for row in rows] == [(PROJECT, 1, 1)]


def test_slug_takes_the_path_as_given() -> None:
    assert zsmem(None, "slug", "/a/").out == "a-e684be66\n"


def test_options_may_stand_after_the_verb(store: AStore) -> None:
    assert zsmem(None, "status", "--root", str(store.root), "--project", PROJECT).out.startswith("memory status:\n  MEMORY.md: 6B")


@pytest.mark.parametrize("kind", ["file", "dangling", "unreadable"])
def test_a_root_that_cannot_be_read_is_a_sentence_and_exit_code_4(tmp_path: Path, kind: str) -> None:
    root = tmp_path / "root"
    if kind == "file":
        root.write_text("x")
    elif kind == "dangling":
        root.symlink_to(tmp_path / "nowhere")
    else:
        root.mkdir(mode=0)
        if os.access(root, os.R_OK):
            root.rmdir()
            root.write_text("the superuser can read everything")
    for words in (["status"], ["search", "x"], ["write", "long_term", "x"], ["projects"]):
        done = zsmem(None, "--root", str(root), *words)
        assert done.code == 4 and str(root) in done.err and "Nothing was read or written." in done.err
    root.chmod(0o700) if kind == "unreadable" else None


def test_names_with_newlines_escapes_and_bad_bytes_are_data(store: AStore) -> None:
    names = [b"a\nb.md", b"\x1b[31mred.md", b"caf\xe9.md", b"[bold]x[b].md"]
    notes = os.fsencode(store.at("~/notes"))
    os.makedirs(notes)
    for name in names:
        Path(os.fsdecode(os.path.join(notes, name))).write_text("alpha\n")
    assert json.loads(zsmem(store, "search", "alpha", "--json").out)["hits"][-1]["path"].endswith(".md")
    assert "caf\ufffd.md" in zsmem(store, "list").out
    assert len(json.loads(zsmem(store, "list", "--json").out)["files"]) == 5
    store.looked_at()
    (Path(os.fsdecode(notes)) / "a\nb.md").write_text("alpha\n" + "- the port of the shop is 8080\n" * 2)
    for words in ("list", "search alpha", "doctor", "facts", "history list", "today", "projects", "scratch list"):
        shown = zsmem(store, *words.split()).out
        assert "\x1b" not in shown and not any(line.startswith("b.md") for line in shown.splitlines()), shown
        assert "a␊b" in shown or words.startswith(("projects", "scratch")), shown


def test_a_directory_a_binary_and_an_outside_link_are_listed_and_hurt_nobody(store: AStore, tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_text("alpha outside\n")
    store.has("~/notes/bin.md", bytes(range(256)) * 100).at("~/notes/dir.md").mkdir()
    store.at("~/notes/out.md").symlink_to(tmp_path / "outside.md")
    said = f"zsmem: {store.at('~/notes/out.md')} is a link that leaves the store. "
    for words, what in {
        "search alpha": "It was not searched.",
        "list": "What it leads to is not read.",
        "facts": "Its facts are left out.",
    }.items():
        ran = zsmem(store, *words.split())
        assert said + what in ran.err.splitlines() and "outside" not in ran.out, words
    found = json.loads(zsmem(store, "search", "--json", "alpha").out)["hits"]
    assert [hit["name"] for hit in found] == [None]
    assert zsmem(store, "search", "out.md").out.rstrip().endswith("(filename match)"), "its name is in the store"
    ran = zsmem(store, "read", "note:out")
    assert ran.out == "alpha outside\n" and f"leaves the store, to {tmp_path}/outside.md." in ran.err, "who opens it is told"
    assert zsmem(store, "write", "note:out", "x").code == 3
    assert zsmem(store, "write", "note:dir", "x").code == 4
    assert (tmp_path / "outside.md").read_text() == "alpha outside\n"


def test_a_mistyped_project_is_guessed(store: AStore) -> None:
    ran = zsmem(store, "search", "x", "--project", PROJECT[:4])
    assert ran.code == 3 and f"Did you mean '{PROJECT}'?" in ran.err
    assert "Did you mean" not in zsmem(store, "search", "qqq", "--project", PROJECT).err


def test_settings_are_followed(store: AStore, tmp_path: Path) -> None:
    settings = tmp_path / "config.toml"
    settings.write_text(f"root = '{store.root}'\nprofile = 'zerostack-1.7'\ninject_cap = 10\n")
    done = zsmem(None, "--project", PROJECT, "context", env={"ZSMEM_CONFIG": str(settings)})
    assert "[section truncated" in done.out or "[memory truncated]" in done.out


def test_the_root_is_where_the_agent_keeps_it(tmp_path: Path) -> None:
    place = {"ZS_CONFIG_DIR": "~/agent-home", "HOME": str(tmp_path)}
    assert f"{tmp_path}/agent-home/agent/memory/MEMORY.md" in zsmem(None, "write", "long_term", "x", env=place).out


@pytest.mark.program("bash")
def test_a_closed_pipe_is_not_an_error(store: AStore) -> None:
    store.has("~/notes/long.md", "alpha\n" * 200_000)
    command = f"{sys.executable} -m zsmem_tui --root {store.root} --project {PROJECT} read note long --all | head -1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "alpha\n", "")


def fake_editor(tmp_path: Path, body: str) -> dict[str, str]:
    script = tmp_path / "editor"
    script.write_text(f"#!/bin/sh\n{body}\n")
    script.chmod(0o755)
    return {"EDITOR": str(script)}


def test_editor_saves_what_comes_back(store: AStore, tmp_path: Path) -> None:
    done = zsmem(store, "editor", env=fake_editor(tmp_path, 'cat "$1"; printf "beta\\n" >> "$1"'))
    assert done.code == 0 and store.raw("MEMORY.md") == b"alpha\nbeta\n"
    assert zsmem(store, "editor", env=fake_editor(tmp_path, "true")).code == 1


def test_editor_failures_leave_the_file_alone(store: AStore, tmp_path: Path) -> None:
    assert zsmem(store, "editor", env={"EDITOR": "no-such-editor-here"}).code == 4
    failed = zsmem(store, "editor", env=fake_editor(tmp_path, 'echo lost > "$1"; exit 3'))
    assert failed.code == 4 and "What you wrote is in" in failed.err and store.raw("MEMORY.md") == b"alpha\n"


def test_editor_keeps_what_the_agent_wrote_meanwhile(store: AStore, tmp_path: Path) -> None:
    done = zsmem(store, "editor", env=fake_editor(tmp_path, f'echo mine >> "$1"; echo agent >> {store.root}/MEMORY.md'))
    assert done.code == 0 and store.raw("MEMORY.md") == b"alpha\nagent\nmine\n"


def test_editor_overwrites_no_line_that_the_agent_changed_too(store: AStore, tmp_path: Path) -> None:
    done = zsmem(store, "editor", env=fake_editor(tmp_path, f'echo mine > "$1"; echo agent > {store.root}/MEMORY.md'))
    assert done.code == 5 and store.raw("MEMORY.md") == b"agent\n"
    kept = done.err.split("your text is in ")[1].strip().rstrip(".")
    assert Path(kept).read_text() == "mine\n"


@pytest.mark.parametrize("verb", VERBS)
def test_help_teaches_by_example(verb: str) -> None:
    done = zsmem(None, verb, "--help")
    assert done.code == 0 and "examples:\n  " in done.out
    assert verb in PAGES or zsmem(None, "help", verb).out == done.out


def test_the_version_and_the_verbs_are_said_without_loading_any(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli, "command", None)
    assert cli.main(["--version"]) == 0 and capsys.readouterr().out.startswith("zsmem ")
    assert cli.main(["--help"]) == 0 and "    undo " in capsys.readouterr().out


def test_the_help_of_the_program_has_every_verb_once_below_what_it_is_for() -> None:
    shown = build_parser().format_help().partition("verbs:\n")[2].partition("\n\n")[0].split("\n")
    assert [row[2:] for row in shown if row[2:3].strip()] == list(HEADINGS)
    assert [row.split()[0] for row in shown if row.startswith("    ") and row[4:5].strip()] == list(VERBS)
    assert [name for names in HEADINGS.values() for name in names] == list(VERBS)


def test_every_memory_verb_of_the_documents_works_whole(store: AStore) -> None:
    """`/memory` of the agent cannot write at all, cannot read a note, and empties MEMORY.md in its editor."""
    session = store.session()
    assert zsmem(store, "write", "daily", "### 10:00 — entry").code == 0
    today = session.place_of(Role.LOG, PROJECT, session.clock().date().isoformat())
    assert today.name == "2026-05-25"
    assert zsmem(store, "read", "daily").code == 0
    assert zsmem(store, "write", "scratchpad", "- [ ] more").code == 0
    assert zsmem(store, "write", "note:x", "text").code == 0
    assert zsmem(store, "read", "note", "x").out == "text\n"
    assert zsmem(store, "read", "scratchpad").out.endswith("- [ ] more\n")
    assert zsmem(store, "read", "list").out.count("\n") >= 2
    assert zsmem(store, "clear", "daily").code == 0
    assert "today: 0 entry(s)" in zsmem(store, "status").out


def test_every_wrong_setting_is_named_at_once(store: AStore, tmp_path: Path) -> None:
    settings = tmp_path / "config.toml"
    settings.write_text("colour = 1\ninject_cap = -1\nprofile = 'nope'\nstores = ['markdown:notes', ':/x']\n")
    done = zsmem(store, "status", env={"ZSMEM_CONFIG": str(settings)})
    assert done.code == 2 and all(f"{settings}:{line}" in done.err for line in (1, 2, 3, 4))
    for said in ("inject_cap must be a number of bytes", "'markdown:notes' is no store", "':/x' is no store"):
        assert said in done.err
    settings.write_text("".join(f"colour{number} = 1\n" for number in range(30)))
    done = zsmem(store, "status", env={"ZSMEM_CONFIG": str(settings)})
    assert done.code == 2 and "And 20 more: `zsmem config --check` names them all." in done.err


STEERS = "\x1b]0;owned\x07\x1b[2J\x9b31m\x85\u202e\u200b\U000e0041\x00\x7f"

TYPED = STEERS.replace("\x00", "")
"""What an argument can be."""

FOR_PEOPLE = [
    *(["facts"], ["today"], ["review"], ["status"], ["list"], ["projects"], ["stores"], ["doctor", "--all-rules"]),
    *(["scratch", "list", "--all"], ["history", "list"], ["history", "diff", "ID"], ["context", "--explain"], ["misses"]),
    *(["context", "--between", "1d", "now"], ["context", "--changes"], ["search", "--vimgrep", "evil"], ["file", "trash"]),
    *(
        ["write", "long_term", f"evil {TYPED}", "--dry-run"],
        ["edit", "long_term", "--old", "evil two", "--new", TYPED, "--dry-run"],
    ),
    *(["clear", "scratchpad", "--dry-run"], ["scratch", "add", f"evil {TYPED}", "--dry-run"], ["undo", "--dry-run"]),
    *(["promote", "--all", "--dry-run"], ["fit", "--dry-run"], ["import", "markdown", "SOURCE", "--dry-run"]),
    *(["export", "markdown", "GOAL", "--dry-run"], ["file", "rename", f"note:n{TYPED[:9]}", "x", "--dry-run"]),
    *(["read", f"note:{TYPED}"], ["history", "list", "--file", TYPED], ["facts", TYPED]),
    *(["review", "accept", TYPED], ["review", "revert", "--dry-run"], ["history", "restore", "ID", "--dry-run"]),
]


@pytest.mark.parametrize(
    "words", FOR_PEOPLE, ids=lambda words: " ".join(words).split(" evil")[0].encode("ascii", "replace").decode()[:40]
)
def test_what_is_printed_for_people_steers_no_terminal_behind_a_pipe(store: AStore, tmp_path: Path, words: list[str]) -> None:
    store.has("~/notes/n.md", f"# N {STEERS}\n\nevil note {STEERS}\n").has("MEMORY.md", "- evil one\n- evil two\n")
    session = store.looked_at()
    editing.save(
        session, session.ref_at("MEMORY.md"), f"- evil one\n- evil two\n- mine {STEERS}\n".encode(), b"- evil one\n- evil two\n"
    )
    store.has("MEMORY.md", f"- evil one {STEERS}\n- evil two\n- mine {STEERS}\n- password: {STEERS} /no/such/{STEERS[:9]}\n")
    store.has("~/SCRATCHPAD.md", f"## Now {STEERS}\n\n- [ ] evil item {STEERS}\n")
    os.makedirs(os.path.join(os.fsencode(store.root), b"projects/other\x1b[2J-12345678/notes"))
    Path(store.root, "projects/other\x1b[2J-12345678/notes/n\x1b]0;x\x07.md").write_text("evil\n")
    source = tmp_path / "from"
    source.mkdir()
    (source / "a\x1b[2J.md").write_text(f"- [ ] evil {STEERS}\n")
    history.look_at_all(session)
    version = next(each for each in session.history.latest() if each.path == "MEMORY.md")
    names = {"ID": version.id, "SOURCE": str(source), "GOAL": str(tmp_path / "goal")}
    done = zsmem(store, *(names.get(word, word) for word in words))
    assert done.out or done.err
    found = {char for char in done.out + done.err if unicodedata.category(char) in ("Cc", "Cf", "Zl") and char not in "\n\t"}
    assert not found, done.out + done.err


def test_a_text_is_given_byte_for_byte(store: AStore) -> None:
    text = f"- evil {STEERS}\r\n".encode()
    store.has("MEMORY.md", text)
    session = store.looked_at()
    [version] = session.history.versions("MEMORY.md")
    assert zsmem(store, "read", "long_term").out.encode() == text == zsmem(store, "history", "show", version.id).out.encode()
    assert json.loads(zsmem(store, "read", "long_term", "--json").out)["text"].encode() == text
    assert STEERS in zsmem(store, "context").out and STEERS in zsmem(store, "search", "evil").out


def test_json_is_valid_whatever_names_and_texts_hold(store: AStore) -> None:
    zsmem(store, "history")
    odd = os.fsdecode(b"odd \xff")
    text = b"- alpha \xe9\xff\0 \xe2\x80\xa8 \xed\xa0\x80\n- [ ] alpha\n"
    other = f"projects/{odd}-00000000"
    for path in (
        "MEMORY.md",
        "~/SCRATCHPAD.md",
        "~/notes/n.md",
        f"~/notes/{odd}.md",
        f"{other}/SCRATCHPAD.md",
        f"{other}/notes/n.md",
    ):
        store.has(path, text)
    listed = (
        "status,today,list,search alpha --all,facts,context --explain,doctor,history,review,projects --scan,stores,fit,scratch list"
    )
    for words in [*listed.split(","), "read note n", "doctor --fix broken --dry-run", "history list --limit 1"]:
        for project in (PROJECT, f"{odd}-00000000"):
            done = Run("--root", str(store.root), "--project", project, *words.split(), "--json")
            found = json.loads(done.out or "{}")  # the command line's output was read as UTF-8
            json.dumps(found, ensure_ascii=False).encode()
            assert found or done.code, words
    lines = json.loads(zsmem(store, "review", "--json").out)["files"][0]["hunks"][0]["lines"]
    assert any((line["added"] or "").startswith("- alpha \ufffd\ufffd\0 \u2028 \ufffd") for line in lines)
