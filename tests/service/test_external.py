"""The person's own editor begins at a line, in the form that it takes it."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.builders import AStore
from zsmem_tui.core.layout import find_ref
from zsmem_tui.service import external


@pytest.mark.parametrize(
    ("editor", "options", "line", "wanted"),
    [
        *((name, "", 6, "+7 {}") for name in ("vi", "vim", "nvim", "nano", "emacs", "kak", "micro")),
        *((name, "", 6, "{}:7") for name in ("hx", "helix", "subl")),
        ("code", " --wait", 6, "--wait -g {}:7"),
        ("vim", " -n", 6, "-n +7 {}"),
        ("vim", "", 0, "{}"),
        ("my-editor", "", 6, "{}"),
    ],
)
def test_an_editor_is_told_the_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, editor: str, options: str, line: int, wanted: str
) -> None:
    store = AStore(tmp_path / "store").has("MEMORY.md", "fact\n" * 9)
    program = tmp_path / "bin" / editor
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nprintf "%s " "$@" > {tmp_path}/told\n')
    program.chmod(0o755)
    monkeypatch.setenv("EDITOR", f"{program}{options}")
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setattr(external, "IN_A_TERMINAL", frozenset())  # there is none in a test
    session = store.session()
    ref = find_ref(session.layout, "MEMORY.md")
    assert ref is not None
    interrupted = signal.getsignal(signal.SIGINT)
    done = external.edit_in_editor(session, ref, line)
    assert not done.is_saved and signal.getsignal(signal.SIGINT) is interrupted
    told = (tmp_path / "told").read_text().strip().split(" ")
    copy = next(word for word in told if "MEMORY.md" in word).partition(":")[0]
    assert " ".join(told) == wanted.format(copy) and not Path(copy).exists()


@pytest.mark.parametrize(
    ("does", "says", "kept"),
    [
        ("exit 3", "ended with status 3", ""),
        ('echo mine >> "$1"; exit 3', "ended with status 3", " What you wrote is in {}."),
        ('rm "$1"', "left no file behind", ""),
        ('rm "$1"; mkdir "$1"', "ended with status 0", " What is left is in {}."),
        ("kill -9 $$", "was ended by signal 9", ""),
        ("#!/nope/sh", "could not be started: No such file or directory", ""),
    ],
)
def test_an_editor_that_fails_touches_nothing_and_what_it_wrote_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, does: str, says: str, kept: str
) -> None:
    store = AStore(tmp_path / "store").has("MEMORY.md", "fact\n")
    copies = tmp_path / "copies"
    copies.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(copies))
    program = tmp_path / "editor"
    program.write_text(does if does.startswith("#!") else f"#!/bin/sh\n{does}\n")
    program.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(program))
    session = store.session()
    with pytest.raises(external.EditorFailed) as failed:
        external.edit_in_editor(session, session.ref_at("MEMORY.md"))
    left = [str(each) for each in copies.rglob("*.md")]
    assert failed.value.message == f"{program} {says}. {store.at('MEMORY.md')} was not touched.{kept.format(*left)}"
    assert store.raw("MEMORY.md") == b"fact\n" and left == ([failed.value.kept] if kept else [])
    program.write_text(f'#!/bin/sh\nprintf "theirs\\nfact\\n" > {store.at("MEMORY.md")}; echo mine >> "$1"\n')
    done = external.edit_in_editor(session, session.ref_at("MEMORY.md"))
    assert done.is_saved and done.kept_lines == 1
    assert store.raw("MEMORY.md") == b"theirs\nfact\nmine\n" and left == [str(each) for each in copies.rglob("*.md")]
