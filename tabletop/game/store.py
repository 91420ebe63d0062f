"""Games kept in a database: one append-only table of events, SQLite by default, others by their URL.

Accepted records are on the disk: SQLite writes ahead (WAL) and syncs every commit, so that neither a killed
process nor a power cut loses an event. The tables of an older program are migrated when they are opened.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import local
from typing import Any

import sqlalchemy as sa
from sqlalchemy import exc

from tabletop.errors import UsageError
from tabletop.game import migrations
from tabletop.game.core import Game, Journal, new_id, now
from tabletop.game.errors import ConflictError, EventError, LogError, NoGameError, StoreError
from tabletop.game.pg_bounds import Outage, create_bounded_engine
from tabletop.game.records import GameSummary, Record
from tabletop.game.registry import ruleset
from tabletop.game.tables import ARCHIVED, EVENT, GAME, METADATA, SEAT, SUMMARY
from tabletop.words import without_login

PATIENCE_S = 10.0
"""How long to wait for another process that is writing."""

_ENTRY = (GAME.c.game, GAME.c.rules, GAME.c.version, GAME.c.title, GAME.c.created)
_NEXT_USE = sa.select(sa.func.coalesce(sa.func.max(GAME.c.turn_of_use), 0) + 1).scalar_subquery()
"""The game with the largest number was used last: times in whole seconds would leave ties."""
_RECORD = (
    EVENT.c.seq, EVENT.c.id, EVENT.c.at, EVENT.c.actor, EVENT.c.kind, EVENT.c.body, EVENT.c.group_seq, EVENT.c.action,
    EVENT.c.photo,
)  # fmt: skip
_LAST = sa.select(sa.func.coalesce(sa.func.max(EVENT.c.seq), 0)).where(EVENT.c.game == sa.bindparam("game"))
_LAST_OF = sa.select(
    GAME.c.game, sa.select(sa.func.max(EVENT.c.seq)).where(EVENT.c.game == GAME.c.game).scalar_subquery()
).where(GAME.c.game.in_(sa.bindparam("games", expanding=True)))
_LAST_SEQ, _LAST_AT = (
    sa.select(column).where(EVENT.c.game == GAME.c.game).order_by(EVENT.c.seq.desc()).limit(1).scalar_subquery()
    for column in (EVENT.c.seq, EVENT.c.at)
)
_ENTRY_OF = sa.select(*_ENTRY, sa.func.coalesce(_LAST_SEQ, 0), sa.func.coalesce(_LAST_AT, GAME.c.created)).where(
    GAME.c.game == sa.bindparam("game")
)
_RECORDS = (
    sa.select(*_RECORD)
    .where(EVENT.c.game == sa.bindparam("game"), EVENT.c.seq > sa.bindparam("after"))
    .order_by(EVENT.c.seq)
)


@dataclass(frozen=True)
class GameEntry:
    """A game of the store: the rules and their version at its beginning, a title, the time of its beginning.

    ``last`` is the number of its last event (0: none yet), and ``used`` the time of it.
    """

    game: str
    rules: str
    version: int
    title: str = ""
    created: str = ""
    last: int = 0
    used: str = ""


_AT_ONCE = 1000
"""The number of rows that are copied at once."""


@dataclass(frozen=True)
class _Kept:
    """The journal of one game of a store; with ``entry`` the first records also add the game."""

    store: EventStore
    game: str
    entry: GameEntry | None = None

    def append(self, records: Sequence[Record]) -> None:
        if self.entry is not None and records and records[0].seq == 1:
            self.store.create(self.entry, records)
        else:
            self.store.append(self.game, records)


class EventStore:
    """The games of a database: a file (created if missing) or an SQLAlchemy URL. Any thread may call.

    Every method raises StoreError if the database can't be used, with nothing written.
    """

    def __init__(self, where: str | Path) -> None:
        self._engine = _engine(where)
        self.where = self._engine.url.database if _is_sqlite(self._engine) else _shown(self._engine.url)
        self._writer = self._engine.execution_options(tabletop_writes=True)
        level = {} if _is_sqlite(self._engine) else {"isolation_level": "REPEATABLE READ"}
        self._reader = self._engine.execution_options(**level)  # SQLite's transactions do this anyway
        self._outage = Outage()
        self._here = local()
        self.close = weakref.finalize(self, self._engine.dispose)
        """Close the database; done automatically when the store is no longer used."""
        with self._guard():
            self._bring_up_to_date()

    # --- reading ---------------------------------------------------------------------------------------------------

    def games(self) -> list[GameEntry]:
        """All games, the last used one first."""
        used = sa.func.coalesce(sa.func.max(EVENT.c.at), GAME.c.created)
        last = sa.func.coalesce(sa.func.max(EVENT.c.seq), 0)
        query = sa.select(*_ENTRY, last, used).join_from(GAME, EVENT, GAME.c.game == EVENT.c.game, isouter=True)
        order = GAME.c.turn_of_use.desc(), used.desc(), GAME.c.game
        with self.reading() as connection:
            rows = connection.execute(query.group_by(*GAME.c).order_by(*order)).all()
        return [_entry(row) for row in rows]

    def entry(self, game: str) -> GameEntry:
        """The entry of a game; raises NoGameError."""
        with self.reading() as connection:
            row = connection.execute(_ENTRY_OF, {"game": game}).one_or_none()
        if row is None:
            raise self._no_game(game)
        return _entry(row)

    def records(self, game: str, after: int = 0) -> tuple[Record, ...]:
        """The events of a game after number ``after``, in order; none for an unknown game."""
        with self.reading() as connection:
            rows = connection.execute(_RECORDS, {"game": game, "after": after}).all()
        return tuple(
            Record(seq, id_, at, actor, kind, json.loads(body), group, action, photo)
            for seq, id_, at, actor, kind, body, group, action, photo in rows
        )

    def last(self, game: str) -> int:
        """The number of a game's last event; 0 for an unknown game."""
        with self.reading() as connection:
            return _last(connection, game)

    def last_of(self, games: Iterable[str]) -> dict[str, int]:
        """The number of each game's last event; 0 for an unknown game."""
        found = dict.fromkeys(games, 0)
        with self.reading() as connection:
            rows = connection.execute(_LAST_OF, {"games": list(found)}).all()
        return found | {game: last for game, last in rows if last is not None}

    def open_game(self, game: str, *, clock: Callable[[], str] = now, ids: Callable[[], str] = new_id) -> Game:
        """The game replayed from its events, ready to continue; raises NoGameError, RulesError, LogError."""
        entry = self.entry(game)
        rules = ruleset(entry.rules)
        if entry.version > rules.version:
            raise LogError(
                f'The game "{game}" was begun by version {entry.version} of the rules {entry.rules}, and this program '
                f"knows up to {rules.version}. Open it with a newer Tabletop."
            )
        records = self.records(game)
        return Game(rules, records, version=entry.version, journal=self.journal(game), clock=clock, ids=ids)

    # --- writing ---------------------------------------------------------------------------------------------------

    def create(self, entry: GameEntry, records: Sequence[Record] = ()) -> None:
        """Add a game with its first records, all or nothing; raises ConflictError if its id is taken."""
        rows = _rows(entry.game, 0, records)
        values = {column.name: getattr(entry, column.name) for column in _ENTRY} | {"created": entry.created or now()}
        try:
            with self.transaction() as connection:
                connection.execute(sa.insert(GAME), values)
                _use(connection, entry.game)
                if rows:
                    connection.execute(sa.insert(EVENT), rows)
        except exc.IntegrityError as error:
            if any(known.game == entry.game for known in self.games()):
                raise ConflictError(f'There is a game "{entry.game}" already; choose another name.') from error
            raise _known_already(records) from error

    def append(self, game: str, records: Sequence[Record], summary: GameSummary | None = None) -> None:
        """Write the next records of a game, all or none, with the ``summary`` of the game after them.

        Raises ConflictError if their place is taken or would leave a gap, NoGameError, EventError for a body that is
        not JSON.
        """
        if not records:
            return
        try:
            with self.transaction() as connection:
                last = _last(connection, game)
                if not last and connection.execute(sa.select(GAME.c.game).where(GAME.c.game == game)).first() is None:
                    raise self._no_game(game)
                connection.execute(sa.insert(EVENT), _rows(game, last, records))
                _use(connection, game)
                if summary is not None:
                    _summarize(connection, game, summary)
        except exc.IntegrityError as error:
            _next(game, self.last(game), records[0].seq)
            raise _known_already(records) from error

    def start(
        self,
        rules: str,
        setup: object,
        *,
        game: str = "",
        title: str = "",
        clock: Callable[[], str] = now,
        ids: Callable[[], str] = new_id,
    ) -> tuple[str, Game]:
        """Begin a game by the rules of that name, and keep it: its id (``game``, or a new one) and the game.

        Raises RulesError if the rules are unknown or reject the set-up, ConflictError if the id is taken.
        """
        known = ruleset(rules)
        entry = GameEntry(game or new_id(), rules, known.version, title, clock())
        journal = _Kept(self, entry.game, entry)
        return entry.game, Game.new(known, setup, journal=journal, clock=clock, ids=ids)

    def summaries(self) -> dict[str, GameSummary]:
        """The stored summaries of games; the caller must recognise outdated ones."""
        with self.reading() as connection:
            rows = connection.execute(sa.select(SUMMARY)).all()
        return {game: GameSummary(*row) for game, *row in rows}

    def keep_summary(self, game: str, summary: GameSummary) -> None:
        """Store the summary of a game after an event, unless there is one for a later event."""
        with self.transaction() as connection:
            _summarize(connection, game, summary)

    def rename(self, game: str, title: str) -> None:
        """Give a game another title; raises NoGameError."""
        with self.transaction() as connection:
            if not connection.execute(sa.update(GAME).where(GAME.c.game == game).values(title=title)).rowcount:
                raise self._no_game(game)

    def archive(self, game: str, *, away: bool = True) -> None:
        """Archive a game, or restore it; repeated calls change nothing."""
        with self.transaction() as connection:
            connection.execute(sa.delete(ARCHIVED).where(ARCHIVED.c.game == game))
            if away:
                connection.execute(sa.insert(ARCHIVED), {"game": game, "at": now()})

    def archived(self) -> frozenset[str]:
        """The games that are archived."""
        with self.reading() as connection:
            return frozenset(connection.execute(sa.select(ARCHIVED.c.game)).scalars())

    def remove(self, *games: str) -> None:
        """Delete games and everything stored for them, except their seats, which then report that they were removed."""
        with self.transaction() as connection:
            for table in METADATA.sorted_tables:
                if table is not SEAT and "game" in table.c:
                    connection.execute(sa.delete(table).where(table.c.game.in_(games)))

    def journal(self, game: str) -> Journal:
        """The journal to which a :class:`Game` writes its records."""
        return _Kept(self, game)

    # --- for other data stored beside the games ----------------------------------------------------------------------

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """A consistent read view of the database; a block inside another one of its thread uses that one's view.

        Nothing is written inside: a transaction would need a second connection, and there are not enough for that.
        """
        outer: sa.Connection | None = getattr(self._here, "connection", None)
        if outer is not None:
            with self._guard():
                yield outer
            return
        with self._guard(), self._reader.connect() as connection:
            self._here.connection = connection
            try:
                yield connection
            finally:
                self._here.connection = None

    @contextmanager
    def transaction(self) -> Iterator[sa.Connection]:
        """The database in one transaction: everything counts once the block ends, nothing if it raises.

        On SQLite no other process writes meanwhile.
        """
        assert getattr(self._here, "connection", None) is None, "nothing is written while something is read"
        with self._guard(), self._writer.begin() as connection:
            yield connection

    def check_empty(self) -> None:
        """Raise UsageError if anything is stored here."""
        with self.reading() as connection:
            self._check_empty(connection)

    def _check_empty(self, connection: sa.Connection) -> None:
        for table in METADATA.sorted_tables:
            if connection.execute(sa.select(sa.literal(1)).select_from(table).limit(1)).first() is not None:
                raise UsageError(f"{self.where} is not empty: name an empty one.")

    def rows(self) -> dict[str, int]:
        """The number of rows by table."""
        with self.reading() as connection:
            return {
                table.name: connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
                for table in METADATA.sorted_tables
            }

    def copy_to(self, other: EventStore) -> dict[str, int]:
        """Copy everything stored here at one moment into an empty store; returns the number of rows by table. Others
        may write here meanwhile. Raises UsageError if the other store is not empty.
        """
        counts = {}
        with self._guard(), self._reader.connect() as source, other.transaction() as target:
            other._check_empty(target)
            for table in METADATA.sorted_tables:
                counts[table.name] = 0
                for some in source.execute(sa.select(table)).partitions(_AT_ONCE):
                    target.execute(sa.insert(table), [dict(row._mapping) for row in some])
                    counts[table.name] += len(some)
        return counts

    def checkpoint(self) -> None:
        """Write everything in an SQLite file into the main file, so that it can be copied alone; does nothing on other
        databases."""
        if _is_sqlite(self._engine):
            with self._guard(), closing(self._engine.raw_connection()) as connection:
                connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")

    # --- inside ----------------------------------------------------------------------------------------------------

    @contextmanager
    def _guard(self) -> Iterator[None]:
        """Turn errors of the database into a sentence. Callers explain keys that are taken."""
        try:
            with self._outage.turn():
                yield
        except exc.IntegrityError:
            raise
        except (exc.DBAPIError, exc.TimeoutError, sqlite3.Error) as error:
            why = error.orig if isinstance(error, exc.DBAPIError) else error
            fault = StoreError(
                f"The games in {self.where} can't be used ({_first_line(why)}). See that it is a store of "
                "Tabletop, that it is writable, and that no other program holds it, then try again."
            )
            if _is_away(error) and not _is_sqlite(self._engine):
                self._outage.begin(str(fault))
            raise fault from error

    def _no_game(self, game: str) -> NoGameError:
        known = [entry.game for entry in self.games()][:5]
        there = f"the last used are {', '.join(known)}" if known else "no game was begun there yet"
        return NoGameError(f'There is no game "{game}" in {self.where}; {there}.')

    def _bring_up_to_date(self) -> None:
        if _is_sqlite(self._engine):
            self._write_ahead()
        with self._engine.connect() as connection:
            if _step(connection) == migrations.HEAD:
                return
        with self._writer.begin() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(sa.text("SELECT pg_advisory_xact_lock(8683)"))
            current = _step(connection)
            if current == migrations.HEAD:
                return
            self._refuse_others(connection, current)
            migrations.upgrade(connection, current)

    def _write_ahead(self) -> None:
        """Switch the file to WAL; SQLite does not wait automatically if others are opening the file too."""
        until = time.monotonic() + PATIENCE_S
        while True:
            connection = self._engine.raw_connection()
            try:
                connection.cursor().execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > until:
                    raise
                time.sleep(0.01)
            finally:
                connection.close()

    def _refuse_others(self, connection: sa.Connection, current: str | None) -> None:
        """Reject databases written by a newer program or by other software."""
        if current is not None and not ("0001" <= current < migrations.HEAD):
            raise LogError(f"{self.where} was written by a newer Tabletop (step {current}). Open it with that one.")
        inspector = sa.inspect(connection)
        tables = set(inspector.get_table_names())
        columns = {column["name"] for column in inspector.get_columns("event")} if "event" in tables else set()
        if tables and not columns >= {"game", "seq", "at", "kind", "body"}:
            raise LogError(
                f"{self.where} belongs to other software (its tables are {', '.join(sorted(tables))}). "
                "Name another file for the games."
            )


