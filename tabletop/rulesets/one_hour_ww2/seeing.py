"""Changes between two moments by the rules of One-Hour WWII: can a unit have moved so, and what happened in a game.

Between two photos nobody says in which order units moved. A move is judged with all others where they stood and with
all others where they stand now, and holds where it does in either.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from geometry import Bases
from geometry.tolerance import TOLERANCE
from tabletop.changes import Changes, UnitChange
from tabletop.errors import RulesError
from tabletop.game.protocol import Answer, Violation
from tabletop.identify import Limits
from tabletop.proposals import MoveRuling, Proposal
from tabletop.rulesets.one_hour_ww2 import acts
from tabletop.rulesets.one_hour_ww2.chances import movement
from tabletop.rulesets.one_hour_ww2.checks import violations
from tabletop.rulesets.one_hour_ww2.data import DICE, KINDS
from tabletop.rulesets.one_hour_ww2.moving import Walk, move_dice, move_total, move_violations, place_violations
from tabletop.rulesets.one_hour_ww2.setup import Piece as TerrainPiece
from tabletop.rulesets.one_hour_ww2.setup import Setup, Shape, Standing, UnitSetup, standings_of
from tabletop.rulesets.one_hour_ww2.state import Pending, State
from tabletop.rulesets.one_hour_ww2.words import text
from tabletop.scene import Unit
from tabletop.sightings import Marker, Piece, Sighting, sighting_from_scene

NUDGE_IN = 1.0
"""A unit that has not rolled and is no farther off than this was pushed by a sleeve, not moved."""

SURE = 0.8
"""A marker read with at least this confidence is taken as read."""

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


# --- two photos and no game -----------------------------------------------------------------------------------------


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


def _judge_move(changes: Changes, change: UnitChange, unit_id: str, dice: str) -> MoveRuling:
    worlds = [_state(changes, unit_id, dice, others) for others in (changes.before, changes.after)]
    rulings = [_ruling(state, _standing_after(changes, change)) for state in worlds]
    return min(rulings, key=lambda r: (("yes", "too-close", "no").index(r.answer or "yes"), len(r.violations)))


def _state(changes: Changes, unit_id: str, dice: str, others: Sighting) -> State:
    """A table with one unit where it stood, of the bases that were seen both times, and the others as sighted."""
    own = _pieces_before(changes, changes.unit(unit_id))
    units = [_unit(unit_id, own, _was_dug_in(changes.before, unit_id))]
    for other in others.units:
        if other != unit_id:
            units.append(_unit(other, [others.pieces[i] for i in others.rows(other)], False))
    sides = list(dict.fromkeys(u.side for u in units))
    plans = tuple(
        UnitSetup(u.id, u.side, u.kind, _shapes(u.bases), unique=u.unique or 0, at=standings_of(u.bases)) for u in units
    )
    terrain = tuple(
        TerrainPiece(
            t.id,
            t.kind,
            tuple((float(x), float(y)) for x, y in t.polygon),
            t.height,
            None if t.hill_top is None else tuple((float(x), float(y)) for x, y in t.hill_top),
            t.sigma,
        )
        for t in changes.after.terrain or changes.before.terrain
    )
    setup = Setup(
        "Two photos", (sides[0], sides[1] if len(sides) > 1 else ""), others.width, others.depth, plans,
        terrain=terrain, dice=dice,
    )  # fmt: skip
    return State(setup, tuple(units), turn=1, side=sides[0], step="actions")


def _was_dug_in(sighting: Sighting, unit_id: str) -> bool:
    return any(m.unit == unit_id and m.means == "dug-in" for m in sighting.markers or ())


def _pieces_before(changes: Changes, change: UnitChange) -> list[Piece]:
    by_id = {piece.id: piece for piece in changes.before.pieces}
    return [by_id[b.before] for b in change.bases if b.before is not None and b.after is not None]


def _standing_after(changes: Changes, change: UnitChange) -> tuple[Standing, ...]:
    by_id = {piece.id: piece for piece in changes.after.pieces}
    return standings_of(_bases([by_id[b.after] for b in change.bases if b.before is not None and b.after is not None]))


def _bases(pieces: Sequence[Piece]) -> Bases:
    return Bases(
        center=np.array([p.center for p in pieces]),
        facing=np.array([p.facing or 0.0 for p in pieces]),
        width=np.array([p.width for p in pieces]),
        depth=np.array([p.depth for p in pieces]),
        is_round=np.array([p.is_round for p in pieces]),
        covariance=np.array([p.covariance for p in pieces]),
        facing_sigma=np.array([math.inf if p.facing is None else p.facing_sigma for p in pieces]),
    )


def _unit(unit_id: str, pieces: Sequence[Piece], dug_in: bool) -> Unit:
    kind = next((p.kind for p in pieces if p.kind), None)
    side = next((p.side for p in pieces if p.side), None)
    if kind is None or side is None:
        raise RulesError(f'Unit "{unit_id}" has no known {"kind" if kind is None else "side"}, so it can\'t be judged.')
    unique = next((i for i, p in enumerate(pieces) if p.unique), None)
    return Unit(unit_id, side, kind, _bases(pieces), unique, dug_in=dug_in)


def _shapes(bases: Bases) -> tuple[Shape, ...]:
    return tuple(
        Shape("round" if bases.is_round[i] else "rect", float(bases.width[i]), float(bases.depth[i]))
        for i in range(len(bases))
    )


def _ruling(state: State, at: tuple[Standing, ...]) -> MoveRuling:
    """How the first unit of a state can have come to stand so, by the best roll of its dice."""
    unit = state.units[0]
    needed = move_dice(state, unit)
    rolls = list(itertools.product(needed.faces, repeat=needed.count))
    totals = [max(0, move_total(state, unit, roll)[0]) for roll in rolls]
    best = max(totals)
    found, walk = place_violations(replace(state, pending=Pending(unit.id, best)), acts.Place(unit.id, at))
    against = _apart([*move_violations(state, unit), *found])
    answer: Answer | None = None if not against else "no" if any(v.answer == "no" for v in against) else "too-close"
    length, sigma = _farthest(unit, walk, at)
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
        (_dice_words(needed.count, needed.faces, change), *because),
    )


def _apart(found: Sequence[Violation]) -> tuple[Violation, ...]:
    """Without doubts whether bases overlap: those of one photo lie side by side, however near they were measured."""
    return tuple(v for v in found if not (v.code == "overlap" and v.answer == "too-close"))


def _farthest(unit: Unit, walk: Walk, at: Sequence[Standing]) -> tuple[float, float]:
    """The longest way of a base, and its spread: that of its two ends along the line between them."""
    i = int(np.argmax(walk.lengths_in))
    step = np.array([at[i].x, at[i].y]) - unit.bases.center[i]
    size = float(np.linalg.norm(step))
    way = step / size if size > 0 else np.array([1.0, 0.0])
    xx, xy, yy = at[i].covariance
    spread = unit.bases.covariance[i] + np.array([[xx, xy], [xy, yy]])
    return walk.lengths_in[i], math.sqrt(max(0.0, float(way @ spread @ way)))


def _dice_words(count: int, faces: tuple[int, ...], change: int) -> str:
    """The dice of a move and what is added, as in "3 average dice + 2"."""
    name = _DICE_NAMES[faces]
    dice = f"{count} {name if count > 1 else name.replace('dice', 'die')}"
    return f"{dice} {'+' if change >= 0 else '-'} {abs(change)}"


# --- a game -----------------------------------------------------------------------------------------------------------


def sighting(state: State) -> Sighting:
    """The table as the game knows it."""
    return sighting_from_scene(state.scene, "the game")


def elsewhere(state: State) -> tuple[Piece, ...]:
    """A sample base of each unit that is still to be deployed."""
    found = []
    for unit_id in state.undeployed:
        plan = state.setup.unit(unit_id)
        if plan is not None:
            shape = plan.bases[-1]
            found.append(
                Piece(
                    unit_id, unit_id, plan.side, plan.kind, None, shape.shape == "round", shape.width, shape.depth,
                    np.zeros(2), np.zeros((2, 2)),
                )
            )  # fmt: skip
    return tuple(found)


def propose(state: State, changes: Changes) -> tuple[Proposal, ...]:
    """What happened since ``state``: the pending unit first, then other units, then markers, then what is in doubt."""
    game = _Seen(state, changes)
    rolled = state.pending.unit if state.pending else None
    ordered = sorted(changes.units, key=lambda change: (bool(change.doubts), change.unit != rolled))
    found = [proposal for change in ordered for proposal in game.unit(change)]
    found += [proposal for change in ordered for marker in change.markers for proposal in game.marker(marker)]
    found += [
        Proposal(None, "marker", question=f"A marker for {_MARKS[m.means]} lies beside no unit: whose is it?")
        for m in changes.markers
    ]
    return (*found, *game.missing_markers())


_MARKS = {"fired": "fire", "dug-in": "dug in", "ready": "Ready", "moved": "a move", "hits": "hits"}


@dataclass(frozen=True, eq=False)
class _Seen:
    """A game's state and what a photo shows since."""

    state: State
    changes: Changes

    def _proposal(self, unit: str, what: str, action: acts.Action, *, certain: bool, question: str = "") -> Proposal:
        found = violations(self.state, action)
        against = _apart(found)
        return Proposal(
            unit, what, action, text(action), against, certain, question, measured=len(against) < len(found)
        )

    def unit(self, change: UnitChange) -> Iterator[Proposal]:
        """What became of one unit."""
        unit_id = change.unit
        if change.doubts or unit_id is None:
            yield Proposal(unit_id, change.change, question=" ".join(change.doubts))
            return
        if self.state.setup.unit(unit_id) is None:
            yield Proposal(unit_id, "unknown", question=f"{unit_id} is not in this game: whose bases are they?")
        elif change.change == "new":
            yield self._new(change, unit_id)
        elif self.state.pending is not None and self.state.pending.unit == unit_id:
            yield from self._rolled(change, unit_id)
        elif change.change == "removed":
            yield self._gone(unit_id)
        elif change.change in ("moved", "turned", "nudged"):
            yield self._not_rolled(change, unit_id)

    def _new(self, change: UnitChange, unit_id: str) -> Proposal:
        plan = self.state.setup.unit(unit_id)
        assert plan is not None
        pieces = [self.changes.after.pieces[i] for i in self.changes.after.rows(unit_id)]
        if len(pieces) != len(plan.bases):
            question = f"{unit_id} has {len(plan.bases)} bases, and {len(pieces)} are seen: where are the others?"
            return Proposal(unit_id, "new", question=question)
        order = _in_order(pieces, plan)
        at = standings_of(_bases(order))
        if unit_id in self.state.gone:
            why = self.state.gone[unit_id]
            action = acts.Correct(unit_id, "seen on the table", at)
            return self._proposal(
                unit_id,
                "new",
                action,
                certain=False,
                question=f"{unit_id} is {why} by the log and stands on the table: put it back?",
            )
        return self._proposal(unit_id, "deployed", acts.Deploy(unit_id, at), certain=any(p.unique for p in pieces))

    def _rolled(self, change: UnitChange, unit_id: str) -> Iterator[Proposal]:
        """The unit whose movement dice are rolled."""
        unit = self.state.unit(unit_id)
        assert unit is not None
        if change.change == "removed":
            exits = [e for e in self.state.setup.exits if e.side == unit.side]
            for way in exits:
                question = f"{unit_id} is gone: did it leave by {way.title}, or was it just lifted?"
                yield self._proposal(unit_id, "left", acts.Leave(unit_id, way.id), certain=False, question=question)
            if not exits:
                yield Proposal(unit_id, "removed", question=f"{unit_id} has rolled and is gone: where does it stand?")
        elif change.change == "stayed":
            action = acts.Place(unit_id, standings_of(unit.bases))
            question = f"{unit_id} has rolled and stands where it stood: does it stay there?"
            yield self._proposal(unit_id, "stayed", action, certain=False, question=question)
        elif change.not_seen or len(change.after) != len(unit.bases):
            seen = f"{len(change.after)} of its {len(unit.bases)} bases are seen"
            question = f"{unit_id} {_motion_words(change)}, and {seen}: where are the others?"
            yield Proposal(unit_id, "moved", question=question)
        else:
            yield self._proposal(unit_id, change.change, acts.Place(unit_id, self._after(change, unit)), certain=True)

    def _after(self, change: UnitChange, unit: Unit) -> tuple[Standing, ...]:
        """Where the bases of a unit stand now, in the order of its own."""
        by_id = {piece.id: piece for piece in self.changes.after.pieces}
        went = {b.before: b.after for b in change.bases}
        ids = [went[f"{unit.id}.{i + 1}"] for i in range(len(unit.bases))]
        return standings_of(_bases([by_id[i] for i in ids if i is not None]))

    def _gone(self, unit_id: str) -> Proposal:
        action = acts.Correct(unit_id, "not on the table", off=True)
        question = f"{unit_id} is gone: destroyed, exited or just lifted?"
        return self._proposal(unit_id, "removed", action, certain=False, question=question)

    def _not_rolled(self, change: UnitChange, unit_id: str) -> Proposal:
        """A unit that is not where it stood, and has rolled no dice for that."""
        unit, far = self.state.unit(unit_id), change.farthest
        assert unit is not None
        inches = far.distance if far is not None and far.distance is not None else 0.0
        what = _motion_words(change)
        whole = len(change.after) == len(unit.bases) and not change.not_seen
        numbers = {"moved_in": inches}
        if change.change == "nudged" or (change.change == "moved" and inches <= NUDGE_IN):
            question = f"{unit_id} was nudged ({what}): put it back, or correct its place."
            if not whole:
                return Proposal(unit_id, "nudged", question=question, numbers=numbers)
            action: acts.Action = acts.Correct(unit_id, "nudged", self._after(change, unit))
            return replace(self._proposal(unit_id, "nudged", action, certain=False, question=question), numbers=numbers)
        if self.state.step == "deploy" and whole:
            deploy = acts.Deploy(unit_id, self._after(change, unit), unit.dug_in, unit.ready)
            return self._proposal(unit_id, "deployed", deploy, certain=True)
        pending = self.state.pending
        why = "it has not rolled" if pending is None else f"{pending.unit} has rolled and it has not"
        question = f"{unit_id} {what}, though {why}: roll for it, put it back, or correct its place."
        move = acts.Move(unit_id)
        return replace(self._proposal(unit_id, change.change, move, certain=False, question=question), numbers=numbers)

    def marker(self, marker: Marker) -> Iterator[Proposal]:
        """What a marker beside a unit says that the game does not know."""
        unit = self.state.unit(marker.unit) if marker.unit else None
        if unit is None:
            return
        sure = marker.confidence >= SURE
        if marker.means == "dug-in" and not unit.dug_in:
            yield self._proposal(unit.id, "dug-in", acts.DigIn(unit.id), certain=sure)
        elif marker.means == "ready" and not unit.ready:
            yield self._proposal(unit.id, "ready", acts.Ready(unit.id), certain=sure)
        elif marker.means == "fired" and not unit.fired:
            yield Proposal(unit.id, "fired", question=f"{unit.id} shows cotton: at whom did it fire?")
        elif marker.means == "moved" and not unit.moved:
            yield Proposal(unit.id, "moved", question=f"{unit.id} is marked as moved: what did it roll?")
        elif marker.means == "hits" and marker.value is not None and marker.value != unit.hits:
            action = acts.Correct(unit.id, "its hits dice", hits=marker.value)
            question = f"{unit.id} shows {marker.value} hits and has {unit.hits} by the log: which is right?"
            yield self._proposal(unit.id, "hits", action, certain=False, question=question)

    def missing_markers(self) -> Iterator[Proposal]:
        """Markers that the game has and the photo lacks; asked only where the players do lay such markers."""
        seen = [(m.unit, m.means) for change in self.changes.units for m in change.markers]
        laid = {means for _, means in seen}
        for unit in self.state.units:
            for means, has in (("dug-in", unit.dug_in), ("ready", unit.ready)):
                if has and means in laid and (unit.id, means) not in seen and self.changes.after.rows(unit.id):
                    question = f"{unit.id} is {_MARKS[means]} by the log, and no marker is seen beside it: is it still?"
                    yield Proposal(unit.id, means, question=question)


def _motion_words(change: UnitChange) -> str:
    parts = []
    if change.change != "turned" and change.farthest is not None:
        parts.append(f'moved {change.farthest.distance:.2f}"')
    if change.turned_deg is not None and abs(change.turned_deg) >= 1:
        parts.append(f"turned {abs(change.turned_deg):.0f}° {'right' if change.turned_deg > 0 else 'left'}")
    return " and ".join(parts) or "moved a little"


def _in_order(pieces: Sequence[Piece], plan: UnitSetup) -> list[Piece]:
    """A new unit's bases with the unique one in its row."""
    rest = [p for p in pieces if not p.unique]
    unique = [p for p in pieces if p.unique]
    if not unique:
        return list(pieces)
    return [*rest[: plan.unique], unique[0], *rest[plan.unique :]]


@dataclass(frozen=True)
class _Seeing:
    """This module as :class:`tabletop.proposals.Seeing`."""

    limits = staticmethod(limits)
    judge = staticmethod(judge)
    sighting = staticmethod(sighting)
    elsewhere = staticmethod(elsewhere)
    propose = staticmethod(propose)


SEEING = _Seeing()
