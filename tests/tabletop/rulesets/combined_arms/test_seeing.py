"""Photos of the hex board against the game: moves in a legal order, what is illegal, what is asked, what is hidden."""

import random
from dataclasses import replace
from typing import Any

import pytest

from geometry.hex_layout import HexLayout
from tabletop.errors import AnswerError, SceneError
from tabletop.game import Game
from tabletop.game.errors import IllegalError
from tabletop.reconcile.comparison import PhotoComparison, accept, keep_answer, look
from tabletop.rulesets.combined_arms import actions, moving
from tabletop.rulesets.combined_arms.board import NAMES, NUMBER
from tabletop.rulesets.combined_arms.play import RULES
from tabletop.rulesets.combined_arms.setup import Setup
from tabletop.rulesets.combined_arms.state import Secret
from tests.support.combined_arms_photos import LAID, base, photo_of
from tests.support.combined_arms_tables import do, game_at
from tests.support.ruleset_contract import counted_ids, quiet_clock

ENEMY = {"7-4": "potential", "8-3": "", "6-6": "real"}


def seen(game: Game, data: dict[str, Any], **more: Any) -> PhotoComparison:
    return look(game, data, board=LAID, **more)


def words(found: PhotoComparison) -> list[str]:
    return [one.proposal.words for one in found.listed]


def asked(found: PhotoComparison) -> list[str]:
    return [one.proposal.question for one in found.listed if one.proposal.question]


def a_phase(game: Game, rng: random.Random) -> tuple[Game, dict[str, str]]:
    """The game after a move phase with random legal moves, in a random order, and where they led."""
    after, moved = game.trial(), {}
    units = [p for p in game.state.platoons if p.fate in ("waiting", "board")]
    for unit in rng.sample(units, len(units)):
        ways = [way for way in moving.ways(after.state, after.state.by_id[unit.id]) if not way.leaves]
        if not ways or rng.random() < 0.3:
            continue
        way = rng.choice(ways)
        facing = rng.choice(way.facings) if way.facings else None
        after.push(actions.Move(unit.id, tuple(NAMES[n] for n in way.hexes), facing))
        there = after.state.by_id[unit.id]
        moved[unit.id] = NAMES[there.at] if there.facing is None else f"{NAMES[there.at]} {there.facing}"
    return after, moved


def test_a_whole_move_phase_photographed_at_once_gives_its_moves() -> None:
    """Of whole games: every phase's moves are found, in an order that the rules allow, and lead to the same state."""
    rng = random.Random(0)
    game = Game.new(RULES, Setup(), clock=quiet_clock, ids=counted_ids())
    phases = 0
    for _ in range(90):
        if game.outcome is not None:
            break
        if game.state.step == "move" and not game.state.any_moved:
            after, moved = a_phase(game, rng)
            played = game.trial()
            found = seen(played, photo_of(game, moved))
            assert all(one.proposal.acceptable for one in found.listed) and not found.questions
            accept(played, found)
            assert played.state.platoons == after.state.platoons
            assert seen(played, photo_of(game, moved)).listed == ()
            phases += 1
        action = next(one for one in RULES.bot_actions(game.state, rng) if not game.check(one))
        game.push(action, rng=rng)
    assert phases >= 2


def test_platoons_make_room_for_one_another() -> None:
    """D1 goes where E1 was, E1 where F1 was, and F1 on: each needs the other to have gone first."""
    game = game_at({"D1": "3-3", "E1": "4-4", "F1": "5-5"}, ENEMY)
    found = seen(game, photo_of(game, {"D1": "4-4", "E1": "5-5", "F1": "6-5"}))
    assert words(found) == ["move F1 to 6-5", "move E1 to 5-5", "move D1 to 4-4"]
    assert all(one.proposal.acceptable for one in found.listed)
    (last,) = [one.id for one in found.listed if one.proposal.unit == "D1"]
    with pytest.raises(IllegalError, match="E1 of E company is in 4-4"):
        accept(game.trial(), found, [last])
    told = found.listed[0].to_json()
    assert told["told"] == "F1 moved from 5-5 to 6-5" and told["side"] == "attacker"
    assert told["numbers"] == {"hexes": 1.0} and told["needs"] == {"count": 0, "faces": []}


