"""What short forms of actions stand for in a state: a place of a whole unit, one base of it, a line in place of an
outline, a turn and a shift."""

from __future__ import annotations

from dataclasses import replace

from geometry.bases import shape_name
from tabletop.errors import OutlineError
from tabletop.game.actions import BasePlaces, Spot, Standing
from tabletop.game.errors import ActionError
from tabletop.open_table.formations import places_at, places_in_formation
from tabletop.open_table.setup import Shape, TerrainPiece
from tabletop.open_table.terrain import complete_draw, free_name, hill_top, round_points
from tabletop.rulesets.measure import actions
from tabletop.rulesets.measure.actions import ACTIONS
from tabletop.rulesets.measure.data import GAP_IN
from tabletop.rulesets.measure.setup import UnitSetup
from tabletop.rulesets.measure.state import State, shapes_of
from tabletop.tables import drawn_terrain as hand


def complete(state: State, action: actions.Action | actions.Line | actions.Top) -> actions.Action:
    """The action with what a player left out; raises ActionError where that is open or can't be drawn."""
    try:
        return _complete(state, action)
    except OutlineError as error:
        raise ActionError(str(error)) from error


def _complete(state: State, action: actions.Action | actions.Line | actions.Top) -> actions.Action:
    match action:
        case actions.Move(unit=name) if name in state.pieces:
            return actions.Move(*_one_base(state, name, action.at))
        case actions.Correct():
            return _corrected(state, action)
        case actions.Add():
            deep = action.wide if action.is_round or action.deep is None else action.deep
            action = replace(action, deep=deep)
            return replace(action, at=_abreast(new_unit(action), action.at)) if isinstance(action.at, Spot) else action
        case actions.Place() | actions.Move() if isinstance(action.at, Spot):
            return replace(action, at=_standings(state, action, action.at))
        case actions.Draw():
            return complete_draw(state, action, state.names)
        case actions.Line():
            band = hand.band(action.along, action.wide, state.setup.width, state.setup.depth)
            drawn = actions.Draw(action.of_kind, round_points(band), high=action.high, name=action.name)
            return complete_draw(state, drawn, state.names)
        case actions.Top():
            return _complete_reshape(state, actions.Reshape(action.terrain, top=action.ring))
        case actions.Reshape():
            return _complete_reshape(state, action)
        case actions.Cut():
            return replace(action, along=round_points(action.along))
    return action


# --- places ----------------------------------------------------------------------------------------------------------


def new_unit(action: actions.Add) -> UnitSetup:
    """The unit that an action adds, not yet on the table."""
    name = shape_name(action.is_round, action.is_oval)
    shape = Shape(name, action.wide, action.wide if action.deep is None else action.deep)
    return UnitSetup(action.unit, action.side, action.of_kind or "unit", action.models, shape, shape)


def _abreast(unit: UnitSetup, spot: Spot) -> tuple[Standing, ...]:
    """A line abreast about the first base."""
    if spot.x is None or spot.y is None:
        raise ActionError(f"Where is {unit.id} put?", 'Say it as "at X,Y facing DEGREES".')
    return places_in_formation(
        tuple(shapes_of(unit, unit.models)), (spot.x, spot.y), spot.facing or 0.0, "line", GAP_IN
    )


def _standings(
    state: State, action: actions.Place | actions.Move | actions.Correct, spot: Spot
) -> tuple[Standing, ...]:
    """Places of a unit's bases: its formation is kept where it stands, else it is a line abreast."""
    unit, there = state.by_id[action.unit], state.on_table.get(action.unit)
    if there is None:
        return _abreast(unit, spot)
    x, y = (float(value) for value in there.bases.center[0])
    if spot.x is not None and spot.y is not None:
        x, y = spot.x, spot.y
    facing = float(there.bases.facing[0]) if spot.facing is None else spot.facing
    return tuple(
        replace(
            at, x=round(at.x, 6), y=round(at.y, 6), facing=None if at.facing is None else round(at.facing, 6) % 360.0
        )
        for at in places_at(there, x, y, facing)
    )


def _one_base(
    state: State, base: str, said: BasePlaces, sigma: float | None = None, facing_sigma: float | None = None
) -> tuple[str, BasePlaces]:
    """The unit of one base, and the places of all its bases with that of the one."""
    name, row = state.pieces[base]
    at = state.by_id[name].at
    if isinstance(said, Spot):
        new = at[row]
        if said.x is not None and said.y is not None:
            new = replace(new, x=said.x, y=said.y, covariance=(0.0, 0.0, 0.0))
        if said.facing is not None:
            new = replace(new, facing=said.facing, facing_sigma=0.0)
    elif len(said) == 1:
        new = said[0]
    else:
        raise ActionError(f"{base} is one base: say one place for it.", f"Usage: {ACTIONS.usage('move')}.")
    return name, (*at[:row], _measured(new, sigma, facing_sigma), *at[row + 1 :])


