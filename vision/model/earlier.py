"""The heights known from an earlier photo of the same table: sight lines to its bases, and raised ground.

A base that stayed is seen twice, from two places, and the sight lines cross at its height. An observation's JSON keeps
the data for that: for each base ``z_sigma`` and ``lean`` (how its place moves for each inch of height), and ``raised``,
the ground that was found high. All three are optional: an observation without them gives no heights.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.model.errors import VisionError

Array = npt.NDArray[np.float64]

_LEAST_OWN_IN = 0.004
_BY_HAND = ("hand", "hand-outline")


class EarlierError(VisionError):
    """The heights in an earlier observation can't be read."""


@dataclass(frozen=True, eq=False)
class SightLine:
    """A base's place for each height of the surface under it: ``at_zero`` (2,) on the table, moved by ``lean`` (2,)
    for each inch; ``covariance`` (2, 2) of the place across that, the height's own part left out."""

    at_zero: Array
    lean: Array
    covariance: Array

    @classmethod
    def of(cls, center: Array, z: float, lean: Array, covariance: Array, z_sigma: float) -> SightLine:
        """The line of a base at ``center`` (2,) and ``z``; its ``covariance`` includes the height's spread."""
        rest = np.asarray(covariance)[:2, :2] - np.outer(lean, lean) * z_sigma**2
        values, vectors = np.linalg.eigh((rest + rest.T) / 2)
        kept = (vectors * np.maximum(values, _LEAST_OWN_IN**2)) @ vectors.T
        return cls(np.asarray(center) - z * np.asarray(lean), np.asarray(lean), kept)


@dataclass(frozen=True, eq=False)
class EarlierBase:
    """A base of an earlier observation: its sight ``line``, outline in inches, the ``facings`` it may have in degrees
    (none where they are not known) and their spread, and who it is where that is known."""

    line: SightLine
    is_round: bool
    width: float
    depth: float
    facings: tuple[float, ...]
    facing_sigma_deg: float
    side: str | None
    unit: str | None
    tag: int | None


@dataclass(frozen=True)
class RaisedGround:
    """Ground found to be high: at ``z`` inches, with its standard deviation, up to ``reach_in`` round ``center``."""

    center: tuple[float, float]
    reach_in: float
    z: float
    sigma_in: float

    def to_json(self) -> dict[str, Any]:
        """A mapping ready for JSON."""
        return {
            "center": [round(self.center[0], 3), round(self.center[1], 3)],
            "reach": round(self.reach_in, 3),
            "z": round(self.z, 3),
            "sigma": round(self.sigma_in, 3),
        }


@dataclass(frozen=True, eq=False)
class Earlier:
    """The bases of an earlier observation with known sight lines, and the raised ground that it knows."""

    bases: tuple[EarlierBase, ...] = ()
    raised: tuple[RaisedGround, ...] = ()


NOTHING_EARLIER = Earlier()


def earlier_from_json(data: Mapping[str, Any]) -> Earlier:
    """The heights in an observation's JSON; nothing if it was written without them, and nothing for a base that
    was moved by hand. Raises EarlierError.

    >>> earlier_from_json({"bases": [{"center": [4, 5]}]}).bases
    ()
    """
    return Earlier(
        tuple(
            _base(row)
            for row in data.get("bases", ())
            if "lean" in row and "z_sigma" in row and row.get("method") not in _BY_HAND
        ),
        tuple(_raised(row) for row in data.get("raised", ())),
    )


def _base(row: Mapping[str, Any]) -> EarlierBase:
    what = f'Base "{row.get("id")}"'
    z, z_sigma = _numbers(what, "z", row, 1)[0], _numbers(what, "z_sigma", row, 1)[0]
    center, lean = (np.array(_numbers(what, key, row, 2)) for key in ("center", "lean"))
    covariance = row.get("covariance")
    if not (isinstance(covariance, Sequence) and len(covariance) == 2):
        raise _bad(what, "covariance")
    spread = np.array([_plain_numbers(what, "covariance", one, 2) for one in covariance])
    width = _numbers(what, "width", row, 1)[0]
    facing = row.get("facing")
    ways = [facing] if facing is not None else row.get("facings", [])
    sigma = row.get("facing_sigma") if facing is not None else row.get("facings_sigma")
    if z_sigma < 0 or not isinstance(ways, Sequence):
        raise _bad(what, "z_sigma" if z_sigma < 0 else "facings")
    return EarlierBase(
        SightLine.of(center, z, lean, spread, z_sigma),
        row.get("shape") == "round",
        width,
        _plain_numbers(what, "depth", row.get("depth", width), 1)[0],
        tuple(_plain_numbers(what, "facings", list(ways), len(ways))),
        _plain_numbers(what, "facing_sigma", 0.0 if sigma is None else sigma, 1)[0],
        row.get("side"),
        row.get("unit"),
        row.get("tag"),
    )


def _raised(row: object) -> RaisedGround:
    what = "Raised ground"
    if not isinstance(row, Mapping):
        raise _bad(what, "center")
    x, y = _numbers(what, "center", row, 2)
    reach, z, sigma = (_numbers(what, key, row, 1)[0] for key in ("reach", "z", "sigma"))
    if reach < 0 or sigma <= 0:
        raise _bad(what, "reach" if reach < 0 else "sigma")
    return RaisedGround((x, y), reach, z, sigma)


def _numbers(what: str, key: str, row: Mapping[str, Any], count: int) -> list[float]:
    return _plain_numbers(what, key, row.get(key), count)


def _plain_numbers(what: str, key: str, value: object, count: int) -> list[float]:
    """So many finite numbers, one of them not in a list."""
    values = value if isinstance(value, list | tuple) else [value]
    found = [float(v) for v in values if isinstance(v, int | float) and isfinite(v)]
    if len(values) != count or len(found) != count:
        raise _bad(what, key)
    return found


def _bad(what: str, key: str) -> EarlierError:
    return EarlierError(
        f'{what} of the previous observation has a "{key}" that can\'t be read: observe that photo again.'
    )
