"""``tabletop new``: begin a game from a scenario, a ruleset's name or a table file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tabletop.cli import game_input
from tabletop.cli.completing import complete_scenario
from tabletop.cli.game import Data
from tabletop.cli.game_answers import state_json
from tabletop.cli.game_setup import BoardOptions, plan
from tabletop.cli.game_view import CommandView
from tabletop.cli.output import JsonOut, Quiet, check_target, give, tell
from tabletop.words import and_list

if TYPE_CHECKING:
    from tabletop.identity.observation_rows import Observation
    from tabletop.identity.table_snapshot import Marker

Scenario = Annotated[
    str | None,
    typer.Argument(
        metavar="[SCENARIO]",
        help="A scenario (its id, title or number), a scenario file (my.toml), or combined-arms.",
        autocompletion=complete_scenario,
    ),
]
Table = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="A table file, a size alone (60x44), or the name of another package's army: its bases and terrain "
        "count, and without a scenario its roster; for combined-arms its [overlay] places the board.",
    ),
]
Mode = Annotated[
    str | None,
    typer.Option(
        metavar="MODE",
        help="combined-arms: solitaire, co-operative or enemy-player, where a player commands the defenders. "
        "[default: solitaire]",
    ),
]
Easier = Annotated[bool, typer.Option("--easier", help="combined-arms: turns after turn 18 cost no points.")]

Chosen = Annotated[
    list[str],
    typer.Option("--set", metavar="ID=VALUE", help="One of the scenario's choices: a period, a house rule, an option."),
]


def new(
    scenario: Scenario = None,
    table: Table = None,
    scene: Annotated[Path | None, typer.Option(help="A scene or an observation (JSON): the places of units.")] = None,
    mode: Mode = None,
    easier: Easier = False,
    position: Annotated[
        Path | None, typer.Option(help="combined-arms: a position (JSON), or its board alone, to begin from.")
    ] = None,
    handicap: Annotated[
        int | None,
        typer.Option(metavar="N", help="combined-arms, enemy-player: points that the attackers add.", min=0),
    ] = None,
    bid: Annotated[
        bool, typer.Option("--bid", help="combined-arms, enemy-player: the players bid for the defenders.")
    ] = False,
    commander_apart: Annotated[
        bool,
        typer.Option("--commander-apart", help="combined-arms, co-operative: a sixth player has the overall command."),
    ] = False,
    messages: Annotated[
        int | None,
        typer.Option(metavar="N", help="combined-arms, co-operative: written messages of each player a turn.", min=0),
    ] = None,
    chosen: Chosen = [],  # noqa: B006 - typer reads it as the default and never changes it
    computer: Annotated[
        list[str],
        typer.Option(
            metavar="SIDE[:LEVEL]",
            help="A side that the computer plays, and its level (simple, strong). May be repeated.",
        ),
    ] = [],  # noqa: B006 - as above
    name: Annotated[str | None, typer.Option(metavar="ID", help="The game's name in other commands.")] = None,
    dice: Annotated[str | None, typer.Option(help="d5 (average dice) or d6. [default: the scenario's]")] = None,
    listed: Annotated[
        bool,
        typer.Option("--list", help="List the scenarios, or SCENARIO's choices for --set; begin nothing."),
    ] = False,
    data: Data = None,
    json_out: JsonOut = None,
    quiet: Quiet = False,
) -> None:
    """Begin a game: from a scenario or a table file's roster, or by a ruleset's name if it needs no scenario."""
    from tabletop.changes.detection import marker_json
    from tabletop.cli.computer_text import typed
    from tabletop.cli.diff_text import markers_to_enter
    from tabletop.cli.game_text import paragraphs, wrap
    from tabletop.game import Game
    from tabletop.game.opponents import players_in_words, read_players, seat_computers
    from tabletop.game.registry import ruleset
    from tabletop.game.text_parts import board, next_typed
    from tabletop.starting.scenario_options import choices_from

    target = check_target(json_out)
    if listed:
        (_list_scenarios if scenario is None else partial(_list_choices, scenario))(json_out, target, quiet)
        return
    wishes = BoardOptions(mode, easier, position, handicap, bid, commander_apart, messages)
    planned = plan(scenario, table, scene, dice, wishes, choices_from(chosen))
    observed, laid = (None, ()) if scene is None else _first_photo(scene, [u.id for u in planned.setup.units])
    computers = read_players(computer, Game.new(ruleset(planned.rules), planned.setup)) if computer else {}
    with game_input.store(data, make=True) as store:
        game_id = game_input.free_name(store, name, planned.id)
        _, game = store.start(planned.rules, planned.setup, game=game_id, title=planned.title)
        if observed is not None:
            game.saw(observed)
        if computers:
            seat_computers(game, computers)
    told = board(game)
    give(
        {**state_json(game_id, CommandView(game)), "markers": [marker_json(marker) for marker in laid]},
        json_out,
        target,
    )
    parts = [
        f'Game "{game_id}" has begun.',
        paragraphs(planned.notes),
        told.in_words(game.state),
        markers_to_enter(laid, scene.name, [u.id for u in game.state.units]) if scene else "",
        wrap(players_in_words(game, computers)) if computers else "",
        wrap(typed(game) or next_typed(told, game.state)),
    ]
    parts.append("`tabletop state` lists the possible actions, `tabletop act WORDS...` does one.")
    tell("\n\n".join(part for part in parts if part), json_target=json_out, quiet=quiet)


def _first_photo(scene: Path, units: Sequence[str]) -> tuple[Observation | None, tuple[Marker, ...]]:
    """The observation that a game begins with, kept for later ones (``None``: a typed scene), and its markers beside
    these units or beside no unit."""
    from tabletop.cli.rulings import read_json
    from tabletop.identity.table_snapshot import sighting_from_json

    data = read_json(scene)
    markers = sighting_from_json(data, scene.name).markers or ()
    observed = data if isinstance(data, dict) and "bases" in data else None
    return observed, tuple(m for m in markers if m.unit is None or m.unit in units)


def _list_choices(scenario: str, json_out: str | None, target: Path | None, quiet: bool) -> None:
    """The choices of a scenario."""
    from tabletop.starting.new_game import BY_NAME
    from tabletop.starting.scenario_options import choices
    from tabletop.starting.scenarios import find

    if scenario in BY_NAME:
        options = [f"--{field.name.replace('_', '-')}" for field in fields(BoardOptions)]
        give({"scenario": scenario, "choices": [], "options": options}, json_out, target)
        told = f"{scenario} has no choices for --set; it takes {and_list(options)} (tabletop new --help)."
        tell(told, json_target=json_out, quiet=quiet)
        return
    found = find(scenario)
    left = choices(found.rules)
    rows = [{"id": c.id, "title": c.title, "says": c.says, "values": c.values, "default": c.default} for c in left]
    give({"scenario": found.id, "choices": rows}, json_out, target)
    lines = [f"{c.id}={'|'.join(c.values or ['N'])}\n    {c.says} [usual: {c.default}]" for c in left]
    told = "\n".join([f"The choices of {found.title} for --set ID=VALUE:", *lines])
    tell(told if left else f"{found.title} has no choices.", json_target=json_out, quiet=quiet)


def _list_scenarios(json_out: str | None, target: Path | None, quiet: bool) -> None:
    from tabletop.starting.armies import armies
    from tabletop.starting.new_game import BY_NAME
    from tabletop.starting.scenarios import list_scenarios

    found, brought = list_scenarios(), armies()
    rows = [{"id": s.id, "number": s.number, "title": s.title, "rules": s.rules, "package": s.package} for s in found]
    give({"scenarios": rows, "armies": list(brought)}, json_out, target)
    width = max(len(s.id) for s in found)
    lines = [f"{s.number or '':>3}  {s.id:{width}}  {s.title} ({s.rules})" for s in found]
    if brought:
        lines.append(f"Armies, for --table NAME: {', '.join(brought)}.")
    lines += [
        f"Without a scenario: tabletop new {name} (its board is diced, or read from your table)." for name in BY_NAME
    ]
    tell("\n".join(lines), json_target=json_out, quiet=quiet)
