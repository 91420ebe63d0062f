"""``tabletop aar``: the after-action report of a game, from its log alone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tabletop.cli import game_input
from tabletop.cli.game import Data, GameName
from tabletop.cli.game_view import CommandView
from tabletop.cli.output import JsonOut, Quiet, Unit, check_target, give, progress, tell
from tabletop.errors import UsageError
from tabletop.files import check_folder


def aar(
    log: Annotated[
        Path | None,
        typer.Argument(metavar="[LOG]", help="A game's log (JSON Lines). [default: the game that was played last]"),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="The folder to write the report into: Markdown, HTML, PDF, a zip for a blog.")
    ] = None,
    full: Annotated[
        bool, typer.Option("--full/--short", help="Turn by turn, or about four paragraphs and four pictures.")
    ] = True,
    title: Annotated[str | None, typer.Option(help="The report's title. [default: the game's own]")] = None,
    captions: Annotated[
        Path | None, typer.Option(help="Players' own words (TOML): [turns] and [moments], a number = Markdown.")
    ] = None,
    chances: Annotated[
        bool,
        typer.Option("--chances", help="Rank the moments by the chance to win, as computers see it: up to a minute."),
    ] = False,
    unit: Unit = "in",
    game: GameName = None,
    data: Data = None,
    json_out: JsonOut = None,
    quiet: Quiet = False,
) -> None:
    """Report a game from its log: maps, events, deciding moments, luck. Nothing is made up."""
    target = check_target(json_out)
    if log is not None and (game is not None or data is not None):
        raise UsageError(f"Either the log {log} or a game of the store, not both.")
    source = None if log is None else _bytes(log, "a game's log (JSON Lines), or a game by --game")
    if out is None and json_out is None:
        raise UsageError("Say where the report goes: --out FOLDER, or --json FILE for the story as data.")
    if title is not None and not title.strip():
        raise UsageError("The title is empty: leave --title out for the game's own.")
    from tabletop.aar.adapters import report_adapter
    from tabletop.aar.bundle import PICTURES, report_files
    from tabletop.aar.captions import Captions, read_captions
    from tabletop.aar.chances import count_chances, has_chances, with_chances
    from tabletop.aar.compose import full_report, short_report
    from tabletop.aar.data import story_json
    from tabletop.aar.story import tell as tell_story
    from tabletop.game.jsonl import game_from_log, read_log
    from tabletop.words import count

    if out is not None:
        check_folder(out)
    with progress(quiet or json_out == "-") as step:
        step("reading the log")
        if log is None or source is None:
            with game_input.open_game(data, game) as found:
                playing, rules = found.game, found.game.ruleset.name
        else:
            read = read_log(source, game_input.named(log))
            playing, rules = game_from_log(read), read.header.rules
        story = tell_story(CommandView(playing).retold(), report_adapter(rules), title=title, unit=unit)
        if chances:
            step("playing the game out with and without each act")
            story = with_chances(story, count_chances(story, rules))
        said = Captions()
        if captions is not None:
            turns, moments = [turn.number for turn in story.turns], len(story.moments)
            said = read_captions(_bytes(captions, "captions (TOML)"), captions.name, turns=turns, moments=moments)
        files: dict[Path, bytes] = {}
        if out is not None:
            step("drawing and writing")
            document = full_report(story, said) if full else short_report(story, said)
            files = {out / name: content for name, content in report_files(document).items()}
    if out is not None:
        (out / PICTURES).mkdir(parents=True, exist_ok=True)
    give(story_json(story), json_out, target, files)
    if out is not None:
        told = f"{story.title}: {count(len(story.turns_played), 'turn')} told in {out / 'report.html'}"
        tell(f"{told}, report.pdf, report.md and blog.zip.", json_target=json_out, quiet=quiet)
        if not chances and story.moments and has_chances(rules):
            hint = "Moments are ranked by losses and dice; --chances ranks them by the chance to win (a minute)."
            tell(hint, json_target=json_out, quiet=quiet)


def _bytes(path: Path, what: str) -> bytes:
    if str(path) == "-":
        return game_input.read(path)
    if path.is_dir():
        raise UsageError(f"{path} is a folder: name {what} in it.")
    if not path.is_file():
        raise UsageError(f"There is no file {path}: name {what}.")
    return path.read_bytes()
