"""The folders that Gemini CLI has worked in: its list of projects says them by path."""

from __future__ import annotations

import posixpath

from zsmem_tui.core.json_value import json_value


def list_of_projects(home: str) -> str:
    """Where the list is."""
    return posixpath.join(home, ".gemini", "projects.json")


def folders(raw: bytes) -> list[str]:
    """The folders in the list; none in one that is damaged."""
    try:
        found = json_value(raw)
    except ValueError:
        return []
    projects = found.get("projects") if isinstance(found, dict) else None
    return [path for path in projects if path.startswith("/") and "\0" not in path] if isinstance(projects, dict) else []
