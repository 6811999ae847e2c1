#!/usr/bin/env python3
"""ttybench - measure a full-screen terminal program from the outside.

The program under test runs in a real pseudo-terminal.  ttybench plays the
terminal: it answers the capability queries a modern terminal answers, types
keys, pastes, clicks, resizes, and keeps an emulated screen (pyte), so "painted"
means *cells on the screen changed*, not "some bytes were written".

How the clock works
-------------------
Bytes are only time-stamped and stored while something is being measured.  The
emulator replays them afterwards and finds the chunk whose arrival changed the
screen (or made a pattern appear).  Emulation cost therefore never lands in a
measured interval.  `ttybench.py selftest` checks that against programs whose
delays are known.

Sub-commands
------------
  start     process start -> first glyph, -> pattern, -> settled; RSS; CPU
  keys      run a script of steps and report each step's key-to-paint latency
  ab        start-up of several commands, interleaved run by run (for a noisy machine)
  selftest  prove the harness measures known delays correctly

Examples
--------
  ttybench.py start -n 11 --until 'Ready' -- python app.py
  ttybench.py ab -n 9 --until 'Ready' 'old=python old.py' 'new=TEXTUAL_ANIMATIONS=none python new.py'
  ttybench.py keys -n 5 --ready 'Search' -s 'key ctrl+f' -s 'type alpha =>3 hits' \\
              -s 'key down' -- python app.py

Steps (one per -s)
  key NAME[ NAME...] [=> REGEX]   keys such as enter, esc, ctrl+f, shift+tab, f1, alt+x
  type TEXT          [=> REGEX]   each character typed at once, as one write
  wait REGEX                      wait until the screen matches (not measured)
  sleep SECONDS                   idle (not measured)

Only the standard library and pyte are needed.  POSIX only.
"""

from __future__ import annotations

import argparse
import codecs
import contextlib
import fcntl
import os
import pty
import re
import resource
import select
import shlex
import signal
import statistics
import struct
import sys
import tempfile
import termios
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

try:
    import pyte
except ImportError:  # pragma: no cover
    sys.exit("ttybench needs pyte:  pip install pyte")

now = time.perf_counter

# --------------------------------------------------------------------------
# Keys
# --------------------------------------------------------------------------

_NAMED = {
    "enter": "\r",
    "return": "\r",
    "tab": "\t",
    "shift+tab": "\x1b[Z",
    "backtab": "\x1b[Z",
    "esc": "\x1b",
    "escape": "\x1b",
    "space": " ",
    "backspace": "\x7f",
    "delete": "\x1b[3~",
    "insert": "\x1b[2~",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "home": "\x1b[H",
    "end": "\x1b[F",
    "pageup": "\x1b[5~",
    "pagedown": "\x1b[6~",
    "f1": "\x1bOP",
    "f2": "\x1bOQ",
    "f3": "\x1bOR",
    "f4": "\x1bOS",
    "f5": "\x1b[15~",
    "f6": "\x1b[17~",
    "f7": "\x1b[18~",
    "f8": "\x1b[19~",
    "f9": "\x1b[20~",
    "f10": "\x1b[21~",
    "f11": "\x1b[23~",
    "f12": "\x1b[24~",
    "slash": "/",
    "question": "?",
    "comma": ",",
}
_ARROWS = {"up": "A", "down": "B", "right": "C", "left": "D", "home": "H", "end": "F"}
_MODS = {"shift": 1, "alt": 2, "ctrl": 4}


def key_bytes(name: str) -> bytes:
    """Bytes an xterm sends for a key named like `ctrl+f`, `shift+down`, `a`."""
    if name in _NAMED:
        return _NAMED[name].encode()
    *mods, base = name.split("+") if len(name) > 1 else [name]
    if mods and base in _ARROWS:
        return f"\x1b[1;{1 + sum(_MODS[m] for m in mods)}{_ARROWS[base]}".encode()
    if mods == ["ctrl"] and len(base) == 1 and (base.isalpha() or base in "@[\\]^_"):
        return bytes([ord(base.upper()) & 0x1F])
    if mods == ["alt"]:
        return b"\x1b" + key_bytes(base)
    if not mods and len(base) == 1:
        return base.encode()
    raise ValueError(f"unknown key: {name!r}")


