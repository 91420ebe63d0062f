"""What speaks against the enemy's player's actions in the enemy phase [Enemy player variant]."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tabletop.game.violations import Violation
from tabletop.rulesets.combined_arms import actions, defender, enemy_player, mortars
from tabletop.rulesets.combined_arms.board import NAMES, NEAR, NUMBER
from tabletop.rulesets.combined_arms.data import RANGE
from tabletop.rulesets.combined_arms.state import Counter, State

SEQUENCE = "Sequence of play"
_MOST_IN_CLUSTER = 3


def violations(state: State, action: Any) -> Iterator[Violation]:
    """What speaks against an action of the enemy's player."""
    of_mortars = isinstance(action, actions.TryMortars | actions.Forgo | actions.Aim)
    against, counter = _not_theirs(state) if of_mortars else _not_acting(state), state.acting_counter
    if against is not None:
        yield against
        return
    match action:
        case actions.TryMortars() | actions.Forgo():
            stages = ("to roll",) if isinstance(action, actions.TryMortars) else ("to roll", "to aim")
            if state.mortar_stage not in stages:
                text = "The mortars have been settled for this turn."
                yield Violation("no-mortars", text, mortars.PLACE, firm=True)
        case actions.Aim():
            yield from _aim(state, action)
        case actions.Show() if counter is not None:
            yield from _show(state, action, counter)
        case actions.Shoot() if counter is not None:
            yield from _shoot(state, action, counter)
        case actions.Engage() if counter is not None:
            yield from _engage(state, action, counter)


def _not_theirs(state: State) -> Violation | None:
    """Why the enemy's player can do nothing now; ``None`` where it is the enemy phase of a game with one."""
    if state.solitaire_defence:
        text = "The rules decide for the defenders in this game: defend rolls what they do next."
        return Violation("automatic", text, defender.DECISIONS, firm=True)
    if state.step != "enemy":
        return Violation("wrong-phase", "The enemy's player acts in the enemy phase.", SEQUENCE, firm=True)
    return None


def _not_acting(state: State) -> Violation | None:
    """Why no counter can act now."""
    against = _not_theirs(state)
    if against is not None:
        return against
    if state.mortar_stage in ("to roll", "to aim"):
        return Violation("mortars-first", "The mortars come first: mortars, or forgo.", SEQUENCE, firm=True)
    if state.acting_counter is None:
        return Violation("all-acted", "All counters have acted.", SEQUENCE, firm=True)
    return None


def _aim(state: State, action: actions.Aim) -> Iterator[Violation]:
    if state.mortar_stage != "to aim":
        yield Violation("no-mortars", "The mortars are not available now.", mortars.PLACE, firm=True)
    elif NUMBER[action.hex] not in mortars.enemy_targets(state):
        text = f"{action.hex} holds no infantry that is spotted and away from your counters."
        yield Violation("not-spotted", text, mortars.PLACE, firm=True)


def _show(state: State, action: actions.Show, counter: Counter) -> Iterator[Violation]:
    name = NAMES[counter.at]
    if counter.revealed and not (action.guns and counter.atg == "potential"):
        yield Violation("shown", f"Nothing more can be shown in {name}.", enemy_player.PLACE, firm=True)
    elif not enemy_player.is_real(state, counter.at):
        yield Violation(
            "phantom", f"Only real counters are shown of free will; {name} holds none.", enemy_player.PLACE, firm=True
        )
    elif action.guns and not enemy_player.has_guns(state, counter.at):
        yield Violation("no-guns", f"No real guns are in {name}.", enemy_player.PLACE, firm=True)


def _shoot(state: State, action: actions.Shoot, counter: Counter) -> Iterator[Violation]:
    yield from _may_fire(counter)
    if action.unit not in enemy_player.armour_choices(state, counter):
        text = f"{NAMES[counter.at]} can't fire on {action.unit}: no armour in sight there for what it has shown."
        yield Violation("no-target", text, defender.FIRE, firm=True)


def _may_fire(counter: Counter) -> Iterator[Violation]:
    """What speaks against a counter's firing at all."""
    name = NAMES[counter.at]
    if not counter.revealed:
        yield Violation("hidden", f"{name} must be shown before it fires.", enemy_player.PLACE, firm=True)
    if not counter.fresh:
        yield Violation("spent", f"{name} is spent; only fresh counters fire.", defender.FIRE, firm=True)


def _engage(state: State, action: actions.Engage, counter: Counter) -> Iterator[Violation]:
    yield from _may_fire(counter)
    hexes = [NUMBER[name] for name in action.hexes]
    if not 1 <= len(set(hexes)) == len(hexes) <= _MOST_IN_CLUSTER:
        yield Violation("cluster", "Name one to three different hexes.", defender.FIRE, firm=True)
    elif any(a != b and not NEAR[a] >> b & 1 for a in hexes for b in hexes):
        yield Violation("cluster", "All hexes of a cluster are next to one another.", defender.FIRE, firm=True)
    for n in hexes:
        if n not in enemy_player.infantry_choices(state, counter):
            text = f"No infantry in {NAMES[n]} is in a line of fire of 1 to {RANGE} hexes from {NAMES[counter.at]}."
            yield Violation("no-target", text, defender.FIRE, firm=True)
