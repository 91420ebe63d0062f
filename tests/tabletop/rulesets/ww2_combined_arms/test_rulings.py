"""WWII Combined Arms case by case: what the rules print, and the rulings of docs/ww2-combined-arms.md."""

from collections import Counter
from typing import Any

import pytest

from tabletop.errors import RulesError
from tabletop.game import ActionError, Game, IllegalError
from tabletop.rulesets.ww2_combined_arms import actions
from tabletop.rulesets.ww2_combined_arms import events as ev
from tabletop.rulesets.ww2_combined_arms.armies import PATTERNS, army_of_pattern, ready_made
from tabletop.rulesets.ww2_combined_arms.board import grid
from tabletop.rulesets.ww2_combined_arms.capabilities import defence
from tabletop.rulesets.ww2_combined_arms.data import KINDS
from tabletop.rulesets.ww2_combined_arms.options import legal
from tabletop.rulesets.ww2_combined_arms.play import RULES
from tabletop.rulesets.ww2_combined_arms.setup import Limits, Setup, army_faults
from tabletop.rulesets.ww2_combined_arms.state import State
from tests.support.ww2_combined_arms_games import after, begun, said, standing

PRINTED = """
General Infantry I 1 1 5
Paratroopers I 1 1 4
Engineers I 1 1 4
Mechanized Infantry I 2 1 4
Light Tanks T 3 2 3
Medium Tanks T 2 2 4
Heavy Tanks T 1 2 5
Howitzers L 1 3 3
Anti-Tank Guns L 1 2 3
Anti-Aircraft Guns L 1 2 3
Airfield A 2 4 2
Fortification B 0 3 6
Headquarters B 0 1 6
"""
CLASSES = {"I": "infantry", "T": "armour", "L": "artillery", "A": "air", "B": "base"}
HQS = "R9 hq a1, B9 hq h8"


def codes(state: State, line: str) -> set[str]:
    return {v.code for v in RULES.check(state, RULES.parse(state, line))}


def squares(state: State, unit: str) -> set[str]:
    """Where a unit may move or retreat to."""
    return {a.to for a in legal(state) if isinstance(a, actions.Move | actions.Retreat) and a.unit == unit}


def targets(state: State, unit: str) -> set[str]:
    return {a.target for a in legal(state) if isinstance(a, actions.Attack) and a.unit == unit}


def events_of(state: State, line: str) -> tuple[ev.Event, ...]:
    return RULES.resolve(state, RULES.parse(state, line), ())


def test_the_unit_list_is_the_printed_one() -> None:
    rows = [line.rsplit(" ", 4) for line in PRINTED.strip().splitlines()]
    told = [(kind.title, kind.unit_class, kind.move, kind.range, kind.defence) for kind in KINDS.values()]
    assert told == [(r[0].lower(), CLASSES[r[1]], int(r[2]), int(r[3]), int(r[4])) for r in rows]
    assert len({kind.letters for kind in KINDS.values()}) == 13


def test_an_army_is_judged_with_all_its_faults_at_once() -> None:
    state = begun(Setup())
    wrong = codes(state, "army red light-tanks 3 medium-tanks 3 howitzers 5 hq 2")
    assert wrong == {"army-size", "army-hq", "army-tanks", "army-types", "army-alike"}
    game = Game.new(RULES, Setup())
    with pytest.raises(IllegalError, match="At most 5"):
        game.push(game.parse("army red light-tanks 3 medium-tanks 3 howitzers 5 hq 2"))
    assert game.seq == 1


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"general": 1}, "army-size"),
        ({"hq": 1}, "army-hq"),
        ({"hq": -1}, "army-hq"),
        ({"light-tanks": 1, "general": -1}, "army-tanks"),
        ({"howitzers": 2, "general": -2}, "army-alike"),
    ],
)
def test_an_army_at_its_limits_and_one_beyond(change: dict[str, int], code: str) -> None:
    counts = Counter(
        {"general": 3, "engineers": 1, "light-tanks": 2, "medium-tanks": 3, "howitzers": 3, "at-guns": 2}
        | {"airfield": 1, "hq": 1}
    )
    assert not list(army_faults(counts, Limits()))
    counts.update(change)
    assert code in {fault.code for fault in army_faults(counts, Limits())}


