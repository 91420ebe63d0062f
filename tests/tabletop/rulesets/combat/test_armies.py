"""Armies, set-ups and secret deployment of Combat: everything that is wrong, at once; what is hidden, from whom."""

import itertools
import random
from dataclasses import replace
from typing import Any

import pytest

from tabletop.errors import RulesError
from tabletop.game.protocol import PUBLIC
from tabletop.measuring import MeasureError
from tabletop.reading.toml_source import line_numbers, parse
from tabletop.rulesets.combat import actions, board_text
from tabletop.rulesets.combat.board import OFF
from tabletop.rulesets.combat.board_drawing import board
from tabletop.rulesets.combat.data import KINDS, PERIODS, SIDES
from tabletop.rulesets.combat.measuring import overlays
from tabletop.rulesets.combat.play import RULES
from tabletop.rulesets.combat.scenario import CHOICES, apply_options, describe_options, read_scenario
from tabletop.rulesets.combat.setup import Objective, Setup
from tabletop.rulesets.combat.setup_faults import faults_of
from tabletop.rulesets.combat.state import State
from tabletop.starting.scenarios import ScenarioError, find
from tests.support.combat_games import OPEN, begun, codes, done, ground, on, small_setup, standing, standing_game

TEN = on(OPEN, pieces=10, points=0)


def army(setup: Setup, words: str) -> set[str]:
    return codes(begun(setup), f"army red {words}")


def test_everything_wrong_with_an_army_is_told_at_once() -> None:
    setup = on(TEN, profile="codified", points=20, period="early-wwi")
    wrong = army(setup, "tanks 17 planes 3 guns 2 foot 4 mines 3")
    assert wrong == {"kind-not-allowed", "pool", "not-equal", "points", "ratio", "no-room", "no-mines"}


def test_equal_numbers_were_agreed_on() -> None:
    assert army(TEN, "tanks 6 guns 4 mines 4") == set()
    assert army(TEN, "tanks 6 guns 3") == {"not-equal"}
    assert army(on(TEN, pieces=0, points=30), "tanks 6 guns 3") == set()
    assert army(on(TEN, pieces=0, points=30), "tanks 6 guns 5") == {"points"}
    assert army(on(TEN, pieces=0, points=999, most_30=True), "tanks 16 guns 15") == {"too-many"}
    assert army(on(TEN, pieces=0, points=999), "tanks 16 guns 15") == set()


def test_the_box_and_its_points() -> None:
    pool = {kind.id: (kind.pool, kind.points) for kind in KINDS.values()}
    assert pool == {
        "plane": (8, 5), "tank": (16, 3), "gun": (16, 3), "foot": (20, 1), "motorised": (10, 3), "cavalry": (10, 2),
        "helicopter": (5, 6),
    }  # fmt: skip
    assert sum(KINDS[kind].pool for kind in ("plane", "tank", "gun")) == 40


@pytest.mark.parametrize(("players", "mines", "fine"), [(2, 16, True), (2, 17, False), (4, 20, True), (4, 21, False)])
def test_mines_of_a_side(players: int, mines: int, fine: bool) -> None:
    faults = [text for _, text in faults_of(on(OPEN, players=players, mines=mines))]
    assert (not faults) == fine


def test_the_original_allots_mines_and_the_codified_rules_give_equal_numbers() -> None:
    assert army(TEN, "tanks 10 mines 2") == set() and army(TEN, "tanks 10 mines 5") == {"mines"}
    codified = on(TEN, profile="codified")
    assert army(codified, "tanks 10 mines 2") == {"mines"} and army(codified, "tanks 10 mines 4") == set()


@pytest.mark.parametrize(
    ("period", "words", "against"),
    [
        ("early-wwi", "guns 2 foot 8", set()),
        ("early-wwi", "guns 3 foot 7", {"ratio"}),
        ("early-wwi", "guns 2 foot 4 cavalry 4", {"ratio"}),
        ("early-wwi", "guns 2 foot 7 tanks 1", {"kind-not-allowed", "ratio"}),
        ("late-wwi", "tanks 2 planes 2 foot 6", set()),
        ("late-wwi", "tanks 3 foot 7", {"at-once"}),
        ("early-wwii", "tanks 8 motorised 2", set()),
        ("early-wwii", "tanks 7 motorised 3", {"ratio"}),
        ("late-wwii", "tanks 7 motorised 3", set()),
        ("late-wwii", "tanks 9 cavalry 1", {"kind-not-allowed"}),
        ("mid-cold-war", "tanks 9 helicopters 1", set()),
        ("mid-cold-war", "tanks 8 helicopters 2", {"ratio"}),
        ("late-cold-war", "tanks 6 helicopters 3 guns 1", set()),
        ("late-cold-war", "tanks 6 helicopters 4", {"ratio"}),
        ("post-cold-war", "tanks 5 helicopters 5", set()),
    ],
)
def test_periods_restrict_armies(period: str, words: str, against: set[str]) -> None:
    setup = on(TEN, period=period)
    mines = " mines 4" if setup.mines_each else ""
    assert army(setup, words + mines) == against
    assert bool(setup.mines_each) == PERIODS[period].mines == (period not in ("early-wwi", "late-wwi"))


