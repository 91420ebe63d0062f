"""What may be done and what not: options with their reasons, wishes for random players, invariants."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from tabletop.game.protocol import Odds, Option
from tabletop.rulesets.combined_arms import acts, enemy_player, firing, mortars, moving
from tabletop.rulesets.combined_arms.board import COUNT, DISTANCE, NAMES, NEIGHBOURS, OFF, REAR, near_clusters
from tabletop.rulesets.combined_arms.data import (
    ARMOUR,
    ATTACKER,
    DEFENDER,
    PLATOONS,
    RANGE,
    ROLES,
    SIDES,
    SMOKE_ROUNDS,
    TERRAIN,
    TRACK,
)
from tabletop.rulesets.combined_arms.fold_beginning import with_guns
from tabletop.rulesets.combined_arms.laying_out import unknown
from tabletop.rulesets.combined_arms.state import Platoon, State
from tabletop.rulesets.combined_arms.words import text

if TYPE_CHECKING:
    from tabletop.rulesets.combined_arms.play import CombinedArms


def options(rules: CombinedArms, state: State) -> tuple[Option, ...]:
    """Everything that may be wished now; what is not legal carries its reasons."""
    if state.step == "over":
        return ()
    make = _Maker(rules, state)
    found = list(_OPTIONS[_situation(state)](make))
    if state.turn >= 1:
        found += [make(acts.Concede(side), side) for side in SIDES]
    return tuple(found)


class _Maker:
    """Makes an option of an action: its words, reasons and odds."""

    def __init__(self, rules: CombinedArms, state: State) -> None:
        self.rules, self.state = rules, state

    def __call__(
        self, action: acts.Action, side: str = ATTACKER, *, target: str | None = None, advice: str = ""
    ) -> Option:
        return Option(
            _kind(action),
            side,
            text(action),
            unit=getattr(action, "unit", None) or (action.units[0] if isinstance(action, acts.Fire) else None),
            target=target,
            violations=self.rules.check(self.state, action),
            advice=advice,
            odds=partial(self._odds, action),
        )

    def _odds(self, action: acts.Action) -> Odds | None:
        return self.rules.odds(self.state, action)


def _kind(action: acts.Action) -> str:
    return text(action).split()[0]


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


def _bids(make: _Maker) -> Iterator[Option]:
    if None not in make.state.bids:
        yield make(acts.Award())
        return
    for player in (1, 2):
        if make.state.bids[player - 1] is None:
            yield make(acts.Bid(player, 0))


def _terrain(make: _Maker) -> Iterator[Option]:
    yield make(acts.Survey())
    for n in unknown(make.state):
        yield make(acts.Survey((NAMES[n],)), target=NAMES[n])


def _defenders(make: _Maker) -> Iterator[Option]:
    yield make(acts.Occupy())


def _muster(make: _Maker) -> Iterator[Option]:
    yield make(acts.Muster(), DEFENDER)


def _post(make: _Maker) -> Iterator[Option]:
    secret = make.state.secret
    if secret is None:
        return
    yield make(_posting(make.state, random.Random(make.state.enemy_hexes)), DEFENDER)


def _posting(state: State, rng: random.Random) -> acts.Post:
    platoons, atgs = enemy_player.some_posting(state, rng)
    return acts.Post(tuple(NAMES[n] for n in platoons), tuple(NAMES[n] for n in atgs))


def _move(make: _Maker) -> Iterator[Option]:
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
                yield make(acts.Move(unit.id, (NAMES[n],)), target=NAMES[n])
    yield make(acts.End())
    yield make(acts.Finish())
    yield from _roles(make)


def _move_of(unit: Platoon, way: moving.Way, facing: int | None = None) -> acts.Move:
    return acts.Move(unit.id, tuple(NAMES[n] for n in way.hexes), facing, bool(way.leaves))


def _facings(way: moving.Way) -> str:
    if way.leaves:
        return "withdraws" if way.leaves == "withdrew" else "exploits"
    return f"may face {', '.join(map(str, way.facings))}" if way.facings else ""


def _roles(make: _Maker) -> Iterator[Option]:
    if make.state.setup.mode != "co-operative":
        return
    for role in ROLES:
        yield make(acts.Claim(role), role)
        yield make(acts.Grant(role), "command")


def _fire(make: _Maker) -> Iterator[Option]:
    state = make.state
    for counter in state.enemy:
        yield make(acts.Call(NAMES[counter.at]), target=NAMES[counter.at])
    for n in mortars.call_targets(state, mortars.SMOKE):
        yield make(acts.Call(NAMES[n], "smoke"), target=NAMES[n])
    coop = state.setup.mode == "co-operative"
    for unit in state.platoons:
        if unit.at == OFF:
            continue
        for counter in state.enemy:
            if 1 <= DISTANCE[unit.at][counter.at] <= RANGE:
                name = NAMES[counter.at]
                yield make(acts.Declare(unit.id, name) if coop else acts.Fire(name, (unit.id,)), target=name)
        if unit.kind == "armour" and unit.fresh:
            for facing in range(6):
                if facing != unit.facing:
                    yield make(acts.Face(unit.id, facing))
    yield make(acts.End())
    yield from _roles(make)


def _declared(make: _Maker) -> Iterator[Option]:
    name = NAMES[make.state.declared_on]
    for unit in make.state.platoons:
        if unit.at != OFF and unit.id not in [row[0] for row in make.state.declared]:
            yield make(acts.Declare(unit.id, name), target=name)
    yield make(acts.Resolve())


def _mortars(make: _Maker) -> Iterator[Option]:
    yield make(acts.Scatter() if make.state.barrage == "to scatter" else acts.Bombard())


def _pending(make: _Maker) -> Iterator[Option]:
    pending = make.state.pending
    if pending is None:
        return
    yield make(acts.RollFor())
    if len(pending.hexes) > 1:
        for n in pending.hexes:
            yield make(acts.RollFor((NAMES[n],)), target=NAMES[n])


def _owed(make: _Maker) -> Iterator[Option]:
    for unit in make.state.infantry.get(make.state.owed[0].at, ()):
        yield make(acts.Break(unit.id))


def _enemy(make: _Maker) -> Iterator[Option]:
    yield make(acts.Defend(), DEFENDER)


def _enemy_player(make: _Maker) -> Iterator[Option]:
    state = make.state
    if state.mortar_stage == "to roll":
        yield make(acts.TryMortars(), DEFENDER)
        yield make(acts.Forgo(), DEFENDER)
        return
    if state.mortar_stage == "to aim":
        for n in mortars.enemy_targets(state):
            yield make(acts.Aim(NAMES[n]), DEFENDER, target=NAMES[n])
        yield make(acts.Forgo(), DEFENDER)
        return
    counter = state.acting_counter
    if counter is None:
        yield make(acts.Scatter(), DEFENDER)
        return
    if not counter.revealed:
        yield make(acts.Show(), DEFENDER)
    if counter.atg == "potential":
        yield make(acts.Show(guns=True), DEFENDER)
    if counter.revealed and counter.fresh:
        for unit in enemy_player.armour_choices(state, counter):
            yield make(acts.Shoot(unit), DEFENDER, target=unit)
        for cluster in near_clusters(enemy_player.infantry_choices(state, counter)):
            yield make(acts.Engage(tuple(NAMES[n] for n in cluster)), DEFENDER)
    yield make(acts.Pass(), DEFENDER)


_OPTIONS: dict[str, Callable[[_Maker], Iterator[Option]]] = {
    "bids": _bids, "terrain": _terrain, "defenders": _defenders, "muster": _muster, "post": _post, "move": _move,
    "fire": _fire, "declared": _declared, "mortars": _mortars, "pending": _pending, "owed": _owed, "enemy": _enemy,
    "enemy-player": _enemy_player, "final": _enemy,
}  # fmt: skip


# --- random players --------------------------------------------------------------------------------------------------


def wishes(rules: CombinedArms, state: State, rng: random.Random) -> Iterator[acts.Action]:
    """Actions worth trying now, in random order, legal or not; the last one is legal."""
    situation = _situation(state)
    if situation == "over":
        return
    if situation in ("move", "fire"):
        yield from _turn_wishes(state, rng)
        yield acts.End()
        return
    if situation == "post":
        yield _posting(state, rng)
        return
    if situation == "bids" and None in state.bids:
        player = state.bids.index(None) + 1
        yield acts.Bid(player, rng.randint(0, 8))  # type: ignore[arg-type]
        return
    if situation == "terrain":
        left = unknown(state)
        if rng.random() < 0.1:
            yield acts.Lay(NAMES[rng.choice(left)], rng.choice(TERRAIN))
        yield acts.Survey() if rng.random() < 0.5 else acts.Survey((NAMES[rng.choice(left)],))
        return
    if situation == "pending" and state.pending is not None:
        yield acts.RollFor() if rng.random() < 0.5 else acts.RollFor((NAMES[rng.choice(state.pending.hexes)],))
        return
    if situation in ("owed", "declared", "enemy-player"):
        found = [option.text for option in options(rules, state) if option.kind != "concede"]
        rng.shuffle(found)
        yield from (rules.parse(state, said) for said in found)
        if situation == "declared":
            yield acts.Resolve()
        return
    yield _forced(state)


def _forced(state: State) -> acts.Action:
    match state.step:
        case "bids":
            return acts.Award()
        case "defenders":
            return acts.Occupy()
        case "muster":
            return acts.Muster()
        case "mortars":
            return acts.Scatter() if state.barrage == "to scatter" else acts.Bombard()
    return acts.Defend()


def _turn_wishes(state: State, rng: random.Random) -> Iterator[acts.Action]:
    if rng.random() < 0.003:
        yield acts.Concede(rng.choice(SIDES))
    if state.step == "move" and rng.random() < 0.01:
        yield acts.Finish()
    if state.setup.mode == "co-operative" and rng.random() < 0.2:
        role = rng.choice(tuple(ROLES))
        yield acts.Claim(role) if rng.random() < 0.6 else acts.Grant(role)
    if rng.random() < 0.02:
        yield _correction(state, rng)
    units = [p for p in state.platoons if p.fate in ("waiting", "board")]
    rng.shuffle(units)
    if state.step == "move":
        for unit in units:
            if rng.random() < 0.15:
                yield acts.Move(unit.id, (NAMES[rng.randrange(COUNT)],))
            if rng.random() < 0.35:
                continue
            found = list(moving.ways(state, unit))
            if found:
                way = rng.choice(found)
                yield _move_of(unit, way, rng.choice(way.facings) if way.facings else None)
        return
    yield from _fire_wishes(state, rng, units)


def _fire_wishes(state: State, rng: random.Random, units: list[Platoon]) -> Iterator[acts.Action]:
    if not state.any_fired and rng.random() < 0.5:
        ammo = rng.choice((mortars.HE, mortars.HE, mortars.SMOKE))
        found = mortars.call_targets(state, ammo)
        if found:
            yield acts.Call(NAMES[rng.choice(found)], ammo)
        yield acts.Call(NAMES[rng.randrange(COUNT)], ammo)
    for unit in units:
        if rng.random() < 0.3:
            continue
        if unit.kind == "armour" and rng.random() < 0.1:
            yield acts.Face(unit.id, rng.randrange(6))
        found = firing.targets(state, unit)
        if not found:
            continue
        target = rng.choice(found)
        if state.setup.mode == "co-operative":
            yield acts.Declare(unit.id, NAMES[target])
            continue
        mates = [p.id for p in units if p is not unit and target in firing.targets(state, p)]
        chosen = (unit.id, *rng.sample(mates, min(len(mates), rng.choice((0, 0, 1, 2)))))
        yield acts.Fire(NAMES[target], chosen)
        yield acts.Fire(NAMES[target], (unit.id,))


def _correction(state: State, rng: random.Random) -> acts.Correct:
    unit = rng.choice(state.platoons)
    if rng.random() < 0.3:
        return acts.Correct(losses=rng.randrange(TRACK), reason="miscounted")
    if unit.at == OFF:
        return acts.Correct(unit.id, to=NAMES[rng.choice(REAR)], facing=0 if unit.id in ARMOUR else None)
    return acts.Correct(unit.id, fresh=not unit.fresh, reason="seen late")


# --- invariants ------------------------------------------------------------------------------------------------------


def faults(state: State) -> tuple[str, ...]:
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
    return (*found, *_conserved(state))


def _conserved(state: State) -> Iterator[str]:
    """Every counter that was placed is in play, was a phantom or is broken; the same for guns."""
    tally = state.tally
    gone = tally.phantoms + tally.platoons_broken
    if tally.placed != len(state.enemy) + gone:
        yield f"{tally.placed} counters were placed; {len(state.enemy)} are in play and {gone} gone."
    guns = with_guns(state.enemy)
    gone = tally.guns_false + tally.atgs_broken
    if tally.guns_placed != guns + gone:
        yield f"{tally.guns_placed} guns were placed; {guns} are in play and {gone} gone."
