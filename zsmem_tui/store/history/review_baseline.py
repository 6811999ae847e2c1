"""Keep track of the texts the person has reviewed: their own writes count as reviewed, and undo reverts that, too."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Final, NamedTuple

from zsmem_tui.core.diff import keep_both
from zsmem_tui.core.errors import HistoryError
from zsmem_tui.core.hazards import without_hazards
from zsmem_tui.core.json_value import json_value
from zsmem_tui.core.line_changes import accepted, with_own_lines, with_seen, without_seen
from zsmem_tui.core.merge import Merged, changed_lines, line_hunks, merge, split
from zsmem_tui.core.project_merge import homes_of, sources_of, without_unseen
from zsmem_tui.core.text import beyond, printable_path
from zsmem_tui.core.version import PUT_BACK, AuthorKind, is_wiped
from zsmem_tui.store.history.commit_message import Meta, key_of, seen_of
from zsmem_tui.store.history.version_log import Row

if TYPE_CHECKING:
    from zsmem_tui.store.history.repository import Repository

Pairs = Mapping[str, tuple[str, str]]
"""(text id before, after) by path."""


class Undone(NamedTuple):
    """The ids of a file's reviewed text before and after a step that is undone or redone, and of the file's, as it goes now."""

    source: str
    goal: str
    stood: str = ""
    stands: str = ""


PUTS_BACK: Final = "puts back"
"""The relation of a step that only restores reviewed texts: other changes remain unreviewed."""

BRINGS_BACK: Final = "brings back"
"""The relation of a step that restores wiped texts."""

JUDGES: Final = "judges "
"""The prefix of the relation of a step that moves unreviewed lines which the person has thereby judged: they count as reviewed."""

SHOWN: Final = "shown "
"""The prefix of the relation of a step that decides about lines by others, which the person has thereby seen."""

CARRIES: Final = "carries "
"""The prefix of the relation of a step over several stores that takes unreviewed lines out of one: in another they still wait."""

SEES: Final = "sees "
"""The prefix of the relation of a step that only marks changes as reviewed, without a write."""

WIPED: Final = "/"
"""The prefix of the path, in the reviewed tree, of what the person saw of a file that others wiped unseen lines of: its reviewed
text has these lines, too, so that they wait as deleted. No path in a store begins so.
"""


def moves(repo: Repository, pairs: Pairs, undone: Mapping[str, Undone], meta: Meta) -> dict[str, tuple[str, str]]:
    """(reviewed text id before, after) of these files, given that we wrote them ourselves.

    `undone` is the result of `of_step` for what this step undoes or redoes; `meta` describes this step. Of an import,
    hazardous lines are not reviewed.
    """
    relation = meta.relation
    seen = repo.reviewed
    sources = sources_of(homes_of(relation), pairs)
    came_from = {before: path for path, (before, after) in pairs.items() if before and not after}
    judged = json_value(relation.removeprefix(JUDGES)) if relation.startswith(JUDGES) else {}
    stood = {path: repo.find(seen, path) for path in pairs}
    wiped = {own: repo.find(seen, own) for own in map(WIPED.__add__, pairs) if own in undone}
    taken_back = {own: _reverted(repo, old, undone[own].source, undone[own].goal) for own, old in wiped.items()}
    found = {own: (wiped[own], wiped[own] if back is None else back) for own, back in taken_back.items()}
    known = {
        path: _with_accepted(repo, stood[path], before, *judged[path])
        if path in judged
        else _with_shown(repo, stood[path], before, relation)
        for path, (before, _) in pairs.items()
    }
    unseen = _unseen_moved(repo, pairs, known) + _unseen_carried(repo, pairs, relation)
    for path, (before, after) in pairs.items():
        old = stood[path]
        if path in undone:
            back = _reverted(repo, old, undone[path].source, undone[path].goal)
            is_clear = back is not None and not _misplaces(repo, back, before, after)
            new = back if back is not None and is_clear else _decided(repo, old, before, after, undone[path])
        elif relation in (PUTS_BACK, BRINGS_BACK):
            new = old
        elif path in sources and (before or len(sources[path]) > 1):
            new = _seen_of_all(repo, pairs, seen, path, sources[path])
        elif not before and after in came_from:
            new = repo.find(seen, came_from[after])
        else:
            is_seen = known[path] == before or not after
            mine = after if is_seen else _without_wiped(repo, path, known[path], before, after)
            new = after if is_seen else _merged(repo, before, mine, known[path], moves=path in judged)
            new = _without_lines(repo, new, unseen, old, before, after)
        if meta.origin.is_import and new and new != old:
            new = _without_hazards(repo, new, before, after)
        found[path] = (old, new)
    return settled(repo, found, pairs, in_parts=relation != PUTS_BACK or meta.label == PUT_BACK)


def _without_wiped(repo: Repository, path: str, reviewed: str, before: str, after: str) -> str:
    """The new text without the lines that come back of those wiped unseen, which are not the person's own."""
    seen = repo.find(repo.reviewed, WIPED + path)
    wiped = _counts(repo, reviewed) - _counts(repo, seen) if seen else Counter()
    back = wiped & (_counts(repo, after) - _counts(repo, before))
    return repo.put(_without(repo.text(after), back)) if back else after