def test_seven_types_beside_the_headquarters_are_enough_and_six_are_not() -> None:
    counts = Counter({"general": 4, "engineers": 4, "howitzers": 3, "at-guns": 2, "airfield": 1, "aa-guns": 1, "hq": 1})
    assert {fault.code for fault in army_faults(counts, Limits())} == {"army-types"}
    counts.update({"general": -1, "mechanized": 1})
    assert not list(army_faults(counts, Limits()))


@pytest.mark.parametrize("name", PATTERNS)
def test_ready_made_armies_keep_the_limits(name: str) -> None:
    army = army_of_pattern("red", name, Limits())
    assert army is not None
    assert not list(army_faults(Counter(dict(army.units)), Limits()))
    bigger = Limits(units=24, tanks=8, types=9, alike=6)
    assert len(list(ready_made("red", bigger))) == 3


def test_units_are_placed_one_at_a_time_in_turn_on_the_back_three_rows_or_all_the_rest_at_once() -> None:
    """Ruling 1: any of the 24 squares. Who places all the rest at once gives up seeing what the other places; the other
    then places one by one, or all too."""
    state = said(begun(Setup()), *(RULES.text(next(ready_made(side, Limits()))) for side in ("red", "blue")))
    assert state.step == "first"
    state = said(state, "first blue")
    assert RULES.to_act(state) == "blue"
    assert codes(state, "place R1 at a1") == {"not-yours"}
    assert codes(state, "place B1 at a5") == {"not-home"}
    state = said(state, "place B1 at a6")
    assert RULES.to_act(state) == "red"
    assert codes(state, "place R1 at d4") == {"not-home"}
    state = said(state, "place R1 at h3")
    assert codes(state, "place B2 at a6") == {"occupied"}
    assert codes(state, "place B1 at a7") == {"placed"}
    free = {o.target for o in RULES.options(state) if o.unit == "B2"}
    assert len(free) == 23
    assert codes(state, "deploy red") == {"not-yours"}
    events = events_of(state, "deploy blue number 3")
    assert len(events) == 15 and all(isinstance(event, ev.Placed) for event in events)
    assert events == events_of(state, "deploy blue number 3") != events_of(state, "deploy blue number 4")
    state = said(state, "deploy blue number 3")
    assert RULES.to_act(state) == "red" and codes(state, "deploy blue") == {"placed"}
    state = said(state, "place R2 at g3", "place R3 at f3", "deploy red")
    assert (state.step, state.acting, len(state.there)) == ("move", "blue", 32)
    for side in ("red", "blue"):
        assert {unit.at for unit in state.on_board[side]} <= set(state.setup.home_squares(side))
    assert codes(state, "deploy red") == {"wrong-phase"}


def test_a_placed_game_begins_with_the_side_that_was_agreed_on() -> None:
    """Ruling 2: the side that places first has the first turn."""
    state = begun(Setup(limits=Limits(units=2, types=1), home=1, rows=4))
    state = said(state, "army blue general 1 hq 1", "army red general 1 hq 1", "first blue")
    state = said(state, "place B1 at a4", "place R1 at a1", "place B2 at b4", "place R2 at b1")
    assert (state.step, state.turn, state.acting) == ("move", 1, "blue")


def test_units_move_in_eight_directions_over_free_squares() -> None:
    state = standing(f"{HQS}, R1 general d4, R2 mechanized d5")
    assert squares(state, "R1") == {"c3", "d3", "e3", "c4", "e4", "c5", "e5"}
    assert squares(state, "R9") == set()
    assert codes(state, "move R9 to b1") == {"base"}
    assert codes(state, "move R1 to d6") == {"too-far"}
    assert codes(state, "move R1 to d5") == {"occupied"}
    assert codes(state, "move R1 to h8") == {"occupied", "too-far"}
    assert codes(state, "move B9 to g8") == {"not-yours", "base"}


