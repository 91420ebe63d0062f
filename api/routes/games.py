"""Games as a seat sees them: options, commands that count once, events, and the live stream."""

import hashlib
import json
from collections.abc import AsyncIterator, Sequence
from functools import cache, partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse
from pydantic import TypeAdapter
from pydantic_core import to_json

from api.auth.access import HOST, Seat, acts_as, may_see
from api.auth.seats import SERVER
from api.errors import UnusableError, is_away, note_away
from api.games.commands import MOST_OF_NEWS, Command, Done
from api.games.computing import log_of, observation_of, standing_key, write_hint, write_nearest
from api.games.event_stream import StreamEvent, record_event, stream
from api.schemas.games import (
    ActionWish,
    CommandWish,
    DoneOut,
    FormOut,
    GameBrief,
    GameOut,
    GameWish,
    HintOut,
    JudgedOut,
    LogOut,
    MeOut,
    NearestOut,
    NoteWish,
    OddsOut,
    OptionsOut,
    ScreenChangeOut,
    ScreenOut,
)
from api.services.authentication import GameId, Gate
from api.services.heavy_work import Later, heavy, need
from api.services.response_cache import json_response
from api.services.services import Services
from api.setup.board_placement import board_of
from api.views.screens import Screen, Screens, forms
from api.views.seats import me
from geometry.drawing.letters import one_line
from tabletop.boards.data import Board, BoardPiece, plain
from tabletop.game import REFEREE, ActionError, Game, IllegalError
from tabletop.game.actions import split_dice
from tabletop.game.errors import StoreError
from tabletop.game.game_view import GameView
from tabletop.game.hints import dangers
from tabletop.game.parts import PARTS, part
from tabletop.game.protocol import NO_DICE
from tabletop.game.records import EventView, GameSummary, Record
from tabletop.game.store import GameEntry

MOST_TOLD = 40
"""The most games that the list shows with their state: the most recently used ones."""
_PIECES = TypeAdapter(list[BoardPiece])
_AT_ONCE = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
"""Nothing between server and device stores or buffers a stream."""
_EVENTS: dict[int | str, dict[str, Any]] = {
    200: {
        "model": EventView | ScreenChangeOut | MeOut,
        "description": "Server-sent events: `record` is an event of the game (EventView), with its number as id; "
        "`screen` the changes of a screen (ScreenChangeOut); `seat` the own seat with new roles (MeOut); `table` "
        "the number `seq` of the last event of the game's table; `stopping`, the last one: the server stops.",
    }
}


def game_routes(services: Services, gate: Gate) -> APIRouter:
    """The routes."""
    api = gate.router("games")
    screens = Screens(services)
    _add_reading(api, services, screens, gate)
    _add_doing(api, services, screens, gate)
    _add_following(api, services, screens, gate)
    return api


