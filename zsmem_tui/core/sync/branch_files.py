"""The metadata in the sync branch: how groups are identified, and which file names are accepted."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any, Final, NamedTuple

from zsmem_tui.core.errors import BadTarget
from zsmem_tui.core.json_value import json_value

FORMAT: Final = 1
ABOUT: Final = "zsmem.json"
"""The file at the top of the branch with the metadata of its groups."""

MOST_FILES: Final = 200_000
MOST_BYTES: Final = 64 * 1024 * 1024
"""The most files in a branch, and bytes in a file, above which nothing is accepted."""

EVERYBODY: Final = "global"
"""The folder for files of no group."""

_DEEPEST: Final = 24
_LONGEST_NAME: Final = 255
_LONGEST_PATH: Final = 2_000
_MOST_WORDS: Final = 300
"""The most keys or machines of a group: the first by name, so that all machines keep the same ones."""

_NOT_IN_A_NAME: Final = re.compile(r"[^A-Za-z0-9_-]+")
_PLAIN: Final = re.compile(r"\w+(?:[.-]\w+)*(?:/\w+(?:[.-]\w+)*)*", re.ASCII)
_CONTROL: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class Group(NamedTuple):
    """Identifies a group of the branch: its repository's remote and path in it, its agent names, and its machines."""

    name: str = ""
    remote: str = ""
    within: str = ""
    keys: tuple[str, ...] = ()
    machines: tuple[str, ...] = ()


Groups = Mapping[str, Group]
"""By folder in the branch, `KIND/NAME`."""


def group_of(path: str) -> str:
    """The group folder of a file in the branch."""
    kind, _, rest = path.partition("/")
    return f"{kind}/{rest.partition('/')[0]}"


def group_folder(name: str, identity: str) -> str:
    """The folder name for a group, made of its name and a hash of its identity: equal on every machine."""
    shown = _NOT_IN_A_NAME.sub("-", name).strip("-")[:60] or "group"
    return f"{shown}-{sha256(identity.encode('utf-8', 'surrogateescape')).hexdigest()[:8]}"


def name_problem(path: str) -> str:
    """Why a file of the branch is refused because of its name, as a clause; empty if it is accepted."""
    if len(path) <= _LONGEST_NAME and _PLAIN.fullmatch(path) and path.count("/") < _DEEPEST and ".zsmem-" not in path:
        return ""  # fast path: nearly all names are plain, and there may be many
    parts = path.split("/")
    if len(path) > _LONGEST_PATH or len(parts) > _DEEPEST:
        return "its path is too long"
    if any(part in ("", ".", "..") for part in parts) or "\\" in path:
        return "its name leads out of the store"
    if any(part.startswith(".") for part in parts):
        return "its name begins with a dot"
    if any(part.lower().startswith("git~") or part != part.rstrip(". ") for part in parts) or ".zsmem-" in path:
        return "its name means something else to a system"
    if _CONTROL.search(path):
        return "its name has signs that are no letters"
    return "its name is too long" if any(len(part.encode()) > _LONGEST_NAME for part in parts) else ""


def packed(groups: Groups) -> bytes:
    """Serialize the groups to the metadata file."""
    about = {folder: {name: value for name, value in each._asdict().items() if value} for folder, each in sorted(groups.items())}
    return json.dumps({"format": FORMAT, "groups": about}, indent=1, ensure_ascii=False).encode() + b"\n"


def unpacked(raw: bytes) -> dict[str, Group]:
    """Parse the metadata file. Raises `BadTarget` if it is invalid or from a newer program."""
    try:
        found: Any = json_value(raw)
        format, about = found["format"], found["groups"]
        if not isinstance(format, int) or isinstance(format, bool) or not isinstance(about, dict):
            raise TypeError("no such file")
        if format > FORMAT:
            raise BadTarget(
                f"A newer zsmem wrote the branch (format {format}; this one knows {FORMAT}). Nothing was synced.", "Update zsmem."
            )
        return {folder: _group(each) for folder, each in about.items() if not name_problem(folder) and folder.count("/") == 1}
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadTarget(
            f"The branch's {ABOUT} is damaged. Nothing was synced.", "Name another branch, or mend that file."
        ) from error


