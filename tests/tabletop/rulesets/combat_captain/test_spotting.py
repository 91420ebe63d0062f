"""Spotters of mortars, and how wide a ball of cotton is."""

import pytest

from tabletop.errors import RulesError
from tabletop.rulesets.combat_captain import events as ev
from tabletop.rulesets.combat_captain.data import HouseRules
from tabletop.rulesets.combat_captain.setup import SubUnit, TerrainPiece
from tests.support.combat_captain_games import a_company, a_sub, begun, codes, do, facing_off, last, told

WALL = TerrainPiece("wall", "town", ((15, 10), (25, 10), (25, 11), (15, 11)))
MORTAR = a_sub("A1", "mortar", 20, 5)


def hidden(*more: SubUnit, **setup: object):  # type: ignore[no-untyped-def]
    """A mortar behind houses, with others of its company, against a squad beyond them."""
    return facing_off(MORTAR, *more, terrain=(WALL,), **setup)


def test_a_mortar_needs_its_own_sight_or_a_spotters() -> None:
    game = hidden(a_sub("A2", "rifles", 30, 12))
    assert codes(game, "fire A1 at B1 dice 1") == {"no-sight"}
    assert codes(game, "fire A1 at B1 spotter A2 dice 1") == set()
    do(game, "fire A1 at B1 spotter A2 dice 1", 4, 6)
    event = last(game, ev.Fired)
    assert (event.spotter, event.parts[0].band, event.points) == ("A2", "medium", 4)
    assert "A2 spotted" in told(game, ev.Fired)


def test_a_spotter_who_sees_no_more_is_of_no_use() -> None:
    game = hidden(a_sub("A2", "rifles", 18, 7))
    (found,) = game.check(game.parse("fire A1 at B1 spotter A2 dice 1"))
    assert found.code == "no-sight"
    assert found.text.startswith("Neither A1 nor its spotter A2 sees B1:")


def test_a_spotter_sees_for_mortars_alone() -> None:
    game = hidden(a_sub("A2", "rifles", 30, 12), a_sub("A3", "machine-gun", 22, 5))
    assert codes(game, "fire A3 at B1 spotter A2 dice 1") == {"no-mortar", "no-sight"}
    assert codes(game, "fire A1 A3 at B1 spotter A2 dice 1") == {"no-sight"}


def test_any_friend_on_the_table_may_spot_and_no_enemy() -> None:
    game = begun(
        a_company("A", "red", [MORTAR]),
        a_company("C", "red", [a_sub("C1", "tank", 30, 12), a_sub("C2", "rifles", 0, 0, at=None)]),
        a_company("B", "blue", [a_sub("B1", "rifles", 20, 20, 180.0), a_sub("B2", "rifles", 24, 20, 180.0)]),
        terrain=(WALL,),
    )
    assert codes(game, "fire A1 at B1 spotter C1 dice 1") == set()
    assert "not-placed" in codes(game, "fire A1 at B1 spotter C2 dice 1")
    assert "spotter" in codes(game, "fire A1 at B1 spotter B2 dice 1")
    assert "spotter" in codes(game, "fire A1 at B1 spotter A1 dice 1")


def test_mortars_that_see_nothing_themselves_are_offered_a_spotter() -> None:
    game = hidden(a_sub("A2", "rifles", 30, 12))
    offered = [option for option in game.options() if option.unit == "A1" and option.legal and option.kind == "fire"]
    assert "fire A1 at B1 spotter A2 dice 3" in [option.text for option in offered]
    for option in offered:
        assert not game.check(game.parse(option.text))


def fell(words: str, **more: object) -> ev.ShellFell:
    """A shell that falls beside B1, whose edge is at y = 20.5."""
    game = facing_off(a_sub("A1", "rifles", 20, 12.5), **more)
    do(game, "end; end; event", 4, 6)
    do(game, "arrive", 2)
    assert game.ruleset.text(game.parse(words)) == words
    do(game, words)
    event = last(game, ev.ShellFell)
    return event


def test_a_game_says_how_wide_its_cotton_is() -> None:
    beside = "shell at 20,21.2"
    large = HouseRules(cotton_in=2.0)
    found = [fell(beside), fell(beside, rules=large), fell(f"{beside} across 1", rules=large)]
    assert [(event.width_in, event.touched) for event in found] == [(1.0, ()), (2.0, ("B1",)), (1.0, ())]


def test_cotton_as_wide_as_nothing_is_no_cotton() -> None:
    with pytest.raises(RulesError, match="cotton"):
        facing_off(MORTAR, rules=HouseRules(cotton_in=0.0))
