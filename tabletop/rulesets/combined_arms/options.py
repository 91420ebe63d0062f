"""What may be done and what not: options with their reasons, wishes for random players, invariants."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator

from tabletop.game.actions import Choice, Domain
from tabletop.game.option_maker import OptionMaker
from tabletop.game.protocol import Odds, Option
from tabletop.rulesets.combined_arms import actions, enemy_player, firing, mortars, moving
from tabletop.rulesets.combined_arms.action_fields import ALL
from tabletop.rulesets.combined_arms.actions import ACTIONS
from tabletop.rulesets.combined_arms.board import COUNT, DISTANCE, NAMES, NEIGHBOURS, OFF, REAR, near_clusters
from tabletop.rulesets.combined_arms.checks import violations
from tabletop.rulesets.combined_arms.data import (
    ARMOUR,
    ATTACKER,
    DEFENDER,
    PLATOONS,
    RANGE,
    SIDES,
    SMOKE_ROUNDS,
    TERRAIN,
    TRACK,
    roles,
)
from tabletop.rulesets.combined_arms.laying_out import unknown
from tabletop.rulesets.combined_arms.setup_reducer import with_guns
from tabletop.rulesets.combined_arms.state import Platoon, State

_Options = OptionMaker[State]


def options(state: State, odds: Callable[[State, actions.Action], Odds | None]) -> tuple[Option, ...]:
    """Everything that may be wished now; what is not legal carries its reasons. ``odds`` works out an action's odds."""
    if state.step == "over":
        return ()
    make = OptionMaker(ACTIONS, state, violations, odds, ATTACKER)
    found = list(_candidates(make))
    if state.turn >= 1:
        found += [make(actions.Concede(side), side) for side in SIDES]
    return tuple(found)


def _situation(state: State) -> str:
    if state.owed:
        return "owed"
    if state.pending is not None:
        return "pending"
    if state.declared:
        return "declared"
    if state.step == "enemy" and not state.solitaire_defence:
        return "enemy-player"
    return state.step


def _candidates(make: _Options) -> Iterator[Option]:
    state = make.state
    match _situation(state):
        case "owed":
            yield from (make(actions.Break(unit.id)) for unit in state.infantry.get(state.owed[0].at, ()))
        case "pending" if state.pending is not None:
            yield make(actions.RollFor())
            if len(state.pending.hexes) > 1:
                yield from (make(actions.RollFor((NAMES[n],)), target=NAMES[n]) for n in state.pending.hexes)
        case "declared":
            name, declared = NAMES[state.declared_on], [row[0] for row in state.declared]
            for unit in state.platoons:
                if unit.at != OFF and unit.id not in declared:
                    yield make(actions.Declare(unit.id, name), target=name)
            yield make(actions.Resolve())
        case "bids" if None not in state.bids:
            yield make(actions.Award())
        case "bids":
            yield from (make(actions.Bid(player, 0)) for player in (1, 2) if state.bids[player - 1] is None)
        case "terrain":
            yield from _terrain(make)
        case "defenders":
            yield make(actions.Occupy())
        case "muster":
            yield make(actions.Muster(), DEFENDER)
        case "post":
            yield from _post(make)
        case "move":
            yield from _move(make)
        case "fire":
            yield from _fire(make)
        case "mortars":
            yield make(actions.Scatter() if state.barrage == "to scatter" else actions.Bombard())
        case "enemy" | "final":
            yield make(actions.Defend(), DEFENDER)
        case "enemy-player":
            yield from _enemy_player(make)


def _terrain(make: _Options) -> Iterator[Option]:
    state = make.state
    yield make(actions.Survey())
    for n in unknown(state):
        yield make(actions.Survey((NAMES[n],)), target=NAMES[n])
    off_road = (n for n in range(COUNT) if n not in state.ground.road)
    yield make.open(actions.Lay, {}, {"hex": _cells(off_road), "terrain": None})


