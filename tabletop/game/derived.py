"""Options and players derived from the declarations of actions, for rulesets without their own."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import shapely

from tabletop.game.actions import OpenAction, Standing
from tabletop.game.core import REFEREE
from tabletop.game.domains import Domain
from tabletop.game.protocol import Option

_TURN_DEG = 15
_TRIES = 100
"""The number of points tried to find one within a region."""


def derived_options(rules: Any, state: Any) -> tuple[Option, ...]:
    """Every action with every value that its required fields list in a state; other fields stay open.

    Only actions of the side to act, or that name their side. ``rules`` is a :class:`tabletop.game.base.RulesetBase`:
    its ``trial`` judges an action with open fields and its ``open_domain`` narrows them down.
    """
    if rules.outcome(state) is not None:
        return ()
    return tuple(option for cls in rules.actions.classes for option in _options_of(rules, state, cls))


def _options_of(rules: Any, state: Any, cls: type[Any]) -> Iterator[Option]:
    actions, to_act = rules.actions, rules.to_act(state)
    values = actions.listed_values(cls, state)
    listed = {name: found for name, found in values.items() if found is not None}
    left = [name for name, found in values.items() if found is None]
    for row in itertools.product(*listed.values()):
        known = dict(zip(listed, row, strict=True))
        judged = cls(**known) if not left else rules.trial(state, cls, known)
        side = to_act if judged is None else rules.actor(state, judged)
        if side == REFEREE or (side != to_act and "side" not in known):
            continue
        action = OpenAction(cls, known, {name: rules.open_domain(state, cls, known, name) for name in left})
        yield Option(
            actions,
            action if left else judged,
            side,
            unit=known.get("unit"),
            target=known.get("target"),
            violations=() if judged is None else rules.check(state, judged),
            odds=_odds_later(rules, state, judged) if not left else lambda: None,
        )


def _odds_later(rules: Any, state: Any, action: Any) -> Any:
    return lambda: rules.odds(state, action)


def random_actions(rules: Any, state: Any, rng: random.Random) -> Iterator[Any]:
    """The actions of all options in random order, except for ones that end a side's game; the last one is legal."""
    options = [one for one in rules.options(state) if not _names_side(one)]
    rng.shuffle(options)
    for option in options:
        action = option.action if not option.open_fields else _filled_in(rules, option, rng)
        if action is not None:
            yield action
    yield from (option.action for option in options if option.legal and not option.open_fields)


def bot_actions(rules: Any, state: Any, rng: random.Random) -> Iterator[Any]:
    """The legal throw with the highest mean, then a random player's actions; the last one is legal."""
    hopes = [(option, option.odds()) for option in rules.options(state) if option.legal and not _names_side(option)]
    best = sorted(((o.expected, n) for n, (_, o) in enumerate(hopes) if o is not None and o.expected > 0), reverse=True)
    yield from (hopes[n][0].action for _, n in best)
    yield from random_actions(rules, state, rng)


def _names_side(option: Option) -> bool:
    """Whether an action concerns a side as a whole, such as giving up."""
    return not option.open_fields and hasattr(option.action, "side")


def _filled_in(rules: Any, option: Option, rng: random.Random) -> Any:
    """An action with its open fields filled in at random; ``None`` if one of them can't be."""
    values: dict[str, Any] = dict(option.action.values)
    for name in option.open_fields:
        value = _any_value(rules.actions.domain(option.action, name), rng)
        if value is None:
            return None
        values[name] = value
    return option.action.cls(**values)


def _any_value(domain: Domain, rng: random.Random) -> Any:
    """A value of a domain; ``None`` if it has no bounds."""
    if domain.choices:
        return rng.choice(domain.choices).value
    bounds = (domain.least, domain.most)
    match domain.type:
        case "number" if None not in bounds:
            return rng.randint(int(domain.least or 0), int(domain.most or 0))
        case "inches" | "degrees" if domain.most is not None:
            return round(rng.uniform(domain.least or 0.0, domain.most), 1)
        case "yes-no" | "flag":
            return rng.random() < 0.5
        case "facing":
            return float(rng.randrange(0, 360, _TURN_DEG))
        case "point" | "place" if domain.region:
            x, y = _any_point(domain, rng)
            return (x, y) if domain.type == "point" else Standing(x, y, float(rng.randrange(0, 360, _TURN_DEG)))
    return None


def _any_point(domain: Domain, rng: random.Random) -> tuple[float, float]:
    """A point within a domain's region, rounded to a tenth of an inch if possible."""
    ring = rng.choice(domain.region)
    region = shapely.polygons(ring)
    left, near, right, far = shapely.bounds(region).tolist()
    for _ in range(_TRIES):
        x, y = round(rng.uniform(left, right), 1), round(rng.uniform(near, far), 1)
        if shapely.contains_xy(region, x, y):
            return x, y
    inside = shapely.point_on_surface(region)
    return float(inside.x), float(inside.y)
