"""What was meant by a target, a note or a format that there is not; what no verb can do; and the ways to name a note."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import PROJECT, AStore
from tests.command_line import zsmem

STORE = {"MEMORY.md": "alpha\n", "~/notes/redis-setup.md": "port 6379\n"}


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("write", "longterm", "x"), 3, "unknown target: longterm. Did you mean 'long_term'? Nothing was done."),
        (("write", "redis-setp", "x"), 3, "Did you mean 'note:redis-setup'?"),
        (("write", "memory", "x"), 3, "unknown target: memory. Did you mean 'long_term'? Nothing was done."),
        *(
            (("read", word), 3, f"unknown source: {word}. Did you mean '{meant}'?")
            for word, meant in {"facts": "long_term", "todo": "scratchpad", "log": "daily", "today": "daily"}.items()
        ),
        (("read", "note", "nosuch"), 1, "notes/nosuch.md does not exist.\n"),
        (("read", "nte", "x"), 3, "unknown source: nte. Did you mean 'note'?"),
        (("read", "lst"), 3, "Did you mean 'list'?"),
        (("editor", "scrachpad", "--dry-run"), 3, "Did you mean 'scratchpad'?"),
        (("facts", "longterm"), 3, "Did you mean 'long_term'?"),
        (("history", "--file", "dayly"), 3, "Did you mean 'daily'?"),
        (("read", "note", "redis-stup"), 1, "There is no note redis-stup. Did you mean note:redis-setup?"),
        (("read", "note:redis-stup"), 1, "Did you mean note:redis-setup?"),
        (("edit", "note:redis-stup", "--old", "a", "--new", "b"), 1, "Did you mean note:redis-setup?"),
        (("file", "rm", "note:redis-stup"), 1, "Did you mean note:redis-setup?"),
        (("export", "opencod", "--dry-run"), 3, "Did you mean 'opencode'?"),
        (("export", "opncode", "--dry-run"), 3, "Did you mean 'opencode'?"),
        (("export", "cluade", "--dry-run"), 3, "Did you mean 'claude'?"),
        (("import", "markdwn", "x"), 3, "Did you mean 'markdown'?"),
        (("import", "bundel", "x"), 3, "Did you mean 'bundle'?"),
        (("import", "detct"), 3, "Did you mean 'detect'?"),
        (("import", "foo"), 3, "zerostack, markdown, bundle.\n"),
        (("export", "foo", "x"), 3, "zerostack, markdown, bundle.\n"),
        (("import", "markdown", "x", "--to", "foo"), 3, "zerostack, markdown.\n"),
        (("import", "markdown", "x", "--to", "etos"), 3, "Did you mean 'ethos'?"),
        (("write", "note"), 3, "a note needs a name"),
        (("write", "note", "x"), 3, "a note needs a name, and 'x' may be that or the text."),
        (("file", "rm", "note"), 3, "As in note:NAME.\n"),
        (("read", "MEMRY.md"), 3, "Did you mean 'MEMORY.md'?"),
        (("write", "redis.md", "x"), 3, "unknown target: redis.md"),
        (("write",), 2, "write needs TARGET. "),
        (("read", "note:redis-setup", "other"), 2, "named twice"),
        (("write", "note", "a", "b", "c"), 2, "there is also 'c'"),
        *((("write", target, "x"), 3, "takes no name") for target in ("daily:2020-01-01", "scratchpad:x", "long_term:x")),
        (("read", "long_term", "x"), 2, "takes no name"),
        (("history", "show", "zzzz"), 3, "no versions begin with 'zzzz'"),
        (("history", "diff"), 2, "needs the id of one version"),
        (("history", "forget", "abc"), 2, "fewer than 4 bytes stands in too many places. Nothing was forgotten."),
        (("history", "--file", ""), 3, "unknown target: . Nothing was done."),
        (("facts", ""), 3, "unknown target: . Nothing was done."),
        (("editor", "", "--dry-run"), 3, "unknown target: . Nothing was done."),
        (("scratch", "archive", "--older", ""), 2, "--older '' is no age"),
        *(
            ((*verb, option, ""), 2, f"{option} is empty. Nothing was done.")
            for verb, options in {
                ("import", "markdown", "."): ("--to", "--into", "--to-group", "--to-user"),
                ("promote", "MEMORY.md:1"): ("--to",),
                ("demote", "AGENTS.md:1"): ("--to",),
                ("connect", "claude-code"): ("--plugin",),
                ("file", "copy", "note:redis-setup"): ("--into", "--into-group"),
                ("scratch", "move", "a"): ("--to",),
                ("projects", "merge", PROJECT): ("--into",),
            }.items()
            for option in options
        ),
        (("history", "note:a"), 2, "`zsmem history --file TARGET` lists the versions of one file."),
        (("list", "--project", "a/b"), 3, "invalid project name: 'a/b'. Nothing was done."),
        (("read", "note:a/b"), 3, "invalid note name. Nothing was done."),
        (("read", "a\nzsmem: b"), 3, "unknown source: a␊zsmem: b. Nothing was done."),
        (("edit", "note:gone", "--old", "a"), 1, "gone.md does not exist. Nothing was done."),
        (("edit", "long_term", "--old", "nope"), 1, "--old matched 0 time(s)"),
        (("edit", "long_term", "--old", ""), 2, "needs either --old TEXT or --delete"),
        (("edit", "long_term", "--delete"), 3, "--delete deletes a note"),
        (("file", "rename", "note:gone", "b"), 1, "gone.md does not exist. Nothing was done."),
        (("file", "rm", "note:gone"), 1, "gone.md does not exist. Nothing was done."),
        (("write", "note:v1.2", "x"), 3, ""),
        (("write", "long_term", ""), 2, "`--mode overwrite` empties a file."),
        (("write", "long_term", "x", "--mode", "APPEND"), 2, "APPEND"),
        (("write", "long_term", "--", "half \udc80"), 2, "not valid Unicode"),
        (("history", "forget", "one\n!"), 1, ""),
        (("undo",), 1, "Nothing to undo."),
        (("undo", "--redo"), 1, "Nothing to redo."),
        (("scratch", "done", "zzzz"), 3, "no item has an id that begins with 'zzzz'"),
        (("scratch", "edit", "zzzz"), 2, "needs an id and the new words"),
        (("scratch", "archive", "--older", "9y"), 1, "There is no item"),
        (("scratch", "add", " "), 3, "An item needs words"),
        (("scratch", "add", "x", "--heading", "None"), 3, "There is no heading 'None'"),
        *((("scratch", "list", "--older", age), 1, "") for age in ("30d", "8w", "6mo", "1y")),
        *((("scratch", "list", "--older", age), 2, "is no age: 30d, 8w, 6mo or 1y.") for age in ("6M", "x", "6months")),
        (("scratch", "list", "--older", "6m"), 2, "m is for minutes, as on the screens: 6mo means months."),
        (("connect", "nope"), 3, "There is no agent 'nope'"),
        (("connect", "codex", "--plugin", "x"), 3, "no plugin folder"),
        (("connect", "codex", "--no-mcp", "--no-hooks"), 2, "leave nothing to do"),
        (("connect", "--remove"), 2, "Name the agent"),
        (("connect", "claude-code", "--check"), 1, ""),
        (("review", "look"), 2, "review has no action 'look'"),
        (("review", "accept"), 2, "needs the ids"),
        (("review", "list", "1f3a"), 2, "needs nothing more"),
        (("review", "revert", "--all"), 2, "--all is for"),
        *((("review", "accept", id), 3, "Nothing was done") for id in ("zz", "")),
        (("projects", "rename"), 2, "projects has no action 'rename'"),
        (("projects", "move", PROJECT), 2, "projects move needs --to"),
        (("projects", "move", PROJECT, "--into", "x"), 2, "--into means nothing to `projects move`"),
        (("projects", "merge", "--into", "x"), 2, "projects merge takes SLUG"),
        (("projects", "follow", "x"), 2, "projects follow takes no SLUG. Nothing was done."),
        (("projects", "archive"), 2, "projects archive takes SLUG. Nothing was done."),
        (("projects", "archive", PROJECT, "--to", "x"), 2, "--to means nothing to `projects archive`. It is for `projects move`."),
        (("projects", "move", PROJECT, "--to", PROJECT), 3, "cannot go into itself"),
        (("projects", "merge", PROJECT, "--into", PROJECT), 3, "cannot go into itself"),
        (("projects", "move", PROJECT, "--to", "typo"), 3, "typo is no project and no folder"),
        (("projects", "move", PROJECT, "--to", "~//nope"), 3, "/nope, nor memory of one. Nothing was done."),
        (("projects", "move", "none-00000000", "--to", PROJECT), 1, "There is no project none-00000000"),
        (("projects", "follow"), 1, ""),
        (("import", "nope"), 3, "There is no format 'nope'"),
        (("import", "markdown", "/does/not/exist"), 1, "/does/not/exist does not exist. Nothing was imported."),
        (("import", "markdown"), 1, "Name its folder; `zsmem import detect` says"),
        (("import", "bundle"), 2, "needs a file"),
        (("import", "bundle", "/gone"), 1, "/gone does not exist. Nothing was imported."),
        (("export", "bundle"), 2, "needs a file"),
        (("export", "markdown"), 3, "Name the folder"),
        (("export", "bundle", "/does/not/exist/x.tgz"), 4, "No such file or directory. Nothing was written."),
        (("export", "claude-code", "-"), 2, "only a bundle goes to standard output"),
        (("import", "detect", "/srv"), 2, "takes no path. Nothing was done."),
        (("doctor", "--json", "--sarif"), 2, "are two ways to print the same. Nothing was done."),
        (("sync", "off", "x"), 2, "sync off takes nothing more. Nothing was done."),
        (("sync", "status", "x", "y"), 2, "sync status takes one group at most. Nothing was done."),
    ],
)
def test_what_was_meant_or_cannot_be_is_said(store: AStore, words: tuple[str, ...], code: int, says: str) -> None:
    before = store.tree()
    done = zsmem(store, *words)
    assert (done.code, says in done.err) == (code, True), done.err
    assert store.tree() == before and all(line.startswith("zsmem: ") for line in done.err.splitlines())


@pytest.mark.parametrize("action", ["show", "diff", "restore"])
def test_no_id_names_the_only_version(tmp_path: Path, action: str) -> None:
    store = AStore(tmp_path / "memory")
    zsmem(store, "write", "long_term", "alpha")
    done = zsmem(store, "history", action, "")
    assert (done.code, done.out, done.err.split(". ")[0]) == (3, "", "zsmem: no versions begin with ''")


def test_nothing_is_guessed_where_nothing_is_near(store: AStore) -> None:
    assert "Did you mean" not in zsmem(store, "read", "somewhere").err + zsmem(store, "read", "note", "zzz").err


def test_a_note_is_named_in_three_ways_everywhere(store: AStore) -> None:
    for number, named in enumerate((["note:big"], ["note", "big"], ["note", "--name", "big"])):
        assert zsmem(store, "write", *named, "-", stdin=f"from stdin {number}".encode()).code == 0
        assert zsmem(store, "write", *named, f"typed {number}").code == 0
        assert zsmem(store, "edit", *named, "--old", f"typed {number}", "--new", f"edited {number}").code == 0
        assert zsmem(store, "read", *named).out.endswith(f"from stdin {number}\nedited {number}\n")
    assert zsmem(store, "write", "note", "big", "--mode", "overwrite", "- a line").code == 0
    assert zsmem(store, "read", "note", "big").out == "- a line"


def test_a_file_is_named_by_its_path_too(store: AStore) -> None:
    inside = f"projects/{PROJECT}/notes/redis-setup.md"
    for path in ("redis-setup.md", "notes/redis-setup.md", inside, f"{store.root}/{inside}"):
        assert zsmem(store, "read", path).out == "port 6379\n"
        assert zsmem(store, "editor", path, "--dry-run").out.endswith("/notes/redis-setup.md\n")
        assert zsmem(store, "facts", path).out.startswith("note:redis-setup") or "redis-setup.md" in zsmem(store, "facts", path).out
    assert zsmem(store, "read", "/etc/hostname.md").code == 3, "no path out of the store"
    assert zsmem(store, "read", "MEMORY.md").out == "alpha\n"
    assert zsmem(store, "edit", "MEMORY.md", "--old", "alpha", "--new", "beta").code == 0
    assert zsmem(store, "write", "MEMORY.md", "- gamma").code == 0
    assert store.raw("MEMORY.md") == b"beta\n- gamma\n"
    assert zsmem(store, "write", "SCRATCHPAD.md", "- [ ] one").code == 0, "the one that is not there yet"
    assert store.raw("~/SCRATCHPAD.md") == b"- [ ] one\n"
    assert "redis-setup.md" in zsmem(store, "file", "rm", "redis-setup.md").out
    assert "redis-setup.md" in zsmem(store, "history", "--file", f"projects/{PROJECT}/notes/redis-setup.md").out, (
        "and one that is gone"
    )


def test_nothing_is_guessed_that_the_store_does_not_have(away_from_home: Path, tmp_path: Path) -> None:
    AStore(away_from_home).has(".claude/projects/x/memory/MEMORY.md", "- a\n").has(".claude/projects/x/memory/user_role.md", "b\n")
    claude = ("--store", "claude-code", "--group", "project:x")
    assert "long_term" not in (said := zsmem(None, "write", "longterm", "x", *claude).err) and "unknown target: longterm." in said
    assert "There is no file MEMRY.md. Did you mean MEMORY.md?" in zsmem(None, "read", "MEMRY.md", *claude).err
    assert zsmem(None, "read", "role.md", *claude).code == 1
    inside = away_from_home / ".claude/projects/x/memory/user_role.md"
    assert zsmem(None, "read", str(inside), *claude).out == "b\n", "as list prints it"
    assert zsmem(None, "write", str(tmp_path / "evil.md"), "x", *claude).code == 3
    assert "no control characters" in zsmem(None, "write", "a\nb.md", "x", *claude).err
    assert sorted(each.name for each in inside.parent.iterdir()) == ["MEMORY.md", "user_role.md"]
    assert "Did you mean user_role.md?" in zsmem(None, "read", "user_rle.md", *claude).err


@pytest.mark.parametrize("word", ["opencode", "opencode-agent-memory"])
def test_an_agent_has_one_name_and_the_older_one_of_its_format_is_taken(store: AStore, word: str) -> None:
    done = zsmem(store, "export", word, str(store.root.parent / "out"), "--dry-run", "--json")
    assert done.code == 0 and '"format": "opencode"' in done.out


def test_a_format_without_a_place_says_how_to_name_one(store: AStore) -> None:
    (store.root.parent / "notes").mkdir()
    (store.root.parent / "notes/tea.md").write_text("green\n")
    done = zsmem(store, "import", "markdown", str(store.root.parent / "notes"), "--to", "markdown")
    assert done.code == 3 and "--to markdown:DIR" in done.err
