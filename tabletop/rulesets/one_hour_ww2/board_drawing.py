"""A game of One-Hour WWII to be drawn: terrain, objectives, exits and zones, every base, what is known beside them.

This game hides nothing, so that everybody sees the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from tabletop.boards.data import Badge, Board, Fact, Ground, Piece, Point, Zone
from tabletop.boards.data import Unit as BoardUnit
from tabletop.open_table.board_drawing import outline_of, sides_of
from tabletop.rulesets.one_hour_ww2.board import grounds
from tabletop.rulesets.one_hour_ww2.checks import STEP_NAMES
from tabletop.rulesets.one_hour_ww2.data import KIND_WORDS
from tabletop.rulesets.one_hour_ww2.setup import UnitSetup
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.tables.scene import Terrain, Unit
from tabletop.words import and_list, capital, count

_QUARTER = 8  # segments of a quarter of a round base
_LEFT = {"destroyed": "destroyed", "exited": "left by an exit", "removed": "taken off"}


def board(
    state: State, viewer: str | None, *, table: tuple[float, float] | None = None, rims: Mapping[str, str] | None = None
) -> Board:
    """The table of a game; a game on an open table has its own size, so that ``table`` is not asked."""
    setup = state.setup
    stands = dict(grounds(state))
    acting = None if state.step == "over" else state.side
    return Board(
        width=setup.width,
        depth=setup.depth,
        grid=None,
        cell_size=None,
        sides=sides_of(setup, (acting,), rims),
        units=tuple(_unit(state, plan, stands.get(plan.id, "")) for plan in setup.units),
        pieces=tuple(piece for unit in state.units for piece in _pieces(state, unit)),
        ground=tuple(_ground(t) for t in state.terrain),
        zones=tuple(_zones(state)),
        facts=tuple(_facts(state)),
    )


# --- ground and zones ------------------------------------------------------------------------------------------------


def _ground(feature: Terrain) -> Ground:
    high = f', {feature.height:g}" high' if feature.height else ""
    top = None if feature.hill_top is None else _points(feature.hill_top.tolist())
    marked = ", its top is marked" if top else ""
    name = feature.kind if feature.id == feature.kind else f"{feature.kind} {feature.id}"
    says = f"{capital(name)}{high}{marked}."
    return Ground(feature.id, feature.kind, _points(feature.polygon.tolist()), says, (), feature.height, top)


def _zones(state: State) -> Iterator[Zone]:
    setup, holders = state.setup, dict(state.holders)
    for objective in setup.objectives:
        holder = holders.get(objective.id)
        title = objective.title or objective.id
        held = f"held by {setup.side_title(holder)}" if holder else "held by nobody"
        yield Zone(objective.id, "objective", title, _points(objective.polygon), holder, f"{capital(title)}, {held}.")
    for way in setup.exits:
        title = way.title or way.id
        says = f"Exit of {setup.side_title(way.side)}: {title}."
        yield Zone(way.id, "exit", title, (way.start, way.end), way.side, says)
    if state.step == "deploy":
        for n, zone in enumerate(setup.zones, 1):
            who = (
                f"{and_list(zone.units)} of {setup.side_title(zone.side)}"
                if zone.units
                else setup.side_title(zone.side)
            )
            says = f"Here {who} may set up, all bases wholly inside."
            name = zone.id or f"zone-{n}"
            yield Zone(name, "deployment", f"{who} sets up", _points(zone.polygon), zone.side, says)


# --- units and bases -------------------------------------------------------------------------------------------------


def _unit(state: State, plan: UnitSetup, stands: str) -> BoardUnit:
    unit = state.unit(plan.id)
    kind = KIND_WORDS.get(plan.kind, plan.kind)
    title = f"{plan.name} ({plan.id}, {kind})" if plan.name and plan.name != plan.id else f"{plan.id}, {kind}"
    badges = () if unit is None else badges_of(state, unit)
    where = _where(state, plan.id) if unit is None else stands
    told = "; ".join([*(badge.says for badge in badges), *([where] if where else [])])
    says = f"{title}, {state.setup.side_title(plan.side)}{': ' + told if told else ''}."
    acted = plan.id in state.acted or plan.id in state.settled
    return BoardUnit(plan.id, plan.side, plan.kind, title, unit is not None, None, badges, acted, says)


def _where(state: State, unit: str) -> str:
    """Why a unit is not on the table."""
    gone = next(((why, turn) for name, why, turn in state.off if name == unit), None)
    return "to be deployed" if gone is None else f"{_LEFT[gone[0]]} in turn {gone[1]}"


def badges_of(state: State, unit: Unit) -> tuple[Badge, ...]:
    """A unit's markers."""
    return tuple(_badges(state, unit))


