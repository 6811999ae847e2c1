"""What goes into the prompt, and what agents keep silent about (specification, section 15)."""

from __future__ import annotations

from zsmem_tui.core.constants import EXTENSION, LONG_TERM_INJECT_LIMIT
from zsmem_tui.core.context import CLOSING
from zsmem_tui.core.daily import is_log_name
from zsmem_tui.core.refs import WriteTarget
from zsmem_tui.core.text import printable_path
from zsmem_tui.service.browsing import open_file
from zsmem_tui.service.session import Session
from zsmem_tui.store import files


def warnings(session: Session) -> list[str]:
    """Sentences about what the agent leaves out, or takes in, without a word."""
    mem = session.mem()
    refs = [mem.ref(WriteTarget.LONG_TERM), mem.ref(WriteTarget.SCRATCHPAD)]
    refs += [mem.ref(WriteTarget.DAILY, day) for day in (mem.yesterday, mem.today) if day]
    found = []
    for ref in refs:
        file = open_file(session, ref)
        shown = printable_path(file.path)
        if file.missing:
            continue
        if file.undecodable:
            found.append(f"{shown} is not valid UTF-8: agents cannot read it, and leave it out.")
        elif file.problem:
            found.append(f"{file.problem}: it is left out.")
        elif ref.target is WriteTarget.LONG_TERM and len(file.raw) > LONG_TERM_INJECT_LIMIT:
            found.append(f"{shown} has {len(file.raw)} bytes: agents leave it out when it is over {LONG_TERM_INJECT_LIMIT}.")
        elif CLOSING.strip("\n") in file.text:
            found.append(f"{shown} holds {CLOSING.strip(chr(10))}, which ends the block early.")
    return found + _future_logs(session)


def _future_logs(session: Session) -> list[str]:
    mem = session.mem()
    folder = next(folder for folder in session.layout.project_folders(mem.project) if folder.dated)
    names = files.list_names(f"{session.root}/{folder.path}")
    later = sorted(name for name in names if is_log_name(name) and name.removesuffix(EXTENSION) > mem.today)
    return [f"The log {printable_path(name)} is dated in the future: the released agent takes it for the newest." for name in later]
