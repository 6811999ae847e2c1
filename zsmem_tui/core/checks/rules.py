"""Every rule of the doctor. A new one is a module that declares it, its test, and a line here."""

from __future__ import annotations

from typing import Final

from zsmem_tui.core.checks.agent_rules import HEAD, INDEX, UNSEEN
from zsmem_tui.core.checks.contradiction import CONTRADICTION
from zsmem_tui.core.checks.copies import DUPLICATE, NEAR_DUPLICATE, PAID_TWICE
from zsmem_tui.core.checks.finding import Rule
from zsmem_tui.core.checks.links import DEAD_LINK
from zsmem_tui.core.checks.paths import DEAD_PATH
from zsmem_tui.core.checks.spot_faults import POISON, SECRET
from zsmem_tui.core.checks.stale import STALE
from zsmem_tui.core.checks.whole import BROKEN, HIDDEN_ITEM, OVER_BUDGET

RULES: Final[tuple[Rule, ...]] = (
    DUPLICATE,
    NEAR_DUPLICATE,
    CONTRADICTION,
    DEAD_PATH,
    DEAD_LINK,
    STALE,
    HIDDEN_ITEM,
    OVER_BUDGET,
    BROKEN,
    PAID_TWICE,
    SECRET,
    POISON,
    INDEX,
    HEAD,
    UNSEEN,
)
"""In the order in which they are told."""
