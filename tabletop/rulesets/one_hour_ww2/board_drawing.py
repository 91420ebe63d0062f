"""A game of One-Hour WWII to be drawn: terrain, objectives, exits and zones, every base, what is known beside them.

This game hides nothing, so that everybody sees the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from tabletop.boards.data import Badge, Board, BoardPiece, Fact, Zone
from tabletop.boards.data import Unit as BoardUnit
from tabletop.open_table.board_drawing import ground_of, piece_of, points_of
from tabletop.rulesets.one_hour_ww2.board_text import grounds
from tabletop.rulesets.one_hour_ww2.checks import STEP_NAMES
from tabletop.rulesets.one_hour_ww2.data import KIND_WORDS
from tabletop.rulesets.one_hour_ww2.setup import UnitSetup
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.small_games.board_drawing import sides_of, turn_facts
from tabletop.tables.scene import Unit
from tabletop.words import and_list, capital, count, the, with_verb

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
        ground=tuple(ground_of(t) for t in state.terrain),
        zones=tuple(_zones(state)),
        facts=tuple(_facts(state)),
    )


# --- ground and zones ------------------------------------------------------------------------------------------------


def _zones(state: State) -> Iterator[Zone]:
    setup, holders = state.setup, dict(state.holders)
    for objective in setup.objectives:
        holder = holders.get(objective.id)
        title = objective.title or objective.id
        held = f"held by {the(setup.side_title(holder))}" if holder else "held by no one"
        yield Zone(objective.id, "objective", title, points_of(objective.polygon), holder, f"{capital(title)}, {held}.")
    for way in setup.exits:
        title = way.title or way.id
        says = f"Exit of {the(setup.side_title(way.side))}: {title}."
        yield Zone(way.id, "exit", title, (way.start, way.end), way.side, says)
    if state.step == "deploy":
        for n, zone in enumerate(setup.zones, 1):
            side, name = setup.side_title(zone.side), zone.id or f"zone-{n}"
            who, label = the(side), with_verb(side, "sets up here", "set up here")
            if zone.units:
                who = f"{and_list(zone.units)} of {who}"
                label = f"{and_list(zone.units)} {'sets up' if len(zone.units) == 1 else 'set up'} here"
            says = f"Here {who} may set up, all bases wholly inside."
            yield Zone(name, "deployment", capital(label), points_of(zone.polygon), zone.side, says)


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
        inches = f"{state.pending.total_in}″"
        yield Badge("moving", inches, f"has rolled {inches} and is to be put down")
    elif unit.moved:
        yield Badge("moved", "M", "moved")
    if unit.fired:
        yield Badge("fired", "F", "fired")


def _pieces(state: State, unit: Unit) -> Iterator[BoardPiece]:
    bases = unit.bases
    for row in range(len(bases)):
        unique = row == unit.unique
        name = f"{unit.id}, {'its unique base' if unique else f'base {row + 1} of {len(bases)}'}"
        drawn = piece_of(bases, row, unit.id, unit.side, unit.kind, name, is_unique=unique)
        badges = badges_of(state, unit) if unique else ()
        yield replace(drawn, badges=badges, state="hit" if unit.hits else "fresh")


# --- facts -----------------------------------------------------------------------------------------------------------


def _facts(state: State) -> Iterator[Fact]:
    setup = state.setup
    yield from turn_facts(state, STEP_NAMES[state.step])
    if state.pending is not None:
        yield Fact("To be put down", f"{state.pending.unit}, {state.pending.total_in}″")
    if state.undeployed:
        yield Fact("To be deployed", ", ".join(state.undeployed))
    holders = dict(state.holders)
    for objective in setup.objectives:
        holder = holders.get(objective.id)
        yield Fact(capital(objective.title or objective.id), setup.side_title(holder) if holder else "No one")
    for side in setup.sides:
        lost = [f"{state.losses(side, why)} {word}" for why, word in _LEFT.items() if state.losses(side, why)]
        yield Fact(f"{setup.side_title(side)} lost", ", ".join(lost) or "nothing")
