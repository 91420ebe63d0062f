"""Photos of a chessboard against the game: moves in a legal order, what is illegal, asked, or put right."""

import random
from collections.abc import Mapping
from typing import Any

from geometry.square_layout import SquareLayout
from tabletop.game import Game
from tabletop.reconcile.comparison import accept, keep_answer, look
from tabletop.rulesets.ww2_combined_arms.board import OFF
from tabletop.rulesets.ww2_combined_arms.options import legal
from tabletop.rulesets.ww2_combined_arms.play import RULES
from tabletop.rulesets.ww2_combined_arms.seen_moves import plan_moves
from tabletop.rulesets.ww2_combined_arms.setup import Limits, Setup
from tabletop.rulesets.ww2_combined_arms.state import State
from tests.support.observed_bases import observation, seen_base
from tests.support.ww2_combined_arms_games import after, crowded, placed, small_setup, standing

LAYOUT = SquareLayout(2.0, (5.0, 4.0), 3.0)
UNITS = "R9 hq a1, R1 light-tanks c3, R2 general d3, R3 howitzers d2, B9 hq h8, B1 general e6, B2 at-guns f6"


def game(units: str = UNITS, *lines: str, **more: Any) -> Game:
    """A game whose board lies on a table, after some actions."""
    state = standing(units, layout=LAYOUT, **more)
    found = Game.new(RULES, state.setup)
    for line in lines:
        found.push(found.parse(line))
    return found


def photo(
    state: State,
    moved: Mapping[str, str] | None = None,
    *,
    gone: tuple[str, ...] = (),
    off: Mapping[str, tuple[float, float]] | None = None,
) -> dict[str, Any]:
    """What a photo shows of a game once units ``moved``, some are ``gone``, and some stand so many inches ``off`` their
    square's middle."""
    rows = []
    for unit in state.units:
        name = (moved or {}).get(unit.id, "" if unit.at == OFF else state.grid.names[unit.at])
        if not name or unit.id in gone:
            continue
        x, y = LAYOUT.centres([state.grid.board.parse(name)])[0]
        dx, dy = (off or {}).get(unit.id, (0.1, -0.1))
        rows.append(seen_base(unit.id, (x + dx, y + dy), side=unit.side, kind=unit.kind))
    return observation(rows, 26.0, 26.0)


def test_moves_are_proposed_in_an_order_that_is_legal_and_accepted_at_once() -> None:
    playing = game()
    seen = look(playing, photo(playing.state, {"R2": "d4", "R3": "d3", "R1": "e5"}))
    assert {p.words for p in seen.proposals} == {"move R2 to d4", "move R3 to d3", "move R1 to e5"}
    done = accept(playing, seen)
    assert len(done.records) == 4 and not done.left
    assert {u.id: playing.state.grid.names[u.at] for u in playing.state.units if u.moved} == {
        "R1": "e5", "R2": "d4", "R3": "d3",
    }  # fmt: skip


def test_what_the_rules_forbid_is_told_with_its_reason() -> None:
    playing = game()
    seen = look(playing, photo(playing.state, {"R2": "d5"}))
    (one,) = seen.proposals
    assert [v.code for v in one.violations] == ["too-far"] and not one.acceptable
    accept(playing, seen, [seen.listed[0].id], overrule=True, reason="agreed")
    assert playing.state.by_id["R2"].moved


def test_a_retreat_is_read_off_the_board() -> None:
    guns = "R9 hq a1, R1 howitzers c4, R2 howitzers d4, R3 howitzers e4, B9 hq h8, B1 light-tanks d6"
    playing = game(guns, "end", "attack R1 at B1", "attack R2 at B1", "attack R3 at B1")
    seen = look(playing, photo(playing.state, {"B1": "e7"}))
    assert [(p.words, p.acceptable) for p in seen.proposals] == [("retreat B1 to e7", True)]
    accept(playing, seen)
    assert playing.state.pressed == ""


def test_an_enemy_one_step_back_asks_who_attacked_it() -> None:
    playing = game(UNITS, "end")
    seen = look(playing, photo(playing.state, {"B1": "e7"}))
    (one,) = seen.proposals
    assert one.action is None and "which units attacked it?" in one.question


def test_an_enemy_that_moved_in_the_wrong_turn_is_asked_about() -> None:
    playing = game()
    (one,) = look(playing, photo(playing.state, {"B1": "e7"})).proposals
    assert one.words.startswith("correct B1 to e7") and "is on e6 by the log" in one.question


def test_a_unit_across_a_side_is_asked_about_but_one_that_never_moves() -> None:
    playing = game()
    seen = look(playing, photo(playing.state, off={"R2": (0.95, 0.0)}))
    (question,) = seen.questions
    assert (question["about"], question["ask"], question["board"]) == ("R2", "square", "ww2-combined-arms")
    again = look(playing, keep_answer(seen.observed or {}, question, "e3"))
    assert not again.questions and [p.words for p in again.proposals] == ["move R2 to e3"]
    assert not look(playing, photo(playing.state, off={"R9": (0.95, 0.0)})).questions, "headquarters never move"


def test_placements_are_read_in_turn() -> None:
    setup = Setup(
        first="red",
        rows=4,
        home=1,
        limits=Limits(3, 1, 1, 2),
        layout=SquareLayout(2.0, (5.0, 4.0), 3.0),
        table=(26.0, 26.0),
    )
    playing = Game.new(RULES, setup)
    for line in ("army red general 2 hq 1", "army blue general 2 hq 1"):
        playing.push(playing.parse(line))
    seen = look(playing, photo(playing.state, {"R1": "a1", "R3": "d1", "B1": "a4", "B3": "d4"}))
    assert [p.words for p in seen.proposals] == ["place R1 at a1", "place B1 at a4", "place R3 at d1", "place B3 at d4"]
    assert len(accept(playing, seen).records) == 5


def test_random_moves_are_found_again() -> None:
    """Whole move phases played at random, seen only at their end: the same squares by legal moves."""
    compared = 0
    for seed in range(30):
        rng = random.Random(seed)
        setup = crowded(small_setup(rng), rng) if seed % 3 else placed(("balanced", "armoured"), seed).setup
        first = state = Game.new(RULES, setup).state
        if state.step != "move" or state.result is not None:
            continue
        while True:
            found = list(legal(state))[:-1]
            if not found or rng.random() < 0.1 or state.step != "move":
                break
            state = after(state, rng.choice(found))
        if state.result is not None:
            continue
        targets = {u.id: u.at for u in state.units if u.at != OFF}
        following = first
        for one in plan_moves(first, targets):
            assert not one.violations, (seed, one)
            following = after(following, one.action)
        assert {u.id: u.at for u in following.units} == {u.id: u.at for u in state.units}, seed
        compared += 1
    assert compared > 15
