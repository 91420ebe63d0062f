"""``tabletop act | state | undo | redo | log | note | games | load``: playing a game, action by action.

A refusal by the rules is exit status 1, a command that can't be understood 2; in both cases nothing is written.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from tabletop.cli import game_input, opponents
from tabletop.cli.completing import complete_game, complete_rules, complete_side, complete_unit, complete_words
from tabletop.cli.computer_text import typed
from tabletop.cli.game_answers import Asked, record_json, refuse, state_json
from tabletop.cli.game_view import CommandView
from tabletop.cli.output import JsonOut, Quiet, Unit, check_drawing, check_target, give, tell
from tabletop.cli.serving import Url
from tabletop.errors import UsageError
from tabletop.files import json_bytes, write_files

GameName = Annotated[
    str | None,
    typer.Option("--game", metavar="ID", help="The game. [default: the one played last]", autocompletion=complete_game),
]
Data = Annotated[
    Path | None, typer.Option(metavar="FOLDER", help="The folder for games. [default: the user's own data folder]")
]
As = Annotated[
    str | None,
    typer.Option(
        "--as",
        metavar="SIDE",
        help="The viewer, if a side hides something. [default: the public]",
        autocompletion=complete_side,
    ),
]
Words = Annotated[list[str], typer.Argument(metavar="WORDS", help="The action, as in: fire B1 at R2")]

ActionWords = Annotated[
    list[str] | None,
    typer.Argument(metavar="WORDS", help="The action, as in: fire B1 at R2", autocompletion=complete_words),
]


def act(
    words: ActionWords = None,
    dice: Annotated[list[str] | None, typer.Option(metavar="N,N...", help="The dice as rolled.")] = None,
    roll: Annotated[bool, typer.Option("--roll", help="Have the dice rolled.")] = False,
    seed: Annotated[
        int | None, typer.Option(help="Roll the same dice every time (for tests and demonstrations).")
    ] = None,
    measured: Annotated[
        bool, typer.Option("--measured", help="You measured the close call, and the action is legal.")
    ] = False,
    overrule: Annotated[bool, typer.Option("--overrule", help="The referee overrules the rules.")] = False,
    because: Annotated[
        str, typer.Option(metavar="WORDS", help="With --overrule or --measured: the reason, for the log.")
    ] = "",
    odds: Annotated[bool, typer.Option("--odds", help="Show the odds and do nothing.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Show whether it is legal and do nothing.")] = False,
    photo: Annotated[str, typer.Option(metavar="FILE", help="The photo that shows it, or its SHA-256.")] = "",
    json_action: Annotated[
        str | None, typer.Option(metavar="JSON", help="The action as JSON, instead of words.")
    ] = None,
    rules: Annotated[
        str | None, typer.Option(metavar="NAME", help="With `help`: the ruleset.", autocompletion=complete_rules)
    ] = None,
    side: As = None,
    game: GameName = None,
    data: Data = None,
    json_out: JsonOut = None,
    quiet: Quiet = False,
) -> None:
    """Do something in a game; several actions at once with `then` between them, all or none (dice thrown by --roll
    stay).

    `tabletop act help` lists the actions of the game, `tabletop act help fire` explains one; with --rules NAME they
    work for any ruleset.

    Dice are yours to roll: give --dice 4, or several with commas, or have them rolled with --roll. An action that needs
    dice and has none is not done; its odds are shown.

    `tabletop act next` does everything that needs no choice, up to your next choice; with --roll also actions that need
    dice, and computers' proposals. `tabletop act proposed` confirms that you did a computer's proposal on the table,
    and `tabletop act impossible` that it can't be done there.

    Programs may give an action as JSON: --json-action '{"kind": "fire", "unit": "B6", "target": "R2", "dice": [4]}'.
    """
    if words and words[0].casefold() == "help" and json_action is None:
        tell(game_input.action_help(words[1:], rules, data, game), json_target=None, quiet=quiet)
        return
    target = check_target(json_out)
    actions, faces = game_input.wished_actions(words, json_action, game_input.dice(dice))
    shown = game_input.photo_hash(photo)
    if (odds or check) and len(actions) > 1:
        raise UsageError("--odds and --check judge one action at a time.")
    if because and not (overrule or measured):
        raise UsageError("--because belongs to --overrule or --measured; `tabletop note` keeps any other words.")
    if seed is not None and not roll:
        raise UsageError("--seed belongs to --roll.")
    if roll and faces is not None:
        raise UsageError("Either --dice, as you rolled them, or --roll, not both.")
    with game_input.open_game(data, game) as found:
        trial = found.game.trial()
        asked = Asked(found.name, trial, CommandView.of(trial, side).side, len(actions), json_out, target, quiet)
        hand = game_input.Hand(faces, roll, seed)
        by_computer = None if json_action is not None else opponents.meant(words, trial)
        if by_computer is not None:
            if odds or check or measured or overrule or shown:
                raise UsageError(f"`act {by_computer}` takes --dice or --roll, and nothing else.")
            opponents.do(by_computer, found, asked, hand, roll=roll, seed=seed)
            return
        if odds or check:
            action = asked.parse(actions[0])
            asked.judge(asked.words(actions[0], action), action, odds=odds, measured=measured, overrule=overrule)
            return
        before, told = trial.state, trial.seq
        kept = told
        for number, said in enumerate(actions):
            action = asked.parse(said)
            against = asked.against(action, measured=measured, overrule=overrule)
            if against:
                asked.refuse(asked.words(said, action), action, against)
            thrown = hand.take(trial.ruleset.dice(trial.state, action))
            if thrown is None:
                asked.want_dice(asked.words(said, action), action)
            trial.push(action, thrown, photo=shown, overrule=overrule, measured=measured, reason=because)
            if roll and thrown:
                found.store.append(found.name, trial.records[kept:])
                asked.keep(number + 1, before, trial.records[told:])
                kept = trial.seq
        hand.check_all_used()
        found.store.append(found.name, trial.records[kept:])
        asked.tell_done(before, trial.records[told:])


def state(
    unit: Annotated[
        str | None, typer.Argument(metavar="[UNIT]", help="List this unit's actions.", autocompletion=complete_unit)
    ] = None,
    options: Annotated[
        bool, typer.Option("--options", help="List all possible actions, and why others are not.")
    ] = False,
    everything: Annotated[
        bool, typer.Option("--all", help="List all units and possible actions, even if longer than a screen.")
    ] = False,
    side: Annotated[
        str | None, typer.Option(metavar="SIDE", help="List this side's actions.", autocompletion=complete_side)
    ] = None,
    looker: As = None,
    scene: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write the table as a scene, or the board as a position, which `tabletop report` reads.",
        ),
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw the current game: FILE.svg or FILE.png."),
    ] = None,
    game: GameName = None,
    data: Data = None,
    json_out: JsonOut = None,
    quiet: Quiet = False,
) -> None:
    """Show the state of a game and the possible actions."""
    from tabletop.cli.game_text import one_screen, options_in_words, picture_bytes, wrap
    from tabletop.game.text_parts import board, next_typed, units
    from tabletop.referee.reports import table_json

    target, written, drawn = check_target(json_out), check_target(scene), check_drawing(picture)
    spoken_for = _standard_output(json_out, scene)
    with game_input.open_game(data, game) as found:
        playing = found.game
    told, view = board(playing), CommandView.of(playing, looker)
    known_side = game_input.name_meant(side, playing.ruleset.sides(playing.state), "side")
    wanted = game_input.name_meant(unit, units(playing), "unit")
    choices = [
        option
        for option in playing.options()
        if view.may_see(option) and known_side in (None, option.side) and wanted in (None, option.unit, option.target)
    ]
    files = {}
    if written is not None:
        files[written] = json_bytes(table_json(playing.ruleset.name, playing.state))
    if drawn is not None:
        files[drawn] = picture_bytes(playing, drawn.suffix.casefold())
    write_files(files)
    if scene is not None and written is None:
        typer.echo(json_bytes(table_json(playing.ruleset.name, playing.state)), nl=False)
    give(state_json(found.name, view, choices), json_out, target)
    short = hasattr(told, "in_short") and not (everything or options or wanted)
    parts = [told.in_short(playing.state) if short else told.in_words(playing.state)]
    if wanted is not None:
        parts = [told.headline(playing.state), wrap(told.of_unit(playing.state, wanted))]
    parts += [
        wrap(view.own_words()),
        wrap(typed(playing) or next_typed(told, playing.state)),
        wrap(view.others_choose()),
    ]
    possible = options_in_words(playing, choices, full=options or wanted is not None)
    parts.append(one_screen(possible, "\n\n".join(filter(None, parts))) if short else possible)
    tell("\n\n".join(part for part in parts if part), json_target=spoken_for, quiet=quiet)


def undo(
    referee: Annotated[bool, typer.Option("--referee", help="Take back an action with dice: all agreed.")] = False,
    because: Annotated[str, typer.Option(metavar="WORDS", help="Why; it is kept in the log.")] = "",
    side: As = None,
    game: GameName = None,
    data: Data = None,
    json_out: JsonOut = None,
    quiet: Quiet = False,
) -> None:
    """Take back the last action; the log keeps both."""
    from tabletop.cli.game_text import wrap
    from tabletop.game import UndoError
    from tabletop.game.text_parts import board, next_typed

    target = check_target(json_out)
    with game_input.open_game(data, game) as found:
        view = CommandView.of(found.game, side)
        try:
            last = found.game.pop(referee=referee, reason=because)
        except UndoError as error:
            refuse(str(error))
    view = CommandView(found.game, view.side)
    give({**state_json(found.name, view), "taken_back": [r.seq for r in last]}, json_out, target)
    what = view.record(last[0]).action or last[0].kind
    told, after = board(found.game), found.game.state
    lines = [f"Taken back: {told.brief(after, what)}.", told.headline(after), next_typed(told, after)]
    tell("\n".join(wrap(line) for line in lines if line), json_target=json_out, quiet=quiet)


def redo(
    referee: Annotated[bool, typer.Option("--referee", help="Repeat an action with dice: all agreed.")] = False,
    side: As = None,
    game: GameName = None,
    data: Data = None,
    json_out: JsonOut = None,
    quiet: Quiet = False,
) -> None:
    """Repeat the action that was taken back last, exactly as it was, with its dice."""
    from tabletop.cli.game_text import wrap
    from tabletop.game import UndoError
    from tabletop.game.text_parts import board, next_typed

    target = check_target(json_out)
    with game_input.open_game(data, game) as found:
        try:
            done = found.game.redo(referee=referee)
        except UndoError as error:
            refuse(str(error))
        view = CommandView.of(found.game, side)
    give({**state_json(found.name, view), "done_again": [r.seq for r in done]}, json_out, target)
    what = view.record(done[0]).action or done[0].kind
    told, after = board(found.game), found.game.state
    lines = [f"Done again: {told.brief(after, what)}.", told.headline(after), next_typed(told, after)]
    tell("\n".join(wrap(line) for line in lines if line), json_target=json_out, quiet=quiet)


def log(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE.jsonl]", help="Check and show a log's file instead of a game.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE.jsonl", help="Write the log as JSON Lines, for storage and transfer.")
    ] = None,
    csv: Annotated[
        Path | None, typer.Option(metavar="FILE.csv", help="Write it as a table for spreadsheets, one event per row.")
    ] = None,
    unit: Unit = "in",
    side: As = None,
    every: Annotated[
        bool, typer.Option("--all", help="With --out: include hidden information, as kept by a game's host.")
    ] = False,
    game: GameName = None,
    data: Data = None,
    url: Url = "",
    json_out: JsonOut = None,
    quiet: Quiet = False,
) -> None:
    """Show everything that happened in a game, or in a log's file after checking it."""
    from tabletop.cli.game_text import log_in_words
    from tabletop.game.jsonl import LogHeader, game_from_log, read_log, write_log
    from tabletop.game.log_rows import log_rows

    target, written, table = check_target(json_out), check_target(out), check_target(csv)
    if csv is not None and table is None:
        raise UsageError("A table goes into a file: name one with --csv.")
    spoken_for = _standard_output(json_out, out)
    if every and out is None:
        raise UsageError("--all belongs to --out, which writes the log; --as shows one side's view.")
    if file is not None:
        if game is not None or data is not None:
            raise UsageError(f"Either the file {file} or a game of the store, not both: name a game with --game.")
        read = read_log(game_input.read(file), game_input.named(file))
        header, playing = read.header, game_from_log(read)
        ending = f"{game_input.named(file)} is whole: {_events(len(playing.records))}."
    else:
        with game_input.open_game(data, game, url) as found:
            entry, playing = found.store.entry(found.name), found.game
        header = LogHeader(entry.rules, entry.version, entry.game, entry.title, entry.created)
        ending = ""
    view = CommandView.of(playing, side)
    if out is not None:
        if not every:
            view.refuse_file("The log of this game")
        content = write_log(header, playing.records)
        if written is None:
            sys.stdout.buffer.write(content)
        else:
            write_files({written: content})
        ending = f"{_events(len(playing.records))} written to {written}."
    if table is not None:
        from tabletop.exports.log_csv import log_csv

        write_files({table: log_csv(view)})
        ending = " ".join(part for part in (ending, f"{_events(len(playing.records))} in rows in {table}.") if part)
    if json_out is not None:
        rows = [
            {**record_json(view.record(row.record)), "text": row.sentence, "taken_back": row.taken_back}
            for row in log_rows(view)
        ]
        give({"game": header.game, "rules": header.rules, "title": header.title, "events": rows}, json_out, target)
    text = (
        ending
        if out is not None or table is not None
        else "\n\n".join(part for part in (log_in_words(view), ending) if part)
    )
    tell(text, json_target=spoken_for, quiet=quiet, unit=unit)


