"""What a photo says has happened in a measured game: who stands elsewhere, who came, who is gone.

No moves are judged. The module is the :class:`tabletop.changes.proposals.Seeing` of these rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from geometry.bases import shape_name
from tabletop.changes.detection import Changes, UnitChange
from tabletop.changes.proposals import Proposal, proposed_action
from tabletop.game.actions import Standing
from tabletop.identity.table_snapshot import BaseSighting
from tabletop.open_table.seeing import bases_of_pieces, judge, limits, sample_pieces, sighting, unit_proposals
from tabletop.open_table.setup import Shape, piece_id, standings_of
from tabletop.open_table.terrain_proposals import propose_with_terrain
from tabletop.rulesets.measure import actions
from tabletop.rulesets.measure.event_text import outline_words
from tabletop.rulesets.measure.play import RULES
from tabletop.rulesets.measure.setup import UnitSetup
from tabletop.rulesets.measure.state import State, shapes_of
from tabletop.words import count


def elsewhere(state: State) -> tuple[BaseSighting, ...]:
    """A sample base of each make of the units that are not on the table."""
    waiting = (unit for unit in state.units if not unit.at)
    return tuple(one for unit in waiting for one in sample_pieces(unit.id, unit.side, unit.kind, unit.every_base))


def propose(state: State, changes: Changes) -> tuple[Proposal, ...]:
    """New terrain, then who stands elsewhere now, those without doubts first."""
    return propose_with_terrain(state, changes, _units)


def _units(state: State, changes: Changes) -> tuple[Proposal, ...]:
    whose = "add it, or say whose bases they are."
    return unit_proposals(changes, state.by_id, whose, lambda change, unit: _unit(state, changes, change, unit))


def _unit(state: State, changes: Changes, change: UnitChange, name: str) -> Iterator[Proposal]:
    unit = state.by_id[name]
    if change.change == "removed":
        question = f"{name} is not seen any more: taken off the table, or just lifted?"
        yield proposed_action(RULES, state, name, "removed", actions.Remove(name), question=question)
    elif (outline := outline_seen(changes, unit)) is not None:
        yield _sized(state, changes, change, unit, outline)
    elif change.change == "new":
        at = seen_at(changes, unit)
        if at is None:
            yield Proposal(name, "new", question=which_bases(unit))
            return
        told = f"{name} stands on the table{_how_many(unit, at)}"
        yield proposed_action(RULES, state, name, "new", actions.Place(name, at), told=told)
    elif change.change in ("moved", "turned", "nudged") or change.not_seen:
        yield from _move_proposals(state, changes, change, unit)


def _sized(state: State, changes: Changes, change: UnitChange, unit: UnitSetup, outline: Shape) -> Proposal:
    """A hand has set the outline of a unit's bases on the photo: they get it where they are seen."""
    action = as_seen(changes, unit, "")
    what = change.change if change.change in ("new", "moved", "turned", "nudged") else "resized"
    return proposed_action(
        RULES, state, unit.id, what, action, told=f"{unit.id} has {outline_words(outline)} where it is seen"
    )


def _how_many(unit: UnitSetup, at: Sequence[Standing]) -> str:
    return "" if len(at) == unit.models else f" with {len(at)} of its {count(unit.models, 'base')}"


def which_bases(unit: UnitSetup) -> str:
    """The question about a unit of several sizes, where a photo does not show which of its bases are there."""
    return f"Which bases of {unit.id} are these? Take a photo with all {unit.models} of them, or place them by hand."


def base_removals(state: State, changes: Changes, unit: UnitSetup, reason: str = "") -> Iterator[Proposal]:
    """Of a unit of several sizes each base that is not seen, the last one first, so that the others keep their
    numbers until it is gone."""
    if not unit.other_bases:
        return
    there = {base.before for base in changes.unit(unit.id).bases if base.after is not None}
    for row in reversed(range(len(unit.at))):
        name = piece_id(unit.id, row)
        if name not in there:
            question = f"Base {row + 1} of {unit.id} is not seen: taken off the table?"
            yield proposed_action(RULES, state, unit.id, "removed", actions.Remove(name, reason), question=question)


def _move_proposals(state: State, changes: Changes, change: UnitChange, unit: UnitSetup) -> Iterator[Proposal]:
    at = seen_at(changes, unit)
    if at is None:
        yield Proposal(unit.id, change.change, question=which_bases(unit))
        return
    if change.change in ("moved", "turned", "nudged") or not unit.other_bases:
        yield _move_proposal(state, change, unit, at)
    yield from base_removals(state, changes, unit)


