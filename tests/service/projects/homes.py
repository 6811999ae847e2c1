"""Generated home folders with projects in them, what happens to those, and the truth to hold answers against."""

from __future__ import annotations

import os
import random
import shutil
import string
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from dulwich.repo import Repo

from zsmem_tui.core.names import project_slug
from zsmem_tui.core.project_folders import State

NAMES = ("lantern", "api", "web", "日本", "my proj", "a.b", "Überfluss", "x" * 45, "tools_2", "site-v2", "root", "+-", "c++")
FILES = ("README.md", "Makefile", "pyproject.toml", "notes.txt", "main.py", "LICENSE", "setup.cfg", "go.mod")
WHO = b"Ann <ann@example.org>"


@dataclass
class Expected:
    """What is so of one memory. `states` may be answered; `to` is the only place that it may be said to have moved to."""

    folder: str
    states: tuple[State, ...]
    to: str = ""
    named: bool = True
    story: str = ""


@dataclass
class Home:
    """A home folder. `truth` is by slug."""

    place: Path
    random: random.Random
    root: Path
    truth: dict[str, Expected] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    numbers: int = 0

    def free(self) -> Path:
        """A place where nothing is, in a folder that is there."""
        while True:
            above = self.place / self.random.choice(["git", "work/one", "code", ".config/x", "git/deep/er"])
            place = above / (self.random.choice(NAMES) + self.random.choice(["", "", "-old", "2", " 3"]))
            if str(place) not in self.taken:
                self.taken.add(str(place))
                above.mkdir(parents=True, exist_ok=True)
                return place

    def remembers(self, folder: Path) -> str:
        """A memory of this folder; its slug."""
        slug = project_slug(str(folder))
        pad = self.root / "projects" / slug / "SCRATCHPAD.md"
        pad.parent.mkdir(parents=True)
        pad.write_text(f"- [ ] of {folder.name}\n")
        return slug

    def expects(self, slug: str, folder: Path, *states: State, to: Path | str = "", story: str, **more: bool) -> None:
        """What is so of a memory in the end."""
        self.truth[slug] = Expected(str(folder), states, str(to), story=story, **more)

    def number(self) -> int:
        """One that nothing else has."""
        self.numbers += 1
        return self.numbers

    def files(self, folder: Path, count: int) -> None:
        """Files in a folder that no other has like it."""
        folder.mkdir(parents=True, exist_ok=True)
        for name in self.random.sample(FILES, count):
            stem = "".join(self.random.choices(string.ascii_lowercase, k=6))
            (folder / f"{stem}-{name}").write_text(f"{folder} {name}\n")

    def repository(self, folder: Path, *, commits: bool = True, remote: bool = True) -> None:
        """A repository as git makes it."""
        folder.mkdir(parents=True, exist_ok=True)
        with Repo.init(str(folder)) as repo:
            if remote:
                config = repo.get_config()
                config.set((b"remote", b"origin"), b"url", f"https://ann:pw@example.org/ann/{self.number()}.git".encode())
                config.write_to_path()
            if commits:
                words = f"first of {folder} {self.random.random()}".encode()
                repo.get_worktree().commit(message=words, committer=WHO, author=WHO)


def crossed(old: Path, new: Path) -> None:
    """A move to another file system: everything is copied with its times, and deleted where it was."""
    copy = new.with_name(f"{new.name}.part")
    shutil.copytree(old, copy, symlinks=True)
    shutil.rmtree(old)
    os.rename(copy, new)


def generate(home: Path, root: Path, seed: int) -> tuple[Home, list[object]]:
    """A home folder with projects, and what will happen to each: call these after the first look."""
    made = Home(home, random.Random(seed), root)
    return made, [make(made) for make in made.random.sample(STORIES, 9)]


Later = Callable[[Home, Path, Path], object]
"""What happens to a folder, which another place is free for."""


