"""Textual's stylesheet, remembering what it found: nodes that stand alike are styled alike, so rules are matched once."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Final, NamedTuple
from weakref import WeakKeyDictionary

from textual.app import App
from textual.css.model import RuleSet, Selector, SelectorType
from textual.css.styles import RulesMap
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode

_MARK_OF: Final = {SelectorType.CLASS: ".", SelectorType.ID: "#", SelectorType.TYPE: ""}
"""What stands before a name in a selector; a selector that matches everything is `*`."""

_OF_THE_APP: Final = frozenset({"dark", "light", "inline", "ansi", "nocolor"})
"""Pseudo-classes that every node takes from the app: they are asked of the app alone."""

_CONTRARY: Final = {"blur": "focus", "enabled": "disabled"}
"""Pseudo-classes that say the contrary of another one: that one is asked."""

_MOST_PLACES: Final = 20_000
"""Places in the tree that are kept apart. Nodes with names of their own come and go; some hundreds are in use."""

Check = Callable[[Any], bool]


class _Found(NamedTuple):
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


class RememberingStylesheet(Stylesheet):
    """Styles as Textual's own does; a place that was matched before is looked up instead of matched again.

    All that a selector can ask of a node is its class, id, classes and pseudo-classes, and those of the nodes above it: as far as
    selectors name them, that is a place, and two nodes at the same place get the same rules. A start styles every widget two or
    three times, a step of the focus whole panes and all the parts of their widgets: most of that is the same as before.
    """

    _latest: ClassVar[RulesMap | None] = None

    def __init__(self, *, variables: dict[str, str] | None = None) -> None:
        super().__init__(variables=variables)
        self._numbers = itertools.count()
        self._known_rules: list[RuleSet] = []
        self._known_map: dict[str, list[RuleSet]] = {}
        self._asked: dict[str, set[str]] = {}
        self._kinds: dict[tuple[object, ...], _Kind] = {}
        self._places: dict[tuple[object, ...], int] = {}
        self._found: dict[int, _Found] = {}
        self._component_places: WeakKeyDictionary[DOMNode, int] = WeakKeyDictionary()
        self._standing: dict[DOMNode, int] | None = None

    @property
    def rules_map(self) -> dict[str, list[RuleSet]]:
        """The rules by the names that their selectors end in."""
        rules = self.rules
        if rules is not self._known_rules:
            self._learn(rules)
        return self._known_map

    def _learn(self, rules: list[RuleSet]) -> None:
        """Take other rules: the places that rules which came or went can speak of are matched again."""
        known = set(self._known_rules)
        self._known_rules, self._known_map = rules, {}
        for rule in rules:
            for name in rule.selector_names:
                self._known_map.setdefault(name, []).append(rule)
        other = known.symmetric_difference(rules)
        for rule in other - known:
            for selectors in rule.selector_set:
                for selector in selectors.selectors:
                    self._asked.setdefault(_name(selector), set()).update(
                        _CONTRARY.get(each, each) for each in selector.pseudo_classes
                    )
        self._kinds.clear()
        names = frozenset[str]().union(*(rule.selector_names for rule in other))
        self._found = {place: found for place, found in self._found.items() if names.isdisjoint(found.names)}
        for node in list(self._component_places):
            if not names.isdisjoint(("*", *(f".{each}" for each in node._get_component_classes()))):
                del self._component_places[node]

    def update_nodes(self, nodes: Iterable[DOMNode], animate: bool = False) -> None:
        """As Textual's own; while it goes over the nodes, each place is found out once."""
        self._standing = {}
        try:
            super().update_nodes(nodes, animate=animate)
        finally:
            self._standing = None

    def apply(self, node: DOMNode, *, animate: bool = False, cache: dict[tuple[Any, ...], RulesMap] | None = None) -> None:
        """Style one node: from memory where its place is known, else as Textual's own does, which is then remembered."""
        self.rules_map  # noqa: B018  # new rules are read now: what is remembered may be so no more
        found = self._found.get(self._place(node))
        if found is None:
            RememberingStylesheet._latest = None
            super().apply(node, animate=animate, cache=cache)
            return
        node._has_hover_style = found.hover
        node._has_focus_within = found.focus_within
        node._has_order_style = found.order
        node._has_odd_or_even = found.odd_or_even
        if found.rules is not None:
            super().replace_rules(node, found.rules, animate=animate)
        self._process_component_classes(node)

    @classmethod
    def replace_rules(cls, node: DOMNode, rules: RulesMap, animate: bool = False) -> None:
        """Textual hands over here what it found for a node."""
        RememberingStylesheet._latest = rules
        super().replace_rules(node, rules, animate)

    def _process_component_classes(self, node: DOMNode) -> None:
        """The last step for a node: what was found is kept; the parts of a widget that stands where it stood stay as they are."""
        place = self._place(node)
        if place not in self._found:
            flags = (node._has_hover_style, node._has_focus_within, node._has_order_style, node._has_odd_or_even)
            self._found[place] = _Found(self._latest, *flags, frozenset(node._selector_names))
        if node._get_component_classes() and self._component_places.get(node) != place:
            super()._process_component_classes(node)
            self._component_places[node] = place

    def _place(self, node: DOMNode) -> int:
        """A number for where a node stands, as far as selectors can tell."""
        standing = self._standing
        if standing is not None and (known := standing.get(node)) is not None:
            return known
        parent = node._parent
        above = self._place(parent) if isinstance(parent, DOMNode) else -1
        named = (type(node), node._id, frozenset(node._classes))
        kind = self._kinds.get(named) or self._kind(node, named)
        key = (above, kind.key, *[check(node) for check in kind.checks])
        place = self._places.get(key)
        if place is None:
            place = self._places[key] = next(self._numbers)
        if standing is not None:
            standing[node] = place
        return place

    def _kind(self, node: DOMNode, named: tuple[object, ...]) -> _Kind:
        if len(self._kinds) + len(self._places) > _MOST_PLACES:  # numbers are never given twice: old ones are just not found again
            self._kinds.clear()
            self._places.clear()
            self._found.clear()
        names = node._selector_names & self._asked.keys()
        asked = set[str]().union(*(self._asked[name] for name in names))
        if not isinstance(node, App):
            asked -= _OF_THE_APP
        offered = node._PSEUDO_CLASSES
        checks = {name: offered[name] for name in sorted(asked) if name in offered}
        kind = self._kinds[named] = _Kind((type(node), frozenset(names), *checks), tuple(checks.values()))
        return kind


def _name(selector: Selector) -> str:
    """As the names of a node are written."""
    mark = _MARK_OF.get(selector.type)
    return "*" if mark is None else mark + selector.name
