"""Which agreed markers to trust: a marker that was moved, turned or printed at another size is found by evidence.

Two explanations of the same corners are compared: all markers are within the layout's tolerance, or one of them is
anywhere. Neither the lens nor the layout is taken as exact, so a careless layout is not mistaken for a moved marker.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import chdtrc, logsumexp

from calibration.adjustment import AdjustmentConfig, Fit, MarkerSights, adjust, tolerance_evidence
from calibration.lens_prior import LensPrior

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class SelectionConfig:
    """The search begins when a fit is less likely than ``suspicion``
    or needs ``suspicious_noise`` times the stated corner noise; ``tolerances`` of the layout are tried for the
    other markers; a misplaced marker is ``misplaced_scale`` times the layout's spread off; ``misplaced_chance`` is
    its prior chance."""

    suspicion: float = 0.01
    suspicious_noise: float = 2.0
    tolerances: tuple[float, ...] = (0.3, 1.0, 2.5)
    misplaced_scale: float = 40.0
    misplaced_chance: float = 0.01


def likelihood(fit: Fit) -> float:
    """Chance of a fit at least as bad as this one if its priors and noise are right."""
    return float(chdtrc(8 * len(fit.shifts) - 6, 2 * fit.cost))


def trust(
    markers: MarkerSights,
    prior: LensPrior,
    fit: Fit,
    least: int,
    config: SelectionConfig | None = None,
    adjustment: AdjustmentConfig | None = None,
) -> tuple[MarkerSights, Fit] | None:
    """The markers that are as stated and their fit at tolerance 1; None where fewer than ``least`` would be left."""
    config = config or SelectionConfig()
    while likelihood(fit) < config.suspicion or fit.noise > config.suspicious_noise:
        m = len(markers)
        evidence = np.empty(m + 1)
        for k in range(m + 1):
            scales = np.ones(m)
            if k:
                scales[k - 1] = config.misplaced_scale
            tried = adjust(markers, prior, fit.R, fit.t, scale=scales, config=adjustment)
            evidence[k] = logsumexp(tolerance_evidence(tried, np.array(config.tolerances), scales))
        evidence[1:] += np.log(config.misplaced_chance)
        worst = int(np.argmax(evidence)) - 1
        if worst < 0:
            break
        if m <= least:
            return None
        markers = markers[[k for k in range(m) if k != worst]]
        fit = adjust(markers, prior, fit.R, fit.t, config=adjustment)
    return markers, fit
