"""What the sync branch says of its groups."""

from __future__ import annotations

from zsmem_tui.core.sync import branch_files
from zsmem_tui.core.sync.branch_files import Group


def test_what_many_machines_called_a_group_can_be_read_again_whoever_joins_it_first() -> None:
    one, other = (
        {"claude-code/x": Group("x", keys=tuple(f"{side}{number:03}" for number in range(count)), machines=(side,))}
        for side, count in (("a", 300), ("b", 1))
    )
    found = branch_files.together(one, other)
    assert branch_files.unpacked(branch_files.packed(found)) == found == branch_files.together(other, one)
    assert branch_files.together(found, other) == found and found["claude-code/x"].machines == ("a", "b")
