"""One look at a table and what is carried out of it: ids, questions and their answers, dice, chosen proposals."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tabletop.errors import AnswerError, SceneError
from tabletop.game import Game
from tabletop.game.errors import ActionError, IllegalError
from tabletop.game.records import SEEN
from tabletop.questions.settling import settle
from tabletop.reconcile.comparison import PhotoComparison, PhotoDie, accept, keep_answer, look
from tabletop.reconcile.photo_overrides import corrections
from tabletop.rulesets.one_hour_ww2.play import RULES
from tabletop.starting.scenarios import find
from tests.support.observed_rows import base_row, observation
from tests.support.one_hour_games import a_unit, begun, do
from tests.support.photo_games import observed, of_another_table, sequence_begun, sequence_setup


def sequence() -> Game:
    """A game that began with the first photo of the sequence; blue acts."""
    return sequence_begun(Game.new(RULES, sequence_setup()))


def proposed(seen: PhotoComparison, unit: str | None, what: str) -> str:
    """The id of the one proposal of that unit and kind."""
    (found,) = [one.id for one in seen.listed if (one.proposal.unit, one.proposal.what) == (unit, what)]
    return found


def test_a_look_is_plain_json_with_ids_that_stay() -> None:
    game = sequence()
    first, again = (look(game, observed(2), photo="ab" * 32) for _ in range(2))
    told = first.to_json()
    assert json.loads(json.dumps(told, allow_nan=False)) == told == again.to_json()
    ids = [one["id"] for one in told["proposals"]]
    assert len(set(ids)) == len(ids) == 8
    assert told["seq"] == game.seq and told["photo"] == "ab" * 32 and told["sync"]["state"] == "in step"
    later = game.trial()
    later.note("a word between", actor="blue")
    assert [one.id for one in look(later, observed(2)).listed] == ids
    moved = {one["unit"]: one for one in told["proposals"] if one["what"] == "moved"}
    assert moved["b1"]["side"] == "blue" and moved["b1"]["needs"] == {"count": 2, "faces": [2, 3, 3, 4, 4, 5]}
    assert moved["b1"]["answers"][0]["action"] == "move b1" and moved["b1"]["answers"][1]["action"] == ""


def test_a_question_without_an_action_offers_those_that_are_legal() -> None:
    game = sequence()
    (fired,) = [one for one in look(game, observed(2)).listed if one.proposal.what == "fired"]
    offered = [answer.words for answer in fired.answers]
    assert offered[-1] == "" and len(offered) > 2
    legal = {option.text for option in game.legal_actions if option.kind == "fire" and option.unit == "b1"}
    assert set(offered[:-1]) == legal
    assert [None if a.action is None else game.ruleset.text(game.parse(a.action)) for a in fired.answers] == [
        *offered[:-1], None
    ]  # fmt: skip


def test_dice_are_told_with_what_they_show_and_count() -> None:
    given = observed(2)
    for n, die in enumerate(given["dice"], 1):
        die["id"] = f"d{n}"
    (hits,) = [marker for marker in given["markers"] if marker["unit"] == "b3"]
    hits["dice"] = ["d3"]
    given["questions"] = [
        {
            "id": "q1",
            "about": "d4",
            "ask": "value",
            "says": "What does it show?",
            "answers": [{"value": 5, "chance": 0.6, "says": "5"}, {"value": 2, "chance": 0.4, "says": "2"}],
            "covers": [["d4"]],
            "others": [1, 3, 4, 6],
            "after": None,
        }
    ]
    game = sequence()
    dice = {die.id: die for die in look(game, given).dice}
    assert (dice["d4"].value, dice["d4"].question) == (None, "q1")
    folded = {**given, "questions": [], "further_questions": given["questions"]}
    assert [die.question for die in look(game, folded).dice] == [die.question for die in look(game, given).dice]
    assert replace(dice["d3"], center=(0.0, 0.0)) == PhotoDie("d3", 2, 0.871, (0.0, 0.0), None, "b3")
    answered = look(game, given, answers={"q1": 5})
    (die,) = [die for die in answered.dice if die.id == "d4"]
    assert (die.value, die.question, answered.questions) == (5, None, ())
    assert answered.observed is not None
    assert look(game, answered.observed).dice == answered.dice, "answers stay with the observation"


PAIR = (
    a_unit("B1", "blue", "infantry", 6, 6, bases=3),
    a_unit("B2", "blue", "infantry", 20, 6, bases=3),
    a_unit("R1", "red", "tank", 10, 30, 180, bases=3),
)


def photo_of(game: Game, moved: dict[str, tuple[float, float]], *, nameless: tuple[str, ...] = ()) -> dict[str, Any]:
    """An observation of a game's units after some moved; those nameless have bases without a unit."""
    rows, shape = [], {"shape": "rect", "width": 1.6, "depth": 1.0}
    for unit in game.state.units:
        if unit.id not in moved and unit.id in nameless:
            continue
        for i, base in enumerate(unit.bases):
            center = np.add(base.center[0], moved.get(unit.id, (0, 0)))
            known = {"unit": unit.id, "kind": unit.kind, "unique": i == unit.unique} if unit.id not in nameless else {}
            size = {"width": float(base.width[0]), "depth": float(base.depth[0]), "facing": float(base.facing[0])}
            rows.append(base_row(f"base{len(rows) + 1}", center, side=unit.side, sigma=0.01, **size, **known))
    roster = [
        {"id": u.id, "side": u.side, "kind": u.kind, "bases": len(u.bases), "base": shape, "unique_base": shape}
        for u in game.state.units
    ]
    return observation(*rows, size=(game.state.scene.width, game.state.scene.depth), roster=roster)


