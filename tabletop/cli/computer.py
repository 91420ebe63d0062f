"""``tabletop computer``: which sides the computer plays."""

from __future__ import annotations

from typing import Annotated

import typer

from tabletop.cli import game_input
from tabletop.cli.computer_text import typed
from tabletop.cli.game import Data, GameName
from tabletop.cli.game_answers import state_json
from tabletop.cli.game_view import CommandView
from tabletop.cli.output import JsonOut, Quiet, check_target, give, tell
from tabletop.errors import UsageError


def computer(
    players: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SIDE[:LEVEL]...]", help="The sides that the computer plays from now on."),
    ] = None,
    nobody: Annotated[bool, typer.Option("--nobody", help="People play all sides from now on.")] = False,
    game: GameName = None,
    data: Data = None,
    json_out: JsonOut = None,
    quiet: Quiet = False,
) -> None:
    """Show which sides the computer plays, or change it: the log records it for everyone.

    Levels are simple and, in some games, strong.
    """
    from tabletop.cli.game_text import wrap
    from tabletop.game.opponents import levels_in_words, players_in_words, players_of, read_players, seat_computers

    target = check_target(json_out)
    if nobody and players:
        raise UsageError("Either sides or --nobody, not both.")
    with game_input.open_game(data, game) as found:
        playing = found.game
        if players or nobody:
            seat_computers(playing, read_players(players or (), playing))
    give(state_json(found.name, CommandView(playing)), json_out, target)
    lines = [players_in_words(playing, players_of(playing)), levels_in_words(playing), typed(playing)]
    tell("\n".join(wrap(line) for line in lines if line), json_target=json_out, quiet=quiet)
