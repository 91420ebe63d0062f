"""The figures of several photos together."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from evaluation.matches import BaseRow, SmallThing
from evaluation.questions import Asked
from evaluation.reliability import TERRAIN, SortReliability, Statement, reliability_by_sort
from evaluation.results import PhotoResult
from evaluation.rulings import Compared
from evaluation.score import percentile
from evaluation.terrain import Overlap
from evaluation.uncertainty import Coverage, ellipse_coverage, interval_coverage

MISSED_ERROR_IN = 1.0
"""The centre error that a missed base with a readable tag counts as."""


@dataclass(frozen=True)
class Part:
    """So many of so many.

    >>> str(Part(3, 4)), str(Part(0, 0))
    ('3 of 4 (75.0 %)', '0 of 0')
    """

    n: int
    of: int

    @property
    def share(self) -> float:
        """The share, not a number of none."""
        return self.n / self.of if self.of else math.nan

    def __str__(self) -> str:
        return f"{self.n} of {self.of}" + (f" ({100 * self.share:.1f} %)" if self.of else "")


@dataclass(frozen=True)
class BaseFigures:
    """Bases of one sort: how many are found, centre errors (median and 95th percentile, inches), facing errors of
    rectangles: how many are more than 90 degrees, and how many facings were left open."""

    found: Part
    median_in: float | None
    p95_in: float | None
    facing_median_deg: float | None
    facing_p95_deg: float | None
    reversed: int
    left_open: int


def base_figures(rows: Sequence[BaseRow], missed_in: float | None = None) -> BaseFigures:
    """The figures of some true bases; a missed one counts as an error of ``missed_in``, or not among the errors.

    A facing more than 90 degrees off counts as ``reversed`` and among the facing errors.
    """
    errors = [row.error_in if row.error_in is not None else missed_in for row in rows]
    told = [e for e in errors if e is not None]
    turns = [row.facing_error_deg for row in rows if row.facing_error_deg is not None]
    return BaseFigures(
        Part(sum(row.found for row in rows), len(rows)),
        percentile(told, 50),
        percentile(told, 95),
        percentile(turns, 50),
        percentile(turns, 95),
        sum(turn > 90 for turn in turns),
        sum(row.found and row.shape != "round" and row.facing_error_deg is None for row in rows),
    )


def tally(things: Iterable[SmallThing]) -> dict[str, int]:
    """How many dice or balls there truly are, and how many are found, given a right or wrong value, open, or false.

    ``false_told`` are the false ones that were given a value.
    """
    things = list(things)
    count = Counter(thing.verdict for thing in things)
    return {
        "true": sum(thing.there for thing in things),
        "found": sum(thing.there and thing.found for thing in things),
        **{verdict: count[verdict] for verdict in ("right", "wrong", "open", "false")},
        "false_told": sum(thing.verdict == "false" and thing.told is not None and not thing.asked for thing in things),
    }


@dataclass(frozen=True)
class TerrainFigures:
    """Terrain of one kind over all photos that have it: overlap by area, mean and least IoU of a photo, pieces.

    A photo in which a kind is seen that is not there counts with IoU 0. ``missed``: true pieces less than half
    covered; ``false``: seen pieces on no terrain of their kind and on none they could be mistaken for.
    """

    photos: int
    overlap: Overlap
    mean: float
    least: float
    pieces: int
    missed: int
    seen: int
    mistaken: int
    false: int


@dataclass(frozen=True)
class AnswerFigures:
    """Questions of one sort: whether the right answer was offered, whether it was first, and the mean chance that was
    stated for the first."""

    offered: Part
    first: Part
    first_chance: float


@dataclass(frozen=True)
class PhotoDiffering:
    """A :class:`~evaluation.rulings.Differing` ruling and its photo."""

    photo: str
    firer: str
    target: str
    ruling: str
    seen: str
    true: str


@dataclass(frozen=True)
class PhotoRefused:
    """A photo with a table that can't be judged, and why."""

    photo: str
    why: str


