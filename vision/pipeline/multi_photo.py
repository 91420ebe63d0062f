"""From several photos of one table to one observation.

Every photo is solved alone, then all together; each is observed with its better camera; the results are merged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from calibration import Camera, TableView
from calibration.joint import JointSolution
from vision.fusion.merge import MergeConfig, PhotoBases, merge_bases
from vision.fusion.merge_small_objects import MergeSmallConfig, merge_dice, merge_markers
from vision.imaging.photo import Photo
from vision.model.expected import Expected
from vision.model.observation import Observation
from vision.pipeline.observed_bases import in_order
from vision.pipeline.one_photo import observe
from vision.pipeline.pipeline import Joined, Joining, Opener, PhotoFindings, Shot, Small, fullest_photo, observe_photos
from vision.pipeline.solving import SolvingConfig, shown_points, sigmas_in, solved_photos
from vision.pipeline.stages import Clock, Progress
from vision.terrain.taps import DrawnLine, Tap


@dataclass(frozen=True)
class TogetherConfig:
    """How photos are solved, alone and together, and how their readings are merged."""

    solving: SolvingConfig = field(default_factory=SolvingConfig)
    merge: MergeConfig = field(default_factory=MergeConfig)
    small: MergeSmallConfig = field(default_factory=MergeSmallConfig)


@dataclass(frozen=True, eq=False)
class Gathered:
    """The joint result of several photos; ``used``: which of the photos given, in the order of the observation's."""

    observation: Observation
    used: tuple[int, ...]


def observe_many(
    openers: Sequence[Opener],
    expected: Expected,
    *,
    camera: Camera | None = None,
    taps: Sequence[Tap | DrawnLine] = (),
    bare: Photo | None = None,
    progress: Progress | None = None,
    config: TogetherConfig | None = None,
) -> Gathered:
    """Observe one table in several photos, taken at one moment from different sides.

    A photo that shows too little of the frame even for the others to help, or the same file given twice, is left out
    with a warning that names it. Raises PhotoError if a file is not a photo, and the first photo's CalibrationError
    where none can be used; ValueError for no photos. One photo alone is observed as ``observe`` does; ``taps`` and
    ``bare`` are explained there.
    """
    config = config or TogetherConfig()
    alone = config.solving.observe
    if not openers:
        raise ValueError("observe_many needs at least one photo.")
    if len(openers) == 1:
        seen = observe(openers[0](), expected, camera=camera, taps=taps, bare=bare, progress=progress, config=alone)
        return Gathered(seen, (0,))
    clock = Clock(progress)
    opened, together, left_out = solved_photos(openers, expected, camera, clock, config.solving)
    shots = [
        Shot(openers[photo.number], view, None if photo.weak else photo.tags, prefix=f"{photo.name}: ")
        for photo, view in zip(opened, together.views, strict=True)
    ]
    seen = observe_photos(
        shots,
        expected,
        camera=camera,
        taps=taps,
        bare=bare,
        joining=_Merging(together, left_out, config),
        clock=clock,
        config=alone,
    )
    return Gathered(seen, tuple(photo.number for photo in opened))


class _Merging(Joining):
    """Each base, die and marker of several photos once."""

    def __init__(self, together: JointSolution, left_out: Sequence[str], config: TogetherConfig) -> None:
        self._together, self._left_out, self._config = together, left_out, config

    def bases(self, findings: Sequence[PhotoFindings], expected: Expected, clock: Clock) -> Joined:
        """The bases of all photos, with warnings about them and the cameras."""
        with clock("bringing the photos together"):
            parts = [PhotoBases(one.photo.file, one.photo.view, one.placed) for one in findings]
            merged = merge_bases(parts, self._together.cross, expected, self._config.merge)
            order = in_order(merged.placed)
            doubt = _doubt([part.view for part in parts], expected, self._config)
            notes = (*self._left_out, *_notes(findings), *_moved_markers(self._together), *doubt, *merged.warnings)
        return Joined(tuple(merged.placed[k] for k in order), tuple(merged.confidence_factor[k] for k in order), notes)

    def small(self, found: Sequence[Small]) -> tuple[Small, tuple[str, ...]]:
        """The small things of all photos, with the differences of their readings."""
        dice, rows, differing = merge_dice([dice for dice, _ in found], self._config.small)
        markers = merge_markers([markers for _, markers in found], dice, rows, self._config.small)
        return (dice, markers), differing


def _notes(findings: Sequence[PhotoFindings]) -> list[str]:
    """Warnings from the photos' own solutions and tags: once if all agree, else with the photo's name."""
    said: dict[str, list[str]] = {}
    for one in findings:
        for note in one.notes:
            said.setdefault(note, []).append(one.photo.file)
    return [
        note if len(names) == len(findings) else f"{', '.join(names)}: {note[:1].lower()}{note[1:]}"
        for note, names in said.items()
    ]


def _moved_markers(together: JointSolution) -> list[str]:
    return [
        f"Frame marker {i} was moved between the photos: lay it back and retake them for the best accuracy."
        for i in together.moved_markers
    ]


def _doubt(views: Sequence[TableView], expected: Expected, config: TogetherConfig) -> list[str]:
    """A warning if every photo that shows a part of the table is uncertain there."""
    least = np.full(49, np.nan)
    for view in views:
        points, shown = shown_points(view, expected)
        if shown.any():
            least[shown] = np.fmin(least[shown], sigmas_in(view, points[shown]))
    sigma = float(np.nanmax(least)) if np.isfinite(least).any() else 0.0
    if sigma <= config.solving.observe.pose.wide_sigma_in:
        return []
    return [
        f"Places on this table are uncertain by up to {2 * sigma:.1f} in. Add a photo with more frame markers in it."
    ]


__all__ = ["Gathered", "Opener", "TogetherConfig", "fullest_photo", "observe_many"]
