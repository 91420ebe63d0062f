"""A game step by step, as a seat may see it: the board as it was shown to it then, and what happened.

Boards are sent in runs of steps, the first one whole and the others as changes. A run depends only on the steps in it,
so that it stays valid while the game continues.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from pydantic_core import to_json

from api.auth.access import Seat, may_see
from api.errors import NotThereError
from api.games.computing import game_of, log_of
from api.games.json_changes import changes
from api.services.heavy_work import Later, need
from api.services.services import Services
from api.services.table_photos import TablePhoto, second_of, table_photos
from api.setup.board_placement import board_on, table_file
from api.tables.store import table_of
from tabletop.boards.data import plain
from tabletop.files import json_bytes
from tabletop.game import Game
from tabletop.game.game_view import GameView
from tabletop.game.records import Record

if TYPE_CHECKING:
    from tabletop.aar.adapter import ReportAdapter
    from tabletop.aar.steps import Step
    from tabletop.tables.model import TableFile

RUN = 16
"""Steps that are sent at once."""


class Replays:
    """The games of a server step by step. Any thread may call."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def run_with(self, seat: Seat, number: int | None, seq: int | None = None) -> dict[str, Any]:
        """The run of steps with that number, ready for JSON; otherwise the last one up to event ``seq``, or the
        last of all.

        Raises NotThereError where the game has no such step; as :func:`need` in a heavy route.
        """
        services = self._services
        playing = services.commands.game(seat.game)
        viewer = may_see(seat, playing.ruleset, playing.state)
        log, entry = Later(partial(log_of, playing)), services.entry(seat.game)
        key = ("steps", seat.game, entry.created, playing.standing_seq, playing.standing_digest)
        steps = _read_json(need(services.work, key, write_steps, log))
        count = len(steps)
        wanted = number or max(1, sum(step["seqs"][0] <= (seq or playing.seq) for step in steps))
        if not 1 <= wanted <= count:
            raise NotThereError(f"This game has {count} steps so far: there is no step {wanted}.")
        first = (wanted - 1) // RUN * RUN
        run = steps[first : first + RUN]
        drawn = self._drawn(seat, entry.created, playing, log, first, [step["seqs"] for step in run])
        records = [playing.records[seq - 1] for step in run for seq in step["seqs"]]
        told = {event.seq: event.text for event in services.commands.told(GameView(playing, viewer), records)}
        last = [playing.records[step["seqs"][-1] - 1] for step in run]
        photos = photos_before(table_photos(services, seat), last)
        rows = []
        for at, step in enumerate(run):
            rows.append(
                {
                    "number": first + at + 1,
                    "seq": step["seqs"][-1],
                    "turn": step["turn"],
                    "side": step["side"],
                    "phase": step["phase"],
                    "says": list(dict.fromkeys(told[seq] for seq in step["seqs"] if told[seq])),
                    "changes": drawn["changes"][at],
                    "traces": drawn["traces"][at],
                    "photo": photos[at],
                }
            )
        turns = [step["turn"] for step in steps]
        return {
            "id": seat.game,
            "title": entry.title,
            "seq": playing.seq,
            "count": count,
            "at": wanted,
            "turns": [
                {"turn": turn, "step": at + 1} for at, turn in enumerate(turns) if not at or turns[at - 1] != turn
            ],
            "board": drawn["board"],
            "steps": rows,
        }

    def _drawn(
        self, seat: Seat, created: str, playing: Game, log: Later, first: int, seqs: list[list[int]]
    ) -> dict[str, Any]:
        """A run's boards, each as the seat was shown it then, and the traces of its events (:func:`write_run`)."""
        table = table_file(self._services, seat.game)
        table_seq = self._services.event_store.last(table_of(seat.game))
        events = [playing.records[seq - 1].id for run in seqs for seq in run]
        key = ("run", seat.game, created, table_seq, first, tuple(events), seat.roles)
        unseen = replace(seat, label="", seen=seat.created)
        found: dict[str, Any] = _read_json(need(self._services.work, key, write_run, log, first, unseen, table))
        return found


@lru_cache(maxsize=8)
def _read_json(made: bytes) -> Any:
    """The result of a process, read-only: the work queue stores it, and many ask for the same runs."""
    return json.loads(made)


def photos_before(photos: Sequence[TablePhoto], records: Sequence[Record]) -> list[str | None]:
    """The address of the last photo before each of some records in their order; ``photos`` are the last one first, and
    each is used once."""
    found, left = [], iter(photos)
    photo = next(left, None)
    for record in reversed(records):
        while photo is not None and not photo.precedes(record.seq, second_of(record.at)):
            photo = next(left, None)
        found.append(None if photo is None else photo.url)
    return found[::-1]


# --- in the process that does heavy work -----------------------------------------------------------------------------


def write_steps(log: bytes) -> bytes:
    """A game's steps, as rows: the numbers of the events of each, and its turn, side and phase."""
    from tabletop.aar.steps import clock_of

    game = game_of(log)
    adapter, steps = _steps(log)
    titles = {side.id: side.title for side in adapter.sides(game.state)}
    rows = []
    for step in steps:
        clock = clock_of(step, adapter)
        in_turn = clock.turn > 0 and clock.side != ""
        rows.append(
            {
                "seqs": step.seqs,
                "turn": clock.turn,
                "side": titles.get(clock.side, clock.side),
                "phase": adapter.step_title(clock.step) if in_turn else "",
            }
        )
    return json_bytes(rows)


def write_run(log: bytes, first: int, seat: Seat, table: TableFile | None) -> bytes:
    """The ``board`` after a run's first step as a seat was shown it then, and for each step the ``changes`` of the
    board before and the ``traces`` of its events."""
    from tabletop.aar.steps import placing_on, traces_of

    game = game_of(log)
    adapter, steps = _steps(log)
    run = steps[first : first + RUN]
    rules = game.ruleset
    boards = [board_on(rules.name, table, step.after, may_see(seat, rules, step.after)) for step in run]
    placing = placing_on(boards[0], adapter.board(run[0].after))
    told = [board.to_json() for board in boards]
    changed = [[], *(changes(before, after) for before, after in pairwise(told))]
    traces = [[plain(trace) for trace in traces_of(step, adapter, placing)] for step in run]
    return to_json({"board": told[0], "changes": changed, "traces": traces})


@lru_cache(maxsize=2)
def _steps(log: bytes) -> tuple[ReportAdapter, tuple[Step, ...]]:
    from tabletop.aar.adapters import report_adapter
    from tabletop.aar.steps import report_events, steps_of

    game = game_of(log)
    return report_adapter(game.ruleset.name), steps_of(report_events(game))
