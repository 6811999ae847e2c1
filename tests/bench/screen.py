"""The full-screen program, timed from outside through a terminal: first frame, typing, cursor, idling, memory.

python -m tests.bench.screen            needs `pip install '.[bench]'`; the store of 34,500 files takes a minute to make
python -m tests.bench.screen start      only the start, with zerostack alone and with Claude Code alone
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.bench.measure import HERE, corpus, row, write_lines
from zsmem_tui.agents.claude_code.files import encoded

ZSMEM = str(Path(sys.executable).parent / "zsmem")
HELLO = f"{sys.executable} {HERE / 'hello.py'}"
SMALL = "proj000-00000000"
XL = "bigmono-deadbeef"
RUNS = "7"


def bench(*words: str) -> str:
    """What one run of the harness prints."""
    command = [sys.executable, str(HERE / "ttybench.py"), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def program(size: str, project: str) -> list[str]:
    return [ZSMEM, "--root", str(corpus(size)), "--project", project]


def claude_alone() -> tuple[str, list[str]]:
    """A home with the memory of Claude Code alone, 60 files, and the program in its folder."""
    home = Path(tempfile.gettempdir(), "zsmem-claude-alone")
    folder = home / "code" / "lantern"
    (folder / ".git").mkdir(parents=True, exist_ok=True)
    memory = f".claude/projects/{encoded(str(folder))}/memory"
    topics = {f"project_topic_{number}": f"What is known of part {number}." for number in range(57)}
    for name, text in topics.items():
        head = f"---\nname: {name.replace('_', '-')}\ndescription: {text}\ntype: project\n---\n"
        write_lines(str(home), {f"{memory}/{name}.md": (head.encode(), text.encode(), b"")})
    index = [f"- [{name}]({name}.md) - {text}".encode() for name, text in topics.items()]
    orders = (b"# Everywhere", b"", b"- Answer briefly.", b"")
    places = (".claude/CLAUDE.md", ".claude/rules/style.md")
    write_lines(str(home), {f"{memory}/MEMORY.md": (b"# Memory Index", b"", *index, b""), **dict.fromkeys(places, orders)})
    return f"HOME={home}", [ZSMEM, "--cwd", str(folder)]


def columns(report: str) -> dict[str, dict[str, float]]:
    """The table of an `ab` run: label -> column -> figure."""
    lines = [line for line in report.splitlines() if line.strip()]
    head = next(line for line in lines if "painted" in line).replace("(min)", "min").split()
    found = {}
    for line in lines[lines.index(next(line for line in lines if "painted" in line)) + 1 :]:
        label, *figures = line.split()
        found[label] = dict(zip(head, (float(figure) for figure in figures if not figure.startswith("x")), strict=False))
    return found


def steps(report: str) -> dict[str, float]:
    """The medians of a `keys` run: `step | figure` -> milliseconds."""
    found = re.findall(r"^(\d+ .+? \| \w+) +\d+ +([0-9.]+)", report, re.MULTILINE)
    return {name: float(value) for name, value in found}


def start() -> None:
    small, large = " ".join(program("S", SMALL)), " ".join(program("L", SMALL))
    home, claude = claude_alone()
    for env, command in (("", program("S", SMALL)), (home, claude)):  # every start but the first knows its styles
        bench("start", "-n", "1", "--until", "1 Memory", "--idle", "3", *(("--env", env) if env else ()), "--", *command)
    programs = (f"hello={HELLO}", f"small={small}", f"large={large}", f"claude={home} {' '.join(claude)}")
    glyph = columns(bench("ab", "-n", RUNS, "--until", "Hello|1 Memory", *programs))
    found = columns(bench("ab", "-n", RUNS, "--until", f"Hello|◆ {SMALL}|project_topic_1 ", *programs))
    hello, few, many = found["hello"], found["small"], found["large"]
    for agent, name in (("zerostack", "small"), ("Claude Code", "claude")):
        print(f"{agent} alone, 60 files, against hello:")
        row("the terminal is taken", found[name]["painted"], hello["painted"], 1.25)
        row("first glyph", glyph[name]["min"], glyph["hello"]["min"], 1.25)
        row("first glyph, of the processor", glyph[name]["used"], glyph["hello"]["used"], 1.4)
        row("rows of the project", found[name]["min"], hello["min"], 1.3)
        row("memory", found[name]["rss_mb"], hello["rss_mb"], 1.4, "MB")
    row("first glyph, 34,500 files against 60", glyph["large"]["matched"], glyph["small"]["matched"], 1.15)
    row("rows, 34,500 files against 60", many["matched"], few["matched"], 1.15)


def typing() -> None:
    script = ["sleep 1", "key s", "type quokkafish => 4 files", "key ctrl+l", "type schedule => 3659 files"]
    words = [part for step in script for part in ("-s", step)]
    found = steps(bench("keys", "-n", RUNS, "--ready", "prompt", *words, "--", *program("M", XL)))
    for label, step, aim in (("rare", "quokkafish", 100), ("common", "schedule", 200)):
        final = next(value for name, value in found.items() if step in name and "matched" in name)
        echo = next(value for name, value in found.items() if step in name and "painted" in name)
        print(f"typing a {label} term into 4,001 files: letters {echo:.0f} ms (aim 30), final results {final:.0f} ms (aim {aim})")
    out = bench(
        "burst",
        "-n",
        "3",
        "--ready",
        "prompt",
        "--before",
        "key s",
        "--text",
        "scheduler deploy",
        "--rate",
        "20",
        "--until",
        "deploy ",
        "--",
        *program("M", XL),
    )
    print("20 keys a second,", next(line.strip() for line in out.splitlines() if "settled_ms" in line))


def moving() -> None:
    words = [part for step in ["key l", *["key j"] * 8] for part in ("-s", step)]
    found = steps(bench("keys", "-n", RUNS, "--ready", "prompt", *words, "--", *program("L", SMALL)))
    settled = sorted(value for name, value in found.items() if "key j" in name and "settled" in name)
    print(f"cursor to painted preview: {settled[len(settled) // 2]:.0f} ms (aim 80)")


if __name__ == "__main__":
    for part in (start, typing, moving):
        if part.__name__ in (sys.argv[1:] or [part.__name__]):
            part()
