"""A photographed table read through a board of squares: each square's ground, who stands where, what is left open.

The observation is the photo's (contract, section 3), or a typed scene; answers are the players', by question id: a
square ("c4"), a unit ("R3"). Nothing here knows of rules.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import shapely

from geometry.squares import SquareBoard
from tabletop.errors import AnswerError, SceneError
from tabletop.overlay.asked import about_place, question
from tabletop.overlay.reading import ground_of
from tabletop.overlay.standing import OFF_BOARD
from tabletop.sightings import sighting_from_json
from tabletop.squared import laid as laying
from tabletop.squared.laid import LaidSquares
from tabletop.squared.standing import Nameless, SquareStander, standers_from
from tabletop.squared.terrain import AREAS, SquareGround, SquareReading, terrain_of_squares

_SAME_PLACE_IN = 0.5  # a base that was answered for and now stands farther off has moved
_LEAST = 0.01


@dataclass(frozen=True)
class Settled:
    """An answer: the question's ``id``, what was asked for (terrain or square), its value and, of a unit, the place
    ``at`` in inches by which it may be found again."""

    id: str
    ask: str
    value: str
    at: tuple[float, float] | None = None

    def to_json(self) -> dict[str, Any]:
        """A mapping for JSON."""
        place = {} if self.at is None else {"at": [round(v, 3) for v in self.at]}
        return {"id": self.id, "ask": self.ask, "value": self.value, "by": "player", **place}

    @classmethod
    def from_json(cls, data: Mapping[str, Any], board: SquareBoard) -> Settled:
        """The answer of ``to_json``; raises KeyError, TypeError or ValueError for any other."""
        name, ask, value, at = str(data["id"]), str(data["ask"]), str(data["value"]), data.get("at")
        if ask == "terrain":
            board.parse(name)
            value = str(SquareGround.of(value))
        elif ask == "square":
            value = OFF_BOARD if value == OFF_BOARD else board.name(board.parse(value))
        else:
            raise ValueError(f"{name} is no answer on a board: {ask}")
        return cls(name, ask, value, None if at is None else (float(at[0]), float(at[1])))


@dataclass(frozen=True, eq=False)
class SquaresReading:
    """All that the overlay tells: the layout, every square in the board's order, units, bases of no known unit,
    questions, the answers so far, and notes in sentences."""

    laid: LaidSquares
    squares: tuple[SquareReading, ...]
    standers: tuple[SquareStander, ...]
    nameless: tuple[Nameless, ...] = ()
    questions: tuple[Mapping[str, Any], ...] = ()
    settled: tuple[Settled, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def uncertain(self) -> tuple[str, ...]:
        """The names of the squares that are flagged as uncertain."""
        return tuple(square.name for square in self.squares if square.uncertain)

    def to_json(self) -> dict[str, Any]:
        """A mapping for JSON: what lies and stands on the board, and in ``overlay`` how it was read."""
        board = self.laid.board
        return {
            "version": 1,
            "board": {"columns": board.columns, "rows": board.rows},
            "ground": {s.name: s.ground.kind for s in self.squares if s.ground.kind != "open"},
            "road": [s.name for s in self.squares if s.ground.road],
            "river": [s.name for s in self.squares if s.ground.river],
            "units": [{"id": s.id, "side": s.side, "kind": s.kind, "square": s.square} for s in self.standers],
            "overlay": {
                "layout": self.laid.to_json(),
                "uncertain": list(self.uncertain),
                "squares": [square.to_json() for square in self.squares],
                "units": [stander.to_json() for stander in self.standers],
                "nameless": [{"id": b.id, "side": b.side, "square": b.footing.hex} for b in self.nameless],
                "questions": [dict(one) for one in self.questions],
                "settled": [one.to_json() for one in self.settled],
                "notes": list(self.notes),
            },
        }


def read_squares(
    observation: Mapping[str, Any],
    laid: LaidSquares,
    answers: Mapping[str, str] | None = None,
    before: Sequence[Settled] = (),
) -> SquaresReading:
    """An observation or a typed scene read through the overlay, with the players' ``answers`` as they were typed, by
    question id, and those of earlier readings ``before``.

    Raises SceneError where the observation can't be read, AnswerError for an answer that can't be.
    """
    sighting_from_json(observation)
    bases = observation.get("bases")
    rows = bases if bases is not None else _typed(observation)
    standers, nameless = standers_from(rows, observation.get("markers") or (), laid)
    ground = ground_of(observation)
    if laid.chequered:
        ground = replace(ground, pieces=tuple(piece for piece in ground.pieces if piece.sigma_in == 0))
    squares = terrain_of_squares(ground, laid, _crests(observation))
    kept, stale = _still_true(before, standers)
    fresh = [_answer(name, text, squares, standers, laid.board) for name, text in (answers or {}).items()]
    settled = {one.id: one for one in (*kept, *fresh)}
    told = tuple(_settled_square(square, settled) for square in squares)
    placed = tuple(_settled_stander(stander, settled) for stander in standers)
    questions = [about_ground(square) for square in told if square.uncertain]
    questions += [about_stander(s) for s in standers if s.is_open and s.id not in settled]
    notes = (*stale, *_elsewhere(placed), *_unnamed(nameless))
    return SquaresReading(laid, told, placed, nameless, tuple(questions), tuple(settled.values()), notes)


def about_ground(square: SquareReading) -> dict[str, Any]:
    """The question what a square has."""
    listed = [(ground, chance) for ground, chance in square.answers if chance >= _LEAST]
    words = " or ".join(str(ground) for ground, _ in listed)
    answers: list[tuple[str | int | None, float, str]] = [(str(g), chance, str(g)) for g, chance in listed]
    rest = [kind for kind in ("open", *AREAS) if kind not in {str(ground) for ground, _ in listed}]
    return question(square.name, "terrain", f"Square {square.name}: {words}?", answers, [square.name], rest)


def about_stander(stander: SquareStander) -> dict[str, Any]:
    """The question in which square a unit stands."""
    return {**about_place(stander.id, stander.footing.shares, why(stander)), "ask": "square"}


def why(stander: SquareStander) -> str:
    """Why it has to be asked where a unit stands, in a sentence."""
    there = stander.footing
    if there.straddles:
        return f"{there.over:.0%} of its base lies across the side of {there.over_hex}."
    return f'Its centre is {there.side_in:.2f}" from the side of {there.across}.'


def before_from(data: object, where: str, board: SquareBoard) -> tuple[LaidSquares, tuple[Settled, ...]]:
    """The layout and the answers that an earlier reading's file has; raises SceneError where it is none."""
    overlay = data.get("overlay") if isinstance(data, Mapping) else None
    size = data.get("board") if isinstance(data, Mapping) else None
    if not isinstance(overlay, Mapping) or not isinstance(size, Mapping):
        raise SceneError(f"{where} is no reading of a board of squares: name one that `tabletop overlay` wrote.")
    if (size.get("columns"), size.get("rows")) != (board.columns, board.rows):
        raise SceneError(
            f"{where} has a board of {size.get('columns')} x {size.get('rows')} squares, and this game one of "
            f"{board.columns} x {board.rows}: leave --previous out."
        )
    try:
        settled = tuple(Settled.from_json(one, board) for one in overlay["settled"])
    except (KeyError, TypeError, ValueError) as error:
        raise SceneError(f"{where} has answers that can't be read: write it again with `tabletop overlay`.") from error
    return laying.from_json(overlay.get("layout"), where, board), settled


