"""Games played by several devices at once: every command counts once, and only in the state that its device saw.

A device gives each command a new id and names the last event it has seen. A repeated command returns its first
result; one that refers to an older state is refused with the events since. The answer contains what the device's side
may see.
"""

from __future__ import annotations

import random
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count, islice
from threading import Lock
from typing import Any

from tabletop.game import Game
from tabletop.game.errors import ActionError, ConflictError, IllegalError
from tabletop.game.game_view import GameView
from tabletop.game.opponents import summary_of
from tabletop.game.protocol import PUBLIC, Dice
from tabletop.game.records import CORE_KINDS, RETRACTED, EventView, Record
from tabletop.game.store import EventStore
from tabletop.game.text_parts import news
from tabletop.game.violations import Violation

MOST_AT_HAND = 8
"""The most recently used games, kept in memory with their cached results, which may be several times the game."""

MOST_EVENTS = 4000
"""Events of all games that are kept folded in memory, at 2 to 3 kB each. Other games are read from the store again
when they are needed (30 ms for a game of 250 events); the most recent ones are kept however long they are."""

MOST_NEWS = 64
"""The most recent answers, kept since many devices ask for the same ones."""

MOST_OF_NEWS = 32
"""The most events of an answer that is kept; a request for more comes late, from one device."""

May = Callable[[Game, Any], Violation | None]
"""Why a seat may not take an action, or undo or redo one (``None`` in the action's place)."""


@dataclass(frozen=True)
class Command:
    """One request of a device.

    ``id`` is the device's own, different for every command; ``after`` the number of the last event that it had seen.
    ``action`` is the action as JSON, or ``words`` say it.
    ``dice`` are the faces as rolled, ``roll`` has the server roll; ``undo`` takes the last action back instead of
    doing ``words``, ``redo`` repeats the action last taken back; ``agreed``: the other side asked for it to be taken
    back, and it may.
    """

    id: str
    after: int
    words: str = ""
    action: Mapping[str, Any] | None = None
    dice: tuple[int, ...] | None = None
    roll: bool = False
    measured: bool = False
    overrule: bool = False
    reason: str = ""
    undo: bool = False
    redo: bool = False
    referee: bool = False
    agreed: bool = False


@dataclass(frozen=True)
class Done:
    """The result of a command: its records as its side sees them, the number of the game's last event, and whether this
    repeats an earlier result."""

    told: tuple[EventView, ...]
    seq: int
    again: bool = False


class GoneOnError(ConflictError):
    """The game has moved on since the device looked; ``seq`` is its last event now."""

    def __init__(self, game: str, after: int, seq: int) -> None:
        super().__init__(
            f'The game "{game}" moved on meanwhile, from event {after} to {seq}: look at what happened, and try again.'
        )
        self.seq = seq