def _badges(state: State, unit: Unit) -> Iterator[Badge]:
    if unit.hits:
        text = f"{unit.hits}/{unit.permanent}" if unit.permanent else str(unit.hits)
        lasting = f", {unit.permanent} of them permanent" if unit.permanent else ""
        yield Badge("hits", text, f"{count(unit.hits, 'hit')}{lasting}")
    if unit.dug_in:
        yield Badge("dug-in", "D", "dug in")
    if unit.ready:
        yield Badge("ready", "R", "Ready")
    if state.pending is not None and state.pending.unit == unit.id:
        inches = f'{state.pending.total_in}"'
        yield Badge("moving", inches, f"has rolled {inches} and is to be put down")
    elif unit.moved:
        yield Badge("moved", "M", "moved")
    if unit.fired:
        yield Badge("fired", "F", "fired")


def _pieces(state: State, unit: Unit) -> Iterator[Piece]:
    bases = unit.bases
    for row in range(len(bases)):
        unique = row == unit.unique
        known = bool(bases.is_round[row]) or math.isfinite(bases.facing_sigma[row])
        facing = float(bases.facing[row]) % 360.0 if math.isfinite(bases.facing_sigma[row]) else None
        x, y = bases.center[row].tolist()
        says = f"{unit.id}, {'its unique base' if unique else f'base {row + 1} of {len(bases)}'}"
        turned = f", facing {facing:.0f}" if facing is not None else ", facing not known"
        yield Piece(
            id=piece_id(unit.id, row),
            unit=unit.id,
            side=unit.side,
            kind=unit.kind,
            label=unit.id,
            shape="round" if bases.is_round[row] else "rect",
            width=float(bases.width[row]),
            depth=float(bases.depth[row]),
            center=(x, y),
            facing=facing,
            outline=outline_of(bases, row),
            says=f"{says}, at {x:.1f}, {y:.1f}{turned}{'' if known else ', drawn as a disc'}.",
            unique=unique,
            badges=badges_of(state, unit) if unique else (),
            state="hit" if unit.hits else "fresh",
        )


def piece_id(unit: str, row: int) -> str:
    """What a base is called: its unit and its number, from 1.

    >>> piece_id("A1", 0)
    'A1.1'
    """
    return f"{unit}.{row + 1}"


def _points(points: Sequence[Sequence[float]]) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in points)


# --- facts -----------------------------------------------------------------------------------------------------------


def _facts(state: State) -> Iterator[Fact]:
    setup = state.setup
    yield Fact("Game", setup.title)
    if state.turn:
        yield Fact("Turn", f"{state.turn} of {setup.turns}" if setup.turns else str(state.turn))
    yield Fact("Phase", capital(STEP_NAMES[state.step].removeprefix("the ")))
    if state.result is not None:
        yield Fact("Winner", setup.side_title(state.result.winner) if state.result.winner else "A draw")
        yield Fact("Because", state.result.reason)
    elif state.step != "deploy":
        yield Fact("To act", setup.side_title(state.side))
    if state.pending is not None:
        yield Fact("To be put down", f'{state.pending.unit}, {state.pending.total_in}"')
    if state.undeployed:
        yield Fact("To be deployed", ", ".join(state.undeployed))
    holders = dict(state.holders)
    for objective in setup.objectives:
        holder = holders.get(objective.id)
        yield Fact(capital(objective.title or objective.id), setup.side_title(holder) if holder else "Nobody")
    for side in setup.sides:
        lost = [f"{state.losses(side, why)} {word}" for why, word in _LEFT.items() if state.losses(side, why)]
        yield Fact(f"{setup.side_title(side)} lost", ", ".join(lost) or "nothing")
