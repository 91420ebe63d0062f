"""What a game keeps of the states behind it."""

from functools import cached_property

from tabletop.game import Game
from tabletop.rulesets.combined_arms.play import RULES
from tabletop.rulesets.combined_arms.position import setup_from_position
from tests.support.combined_arms_tables import at


def worked_out(state: object) -> set[str]:
    return {name for name in vars(state) if isinstance(getattr(type(state), name, None), cached_property)}


def test_a_long_game_keeps_what_was_worked_out_about_its_last_states_alone() -> None:
    game = Game.new(RULES, setup_from_position(at({"D1": "3-4", "D2": "3-5", "M1": "2-4"}, {"5-5": "", "6-6": ""})))
    seen = []
    for words in ("move D1 to 4-4", "move D2 to 4-5", "end"):
        assert list(game.options())
        assert worked_out(game.state)
        seen.append(game.state)
        game.push(game.parse(words))
    assert [bool(worked_out(state)) for _, state in game.states()][:2] == [False, False]
    assert [state for _, state in game.states()][:3] == seen
    assert all(state.by_id for _, state in game.states())
    assert [bool(worked_out(state)) for _, state in game.states()][:2] == [False, False]
    assert all(worked_out(state) for state in seen)
    game.pop()
    game.pop()
    assert game.state == seen[1] and list(game.options())
