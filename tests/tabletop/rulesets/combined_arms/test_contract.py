"""Combined Arms keeps the contract of every ruleset: in all its modes, in short games and in whole ones."""

import random
from typing import Any

from tabletop.rulesets.combined_arms import events as ev
from tabletop.rulesets.combined_arms.board import BARRED, COUNT, NAMES, ROAD
from tabletop.rulesets.combined_arms.data import ROLES, TERRAIN
from tabletop.rulesets.combined_arms.play import PLAYERS, RULES
from tabletop.rulesets.combined_arms.setup import CounterAt, PlatoonAt, Position, Setup
from tests.support.ruleset_contract import RulesetContract


def short_position(rng: random.Random) -> Setup:
    """A game that begins in one of its last turns, with a few platoons among a few counters."""
    board = {NAMES[n]: rng.choice(TERRAIN) for n in range(COUNT) if n not in ROAD and rng.random() < 0.4}
    free = [n for n in range(COUNT) if not BARRED >> n & 1]
    rng.shuffle(free)
    platoons = []
    for name in ("D1", "D2", "E1", "M1"):
        platoons.append(PlatoonAt(name, NAMES[free.pop()], rng.choice(("fresh", "fresh", "spent"))))
    clear = [n for n in free if board.get(NAMES[n], "open") in ("open", "crest", "farm")]
    for name in ("A1", "A2"):
        at = clear.pop()
        free.remove(at)
        platoons.append(PlatoonAt(name, NAMES[at], "fresh", rng.randrange(6)))
    counters = []
    for _ in range(rng.randint(3, 6)):
        revealed = rng.random() < 0.4
        atg = rng.choice(("none", "potential", "removed", "real" if revealed else "potential"))
        counters.append(CounterAt(NAMES[free.pop()], revealed, rng.choice(("fresh", "spent")), atg))  # type: ignore[arg-type]
    position = Position(
        rng.choice((1, 19, 19, 20)),
        tuple(platoons),
        tuple(counters),
        losses=rng.randrange(8),
        ammo=rng.randrange(8),
        off=("D3", "E2", "E3", "F1", "F2", "M2", "A3"),
    )
    return Setup(
        mode=rng.choice(("solitaire", "co-operative")),
        easier=rng.random() < 0.5,
        board=tuple((name, kind) for name, kind in board.items() if kind != "open"),
        position=position,
    )


def number(event: Any) -> int | None:
    """The number that an event's dice decided, as its action's odds count it."""
    match event:
        case ev.Surveyed():
            return sum(kind not in ("open", "poor going") for _, kind, _, _ in event.hexes)
        case ev.Occupied():
            return int(event.turned)
        case ev.Awarded() | ev.Scattered() | ev.Drawn():
            return event.player if isinstance(event, ev.Awarded) else event.die
        case ev.Mustered():
            return max(event.dice) if event.counts else 0
        case ev.Bombarded():
            return sum(die >= 2 for _, die in event.dice)
        case ev.MortarsTried() if event.die:
            return int(event.available)
        case ev.Tested():
            return int(event.real)
        case ev.ArmourShot():
            return int(event.broken)
    return None


class TestCombinedArms(RulesetContract):
    rules = RULES
    kinds_of_action = frozenset(
        {"Move", "Call", "Fire", "Declare", "Resolve", "Face", "End", "Scatter", "RollFor", "Break", "Defend"}
        | {"Finish", "Claim", "Grant", "Concede", "Correct", "Bombard"}
    )

    roles = frozenset(ROLES)

    def small(self, rng: random.Random) -> object:
        return short_position(rng)

    def result(self, before: Any, events: tuple[Any, ...]) -> int:
        shots = [e for e in events if isinstance(e, ev.Shot)]
        if shots:
            order = ("none", "spent", "guns broken", "broken")
            return max(order.index(e.effect) for e in shots)
        falls = [e for e in events if isinstance(e, ev.Fell)]
        if falls:
            return sum(e.losses for e in falls)
        return next(found for e in events if (found := number(e)) is not None)


class TestEnemyPlayer(TestCombinedArms):
    """The variant with a player for the enemy, whole games from the bids on."""

    games = 10
    most_actions = 3000
    few = 1
    between_undos = 15
    kinds_of_action = frozenset(
        {"Bid", "Survey", "Lay", "Occupy", "Muster", "Post", "TryMortars", "Aim", "Forgo", "Show", "Shoot", "Engage"}
        | {"Pass", "Move", "Fire", "RollFor", "Scatter"}
    )
    roles = frozenset(PLAYERS)

    def small(self, rng: random.Random) -> object:
        return Setup(mode="enemy-player", bidding=rng.random() < 0.5)


class TestWholeGames(TestCombinedArms):
    """The solitaire and the co-operative game from the dice for the terrain on."""

    games = 20
    most_actions = 3000
    few = 1
    kinds_of_action = frozenset({"Survey", "Occupy", "Move", "Call", "Fire", "RollFor", "Defend", "Bombard", "End"})

    def small(self, rng: random.Random) -> object:
        return Setup(mode=rng.choice(("solitaire", "solitaire", "co-operative")), easier=rng.random() < 0.5)
