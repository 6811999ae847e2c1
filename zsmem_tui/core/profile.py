"""Which agent's behaviour is matched (specification, introduction and section 14)."""

from enum import StrEnum


class Profile(StrEnum):
    """`documented` is what the design documents describe, `zerostack-1.7` what the released agent does."""

    DOCUMENTED = "documented"
    ZEROSTACK_1_7 = "zerostack-1.7"
