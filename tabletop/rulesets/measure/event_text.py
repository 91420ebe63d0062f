"""Events in sentences, the same for the command line, the log, the phone and the report."""

from __future__ import annotations

import math

from geometry.tolerance import NO, YES
from tabletop.game.actions import Standing
from tabletop.measuring.data import length_words
from tabletop.open_table.setup import Shape, TerrainPiece
from tabletop.open_table.terrain import terrain_text
from tabletop.rulesets.measure import events as ev
from tabletop.rulesets.measure.action_fields import point_of
from tabletop.rulesets.measure.measuring import sight_words
from tabletop.rulesets.measure.state import State
from tabletop.words import and_list, count


def event_text(state: State | None, event: ev.Event) -> str:
    """An event in a sentence, told of the state before it."""
    if isinstance(event, ev.Started):
        setup = event.setup
        units = count(len(setup.units), "unit")
        return f"{setup.title}: a table of {setup.width:g}″ by {setup.depth:g}″, {units} on its roster."
    assert state is not None
    match event:
        case ev.TurnBegun():
            return f"Turn {event.turn} began."
        case ev.UnitAdded():
            unit = event.unit
            side = state.setup.side_title(unit.side)
            return f"{unit.id} ({unit.kind}, {side}) joined the game {place_words(unit.at)}."
        case ev.UnitPlaced():
            return f"{unit_title(state, event.unit)} was placed {place_words(event.at)}."
        case ev.UnitMoved():
            return _move_text(state, event)
        case ev.UnitRemoved():
            return f"{unit_title(state, event.unit)} was taken off the table{_why(event.reason)}."
        case ev.BaseRemoved():
            left = len(state.by_id[event.unit].at) - 1
            return f"{unit_title(state, event.unit)} lost a base{_why(event.reason)}; {left} left."
        case ev.UnitNamed():
            return f"{event.unit} is called {event.name}."
        case ev.UnitCorrected():
            return _correction_text(state, event)
        case ev.Marked():
            if not event.count:
                return f"{unit_title(state, event.unit)} has no marker {event.marker} any more."
            return f"{unit_title(state, event.unit)} has {event.count} {event.marker}."
        case ev.TerrainDrawn() | ev.TerrainErased():
            return terrain_text(event)
        case ev.TerrainChanged():
            return _reshape_text(state.ground[event.terrain], event.piece)
        case ev.TerrainCut():
            return f"{event.terrain} was cut into {', '.join(piece.id for piece in event.pieces)}."
        case ev.Measured():
            apart = length_words(event.inches, event.sigma)
            return f"{thing_words(event.first)} and {thing_words(event.second)} are {apart} apart, edge to edge."
        case ev.SightChecked():
            return sight_words(event.first, event.second, event.answer, event.between)
        case ev.ArcChecked():
            return _arc(event)
        case ev.Rolled():
            faces = f" ({event.faces} faces)" if event.faces != 6 else ""
            shown = ", ".join(map(str, event.dice))
            total = f", {sum(event.dice)} in all" if len(event.dice) > 1 else ""
            return f"{count(len(event.dice), 'die', 'dice')}{faces} rolled{_why(event.reason)}: {shown}{total}."
        case ev.Ended():
            who = f"{state.setup.side_title(event.winner)} won" if event.winner else "The game ended"
            return f"{who}{_why(event.reason)}."


def unit_title(state: State, unit: str) -> str:
    """A unit by its id, with the name that people gave it."""
    known = state.by_id.get(unit)
    return f"{unit} ({known.name})" if known is not None and known.name else unit


def thing_words(thing: str) -> str:
    """What was measured, as a sentence has it.

    >>> thing_words("A1"), thing_words("12,8.5")
    ('A1', 'the point at 12.0, 8.5')
    """
    at = point_of(thing)
    return thing if at is None else f"the point at {at[0]:.1f}, {at[1]:.1f}"


