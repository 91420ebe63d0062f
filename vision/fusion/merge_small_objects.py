"""Dice and markers that several photos of one table show, each once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import linear_sum_assignment

from vision.model.observation import SeenDie, SeenMarker

Row = tuple[int, int]
"""A photo's number and a row of its dice or markers."""


@dataclass(frozen=True)
class MergeSmallConfig:
    """``die_in``, ``marker_in``: dice, and markers of one meaning, nearer to each other than that are the same."""

    die_in: float = 0.35
    marker_in: float = 0.75


def merge_dice(
    dice: Sequence[Sequence[SeenDie]], config: MergeSmallConfig | None = None
) -> tuple[tuple[SeenDie, ...], tuple[tuple[int, ...], ...], tuple[str, ...]]:
    """The dice of all photos, each once; per photo the row that each of its dice went to; sentences on dice that photos
    read differently, which stay without a value.

    >>> seen = [[SeenDie((3.0, 4.0), 5, 0.9)], [SeenDie((3.1, 4.0), None, 0.5), SeenDie((9.0, 9.0), 2, 0.9)]]
    >>> [(die.value, round(die.confidence, 2)) for die in merge_dice(seen)[0]], merge_dice(seen)[1]
    ([(5, 0.9), (2, 0.9)], ((0,), (0, 1)))
    """
    config = config or MergeSmallConfig()
    groups, rows = _near([[die.center for die in one] for one in dice], config.die_in, lambda a, b: True)
    out, warnings = [], []
    looks = _shared_looks(dice, groups)
    for group, look in zip(groups, looks, strict=True):
        seen = [dice[photo][row] for photo, row in group]
        if look is not None and all(die.symbol for die in seen if die.value is not None):
            # A photo that shows no other die of this look knows of no doubt about its symbol.
            seen = [replace(die, value=None, chances=()) if die.value is not None else die for die in seen]
        center = np.mean([die.center for die in seen], axis=0)
        values = {die.value for die in seen if die.value is not None}
        at = (float(center[0]), float(center[1]))
        if len(values) > 1:
            shown = " and ".join(str(v) for v in sorted(values))
            warnings.append(
                f"The die at ({at[0]:.1f}, {at[1]:.1f}) is read as {shown} in different photos: its value is left open."
            )
            out.append(SeenDie(at, None, min(die.confidence for die in seen), _pool_chances(seen)))
        elif values:
            agreeing = [die.confidence for die in seen if die.value is not None]
            doubt = float(np.prod([1.0 - c for c in agreeing]))
            symbol = any(die.symbol for die in seen if die.value is not None)
            out.append(SeenDie(at, values.pop(), max(max(agreeing), min(0.995, 1.0 - doubt)), symbol=symbol))
        else:
            sure, symbol = max(die.confidence for die in seen), any(die.symbol for die in seen)
            out.append(SeenDie(at, None, sure, _pool_chances(seen), symbol, look))
    return tuple(out), rows, tuple(warnings)


def _shared_looks(dice: Sequence[Sequence[SeenDie]], groups: Sequence[Sequence[Row]]) -> list[int | None]:
    """For each merged die with an unknown symbol a number, shared by dice that one question asks about: each photo
    numbers its looks separately, and a die that two photos show joins theirs."""
    keys = [
        [(photo, look) for photo, row in group if (look := dice[photo][row].symbols_asked) is not None]
        for group in groups
    ]
    number: dict[tuple[int, int], int] = {}
    for known in filter(None, keys):
        joined = {number.setdefault(key, len(number)) for key in known}
        number = {key: min(joined) if value in joined else value for key, value in number.items()}
    return [number[known[0]] if known else None for known in keys]


