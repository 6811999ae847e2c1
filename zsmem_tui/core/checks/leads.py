"""What the headings and leads over a fact say of it."""

from __future__ import annotations

from typing import Final

from zsmem_tui.core.checks.document import COLONS
from zsmem_tui.core.checks.words import bag, key, stem
from zsmem_tui.core.text import words as listed

_GENERAL: Final = frozenset(
    map(
        stem,
        listed("""rule preference convention general generally guideline guide note memory fact misc miscellaneous other tool
        tooling command setup workflow working development environment style code coding project basics important remember standard
        practice principle default decision session learned lesson overview summary user feedback team stack dependency package
        manager build instruction context knowledge people person contact regel allgemein werkzeug notiz sonstiges
        agent claude gemini copilot md"""),
    )
)
"""Words of headings that name no subject: an order below them holds everywhere."""


def subject(lead: str) -> str:
    """The normalized text of a heading or a lead, as two are compared."""
    return key(lead).rstrip(":\uff1a")


def names_nothing(heading: str) -> bool:
    """Whether a heading names no subject; a line that ends with a colon is over the lines below it alone."""
    own = bag(key(heading))
    return _GENERAL.issuperset(own.words) and not (own.denies or own.numbers or heading.endswith(COLONS))
