"""Which rim colours are read off tagged bases, and whose side a base is that a tag gives to a unit."""

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

import vision.bases.evidence as evidence
from vision.bases.evidence import BasesConfig, TableEvidence
from vision.model.expected import BaseShape, ExpectedUnit

SHAPE = BaseShape(2.0, 1.0, 0.1)
UNITS = tuple(
    ExpectedUnit(f"{side}{k}", side, "infantry", 2, SHAPE, SHAPE, tag=tag)
    for tag, (side, k) in enumerate((("red", 0), ("red", 1), ("blue", 0), ("blue", 1)))
)
PAINTED = {"red": np.array([1.2, -0.6]), "blue": np.array([-0.6, 1.1])}


def rim(side: str, painted: bool) -> Any:
    """Log-chromaticities (n, 3, 2) outside, on and inside a rim that is painted in the side's colour, or is bare."""
    rng = np.random.default_rng(len(side) + painted)
    reads = rng.normal(0.0, 0.05, (60, 3, 2))
    reads[:, 1] += PAINTED[side] if painted else 0.0
    return reads


def learned(
    monkeypatch: pytest.MonkeyPatch, painted: tuple[str, ...], stated: tuple[tuple[str, tuple[int, int, int]], ...] = ()
) -> set[str]:
    """The sides whose paint is known after the tagged bases of both sides were looked at."""
    monkeypatch.setattr(evidence, "tag_pose", lambda *_: SimpleNamespace(x=0.0, y=0.0, facing=0.0))
    sides = iter(unit.side for unit in UNITS)

    def rim_pixels(*_: Any) -> Any:
        side = next(sides)
        return rim(side, side in painted)

    owners = {tag: (tag, True) for tag in range(4)}
    expected = SimpleNamespace(units=UNITS, tag_owners=owners, tag_size_in=0.6, rims=stated)
    scene = SimpleNamespace(
        expected=expected, view=None, config=BasesConfig(), _rim_pixels=rim_pixels,
        paints={side: PAINTED[side] for side, _ in stated},
    )  # fmt: skip
    tags = SimpleNamespace(ids=np.arange(4), corners=np.zeros((4, 4, 2)), sigma_px=np.full(4, 0.1))
    TableEvidence.learn_paints(cast(TableEvidence, scene), cast(Any, tags))
    return set(scene.paints)


def test_rims_that_nobody_stated_are_learned_where_both_sides_have_them(monkeypatch: pytest.MonkeyPatch) -> None:
    assert learned(monkeypatch, ("red", "blue")) == {"red", "blue"}
    assert learned(monkeypatch, ()) == set()


def test_one_sides_own_colour_is_no_paint_where_the_other_shows_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert learned(monkeypatch, ("blue",)) == set()


@pytest.mark.slow
def test_what_is_stated_stays_and_the_other_side_may_be_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    red = ("red", (200, 30, 30))
    assert learned(monkeypatch, ("blue",), (red,)) == {"red", "blue"}
    assert learned(monkeypatch, ("red",), (red,)) == {"red"}