def test_what_no_order_allows_is_told_with_the_rules_place() -> None:
    """Two companies that changed hexes: neither could go first."""
    game = game_at({"D1": "3-3", "E1": "4-4"}, ENEMY)
    found = seen(game, photo_of(game, {"D1": "4-4", "E1": "3-3"}))
    told = {one.proposal.unit: one.proposal for one in found.listed}
    assert {v.code for p in told.values() for v in p.violations} == {"other-company"}
    assert all(v.place == "Movement" for p in told.values() for v in p.violations)
    assert accept(game, found).records == ()


@pytest.mark.parametrize(
    ("start", "end", "codes"),
    [
        ({"D1": "3-3"}, {"D1": "5-5"}, {"too-far"}),
        ({"D1": "3-3"}, {"D1": "7-3"}, {"too-far"}),
        ({"M1": "3-3"}, {"M1": "4-4"}, {"mmg"}),
        ({"D1": "4-2"}, {"D1": "4-1"}, {"side-edge"}),
        ({"A1": "3-3 0"}, {"A1": "4-3 2"}, {"facing"}),
        ({"D1": "3-3 spent"}, {"D1": "4-4"}, {"spent"}),
    ],
)
def test_what_is_illegal_is_seen_and_lifted_by_the_referee_alone(
    start: dict[str, str], end: dict[str, str], codes: set[str]
) -> None:
    game = game_at(start, ENEMY)
    found = seen(game, photo_of(game, end))
    (only,) = [one.proposal for one in found.listed]
    assert only.certain and not only.acceptable and not only.question
    assert {v.code for v in only.violations} >= codes and all(v.place for v in only.violations)
    assert accept(game, found).records == ()
    done = accept(game, found, overrule=True)
    assert {one.by for one in done.lifted} == {"referee"}
    (unit,) = [p for p in game.state.platoons if p.id in start]
    assert f"{NAMES[unit.at]} {unit.facing}".startswith(next(iter(end.values())).split()[0])


def test_platoons_come_on_by_the_rear_edge() -> None:
    game = game_at({}, ENEMY, only=False)
    found = seen(game, photo_of(game, {"D1": "1-3", "A1": "1-4 5", "E1": "2-2"}))
    told = {one.proposal.unit: one.proposal for one in found.listed}
    assert told["D1"].words == "move D1 to 1-3" and told["A1"].words == "move A1 to 1-4 facing 5"
    assert told["D1"].acceptable and told["A1"].acceptable and told["D1"].what == "entered"
    assert [v.code for v in told["E1"].violations] == ["not-rear"]
    assert {one["change"] for one in found.to_json()["changes"]} == {"new"}


def test_armour_turns_on_the_spot_in_the_fire_phase() -> None:
    game = game_at({"A1": "3-3 0", "D1": "3-3"}, ENEMY)
    early = seen(game, photo_of(game, {"A1": "3-3 2"}))
    (question,) = asked(early)
    assert "in the friendly fire phase only. [" in question and question.endswith("turn it back, or let it stand?")
    assert accept(game.trial(), early).records == ()
    corrected = game.trial()
    accept(corrected, early, [early.listed[0].id])
    assert corrected.state.by_id["A1"].facing == 2
    do(game, "end")
    found = seen(game, photo_of(game, {"A1": "3-3 2"}))
    assert words(found) == ["face A1 2"] and found.listed[0].proposal.acceptable
    assert found.listed[0].proposal.told == "A1 turned to corner 2 (lower right)"
    accept(game, found)
    assert game.state.by_id["A1"].facing == 2


def across(game: Game, unit: str, at: str, dx: float, dy: float = 0.0, **more: Any) -> dict[str, Any]:
    """A photo of a game in which one platoon stands so far from the middle of a hex."""
    kind = game.state.by_id[unit].kind
    return photo_of(game, gone=(unit,), extra=(base(unit, kind, at, dx, dy, **more),))