@dataclass(frozen=True)
class RulingFigures:
    """Rulings compared: how many there are, how many were marked too close, the unmarked ones that differ, how many
    of these each ruling has, and the photos that can't be judged."""

    rulings: int
    too_close: int
    differing: tuple[PhotoDiffering, ...]
    by_ruling: Mapping[str, int]
    refused: tuple[PhotoRefused, ...]

    @property
    def wrong(self) -> Part:
        """Rulings that differ, of those not marked too close."""
        return Part(len(self.differing), self.rulings - self.too_close)


@dataclass(frozen=True)
class Honesty:
    """Coverage of stated ellipses, and the median of the errors in units of them."""

    ellipses: tuple[Coverage, ...]
    median: float | None


RAISED_IN = 0.2
"""Bases higher than this are on a hill, not on a mat or a sheet of cloth."""

SORTS_OF_BASES: dict[str, Callable[[BaseRow], bool]] = {
    "tag read": lambda row: row.seen_tag is not None,
    "no tag read": lambda row: row.seen_tag is None,
    "raised ground": lambda row: row.z > RAISED_IN,
    "less than 80 % in sight": lambda row: row.visible < 0.8,
}


@dataclass(frozen=True)
class Figures:
    """All figures of some photos together."""

    photos: int
    refused: int
    readable: BaseFigures
    readable_read: Part
    misread: int
    hidden_tags: BaseFigures
    rims: BaseFigures
    rims_false: Part
    bare: BaseFigures
    bare_false: Part
    bases: BaseFigures
    false: Part
    named: Part
    wrong_unit: int
    wrong_side: int
    range_p95_in: float | None
    terrain: dict[str, TerrainFigures]
    tops: Overlap
    dice: dict[str, int]
    cotton: dict[str, int]
    ellipses: tuple[Coverage, ...]
    ellipse_median: float | None
    ellipses_of: dict[str, Honesty]
    facings: tuple[Coverage, ...]
    facing_median: float | None
    edges: tuple[Coverage, ...]
    edge_median_in: float | None
    rulings: dict[str, RulingFigures]
    questions: int
    answers: dict[str, AnswerFigures]
    turned: int
    reliability: dict[str, SortReliability]


def figures(results: Sequence[PhotoResult]) -> Figures:
    """The figures of some photos. Everything in a refused photo counts as missed."""
    rows = [row for r in results for row in r.score.bases]
    readable = [row for row in rows if row.must_read]
    rims, bare = ([r for r in results if r.rims == painted] for painted in (True, False))
    honest = _honesty(rows)
    turned = [
        (row.facing_error_deg, row.facing_sigma_deg)
        for row in rows
        if row.facing_error_deg is not None and row.facing_sigma_deg is not None
    ]
    edges = [
        (d, p.sigma_in) for r in _with_terrain(results) for p in r.score.terrain.seen if p.sigma_in for d in p.edge_in
    ]
    ratios = [abs(a) / s for a, s in turned if s > 0]
    false = sum(len(r.score.false) for r in results)
    return Figures(
        photos=len(results),
        refused=sum(r.refused is not None for r in results),
        readable=base_figures(readable, MISSED_ERROR_IN),
        readable_read=Part(sum(row.read for row in rows), len(readable)),
        misread=sum(r.score.misread for r in results),
        hidden_tags=base_figures([row for row in rows if row.tag is not None and not row.must_read]),
        rims=base_figures([row for r in rims for row in r.score.bases if row.tag is None]),
        rims_false=_false(rims),
        bare=base_figures([row for r in bare for row in r.score.bases if row.tag is None]),
        bare_false=_false(bare),
        bases=base_figures(rows),
        false=Part(false, false + sum(row.found for row in rows)),
        named=Part(sum(row.found and row.seen_unit == row.unit for row in rows), len(rows)),
        wrong_unit=sum(row.seen_unit not in (None, row.unit) for row in rows),
        wrong_side=sum(row.seen_side not in (None, row.side) for row in rows),
        range_p95_in=percentile([e for r in results for e in r.score.range_errors_in], 95),
        terrain=_terrain(_with_terrain(results)),
        tops=_sum_overlaps([r.score.terrain.tops for r in _with_terrain(results)]),
        dice=tally(thing for r in results for thing in r.score.dice),
        cotton=tally(thing for r in results for thing in r.score.cotton),
        ellipses=honest.ellipses,
        ellipse_median=honest.median,
        ellipses_of={sort: _honesty([row for row in rows if belongs(row)]) for sort, belongs in SORTS_OF_BASES.items()},
        facings=interval_coverage([a for a, _ in turned], [s for _, s in turned]),
        facing_median=percentile(ratios, 50),
        edges=interval_coverage([d for d, _ in edges], [s for _, s in edges]),
        edge_median_in=percentile([d for d, _ in edges], 50),
        rulings={name: _rulings(results, name) for name in ("positions", "whole")},
        questions=sum(r.score.questions for r in results),
        answers=_answers([asked for r in results for asked in r.score.judged]),
        turned=sum(r.score.turned for r in results),
        reliability=reliability_by_sort([s for r in results for s in _statements(r)]),
    )


