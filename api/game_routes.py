"""Games: as a seat sees them, what may be done, commands that count once, what happened, and the live stream."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Query, Request, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent

from api.access import HOST, Seat, acts_as, may_act
from api.desk import Command, Done, Told
from api.errors import UnusableError, undo_sentence
from api.game_schemas import (
    BoardOut,
    CommandWish,
    DiceOut,
    DoneOut,
    GameBrief,
    GameHead,
    GameOut,
    HintOut,
    JudgedOut,
    LogOut,
    NoteWish,
    OddsOut,
    OptionOut,
    OptionsOut,
    OutcomeOut,
    PieceOut,
    RecordOut,
    TurnOut,
    UndoOut,
    ViolationOut,
    WordsWish,
)
from api.gate import GameId, Gate
from api.house import House, last_actor, table_of
from api.live import stream, told_json
from api.overlaying import board_of
from api.seat_routes import me
from tabletop.game import REFEREE, ActionError, Game, IllegalError, UndoError
from tabletop.game.eyes import Eyes
from tabletop.game.protocol import PUBLIC, Option, Violation
from tabletop.game.records import groups
from tabletop.game.saying import board, forms
from tabletop.game.store import GameEntry
from tabletop.hinting import advice, gives_hints


def game_routes(house: House, gate: Gate) -> APIRouter:
    """The routes."""
    api = APIRouter(prefix="/api", tags=["games"])
    _add_reading(api, house, gate)
    _add_doing(api, house, gate)
    _add_following(api, house, gate)
    return api


def _add_reading(api: APIRouter, house: House, gate: Gate) -> None:
    sitting = Depends(gate.seat)

    @api.get("/games")
    def games(request: Request, host: Annotated[Seat | None, Depends(gate.maybe_host)]) -> list[GameBrief]:
        """The games of this server: all for its host, for others those where they have a seat."""
        mine = {seat.game for seat in gate.seats(request)}
        return [brief(entry) for entry in house.games() if host is not None or entry.game in mine]

    @api.get("/games/{game}", response_model=GameOut)
    def one(game: GameId, seat: Annotated[Seat, sitting]) -> Response:
        """A game as this device may see it."""
        return Response(game_json(house, seat), media_type="application/json")

    @api.get("/games/{game}/options", response_model=OptionsOut)
    def options(
        game: GameId, seat: Annotated[Seat, sitting], unit: Annotated[str | None, Query(max_length=80)] = None
    ) -> Response:
        """What may be done now and what not, with reasons and odds; of one unit where it is named."""
        playing, viewer = house.desk.game(game), house.viewer(seat)
        asked = (game, playing.seq, viewer, seat.roles)
        rows = house.answer(("options", *asked), lambda: _options(playing, Eyes(playing, viewer), seat))

        def made() -> bytes:
            found = [row for row in rows if unit in (None, row.unit, row.target)]
            told = OptionsOut(seq=playing.seq, options=found, forms=dict(forms(playing)))
            return told.model_dump_json(by_alias=True).encode()

        return Response(house.answer(("options as sent", *asked, unit), made), media_type="application/json")

    @api.post("/games/{game}/judge")
    def judge(game: GameId, wish: WordsWish, seat: Annotated[Seat, sitting]) -> JudgedOut:
        """What would become of an action: nothing is done."""
        return _judged(house, house.desk.game(game), wish.words, seat, house.viewer(seat))

    @api.get("/games/{game}/hint")
    def hint(game: GameId, _seat: Annotated[Seat, sitting]) -> HintOut:
        """What a search would do now, in games of perfect information."""
        playing = house.desk.game(game)
        found = house.answer(("hint", game, playing.seq), lambda: advice(playing))
        said = "There is nothing to choose now." if found is None else found.says
        return HintOut(seq=playing.seq, line=[] if found is None else list(found.line), says=said)

    @api.get("/games/{game}/log")
    def log(
        game: GameId, seat: Annotated[Seat, sitting], after: Annotated[int, Query(ge=0, le=10_000_000)] = 0
    ) -> LogOut:
        """What happened after an event, in sentences."""
        told = house.desk.since(game, after, house.viewer(seat))
        return LogOut(seq=house.desk.game(game).seq, events=[record_out(one) for one in told])


def _add_doing(api: APIRouter, house: House, gate: Gate) -> None:
    sitting = Depends(gate.seat)

    @api.post("/games/{game}/commands")
    def command(game: GameId, wish: CommandWish, seat: Annotated[Seat, sitting]) -> DoneOut:
        """Do something in the game. The same command said again answers what it did the first time."""
        dice = None if wish.dice is None else tuple(wish.dice)
        asked = wish.model_dump(exclude={"dice"})
        return done_out(house.play(game, Command(**asked, dice=dice), seat))

    @api.post("/games/{game}/notes", status_code=201)
    def note(game: GameId, wish: NoteWish, seat: Annotated[Seat, sitting]) -> DoneOut:
        """Keep a player's own words at this point of the log, for the report."""
        text = " ".join(wish.text.split())
        if not text:
            raise UnusableError("The caption is empty: write what is to be kept.")
        playing = house.desk.game(game)
        own = acts_as(seat, playing.ruleset, playing.state)
        sides = [side for side in playing.ruleset.sides(playing.state) if side in own]
        who = sides[0] if sides else REFEREE if HOST in seat.roles else next(iter(sorted(own)), "")
        if not who:
            raise UnusableError("Captions are the players' and the host's: ask for a side.")
        return done_out(house.tell(game, wish.id, lambda trial: trial.note(text, actor=who), seat))