def test_new_pieces_need_their_switch_or_a_period() -> None:
    assert army(TEN, "tanks 9 cavalry 1") == {"kind-not-allowed"}
    assert army(on(TEN, cavalry=True), "tanks 9 cavalry 1") == set()


ARMED = done(begun(TEN), "army red tanks 8 guns 1 planes 1 mines 2")


def test_one_in_five_ahead_of_the_line_mines_behind_it_planes_on_the_airstrip() -> None:
    state = done(ARMED, "place RT1 c4 RT2 d6 RT3 e3")
    assert codes(state, "place RT4 f4") == {"too-many-ahead"} and codes(state, "place RT4 f3") == set()
    assert codes(state, "place mine f4") == {"mine-ahead"} and codes(state, "place mine f3") == set()
    assert codes(state, "place RP1 c1") == {"no-airstrip"} and codes(state, "place RP1 b1") == set()
    assert codes(state, "place RT4 e3") == {"occupied"} and codes(state, "place RT4 e7") == {
        "other-half",
        "too-many-ahead",
    }
    assert codes(done(state, "place mine f3"), "place RT4 f3") == {"own-mine"}
    assert codes(state, "place mine f3 mine g3 mine h3") == {"mines"}
    assert codes(done(state, "unplace RT2"), "place RT4 f4") == set()
    assert codes(done(state, "place RT2 d3"), "place RT4 f4") == set(), "a piece is put elsewhere by placing it again"


def test_ready_when_all_pieces_stand() -> None:
    assert codes(begun(TEN), "ready red") == {"no-army"}
    assert codes(ARMED, "ready red") == {"not-deployed"}
    ready = done(done(ARMED, "deploy red"), "ready red")
    assert "ready" in codes(ready, "place mine c3") and codes(ready, "toss") == {"deploy-first"}
    assert RULES.to_act(ready) == "blue"


def test_players_arrange_the_battlefield_before_they_choose_armies() -> None:
    state = done(done(begun(TEN), "lay c4 woods"), "lay c5 road")
    assert state.field.terrain[state.field.number["c4"]] == "woods" and state.field.road[state.field.number["c5"]]
    bare = done(done(done(state, "lay c4 road"), "lay c4 open"), "lay c5 open")
    assert bare.setup.ground == () and bare.setup.roads == ()
    assert codes(state, "lay c6 river") == {"no-rivers"} and codes(state, "lay c6 built-up") == {"not-built"}
    wet = done(begun(on(TEN, rivers=True)), "lay c6 river")
    assert codes(wet, "lay c6 road") == {"bridge"} and codes(wet, "lay a1 river") == {"airstrip"}
    assert codes(done(state, "army red tanks 10"), "lay c6 hill") == {"too-late"}


def test_a_scenario_s_faults_are_told_by_their_lines() -> None:
    text = (
        '[scenario]\nid = "x"\ntitle = "X"\nrules = "combat"\n[battle]\nprofile = "orignal"\npieces = 99\n'
        '[board]\nmap = """\n....\n..x.\n....\n.....\n"""\n[house_rules]\nriver = true\n'
    )
    with pytest.raises(ScenarioError) as caught:
        read_scenario(parse(text), line_numbers(text), "x.toml")
    told = str(caught.value)
    for part in ('line 6: unknown profile "orignal"', "line 7", 'row 3 of the map has "x"', "row 1 of the map has 5",
                 'unknown key "river"', 'did you mean "rivers"'):  # fmt: skip
        assert part in told, part


def test_choices_change_a_set_up_and_are_told_of_it() -> None:
    known = describe_options(OPEN)
    assert set(known) == {choice.id for choice in CHOICES}
    for choice in CHOICES:
        assert choice.default == describe_options(Setup())[choice.id], choice.id
        assert choice.values is None or known[choice.id] in choice.values
    found = apply_options(
        OPEN, {"period": "late-wwii", "rivers": "yes", "pieces": "12", "headquarters": "no", "players": "4"}
    )
    assert (found.period, found.house.rivers, found.pieces, found.players) == ("late-wwii", True, 12, 4)
    assert apply_options(found, {"period": "none"}).period == ""
    with pytest.raises(Exception, match="at most 16 mines"):
        apply_options(OPEN, {"mines": "17"})


