"""A game in progress: the interface to a ruleset, its state and its log."""

from __future__ import annotations

import hashlib
import json
import random
import secrets
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from itertools import groupby
from typing import Any, Protocol

from tabletop.game.doubts import InDoubt, check_in_doubt
from tabletop.game.errors import ActionError, EventError, IllegalError, LogError, UndoError
from tabletop.game.parts import part, with_part
from tabletop.game.protocol import Odds, Option, Outcome, Ruleset
from tabletop.game.records import CORE_KINDS, NOTED, RETRACTED, SEEN, Record, groups, taken_back
from tabletop.game.violations import Violation

REFEREE = "referee"
REFEREE_OPTION = "The referee's word is --referee."
_WORKED_OUT = 2
"""The number of latest states that keep their cached lookups."""


class Journal(Protocol):
    """Stores records. ``append`` writes all of them or none, and returns only when they are safe."""

    def append(self, records: Sequence[Record]) -> None:
        """Write the next records; raises ConflictError if their place is taken."""


def now() -> str:
    """The time as records carry it (ISO 8601, UTC, seconds)."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def new_id() -> str:
    """A new unique id of a record."""
    return secrets.token_hex(8)


@dataclass(frozen=True)
class LegalActions:
    """The legal actions now. Iterating yields the legal options; ``in`` checks a concrete action."""

    game: Game

    def __iter__(self) -> Iterator[Option]:
        return (option for option in self.game.options() if option.legal)

    def __contains__(self, action: object) -> bool:
        return not self.game.check(action)

    def __len__(self) -> int:
        return sum(1 for _ in self)


class Game:
    """A game of some ruleset.

    ``records`` are replayed and never judged again; ``journal`` gets every new record before it counts, so that
    accepted records are already safe. ``clock`` and ``ids`` provide times and ids (tests set their own).
    """

    def __init__(
        self,
        ruleset: Ruleset[Any, Any, Any],
        records: Sequence[Record] = (),
        *,
        version: int | None = None,
        journal: Journal | None = None,
        clock: Callable[[], str] = now,
        ids: Callable[[], str] = new_id,
    ) -> None:
        self.ruleset = ruleset
        self.version = ruleset.version if version is None else version
        self._journal, self._clock, self._ids = journal, clock, ids
        self._records: list[Record] = []
        self._events: list[Any] = []
        """The event of every record; ``None`` for the core's own kinds."""
        self._states: list[tuple[int, Any]] = []
        self._digests: list[str] = []
        self._doubt: tuple[int, Any, InDoubt | None] = (0, None, None)
        self.shown: Callable[[], Mapping[str, Any] | None] = self._last_seen
        """The observation of the last photo with the answers so far: by default the one in the log."""
        for record in records:
            self._take(record)

    @classmethod
    def new(cls, ruleset: Ruleset[Any, Any, Any], setup: object, **more: Any) -> Game:
        """A new game with ``setup``; keywords as for :class:`Game`."""
        game = cls(ruleset, **more)
        game._append(game._to_stored(ruleset.start(setup)), REFEREE, "", "")
        return game

    def trial(self, ids: Callable[[], str] | None = None) -> Game:
        """A copy of the game for trying things: its new records are not stored. ``ids`` provides their ids."""
        copy = Game(self.ruleset, version=self.version, clock=self._clock, ids=ids or self._ids)
        copy._records, copy._events, copy._states = list(self._records), list(self._events), list(self._states)
        copy._digests = self._digests
        if self.shown != self._last_seen:
            copy.shown = self.shown
        return copy

    # --- reading ---------------------------------------------------------------------------------------------------

    @property
    def records(self) -> tuple[Record, ...]:
        """The whole log."""
        return tuple(self._records)

    @property
    def seq(self) -> int:
        """The number of the last record; 0 before the first."""
        return self._records[-1].seq if self._records else 0

    @property
    def standing_seq(self) -> int:
        """The number of the last event that was not taken back; 0 before the first."""
        return self._states[-1][0] if self._states else 0

    @property
    def standing_digest(self) -> str:
        """A digest of the events not taken back, independent of their ids; only new ones are processed."""
        known = self._digests[: len(self._states)]
        for seq, _ in self._states[len(known) :]:
            record = self._records[seq - 1]
            about = [known[-1] if known else "", record.kind, dict(record.body)]
            known.append(hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest())
        self._digests = known
        return known[-1] if known else ""

    @property
    def state(self) -> Any:
        """The state after all records that were not taken back."""
        if not self._states:
            raise LogError("This log has no events yet, so there is no game in it.")
        return self._states[-1][1]

    @property
    def to_act(self) -> str | None:
        """The side to act; ``None`` once the game is over."""
        return self.ruleset.to_act(self.state)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, once it has."""
        return self.ruleset.outcome(self.state)

    @property
    def legal_actions(self) -> LegalActions:
        """The legal actions now: iterate for options, or test ``action in game.legal_actions``."""
        return LegalActions(self)

    def options(self) -> Sequence[Option]:
        """Legal options, and illegal ones with reasons."""
        options, doubt = self.ruleset.options(self.state), self.in_doubt
        if doubt is None:
            return options
        there = {(one.kind, one.unit, one.target, one.text): one for one in self.ruleset.options(doubt.state)}
        return [self._weighed(one, there.get((one.kind, one.unit, one.target, one.text)), doubt) for one in options]

    def _weighed(self, option: Option, other: Option | None, doubt: InDoubt) -> Option:
        """An option, marked too close to call if it differs in the alternative state of the game."""
        if other is None:
            return replace(option, violations=(*option.violations, doubt.violation))
        found = doubt.weigh(
            option.violations,
            other.violations,
            lambda state: (option if state is self.state else other).odds(),
            self.state,
        )
        return replace(option, violations=found)

    @property
    def in_doubt(self) -> InDoubt | None:
        """The alternative state of the game, from open questions of the last photo of its table; mostly ``None``."""
        observation = self.shown() if with_part("in_doubt").get(self.ruleset.name) else None
        if observation is None:
            return None
        seq, seen, found = self._doubt
        if seq != self.standing_seq or seen is not observation:
            found = self.doubt_by(observation)
            self._doubt = self.standing_seq, observation, found
        return found

    def doubt_by(self, observation: Mapping[str, Any]) -> InDoubt | None:
        """The alternative state of the game, from open questions of an observation of its table."""
        if not with_part("in_doubt").get(self.ruleset.name):
            return None
        found: InDoubt | None = part(self.ruleset.name, "in_doubt")(self.state, observation)
        return found

    def check(self, action: Any) -> tuple[Violation, ...]:
        """All violations of an action; empty if it is legal. A ruling that depends on an open question of the last
        photo is too close to call."""
        return check_in_doubt(self.ruleset, self.state, action, self.in_doubt)

    def odds(self, action: Any) -> Odds | None:
        """Exact odds of an action; ``None`` if it needs no dice."""
        return self.ruleset.odds(self.state, action)

    def parse(self, action: str | Mapping[str, Any]) -> Any:
        """An action from words or from its JSON; raises ActionError."""
        if isinstance(action, str):
            return self.ruleset.parse(self.state, action)
        return self.ruleset.action_from_json(self.state, action)

    def states(self) -> Iterator[tuple[Record, Any]]:
        """Every record that was not taken back, with the state after it, from the beginning."""
        for seq, state in self._handed_out():
            yield self._records[seq - 1], state

    def states_before(self, seqs: Collection[int]) -> dict[int, Any]:
        """The states right before some events of the ruleset, including events taken back later."""
        before: dict[int, Any] = {}
        last: Any = None
        for seq, state in self._states:
            before[seq], last = last, state
        missing = set(seqs) - before.keys()
        if missing:
            before.update({record.seq: state for record, state, _, _ in self.history() if record.seq in missing})
        return {seq: before[seq] for seq in seqs}

    def history(self) -> Iterator[tuple[Record, Any, Any, bool]]:
        """Every event of the log with the states before and after it, and whether it was taken back later."""
        gone = {seq for record in self._records if record.kind == RETRACTED for seq in record.body["seqs"]}
        stood = dict(self._handed_out())
        after: dict[int, Any] = {0: None}
        stand = [0]
        for record, event in zip(self._records, self._events, strict=True):
            if record.kind == RETRACTED:
                stand = stand[: -len(record.body["seqs"])]
            if record.kind not in CORE_KINDS:
                before = after[stand[-1]]
                known = record.seq in stood
                after[record.seq] = stood[record.seq] if known else self.ruleset.apply(before, event)
                stand.append(record.seq)
                yield record, before, after[record.seq], record.seq in gone

    def _handed_out(self) -> Iterator[tuple[int, Any]]:
        """The current line of states; old ones as copies, so that lookups cached on them are not kept."""
        for place, (seq, state) in enumerate(self._states, start=1 - len(self._states)):
            yield seq, state if place > -_WORKED_OUT else _bare(state)

    def forget(self) -> None:
        """Drop the lookups cached on the last states as well, for a game that will not be used soon."""
        for place in range(-min(_WORKED_OUT, len(self._states)), 0):
            seq, state = self._states[place]
            self._states[place] = seq, _bare(state)

    def event(self, record: Record) -> Any:
        """The ruleset's event of a record; raises EventError for an invalid one.

        The events of the game's own records were decoded on arrival.
        """
        own = self._records[record.seq - 1] if 0 < record.seq <= len(self._records) else None
        if own is not None and own.body is record.body and own.kind == record.kind and record.kind not in CORE_KINDS:
            return self._events[record.seq - 1]
        return self._decode(record)

    def state_after(self, seq: int) -> Any:
        """The state right after the event of that number, regardless of later undo."""
        taken_back = (
            one for record in self._records if record.kind == RETRACTED for one in (record.seq, *record.body["seqs"])
        )
        if any(one <= seq for one in taken_back):
            return Game(self.ruleset, self._records[:seq], version=self.version).state
        place, state = next((n, state) for n, (own, state) in enumerate(reversed(self._states)) if own <= seq)
        return state if place < _WORKED_OUT else _bare(state)

    def _last_seen(self) -> Mapping[str, Any] | None:
        return next((record.body["observation"] for record in reversed(self._records) if record.kind == SEEN), None)

    # --- playing ---------------------------------------------------------------------------------------------------

    def push(
        self,
        action: Any,
        dice: Sequence[int] | None = None,
        *,
        actor: str | None = None,
        rng: random.Random | None = None,
        photo: str = "",
        overrule: bool = False,
        measured: bool = False,
        reason: str = "",
    ) -> tuple[Record, ...]:
        """Carry out an action, and return its records.

        ``dice`` are the faces as rolled; without them ``rng`` throws. ``measured``: the players measured the points
        that were too close to call, and the action is legal; ``overrule``: the referee allows it anyway, optionally for
        a ``reason``. All of this is kept in the log. Raises IllegalError with every violation, ActionError for
        impossible dice, ConflictError from the journal.
        """
        state = self.state
        found = self.check(action)
        against = [v for v in found if v.firm or not (overrule or (measured and v.answer == "too-close"))]
        if against:
            raise IllegalError(against)
        rolled = self._dice(action, dice, rng)
        lifted = sorted({v.code for v in found})
        events = self.ruleset.resolve(state, action, rolled, lifted)
        who = actor or (REFEREE if overrule and found else self.ruleset.actor(state, action))
        stored = self._to_stored(events)
        if reason:
            stored.append((NOTED, {"text": reason}, None))
        return self._append(stored, who, self.ruleset.text(action), photo)

    def pop(self, *, referee: bool = False, agreed: str = "", reason: str = "") -> tuple[Record, ...]:
        """Take back the last action with a new record; returns the records taken back.

        Only free actions, unless the ``referee`` allows it or the other side, ``agreed``, does: rolled dice are known
        to everyone, and so is a secret once shown. Raises UndoError.
        """
        played = groups(self._records)
        if len(played) < 2:
            raise UndoError("Nothing has been played yet, so there is nothing to take back.")
        last = played[-1]
        allowed = referee or agreed != ""
        if not allowed and not all(self.ruleset.is_free(self.event(record)) for record in last):
            what = last[0].action or last[0].kind
            raise UndoError(
                "Dice were rolled or a secret was revealed, so only the referee takes it back: agree on it first.",
                f'That was "{what}". {REFEREE_OPTION}',
            )
        if not allowed and self._has_revealed(len(last)):
            raise UndoError("That revealed a secret, so only the referee takes it back.", REFEREE_OPTION)
        body = {"seqs": [record.seq for record in last], "reason": reason} | ({"agreed": agreed} if agreed else {})
        self._append([(RETRACTED, body, None)], REFEREE if referee else last[0].actor, "", "")
        return last

    def redo(self, *, referee: bool = False) -> tuple[Record, ...]:
        """Repeat the last action that was taken back, exactly as it was, with its dice; returns its new records.

        After any other action there is nothing to repeat. If only the ``referee`` could take it back, only the referee
        can repeat it. Raises UndoError.
        """
        undone = taken_back(self._records)
        if not undone:
            raise UndoError("Nothing was taken back since the last action, so there is nothing to do again.")
        again = undone[-1]
        own = [record for record in again if record.kind not in CORE_KINDS]
        if not referee and not all(self.ruleset.is_free(self.event(record)) for record in own):
            what = again[0].action or again[0].kind
            raise UndoError(
                "Dice were rolled or a secret was revealed, so only the referee does it again.",
                f'That was "{what}". {REFEREE_OPTION}',
            )
        stored = [(one.kind, dict(one.body), None if one.kind in CORE_KINDS else self.event(one)) for one in again]
        return self._append(stored, again[0].actor, again[0].action, again[0].photo)

    def take_over(self, made: Iterable[Record]) -> None:
        """Append the records of a trial of this game in another process, without judging them again."""
        for _, group in groupby(made, key=lambda record: record.group):
            first, *more = group
            stored = [(one.kind, dict(one.body), None) for one in (first, *more)]
            self._append(stored, first.actor, first.action, first.photo)

    def note(
        self,
        text: str,
        *,
        actor: str,
        disputes: int | None = None,
        settles: int | None = None,
        asks_back: int | None = None,
        keeps: int | None = None,
        seating: bool = False,
        computers: Mapping[str, str] | None = None,
        declines: str = "",
    ) -> Record:
        """Keep a player's own words at this point of the log; they change nothing.

        ``disputes``: the number of an event that the player disagrees with; ``settles``: of an event that the player
        lets stand; ``asks_back``: of an event that the player wants to take back, as a request to the other side;
        ``keeps``: of an event for which the player denies that request; ``seating``: the players of all roles from now
        on; ``computers``: the sides that computers play from now on, each with its level; ``declines``: the words of a
        computer's action that can't be done on the table. Raises ActionError if no action made an event of that number.
        """
        asked = (("disputes", disputes), ("settles", settles), ("asks_back", asks_back), ("keeps", keeps))
        about = {key: seq for key, seq in asked if seq is not None}
        for seq in about.values():
            if not any(record.seq == seq and record.kind not in CORE_KINDS for record in self._records):
                raise ActionError(f"No action made an event {seq}: look at the numbers in the log.")
        body: dict[str, Any] = {"text": text} | about | ({"seating": True} if seating else {})
        body |= ({} if computers is None else {"computers": dict(computers)}) | (
            {"declines": declines} if declines else {}
        )
        return self._append([(NOTED, body, None)], actor, "", "")[0]

    def saw(self, observation: Mapping[str, Any], *, photo: str = "") -> Record:
        """Keep a photo's observation at this point of the log; it changes nothing in the game."""
        return self._append([(SEEN, {"observation": observation}, None)], "camera", "", photo)[0]

    def _has_revealed(self, events: int) -> bool:
        """Whether the last ``events`` events revealed anything hidden before them."""
        before = self._states[-events - 1][1]
        return self.ruleset.hides(before) and not self.ruleset.hides(self.state)

    # --- inside ----------------------------------------------------------------------------------------------------

    def _dice(self, action: Any, dice: Sequence[int] | None, rng: random.Random | None) -> tuple[int, ...]:
        needed = self.ruleset.dice(self.state, action)
        if dice is None:
            if needed.count and rng is None:
                raise ActionError(f"{_dice_words(needed.count, needed.faces)} needed: give the faces rolled.")
            return needed.roll(rng) if needed.count and rng is not None else ()
        few = 0 < len(dice) < needed.count and self.ruleset.dice_suffice(self.state, action, dice)
        if len(dice) != needed.count and not few:
            wanted = _dice_words(needed.count, needed.faces) if needed.count else "no dice are"
            given = "1 die was" if len(dice) == 1 else f"{len(dice)} dice were"
            raise ActionError(f"{given} given, but {wanted} needed.")
        wrong = [face for face in dice if face not in needed.faces]
        if wrong:
            raise ActionError(f"No die of this game shows {wrong[0]}; its faces are {_faces(needed.faces)}.")
        return tuple(dice)

    def _to_stored(self, events: Iterable[Any]) -> list[tuple[str, dict[str, Any], Any]]:
        """The kind and body of each event as the log keeps them, and the event."""
        return [(*self.ruleset.event_to_json(event), event) for event in events]

    def _append(
        self, stored: Sequence[tuple[str, dict[str, Any], Any]], actor: str, action: str, photo: str
    ) -> tuple[Record, ...]:
        first, at = self.seq + 1, self._clock()
        records = tuple(
            Record(first + n, self._ids(), at, actor, kind, body, first, action, photo)
            for n, (kind, body, _) in enumerate(stored)
        )
        if self._journal is not None:
            self._journal.append(records)
        for record, (_, _, event) in zip(records, stored, strict=True):
            self._take(record, event)
        return records

    def _take(self, record: Record, event: Any = None) -> None:
        """Add a record; its ``event`` is decoded if not given."""
        if record.seq != self.seq + 1:
            raise LogError(f"Event {record.seq} follows event {self.seq}: one is missing or repeated.")
        if record.kind == RETRACTED:
            self._retract(record)
        elif record.kind not in CORE_KINDS:
            event = self._decode(record) if event is None else event
            before = self._states[-1][1] if self._states else None
            self._states.append((record.seq, self.ruleset.apply(before, event)))
            if len(self._states) > _WORKED_OUT:
                old = -_WORKED_OUT - 1
                self._states[old] = self._states[old][0], _bare(self._states[old][1])
        self._records.append(record)
        self._events.append(event)

    def _retract(self, record: Record) -> None:
        seqs = record.body.get("seqs")
        tail = [seq for seq, _ in self._states]
        if not isinstance(seqs, list) or not seqs or len(seqs) >= len(tail) or seqs != tail[-len(seqs) :]:
            raise EventError(f"Event {record.seq} takes back events {seqs}, which are not the latest ones.")
        del self._states[-len(seqs) :]
        self._digests = self._digests[: len(self._states)]

    def _decode(self, record: Record) -> Any:
        try:
            return self.ruleset.event_from_json(record.kind, record.body, self.version)
        except EventError as error:
            raise EventError(f"Event {record.seq}: {error}") from error


def _bare(state: Any) -> Any:
    """A copy of a state without its cached lookups, which are much larger than the state; they are computed again on
    demand. A state without attributes is returned unchanged."""
    kind = type(state)
    held = getattr(state, "__dict__", {})
    if not held:
        return state
    copy = object.__new__(kind)
    vars(copy).update(
        {
            name: value
            for name, value in held.copy().items()
            if not isinstance(getattr(kind, name, None), cached_property)
        }
    )
    return copy


def _dice_words(count: int, faces: Sequence[int]) -> str:
    return f"{count} {'die' if count == 1 else 'dice'} with the faces {_faces(faces)} {'is' if count == 1 else 'are'}"


def _faces(faces: Sequence[int]) -> str:
    return ", ".join(str(face) for face in faces)
