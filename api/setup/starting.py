"""Starting a game on the server: the plan of a wish, the game and its table, and the errors of a wish by field."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from fastapi_problem.error import StatusProblem

from api.auth.access import Role, check_roles, is_secret, roles_of
from api.errors import ConflictError, problem_of
from api.schemas.starting import BeginWish, FormWish, UnitWish
from api.services.heavy_work import need
from api.services.services import Services
from api.tables.store import table_of
from geometry.drawing.letters import one_line
from tabletop.errors import TableFileError, TabletopError, UsageError
from tabletop.game import Game
from tabletop.game.jsonl import LogHeader, read_log, write_log
from tabletop.game.opponents import seat_computers
from tabletop.game.parts import DEFAULT_RULES, PARTS
from tabletop.game.registry import ruleset
from tabletop.game.store import GameEntry
from tabletop.game.tables import EVENT
from tabletop.reading.toml_source import did_you_mean
from tabletop.starting import new_game
from tabletop.starting.catalogue import standard
from tabletop.starting.new_game import BY_NAME, FROM_TABLE, BoardWishes, Plan
from tabletop.starting.scenarios import ScenarioError, find, list_scenarios
from tabletop.starting.table_form import Blank, BlankError, BlankSide, BlankUnit
from tabletop.starting.table_form import table_of as table_of_blank
from tabletop.tables.model import TableFile
from tabletop.tables.table_for_game import BASE_HEIGHT_IN, table_file_for
from tabletop.tables.table_toml import FrameWish, TagWish
from tabletop.tables.tablefile import parse_table

OWN_TABLE = "the table file"
_BOARD_WISHES = ("mode", "easier", "handicap", "bid", "commander_apart", "messages", "position")


MOST_UNITS, MOST_BASES, MOST_CORNERS = 200, 600, 6000
"""The limits of a game's table here: others wait while an answer about it is computed."""
MOST_FAULTS = 100
"""The most errors that one answer lists."""


class FormProblem(StatusProblem):
    """Fields are filled in wrongly; ``found`` are all errors, each with its place and text."""

    type_ = "form"
    title = "This game can't be started"
    status = 422

    def __init__(self, faults: Sequence[tuple[str, str]]) -> None:
        more = f" And {len(faults) - 1} more." if len(faults) > 1 else ""
        self.found = tuple(faults)
        rows = [{"where": where, "what": what} for where, what in faults[:MOST_FAULTS]]
        super().__init__(f"{faults[0][1]}{more}", faults=rows)


@dataclass(frozen=True)
class Laid:
    """The plan of a wish, and the table file's text where one was given (``None``: generated for the game)."""

    plan: Plan
    table: str | None = None


# --- the wish ----------------------------------------------------------------------------------------------------


def laid_out(wish: BeginWish) -> Laid:
    """The plan of a wish; raises FormProblem with every error, field by field."""
    faults = list(_against_each_other(wish))
    roster = None
    if wish.table_file is not None:
        try:
            roster = parse_table(wish.table_file, wish.table_name or OWN_TABLE)
        except TableFileError as error:
            faults += [("table_file", str(fault)) for fault in error.faults] or [("table_file", problem_of(error))]
    text = wish.table_file
    if wish.form is not None:
        try:
            rules = wish.rules if wish.rules is not None and wish.rules in FROM_TABLE else DEFAULT_RULES
            text = table_of_blank(blank_of(wish.form, rules))
            roster = parse_table(text, "The form")
        except BlankError as error:
            faults += [(f"form.{fault.field}", fault.says) for fault in error.faults]
    if roster is not None:
        faults += [("table_file" if wish.form is None else "form", fault) for fault in _size_faults(roster)]
    if faults:
        raise FormProblem(faults)
    where = _field_of(wish)
    try:
        return Laid(_plan(wish, roster), text)
    except ScenarioError as error:
        raise FormProblem([(where, fault.text) for fault in error.faults] or [(where, problem_of(error))]) from error
    except TabletopError as error:
        raise FormProblem([("position" if wish.position is not None else where, problem_of(error))]) from error


def _size_faults(table: TableFile) -> Iterator[str]:
    """The numbers of a table that exceed a game's limits here."""
    bases, corners = (sum(unit.bases for unit in table.units), sum(len(piece.polygon) for piece in table.terrain))
    for what, count, most in (
        ("units", len(table.units), MOST_UNITS),
        ("bases", bases, MOST_BASES),
        ("corners of terrain", corners, MOST_CORNERS),
    ):
        if count > most:
            yield f"The table has {count} {what}, and a game on this server at most {most}: leave some out."


def _field_of(wish: BeginWish) -> str:
    """The field to which an error of the whole wish belongs."""
    filled = (("table_file", wish.table_file), ("form", wish.form), ("scenario", wish.scenario))
    return next((name for name, value in filled if value is not None), "rules")


