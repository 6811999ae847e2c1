"""Reading a text that is not valid UTF-8."""

from __future__ import annotations

import pytest

from zsmem_tui.core.recode import recoded


def test_every_byte_that_is_no_utf8_has_a_character_of_its_own() -> None:
    every = b"".join(bytes([byte]) + b"." for byte in range(128, 256))
    text = recoded(every).text[::2]
    assert len(set(text)) == 128 and "\ufffd" not in text
    assert text[32:] == bytes(range(0xA0, 0x100)).decode("latin-1")
    assert text[0] == "€" and text[0x13] == "“"
    assert [text[at - 0x80] for at in (0x81, 0x8D, 0x8F, 0x90, 0x9D)] == ["\x81", "\x8d", "\x8f", "\x90", "\x9d"]


@pytest.mark.parametrize(
    ("raw", "text", "line", "how"),
    [
        ("Grüße, 中文\n".encode() + b"caf\xe9\n", "Grüße, 中文\ncafé\n", "café", "1 byte read as Latin-1"),
        ("Grüße, 中文: ".encode() + b"\x93caf\xe9\x94\r\n", "Grüße, 中文: “café”\r\n", "Grüße, 中文: “café”\r", "3 bytes read"),
        (b"\xc3\xa9 \xc3", "é Ã", "é Ã", "1 byte read as Latin-1"),  # a character that was cut off
        (b"\xff\xferun make check\n", "ÿþrun make check\n", "ÿþrun make check", "2 bytes read as Latin-1"),
        (b"run \xff\xfe make\n", "run ÿþ make\n", "run ÿþ make", "2 bytes read as Latin-1"),
        (b"\xfe\xff" + "Größe".encode() + b"!\n", "þÿGröße!\n", "þÿGröße!", "2 bytes read as Latin-1"),
        (b"\xff\xfe" + "слово.".encode() + b"\n\n", "ÿþслово.\n\n", "ÿþслово.", "2 bytes read as Latin-1"),
        (b"\xff\xfea\0b\0c", "ÿþa\0b\0c", "ÿþa\0b\0c", "2 bytes read as Latin-1"),  # an odd count is no UTF-16
        (b"\xed\xa0\x80", "í\xa0€", "í\xa0€", "3 bytes read as Latin-1"),  # half of a pair is none
        ("あいうえおは日本語\n".encode() * 9 + b"\xb1\n", "あいうえおは日本語\n" * 9 + "±\n", "±", "1 byte read as Latin-1"),
    ],
)
def test_what_is_valid_stays_and_only_other_bytes_are_read_as_latin_1(raw: bytes, text: str, line: str, how: str) -> None:
    found = recoded(raw)
    assert found[:2] == (text, line) and found.how.startswith(how)


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("会計は月末に締める\n", "cp932"),
        ("「テスト」を書く\n", "euc_jp"),
        ("é – “ok”\n", "cp1252"),
        ("Größe\n", "utf-16"),
        ("はこのなかに", "utf-16"),
        ("会計月末締結", "utf-16"),
    ],
)
def test_old_encodings_are_told_from_each_other(text: str, encoding: str) -> None:
    assert recoded(text.encode(encoding)).text.removeprefix("\ufeff") == text
