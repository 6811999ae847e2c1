"""What is said where there is nothing to show yet, and about a project as a whole. Markdown, shown by the viewer."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote

from zsmem_tui.config.locate import shortened
from zsmem_tui.core.catalog import Catalog, ProjectEntry
from zsmem_tui.core.layout import group_word, is_named_after_folder
from zsmem_tui.core.refs import Role
from zsmem_tui.core.text import plural, printable_path
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service.session import Session
from zsmem_tui.ui import wording


def welcome(session: Session, problem: str, *, looked: Sequence[tuple[str, str]] = (), is_looking: bool = False) -> str:
    """The page for a store that is missing, empty or unreadable. `looked` has each kind and place where memory was looked for.

    `is_looking`: whether other agents have some is not known yet.
    """
    root = visible_line(printable_path(session.root))
    if problem:
        return (
            f"# The memory cannot be read.\n\n```\n{visible_line(problem)}\n```\n\nNothing was changed. "
            f"`D` opens a sample, `F5` looks again, {_other_root(session)} opens another folder.\n"
        )
    if is_looking:
        return f"# Looking for memory.\n\n{session.layout.title} has none yet; what other agents have is being looked for.\n"
    where = "" if session.is_default_root else f" --root {quote(root)}"
    verbs = f"zsmem write long_term '- prefers tabs'{where}\nzsmem write scratchpad '- [ ] try zsmem'{where}"
    begin = f"You can also begin:\n\n```\n{verbs}\n```" if session.is_default else "You can also begin: `a` adds to it."
    places = "".join(f"{kind:<12} {visible_line(printable_path(shortened(place)))}\n" for kind, place in looked) or f"{root}\n"
    return (
        "# There is no memory yet.\n\nAn agent with memory writes it as soon as it learns something, and it shows up here.\n\n"
        "`D` opens a sample to look around in, `F7` then a tour of three minutes. Nothing there is yours.\n\n"
        "Memory was looked for in\n\n"
        f"```\n{places}```\n\n"
        f"{begin}\n\n"
        "`9` imports the memory of another agent, of another machine, or a bundle.\n\n"
        "A folder of Markdown, which is no agent's, opens with `zsmem --store markdown:DIR`.\n\n"
        "`?` shows all keys.\n"
    )


def _other_root(session: Session) -> str:
    """What opens another folder as a store of this kind."""
    return "`zsmem --root DIR`" if session.is_default else f"`zsmem --store {session.layout.kind}:DIR`"


def about_store(session: Session, catalog: Catalog | None) -> str:
    """What one of several stores holds, in a few lines."""
    place = wording.folder_name(session.root)
    home = f"```\n{place}\n```\n"
    if catalog is None or catalog.problem:
        return f"# {session.layout.title}\n\n{visible_line(catalog.problem if catalog else 'It is being read.')}\n\n{home}"
    listed = f"- {wording.counts(catalog, group_word(session.layout))}\n- {wording.size(catalog.size)}"
    return f"# {session.layout.title}\n\n{listed}\n\n{home}\n`l` unfolds it, `h` folds it.\n"


def about_folder(label: str) -> str:
    """A folder, or a person, that several stores know."""
    name = visible_line(printable_path(label))
    return f"# {name}\n\nWhat each agent remembers of it is below it: `l` unfolds it, `h` folds it.\n"


def about_project(session: Session, project: ProjectEntry | None, slug: str, label: str, hint: str = "") -> str:
    """What a project, called `label`, holds, in a few lines; `hint` says what seems to belong to it."""
    layout = session.layout
    name = label if slug.strip(" ") else repr(slug)
    word = "folder" if is_named_after_folder(layout, slug) else group_word(layout)
    opened = f"This is the {word} you work in.\n\n" if slug == session.project else ""
    place = wording.folder_name(f"{session.root}/{session.layout.home_of(slug)}")
    home = f"```\n{place}\n```\n"
    if project is not None and project.problem:
        return f"# {name}\n\n{opened}It cannot be looked into: permission denied.\n\n{home}"
    if project is None or not project.files:
        adds = "`a` adds a note, a log entry or a scratchpad.\n" if layout.has_profiles else "`a` adds to it.\n"
        belongs = f"\n\n**{visible_line(hint)}** `0` to look.\n\n" if hint else ""
        return f"# {name}\n\n{opened}It has no memory yet.{belongs} The agent would keep it in\n\n{home}\n{adds}"
    counted = [(len(project.of(target)), noun) for target, noun in ((Role.LOG, "daily log"), (Role.NOTE, "note"))]
    rows = [f"- {count} {plural(noun, count)}" for count, noun in counted if count or layout.has_profiles]
    if project.open_items is not None and (project.open_items or layout.ref(Role.CHECKLIST, slug) is not None):
        rows.append(f"- {project.open_items} open {plural('item', project.open_items)}")
    rows.append(f"- {wording.size(project.size)} in {len(project.files)} {plural('file', len(project.files))}")
    listed = "\n".join(rows)
    return f"# {name}\n\n{opened}{listed}\n\n{home}\n`l` unfolds it, `h` folds it, `a` adds to it.\n"
