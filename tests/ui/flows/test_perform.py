from __future__ import annotations

import ast
import asyncio
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest

from tests.architecture.source import nodes
from tests.architecture.test_circles import sources
from zsmem_tui.core.errors import BadName, MemError
from zsmem_tui.core.outcomes import VerbResult
from zsmem_tui.ui.perform import perform, show


class AHost:
    """A program that only notes what happens to it. `later` is what its history says once it has been looked at."""

    def __init__(self, later: str = "") -> None:
        self.seen: list[object] = []
        self.main: Any = SimpleNamespace(session=SimpleNamespace(undo_problem=""), look_now=self._look, focused=None)
        self.main.unpolled = nullcontext
        self.tool = None
        self.conversations = SimpleNamespace(acted=False, coming=[])
        self.ahead: list[tuple[str, str]] = []
        self.screen = SimpleNamespace(active_bindings={})
        self._later = later

    async def _look(self) -> None:
        self.main.session.undo_problem = self._later
        self.seen.append("looked")

    def say(self, text: str, *, warning: bool = False) -> None:
        self.seen.append((text, warning))


def ran(result: VerbResult, later: str = "", **options: Any) -> list[object]:
    host: Any = AHost(later)
    assert asyncio.run(perform(host, lambda: result, **options)) is result
    return list(host.seen)


@pytest.mark.parametrize(
    ("result", "later", "told"),
    [
        (VerbResult("Done.", 1), "", ("Done · u to undo", False)),
        (VerbResult("It is there already."), "", ("It is there already.", False)),
        (VerbResult("Nothing was found.", warning=True), "", ("Nothing was found.", True)),
        (VerbResult("Done; one was gone.", 2, warning=True), "", ("Done; one was gone · u to undo", True)),
        (VerbResult("Done.", 1, "The disk is full."), "", ("Done. Undo is off. The disk is full.", True)),
        (VerbResult("Done.", 1), "No history.", ("Done. Undo is off. No history.", True)),
        (VerbResult("It is there already."), "No history.", ("It is there already.", False)),
    ],
)
def test_undo_is_promised_only_where_there_is_a_step_that_can_be_undone(
    result: VerbResult, later: str, told: tuple[str, bool]
) -> None:
    assert ran(result, later) == ["looked", told]


def test_what_is_different_is_shown_before_the_sentence() -> None:
    host: Any = AHost()

    async def refresh(done: VerbResult) -> None:
        host.say(f"shown: {done.message}")

    asyncio.run(perform(host, lambda: VerbResult("Done.", 1), refresh=refresh))
    assert host.seen == [("shown: Done.", False), ("Done · u to undo", False)]


def test_the_sentence_is_told_in_every_place_that_is_named() -> None:
    host, one, other = AHost(), AHost(), AHost()
    asyncio.run(perform(host, lambda: VerbResult("Done."), one, other))  # type: ignore[arg-type]
    assert one.seen == other.seen == [("Done.", False)] and host.seen == ["looked"]


def test_what_is_refused_is_told_with_its_hint_or_handed_over() -> None:
    def verb() -> VerbResult:
        raise BadName("That is no name. Nothing was done.", "Choose another.")

    host: Any = AHost()
    assert asyncio.run(perform(host, verb)) is None
    assert host.seen == [("That is no name. Nothing was done. Choose another.", True)]
    reasons: list[str] = []
    assert asyncio.run(perform(host, verb, refused=reasons.append)) is None
    assert reasons == ["That is no name. Nothing was done. Choose another."] and len(host.seen) == 1


def test_what_was_undone_can_be_done_again() -> None:
    host: Any = AHost()
    asyncio.run(show(host, VerbResult("Undid: x", 1), key="U to redo"))
    assert host.seen[-1] == ("Undid: x · U to redo", False)
    host.conversations.coming = ["Undo"]
    asyncio.run(show(host, VerbResult("Done.", 1)))
    assert host.seen[-1] == ("Done · undo comes next", False), "pressed already, it is offered no more"


def test_a_bug_is_no_refusal() -> None:
    def verb() -> VerbResult:
        raise ValueError

    with pytest.raises(ValueError):  # any one that is ours to mend
        asyncio.run(perform(AHost(), verb))  # type: ignore[arg-type]


def worded_elsewhere(module: str, text: str) -> list[str]:
    """Handlers that tell a person of an error themselves, and promises of undo, outside the one place for both."""
    errors = {MemError.__name__, *(each.__name__ for each in every_subclass(MemError))}
    found = []
    for node in nodes(text):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "u to undo" in node.value:
            found.append(f"{module}:{node.lineno} promises undo")
        if isinstance(node, ast.ExceptHandler) and node.type is not None and errors & set(ast.unparse(node.type).split(".")):
            calls = [each.func for each in ast.walk(node) if isinstance(each, ast.Call)]
            if any(isinstance(call, ast.Attribute) and call.attr == "say" for call in calls):
                found.append(f"{module}:{node.lineno} words a refusal")
    return found


def every_subclass(kind: type[MemError]) -> list[type[MemError]]:
    found = list(kind.__subclasses__())
    for each in kind.__subclasses__():
        found += every_subclass(each)
    return found


def test_no_flow_and_no_screen_words_a_refusal_or_promises_undo_itself() -> None:
    texts = {
        module: text
        for module, text in sources().items()
        if module.startswith("zsmem_tui.ui.") and module != "zsmem_tui.ui.perform"
    }
    assert [found for module, text in texts.items() for found in worded_elsewhere(module, text)] == []


@pytest.mark.parametrize(
    "planted",
    [
        "try:\n    f()\nexcept MemError as error:\n    screen.say(error.message)\n",
        "try:\n    f()\nexcept errors.StoreError as error:\n    main.say(f'{error.message} {error.hint}', warning=True)\n",
        "screen.say(f'{words} · u to undo')\n",
    ],
)
def test_a_planted_one_is_found(planted: str) -> None:
    assert worded_elsewhere("ui.x", planted)