def _told(
    story: str, *states: State, later: Later | None = None, files: tuple[int, int] = (0, 5), git: float = 1, shallow: bool = False
) -> Callable[[Home], object]:
    """What may be said of a memory after this; with `git` below 1, some folders have no commits and some no remote; 0 is no git."""

    def begin(home: Home) -> object:
        folder, new = home.free(), home.free()
        home.files(folder, home.random.randint(*files))
        if git:
            home.repository(folder, commits=home.random.random() < git, remote=home.random.random() < git)
        if shallow:
            (folder / ".git/shallow").write_text("0" * 40 + "\n")
        goes = not {State.HERE, State.GONE} & set(states)
        home.expects(home.remembers(folder), folder, *states, to=new if goes else "", story=story)
        return later and (lambda: later(home, folder, new))

    return begin


def _renamed(home: Home, folder: Path, new: Path) -> None:
    os.rename(folder, new)


def _renamed_and_changed(home: Home, folder: Path, new: Path) -> None:
    os.rename(folder, new)
    for each in [path for path in new.iterdir() if path.is_file()]:
        each.unlink()
    home.files(new, 3)
    with Repo(str(new)) as repo:
        repo.get_worktree().commit(message=b"more", committer=WHO, author=WHO)


def _crossed(home: Home, folder: Path, new: Path) -> None:
    crossed(folder, new)


def _deleted(home: Home, folder: Path, new: Path) -> None:
    shutil.rmtree(folder)


def _deleted_and_another_made(home: Home, folder: Path, new: Path) -> None:
    is_repository = (folder / ".git").is_dir()
    shutil.rmtree(folder)
    if is_repository:
        home.repository(new, commits=home.random.random() < 0.5)
    home.files(new, 3)


def _cloned(home: Home, folder: Path, new: Path) -> None:
    shutil.copytree(folder, new)


def _copied_twice(home: Home, folder: Path, new: Path) -> None:
    shutil.copytree(folder, new)
    shutil.copytree(folder, home.free())
    shutil.rmtree(folder)


def crossed_without_commits(home: Home) -> object:
    folder, new = home.free(), home.free()
    home.files(folder, 2)
    home.repository(folder, commits=False)
    home.expects(home.remembers(folder), folder, State.MAYBE, to=new, story="no commits, moved to another file system")
    return lambda: crossed(folder, new)


def cloned_with_memory_then_deleted(home: Home) -> object:
    folder, new = home.free(), home.free()
    home.repository(folder)
    slug = home.remembers(folder)
    shutil.copytree(folder, new)
    home.expects(home.remembers(new), new, State.HERE, story="a copy beside it")
    home.expects(slug, folder, State.GONE, story="deleted, and a copy with a memory of its own was beside it")
    return lambda: shutil.rmtree(folder)


def worktree_removed(home: Home) -> object:
    folder, tree = home.free(), home.free()
    home.repository(folder)
    slug = home.remembers(folder)
    _add_worktree(folder, tree)
    home.expects(slug, folder, State.HERE, story="has a work tree beside it")
    home.expects(home.remembers(tree), tree, State.GONE, story="a work tree that was removed")
    return lambda: shutil.rmtree(tree)


def worktree_moved(home: Home) -> object:
    folder, tree, new = home.free(), home.free(), home.free()
    home.repository(folder)
    _add_worktree(folder, tree)
    home.expects(home.remembers(tree), tree, State.MOVED, to=new, story="a work tree that was moved")
    return lambda: os.rename(tree, new)


def submodule_moved(home: Home) -> object:
    folder, new = home.free(), home.free()
    home.repository(folder)
    slug = home.remembers(folder)
    inner = folder / "vendor" / "part"
    real = folder / ".git" / "modules" / "part"
    home.repository(inner)
    real.parent.mkdir()
    os.rename(inner / ".git", real)
    (inner / ".git").write_text("gitdir: ../../.git/modules/part\n")
    home.expects(slug, folder, State.MOVED, to=new, story="renamed with a submodule")
    home.expects(home.remembers(inner), inner, State.MOVED, to=new / "vendor" / "part", story="a submodule in what was renamed")
    return lambda: os.rename(folder, new)


