"""The input of ``tabletop overlay``: a photo, or an observation with its photo beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabletop.cli.output import Step
from tabletop.cli.rulings import read_json
from tabletop.errors import SceneError, UsageError
from tabletop.files import PHOTO_SUFFIXES
from tabletop.tables.folded_lists import unfolded

if TYPE_CHECKING:
    from calibration import TableView
    from tabletop.referee.judging import PhotoOptions
    from tabletop.tables.model import TableFile
    from vision.imaging.photo import Photo

_PHOTOS = (*PHOTO_SUFFIXES, ".mpo")


@dataclass(frozen=True, eq=False)
class ShownTable:
    """The input: an observation's mapping, and the photo with its view if one was read just now."""

    data: Mapping[str, Any]
    view: TableView | None = None
    photo: Photo | None = None

    def needed_view(self) -> TableView:
        """The camera of the photo for drawing and taps, the first of an observation; raises SceneError."""
        if self.view is not None:
            return self.view
        import numpy as np

        from calibration import Camera, TableView

        photos = self.data.get("photos") or ()
        try:
            first = next(iter(photos))
            camera = Camera(np.array(first["K"]), np.array(first["dist"]), (int(first["width"]), int(first["height"])))
            return TableView(camera, np.array(first["R"], dtype=np.float64), np.array(first["t"], dtype=np.float64))
        except (StopIteration, KeyError, TypeError, ValueError) as error:
            raise SceneError("The observation has no camera of a photo: give the photo itself instead.") from error

    def needed_photo(self, source: Path) -> Photo:
        """The photo, or the first of an observation, which is beside its file; raises UsageError."""
        if self.photo is not None:
            return self.photo
        from tabletop.referee.judging import open_photo

        photos = self.data.get("photos") or ()
        name = str(photos[0].get("file", "")) if photos and isinstance(photos[0], Mapping) else ""
        beside = source.parent / Path(name).name
        if not name or not beside.is_file():
            what = f"the photo {name}" if name else "the photo"
            raise UsageError(f"--picture needs {what} beside {source.name}: put it there, or give the photo itself.")
        return open_photo(beside)


def is_photo(source: Path) -> bool:
    """Whether a file is a photo, by its name, and not an observation."""
    return source.suffix.casefold() in _PHOTOS


def shown_in(
    source: Path, roster: TableFile, options: PhotoOptions, step: Step, photo: Photo | None = None
) -> ShownTable:
    """The contents of a file: a photo read now with ``options``, or ``opened`` already, or an observation; raises
    SceneError for one of another table."""
    if is_photo(source):
        from tabletop.referee.judging import observe, observe_photos

        if photo is not None:
            seen = observe(photo, roster, options, progress=step)
            return ShownTable(unfolded(seen.to_json()), seen.photos[0].view, photo)
        observed = observe_photos([source], roster, options, progress=step)
        return ShownTable(unfolded(observed.observation.to_json()), observed.observation.photos[0].view, observed.photo)
    data = read_json(source)
    if not isinstance(data, Mapping):
        raise SceneError(f"{source.name} is not an observation: name one from `tabletop observe --json`, or a photo.")
    size = data.get("table")
    mine = {"width": roster.width_in, "depth": roster.depth_in}
    if isinstance(size, Mapping) and any(abs(float(size.get(key, 0)) - value) > 1e-6 for key, value in mine.items()):
        raise SceneError(
            f"{source.name} shows a table of {size.get('width'):g} x {size.get('depth'):g} and {roster.name} has one "
            f"of {roster.width_in:g} x {roster.depth_in:g}: name the table file that it was observed with."
        )
    return ShownTable(unfolded(data))