def place_words(at: tuple[Standing, ...]) -> str:
    """Where a unit's first base stands, and how many there are.

    >>> place_words((Standing(10, 8.25, 90),)), place_words((Standing(10, 8, None), Standing(12, 8, None)))
    ('at 10.0, 8.2 facing 90', 'at 10.0, 8.0 (2 bases)')
    """
    if not at:
        return "off the table"
    first = at[0]
    facing = "" if first.facing is None else f" facing {first.facing:.0f}"
    return f"at {first.x:.1f}, {first.y:.1f}{facing}{f' ({len(at)} bases)' if len(at) > 1 else ''}"


def _why(reason: str) -> str:
    return f" ({reason.rstrip('.')})" if reason else ""


def _move_text(state: State, event: ev.UnitMoved) -> str:
    """How far the base came that came farthest."""
    was = state.by_id[event.unit].at
    who = f"Base {event.base} of {unit_title(state, event.unit)}" if event.base else unit_title(state, event.unit)
    far = max((math.dist((a.x, a.y), (b.x, b.y)) for a, b in zip(was, event.at, strict=False)), default=0.0)
    shown = event.at[event.base - 1 :] if event.base else event.at
    there = place_words(shown[:1] if event.base else shown)
    return f"{who} moved {far:.1f}″, and stands {there}." if far >= 0.05 else f"{who} turned, and stands {there}."


def _correction_text(state: State, event: ev.UnitCorrected) -> str:
    parts = []
    if event.side is not None:
        parts.append(f"fights for {state.setup.side_title(event.side)}")
    if event.kind is not None:
        parts.append(f"is of kind {event.kind}")
    if event.models is not None:
        parts.append(f"has {count(event.models, 'base')} at full strength")
    if event.base is not None:
        parts.append(f"has {outline_words(event.base)}")
    if event.at:
        parts.append(f"stands {place_words(event.at)}{_sure(event.at)}")
    return f"{unit_title(state, event.unit)} was set right{_why(event.reason)}: it {'; '.join(parts)}."


def outline_words(base: Shape) -> str:
    """The outline of a unit's bases.

    >>> outline_words(Shape("rect", 2.0, 1.5)), outline_words(Shape("round", 1.0, 1.0))
    ('bases of 2″ by 1.5″', 'round bases of 1″')
    """
    size = f"{base.width:g}″" if base.shape == "round" else f"{base.width:g}″ by {base.depth:g}″"
    return f"{'' if base.shape == 'rect' else f'{base.shape} '}bases of {size}"


def _sure(at: tuple[Standing, ...]) -> str:
    """How sure places and facings are that were measured by hand: alike any way."""
    spreads = {place.covariance for place in at if any(place.covariance)}
    if any((xx, xy) != (yy, 0.0) for xx, xy, yy in spreads):
        return ""
    turns = [place.facing_sigma for place in at if place.facing_sigma]
    sigmas = [f"{math.sqrt(max(xx for xx, _, _ in spreads)):.2g}″"] if spreads else []
    sigmas += [f"{max(turns):.2g} degrees"] if turns else []
    return f", with a sigma of {and_list(sigmas)}" if sigmas else ""


def _reshape_text(old: TerrainPiece, new: TerrainPiece) -> str:
    parts = []
    if old.id != new.id:
        parts.append(f"is called {new.id}")
    if old.kind != new.kind:
        parts.append(f"is of kind {new.kind}")
    if old.height != new.height:
        parts.append(f"is {new.height:g}″ high")
    if old.polygon != new.polygon:
        parts.append("has another outline")
    if old.sigma != new.sigma and new.sigma:
        parts.append(f"has a sigma of {new.sigma:g}″")
    if old.hill_top != new.hill_top:
        parts.append("has another top" if new.hill_top else "has no top")
    return f"{old.id} {', '.join(parts)} now." if parts else f"{old.id} stayed as it was."


def _arc(event: ev.ArcChecked) -> str:
    arc = f"the front arc of {event.first}, {event.width_deg} degrees wide"
    off = f"{event.off_deg:.0f} degrees off its facing"
    if event.answer == YES:
        return f"{event.second} is in {arc} ({off})."
    if event.answer == NO:
        return f"{event.second} is not in {arc} ({off})."
    return f"Whether {event.second} is in {arc} is too close to call ({off})."