def _pool_chances(seen: Sequence[SeenDie]) -> tuple[float, ...]:
    """The joint chances of 1 to 6 from all photos of one die; none without evidence.

    >>> both = _pool_chances([SeenDie((0.0, 0.0), 6, 0.9), SeenDie((0.0, 0.0), None, 0.5, (0, 0, 0, 0.5, 0, 0.5))])
    >>> [round(chance, 2) for chance in both]
    [0.0, 0.0, 0.0, 0.02, 0.0, 0.98]
    """
    told = [
        np.where(np.arange(1, 7) == die.value, die.confidence, (1 - die.confidence) / 5)
        if die.value is not None
        else np.array(die.chances, dtype=np.float64)
        for die in seen
        if die.value is not None or die.chances
    ]
    if not told:
        return ()
    together = np.prod(told, axis=0)
    if together.sum() <= 0:
        together = np.mean(told, axis=0)
    return tuple(float(chance) for chance in together / together.sum())


def merge_markers(
    markers: Sequence[Sequence[SeenMarker]],
    dice: Sequence[SeenDie],
    die_rows: Sequence[Sequence[int]],
    config: MergeSmallConfig | None = None,
) -> tuple[SeenMarker, ...]:
    """The markers of all photos, each once: cotton and tokens by meaning and place, hits by their unit;
    a marker's unit needs confirmation where photos differ. ``dice`` are the merged ones, ``die_rows`` each photo's rows
    among them."""
    config = config or MergeSmallConfig()
    own = [[replace(m, dice=tuple(die_rows[p][d] for d in m.dice)) for m in one] for p, one in enumerate(markers)]
    hits: dict[str | None, set[int]] = {}
    for one in own:
        for marker in one:
            if marker.means == "hits":
                hits.setdefault(marker.unit, set()).update(marker.dice)
    claimed = [row for rows_ in hits.values() for row in rows_]
    out = []
    for unit, rows_ in hits.items():
        mine = tuple(sorted(row for row in rows_ if claimed.count(row) == 1))
        if not mine:
            continue
        values = [dice[row].value for row in mine]
        center = np.mean([dice[row].center for row in mine], axis=0)
        total = None if None in values else sum(v for v in values if v is not None)
        sure = float(np.prod([dice[row].confidence for row in mine]))
        out.append(SeenMarker(unit, "hits", (float(center[0]), float(center[1])), sure, "dice", total, mine))
    rest = [[m for m in one if m.means != "hits"] for one in own]
    groups, _ = _near(
        [[m.center for m in one] for one in rest],
        config.marker_in,
        lambda a, b: rest[a[0]][a[1]].means == rest[b[0]][b[1]].means,
    )
    for group in groups:
        seen = [rest[photo][row] for photo, row in group]
        best = max(seen, key=lambda m: m.confidence)
        owners = {m.unit for m in seen if m.unit is not None}
        center = np.mean([m.center for m in seen], axis=0)
        whose = owners.pop() if len(owners) == 1 else None
        out.append(replace(best, unit=whose, center=(float(center[0]), float(center[1]))))
    return tuple(out)


def _near(
    places: Sequence[Sequence[tuple[float, float]]], reach_in: float, alike: Callable[[Row, Row], bool]
) -> tuple[list[list[Row]], tuple[tuple[int, ...], ...]]:
    """Groups of (photo, row) within reach of each other's mean, one from each photo, and per photo the group
    of each row."""
    groups: list[list[Row]] = []
    rows: list[tuple[int, ...]] = []
    for photo, one in enumerate(places):
        away = np.full((len(groups), len(one)), np.inf)
        for g, group in enumerate(groups):
            middle = np.mean([places[p][r] for p, r in group], axis=0)
            for k, place in enumerate(one):
                if alike(group[0], (photo, k)):
                    away[g, k] = float(np.hypot(*(np.array(place) - middle)))
        chosen, columns = linear_sum_assignment(np.minimum(away, reach_in + 1.0))
        taken = {int(c): int(r) for r, c in zip(chosen, columns, strict=True) if away[r, c] <= reach_in}
        went = []
        for k in range(len(one)):
            if k not in taken:
                groups.append([])
                taken[k] = len(groups) - 1
            groups[taken[k]].append((photo, k))
            went.append(taken[k])
        rows.append(tuple(went))
    return groups, tuple(rows)