def test_each_unit_moves_once_and_none_has_to() -> None:
    state = said(standing(f"{HQS}, R1 light-tanks d4, R2 general e1"), "move R1 to e5")
    assert codes(state, "move R1 to e6") == {"moved"}
    assert said(state, "end").step == "attack"


def test_an_airfield_moves_next_to_a_friend_and_not_next_to_an_enemy() -> None:
    """Ruling 5: only the square that it ends on counts, and it is no friend of itself."""
    state = standing("R9 hq a1, B9 hq h8, R1 airfield b2, R2 general d4, B1 general f4")
    assert codes(state, "move R1 to c4") == set()
    assert codes(state, "move R1 to d2") == {"alone"}
    assert squares(state, "R1") == {"b1", "a2", "c3", "d3", "c4"}
    enemy = standing("R9 hq a1, B9 hq h8, R1 airfield c2, R2 general d4, B1 general e5")
    assert codes(enemy, "move R1 to d4") == {"occupied"}
    assert codes(enemy, "move R1 to e4") == {"contact"}
    past = standing("R9 hq a8, B9 hq h8, R1 airfield a1, R2 general a4, B1 general c2")
    assert squares(past, "R1") == {"a3"}, "the way there leads past an enemy"


def test_range_is_the_kings_distance_and_goes_over_others() -> None:
    """Ruling 4."""
    state = said(standing(f"{HQS}, R1 howitzers c3, R2 general d4, B1 general e5, B2 general f6, B3 general g7"), "end")
    assert targets(state, "R1") == {"B1", "B2"}
    assert targets(state, "R2") == {"B1"}
    assert codes(state, "attack R2 at B2") == {"out-of-range"}
    state = said(state, "attack R1 at B2")
    assert codes(state, "attack R1 at B1") == {"fired"}
    assert state.by_id["B2"].damage == 1


def test_units_may_move_and_attack_but_an_airfield_not_both() -> None:
    state = standing("R9 hq a1, B9 hq h8, R1 airfield b2, R2 light-tanks b3, B1 general d5")
    moved = said(state, "move R1 to a2", "move R2 to c4", "end")
    assert codes(moved, "attack R1 at B1") == {"airfield-moved"}
    assert targets(moved, "R2") == {"B1"}
    assert targets(said(state, "end"), "R1") == {"B1"}


def test_anti_aircraft_guns_cover_themselves_and_their_neighbours_from_airfields() -> None:
    """Ruling 9: those of their own side."""
    state = said(
        standing("R9 hq a1, B9 hq h8, R1 airfield b4, R2 aa-guns d3, B1 aa-guns d5, B2 general e6, B3 general e4"),
        "end",
    )
    assert targets(state, "R1") == set()
    assert codes(state, "attack R1 at B1") == {"covered"}
    assert targets(state, "R2") == {"B1", "B3"}, "their cover is from airfields alone"
    own = said(standing("R9 hq a1, B9 hq h8, R1 airfield b4, R2 aa-guns d3, B3 general e4"), "end")
    assert targets(own, "R1") == {"B3"}, "guns do not shelter the enemy"
    both = said(standing("R9 hq a1, B9 hq h8, R1 airfield b4, B1 aa-guns d5, B3 airfield e4"), "end")
    assert codes(both, "attack R1 at B3") == {"covered"}