def test_the_game_makes_a_photo_ask_whose_bases_they_are_and_answers_stay() -> None:
    """Two alike units without tags that both moved: either may be either."""
    game = begun(*PAIR)
    do(game, "end")
    given = photo_of(game, {"B1": (4, 6), "B2": (-1, 6)}, nameless=("B1", "B2"))
    asked = look(game, given)
    (question,) = asked.questions
    assert question["ask"] == "units" and question["id"] == "p1"
    assert {tuple(one["value"]) for one in question["answers"]} == {("B1", "B2"), ("B2", "B1")}
    answered = look(game, asked.observed, answers={"p1": ["B1", "B2"]})
    assert answered.questions == ()
    assert {one.proposal.unit for one in answered.listed if one.proposal.what == "moved"} == {"B1", "B2"}
    assert look(game, answered.observed).to_json() == answered.to_json()
    assert look(game, keep_answer(given, question, ["B1", "B2"])).listed == answered.listed, "as a server keeps it"
    with pytest.raises(AnswerError, match="can't be answered"):
        keep_answer(given, question, ["B1", "R9"])
    die = {
        "id": "p1",
        "about": "d1",
        "ask": "value",
        "says": "?",
        "answers": [{"value": 5, "chance": 1, "says": "5"}],
        "covers": [["d1"]],
    }
    dice = {"dice": [{"id": "d1", "value": None, "center": [1.0, 1.0], "confidence": 0.5}], "further_questions": [die]}
    other = look(game, settle({**given, **dice}, {"p1": 5}))
    both = look(game, other.observed, answers={other.questions[0]["id"]: ["B1", "B2"]})
    assert both.dice[0].value == 5 and both.listed == answered.listed, "an answered folded question keeps its id"
    changed = look(game, answered.observed, answers={"p1": ["B2", "B1"]})
    places = {one["unit"]: one["after"] for one in changed.to_json()["changes"]}
    before = {one["unit"]: one["after"] for one in answered.to_json()["changes"]}
    assert places["B1"] == before["B2"] and places["B2"] == before["B1"]


def test_a_unit_that_is_not_seen_is_gone_or_hidden_as_the_players_say() -> None:
    game = begun(*PAIR)
    do(game, "end")
    given = photo_of(game, {})
    given["bases"] = [base for base in given["bases"] if base["unit"] != "R1"]
    asked = look(game, given)
    (question,) = asked.questions
    assert question["ask"] == "presence" and not asked.proposals[0].acceptable
    hidden = look(game, asked.observed, answers={question["id"]: "hidden"})
    assert hidden.listed == () and hidden.questions == ()
    off = look(game, asked.observed, answers={question["id"]: "off"})
    assert [one.proposal.acceptable for one in off.listed] == [True] and off.questions == ()
    accept(game, off)
    assert game.state.unit("R1") is None
    assert game.records[-1].kind == SEEN and game.records[-1].body["observation"] == off.observed


def test_units_out_of_sight_are_asked_about_one_by_one() -> None:
    """The photo asks where two are at once; the game knows that they were there, and each may be elsewhere."""
    game = begun(*PAIR)
    do(game, "end")
    given = photo_of(game, {})
    given["bases"] = [base for base in given["bases"] if base["unit"] == "B1"]
    answers = [{"value": "off", "chance": 0.5, "says": "off"}, {"value": "hidden", "chance": 0.5, "says": "hidden"}]
    given["questions"] = [
        {"id": "q1", "about": "B2", "ask": "presence", "says": "Where are B2 and R1?", "answers": answers,
         "covers": [["B2", "R1"]], "others": [], "after": None}
    ]  # fmt: skip
    asked = look(game, given)
    assert [(q["ask"], q["covers"]) for q in asked.questions] == [("presence", [["B2"]]), ("presence", [["R1"]])]
    first, second = (q["id"] for q in asked.questions)
    told = look(game, asked.observed, answers={first: "hidden", second: "off"})
    assert [(p.unit, p.acceptable) for p in told.proposals] == [("R1", True)] and told.questions == ()


def test_answers_that_can_not_be_are_refused() -> None:
    game = sequence()
    with pytest.raises(AnswerError, match="no question q9"):
        look(game, observed(2), answers={"q9": 1})
    scene = {"version": 1, "rules": "one-hour-ww2", "table": {"width": 36, "depth": 36}, "units": []}
    with pytest.raises(AnswerError, match="not an observation"):
        look(game, scene, answers={"q1": 1})
    with pytest.raises(SceneError, match="36"):
        look(game, observed(2) | {"table": {"width": 24, "depth": 24}})