def _post(make: _Options) -> Iterator[Option]:
    state = make.state
    if state.secret is None:
        return
    drawn = _some_post(state, random.Random(state.enemy_hexes))
    yield make(drawn, DEFENDER, advice="only a suggestion, drawn by lot: other hexes may be chosen")
    array, (platoons, atgs) = enemy_player.Array.of(state), enemy_player.required_counts(state)
    left: dict[str, Domain | None] = {"platoons": _cells(array.hexes, platoons)}
    if atgs:
        left["atgs"] = _cells(array.guns, atgs)
    yield make.open(actions.Post, {}, left, DEFENDER, advice="hexes of your own choice")


def _cells(hexes: Iterable[int], count: int | None = None) -> Domain:
    """One of these hexes, or with a ``count`` so many of them."""
    choices = tuple(Choice(NAMES[n], NAMES[n]) for n in hexes)
    return Domain("cell", choices, least=count, most=count, many=count is not None)


def _some_post(state: State, rng: random.Random) -> actions.Post:
    platoons, atgs = enemy_player.some_posting(state, rng)
    return actions.Post(tuple(NAMES[n] for n in platoons), tuple(NAMES[n] for n in atgs))


def _move(make: _Options) -> Iterator[Option]:
    state = make.state
    for unit in state.platoons:
        if unit.fate not in ("waiting", "board"):
            continue
        reached: set[int] = set()
        for way in moving.ways(state, unit):
            yield make(_move_of(unit, way), target=NAMES[way.hexes[-1]] if way.hexes else None, advice=_facings(way))
            reached.update(way.hexes[:1])
        for n in REAR if unit.at == OFF else NEIGHBOURS[unit.at]:
            if n not in reached:
                yield make(actions.Move(unit.id, (NAMES[n],)), target=NAMES[n])
    yield make(actions.End())
    yield make(actions.Finish())
    yield from _roles(make)


def _move_of(unit: Platoon, way: moving.Way, facing: int | None = None) -> actions.Move | actions.Leave:
    path = tuple(NAMES[n] for n in way.hexes)
    return actions.Leave(unit.id, path) if way.leaves else actions.Move(unit.id, path, facing)


def _facings(way: moving.Way) -> str:
    if way.leaves:
        return "withdraws" if way.leaves == "withdrew" else "exploits"
    return f"may face {', '.join(map(str, way.facings))}" if way.facings else ""


def _roles(make: _Options) -> Iterator[Option]:
    state = make.state
    if state.setup.mode != "co-operative":
        return
    for role in roles(state.setup.commander_apart):
        if state.sent.count(role) < state.setup.messages:
            left: dict[str, Domain | None] = {"recipient": None, "text": None}
            yield make.open(actions.Message, {"role": role}, left, role)
        yield make(actions.Claim(role), role)
        yield make(actions.Grant(role), "command")


def _fire(make: _Options) -> Iterator[Option]:
    state = make.state
    for counter in state.enemy:
        yield make(actions.Call(NAMES[counter.at], mortars.HE), target=NAMES[counter.at])
    for n in mortars.call_targets(state, mortars.SMOKE):
        yield make(actions.Call(NAMES[n], mortars.SMOKE), target=NAMES[n])
    coop = state.setup.mode == "co-operative"
    for unit in state.platoons:
        if unit.at == OFF:
            continue
        for counter in state.enemy:
            if 1 <= DISTANCE[unit.at][counter.at] <= RANGE:
                name = NAMES[counter.at]
                yield make(
                    actions.Declare(unit.id, name) if coop else actions.Fire(name, (actions.Firer(unit.id),)),
                    unit=unit.id,
                    target=name,
                )
        if unit.kind == "armour" and unit.fresh:
            for facing in range(6):
                if facing != unit.facing:
                    yield make(actions.Face(unit.id, facing))
    yield make(actions.End())
    yield from _roles(make)


