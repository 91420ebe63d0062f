"""A game's log as a story: turns, phases, what happened in sentences, luck, losses. It adds nothing to the log.

One pass over the game makes the story; every writer reads the story and never the game.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import Any

from geometry.drawing.letters import one_line, printable
from tabletop.aar.adapter import Change, Clock, Force, ReportAdapter, ReportEvent, ReportSide, Throw
from tabletop.aar.document import Table
from tabletop.aar.entries import Entry, Quote
from tabletop.aar.errors import ReportError
from tabletop.aar.moments import Moment, moments_of
from tabletop.aar.steps import report_events
from tabletop.game.core import Game
from tabletop.game.protocol import Outcome
from tabletop.game.records import NOTED, RETRACTED, SEEN, Record, is_talk
from tabletop.units import LengthUnit


@dataclass(frozen=True)
class Phase:
    """A side's step of a turn with what happened in it."""

    clock: Clock
    title: str
    entries: tuple[Entry, ...]

    @property
    def items(self) -> tuple[tuple[Entry, ...], ...]:
        """The entries to report, grouped with the entries that complete them."""
        found: list[list[Entry]] = []
        for entry in self.entries:
            if not entry.sentences and not entry.quote:
                continue
            if found and entry.completes and not found[-1][0].quote:
                found[-1].append(entry)
            else:
                found.append([entry])
        return tuple(tuple(rows) for rows in found)

    @property
    def is_silent(self) -> bool:
        """Whether the phase has nothing to report."""
        return not any(entry.sentences or entry.quote for entry in self.entries)


@dataclass(frozen=True)
class Turn:
    """A full turn (0: before the first): its phases, and the state at its end."""

    number: int
    phases: tuple[Phase, ...]
    end: Any

    @property
    def entries(self) -> tuple[Entry, ...]:
        """What happened, in order."""
        return tuple(entry for phase in self.phases for entry in phase.entries)


@dataclass(frozen=True)
class Luck:
    """One side's throws of one kind in one turn: how many, their result, and the average result; ``above`` and
    ``below`` (0 or less) are the luck of the good and of the bad throws."""

    turn: int
    side: str
    kind: str
    throws: int
    actual: float
    expected: float
    above: float
    below: float

    @property
    def luck(self) -> float:
        """The result minus the average."""
        return self.actual - self.expected


@dataclass(frozen=True)
class Loss:
    """A unit that left the table: when, and the change that says how; ``last`` describes the shot that caused it."""

    turn: int
    clock: Clock
    change: Change
    last: str


@dataclass(frozen=True)
class Count:
    """What the log holds: records, those taken back, notes, photos."""

    records: int
    retracted: int
    notes: int
    photos: int


@dataclass(frozen=True)
class Story:
    """A game as a story. ``turns`` begin with turn 0, before the first; ``begin`` is the state as turn 1 begins.

    Its sentences hold inches; ``unit`` is the unit of lengths in reports.
    """

    adapter: ReportAdapter
    title: str
    sides: tuple[ReportSide, ...]
    opening: tuple[str, ...]
    turns: tuple[Turn, ...]
    moments: tuple[Moment, ...]
    begin: Any
    end: Any
    outcome: Outcome | None
    forces: tuple[Force, ...]
    sheets: tuple[Table, ...]
    count: Count
    first_at: str
    last_at: str
    unit: LengthUnit

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Everything that happened, in order."""
        return tuple(entry for turn in self.turns for entry in turn.entries)

    def side_title(self, side: str) -> str:
        """The title of a side; other words (``referee``) are unchanged."""
        return next((s.title for s in self.sides if s.id == side), side)

    def turn(self, number: int) -> Turn | None:
        """The turn of that number."""
        return next((turn for turn in self.turns if turn.number == number), None)

    @property
    def turns_played(self) -> tuple[Turn, ...]:
        """The turns without what came before the first."""
        return tuple(turn for turn in self.turns if turn.number > 0)

    @cached_property
    def luck(self) -> tuple[Luck, ...]:
        """Luck by turn, kind and side; only where dice were thrown."""
        found: dict[tuple[int, str, str], list[Throw]] = defaultdict(list)
        for entry in self.entries:
            for throw in entry.throws:
                found[entry.clock.turn, throw.kind, throw.side].append(throw)
        return tuple(
            Luck(
                turn,
                side,
                kind,
                len(throws),
                sum(t.actual for t in throws),
                sum(t.expected for t in throws),
                sum(max(0.0, t.luck) for t in throws),
                sum(min(0.0, t.luck) for t in throws),
            )
            for (turn, kind, side), throws in sorted(found.items())
        )

    def luck_of(self, kind: str, side: str, turn: int | None = None) -> Luck:
        """A side's luck of a kind in one turn, or (``None``) in the whole game."""
        rows = [row for row in self.luck if (row.kind, row.side) == (kind, side) and turn in (None, row.turn)]
        return Luck(
            turn or 0,
            side,
            kind,
            sum(r.throws for r in rows),
            sum(r.actual for r in rows),
            sum(r.expected for r in rows),
            sum(r.above for r in rows),
            sum(r.below for r in rows),
        )

    @cached_property
    def losses(self) -> tuple[Loss, ...]:
        """Units that left the table, in order, with the sentence of the shot that came with it."""
        found = []
        for entry in self.entries:
            for change in entry.changes:
                if change.kind in ("lost", "left"):
                    found.append(Loss(entry.clock.turn, entry.clock, change, self._last_shot(entry)))
        return tuple(found)

    def _last_shot(self, entry: Entry) -> str:
        same = [e for e in self.entries if e.record.group == entry.record.group and e.throw and e.sentences]
        before = [e for e in same if e.record.seq <= entry.record.seq]
        told = [*before[-1:], *same, entry][0]
        return told.sentences[0] if told.sentences else ""


