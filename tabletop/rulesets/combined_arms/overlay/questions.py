"""What the reading of a hex board leaves open besides cells and places, and how players' answers are read.

A question's id is what it asks about: a hex ("4-3"), a piece of terrain ("t4"), a platoon or counter ("A2"), a
platoon's facing ("A2 facing").
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tabletop.errors import AnswerError
from tabletop.grids.board_questions import BoardAnswer, Value, answer_by_number, cell_named, listed_answers, question
from tabletop.grids.hexes.facing import Facing
from tabletop.grids.standing import OFF_BOARD
from tabletop.grids.table_terrain import TerrainPiece
from tabletop.reading.toml_source import did_you_mean
from tabletop.rulesets.combined_arms.board import NAMES
from tabletop.rulesets.combined_arms.board_placement import CELLS
from tabletop.rulesets.combined_arms.data import CORNER_WORDS
from tabletop.rulesets.combined_arms.overlay.terrain import HEX_TERRAIN, HexTerrain
from tabletop.tables.model import TERRAIN_KINDS
from tabletop.words import and_list

FACING = " facing"
_KNOWN: Mapping[str, Sequence[Value]] = {
    "terrain": [str(terrain) for terrain in HEX_TERRAIN],
    "kind": [*TERRAIN_KINDS, None],
    "hex": [*NAMES, OFF_BOARD],
    "facing": range(6),
}
"""What may be answered, by what is asked."""


def checked_value(name: str, ask: str, value: Value) -> Value:
    """The value of an answer, as it is; KeyError or ValueError for what can't be."""
    if value not in _KNOWN[ask] or (ask == "terrain" and name not in NAMES):
        raise ValueError(f"{name} can't be {value!r}")
    return value


def about_piece(piece: TerrainPiece, hexes: Sequence[str]) -> dict[str, Any]:
    """The question what a piece of terrain is, of which only its kind is in doubt."""
    middle = piece.shape.representative_point()
    where = f"at ({middle.x:.1f}, {middle.y:.1f}), in {_named_hexes(hexes)}"
    chance = piece.confidence
    answers: list[tuple[Value, float, str]] = [
        (piece.kind, chance, piece.kind),
        (None, 1.0 - chance, "nothing: leave out"),
    ]
    answers.sort(key=lambda answer: -answer[1])
    rest = [kind for kind in TERRAIN_KINDS if kind != piece.kind]
    return question(piece.id, "kind", f"Is the terrain {where} {piece.kind}?", answers, hexes, rest)


def about_facing(name: str, facing: Facing | None, ranked: Sequence[tuple[int, float]] | None = None) -> dict[str, Any]:
    """The question which corner a platoon faces, by its measured ``facing`` (``None``: nothing tells) unless the
    corners are ``ranked`` otherwise."""
    if ranked is None:
        ranked = [(corner, 1 / 6) for corner in range(6)] if facing is None else facing.by_chance
    why = "Nothing tells."
    if facing is not None:
        why = f"It is turned {abs(facing.error_deg):.0f} degrees off corner {facing.corner}."
    listed = listed_answers(ranked)
    answers = [(corner, chance, f"{corner}, {CORNER_WORDS[corner]}") for corner, chance in listed]
    words = " or ".join(f"corner {corner} ({CORNER_WORDS[corner]})" for corner, _ in listed)
    says = f"Does {name} face {words}? {why}" if len(listed) < 6 else f"Which corner does {name} face? {why}"
    rest = [corner for corner in range(6) if corner not in dict(listed)]
    return question(name, "facing", says, answers, [name], rest, name=f"{name}{FACING}")


def _named_hexes(names: Sequence[str]) -> str:
    if len(names) < 2:
        return f"hex {names[0]}" if names else "no hex"
    return f"hexes {and_list(names)}"


def read_answer(
    name: str,
    text: str,
    asked: Sequence[Mapping[str, Any]],
    pieces: Sequence[TerrainPiece],
    standers: Mapping[str, bool],
) -> BoardAnswer:
    """What a player means by NAME=TEXT. ``asked`` are the questions that stand (for ``#2``, the second answer);
    ``standers`` are the platoons and counters that are seen, and whether each has a facing. Raises AnswerError."""
    name, word = " ".join(name.split()), " ".join(text.split())
    lower = name.casefold()
    if word.startswith("#"):
        open_one = next((q for q in asked if q["id"].casefold() == lower), None)
        value = answer_by_number(
            name, word, None if open_one is None else [one["value"] for one in open_one["answers"]]
        )
        assert open_one is not None
        return BoardAnswer(open_one["id"], open_one["ask"], value)
    for stander, faces in standers.items():
        if lower == stander.casefold():
            return BoardAnswer(stander, "hex", cell_named(name, word, CELLS, "platoon"))
        if lower == f"{stander}{FACING}".casefold() and faces:
            return BoardAnswer(f"{stander}{FACING}", "facing", _corner(name, word))
    for piece in pieces:
        if lower == piece.id.casefold():
            return BoardAnswer(piece.id, "kind", _kind(name, word))
    try:
        there = CELLS.name(CELLS.place(name))
    except ValueError as error:
        every = ", ".join(str(q["id"]) for q in asked) or "nothing"
        raise AnswerError(f"There is no hex, piece of terrain, platoon or facing {name}; asked is {every}.") from error
    return BoardAnswer(there, "terrain", str(_terrain(name, word)))


def _terrain(name: str, word: str) -> HexTerrain:
    plain = re.sub(r"\s*\+\s*|\s+(?:with|and)(?: a)?\s+", " ", word.casefold()).strip()
    road = plain == "road" or plain.endswith(" road")
    kind = plain.removesuffix("road").strip() or "open"
    found = next((terrain for terrain in HEX_TERRAIN if terrain.word == kind and terrain.road == road), None)
    if found is None:
        known = [str(terrain) for terrain in HEX_TERRAIN]
        raise AnswerError(
            f"{name} can't be {word!r}: a hex is {', '.join(known[:-1:2])} or {known[-2]}, or any of these + road; "
            f"{did_you_mean(plain, known)}"
        )
    return found


def _kind(name: str, word: str) -> str | None:
    if word.casefold() in ("none", "nothing"):
        return None
    if word.casefold() not in TERRAIN_KINDS:
        raise AnswerError(f"{name} can't be {word!r}: {did_you_mean(word.casefold(), TERRAIN_KINDS)}")
    return word.casefold()


def _corner(name: str, word: str) -> int:
    if word in CORNER_WORDS:
        return CORNER_WORDS.index(word)
    if word not in ("0", "1", "2", "3", "4", "5"):
        raise AnswerError(f"{name}={word}: a facing is a corner, 0 for the top and then clockwise to 5.")
    return int(word)
