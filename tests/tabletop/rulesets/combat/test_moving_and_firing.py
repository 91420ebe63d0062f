"""Combat's moves and shots: reasons, ways and cards; which there are, ``test_against_reference`` checks."""

from fractions import Fraction

import pytest

from tabletop.rulesets.combat import actions, firing, moving
from tabletop.rulesets.combat import events as ev
from tabletop.rulesets.combat.figures import moves_of, range_of
from tabletop.rulesets.combat.play import RULES
from tabletop.rulesets.combat.state import State
from tests.support.combat_games import OPEN, codes, done, ground, on, standing

ALL = on(OPEN, profile="codified", rivers=True, built_up=True, foot=True, motorised=True, cavalry=True,
         helicopters=True)  # fmt: skip


def reached(state: State, unit: str) -> set[str]:
    return {state.name(n) for n in moving.ways(state, state.by_id[unit])}


def test_rivers_are_crossed_at_bridges_and_not_between_squares_that_touch() -> None:
    river = ground({"river": "a6 b6 c6 d7 e7 f7 g7 h7 i7 k7 l7", "bridge": "j7"})
    state = standing(on(ALL, ground=river), {"RT1": "c5", "RT2": "j6", "RH1": "f6", "BT1": "a12"})
    assert codes(state, "move RT1 to c6") == {"river"}
    assert "d6" in reached(state, "RT1") and "c7" not in reached(state, "RT1")
    assert "j8" in reached(state, "RT2") and "k8" in reached(state, "RT2")
    assert not any(int(name[1:]) > 7 for name in reached(state, "RH1") if name[0] in "efg")
    dry = standing(on(OPEN, ground=river), {"RT1": "c5", "BT1": "a12"})
    assert "c6" in reached(dry, "RT1")


def test_helicopters_keep_out_of_woods_and_built_up_areas_and_over_mines() -> None:
    setup = on(ALL, ground=ground({"woods": "f7", "built-up": "g7", "defence": "e7", "hill": "f5"}))
    state = standing(setup, {"RH1": "f6", "BT1": "a12"})
    assert not reached(state, "RH1") & {"e7", "f7", "g7"}
    assert codes(state, "move RH1 to g7") == {"no-helicopters"}
    over = done(standing(ALL, {"RH1": "f9", "BT1": "a12"}, mines=("f11",)), "move RH1 to f11 via f10")
    assert not over.pending and over.laid[1]


def test_players_may_agree_on_longer_moves_and_ranges() -> None:
    assert moves_of(on(OPEN, more_speed=2), "gun") == (4, 5)
    assert range_of(on(OPEN, more_range=1), "tank", crest=False) == 3


def test_a_move_names_its_way_where_that_matters() -> None:
    state = standing(OPEN, {"RT1": "f8", "BT1": "a12"}, mines=("g10",))
    action = RULES.parse(state, "move rt1 to f10 via g9")
    assert RULES.text(action) == "move RT1 to f10 via g9"
    (moved,) = RULES.resolve(state, action, ())
    assert isinstance(moved, ev.Moved)
    assert moved.path == ("f8", "g9", "f10") and moved.probed
    assert codes(state, "move RT1 to f10 via a1") == {"too-far"}


def test_nothing_but_straight_lines() -> None:
    assert codes(standing(OPEN, {"RG1": "f6", "BT1": "g8"}), "fire RG1 at BT1") == {"line-straight"}


@pytest.mark.parametrize(
    ("squares", "target", "against"),
    [
        ("f8", "f8", set()),  # into the edge of a wood
        ("f8 f9", "f9", set()),  # two squares deep
        ("f8 f9 f10", "f10", {"line-depth"}),  # three
        ("f8", "f9", {"line-over"}),  # over one
        ("f6", "f9", set()),  # out of its edge
        ("f6 f7", "f9", set()),  # out of its second square
        ("f6 f7 f8", "f9", {"line-out"}),  # out of its third
        ("f6 f7", "f7", set()),  # within one
        ("f6 f7 f8", "f8", set()),
        ("f6 f7 f8 f9", "f9", {"line-depth"}),
        ("f6 f9", "f9", set()),  # out of one wood into another
        ("f7 f9", "f9", {"line-over"}),
        ("e7 g7 e8 g8", "f9", set()),  # between woods
    ],
)
@pytest.mark.parametrize("kind", ["woods", "hill", "built-up"])
def test_fire_into_and_out_of_hills_and_woods_but_not_over(
    squares: str, target: str, against: set[str], kind: str
) -> None:
    setup = on(ALL, ground=ground({kind: squares}))
    assert codes(standing(setup, {"RG1": "f6", "BT1": target}), "fire RG1 at BT1") == against


def test_one_shot_a_turn_at_any_moment_of_the_move() -> None:
    state = standing(OPEN, {"RT1": "f6", "BT1": "f9", "BT2": "a12"})
    moved = done(state, "move RT1 to f7")
    fired = done(moved, "fire RT1 at BT1 miss")
    assert codes(fired, "fire RT1 at BT1") == {"fired"}
    assert done(fired, "move RT1 to g6 via g7").by_id["RT1"].steps == 3
    assert codes(done(done(fired, "end"), "end"), "fire RT1 at BT1") == set()


def test_cards_are_drawn_without_replacement_and_shuffled_when_they_run_out() -> None:
    setup = on(OPEN, hits=2, misses=1)
    state = standing(setup, {"RG1": "f6", "RG2": "e6", "RG3": "d6", "RG4": "c6", "BT1": "f8", "BT2": "e8",
                             "BT3": "d8", "BT4": "c8"})  # fmt: skip
    assert RULES.dice(state, actions.Fire("RG1", "BT1")).faces == (1, 2, 3)
    state = done(done(state, "fire RG1 at BT1", 2), "save", 6)
    assert (state.hits, state.misses) == (1, 1)
    assert firing.odds(state, actions.Fire("RG2", "BT2")).also["hit"] == Fraction(1, 2)
    state = done(state, "fire RG2 at BT2 miss")
    assert firing.odds(state, actions.Fire("RG3", "BT3")).also["hit"] == 1
    assert codes(state, "fire RG3 at BT3 miss") == {"no-such-card"}
    state = done(done(state, "fire RG3 at BT3", 1), "save", 6)
    assert (state.hits, state.misses) == (0, 0)
    odds = firing.odds(state, actions.Fire("RG4", "BT4"))
    assert odds.also["hit"] == Fraction(2, 3) and "shuffled anew" in odds.words[0]
    (shot,) = RULES.resolve(state, actions.Fire("RG4", "BT4"), (3,))
    assert isinstance(shot, ev.Fired)
    assert shot.card == "miss" and shot.shuffled and (shot.hits, shot.misses) == (2, 1)
