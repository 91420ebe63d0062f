"""The stages of an observation: their thresholds, and how they are named and timed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from calibration.markers import MarkerConfig
from calibration.table import TablePoseConfig
from vision.evidence import BasesConfig
from vision.ground import GroundConfig
from vision.seen_markers import MarkersConfig
from vision.table_corners import ByCornersConfig
from vision.tags import TagConfig

Progress = Callable[[str], None]


@dataclass(frozen=True)
class ObserveConfig:
    """All thresholds of what is done to one photo, stage by stage."""

    markers: MarkerConfig = field(default_factory=MarkerConfig)
    pose: TablePoseConfig = field(default_factory=TablePoseConfig)
    tags: TagConfig = field(default_factory=TagConfig)
    bases: BasesConfig = field(default_factory=BasesConfig)
    beside: MarkersConfig = field(default_factory=MarkersConfig)
    corners: ByCornersConfig = field(default_factory=ByCornersConfig)
    ground: GroundConfig = field(default_factory=GroundConfig)


class Clock:
    """Names and times the stages; ``prefix`` says of which photo."""

    def __init__(self, progress: Progress | None) -> None:
        self.progress, self.timings = progress, []  # type: tuple[Progress | None, list[tuple[str, float]]]
        self.prefix, self._name, self._start = "", "", 0.0

    def __call__(self, name: str) -> Clock:
        self._name = self.prefix + name
        return self

    def __enter__(self) -> None:
        if self.progress is not None:
            self.progress(self._name)
        self._start = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        self.timings.append((self._name, time.perf_counter() - self._start))
