"""Proposals from small things beside units: cotton, tokens and dice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from calibration import TableView
from geometry import Bases
from vision.imaging.photo import Photo
from vision.imaging.rims import Array
from vision.model.expected import Expected, ExpectedTerrain
from vision.model.observation import SeenDie, SeenMarker
from vision.small_objects.beside_units import BesideConfig, TablePlan, gaps, nearest_unit, only_unit
from vision.small_objects.cotton import Cotton, CottonConfig, find_cotton
from vision.small_objects.dice import Dice, DiceConfig, find_dice
from vision.small_objects.on_hills import on_hills
from vision.small_objects.tokens import Tokens, place_tokens
from vision.tags.reading import Tags


@dataclass(frozen=True)
class MarkersConfig:
    """``dice_reach_in``: greatest distance of a die of about ``die_in`` from the bases of the unit that it counts hits
    for; ``near_in``: cotton is at most so far from a base; the rest stage by stage."""

    dice_reach_in: float = 1.5
    die_in: float = 0.55
    near_in: float = 3.0
    beside: BesideConfig = field(default_factory=BesideConfig)
    cotton: CottonConfig = field(default_factory=CottonConfig)
    dice: DiceConfig = field(default_factory=DiceConfig)


def plan_of(photo: Photo, view: TableView, expected: Expected, config: MarkersConfig | None = None) -> TablePlan:
    """The table from above as all searches for small things need it, independent of the bases on it."""
    config = config or MarkersConfig()
    plan = TablePlan(photo, view, expected, config.beside)
    plan.prepare()
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
    """The dice on the table, and the markers that cotton, tokens and dice make for the units beside them. Things that
    the rules do not use (:attr:`Expected.small_objects`) are ignored.

    ``plan``: :func:`plan_of` the photo. ``units`` names each base's unit, None where it is unknown; ``token_tags`` are
    the tags read on tokens. A thing that is not clearly beside one unit gets no unit; a die then is no marker.
    """
    config = config or MarkersConfig()
    dice = find_dice(plan, bases, config.dice) if "dice" in expected.small_objects else Dice.empty()
    cotton = Cotton.empty()
    if "cotton" in expected.small_objects and len(bases):
        cotton = _near(_off_dice(find_cotton(plan, config.cotton), dice), bases, config.near_in)
    tokens = place_tokens(token_tags, view, expected)
    shown = tuple(_seen_dice(dice))
    markers = (
        *_of_cotton(cotton, bases, units, config),
        *_of_tokens(tokens, expected.tag_size_in, bases, units, config),
        *_of_dice(shown, bases, units, config),
    )
    return shown, markers


def on_read_hills(
    found: tuple[tuple[SeenDie, ...], tuple[SeenMarker, ...]],
    view: TableView,
    terrain: Sequence[ExpectedTerrain],
    bases: Bases,
    units: tuple[str | None, ...],
    config: MarkersConfig | None = None,
) -> tuple[tuple[SeenDie, ...], tuple[SeenMarker, ...]]:
    """What :func:`find_markers_beside` found in a view, the dice at the heights of hills that became known only
    afterwards, and hits counted again where one has moved."""
    dice, markers = found
    moved = on_hills(dice, terrain, view.eye)
    if moved == dice:
        return found
    others = tuple(marker for marker in markers if marker.method != "dice")
    return moved, (*others, *_of_dice(moved, bases, units, config or MarkersConfig()))


def _seen_dice(dice: Dice) -> Iterator[SeenDie]:
    assert dice.chances is not None and dice.symbol is not None and dice.asked is not None
    for row, center in enumerate(dice.center):
        chances = tuple(dice.chances[row].tolist()) if dice.chances[row].any() else ()
        asked = int(dice.asked[row]) if dice.asked[row] >= 0 else None
        value, sure = int(dice.value[row]) or None, float(dice.confidence[row])
        yield SeenDie(_pair(center), value, sure, chances, bool(dice.symbol[row]), asked)


def _pair(center: Array) -> tuple[float, float]:
    return float(center[0]), float(center[1])


def _near(cotton: Cotton, bases: Bases, reach_in: float) -> Cotton:
    """Cotton near a base."""
    near = gaps(cotton.center, cotton.width_in, bases).min(axis=1, initial=np.inf) <= reach_in
    return Cotton(cotton.center[near], cotton.width_in[near], cotton.confidence[near])


def _off_dice(cotton: Cotton, dice: Dice) -> Cotton:
    """Cotton where no die was found: a white die is not cotton."""
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


def _of_dice(
    dice: Sequence[SeenDie], bases: Bases, units: tuple[str | None, ...], config: MarkersConfig
) -> list[SeenMarker]:
    """One marker for each unit with dice beside it, their values summed; not known where one of them is not."""
    beside: dict[str, list[int]] = {}
    centers = np.array([die.center for die in dice]).reshape(-1, 2)
    for k, unit in enumerate(only_unit(gaps(centers, config.die_in, bases), units, config.dice_reach_in)):
        if unit is not None:
            beside.setdefault(unit, []).append(k)
    out = []
    for unit, rows in beside.items():
        values = [dice[row].value for row in rows]
        total = None if None in values else sum(value for value in values if value is not None)
        confidence = float(np.prod([dice[row].confidence for row in rows]))
        out.append(SeenMarker(unit, "hits", _pair(centers[rows].mean(axis=0)), confidence, "dice", total, tuple(rows)))
    return out