def _add_reading(api: APIRouter, services: Services, screens: Screens, gate: Gate) -> None:
    sitting = Depends(gate.seat)

    @api.get("/games")
    def list_games(request: Request, host: Annotated[Seat | None, Depends(gate.maybe_host)]) -> list[GameBrief]:
        """The games of this server: all for its host; for others, those where they have a seat."""
        mine = {seat.game for seat in gate.seats(request)}
        away = services.event_store.archived()
        shown = [entry for entry in services.games() if host is not None or entry.game in mine]
        told = services.summaries(shown[:MOST_TOLD])
        return [brief(services, entry, entry.game in away, told.get(entry.game)) for entry in shown]

    @api.patch("/games/{game}")
    def change_game(game: GameId, wish: GameWish, _host: Annotated[Seat, Depends(gate.host)]) -> GameBrief:
        """Rename a game, archive it or restore it from the archive."""
        store = services.event_store
        if wish.title is not None:
            services.rename_game(game, one_line(wish.title))
        if wish.archived is not None:
            store.archive(game, away=wish.archived)
        entry = services.entry(game)
        return brief(services, entry, game in store.archived(), services.summaries([entry]).get(game))

    @api.delete("/games/{game}", status_code=204, **gate.for_people)
    def delete_game(game: GameId, _host: Annotated[Seat, Depends(gate.host)]) -> None:
        """Delete a game with its table and its seats. This can't be undone."""
        services.remove_game(game)

    @api.get("/games/{game}", response_model=GameOut)
    def show_game(game: GameId, request: Request) -> Response:
        """A game as this device may see it."""
        with gate.looking(game, request) as (seat, entry):
            now = screens.moment(seat, entry.last)
        return Response(screens.game_json(screens.screen_at(now)), media_type="application/json")

    @api.get("/games/{game}/screen", response_model=ScreenOut)
    def show_screen(game: GameId, request: Request) -> Response:
        """The whole game screen of this device; the stream then sends its changes."""
        with gate.looking(game, request) as (seat, entry):
            now = screens.moment(seat, entry.last)
        return Response(screens.screen_json(screens.screen_at(now)), media_type="application/json")

    @api.get("/games/{game}/options", response_model=OptionsOut)
    def list_options(
        game: GameId, request: Request, unit: Annotated[str | None, Query(max_length=80)] = None
    ) -> Response:
        """What can be done now and what can't, with reasons and odds; for one unit where it is named."""
        with gate.looking(game, request) as (seat, entry):
            playing = services.commands.game(game, entry.last)
        found = screens.options(seat, playing)[1]
        rows = [row for row in found["options"] if unit in (None, row["unit"], row["target"])]
        return json_response({**found, "options": rows})

    @api.get("/games/{game}/forms", response_model=dict[str, FormOut])
    def list_action_forms(
        game: GameId, _seat: Annotated[Seat, sitting], if_none_match: Annotated[str, Header(max_length=200)] = ""
    ) -> Response:
        """Every kind of action of the game's rules, by its verb: how it is written and what its fields are.

        The same at all times; a device that has it asks with its ETag.
        """
        content, etag = _forms_json(services.commands.game(game).ruleset.name)
        if if_none_match == etag:
            return Response(status_code=304, headers={"ETag": etag})
        return Response(content, media_type="application/json", headers={"ETag": etag, "Cache-Control": "no-cache"})

    @api.post("/games/{game}/judge")
    @heavy(services.work)
    def judge_action(game: GameId, wish: ActionWish, seat: Annotated[Seat, sitting]) -> JudgedOut:
        """The result of an action, without doing it."""
        return _judge_action(services, services.commands.game(game), wish, seat, services.viewer(seat))

    @api.post("/games/{game}/nearest")
    @heavy(services.work)
    def find_nearest_place(game: GameId, wish: ActionWish, seat: Annotated[Seat, sitting]) -> NearestOut:
        """The legal place nearest to the one that an action names."""
        playing = services.commands.game(game)
        asked = _read_action(playing, wish)
        action = playing.ruleset.complete(playing.state, asked)
        against = services.against(seat, playing, action)
        if against is not None and _is_secret(playing, action, services.viewer(seat)):
            return NearestOut(seq=playing.seq, at=None, violations=[against])
        data = playing.ruleset.action_to_json(asked)
        key = ("nearest", standing_key(playing), json.dumps(data, sort_keys=True))
        log = Later(partial(log_of, playing))
        found = need(services.work, key, write_nearest, log, observation_of(playing), data)
        return NearestOut(seq=playing.seq, **json.loads(found))

    @api.get("/games/{game}/hint")
    @heavy(services.work)
    def give_hint(game: GameId, seat: Annotated[Seat, sitting]) -> HintOut:
        """What a search or a strong computer player would do now, from what this device may see."""
        playing, viewer = services.commands.game(game), services.viewer(seat)
        key = ("hint", standing_key(playing), viewer)
        log = Later(partial(log_of, playing))
        found = json.loads(need(services.work, key, write_hint, log, observation_of(playing), viewer))
        told = found or {"line": (), "says": "There is nothing to choose now."}
        return HintOut(**{**told, "line": tuple(told["line"])}, seq=playing.seq)

    @api.get("/games/{game}/actions", response_model=dict[str, Any])
    def show_action_schema(game: GameId, _seat: Annotated[Seat, sitting]) -> Response:
        """The JSON Schema of every action in a game of its rules."""
        schema = _schema_json(services.commands.game(game).ruleset.name)
        return Response(schema, media_type="application/json")

    @api.get("/games/{game}/log")
    def list_events(
        game: GameId, seat: Annotated[Seat, sitting], after: Annotated[int, Query(ge=0, le=10_000_000)] = 0
    ) -> LogOut:
        """The events after an event, in sentences."""
        told = services.commands.since(game, after, services.viewer(seat))
        return LogOut(seq=services.commands.game(game).seq, events=list(told))


