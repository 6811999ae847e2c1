from __future__ import annotations

import pytest

from zsmem_tui.core.errors import ConfigError
from zsmem_tui.ui.actions import ACTIONS, remapped


def test_a_remapped_key_replaces_the_default() -> None:
    found = {action.id: action.keys for action in remapped({"viewer.find": "ctrl+f, /"})}
    assert found["viewer.find"] == "ctrl+f,slash"
    assert found["viewer.next"] == "n"


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        ({"viewer.fnd": "x"}, "there is no action called 'viewer.fnd'. Did you mean 'viewer.find'"),
        ({"viewer.find": "n"}, "n would mean both viewer.find and viewer.next"),
    ],
)
def test_wrong_keys_are_refused_at_start(keys: dict[str, str], sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        remapped(keys)


def test_the_defaults_have_no_key_with_two_meanings() -> None:
    assert remapped({}) == ACTIONS