def test_engineers_and_anti_tank_guns_do_two_damage_where_it_says() -> None:
    """Ruling 10: mechanized infantry is no tank, an elite unit does 2 and never more."""
    state = said(
        standing(
            "R9 hq a1, R1 engineers d4, R2 at-guns d3, R3 engineers c4 elite, B9 hq h8, B1 fortification d5,"
            " B2 mechanized e5, B3 heavy-tanks c5"
        ),
        "end",
    )
    found = {
        (line, e.damage, e.because)
        for line in ("R1 at B1", "R1 at B2", "R2 at B3", "R2 at B2", "R2 at B1", "R3 at B1", "R3 at B3")
        for e in events_of(state, f"attack {line}")[:1]
        if isinstance(e, ev.Attacked)
    }
    assert found == {
        ("R1 at B1", 2, "engineers"), ("R1 at B2", 1, ""), ("R2 at B3", 2, "anti-tank"), ("R2 at B2", 1, ""),
        ("R2 at B1", 1, ""), ("R3 at B1", 2, "elite"), ("R3 at B3", 2, "elite"),
    }  # fmt: skip


GUNS = "R1 howitzers c4, R2 howitzers d4, R3 howitzers e4"


def struck(more: str, target: str = "B1", guns: str = GUNS, **rules: Any) -> State:
    """Three howitzers have attacked a unit with a defence of 3."""
    state = said(standing(f"R9 hq a1, B9 hq h8, {guns}, {more}", **rules), "end")
    return said(state, f"attack R1 at {target}", f"attack R2 at {target}", f"attack R3 at {target}")


def test_a_unit_retreats_as_soon_as_its_damage_reaches_its_defence_and_its_owner_chooses() -> None:
    state = struck("B1 light-tanks d6")
    assert state.pressed == "B1"
    assert RULES.to_act(state) == "blue"
    assert RULES.actor(state, actions.Retreat("B1", "d7")) == "blue"
    assert squares(state, "B1") == {"c7", "d7", "e7", "c6", "e6"}
    assert codes(state, "end") == {"pressed"}
    assert codes(state, "retreat B1 to d5") == {"no-retreat"}
    state = said(state, "retreat B1 to e6")
    unit = state.by_id["B1"]
    assert (unit.damage, unit.retreated, RULES.to_act(state)) == (0, True, "red")


def test_at_the_edge_a_unit_goes_sideways_or_is_lost() -> None:
    """Ruling 13: no unit leaves the board where it has another way."""
    guns = "R1 howitzers c5, R2 howitzers d5, R3 howitzers e5"
    state = struck("B1 light-tanks d8", guns=guns)
    assert squares(state, "B1") == {"c8", "e8"}
    corner = said(standing(f"R9 hq a1, B9 hq h8, {guns}, B1 light-tanks d8, R4 general c6, R5 general e6"), "end")
    corner = said(corner, "attack R1 at B1", "attack R2 at B1")
    assert events_of(corner, "attack R3 at B1")[-1] == ev.Retreated("B1", "d8", "c8", True) or squares(
        said(corner, "attack R3 at B1"), "B1"
    )
    held = said(standing(f"R9 hq a1, B9 hq h8, {guns}, B1 light-tanks d8, R4 general b7, R5 general f7"), "end")
    held = said(held, "attack R1 at B1", "attack R2 at B1")
    assert events_of(held, "attack R3 at B1")[-1] == ev.Destroyed("B1", "d8", "edge", ("R1", "R2", "R3"))


def test_a_base_is_destroyed_where_others_retreat() -> None:
    guns = ", ".join(f"R{n} howitzers {c}4" for n, c in enumerate("abcdef", 1))
    state = said(standing(f"R9 hq a1, B9 hq h8, {guns}, B1 fortification d6"), "end")
    for n in (2, 3, 4, 5, 6):
        state = said(state, f"attack R{n} at B1")
    assert state.by_id["B1"].damage == 5
    assert events_of(state, "attack R1 at B1")[-1] == ev.Destroyed(
        "B1", "d6", "base", ("R2", "R3", "R4", "R5", "R6", "R1")
    )


def test_the_game_is_won_by_destroying_the_headquarters() -> None:
    units = "R1 engineers g7, R2 engineers g8, R3 engineers h7"
    state = said(standing(f"R9 hq a1, B9 hq h8, {units}"), "end", "attack R1 at B9", "attack R2 at B9")
    state = said(state, "attack R3 at B9")
    assert state.result is not None
    assert state.result.winner == "red"
    assert RULES.to_act(state) is None
    assert codes(state, "end") == {"over"}


