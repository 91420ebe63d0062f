"""The course of a battle: turns, night and dawn, reinforcements, saves, and when it is won."""

from __future__ import annotations

from collections.abc import Iterator

from tabletop.game.violations import Violation
from tabletop.rulesets.combat import actions, armies, deploying, moving
from tabletop.rulesets.combat import events as ev
from tabletop.rulesets.combat.board import OFF
from tabletop.rulesets.combat.data import CONFER, KINDS, MAJORITY, PERIODS, SIDE_TITLES, SIDES
from tabletop.rulesets.combat.state import Piece, State, airstrip_open, corps_of
from tabletop.words import count

REINFORCEMENTS, OBJECTIVES = "Reinforcements", "Variations of play, Given objectives"
MAJORITY_PLACE, TIME = "The game for two players", "Variations of play, Battle in time"
HEADQUARTERS_FALL_TO = 2


# --- the clock -------------------------------------------------------------------------------------------------------


def first_turn(state: State) -> ev.RoundBegan:
    """The first turn of the battle."""
    return ev.RoundBegan(1, 1, 1 if state.setup.is_timed else 0)


def turn_ended(state: State) -> Iterator[ev.Event]:
    """What follows when a commander's turn ends: the next one's, or the next turn of both sides, night, dawn, the
    end."""
    side, section = state.section_to_act
    yield ev.TurnEnded(state.turn, SIDES[side], corps_of(state, side, section), state.owed)
    if state.index + 1 < len(state.order):
        return
    setup, turn = state.setup, state.turn + 1
    if not setup.is_timed:
        yield ev.RoundBegan(turn)
    elif state.night == setup.regroup:
        yield ev.RoundBegan(turn, state.day + 1, 1, 0, True)
    elif state.night:
        yield ev.RoundBegan(turn, state.day, state.hour, state.night + 1)
    elif state.hour < setup.turns_a_day:
        yield ev.RoundBegan(turn, state.day, state.hour + 1)
    elif state.day < setup.days or not setup.days:
        yield ev.RoundBegan(turn, state.day, state.hour, 1)
    else:
        yield time_is_up(state)


def time_is_up(state: State) -> ev.Ended:
    """The end of the last day: the army with more on the board wins."""
    red, blue = (strength(state, side) for side in (0, 1))
    days = "a day" if state.setup.days == 1 else f"{state.setup.days} days"
    if red == blue:
        return ev.Ended(None, f"Night fell after {days}, with {_so_many(state, red)} on either side.", TIME)
    winner = "red" if red > blue else "blue"
    told = f"{_so_many(state, max(red, blue))} of {SIDE_TITLES[winner]} to {min(red, blue)}"
    return ev.Ended(winner, f"Night fell after {days}: {told}.", TIME)


def strength(state: State, side: int) -> int:
    """What a side has on the board: pieces, or their points where points alone were agreed on."""
    if state.setup.pieces:
        return len(state.armies[side])
    return sum(KINDS[piece.kind].points for piece in state.armies[side])


def _so_many(state: State, number: int) -> str:
    return count(number, "piece" if state.setup.pieces else "point")


def may_confer(state: State) -> bool:
    """Whether corps commanders may confer now: where a side has two players, after every three turns."""
    return state.setup.players > 2 and state.turn > 1 and (state.turn - 1) % CONFER == 0


# --- the end ---------------------------------------------------------------------------------------------------------


def win_event(state: State) -> ev.Ended | None:
    """Who has won as the battle stands, once every hit is settled; ``None`` where nobody has.

    Objectives come before the majority, and the side whose turn it is before the other.
    """
    if state.step != "play" or state.pending or state.result is not None:
        return None
    own = state.section_to_act[0]
    objective = capture_event(state)
    if objective is not None:
        return objective
    return None if state.owed and not state.setup.pieces else _majority(state, own)


def _majority(state: State, own: int) -> ev.Ended | None:
    counts = [strength(state, side) for side in (0, 1)]
    counts[own] += state.owed
    for side in (own, 1 - own):
        mine, theirs = counts[side], counts[1 - side]
        if mine and mine >= MAJORITY * theirs:
            told = f"{SIDE_TITLES[SIDES[side]]} has {_so_many(state, mine)}"
            if state.owed and side == own:
                reason = f"{told}, {state.owed} of them due, to {theirs}: a majority of {MAJORITY} to 1."
            else:
                reason = f"{told} to {theirs}, a majority of {MAJORITY} to 1."
            return ev.Ended(SIDES[side], reason, MAJORITY_PLACE)
    if not any(counts):
        return ev.Ended(None, "No piece is left on the board.", MAJORITY_PLACE)
    return None


def capture_event(state: State) -> ev.Ended | None:
    """Who has taken an objective of the enemy, by where the pieces stand; ``None`` where nobody has."""
    own = state.section_to_act[0]
    for side in (own, 1 - own):
        reason = _objective_taken(state, side)
        if reason:
            return ev.Ended(SIDES[side], reason, OBJECTIVES)
    return None


def _objective_taken(state: State, side: int) -> str:
    """The objective of the enemy that a side has taken, in a sentence; empty where there is none."""
    goals = [goal for goal in state.setup.objectives if SIDES.index(goal.side) != side]
    enemy, title = SIDE_TITLES[SIDES[1 - side]], SIDE_TITLES[SIDES[side]]
    place = state.headquarters[1 - side]
    if not goals and place == OFF:
        return ""
    ground = [p.at for p in state.armies[side] if p.data.ground]
    if place != OFF and sum(n in state.field.headquarters(1 - side, place) for n in ground) >= HEADQUARTERS_FALL_TO:
        return f"{title} entered {enemy}'s headquarters in {state.name(place)} with two pieces."
    for goal in goals:
        squares = {state.field.number[name] for name in goal.squares}
        if sum(n in squares for n in ground) >= goal.pieces:
            what = goal.title or {"airstrip": f"{enemy}'s airstrip", "road": "the road"}.get(goal.kind, goal.id)
            return f"{title} {'cut' if goal.kind == 'road' else 'took'} {what}."
    return ""


