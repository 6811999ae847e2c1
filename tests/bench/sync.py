"""Two machines that share 34,500 files: the first push against git's own, a run with nothing to do, one changed line.

python -m tests.bench.sync            needs `git` and `pip install '.[bench]'`
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest

from tests.bench.measure import corpus, interleaved, timed
from tests.service.sync.machines import Machine, git
from zsmem_tui.service.plan import Handling

ROUNDS = 7


def main() -> None:
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        folder, remote, plain = Path(name), Path(name, "remote.git"), Path(name, "plain.git")
        machine, other = Machine(folder, "one", patch), Machine(folder, "other", patch)
        shutil.copytree(corpus("L"), machine.memory)
        files = [each for each in machine.memory.rglob("*") if each.is_file()]
        print(f"{len(files)} files, {sum(each.stat().st_size for each in files) / 1e6:.0f} MB")

        tree = folder / "tree"
        shutil.copytree(machine.memory, tree)
        git("init", "-q", "--bare", plain)

        def by_git() -> None:
            git("init", "-q", folder=tree)
            git("add", "-A", folder=tree)
            git("commit", "-q", "-m", "x", folder=tree)
            git("push", "-q", plain, "HEAD:refs/heads/zsmem", folder=tree)

        seconds = timed(by_git)
        machine.set_up(remote)
        own = timed(lambda: machine.sync(Handling.ALLOW))
        print(f"first push: {own:.1f} s, git add, commit and push {seconds:.1f} s: {own / seconds:.2f} times")
        other.set_up(remote)
        print(f"first pull: {timed(other.sync):.1f} s")
        machine.sync(Handling.ALLOW)

        fetch = ("fetch", "-q", remote, "zsmem")
        git("--git-dir", folder / "clone.git", "init", "-q", "--bare")
        git("--git-dir", folder / "clone.git", *fetch)
        found = interleaved(
            {"fetch": lambda: git("--git-dir", folder / "clone.git", *fetch), "sync": lambda: machine.sync(Handling.ALLOW)}, ROUNDS
        )
        print(f"nothing to do: {found['sync']:.0f} ms, of at most {2 * found['fetch'] + 300:.0f} (git fetch {found['fetch']:.0f})")

        place = next(each for each in files if each.suffix == ".md")

        def one_line() -> None:
            place.write_text(f"{place.read_text()}- one more\n")
            machine.sync(Handling.ALLOW)

        print(f"one changed line: {interleaved({'line': one_line}, ROUNDS)['line']:.0f} ms, of at most 1000")


if __name__ == "__main__":
    main()
