"""The bar on photographs with exact truth: hex terrain read from the photo agrees wherever it is not flagged."""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from types import ModuleType

import pytest

from tabletop.evaluate.truth import read_truth
from tabletop.rulesets.combined_arms.overlay.terrain import terrain_of_hexes
from tests.paths import ROOT

PHOTOS = ROOT.parent / "shared" / "photos"
NAMES = ("dev-01", "dev-02", "dev-03", "dev-05")
MOST_FLAGGED = 0.5  # a piece that is there with less than 95 % leaves its hexes open


@cache
def script() -> ModuleType:
    """scripts/evaluate_overlay.py, which makes the table of docs/overlay.md."""
    spec = importlib.util.spec_from_file_location("evaluate_overlay", ROOT / "scripts" / "evaluate_overlay.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.skipif(not PHOTOS.is_dir(), reason="there is no folder shared beside the repository")
@pytest.mark.parametrize("name", NAMES)
def test_hexes_that_are_not_flagged_agree_with_the_truth(name: str) -> None:
    truth = read_truth(PHOTOS / f"{name}.json")
    ground = script().observe_terrain(PHOTOS, name)
    laid = script().in_the_middle(truth)
    score = script().compare_readings(terrain_of_hexes(ground, laid), truth, laid)
    assert score.which == () and score.wrong == 0
    assert score.told >= 20 and score.flagged <= MOST_FLAGGED * score.hexes
    assert score.offered == score.flagged  # what is asked has the right answer among those listed
    elsewhere = script().Score()
    for other in script().anywhere(truth, 2):
        elsewhere += script().compare_readings(terrain_of_hexes(ground, other), truth, other)
    assert elsewhere.wrong <= 0.005 * elsewhere.hexes and elsewhere.flagged <= MOST_FLAGGED * elsewhere.hexes


def test_the_scorer_counts_what_is_wrong() -> None:
    """A reading of no terrain at all is wrong in every hex that has some, and says which."""
    if not PHOTOS.is_dir():
        pytest.skip("there is no folder shared beside the repository")
    from tabletop.grids.table_terrain import TableTerrain

    truth = read_truth(PHOTOS / "dev-02.json")
    laid = script().in_the_middle(truth)
    score = script().compare_readings(terrain_of_hexes(TableTerrain(), laid), truth, laid)
    assert score.wrong == score.told == len(score.which) and score.flagged == 0
    exact = script().compare_readings(terrain_of_hexes(script().true_terrain(truth), laid), truth, laid)
    assert (exact.wrong, exact.flagged) == (0, 0)
