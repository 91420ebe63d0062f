"""A photographed table read through the hex overlay: each hex's terrain, who stands where, and what is left open."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import shapely

from tabletop.errors import SceneError
from tabletop.overlay import asked
from tabletop.overlay.chances import cell_chances
from tabletop.overlay.forces import Forces, Stander, forces_from
from tabletop.overlay.ground import AREAS, CELLS, Cell, Ground, Measured, Piece, measured, pieces_from
from tabletop.overlay.laid import Laid
from tabletop.overlay.standing import SURE, Facing
from tabletop.rulesets.combined_arms.board import HEXES, NAMES
from tabletop.sightings import sighting_from_json

_SAME_PLACE_IN = 0.5  # a base that was answered for and now stands farther off has moved
_WORTH_NOTING = 0.25  # of a hex: a piece that covers less of any is not worth a word where it fills none by half
_MADE = {
    "woods": ("woods", "wooded crest"),
    "hill": ("crest", "wooded crest"),
    "town": ("farm",),
    "marsh": ("poor going",),
}


@dataclass(frozen=True)
class HexReading:
    """A hex as it was read: what it is, the ``chance`` of that, all answers with their chances (likeliest first), the
    ``shares`` of its area by kind, the lengths of ``road`` and ``river`` in it (in sizes of a hex), the pieces whose
    kind leaves it open, and whether its own edges do; ``settled`` by a player."""

    name: str
    cell: Cell
    chance: float
    answers: tuple[tuple[Cell, float], ...]
    shares: tuple[tuple[str, float], ...]
    road: float
    river: float
    open_pieces: tuple[str, ...] = ()
    edges_open: bool = False
    settled: bool = False

    @property
    def uncertain(self) -> bool:
        """Whether the word is not the same at 95 %."""
        return self.chance < SURE and not self.settled

    def to_json(self) -> dict[str, Any]:
        """A mapping for JSON."""
        return {
            "hex": self.name,
            "terrain": self.cell.terrain,
            "road": self.cell.road,
            "chance": round(self.chance, 3),
            "uncertain": self.uncertain,
            "answers": [{"value": str(cell), "chance": round(chance, 3)} for cell, chance in self.answers],
            "shares": {kind: round(share, 3) for kind, share in self.shares},
            "road_through": round(self.road, 3),
            "river_through": round(self.river, 3),
            "open_pieces": list(self.open_pieces),
            "settled": self.settled,
        }


@dataclass(frozen=True, eq=False)
class Reading:
    """All that the overlay tells: the layout, every hex in the order of the board, platoons and counters, questions,
    the answers so far, and notes in sentences."""

    laid: Laid
    ground: Ground
    hexes: tuple[HexReading, ...]
    forces: Forces
    questions: tuple[Mapping[str, Any], ...] = ()
    settled: tuple[asked.Settled, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def uncertain(self) -> tuple[str, ...]:
        """The names of the hexes that are flagged as uncertain."""
        return tuple(h.name for h in self.hexes if h.uncertain)


def ground_of(observation: Mapping[str, Any]) -> Ground:
    """The terrain of an observation or a scene (its mapping, checked before), and where its cameras stood; raises
    SceneError where a photo has no camera."""
    try:
        eyes = [-np.array(p["R"], dtype=np.float64).T @ np.array(p["t"]) for p in observation.get("photos") or ()]
        places = np.array([eye for eye in eyes if eye[2] > 0], dtype=np.float64).reshape(-1, 3)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise SceneError(
            "The observation has a photo without its camera (R and t): observe the photo again."
        ) from error
    return Ground(pieces_from(observation.get("terrain") or ()), places)


def terrain_of_hexes(ground: Ground, laid: Laid) -> tuple[HexReading, ...]:
    """The terrain of every hex of the board, with its chance."""
    told = measured(ground, laid.layout)
    codes = told.codes()
    chances = cell_chances(ground, laid)
    doubtful = [piece for piece in ground.pieces if piece.is_open]
    sure = cell_chances(ground, laid, all_there=True) if doubtful else chances
    rows = np.arange(len(NAMES))
    by_piece = {p.id: measured(ground.without(p.id), laid.layout).codes() != codes for p in doubtful}
    return tuple(
        _hex(n, told, int(codes[n]), chances[n], bool(sure[n, codes[n]] < SURE),
             tuple(name for name, changed in by_piece.items() if changed[n]))
        for n in rows.tolist()
    )  # fmt: skip


def _hex(
    n: int, told: Measured, code: int, chances: np.ndarray, edges_open: bool, open_pieces: tuple[str, ...]
) -> HexReading:
    order = sorted(range(len(CELLS)), key=lambda k: (-chances[k], k != code))
    answers = tuple((CELLS[k], float(chances[k])) for k in order if chances[k] > 0)
    cell, chance = answers[0] if float(chances[code]) < SURE else (CELLS[code], float(chances[code]))
    shares = tuple((kind, float(told.shares[kind][n])) for kind in told.shares if told.shares[kind][n] > 0)
    return HexReading(
        NAMES[n], cell, chance, answers, shares, float(told.road[n]), float(told.river[n]), open_pieces, edges_open
    )


def read_table(
    observation: Mapping[str, Any],
    laid: Laid,
    answers: Mapping[str, str] | None = None,
    before: Sequence[asked.Settled] = (),
) -> Reading:
    """An observation (contract section 3) or a scene read through the overlay, with the players' ``answers`` as they
    were typed, by question id, and those of earlier readings ``before``.

    Raises SceneError where the observation can't be read, AnswerError for an answer that can't be.
    """
    sighting_from_json(observation)
    ground = ground_of(observation)
    pieces = ground.pieces
    bases = observation.get("bases")
    forces = forces_from(bases if bases is not None else _typed(observation), observation.get("markers") or (), laid)
    kept, stale = _still_true(before, ground, forces)
    first = _read(ground, laid, forces, kept, stale)
    if not answers:
        return first
    facing = {s.id: s.facing is not None or s.kind == "armour" for s in forces.standers}
    fresh = [asked.read_answer(name, text, first.questions, pieces, facing) for name, text in answers.items()]
    fresh = [_placed(one, pieces, forces) for one in fresh]
    merged = {one.id: one for one in (*kept, *fresh)}
    return _read(ground, laid, forces, tuple(merged.values()), stale)


def _typed(scene: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The bases of a typed scene, as an observation has them."""
    return [
        {**base, "id": f"{unit['id']}.{place}", "unit": unit["id"], "kind": unit["kind"], "side": unit["side"]}
        for unit in scene.get("units") or ()
        for place, base in enumerate(unit["bases"], 1)
    ]


