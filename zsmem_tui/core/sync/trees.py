"""Merge the file trees of two machines: which files stay, are deleted or are renamed. The order of the sides does not matter."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Final, NamedTuple

from zsmem_tui.core.sync.branch_files import group_of
from zsmem_tui.core.sync.texts import Pair, Shape, alike, digest, joined

Files = Mapping[str, str]
"""Map paths to text ids."""

_MOST_ALIKE: Final = 400
"""The most new files and the most deleted files of one side for which renames are searched."""


class PairIn(NamedTuple):
    """A pair of conflicting lines in a file."""

    path: str
    pair: Pair


class Merged(NamedTuple):
    """The resulting files. `kept` were deleted by one side but changed by the other, and stay; `beside` got another name."""

    files: dict[str, str]
    pairs: tuple[PairIn, ...] = ()
    kept: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()


class Texts(NamedTuple):
    """Functions to read and store texts by id, and to get the merge rule for a path."""

    read: Callable[[str], bytes]
    keep: Callable[[bytes], str]
    shape: Callable[[str], Shape]


def merged(base: Files, here: Files, there: Files, texts: Texts) -> Merged:
    """Merge `here` and `there`, which were both made from `base`."""
    if there == base or here == there:
        return Merged(dict(here))
    if here == base:
        return Merged(dict(there))
    base, sides = dict(base), (dict(here), dict(there))
    _follow_renames(base, sides, texts)
    one, other = sides
    taken = {*base, *one, *other}
    out: dict[str, str] = {}
    pairs: list[PairIn] = []
    kept: list[str] = []
    beside: list[str] = []

    def put_beside(path: str, id: str) -> str:
        name = _free_name(path, taken, lambda each: each not in base and id in (one.get(each), other.get(each)))
        taken.add(name)
        beside.append(name)
        out.setdefault(name, id)
        return name

    for path in sorted(one.keys() | other.keys()):
        old, left, right = base.get(path), one.get(path), other.get(path)
        if left in (right, old) or right == old:
            id = right if left == old else left
            if id is not None:
                out[path] = id
        elif left is None or right is None:
            out[path] = left or right or ""
            kept.append(path)
        else:
            raws = {each: texts.read(each) for each in (left, right)}
            found = joined(texts.read(old) if old is not None else None, raws[left], raws[right], texts.shape(path))
            if found is not None:
                out[path] = next((id for id, raw in raws.items() if raw == found.text), "") or texts.keep(found.text)
                pairs += [PairIn(path, each) for each in found.pairs]
            else:
                first, second = sorted(raws, key=lambda id: digest(raws[id]))
                out[path] = first
                put_beside(path, second)
    for path in _clashing(out, sides):
        name = put_beside(path, out.pop(path))
        pairs = [each._replace(path=name) if each.path == path else each for each in pairs]
    return Merged(out, tuple(pairs), tuple(kept), tuple(beside))


def _follow_renames(base: dict[str, str], sides: tuple[dict[str, str], dict[str, str]], texts: Texts) -> None:
    """Apply a rename made by only one side to the base and the other side."""
    found = [_renamed(base, side, texts) for side in sides]
    for own, other_own, side in ((found[0], found[1], sides[1]), (found[1], found[0], sides[0])):
        for old, new in own.items():
            if old in side and new not in side and old not in other_own and new not in base:
                base[new] = base.pop(old)
                side[new] = side.pop(old)
    for old in found[0].keys() & found[1].keys():
        if found[0][old] == found[1][old]:
            base[found[0][old]] = base.pop(old)


def _renamed(base: Files, side: Files, texts: Texts) -> dict[str, str]:
    """Map old to new names of renamed files: a deleted file and a new one with the same text, or at least half of its lines."""
    gone, new = sorted(base.keys() - side.keys()), sorted(side.keys() - base.keys())
    found: dict[str, str] = {}
    by_id: defaultdict[str, list[str]] = defaultdict(list)
    for path in new:
        by_id[side[path]].append(path)
    for path in gone:
        name = path.rpartition("/")[2]
        same = sorted(each for each in by_id[base[path]] if group_of(each) == group_of(path))
        if same:
            found[path] = next((each for each in same if each.rpartition("/")[2] == name), same[0])
            by_id[base[path]].remove(found[path])
    taken = set(found.values())
    left, right = [path for path in gone if path not in found], [path for path in new if path not in taken]
    if len(left) > _MOST_ALIKE or len(right) > _MOST_ALIKE:
        return found
    for path in left:
        near = (each for each in right if group_of(each) == group_of(path) and texts.shape(each) is texts.shape(path) is Shape.NOTE)
        if name := next((each for each in near if alike(texts.read(base[path]), texts.read(side[each]))), ""):
            found[path] = name
            right.remove(name)
    return found


def _clashing(files: Collection[str], sides: Iterable[Files]) -> list[str]:
    """Files that cannot coexist with others on every system: a folder has the same path, or names differ only in case."""
    folders = {path[:at] for path in files for at in range(len(path)) if path[at] == "/"}
    found = sorted(path for path in files if path in folders)
    by_name: defaultdict[str, list[str]] = defaultdict(list)
    for path in files:
        by_name[folded(path)].append(path)
    for same in by_name.values():
        if len(same) > 1 and not any(all(path in side for path in same) for side in sides):
            found += sorted(same)[1:]
    return list(dict.fromkeys(found))


def folded(path: str) -> str:
    """The path as seen by file systems that ignore case and treat composed and decomposed accents as equal."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


def _free_name(path: str, taken: Collection[str], is_it: Callable[[str], bool]) -> str:
    """A numbered variant of this name that is unused, or that already has the very same text."""
    home, slash, name = path.rpartition("/")
    stem, dot, ending = name.rpartition(".")
    number = 2
    known = {folded(each) for each in taken}
    while folded(made := f"{home}{slash}{stem}-{number}{dot}{ending}" if stem else f"{path}-{number}") in known and not is_it(made):
        number += 1
    return made
