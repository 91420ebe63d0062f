"""One server with its data folder: everything that its routes share."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from api.auth.access import HOST, SPECTATOR, Role, Seat, acts_as, may_act, may_see, roles_of
from api.auth.access import Limits as SeatLimits
from api.auth.program_tokens import ProgramTokens
from api.auth.seats import SERVER, Invited, Seats
from api.engine import Engine
from api.games.commands import Command, CommandHandler, Done
from api.games.computing import log_of, observation_of, read_wanted, wanted_key, write_wanted
from api.games.event_stream import Notifier
from api.games.watcher import Watcher
from api.processes.work_queue import WorkQueue, work_processes
from api.services.heavy_work import Later, hand_in, need
from api.services.response_cache import MOST_ANSWERS, MOST_MOMENTS, MOST_WHOLE_TABLES, ResponseCache
from api.settings import Settings
from api.tables import state as states
from api.tables.session import Tables
from api.tables.state import TableState
from api.tables.store import TABLE, Event, Store, opening_event, table_of
from tabletop.errors import TabletopError
from tabletop.game import REFEREE, Game, NoGameError
from tabletop.game.opponents import Proposal, summary_of
from tabletop.game.records import GameSummary, asked_back, computers_of, groups, taken_back
from tabletop.game.store import EventStore, GameEntry
from tabletop.game.violations import Violation
from tabletop.reconcile.drawn_terrain import stated_terrain
from tabletop.tables.table_for_game import table_file_for


@dataclass(frozen=True)
class Standing:
    """The state of a game for its followers: the numbers of the last events of the game and of its table, the seats
    there and at the server by their names, without when they were last used, and the names of the valid tokens of
    programs."""

    seq: int
    table_seq: int
    seats: Mapping[str, Seat]
    tokens: frozenset[str]


class Services:
    """The services over a data folder. Any thread may call.

    ``rng`` rolls the dice that players have rolled; ``seat_limits`` bound invitations and guesses (tests give theirs).
    ``at_end``: called first when the server stops; ``at_once``: where it ends before it has stopped.
    """

    def __init__(
        self,
        settings: Settings,
        engine: Engine,
        *,
        rng: random.Random | None = None,
        seat_limits: SeatLimits | None = None,
    ) -> None:
        self.settings = settings
        self.engine = engine
        self.store = Store(settings.data_dir, settings.url, settings.photos)
        self.tables = Tables(self.store, engine, settings.collection)
        self.commands = CommandHandler(self.event_store, rng, self._shown)
        self.notifier = Notifier(settings.url)
        self.watcher = Watcher(self.notifier, self.standings, settings.look_again_s)
        self.seats = Seats(self.event_store, seat_limits)
        self.tokens = ProgramTokens(self.event_store, self.seats)
        self.cache = ResponseCache(MOST_ANSWERS)
        self.whole_tables = ResponseCache(MOST_WHOLE_TABLES)
        self.moments = ResponseCache(MOST_MOMENTS)
        self.work = WorkQueue(work_processes(engine.looks.load))
        self.at_end: list[Callable[[], None]] = []
        self.at_once: list[Callable[[], None]] = []

    @property
    def event_store(self) -> EventStore:
        """The database of games, tables and seats."""
        return self.store.kept

    def end(self) -> None:
        """End every stream and all heavy work, later ones too: the server stops."""
        for ending in self.at_end:
            ending()
        self.notifier.end()
        self.work.close()

    def end_at_once(self) -> None:
        """End every process and store what was written, where the server ends before it has stopped."""
        for ending in self.at_once:
            ending()
        self.event_store.checkpoint()

    # --- games -------------------------------------------------------------------------------------------------------

    def games(self) -> list[GameEntry]:
        """All games with rules, the most recently used one first."""
        return [entry for entry in self.event_store.games() if entry.rules != TABLE]

    def summaries(self, entries: Iterable[GameEntry]) -> dict[str, GameSummary]:
        """The summaries of games by their names: stored ones that match the last event, others computed and stored."""
        kept, found = self.event_store.summaries(), {}
        for entry in entries:
            known = kept.get(entry.game)
            if known is None or known.seq != entry.last:
                known = self.cache.get(("summary", entry.game, entry.last), partial(self._summary, entry))
            if known is not None:
                found[entry.game] = known
        return found

    def _summary(self, entry: GameEntry) -> GameSummary | None:
        """A game's summary, computed from its events; ``None`` where it can't be opened: opening it says why."""
        try:
            found = summary_of(self.commands.game(entry.game, entry.last))
        except TabletopError:
            return None
        self.event_store.keep_summary(entry.game, found)
        return found

    def entry(self, game: str) -> GameEntry:
        """The store's entry of a game with rules; raises NoGameError."""
        entry = self.event_store.entry(game)
        if entry.rules == TABLE:
            raise NoGameError(f'"{game}" is a table without a game; open it from the start page.')
        return entry

    def rename_game(self, game: str, title: str) -> None:
        """Give a game another title; raises NoGameError. Other processes show it after the game's next event."""
        self.event_store.rename(game, title)
        self.cache.drop("head", game)

    def remove_game(self, game: str) -> None:
        """Delete a game, its table and the pictures of its photos for good, its seats first. Raises NoGameError."""
        self.entry(game)
        for seat in self.seats.seats(game):
            self.revoke_seat(seat.seat)
        table = table_of(game)
        photos = self.store.hashes(table)
        self.event_store.remove(game, table)
        self.store.drop_pictures(table, *photos)
        self.commands.forget(game)
        self.cache.drop("table", table)
        self.notifier.notify(game)

    def stored_tables(self) -> list[GameEntry]:
        """All tables that belong to no game, the most recently used first, even if a game was made from them."""
        entries = self.event_store.games()
        owned = {table_of(entry.game) for entry in entries if entry.rules != TABLE}
        return [entry for entry in entries if entry.rules == TABLE and entry.game not in owned]

    def lone_tables(self) -> list[GameEntry]:
        """All tables that belong to no game and became none, the most recently used first."""
        return [entry for entry in self.stored_tables() if not self.store.has(opening_event(entry.game))]

    def has_seats(self, name: str) -> GameEntry:
        """The store's entry of a game, or of a table that belongs to none: both have seats of their own.

        Raises NoGameError for others; a game's table has its game's seats.
        """
        entry = self.event_store.entry(name)
        if entry.rules == TABLE:
            owner = self.owner_of(name)
            if owner is not None:
                raise NoGameError(f'This is the table of the game "{owner}": its seats are the game\'s.')
        return entry

    def owner_of(self, table: str) -> str | None:
        """The game that a table belongs to, or ``None``."""
        return next((one.game for one in self.games() if table_of(one.game) == table), None)

    def table(self, game: str, *, lay: bool = False) -> TableState:
        """The table that a game's photos are read on. With ``lay`` a missing one is created, to be changed; otherwise
        it is returned as it would be created, and nothing is written. Raises NoGameError."""
        table = table_of(game)
        if not self.event_store.last(table):
            row = self._table_row(game)
            if not lay:
                return states.fold(table, [Event(1, self.entry(game).created, TABLE, row)])
            self.tables.create(row["toml"], row["name"], table)
        return self.tables.get(table)

    def table_source(self, game: str) -> str:
        """The text of a game's table file, with the grid's present place; raises NoGameError."""
        table = table_of(game)
        return self.tables.source(table) if self.event_store.last(table) else self._table_row(game)["toml"]

    def _table_row(self, game: str) -> dict[str, str]:
        """The table file of a game's own table, as its first event has it."""
        toml = table_file_for(self.entry(game).rules, self.commands.game(game).state)
        return {"name": f"{game}.table.toml", "toml": toml}

    def _shown(self, game: str) -> Mapping[str, Any] | None:
        """The observation of the last photo of a game's table, with the answers so far; ``None`` before the first."""
        table = table_of(game)
        last = self.event_store.last(table)
        return self.cache.get(("shown", table, last), lambda: self._observation(table)) if last else None

    def _observation(self, table: str) -> Mapping[str, Any] | None:
        self.cache.drop("shown", table)  # older observations are large and not needed again
        state = self.tables.get(table)
        return None if state.photo is None else state.observation()

    def lay_terrain(self, game: str) -> None:
        """Have a game's table know the terrain that its players have changed since it began or was laid last, so that
        the next photo is read by it; raises NoGameError, ConflictError."""
        stated, table = stated_terrain(self.commands.game(game)), self.table(game, lay=True)
        if table.table.overlay is not None:
            return  # terrain of a board is laid with its grid
        laid = stated.begun if table.laid_terrain is None else table.laid_terrain
        if stated.whole != laid or bool(stated.whole) != bool(table.table.terrain):
            self.tables.lay_terrain(table_of(game), stated.whole)
        self.tables.draw_terrain(table_of(game), stated.drawn)

    def play(self, name: str, command: Command, seat: Seat) -> Done:
        """Carry out a seat's command, and wake the game's followers; raises as :meth:`CommandHandler.do`."""

        def may(game: Game, action: object) -> Violation | None:
            return self._against(seat, game, action, command)

        agrees = self.agrees(seat, self.commands.game(name)) if command.agreed else None
        done = self.commands.do(name, command, actor=agrees, viewer=self.viewer(seat), may=may)
        if not done.again:
            self.notifier.notify(name)
        return done

    def tell(self, name: str, id_: str, job: Callable[[Game], object], seat: Seat, *, after: int | None = None) -> Done:
        """Run a job on the game (see :meth:`CommandHandler.carry_out`), and wake the game's followers."""
        seen = self.commands.game(name).seq if after is None else after
        done = self.commands.carry_out(name, id_, seen, job, viewer=self.viewer(seat))
        if not done.again:
            self.notifier.notify(name)
        return done

    def wanted(self, game: Game) -> Proposal | None:
        """What a computer wants to do now in a game, or in a trial of it; raises as :func:`need` in a heavy route."""
        if not computers_of(game.records) or game.outcome is not None:
            return None
        key = ("wanted", wanted_key(game))
        rows = json.loads(need(self.work, key, write_wanted, Later(partial(log_of, game)), observation_of(game)))
        for then, row in rows[1:]:  # these are requested next
            hand_in(("wanted", then), json.dumps([[then, row]]).encode())
        return read_wanted(rows[0][1], game)

    def against(self, seat: Seat, game: Game, action: object, overrule: bool = False) -> Violation | None:
        """Why a seat may not take an action; ``None`` where it may: any player may take the one that a computer
        wants."""
        found = may_act(seat, game.ruleset, game.state, action, overrule=overrule)
        if found is None or found.code != "not-yours" or not acts_as(seat, game.ruleset, game.state):
            return found
        wanted = self.wanted(game)
        same = wanted is not None and not wanted.secret and wanted.words == game.ruleset.text(action)
        return None if same else found

    def _against(self, seat: Seat, game: Game, action: object, command: Command) -> Violation | None:
        """Why a seat may not take an action, or undo or redo the last one (``None``)."""
        if action is not None:
            return self.against(seat, game, action, command.overrule)
        own = acts_as(seat, game.ruleset, game.state)
        if command.referee and REFEREE not in own:
            return Violation("not-the-host", "Only the host can take back rolled dice: ask the host to.", firm=True)
        if command.agreed:
            asks = self.agrees(seat, game)
            return None if asks else Violation("not-asked", "There is no request to take that back.", firm=True)
        whose = actor_taken_back(game) if command.redo else last_actor(game)
        if whose is None or command.referee or whose in own:
            return None
        return Violation("not-yours", f"Only {whose} or the host can take back the last action.", firm=True)

    def agrees(self, seat: Seat, game: Game) -> str | None:
        """The side for which a seat may allow another side's request to take back its last action."""
        asking = asked_back(game.records)
        if asking is None:
            return None
        own = acts_as(seat, game.ruleset, game.state)
        others = [side for side in game.ruleset.sides(game.state) if side in own and side != asking.actor]
        return next(iter(others), None)

    # --- following ---------------------------------------------------------------------------------------------------

    def standings(self, games: Collection[str]) -> dict[str, Standing]:
        """The present state of games."""
        tables = {game: table_of(game) for game in games}
        last = self.event_store.last_of([*tables, *tables.values()])
        seats: dict[str, dict[str, Seat]] = {game: {} for game in (SERVER, *games)}
        for seat in self.seats.seats(*seats):
            seats[seat.game][seat.seat] = replace(seat, seen=seat.created)
        tokens = self.tokens.good(*seats)
        return {
            game: Standing(last[game], last[table], {**seats[SERVER], **seats[game]}, tokens)
            for game, table in tables.items()
        }

    # --- seats -------------------------------------------------------------------------------------------------------

    def revoke_seat(self, seat: str) -> Seat:
        """Take a seat away, and its player's drawing margin; raises SeatError."""
        revoked = self.seats.revoke(seat)
        self.tables.margins.forget(seat)
        return revoked

    def viewer(self, seat: Seat) -> str | None:
        """The viewer by whom a seat sees its game now; raises RevokedError."""
        game = self.commands.game(seat.game)
        return may_see(seat, game.ruleset, game.state)

    def roles(self, game: str) -> tuple[Role, ...]:
        """The roles that can be given at a game or a table; at the server itself the host's. Raises NoGameError."""
        if game == SERVER:
            return (HOST,)
        if self.has_seats(game).rules == TABLE:
            sides = self.tables.get(game).table.sides
            return (HOST, *(Role("side", side.id) for side in sides), SPECTATOR)
        playing = self.commands.game(game)
        return roles_of(playing.ruleset, playing.state)

    def welcome(self) -> Invited:
        """An invitation for the host of this server, shown on its terminal."""
        return self.seats.invite(SERVER, [HOST])


def actor_taken_back(game: Game) -> str | None:
    """The actor of the last undone action, which may be redone; ``None`` without one."""
    undone = taken_back(game.records)
    return undone[-1][0].actor if undone else None


def last_actor(game: Game) -> str | None:
    """The actor of the last valid action; ``None`` before the first."""
    played = groups(game.records)
    return played[-1][0].actor if len(played) > 1 else None