class CommandHandler:
    """The games of a store, played by commands. Any thread may call; commands on one game run one after another.

    ``shown`` gives the observation of the last photo of a game's table, with the answers so far.
    """

    def __init__(
        self,
        store: EventStore,
        rng: random.Random | None = None,
        shown: Callable[[str], Mapping[str, Any] | None] | None = None,
    ) -> None:
        self.store = store
        self.shown = shown
        self.rng = rng or random.SystemRandom()
        self._games: OrderedDict[str, Game] = OrderedDict()
        self._news: OrderedDict[tuple[str, int, int, str | None], tuple[EventView, ...]] = OrderedDict()
        self._locks: dict[str, Lock] = {}
        self._lock = Lock()

    # --- reading -----------------------------------------------------------------------------------------------------

    def game(self, name: str, last: int | None = None) -> Game:
        """The game with what other processes wrote; raises NoGameError. It is read-only.

        ``last`` is the number of its last event, where that was looked up already.
        """
        with self._lock:
            kept = self._games.get(name)
            if kept is not None:
                self._use(name)
        if last is None or (kept is not None and kept.seq > last):  # played on, or started again elsewhere
            last = self.store.last(name)
        if kept is None or kept.seq != last:
            kept = self.store.open_game(name)
            if self.shown is not None:
                kept.shown = partial(self.shown, name)
            self._keep(name, kept)
        return kept

    def forget(self, name: str) -> None:
        """Remove a deleted game from memory."""
        with self._lock:
            self._games.pop(name, None)

    def view(self, name: str, viewer: str | None = PUBLIC, last: int | None = None) -> GameView:
        """The game as a side sees it; ``last`` as in :meth:`game`."""
        return GameView(self.game(name, last), viewer)

    def since(
        self, name: str, after: int, viewer: str | None = PUBLIC, last: int | None = None
    ) -> tuple[EventView, ...]:
        """What happened after an event, as a side sees it; ``last`` as in :meth:`game`."""
        view = self.view(name, viewer, last)
        asked = (name, after, view.game.seq, viewer)
        with self._lock:
            known = self._news.get(asked)
        if known is not None:
            return known
        told = tuple(self._events_after(view, after))
        if len(told) > MOST_OF_NEWS:
            return told
        with self._lock:
            self._news[asked] = told
            while len(self._news) > MOST_NEWS:
                self._news.popitem(last=False)
        return told

    def told(self, view: GameView, records: Sequence[Record]) -> Iterator[EventView]:
        """Records as a side sees them, each with its sentence, from the state before it."""
        game = view.game
        own = [record for record in records if record.kind not in CORE_KINDS]
        gone = {record.seq: _first_gone(game, record) for record in records if record.kind == RETRACTED}
        states = game.states_before([record.seq for record in (*own, *gone.values())])
        for record in records:
            seen = view.record(record)
            if record.seq in gone:
                first = gone[record.seq]
                event = game.event(first)
                short = news(game, event)
                sentence = game.ruleset.event_text(states[first.seq], event)
                yield EventView.of(seen, f"Taken back: {sentence}", short and f"Taken back: {short}")
            elif record.kind in CORE_KINDS:
                yield EventView.of(seen, str(seen.body.get("text", "")))
            else:
                event = game.event(record)
                yield EventView.of(seen, game.ruleset.event_text(states[record.seq], event), news(game, event))

    # --- doing -------------------------------------------------------------------------------------------------------

    def do(
        self,
        name: str,
        command: Command,
        *,
        viewer: str | None = PUBLIC,
        actor: str | None = None,
        may: May = lambda _game, _action: None,
    ) -> Done:
        """Carry out a command, or repeat its result.

        ``actor`` signs it (``None``: the action's actor by the rules; where a side agrees to an undo, that side);
        ``may`` checks permission. Raises GoneOnError where what the device sees has changed since it looked,
        IllegalError, ActionError, UndoError, ConflictError where another game has the id; then nothing is written.
        """

        def carried_out(trial: Game) -> None:
            if command.undo or command.redo:
                self._pop_or_redo(trial, command, actor, may)
            else:
                self._push(trial, command, actor, may)

        return self.carry_out(name, command.id, command.after, carried_out, viewer=viewer)

    def carry_out(
        self, name: str, id_: str, after: int, job: Callable[[Game], object], *, viewer: str | None = PUBLIC
    ) -> Done:
        """Run a job on a trial of the game, and keep everything that it did or, where it raises, nothing.

        ``id_`` and ``after`` as a command's. Events that change no state (captions, what photos showed) outdate no
        view.
        """
        with self._of(name):
            game = self.game(name)
            before = _by_command(game, id_)
            if before:
                return Done(tuple(self.told(GameView(game, viewer), before)), game.seq, again=True)
            if _went_on(game, after, viewer):
                raise GoneOnError(name, after, game.seq)
            trial = game.trial(_ids(id_))
            job(trial)
            made = trial.records[game.seq :]
            try:
                self.store.append(name, made, summary_of(trial))
            except ConflictError as error:
                last = self.store.last(name)
                if last == game.seq:
                    raise  # another game has the id
                raise GoneOnError(name, after, last) from error
            self._keep(name, trial)
            return Done(tuple(self.told(GameView(trial, viewer), made)), trial.seq)

    def throw(self, dice: Dice) -> tuple[int, ...]:
        """The faces of dice that the server rolls for players."""
        return dice.roll(self.rng)

    def _push(self, trial: Game, command: Command, actor: str | None, may: May) -> None:
        if command.roll and command.dice is not None:
            raise ActionError("Give the dice as rolled, or have the server roll, not both.")
        action = trial.parse(command.words if command.action is None else command.action)
        against = may(trial, action)
        if against is not None:
            raise IllegalError([against])
        trial.push(
            action,
            command.dice if command.dice is not None or command.roll else None,
            actor=actor,
            rng=self.rng if command.roll else None,
            overrule=command.overrule,
            measured=command.measured,
            reason=command.reason,
        )

    def _pop_or_redo(self, trial: Game, command: Command, actor: str | None, may: May) -> None:
        against = may(trial, None)
        if against is not None:
            raise IllegalError([against])
        if command.undo:
            trial.pop(referee=command.referee, agreed=(actor or "") if command.agreed else "", reason=command.reason)
        else:
            trial.redo(referee=command.referee)

    # --- inside ------------------------------------------------------------------------------------------------------

    def _of(self, name: str) -> Lock:
        with self._lock:
            return self._locks.setdefault(name, Lock())

    def _keep(self, name: str, game: Game) -> None:
        with self._lock:
            known = self._games.get(name)
            if known is None or known.seq <= game.seq:
                self._games[name] = game
            self._use(name)
            events = sum(game.seq for game in self._games.values())
            while events > MOST_EVENTS and len(self._games) > MOST_AT_HAND:
                _, longest_unused = self._games.popitem(last=False)
                events -= longest_unused.seq

    def _use(self, name: str) -> None:
        """Mark a kept game as the most recently used; the caller holds the lock."""
        if next(reversed(self._games)) != name:
            self._games.move_to_end(name)
        for resting in islice(reversed(self._games.values()), MOST_AT_HAND, MOST_AT_HAND + 1):
            resting.forget()

    def _events_after(self, view: GameView, after: int) -> Iterator[EventView]:
        return self.told(view, [record for record in view.game.records if record.seq > after])