def told_to(state: State, log: list[Any], viewer: str, wishes: list[Any]) -> list[Any]:
    """All that the rules tell a side, or everybody, of a state, its past, and what might be done in it."""
    told: list[Any] = [RULES.hides(state), RULES.to_act(state), RULES.outcome(state), RULES.view(state, viewer)]
    told += [RULES.event_view(state, event, viewer) for event in log]
    told += [board(state, viewer).to_json(), board_text.in_words(state), board_text.next_words(state)]
    told += [option.to_json(odds=True) for option in RULES.options(state) if option.side == viewer]
    own = [wish for wish in wishes if RULES.actor(state, wish).partition("-")[0] == viewer]
    told += [(RULES.check(state, wish), RULES.dice(state, wish), RULES.odds(state, wish)) for wish in own]
    for unit in (f"{side}{kind.letter}{n}" for side in "RB" for kind in KINDS.values() for n in (1, 2)):
        try:
            told.append(overlays(state, unit, viewer))
        except MeasureError as error:
            told.append(str(error))
    return told


def twin_of(state: State, own: int, rng: random.Random) -> State:
    """The same state with what a side (0 or 1) hides changed: mines elsewhere, and before the boards are joined another
    army in other places."""
    field = state.field
    free = [n for n in range(field.count) if field.behind(own, n) and n not in state.by_square and not field.river[n]]
    mines = frozenset(rng.sample(free, min(len(free), len(state.laid[own]))))
    changes: dict[str, Any] = {"laid": (mines, state.laid[1]) if own == 0 else (state.laid[0], mines)}
    if state.step == "deploy" and state.armed[own]:
        left = rng.randint(0, 3)
        changes["to_lay"] = (left, state.to_lay[1]) if own == 0 else (state.to_lay[0], left)
        mine = tuple(replace(p, at=OFF, fate="waiting") for p in state.pieces if p.side == own)[1:]
        others = tuple(p for p in state.pieces if p.side != own)
        changes["pieces"] = mine + others if own == 0 else others + mine
        changes["headquarters"] = (OFF, state.headquarters[1]) if own == 0 else (state.headquarters[0], OFF)
    if state.apart:
        changes["pieces"] = tuple(
            rng.choice([p for p in state.dusk if p.id == q.id]) if q.side == own and q.at != OFF else q
            for q in state.pieces
        )
    return state.but(**changes)


@pytest.mark.parametrize("seed", range(2))
def test_nobody_is_told_what_the_other_side_hides(seed: int) -> None:
    """Random games; at many steps what one side hides is changed, and neither the other nor the public notices."""
    rng = random.Random(seed)
    setup = on(small_setup(rng, mines=3, period=""), apart_at_night=True, days=2, turns_a_day=2)
    state: State | None = None
    log: list[Any] = list(RULES.start(setup))
    for event in log:
        state = RULES.apply(state, event)
    compared = 0
    for step in range(160):
        assert state is not None
        if RULES.outcome(state) is not None:
            break
        wishes = [w for w in RULES.random_actions(state, rng) if not isinstance(w, actions.Concede | actions.Correct)]
        for own, viewer in itertools.product((0, 1), (*SIDES, PUBLIC)) if step % 5 == 0 else ():
            if viewer == SIDES[own]:
                continue
            twin = twin_of(state, own, rng)
            if viewer == PUBLIC:
                pair = [
                    (RULES.view(s, PUBLIC), board(s, PUBLIC).to_json(), board_text.in_words(s)) for s in (state, twin)
                ]
                assert pair[0] == pair[1], (seed, step)
            else:
                assert told_to(state, log, viewer, wishes) == told_to(twin, log, viewer, wishes), (seed, step, viewer)
            compared += twin != state
        wish = next(wish for wish in (*wishes, actions.End()) if not RULES.check(state, wish))
        for event in RULES.resolve(state, wish, RULES.dice(state, wish).roll(rng)):
            log.append(event)
            state = RULES.apply(state, event)
    assert compared > 1


def test_events_of_a_secret_deployment_show_their_side_alone() -> None:
    places = {"RT1": "c4", "BT1": "c9"}
    game = standing_game(OPEN, places, mines=("c3", "c10"), headquarters=[("red", "d2")])
    secret = [record for record in game.records if record.kind in ("armed", "placed", "established")]
    shown, own = (
        [RULES.event_view(game.state, game.event(record), side) for record in secret if record.body["side"] == "red"]
        for side in ("blue", "red")
    )
    assert shown == [{"side": "red"}] * 3
    assert (own[1]["mines"], own[2]["square"]) == (["c3"], "d2")
    assert "mines" not in RULES.view(game.state, "blue").get("secret", {}).get("red", {})


