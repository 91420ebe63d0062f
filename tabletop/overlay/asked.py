"""What an overlay leaves open, as questions in the form of a photo's others, and how their answers are read.

A question's id is what it asks about: a hex ("4-3"), a piece of terrain ("t4"), a platoon or counter ("A2"), a
platoon's facing ("A2 facing"). All of these may be answered without being asked about: the players know best.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tabletop.errors import AnswerError
from tabletop.overlay.ground import CELLS, Cell, Piece
from tabletop.overlay.standing import OFF_BOARD
from tabletop.rulesets.combined_arms.board import NAMES, ROWS
from tabletop.rulesets.combined_arms.data import CORNER_WORDS
from tabletop.tablefile import TERRAIN_KINDS
from tabletop.toml_source import did_you_mean

FACING = " facing"
_LEAST = 0.01  # chance below which an answer is not listed


@dataclass(frozen=True)
class Settled:
    """An answer: the question's ``id``, what was asked for (terrain, kind, hex, facing), its value and, where the thing
    may be found again by its place, the place ``at`` in inches."""

    id: str
    ask: str
    value: str | int | None
    at: tuple[float, float] | None = None

    def to_json(self) -> dict[str, Any]:
        """A mapping for JSON."""
        place = {} if self.at is None else {"at": [round(v, 3) for v in self.at]}
        return {"id": self.id, "ask": self.ask, "value": self.value, "by": "player", **place}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Settled:
        """The answer of ``to_json``; raises KeyError, TypeError or ValueError for any other."""
        at = data.get("at") if isinstance(data, Mapping) else None
        one = cls(
            str(data["id"]), str(data["ask"]), data["value"], None if at is None else (float(at[0]), float(at[1]))
        )
        known: dict[str, Sequence[str | int | None]] = {
            "terrain": [str(cell) for cell in CELLS],
            "kind": [*TERRAIN_KINDS, None],
            "hex": [*NAMES, OFF_BOARD],
            "facing": range(6),
        }
        if one.value not in known[one.ask] or (one.ask == "terrain" and one.id not in NAMES):
            raise ValueError(f"{one.id} can't be {one.value!r}")
        return one


def question(
    about: str,
    ask: str,
    says: str,
    answers: Sequence[tuple[str | int | None, float, str]],
    covers: Sequence[str],
    others: Sequence[str | int | None] = (),
) -> dict[str, Any]:
    """A question as JSON has it: ``answers`` are value, chance and words, likeliest first."""
    return {
        "id": f"{about}{FACING}" if ask == "facing" else about,
        "about": about,
        "ask": ask,
        "says": says,
        "answers": [{"value": v, "chance": round(chance, 3), "says": words} for v, chance, words in answers],
        "covers": [list(covers)],
        "others": list(others),
        "after": None,
    }


def about_hex(name: str, ranked: Sequence[tuple[Cell, float]]) -> dict[str, Any]:
    """The question what a hex is."""
    listed = [(cell, chance) for cell, chance in ranked if chance >= _LEAST]
    words = " or ".join(str(cell) for cell, _ in listed)
    answers = [(str(cell), chance, str(cell)) for cell, chance in listed]
    rest = [str(cell) for cell in CELLS if cell not in {cell for cell, _ in listed}]
    return question(name, "terrain", f"Hex {name}: {words}?", answers, [name], rest)


def about_piece(piece: Piece, hexes: Sequence[str]) -> dict[str, Any]:
    """The question what a piece of terrain is, of which only its kind is in doubt."""
    middle = piece.shape.representative_point()
    where = f"at ({middle.x:.1f}, {middle.y:.1f}), in {_listed(hexes)}"
    chance = piece.confidence
    answers: list[tuple[str | int | None, float, str]] = [
        (piece.kind, chance, piece.kind),
        (None, 1.0 - chance, "nothing: leave out"),
    ]
    answers.sort(key=lambda answer: -answer[1])
    rest = [kind for kind in TERRAIN_KINDS if kind != piece.kind]
    return question(piece.id, "kind", f"Is the terrain {where} {piece.kind}?", answers, hexes, rest)


def about_place(name: str, ranked: Sequence[tuple[str, float]], why: str) -> dict[str, Any]:
    """The question in which hex a platoon or counter stands."""
    listed = [(h, chance) for h, chance in ranked if chance >= _LEAST]
    words = " or ".join(OFF_BOARD if h == OFF_BOARD else f"in {h}" for h, _ in listed)
    answers = [(h, chance, h) for h, chance in listed]
    return question(name, "hex", f"Is {name} {words}? {why}", answers, [h for h, _ in listed])


def about_facing(name: str, ranked: Sequence[tuple[int, float]], why: str) -> dict[str, Any]:
    """The question which corner a platoon faces."""
    listed = [(corner, chance) for corner, chance in ranked if chance >= _LEAST]
    answers = [(corner, chance, f"{corner}, {CORNER_WORDS[corner]}") for corner, chance in listed]
    words = " or ".join(f"corner {corner} ({CORNER_WORDS[corner]})" for corner, _ in listed)
    says = f"Does {name} face {words}? {why}" if len(listed) < 6 else f"Which corner does {name} face? {why}"
    return question(name, "facing", says, answers, [name], [k for k in range(6) if k not in dict(listed)])


def _listed(names: Sequence[str]) -> str:
    if len(names) < 2:
        return f"hex {names[0]}" if names else "no hex"
    return f"hexes {', '.join(names[:-1])} and {names[-1]}"


def read_answer(
    name: str, text: str, asked: Sequence[Mapping[str, Any]], pieces: Sequence[Piece], standers: Mapping[str, bool]
) -> Settled:
    """What a player means by NAME=TEXT. ``asked`` are the questions that stand (for ``#2``, the second answer);
    ``standers`` are the platoons and counters that are seen, and whether each has a facing. Raises AnswerError."""
    name, word = " ".join(name.split()), " ".join(text.split())
    open_one = next((q for q in asked if q["id"].casefold() == name.casefold()), None)
    if re.fullmatch(r"#\d+", word):
        if open_one is None or not 1 <= int(word[1:]) <= len(open_one["answers"]):
            have = f"has {len(open_one['answers'])} answers" if open_one else "is not asked about"
            raise AnswerError(f"{name} {have}, so {word} is none: name the answer itself.")
        value = open_one["answers"][int(word[1:]) - 1]["value"]
        return Settled(open_one["id"], open_one["ask"], value)
    lower = name.casefold()
    for stander, faces in standers.items():
        if lower == stander.casefold():
            return Settled(stander, "hex", _place(name, word))
        if lower == f"{stander}{FACING}".casefold() and faces:
            return Settled(f"{stander}{FACING}", "facing", _corner(name, word))
    for piece in pieces:
        if lower == piece.id.casefold():
            return Settled(piece.id, "kind", _kind(name, word))
    try:
        there = ROWS.name(ROWS.parse(name))
    except ValueError as error:
        every = ", ".join(str(q["id"]) for q in asked) or "nothing"
        raise AnswerError(f"There is no hex, piece of terrain, platoon or facing {name}; asked is {every}.") from error
    return Settled(there, "terrain", str(_cell(name, word)))


def _cell(name: str, word: str) -> Cell:
    plain = re.sub(r"\s*\+\s*|\s+(?:with|and)(?: a)?\s+", " ", word.casefold()).strip()
    road = plain == "road" or plain.endswith(" road")
    kind = plain.removesuffix("road").strip() or "open"
    found = next((cell for cell in CELLS if cell.terrain == kind and cell.road == road), None)
    if found is None:
        known = [str(cell) for cell in CELLS]
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


def _place(name: str, word: str) -> str:
    if word.casefold() in ("off", OFF_BOARD, "none"):
        return OFF_BOARD
    try:
        found = ROWS.name(ROWS.parse(word))
    except ValueError as error:
        raise AnswerError(f"{name}={word}: {error} A platoon that is not on the board is {name}=off.") from error
    assert found in NAMES
    return found


def _corner(name: str, word: str) -> int:
    if word in CORNER_WORDS:
        return CORNER_WORDS.index(word)
    if word not in ("0", "1", "2", "3", "4", "5"):
        raise AnswerError(f"{name}={word}: a facing is a corner, 0 for the top and then clockwise to 5.")
    return int(word)