def tell(game: Game, adapter: ReportAdapter, *, title: str | None = None, unit: LengthUnit = "in") -> Story:
    """The story of a game; ``title`` replaces the log's own, and reports of it give lengths in ``unit``.

    Raises ReportError for an empty game.
    """
    told = {each.record.seq: each for each in report_events(game)}
    if not told:
        raise ReportError("The log has no events that stand, so there is no game to report on: play a turn first.")
    first, last = told[min(told)], told[max(told)]
    begin = _begin(told, adapter)
    every = tuple(told[seq] for seq in sorted(told))
    entries = _merge_quiet(_entries(game.records, told, adapter, first.after), adapter)
    sides = tuple(ReportSide(side.id, one_line(side.title)) for side in adapter.sides(first.after))
    return Story(
        adapter,
        one_line(title or adapter.title(first.after)),
        sides,
        tuple(one_line(text) for text in adapter.opening(begin)),
        _turns(entries, adapter, first.after),
        moments_of(entries, sides, adapter),
        begin,
        last.after,
        _tidy_outcome(adapter.outcome(last.after)),
        tuple(
            replace(f, unit=one_line(f.unit), name=one_line(f.name), fate=one_line(f.fate))
            for f in adapter.forces(every)
        ),
        adapter.sheets(every),
        Count(
            len(game.records),
            sum(len(r.body["seqs"]) for r in game.records if r.kind == RETRACTED),
            sum(r.kind == NOTED and not is_talk(r) for r in game.records),
            len({r.photo for r in game.records if r.photo}),
        ),
        game.records[0].at,
        game.records[-1].at,
        unit,
    )


def _tidy(change: Change) -> Change:
    return replace(change, what=one_line(change.what), of=one_line(change.of), text=one_line(change.text))


def _tidy_outcome(outcome: Outcome | None) -> Outcome | None:
    return outcome and replace(outcome, reason=one_line(outcome.reason))


def _entries(
    records: Sequence[Record], told: Mapping[int, ReportEvent], adapter: ReportAdapter, first: Any
) -> tuple[Entry, ...]:
    """The story's entries in order: records of one action share the clock at its beginning."""
    entries: list[Entry] = []
    clocks: dict[int, Clock] = {}
    state: Any = first
    titles = {side.id: side.title for side in adapter.sides(first)}
    for record in records:
        if record.kind in (RETRACTED, SEEN) or is_talk(record):
            continue
        clock = clocks.setdefault(record.group, adapter.clock(state))
        if record.kind == NOTED:
            who = titles.get(record.actor, record.actor)
            entries.append(
                Entry(record, clock, quote=Quote(printable(str(record.body.get("text", ""))), one_line(who)))
            )
        elif record.seq in told:
            each = told[record.seq]
            if adapter.opens(each):
                clock = clocks[record.group] = adapter.clock(each.after)
            entries.append(
                Entry(
                    record,
                    clock,
                    tuple(one_line(text) for text in adapter.sentences(each)),
                    throws=adapter.throws_in(each),
                    changes=tuple(_tidy(change) for change in adapter.changes(each)),
                    event=each,
                    completes=adapter.completes(each),
                    quiet=adapter.is_quiet(each),
                )
            )
            state = each.after
    return tuple(entries)


def _merge_quiet(entries: Sequence[Entry], adapter: ReportAdapter) -> tuple[Entry, ...]:
    """The entries with every run of quiet ones merged into its first."""
    found: list[Entry] = []
    for (quiet, _), rows in groupby(entries, key=lambda entry: (entry.quiet, entry.clock if entry.quiet else None)):
        run = list(rows)
        if quiet and len(run) > 1:
            sentences = adapter.run_summary([entry.event for entry in run if entry.event is not None])
            run = [replace(entry, sentences=()) for entry in run]
            run[0] = replace(run[0], sentences=tuple(one_line(text) for text in sentences))
        found += run
    return tuple(found)


def _turns(entries: Sequence[Entry], adapter: ReportAdapter, first: Any) -> tuple[Turn, ...]:
    titles = {side.id: side.title for side in adapter.sides(first)}
    turns: list[Turn] = []
    end = first
    for number in sorted({entry.clock.turn for entry in entries}):
        mine = [entry for entry in entries if entry.clock.turn == number]
        phases: dict[Clock, list[Entry]] = {}
        for entry in mine:
            phases.setdefault(entry.clock, []).append(entry)
        for entry in mine:
            end = entry.event.after if entry.event else end
        turns.append(
            Turn(
                number,
                tuple(
                    Phase(clock, _phase_title(clock, titles, adapter), tuple(found)) for clock, found in phases.items()
                ),
                end,
            )
        )
    return tuple(turns)


def _phase_title(clock: Clock, titles: Mapping[str, str], adapter: ReportAdapter) -> str:
    step = adapter.step_title(clock.step)
    return f"{titles.get(clock.side, clock.side)}: {step}" if clock.turn and clock.side else step


def _begin(told: Mapping[int, ReportEvent], adapter: ReportAdapter) -> Any:
    """The first state of turn 1; the last state if there was no turn."""
    state = None
    for seq in sorted(told):
        state = told[seq].after
        if adapter.clock(state).turn > 0:
            break
    return state
