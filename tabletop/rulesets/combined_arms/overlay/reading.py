"""A photographed table read through the hex overlay: each hex's terrain, who stands where, and what is left open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import shapely

from tabletop.grids.board_questions import BoardAnswer, Value, about_footing, about_terrain
from tabletop.grids.cell_shares import note_on_unseen, unseen_names
from tabletop.grids.hexes.facing import Facing
from tabletop.grids.placement import BoardPlacement
from tabletop.grids.standing import bases_of, notes_on_those_off_board
from tabletop.grids.table_terrain import TableTerrain, TerrainPiece, note_on_unused_kinds, terrain_of
from tabletop.identity.table_snapshot import sighting_from_json
from tabletop.rulesets.combined_arms.overlay.forces import Forces, Stander, forces_from
from tabletop.rulesets.combined_arms.overlay.questions import FACING, about_facing, about_piece, read_answer
from tabletop.rulesets.combined_arms.overlay.terrain import (
    AREAS,
    HEX_TERRAIN,
    HexReading,
    HexTerrain,
    terrain_of_hexes,
)

_WORTH_NOTING = 0.25  # of a hex: a piece that covers less of any is not worth a word where it fills none by half
_MAKES = {
    "woods": ("woods", "wooded crest"),
    "hill": ("crest", "wooded crest"),
    "town": ("farm",),
    "marsh": ("poor going",),
}


@dataclass(frozen=True, eq=False)
class Reading:
    """All that the overlay tells: where the board lies, the table's terrain, every hex in the order of the board,
    platoons and counters, questions, the answers so far, and notes in sentences."""

    placement: BoardPlacement
    terrain: TableTerrain
    hexes: tuple[HexReading, ...]
    forces: Forces
    questions: tuple[Mapping[str, Any], ...] = ()
    answers: tuple[BoardAnswer, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def uncertain(self) -> tuple[str, ...]:
        """The names of the hexes that are flagged as uncertain."""
        return tuple(h.name for h in self.hexes if h.uncertain)


def read_table(
    observation: Mapping[str, Any],
    placement: BoardPlacement,
    answers: Mapping[str, str] | None = None,
    before: Sequence[BoardAnswer] = (),
) -> Reading:
    """An observation (contract section 3) or a scene read through the overlay, with the players' ``answers`` as they
    were typed, by question id, and those of earlier readings ``before``.

    Raises SceneError where the observation can't be read, AnswerError for an answer that can't be.
    """
    sighting_from_json(observation)
    terrain = terrain_of(observation)
    pieces = terrain.pieces
    forces = forces_from(bases_of(observation), observation.get("markers") or (), placement)
    kept, stale = _still_true(before, terrain, forces)
    first = _read(terrain, placement, forces, kept, stale)
    if not answers:
        return first
    facing = {s.id: s.facing is not None or s.kind == "armour" for s in forces.standers}
    fresh = [read_answer(name, text, first.questions, pieces, facing) for name, text in answers.items()]
    fresh = [_with_place(one, pieces, forces) for one in fresh]
    merged = {one.id: one for one in (*kept, *fresh)}
    return _read(terrain, placement, forces, tuple(merged.values()), stale)


def _with_place(one: BoardAnswer, pieces: Sequence[TerrainPiece], forces: Forces) -> BoardAnswer:
    """An answer with the place by which the thing may be found again."""
    if one.ask == "kind":
        spot = next(p.shape.representative_point() for p in pieces if p.id == one.id)
        return replace(one, at=(float(spot.x), float(spot.y)))
    if one.ask in ("hex", "facing"):
        stander = next(s for s in forces.standers if s.id == one.id.removesuffix(FACING))
        return replace(one, at=stander.at)
    return one


def _still_true(
    before: Sequence[BoardAnswer], terrain: TableTerrain, forces: Forces
) -> tuple[tuple[BoardAnswer, ...], tuple[str, ...]]:
    """Earlier answers that count for what is seen now, and notes on those that do not."""
    kept, notes = [], []
    for one in before:
        if one.ask == "terrain":
            kept.append(one)
        elif one.ask == "kind" and one.at is not None:
            there = next((p for p in terrain.pieces if p.shape.covers(shapely.Point(one.at))), None)
            if there is not None:
                kept.append(replace(one, id=there.id))
            elif one.value is not None:
                notes.append(f"What was {one.value} at ({one.at[0]:.1f}, {one.at[1]:.1f}) is not seen any more.")
        elif one.at is not None:
            name = one.id.removesuffix(FACING)
            stander = next((s for s in forces.standers if s.id == name), None)
            if stander is not None and one.is_of_place(stander.at):
                kept.append(one)
            elif stander is not None:
                notes.append(f"{name} has moved since {one.id} was answered: that answer counts no more.")
    return tuple(kept), tuple(notes)


def _read(
    terrain: TableTerrain,
    placement: BoardPlacement,
    forces: Forces,
    answers: tuple[BoardAnswer, ...],
    stale: tuple[str, ...],
) -> Reading:
    known = _with_kinds(terrain, {one.id: one.value for one in answers if one.ask == "kind"})
    words = {one.id: one.value for one in answers if one.ask == "terrain"}
    hexes = tuple(
        replace(h, terrain=_terrain_named(words[h.name]), chance=1.0, settled=True) if h.name in words else h
        for h in terrain_of_hexes(known, placement)
    )
    placed = {one.id: one.value for one in answers if one.ask in ("hex", "facing")}
    standers = tuple(_settled_stander(s, placed) for s in forces.standers)
    questions = [*_about_pieces(known, hexes), *_about_hexes(hexes), *_about_standers(forces.standers, placed)]
    notes = (
        *forces.notes,
        *stale,
        *note_on_unused_kinds(known),
        *note_on_unseen(unseen_names(known, placement)),
        *_ineffective_pieces(known, placement, hexes),
        *notes_on_those_off_board(standers),
        *_spread_out(standers),
    )
    return Reading(placement, known, hexes, replace(forces, standers=standers), tuple(questions), answers, notes)


def _with_kinds(terrain: TableTerrain, kinds: Mapping[str, Value]) -> TableTerrain:
    """The terrain with the kinds that players gave pieces (``None``: it is none)."""
    pieces = [piece for piece in terrain.pieces if kinds.get(piece.id, piece.id) is not None]
    return terrain.with_pieces(
        replace(piece, kind=str(kinds[piece.id]), confidence=1.0) if piece.id in kinds else piece for piece in pieces
    )


def _terrain_named(value: Value) -> HexTerrain:
    return next(terrain for terrain in HEX_TERRAIN if str(terrain) == value)


def _settled_stander(stander: Stander, placed: Mapping[str, Value]) -> Stander:
    """A platoon as the players say that it stands and faces."""
    if stander.id in placed:
        stander = replace(stander, footing=stander.footing.settled_in(str(placed[stander.id])))
    corner = placed.get(f"{stander.id}{FACING}")
    if corner is not None:
        measured = stander.facing
        off = 0.0 if measured is None or measured.corner != corner else measured.error_deg
        stander = replace(stander, facing=Facing(int(corner), off, 0.0, 1.0))
    return stander


def _about_pieces(terrain: TableTerrain, hexes: Sequence[HexReading]) -> list[dict[str, Any]]:
    """One question for each piece whose kind alone leaves hexes open."""
    found = []
    for piece in terrain.pieces:
        touched = [h.name for h in hexes if piece.id in h.open_pieces and not h.settled]
        if touched:
            found.append(about_piece(piece, touched))
    return found


def _about_hexes(hexes: Sequence[HexReading]) -> list[dict[str, Any]]:
    return [
        about_terrain(h.name, "hex", h.answers, HEX_TERRAIN)
        for h in hexes
        if h.uncertain and (h.edges_open or not h.open_pieces)
    ]


def _about_standers(standers: Sequence[Stander], placed: Mapping[str, Value]) -> list[dict[str, Any]]:
    found = []
    for s in standers:
        if s.id not in placed and s.footing.is_doubtful:
            found.append(about_footing(s.id, "hex", s.footing))
        if s.kind == "armour" and f"{s.id}{FACING}" not in placed and (s.facing is None or s.facing.is_open):
            found.append(about_facing(s.id, s.facing))
    return found


def _ineffective_pieces(terrain: TableTerrain, placement: BoardPlacement, hexes: Sequence[HexReading]) -> list[str]:
    """Pieces on the board that make no hex what they are."""
    outlines = placement.polygons
    notes = []
    for piece in terrain.of(*AREAS):
        shares = shapely.area(shapely.intersection(outlines, piece.shape)) / shapely.area(outlines)
        words = _MAKES[piece.kind]
        makes = any(h.terrain.word in words for h, share in zip(hexes, shares, strict=True) if share > 0.1)
        if makes or shares.max() < _WORTH_NOTING:
            continue
        best = hexes[int(shares.argmax())].name
        spot = piece.shape.representative_point()
        notes.append(
            f"The {piece.kind} at ({spot.x:.1f}, {spot.y:.1f}) makes no hex {words[0]}; most of it lies in {best}: "
            f"answer that {best} is {words[0]} to put it there."
        )
    return notes


def _spread_out(standers: Sequence[Stander]) -> list[str]:
    """Platoons whose bases stand in several hexes."""
    return [
        f"{s.id} counts in {s.footing.cell}; other bases of it stand in {', '.join(s.apart)}."
        for s in standers
        if s.apart and s.footing.cell is not None
    ]
