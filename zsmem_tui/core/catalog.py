"""What one walk over a store found, and the fingerprint that tells whether a file has changed."""

from __future__ import annotations

from typing import Final, NamedTuple

from zsmem_tui.core.refs import MemRef, Role

SETTLED_NS: Final = 2_000_000_000
"""What changed less than two seconds before its stat is read again: another change may leave the same time."""


class Fingerprint(NamedTuple):
    """The stat values of a file: modification time, size in bytes, inode, change time.

    Equal values are good evidence that the file did not change. Programs can reset the modification time, not the change time.
    """

    mtime_ns: int
    size: int
    inode: int
    ctime_ns: int = 0


class FileEntry(NamedTuple):
    """One memory file. `fingerprint` is None if stat failed; `problem` is then the reason in words.

    `missing`: the file was deleted after its folder was listed, or is a broken link. `is_link`: it is a symbolic link. `is_out`: a
    link leads out of the store, so that its text is not read; `problem` says so.
    """

    ref: MemRef
    fingerprint: Fingerprint | None
    problem: str = ""
    missing: bool = False
    is_link: bool = False
    is_out: bool = False

    @property
    def size(self) -> int:
        """Bytes; 0 when unknown."""
        return self.fingerprint.size if self.fingerprint else 0

    @property
    def modified_ns(self) -> int:
        """Modification time in nanoseconds since 1970; 0 when unknown."""
        return self.fingerprint.mtime_ns if self.fingerprint else 0


class ProjectEntry(NamedTuple):
    """One project with its files. `open_items` is None until the scratchpad has been read.

    `problem` says why its folder cannot be listed; empty if it can.
    """

    slug: str
    files: tuple[FileEntry, ...]
    open_items: int | None = None
    problem: str = ""

    @property
    def size(self) -> int:
        """Total bytes of all files."""
        return sum(entry.size for entry in self.files)

    @property
    def modified_ns(self) -> int:
        """The latest modification time of its files, in nanoseconds since 1970; 0 if there are none."""
        return max((entry.modified_ns for entry in self.files), default=0)

    def of(self, role: Role | None) -> list[FileEntry]:
        """The files with this role, sorted by path; logs newest first."""
        found = [entry for entry in self.files if entry.ref.role is role]
        return sorted(found, key=lambda entry: entry.ref.path, reverse=role is Role.LOG)


class Catalog(NamedTuple):
    """All files of a store. `problem` is a sentence if the root itself cannot be read.

    `kept` are the files a person has archived: watched and in the history, but not read by any agent. `hidden` are sentences on
    folders that cannot be read, so that their files are unknown.
    """

    shared: tuple[FileEntry, ...] = ()
    projects: tuple[ProjectEntry, ...] = ()
    problem: str = ""
    kept: tuple[FileEntry, ...] = ()
    hidden: tuple[str, ...] = ()

    @property
    def file_count(self) -> int:
        """The number of memory files."""
        return len(self.shared) + sum(len(project.files) for project in self.projects)

    @property
    def size(self) -> int:
        """Total bytes of all files."""
        return sum(entry.size for entry in self.shared) + sum(project.size for project in self.projects)

    @property
    def refs(self) -> frozenset[MemRef]:
        """All files except missing ones."""
        files = (self.shared, *(project.files for project in self.projects), self.kept)
        return frozenset(entry.ref for each in files for entry in each if not entry.missing)

    def project(self, slug: str) -> ProjectEntry | None:
        """The project called `slug`, if there is one."""
        return next((project for project in self.projects if project.slug == slug), None)
