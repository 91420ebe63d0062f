"""A seat's game screen: the game with its board, and the options; and the changes between two screens.

Many phones request the same one after every event, so the parts that they share are computed once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from pydantic_core import to_json

from api.auth.access import Seat, acts_as, may_see
from api.errors import problem_of
from api.games.computing import doubt_key
from api.games.json_changes import Change, changes
from api.schemas.games import (
    AskBackOut,
    FieldOut,
    FormOut,
    GameHead,
    OptionOut,
    PatchOut,
    ScreenChangeOut,
    TurnOut,
    UndoOut,
)
from api.services.services import Services, Standing
from api.setup.board_placement import board_of
from api.tables.store import table_of
from api.views.seats import me_at
from tabletop.game import Game, UndoError
from tabletop.game.actions.action_set import FieldInfo
from tabletop.game.computers import levels_by_side
from tabletop.game.game_view import GameView
from tabletop.game.hints import gives_hints
from tabletop.game.opponents import on_turn, players_of
from tabletop.game.parts import part
from tabletop.game.protocol import PUBLIC, Option
from tabletop.game.records import Record, asked_back, groups, taken_back
from tabletop.game.text_parts import action_words, board, side_titles

Key = tuple[object, ...]


@dataclass(frozen=True)
class Screen:
    """What one seat sees of its game at one moment, ready for JSON.

    ``version`` is the same where the content is; ``head``, ``board`` and ``options`` are shared by all seats that see
    the same, as their keys show.
    """

    version: str
    me: dict[str, Any]
    head: dict[str, Any]
    board: dict[str, Any]
    options: dict[str, Any]
    head_key: Key
    board_key: Key
    options_key: Key

    @property
    def game(self) -> dict[str, Any]:
        """The game with its board."""
        return {**self.head, "me": self.me, "board": self.board}

    def to_json(self) -> dict[str, Any]:
        """A mapping ready for JSON."""
        return {"version": self.version, "game": self.game, "options": self.options}


@dataclass(frozen=True)
class Moment:
    """Everything that a seat's screen depends on; ``table_seq`` is the last event of the game's table."""

    seat: Seat
    playing: Game
    table_seq: int
    viewer: str | None

    @property
    def version(self) -> str:
        hangs_on = f"{self.viewer} {self.seat.label} {' '.join(map(str, self.seat.roles))}"
        return f"{self.playing.seq}-{self.table_seq}-{hashlib.sha256(hangs_on.encode()).hexdigest()[:8]}"


class Screens:
    """The screens of all seats of a server. Any thread may call."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def screen(self, seat: Seat) -> Screen:
        """A seat's present screen; raises NoGameError, RevokedError."""
        return self.screen_at(self.moment(seat))

    def newer(self, seat: Seat, version: str, standing: Standing) -> Screen | None:
        """A seat's screen of its game's present state, where that is not of this version; raises NoGameError,
        RevokedError."""
        now = self.moment(seat, standing.seq, standing.table_seq)
        return None if now.version == version else self.screen_at(now)

    def moment(self, seat: Seat, last: int | None = None, table_seq: int | None = None) -> Moment:
        """Everything that a seat's screen depends on now; raises as :meth:`screen`. ``last`` and ``table_seq`` are
        the numbers of the last events of the game and its table, where those were looked up already."""
        playing = self._services.commands.game(seat.game, last)
        viewer = may_see(seat, playing.ruleset, playing.state)
        if table_seq is None:
            table_seq = self._services.event_store.last(table_of(seat.game))
        return Moment(seat, playing, table_seq, viewer)

    def screen_at(self, now: Moment) -> Screen:
        """A seat's screen at a moment."""
        services, seat = self._services, now.seat
        playing, viewer = now.playing, now.viewer
        sees = viewer if _is_secret(playing) else PUBLIC  # where nothing is hidden, all see the same board
        board_key = ("board", seat.game, playing.seq, now.table_seq, sees)
        drawn = services.cache.get(board_key, lambda: board_of(services, seat.game, playing.state, sees).to_json())
        head_key = ("head", seat.game, playing.seq, now.table_seq, viewer, seat.roles)
        head = services.cache.get(head_key, lambda: self._head(now))
        options_key, options = self.options(seat, playing, now.table_seq)
        me = me_at(seat, playing).model_dump(mode="json")
        return Screen(now.version, me, head, drawn, options, head_key, board_key, options_key)

    def options(self, seat: Seat, playing: Game, table_seq: int | None = None) -> tuple[Key, dict[str, Any]]:
        """What a seat can do and what not, and the key shared by seats with the same answer; ``table_seq`` as in
        :meth:`moment`."""
        viewer, answer = may_see(seat, playing.ruleset, playing.state), self._services.cache.get
        doubt_at = ("doubt", seat.game, playing.seq, table_seq)
        doubt = doubt_key(playing) if table_seq is None else answer(doubt_at, lambda: doubt_key(playing))
        key = ("options", seat.game, playing.seq, viewer, seat.roles, doubt)

        def make() -> dict[str, Any]:
            every = answer(("every option", seat.game, playing.seq, doubt), playing.options)
            return _options(playing, every, GameView(playing, viewer), seat)

        return key, answer(key, make)

    def game_json(self, screen: Screen) -> bytes:
        """A screen's ``game`` as it is sent: the board is encoded once for all that see the same."""
        board = self._services.cache.get(("json", screen.board_key), lambda: to_json(screen.board))
        return b'%b,"me":%b,"board":%b}' % (to_json(screen.head)[:-1], to_json(screen.me), board)

    def screen_json(self, screen: Screen) -> bytes:
        """A whole screen as it is sent."""
        options = self._services.cache.get(("json", screen.options_key), lambda: to_json(screen.options))
        game = self.game_json(screen)
        return b'{"version":%b,"game":%b,"options":%b}' % (to_json(screen.version), game, options)

    def changes(self, before: Screen, after: Screen) -> Sequence[Change]:
        """The changes from ``before`` to ``after``: a JSON Patch of a screen's ``game`` and ``options``."""

        def found(part: str, path: str) -> Sequence[Change]:
            keys = getattr(before, f"{part}_key"), getattr(after, f"{part}_key")
            if keys[0] == keys[1]:
                return ()
            make = partial(changes, getattr(before, part), getattr(after, part), path)
            return self._services.cache.get(("changes", *keys), make)

        own = changes(before.me, after.me, "/game/me") if before.me != after.me else ()
        return [*own, *found("head", "/game"), *found("board", "/game/board"), *found("options", "/options")]

    def change_since(self, version: str, before: Screen | None, after: Screen) -> ScreenChangeOut:
        """The changes from the screen of a ``version`` to ``after``: from ``before`` if that is its version, else
        all."""
        found: Sequence[Change] = ()
        if before is not None and before.version == version:
            found = self.changes(before, after)
        elif after.version != version:
            found = [{"op": "replace", "path": "", "value": after.to_json()}]
        return ScreenChangeOut(since=version, version=after.version, changes=[PatchOut(**one) for one in found])

    def _head(self, now: Moment) -> dict[str, Any]:
        """The game without its board and without ``me``: the same for all seats with the same roles."""
        seat, playing, viewer = now.seat, now.playing, now.viewer
        view, entry = GameView(playing, viewer), self._services.entry(seat.game)
        return GameHead(
            id=seat.game,
            table=table_of(seat.game),
            table_seq=now.table_seq,
            rules=entry.rules,
            title=entry.title,
            seq=playing.seq,
            me=me_at(seat, playing),
            turn=_turn(playing, viewer),
            outcome=playing.outcome,
            undo=_undo(playing, view, seat),
            redo=_redo(playing, view, seat),
            ask_back=_ask_back(playing, view, seat, self._services.agrees(seat, playing)),
            hints=gives_hints(entry.rules),
            computers=players_of(playing),
            levels={side: list(found) for side, found in levels_by_side(playing.ruleset, playing.state).items()},
        ).model_dump(mode="json", by_alias=True, exclude={"me"})


