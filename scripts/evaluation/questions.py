"""Questions that an observation asks: whether the right answer is among those offered, and how likely it was called."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.matches import BaseRow, SmallThing
from evaluation.terrain import SeenPiece
from tabletop.identity.question import ids_asked

NEAR_DEG = 20.0
"""A facing offered within so many degrees of the true one is the right answer."""


@dataclass(frozen=True)
class Asked:
    """A question with a right answer in the truth: the rank of that answer from 1, ``None`` if it is not offered;
    its stated chance; the stated chance of the first answer; whether any of its subjects is there."""

    ask: str
    says: str
    rank: int | None
    chance: float
    first_chance: float
    there: bool = True


def judged_questions(
    observation: Mapping[str, Any],
    bases: Sequence[BaseRow],
    dice: Sequence[SmallThing],
    cotton: Sequence[SmallThing],
    terrain: Sequence[SeenPiece],
) -> list[Asked]:
    """The questions of an observation beside the truth; questions without an answer there (a die's unit) are left out.

    For things seen that are not there the right answer is ``None``.
    """
    judges: dict[str, Callable[[Mapping[str, Any], Any], bool | None]] = {
        "unit": lambda q, value: _of_unit(_row(bases, q["about"]), value),
        "side": lambda q, value: value == _common_side([_row(bases, i) for ids in q["covers"] for i in ids]),
        "there": lambda q, value: (value is None) == (_row(bases, q["about"]) is None),
        "unique": lambda q, value: _of_unique(_row(bases, q["about"]), _row(bases, value)),
        "facing": lambda q, value: _of_facing(_row(bases, q["about"]), value),
        "value": lambda q, value: _of_thing(dice, q["about"], value),
        "whose": lambda q, value: _of_thing(cotton, q["about"], value),
        "kind": lambda q, value: _of_kind(terrain, q["about"], value),
    }

    def there(question: Mapping[str, Any]) -> bool:
        return question["ask"] not in ("unit", "side") or any(_row(bases, i) for i in ids_asked(question))

    out = []
    for question in observation.get("questions", []):
        answers = question["answers"]
        if question["ask"] not in judges or not answers:
            continue
        right = [judges[question["ask"]](question, answer["value"]) for answer in answers]
        if None in right:
            continue
        rank = right.index(True) + 1 if True in right else None
        chance = sum(answer["chance"] for answer, yes in zip(answers, right, strict=True) if yes)
        out.append(Asked(question["ask"], question["says"], rank, chance, answers[0]["chance"], there(question)))
    return out


def _row(bases: Sequence[BaseRow], base_id: Any) -> BaseRow | None:
    return next((row for row in bases if row.seen is not None and row.seen == base_id), None)


def _of_unit(row: BaseRow | None, value: Any) -> bool:
    return bool(value == (None if row is None else row.unit))


def _common_side(rows: Sequence[BaseRow | None]) -> str | None:
    """The side of all of some bases; ``None`` where they are not all there or not all of one."""
    sides = {None if row is None else row.side for row in rows}
    return sides.pop() if len(sides) == 1 else None


def _of_unique(row: BaseRow | None, offered: BaseRow | None) -> bool | None:
    if row is None:
        return None
    return offered is not None and offered.unique and offered.unit == row.unit


def _of_facing(row: BaseRow | None, value: Any) -> bool | None:
    if row is None or row.facing is None or row.shape == "round":
        return None
    return value is not None and abs((value - row.facing + 180.0) % 360.0 - 180.0) <= NEAR_DEG


def _of_thing(things: Sequence[SmallThing], thing_id: str, value: Any) -> bool | None:
    thing = next((thing for thing in things if thing.seen == thing_id), None)
    return None if thing is None else bool(value == (thing.true if thing.there else None))


def _of_kind(terrain: Sequence[SeenPiece], piece_id: str, value: Any) -> bool | None:
    piece = next((piece for piece in terrain if piece.id == piece_id), None)
    if piece is None:
        return None
    return bool(value == (piece.kind if piece.on_kind >= 0.5 else piece.mistaken_for))
