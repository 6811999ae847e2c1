"""What a memory that is brought in says otherwise than this one, where both shall be merged: for the person to decide."""

from __future__ import annotations

from collections.abc import Mapping

from zsmem_tui.core.conflict import Conflicts, replaced
from zsmem_tui.service import bundles
from zsmem_tui.service.bundles import BundlePlan
from zsmem_tui.service.importing import ImportPlan, Policy
from zsmem_tui.service.plan import Fate
from zsmem_tui.service.session import Session


def of_import(wanted: ImportPlan, policy: Policy) -> dict[str, Conflicts]:
    """The notes that both have with other lines, by path; what only one of them has is kept and not asked for.

    A note that several items go into is merged without asking, as are all where `policy` is another: both versions are kept.
    """
    found: dict[str, Conflicts] = {}
    for path, (before, _) in wanted.changes.items() if policy is Policy.MERGE else ():
        own = [item for item in wanted.items if item.ticked and item.ref.path == path]
        if before is not None and len(own) == 1 and own[0].fate is Fate.CONFLICT:
            found[path] = replaced(before, own[0].incoming.as_written.encode("utf-8", "surrogateescape"))
    return _open(found)


def of_bundle(session: Session, wanted: BundlePlan) -> dict[str, Conflicts]:
    """The same of a bundle, by the place in it. Raises `BadContent`, `Missing` or `Unreadable`."""
    if wanted.policy is not Policy.MERGE:
        return {}
    asked = {each.source for each in wanted.files if each.ticked and each.fate is Fate.CONFLICT}
    found = bundles.sides(session, wanted, asked) if asked else ()
    return _open({source: replaced(here, other) for source, here, other in found if here is not None})


def decided(wanted: ImportPlan, texts: Mapping[str, bytes]) -> ImportPlan:
    """The plan with these texts, by path, instead of those that merging alone would make."""
    changes = {path: (before, texts.get(path, after)) for path, (before, after) in wanted.changes.items()}
    return wanted._replace(changes=changes)


def _open(found: dict[str, Conflicts]) -> dict[str, Conflicts]:
    """Those in which there is something to decide."""
    return {name: each for name, each in found.items() if each.regions}
