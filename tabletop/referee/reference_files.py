"""A folder of earlier photos of one table: later photos are placed by its look, without markers or named corners.

Each is a grey picture without EXIF, NAME.jpg, and NAME.json with its camera. The first photo of a table stays, and the
latest ones.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabletop.errors import UsageError
from tabletop.files import write_files

if TYPE_CHECKING:
    from calibration.camera import Array
    from vision import Observation
    from vision.imaging.photo import Photo
    from vision.model.expected import Expected
    from vision.model.reference import TableReference

MOST = 4
LONG_PX = 2400
MOST_SIGMA_IN = 1.0
VERSION = 1


def load_references(folder: Path, size_in: tuple[float, float]) -> tuple[TableReference, ...]:
    """The earlier photos in a folder, the latest first; none where there is no such folder yet. Raises UsageError for
    photos of a table of another size and for files that can't be read."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file: --references names a folder for the earlier photos of a table.")
    return tuple(_load(path, size_in) for path in reversed(_named(folder)))


def keep_reference(folder: Path, photo: Photo, seen: Observation, shown: int, expected: Expected) -> None:
    """Keep a photo that was read in the folder, made where it is missing: number ``shown`` of the observation's photos.
    A photo with a table too uncertain to place others by is not kept."""
    import cv2
    import numpy as np

    from calibration.corners import table_sigma_in
    from geometry.shapes import outline_polygons
    from vision.imaging.rectify import reduced_to

    view = seen.photos[shown].view
    if view.turns or not table_sigma_in(view, seen.table) <= MOST_SIGMA_IN:
        return
    small, _ = reduced_to(photo.gray, LONG_PX)
    ok, picture = cv2.imencode(".jpg", small)
    assert ok
    size = (small.shape[1], small.shape[0])
    camera = view.camera.scaled_to(size)
    scale = np.ones(15)
    scale[:4] = size[0] / photo.size[0]
    bases = [np.array(base.exterior.coords)[:-1].round(2).tolist() for base in outline_polygons(seen.bases, 16)]
    papers = [ring.round(2).tolist() for ring in covered_by_markers(expected)]
    kept = {
        "version": VERSION,
        "table": list(seen.table),
        "camera": camera.to_json(),
        "R": view.R.tolist(),
        "t": view.t.tolist(),
        "covariance": (view.covariance * np.outer(scale, scale)).tolist(),
        "covered": [*papers, *bases],
    }
    names = _named(folder)
    number = 1 + max((int(path.stem.rpartition("-")[2]) for path in names), default=0)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"earlier-{number:04d}"
    write_files({path.with_suffix(".jpg"): picture.tobytes(), path.with_suffix(".json"): json.dumps(kept).encode()})
    for old in names[1 : max(1, len(names) + 2 - MOST)]:
        old.unlink()
        old.with_suffix(".jpg").unlink(missing_ok=True)


def covered_by_markers(expected: Expected) -> tuple[Array, ...]:
    """Outlines (4, 2) in inches of the sheets with frame markers, which may be moved between photos."""
    corners = [expected.frame.corners(i)[:, :2] for i in expected.frame.ids]
    return tuple(ring.mean(axis=0) + 1.6 * (ring - ring.mean(axis=0)) for ring in corners)


def _named(folder: Path) -> list[Path]:
    """The JSON files of a folder's photos, the first one first."""
    return sorted(path for path in folder.glob("earlier-*.json") if path.stem.rpartition("-")[2].isdecimal())


def _load(path: Path, size_in: tuple[float, float]) -> TableReference:
    import numpy as np

    from calibration import Camera, CameraFileError, TableView
    from vision import PhotoError
    from vision.imaging.photo import open_photo
    from vision.model.reference import TableReference

    try:
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        R, t, covariance = (np.array(data[key], dtype=np.float64) for key in ("R", "t", "covariance"))
        if (R.shape, t.shape, covariance.shape) != ((3, 3), (3,), (15, 15)) or data["version"] != VERSION:
            raise ValueError("the numbers are not a camera's")
        camera = Camera.from_json(data["camera"])
        covered = tuple(np.array(ring, dtype=np.float64).reshape(-1, 2) for ring in data["covered"])
        width, depth = (float(value) for value in data["table"])
        photo = open_photo(path.with_suffix(".jpg"))
        if photo.size != camera.size:
            raise ValueError("the picture has another size")
    except (OSError, ValueError, KeyError, TypeError, RecursionError, CameraFileError, PhotoError) as error:
        raise UsageError(f"The earlier photo {path} can't be read: delete it, or give another folder.") from error
    if max(abs(width - size_in[0]), abs(depth - size_in[1])) > 0.01:
        raise UsageError(
            f"{path.parent} has photos of a table of {width:g} x {depth:g} inches; this one is {size_in[0]:g} x "
            f"{size_in[1]:g}: give the same table file, or another folder."
        )
    return TableReference(path.stem, photo.gray, TableView(camera, R, t, covariance), size_in, covered)
