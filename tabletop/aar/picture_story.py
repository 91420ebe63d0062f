"""A game in about four pictures with a paragraph each, for sharing from a phone: the sides, the opening, the turning
point and the end."""

from __future__ import annotations

from dataclasses import dataclass

from tabletop.aar.compose import game_totals, result, turn_totals
from tabletop.aar.document import Figure
from tabletop.aar.entries import Entry
from tabletop.aar.figures import end_figure, start_figure, turn_figure, where
from tabletop.aar.luck import luck_sentences
from tabletop.aar.moments import Moment
from tabletop.aar.story import Story, Turn
from tabletop.game.records import Record
from tabletop.words import capital

_MOST = 4
"""The most sentences quoted from a moment; the map shows the rest."""


@dataclass(frozen=True)
class Chapter:
    """A picture and its paragraph; ``since`` and ``until`` are the first and last records of the time that it covers,
    ``since`` is ``None`` for the first one."""

    title: str
    text: str
    figure: Figure
    since: Record | None
    until: Record


def picture_story(story: Story) -> tuple[Chapter, ...]:
    """The chapters of a story; without a turn in which anything happened there are only the first and the last."""
    opened = next((turn for turn in story.turns_played if _happened(turn)), None)
    turning = next((m for m in story.moments if opened is not None and m.clock.turn != opened.number), None)
    turned = None if turning is None else story.turn(turning.clock.turn)
    before = [entry for entry in story.entries if entry.clock.turn < 1] or list(story.entries[:1])
    chapters = [("The sides", " ".join(story.opening), start_figure(story), _last(before))]
    told = [("How it opened", opened, _first_moment(story, opened)), ("The turning point", turned, turning)]
    chapters += [
        (title, _turn_text(story, turn, moment), turn_figure(story, turn), _last(turn.entries))
        for title, turn, moment in sorted(told, key=lambda row: 0 if row[1] is None else row[1].number)
        if turn is not None
    ]
    ending = "How it ended" if story.outcome is not None else "How it stands"
    ended = " ".join([result(story), game_totals(story), *luck_sentences(story)])
    chapters.append((ending, ended, end_figure(story), _last(story.entries)))
    ends = [None, *(until for *_, until in chapters)]
    return tuple(
        Chapter(title, text, figure, since, until)
        for (title, text, figure, until), since in zip(chapters, ends, strict=False)
    )


def _happened(turn: Turn) -> bool:
    """Whether dice were thrown or anything changed in a turn."""
    return any(entry.throws or entry.changes for entry in turn.entries)


def _first_moment(story: Story, turn: Turn | None) -> Moment | None:
    """The weightiest moment of a turn."""
    return next((m for m in story.moments if turn is not None and m.clock.turn == turn.number), None)


def _turn_text(story: Story, turn: Turn, moment: Moment | None) -> str:
    """A turn described by its moment and the totals of its dice."""
    told = () if moment is None else (f"{capital(where(story, moment.clock))}.", *moment.sentences[:_MOST])
    return " ".join([*told, turn_totals(story, turn)]).strip() or f"Turn {turn.number}."


def _last(entries: list[Entry] | tuple[Entry, ...]) -> Record:
    """The last record of some entries."""
    return max((entry.record for entry in entries), key=lambda record: record.seq)
