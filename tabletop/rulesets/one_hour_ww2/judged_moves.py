"""Moves between two photos, judged by the rules of One-Hour WWII where no game says what was rolled.

Between two photos nobody says in which order units moved. A move is judged with all others where they stood and with
all others where they stand now, and holds where it does in either.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from geometry.tolerance import TOLERANCE
from tabletop.changes.detection import Changes, UnitChange
from tabletop.changes.proposals import MoveRuling
from tabletop.errors import RulesError
from tabletop.game.violations import Answer, Violation
from tabletop.identity.matching import Limits
from tabletop.identity.table_snapshot import BaseSighting, Sighting
from tabletop.open_table.seeing import bases_of_pieces
from tabletop.open_table.setup import piece_of, shapes_of, standings_of
from tabletop.rulesets.one_hour_ww2 import actions
from tabletop.rulesets.one_hour_ww2.chances import movement
from tabletop.rulesets.one_hour_ww2.data import DICE, KINDS
from tabletop.rulesets.one_hour_ww2.ground import in_the_way, moving_radius
from tabletop.rulesets.one_hour_ww2.moving import Walk, move_dice, move_total, move_violations, place_violations
from tabletop.rulesets.one_hour_ww2.setup import Setup, Standing, UnitSetup
from tabletop.rulesets.one_hour_ww2.state import Pending, State
from tabletop.tables.scene import Unit
from tabletop.words import inch_signs

_DICE_NAMES = {DICE["d5"]: "average dice", DICE["d6"]: "dice"}


def limits(dice: str | None = None) -> Limits:
    """The farthest that units move by the best roll, wholly by road, and the widest gaps between their bases.

    Where the dice are not known, by those that take a unit farthest.
    """
    most = {
        name: float(max(max(movement(kind, dice=one, by_road=True)) for one in ([dice] if dice else DICE)))
        for name, kind in KINDS.items()
    }
    return Limits(most, {name: kind.gap_in for name, kind in KINDS.items()})


def judge(changes: Changes, dice: str | None = None) -> Mapping[str, MoveRuling]:
    """Rulings on every unit that moved or turned, by unit. Raises RulesError for a kind that the rules lack.

    Whether a unit was dug in is known where a marker beside it said so in the first photo. Bases that were not seen
    both times are left out of a ruling.
    """
    found = {}
    for change in changes.units:
        if change.unit is not None and change.change in ("moved", "turned") and change.farthest is not None:
            found[change.unit] = _judge_move(changes, change, change.unit, dice or "d5")
    return found


def judge_in_game(state: State, changes: Changes, unit: Unit, at: tuple[Standing, ...]) -> MoveRuling:
    """How a unit of a game can have come to stand so without the game's being told, with all others where the game
    has them or where they are seen."""
    return _better(ruling(state, unit, at), ruling(_as_seen(state, changes, unit.id), unit, at))


def _as_seen(state: State, changes: Changes, unit_id: str) -> State:
    """A game's state with all units but one where they are seen, those partly seen left where they stood."""
    units = []
    for other in state.units:
        pieces = [changes.after.pieces[i] for i in changes.after.rows(other.id)]
        if other.id == unit_id or (pieces and len(pieces) != len(other.bases)):
            units.append(other)
        elif pieces:
            units.append(replace(other, bases=bases_of_pieces(pieces)))
    return replace(state, units=tuple(units))


def _judge_move(changes: Changes, change: UnitChange, unit_id: str, dice: str) -> MoveRuling:
    worlds = [_state(changes, unit_id, dice, others) for others in (changes.before, changes.after)]
    return _better(*(ruling(state, state.units[0], _standing_after(changes, change)) for state in worlds))


def _better(*rulings: MoveRuling) -> MoveRuling:
    """The ruling that a move may lean on: the more lenient, then the likelier by its dice, then the shorter way."""
    order = ("yes", "too-close", "no")
    return min(
        rulings,
        key=lambda r: (order.index(r.answer or "yes"), len(r.violations), -r.chances[1], -r.chances[0], r.length_in),
    )


def _state(changes: Changes, unit_id: str, dice: str, others: Sighting) -> State:
    """A table with one unit where it stood, of the bases that were seen both times, and the others as sighted."""
    own = _pieces_before(changes, changes.unit(unit_id))
    units = [_unit(unit_id, own, _was_dug_in(changes.before, unit_id))]
    for other in others.units:
        if other != unit_id:
            units.append(_unit(other, [others.pieces[i] for i in others.rows(other)], False))
    sides = list(dict.fromkeys(u.side for u in units))
    plans = tuple(
        UnitSetup(u.id, u.side, u.kind, shapes_of(u.bases), unique=u.unique or 0, at=standings_of(u.bases))
        for u in units
    )
    terrain = tuple(map(piece_of, changes.after.terrain or changes.before.terrain))
    setup = Setup(
        "Two photos", (sides[0], sides[1] if len(sides) > 1 else ""), others.width, others.depth, plans,
        terrain=terrain, dice=dice,
    )  # fmt: skip
    return State(setup, tuple(units), turn=1, side=sides[0], step="actions")


