"""A game of WWII Combined Arms as text for a terminal of 80 columns: the board in letters, what is next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from textwrap import TextWrapper

from tabletop.grids.squares.diagram import WIDTH, diagram, key
from tabletop.rulesets.ww2_combined_arms.board import OFF
from tabletop.rulesets.ww2_combined_arms.board_placement import kinds, square_of
from tabletop.rulesets.ww2_combined_arms.capabilities import defence, destinations, move_of, retreats, targets
from tabletop.rulesets.ww2_combined_arms.checks import FORMS, side_to_act, side_to_place
from tabletop.rulesets.ww2_combined_arms.data import AIRFIELD, KINDS, OTHER, SIDES
from tabletop.rulesets.ww2_combined_arms.event_text import news as news
from tabletop.rulesets.ww2_combined_arms.event_text import optional_rules
from tabletop.rulesets.ww2_combined_arms.state import State, Unit
from tabletop.small_games.words import title as title
from tabletop.square_board.words import brief as brief
from tabletop.words import and_list, capital, count, with_verb

_MOST_WIDE = 12
"""Columns of the widest board whose squares have room for a unit's type."""

STEPS: Mapping[str, str] = {
    "cities": "cities",
    "armies": "army creation",
    "first": "who goes first",
    "elites": "elite units",
    "place": "placement",
    "reinforce": "reinforcements",
    "move": "move phase",
    "attack": "attack phase",
    "over": "after the game",
}
"""What people call the steps of a game."""


