"""Places off the table are refused in every game, by whatever action they are said."""

import pytest

from tabletop.game import Game
from tabletop.game.actions import Standing
from tabletop.game.errors import ActionError
from tabletop.game.registry import ruleset
from tests.support.combat_captain_games import a_company, a_sub, begun
from tests.support.combined_arms_tables import game_at
from tests.support.measure_games import a_table, a_unit
from tests.support.photo_games import sequence_begun, sequence_setup
from tests.support.ww2_combined_arms_games import standing


def captain() -> Game:
    companies = (
        a_company(side[0].upper(), side, [a_sub(f"{side[0].upper()}1", "rifles", 9, 9)]) for side in ("red", "blue")
    )
    return begun(*companies)


GAMES = {
    "one-hour": lambda: sequence_begun(Game.new(ruleset("one-hour-ww2"), sequence_setup())),
    "captain": captain,
    "measure": lambda: a_table([a_unit("U1", "blue", Standing(5.0, 5.0, 0.0))]),
}


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("one-hour", "correct B1 at 60,8 facing 0"),
        ("one-hour", "correct B1 at 6,-1 facing 0"),
        ("captain", "correct R1 at 60,8 facing 0"),
        ("captain", "put R1 at 10,-1 facing 0"),
        ("measure", "correct U1 at 60,8 facing 0"),
        ("measure", "move U1 at 5,-1 facing 0"),
    ],
)
def test_no_unit_is_put_off_the_table(game: str, words: str) -> None:
    found = GAMES[game]()
    (why,) = [one for one in found.check(found.parse(words)) if one.code == "off-table"]
    assert "off the table, which is " in why.text


@pytest.mark.parametrize("game", GAMES)
def test_terrain_is_not_drawn_off_the_table(game: str) -> None:
    found = GAMES[game]()
    with pytest.raises(ActionError, match="off the table"):
        found.parse("draw woods ring 1,1 5,1 5,60")


def test_boards_have_no_cells_beyond_their_edges() -> None:
    chess = Game.new(ruleset("ww2-combined-arms"), standing("R1 hq a1, B1 hq h8").setup)
    for game, words in ((chess, "correct R1 to z9"), (game_at({"D1": "3-4"}), "correct D1 to 12-9")):
        with pytest.raises(ActionError):
            game.parse(words)
