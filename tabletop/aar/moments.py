"""Deciding moments: what one action changed at once, as a share of a side's game, ranked.

A moment is the events of one action in one step, up to the last that has weight. Its weight is the sum of the shares
lost, left, held or found, and of how far its throws were from their average as a share of what the struck side could
still bear; or, if games were played out, how much it changed the chance to win (:mod:`tabletop.aar.chances`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, takewhile

from tabletop.aar.adapter import Change, Clock, ReportAdapter, ReportSide, Throw
from tabletop.aar.entries import Entry
from tabletop.game.playing_out import ChanceChange
from tabletop.words import and_list, number, percent, the, with_sign

LEAST_WEIGHT = 0.005
"""Half a percent: anything lighter is not a moment."""
_LEAST_HEAD = 3  # equal first words that join sentences into one


@dataclass(frozen=True)
class Moment:
    """A deciding moment: its place in the ranking, what happened, and its ``weight`` (0 to 1 and above).

    ``why`` lists the parts of the weight; ``seqs`` are the records that it comes from; ``kinds`` the measures in it.
    ``chance`` is the change of the chance to win, if one was counted and is significant.
    """

    number: int
    clock: Clock
    sentences: tuple[str, ...]
    weight: float
    why: str
    seqs: tuple[int, ...]
    kinds: tuple[str, ...]
    chance: ChanceChange | None = None


def moments_of(entries: Sequence[Entry], sides: Sequence[ReportSide], adapter: ReportAdapter) -> tuple[Moment, ...]:
    """All moments, the weightiest first; equal ones in the order of the game."""
    found = [moment for rows in _groups(entries) if (moment := _moment(rows, adapter)) is not None]
    return _ranked(found)


def _groups(entries: Sequence[Entry]) -> list[list[Entry]]:
    """The events of one action and step, in the order of the game, without the ones that are summarised in runs."""
    groups: dict[tuple[int, Clock], list[Entry]] = {}
    for entry in entries:
        if entry.event is not None and not entry.quiet:
            groups.setdefault((entry.record.group, entry.clock), []).append(entry)
    return list(groups.values())


def _ranked(found: Sequence[Moment]) -> tuple[Moment, ...]:
    """Moments with their numbers, the weightiest first."""
    rows = sorted(found, key=lambda m: (-m.weight, m.seqs[0]))
    return tuple(replace(moment, number=place) for place, moment in enumerate(rows, 1))


def acts_of(entries: Sequence[Entry]) -> tuple[tuple[Entry, ...], ...]:
    """The acts from the first turn on: each an action with any that share a row with it."""
    acts: list[list[Entry]] = []
    for rows in _groups(entries):
        if rows[0].clock.turn < 1:
            continue
        if acts and rows[0].completes:
            acts[-1] += rows
        else:
            acts.append(rows)
    return tuple(tuple(rows) for rows in acts)


def moments_by_chance(
    acts: Sequence[Sequence[Entry]],
    chances: Mapping[int, ChanceChange],
    sides: Sequence[ReportSide],
    adapter: ReportAdapter,
) -> tuple[Moment, ...]:
    """The moments among acts: first any that significantly changed the chance to win, by the size of the change, then
    any with losses or remarkable dice; the latter get the weight 0, and their text claims no change."""
    titles = {side.id: side.title for side in sides}
    found = []
    for rows in acts:
        change = chances.get(rows[0].record.seq)
        if change is not None and change.is_sure:
            found.append(_by_chance(rows, change, titles))
        else:
            small = _moment(rows, adapter)
            if small is not None:
                found.append(replace(small, weight=0.0, why=NO_CHANGE, kinds=("none",)))
    return _ranked(found)


NO_CHANGE = "no change of the chance to win that is more than its spread"


def _by_chance(rows: Sequence[Entry], change: ChanceChange, titles: Mapping[str, str]) -> Moment:
    way = "rose" if change.change > 0 else "fell"
    why = (
        f"the chance of {the(titles.get(change.side, change.side))} to win {way} from {percent(change.before)} to"
        f" {percent(change.after)} (give or take {number(100 * change.spread, 0)})"
    )
    return Moment(
        0,
        rows[0].clock,
        _sentences(rows),
        abs(change.change),
        why,
        tuple(entry.record.seq for entry in rows),
        ("chance",),
        change,
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
        _sentences(rows),
        weight,
        _why(changes, [throw for throw in throws if throw.luck], units),
        tuple(entry.record.seq for entry in rows),
        tuple(kinds),
    )


_ONE_OF = re.compile(r"(?P<what>[^,]+), (?:1|one) of (?P<number>\d+) (?P<rest>.+)")


def _why(changes: Sequence[Change], throws: Sequence[Throw], units: Mapping[str, str]) -> str:
    """The parts of a weight, with the share of each if there are several; consecutive losses of a side's units are
    one part."""
    parts: list[tuple[str, float]] = []
    for rest, rows in groupby(changes, key=_one_of_what):
        run = list(rows)
        if rest and len(run) > 1:
            found = [each for change in run if (each := _ONE_OF.fullmatch(change.of))]
            names = and_list([each["what"] for each in found])
            parts.append((f"{names}, {len(run)} of {found[0]['number']} {rest}", sum(c.share for c in run)))
        else:
            parts += [(change.of, change.share) for change in run]
    for throw in throws:
        text = f"{with_sign(throw.luck)} {units[throw.kind]} against the average, of {throw.stake_words}"
        parts.append((text, abs(throw.luck) / throw.stake))
    if len(parts) == 1:
        return parts[0][0]
    return and_list([f"{text} ({percent(share, 1)})" for text, share in parts])


def _one_of_what(change: Change) -> str:
    """The group that a change takes one of, such as "units that Red had"; empty for any other text."""
    found = _ONE_OF.fullmatch(change.of) if change.kind == "lost" else None
    return found["rest"] if found else ""


def _sentences(rows: Sequence[Entry]) -> tuple[str, ...]:
    """The sentences of entries; consecutive ones that begin alike, as losses of one kind do, are joined into one."""
    found: list[str] = []
    for _, alike in groupby(rows, key=lambda e: type(e.event.event) if e.event and e.changes else e.record.seq):
        said = [sentence for entry in alike for sentence in entry.sentences]
        words = [sentence.rstrip(".").split() for sentence in said]
        head = [each[0] for each in takewhile(lambda each: len(set(each)) == 1, zip(*words, strict=False))]
        if len(said) > 1 and len(head) >= _LEAST_HEAD:
            found.append(f"{' '.join(head)} {and_list([' '.join(each[len(head) :]) for each in words])}.")
        else:
            found += said
    return tuple(found)
