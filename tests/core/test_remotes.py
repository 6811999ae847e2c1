"""What a remote is called, whoever is let in by it."""

from __future__ import annotations

import pytest

from zsmem_tui.core.remotes import canonical


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://GitHub.com/Ann/Lantern.git", "github.com/Ann/Lantern"),
        ("https://ann:s3cret@github.com:443/Ann/Lantern.git/", "github.com/Ann/Lantern"),
        ("https://ghp_token@github.com/Ann/Lantern", "github.com/Ann/Lantern"),
        ("https://h/a/b?access_token=s3cret", "h/a/b"),
        ("https://ann:p@ss@h/a/b", "h/a/b"),
        ("git@github.com:Ann/Lantern.git", "github.com/Ann/Lantern"),
        ("github.com:Ann/Lantern.git", "github.com/Ann/Lantern"),
        ("ssh://git@github.com:22/Ann/Lantern.git", "github.com/Ann/Lantern"),
        ("ssh://git@[::1]:22/a/b", "::1/a/b"),
        ("git://h//a//b.git", "h/a/b"),
        ("/srv/git/lantern.git", "/srv/git/lantern"),
        ("file:///srv/git/lantern.git", "/srv/git/lantern"),
        ("C:\\git\\x", "C:\\git\\x"),
        ("../lantern.git", ""),
        ("", ""),
        ("https://", ""),
    ],
)
def test_a_remote_is_its_host_owner_and_name(url: str, name: str) -> None:
    assert canonical(url) == name
    assert "s3cret" not in canonical(url)