def _add_doing(api: APIRouter, services: Services, screens: Screens, gate: Gate) -> None:
    sitting = Depends(gate.seat)

    @api.post("/games/{game}/commands")
    @heavy(services.work)
    def send_command(game: GameId, wish: CommandWish, seat: Annotated[Seat, sitting]) -> DoneOut:
        """Do something in the game. Repeating the same command returns its first result.

        The answer contains the changes of the screen that the device names, so that it need not wait for the stream.
        """
        action, dice = (None, None) if wish.action is None else split_dice(wish.action)
        if wish.dice is not None:
            if dice is not None:
                raise UnusableError("The dice are given twice, in the action and beside it: give them once.")
            dice = tuple(wish.dice)
        asked = wish.model_dump(exclude={"dice", "action", "screen"})
        before = screens.screen(seat) if wish.screen else None
        done = done_out(services.play(game, Command(**asked, action=action, dice=dice), seat))
        if before is not None:
            done.screen = screens.change_since(wish.screen, before, screens.screen(seat))
        return done

    @api.post("/games/{game}/notes", status_code=201)
    def keep_note(game: GameId, wish: NoteWish, seat: Annotated[Seat, sitting]) -> DoneOut:
        """Save a player's own words at this point of the log, for the report."""
        text = one_line(wish.text)
        if not text:
            raise UnusableError("The caption is empty: write some text.")
        playing = services.commands.game(game)
        own = acts_as(seat, playing.ruleset, playing.state)
        sides = [side for side in playing.ruleset.sides(playing.state) if side in own]
        who = sides[0] if sides else REFEREE if HOST in seat.roles else next(iter(sorted(own)), "")
        if not who:
            raise UnusableError("Only players and the host can write captions: ask for a side.")
        if wish.keeps is not None and services.agrees(seat, playing) is None:
            raise UnusableError("There is no request to take that back: look at the log.")
        if wish.settles is not None and REFEREE not in own:
            raise UnusableError("Only the host can settle a disagreement: ask the host to.")

        def keep(trial: Game) -> Record:
            about = wish.model_dump(include={"disputes", "settles", "asks_back", "keeps"})
            return trial.note(text, actor=who, **about)

        return done_out(services.tell(game, wish.id, keep, seat))


def _add_following(api: APIRouter, services: Services, screens: Screens, gate: Gate) -> None:
    @api.get("/games/{game}/stream", response_class=EventStream, responses=_EVENTS)
    async def follow_game(
        game: GameId,
        seat: Annotated[Seat, Depends(gate.seat)],
        request: Request,
        last_event_id: Annotated[str | None, Header(max_length=20)] = None,
        after: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
        screen: Annotated[str, Query(max_length=60)] = "",
    ) -> EventStream:
        """All events from here on, and those after the last one that the device had: one stream per device.

        With the version of the ``screen`` that the device shows, the stream also sends the changes of that screen.
        """
        start = int(last_event_id) if last_event_id and last_event_id.isdecimal() else after
        follower = await run_in_threadpool(Follower, services, screens, seat, screen, token=gate.token_name(request))
        events = stream(
            services.watcher.follow(game),
            follower.told,
            start,
            goes_on=follower.goes_on,
            beside=follower.beside,
            afterwards=follower.screen_changes,
        )
        return EventStream(_while_kept(events), headers=_AT_ONCE)


