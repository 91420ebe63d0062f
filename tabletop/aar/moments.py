"""Deciding moments: what one action changed at once, as a share of a side's game, ranked.

A moment is one action's events of one step, up to the last that weighs anything. It weighs the shares of what was
lost, left, held or found by it, and how far its throws were from their average as a share of what the struck side could
still bear.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tabletop.aar.adapter import Change, Clock, ReportAdapter, ReportSide, Throw
from tabletop.aar.entries import Entry
from tabletop.words import and_list, percent, with_sign

LEAST_WEIGHT = 0.005
"""Half a percent: what weighs less is no moment."""


@dataclass(frozen=True)
class Moment:
    """A deciding moment: its place in the ranking, what happened, and its ``weight`` (0 to 1 and above).

    ``why`` says what the weight is made of; ``seqs`` are the records that it comes from; ``kinds`` the measures in it.
    """

    number: int
    clock: Clock
    sentences: tuple[str, ...]
    weight: float
    why: str
    seqs: tuple[int, ...]
    kinds: tuple[str, ...]
    swing: float


def moments_of(entries: Sequence[Entry], sides: Sequence[ReportSide], adapter: ReportAdapter) -> tuple[Moment, ...]:
    """All moments, the weightiest first; those of one weight in the order of the game."""
    groups: dict[tuple[int, Clock], list[Entry]] = {}
    for entry in entries:
        if entry.event is not None and not entry.quiet:
            groups.setdefault((entry.record.group, entry.clock), []).append(entry)
    found = [moment for rows in groups.values() if (moment := _moment(rows, adapter)) is not None]
    found.sort(key=lambda m: (-m.weight, m.seqs[0]))
    return tuple(
        Moment(n, m.clock, m.sentences, m.weight, m.why, m.seqs, m.kinds, m.swing) for n, m in enumerate(found, 1)
    )


def _moment(every: Sequence[Entry], adapter: ReportAdapter) -> Moment | None:
    last = max((n for n, entry in enumerate(every) if entry.throws or entry.changes), default=-1)
    rows = every[: last + 1]
    if not rows:
        return None
    changes = [change for entry in rows for change in entry.changes if change.share]
    throws = [throw for entry in rows for throw in entry.throws if throw.stake > 0]
    weight = sum(c.share for c in changes) + sum(abs(t.luck) / t.stake for t in throws)
    if rows[0].clock.turn < 1 or weight < LEAST_WEIGHT:
        return None
    kinds = dict.fromkeys([c.kind for c in changes] + ["swing" for t in throws if t.luck])
    units = {kind.id: kind.unit for kind in adapter.throws}
    return Moment(
        0,
        rows[0].clock,
        tuple(sentence for entry in rows for sentence in entry.sentences),
        weight,
        and_list([_change_words(c) for c in changes] + [_swing_words(t, units[t.kind]) for t in throws if t.luck]),
        tuple(entry.record.seq for entry in rows),
        tuple(kinds),
        sum(t.luck for t in throws),
    )


def _change_words(change: Change) -> str:
    return f"{change.of} ({percent(change.share, 1)})"


def _swing_words(throw: Throw, unit: str) -> str:
    share = abs(throw.luck) / throw.stake
    return f"{with_sign(throw.luck)} {unit} against the average, of {throw.stake_words} ({percent(share, 1)})"


def top_swings(entries: Sequence[Entry], kind: str, count: int) -> tuple[Entry, ...]:
    """The throws of a kind that were farthest from their average, farthest first."""
    rows = [entry for entry in entries if entry.throw is not None and entry.throw.kind == kind and entry.throw.luck]
    rows.sort(key=lambda entry: (-abs(entry.throw.luck) if entry.throw else 0.0, entry.record.seq))
    return tuple(rows[:count])
