"""Textual's stylesheet, remembering what it found: nodes that stand alike are styled alike, so rules are matched once."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, ClassVar, Final, NamedTuple
from weakref import WeakKeyDictionary, ref

from textual.app import App
from textual.css.errors import StylesheetError
from textual.css.model import CombinatorType, RuleSet, Selector, SelectorType
from textual.css.styles import RenderStyles, RulesMap
from textual.css.stylesheet import CssSource, Stylesheet
from textual.css.tokenizer import TokenError
from textual.css.types import CSSLocation
from textual.dom import DOMNode

from zsmem_tui.core.pattern import Pattern

_MARK_OF: Final = {SelectorType.CLASS: ".", SelectorType.ID: "#", SelectorType.TYPE: ""}
"""What stands before a name in a selector; a selector that matches everything is `*`."""

_OF_THE_APP: Final = frozenset({"dark", "light", "inline", "ansi", "nocolor"})
"""Pseudo-classes that every node takes from the app: they are asked of the app alone."""

_CONTRARY: Final = {"blur": "focus", "enabled": "disabled"}
"""Pseudo-classes that say the contrary of another one: that one is asked."""

_MOST_PLACES: Final = 20_000
"""Places in the tree that are kept apart. Nodes with names of their own come and go; some hundreds are in use."""

_REMARKS: Final = Pattern(r"/\*.*?\*/", re.DOTALL)
_BLANKS_AFTER: Final = Pattern(r"([{};:,])\s+")
_BLANKS_BEFORE: Final = Pattern(r"\s+([{};])")
"""Not those before a colon: in a selector they part a node from one inside it."""

Check = Callable[[Any], bool]


class Found(NamedTuple):
    """What the rules say of a place: the styles (None where no rule speaks of it) and what they watch."""

    rules: RulesMap | None
    hover: bool
    focus_within: bool
    order: bool
    odd_or_even: bool
    names: frozenset[str]


class _Kind(NamedTuple):
    """What selectors can tell of nodes of one class, id and set of classes: the names that occur in them, and what is asked."""

    key: tuple[object, ...]
    checks: tuple[Check, ...]


class Memory:
    """What was found with one list of rules."""

    numbers: ClassVar[Iterator[int]] = itertools.count()
    """No number is given twice: what is forgotten is not mistaken for something else."""

    def __init__(self, rules: list[RuleSet], before: Memory | None = None) -> None:
        """A memory for `rules`, with what was found `before` and still holds: other places are matched again."""
        self.by_name: dict[str, list[RuleSet]] = {}
        self.positions: dict[str, list[int]] = {}
        """Where the rules stand in the list, by the names that their selectors end in."""
        self.take(rules)
        was, ids_before = (before.rules, before.ids) if before else ([], frozenset[int]())
        other = [rule for rule in rules if id(rule) not in ids_before] + [rule for rule in was if id(rule) not in self.ids]
        self.changed = frozenset[str]().union(*(rule.selector_names for rule in other))
        """The names that rules which came or went end in."""
        spoken_of = {_ending(selectors.selectors) for rule in other for selectors in rule.selector_set}
        self.asked: dict[str, set[str]] = {name: set(asked) for name, asked in before.asked.items()} if before else {}
        for selector in (each for rule in other for selectors in rule.selector_set for each in selectors.selectors):
            self.asked.setdefault(_name(selector), set()).update(_CONTRARY.get(each, each) for each in selector.pseudo_classes)
        self.kinds: dict[tuple[object, ...], _Kind] = {}
        self.places: dict[tuple[Any, ...], int] = before.places if before else {}
        kept = before.found if before else {}
        self.found: dict[int, Found] = {
            place: each for place, each in kept.items() if not any(names <= each.names for names in spoken_of)
        }

    def take(self, rules: list[RuleSet]) -> None:
        """These are the rules that all was found with."""
        self.rules = rules
        self.ids = frozenset(map(id, rules))
        for position, rule in enumerate(rules):
            for name in rule.selector_names:
                self.by_name.setdefault(name, []).append(rule)
                self.positions.setdefault(name, []).append(position)

    def place(self, above: int, node: DOMNode) -> int:
        """A number for where a node stands below a place (-1: below nothing), as far as selectors can tell."""
        named = (type(node), node._id, frozenset(node._classes))
        kind = self.kinds.get(named) or self._kind(node, named)
        key = (above, kind.key, *[check(node) for check in kind.checks])
        number = self.places.get(key)
        if number is None:
            number = self.places[key] = next(self.numbers)
        return number

    def rules_for(self, node: DOMNode) -> list[RuleSet]:
        """The rules that can speak of a node, in their order: a tenth of all."""
        names = self.positions.keys() & node._selector_names
        return [self.rules[at] for at in sorted({at for name in names for at in self.positions[name]})]

    def _kind(self, node: DOMNode, named: tuple[object, ...]) -> _Kind:
        if len(self.kinds) + len(self.places) > _MOST_PLACES:
            self.kinds.clear()
            self.places.clear()
            self.found.clear()
        names = node._selector_names & self.asked.keys()
        asked = set[str]().union(*(self.asked[name] for name in names))
        if not isinstance(node, App):
            asked -= _OF_THE_APP
        offered = node._PSEUDO_CLASSES
        checks = {name: offered[name] for name in sorted(asked) if name in offered}
        made = f"{type(node).__module__}.{type(node).__qualname__}"
        kind = self.kinds[named] = _Kind((made, frozenset(names), *checks), tuple(checks.values()))
        return kind


class PartStyles(dict[str, RenderStyles]):
    """The styles of the parts of a widget, by their names, each made when it is asked for."""

    def __init__(self, names: Iterable[str], make: Callable[[str], RenderStyles]) -> None:
        super().__init__()
        self._names = frozenset(names)
        self._make = make

    def __missing__(self, name: str) -> RenderStyles:
        if name not in self._names:
            raise KeyError(name)
        styles = self[name] = self._make(name)
        return styles

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def items(self) -> Any:
        """Every part with its styles: those that nobody asked for yet are made now."""
        for name in self._names:
            self[name]  # made where it was not
        return super().items()

    def renew(self) -> bool:
        """Make anew what had been asked for: the widget stands elsewhere. Whether anything looks different now."""
        before = dict(self)
        self.clear()
        return any(self[name] != styles for name, styles in before.items())


class RememberingStylesheet(Stylesheet):
    """Styles as Textual's own does; a place that was matched before is looked up instead of matched again.

    All that a selector can ask of a node is its class, id, classes and pseudo-classes, and those of the nodes above it: as far as
    selectors name them, that is a place, and two nodes at the same place get the same rules. A start styles every widget two or
    three times, a step of the focus whole panes and all the parts of their widgets: most of that is the same as before.

    Parts of a widget (its cursor, its guides) are styled when they are asked for: most belong to widgets that are not shown.

    What an earlier start found can be recalled (`ui.recalled_styles`): then the rules are not even read before a place comes that
    is not among it.
    """

    _latest: ClassVar[RulesMap | None] = None

    def __init__(self, *, variables: dict[str, str] | None = None) -> None:
        super().__init__(variables=variables)
        self.memory = Memory([])
        self._read_then: Mapping[CSSLocation, CssSource] | None = None
        """What the recalled was found with, as long as this holds and the rules have not been read."""
        self._compared = 0
        self._parsed: dict[tuple[str, CSSLocation, str], list[RuleSet]] = {}
        self._component_places: WeakKeyDictionary[DOMNode, int] = WeakKeyDictionary()
        self._standing: dict[DOMNode, int] | None = None
        self._few: list[RuleSet] | None = None

    def recall(self, memory: Memory, sources: Mapping[CSSLocation, CssSource]) -> None:
        """Begin with what was found with these variables and `sources`: it holds while no others are read."""
        self.memory = memory
        self._read_then = sources

    def set_variables(self, variables: dict[str, str]) -> None:
        """Other variables than those that anything was found with."""
        self._read_then = None
        self._parsed.clear()
        super().set_variables(variables)

    @property
    def is_recalled(self) -> bool:
        """Whether what an earlier start found is so now, and no rule has been needed yet."""
        then = self._read_then
        if then is not None and self._compared != len(self.source):
            self._compared = len(self.source)
            if not all(_is_same(source, then.get(place)) for place, source in self.source.items()):
                then = self._read_then = None
                self.memory = Memory([])
        return then is not None

    @property
    def rules(self) -> list[RuleSet]:
        """All rules; while one node is styled, those that can speak of it: Textual's own goes over each of them."""
        return super().rules if self._few is None else self._few

    def reparse(self) -> None:
        """Read what came since the last time, and all of it only where the theme is another one."""
        self.parse()

    @property
    def rules_map(self) -> dict[str, list[RuleSet]]:
        """The rules by the names that their selectors end in."""
        if self._few is not None:
            return self.memory.by_name
        is_recalled = self.is_recalled
        rules = self.rules
        if is_recalled:
            self._read_then = None
            self.memory.take(rules)
        elif rules is not self.memory.rules:
            self.memory = self.memory_of(rules, self.memory)
            for node in list(self._component_places):
                if not self.memory.changed.isdisjoint(("*", *(f".{each}" for each in node._get_component_classes()))):
                    del self._component_places[node]
        return self.memory.by_name

    def _parse_rules(
        self, css: str, read_from: CSSLocation, is_default_rules: bool = False, tie_breaker: int = 0, scope: str = ""
    ) -> list[RuleSet]:
        """Textual's reader makes a token of every run of blanks, a third of all: it is handed the text without those.

        With every class that has more classes above it, those move down in the order in which defaults count. They stay below what
        is made of them, so that what was found is still so: the rules are the same ones as before.
        """
        known = self._parsed.get((css, read_from, scope))
        if known is None:
            try:
                known = super()._parse_rules(thin(css), read_from, is_default_rules, tie_breaker, scope)
                wrong = any(rule.errors for rule in known)
            except (StylesheetError, TokenError):
                wrong = True
            if wrong or known is None:
                # what is wrong is told by its own lines
                return super()._parse_rules(css, read_from, is_default_rules, tie_breaker, scope)
            self._parsed[css, read_from, scope] = known
        for rule in known:
            rule.tie_breaker = tie_breaker
        return known

    @staticmethod
    def memory_of(rules: list[RuleSet], before: Memory) -> Memory:
        """A memory for other rules than `before`."""
        return Memory(rules, before)

    def update_nodes(self, nodes: Iterable[DOMNode], animate: bool = False) -> None:
        """As Textual's own; while it goes over the nodes, each place is found out once."""
        self._standing = {}
        try:
            super().update_nodes(nodes, animate=animate)
        finally:
            self._standing = None

    def apply(self, node: DOMNode, *, animate: bool = False, cache: dict[tuple[Any, ...], RulesMap] | None = None) -> None:
        """Style one node: from memory where its place is known, else as Textual's own does, which is then remembered."""
        found = self.memory.found.get(self._place(node)) if self.is_recalled else None
        if found is None:
            self.rules_map  # noqa: B018  # new rules are read now: what is remembered may be so no more
            found = self.memory.found.get(self._place(node))
        if found is None:
            RememberingStylesheet._latest = None
            self._few = self.memory.rules_for(node)
            try:
                super().apply(node, animate=animate, cache=cache)
            finally:
                self._few = None
            return
        node._has_hover_style = found.hover
        node._has_focus_within = found.focus_within
        node._has_order_style = found.order
        node._has_odd_or_even = found.odd_or_even
        if found.rules is not None:
            self.replace_rules(node, found.rules, animate=animate)
        self._process_component_classes(node)

    @classmethod
    def replace_rules(cls, node: DOMNode, rules: RulesMap, animate: bool = False) -> None:
        """Textual hands over here what it found for a node."""
        RememberingStylesheet._latest = rules
        if node.styles.base._rules == rules:  # as it is already: to set each rule anew would take as long as the first time
            node.notify_style_update()
        else:
            super().replace_rules(node, rules, animate)

    def _process_component_classes(self, node: DOMNode) -> None:
        """The last step for a node: what was found is kept; the parts of a widget that stands where it stood stay as they are."""
        self._few = None  # the rules that speak of a node say nothing of its parts
        place = self._place(node)
        if place not in self.memory.found:
            flags = (node._has_hover_style, node._has_focus_within, node._has_order_style, node._has_odd_or_even)
            self.memory.found[place] = Found(self._latest, *flags, frozenset(node._selector_names))
        names = node._get_component_classes()
        if names and self._component_places.get(node) != place:
            self._component_places[node] = place
            before = node._component_styles
            if not isinstance(before, PartStyles):
                node._component_styles = PartStyles(names, partial(self._style_part, ref(node)))
            elif before.renew():
                node.refresh()

    def _style_part(self, whole: ref[DOMNode], name: str) -> RenderStyles:
        """The styles of one part of a widget."""
        part = DOMNode(classes=name)
        if (node := whole()) is not None:
            part._attach(node)
            self.apply(part)
        return part.styles

    def _place(self, node: DOMNode) -> int:
        standing = self._standing
        if standing is not None and (known := standing.get(node)) is not None:
            return known
        parent = node._parent
        place = self.memory.place(self._place(parent) if isinstance(parent, DOMNode) else -1, node)
        if standing is not None:
            standing[node] = place
        return place


@cache
def thin(css: str) -> str:
    """Style rules without remarks, and without the blanks that say nothing."""
    return _BLANKS_BEFORE.sub(r"\1", _BLANKS_AFTER.sub(r"\1", _REMARKS.sub(" ", css))).strip()


def _is_same(source: CssSource, then: CssSource | None) -> bool:
    """Whether rules are those of then; how far down in the order of classes they stand may change until all widgets are there."""
    return then is not None and source._replace(tie_breaker=then.tie_breaker) == then


def _ending(selectors: Sequence[Selector]) -> frozenset[str]:
    """The names that a node must have, all of them, for a selector to speak of it."""
    names = set()
    for selector in reversed(selectors):
        names.add(_name(selector))
        if selector.combinator is not CombinatorType.SAME:
            break
    return frozenset(names - {"*"})


def _name(selector: Selector) -> str:
    """As the names of a node are written."""
    mark = _MARK_OF.get(selector.type)
    return "*" if mark is None else mark + selector.name