class EventStream(StreamingResponse):
    """Server-sent events, sent as they come: FastAPI's own response has two tasks and two queues for each stream."""

    media_type = "text/event-stream"


async def _while_kept(events: AsyncIterator[StreamEvent]) -> AsyncIterator[bytes]:
    """A stream as it is sent, which ends where the server's storage fails: the device reconnects."""
    try:
        async for event in events:
            yield event.sent
    except (StoreError, OSError) as error:
        if not is_away(error):
            raise
        note_away(error)


class Follower:
    """One device that follows a game, or a program by its token's name: what its seat sees as roles change, and
    messages besides the events.

    :meth:`beside` looks up the game's state; the others report it.
    """

    def __init__(self, services: Services, screens: Screens, seat: Seat, screen: str = "", *, token: str = "") -> None:
        self._services, self._screens, self._seat = services, screens, seat
        self._token = token
        self._is_good = True
        self._roles = seat.roles
        self._standing = services.watcher.standing(seat.game)
        self._table_seq = self._standing.table_seq
        self._version = screen
        self._screen: Screen | None = None

    def goes_on(self) -> bool:
        """Whether the game still exists, and the seat and a program's token are valid."""
        return self._seat.revoked is None and self._is_good and self._standing.seq > 0

    def beside(self) -> Sequence[StreamEvent]:
        """News of the seat itself and of the game's table."""
        self._look()
        news = []
        if self._seat.roles != self._roles:
            self._roles = self._seat.roles
            news.append(StreamEvent("seat", me(self._services, self._seat).model_dump_json()))
        if self._standing.table_seq != self._table_seq:
            self._table_seq = self._standing.table_seq
            news.append(StreamEvent("table", json.dumps({"seq": self._table_seq})))
        return news

    def told(self, after: int) -> Sequence[StreamEvent]:
        """The events after an event, as the seat sees the game now."""
        game, last = self._seat.game, self._standing.seq
        playing = self._services.commands.game(game, last)
        viewer = may_see(self._seat, playing.ruleset, playing.state)

        def tell() -> Sequence[StreamEvent]:
            return [record_event(told) for told in self._services.commands.since(game, after, viewer, last)]

        if last - after > MOST_OF_NEWS:
            return tell()
        return self._services.cache.get(("told", game, after, last, viewer), tell)

    def screen_changes(self) -> Sequence[StreamEvent]:
        """The changes of the screen since they were last sent.

        At first only the version of the device's screen is known: it learns that this is the newest, or gets that.
        """
        if not self._version:
            return ()
        screen = self._screens.newer(self._seat, self._version if self._screen else "", self._standing)
        if screen is None:
            return ()
        news = self._screens.change_since(self._version, self._screen, screen)
        self._screen, self._version = screen, screen.version
        return [StreamEvent("screen", news.model_dump_json())]

    def _look(self) -> None:
        self._standing = self._services.watcher.standing(self._seat.game)
        found = self._standing.seats.get(self._seat.seat) or self._services.seats.seat(self._seat.seat)
        if found.game == self._seat.game or found.revoked is not None:
            self._seat = found
        if self._token and self._token not in self._standing.tokens:
            self._is_good = self._token in self._services.tokens.good(SERVER, self._seat.game)


# --- shaping -----------------------------------------------------------------------------------------------------


def brief(services: Services, entry: GameEntry, archived: bool, summary: GameSummary | None) -> GameBrief:
    """A line of the list of games; ``summary``: the game's state, where the list shows it."""
    return GameBrief(
        id=entry.game,
        rules=entry.rules,
        rules_title=PARTS[entry.rules].title if entry.rules in PARTS else entry.rules,
        title=entry.title,
        created=entry.created,
        used=entry.used,
        events=entry.last,
        turn=None if summary is None else summary.turn,
        to_act=None if summary is None else summary.to_act,
        over=summary is not None and summary.over,
        archived=archived,
    )


