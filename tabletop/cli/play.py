"""``tabletop play``: whole games without people, for statistics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from tabletop.cli.beginning import Chosen, Easier, Mode
from tabletop.cli.completing import complete_rules, complete_scenario_of
from tabletop.cli.exits import INTERRUPTED
from tabletop.cli.game_setup import BoardOptions, Plan, of_name
from tabletop.cli.output import JsonOut, Quiet, check_target, give, progress, tell
from tabletop.errors import UsageError
from tabletop.starting.new_game import BY_NAME
from tabletop.words import count, or_list

Who = Annotated[str, typer.Option(help="The player: random, simple, or a stronger level of the rules.")]
_WIDTH = 40


def play(
    rules: Annotated[str, typer.Argument(help="The ruleset, combat for example.", autocompletion=complete_rules)],
    scenario: Annotated[
        str | None,
        typer.Option(
            help="Its scenario, if it has any. [default: the first one bundled]",
            autocompletion=complete_scenario_of,
        ),
    ] = None,
    games: Annotated[int, typer.Option(help="How many games.", min=1, max=100_000)] = 1,
    seed: Annotated[int, typer.Option(help="The first game's seed; the next game has the next.", min=0)] = 0,
    attacker: Who = "simple",
    defender: Who = "simple",
    mode: Mode = None,
    easier: Easier = False,
    chosen: Chosen = [],  # noqa: B006 - typer reads it as the default and never changes it
    json_out: JsonOut = None,
    quiet: Quiet = False,
) -> None:
    """Play whole games by simple players, the same ones for the same seed: wins and speed."""
    from tabletop.game import Game
    from tabletop.game.computers import SIMPLE, players_by_side
    from tabletop.game.parts import part
    from tabletop.game.registry import ruleset
    from tabletop.game.selfplay import RANDOM, statistics
    from tabletop.starting.scenario_options import choices_from, describe_options

    target = check_target(json_out)
    played_by, choices = ruleset(rules), choices_from(chosen)
    planned = _plan(rules, scenario, BoardOptions(mode, easier), choices)
    first, second = planned.setup.sides
    automatic = part(rules, "by_name").automatic_side(planned.setup) if rules in BY_NAME else None
    if automatic == second and defender != "simple":
        free = _modes_with_free_defender(rules)
        raise UsageError(f"The rules play the defenders here: leave --defender out, or say --mode {free}.")
    levels = players_by_side(played_by, Game.new(played_by, planned.setup).state)
    for side, who in ((first, attacker), (second, defender)):
        known = (*levels.get(side, (SIMPLE,)), RANDOM)
        if who not in known:
            expected = or_list([f'"{name}"' for name in known])
            raise UsageError(f'There is no player "{who}" for {planned.setup.side_title(side)}; expected {expected}.')
    with progress(quiet or json_out == "-") as step:
        step(f"playing {games} games of {planned.title}")
        found = statistics(played_by, planned.setup, {first: attacker, second: defender}, games, seed)
    found |= {"mode": planned.setup.mode, "easier": easier} if rules in BY_NAME else {"scenario": planned.id}
    if automatic is not None:
        found["players"] = {**found["players"], automatic: "rules"}
    found |= {"choices": describe_options(rules, planned.setup)} if choices else {}
    give(found, json_out, target)
    tell(_in_words(found, planned), json_target=json_out, quiet=quiet)
    if found["games"] < games:
        typer.echo(f"tabletop: stopped after {found['games']} of {games} games.", err=True)
        raise typer.Exit(INTERRUPTED)


def _plan(rules: str, scenario: str | None, wishes: BoardOptions, chosen: Mapping[str, str]) -> Plan:
    """The game to play; raises UsageError or ScenarioError."""
    from tabletop.starting.new_game import of_scenario
    from tabletop.starting.scenarios import find, list_scenarios

    if rules in BY_NAME:
        if chosen:
            raise UsageError(f"--set belongs to a scenario, and {rules} has none: leave it out.")
        if scenario is not None:
            raise UsageError(f"{rules} has no scenarios, its boards are rolled: leave --scenario out.")
        return of_name(rules, wishes)
    if wishes.first_option_given is not None:
        raise UsageError(f"{wishes.first_option_given} belongs to {' or '.join(BY_NAME)}: leave it out.")
    known = list_scenarios(rules)
    return of_scenario(find(scenario or (known[0].id if known else rules), rules), wished=chosen)


def _modes_with_free_defender(rules: str) -> str:
    """The modes in which the rules play no side."""
    from tabletop.game.parts import part
    from tabletop.starting.catalogue import offers

    automatic_side = part(rules, "by_name").automatic_side
    modes = [mode.id for mode in offers()[rules].modes]
    return " or ".join(name for name in modes if automatic_side(of_name(rules, BoardOptions(name)).setup) is None)


def _in_words(found: dict[str, Any], planned: Plan) -> str:
    games, setup = found["games"], planned.setup
    lines = [f"{planned.title}: {games} {'game' if games == 1 else 'games'}, seeds from {found['seed']}."]
    for side, wins in found["wins"].items():
        who = "draws" if side == "draw" else f"{setup.side_title(side)} ({found['players'][side]})"
        lines.append(f"  {who:<28} {wins:>6}  {wins / games:>4.0%}")
    lines.append(
        f"{found['mean_turns']:.1f} turns and {found['mean_actions']:.0f} actions a game; "
        f"{found['games_per_second']:.2f} games a second."
    )
    if found["not_over"]:
        why = sorted({row["reason"] for row in found["results"] if not row["over"]})
        lines.append(f"{count(found['not_over'], 'game')} of the draws did not end: {', '.join(why)}.")
    if "scores" in found:
        lines += _scores(found["scores"])
    return "\n".join(lines)


def _scores(scores: dict[str, Any]) -> list[str]:
    """The distribution of scores: a line, and a bar chart with a line for every score."""
    low, middle, high = scores["quartiles"]
    most = max(scores["histogram"].values())
    return [
        f"Score {scores['mean']:.1f} on average; quartiles {low:g}, {middle:g}, {high:g}; "
        f"{scores['least']} to {scores['most']}.",
        *(f"  {value:>4}  {'#' * -(-_WIDTH * n // most)} {n}" for value, n in scores["histogram"].items()),
    ]
