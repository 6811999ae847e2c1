"""Searching as the agent does, and wider when a person asks for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum

from zsmem_tui.agents.zerostack.layout import ZEROSTACK
from zsmem_tui.core.layout import Folder, searched_folders
from zsmem_tui.core.search import Document, SearchHit, SearchResults, never
from zsmem_tui.core.search import search as search_documents
from zsmem_tui.service.session import Session


class Scope(StrEnum):
    """Where to search: as the agent does, its scratchpad too, or every project of the store (section 15)."""

    AGENT = "agent"
    PROJECT = "project"
    ALL = "all"

    @property
    def wider(self) -> Scope:
        """The next scope; behind the widest comes the agent's again."""
        scopes = list(Scope)
        return scopes[(scopes.index(self) + 1) % len(scopes)]


def search(
    session: Session,
    query: str,
    scope: Scope = Scope.AGENT,
    *,
    cancelled: Callable[[], bool] = never,
    max_age: float = 0.0,
) -> SearchResults:
    """What is found for `query`, ranked by the agent's rules in any scope (specification, section 6).

    `max_age` allows texts that were checked that many seconds ago. Raises `Cancelled` once `cancelled()` says so.
    """
    documents = session.texts.documents(session.root, _folders(session, scope), cancelled=cancelled, max_age=max_age)
    if scope is Scope.AGENT and session.layout is not ZEROSTACK:
        documents = [each for each in documents if session.layout.finds(each.text.raw.decode(), query)]
    return search_documents(documents, query, cancelled=cancelled)


def search_stores(sessions: Sequence[Session], query: str) -> tuple[SearchResults, dict[int, Session]]:
    """What is found in several stores, each searched as its agent does, in one ranking; and whose each document is, by its id."""
    owners: dict[int, Session] = {}
    documents: list[Document] = []
    for session in sessions:
        found = session.texts.documents(session.root, _folders(session, Scope.AGENT))
        mine = (
            found
            if session.layout is ZEROSTACK
            else [each for each in found if session.layout.finds(each.text.raw.decode(), query)]
        )
        documents += mine
        owners |= {id(each): session for each in mine}
    return search_documents(documents, query), owners


def warm_up(session: Session) -> None:
    """Read what the agent's scope holds, so that the first search answers as quickly as the second."""
    session.texts.documents(session.root, _folders(session, Scope.AGENT))


def agent_searches(session: Session, hit: SearchHit) -> bool:
    """Whether the agent's own search in the session's project would look at the file."""
    folder = hit.document.folder
    return folder.searched and folder.project in ("", session.project)


def _folders(session: Session, scope: Scope) -> tuple[Folder, ...]:
    layout = session.layout
    if scope is Scope.AGENT:
        return searched_folders(layout, session.project)
    if scope is Scope.PROJECT:
        return (*layout.global_folders(), *layout.project_folders(session.project))
    from zsmem_tui.store.scan import project_slugs  # 3 ms that the agent's scope can do without

    slugs = project_slugs(session.root, layout)
    return (*layout.global_folders(), *(folder for slug in slugs for folder in layout.project_folders(slug)))