def test_the_referee_s_word_tells_nothing_of_what_is_hidden() -> None:
    assert codes(ARMED, "correct RT1 off") == codes(ARMED, "correct BT9 to c3") == {"too-early"}
    apart = on(OPEN, days=2, turns_a_day=1, apart_at_night=True)
    night = done(done(standing(apart, {"RT1": "c4", "RT2": "d4", "BT1": "c9"}), "end"), "end")
    assert night.apart and codes(night, "correct BT1 to c4") == {"apart"} == codes(night, "correct RT1 to d4")
    assert codes(night, "correct deck 3 3") == set()


@pytest.mark.parametrize(
    ("name", "wished", "told"),
    [
        ("first-skirmish", {"pieces": "40"}, "room for 38 pieces"),
        ("blue-ridge", {"pieces": "15", "points": "20"}, "costs at least 45 points"),
        ("first-skirmish", {"pieces": "8", "points": "7"}, "costs at least 8 points"),
        ("blue-ridge", {"period": "early-wwi", "pieces": "36"}, "no army of 36 pieces"),
        ("blue-ridge", {"period": "late-wwi", "pieces": "40"}, ""),
        ("blue-ridge", {"headquarters": "yes"}, ""),
    ],
)
def test_armies_that_nobody_could_choose_or_deploy_are_refused(name: str, wished: dict[str, str], told: str) -> None:
    if not told:
        assert apply_options(find(name, "combat").setup, wished)
        return
    with pytest.raises(RulesError, match=told):
        apply_options(find(name, "combat").setup, wished)


def test_every_side_needs_ground_for_its_headquarters() -> None:
    for kinds, sides in (
        ({"hill": "c3 c4", "woods": "c10 d10"}, []),
        ({"hill": "c3 c4"}, ["Blue"]),
        ({"hill": "c3", "woods": "c4 c9 c10"}, ["Red"]),
        ({"built-up": "c3 c4 c9 c10"}, ["Red", "Blue"]),
    ):
        setup = on(OPEN, headquarters=True, ground=ground(kinds))
        found = [text for path, text in faults_of(setup) if path == ("headquarters",)]
        assert [text.split("'")[0] for text in found] == sides


def test_ground_for_headquarters_is_asked_for_again_once_the_field_was_laid() -> None:
    state = begun(on(OPEN, pieces=3, points=0, headquarters=True, ground=ground({"hill": "c3 c4", "woods": "c9 c10"})))
    assert codes(state, "army red tanks 3 mines 4") == set()
    bare = done(state, "lay c10 open")
    assert codes(bare, "army red tanks 3 mines 4") == {"no-headquarters"} == codes(bare, "army blue tanks 3 mines 4")
    assert codes(done(bare, "lay d9 woods"), "army red tanks 3 mines 4") == set()


def test_no_river_is_laid_wider_than_two_squares_nor_over_all_the_room() -> None:
    state = begun(on(OPEN, rivers=True, pieces=3, points=0))
    for square in ["c4", "c5", "c6", "d4", "d5", "d6", "e4", "e5"]:
        state = done(state, f"lay {square} river")
    assert codes(state, "lay e6 river") == {"wide"} and codes(state, "lay e6 bridge") == set()
    narrow = begun(on(OPEN, rivers=True, columns=2, rows=4, deployment=1, pieces=2, points=0, airstrips=()))
    assert codes(narrow, "lay a1 river") == {"no-room"}


def test_an_objective_lies_on_the_half_of_who_defends_it() -> None:
    for square, fine in (("c7", True), ("c6", False)):
        setup = on(OPEN, objectives=(Objective("road", "road", "blue", (square,)),))
        assert (not list(faults_of(setup))) == fine


def test_players_choose_airstrips_as_objectives() -> None:
    ridge, river = find("blue-ridge", "combat").setup, find("river-line", "combat").setup
    assert (describe_options(ridge)["airstrips-win"], describe_options(river)["airstrips-win"]) == ("no", "yes")
    won = apply_options(ridge, {"airstrips-win": "yes"})
    assert [(goal.side, goal.squares) for goal in won.objectives] == [(s.side, s.squares) for s in ridge.airstrips]
    assert (
        describe_options(won)["airstrips-win"] == "yes" and apply_options(won, {"airstrips-win": "no"}).objectives == ()
    )
    assert apply_options(river, {"airstrips-win": "yes"}).objectives == river.objectives
