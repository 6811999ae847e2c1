"""Ethos' scopes as they lie in a tree: their texts, and what of them goes into a prompt."""

from __future__ import annotations

from collections.abc import Iterator

from zsmem_tui.agents.ethos import files, prompt, writes
from zsmem_tui.agents.ethos.prompt import Found
from zsmem_tui.agents.javascript import decode
from zsmem_tui.agents.prompt_parts import AgentPrompt
from zsmem_tui.core.errors import Undecodable
from zsmem_tui.core.text import printable_path
from zsmem_tui.core.tree import Tree, read_if_there


def text(tree: Tree, scope: str, key: str) -> str | None:
    """The text of a key; None where there is none. Raises `RuleBroken`, `Unreadable`, and `Undecodable` for an encrypted one."""
    path = files.path_of(scope, key)
    raw = read_if_there(tree, path)
    if raw is None:
        return None
    refuse_encrypted(tree, path, raw, "It was not read.")
    return decode(raw)


def texts(tree: Tree, scope: str) -> Iterator[tuple[str, str]]:
    """Every key that is listed, with its text. Raises what `text` raises."""
    for entry in tree.entries(files.scope_folder(scope), files.is_listed):
        found = text(tree, scope, entry.name)
        if found is not None:
            yield entry.name, found


def is_encrypting(tree: Tree) -> bool:
    """Whether the store's settings say that Ethos encrypts it."""
    raw = read_if_there(tree, files.SETTINGS)
    return raw is not None and writes.configures_encryption(decode(raw))


def refuse_encrypted(tree: Tree, path: str, raw: bytes, outcome: str, shown: str = "") -> None:
    """Raises `Undecodable` for a text that Ethos has encrypted; `outcome` says what was not done."""
    if writes.is_encrypted(raw) or (writes.is_encrypted(raw, configured=True) and is_encrypting(tree)):
        place = shown or path
        raise Undecodable(place, f"{printable_path(place)} is encrypted by Ethos. {outcome}", "It needs Ethos and its key.")


def prompt_of(
    tree: Tree, personality: str, user: str = "", message: str = "", *, cap: int = prompt.CAP, index_mode: bool = False
) -> AgentPrompt:
    """What goes into the prompt of a personality that talks to `user` (empty: nobody it knows), who says `message`."""
    scope = f"personality:{personality}"
    found = [
        Found(key, content, files.path_of(scope, key))
        for key in (files.MEMORY, files.USER)
        if not prompt.is_blank(content := text(tree, scope, key)) and content is not None
    ]
    if not found and not prompt.is_blank(message):
        held = dict(texts(tree, scope))
        keys = prompt.search(held.items(), message, limit=prompt.MOST_FOUND)
        found = [Found(key, held[key], files.path_of(scope, key)) for key in keys]
    if user:
        own = f"user:{user}"
        content = text(tree, own, files.USER)
        found = prompt.with_user(found, Found(files.USER, content, files.path_of(own, files.USER)) if content is not None else None)
    return prompt.prompt(found, cap=cap, index_mode=index_mode)
