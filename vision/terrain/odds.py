"""How surely a traced piece of terrain is there and of its kind, as a chance that holds on tables of any make.

The evidence are the figures of :mod:`vision.terrain.piece_figures`. Their weight was learnt from traced and drawn
tables by ``scripts/train/piece_odds.py`` and is stored in ``vision/data/piece_odds.json``: values of small trees add
up to log odds, and a line corrects these by kits of terrain that the trees had not learnt from.
The rest of the chance goes to the kinds that pieces of this kind have turned out to be, and to "nothing", by how often
that was and by the net's shares of them there.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from importlib import resources
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.model.expected import ExpectedTerrain, TerrainEvidence
from vision.terrain.piece_figures import FIGURES, PieceFigures, figures_of
from vision.terrain.pieces import KINDS, GroundMaps
from vision.terrain.tracing import Array, Mask

NOTHING = "nothing"
"""The name of open ground in chances."""
_LEAST, _MOST = 0.01, 0.995
_LISTED = 0.005


@dataclass(frozen=True, eq=False)
class Tree:
    """A tree of questions: node ``i`` asks whether column ``column[i]`` is at most ``at[i]`` and goes to ``left[i]``,
    else to ``right[i]``; at a leaf, where ``column`` is -1, it says ``value[i]``."""

    column: tuple[int, ...]
    at: tuple[float, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]
    value: tuple[float, ...]

    @cached_property
    def _arrays(self) -> tuple[npt.NDArray[Any], ...]:
        return tuple(np.array(part) for part in (self.column, self.at, self.left, self.right, self.value))

    def values(self, rows: Array) -> Array:
        """The value (n,) of rows (n, columns)."""
        node = np.zeros(len(rows), np.intp)
        column, at, left, right, value = self._arrays
        every = np.arange(len(rows))
        while (asks := column[node] >= 0).any():
            low = rows[every, np.maximum(column[node], 0)] <= at[node]
            node = np.where(asks, np.where(low, left[node], right[node]), node)
        return np.asarray(value[node], np.float64)


@dataclass(frozen=True, eq=False)
class PieceOdds:
    """Odds by figures: ``trees`` over the figures and one column for each kind, added up to ``constant``, then
    ``slope`` times that plus ``offset``; ``mistaken``: of pieces of a kind that are not right, how often each other
    kind or nothing is there."""

    constant: float
    trees: tuple[Tree, ...]
    slope: float
    offset: float
    mistaken: Mapping[str, Mapping[str, float]]

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PieceOdds:
        """The odds of the file; ValueError where it is for other figures than these."""
        if tuple(data["figures"]) != FIGURES or tuple(data["kinds"]) != KINDS:
            raise ValueError("The odds were learnt for other figures: run scripts/train/piece_odds.py again.")
        trees = tuple(Tree(*(tuple(tree[key]) for key in ("column", "at", "left", "right", "value")))
                      for tree in data["trees"])  # fmt: skip
        return cls(data["constant"], trees, data["slope"], data["offset"], data["mistaken"])

    def log_odds(self, rows: Array) -> Array:
        """The trees' output (n,) for rows (n, figures and kinds), before the line that corrects it."""
        return np.asarray(self.constant + sum(tree.values(rows) for tree in self.trees), np.float64)

    def right(self, told: PieceFigures) -> Array:
        """The chance (n,) of each piece that it is there and of its kind."""
        odds = self.slope * self.log_odds(told.rows()) + self.offset
        return np.asarray(np.clip(1 / (1 + np.exp(-odds)), _LEAST, _MOST))

    def chances(self, told: PieceFigures) -> list[dict[str, float]]:
        """For each piece the chance of each kind and of nothing, adding up to 1."""
        out = []
        for kind, right, shares in zip(told.kinds, self.right(told), told.shares, strict=True):
            often = self.mistaken[kind]
            weights = {
                other: often[other] * (0.1 + (shares[KINDS.index(other)] if other in KINDS else 0.25))
                for other in (*KINDS, NOTHING)
                if other != kind
            }
            total = sum(weights.values())
            out.append({kind: float(right), **{k: float((1 - right) * w / total) for k, w in weights.items()}})
        return out


@lru_cache(maxsize=1)
def piece_odds() -> PieceOdds:
    """The odds that come with the product, read when first asked for."""
    return PieceOdds.from_json(json.loads(resources.files("vision").joinpath("data", "piece_odds.json").read_text()))


def with_chances(
    pieces: Sequence[ExpectedTerrain],
    maps: GroundMaps,
    *,
    covered: Mask | None = None,
    kinds: Collection[str] = KINDS,
) -> tuple[ExpectedTerrain, ...]:
    """Traced pieces with, as confidence, the chance that each is there and of its kind, and with the chances of all
    kinds as one photo's evidence; unchanged where ``maps`` have no picture.

    ``covered`` (rows, columns): what bases and figures hide; ``kinds``: pieces of others get no chance of their own,
    but do not become certain either.
    """
    if not pieces or maps.picture is None:
        return tuple(pieces)
    out = [replace(piece, confidence=min(piece.confidence, _MOST)) for piece in pieces]
    weighed = [k for k, piece in enumerate(pieces) if piece.kind in kinds]
    if weighed:
        told = piece_odds().chances(figures_of(pieces, maps, covered=covered, of=weighed))
        for k, chances in zip(weighed, told, strict=True):
            sure, evidence = round(chances[pieces[k].kind], 4), TerrainEvidence(1, 1.0, listed(chances))
            out[k] = replace(pieces[k], confidence=sure, evidence=evidence)
    return tuple(out)


def listed(chances: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    """Chances as they are stored: the most likely first, without negligible ones."""
    return tuple(sorted(((k, round(v, 4)) for k, v in chances.items() if v >= _LISTED), key=lambda c: (-c[1], c[0])))
