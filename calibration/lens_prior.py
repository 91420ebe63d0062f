"""What is known of a phone's lens before a photo: as a mean and a spread of the nine camera parameters.

A prior is kept as its mean and a root: parameters = mean + root @ c with c ~ N(0, I). A root may be singular, so a
parameter known exactly needs no special case.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from calibration.camera import Camera

Array = npt.NDArray[np.float64]

FULL_FRAME_DIAGONAL_MM = float(np.hypot(36.0, 24.0))


@dataclass(frozen=True)
class LensPriorConfig:
    """Spreads (one standard deviation) of phone lenses. Radial terms are stated as the share by which they move a point
    at the picture's corner, so that wide and long lenses have comparable spreads; ``k1_k2_correlation`` says that
    makers let the second term undo the first towards the corner. ``crop_times``: how many times larger the picture may
    have been that a cropped one was cut out of.
    """

    focal_35mm_rel: float = 0.03
    focal_modes_35mm: tuple[float, ...] = (14.0, 19.0, 26.0, 36.0, 50.0, 75.0)
    focal_mode_chances: tuple[float, ...] = (0.05, 0.05, 0.6, 0.1, 0.1, 0.1)
    focal_mode_rel: float = 0.25
    pixel_aspect_rel: float = 2e-4
    centre_of_long_side: float = 0.006
    corner_k1: float = 0.07
    corner_k2: float = 0.08
    corner_k3: float = 0.02
    k1_k2_correlation: float = -0.7
    tangential: float = 8e-4
    stored_focal_rel: float = 0.003
    stored_centre_of_long_side: float = 0.006
    stored_corner_radial: float = 5e-4
    stored_tangential: float = 5e-5
    turned_chance: float = 0.1
    crop_times: tuple[float, ...] = (1.5, 2.5, 4.5)
    cropped_focal_rel: float = 0.35


@dataclass(frozen=True, eq=False)
class LensPrior:
    """Mean (9,) and root (9, 9) of the camera parameters for pictures of ``size``; ``source`` says where from:
    "stored", "exif", "markers" or "cropped"; ``log_chance`` is its weight among other priors for the same picture."""

    mean: Array
    root: Array
    size: tuple[int, int]
    source: str
    log_chance: float = 0.0

    @property
    def covariance(self) -> Array:
        """(9, 9)."""
        return self.root @ self.root.T


def focal_px_from_35mm(focal_35mm: float, size: tuple[int, int]) -> float:
    """Focal length in pixels of the 35 mm equivalent (by the diagonal, as CIPA DCG-001 defines it).

    >>> round(focal_px_from_35mm(26.0, (4032, 3024)))
    3029
    """
    return focal_35mm * float(np.hypot(*size)) / FULL_FRAME_DIAGONAL_MM


def exif_prior(size: tuple[int, int], focal_35mm: float, config: LensPriorConfig | None = None) -> LensPrior:
    """The prior of an uncalibrated phone, from the 35 mm equivalent focal length that its picture states."""
    config = config or LensPriorConfig()
    return _phone_prior(size, focal_35mm, config.focal_35mm_rel, "exif", config)


def unknown_lens_priors(size: tuple[int, int], config: LensPriorConfig | None = None) -> tuple[LensPrior, ...]:
    """The priors of a picture that says nothing about its lens: one per usual phone lens."""
    config = config or LensPriorConfig()
    return tuple(
        replace(_phone_prior(size, f, config.focal_mode_rel, "markers", config), log_chance=float(np.log(chance)))
        for f, chance in zip(config.focal_modes_35mm, config.focal_mode_chances, strict=True)
    )


def cropped_lens_priors(size: tuple[int, int], config: LensPriorConfig | None = None) -> tuple[LensPrior, ...]:
    """The priors of a picture that was cut out of a larger one, or straightened: its lens's middle may be far from its
    own, even outside."""
    config = config or LensPriorConfig()
    found = []
    for times in config.crop_times:
        whole = (round(times * size[0]), round(times * size[1]))
        for prior in unknown_lens_priors(whole, replace(config, focal_mode_rel=config.cropped_focal_rel)):
            mean, root = prior.mean.copy(), prior.root.copy()
            mean[2:4] = (size[0] - 1) / 2, (size[1] - 1) / 2
            root[2, 2] = root[3, 3] = times / 2 * max(size)
            found.append(LensPrior(mean, root, size, "cropped", prior.log_chance))
    return tuple(found)


def _phone_prior(
    size: tuple[int, int], focal_35mm: float, focal_rel: float, source: str, config: LensPriorConfig
) -> LensPrior:
    f = focal_px_from_35mm(focal_35mm, size)
    corner2 = (np.hypot(*size) / 2 / f) ** 2
    mean = np.array([f, f, (size[0] - 1) / 2, (size[1] - 1) / 2, 0, 0, 0, 0, 0])
    root = np.zeros((9, 9))
    root[0:2, 0] = f * focal_rel
    root[1, 1] = f * config.pixel_aspect_rel
    root[2, 2] = root[3, 3] = config.centre_of_long_side * max(size)
    rho = config.k1_k2_correlation
    root[4, 4] = config.corner_k1 / corner2
    root[5, 4] = rho * config.corner_k2 / corner2**2
    root[5, 5] = np.sqrt(1 - rho**2) * config.corner_k2 / corner2**2
    root[6, 6] = root[7, 7] = config.tangential
    root[8, 8] = config.corner_k3 / corner2**3
    return LensPrior(mean, root, size, source)


def stored_priors(
    camera: Camera, size: tuple[int, int], config: LensPriorConfig | None = None
) -> tuple[LensPrior, ...]:
    """The priors of a calibrated camera for pictures of ``size``: held as it was calibrated, or turned with the phone
    by 180 degrees or, for the other shape of picture, by 90 degrees either way. Raises CameraFileError for another
    shape.
    """
    config = config or LensPriorConfig()
    ratio = size[0] / size[1]
    priors = []
    for turns in range(4):
        turned = camera.rotate_quarters(turns)
        if abs(turned.size[0] / turned.size[1] / ratio - 1) < 0.01:
            chance = 1 - config.turned_chance if turns == 0 else config.turned_chance
            priors.append(replace(_stored_prior(turned.scaled_to(size), config), log_chance=float(np.log(chance))))
    if not priors:
        camera.scaled_to(size)
    return tuple(priors)


def _stored_prior(camera: Camera, config: LensPriorConfig) -> LensPrior:
    """A calibrated camera's covariance, and the slack of autofocus (focal length), stabilisation (centre) and of the
    lens model."""
    mean = camera.parameters
    covariance = camera.covariance + shot_covariance(mean, camera.size, config)
    return LensPrior(mean, covariance_root(covariance), camera.size, "stored")


def shot_covariance(parameters: Array, size: tuple[int, int], config: LensPriorConfig | None = None) -> Array:
    """How far a phone's camera parameters (9,) wander from one picture of ``size`` to the next, as a covariance
    (9, 9): autofocus moves the focal length, stabilisation the centre, and no lens keeps to its model."""
    config = config or LensPriorConfig()
    f = parameters[0]
    corner2 = (np.hypot(*size) / 2 / f) ** 2
    slack = np.zeros((9, 9))
    slack[0:2, 0:2] = (f * config.stored_focal_rel) ** 2
    slack[2, 2] = slack[3, 3] = (config.stored_centre_of_long_side * max(size)) ** 2
    for index, power in ((4, 1), (5, 2), (8, 3)):
        slack[index, index] = (config.stored_corner_radial / corner2**power) ** 2
    slack[6, 6] = slack[7, 7] = config.stored_tangential**2
    return slack


def covariance_root(covariance: Array) -> Array:
    """A root (9, 9) with ``root @ root.T`` the covariance; what is below zero by rounding counts as zero."""
    # scale before the eigenvalues: focal length in pixels and k3 differ by ten orders of magnitude
    scale = np.sqrt(np.maximum(np.diag(covariance), 1e-300))
    values, vectors = np.linalg.eigh(covariance / np.outer(scale, scale))
    root: Array = scale[:, None] * vectors * np.sqrt(np.maximum(values, 0.0))
    return root


def lens_guesses(
    size: tuple[int, int], camera: Camera | None, focal_35mm: float | None, config: LensPriorConfig
) -> list[Sequence[LensPrior]]:
    """Groups of priors, each to be tried when the ones before it don't fit: the stored camera's, EXIF's, any lens's."""
    guesses: list[Sequence[LensPrior]] = []
    if camera is not None:
        guesses.append(stored_priors(camera, size, config))
    if focal_35mm is not None and focal_35mm > 0:
        guesses.append((exif_prior(size, focal_35mm, config),))
    guesses.append(unknown_lens_priors(size, config))
    return guesses