def _unseen_moved(repo: Repository, pairs: Pairs, known: Mapping[str, str]) -> Counter[bytes]:
    """The unreviewed lines that a step removed from its files; where it added them to another, they still wait."""
    found: Counter[bytes] = Counter()
    for path, (before, after) in pairs.items() if len(pairs) > 1 else ():
        if known[path] != before and all(is_kept(repo, id) for id in (before, after, known[path]) if id):
            stood = _counts(repo, before)
            found += (stood - _counts(repo, known[path])) & (stood - _counts(repo, after))
    return found


def carrying(lines: Mapping[bytes, int]) -> str:
    """The relation of a step that takes these unreviewed lines, as often as counted, to another store; empty if there are none."""
    return CARRIES + json.dumps({_digest(line): count for line, count in lines.items()}) if lines else ""


def _digest(line: bytes) -> str:
    """A line without its ending, not as text, so that a forgotten text does not stay in a relation."""
    return sha256(line.strip()).hexdigest()[:16]


def _unseen_carried(repo: Repository, pairs: Pairs, relation: str) -> Counter[bytes]:
    """The unreviewed lines of another store that a step may have added here."""
    if not relation.startswith(CARRIES):
        return Counter()
    carried: dict[str, int] = json_value(relation.removeprefix(CARRIES))
    return Counter({line: carried.get(_digest(line), 0) for _, after in pairs.values() for line in _counts(repo, after)})


def _without_lines(repo: Repository, seen: str, unseen: Counter[bytes], old: str, before: str, after: str) -> str:
    """The reviewed text without those `unseen` lines that came into the file; no text if nothing else is in a new file."""
    came = unseen and unseen & (_counts(repo, after) - _counts(repo, before)) & (_counts(repo, seen) - _counts(repo, old))
    if not came:
        return seen
    text = _without(repo.text(seen), came)
    return repo.put(text) if text.strip() or before else ""


def _without(text: bytes, lines: Counter[bytes]) -> bytes:
    """A text without the last occurrences of these lines."""
    return b"".join(reversed(beyond(reversed(split(text)), lines)))


def _counts(repo: Repository, id: str) -> Counter[bytes]:
    return Counter(line for line in split(repo.text(id)) if line.strip()) if id else Counter()


def _more(repo: Repository, id: str, than: str) -> Counter[bytes]:
    """The lines that a text has more often than another."""
    less = _counts(repo, than)
    return _counts(repo, id) - less if less else _counts(repo, id)  # to subtract nothing from a huge text takes seconds