@cache
def _forms_json(rules: str) -> tuple[bytes, str]:
    """The forms of a ruleset as they are sent, and their ETag."""
    content = TypeAdapter(dict[str, FormOut]).dump_json(forms(rules), by_alias=True)
    return content, f'"{hashlib.sha256(content).hexdigest()[:16]}"'


@cache
def _schema_json(rules: str) -> bytes:
    """The schema of a ruleset's actions as it is sent."""
    return to_json(part(rules, "ruleset").actions.schema())


def done_out(done: Done) -> DoneOut:
    """The result of a command."""
    return DoneOut(seq=done.seq, again=done.again, events=list(done.told))


def _read_action(playing: Game, wish: ActionWish) -> Any:
    """The action in question, as it was sent."""
    actions, state = playing.ruleset.actions, playing.state
    if wish.action is None:
        return actions.parse(state, wish.words)
    return actions.from_json(state, split_dice(wish.action)[0])


def _is_secret(playing: Game, action: Any, viewer: str | None) -> bool:
    """Whether a side decides an action in secret from the viewer: it is not judged, since the answer would reveal
    it."""
    return playing.ruleset.actor(playing.state, action) in GameView(playing, viewer).keepers


def _judge_action(services: Services, playing: Game, asked: ActionWish, seat: Seat, viewer: str | None) -> JudgedOut:
    rules, state = playing.ruleset, playing.state
    wish = _read_action(playing, asked)
    action = rules.complete(state, wish)
    whose = rules.actor(state, action)
    against = services.against(seat, playing, action)
    text, data = rules.text(wish), rules.action_to_json(wish)
    if against is not None and _is_secret(playing, action, viewer):
        return JudgedOut(
            seq=playing.seq, action=data, words=text, actor=whose, mine=False, legal=False, open=False,
            violations=[against], dice=NO_DICE, odds=None, pieces=[], dangers=[],
        )  # fmt: skip
    found = playing.check(action)
    legal, close = not found, bool(found) and all(v.answer == "too-close" for v in found)
    odds = rules.odds(state, action) if legal or close else None
    dice = NO_DICE if any(v.firm for v in found) else rules.dice(state, action)
    return JudgedOut(
        seq=playing.seq,
        action=data,
        words=text,
        actor=whose,
        mine=against is None,
        legal=legal,
        open=close,
        violations=list(found),
        dice=dice,
        odds=OddsOut.model_validate(odds.to_json()) if odds else None,
        pieces=put_elsewhere(services, seat.game, playing, action, viewer),
        dangers=list(dangers(playing, action)) if legal or close else [],
    )


def put_elsewhere(services: Services, game: str, playing: Game, action: Any, viewer: str | None) -> list[BoardPiece]:
    """The pieces that an action moves, on a board into another cell; none where dice decide, or where any side hides
    something (the action's result would reveal it)."""
    rules, state = playing.ruleset, playing.state
    if GameView(playing, viewer).keepers or rules.hides(state):
        return []
    trial = playing.trial()
    try:
        trial.push(action, overrule=True)
    except (ActionError, IllegalError):
        return []
    before, after = (board_of(services, game, each, viewer) for each in (state, trial.state))
    stood, stand = _stances(before), _stances(after)
    moved = [plain(piece) for piece in after.pieces if stood.get(piece.id) != stand[piece.id]]
    return _PIECES.validate_python(moved)


def _stances(board: Board) -> dict[str, tuple[Any, float | None]]:
    """Where each piece is, by its unit's cell on a board, and how it faces."""
    cells = {unit.id: unit.place for unit in board.units}
    return {piece.id: (cells.get(piece.unit or "") or piece.center, piece.facing) for piece in board.pieces}
