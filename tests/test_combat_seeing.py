"""Photos of Combat's board against its game: moves, doubts, pieces gone and come, the photo as the truth."""

from __future__ import annotations

from typing import Any

import pytest

from geometry.square_layout import SquareLayout
from tabletop import looking, truth
from tabletop.errors import AnswerError, SceneError
from tabletop.game import Game
from tabletop.rulesets.combat.data import BY_LETTER
from tabletop.rulesets.combat.own_table import own_table
from tabletop.rulesets.combat.setup import Setup
from tests.combat_games import OPEN, on, standing_game

SIZE_IN = 2.0
LAID = on(OPEN, layout=SquareLayout(SIZE_IN, (4.0, 4.0)))
PIECES = {"RT1": "f5", "RT2": "e5", "RG1": "c3", "RP1": "a1", "BT1": "f8", "BT2": "a10", "BG1": "g10"}


def base(name: str | None, at: str, dx: float = 0.0, **more: Any) -> dict[str, Any]:
    """A base of an observation in a square, ``dx`` inches to the right of its middle."""
    square = LAID.squares.parse(at)
    center = [4.0 + SIZE_IN * square.col + dx, 4.0 + SIZE_IN * square.row]
    side = None if name is None else "red" if name[0] == "R" else "blue"
    kind = None if name is None else BY_LETTER[name[1]].id
    return {
        "id": f"b-{name or at}", "unit": name, "tag": None, "side": side, "kind": kind, "unique": True,
        "shape": "rect", "width": 1.0, "depth": 1.0, "center": center, "z": 0.0, "facing": 0.0,
        "covariance": [[0.0004, 0.0], [0.0, 0.0004]], "facing_sigma": 1.0, "confidence": 0.99, "method": "tag",
        **more,
    }  # fmt: skip


def photo(places: dict[str, str], *more: dict[str, Any]) -> dict[str, Any]:
    """An observation of pieces in squares."""
    return {
        "version": 1, "units": "inches", "table": {"width": 32.0, "depth": 32.0}, "photos": [], "terrain": [],
        "dice": [], "warnings": [], "questions": [],
        "bases": [*(base(name, at) for name, at in places.items()), *more],
    }  # fmt: skip


def game(pieces: dict[str, str] = PIECES, setup: Setup = LAID, **more: Any) -> Game:
    return standing_game(setup, pieces, **more)


def test_a_photo_of_the_game_as_it_stands_says_nothing() -> None:
    seen = looking.look(game(), photo(PIECES))
    assert seen.found.sync.in_step and not seen.proposals and not seen.questions
    assert len(seen.to_json()["stayed"]) == len(PIECES)


def test_moves_are_proposed_in_an_order_that_is_legal_and_carried_out() -> None:
    began = game()
    seen = looking.look(began, photo({**PIECES, "RT1": "e5", "RT2": "d6", "RG1": "c5"}))
    assert [p.words for p in seen.proposals] == ["move RT2 to d6", "move RG1 to c5", "move RT1 to e5"]
    assert all(p.acceptable for p in seen.proposals)
    done = looking.accept(began, seen)
    assert not done.left and began.state.name(began.state.by_id["RT1"].at) == "e5"
    assert not looking.look(began, photo({**PIECES, "RT1": "e5", "RT2": "d6", "RG1": "c5"})).proposals


def test_what_is_against_the_rules_is_told_with_reasons() -> None:
    seen = looking.look(game(), photo({**PIECES, "RT1": "f9", "BT2": "a9"}))
    codes = {p.unit: {v.code for v in p.violations} for p in seen.proposals}
    assert codes == {"RT1": {"too-far"}, "BT2": {"not-your-turn"}}


def test_no_mine_is_told_by_a_photo() -> None:
    moved = photo({**PIECES, "RT1": "f7", "BG1": "g11"})
    told = [looking.look(game(mines=mines), moved).to_json() for mines in ((), ("f6", "c2", "g11", "f7"))]
    assert told[0] == told[1]


def test_a_base_across_a_side_is_asked_about_and_answered() -> None:
    began = game()
    there = {name: at for name, at in PIECES.items() if name != "RT1"}
    observed = photo(there, base("RT1", "f6", 0.9))
    seen = looking.look(began, observed)
    (question,) = seen.questions
    assert (question["about"], question["board"]) == ("RT1", "combat") and not any(p.acceptable for p in seen.proposals)
    assert {answer["value"] for answer in question["answers"]} == {"f6", "g6"}
    settled = looking.answered(seen.observed or {}, question, "g6")
    again = looking.look(began, settled)
    assert not again.questions and [p.words for p in again.proposals] == ["move RT1 to g6"]
    with pytest.raises(AnswerError, match="Possible are"):
        looking.answered(seen.observed or {}, question, "the moon")


def test_bases_without_a_name_are_named_with_one_tap() -> None:
    began = game()
    there = {name: at for name, at in PIECES.items() if name not in ("RT1", "BG1")}
    seen = looking.look(began, photo(there, base(None, "f6"), base(None, "g10")))
    asked = {question["about"]: question for question in seen.questions}
    assert [asked[name]["answers"][0]["value"] for name in ("b-f6", "b-g10")] == ["RT1", "BG1"]
    named = looking.answered(seen.observed or {}, asked["b-f6"], "RT1")
    again = looking.look(began, named)
    assert "move RT1 to f6" in [p.words for p in again.proposals]


def test_pieces_that_are_gone_are_asked_about() -> None:
    seen = looking.look(game(), photo({name: at for name, at in PIECES.items() if name != "BT1"}))
    (gone,) = seen.proposals
    assert gone.words.startswith("correct BT1 off") and gone.question.endswith("lost, or just lifted?")


def test_several_pieces_too_far_make_a_photo_out_of_step_and_it_may_be_the_truth() -> None:
    began = game()
    far = {**PIECES, "RT1": "l12", "RT2": "l11", "RG1": "c3"}
    seen = looking.look(began, photo(far))
    assert not seen.found.sync.in_step and "RT1, RT2 are more than" in seen.found.sync.says
    assert truth.put_right(began, seen) and began.state.name(began.state.by_id["RT1"].at) == "l12"
    assert looking.look(began, photo(far)).found.sync.in_step


def test_pieces_that_change_places_are_put_right_as_far_as_that_can_be() -> None:
    began = game()
    seen = looking.look(began, photo({**PIECES, "RT1": "e5", "RT2": "e6"}))
    truth.put_right(began, seen)
    assert [began.state.name(began.state.by_id[name].at) for name in ("RT1", "RT2")] == ["e5", "e6"]


def test_nothing_is_compared_while_armies_deploy() -> None:
    from tabletop.rulesets.combat.play import RULES

    began = Game.new(RULES, LAID)
    seen = looking.look(began, photo(PIECES))
    assert not seen.proposals and "deploy in secret" in seen.found.warnings[0] and not truth.corrections(began, seen)


def test_a_board_that_lies_nowhere_is_refused() -> None:
    with pytest.raises(SceneError, match="where the board lies"):
        looking.look(game(setup=OPEN), photo(PIECES))


def test_the_game_has_a_table_file_of_its_own() -> None:
    table, _ = own_table(game().state, 0.12)
    units = {unit.id for unit in table.units}
    assert {*PIECES} <= units and table.overlay is not None and table.overlay.grid == "square"