def test_a_platoon_across_a_side_is_asked_about_with_ranked_answers() -> None:
    game = game_at({"D1": "3-4"}, ENEMY)
    found = seen(game, across(game, "D1", "4-4", 1.5))
    (question,) = found.questions
    assert question["id"] == "D1" and question["ask"] == "hex"
    assert [answer["value"] for answer in question["answers"]] == ["4-4", "4-5"]
    chances = [answer["chance"] for answer in question["answers"]]
    assert chances == sorted(chances, reverse=True) and sum(chances) == pytest.approx(1.0, abs=0.01)
    assert not [one for one in found.listed if one.proposal.action is not None]
    assert accept(game, found).records == ()
    answered = seen(game, found.observed, answers={"D1": "4-5"})
    assert answered.questions == () and words(answered) == ["move D1 to 4-5"]
    assert words(seen(game, answered.observed)) == ["move D1 to 4-5"], "answers stay with the observation"
    (settled,) = answered.to_json()["settled"]
    assert (settled["about"], settled["value"], settled["by"]) == ("D1", "4-5", "player")
    with pytest.raises(AnswerError):
        seen(game, found.observed, answers={"D1": "no hex"})
    kept = keep_answer(found.observed, question, "4-5")
    assert words(seen(game, kept)) == ["move D1 to 4-5"]
    assert words(seen(game, keep_answer(kept, question, "4-4"))) == ["move D1 to 4-4"]
    with pytest.raises(AnswerError, match="Possible are 4-4, 4-5"):
        keep_answer(found.observed, question, "4-99")


def test_a_base_without_a_name_is_asked_about_and_then_moves() -> None:
    game = game_at({"D1": "3-4", "D2": "3-6"}, ENEMY)
    data = photo_of(game, gone=("D1", "D2"), extra=(base(None, None, "4-5", id="b7"), base(None, None, "4-7", id="b8")))
    found = seen(game, data)
    assert [q["id"] for q in found.questions] == ["b7", "b8"]
    named = seen(game, found.observed, answers={"b7": "D1", "b8": "D2"})
    assert set(words(named)) == {"move D1 to 4-5", "move D2 to 4-7"} and named.questions == ()


def test_a_hex_that_no_move_reaches_is_not_asked_about() -> None:
    """D1 of 3-4 can go to 4-4 and not to 4-3, so a base across their side stands in 4-4."""
    game = game_at({"D1": "3-4"}, ENEMY)
    found = seen(game, across(game, "D1", "4-4", -1.45))
    assert found.questions == () and words(found) == ["move D1 to 4-4"]
    far = game_at({"D1": "3-8"}, ENEMY)
    assert len(seen(far, across(far, "D1", "4-4", -1.45)).questions) == 1, "neither can be reached: asked after all"


def test_a_facing_between_two_corners_is_asked_where_both_may_be() -> None:
    game = game_at({"A1": "3-3 0"}, ENEMY)
    moved = photo_of(game, gone=("A1",), extra=(base("A1", "armour", "4-4", facing=29.0),))
    found = seen(game, moved)
    (question,) = found.questions
    assert question["id"] == "A1 facing" and {a["value"] for a in question["answers"]} >= {0, 1}
    answered = seen(game, found.observed, answers={"A1 facing": 1})
    assert words(answered) == ["move A1 to 4-4 facing 1"] and answered.listed[0].proposal.acceptable
    still = photo_of(game, gone=("A1",), extra=(base("A1", "armour", "3-3", facing=25.0),))
    assert seen(game, still).listed == () == seen(game, still).questions, "it can't turn where it stands"
    do(game, "end")
    assert [q["id"] for q in seen(game, still).questions] == ["A1 facing"], "in the fire phase it can"


def test_a_platoon_that_is_gone_is_asked_about() -> None:
    game = game_at({"D1": "1-3", "D2": "9-4", "E1": "4-4"}, {})
    found = seen(game, photo_of(game, gone=("D1", "D2", "E1")))
    told = {one.proposal.unit: one for one in found.listed}
    assert told["D1"].proposal.words == "leave D1" and "withdraw" in told["D1"].proposal.question
    assert told["D2"].proposal.words == "leave D2" and "exploit" in told["D2"].proposal.question
    assert told["E1"].proposal.words == "correct E1 off because not on the table"
    assert accept(game, found).records == (), "nothing of it is certain"
    accept(game, found, [told["D2"].id])
    assert game.state.by_id["D2"].fate == "exploited" and game.state.by_id["D1"].at == NUMBER["1-3"]