def test_all_cities_win_at_once_in_whoevers_turn() -> None:
    """Ruling 18: a city is held by the unit that stands on it, and a retreat may win too."""
    game = {"city_squares": ("d4", "e5")}
    state = standing("R9 hq a1, B9 hq h8, R1 general d3, R2 general e4", **game)
    state = said(state, "move R1 to d4")
    assert state.result is None
    won = said(state, "move R2 to e5")
    assert won.result is not None
    assert (won.result.winner, won.result.reason) == ("red", "Red holds all 2 cities.")
    off = said(standing("R9 hq a1, B9 hq h8, R1 general d3, R2 general e4", city_victory="no", **game), "move R1 to d4")
    assert said(off, "move R2 to e5").result is None
    back = struck_into_city()
    assert back.result is not None and back.result.winner == "blue"


def test_as_a_house_rule_cities_must_be_held_until_the_next_turn_begins() -> None:
    """Ruling 18: else the side that goes first may win in its first turn."""
    state = standing("R9 hq a1, B9 hq h8, R1 general d3, R2 general e4, B1 general a8", city_squares=("d4", "e5"),
                     city_victory="held")  # fmt: skip
    state = said(state, "move R1 to d4", "move R2 to e5", "end", "end")
    assert state.result is None
    state = said(state, "end")
    assert state.result is None
    won = said(state, "end")
    assert won.result is not None
    assert (won.result.winner, won.turn) == ("red", 2)


def struck_into_city() -> State:
    state = standing(f"R9 hq a1, B9 hq h8, {GUNS}, B1 light-tanks d6, B2 general a7", city_squares=("d7", "a7"))
    state = said(state, "end", "attack R1 at B1", "attack R2 at B1", "attack R3 at B1")
    return said(state, "retreat B1 to d7")


def test_a_scenario_with_a_last_turn_is_drawn_after_it() -> None:
    state = said(standing(HQS, turns=1), "end", "end", "end")
    assert state.result is None
    over = said(state, "end")
    assert over.result is not None and over.result.winner is None


def test_cities_are_drawn_by_lot_in_the_two_middle_rows() -> None:
    """Ruling 17."""
    state = begun(Setup(cities=4))
    assert RULES.dice(state, actions.Draw()).faces == tuple(range(1, 17))
    (laid,) = RULES.resolve(state, actions.Draw(), (16,))
    assert laid == ev.CityLaid("h5", 16, 16)
    state = RULES.apply(state, laid)
    assert RULES.dice(state, actions.Draw()).faces == tuple(range(1, 16))
    assert codes(state, "city h5") == {"not-free"}
    assert codes(state, "city h6") == {"not-middle"}
    state = said(state, "city a4", "city b4")
    assert said(state, "city c4").step == "armies"
    assert {grid(5, 7).row[n] for n in grid(5, 7).middle} == {2, 3, 4}


def test_each_side_makes_two_units_elite() -> None:
    """Ruling 21: bases too."""
    state = begun(Setup(elites=2, first="blue", home=1, rows=4, limits=Limits(units=4, types=2, tanks=2)))
    army = "general 2 light-tanks 1 hq 1"
    state = said(state, f"army red {army}", f"army blue {army}")
    assert (state.step, RULES.to_act(state)) == ("elites", "blue")
    assert codes(state, "elite red R1") == {"not-yours"}
    assert codes(state, "elite blue R1") == {"own"}
    state = said(state, "elite blue B4")
    assert codes(state, "elite blue B4") == {"elite"}
    state = said(state, "elite blue B1")
    assert RULES.to_act(state) == "red"
    state = said(state, "elite red none")
    assert state.step == "place"
    assert defence(state, state.by_id["B4"]) == 7