def _make_private(database: str | None) -> None:
    """Make a new database's file readable only by its owner: it has the seats of all players. SQLite gives its own
    files beside it the same rights."""
    if database and database != ":memory:" and not database.startswith("file:"):
        with suppress(OSError):  # opening the database will report the fault
            os.close(os.open(database, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _engine(where: str | Path) -> sa.Engine:
    if isinstance(where, str) and "://" in where:
        try:
            url = sa.make_url(where)
        except (exc.ArgumentError, ValueError) as error:
            shown = without_login(where)
            raise UsageError(f'"{shown}" is no address of a database; it looks like sqlite:///games.sqlite.') from error
    else:
        url = sa.URL.create("sqlite", database=str(where))
    if "@" in (url.host or ""):
        raise UsageError('The address of the database has more than one "@": write one inside a password as %40.')
    kind = url.get_backend_name()
    if kind not in ("sqlite", "postgresql"):
        raise UsageError(
            f"{_shown(url)} is a database that Tabletop does not know: it keeps games in SQLite or PostgreSQL."
        )
    try:
        if kind == "sqlite":
            engine = sa.create_engine(url, connect_args={"timeout": PATIENCE_S})
        else:
            engine = create_bounded_engine(url)
    except (ImportError, exc.NoSuchModuleError) as error:
        raise UsageError(f"{_shown(url)} needs a database driver that is not installed ({error}).") from error
    except exc.ArgumentError as error:
        raise UsageError(f"{_shown(url)} is no address of a file; one looks like sqlite:///games.sqlite.") from error
    if _is_sqlite(engine):
        _make_private(engine.url.database)
        sa.event.listen(engine, "connect", _on_sqlite_connect)
        sa.event.listen(engine, "begin", _on_sqlite_begin)
    return engine


def _shown(url: sa.URL) -> str:
    """An address without its password, wherever that is."""
    return url.set(query={}).render_as_string(hide_password=True)


def _is_away(error: Exception) -> bool:
    """Whether a database could not be reached, or not any longer, rather than rejected a request."""
    if isinstance(error, exc.DBAPIError):
        return error.connection_invalidated or (isinstance(error, exc.OperationalError) and error.statement is None)
    return isinstance(error, exc.TimeoutError)


def _is_sqlite(engine: sa.Engine) -> bool:
    return engine.dialect.name == "sqlite"


def _on_sqlite_connect(connection: sqlite3.Connection, _record: object) -> None:
    """Every commit reaches the disk before it counts; transactions begin when SQLAlchemy begins them.

    Each connection caches half a megabyte of pages: the operating system caches the file for all of them.
    """
    connection.isolation_level = None
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA cache_size = -512")


def _on_sqlite_begin(connection: sa.Connection) -> None:
    """A writer waits for its turn at the beginning, so that its reads are still valid when it writes."""
    writes = connection.get_execution_options().get("tabletop_writes")
    database = connection.connection.driver_connection
    assert isinstance(database, sqlite3.Connection)
    database.execute("BEGIN IMMEDIATE" if writes else "BEGIN")


def _step(connection: sa.Connection) -> str | None:
    """The last migration of the database; ``None`` without any."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    step: str | None = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
    return step


def _first_line(why: object) -> str:
    """The first line of a database's message: the other lines of PostgreSQL's are hints."""
    return str(why).strip().partition("\n")[0]


def _use(connection: sa.Connection, game: str) -> None:
    """Note that a game is the one used last."""
    connection.execute(sa.update(GAME).where(GAME.c.game == game).values(turn_of_use=_NEXT_USE))


def _summarize(connection: sa.Connection, game: str, summary: GameSummary) -> None:
    known = connection.execute(sa.select(SUMMARY.c.seq).where(SUMMARY.c.game == game)).scalar()
    if known is None:
        connection.execute(sa.insert(SUMMARY), {"game": game, **asdict(summary)})
    elif known <= summary.seq:
        connection.execute(sa.update(SUMMARY).where(SUMMARY.c.game == game).values(**asdict(summary)))


def _last(connection: sa.Connection, game: str) -> int:
    return int(connection.execute(_LAST, {"game": game}).scalar_one())


def _entry(row: Iterable[Any]) -> GameEntry:
    return GameEntry(*row)


def _next(game: str, last: int, seq: int) -> None:
    """Reject a number that is not the next one."""
    if seq <= last:
        raise ConflictError(
            f'Event {seq} of the game "{game}" is taken: the game is now at event {last}. Reload it and try again.'
        )
    if seq > last + 1:
        raise ConflictError(
            f'Event {seq} of the game "{game}" can\'t be kept: its last one is event {last}, so event {last + 1} '
            "would be missing."
        )


def _known_already(records: Sequence[Record]) -> ConflictError:
    ids = ", ".join(record.id for record in records[:3]) + (f" and {len(records) - 3} more" if len(records) > 3 else "")
    return ConflictError(f"Another event has one of the ids {ids}, so nothing was added: use a new id.")


def _rows(game: str, last: int, records: Sequence[Record]) -> list[dict[str, Any]]:
    rows = []
    for place, record in enumerate(records):
        _next(game, last + place, record.seq)
        try:
            body = json.dumps(dict(record.body), separators=(",", ":"), allow_nan=False)
        except ValueError as error:
            raise EventError(f"Event {record.seq} can't be kept: it holds a number that is not finite.") from error
        rows.append(
            {
                "game": game,
                "seq": record.seq,
                "at": record.at,
                "kind": record.kind,
                "body": body,
                "id": record.id,
                "actor": record.actor,
                "action": record.action,
                "group_seq": record.group,
                "photo": record.photo,
            }
        )
    return rows
