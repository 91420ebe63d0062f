"""Traced tables: modelled the same for the same seed, and rendered where the truth says that things are."""

from pathlib import Path

import numpy as np
import pytest

from synthetic.traced.cycles import can_trace
from synthetic.traced.scene import triangles
from synthetic.traced.tables import model_table
from synthetic.wishes import Wish
from tests.synthetic.test_drawn_tables import offs

SMALL = Wish(size=(24.0, 24.0), megapixels=0.8, tags=True, frame=True, rims=True, elevation_deg=58, orientation=1)


@pytest.mark.slow
def test_the_same_seed_models_the_same_table() -> None:
    first, again = (model_table(3, "snow", SMALL) for _ in range(2))
    assert np.array_equal(triangles(first.scene), triangles(again.scene))


@pytest.mark.slow
@pytest.mark.skipif(not can_trace(), reason="needs Blender's module: pip install bpy in a separate environment")
def test_frame_markers_and_tags_lie_where_the_truth_says(tmp_path: Path) -> None:
    from synthetic.traced.tables import trace

    markers, tags, _ = offs(trace(3, "snow", SMALL, samples=6), tmp_path)
    assert np.median(markers) < 0.3 and np.max(markers) < 1.0 and tags.max() < 1.0
