"""A game step by step, as a seat may see it: the board as it was shown to it then, and what happened.

Boards are told in runs of steps, the first one whole and the others by what changed. A run hangs on the steps in it
alone, so that it stays good while the game goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from api.auth.access import Seat, may_see
from api.errors import NotThereError
from api.games.json_changes import Change, changes
from api.services.services import Services, table_of
from api.services.table_photos import second_of, table_photos
from api.setup.board_placement import board_of, table_file
from tabletop.boards.data import plain
from tabletop.game import Game

if TYPE_CHECKING:
    from tabletop.aar.adapter import Clock, ReportAdapter
    from tabletop.aar.steps import Step

RUN = 16
"""Steps that are told at once."""


@dataclass(frozen=True)
class _Steps:
    """A game's steps, and when each was taken."""

    adapter: ReportAdapter
    all: tuple[Step, ...]
    clocks: tuple[Clock, ...]

    def at(self, seq: int) -> int:
        """The number of the last step that was begun by an event."""
        return max(1, sum(step.seqs[0] <= seq for step in self.all))

    def turns(self) -> Iterator[tuple[int, int]]:
        """Every turn, in order, with the number of the first step that was taken in it."""
        last = None
        for number, clock in enumerate(self.clocks, 1):
            if clock.turn != last:
                last = clock.turn
                yield clock.turn, number


@dataclass(frozen=True)
class _Drawn:
    """A run's first board, and for each step what changed of the board before and what happened."""

    board: dict[str, Any]
    changes: tuple[Sequence[Change], ...]
    traces: tuple[list[dict[str, Any]], ...]


class Replays:
    """The games of a server step by step. Any thread may call."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def run_with(self, seat: Seat, number: int | None, seq: int | None = None) -> dict[str, Any]:
        """The run of steps that has one of that number, ready for JSON; else the last one up to event ``seq``, or the
        last of all.

        Raises NotThereError where the game has no such step.
        """
        services = self._services
        playing, viewer = services.commands.game(seat.game), services.viewer(seat)
        steps = services.whole_games.get(
            ("steps", seat.game, playing.records[0].id, playing.seq), lambda: _steps(playing)
        )
        count = len(steps.all)
        wanted = number or steps.at(seq or playing.seq)
        if not 1 <= wanted <= count:
            raise NotThereError(f"This game has {count} steps so far: there is no step {wanted}.")
        first = (wanted - 1) // RUN * RUN
        run = steps.all[first : first + RUN]
        drawn = self._drawn(seat, playing, steps, run)
        told = {event.seq: event.text for event in services.commands.since(seat.game, 0, viewer)}
        photos = table_photos(services, seat)
        titles = {side.id: side.title for side in steps.adapter.sides(playing.state)}
        rows = []
        for at, step in enumerate(run):
            clock = steps.clocks[first + at]
            done = step.events[-1].record
            before = (photo.url for photo in photos if photo.precedes(done.seq, second_of(done.at)))
            in_turn = clock.turn > 0 and clock.side != ""
            rows.append(
                {
                    "number": first + at + 1,
                    "seq": step.seqs[-1],
                    "turn": clock.turn,
                    "side": titles.get(clock.side, clock.side),
                    "phase": steps.adapter.step_title(clock.step) if in_turn else "",
                    "says": list(dict.fromkeys(told[seq] for seq in step.seqs if told[seq])),
                    "changes": drawn.changes[at],
                    "traces": drawn.traces[at],
                    "photo": next(before, None),
                }
            )
        return {
            "id": seat.game,
            "title": services.entry(seat.game).title,
            "seq": playing.seq,
            "count": count,
            "at": wanted,
            "turns": [{"turn": turn, "step": begins} for turn, begins in steps.turns()],
            "board": drawn.board,
            "steps": rows,
        }

    def _drawn(self, seat: Seat, playing: Game, steps: _Steps, run: Sequence[Step]) -> _Drawn:
        """A run's boards, each as the seat was shown it then, and what happened."""
        viewers = tuple(may_see(seat, playing.ruleset, step.after) for step in run)
        table_file(self._services, seat.game)  # a game's table is made when it is first asked for
        table_seq = self._services.event_store.last(table_of(seat.game))
        key = ("replay", seat.game, playing.records[0].id, table_seq, tuple(step.seqs for step in run), viewers)
        return self._services.whole_games.get(key, lambda: self._draw(seat.game, steps.adapter, run, viewers))

    def _draw(self, game: str, adapter: ReportAdapter, run: Sequence[Step], viewers: Sequence[str | None]) -> _Drawn:
        from tabletop.aar.steps import placing_on, traces_of

        boards = [board_of(self._services, game, step.after, viewer) for step, viewer in zip(run, viewers, strict=True)]
        placing = placing_on(boards[0], adapter.board(run[0].after))
        told = [board.to_json() for board in boards]
        return _Drawn(
            told[0],
            ((), *(changes(before, after) for before, after in pairwise(told))),
            tuple([plain(trace) for trace in traces_of(step, adapter, placing)] for step in run),
        )


def _steps(playing: Game) -> _Steps:
    from tabletop.aar.adapters import report_adapter
    from tabletop.aar.steps import clock_of, report_events, steps_of

    adapter = report_adapter(playing.ruleset.name)
    every = steps_of(report_events(playing))
    return _Steps(adapter, every, tuple(clock_of(step, adapter) for step in every))
