"""Take what was read of a memory of the store's own kind as files, under their names, instead of taking it apart."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from typing import Final

from zsmem_tui.agents.format import Format, text_of
from zsmem_tui.agents.markdown_files import facts, whole_file
from zsmem_tui.core.import_item import ImportItem
from zsmem_tui.core.layout import find_ref, named_role
from zsmem_tui.core.refs import MemRef, Role
from zsmem_tui.core.text import grouped, raw_lines
from zsmem_tui.service.session import Session

_IN_PROMPT: Final = (Role.FACTS, Role.INDEX)
_COPIED: Final = (*_IN_PROMPT, Role.CHECKLIST, Role.LOG, Role.NOTE)
_OF_DEFAULT: Final = (Role.FACTS,)  # all else of that kind is read as it is


def as_files(
    session: Session,
    format: Format,
    items: Sequence[ImportItem],
    raws: Mapping[str, bytes],
    apart: Collection[str],
    sent: Set[tuple[str, str]],
) -> list[ImportItem]:
    """The items, with those of a file that has a place in this kind of store replaced by the file as it is.

    Of a file in the prompt, each line is an item. The files `apart` are left as they were read, and so are those with a text that
    went out from here, by (place, source) in `sent`, in which what was put around it would look like a change.
    """
    out: list[ImportItem] = []
    roles = _OF_DEFAULT if session.is_default else _COPIED
    for own in grouped(((each.place, each.file), each) for each in items).values():
        ref, raw = _ref_here(session, format, own[0].file), raws.get(own[0].digest)
        went = ref is not None and ref.role not in _IN_PROMPT and not sent.isdisjoint((each.place, each.source) for each in own)
        is_beside = any(each.role is Role.LOG for each in own) and ref is not None and ref.role is not Role.LOG
        is_left = went or is_beside or own[0].file in apart or not any(each.text for each in own)
        if ref is None or ref.role not in roles or raw is None or text_of(raw)[1] or is_left:
            out += own
        else:
            out += _copies(session, ref, raw, own)
    groups = {session.layout.group_of(each.to) for each in out if each.to}
    alike = {each for each in groups if owner(each) == owner(session.project)}
    of_some = {each.group for each in items if each.folder or not each.skip}  # a folder that nobody knows has its own name
    own_home = (alike if len(alike) > 1 else set()) | {each.group for each in items} - of_some
    return [each._replace(project=_project(session, each, own_home)) if each.to else each for each in out]


def owner(group: str) -> str:
    """The kind of owner in the name of a group."""
    return group.rpartition(":")[0]


def _project(session: Session, found: ImportItem, own_home: Collection[str]) -> str:
    """The project that a copy names: its folder's, or one that has a home of its own; empty for the one that is open."""
    group = session.layout.group_of(found.to)
    return found.project if found.folder else group if group in own_home else ""


def _ref_here(session: Session, format: Format, file: str) -> MemRef | None:
    """The place here of a file, as the format calls it: that in a whole store, or that in the session's memory."""
    came = format.came_from(file) if file else None
    if came is None:
        return None
    home = session.layout.home_of(session.project)
    return find_ref(session.layout, came.path) or (find_ref(session.layout, f"{home}/{came.path}") if home else None)


def _copies(session: Session, ref: MemRef, raw: bytes, own: Sequence[ImportItem]) -> Iterator[ImportItem]:
    """A file as one item; one with facts or an index by lines, of which each knows the line above it."""
    first, parts = own[0], tuple(each.as_written for each in own if not each.skip)
    bare = first._replace(to=ref.path, head="", about="", described="", skip="", listed=False, doubts=(), parts=())
    lines = raw_lines(text_of(raw)[0])
    if ref.role is Role.INDEX:
        for each in own:
            number = _number(each)
            text = "\n".join(lines[number - 1 : number + each.text.count("\n")])
            line = bare._replace(source=each.source, text=text, doubts=each.doubts, about=each.about, follows=_above(lines, number))
            yield line if each.skip else line._replace(parts=(each.as_written,))
    elif ref.role is Role.FACTS and named_role(session.layout, ref.project) is not Role.FACTS:
        for each in facts(first.file, raw):
            said = bare._replace(source=each.source, role=Role.FACTS, name="", text=each.text, doubts=each.doubts)
            yield said._replace(parts=parts, follows=_above(lines, _number(said)))
            parts = ()
    else:
        role = ref.role if ref.role in (Role.CHECKLIST, Role.LOG) else Role.NOTE
        whole = whole_file(first.file, raw, role, ref.name)
        doubts = tuple(dict.fromkeys([*(doubt for each in own for doubt in each.doubts), *whole.doubts]))
        yield bare._replace(
            source=first.file, role=role, name=ref.name, text=whole.text, skip=whole.skip, doubts=doubts, parts=parts
        )


def _number(found: ImportItem) -> int:
    return int(found.source.removeprefix(found.file)[1:])


def _above(lines: Sequence[str], number: int) -> str:
    """The line above that with this number, and the blank one between."""
    at = next((at for at in range(number - 2, -1, -1) if lines[at].strip()), -1)
    return "" if at < 0 else lines[at] + "\n" * (1 + (at < number - 2))
