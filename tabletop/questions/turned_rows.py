"""Rows of an observation turned with the table: by quarters clockwise about its middle."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt
import shapely

from geometry.directions import towards
from tabletop.identity.observation_rows import BaseRow, TerrainRow
from tabletop.identity.question import Question

_PLACE = re.compile(r"\((-?\d+\.\d), (-?\d+\.\d)\)")
NEAR_EDGE_GUESSED = "The edge nearest the camera was taken for the table"
"""The beginning of the warning that nothing in a photo shows the orientation of its table."""
_QUARTER_DEG = 90.0
_HIGHER_IN = 0.05
Row = TypeVar("Row", bound=Mapping[str, Any])


@dataclass(frozen=True)
class QuarterTurn:
    """A turn by ``quarters`` clockwise about the middle of a table of that width and depth; an odd number needs a
    square table.

    >>> QuarterTurn(1, (36.0, 36.0)).point((18.0, 0.0)), QuarterTurn(2, (72.0, 48.0)).words("at (10.0, 8.5)")
    ([0.0, 18.0], 'at (62.0, 39.5)')
    """

    quarters: int
    table_in: tuple[float, float]

    @property
    def _matrix(self) -> npt.NDArray[np.float64]:
        cos, sin = ((1, 0), (0, 1), (-1, 0), (0, -1))[self.quarters % 4]
        return np.array([[cos, sin], [-sin, cos]], dtype=np.float64)

    def point(self, at: Sequence[float]) -> list[float]:
        """A place on the table."""
        middle = np.array(self.table_in) / 2
        x, y = (self._matrix @ (np.array(at) - middle) + middle).round(6).tolist()
        return [x + 0.0, y + 0.0]

    def facing(self, degrees: float) -> float:
        """A direction, clockwise from +y."""
        return round((degrees + _QUARTER_DEG * self.quarters) % 360.0, 3)

    def words(self, text: str) -> str:
        """A sentence with the places in it."""

        def turned(found: re.Match[str]) -> str:
            x, y = self.point((float(found[1]), float(found[2])))
            return f"({x:.1f}, {y:.1f})"

        return _PLACE.sub(turned, text)

    def answer(self, ask: str, value: Any) -> Any:
        """An answer to a question: a facing turns, other values stay."""
        number = isinstance(value, int | float) and not isinstance(value, bool)
        return self.facing(value) if ask == "facing" and number else value

    def row(self, row: Row) -> Row:
        """A base, a die, a marker, a piece of terrain, a place or a photo's camera."""
        found: dict[str, Any] = dict(row)
        if "center" in found:
            found["center"] = self.point(found["center"])
        for key in ("polygon", "hill_top"):
            if found.get(key):
                found[key] = [self.point(point) for point in found[key]]
        if found.get("facing") is not None:
            found["facing"] = self.facing(found["facing"])
        if found.get("facings"):
            found["facings"] = [self.facing(way) for way in found["facings"]]
        if "lean" in found:
            found["lean"] = (self._matrix @ np.array(found["lean"])).tolist()
        if "covariance" in found:
            found["covariance"] = (self._matrix @ np.array(found["covariance"]) @ self._matrix.T).tolist()
        if "shapes" in found:
            found["shapes"] = [self.row(shape) for shape in found["shapes"]]
        if "R" in found and "t" in found:
            found |= self._camera(np.array(found["R"]), np.array(found["t"]))
        return cast(Row, found)

    def _camera(self, R: npt.NDArray[np.float64], t: npt.NDArray[np.float64]) -> dict[str, Any]:
        """The camera of a photo, which keeps its place over the turned table."""
        around = np.eye(3)
        around[:2, :2] = self._matrix.T
        middle = np.array([*self.table_in, 0.0]) / 2
        return {"R": (R @ around).tolist(), "t": (t + R @ (middle - around @ middle)).tolist()}


def turn_question(question: Question, turn: QuarterTurn) -> None:
    """Turn a question with the table."""
    question.says = turn.words(question.says)
    for answer in question.answers:
        value = turn.answer(question.ask, answer.value)
        if question.ask == "facing" and isinstance(value, float):
            answer.value, answer.says = value, f"towards {towards(value)} ({value:.0f}°)"
        else:
            answer.says = turn.words(answer.says)


def on_drawn_ground(base: BaseRow, drawn: Sequence[TerrainRow]) -> BaseRow:
    """A base moved along its line of sight to the height of the drawn ground at its place."""
    if "lean" not in base:
        return base
    found: dict[str, Any] = dict(base)
    at = shapely.Point(base["center"])
    z = max((float(row.get("height") or 0) for row in drawn if shapely.Polygon(row["polygon"]).covers(at)), default=0.0)
    if abs(z - float(found.get("z") or 0.0)) > _HIGHER_IN:
        rise = z - float(found.get("z") or 0.0)
        found["center"] = (np.array(base["center"]) + rise * np.array(base["lean"])).round(4).tolist()
        found["z"] = z
    return cast(BaseRow, found)
