"""Turns a stored table without a game into a game of `measure`: with its present units, bases, markers and terrain, and
its photos and their readings on the game's own table. The stored table is unchanged. A table file starts such a game
too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from api.auth.access import HOST, SPECTATOR, Role, Seat
from api.services.services import Services
from api.setup.starting import Begun, first_ids, game_begun_by
from api.tables.near_edge import settle_near_edge
from api.tables.state import TableState, terrain_piece
from api.tables.store import PHOTO, PICTURES, opening_event, table_of
from tabletop.game.actions import Standing
from tabletop.game.registry import ruleset
from tabletop.identity.observation_rows import BaseRow, TerrainRow
from tabletop.open_table.setup import Shape, TerrainPiece
from tabletop.rulesets.measure.data import NAME
from tabletop.rulesets.measure.setup import SIDES, Setup, UnitSetup, unit_of
from tabletop.starting.new_game import free_name, name_of_file, of_roster
from tabletop.tables.model import Unit
from tabletop.tables.scene import SURE_TERRAIN
from tabletop.tables.tablefile import load_table

NOBODY = "unknown"
"""The side of bases that were assigned to none."""


def game_of_table(services: Services, table: str) -> Begun:
    """The game of a table without a game, started now unless it has been; for a game's own table, its game."""
    owner = services.owner_of(table)
    if owner is not None:
        return Begun(owner, services.entry(owner).title, "", (HOST,), again=True)
    state = services.tables.get(table)
    event, title = opening_event(table), name_of_file(state.name)
    known = game_begun_by(services, event)
    game = known or free_name(title, {entry.game for entry in services.event_store.games()})
    setup = setup_of(state)
    if known is None:
        services.event_store.start(NAME, setup, game=game, title=title, ids=first_ids(event))
    if not services.event_store.last(table_of(game)):
        _copy_table(services, table, table_of(game))
        settle_near_edge(services.tables, table_of(game))
    rules = ruleset(NAME)
    first = rules.apply(None, rules.start(setup)[0])
    roles = (HOST, *(role for role in services.roles(game) if role.kind == "side" and role.name in rules.sides(first)))
    return Begun(game, title, "", roles, again=known is not None)


def game_of_file(services: Services, path: Path) -> str:
    """Start a measured game from a table file and return its id. Raises TableFileError."""
    plan = of_roster(load_table(path), name_of_file(path.name), NAME)
    game = free_name(plan.id, {entry.game for entry in services.event_store.games()})
    services.event_store.start(plan.rules, plan.setup, game=game, title=plan.title)
    services.tables.create(path.read_text(encoding="utf-8"), path.name, table_of(game))
    return game


def roles_at_game(services: Services, seat: Seat, begun: Begun) -> tuple[Role, ...]:
    """A seat's roles at the game that its table became: those it had, where such roles exist."""
    if seat.is_host:
        return begun.roles
    there = services.roles(begun.game)
    return tuple(role for role in seat.roles if role in there) or (SPECTATOR,)


def _copy_table(services: Services, table: str, copy: str) -> None:
    """Copy the events and pictures to another id."""
    pictures = services.store.pictures
    for event in services.store.events(table):
        if event.kind == PHOTO:
            for name in PICTURES:
                data = pictures.get(f"{event.body['sha256']}/{name}-{table}.jpg")
                if data is not None:
                    pictures.put(f"{event.body['sha256']}/{name}-{copy}.jpg", data)
        services.store.append(copy, event.seq, event.kind, event.body)
    services.store.forget(table)  # every photo's body was read


def setup_of(state: TableState) -> Setup:
    """The beginning of a measured game, with everything at its place on the table."""
    file = state.table
    loose = [base for base in state.bases.values() if base["unit"] is None]
    sides = [*(side.id for side in file.sides), *(unit.side for unit in file.units)] or [*SIDES]
    sides += [base["side"] or NOBODY for base in loose]
    units = [_unit(state, unit) for unit in file.units]
    taken = {unit.id for unit in units} | {piece["id"] for piece in state.terrain}
    units += [_lone_base(base, f"base-{base['id']}" if base["id"] in taken else base["id"]) for base in loose]
    return Setup(
        title=name_of_file(state.name),
        width=file.width_in,
        depth=file.depth_in,
        sides=tuple(dict.fromkeys(sides)),
        units=tuple(units),
        terrain=tuple(_terrain(piece) for piece in state.terrain if piece.get("confidence", 1.0) >= SURE_TERRAIN),
    )


def _unit(state: TableState, unit: Unit) -> UnitSetup:
    rows = state.unit_bases(unit.id)
    has_unique = not rows or rows[0]["unique"] is True or unit.bases == 1
    marks = tuple(sorted(_marks(state.marks.get(unit.id, {}))))
    return replace(unit_of(unit), at=tuple(map(_to_standing, rows)), has_unique=has_unique, marks=marks)


def _marks(marks: Mapping[str, int | bool]) -> Iterator[tuple[str, int]]:
    return ((name.replace("_", "-"), int(value)) for name, value in marks.items() if value)


def _lone_base(base: BaseRow, name: str) -> UnitSetup:
    shape = Shape(base["shape"], base["width"], base["depth"])
    return UnitSetup(name, base["side"] or NOBODY, base["kind"] or "base", 1, shape, shape, at=(_to_standing(base),))


def _to_standing(base: BaseRow) -> Standing:
    (xx, xy), (_, yy) = base["covariance"]
    x, y = base["center"]
    sigma = base.get("facing_sigma") or 0.0
    return Standing(x, y, base["facing"], (xx, xy, yy), 0.0 if base["facing"] is None else sigma)


def _terrain(row: TerrainRow) -> TerrainPiece:
    piece = terrain_piece(row)
    return TerrainPiece(piece.id, piece.kind, piece.polygon, piece.height_in, piece.hill_top, row.get("sigma") or 0.0)
