"""The engine behind the server: vision for photos, the ruleset for reports. Loaded when called."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from api.app import looks
from api.engine import PLACING, Known, Looks, PhotoToRead, Reading
from api.errors import problem_of
from api.photos.decoding import Decoder, Limits, RefusedError
from api.settings import Settings
from tabletop.identity.observation_rows import Observation
from tabletop.referee import collecting, judging
from tabletop.referee.collection_files import KnownFiles
from tabletop.tables.model import TableFile
from tabletop.tables.sample import sample_photo, sample_table

if TYPE_CHECKING:
    from calibration import Camera
    from vision.imaging.photo import Photo
    from vision.model.collection import Collection

MAP_PX = 2000  # longer side of the map picture: sharp on a phone zoomed in three times, half a megabyte
MAP_MARGIN_IN = 1.2
PHOTO_PX = 2400
JPEG_QUALITY = 86
STAGES = (
    "opening the photo",
    "looking for the frame markers",
    PLACING,
    "reading the terrain",
    "reading unit tags",
    "finding bases",
    "drawing the terrain",
    "looking for markers beside units",
    "weighing what is open",
    "laying the photo flat",
)


class Program:
    """The engine of :class:`api.engine.Engine`; ``limits`` bound the process that decodes photos."""

    limits = Limits()
    looks = Looks(
        looks.load_looks,
        looks.aim,
        looks.find_board,
        looks.find_squares,
        looks.find_lines,
        looks.check_corners,
        looks.outline_terrain,
    )

    def __init__(self, limits: Limits | None = None) -> None:
        if limits is not None:
            self.limits = limits

    @cached_property
    def decoder(self) -> Decoder:
        """The process that decodes photos."""
        return Decoder(looks.decode_photo, self.limits)

    @cached_property
    def known_files(self) -> KnownFiles:
        """The learned data, as last read."""
        return KnownFiles()

    def start(self) -> None:
        """Prepare the process that decodes photos."""
        self.decoder.start()

    def load(self) -> None:
        """Load the code and the nets."""
        from vision.drawing import observation_drawing  # noqa: F401 - draws the observation
        from vision.pipeline.loading import load_all

        load_all()

    def close(self) -> None:
        """End it."""
        self.decoder.close()

    def read_photo(self, asked: PhotoToRead) -> Reading:
        """Observe the photo, rectify it and draw the observation."""
        from vision.drawing.observation_drawing import DrawingConfig, annotated_photo
        from vision.drawing.raster import table_part
        from vision.imaging.rectify import MapScale, rectified_map

        reached = 0

        def step(stage: str) -> None:
            nonlocal reached
            reached = max(reached, STAGES.index(stage) if stage in STAGES else 0)
            asked.progress(stage, reached / len(STAGES))

        step(STAGES[0])
        photo, table = self.photo(asked.data, asked.name), asked.table
        camera, camera_warnings = camera_for(photo, asked.calibration)
        collection, warnings = self._collection(asked.known)
        corners = None if asked.named is None else looks.named_corners(asked.named, photo.size)
        options = judging.PhotoOptions(camera=camera, corners=corners, previous=asked.previous, collection=collection)
        size = (table.width_in, table.depth_in)
        scale = MapScale(*size, px_per_inch=MAP_PX / (max(size) + 2 * MAP_MARGIN_IN), margin_in=MAP_MARGIN_IN)
        with ThreadPoolExecutor(max_workers=1) as aside:  # pictures are made where a core is idle
            upright = aside.submit(lambda: _jpeg(_smaller(photo.image, PHOTO_PX)))
            seen = judging.observe(photo, table, options, progress=step)
            step(STAGES[-1])
            view = seen.photos[0].view
            flat = aside.submit(
                lambda: _jpeg(
                    rectified_map(photo.image, view, size, px_per_inch=scale.px_per_inch, margin_in=scale.margin_in)
                )
            )
            expected = judging.expected_from(table)
            look = DrawingConfig(question_ids=False)
            drawn = _jpeg(
                annotated_photo(photo.image, seen, expected=expected, config=look, long_side_px=PHOTO_PX, crop=True)
            )
        observation = seen.to_json()
        edge_in = 0.5 / scale.px_per_inch  # from a corner pixel's centre to the picture's corner
        low = scale.table_from_pixel([[0.0, scale.size[1] - 1.0]])[0] - edge_in
        high = scale.table_from_pixel([[scale.size[0] - 1.0, 0.0]])[0] + edge_in
        return Reading(
            observation={**observation, "warnings": [*observation["warnings"], *camera_warnings, *warnings]},
            sha256=photo.sha256,
            width=photo.size[0],
            height=photo.size[1],
            map_jpeg=flat.result().data,
            map_size=scale.size,
            map_bounds=((float(low[0]), float(low[1])), (float(high[0]), float(high[1]))),
            annotated_jpeg=drawn.data,
            annotated_size=drawn.size,
            annotated_part=table_part(view, size),
            upright_jpeg=upright.result().data,
            upright_size=upright.result().size,
        )

    def _collection(self, known: Known) -> tuple[Collection | None, tuple[str, ...]]:
        """The learned data, and warnings for the players where it can't be read."""
        from vision.model.errors import CollectionError

        if not known:
            return None, ()
        try:
            return self.known_files.together(known), ()
        except (CollectionError, OSError) as error:
            return None, (f"The learned data can't be read, and this photo was read without it: {problem_of(error)}",)

    def learn(self, upright_jpeg: bytes, sha256: str, table: TableFile, observation: Observation) -> bytes:
        """Learn from the picture, with today's date."""
        return collecting.learn_picture(upright_jpeg, sha256, table, observation, datetime.date.today().isoformat())

    def photo(self, data: bytes, name: str) -> Photo:
        """The photo of an upload, decoded out of this process; raises PhotoError and DecodingError."""
        from vision.imaging.photo import Photo
        from vision.model.errors import PhotoError

        try:
            seen = self.decoder.decode(data, name)
        except RefusedError as error:
            raise PhotoError(str(error)) from error
        sha256 = hashlib.sha256(data).hexdigest()
        return Photo(seen.image, name, sha256, seen.focal_35mm, seen.model, seen.taken, seen.orientation)

    def demo(self) -> tuple[str, str, bytes, str]:
        """The bundled photograph and its table file."""
        table, photo = sample_table(), sample_photo()
        return table.read_text(encoding="utf-8"), table.name, photo.read_bytes(), photo.name


