"""Files in which nothing may be written, whatever the text: said before a person types."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders import NOW, AStore, plan_copy
from tests.command_line import zsmem
from zsmem_tui.config.model import Config
from zsmem_tui.core.checks.span_faults import SECRET
from zsmem_tui.core.errors import RuleBroken
from zsmem_tui.core.refs import MemRef
from zsmem_tui.service import applying, doctor_fixes, file_ops
from zsmem_tui.service.doctor import Doctor
from zsmem_tui.service.editing import why_read_only
from zsmem_tui.service.plan import Fate
from zsmem_tui.service.session import Session
from zsmem_tui.service.stores import open_store

LOCKED = "---\nlabel: human\nlimit: 5000\nread_only: true\n---\nAnn likes tea.\n"


def blocks(store: AStore) -> Session:
    return open_store(Config(), f"opencode:{store.root}", cwd="/w", clock=lambda: NOW)


def block(session: Session, name: str = "human.md") -> MemRef:
    return session.ref_at(name)


@pytest.mark.parametrize(
    ("text", "is_read_only"),
    [
        (LOCKED, True),
        (LOCKED.replace("true", "false"), False),
        (LOCKED.replace("5000", "3"), True),
        (LOCKED.replace("true", "false").replace("5000", "3"), False),
        (LOCKED.replace("human", "[]"), False),
        ("no frontmatter\n", False),
    ],
)
def test_a_block_that_says_so_is_read_only_and_one_with_other_faults_can_be_mended(
    tmp_path: Path, text: str, is_read_only: bool
) -> None:
    session = blocks(AStore(tmp_path / "blocks").has("human.md", text))
    assert ("is marked read_only" in why_read_only(session, block(session))) is is_read_only


def test_a_read_only_block_can_be_opened_outside_where_the_line_is_taken_out(tmp_path: Path) -> None:
    session = blocks(AStore(tmp_path / "blocks").has("human.md", LOCKED))
    assert why_read_only(session, block(session), outside=True) == ""
    assert "o opens it in your own editor" in why_read_only(session, block(session))


def test_what_ethos_encrypts_is_read_only_everywhere(tmp_path: Path) -> None:
    store = AStore(tmp_path / "ethos").has("personalities/p/MEMORY.md", "ENCRYPTED\n")
    store.has("config.yaml", "storage:\n  encryption: true\n")
    session = open_store(Config(), f"ethos:{store.root}", group="p", cwd="/w", clock=lambda: NOW)
    ref = session.ref_at("personalities/p/MEMORY.md")
    for outside in (False, True):
        assert "encrypts" in why_read_only(session, ref, outside=outside)


def test_a_read_only_block_is_neither_deleted_nor_moved_but_copied(tmp_path: Path) -> None:
    store = AStore(tmp_path / "blocks").has("human.md", LOCKED)
    session, other = blocks(store), blocks(AStore(tmp_path / "other").has("a.md", "a\n"))
    with pytest.raises(RuleBroken, match="read_only"):
        file_ops.delete(session, block(session))
    (moved,) = plan_copy(session, [block(session)], other, move=True).rows
    assert moved.fate is Fate.SKIPPED and "is marked read_only" in moved.reason
    assert applying.apply(plan_copy(session, [block(session)], other)).changed == 1
    assert store.raw("human.md").decode() == LOCKED


def test_no_fix_of_the_doctor_is_written_into_a_read_only_block_and_that_is_said(tmp_path: Path) -> None:
    store = AStore(tmp_path / ".opencode" / "memory")
    store.has("human.md", "---\nlabel: human\nread_only: true\n---\n- the token ghp_aZ3kQ9wLm2Rt8Xc5Vb7Nf1Jd4Gh6Ys0PqUeT\n")
    session = open_store(store.session().config, f"opencode:{store.root}", cwd="/w", needs_group=False)
    found = [each for each in Doctor(session).examine(None).faults if each.rule == SECRET]
    before = store.tree()
    plan = doctor_fixes.plan(session, found)
    with pytest.raises(RuleBroken) as refused:
        applying.apply(plan)
    assert "human.md" in refused.value.message and store.tree() == before
    done = zsmem(None, "--store", f"opencode:{store.root}", "doctor", "--fix", "secret")
    assert done.code == 3 and "Traceback" not in done.err and store.tree() == before