def test_one_proposal_is_chosen_with_its_dice_and_the_unit_put_down() -> None:
    game = sequence()
    seen = look(game, observed(2), photo="ab" * 32)
    chosen = proposed(seen, "b1", "moved")
    done = accept(game, seen, [chosen], dice={chosen: (4, 5)})
    assert [record.kind for record in done.records] == ["move-rolled", "moved", "seen"]
    assert {record.photo for record in done.records} == {"ab" * 32} and done.left == ()
    assert [(one.by, one.violation.code) for one in done.lifted] == [("photo", "overlap")]
    assert game.state.pending is None and game.state.unit("b1").moved
    assert not [one for one in look(game, observed(2)).proposals if one.unit == "b1" and one.what == "moved"]


def test_dice_that_do_not_suffice_leave_the_unit_to_be_put_down() -> None:
    game = sequence()
    seen = look(game, observed(2))
    chosen = proposed(seen, "b1", "moved")
    done = accept(game, seen, [chosen], dice={chosen: (2, 3)})
    assert [record.kind for record in done.records] == ["move-rolled", "seen"]
    left = {one.proposal.unit: one.proposal for one in look(game, observed(2)).listed if one.proposal.what == "moved"}
    assert "too-far" in {v.code for v in left["b1"].violations}


def test_what_can_not_be_is_refused_and_nothing_done() -> None:
    game = sequence()
    seen, before = look(game, observed(2)), game.records
    with pytest.raises(AnswerError, match="proposes no b1-flew"):
        accept(game, seen, ["b1-flew"])
    with pytest.raises(IllegalError, match="phasing side"):
        accept(game, seen, [proposed(seen, "r6", "moved")], dice={proposed(seen, "r6", "moved"): (3, 3, 3)})
    with pytest.raises(ActionError, match="needed"):
        accept(game, seen, [proposed(seen, "b1", "moved")])
    assert accept(game, seen, [proposed(seen, "b1", "fired")]).left == (proposed(seen, "b1", "fired"),)
    assert game.records == before


def test_what_is_illegal_is_left_beside_what_is_not() -> None:
    game = sequence()
    seen = look(game, observed(2))
    chosen = [proposed(seen, "r6", "moved"), proposed(seen, "b3", "hits"), proposed(seen, "b1", "fired")]
    done = accept(game, seen, chosen, dice={chosen[0]: (3, 3, 3)})
    assert [record.kind for record in done.records] == ["corrected", "seen"]
    assert set(done.left) == {chosen[0], chosen[2]}


EDGES = [{"value": edge, "chance": 0.25, "says": edge} for edge in ("near", "left", "far", "right")]
TURN = {"id": "q9", "about": "table", "ask": "turn", "says": "Which edge?", "answers": EDGES, "covers": [[]]}


def test_a_photo_that_may_be_turned_follows_the_units_or_proposes_nothing() -> None:
    game, empty = begun(*PAIR), begun(*PAIR[2:])
    turned = settle({**photo_of(game, {"B1": (10, 10)}), "questions": [TURN]}, {"q9": "right"})
    seen = {**{key: value for key, value in turned.items() if key not in ("settled", "as_seen")}, "questions": [TURN]}
    for found in (look(game, seen, by_units=False), look(empty, seen)):
        (only,) = found.listed
        assert only.proposal.action is None and "Until that is answered" in only.proposal.question
        assert corrections(game, found)[0].proposal.action is None and accept(game, found).records == ()
    for found in (look(game, seen), look(empty, seen, answers={"q9": "left"})):
        (tank,) = [base for base in (found.observed or {})["bases"] if base["id"] == "base7"]
        assert tank["center"] == pytest.approx([10.0, 30.0]) and not found.questions[1:]


def test_before_the_first_photo_deployment_zones_show_the_near_edge() -> None:
    game = Game.new(RULES, find("flank-attack").setup)
    column = [base_row(f"base{y}", (12, y), width=1.75, depth=2.5) for y in range(3, 19, 2)]
    turned = settle(observation(*column, questions=[TURN]), {"q9": "left"})
    seen = {**observation(*turned["bases"]), "questions": [TURN]}
    found = look(game, seen)
    assert [(one["value"], one["by"]) for one in (found.observed or {})["settled"]] == [("right", "game")]
    assert look(game, {**seen, "bases": seen["bases"][:5]}).questions, "too few bases to be sure"


def test_a_photo_of_another_table_is_told_before_its_near_edge_is_asked() -> None:
    game, seen = Game.new(RULES, find("flank-attack").setup), of_another_table()
    corner = [{**base, "center": [1 + 0.05 * k, 2]} for k, base in enumerate(seen["bases"])]  # any way round
    photo = {**seen, "bases": corner, "questions": [TURN]}
    (asked,) = look(game, photo).questions
    assert asked["ask"] == "table" and corrections(game, look(game, photo)) == look(game, photo).listed == ()
    used = look(game, photo, answers={asked["id"]: "this"})
    assert [one["ask"] for one in used.questions] == ["turn"] and used.proposals[0].action is None
