"""The list of all the doctor's rules. To add one, add a module to this package that declares it, and a test.

Its functions are listed in the module, too: `ALONE` examine a single text, `BESIDE` a text with its surroundings, `AMONG` the facts
of a project and the shared ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Final

from zsmem_tui.core.checks import __name__ as package
from zsmem_tui.core.checks import __path__ as home
from zsmem_tui.core.checks.around import Around
from zsmem_tui.core.checks.document import Text
from zsmem_tui.core.checks.duplicates import Told
from zsmem_tui.core.checks.finding import WEIGHT, Finding, Rule

_MODULES: Final = [import_module(f"{package}.{each.name}") for each in iter_modules(home) if each.name not in ("rules", "examine")]
_DECLARED: Final = {own.name: own for module in _MODULES for own in vars(module).values() if isinstance(own, Rule)}

RULES: Final = tuple(sorted(_DECLARED.values(), key=lambda rule: (WEIGHT[rule.level], rule.name)))
"""Most severe first."""


def _looks(kind: str) -> tuple[Any, ...]:
    return tuple(look for module in _MODULES for look in getattr(module, kind, ()))


ALONE: Final[tuple[Callable[[Text], Iterable[Finding]], ...]] = _looks("ALONE")
BESIDE: Final[tuple[Callable[[Text, Around], Iterable[Finding]], ...]] = _looks("BESIDE")
AMONG: Final[tuple[Callable[[Sequence[Told], str, Callable[[], bool]], Iterable[Finding]], ...]] = _looks("AMONG")
