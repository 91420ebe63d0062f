"""Rulings on the table as seen against rulings on the table as it is.

Two comparisons. *Positions alone*: the bases that were found and not named wrongly, at their true and at their seen
places, on the true terrain, so that nothing but position can make a difference. *The whole table as seen*: with the
terrain, the missed and the wrongly named bases of the observation, against the complete truth. A ruling that is marked
too close is never a wrong one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from shapely.geometry import Polygon
from shapely.geometry.polygon import orient

from evaluation.score import Score
from evaluation.truth import Truth
from tabletop.errors import TabletopError
from tabletop.referee.report_rows import ShotRow
from tabletop.referee.reports import report_on
from tabletop.tables.scene import scene_from_json

RULINGS = ("shot", "sight", "range", "odds")
"""What is compared of every ordered pair of enemies: may it fire, does it see, in which band, with which modifiers."""


@dataclass(frozen=True)
class Differing:
    """A ruling that was stated as sure and is another on the true places."""

    firer: str
    target: str
    ruling: str
    seen: str
    true: str


@dataclass(frozen=True)
class Compared:
    """Rulings compared: how many there are, how many were marked too close, the unmarked ones that differ."""

    rulings: int = 0
    too_close: int = 0
    differing: tuple[Differing, ...] = ()
    refused: str | None = None


@dataclass(frozen=True)
class Rulings:
    """Both comparisons of one photo."""

    positions: Compared = Compared()
    whole: Compared = Compared()


def compare_rulings(
    observation: Mapping[str, Any],
    truth: Truth,
    score: Score,
    *,
    rules: str,
    roster: Mapping[str, int],
    kinds: Mapping[str, str],
) -> Rulings:
    """The rulings on an observation beside those on the truth.

    ``roster`` gives the number of bases of each unit, ``kinds`` its kind as the ruleset knows it, both from the table
    file; where they lack a unit the truth's own are used. A table that the ruleset can't judge is named in ``refused``.
    """
    used = {row.seen for row in score.bases if row.found and row.seen_unit in (None, row.unit)}
    places = {
        row.seen: {"center": list(row.at), "facing": row.facing if row.facing is not None else 0.0}
        for row in score.bases
        if row.found
    }
    terrain = _terrain(truth)
    kept = [base for base in observation["bases"] if base["id"] in used]
    exact = [{**base, **places[base["id"]], **_SURE} for base in kept]
    as_seen = {**_frame(truth), "bases": kept, "terrain": terrain}
    as_true = {**_frame(truth), "bases": exact, "terrain": terrain}
    complete = {**_frame(truth), "bases": _true_bases(truth, kinds), "terrain": terrain}
    return Rulings(_compare(as_seen, as_true, rules, roster), _compare(observation, complete, rules, roster))


_SURE = {"covariance": [[0.0, 0.0], [0.0, 0.0]], "facing_sigma": 0.0}


def _frame(truth: Truth) -> dict[str, Any]:
    return {"version": 1, "units": "inches", "table": {"width": truth.width, "depth": truth.depth}}


def _true_bases(truth: Truth, kinds: Mapping[str, str]) -> list[dict[str, Any]]:
    return [
        {
            "id": f"true{n}", "unit": base.unit, "side": base.side, "kind": kinds.get(base.unit, base.kind),
            "unique": base.unique, "shape": base.shape, "width": base.width, "depth": base.depth,
            "center": list(base.center), "facing": base.facing or 0.0, **_SURE,
        }
        for n, base in enumerate(truth.bases, 1)
    ]  # fmt: skip


def _terrain(truth: Truth) -> list[dict[str, Any]]:
    """The true terrain in the form of a scene; an outline in several parts becomes several pieces."""
    out: list[dict[str, Any]] = []
    for piece in truth.terrain:
        parts = [part for part in getattr(piece.shape, "geoms", [piece.shape]) if part.area > 1e-3]
        for part in parts:
            entry: dict[str, Any] = {
                "id": f"true{len(out) + 1}",
                "kind": piece.kind,
                "polygon": _ring(part),
                "height": piece.height,
            }
            if isinstance(piece.top, Polygon) and len(parts) == 1:
                entry["hill_top"] = _ring(piece.top)
            out.append(entry)
    return out


def _ring(shape: Polygon) -> list[list[float]]:
    return [[float(x), float(y)] for x, y in orient(shape).exterior.coords[:-1]]


def _compare(seen: Mapping[str, Any], true: Mapping[str, Any], rules: str, roster: Mapping[str, int]) -> Compared:
    try:
        told = [_report(table, rules, roster) for table in (seen, true)]
    except TabletopError as error:
        return Compared(refused=str(error))
    rulings = too_close = 0
    differing = []
    for pair in sorted(told[0].keys() & told[1].keys()):
        for ruling in RULINGS:
            mine, right = told[0][pair].get(ruling), told[1][pair].get(ruling)
            if mine is None or right is None or right == _OPEN:
                continue
            rulings += 1
            too_close += mine == _OPEN
            if mine not in (_OPEN, right):
                differing.append(Differing(*pair, ruling, mine, right))
    return Compared(rulings, too_close, tuple(differing))


_OPEN = "too-close"


def _report(table: Mapping[str, Any], rules: str, roster: Mapping[str, int]) -> dict[tuple[str, str], dict[str, str]]:
    """Every pair's rulings in words, ``too-close`` for an open one; ``odds`` of pairs that may fire."""
    scene = scene_from_json(table, roster=roster)
    return {(shot["firer"], shot["target"]): _shot_rulings(shot) for shot in report_on(scene, rules)["shots"]}


def _shot_rulings(shot: ShotRow) -> dict[str, str]:
    told: dict[str, str] = {"shot": shot["verdict"], "sight": shot["sight"]["verdict"]}
    told["range"] = _OPEN if len(shot["range"].get("possible", ())) > 1 else shot["range"]["band"]
    if shot["verdict"] == "yes":
        listed = sorted(m["name"] for m in shot["modifiers"])
        told["odds"] = _OPEN if shot.get("alternatives") else "; ".join(listed) or "no modifiers"
    return told