def judging(picked: Mapping[str, tuple[str, str, Collection[int] | None]]) -> str:
    """The relation of a step that judges lines by moving them: (reviewed id, current id, line change indexes) by path."""
    return JUDGES + json.dumps({path: [seen, now, numbers and sorted(numbers)] for path, (seen, now, numbers) in picked.items()})


def _with_accepted(repo: Repository, old: str, before: str, seen: str, now: str, numbers: Collection[int] | None) -> str:
    """The reviewed text after these line changes are accepted; unchanged if one of the texts is another one meanwhile."""
    if (old, before) != (seen, now):
        return old
    return now if numbers is None else repo.put(accepted(repo.text(seen) if seen else b"", repo.text(now), numbers))


def showing(lines: Collection[bytes]) -> str:
    """The relation of a step that decides about these lines by others; empty if there are none."""
    return SHOWN + json.dumps(sorted(set(map(_digest, lines)))) if lines else ""


def _with_shown(repo: Repository, old: str, before: str, relation: str) -> str:
    """The reviewed text with the lines of the text before a step that were shown for it."""
    if not relation.startswith(SHOWN) or old == before or not before or (old and not is_kept(repo, old)):
        return old
    shown = frozenset(json_value(relation.removeprefix(SHOWN)))
    stood = repo.text(old) if old else b""
    seen = with_seen(stood, repo.text(before), lambda line: _digest(line) in shown)
    return old if seen == stood else repo.put(seen)


def at_first_look(repo: Repository, rows: Iterable[Row], folder: str) -> str:
    """The tree that counts as reviewed at the first look: everything, except what others wrote, also below our own lines.

    What a program without a name wrote is known to be newer only in files that had a version. Hazardous lines of imports are not
    reviewed, either.
    """
    seen: dict[str, str] = {}
    for _, version in reversed(list(rows)):
        path, before, after = version.path, version.before, version.after
        if version.origin.is_ours:
            known = seen.pop(path, before)
            ids = (known, before, after)
            is_seen = known == before or not after or not all(is_kept(repo, id) for id in ids if id)
            new = after if is_seen else _merged(repo, before, after, known)
            if version.origin.is_import and new:
                new = _without_hazards(repo, new, before, after)
            if new != after:
                seen[path] = new if new and repo.text(new).strip() else ""
        elif version.author.kind in (AuthorKind.AGENT, AuthorKind.SYNCED) or (version.author.kind is AuthorKind.UNNAMED and before):
            seen.setdefault(path, before)
    return repo.with_changes(folder, seen)


def _without_hazards(repo: Repository, seen: str, before: str, after: str) -> str:
    """The reviewed text without hazardous lines added between `before` and `after`; no text if nothing else is left."""
    if not all(is_kept(repo, each) for each in (seen, before, after) if each):
        return seen
    text = repo.text(seen)
    kept = without_hazards(text, repo.text(before) if before else b"", repo.text(after) if after else b"")
    return seen if kept == text else repo.put(kept) if kept.strip() or before else ""


def _seen_of_all(repo: Repository, pairs: Pairs, seen: str, path: str, sources: Sequence[str]) -> str:
    """The reviewed text of a file that others were merged into: its text without the lines unreviewed in any of them."""
    text = repo.text(pairs[path][1])
    for each in (path, *sources):
        before, known = pairs[each][0], repo.find(seen, each)
        if before and known != before:
            text = without_unseen(text, repo.text(before), repo.text(known) if known and is_kept(repo, known) else b"")
    return repo.put(text)


def follow(repo: Repository, found: Pairs) -> None:
    """Store the new reviewed texts."""
    repo.set_reviewed(repo.with_changes(repo.reviewed, {path: new for path, (old, new) in found.items() if old != new}))


