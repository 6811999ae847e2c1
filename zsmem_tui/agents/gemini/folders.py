"""The folders that Gemini CLI has worked in: its list of projects says them by path."""

from __future__ import annotations

import json
import posixpath


def list_of_projects(home: str) -> str:
    """Where the list is."""
    return posixpath.join(home, ".gemini", "projects.json")


def folders(raw: bytes) -> list[str]:
    """The folders in the list; none in one that is damaged."""
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError):
        return []
    projects = found.get("projects") if isinstance(found, dict) else None
    return [path for path in projects if path.startswith("/") and "\0" not in path] if isinstance(projects, dict) else []
