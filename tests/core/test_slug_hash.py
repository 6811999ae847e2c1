"""The hash in a slug, taken part by part and taken back."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zsmem_tui.core.errors import BadName
from zsmem_tui.core.names import project_name, project_slug
from zsmem_tui.core.slug_hash import START, back, folders_above, onwards, parts

PATHS = st.binary(max_size=60).filter(lambda raw: b"\0" not in raw)


@given(PATHS, PATHS)
def test_what_was_added_can_be_taken_off_again(first: bytes, more: bytes) -> None:
    before = onwards(START, first)
    assert back(onwards(before, more), more) == before


@given(st.text("abcXYZ019-_", min_size=1, max_size=40), st.sampled_from(["/home/ann/git", "/", "/srv/日本"]))
def test_a_plain_slug_tells_the_hash_of_the_folder_above(name: str, above: str) -> None:
    found = parts(project_slug(os.path.join(above, name)))
    assert found is not None and found.base == name
    assert folders_above(found)[1 if above == "/" else 0] == onwards(START, above.encode())


def test_what_is_no_slug_has_no_parts() -> None:
    assert [parts(name) for name in ("default", "a-123", "-12345678", "a-1234567G", "a-1234567A")] == [None] * 5


def test_a_folder_whose_name_says_nothing_is_root() -> None:
    assert {project_slug(path)[:-8] for path in (b"", b"/", b"/a/..", b"/a/.", b"/caf\xe9")} == {"root-", "a-"}
    assert project_slug(b"/caf\xe9")[:-8] == project_slug(b"/")[:-8] == "root-"


def test_a_project_is_named_by_what_a_folder_can_be_called() -> None:
    for name in ("é" * 127 + "x", "a\\b"):
        assert project_name(name) == name
    for name in ("é" * 128, "", ".x", "a/b", "a\0", "half \ud800"):
        with pytest.raises(BadName):
            project_name(name)
