"""What a remote is called, whoever is let in by it."""

from __future__ import annotations

import pytest

from zsmem_tui.core.remotes import canonical, has_password, without_user


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


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://h/a", "https://h/a"),
        ("https://h:443/a/b.git", "https://h:443/a/b.git"),
        ("ssh://git@h/a", "ssh://h/a"),
        ("ssh://[::1]:22/a", "ssh://[::1]:22/a"),
        ("https://s3cret@h/a", "https://h/a"),
        ("https://ann:s3cret@h/a", "https://h/a"),
        ("https://ann:s3@cret@h/a", "https://h/a"),
        ("https://ann:s3/cret@h/a", "https://h/a"),
        ("http://h/a?token=s3cret", "http://h/a"),
        ("http://h/a#s3cret", "http://h/a"),
        ("http://h?s3cret", "http://h"),
        ("http://ann:s3cret@h/a?token=s3cret#s3cret", "http://h/a"),
    ],
)
def test_what_is_printed_of_an_address_lets_nobody_in_wherever_it_stands(url: str, shown: str) -> None:
    assert without_user(url) == shown
    assert without_user(f"fatal: unable to access '{url}': no. See {url} now") == (
        f"fatal: unable to access '{shown}': no. See {shown} now"
    )
    user = url.partition("://")[2].rpartition("@")[0]
    assert has_password(url) == (":" in user or "?" in url or "#" in url)


def test_a_login_of_a_password_and_a_host_is_no_host_of_a_path() -> None:
    assert has_password("ann:s3cret@h:/a") and not has_password("git@h:a/b") and not has_password("h:a/b@c")