def of_others(repo: Repository, pairs: Pairs, folder: str) -> dict[str, tuple[str, str]]:
    """(reviewed text id before, after) of these files, given that others wrote them: what they wiped unseen waits as deleted.

    Not of a file that the person never saw, if its text stands elsewhere in `folder`.
    """
    found = settled(repo, {}, pairs)
    there: frozenset[str] | None = None
    for path, (before, after) in pairs.items():
        old = repo.find(repo.reviewed, path)
        known = found.get(path, (old, old))[1]
        if not before or known == before:
            continue
        try:
            stood, now, seen = (repo.text(id) if id else b"" for id in (before, after, known))
        except HistoryError:  # it may have been dropped as too old
            continue
        if now.strip() and not is_wiped(stood, now):
            continue
        unseen = without_unseen(stood, now, seen)
        more = Counter(split(unseen)) - Counter(split(seen)) if seen else [unseen]  # a text never seen may be huge
        if not any(map(bytes.strip, more)):
            continue
        if there is None and not known:
            there = frozenset(repo.every(folder).values())
        if known or before not in (there or ()):
            was, own = repo.find(repo.reviewed, WIPED + path), found.get(WIPED + path)
            found[WIPED + path] = was, (own[1] if own else was) or repo.put(seen)
            found[path] = old, repo.put(keep_both(unseen, seen))
    return found


def settled(repo: Repository, found: Pairs, now: Pairs, *, in_parts: bool = True) -> dict[str, tuple[str, str]]:
    """These moves of reviewed texts, such that what others wiped unseen waits again where it stands once more.

    `now` has the texts of the files before and after. If not `in_parts`, the lines left to put back keep their places among those
    that are back, until all are.
    """
    every = dict(found)
    gone_from = {before: path for path, (before, after) in now.items() if before and not after}
    for path, (before, after) in now.items():
        own, old = WIPED + path, repo.find(repo.reviewed, path)
        was, new = repo.find(repo.reviewed, own), found[path][1] if path in found else old
        source = gone_from.get(after) if path in found and not before and after else None  # a file that we moved
        if own in found:
            seen = found[own][1]
        elif source is not None:
            seen = repo.find(repo.reviewed, WIPED + source)
        else:
            seen = was and _merged(repo, old, new, was) if new and new != old else was
        wiped = _more(repo, new, seen) if seen and not new == before == after else Counter()
        back = wiped if not wiped or after == new else wiped & _more(repo, after, seen)
        if back and (back is wiped or back == wiped):
            new, seen = seen if repo.text(seen).strip() else "", ""
        elif back and in_parts:
            new = repo.put(_without(repo.text(new), back))
        if was or seen:
            every |= {path: (old, new), own: (was, seen if wiped else "")}
    return every


def of_step(repo: Repository, rows: Iterable[Row], relation: str, pairs: Pairs) -> dict[str, Undone]:
    """What the step did that `relation` undoes or redoes, in the direction of this step.

    If a commit has no record, the reviewed text changed like the file.
    """
    verb, _, batch = relation.partition(" ")
    if verb not in ("undoes", "redoes"):
        return {}
    found: dict[str, tuple[str, str]] = {}
    wrote: dict[str, tuple[str, str]] = {}
    for row in rows:  # newest first
        version = row.version
        if version.batch != batch or version.path not in pairs:
            continue
        is_import = version.origin.is_import and version.after
        after = _without_hazards(repo, version.after, version.before, version.after) if is_import else version.after
        told = {version.path: (version.before, after)} | moved_in(repo.message(row.commit), [version.path])
        found |= {path: (own[0], found.get(path, own)[1]) for path, own in told.items()}
        wrote[version.path] = (version.before, wrote.get(version.path, (version.before, version.after))[1])
    way = 1 if verb == "redoes" else -1
    return {path: Undone(*pair[::way], *wrote.get(path, ("", ""))[::way]) for path, pair in found.items()}


def moved_in(message: str, paths: Iterable[str]) -> dict[str, tuple[str, str]]:
    """The reviewed texts of these files before and after a commit, as far as its message has them."""
    told = seen_of(message)
    return {each: told[key] for path in paths for each in (path, WIPED + path) if (key := key_of(each)) in told}