def _was_dug_in(sighting: Sighting, unit_id: str) -> bool:
    return any(m.unit == unit_id and m.means == "dug-in" for m in sighting.markers or ())


def _pieces_before(changes: Changes, change: UnitChange) -> list[BaseSighting]:
    by_id = {piece.id: piece for piece in changes.before.pieces}
    return [by_id[b.before] for b in change.bases if b.before is not None and b.after is not None]


def _standing_after(changes: Changes, change: UnitChange) -> tuple[Standing, ...]:
    by_id = {piece.id: piece for piece in changes.after.pieces}
    pieces = [by_id[b.after] for b in change.bases if b.before is not None and b.after is not None]
    return standings_of(bases_of_pieces(pieces))


def _unit(unit_id: str, pieces: Sequence[BaseSighting], dug_in: bool) -> Unit:
    kind = next((p.kind for p in pieces if p.kind), None)
    side = next((p.side for p in pieces if p.side), None)
    if kind is None or side is None:
        raise RulesError(f'Unit "{unit_id}" has no known {"kind" if kind is None else "side"}, so it can\'t be judged.')
    unique = next((i for i, p in enumerate(pieces) if p.unique), None)
    return Unit(unit_id, side, kind, bases_of_pieces(pieces), unique, dug_in=dug_in)


def ruling(state: State, unit: Unit, at: tuple[Standing, ...]) -> MoveRuling:
    """How a unit that has not rolled can have come to stand so, by the best roll of its dice."""
    needed = move_dice(state, unit)
    rolls = list(itertools.product(needed.faces, repeat=needed.count))
    totals = [move_total(state, unit, roll)[0] for roll in rolls]
    best = max(totals)
    pending = Pending(unit.id, max(0, best), max(0, -best))
    found, walk = place_violations(replace(state, pending=pending), actions.Place(unit.id, at))
    against = apart([*move_violations(state, unit), *found])
    answer: Answer | None = None if not against else "no" if any(v.answer == "no" for v in against) else "too-close"
    i, length, sigma = _farthest(unit, walk, at)
    ends = np.array([unit.bases.center[i], (at[i].x, at[i].y)])
    straight = float(np.linalg.norm(ends[1] - ends[0]))
    across = in_the_way(state, unit, float(moving_radius(unit.bases)[i]), ends) if length > straight else []
    had = [max(0.0, total + walk.allowed_in - best) for total in totals]
    spread = TOLERANCE.sureness * sigma + TOLERANCE.length_in
    perhaps, surely = (
        [sum(roll) for roll, inches in zip(rolls, had, strict=True) if inches >= length + off]
        for off in (-spread, spread - 2 * TOLERANCE.length_in)
    )
    change, because = move_total(state, unit, ())
    return MoveRuling(
        unit.id,
        answer,
        length,
        sigma,
        walk.allowed_in,
        walk.by_road,
        needed.count,
        needed.faces,
        (min(perhaps, default=None), min(surely, default=None)),
        (Fraction(len(surely), len(rolls)), Fraction(len(perhaps), len(rolls))),
        against,
        (_dice_words(needed.count, needed.faces, change), *map(inch_signs, because)),
        straight,
        tuple(across),
    )


def apart(found: Sequence[Violation]) -> tuple[Violation, ...]:
    """Without doubts whether bases overlap: those of one photo lie side by side, however near they were measured."""
    return tuple(v for v in found if not (v.code == "overlap" and v.answer == "too-close"))


def _farthest(unit: Unit, walk: Walk, at: Sequence[Standing]) -> tuple[int, float, float]:
    """The base with the longest way, that way, and its spread: that of its two ends along the line between them."""
    i = int(np.argmax(walk.lengths_in))
    step = np.array([at[i].x, at[i].y]) - unit.bases.center[i]
    size = float(np.linalg.norm(step))
    way = step / size if size > 0 else np.array([1.0, 0.0])
    xx, xy, yy = at[i].covariance
    spread = unit.bases.covariance[i] + np.array([[xx, xy], [xy, yy]])
    return i, walk.lengths_in[i], math.sqrt(max(0.0, float(way @ spread @ way)))


def _dice_words(count: int, faces: tuple[int, ...], change: int) -> str:
    """The dice of a move and what is added, as in "3 average dice + 2"."""
    name = _DICE_NAMES[faces]
    dice = f"{count} {name if count > 1 else name.replace('dice', 'die')}"
    return f"{dice} {'+' if change >= 0 else '-'} {abs(change)}"
