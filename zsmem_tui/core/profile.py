"""The agent version whose behavior is matched (specification, introduction and section 14)."""

from enum import StrEnum
from typing import NoReturn

from zsmem_tui.core.errors import BadTarget


class Profile(StrEnum):
    """`documented` follows the design documents, `zerostack-1.7` the released agent."""

    DOCUMENTED = "documented"
    ZEROSTACK_1_7 = "zerostack-1.7"

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        raise BadTarget(f"unknown profile: {value}", f"Profiles are {' and '.join(cls)}.")