# --------------------------------------------------------------------------
# Terminal: what a user would see
# --------------------------------------------------------------------------

_TOKEN = re.compile(
    r"\x1b\[(?P<csi>[0-?]*[ -/]*[@-~])"
    r"|\x1b\](?P<osc>[^\x07\x1b]*)(?:\x07|\x1b\\|(?P<cut>(?=\x1b[^\\])))"
    r"|\x1b[P_^X](?P<dcs>[^\x1b]*)\x1b\\"
    r"|\x1b(?P<esc>[()*+#%][0-9A-Za-z]|[0-Z\\^-~])"
)
# Format characters take no cell; pyte would drop the rest of the line at one.
_ZERO_WIDTH = re.compile("[\xad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]")
_PARTIAL = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|[\]P_^X][^\x07\x1b]*\x1b?|[()*+#%]?)?$")


class Terminal:
    """pyte with an alternate screen and tolerance for what pyte cannot parse."""

    def __init__(self, columns: int, rows: int) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._pending = ""
        self._main = pyte.Screen(columns, rows)
        self.screen = self._main
        self._stream = pyte.Stream(self.screen)
        self.in_alt_screen = False

    def feed(self, data: bytes) -> None:
        text = self._pending + self._decoder.decode(data)
        self._pending = ""
        partial = _PARTIAL.search(text)
        if partial and len(partial.group()) < 2_000_000:
            self._pending, text = partial.group(), text[: partial.start()]
        position = 0
        for token in _TOKEN.finditer(text):
            if token.start() > position:
                self._print(text[position : token.start()])
            position = token.end()
            if token["csi"] is not None:
                self._csi(token["csi"])
            elif token["esc"] is not None:
                self._stream.feed(token.group())
        if position < len(text):
            self._print(text[position:])

    def _print(self, text: str) -> None:
        self._stream.feed(_ZERO_WIDTH.sub("", text))

    def _csi(self, body: str) -> None:
        final = body[-1]
        if final in "hl" and body.startswith("?") and ("1049" in body or "1047" in body):
            self._switch(final == "h")
            return
        if body[0] in "<>=" or final in "cntu" or any(c in " !\"#$%&'()*+,-./" for c in body):
            return  # queries, keyboard protocols, cursor shapes: nothing visible
        if final == "m" and ":" in body:
            body = re.sub(r"\b4:\d", "4", body).replace("::", ":").replace(":", ";")
        self._stream.feed("\x1b[" + body)

    def _switch(self, to_alt: bool) -> None:
        if to_alt and not self.in_alt_screen:
            self.screen = pyte.Screen(self._main.columns, self._main.lines)
        elif not to_alt and self.in_alt_screen:
            self.screen = self._main
        self.in_alt_screen = to_alt
        self._stream = pyte.Stream(self.screen)
        self.screen.dirty.update(range(self.screen.lines))

    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

    def snapshot(self, cache: dict[int, int]) -> bool:
        """Update `cache` with the changed lines; True if any cell changed."""
        screen, changed = self.screen, False
        for y in tuple(screen.dirty):
            if y < screen.lines:
                line = screen.buffer[y]
                digest = hash(tuple(line[x] for x in range(screen.columns)))
                if cache.get(y) != digest:
                    cache[y] = digest
                    changed = True
        screen.dirty.clear()
        return changed


# --------------------------------------------------------------------------
# Session: a child in a pty, with a byte recorder
# --------------------------------------------------------------------------

_QUERY = re.compile(rb"\x1b\[(?:c|0c|>c|>0c|=c|5n|6n|\?6n|\?u|14t|16t|18t|\?\d+\$p)|\x1b\]1[01];\?(?:\x07|\x1b\\)")


def _reply(query: bytes, profile: str, columns: int, rows: int) -> bytes:
    """What the chosen kind of terminal answers to a capability query."""
    if query in (b"\x1b[c", b"\x1b[0c"):
        return b"\x1b[?62;4;22c"
    if query in (b"\x1b[>c", b"\x1b[>0c"):
        return b"\x1b[>41;380;0c"
    if query == b"\x1b[5n":
        return b"\x1b[0n"
    if query in (b"\x1b[6n", b"\x1b[?6n"):
        return b"\x1b[1;1R"
    if query == b"\x1b[18t":
        return b"\x1b[8;%d;%dt" % (rows, columns)
    if query.endswith(b"$p"):
        mode = query[3:-2]
        known = mode == b"2026" and profile in ("modern", "kitty")
        return b"\x1b[?%s;%d$y" % (mode, 2 if known else 0)
    if query == b"\x1b[?u":
        return b"\x1b[?0u" if profile == "kitty" else b""
    if query.startswith(b"\x1b]11"):
        return b"\x1b]11;rgb:1010/1010/1010\x1b\\"
    if query.startswith(b"\x1b]10"):
        return b"\x1b]10;rgb:e0e0/e0e0/e0e0\x1b\\"
    return b""


@dataclass
class Chunk:
    at: float
    data: bytes
    used: float = 0.0  # milliseconds of the processor that the program had used by then


@dataclass
class Paint:
    """Latencies of one step, in milliseconds from the moment of input."""

    first_byte: float | None = None
    painted: float | None = None  # first chunk that changed a cell
    matched: float | None = None  # chunk after which the pattern matched
    settled: float | None = None  # last chunk that changed a cell
    used: float | None = None  # milliseconds of the processor until the pattern matched
    bytes: int = 0
    frames: int = 0

    def metrics(self) -> dict[str, float | None]:
        return {
            "first_byte_ms": self.first_byte,
            "painted_ms": self.painted,
            "matched_ms": self.matched,
            "settled_ms": self.settled,
            "bytes": self.bytes,
            "frames": self.frames,
        }


class Session:
    def __init__(
        self,
        command: list[str],
        *,
        columns: int = 120,
        rows: int = 40,
        env: dict[str, str] | None = None,
        cwd: str | None = None,
        profile: str = "modern",
    ) -> None:
        self.columns, self.rows, self.profile = columns, rows, profile
        self.terminal = Terminal(columns, rows)
        self._cache: dict[int, int] = {}
        self._tail = b""
        self.eof = False
        self.exit_status: int | None = None
        self.rusage: resource.struct_rusage | None = None
        self._early: list[Chunk] = []  # output that arrived while we were still typing
        full_env = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "TMUX", "CI")}
        full_env |= {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
        full_env |= env or {}
        self.started = now()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:  # child
            try:
                fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
                if cwd:
                    os.chdir(cwd)
                os.execvpe(command[0], command, full_env)
            except BaseException as error:
                os.write(2, f"ttybench: cannot run {command[0]}: {error}\r\n".encode())
                os._exit(127)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    # -- input ------------------------------------------------------------
    def write(self, data: bytes) -> None:
        """Write all of `data`, draining output so that neither side deadlocks."""
        view = memoryview(data)
        self._early = []
        while view:
            readable, writable, _ = select.select([self.fd], [self.fd], [], 5)
            if readable:
                self._early += self._read()
            if writable:
                view = view[os.write(self.fd, view[:1024]) :]
            if self.eof or not (readable or writable):
                break

    def _read(self) -> list[Chunk]:
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            data = b""
        at = now()
        if not data:
            self.eof = True
            return []
        if self.profile != "none":
            seen = self._tail + data
            for match in _QUERY.finditer(seen):
                if match.end() > len(self._tail):
                    answer = _reply(match.group(), self.profile, self.columns, self.rows)
                    if answer:
                        os.write(self.fd, answer)
            self._tail = seen[-24:]
        return [Chunk(at, data, self.used_ms())]

    def record(self, quiet: float, cap: float, chunks: list[Chunk] | None = None, first: float | None = None) -> list[Chunk]:
        """Collect output until it has been silent for `quiet` s, or `cap` s passed.

        `first` is how long to wait for the first output (default: `quiet`).
        """
        chunks = chunks if chunks is not None else []
        deadline = now() + cap
        while not self.eof:
            left = min(quiet if chunks or first is None else first, deadline - now())
            if left <= 0:
                break
            if not select.select([self.fd], [], [], left)[0]:
                break
            chunks += self._read()
        return chunks

    def replay(self, chunks: Iterable[Chunk], since: float, pattern: re.Pattern[str] | None, paint: Paint | None = None) -> Paint:
        """Feed chunks to the emulator, noting when the screen changed or matched."""
        paint = paint or Paint()
        for chunk in chunks:
            elapsed = (chunk.at - since) * 1000
            if paint.first_byte is None:
                paint.first_byte = elapsed
            paint.bytes += len(chunk.data)
            paint.frames += chunk.data.count(b"\x1b[?2026l")
            self.terminal.feed(chunk.data)
            if self.terminal.snapshot(self._cache):
                if paint.painted is None:
                    paint.painted = elapsed
                paint.settled = elapsed
                if pattern and paint.matched is None and pattern.search(self.terminal.text()):
                    paint.matched, paint.used = elapsed, chunk.used
        return paint

    def measure(
        self, act: Callable[[], None], pattern: re.Pattern[str] | None = None, quiet: float = 0.2, timeout: float = 10.0
    ) -> Paint:
        """Do `act` (some input), then time what it does to the screen.

        Without a pattern the step ends at the first quiet period after output;
        a step that produces no output at all ends after a second or five quiet periods.
        """
        self._early = []
        began = now()
        act()
        chunks, self._early = self._early, []
        paint = self.replay(self.record(quiet, timeout, chunks, first=max(1.0, quiet * 5)), began, pattern)
        while now() - began < timeout and not self.eof:
            if pattern is None or paint.matched is not None:
                break
            paint = self.replay(self.record(quiet, timeout - (now() - began)), began, pattern, paint)
        if pattern and paint.matched is None and pattern.search(self.terminal.text()):
            paint.matched = paint.settled or 0.0  # it was there all along
        return paint

    def wait_for(self, pattern: re.Pattern[str], quiet: float = 0.2, timeout: float = 20.0) -> bool:
        return self.measure(lambda: None, pattern, quiet, timeout).matched is not None or bool(pattern.search(self.terminal.text()))

    # -- resources --------------------------------------------------------
    def _tree(self) -> list[int]:
        """The child and its descendants (Linux)."""
        parents: dict[int, list[int]] = {}
        try:
            for entry in os.listdir("/proc"):
                if entry.isdigit():
                    try:
                        with open(f"/proc/{entry}/stat") as handle:
                            parent = int(handle.read().rpartition(")")[2].split()[1])
                        parents.setdefault(parent, []).append(int(entry))
                    except (OSError, ValueError, IndexError):
                        pass
        except OSError:
            return [self.pid]
        found, todo = [], [self.pid]
        while todo:
            pid = todo.pop()
            found.append(pid)
            todo += parents.get(pid, [])
        return found

    def memory(self) -> dict[str, float]:
        """RSS, PSS and peak RSS in MB, summed over the process tree."""
        totals = {"rss_mb": 0.0, "pss_mb": 0.0, "peak_mb": 0.0}
        for pid in self._tree():
            try:
                with open(f"/proc/{pid}/status") as handle:
                    status = dict(re.findall(r"^(VmRSS|VmHWM):\s+(\d+)", handle.read(), re.MULTILINE))
                with open(f"/proc/{pid}/smaps_rollup") as handle:
                    pss = re.search(r"^Pss:\s+(\d+)", handle.read(), re.MULTILINE)
            except OSError:
                continue
            totals["rss_mb"] += int(status.get("VmRSS", 0)) / 1024
            totals["peak_mb"] += int(status.get("VmHWM", 0)) / 1024
            totals["pss_mb"] += int(pss[1]) / 1024 if pss else 0.0
        return {name: round(value, 1) for name, value in totals.items()}

    def used_ms(self) -> float:
        """Milliseconds of the processor that the threads of the program have used: to the microsecond, and without other programs."""
        used = 0
        with contextlib.suppress(OSError):
            for thread in os.listdir(f"/proc/{self.pid}/task"):
                with contextlib.suppress(OSError), open(f"/proc/{self.pid}/task/{thread}/schedstat") as handle:
                    used += int(handle.read().split()[0])
        return used / 1e6

    def cpu_seconds(self) -> float:
        total = 0
        for pid in self._tree():
            try:
                with open(f"/proc/{pid}/stat") as handle:
                    fields = handle.read().rpartition(")")[2].split()
                total += int(fields[11]) + int(fields[12])
            except (OSError, ValueError, IndexError):
                pass
        return total / os.sysconf("SC_CLK_TCK")

    # -- end --------------------------------------------------------------
    def _reap(self, timeout: float) -> bool:
        deadline = now() + timeout
        while self.exit_status is None and now() < deadline:
            if not self.eof and select.select([self.fd], [], [], 0.01)[0]:
                for chunk in self._read():
                    self.terminal.feed(chunk.data)
            elif self.eof:
                time.sleep(0.005)
            pid, status, usage = os.wait4(self.pid, os.WNOHANG)
            if pid:
                self.exit_status, self.rusage = os.waitstatus_to_exitcode(status), usage
        if self.exit_status is not None:  # what it wrote last (restoring the screen)
            for chunk in self.record(0.05, 1.0):
                self.terminal.feed(chunk.data)
        return self.exit_status is not None

    def close(self, quit_keys: list[str] | None = None, grace: float = 3.0) -> None:
        """Quit by keys if given, else SIGTERM, then SIGKILL - only our own child."""
        if self.exit_status is None and quit_keys:
            try:
                for name in quit_keys:
                    self.write(key_bytes(name))
                    for chunk in self.record(0.05, 0.3):
                        self.terminal.feed(chunk.data)
            except OSError:
                pass
            self._reap(grace)
        for signum in (signal.SIGTERM, signal.SIGKILL):
            if self.exit_status is None:
                try:
                    os.killpg(self.pid, signum)  # pty.fork made it a session leader
                except ProcessLookupError:
                    pass
                self._reap(grace)
        try:
            os.close(self.fd)
        except OSError:
            pass


# --------------------------------------------------------------------------
# Steps
# --------------------------------------------------------------------------


@dataclass
class Step:
    text: str
    verb: str
    argument: str
    pattern: re.Pattern[str] | None

    @classmethod
    def parse(cls, line: str) -> Step:
        head, arrow, pattern = line.rstrip("\n").partition("=>")
        verb, _, argument = head.lstrip().partition(" ")
        if verb == "type":  # spaces are typed too, but for the one before "=>"
            argument = argument.removesuffix(" ") if arrow else argument
        else:
            argument = argument.strip()
        return cls(line.strip(), verb, argument, re.compile(pattern.strip()) if arrow else None)

    def run(self, session: Session, quiet: float, timeout: float) -> Paint | None:
        act: Callable[[], None]
        argument = self.argument
        if self.verb == "key":
            data = b"".join(key_bytes(name) for name in argument.split())
            act = lambda: session.write(data)
        elif self.verb == "type":
            act = lambda: session.write(argument.encode())
        elif self.verb == "wait":
            if not session.wait_for(re.compile(argument), quiet, timeout):
                raise TimeoutError(f"never saw {argument!r}; screen:\n{session.terminal.text()}")
            return None
        elif self.verb == "sleep":
            session.replay(session.record(float(argument), float(argument)), now(), None)
            return None
        else:
            raise ValueError(f"unknown step: {self.text!r}")
        paint = session.measure(act, self.pattern, quiet, timeout)
        if self.pattern and paint.matched is None:
            raise TimeoutError(f"step {self.text!r}: pattern never appeared; screen:\n{session.terminal.text()}")
        return paint


# --------------------------------------------------------------------------
# Results
# --------------------------------------------------------------------------


@dataclass
class Results:
    command: list[str]
    samples: dict[str, list[float]] = field(default_factory=dict)

    def add(self, name: str, value: float | None) -> None:
        if value is not None:
            self.samples.setdefault(name, []).append(round(value, 3))

    def summary(self) -> dict[str, dict[str, float]]:
        table = {}
        for name, values in self.samples.items():
            ordered = sorted(values)
            table[name] = {
                "n": len(values),
                "median": statistics.median(ordered),
                "min": ordered[0],
                "p90": ordered[min(len(ordered) - 1, round(0.9 * (len(ordered) - 1)))],
                "max": ordered[-1],
            }
        return table

    def print(self) -> None:
        table = self.summary()
        width = max([len(name) for name in table] + [8])
        print(f"{'':{width}}  {'n':>4} {'median':>10} {'min':>10} {'p90':>10} {'max':>10}")
        for name, row in table.items():
            cells = " ".join(f"{row[k]:>10.1f}" for k in ("median", "min", "p90", "max"))
            print(f"{name:{width}}  {row['n']:>4} {cells}")


# --------------------------------------------------------------------------
# Sub-commands
# --------------------------------------------------------------------------


def open_session(options: argparse.Namespace) -> Session:
    columns, rows = map(int, options.size.split("x"))
    return Session(
        options.command,
        columns=columns,
        rows=rows,
        cwd=options.cwd,
        profile=options.profile,
        env=dict(pair.split("=", 1) for pair in options.env),
    )


def make_ready(session: Session, options: argparse.Namespace) -> None:
    if options.ready:
        if not session.wait_for(re.compile(options.ready), 0.1, options.timeout):
            raise TimeoutError(f"never ready ({options.ready!r}); screen:\n{session.terminal.text()}")
        session.replay(session.record(options.quiet, options.timeout), now(), None)
    else:
        session.replay(session.record(max(options.quiet, 0.6), options.timeout), now(), None)
    for line in options.before:
        Step.parse(line).run(session, options.quiet, options.timeout)


def command_start(options: argparse.Namespace) -> Results:
    results = Results(options.command)
    pattern = re.compile(options.until) if options.until else None
    for run in range(options.runs + options.warmup):
        session = open_session(options)
        try:
            began, deadline, paint = session.started, now() + options.timeout, Paint()
            quiet, glyph, alt = max(options.quiet, 0.4), None, None
            chunks = session.record(quiet if not pattern else 0.05, options.timeout)
            while True:
                for chunk in chunks:
                    if alt is None and b"\x1b[?1049h" in chunk.data:
                        alt = (chunk.at - began) * 1000
                    session.replay([chunk], began, pattern, paint)
                    if (
                        glyph is None
                        and re.search(r"\S", session.terminal.text())
                        and (session.terminal.in_alt_screen or not options.alt)
                    ):
                        glyph = (chunk.at - began) * 1000
                if (
                    session.eof
                    or now() > deadline
                    or ((pattern is None and paint.painted is not None) or paint.matched is not None)
                ):
                    break
                chunks = session.record(0.05, 0.5)
            session.replay(session.record(quiet, options.timeout), began, pattern, paint)
            if pattern and paint.matched is None:
                raise TimeoutError(f"never saw {options.until!r}; screen:\n{session.terminal.text()}")
            memory, cpu = session.memory(), session.cpu_seconds()
            idle = None
            if options.idle:
                before, since = session.cpu_seconds(), now()
                session.replay(session.record(options.idle, options.idle), began, None)
                while now() - since < options.idle and not session.eof:
                    session.replay(session.record(options.idle, options.idle - (now() - since)), began, None)
                idle = 100 * (session.cpu_seconds() - before) / (now() - since)
        finally:
            session.close(options.quit.split())
        if run < options.warmup:
            continue
        for name, value in (
            ("first_byte_ms", paint.first_byte),
            ("alt_screen_ms", alt),
            ("first_glyph_ms", glyph),
            ("matched_ms", paint.matched),
            ("settled_ms", paint.settled),
            ("cpu_start_ms", cpu * 1000),
            ("bytes", paint.bytes),
            ("frames", paint.frames),
            ("idle_cpu_pct", idle),
            *memory.items(),
        ):
            results.add(name, value)
    return results


def command_ab(options: argparse.Namespace) -> None:
    """Interleave the variants, so that a burst of load elsewhere hits all alike."""
    pattern = re.compile(options.until)
    columns, rows = map(int, options.size.split("x"))
    variants: list[tuple[str, list[str], dict[str, str]]] = []
    for text in options.variants:
        label, _, command = text.partition("=")
        words, env = shlex.split(command), {}
        while "=" in words[0] and "/" not in words[0].split("=")[0]:
            key, _, value = words.pop(0).partition("=")
            env[key] = value
        variants.append((label, words, env))
    samples: dict[str, Results] = {label: Results(words) for label, words, _ in variants}
    for run in range(options.runs + 1):  # the first round is a warm-up
        for label, words, env in variants:
            session = Session(words, columns=columns, rows=rows, env=env, cwd=options.cwd, profile=options.profile)
            try:
                paint, deadline = Paint(), now() + options.timeout
                while paint.matched is None and now() < deadline and not session.eof:
                    session.replay(session.record(0.05, 1.0), session.started, pattern, paint)
                session.replay(session.record(0.4, 5.0), session.started, pattern, paint)
                memory = session.memory()["rss_mb"]
                if paint.matched is None:
                    raise TimeoutError(f"{label}: never saw {options.until!r}; screen:\n{session.terminal.text()}")
            finally:
                session.close(options.quit.split())
            if run:
                usage = session.rusage
                cpu = (usage.ru_utime + usage.ru_stime) * 1000 if usage else None
                for metric, figure in (
                    ("painted", paint.painted),
                    ("matched", paint.matched),
                    ("settled", paint.settled),
                    ("used", paint.used),
                    ("cpu", cpu),
                    ("rss_mb", memory),
                ):
                    samples[label].add(metric, figure)
    base = None
    print(f"{'':24}" + "".join(f"{name:>12}" for name in ("painted", "matched", "(min)", "settled", "used", "cpu", "rss_mb")))
    for label, results in samples.items():
        row = {name: statistics.median(values) for name, values in results.samples.items()}
        base = base or row["matched"]
        cells = (row["painted"], row["matched"], min(results.samples["matched"]), *(row[name] for name in ("settled", "used", "cpu", "rss_mb")))
        print(f"{label:24}" + "".join(f"{cell:>12.1f}" for cell in cells) + f"   x{row['matched'] / base:.2f}")


def command_keys(options: argparse.Namespace) -> Results:
    results = Results(options.command)
    steps = [Step.parse(line) for line in options.step]
    for run in range(options.runs + options.warmup):
        session = open_session(options)
        try:
            make_ready(session, options)
            for index, step in enumerate(steps, 1):
                for _ in range(options.repeat if step.verb == "key" else 1):
                    paint = step.run(session, options.quiet, options.timeout)
                    if paint is not None and run >= options.warmup:
                        for name, value in paint.metrics().items():
                            results.add(f"{index:02d} {step.text[:40]} | {name}", value)
            for name, value in session.memory().items():
                results.add(f"end | {name}", value)
        finally:
            session.close(options.quit.split())
    return results


_SELFTEST = r"""
import os, select, sys, time, tty
tty.setraw(0)
w = lambda s: os.write(1, s.encode())
time.sleep(0.15)
w("\x1b[?1049h\x1b[2J\x1b[?2026$p\x1b[1;1Hready")
delay = 0.05
while True:
    key = os.read(0, 100).decode()
    if "q" in key: break
    if "\x1b[?2026;2$y" in key: w("\x1b[2;1Hsync")
    if "a" in key: time.sleep(delay); w("\x1b[3;1Hpainted")
    if "b" in key: time.sleep(0.02); w("\x1b[3;1Hone    "); time.sleep(0.08); w("\x1b[4;1Htwo%d" % time.time_ns())
    if "n" in key: w("\x1b[1;1H")          # bytes, but nothing changes
w("\x1b[?1049l")
"""


def command_selftest(_options: argparse.Namespace) -> None:
    with tempfile.NamedTemporaryFile("w", suffix=".py") as script:
        script.write(_SELFTEST)
        script.flush()
        session = Session([sys.executable, "-S", "-E", script.name], columns=80, rows=24)
        failures = 0

        def check(label: str, value: float | bool | None, low: float = 1, high: float = 1) -> None:
            nonlocal failures
            good = value is not None and low <= value <= high
            failures += not good
            shown = f"{value:.1f}" if isinstance(value, float) else value
            print(f"{'ok  ' if good else 'FAIL'} {label}: {shown} (expected {low}..{high})")

        try:
            paint = session.replay(session.record(0.3, 5), session.started, re.compile("ready"))
            check("start, 150 ms sleep", paint.matched, 150, 260)
            check("terminal answers queries", "sync" in session.terminal.text())
            for _ in range(3):
                paint = session.measure(lambda: session.write(b"a"))
                if paint.painted is not None:
                    check("key, 50 ms sleep", paint.painted, 50, 58)
                session.measure(lambda: session.write(b"b"))
            paint = session.measure(lambda: session.write(b"a"))
            paint = session.measure(lambda: session.write(b"b"))
            check("two-stage: painted", paint.painted, 20, 28)
            check("two-stage: settled", paint.settled, 100, 112)
            paint = session.measure(lambda: session.write(b"n"))
            check("no visible change is not a paint", paint.painted is None and paint.bytes > 0)
        finally:
            session.close(["q"])
        check("clean exit", session.exit_status == 0)
        check("main screen restored", not session.terminal.in_alt_screen)
    sys.exit(1 if failures else 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="name", required=True)

    def add(name: str, **kwargs: object) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, **kwargs)  # type: ignore[arg-type]
        sub.add_argument("-n", "--runs", type=int, default=5)
        sub.add_argument("--warmup", type=int, default=1, help="runs thrown away (default 1)")
        sub.add_argument("--size", default="120x40", metavar="CxR")
        sub.add_argument("--quiet", type=float, default=0.2, help="seconds of silence that end a step")
        sub.add_argument("--timeout", type=float, default=20.0)
        sub.add_argument(
            "--profile",
            choices=("none", "xterm", "modern", "kitty"),
            default="modern",
            help="which capability queries are answered",
        )
        sub.add_argument("--env", action="append", default=[], metavar="K=V")
        sub.add_argument("--cwd")
        sub.add_argument("--quit", default="ctrl+q", help="keys that quit the program")
        sub.add_argument("--ready", help="regex on the screen that means the program is up")
        sub.add_argument("--before", action="append", default=[], metavar="STEP", help="unmeasured step(s)")
        return sub

    start = add("start")
    start.add_argument("--until", help="regex on the screen to time as well")
    start.add_argument("--idle", type=float, default=0.0, help="measure idle CPU over this many seconds")
    start.add_argument("--no-alt", dest="alt", action="store_false", help="count glyphs outside the alternate screen too")
    keys = add("keys")
    keys.add_argument("--repeat", type=int, default=1, help="repeat each key step this many times")
    keys.add_argument("-s", "--step", action="append", default=[])
    for sub in (start, keys):
        sub.add_argument("command", nargs=argparse.REMAINDER)
    ab = add("ab")
    ab.add_argument("--until", required=True)
    ab.add_argument("variants", nargs="+", metavar="LABEL=[K=V ...]COMMAND")
    commands.add_parser("selftest")

    options = parser.parse_args()
    if hasattr(options, "command"):
        options.command = options.command[1:] if options.command[:1] == ["--"] else options.command
        if not options.command:
            parser.error("give the command to run after --")
    runner = {"start": command_start, "keys": command_keys}.get(options.name)
    try:
        if runner is None:
            {"ab": command_ab, "selftest": command_selftest}[options.name](options)
            return
        results = runner(options)
    except TimeoutError as error:
        sys.exit(f"ttybench: {error}")
    print("$", shlex.join(options.command))
    results.print()


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:  # e.g. piped into head
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
