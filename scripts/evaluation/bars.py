"""What is demanded of the camera side, beside what is reached."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.figures import BaseFigures, Figures, Part
from evaluation.reliability import PIPS, RIM, SHAPE, SIDE, TERRAIN, UNIT, pooled
from evaluation.results import PhotoResult


@dataclass(frozen=True)
class Bar:
    """A demand and what is reached; ``met`` is ``None`` where no photo tells."""

    demand: str
    reached: str
    met: bool | None


TERRAIN_BARS = {
    **dict.fromkeys(("woods", "town", "field", "river", "marsh"), 0.9),
    **dict.fromkeys(("hill", "road"), 0.8),
}
TIME_BARS = (("up to 14 megapixels", 0.0, 14e6, 2.5), ("14 to 26 megapixels", 14e6, 26e6, 5.0))
PEAK_BAR_MB = 1200.0
MOST_ECE = 0.03
MOST_WRONG_TOLD = 0.01
MOST_WRONG = {PIPS: 0.005}
LEAST_STATEMENTS = 50
"""With fewer statements it can't be said how far their chances hold."""
_SORTS = (TERRAIN, SHAPE, RIM, SIDE, UNIT, PIPS)
_UNTOLD = "no photo tells"


def bars(f: Figures, results: Sequence[PhotoResult]) -> list[Bar]:
    """All demands. Everything in a refused photo counts as missed."""
    return [*_bases(f), *_terrain(f), *_dice(f), *_trust(f), *_chances(f), *_costs(results)]


def _bases(f: Figures) -> list[Bar]:
    tags = f.readable_read
    return [
        _bar(
            "readable tags: all read, none misread",
            f"{tags} read, {f.misread} misread",
            None if not tags.of else tags.n == tags.of and not f.misread,
        ),
        _bar(
            "centre error with a readable tag: median at most 0.03″, 95th percentile at most 0.08″",
            f"{inches(f.readable.median_in)} and {inches(f.readable.p95_in)}",
            _all(_within(f.readable.median_in, 0.03), _within(f.readable.p95_in, 0.08)),
        ),
        _bar(
            "distance of any two unique bases: 95th percentile of its error at most 0.1″",
            inches(f.range_p95_in),
            _within(f.range_p95_in, 0.1),
        ),
        _bases_bar("painted rims, no tag: at least 97 % found, at most 2 % false", f.rims, f.rims_false, 0.97, 0.02),
        _bar(
            "centre error with rims and no tag: 95th percentile at most 0.12″",
            inches(f.rims.p95_in),
            _within(f.rims.p95_in, 0.12),
        ),
        _bases_bar("neither rims nor tag: at least 90 % found, at most 5 % false", f.bare, f.bare_false, 0.90, 0.05),
    ]


def _terrain(f: Figures) -> list[Bar]:
    out = []
    for kind, least in TERRAIN_BARS.items():
        told = f.terrain.get(kind)
        out.append(
            _bar(
                f"{kind}: IoU at least {least:g}, by area over all photos",
                f"{told.overlap.iou:.3f} (a photo's least {told.least:.3f})" if told else "",
                None if told is None else told.overlap.iou >= least,
            )
        )
    mistaken = Part(sum(t.mistaken for t in f.terrain.values()), sum(t.seen for t in f.terrain.values()))
    words = f"{mistaken} pieces mistaken"
    return [*out, _bar("no kind of terrain mistaken for another", words, mistaken.n == 0 if mistaken.of else None)]


def _dice(f: Figures) -> list[Bar]:
    dice = Part(f.dice["right"], f.dice["true"] - f.dice["open"] + f.dice["false_told"])
    return [
        _bar(
            "dice: at least 98 % right of those not asked about; missed and false ones count as wrong",
            str(dice),
            dice.share >= 0.98 if dice.of else None,
        )
    ]


def _trust(f: Figures) -> list[Bar]:
    ellipse, rulings = f.ellipses[2], f.rulings["positions"]
    return [
        _bar(
            "true positions inside the stated 95 % ellipse: 93 to 97 %",
            str(Part(ellipse.inside, ellipse.n)),
            0.93 <= ellipse.share <= 0.97 if ellipse.n else None,
        ),
        _bar(
            "rulings not marked too close: none wrong because of position",
            f"{rulings.wrong} wrong",
            rulings.wrong.n == 0 if rulings.wrong.of else None,
        ),
    ]


def _chances(f: Figures) -> list[Bar]:
    """Told statements (not asked) are hardly ever wrong, and the chances of all statements hold."""
    out = []
    for sort in _SORTS:
        mine = [parts for name, parts in f.reliability.items() if name.startswith(sort)]
        most, name = MOST_WRONG.get(sort, MOST_WRONG_TOLD), sort.rstrip(", ")
        told, every = pooled([parts.told for parts in mine]), pooled([parts.all for parts in mine])
        wrong = Part(told.wrong, told.n)
        demand = f"told, not asked, {name}: wrong at most {100 * most:g} %"
        out.append(_bar(demand, f"{wrong} wrong", wrong.share <= most if wrong.of else None))
        demand = f"stated chances, {name}: expected calibration error at most {MOST_ECE:g}"
        enough = every.n >= LEAST_STATEMENTS
        out.append(_bar(demand, f"{every.ece:.3f} of {every.n}", every.ece <= MOST_ECE if enough else None))
    return out


def _costs(results: Sequence[PhotoResult]) -> list[Bar]:
    """Time by picture size and peak memory, the worst photo's."""
    out = []
    for name, low, high, seconds in TIME_BARS:
        some = [r for r in results if r.times["wall_s"] and low <= (r.times["pixels"] or 0) < high]
        worst = max(some, key=lambda r: float(r.times["wall_s"]), default=None)
        demand = f"{name}: observed in at most {seconds:g} s"
        if worst is None:
            out.append(_bar(demand, "", None))
            continue
        wall, cpu = worst.times["wall_s"], worst.times["cpu_s"]
        words = f"longest {wall:.2f} s, {cpu:.2f} s of processor time ({worst.name})"
        out.append(_bar(demand, words, wall <= seconds))
    peaks = [float(r.times["peak_mb"]) for r in results if r.times["peak_mb"]]
    reached = f"{max(peaks) / 1000:.2f} GB" if peaks else ""
    return [*out, _bar("peak memory at most 1.2 GB", reached, max(peaks) <= PEAK_BAR_MB if peaks else None)]


def _bar(demand: str, reached: str, met: bool | None) -> Bar:
    return Bar(demand, _UNTOLD if met is None else reached, met)


def _bases_bar(demand: str, figures: BaseFigures, false: Part, least: float, most: float) -> Bar:
    enough = figures.found.share >= least and (not false.of or false.share <= most)
    return _bar(demand, f"{figures.found} found, {false} false", enough if figures.found.of else None)


def _within(value: float | None, most: float) -> bool | None:
    return None if value is None else value <= most


def _all(*parts: bool | None) -> bool | None:
    return None if None in parts else all(parts)


def inches(value: float | None) -> str:
    """A length in inches for people.

    >>> inches(0.0312), inches(None)
    ('0.031″', '-')
    """
    return "-" if value is None else f"{value:.3f}″"