def _first_gone(game: Game, record: Record) -> Record:
    """The first event that a record takes back."""
    return game.records[record.body["seqs"][0] - 1]


def _went_on(game: Game, after: int, viewer: str | None) -> bool:
    """Whether an event after ``after`` outdates a view of it; a view of a later event than the game's last is outdated.

    Secret events of others outdate no view that they don't change: both sides may deploy at once.
    """
    if after > game.seq:
        return True
    new = [record for record in game.records[after:] if record.kind == RETRACTED or record.kind not in CORE_KINDS]
    if not new:
        return False
    if not after or not game.ruleset.hides(game.state) or any(record.kind == RETRACTED for record in new):
        return True
    before = game.states_before([new[0].seq])[new[0].seq]
    return bool(game.ruleset.view(before, viewer) != game.ruleset.view(game.state, viewer))


def _by_command(game: Game, command: str) -> tuple[Record, ...]:
    """All records that a command made, also where it did several actions; empty where it was never carried out."""
    first = next((place for place, record in enumerate(game.records) if record.id == command), None)
    if first is None:
        return ()
    made = game.records[first:]
    return tuple(record for record, own in zip(made, _all_ids(command), strict=False) if record.id == own)


def _all_ids(command: str) -> Iterator[str]:
    """The ids of a command's records, in their order."""
    yield command
    yield from (f"{command}.{number}" for number in count(1))


def _ids(command: str) -> Any:
    """Ids for a command's records: the command's own for the first, by which it is recognized, numbered ones after."""
    return partial(next, _all_ids(command))
