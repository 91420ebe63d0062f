"""The changes of units between a game and a photo of its board, cell by cell; whether the photo can follow."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tabletop.grids.cells import Cells
from tabletop.identity.observation_rows import AnswerRow
from tabletop.identity.out_of_step import Reason, Sync
from tabletop.identity.unit_motion import SeenChange
from tabletop.words import and_list

T = TypeVar("T")

UNLIKELY = 0.01
"""The weight of a cell or facing that no legal move leads to, relative to a legal or an unchanged one."""
LEAST_SHARE = 0.05
"""A cell with a smaller share of a base's area raises no question."""
SEVERAL = 2
"""The number of units beyond the farthest move that puts a photo out of step."""
GONE_SHARE, GONE_LEAST = 0.6, 4
"""A photo that lacks this share, and this number, of the units on the board is out of step."""
NAMED = 0.95
"""The chance that a base without a name is a unit that is not seen, and not another object."""


@dataclass(frozen=True)
class BoardUnitChange:
    """The change of a unit: ``change`` is stayed, moved, turned, new, removed or uncertain; ``cells`` before and after
    by name, empty off the board; places in table inches; ``facings`` before and after by corner."""

    unit: str
    side: str
    kind: str
    change: str
    before: tuple[float, float] | None
    after: tuple[float, float] | None
    cells: tuple[str, str] = ("", "")
    facings: tuple[int | None, int | None] = (None, None)
    doubts: tuple[str, ...] = ()

    @property
    def seen_change(self) -> SeenChange:
        """Its places before and after, rounded; distances between cells are not measured."""
        return SeenChange(None, None, None, None, _places(self.before), _places(self.after))

    def to_json(self) -> dict[str, Any]:
        """A mapping ready for JSON, in the form of the open table's changes."""
        return {
            "unit": self.unit,
            "side": self.side,
            "kind": self.kind,
            "change": self.change,
            "from": self.cells[0],
            "to": self.cells[1],
            "facing_before": self.facings[0],
            "facing_after": self.facings[1],
            "before": [list(place) for place in _places(self.before)],
            "after": [list(place) for place in _places(self.after)],
            "doubtful": bool(self.doubts),
            "doubts": list(self.doubts),
        }


@dataclass(frozen=True)
class BoardChanges:
    """The differences between a photo of the board and a game; ``name`` is the photo's name."""

    name: str
    table: tuple[float, float]
    units: tuple[BoardUnitChange, ...]
    sync: Sync = field(default_factory=Sync)
    questions: tuple[Mapping[str, Any], ...] = ()
    warnings: tuple[str, ...] = ()

    @classmethod
    def of_another_table(cls, name: str, table: tuple[float, float], says: str) -> BoardChanges:
        """The question whether to use a photo that seems to show a different table; ``says`` is the evidence."""
        sync = Sync(another=says)
        return cls(name, table, (), sync, tuple(one for one in [sync.question] if one), (sync.says,))

    @property
    def seen_changes(self) -> Mapping[str | None, SeenChange]:
        """The measured changes of units that did not stay, by unit."""
        return {one.unit: one.seen_change for one in self.units if one.change != "stayed"}

    def to_json(self) -> dict[str, Any]:
        """A mapping ready for JSON, with the keys of :meth:`tabletop.changes.detection.Changes.to_json`."""
        return {
            "version": 1,
            "units": "inches",
            "table": {"width": self.table[0], "depth": self.table[1]},
            "before": "the game",
            "after": self.name,
            "changes": [one.to_json() for one in self.units if one.change != "stayed"],
            "stayed": [one.unit for one in self.units if one.change == "stayed"],
            "marked": [],
            "unmarked": [],
            "markers": [],
            "sync": self.sync.to_json(),
            "questions": [dict(question) for question in self.questions],
            "warnings": list(self.warnings),
        }


def _places(at: tuple[float, float] | None) -> tuple[tuple[float, float], ...]:
    return () if at is None else ((round(at[0], 4), round(at[1], 4)),)


def normalise_chances(rows: Sequence[tuple[T, float]]) -> list[tuple[T, float]]:
    """Rows with chances that add up to 1, the likeliest first."""
    total = sum(chance for _, chance in rows)
    return sorted(((value, chance / total) for value, chance in rows), key=lambda row: -row[1])


def out_of_step(
    cells: Cells,
    noun: str,
    *,
    too_far: Sequence[str],
    farthest: int,
    standing: Sequence[str],
    seen: Collection[str],
    nameless: int,
) -> Iterator[Reason]:
    """Why a photo of a board does not follow its game: several units farther than any move, or most of them gone.

    ``noun`` is the name of a unit; ``too_far`` are the units more than ``farthest`` cells from their former places;
    ``standing`` are the game's units on the board, ``seen`` those in the photo, besides ``nameless`` nameless bases.
    """
    if len(too_far) >= SEVERAL:
        says = (
            f"{and_list(too_far)} are more than {farthest} {cells.words} from where they were, and no {noun} "
            "goes farther at once"
        )
        yield Reason("too-far", says, tuple(too_far))
    gone = [name for name in standing if name not in seen]
    if len(gone) - nameless >= max(GONE_LEAST, GONE_SHARE * len(standing)):
        yield Reason("gone", f"{len(gone)} of {len(standing)} {noun}s are not seen", tuple(gone))


def about_nameless(
    base: str, where: str, noun: str, likely: Sequence[tuple[str, float]], others: Sequence[str] = ()
) -> dict[str, Any]:
    """The question which unit a base without a name is: ``where`` is its cell, ``likely`` are units with their chances,
    ``others`` are further units that can be named."""
    answers: list[AnswerRow] = [
        {"value": name, "chance": round(NAMED * chance, 3), "says": name} for name, chance in likely
    ]
    answers.append({"value": None, "chance": 0.05, "says": f"no {noun}: leave out"})
    return {
        "id": base,
        "about": base,
        "ask": "unit",
        "says": f"Which {noun} is the base in {where}?",
        "answers": answers,
        "covers": [[base]],
        "others": list(others),
        "after": None,
    }
