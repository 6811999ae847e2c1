"""Whose prompt is shown, of which day, for which agent; and how two agents' prompts differ."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from datetime import date, timedelta
from typing import TYPE_CHECKING

from zsmem_tui.core.layout import find_ref, group_word
from zsmem_tui.core.notice import side_by_side
from zsmem_tui.core.preview import Preview
from zsmem_tui.core.refs import MemRef
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.visible import visible_line
from zsmem_tui.service import previewing, prompts
from zsmem_tui.service.folders import StoreGroups
from zsmem_tui.service.previewing import Subject
from zsmem_tui.service.prompts import PromptOf
from zsmem_tui.service.session import EVERYBODY
from zsmem_tui.ui.dialogs.ask import choose
from zsmem_tui.ui.open_store import OpenStore
from zsmem_tui.ui.prompt import wording as format_prompt
from zsmem_tui.ui.wording import size, title_of

if TYPE_CHECKING:
    from zsmem_tui.ui.memory.screen import MainScreen
    from zsmem_tui.ui.prompt.screen import PromptScreen


def groups_of(main: MainScreen) -> list[StoreGroups]:
    """The open stores, as far as they are known by now."""
    return [
        StoreGroups(each.session, [group.slug for group in each.catalog.projects] if each.catalog else [], each.folders)
        for each in main.stores
    ]


def subject_of(main: MainScreen, group: str) -> Subject:
    """The prompt of a group of the store in use; where none is meant, of the only personality or the like that there is."""
    about = previewing.subject(main.session)._replace(project=group)
    choice = prompts.persons(groups_of(main)[main.stores.index(main.here)]) if group == EVERYBODY else []
    return about._replace(project=choice[0]) if len(choice) == 1 else about


async def choose_project(screen: PromptScreen) -> None:
    """The prompt of another project, or of another group of the store."""
    layout, catalog = screen.session.layout, screen.store.catalog
    slugs = [project.slug for project in catalog.projects] if catalog else []
    answers = [(slug, screen.store.group_name(slug)) for slug in slugs]
    word = group_word(layout).capitalize()
    answer = await choose(screen, word, f"The prompt of which {word.lower()}?", answers, names=True) if answers else None
    if answer:
        screen.folder = None
        screen.show(screen.about._replace(project=answer))


def turn_to_day(screen: PromptScreen, step: int) -> None:
    """The prompt of the day before or after; 0: today."""
    today = screen.session.clock().date()
    day = date.fromisoformat(screen.about.day) if screen.about.day else today
    wanted = today if step == 0 else day + timedelta(days=step)
    screen.show(screen.about._replace(day="" if wanted == today else wanted.isoformat()))


async def turn(screen: PromptScreen) -> None:
    """The next prompt of the round: the other profile of the same agent, then the next agent of the folder."""
    main, before = screen.host.main, _current(screen)
    found = await _next(screen)
    if found == before:
        screen.say(_only_one(screen), warning=True)
        return
    screen.chosen[before.store] = before.about.project
    if found.store != before.store:
        screen.rows.forget()
    screen.store = main.stores[found.store]
    screen.session = screen.store.session
    if main.editor.ref is None:
        main.use(screen.store)
    screen.show(found.about)
    here, there = [await asyncio.to_thread(_seen, main, each) for each in (found, before)]
    if screen.closed or screen.about != found.about or screen.store is not main.stores[found.store]:
        return
    following = await _next(screen)
    then = f"| compares with {_name(main, following)}" if len(main.stores) > 1 else "| shows the difference"
    if found.store == before.store:
        screen.say(side_by_side([format_prompt.difference(found.about.profile, here, there), then], " · "))
    else:
        told = side_by_side([f"{_name(main, each)}: {_size(seen)}" for each, seen in ((found, here), (before, there))], "; ")
        screen.say(side_by_side([told, then], " · "))


async def compare(screen: PromptScreen) -> None:
    """How the next prompt of the round differs, side by side."""
    main, about, store = screen.host.main, screen.about, screen.store
    current, following = _current(screen), await _next(screen)
    if current == following:
        screen.say(_only_one(screen), warning=True)
        return
    here, there = [await asyncio.to_thread(_seen, main, each) for each in (current, following)]
    if screen.closed or screen.about != about or screen.store is not store:
        return
    names = [_name(main, each) for each in (current, following)]
    if current.store == following.store:
        names = [str(each.about.profile) for each in (current, following)]
    screen.rows.compare(f"- {names[0]}   + {names[1]}", here.text, there.text)
    for name, seen in zip(names, (here, there), strict=True):
        if seen.text is None:
            screen.say(f"{name}: nothing goes into the prompt. {seen.rule}".rstrip(), warning=True)


async def when_read(screen: PromptScreen, act: Callable[[], object]) -> None:
    """Do something with the prompt that comes, once it is there."""
    await screen.read()
    act()


def jump(screen: PromptScreen, path: str, line: int) -> None:
    """Go to a line of a file; an agent may take some of its prompt from another store, which is gone to then."""
    main = screen.host.main
    found = next(filter(None, (_in_store(store, path) for store in (main.stores if os.path.isabs(path) else [screen.store]))), None)
    if found is None and not path:
        screen.say("This line is not from a file: the agent adds it.", warning=True)
    elif found is None:
        screen.say(f"This line is from {visible_line(printable_path(path))}, which is in no open store.", warning=True)
    elif _is_free_for(screen, found[0]):
        screen.host.read_file(found[1], line)


def _in_store(store: OpenStore, path: str) -> tuple[OpenStore, MemRef] | None:
    """The file at a path, which is one of this store, or begins with the root of the store that has it."""
    inside = path.removeprefix(f"{store.session.root}/")
    ref = find_ref(store.session.layout, inside) if inside and not os.path.isabs(inside) else None
    return (store, ref) if ref is not None else None


def copy_block(screen: PromptScreen, seen: Preview | None) -> None:
    """The block, byte for byte, to the clipboard."""
    text = seen.text if seen else None
    if text:
        screen.app.copy_to_clipboard(text)
        screen.say(f"Sent the block, {size(len(text.encode()))}, to the terminal's clipboard.")
    else:
        screen.say("Nothing goes into the prompt.", warning=True)


def in_own_store(screen: PromptScreen) -> bool:
    """Whatever is done from now on is done in the store of the prompt; False, and said, while a file of another is edited."""
    return _is_free_for(screen, screen.store)


def _is_free_for(screen: PromptScreen, store: OpenStore) -> bool:
    main = screen.host.main
    if main.here is not store and main.editor.ref is not None:
        screen.say(f"{title_of(main.editor.ref, main.session)} is being edited: esc leaves it first.", warning=True)
        return False
    return main.use(store)


def explained(screen: PromptScreen, seen: Preview) -> Preview:
    """A preview; where there is no prompt because nobody was chosen, it says who could be. Slow: it may look into folders."""
    main = screen.host.main
    choice = prompts.persons(groups_of(main)[main.stores.index(screen.store)]) if seen.text is None and seen.rule else []
    if not choice or screen.about.project in choice:
        return seen
    labels = [screen.store.group_name(group) for group in choice]
    return seen._replace(rule=f"{seen.rule} w chooses one: {', '.join(labels)}.")


def titles(screen: PromptScreen, seen: Preview) -> tuple[str, str]:
    """Whose prompt it is; and what is shown, with several stores the agent and its cap."""
    layout, about = screen.session.layout, screen.about
    if len(screen.host.main.stores) == 1:
        kind = "" if layout.has_profiles else layout.kind
        return format_prompt.title(screen.session.group_name(about.project), about, kind), "The block"
    whose = visible_line(prompts.whose(screen.session, about.project))
    own = format_prompt.title(whose, about) if layout.has_profiles else whose
    return f"{layout.title} · {own}", f"{_name(screen.host.main, _current(screen))} · {format_prompt.cap_of(seen)}"


async def _next(screen: PromptScreen) -> PromptOf:
    """The prompt after the one that is shown."""
    groups, current = groups_of(screen.host.main), _current(screen)
    if screen.folder is None:
        screen.folder = await asyncio.to_thread(prompts.folder_of, groups[current.store], current.about.project)
    order = await asyncio.to_thread(prompts.order_from, groups, screen.folder, current)
    found = prompts.after(order, current)
    was = screen.chosen.get(found.store)
    if was and not groups[found.store].session.layout.has_prompt(found.about.project):
        return found._replace(about=found.about._replace(project=was))
    return found


def _current(screen: PromptScreen) -> PromptOf:
    return PromptOf(screen.host.main.stores.index(screen.store), screen.about)


def _only_one(screen: PromptScreen) -> str:
    return f"{screen.session.layout.title} has one prompt, the same on every day and in every profile."


def _seen(main: MainScreen, prompt: PromptOf) -> Preview:
    return previewing.preview(main.stores[prompt.store].session, prompt.about)


def _name(main: MainScreen, prompt: PromptOf) -> str:
    """What a prompt is called among those of several agents."""
    session = main.stores[prompt.store].session
    return session.layout.title if not session.layout.has_profiles else f"{session.layout.title} {prompt.about.profile}"


def _size(seen: Preview) -> str:
    if seen.text is None:
        return visible_line(f"nothing. {seen.rule}".strip())
    lost = f", {seen.loss()}" if seen.lost else ""
    return f"{size(seen.size)}, {seen.tokens:,} tokens{lost}"