def _is_secret(playing: Game) -> bool:
    """Whether a side knows, or is about to decide, what others may not see."""
    return playing.ruleset.hides(playing.state) or bool(playing.ruleset.hidden_by(playing.state))


def _turn(playing: Game, viewer: str | None) -> TurnOut:
    state, telling, view = playing.state, board(playing), GameView(playing, viewer)
    hidden = ""
    if playing.to_act in view.keepers and viewer not in (None, playing.to_act):
        hidden = f"Waiting for {telling.title(state, playing.to_act)} to decide."
    return TurnOut(
        number=playing.ruleset.turn(state),
        to_act=on_turn(playing),
        headline=telling.headline(state),
        next=telling.next_words(state),
        hidden=hidden,
    )


def _undo(playing: Game, view: GameView, seat: Seat) -> UndoOut | None:
    """The last action, and whether the seat may take it back."""
    played = groups(playing.records)
    if len(played) < 2:
        return None
    return _changed_back(playing, view, seat, played[-1][0], lambda trial: trial.pop())


def _redo(playing: Game, view: GameView, seat: Seat) -> UndoOut | None:
    """The action that was last taken back, and whether the seat may redo it."""
    undone = taken_back(playing.records)
    if not undone:
        return None
    return _changed_back(playing, view, seat, undone[-1][0], lambda trial: trial.redo())