def _add_following(api: APIRouter, house: House, gate: Gate) -> None:
    @api.get("/games/{game}/stream", response_class=EventSourceResponse)
    async def follow(
        game: GameId,
        seat: Annotated[Seat, Depends(gate.seat)],
        last_event_id: Annotated[str | None, Header(max_length=20)] = None,
        after: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
    ) -> AsyncIterator[ServerSentEvent]:
        """All that happens from here on, and after the last event that the device had: one stream a device."""
        start = int(last_event_id) if last_event_id and last_event_id.isdecimal() else after
        follower = Follower(house, seat)
        events = stream(
            house.desk,
            house.bells,
            game,
            follower.viewer,
            start,
            look_again_s=house.settings.look_again_s,
            goes_on=follower.goes_on,
            beside=follower.beside,
        )
        async for event in events:
            yield event


class Follower:
    """One device that follows a game: what its seat sees as roles change, and what to tell besides the events."""

    def __init__(self, house: House, seat: Seat) -> None:
        self._house, self._seat = house, seat
        self._roles = seat.roles
        self._table_seq = house.kept.last(table_of(seat.game))

    def viewer(self) -> str | None:
        """The side by which the seat sees the game now."""
        return self._house.viewer(self._seat)

    def goes_on(self) -> bool:
        """Whether the seat was good when :meth:`beside` last looked."""
        return self._seat.revoked is None

    def beside(self) -> Sequence[ServerSentEvent]:
        """News of the seat itself and of the game's table."""
        self._look()
        news = []
        if self._seat.roles != self._roles:
            self._roles = self._seat.roles
            news.append(ServerSentEvent(data=me(self._house, self._seat).model_dump(), event="seat"))
        seq = self._house.kept.last(table_of(self._seat.game))
        if seq != self._table_seq:
            self._table_seq = seq
            news.append(ServerSentEvent(data={"seq": seq}, event="table"))
        return news

    def _look(self) -> None:
        found = self._house.seats.seat(self._seat.seat)
        if found.game == self._seat.game or found.revoked is not None:
            self._seat = found


# --- shaping -----------------------------------------------------------------------------------------------------


def brief(entry: GameEntry) -> GameBrief:
    """A line of the list of games."""
    return GameBrief(
        id=entry.game, rules=entry.rules, title=entry.title, created=entry.created, used=entry.used, events=entry.last
    )


def game_json(house: House, seat: Seat) -> bytes:
    """A game as a seat sees it, as it is sent: twenty phones ask for it after every event, so what they share of it is
    made once."""
    entry, playing = house.entry(seat.game), house.desk.game(seat.game)
    viewer, table_seq = house.viewer(seat), house.kept.last(table_of(seat.game))

    def drawn() -> bytes:
        found = BoardOut.model_validate(board_of(house, seat.game, playing.state, viewer).to_json())
        return found.model_dump_json(by_alias=True).encode()

    outcome = playing.outcome
    head = GameHead(
        id=seat.game,
        table=table_of(seat.game),
        table_seq=table_seq,
        rules=entry.rules,
        title=entry.title,
        seq=playing.seq,
        me=house.answer(("me", playing.seq, replace(seat, seen=seat.created)), lambda: me(house, seat)),
        turn=_turn(playing, viewer),
        outcome=None if outcome is None else OutcomeOut(winner=outcome.winner, reason=outcome.reason),
        undo=_undo(playing, Eyes(playing, viewer), seat),
        hints=gives_hints(entry.rules),
    )
    board_json = house.answer(("board", seat.game, playing.seq, table_seq, viewer), drawn)
    return head.model_dump_json(by_alias=True).encode()[:-1] + b',"board":' + board_json + b"}"


def record_out(told: Told) -> RecordOut:
    """An event with its sentence."""
    return RecordOut(**told_json(told))


def done_out(done: Done) -> DoneOut:
    """What a command did."""
    return DoneOut(seq=done.seq, again=done.again, events=[record_out(told) for told in done.told])


def violation_out(violation: Violation) -> ViolationOut:
    """What speaks against an action."""
    return ViolationOut.model_validate(violation.to_json())


