"""The `zsmem stores` command."""

from __future__ import annotations

import argparse
from typing import Any

from zsmem_tui.cli.output import put_rows
from zsmem_tui.core.text import counted, printable_path
from zsmem_tui.service import stores
from zsmem_tui.service.folders import every_store
from zsmem_tui.service.known_folders import known_folders
from zsmem_tui.service.session import Session
from zsmem_tui.service.stores import StoreLine

EXAMPLES = """\
  zsmem stores
  zsmem stores --json | jq '.stores[] | {kind, prompt_bytes}'
  zsmem stores --store markdown:~/notes"""


def run(session: Session, args: argparse.Namespace) -> int:
    """Print a line per store; for one that cannot be read, the reason."""
    group, user, cwd = args.group or args.project or "", args.user or "", args.cwd or ""
    if args.store or args.root or group or user:
        folders = [] if args.store else [each.folder for each in known_folders(cwd)]
        every = stores.sessions(
            session.config,
            named=args.store or (),
            root=args.root or "",
            group=group,
            user=user,
            cwd=cwd,
            folders=folders,
            clock=session.clock,
        )
    else:
        every = every_store(session.config, cwd=cwd, clock=session.clock)
    found = stores.lines(every, cwd)
    return put_rows(args, "stores", found, _as_json, _line, "There is no agent's memory on this machine yet.")


def _line(each: StoreLine) -> str:
    files, groups = counted(each.files, "file"), counted(len(each.groups), "group")
    parts = [f"{each.kind:<12}", f"{files:>11}", f"{each.bytes:>10} bytes", f"{groups:>11}"]
    unknown = "not one number" if each.files else "not known"  # the reason stands at the end
    parts.append(f"{each.prompt:>7} in the prompt" if each.prompt is not None else f"{unknown:>21}")
    reason = f"  ({each.problem})" if each.problem else ""
    return f"{'  '.join(parts)}  {printable_path(each.root)}{reason}"


def _as_json(each: StoreLine) -> dict[str, Any]:
    return {
        "kind": each.kind,
        "root": printable_path(each.root),
        "groups": [printable_path(group) for group in each.groups],
        "group": each.group or None,
        "files": each.files,
        "bytes": each.bytes,
        "prompt_bytes": each.prompt,
        "problem": each.problem or None,
    }
