"""What the person writes is no news to them: the texts that they have seen follow, and go back when a step is undone."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from zsmem_tui.core.errors import HistoryError
from zsmem_tui.core.hazards import without_hazards
from zsmem_tui.core.json_value import json_value
from zsmem_tui.core.line_changes import accepted, with_own_lines
from zsmem_tui.core.merge import Merged, line_hunks, merge, split
from zsmem_tui.core.project_merge import homes_of, sources_of, without_unseen
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.version import AuthorKind
from zsmem_tui.store.history.commit_message import Meta, key_of, seen_of
from zsmem_tui.store.history.version_log import Row

if TYPE_CHECKING:
    from zsmem_tui.store.history.repository import Repository

Pairs = Mapping[str, tuple[str, str]]
"""Ids of texts by path: what was there before, and after."""


PUTS_BACK: Final = "puts back"
"""The relation of a step that only makes files hold what had been seen of them: the rest of what others wrote still waits."""

JUDGES: Final = "judges "
"""How the relation of a step begins that moves lines of others which the person judged by that: wherever they go, they are seen."""

SEES: Final = "sees "
"""How the relation of a step begins in which the person saw what others had written, and nothing was written."""


def moves(repo: Repository, pairs: Pairs, undone: Pairs, meta: Meta) -> dict[str, tuple[str, str]]:
    """What the person had seen of these files, and has now that we wrote them ourselves.

    `undone` is what `of_step` knows of the step that is taken back, or done again, by this; `meta` tells of the step. Of an import,
    the lines that should be looked at are not seen.
    """
    relation = meta.relation
    seen = repo.reviewed
    sources = sources_of(homes_of(relation), pairs)
    came_from = {before: path for path, (before, after) in pairs.items() if before and not after}
    judged = json_value(relation.removeprefix(JUDGES)) if relation.startswith(JUDGES) else {}
    found: dict[str, tuple[str, str]] = {}
    for path, (before, after) in pairs.items():
        old = repo.find(seen, path)
        known = _judged(repo, old, before, *judged[path]) if path in judged else old
        if relation == PUTS_BACK:
            new = old
        elif path in undone:
            new = _taken_back(repo, old, *undone[path])
        elif path in sources and (before or len(sources[path]) > 1):
            new = _seen_of_all(repo, pairs, seen, path, sources[path])
        elif not before and after in came_from:
            new = repo.find(seen, came_from[after])
        elif known == before or not after:
            new = after
        else:
            new = _merged(repo, before, after, known, moves=path in judged)
        if meta.origin.is_import and new and new != old:
            new = _without_hazards(repo, new, before, after)
        found[path] = (old, new)
    return found


def judging(picked: Mapping[str, tuple[str, str, Collection[int] | None]]) -> str:
    """The relation of a step that judges lines by moving them: by path what had been seen, what is there, which line changes."""
    return JUDGES + json.dumps({path: [seen, now, numbers and sorted(numbers)] for path, (seen, now, numbers) in picked.items()})


def _judged(repo: Repository, old: str, before: str, seen: str, now: str, numbers: Collection[int] | None) -> str:
    """What has been seen of a file once these line changes of it are; as it was, where one of its texts is another one by then."""
    if (old, before) != (seen, now):
        return old
    return now if numbers is None else repo.put(accepted(repo.text(seen) if seen else b"", repo.text(now), numbers))


def at_first_look(repo: Repository, rows: Iterable[Row], folder: str) -> str:
    """What counts as seen once zsmem first looks: all there is, but what agents under their names wrote since we last did.

    Nor do the lines of an import that should be looked at.
    """
    seen: dict[str, str] = {}
    settled: set[str] = set()
    for _, version in rows:  # the newest first
        path = version.path
        if version.origin.is_import and (now := seen[path] if path in seen else repo.find(folder, path)):
            seen[path] = _without_hazards(repo, now, version.before, version.after)
        if version.origin.is_ours:
            settled.add(path)
        elif version.author.kind in (AuthorKind.AGENT, AuthorKind.SYNCED) and path not in settled:
            seen[path] = version.before
    return repo.with_changes(folder, seen)


def _without_hazards(repo: Repository, seen: str, before: str, after: str) -> str:
    """What has been seen, without the lines from `before` to `after` that should be looked at; no text where nothing else is."""
    if not all(is_kept(repo, each) for each in (seen, before, after) if each):
        return seen
    text = repo.text(seen)
    kept = without_hazards(text, repo.text(before) if before else b"", repo.text(after) if after else b"")
    return seen if kept == text else repo.put(kept) if kept.strip() or before else ""


def _seen_of_all(repo: Repository, pairs: Pairs, seen: str, path: str, sources: Sequence[str]) -> str:
    """What has been seen of a file that others were taken into: its text but for the lines that nobody had seen in any of them."""
    text = repo.text(pairs[path][1])
    for each in (path, *sources):
        before, known = pairs[each][0], repo.find(seen, each)
        if before and known != before:
            text = without_unseen(text, repo.text(before), repo.text(known) if known and is_kept(repo, known) else b"")
    return repo.put(text)


def follow(repo: Repository, found: Pairs) -> None:
    """Make it so."""
    repo.set_reviewed(repo.with_changes(repo.reviewed, {path: new for path, (old, new) in found.items() if old != new}))


def of_step(repo: Repository, rows: Iterable[Row], relation: str, paths: Iterable[str]) -> dict[str, tuple[str, str]]:
    """What had been seen of these files before and after the step that `relation` undoes, or redoes; the way it goes now.

    Where a commit says nothing, what had been seen went the same way as the file.
    """
    verb, _, batch = relation.partition(" ")
    if verb not in ("undoes", "redoes"):
        return {}
    wanted = frozenset(paths)
    found: dict[str, tuple[str, str]] = {}
    for row in rows:  # the newest first
        version = row.version
        if version.batch != batch or version.path not in wanted:
            continue
        own = seen_of(repo.message(row.commit)).get(key_of(version.path))
        if own is None:
            is_import = version.origin.is_import and version.after
            after = _without_hazards(repo, version.after, version.before, version.after) if is_import else version.after
            own = version.before, after
        found[version.path] = (own[0], found.get(version.path, own)[1])
    return found if verb == "redoes" else {path: (after, before) for path, (before, after) in found.items()}


def _taken_back(repo: Repository, old: str, source: str, goal: str) -> str:
    """What has been seen, with what led from `goal` to `source` taken back; itself where that cannot be: too much waits then."""
    found = _back(repo, old, source, goal)
    return old if found is None else found


def _back(repo: Repository, old: str, source: str, goal: str) -> str | None:
    """The same; None where that cannot be."""
    if goal and not is_kept(repo, goal):
        return None
    if old == source:
        return goal
    if old in (goal, ""):
        return old
    return _together(repo, source, goal, old) if source and goal and is_kept(repo, source) else None


def _merged(repo: Repository, base: str, mine: str, theirs: str, *, moves: bool = False) -> str:
    """`theirs` with what led from `base` to `mine` done to it, too; of lines that both changed, those of `mine`.

    Where that only `moves` lines, what is known of them goes along.
    """
    if theirs and (together := _together(repo, base, mine, theirs, moves=moves)):
        return together
    texts = [repo.text(id) if id else b"" for id in (theirs, base, mine)]
    seen = with_own_lines(*texts)
    return theirs if seen == texts[0] else repo.put(seen)


def _together(repo: Repository, base: str, mine: str, theirs: str, *, moves: bool = False) -> str | None:
    """`theirs` with what led from `base` to `mine` done to it, too; None where both changed the same lines."""
    before, seen = repo.text(base) if base else b"", repo.text(theirs)
    after = repo.text(mine)
    found = merge(before, after if moves else _news(before, after, seen), seen)
    return repo.put(found.text) if isinstance(found, Merged) else None


def _news(before: bytes, after: bytes, seen: bytes) -> bytes:
    """`after` without the places that have been seen as they are there now: a line that is put back is not seen twice."""
    old, new = split(before), split(after)
    known, made = Counter(split(seen)), Counter(new)
    lines: list[bytes] = []
    at = 0
    for hunk in line_hunks(old, new):
        removed = old[hunk.start : hunk.stop]
        is_known = all(known[line] >= made[line] for line in hunk.lines) and all(known[line] <= made[line] for line in removed)
        own = [line for line in hunk.lines if known[line] < made[line]] if not removed else hunk.lines
        lines += [*old[at : hunk.start], *(removed if is_known else own)]
        at = hunk.stop
    return b"".join([*lines, *old[at:]])


def is_kept(repo: Repository, id: str) -> bool:
    """Whether a text is still there: one that was only ever a part of what had been seen may be packed away."""
    try:
        repo.text(id)
    except HistoryError:
        return False
    return True


class Move(NamedTuple):
    """What the person has seen of a file becomes `to` (the id of a text, or a text to keep); it was the text called `seen`."""

    seen: str
    to: str | bytes


class Moved(NamedTuple):
    """What came of `move`: the paths of which it was out of date (any: nothing was moved), and what was seen, and is, by path."""

    outdated: list[str]
    made: Pairs


def move(repo: Repository, wanted: Mapping[str, Move]) -> Moved:
    """Move what has been seen of these files, all or none.

    It is out of date where something else has been seen of such a file meanwhile, or what is seen now was taken out of the history.
    """

    def is_old(path: str, each: Move) -> bool:
        is_gone = isinstance(each.to, str) and each.to and not repo.has(each.to)
        return bool(is_gone) or repo.find(repo.reviewed, path) != each.seen

    outdated = [path for path, each in wanted.items() if is_old(path, each)]
    if outdated:
        return Moved(outdated, {})
    made = {path: (each.seen, each.to if isinstance(each.to, str) else repo.put(each.to)) for path, each in wanted.items()}
    follow(repo, made)
    return Moved([], made)


def relation_of(made: Pairs) -> str:
    """What the history keeps of a step that only moved what has been seen."""
    return SEES + json.dumps([[path, *pair] for path, pair in made.items()])


def made_by(relation: str) -> dict[str, tuple[str, str]]:
    """What such a step moved; nothing for another one."""
    if not relation.startswith(SEES):
        return {}
    return {str(path): (str(before), str(after)) for path, before, after in json_value(relation.removeprefix(SEES))}


def renamed(repo: Repository, relation: str, change: Callable[[str], str]) -> str:
    """A relation with the ids that its texts have now; a text that is not there any more keeps its id."""
    made = made_by(relation)
    if not made:
        return relation
    return relation_of({path: (_now(repo, before, change), _now(repo, after, change)) for path, (before, after) in made.items()})


def _now(repo: Repository, id: str, change: Callable[[str], str]) -> str:
    return change(id) if id and is_kept(repo, id) else id


def move_back(repo: Repository, made: Pairs) -> None:
    """Take back that what has been seen became the second text of each, with what was seen of it since kept.

    Raises `HistoryError`, and nothing is moved, where what had been seen before is kept no more, or what was seen then and since
    stands in the same lines.
    """
    found: dict[str, tuple[str, str]] = {}
    for path, (before, after) in made.items():
        if before and not is_kept(repo, before):
            raise HistoryError(f"What you had seen of {printable_path(path)} before is kept no more. Nothing was done.")
        now = repo.find(repo.reviewed, path)
        back = _back(repo, now, after, before)
        if back is None:
            shown = printable_path(path)
            raise HistoryError(
                f"What you had seen of {shown} cannot be told apart from what you saw of it since. Nothing was done."
            )
        found[path] = (now, back)
    follow(repo, found)


class UnreviewedFile(NamedTuple):
    """A file that others changed since the person last looked: the ids of what was seen and of what is there now."""

    path: str
    reviewed: str
    now: str
