"""Results and reports in the words the agent gets (specification, sections 7, 9 and 13)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zsmem_tui.core.constants import MAX_WRITE_BYTES, RENDER_RESERVE_BYTES, TRUNCATED_MARK
from zsmem_tui.core.text import plural, truncate

if TYPE_CHECKING:
    from zsmem_tui.core.search import SearchHit, SearchResults


def summary(results: SearchResults, shown: int) -> str:
    """The first line: each term with its count, how many files were hit, how many are shown."""
    terms = " ".join(f"{term}({count})" for term, count in results.terms)
    files = len(results.hits)
    return (
        f"Searched {len(results.terms)} {plural('term', len(results.terms))}: {terms} across {files} {plural('file', files)}. "
        f"Showing top {shown} by relevance."
    )


def render_results(results: SearchResults, max_bytes: int) -> str:
    """The summary and as many whole blocks as fit, at least one; only those have their bodies made."""
    budget = max(max_bytes - RENDER_RESERVE_BYTES, 0)
    blocks: list[str] = []
    used = 0
    for hit in results.hits:
        block = render_hit(hit)
        size = len(block.encode()) + (2 if blocks else 0)
        if blocks and used + size > budget:
            break
        blocks.append(block)
        used += size
    text = f"{summary(results, len(blocks))}\n\n" + "\n\n".join(blocks)
    omitted = len(results.hits) - len(blocks)
    if omitted:
        text += f"\n\n…[search truncated, {omitted} more {plural('file', omitted)} omitted]"
    return truncate(text, max_bytes, TRUNCATED_MARK)


def render_hit(hit: SearchHit) -> str:
    """One block: the path, the terms that matched, the excerpt."""
    return f"{hit.path}  [matched: {', '.join(hit.matched_terms)}]\n{hit.body}"


def written(size: int, path: str, skipped: int, backup_error: str, truncated_from: int | None) -> str:
    """The sentence of a write that happened."""
    text = f"Wrote {size} bytes to {path}"
    if skipped:
        text += f" (skipped {skipped} duplicate line(s))"
    if backup_error:
        text += f" (warning: backup failed, no .bak written: {backup_error})"
    if truncated_from is not None:
        text += f" (truncated from {truncated_from} bytes to {MAX_WRITE_BYTES} byte cap)"
    return text


def nothing_written(path: str, skipped: int) -> str:
    """The sentence of a write whose lines were all there already."""
    return f"Nothing written to {path}: all {skipped} line(s) were duplicates"
