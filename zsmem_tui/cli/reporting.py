"""What the writing verbs share: targets, content from standard input, the report at the end."""

from __future__ import annotations

import sys

from zsmem_tui.cli.diagnostics import Exit, say
from zsmem_tui.cli.output import put_json, put_line
from zsmem_tui.core.errors import BadContent
from zsmem_tui.core.report import WriteReport
from zsmem_tui.core.text import printable_path


def target_of(word: str) -> tuple[str, str | None]:
    """`note:NAME` as target and name; other words have no name unless they bring one."""
    target, colon, name = word.partition(":")
    return target, name if colon else None


def content_of(word: str | None) -> str:
    """The content given on the command line, or standard input for `-` or nothing. Raises `BadContent`."""
    if word is not None and word != "-":
        return word
    raw = sys.stdin.buffer.read()
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise BadContent("standard input is not valid UTF-8. Nothing was written.") from error


def put_report(report: WriteReport, *, as_json: bool) -> int:
    """Print what was done; warnings go to standard error."""
    if as_json:
        put_json(
            {
                "path": printable_path(report.path),
                "message": report.message,
                "written": report.written,
                "warnings": report.warnings,
            }
        )
    else:
        put_line(report.message)
    for warning in report.warnings:
        say(warning)
    return Exit.DONE if report.changed else Exit.NOTHING