def note(
    words: Annotated[list[str], typer.Argument(metavar="WORDS", help="The caption.")],
    by: Annotated[str | None, typer.Option(metavar="SIDE", help="The author. [default: the side to act]")] = None,
    game: GameName = None,
    data: Data = None,
    json_out: JsonOut = None,
    quiet: Quiet = False,
) -> None:
    """Keep a player's own words at this point of the log, for the report on the game."""
    from tabletop.game import REFEREE
    from tabletop.game.log_rows import core_sentence

    target = check_target(json_out)
    text = " ".join(words).strip()
    if not text:
        raise UsageError("There are no words to keep: tabletop note WORDS...")
    with game_input.open_game(data, game) as found:
        sides = found.game.ruleset.sides(found.game.state)
        actor = game_input.name_meant(by, [*sides, REFEREE], "side") or found.game.to_act or REFEREE
        record = found.game.note(text, actor=actor)
    give({"game": found.name, "event": record_json(record)}, json_out, target)
    tell(core_sentence(found.game, record), json_target=json_out, quiet=quiet)


def games(data: Data = None, url: Url = "", json_out: JsonOut = None, quiet: Quiet = False) -> None:
    """List the games, the one played last first."""
    target = check_target(json_out)
    entries = game_input.games(data, url)
    rows = [
        {"game": e.game, "rules": e.rules, "title": e.title, "created": e.created, "used": e.used, "events": e.last}
        for e in entries
    ]
    give({"games": rows}, json_out, target)
    width = max((len(e.game) for e in entries), default=0)
    lines = [f"{e.game:{width}}  {e.title}, {_events(e.last)}, last played {_when(e.used)}" for e in entries]
    tell("\n".join(lines) or game_input.NO_GAME, json_target=json_out, quiet=quiet)


