"""Connect Qwen Code, as Gemini CLI, of which it is a fork."""

from typing import Final

from zsmem_tui.agents.gemini.connect import client_of
from zsmem_tui.agents.qwen_code.agent import AGENT, OWN_FOLDER

CLIENT: Final = client_of(AGENT, "qwen", OWN_FOLDER)
