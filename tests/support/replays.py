"""Play reports replayed: a script that a person can type becomes a game, and the game its log.

A script begins with ``key: value`` lines (``title``, ``scenario``, ``date``, ``dice``, and ``house`` for a switch of
the house rules as ``name = value``, yes or no). After them stand, line by line:

- ``turn 3 blue``: where the game must have got to; nothing happens;
- ``reported 3.2: ...`` and ``filled in: ...``: a note for the log. What follows, up to the next note, is what the
  report gives (its statement 3.2), or what it leaves out and a game needs;
- an action in words, with its dice: ``fire B4 at R5 [4]``;
- ``overrule ACTION [dice] because REASON``: an action that the rules forbid and the report has.

Empty lines and lines that begin with ``#`` are left out. ``python scripts/replays.py`` writes the logs and the reports
anew, so that version control shows what a change of the rules changed.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from geometry.drawing.svg import svg_text
from tabletop.aar.adapters import report_adapter
from tabletop.aar.chances import chances_from_json, with_chances
from tabletop.aar.compose import full_report, short_report
from tabletop.aar.markdown import markdown_text
from tabletop.aar.story import Story, tell
from tabletop.errors import TabletopError
from tabletop.game import Game
from tabletop.game.core import REFEREE
from tabletop.game.jsonl import LogHeader, game_from_log, read_log, write_log
from tabletop.game.records import Record
from tabletop.game.registry import ruleset
from tabletop.rulesets.one_hour_ww2.data import HouseRules
from tabletop.starting.scenarios import find
from tests.paths import DATA

FOLDER = DATA / "replays"
RULES = "one-hour-ww2"
CHANCES = "chances.json"
PACE = timedelta(seconds=20)

_KEY = re.compile(r"(title|scenario|date|dice|house): (.+)")
_HEADING = re.compile(r"turn (\d+) (\w+)")
_NOTE = re.compile(r"reported (\d+\.\d+): (.+)|filled in: (.+)")
_ACTION = re.compile(r"(overrule )?(.+?)(?: \[([\d ]+)\])?(?(1) because (.+))")


class ScriptError(AssertionError):
    """A script that does not play; names its line."""


@dataclass(frozen=True)
class Replay:
    """A script played: the game, its log, and for every reported statement the records that follow its note."""

    game: Game
    log: bytes
    statements: Mapping[str, tuple[Record, ...]]


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.txt"))


def played(name: str) -> Replay:
    return play((FOLDER / f"{name}.txt").read_text(encoding="utf-8"), name)


def files(name: str, replay: Replay) -> dict[Path, bytes]:
    """What is kept of a replay besides its script: its log, both reports, and the pictures of the short one.

    Its moments are weighed by the chances that were counted and kept in ``chances.json``.
    """
    log = f"{name}.jsonl"
    story = told(replay)
    kept = FOLDER / name / CHANCES
    if kept.is_file():
        story = with_chances(story, chances_from_json(json.loads(kept.read_text(encoding="utf-8"))))
    full, short = full_report(story), short_report(story)
    pictures = {f"{figure.name}.svg": svg_text(figure.sheet, title=figure.alt) for figure in short.figures}
    return {
        FOLDER / log: replay.log,
        FOLDER / name / "full.md": markdown_text(full, folder="pictures/").encode(),
        FOLDER / name / "short.md": markdown_text(short, folder="pictures/").encode(),
        **{FOLDER / name / "pictures" / file: text.encode() for file, text in pictures.items()},
    }


def told(replay: Replay) -> Story:
    return tell(game_from_log(read_log(replay.log, "log")), report_adapter(RULES))


def play(text: str, name: str) -> Replay:
    """A script played; raises ScriptError with the line that does not."""
    lines = [(n, line.strip()) for n, line in enumerate(text.splitlines(), 1)]
    lines = [(n, line) for n, line in lines if line and not line.startswith("#")]
    head, house = {}, {}
    while found := _KEY.fullmatch(lines[0][1]):
        lines.pop(0)
        if found[1] == "house":
            switch, _, value = found[2].partition(" = ")
            house[switch] = _value(switch, value)
        else:
            head[found[1]] = found[2]
    begun = datetime.fromisoformat(head["date"]).replace(tzinfo=UTC)
    setup = find(head["scenario"], RULES).setup
    setup = replace(setup, dice=head.get("dice", setup.dice), rules=replace(setup.rules, **house))
    game = Game.new(ruleset(RULES), setup, clock=_clock(begun), ids=_ids(name))
    statements: dict[str, list[Record]] = {}
    gathered: list[Record] = []
    for n, line in lines:
        try:
            if found := _NOTE.fullmatch(line):
                number, reported, filled = found.groups()
                told = f"Reported ({number}): {reported}" if number else f"Filled in: {filled}"
                game.note(told, actor=REFEREE)
                gathered = statements.setdefault(number, []) if number else []
            elif found := _HEADING.fullmatch(line):
                if (game.state.turn, game.state.side) != (int(found[1]), found[2]):
                    raise ScriptError(f"it is turn {game.state.turn}, {game.state.side}")
            else:
                gathered += _act(game, line)
        except (TabletopError, ScriptError) as error:
            raise ScriptError(f'{name}, line {n}, "{line}": {error}') from error
    header = LogHeader(RULES, ruleset(RULES).version, name, head["title"], begun.isoformat(timespec="seconds"))
    return Replay(game, write_log(header, game.records), {number: tuple(rows) for number, rows in statements.items()})


def _act(game: Game, line: str) -> tuple[Record, ...]:
    found = _ACTION.fullmatch(line)
    if found is None:
        raise ScriptError("no action")
    overrule, words, dice, why = found.groups()
    if why:
        game.note(f"Overruled: {why}", actor=REFEREE)
    faces = [int(face) for face in dice.split()] if dice else None
    return game.push(game.parse(words), faces, overrule=overrule is not None)


def _value(switch: str, value: str) -> Any:
    usual = getattr(HouseRules(), switch)
    return value == "yes" if isinstance(usual, bool) else type(usual)(value)


def _clock(begun: datetime) -> Callable[[], str]:
    calls = iter(range(1_000_000))
    return lambda: (begun + PACE * next(calls)).isoformat(timespec="seconds")


def _ids(name: str) -> Callable[[], str]:
    calls = iter(range(1, 1_000_000))
    return lambda: f"{name}-{next(calls):04d}"