def test_one_that_is_gone_for_good_is_put_back_only_when_told() -> None:
    game = game_at({"D1": "3-3"}, ENEMY)
    found = seen(game, photo_of(game, {"D2": "2-3", "A1": "2-4 1"}))
    told = {one.proposal.unit: one for one in found.listed}
    assert accept(game, found).records == ()
    accept(game, found, [told["A1"].id])
    assert (game.state.by_id["A1"].at, game.state.by_id["A1"].facing) == (NUMBER["2-4"], 1)


def test_spent_markers_are_compared() -> None:
    game = game_at({"D1": "3-3", "D2": "3-4 spent", "E1": "4-5"}, ENEMY)
    marker = {"id": "m1", "unit": "D1", "means": "moved", "center": [1.0, 1.0], "confidence": 0.9}
    found = seen(game, photo_of(game, markers=[marker]))
    told = {one.proposal.unit: one.proposal for one in found.listed}
    assert told["D1"].words == "correct D1 fresh no because its marker"
    assert told["D2"].words == "correct D2 fresh yes because no marker" and "E1" not in told
    assert seen(game, photo_of(game)).listed == (), "where no markers are laid none is missed"
    moved = seen(game, photo_of(game, {"D1": "4-3"}, markers=[marker]))
    assert words(moved)[0] == "move D1 to 4-3" and "D1" not in {p.unit for p in moved.proposals[1:]}
    do(game, "end")
    (fired,) = [one for one in seen(game, photo_of(game, markers=[marker])).listed if one.proposal.what == "fired"]
    assert {answer.action["kind"] for answer in fired.answers if answer.action is not None} <= {"fire"}


def test_counters_are_asked_about_where_the_table_shows_them_otherwise() -> None:
    game = game_at({"D1": "3-3"}, ENEMY)
    assert seen(game, photo_of(game, counters=True)).listed == ()
    assert seen(game, photo_of(game)).listed == (), "players without pieces for them are asked nothing"
    data = photo_of(game, counters=True)
    data["bases"] = [row for row in data["bases"] if row["kind"] != "potential-atg"]
    (kept,) = [row for row in data["bases"] if row["kind"] == "platoon"]
    kept["kind"] = "counter"
    data["bases"].append(base("counter-9", "counter", "5-5"))
    told = asked(seen(game, data))
    assert any("6-6 lies there as potential" in text for text in told)
    assert any("lie with the platoon in 7-4, and the log has potential" in text for text in told)
    assert any("A counter of the defenders lies in 5-5" in text for text in told)
    assert len(told) == 3


def test_nothing_hidden_is_told() -> None:
    """Two games that differ only in what the enemy's player knows see the same photo alike."""
    game = game_at({"D1": "3-3", "A1": "2-4 0"}, ENEMY)
    setup = replace(game.state.setup, mode="enemy-player")
    real = Secret(2, 1, frozenset({NUMBER["7-4"]}), frozenset({NUMBER["7-4"]}))
    other = Secret(1, 0, frozenset({NUMBER["8-3"]}))
    told = []
    for secret in (real, other):
        state = replace(game.state, setup=setup, secret=secret)
        hidden = game.trial()
        hidden._states[-1] = (hidden._states[-1][0], state)
        data = photo_of(game, {"D1": "4-4"}, counters=True)
        data["bases"] += [base("platoon-9", "platoon", "7-4", 0.5), base("counter-9", "counter", "5-5")]
        told.append(seen(hidden, data).to_json())
    assert told[0] == told[1]
    assert not any("real" in one["action"] for one in told[0]["proposals"])


def laid_out(game: Game) -> Game:
    """The same game that knows where its board lies."""
    grid = LAID.layout
    layout = HexLayout(grid.size_in, (grid.origin[0], grid.origin[1]), grid.rotation_deg)
    return Game.new(RULES, replace(game.state.setup, layout=layout), clock=quiet_clock, ids=counted_ids())


def test_the_board_lies_where_it_is_said_or_where_the_game_has_it() -> None:
    game = game_at({"D1": "3-3"}, ENEMY)
    data = photo_of(game, {"D1": "4-4"})
    with pytest.raises(SceneError, match="tapping two of them"):
        look(game, data)
    assert words(look(laid_out(game), data)) == words(seen(game, data)) == ["move D1 to 4-4"]