def _enemy_player(make: _Options) -> Iterator[Option]:
    state = make.state
    if state.mortar_stage == "to roll":
        yield make(actions.TryMortars(), DEFENDER)
        yield make(actions.Forgo(), DEFENDER)
        return
    if state.mortar_stage == "to aim":
        for n in mortars.enemy_targets(state):
            yield make(actions.Aim(NAMES[n]), DEFENDER, target=NAMES[n])
        yield make(actions.Forgo(), DEFENDER)
        return
    counter = state.acting_counter
    if counter is None:
        yield make(actions.Scatter(), DEFENDER)
        return
    if not counter.revealed:
        yield make(actions.Show(), DEFENDER)
    if counter.atg == "potential":
        yield make(actions.Show(guns=True), DEFENDER)
    if counter.revealed and counter.fresh:
        for unit in enemy_player.armour_choices(state, counter):
            yield make(actions.Shoot(unit), DEFENDER, target=unit)
        for cluster in near_clusters(enemy_player.infantry_choices(state, counter)):
            yield make(actions.Engage(tuple(NAMES[n] for n in cluster)), DEFENDER)
    yield make(actions.Pass(), DEFENDER)


# --- random players --------------------------------------------------------------------------------------------------


def random_actions(state: State, rng: random.Random) -> Iterator[actions.Action]:
    """Actions worth trying now, in random order, legal or not; the last one is legal."""
    situation, unjudged = _situation(state), OptionMaker(ACTIONS, state, lambda state, action: (), side=ATTACKER)
    if situation == "over":
        return
    if situation in ("move", "fire"):
        yield from _turn_wishes(state, rng)
        yield actions.End()
        return
    if situation == "post":
        yield _some_post(state, rng)
        return
    if situation == "bids" and None in state.bids:
        player = state.bids.index(None) + 1
        yield actions.Bid(player, rng.randint(0, 8))  # type: ignore[arg-type]
        return
    if situation == "terrain":
        left = unknown(state)
        if rng.random() < 0.1:
            yield actions.Lay(NAMES[rng.choice(left)], rng.choice(TERRAIN))
        yield actions.Survey() if rng.random() < 0.5 else actions.Survey((NAMES[rng.choice(left)],))
        return
    if situation == "pending" and state.pending is not None:
        yield actions.RollFor() if rng.random() < 0.5 else actions.RollFor((NAMES[rng.choice(state.pending.hexes)],))
        return
    if situation in ("owed", "declared", "enemy-player"):
        candidates = list(_candidates(unjudged))
        rng.shuffle(candidates)
        yield from (one.action for one in candidates if not one.open_fields)
        if situation == "declared":
            yield actions.Resolve()
        return
    yield from (one.action for one in _candidates(unjudged) if not one.open_fields)


def _turn_wishes(state: State, rng: random.Random) -> Iterator[actions.Action]:
    if rng.random() < 0.003:
        yield actions.Concede(rng.choice(SIDES))
    if state.step == "move" and rng.random() < 0.01:
        yield actions.Finish()
    if state.setup.mode == "co-operative" and rng.random() < 0.2:
        role = rng.choice(tuple(roles(state.setup.commander_apart)))
        if state.setup.messages and rng.random() < 0.3:
            yield actions.Message(role, ALL, "wait for us")
        yield actions.Claim(role) if rng.random() < 0.6 else actions.Grant(role)
    if rng.random() < 0.02:
        yield _correction(state, rng)
    units = [p for p in state.platoons if p.fate in ("waiting", "board")]
    rng.shuffle(units)
    if state.step == "move":
        for unit in units:
            if rng.random() < 0.15:
                yield actions.Move(unit.id, (NAMES[rng.randrange(COUNT)],))
            if rng.random() < 0.35:
                continue
            found = list(moving.ways(state, unit))
            if found:
                way = rng.choice(found)
                yield _move_of(unit, way, rng.choice(way.facings) if way.facings else None)
        return
    yield from _fire_wishes(state, rng, units)


