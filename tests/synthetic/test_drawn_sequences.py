"""Drawn sequences: one table photographed again and again, some units moved between."""

from itertools import pairwise

import numpy as np
import pytest

from synthetic.plan import random_plan
from synthetic.planned import PlannedUnit
from synthetic.sequences import MoveConfig, draw_sequence, with_moves
from synthetic.wishes import Wish

SMALL = Wish(size=(24.0, 24.0), megapixels=0.5, rims=True, tags=False, frame=True, shadow=False, hand=False)


def places(unit: PlannedUnit) -> np.ndarray:
    return np.array([[b.x, b.y] for b in unit.bases])


@pytest.mark.slow
def test_a_sequence_is_one_table_with_units_moved() -> None:
    photos = draw_sequence(41, 3, SMALL)
    assert [p.name for p in photos] == ["drawn-0041-1", "drawn-0041-2", "drawn-0041-3"]
    assert len({p.table for p in photos}) == 1 and "terrain" not in photos[0].table
    assert photos[0].truth["parameters"]["moved"] == []
    for before, after in pairwise(photos):
        assert before.truth["terrain"] == after.truth["terrain"] and before.truth["dice"] == after.truth["dice"]
        moved = {
            one["id"]
            for one, other in zip(before.truth["units"], after.truth["units"], strict=True)
            if [b["centre"] for b in one["bases"]] != [b["centre"] for b in other["bases"]]
        }
        assert moved == set(after.truth["parameters"]["moved"])
        assert np.linalg.norm(before.view.eye - after.view.eye) > 1.0
        assert np.allclose(before.view.camera.K, after.view.camera.K)
    heights = [b["z"] for u in photos[0].truth["units"] for b in u["bases"]]
    assert max(heights) > 0.15


@pytest.mark.parametrize("seed", range(2))
def test_units_move_whole_and_find_room(seed: int) -> None:
    plan = random_plan(np.random.default_rng(seed), size=(36.0, 36.0), frame=True)
    there, moved, nudged = with_moves(plan, np.random.default_rng(seed), MoveConfig(share=1.0))
    assert set(nudged) <= set(moved) <= {unit.id for unit in plan.units}
    for old, new in zip(plan.units, there.units, strict=True):
        shift = float(np.linalg.norm((places(new) - places(old)).mean(axis=0)))
        low, high = MoveConfig().nudge_in if new.id in nudged else MoveConfig().march_in
        assert low - 1e-6 <= shift <= high + 1e-6 if new.id in moved else shift == 0
        spans = [np.linalg.norm(places(one) - places(one)[0], axis=1) for one in (old, new)]
        assert np.allclose(*spans)
        assert all(0 < b.x < 36 and 0 < b.y < 36 for b in new.bases)