# --- inside ----------------------------------------------------------------------------------------------------------


def _typed(scene: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The bases of a typed scene, as an observation has them."""
    return [
        {**base, "id": f"{unit['id']}.{place}", "unit": unit["id"], "kind": unit["kind"], "side": unit["side"]}
        for unit in scene.get("units") or ()
        for place, base in enumerate(unit["bases"], 1)
    ]


def _crests(observation: Mapping[str, Any]) -> list[shapely.Geometry]:
    """The tops of hills, where they are told."""
    tops = [raw["hill_top"] for raw in observation.get("terrain") or () if raw.get("hill_top")]
    return [shapely.make_valid(shapely.Polygon(top)) for top in tops if len(top) >= 3]


def _still_true(
    before: Sequence[Settled], standers: Sequence[SquareStander]
) -> tuple[tuple[Settled, ...], tuple[str, ...]]:
    """Earlier answers that count for what is seen now, and notes on those that do not."""
    at = {stander.id: stander.at for stander in standers}
    kept, notes = [], []
    for one in before:
        if one.at is None or (one.id in at and math.dist(at[one.id], one.at) <= _SAME_PLACE_IN):
            kept.append(one)
        elif one.id in at:
            notes.append(f"{one.id} has moved since it was answered for: that answer counts no more.")
    return tuple(kept), tuple(notes)


def _answer(
    name: str, text: str, squares: Sequence[SquareReading], standers: Sequence[SquareStander], board: SquareBoard
) -> Settled:
    """What a player means by NAME=TEXT; ``#2`` is the second answer listed. Raises AnswerError."""
    name, word = name.strip(), " ".join(text.split())
    stander = next((s for s in standers if s.id.casefold() == name.casefold()), None)
    if stander is not None:
        listed = [there for there, chance in stander.footing.shares if chance >= _LEAST]
        word = _numbered(name, word, listed)
        if word.casefold() in ("off", OFF_BOARD, "none"):
            return Settled(stander.id, "square", OFF_BOARD, stander.at)
        try:
            return Settled(stander.id, "square", board.name(board.parse(word)), stander.at)
        except ValueError as error:
            raise AnswerError(f"{name}={word}: {error} A unit that is not on the board is {name}=off.") from error
    try:
        here = board.name(board.parse(name))
    except ValueError as error:
        known = ", ".join(s.id for s in standers) or "none"
        raise AnswerError(f"There is no square and no unit {name}; units seen are {known}.") from error
    reading = next(square for square in squares if square.name == here)
    try:
        word = _numbered(name, word, [str(ground) for ground, _ in reading.answers])
        return Settled(here, "terrain", str(SquareGround.of(word)))
    except ValueError as error:
        raise AnswerError(f"{name}={word}: {error}") from error


def _numbered(name: str, word: str, listed: Sequence[str]) -> str:
    """An answer by its number in the list, else as it is."""
    if not word.startswith("#"):
        return word
    number = int(word[1:]) if word[1:].isdigit() else 0
    if not 1 <= number <= len(listed):
        raise AnswerError(f"{name} has {len(listed)} answers, so {word} is none: name the answer itself.")
    return listed[number - 1]


def _settled_square(square: SquareReading, settled: Mapping[str, Settled]) -> SquareReading:
    one = settled.get(square.name)
    if one is None or one.ask != "terrain":
        return square
    return replace(square, ground=SquareGround.of(one.value), chance=1.0, settled=True)


def _settled_stander(stander: SquareStander, settled: Mapping[str, Settled]) -> SquareStander:
    one = settled.get(stander.id)
    if one is None or one.ask != "square":
        return stander
    name = None if one.value == OFF_BOARD else one.value
    return replace(stander, footing=replace(stander.footing, hex=name, chance=1.0, over=0.0))


def _elsewhere(standers: Sequence[SquareStander]) -> list[str]:
    off = [f"{s.id} ({s.at[0]:.1f}, {s.at[1]:.1f})" for s in standers if s.square is None]
    return [f"Off the board: {', '.join(off)}."] if off else []


def _unnamed(nameless: Sequence[Nameless]) -> list[str]:
    here = [f"{base.id} in {base.footing.hex}" for base in nameless if base.footing.hex is not None]
    if not here:
        return []
    return [f"Of no known unit: {', '.join(here)}: `tabletop settle` on the observation says whose they are."]


__all__ = ["Settled", "SquaresReading", "about_ground", "about_stander", "before_from", "read_squares", "why"]