def _move_proposal(state: State, change: UnitChange, unit: UnitSetup, at: tuple[Standing, ...]) -> Proposal:
    far = change.farthest
    inches = far.distance if far is not None and far.distance is not None else 0.0
    numbers = {"moved_in": round(inches, 3)}
    move = actions.Move(unit.id, at)
    if len(at) < len(unit.at):
        gone = len(unit.at) - len(at)
        question = f"{count(gone, 'base')} of {unit.id} {'is' if gone == 1 else 'are'} not seen: taken off the table?"
        return proposed_action(RULES, state, unit.id, "moved", move, question=question, numbers=numbers)
    if change.change == "nudged":
        question = f"{unit.id} was nudged by {inches:.2f}″: is this its place now?"
        return proposed_action(RULES, state, unit.id, "nudged", move, question=question, numbers=numbers)
    turned = f" and {change.turn_words}" if change.turn_words else ""
    told = f"{unit.id} moved {inches:.1f}″{turned}" if change.change == "moved" else f"{unit.id}{turned[4:]}"
    return proposed_action(RULES, state, unit.id, change.change, move, told=told, numbers=numbers)


def seen_at(changes: Changes, unit: UnitSetup) -> tuple[Standing, ...] | None:
    """Where the bases of a unit are seen, in the unit's order: the unique base first where it is known.

    Bases of a unit of several sizes that are not seen stay where they were; ``None`` where that leaves open which of
    its bases are seen.
    """
    pieces = [changes.after.pieces[row] for row in changes.after.rows(unit.id)]
    went = {base.after: base.before for base in changes.unit(unit.id).bases if base.after is not None}
    known = {piece_id(unit.id, row): row for row in range(len(unit.at))}

    def place(piece: BaseSighting) -> tuple[bool, int]:
        return not piece.unique, known.get(went.get(piece.id) or "", len(known))

    pieces.sort(key=place)
    at = standings_of(bases_of_pieces(pieces))
    if not unit.other_bases:
        return at
    stays = bool(unit.at) and len(at) <= len(unit.at)
    shapes = tuple(shapes_of(unit, len(unit.at))) if stays else unit.every_base
    found: list[Standing | None] = list(unit.at) if stays else [None] * len(shapes)
    free = list(range(len(shapes)))
    for piece, standing in zip(pieces, at, strict=True):
        fitting = [row for row in free if shapes[row] == _nearest(piece, shapes)]
        before = known.get(went.get(piece.id) or "")
        if not fitting:
            return None
        row = before if stays and before in free else fitting[0]
        free.remove(row)
        found[row] = standing
    whole = tuple(one for one in found if one is not None)
    return whole if len(whole) == len(found) else None


def _nearest(piece: BaseSighting, shapes: Sequence[Shape]) -> Shape:
    """The outline that is nearest to that of a base."""
    seen = shape_name(piece.is_round, piece.is_oval)
    return min(shapes, key=lambda s: (s.shape != seen, abs(s.width - piece.width) + abs(s.depth - piece.depth)))


def outline_seen(changes: Changes, unit: UnitSetup) -> Shape | None:
    """The outline that a hand has set for a unit's bases on the photo; ``None`` where that is theirs already."""
    for row in changes.after.rows(unit.id):
        piece = changes.after.pieces[row]
        shape = Shape(shape_name(piece.is_round, piece.is_oval), piece.width, piece.depth)
        if piece.is_sized and not unit.other_bases and shape not in (unit.base, unit.unique_base):
            return shape
    return None


def as_seen(changes: Changes, unit: UnitSetup, reason: str) -> actions.Correct:
    """The correction that puts a unit where it is seen, with the outline that a hand has set for its bases."""
    action, base = actions.Correct(unit.id, reason, at=seen_at(changes, unit) or ()), outline_seen(changes, unit)
    if base is None:
        return action
    is_round, is_oval = base.shape == "round", base.shape == "oval"
    return replace(action, wide=base.width, deep=base.depth, is_round=is_round, is_oval=is_oval)


__all__ = ["as_seen", "base_removals", "elsewhere", "judge", "limits", "propose", "seen_at", "sighting", "which_bases"]
