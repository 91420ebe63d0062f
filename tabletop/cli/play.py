"""``tabletop play``: whole games without people, for statistics."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from tabletop.cli.output import JsonOut, Quiet, check_target, progress, tell, write_files
from tabletop.errors import UsageError

Who = Annotated[str, typer.Option(help="Who plays: simple (shoots what it hurts most) or random.")]


def play(
    rules: Annotated[str, typer.Argument(help="The ruleset, such as one-hour-ww2.")],
    scenario: Annotated[str | None, typer.Option(help="Its scenario. [default: the first one bundled]")] = None,
    games: Annotated[int, typer.Option(help="How many games.", min=1, max=100_000)] = 1,
    seed: Annotated[int, typer.Option(help="The first game's seed; the next game has the next.", min=0)] = 0,
    attacker: Who = "simple",
    defender: Who = "simple",
    json_out: JsonOut = None,
    quiet: Quiet = False,
) -> None:
    """Play whole games by simple players, the same ones for the same seed: who wins how often, and how fast."""
    from tabletop.game.registry import ruleset
    from tabletop.game.selfplay import statistics
    from tabletop.referee import json_bytes
    from tabletop.scenarios import find, listed

    target = check_target(json_out)
    for who in (attacker, defender):
        if who not in ("simple", "random"):
            raise UsageError(f'There is no player "{who}"; expected "simple" or "random".')
    chosen = ruleset(rules)
    known = listed(rules)
    if scenario is None and not known:
        raise UsageError(f"No scenario of {rules} is bundled: name a file with --scenario.")
    laid_out = find(scenario or known[0].id, rules)
    first, second = laid_out.setup.sides
    with progress(quiet or json_out == "-") as step:
        step(f"playing {games} games of {laid_out.title}")
        found = statistics(chosen, laid_out.setup, {first: attacker, second: defender}, games, seed)  # type: ignore[dict-item]
    found = {**found, "scenario": laid_out.id}
    if target:
        write_files({target: json_bytes(found)})
    if json_out == "-":
        typer.echo(json_bytes(found), nl=False)
    tell(_in_words(found, laid_out.title, laid_out.setup), json_target=json_out, quiet=quiet)


def _in_words(found: dict[str, Any], title: str, setup: Any) -> str:
    games = found["games"]
    lines = [f"{title}: {games} {'game' if games == 1 else 'games'}, seeds from {found['seed']}."]
    for side, wins in found["wins"].items():
        who = "draws" if side == "draw" else f"{setup.side_title(side)} ({found['players'][side]})"
        lines.append(f"  {who:<28} {wins:>6}  {wins / games:>4.0%}")
    lines.append(
        f"{found['mean_turns']:.1f} turns and {found['mean_actions']:.0f} actions a game; "
        f"{found['games_per_second']:.2f} games a second."
    )
    return "\n".join(lines)
