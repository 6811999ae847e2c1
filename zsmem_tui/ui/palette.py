"""The command palette: every action with its key beside it, so that the palette teaches the keys."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Protocol, runtime_checkable

from textual.app import App
from textual.command import CommandList, CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.events import Mount
from textual.fuzzy import FuzzySearch

from zsmem_tui.ui.keys.action import Action
from zsmem_tui.ui.keys.bindings import SCOPES, keys_name
from zsmem_tui.ui.layer import Layer
from zsmem_tui.ui.widgets.answers import laid_out


class Palette(CommandPalette, Layer[None]):
    """The palette of Textual, closing once, so that an action that was chosen twice is done once."""

    def _on_mount(self, event: Mount) -> None:
        """Leave out what Textual's own does, which looks for the screen below, where this one has gone before it came."""
        if self not in self.app.screen_stack:
            event.prevent_default()

    def _action_command_list(self, action: str) -> None:
        if laid_out(self.query_one(CommandList)):
            super()._action_command_list(action)


class ActionProvider(Provider):
    """Offers the actions of the registry."""

    async def discover(self) -> Hits:
        """All of them, before anything is typed."""
        for action in self._actions():
            yield DiscoveryHit(_display(action), partial(self._run, action), text=action.label, help=action.help)

    async def search(self, query: str) -> Hits:
        """Those whose label or help holds the letters."""
        finder = FuzzySearch()
        for action in self._actions():
            score, offsets = finder.match(query, action.label)
            if score:
                yield Hit(score, _display(action, offsets), partial(self._run, action), text=action.label, help=action.help)

    def _actions(self) -> Iterator[Action]:
        return iter(_offering(self.app).palette_actions())

    async def _run(self, action: Action) -> None:
        await _offering(self.app).run_from_palette(action)


@runtime_checkable
class Offering(Protocol):
    """An app with actions to choose from."""

    def palette_actions(self) -> list[Action]:
        """What can be done now."""

    async def run_from_palette(self, action: Action) -> None:
        """Do what was chosen."""


def _offering(app: App[object]) -> Offering:
    assert isinstance(app, Offering)  # Textual makes the provider, and knows the app as one of any kind
    return app


def _display(action: Action, offsets: Sequence[int] = ()) -> Content:
    label = Content(action.label)
    for offset in offsets:
        label = label.stylize("bold underline", offset, offset + 1)
    where = "" if action.scope == "app" else f"  {SCOPES[action.scope]}"
    return Content.assemble(label, ("  ", ""), (keys_name(action), "bold $accent"), (where, "$text-muted"))