def load(
    file: Annotated[Path, typer.Argument(metavar="FILE.jsonl", help="A log, as `tabletop log --out` writes it.")],
    name: Annotated[str | None, typer.Option(metavar="ID", help="The game's name. [default: as in the log]")] = None,
    data: Data = None,
    url: Url = "",
    json_out: JsonOut = None,
    quiet: Quiet = False,
) -> None:
    """Import a log's file as a game that can be continued."""
    from tabletop.game.jsonl import game_from_log, read_log
    from tabletop.game.store import GameEntry
    from tabletop.game.text_parts import board

    target = check_target(json_out)
    said = game_input.named(file)
    read = read_log(game_input.read(file), said)
    head, playing = read.header, game_from_log(read)
    with game_input.store(data, url, make=True) as store:
        if any(entry.game == head.game and store.records(head.game)[:1] == read.records[:1] for entry in store.games()):
            raise UsageError(
                f'{said} is the game "{head.game}", which is here already: tabletop state --game {head.game}.'
            )
        game_id = game_input.free_name(store, name, head.game or file.stem)
        entry = GameEntry(
            game_id, head.rules, head.rules_version, head.title or playing.state.setup.title, head.created
        )
        store.create(entry, read.records)
    give(state_json(game_id, CommandView(playing)), json_out, target)
    told = f'{_events(len(read.records))} of {said} taken in as the game "{game_id}".'
    tell(f"{told}\n\n{board(playing).headline(playing.state)}", json_target=json_out, quiet=quiet)


def _standard_output(json_out: str | None, other: Path | None) -> str | None:
    """``-`` if one of two results goes to standard output, which then holds no text for people; raises UsageError if
    both would."""
    if json_out == "-" and str(other) == "-":
        raise UsageError("Only one of the two can go to standard output: name a file for the other.")
    return "-" if str(other) == "-" else json_out


def _events(count: int) -> str:
    return "1 event" if count == 1 else f"{count} events"


def _when(at: str) -> str:
    """A record's time for people.

    >>> _when("2026-03-01T18:05:09+00:00")
    '2026-03-01 18:05'
    """
    return at[:16].replace("T", " ")