def _decided(repo: Repository, old: str, before: str, after: str, undone: Undone) -> str:
    """The reviewed text after an undo about which the person had to decide: what it wrote was seen, except lines that come back and
    that the text reviewed then, `goal`, did not have. What only this step let count as seen does so no longer."""
    goal = undone.goal
    if goal and not is_kept(repo, goal):
        return old
    came = _counts(repo, after) - _counts(repo, before) - _counts(repo, goal)
    mine = repo.put(_without(repo.text(after), came)) if came else after
    seen = mine if old == before or not after else _merged(repo, before, mine, old)
    ids = (undone.source, undone.stood, undone.stands)
    if not (seen and after and goal) or not all(is_kept(repo, id) for id in ids if id):
        return seen
    own = _counts(repo, undone.stood) - _counts(repo, undone.stands)
    judged = (_counts(repo, undone.source) - _counts(repo, goal) - own) & _counts(repo, after)
    return repo.put(without_seen(repo.text(goal), repo.text(seen), judged.__contains__)) if judged else seen


def _reverted(repo: Repository, old: str, source: str, goal: str) -> str | None:
    """The reviewed text with what a step did reverted; None if that fails: too much is unreviewed then."""
    if goal and not is_kept(repo, goal):
        return None
    if old == source:
        return goal
    if old in (goal, ""):
        return old
    return _merged_cleanly(repo, source, goal, old) if source and goal and is_kept(repo, source) else None


def _merged(repo: Repository, base: str, mine: str, theirs: str, *, moves: bool = False) -> str:
    """`theirs` with the change from `base` to `mine` applied; where both changed the same lines, `mine` wins.

    With `moves`, the change only moves lines, and their reviewed state goes along.
    """
    together = _merged_cleanly(repo, base, mine, theirs, moves=moves) if theirs and base else None
    if together and moves:
        return together
    texts = [repo.text(id) if id else b"" for id in (theirs, base, mine)]
    if together and not _misplaces(repo, together, base, mine):
        return together
    seen = with_own_lines(*texts)
    return theirs if seen == texts[0] else repo.put(seen)


def _misplaces(repo: Repository, seen: str, before: str, after: str) -> bool:
    """Whether lines that the person wrote stand elsewhere in a reviewed text, and would wait as deleted and as new."""
    if not (seen and after):
        return False
    stood, stands, known = (split(repo.text(id)) if id else [] for id in (before, after, seen))
    gone, came = map(set, changed_lines(known, stands))
    return any(map(bytes.strip, gone & came & set(changed_lines(stood, stands)[1])))


def _merged_cleanly(repo: Repository, base: str, mine: str, theirs: str, *, moves: bool = False) -> str | None:
    """`theirs` with the change from `base` to `mine` applied; None if both changed the same lines."""
    before, seen = repo.text(base) if base else b"", repo.text(theirs)
    after = repo.text(mine)
    found = merge(before, after if moves else _without_reviewed(before, after, seen), seen)
    return repo.put(found.text) if isinstance(found, Merged) else None


def _without_reviewed(before: bytes, after: bytes, seen: bytes) -> bytes:
    """`after` without hunks that are already reviewed in their present form, so that a restored line is not reviewed twice.

    Lines that were all reviewed and only stand elsewhere stay: they are moved in the reviewed text, too.
    """
    old, new = split(before), split(after)
    known, stood, made = Counter(split(seen)), Counter(old), Counter(new)
    moved = {line for line, count in made.items() if known[line] >= stood[line] == count}
    lines: list[bytes] = []
    at = 0
    for hunk in line_hunks(old, new):
        removed = old[hunk.start : hunk.stop]
        is_moved = not moved.isdisjoint([*removed, *hunk.lines])
        is_known = all(known[line] >= made[line] for line in hunk.lines) and all(known[line] <= made[line] for line in removed)
        own = [line for line in hunk.lines if known[line] < made[line] or line in moved] if not removed else hunk.lines
        lines += [*old[at : hunk.start], *(removed if is_known and not is_moved else own)]
        at = hunk.stop
    return b"".join([*lines, *old[at:]])


