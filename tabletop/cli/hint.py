"""``tabletop hint``: what a search would do now."""

from __future__ import annotations

from tabletop.cli import game_input
from tabletop.cli.game import Data, GameName
from tabletop.cli.output import JsonOut, Quiet, check_target, give, tell


def hint(game: GameName = None, data: Data = None, json_out: JsonOut = None, quiet: Quiet = False) -> None:
    """Tell what a search would do now, and how far it looked ahead; nothing is done in the game.

    For WWII Combined Arms on the chessboard, and for the attackers of Combined Arms, where it takes some seconds.
    """
    from tabletop.game.hints import advice

    target = check_target(json_out)
    with game_input.open_game(data, game) as opened:
        name, playing = opened.name, opened.game
    found = advice(playing)
    give({"game": name, "hint": None if found is None else found.to_json()}, json_out, target)
    told = "There is nothing to choose now." if found is None else found.says
    tell(told, json_target=json_out, quiet=quiet)
