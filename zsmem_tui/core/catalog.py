"""What one walk over a store found, and how a file is known to be the same as before."""

from __future__ import annotations

from typing import NamedTuple

from zsmem_tui.core.refs import MemRef, Role


class Fingerprint(NamedTuple):
    """Cheap evidence that a file is the same as before: nanoseconds of its last change, bytes, inode.

    Programs can put the time of the last change back; that of the last change of any of these they cannot.
    """

    mtime_ns: int
    size: int
    inode: int
    ctime_ns: int = 0


class FileEntry(NamedTuple):
    """One memory file. `fingerprint` is None when it cannot be looked at; `problem` then says why, in words.

    `missing`: it was deleted since its folder was listed, or is a link to what is not there.
    """

    ref: MemRef
    fingerprint: Fingerprint | None
    problem: str = ""
    missing: bool = False

    @property
    def size(self) -> int:
        """Bytes; 0 when unknown."""
        return self.fingerprint.size if self.fingerprint else 0

    @property
    def modified_ns(self) -> int:
        """Nanoseconds since 1970 of the last change; 0 when unknown."""
        return self.fingerprint.mtime_ns if self.fingerprint else 0


class ProjectEntry(NamedTuple):
    """One project with its files. `open_items` is None until the scratchpad has been read.

    `problem` says why its folder cannot be looked into.
    """

    slug: str
    files: tuple[FileEntry, ...]
    open_items: int | None = None
    problem: str = ""

    @property
    def size(self) -> int:
        """Bytes of all its files."""
        return sum(entry.size for entry in self.files)

    @property
    def modified_ns(self) -> int:
        """Nanoseconds since 1970 of the latest change in it; 0 when it has no file."""
        return max((entry.modified_ns for entry in self.files), default=0)

    def of(self, role: Role | None) -> list[FileEntry]:
        """Its files of one kind: logs newest first, the rest by name."""
        found = [entry for entry in self.files if entry.ref.role is role]
        return sorted(found, key=lambda entry: entry.ref.path, reverse=role is Role.LOG)


class Catalog(NamedTuple):
    """Everything a store holds. `problem` is a sentence when the root itself cannot be read.

    `kept` is what a person has archived: it is watched and in the history, and no agent sees it.
    """

    shared: tuple[FileEntry, ...] = ()
    projects: tuple[ProjectEntry, ...] = ()
    problem: str = ""
    kept: tuple[FileEntry, ...] = ()

    @property
    def file_count(self) -> int:
        """How many memory files there are."""
        return len(self.shared) + sum(len(project.files) for project in self.projects)

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(entry.size for entry in self.shared) + sum(project.size for project in self.projects)

    @property
    def refs(self) -> frozenset[MemRef]:
        """Every file that is there."""
        files = (self.shared, *(project.files for project in self.projects), self.kept)
        return frozenset(entry.ref for each in files for entry in each if not entry.missing)

    def project(self, slug: str) -> ProjectEntry | None:
        """The project called `slug`, if there is one."""
        return next((project for project in self.projects if project.slug == slug), None)
