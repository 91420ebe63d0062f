"""Shell completion with Tab: games, scenarios, rules, units, sides and verbs.

Each takes the text typed so far and returns the words that continue it; none if there is no game yet.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from tabletop.errors import TabletopError

if TYPE_CHECKING:
    from tabletop.game import Game


def complete_game(ctx: typer.Context, incomplete: str) -> list[str]:
    """Games of the data folder, the one played last first."""
    from tabletop.cli import game_input

    try:
        entries = game_input.games(_folder(ctx))
    except (TabletopError, OSError):
        return []
    return _going_on(incomplete, (entry.game for entry in entries))


def complete_scenario(incomplete: str) -> list[str]:
    """Bundled scenarios, and rules that begin without one."""
    from tabletop.starting.new_game import BY_NAME
    from tabletop.starting.scenarios import list_scenarios

    return _going_on(incomplete, [*(entry.id for entry in list_scenarios()), *BY_NAME])


def complete_scenario_of(ctx: typer.Context, incomplete: str) -> list[str]:
    """Bundled scenarios of the preceding rules."""
    from tabletop.starting.scenarios import list_scenarios

    return _going_on(incomplete, (entry.id for entry in list_scenarios(ctx.params.get("rules"))))


def complete_rules(incomplete: str) -> list[str]:
    """Names of rules."""
    from tabletop.game.parts import PARTS

    return _going_on(incomplete, sorted(PARTS))


def complete_unit(ctx: typer.Context, incomplete: str) -> list[str]:
    """Units of the game."""
    from tabletop.game.text_parts import units

    game = _game(ctx)
    return [] if game is None else _going_on(incomplete, units(game))


def complete_side(ctx: typer.Context, incomplete: str) -> list[str]:
    """Sides of the game."""
    game = _game(ctx)
    return [] if game is None else _going_on(incomplete, game.ruleset.sides(game.state))


def complete_words(ctx: typer.Context, incomplete: str) -> list[str]:
    """An action's words: first what can be done, then units."""
    game = _game(ctx)
    if game is None:
        return []
    if ctx.params.get("words"):
        return complete_unit(ctx, incomplete)
    return _going_on(incomplete, [*game.ruleset.actions.verbs, "help"])


def _game(ctx: typer.Context) -> Game | None:
    """The game of the command; ``None`` without one."""
    from tabletop.cli import game_input

    try:
        with game_input.open_game(_folder(ctx), ctx.params.get("game")) as found:
            return found.game
    except (TabletopError, OSError):
        return None


def _folder(ctx: typer.Context) -> Path | None:
    data = ctx.params.get("data")
    return Path(data) if data else None


def _going_on(incomplete: str, words: Iterable[str]) -> list[str]:
    """The words with this beginning, ignoring case."""
    return [word for word in words if word.casefold().startswith(incomplete.casefold())]
