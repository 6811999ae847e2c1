"""The default agent, opened without its description, which a start does not need."""

from __future__ import annotations

from typing import Final

from zsmem_tui.agents.zerostack.layout import ZEROSTACK

DEFAULT: Final = ZEROSTACK
