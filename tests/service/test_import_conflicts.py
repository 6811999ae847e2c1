"""What is asked when a memory is brought in and merged, and that the answer is what is written."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.builders import AStore
from zsmem_tui.core.conflict import Take
from zsmem_tui.core.conflict import decided as text_of
from zsmem_tui.service import applying, bundles, formats, importing
from zsmem_tui.service.plan import Policy

HERE = "# Steps\n\nold first\nsecond\nonly here\n"
OTHER = "# Steps\n\nnew first\nsecond\n"


def test_a_note_that_differs_is_decided_and_what_only_one_has_stays(tmp_path: Path) -> None:
    store = AStore(tmp_path / "store").has("~/notes/steps.md", HERE)
    AStore(tmp_path / "md").has("steps.md", OTHER)
    session = store.session()
    plan = importing.plan(session, formats.of_agent("markdown"), str(tmp_path / "md"), policy=Policy.MERGE)
    replaced = importing.plan(session, formats.of_agent("markdown"), str(tmp_path / "md"), policy=Policy.REPLACE)
    assert not replaced.conflicts()
    ((path, found),) = plan.conflicts().items()
    assert [(region.theirs, region.mine) for region in found.regions] == [((b"new first\n",), (b"old first\n",))]
    texts = {path: text_of(found, [Take.THEIRS])}
    applying.apply(replace(plan, decided=texts))
    assert store.raw(path) == HERE.replace("old", "new").encode()


def test_a_file_of_a_bundle_is_decided_and_written_as_decided(tmp_path: Path) -> None:
    other = AStore(tmp_path / "other").has("~/notes/steps.md", OTHER).has("MEMORY.md", "theirs only\n")
    place = str(tmp_path / "b.tar.gz")
    bundles.export_to(other.session(), place)
    store = AStore(tmp_path / "store").has("~/notes/steps.md", HERE)
    session = store.session()
    plan = bundles.plan(session, place, policy=Policy.MERGE)
    ((path, found),) = plan.conflicts().items()
    applying.apply(replace(plan, decided={path: text_of(found, [Take.BOTH])}))
    assert store.raw("~/notes/steps.md") == b"# Steps\n\nnew first\nold first\nsecond\nonly here\n"
    assert store.raw("MEMORY.md") == b"theirs only\n"
    assert not bundles.plan(session, place, policy=Policy.REPLACE).conflicts()