def _against_each_other(wish: BeginWish) -> Iterator[tuple[str, str]]:
    """Errors of fields that exclude each other, and unknown names."""
    named = PARTS.get(wish.rules or "")
    title = named.title if named else ""
    if wish.scenario is None and wish.table_file is None and wish.form is None and wish.rules is None:
        yield "scenario", "Choose a scenario or rules, bring a table file, or fill in a form."
    if wish.form is not None and (wish.scenario is not None or wish.table_file is not None):
        yield "form", "A form makes its own table: leave the scenario and the table file out, or the form."
    if wish.scenario is not None and wish.rules is not None and wish.rules not in FROM_TABLE:
        yield "rules", "A scenario has its rules: leave the rules out, or the scenario."
    known = [entry.id for entry in list_scenarios()]
    if wish.scenario is not None and wish.scenario not in known:
        yield "scenario", f'There is no scenario "{wish.scenario}"; {did_you_mean(wish.scenario, known)}'
    if wish.choices and wish.scenario is None:
        yield "choices", "Choices belong to a scenario: pick one, or leave them out."
    if wish.rules in PARTS and wish.rules not in BY_NAME and wish.rules not in FROM_TABLE:
        if wish.scenario is None:
            titles = ", ".join(entry.title for entry in list_scenarios(wish.rules))
            yield "rules", f"Games of {title} start from a scenario: choose one, {titles}."
    elif wish.rules is not None and wish.rules not in PARTS:
        yield "rules", f'There are no rules "{wish.rules}"; {did_you_mean(wish.rules, [*FROM_TABLE, *BY_NAME])}'
    if wish.rules in FROM_TABLE and wish.table_file is None and wish.form is None and wish.scenario is None:
        yield "rules", f"{title} needs a scenario, a table file or a form with the units."
    if wish.form is not None and wish.rules in BY_NAME:
        yield "form", f"{title} has its own units: leave the form out."
    if _by_name(wish) or (wish.table_file is not None and wish.scenario is None and wish.rules is None):
        return
    yield from _needless(wish)


def _needless(wish: BeginWish) -> Iterator[tuple[str, str]]:
    """Errors of fields that belong only to games that start from their rules' name."""
    for key in _BOARD_WISHES:
        if getattr(wish, key) not in (None, False):
            yield key, f"This belongs to a game of {' or '.join(PARTS[one].title for one in BY_NAME)}: leave it out."


def _by_name(wish: BeginWish) -> str | None:
    """The rules of a wish to start a game by the name of its rules."""
    return wish.rules if wish.rules in BY_NAME and wish.scenario is None and wish.form is None else None


def _plan(wish: BeginWish, roster: TableFile | None) -> Plan:
    by_name = _by_name(wish)
    if roster is not None and wish.scenario is None and wish.rules is None and roster.rules in BY_NAME:
        by_name = roster.rules
    if by_name is not None:
        if wish.dice == "d5":
            raise FormProblem([("dice", f"{PARTS[by_name].title} is played with ordinary dice: leave the dice out.")])
        wishes = BoardWishes(
            wish.mode, wish.easier, wish.position, wish.handicap, wish.bid, wish.commander_apart, wish.messages
        )
        return new_game.of_name(by_name, wishes, roster)
    if wrong := list(_needless(wish)):
        raise FormProblem(wrong)
    if wish.scenario is not None:
        made = new_game.of_scenario(find(wish.scenario), roster, wish.choices)
    else:
        assert roster is not None
        name = "battle" if wish.form is not None or not wish.table_name else wish.table_name
        made = new_game.of_roster(roster, new_game.name_of_file(name), wish.rules)
    return made if wish.dice is None else new_game.with_dice(made, wish.dice)


def blank_of(form: FormWish, rules: str = DEFAULT_RULES) -> Blank:
    """A form with its defaults filled in."""
    size = TagWish().size_in if form.tag_in is None else form.tag_in
    return Blank(
        form.width_in,
        form.depth_in,
        rules,
        sides=tuple(BlankSide(side.id, side.rim) for side in form.sides),
        units=tuple(_unit(unit) for unit in form.units),
        frame=FrameWish() if form.markers else None,
        tags=TagWish(size_in=size, every_base=form.every_base) if form.tags else None,
    )


def _unit(unit: UnitWish) -> BlankUnit:
    usual = standard(unit.kind) or standard("infantry")
    assert usual is not None
    width = usual.width_in if unit.width_in is None else unit.width_in
    depth = usual.depth_in if unit.depth_in is None else unit.depth_in
    return BlankUnit(
        unit.id,
        unit.side,
        unit.kind,
        usual.bases if unit.bases is None else unit.bases,
        unit.shape,
        width,
        width if unit.shape == "round" else depth,
        BASE_HEIGHT_IN if unit.height_in is None else unit.height_in,
        unit.unique,
    )


# --- the game and its table --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Begun:
    """A game that was started, by this wish or by the same one before."""

    game: str
    title: str
    notes: str
    roles: tuple[Role, ...]
    again: bool