def of_settings(settings: Settings) -> Program:
    """The program as a server's settings configure it."""
    memory, cpu, wall = settings.decoder_memory_bytes, settings.decoder_cpu_s, settings.decoder_wall_s
    return Program(Limits(memory, cpu, wall, settings.max_photo_pixels))


def camera_for(photo: Photo, calibration: Mapping[str, Any] | None) -> tuple[Camera | None, tuple[str, ...]]:
    """The camera to read a photo with, and warnings for the players where their calibrated one does not fit."""
    from calibration import Camera, CameraFileError

    if calibration is None:
        return None, ()
    name, model = calibration["name"], calibration["model"]
    camera = Camera.from_json(calibration["camera"])
    if None not in (model, photo.model) and model != photo.model:
        return None, (
            f"{name} was calibrated for {model}, and this photo is of {photo.model}: it was read without it.",
        )
    upright = (
        camera if (camera.size[0] < camera.size[1]) == (photo.size[0] < photo.size[1]) else camera.rotate_quarters(1)
    )
    try:
        upright.scaled_to(photo.size)
    except CameraFileError:
        wide, high = camera.size
        return None, (
            f"{name} was calibrated on pictures of {wide} x {high} and this photo has {photo.size[0]} x "
            f"{photo.size[1]}, another shape: it was read without it.",
        )
    return camera, ()


@dataclass(frozen=True)
class _Jpeg:
    """A picture as a JPEG, with its width and height in pixels."""

    data: bytes
    size: tuple[int, int]


def _jpeg(image: Any) -> _Jpeg:
    """A picture written as a JPEG."""
    import cv2

    done, encoded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not done:
        raise RuntimeError("OpenCV can't write a JPEG.")
    return _Jpeg(bytes(encoded), (image.shape[1], image.shape[0]))


def _smaller(image: Any, most_px: int) -> Any:
    """The picture, scaled down until its longer side is at most ``most_px``."""
    import cv2

    part = most_px / max(image.shape[:2])
    if part >= 1.0:
        return image
    size = round(image.shape[1] * part), round(image.shape[0] * part)
    return cv2.resize(image, size, interpolation=cv2.INTER_AREA)
