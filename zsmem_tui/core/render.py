"""Format search results and write reports as the agent gets them (specification, sections 7, 9 and 13)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from zsmem_tui.core.limits import MAX_WRITE_BYTES, RENDER_RESERVE_BYTES, TRUNCATED_MARK
from zsmem_tui.core.text import plural, truncate


def summary(terms: Sequence[tuple[str, int]], files: int, shown: int) -> str:
    """The first line of the results: each term with its count, the number of files found, and how many are shown."""
    counted = " ".join(f"{term}({count})" for term, count in terms)
    return (
        f"Searched {len(terms)} {plural('term', len(terms))}: {counted} across {files} {plural('file', files)}. "
        f"Showing top {shown} by relevance."
    )


def render_results(terms: Sequence[tuple[str, int]], files: int, blocks: Iterable[str], max_bytes: int) -> str:
    """The summary and as many whole blocks as fit, at least one; `files` is the number of files found. Blocks are read lazily."""
    budget = max(max_bytes - RENDER_RESERVE_BYTES, 0)
    kept: list[str] = []
    used = 0
    for block in blocks:
        size = len(block.encode()) + (2 if kept else 0)
        if kept and used + size > budget:
            break
        kept.append(block)
        used += size
    text = f"{summary(terms, files, len(kept))}\n\n" + "\n\n".join(kept)
    omitted = files - len(kept)
    if omitted:
        text += f"\n\n…[search truncated, {omitted} more {plural('file', omitted)} omitted]"
    return truncate(text, max_bytes, TRUNCATED_MARK)


def render_hit(path: str, matched_terms: Sequence[str], body: str) -> str:
    """One block of the results: path, matched terms, excerpt."""
    return f"{path}  [matched: {', '.join(matched_terms)}]\n{body}"


def written(size: int, path: str, skipped: int, backup_error: str, truncated_from: int | None, index: str = "") -> str:
    """The message for a completed write; `index` is the file in which a line about the written file was added."""
    text = f"Wrote {size} bytes to {path}"
    if index:
        text += f", and a line about it to {index}"
    if skipped:
        text += f" (skipped {skipped} duplicate line(s))"
    if backup_error:
        text += f" (warning: backup failed, no .bak written: {backup_error})"
    if truncated_from is not None:
        text += f" (truncated from {truncated_from} bytes to {MAX_WRITE_BYTES} byte cap)"
    return text


def nothing_written(path: str, skipped: int) -> str:
    """The message for a write whose lines were all duplicates."""
    return f"Nothing written to {path}: all {skipped} line(s) were duplicates"
