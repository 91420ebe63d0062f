"""Luck in words and tables: good and bad dice are listed separately, not only their sum."""

from __future__ import annotations

from tabletop.aar.adapter import ThrowKind
from tabletop.aar.document import Block, Heading, Items, Para, Table
from tabletop.aar.entries import Entry
from tabletop.aar.figures import luck_figure, running_luck
from tabletop.aar.story import Luck, Story
from tabletop.words import decimal, number, the, with_sign


def luck_sentences(story: Story) -> tuple[str, ...]:
    """The luck of every side that threw dice, a sentence each: the result of each kind of throw beside its average, and
    how much of the difference came from good and from bad throws."""
    found = []
    for side in story.sides:
        rows = [(kind, story.luck_of(kind.id, side.id)) for kind in story.adapter.throws]
        told = [f"{kind.title.lower()}: {_luck_text(kind, luck)}" for kind, luck in rows if luck.throws]
        if told:
            found.append(f"Luck of {the(side.title)}, {'; '.join(told)}.")
    return tuple(found)


def _luck_text(kind: ThrowKind, luck: Luck) -> str:
    """For example "0.9 more hits than expected (7.1 above in good throws, 6.2 below in bad ones)"; lengths keep their
    unit beside the figure so that it can be converted."""
    net, above, below = (decimal(abs(value)) for value in (luck.luck, luck.above, luck.below))
    is_length = kind.unit == "inches"
    if net == "0.0":
        told = f"as many {kind.unit} as expected"
    else:
        way = "more" if luck.luck > 0 else "fewer"
        told = f"{net} {kind.unit} {way} than expected" if is_length else f"{net} {way} {kind.unit} than expected"
    if "0.0" in (above, below):
        return told
    unit = f" {kind.unit}" if is_length else ""
    return f"{told} ({above}{unit} above in good throws, {below}{unit} below in bad ones)"


def luck_blocks(story: Story) -> list[Block]:
    """The chapter on luck: in words, the chart and table by turn, all throws, and the best and the worst of them."""
    if not story.luck:
        return []
    kind = story.adapter.throws[0]
    blocks: list[Block] = [
        Heading(2, "Luck", "luck"),
        Para(
            "Luck is what the dice made above their mean, what they make on average; below it, it has a minus.", "soft"
        ),
        Items(luck_sentences(story)),
    ]
    if story.turns_played and any(row.kind == kind.id for row in story.luck):
        blocks += [luck_figure(story), _by_turn(story, kind)]
    rows = [
        (each.title, side.title, str(luck.throws), decimal(luck.actual), decimal(luck.expected), *_figures(luck))
        for each in story.adapter.throws
        for side in story.sides
        if (luck := story.luck_of(each.id, side.id)).throws
    ]
    header = ("dice for", "side", "throws", "made", "mean", *_HEADER)
    thrown = {row.kind for row in story.luck}
    meanings = "; ".join(f"{each.title}: {each.meaning}" for each in story.adapter.throws if each.id in thrown)
    blocks.append(
        Table("All throws of the game, by what they were for", header, tuple(rows), frozenset(range(2, len(header))))
    )
    return [*blocks, Para(f"{meanings}.", "soft"), *_extremes(story)]


_HEADER = ("above", "below", "luck")


def _figures(luck: Luck) -> tuple[str, str, str]:
    return with_sign(luck.above), with_sign(luck.below), with_sign(luck.luck)


def _by_turn(story: Story, kind: ThrowKind) -> Table:
    turns = [turn.number for turn in story.turns_played]
    running = {side.id: running_luck(story, side.id, turns) for side in story.sides}
    rows = []
    for index, turn in enumerate(turns):
        for side in story.sides:
            luck = story.luck_of(kind.id, side.id, turn)
            made = (decimal(luck.actual, 0), decimal(luck.expected), *_figures(luck))
            rows.append((str(turn), side.title, str(luck.throws), *made, with_sign(running[side.id][index])))
    header = ("turn", "side", f"{story.adapter.terms.throw}s", kind.unit, "mean", *_HEADER, "total")
    return Table(f"{kind.title} by turn", header, tuple(rows), frozenset({0, *range(2, len(header))}))


def extreme_throws(story: Story, kind: str, side: str) -> tuple[Entry, ...]:
    """The entries with a side's throw of a kind that was farthest above its average, and farthest below; the first of
    equals."""
    every = [entry for entry in story.entries if luck_in(entry, kind, side)]
    if not every:
        return ()
    best, worst = (extreme(every, key=lambda entry: luck_in(entry, kind, side)) for extreme in (max, min))
    return tuple(entry for entry, way in ((best, 1), (worst, -1)) if way * luck_in(entry, kind, side) > 0)


def luck_in(entry: Entry, kind: str, side: str) -> float:
    """How far a side's throw of a kind in an entry was above the average; 0 without throws."""
    return next((throw.luck for throw in entry.throws if (throw.kind, throw.side) == (kind, side)), 0.0)


def _extremes(story: Story) -> list[Block]:
    rows = []
    for kind in story.adapter.throws:
        for side in story.sides:
            for entry in extreme_throws(story, kind.id, side.id):
                throw = next(t for t in entry.throws if (t.kind, t.side) == (kind.id, side.id))
                figures = (with_sign(throw.luck), number(throw.actual), decimal(throw.expected))
                rows.append((kind.title, side.title, str(entry.clock.turn), throw.unit or "-", *figures))
    if not rows:
        return []
    header = ("dice for", "side", "turn", story.adapter.terms.unit, "luck", "made", "mean")
    return [Table("The best and the worst throw of each side", header, tuple(rows), frozenset({2, 4, 5, 6}))]