def _placed(one: asked.Settled, pieces: Sequence[Piece], forces: Forces) -> asked.Settled:
    """An answer with the place by which the thing may be found again."""
    if one.ask == "kind":
        spot = next(p.shape.representative_point() for p in pieces if p.id == one.id)
        return replace(one, at=(float(spot.x), float(spot.y)))
    if one.ask in ("hex", "facing"):
        stander = next(s for s in forces.standers if s.id == one.id.removesuffix(asked.FACING))
        return replace(one, at=stander.at)
    return one


def _still_true(
    before: Sequence[asked.Settled], ground: Ground, forces: Forces
) -> tuple[tuple[asked.Settled, ...], tuple[str, ...]]:
    """Earlier answers that count for what is seen now, and notes on those that do not."""
    kept, notes = [], []
    for one in before:
        if one.ask == "terrain":
            kept.append(one)
        elif one.ask == "kind" and one.at is not None:
            there = next((p for p in ground.pieces if p.shape.covers(shapely.Point(one.at))), None)
            if there is not None:
                kept.append(replace(one, id=there.id))
            elif one.value is not None:
                notes.append(f"What was {one.value} at ({one.at[0]:.1f}, {one.at[1]:.1f}) is not seen any more.")
        elif one.at is not None:
            name = one.id.removesuffix(asked.FACING)
            stander = next((s for s in forces.standers if s.id == name), None)
            if stander is not None and math.dist(stander.at, one.at) <= _SAME_PLACE_IN:
                kept.append(one)
            elif stander is not None:
                notes.append(f"{name} has moved since {one.id} was answered: that answer counts no more.")
    return tuple(kept), tuple(notes)


