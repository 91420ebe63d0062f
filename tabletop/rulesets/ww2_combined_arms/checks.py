"""What speaks against an action, all of it at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tabletop.game.violations import Violation
from tabletop.rulesets.ww2_combined_arms import actions
from tabletop.rulesets.ww2_combined_arms.board import OFF
from tabletop.rulesets.ww2_combined_arms.capabilities import (
    airfield_faults,
    defence,
    is_covered,
    is_stopped,
    move_of,
    reach,
    retreats,
)
from tabletop.rulesets.ww2_combined_arms.data import AIRFIELD, BASES, HQ, KINDS, PARATROOPERS, SIDES
from tabletop.rulesets.ww2_combined_arms.setup import army_faults
from tabletop.rulesets.ww2_combined_arms.state import BEFORE, State, Unit
from tabletop.words import capital, the, with_verb

NOW: Mapping[str, str] = {
    "cities": "Cities are laid now.",
    "armies": "Armies are made up now.",
    "first": "It is agreed now who goes first.",
    "elites": "Elite units are named now.",
    "place": "Units are placed now.",
    "reinforce": "A reinforcement comes on now, or is kept for later.",
    "move": "Units move now; the attack phase comes after.",
    "attack": "Units attack now; the turn ends after that.",
}
"""What is done in each step."""
FORMS: Mapping[str, tuple[str, ...]] = {
    "cities": ("draw", "city SQUARE"),
    "armies": ("army SIDE KIND NUMBER KIND NUMBER ...",),
    "first": ("first red", "first blue"),
    "elites": ("elite SIDE UNIT", "elite SIDE none"),
    "place": ("place UNIT at SQUARE", "deploy SIDE"),
    "reinforce": ("reinforce KIND at SQUARE", "hold"),
    "move": ("move UNIT to SQUARE", "end"),
    "attack": ("attack UNIT at TARGET", "end"),
}
"""How that is typed."""
_BEGUN: Mapping[str, str] = {
    "cities": "Cities are laid before the first turn.",
    "armies": "Armies are made up before the first turn.",
    "first": "Who goes first is agreed before the first turn.",
    "elites": "Elite units are named before the first turn.",
    "place": "Units are placed before the first turn.",
}


def violations(state: State, action: actions.Action) -> tuple[Violation, ...]:
    """All that speaks against an action; empty where it is legal."""
    if state.step == "over":
        return (Violation("over", "The game is over.", firm=True),)
    return tuple(_unknown(state, action)) or tuple(_CHECKS[type(action)](state, action))


def _unknown(state: State, action: actions.Action) -> Iterator[Violation]:
    """Names of sides, units, squares and kinds of units that there are none of."""
    named = {name: getattr(action, name, "") for name in ("side", "unit", "target", "square", "to", "type")}
    if named["side"] and named["side"] not in SIDES:
        yield Violation("no-side", f"There is no side {named['side']}.", firm=True)
    for unit in (named["unit"], named["target"]):
        if unit and unit not in state.by_id:
            yield Violation("no-unit", f"There is no unit {unit} in this game.", firm=True)
    for square in (named["square"], named["to"]):
        if square and square not in state.grid.number:
            yield Violation("no-square", f"There is no square {square} on this board.", firm=True)
    kinds = [kind for kind, _ in action.units] if isinstance(action, actions.Army) else [named["type"]]
    for kind in kinds:
        if kind and kind not in KINDS:
            yield Violation("no-kind", f"There is no type of unit called {kind}.", "Unit Master List", firm=True)


def side_to_act(state: State) -> str | None:
    """The side that has the next choice; ``None`` once the game is over."""
    match state.step:
        case "over":
            return None
        case "cities" | "first":
            return SIDES[0]
        case "armies":
            return next(side for side in SIDES if not state.has_army(side))
        case "elites":
            return next(side for side in (state.first, *SIDES) if side not in state.named)
        case "place":
            return side_to_place(state)
    if state.pressed:
        return state.by_id[state.pressed].side
    return state.acting


def side_to_place(state: State) -> str:
    """The side that places the next unit: they take turns, and who has none left waits [Setup]."""
    second = next(side for side in SIDES if side != state.first)
    placed: dict[str, int] = {side: sum(u.side == side and u.fate != "waiting" for u in state.units) for side in SIDES}
    turn, other = (state.first, second) if placed[state.first] <= placed[second] else (second, state.first)
    return turn if state.waiting(turn) else other


def _wrong_step(state: State, *steps: str, firm: bool = False) -> Iterator[Violation]:
    if state.pressed:
        yield Violation(
            "pressed", f"{state.pressed} must retreat first: its owner chooses where.", "Fire Phase", firm=True
        )
    elif state.step not in steps:
        early, late = state.step in BEFORE, any(step in BEFORE for step in steps)
        passed = late and not early
        text = _BEGUN[steps[0]] if passed else NOW[state.step]
        usage = () if passed else FORMS[state.step]
        yield Violation("wrong-phase", text, "Turn Sequence", firm=firm or early or late, usage=usage)


def _not_due(state: State, done: str, *, firm: bool = False) -> Iterator[Violation]:
    """What speaks against a reinforcement that is brought on or held when none is due."""
    if state.pressed or state.step in BEFORE:
        yield from _wrong_step(state, "reinforce")
    elif state.step != "reinforce":
        when = f"A reinforcement {done} when it is due, as a turn begins."
        text = when if state.setup.every else "This game is played without reinforcements."
        yield Violation("wrong-phase", text, "Reinforcements", firm=firm)


def _not_on_board(state: State, name: str) -> Iterator[Violation]:
    fate = state.by_id[name].fate
    if fate == "lost":
        yield Violation("gone", f"{name} is destroyed.", firm=True)
    elif fate == "waiting":
        yield Violation("waiting", f"{name} is not placed yet.", "Setup", firm=True)


def _on_turn(state: State, unit: Unit) -> Iterator[Violation]:
    if state.acting and unit.side != state.acting:
        title = state.setup.side_title
        yield Violation(
            "not-yours",
            f"It is the turn of {title(state.acting)}, and {unit.id} is a unit of {title(unit.side)}.",
            "Turn Sequence",
        )


def _free(state: State, name: str) -> Iterator[Violation]:
    n = state.grid.number[name]
    if n in state.there:
        yield Violation("occupied", f"{state.there[n].id} stands on {name}; units do not stack.", "Setup", firm=True)


# --- before the first turn -------------------------------------------------------------------------------------------


def _draw(state: State, action: actions.Draw) -> Iterator[Violation]:
    yield from _wrong_step(state, "cities")


def _city(state: State, action: actions.City) -> Iterator[Violation]:
    yield from _wrong_step(state, "cities")
    n = state.grid.number[action.square]
    if n not in state.setup.between:
        yield Violation(
            "not-middle", f"{action.square} is not in the middle rows, where cities lie.", "City Spaces", firm=True
        )
    elif n not in free_middle(state):
        yield Violation("not-free", f"{action.square} holds a city or other terrain.", "City Spaces", firm=True)


def free_middle(state: State) -> tuple[int, ...]:
    """The squares of the middle rows without a city or other terrain, from which lots are drawn."""
    taken = {*state.cities, *(state.grid.number[name] for name, _ in state.setup.terrain)}
    return tuple(n for n in state.setup.between if n not in taken)


def _army(state: State, action: actions.Army) -> Iterator[Violation]:
    yield from _wrong_step(state, "armies")
    if state.has_army(action.side):
        title = state.setup.side_title(action.side)
        yield Violation("has-army", f"The army of {the(title)} is chosen already.", "Army Creation", firm=True)
    counts: Counter[str] = Counter()
    for kind, count in action.units:
        counts[kind] += count
    for fault in army_faults(counts, state.setup.limits):
        yield Violation(
            fault.code,
            fault.text,
            fault.place,
            fault.numbers,
            firm=fault.code in ("army-hq", "army-size") and not _can_play(state, counts),
        )


def _can_play(state: State, counts: Counter[str]) -> bool:
    """Whether an army can be played at all, whatever the referee allows: it has one headquarters and finds room."""
    return counts[HQ] == 1 and sum(counts.values()) <= state.setup.columns * state.setup.home


def _first(state: State, action: actions.First) -> Iterator[Violation]:
    yield from _wrong_step(state, "first")


def _elite(state: State, action: actions.Elite) -> Iterator[Violation]:
    yield from _wrong_step(state, "elites")
    place, title = "Elite Units", state.setup.side_title(action.side)
    if state.step == "elites" and action.side in state.named:
        yield Violation("has-elites", f"The elite units of {the(title)} are named already.", place, firm=True)
    elif state.step == "elites" and action.side != side_to_act(state):
        yield Violation("not-yours", "The side that goes first names its elite units first.", place)
    if not action.unit:
        return
    unit = state.by_id[action.unit]
    if unit.side != action.side:
        yield Violation("own", f"{unit.id} is no unit of {title}.", place, firm=True)
    if unit.elite:
        yield Violation("elite", f"{unit.id} is elite already.", place, firm=True)


def _place(state: State, action: actions.Place) -> Iterator[Violation]:
    yield from _wrong_step(state, "place")
    unit = state.by_id[action.unit]
    if unit.fate == "lost":
        yield Violation("gone", f"{unit.id} is destroyed.", firm=True)
    elif unit.fate == "board":
        yield Violation("placed", f"{unit.id} stands on {state.grid.names[unit.at]} already.", "Setup", firm=True)
    if state.step == "place" and unit.side != side_to_place(state):
        title = state.setup.side_title(side_to_place(state))
        yield Violation(
            "not-yours", f"The players take turns, and now {with_verb(title, 'places', 'place')} a unit.", "Setup"
        )
    yield from _free(state, action.to)
    if state.grid.number[action.to] not in state.setup.home_squares(unit.side):
        title = state.setup.side_title(unit.side)
        yield Violation(
            "not-home",
            f"{capital(the(title))} may set up on the back {state.setup.home} rows, not on {action.to}.",
            "Setup",
        )


def _deploy(state: State, action: actions.Deploy) -> Iterator[Violation]:
    yield from _wrong_step(state, "place", firm=True)
    if state.step != "place":
        return
    title = state.setup.side_title(action.side)
    if not state.waiting(action.side):
        yield Violation("placed", f"All units of {the(title)} are placed.", "Setup", firm=True)
    elif action.side != side_to_place(state):
        next_title = state.setup.side_title(side_to_place(state))
        yield Violation(
            "not-yours", f"The players take turns, and now {with_verb(next_title, 'places', 'place')} a unit.", "Setup"
        )


# --- turns -----------------------------------------------------------------------------------------------------------


def _reinforce(state: State, action: actions.Reinforce) -> Iterator[Violation]:
    place = "Reinforcements"
    yield from _not_due(state, "comes on")
    if action.type in BASES:
        text = f"A reinforcement is no base, and {KINDS[action.type].title} is one."
        yield Violation("base", text, place, firm=action.type == HQ)
    yield from _free(state, action.to)
    if state.acting and state.grid.number[action.to] not in state.setup.back_row(state.acting):
        title = state.setup.side_title(state.acting)
        yield Violation("not-back-row", f"A reinforcement of {title} starts on its back row, not {action.to}.", place)


def _hold(state: State, action: actions.Hold) -> Iterator[Violation]:
    yield from _not_due(state, "is held", firm=True)


def _move(state: State, action: actions.Move) -> Iterator[Violation]:
    yield from _wrong_step(state, "move")
    named = tuple(_not_on_board(state, action.unit))
    yield from named
    if named:
        return
    unit, place = state.by_id[action.unit], "Move Phase"
    yield from _on_turn(state, unit)
    if unit.moved:
        yield Violation("moved", f"{unit.id} has moved this turn.", place)
    yield from _free(state, action.to)
    to = state.grid.number[action.to]
    if unit.kind in BASES:
        yield Violation("base", f"{unit.id} is a base, which never moves.", "Unit Master List")
    elif to not in state.there or state.grid.distance(unit.at, to) > move_of(state, unit):
        yield from _way(state, unit, to)


def _way(state: State, unit: Unit, to: int) -> Iterator[Violation]:
    name, most = state.grid.names[to], move_of(state, unit)
    if to not in reach(state, unit):
        far = state.grid.distance(unit.at, to)
        numbers = {"squares": far, "move": most}
        if far > most:
            drop = ""
            if unit.kind == PARATROOPERS and unit.id not in state.lifted:
                drop = "; they did not start the turn next to a friendly airfield"
            yield Violation(
                "too-far",
                f"{unit.id} moves up to {most}, and {name} is {far} squares away{drop}.",
                "Move Phase",
                numbers,
            )
        else:
            stopped = is_stopped(state, unit, to)
            stops = " Difficult terrain on its way stops it." if stopped else ""
            yield Violation(
                "no-way",
                f"{unit.id} has no way of {most} free squares to {name}.{stops}",
                "Difficult Terrain" if stopped else "Move Phase",
                numbers,
            )
    for fault in airfield_faults(state, unit, to):
        text = (
            f"An airfield moves next to a friendly unit, and there is none next to {name}."
            if fault == "alone"
            else f"An airfield does not move next to an enemy unit, and there is one next to {name}."
        )
        yield Violation(fault, text, "Move Phase")


def _attack(state: State, action: actions.Attack) -> Iterator[Violation]:
    yield from _wrong_step(state, "attack")
    named = (*_not_on_board(state, action.unit), *_not_on_board(state, action.target))
    yield from named
    if named:
        return
    unit, target, place = state.by_id[action.unit], state.by_id[action.target], "Fire Phase"
    yield from _on_turn(state, unit)
    if unit.side == target.side:
        yield Violation("own", f"{target.id} is a unit of its own side.", place, firm=True)
    if unit.fired:
        yield Violation("fired", f"{unit.id} has attacked this turn.", place)
    if unit.kind == AIRFIELD and unit.moved:
        yield Violation("airfield-moved", f"{unit.id} has moved, and an airfield does not do both in a turn.", place)
    far = state.grid.distance(unit.at, target.at)
    if far > unit.type.range:
        yield Violation(
            "out-of-range",
            f"{target.id} is {far} squares away, and {unit.id} has range {unit.type.range}.",
            place,
            {"squares": far, "range": unit.type.range},
        )
    if is_covered(state, unit, target):
        yield Violation(
            "covered",
            f"Anti-aircraft guns beside {target.id} keep airfields from attacking it."
            if target.kind != "aa-guns"
            else f"{target.id} is anti-aircraft guns, which airfields can't attack.",
            "Unit Special Abilities",
        )


def _retreat(state: State, action: actions.Retreat) -> Iterator[Violation]:
    place, unit = "Fire Phase", state.by_id[action.unit]
    if state.pressed != unit.id:
        yield Violation("not-pressed", f"{unit.id} has nothing to retreat from.", place, firm=True)
        return
    yield from _free(state, action.to)
    to, allowed = state.grid.number[action.to], retreats(state, unit)
    if to not in allowed and to not in state.there:
        names = ", ".join(state.grid.names[n] for n in allowed)
        yield Violation(
            "no-retreat",
            f"{unit.id} retreats 1 square back, or to the side where no enemy is next to it: {names}.",
            place,
        )


def _end(state: State, action: actions.End) -> Iterator[Violation]:
    yield from _wrong_step(state, "move", "attack", firm=True)


def _concede(state: State, action: actions.Concede) -> Iterator[Violation]:
    if state.step in BEFORE:
        yield Violation("wrong-phase", "No side can give up before the first turn.", firm=True)


def _correct(state: State, action: actions.Correct) -> Iterator[Violation]:
    unit = state.by_id[action.unit]
    if state.step in BEFORE:
        yield Violation("wrong-phase", "Nothing is set right before the first turn: take it back instead.", firm=True)
    if not action.off and action.to is None and action.damage is None and action.elite is None:
        yield Violation("nothing", f"Say what is to be set right of {unit.id}.", firm=True)
    if action.off and (action.to is not None or action.damage is not None or action.elite is not None):
        yield Violation("off", f"{unit.id} is taken off, so nothing else can be said of it.", firm=True)
    if action.to is not None and state.grid.number[action.to] != unit.at:
        yield from _free(state, action.to)
    if unit.at == OFF and action.to is None:
        yield Violation("gone", f"{unit.id} is off the board; say where it stands.", firm=True)
    if not action.off:
        yield from _bears(state, unit, action)


def _bears(state: State, unit: Unit, action: actions.Correct) -> Iterator[Violation]:
    """A unit that stays where it is set has less damage than makes it retreat."""
    at = unit.at if action.to is None else state.grid.number[action.to]
    elite = unit.elite if action.elite is None else action.elite
    limit = defence(state, unit.but(at=at, elite=elite))
    damage = unit.damage if action.damage is None else action.damage
    if action.damage and unit.side == state.acting:
        yield Violation(
            "own-turn",
            f"It is the turn of {state.setup.side_title(unit.side)}, in which {unit.id} can't be damaged.",
            "Fire Phase",
            firm=True,
        )
    if not 0 <= damage < limit:
        yield Violation(
            "damage",
            f"{unit.id} can bear 0 to {limit - 1} damage and stay there, not {damage}: say its damage too.",
            "Unit Attributes",
            {"damage": damage, "most": limit - 1},
            firm=True,
        )


_CHECKS: Mapping[type[Any], Callable[[State, Any], Iterator[Violation]]] = {
    actions.Draw: _draw,
    actions.City: _city,
    actions.Army: _army,
    actions.First: _first,
    actions.Elite: _elite,
    actions.Place: _place,
    actions.Deploy: _deploy,
    actions.Reinforce: _reinforce,
    actions.Hold: _hold,
    actions.Move: _move,
    actions.Attack: _attack,
    actions.Retreat: _retreat,
    actions.End: _end,
    actions.Concede: _concede,
    actions.Correct: _correct,
}
