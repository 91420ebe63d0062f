"""Drawn sequences: one table photographed again and again, some units moved between."""

import numpy as np
import pytest

from synthetic.plan import random_plan
from synthetic.planned import PlannedUnit
from synthetic.sequences import MoveConfig, with_moves


def places(unit: PlannedUnit) -> np.ndarray:
    return np.array([[b.x, b.y] for b in unit.bases])


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