def _turn(playing: Game, viewer: str | None) -> TurnOut:
    state, telling, eyes = playing.state, board(playing), Eyes(playing, viewer)
    hidden = ""
    if playing.to_act in eyes.keepers and viewer not in (None, playing.to_act):
        hidden = f"What comes next is for {telling.title(state, playing.to_act)} to decide."
    return TurnOut(
        number=playing.ruleset.view(state, PUBLIC).get("turn"),
        to_act=playing.to_act,
        headline=telling.headline(state),
        next=telling.next_words(state),
        hidden=hidden,
    )


def _undo(playing: Game, eyes: Eyes, seat: Seat) -> UndoOut | None:
    """The last action and whether the seat may take it back."""
    played = groups(playing.records)
    if len(played) < 2:
        return None
    last, why = played[-1], ""
    try:
        playing.trial().pop()
        free = True
    except UndoError as error:
        free, why = False, undo_sentence(error)
    own, whose = acts_as(seat, playing.ruleset, playing.state), last_actor(playing)
    may = seat.is_host or (free and whose in own)
    if free and not may:
        why = "The other side's last action is theirs to take back, or the host's."
    words = board(playing).brief(playing.state, eyes.record(last[0]).action or last[0].kind)
    return UndoOut(words=words, may=may, referee=not free or whose not in own, why=why)


def _options(playing: Game, eyes: Eyes, seat: Seat) -> list[OptionOut]:
    own = acts_as(seat, playing.ruleset, playing.state)
    return [_option(option, _whose(playing, option) in own) for option in playing.options() if eyes.may_see(option)]


def _whose(playing: Game, option: Option) -> str:
    """Who says an option: its side, or the referee for those that the referee says for all."""
    try:
        return str(playing.ruleset.actor(playing.state, playing.parse(option.text)))
    except ActionError:
        return option.side  # its place is left to fill in


def _option(option: Option, mine: bool) -> OptionOut:
    row = {"advice": "", "odds": None, **option.to_json(odds=True)}
    return OptionOut(**row, open=option.open, mine=mine)


def _judged(house: House, playing: Game, words: str, seat: Seat, viewer: str | None) -> JudgedOut:
    action = playing.parse(words)
    rules, state = playing.ruleset, playing.state
    whose = rules.actor(state, action)
    against = may_act(seat, rules, state, action)
    text = rules.text(action)
    if against is not None and whose in Eyes(playing, viewer).keepers:
        # what another side decides in secret is not judged for anybody else: the answer would tell
        return JudgedOut(
            seq=playing.seq, words=text, actor=whose, mine=False, legal=False, open=False,
            violations=[violation_out(against)], dice=DiceOut(count=0, faces=[]), odds=None, pieces=[], dangers=[],
        )  # fmt: skip
    found = rules.check(state, action)
    legal, close = not found, bool(found) and all(v.answer == "too-close" for v in found)
    odds = rules.odds(state, action) if legal or close else None
    dice = None if any(v.firm for v in found) else rules.dice(state, action)
    return JudgedOut(
        seq=playing.seq,
        words=text,
        actor=whose,
        mine=against is None,
        legal=legal,
        open=close,
        violations=[violation_out(v) for v in found],
        dice=DiceOut(count=dice.count if dice else 0, faces=list(dice.faces) if dice else []),
        odds=OddsOut.model_validate(odds.to_json()) if odds else None,
        pieces=_put_elsewhere(house, seat.game, playing, action, viewer),
        dangers=_dangers(playing, action) if legal or close else [],
    )


def _dangers(playing: Game, action: Any) -> list[str]:
    """What a move to a hex lets the defenders do, the figures first; nothing where anybody hides anything."""
    from tabletop.rulesets.combined_arms.acts import Move
    from tabletop.rulesets.combined_arms.board import NUMBER
    from tabletop.rulesets.combined_arms.danger import danger, sentences

    if not isinstance(action, Move) or action.off or playing.ruleset.hides(playing.state):
        return []
    found = danger(playing.state, action.unit, NUMBER[action.path[-1]], action.facing)
    worst, expected = float(found.worst), float(found.expected)
    figures = f"The chance that {action.unit} is hit there is {worst:.0%} at worst, {expected:.0%} as expected."
    return [*([figures] if found.threats else []), *sentences(playing.state, found)]


def _put_elsewhere(house: House, game: str, playing: Game, action: Any, viewer: str | None) -> list[PieceOut]:
    """The pieces that an action puts elsewhere; none where dice decide, or where anybody hides anything (what would
    become of the action would tell)."""
    from tabletop.boards.data import plain

    rules, state = playing.ruleset, playing.state
    if Eyes(playing, viewer).keepers or rules.hides(state):
        return []
    trial = playing.trial()
    try:
        trial.push(action, overrule=True)
    except (ActionError, IllegalError):
        return []
    before = {piece.id: (piece.center, piece.facing) for piece in board_of(house, game, state, viewer).pieces}
    after = board_of(house, game, trial.state, viewer).pieces
    moved = [plain(piece) for piece in after if before.get(piece.id) != (piece.center, piece.facing)]
    return [PieceOut.model_validate(piece) for piece in moved]