def _changed_back(playing: Game, view: GameView, seat: Seat, first: Record, job: Callable[[Game], object]) -> UndoOut:
    """An action by its ``first`` record, and whether the seat may do the job that undoes or redoes it."""
    why = ""
    try:
        job(playing.trial())
        free = True
    except UndoError as error:
        free, why = False, problem_of(error)
    own, whose = acts_as(seat, playing.ruleset, playing.state), first.actor
    may = seat.is_host or (free and whose in own)
    if free and not may:
        why = "Only the other side or the host can take this action back."
    words = action_words(playing, view.record(first))
    sides = playing.ruleset.sides(playing.state)
    asks = not may and whose in own and any(side not in own for side in sides)
    return UndoOut(words=words, may=may, referee=not free or whose not in own, why=why, ask=first.seq if asks else None)


def _ask_back(playing: Game, view: GameView, seat: Seat, agrees: str | None) -> AskBackOut | None:
    """A side's request to take back its last action, until it is answered, for a seat that ``agrees`` for another side,
    or for none."""
    asking = asked_back(playing.records)
    if asking is None:
        return None
    return AskBackOut(
        seq=asking.body["asks_back"],
        by=asking.actor,
        text=asking.body["text"],
        words=action_words(playing, view.record(groups(playing.records)[-1][0])),
        may=agrees is not None,
        mine=asking.actor in acts_as(seat, playing.ruleset, playing.state),
    )


def _options(playing: Game, every: Sequence[Option], view: GameView, seat: Seat) -> dict[str, Any]:
    own, titles = acts_as(seat, playing.ruleset, playing.state), side_titles(playing)
    options = [option for option in every if view.may_see(option)]
    rows = [_option(playing, option, titles, own) for option in options]
    return {"seq": playing.seq, "options": [row.model_dump(mode="json", by_alias=True) for row in rows]}


def _option(playing: Game, option: Option, titles: Mapping[str, str], own: frozenset[str]) -> OptionOut:
    """An option and its actor: its side, or the referee where the referee acts for all."""
    row = {"advice": "", "odds": None, **option.to_json(odds=True, titles=titles)}
    actor, dice = option.side, 0
    if not option.open_fields:
        rules, state = playing.ruleset, playing.state
        action = rules.complete(state, option.action)
        actor = str(rules.actor(state, action))
        dice = rules.dice(state, action).count if option.legal and actor in own else 0
    return OptionOut(**row, actor=actor, dice=dice, open=option.open, mine=actor in own)


@cache
def forms(rules: str) -> dict[str, FormOut]:
    """Every kind of action of a ruleset, by its verb; the same at all times."""
    actions = part(rules, "ruleset").actions
    return {
        verb: FormOut(
            usage=actions.usage(verb),
            says=actions.describe(verb),
            fields=[_field(info) for info in actions.fields(verb)],
            needs_one_of=list(actions.needs_one_of(verb)),
        )
        for verb in actions.verbs
    }


def _field(info: FieldInfo) -> FieldOut:
    optional = info.optional or info.domain.optional
    return FieldOut(**{**vars(info.domain), "name": info.name, "title": info.title, "optional": optional})