def _fire_wishes(state: State, rng: random.Random, units: list[Platoon]) -> Iterator[actions.Action]:
    if not state.any_fired and rng.random() < 0.5:
        ammo = rng.choice((mortars.HE, mortars.HE, mortars.SMOKE))
        found = mortars.call_targets(state, ammo)
        if found:
            yield actions.Call(NAMES[rng.choice(found)], ammo)
        yield actions.Call(NAMES[rng.randrange(COUNT)], ammo)
    for unit in units:
        if rng.random() < 0.3:
            continue
        if unit.kind == "armour" and rng.random() < 0.1:
            yield actions.Face(unit.id, rng.randrange(6))
        found = firing.targets(state, unit)
        if not found:
            continue
        target = rng.choice(found)
        if state.setup.mode == "co-operative":
            yield actions.Declare(unit.id, NAMES[target])
            continue
        mates = [p.id for p in units if p is not unit and target in firing.targets(state, p)]
        chosen = (unit.id, *rng.sample(mates, min(len(mates), rng.choice((0, 0, 1, 2)))))
        yield actions.Fire(NAMES[target], tuple(map(actions.Firer, chosen)))
        yield actions.Fire(NAMES[target], (actions.Firer(unit.id),))


def _correction(state: State, rng: random.Random) -> actions.Correct:
    unit = rng.choice(state.platoons)
    if rng.random() < 0.3:
        return actions.Correct(losses=rng.randrange(TRACK), reason="miscounted")
    if unit.at == OFF:
        return actions.Correct(unit.id, to=NAMES[rng.choice(REAR)], facing=0 if unit.id in ARMOUR else None)
    return actions.Correct(unit.id, fresh=not unit.fresh, reason="seen late")


# --- invariants ------------------------------------------------------------------------------------------------------


def invariant_violations(state: State) -> tuple[str, ...]:
    """Invariants that a state breaks, in words."""
    found = []
    if len(state.ground.terrain) != COUNT:
        found.append(f"The board has {len(state.ground.terrain)} hexes instead of {COUNT}.")
    if [p.id for p in state.platoons] != list(PLATOONS):
        found.append("The platoons are not those of the game.")
    for p in state.platoons:
        if (p.at != OFF) != (p.fate == "board"):
            found.append(f"{p.id} is {p.fate} and in hex {p.at}.")
        if p.at != OFF and (p.facing is None) != p.is_infantry:
            found.append(f"{p.id} faces {p.facing}.")
    if not (0 <= state.losses < TRACK and 0 <= state.ammo < TRACK and 0 <= state.smoke_rounds <= SMOKE_ROUNDS):
        found.append(f"A track is off: losses {state.losses}, ammo {state.ammo}, smoke {state.smoke_rounds}.")
    if len({c.at for c in state.enemy}) < len(state.enemy):
        found.append("Two counters stand in one hex.")
    if state.enemy_hexes & state.platoon_hexes:
        found.append("A counter and a platoon stand in one hex.")
    for c in state.enemy:
        if c.atg == "real" and not c.revealed:
            found.append(f"Real guns with an unrevealed platoon in {NAMES[c.at]}.")
    for at, here in state.by_hex.items():
        if len({p.id[0] for p in here if p.kind == "rifle"}) > 1 or sum(p.kind == "armour" for p in here) > 1:
            found.append(f"{', '.join(p.id for p in here)} share {NAMES[at]}.")
    return (*found, *_counter_faults(state))


def _counter_faults(state: State) -> Iterator[str]:
    """Every counter that was placed is in play, was a phantom or is broken; the same for guns."""
    tally = state.tally
    gone = tally.phantoms + tally.platoons_broken
    if tally.placed != len(state.enemy) + gone:
        yield f"{tally.placed} counters were placed; {len(state.enemy)} are in play and {gone} gone."
    guns = with_guns(state.enemy)
    gone = tally.guns_false + tally.atgs_broken
    if tally.guns_placed != guns + gone:
        yield f"{tally.guns_placed} guns were placed; {guns} are in play and {gone} gone."