def _honesty(rows: Sequence[BaseRow]) -> Honesty:
    squares = [row.normalized_sq for row in rows if row.normalized_sq is not None]
    return Honesty(ellipse_coverage(squares), percentile([math.sqrt(v) for v in squares], 50))


def _answers(judged: Sequence[Asked]) -> dict[str, AnswerFigures]:
    out = {}
    for ask in sorted({asked.ask for asked in judged}):
        some = [asked for asked in judged if asked.ask == ask]
        out[ask] = AnswerFigures(
            Part(sum(asked.rank is not None for asked in some), len(some)),
            Part(sum(asked.rank == 1 for asked in some), len(some)),
            sum(asked.first_chance for asked in some) / len(some),
        )
    return out


def _statements(result: PhotoResult) -> list[Statement]:
    """The statements of a photo. Terrain from the table file is no statement; a turned table's are left out."""
    if result.score.turned:
        return []
    return [s for s in result.score.statements if not (result.terrain_given and s.sort.startswith(TERRAIN))]


def _with_terrain(results: Sequence[PhotoResult]) -> list[PhotoResult]:
    """Results of photos with terrain to be found: the table file gives none."""
    return [r for r in results if not r.terrain_given]


def _false(results: Sequence[PhotoResult]) -> Part:
    """False bases without a tag, of those reported without a tag."""
    false = sum(base.tag is None for r in results for base in r.score.false)
    true = sum(row.found and row.seen_tag is None for r in results for row in r.score.bases)
    return Part(false, false + true)


def _sum_overlaps(parts: Sequence[Overlap]) -> Overlap:
    true, seen, both = (math.fsum(getattr(part, key) for part in parts) for key in ("true", "seen", "both"))
    return Overlap(true, seen, both)


def _terrain(results: Sequence[PhotoResult]) -> dict[str, TerrainFigures]:
    out = {}
    for kind in sorted({kind for r in results for kind in r.score.terrain.kinds}):
        parts = [r.score.terrain.kinds[kind] for r in results if kind in r.score.terrain.kinds]
        true = [p for r in results for p in r.score.terrain.true if p.kind == kind]
        seen = [p for r in results for p in r.score.terrain.seen if p.kind == kind]
        overlap = _sum_overlaps(parts)
        ious = [p.iou for p in parts]
        out[kind] = TerrainFigures(
            len(parts), overlap, sum(ious) / len(ious), min(ious),
            len(true), sum(p.covered < 0.5 for p in true),
            len(seen), sum(p.mistaken_for is not None for p in seen),
            sum(p.mistaken_for is None and p.on_kind < 0.5 for p in seen),
        )  # fmt: skip
    return out


def _rulings(results: Sequence[PhotoResult], which: str) -> RulingFigures:
    compared: list[tuple[str, Compared]] = [(r.name, getattr(r.rulings, which)) for r in results]
    return RulingFigures(
        rulings=sum(c.rulings for _, c in compared),
        too_close=sum(c.too_close for _, c in compared),
        differing=tuple(PhotoDiffering(name, **vars(d)) for name, c in compared for d in c.differing),
        by_ruling=Counter(d.ruling for _, c in compared for d in c.differing),
        refused=tuple(PhotoRefused(name, c.refused) for name, c in compared if c.refused),
    )