def _read(
    ground: Ground, laid: Laid, forces: Forces, settled: tuple[asked.Settled, ...], stale: tuple[str, ...]
) -> Reading:
    kinds = {one.id: one.value for one in settled if one.ask == "kind"}
    known = replace(
        ground,
        pieces=tuple(
            replace(p, kind=str(kinds[p.id]), confidence=1.0) if p.id in kinds else p
            for p in ground.pieces
            if kinds.get(p.id, p.id) is not None
        ),
    )
    words = {one.id: one.value for one in settled if one.ask == "terrain"}
    hexes = tuple(
        replace(h, cell=_cell_of(words[h.name]), chance=1.0, settled=True) if h.name in words else h
        for h in terrain_of_hexes(known, laid)
    )
    placed = {one.id: one.value for one in settled if one.ask in ("hex", "facing")}
    standers = tuple(_settled_stander(s, placed) for s in forces.standers)
    questions = [*_about_pieces(known, hexes), *_about_hexes(hexes), *_about_standers(forces.standers, placed)]
    notes = (*forces.notes, *stale, *_unfilled(known, laid, hexes), *_elsewhere(standers))
    return Reading(laid, known, hexes, replace(forces, standers=standers), tuple(questions), settled, notes)


def _cell_of(value: object) -> Cell:
    return next(cell for cell in CELLS if str(cell) == value)


def _settled_stander(stander: Stander, placed: Mapping[str, Any]) -> Stander:
    """A platoon as the players say that it stands and faces."""
    if stander.id in placed:
        name = placed[stander.id]
        there = replace(stander.footing, hex=None if name == asked.OFF_BOARD else str(name), chance=1.0, over=0.0)
        stander = replace(stander, footing=there)
    corner = placed.get(f"{stander.id}{asked.FACING}")
    if corner is not None:
        told = stander.facing
        off = 0.0 if told is None or told.corner != corner else told.error_deg
        stander = replace(stander, facing=Facing(int(corner), off, 0.0, 1.0))
    return stander


def _about_pieces(ground: Ground, hexes: Sequence[HexReading]) -> list[dict[str, Any]]:
    """One question for each piece whose kind alone leaves hexes open."""
    found = []
    for piece in ground.pieces:
        touched = [h.name for h in hexes if piece.id in h.open_pieces and not h.settled]
        if touched:
            found.append(asked.about_piece(piece, touched))
    return found


def _about_hexes(hexes: Sequence[HexReading]) -> list[dict[str, Any]]:
    return [asked.about_hex(h.name, h.answers) for h in hexes if h.uncertain and (h.edges_open or not h.open_pieces)]


def _about_standers(standers: Sequence[Stander], placed: Mapping[str, Any]) -> list[dict[str, Any]]:
    found = []
    for s in standers:
        there = s.footing
        if s.id not in placed and (there.straddles or there.is_open):
            why = (
                f"{there.over:.0%} of its base lies across the side of {there.over_hex}."
                if there.straddles
                else f'Its centre is {there.side_in:.2f}" from the side of {there.across}.'
            )
            found.append(asked.about_place(s.id, there.shares, why))
        if s.kind != "armour" or f"{s.id}{asked.FACING}" in placed:
            continue
        if s.facing is None:
            found.append(asked.about_facing(s.id, [(k, 1 / 6) for k in range(6)], "Nothing tells."))
        elif s.facing.is_open:
            ranked = sorted([(s.facing.corner, s.facing.chance), *s.facing.others], key=lambda o: -o[1])
            why = f"It is turned {abs(s.facing.error_deg):.0f} degrees off corner {s.facing.corner}."
            found.append(asked.about_facing(s.id, ranked, why))
    return found


def _unfilled(ground: Ground, laid: Laid, hexes: Sequence[HexReading]) -> list[str]:
    """Pieces on the board that make no hex what they are."""
    cells = laid.layout.polygons(HEXES)
    notes = []
    for piece in ground.of(*AREAS):
        shares = shapely.area(shapely.intersection(cells, piece.shape)) / shapely.area(cells)
        words = _MADE[piece.kind]
        made = any(h.cell.terrain in words for h, share in zip(hexes, shares, strict=True) if share > 0.1)
        if made or shares.max() < _WORTH_NOTING:
            continue
        best = hexes[int(shares.argmax())].name
        spot = piece.shape.representative_point()
        notes.append(
            f"The {piece.kind} at ({spot.x:.1f}, {spot.y:.1f}) makes no hex {words[0]}; most of it lies in {best}: "
            f'--answer "{best}={words[0]}" puts it there.'
        )
    return notes


def _elsewhere(standers: Sequence[Stander]) -> list[str]:
    off = [f"{s.id} ({s.at[0]:.1f}, {s.at[1]:.1f})" for s in standers if s.footing.hex is None]
    notes = [f"Off the board: {', '.join(off)}."] if off else []
    return notes + [
        f"{s.id} counts in {s.footing.hex}; other bases of it stand in {', '.join(s.apart)}."
        for s in standers
        if s.apart and s.footing.hex is not None
    ]
