"""Traced tables: modelled the same for the same seed, and rendered where the truth says that things are."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.markers import find_markers
from synthetic.traced.cycles import can_trace
from synthetic.traced.scene import triangles
from synthetic.traced.tables import model_table
from synthetic.wishes import Wish
from tabletop.referee.judging import expected_from
from tabletop.tables.tablefile import load_table
from vision.tags.reading import find_tags

SMALL = Wish(size=(24.0, 24.0), megapixels=0.8, tags=True, frame=True, rims=True, elevation_deg=58, orientation=1)


@pytest.mark.slow
def test_the_same_seed_models_the_same_table() -> None:
    first, again = (model_table(3, "snow", SMALL) for _ in range(2))
    assert np.array_equal(triangles(first.scene), triangles(again.scene))


@pytest.mark.slow
@pytest.mark.skipif(not can_trace(), reason="needs Blender's module: pip install bpy in an environment of its own")
def test_frame_markers_and_tags_lie_where_the_truth_says(tmp_path: Path) -> None:
    from synthetic.traced.tables import trace

    photo = trace(3, "snow", SMALL, samples=6)
    gray = cv2.cvtColor(photo.image, cv2.COLOR_BGR2GRAY)
    frame = {m["id"]: np.column_stack([m["corners"], np.zeros(4)]) for m in photo.truth["frame_markers"]}
    found = find_markers(gray, "DICT_APRILTAG_36h11", frame)
    assert sorted(found.ids.tolist()) == sorted(frame)
    off = [c - photo.view.pixel_from_table(frame[int(k)]) for k, c in zip(found.ids, found.corners, strict=True)]
    assert np.median(np.abs(off)) < 0.3 and np.max(np.abs(off)) < 1.0
    photo.write(tmp_path)
    bases = {b["tag_id"]: b for u in photo.truth["units"] for b in u["bases"] if b["tag_id"] is not None}
    tags = find_tags(gray, photo.view, expected_from(load_table(tmp_path / f"{photo.name}.table.toml")))
    off = [
        np.mean(c - photo.view.pixel_from_table(bases[int(k)]["tag"]["corners"]), axis=0)
        for k, c in zip(tags.ids, tags.corners, strict=True)
        if bases[int(k)]["tag"]["visible_fraction"] > 0.98
    ]
    assert off and np.abs(off).max() < 1.0