def test_a_unit_that_helped_to_destroy_enough_becomes_elite() -> None:
    """Ruling 22: everybody whose damage of this turn was done to the unit helped, before a first retreat too."""
    blocked = "B2 general c7, B3 general d7, B4 general c6, B5 general e6, B6 general e7"
    state = said(standing(f"R9 hq a1, B9 hq h8, {GUNS}, B1 light-tanks d6, {blocked}", experience=1), "end")
    state = said(state, "attack R1 at B1", "attack R2 at B1")
    found = events_of(state, "attack R3 at B1")
    assert ev.Destroyed("B1", "d6", "no way", ("R1", "R2", "R3")) in found
    assert [e for e in found if isinstance(e, ev.Promoted)] == [ev.Promoted(f"R{n}", 1) for n in (1, 2, 3)]
    state = said(state, "attack R3 at B1")
    assert state.by_id["R1"].elite and state.by_id["R1"].kills == 1
    five = said(standing(f"R9 hq a1, B9 hq h8, {GUNS}, B1 light-tanks d6, {blocked}", experience=5), "end")
    five = said(five, "attack R1 at B1", "attack R2 at B1", "attack R3 at B1")
    assert not five.by_id["R1"].elite and five.by_id["R1"].kills == 1


def test_every_third_turn_brings_a_unit_to_the_back_row() -> None:
    """Rulings 23 to 25."""
    state = standing("R9 hq a1, B9 hq h8", every=3)
    for _ in range(4):
        state = said(state, "end", "end")
    assert (state.turn, state.step, state.acting) == (3, "reinforce", "red")
    assert codes(state, "reinforce fortification at b1") == {"base"}
    assert codes(state, "reinforce general at a2") == {"not-back-row"}
    assert codes(state, "reinforce general at a1") == {"occupied"}
    assert codes(state, "end") == {"wrong-phase"}
    came = said(state, "reinforce paratroopers at b1")
    assert (came.step, came.by_id["R2"].kind) == ("move", "paratroopers")
    assert "c2" in squares(came, "R2"), "it may move at once"
    kept = said(state, "hold")
    assert (kept.step, kept.owed) == ("move", (1, 0))
    kept = said(kept, "end", "end")
    assert kept.step == "reinforce", "blue's turn 3"
    kept = said(kept, "reinforce airfield at a8", "end", "end")
    assert (kept.turn, kept.step, kept.acting) == (4, "reinforce", "red")
    row = ", ".join(f"R{n} general {c}1" for n, c in enumerate("bcdefgh", 1))
    full = standing(f"R9 hq a1, B9 hq h8, {row}", every=1)
    assert (full.step, full.owed) == ("move", (1, 0)), "there is no room, so it waits"


def test_the_referee_sets_units_right() -> None:
    game = Game.new(RULES, standing_setup())
    with pytest.raises(IllegalError, match="bear 0 to 4"):
        game.push(game.parse("correct B1 damage 5"))
    game.push(game.parse("correct B1 to c5 damage 2 elite yes because it was bumped"))
    unit = game.state.by_id["B1"]
    assert (game.state.grid.names[unit.at], unit.damage, unit.elite) == ("c5", 2, True)
    with pytest.raises(IllegalError, match="stack"):
        game.push(game.parse("correct B1 to a1"))
    game.push(game.parse("correct B9 off"))
    assert game.outcome is not None and game.outcome.winner == "red"


def test_the_referee_lets_a_move_be_that_is_too_long() -> None:
    game = Game.new(RULES, standing_setup())
    with pytest.raises(IllegalError):
        game.push(game.parse("move R1 to d7"))
    game.push(game.parse("move R1 to d7"), overrule=True, reason="agreed")
    assert game.state.by_id["R1"].moved


def test_moving_away_what_blocks_a_retreat_by_hand_leaves_no_game_stuck() -> None:
    state = struck("B1 light-tanks d6, B2 general c7, B3 general d7, B4 general c6")
    assert squares(state, "B1") == {"e7", "e6"}
    game = state
    game = said(game, "correct B2 to e6")
    assert game.pressed == "B1"
    filled = said(game, "correct B3 to e7")
    assert filled.pressed == "B1" and squares(filled, "B1") == {"c7", "d7"}
    one = said(game, "correct R1 to c7")
    assert one.pressed == "" and one.grid.names[one.by_id["B1"].at] == "e7"


