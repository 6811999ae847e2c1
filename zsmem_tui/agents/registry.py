"""The formats there are, in the order in which they are shown."""

from __future__ import annotations

from typing import Final

from zsmem_tui.agents.base import AgentFormat
from zsmem_tui.agents.claude_code.transfer import ClaudeCode
from zsmem_tui.agents.markdown.transfer import Markdown
from zsmem_tui.agents.zerostack.transfer import Zerostack

FORMATS: Final[tuple[AgentFormat, ...]] = (ClaudeCode(), Zerostack(), Markdown())
