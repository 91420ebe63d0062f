"""``tabletop hint``: the choice of a search."""

from __future__ import annotations

from tabletop.cli import game_input
from tabletop.cli.game import As, Data, GameName
from tabletop.cli.game_view import CommandView
from tabletop.cli.output import JsonOut, Quiet, check_target, give, tell


def hint(
    side: As = None, game: GameName = None, data: Data = None, json_out: JsonOut = None, quiet: Quiet = False
) -> None:
    """Show the choice of a search or a strong computer player now, and why; nothing is done in the game.

    For games with a strong computer level; advice for the attackers of Combined Arms takes some seconds.
    """
    from tabletop.game.hints import advice

    target = check_target(json_out)
    with game_input.open_game(data, game) as opened:
        name, playing = opened.name, opened.game
    found = advice(playing, CommandView.of(playing, side).side)
    give({"game": name, "hint": None if found is None else found.to_json()}, json_out, target)
    told = "There is nothing to choose now." if found is None else found.says
    if found is not None and found.action is not None:
        words = playing.ruleset.text(playing.ruleset.action_from_json(playing.state, found.action))
        told += "" if words in told else f" It is `{words}`."
    tell(told, json_target=json_out, quiet=quiet)
