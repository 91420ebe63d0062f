"""What small things beside units say of them: cotton, tokens and dice made into proposals."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from calibration import TableView
from geometry import Bases
from vision.beside import BesideConfig, TablePlan, gaps, nearest_unit, only_unit
from vision.cotton import Cotton, CottonConfig, find_cotton
from vision.dice import Dice, DiceConfig, find_dice
from vision.expected import Expected
from vision.observation import SeenDie, SeenMarker
from vision.photo import Photo
from vision.rims import Array
from vision.tags import Tags
from vision.tokens import Tokens, place_tokens


@dataclass(frozen=True)
class MarkersConfig:
    """``dice_reach_in``: farthest that a die lies from the bases of the unit whose hits it counts; the rest stage by
    stage."""

    dice_reach_in: float = 1.5
    beside: BesideConfig = field(default_factory=BesideConfig)
    cotton: CottonConfig = field(default_factory=CottonConfig)
    dice: DiceConfig = field(default_factory=DiceConfig)


def plan_of(photo: Photo, view: TableView, expected: Expected, config: MarkersConfig | None = None) -> TablePlan:
    """The table from above as all that look for small things need it, whatever bases lie on it."""
    config = config or MarkersConfig()
    plan = TablePlan(photo, view, expected, config.beside)
    plan.prepare(config.dice.spots)
    return plan


def find_markers_beside(
    plan: TablePlan,
    view: TableView,
    expected: Expected,
    bases: Bases,
    units: tuple[str | None, ...],
    token_tags: Tags,
    config: MarkersConfig | None = None,
) -> tuple[tuple[SeenDie, ...], tuple[SeenMarker, ...]]:
    """The dice on the table, and what cotton, tokens and dice say of the units that they lie beside.

    ``plan``: :func:`plan_of` the photo. ``units`` names each base's unit, None where it is unknown; ``token_tags`` are
    the tags read on tokens. A thing that is not clearly beside one unit is nobody's, and a die then no marker at all.
    """
    config = config or MarkersConfig()
    dice = find_dice(plan, bases, config.dice)
    cotton = _off_dice(find_cotton(plan, config.cotton), dice)
    tokens = place_tokens(token_tags, view, expected)
    markers = (
        *_of_cotton(cotton, bases, units, config),
        *_of_tokens(tokens, expected.tag_size_in, bases, units, config),
        *_of_dice(dice, bases, units, config),
    )
    assert dice.chances is not None
    shown = tuple(
        SeenDie(_pair(c), int(v) or None, float(p), tuple(chances.tolist()) if chances.any() else ())
        for c, v, p, chances in zip(dice.center, dice.value, dice.confidence, dice.chances, strict=True)
    )
    return shown, markers


def _pair(center: Array) -> tuple[float, float]:
    return float(center[0]), float(center[1])


def _off_dice(cotton: Cotton, dice: Dice) -> Cotton:
    """Cotton where no die was found: a white die is no cotton."""
    away = np.linalg.norm(cotton.center[:, None] - dice.center[None], axis=2)
    free = (away > dice.side_in).all(axis=1)
    return Cotton(cotton.center[free], cotton.width_in[free], cotton.confidence[free])


def _whose(away: Array, units: tuple[str | None, ...], config: MarkersConfig) -> tuple[str | None, ...]:
    return nearest_unit(away, units, reach_in=config.beside.reach_in, clearly_in=config.beside.clearly_in)


def _of_cotton(cotton: Cotton, bases: Bases, units: tuple[str | None, ...], config: MarkersConfig) -> list[SeenMarker]:
    whose = _whose(gaps(cotton.center, cotton.width_in, bases), units, config)
    return [
        SeenMarker(unit, "fired", _pair(center), float(confidence), "cotton")
        for unit, center, confidence in zip(whose, cotton.center, cotton.confidence, strict=True)
    ]


def _of_tokens(
    tokens: Tokens, size_in: float, bases: Bases, units: tuple[str | None, ...], config: MarkersConfig
) -> list[SeenMarker]:
    whose = _whose(gaps(tokens.center, size_in, bases), units, config)
    return [
        SeenMarker(unit, means, _pair(center), float(confidence), "tag")
        for unit, means, center, confidence in zip(whose, tokens.means, tokens.center, tokens.confidence, strict=True)
    ]


def _of_dice(dice: Dice, bases: Bases, units: tuple[str | None, ...], config: MarkersConfig) -> list[SeenMarker]:
    """One marker for each unit with dice beside it, their values summed; not known where one of them is not."""
    beside: dict[str, list[int]] = {}
    for k, unit in enumerate(only_unit(gaps(dice.center, dice.side_in, bases), units, config.dice_reach_in)):
        if unit is not None:
            beside.setdefault(unit, []).append(k)
    out = []
    for unit, rows in beside.items():
        values = dice.value[rows]
        total = int(values.sum()) if (values > 0).all() else None
        confidence = float(np.prod(dice.confidence[rows]))
        out.append(
            SeenMarker(unit, "hits", _pair(dice.center[rows].mean(axis=0)), confidence, "dice", total, tuple(rows))
        )
    return out