def is_kept(repo: Repository, id: str) -> bool:
    """Whether a text still exists: one that was only ever part of the reviewed tree may have been packed away."""
    try:
        repo.text(id)
    except HistoryError:
        return False
    return True


class Move(NamedTuple):
    """A change of a file's reviewed text from the id `seen` to `to` (a text id, or a text to store)."""

    seen: str
    to: str | bytes


def outdated(repo: Repository, wanted: Mapping[str, Move]) -> list[str]:
    """The files whose reviewed text has changed meanwhile, or whose new one was removed from the history."""

    def is_old(path: str, each: Move) -> bool:
        is_gone = isinstance(each.to, str) and each.to and not repo.has(each.to)
        return bool(is_gone) or repo.find(repo.reviewed, path) != each.seen

    return [path for path, each in wanted.items() if is_old(path, each)]


def move(repo: Repository, wanted: Mapping[str, Move]) -> Pairs:
    """Change the reviewed texts of these files, none of which is `outdated`; return the ids (before, after) by path."""
    made = {path: (each.seen, each.to if isinstance(each.to, str) else repo.put(each.to)) for path, each in wanted.items()}
    made = settled(repo, made, _as_it_is(repo, made))
    follow(repo, made)
    return made


def relation_of(made: Pairs) -> str:
    """The relation of a step that only changed reviewed texts."""
    return SEES + json.dumps([[path, *pair] for path, pair in made.items()])


def made_by(relation: str) -> dict[str, tuple[str, str]]:
    """Parse such a relation; empty for others."""
    if not relation.startswith(SEES):
        return {}
    return {str(path): (str(before), str(after)) for path, before, after in json_value(relation.removeprefix(SEES))}


def renamed(repo: Repository, relation: str, change: Callable[[str], str]) -> str:
    """A relation with the current ids of its texts; a text that no longer exists keeps its id."""
    made = made_by(relation)
    return relation_of(current_ids(repo, made, change)) if made else relation


def current_ids(repo: Repository, pairs: Pairs, change: Callable[[str], str]) -> dict[str, tuple[str, str]]:
    """These pairs with `change` applied to the id of each text that still exists."""
    ids = {id: change(id) if id and is_kept(repo, id) else id for pair in pairs.values() for id in pair}
    return {path: (ids[before], ids[after]) for path, (before, after) in pairs.items()}


def move_back(repo: Repository, made: Pairs) -> None:
    """Revert changes of reviewed texts, keeping what was reviewed since.

    Raises `HistoryError`, and changes nothing, if the previous reviewed text no longer exists, or if what was reviewed then and
    since is in the same lines.
    """
    found: dict[str, tuple[str, str]] = {}
    for path, (before, after) in made.items():
        if before and not is_kept(repo, before):
            raise HistoryError(
                f"What you had seen of {printable_path(path.removeprefix(WIPED))} before is kept no more. Nothing was done."
            )
        now = repo.find(repo.reviewed, path)
        back = _reverted(repo, now, after, before)
        if back is None:
            shown = printable_path(path.removeprefix(WIPED))
            raise HistoryError(
                f"What you had seen of {shown} cannot be told apart from what you saw of it since. Nothing was done."
            )
        found[path] = (now, back)
    follow(repo, settled(repo, found, _as_it_is(repo, found)))


def _as_it_is(repo: Repository, paths: Iterable[str]) -> dict[str, tuple[str, str]]:
    """The current texts of these files, before and after: nothing is written."""
    folder = repo.folder_of(repo.head)
    return {path: (id, id) for path in paths if not path.startswith(WIPED) for id in [repo.find(folder, path)]}


class UnreviewedFile(NamedTuple):
    """A file that others changed since the last review: the ids of the reviewed and of the current text."""

    path: str
    reviewed: str
    now: str
