"""The agent version whose behavior is matched (specification, introduction and section 14)."""

from enum import StrEnum


class Profile(StrEnum):
    """`documented` follows the design documents, `zerostack-1.7` the released agent."""

    DOCUMENTED = "documented"
    ZEROSTACK_1_7 = "zerostack-1.7"
