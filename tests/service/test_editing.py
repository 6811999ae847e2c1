"""Converting a text that is not UTF-8: what is shown is what is stored, and nothing of it is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import AStore
from zsmem_tui.core.limits import MAX_EDIT_BYTES
from zsmem_tui.service import editing
from zsmem_tui.service.browsing import open_file


def test_every_byte_has_a_character_of_its_own() -> None:
    every = bytes(range(256))
    text = editing.from_latin(every)
    assert len(set(text)) == 256 and "\ufffd" not in text
    assert text[:128] == every[:128].decode() and text[160:] == every[160:].decode("latin-1")
    assert text[0x80] == "€" and text[0x93] == "“"
    assert [text[at] for at in (0x81, 0x8D, 0x8F, 0x90, 0x9D)] == ["\x81", "\x8d", "\x8f", "\x90", "\x9d"]


@pytest.mark.parametrize("bytes_a_character", [2, 3])
def test_a_text_that_would_be_too_large_is_not_converted(tmp_path: Path, bytes_a_character: int) -> None:
    char = b"\xe9" if bytes_a_character == 2 else b"\x80"
    fits = MAX_EDIT_BYTES // bytes_a_character
    store = AStore(tmp_path / "memory").has("MEMORY.md", char * fits)
    session = store.session()
    ref = session.mem().source_ref("long_term")
    assert editing.why_not_converted(open_file(session, ref)) == ""
    store.has("MEMORY.md", char * (fits + 1))
    assert "too large" in editing.why_not_converted(open_file(session, ref))
    store.has("MEMORY.md", "plain")
    assert "UTF-8 already" in editing.why_not_converted(open_file(session, ref))
