"""One photo's result: how it was read, its right and wrong readings, the groups it belongs to."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from evaluation.cases import Case
from evaluation.groups import groups_of, has_rims, tags_on
from evaluation.light import Light
from evaluation.rulings import Rulings, compare_rulings
from evaluation.score import Score, score_photo
from evaluation.truth import read_truth
from tabletop.referee.judging import load_for_photo, rules_of
from tabletop.referee.reports import known_rules


@dataclass(frozen=True)
class Run:
    """How one photo was observed, in a separate process.

    ``refused``: the sentence, where it was refused or the process failed, and ``observation`` is then ``None``.
    ``wall_s`` and ``cpu_s`` of opening and observing, ``stages_s`` of its stages, ``peak_mb`` in 10^6 bytes;
    ``bare_decode_s`` and ``bare_detect_s`` are the yardsticks; ``model`` is the phone's.
    """

    observation: Mapping[str, Any] | None
    refused: str | None = None
    wall_s: float | None = None
    cpu_s: float | None = None
    stages_s: Mapping[str, float] = field(default_factory=dict)
    peak_mb: float | None = None
    bare_decode_s: float | None = None
    bare_detect_s: float | None = None
    pixels: int | None = None
    model: str | None = None
    light: Light | None = None


Observe = Callable[[Case], Run]


@dataclass(frozen=True)
class PhotoResult:
    """Everything kept of one photo; ``packed`` is its observation, see :attr:`observation`."""

    case: Case
    refused: str | None
    score: Score
    rulings: Rulings
    groups: Mapping[str, str]
    rims: bool
    tags: str
    terrain_given: bool
    light: Light | None
    times: Mapping[str, Any]
    model: str | None
    packed: bytes | None

    @property
    def name(self) -> str:
        """The photo's name."""
        return self.case.name

    @property
    def observation(self) -> dict[str, Any] | None:
        """The observation, ``None`` where the photo was refused."""
        return None if self.packed is None else dict(json.loads(zlib.decompress(self.packed)))


def evaluate(
    cases: Sequence[Case], observe: Observe, *, jobs: int = 1, progress: Callable[[str], None] | None = None
) -> list[PhotoResult]:
    """The results of photos in the order given; ``jobs`` of them are observed at a time.

    Raises UsageError for a truth that can't be read, before anything is observed.
    """
    for case in cases:
        read_truth(case.truth)
    out = []
    for n, (case, run) in enumerate(_runs(cases, observe, jobs), 1):
        out.append(result_of(case, run))
        if progress is not None:
            progress(f"{n} of {len(cases)} photos: {case.name}")
    return out


def _runs(cases: Sequence[Case], observe: Observe, jobs: int) -> Iterator[tuple[Case, Run]]:
    if jobs == 1:
        yield from ((case, observe(case)) for case in cases)
        return
    with ThreadPoolExecutor(jobs) as pool:
        for start in range(0, len(cases), 4 * jobs):
            some = cases[start : start + 4 * jobs]
            yield from zip(some, pool.map(observe, some), strict=True)


def result_of(case: Case, run: Run) -> PhotoResult:
    """The result of one photo's run against its truth."""
    truth = read_truth(case.truth)
    score, rulings, given = score_photo(run.observation, truth), Rulings(), False
    if run.observation is not None:
        table = load_for_photo(case.table)
        rules, given = rules_of(table), bool(table.terrain)
        if rules in known_rules():
            roster, kinds = ({unit.id: getattr(unit, key) for unit in table.units} for key in ("bases", "kind"))
            rulings = compare_rulings(run.observation, truth, score, rules=rules, roster=roster, kinds=kinds)
    times = {
        key: getattr(run, key)
        for key in ("wall_s", "cpu_s", "stages_s", "peak_mb", "bare_decode_s", "bare_detect_s", "pixels")
    }
    return PhotoResult(
        case=case,
        refused=run.refused,
        score=score,
        rulings=rulings,
        groups=groups_of(truth, run.light),
        rims=has_rims(truth),
        tags=tags_on(truth),
        terrain_given=given,
        light=run.light,
        times=times,
        model=run.model,
        packed=None if run.observation is None else zlib.compress(json.dumps(run.observation).encode()),
    )
