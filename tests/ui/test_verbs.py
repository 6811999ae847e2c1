"""One verb, one key; one key, one verb: what a hand has learnt on one screen holds on every other."""

from __future__ import annotations

from collections import defaultdict

import pytest

from zsmem_tui.ui.keys.action import Action
from zsmem_tui.ui.keys.bindings import ACTIONS
from zsmem_tui.ui.keys.names import key_name
from zsmem_tui.ui.keys.verbs import EXEMPT, VERBS

SIGNS = [
    (key_name(key), action)
    for action in ACTIONS
    if action.scope not in EXEMPT
    for key in action.keys.split(",")
    if len(key_name(key)) == 1 and key_name(key).isascii()
]


@pytest.mark.parametrize("key", sorted({key for key, _ in SIGNS}))
def test_a_key_means_one_verb_on_every_screen(key: str) -> None:
    wrong = [
        f"{action.id} calls {key} {action.label!r}"
        for each, action in SIGNS
        if each == key and action.label not in VERBS[key].labels
    ]
    assert not wrong, f"{key} means: {VERBS[key].meaning}"


def test_the_table_names_no_key_that_is_none_and_no_label_that_nobody_has() -> None:
    named = defaultdict(set)
    for key, action in SIGNS:
        named[key].add(action.label)
    assert {key: set(verb.labels) for key, verb in VERBS.items()} == named


def test_a_verb_has_the_same_key_on_every_screen() -> None:
    keys: dict[str, list[tuple[Action, set[str]]]] = defaultdict(list)
    for action in ACTIONS:
        if action.scope not in EXEMPT:
            keys[action.label].append((action, set(action.keys.split(","))))
    for label, each in keys.items():
        shared = set.intersection(*(own for _, own in each))
        assert shared, f"{label!r} has other keys in {', '.join(action.id for action, _ in each)}"
