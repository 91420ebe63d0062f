"""Checks before a game: the table file, and a photo of the table with its printed sheets.

Loads :mod:`calibration` and :mod:`vision` when called, and nothing of them when imported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tabletop.game.parts import DEFAULT_RULES
from tabletop.referee.judging import PhotoOptions, expected_from, load_camera, observe
from tabletop.referee.reports import kinds
from tabletop.tables.model import TableFile
from tabletop.words import and_list, count

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from calibration import Camera, FrameLayout, TableView
    from vision import Observation
    from vision.imaging.photo import Photo

_LEAST_LONG_SIDE_PX = 2000
_LEAST_TAG = 0.6 / 72
"""The smallest tag that can be read at the far edge, as a share of the table's longer side."""
_SCALE = 0.015
"""How far printed markers may be from their size; on photographs of exact ones the measured share is within 0.005."""
_UNLIKE = 0.03


@dataclass(frozen=True)
class Finding:
    """The result of one check, and advice (empty if all is well)."""

    what: str
    advice: str = ""


def check_table(table: TableFile) -> Iterator[Finding]:
    """The contents of a table file, and anything it lacks for reading photos."""
    longest = max(table.width_in, table.depth_in)
    yield Finding(
        f"The table is {table.width_in:g}″ by {table.depth_in:g}″, with {count(len(table.units), 'unit')} and "
        f"{count(len(table.terrain), 'piece')} of terrain."
    )
    markers = 0 if table.frame is None else len(table.frame.markers)
    if markers >= 4:
        yield Finding(f"It has {markers} frame markers.")
    else:
        yield Finding(
            f"It has {count(markers, 'frame marker') if markers else 'no frame markers'}.",
            "Lay four, one in each corner: `tabletop print markers` prints them and says what to write.",
        )
    if not table.units:
        return
    yield from _unknown_kinds(table)
    untagged = [unit.id for unit in table.units if unit.tag is None]
    tagged = len(table.units) - len(untagged)
    advice = ""
    if untagged:
        advice = f"Without a tag {and_list(untagged)} will need confirmation: give each unit its own tag."
    yield Finding(f"Tags name {tagged} of {len(table.units)} units.", advice)
    if table.tags is not None and table.tags.size_in < _LEAST_TAG * longest:
        yield Finding(
            f"The tags are {table.tags.size_in:g}″ wide.",
            f"On a table of {longest:g}″ those at the far edge are too small to be read: print them at least "
            f"{_LEAST_TAG * longest:.2f}″ wide.",
        )


def _unknown_kinds(table: TableFile) -> Iterator[Finding]:
    """Kinds of units that the default rules lack, in a table file that names no rules: rulings use the default."""
    if table.rules is not None:
        return
    known = kinds(DEFAULT_RULES)
    unknown = sorted({unit.kind for unit in table.units if unit.kind not in known})
    if unknown:
        yield Finding(
            f"There are units of kind {and_list(unknown)}, and [table] names no rules.",
            f"Rulings then use {DEFAULT_RULES} with the kinds {', '.join(known)}: take one of them, or name the rules, "
            'as rules = "measure", which judges nothing and takes any kind.',
        )


def check_photo(photo: Photo, table: TableFile, camera: Path | Camera | None = None) -> Iterator[Finding]:
    """Check a photo of the table: its printed sheets, the camera's position, and its calibration.

    Raises CameraFileError.
    """
    from calibration import CalibrationError

    lens = load_camera(camera)
    height, width = photo.gray.shape
    small = max(width, height) < _LEAST_LONG_SIDE_PX
    yield Finding(
        f"The photo has {width} by {height} pixels.",
        "Send the original, not a preview: small tags need more." if small else "",
    )
    frame, seen, fault = expected_from(table).frame, None, ""
    try:
        seen = observe(photo, table, PhotoOptions(camera=lens))
    except CalibrationError as error:
        fault = str(error)
    if frame.ids:
        yield from _check_frame(photo, table, None if seen is None else seen.photos[0].view)
    if seen is None:
        yield Finding("The position of the camera can't be found.", fault)
        return
    view = seen.photos[0].view
    known = "calibrated" if lens is not None else "not calibrated: its lens is worked out from the markers"
    fit = f"; the markers fit within {max(view.rms_px, 0.1):.1f} pixels" if frame.ids else ""
    yield Finding(f"The camera is {known}{fit}.", " ".join(view.warnings))
    if any(unit.tag is not None for unit in table.units):
        yield _check_tags(photo, seen, table)
    if table.units:
        yield _check_units(seen, table)


