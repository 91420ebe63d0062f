"""A viewer's part of a game: hidden information never goes to anyone else.

The command line and the server use the same view.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from tabletop.game.core import Game
from tabletop.game.protocol import PUBLIC, Option
from tabletop.game.records import CORE_KINDS, NOTED, RETRACTED, Record

HIDDEN = "..."


class GameView:
    """One side's view of a game in its current state; without a ``side`` the public view."""

    def __init__(self, game: Game, side: str | None = PUBLIC) -> None:
        self.game, self.side = game, side
        self.keepers: tuple[str, ...] = game.ruleset.hidden_by(game.state) if game.records else ()

    def may_see(self, option: Option) -> bool:
        """Whether an option is no other side's secret choice."""
        return option.side == self.side or option.side not in self.keepers

    # --- what is seen

    def state(self) -> dict[str, Any]:
        """The visible part of the state as JSON."""
        found: dict[str, Any] = self.game.ruleset.view(self.game.state, self.side)
        return found

    def record(self, record: Record) -> Record:
        """The visible part of a record; if anything in its action is hidden, so are the action's words and the photo
        that showed it."""
        if record.kind == RETRACTED:
            taken_back = self.game.records[record.body["seqs"][0] - 1]
            hidden = self._is_hidden(taken_back.group, self.side)
            return replace(record, actor=self._who(taken_back)) if hidden else record
        if not self._is_hidden(record.group, self.side):
            return record
        return replace(
            record,
            body=self._body(record, self.side),
            action=f"{record.action.split()[0]} {HIDDEN}" if record.action else "",
            actor=self._who(record),
            photo="",
        )

    def retold(self) -> Game:
        """The game with hidden actors and reasons removed from its records, for readers of whole games that keep hidden
        events to themselves."""
        if not self.keepers:
            return self.game
        records = []
        for record in self.game.records:
            seen = self.record(record)
            records.append(seen if record.kind in CORE_KINDS else replace(seen, body=record.body))
        return Game(self.game.ruleset, records, version=self.game.version)

    @property
    def misses(self) -> bool:
        """Whether the log holds anything hidden from this side."""
        return any(self.record(record) is not record for record in self.game.records)

    # --- inside

    @cached_property
    def _actions(self) -> Mapping[int, list[Record]]:
        """All records action by action."""
        found: dict[int, list[Record]] = {}
        for record in self.game.records:
            found.setdefault(record.group, []).append(record)
        return found

    @cached_property
    def _states(self) -> Mapping[int, Any]:
        """The states that determine the hidden parts of events that were taken back: the ones right after them.

        For all other events, and for all events once the game is over, the current state determines them.
        """
        if self.game.outcome is not None or not self.keepers:
            return {}
        return {record.seq: after for record, _, after, gone in self.game.history() if gone}

    def _body(self, record: Record, side: str | None) -> Mapping[str, Any]:
        if record.kind not in CORE_KINDS:
            return self._event_view(record, side)
        reason = record.kind == NOTED and record.group != record.seq
        return {"text": HIDDEN} if reason and self._is_hidden(record.group, side) else record.body

    def _event_view(self, record: Record, side: str | None) -> dict[str, Any]:
        state = self._states.get(record.seq, self.game.state)
        return self.game.ruleset.event_view(state, self.game.event(record), side)

    def _is_hidden(self, group: int, side: str | None) -> bool:
        """Whether anything that an action did is hidden from a side."""
        events = [record for record in self._actions[group] if record.kind not in CORE_KINDS]
        return any(self._event_view(record, side) != self._event_view(record, None) for record in events)

    def _who(self, record: Record) -> str:
        """The side of an action, even if the referee entered it."""
        if not record.action:
            return record.actor
        rules, state = self.game.ruleset, self.game.state
        return rules.actor(state, rules.parse(state, record.action))