def standing_setup() -> Setup:
    return standing("R9 hq a1, B9 hq h8, R1 general d4, B1 general d5").setup


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("move R1 d5", "move R1 to d5"),
        ("MOVE r1 TO D5", "move R1 to d5"),
        ("attack r1 b1", "attack R1 at B1"),
        ("army red Light Tanks 2, fort 1 HQ 1", "army red light-tanks 2 fortification 1 hq 1"),
        ("reinforce medium tank at a1", "reinforce medium-tanks at a1"),
        ("elite red none", "elite red none"),
    ],
)
def test_words_are_read_as_people_say_them(words: str, told: str) -> None:
    state = standing("R9 hq a1, B9 hq h8, R1 general d4, B1 general e5")
    assert RULES.text(RULES.parse(state, words)) == told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("move R1", "move UNIT to SQUARE"),
        ("move R7 to d5", "no unit"),
        ("move R1 to k9", "columns are a to h"),
        ("army red tanks 3", "no kind of unit"),
        ("army red light-tanks", "Number is missing; it is a whole number"),
        ("army red 3", "no kind of unit called"),
        ("concede green", '"red" or "blue"'),
        ("correct R1", "correct UNIT"),
        ("correct R1 damage many", 'After "damage" goes a whole number'),
        ("end now", "Usage: end"),
    ],
)
def test_words_that_say_nothing_are_refused(words: str, told: str) -> None:
    state = standing("R9 hq a1, B9 hq h8, R1 general d4, B1 general e5")
    with pytest.raises(ActionError, match=told):
        RULES.parse(state, words)


@pytest.mark.parametrize(
    ("setup", "told"),
    [
        (Setup(columns=27), "4 to 26"),
        (Setup(rows=8, home=4), "1 to 3 rows"),
        (Setup(city_squares=("z9",)), "no square"),
        (Setup(city_squares=("d4",), cities=4), "say one only"),
        (Setup(cities=17), "no room"),
        (Setup(terrain=(("d4", "swamp"),)), "no terrain"),
        (Setup(terrain=(("d4", "woods"), ("d4", "marsh"))), "twice"),
        (Setup(limits=Limits(units=40)), "can't be"),
        (Setup(limits=Limits(units=4, types=7)), "No army"),
        (Setup(first="green"), "go first"),
    ],
)
def test_set_ups_that_can_not_be_played_are_refused(setup: Setup, told: str) -> None:
    with pytest.raises(RulesError, match=told):
        RULES.start(setup)
    with pytest.raises(RulesError, match="from a Setup"):
        RULES.start({"columns": 8})


def test_a_unit_that_was_set_right_below_its_defence_has_nothing_to_retreat_from() -> None:
    pressed = struck("B1 light-tanks d6")
    assert pressed.pressed == "B1"
    elite = said(pressed, "correct B1 elite yes")
    assert (elite.pressed, elite.by_id["B1"].damage) == ("", 3)
    assert RULES.to_act(elite) == "red"
    rough = said(struck("B1 light-tanks d6", difficult=True, terrain=(("d7", "woods"),)), "correct B1 to d7")
    assert rough.pressed == ""
    other = said(pressed, "correct R1 elite yes")
    assert other.pressed == "B1"


