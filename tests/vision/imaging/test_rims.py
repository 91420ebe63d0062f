"""Rim paint: chromaticity, evidence, the light's cast, paint read off tagged bases."""

import numpy as np
import pytest

from tests.support.table_scenes import FRAME, RED, Sheet, looking_at
from vision.imaging.rims import (
    RimConfig,
    chromaticity_of,
    has_hue,
    local_ground,
    paint_of,
    paper_cast,
    rim_evidence,
)

GROUND = np.array([-0.2, -0.7], dtype=np.float32)
PAINT = chromaticity_of(RED)
CONFIG = RimConfig()


def evidence_of(chroma: np.ndarray, ground: np.ndarray = GROUND) -> np.ndarray:
    return rim_evidence(chroma.astype(np.float32), ground, PAINT, CONFIG)


def test_evidence_falls_off_the_line_and_stops_at_one() -> None:
    along = PAINT - GROUND
    across = np.array([along[1], -along[0]]) / np.linalg.norm(along)
    on, off = evidence_of((PAINT + 0.3 * along)[None])[0], evidence_of((PAINT + 1.0 * across)[None])[0]
    assert on == pytest.approx(1.0)
    assert off < 0.05
    assert evidence_of((GROUND - along)[None])[0] == 0.0


def test_local_ground_is_the_mat_and_not_the_small_things_on_it() -> None:
    chroma = np.broadcast_to(GROUND, (480, 480, 2)).copy()
    chroma[200:240, 200:230] = (1.5, 0.0)
    ground = local_ground(chroma, 24.0, CONFIG)
    assert np.abs(ground - GROUND).max() < 0.04


@pytest.mark.parametrize("gain", [(0.75, 0.95, 1.05)])
def test_paper_tells_the_cast_of_the_light(gain: tuple[float, float, float]) -> None:
    view = looking_at()
    sheet = Sheet(view)
    for marker in FRAME.markers:
        sheet.marker(FRAME.dictionary, marker.id, FRAME.corners(marker.id))
    image = np.clip(sheet.picture() * np.array(gain), 0, 255).astype(np.uint8)
    seen = paper_cast(image, type(view)(view.camera, view.R, view.t, markers_seen=FRAME.ids), FRAME, CONFIG)
    assert seen == pytest.approx([np.log2(gain[2] / gain[1]), np.log2(gain[0] / gain[1])], abs=0.06)


def test_paint_is_what_rims_share() -> None:
    rng = np.random.default_rng(3)
    beside = rng.normal(GROUND, 0.1, (200, 2))
    rim = PAINT + rng.normal(0.0, 0.08, (200, 2))
    rim[:60] = beside[:60]  # hidden or unpainted stretches
    reads = np.stack([beside, rim, rng.normal(GROUND, 0.1, (200, 2))], axis=1)
    assert paint_of(reads, CONFIG) == pytest.approx(PAINT, abs=0.08)


def test_no_paint_where_nothing_stands_out() -> None:
    rng = np.random.default_rng(4)
    reads = rng.normal(GROUND, 0.05, (200, 3, 2))
    assert paint_of(reads, CONFIG) is None


@pytest.mark.parametrize("rgb", [(43, 46, 57), (128, 128, 128), (250, 245, 235), (10, 10, 10)])
def test_black_white_and_grey_rims_have_no_hue(rgb: tuple[int, int, int]) -> None:
    assert not has_hue(rgb, RimConfig())


@pytest.mark.parametrize("rgb", [(50, 80, 136), (138, 34, 38), (36, 60, 116), (66, 164, 76), (216, 143, 55)])
def test_paints_that_people_call_a_colour_have_one(rgb: tuple[int, int, int]) -> None:
    assert has_hue(rgb, RimConfig())
