"""The pictures of a report: the start, every turn with what happened in it, the end, and the luck chart."""

from __future__ import annotations

from typing import Any

from tabletop.aar.document import Figure
from tabletop.aar.maps import luck_chart
from tabletop.aar.picture import Item
from tabletop.aar.story import Story, Turn
from tabletop.aar.teller import Clock
from tabletop.aar.words import count, joined, signed


def start_figure(story: Story) -> Figure:
    """The table as turn 1 begins."""
    items = [*story.teller.ground(story.begin), *story.teller.pieces(story.begin)]
    begun = story.teller.clock(story.begin).turn > 0
    table = story.teller.terms.table
    caption = f"The {table} at the start of turn 1." if begun else f"The {table} as the log leaves it."
    return Figure("start", _map(story, story.begin, items), f"Map of the {table}: {caption}", caption)


def turn_figure(story: Story, turn: Turn) -> Figure:
    """The table at the end of a turn, with its moves, shots and losses."""
    teller = story.teller
    told = [entry.told for entry in turn.entries if entry.told is not None]
    items: list[Item] = [*teller.ground(turn.end)]
    for each in told:
        items += [*teller.marks(each), *teller.grave(each)]
    items += teller.pieces(turn.end)
    caption = f"Turn {turn.number}: {_turn_words(story, turn)}."
    alt = f"Map of the {teller.terms.table}. {caption}"
    return Figure(f"turn-{turn.number}", _map(story, turn.end, items), alt, caption)


def _turn_words(story: Story, turn: Turn) -> str:
    throws = [entry.throw for entry in turn.entries if entry.throw is not None]
    first, terms = story.teller.throws[0], story.teller.terms
    parts = []
    shots = [t for t in throws if t.kind == first.id]
    if shots:
        made = sum(t.actual for t in shots)
        parts.append(f"{count(len(shots), terms.throw)} made {made:.0f} {terms.result if made == 1 else first.unit}")
    lost = [c.what for e in turn.entries for c in e.changes if c.kind == "lost"]
    left = [c.what for e in turn.entries for c in e.changes if c.kind == "left"]
    parts += [f"{joined(lost)} lost"] if lost else []
    parts += [f"{joined(left)} left the {terms.table}"] if left else []
    return "; ".join(parts) if parts else terms.calm


def end_figure(story: Story) -> Figure:
    """The table at the end, every lost unit crossed out where it stood."""
    items = [*story.teller.ground(story.end)]
    for entry in story.entries:
        if entry.told is not None:
            items += story.teller.grave(entry.told)
    items += story.teller.pieces(story.end)
    terms = story.teller.terms
    caption = f"The {terms.table} at the end; lost {terms.unit}s are crossed out where they stood."
    return Figure("end", _map(story, story.end, items), f"Map of the {terms.table}: {caption}", caption)


def luck_figure(story: Story) -> Figure:
    """The running total of luck, a line a side."""
    kind = story.teller.throws[0]
    turns = [turn.number for turn in story.played]
    running = {side.id: running_luck(story, side.id, turns) for side in story.sides}
    ends = joined([f"{side.title} {signed(running[side.id][-1])}" for side in story.sides]) if turns else "none"
    caption = f"Luck in {kind.title.lower()}: {kind.meaning}, turn upon turn. At the end: {ends}."
    return Figure("luck", luck_chart(story.sides, turns, running, kind.unit), f"Line chart. {caption}", caption)


def running_luck(story: Story, side: str, turns: list[int]) -> list[float]:
    """A side's luck summed up to the end of each turn."""
    kind = story.teller.throws[0].id
    total, found = 0.0, []
    for turn in turns:
        total += story.luck_of(kind, side, turn).luck
        found.append(total)
    return found


def where(story: Story, clock: Clock) -> str:
    """A place in the game, in words."""
    side = f"{story.side_title(clock.side)}: " if clock.side else ""
    return f"turn {clock.turn}, {side}{story.teller.step_title(clock.step)}"


def _map(story: Story, state: Any, items: list[Item]) -> Any:
    return story.teller.drawn(state, story.sides, items)
