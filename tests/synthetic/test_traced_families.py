"""Families of traced tables: two sets that share nothing, each of known stuffs, trees and houses."""

import numpy as np
import pytest

from synthetic.layers import Window
from synthetic.traced.families import FAMILIES, STUFFS, TEST, TRAIN, family_names
from synthetic.traced.stuffs import RECIPES, surface_of


def test_every_family_is_in_one_set() -> None:
    assert len(FAMILIES) >= 12 and sorted([*TRAIN, *TEST]) == sorted(FAMILIES)
    assert not set(TRAIN) & set(TEST) and min(len(TRAIN), len(TEST)) >= 4


@pytest.mark.parametrize("what", ["mat", "stuffs", "trees", "houses"])
def test_what_is_learnt_from_and_what_is_judged_on_share_no_stuff(what: str) -> None:
    def of(names: tuple[str, ...]) -> set[str]:
        values = [getattr(FAMILIES[name], what) for name in names]
        return {v for value in values for v in ([value] if isinstance(value, str) else value)}

    shared = of(TRAIN) & of(TEST)
    assert shared == ({"ruin"} if what == "houses" else set())  # walls of ruins are of other stuff


def test_families_are_asked_for_by_name_or_set() -> None:
    assert family_names("train") == TRAIN and family_names("snow") == ("snow",) and len(family_names("all")) == 14
    with pytest.raises(ValueError, match='"lawn" is not traced: choose train, test, all or one of grass'):
        family_names("lawn")


@pytest.mark.parametrize("recipe", RECIPES)
def test_every_recipe_makes_a_surface_and_the_same_again(recipe: str) -> None:
    stuff = next(s for s in STUFFS.values() if s.recipe == recipe)
    window = Window(2.0, 3.0, 6.0, 4.0, 16.0)
    first, again = (surface_of(stuff, window, np.random.default_rng(4)) for _ in range(2))
    assert first.color.shape == (64, 96, 3) and first.relief.shape == (64, 96)
    assert np.array_equal(first.color, again.color) and np.isfinite(first.relief).all()
    assert first.color.min() > 0 and first.color.max() < 1 and float(first.color.std()) > 0.0005
