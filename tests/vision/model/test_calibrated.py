"""Ranks turned into chances: the order is kept, the way back is exact, and a fit finds what made the outcomes."""

import numpy as np
import pytest

from vision.bases.presence import PresenceConfig
from vision.model.calibrated import Beta
from vision.small_objects.dice import DiceConfig


@pytest.mark.parametrize("beta", [PresenceConfig().chance, DiceConfig().die, DiceConfig().number])
def test_the_way_back(beta: Beta) -> None:
    rank = np.linspace(0.3, 0.995, 50)
    assert beta.rank(beta.chance(rank)) == pytest.approx(rank, abs=1e-6)


def test_what_is_asked_and_told_stands_where_its_chance_says() -> None:
    dice = DiceConfig()
    assert dice.number.chance(0.9) < dice.told < dice.number.chance(0.995), "nine in ten of the net's are not enough"
    assert dice.die.chance(0.95) < dice.open < dice.die.chance(0.98), "what the net calls a die mostly is none"
