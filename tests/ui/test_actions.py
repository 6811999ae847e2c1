from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import pytest

from zsmem_tui.core.errors import ConfigError
from zsmem_tui.ui.app import ZsmemApp
from zsmem_tui.ui.keys.action import Action
from zsmem_tui.ui.keys.bindings import (
    ACTIONS,
    MAIN_SCOPES,
    PANE_NAMES,
    PANES,
    SCOPES,
    TYPED_INTO,
    bar_actions,
    elsewhere,
    key_list,
    remapped,
    with_bases,
)
from zsmem_tui.ui.keys.names import key_name, spelled
from zsmem_tui.ui.memory.screen import MainScreen
from zsmem_tui.ui.widgets import bars


def test_a_remapped_key_replaces_the_default() -> None:
    found = {action.id: action.keys for action in remapped({"viewer.find": "ctrl+f, /"})}
    assert found["viewer.find"] == "ctrl+f,slash"
    assert found["viewer.raw"] == "R"


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        ({"viewer.fnd": "x"}, "there is no action called 'viewer.fnd'. Did you mean 'viewer.find'"),
        ({"viewer.find": "n"}, "n would mean both diff.next and viewer.find"),
        ({"app.search": "s,3,f7"}, "f7 would mean both app.search and app.tour"),
    ],
)
def test_wrong_keys_are_refused_at_start(keys: dict[str, str], sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        remapped(keys)


def test_every_pane_that_is_left_by_esc_says_so() -> None:
    scopes = {action.scope for action in ACTIONS}
    assert [each for each in scopes if "app.back" not in {action.id for action in bar_actions(ACTIONS, each)}] == ["tree"]


def test_the_defaults_have_no_key_with_two_meanings() -> None:
    quits = next(action for action in ACTIONS if action.id == "app.quit")
    assert remapped({quits.id: quits.keys}) == ACTIONS == remapped({})


@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        ("", "no key"),
        (" ", "no key"),
        ("x,,y", "no key"),
        ("flurb", "'flurb' is no key"),
        ("ctrl+flurb", "'flurb' is no key"),
        ("meta+flurb", "'meta' is no modifier"),
        ("meta+x", "'meta' is no modifier.*alt"),
        ("ctrl+ ", "is no key"),
        ("f99", "'f99' is no key"),
        ("ctrl+i", "arrives as tab"),
        ("CTRL+I", "arrives as tab"),
        ("ctrl+m", "arrives as enter"),
        ("ctrl+h", "arrives as backspace"),
        ("ctrl+[", "arrives as escape"),
        ("ctrl+left_square_bracket", "arrives as escape"),
        ("alt+[", "begins what terminals send"),
        ("alt+O", "begins what terminals send"),
        ("shift+1", "arrives as the sign"),
        ("shift+ß", "arrives as the sign"),
        ("ctrl+ctrl+s", "twice"),
        ("\x1b", "is no key"),
        ("[bold]", "is no key"),
    ],
)
def test_a_key_that_no_terminal_sends_is_refused(key: str, sentence: str) -> None:
    with pytest.raises(ConfigError, match=rf"\[keys\]: viewer\.find.*{sentence}"):
        remapped({"viewer.find": key})


@pytest.mark.parametrize(
    ("key", "known"),
    [
        ("F9", "f9"),
        ("Ctrl+F", "ctrl+f"),
        ("shift+q", "Q"),
        ("Q", "Q"),
        ("é", "é"),
        ("%", "percent_sign"),
        ("+", "plus"),
        ("ctrl++", "ctrl+plus"),
        ("ctrl+shift+S", "ctrl+shift+s"),
        ("alt+G", "alt+shift+g"),
        ("alt+shift+g", "alt+shift+g"),
        ("Esc", "escape"),
        ("shift+up", "shift+up"),
        ("space", "space"),
        ("comma", "comma"),
        ("ctrl+pgup", "ctrl+pageup"),
        ("alt+ctrl+q", "alt+ctrl+q"),
    ],
)
def test_keys_are_written_as_people_do(key: str, known: str) -> None:
    assert spelled("viewer.first", key) == known


@pytest.mark.parametrize("scope", TYPED_INTO)
def test_what_would_be_typed_is_no_action_there(scope: str) -> None:
    own = [action.id for action in ACTIONS if action.scope == scope]
    for id in own:
        with pytest.raises(ConfigError, match="would be typed"):
            remapped({id: "q"})


def test_every_default_key_is_one_that_could_be_set() -> None:
    found = {action.id: action.keys for action in remapped({each.id: each.keys for each in ACTIONS if each.keys})}
    assert found == {action.id: action.keys for action in ACTIONS}


def test_what_has_no_key_can_be_given_one() -> None:
    [found] = [action for action in remapped({"app.costs": "Y"}) if action.id == "app.costs"]
    assert found.bound == ["Y"]


def test_a_key_of_every_list_is_none_of_a_list() -> None:
    with pytest.raises(ConfigError, match="x would mean both"):
        remapped({"list.down": "x"})


def test_the_main_screen_has_sixty_actions_with_keys_at_most_and_all_screens_have_three_hundred() -> None:
    scopes = ["app", *with_bases(scope for scope in MAIN_SCOPES if scope != "editor")]
    assert len([action for action in ACTIONS if action.keys and action.scope in scopes]) <= 60
    assert len([action for action in ACTIONS if action.keys]) <= 300


