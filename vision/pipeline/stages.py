"""The stages of an observation: their thresholds, and how they are named and timed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from vision.bases.evidence import BasesConfig
from vision.small_objects.markers import MarkersConfig
from vision.table_pose.placement import PlacementConfig
from vision.tags.reading import TagConfig
from vision.terrain.ground import GroundConfig

Progress = Callable[[str], None]


@dataclass(frozen=True)
class ObserveConfig(PlacementConfig):
    """All thresholds of what is done to one photo, stage by stage."""

    tags: TagConfig = field(default_factory=TagConfig)
    bases: BasesConfig = field(default_factory=BasesConfig)
    beside: MarkersConfig = field(default_factory=MarkersConfig)
    ground: GroundConfig = field(default_factory=GroundConfig)


class Clock:
    """Names and times the stages; ``prefix`` names the photo."""

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