@dataclass(frozen=True)
class Tried:
    """A wish computed up to the game's first moment: its plan and title, the game, its table file's text, and the
    host's ``roles`` among all those ``known``."""

    plan: Plan
    title: str
    trial: Game
    table: str
    roles: tuple[Role, ...]
    known: tuple[Role, ...]


def try_out(wish: BeginWish) -> Tried:
    """The game that a wish would start; raises FormProblem with every error."""
    laid = laid_out(wish)
    trial = Game.new(ruleset(laid.plan.rules), laid.plan.setup, ids=first_ids(wish.id))
    if wish.computers:
        try:
            seat_computers(trial, wish.computers)
        except UsageError as error:
            raise FormProblem([("computers", problem_of(error))]) from error
    roles = _roles(wish, trial)
    text = laid.table
    if text is None:
        try:
            text = table_file_for(laid.plan.rules, trial.state)
        except TabletopError as error:
            raise FormProblem([(_field_of(wish), problem_of(error))]) from error
    title = one_line(wish.title) or laid.plan.title
    return Tried(laid.plan, title, trial, text, roles, roles_of(trial.ruleset, trial.state))


def begin(services: Services, wish: BeginWish) -> Begun:
    """Start the game of a wish and create its table; repeated, return the game that it started.

    Raises FormProblem, ConflictError; nothing is stored then. In a heavy route as :func:`need`.
    """
    told = tried_elsewhere(services, wish, write_begun)
    title = str(told["title"])
    known = game_begun_by(services, wish.id)
    game = known
    if game is None:
        like = title if wish.title.strip() else told["plan"]
        game = new_game.free_name(like, {entry.game for entry in services.event_store.games()})
        log = read_log(told["log"].encode())
        entry = GameEntry(game, log.header.rules, log.header.rules_version, title)
        services.event_store.create(entry, log.records)
    if not services.event_store.last(table_of(game)):
        services.tables.create(told["table"], wish.table_name or f"{game}.table.toml", table_of(game))
    roles = tuple(map(Role.parse, told["roles"]))
    return Begun(game, title, told["notes"], roles, again=known is not None)


def tried_elsewhere(services: Services, wish: BeginWish, write: Callable[[Tried], Any]) -> Any:
    """The JSON of a wish's plan, written by ``write`` in another process; raises FormProblem with every error, and as
    :func:`need` in a heavy route."""
    key = (write.__name__, hashlib.sha256(wish.model_dump_json().encode()).hexdigest())
    told = json.loads(need(services.work, key, write_tried, wish, write))
    if "faults" in told:
        raise FormProblem([(where, what) for where, what in told["faults"]])
    return told["found"]


def write_tried(wish: BeginWish, write: Callable[[Tried], Any]) -> bytes:
    """The JSON of a wish's plan by ``write``, or the errors of the wish."""
    try:
        told = {"found": write(try_out(wish))}
    except FormProblem as problem:
        told = {"faults": problem.found}
    return json.dumps(told).encode()


def write_begun(tried: Tried) -> dict[str, Any]:
    """The title, notes, roles, table file and first events of a game."""
    trial = tried.trial
    log = write_log(LogHeader(trial.ruleset.name, trial.version), trial.records)
    return {
        "plan": tried.plan.id,
        "title": tried.title,
        "notes": tried.plan.notes,
        "roles": [str(role) for role in tried.roles],
        "table": tried.table,
        "log": log.decode(),
    }


def _roles(wish: BeginWish, trial: Game) -> tuple[Role, ...]:
    """The host's roles: the requested ones, else all that one player alone would play."""
    known = roles_of(trial.ruleset, trial.state)
    playing = [role for role in known if role.kind not in ("host", "spectator")]
    if wish.play is None:
        playing = [role for role in playing if role.name not in wish.computers or role.kind != "side"]
        return (known[0], *(playing[:1] if is_secret(trial.ruleset, trial.state) else playing))
    try:
        return check_roles([known[0], *(Role.parse(word) for word in wish.play)], trial.ruleset, trial.state)
    except TabletopError as error:
        raise FormProblem([("play", problem_of(error))]) from error


def game_begun_by(services: Services, event: str) -> str | None:
    """The game with that id of its first event."""
    with services.event_store.reading() as connection:
        row = connection.execute(sa.select(EVENT.c.game, EVENT.c.seq).where(EVENT.c.id == event)).one_or_none()
    if row is None:
        return None
    if row.seq != 1:
        raise ConflictError("This id has started another game: try again with a new one.")
    return str(row.game)


def first_ids(event: str) -> Callable[[], str]:
    """Ids for a game's first records: the wish's own, then numbered ones."""
    names: Iterator[Any] = iter(range(1_000_000))

    def make_id() -> str:
        number = next(names)
        return event if number == 0 else f"{event}.{number}"

    return make_id
