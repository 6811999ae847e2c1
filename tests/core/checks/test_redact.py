"""The two sides of a diff, as they may be shown."""

from __future__ import annotations

from zsmem_tui.core.checks.redact import hidden_lines, redacted
from zsmem_tui.core.checks.secret import masked_each
from zsmem_tui.core.diff import Side, diff

KEY = "ghp_" + "Zk3Qw9Lm2Vt7Xr5Bn8Hj4Pd6Sf1Gc0Ya3Ue"
OTHER = "ghp_" + "aZ3kQ9wLm2Rt8Xc5Vb7Nf1Jd4Gh6Ys0PqUe"


def _shown(before: str | None, after: str | None) -> list[str]:
    sides = redacted(*(None if text is None else text.encode() for text in (before, after)))
    return [f"{row.side}{row.text}" for row in diff(*(side or b"" for side in sides)) if row.side is not Side.GAP]


def test_a_key_that_is_masked_is_shown_on_neither_side_and_its_line_still_changes() -> None:
    text = f"- token {KEY} and {OTHER}\n- tea\n"
    after = text.replace(KEY, "ghp_…").replace(OTHER, "ghp_…")
    rows = _shown(text, after)
    said = "- token ghp_… (39 characters) and ghp_… (39 characters, number 2)"
    assert rows == [f"-{said}", "+- token ghp_… and ghp_…", " - tea"]


def test_lines_that_are_masked_alike_are_told_apart_since_one_may_be_put_back_for_the_other() -> None:
    lines = [f"- {KEY}", "- tea", f"- {OTHER}", f"- {KEY}"]
    assert hidden_lines(lines, masked_each(lines)) == {f"- {KEY}": "- ghp_…", f"- {OTHER}": "- ghp_… (another, number 2)"}


def test_the_rest_is_byte_for_byte_and_what_has_no_key_is_the_very_same() -> None:
    before, after = f"caf\xe9 {KEY}\r\n\x00 end".encode("latin-1"), b"caf\xe9 ghp_\r\n"
    assert redacted(before, after) == (b"caf\xe9 ghp_\xe2\x80\xa6 (39 characters)\r\n\x00 end", after)
    plain = b"- nothing here\n"
    assert redacted(plain, None)[0] is plain and redacted(None, plain) == (None, plain)


def test_a_key_that_only_one_side_tells_by_its_surroundings_is_cut_down_in_both() -> None:
    value = "xK9" + "mPq2vLr8wTz"
    before, after = f"| host | password |\n|---|---|\n| db | {value} |\n", f"moved: {value}\n"
    assert not any(value in row for row in _shown(before, after)) and _shown(before, before) == []


def test_a_private_key_goes_from_begin_to_end() -> None:
    rows = ("MIIEpAIBAAKCAQEA7bq9Xk2Lm4Vt8Rz1Yc6Wd3Nf5Hj0Pg", "q7Rk2Bv9Mx4Tz8Wn3Lc6Yp1Hd5Jf0Gs", "Zx3Vb6Nm9Qw2Er5Ty8Ui1Op4As7Df0")
    text = "\n".join(("a", "-----BEGIN RSA PRIVATE KEY-----", *rows, "-----END RSA PRIVATE KEY-----", "b", ""))
    shown = _shown(text, "a\nb\n")
    assert len(shown) == 3 and shown[1].startswith("-----… (") and shown[1].endswith(" characters)")