def _group(about: Any) -> Group:
    if not isinstance(about, dict):
        raise TypeError("no group")
    name, remote, within = (_word(about.get(field, "")) for field in ("name", "remote", "within"))
    return Group(name, remote, within, _words(about.get("keys", [])), _words(about.get("machines", [])))


def _words(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > _MOST_WORDS:
        raise TypeError("no list")
    return tuple(map(_word, value))


def _word(value: Any) -> str:
    if not isinstance(value, str) or len(value) > _LONGEST_PATH or _CONTROL.search(value):
        raise TypeError("no word")
    return value


def together(one: Groups, other: Groups) -> dict[str, Group]:
    """Merge two sets of group metadata; the result does not depend on their order."""
    return {folder: _merged_group(one.get(folder, Group()), other.get(folder, Group())) for folder in sorted({*one, *other})}


def _merged_group(one: Group, other: Group) -> Group:
    place = max((one.remote, one.within), (other.remote, other.within))
    return Group(max(one.name, other.name), *place, _union(one.keys, other.keys), _union(one.machines, other.machines))


def _union(one: Iterable[str], other: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({*one, *other})[:_MOST_WORDS])


class Known(NamedTuple):
    """Identifies a group on this machine: its agent's name for it, and the remote and path of its folder."""

    key: str
    remote: str = ""
    within: str = ""
    name: str = ""

    def is_same(self, group: Group) -> bool:
        """Whether a group of the branch is the same: equal remote and path, or if one has no remote, a common key."""
        if self.remote and group.remote:
            return (self.remote, self.within) == (group.remote, group.within)
        return self.key in group.keys

    @property
    def folder(self) -> str:
        """The folder name for it if the branch has none yet."""
        return group_folder(self.name, f"{self.remote}\n{self.within}" if self.remote else self.key)


def folders_of(kind: str, here: Iterable[Known], groups: Groups, kept: Mapping[str, str]) -> dict[str, str]:
    """Map the key of each local group of one kind to its folder in the branch. `kept` has earlier decisions.

    If two local groups would share a folder, the second by name gets its own: memories are never merged automatically.
    """
    found: dict[str, str] = {}
    taken: set[str] = set()
    every = sorted(here)
    for each in every:
        if each.key in kept and kept[each.key] not in taken:
            found[each.key] = kept[each.key]
            taken.add(kept[each.key])
    for each in every:
        if each.key in found:
            continue
        same = [folder for folder, group in sorted(groups.items()) if folder.startswith(f"{kind}/") and each.is_same(group)]
        own = [f"{kind}/{each.folder}", f"{kind}/{group_folder(each.name, each.key)}"]
        ranked = sorted(same, key=lambda folder: each.key not in groups[folder].keys)
        folder = next((folder for folder in [*ranked, *own] if folder not in taken), own[-1])
        found[each.key] = folder
        taken.add(folder)
    return found


def same_groups(groups: Groups) -> dict[str, str]:
    """Map folders of the branch to another folder for the same group, which machines created without knowing of each other."""
    found: dict[str, str] = {}
    firsts: list[str] = []
    for folder in sorted(groups, key=lambda folder: (not groups[folder].remote, folder)):
        own = groups[folder]
        kind = folder.partition("/")[0]
        goal = next((first for first in firsts if first.partition("/")[0] == kind and _is_one(groups[first], own)), "")
        if goal:
            found[folder] = goal
        else:
            firsts.append(folder)
    return found


def _is_one(first: Group, own: Group) -> bool:
    if set(first.machines) & set(own.machines):
        return False
    if first.remote and own.remote:
        return (first.remote, first.within) == (own.remote, own.within)
    return bool(set(first.keys) & set(own.keys))


def moved_path(path: str, moves: Mapping[str, str]) -> str:
    """A path in the branch after its group's folder was renamed."""
    goal = moves.get(group := group_of(path))
    return goal + path.removeprefix(group) if goal else path
