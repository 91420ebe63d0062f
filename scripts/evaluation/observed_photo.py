"""One photo observed in this process, for ``python scripts/evaluate_photos.py``: what is seen, the time, the memory.

``python scripts/evaluation/observed_photo.py PHOTO TABLE TRUTH [CAMERA]`` prints JSON. The truth is opened when the
observation is done, to measure the light on the table.
"""

from __future__ import annotations

import dataclasses
import json
import sys
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np

import vision.pipeline.one_photo
from calibration import CalibrationError
from calibration.dictionaries import marker_dictionary
from evaluation.light import measure_light
from evaluation.truth import read_truth
from tabletop.errors import TabletopError
from tabletop.referee.judging import expected_from, load_camera, load_for_photo, open_photo
from vision import Observation, VisionError
from vision.imaging.photo import Photo

_STATUS = Path("/proc/self/status")
_BARE_RUNS = 3


def main(arguments: list[str]) -> int:
    """Observe, print, and end with status 0; a refusal is part of what is printed."""
    photo, table, truth = map(Path, arguments[:3])
    camera = Path(arguments[3]) if len(arguments) > 3 else None
    sys.stdout.write(json.dumps(observe_photo(photo, table, truth, camera), allow_nan=False))
    return 0


def observe_photo(photo: Path, table: Path, truth: Path, camera: Path | None) -> dict[str, Any]:
    """The result and cost of one photo's observation, for :class:`evaluation.results.Run`.

    Wall and processor time are of opening and observing the photo, once, in a process that has loaded the code and
    nothing else; loading a model counts.
    """
    out: dict[str, Any] = {"observation": None}
    picture: Photo | None = None
    try:
        expected, lens = expected_from(load_for_photo(table)), load_camera(camera)
        wall, cpu = time.perf_counter(), time.process_time()
        picture = open_photo(photo)
        opened = time.perf_counter() - wall
        seen: Observation = vision.pipeline.one_photo.observe(picture, expected, camera=lens)
        out["wall_s"], out["cpu_s"] = time.perf_counter() - wall, time.process_time() - cpu
        out |= {"observation": seen.to_json(), "stages_s": {"opening": opened, **dict(seen.timings_s)}}
    except (CalibrationError, TabletopError, VisionError) as refusal:
        out["refused"] = str(refusal)
    out["peak_mb"] = peak_mb()
    if picture is None:
        return out
    light = measure_light(picture.image, read_truth(truth))
    out |= {"model": picture.model, "pixels": picture.size[0] * picture.size[1]}
    out["light"] = None if light is None else dataclasses.asdict(light)
    del picture
    return out | bare_times(photo)


def peak_mb() -> float:
    """The most memory that this process has had, in 10^6 bytes: its own, not that of the process it came from."""
    if _STATUS.is_file():
        for line in _STATUS.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024 / 1e6
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most * (1 if sys.platform == "darwin" else 1024) / 1e6


def bare_times(path: Path) -> dict[str, float]:
    """Seconds of a bare decode and of OpenCV's ``detectMarkers`` with its defaults, the best of three."""

    data = np.frombuffer(path.read_bytes(), np.uint8)
    detector = cv2.aruco.ArucoDetector(marker_dictionary("DICT_APRILTAG_36h11"))
    decode, detect = [], []
    for _ in range(_BARE_RUNS):
        start = time.perf_counter()
        image = cv2.imdecode(data, cv2.IMREAD_COLOR)
        decoded = time.perf_counter()
        detector.detectMarkers(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
        decode.append(decoded - start)
        detect.append(time.perf_counter() - decoded)
    return {"bare_decode_s": min(decode), "bare_detect_s": min(detect)}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
