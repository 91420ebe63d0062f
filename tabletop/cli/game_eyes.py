"""Who looks at a game, and what they may see of it: nothing that is hidden goes out to anybody else.

Whoever says nothing sees what everybody may. A side that hides something is acted for and told about only where the
command says so (``--as``), so that players who share a screen keep their secrets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tabletop.cli.game_text import told_states
from tabletop.errors import UsageError
from tabletop.game.protocol import PUBLIC
from tabletop.game.records import CORE_KINDS, NOTED, RETRACTED

if TYPE_CHECKING:
    from tabletop.game import Game, Option, Record

HIDDEN = "..."


class Eyes:
    """What one side may see of a game as it stands now; without a ``side`` what everybody may see."""

    def __init__(self, game: Game, side: str = PUBLIC) -> None:
        self.game, self.side = game, side
        seen = game.ruleset.view(game.state, PUBLIC) if game.records else {}
        self.keepers: tuple[str, ...] = tuple(seen.get("hidden_by", ()))

    @classmethod
    def of(cls, game: Game, said: str | None) -> Eyes:
        """Those of the side that somebody says to be; raises UsageError where the game has no such side."""
        from tabletop.cli.game_input import known

        eyes = cls(game)
        if said is None:
            return eyes
        sides = dict.fromkeys((*game.ruleset.sides(game.state), *eyes.keepers))
        return cls(game, known(said, sides, "side") or PUBLIC)

    # --- who may ask what

    def refuse_other(self, whose: str, what: str) -> None:
        """Refuse what only the side ``whose`` may ask for, where another one looks; raises UsageError."""
        if whose in self.keepers and whose != self.side:
            raise UsageError(f'Only {_named(whose)} may say "{what}": say --as {_quoted(whose)} if you are.')

    def may_see(self, option: Option) -> bool:
        """Whether an option is no other side's secret choice."""
        return option.side == self.side or option.side not in self.keepers

    def refuse_file(self, what: str) -> None:
        """Refuse to write a file that holds what this side may not see; raises UsageError."""
        if any(self.record(record) is not record for record in self.game.records):
            as_keeper = f"--as {_quoted(self.keepers[0])}, or " if len(self.keepers) == 1 else ""
            raise UsageError(
                f"{what} tells what is hidden until the game is over: say {as_keeper}--all, and show it to nobody else."
            )

    # --- what is seen

    def state(self) -> dict[str, Any]:
        """The state as JSON, as far as it is seen."""
        found: dict[str, Any] = self.game.ruleset.view(self.game.state, self.side)
        return found

    def record(self, record: Record) -> Record:
        """A record as far as it is seen; where anything of its action is hidden, so are the action's words."""
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
        )

    def retold(self) -> Game:
        """The game with records that name nobody and give no reasons that are hidden, for readers of whole games that
        keep what events hide to themselves."""
        from tabletop.game import Game

        if not self.keepers:
            return self.game
        records = []
        for record in self.game.records:
            seen = self.record(record)
            records.append(seen if record.kind in CORE_KINDS else replace(seen, body=record.body))
        return Game(self.game.ruleset, records, version=self.game.version)

    def own(self, record: Record) -> str:
        """What this side sees of a record and others do not, in words; empty where there is nothing."""
        mine, others = self._body(record, self.side), self._body(record, PUBLIC)
        return _in_words({key: value for key, value in mine.items() if others.get(key) != value})

    def own_words(self) -> str:
        """What this side knows now and others do not, as a sentence; empty where there is nothing."""
        others = self.game.ruleset.view(self.game.state, PUBLIC)
        known = _in_words({key: value for key, value in self.state().items() if others.get(key) != value})
        return f"Hidden from others: {known}." if known else ""

    def others_choose(self) -> str:
        """That the next choice is another side's in secret, and how to see it, as a sentence; else empty."""
        side = self.game.to_act
        if side is None or side not in self.keepers or side == self.side:
            return ""
        return f"What comes next is for {_named(side)} to decide: --as {_quoted(side)} tells what may be done."

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
        """The states that tell what is hidden of events that were taken back: those right after them.

        Of events that stand, and of all once the game is over, the state as it stands tells.
        """
        if self.game.outcome is not None or not self.keepers:
            return {}
        return {record.seq: after for record, _, after, gone in told_states(self.game) if gone}

    def _body(self, record: Record, side: str | None) -> Mapping[str, Any]:
        if record.kind not in CORE_KINDS:
            return self._shown(record, side)
        reason = record.kind == NOTED and record.group != record.seq
        return {"text": HIDDEN} if reason and self._is_hidden(record.group, side) else record.body

    def _shown(self, record: Record, side: str | None) -> dict[str, Any]:
        state = self._states.get(record.seq, self.game.state)
        return self.game.ruleset.shown(state, self.game.event(record), side)

    def _is_hidden(self, group: int, side: str | None) -> bool:
        """Whether anything that an action did is hidden from a side."""
        events = [record for record in self._actions[group] if record.kind not in CORE_KINDS]
        return any(self._shown(record, side) != self._shown(record, None) for record in events)

    def _who(self, record: Record) -> str:
        """Whose action it was, the referee's word for it or not."""
        if not record.action:
            return record.actor
        rules, state = self.game.ruleset, self.game.state
        return rules.actor(state, rules.parse(state, record.action))


def _named(side: str) -> str:
    return side if " " in side else f"the {side}"


def _quoted(side: str) -> str:
    return f'"{side}"' if " " in side else side


def _in_words(known: Mapping[str, Any]) -> str:
    """Keys and values for people.

    >>> _in_words({"secret": {"platoons": 5, "gun_hexes": ["4-3", "5-5"]}, "bids": [5, None]})
    'platoons 5; gun hexes 4-3, 5-5; bids 5, none'
    """
    parts = []
    for key, value in known.items():
        if isinstance(value, Mapping):
            parts.append(_in_words(value))
            continue
        items = value if isinstance(value, list | tuple) else [value]
        words = ", ".join("none" if item is None else str(item) for item in items) or "none"
        parts.append(f"{key.replace('_', ' ')} {words}")
    return "; ".join(parts)
