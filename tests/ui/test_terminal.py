"""What the terminal sees: no screen, signals, crashes, and never an escape sequence of a file's own."""

from __future__ import annotations

import fcntl
import multiprocessing
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from textual import _parser, constants
from textual._xterm_parser import XTermParser
from textual.drivers import linux_driver
from textual.events import Key

from tests.builders import AStore
from zsmem_tui.entry import main
from zsmem_tui.ui import run  # noqa: F401  # read once, for all forks
from zsmem_tui.ui.memory import viewer
from zsmem_tui.ui.textual_private import tell_esc_apart

RUN = [sys.executable, "-m", "zsmem_tui"]
RESTORED = b"\x1b[?1049l"
SECRET = "the-password-is-swordfish"


class InATerminal:
    """A program in a pseudo-terminal, its output collected."""

    def __init__(self, *words: str, **env: str) -> None:
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        own = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}  # pytest's workers have some
        self.start(words, slave, {**own, "PYTHONPATH": os.getcwd(), "TERM": "xterm-256color", **env})
        os.close(slave)
        self.seen = b""

    def start(self, words: tuple[str, ...], terminal: int, env: dict[str, str]) -> None:
        process = subprocess.Popen(words, stdin=terminal, stdout=terminal, stderr=terminal, env=env, start_new_session=True)
        self.pid, self.exit_code = process.pid, process.poll

    def send(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    def read(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if select.select([self.master], [], [], 0.05)[0]:
                try:
                    self.seen += os.read(self.master, 65536)
                except OSError:
                    return

    def until(self, wanted: str, seconds: float = 30.0) -> None:
        end = time.monotonic() + seconds
        while wanted.encode() not in self.text and time.monotonic() < end:
            self.read(0.05)
        assert wanted.encode() in self.text, self.seen[-2000:]

    @property
    def text(self) -> bytes:
        """What was painted, without what moves the cursor and colours: a row is painted in pieces where it lies over panes."""
        return re.sub(rb"\x1b\[[0-9;]*[Hm]", b"", self.seen)

    def until_there(self, is_there: Callable[[], bool], seconds: float = 30.0) -> None:
        end = time.monotonic() + seconds
        while not is_there() and time.monotonic() < end:
            self.read(0.05)
        assert is_there(), self.seen[-2000:]

    def type(self, keys: bytes) -> None:
        os.write(self.master, keys)

    def ended(self) -> int:
        end = time.monotonic() + 30
        while self.exit_code() is None and time.monotonic() < end:
            self.read(0.05)
        self.read(0.2)
        os.close(self.master)
        code = self.exit_code()
        if code is None:
            self.send(signal.SIGKILL)
            raise AssertionError("it did not end")
        return code


class Zsmem(InATerminal):
    """The program as a fork of this process, which has read its modules: what it does is that of one that was started."""

    def start(self, words: tuple[str, ...], terminal: int, env: dict[str, str]) -> None:
        process = multiprocessing.get_context("fork").Process(target=self.run, args=(words, terminal, env))
        process.start()
        assert process.pid
        self.pid, self.exit_code = process.pid, lambda: process.exitcode

    def run(self, words: tuple[str, ...], terminal: int, env: dict[str, str]) -> None:
        os.setsid()
        for number in range(3):
            os.dup2(terminal, number)
        os.closerange(3, 256)
        sys.stdin = sys.__stdin__ = open(0)  # type: ignore[misc]  # noqa: SIM115
        sys.stdout = sys.__stdout__ = open(1, "w")  # type: ignore[misc]  # noqa: SIM115
        sys.stderr = sys.__stderr__ = open(2, "w", buffering=1)  # type: ignore[misc]  # noqa: SIM115
        os.environ.clear()
        os.environ.update(env)
        sys.argv = ["zsmem", *words]
        tempfile.tempdir = None  # where `TMPDIR` says
        main()


@pytest.fixture(autouse=True)
def no_doctor_at_rest() -> None:
    """All goes on here as it does for a person."""


@pytest.fixture(autouse=True)
def what_is_said_stays() -> None:
    """What is said goes as it does for a person."""


@pytest.fixture
def store(tmp_path: Path) -> AStore:
    return AStore(tmp_path / "store").has("MEMORY.md", f"- {SECRET}\n- \x1b]52;c;aGFja2Vk\x07 \x1b[2J \x9b31m\n")


def test_quitting_restores_the_terminal_and_exits_0(store: AStore) -> None:
    program = InATerminal(*RUN, "--root", str(store.root))
    program.until(SECRET)
    program.type(b"\x11")
    assert program.ended() == 0
    assert RESTORED in program.seen
    drawn = program.seen
    assert b"\x1b]52" not in drawn and b"\x1b[2J " not in drawn and "\x9b".encode() not in drawn


def test_a_key_soon_after_esc_is_one_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "ESCAPE_DELAY", constants.ESCAPE_DELAY)
    monkeypatch.setitem(vars(linux_driver), "XTermParser", XTermParser)
    monkeypatch.setattr(_parser, "get_time", lambda: now)
    now: float = 0.0
    for env, seconds, keys in (({}, 0.03, ["escape", "j"]), ({}, 0.02, ["alt+j"]), ({"ESCDELAY": "100"}, 0.03, ["alt+j"])):
        now, constants.ESCAPE_DELAY = 0.0, 0.1  # type: ignore[misc]
        monkeypatch.setattr("zsmem_tui.ui.textual_private.environment", lambda env=env: env)
        tell_esc_apart()
        parser = vars(linux_driver)["XTermParser"]()
        events = list(parser.feed("\x1b"))
        now += seconds
        events += parser.feed("j")
        now += 1
        events += parser.tick()
        assert [event.key for event in events if isinstance(event, Key)] == keys, (env, seconds)


@pytest.mark.parametrize(
    ("terminal", "theme"), [("xterm", "dark"), ("linux", "light"), ("xterm-16color", "nord"), ("xterm-256color", "nord")]
)
def test_without_colours_a_terminal_draws_in_its_own_two(store: AStore, terminal: str, theme: str) -> None:
    (settings := store.root.parent / "config.toml").write_text(f'theme = "{theme}"\n')
    true_colour = "truecolor" if terminal == "xterm-256color" else ""
    program = Zsmem("--root", str(store.root), TERM=terminal, COLORTERM=true_colour, NO_COLOR="1", ZSMEM_CONFIG=str(settings))
    program.until(SECRET)
    program.type(b"\x11")
    assert program.ended() == 0
    codes = {int(code or 0) for codes in re.findall(rb"\x1b\[([0-9;]*)m", program.seen) for code in codes.split(b";")}
    assert 7 in codes and not codes & {*range(30, 39), *range(40, 49), *range(90, 108)}, codes


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_restores_the_terminal_and_is_in_the_exit_code(store: AStore, number: signal.Signals) -> None:
    program = Zsmem("--root", str(store.root))
    program.until(SECRET)
    program.send(number)
    assert program.ended() == 128 + number
    assert RESTORED in program.seen


@pytest.mark.slow
@pytest.mark.draw(2)
@pytest.mark.parametrize("moment", [0.0, 0.4, 0.9, 1.6, 2.0])
def test_a_terminal_closed_at_any_moment_of_the_start_leaves_no_process_behind(store: AStore, moment: float) -> None:
    program = InATerminal(*RUN, "--root", str(store.root))
    program.read(moment)
    os.close(program.master)
    end = time.monotonic() + 20
    while program.exit_code() is None and time.monotonic() < end:
        time.sleep(0.01)
    assert program.exit_code()


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_program_that_hangs_ends_all_the_same_when_it_is_told_to(
    store: AStore, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    def stuck(_: object) -> None:
        os.write(2, b"it hangs")
        while True:
            time.sleep(1)

    monkeypatch.setattr(viewer.ViewerPane, "action_toggle_raw", stuck)
    program = Zsmem("--root", str(store.root))
    program.until(SECRET)
    program.type(b"2")
    program.read(0.5)
    program.type(b"R")
    program.until("it hangs")
    program.send(number)
    assert program.ended() == 128 + number


def test_a_crash_restores_the_terminal_and_shows_no_memory(store: AStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(pane: viewer.ViewerPane) -> None:
        secret = pane.view.page.lines[0]
        raise RuntimeError(secret)

    monkeypatch.setattr(viewer.ViewerPane, "action_toggle_raw", broken)
    state = tmp_path / "state"
    program = Zsmem("--root", str(store.root), ZSMEM_STATE_DIR=str(state))
    program.until(SECRET)
    program.type(b"2")
    program.read(0.5)
    before = len(program.seen)
    program.type(b"R")
    assert program.ended() == 1
    assert RESTORED in program.seen
    after = program.seen[before:].decode(errors="replace").split("\x1b[?1049l")[-1]
    assert "zsmem stopped because of an error of its own (RuntimeError)" in re.sub(r"\s+", " ", after)
    assert SECRET not in after and "Traceback" not in after
    log = (state / "crash.log").read_text()
    assert "RuntimeError" in log and SECRET not in log


@pytest.mark.slow
@pytest.mark.program("bash")
def test_stopping_and_coming_back_draws_the_screen_again(store: AStore) -> None:
    shell = InATerminal("bash", "--norc", "-i", PS1="ready> ")
    shell.until("ready> ")
    shell.type(f"{' '.join(RUN)} --root {store.root}\n".encode())
    shell.until(SECRET)
    shell.type(b"\x1a")
    shell.until("Stopped")
    shell.seen = b""
    shell.type(b"fg\n")
    shell.until(SECRET)
    shell.seen = b""
    shell.type(b"\x11")
    shell.until("ready> ")
    shell.type(b"exit\n")
    assert shell.ended() == 0


@pytest.mark.parametrize("terminal", ["dumb", ""])
def test_a_terminal_that_cannot_show_it_is_told_so(store: AStore, terminal: str) -> None:
    program = Zsmem("--root", str(store.root), TERM=terminal)
    assert program.ended() == 2
    assert b"cannot show a full screen. Use a verb" in program.seen


@pytest.mark.slow
def test_without_a_terminal_it_says_so(store: AStore) -> None:
    done = subprocess.run([*RUN, "--root", str(store.root)], input=b"", capture_output=True, check=False, timeout=30)
    assert done.returncode == 2 and b"zsmem needs a terminal to draw on" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('[keys]\n"viewer.find" = "n"\n', "n would mean both diff.next and viewer.find"),
        ('[keys]\n"viewer.find" = "meta+flurb"\n', "'meta' is no modifier"),
    ],
)
def test_the_program_starts_with_wrong_keys_in_the_settings_and_says_so(
    store: AStore, tmp_path: Path, text: str, sentence: str
) -> None:
    settings = tmp_path / "config.toml"
    settings.write_text(text)
    program = Zsmem("--root", str(store.root), ZSMEM_CONFIG=str(settings))
    program.until(sentence)
    program.type(b"\x11")
    assert program.ended() == 0


def test_every_mistake_in_the_settings_is_named_at_once_with_its_line(store: AStore, tmp_path: Path) -> None:
    settings = tmp_path / "config.toml"
    for more in ("", "colour = 1\n"):
        settings.write_text(
            f'{more}theme = "flurb"\nstores = ["claud", "markdown"]\n\n[keys]\n"viewer.find" = "n"\n"app.nope" = "z"\n'
        )
        program = Zsmem(ZSMEM_CONFIG=str(settings))
        assert program.ended() == 2
        rows = [row for row in program.seen.decode().split("\r\n") if f"{settings}:" in row]
        told = ["no setting called 'colour'"] * bool(more)
        told += ["there is no theme called 'flurb'", "no kind of store 'claud'", "n would mean both", "no action called 'app.nope'"]
        assert len(rows) == len(told), program.seen
        for row, said, line in zip(rows, told, [1, 2, 3, 6, 7] if more else [1, 2, 5, 6], strict=True):
            assert f"{settings}:{line}: " in row and said in row


@pytest.mark.parametrize(("number", "code"), [(signal.SIGKILL, -9), pytest.param(signal.SIGTERM, 143, marks=pytest.mark.slow)])
def test_a_draft_survives_a_signal_and_is_offered_at_the_next_start(
    store: AStore, tmp_path: Path, number: signal.Signals, code: int
) -> None:
    state = str(tmp_path / "state")
    store.has("MEMORY.md", "plain\n")
    program = Zsmem("--root", str(store.root), ZSMEM_STATE_DIR=state)
    program.until("plain")
    program.type(b"e")
    program.until("saved")
    program.type(b"unsaved words ")
    if number == signal.SIGKILL:  # else what was typed last is kept at the end
        program.until_there(
            lambda: b"unsaved words " in b"".join(file.read_bytes() for file in Path(state).glob("drafts/*/*.json"))
        )
    program.until("unsaved")
    program.send(number)
    assert program.ended() == code and store.raw("MEMORY.md") == b"plain\n"
    again = Zsmem("--root", str(store.root), ZSMEM_STATE_DIR=state)
    again.until("Later: it stays")
    again.read(1.0)  # the question came unasked: at first it takes no key
    again.type(b"\r")
    again.until("unsaved words")
    again.read(0.3)
    again.type(b"\x13")
    again.until("Saved MEMORY.md")
    again.type(b"\x11")
    assert again.ended() == 0
    assert store.raw("MEMORY.md") == b"unsaved words plain\n"


@pytest.mark.slow
def test_the_persons_own_editor_takes_the_terminal_and_gives_it_back(store: AStore, tmp_path: Path) -> None:
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\necho "in the editor"\nprintf "added\\n" >> "$1"\n')
    editor.chmod(0o755)
    store.has("MEMORY.md", "plain\n")
    program = Zsmem("--root", str(store.root), EDITOR=str(editor))
    program.until("plain")
    program.type(b"o")
    program.until("in the editor")
    program.until("Saved MEMORY.md, +1 -0")
    program.type(b"\x11")
    assert program.ended() == 0
    assert store.raw("MEMORY.md") == b"plain\nadded\n"


OWN_TERMINAL = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"


def an_editor(folder: Path, body: str) -> str:
    editor = folder / "editor"
    editor.write_text(f"#!/bin/sh\n{body}\n")
    editor.chmod(0o755)
    return str(editor)


def lives_and_quits(program: InATerminal) -> None:
    """It takes keys: help comes, what was below it comes back, and it ends when it is told to."""
    program.seen = b""
    program.type(b"?")
    program.until("All keys")
    program.seen = b""
    program.type(b"\x1b")
    program.until("Search")
    program.type(b"\x11")
    assert program.ended() == 0


def beside(store: AStore, temp: Path, editor: str, shown: str = SECRET) -> Zsmem:
    """The program, which was told to open a file in an editor; what it copies lies in a folder of its own."""
    program = Zsmem("--root", str(store.root), EDITOR=editor, TMPDIR=str(temp))
    program.until(shown)
    program.type(b"o")
    return program


def copies(folder: Path) -> list[Path]:
    return sorted(place for place in folder.rglob("*") if place.is_file())


@pytest.fixture
def temp() -> Iterator[Path]:
    """A folder with a short name: places in it are said whole on one line."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "t")
        place.mkdir()
        yield place


@pytest.mark.slow
@pytest.mark.draw(2)
@pytest.mark.parametrize(
    ("editor", "words"),
    [
        ("no-such-editor", "There is no editor called"),
        ("'", "cannot be understood"),
        ("false", "ended with status 1"),
        ("/", "There is no editor called"),
    ],
)
def test_an_editor_that_fails_leaves_a_living_screen_and_no_copy(store: AStore, temp: Path, editor: str, words: str) -> None:
    program = beside(store, temp, editor)
    program.until(words)
    lives_and_quits(program)
    assert RESTORED in program.seen
    assert copies(temp) == [] and SECRET.encode() in store.raw("MEMORY.md")


@pytest.mark.slow
@pytest.mark.parametrize(("how", "words"), [("rm -r %T", "no file behind"), ("chmod 500 %T; exit 3", "status 3")])
def test_whatever_the_editor_does_to_its_copy_the_screen_lives(store: AStore, temp: Path, how: str, words: str) -> None:
    before = store.raw("MEMORY.md")
    editor = an_editor(temp.parent, how.replace("%T", '"$(dirname "$1")"'))
    program = beside(store, temp, editor)
    program.until(words)
    lives_and_quits(program)
    assert store.raw("MEMORY.md") == before


@pytest.mark.slow
def test_no_room_for_the_copy_is_a_sentence(store: AStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "mkdtemp", full)
    program = Zsmem("--root", str(store.root), EDITOR="true")
    program.until(SECRET)
    program.type(b"o")
    program.until("No space left on device")
    lives_and_quits(program)


def test_what_an_editor_wrote_before_it_failed_is_kept_and_its_place_said(store: AStore, temp: Path) -> None:
    editor = an_editor(temp.parent, 'printf "my words\\n" >> "$1"\nexit 1')
    program = beside(store, temp, editor)
    program.until("What you wrote is kept in")
    (kept,) = copies(temp)
    program.until(str(kept))
    assert b"my words\n" in kept.read_bytes() and b"my words" not in store.raw("MEMORY.md")
    program.seen = b""
    program.type(b"\r")
    program.until("What you wrote is in")
    lives_and_quits(program)


@pytest.mark.draw(3)
@pytest.mark.parametrize(
    ("key", "written", "kept", "said"),
    [
        (b"\x1bOS", b"mine\n", 0, "Saved MEMORY.md"),
        (b"\x1bOR", b"agent\n", 0, "Took theirs"),
        (b"\x1b", b"agent\n", 1, "What you wrote is kept in"),
    ],
)
def test_a_conflict_after_the_editor_is_shown_and_nothing_is_lost(
    store: AStore, temp: Path, key: bytes, written: bytes, kept: int, said: str
) -> None:
    store.has("MEMORY.md", "plain\n")
    editor = an_editor(temp.parent, f'printf "mine\\n" > "$1"\nprintf "agent\\n" > {store.at("MEMORY.md")}')
    program = beside(store, temp, editor, "plain")
    program.until("Both changed the same lines")
    program.until("t theirs")  # what the keys do is said when they do it
    assert store.raw("MEMORY.md") == b"agent\n"
    program.seen = b""
    program.type(key)
    program.until(said)
    assert store.raw("MEMORY.md") == written
    assert [place.read_bytes() for place in copies(temp)] == [b"mine\n"] * kept
    if said == "Took theirs":
        program.until("What you typed is in its history: H shows it.")
    if kept:
        program.until(str(copies(temp)[0]))
        program.seen = b""
        program.type(b"\r")
        program.until("What you wrote is in")
    lives_and_quits(program)


@pytest.mark.slow
def test_ctrl_c_in_the_editor_ends_only_the_editor(store: AStore, temp: Path) -> None:
    store.has("MEMORY.md", "plain\n")
    editor = an_editor(temp.parent, 'echo "waiting"\nsleep 20')
    program = InATerminal(sys.executable, "-c", OWN_TERMINAL, *RUN, "--root", str(store.root), EDITOR=editor, TMPDIR=str(temp))
    program.until("plain")
    program.type(b"o")
    program.until("waiting")
    program.read(0.3)
    program.type(b"\x03")
    program.until("ended")
    lives_and_quits(program)