def part_moved(home: Home) -> object:
    folder, new = home.free(), home.free()
    home.repository(folder)
    part = folder / "packages" / "core"
    home.files(part, home.random.randint(0, 3))
    crosses = home.random.random() < 0.5
    home.expects(home.remembers(part), part, State.MOVED, to=new / "packages" / "core", story="a part of what was moved")
    return lambda: crossed(folder, new) if crosses else os.rename(folder, new)


def part_deleted(home: Home) -> object:
    folder = home.free()
    home.repository(folder)
    slug = home.remembers(folder)
    part = folder / "packages" / "one"
    home.files(part, 2)
    home.expects(slug, folder, State.HERE, story="a part of it was deleted")
    home.expects(home.remembers(part), part, State.GONE, State.MAYBE, story="a deleted part; another got its inodes")

    def later() -> None:
        shutil.rmtree(part)
        home.files(folder / "packages" / "two", 2)

    return later


def never_seen(home: Home) -> object:
    folder = home.free()
    clean = all(char.isascii() and (char.isalnum() or char in "-_") for char in folder.name) and len(folder.name) <= 40
    states = (State.GONE,) if clean else (State.UNKNOWN,)
    home.expects(home.remembers(folder), folder, *states, named=clean, story="gone before anybody looked")
    return None


def equal_basenames(home: Home) -> object:
    one, other = home.free(), home.free()
    other = other.with_name(one.name) if str(other.with_name(one.name)) not in home.taken else other
    home.taken.add(str(other))
    for each in (one, other):
        home.repository(each)
    slug = home.remembers(one)
    new = home.free()
    home.expects(slug, one, State.MOVED, to=new, story="renamed; another of its name is there")
    if other != one:
        home.expects(home.remembers(other), other, State.HERE, story="has the name of one that was renamed")
    return lambda: os.rename(one, new)


def _add_worktree(folder: Path, tree: Path) -> None:
    own = folder / ".git" / "worktrees" / tree.name
    own.mkdir(parents=True)
    (own / "commondir").write_text("../..\n")
    (own / "HEAD").write_bytes((folder / ".git" / "HEAD").read_bytes())
    (own / "gitdir").write_text(f"{tree}/.git\n")
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {own}\n")


STORIES = [
    _told("stays", State.HERE),
    _told("stays, without git", State.HERE, files=(0, 0), git=0),
    _told("renamed", State.MOVED, later=_renamed, git=0.7),
    _told("renamed, then worked in", State.MOVED, later=_renamed_and_changed),
    _told("renamed, without git", State.MOVED, later=_renamed, files=(3, 3), git=0),
    _told("renamed, and nothing in it", State.MAYBE, later=_renamed, files=(0, 0), git=0),
    _told("moved to another file system", State.MOVED, later=_crossed),
    _told("a shallow clone moved to another file system", State.MAYBE, later=_crossed, shallow=True),
    _told("without git, moved to another file system", State.MAYBE, later=_crossed, files=(4, 4), git=0),
    _told("deleted", State.GONE, later=_deleted),
    _told("deleted; another one got its inodes", State.GONE, State.MAYBE, later=_deleted_and_another_made, git=0.7),
    _told("deleted without git; another got its inodes", State.GONE, State.MAYBE, later=_deleted_and_another_made, git=0),
    _told("cloned, and stays", State.HERE, later=_cloned),
    _told("deleted, and two copies are there", State.GONE, later=_copied_twice),
    *(crossed_without_commits, cloned_with_memory_then_deleted, worktree_removed, worktree_moved, submodule_moved, part_moved),
    *(part_deleted, never_seen, equal_basenames),
]