def test_a_way_is_not_said_to_be_stopped_by_terrain_where_units_bar_it() -> None:
    wall = "R2 general a3, R3 general b3, R4 general c2, R5 general c1, R6 general c3"
    rules = {"difficult": True, "terrain": (("h5", "woods"),)}
    barred = standing(f"R9 hq h1, B9 hq h8, R1 light-tanks a1, {wall}", **rules)
    (against,) = RULES.check(barred, RULES.parse(barred, "move R1 to d2"))
    assert against.code == "no-way" and "Difficult" not in against.text and against.place == "Move Phase"
    stopped = standing("R9 hq h1, B9 hq h8, R1 medium-tanks a1", difficult=True,
                       terrain=tuple((name, "woods") for name in ("a2", "b1", "b2")))  # fmt: skip
    (against,) = RULES.check(stopped, RULES.parse(stopped, "move R1 to c3"))
    assert "Difficult terrain on its way stops it" in against.text and against.place == "Difficult Terrain"
    foot = standing("R9 hq h1, B9 hq h8, R1 paratroopers b1, R7 airfield a1, R2 general a2, R3 general b2,"
                    " R4 general c2, R5 general c1", **rules)  # fmt: skip
    (against,) = RULES.check(foot, RULES.parse(foot, "move R1 to b4"))
    assert "Difficult" not in against.text


@pytest.mark.parametrize(
    ("before", "line", "told"),
    [
        ((), "attack R1 at B1", "Units move now; the attack phase comes after."),
        (("end",), "move R1 to d5", "Units attack now; the turn ends after that."),
        ((), "place R1 at d1", "Units are placed before the first turn."),
        ((), "hold", "This game is played without reinforcements."),
    ],
)
def test_what_is_done_in_another_phase_is_refused_with_the_way_there(
    before: tuple[str, ...], line: str, told: str
) -> None:
    state = said(standing(f"{HQS}, R1 general d4, B1 general d5"), *before)
    assert told in [v.text for v in RULES.check(state, RULES.parse(state, line))]
    due = said(standing(HQS, every=3), "end")
    for words, when in (("hold", "is held"), ("reinforce general at b1", "comes on")):
        (against,) = RULES.check(due, RULES.parse(due, words))
        assert against.text == f"A reinforcement {when} when it is due, as a turn begins."


def test_the_referee_does_not_break_off_a_turn_nor_bring_headquarters() -> None:
    due = said(standing(HQS, every=2), "end", "end", "end", "end")
    assert due.step == "reinforce"
    (against,) = RULES.check(due, actions.End())
    assert against.firm and against.usage == ("reinforce KIND at SQUARE", "hold")
    second = RULES.check(due, RULES.parse(due, "reinforce hq at b1"))
    assert [v.firm for v in second if v.code == "base"] == [True]
    assert [v.firm for v in RULES.check(due, RULES.parse(due, "reinforce fort at b1"))] == [False]


def test_a_unit_that_the_referee_lets_come_early_leaves_no_debt() -> None:
    state = after(standing(HQS), actions.Reinforce("general", "b1"))
    assert state.owed == (0, 0) and state.by_id["R2"].at == 1
    assert not RULES.invariant_violations(state)


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        (Limits(units=15, alike=1, types=7), "13 are the most"),
        (Limits(units=16, tanks=0, types=10), "9 types"),
        (Limits(units=16, alike=0, types=0), "1 are the most"),
    ],
)
def test_limits_that_no_army_keeps_are_refused(limits: Limits, told: str) -> None:
    with pytest.raises(RulesError, match=told):
        RULES.start(Setup(limits=limits))


def test_cities_lie_between_the_sides_on_boards_with_an_odd_number_of_rows() -> None:
    """Ruling 17: the rows between the players, not those on which they set up."""
    free = {o.target for o in RULES.options(begun(small(rows=5, home=2, cities=2))) if o.kind == "city"}
    assert free == {"a3", "b3", "c3", "d3"}
    wide = {o.target for o in RULES.options(begun(small(rows=9, home=3, cities=2))) if o.kind == "city"}
    assert {name[1] for name in wide if name} == {"4", "5", "6"}
    with pytest.raises(RulesError, match="no room on the 4 free squares"):
        RULES.start(small(rows=5, home=2, cities=5))


def small(**more: Any) -> Setup:
    """Four columns, and armies that fit."""
    return Setup(columns=4, limits=Limits(units=4, types=2), **more)