def _check_frame(photo: Photo, table: TableFile, view: TableView | None) -> Iterator[Finding]:
    """The frame markers as the photo reader finds and chooses them."""
    import numpy as np

    from vision.pipeline.stages import ObserveConfig
    from vision.table_pose.aiming import aim
    from vision.table_pose.placement import frame_markers, nearest_sights

    expected = expected_from(table)
    frame, markers = expected.frame, frame_markers(photo, expected, ObserveConfig())
    if view is not None:
        markers = markers[nearest_sights(markers, frame, view)]
    seen = aim(photo.gray, frame, (table.width_in, table.depth_in), markers=markers)
    height = "" if seen.elevation_deg is None else f", from {seen.elevation_deg:.0f}° above the table"
    told = f"{len(seen.seen)} of {len(frame.ids)} frame markers are seen{height}."
    yield Finding(told, "" if seen.good else seen.advice)
    corners = np.array(seen.outlines).reshape(-1, 4, 2) * photo.gray.shape[::-1] - 0.5
    yield from _check_print(seen.seen, corners, frame)


def _check_print(ids: Sequence[int], corners: npt.NDArray[np.float64], frame: FrameLayout) -> Iterator[Finding]:
    """The size of the printed markers relative to the distances between them."""
    from calibration.printed_size import printed_sizes

    sizes = printed_sizes(ids, corners, frame)
    if sizes is None:
        return
    share = float(sizes.mean()) / frame.marker_size_in
    measured = f"The markers measure {share * frame.marker_size_in:.2f}″ of {frame.marker_size_in:.2f}″."
    if float(sizes.max() - sizes.min()) > _UNLIKE * frame.marker_size_in:
        yield Finding(
            measured,
            "They differ: one is not where the table file puts it, or was printed at another size. "
            "Measure their centres from the near-left corner again.",
        )
    elif abs(share - 1.0) > _SCALE:
        yield Finding(
            measured,
            f"They were printed at {share:.0%}, or are farther apart than in the table file: print at 100 % (actual "
            f"size), or write marker_size = {share * frame.marker_size_in:.2f}.",
        )
    else:
        yield Finding(measured)


def _check_tags(photo: Photo, seen: Observation, table: TableFile) -> Finding:
    from vision.small_objects.tokens import with_tokens
    from vision.tags.reading import describe_unused_tags

    wanted = {unit.tag: unit.id for unit in table.units if unit.tag is not None}
    read = {label.tag for label in seen.labels if label.tag is not None}
    used = read | {tag for token in table.tokens for tag in token.tags}
    missing = [name for tag, name in wanted.items() if tag not in read]
    said = list(describe_unused_tags(photo.gray, seen.photos[0].view, with_tokens(expected_from(table)), used))
    if missing:
        said.append(
            f"Not read: {and_list(missing)}. If they are on the table, turn their tags to the camera, keep glare off, "
            "or come nearer."
        )
    return Finding(f"{len(wanted) - len(missing)} of {len(wanted)} tags are read.", " ".join(said))


def _check_units(seen: Observation, table: TableFile) -> Finding:
    found = Counter(label.unit for label in seen.labels)
    here, every = (sum(min(found[u.id], u.bases) for u in table.units), sum(u.bases for u in table.units))
    short = [f"{u.id} has {found[u.id]} of {u.bases}" for u in table.units if 0 < found[u.id] < u.bases]
    missing = [u.id for u in table.units if not found[u.id]]
    fewer = f": {and_list(short)}" if short else ""
    return Finding(
        f"{here} of {count(every, 'base')} are found and have a unit{fewer}.",
        f"Not found: {and_list(missing)}. If they are on the table, see that the photo shows them." if missing else "",
    )