def _measured(at: Standing, sigma: float | None, facing_sigma: float | None) -> Standing:
    """A place by hand with how sure it is, and how sure its facing is, where they are said."""
    if facing_sigma is not None and at.facing is None:
        raise ActionError("It is not known how this base faces: state its facing too.")
    if sigma is not None:
        at = replace(at, covariance=(round(sigma**2, 6), 0.0, round(sigma**2, 6)))
    return at if facing_sigma is None else replace(at, facing_sigma=facing_sigma)


def _corrected(state: State, action: actions.Correct) -> actions.Correct:
    """Of one base the places of its whole unit; how sure a place is as its covariance, a facing as its own sigma."""
    at, sure = action.at, (action.sigma, action.facing_sigma)
    if action.unit in state.pieces and action.unit not in state.by_id:
        if (action.side, action.of_kind, action.models, action.wide, action.deep) != ("", "", None, None, None):
            raise ActionError(f"{action.unit} is one base: side, kind and size are its whole unit's.")
        name, at = _one_base(state, action.unit, at or Spot(), *sure)
        return replace(action, unit=name, at=at, sigma=None, facing_sigma=None)
    if sure != (None, None) and at == ():
        at = state.by_id[action.unit].at
        if not at:
            raise ActionError(f"{action.unit} is not on the table: say where it stands too.")
    if isinstance(at, Spot):
        at = _standings(state, action, at)
    at = tuple(_measured(one, *sure) for one in at)
    return replace(action, at=at, sigma=None, facing_sigma=None)


# --- terrain ---------------------------------------------------------------------------------------------------------


def _complete_reshape(state: State, action: actions.Reshape) -> actions.Reshape:
    """A turn and a shift as the outlines that they make; a name that follows from the new kind."""
    piece, size = state.ground[action.terrain], (state.setup.width, state.setup.depth)
    ring, top, kind = action.ring, action.top, action.of_kind or piece.kind
    if action.turn or action.shift is not None:
        if ring or top:
            raise ActionError("Say a piece's place once: by its outline, or by a turn and a shift.")
        how = action.turn, hand.middle(piece.polygon), action.shift or (0.0, 0.0)
        ring = round_points(hand.turn_points(piece.polygon, *how))
        top = round_points(hand.turn_points(piece.hill_top, *how)) if piece.hill_top else ()
    if ring:
        ring = round_points(hand.outline(ring, *size, known=piece.polygon))
        ring = () if ring == piece.polygon else ring
    if action.flat and action.top:
        raise ActionError("A hill can't have a top and none: leave one of the two out.", 'Either "top" or "no-top".')
    if kind == "hill" and not action.flat:
        kept = top or (piece.hill_top or () if ring else ())
        top = hill_top(kind, kept, ring or piece.polygon, size)
        top = () if top == piece.hill_top else top
    elif action.top:
        top = hill_top(kind, top, ring or piece.polygon, size)
    else:
        top = ()
    name = action.name or _name_of_kind(state, piece, kind)
    return replace(action, ring=ring, turn=0.0, shift=None, top=top, name="" if name == piece.id else name)


def _name_of_kind(state: State, piece: TerrainPiece, kind: str) -> str:
    """The name of a piece that is called by its kind follows its kind; other names stay."""
    number = piece.id.removeprefix(f"{piece.kind}-")
    by_kind = number != piece.id and number.isdecimal()
    return free_name(kind, state.names) if by_kind and kind != piece.kind else piece.id


def reshape(piece: TerrainPiece, action: actions.Reshape) -> TerrainPiece:
    """The piece that a completed action makes of another."""
    kind = action.of_kind or piece.kind
    top = None if kind != "hill" or action.flat else action.top or piece.hill_top
    return TerrainPiece(
        action.name or piece.id,
        kind,
        action.ring or piece.polygon,
        piece.height if action.high is None else action.high,
        top,
        (0.0 if action.ring else piece.sigma) if action.sigma is None else action.sigma,
    )


def cut_in(state: State, action: actions.Cut) -> tuple[TerrainPiece, ...]:
    """The pieces that a cut leaves, the largest first; raises OutlineError where it does not go right across."""
    piece = state.ground[action.terrain]
    names: list[str] = []
    pieces: list[TerrainPiece] = []
    for polygon in hand.parts(piece.polygon, action.along, state.setup.width, state.setup.depth, piece.id):
        name = free_name(piece.kind, {*state.names, *names}) if pieces else piece.id
        names.append(name)
        top = (piece.hill_top and hand.top_on(piece.hill_top, polygon)) or None
        pieces.append(replace(piece, id=name, polygon=round_points(polygon), hill_top=top and round_points(top)))
    return tuple(pieces)
