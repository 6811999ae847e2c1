from __future__ import annotations

import pytest

from zsmem_tui.store.disk.temporary import last_of, open_nameless


@pytest.mark.parametrize(("most", "last"), [(2, b"bc"), (3, b"abc"), (4, b"abc"), (0, b"")])
def test_the_last_bytes_are_no_more_than_there_are(most: int, last: bytes) -> None:
    with open_nameless() as stream:
        stream.write(b"abc")
        assert last_of(stream, most) == last
