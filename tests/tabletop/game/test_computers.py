"""Computer players by their levels, for rules with no more than the simple one."""

import random

import pytest

from tabletop.errors import UsageError
from tabletop.game import Game
from tabletop.game.computers import choose, levels_of
from tabletop.starting.scenarios import find


def game() -> Game:
    from tabletop.game.registry import ruleset

    scenario = find("flank-attack")
    return Game.new(ruleset(scenario.rules), scenario.setup)


def test_what_it_chooses_is_legal_and_the_same_for_the_same_seed() -> None:
    playing = game()
    level, side = levels_of(playing.ruleset.name)[0], playing.to_act or ""
    assert level == "simple"
    chosen = [choose(playing.ruleset, playing.state, side, level, random.Random(seed)).action for seed in (5, 5)]
    assert chosen[0] == chosen[1] and not playing.check(chosen[0])


def test_an_unknown_level_is_refused_with_those_that_there_are() -> None:
    playing = game()
    with pytest.raises(UsageError, match='level "clever"; expected simple or strong'):
        choose(playing.ruleset, playing.state, playing.to_act or "", "clever", random.Random(1))
