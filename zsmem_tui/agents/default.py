"""The agent whose store is meant where none is named: it is opened without its description, of which a start needs nothing."""

from __future__ import annotations

from typing import Final

from zsmem_tui.agents.zerostack.layout import ZEROSTACK

DEFAULT: Final = ZEROSTACK
