"""No fix of the doctor takes a fact out of a prompt, wherever the two lines stand that say it."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from tests.builders import AStore
from zsmem_tui.agents.claude_code.files import encoded
from zsmem_tui.config.model import Config
from zsmem_tui.core.names import project_slug
from zsmem_tui.service import doctor_fixes, previewing
from zsmem_tui.service.doctor import Doctor
from zsmem_tui.service.session import Session
from zsmem_tui.service.stores import open_store

PAIRS = {
    "the same": ("See the plan before you start the engine", "See [the plan](https://a.b) before you start the engine"),
    "in other words": ("Invoices older than ten days are sent again.", "We send invoices again when they are older than ten days."),
    "against each other": ("Backups start at 01:00", "Backups start at 03:00"),
}
PLACES = {
    "zerostack:agent/memory": "MEMORY.md projects/APP/SCRATCHPAD.md projects/APP/notes/a.md projects/LIB/notes/b.md ../AGENTS.md"
    " ../../app/AGENTS.md",
    "claude-code:.claude": "projects/APP/memory/MEMORY.md projects/APP/memory/a.md CLAUDE.md rules/a.md ../app/CLAUDE.md",
    "qwen-code:.qwen": "memories/MEMORY.md memories/a.md projects/APP/memory/MEMORY.md projects/APP/memory/a.md QWEN.md"
    " ../app/QWEN.md",
}


@pytest.mark.draw(3)
@pytest.mark.parametrize("words", PAIRS)
@pytest.mark.parametrize("kind", PLACES)
def test_after_a_fix_no_prompt_lacks_a_fact_that_it_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, words: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    agent, _, root = kind.partition(":")
    store = AStore(tmp_path / root)
    folders = [AStore(tmp_path / name).has(".git/HEAD", "").root for name in ("app", "lib", "new")]
    sessions = {folder.name: open_store(Config(), f"{agent}:{store.root}", cwd=str(folder)) for folder in folders}
    slug = project_slug if agent == "zerostack" else encoded
    places = PLACES[kind].replace("APP", slug(str(folders[0]))).replace("LIB", slug(str(folders[1]))).split()

    def has_it(session: Session) -> bool:
        rows = [row.text for row in previewing.preview(session).rows]
        text = "\n".join((*rows, *(text for _, text in previewing.loaded_orders(session, session.folder))))
        return any(line in text for line in PAIRS[words])

    rules = set()
    for pair in permutations(places, 2):
        for path, line in zip(pair, PAIRS[words], strict=True):
            store.has(path, f"# Facts\n\n{'- [ ]' if 'SCRATCHPAD' in path else '-'} {line}\n")
        had = [name for name, session in sessions.items() if has_it(session)]
        found = Doctor(sessions["app"], map(str, folders)).examine(None).faults
        for fault in found:
            choices = fault.fix.choices if fault.fix is not None else ()
            for each in [doctor_fixes.picked(fault, at) for at in range(len(choices))] or [fault]:
                plan = doctor_fixes.plan(sessions["app"], [each] if fault.related else [])
                for edit in plan.changes:
                    rules.add(fault.rule.name)
                    store.has(edit.ref.path, edit.after or b"")
                    lost = [name for name in had if not has_it(sessions[name])]
                    assert not lost or plan.notes, (fault.rule.name, pair, edit.ref.path, lost)
                    store.has(edit.ref.path, edit.before or b"")
        for path in pair:
            store.at(path).unlink()
    assert rules - {"paid-twice"}, found