def test_an_action_of_a_name_has_the_same_key_on_every_screen() -> None:
    keys = defaultdict(list)
    for action in ACTIONS:
        if action.keys and action.scope not in ("conflict", "query", "editor", "widen"):
            keys[action.label].append(action)
    for label, each in keys.items():
        assert set.intersection(*(set(action.listed) for action in each)), f"{label!r}: {', '.join(action.id for action in each)}"


FIRST = {
    "tree": "enter e d a / s u ?",
    "viewer": "e d / R O n s esc ?",
    "query": "alt+w enter ctrl+o ctrl+q esc f1",
    "hits": "enter e d w / s esc ?",
    "today": "x b enter + m e esc ?",
    "versions": "enter | b B w esc ?",
    "prompt": "+ e d = f t esc ?",
    "line": "enter ctrl+o ctrl+q esc f1 ctrl+p",
    "todos": "x e a d m + w esc ?",
    "facts": "+ e d / m a w esc ?",
    "findings": "enter A x w e / esc ?",
    "projects": "enter A m M r d esc ?",
    "plan": "A space enter * M esc ?",
}
"""The keys that a person needs first, by scope."""


def fitted(actions: Sequence[Action], width: int) -> list[tuple[str, str]]:
    """The keys and labels on the bar."""
    parts = (each.plain.rstrip().partition(" ") for _, each in bars.fitted(actions, width))
    return [(key, f"{blank}{label}") for key, blank, label in parts]


@pytest.mark.slow
@pytest.mark.parametrize("scope", FIRST)
def test_the_keys_needed_first_fit_into_eighty_columns(scope: str) -> None:
    actions = bar_actions(ACTIONS, scope)
    shown = fitted(actions, 78)
    assert " ".join(key for key, _ in shown) == FIRST[scope] and len("  ".join(map("".join, shown))) <= 78
    bare = {key for width in range(8, 200) for key, label in fitted(actions, width) if len(label) <= 1}
    assert bare <= {"esc"}, "a key without its word"
    assert [key for key, _ in fitted(actions, 400)][-1] == "ctrl+p" and len(fitted(actions, 400)) <= 8 + 3
    of_a_plan = [each for each in actions if each.id != "app.palette"]
    assert fitted(of_a_plan, 78)[-1][0] in ("?", "f1"), "where there is no palette, nothing gives way"


ONE_THING = {
    "A": {"Apply", "Fix", "Follow"},  # do what is shown
    "B": {"Restore", "Revert all"},  # the whole file as it was
    "M": {"Merge", "All"},  # move all of them
    "S": {"Scan", "Sync", "Try it"},  # begin a run that takes a while
    "V": {"The group", "Select lines"},
    "X": {"All seen", "File seen", "Log"},  # ticked off, and gone from the list
    "c": {"Copy", "To an agent"},
    "d": {"Delete", "Archive", "Take out"},
    "f": {"Show", "Only lost"},  # other rows
    "h": {"Fold", "Link before"},
    "m": {"Move", "To another file"},
    "r": {"Rename", "Name", "Other name"},
    "slash": {"Filter", "Find", "Words"},
    "space": {"Next page", "Mark", "Leave out"},  # a page in a text, a mark in a list
    "t": {"As it was", "What it saw then"},
    "v": {"Range", "Select"},
    "x": {"Done", "Ignore", "Seen"},  # ticked off
    "y": {"Copy text", "Copy name"},
}
"""The labels of each letter and sign that has several, which are the same thing for different objects."""


def test_a_letter_or_sign_does_one_thing_on_every_screen() -> None:
    labels = defaultdict(set)
    for action in ACTIONS:
        # the answers of a conflict are the letters of its own; `enter` and `l` go where the row leads
        for key in action.bound if action.scope != "conflict" else ():
            labels[key].add(action.label)
    several = {key: found for key, found in labels.items() if len(found) > 1}
    assert {key: found for key, found in several.items() if key not in ("enter", "l", "left", "right", "down")} == ONE_THING


def test_every_action_of_the_app_and_of_the_main_screen_runs_a_method() -> None:
    for action in ACTIONS:
        if action.scope == "app":
            assert hasattr(ZsmemApp, f"action_{action.act.partition('(')[0]}"), action.id
        elif PANES.get(action.scope) in ("tree", "viewer", "search", "editor") and action.act.startswith("screen."):
            assert hasattr(MainScreen, f"action_{action.act.removeprefix('screen.').partition('(')[0]}"), action.id


def test_every_key_that_works_is_in_the_list_of_all_keys() -> None:
    shown = key_list(ACTIONS)
    assert "As +." not in shown, "what has no key and is in no palette is no other key"
    assert "- Sort, in Facts: " in shown and "- Sort, in Triage: " in shown
    assert "- Light / dark `f9`: " in shown and "- Link forward `]`, in Viewer: " in shown
    assert all(f"`{key_name(each.bound[0])}`" in shown for each in ACTIONS if each.bound)


@pytest.mark.slow
def test_where_a_key_does_nothing_no_sentence_says_that_it_does_something_there() -> None:
    assert elsewhere(ACTIONS, "X").startswith("it is All seen in Review;")
    for here, page in PANES.items():
        if any(here in with_bases([each]) for each in PANES if each != here):
            continue  # no widget has it alone
        own = [each for base in with_bases([here]) for each in ACTIONS if each.scope == base]
        dead = {key for action in ACTIONS for key in action.bound} - {key for action in own for key in action.bound}
        for key in dead:
            named = elsewhere(ACTIONS, key, here).removeprefix("it is ").split("; ")
            assert not any(each.partition(" in ")[2] in (PANE_NAMES[page], SCOPES[here]) for each in named), (here, key, named)
