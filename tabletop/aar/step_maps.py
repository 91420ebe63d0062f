"""A story's maps step by step, for a page that leafs through them: each shape once, however many maps it is on.

Labels keep their places even if there is no room, so that they do not move from map to map.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from geometry.drawing.labels import tags_in_place
from geometry.drawing.letters import one_line
from geometry.drawing.scene import Flat, Item, Look, Sheet, Tag
from tabletop.aar.adapter import Clock, ReportAdapter
from tabletop.aar.document import StepMap, StepMaps
from tabletop.aar.steps import Step, clock_of, sentences_of, steps_of
from tabletop.aar.story import Story
from tabletop.drawing.boards import ground_items, ground_names, picture, piece_items
from tabletop.drawing.lengths import tag_in
from tabletop.units import LengthUnit, in_unit


def step_maps(story: Story) -> StepMaps:
    """The maps of all steps of a story, each with what happened in it."""
    numbers: dict[Flat, int] = {}
    looks: dict[str, Look] = {}
    maps: list[StepMap] = []
    sheets = _Sheets(story.adapter, story.unit)
    for step in steps_of(entry.event for entry in story.entries if entry.event is not None):
        sheet = sheets.sheet(step)
        looks |= sheet.looks
        shapes = tuple(numbers.setdefault(item, len(numbers)) for item in sheet.items)
        clock = clock_of(step, story.adapter)
        says = tuple(in_unit(sentence, story.unit) for sentence in sentences_of(step, story.adapter))
        maps.append(StepMap(clock.turn, _title(story, clock), says, shapes))
    frame = Sheet(sheet.left, sheets.bottom, sheet.right, sheet.top, tuple(numbers), looks, sheet.point_in, sheet.em_in)
    return StepMaps(frame, tuple(maps))


class _Sheets:
    """Consecutive maps; the layout of the static parts is computed again only when they change."""

    def __init__(self, adapter: ReportAdapter, unit: LengthUnit) -> None:
        self._adapter, self._unit = adapter, unit
        self._still: object = None
        self._frame: Sheet
        self._ground: tuple[Item, ...] = ()
        self.bottom = float("inf")

    def sheet(self, step: Step) -> Sheet:
        """The map after a step, with what happened over its ground and under its pieces."""
        board = self._adapter.board(step.after)
        cells = tuple((cell.id, cell.kind, cell.marks) for cell in board.cells)
        still = (board.width, board.depth, cells, board.ways, board.zones, board.ground)
        if still != self._still:
            self._still, self._frame = still, picture(board, (), (), self._unit)
            self._ground = tuple(self._labelled([*ground_items(board), *ground_names(board)]))
        happened = [item for each in step.events for item in (*self._adapter.marks(each), *self._adapter.grave(each))]
        moving = self._labelled([*happened, *piece_items(board)])
        sheet = picture(board, [*self._ground, *moving], self._adapter.legend, self._unit)
        self.bottom = min(self.bottom, sheet.bottom)
        return sheet

    def _labelled(self, items: Sequence[Item]) -> Iterator[Item]:
        frame = self._frame
        yield from (item for item in items if not isinstance(item, Tag))
        tags = [tag_in(item, self._unit) for item in items if isinstance(item, Tag)]
        yield from tags_in_place(tags, (frame.left, frame.bottom, frame.right, frame.top), frame.em_in)


def _title(story: Story, clock: Clock) -> str:
    if not clock.turn:
        return "Before turn 1"
    side = [story.side_title(clock.side), one_line(story.adapter.step_title(clock.step))] if clock.side else []
    return ", ".join([f"Turn {clock.turn}", *side])
