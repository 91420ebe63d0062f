"""The pictures of a report: the start, every turn with what happened in it, the end, and the luck chart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from geometry.drawing.scene import Item, Sheet
from tabletop.aar.adapter import Clock
from tabletop.aar.charts import luck_chart
from tabletop.aar.document import Figure
from tabletop.aar.story import Story, Turn
from tabletop.drawing.boards import ground_items, ground_names, picture, piece_items
from tabletop.words import and_list, count, with_sign


def start_figure(story: Story) -> Figure:
    """The table as turn 1 begins."""
    begun = story.adapter.clock(story.begin).turn > 0
    table = story.adapter.terms.table
    caption = f"The {table} at the start of turn 1." if begun else f"The {table} as the log leaves it."
    return Figure("start", _map(story, story.begin), f"Map of the {table}: {caption}", caption)


def turn_figure(story: Story, turn: Turn) -> Figure:
    """The table at the end of a turn, with its moves, shots and losses."""
    adapter = story.adapter
    told = [entry.event for entry in turn.entries if entry.event is not None]
    happened = [item for each in told for item in (*adapter.marks(each), *adapter.grave(each))]
    caption = f"Turn {turn.number}: {_turn_words(story, turn)}."
    alt = f"Map of the {adapter.terms.table}. {caption}"
    return Figure(f"turn-{turn.number}", _map(story, turn.end, happened), alt, caption)


def _turn_words(story: Story, turn: Turn) -> str:
    first, terms = story.adapter.throws[0], story.adapter.terms
    shots = sum(entry.throw is not None and entry.throw.kind == first.id for entry in turn.entries)
    parts = [count(shots, terms.throw)] if shots else []
    lost = [c.what for e in turn.entries for c in e.changes if c.kind == "lost"]
    left = [c.what for e in turn.entries for c in e.changes if c.kind == "left"]
    parts += [f"{and_list(lost)} lost"] if lost else []
    parts += [f"{and_list(left)} left the {terms.table}"] if left else []
    return "; ".join(parts) if parts else terms.calm


def end_figure(story: Story) -> Figure:
    """The table at the end, every lost unit crossed out where it stood."""
    told = [entry.event for entry in story.entries if entry.event is not None]
    graves = [item for each in told for item in story.adapter.grave(each)]
    terms = story.adapter.terms
    when = "at the end" if story.outcome is not None else "as the log leaves it"
    crossed = f"; lost {terms.unit}s are crossed out where they stood" if graves else ""
    caption = f"The {terms.table} {when}{crossed}."
    return Figure("end", _map(story, story.end, graves), f"Map of the {terms.table}: {caption}", caption)


def luck_figure(story: Story) -> Figure:
    """The running total of luck, a line a side."""
    kind = story.adapter.throws[0]
    turns = [turn.number for turn in story.turns_played]
    running = {side.id: running_luck(story, side.id, turns) for side in story.sides}
    ends = and_list([f"{side.title} {with_sign(running[side.id][-1])}" for side in story.sides]) if turns else "none"
    caption = f"Luck in {kind.title.lower()}: {kind.meaning}, turn upon turn. At the end: {ends}."
    return Figure("luck", luck_chart(story.sides, turns, running, kind.unit), f"Line chart. {caption}", caption)


def running_luck(story: Story, side: str, turns: list[int]) -> list[float]:
    """A side's luck summed up to the end of each turn."""
    kind = story.adapter.throws[0].id
    total, found = 0.0, []
    for turn in turns:
        total += story.luck_of(kind, side, turn).luck
        found.append(total)
    return found


def where(story: Story, clock: Clock) -> str:
    """A time of the game, in words."""
    side = f"{story.side_title(clock.side)}: " if clock.side else ""
    return f"turn {clock.turn}, {side}{story.adapter.step_title(clock.step)}"


def _map(story: Story, state: Any, happened: Sequence[Item] = ()) -> Sheet:
    """The public board, with what happened drawn over its ground and under its pieces."""
    board = story.adapter.board(state)
    items = [*ground_items(board), *ground_names(board), *happened, *piece_items(board, told_by_arrows=True)]
    return picture(board, items, story.adapter.legend, story.unit)