def in_words(state: State) -> str:
    """The whole state: the headline, the board, units that have no place on it, and what the letters mean."""
    wrapped = TextWrapper(WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    head, *notes = map(wrapped.fill, (headline(state), *_notes(state)))
    return "\n\n".join([head, board_text(state), "\n".join([*notes, _key(state)])])


def headline(state: State) -> str:
    """The turn, its phase, and how many units each side has."""
    title = state.setup.title
    if state.result is not None:
        won = state.setup.side_title(state.result.winner) + " won" if state.result.winner else "A draw"
        return f"{title}, turn {state.turn}. {won}: {state.result.reason}"
    if not state.turn:
        return f"{title}: {STEPS[state.step]}, before turn 1."
    of = f" of {state.setup.turns}" if state.setup.turns else ""
    whose = state.setup.side_title(state.acting)
    left = and_list([f"{state.setup.side_title(side)} {count(len(state.on_board[side]), 'unit')}" for side in SIDES])
    held = f" {_cities_words(state)}" if state.cities and state.setup.cities_win else ""
    return f"{title}, turn {state.turn}{of}, {whose}'s {STEPS[state.step]}. {left}.{held}"


def _cities_words(state: State) -> str:
    held = [f"{state.setup.side_title(side)} {state.cities_held(side)}" for side in SIDES]
    return f"Cities: {and_list(held)} of {len(state.cities)}."


# --- the board -------------------------------------------------------------------------------------------------------


def board_text(state: State) -> str:
    """The board, the far edge on top: the ground's letter, and who stands there by side, type and number."""
    kind_of = kinds(state)
    ground = {square: kind_of(square) for square in state.grid.board.squares}
    narrow = state.setup.columns > _MOST_WIDE
    contents = {square_of(state, n): _brief(unit) if narrow else short(unit) for n, unit in state.there.items()}
    return diagram(state.grid.board, contents, ground)


def _brief(unit: Unit) -> str:
    """A unit on a board with narrow squares: its name alone, small once it has acted."""
    return f"{unit.id.lower() if unit.moved or unit.fired else unit.id}{'*' if unit.elite else ''}"


def short(unit: Unit) -> str:
    """A unit in a square: its name and the letters of its type, small once it has acted, starred while elite.

    >>> short(Unit("R3", "red", "howitzers")), short(Unit("B12", "blue", "heavy-tanks", elite=True, fired=True))
    ('R3HO', 'B12ht*')
    """
    letters = unit.type.letters
    return f"{unit.id}{letters.lower() if unit.moved or unit.fired else letters}{'*' if unit.elite else ''}"


def _key(state: State) -> str:
    used = sorted({u.kind for u in state.units}, key=list(KINDS).index)
    letters = _wrap_items(f"{KINDS[kind].letters} {KINDS[kind].title}" for kind in used)
    kind_of = kinds(state)
    ground = key([kind_of(square) for square in state.grid.board.squares])
    return "\n".join([ground, *letters, "small letters: has moved or attacked this turn   * elite"])


def _wrap_items(items: Iterable[str]) -> list[str]:
    """Items in lines of 80 columns, none broken in two."""
    lines: list[str] = []
    for item in items:
        if lines and len(lines[-1]) + 2 + len(item) <= WIDTH:
            lines[-1] += f"  {item}"
        else:
            lines.append(item)
    return lines


def _notes(state: State) -> Iterator[str]:
    """What the board's letters have no room for."""
    rules = optional_rules(state.setup)
    if rules:
        yield rules
    for side in SIDES:
        title = state.setup.side_title(side)
        waiting = [_unit_name(u) for u in state.waiting(side)]
        if waiting:
            yield f"{title} to place: {', '.join(waiting)}."
        lost = [_unit_name(u) for u in state.units if u.side == side and u.fate == "lost"]
        if lost:
            yield f"{title} lost: {', '.join(lost)}."
    hurt = [u for u in state.units if u.at != OFF and u.damage]
    if hurt:
        told = ", ".join(f"{u.id} {u.damage} of {defence(state, u)}" for u in hurt)
        yield f"Damage this turn: {told}."
    back = [u.id for u in state.units if u.at != OFF and u.retreated]
    if back:
        yield f"Retreated this turn, and destroyed by a second time: {and_list(back)}."
    if state.lifted:
        yield f"Paratroopers that may move 4 this turn: {and_list(sorted(state.lifted))}."
    for side, owed in zip(SIDES, state.owed, strict=True):
        if owed:
            has = capital(with_verb(state.setup.side_title(side), "has", "have"))
            yield f"{has} {count(owed, 'reinforcement')} to come."


def _unit_name(unit: Unit) -> str:
    return f"{unit.id} {unit.type.title}"


# --- units -----------------------------------------------------------------------------------------------------------


def units(state: State) -> tuple[str, ...]:
    """The units that may be asked about, by their names."""
    return tuple(unit.id for unit in state.units)


def of_unit(state: State, unit_id: str) -> str:
    """One unit in a line: its type, where it stands, its damage, what it may still do this turn."""
    unit = state.by_id[unit_id]
    name = f"{unit_id}, {'elite ' if unit.elite else ''}{unit.type.title}"
    if unit.at == OFF:
        return f"{name}: {'destroyed' if unit.fate == 'lost' else 'to be placed'}."
    limit = defence(state, unit)
    parts = [
        f"on {state.grid.names[unit.at]}",
        f"move {move_of(state, unit)}, range {unit.type.range}, defence {limit}",
    ]
    parts += [f"{unit.damage} damage"] if unit.damage else []
    parts += ["has moved"] if unit.moved else []
    parts += ["has attacked"] if unit.fired else []
    parts += ["has retreated this turn"] if unit.retreated else []
    if state.setup.experience:
        parts.append(f"helped to destroy {unit.kills}")
    if state.step == "attack" and unit.side == state.acting:
        within = [e.id for e in targets(state, unit)]
        parts.append(f"may attack {and_list(within)}" if within else "has nothing to attack")
    return f"{name}: {'; '.join(parts)}."


def remarks(state: State, unit_ids: Iterable[str]) -> tuple[str, ...]:
    """What players may miss about units that were just put somewhere: enemies in contact, an airfield in danger."""
    told = []
    for name in dict.fromkeys(unit_ids) if state.turn else ():
        unit = state.by_id.get(name)
        if unit is None or unit.at == OFF:
            continue
        beside = [
            u.id for n in state.grid.near[unit.at] if (u := state.there.get(n)) is not None and u.side != unit.side
        ]
        if beside:
            told.append(f"{name} is in contact with {and_list(sorted(beside))}.")
        threats = [e for e in state.on_board[OTHER[unit.side]] if e.kind == AIRFIELD]
        near = [e.id for e in threats if state.grid.distance(e.at, unit.at) <= e.type.range]
        if near and unit.at not in state.covered_squares[unit.side]:
            told.append(f"{name} is in range of the airfield {and_list(near)} and without anti-aircraft cover.")
    return tuple(told)


# --- what is next ----------------------------------------------------------------------------------------------------


def next_words(state: State) -> str:
    """What has to be done or may be done now, in a line or two; empty once the game is over."""
    if state.pressed:
        unit = state.by_id[state.pressed]
        squares = and_list([state.grid.names[n] for n in retreats(state, unit)])
        owner = state.setup.side_title(unit.side)
        return f"{_unit_name(unit)} must retreat: {owner} chooses where, one of {squares}."
    setup, title = state.setup, state.setup.side_title
    match state.step:
        case "cities":
            left = (len(setup.city_squares) or setup.cities) - len(state.cities)
            return f"{count(left, 'city', 'cities')} to lay: draw lots for each, or lay it by hand."
        case "armies":
            limits, without = setup.limits, [title(side) for side in SIDES if not state.has_army(side)]
            return (
                f"{and_list(without)} to make up an army of {limits.units} units, 1 headquarters, at most"
                f" {limits.tanks} tanks, at least {limits.types} types beside the headquarters, at most {limits.alike}"
                " of one type."
            )
        case "first":
            return "The players agree who goes first, without dice."
        case "elites":
            side = side_to_act(state) or SIDES[0]
            left = setup.elites - sum(u.elite for u in state.units if u.side == side)
            return f"{title(side)} may make {count(left, 'unit')} elite, or none."
        case "place":
            side = side_to_place(state)
            places = with_verb(title(side), "places a unit on its", "place a unit on their")
            return f"{capital(places)} back {setup.home} rows, {len(state.waiting(side))} left."
        case "reinforce":
            return f"{title(state.acting)} gets a unit on its back row, now or kept for later."
        case "move":
            free = [u.id for u in state.on_board[state.acting] if destinations(state, u)]
            told = f"{and_list(free)} may move." if free else "No unit can move."
            return f"{told} The attack phase comes next."
        case "attack":
            ready = [u.id for u in state.on_board[state.acting] if targets(state, u)]
            told = f"{and_list(ready)} may attack." if ready else "No unit has a target."
            return f"{told} The turn ends after that."
    return ""


def next_forms(state: State) -> tuple[str, ...]:
    """How that is typed."""
    return (f"retreat {state.pressed} to SQUARE",) if state.pressed else FORMS.get(state.step, ())
