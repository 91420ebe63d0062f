"""Families of traced tables: two sets that share nothing, each of known stuffs, trees and houses."""

import numpy as np
import pytest

from synthetic.hills import STYLES
from synthetic.layers import Window
from synthetic.traced import houses, trees
from synthetic.traced.families import FAMILIES, STUFFS, TEST, TRAIN, family_names
from synthetic.traced.stuffs import RECIPES, material_of, surface_of


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


def test_mats_differ() -> None:
    assert len({family.mat for family in FAMILIES.values()}) == len(FAMILIES)


@pytest.mark.parametrize("name", FAMILIES)
def test_what_a_family_names_is_there(name: str) -> None:
    family = FAMILIES[name]
    assert family.stuffs <= set(STUFFS) and family.basing and family.lights
    assert set(family.trees) <= set(trees.KINDS) and set(family.houses) <= set(houses.KINDS)
    assert set(family.hill_styles) <= set(STYLES)


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


@pytest.mark.parametrize("name", ["static grass", "cobbles", "clay tiles"])
def test_repeated_pictures_meet_at_their_edges(name: str) -> None:
    made = material_of(STUFFS[name], np.random.default_rng(2), unit=4.0, ppi=24.0)
    assert isinstance(made.color, np.ndarray)
    inside = np.abs(np.diff(made.color, axis=1)).mean()
    seam = np.abs(made.color[:, 0] - made.color[:, -1]).mean()
    assert seam < 3 * inside


@pytest.mark.slow
def test_a_kit_is_what_one_player_owns() -> None:
    family = FAMILIES["grass"]
    mine, again = family.owned(4), family.owned(4)
    assert mine == again and mine.mat == family.mat and mine.lights == family.lights
    assert all(len(sort) == 1 for sort in (mine.trees, mine.woods, mine.roads, mine.hill_styles, mine.basing))
    assert mine.stuffs < family.stuffs and mine.trees[0] in family.trees
    assert len({family.owned(kit) for kit in range(12)}) > 6
