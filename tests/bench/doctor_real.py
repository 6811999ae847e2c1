"""How often each rule of the doctor is right on texts that people wrote.

    python -m tests.bench.doctor_real FOLDER [RULE ...] [--unjudged]
    python -m tests.bench.doctor_real FOLDER [RULE ...] [--unjudged] --beside TREE

FOLDER holds LIST.tsv (the columns `file`, `origin` and `path`) and the files; without it there is nothing to do. Each origin is a
project, and its files are notes. With `--beside` all that ends in .md below FOLDER, but samples and stores, are notes of the
project whose folder TREE is: links in them, which begin where they stood, say nothing then. What was judged by a person stands in
tests/judgements/RULE.tsv (in tests/judgements/beside, where the folder was at hand), without any of the texts: see
`tests.judgements`. `--unjudged` prints the findings of the rules named that nobody has judged, as rows for such a table with the
line behind them; the verdict is to be filled in, and the line to be cut off.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path

from tests.judgements import BESIDE, GONE, HERE, Judged, digest, judgements
from zsmem_tui.core.names import project_slug

NO_DOCUMENT = re.compile(r"(?:^|/)(?:\.venv|node_modules|samples|demo|store|golden|real)/")
"""Where texts stand that are about other folders."""

ONE_PROJECT_A_FILE = ("PatrickJS", "no1x0", "jnMeta")
"""Beginnings of origins that are collections: each of their files belongs to another project."""


def files_of(folder: Path, tree: Path | None) -> list[tuple[str, str, str]]:
    """The name below the folder, the project and the name of the note of each file."""
    if tree is not None:
        below = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.md"))
        named = [(file, re.sub(r"[^A-Za-z0-9_-]", "-", file.removesuffix(".md"))[:80]) for file in below]
        return [(file, project_slug(str(tree)), name) for file, name in named if not NO_DOCUMENT.search(file)]
    with folder.joinpath("LIST.tsv").open(encoding="utf-8", newline="") as rows:
        listed = list(csv.DictReader(rows, delimiter="\t"))
    found = []
    for row in listed:
        own = f"--{Path(row['file']).stem}" if row["origin"].startswith(ONE_PROJECT_A_FILE) else ""
        origin = row["origin"] + own
        project = f"{re.sub(r'[^A-Za-z0-9_-]', '-', origin)[:40]}-{digest(origin)[:8]}"
        name = re.sub(r"[^A-Za-z0-9_-]", "-", Path(row["path"]).stem or "x")[:80].strip("-")
        found.append((row["file"], project, name))
    return found


def build(folder: Path, root: Path, tree: Path | None) -> dict[str, str]:
    """A store of these files; which of them each path of the store is."""
    names = {}
    for file, project, name in files_of(folder, tree):
        place = root / "projects" / project / "notes"
        place.mkdir(parents=True, exist_ok=True)
        path, number = place / f"{name}.md", 1
        while path.exists():
            number += 1
            path = place / f"{name}-{number}.md"
        path.write_bytes(folder.joinpath(file).read_bytes())
        names[str(path.relative_to(root))] = file
    return names


def findings(folder: Path, rules: list[str], tree: Path | None) -> tuple[list[tuple[str, str, Judged]], float]:
    """Rule, level and place of each finding (its verdict is empty), and the seconds that the doctor took, start included."""
    with tempfile.TemporaryDirectory(prefix="doctor-real-") as box:
        root = Path(box, "store")
        names = build(folder, root, tree)
        own = {"HOME": box, "XDG_STATE_HOME": f"{box}/state", "XDG_DATA_HOME": f"{box}/data", "ZSMEM_STATE_DIR": f"{box}/zsmem"}
        beside = ["--folders", str(tree.parent)] if tree is not None else []
        asked = [word for rule in rules for word in ("--rule", rule)]
        start = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-m", "zsmem_tui", "--root", str(root), "doctor", "--all", "--json", *beside, *asked],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, **own},
        )
        took = time.perf_counter() - start
        if not done.stdout:
            raise SystemExit(f"The doctor failed: {done.stderr[-400:]}")
        found = json.loads(done.stdout)["findings"]
    out = []
    for each in found:
        if each["path"] in names:
            file = names[each["path"]]
            others = [(names.get(other["path"], ""), other["line"]) for other in each["related"][:1]]
            other = "".join(f"{'' if where == file else where}:{line}" for where, line in others)
            said = digest_of(folder, file, each["line"], other)
            out.append((each["rule"], each["severity"], Judged(file, each["line"], other, said, "")))
    return out, took


def line_of(folder: Path, file: str, line: int) -> str:
    """A line of a file, without the blanks around it; nothing where it has none of that number."""
    rows = folder.joinpath(file).read_bytes().decode("utf-8", "replace").split("\n")
    return rows[line - 1].strip() if 0 < line <= len(rows) else ""


def texts_of(folder: Path, file: str, line: int, other: str) -> list[str]:
    """The line of a finding, and the line that it is about as well."""
    where, _, number = other.rpartition(":")
    return [line_of(folder, file, line), *([line_of(folder, where or file, int(number))] if other else [])]


def digest_of(folder: Path, file: str, line: int, other: str) -> str:
    """By what a judgement knows the lines of a finding again."""
    return digest("\n".join(texts_of(folder, file, line, other)))[:12]


def run() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.doctor_real", description="How often each rule is right.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("rules", nargs="*", metavar="RULE")
    parser.add_argument("--unjudged", action="store_true", help="print what nobody has judged")
    parser.add_argument("--beside", type=lambda name: Path(name).resolve(), metavar="TREE", help="the folder of the project")
    args = parser.parse_args()
    if args.beside is None and not args.folder.joinpath("LIST.tsv").exists():
        print(f"There is no {args.folder / 'LIST.tsv'}: nothing was measured.")
        return
    files = files_of(args.folder, args.beside)
    size = sum(args.folder.joinpath(file).stat().st_size for file, _, _ in files)
    found, took = findings(args.folder, args.rules, args.beside)
    count, verdicts, unjudged = Counter[str](), defaultdict[str, Counter[str]](Counter), []
    for rule, _, place in dict.fromkeys(found):
        known = {
            judged._replace(verdict=""): judged.verdict
            for judged in (*judgements(rule, BESIDE if args.beside else HERE), *judgements(rule, GONE))
        }
        count[rule] += 1
        verdicts[rule][known.get(place, "unjudged")] += 1
        if place not in known:
            unjudged.append((rule, place))
    if args.unjudged:
        for rule, place in unjudged:
            said = " <> ".join(texts_of(args.folder, place.file, place.line, place.other))
            print(rule, *place[:-1], "?", said, sep="\t")
        return
    wrong = {place.file for _, level, place in found if level == "error"}
    share = 100 * len(wrong) / len(files)
    print(f"{len(files)} files, {size / 1e6:.1f} MB, {took:.1f} s; with an error: {share:.1f} % of the files")
    print(f"{'rule':16}{'findings':>9}{'/1000 files':>12}{'true':>6}{'arguable':>9}{'false':>6}{'unjudged':>9}{'right':>7}")
    for rule, number in sorted(count.items()):
        of = verdicts[rule]
        judged = number - of["unjudged"]
        right = f"{100 * of['true'] / judged:.0f} %" if judged else "-"
        row = f"{rule:16}{number:9}{1000 * number / len(files):12.1f}{of['true']:6}{of['arguable']:9}{of['false']:6}"
        print(f"{row}{of['unjudged']:9}{right:>7}")


if __name__ == "__main__":
    run()