# --- saves -----------------------------------------------------------------------------------------------------------


def save_events(state: State, die: int) -> Iterator[ev.Event]:
    """What the save of the piece that was hit makes."""
    pending = state.pending[0]
    piece = state.by_id[pending.unit]
    is_saved = die >= pending.need
    at = state.name(piece.at)
    yield ev.Saved(piece.id, die, pending.need, pending.modifiers, is_saved, pending.cause, pending.by, at)
    if is_saved and pending.cause == "mine":
        yield from _strip_reached(state, piece)
        yield from moving.arrival_events(state, piece, piece.at)


def _strip_reached(state: State, piece: Piece) -> Iterator[ev.Event]:
    """The enemy's airstrip in whose square a piece outlived a mine, where planes are left on it."""
    field = state.field
    strip = field.strip_of.get(piece.at)
    if strip is None or field.strip_side[strip] == piece.side:
        return
    entered = moving.strip_entered(state, piece, strip)
    if entered.planes:
        yield entered


# --- reinforcements --------------------------------------------------------------------------------------------------


def against_reinforcing(state: State, action: actions.Reinforce) -> Iterator[Violation]:
    """Everything that speaks against a new piece."""
    side, field = state.section_to_act[0], state.field
    n = field.number[action.square]
    if not state.owed:
        text = "No new pieces are due: they are for a piece that is lost on the enemy's base line."
        yield Violation("nothing-owed", text, REINFORCEMENTS, firm=True)
        return
    if action.type not in state.setup.kinds:
        text = f"{KINDS[action.type].plural.capitalize()} may not be chosen in this game."
        yield Violation("kind-not-allowed", text, KINDS[action.type].place)
    yield from _against_more(state, action.type)
    if not field.behind(side, n):
        text = f"New pieces come on behind your deployment line, and {action.square} is ahead of it."
        yield Violation("ahead", text, REINFORCEMENTS)
    yield from moving.against_room(state, side, n)
    piece = Piece(f"The {KINDS[action.type].title}", side, action.type)
    yield from deploying.free_for_pieces(state, piece, n)
    if action.type == "plane" and n in field.strip_of and not airstrip_open(state, field.strip_of[n]):
        text = f"The airstrip in {action.square} is out of action while the enemy is on it."
        yield Violation("strip-closed", text, moving.STRIPS)


def _against_more(state: State, kind: str) -> Iterator[Violation]:
    """What keeps the side whose turn it is from having one more piece of a kind on the board."""
    there = sum(p.kind == kind for p in state.armies[state.section_to_act[0]])
    if there >= KINDS[kind].pool:
        text = f"All {KINDS[kind].plural} of the box are on the board."
        yield Violation("pool", text, armies.POOL, firm=True)
    period = PERIODS[state.setup.period] if state.setup.period else None
    if period is not None and there >= period.at_once.get(kind, there + 1):
        text = f"{period.title} allows {there} {KINDS[kind].plural} a side at one time."
        yield Violation("at-once", text, period.place)


def squares_for_new(state: State, kind: str) -> list[int]:
    """The squares on which a new piece of that kind may come on now; none where the side may have no more of them."""
    side, field = state.section_to_act[0], state.field
    if not state.owed or kind not in state.setup.kinds or any(True for _ in _against_more(state, kind)):
        return []
    room = [
        n
        for n in range(field.count)
        if field.own_half(side, n) and not field.river[n] and n not in state.by_square and n not in state.laid[side]
    ]
    found = deploying.allowed_squares(state, side, kind, room, 0)
    return found if kind != "plane" else [n for n in found if airstrip_open(state, field.strip_of[n])]


def new_name(state: State, kind: str, side: int) -> str:
    """The name of a new piece: the next number of its kind, or the lowest of one that was lost."""
    stem = f"{SIDES[side][0].upper()}{KINDS[kind].letter}"
    for n in range(1, KINDS[kind].pool + 1):
        if f"{stem}{n}" not in state.by_id:
            return f"{stem}{n}"
    return next(p.id for p in state.pieces if p.id.startswith(stem) and p.kind == kind and p.at == OFF)


def against_flying(state: State, action: actions.Fly) -> Iterator[Violation]:
    """What speaks against a plane's changing its airstrip."""
    piece, field = state.by_id[action.unit], state.field
    n = field.number[action.to]
    yield from moving.against_acting(state, piece)
    place = "Movement, Planes"
    if piece.kind != "plane":
        yield Violation("no-plane", f"{piece.id} is no plane.", place, firm=True)
        return
    if not state.setup.house.planes_fly:
        yield Violation("no-flying", "Planes change airstrips by the house rule only.", place)
    if piece.fired:
        yield Violation("fired", f"{piece.id} has flown this turn.", place)
    if state.night:
        yield Violation("night", "Planes stay on the ground by night.", TIME, firm=True)
    strip = field.strip_of.get(n)
    if strip is None or field.strip_side[strip] != piece.side:
        yield Violation("no-airstrip", f"{action.to} is on no airstrip of {piece.id}'s side.", place, firm=True)
    elif strip == field.strip_of.get(piece.at):
        yield Violation("same-airstrip", f"{piece.id} stands on that airstrip already.", place, firm=True)
    elif not airstrip_open(state, strip):
        text = f"The airstrip in {action.to} is out of action while the enemy is on it."
        yield Violation("strip-closed", text, moving.STRIPS)
    yield from moving.against_room(state, piece.side, n)
